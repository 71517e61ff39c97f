"""The shape of a question: all that its SQL text depends on and none of its values, so that the text can be kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from claimbase.compiler import tables
from claimbase.compiler.plan import BRANCH_LIMIT, INSTANT_LIMIT, TEST_LIMIT, Condition, Filters, Ids, OverTime, Wish
from claimbase.compiler.verdicts import MET, NEGATED, POSSIBLE, Tree, nothing, ranked
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
    def words(self) -> bool:
        """Tell whether the folded words of a claim are needed beside its numbers."""
        return self.operator in WORDS

    @property
    def outline(self) -> Leaf:
        """The leaf as every step but `evidence` sees it."""
        operator = self.operator if self.operator in WORDS else "eq"
        return replace(self, operator=operator, operands=(), unit=None, requires=0)


@dataclass(frozen=True, slots=True)
class Shape:
    """The shape of a whole question; equal shapes have the same SQL text.

    Args:
        leaves: one for each test; where tests travel as a table, one for each kind of test.
        tree: the conditions over the tests; empty where they travel as a table.
        depth: where tests travel as a table, how many levels of groups they lie in; else 0.
        several: there is more than one condition, so that one of them can be missed by itself.
        enumerates: subjects without any claim on these predicates can be returned.
    """

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
    depth: int
    several: bool
    enumerates: bool

    @property
    def tabled(self) -> bool:
        """Tell whether the tests travel as a table."""
        return self.depth > 0

    @property
    def outline(self) -> Shape:
        """The shape as every step but `evidence` sees it; many questions share it."""
        return replace(self, leaves=tuple(leaf.outline for leaf in self.leaves))


@dataclass(slots=True)
class Question:
    """A question taken apart: its shape, the values for its placeholders, its tests, the verdicts without a claim."""

    shape: Shape
    params: dict[str, Any]
    tests: tuple[Test, ...]
    defaults: tuple[int, ...]


def take_apart(conditions: Sequence[Condition], ids: Ids, basis: Basis, filters: Filters, wish: Wish) -> Question:
    """Split a question into shape and values.

    Raises:
        LimitError: [too_many] more than TEST_LIMIT tests, or BRANCH_LIMIT of them over time; more instants than that.
        ConstraintError: [bad_operands] another subject's value where two operands or a list are needed.
    """
    tests: list[Test] = []
    tree = tuple(_numbered(condition, tests) for condition in conditions)
    moments = list(dict.fromkeys([basis.valid_at, *(test.at for test in tests if test.at is not None)]))
    _hold(len(tests), BRANCH_LIMIT if wish.over_time else TEST_LIMIT, "tests")
    _hold(len(moments), INSTANT_LIMIT, "instants")
    predicates = list(dict.fromkeys([test.predicate for test in tests] + list(wish.show)))
    places = {predicate: place for place, predicate in enumerate(predicates)}
    params: dict[str, Any] = {"observed_by": basis.observed_by, "recorded_by": basis.recorded_by}
    params |= {f"valid_at{n or ''}": moment for n, moment in enumerate(moments)}
    sizes = [_predicate(place, predicate, ids, params) for place, predicate in enumerate(predicates)]
    tabled = len(tests) > BRANCH_LIMIT
    values: list[dict[str, Any]] = [{} for _ in tests] if tabled else [params] * len(tests)
    leaves = tuple(_leaves(tests, places, {at: n for n, at in enumerate(moments)}, ids, values, tabled=tabled))
    defaults = tuple(leaf.default for leaf in leaves)
    ranking = None if wish.order is None else tests[wish.order[0]].predicate
    everyone = wish.everyone or filters.subjects is not None
    shown = tuple(places[predicate] for predicate in wish.show)
    depth, enumerates = 0, everyone or _unheard(tree, defaults)
    if tabled:
        numbers = [params[f"predicate{place}"] for place in range(len(predicates))]
        leaves, depth = tables.laid_out(leaves, values, tree, numbers, shown, params)
    shape = Shape(
        leaves=leaves,
        tree=() if tabled else tree,
        predicates=tuple(sizes),
        shown=shown,
        moments=len(moments),
        merged=ids.merged,
        withdrawn=ids.withdrawn,
        order_kind=None if ranking is None else ranking.kind,
        order_unit=ranking is not None and _unit("order_unit", ranking.unit, ids, params),
        everyone=everyone,
        depth=depth,
        several=len(tree) > 1,
        enumerates=enumerates,
        **_wish_sizes(wish),
        **_filter_sizes(filters, params),
    )
    return Question(shape, params | _wished(wish) | {"tops": len(tree)}, tuple(tests), defaults if tabled else ())


def _hold(count: int, most: int, what: str) -> None:
    """Refuse more than a question may hold."""
    if count > most:
        raise LimitError(f"{count} {what} in one question", code="too_many", hint=f"at most {most}")


def _unheard(tree: Sequence[Tree], defaults: Sequence[int]) -> bool:
    """Tell whether a subject of which no claim speaks can be in a bucket."""
    tops = [ranked(one, defaults) for one in tree]
    near = len(tops) > 1 and sum(rank == MET for rank in tops) == len(tops) - 1
    return min(tops) >= POSSIBLE or near


def _wish_sizes(wish: Wish) -> dict[str, Any]:
    return {
        "order": wish.order,
        "limited": wish.limit is not None or wish.offset > 0,
        "near_limited": wish.near_limit is not None,
        "policy": wish.policy,
        "count_asked": wish.count_asked,
        "over_time": wish.over_time,
    }


def _wished(wish: Wish) -> dict[str, Any]:
    return {
        "limit": 2**31 if wish.limit is None else wish.limit,
        "offset": wish.offset,
        "near_limit": wish.near_limit,
        "since": wish.since,
        "before": wish.before,
        "seen_from": wish.seen[0],
        "seen_until": wish.seen[1],
    }


def trees(conditions: Sequence[Condition]) -> tuple[Tree, ...]:
    """Give conditions as trees of test numbers, counted from left to right."""
    tests: list[Test] = []
    return tuple(_numbered(condition, tests) for condition in conditions)


def _numbered(condition: Condition, tests: list[Test]) -> Tree:
    if isinstance(condition, Test):
        tests.append(condition)
        return len(tests) - 1
    return condition.kind, tuple(_numbered(member, tests) for member in condition.members)


def _leaves(
    tests: Sequence[Test],
    places: Mapping[Predicate, int],
    moments: Mapping[datetime, int],
    ids: Ids,
    values: Sequence[dict[str, Any]],
    *,
    tabled: bool,
) -> Iterator[Leaf]:
    """Take each test apart; its values have its number in their names, unless they are the columns of a table."""
    heard = set()
    for number, (test, found) in enumerate(zip(tests, values, strict=True)):
        place, moment = places[test.predicate], 0 if test.at is None else moments[test.at]
        hears = (place, test.scope, test.at)
        operands = tables.padded(test.operands) if tabled and test.operator == "in" else test.operands
        mark = "" if tabled else str(number)
        given = test if operands is test.operands else replace(test, operands=operands)
        yield _leaf(given, mark, (place, moment), ids, found, twin=hears in heard)
        heard.add(hears)


def _leaf(test: Test, mark: str, at: tuple[int, int], ids: Ids, values: dict[str, Any], *, twin: bool) -> Leaf:
    predicate, operator = test.predicate, test.operator
    many = predicate.cardinality == "many"
    turned = many and operator in NEGATED
    mute = test.value_of is not None and not test.operands
    if mute and operator in ("between", "in"):
        raise ConstraintError(f"{operator} takes no other subject's value", code="bad_operands")
    closed = predicate.closed_world and not mute
    if isinstance(test.scope, tuple):
        values[f"scope{mark}"] = ids.scopes.get(test.scope, NOWHERE)
    return Leaf(
        place=at[0],
        kind=predicate.kind,
        operator=NEGATED[operator] if turned else operator,
        turned=turned,
        listed=many and operator not in ("exists", "absent"),
        many=many,
        closed=closed,
        operands=tuple(_operand(f"t{mark}_{n}", test, value, values) for n, value in enumerate(test.operands)),
        scope="none" if test.scope is None else "any" if test.scope == "any" else "exact",
        moment=at[1],
        unit=_unit(f"unit{mark}", _unit_name(test), ids, values) if _measured(test) else None,
        requires=len(predicate.requires),
        mute=mute,
        default=nothing(operator, cardinality_many=many, closed_world=closed),
        twin=twin,
    )


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
    if test.operator in WORDS:
        params[f"{key}_text"] = value.key
    else:
        params[key] = value_id(value.key, value.unit)
    return Ends(True, True, False, False)


def _predicate(place: int, predicate: Predicate, ids: Ids, params: dict[str, Any]) -> int:
    """Name the ids of a predicate and its aliases; return how many there are."""
    known = ids.predicates.get(predicate.name) or (NOWHERE,)
    params |= {f"predicate{place}{f'_{n}' if n else ''}": number for n, number in enumerate(known)}
    params |= {f"requires{place}_{n}": f'$."{key}"' for n, key in enumerate(predicate.requires)}
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
