"""The sentences of an answer, generated from its sets and bounds: numbers and names only (Q3, A5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from claimbase.constraints import Test, format_constraint
from claimbase.present.words import counted
from claimbase.temporal import Basis, iso
from claimbase.values import Value

_BEYOND = {"gte": ("low", False), "gt": ("low", True), "after": ("low", True)}
_BELOW = {"lte": ("high", False), "lt": ("high", True), "before": ("high", True)}


class Supporting(Protocol):
    """A claim that makes a subject eligible."""

    @property
    def authority(self) -> str | None:
        """Whose words its source has."""


def sentence(counts: Mapping[str, Any], listed: int, support: Sequence[Supporting]) -> str:
    """Say what was found.

    Args:
        counts: the answer's counts.
        listed: how many of the eligible subjects are returned.
        support: the claims that make these eligible.
    """
    found = counts["eligible"]
    others = [f"{counts[name]} {(counts[name] == 1 and one) or many}" for name, one, many in _OTHERS if counts[name]]
    tail = f"; {', '.join(others)}" if others else ""
    if not found:
        return f"no subject has evidence satisfying every constraint{tail}"
    head = f"{counted(found, 'subject')} {'satisfies' if found == 1 else 'satisfy'} every stated constraint"
    cut = "" if listed == found else f"; {listed} listed"
    return f"{head}{cut}, supported by {_claims(support)}{tail}"


_OTHERS = (
    ("disputed", "disputed", "disputed"), ("possible", "possible", "possible"),
    ("near_misses", "near miss", "near misses"),
)  # fmt: skip


def _claims(support: Sequence[Supporting]) -> str:
    primary = sum(one.authority == "subject_authored" for one in support)
    if support and primary == len(support):
        return counted(primary, "primary-source claim")
    return counted(len(support), "claim") + (f", {primary} of them from primary sources" if primary else "")


class Held(NamedTuple):
    """When a claim holds: its bounds, whether a document dates them, whether an end is stated."""

    from_earliest: datetime | None
    from_latest: datetime | None
    until_earliest: datetime | None
    until_latest: datetime | None
    dated: bool
    bounded: bool


def interval(held: Held, basis: Basis) -> str:
    """Say when a claim holds: a future end is "ends on", never "ended" (A5)."""
    return f"{_start(held.from_earliest, held.from_latest)}, {_end(held, basis)}"


def _start(earliest: datetime | None, latest: datetime | None) -> str:
    if earliest is None:
        return f"since {when(latest)} or earlier" if latest else "since an unknown time"
    if latest is None:
        return f"not before {when(earliest)}"
    return f"since {when(earliest)}" if earliest == latest else f"since between {when(earliest)} and {when(latest)}"


def _end(held: Held, basis: Basis) -> str:
    earliest, latest = held.until_earliest, held.until_latest
    if earliest is None:
        return "no end stated"
    if latest is None:
        words = "end unknown, at least until" if held.bounded else "unconfirmed since"
        return f"{words} {when(earliest)}"
    ends = "ends" if latest > basis.observed_by else "ended"
    if earliest == latest:
        return f"{ends} on {when(earliest)}"
    return f"{ends} between {when(earliest)} and {when(latest)}"


@lru_cache(maxsize=4096)
def when(moment: datetime) -> str:
    """Write a day if the instant is its start, else the instant."""
    text = iso(moment)
    return text[:10] if text.endswith("T00:00:00Z") else text


def doubt(held: Held, at: datetime) -> str:
    """Say why a claim that is not certain may hold (Q1)."""
    if held.from_latest is None or held.from_latest > at:
        between = not held.dated and held.from_earliest is not None
        return "between readings" if between else "start unknown"
    if held.until_earliest is None or held.until_earliest > at:
        return "an exception is possible"
    if held.bounded:
        return "end unknown"
    return "unconfirmed" if held.until_latest is None else "between readings"


_Span = tuple[Test, Value | None, bool, Value | None, bool]
_Numbered = tuple[int, Test]
_MANY = 100


def impossible(tests: Sequence[Test]) -> Iterable[str]:
    """Name constraints on one value that nothing can satisfy together; of very many one pair for each value (X44)."""
    alike: dict[int, list[_Numbered]] = {}
    for number, test in enumerate(tests):
        alike.setdefault(id(test.form), []).append((number, test))
    values: dict[Any, list[list[_Numbered]]] = {}
    for found in alike.values():
        test = found[0][1]
        if _span(test) is not None and test.predicate.cardinality == "single":
            values.setdefault((test.predicate.name, test.scope, test.at), []).append(found)
    for several in values.values():
        many = sum(map(len, several)) > _MANY
        numbered = sorted(one for found in several for one in (_outermost(found) if many else found))
        spans = [(test, *span) for _, test in numbered if (span := _span(test))]
        group = _furthest(spans) if many else spans
        for place, (one, low, low_open, _, _) in enumerate(group):
            for other_place, (other, _, _, high, high_open) in enumerate(group):
                if place != other_place and _apart(low, low_open, high, high_open):
                    first, second = (format_constraint(test.constraint) for test in (other, one))
                    yield f"{first} and {second} exclude each other"


def _outermost(alike: Sequence[_Numbered]) -> Iterable[_Numbered]:
    """Of tests that differ in their operands only, give the one that begins last and the one that ends first."""
    low, _, high, _ = _span(alike[0][1]) or (None, False, None, False)
    lows = [test.operands[0].min for _, test in alike] if low else []
    highs = [test.operands[-1].max for _, test in alike] if high else []
    ends = []
    if known := [one for one in lows if one is not None]:
        ends.append(alike[len(lows) - 1 - lows[::-1].index(max(known))])
    if known := [one for one in highs if one is not None]:
        ends.append(alike[highs.index(min(known))])
    return dict(ends).items()


def _furthest(group: Sequence[_Span]) -> list[_Span]:
    """Give the span with the greatest low and the one with the least high: if any two exclude each other, they do."""
    lows = [(low.min, is_open, n) for n, (_, low, is_open, _, _) in enumerate(group) if low and low.min is not None]
    highs = [(high.max, not is_open, n) for n, (*_, high, is_open) in enumerate(group) if high and high.max is not None]
    return [group[n] for *_, n in (*([max(lows)] if lows else []), *([min(highs)] if highs else []))]


def _span(test: Test) -> tuple[Value | None, bool, Value | None, bool] | None:
    if not test.operands or test.predicate.kind not in ("quantity", "date", "bool"):
        return None
    value = test.operands[0]
    if test.operator in _BEYOND:
        return value, _BEYOND[test.operator][1], None, False
    if test.operator in _BELOW:
        return None, False, value, _BELOW[test.operator][1]
    if test.operator == "eq":
        return value, False, value, False
    return (value, False, test.operands[1], False) if test.operator == "between" else None


def _apart(low: Value | None, low_open: bool, high: Value | None, high_open: bool) -> bool:
    least = None if low is None else low.min
    greatest = None if high is None else high.max
    if least is None or greatest is None:
        return False
    return least > greatest or (least == greatest and (low_open or high_open))
