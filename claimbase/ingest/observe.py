"""Observing: we read the page again and say how we found it (W2, T8)."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from claimbase.claims import claim_id
from claimbase.errors import ClaimStateError, InputError, shown
from claimbase.ingest.append import log_readings, reading_moment
from claimbase.ingest.decide import about, check_slot, check_source, log_decision, named, taken
from claimbase.ingest.derive import derive
from claimbase.ingest.load import enter
from claimbase.ingest.successor import ClaimInput, Row, replaced
from claimbase.ingest.verbs import VerbReport, changed_versions
from claimbase.store import Db, Write, write
from claimbase.temporal import iso
from claimbase.vocabulary import Vocabulary

Outcome = Literal["confirmed", "quote_missing", "changed", "unreachable"]
_KINDS: dict[str, str] = {
    "confirmed": "said", "quote_missing": "gone", "changed": "gone", "unreachable": "unreachable",
}  # fmt: skip
_WORDS = {
    "confirmed": "still says", "quote_missing": "no longer shows", "changed": "changed and no longer shows",
    "unreachable": "could not be read for",
}  # fmt: skip


def observe(
    db: Db,
    vocabulary: Vocabulary,
    claim: str,
    outcome: Outcome,
    observed_at: str | datetime,
    *,
    successor: ClaimInput | None = None,
    reason: str | None = None,
) -> VerbReport:
    """Log a further reading of a claim's page and derive what follows.

    Args:
        db: the base.
        vocabulary: how a successor is read.
        claim: the claim's id.
        outcome: confirmed (the quote stands), quote_missing (its end becomes unknown, W2), changed (the successor
            stands in its place, T8; without one as quote_missing, and a review opens) or unreachable (nothing).
        observed_at: when the page was read.
        successor: the claim that now stands, from the same source.
        reason: why, for the log.

    Raises:
        ClaimNotFoundError: the base has no such claim.
        ClaimStateError: the claim was retracted or corrected.
        InputError: [unknown_outcome], [needless_successor], [other_slot], [other_source], [other_reading].
        InstantError: [future_observation] (B5).
    """
    if outcome not in _KINDS:
        raise InputError(f"{shown(outcome)} is no outcome", code="unknown_outcome", hint=", ".join(_KINDS))
    if successor is not None and outcome != "changed":
        raise InputError(
            f"a page found {outcome} has no successor", code="needless_successor", hint="use the outcome changed"
        )
    with write(db, f"observe {outcome}") as under_way:
        moment = reading_moment(observed_at, under_way.recorded_at)
        old = named(under_way, claim)
        if not old["versions"] and old["decided"]:
            raise ClaimStateError(
                f"{about(old)} was withdrawn", code="not_standing", hint="add it again with the words that state it"
            )
        new = None if successor is None else _enter(under_way, vocabulary, old, successor, moment)
        if new is None or new["claim_no"] == old["claim_no"]:
            _log_reading(under_way, old, "said" if new else _KINDS[outcome], moment)
            if outcome == "changed" and new is None:
                _open_review(under_way, old, moment, reason)
            new = None
        else:
            _log_change(under_way, old, new, moment, reason)
        derive(under_way)
        versions = changed_versions(under_way)
    instead = f"; it says {shown(new['value'])} instead" if new else ""
    words = f"read at {iso(moment)}, the page {_WORDS[outcome]} {about(old)}{instead}"
    batch = under_way.batch.batch_id if under_way.batch else None
    other = claim_id(new["claim_no"]) if new else None
    return VerbReport("observe", words, claim_id(old["claim_no"]), other, versions, batch)


def _enter(under_way: Write, vocabulary: Vocabulary, old: Row, successor: ClaimInput, moment: datetime) -> Row:
    """Enter the claim that stands in the old one's place, as read at that moment."""
    given = replaced(old, successor)
    stated = given.setdefault("observed_at", moment)
    if reading_moment(stated, under_way.recorded_at) != moment:
        raise InputError(
            "the successor was read at another instant than the page", code="other_reading",
            hint="leave its observed_at out",
        )  # fmt: skip
    new = enter(under_way, vocabulary, given | {"observed_at": moment}, said=True)
    if new["claim_no"] != old["claim_no"]:
        check_slot(old, new)
        check_source(old, new)
    return new


def _log_reading(under_way: Write, old: Row, kind: str, moment: datetime) -> None:
    transaction = under_way.transaction
    transaction.file("log/observed", {"claim_no": old["claim_no"], "kind": kind, "observed_at": moment})
    transaction.file("ingest/whole_reading")
    log_readings(under_way)


def _log_change(under_way: Write, old: Row, new: Row, moment: datetime, reason: str | None) -> None:
    decision = {
        "kind": "changed", "claim_no": old["claim_no"], "other_no": new["claim_no"], "observed_at": moment,
    }  # fmt: skip
    if not taken(under_way, decision):
        log_decision(under_way, {**decision, "decided_at": under_way.recorded_at, "reason": reason})
        if not under_way.transaction.number("derive/any_touched"):  # the successor was read there before
            under_way.transaction.file("log/touched_claim", {"claim_no": old["claim_no"]})


def _open_review(under_way: Write, old: Row, moment: datetime, reason: str | None) -> None:
    if under_way.transaction.file("log/any_new_entry").rows[0][0]:
        why = reason or "the page changed and its successor was not named"
        opened = {"claim_no": old["claim_no"], "observed_at": moment, "reason": why}
        under_way.transaction.file("log/review", opened | {"recorded_at": under_way.recorded_at})
