"""What an author adds to a quote and what does not belong to it: outer quote marks, [sic], a leading bracket (N2)."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from claimbase.evidence.differences import PROTECTED
from claimbase.evidence.terms import ChangeKind
from claimbase.evidence.texts import SourceText

_OUTER = ('""', "''", "“”", "„“", "„”", "‘’", "‚‘", "«»", "»«", "‹›", "「」", "『』", "``", "″″")
_SIC = re.compile(r"\s{0,4}\[sic!?\]", re.IGNORECASE)
_BRACKET = re.compile(r"\[(?![xX]\])([^\[\]\d]{1,38})\]\s{0,4}(?=\S)")
_ELISION = re.compile(
    r"\s{0,8}(?:[\[(]\s{0,4}(?:[…⋯]{1,40}|\.{3,80}|\.(?:\s{1,4}\.){2,40})\s{0,4}[\])]|[…⋯]{1,20000}|\.{3,20000}|\.(?:\s{1,4}\.){2,8000})\s{0,8}"
)
_BARE = ("P", "Z", "C")


@dataclass(frozen=True)
class Cleaned:
    """A quote without what is the author's own, and the flags that say what was taken off."""

    text: str
    flags: tuple[str, ...] = ()


def is_empty(quote: str) -> bool:
    """Say whether nothing is left of a quote but blanks and marks."""
    return all(unicodedata.category(char)[0] in _BARE and char != "%" for char in quote)


def variants(quote: str) -> list[Cleaned]:
    """Give a quote as it is and, if that differs, cleaned."""
    whole = Cleaned(quote.strip())
    cleaned = _without_bracket(_without_sic(Cleaned(_without_marks(whole.text))))
    return [whole] if cleaned.text == whole.text or is_empty(cleaned.text) else [whole, cleaned]


def pieces(quote: str) -> list[str] | None:
    """Cut a quote at its ellipses; None where it has none (N7)."""
    parts = _ELISION.split(quote)
    return [part for part in parts if not is_empty(part)] if len(parts) > 1 else None


def _without_marks(text: str) -> str:
    while len(text) > 2 and text[0] + text[-1] in _OUTER:
        text = text[1:-1].strip()
    return text


def _without_sic(quote: Cleaned) -> Cleaned:
    text = _SIC.sub("", quote.text)
    return quote if text == quote.text else Cleaned(text.strip(), (*quote.flags, "cleaned:sic"))


def _without_bracket(quote: Cleaned) -> Cleaned:
    """Take a leading bracket off, unless it brings in anything protected but a name."""
    match = _BRACKET.match(quote.text)
    if match is None or is_empty(match.group(1)):
        return quote
    tokens = SourceText(match.group(1)).tokens
    kinds = {tokens.kind(at) for at in range(len(tokens))}
    if kinds.intersection(PROTECTED - {ChangeKind.NAME}):
        return quote
    return Cleaned(quote.text[match.end() :], (*quote.flags, "cleaned:bracket"))
