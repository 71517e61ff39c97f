"""Citations: everything a reader needs to check a claim, fetched for a list of versions in one query (Q4)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from decimal import Decimal
from typing import Any

from claimbase.analysis.result import plain
from claimbase.store import Db
from claimbase.temporal import Basis, Interval

WITHDRAWN = "source withdrawn"
"""How the flag of a withdrawn source begins; its reason follows (R2)."""


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
    if not asked:
        return {}
    axes = {"observed_by": basis.observed_by, "recorded_by": basis.recorded_by}
    found = db.file("queries/citations", {"versions": asked} | axes).dicts()
    flags = dict(db.file("queries/flags", axes | {"sources": sorted({row["source_no"] for row in found})}).rows)
    return {row["version_id"]: _citation(row, flags.get(row["source_no"], ())) for row in found}


def _citation(row: dict[str, Any], flags: Iterable[str]) -> Citation:
    row["scope"], row["flags"] = json.loads(row["scope"]), tuple(flags)
    return Citation(**{item.name: row[item.name] for item in fields(Citation)})
