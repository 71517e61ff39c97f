"""`Db`: one open base. Every statement of the package passes here."""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import duckdb

from claimbase.errors import StoreCorruptError, StoreError
from claimbase.files import folder
from claimbase.store.engine import connect, mapped
from claimbase.store.gate import Gate
from claimbase.store.lock import FileLock
from claimbase.temporal import Clock, SystemClock

Params = Mapping[str, Any] | None

# Connections that a forked child holds from its parent: letting go of one would end threads that are not there (C2).
_INHERITED: list[duckdb.DuckDBPyConnection] = []


@dataclass(frozen=True, slots=True)
class Rows:
    """A fetched result: column names and rows, never an open cursor."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]

    def dicts(self) -> list[dict[str, Any]]:
        """Give the rows as dictionaries."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)


@cache
def statement(name: str) -> str:
    """Give the SQL text of ``sql/<name>.sql``."""
    return folder("sql").joinpath(f"{name}.sql").read_text(encoding="utf-8")


@cache
def _parsed(name: str) -> duckdb.Statement:
    """Give the statement of ``sql/<name>.sql``, parsed once."""
    (parsed,) = duckdb.extract_statements(statement(name))
    return parsed


class Transaction:
    """A cursor inside one transaction; everything it does commits together or not at all."""

    def __init__(self, cursor: duckdb.DuckDBPyConnection, trace: Callable[[str], None] | None) -> None:
        self._cursor = cursor
        self._trace = trace

    def run(self, sql: str | duckdb.Statement, params: Params = None) -> Rows:
        """Execute one statement and fetch all of its rows (C5)."""
        return _run(self._cursor, sql, params, self._trace)

    def file(self, name: str, params: Params = None) -> Rows:
        """Execute ``sql/<name>.sql``."""
        return self.run(_parsed(name), params)

    def number(self, name: str, params: Params = None) -> int:
        """Execute ``sql/<name>.sql`` and give the one number it answers: what it counted, or the rows it wrote."""
        return int(self.file(name, params).rows[0][0])

    def append(self, table: str, rows: Iterable[Sequence[Any]]) -> None:
        """Append rows to a table of this connection, set-wise.

        Args:
            table: a temporary table's name.
            rows: tuples in column order.
        """
        with mapped(), self._cursor.appender(table) as appender:
            appender.append_rows(rows)

    @contextmanager
    def frame(self, name: str, frame: Any) -> Iterator[None]:
        """Make a pandas, polars or Arrow frame readable as a table named *name* while the block runs."""
        with mapped():
            self._cursor.register(name, frame)
        try:
            yield
        finally:
            self._cursor.unregister(name)


class Db:
    """One base: a file or memory, one writer or many readers.

    Args:
        path: the file, or None for memory.
        read_only: open as a locked reader; the file must exist.
        clock: tells the time of writes and of *now* (B4).
        create: make the file where it is missing.

    Raises:
        StoreLockedError, StoreCorruptError, StoreError [store_missing].
    """

    def __init__(
        self, path: Path | None = None, *, read_only: bool = False, clock: Clock | None = None, create: bool = True
    ) -> None:
        self.path = path
        self.read_only = read_only
        self.clock: Clock = clock or SystemClock()
        self.trace: Callable[[str], None] | None = None
        self._pid = os.getpid()
        self._writing = threading.RLock()
        self._gate = Gate()
        self._open: Transaction | None = None
        self.fresh = _check_path(path, read_only=read_only, create=create)
        self._lock = FileLock(path, shared=read_only) if path else None
        try:
            self._connection: duckdb.DuckDBPyConnection | None = connect(path, read_only=read_only)
        except BaseException:
            self.close()
            raise
        if path and self.fresh:
            path.chmod(0o600)

    # -- reading ------------------------------------------------------------------------------------------------

    def query(self, sql: str | duckdb.Statement, params: Params = None) -> Rows:
        """Run one statement on a cursor of its own and fetch all rows (C3, C5)."""
        with self._gate.passing():
            cursor = self._cursor()
            try:
                return _run(cursor, sql, params, self.trace)
            finally:
                cursor.close()

    def file(self, name: str, params: Params = None) -> Rows:
        """Run ``sql/<name>.sql`` with named parameters."""
        return self.query(_parsed(name), params)

    # -- writing ------------------------------------------------------------------------------------------------

    @contextmanager
    def atomic(self) -> Iterator[Transaction]:
        """Open a transaction; an inner block joins the outer one. Any exception rolls everything back (C4)."""
        if self.read_only:
            raise StoreError("the base is open for reading only", code="read_only", hint="open it without read_only")
        with self._writing:
            if self._open is not None:
                yield self._open
                return
            cursor = self._cursor()
            self._open = Transaction(cursor, self.trace)
            try:
                _run(cursor, "BEGIN TRANSACTION", None, self.trace)
                yield self._open
                _run(cursor, "COMMIT", None, self.trace)
                self._keep_private()
            except BaseException:
                with suppress(duckdb.Error):
                    cursor.execute("ROLLBACK")
                raise
            finally:
                self._open = None
                cursor.close()

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""
        return self._open is not None

    @contextmanager
    def set_aside(self) -> Iterator[Path]:
        """Close the file while the block works on it, the lock still held, and open it again, whatever happened.

        Statements of other threads wait meanwhile. The block gets the file's real path.
        """
        if self.path is None:
            raise StoreError("a base in memory has no file", code="no_file", hint="open a base with a path")
        with self._writing, self._gate.shut():
            cursor = self._cursor()
            _run(cursor, "CHECKPOINT", None, self.trace)  # the log's content goes into the file, and the log away
            cursor.close()
            if self._connection is not None:
                self._connection.close()
            self._connection = None
            try:
                yield Path(os.path.realpath(self.path))
            finally:
                self._connection = connect(self.path, read_only=False)

    def close(self) -> None:
        """Close the base and give up its lock; calling it twice is harmless."""
        connection = getattr(self, "_connection", None)
        if connection is not None and os.getpid() == self._pid:
            connection.close()
        elif connection is not None:
            _INHERITED.append(connection)
        self._connection = None
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    # -- inside -------------------------------------------------------------------------------------------------

    def _cursor(self) -> duckdb.DuckDBPyConnection:
        if self._connection is None:
            raise StoreError("the base is closed", code="closed", hint="open it again")
        if os.getpid() != self._pid:
            raise StoreError("the base was opened by the parent process", code="forked", hint="open it in this process")
        return self._connection.cursor()

    def _keep_private(self) -> None:
        """Give the engine's log, which it makes anew after each checkpoint, the mode of the base itself (C17)."""
        if self.path is None:
            return
        log = self.path.with_name(self.path.name + ".wal")
        with suppress(OSError):
            mode = stat.S_IMODE(self.path.stat().st_mode)
            if stat.S_IMODE(log.stat().st_mode) != mode:
                log.chmod(mode)

    @property
    def name(self) -> str:
        """The file's name, for messages."""
        return self.path.name if self.path else "the base"


def _check_path(path: Path | None, *, read_only: bool, create: bool) -> bool:
    """Tell whether the base must be made; refuse folders, missing files and hard links (X48, C1)."""
    if path is None:
        return True
    if path.is_dir():
        raise StoreError(f"{path.name} is a folder", code="not_a_store", hint="name a file")
    if not path.parent.is_dir():
        raise StoreError(f"the folder of {path.name} does not exist", code="store_missing", hint="make it first")
    if not path.exists():
        if read_only or not create:
            raise StoreError(f"{path.name} does not exist", code="store_missing", hint="claimbase init makes a base")
        return True
    if path.stat().st_nlink > 1:
        raise StoreError(f"{path.name} has hard links", code="linked", hint="copy it; a lock cannot protect two names")
    if path.stat().st_size == 0:
        raise StoreCorruptError(f"{path.name} is empty", code="not_a_store", hint="remove it, then claimbase init")
    return False


def _run(
    cursor: duckdb.DuckDBPyConnection, sql: str | duckdb.Statement, params: Params, trace: Callable[[str], None] | None
) -> Rows:
    if trace is not None:
        trace(sql if isinstance(sql, str) else sql.query)
    with mapped():
        cursor.execute(sql, params) if params else cursor.execute(sql)
        description = cursor.description
        rows = cursor.fetchall() if description else []
    return Rows(tuple(column[0] for column in description or ()), rows)
