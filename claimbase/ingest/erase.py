"""Erasing: a claim's content leaves the base at every basis; its place, the reason and its lines' digests stay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from claimbase.claims import claim_number
from claimbase.ingest.decide import check_reason, log_decision, named
from claimbase.ingest.derive import derive
from claimbase.ingest.verbs import VerbReport, changed_versions
from claimbase.store import Db, Write, rewriting, write

# Words and values go last: they stay where another claim rests on them.
_REMOVED = (
    "remove_lines", "remove_claim", "remove_meaning", "remove_statement", "remove_quotes", "remove_values",
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
        for part in _REMOVED:
            under_way.transaction.file(f"erase/{part}", number)
    batch = under_way.batch.batch_id if under_way.batch else None
    words = f"{claim} is erased; copies and backups made before still hold it"
    return VerbReport("erase", words, claim, versions=versions, batch=batch)


def _decided(under_way: Write, number: Mapping[str, int], reason: str) -> tuple[Mapping[str, Any], ...]:
    """Log the decision, derive what follows from the log without the claim, put up the tombstone."""
    transaction, at = under_way.transaction, {"recorded_at": under_way.recorded_at}
    log_decision(under_way, {**number, "kind": "erase", "decided_at": under_way.recorded_at, "reason": reason})
    transaction.file("log/touched_claim", number)
    derive(under_way)
    versions = changed_versions(under_way)
    transaction.file("erase/words", number)
    transaction.file("erase/lines", {**number, **at})
    transaction.file("erase/tombstone", {**number, **at, "reason": reason})
    return versions
