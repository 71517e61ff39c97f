"""Values: the key decides equality, the bounds decide constraints, the text stays."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from datetime import UTC, date, datetime
from decimal import Decimal
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimbase.errors import InputError, InstantError, QuantityError
from claimbase.values import read_value, unread_value, value_id


def number(text: object, unit: str | None = None, **more: object) -> tuple[Decimal | None, Decimal | None, str]:
    """Give bounds and key of a quantity."""
    value = read_value(text, kind="quantity", unit=unit, **more)  # type: ignore[arg-type]
    return value.min, value.max, value.key


@pytest.mark.parametrize(
    ("one", "other"),
    [("128K", "128,000"), ("0.30", "0.3"), ("-0.0", "0"), ("1e3", "1000"), ("$2", "$2.00 / 1M tokens"), ("5-5", "5")],
)
def test_two_spellings_of_one_number_are_equal(one: str, other: str) -> None:
    """V9: equal numbers share key, unit and id, however they are written."""
    a, b = (read_value(text, kind="quantity", unit="usd_per_mtok") for text in (one, other))
    assert (a.key, a.unit) == (b.key, b.unit)
    assert value_id(a.key, a.unit) == value_id(b.key, b.unit)


def test_one_number_in_two_units_is_two_values() -> None:
    """V2, V9: 3 dollars and 3 euros share a key and differ by unit and id."""
    a, b = (read_value(text, kind="quantity", unit="usd_per_mtok") for text in ("$3", "€3"))
    assert a.key == b.key
    assert a.unit != b.unit
    assert value_id(a.key, a.unit) != value_id(b.key, b.unit)


@given(st.text(max_size=40), st.none() | st.sampled_from(["token", "usd_per_mtok"]))
def test_the_value_id_is_the_start_of_an_md5(key: str, unit: str | None) -> None:
    """V9: the id is the first 64 bits of md5 over key, separator and unit, as its hex text shows."""
    text = hashlib.md5((key + "\x1f" + (unit or "")).encode("utf-8", "replace"), usedforsecurity=False).hexdigest()
    assert value_id(key, unit) == int(text[:16], 16)
    assert 0 <= value_id(key, unit) < 2**64


@given(st.decimals(min_value="-1e25", max_value="1e25", places=12) | st.integers(-(10**26) + 1, 10**26 - 1))
def test_every_storable_number_keeps_every_digit(given_number: Decimal | int) -> None:
    """V1, C10: Python numbers of 26 digits before the point and 12 behind are kept exactly."""
    if given_number == -1:
        return
    low, high, key = number(given_number)
    assert low == high == given_number
    assert Decimal(key) == given_number


@pytest.mark.parametrize(
    "text", [10**26, -(10**26), 10**100_000, Decimal("1e-13"), "1e999", "1e-13", 5e-324], ids=range(7)
)
def test_what_would_lose_a_digit_is_out_of_range(text: object) -> None:
    """X11, C10: nothing is rounded, cut or made infinite on its way in."""
    with pytest.raises(QuantityError) as caught:
        number(text)
    assert caught.value.code == "out_of_range"


@pytest.mark.parametrize("text", [float("nan"), float("inf"), float("-inf"), Decimal("NaN"), Decimal("sNaN"), "inf"])
def test_no_infinity_and_no_nan(text: object) -> None:
    """X10: what is not finite is refused as such; "nan" as text is a placeholder."""
    with pytest.raises(QuantityError) as caught:
        number(text)
    assert caught.value.code == "not_finite"


def test_a_float_counts_as_its_shortest_text() -> None:
    """V1: 0.1 is the decimal 0.1, not its binary neighbour."""
    assert number(0.1) == (Decimal("0.1"), Decimal("0.1"), "0.1")
    assert number(2.5e-06, "usd_per_mtok", stated_unit="usd_per_token")[2] == "2.5"


def test_a_truth_value_is_no_number() -> None:
    """V8: kinds are not mixed: True is no 1, and a list no number."""
    for text in (True, ["5"], date(2026, 3, 1)):
        with pytest.raises(QuantityError):
            number(text)


def test_limits_of_a_predicate_are_kept() -> None:
    """V5: a value outside the pack's minimum and maximum is refused, also by one end of a range."""
    assert number("100 %", "percent", minimum=Decimal(0), maximum=Decimal(100))[2] == "100"
    for text in ("101 %", "90-110 %", "-5", "~100"):
        with pytest.raises(QuantityError) as caught:
            number(text, "percent", minimum=Decimal(0), maximum=Decimal(100))
        assert caught.value.code == "out_of_range"


def test_ranges_have_canonical_keys() -> None:
    """V3, V9: bounds are written one way, whatever the words were."""
    cases = {"5-10": "[5,10]", "> 5": "(5,)", "up to 200K": "(,200000]", "under 5": "(,5)", "5+": "[5,)"}
    assert {text: number(text)[2] for text in cases} == cases


@given(st.decimals(-1000, 1000, places=3), st.decimals(-1000, 1000, places=3))
def test_a_range_key_reads_back_as_the_same_value(a: Decimal, b: Decimal) -> None:
    """V9: the key of a quantity is itself a spelling of it."""
    low, high = sorted((a, b))
    value = read_value(f"[{low},{high}]", kind="quantity", unit="percent")
    again = read_value(value.key, kind="quantity", unit="percent")
    assert (again.min, again.max, again.key) == (low, high, value.key)


def test_dates_count_unix_seconds_exactly() -> None:
    """V7: bounds of a date are exact decimals of a second; a period is half-open, a lower bound unbounded above."""
    day = read_value("2026-03-01", kind="date")
    assert (day.min, day.max, day.max_open, day.key, day.precision) == (
        Decimal(1772323200), Decimal(1772323200), False, "2026-03-01T00:00:00Z", "day",
    )  # fmt: skip
    tick = read_value("1969-12-31T23:59:59.999999Z", kind="date")
    assert tick.min == Decimal("-0.000001")
    month = read_value("August 2026", kind="date")
    assert (month.max_open, month.key) == (True, "[2026-08-01T00:00:00Z,2026-09-01T00:00:00Z)")
    later = read_value(">=2026-09-29", kind="date")
    assert (later.max, later.key) == (None, "[2026-09-29T00:00:00Z,)")


def test_python_dates_are_dates() -> None:
    """V7, T7: a date is its day, an aware datetime its instant, a naive one is refused."""
    assert read_value(date(2026, 3, 1), kind="date").key == "2026-03-01T00:00:00Z"
    assert read_value(datetime(2026, 3, 1, 8, tzinfo=UTC), kind="date").key == "2026-03-01T08:00:00Z"
    with pytest.raises(InstantError) as caught:
        read_value(datetime(2026, 3, 1, 8), kind="date")  # noqa: DTZ001  # the naive one is the case
    assert caught.value.code == "naive_time"


@given(st.text(min_size=1, max_size=30))
def test_text_keys_fold_and_stay_folded(text: str) -> None:
    """V7: keys ignore case, composition and blanks, and folding twice changes nothing."""
    try:
        key = read_value(text, kind="text").key
    except QuantityError:
        return
    assert read_value(key, kind="text").key == key
    assert read_value(f"  {text}\t", kind="text").key == key
    assert read_value(unicodedata.normalize("NFD", text), kind="text").key == key


def test_german_and_greek_fold() -> None:
    """V7: full case folding, not lower case."""
    assert read_value("Straße", kind="text").key == read_value("STRASSE", kind="entity").key
    assert read_value("ΣΟΦΟΣ", kind="text").key == read_value("σοφος", kind="text").key


@pytest.mark.parametrize("text", ["a\ud800", "a\x00b"])
def test_text_that_no_store_can_hold_is_refused(text: str) -> None:
    """V6: lone surrogates and NUL are refused when read, not when stored."""
    with pytest.raises(QuantityError) as caught:
        read_value(text, kind="text")
    assert caught.value.code == "bad_text"


def test_a_set_has_no_order_and_no_duplicates() -> None:
    """V8: any order and spelling of the members gives one key."""
    keys = {read_value(list(p), kind="set").key for p in permutations(["EU", "us", "ap"])}
    assert keys == {'["ap", "eu", "us"]'}
    assert read_value("us, EU,eu , ap", kind="set").key in keys
    assert read_value(json.dumps(["us", "EU", "ap"]), kind="set").key in keys
    assert read_value([], kind="set").key == "[]"


def test_truth_values() -> None:
    """V8: words for true and false count 1 and 0; 1 and 0 themselves are refused."""
    assert [read_value(t, kind="bool").key for t in (True, "Yes", " true ", "FALSE", "no")] == [
        "true", "true", "true", "false", "false",
    ]  # fmt: skip
    assert read_value("yes", kind="bool").min == 1
    for text in (1, "0", "on"):
        with pytest.raises(QuantityError) as caught:
            read_value(text, kind="bool")
        assert caught.value.code == "bad_bool"


def test_an_unread_value_has_no_number() -> None:
    """V2, V6: keep_unread keeps the words as text and nothing that a constraint could meet."""
    value = unread_value("50% of the standard rates")
    assert (value.kind, value.min, value.max, value.unit) == ("text", None, None, None)
    assert value.text == "50% of the standard rates"
    with pytest.raises(QuantityError):
        unread_value(" n/a ")


@given(
    st.text(max_size=70)
    | st.integers()
    | st.floats()
    | st.decimals()
    | st.booleans()
    | st.lists(st.text(), max_size=3),
    st.sampled_from(["quantity", "date", "bool", "text", "entity", "set"]),
)
def test_any_input_of_any_kind_is_read_or_refused_by_name(text: object, kind: str) -> None:
    """V6: every combination ends in a value or in an InputError with a code."""
    try:
        value = read_value(text, kind=kind)  # type: ignore[arg-type]
    except InputError:
        return
    assert value.kind == kind
    assert 0 <= value_id(value.key, value.unit) < 2**64
