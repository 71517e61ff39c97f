"""Withdrawing a source: what it says stays visible, flagged, and decides nothing from now on (R2)."""

from __future__ import annotations

from claimbase.errors import ClaimbaseError, ClaimStateError, UnknownSourceError, shown
from claimbase.ingest.decide import check_reason
from claimbase.ingest.verbs import VerbReport
from claimbase.sources import url_key
from claimbase.store import Db, Write, write


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
        number, uri, withdrawn, claims = _named(under_way, source)
        if withdrawn is not None:
            raise ClaimStateError(
                f"{shown(uri)} is withdrawn already: {shown(withdrawn)}", code="already_withdrawn", hint="nothing to do"
            )
        line = {"source_id": number, "reason": reason.strip(), "recorded_at": under_way.recorded_at}
        under_way.transaction.file("log/withdrawal", line)
    lost = f"{claims:,} claim{'s' if claims != 1 else ''} of it no longer count{'s' if claims == 1 else ''} as support"
    return VerbReport(
        "withdraw", f"{uri} is withdrawn: {lost}", batch=under_way.batch.batch_id if under_way.batch else None
    )


def _named(under_way: Write, source: str) -> tuple[int, str, str | None, int]:
    """Find a source by its address, in any spelling, or by its id."""
    address = _address(source)
    asked = {"address": address, "name": source.strip(), "recorded_by": under_way.recorded_at}
    found = under_way.transaction.file("queries/source_named", asked).rows
    if found:
        number, uri, withdrawn, claims = found[0]
        return number, uri, withdrawn, claims
    near = under_way.transaction.file("queries/sources_near", {"name": address or source.strip()})
    hint = ", ".join(f"{uri} ({key})" for uri, key in near)
    raise UnknownSourceError(
        f"the base has no source {shown(source)}", code="unknown_source",
        hint=f"nearest: {hint}" if hint else "kb.claims() names the source of each claim",
    )  # fmt: skip


def _address(source: str) -> str | None:
    try:
        return url_key(source)
    except ClaimbaseError:
        return None
