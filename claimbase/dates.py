"""Dates as sources write them inside values: prose, ranges, "not sooner than"; read whole or refused.

What :func:`claimbase.temporal.read_period` reads is read here too. An order of day and month that has to be guessed
(12/4/2025), a two-digit year or a leftover word is an error that gives the spelling to use (V6).
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from typing import NoReturn

from claimbase.errors import InstantError, shown
from claimbase.numerals import LONGEST, PLACEHOLDERS
from claimbase.temporal import TICK, Bound, period_end, read_period

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            ("january", "jan"), ("february", "feb"), ("march", "mar"), ("april", "apr"), ("may",), ("june", "jun"),
            ("july", "jul"), ("august", "aug"), ("september", "sept", "sep"), ("october", "oct"), ("november", "nov"),
            ("december", "dec"),
        ),
        start=1,
    )
    for name in names
}  # fmt: skip
_MONTH = rf"(?P<month>{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\.?"
_DAY = r"(?P<day>[0-9]{1,2})(?P<nth>st|nd|rd|th)?"
_YEAR = r"(?P<year>[0-9]{4})"
_PROSE = tuple(
    re.compile(shape, re.IGNORECASE | re.ASCII)
    for shape in (
        rf"{_MONTH}\s*{_DAY}(?:,\s*|\s+){_YEAR}",
        rf"{_DAY}(?:\s+of)?\s+{_MONTH},?\s+{_YEAR}",
        rf"{_DAY}-{_MONTH}-{_YEAR}",
        rf"{_MONTH}(?:,|\s+of)?\s+{_YEAR}",
        rf"Q(?P<quarter>[1-4])(?:\s+|\s*/\s*){_YEAR}",
        rf"{_YEAR}\s+Q(?P<quarter>[1-4])",
    )
)
_NTH = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd", 31: "st"}

# Where a qualifier puts the date, and whether the period it names counts too.
_BEFORE = {
    "not sooner": "no sooner than, not sooner than, no earlier than, not earlier than, not before, on or after, >=",
    "after": "after, later than, >",
    "not later": "no later than, not later than, on or before, by, <=",
    "before": "before, earlier than, prior to, <",
}
_AFTER = {"not sooner": "or later, or after, onwards, and later", "not later": "or earlier, or before, and earlier"}
_SIDE = {word: side for side, words in _BEFORE.items() for word in words.split(", ")}
_TAIL_SIDE = {word: side for side, words in _AFTER.items() for word in words.split(", ")}


def _words(table: dict[str, str]) -> str:
    return "|".join(re.escape(word) for word in sorted(table, key=len, reverse=True))


_HEAD = re.compile(rf"({_words(_SIDE)})(?:(?<=[<>=])\s*|\s+)(?=\S)", re.IGNORECASE)
_TAIL = re.compile(rf"\s+({_words(_TAIL_SIDE)})\Z", re.IGNORECASE)
_RANGE = re.compile(r"\s+to\s+|\s+[-–]\s+|(?<=\A[0-9]{4})[-–](?=[0-9]{4}\Z)", re.IGNORECASE)
_SPELL = str.maketrans({"\u2010": "-", "\u2011": "-", "\u2212": "-", "\u00a0": " ", "\u202f": " ", "\u2009": " "})
_SIGNS = (("≥", ">="), ("≤", "<="))
_ISO_DAY = re.compile(r"(?!9999)[0-9]{4}-[0-9]{2}-[0-9]{2}")
_SHORT = re.compile(r"[0-9]{1,2}[./-][0-9]{1,2}[./-][0-9]{2,4}")
_HINT = "2026, 2026-04, 2026-Q2, 2026-03-01, March 1, 2026 or 2026-03-01T08:00:00Z"


def read_date(text: str, *, zone: str = "UTC") -> Bound:
    """Read a date, a period, a range or a one-sided bound from the words of a source (T3, T4, T9).

    "Not sooner than D" has no latest instant and "by D" no earliest: neither is ever the date D. A bound ends at the
    first instant after the period it names.

    Args:
        text: at most 64 characters, such as ``August 2, 2018``, ``2026-Q2``, ``No sooner than May 20, 2028``.
        zone: the zone in which days and longer periods begin.

    Raises:
        InstantError: [placeholder_value], [sentinel] for the year 9999, [bad_date] and those of ``read_period``.
    """
    if not isinstance(text, str):
        raise InstantError(f"{shown(text)} is no date", hint=_HINT)
    if len(text) > LONGEST:
        raise InstantError(f"{shown(text, 40)} is no date: {len(text)} characters", hint=f"at most {LONGEST}")
    if _ISO_DAY.fullmatch(text):
        return read_period(text, zone=zone)
    clean = text.translate(_SPELL).strip()
    for sign, plain in _SIGNS:
        clean = clean.replace(sign, plain)
    if clean.lower() in PLACEHOLDERS:
        hint = "leave the claim out, or state an absence"
        raise InstantError(f"{shown(text)} stands for a missing date", code="placeholder_value", hint=hint)
    if re.search(r"(?<![0-9])9999(?![0-9])", clean):
        hint = "leave an open end out, or map it in the importer"
        raise InstantError(f"{shown(text)} looks like a sentinel, not a date", code="sentinel", hint=hint)
    return replace(_qualified(text, clean, zone), text=text)


def _qualified(text: str, clean: str, zone: str) -> Bound:
    """Read a period with at most one qualifier, before or behind it."""
    head, tail = _HEAD.match(clean), _TAIL.search(clean)
    if head is None and tail is None:
        return _whole(text, clean, zone)
    if head is not None and tail is not None:
        _refuse(text, "it is qualified twice")
    if head is not None:
        side, named = _SIDE[head[1].lower()], clean[head.end() :]
    elif tail is not None:
        side, named = _TAIL_SIDE[tail[1].lower()], clean[: tail.start()]
    bound = _period(text, named, zone)
    first, after = bound.earliest, _end(bound, zone)
    earliest = {"not sooner": first, "after": after}.get(side)
    latest = {"before": first, "not later": after}.get(side)
    return Bound("imprecise", earliest, latest, bound.precision)


def _whole(text: str, clean: str, zone: str) -> Bound:
    """Read a period, or a range from one period to another of the same kind."""
    parts = _RANGE.split(clean)
    if len(parts) == 1:
        return _period(text, clean, zone)
    if len(parts) > 2:
        _refuse(text, "more than two dates stand in it")
    first, second = (_period(text, part, zone) for part in parts)
    end = _end(second, zone)
    if first.precision != second.precision or first.earliest is None or end is None or end <= first.earliest:
        _refuse(text, "its ends make no range")
    return Bound("imprecise", first.earliest, end, "range")


def _end(bound: Bound, zone: str) -> datetime | None:
    """Give the first instant after what a bound names."""
    if bound.precision == "instant" and bound.latest is not None:
        return bound.latest + TICK
    return period_end(bound, zone)


def _period(text: str, clean: str, zone: str) -> Bound:
    """Read one instant or period, in ISO spelling or in prose."""
    for shape in _PROSE:
        if match := shape.fullmatch(clean):
            return read_period(_iso(text, match), zone=zone)
    if _SHORT.fullmatch(clean):
        _refuse(text, "the order of day, month and year would be a guess")
    try:
        return read_period(clean, zone=zone)
    except InstantError as error:
        if error.code != "bad_date":
            raise
        raise InstantError(f"{shown(text)} is no date claimbase reads", hint=error.hint or _HINT) from error


def _iso(text: str, match: re.Match[str]) -> str:
    parts = match.groupdict()
    if quarter := parts.get("quarter"):
        return f"{parts['year']}-Q{quarter}"
    month = f"{parts['year']}-{_MONTHS[parts['month'].lower()]:02}"
    if not parts.get("day"):
        return month
    day, nth = int(parts["day"]), parts.get("nth")
    if nth and nth.lower() != _NTH.get(day, "th"):
        _refuse(text, f"{day}{nth} is no ordinal")
    return f"{month}-{day:02}"


def _refuse(text: str, why: str) -> NoReturn:
    raise InstantError(f"{shown(text)} is no date: {why}", hint=_HINT)
