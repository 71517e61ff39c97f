"""Activity of a box at a basis, by the letter of T1, T2 and A1; instants are ints, one tick is a microsecond."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal, NamedTuple

Activity = Literal["certain", "possible", "no"]
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
TICK = timedelta(microseconds=1)


def ticks(moment: datetime) -> int:
    """Return the ticks between the epoch and an aware instant."""
    return (moment - EPOCH) // TICK


def instant(count: int) -> datetime:
    """Return the aware UTC instant of a number of ticks."""
    return EPOCH + count * TICK


LOWEST = ticks(datetime(1, 1, 2, tzinfo=UTC))


class Bounds(NamedTuple):
    """The four valid columns of T1; None is unbounded on that side."""

    from_earliest: int | None
    from_latest: int | None
    until_earliest: int | None
    until_latest: int | None


@dataclass(frozen=True, slots=True)
class Box:
    """One derived version without its recorded axis; `observed_at` is the first reading of its run."""

    claim: str
    from_earliest: int | None
    from_latest: int | None
    until_earliest: int | None
    until_latest: int | None
    observed_from: int
    observed_until: int | None
    observed_at: int

    @property
    def bounds(self) -> Bounds:
        """The four valid columns together."""
        return Bounds(self.from_earliest, self.from_latest, self.until_earliest, self.until_latest)


@dataclass(frozen=True, slots=True)
class Version:
    """A box on all three axes."""

    box: Box
    recorded_at: int = 0
    retracted_at: int | None = None


@dataclass(frozen=True, slots=True)
class Basis:
    """An instant on each of the three axes (section 3)."""

    valid_at: int
    observed_by: int
    recorded_by: int


def least(*ends: int | None) -> int | None:
    """Return the smallest instant where None stands for never (plus infinity)."""
    known = [end for end in ends if end is not None]
    return min(known) if known else None


def tightened(bounds: Bounds) -> Bounds:
    """Apply from < until to the four columns, and that an end is not before itself (T1)."""
    fe, fl, ue, ul = bounds
    if ue is not None:
        ue = least(ue, ul)
    if ue is not None and fe is not None:
        ue = max(ue, fe + 1)
    if ul is not None:
        fl = least(fl, ul - 1)
    return Bounds(fe, fl, ue, ul)


def is_empty(bounds: Bounds) -> bool:
    """Say whether no world satisfies the bounds: latest end not after earliest start (B3)."""
    fe, _, _, ul = bounds
    return fe is not None and ul is not None and fe >= ul


def activity(bounds: Bounds, valid_at: int) -> Activity:
    """Say how tightened bounds stand at an instant of valid time (T2)."""
    fe, fl, ue, ul = bounds
    if fl is not None and fl <= valid_at and (ue is None or valid_at < ue):
        return "certain"
    if (fe is None or fe <= valid_at) and (ue is None or ul is None or valid_at < ul):
        return "possible"
    return "no"


def seen(box: Box, observed_by: int) -> bool:
    """Say whether a box is visible on the observed axis (A1)."""
    return box.observed_from <= observed_by and (box.observed_until is None or box.observed_until > observed_by)


def visible(version: Version, basis: Basis) -> bool:
    """Say whether a version is visible on the observed and the recorded axis (A1)."""
    held = version.recorded_at <= basis.recorded_by
    return (
        held
        and (version.retracted_at is None or version.retracted_at > basis.recorded_by)
        and seen(version.box, basis.observed_by)
    )


def status(version: Version, basis: Basis) -> Activity:
    """Say how a version stands at a basis; an invisible one is never active (A1, T2)."""
    return activity(version.box.bounds, basis.valid_at) if visible(version, basis) else "no"


def active(boxes: Iterable[Box], valid_at: int, observed_by: int) -> dict[Box, Activity]:
    """Return the boxes active at two instants, each with its certainty."""
    at = {box: activity(box.bounds, valid_at) for box in boxes if seen(box, observed_by)}
    return {box: how for box, how in at.items() if how != "no"}


def worlds(bounds: Bounds, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Yield every (from, until) that bounds allow on the axis [first, last]; last + 1 stands for later than all."""
    fe, fl, ue, ul = bounds
    never = last + 1
    starts = range(first if fe is None else fe, (never if fl is None else fl) + 1)
    ends = [never] if ue is None else range(ue, (never if ul is None else ul) + 1)
    return ((start, end) for start in starts for end in ends if start < end)


def activity_by_worlds(bounds: Bounds, valid_at: int, first: int, last: int) -> Activity:
    """Say how bounds stand at an instant by trying every world (T1: T2 is exactly this)."""
    holds = [start <= valid_at < end for start, end in worlds(bounds, first, last)]
    if not any(holds):
        return "no"
    return "certain" if all(holds) else "possible"
