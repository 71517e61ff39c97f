"""What other engines say differently, as data: for each dialect the rewrites of a plan and the functions it may use."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from sqlglot import exp

from claimbase.compiler.nodes import DECIMAL, compare, either, num

HOME = "duckdb"
INSTANT = exp.DataType.build("TIMESTAMPTZ", dialect=HOME)

Rewrite = Callable[[exp.Expr], exp.Expr]


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a plan is written for one engine.

    Args:
        writer: the dialect of sqlglot that writes it; DataFusion has none of its own and reads PostgreSQL's.
        rewrites: applied to every node, one after the other.
        functions: all that may be left; known to give the same rows. None = any.
    """

    writer: str
    rewrites: tuple[Rewrite, ...] = ()
    functions: frozenset[str] | None = None


UNLIKE = (exp.Qualify, exp.Lateral)
"""Constructs that no other engine is trusted with: some put what follows QUALIFY before it, some cannot look back."""


# -- what no other engine has ----------------------------------------------------------------------------------------


def _kept_rows(node: exp.Expr) -> exp.Expr:
    """Leave it to the engine which steps it keeps."""
    if isinstance(node, exp.CTE):
        node.set("materialized", None)
    return node


def _newest(node: exp.Expr) -> exp.Expr:
    """Write ``x.c FROM (SELECT k, arg_max(t, ROW(..)) AS x FROM t GROUP BY k)`` with the rows of each k numbered."""
    pick = next((one for one in node.selects if _picks_row(one)), None) if isinstance(node, exp.Subquery) else None
    outer = node.parent_select
    if pick is None or outer is None:
        return node
    query, keys = node.this, node.this.args["group"].expressions
    # as rows compare: field by field, NULL the greatest
    order = [exp.Ordered(this=key, desc=True, nulls_first=True) for key in pick.this.expression.expressions]
    number = exp.Window(this=exp.RowNumber(), partition_by=keys, order=exp.Order(expressions=order))
    query.set("expressions", [exp.Column(this=exp.Star(), table=pick.this.this.this), exp.alias_(number, "nth")])
    query.set("group", None)
    outer.where(exp.EQ(this=exp.column("nth", table=pick.alias), expression=num(1)), copy=False)
    node.set("alias", exp.TableAlias(this=exp.to_identifier(pick.alias)))
    return node


def _picks_row(node: exp.Expr) -> bool:
    """Tell whether a column is arg_max(t, ROW(..)): a row whole, by some of its fields."""
    key = node.this.expression if isinstance(node.this, exp.ArgMax) else None
    return isinstance(key, exp.Anonymous) and key.name.lower() == "row"


# Sets and scopes are kept as canonical JSON, `["a", "b"]` and `{"k": "v", "l": "w"}`, in which no word ends in a blank
# and a quote within a word has a stroke before it: after a bracket or a comma and a blank, a bare quote begins a word.


def _member(node: exp.Expr) -> exp.Expr:
    """Look for a member of a set in its text."""
    word = node.find(exp.Literal) if isinstance(node, exp.Anonymous) and node.name == "json_contains" else None
    return node if word is None else _holds(node.expressions[0], "[", _json(word.name))


def _qualifier(node: exp.Expr) -> exp.Expr:
    """Look for a qualifier of a scope in its text."""
    found = node.this.this if isinstance(node, exp.Not) and isinstance(node.this, exp.Is) else None
    if not isinstance(found, exp.JSONExtractScalar) or not isinstance(found.expression, exp.Literal):
        return node
    return _holds(found.this, "{", _json(found.expression.name.removeprefix('$."').removesuffix('"')) + ":")


def _holds(text: exp.Expr, bracket: str, part: str) -> exp.Expr:
    parts = [exp.Literal.string(before + part) for before in (bracket, ", ")]
    found = [exp.StrPosition(this=text.copy(), substr=one) for one in parts]
    return exp.Paren(this=either([compare(one, ">", num(0)) for one in found]))


def _json(word: str) -> str:
    return json.dumps(word, ensure_ascii=False)


def _joined(node: exp.Expr) -> exp.Expr:
    """Write a query that looks at each row before it as a join with conditions."""
    last = node.args["joins"][-1].this if isinstance(node, exp.Select) and node.args.get("joins") else None
    if not isinstance(node, exp.Select) or not isinstance(last, exp.Lateral):
        return node
    inner = last.this.this
    names = inner.named_selects
    _merge(inner)
    made = {name: one.unalias() for name, one in zip(names, inner.expressions, strict=True)}
    chosen = {one.alias_or_name: one.unalias() for one in node.expressions}
    columns = {name: made[one.name] if one.table == last.alias else one for name, one in chosen.items()}
    node.set("expressions", [exp.alias_(one, name, quoted=True) for name, one in columns.items()])
    node.set("joins", [exp.Join(this=inner.args["from_"].this, on=exp.true()), *(inner.args.get("joins") or ())])
    return node.where(inner.args["where"].this, copy=False)


def _merge(query: exp.Select) -> None:
    """Make ``FROM (SELECT c.*, e AS n FROM t AS c WHERE w) AS c`` the query's own: its table, column and condition."""
    (within,) = (one.this for one in query.find_all(exp.Subquery, bfs=True) if one.parent is query.args["from_"])
    made = {one.alias: one.this for one in within.expressions if isinstance(one, exp.Alias)}
    for column in list(query.find_all(exp.Column)):
        if column.table == query.args["from_"].this.alias and column.name in made:
            column.replace(made[column.name].copy())
    query.set("from_", within.args["from_"])
    query.where(within.args["where"].this, copy=False)


def _numbered(node: exp.Expr) -> exp.Expr:
    """Number rows in the order of their columns: a step read twice must give each row the same number again."""
    query = node.parent_select
    if isinstance(node, exp.Window) and isinstance(node.this, exp.RowNumber) and not node.args.get("order") and query:
        columns = [one for one in query.expressions if isinstance(one, exp.Column)]
        node.set("order", exp.Order(expressions=[exp.Ordered(this=one.copy()) for one in columns]))
    return node


def _with_alias(node: exp.Expr) -> exp.Expr:
    """Name a query that stands in the place of a table."""
    if isinstance(node, exp.Subquery) and isinstance(node.parent, exp.From | exp.Join) and not node.alias:
        node.set("alias", exp.TableAlias(this=exp.to_identifier("unnamed")))
    return node


_ENDS = {"-infinity": "0001-01-01T00:00:00Z", "infinity": "9999-12-31T23:59:59Z"}


def _endless(node: exp.Expr) -> exp.Expr:
    """Write the ends of time as instants before and after all that can be stored; they are compared, never returned."""
    is_end = isinstance(node, exp.Literal) and node.is_string and isinstance(node.parent, exp.Cast)
    return exp.Literal.string(_ENDS[node.name]) if is_end and node.name in _ENDS else node


_COMMON: tuple[Rewrite, ...] = (_kept_rows, _newest, _joined, _member, _qualifier, _numbered, _with_alias, _endless)
_FUNCTIONS = frozenset({
    "and", "array", "bit_or", "bitwise_or_agg", "case", "cast", "coalesce", "count", "exists", "explode", "greatest",
    "if", "lag", "lead", "least", "logical_or", "max", "min", "nullif", "or", "row_number", "starts_with",
    "str_position", "sum",
})  # fmt: skip


# -- what one engine says in its own way -----------------------------------------------------------------------------

_TEXTS = frozenset({"provider", "name", "title", "publisher", "source_type", "authority", "derived_from"})


def _by_bytes(node: exp.Expr) -> exp.Expr:
    """Order texts by their bytes, whatever the database's own collation."""
    if isinstance(node, exp.Ordered) and isinstance(node.this, exp.Column) and node.this.name in _TEXTS:
        node.set("this", exp.Collate(this=node.this, expression=exp.to_identifier("C", quoted=True)))
    return node


def _microseconds(node: exp.Expr) -> exp.Expr:
    """Write an instant in microseconds: read as a timestamp it would have nanoseconds, which end in 2262."""
    if isinstance(node, exp.Cast) and node.to == INSTANT:
        return exp.Anonymous(this="arrow_cast", expressions=[node.this, exp.Literal.string(_MICROSECONDS)])
    return node


_MICROSECONDS = 'Timestamp(Microsecond, Some("+00:00"))'
_WORD = 2**63


def _counted(node: exp.Expr) -> exp.Expr:
    """Count the rows that IN asks for where it is a value, not a condition on rows."""
    query = node.args.get("query") if isinstance(node, exp.In) else None
    if query is None or _decides_rows(node):
        return node
    # under a name of its own: the name outside, said without its table, would be taken for the one inside
    (column,) = query.this.expressions
    query.this.set("expressions", [exp.alias_(column.unalias(), "listed_id")])
    listed = exp.Subquery(this=query.this, alias=exp.TableAlias(this=exp.to_identifier("listed")))
    same = exp.EQ(this=exp.column("listed_id", table="listed"), expression=node.this.copy())
    count = exp.Select().select(exp.Count(this=exp.Star())).from_(listed).where(same)
    return compare(exp.Subquery(this=count), ">", num(0))


def _unnested(node: exp.Expr) -> exp.Expr:
    """Make a list first and its rows after: beside UNNEST, DataFusion takes a name for the column it was made of."""
    columns = node.expressions if isinstance(node, exp.Select) else []
    if not any(isinstance(one.unalias(), exp.Explode) for one in columns):
        return node
    outer = exp.Select()
    for one in columns:
        name, found = one.alias_or_name, exp.column(one.alias_or_name, quoted=True)
        made = one.unalias()
        if isinstance(made, exp.Explode):
            outer.select(exp.alias_(exp.Explode(this=found), name, quoted=True), copy=False)
            made.replace(made.this)
        else:
            outer.select(found, copy=False)
    return outer.from_(exp.Subquery(this=node.copy(), alias=exp.TableAlias(this=exp.to_identifier("listed"))))


def _decides_rows(node: exp.Expr) -> bool:
    above = node.parent
    while isinstance(above, exp.And | exp.Or | exp.Not | exp.Paren):
        above = above.parent
    return isinstance(above, exp.Where | exp.Join)


def _exact(node: exp.Expr) -> exp.Expr:
    """Write a whole number beyond 64 bits as a decimal, not as a float."""
    if isinstance(node, exp.Literal) and not node.is_string and int(node.name) >= 2 * _WORD:
        return exp.Cast(this=exp.Literal.string(node.name), to=DECIMAL.copy())
    return node


def _every_row(node: exp.Expr) -> exp.Expr:
    """Follow names with UNION ALL: a name stands for one other and never for itself, so that no row comes twice."""
    chain = node.find_ancestor(exp.With) if isinstance(node, exp.Union) and isinstance(node.parent, exp.CTE) else None
    if chain and chain.args.get("recursive"):
        node.set("distinct", False)
    return node


DIALECTS = {
    HOME: Dialect(HOME),
    "postgres": Dialect("postgres", (*_COMMON, _by_bytes), _FUNCTIONS | {"collate"}),
    "datafusion": Dialect(
        "postgres", (*_COMMON, _counted, _unnested, _microseconds, _exact), _FUNCTIONS | {"arrow_cast"}
    ),
    "spark": Dialect("spark", (*_COMMON, _every_row), _FUNCTIONS),
}
