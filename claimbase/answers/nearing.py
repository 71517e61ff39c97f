"""When a verdict would be met: the plan asked again at the instants where what is claimed changes (Q1, Q14)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from claimbase.answers.model import _Part
from claimbase.answers.naming import Condition, tests_of
from claimbase.answers.words import when
from claimbase.compiler import BRANCH_LIMIT
from claimbase.constraints import Group, Test
from claimbase.temporal import TICK

_LOOKED_AT = 40  # instants asked for, half of them before and half after
_BOUNDS = ("from_earliest", "from_latest", "until_earliest", "until_latest")

Ask = Callable[[Sequence[Condition]], Sequence[str]]
"""Give the verdicts of one subject on some conditions."""


@dataclass(frozen=True, slots=True)
class Nearest(_Part):
    """The nearest instant at which a constraint would be met by what the basis knows.

    Args:
        at: the instant; before the one asked for it is the last one, to the microsecond.
        words: "was met until …" or "would be met from … on".
    """

    at: datetime
    words: str


def nearest(condition: Condition, rows: Iterable[Mapping[str, Any]], valid_at: datetime, ask: Ask) -> Nearest | None:
    """Find the nearest instant at which a condition would be met, or None if there is none among those looked at.

    Args:
        condition: one constraint or group.
        rows: the bounds of the visible versions of its slots; between two bounds nothing changes.
        valid_at: the instant asked for.
        ask: asks the plan.
    """
    tests = tests_of(condition)
    if all(test.at is not None for test in tests):
        return None
    bounds = {row[name] for row in rows for name in _BOUNDS if row[name] is not None}
    most = min(_LOOKED_AT, BRANCH_LIMIT // len(tests)) // 2
    later = sorted(bound for bound in bounds if bound > valid_at)[:most]
    earlier = sorted((bound for bound in bounds if bound <= valid_at), reverse=True)[:most]
    moments = [*later, *(bound - TICK for bound in earlier)]
    verdicts = ask([_moved(condition, moment) for moment in moments]) if moments else []
    met = [moment for moment, verdict in zip(moments, verdicts, strict=True) if verdict == "met"]
    if not met:
        return None
    best = min(met, key=lambda moment: (abs(moment - valid_at), moment < valid_at))
    ahead = best > valid_at
    return Nearest(best, f"would be met from {when(best)} on" if ahead else f"was met until {when(best + TICK)}")


def _moved(condition: Condition, moment: datetime) -> Condition:
    if isinstance(condition, Group):
        return replace(condition, members=tuple(_moved(member, moment) for member in condition.members))
    return condition if condition.at is not None else _at(condition, moment)


def _at(test: Test, moment: datetime) -> Test:
    return replace(
        test, form=replace(test.form, at=moment), constraint=test.constraint.model_copy(update={"at": moment})
    )
