"""Quotation marks of a text in pairs: first all are paired, only then is anything said about their length (§6.4)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from claimbase.evidence.citing import Span

_CLOSES = {
    "“": "”", "„": "“”", "«": "»", "»": "«", "‹": "›", "›": "‹", "「": "」", "『": "』", "‘": "’", "”": "”", '"': '"',
}  # fmt: skip
"""What may close each opening mark."""
_MARKS = re.compile('["“”„«»‹›「」『』‘’]')
_BEFORE_OPENING = frozenset("([{-–—/:;,*_>|=")
_AFTER_CLOSING = frozenset(")]}.,;:!?-–—/*_[|<…'’\"”")
_DEEP = 12


def quotations(text: str, first: int, last: int) -> list[Span]:
    """Pair the quotation marks of a paragraph; of nested pairs the outer one is given.

    A mark that finds no partner is text.

    Args:
        text: the whole text. first, last: the paragraph.

    Returns:
        Half-open ranges, marks included, in order.
    """
    opened: list[tuple[int, str]] = []
    pairs: list[Span] = []
    for match in _MARKS.finditer(text, first, last):
        at, mark = match.start(), match.group()
        partner = _partner(opened, mark) if _may_close(text, at, last, mark) else None
        if partner is not None:
            pairs.append((opened[partner][0], at + 1))
            del opened[partner:]
        elif _may_open(text, at, first, last, mark) and len(opened) < _DEEP:
            opened.append((at, mark))
    return outer(pairs)


def _partner(opened: list[tuple[int, str]], mark: str) -> int | None:
    """Find the innermost open mark that this one closes."""
    return next((at for at in range(len(opened) - 1, -1, -1) if mark in _CLOSES[opened[at][1]]), None)


def _may_open(text: str, at: int, first: int, last: int, mark: str) -> bool:
    if mark not in _CLOSES:
        return False
    before, after = text[at - 1 : at] if at > first else "", text[at + 1 : at + 2] if at + 1 < last else ""
    if mark in '"‘”':
        return bool(after.strip()) and (not before.strip() or before in _BEFORE_OPENING or before in _MARKS_OPENING)
    return True


_MARKS_OPENING = frozenset('“„«»‹›「『‘"')


def _may_close(text: str, at: int, last: int, mark: str) -> bool:
    """Say whether a mark can close: an apostrophe or a straight mark before a letter cannot."""
    after = text[at + 1 : at + 2] if at + 1 < last else ""
    if mark == '"':
        return (not after.strip() or after in _AFTER_CLOSING) and bool(text[at - 1 : at].strip())
    return mark != "’" or not after.isalnum()


def outer(spans: Iterable[Span]) -> list[Span]:
    """Leave out ranges that lie inside another one; give the others in order."""
    kept: list[Span] = []
    for span in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not kept or span[1] > kept[-1][1]:
            kept.append(span)
    return kept
