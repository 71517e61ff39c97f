"""Freshness: how long ago the active claims were last seen, judged at the basis and not by the wall clock (Q9)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, ClassVar

from claimbase.analysis.result import Result, plain
from claimbase.analysis.windows import chosen_ids
from claimbase.errors import InputError
from claimbase.present.words import counted
from claimbase.store import Db
from claimbase.temporal import TICK, Basis, iso

STALE_LISTED = 1000
"""How many stale claims are listed, oldest first; all are counted."""


@dataclass(frozen=True, slots=True)
class PredicateFreshness:
    """The ages of one predicate's active claims.

    Args:
        stale_after: days after which a claim of it is stale; exactly as old is not.
        newest, oldest: of the instants at which its claims were last seen.
        stale: how many are stale at observed_by.
        next_stale_at: the first instant at which another one is, if nothing is read again; None if none will.
    """

    predicate: str
    claims: int
    newest: datetime
    oldest: datetime
    stale: int
    stale_after: int
    next_stale_at: datetime | None

    def to_json(self) -> dict[str, Any]:
        """Give the row as plain data."""
        names = ("predicate", "claims", "newest", "oldest", "stale", "stale_after", "next_stale_at")
        return {name: plain(getattr(self, name)) for name in names}


@dataclass(frozen=True, slots=True)
class StaleClaim:
    """A claim that was last seen too long ago."""

    claim_id: str
    provider: str
    subject: str
    predicate: str
    scope: Mapping[str, str]
    last_seen: datetime
    stale_after: int
    url: str

    def to_json(self) -> dict[str, Any]:
        """Give the claim as plain data."""
        names = ("claim_id", "provider", "subject", "predicate", "scope", "last_seen", "stale_after", "url")
        return {name: plain(getattr(self, name)) for name in names}


@dataclass(frozen=True, slots=True, repr=False)
class Freshness(Result):
    """The ages of all visible active claims at a basis.

    Args:
        newest, oldest: of the instants at which claims were last seen; None where there are none.
        claims, stale: how many there are, and how many of them are stale.
        predicates: one row per predicate, by name.
        stale_claims: the first STALE_LISTED stale ones, oldest first, ties by claim id.
        basis: what was known.
    """

    newest: datetime | None
    oldest: datetime | None
    claims: int
    stale: int
    predicates: tuple[PredicateFreshness, ...]
    stale_claims: tuple[StaleClaim, ...]
    basis: Basis

    COLUMNS: ClassVar[tuple[str, ...]] = (
        "predicate", "claims", "newest", "oldest", "stale", "stale_after", "next_stale_at",
    )  # fmt: skip

    @property
    def next_stale_at(self) -> datetime | None:
        """The first instant at which one more claim is stale if nothing is read again."""
        return min((row.next_stale_at for row in self.predicates if row.next_stale_at), default=None)

    @property
    def summary(self) -> str:
        """Say the result in one sentence."""
        if self.newest is None or self.oldest is None:
            return "no active claims"
        span = f"last seen between {iso(self.oldest)} and {iso(self.newest)}"
        return f"{counted(self.claims, 'active claim')}, {span}; {self.stale} stale at {iso(self.basis.observed_by)}"

    def rows(self) -> list[dict[str, Any]]:
        """Give one row per predicate."""
        return [{name: getattr(row, name) for name in self.COLUMNS} for row in self.predicates]

    def to_json(self) -> dict[str, Any]:
        """Give the result as plain data."""
        names = (
            "summary", "newest", "oldest", "claims", "stale", "next_stale_at", "predicates", "stale_claims", "basis",
        )  # fmt: skip
        return {name: plain(getattr(self, name)) for name in names}


def freshness(
    db: Db,
    basis: Basis,
    *,
    subjects: Sequence[str] = (),
    predicates: Sequence[str] = (),
    providers: Sequence[str] = (),
    stale_days: int | None = None,
) -> Freshness:
    """Tell how old the visible active claims are at a basis.

    A claim was last seen when its source was last read and said it; a failed re-read does not count.

    Args:
        db: the base.
        basis: ages are taken at its observed_by.
        subjects, predicates, providers: names to look at; empty = all.
        stale_days: days after which a claim is stale, instead of each predicate's own number.

    Raises:
        InputError: [out_of_range] stale_days is negative.
    """
    if stale_days is not None and not 0 <= stale_days <= 36500:
        raise InputError("stale_days is a number of days from 0 to 36500", code="out_of_range", hint="30")
    ids = chosen_ids(db, basis, subjects=subjects, predicates=predicates, providers=providers)
    params = {
        "valid_at": basis.valid_at, "observed_by": basis.observed_by, "recorded_by": basis.recorded_by,
        "stale_days": stale_days,
    } | ids  # fmt: skip
    rows = tuple(_row(found) for found in db.file("queries/freshness", params).dicts())
    stale = sum(row.stale for row in rows)
    listed = db.file("queries/stale_claims", params | {"listed": STALE_LISTED}).dicts() if stale else []
    return Freshness(
        newest=max((row.newest for row in rows), default=None),
        oldest=min((row.oldest for row in rows), default=None),
        claims=sum(row.claims for row in rows),
        stale=stale,
        predicates=rows,
        stale_claims=tuple(StaleClaim(**found | {"scope": json.loads(found["scope"])}) for found in listed),
        basis=basis,
    )


def _row(found: dict[str, Any]) -> PredicateFreshness:
    ages_next = found.pop("next_to_age")
    due = ages_next + timedelta(days=found["stale_after"]) + TICK if ages_next else None
    return PredicateFreshness(next_stale_at=due, **found)
