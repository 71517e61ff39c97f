"""Contradictions of one slot, pair by pair: kind and disputed interval by the letter of section 7."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Literal

from .held import Held, comparable, compatible, lies_inside

Kind = Literal[
    "scope_differs",
    "incomparable_units",
    "possible",
    "absence",
    "unclosed_predecessor",
    "unconfirmed_succession",
    "hard",
    "end_differs",
]
INFORMATION: frozenset[Kind] = frozenset({"scope_differs", "incomparable_units", "end_differs"})
FAR = 1 << 80


@dataclass(frozen=True, slots=True)
class Stretch:
    """A half-open interval of valid time; None is unbounded on that side (K1)."""

    start: int | None
    end: int | None

    def met(self, other: Stretch) -> Stretch | None:
        """Return the common part, or None where there is none."""
        start = max(-FAR if s.start is None else s.start for s in (self, other))
        end = min(FAR if s.end is None else s.end for s in (self, other))
        return Stretch(None if start == -FAR else start, None if end == FAR else end) if start < end else None


@dataclass(frozen=True, slots=True)
class Pair:
    """Two claims that contradict each other, how, and when."""

    claims: frozenset[str]
    kind: Kind
    disputed: Stretch


def certain(held: Held) -> Stretch | None:
    """Return where a version certainly holds, if anywhere."""
    start, end = held.bounds.from_latest, held.bounds.until_earliest
    return None if start is None or (end is not None and end <= start) else Stretch(start, end)


def stated(held: Held) -> Stretch | None:
    """Return where its source says that it holds or may hold.

    What nobody states is left out: before a first reading (T5), in a change window (T8), after the last confirmation
    (W2), after an end that is merely unknown (T6).
    """
    bounds = held.bounds
    start = bounds.from_earliest if held.dated else bounds.from_latest
    end = bounds.until_earliest if held.inferred_end or bounds.until_latest is None else bounds.until_latest
    return None if start is not None and end is not None and end <= start else Stretch(start, end)


def overlap(one: Held, other: Held) -> tuple[Stretch, bool] | None:
    """Return the disputed interval of two versions and whether both are certain in it (K1)."""
    for view, sure in ((certain, True), (stated, False)):
        first, second = view(one), view(other)
        common = first.met(second) if first and second else None
        if common:
            return common, sure
    return None


def disagree(one: Held, other: Held, tolerance: Fraction = Fraction(0)) -> bool:
    """Say whether two versions do not state one value (V9, K4); an absence is a value of its own."""
    if one.absent or other.absent:
        return one.absent != other.absent
    return not comparable(one.value, other.value) or not compatible(one.value, other.value, tolerance)


def succeed(one: Held, other: Held) -> bool:
    """Say whether two versions of one source meet at one unknown instant (K2)."""
    return one.source == other.source and any(
        a.bounds.until_latest is not None and a.bounds.until_latest == b.bounds.from_latest
        for a, b in ((one, other), (other, one))
    )


def excused(one: Held, other: Held, linked: frozenset[frozenset[str]]) -> bool:
    """Say whether a pair is an exception in an open claim (K6), a succession (K2) or linked by a verb (K8)."""
    pair = frozenset({one.claim, other.claim})
    return pair in linked or succeed(one, other) or lies_inside(one, other) or lies_inside(other, one)


@dataclass(frozen=True, slots=True)
class Decision:
    """A verb that names two claims; `seen` is the reading that showed it, None for a correction."""

    kind: Literal["supersede", "changed", "correct"]
    claim: str
    other: str
    seen: int | None = None


def links(decisions: Iterable[Decision], observed_by: int) -> frozenset[frozenset[str]]:
    """Return the pairs of claims that verbs linked, each claim also as what it was corrected to (K8)."""
    known = [one for one in decisions if one.seen is None or one.seen <= observed_by]
    corrected = [(one.claim, one.other) for one in known if one.kind == "correct"]
    pairs = {frozenset({one.claim, one.other}) for one in known}
    while more := {pair - {old} | {new} for pair in pairs for old, new in corrected if old in pair} - pairs:
        pairs |= more
    return frozenset(pair for pair in pairs if len(pair) == 2)


def starts_later(later: Held, earlier: Held) -> bool:
    """Say whether a version begins after another in every world."""
    begun, opened = earlier.bounds.from_latest, later.bounds.from_earliest
    return begun is not None and opened is not None and opened > begun


def unclosed(earlier: Held, later: Held) -> bool:
    """Say whether the other version would close this one if its source had said so (K3, unclosed_predecessor)."""
    still_open = earlier.bounds.until_earliest is None
    return still_open and earlier.source == later.source and starts_later(later, earlier)


def unconfirmed(earlier: Held, later: Held) -> bool:
    """Say whether another source states a later start that this one was not read again to confirm or deny (K3)."""
    still_open = earlier.bounds.until_earliest is None
    if not still_open or earlier.source == later.source or later.bounded or not later.dated:
        return False
    start = later.bounds.from_latest
    return starts_later(later, earlier) and not any(start is not None and at >= start for at in earlier.readings)


def kind_of(one: Held, other: Held, sure: bool, linked: frozenset[frozenset[str]]) -> Kind | None:
    """Return the first kind of K3 that applies to two overlapping versions whose values differ."""
    either_way = ((one, other), (other, one))
    is_absence = one.absent or other.absent
    rules: list[tuple[bool, Kind | None]] = [
        (one.scope != other.scope, "scope_differs"),
        (not is_absence and not comparable(one.value, other.value), "incomparable_units"),
        (excused(one, other, linked), None),
        (not sure, "possible"),
        (is_absence, "absence"),
        (any(unclosed(a, b) for a, b in either_way), "unclosed_predecessor"),
        (any(unconfirmed(a, b) for a, b in either_way), "unconfirmed_succession"),
        (True, "hard"),
    ]
    return next(kind for applies, kind in rules if applies)


def contradiction(
    one: Held,
    other: Held,
    *,
    single: bool = True,
    tolerance: Fraction = Fraction(0),
    linked: frozenset[frozenset[str]] = frozenset(),
) -> Pair | None:
    """Return the contradiction between two visible versions of one predicate and subject, if there is one."""
    if one.claim == other.claim or one.withdrawn or other.withdrawn:
        return None
    if not single and not (one.complete and other.complete):
        return None  # K5
    common = overlap(one, other)
    if common is None or not disagree(one, other, tolerance):
        return None
    kind = kind_of(one, other, common[1], linked)
    return Pair(frozenset({one.claim, other.claim}), kind, common[0]) if kind else None


def end_differs(one: Held, other: Held) -> bool:
    """Say whether two versions of one value state different ends: information, no contradiction (K3)."""
    ends = [held.bounds[2:] for held in (one, other)]
    both = one.bounded and other.bounded and not one.inferred_end and not other.inferred_end
    return (
        one.claim != other.claim
        and not (one.withdrawn or other.withdrawn)
        and one.value == other.value
        and one.absent == other.absent
        and both
        and ends[0] != ends[1]
    )


def contradictions(
    versions: Iterable[Held],
    *,
    single: bool = True,
    tolerance: Fraction = Fraction(0),
    linked: frozenset[frozenset[str]] = frozenset(),
    window: Stretch | None = None,
) -> frozenset[Pair]:
    """Return every contradiction among visible versions, over all time or cut to a window (K1)."""
    window = window or Stretch(None, None)
    found = set()
    for one, other in combinations(versions, 2):
        pair = contradiction(one, other, single=single, tolerance=tolerance, linked=linked)
        part = pair.disputed.met(window) if pair else None
        if pair and part:
            found.add(Pair(pair.claims, pair.kind, part))
    return frozenset(found)
