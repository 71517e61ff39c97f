"""Dates as pages write them, in English, German, French and Spanish: the forms of a day, and the dates of a text.

An order of day and month that would be a guess (12/4/2025), a two-digit year, either side of a range and a date inside
a name (model-2024-03-07) are no date here: in doubt nothing is found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

MONTHS: dict[str, tuple[tuple[str, ...], ...]] = {
    "en": (
        ("January", "Jan"), ("February", "Feb"), ("March", "Mar"), ("April", "Apr"), ("May",), ("June", "Jun"),
        ("July", "Jul"), ("August", "Aug"), ("September", "Sept", "Sep"), ("October", "Oct"), ("November", "Nov"),
        ("December", "Dec"),
    ),
    "de": (
        ("Januar", "Jänner", "Jan"), ("Februar", "Feber", "Feb"), ("März", "Mär", "Mrz"), ("April", "Apr"), ("Mai",),
        ("Juni", "Jun"), ("Juli", "Jul"), ("August", "Aug"), ("September", "Sept", "Sep"), ("Oktober", "Okt"),
        ("November", "Nov"), ("Dezember", "Dez"),
    ),
    "fr": (
        ("janvier", "janv"), ("février", "févr", "fév"), ("mars",), ("avril", "avr"), ("mai",), ("juin",),
        ("juillet", "juil"), ("août", "aout"), ("septembre", "sept"), ("octobre", "oct"), ("novembre", "nov"),
        ("décembre", "déc"),
    ),
    "es": (
        ("enero", "ene"), ("febrero", "feb"), ("marzo", "mar"), ("abril", "abr"), ("mayo", "may"), ("junio", "jun"),
        ("julio", "jul"), ("agosto", "ago"), ("septiembre", "setiembre", "sept"), ("octubre", "oct"),
        ("noviembre", "nov"), ("diciembre", "dic"),
    ),
}  # fmt: skip
"""The months of each language, twelve in order, each with its full name first."""

# How each language writes a day, with and without its year; full names take {month}, short ones {short}.
_FORMS = {
    "en": (
        "{month} {day}, {year}", "{month} {day} {year}", "{month} {day:02}, {year}", "{month} {day}{nth}, {year}",
        "{day} {month} {year}", "{day}{nth} {month} {year}", "{day}{nth} of {month} {year}", "{short} {day}, {year}",
        "{short} {day} {year}", "{short}. {day}, {year}", "{short} {day:02}, {year}", "{day} {short} {year}",
        "{day} {short}. {year}", "{day}-{short}-{year}", "{month} {day}", "{month} {day}{nth}", "{short} {day}",
        "{short}. {day}", "{day} {month}", "{day}{nth} {month}", "{day}{nth} of {month}", "{day} {short}",
    ),
    "de": (
        "{day}. {month} {year}", "{day:02}. {month} {year}", "{day}. {short}. {year}", "{day}. {short} {year}",
        "{day}. {month}", "{day}. {short}.", "{day}.{number}.{year}", "{day:02}.{number:02}.{year}",
        "{day}. {number}. {year}",
    ),
    "fr": ("{day} {month} {year}", "{day} {short}. {year}", "{day} {short} {year}", "{day} {month}", "{day} {short}."),
    "es": (
        "{day} de {month} de {year}", "{day} de {month} del {year}", "{day} {month} {year}", "{day} {short} {year}",
        "{day} {short}. {year}", "{day} de {month}",
    ),
}  # fmt: skip
_FIRST = {"fr": ("1er {month} {year}", "1er {month}"), "es": ("1º de {month} de {year}", "1.º de {month} de {year}")}
_FIGURES = ("{year}-{number:02}-{day:02}", "{year}/{number:02}/{day:02}", "{year}.{number}.{day}")
_ORDERED = ("{day:02}/{number:02}/{year}", "{number:02}/{day:02}/{year}", "{day:02}-{number:02}-{year}")
_NTH = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd", 31: "st"}

_NUMBER = {
    spelling.casefold(): number
    for months in MONTHS.values()
    for number, spellings in enumerate(months, start=1)
    for spelling in spellings
}
# One character for one, so that every place stays where it is.
_SPELL = str.maketrans(dict.fromkeys("‐‑‒–—−", "-") | dict.fromkeys("\u00a0\u202f\u2009\t\n\r", " "))

# The shapes of a date; what stands in capitals is a part of it, END says that nothing goes on behind it.
_SHAPES = (
    r"MONTH(?:\.BLANKS?|BLANKS)DAY(?:st|nd|rd|th)?(?:(?:,BLANKS?|BLANKS)(?:of )?YEAR|(?!,?BLANKS[12][0-9]{3}))END",
    r"MONTH\.?,?(?: (?:of|de|del))?BLANKSYEAREND",
    r"DAYSUFFIX(?:BLANKS(?:of |de )?|-)MONTH\.?(?:,? (?:of |de |del )?|-)YEAREND",
    r"DAYSUFFIXBLANKS(?:of |de )?MONTH\b\.?(?!BLANKS[0-9])END",
    r"YEARSIGNNUMBERSAMEDAY(?:(?=[Tt ][0-9]{2}:)|END)",
    r"DAY\. ?NUMBER\. ?YEAREND",
    r"FIRSTSIGNTHENSAMEYEAREND",
    r"YEAR-(?=[0-9]{2})NUMBEREND",
    r"NUMBER/YEAREND",
    r"[QT]QUARTER(?:BLANKS| ?/ ?)YEAREND",
    r"YEAR[- ]QQUARTEREND",
    r"QUARTER\. Quartal YEAREND",
)
_MEANT = {
    "BLANKS?": " {0,20}",
    "BLANKS": " {1,20}",
    "SUFFIX": r"(?:st|nd|rd|th|er|\.?º|\.)?",
    "MONTH": f"(?P<month#>{'|'.join(sorted(map(re.escape, _NUMBER), key=len, reverse=True))})",
    "YEAR": "(?P<year#>[12][0-9]{3})",
    "DAY": "(?P<day#>[0-3]?[0-9])",
    "NUMBER": "(?P<number#>[0-9]{1,2})",
    "FIRST": "(?P<first#>[0-9]{1,2})",
    "THEN": "(?P<then#>[0-9]{1,2})",
    "QUARTER": "(?P<quarter#>[1-4])",
    "SIGN": "(?P<sign#>[-/.])",
    "SAME": "(?P=sign#)",
    "END": r"(?!\w)(?! ?[-/] ?[0-9])(?![.:-]\w)",
}
_BEGIN = r"(?<![\w$€£])(?<![0-9][-/.:])(?<!\w[-_])"


def _shape(number: int) -> str:
    """Write one shape as an expression whose parts carry its number."""
    text = _SHAPES[number]
    for part, meant in _MEANT.items():
        text = text.replace(part, meant)
    return f"(?P<shape#>{text})".replace("#", str(number))


_WRITTEN = re.compile(f"{_BEGIN}(?:{'|'.join(map(_shape, range(len(_SHAPES))))})", re.IGNORECASE)
_PARTS = [
    {
        name: group
        for name in ("year", "month", "number", "day", "first", "then", "quarter")
        if (group := f"{name}{number}") in _WRITTEN.groupindex
    }
    for number in range(len(_SHAPES))
]


@dataclass(frozen=True, slots=True)
class Written:
    """A day, month or quarter as a text names it.

    Args:
        start, end: half-open code points of the text.
        year: None where the text leaves it out.
        month: 1 to 12; None for a quarter.
        day: None for a month or quarter.
        quarter: 1 to 4.
    """

    start: int
    end: int
    year: int | None
    month: int | None
    day: int | None = None
    quarter: int | None = None

    def names(self, other: Written) -> bool:
        """Say whether this form stands for what another names; a year left out here may be any."""
        same = (self.month, self.day, self.quarter) == (other.month, other.day, other.quarter)
        return same and other.year is not None and self.year in (None, other.year)


def date_forms(day: date, language: str = "en") -> tuple[str, ...]:
    """Give the forms in which a language writes a day, the ISO form first.

    Forms in figures whose order of day and month would be a guess are left out.

    Args:
        day: the day.
        language: en, de, fr or es.
    """
    names = MONTHS[language][day.month - 1]
    shapes = _FIGURES + (_ORDERED if day.day > 12 else ()) + _FORMS[language]
    shapes += _FIRST.get(language, ()) if day.day == 1 else ()
    parts = {"year": day.year, "number": day.month, "day": day.day, "nth": _NTH.get(day.day, "th")}
    found = (shape.format(**parts, month=names[0], short=short) for shape in shapes for short in names[1:] or names)
    return tuple(dict.fromkeys(found))


def dates_in(text: str) -> Iterator[Written]:
    """Find the dates that a text writes, in order; linear in its length.

    Args:
        text: any text.
    """
    for match in _WRITTEN.finditer(text.translate(_SPELL)):
        found = _read(match)
        if found is not None:
            yield found


def _read(match: re.Match[str]) -> Written | None:
    """Read a match; None where no such day exists or the order of its parts would be a guess."""
    shape = int(str(match.lastgroup).removeprefix("shape"))
    parts = {name: match[group] for name, group in _PARTS[shape].items() if match[group]}
    start, end, year = match.start(), match.end(), int(parts["year"]) if "year" in parts else None
    if "quarter" in parts:
        return Written(start, end, year, None, quarter=int(parts["quarter"]))
    month, day = _month_and_day(parts)
    if not _exists(year, month, day) or (year is None and parts["month"] == "may"):  # a verb far more often
        return None
    return Written(start, end, year, month, day)


def _month_and_day(parts: dict[str, str]) -> tuple[int, int | None]:
    """Give month and day, month 0 where they would be a guess."""
    if "first" in parts:
        return _ordered(int(parts["first"]), int(parts["then"]))
    month = int(parts["number"]) if "number" in parts else _NUMBER[parts["month"].casefold()]
    return month, int(parts["day"]) if "day" in parts else None


def _ordered(first: int, then: int) -> tuple[int, int]:
    """Give month and day of two numbers where only one order is possible."""
    if first == then or first > 12:
        return then, first
    return (first, then) if then > 12 else (0, 0)


def _exists(year: int | None, month: int, day: int | None) -> bool:
    try:
        date(year or 2000, month, 1 if day is None else day)
    except ValueError:
        return False
    return True
