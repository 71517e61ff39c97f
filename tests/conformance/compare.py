"""Comparing: what a store answered with what a case expects; one comparison for each word of `expect`."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from .adapter import Answer, CannotState, Refusal

# A refusal in a store's own words: whatever kind is expected.
ANY_KIND = "*"
# What a store leaves out of one of several things it lists, for example the kind of a contradiction.
UNSTATED = object()


@dataclass(frozen=True, slots=True)
class Point:
    """Where a comparison stands: the question's op, the basis as the case lists it, what the handles stand for."""

    op: str
    label: str | None
    claims: Mapping[str, Hashable]

    def ids(self, handles: Sequence[str]) -> set[Hashable]:
        """Give what some handles stand for."""
        return {self.claims[handle] for handle in handles}

    def named(self, claims: set[Hashable]) -> list[str]:
        """Give the handles of claims, for messages."""
        return sorted(
            "=".join(handle for handle, known in self.claims.items() if known == claim) or str(claim)
            for claim in claims
        )


Comparison = Callable[[Any, Any, Point], None]


def judge(answer: Answer, expect: Mapping[str, Any], point: Point) -> list[str]:
    """Compare one answer with everything expected of it.

    Returns:
        The keys the store has no words for.

    Raises:
        AssertionError: it is otherwise.
        LookupError: an expectation has no comparison for this question.
    """
    if answer.refusal is not None and not {"error", "one_of"} & set(expect):
        raise AssertionError(f"refused: {answer.refusal}")
    unsaid = []
    for key, expected in expect.items():
        try:
            _comparison(key, point.op)(answer, expected, point)
        except CannotState as silence:
            unsaid.append(f"{key} ({silence})")
        except AssertionError as error:
            raise AssertionError(f"{key} at {point.label}: {error}") from None
    return unsaid


def _comparison(key: str, op: str) -> Comparison:
    if key in _OF_THE_WHOLE:
        return _OF_THE_WHOLE[key]
    compare = _OF.get(op, {}).get(key) or _OF_ANY.get(key)
    if compare is None:
        raise LookupError(f"nothing compares {key!r} of {op!r}")
    return lambda answer, expected, point: compare(answer.find(key), expected, point)


def same(found: Any, expected: Any, what: str = "") -> None:
    """Require equality, naming what differs."""
    assert found == expected, f"{what}{': ' if what else ''}found {found!r}, expected {expected!r}"


def moment(text: str | None) -> datetime | None:
    """Read an expected instant; a day is its start in UTC, null stays None."""
    if text is None:
        return None
    read = datetime.fromisoformat(text)
    return read if read.tzinfo else read.replace(tzinfo=UTC)


# -- whole values ---------------------------------------------------------------------------------------------------


def _equal(found: Any, expected: Any, point: Point) -> None:
    same(found, expected)


def _list(found: Any, expected: Sequence[Any], point: Point) -> None:
    same(list(found), list(expected))


def _set(found: Any, expected: Sequence[str], point: Point) -> None:
    same(set(found), set(expected))


def _folded(found: Any, expected: Sequence[str], point: Point) -> None:
    same({text.casefold() for text in found}, {text.casefold() for text in expected})


def _scopes(found: Any, expected: Sequence[Mapping[str, str]], point: Point) -> None:
    folded = [
        [{key: value.casefold() for key, value in scope.items()} for scope in scopes] for scopes in (found, expected)
    ]
    same(*folded)


def _moment(found: Any, expected: str | None, point: Point) -> None:
    same(found, moment(expected))


def _decimal(found: Any, expected: str | None, point: Point) -> None:
    same(found, None if expected is None else Decimal(expected))


def _claims(found: Any, expected: Sequence[str], point: Point) -> None:
    if set(found) != point.ids(expected):
        raise AssertionError(f"found {point.named(set(found))}, expected {sorted(expected)}")


def _in_order(found: Any, expected: Sequence[str], point: Point) -> None:
    same(list(found), [point.claims[handle] for handle in expected])


def _groups(found: Any, expected: Sequence[Sequence[str]], point: Point) -> None:
    same([set(group) for group in found], [point.ids(handles) for handles in expected])


def _intervals(found: Any, expected: Sequence[Sequence[str | None]], point: Point) -> None:
    same([tuple(one) for one in found], [(moment(start), moment(end)) for start, end in expected])


# -- parts of what was found ----------------------------------------------------------------------------------------


def _holds(found: Any, expected: Any, point: Point) -> None:
    assert expected in found, f"{expected!r} is not among {found!r}"


def _says(found: str, expected: Sequence[str], point: Point) -> None:
    missing = [words for words in expected if words not in found]
    assert not missing, f"{found!r} does not say {missing}"


def _none_of(found: Any, expected: Sequence[str], point: Point) -> None:
    assert not set(found) & set(expected), f"found {set(found) & set(expected)}"


def _all_of(found: Any, expected: Sequence[str], point: Point) -> None:
    assert set(expected) <= set(found), f"missing {set(expected) - set(found)}"


def _part(found: Mapping[str, Any], expected: Mapping[str, Any], point: Point) -> None:
    for name, value in expected.items():
        if name not in found:
            raise CannotState(f"no {name}")
        same(found[name], value, name)


def _by_name(found: Mapping[str, Any], expected: Mapping[str, Any], point: Point) -> None:
    same({name: found.get(name) for name in expected}, dict(expected))


def _counted(found: Mapping[str, int], expected: Mapping[str, int], point: Point) -> None:
    same({name: found.get(name, 0) for name in expected}, dict(expected))


def _basis(found: Mapping[str, Any], expected: Mapping[str, Any], point: Point) -> None:
    read = {name: moment(text) if isinstance(text, str) else text for name, text in expected.items()}
    _part(found, read, point)


def _projected(found: bool, expected: bool | Sequence[str], point: Point) -> None:
    same(found, expected if isinstance(expected, bool) else point.label in expected)


def _of_claims(found: Mapping[Hashable, Any], expected: Mapping[str, Any], point: Point) -> None:
    same({handle: found.get(point.claims[handle]) for handle in expected}, dict(expected))


def _near_misses(found: Mapping[str, Any], expected: Mapping[str, Any], point: Point) -> None:
    same(set(found), set(expected))
    for subject, wanted in expected.items():
        _part(found[subject], wanted, point)


def _wording(found: Mapping[Hashable, set[str]], expected: Mapping[str, str], point: Point) -> None:
    for handle, words in expected.items():
        texts = found.get(point.claims[handle], set())
        assert texts, f"{handle} is not cited"
        assert all(words in text and "ended" not in text for text in texts), f"{handle}: {texts} for {words!r}"


_OF_FRESHNESS: dict[str, Comparison] = {
    "newest": _moment, "oldest": _moment, "stale": _equal, "stale_claims": _claims, "next_stale_at": _moment,
    "claims": _equal,
}  # fmt: skip


def _freshness(found: Mapping[str, Any], expected: Mapping[str, Any], point: Point) -> None:
    for name, wanted in expected.items():
        _OF_FRESHNESS[name](found[name], wanted, point)


_BOUNDS = ("from_earliest", "from_latest", "until_earliest", "until_latest")
_ENDS = {"effective_from": _BOUNDS[:2], "effective_until": _BOUNDS[2:]}


def _stored(found: Mapping[Hashable, Any], expected: Mapping[str, Mapping[str, Any]], point: Point) -> None:
    """Compare the bounds of every visible version of the claims named."""
    for handle, bounds in expected.items():
        columns = {column: moment(text) for name, text in bounds.items() for column in _ENDS.get(name, (name,))}
        versions = found.get(point.claims[handle], [])
        assert versions, f"{handle} is not visible"
        for version in versions:
            _part(version, columns, point)


# -- contradictions, segments, rows ---------------------------------------------------------------------------------


def _pairs(found: Any, expected: Sequence[Sequence[str]], point: Point) -> None:
    same({frozenset(pair) for pair in found}, {frozenset(point.ids(handles)) for handles in expected})


_OF_PAIR = {"kind", "claims", "from", "until", "suggested_end"}


def _contradictions(found: Sequence[Mapping[str, Any]], expected: Sequence[Mapping[str, Any]], point: Point) -> None:
    """Compare every pair: its claims, its kind, and where they are named its intervals and the suggested end."""
    wanted: dict[tuple[frozenset[Hashable], str], list[Mapping[str, Any]]] = {}
    for one in expected:
        if unknown := set(one) - _OF_PAIR:
            raise LookupError(f"nothing compares {unknown} of a contradiction")
        wanted.setdefault((frozenset(point.ids(one["claims"])), one["kind"]), []).append(one)
    pairs = {frozenset(pair["claims"]) for pair in found}
    if pairs != {claims for claims, _ in wanted}:
        raise AssertionError(f"found {[point.named(set(pair)) for pair in pairs]}, expected {list(expected)}")
    if any(pair["kind"] is UNSTATED for pair in found):
        raise CannotState("no kinds of contradictions")
    by_key = {(frozenset(pair["claims"]), pair["kind"]): pair for pair in found}
    same({kind for _, kind in by_key}, {kind for _, kind in wanted}, "kinds")
    same(set(by_key), set(wanted), "pairs")
    for key, ones in wanted.items():
        _one_contradiction(by_key[key], ones, point)


def _one_contradiction(pair: Mapping[str, Any], ones: Sequence[Mapping[str, Any]], point: Point) -> None:
    if any("from" in one for one in ones):
        intervals = [(moment(one["from"]), moment(one["until"])) for one in ones]
        same([tuple(one) for one in pair["disputed"]], intervals, "disputed")
    for handle, end in (item for one in ones for item in one.get("suggested_end", {}).items()):
        same(pair["suggested_end"].get(point.claims[handle]), moment(end), f"suggested end of {handle}")


def _lifetimes(found: Any, expected: Sequence[Mapping[str, Any]], point: Point) -> None:
    wanted = {(point.claims[one["claim"]], moment(one["from"]), moment(one["until"])) for one in expected}
    same(set(found), wanted)


def _interval_or_none(found: Any, expected: Sequence[str | None] | None, point: Point) -> None:
    same(found, None if expected is None else tuple(moment(text) for text in expected))


def _number_of(found: Any, expected: int | Sequence[str], point: Point) -> None:
    same(len(set(found)), expected) if isinstance(expected, int) else _claims(found, expected, point)


_OF_SEGMENT: dict[str, Comparison] = {
    "value": _holds, "from": _moment, "until": _moment, "status": _equal, "doubt": _equal, "claims": _number_of,
    "voices": _equal, "unconfirmed_since": _moment, "certain": _interval_or_none, "possible": _interval_or_none,
    "flagged": _equal, "retraction": _equal,
}  # fmt: skip


def _segments(found: Sequence[Mapping[str, Any]], expected: int | Sequence[Mapping[str, Any]], point: Point) -> None:
    wanted = [{}] * expected if isinstance(expected, int) else expected
    shown = [(segment["value"], segment["from"], segment["until"], segment["status"]) for segment in found]
    assert len(found) == len(wanted), f"found {len(found)} segments {shown}, expected {len(wanted)}"
    for segment, one in zip(found, wanted, strict=True):
        for name, value in one.items():
            _OF_SEGMENT[name](segment[name], value, point)


_OF_ROW: dict[str, Comparison] = {
    "label": _equal, "from_value": _holds, "to_value": _holds, "subject": _equal, "predicate": _equal, "axis": _equal,
    "from_claims": _claims, "to_claims": _claims,
}  # fmt: skip


def _differences(found: Sequence[Mapping[str, Any]], expected: Sequence[Mapping[str, Any]], point: Point) -> None:
    """Compare the rows of a difference, whatever their order."""
    assert len(found) == len(expected), f"found rows {list(found)}, expected {list(expected)}"
    left = list(found)
    for one in expected:
        fitting = [row for row in left if _fits(row, one, point)]
        assert fitting, f"no row is {one}: {left}"
        left.remove(fitting[0])


def _fits(row: Mapping[str, Any], wanted: Mapping[str, Any], point: Point) -> bool:
    try:
        for name, value in wanted.items():
            _OF_ROW.get(name, _equal)(row[name], value, point)
    except AssertionError:
        return False
    return True


def _joined(found: Sequence[Mapping[str, Any]], expected: Sequence[Mapping[str, Any]], point: Point) -> None:
    times = {"from", "until"}
    read = [{name: moment(value) if name in times else value for name, value in row.items()} for row in expected]
    assert len(found) == len(read), f"found rows {list(found)}, expected {read}"
    for row, wanted in zip(found, read, strict=True):
        same({name: row.get(name) for name in wanted}, wanted)


def _events(found: Sequence[Mapping[str, Any]], expected: Sequence[Mapping[str, Any]], point: Point) -> None:
    compared: dict[str, Comparison] = {"event": _equal, "subject": _equal, "because": _claims, "at": _moment}
    for one in expected:
        if unknown := set(one) - set(compared):
            raise LookupError(f"nothing compares {unknown} of an event")
        assert any(
            _event_is(event, {name: (compared[name], value) for name, value in one.items()}, point) for event in found
        ), f"no event is {one}: {list(found)}"


def _event_is(event: Mapping[str, Any], wanted: Mapping[str, tuple[Comparison, Any]], point: Point) -> bool:
    try:
        for name, (compare, value) in wanted.items():
            compare(event[name], value, point)
    except AssertionError:
        return False
    return True


def _event_list(found: Sequence[Mapping[str, Any]], expected: Sequence[Mapping[str, Any]], point: Point) -> None:
    assert len(found) == len(expected), f"found events {list(found)}, expected {list(expected)}"
    for event, one in zip(found, expected, strict=True):
        _events([event], [one], point)


def _tombstones(found: Any, expected: Sequence[Mapping[str, str]], point: Point) -> None:
    same(set(found), {(point.claims[one["claim"]], one["reason"]) for one in expected})


# -- what is not asked of the answer alone --------------------------------------------------------------------------


def _error(answer: Answer, expected: str, point: Point) -> None:
    assert answer.refusal is not None, "not refused"
    assert {expected, ANY_KIND} & set(answer.refusal.kinds), f"refused as {answer.refusal}, not as {expected}"


def _code(answer: Answer, expected: str, point: Point) -> None:
    same(_in_our_words(answer).code, expected)


def _message(answer: Answer, expected: Sequence[str], point: Point) -> None:
    _says(_in_our_words(answer).message, expected, point)


def _row(answer: Answer, expected: int, point: Point) -> None:
    _holds(_in_our_words(answer).rows, expected, point)


def _in_our_words(answer: Answer) -> Refusal:
    assert answer.refusal is not None, "not refused"
    if ANY_KIND in answer.refusal.kinds:
        raise CannotState("refuses in its own words")
    return answer.refusal


def _one_of(answer: Answer, expected: Sequence[Mapping[str, Any]], point: Point) -> None:
    missed = []
    for alternative in expected:
        try:
            judge(answer, alternative, point)
        except AssertionError as error:
            missed.append(str(error))
        else:
            return
    raise AssertionError(f"none of {expected}: {missed}")


def _same_claim(answer: Answer, expected: Sequence[Sequence[str]], point: Point) -> None:
    for handles in expected:
        same(len(point.ids(handles)), 1, f"{handles} as claims")


def _other_claim(answer: Answer, expected: Sequence[Sequence[str]], point: Point) -> None:
    for handles in expected:
        same(len(point.ids(handles)), len(handles), f"{handles} as claims")


_OF_THE_WHOLE: dict[str, Comparison] = {
    "error": _error, "code": _code, "names": _message, "readings": _message, "row": _row, "one_of": _one_of,
    "same_claim": _same_claim, "other_claim": _other_claim,
    # found here, and compared over all orders at once, by the runner
    "ids_equal_in_all_orders": lambda answer, expected, point: answer.find("ids_equal_in_all_orders"),
}  # fmt: skip

_OF_ANY: dict[str, Comparison] = {
    "stored_claims": _equal, "observations": _of_claims, "basis": _basis, "projected": _projected,
    "contradictions": _equal, "contradictions_of_kind": _counted, "visible": _claims, "reviews": _claims,
    "tombstones": _tombstones, "content_visible": _equal, "flagged": _claims,
}  # fmt: skip

_OF: dict[str, dict[str, Comparison]] = {
    "active": {
        "certain": _claims, "possible": _claims, "no": _claims, "upcoming": _claims, "values": _folded,
        "certain_values": _folded, "stored": _stored, "in_window": _claims, "segments": _equal,
    },
    "parse_value": {
        "min": _decimal, "max": _decimal, "min_open": _equal, "max_open": _equal, "unit": _equal, "key": _equal,
        "approximate": _equal, "values": lambda found, expected, point: _values(found, expected),
    },
    "parse_date": {"kind": _equal, "precision": _equal, "earliest": _moment, "latest": _moment},
    "write": {"stored": _equal, "unchanged": _equal, "written": _part},
    "relation": {"allen": _equal},
    "answer": {
        "verdicts": _by_name, "eligible": _set, "disputed": _set, "possible": _set, "not_eligible": _none_of,
        "near_misses": _near_misses, "ranked": _list, "cited": _claims, "supporting_claims": _equal,
        "mentioned_scopes": _scopes, "left_out": _equal, "counts": _part, "invented": _equal, "wording": _wording,
        "reasons": _by_name, "freshness": _freshness, "summary": _says, "complete_citations": _equal,
        "complete_plan": _equal,
    },
    "contradictions": {
        "list": _contradictions, "pairs": _pairs, "kinds": _set, "info_kinds": _set, "newest_first": _in_order,
        "sides": _groups, "both_shown": _equal, "agreement": _equal, "outside_lifetime": _lifetimes,
        "list_size": _equal,
    },
    "history": {
        "segments": _segments, "gaps": _intervals, "counts": _part, "claims_found": _claims, "predicates": _set,
        "sentence": _says, "voices": _equal,
    },
    "freshness": _OF_FRESHNESS,
    "when": {"certain": _intervals, "possible": _intervals, "disputed": _intervals, "next_change_at": _moment},
    "diff": {"rows": _differences, "axis": _equal, "axes_moved": _list},
    "temporal_join": {"rows": _joined},
    "watch_events": {
        "events_include": _events, "events": _event_list, "still_eligible": _all_of, "not_eligible": _none_of,
    },
    "explain": {"verdicts": _list, "bucket": _equal},
}  # fmt: skip


def _values(found: Sequence[Mapping[str, Any]], expected: Sequence[Mapping[str, Any]]) -> None:
    """Compare several values read out of one text."""
    same(len(found), len(expected), "values read")
    for one, wanted in zip(found, expected, strict=True):
        for name, value in wanted.items():
            _OF["parse_value"][name](one[name], value, Point("parse_value", None, {}))
