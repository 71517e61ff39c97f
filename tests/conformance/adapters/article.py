"""The rules of the build log this package started from: claims with dates, active on a day, compared while active.

A claim has a slot, a value, effectiveFrom, effectiveUntil and observedAt; it is active if effectiveFrom <= at and not
effectiveUntil <= at; contradictions are other normalised values among the claims active at one instant; a subject is
eligible if every constraint is satisfied by some active claim; stale is older than thirty days. Documents are edited in
place, so that there is no axis but the valid one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from itertools import groupby
from typing import Any, ClassVar

from ..adapter import CannotState
from ..cases import Json
from ..compare import moment
from .plain import Finders, Kept, Plain, Row, Steps, active_finders, disagreeing, listed, read, rows_stored

_STALE = timedelta(days=30)


def _add(state: Kept, step: Json) -> None:
    if step["claim"].get("scope"):
        raise CannotState("scopes")
    row = read(step["claim"], state.kinds)
    state.claims[step["as"]] = row.identity
    state.rows[row.identity] = row


def _observe(state: Kept, step: Json) -> None:
    if step["outcome"] != "confirmed":
        raise CannotState(f"the outcome {step['outcome']}")
    key, seen = state.claims[step["claim"]], moment(step["observed_at"])
    assert seen is not None
    state.rows[key] = replace(state.rows[key], observed=max(seen, state.rows[key].observed))


def _supersede(state: Kept, step: Json) -> None:
    """An editor sets the old document's end and writes the new one."""
    old, at = state.claims[step["old"]], moment(step.get("at"))
    new = read(step["claim"], state.kinds, start=at)
    state.rows[old] = replace(state.rows[old], end=new.start)
    state.claims[step["as"]] = new.identity
    state.rows[new.identity] = new


def _correct(state: Kept, step: Json) -> None:
    row = read(step["claim"], state.kinds, start=state.rows[state.claims[step["replaces"]]].start)
    del state.rows[state.claims[step["replaces"]]]
    state.claims[step["as"]] = row.identity
    state.rows[row.identity] = row


def _remove(state: Kept, step: Json) -> None:
    del state.rows[state.claims[step["claim"]]]


def _all(state: Kept, question: Json) -> list[Row]:
    return state.asked(question, state.rows.values())


def _active(state: Kept, question: Json) -> list[Row]:
    return [row for row in _all(state, question) if row.holds(state.at(question))]


def _conflicts(state: Kept, question: Json) -> list[tuple[Row, Row]]:
    if "during" in question:
        raise CannotState("windows")
    return disagreeing(_active(state, question))


def _satisfying(state: Kept, question: Json) -> dict[str, list[Row]]:
    """Group the active claims that satisfy a constraint by eligible subject."""
    rows = sorted(_active(state, question), key=lambda row: (row.subject, row.predicate))
    eligible = {}
    for subject, group in groupby(rows, key=lambda row: row.subject):
        ones = list(group)
        found = [[row for row in ones if _satisfies(row, constraint)] for constraint in question["constraints"]]
        if all(found):
            eligible[subject] = [row for rows in found for row in rows]
    return eligible


_NUMERIC: dict[str, Callable[[Decimal, Decimal], bool]] = {
    "lte": lambda value, limit: value <= limit, "gte": lambda value, limit: value >= limit,
}  # fmt: skip


def _cited(state: Kept, question: Json) -> set[Any]:
    """Give the claims an answer returns: those that satisfy something of an eligible subject."""
    found = _satisfying(state, question)
    if not found:
        raise CannotState("claims of subjects that are not eligible")
    return {row.identity for rows in found.values() for row in rows}


def _verdicts(state: Kept, question: Json) -> dict[str, list[str]]:
    """Give two words: some claim satisfies, or it fails."""
    rows = _active(state, question)
    return {
        subject: [
            "met" if any(_satisfies(row, one) for row in rows if row.subject == subject) else "failed"
            for one in question["constraints"]
        ]
        for subject in {row.subject for row in state.rows.values()}
    }  # fmt: skip


def _satisfies(row: Row, constraint: Json) -> bool:
    if set(constraint) - {"predicate", "operator", "value", "unit"}:
        raise CannotState("groups, scopes and instants of constraints")
    if row.predicate != constraint["predicate"]:
        return False
    operator, wanted = constraint["operator"], constraint.get("value")
    if operator in _NUMERIC and isinstance(row.value, Decimal):
        return _NUMERIC[operator](row.value, Decimal(str(wanted)))
    if operator == "eq":
        return row.said == str(wanted).casefold()
    if operator == "contains":
        return str(wanted).casefold() in row.said
    raise CannotState(f"the operator {operator}")


def _counts(state: Kept, question: Json) -> dict[str, int]:
    active = _active(state, question)
    over = [row for row in _all(state, question) if row.end is not None and row.end <= state.at(question)]
    slots = {a.slot for a, _ in disagreeing(active)}
    return {"current": len(active), "historical": len(over), "conflicts": len(slots)}


def _observed(which: Callable[..., Any]) -> Callable[[Kept, Json], Any]:
    return lambda state, question: which((row.observed for row in _active(state, question)), default=None)


class Article(Plain):
    """Documents in memory."""

    name = "the article's rules"
    steps: ClassVar[Steps] = {
        "add": _add, "observe": _observe, "supersede": _supersede, "correct": _correct, "retract": _remove,
        "erase": _remove,
    }  # fmt: skip
    finders: ClassVar[Finders] = {
        "active": active_finders(_active, _all),
        "contradictions": {
            "list": lambda state, question: listed(_conflicts(state, question)),
            "pairs": lambda state, question: [{a.identity, b.identity} for a, b in _conflicts(state, question)],
            "list_size": lambda state, question: len(_conflicts(state, question)),
        },
        "answer": {
            "eligible": lambda state, question: set(_satisfying(state, question)),
            "not_eligible": lambda state, question: set(_satisfying(state, question)),
            "cited": _cited,
            "supporting_claims": lambda state, question: len(_cited(state, question)),
            "verdicts": _verdicts,
            "invented": lambda state, question: 0,
        },
        "history": {
            "counts": _counts, "claims_found": lambda state, question: {row.identity for row in _all(state, question)},
        },
        "freshness": {
            "newest": _observed(max), "oldest": _observed(min),
            "stale": lambda state, question: sum(
                state.now - row.observed > _STALE for row in _active(state, question)
            ),
            "claims": lambda state, question: len(_active(state, question)),
        },
        "write": {"stored": rows_stored},
    }  # fmt: skip
