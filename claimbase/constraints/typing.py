"""Constraints typed against a vocabulary: what the compiler works on."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from claimbase.constraints.models import OPERATORS, Condition, Constraint, Scalar, ValueOf, group_members
from claimbase.errors import ConstraintError, InputError, QuantityError, shown
from claimbase.quantities import same_dimension
from claimbase.values import Kind, Value, read_value
from claimbase.vocabulary import Predicate, Vocabulary


@dataclass(frozen=True, slots=True)
class Test:
    """A constraint typed against its predicate: operands are read values in the predicate's unit.

    A date operand may be a period `[min, max)`; `Operator` says how it is compared.
    """

    predicate: Predicate
    operator: str
    operands: tuple[Value, ...]
    scope: tuple[tuple[str, str], ...] | Literal["any"] | None
    at: datetime | None
    value_of: ValueOf | None
    constraint: Constraint


@dataclass(frozen=True, slots=True)
class Group:
    """A typed group of tests and groups."""

    kind: Literal["all_of", "any_of", "none_of"]
    members: tuple[Test | Group, ...]


def typed(given: Condition, vocabulary: Vocabulary) -> Test | Group:
    """Check a condition against the vocabulary and read its operands.

    Raises VocabularyError [unknown_predicate]; ConstraintError [operator_mismatch] naming the allowed operators,
    [incomparable_units] for another dimension (V2), [bad_operand] for what cannot be read.
    """
    if not isinstance(given, Constraint):
        kind, members = group_members(given)
        return Group(kind, tuple(typed(member, vocabulary) for member in members))  # type: ignore[arg-type]
    predicate = vocabulary.get(given.predicate)
    _fit(predicate, given.operator)
    if given.value_of is not None:
        _comparable_other(predicate, given.value_of, vocabulary)
    items = given.value if isinstance(given.value, tuple) else (() if given.value is None else (given.value,))
    operands = tuple(_operand(predicate, given, item) for item in items)
    if given.operator == "between":
        _in_order(predicate, operands)
    return Test(predicate, given.operator, operands, _scope(given.scope), given.at, given.value_of, given)


def allowed_operators(kind: Kind) -> tuple[str, ...]:
    """Return the operators that fit a kind, in the table's order."""
    return tuple(name for name, operator in OPERATORS.items() if kind in operator.kinds)


def _fit(predicate: Predicate, operator: str) -> None:
    if predicate.kind not in OPERATORS[operator].kinds:
        allowed = allowed_operators(predicate.kind)
        raise ConstraintError(
            f"{operator} does not fit {predicate.name}, a {predicate.kind}",
            code="operator_mismatch",
            hint=f"allowed: {', '.join(allowed)}",
            allowed=allowed,
        )


def _comparable_other(predicate: Predicate, other: ValueOf, vocabulary: Vocabulary) -> None:
    if other.predicate is None:
        return
    target = vocabulary.get(other.predicate)
    if target.kind != predicate.kind or (predicate.unit is not None and not _same(predicate.unit, target.unit)):
        raise ConstraintError(f"{predicate.name} and {target.name} cannot be compared", code="incomparable_units")


def _operand(predicate: Predicate, given: Constraint, item: Scalar) -> Value:
    kind: Kind = "text" if predicate.kind == "set" and given.operator == "contains" else predicate.kind
    try:
        value = read_value(item, kind=kind, unit=predicate.unit, stated_unit=given.unit if kind == "quantity" else None)
    except InputError as error:
        code = "incomparable_units" if error.code == "incomparable_units" else error.code
        raise ConstraintError(
            f"{predicate.name} {given.operator}: {error.message}", code=code, hint=error.hint
        ) from error
    if kind == "quantity":
        _exact(predicate, value)
    return value


def _exact(predicate: Predicate, value: Value) -> None:
    if value.approximate or value.min is None or value.min != value.max:
        raise ConstraintError(
            f"{shown(value.text)} is not one exact number", code="bad_operand", hint="use between for a range"
        )
    if predicate.unit is not None and not _same(predicate.unit, value.unit):
        raise ConstraintError(
            f"{predicate.name} is in {predicate.unit}, {shown(value.text)} is in {value.unit}",
            code="incomparable_units",
        )


def _same(a: str, b: str | None) -> bool:
    try:
        return b is not None and same_dimension(a, b)
    except QuantityError:
        return False


def _in_order(predicate: Predicate, operands: tuple[Value, ...]) -> None:
    low, high = operands[0].min, operands[1].max
    if low is not None and high is not None and low > high:
        raise ConstraintError(f"{predicate.name} between: the lower value comes first", code="bad_operands")


def _scope(scope: dict[str, str] | Literal["any"] | None) -> tuple[tuple[str, str], ...] | Literal["any"] | None:
    return tuple(sorted(scope.items())) if isinstance(scope, dict) else scope
