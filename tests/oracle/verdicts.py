"""The verdict of a subject on a constraint, row by row as Q1 and Q7 list them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from .active import Bounds
from .held import Value

Says = Literal["yes", "no", "maybe", "absence", "nothing"]
Verdict = Literal["met", "disputed", "possible", "failed", "no_evidence", "absent"]
ORDER: tuple[Verdict, ...] = ("met", "disputed", "possible", "no_evidence", "absent", "failed")
TURNED: dict[Verdict, Verdict] = {"met": "failed", "failed": "met", "absent": "met"}
HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Active:
    """What one active claim says to a constraint; `window` names the change window it is a side of (T8)."""

    says: Says
    certain: bool = True
    window: str | None = None
    new: bool = False
    complete: bool = False
    overridden: bool = False
    withdrawn: bool = False


def deciding(claims: Iterable[Active]) -> list[Active]:
    """Return the claims that decide: not overridden (K6), not of a withdrawn source (R2), not incomparable (V2)."""
    return [c for c in claims if not c.overridden and not c.withdrawn and c.says != "nothing"]


def one_window(old: Bounds, new: Bounds) -> bool:
    """Say whether the end of one version and the start of another are one change window (T8)."""
    closing = (old.until_earliest, old.until_latest)
    return None not in closing and closing == (new.from_earliest, new.from_latest)


def single(claims: Iterable[Active]) -> Verdict:
    """Return the verdict on a `single` predicate: the first row of Q1's table that applies."""
    heard = deciding(claims)
    certain = {c.says for c in heard if c.certain}
    maybe_so = [c for c in heard if not c.certain]
    values = certain & {"yes", "no", "maybe"}
    if {"yes", "no"} <= certain or (values and "absence" in certain):
        return "disputed"
    decided: dict[Says, Verdict] = {"yes": "met", "no": "failed", "absence": "absent"}
    for said in decided.keys() & certain:
        return decided[said]
    either_way = {c.says for c in maybe_so}
    if either_way in ({"yes"}, {"no"}) and _has_both_sides(maybe_so):
        return "met" if either_way == {"yes"} else "failed"
    if "maybe" in certain or either_way & {"yes", "maybe"}:
        return "possible"
    return "failed" if either_way else "no_evidence"


def _has_both_sides(claims: list[Active]) -> bool:
    sides = {(c.window, c.new) for c in claims if c.window is not None}
    return any((window, not new) in sides for window, new in sides)


def many(claims: Iterable[Active], *, closed_world: bool = False) -> Verdict:
    """Return the verdict on a `many` predicate, which asks for one member (Q1)."""
    heard = deciding(claims)
    certain = [c for c in heard if c.certain]
    if any(c.says == "yes" for c in certain):
        return "met"
    if any(c.says == "maybe" or (c.says == "yes" and not c.certain) for c in heard):
        return "possible"
    if any(c.complete and c.says == "no" for c in certain):
        return "failed"
    if any(c.says == "absence" for c in certain):
        return "absent"
    return "failed" if closed_world else "no_evidence"


def negated_many(claims: Iterable[Active], *, closed_world: bool = False) -> Verdict:
    """Return the verdict of ne, is_false or none_of on a `many` predicate; `says` is about the member (Q7)."""
    return turned(many(claims, closed_world=closed_world))


def is_absent(claims: Iterable[Active], *, closed_world: bool = False) -> Verdict:
    """Return the verdict of the operator absent: an absence claim says yes to it, a value says no (Q1, Q7)."""
    asked = [replace(c, says="yes" if c.says == "absence" else "no") for c in claims]
    verdict = single(asked)
    return "met" if verdict == "no_evidence" and closed_world else verdict


def exists(claims: Iterable[Active], *, closed_world: bool = False) -> Verdict:
    """Return the verdict of the operator exists: any value says yes; nothing under closed_world is absent (Q7)."""
    asked = [replace(c, says="absence" if c.says == "absence" else "yes") for c in claims]
    verdict = single(asked)
    return "absent" if verdict == "no_evidence" and closed_world else verdict


def turned(verdict: Verdict) -> Verdict:
    """Return what none_of makes of the verdict of any_of (Q1)."""
    return TURNED.get(verdict, verdict)


def group(kind: Literal["all_of", "any_of", "none_of"], verdicts: Iterable[Verdict]) -> Verdict:
    """Return the verdict of a group: all_of the least, any_of the greatest, none_of turned (Q1)."""
    ranked = sorted(verdicts, key=ORDER.index)
    return ranked[-1] if kind == "all_of" else ranked[0] if kind == "any_of" else turned(ranked[0])


def bucket(verdicts: list[Verdict], policy: Literal["certain", "any"] = "certain") -> str:
    """Return the bucket of a subject from the verdicts on its stated constraints (Q2, Q3)."""
    least = group("all_of", verdicts)
    if least in ("met", "disputed", "possible"):
        named = {"met": "eligible", "disputed": "disputed" if policy == "certain" else "eligible"}
        return named.get(least, "possible")
    return "near_miss" if len(verdicts) > 1 and sum(v == "met" for v in verdicts) == len(verdicts) - 1 else "out"


def says(value: Value, operator: str, *operands: int) -> Says:
    """Say whether every, some or no number within whole-number bounds passes a test, by trying them (V3).

    Between two neighbouring whole numbers every number passes or fails alike, so the halves stand for all of them.
    """
    tests = {
        "gte": lambda x: x >= operands[0],
        "gt": lambda x: x > operands[0],
        "lte": lambda x: x <= operands[0],
        "lt": lambda x: x < operands[0],
        "eq": lambda x: x == operands[0],
        "ne": lambda x: x != operands[0],
        "between": lambda x: operands[0] <= x <= operands[1],
    }
    edge = [*operands, *(int(end) for end in (value.low, value.high) if end is not None)]
    low = min(edge) - 1 if value.low is None else value.low
    high = max(edge) + 1 if value.high is None else value.high
    steps = [low + HALF * n for n in range(int((high - low) / HALF) + 1)]
    inside = [x for x in steps if not (value.low_open and x == low) and not (value.high_open and x == high)]
    passed = {tests[operator](x) for x in inside}
    return "maybe" if len(passed) == 2 else "yes" if passed == {True} else "no"
