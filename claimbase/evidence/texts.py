"""A source text with everything derived from it, built once and kept (N1)."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from functools import cached_property

from claimbase.errors import InputError
from claimbase.evidence.model import PROFILES
from claimbase.evidence.normalise import Normal, normalise
from claimbase.evidence.tokens import IS_CJK, Tokens
from claimbase.evidence.words import words

_ENDS = re.compile(r"[.!?]{1,8}[\"')\]]{0,4}(?=[ \n])|[。！？]{1,8}[\"'」』）)]{0,4}|\n")
_LAST_WORD = re.compile(r"[\w.]{1,12}\Z")
_BEFORE_CAPITAL = re.compile(r"[.!?]{1,8}[\"')\]]{0,4}(?= [\"'(\[]{0,4}[^\W\d_a-z])")
_AT_LINE_END = re.compile(r"[.!?]{1,8}[\"')\]]{0,4}(?=[ \t]{0,8}\n)")
_TITLES = frozenset(("Dr", "Prof", "Mr", "Mrs", "Ms", "St"))
_BLANK = re.compile(r"(?<!\d) | (?!\d)")
_HYPHEN = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")


class Squeezed:
    """A text without blanks, and where its characters stand in the normal form (N3)."""

    def __init__(self, text: str, places: array[int]) -> None:
        self.text, self.places = text, places

    def without(self, pattern: re.Pattern[str]) -> Squeezed:
        """Leave out the single characters that a pattern finds."""
        parts: list[str] = []
        places, at = array("I"), 0
        for match in pattern.finditer(self.text):
            parts.append(self.text[at : match.start()])
            places += self.places[at : match.start()]
            at = match.end()
        return Squeezed("".join((*parts, self.text[at:])), places + self.places[at:])


class SourceText:
    """A stored text and how it was written.

    Args:
        text: the text as read; None where none is held.
        profile: plain, pdf, markdown or html-md.

    Raises:
        InputError: [bad_profile] another profile.
    """

    def __init__(self, text: str | None, profile: str = "plain", *, quoted: bool = False) -> None:
        if profile not in PROFILES:
            raise InputError(f"there is no profile {profile!r}", code="bad_profile", hint=" · ".join(PROFILES))
        self.text = text or ""
        self.profile = profile
        self._quoted = quoted

    @cached_property
    def normal(self) -> Normal:
        """The normal form."""
        return normalise(self.text, self.profile, quoted=self._quoted)

    @cached_property
    def tokens(self) -> Tokens:
        """The tokens of the normal form."""
        return Tokens(self.normal)

    @cached_property
    def has_cjk(self) -> bool:
        """Whether any Chinese, Japanese or Korean character stands in it."""
        return bool(IS_CJK.search(self.normal.text))

    @cached_property
    def breaks(self) -> list[int]:
        """Where sentences end: a stop before a blank, or a border (N8)."""
        lined, short = self.normal.lined, words().abbreviations
        found = []
        for match in _ENDS.finditer(lined):
            if match.group() == ".":
                word = _LAST_WORD.search(lined[max(0, match.start() - 12) : match.start()])
                if word and word.group() in short:
                    continue
            found.append(match.end())
        return found

    @cached_property
    def units(self) -> list[int]:
        """Where sentences, items and rows end, in doubt too often: a row is one unit, and a capital begins a sentence.

        An abbreviation hides a stop only inside a line, before a small letter or a number; titles stand before names.
        """
        normal = self.normal
        found = {at for at in self.breaks if normal.lined[at - 1] != "\n" or at - 1 in normal.blocks}
        for match in _BEFORE_CAPITAL.finditer(normal.cased):
            word = _LAST_WORD.search(normal.cased, max(0, match.start() - 12), match.start())
            if not (word and word.group() in _TITLES):
                found.add(match.end())
        found.update(normal.position(match.end()) for match in _AT_LINE_END.finditer(self.text))
        return sorted(found)

    def crosses_unit(self, first: int, last: int) -> bool:
        """Say whether a sentence, item or row ends between the end of one range and the end of a later one."""
        return bisect_right(self.units, first - 1) != bisect_right(self.units, last - 1)

    def sentence(self, first: int, last: int) -> tuple[int, int]:
        """Give the range from the beginning of the first to the end of the last sentence of a range."""
        before = bisect_right(self.breaks, first) - 1
        after = bisect_right(self.breaks, last - 1)
        start = self.breaks[before] if before >= 0 else 0
        return start, self.breaks[after] if after < len(self.breaks) else len(self.normal.text)

    @cached_property
    def squeezed(self) -> Squeezed:
        """The text without blanks; one between digits stays, and so does a border."""
        whole = Squeezed(self.normal.lined, array("I", range(len(self.normal.lined))))
        return whole.without(_BLANK)

    @cached_property
    def unhyphened(self) -> Squeezed:
        """The same without hyphens between letters."""
        return self.squeezed.without(_HYPHEN)
