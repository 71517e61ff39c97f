"""A question as it was read, sent to the room that answers it; what no room takes up is refused, never dropped."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

from claimbase import answers
from claimbase.analysis.contradictions import contradictions
from claimbase.analysis.freshness import freshness
from claimbase.analysis.history import history
from claimbase.analysis.intervals import When
from claimbase.answers.intervals import when
from claimbase.constraints import Constraint
from claimbase.errors import QuestionError, shown
from claimbase.questions import Reading
from claimbase.store import Db
from claimbase.temporal import Basis
from claimbase.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Asked:
    """A question in words, how it was read, and what came of it."""

    reading: Reading
    answer: Any

    @property
    def kind(self) -> str:
        """What kind of answer it is: that of the question, or "when" where a period was asked for (Q15)."""
        return "when" if isinstance(self.answer, When) else self.reading.op

    def to_json(self) -> dict[str, Any]:
        """Give reading and answer as plain data."""
        return {"reading": self.reading.to_json(), "answer": self.answer.to_json()}


def check_understood(reading: Reading, *, go_on: bool) -> None:
    """Refuse to answer a question of which something was left over, unless told to go on.

    Raises:
        QuestionError: [not_understood]; ``details["reading"]`` holds what was understood.
    """
    if reading.not_understood and not go_on:
        left = ", ".join(shown(piece) for piece in reading.not_understood)
        near = f"; did you mean {', '.join(reading.suggestions)}?" if reading.suggestions else ""
        raise QuestionError(
            f"not understood: {left}{near}", hint="leave it out, or pass go_on to answer the rest", reading=reading
        )


def answered(db: Db, vocabulary: Vocabulary, reading: Reading, basis: Basis, options: dict[str, Any]) -> Any:
    """Answer a reading at a basis.

    Args:
        db: the base.
        vocabulary: the predicates at the basis.
        reading: the question as read.
        basis: the resolved instants.
        options: of :func:`claimbase.answers.answer`, where the words say nothing.

    Raises:
        QuestionError: [not_answered] it asks for something no room of this version answers.
    """
    if reading.op not in _ROOMS:
        raise _not_answered(reading, f"{reading.op} questions are read but not answered yet")
    uses, room = _ROOMS["when" if reading.during and reading.op == "answer" else reading.op]
    empty = Reading(reading.question)
    for field in fields(reading):
        if field.name not in _ALWAYS | uses and getattr(reading, field.name) != getattr(empty, field.name):
            raise _not_answered(reading, f"a {reading.op} question takes no {field.name}")
    return room(db, vocabulary, reading, basis, options)


def _not_answered(reading: Reading, message: str) -> QuestionError:
    return QuestionError(
        message, code="not_answered", hint="ask for one instant and one kind of thing", reading=reading
    )


def _answer(db: Db, vocabulary: Vocabulary, reading: Reading, basis: Basis, options: dict[str, Any]) -> Any:
    return answers.answer(db, vocabulary, reading.conditions, basis, **(options | _wishes(reading)))


def _when(db: Db, vocabulary: Vocabulary, reading: Reading, basis: Basis, options: dict[str, Any]) -> Any:
    """Answer what asks for intervals, or whether constraints hold throughout a period (Q5, Q15)."""
    said = options | _wishes(reading)
    taken = {name: value for name, value in said.items() if name in _OVER_TIME}
    return when(db, vocabulary, reading.conditions, basis, during=reading.during, **taken)


def _lookup(db: Db, vocabulary: Vocabulary, reading: Reading, basis: Basis, options: dict[str, Any]) -> Any:
    scope = dict(reading.scope) if reading.scope else None
    asked = [Constraint(predicate=name, operator="exists", scope=scope) for name in reading.predicates]
    return answers.answer(db, vocabulary, asked, basis, **(options | _wishes(reading)))


def _history(db: Db, _: Vocabulary, reading: Reading, basis: Basis, __: dict[str, Any]) -> Any:
    if len(reading.subjects) != 1 or len(reading.predicates) > 1:
        raise _not_answered(reading, "a history is that of one subject and at most one predicate")
    provider = reading.providers[0] if reading.providers else None
    predicate = next(iter(reading.predicates), None)
    return history(db, basis, reading.subjects[0], predicate, provider=provider, during=reading.during)


def _contradictions(db: Db, _: Vocabulary, reading: Reading, basis: Basis, __: dict[str, Any]) -> Any:
    at = replace(basis, valid_at=reading.at) if reading.at else basis
    all_time = reading.during is None and reading.at is None and reading.as_of is None
    return contradictions(
        db, at, during=reading.during, all_time=all_time, subjects=reading.subjects, predicates=reading.predicates,
        providers=reading.providers,
    )  # fmt: skip


def _freshness(db: Db, _: Vocabulary, reading: Reading, basis: Basis, __: dict[str, Any]) -> Any:
    return freshness(
        db, basis, subjects=reading.subjects, predicates=reading.predicates, providers=reading.providers
    )  # fmt: skip


def _wishes(reading: Reading) -> dict[str, Any]:
    """Take from a reading what narrows or orders an answer; what it does not say is left to the caller."""
    order = reading.order_by
    said: dict[str, Any] = {
        "policy": reading.policy, "providers": reading.providers, "providers_not": reading.providers_not,
        "subjects": reading.subjects, "source_types": reading.source_types, "show": reading.show,
        "order_by": (order.predicate, order.direction) if order else None, "limit": reading.limit,
        "offset": reading.offset,
    }  # fmt: skip
    return {name: value for name, value in said.items() if value}


_ALWAYS = {
    "question", "op", "understood", "not_understood", "suggestions", "as_of", "observed_by", "recorded_by", "then",
}  # fmt: skip
_WISHES = {
    "policy", "providers", "providers_not", "subjects", "source_types", "show", "order_by", "limit", "offset",
}  # fmt: skip
_OVER_TIME = {
    "providers", "providers_not", "subjects", "sources", "source_types", "authorities", "limit", "extent",
}  # fmt: skip
# What each kind of question may say, and who answers it.
_ROOMS: dict[str, tuple[set[str], Callable[..., Any]]] = {
    "answer": ({"conditions"} | _WISHES, _answer),
    "lookup": ({"predicates", "scope"} | _WISHES, _lookup),
    "when": ({"conditions", "during", "providers", "providers_not", "subjects", "source_types", "limit"}, _when),
    "history": ({"subjects", "predicates", "providers", "during"}, _history),
    "contradictions": ({"subjects", "predicates", "providers", "during", "at"}, _contradictions),
    "freshness": ({"subjects", "predicates", "providers"}, _freshness),
}
