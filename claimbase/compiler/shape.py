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
    def ends(self) -> frozenset[tuple[int, str]]:
        """What its operands put into a row of a table: the place of each and which end of it, of a word the whole."""
        word = "text" if self.words else ""
        return (
            frozenset(
                (place, end)
                for place, ends in enumerate(self.operands)
                for end, there in (("min", ends.low), ("max", ends.high))
                if there
            )
            if self.kind in NUMBERS
            else frozenset((place, word) for place, _ in enumerate(self.operands))
        )

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

    @property
    def audience(self) -> Shape:
        """The shape as far as it says whom to ask; every question with these filters shares it."""
        return replace(
            self, leaves=(), tree=(), predicates=(), shown=(), moments=1, withdrawn=False, policy="certain", order=None,
            order_kind=None, order_unit=False, limited=False, near_limited=False, everyone=False, over_time=None,
            depth=0, several=False, enumerates=False,
        )  # fmt: skip


@dataclass(slots=True)
class Question:
    """A question taken apart: its shape, the values for its placeholders, its tests, how they are put together, and
    where they travel as a table the verdict of each without a claim.
    """

    shape: Shape
    params: dict[str, Any]
    tests: tuple[Test, ...]
    trees: tuple[Tree, ...]
    defaults: tuple[int, ...]


def take_apart(conditions: Sequence[Condition], ids: Ids, basis: Basis, filters: Filters, wish: Wish) -> Question:
    """Split a question into shape and values.

    Raises:
        LimitError: [too_many] more than TEST_LIMIT tests, or BRANCH_LIMIT of them over time; more instants than that.
        ConstraintError: [bad_operands] another subject's value where two operands or a list are needed.
    """
    tests: list[Test] = []
    tree = _numbered(conditions, tests)
    forms = {id(test.form): test.form for test in tests}.values()  # many tests share one
    moments = list(dict.fromkeys([basis.valid_at, *(form.at for form in forms if form.at is not None)]))
    _hold(len(tests), BRANCH_LIMIT if wish.over_time else TEST_LIMIT, "tests")
    _hold(len(moments), INSTANT_LIMIT, "instants")
    predicates = list({one.name: one for one in (*(form.predicate for form in forms), *wish.show)}.values())
    places = {predicate.name: place for place, predicate in enumerate(predicates)}
    params: dict[str, Any] = {"observed_by": basis.observed_by, "recorded_by": basis.recorded_by}
    params |= {f"valid_at{n or ''}": moment for n, moment in enumerate(moments)}
    sizes = [_predicate(place, predicate, ids, params) for place, predicate in enumerate(predicates)]
    tabled = len(tests) > BRANCH_LIMIT
    placed = _Placed(places, {at: n for n, at in enumerate(moments)}, ids)
    sorts = list(_sorts(tests, placed)) if tabled else []
    leaves = tuple(sort.leaf for sort in sorts) or tuple(_leaves(tests, placed, params))
    defaults = tuple(leaf.default for leaf in leaves)
    ranking = None if wish.order is None else tests[wish.order[0]].predicate
    everyone = wish.everyone or filters.subjects is not None
    shown = tuple(places[predicate.name] for predicate in wish.show)
    depth, enumerates = 0, everyone or _unheard(tree, defaults)
    if tabled:
        numbers = [params[f"predicate{place}"] for place in range(len(predicates))]
        operands = [_padded(test) for test in tests]
        leaves, depth = tables.laid_out(sorts, operands, defaults, tree, numbers, shown, params)
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
    params |= _wished(wish) | {"tops": len(tree)}
    return Question(shape, params, tuple(tests), tree, defaults if tabled else ())


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


def _numbered(conditions: Iterable[Condition], tests: list[Test]) -> tuple[Tree, ...]:
    """Collect the tests of conditions from left to right, and give the conditions over their numbers."""
    trees: list[Tree] = []
    for one in conditions:
        if isinstance(one, Test):
            trees.append(len(tests))
            tests.append(one)
        else:
            trees.append((one.kind, _numbered(one.members, tests)))
    return tuple(trees)


@dataclass(frozen=True, slots=True)
class _Placed:
    """Where a question keeps what its tests name: predicates by name and instants, each by place, and the ids."""

    predicates: Mapping[str, int]
    moments: Mapping[datetime, int]
    ids: Ids

    def of(self, test: Test) -> tuple[int, int]:
        """Give the places of a test's predicate and instant."""
        return self.predicates[test.predicate.name], 0 if test.at is None else self.moments[test.at]


def _leaves(tests: Sequence[Test], placed: _Placed, params: dict[str, Any]) -> Iterator[Leaf]:
    """Take each test apart; its values have its number in their names."""
    heard = set()
    for number, test in enumerate(tests):
        hears = (test.predicate.name, test.scope, test.at)
        yield replace(_leaf(test, str(number), placed, params), twin=hears in heard)
        heard.add(hears)


def _sorts(tests: Sequence[Test], placed: _Placed) -> Iterator[tables.Sort]:
    """Give the sort of each test; only one of each sort is taken apart."""
    known: dict[Any, tables.Sort] = {}
    for test in tests:
        key = (id(test.form), *map(_outline, test.operands))
        sort = known.get(key)
        if sort is None:
            sort = known[key] = _sort(replace(test, operands=_padded(test)), placed)
        yield sort


def _outline(value: Value) -> Any:
    """Give all of an operand that tests of one sort have in common."""
    return value.unit, value.min is None, value.max is None, value.min_open, value.max_open


def _sort(test: Test, placed: _Placed) -> tables.Sort:
    values: dict[str, Any] = {}
    leaf = _leaf(test, "", placed, values)
    common: dict[str, Any] = {name: values[name] for name in ("scope", "unit") if name in values}
    return tables.Sort(leaf, (leaf.place, test.scope, test.at), common, leaf.ends)


def _padded(test: Test) -> tuple[Value, ...]:
    return tables.padded(test.operands) if test.operator == "in" else test.operands


def _leaf(test: Test, mark: str, placed: _Placed, values: dict[str, Any]) -> Leaf:
    predicate, operator = test.predicate, test.operator
    (place, moment), ids = placed.of(test), placed.ids
    many = predicate.cardinality == "many"
    turned = many and operator in NEGATED
    mute = test.value_of is not None and not test.operands
    if mute and operator in ("between", "in"):
        raise ConstraintError(f"{operator} takes no other subject's value", code="bad_operands")
    closed = predicate.closed_world and not mute
    if isinstance(test.scope, tuple):
        values[f"scope{mark}"] = ids.scopes.get(test.scope, NOWHERE)
    return Leaf(
        place=place,
        kind=predicate.kind,
        operator=NEGATED[operator] if turned else operator,
        turned=turned,
        listed=many and operator not in ("exists", "absent"),
        many=many,
        closed=closed,
        operands=tuple(_operand(f"t{mark}_{n}", test, value, values) for n, value in enumerate(test.operands)),
        scope="none" if test.scope is None else "any" if test.scope == "any" else "exact",
        moment=moment,
        unit=_unit(f"unit{mark}", _unit_name(test), ids, values) if _measured(test) else None,
        requires=len(predicate.requires),
        mute=mute,
        default=nothing(operator, cardinality_many=many, closed_world=closed),
        twin=False,
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
