"""Erasing: a claim's content leaves the base at every basis; its place, the reason and its lines' digests stay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from claimbase.claims import claim_number
from claimbase.ingest.decide import check_reason, log_decision, named
from claimbase.ingest.derive import derive
from claimbase.ingest.verbs import VerbReport, changed_versions
from claimbase.store import Db, Write, rewriting, unguarded, write

# In this order: checks are found by the evidence; words and values stay where another claim rests on them.
_REMOVED = (
    "remove_quote_check", "remove_evidence_event", "remove_claim_check",
    "remove_support_check", "remove_review", "remove_evidence", "remove_lines", "remove_claim", "remove_meaning",
    "remove_statement", "remove_quotes", "remove_values",
)  # fmt: skip


def erase(db: Db, claim: str, *, reason: str) -> VerbReport:
    """Remove a claim's content for good, at every basis; what rested on it is derived again (W1, W6).

    One batch: the decision, the versions that follow without the claim, the tombstone; then the content is removed. The
    file of a base is written anew, because what is only deleted stays readable in it.

    Args:
        db: the base.
        claim: the claim's id; it need not stand any more.
        reason: the law or the licence that asks for it.

    Raises:
        ClaimNotFoundError: the base never held such a claim.
        ClaimStateError: [erased] it was erased before.
        InputError: [no_reason].
        StoreError: [read_only], [in_transaction].
    """
    check_reason(reason)
    number = {"claim_no": claim_number(claim)}
    with rewriting(db), write(db, "erase") as under_way:
        named(under_way, claim)
        versions = _decided(under_way, number, reason.strip())
        with unguarded(under_way.transaction):
            _remove(under_way, number, reason.strip())
    batch = under_way.batch.batch_id if under_way.batch else None
    words = f"{claim} is erased; copies and backups made before still hold it"
    return VerbReport("erase", words, claim, versions=versions, batch=batch)


def _decided(under_way: Write, number: Mapping[str, int], reason: str) -> tuple[Mapping[str, Any], ...]:
    """Log the decision and derive what follows from the log without the claim."""
    transaction = under_way.transaction
    log_decision(under_way, {**number, "kind": "erase", "decided_at": under_way.recorded_at, "reason": reason})
    transaction.file("log/touched_claim", number)
    derive(under_way)
    return changed_versions(under_way)


def _remove(under_way: Write, number: Mapping[str, int], reason: str) -> None:
    """Take the content out and put up the tombstone, which keeps the digest of every row that went."""
    transaction, at = under_way.transaction, {"recorded_at": under_way.recorded_at}
    for part in ("place", "words", "emptied"):
        transaction.file(f"erase/{part}", number)
    transaction.file("erase/lines", {**number, **at})
    transaction.file("erase/leaves_before", at)
    for part in ("remove_texts", "remove_receipts"):
        transaction.file(f"erase/{part}")
    for part in _REMOVED:
        transaction.file(f"erase/{part}", number)
    transaction.file("erase/tombstone", {**at, "reason": reason})
