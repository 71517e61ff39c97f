"""How one character is compared: quote marks, dashes and case fold together, meaning-bearing signs never do (N1)."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

SHIELD = {ord(mark): 0xFDD0 + at for at, mark in enumerate("<>*~|`[]_#!()&-+:.")}
"""Stand-ins for marks that are text, not markup: noncharacters, put back when folding."""
_UNSHIELD = {chr(code): chr(mark) for mark, code in SHIELD.items()}

_SIGNS = {"≥": ">=", "≤": "<=", "≠": "!=", "≈": "~", "∼": "~", "×": "x"}
_DOUBLE = "“”„‟«»″〝〞〟「」『』《》〈〉〃"
_SINGLE = "‘’‚‛‹›′`´ʼʹ"
_DASHES = "‐‑‒–—―−﹘﹣－⸺⸻⁃"
_DROPPED = "\u00ad\u200b\u200c\u200d\u200e\u200f\u061c\u180e\ufeff" + "".join(
    chr(code)
    for first, last in ((0x202A, 0x202E), (0x2060, 0x2064), (0x2066, 0x2069))
    for code in range(first, last + 1)
)
_TABLE = {
    **_SIGNS,
    **dict.fromkeys(_DOUBLE, '"'),
    **dict.fromkeys(_SINGLE, "'"),
    **dict.fromkeys(_DASHES, "-"),
    **dict.fromkeys(_DROPPED, ""),
}
_FOLDED_TAGS = (
    "<compat>",
    "<wide>",
    "<narrow>",
    "<font>",
    "<noBreak>",
    "<initial>",
    "<medial>",
    "<final>",
    "<isolated>",
)
_WIDTH_TAGS = ("<wide>", "<narrow>", "<font>")
_KEPT = "№"


@cache
def marks_class() -> str:
    """Give the combining marks as the inside of a character class: what may follow a letter as part of it."""
    codes = [code for code in range(0x300, 0x10000) if unicodedata.category(chr(code)).startswith("M")]
    codes += [*range(0x1160, 0x1200), *range(0x11000, 0x11080), *range(0x1D165, 0x1D16A)]
    spans: list[list[int]] = []
    for code in codes:
        if spans and spans[-1][1] == code - 1:
            spans[-1][1] = code
        else:
            spans.append([code, code])
    return "".join(rf"\U{first:08x}-\U{last:08x}" for first, last in spans)


@cache
def sequences() -> re.Pattern[str]:
    """Match a letter with the combining marks that follow it, which are composed as one."""
    marks = marks_class()
    return re.compile(rf"[^{marks}\s]?[{marks}]{{1,64}}")


def _compatible(char: str) -> str:
    """Undo a mere difference of width, font, position or ligature; a sign with a meaning of its own stays."""
    tag, _, rest = unicodedata.decomposition(char).partition(" ")
    if tag not in _FOLDED_TAGS or char in _KEPT:
        return char
    plain = "".join(chr(int(code, 16)) for code in rest.split())
    if tag not in _WIDTH_TAGS and (any(c.isdigit() for c in plain) or (plain.startswith(" ") and plain != " ")):
        return char
    return "".join(map(cased, plain)) if plain != char else char


@cache
def cased(char: str) -> str:
    """Fold one composed character or sequence but for its case; "" where it is dropped, a blank for any blank."""
    char = _UNSHIELD.get(char, char)
    if char in _TABLE:
        return _TABLE[char]
    if char.isspace():
        return " "
    if len(char) == 1:
        return _compatible(char)
    return "".join(_compatible(c) for c in unicodedata.normalize("NFC", char))


@cache
def folded(char: str) -> str:
    """Fold one composed character or sequence, case included."""
    return cased(char).casefold()


def fold(text: str) -> str:
    """Fold a word or phrase as the normal form does, without markup."""
    composed = sequences().sub(lambda found: cased(found.group()), text)
    return "".join(folded(char) for char in composed)
