"""What makes an empty base: the schema files with their guards, applied once, and the macros, made if others stand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import sha256

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
    return tuple(statement for text in _macro_files() for statement in duckdb.extract_statements(text))


@cache
def noted() -> frozenset[tuple[str, str]]:
    """List the digests of the shape and of each macro as they are stored, which ``sql/stored.txt`` notes.

    It speaks of one engine and of the very files it was written after; of others nothing is noted.
    """
    engine, files, *lines = folder("sql").joinpath("stored.txt").read_text(encoding="utf-8").splitlines()
    if (engine, files) != (duckdb.__version__, files_digested()):
        return frozenset()
    return frozenset((name, digest) for name, digest in map(str.split, lines))


def files_digested() -> str:
    """Give one digest of the files that make an empty base."""
    texts = [*(text for _, _, text in schema_files()), *_macro_files()]
    return _digest(repr(texts))


def digested(stored: Iterable[tuple[str, str]]) -> frozenset[tuple[str, str]]:
    """Give macros with the digests of their definitions.

    Args:
        stored: names and definitions, as the engine writes them.
    """
    return frozenset((name, _digest(definition)) for name, definition in stored)


def shape_digested(shape: Mapping[str, str]) -> tuple[str, str]:
    """Give one digest of tables and guards under the name that it is noted by, which no macro can have.

    Args:
        shape: names and types, as the engine writes them.
    """
    return "(shape)", _digest(repr(sorted(shape.items())))


def other_macros(found: frozenset[tuple[str, str]], known: frozenset[tuple[str, str]]) -> set[str]:
    """Name the macros that are not the package's: another definition, one too many, or none.

    Args:
        found: the names of a base's macros, each with its definition or the digest of it.
        known: the package's; one that is stored in two ways stands here twice.
    """
    return {name for name, _ in found - known} | {name for name, _ in known} - {name for name, _ in found}


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


@cache
def _macro_files() -> tuple[str, ...]:
    files = [file for file in folder("sql").joinpath("macros").iterdir() if file.name.endswith(".sql")]
    return tuple(file.read_text(encoding="utf-8") for file in sorted(files, key=lambda file: file.name))


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()
