"""The words and shapes of the number grammar, as tables and expressions; read by :mod:`claimbase.quantities`."""

from __future__ import annotations

import re
from decimal import Decimal, Inexact

from claimbase.errors import QuantityError, shown
from claimbase.units import EXACT

LONGEST = 64
"""The longest text read as a number, in characters."""
WHOLE_LIMIT = 2**63
"""One more than the largest whole number that the engine counts with."""
PLACEHOLDERS = frozenset(
    {
        "", "-", "--", "---", "–", "—", ".", "..", "...", "…", "?", "??", "n/a", "na", "n.a.", "n.a", "n/d", "nan",
        "<na>", "#n/a", "nat", "none", "null", "nil", "tbd", "tba", "tbc", "t.b.d.", "unknown", "unspecified",
        "pending", "missing", "undisclosed", "not available", "not applicable", "not stated",
        "not specified", "not disclosed", "not known",
        "not yet verified", "not yet available", "not yet announced", "to be determined", "to be announced",
    }
)  # fmt: skip
"""What stands where a value is missing; in lower case (V5, X23)."""

ZERO_WORDS = frozenset({"free", "free of charge", "for free", "no charge", "no cost", "at no cost", "at no charge"})
ENDLESS = frozenset({"inf", "infinity", "infinite", "∞", "unlimited"})
NUMBER_WORDS = {
    "a": "1", "an": "1", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
    "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12",
}  # fmt: skip

# Which side of the number a qualifier bounds; over and under exclude the number itself.
_BEFORE = {
    "lower": "at least, no less than, not less than, minimum, min., min, starting at, starting from, from, >=",
    "over": "more than, greater than, over, above, >",
    "upper": "up to, at most, no more than, not more than, maximum, max., max, <=",
    "under": "less than, fewer than, lower than, under, below, <",
    "exact": "exactly, =",
    "between": "between",
}
_AFTER = {
    "lower": "or more, or higher, or greater, and more, and up, and above, or above, minimum",
    "upper": "or less, or lower, or fewer, and below, or below, maximum, max, at most",
}
SIDE = {word: side for side, words in _BEFORE.items() for word in words.split(", ")}
TAIL_SIDE = {word: side for side, words in _AFTER.items() for word in words.split(", ")}


def _any_of(words: dict[str, str]) -> str:
    """Build the alternation of a table's words, the longest first; a word ends at a blank, a sign anywhere."""
    longest = sorted(words, key=len, reverse=True)
    return "|".join(re.escape(w) + (r"\s+" if w[0].isalpha() else r"\s*") for w in longest)


_EXPONENT = r"(?:[eE][-+]?[0-9]{1,9})?"
PLAIN = re.compile(rf"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?{_EXPONENT}")
_GROUPS = "|".join(rf"[1-9][0-9]{{0,2}}(?:{mark}[0-9]{{3}})+" for mark in (",", "_", "\u00a0"))
_FIGURES = rf"(?:(?:{_GROUPS}|0|[1-9][0-9]*)(?:\.[0-9]+)?|\.[0-9]+){_EXPONENT}"
_AMOUNT = (
    r"(?P<approx>(?i:~\s*|(?:about|approximately|approx\.|approx|around|roughly|circa|ca\.)\s+))?"
    r"(?P<sign>[-+])?(?P<currency>US\$|(?:USD\s?)?\$|€|£|(?i:usd|eur|gbp)(?=[\s0-9]))?\s?(?P<minus>-)?"
    rf"(?:(?P<figures>{_FIGURES})(?![0-9,_\u00a0]*[0-9])"
    r"(?P<times>\s?(?:[kKMBT]|m(?=\s+(?i:(?:input |output )?(?:tok|char)))|[KMGT]i"
    r"|(?i:bn|mn|mln|thousand|million|billion|trillion))(?![A-Za-z]))?"
    rf"|(?P<word>(?i:{'|'.join(NUMBER_WORDS)}))\s+(?P<size>(?i:thousand|million|billion|trillion))(?![A-Za-z]))"
)
HEAD = re.compile(rf"(?P<qualifier>(?i:{_any_of(SIDE)}))?{_AMOUNT}(?P<plus>\s?\+(?![-/0-9]))?")
SECOND = re.compile(_AMOUNT)
BETWEEN = re.compile(r"\s*(?P<sign>-|–|\.\.|±|\+/-)\s*(?=[~$€£.0-9]|US)|\s+(?P<word>to|and)\s+(?=\S)", re.IGNORECASE)
TAIL = re.compile(r"(?:^|\s+)(" + "|".join(sorted(TAIL_SIDE, key=len, reverse=True)) + r")\Z", re.IGNORECASE)
BOX = re.compile(rf"([\[(])\s*({PLAIN.pattern})?\s*,\s*({PLAIN.pattern})?\s*([\])])\s*(.*)")
HINT = re.compile(r"(?<![\w.,-])(?:[$€£]\s?)?[0-9][0-9,]*(?:\.[0-9]+)?\s?(?:[kKMBT](?![A-Za-z])|%|million|billion)?")

# Which qualifiers may stand before a range, by the word that joins it.
RANGES = {"to": ("", "from"), "and": ("between",)}
SPELL = str.maketrans(
    {"\u202f": "\u00a0", "\u2009": "\u00a0", "\u2212": "-", "\u2011": "-", "\u2010": "-", "—": "–", "≈": "~", "μ": "µ"}
)
SIGNS = (("≥", ">="), ("≤", "<="), ("⩾", ">="), ("⩽", "<="))
KNOWN_SIGNS = re.compile(r"[\x20-\x7e\u00a0€£¢µ±–]*")

_FINEST = Decimal("1e-12")


def storable(value: Decimal, text: str) -> Decimal:
    """Give a number as the base keeps it: 26 integer digits, 12 decimals, no negative zero.

    Args:
        value: a finite decimal.
        text: as written, for the message.

    Raises:
        QuantityError: [out_of_range] if it is too large, or a digit would be lost (C10, X11).
    """
    if not value:
        return Decimal(0)
    if value.adjusted() > 25:
        raise outside(text)
    try:
        EXACT.quantize(value, _FINEST)
    except Inexact:
        raise outside(text) from None
    return value


def outside(text: str) -> QuantityError:
    """Build the error of a number that the base cannot keep."""
    return QuantityError(
        f"{shown(text)} does not fit: 26 digits before the point, 12 behind it",
        code="out_of_range",
        hint="state it in a unit of a fitting size",
    )


def written(value: Decimal) -> str:
    """Write a decimal in its one canonical form: no exponent, no trailing zeros, no negative zero (V1)."""
    text = f"{value:f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
