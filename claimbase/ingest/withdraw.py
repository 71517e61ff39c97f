"""Withdrawing a source: what it says stays visible, flagged, and decides nothing from now on (R2)."""

from __future__ import annotations

from claimbase.errors import ClaimStateError, shown
from claimbase.ingest.decide import check_reason
from claimbase.ingest.naming_sources import source_named
from claimbase.ingest.verbs import VerbReport
from claimbase.store import Db, write


def withdraw(db: Db, source: str, *, reason: str) -> VerbReport:
    """Stop counting a source as support, from this batch on (R2).

    Its claims stay visible and flagged but decide no verdict and no contradiction; claims of sources derived from it
    are flagged and still decide. What was known earlier stays as it was (A3).

    Args:
        db: the base.
        source: its address or id.
        reason: why; shown wherever it is cited.

    Raises:
        UnknownSourceError: [unknown_source] the base has no such source.
        ClaimStateError: [already_withdrawn].
        InputError: [no_reason].
    """
    check_reason(reason)
    with write(db, "retract source") as under_way:
        found = source_named(under_way.transaction, source, under_way.recorded_at)
        if found.withdrawn is not None:
            raise ClaimStateError(
                f"{shown(found.uri)} is withdrawn already: {shown(found.withdrawn)}", code="already_withdrawn",
                hint="nothing to do",
            )  # fmt: skip
        about = {"source_id": found.number}
        claims = under_way.transaction.number("queries/source_claims", about | {"recorded_by": under_way.recorded_at})
        line = about | {"reason": reason.strip(), "recorded_at": under_way.recorded_at}
        under_way.transaction.file("log/withdrawal", line)
    lost = f"{claims:,} claim{'s' if claims != 1 else ''} of it no longer count{'s' if claims == 1 else ''} as support"
    return VerbReport(
        "withdraw", f"{found.uri} is withdrawn: {lost}", batch=under_way.batch.batch_id if under_way.batch else None
    )
