"""Small makers of SQL nodes, which know nothing of what is asked. They are built raw: parsing would cost far more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlglot import exp

Node = exp.Expr
DECIMAL = exp.DataType.build("DECIMAL(38, 12)", dialect="duckdb")


def name(text: str) -> exp.Identifier:
    """Return a quoted identifier."""
    return exp.Identifier(this=text, quoted=True)


def col(text: str, table: str | None = None) -> exp.Column:
    """Return a column, quoted, of a table if one is named."""
    return exp.Column(this=name(text), table=name(table) if table else None)


def par(text: str) -> exp.Placeholder:
    """Return a placeholder; every value of a question is one."""
    return exp.Placeholder(this=text)


def dec(text: str) -> exp.Cast:
    """Return a placeholder for a number of the claims' own exact type, so that the column is never cast."""
    return exp.Cast(this=par(text), to=DECIMAL.copy())


def num(value: int) -> Node:
    """Return a number that belongs to the shape, not to the question."""
    return exp.Literal.number(value)


def named(node: Node, alias: str) -> exp.Alias:
    """Return a node under a name."""
    return exp.Alias(this=node, alias=name(alias))


def every(nodes: Iterable[Node]) -> Node:
    """Return the conjunction of some conditions; TRUE for none."""
    return _joined(exp.And, nodes, exp.Boolean(this=True))


def either(nodes: Iterable[Node]) -> Node:
    """Return the disjunction of some conditions; FALSE for none."""
    return _joined(exp.Or, nodes, exp.Boolean(this=False))


def _joined(kind: type[exp.Connector], nodes: Iterable[Node], none: Node) -> Node:
    parts = [exp.Paren(this=node) if isinstance(node, exp.Connector) else node for node in nodes]
    whole: Node | None = None
    for part in parts:
        whole = part if whole is None else kind(this=whole, expression=part)
    return none if whole is None else whole


def eq(left: Node, right: Node) -> exp.EQ:
    """Return left = right."""
    return exp.EQ(this=left, expression=right)


def compare(left: Node, sign: str, right: Node) -> Node:
    """Return a comparison by its sign."""
    return _SIGNS[sign](this=left, expression=right)


_SIGNS: dict[str, type[exp.Binary]] = {
    "<": exp.LT, "<=": exp.LTE, ">": exp.GT, ">=": exp.GTE, "=": exp.EQ, "<>": exp.NEQ,
}  # fmt: skip


def no(node: Node) -> exp.Not:
    """Return NOT node."""
    return exp.Not(this=exp.Paren(this=node) if isinstance(node, exp.Connector) else node)


def is_null(node: Node) -> exp.Is:
    """Return node IS NULL."""
    return exp.Is(this=node, expression=exp.Null())


def is_set(node: Node) -> exp.Not:
    """Return node IS NOT NULL."""
    return exp.Not(this=is_null(node))


def among(node: Node, members: Sequence[Node]) -> Node:
    """Return node IN (members), or node = member for one."""
    return eq(node, members[0]) if len(members) == 1 else exp.In(this=node, expressions=list(members))


def case(branches: Iterable[tuple[Node, Node]], default: Node | None = None) -> exp.Case:
    """Return CASE WHEN .. THEN .. ELSE .. END."""
    return exp.Case(ifs=[exp.If(this=when, true=then) for when, then in branches], default=default)


def call(function: str, *arguments: Node) -> exp.Anonymous:
    """Return a function call."""
    return exp.Anonymous(this=function, expressions=list(arguments))


def bits(node: Node, mask: int) -> exp.BitwiseAnd:
    """Return the bits of a node under a mask."""
    return exp.BitwiseAnd(this=node, expression=num(mask))


def any_bit(node: Node, mask: int) -> exp.NEQ:
    """Say whether a node has one of the bits."""
    return exp.NEQ(this=exp.Paren(this=bits(node, mask)), expression=num(0))


def table(text: str, alias: str | None = None, schema: str | None = None) -> exp.Table:
    """Return a table or an earlier step."""
    return exp.Table(
        this=name(text),
        db=name(schema) if schema else None,
        alias=exp.TableAlias(this=name(alias)) if alias else None,
    )


def macro(text: str, arguments: Sequence[Node], alias: str) -> exp.Table:
    """Return a call of a table macro of the base."""
    return exp.Table(this=call(text, *arguments), db=name("cb"), alias=exp.TableAlias(this=name(alias)))


def select(columns: Iterable[Node], source: Node, *where: Node) -> exp.Select:
    """Return SELECT columns FROM source WHERE all of the conditions."""
    query = exp.Select().select(*columns, copy=False).from_(source, copy=False)
    return query.where(every(where), copy=False) if where else query


def join(query: exp.Select, source: Node, on: Node, side: str = "") -> exp.Select:
    """Add a join to a query."""
    query.append("joins", exp.Join(this=source, side=side or None, on=on))
    return query


def lateral(query: exp.Select, inner: exp.Query, alias: str) -> exp.Select:
    """Add a query that may look at the row before it."""
    source = exp.Lateral(this=exp.Subquery(this=inner), alias=exp.TableAlias(this=name(alias)))
    query.append("joins", exp.Join(this=source))
    return query


def over(node: Node, *, by: Sequence[Node] = (), order: Sequence[Node] = ()) -> exp.Window:
    """Return a function over the rows of a partition, in an order."""
    terms = (
        exp.Order(expressions=[one if isinstance(one, exp.Ordered) else ordered(one) for one in order])
        if order
        else None
    )
    return exp.Window(this=node, partition_by=list(by), order=terms)


def group(query: exp.Select, *keys: Node) -> exp.Select:
    """Add GROUP BY to a query."""
    return query.group_by(*keys, copy=False)


def union(queries: Sequence[exp.Query]) -> exp.Query:
    """Return UNION ALL of some queries."""
    whole = queries[0]
    for query in queries[1:]:
        whole = exp.Union(this=whole, expression=query, distinct=False)
    return whole


def ordered(node: Node, *, descending: bool = False, nulls_first: bool = False) -> exp.Ordered:
    """Return one term of ORDER BY, its NULLs placed on purpose."""
    return exp.Ordered(this=node, desc=descending, nulls_first=nulls_first)


def count_of(step: str) -> exp.Subquery:
    """Return the number of rows of an earlier step."""
    query = select([exp.Count(this=exp.Star())], table(step))
    return exp.Subquery(this=query)
