"""Deciding about claims: supersede, correct, retract (W1, W6). Decisions are logged; the versions follow (B1)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypeAlias

from claimbase.claims import claim_id, claim_number
from claimbase.errors import ClaimNotFoundError, ClaimStateError, InputError, InstantError, IntervalError, shown
from claimbase.ingest.derive import derive
from claimbase.ingest.load import enter
from claimbase.ingest.successor import ClaimInput, Row, corrected, replaced
from claimbase.ingest.verbs import VerbReport, changed_versions, check_not_erased
from claimbase.store import Db, Write, write
from claimbase.temporal import iso, read_instant
from claimbase.vocabulary import Vocabulary

Given: TypeAlias = str | datetime

_SLOT = ("subject_id", "predicate_id", "scope_id")


def supersede(
    db: Db,
    vocabulary: Vocabulary,
    claim: str,
    successor: ClaimInput,
    *,
    at: Given | None = None,
    reason: str | None = None,
    decided_at: Given | None = None,
) -> VerbReport:
    """Log that the world changed: one claim ends where its successor begins (W6).

    Args:
        db: the base.
        vocabulary: how the successor is read.
        claim: the id of the claim that ends.
        successor: the claim that begins; its observed_at is when we learned of it.
        at: when; None = where the successor states that it begins.
        reason: why, for the log.
        decided_at: when it was decided; None = now.

    Raises:
        ClaimNotFoundError, ClaimStateError, IntervalError, InputError, InstantError.
    """
    with write(db, "supersede") as under_way:
        moment = _decided(under_way, decided_at)
        old = named(under_way, claim)
        new = enter(under_way, vocabulary, replaced(old, successor), said=True)
        start = _change(new, at)
        check_slot(old, new)
        decision = {
            "kind": "supersede", "claim_no": old["claim_no"], "other_no": new["claim_no"], "effective_at": start,
            "observed_at": new["observed_at"],
        }  # fmt: skip
        if not taken(under_way, decision):
            check_stands(old)
            _check_change(old, start)
            _log(under_way, old, decision, moment, reason)
        versions = _derived(under_way)
    words = (
        f"{about(old)} ends at {iso(start)} and {shown(new['value'])} begins there; "
        f"known from the reading of {iso(new['observed_at'])} on"
    )
    return _report(under_way, "supersede", words, versions, old, new)


def correct(
    db: Db,
    vocabulary: Vocabulary,
    claim: str,
    successor: ClaimInput,
    *,
    reason: str | None = None,
    decided_at: Given | None = None,
) -> VerbReport:
    """Log that a claim was recorded wrongly: its readings up to the decision count as the other claim's (B6).

    Args:
        db: the base.
        vocabulary: how the successor is read.
        claim: the id of the claim that was wrong.
        successor: what its source says in truth.
        reason: why, for the log.
        decided_at: when it was decided; None = now.

    Raises:
        ClaimNotFoundError, ClaimStateError, InputError, InstantError.
    """
    with write(db, "correct") as under_way:
        moment = _decided(under_way, decided_at)
        old = named(under_way, claim)
        new = enter(under_way, vocabulary, corrected(old, successor), said=False)
        check_slot(old, new)
        check_source(old, new)
        decision = {"kind": "correct", "claim_no": old["claim_no"], "other_no": new["claim_no"]}
        # readings made since an equal decision are not covered by it
        if old["standing"] or not taken(under_way, decision):
            check_stands(old)
            _check_covers(old, moment)
            _log(under_way, old, decision | {"quote_id": new["quote_id"]}, moment, reason)
        versions = _derived(under_way)
    words = f"{about(old)} was wrong: its readings up to {iso(moment)} count as {shown(new['value'])}"
    return _report(under_way, "correct", words, versions, old, new)


def retract(db: Db, claim: str, *, reason: str, decided_at: Given | None = None) -> VerbReport:
    """Log that we no longer stand by a claim: its readings up to the decision count as none (B6, W6).

    Args:
        db: the base.
        claim: the claim's id.
        reason: why.
        decided_at: when it was decided; None = now.

    Raises:
        ClaimNotFoundError, ClaimStateError, InstantError.
        InputError: [no_reason].
    """
    check_reason(reason)
    with write(db, "retract") as under_way:
        moment = _decided(under_way, decided_at)
        old = named(under_way, claim)
        check_stands(old)
        _check_covers(old, moment)
        _log(under_way, old, {"kind": "retract", "claim_no": old["claim_no"]}, moment, reason)
        versions = _derived(under_way)
    words = f"{about(old)} is retracted ({shown(reason)}): its readings up to {iso(moment)} count as none"
    return _report(under_way, "retract", words, versions, old, None)


def named(under_way: Write, claim: str) -> Row:
    """Find the claim a verb names, with its slot and how its standing versions lie.

    Raises:
        ClaimNotFoundError: the base has no such claim.
        ClaimStateError: [erased].
    """
    number = claim_number(claim)
    rows = under_way.transaction.file(
        "log/named_claim", {"claim_no": number, "recorded_at": under_way.recorded_at}
    ).dicts()
    if not rows:
        check_not_erased(under_way.transaction, number, claim)
        raise ClaimNotFoundError(f"the base holds no claim {claim}", hint="kb.claims() lists them")
    return rows[0]


def check_reason(reason: str) -> None:
    """Refuse a decision that gives no reason.

    Raises:
        InputError: [no_reason].
    """
    if not reason or not reason.strip():
        raise InputError("a reason is missing", code="no_reason", hint="say why in a few words: it is shown to readers")


def log_decision(under_way: Write, decision: Mapping[str, Any]) -> None:
    """Append a decision; what it does not name is NULL."""
    nothing = dict.fromkeys(("other_no", "effective_at", "observed_at", "reason", "quote_id"))
    under_way.transaction.file("log/decision", {**nothing, **decision, "recorded_at": under_way.recorded_at})


def _decided(under_way: Write, given: Given | None) -> datetime:
    """Read when a decision was taken: not later than the batch (B6)."""
    if given is None:
        return under_way.recorded_at
    moment = read_instant(given, field="decided_at")
    if moment > under_way.recorded_at:
        raise InstantError(f"decided_at {iso(moment)} lies in the future", code="future_decision", hint="leave it out")
    return moment


def _change(new: Row, at: Given | None) -> datetime:
    """Read when the world changed; a start that the successor states must be the same."""
    stated = new["from_earliest"] if new["dated"] else None
    if at is None:
        if stated is None:
            raise IntervalError(
                "it is not said when the successor begins", code="no_change_point",
                hint="pass at=, or an effective_from in the successor",
            )  # fmt: skip
        return stated  # type: ignore[no-any-return]
    moment = read_instant(at, field="at")
    if stated is not None and not stated <= moment <= (new["from_latest"] or moment):
        raise IntervalError(
            f"the change is said to be at {iso(moment)}, but the successor states that it begins at {iso(stated)}",
            code="two_change_points", hint="leave at out, or the successor's effective_from",
        )  # fmt: skip
    return moment


def check_source(old: Row, new: Row) -> None:
    """Refuse a successor that another source states.

    Raises:
        InputError: [other_source].
    """
    if old["source_id"] != new["source_id"]:
        raise InputError(
            f"the successor cites another source than {about(old)}", code="other_source",
            hint="add the other source's claim by itself, and retract this one if it is wrong",
        )  # fmt: skip


def check_slot(old: Row, new: Row) -> None:
    """Refuse a successor of another slot, and the claim itself.

    Raises:
        InputError: [other_slot], [same_claim].
    """
    if differing := [name.removesuffix("_id") for name in _SLOT if old[name] != new[name]]:
        raise InputError(
            f"the successor is about another {' and '.join(differing)}", code="other_slot",
            hint="a verb stays in one slot; add the other claim by itself",
        )  # fmt: skip
    if old["claim_no"] == new["claim_no"]:
        raise InputError("the successor is the same claim", code="same_claim", hint="observe it as confirmed instead")


def check_stands(old: Row) -> None:
    """Refuse a verb on a claim that does not stand (W6).

    Raises:
        ClaimStateError: [not_standing].
    """
    if not old["standing"]:
        raise ClaimStateError(
            f"{about(old)} does not stand", code="not_standing", hint="kb.get() shows what became of it"
        )


def _check_change(old: Row, start: datetime) -> None:
    if old["timeless"]:
        raise InputError(
            f"{old['predicate']} is timeless: it does not change in the world", code="timeless_change",
            hint="correct the claim, or add what the source says now",
        )  # fmt: skip
    if old["ends"] is not None and old["ends"] <= start:
        raise ClaimStateError(
            f"{about(old)} is over at {iso(start)}", code="already_over", hint="kb.history() shows its end"
        )
    if old["begins"] is not None and start <= old["begins"]:
        raise IntervalError(
            f"{about(old)} begins at {iso(old['begins'])}, so it cannot end at {iso(start)}", code="ends_before_start",
            hint="correct its start, or retract it",
        )  # fmt: skip


def _check_covers(old: Row, moment: datetime) -> None:
    if old["first_reading"] is not None and old["first_reading"] > moment:
        raise ClaimStateError(
            f"{about(old)} was first read after {iso(moment)}", code="nothing_covered", hint="leave decided_at out"
        )


def taken(under_way: Write, decision: Mapping[str, Any]) -> bool:
    """Say whether this very decision was taken before: then it is nothing at all (B6)."""
    nothing = dict.fromkeys(("effective_at", "observed_at"))
    return bool(under_way.transaction.file("log/decided", {**nothing, **decision}).rows[0][0])


def _log(under_way: Write, old: Row, decision: Mapping[str, Any], moment: datetime, reason: str | None) -> None:
    claims = [decision["claim_no"], *filter(None, [decision.get("other_no")])]
    if under_way.transaction.file("log/decided_then", {"decided_at": moment, "claims": claims}).rows[0][0]:
        raise InstantError(
            f"another decision about {about(old)} was taken at {iso(moment)}", code="decided_twice",
            hint="leave decided_at out, or name a later instant",
        )  # fmt: skip
    log_decision(under_way, {**decision, "decided_at": moment, "reason": reason})
    under_way.transaction.file("log/touched_claim", {"claim_no": old["claim_no"]})


def _derived(under_way: Write) -> tuple[Row, ...]:
    derive(under_way)
    return changed_versions(under_way)


def about(claim: Row) -> str:
    """Name a claim in a message: its value and its slot."""
    return f"{shown(claim['value'])} ({claim['predicate']} of {claim['subject']})"


def _report(
    under_way: Write, verb: str, words: str, versions: tuple[Row, ...], old: Row, new: Row | None
) -> VerbReport:
    """Say what was done; a decision already taken changed nothing."""
    batch = under_way.batch.batch_id if under_way.batch else None
    said = words if batch is not None else f"already decided, nothing changed: {words}"
    other = None if new is None else claim_id(new["claim_no"])
    return VerbReport(verb, said, claim_id(old["claim_no"]), other, versions, batch)
