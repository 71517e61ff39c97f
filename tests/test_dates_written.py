"""Dates as pages write them: every form of every day of two years is read as that day and as no other."""

from __future__ import annotations

import time
from datetime import date, timedelta

import pytest
from kit import few

from claimbase.evidence.dates_written import MONTHS, Written, date_forms, dates_in

DAYS = [date(2024, 1, 1) + timedelta(days=at) for at in range(731)]


def named(text: str) -> list[tuple[int | None, int | None, int | None]]:
    """Give year, month and day of the dates of a text."""
    return [(one.year, one.month, one.day) for one in dates_in(text)]


@pytest.mark.covers("A37")
@pytest.mark.parametrize("language", few(sorted(MONTHS), 2))
def test_every_form_of_every_day_is_that_day_and_no_neighbour(language: str) -> None:
    """Section 3, date-literal: exhaustive over 731 days and every form of a language."""
    seen: dict[str, date] = {}
    for day in DAYS:
        forms = date_forms(day, language)
        assert len(forms) >= 7
        for form in forms:
            year = day.year if str(day.year) in form else None
            assert named(f"It ends ({form}), we hear.") == [(year, day.month, day.day)], form
            assert year is None or seen.setdefault(form, day) == day, form


@pytest.mark.covers("A37")
def test_the_forms_of_one_day() -> None:
    """Section 3: for 20 November 2025 the forms the rule lists are among those generated."""
    day = date(2025, 11, 20)
    assert {"2025-11-20", "November 20, 2025", "20 Nov 2025", "Nov 20", "November 20th, 2025"} <= set(date_forms(day))
    assert {"20.11.2025", "20. November 2025"} <= set(date_forms(day, "de"))
    assert {"20 novembre 2025", "20/11/2025"} <= set(date_forms(day, "fr"))
    assert {"20 de noviembre de 2025"} <= set(date_forms(day, "es"))
    assert {"1er janvier 2026"} <= set(date_forms(date(2026, 1, 1), "fr"))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("On June 6th, 2024, we told", [(2024, 6, 6)]),
        ("November 18-20, 2025", []),  # either side of a range
        ("2026-03-01–2026-04-01", []),
        ("November 18 - 20, 2025 and November 18/20, 2025", []),
        ("18/20 November 2025 and 18.20 Nov 2025", [(2025, 11, None), (2025, 11, None)]),
        ("claude-3-haiku-20240307 and model-2024-03-07", []),  # a part of a name
        ("at #2026-07-20-legacy", []),
        ("2026-07-20T10:00:00Z", [(2026, 7, 20)]),
        ("11,Bullseye,2019-07-06,2021-08-14", [(2019, 7, 6), (2021, 8, 14)]),
        ("12/4/2025", []),  # the order would be a guess
        ("11/30/2025, 30/11/2025, 5/5/2025", [(2025, 11, 30), (2025, 11, 30), (2025, 5, 5)]),
        ("04/14/25", []),  # two digits of a year
        ("2026\u201108\u201126", [(2026, 8, 26)]),
        ("July\u00a020,\n2026", [(2026, 7, 20)]),
        ("October 2026, 2026-10, 10/2026", [(2026, 10, None)] * 3),
        ("Q2 2026, 2026-Q2, 2. Quartal 2026, T2 2026", [(2026, None, None)] * 4),
        ("2026-02-31, February 30, 2026 and 31.4.2026", []),
        ("November 20, 20255", []),
        ("version 2024.6.1", [(2024, 6, 1)]),
        ("v2024.6.1", []),
        ("you may 5 times", []),
        ("March 5 April 6, 2026", [(None, 3, 5), (2026, 4, 6)]),
        ("at 10 May 5, 2026", [(2026, 5, 5)]),
        ("sept. 5, 2026", [(2026, 9, 5)]),
        ("Beijing Time 2026.6.30 00:00", [(2026, 6, 30)]),
        ("10.5 dec 10.55", []),
        ("", []),
    ],
)
def test_what_is_a_date_and_what_is_none(text: str, found: list[tuple[int | None, int | None, int | None]]) -> None:
    """P11: a range, a part of a name, a guess and a day that does not exist are no dates."""
    assert named(text) == found


def test_a_form_names_its_day_only() -> None:
    """Section 3: a form without year names the day of any year; one with another year, month or precision does not."""
    day = Written(0, 1, 2026, 5, 5)
    assert Written(9, 9, 2026, 5, 5).names(day)
    assert Written(9, 9, None, 5, 5).names(day)
    assert not Written(9, 9, 2025, 5, 5).names(day)
    assert not Written(9, 9, 2026, 5, None).names(day)
    assert not Written(9, 9, 2026, 5, 5).names(Written(0, 1, None, 5, 5))


@pytest.mark.parametrize("unit", ["may ", "1 ", "2026-", "1/", "November ", " ", "20. ", "Q2 ", "January\n"])
def test_reading_is_linear(unit: str) -> None:
    """P12: 200 KB of anything are read in well under a second."""
    text = unit * (200_000 // len(unit))
    start = time.perf_counter()
    list(dates_in(text))
    assert time.perf_counter() - start < 2
