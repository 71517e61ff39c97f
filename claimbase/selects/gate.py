"""The gate before SQL of others: one SELECT, by two parsers, over what is listed; a locked reader stands behind (G14).

Size and depth are counted before any parser sees the text. A name passes only if both parsers take it for the same
harmless thing: the engine's own tree is looked through part by part, and whatever part is not listed is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from claimbase.errors import InputError, LimitError, shown
from claimbase.evidence.records import objects
from claimbase.selects.lists import EXPRESSIONS, FUNCTIONS, OPERATORS, PARTS, SESSIONS
from claimbase.selects.parsed import DEEPEST, LONGEST, check_select
from claimbase.store.sandbox import names, read_by_engine

Node = Mapping[str, Any]

# What may hide a bracket. One quote that is not closed runs to the end: the parsers refuse it.
_HIDING = re.compile(
    r"""(?<!\w)[eE]'(?:[^'\\]|\\.|'')*(?:'|$) | '(?:[^']|'')*(?:'|$) | "(?:[^"]|"")*(?:"|$)
      | (\$\w*\$).*?(?:\1|$) | --[^\n\r]* | /\*.*?(?:\*/|$)""",
    re.VERBOSE | re.DOTALL,
)
_BRACKET = re.compile(r"[()\[\]{}]")
_NO_TEXT = re.compile("[\0\ud800-\udfff]")


def check(sql: str) -> None:
    """Let one SELECT over schema cb pass and refuse everything else (reliability 2.3).

    Args:
        sql: one statement; a last semicolon is allowed.

    Raises:
        LimitError: [too_large] over 20,000 bytes, [too_deep] over 30 brackets.
        InputError: [bad_char], [bad_sql] a parser cannot read it, [not_a_select], [several_statements], [not_allowed]
            something in it writes, sets or shows, [unknown_table] what is not listed, [function_not_allowed].
    """
    check_text(sql)
    kinds, tree = read_by_engine(sql)
    _check_kinds(sql, kinds)
    steps = {str(step["key"]).lower() for node in objects(tree) for step in _steps(node)}
    for node in objects(tree):
        _check_node(node, steps)
    check_select(sql)
    if tree is None:
        raise InputError("the statement is no plain SELECT", code="not_allowed", hint="a SELECT that only reads")


# -- before any parser -----------------------------------------------------------------------------------------------


def check_text(sql: str) -> None:
    """Count size and depth, before anything parses.

    Raises:
        LimitError: [too_large], [too_deep].
        InputError: [bad_char].
    """
    if _NO_TEXT.search(sql):
        raise InputError("the statement holds a character that is none", code="bad_char", hint="plain text")
    size = len(sql.encode())
    if size > LONGEST:
        raise LimitError(f"the statement has {size:,} bytes", code="too_large", hint=f"{LONGEST:,} at most")
    if depth(sql) > DEEPEST:
        raise LimitError("the statement is nested too deep", code="too_deep", hint=f"{DEEPEST} brackets at most")


def depth(sql: str) -> int:
    """Tell how deep brackets nest outside strings, names in quotes and comments."""
    level = deepest = 0
    for bracket in _BRACKET.findall(_HIDING.sub(" ", sql)):
        level = max(level + (1 if bracket in "([{" else -1), 0)
        deepest = max(level, deepest)
    return deepest


def _check_kinds(sql: str, kinds: list[str]) -> None:
    if len(kinds) > 1:
        raise InputError(f"{len(kinds)} statements", code="several_statements", hint="run them one by one")
    if kinds != ["SELECT"]:
        raise InputError(f"{shown(sql)} is no SELECT", code="not_a_select", hint="SELECT ... FROM cb.active_claims()")


# -- the engine's tree -----------------------------------------------------------------------------------------------


def _steps(node: Node) -> list[Node]:
    """Give the WITH steps of a query."""
    held = node.get("cte_map")
    return held["map"] if isinstance(held, dict) else []


def _check_node(node: Node, steps: set[str]) -> None:
    kind, part = node.get("class"), node.get("type")
    known = EXPRESSIONS if kind else PARTS
    word = kind or part
    if isinstance(word, str) and word not in known:
        told = word.removesuffix("_NODE").replace("_", " ")
        raise InputError(f"{told} is not allowed here", code="not_allowed", hint="a SELECT that only reads")
    check_part = _CHECKS.get(str(word))
    if check_part is not None:
        check_part(node, steps)


def _check_table(node: Node, steps: set[str]) -> None:
    name, schema = str(node["table_name"]), str(node["schema_name"]).lower()
    listed = name.lower() in names().tables if schema == "cb" else not schema and name.lower() in steps
    if not listed or node["catalog_name"] or node["at_clause"]:
        raise _unknown_table(name)


def _check_table_function(node: Node, _: set[str]) -> None:
    called = node["function"]
    if called["class"] != "FUNCTION" or not _of_cb(called, names().table_macros):
        raise _unknown_table(str(called.get("function_name", "")))


def _unknown_table(name: str) -> InputError:
    known = names()
    tables = ", ".join(f"cb.{one}" for one in sorted(known.tables))
    macros = ", ".join(f"cb.{one}()" for one in sorted(known.table_macros))
    return InputError(f"{shown(name)} is no table of schema cb", code="unknown_table", hint=f"{macros}, {tables}")


def _check_function(node: Node, _: set[str]) -> None:
    name = str(node["function_name"]).lower()
    if name in FUNCTIONS or name in OPERATORS or _of_cb(node, names().macros | names().table_macros):
        return
    raise InputError(
        f"the function {shown(name)} is not on the list", code="function_not_allowed",
        hint="of the engine " + ", ".join(sorted(FUNCTIONS)) + "; of this base "
        + ", ".join(f"cb.{one}" for one in sorted(names().macros)),
    )  # fmt: skip


def _of_cb(node: Node, listed: frozenset[str]) -> bool:
    schema, catalog = str(node["schema"]).lower(), node["catalog"]
    return schema == "cb" and not catalog and str(node["function_name"]).lower() in listed


def _check_column(node: Node, _: set[str]) -> None:
    (*owner, name) = node["column_names"]
    if not owner and str(name).lower() in SESSIONS:
        raise InputError(f"{shown(name)} is not allowed here", code="not_allowed", hint="columns of the tables named")


_CHECKS: Mapping[str, Callable[[Node, set[str]], None]] = {
    "BASE_TABLE": _check_table, "TABLE_FUNCTION": _check_table_function, "FUNCTION": _check_function,
    "WINDOW": _check_function, "COLUMN_REF": _check_column,
}  # fmt: skip
