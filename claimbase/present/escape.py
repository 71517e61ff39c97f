"""Text of others, made harmless: nothing it holds commands a terminal, turns the reading direction or hides (M6)."""

from __future__ import annotations

import json
import re
import unicodedata
from functools import cache
from html import escape
from typing import Any

# What can act on a terminal or a reader without being seen: controls, formats (bidi, zero width, tags), separators of
# lines, surrogates, private use.
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
# Letters and marks that have no shape: fillers, the empty Braille cell, variation selectors (which can carry a text);
# but not the two that say whether a sign is drawn in colour: pages are full of these.
_SHAPELESS = frozenset(
    chr(point)
    for first, last in (
        (0x034F, 0x034F), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x2800, 0x2800), (0x3164, 0x3164),
        (0xFE00, 0xFE0D), (0xFFA0, 0xFFA0), (0xE0100, 0xE01EF),
    )
    for point in range(first, last + 1)
)  # fmt: skip
_BLANKS = frozenset("\t\n\r\v\f\x85")
_DOUBTFUL = re.compile(r"[^\x20-\x7e]")


@cache
def _spelt(char: str) -> str:
    """Spell one character by its number in Unicode, four digits or eight."""
    point = ord(char)
    return f"\\u{point:04x}" if point <= 0xFFFF else f"\\U{point:08x}"


@cache
def unseen(char: str) -> bool:
    """Tell whether a character cannot be seen: a control or format, a filler, a surrogate, no character at all."""
    # U+FDD0..U+FDEF and the last two of every plane are no characters, though their category is that of a gap.
    nothing = 0xFDD0 <= ord(char) <= 0xFDEF or ord(char) & 0xFFFE == 0xFFFE
    return nothing or char in _SHAPELESS or unicodedata.category(char) in _UNSEEN


def harmless(text: object) -> str:
    """Make a text safe to show on a terminal, on one line (M6).

    Line ends and tabs become a blank, other control characters go, and what else cannot be seen is spelt out.

    Args:
        text: anything; its text is taken.
    """
    return _DOUBTFUL.sub(_shown, str(text))


def _shown(match: re.Match[str]) -> str:
    char = match[0]
    if char in _BLANKS:
        return " "
    if unicodedata.category(char) == "Cc":
        return ""
    return _spelt(char) if unseen(char) else char


def isolated(value: object) -> str:
    """Write any text as HTML text, isolated so that its direction does not leak (M6); nothing for None."""
    return "" if value is None else f"<bdi>{escape(harmless(value))}</bdi>"


def json_text(data: Any, *, indent: int | None = 2, ascii_only: bool = False) -> str:
    """Write plain data as JSON in which no character is unseen: each of those is escaped (M6).

    Args:
        data: what JSON can carry, sorted as given.
        indent: blanks per level; None = one line.
        ascii_only: escape every character beyond ASCII too, for an output that cannot hold them.
    """
    written = json.dumps(data, ensure_ascii=ascii_only, allow_nan=False, indent=indent)
    return _DOUBTFUL.sub(_json_escaped, written)


def _json_escaped(match: re.Match[str]) -> str:
    char = match[0]
    if char == "\n" or not unseen(char):
        return char
    return "\\u007f" if char == "\x7f" else json.dumps(char)[1:-1]


_FORMULAS = ("=", "+", "-", "@", "|", "%", "＝", "＋", "－", "＠")
_PLAIN_NUMBER = re.compile(r"[+-]?[0-9]{1,40}(?:\.[0-9]{1,40})?")


def guarded(value: object) -> str:
    """Write a cell that no spreadsheet takes for a formula (M6); a plain number stays one.

    Args:
        value: the cell; None = empty.
    """
    text = "" if value is None else harmless(value)
    bare = text.lstrip(" '\"\u00a0")
    return f"'{text}" if bare.startswith(_FORMULAS) and not _PLAIN_NUMBER.fullmatch(text) else text
