"""Tombstones: what was erased, named by its place and its reason at every basis; its content is gone."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from claimbase.analysis.result import plain
from claimbase.present.words import counted
from claimbase.store import Db
from claimbase.temporal import Basis

_NAMED = 5  # claims named in an answer's notes; the others are counted


@dataclass(frozen=True, slots=True)
class Tombstone:
    """A claim that was erased (W1).

    Args:
        claim_id: its id.
        provider, subject, predicate, scope: its slot, as the basis names it.
        url: its source.
        reason: the law or the licence that asked for it.
        erased_at: when it was erased, on the recorded axis.
    """

    claim_id: str
    provider: str
    subject: str
    predicate: str
    scope: Mapping[str, str]
    url: str
    reason: str
    erased_at: datetime

    def to_json(self) -> dict[str, Any]:
        """Give the tombstone as plain data."""
        return {item.name: plain(getattr(self, item.name)) for item in fields(self)}


def tombstones(
    db: Db, basis: Basis, *, subjects: Sequence[int] | None = None, predicates: Sequence[int] | None = None
) -> tuple[Tombstone, ...]:
    """Find what was erased of some slots, by slot and claim, also what was erased after the basis.

    Args:
        db: the base.
        basis: decides which names stand (P2).
        subjects, predicates: canonical numbers; None = all.
    """
    asked = {"recorded_by": basis.recorded_by, "subjects": subjects, "predicates": predicates}
    rows = db.file("queries/tombstones", asked).dicts()
    return tuple(Tombstone(**row | {"scope": json.loads(row["scope"])}) for row in rows)


def erased_since(db: Db, basis: Basis, predicates: Sequence[int]) -> Iterator[str]:
    """Name what an answer at this basis could have cited before it was erased (A6).

    Args:
        db: the base.
        basis: of the answer; what was erased by its recorded_by was not to be cited.
        predicates: canonical numbers.
    """
    newest = db.newest()
    if newest is not None and newest[0] == basis.batch:  # nothing was recorded since
        return
    gone = [one for one in tombstones(db, basis, predicates=predicates) if one.erased_at > basis.recorded_by]
    for one in gone[:_NAMED]:
        yield f"erased since: {one.claim_id} on {one.predicate} of {one.subject} ({one.reason})"
    if len(gone) > _NAMED:
        yield f"erased since: {counted(len(gone) - _NAMED, 'more claim')}"
