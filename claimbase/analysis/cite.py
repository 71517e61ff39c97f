"""Citations: everything a reader needs to check a claim, fetched for a list of versions in one query (Q4)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from decimal import Decimal
from operator import getitem, itemgetter
from typing import Any, TypeAlias

from claimbase.analysis.result import plain
from claimbase.pausing import without_collector
from claimbase.store import Db
from claimbase.temporal import Basis, Interval

WITHDRAWN = "source withdrawn"
"""How the flag of a withdrawn source begins; its reason follows (R2)."""
PORTION = 250_000
"""How many versions are cited by one statement: the rows of one lie in memory as they come."""
_NEVER = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Citation:
    """One version of a claim with its words, its source and its times.

    Args:
        value: as written; None where the content was erased.
        value_key: the canonical text that decides equality, with *unit* (V9).
        observed_at: the reading the quote was taken from.
        last_seen: when the source was last read and still said it, at the basis (Q9).
        flags: what a reader must be warned of: source withdrawn, derived from a withdrawn source (R2).
        from_earliest, from_latest, until_earliest, until_latest: the valid bounds; None = unbounded (T1).
    """

    claim_id: str
    provider: str
    subject: str
    predicate: str
    scope: Mapping[str, str]
    value: str | None
    value_key: str | None
    value_min: Decimal | None
    value_max: Decimal | None
    unit: str | None
    polarity: str
    complete: bool
    effective_from: str | None
    effective_until: str | None
    from_earliest: datetime | None
    from_latest: datetime | None
    until_earliest: datetime | None
    until_latest: datetime | None
    observed_at: datetime
    last_seen: datetime | None
    recorded_at: datetime
    retracted_at: datetime | None
    quote: str | None
    selector: str | None
    reasoning: str | None
    confidence: str | None
    source_id: str
    url: str
    title: str | None
    publisher: str | None
    published_at: datetime | None
    source_type: str | None
    authority: str | None
    derived_from: str | None
    flags: tuple[str, ...] = ()

    @property
    def certain(self) -> Interval | None:
        """Where the claim certainly holds, or None if nowhere (T2)."""
        if self.from_latest is None:
            return None
        open_or_later = self.until_earliest is None or self.from_latest < self.until_earliest
        return Interval(self.from_latest, self.until_earliest) if open_or_later else None

    @property
    def possible(self) -> Interval:
        """Where the claim may hold (T2)."""
        return Interval(self.from_earliest, self.until_latest)

    @property
    def withdrawn(self) -> bool:
        """Its source no longer counts as support (R2)."""
        return any(flag.startswith(WITHDRAWN) for flag in self.flags)

    @property
    def newest(self) -> datetime:
        """The newest observation of the claim at the basis."""
        return self.last_seen or self.observed_at

    def to_json(self) -> dict[str, Any]:
        """Give the citation as plain data."""
        return {item.name: plain(getattr(self, item.name)) for item in fields(self)}


_Reads: TypeAlias = dict[str, Callable[[Any], Any]]
# What the statement gives for each field, in the order of the fields.
_CELLS = tuple("source_no" if item.name == "flags" else item.name for item in fields(Citation))


def citations(db: Db, basis: Basis, versions: Iterable[int]) -> dict[int, Citation]:
    """Fetch the citations of some versions as the basis knows them.

    Args:
        db: the base.
        basis: decides what each source said of itself by then, and when each claim was last seen.
        versions: version ids.

    Returns:
        Citations by version id, newest observation first, ties by claim id and start (C16).
    """
    asked = sorted(set(versions))
    found: list[tuple[int, Citation]] = []
    with without_collector():
        for first in range(0, len(asked), PORTION):
            found.extend(_portion(db, basis, asked[first : first + PORTION]))
    found.sort(key=lambda one: (_content(one[1]), one[0]))  # versions that say the same, as they came in
    found.sort(key=lambda one: one[1].last_seen or _NEVER, reverse=True)
    return dict(found)


def _portion(db: Db, basis: Basis, versions: Sequence[int]) -> Iterator[tuple[int, Citation]]:
    axes = {"observed_by": basis.observed_by, "recorded_by": basis.recorded_by}
    found = db.file("queries/citations", {"versions": versions} | axes)
    version, source = found.columns.index("version_id"), found.columns.index("source_no")
    flags = dict(db.file("queries/flags", axes | {"sources": sorted({row[source] for row in found})}).rows)
    reads: _Reads = {"scope": json.loads, "source_no": lambda number: tuple(flags.get(number, ()))}
    columns = [_Once(reads.get(name, _as_it_is)) for name in _CELLS]
    cells = itemgetter(*map(found.columns.index, _CELLS))
    for row in found:
        yield row[version], Citation(*map(getitem, columns, cells(row)))


class _Once(dict[Any, Any]):
    """What each distinct cell of a column is read as: what many claims share is held once for all of them."""

    def __init__(self, read: Callable[[Any], Any]) -> None:
        self._read = read

    def __missing__(self, cell: Any) -> Any:
        return self.setdefault(cell, self._read(cell))


def _as_it_is(cell: Any) -> Any:
    return cell


def _content(one: Citation) -> tuple[Any, ...]:
    """Order by claim and start: no earliest start is the first, no start the last."""
    earliest, newest = one.from_earliest, one.from_latest
    return (one.claim_id, earliest is not None, earliest or _NEVER, newest is None, newest or _NEVER)
