"""Opening DuckDB the one right way, and the only mapping of its errors to ours."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

import duckdb

from claimbase.errors import (
    ClaimbaseError,
    LimitError,
    NoSpaceError,
    StoreCorruptError,
    StoreError,
    StoreLockedError,
)

Config: TypeAlias = dict[str, str | bool | int | float | list[str]]

# Extensions off: a missing one would try to download. Casts off: a naive time must never be read in a local zone (C9).
_CONFIG: Config = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "python_enable_replacements": False,
    "disable_timestamptz_casts": True,
    # Where few rows are expected the engine compares all pairs of an ASOF join: 20 times slower where they are many.
    "asof_loop_join_threshold": 0,
}
_READER: Config = {
    "enable_external_access": False,
    "allow_community_extensions": False,
    "allow_persistent_secrets": False,
    "temp_directory": "",
}
# In milliseconds, for every statement of a reader but those that verify, which read every row of a base: of a locked
# engine no cursor changes its limit any more, so one is made before that has six hours.
_PATIENCE = "SET max_execution_time = 21600000"
_READER_LIMITS = ("SET GLOBAL max_execution_time = 30000", "SET GLOBAL lock_configuration = true")

# What the system says of a full disk or a limit on files; the engine has no class of its own for it (X49).
_FULL = ("No space left on device", "File too large", "Disk quota exceeded")
# What it says of a block whose bytes are not those it wrote (X48).
_DAMAGED = (
    "Corrupt database file", "does not match stored checksum", "Failed to load metadata", "Could not read enough bytes",
)  # fmt: skip
_GUARD = "append-only: cb."  # what the guards say (G5)
# First class that fits wins; a test lists the engine's classes so that a new one is noticed.
_MAPPED: tuple[tuple[type[duckdb.Error], type[ClaimbaseError], str, str], ...] = (
    (duckdb.OutOfMemoryException, NoSpaceError, "no_space", "free memory or disk, then try again"),
    (duckdb.InterruptException, LimitError, "timed_out", "narrow the question"),
    (duckdb.FatalException, StoreError, "invalidated", "close the base and open it again"),
    (duckdb.SerializationException, StoreCorruptError, "store_corrupt", "restore a backup"),
    (duckdb.Error, StoreError, "engine", "the statement was rolled back; nothing was stored"),
)


class _Patient:
    """The cursor of one engine for statements that verify, whoever of this process asks; one at a time."""

    def __init__(self, cursor: duckdb.DuckDBPyConnection) -> None:
        self.cursor = cursor
        self.turn = threading.Lock()
        self.users = 0


_PATIENT: dict[str, _Patient] = {}  # by the path of the file, as the engine keeps one for each
_SETTING_UP = threading.Lock()


class Engine:
    """A connection, set up; of a reader, also a cursor that has the time to verify.

    Args:
        connection: to the engine.
        key: the path of a reader's file; None for a writer, which has no limit.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, key: str | None = None) -> None:
        self._connection = connection
        self._key = key
        self._patient = _PATIENT.get(key) if key is not None else None
        if self._patient is not None:
            self._patient.users += 1
        self.execute = connection.execute

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """Give a cursor for one statement."""
        return self._connection.cursor()

    @contextmanager
    def patient(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Give the cursor for one statement that verifies: a reader's stays open, a writer's is like any other."""
        if self._patient is not None:
            with self._patient.turn:
                yield self._patient.cursor
            return
        cursor = self.cursor()
        try:
            yield cursor
        finally:
            cursor.close()

    def close(self) -> None:
        """Close the connection; the last one of an engine closes its patient cursor, too."""
        self._connection.close()
        patient, self._patient = self._patient, None
        if patient is None or self._key is None:
            return
        with _SETTING_UP:
            patient.users -= 1
            if not patient.users:
                patient.cursor.close()
                _PATIENT.pop(self._key, None)


def connect(path: Path | None, *, read_only: bool) -> Engine:
    """Connect with every setting of the house; a reader is locked and cannot reach files.

    Args:
        path: the base's file, or None for memory.
        read_only: open a locked reader.

    Raises:
        StoreLockedError: another process holds the file.
        StoreCorruptError: [not_a_store] the file is of another kind, or damaged.
    """
    # A base in memory leaves nothing on disk: too large a sort is an error instead of a file in the working folder.
    config = _CONFIG | (_READER if read_only else {}) | ({} if path else {"temp_directory": ""})
    with _SETTING_UP:
        connection = _set_up(path, read_only=read_only, config=config)
        return Engine(connection, os.path.realpath(path) if path and read_only else None)


def _set_up(path: Path | None, *, read_only: bool, config: Config) -> duckdb.DuckDBPyConnection:
    try:
        connection = duckdb.connect(str(path) if path else ":memory:", read_only=read_only, config=config)
    except duckdb.Error as error:
        raise _open_error(error, path) from error
    if connection.execute("SELECT current_setting('lock_configuration')").fetchall() == [(True,)]:
        return connection  # a further reader in this process, of one engine that is set up already
    # Plain SET reaches one cursor only, and the zone is not accepted as configuration.
    connection.execute("SET GLOBAL timezone = 'UTC'")
    no_bar(connection)
    if read_only:
        patient = _Patient(connection.cursor())
        patient.cursor.execute(_PATIENCE)
        for statement in _READER_LIMITS:
            connection.execute(statement)
        _PATIENT[os.path.realpath(str(path))] = patient
    return connection


def no_bar(connection: duckdb.DuckDBPyConnection) -> None:
    """Show no bar of progress; in a notebook without its widgets it is off, and the engine refuses to be told so."""
    if connection.execute("SELECT current_setting('enable_progress_bar')").fetchall() == [(True,)]:
        connection.execute("SET enable_progress_bar = false")


def _open_error(error: duckdb.Error, path: Path | None) -> StoreError:
    text = str(error)
    name = path.name if path else "the base"
    if "different configuration" in text:
        return StoreLockedError(
            f"{name} is open in this process already, otherwise", hint="use that one, or close it first"
        )
    if "set lock on file" in text or "onflicting lock" in text:
        return StoreLockedError(
            f"{name} is open for writing in another process",
            hint="close it there; while a writer is open nobody else can open the file",
        )
    if "newer version" in text or ("newer" in text and "storage" in text):
        return StoreCorruptError(f"{name} was written by another engine version", code="engine_version")
    if "WAL" in text:
        return StoreCorruptError(
            f"the engine's log of {name} is damaged, or of another base",
            code="wal_mismatch",
            hint="claimbase check tells more, claimbase recover keeps what is whole",
        )
    return StoreCorruptError(
        f"{name} is no claimbase file, or it is damaged", code="not_a_store", hint="check the path, or restore a backup"
    )


@contextmanager
def mapped() -> Iterator[None]:
    """Turn the engine's errors into ours; the original stays as the cause.

    Raises:
        StoreError: or a sibling from the table above.
        KeyboardInterrupt: the person stopped it.
    """
    try:
        yield
    except duckdb.Error as error:
        if any(words in str(error) for words in _FULL):
            raise NoSpaceError("there is no room left to write", hint="free space, then try again") from error
        if any(words in str(error) for words in _DAMAGED):
            hint = "claimbase check tells more; restore a backup"
            raise StoreCorruptError("the file is damaged", code="store_corrupt", hint=hint) from error
        if _GUARD in str(error):
            hint = "use a verb: supersede, correct, retract, erase"
            raise StoreError("what is written stays as it is", code="append_only", hint=hint) from error
        for theirs, ours, code, hint in _MAPPED:
            if isinstance(error, theirs):
                raise ours(f"the engine could not do it: {_first_line(error)}", code=code, hint=hint) from error
        raise
    except RuntimeError as error:
        if "interrupt" in str(error).lower():  # Ctrl-C reaches Python this way (X52)
            raise KeyboardInterrupt from error
        raise


def _first_line(error: duckdb.Error) -> str:
    return f"{type(error).__name__}: {(str(error).splitlines() or [''])[0][:300]}"
