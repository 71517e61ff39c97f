"""Dates inside values: periods with bounds, never completed from the clock, never guessed."""

from __future__ import annotations

import calendar
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimbase.dates import read_date
from claimbase.errors import InstantError

days = st.dates(min_value=date(1900, 1, 1), max_value=date(2100, 12, 31))


def nth(day: int) -> str:
    """Give an English ordinal, worked out from its last digits."""
    if day in (11, 12, 13):
        return f"{day}th"
    return f"{day}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(day % 10, 'th') }"


STYLES = [
    lambda d: d.isoformat(),
    lambda d: f"{calendar.month_name[d.month]} {d.day}, {d.year}",
    lambda d: f"{calendar.month_abbr[d.month]} {d.day} {d.year}",
    lambda d: f"{calendar.month_abbr[d.month]}. {nth(d.day)}, {d.year}",
    lambda d: f"{d.day} {calendar.month_name[d.month].upper()} {d.year}",
    lambda d: f"{nth(d.day)} of {calendar.month_name[d.month]} {d.year}",
    lambda d: f"{d.day}-{calendar.month_abbr[d.month]}-{d.year}",
    lambda d: d.isoformat().replace("-", "\u2011"),
]


@given(days, st.sampled_from(STYLES))
def test_a_day_reads_back_from_every_way_of_writing_it(day: date, style: object) -> None:
    """T4, V6: each spelling of a day is that day's start in UTC, known, with precision day."""
    text = style(day)  # type: ignore[operator]
    bound = read_date(text)
    start = datetime(day.year, day.month, day.day, tzinfo=UTC)
    assert (bound.kind, bound.earliest, bound.latest, bound.precision) == ("known", start, start, "day")
    assert bound.text == text


@given(days)
def test_a_month_in_words_ends_where_the_next_begins(day: date) -> None:
    """T3: "May 2022" is [1 May, 1 June), whatever day it is today."""
    bound = read_date(f"{calendar.month_name[day.month]} {day.year}")
    first = datetime(day.year, day.month, 1, tzinfo=UTC)
    assert bound.earliest == first
    assert bound.latest == first + timedelta(days=calendar.monthrange(day.year, day.month)[1])
    assert bound.precision == "month"


@given(days)
def test_not_sooner_than_is_a_lower_bound(day: date) -> None:
    """T9: "not sooner than D" is [D, unbounded), never the date D."""
    for words in ("No sooner than {}", "not earlier than {}", "not before {}", ">= {}", "{} or later"):
        bound = read_date(words.format(day.isoformat()))
        assert bound.earliest == datetime(day.year, day.month, day.day, tzinfo=UTC)
        assert bound.latest is None
        assert bound.kind == "imprecise"


@given(days)
def test_by_a_day_includes_the_day(day: date) -> None:
    """T4: "by D" counts all of D, "before D" none of it."""
    start = datetime(day.year, day.month, day.day, tzinfo=UTC)
    assert read_date(f"by {day.isoformat()}").latest == start + timedelta(days=1)
    assert read_date(f"before {day.isoformat()}").latest == start
    assert read_date(f"after {day.isoformat()}").earliest == start + timedelta(days=1)


def test_a_day_begins_in_the_declared_zone() -> None:
    """T4: a day in prose is the first instant of the local day; a day the zone skips is refused."""
    assert read_date("March 1, 2026", zone="Asia/Tokyo").earliest == datetime(2026, 2, 28, 15, tzinfo=UTC)
    with pytest.raises(InstantError, match="skips that day"):
        read_date("30 December 2011", zone="Pacific/Apia")


def test_a_range_ends_after_its_last_period() -> None:
    """T3: "1989 to 1990" is [1989, 1991), with either dash too."""
    for text in ("1989 to 1990", "1989-1990", "1989–1990", "1989 – 1990"):
        bound = read_date(text)
        assert (bound.earliest, bound.latest) == (datetime(1989, 1, 1, tzinfo=UTC), datetime(1991, 1, 1, tzinfo=UTC))
        assert bound.precision == "range"


@pytest.mark.parametrize("text", ["12/4/2025", "04/05/2026", "4.5.2026", "01-02-2026"])
def test_an_order_of_day_and_month_is_not_guessed(text: str) -> None:
    """V6: the refusal says why, and how to write the date."""
    with pytest.raises(InstantError, match="guess") as caught:
        read_date(text)
    assert "2026-03-01" in caught.value.hint


@pytest.mark.parametrize("text", ["9999-12-31", "9999", "December 31, 9999", ">= 9999-01-01"])
def test_the_year_9999_is_a_sentinel(text: str) -> None:
    """V5: a sentinel is refused by name."""
    with pytest.raises(InstantError) as caught:
        read_date(text)
    assert caught.value.code == "sentinel"


@given(st.text(max_size=70) | st.text(alphabet="0123456789-/., ToQJanMay<>=", max_size=40))
def test_any_text_gives_a_bound_or_an_instant_error(text: str) -> None:
    """V6, C11: no text ends in another exception; what is read is in order."""
    try:
        bound = read_date(text)
    except InstantError:
        return
    assert bound.earliest is None or bound.latest is None or bound.earliest <= bound.latest


def test_a_million_digits_are_refused_unread() -> None:
    """C11: length is checked before anything is parsed."""
    with pytest.raises(InstantError, match="1000000 characters"):
        read_date("1" * 1_000_000)
