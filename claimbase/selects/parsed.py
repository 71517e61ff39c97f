"""The second reading of free SQL, by a parser of another make: one SELECT over schema `cb`, of listed functions."""

from __future__ import annotations

import re
from collections.abc import Iterator

import sqlglot
from sqlglot import Token, TokenType, exp
from sqlglot.errors import SqlglotError

from claimbase.errors import InputError, LimitError, shown

LONGEST = 20_000
"""The longest statement let through, in bytes."""
DEEPEST = 30
"""The deepest nesting of brackets let through; counted before anything is parsed (C13)."""

_BEGINS = {TokenType.SELECT, TokenType.WITH, TokenType.FROM, TokenType.L_PAREN}
_OPENING = {TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE}
_CLOSING = {TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE}
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

# What a SELECT may not hold anywhere: a CTE with DELETE ... RETURNING is a SELECT to the engine.
_REFUSED = (
    exp.Insert, exp.Update, exp.Delete, exp.Merge, exp.Create, exp.Drop, exp.Alter, exp.TruncateTable, exp.Command,
    exp.Into, exp.Copy, exp.Attach, exp.Detach, exp.Pragma, exp.Set, exp.Use, exp.Lock, exp.Transaction, exp.Commit,
    exp.Rollback, exp.Show, exp.Describe, exp.Summarize, exp.Placeholder, exp.Parameter, exp.SessionParameter,
)  # fmt: skip

# The functions let through, by the parser's own names: counting, windows, choice, numbers, text, time, lists, JSON.
# Left out are those that read (files, settings, variables, strings as SQL) and those that grow what they are given
# without bound (repeat, lpad, printf, range).
_KNOWN_NAMES = """
Count CountIf Sum Avg Min Max Median Mode Quantile PercentileCont PercentileDisc Stddev StddevPop StddevSamp Variance
VariancePop Corr ArgMax ArgMin AnyValue First Last ArrayAgg GroupConcat LogicalAnd LogicalOr ApproxDistinct
RowNumber Rank DenseRank PercentRank CumeDist Ntile Lag Lead FirstValue LastValue NthValue
Case If Coalesce Nullif Greatest Least Cast TryCast Try And Or Xor Exists In Between Is
Abs Ceil Floor Round Trunc Sign Sqrt Pow Exp Ln Log Mod IntDiv IsNan IsInf
Lower Upper Trim Length Substring Left Right Replace Reverse Concat ConcatWs StartsWith EndsWith Contains StrPosition
RegexpLike RegexpFullMatch RegexpExtract RegexpExtractAll RegexpReplace Split SplitPart Levenshtein Ascii Chr Unicode
MD5 SHA SHA2 Hex Unhex
CurrentDate CurrentTimestamp DateTrunc TimestampTrunc DateDiff TimestampDiff DateAdd DateSub TimestampAdd TimestampSub
Extract Year Month Day Week DayOfWeek DayOfMonth DayOfYear WeekOfYear Quarter Hour Minute Second LastDay TimeToStr
StrToTime StrToDate TimeToUnix UnixToTime DateFromParts TsOrDsToDate TsOrDsToTimestamp Date Timestamp ToDays
Array List Struct StructExtract ArraySize ArrayContains ArrayContainsAll ArrayOverlaps ArrayDistinct ArraySort
ArrayFilter Transform ArrayToString ArrayConcat ArraySlice ArraySum Explode Unnest Map MapFromEntries MapKeys
JSONExtract JSONExtractScalar JSONBExtract JSONBExtractScalar ParseJSON JSONKeys JSONType
"""
# The same for those the parser has no name of its own for; a macro of schema cb needs no entry.
_OTHER_NAMES = """
now today age epoch epoch_ms epoch_us to_hours to_minutes to_seconds to_microseconds monthname dayname
upper lower trim length concat contains starts_with ends_with prefix suffix jaccard jaro_winkler_similarity
damerau_levenshtein strlen list_aggregate list_sort list_unique list_sum list_min list_max list_avg list_count
list_any_value list_position to_json json_extract_string from_json sum_if bool_and bool_or isfinite isnan bit_count
"""
_KNOWN = frozenset(_KNOWN_NAMES.split())
_UNNAMED = frozenset(_OTHER_NAMES.split())


def check_select(sql: str) -> None:
    """Let one SELECT over schema `cb` pass and refuse everything else (reliability 2.3).

    Only half of the gate: what the engine makes of the same text is looked at too.

    Args:
        sql: one statement; a last semicolon is allowed.

    Raises:
        LimitError: [too_large] over 20,000 bytes, [too_deep] over 30 brackets.
        InputError: [bad_sql] it cannot be parsed, [not_a_select], [several_statements], [not_allowed] something in it
            writes or sets, [unknown_table] a table outside cb, [function_not_allowed].
    """
    size = len(sql.encode("utf-8", "surrogatepass"))
    if size > LONGEST:
        raise LimitError(f"the statement has {size:,} bytes", code="too_large", hint=f"{LONGEST:,} at most")
    query = _one_query(sql)
    for node in query.walk():
        if isinstance(node, _REFUSED):
            raise InputError(f"{_word(node)} is not allowed here", code="not_allowed", hint="a SELECT that only reads")
        if isinstance(node, exp.Func):
            _check_function(node)
        elif isinstance(node, exp.Table):
            _check_table(node)


def _one_query(sql: str) -> exp.Query:
    try:
        tokens = sqlglot.tokenize(sql, read="duckdb")
        if not tokens or tokens[0].token_type not in _BEGINS:
            raise _no_select(sql)
        _check_depth(tokens)
        parsed = [one for one in sqlglot.parse(sql, read="duckdb") if one is not None]
    except InputError:
        raise
    except (SqlglotError, ValueError) as error:
        raise InputError(f"{shown(sql)} cannot be read as SQL", code="bad_sql", hint="one SELECT over cb") from error
    except RecursionError as error:
        raise LimitError("the statement is nested too deep", code="too_deep", hint="break it into CTEs") from error
    statements = [one for one in parsed if not isinstance(one, exp.Semicolon)]
    if len(statements) > 1:
        raise InputError(f"{len(statements)} statements", code="several_statements", hint="run them one by one")
    if not statements or not isinstance(statements[0], exp.Query):
        raise _no_select(sql)
    return statements[0]


def _no_select(sql: str) -> InputError:
    return InputError(f"{shown(sql)} is no SELECT", code="not_a_select", hint="SELECT ... FROM cb.active_claims()")


def _check_depth(tokens: list[Token]) -> None:
    """Count brackets on tokens, so that one inside a string neither hides nor adds a level."""
    level = 0
    for token in tokens:
        level += (token.token_type in _OPENING) - (token.token_type in _CLOSING)
        if level > DEEPEST:
            raise LimitError("the statement is nested too deep", code="too_deep", hint=f"{DEEPEST} brackets at most")


def _check_function(node: exp.Func) -> None:
    if isinstance(node, exp.Anonymous):
        name = str(node.this)
        if _of_cb(node) or name.lower() in _UNNAMED:
            return
    else:
        name = node.sql_name()
        if type(node).__name__ in _KNOWN:
            return
    raise InputError(
        f"the function {shown(name)} is not on the list", code="function_not_allowed",
        hint="counting, text, number, time, list and JSON functions, and the macros of cb",
    )  # fmt: skip


def _of_cb(node: exp.Anonymous) -> bool:
    """Tell whether a call is of a macro of schema cb: ``cb.history()`` as a table, ``cb.instant()`` as a value."""
    parent = node.parent
    if isinstance(parent, exp.Table):
        return parent.db.lower() == "cb" and not parent.catalog
    if isinstance(parent, exp.Dot) and parent.expression is node:
        owner = parent.this
        bare = isinstance(owner, exp.Identifier) or (isinstance(owner, exp.Column) and not owner.table)
        return bare and owner.name.lower() == "cb"
    return False


def _check_table(node: exp.Table) -> None:
    called = node.this if isinstance(node.this, exp.Func) else None
    name, schema = node.name, node.db.lower()
    if called is not None:
        known = isinstance(called, exp.Anonymous) and _of_cb(called)
        name = called.name if isinstance(called, exp.Anonymous) else called.sql_name()
    else:
        plain = _IDENTIFIER.fullmatch(name) is not None and not node.catalog
        known = plain and (schema == "cb" or (not schema and _is_step(node, name.lower())))
    if not known:
        hint = "write cb.claim, cb.subject, cb.active_claims()"
        raise InputError(f"{shown(name)} is no table of schema cb", code="unknown_table", hint=hint)


def _is_step(table: exp.Table, name: str) -> bool:
    """Tell whether a bare name is one of the statement's own WITH steps that can be seen from where it stands."""
    return any(name in steps for steps in _steps_seen(table))


def _steps_seen(node: exp.Expr) -> Iterator[set[str]]:
    """Walk up: a query's steps are seen from its body, a step's own body sees the ones before it."""
    below: exp.Expr = node
    above = node.parent
    while above is not None:
        if isinstance(above, exp.With):
            own = above.expressions.index(below)
            last = own + 1 if above.args.get("recursive") else own
            yield {step.alias.lower() for step in above.expressions[:last]}
            below, above = above.parent or above, (above.parent or above).parent
            continue
        steps = above.args.get("with_")
        if steps is not None:
            yield {step.alias.lower() for step in steps.expressions}
        below, above = above, above.parent


def _word(node: exp.Expr) -> str:
    return type(node).__name__.upper()
