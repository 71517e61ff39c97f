"""Constraints: what a subject must satisfy, as data, as text, and typed against a vocabulary (semantics section 8)."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError, model_validator

from claimbase.errors import ConstraintError, InputError, LimitError, QuantityError, shown
from claimbase.quantities import UNITS, same_dimension
from claimbase.temporal import iso, read_instant
from claimbase.values import Kind, Value, read_value
from claimbase.vocabulary import Predicate, Vocabulary, check_name

ALL_KINDS: tuple[Kind, ...] = get_args(Kind)
GROUP_KINDS = ("all_of", "any_of", "none_of")
TEXT_LIMIT = 20_000
MEMBER_LIMIT = 1_000
DEPTH_LIMIT = 16

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
_BY_SYMBOL = {symbol: name for name, operator in OPERATORS.items() for symbol in (name, *operator.symbols)}


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
        return ConstraintError(f"unknown field {shown(where)}", code="extra_field")
    return ConstraintError(f"{where}: {first['msg']}, got {shown(str(first['input']))}", code="bad_constraint")


def _instant_field(value: Any) -> Any:
    return read_instant(value, field="at") if isinstance(value, str | date) else value


def _operator_field(value: Any) -> Any:
    name = _BY_SYMBOL.get(value) if isinstance(value, str) else None
    if name is None:
        raise _unknown_operator(value)
    return name


def _unknown_operator(value: object) -> ConstraintError:
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
    def _shape(self) -> "Constraint":
        """Check the name and the number of operands."""
        check_name(self.predicate)
        arity = OPERATORS[self.operator].arity
        given = _count(self)
        if not _ARITY[arity](given, isinstance(self.value, tuple), self.value_of is not None):
            raise ConstraintError(
                f"{self.predicate} {self.operator} takes {_ARITY_WORDS[arity]}", code="bad_operands"
            )
        return self


class AllOf(_Model):
    """Every member must hold."""

    all_of: tuple["Condition", ...]

    @model_validator(mode="before")
    @classmethod
    def _members(cls, data: Any) -> Any:
        return _member_field(data)


class AnyOf(_Model):
    """One member is enough."""

    any_of: tuple["Condition", ...]

    @model_validator(mode="before")
    @classmethod
    def _members(cls, data: Any) -> Any:
        return _member_field(data)


class NoneOf(_Model):
    """No member may hold."""

    none_of: tuple["Condition", ...]

    @model_validator(mode="before")
    @classmethod
    def _members(cls, data: Any) -> Any:
        return _member_field(data)


Condition = Constraint | AllOf | AnyOf | NoneOf
for _group in (AllOf, AnyOf, NoneOf):
    _group.model_rebuild()

_GROUPS: dict[str, Callable[..., AllOf | AnyOf | NoneOf]] = {"all_of": AllOf, "any_of": AnyOf, "none_of": NoneOf}
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


def condition(given: "Condition | str | Mapping[str, Any]") -> Condition:
    """Return a condition from a model, its text or its JSON object; raises ConstraintError, LimitError [too_deep]."""
    if isinstance(given, Constraint | AllOf | AnyOf | NoneOf):
        return given
    if isinstance(given, str):
        return parse_constraint(given)
    if not isinstance(given, Mapping):
        raise ConstraintError(f"{shown(str(given))} is no constraint", code="bad_constraint")
    _hold_depth(given)
    kind = next((kind for kind in GROUP_KINDS if kind in given), None)
    return Constraint(**given) if kind is None else _GROUPS[kind](**given)


def _hold_depth(given: Any, depth: int = 0) -> None:
    if depth > DEPTH_LIMIT:
        raise LimitError("constraints nested too deep", code="too_deep", hint=f"at most {DEPTH_LIMIT} levels")
    if isinstance(given, Mapping):
        for kind in GROUP_KINDS:
            for member in given.get(kind) or ():
                _hold_depth(member, depth + 1)


def conditions(given: "list[Any] | tuple[Any, ...] | Condition | str | Mapping[str, Any]") -> tuple[Condition, ...]:
    """Return all conditions of a request; raises ConstraintError [no_constraints] for none (X39)."""
    items = given if isinstance(given, list | tuple) else (given,)
    if not items:
        raise ConstraintError("no constraints given", code="no_constraints", hint="context_window >= 128K")
    return tuple(condition(item) for item in items)


def to_json(given: Condition) -> dict[str, Any]:
    """Return a condition as plain JSON data, unset fields left out."""
    if isinstance(given, Constraint):
        return given.model_dump(mode="json", exclude_none=True)
    kind, members = group_members(given)
    return {kind: [to_json(member) for member in members]}


def group_members(given: AllOf | AnyOf | NoneOf) -> tuple[str, tuple[Condition, ...]]:
    """Return a group's kind and members."""
    kind = next(iter(type(given).model_fields))
    return kind, getattr(given, kind)


# Text form --------------------------------------------------------------------------------------------------------

_HEAD = re.compile(r"\s*([A-Za-z][\w.-]*?)\s*(?:\[([^\]]*)\])?\s*(>=|<=|!=|==|[=<>≥≤≠]|\s[A-Za-z_]+\b)\s*", re.ASCII)
_STRANGE = re.compile(r"\s*[A-Za-z][\w.-]*\s*(?:\[[^\]]*\])?\s*([^\w\s.\[-]+)", re.ASCII)
_CALL = re.compile(r"\s*(all_of|any_of|none_of)\s*\((.*)\)\s*", re.DOTALL)
_AT = re.compile(r"\s@\s*([0-9TZ:.+-]+)\s*$", re.ASCII)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?", re.ASCII)
_NUMBER_UNIT = re.compile(rf"({_NUMBER.pattern})\s+([A-Za-z_%0-9]+)", re.ASCII)
_VALUE_OF = re.compile(r"value_of\((.*)\)", re.DOTALL)
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
# A comma between digits groups them; every other comma outside quotes separates.
_PIECE = re.compile(r'\s*("(?:[^"\\]|\\.)*"|(?:[^",]|(?<=\d),(?=\d))+)\s*(?:,|$)', re.DOTALL)


def parse_constraint(text: str) -> Condition:
    """Read the text form: `context_window >= 128K`, `input_price[mode=batch] <= $1/Mtok`, `vendor in a, b`.

    A scope stands in brackets (`[any]` for any), an own instant after `@`, another subject's value as
    `value_of(subject)`, a group as `any_of(a; b)`. Raises ConstraintError [no_constraints, unknown_operator, ...].
    """
    return _parse(text, 0)


def _parse(text: str, depth: int) -> Condition:
    if not text.strip():
        raise ConstraintError("an empty constraint", code="no_constraints", hint="context_window >= 128K")
    if len(text) > TEXT_LIMIT:
        raise LimitError(f"a constraint of {len(text)} characters", hint=f"at most {TEXT_LIMIT}")
    if depth > DEPTH_LIMIT:
        raise LimitError("constraints nested too deep", code="too_deep", hint=f"at most {DEPTH_LIMIT} levels")
    if call := _CALL.fullmatch(text):
        return _GROUPS[call[1]](**{call[1]: tuple(_parse(part, depth + 1) for part in _split(call[2]))})
    head = _HEAD.match(text)
    if head is None:
        raise _no_head(text)
    name = _BY_SYMBOL.get(head[3].strip())
    if name is None:
        raise _unknown_operator(head[3].strip())
    rest = text[head.end() :].rstrip()
    instant = _AT.search(f" {rest}")
    if instant is not None:
        rest = f" {rest}"[: instant.start()].strip()
    operand = _parse_operand(OPERATORS[name], rest)
    given: dict[str, Any] = {"predicate": head[1], "operator": name, "scope": _parse_scope(head[2])}
    given["at"] = instant[1] if instant else None
    return Constraint(**given, **operand)


def _no_head(text: str) -> ConstraintError:
    if strange := _STRANGE.match(text):
        return _unknown_operator(strange[1])
    return ConstraintError(
        f"{shown(text)} is no constraint", code="bad_constraint", hint="predicate operator value: vision is_true"
    )


def _split(text: str) -> list[str]:
    """Split a group's members at semicolons outside quotes and parentheses."""
    parts, depth, start, quoted = [], 0, 0, False
    for place, char in enumerate(text):
        if char == '"' and text[place - 1 : place] != "\\":
            quoted = not quoted
        if quoted:
            continue
        depth += (char == "(") - (char == ")")
        if char == ";" and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    return [*parts, text[start:]]


def _parse_scope(text: str | None) -> dict[str, str] | Literal["any"] | None:
    if text is None or text.strip() == "any":
        return None if text is None else "any"
    scope = {}
    for part in text.split(","):
        key, equals, value = part.partition("=")
        if not equals or not key.strip() or not value.strip() or key.strip() in scope:
            raise ConstraintError(f"{shown(text)} is no scope", code="bad_scope", hint="[mode=batch] or [any]")
        scope[key.strip()] = value.strip()
    return scope


def _parse_operand(operator: Operator, text: str) -> dict[str, Any]:
    if operator.arity == "none":
        if text:
            raise ConstraintError(f"{operator.name} takes no value, got {shown(text)}", code="bad_operands")
        return {}
    if other := _VALUE_OF.fullmatch(text):
        parts = _pieces(other[1])
        return {"value_of": ValueOf(subject=_text(parts[0]), predicate=_text(parts[1]) if len(parts) > 1 else None)}
    if operator.arity == "one":
        value, unit = _scalar_text(text)
        return {"value": value, "unit": unit}
    joined = re.sub(r"\s+and\s+", ", ", text) if operator.arity == "two" and '"' not in text else text
    read = [_scalar_text(piece) for piece in _pieces(joined)]
    units = {unit for _, unit in read if unit is not None}
    if len(units) > 1:
        raise ConstraintError(f"{shown(text)} mixes units", code="bad_operands")
    return {"value": [value for value, _ in read], "unit": units.pop() if units else None}


def _pieces(text: str) -> list[str]:
    pieces, place = [], 0
    while place < len(text):
        match = _PIECE.match(text, place)
        if match is None:
            raise ConstraintError(f"{shown(text)} is no list", code="bad_operands", hint="a, b, c")
        pieces.append(match[1].strip())
        place = match.end()
    if not pieces or not all(pieces):
        raise ConstraintError(f"{shown(text)} is no list", code="bad_operands", hint="a, b, c")
    return pieces


def _scalar_text(text: str) -> tuple[Scalar | None, str | None]:
    if not text:
        return None, None
    if _QUOTED.fullmatch(text):
        return _text(text), None
    if text in ("true", "false"):
        return text == "true", None
    if _NUMBER.fullmatch(text):
        return Decimal(text), None
    if (match := _NUMBER_UNIT.fullmatch(text)) and match[2] in UNITS:
        return Decimal(match[1]), match[2]
    return text, None


def _text(piece: str) -> str:
    return re.sub(r"\\(.)", r"\1", piece[1:-1], flags=re.DOTALL) if _QUOTED.fullmatch(piece) else piece


def format_constraint(given: Condition) -> str:
    """Write a condition as text that `parse_constraint` reads back."""
    if not isinstance(given, Constraint):
        kind, members = group_members(given)
        return f"{kind}({'; '.join(format_constraint(member) for member in members)})"
    operator = OPERATORS[given.operator]
    parts = [given.predicate + _scope_text(given.scope), operator.symbols[0] if operator.symbols else operator.name]
    if operand := _operand_text(given, operator):
        parts.append(operand)
    if given.at is not None:
        parts.append(f"@ {iso(given.at)}")
    return " ".join(parts)


def _scope_text(scope: dict[str, str] | str | None) -> str:
    if scope is None:
        return ""
    if isinstance(scope, str):
        return "[any]"
    return "[" + ", ".join(f"{key}={value}" for key, value in sorted(scope.items())) + "]"


def _operand_text(given: Constraint, operator: Operator) -> str:
    if given.value_of is not None:
        names = [given.value_of.subject, *([given.value_of.predicate] if given.value_of.predicate else [])]
        return f"value_of({', '.join(_quote_where_needed(name) for name in names)})"
    items = given.value if isinstance(given.value, tuple) else (() if given.value is None else (given.value,))
    texts = [_scalar_to_text(item, given.unit) for item in items]
    return " and ".join(texts) if operator.arity == "two" else ", ".join(texts)


def _scalar_to_text(value: Scalar, unit: str | None) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        text = _quote_where_needed(value)
        return f"{text} {unit}" if unit else text
    number = format(Decimal(value), "f")
    return f"{number} {unit}" if unit else number


def _quote_where_needed(text: str) -> str:
    plain = re.fullmatch(r"[^\s\",;()@\[\]\\]+(?: [^\s\",;()@\[\]\\]+)*", text) and " and " not in f" {text} "
    misread = text in ("true", "false") or _NUMBER.fullmatch(text) or _NUMBER_UNIT.fullmatch(text)
    if plain and not misread:
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


# Typed tree -------------------------------------------------------------------------------------------------------


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
    members: tuple["Test | Group", ...]


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
