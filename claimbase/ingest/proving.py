"""Proving: binding quotes to texts as read, and logging how each was found (evidence §2, §4)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from claimbase.claims import claim_id
from claimbase.errors import UnknownSourceError, shown
from claimbase.evidence.align import SourceText, align, profile_sha256
from claimbase.evidence.model import Hint, Match, evidence_key
from claimbase.evidence.terms import RULE, QuoteStatus, Role
from claimbase.store import Transaction, Write

_ELSEWHERE_MOST = 50  # texts searched for a quote that its own text does not hold (N11)
_SEARCHES_MOST = 1_000  # such searches in one write; a receipt searches again


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quote about to be bound to a text.

    Args:
        claim_no: the claim it speaks for.
        rank: 0 for the claim's own quote; None = after all others of the claim.
        minted_by: who found it.
        more: page, bbox, selector, observed_value, reasoning.
    """

    claim_no: int
    snapshot_id: str
    quote: str
    role: str = Role.SUPPORTS.value
    rank: int | None = None
    minted_by: str = "claimbase"
    hint: Hint | None = None
    more: Mapping[str, Any] | None = None


def texts(transaction: Transaction, snapshots: Iterable[str]) -> dict[str, SourceText]:
    """Fetch texts as read, each ready to be searched."""
    found = transaction.file("queries/texts", {"snapshots": sorted(set(snapshots))})
    return {snapshot: SourceText(text, profile) for snapshot, text, profile in found}


def bind(under_way: Write, sources: Sequence[int] | None = None) -> int:
    """Bind claims' own quotes to texts of their sources, where they are not bound yet.

    The text read when the claim was read decides, whatever it says. Another text of the source proves the claim only
    where the quote stands in it: that it does not says nothing of the page as it was.

    Args:
        under_way: the write.
        sources: numbers of the sources to look at; None = all.

    Returns:
        How many quotes were bound.
    """
    found = under_way.transaction.file(
        "queries/unbound_quotes", {"sources": None if sources is None else list(sources)}
    )
    held = texts(under_way.transaction, (row[2] for row in found))
    pairs = []
    for claim_no, quote, snapshot, same_reading in found:
        match = align(quote, held[snapshot])
        if same_reading or match.status == QuoteStatus.VERIFIED:
            pairs.append((Quoted(claim_no, snapshot, quote, rank=0), match))
    return log_evidence(under_way, pairs, held)


class Text:
    """The text that a load's claims were read from: rows whose quote it does not hold are refused (X47)."""

    def __init__(self, under_way: Write, snapshot: str) -> None:
        self._under_way, self._snapshot = under_way, snapshot
        self._held = texts(under_way.transaction, [snapshot])
        if snapshot not in self._held:
            raise UnknownSourceError(
                f"the base has no snapshot {shown(snapshot)}", code="unknown_snapshot", hint="ingest the page first"
            )
        self._matches: dict[str, Match] = {}

    def refuse(self) -> None:
        """Mark the staged rows whose words do not stand in the text, or that name another source."""
        refused = []
        rows = self._under_way.transaction.file("ingest/quoted_rows", {"snapshot_id": self._snapshot})
        for row, quote, same_source in rows:
            match = self._found(quote)
            if not same_source:
                told = ("EvidenceError.other_source", "the text was read from another source than the claim names")
            elif match.status != QuoteStatus.VERIFIED:
                told = ("QuoteNotFoundError.quote_not_found", unfound(match))
            else:
                continue
            refused.append({"row": row, "code": told[0], "message": told[1]})
        if refused:
            self._under_way.transaction.file("ingest/unfound", {"rows": json.dumps(refused)})

    def bind(self) -> int:
        """Bind the quotes of the accepted rows to the text."""
        rows = self._under_way.transaction.file("ingest/accepted_quotes")
        pairs = [(Quoted(number, self._snapshot, quote, rank=0), self._found(quote)) for number, quote in rows]
        return log_evidence(self._under_way, pairs, self._held)

    def _found(self, quote: str) -> Match:
        if quote not in self._matches:
            self._matches[quote] = align(quote, self._held[self._snapshot])
        return self._matches[quote]


def unfound(match: Match) -> str:
    """Say in words how a quote does not stand in its text, and what differs."""
    changed = "; ".join(f"{one.kind}: {shown(one.quote)} is {shown(one.source)}" for one in match.changes)
    nearest = f"; nearest: {shown(match.closest, 200)}" if match.closest else ""
    return f"the quote does not stand in the text that was read: {match.status}{nearest}" + (
        changed and f" ({changed})"
    )


def log_evidence(under_way: Write, pairs: Sequence[tuple[Quoted, Match]], held: Mapping[str, SourceText]) -> int:
    """Log bound quotes and how each was found.

    Returns:
        How many are new.
    """
    if not pairs:
        return 0
    keyed = [(evidence_row(quoted, match), match, held[quoted.snapshot_id]) for quoted, match in pairs]
    at = {"recorded_at": under_way.recorded_at}
    new = under_way.transaction.number("log/evidence", at | {"rows": json.dumps([row for row, _, _ in keyed])})
    log_checks(
        under_way, [(row["evidence_id"], row["snapshot_id"], row["quote"], match, text) for row, match, text in keyed]
    )
    return new


def log_checks(under_way: Write, checks: Sequence[tuple[str, str, str, Match, SourceText]]) -> int:
    """Log how quotes were found; what the newest check of a quote says already is no news.

    Args:
        under_way: the write.
        checks: evidence id, snapshot id, quote, match and text of each.

    Returns:
        How many checks are news.
    """
    elsewhere = _Elsewhere(under_way.transaction)
    rows = [
        check_row(evidence, match, text, elsewhere.found(snapshot, quote) if elsewhere.asked(match) else ())
        for evidence, snapshot, quote, match, text in checks
    ]
    given = {"rows": json.dumps(rows), "rule": RULE, "recorded_at": under_way.recorded_at}
    return under_way.transaction.number("log/quote_checks", given)


def evidence_row(quoted: Quoted, match: Match) -> dict[str, Any]:
    """Lay out one piece of evidence as a row of the log."""
    more = dict(quoted.more or {})
    key = evidence_key(claim_id(quoted.claim_no), quoted.snapshot_id, quoted.quote, match.start)
    return more | {
        "evidence_id": key, "claim_no": quoted.claim_no, "snapshot_id": quoted.snapshot_id, "role": quoted.role,
        "rank": quoted.rank, "quote": quoted.quote, "prefix": match.prefix, "suffix": match.suffix,
        "start_char": match.start, "end_char": match.end, "minted_by": quoted.minted_by,
    }  # fmt: skip


def check_row(evidence_id: str, match: Match, text: SourceText, found_in: Sequence[str] = ()) -> dict[str, Any]:
    """Lay out one check as a row of the log."""
    changes = [
        {"kind": one.kind, "severity": one.severity, "quote": one.quote, "source": one.source} for one in match.changes
    ]
    return {
        "evidence_id": evidence_id, "profile_sha256": profile_sha256(text.profile), "status": match.status,
        "tier": match.tier, "ratio": match.ratio, "match_start": match.start, "match_end": match.end,
        "occurrences": match.occurrences, "prefix": match.prefix, "suffix": match.suffix, "closest": match.closest,
        "edit_distance": match.edit_distance, "changes": json.dumps(changes, ensure_ascii=False),
        "flags": list(match.flags), "found_in": list(found_in),
    }  # fmt: skip


class _Elsewhere:
    """Other texts of the base, looked through only once a quote is not found in its own (N11)."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._texts: dict[str, SourceText] | None = None
        self._left = _SEARCHES_MOST

    def asked(self, match: Match) -> bool:
        return self._left > 0 and match.status in (QuoteStatus.ALTERED, QuoteStatus.NOT_FOUND)

    def found(self, own: str, quote: str) -> tuple[str, ...]:
        if self._texts is None:
            held = [row[0] for row in self._transaction.file("queries/newest_texts", {"most": _ELSEWHERE_MOST})]
            self._texts = texts(self._transaction, held)
        self._left -= len(self._texts)
        return tuple(
            name for name, text in self._texts.items()
            if name != own and align(quote, text).status == QuoteStatus.VERIFIED
        )  # fmt: skip
