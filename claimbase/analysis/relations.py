"""Relations: how the valid intervals of two claims lie to each other, in Allen's thirteen words (H4)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import product
from typing import Any, ClassVar, get_args

from claimbase.analysis.result import Result, plain
from claimbase.claims import claim_number
from claimbase.errors import ClaimNotFoundError
from claimbase.store import Db
from claimbase.temporal import HIGHEST, LOWEST, TICK, Basis, Interval, Relation, relation

RELATIONS: tuple[Relation, ...] = get_args(Relation)
"""The thirteen relations, in the order in which results list them."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The four bounds of a valid interval; None = unbounded on that side (T1).

    Args:
        from_earliest, from_latest: between them it begins.
        until_earliest, until_latest: between them it ends; both None = it has no end.
    """

    from_earliest: datetime | None
    from_latest: datetime | None
    until_earliest: datetime | None
    until_latest: datetime | None

    @property
    def exact(self) -> Interval | None:
        """The interval, if both ends are known exactly."""
        known = self.from_earliest == self.from_latest and self.until_earliest == self.until_latest
        return Interval(self.from_earliest, self.until_earliest) if known else None

    def to_json(self) -> dict[str, Any]:
        """Give the bounds as plain data."""
        names = ("from_earliest", "from_latest", "until_earliest", "until_latest")
        return {name: plain(getattr(self, name)) for name in names}


@dataclass(frozen=True, slots=True)
class Pair:
    """A run of one claim and a run of the other, with how they lie to each other."""

    bounds: Bounds
    other: Bounds
    relations: tuple[Relation, ...]

    def to_json(self) -> dict[str, Any]:
        """Give the pair as plain data."""
        return {name: plain(getattr(self, name)) for name in ("bounds", "other", "relations")}


@dataclass(frozen=True, slots=True, repr=False)
class Related(Result):
    """How the valid intervals of two claims lie to each other.

    Args:
        claim_id, other_id: the relations are those of the first to the second.
        pairs: one for each run of the first with each of the second, by their bounds; most claims have one.
        basis: what was known.
    """

    claim_id: str
    other_id: str
    pairs: tuple[Pair, ...]
    basis: Basis

    COLUMNS: ClassVar[tuple[str, ...]] = (
        "claim_id", "other_id", "relations", "from_earliest", "from_latest", "until_earliest", "until_latest",
        "other_from_earliest", "other_from_latest", "other_until_earliest", "other_until_latest",
    )  # fmt: skip

    @property
    def relations(self) -> tuple[Relation, ...]:
        """Every relation that some pair has in some possible world, in Allen's order."""
        found = {name for pair in self.pairs for name in pair.relations}
        return tuple(name for name in RELATIONS if name in found)

    @property
    def certain(self) -> bool:
        """Whether there is only one, whatever the bounds that are not exact turn out to be."""
        return len(self.relations) == 1

    @property
    def summary(self) -> str:
        """Say the relation, or all that are possible."""
        words = " or ".join(name.replace("_", " ") for name in self.relations)
        return f"{self.claim_id} {words} {self.other_id}" + ("" if self.certain else ": more than one is possible")

    def rows(self) -> list[dict[str, Any]]:
        """Give one row per pair of runs."""
        return [
            dict(zip(self.COLUMNS, (self.claim_id, self.other_id, list(pair.relations), *_four(pair.bounds),
                                    *_four(pair.other)), strict=True))
            for pair in self.pairs
        ]  # fmt: skip

    def to_json(self) -> dict[str, Any]:
        """Give the result as plain data."""
        names = ("claim_id", "other_id", "relations", "certain", "summary", "pairs", "basis")
        return {name: plain(getattr(self, name)) for name in names}


def related(db: Db, basis: Basis, claim_id: str, other_id: str) -> Related:
    """Say how the valid intervals of two claims lie to each other, as the basis knows them (H4).

    Args:
        db: the base.
        basis: what was known; its valid_at plays no part.
        claim_id, other_id: the claims; they may be about different things.

    Raises:
        InputError: [bad_claim_id] one is no claim id.
        ClaimNotFoundError: the base holds no such claim, or none of its versions at the basis.
    """
    runs, others = (_runs(db, basis, one) for one in (claim_id, other_id))
    pairs = tuple(Pair(a, b, possible_relations(a, b)) for a, b in product(runs, others))
    return Related(claim_id, other_id, pairs, basis)


def _runs(db: Db, basis: Basis, claim_id: str) -> list[Bounds]:
    axes = {"observed_by": basis.observed_by, "recorded_by": basis.recorded_by}
    found = db.file("queries/runs", axes | {"claim_no": claim_number(claim_id)})
    if not found.rows:
        raise ClaimNotFoundError(
            f"the base holds no claim {claim_id} at that basis", hint="it may have been withdrawn: ask an earlier one"
        )
    return [Bounds(*row) for row in found]


# -- possible worlds -------------------------------------------------------------------------------------------------

# The four ends of two intervals, and the instant they are counted from.
_START, _END, _OTHER_START, _OTHER_END, _ORIGIN = range(5)
_NO_END = (HIGHEST - LOWEST) // TICK + 1
_LATER, _SAME = -1, 0
_Order = tuple[int, int, int]
# What each relation asks of the ends: the first lies before the second, or both are one instant.
_ASKS: dict[Relation, tuple[_Order, ...]] = {
    "before": ((_END, _OTHER_START, _LATER),),
    "meets": ((_END, _OTHER_START, _SAME),),
    "overlaps": ((_START, _OTHER_START, _LATER), (_OTHER_START, _END, _LATER), (_END, _OTHER_END, _LATER)),
    "starts": ((_START, _OTHER_START, _SAME), (_END, _OTHER_END, _LATER)),
    "during": ((_OTHER_START, _START, _LATER), (_END, _OTHER_END, _LATER)),
    "finishes": ((_OTHER_START, _START, _LATER), (_END, _OTHER_END, _SAME)),
    "equals": ((_START, _OTHER_START, _SAME), (_END, _OTHER_END, _SAME)),
}
_INVERSES: dict[Relation, Relation] = {
    "after": "before", "met_by": "meets", "overlapped_by": "overlaps", "started_by": "starts", "contains": "during",
    "finished_by": "finishes",
}  # fmt: skip


def possible_relations(a: Bounds, b: Bounds) -> tuple[Relation, ...]:
    """Give the relations that *a* has to *b* in some possible world, in Allen's order; one if it is certain (T1, H4).

    Args:
        a, b: the bounds of two valid intervals; each begins before it ends.
    """
    one, other = a.exact, b.exact
    if one and other:
        return (relation(one, other),)
    return tuple(
        name
        for name in RELATIONS
        if (_possible(_ASKS[name], a, b) if name in _ASKS else _possible(_ASKS[_INVERSES[name]], b, a))
    )


def _possible(asks: Iterable[_Order], a: Bounds, b: Bounds) -> bool:
    """Tell whether some choice of the four ends within their bounds satisfies all orders.

    Each order and bound says how far one end may lie after another; they can all hold unless, added up around some
    circle, an end would have to lie before itself.
    """
    reach = [[0 if one == other else _NO_END * 9 for other in range(5)] for one in range(5)]

    def limit(later: int, earlier: int, most: int) -> None:
        reach[later][earlier] = min(reach[later][earlier], most)

    for end, (low, high) in enumerate((*_ranges(a), *_ranges(b))):
        limit(end, _ORIGIN, high)
        limit(_ORIGIN, end, -low)
    for earlier, later, most in (*asks, (_START, _END, _LATER), (_OTHER_START, _OTHER_END, _LATER)):
        limit(earlier, later, most)
        if most == _SAME:
            limit(later, earlier, most)
    for between, one, other in product(range(5), repeat=3):
        limit(one, other, reach[one][between] + reach[between][other])
    return all(reach[end][end] >= 0 for end in range(5))


def _ranges(bounds: Bounds) -> tuple[tuple[int, int], tuple[int, int]]:
    """Give the ticks between which an interval begins, and ends; no end lies after every instant."""
    begins = _ticks(bounds.from_earliest, 0), _ticks(bounds.from_latest, _NO_END - 1)
    if bounds.until_earliest is None:
        return begins, (_NO_END, _NO_END)
    return begins, (_ticks(bounds.until_earliest, 0), _ticks(bounds.until_latest, _NO_END - 1))


def _ticks(moment: datetime | None, unbounded: int) -> int:
    return unbounded if moment is None else (moment - LOWEST) // TICK


def _four(bounds: Bounds) -> tuple[datetime | None, ...]:
    return bounds.from_earliest, bounds.from_latest, bounds.until_earliest, bounds.until_latest
