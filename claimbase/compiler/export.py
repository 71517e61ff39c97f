"""A plan for another engine: the base's macros inlined, every value a literal, nothing that only one engine knows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from functools import cache, partial
from typing import Any, Protocol

import sqlglot
from sqlglot import exp
from sqlglot.errors import ErrorLevel, UnsupportedError

from claimbase.compiler.export_dialects import DIALECTS, HOME, INSTANT, UNLIKE, Dialect, Rewrite
from claimbase.compiler.nodes import DECIMAL
from claimbase.errors import InputError, shown
from claimbase.files import folder
from claimbase.temporal import iso

_MACRO = re.compile(r"CREATE OR REPLACE MACRO cb\.(\w+)\(([^)]*)\) AS TABLE\s+(.*)", re.DOTALL)


class Asked(Protocol):
    """What can be written for another engine: a plan, or an answer with the statement it came from."""

    @property
    def sql(self) -> str:
        """One statement with named placeholders."""

    @property
    def params(self) -> Mapping[str, Any]:
        """Every value, by placeholder."""


def export(asked: Asked, dialect: str = HOME) -> str:
    """Write a plan as one statement for another engine that holds the same tables (C16: the same rows in one order).

    Args:
        asked: a compiled question, an answer, or a statement of one.
        dialect: duckdb, postgres, datafusion or spark.

    Raises:
        InputError: [not_portable] the plan needs what the dialect cannot say; [unknown_dialect].
    """
    target = DIALECTS.get(dialect)
    if target is None:
        raise InputError(f"unknown dialect {shown(dialect)}", code="unknown_dialect", hint=", ".join(DIALECTS))
    whole = _inlined(sqlglot.parse_one(asked.sql, dialect=HOME))
    rewrites: tuple[Rewrite, ...] = (partial(_filled, params=asked.params), *target.rewrites)
    for rewrite in rewrites:
        whole = whole.transform(rewrite, copy=False)
    _check(whole, dialect, target)
    try:
        return whole.sql(target.writer, pretty=True, normalize_functions=False, unsupported_level=ErrorLevel.RAISE)
    except UnsupportedError as error:
        raise InputError(f"{dialect} cannot say this plan: {error}", code="not_portable") from error


def _check(whole: exp.Expr, dialect: str, target: Dialect) -> None:
    """Refuse every function and construct that is not known to mean the same, by name."""
    if target.functions is None:
        return
    used = {_called(node) for node in whole.find_all(exp.Func)} - target.functions
    used |= {type(node).__name__.lower() for node in whole.find_all(*UNLIKE)}
    if used:
        words = ", ".join(sorted(used))
        raise InputError(
            f"{dialect} cannot say {words} as it is meant here",
            code="not_portable",
            hint="at most 200 constraints, or the dialect duckdb",
        )


def _called(node: exp.Func) -> str:
    return (node.name if isinstance(node, exp.Anonymous) else node.sql_name()).lower()


# -- macros and values -----------------------------------------------------------------------------------------------


def _inlined(node: exp.Expr) -> exp.Expr:
    """Put each macro's body, its arguments filled in, in the place of its call."""

    def body(node: exp.Expr) -> exp.Expr:
        if not isinstance(node, exp.Table) or not isinstance(node.this, exp.Anonymous):
            return node
        parameters, text = _macros()[node.this.name]
        given = dict(zip(parameters, node.this.expressions, strict=True))
        query = sqlglot.parse_one(text, dialect=HOME).transform(partial(_argument, given=given), copy=False)
        return exp.Subquery(this=_inlined(query), alias=node.args.get("alias"))

    return node.transform(body, copy=False)


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


def _filled(node: exp.Expr, params: Mapping[str, Any]) -> exp.Expr:
    """Put a literal in the place of a placeholder; one that is cast already needs no cast of its own."""
    if isinstance(node, exp.Cast) and isinstance(node.this, exp.Placeholder):
        return exp.Cast(this=_bare(params[node.this.name]), to=node.to)
    return _literal(params[node.name]) if isinstance(node, exp.Placeholder) else node


def _literal(value: Any) -> exp.Expr:
    kind = INSTANT if isinstance(value, datetime) else DECIMAL if isinstance(value, Decimal) else None
    return exp.Cast(this=_bare(value), to=kind.copy()) if kind else _bare(value)


def _bare(value: Any) -> exp.Expr:
    if value is None:
        return exp.null()
    if isinstance(value, int):
        return exp.Neg(this=exp.Literal.number(-value)) if value < 0 else exp.Literal.number(value)
    if isinstance(value, datetime):
        return exp.Literal.string(iso(value))
    return exp.Literal.string(format(value, "f") if isinstance(value, Decimal) else str(value))
