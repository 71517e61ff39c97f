"""What makes an empty base: the schema files, applied once each, and the macros, made anew at every opening."""

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


def tables() -> list[duckdb.Statement]:
    """List the statements that make the tables of an empty base, in order."""
    return [statement for _, _, text in schema_files() for statement in statements(text)]
