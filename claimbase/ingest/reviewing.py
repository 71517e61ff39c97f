"""Reviews: what a person decided about words that changed or went."""

from __future__ import annotations

from claimbase.errors import InputError, shown
from claimbase.evidence.terms import ReviewDecision
from claimbase.store import Db, write

_DECISIONS = tuple(one.value for one in ReviewDecision)


def decide(db: Db, task: str, decision: str, *, reviewer: str, note: str | None = None) -> str:
    """Log what was decided about an open review; escalate and pending leave it open.

    The claim itself is changed by the verbs alone: a review says that somebody looked.

    Args:
        db: the base.
        task: the review's id.
        decision: accept, reject, correct, escalate or pending.
        reviewer: who decided.
        note: why.

    Raises:
        InputError: [unknown_decision], [no_reviewer], [unknown_task].
    """
    if decision not in _DECISIONS:
        raise InputError(f"{shown(decision)} is no decision", code="unknown_decision", hint=", ".join(_DECISIONS))
    if not reviewer.strip():
        raise InputError("say who decided", code="no_reviewer", hint="a decision names its reviewer")
    with write(db, "review decide") as under_way:
        transaction, at = under_way.transaction, {"recorded_at": under_way.recorded_at}
        if not any(
            row[0] == task for row in transaction.file("queries/reviews", {"recorded_by": under_way.recorded_at})
        ):
            raise InputError(
                f"no review {shown(task)} is open", code="unknown_task", hint="`claimbase review list` names them"
            )
        given = {"task_id": task, "decision": decision, "reviewer": reviewer.strip(), "note": note}
        transaction.file("log/review_decision", given | at)
    return f"{task}: {decision}, by {reviewer.strip()}"
