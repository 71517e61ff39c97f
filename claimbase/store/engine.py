"""Opening DuckDB the one right way, and the only mapping of its errors to ours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from claimbase.errors import (
    ClaimbaseError,
    LimitError,
    NoSpaceError,
    StoreCorruptError,
    StoreError,
    StoreLockedError,
)

# Extensions off: a missing one would try to download. Casts off: a naive time must never be read in a local zone (C9).
_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "python_enable_replacements": False,
    "disable_timestamptz_casts": True,
    # Where few rows are expected the engine compares all pairs of an ASOF join: 20 times slower where they are many.
    "asof_loop_join_threshold": 0,
}
_READER: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": False,
    "allow_community_extensions": False,
    "allow_persistent_secrets": False,
    "temp_directory": "",
}
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


def connect(path: Path | None, *, read_only: bool) -> duckdb.DuckDBPyConnection:
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
    try:
        connection = duckdb.connect(str(path) if path else ":memory:", read_only=read_only, config=config)
    except duckdb.Error as error:
        raise _open_error(error, path) from error
    if connection.execute("SELECT current_setting('lock_configuration')").fetchall() == [(True,)]:
        return connection  # a further reader in this process, of one engine that is set up already
    # Plain SET reaches one cursor only, and the zone is not accepted as configuration.
    connection.execute("SET GLOBAL timezone = 'UTC'")
    # In a notebook without its widgets the bar is off, and the engine refuses to be told so.
    if connection.execute("SELECT current_setting('enable_progress_bar')").fetchall() == [(True,)]:
        connection.execute("SET enable_progress_bar = false")
    for statement in _READER_LIMITS if read_only else ():
        connection.execute(statement)
    return connection


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
