"""Observing: we read the page again and say how we found it (W2)."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from claimbase.claims import claim_number
from claimbase.errors import ClaimNotFoundError, InputError, shown
from claimbase.ingest.derive import derive
from claimbase.ingest.load import reading_moment
from claimbase.store import Db, write

Outcome = Literal["confirmed", "quote_missing", "unreachable"]
_KINDS: dict[str, str] = {"confirmed": "said", "quote_missing": "gone", "unreachable": "unreachable"}


def observe(db: Db, claim_id: str, outcome: Outcome, observed_at: str | datetime) -> tuple[int, int]:
    """Log a further reading of a claim and derive what follows.

    Args:
        db: the base.
        claim_id: the claim.
        outcome: confirmed (the quote stands), quote_missing (its end becomes unknown, W2) or unreachable (nothing).
        observed_at: when the page was read.

    Returns:
        How many versions were inserted and retracted.

    Raises:
        ClaimNotFoundError: the base has no such claim.
        InputError: [unknown_outcome].
        InstantError: [future_observation] (B5).
    """
    if outcome not in _KINDS:
        raise InputError(f"{shown(outcome)} is no outcome", code="unknown_outcome", hint=", ".join(_KINDS))
    number = claim_number(claim_id)
    with write(db, f"observe {outcome}") as under_way:
        transaction = under_way.transaction
        moment = reading_moment(observed_at, under_way.recorded_at)
        if not transaction.file("queries/statement", {"claim_no": number}).rows:
            raise ClaimNotFoundError(f"the base holds no claim {claim_id}", hint="kb.claims() lists them")
        reading = {"claim_no": number, "kind": _KINDS[outcome], "observed_at": moment}
        transaction.file("log/observed", reading)
        at = {"recorded_at": under_way.recorded_at}
        transaction.file("ingest/whole_reading")
        transaction.file("log/append_entries", at)
        transaction.file("log/readings")
        transaction.file("log/append_readings", at)
        transaction.file("log/touched")
        return derive(under_way)
