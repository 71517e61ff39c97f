"""Rules that a small mistake could break unseen: each test here kills mutants that every other test let live (G20)."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from claimbase.dates import read_date
from claimbase.errors import InstantError, QuantityError
from claimbase.evidence.align import SourceText, align
from claimbase.evidence.model import Hint
from claimbase.temporal import HIGHEST, LOWEST, read_instant, read_period, utc
from claimbase.values import Kind, read_value


@pytest.mark.parametrize("text", ["9999-12-31T23:59:59-05:00", "0001-01-01T00:00:00+05:00", "9999-12-31", "0001-01-01"])
def test_instants_outside_the_legal_years_are_refused(text: str) -> None:
    """B2, C9: what lies before or behind the legal years, in its own zone or in UTC, is out of range."""
    with pytest.raises(InstantError) as caught:
        read_instant(text)
    assert caught.value.code == "out_of_range"
    assert utc(LOWEST) == LOWEST
    assert utc(HIGHEST) == HIGHEST


@pytest.mark.parametrize(("text", "month"), [("2026-33", 1), ("2026-34", 4), ("2026-35", 7), ("2026-36", 10)])
def test_quarters_have_four_numbers(text: str, month: int) -> None:
    """T3: 33 to 36 stand for quarters; 32 and 37 for nothing."""
    bound = read_period(text)
    assert (bound.precision, bound.earliest) == ("quarter", datetime(2026, month, 1, tzinfo=UTC))
    for other in ("2026-32", "2026-37", "2026-13", "2026-00"):
        with pytest.raises(InstantError, match="is no month"):
            read_period(other)


def test_a_leap_second_is_refused_with_its_neighbours() -> None:
    """X26: the hint names the second before it and the next day."""
    with pytest.raises(InstantError) as caught:
        read_period("2016-12-31T23:59:60Z")
    assert (caught.value.code, "23:59:59" in caught.value.hint) == ("bad_date", True)


@pytest.mark.parametrize(("offset", "code"), [("+23:59", None), ("+24:00", "bad_offset"), ("-05:60", "bad_offset")])
def test_offsets_end_below_a_day_and_an_hour(offset: str, code: str | None) -> None:
    """X27: hours end at 23, minutes at 59."""
    if code is None:
        assert read_period(f"2026-03-02T12:00:00{offset}").earliest == datetime(2026, 3, 1, 12, 1, tzinfo=UTC)
        return
    with pytest.raises(InstantError) as caught:
        read_period(f"2026-03-02T12:00:00{offset}")
    assert caught.value.code == code


@pytest.mark.parametrize(("kind", "text"), [("bool", "yes"), ("text", "a"), ("entity", "a"), ("set", "a, b")])
def test_values_without_a_range_have_closed_ends(kind: Kind, text: str) -> None:
    """V1, V3: only what is measured is open or approximate."""
    value = read_value(text, kind=kind)
    assert (value.min_open, value.max_open, value.approximate, value.unit, value.precision) == (
        *[False] * 3,
        None,
        None,
    )


@pytest.mark.parametrize("day", range(1, 32))
def test_ordinals_are_those_of_english(day: int) -> None:
    """V6: 1st, 2nd, 3rd, 4th, 11th, 21st; any other ending is no ordinal."""
    ending = "th" if day in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    for other in ("st", "nd", "rd", "th"):
        if other == ending:
            assert read_date(f"{day}{other} May 2026").earliest == datetime(2026, 5, day, tzinfo=UTC)
        else:
            with pytest.raises(InstantError, match="is no ordinal"):
                read_date(f"{day}{other} May 2026")


@pytest.mark.parametrize(("least", "most", "told"), [("6", None, "6 .. token"), (None, "4", ".. 4 token")])
def test_the_limits_of_a_predicate_are_told(least: str | None, most: str | None, told: str) -> None:
    """V6: a value outside the limits is refused with the limits that there are."""
    minimum, maximum = (None if text is None else Decimal(text) for text in (least, most))
    with pytest.raises(QuantityError, match=f"lies outside {told}") as caught:
        read_value("5", kind="quantity", unit="token", minimum=minimum, maximum=maximum)
    assert caught.value.code == "out_of_range"


@pytest.mark.parametrize(
    ("prefix", "place", "settled"),
    [("North: ", 0, True), ("South: ", 1, True), ("th: ", 0, False), ("West, ", 0, False)],
)
def test_a_hint_chooses_only_where_one_place_fits_best(prefix: str, place: int, settled: bool) -> None:
    """N5: what stood before a quote chooses the place that fits it alone; where two fit alike, nothing is settled."""
    words = "the old lamp burns oil for the whole of the night"
    text = f"North: {words}. South: {words}."
    match = align(words, SourceText(text), Hint(prefix=prefix))
    assert match.start == [text.find(words), text.rfind(words)][place]
    assert ("multiple-occurrences" in match.flags) is not settled


def test_an_article_joined_to_its_word_is_no_article() -> None:
    """2.3: the "a" of "plan-a" is left out like any other word, and that is told; the "a" of "a plan" is free."""
    quote = "They signed up for {} in the long winter of that year."
    match = align(quote.format("plan"), SourceText(quote.format("plan-a")))
    assert "words-left-out:a" in match.flags
    assert not align(quote.format("plan"), SourceText(quote.format("a plan"))).flags
