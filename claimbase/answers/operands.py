"""Another subject's value as an operand: its worst bound for the wish decides (Q14)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from claimbase.answers.model import Answer, Citation
from claimbase.answers.naming import Condition
from claimbase.compiler import Step
from claimbase.constraints import Constraint, Group, Test, ValueOf, typed
from claimbase.errors import ConstraintError, shown
from claimbase.values import Value
from claimbase.vocabulary import Predicate, Vocabulary

_UNUSABLE = {"disputed": "disputed", "possible": "only possible", "ambiguous": "that of several subjects"}
_BELOW, _ABOVE = ("lt", "lte", "before"), ("gt", "gte", "after")

Ask = Callable[[Test, str], Answer]
"""Ask one test of one named subject."""


@dataclass(frozen=True, slots=True)
class Filled:
    """Conditions in which operands stand for value_of, as far as there are any.

    Args:
        conditions: with operands filled in.
        mute: by the number of the test, why its operand is missing.
        cited: the claims the operands rest on.
        steps: the steps that found them.
    """

    conditions: tuple[Condition, ...]
    mute: dict[int, str]
    cited: tuple[Citation, ...]
    steps: tuple[Step, ...]


def filled(conditions: Sequence[Condition], vocabulary: Vocabulary, ask: Ask) -> Filled:
    """Put the values of other subjects in the place of value_of; what is missing or disputed stays out.

    Raises:
        ConstraintError: [incomparable_units] the two predicates have different units.
    """
    mute: dict[int, str] = {}
    cited: list[Citation] = []
    steps: list[Step] = []
    place = -1

    def fill(condition: Condition) -> Condition:
        nonlocal place
        if isinstance(condition, Group):
            return replace(condition, members=tuple(fill(member) for member in condition.members))
        place += 1
        if condition.value_of is None:
            return condition
        value, reason, claims, step = _operand(condition, condition.value_of, vocabulary, ask)
        cited.extend(claims)
        steps.append(step)
        if value is None:
            mute[place] = reason
            return condition
        return replace(condition, operands=(*condition.operands, value))

    done = tuple(fill(condition) for condition in conditions)
    return Filled(done, mute, tuple(cited), tuple(steps))


def _operand(
    test: Test, other: ValueOf, vocabulary: Vocabulary, ask: Ask
) -> tuple[Value | None, str, Sequence[Citation], Step]:
    predicate = vocabulary.get(other.predicate or test.predicate.name)
    if predicate.unit != test.predicate.unit:
        units = f"{predicate.name} is in {predicate.unit}, {test.predicate.name} in {test.predicate.unit}"
        raise ConstraintError(units, code="incomparable_units")
    scope = dict(test.scope) if isinstance(test.scope, tuple) else None
    there = typed(Constraint(predicate=predicate.name, operator="exists", scope=scope, at=test.at), vocabulary)
    assert isinstance(there, Test)  # noqa: S101  # a Constraint is typed as a Test
    found = ask(there, other.subject)
    claims = [replace(one, constraint=None, test=None, role="operand") for one in found.citations if one.role == "yes"]
    name = f"{predicate.name} of {shown(other.subject)}"
    step = Step("operand", f"the value of {name}", found.sql, len(claims))
    matched = found.subjects()
    verdict = matched[0].verdicts[0].verdict if len(matched) == 1 else "ambiguous" if matched else "missing"
    if verdict != "met":
        return None, f"{name} is {_UNUSABLE.get(verdict, 'missing')}", claims, step
    sure = [one for one in claims if one.certain] or claims
    value = _joint(test, predicate, sure)
    return value, f"{name} is disputed or cannot be compared", sure, step


def _joint(test: Test, predicate: Predicate, claims: Sequence[Citation]) -> Value | None:
    """Take the one value that several claims state, or nothing if they disagree."""
    if predicate.kind in ("text", "entity", "set"):
        keys = sorted({one.normalized_value or "" for one in claims})
        return (
            Value(predicate.kind, None, None, False, False, None, keys[0], False, None, "") if len(keys) == 1 else None
        )
    read = [one for one in claims if one.unit == predicate.unit and (one.value_min, one.value_max) != (None, None)]
    lows, highs = [one.value_min for one in read], [one.value_max for one in read]
    if not read or not _compatible(predicate, lows, highs):
        return None
    low = None if None in lows else min(low for low in lows if low is not None)
    high = None if None in highs else max(high for high in highs if high is not None)
    if test.operator in _BELOW:
        high = low
    elif test.operator in _ABOVE:
        low = high
    if low is None and high is None:
        return None
    return Value(predicate.kind, low, high, False, False, predicate.unit, "", False, None, "")


def _compatible(predicate: Predicate, lows: Sequence[Decimal | None], highs: Sequence[Decimal | None]) -> bool:
    """Say whether ranges can state one value, tolerance included (V4, V9)."""
    starts, ends = [low for low in lows if low is not None], [high for high in highs if high is not None]
    if not starts or not ends or max(starts) <= min(ends):
        return True
    return max(starts) - min(ends) <= (predicate.tolerance or 0) * max(abs(max(starts)), abs(min(ends)))
