"""Judging: each key of `expect`, compared with what came of the question; a key without a judge is an error."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from claimbase import errors
from claimbase.temporal import Bound, iso, read_instant
from claimbase.values import folded

from .asks import Asked, in_window, listing

Judge = Callable[[Asked, Any], None]


def judge(asked: Asked, expect: Mapping[str, Any]) -> None:
    """Compare one result with everything expected of it.

    Raises:
        AssertionError: it is otherwise.
        LookupError: an expectation has no judge for this question.
    """
    if asked.error is not None and "error" not in expect and "one_of" not in expect:
        raise AssertionError(f"refused: {asked.error!r}") from asked.error
    for key, expected in expect.items():
        known = OF_ANY.get(key) or OF[asked.ask["op"]].get(key)
        if known is None:
            raise LookupError(f"nothing judges {key!r} of {asked.ask['op']!r}")
        known(asked, expected)


def same(found: Any, expected: Any, what: str) -> None:
    """Require equality, naming what differs."""
    assert found == expected, f"{what}: found {found!r}, expected {expected!r}"


def moment(text: str | None) -> datetime | None:
    """Read an expected instant; null stays None."""
    return None if text is None else read_instant(text)


def only(given: Mapping[str, Any], known: Mapping[str, Any] | set[str], what: str) -> None:
    """Refuse parts of an expectation that nothing here compares."""
    if unknown := sorted(set(given) - set(known)):
        raise LookupError(f"nothing judges {', '.join(unknown)} of {what}")


# -- errors and writes ----------------------------------------------------------------------------------------------


def _error(asked: Asked, expected: str) -> None:
    assert asked.error is not None, f"not refused: {asked.result!r}"
    assert isinstance(asked.error, getattr(errors, expected)), f"refused as {asked.error!r}, not as {expected}"


def _code(asked: Asked, expected: str) -> None:
    same(asked.error and asked.error.code, expected, "code")


def _mentions(asked: Asked, expected: Sequence[str]) -> None:
    missing = [name for name in expected if name not in str(asked.error)]
    assert not missing, f"the message names no {missing}: {asked.error}"


def _row(asked: Asked, expected: int) -> None:
    rejections = asked.error.details["rejections"] if asked.error else ()
    assert expected in {rejection.row for rejection in rejections}, f"row {expected} is not among {rejections}"


def _stored_number(asked: Asked, expected: int) -> None:
    same(asked.world.after["claims"] - asked.world.before["claims"], expected, "claims stored by the step")
    if not expected:
        _unchanged(asked, expected=True)


def _unchanged(asked: Asked, expected: bool) -> None:
    same(asked.world.after == asked.world.before, expected, "left unchanged by the step")


def _written(asked: Asked, expected: Mapping[str, int]) -> None:
    before, after = asked.world.before, asked.world.after
    only(expected, set(after), "written")
    same({name: after[name] - before[name] for name in expected}, dict(expected), "what the step wrote")


def _one_of(asked: Asked, expected: Sequence[Mapping[str, Any]]) -> None:
    missed = []
    for alternative in expected:
        try:
            judge(asked, alternative)
        except AssertionError as error:
            missed.append(str(error))
        else:
            return
    raise AssertionError(f"none of {expected}: {missed}")


# -- the base beside the answer -------------------------------------------------------------------------------------


def _same_claim(asked: Asked, expected: Sequence[Sequence[str]]) -> None:
    for handles in expected:
        same(len(asked.world.ids(handles)), 1, f"{handles} as claims")


def _other_claim(asked: Asked, expected: Sequence[Sequence[str]]) -> None:
    for handles in expected:
        same(len(asked.world.ids(handles)), len(handles), f"{handles} as claims")


def _stored_claims(asked: Asked, expected: int) -> None:
    same(asked.world.content()["claims"], expected, "claims in the base")


def _observations(asked: Asked, expected: Mapping[str, Sequence[str]]) -> None:
    for handle, outcomes in expected.items():
        readings = asked.world.kb.get(asked.world.claims[handle])["readings"]
        same([reading["outcome"] for reading in readings], list(outcomes), f"readings of {handle}")


def _contradictions(asked: Asked, expected: int) -> None:
    same(_all_time(asked).total, expected, "contradictions")


def _contradictions_of_kind(asked: Asked, expected: Mapping[str, int]) -> None:
    counts = _all_time(asked).counts
    same({kind: counts.get(kind, 0) for kind in expected}, dict(expected), "contradictions")


def _all_time(asked: Asked) -> Any:
    """Look over all time, once for all instants of valid time that a case lists."""
    axes = {axis: value for axis, value in asked.axes.items() if axis != "as_of" or asked.axes.get("then")}
    found, key = asked.world.disputes, repr(axes)
    if key not in found:
        found[key] = asked.world.kb.contradictions(all_time=True, **axes)
    return found[key]


def _basis(asked: Asked, expected: Mapping[str, Any]) -> None:
    only(expected, set(asked.basis.to_json()), "basis")
    given = getattr(asked.result, "basis", asked.basis).to_json()
    read = {name: iso(read_instant(text)) if isinstance(text, str) else text for name, text in expected.items()}
    same({name: given[name] for name in expected}, read, "basis")


def _projected(asked: Asked, expected: bool | Sequence[str]) -> None:
    wanted = expected if isinstance(expected, bool) else asked.label in expected
    same(getattr(asked.result, "basis", asked.basis).projected, wanted, f"projected at {asked.label}")


# -- active ---------------------------------------------------------------------------------------------------------


def _claims(*activity: bool | None, without: tuple[bool, ...] = ()) -> Judge:
    """Judge the claims whose versions are active in one of these ways and in none of the others."""

    def compare(asked: Asked, expected: Sequence[str]) -> None:
        listed = asked.result if asked.ask["op"] == "active" else listing(asked)
        _same_claims(asked, listed.claims(*activity) - listed.claims(*without), expected, f"{activity}")

    return compare


def _same_claims(asked: Asked, found: set[str], expected: Sequence[str], what: str) -> None:
    if found != asked.world.ids(expected):
        names = sorted(asked.world.named(claim) for claim in found)
        raise AssertionError(f"claims {what} at {asked.label}: found {names}, expected {sorted(expected)}")


def _upcoming(asked: Asked, expected: Sequence[str]) -> None:
    at = asked.basis.valid_at
    starting = {row["claim_id"] for row in asked.result.versions if row["from_earliest"] and row["from_earliest"] > at}
    _same_claims(asked, starting - asked.result.claims(True, False), expected, "upcoming")


def _values(asked: Asked, expected: Sequence[str]) -> None:
    found = {_normalised(row) for row in asked.result.versions if row["certain"]}
    same(found, {folded(text) for text in expected}, f"certain values at {asked.label}")


def _normalised(row: Mapping[str, Any]) -> str:
    exact = row["value_min"] is not None and row["value_min"] == row["value_max"] and row["unit"] is not None
    return format(row["value_min"].normalize(), "f") if exact else folded(row["value"])


_BOUNDS = ("from_earliest", "from_latest", "until_earliest", "until_latest")
_ENDS = {"effective_from": _BOUNDS[:2], "effective_until": _BOUNDS[2:]}


def _stored(asked: Asked, expected: Mapping[str, Mapping[str, Any]]) -> None:
    for handle, bounds in expected.items():
        only(bounds, {*_BOUNDS, *_ENDS}, "stored")
        columns = {column: moment(text) for name, text in bounds.items() for column in _ENDS.get(name, (name,))}
        versions = [row for row in asked.result.versions if row["claim_id"] == asked.world.claims[handle]]
        assert versions, f"{handle} is not visible"
        for row in versions:
            same({column: row[column] for column in columns}, columns, f"{handle} as stored")


def _in_window(asked: Asked, expected: Sequence[str]) -> None:
    _same_claims(asked, in_window(asked), expected, "in the window")


def _number_of_segments(asked: Asked, expected: int) -> None:
    subjects = {row["subject"] for row in asked.result.versions}
    predicate = asked.ask.get("predicate")
    found = [asked.world.kb.history(subject, predicate, **asked.axes) for subject in subjects]
    same(sum(len(one.segments) for one in found), expected, "segments")


# -- readings of texts ----------------------------------------------------------------------------------------------


def _number(name: str) -> Judge:
    def compare(asked: Asked, expected: str | None) -> None:
        same(getattr(asked.result, name), None if expected is None else Decimal(expected), name)

    return compare


def _plain(name: str) -> Judge:
    return lambda asked, expected: same(getattr(asked.result, name), expected, name)


def _bound(name: str) -> Judge:
    def compare(asked: Asked, expected: str | None) -> None:
        assert isinstance(asked.result, Bound)
        same(getattr(asked.result, name), moment(expected), name)

    return compare


def _several(asked: Asked, expected: Sequence[Mapping[str, Any]]) -> None:
    same(1, len(expected), "values read")
    judge(asked, expected[0])


OF_ANY: dict[str, Judge] = {
    "error": _error, "code": _code, "names": _mentions, "readings": _mentions, "row": _row, "one_of": _one_of,
    "same_claim": _same_claim, "other_claim": _other_claim, "stored_claims": _stored_claims,
    "observations": _observations, "basis": _basis, "projected": _projected,
}  # fmt: skip
_BESIDE: dict[str, Judge] = {"contradictions": _contradictions, "contradictions_of_kind": _contradictions_of_kind}

OF: dict[str, dict[str, Judge]] = {
    "active": _BESIDE | {
        "certain": _claims(True), "possible": _claims(False, without=(True,)),
        "no": _claims(None, without=(True, False)), "visible": _claims(True, False, None), "upcoming": _upcoming,
        "values": _values, "certain_values": _values, "stored": _stored, "in_window": _in_window,
        "segments": _number_of_segments,
    },
    "parse_value": {
        "min": _number("min"), "max": _number("max"), "min_open": _plain("min_open"), "max_open": _plain("max_open"),
        "unit": _plain("unit"), "key": _plain("key"), "approximate": _plain("approximate"), "values": _several,
    },
    "parse_date": {
        "kind": _plain("kind"), "precision": _plain("precision"), "earliest": _bound("earliest"),
        "latest": _bound("latest"),
    },
    "write": _BESIDE | {"stored": _stored_number, "unchanged": _unchanged, "written": _written},
    "relation": {"allen": lambda asked, expected: same(asked.result, expected, "relation")},
}  # fmt: skip
