"""Asking: each `op` of a case, mapped onto the public interface; one result per basis asked for."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from claimbase.analysis.history import history
from claimbase.base import shipped_packs
from claimbase.dates import read_date
from claimbase.errors import ClaimbaseError
from claimbase.temporal import Basis, Bound, Interval, read_instant, relation
from claimbase.values import Value, read_value
from claimbase.vocabulary import Predicate, Vocabulary

from .cases import Json
from .world import World

_AXES = ("as_of", "observed_by", "recorded_by")
_KEYS: dict[str, set[str]] = {
    "active": {*_AXES, "then", "subject", "predicate", "scope", "during"},
    "answer": {
        *_AXES, "then", "constraints", "policy", "order_by", "limit", "authority", "source_type", "source", "provider",
        "provider_not", "subject", "show",
    },
    "history": {*_AXES, "then", "subject", "predicate", "provider", "during"},
    "contradictions": {*_AXES, "then", "during", "subject", "predicate"},
    "freshness": {*_AXES, "then", "subject", "predicate"},
    "relation": {"a", "b"},
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
        label: the basis as the case lists it; None where it lists none.
        axes: the arguments that make the basis.
        result: what the interface gave, or the error it raised.
    """

    world: World
    ask: Json
    label: str | None
    axes: Mapping[str, Any]
    result: Any

    @property
    def basis(self) -> Basis:
        """The basis, resolved."""
        return self.world.kb.basis(**self.axes)

    @property
    def error(self) -> ClaimbaseError | None:
        """The error raised, or None."""
        return self.result if isinstance(self.result, ClaimbaseError) else None


@dataclass(frozen=True, slots=True)
class Listing:
    """The versions visible at a basis in the slots asked for; `certain` is true, false, or None where not active."""

    versions: tuple[Mapping[str, Any], ...]

    def claims(self, *activity: bool | None) -> set[str]:
        """Give the claims of versions with one of these activities."""
        return {row["claim_id"] for row in self.versions if row["certain"] in activity}


def ask(world: World, question: Json) -> Iterator[Asked]:
    """Put a question, once per basis it lists."""
    op = question["op"]
    if op not in _OPS:
        raise ValueError(f"{world.case.id}: the runner knows no question {op!r}")
    if unknown := sorted(set(question) - _KEYS[op] - {"op"}):
        raise ValueError(f"{world.case.id}: a question {op!r} has no {', '.join(unknown)}")
    for label, axes in _bases(question):
        try:
            result = _OPS[op](world, question, axes)
        except ClaimbaseError as error:
            result = error
        yield Asked(world, question, label, axes, result)


def _bases(question: Json) -> Iterator[tuple[str | None, dict[str, Any]]]:
    """Give each basis with its label; `same` is whatever the listed axis says."""
    listed = [axis for axis in _AXES if isinstance(question.get(axis), list)]
    if len(listed) > 1:
        raise ValueError("a question lists one axis")
    fixed = {axis: question[axis] for axis in (*_AXES, "then") if axis in question and axis not in listed}
    if not listed:
        yield None, fixed
        return
    for label in question[listed[0]]:
        same = {axis: label for axis, value in fixed.items() if value == "same"}
        yield label, fixed | same | {listed[0]: label}


def listing(asked: Asked) -> Listing:
    """List the visible versions of the slots asked for (A1, T2)."""
    return _active(asked.world, asked.ask, asked.axes)


def _active(world: World, question: Json, axes: Mapping[str, Any]) -> Listing:
    basis = world.kb.basis(**axes)
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


def in_window(asked: Asked) -> set[str]:
    """Give the claims that hold, or may hold, at some instant of the window asked for."""
    window = Interval(*(read_instant(bound) for bound in asked.ask["during"]))
    kb, subjects = asked.world.kb, {row["subject"] for row in listing(asked).versions}
    found = [
        history(kb.db, asked.basis, subject, asked.ask.get("predicate"), during=tuple(asked.ask["during"]))
        for subject in sorted(subjects)
    ]
    claims = [claim for one in found for segment in one.segments for claim in segment.claims]
    return {claim.claim_id for claim in claims if claim.possible.intersect(window)}


def _answer(world: World, question: Json, axes: Mapping[str, Any]) -> Any:
    order = question.get("order_by")
    options: dict[str, Any] = {
        "policy": question.get("policy"), "authorities": _many(question.get("authority")),
        "source_types": _many(question.get("source_type")), "sources": _many(question.get("source")),
        "providers": _many(question.get("provider")), "providers_not": _many(question.get("provider_not")),
        "subjects": _many(question.get("subject")), "show": _many(question.get("show")),
        "limit": question.get("limit"), "order_by": order and (order["predicate"], order.get("direction")),
    }  # fmt: skip
    given = {name: value for name, value in options.items() if value}
    return world.kb.answer(*question["constraints"], everyone=True, **axes, **given)


def _many(given: Any) -> list[str] | None:
    return given if given is None or isinstance(given, list) else [given]


def _history(world: World, question: Json, axes: Mapping[str, Any]) -> Any:
    named = {"provider": question["provider"]} if "provider" in question else {}
    if "during" in question:
        return history(
            world.kb.db, world.kb.basis(**axes), question["subject"], question.get("predicate"),
            during=tuple(question["during"]), **named,
        )  # fmt: skip
    return world.kb.history(question["subject"], question.get("predicate"), **named, **axes)


def _contradictions(world: World, question: Json, axes: Mapping[str, Any]) -> Any:
    during = question.get("during")
    window: dict[str, Any] = {"all_time": True} if during == "all" else {"during": tuple(during)} if during else {}
    return world.kb.contradictions(**window, information=True, **_narrowed(question), **axes)


def _freshness(world: World, question: Json, axes: Mapping[str, Any]) -> Any:
    return world.kb.freshness(**_narrowed(question), **axes)


def _narrowed(question: Json) -> dict[str, list[str]]:
    return {f"{key}s": [question[key]] for key in ("subject", "predicate") if key in question}


def _relation(world: World, question: Json, axes: Mapping[str, Any]) -> Any:
    a, b = (
        Interval(*(None if bound is None else read_instant(bound) for bound in question[side])) for side in ("a", "b")
    )
    return relation(a, b)


def _parse_value(world: World, question: Json, axes: Mapping[str, Any]) -> Value:
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


def _parse_date(world: World, question: Json, axes: Mapping[str, Any]) -> Bound:
    """Read a date as a claim's bound, or as an argument that names one instant."""
    if question.get("as", "bound") == "instant":
        moment = read_instant(question["text"])
        return Bound("known", moment, moment)
    return read_date(question["text"], zone=question.get("zone", "UTC"))


def _write(world: World, question: Json, axes: Mapping[str, Any]) -> Any:
    """Give what the named step came to."""
    return world.refused.get(question["step"])


_OPS: dict[str, Callable[[World, Json, Mapping[str, Any]], Any]] = {
    "active": _active, "answer": _answer, "history": _history, "contradictions": _contradictions,
    "freshness": _freshness, "relation": _relation, "parse_value": _parse_value, "parse_date": _parse_date,
    "write": _write,
}  # fmt: skip
