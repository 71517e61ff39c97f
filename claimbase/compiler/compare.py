"""What one claim says to one test: the operators as regions of numbers, or as conditions on texts (V2, V3, V7, Q14)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from sqlglot import exp

from claimbase.compiler.nodes import Node, call, case, col, compare, dec, either, eq, every, is_null, num, par
from claimbase.compiler.shape import NUMBERS, Ends, Leaf
from claimbase.compiler.verdicts import ABSENCE, INCOMPARABLE, MAYBE, NO, NO_METHOD, OVERRIDDEN, UNREAD, YES


@dataclass(frozen=True, slots=True)
class Region:
    """The numbers that satisfy a test: placeholders of its ends, None = unbounded; empty if nothing can."""

    low: str | None = None
    high: str | None = None
    low_open: bool = False
    high_open: bool = False
    empty: bool = False


Operands = tuple[tuple[str, Ends], ...]


def _whole(operand: tuple[str, Ends]) -> Region:
    key, ends = operand
    return Region(
        f"{key}_min" if ends.low else None, f"{key}_max" if ends.high else None, ends.low_open, ends.high_open
    )


def _beyond(operands: Operands) -> Region:
    """Beyond the whole operand: past its last point."""
    (key, ends), *_ = operands
    return Region(low=f"{key}_max", low_open=not ends.high_open) if ends.high else Region(empty=True)


def _ahead(operands: Operands) -> Region:
    """Ahead of the whole operand: before its first point."""
    (key, ends), *_ = operands
    return Region(high=f"{key}_min", high_open=not ends.low_open) if ends.low else Region(empty=True)


def _from_first(operands: Operands) -> Region:
    whole = _whole(operands[0])
    return Region(low=whole.low, low_open=whole.low_open)


def _to_last(operands: Operands) -> Region:
    whole = _whole(operands[0])
    return Region(high=whole.high, high_open=whole.high_open)


def _between(kind: str, operands: Operands) -> Region:
    """Inclusive for numbers, half-open for dates (Q14)."""
    first, second = _whole(operands[0]), _whole(operands[1])
    if kind == "date":
        return Region(first.low, second.low, first.low_open, True)
    return Region(first.low, second.high, first.low_open, second.high_open)


# Every ordering operator asks whether the value lies in one region.
_REGIONS: dict[str, Callable[[Operands], Region]] = {
    "gt": _beyond, "after": _beyond, "lt": _ahead, "before": _ahead, "gte": _from_first, "lte": _to_last,
}  # fmt: skip


def inside(region: Region) -> Node:
    """Say that every number the claim allows lies in the region."""
    if region.empty:
        return exp.false()
    parts: list[Node] = []
    if region.low is not None:
        parts.append(_past("value_min", "min_open", ">", region.low, strict=region.low_open))
    if region.high is not None:
        parts.append(_past("value_max", "max_open", "<", region.high, strict=region.high_open))
    return every(parts)


def outside(region: Region) -> Node:
    """Say that no number the claim allows lies in the region."""
    if region.empty:
        return exp.true()
    parts: list[Node] = []
    if region.low is not None:
        parts.append(_past("value_max", "max_open", "<", region.low, strict=not region.low_open))
    if region.high is not None:
        parts.append(_past("value_min", "min_open", ">", region.high, strict=not region.high_open))
    return either(parts)


def _past(end: str, is_open: str, sign: str, key: str, *, strict: bool) -> Node:
    """Compare an end of the claim with a number; strictly past it also if they are equal but the end is excluded."""
    if not strict:
        return compare(col(end), f"{sign}=", dec(key))
    touching = every([eq(col(end), dec(key)), col(is_open)])
    return either([compare(col(end), sign, dec(key)), touching])


def _number(leaf: Leaf, operands: Operands) -> tuple[Node, Node]:
    if leaf.operator in _REGIONS:
        region = _REGIONS[leaf.operator](operands)
        return inside(region), outside(region)
    if leaf.operator == "between":
        region = _between(leaf.kind, operands)
        return inside(region), outside(region)
    regions = [_whole(operand) for operand in operands]
    yes, no = either([inside(region) for region in regions]), every([outside(region) for region in regions])
    return (no, yes) if leaf.operator == "ne" else (yes, no)


def _truth(leaf: Leaf, operands: Operands) -> tuple[Node, Node]:
    wanted = {"is_true": 1, "is_false": 0}.get(leaf.operator)
    if wanted is None:
        return _number(leaf, operands)
    yes = eq(col("value_min"), num(wanted))
    return yes, exp.Not(this=yes)


def _text(leaf: Leaf, operands: Operands) -> tuple[Node, Node]:
    yes = either([_TEXTS[leaf.operator](leaf, key) for key, _ in operands])
    return yes, exp.Not(this=exp.Paren(this=yes))


def _same(_: Leaf, key: str, *, sign: str = "=") -> Node:
    return compare(col("value_id"), sign, par(key))


def _contains(leaf: Leaf, key: str) -> Node:
    """Match literally, no pattern (X41); a set by its members."""
    if leaf.kind == "set":
        return call("json_contains", col("value_key"), call("to_json", par(f"{key}_text")))
    return compare(exp.StrPosition(this=col("value_key"), substr=par(f"{key}_text")), ">", num(0))


def _starts(_: Leaf, key: str) -> Node:
    return exp.StartsWith(this=col("value_key"), expression=par(f"{key}_text"))


_TEXTS: dict[str, Callable[[Leaf, str], Node]] = {
    "eq": _same, "in": _same, "ne": partial(_same, sign="<>"), "contains": _contains, "starts_with": _starts,
}  # fmt: skip


def role(leaf: Leaf, mark: str, requires: Node | None) -> Node:
    """Return what a claim says to a test, as one of the bits of `verdicts` (Q1, V2, V3, P3, K6).

    Args:
        leaf: the test.
        mark: its number, which its placeholders have in their names.
        requires: a condition that the claim's scope names the required method; None = none is required (P3).
    """
    silenced: list[tuple[Node, Node]] = [] if leaf.many else [(col("overridden"), num(OVERRIDDEN))]
    if leaf.operator == "exists":
        return case([*silenced, (col("absent"), num(ABSENCE))], num(YES))
    if leaf.operator == "absent":
        return case([*silenced, (col("absent"), num(YES))], num(NO))
    branches: list[tuple[Node, Node]] = [*silenced, (col("absent"), num(ABSENCE))]
    if requires is not None:
        branches.append((exp.Not(this=exp.Paren(this=requires)), num(NO_METHOD)))
    if leaf.kind in NUMBERS:
        branches.append((every([is_null(col("value_min")), is_null(col("value_max"))]), num(UNREAD)))
    if leaf.unit is not None:
        branches.append((_other_unit(leaf, mark), num(INCOMPARABLE)))
    operands: Operands = tuple((f"t{mark}_{n}", ends) for n, ends in enumerate(leaf.operands))
    yes, no = _KINDS.get(leaf.kind, _text)(leaf, operands)
    return case([*branches, (yes, num(YES)), (no, num(NO))], num(MAYBE))


def _other_unit(leaf: Leaf, mark: str) -> Node:
    missing = is_null(col("unit_id"))
    if not leaf.unit:
        return exp.Not(this=missing)
    return either([missing, compare(col("unit_id"), "<>", par(f"unit{mark}"))])


_KINDS: dict[str, Callable[[Leaf, Operands], tuple[Node, Node]]] = {
    "quantity": _number, "date": _number, "bool": _truth,
}  # fmt: skip
