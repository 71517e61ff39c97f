"""Finding: what an answer of this package says under each key of `expect`, as plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from claimbase.analysis.history import history
from claimbase.errors import ClaimbaseError
from claimbase.temporal import Interval, read_instant
from claimbase.values import folded

from ...adapter import Refusal
from .questions import Asked, listing

Finder = Callable[[Asked], Any]


def refusal(asked: Asked) -> Refusal | None:
    """Give the error raised as a refusal, or None."""
    error = asked.result
    if not isinstance(error, ClaimbaseError):
        return None
    kinds = tuple(kind.__name__ for kind in type(error).__mro__)
    rows = tuple(rejection.row for rejection in error.details.get("rejections", ()))
    return Refusal(kinds, error.code, str(error), rows)


def pairs(given: Any) -> tuple[Any, Any]:
    """Give an interval as its two bounds."""
    return given.start, given.end


# -- the base beside the answer -------------------------------------------------------------------------------------


def _stored_number(asked: Asked) -> int:
    return int(asked.world.after["claims"] - asked.world.before["claims"])


def _written(asked: Asked) -> dict[str, int]:
    before, after = asked.world.before, asked.world.after
    return {name: (after[name] or 0) - (before[name] or 0) for name in after}


def _observations(asked: Asked) -> dict[str, list[str]]:
    kb = asked.world.kb
    return {claim: [one["outcome"] for one in kb.get(claim)["readings"]] for claim in asked.world.claims.values()}


def _all_time(asked: Asked) -> Any:
    """Look over all time, once for all instants of valid time that a case lists."""
    axes = {axis: value for axis, value in asked.axes.items() if axis != "as_of" or asked.axes.get("then")}
    found, key = asked.world.disputes, repr(axes)
    if key not in found:
        found[key] = asked.world.kb.contradictions(all_time=True, **axes)
    return found[key]


def _basis(asked: Asked) -> dict[str, Any]:
    basis = getattr(asked.result, "basis", asked.basis)
    return {**basis.to_json(), **{name: getattr(basis, name) for name in ("valid_at", "observed_by", "recorded_by")}}


def _projected(asked: Asked) -> bool:
    return bool(getattr(asked.result, "basis", asked.basis).projected)


def _reviews(asked: Asked) -> set[str]:
    return {row["claim_id"] for row in asked.world.kb.reviews()}


# -- active ---------------------------------------------------------------------------------------------------------


def _claims(*activity: bool | None, without: tuple[bool, ...] = ()) -> Finder:
    """Find the claims whose versions are active in one of these ways and in none of the others."""

    def find(asked: Asked) -> set[str]:
        listed = asked.result if asked.question["op"] == "active" else listing(asked)
        return listed.claims(*activity) - listed.claims(*without)

    return find


def _upcoming(asked: Asked) -> set[str]:
    at = asked.basis.valid_at
    starting = {row["claim_id"] for row in asked.result.versions if row["from_earliest"] and row["from_earliest"] > at}
    return starting - asked.result.claims(True, False)


def _values(asked: Asked) -> set[str]:
    return {_normalised(row) for row in asked.result.versions if row["certain"]}


def _normalised(row: Mapping[str, Any]) -> str:
    exact = row["value_min"] is not None and row["value_min"] == row["value_max"] and row["unit"] is not None
    return format(row["value_min"].normalize(), "f") if exact else folded(row["value"])


def _stored(asked: Asked) -> dict[str, list[Mapping[str, Any]]]:
    versions: dict[str, list[Mapping[str, Any]]] = {}
    for row in asked.result.versions:
        versions.setdefault(row["claim_id"], []).append(row)
    return versions


def _in_window(asked: Asked) -> set[str]:
    """Find the claims that hold, or may hold, at some instant of the window asked for."""
    window = Interval(*(read_instant(bound) for bound in asked.question["during"]))
    kb, subjects = asked.world.kb, {row["subject"] for row in listing(asked).versions}
    found = [
        history(kb.db, asked.basis, subject, asked.question.get("predicate"), during=tuple(asked.question["during"]))
        for subject in sorted(subjects)
    ]
    claims = [claim for one in found for segment in one.segments for claim in segment.claims]
    return {claim.claim_id for claim in claims if claim.possible.intersect(window)}


def _number_of_segments(asked: Asked) -> int:
    subjects = {row["subject"] for row in asked.result.versions}
    predicate = asked.question.get("predicate")
    found = [asked.world.kb.history(subject, predicate, **asked.axes) for subject in subjects]
    return sum(len(one.segments) for one in found)


# -- readings of texts ----------------------------------------------------------------------------------------------

_OF_VALUE = ("min", "max", "min_open", "max_open", "unit", "key", "approximate")


def attribute(name: str) -> Finder:
    """Find what stands under a name of the result."""
    return lambda asked: getattr(asked.result, name)


def _values_read(asked: Asked) -> list[dict[str, Any]]:
    return [{name: getattr(asked.result, name) for name in _OF_VALUE}]


OF_ANY: dict[str, Finder] = {
    "stored_claims": lambda asked: asked.world.content()["claims"],
    "observations": _observations,
    "basis": _basis,
    "projected": _projected,
    "contradictions": lambda asked: _all_time(asked).total,
    "contradictions_of_kind": lambda asked: _all_time(asked).counts,
    "visible": _claims(True, False, None),
    "reviews": _reviews,
}

OF: dict[str, dict[str, Finder]] = {
    "active": {
        "certain": _claims(True), "possible": _claims(False, without=(True,)),
        "no": _claims(None, without=(True, False)), "upcoming": _upcoming, "values": _values,
        "certain_values": _values, "stored": _stored, "in_window": _in_window, "segments": _number_of_segments,
    },
    "parse_value": {name: attribute(name) for name in _OF_VALUE} | {"values": _values_read},
    "parse_date": {name: attribute(name) for name in ("kind", "precision", "earliest", "latest")},
    "write": {
        "stored": _stored_number, "unchanged": lambda asked: asked.world.after == asked.world.before,
        "written": _written,
    },
}  # fmt: skip
