"""The SELECT that lays a file's or frame's columns out as staging rows: its shape depends on their names."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

_NESTED = ("STRUCT", "MAP", "LIST", "JSON")


def staging_select(function: str | None, columns: Mapping[str, tuple[str | None, str]] | None) -> str:
    """Write the statement that describes a table, or the one that stages it.

    Args:
        function: the engine's reader (``read_csv``, ``read_parquet``) of ``$path``; None = the frame ``given_frame``.
        columns: column name -> (claim field, engine type), a nested ``source`` having no field of its own;
            None = describe the columns.

    Returns:
        SQL with the one parameter ``$path`` where a reader is named.
    """
    if columns is None:
        return exp.Describe(this=exp.select("*").from_(_table(function))).sql(dialect="duckdb")
    fields = [_cell(name, *given) for name, given in columns.items() if given[0] is not None]
    if "source" in columns:
        held = _members(columns["source"][1])
        fields += [_member(key, field) for key, field in _SOURCE_MEMBERS.items() if key in held]
    number = exp.Window(this=exp.Anonymous(this="row_number", expressions=[]))
    select = exp.select(exp.alias_(number, "row", quoted=True), *fields).from_(_table(function))
    names = [exp.to_identifier(field.alias, quoted=True) for field in select.expressions]
    target = exp.Schema(this=exp.to_table("incoming"), expressions=names)
    return exp.Insert(this=target, expression=select).sql(dialect="duckdb", normalize_functions=False)


_SOURCE_MEMBERS = {
    "url": "source_url", "title": "source_title", "publisher": "source_publisher",
    "publishedAt": "source_published_at", "published_at": "source_published_at", "sourceType": "source_type",
    "source_type": "source_type", "authority": "source_authority", "derivedFrom": "source_derived_from",
    "derived_from": "source_derived_from",
}  # fmt: skip


def _table(function: str | None) -> exp.Expr:
    if function is None:
        return exp.to_table("given_frame")
    arguments: list[exp.Expr] = [exp.Placeholder(this="path")]
    if function == "read_csv":
        arguments.append(exp.EQ(this=exp.column("all_varchar"), expression=exp.true()))
    return exp.Table(this=exp.Anonymous(this=function, expressions=arguments))


def _cell(name: str, field: str | None, kind: str) -> exp.Expr:
    column: exp.Expr = exp.column(name, quoted=True)
    if kind.startswith(_NESTED) or kind.endswith("[]"):
        column = exp.Anonymous(this="to_json", expressions=[column])
    return exp.alias_(exp.cast(column, "VARCHAR"), field, quoted=True)


def _members(kind: str) -> set[str]:
    """Name the members of an engine type; none where it is no struct."""
    return {member.name for member in exp.DataType.build(kind, dialect="duckdb", udt=True).expressions}


def _member(key: str, field: str) -> exp.Expr:
    source = exp.column("source", quoted=True)
    picked = exp.Anonymous(this="struct_extract", expressions=[source, exp.Literal.string(key)])
    return exp.alias_(exp.cast(picked, "VARCHAR"), field, quoted=True)
