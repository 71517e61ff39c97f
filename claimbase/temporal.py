"""Time: instants, bounds with three-valued activity, half-open intervals, Allen relations, the basis and the clock.

Every instant is an aware datetime in UTC with microseconds (B2). Every interval is half-open ``[start, end)``; an open
end is None. Nothing here reads the machine's clock except :class:`SystemClock`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Literal, Protocol
from zoneinfo import ZoneInfo

from claimbase.errors import InstantError, IntervalError, shown

LOWEST = datetime(1, 1, 2, tzinfo=UTC)
HIGHEST = datetime(9999, 12, 30, tzinfo=UTC)
TICK = timedelta(microseconds=1)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LONGEST_ZONE = 64  # no zone's name is nearly as long
_OF_THE_MACHINE = ("localtime", "posixrules", "Factory")  # files beside the zones

BoundKind = Literal["known", "imprecise", "unknown", "open"]
Precision = Literal["instant", "day", "month", "quarter", "year", "range"]
Activity = Literal["certain", "possible", "no"]

_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})", re.ASCII)
_INSTANT = re.compile(
    r"(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(\.\d{1,6})?)?\s?([Zz]|[+-]\d{2}(?::?\d{2}(?::?\d{2})?)?)?",
    re.ASCII,
)
_PERIOD = re.compile(r"(\d{4})(?:-(?:[Qq]([1-4])|(\d{2})))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Bound:
    """One end of a valid interval: an interval of instants and its kind (T1).

    Args:
        kind: known (earliest = latest), imprecise, unknown (it exists), or open (no end stated).
        earliest: the first instant it can be; None = unbounded.
        latest: the last instant it can be; None = unbounded.
        precision: how it was written.
        text: as written.
    """

    kind: BoundKind
    earliest: datetime | None = None
    latest: datetime | None = None
    precision: Precision | None = None
    text: str | None = None


def utc(moment: datetime) -> datetime:
    """Turn an aware datetime into UTC, refusing naive ones and those outside the legal years (T7, C9)."""
    if moment.tzinfo is None or moment.utcoffset() is None:
        raise InstantError(
            f"{shown(moment.isoformat())} has no offset", code="naive_time", hint="write 2026-03-01T00:00:00Z"
        )
    try:
        inside = moment.astimezone(UTC)
    except OverflowError as error:
        raise _outside(moment.isoformat()) from error
    if not LOWEST <= inside <= HIGHEST:
        raise _outside(moment.isoformat())
    return inside


@lru_cache(maxsize=65_536)
def from_micros(count: int) -> datetime:
    """Give the instant so many microseconds after 1970; the driver's own conversion takes ten times as long."""
    return _EPOCH + count * TICK


def to_micros(moment: datetime) -> int:
    """Count the microseconds from 1970 to an instant."""
    return (moment - _EPOCH) // TICK


def iso(moment: datetime) -> str:
    """Write an instant as RFC 3339 in UTC with Z, microseconds only where there are some."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def read_instant(value: str | date | datetime, *, field: str = "as_of") -> datetime:
    """Read an instant at the API: an aware datetime, RFC 3339 with offset, or a day, meaning its start in UTC (T7).

    Args:
        value: what the caller passed.
        field: the argument's name, for messages.

    Raises:
        InstantError: for anything else; periods are refused too (Q15).
    """
    if isinstance(value, datetime):
        return utc(value)
    if isinstance(value, date):
        return utc(datetime(value.year, value.month, value.day, tzinfo=UTC))
    bound = read_period(value)
    if bound.earliest is None or bound.precision not in ("instant", "day"):
        raise InstantError(
            f"{field} {shown(value)} is a period, not an instant",
            code="period",
            hint="name a day or an instant; a window is asked with during=",
        )
    return bound.earliest


def read_period(text: str, *, zone: str = "UTC") -> Bound:
    """Read an instant, day, month, quarter, year or ``A/B`` range in ISO spelling (T3, T4).

    Args:
        text: ``2026-03-01T08:00:00Z``, ``2026-03-01``, ``2026-04``, ``2026-Q2``, ``2026-34``, ``2026`` or ``A/B``.
        zone: the zone in which days and longer periods begin.

    Raises:
        InstantError: [bad_date], [naive_time], [local_time], [bad_offset], [infinite_bound].
    """
    if not isinstance(text, str):
        raise InstantError(f"{shown(text)} is no date", hint="pass text such as 2026-03-01")
    written = text.strip()
    if written.lower().lstrip("+-") in ("infinity", "inf"):
        raise InstantError(f"{shown(text)} is no instant", code="infinite_bound", hint="leave an open end out")
    if len(written) > 64:
        raise InstantError(f"{shown(text)} is no date: too long", hint="pass text such as 2026-03-01")
    if "/" in written:
        return _range(written, zone)
    if match := _INSTANT.fullmatch(written):
        moment = _instant(written, match, zone)
        return Bound("known", moment, moment, "instant", text)
    if match := _DAY.fullmatch(written):
        moment = day_start(_civil(written, *map(int, match.groups())), zone)
        return Bound("known", moment, moment, "day", text)
    if match := _PERIOD.fullmatch(written):
        return _period(text, match, zone)
    raise InstantError(
        f"{shown(text)} is no date claimbase reads",
        hint="2026, 2026-04, 2026-Q2, 2026-03-01, 2026-03-01T08:00:00Z or a range A/B",
    )


def day_start(day: date, zone: str = "UTC") -> datetime:
    """Give the first instant of a local day, in UTC (T4).

    Raises:
        InstantError: if the zone skips the whole day, or is unknown.
    """
    place = _zone(zone)
    midnight = datetime(day.year, day.month, day.day, tzinfo=place)
    if place.key == "UTC":
        return utc(midnight)
    try:
        first = midnight.astimezone(UTC)
    except OverflowError as error:
        raise _outside(day.isoformat()) from error
    if first.astimezone(place).replace(tzinfo=None) != midnight.replace(tzinfo=None):
        first = _first_after_gap(midnight)
        if first.astimezone(place).date() != day:
            raise InstantError(f"{day.isoformat()} is missing in {zone}: the zone skips that day", code="local_time")
    return utc(first)


def period_end(bound: Bound, zone: str = "UTC") -> datetime:
    """Give the first instant after the period a bound was written as: the exclusive form of "through" (T4).

    Raises:
        InstantError: if the bound is an instant or has no latest instant.
    """
    if bound.earliest is None or bound.latest is None or bound.precision == "instant":
        raise InstantError(
            f"{shown(bound.text)} is no day, month, quarter or year", hint='"through" needs a period that ends'
        )
    if bound.precision != "day":
        return bound.latest
    local = bound.earliest.astimezone(_zone(zone)).date()
    return day_start(local + timedelta(days=1), zone)


def _range(written: str, zone: str) -> Bound:
    first, _, second = written.partition("/")
    if "/" in second:
        raise InstantError(f"{shown(written)} is no range", hint="a range has two ends: A/B")
    start, end = read_period(first, zone=zone), read_period(second, zone=zone)
    last = period_end(end, zone) if end.precision == "day" else end.latest
    if start.earliest is None or last is None or start.earliest >= last:
        raise InstantError(f"the range {shown(written)} ends before it begins")
    return Bound("imprecise", start.earliest, last, "range", written)


def _period(text: str, match: re.Match[str], zone: str) -> Bound:
    year, quarter, part = int(match[1]), match[2], int(match[3] or 0)
    if quarter or 33 <= part <= 36:
        month = 3 * (int(quarter) if quarter else part - 32) - 2
        months, precision = 3, "quarter"
    elif match[3]:
        if not 1 <= part <= 12:
            raise InstantError(
                f"{shown(text)} is no month",
                hint="seasons are not read; quarters are 2026-Q2 or 2026-34",
            )
        month, months, precision = part, 1, "month"
    else:
        month, months, precision = 1, 12, "year"
    start = day_start(_civil(text, year, month, 1), zone)
    after = year * 12 + month - 1 + months
    if after // 12 > HIGHEST.year:
        raise _outside(text)
    end = day_start(_civil(text, after // 12, after % 12 + 1, 1), zone)
    return Bound("imprecise", start, end, precision, text)  # type: ignore[arg-type]  # a literal from the branches


def _instant(written: str, match: re.Match[str], zone: str) -> datetime:
    offset = match[6]
    if match[4] == "60":
        raise InstantError(f"{shown(written)} is a leap second", hint="use 23:59:59 or the next day's 00:00:00")
    if offset and offset not in "Zz":
        hours, _, rest = offset[1:].replace(":", "")[:2], "", offset[1:].replace(":", "")[2:]
        if int(hours) > 23 or len(rest) > 2 or int(rest or 0) > 59:
            raise InstantError(f"{shown(written)} has no legal offset", code="bad_offset", hint="±HH:MM below 24 hours")
    try:
        naive = datetime.fromisoformat(f"{match[1]}T{match[2]}:{match[3]}:{match[4] or '00'}{match[5] or ''}")
    except ValueError as error:
        raise InstantError(f"{shown(written)} is no instant: {error}") from error
    if offset is None:
        return _local(written, naive, zone)
    shift = "+00:00" if offset in "Zz" else offset
    return utc(datetime.fromisoformat(naive.isoformat() + shift))


def _local(written: str, naive: datetime, zone: str) -> datetime:
    """Refuse a written local time, naming its readings where a zone was declared (T7)."""
    if zone == "UTC":
        raise InstantError(
            f"{shown(written)} has no offset", code="naive_time", hint="add Z or an offset such as +02:00"
        )
    place = _zone(zone)
    try:
        early, late = (naive.replace(tzinfo=place, fold=fold).astimezone(UTC) for fold in (0, 1))
        exists = early.astimezone(place).replace(tzinfo=None) == naive
    except OverflowError as error:
        raise _outside(written) from error
    if early != late or not exists:
        fate = "repeats" if exists else "skips"
        readings = (iso(min(early, late)), iso(max(early, late)))
        raise InstantError(
            f"{zone} {fate} the local time {shown(written)}: it could be {readings[0]} or {readings[1]}",
            code="local_time",
            hint="write the offset",
            readings=readings,
        )
    return utc(early)


def _first_after_gap(midnight: datetime) -> datetime:
    """Give the instant at which a zone that skips this midnight resumes."""
    before = midnight.replace(fold=0).astimezone(UTC)
    after = midnight.replace(fold=1).astimezone(UTC)
    low, high = min(before, after), max(before, after)
    place = midnight.tzinfo
    old = low.astimezone(place).utcoffset()
    while high - low > TICK:
        middle = low + (high - low) / 2
        low, high = (middle, high) if middle.astimezone(place).utcoffset() == old else (low, middle)
    return high


def _civil(written: str, year: int, month: int, day: int) -> date:
    try:
        return date(year, month, day)
    except ValueError as error:
        raise InstantError(f"{shown(written)} is no date: {error}") from error


def _zone(name: str) -> ZoneInfo:
    try:
        if len(name) > _LONGEST_ZONE or name in _OF_THE_MACHINE:
            raise ValueError  # it would be looked for step by step, or mean something else elsewhere
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        raise InstantError(f"{shown(name)} is no time zone", code="bad_zone", hint="such as Europe/Berlin") from error


def _outside(written: str) -> InstantError:
    return InstantError(
        f"{shown(written)} lies outside {LOWEST.date()} .. {HIGHEST.date()}",
        code="out_of_range",
        hint="leave an open end out",
    )


@dataclass(frozen=True, slots=True)
class Interval:
    """A half-open interval ``[start, end)``; None = unbounded on that side (B2).

    Raises:
        IntervalError: if it is empty or inverted (B3).
    """

    start: datetime | None
    end: datetime | None

    def __post_init__(self) -> None:
        if self.start is not None and self.end is not None and self.end <= self.start:
            word = "empty" if self.end == self.start else "inverted"
            raise IntervalError(
                f"the interval [{iso(self.start)}, {iso(self.end)}) is {word}",
                code="empty_interval" if word == "empty" else "inverted_interval",
                hint="the end is exclusive and must lie after the start",
            )

    def __contains__(self, moment: datetime) -> bool:
        return (self.start is None or self.start <= moment) and (self.end is None or moment < self.end)

    def __str__(self) -> str:
        return f"[{iso(self.start) if self.start else '…'}, {iso(self.end) if self.end else '…'})"

    def intersect(self, other: Interval) -> Interval | None:
        """Give the instants both intervals hold, or None if there are none."""
        starts = [s for s in (self.start, other.start) if s is not None]
        ends = [e for e in (self.end, other.end) if e is not None]
        start, end = max(starts, default=None), min(ends, default=None)
        return None if start is not None and end is not None and end <= start else Interval(start, end)


Relation = Literal[
    "before", "meets", "overlaps", "starts", "during", "finishes", "equals",
    "after", "met_by", "overlapped_by", "started_by", "contains", "finished_by",
]  # fmt: skip


def relation(a: Interval, b: Interval) -> Relation:
    """Name Allen's relation of *a* to *b*; open ends count as unbounded (H4)."""
    starts = _compare(a.start or LOWEST, b.start or LOWEST)
    ends = _compare(a.end or HIGHEST, b.end or HIGHEST)
    if a.end is not None and b.start is not None and a.end <= b.start:
        return "meets" if a.end == b.start else "before"
    if b.end is not None and a.start is not None and b.end <= a.start:
        return "met_by" if b.end == a.start else "after"
    return _RELATIONS[starts, ends]


_RELATIONS: dict[tuple[int, int], Relation] = {
    (-1, -1): "overlaps", (-1, 0): "finished_by", (-1, 1): "contains",
    (0, -1): "starts", (0, 0): "equals", (0, 1): "started_by",
    (1, -1): "during", (1, 0): "finishes", (1, 1): "overlapped_by",
}  # fmt: skip


def _compare(a: datetime, b: datetime) -> int:
    return (a > b) - (a < b)


class Clock(Protocol):
    """Anything that tells the time; injected so that tests and replays own it."""

    def now(self) -> datetime:
        """Give the present instant, aware, in UTC."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """Give the present instant, aware, in UTC."""
        return datetime.now(UTC)


@dataclass(slots=True)
class FixedClock:
    """A clock that stands where it was put, until it is put elsewhere."""

    moment: datetime

    def now(self) -> datetime:
        """Give the instant it was put at."""
        return self.moment


@dataclass(frozen=True, slots=True)
class AsOf:
    """The basis of a read on three independent axes (A1-A6); None = now, resolved once per call.

    Args:
        valid_at: when must it hold in the world?
        observed_by: what could have been read by then?
        recorded_by: what did this base hold then?
    """

    valid_at: datetime | None = None
    observed_by: datetime | None = None
    recorded_by: datetime | None = None


@dataclass(frozen=True, slots=True)
class Basis:
    """A basis resolved to instants and a batch; every result carries one (A6)."""

    valid_at: datetime
    observed_by: datetime
    recorded_by: datetime
    now: datetime
    batch: int | None

    @property
    def projected(self) -> bool:
        """Tell whether the answer speaks of an instant that has not come yet (A5)."""
        return self.valid_at > self.now

    def to_json(self) -> dict[str, str | int | bool | None]:
        """Give the basis as plain data."""
        return {
            "valid_at": iso(self.valid_at),
            "observed_by": iso(self.observed_by),
            "recorded_by": iso(self.recorded_by),
            "batch": self.batch,
            "projected": self.projected,
        }
