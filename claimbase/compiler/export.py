"""A plan for another engine: the base's macros inlined, every value a literal, nothing that only one engine knows."""

from __future__ import annotations

import re
from datetime import datetime
from decimal import Decimal
from functools import cache
from typing import Any

import sqlglot
from sqlglot import exp
from sqlglot.errors import ErrorLevel, UnsupportedError

from claimbase.compiler.nodes import DECIMAL
from claimbase.compiler.plan import Plan
from claimbase.errors import InputError, shown
from claimbase.files import folder
from claimbase.temporal import iso

HOME = "duckdb"
# Functions of tests on lists, methods and descriptions of sources; elsewhere they are missing or mean something else.
_AT_HOME_ONLY = frozenset({"json_contains", "to_json", "json_extract_scalar", "arg_max"})
_TIMESTAMPTZ = exp.DataType.build("TIMESTAMPTZ", dialect=HOME)
_MACRO = re.compile(r"CREATE OR REPLACE MACRO cb\.(\w+)\(([^)]*)\) AS TABLE\s+(.*)", re.DOTALL)


def export(plan: Plan, dialect: str = HOME) -> str:
    """Write a plan as one statement for another engine that holds the same tables.

    Args:
        plan: a compiled question.
        dialect: a dialect of sqlglot: duckdb, postgres, spark, ...

    Raises:
        InputError: [not_portable] the plan needs what the dialect cannot say; [unknown_dialect].
    """
    try:
        target = sqlglot.Dialect.get_or_raise(dialect)
    except ValueError as error:
        raise InputError(f"unknown dialect {shown(dialect)}", code="unknown_dialect", hint="postgres, spark") from error
    whole = _inlined(sqlglot.parse_one(plan.sql, dialect=HOME))
    whole = whole.transform(
        lambda node: _literal(plan.params[node.name]) if isinstance(node, exp.Placeholder) else node
    )
    if dialect != HOME:
        _check(whole, dialect)
    try:
        return whole.sql(target, pretty=True, normalize_functions=False, unsupported_level=ErrorLevel.RAISE)
    except UnsupportedError as error:
        raise InputError(f"{dialect} cannot say this plan: {error}", code="not_portable") from error


def _check(whole: exp.Expr, dialect: str) -> None:
    used = {node.name.lower() for node in whole.find_all(exp.Anonymous)} | {
        node.sql_name().lower() for node in whole.find_all(exp.Func) if not isinstance(node, exp.Anonymous)
    }
    if only := sorted(used & _AT_HOME_ONLY):
        raise InputError(f"{', '.join(only)} does not exist in {dialect}", code="not_portable", hint="export to duckdb")
    for step in whole.find_all(exp.CTE):
        step.set("materialized", None)


def _inlined(node: exp.Expr) -> exp.Expr:
    """Put each macro's body, its arguments filled in, in the place of its call."""

    def body(node: exp.Expr) -> exp.Expr:
        if not isinstance(node, exp.Table) or not isinstance(node.this, exp.Anonymous):
            return node
        parameters, text = _macros()[node.this.name]
        given = dict(zip(parameters, node.this.expressions, strict=True))
        query = sqlglot.parse_one(text, dialect=HOME).transform(lambda inner: _argument(inner, given))
        return exp.Subquery(this=_inlined(query), alias=node.args.get("alias"))

    return node.transform(body)


def _argument(node: exp.Expr, given: dict[str, exp.Expr]) -> exp.Expr:
    if isinstance(node, exp.Column) and not node.table and node.name in given:
        return given[node.name].copy()
    return node


@cache
def _macros() -> dict[str, tuple[tuple[str, ...], str]]:
    """Read the table macros that plans call, from the files that define them."""
    found = {}
    for file in folder("sql").joinpath("macros").iterdir():
        match = _MACRO.search(file.read_text(encoding="utf-8"))
        if match:
            found[match[1]] = (tuple(part.strip() for part in match[2].split(",")), match[3])
    return found


def _literal(value: Any) -> exp.Expr:
    if isinstance(value, datetime):
        return exp.Cast(this=exp.Literal.string(iso(value)), to=_TIMESTAMPTZ.copy())
    if isinstance(value, Decimal):
        return exp.Cast(this=exp.Literal.string(format(value, "f")), to=DECIMAL.copy())
    if isinstance(value, int):
        return exp.Neg(this=exp.Literal.number(-value)) if value < 0 else exp.Literal.number(value)
    return exp.Literal.string(str(value))
