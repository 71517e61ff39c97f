"""How a reading is judged against an expectation; shared by the tables of this checkout and the design's own."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from claimbase.constraints import Condition, Constraint, group_members
from claimbase.questions import Reading
from claimbase.temporal import iso

Judged = dict[str, Any]


def matches(reading: Reading, expect: Judged) -> bool:
    """Tell whether a reading is the expected one or one of its alternatives."""
    return any(_matches(reading, alternative) for alternative in (expect, *expect.get("also", ())))


def _matches(reading: Reading, expect: Judged) -> bool:
    if "refuse" in expect:
        return _refuses(reading, expect)
    if not reading.complete or reading.op != expect.get("op", "answer"):
        return False
    return _constraints_match(reading, expect) and _rest(reading) == _expected_rest(expect)


def _refuses(reading: Reading, expect: Judged) -> bool:
    """The pieces must be given back, in sense; what is readable beside them must be read as named."""
    if reading.complete:
        return False
    back = [piece.casefold() for piece in reading.not_understood]
    hits = [any(p.casefold() in b or b in p.casefold() for b in back) for p in expect["refuse"]]
    wanted = any(hits) if expect.get("refuse_any") else all(hits)
    suggested = set(expect.get("suggest", ())) <= set(reading.suggestions)
    return wanted and suggested and ("constraints" not in expect or _constraints_match(reading, expect))


def _constraints_match(reading: Reading, expect: Judged) -> bool:
    wanted = expect.get("constraints", []) + [
        {kind: expect[kind]} for kind in ("any_of", "none_of", "all_of") if kind in expect
    ]
    return len(reading.conditions) == len(wanted) and all(
        _condition_matches(given, want) for given, want in zip(reading.conditions, wanted, strict=True)
    )


def _condition_matches(given: Condition, want: Judged) -> bool:
    if isinstance(given, Constraint):
        operators = (want["operator"], *want.get("operator_also", ())) if "operator" in want else ()
        return _constraint(given, given.operator) in [_wanted(want, operator) for operator in operators]
    kind, members = group_members(given)
    wanted = want.get(kind, ())
    return len(members) == len(wanted) and all(
        _condition_matches(member, one) for member, one in zip(members, wanted, strict=True)
    )


def _constraint(given: Constraint, operator: str) -> tuple[Any, ...]:
    other = given.value_of.model_dump() if given.value_of else None
    at = iso(given.at) if given.at else None
    return (given.predicate, operator, _plain(given.value), given.unit, given.scope, other, at)


def _wanted(want: Judged, operator: str) -> tuple[Any, ...]:
    other = want.get("value_of")
    other = {"predicate": want["predicate"], **other} if other else None
    value = _plain(want.get("value"))
    return (want["predicate"], operator, value, want.get("unit"), want.get("scope"), other, want.get("at"))


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Decimal | int) and not isinstance(value, bool):
        return format(Decimal(value).normalize(), "f")
    return value


_NAMES = {
    "provider": "providers", "provider_not": "providers_not", "subject": "subjects", "predicate": "predicates",
    "source_type": "source_types",
}  # fmt: skip
_REST = (
    "providers", "providers_not", "subjects", "predicates", "scope", "as_of", "observed_by", "recorded_by", "then",
    "during", "at", "policy", "source_types", "show", "order_by", "limit", "offset", "a", "b", "direction",
)  # fmt: skip


def _rest(reading: Reading) -> Judged:
    data = reading.to_json()
    rest = {key: data[key] for key in _REST if key in data}
    if rest.get("b") == {"as_of": "now"}:
        rest["b"] = "now"
    return rest


def _expected_rest(expect: Judged) -> Judged:
    rest = {_NAMES.get(key, key): value for key, value in expect.items() if _NAMES.get(key, key) in _REST}
    if isinstance(rest.get("predicates"), str):
        rest["predicates"] = [rest["predicates"]]
    if "now" in str(rest.get("b", "")):
        rest["b"] = "now"
    return rest
