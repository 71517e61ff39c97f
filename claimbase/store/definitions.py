"""What makes an empty base: the schema files with their guards, applied once, and the macros, made at every opening."""

from __future__ import annotations

from functools import cache

import duckdb

from claimbase.files import folder


@cache
def schema_files() -> list[tuple[int, str, str]]:
    """List (number, name, text) of every schema file, in order."""
    files = [file for file in folder("sql").joinpath("schema").iterdir() if file.name.endswith(".sql")]
    return sorted((int(file.name[:4]), file.name[5:-4], file.read_text(encoding="utf-8")) for file in files)


@cache
def statements(text: str) -> tuple[duckdb.Statement, ...]:
    """Give the statements of a schema file."""
    return tuple(duckdb.extract_statements(text))


@cache
def macros() -> tuple[duckdb.Statement, ...]:
    """List the statements that make the macros, in the order they need each other."""
    files = [file for file in folder("sql").joinpath("macros").iterdir() if file.name.endswith(".sql")]
    texts = [file.read_text(encoding="utf-8") for file in sorted(files, key=lambda file: file.name)]
    return tuple(statement for text in texts for statement in duckdb.extract_statements(text))


def tables(schema: int | None = None) -> list[duckdb.Statement]:
    """List the statements that make the tables and guards of an empty base, in order.

    Args:
        schema: the number of the last schema file; None = the newest.
    """
    return [one for number, _, text in schema_files() if number <= (schema or number) for one in statements(text)]


@cache
def guards() -> tuple[duckdb.Statement, ...]:
    """List the statements that make the guards, each of which does nothing where its guard stands (G5)."""
    return tuple(one for one in tables() if "CREATE TRIGGER" in one.query)


@cache
def lifted() -> tuple[duckdb.Statement, ...]:
    """List the statements that lift the guards in an erasure's way."""
    return statements(folder("sql").joinpath("guards", "lifted.sql").read_text(encoding="utf-8"))
