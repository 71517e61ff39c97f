"""Rechecking a source: the page was read again; every quote that rests on it is looked for in the new text (W2)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from claimbase.claims import claim_id
from claimbase.errors import shown
from claimbase.evidence.align import SourceText, align
from claimbase.evidence.model import Hint, Match
from claimbase.evidence.terms import QuoteStatus
from claimbase.ingest.append import log_readings, reading_moment
from claimbase.ingest.derive import derive
from claimbase.ingest.proving import bind, texts
from claimbase.ingest.snapshots import IngestResult, ingest
from claimbase.ingest.verbs import changed_versions
from claimbase.store import Db, Write, write

# What a finding says of the claim, as an entry of the log; an ambiguous quote still stands there.
_KINDS = {"same": "said", "moved": "said", "altered": "gone", "gone": "gone", "unreachable": "unreachable"}


@dataclass(frozen=True, slots=True)
class Found:
    """How one quote stands in the page as it is now.

    Args:
        outcome: same, moved, altered, gone, or unreachable where the page could not be read.
        was, now: where it began, in code points of the text before and of the text now.
        changes: the words that differ.
    """

    claim_id: str
    evidence_id: str | None
    quote: str
    outcome: str
    was: int | None
    now: int | None
    changes: tuple[Mapping[str, str], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Give it as plain data."""
        names = ("claim_id", "evidence_id", "quote", "outcome", "was", "now")
        return {name: getattr(self, name) for name in names} | {"changes": [dict(one) for one in self.changes]}


@dataclass(frozen=True, slots=True)
class Recheck:
    """What reading a page again found: the reading, each quote, and the versions that changed."""

    reading: IngestResult
    found: tuple[Found, ...]
    versions: tuple[Mapping[str, Any], ...]
    batch: int | None

    @property
    def counts(self) -> dict[str, int]:
        """How many quotes were found how."""
        outcomes = [one.outcome for one in self.found]
        return {name: outcomes.count(name) for name in _KINDS if name in outcomes}

    @property
    def words(self) -> str:
        """Say it in one sentence."""
        told = ", ".join(f"{number} {name}" for name, number in self.counts.items()) or "no quote rests on it"
        return f"{self.reading.source_id} {self.reading.disposition}: {told}"

    def __str__(self) -> str:
        return self.words

    def to_json(self) -> dict[str, Any]:
        """Give it as plain data."""
        return {
            "words": self.words, "disposition": self.reading.disposition, "source_id": self.reading.source_id,
            "snapshot_id": self.reading.snapshot_id, "counts": self.counts,
            "found": [one.to_json() for one in self.found], "batch": self.batch,
        }  # fmt: skip


def recheck(db: Db, source: str, text: str | bytes | None, *, observed_at: str | datetime, **options: Any) -> Recheck:
    """Read a page again and say of every claim that rests on it how its quote stands (W2).

    A quote found, in its place or moved, confirms its claim. One that is altered or gone leaves the claim unconfirmed
    from this reading on and opens a review; nothing is anchored anew. A refused or failed reading closes nothing.

    Args:
        db: the base.
        source: its id or address.
        text: the page as it is now; None = it could not be read.
        observed_at: when it was read.
        options: accept, profile, media_type and what else :func:`claimbase.ingest.snapshots.ingest` takes.

    Raises:
        UnknownSourceError, InstantError, LimitError.
    """
    reading = ingest(db, text, uri=source, observed_at=observed_at, refuse="report", known=True, **options)
    with write(db, "source recheck") as under_way:
        moment = reading_moment(observed_at, under_way.recorded_at)
        number = under_way.transaction.number("queries/source_number", {"source_id": reading.source_id})
        asked = {
            "source_id": number, "observed_at": moment, "observed_by": under_way.recorded_at,
            "recorded_by": under_way.recorded_at,
        }  # fmt: skip
        claims = under_way.transaction.file("queries/claims_of_source", asked).dicts()
        page = _page(under_way, reading)
        found = tuple(_found(row, page) for row in claims)
        _log(under_way, moment, claims, found)
        if reading.accepted:
            bind(under_way, [number])
        versions = changed_versions(under_way)
    return Recheck(reading, found, versions, under_way.batch.batch_id if under_way.batch else None)


def _page(under_way: Write, reading: IngestResult) -> SourceText | None:
    if not reading.accepted or reading.snapshot_id is None:
        return None
    return texts(under_way.transaction, [reading.snapshot_id])[reading.snapshot_id]


def _found(row: Mapping[str, Any], page: SourceText | None) -> Found:
    about = (claim_id(row["claim_no"]), row["evidence_id"], row["quote"])
    if page is None:
        return Found(*about, "unreachable", row["start_char"], None)
    match = align(row["quote"], page, Hint(row["prefix"], row["suffix"], row["start_char"]))
    changes = tuple({"kind": one.kind.value, "quote": one.quote, "source": one.source} for one in match.changes)
    return Found(*about, _outcome(match, row["start_char"]), row["start_char"], match.start, changes)


def _outcome(match: Match, was: int | None) -> str:
    if match.status in (QuoteStatus.VERIFIED, QuoteStatus.AMBIGUOUS):
        return "same" if was is None or match.start == was else "moved"
    return "altered" if match.status == QuoteStatus.ALTERED else "gone"


def _log(under_way: Write, moment: datetime, claims: list[dict[str, Any]], found: tuple[Found, ...]) -> None:
    """Log what the reading says of each claim, open reviews for what changed or went, and derive what follows."""
    told = list(zip(claims, found, strict=True))
    rows = [{"claim_no": row["claim_no"], "kind": _KINDS[one.outcome]} for row, one in told]
    transaction = under_way.transaction
    transaction.file("log/rechecked", {"rows": json.dumps(rows), "observed_at": moment})
    transaction.file("ingest/whole_reading")
    log_readings(under_way)
    derive(under_way)
    opened = [
        {"claim_no": row["claim_no"], "reason": _reason(one)} for row, one in told if one.outcome in ("altered", "gone")
    ]
    given = {"rows": json.dumps(opened), "observed_at": moment, "recorded_at": under_way.recorded_at}
    transaction.file("log/reviews", given)


def _reason(found: Found) -> str:
    if found.outcome == "gone":
        return "the quote is gone"
    return "the quote changed: " + "; ".join(
        f"{shown(one['quote'])} is {shown(one['source'])}" for one in found.changes
    )
