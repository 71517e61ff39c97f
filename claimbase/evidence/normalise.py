"""The normal form of a text, with the raw range of every character (N1)."""

from __future__ import annotations

import hashlib
import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass

from claimbase.evidence import markup
from claimbase.evidence.drafts import Draft
from claimbase.evidence.folding import cased, folded, sequences
from claimbase.evidence.model import PROFILES
from claimbase.evidence.terms import RULE
from claimbase.evidence.words import lists_sha256

VERSION = "1"
"""Goes up with every change of a step below."""

_MARKED = ("markdown", "html-md")
STEPS: tuple[tuple[Callable[[Draft], None], tuple[str, ...]], ...] = (
    (markup.entities, PROFILES),
    (markup.wraps, PROFILES),
    (markup.code, _MARKED),
    (markup.raised, _MARKED),
    (markup.citations, ("pdf", *_MARKED)),
    (markup.links, _MARKED),
    (markup.tags, _MARKED),
    (markup.line_marks, _MARKED),
    (markup.emphasis, _MARKED),
    (markup.cells, _MARKED),
)
_BLANKS = re.compile(" {2,}")


def profile_sha256(profile: str) -> str:
    """Give the digest of everything that decides how a text of this profile is compared (N1, N9).

    Args:
        profile: plain, pdf, markdown or html-md.
    """
    steps = [step.__name__ for step, profiles in STEPS if profile in profiles]
    content = "\n".join((RULE, VERSION, profile, *steps, lists_sha256()))
    return hashlib.sha256(content.encode()).hexdigest()


@dataclass(frozen=True)
class Normal:
    """A normal form: positions are those of ``text`` unless called raw.

    Args:
        text: what is compared. cased: the same characters before case was folded.
        lined: the same, with a line end where a cell or block border lies.
        starts, ends: raw range per character.
        markers: citation markers taken out, each with the position of the character that follows it.
        struck: ranges of struck text, in order.
        blocks: positions of blanks that are block borders.
    """

    text: str
    cased: str
    lined: str
    starts: array[int]
    ends: array[int]
    markers: tuple[tuple[int, str], ...]
    struck: tuple[tuple[int, int], ...]
    blocks: frozenset[int]

    def raw_span(self, first: int, last: int) -> tuple[int, int]:
        """Give the raw range of a non-empty range."""
        return self.starts[first], self.ends[last - 1]

    def position(self, raw: int) -> int:
        """Give the position of the first character that starts at a raw position or after it."""
        return bisect_left(self.starts, raw)

    def is_struck(self, first: int, last: int) -> bool:
        """Say whether a range overlaps struck text."""
        return bool(self.struck) and markup.in_spans(self.struck, first, last)


def normalise(text: str, profile: str = "plain", *, quoted: bool = False) -> Normal:
    """Build the normal form of a text.

    Args:
        text: raw text. profile: how it was written. quoted: it is a quote, which may begin anywhere in a line.
    """
    draft = Draft.of(text, quoted=quoted)
    draft.blocks += markup.blocks(text)
    for step, profiles in STEPS:
        if profile in profiles:
            step(draft)
    upper = _fold(draft)
    lower = "".join(map(folded, upper)) if not upper.isascii() else upper.lower()
    if len(lower) != len(upper):
        upper, lower = _widen(draft, upper)
    return _finished(draft, upper, lower)


def _fold(draft: Draft) -> str:
    """Fold all but case, and blanks into one; give the text."""
    if not draft.text.isascii() or "`" in draft.text:
        if sequences().search(draft.text):
            draft.sub(sequences(), lambda match: cased(match.group()))
        odd = [char for char in set(draft.text) if len(cased(char)) != 1]
        if odd:
            draft.sub(re.compile("[" + "".join(map(re.escape, sorted(odd))) + "]"), lambda match: cased(match.group()))
    draft.text = draft.text.translate({ord(char): cased(char) for char in set(draft.text) if cased(char) != char})
    draft.sub(_BLANKS, lambda match: " ")
    last = len(draft.text)
    edges = [(0, 1, "")] if draft.text.startswith(" ") else []
    edges += [(last - 1, last, "")] if last > 1 and draft.text.endswith(" ") else []
    draft.edit(edges)
    return draft.text


def _widen(draft: Draft, upper: str) -> tuple[str, str]:
    """Make room where folding case takes more than one character."""
    draft.edit([(at, at + 1, folded(char)) for at, char in enumerate(upper) if len(folded(char)) != 1])
    return draft.text, "".join(map(folded, draft.text))


def _covering(draft: Draft, raw: list[int]) -> list[int]:
    """Find the blanks that cover raw positions."""
    found = ((bisect_right(draft.starts, position) - 1, position) for position in raw)
    return [at for at, position in found if at >= 0 and draft.ends[at] > position and draft.text[at] == " "]


def _finished(draft: Draft, upper: str, lower: str) -> Normal:
    """Turn what was remembered at raw positions into positions of the normal form."""
    blocks = _covering(draft, draft.blocks)
    borders = sorted({*blocks, *_covering(draft, draft.cells)})
    parts: list[str] = []
    at = 0
    for border in borders:
        parts += (lower[at:border], "\n")
        at = border + 1
    struck = [
        (bisect_left(draft.starts, first), bisect_left(draft.starts, last)) for first, last in sorted(draft.struck)
    ]
    return Normal(
        text=lower,
        cased=upper,
        lined="".join((*parts, lower[at:])),
        starts=draft.starts,
        ends=draft.ends,
        markers=tuple((bisect_left(draft.starts, raw), text) for raw, text in sorted(draft.markers)),
        struck=tuple(_joined(struck)),
        blocks=frozenset(blocks),
    )


def _joined(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Unite overlapping ranges, given in order; drop empty ones."""
    united: list[tuple[int, int]] = []
    for first, last in spans:
        if united and first < united[-1][1]:
            united[-1] = (united[-1][0], max(last, united[-1][1]))
        elif last > first:
            united.append((first, last))
    return united
