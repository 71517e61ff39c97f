"""A locked reader for SQL of others: every switch off before the first statement, a cursor per call (G14)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import duckdb

from claimbase.errors import ClaimbaseError, InputError, LimitError, StoreError
from claimbase.files import folder
from claimbase.store.engine import no_bar

MEMORY = "256MB"
"""What the engine gives itself; the process around it has a limit of its own."""

_OFF: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": False,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "allow_persistent_secrets": False,
    "python_enable_replacements": False,
    "disable_timestamptz_casts": True,
    "threads": 1,
    "memory_limit": MEMORY,
    "temp_directory": "",
}
# In this order: after the last one no setting moves. A plain SET of the time limit would reach no cursor. It is in
# milliseconds; some functions do not look at it, for which the process around the reader has a limit of its own.
_THEN = (
    "SET GLOBAL timezone = 'UTC'",
    "SET GLOBAL max_execution_time = 4000",
    "SET GLOBAL lock_configuration = true",
)

_NARROW = "narrow the statement: fewer rows, no cross join, an aggregate"
_OTHERWISE = "write it another way"
_TOO_MUCH = partial(LimitError, "the statement needs too much memory", code="out_of_memory", hint=_NARROW)
_REFUSED = partial(InputError, "the locked reader refuses it", code="not_allowed", hint="a SELECT that only reads")
_BAD_VALUE = partial(
    InputError, "a value cannot be read as what the statement makes of it", code="bad_value",
    hint="TRY_CAST gives NULL instead; an instant needs an offset, or is a day; nobody has observed the future yet",
)  # fmt: skip
# The engine's errors as ours, without a word of its own, for it names paths and values (C14). The first that fits.
_TOLD: tuple[tuple[type[BaseException], Callable[[], ClaimbaseError]], ...] = (
    (duckdb.InterruptException, partial(LimitError, "the statement took too long", code="timed_out", hint=_NARROW)),
    (duckdb.OutOfMemoryException, _TOO_MUCH),
    (MemoryError, _TOO_MUCH),
    (duckdb.PermissionException, _REFUSED),
    (duckdb.IOException, _REFUSED),
    (duckdb.FatalException, partial(StoreError, "the engine gave up", code="invalidated", hint="try again")),
    (duckdb.InternalException, partial(StoreError, "the engine gave up", code="engine", hint=_OTHERWISE)),
    (duckdb.InvalidInputException, _BAD_VALUE),
    (duckdb.ProgrammingError, partial(InputError, "a name, a type or an argument does not fit", code="bad_sql")),
    (duckdb.NotSupportedError, partial(InputError, "the engine does not offer this", code="bad_sql", hint=_OTHERWISE)),
    (duckdb.Error, _BAD_VALUE),
)

_TABLE = re.compile(r"\bCREATE TABLE cb\.(\w+)")
_MACRO = re.compile(r"\bMACRO cb\.(\w+)\([^)]*\)\s+AS\s+(TABLE\b)?")


@dataclass(frozen=True, slots=True)
class Names:
    """What the shipped SQL defines in schema cb, by name."""

    tables: frozenset[str]
    table_macros: frozenset[str]
    macros: frozenset[str]


@cache
def names() -> Names:
    """List the tables and macros that a statement of others may name: those of the shipped SQL, no other object."""
    tables = {name for text in _texts("schema") for name in _TABLE.findall(text)}
    macros = [found for text in _texts("macros") for found in _MACRO.findall(text)]
    return Names(
        frozenset(tables),
        frozenset(name for name, table in macros if table),
        frozenset(name for name, table in macros if not table),
    )


def _texts(room: str) -> Iterator[str]:
    files = [file for file in folder("sql").joinpath(room).iterdir() if file.name.endswith(".sql")]
    return (file.read_text(encoding="utf-8") for file in files)


def locked(path: Path | None) -> duckdb.DuckDBPyConnection:
    """Connect with every switch off, the zone set and the configuration locked, in this order.

    Args:
        path: a base's file that no writer has open, or None for an empty one in memory.
    """
    connection = duckdb.connect(str(path or ":memory:"), read_only=path is not None, config=_OFF)
    no_bar(connection)
    for statement in _THEN:
        connection.execute(statement)
    return connection


@cache
def _parser() -> duckdb.DuckDBPyConnection:
    """Hold one empty locked engine that only parses."""
    return locked(None)


def read_by_engine(sql: str) -> tuple[list[str], Any]:
    """Parse a statement as the engine does, running nothing.

    Returns:
        The kind of each statement, and the tree of one SELECT as plain data; None where it cannot be shown as one.

    Raises:
        InputError: [bad_sql] the engine cannot parse it.
        LimitError: [out_of_memory].
    """
    with _told():
        kinds = [_kind(statement) for statement in duckdb.extract_statements(sql)]
        cursor = _parser().cursor()
        try:
            ((tree,),) = cursor.execute("SELECT json_serialize_sql($sql::VARCHAR)", {"sql": sql}).fetchall()
        finally:
            cursor.close()
    data = json.loads(tree)
    return kinds, None if data["error"] else data["statements"]


def _kind(statement: duckdb.Statement) -> str:
    try:
        return statement.type.name
    except ValueError:  # a kind that the engine has and its Python names do not, such as UPDATE EXTENSIONS
        return "UNNAMED"


class Sandbox:
    """A locked reader of one file.

    Args:
        path: a base's file that no writer has open.

    Raises:
        StoreError: the file cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._connection = locked(path)
        except duckdb.Error as error:
            raise StoreError("the base cannot be opened for reading", hint="close its writer") from error

    def read(self, sql: str, take: Callable[[Sequence[Any]], object]) -> tuple[str, ...]:
        """Run one statement on a cursor of its own and hand over its rows until *take* has enough (C3, C5).

        Args:
            sql: a statement that passed a gate.
            take: gets each row; what is not true ends the reading.

        Returns:
            The names of the columns.

        Raises:
            LimitError: [timed_out], [out_of_memory].
            InputError: [bad_sql] a name, type or argument does not fit; [bad_value] a value does not; [not_allowed].
        """
        with _told():
            cursor = self._connection.cursor()
            try:
                cursor.execute(sql)
                columns = tuple(str(column[0]) for column in cursor.description or ())
                while (row := cursor.fetchone()) is not None and take(row):
                    pass
                return columns
            finally:
                cursor.close()

    def close(self) -> None:
        """Close the reader."""
        self._connection.close()


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except (duckdb.Error, MemoryError) as error:
        made = next(told for theirs, told in _TOLD if isinstance(error, theirs))
        raise made() from error
