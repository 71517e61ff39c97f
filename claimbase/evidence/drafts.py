"""A text being rewritten while every character remembers which raw characters it came from (N1)."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from re import Match, Pattern


def _offsets(first: int, last: int) -> array[int]:
    return array("I", range(first, last))


@dataclass
class Draft:
    """A text under edit.

    Args:
        text: the characters so far.
        starts, ends: per character, the half-open raw range it came from.
        markers: citation markers taken out, as raw position and text.
        cells: raw positions of cell borders.
        blocks: raw positions of borders between paragraphs, items, headings and rows.
        struck: raw ranges of struck text.
    """

    text: str
    starts: array[int]
    ends: array[int]
    quoted: bool = False
    markers: list[tuple[int, str]] = field(default_factory=list)
    cells: list[int] = field(default_factory=list)
    blocks: list[int] = field(default_factory=list)
    struck: list[tuple[int, int]] = field(default_factory=list)

    @classmethod
    def of(cls, text: str, *, quoted: bool = False) -> Draft:
        """Begin with the raw text; quoted: the text is a quote, whose first character may be cut out of a line."""
        return cls(text, _offsets(0, len(text)), _offsets(1, len(text) + 1), quoted)

    def edit(self, edits: Iterable[tuple[int, int, str]]) -> None:
        """Replace ranges of the text, given in order and disjoint; new characters take the raw range of the old."""
        parts: list[str] = []
        starts, ends, at = array("I"), array("I"), 0
        for first, last, new in edits:
            parts += (self.text[at:first], new)
            starts += self.starts[at:first]
            ends += self.ends[at:first]
            if new:
                starts += array("I", [self.starts[first]]) * len(new)
                ends += array("I", [self.ends[last - 1]]) * len(new)
            at = last
        if at:
            parts.append(self.text[at:])
            self.text = "".join(parts)
            self.starts = starts + self.starts[at:]
            self.ends = ends + self.ends[at:]

    def sub(self, pattern: Pattern[str], new: Callable[[Match[str]], str | None]) -> None:
        """Replace what a pattern finds; None leaves it as it is."""
        found = ((match, new(match)) for match in pattern.finditer(self.text))
        self.edit([(*match.span(), text) for match, text in found if text is not None])

    def raw(self, position: int) -> int:
        """Give the raw position of a character."""
        return self.starts[position] if position < len(self.starts) else (self.ends[-1] if self.ends else 0)
