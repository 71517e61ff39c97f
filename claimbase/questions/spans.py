"""Amounts and dates inside a question: where one begins and ends. What it amounts to is read by the layers below."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from claimbase.errors import InstantError
from claimbase.quantities import UNITS
from claimbase.questions.lexicon import COUNTS
from claimbase.temporal import iso, period_end, read_period

_NUMBER = re.compile(r"(?:\d{1,3}(?:[,\u00a0\u202f ]\d{3})+(?![\dA-Za-z])|\d+)(?:\.\d+)?|\.\d+", re.ASCII)
_WORD_NUMBER = re.compile(
    r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten)\s+(?:thousand|million|billion|trillion)\b", re.IGNORECASE
)
_COUNTED_MONEY = re.compile(
    r"(one|two|three|four|five|six|seven|eight|nine|ten)(?=\s+(?:(?:us\s+)?dollars?|usd|euros?|eur|cents?|percent)\b)",
    re.IGNORECASE,
)
_DIGITS = {word: str(number) for word, number in COUNTS.items()}
_TIMES = re.compile(r"\s?(?:[kmgt]i|bn|mn|[kmbt]|thousand|million|billion|trillion)(?![A-Za-z0-9])", re.IGNORECASE)
_CURRENCY = re.compile(r"(?:US\$|[$€£]|(?:usd|eur|gbp)\s?(?=[\d.]))\s?", re.IGNORECASE)
_CUT = re.compile(r"[A-Za-z0-9]|[.,_'’]\d", re.ASCII)
_PER = re.compile(r"\s*(?:/|per\b|an?(?=\s+(?:thousand|million|billion)\b))\s*", re.IGNORECASE)
# Spellings that mean something else in a question are left to the other tables.
_NOT_UNITS = frozenset({"min", "mins", "source", "sources", "1", "share", "us", "word", "mo"})
_UNIT = re.compile(
    r"(?:"
    + "|".join(
        re.escape(word).replace(r"\ ", r"\s+")
        for word in sorted(
            {word for unit in UNITS.values() for word in (unit.name, *unit.spellings)}
            | {"ktok", "mtok", "mtoken", "mtokens"},
            key=len,
            reverse=True,
        )
        if (len(word) > 2 or word in "%$€£") and word not in _NOT_UNITS
    )
    + r")(?![A-Za-z0-9_])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Amount:
    """A number in a question: the text to be read, and what it states by itself.

    Args:
        text: as written, unit and denominator included.
        end: where it ends in the question.
        bare: neither multiplier nor unit nor currency.
        currency: a currency is named.
        unit: a unit or denominator is named.
        open_per: a "per" whose noun the predicate's phrase must give.
        year: the year it could be, where it is a plain number of four digits.
    """

    text: str
    end: int
    bare: bool
    currency: bool
    unit: bool
    times: bool
    open_per: bool
    year: int | None


@dataclass(frozen=True, slots=True)
class Span:
    """A date in a question: `[start, end)` for a day or period, start = end for an instant."""

    start: datetime
    end: datetime
    precision: str

    @property
    def instant(self) -> bool:
        """Tell whether it can serve as an instant: a day means its start (T7)."""
        return self.precision in ("instant", "day")

    @property
    def text(self) -> str:
        """The start in RFC 3339."""
        return iso(self.start)


def amount_at(text: str, start: int, phrase_end: Callable[[int], int]) -> Amount | None:
    """Read the extent of an amount that begins at *start*; *phrase_end* tells where a predicate's phrase ends."""
    place = start + (text[start] in "-−")
    if place > start and not re.match(r"[$€£.]?\d", text[place:]):
        return None
    money = _CURRENCY.match(text, place)
    place = money.end() if money else place
    number = _NUMBER.match(text, place) or (
        None if money else _WORD_NUMBER.match(text, place) or _COUNTED_MONEY.match(text, place)
    )
    if number is None:
        return None
    worded = number.group()[0].isalpha()
    place = number.end()
    times = None if worded else _TIMES.match(text, place)
    place = times.end() if times else place
    if _CUT.match(text, place):
        return None
    noun, place = _unit(text, place, phrase_end)
    per, open_per, place = _per(text, place, phrase_end) if money or noun else (False, False, place)
    plain = not (times or worded or money or noun or per)
    year = int(number.group()) if plain and re.fullmatch(r"(?:19|20|21)\d\d", text[start:place]) else None
    currency = bool(money) or bool(re.match(r"[$€£]|usd|eur|gbp|dollar|euro|pound|cent\b|cents", noun.lower()))
    return Amount(
        text=_clean(text[start:place]),
        end=place,
        bare=plain,
        currency=currency,
        unit=bool(noun or per),
        times=bool(times or worded),
        open_per=open_per,
        year=year,
    )


def _clean(text: str) -> str:
    """Write an amount as the number grammar wants it: blanks between groups as commas, "1M-token" with a blank."""
    text = _COUNTED_MONEY.sub(lambda found: _DIGITS[found[1].lower()], text)
    grouped = re.sub(r"(?<=\d)[\u00a0\u202f ](?=\d{3}(?!\d))", ",", text)
    return re.sub(r"(?<=\w)-(?=[a-z])", " ", grouped)


def _unit(text: str, place: int, phrase_end: Callable[[int], int]) -> tuple[str, int]:
    """Take a unit word, unless a predicate's phrase of at least its length begins there."""
    blank = re.compile(r"[\s-]?\s?").match(text, place)
    begin = blank.end() if blank else place
    match = _UNIT.match(text, begin)
    if match is None or phrase_end(begin) >= match.end():
        return "", place
    return match.group(), match.end()


def _per(text: str, place: int, phrase_end: Callable[[int], int]) -> tuple[bool, bool, int]:
    """Take a denominator: "/M", "per 1K", "per million tokens"; tell whether its noun is left to the predicate."""
    match = _PER.match(text, place)
    if match is None:
        return False, False, place
    end = match.end()
    number = _NUMBER.match(text, end) or re.compile("").match(text, end)
    size = _TIMES.match(text, number.end() if number else end)
    counted = size.end() if size else (number.end() if number else end)
    noun, after = _unit(text, counted, phrase_end)
    if noun:
        return True, False, after
    if counted > end:
        return (False, False, place) if _CUT.match(text, counted) else (True, True, counted)
    return (True, True, place + len(match.group().rstrip())) if phrase_end(end) else (False, False, place)


_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_MONTH = "(?P<month>" + "|".join(f"{name}|{name[:3]}" for name in _MONTHS) + r"|sept)\.?"
_YEAR = r"(?P<year>(?:19|20|21)\d\d)"
_ORDINAL = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
_PART = "|".join(_ORDINAL)
_FORMS = tuple(
    re.compile(pattern + r"(?![\w/]|[.,-]\d)", re.IGNORECASE)
    for pattern in (
        r"(?P<iso>\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?\s?(?:Z|[+-]\d{2}:?\d{2}))",
        r"(?P<iso>\d{4}-\d{2}-\d{2})",
        r"(?P<iso>\d{4}-(?:\d{2}|Q[1-4]))",
        rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:\s+of)?\s+{_MONTH},?\s+{_YEAR}",
        rf"{_MONTH}\s+(?:the\s+)?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:,\s*|\s+){_YEAR}",
        rf"{_MONTH},?\s+(?:of\s+)?{_YEAR}",
        rf"Q(?P<quarter>[1-4])[\s/-]*(?:of\s+)?{_YEAR}",
        rf"{_YEAR}\s*-?Q(?P<quarter>[1-4])",
        rf"(?:the\s+)?(?P<quarter>{_PART})\s+quarter\s+(?:of\s+)?{_YEAR}",
        rf"H(?P<half>[12])\s*(?:of\s+)?{_YEAR}",
        rf"(?:the\s+)?(?P<half>first|second|1st|2nd)\s+half\s+of\s+{_YEAR}",
        rf"the\s+year\s+{_YEAR}",
    )
)
_EDGE = re.compile(r"(?:the\s+)?(?P<edge>end|start|beginning|close)\s+of\s+", re.IGNORECASE)
_PLAIN_YEAR = re.compile(_YEAR + r"(?![\w/]|[.,-]\d)")


def date_at(text: str, start: int, now: datetime) -> tuple[Span, int] | None:
    """Read a date that begins at *start*, with where it ends; a bare year is left to the grammar."""
    if text[start : start + 9].lower() == "yesterday":
        day = now.replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=1)
        return Span(day, day + timedelta(days=1), "day"), start + 9
    if edge := _EDGE.match(text, start):
        found = date_at(text, edge.end(), now)
        if found is None and (year := _PLAIN_YEAR.match(text, edge.end())):
            found = year_span(int(year["year"])), year.end()
        if found is None or found[0].precision == "instant":
            return None
        moment = found[0].end if edge["edge"].lower() in ("end", "close") else found[0].start
        return Span(moment, moment, "instant"), found[1]
    for form in _FORMS:
        if (match := form.match(text, start)) and (span := _span(match)) is not None:
            return span, match.end()
    return None


def year_span(year: int) -> Span:
    """Return a year as a period."""
    bound = read_period(str(year))
    return Span(*_edges(bound.earliest, bound.latest), "year")


def _edges(earliest: datetime | None, latest: datetime | None) -> tuple[datetime, datetime]:
    if earliest is None or latest is None:
        raise InstantError("a period without an end")
    return earliest, latest


def _span(match: re.Match[str]) -> Span | None:
    try:
        return _read(match.groupdict())
    except InstantError:
        return None


def _read(parts: dict[str, str | None]) -> Span:
    if half := parts.get("half"):
        year = parts["year"]
        first = (_ORDINAL.get(half.lower()) or int(half)) == 1
        low, high = (read_period(f"{year}-{month:02d}") for month in ((1, 6) if first else (7, 12)))
        return Span(*_edges(low.earliest, high.latest), "half")
    bound = read_period(_iso_text(parts).upper())
    start, end = _edges(bound.earliest, bound.latest)
    if bound.precision == "day":
        end = period_end(bound)
    return Span(start, end, bound.precision or "instant")


def _iso_text(parts: dict[str, str | None]) -> str:
    if iso_text := parts.get("iso"):
        return iso_text
    if quarter := parts.get("quarter"):
        return f"{parts['year']}-Q{_ORDINAL.get(quarter.lower()) or int(quarter)}"
    month = parts.get("month")
    if month is None:
        return str(parts["year"])
    number = next(place for place, name in enumerate(_MONTHS, 1) if name.startswith(month.lower()[:3]))
    day = parts.get("day")
    return f"{parts['year']}-{number:02d}" + (f"-{int(day):02d}" if day else "")
