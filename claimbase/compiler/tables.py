"""Tests as the columns of a table: what else is branches and placeholders of a statement becomes its rows (C12)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

from claimbase.compiler.verdicts import DEFAULTS, Tree, ranked

if TYPE_CHECKING:
    from claimbase.compiler.shape import Leaf

Row = dict[str, Any]
# What tests of one kind have in common; their place matters where the predicate requires a method.
_ALIKE = attrgetter("kind", "operator", "turned", "listed", "many", "closed", "operands", "scope", "unit", "requires",
                    "mute", "default")  # fmt: skip
_T = TypeVar("_T")

_FIXED = {
    "number": "INTEGER", "kind": "INTEGER", "predicate": "SMALLINT", "at": "INTEGER", "scope": "INTEGER",
    "unit": "SMALLINT", "twin": "BOOLEAN", "parent": "INTEGER", "level": "INTEGER", "wanted": "BOOLEAN",
    "default": "INTEGER",
}  # fmt: skip
"""The columns of the table `tests` beside the operands; *kind* numbers the leaves of the shape."""
GROUPS = {
    "node": "INTEGER", "kind": "VARCHAR", "parent": "INTEGER", "default": "INTEGER",
    **{f"default{rank}": "INTEGER" for rank in DEFAULTS},
}  # fmt: skip
"""The columns of the table `groups`: defaultN says how many members have the verdict N without a claim."""


def columns_of(leaves: Sequence[Leaf]) -> dict[str, str]:
    """Name the columns of `tests` that these kinds of tests need, with their types."""
    places = range(max((len(leaf.operands) for leaf in leaves), default=0))
    numbers = {f"t_{n}_{end}": "DECIMAL(38,12)" for n in places for end in ("min", "max")}
    texts = {f"t_{n}": "UBIGINT" for n in places} | {f"t_{n}_text": "VARCHAR" for n in places}
    return _FIXED | numbers | texts


def padded(operands: Sequence[_T]) -> tuple[_T, ...]:
    """Repeat the last operand up to a power of two, which says the same: lists are of few lengths then."""
    size = 1 << max(0, len(operands) - 1).bit_length()
    return (*operands, *[operands[-1]] * (size - len(operands)))


def laid_out(
    leaves: Sequence[Leaf],
    values: Sequence[Row],
    tree: Sequence[Tree],
    predicates: Sequence[int],
    shown: Sequence[int],
    params: dict[str, Any],
) -> tuple[tuple[Leaf, ...], int]:
    """Put the tables `tests` and `groups` among the parameters, each as one text.

    Args:
        leaves: of each test.
        values: of each test, by column.
        tree: the conditions over the tests.
        predicates: the ids of the predicates, by place.
        shown: the places of predicates that are only shown.
        params: what is added to.

    Returns:
        The kinds of tests, and how many levels of groups they lie in.
    """
    kinds: dict[Any, tuple[int, Leaf]] = {}
    groups, members = _groups(tree, [leaf.default for leaf in leaves])
    rows: list[Row] = []
    for number, (leaf, found) in enumerate(zip(leaves, values, strict=True)):
        place = leaf.place if leaf.requires else 0
        key = (place, _ALIKE(leaf))
        if key not in kinds:
            kinds[key] = len(kinds), replace(leaf, place=place, moment=0, twin=False)
        kind, _ = kinds[key]
        heard = {} if leaf.mute else {"predicate": predicates[leaf.place]}
        own = {"number": number, "kind": kind, "at": leaf.moment, "twin": leaf.twin, "default": leaf.default}
        rows.append(found | heard | own | members[number])
    for number, place in enumerate(shown, len(leaves)):
        rows.append({"number": number, "predicate": predicates[place], "at": 0, "twin": True})
    different = tuple(leaf for _, leaf in kinds.values())
    params |= {"tests": _text(columns_of(different), rows), "groups": _text(GROUPS, groups)}
    return different, max(member["level"] for member in members.values())


def _groups(tree: Sequence[Tree], defaults: Sequence[int]) -> tuple[list[Row], dict[int, Row]]:
    """Number the groups, the whole question being group 0, and say of each test where it lies."""
    groups: list[Row] = []
    members: dict[int, Row] = {}

    def visit(node: Tree, parent: int | None, level: int, *, wanted: bool) -> int:
        if isinstance(node, int):
            members[node] = {"parent": parent, "level": level, "wanted": wanted}
            return defaults[node]
        kind, inner = node
        number = len(groups)
        groups.append({})
        ranks = [visit(one, number, level + 1, wanted=wanted is (kind != "none_of")) for one in inner]
        rank = ranked((kind, tuple(range(len(ranks)))), ranks)
        counts = {f"default{which}": ranks.count(which) for which in DEFAULTS}
        groups[number] = {"node": number, "kind": kind, "parent": parent, "default": rank} | counts
        return rank

    visit(("all_of", tuple(tree)), None, 0, wanted=True)
    return groups, members


def _text(columns: Mapping[str, str], rows: Sequence[Row]) -> str:
    """Write rows as one JSON object of columns; numbers that a float could not hold are texts."""
    return json.dumps({name: [row.get(name) for row in rows] for name in columns}, default=_exact)


def _exact(value: Any) -> str:
    if isinstance(value, Decimal):
        return format(value, "f")
    raise TypeError(type(value))
