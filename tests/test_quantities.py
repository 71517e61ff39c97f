"""Numbers with bounds and units: exact, whole or refused, and quick on hostile text."""

from __future__ import annotations

import subprocess
import sys
import time
from decimal import Decimal, localcontext

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimbase.errors import QuantityError
from claimbase.quantities import UNITS, Quantity, factor, pint_registry, read_quantity, same_dimension, unit, written
from claimbase.units import canonical

HOSTILE = [
    "x" * 100_000,
    "9" * 100_000,
    "1," * 50_000,
    "-" * 64,
    "(" * 64,
    "1 " * 32,
    "1," * 32,
    "1-" * 32,
    "at least " * 7,
    "~" * 64,
    "$" * 64,
    "1 to " * 12,
    "6^800000",
    "9**9**9",
    "1e" + "9" * 60,
    "1e-999999999",
    "\x00",
    "1\n2",
    "5\u202e00",
    "٣",
    "１２",
    "५ tokens",
    "5 m**99999999",
    "$5 / " + "1M " * 15,
    "per per per per per per per per",
    "5 / / / / / / / / / / / / / / / / / / / /",
    "[" + "1" * 60,
    "1" + "\u00a0000" * 15,
]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:20]))
def test_hostile_text_is_refused_at_once(text: str) -> None:
    """X13, X15, X21: hostile text ends in a QuantityError in under a millisecond."""
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        with pytest.raises(QuantityError):
            read_quantity(text, unit="usd_per_mtok")
        best = min(best, time.perf_counter() - start)
    assert best < 0.001


@given(st.text(max_size=70) | st.text(alphabet="0123456789.,-+~$%/KMm eE<>=[]()to per tokens", max_size=70))
def test_any_text_gives_a_quantity_or_a_quantity_error(text: str) -> None:
    """V6: no text ends in another exception; what is read has ordered bounds."""
    try:
        found = read_quantity(text, unit="usd_per_mtok")
    except QuantityError:
        return
    assert found.min is None or found.max is None or found.min <= found.max


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("45.9 million (2017 est.)", "(2017 est.)"),
        ("5 wombats", "wombats"),
        ("1.048.576", ".576"),
        ("5 and 10", "and 10"),
    ],
)
def test_a_refusal_names_the_part_that_was_not_understood(text: str, part: str) -> None:
    """V6: the message quotes the part, so that a reader can mend it."""
    with pytest.raises(QuantityError) as caught:
        read_quantity(text)
    assert caught.value.details["part"] == part
    assert part in caught.value.message


def test_a_refusal_offers_the_nearest_reading() -> None:
    """V6: the hint shows what could be read, without taking it."""
    with pytest.raises(QuantityError) as caught:
        read_quantity("Context 256k", unit="token")
    assert "nearest reading: 256k" in caught.value.hint


def test_an_unknown_unit_offers_the_nearest_names() -> None:
    """X19: the error lists names of the table that resemble the unit."""
    with pytest.raises(QuantityError) as caught:
        read_quantity("5 usd_per_mtokn")
    assert caught.value.code == "unknown_unit"
    assert "usd_per_mtok" in caught.value.details["nearest"]


@pytest.mark.parametrize("mark", ["\u00a0", "\u202f", "\u2009"])
def test_groups_of_three_may_be_set_apart_by_a_hard_or_thin_space(mark: str) -> None:
    """V1: 1 048 576 with no-break spaces is one number; a group of another size is refused."""
    assert read_quantity(f"1{mark}048{mark}576").min == 1048576
    with pytest.raises(QuantityError):
        read_quantity(f"1{mark}04")


def test_big_integers_stay_exact() -> None:
    """X18: two to the 53rd plus one differs from two to the 53rd, also with three places shifted."""
    assert read_quantity(str(2**53 + 1)).min == 2**53 + 1
    assert read_quantity("9007199254740.993K").min == 2**53 + 1


def test_negative_zero_is_zero() -> None:
    """X12: -0.0 is stored as 0 without a sign."""
    found = read_quantity("-0.0")
    assert found.min is not None
    assert not found.min.is_signed()


def test_the_context_of_the_caller_changes_nothing() -> None:
    """V1: exact arithmetic does not depend on the decimal context of the thread."""
    with localcontext() as context:
        context.prec = 2
        assert read_quantity("$1.23456789 / 1K tokens", unit="usd_per_mtok").min == Decimal("1234.56789")
        assert read_quantity("~1.23456", unit="usd").max == Decimal("1.234565")


@pytest.mark.parametrize("text", ["~555k", "about 555k", "≈ 555K", "approx. 555 thousand"])
def test_an_approximate_number_is_half_a_last_digit_wide(text: str) -> None:
    """V3, X17: approximate is flagged, with bounds half a unit of the last written digit away on both sides."""
    assert read_quantity(text, unit="token") == Quantity(
        Decimal(554500), Decimal(555500), unit="token", approximate=True
    )


def test_bits_are_no_bytes() -> None:
    """X20: 8 Mb is 1 MB and never 8 MB."""
    assert read_quantity("8 Mb", unit="byte") == read_quantity("1 MB", unit="byte")
    assert read_quantity("8 Mb", unit="byte") != read_quantity("8 MB", unit="byte")


def test_percent_and_ratio_meet_only_where_the_unit_says_so() -> None:
    """X22: 5 % and 0.05 are one value for a share, and two dimensions otherwise."""
    assert read_quantity("5 %", unit="share") == read_quantity("0.05", unit="share")
    assert not same_dimension("percent", "ratio")
    assert read_quantity("5 %", unit="ratio").unit == "percent"


def test_units_of_one_dimension_convert_exactly() -> None:
    """V1, V2: factors are exact decimals; two dimensions have none, nor has a third of a minute."""
    assert factor("usd_per_token", "usd_per_mtok") == 1_000_000
    assert factor("usd_cent_per_token", "usd_per_mtok") == 10_000
    assert factor("byte", "bit") == 8
    with pytest.raises(QuantityError, match="different things"):
        factor("usd_per_mtok", "eur_per_mtok")
    with pytest.raises(QuantityError) as caught:
        factor("tpm", "token_per_s")
    assert caught.value.code == "not_exact"


def test_every_name_and_spelling_of_the_table_is_read_back() -> None:
    """V1: the table is closed and consistent: names and spellings lead to their own unit."""
    for name, one in UNITS.items():
        assert unit(name) is one
        for spelling in one.spellings:
            assert unit(spelling) is one, spelling
        assert canonical(one.dimension).dimension == one.dimension


def test_pint_derives_the_same_factors() -> None:
    """V1: every factor of the table equals the one pint works out from the rates' own definitions."""
    registry = pint_registry()
    for one in UNITS.values():
        base = canonical(one.dimension)
        if one.name == "1":
            continue
        theirs = registry.Quantity(Decimal(1), one.name).to(base.name).magnitude
        ours = one.factor / base.factor
        assert abs(theirs / ours - 1) < Decimal("1e-24"), one.name


def test_pint_agrees_about_dimensions() -> None:
    """V2: pint refuses to convert between any two dimensions of the table."""
    from pint import DimensionalityError

    registry = pint_registry()
    firsts = [canonical(dimension) for dimension in {one.dimension for one in UNITS.values()} if dimension != "1"]
    for a in firsts:
        for b in firsts:
            if a.dimension != b.dimension:
                with pytest.raises(DimensionalityError):
                    registry.Quantity(Decimal(1), a.name).to(b.name)


def test_reading_a_number_loads_no_units_library() -> None:
    """C10: pint is loaded by the registry alone, never by reading."""
    code = (
        "import sys; from claimbase.quantities import read_quantity; read_quantity('$5 / 1M tokens');"
        "sys.exit('pint' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


decimals = st.decimals(min_value="-1e12", max_value="1e12", places=6, allow_nan=False, allow_infinity=False)
multipliers = st.sampled_from([("", 1), ("K", 1000), ("k", 1000), ("M", 10**6), ("B", 10**9), ("Ki", 1024)])
currencies = st.sampled_from([("$", "usd"), ("€", "eur"), ("£", "gbp"), ("USD ", "usd")])
amounts = st.sampled_from(
    [("1M tokens", 1), ("Mtok", 1), ("1K tokens", 1000), ("token", 10**6), ("million", 1), ("M", 1)]
)


@given(decimals, multipliers)
def test_a_number_with_a_multiplier_round_trips(number: Decimal, times: tuple[str, int]) -> None:
    """V1, V4: rendering a number and reading it gives the number, exactly."""
    found = read_quantity(f"{number:f}{times[0]}")
    assert found == Quantity(number * times[1], number * times[1])


@given(decimals.filter(lambda n: n >= 0), st.booleans())
def test_grouped_numbers_round_trip(number: Decimal, blank: bool) -> None:
    """V1: thousands groups are read back exactly."""
    text = f"{number:,f}"
    assert read_quantity(text.replace(",", "\u00a0") if blank else text).min == number


@given(decimals.filter(lambda n: n >= 0), currencies, amounts, st.sampled_from(["/", " / ", " per "]))
def test_a_price_round_trips(number: Decimal, currency: tuple[str, str], amount: tuple[str, int], mark: str) -> None:
    """V1, V2: currency, number and denominator in any of their spellings give the price per million tokens."""
    found = read_quantity(f"{currency[0]}{number:f}{mark}{amount[0]}", unit="usd_per_mtok")
    assert found.unit == f"{currency[1]}_per_mtok"
    assert found.min == found.max == number * amount[1]


@given(decimals, decimals, st.booleans(), st.booleans())
def test_bounds_in_brackets_round_trip(a: Decimal, b: Decimal, min_open: bool, max_open: bool) -> None:
    """V3: the bracket form of bounds is read back, each end closed or open."""
    low, high = sorted((a, b))
    if low == high:
        min_open = max_open = False
    text = f"{'(' if min_open else '['}{written(low)},{written(high)}{')' if max_open else ']'}"
    assert read_quantity(text, unit="percent") == Quantity(low, high, min_open, max_open, "percent")


@given(decimals)
def test_the_canonical_form_of_a_decimal_is_one_text_per_number(number: Decimal) -> None:
    """V1: equal numbers have one canonical text, which reads back as the number."""
    text = written(number)
    assert Decimal(text) == number
    assert text == written(number.normalize()) == written(number * Decimal("1.000"))
    assert "E" not in text
    assert text != "-0"
