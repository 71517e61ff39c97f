"""Comparing two receipts row by row; of a replay, what differs from the receipt that was made (evidence §6.6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from claimbase.analysis.result import Result
from claimbase.present.words import counted
from claimbase.receipts.model import Receipt

_APART = ("id", "created_at", "ledger")  # these differ whenever a receipt is made again
_FIRST = ("engine", "as_of", "policy", "inputs")  # what explains the differences below it
_KEYS = {
    "inputs.snapshots": ("snapshot_id",),
    "checks": ("name",),
    "claims.rows": ("claim_id",),
    "quotes.rows": ("evidence_id",),
    "support.rows": ("pair_index",),
    "retractions.rows": ("doi",),
    "independence.rows": ("voice_id",),
    "independence.claims": ("claim_id",),
    "freshness.rows": ("claim_id",),
    "contradictions.rows": ("contradiction_id",),
    "coverage.rows": ("subject", "predicate"),
    "unresolved": ("claim_id", "question"),
    "repair": ("evidence_id",),
    "review.decisions": ("task_id",),
}


@dataclass(frozen=True, slots=True)
class Difference:
    """One value that differs.

    Args:
        part: of the receipt, such as quotes.rows.
        row: the id of the row there; None outside of rows.
        field: of the row or part; None where one of the receipts lacks the row.
        before, after: the values, as plain data; None where there is none.
    """

    part: str
    row: str | None
    field: str | None
    before: Any
    after: Any

    def to_json(self) -> dict[str, Any]:
        """Give the difference as plain data."""
        return {name: getattr(self, name) for name in Comparison.COLUMNS}


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(Result):
    """What differs between two receipts: what made them first, then their rows.

    Args:
        before, after: the ids of both.
        differences: in the order of the parts.
    """

    before: str
    after: str
    differences: tuple[Difference, ...]

    COLUMNS: ClassVar[tuple[str, ...]] = ("part", "row", "field", "before", "after")

    @property
    def same(self) -> bool:
        """Whether nothing differs."""
        return not self.differences

    @property
    def engine(self) -> tuple[Difference, ...]:
        """What differs in the software and the rules."""
        return tuple(one for one in self.differences if one.part == "engine")

    @property
    def summary(self) -> str:
        """Say the result in one sentence."""
        if self.same:
            return f"{self.before} and {self.after} say the same"
        rows = {(one.part, one.row) for one in self.differences if one.row is not None}
        told = [counted(len(self.differences), "difference"), f"in {counted(len(rows), 'row')}"]
        made = f"; made by another engine: {', '.join(str(one.field) for one in self.engine)}" if self.engine else ""
        return f"{' '.join(told)}{made}"

    def rows(self) -> list[dict[str, Any]]:
        """Give one row per value that differs, those of the engine first."""
        return [one.to_json() for one in self.differences]

    def to_json(self) -> dict[str, Any]:
        """Give the result as plain data."""
        return {
            "summary": self.summary, "before": self.before, "after": self.after, "same": self.same,
            "differences": self.rows(),
        }  # fmt: skip


def compared(before: Receipt, after: Receipt) -> Comparison:
    """Compare two receipts, each row with the row of the same id.

    When a receipt was made, its id and where it is stored do not count.

    Args:
        before: the one that was made, or the older one.
        after: the one made again, or the newer one.
    """
    one, other = before.to_json(), after.to_json()
    names = [*_FIRST, *(name for name in one if name not in _FIRST and name not in _APART)]
    found = [difference for name in names for difference in _differences(name, one[name], other[name])]
    return Comparison(before.id, after.id, tuple(found))


def _differences(part: str, one: Any, other: Any) -> Iterator[Difference]:
    """Compare one part: rows by their ids, other data value by value."""
    if part in _KEYS:
        yield from _rows(part, _keyed(part, one), _keyed(part, other))
    elif isinstance(one, Mapping) and isinstance(other, Mapping):
        for name in dict.fromkeys((*one, *other)):
            if f"{part}.{name}" in _KEYS:
                yield from _differences(f"{part}.{name}", one.get(name), other.get(name))
            elif one.get(name) != other.get(name):
                yield Difference(part, None, name, one.get(name), other.get(name))
    elif one != other:
        yield Difference(part, None, None, one, other)


def _keyed(part: str, rows: Sequence[Mapping[str, Any]] | None) -> dict[str, Mapping[str, Any]]:
    return {" · ".join(str(row[name]) for name in _KEYS[part]): row for row in rows or ()}


def _rows(
    part: str, one: Mapping[str, Mapping[str, Any]], other: Mapping[str, Mapping[str, Any]]
) -> Iterator[Difference]:
    for key in sorted({*one, *other}):
        if key not in one or key not in other:
            yield Difference(part, key, None, one.get(key), other.get(key))
            continue
        for name, value in one[key].items():
            if value != other[key][name]:
                yield Difference(part, key, name, value, other[key][name])
