"""Knowledge: what was believed of a slot's whole past and future, at each instant at which that changed (H1, A2)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Any

from claimbase.analysis.cite import Citation, citations
from claimbase.analysis.result import plain
from claimbase.errors import InputError, shown
from claimbase.store import Db
from claimbase.temporal import Basis, Interval

AXES = {"recorded": "recorded_by", "observed": "observed_by"}
"""The axes of knowledge, each with its field of a basis."""

_SLOT = ("provider", "subject", "predicate", "scope")


@dataclass(frozen=True, slots=True)
class Belief:
    """One value as it was believed: where it certainly held, and where it may have."""

    value: str | None
    value_key: str | None
    unit: str | None
    polarity: str
    certain: Interval | None
    possible: Interval

    @property
    def said(self) -> tuple[Any, ...]:
        """What tells one belief from another, however it was written (V9)."""
        return self.polarity, self.value_key, self.unit, self.certain, self.possible

    def to_json(self) -> dict[str, Any]:
        """Give the belief as plain data."""
        names = ("value", "value_key", "unit", "polarity", "certain", "possible")
        return {name: plain(getattr(self, name)) for name in names}


@dataclass(frozen=True, slots=True)
class State:
    """What was believed of a slot from an instant of knowledge on, until the next state.

    Args:
        since: when a write or a reading brought it.
        beliefs: by their start; none where all was withdrawn.
    """

    provider: str
    subject: str
    predicate: str
    scope: Mapping[str, str]
    since: datetime
    beliefs: tuple[Belief, ...]

    def to_json(self) -> dict[str, Any]:
        """Give the state as plain data."""
        names = (*_SLOT, "since", "beliefs")
        return {name: plain(getattr(self, name)) for name in names}


def states(db: Db, basis: Basis, ids: dict[str, list[int] | None], by: str) -> tuple[State, ...]:
    """Tell how what was believed of some slots went, on one axis of knowledge, the others held.

    Args:
        db: the base.
        basis: how far it is told, and what stands still.
        ids: canonical numbers of subjects and predicates, as `windows.chosen_ids` gives them.
        by: recorded or observed.

    Returns:
        By slot, then by time; states that say the same as the one before are left out.

    Raises:
        InputError: [bad_axis] no such axis.
    """
    if by not in AXES:
        raise InputError(f"{shown(by)} is no axis of knowledge", code="bad_axis", hint=" or ".join(AXES))
    axes = {"observed_by": basis.observed_by, "recorded_by": basis.recorded_by}
    instants = [row[0] for row in db.file("queries/knowledge_instants", axes | ids | {"axis": by})]
    seen = {at: _segments(db, replace(basis, **{AXES[by]: at}), ids) for at in instants}
    versions = (version for rows in seen.values() for row in rows for version in row["versions"])
    cited = citations(db, basis, versions)
    slots = dict.fromkeys(_slot(row) for rows in seen.values() for row in rows)
    return tuple(state for slot in _in_order(slots) for state in _of_slot(slot, seen, cited))


def _segments(db: Db, basis: Basis, ids: dict[str, list[int] | None]) -> list[dict[str, Any]]:
    """Give the segments believed at a basis; what was withdrawn by then is not believed."""
    axes = {"valid_at": basis.valid_at, "observed_by": basis.observed_by, "recorded_by": basis.recorded_by}
    return [row for row in db.file("queries/history", axes | ids).dicts() if row["status"] != "retracted"]


def _slot(row: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(row[name] for name in _SLOT)


def _in_order(slots: Iterable[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Sort slots as a history does: the empty scope first."""
    return sorted(slots, key=lambda slot: (*slot[:3], slot[3] != "{}", slot[3]))


def _of_slot(
    slot: tuple[str, ...], seen: Mapping[datetime, list[dict[str, Any]]], cited: Mapping[int, Citation]
) -> Iterator[State]:
    believed = [(at, tuple(_belief(row, cited) for row in rows if _slot(row) == slot)) for at, rows in seen.items()]
    provider, subject, predicate, scope = slot
    known = False
    for said, ones in groupby(believed, key=lambda pair: tuple(one.said for one in pair[1])):
        known = known or bool(said)  # nothing is told of the time before the first belief
        if known:
            yield State(provider, subject, predicate, json.loads(scope), *next(ones))


def _belief(row: Mapping[str, Any], cited: Mapping[int, Citation]) -> Belief:
    ones = sorted((cited[version] for version in row["versions"]), key=lambda one: (one.observed_at, one.claim_id))
    first, certain = ones[-1], None
    if row["ever_certain"]:
        certain = Interval(row["certain_from"], row["certain_until"])
    possible = Interval(row["possible_from"], row["possible_until"])
    return Belief(first.value, first.value_key, first.unit, first.polarity, certain, possible)
