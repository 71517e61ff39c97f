"""Rules that a small mistake could break unseen: each test here kills mutants that every other test let live (G20)."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from claimbase.compiler.compare import Region, inside, outside
from claimbase.compiler.staging import staging_select
from claimbase.compiler.tables import padded
from claimbase.dates import read_date
from claimbase.errors import InputError, InstantError, QuantityError
from claimbase.selects.parsed import check_select
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
    ("text", "word"), [("select 1 into t from cb.claim", "INTO"), ("select $1 from cb.claim", "PLACEHOLDER")]
)
def test_what_is_refused_in_a_statement_is_named(text: str, word: str) -> None:
    """Reliability 2.3: the message says which word of the statement is not allowed."""
    with pytest.raises(InputError, match=f"^{word} is not allowed here") as caught:
        check_select(text)
    assert caught.value.code == "not_allowed"


@pytest.mark.parametrize(
    ("kind", "taken"),
    [
        ("STRUCT(url VARCHAR, title VARCHAR)", ["url", "title"]),
        ("STRUCT(\"url\" VARCHAR, base_url VARCHAR, n DECIMAL(18,3), mood ENUM('a', 'url'))", ["url"]),
        ("STRUCT(base_url VARCHAR, about STRUCT(title VARCHAR))", []),
        ("STRUCT(url VARCHAR)[]", []),
        ("MAP(VARCHAR, VARCHAR)", []),
        ("VARCHAR", []),
    ],
)
def test_a_nested_source_gives_the_members_it_has(kind: str, taken: list[str]) -> None:
    """Import: of a struct `source` the members with a known name are taken, and no part of another name."""
    sql = staging_select(None, {"source": (None, kind), "value": ("value", "VARCHAR")})
    assert re.findall(r"STRUCT_EXTRACT\(\"source\", '(\w+)'\)", sql, re.IGNORECASE) == taken


@pytest.mark.parametrize("count", range(1, 10))
def test_lists_of_operands_are_of_few_lengths(count: int) -> None:
    """Q4: a list is filled up with its last operand to a power of two, which asks the same."""
    values = padded(tuple(range(count)))
    assert (len(values), values[:count], set(values)) == (
        next(size for size in (1, 2, 4, 8, 16) if size >= count),
        tuple(range(count)),
        set(range(count)),
    )


@pytest.mark.parametrize(
    ("kind", "nested"),
    [
        ("VARCHAR[]", True),
        ("STRUCT(a INTEGER)[]", True),
        ("STRUCT(a INTEGER)", True),
        ("VARCHAR", False),
        ("DATE", False),
    ],
)
def test_a_nested_column_is_read_as_json(kind: str, nested: bool) -> None:
    """Import: a column of lists or structs is staged as JSON, any other as its text."""
    sql = staging_select("read_parquet", {"value": ("value", kind)})
    assert ('to_json("value")' in sql) is nested


@pytest.mark.parametrize(
    ("function", "described"),
    [
        ("read_csv", "DESCRIBE SELECT * FROM READ_CSV($path, all_varchar = TRUE)"),
        ("read_parquet", "DESCRIBE SELECT * FROM READ_PARQUET($path)"),
        (None, "DESCRIBE SELECT * FROM given_frame"),
    ],
)
def test_a_file_is_described_before_it_is_read(function: str | None, described: str) -> None:
    """Import: the columns of a file or frame are asked for first; every cell of a CSV file is text."""
    assert staging_select(function, None) == described


def test_no_number_lies_outside_a_region_without_ends() -> None:
    """V3: every number lies in a region without ends, none in an empty one."""
    assert [node(Region()).sql() for node in (inside, outside)] == ["TRUE", "FALSE"]
    assert [node(Region(empty=True)).sql() for node in (inside, outside)] == ["FALSE", "TRUE"]
