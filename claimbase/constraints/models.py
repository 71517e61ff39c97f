"""Constraints as data: the operators in one table, and frozen models that pydantic checks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from math import isfinite
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError, model_validator

from claimbase.errors import ConstraintError, InputError, LimitError, shown
from claimbase.temporal import read_instant
from claimbase.values import Kind
from claimbase.vocabulary import check_name

ALL_KINDS: tuple[Kind, ...] = get_args(Kind)
GROUP_KINDS = ("all_of", "any_of", "none_of")
TEXT_LIMIT = 20_000
MEMBER_LIMIT = 1_000
DEPTH_LIMIT = 16
_LIKE = "such as context_window >= 128K, or its object"

Arity = Literal["none", "one", "two", "many"]


@dataclass(frozen=True, slots=True)
class Operator:
    """How a constraint compares: its symbols in text, the kinds it fits, how many operands it takes.

    gt and after lie beyond the whole operand, lt and before ahead of all of it, gte from its first point on, lte up to
    its last: one rule for a number, a day and a month (Q14).
    """

    name: str
    symbols: tuple[str, ...]
    kinds: tuple[Kind, ...]
    arity: Arity


_ORDERED: tuple[Kind, ...] = ("quantity", "date")
OPERATORS: dict[str, Operator] = {
    operator.name: operator
    for operator in (
        Operator("gte", (">=", "≥"), _ORDERED, "one"),
        Operator("gt", (">",), _ORDERED, "one"),
        Operator("lte", ("<=", "≤"), _ORDERED, "one"),
        Operator("lt", ("<",), _ORDERED, "one"),
        Operator("eq", ("=", "=="), ALL_KINDS, "one"),
        Operator("ne", ("!=", "≠"), ALL_KINDS, "one"),
        Operator("between", (), _ORDERED, "two"),
        Operator("in", (), ("quantity", "date", "text", "entity"), "many"),
        Operator("contains", (), ("text", "entity", "set"), "one"),
        Operator("starts_with", (), ("text", "entity"), "one"),
        Operator("before", (), ("date",), "one"),
        Operator("after", (), ("date",), "one"),
        Operator("exists", (), ALL_KINDS, "none"),
        Operator("absent", (), ALL_KINDS, "none"),
        Operator("is_true", (), ("bool",), "none"),
        Operator("is_false", (), ("bool",), "none"),
    )
}
BY_SYMBOL = {symbol: name for name, operator in OPERATORS.items() for symbol in (name, *operator.symbols)}


class _Model(BaseModel):
    """Frozen and closed; pydantic's own errors never leave this file."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, populate_by_name=True)

    def __init__(self, **data: Any) -> None:
        try:
            super().__init__(**data)
        except ValidationError as error:
            raise _own_error(error) from error


def _own_error(error: ValidationError) -> InputError | LimitError:
    first = error.errors(include_url=False)[0]
    cause = first.get("ctx", {}).get("error")
    if isinstance(cause, InputError | LimitError):
        return cause
    where = ".".join(str(part) for part in first["loc"]) or "constraint"
    if first["type"] == "extra_forbidden":
        return ConstraintError(f"unknown field {shown(where)}", code="extra_field", hint=_LIKE)
    return ConstraintError(f"{where}: {first['msg']}, got {shown(first['input'])}", code="bad_constraint", hint=_LIKE)


def _instant_field(value: Any) -> Any:
    return read_instant(value, field="at") if isinstance(value, str | date) else value


def _operator_field(value: Any) -> Any:
    name = BY_SYMBOL.get(value) if isinstance(value, str) else None
    if name is None:
        raise unknown_operator(value)
    return name


def unknown_operator(value: object) -> ConstraintError:
    """Make the error that lists every operator (X40)."""
    return ConstraintError(
        f"unknown operator {shown(str(value))}",
        code="unknown_operator",
        hint=f"one of {', '.join(OPERATORS)}",
        allowed=tuple(OPERATORS),
    )


def _scalar(value: Any) -> Any:
    """Take a float by its shortest text (V1) and hold texts to a size."""
    if isinstance(value, float):
        number = Decimal(repr(value))
        if not number.is_finite():
            raise ConstraintError(f"{value} is no number to compare with", code="not_finite")
        return number
    if isinstance(value, str) and len(value) > TEXT_LIMIT:
        raise LimitError(f"an operand of {len(value)} characters", hint=f"at most {TEXT_LIMIT}")
    if isinstance(value, str) and any("\ud800" <= char <= "\udfff" for char in value):
        raise ConstraintError(f"{shown(value)} is not valid text", code="bad_char")
    return value


def _operand_field(value: Any) -> Any:
    if isinstance(value, list | tuple):
        if len(value) > MEMBER_LIMIT:
            raise LimitError(f"{len(value)} operands", code="too_many", hint=f"at most {MEMBER_LIMIT}")
        return tuple(_scalar(item) for item in value)
    return _scalar(value)


Scalar = bool | int | Decimal | str
Instant = Annotated[datetime, BeforeValidator(_instant_field)]


class ValueOf(_Model):
    """Another subject's value as the operand (Q14); without a predicate the constraint's own is meant."""

    subject: str
    predicate: str | None = None


class Constraint(_Model):
    """One test of one predicate.

    *value* is a number, text, truth value or a list of them; *value_of* another subject's value instead. *unit* is any
    accepted spelling, None the predicate's own. *scope* None means claims without scope, a mapping exactly that scope,
    "any" the best of any (Q6). *at* is the instant this one constraint is asked for (Q14). In JSON the predicate may
    also be called `field`. Raises ConstraintError [unknown_operator, extra_field, bad_operands] (X34, X40).
    """

    predicate: str
    operator: Annotated[str, BeforeValidator(_operator_field)]
    value: Annotated[Scalar | tuple[Scalar, ...] | None, BeforeValidator(_operand_field)] = None
    value_of: ValueOf | None = None
    unit: str | None = None
    scope: dict[str, str] | Literal["any"] | None = None
    at: Instant | None = None

    @model_validator(mode="before")
    @classmethod
    def _spellings(cls, data: Any) -> Any:
        """Accept `field` for the predicate and a value-of object in the place of the value."""
        if not isinstance(data, dict):
            return data
        data = dict(data)
        if "field" in data and "predicate" not in data:
            data["predicate"] = data.pop("field")
        if isinstance(data.get("value"), ValueOf | Mapping) and data.get("value_of") is None:
            data["value_of"] = data.pop("value")
        if data.get("scope") == {}:
            data["scope"] = None
        return data

    @model_validator(mode="after")
    def _shape(self) -> Constraint:
        """Check the name and the number of operands."""
        check_name(self.predicate)
        arity = OPERATORS[self.operator].arity
        given = _count(self)
        if not _ARITY[arity](given, isinstance(self.value, tuple), self.value_of is not None):
            raise ConstraintError(f"{self.predicate} {self.operator} takes {_ARITY_WORDS[arity]}", code="bad_operands")
        return self


class AllOf(_Model):
    """Every member must hold."""

    all_of: tuple[Condition, ...]

    @model_validator(mode="before")
    @classmethod
    def _members(cls, data: Any) -> Any:
        return _member_field(data)


class AnyOf(_Model):
    """One member is enough."""

    any_of: tuple[Condition, ...]

    @model_validator(mode="before")
    @classmethod
    def _members(cls, data: Any) -> Any:
        return _member_field(data)


class NoneOf(_Model):
    """No member may hold."""

    none_of: tuple[Condition, ...]

    @model_validator(mode="before")
    @classmethod
    def _members(cls, data: Any) -> Any:
        return _member_field(data)


Condition = Constraint | AllOf | AnyOf | NoneOf
for _group in (AllOf, AnyOf, NoneOf):
    _group.model_rebuild()

GROUPS: dict[str, Callable[..., AllOf | AnyOf | NoneOf]] = {"all_of": AllOf, "any_of": AnyOf, "none_of": NoneOf}
_ARITY: dict[Arity, Callable[[int, bool, bool], bool]] = {
    "none": lambda count, listed, other: count == 0,
    "one": lambda count, listed, other: count == 1 and not listed,
    "two": lambda count, listed, other: count == 2 and listed,
    "many": lambda count, listed, other: count >= 1 and not other,
}
_ARITY_WORDS: dict[Arity, str] = {
    "none": "no value", "one": "one value", "two": "two values, the lower first", "many": "a list of values",
}  # fmt: skip


def _count(constraint: Constraint) -> int:
    if isinstance(constraint.value, tuple):
        return len(constraint.value) + (constraint.value_of is not None)
    return (constraint.value is not None) + (constraint.value_of is not None)


def _member_field(data: Any) -> Any:
    if not isinstance(data, dict):
        return data
    for kind in GROUP_KINDS:
        members = data.get(kind)
        if isinstance(members, list | tuple):
            if not members:
                raise ConstraintError(f"{kind} without members", code="no_constraints")
            if len(members) > MEMBER_LIMIT:
                raise LimitError(f"{len(members)} constraints", code="too_many", hint=f"at most {MEMBER_LIMIT}")
            data = {**data, kind: tuple(condition(member) for member in members)}
    return data


def condition(given: Condition | Mapping[str, Any]) -> Condition:
    """Make a condition of its JSON object; one that is already made comes back as it is.

    Raises:
        ConstraintError: for anything else.
        LimitError: [too_deep].
    """
    if isinstance(given, Constraint | AllOf | AnyOf | NoneOf):
        return given
    fields: object = given
    if not isinstance(fields, Mapping) or not all(isinstance(name, str) for name in fields):
        raise ConstraintError(f"{shown(str(given))} is no constraint", code="bad_constraint", hint=_LIKE)
    if (plain := _plain(given)) is not None:
        return plain
    hold_depth(given)
    kind = next((kind for kind in GROUP_KINDS if kind in given), None)
    return Constraint(**given) if kind is None else GROUPS[kind](**given)


def _plain(given: Mapping[str, Any]) -> Constraint | None:
    """Make a constraint of a number; what it says beside the number is checked once for all numbers."""
    value: Any = given.get("value")
    finite = _FINITE.get(type(value))
    if finite is None or not (given.keys() <= _PLAIN and finite(value)):
        return None
    words = given.get("predicate"), given.get("operator"), given.get("unit")
    if not isinstance(words[0], str) or not isinstance(words[1], str) or not isinstance(words[2], str | None):
        return None
    return with_number(_opening(*words), Decimal(repr(value)) if isinstance(value, float) else value)


_PLAIN = frozenset({"predicate", "operator", "value", "unit"})
_FINITE: dict[type, Callable[[Any], bool]] = {int: lambda _: True, float: isfinite, Decimal: Decimal.is_finite}


@lru_cache(maxsize=4096)
def _opening(predicate: str, operator: str, unit: str | None) -> Constraint:
    return Constraint(predicate=predicate, operator=operator, value=0, unit=unit)


def with_number(given: Constraint, number: int | Decimal) -> Constraint:
    """Give a constraint of one number another one; all else it says is checked already."""
    said = {**given.__dict__, "value": number}
    if said["scope"] is not None:
        said["scope"] = copy(said["scope"])
    made = Constraint.__new__(Constraint)  # in less than half of the time of pydantic's own copy
    _put(made, "__dict__", said)
    _put(made, "__pydantic_fields_set__", given.__pydantic_fields_set__)
    _put(made, "__pydantic_extra__", None)
    _put(made, "__pydantic_private__", None)
    return made


_put = object.__setattr__


def hold_depth(given: Any, depth: int = 0) -> None:
    """Refuse groups nested deeper than DEPTH_LIMIT, before anything is built.

    Raises:
        LimitError: [too_deep].
    """
    if depth > DEPTH_LIMIT:
        raise LimitError("constraints nested too deep", code="too_deep", hint=f"at most {DEPTH_LIMIT} levels")
    if isinstance(given, Mapping):
        for kind in GROUP_KINDS:
            members = given.get(kind)
            for member in members if isinstance(members, list | tuple) else ():
                hold_depth(member, depth + 1)


def to_json(given: Condition) -> dict[str, Any]:
    """Return a condition as plain JSON data, unset fields left out."""
    if isinstance(given, Constraint):
        if isinstance(given.value, Decimal) and given.scope is None and given.at is None:
            said = {"predicate": given.predicate, "operator": given.operator, "value": str(given.value)}
            return said if given.unit is None else said | {"unit": given.unit}
        return given.model_dump(mode="json", exclude_none=True)
    kind, members = group_members(given)
    return {kind: [to_json(member) for member in members]}


def group_members(given: AllOf | AnyOf | NoneOf) -> tuple[str, tuple[Condition, ...]]:
    """Return a group's kind and members."""
    kind = next(iter(type(given).model_fields))
    return kind, getattr(given, kind)
