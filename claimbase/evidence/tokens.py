"""Words, numbers and signs of a normal form: where they stand, how they are compared, what class they are (N3, N6)."""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_left, bisect_right
from functools import cache, cached_property

from claimbase.evidence.folding import marks_class
from claimbase.evidence.normalise import Normal
from claimbase.evidence.terms import ChangeKind
from claimbase.evidence.words import words

CJK = (
    r"\u1100-\u115f\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3040-\u30ff\u3105-"
    r"\u312f\u3131-\u318e\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97c\uac00-\ud7fb"
    r"\uf900-\ufaff\uff66-\uffdc\U00016fe0-\U00018cff\U0001aff0-\U0001b2ff\U00020000-\U0003ffff"
)
IS_CJK = re.compile(f"[{CJK}]")
CURRENCY = "$¢£¤¥֏؋৳฿៛₠-⃀﷼"
_LETTER = r"[^\W\d_]"
_SIGNS = "%&@#*/\\\\§‰°^|+"
_IGNORED_SIGNS = frozenset("&@#\\§№|")


_JOINS = (
    rf"(?<={_LETTER})'(?={_LETTER})",  # isn't
    r"(?<=\d)'(?=\d{3}(?!\d))",  # 1'000
    r"(?<=\d)[.,:/*^](?=\d)",  # 1,000 · 0.5 · 10:30 · 3/4 · 4*7
    r"(?<=\w)[.^](?=\d)",  # v.5 · x^2
    r"(?<=\d)-(?=\w)",  # 10-20 · 4-mini
    rf"(?<=\d{_LETTER})-(?=\w)",  # 4o-mini
    r"(?<=\w)-(?=\d)",  # gpt-4
    r"(?<=\w)\+(?=\d)",  # 1e+6 · UTC+2
    r"(?<=\d)\.(?=x\b)",  # 3.x
    rf"(?<=\d)/(?=[{CURRENCY}]?\d)",
    r"(?<=\w)\^(?=[\w+-])",
)
"""What joins two runs of letters and digits into one token."""


@cache
def pattern() -> re.Pattern[str]:
    """Build the expression that cuts a text into tokens: words and numbers, single characters of CJK, signs."""
    marks = marks_class()
    groups = r"(?<![\w.,:/])\d{1,3}(?:[ ]\d{3}){1,12}(?!\w)"
    core = rf"(?:{groups}|[^\W{CJK}]+(?:[{marks}]+[^\W{CJK}]*)*)"
    join = rf"(?:{'|'.join(_JOINS)})[{CURRENCY}+-]?"
    money = rf"(?:(?:(?<!\w)[^\W\d_]{{1,3}})?[{CURRENCY}])?"
    before = rf"(?:(?<![\w)\]])[-+])?{money}(?:(?<!\w)[-+])?(?:(?<!\w)\.(?=\d))?"
    percent = rf"(?:(?<=\d)[{CURRENCY}])?(?:(?<=[\d{CURRENCY}])[ ]?[%‰])?(?:(?<=\d)°(?:[cf]\b)?)?"
    more = rf"(?:(?:(?<=[\d%])|(?<=\d{_LETTER})|(?<=\d{_LETTER}{{2}}))\+(?!\w))?"
    compare = r"!=|[<>=~±]{1,4}"
    dash = r"-(?=[ ]?[^\w\s]{0,3}\d)"
    prime = r"(?<=\d)[\"'](?!\w)"
    signs = rf"{compare}|[{CURRENCY}]|{dash}|{prime}|[{_SIGNS}]|[^\w\s\x00-\x7f]"
    return re.compile(rf"{before}{core}(?:{join}{core})*{percent}{more}|[{CJK}]|{signs}")


_GROUPED = re.compile(
    r"(?<![\d.,])[1-9]\d{0,2}(?:([ ,'_])\d{3})(?:\1\d{3}){0,20}(?![\d'_])"
    r"|(?<![\d.,])[1-9]\d{0,2}(?:\.\d{3}){2,20}(?![\d.])"
)
_AFTER_DIGIT = re.compile(r"(?<=\d)[^\W\d_]{1,5}(?![^\W_])")
_HAS_NUMBER = re.compile(r"\d|[⁰¹²³⁴-⁹₀-₉¼-¾⅐-⅞①-⓿❶-➓㉑-㊿]")


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"


def _kept(char: str) -> bool:
    """Say whether a lone character is a token: letters and signs are, punctuation is not."""
    return (
        char.isalnum()
        or char in "_-\"'"
        or char in _SIGNS
        or not unicodedata.category(char).startswith(("P", "C", "M", "Z"))
    )


class Tokens:
    """The tokens of one normal form.

    Args:
        normal: the text. Positions are those of its normal form; tokens are named by their number.
    """

    def __init__(self, normal: Normal) -> None:
        self.normal = normal
        self.starts, self.ends = array("I"), array("I")
        starts, ends = [], []
        for match in pattern().finditer(normal.lined):
            first, last = match.span()
            if last - first > 1 or _kept(match.group()):
                starts.append(first)
                ends.append(last)
        self.starts, self.ends = array("I", starts), array("I", ends)

    def __len__(self) -> int:
        return len(self.starts)

    def text(self, at: int) -> str:
        """Give a token as it stands in the normal form."""
        return self.normal.text[self.starts[at] : self.ends[at]]

    def cased(self, at: int) -> str:
        """Give a token with its case."""
        return self.normal.cased[self.starts[at] : self.ends[at]]

    def raw(self, at: int) -> tuple[int, int]:
        """Give the raw range of a token."""
        return self.normal.raw_span(self.starts[at], self.ends[at])

    def within(self, first: int, last: int) -> range:
        """Give the tokens that lie whole inside a range."""
        return range(bisect_left(self.starts, first), bisect_right(self.ends, last))

    def is_number(self, at: int) -> bool:
        """Say whether a token holds a digit."""
        return bool(_HAS_NUMBER.search(self.text(at)))

    def gap(self, at: int) -> str:
        """Give what stands between a token and the next one, borders as line ends."""
        return self.normal.lined[self.ends[at] : self.starts[at + 1]] if at + 1 < len(self) else ""

    @cached_property
    def keys(self) -> list[str]:
        """What tokens are compared by: numbers without grouping, units with their case."""
        lined, starts, ends = self.normal.lined, self.starts, self.ends
        keys = [lined[first:last] for first, last in zip(starts, ends, strict=True)]
        units = words().cased
        for at, key in enumerate(keys):
            if _HAS_NUMBER.search(key):
                keys[at] = self._number_key(at, key)
            elif key in units and at and self._measures(at, keys[at - 1]):
                keys[at] = self.cased(at)
        return keys

    def _measures(self, at: int, before: str) -> bool:
        """Say whether a token is a unit by its place: directly after a number, per or a slash."""
        return before in ("per", "/") or (self.gap(at - 1) in ("", " ") and bool(_HAS_NUMBER.search(before)))

    def key_of(self, at: int) -> str:
        """Give the key of one token."""
        return self.keys[at]

    def _number_key(self, at: int, text: str) -> str:
        """Give a number without grouping marks, its unit with a case that matters; brackets may be a minus and stay."""
        bare = _GROUPED.sub(lambda match: re.sub(r"[ ,'_.]", "", match.group()), text)
        unit = _AFTER_DIGIT.search(bare)
        if unit and unit.group() in words().cased:
            shown = _AFTER_DIGIT.search(self.cased(at))
            bare = bare[: unit.start()] + (shown or unit).group() + bare[unit.end() :]
        lined, first, last = self.normal.lined, self.starts[at], self.ends[at]
        bracketed = first > 0 and lined[first - 1] == "(" and lined[last : last + 1] == ")"
        return f"({bare.replace(' ', '')})" if bracketed else bare.replace(" ", "")

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """Where each key stands."""
        found: dict[str, list[int]] = {}
        for at, key in enumerate(self.keys):
            found.setdefault(key, []).append(at)
        return found

    def kind(self, at: int) -> ChangeKind:
        """Give the class of a token (N6); free, or word where nothing protects it."""
        text = self.text(at)
        if self.is_number(at) or re.search(rf"[{CURRENCY}%‰]", text):
            return ChangeKind.NUMBER
        if IS_CJK.match(text):
            return ChangeKind.CJK
        listed = self._listed(at, text)
        if listed is not None and (listed is not ChangeKind.FREE or not (self._shouted(at) or self._glued(at))):
            return listed
        if not _is_word(text[0]):
            return self._sign(at, text)
        return ChangeKind.NAME if self._named(at) else ChangeKind.WORD

    def _listed(self, at: int, text: str) -> ChangeKind | None:
        """Look a word up; an English "n't" and a French "n'" are negations, a month with a capital is a date."""
        kinds = words().kinds
        if text in words().dates and kinds.get(text) is not ChangeKind.DATE and self.cased(at)[0].isupper():
            return ChangeKind.DATE
        if "'" in text and (text.endswith("n't") or text.startswith("n'")):
            return ChangeKind.NEGATION
        if "'" in text and text not in kinds:
            parts = [kinds.get(part) for part in text.split("'")]
            protected = [kind for kind in parts if kind not in (None, ChangeKind.FREE, ChangeKind.UNIT)]
            return protected[0] if protected else None
        return kinds.get(text)

    def _sign(self, at: int, text: str) -> ChangeKind:
        if text[0] in "<>=~±!":
            return ChangeKind.COMPARATOR
        if text == "#" and at and self.starts[at] == self.ends[at - 1] and self.gap(at) != "":
            return ChangeKind.NAME
        if text in _IGNORED_SIGNS:
            return ChangeKind.FREE
        if text in "\"'°":
            return ChangeKind.UNIT
        if text == "/":
            return ChangeKind.UNIT if self._beside_number(at) else ChangeKind.FREE
        return ChangeKind.NUMBER if text in "-+*^" else ChangeKind.WORD

    def _beside_number(self, at: int) -> bool:
        near = [other for other in (at - 2, at - 1, at + 1) if 0 <= other < len(self)]
        return any(self.is_number(other) or words().kinds.get(self.text(other)) is ChangeKind.UNIT for other in near)

    def _shouted(self, at: int) -> bool:
        """Say whether a word is all capitals, or a lone capital inside a sentence: then it is no article."""
        cased = self.cased(at)
        return cased.isupper() and (len(cased) > 1 or not self.opens(at))

    def _glued(self, at: int) -> bool:
        """Say whether a hyphen or slash joins a word to its neighbour, as the "as" of "as-is"."""
        text, first, last = self.normal.text, self.starts[at], self.ends[at]
        before, after = text[max(0, first - 2) : first], text[last : last + 2]
        return (before[-1:] in ("-", "/") and before[:1].isalnum()) or (after[:1] in ("-", "/") and after[1:].isalnum())

    def _named(self, at: int) -> bool:
        """Say whether a word is a name: a capital inside a sentence, or inside the word."""
        cased = self.cased(at)
        if any(char.isupper() for char in cased[1:]):
            return True
        return cased[:1].isupper() and not self.opens(at)

    def opens(self, at: int) -> bool:
        """Say whether a token begins a sentence, a paragraph or a cell."""
        if at == 0:
            return True
        between = self.gap(at - 1)
        return "\n" in between or any(mark in between for mark in ".!?。！？")
