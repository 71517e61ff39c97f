"""The shape of a question: all that its SQL text depends on and none of its values, so that the text can be kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from claimbase.compiler.plan import TEST_LIMIT, Condition, Filters, Ids, OverTime, Wish
from claimbase.compiler.verdicts import NEGATED, Tree, nothing
from claimbase.constraints import Test
from claimbase.errors import ConstraintError, LimitError
from claimbase.temporal import Basis
from claimbase.values import Kind, Value, value_id
from claimbase.vocabulary import Predicate

NUMBERS: tuple[Kind, ...] = ("quantity", "date", "bool")
WORDS = ("contains", "starts_with")
"""Operators that look at the folded words of a claim."""
NOWHERE = -1
"""An id no row has: what the question names is not in the base."""


@dataclass(frozen=True, slots=True)
class Ends:
    """Which ends an operand has, and which of them are excluded."""

    low: bool
    high: bool
    low_open: bool
    high_open: bool


@dataclass(frozen=True, slots=True)
class Leaf:
    """The shape of one test.

    Args:
        place: the predicate's place in the plan's list.
        operator: as compared; a negated test on a `many` predicate asks the positive one and turns the verdict.
        turned: the verdict is turned (Q7).
        listed: the table for `many` decides; exists and absent always follow the one for `single`.
        many: no exception overrides (K6 speaks of `single` predicates).
        unit: a claim in another unit cannot be compared (V2); None = the kind has none.
        mute: the operand is missing, nothing can be said (Q14).
        default: the verdict without any claim.
        twin: an earlier test hears the same claims; they are counted there.
    """

    place: int
    kind: Kind
    operator: str
    turned: bool
    listed: bool
    many: bool
    closed: bool
    operands: tuple[Ends, ...]
    scope: Literal["none", "exact", "any"]
    moment: int
    unit: bool | None
    requires: int
    mute: bool
    default: int
    twin: bool

    @property
    def outline(self) -> Leaf:
        """The leaf as every step but `evidence` sees it."""
        operator = self.operator if self.operator in WORDS else "eq"
        return replace(self, operator=operator, operands=(), unit=None, requires=0)


@dataclass(frozen=True, slots=True)
class Shape:
    """The shape of a whole question; equal shapes have the same SQL text."""

    leaves: tuple[Leaf, ...]
    tree: tuple[Tree, ...]
    predicates: tuple[int, ...]
    shown: tuple[int, ...]
    moments: int
    merged: bool
    withdrawn: bool
    subjects: int | None
    providers: int
    providers_not: int
    sources: int
    source_types: int
    authorities: int
    policy: str
    order: tuple[int, bool] | None
    order_kind: Kind | None
    order_unit: bool
    limited: bool
    near_limited: bool
    everyone: bool
    count_asked: bool
    over_time: OverTime | None

    @property
    def outline(self) -> Shape:
        """The shape as every step but `evidence` sees it; many questions share it."""
        return replace(self, leaves=tuple(leaf.outline for leaf in self.leaves))


@dataclass(slots=True)
class Question:
    """A question taken apart: its shape, the values for its placeholders, its tests."""

    shape: Shape
    params: dict[str, Any]
    tests: tuple[Test, ...]


def take_apart(conditions: Sequence[Condition], ids: Ids, basis: Basis, filters: Filters, wish: Wish) -> Question:
    """Split a question into shape and values.

    Raises:
        LimitError: [too_many] more than TEST_LIMIT tests.
        ConstraintError: [bad_operands] another subject's value where two operands or a list are needed.
    """
    tests: list[Test] = []
    tree = tuple(_numbered(condition, tests) for condition in conditions)
    if len(tests) > TEST_LIMIT:
        raise LimitError(f"{len(tests)} tests in one question", code="too_many", hint=f"at most {TEST_LIMIT}")
    predicates = list(dict.fromkeys([test.predicate for test in tests] + list(wish.show)))
    places = {predicate: place for place, predicate in enumerate(predicates)}
    moments: list[datetime] = [basis.valid_at]
    params: dict[str, Any] = {"observed_by": basis.observed_by, "recorded_by": basis.recorded_by}
    leaves = tuple(_leaf(number, tests, places, moments, ids, params) for number in range(len(tests)))
    params |= {f"valid_at{n or ''}": moment for n, moment in enumerate(moments)}
    sizes = [_predicate(place, predicate, ids, params) for place, predicate in enumerate(predicates)]
    ranking = None if wish.order is None else tests[wish.order[0]].predicate
    shape = Shape(
        leaves=leaves,
        tree=tree,
        predicates=tuple(sizes),
        shown=tuple(places[predicate] for predicate in wish.show),
        moments=len(moments),
        merged=ids.merged,
        withdrawn=ids.withdrawn,
        order=wish.order,
        order_kind=None if ranking is None else ranking.kind,
        order_unit=ranking is not None and _unit("order_unit", ranking.unit, ids, params),
        limited=wish.limit is not None or wish.offset > 0,
        near_limited=wish.near_limit is not None,
        policy=wish.policy,
        everyone=wish.everyone or filters.subjects is not None,
        count_asked=wish.count_asked,
        over_time=wish.over_time,
        **_filter_sizes(filters, params),
    )
    params |= {
        "limit": 2**31 if wish.limit is None else wish.limit,
        "offset": wish.offset,
        "near_limit": wish.near_limit,
        "since": wish.since,
        "before": wish.before,
        "seen_from": wish.seen[0],
        "seen_until": wish.seen[1],
    }
    return Question(shape, params, tuple(tests))


def trees(conditions: Sequence[Condition]) -> tuple[Tree, ...]:
    """Give conditions as trees of test numbers, counted from left to right."""
    tests: list[Test] = []
    return tuple(_numbered(condition, tests) for condition in conditions)


def _numbered(condition: Condition, tests: list[Test]) -> Tree:
    if isinstance(condition, Test):
        tests.append(condition)
        return len(tests) - 1
    return condition.kind, tuple(_numbered(member, tests) for member in condition.members)


def _leaf(
    number: int,
    tests: Sequence[Test],
    places: dict[Predicate, int],
    moments: list[datetime],
    ids: Ids,
    params: dict[str, Any],
) -> Leaf:
    test = tests[number]
    predicate, operator = test.predicate, test.operator
    many = predicate.cardinality == "many"
    turned = many and operator in NEGATED
    mute = test.value_of is not None and not test.operands
    if mute and operator in ("between", "in"):
        raise ConstraintError(f"{operator} takes no other subject's value", code="bad_operands")
    if test.at is not None and test.at not in moments:
        moments.append(test.at)
    closed = predicate.closed_world and not mute
    compared = NEGATED[operator] if turned else operator
    unit = _unit(f"unit{number}", _unit_name(test), ids, params) if _measured(test) else None
    if isinstance(test.scope, tuple):
        params[f"scope{number}"] = ids.scopes.get(test.scope, NOWHERE)
    params |= {f"requires{number}_{n}": f'$."{key}"' for n, key in enumerate(predicate.requires)}
    return Leaf(
        place=places[predicate],
        kind=predicate.kind,
        operator=compared,
        turned=turned,
        listed=many and operator not in ("exists", "absent"),
        many=many,
        closed=closed,
        operands=tuple(_operand(f"t{number}_{n}", test, value, params) for n, value in enumerate(test.operands)),
        scope="none" if test.scope is None else "any" if test.scope == "any" else "exact",
        moment=0 if test.at is None else moments.index(test.at),
        unit=unit,
        requires=len(predicate.requires),
        mute=mute,
        default=nothing(operator, cardinality_many=many, closed_world=closed),
        twin=any(_same_claims(test, earlier) for earlier in tests[:number]),
    )


def _same_claims(one: Test, other: Test) -> bool:
    return (one.predicate, one.scope, one.at) == (other.predicate, other.scope, other.at)


def _measured(test: Test) -> bool:
    return test.predicate.kind == "quantity" and test.operator not in ("exists", "absent")


def _unit_name(test: Test) -> str | None:
    return next((value.unit for value in test.operands if value.unit is not None), test.predicate.unit)


def _unit(key: str, unit: str | None, ids: Ids, params: dict[str, Any]) -> bool:
    if unit is not None:
        params[key] = ids.units.get(unit, NOWHERE)
    return unit is not None


def _operand(key: str, test: Test, value: Value, params: dict[str, Any]) -> Ends:
    """Put an operand's values among the parameters and return which ends it has."""
    if test.predicate.kind in NUMBERS:
        params |= {f"{key}_{end}": at for end, at in (("min", value.min), ("max", value.max)) if at is not None}
        return Ends(value.min is not None, value.max is not None, value.min_open, value.max_open)
    params[key] = value.key if test.operator in WORDS else value_id(value.key, value.unit)
    return Ends(True, True, False, False)


def _predicate(place: int, predicate: Predicate, ids: Ids, params: dict[str, Any]) -> int:
    """Name the ids of a predicate and its aliases; return how many there are."""
    known = ids.predicates.get(predicate.name) or (NOWHERE,)
    params |= {f"predicate{place}{f'_{n}' if n else ''}": number for n, number in enumerate(known)}
    return len(known)


def _filter_sizes(filters: Filters, params: dict[str, Any]) -> dict[str, Any]:
    params |= _many("provider", filters.providers) | _many("other_provider", filters.providers_not)
    params |= _many("source", filters.sources) | _many("source_type", filters.source_types)
    params |= _many("authority", filters.authorities) | _many("subject", filters.subjects or ())
    return {
        "subjects": None if filters.subjects is None else len(filters.subjects),
        "providers": len(filters.providers),
        "providers_not": len(filters.providers_not),
        "sources": len(filters.sources),
        "source_types": len(filters.source_types),
        "authorities": len(filters.authorities),
    }


def _many(key: str, values: Iterable[Any]) -> dict[str, Any]:
    return {f"{key}_{n}": value for n, value in enumerate(values)}
