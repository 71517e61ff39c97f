"""Tests as the columns of a table: what else is branches and placeholders of a statement becomes its rows (C12)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

from claimbase.compiler.verdicts import DEFAULTS, GroupKind, Tree, together
from claimbase.values import Value, value_id

if TYPE_CHECKING:
    from claimbase.compiler.shape import Leaf

Row = dict[str, Any]
# What tests of one kind have in common; their place matters where the predicate requires a method.
_ALIKE = attrgetter("kind", "operator", "turned", "listed", "many", "closed", "operands", "scope", "unit", "requires",
                    "mute", "default")  # fmt: skip
_T = TypeVar("_T")

FORMS = {
    "form": "INTEGER", "kind": "INTEGER", "predicate": "SMALLINT", "at": "INTEGER", "scope": "INTEGER",
    "unit": "SMALLINT", "first": "INTEGER", "parent": "INTEGER", "level": "INTEGER", "wanted": "BOOLEAN",
    "default": "INTEGER",
}  # fmt: skip
"""The columns of the table `forms`, of what many tests have in common: all but their operands.

*kind* numbers the leaves of the shape, *first* the first test that hears the same claims.
"""
GROUPS = {
    "node": "INTEGER", "kind": "VARCHAR", "parent": "INTEGER", "default": "INTEGER",
    **{f"default{rank}": "INTEGER" for rank in DEFAULTS},
}  # fmt: skip
"""The columns of the table `groups`: defaultN says how many members have the verdict N without a claim."""


NO_TEST = -1
"""A number that no test has."""
_TYPES = {"min": "DECIMAL(38,12)", "max": "DECIMAL(38,12)", "text": "VARCHAR", "": "UBIGINT"}
# A number is a text, which no float can hold less exactly; its upper end stands there where it is another one.
_CELLS: dict[str, Callable[[Value], Any]] = {
    "min": lambda value: f"{value.min:f}",
    "max": lambda value: None if value.max is value.min else f"{value.max:f}",
    "text": attrgetter("key"),
    "": lambda value: value_id(value.key, value.unit),
}


@dataclass(frozen=True, slots=True, eq=False)
class Sort:
    """Tests that differ in the values of their operands only.

    Args:
        leaf: their shape.
        hears: which claims they listen to.
        common: what their rows have in common, by column.
        ends: which columns their operands fill: the operand's place, and which end of it.
    """

    leaf: Leaf
    hears: Any
    common: Row
    ends: frozenset[tuple[int, str]]


def operand_columns(ends: Iterable[tuple[int, str]]) -> dict[str, str]:
    """Name the columns of `tests` for the operands, with their types."""
    return {f"t_{place}_{end}".rstrip("_"): _TYPES[end] for place, end in sorted(ends)}


def padded(operands: Sequence[_T]) -> tuple[_T, ...]:
    """Repeat the last operand up to a power of two, which says the same: lists are of few lengths then."""
    size = 1 << max(0, len(operands) - 1).bit_length()
    return (*operands, *[operands[-1]] * (size - len(operands)))


def laid_out(
    sorts: Sequence[Sort],
    operands: Sequence[tuple[Value, ...]],
    defaults: Sequence[int],
    tree: Sequence[Tree],
    predicates: Sequence[int],
    shown: Sequence[int],
    params: dict[str, Any],
) -> tuple[tuple[Leaf, ...], int]:
    """Put the tables `tests`, `forms` and `groups` among the parameters, each as one text.

    Args:
        sorts: of each test.
        operands: of each test.
        defaults: the verdict of each test that no claim speaks to.
        tree: the conditions over the tests.
        predicates: the ids of the predicates, by place.
        shown: the places of predicates that are only shown.
        params: what is added to.

    Returns:
        The kinds of tests, and how many levels of groups they lie in.
    """
    groups, members = _groups(tree, defaults)
    kinds, forms, which = _forms(sorts, members, predicates)
    for place in shown:
        which.append(len(forms))
        forms.append({"form": len(forms), "predicate": predicates[place], "at": 0, "first": NO_TEST})
    columns = {"form": which} | {
        f"t_{place}_{end}".rstrip("_"): [
            _CELLS[end](values[place]) if (place, end) in sort.ends else None
            for sort, values in zip(sorts, operands, strict=True)
        ]
        for place, end in sorted(set().union(*(sort.ends for sort in set(sorts))))
    }
    params |= {"tests": json.dumps(columns), "forms": _text(FORMS, forms), "groups": _text(GROUPS, groups)}
    return kinds, max(member["level"] for member in members)


def _forms(
    sorts: Sequence[Sort], members: Sequence[Row], predicates: Sequence[int]
) -> tuple[tuple[Leaf, ...], list[Row], list[int]]:
    """Give the kinds of tests, the forms of tests as rows, and the form of each test."""
    kinds: dict[Any, tuple[int, Leaf]] = {}
    forms: dict[tuple[Sort, int], Row] = {}
    first: dict[Any, int] = {}
    which: list[int] = []
    for number, (sort, member) in enumerate(zip(sorts, members, strict=True)):
        key = (sort, member["parent"])
        if key not in forms:
            leaf = sort.leaf
            place = leaf.place if leaf.requires else 0
            kind, _ = kinds.setdefault((place, _ALIKE(leaf)), (len(kinds), replace(leaf, place=place, moment=0)))
            heard = {} if leaf.mute else {"predicate": predicates[leaf.place]}
            own = {"form": len(forms), "kind": kind, "at": leaf.moment, "default": leaf.default}
            own["first"] = first.setdefault(sort.hears, number)
            forms[key] = sort.common | heard | own | member
        which.append(forms[key]["form"])
    return tuple(leaf for _, leaf in kinds.values()), list(forms.values()), which


def _groups(tree: Sequence[Tree], defaults: Sequence[int]) -> tuple[list[Row], list[Row]]:
    """Number the groups, the whole question being group 0, and say of each test where it lies."""
    groups: list[Row] = []
    members: list[Row] = []

    def visit(kind: GroupKind, inner: Sequence[Tree], parent: int | None, level: int, *, wanted: bool) -> int:
        number = len(groups)
        groups.append({})
        within = wanted is (kind != "none_of")
        here = {"parent": number, "level": level, "wanted": within}
        ranks: list[int] = []
        for one in inner:
            if isinstance(one, int):
                members.append(here)
                ranks.append(defaults[one])
            else:
                ranks.append(visit(*one, number, level + 1, wanted=within))
        rank = together(kind, ranks)
        counts = {f"default{which}": ranks.count(which) for which in DEFAULTS}
        groups[number] = {"node": number, "kind": kind, "parent": parent, "default": rank} | counts
        return rank

    visit("all_of", tree, None, 1, wanted=True)
    return groups, members


def _text(columns: Mapping[str, str], rows: Sequence[Row]) -> str:
    """Write rows as one JSON object of columns."""
    return json.dumps({name: [row.get(name) for row in rows] for name in columns})
