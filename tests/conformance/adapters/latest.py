"""Latest wins: one value a slot, that of the newest reading; nothing of what was before."""

from __future__ import annotations

from typing import ClassVar

from ..adapter import CannotState
from ..cases import Json
from .plain import Finders, Kept, Plain, Row, Steps, active_finders, read


def _put(state: Kept, step: Json) -> None:
    seen = read(step["claim"], state.kinds, start=state.recorded)
    state.claims[step["as"]] = seen.identity
    kept = state.rows.get(seen.slot)
    if kept is None or kept.observed <= seen.observed:
        state.rows[seen.slot] = seen


def _remove(state: Kept, step: Json) -> None:
    state.rows = {slot: row for slot, row in state.rows.items() if row.identity != state.claims[step["claim"]]}


def _observe(state: Kept, step: Json) -> None:
    if step["outcome"] != "confirmed":
        raise CannotState(f"the outcome {step['outcome']}")


def _latest(state: Kept, question: Json) -> list[Row]:
    if question.get("as_of") and state.at(question) < state.recorded:
        raise CannotState("the past")
    return state.asked(question, state.rows.values())


class Latest(Plain):
    """A mapping from slot to value."""

    name = "newest wins"
    steps: ClassVar[Steps] = {
        "add": _put, "supersede": _put, "correct": _put, "retract": _remove, "erase": _remove, "observe": _observe,
    }  # fmt: skip
    finders: ClassVar[Finders] = {
        "active": {
            key: find for key, find in active_finders(_latest, _latest).items()
            if key in {"certain", "possible", "values", "certain_values", "no"}
        },
        "contradictions": {
            "list": lambda state, question: [], "pairs": lambda state, question: [],
            "list_size": lambda state, question: 0,
        },
    }  # fmt: skip
