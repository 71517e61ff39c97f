"""What a visible version means to verdicts and contradictions: its value, its bounds, and what its source stated."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from .active import Bounds, activity


@dataclass(frozen=True, slots=True)
class Value:
    """A value: a range of numbers in one dimension, or a folded text; an unread one is neither."""

    text: str = ""
    low: Fraction | None = None
    high: Fraction | None = None
    low_open: bool = False
    high_open: bool = False
    dimension: str | None = None
    kind: Literal["quantity", "text", "unread"] = "text"


def number(value: float, dimension: str = "1") -> Value:
    """Return an exact number."""
    return between(value, value, dimension)


def between(low: float | None, high: float | None, dimension: str = "1") -> Value:
    """Return a closed range; None is unbounded on that side."""
    least, most = (None if end is None else Fraction(str(end)) for end in (low, high))
    return Value("", least, most, dimension=dimension, kind="quantity")


def comparable(one: Value, other: Value) -> bool:
    """Say whether two values may be compared at all (V2)."""
    return one.kind == other.kind != "unread" and one.dimension == other.dimension


def compatible(one: Value, other: Value, tolerance: Fraction = Fraction(0)) -> bool:
    """Say whether two comparable values can be one value: bounds that meet, tolerance included (V4, V9)."""
    if one.kind == "text":
        return one.text == other.text
    for lower, upper in ((one, other), (other, one)):
        if lower.high is None or upper.low is None:
            continue
        gap, touching_open = upper.low - lower.high, upper.low_open or lower.high_open
        room = tolerance * max(abs(upper.low), abs(lower.high))
        if gap > room or (gap == room and touching_open):
            return False
    return True


@dataclass(frozen=True, slots=True)
class Held:
    """A version visible at a basis.

    `dated`, `bounded`: the source states a start, an end. `inferred_end`: the end comes from readings (T8, W2).
    `readings`: the instants at which the source said it, as far as `observed_by` shows them.
    """

    claim: str
    source: str
    value: Value
    bounds: Bounds
    dated: bool = False
    bounded: bool = False
    inferred_end: bool = False
    readings: tuple[int, ...] = ()
    scope: str = ""
    absent: bool = False
    complete: bool = False
    withdrawn: bool = False


def lies_inside(exception: Held, around: Held) -> bool:
    """Say whether a bounded claim is an exception to an open one of its source: it does not certainly start before."""
    if exception.source != around.source or not exception.bounded or around.bounded:
        return False
    begun, opened = exception.bounds.from_latest, around.bounds.from_earliest
    return begun is None or opened is None or begun >= opened


def overridden(claim: Held, beside: list[Held], at: int) -> bool:
    """Say whether a certain exception overrides an open claim at an instant (K6)."""
    inside = [other for other in beside if other.claim != claim.claim and lies_inside(other, claim)]
    return any(activity(other.bounds, at) == "certain" for other in inside)
