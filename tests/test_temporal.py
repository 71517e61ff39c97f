"""Time: instants and periods as written, zones that skip and repeat, half-open intervals, and what bounds become."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from functools import cache
from itertools import product
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from kit import NOW, Ticking, base, claim, day

from claimbase.base import Claimbase
from claimbase.errors import InstantError, IntervalError
from claimbase.temporal import (
    HIGHEST,
    LOWEST,
    TICK,
    AsOf,
    Basis,
    Bound,
    FixedClock,
    Interval,
    SystemClock,
    day_start,
    iso,
    period_end,
    read_instant,
    read_period,
    relation,
    utc,
)


def at(text: str) -> datetime:
    """Read an instant of a test without the code under test."""
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


# -- intervals -------------------------------------------------------------------------------------------------------

TICKS = [datetime(2026, 1, 1, tzinfo=UTC) + TICK * n for n in range(5)]
FIRST, LAST = -1, 9  # what an unbounded interval holds beyond all bounded ones


def intervals() -> Iterator[tuple[Interval, frozenset[int]]]:
    """Every interval of a world of four instants, bounded or not, and the instants it holds."""
    for start, end in product([None, 0, 1, 2, 3], [None, 1, 2, 3, 4]):
        if start is None or end is None or start < end:
            held = range(FIRST if start is None else start, LAST if end is None else end)
            ends = (None if start is None else TICKS[start], None if end is None else TICKS[end])
            yield Interval(*ends), frozenset(held)


def allen(a: frozenset[int], b: frozenset[int]) -> str:
    """Name the relation of two sets of consecutive instants by what each holds before, beside and after the other."""
    if not a & b:
        touching = max(a) + 1 == min(b) or max(b) + 1 == min(a)
        if max(a) < min(b):
            return "meets" if touching else "before"
        return "met_by" if touching else "after"
    early, late = bool({n for n in a - b if n < min(b)}), bool({n for n in a - b if n > max(b)})
    other_early, other_late = bool({n for n in b - a if n < min(a)}), bool({n for n in b - a if n > max(a)})
    return {
        (False, False, False, False): "equals",
        (True, False, False, True): "overlaps",
        (False, True, True, False): "overlapped_by",
        (True, True, False, False): "contains",
        (False, False, True, True): "during",
        (True, False, False, False): "finished_by",
        (False, True, False, False): "started_by",
        (False, False, True, False): "finishes",
        (False, False, False, True): "starts",
    }[early, late, other_early, other_late]


def test_allen_relations() -> None:
    """H4, B2: all thirteen relations, for every two intervals of a small world, open ends included."""
    found = set()
    for (a, held), (b, other) in product(intervals(), repeat=2):
        assert relation(a, b) == allen(held, other), (str(a), str(b))
        found.add(relation(a, b))
    assert len(found) == 13


def test_what_two_intervals_share() -> None:
    """B2: half-open: the end is not in it, touching intervals share nothing, and what they share is an interval."""
    for (a, held), (b, other) in product(intervals(), repeat=2):
        both = a.intersect(b)
        shared = held & other
        assert (both is not None) == bool(shared)
        for place, tick in enumerate(TICKS):
            assert (tick in a) == (place in held)
            assert both is None or (tick in both) == (place in shared)


@pytest.mark.parametrize(("after", "code"), [(0, "empty_interval"), (-1, "inverted_interval")])
def test_empty_and_inverted_intervals(after: int, code: str) -> None:
    """B3: refused, naming both instants."""
    start, end = at("2026-03-01"), at("2026-03-01") + after * TICK
    with pytest.raises(IntervalError) as refused:
        Interval(start, end)
    assert refused.value.code == code
    assert iso(start) in str(refused.value)
    assert iso(end) in str(refused.value)


# -- what is written -------------------------------------------------------------------------------------------------

PERIODS = [
    # text, zone, kind, earliest, latest, precision
    ("2026-03-01", "UTC", "known", "2026-03-01", "2026-03-01", "day"),
    ("2026-03-01", "Asia/Tokyo", "known", "2026-02-28T15:00:00", "2026-02-28T15:00:00", "day"),
    (" 2026-03-01 ", "UTC", "known", "2026-03-01", "2026-03-01", "day"),
    ("2024-02-29", "UTC", "known", "2024-02-29", "2024-02-29", "day"),
    ("2026-04", "UTC", "imprecise", "2026-04-01", "2026-05-01", "month"),
    ("2026-12", "UTC", "imprecise", "2026-12-01", "2027-01-01", "month"),
    ("2026-04", "America/New_York", "imprecise", "2026-04-01T04:00:00", "2026-05-01T04:00:00", "month"),
    ("2026-03", "Europe/Berlin", "imprecise", "2026-02-28T23:00:00", "2026-03-31T22:00:00", "month"),
    ("2026-Q1", "UTC", "imprecise", "2026-01-01", "2026-04-01", "quarter"),
    ("2026-q2", "UTC", "imprecise", "2026-04-01", "2026-07-01", "quarter"),
    ("2026-33", "UTC", "imprecise", "2026-01-01", "2026-04-01", "quarter"),
    ("2026-36", "UTC", "imprecise", "2026-10-01", "2027-01-01", "quarter"),
    ("2026", "UTC", "imprecise", "2026-01-01", "2027-01-01", "year"),
    ("2026-03-01T08:00:00Z", "UTC", "known", "2026-03-01T08:00:00", "2026-03-01T08:00:00", "instant"),
    ("2026-03-01t08:00z", "UTC", "known", "2026-03-01T08:00:00", "2026-03-01T08:00:00", "instant"),
    ("2026-03-01 08:00:00+00", "UTC", "known", "2026-03-01T08:00:00", "2026-03-01T08:00:00", "instant"),
    ("2026-03-01T08:00:00.25-05:30", "UTC", "known", "2026-03-01T13:30:00.25+00:00", None, "instant"),
    ("2026-03-01T08:00:00+0545", "Asia/Tokyo", "known", "2026-03-01T02:15:00", "2026-03-01T02:15:00", "instant"),
    ("2026-03-01T08:00:00", "Asia/Tokyo", "known", "2026-02-28T23:00:00", "2026-02-28T23:00:00", "instant"),
    ("2026-03/2026-05", "UTC", "imprecise", "2026-03-01", "2026-06-01", "range"),
    ("2026-03-01/2026-03-02", "UTC", "imprecise", "2026-03-01", "2026-03-03", "range"),
    ("2019/2026-Q1", "UTC", "imprecise", "2019-01-01", "2026-04-01", "range"),
    ("0001-01-02", "UTC", "known", "0001-01-02", "0001-01-02", "day"),
    ("9999-12-30", "UTC", "known", "9999-12-30", "9999-12-30", "day"),
]


@pytest.mark.parametrize(("text", "zone", "kind", "earliest", "latest", "precision"), PERIODS)
def test_what_can_be_written(
    text: str, zone: str, kind: str, earliest: str, latest: str | None, precision: str
) -> None:
    """T1, T3, T4: a period's bounds are its first instant and the first one after it, in the declared zone."""
    last = earliest if latest is None else latest
    found = read_period(text, zone=zone)
    assert (found.kind, found.earliest, found.latest, found.precision) == (kind, at(earliest), at(last), precision)
    assert found.text is not None
    assert found.text.strip() == text.strip()


REFUSED = [
    ("", "bad_date"), ("now", "bad_date"), ("today", "bad_date"), ("12:30", "bad_date"), ("P1Y", "bad_date"),
    ("2026-21", "bad_date"), ("2026-24", "bad_date"), ("2026-13", "bad_date"), ("2026-00", "bad_date"),
    ("2026-Q5", "bad_date"), ("26-03-01", "bad_date"), ("2026-3-1", "bad_date"), ("2026-02-30", "bad_date"),
    ("2025-02-29", "bad_date"), ("2026-03-01T24:00:00Z", "bad_date"), ("2026-03-01T23:59:60Z", "bad_date"),
    ("2026-03-01T08:00:00.1234567Z", "bad_date"), ("2026-06-31", "bad_date"), ("20260301", "bad_date"),
    ("\u0662026-03-01", "bad_date"), ("２０２６", "bad_date"), ("2026/2025", "bad_date"), ("2026/", "bad_date"),
    ("2026-03-02/2026-03-01", "bad_date"), ("2026/2027/2028", "bad_date"), ("9" * 10_000, "bad_date"),
    ("2026-03-01T08:00:00", "naive_time"), ("2026-03-01 08:00", "naive_time"),
    ("2026-03-01T08:00:00+24:00", "bad_offset"), ("2026-03-01T08:00:00+25:00", "bad_offset"),
    ("2026-03-01T08:00:00+05:30:15", "bad_offset"), ("2026-03-01T08:00:00+05:60", "bad_offset"),
    ("infinity", "infinite_bound"), ("-Infinity", "infinite_bound"), ("inf", "infinite_bound"),
    ("0001-01-01", "out_of_range"), ("9999-12-31", "out_of_range"), ("9999", "out_of_range"),
    ("0001-01-02T00:00:00+14:00", "out_of_range"), ("9999-12-30T00:00:00-00:01", "out_of_range"), ("0000", "bad_date"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "code"), REFUSED)
def test_what_is_refused(text: str, code: str) -> None:
    """T4, T7, B2, C11: seasons, leap seconds, naive times, wild offsets, infinity and what lies outside the years."""
    with pytest.raises(InstantError) as refused:
        read_period(text)
    assert refused.value.code == code
    assert len(str(refused.value)) < 300


@given(st.text(max_size=40) | st.from_regex(r"\d{1,5}-?Q?\d{0,3}-?\d{0,3}[T ]?[\d:.]{0,12}[Z+-]?[\d:]{0,8}/?\d{0,4}"))
@example("0001/0001-01-02")
@example("9999-12-30/9999-12-30")
@settings(max_examples=300)
def test_any_text(text: str) -> None:
    """G16, C11: any text is a bound inside the legal years, its ends in order, or an InstantError."""
    try:
        bound = read_period(text)
    except InstantError:
        return
    assert bound.earliest is not None
    assert bound.latest is not None
    assert LOWEST <= bound.earliest <= bound.latest <= HIGHEST
    assert (bound.earliest == bound.latest) == (bound.kind == "known")


@given(st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=st.timezones()))  # noqa: DTZ001
@settings(max_examples=150)
def test_an_instant_survives_being_written(moment: datetime) -> None:
    """B2, T7: to the microsecond, in any zone, through text and back."""
    try:
        inside = utc(moment)
    except InstantError:
        assert not LOWEST + timedelta(days=2) < moment < HIGHEST - timedelta(days=2)
        return
    assert read_instant(iso(inside)) == inside == moment.astimezone(UTC)
    assert read_instant(moment) == inside
    assert iso(inside).endswith("Z")


def test_instants_at_the_api() -> None:
    """T7, Q15: a day is its start in UTC; a period is refused; so is a naive datetime, and what no instant is."""
    assert read_instant("2026-03-01") == read_instant(date(2026, 3, 1)) == at("2026-03-01")
    for given_, code in (
        ("2026-03", "period"), ("2026-Q1", "period"), ("2026", "period"), ("2026-03-01/2026-03-02", "period"),
        (datetime(2026, 3, 1), "naive_time"), (datetime(1, 1, 1, tzinfo=UTC), "out_of_range"),  # noqa: DTZ001
        (datetime.max.replace(tzinfo=UTC), "out_of_range"), (5, "bad_date"), (None, "bad_date"),
    ):  # fmt: skip
        with pytest.raises(InstantError) as refused:
            read_instant(given_, field="as_of")  # type: ignore[arg-type]  # some are no instants on purpose
        assert refused.value.code == code, given_


@pytest.mark.parametrize(
    ("text", "zone", "end"),
    [
        ("2026-04-30", "UTC", "2026-05-01"), ("2026-04", "UTC", "2026-05-01"), ("2026-Q2", "UTC", "2026-07-01"),
        ("2026", "UTC", "2027-01-01"), ("2026-03-28", "Europe/Berlin", "2026-03-28T23:00:00"),
        ("2026-03-29", "Europe/Berlin", "2026-03-29T22:00:00"), ("2011-12-29", "Pacific/Apia", None),
    ],
)  # fmt: skip
def test_through(text: str, zone: str, end: str | None) -> None:
    """T4: "through" a period ends at the first instant after it, in its zone, whatever length its last day has."""
    if end is None:
        with pytest.raises(InstantError):
            period_end(read_period(text, zone=zone), zone)
    else:
        assert period_end(read_period(text, zone=zone), zone) == at(end)


@pytest.mark.parametrize("bound", [read_period("2026-03-01T00:00:00Z"), Bound("open"), Bound("unknown", LOWEST)])
def test_through_needs_a_period(bound: Bound) -> None:
    """T4: an instant is no period."""
    with pytest.raises(InstantError):
        period_end(bound)


# -- zones -----------------------------------------------------------------------------------------------------------

STEP = timedelta(minutes=15)
SOME_DAYS = [date(2026, 3, 8), date(2026, 10, 25), date(2018, 11, 4), date(2011, 12, 30), date(2021, 11, 7)]
CHANGES = [
    ("Europe/Berlin", date(2026, 3, 29)), ("Europe/Berlin", date(2026, 10, 25)), ("America/New_York", date(2026, 3, 8)),
    ("Australia/Lord_Howe", date(2026, 10, 4)), ("Australia/Lord_Howe", date(2026, 4, 5)),
    ("America/Sao_Paulo", date(2018, 11, 4)), ("America/Sao_Paulo", date(2018, 2, 17)),
    ("America/Havana", date(2021, 11, 7)), ("Asia/Beirut", date(2021, 3, 28)), ("Africa/Cairo", date(2026, 4, 24)),
    ("Pacific/Apia", date(2011, 12, 31)), ("Asia/Kathmandu", date(2026, 3, 1)),
    ("America/Caracas", date(2016, 5, 1)), ("Asia/Pyongyang", date(2018, 5, 5)),
]  # fmt: skip


@cache
def local_times(zone: str, around: date) -> dict[datetime, list[datetime]]:
    """Map every quarter of an hour on a zone's clocks about a day to the instants that show it."""
    place = ZoneInfo(zone)
    start = datetime(around.year, around.month, around.day, tzinfo=UTC) - timedelta(hours=30)
    shown: dict[datetime, list[datetime]] = {}
    for number in range(int(timedelta(hours=84) / STEP)):
        moment = start + number * STEP
        shown.setdefault(moment.astimezone(place).replace(tzinfo=None), []).append(moment)
    return shown


def zones() -> list[str]:
    """Name the zones whose clocks keep to quarters of an hour on the days looked at."""
    return sorted(
        zone for zone in available_timezones() if "/" in zone and not zone.startswith(("Etc/", "posix", "right"))
    )


@pytest.mark.parametrize(
    "around",
    [pytest.param(day, marks=[pytest.mark.slow] if place else []) for place, day in enumerate(SOME_DAYS)],
    ids=str,
)
def test_where_a_day_begins(around: date) -> None:
    """T4: the first instant whose local date it is, in every zone, also where midnight is skipped or repeated."""
    for zone in zones():
        instants = [moments[0] for local, moments in local_times(zone, around).items() if local.date() == around]
        if instants:
            assert day_start(around, zone) == min(instants), zone
        else:
            with pytest.raises(InstantError) as refused:
                day_start(around, zone)
            assert refused.value.code == "local_time"


@pytest.mark.parametrize(
    ("zone", "around", "begins"),
    [
        ("America/Toronto", date(1919, 3, 31), "1919-03-31T04:30:00"),  # the clocks went from 23:30 to 00:30
        ("America/Sao_Paulo", date(2018, 11, 4), "2018-11-04T03:00:00"),  # from 00:00 to 01:00
        ("America/Havana", date(2021, 11, 7), "2021-11-07T04:00:00"),  # from 01:00 back to 00:00
        ("Africa/Cairo", date(2026, 4, 24), "2026-04-23T22:00:00"),  # from 00:00 to 01:00
    ],
)
def test_midnights_that_are_skipped_or_repeated(zone: str, around: date, begins: str) -> None:
    """T4: the first instant of the local day, looked up by hand."""
    assert day_start(around, zone) == at(begins)


def test_a_day_that_a_zone_skips() -> None:
    """T4: Samoa had no 30 December 2011."""
    with pytest.raises(InstantError, match="skips that day"):
        read_period("2011-12-30", zone="Pacific/Apia")


@pytest.mark.parametrize(("zone", "around"), CHANGES, ids=str)
def test_local_times(zone: str, around: date) -> None:
    """T7: a written local time that the zone shows once is that instant; one shown never or twice is refused."""
    shown = local_times(zone, around)
    for minutes in range(0, 24 * 60, 15):
        local = datetime(around.year, around.month, around.day) + timedelta(minutes=minutes)  # noqa: DTZ001
        moments = shown.get(local, [])
        if len(moments) == 1:
            assert read_period(local.isoformat(), zone=zone).earliest == moments[0]
            continue
        with pytest.raises(InstantError) as refused:
            read_period(local.isoformat(), zone=zone)
        assert refused.value.code == "local_time"
        assert ("repeats" if moments else "skips") in str(refused.value)
        for moment in moments:
            assert iso(moment) in str(refused.value)


@pytest.mark.parametrize("zone", ["Mars/Olympus", "", "../etc/passwd", "/etc/passwd", "a\0b", "\ud800", "x" * 10_000])
def test_zones_that_are_none(zone: str) -> None:
    """T4, G16: an unknown zone is refused, whatever it spells."""
    with pytest.raises(InstantError) as refused:
        read_period("2026-03-01", zone=zone)
    assert refused.value.code == "bad_zone"


# -- clocks and bases ------------------------------------------------------------------------------------------------


def test_clocks() -> None:
    """G13: the machine's clock is aware and in UTC; a fixed one stands still."""
    now = SystemClock().now()
    assert now.utcoffset() == timedelta(0)
    assert abs((now - datetime.now(UTC)).total_seconds()) < 60
    fixed = FixedClock(NOW)
    assert fixed.now() == fixed.now() == NOW


def test_a_basis_in_words() -> None:
    """A5, A6: a basis shows its instants, its batch, and whether it speaks of what has not come."""
    basis = Basis(NOW + TICK, NOW, NOW, NOW, 7)
    assert basis.to_json() == {
        "valid_at": "2026-11-29T12:00:00.000001Z", "observed_by": "2026-11-29T12:00:00Z",
        "recorded_by": "2026-11-29T12:00:00Z", "batch": 7, "projected": True,
    }  # fmt: skip
    assert not Basis(NOW, NOW, NOW, NOW, 7).projected


def test_a_basis_resolved(told: Claimbase) -> None:
    """A1, A6, Q13: each axis is now unless named, recorded time the newest batch by now; `then` sets two of them."""
    now = told.basis()
    newest = told.db.query("SELECT max(recorded_at) FROM cb.batch").rows[0][0]
    assert now == Basis(now.now, now.now, newest, now.now, 2)
    asked = told.basis(AsOf(at("2026-03-05"), at("2026-03-06"), now.recorded_by))
    assert (asked.valid_at, asked.observed_by, asked.recorded_by) == (
        at("2026-03-05"), at("2026-03-06"), now.recorded_by,
    )  # fmt: skip
    then = told.basis("2026-03-05", then=True)
    assert (then.valid_at, then.observed_by, then.recorded_by, then.batch) == (*[at("2026-03-05")] * 3, None)


# -- what bounds become ----------------------------------------------------------------------------------------------

READ = "2026-06-10T00:00:00+00:00"
STATED: list[tuple[str, dict[str, Any], tuple[str | None, str | None, str | None, str | None]]] = [
    ("T5: nothing stated", {}, (None, READ, None, None)),
    ("T1: known", {"effective_from": "2026-03-01", "effective_until": "2026-09-01"},
     ("2026-03-01", "2026-03-01", "2026-09-01", "2026-09-01")),
    ("T1: always", {"effective_from": "always"}, ("0001-01-02", "0001-01-02", None, None)),
    ("T3: a month", {"effective_from": "2026-04"}, ("2026-04-01", "2026-05-01", None, None)),
    ("T3: a month and a year", {"effective_from": "2026-04", "effective_until": "2026"},
     ("2026-04-01", "2026-05-01", "2026-04-01T00:00:00.000001", "2027-01-01")),
    ("T3: a quarter", {"effective_until": "2026-Q4"}, (None, READ, "2026-10-01", "2027-01-01")),
    ("T1: tightened", {"effective_from": "2026", "effective_until": "2026"},
     ("2026-01-01", "2026-12-31T23:59:59.999999", "2026-01-01T00:00:00.000001", "2027-01-01")),
    ("T4: through a day", {"effective_from": "2026-03-01", "effective_through": "2026-08-31"},
     ("2026-03-01", "2026-03-01", "2026-09-01", "2026-09-01")),
    ("T4: through a month", {"effective_through": "2026-08"}, (None, READ, "2026-09-01", "2026-09-01")),
    ("T4: days of a zone", {"effective_from": "2026-03-01", "effective_through": "2026-03-31", "zone": "Europe/Berlin"},
     ("2026-02-28T23:00:00", "2026-02-28T23:00:00", "2026-03-31T22:00:00", "2026-03-31T22:00:00")),
    ("T4: a range", {"effective_from": "2026-03-01/2026-03-05"}, ("2026-03-01", "2026-03-06", None, None)),
    ("T5: known to lie after", {"effective_from": {"earliest": "2026-02-01", "latest": "2026-03-01"}},
     ("2026-02-01", "2026-03-01", None, None)),
    ("T5: ended before it was read", {"effective_until": "2026-05-01"},
     (None, "2026-04-30T23:59:59.999999", "2026-05-01", "2026-05-01")),
    ("T6: it still holds", {"effective_until": {"kind": "unknown", "state": "holds"}},
     (None, READ, "2026-06-10T00:00:00.000001", None)),
    ("T6: it has ended", {"effective_from": "2026-01-01", "effective_until": {"kind": "unknown", "state": "ended"}},
     ("2026-01-01", "2026-01-01", "2026-01-01T00:00:00.000001", READ)),
    ("T6: who knows", {"effective_from": "2026-01-01", "effective_until": {"kind": "unknown"}},
     ("2026-01-01", "2026-01-01", "2026-01-01T00:00:00.000001", None)),
    ("T6: said to be open", {"effective_until": {"kind": "open"}}, (None, READ, None, None)),
    ("T9: not sooner than", {"effective_from": {"not_before": "2026-09-29"}}, ("2026-09-29", None, None, None)),
    ("T9: in words", {"effective_from": "not sooner than September 29, 2026"}, ("2026-09-29", None, None, None)),
    ("T9: at least until", {"effective_until": {"not_before": "2026-09-29"}}, (None, READ, "2026-09-29", None)),
    ("T11: timeless", {"predicate": "released", "value": "2026-02-03"}, ("0001-01-02", "0001-01-02", None, None)),
]  # fmt: skip


@pytest.fixture(scope="module")
def told() -> Claimbase:
    """A base with one claim for every way to state an interval."""
    kb = base(Ticking())
    kb.add([claim(**{"observed_at": READ, "subject": name, **fields}) for name, fields, _ in STATED])
    return kb


BOUNDS = """
SELECT s.name, from_earliest, from_latest, until_earliest, until_latest
FROM cb.claim JOIN cb.subject AS s USING (subject_id)"""


def test_stated_intervals(told: Claimbase) -> None:
    """T1-T11: the four columns that each way to state an interval becomes."""
    found = {name: tuple(bounds) for name, *bounds in told.db.query(BOUNDS)}
    for name, _, expected in STATED:
        assert found[name] == tuple(None if text is None else at(text) for text in expected), name


ACTIVE = [
    ("T3: a month", "2026-03-31T23:59:59.999999+00:00", "no"), ("T3: a month", "2026-04-01", "possible"),
    ("T3: a month", "2026-04-30T23:59:59.999999+00:00", "possible"), ("T3: a month", "2026-05-01", "certain"),
    ("T3: a month and a year", "2026-06-15", "possible"), ("T3: a month and a year", "2027-01-01", "no"),
    ("T3: a quarter", "2026-09-30", "certain"), ("T3: a quarter", "2026-10-01", "possible"),
    ("T3: a quarter", "2026-12-31", "possible"), ("T3: a quarter", "2027-01-01", "no"),
    ("T5: nothing stated", "2001-01-01", "possible"), ("T5: nothing stated", "2026-06-10", "certain"),
    ("T5: ended before it was read", "2026-04-30", "possible"), ("T5: ended before it was read", "2026-05-01", "no"),
    ("T4: through a day", "2026-08-31T23:59:59+00:00", "certain"), ("T4: through a day", "2026-09-01", "no"),
    ("T6: it still holds", "2026-06-10", "certain"), ("T6: it still holds", "2030-01-01", "possible"),
    ("T6: it has ended", "2026-01-01", "certain"), ("T6: it has ended", "2026-06-10", "no"),
    ("T9: not sooner than", "2026-09-28", "no"), ("T9: not sooner than", "2030-01-01", "possible"),
    ("T9: at least until", "2026-09-28", "certain"), ("T9: at least until", "2030-01-01", "possible"),
    ("T11: timeless", "0001-01-02", "certain"), ("T11: timeless", "9999-12-30", "certain"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "moment", "expected"), ACTIVE)
def test_when_they_hold(told: Claimbase, name: str, moment: str, expected: str) -> None:
    """T2, T3, T5, T6, T9, T11: certain, possible or no at an instant, on both sides of each bound."""
    found = told.db.query(
        "SELECT certain FROM cb.active($at, $now, $now) JOIN cb.subject AS s USING (subject_id) WHERE s.name = $name",
        {"at": at(moment), "now": told.basis().recorded_by, "name": name},
    ).rows
    assert [("possible", "certain")[certain] for (certain,) in found] == ([] if expected == "no" else [expected])


def test_a_late_news_on_two_axes() -> None:
    """A2, A4: what holds, what could be read and what was held are asked apart."""
    kb = base(Ticking())
    kb.add([claim("Rome", day(1), predicate="vendor"), claim("Berlin", day(22), predicate="vendor")])
    question = "SELECT t.value FROM cb.active($v, $o, $r) JOIN cb.statement AS t USING (claim_no) ORDER BY ALL"
    recorded = kb.basis().recorded_by
    for valid, observed, expected in (
        (day(15), day(15), ["Rome"]), (day(15), day(22), ["Berlin", "Rome"]), (day(22), day(22), ["Berlin"]),
        (day(25), day(21), ["Rome"]), (day(25), day(25), ["Berlin"]),
    ):  # fmt: skip
        axes = {"v": read_instant(valid), "o": read_instant(observed), "r": recorded}
        assert [value for (value,) in kb.db.query(question, axes)] == expected, (valid, observed)
    assert kb.db.query(question, {"v": NOW, "o": NOW, "r": NOW - timedelta(days=1)}).rows == []
