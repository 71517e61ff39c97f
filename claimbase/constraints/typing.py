"""Constraints typed against a vocabulary: what the compiler works on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Literal

from claimbase.constraints.models import OPERATORS, Condition, Constraint, Scalar, ValueOf, group_members
from claimbase.errors import ConstraintError, InputError, QuantityError, shown
from claimbase.quantities import same_dimension
from claimbase.values import Kind, Value, number_values, read_value
from claimbase.vocabulary import Predicate, Vocabulary


@dataclass(frozen=True, slots=True)
class Form:
    """What a test says beside its operands; many tests can share one."""

    predicate: Predicate
    operator: str
    scope: tuple[tuple[str, str], ...] | Literal["any"] | None
    at: datetime | None
    value_of: ValueOf | None


@dataclass(frozen=True, slots=True)
class Test:
    """A constraint typed against its predicate: operands are read values in the predicate's unit.

    A date operand may be a period `[min, max)`; `Operator` says how it is compared.
    """

    form: Form
    operands: tuple[Value, ...]
    constraint: Constraint

    @property
    def predicate(self) -> Predicate:
        """What it tests."""
        return self.form.predicate

    @property
    def operator(self) -> str:
        """How it compares."""
        return self.form.operator

    @property
    def scope(self) -> tuple[tuple[str, str], ...] | Literal["any"] | None:
        """Which scope it listens to."""
        return self.form.scope

    @property
    def at(self) -> datetime | None:
        """The instant this one test is asked for."""
        return self.form.at

    @property
    def value_of(self) -> ValueOf | None:
        """Whose value is the operand."""
        return self.form.value_of


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
    return next(all_typed((given,), vocabulary))


def all_typed(given: Iterable[Condition], vocabulary: Vocabulary) -> Iterator[Test | Group]:
    """Type conditions; what many have in common is checked once and shared. Raises what `typed` raises."""
    forms: dict[Any, tuple[Form, _ReadNumber | None]] = {}

    def one(condition: Condition) -> Test | Group:
        if not isinstance(condition, Constraint):
            kind, members = group_members(condition)
            return Group(kind, tuple(map(one, members)))  # type: ignore[arg-type]
        scope = tuple(sorted(condition.scope.items())) if isinstance(condition.scope, dict) else condition.scope
        key = (condition.predicate, condition.operator, condition.unit, scope, condition.at, condition.value_of)
        known = forms.get(key)
        if known is None:
            form = _form(condition, scope, vocabulary)
            known = forms[key] = form, _numbers(form, condition.unit)
        return _test(*known, condition)

    return map(one, given)


def _form(
    given: Constraint, scope: tuple[tuple[str, str], ...] | Literal["any"] | None, vocabulary: Vocabulary
) -> Form:
    predicate = vocabulary.get(given.predicate)
    _fit(predicate, given.operator)
    if given.value_of is not None:
        _comparable_other(predicate, given.value_of, vocabulary)
    return Form(predicate, given.operator, scope, given.at, given.value_of)


_ReadNumber = Callable[[Any], Value]


def _numbers(form: Form, unit: str | None) -> _ReadNumber | None:
    """Give a function that reads the numbers of a form; None where another kind is tested, or the unit is refused."""
    if form.predicate.kind != "quantity":
        return None
    try:
        return number_values(form.predicate.unit, unit)
    except InputError:
        return None


def _test(form: Form, read: _ReadNumber | None, given: Constraint) -> Test:
    value, predicate = given.value, form.predicate
    if value is None:
        return Test(form, (), given)
    if not isinstance(value, tuple):
        return Test(form, (_operand(predicate, given, read, value),), given)
    operands = tuple([_operand(predicate, given, read, item) for item in value])
    if form.operator == "between":
        _in_order(predicate, operands)
    return Test(form, operands, given)


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


_NUMBERS = frozenset({Decimal, int})


def _operand(predicate: Predicate, given: Constraint, read: _ReadNumber | None, item: Scalar) -> Value:
    kind = predicate.kind
    try:
        if read and type(item) in _NUMBERS:
            value = read(item)
        else:
            asked: Kind = "text" if kind == "set" and given.operator == "contains" else kind
            stated = given.unit if kind == "quantity" else None
            value = read_value(item, kind=asked, unit=predicate.unit, stated_unit=stated)
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
    if predicate.unit not in (None, value.unit) and not _same(predicate.unit, value.unit):
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
