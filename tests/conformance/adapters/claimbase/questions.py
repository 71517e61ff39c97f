"""Asking: each `op` of a case, mapped onto the public interface."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from claimbase.base import shipped_packs
from claimbase.dates import read_date
from claimbase.errors import ClaimbaseError
from claimbase.temporal import Basis, Bound, Interval, read_instant, relation
from claimbase.values import Value, read_value
from claimbase.vocabulary import Predicate, Vocabulary

from ...cases import Json
from .world import World

AXES = ("as_of", "observed_by", "recorded_by", "then")
_KEYS: dict[str, set[str]] = {
    "active": {*AXES, "subject", "predicate", "scope", "during"},
    "answer": {
        *AXES, "constraints", "policy", "order_by", "limit", "authority", "source_type", "source", "provider",
        "provider_not", "subject", "show", "during", "over",
    },
    "history": {*AXES, "subject", "predicate", "provider", "during"},
    "contradictions": {*AXES, "during", "subject", "predicate"},
    "freshness": {*AXES, "subject", "predicate"},
    "when": {*AXES, "subject", "constraints", "during"},
    "diff": {"a", "b", "axis", "subject", "predicate"},
    "temporal_join": {*AXES, "subject", "predicates", "provider"},
    "watch_events": {"watch"},
    "explain": {*AXES, "subject", "constraints"},
    "relation": {"a", "b", "of", "observed_by", "recorded_by"},
    "parse_value": {"text", "predicate", "unit", "kind"},
    "parse_date": {"text", "zone", "as"},
    "write": {"step"},
}  # fmt: skip

_LISTED = """
SELECT d.claim_id, d.version_id, d.subject, d.predicate, d.scope, d.value, d.value_min, d.value_max, d.unit,
  d.from_earliest, d.from_latest, d.until_earliest, d.until_latest, a.certain
FROM cb.described($observed_by, $recorded_by) AS d
LEFT JOIN cb.active($valid_at, $observed_by, $recorded_by) AS a ON a.version_id = d.version_id
ORDER BY d.claim_id, d.version_id
"""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question at one basis and what came of it.

    Args:
        world: the base it was put to.
        question: the question.
        result: what the interface gave, or the error it raised.
    """

    world: World
    question: Json
    result: Any

    @property
    def axes(self) -> dict[str, Any]:
        """The arguments that make the basis."""
        return axes_of(self.question)

    @property
    def basis(self) -> Basis:
        """The basis, resolved."""
        return self.world.kb.basis(**self.axes)


@dataclass(frozen=True, slots=True)
class Listing:
    """The versions visible at a basis in the slots asked for; `certain` is true, false, or None where not active."""

    versions: tuple[Mapping[str, Any], ...]

    def claims(self, *activity: bool | None) -> set[str]:
        """Give the claims of versions with one of these activities."""
        return {row["claim_id"] for row in self.versions if row["certain"] in activity}


def put(world: World, question: Json) -> Asked:
    """Put a question; an error it raises is its result."""
    op = question["op"]
    if op not in _OPS:
        raise ValueError(f"{world.case.id}: there is no question {op!r}")
    if unknown := sorted(set(question) - _KEYS[op] - {"op"}):
        raise ValueError(f"{world.case.id}: a question {op!r} has no {', '.join(unknown)}")
    try:
        return Asked(world, question, _OPS[op](world, question))
    except ClaimbaseError as error:
        return Asked(world, question, error)


def axes_of(question: Json) -> dict[str, Any]:
    """Give the arguments that make a question's basis."""
    return {axis: question[axis] for axis in AXES if axis in question}


def listing(asked: Asked) -> Listing:
    """List the visible versions of the slots asked for (A1, T2)."""
    return _active(asked.world, asked.question)


def _active(world: World, question: Json) -> Listing:
    basis = world.kb.basis(**axes_of(question))
    params = {"valid_at": basis.valid_at, "observed_by": basis.observed_by, "recorded_by": basis.recorded_by}
    names = None
    if "predicate" in question:
        found = world.kb.vocabulary(basis).find(question["predicate"])
        names = {found.name, *(alias.name for alias in found.aliases)} if found else {question["predicate"]}
    wanted = {"scope": question.get("scope"), "subject": question.get("subject")}
    rows = world.kb.db.query(_LISTED, params).dicts()
    return Listing(tuple(
        row for row in rows
        if (names is None or row["predicate"] in names)
        and wanted["subject"] in (None, row["subject"])
        and (wanted["scope"] is None or wanted["scope"] == json.loads(row["scope"]))
    ))  # fmt: skip


def _answer(world: World, question: Json) -> Any:
    order = question.get("order_by")
    options: dict[str, Any] = {
        "policy": question.get("policy"), "authorities": _many(question.get("authority")),
        "source_types": _many(question.get("source_type")), "sources": _many(question.get("source")),
        "providers": _many(question.get("provider")), "providers_not": _many(question.get("provider_not")),
        "subjects": _many(question.get("subject")), "show": _many(question.get("show")),
        "limit": question.get("limit"), "order_by": order and (order["predicate"], order.get("direction")),
    }  # fmt: skip
    given = {name: value for name, value in options.items() if value}
    return world.kb.answer(*question["constraints"], everyone=True, **axes_of(question), **given)


def _many(given: Any) -> list[str] | None:
    return given if given is None or isinstance(given, list) else [given]


def _history(world: World, question: Json) -> Any:
    given: dict[str, Any] = {"provider": question["provider"]} if "provider" in question else {}
    given |= {"during": tuple(question["during"])} if "during" in question else {}
    return world.kb.history(question["subject"], question.get("predicate"), **given, **axes_of(question))


def _contradictions(world: World, question: Json) -> Any:
    during = question.get("during")
    window: dict[str, Any] = {"all_time": True} if during == "all" else {"during": tuple(during)} if during else {}
    return world.kb.contradictions(**window, information=True, **_narrowed(question), **axes_of(question))


def _freshness(world: World, question: Json) -> Any:
    return world.kb.freshness(**_narrowed(question), **axes_of(question))


def _when(world: World, question: Json) -> Any:
    window = {"during": tuple(question["during"])} if "during" in question else {}
    return world.kb.when(*question["constraints"], **window, **_narrowed(question), **axes_of(question))


def _diff(world: World, question: Json) -> Any:
    return world.kb.diff(question["a"], question["b"], axis=question.get("axis"), **_narrowed(question))


def _join(world: World, question: Json) -> Any:
    return world.kb.join(question["subject"], *question["predicates"], **axes_of(question))


def _watch_events(world: World, question: Json) -> Any:
    world.kb.run_watches()
    return world.kb.watch_events(question["watch"])


def _explain(world: World, question: Json) -> Any:
    return world.kb.explain(question["subject"], *question["constraints"], **axes_of(question))


def _narrowed(question: Json) -> dict[str, list[str]]:
    return {f"{key}s": [question[key]] for key in ("subject", "predicate") if key in question}


def _relation(world: World, question: Json) -> Any:
    """Relate two intervals, or two claims of the base."""
    if "of" in question:
        a, b = (world.claims[handle] for handle in question["of"])
        return world.kb.relation(a, b, **axes_of(question))
    a, b = (
        Interval(*(None if bound is None else read_instant(bound) for bound in question[side])) for side in ("a", "b")
    )
    return relation(a, b)


def _parse_value(world: World, question: Json) -> Value:
    """Read a value under a predicate: one the case declares, else a shipped one, else a bare quantity."""
    name = question.get("predicate")
    read_under = Predicate("bare", question.get("kind", "quantity"))
    if name is not None:
        declared = world.kb.vocabulary().find(name) if world.case.arrange else None
        read_under = declared or Vocabulary.of(*shipped_packs()).get(name)
    return read_value(
        question["text"], kind=read_under.kind, unit=read_under.unit, stated_unit=question.get("unit"),
        minimum=read_under.minimum, maximum=read_under.maximum,
    )  # fmt: skip


def _parse_date(world: World, question: Json) -> Bound:
    """Read a date as a claim's bound, or as an argument that names one instant."""
    if question.get("as", "bound") == "instant":
        moment = read_instant(question["text"])
        return Bound("known", moment, moment)
    return read_date(question["text"], zone=question.get("zone", "UTC"))


def _write(world: World, question: Json) -> Any:
    """Give what the named step came to."""
    return world.refused.get(question["step"])


_OPS: dict[str, Callable[[World, Json], Any]] = {
    "active": _active, "answer": _answer, "history": _history, "contradictions": _contradictions,
    "freshness": _freshness, "when": _when, "diff": _diff, "temporal_join": _join, "watch_events": _watch_events,
    "explain": _explain, "relation": _relation, "parse_value": _parse_value, "parse_date": _parse_date,
    "write": _write,
}  # fmt: skip
