"""Values of claims: number, date, truth value, text, entity or set, each with bounds and a key that decides equality.

The text as written stays beside the bounds; ``key`` and ``unit`` together say which values are equal (V9). Dates keep
Unix seconds as bounds, so that every comparison is one of decimals.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from hashlib import md5
from math import isfinite
from typing import Literal, NamedTuple

from claimbase.dates import read_date
from claimbase.errors import QuantityError, shown
from claimbase.numerals import LONGEST
from claimbase.quantities import PLACEHOLDERS, Quantity, number_reader, read_quantity, written
from claimbase.temporal import iso

Kind = Literal["quantity", "date", "bool", "text", "entity", "set"]
Raw = str | int | float | Decimal | bool | date | Sequence[object]
"""What may be passed as a value: the words of a source, or a plain Python value."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TICK = timedelta(microseconds=1)
_BITS = 512  # more than any storable number has; turning a longer int into text would cost quadratic time
_TRUTH = {"true": True, "yes": True, "✓": True, "✔": True, "false": False, "no": False, "✗": False, "✘": False}
# A text may well be "none" or "NA" (a licence, Namibia); these never are one (V5).
_NO_TEXT = frozenset({"", "-", "--", "–", "—", "?", "…", "...", "n/a", "n.a.", "nan", "tbd", "tba", "not yet verified"})


class Value(NamedTuple):
    """A value as the base keeps it.

    Args:
        kind: what the value is.
        min: the least it can be: a number in *unit*, Unix seconds for a date, 0 or 1 for a truth value;
            None = unbounded.
        max: the greatest it can be, likewise.
        min_open: *min* itself is excluded.
        max_open: *max* itself is excluded.
        unit: a name of the unit table; None = none.
        key: the canonical text that decides equality, with the unit (V9).
        approximate: the source calls it approximate.
        precision: how a date was written: instant, day, month, quarter, year or range.
        text: as written.
    """

    kind: Kind
    min: Decimal | None
    max: Decimal | None
    min_open: bool
    max_open: bool
    unit: str | None
    key: str
    approximate: bool
    precision: str | None
    text: str


def read_value(
    text: Raw,
    *,
    kind: Kind,
    unit: str | None = None,
    stated_unit: str | None = None,
    zone: str = "UTC",
    minimum: Decimal | None = None,
    maximum: Decimal | None = None,
) -> Value:
    """Read a value of a kind; what the grammar of that kind does not know is refused, never guessed (V6).

    Args:
        text: as written; or a number, truth value, date or list. A float counts as the text Python shows for it.
        kind: the predicate's kind.
        unit: the predicate's unit, for a quantity.
        stated_unit: the claim's own unit, for a quantity.
        zone: the zone in which days begin, for a date.
        minimum: the least number the predicate allows, in *unit*.
        maximum: the greatest number the predicate allows, in *unit*.

    Raises:
        QuantityError: the text is no value of this kind.
        InstantError: the text is no date.
    """
    if kind == "quantity":
        value = _quantity(text, unit, stated_unit)
        if minimum is not None or maximum is not None:
            _check_limits(value, unit, minimum, maximum)
        return value
    if kind == "date":
        return _dated(_words(text), zone)
    return _OTHERS[kind](text, kind)


def unread_value(text: Raw) -> Value:
    """Keep a value that no grammar reads as text without a number; it meets no numeric constraint (V2, V6).

    Raises:
        QuantityError: [placeholder_value], [bad_text].
    """
    return _text(text, "text")


def number_values(unit: str | None, stated_unit: str | None) -> Callable[[int | Decimal], Value]:
    """Give a function that reads numbers as `read_value` does and remembers none: for many that are all different."""
    read_number = number_reader(unit, stated_unit)

    def read(number: int | Decimal) -> Value:
        words = str(number) if isinstance(number, Decimal) and number.is_finite() else _words(number)
        if len(words) > LONGEST or "E" in words:
            return _measured(words, unit, stated_unit)
        found, name = read_number(Decimal(number), words)
        return Value("quantity", found, found, False, False, name, written(found), False, None, words)

    return read


def value_id(key: str, unit: str | None) -> int:
    """Give the number under which equal values are joined: the first 64 bits of an md5 over key and unit (V9)."""
    digest = md5(f"{key}\x1f{unit or ''}".encode(), usedforsecurity=False).digest()
    return int.from_bytes(digest[:8], "big")


def folded(text: str) -> str:
    """Fold a text for comparison: NFC, case folded, trimmed, inner blanks single (V7)."""
    if text.isascii():
        return " ".join(text.lower().split())
    return " ".join(unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold()).split())


def _words(value: Raw) -> str:
    """Give the words of a plain Python value."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and value.bit_length() > _BITS:
        raise QuantityError("the number has too many digits", code="out_of_range", hint="at most 26 before the point")
    if isinstance(value, float | Decimal):
        if not (value.is_finite() if isinstance(value, Decimal) else isfinite(value)):
            raise QuantityError(f"{shown(value)} is no finite number", code="not_finite", hint="leave the claim out")
        return repr(value) if isinstance(value, float) else str(value)
    if isinstance(value, date):
        return value.isoformat()
    return str(value) if isinstance(value, int) else json.dumps([str(one) for one in value], ensure_ascii=False)


def _quantity(text: Raw, unit: str | None, stated: str | None) -> Value:
    if isinstance(text, bool) or (not isinstance(text, str | int | float | Decimal)):
        raise QuantityError(f"{shown(text)} is no number", hint="pass a number or the words of the source")
    return _measured(_words(text), unit, stated)


@lru_cache(maxsize=8192)  # the same few prices and sizes come again and again
def _measured(words: str, unit: str | None, stated: str | None) -> Value:
    return _value(words, read_quantity(words, unit=unit, stated_unit=stated))


def _value(words: str, read: Quantity) -> Value:
    low, high = read.min, read.max
    if low is high and low is not None:
        key = written(low)
    else:
        first, last = (None if end is None else written(end) for end in (low, high))
        key = _range_key(first, last, read.min_open, read.max_open)
    return Value("quantity", low, high, read.min_open, read.max_open, read.unit, key, read.approximate, None, words)


def _range_key(low: str | None, high: str | None, min_open: bool, max_open: bool) -> str:
    """Write bounds canonically: "5", "[5,10]", "(5,)", "(,200000]"."""
    if low == high and low is not None:
        return low
    left = "(" if min_open or low is None else "["
    right = ")" if max_open or high is None else "]"
    return f"{left}{low or ''},{high or ''}{right}"


def _check_limits(value: Value, unit: str | None, minimum: Decimal | None, maximum: Decimal | None) -> None:
    if value.unit != unit:
        return
    below = minimum is not None and any(n is not None and n < minimum for n in (value.min, value.max))
    above = maximum is not None and any(n is not None and n > maximum for n in (value.min, value.max))
    if below or above:
        limits = " .. ".join("" if n is None else written(n) for n in (minimum, maximum))
        message = f"{shown(value.text)} lies outside {limits.strip()} {unit or ''}".rstrip()
        raise QuantityError(message, code="out_of_range", hint="the predicate's limits; check the unit")


@lru_cache(maxsize=8192)
def _dated(words: str, zone: str) -> Value:
    bound = read_date(words, zone=zone)
    first, last = bound.earliest, bound.latest
    after = last is not None and last != first  # a period ends before its last bound
    key = _range_key(None if first is None else iso(first), None if last is None else iso(last), False, after)
    low, high = (None if at is None else _seconds(at) for at in (first, last))
    return Value("date", low, high, False, after, None, key, False, bound.precision, words)


def _seconds(moment: datetime) -> Decimal:
    """Give the exact Unix seconds of an instant."""
    seconds, micros = divmod((moment - _EPOCH) // _TICK, 1_000_000)
    return Decimal(seconds) + Decimal(micros).scaleb(-6) if micros else Decimal(seconds)


def _bool(text: Raw, kind: Kind) -> Value:
    words = _words(text)
    truth = _TRUTH.get(folded(words))
    if truth is None:
        missing = folded(words) in PLACEHOLDERS
        raise QuantityError(
            f"{shown(words)} is neither true nor false",
            code="placeholder_value" if missing else "bad_bool",
            hint="true, false, yes or no; where the source offers none, state an absence",
        )
    number = Decimal(int(truth))
    return Value(kind, number, number, False, False, None, "true" if truth else "false", False, None, words)


def _text(text: Raw, kind: Kind) -> Value:
    words = _words(text)
    return Value(kind, None, None, False, False, None, _text_key(words), False, None, words)


def _text_key(words: str) -> str:
    key = folded(words)
    if key in _NO_TEXT:
        hint = "leave the claim out, or state an absence"
        raise QuantityError(f"{shown(words)} stands for a missing value", code="placeholder_value", hint=hint)
    if "\x00" in key or any("\ud800" <= c <= "\udfff" for c in key):
        raise QuantityError(f"{shown(words)} holds characters no text may have", code="bad_text", hint="read it again")
    return key


def _set(text: Raw, kind: Kind) -> Value:
    """Read a list, a JSON list, or words joined by commas."""
    if isinstance(text, str):
        members = _members(text)
    elif isinstance(text, Sequence):
        members = [_words(one) if isinstance(one, str | int | float | Decimal | date) else str(one) for one in text]
    else:
        members = [_words(text)]
    keys = sorted({_text_key(one) for one in members})
    words = text if isinstance(text, str) else json.dumps(members, ensure_ascii=False)
    return Value(kind, None, None, False, False, None, json.dumps(keys, ensure_ascii=False), False, None, words)


def _members(text: str) -> list[str]:
    if not text.lstrip().startswith("["):
        return text.split(",")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise QuantityError(f"{shown(text)} is no list", code="bad_set", hint='write ["a", "b"] or a, b') from error
    if not all(isinstance(one, str | int) for one in found):
        raise QuantityError(f"{shown(text)} holds more than words", code="bad_set", hint='write ["a", "b"] or a, b')
    return [_words(one) for one in found]


_OTHERS: dict[Kind, Callable[[Raw, Kind], Value]] = {"bool": _bool, "text": _text, "entity": _text, "set": _set}
