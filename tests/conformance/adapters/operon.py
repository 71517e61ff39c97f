"""The bi-temporal memory of operon-ai: facts with valid time and record time, corrected by appending."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any, ClassVar

from ..adapter import CannotState
from ..cases import Case, Json
from ..compare import moment
from .plain import Finders, Kept, Plain, Row, Steps, active_finders, read


class Facts(Kept):
    """A memory of facts; each is tagged with the row it was made of."""

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.memory: Any = import_module("operon_ai.memory.bitemporal").BiTemporalMemory()
        self.known: dict[Any, str] = {}

    def keep(self, row: Row) -> None:
        """Record a fact at the clock."""
        fact = self.memory.record_fact(
            subject=row.subject, predicate=row.predicate, value=row, valid_from=row.start, valid_to=row.end,
            recorded_from=self.recorded, source=row.source,
        )  # fmt: skip
        self.known[row.identity] = fact.fact_id
        self.rows[row.identity] = row

    def replace(self, identity: Any, row: Row) -> None:
        """Correct a fact into another one at the clock."""
        made = self.memory.correct_fact(
            old_fact_id=self.known[identity], value=row, valid_from=row.start, valid_to=row.end,
            recorded_from=self.recorded, source=row.source,
        )  # fmt: skip
        self.known[row.identity] = made.new_fact.fact_id
        self.rows[row.identity] = row


def _add(state: Facts, step: Json) -> None:
    row = read(step["claim"], state.kinds)
    state.claims[step["as"]] = row.identity
    if not any(fact.value == row and fact.recorded_to is None for fact in state.memory.history(row.subject)):
        state.keep(row)


def _supersede(state: Facts, step: Json) -> None:
    """The old fact is corrected to end at the change, and the new one recorded from there."""
    old = state.rows[state.claims[step["old"]]]
    new = read(step["claim"], state.kinds, start=moment(step.get("at")))
    ended = Row(*(new.start if name == "end" else getattr(old, name) for name in Row.__slots__))
    state.replace(old.identity, ended)
    state.claims[step["as"]] = new.identity
    state.keep(new)


def _correct(state: Facts, step: Json) -> None:
    old = state.rows[state.claims[step["replaces"]]]
    row = read(step["claim"], state.kinds, start=old.start)
    state.claims[step["as"]] = row.identity
    state.replace(old.identity, row)


def _retract(state: Facts, step: Json) -> None:
    state.memory.invalidate_fact(state.known[state.claims[step["claim"]]], recorded_to=state.recorded)


def _observe(state: Facts, step: Json) -> None:
    if step["outcome"] != "confirmed":
        raise CannotState(f"the outcome {step['outcome']}")


def _recorded(state: Facts, question: Json) -> Any:
    return moment(question["recorded_by"]) if question.get("recorded_by") else max(state.now, state.recorded)


def _active(state: Facts, question: Json) -> list[Row]:
    found = state.memory.retrieve_belief_state(at_valid=state.at(question), at_record=_recorded(state, question))
    return state.asked(question, [fact.value for fact in found])


def _visible(state: Facts, question: Json) -> list[Row]:
    found = state.memory.retrieve_known_at(at=_recorded(state, question))
    return state.asked(question, [fact.value for fact in found])


class Operon(Plain):
    """One memory for each case."""

    name = "operon-ai BiTemporalMemory"
    axes = frozenset({"as_of", "recorded_by"})
    steps: ClassVar[Steps] = {
        "add": _add, "supersede": _supersede, "correct": _correct, "retract": _retract, "observe": _observe,
    }  # fmt: skip
    finders: ClassVar[Finders] = {"active": active_finders(_active, _visible)}

    def missing(self) -> str | None:
        """Say so where the library is not installed."""
        return None if find_spec("operon_ai") else "not installed"

    def opened(self, case: Case) -> Facts:
        """Give an empty memory."""
        return Facts(case)
