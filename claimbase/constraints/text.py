"""Constraints as text: `context_window >= 128K`, read and written back."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any, Literal

from claimbase.constraints.models import (
    BY_SYMBOL,
    DEPTH_LIMIT,
    GROUPS,
    OPERATORS,
    TEXT_LIMIT,
    Condition,
    Constraint,
    Operator,
    Scalar,
    ValueOf,
    condition,
    group_members,
    unknown_operator,
    with_number,
)
from claimbase.errors import ConstraintError, LimitError, shown
from claimbase.quantities import UNITS
from claimbase.temporal import iso

_SCOPE = r'\[((?:"(?:[^"\\]|\\.)*"|[^\]"])*)\]'
_HEAD = re.compile(
    rf"\s*([A-Za-z][\w.-]*?)\s*(?:{_SCOPE})?\s*(>=|<=|!=|==|[=<>≥≤≠]|\s[A-Za-z_]+\b)\s*", re.ASCII | re.DOTALL
)
_STRANGE = re.compile(r"\s*[A-Za-z][\w.-]*\s*(?:\[[^\]]*\])?\s*([^\w\s.\[-]+)", re.ASCII)
_CALL = re.compile(r"\s*(all_of|any_of|none_of)\s*\((.*)\)\s*", re.DOTALL)
_AT = re.compile(r"\s@\s*([0-9TZ:.+-]+)\s*$", re.ASCII)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?", re.ASCII)
_NUMBER_UNIT = re.compile(rf"({_NUMBER.pattern})\s+([A-Za-z_%0-9]+)", re.ASCII)
_VALUE_OF = re.compile(r"value_of\((.*)\)", re.DOTALL)
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_AND = re.compile(r'("(?:[^"\\]|\\.)*")|\s+and\s+', re.DOTALL)
_PAIR = re.compile(r'\s*([^\s=,"\[\]]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^,"\[\]]*[^,"\[\]\s])\s*(?:,|$)', re.DOTALL)
# A comma between digits groups them; every other comma outside quotes separates.
_PIECE = re.compile(r'\s*("(?:[^"\\]|\\.)*"|(?:[^",]|(?<=\d),(?=\d))+)\s*(?:,|$)', re.DOTALL)


def parse_constraint(text: str) -> Condition:
    """Read the text form: `context_window >= 128K`, `input_price[mode=batch] <= $1/Mtok`, `vendor in a, b`.

    A scope stands in brackets (`[any]` for any), an own instant after `@`, another subject's value as
    `value_of(subject)`, a group as `any_of(a; b)`. Raises ConstraintError [no_constraints, unknown_operator, ...].
    """
    return _of_number(text) or _parse(text, 0)


def _of_number(text: str) -> Constraint | None:
    """Read a constraint of a number behind a blank; what stands before it is read once for all numbers."""
    head, _, number = text.rpartition(" ")
    if len(text) > TEXT_LIMIT or not _NUMBER.fullmatch(number):
        return None
    opening = _opening(head)
    return None if opening is None else with_number(opening, Decimal(number))


@lru_cache(maxsize=4096)
def _opening(text: str) -> Constraint | None:
    """Read all of a constraint but its number, if that is all it lacks."""
    head = _HEAD.fullmatch(text)
    name = BY_SYMBOL.get(head[3].strip()) if head else None
    if head is None or name is None or OPERATORS[name].arity != "one":
        return None
    given: dict[str, Any] = {"predicate": head[1], "operator": name, "scope": _parse_scope(head[2])}
    return Constraint(**given, at=None, value=Decimal(0), unit=None)


def _parse(text: str, depth: int) -> Condition:
    if not text.strip():
        raise ConstraintError("an empty constraint", code="no_constraints", hint="context_window >= 128K")
    if len(text) > TEXT_LIMIT:
        raise LimitError(f"a constraint of {len(text)} characters", hint=f"at most {TEXT_LIMIT}")
    if depth > DEPTH_LIMIT:
        raise LimitError("constraints nested too deep", code="too_deep", hint=f"at most {DEPTH_LIMIT} levels")
    if call := _CALL.fullmatch(text):
        return GROUPS[call[1]](**{call[1]: tuple(_parse(part, depth + 1) for part in _split(call[2]))})
    head = _HEAD.match(text)
    if head is None:
        raise _no_head(text)
    name = BY_SYMBOL.get(head[3].strip())
    if name is None:
        raise unknown_operator(head[3].strip())
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
        return unknown_operator(strange[1])
    return ConstraintError(
        f"{shown(text)} is no constraint", code="bad_constraint", hint="predicate operator value: vision is_true"
    )


def _split(text: str) -> list[str]:
    """Split a group's members at semicolons outside quotes and parentheses."""
    parts, depth, start, quoted, escaped = [], 0, 0, False, False
    for place, char in enumerate(text):
        if escaped or (quoted and char == "\\"):
            escaped = not escaped
            continue
        quoted = quoted is not (char == '"')
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
    scope: dict[str, str] = {}
    place = 0
    while place < len(text):
        pair = _PAIR.match(text, place)
        if pair is None or pair[1] in scope:
            raise ConstraintError(f"{shown(text)} is no scope", code="bad_scope", hint="[mode=batch] or [any]")
        scope[pair[1]] = _text(pair[2])
        place = pair.end()
    if not scope:
        raise ConstraintError("an empty scope", code="bad_scope", hint="[mode=batch] or [any]")
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
    joined = _AND.sub(lambda found: found[1] or ", ", text) if operator.arity == "two" else text
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
    text = f"{given.predicate}{_scope_text(given.scope)} {operator.symbols[0] if operator.symbols else operator.name}"
    if operand := _operand_text(given, operator):
        text = f"{text} {operand}"
    return text if given.at is None else f"{text} @ {iso(given.at)}"


def _scope_text(scope: dict[str, str] | str | None) -> str:
    if scope is None:
        return ""
    if isinstance(scope, str):
        return "[any]"
    pairs = (f"{key}={_quote_where_needed(value)}" for key, value in sorted(scope.items()))
    return f"[{', '.join(pairs)}]"


def _operand_text(given: Constraint, operator: Operator) -> str:
    if isinstance(given.value, Decimal):
        return _scalar_to_text(given.value, given.unit)
    if given.value_of is not None:
        names = [given.value_of.subject, *([given.value_of.predicate] if given.value_of.predicate else [])]
        return f"value_of({', '.join(_quote_where_needed(name) for name in names)})"
    items = given.value if isinstance(given.value, tuple) else (() if given.value is None else (given.value,))
    numbered = any(isinstance(item, int | Decimal) for item in items)  # a unit is read behind one
    texts = [_scalar_to_text(item, None if numbered and isinstance(item, str) else given.unit) for item in items]
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


Given = Condition | str | Mapping[str, Any]


def conditions(given: Given | Sequence[Given]) -> tuple[Condition, ...]:
    """Make all conditions of a request from models, JSON objects or texts, one or several.

    Raises:
        ConstraintError: [no_constraints] for none (X39), and whatever a part of it deserves.
    """
    items = given if isinstance(given, list | tuple) else (given,)
    if not items:
        raise ConstraintError("no constraints given", code="no_constraints", hint="context_window >= 128K")
    return tuple([parse_constraint(item) if isinstance(item, str) else condition(item) for item in items])
