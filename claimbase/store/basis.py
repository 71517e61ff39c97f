"""Resolving a basis: *now* is read once, days become instants, the future of knowledge is refused (A1-A5)."""

from __future__ import annotations

from datetime import date, datetime
from typing import TypeAlias

from claimbase.errors import InstantError
from claimbase.store.db import Db
from claimbase.temporal import AsOf, Basis, iso, read_instant, utc

Moment: TypeAlias = str | date | datetime


def resolve(
    db: Db,
    as_of: AsOf | Moment | None = None,
    observed_by: Moment | None = None,
    recorded_by: Moment | None = None,
    *,
    then: bool = False,
    now: datetime | None = None,
) -> Basis:
    """Resolve the three axes to instants and a batch.

    Args:
        db: the base, whose clock tells *now* and whose ledger knows the newest batch.
        as_of: when it must hold; an instant or a whole AsOf. Default now; the future is legal (A5).
        observed_by: what could have been read by then. Default now.
        recorded_by: what this base held then. Default now, which is its newest batch: no later write enters (A1, A6).
        then: "as we knew it then": observed_by and recorded_by are as_of (Q13).
        now: the *now* of the call that this is part of, which is read once (A1); None = the call begins here.

    Raises:
        InstantError: [future_basis] observed_by or recorded_by has not come yet (A5), or no instant at all.
    """
    if isinstance(as_of, AsOf):
        observed_by, recorded_by = as_of.observed_by or observed_by, as_of.recorded_by or recorded_by
        as_of = as_of.valid_at
    if now is None:
        db.follow()  # a call begins with its basis, and what it asks after that is asked of the same file (G9)
        now = utc(db.clock.now())
    newest = db.newest()
    # A batch may carry an instant just after the clock's (B4); what it holds is known.
    horizon = now if newest is None else max(now, newest[1])
    valid_at = now if as_of is None else read_instant(as_of, field="as_of")
    if then:
        if observed_by is not None or recorded_by is not None:
            raise InstantError("then= sets observed_by and recorded_by", code="bad_basis", hint="give one or the other")
        observed_by = recorded_by = valid_at
    observed, recorded = _known(observed_by, "observed_by", horizon), _known(recorded_by, "recorded_by", horizon)
    if newest is not None and (recorded_by is None or _is_copy(db)):
        # The newest batch, not the clock: a batch still to come may carry the clock's instant, or an earlier one (B4).
        recorded = min(recorded, utc(newest[1]))
    return Basis(valid_at, observed, recorded, now, _batch_at(db, recorded, newest))


def _batch_at(db: Db, recorded: datetime, newest: tuple[int, datetime] | None) -> int | None:
    """Give the newest batch at or before an instant, which is asked for only where that is an earlier one."""
    if newest is None or newest[1] <= recorded:
        return None if newest is None else newest[0]
    batch = db.remembered("ledger/batch_at", {"recorded_by": recorded}).rows
    return batch[0][0] if batch else None


def _is_copy(db: Db) -> bool:
    """Tell a snapshot from a base: the writer may have gone on since, so it knows no more than its last batch (A6)."""
    return db.read_only and db.head is not None and db.head.newest is None


def _known(moment: Moment | None, axis: str, horizon: datetime) -> datetime:
    resolved = horizon if moment is None else read_instant(moment, field=axis)
    if resolved > horizon:
        raise InstantError(
            f"{axis} {iso(resolved)} lies in the future",
            code="future_basis",
            hint="nobody can have known it yet; valid_at may lie ahead",
        )
    return resolved
