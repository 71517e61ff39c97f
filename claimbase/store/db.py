"""`Db`: one open base. Every statement of the package passes here."""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import duckdb

from claimbase.errors import StoreCorruptError, StoreError, TailLossError
from claimbase.files import folder
from claimbase.store.engine import Engine, connect, mapped
from claimbase.store.files import beside, synced
from claimbase.store.following import follow, identity, join, leave
from claimbase.store.gate import Gate
from claimbase.store.head import Head
from claimbase.store.lock import FileLock
from claimbase.store.memory import Memory
from claimbase.temporal import TICK, Clock, SystemClock, utc

Params = Mapping[str, Any] | None

_DURABLE = "COMMIT succeeded and is durable"  # says the engine where only its checkpoint after it failed
# Connections that a forked child holds from its parent: letting go of one would end threads that are not there (C2).
_INHERITED: list[Engine] = []


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


@lru_cache(maxsize=512)
def _known(sql: str) -> duckdb.Statement:
    """Give the one statement of a text; texts return, as those of one shape of question do, and parsing takes long."""
    (parsed,) = duckdb.extract_statements(sql)
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
        self.check: Callable[[Db], object] = lambda _: None  # refuses a file that cannot be read
        self._pid = os.getpid()
        self._writing = threading.RLock()
        self._patience = threading.local()
        self._gate = Gate()
        self._open: Transaction | None = None
        self._memory: Memory[Rows] = Memory()
        self._gathered: Memory[dict[int, tuple[Any, ...]]] = Memory()
        self._broken = False
        self.fresh = _check_path(path, read_only=read_only, create=create)
        # A lock file without a table in the base: somebody began to make it, and was cut off.
        self.begun = self.fresh or (path is not None and not read_only and beside(path, ".lock").exists())
        self._lock = FileLock(path, shared=read_only) if path else None
        try:
            self.head = _head(path, fresh=self.fresh) if path else None
            self.seen = identity(path)
            self._connection: Engine | None = connect(path, read_only=read_only)
        except BaseException:
            self.close()
            raise
        if path and self.fresh:
            path.chmod(0o600)
            synced(path.parent)
        if read_only:
            join(self)

    # -- reading ------------------------------------------------------------------------------------------------

    def query(self, sql: str | duckdb.Statement, params: Params = None) -> Rows:
        """Run one statement on a cursor of its own and fetch all rows (C3, C5)."""
        self._mend()
        with self._gate.passing(), self._asking() as cursor:
            try:
                with mapped():
                    known = _known(sql) if isinstance(sql, str) else sql
                return _run(cursor, known, params, self.trace)
            except StoreError as error:
                self._notice(error)
                raise

    def file(self, name: str, params: Params = None) -> Rows:
        """Run ``sql/<name>.sql`` with named parameters."""
        return self.query(_parsed(name), params)

    def newest(self) -> tuple[int, datetime] | None:
        """Read the number and the instant of the newest batch; of another state nothing is remembered."""
        ((batch_id, recorded_at),) = self.file("ledger/newest").rows
        self._memory.at((self.seen, batch_id, recorded_at))
        self._gathered.at((self.seen, batch_id, recorded_at))
        return None if batch_id is None else (batch_id, recorded_at)

    def remembered(self, name: str, params: Params = None) -> Rows:
        """Run ``sql/<name>.sql`` once for each state: what it asks depends on nothing but the base as it stands.

        A call begins with its basis, which reads the state; a write forgets.

        Args:
            name: of the file; or the statement itself, which has blanks.
            params: its named parameters.
        """
        ask = self.query if " " in name else self.file
        return self._memory.get((name, repr(params)), lambda: ask(name, params))

    def gathered(
        self, name: str, params: Mapping[str, Any], key: str, numbers: Collection[int]
    ) -> Mapping[int, tuple[Any, ...]]:
        """Give the rows of ``sql/<name>.sql`` by their first column; each is asked for once for each state.

        Args:
            name: of the file.
            params: what all rows depend on beside the base as it stands.
            key: the parameter that takes the numbers of the rows asked for; each has one row.
            numbers: those numbers.
        """
        kept = self._gathered.get((name, repr(params)), dict)
        if missing := [number for number in numbers if number not in kept]:
            kept.update((row[0], row) for row in self.file(name, {**params, key: missing}))
        return kept

    @contextmanager
    def verifying(self) -> Iterator[None]:
        """Give this thread's statements the time to read every row, as long as the block runs (G6, G15)."""
        before, self._patience.long = self._patient, True
        try:
            yield
        finally:
            self._patience.long = before

    def follow(self) -> None:
        """Turn a reader to the snapshot published by now; what begins a call asks for it, never what goes on (G9)."""
        if self.read_only and self._connection is not None:
            follow(self)

    @contextmanager
    def turning(self) -> Iterator[None]:
        """Let go of a reader's file while the block runs, then take up what stands at the path; statements wait."""
        with self._gate.shut():
            if (path := self.path) is None or self._connection is None:
                yield
                return
            self._connection.close()
            yield
            seen = identity(path)
            self._connection = connect(path, read_only=True)
            self.head, self.seen = _head(path, fresh=False), seen

    # -- writing ------------------------------------------------------------------------------------------------

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Keep other threads from writing until the block ends: a write is over when it is acknowledged."""
        with self._writing:
            yield

    @contextmanager
    def atomic(self) -> Iterator[Transaction]:
        """Open a transaction; an inner block joins the outer one. Any exception rolls everything back (C4)."""
        if self.read_only:
            raise StoreError("the base is open for reading only", code="read_only", hint="open it without read_only")
        with self._writing:
            if self._open is not None:
                yield self._open
                return
            self._mend()
            cursor = self._cursor()
            self._open = Transaction(cursor, self.trace)
            try:
                _run(cursor, "BEGIN TRANSACTION", None, self.trace)
                yield self._open
                self._commit(cursor)
                self._forget()
                self._keep_private()
            except BaseException as error:
                with suppress(duckdb.Error):
                    cursor.execute("ROLLBACK")
                self._notice(error)
                raise
            finally:
                self._open = None
                cursor.close()

    def next_instant(self, newest: datetime | None) -> datetime:
        """Give the instant of a write: now, but after the newest batch (B4).

        Args:
            newest: that batch's instant.
        """
        now = utc(self.clock.now())
        return now if newest is None else max(now, newest + TICK)

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
                self._forget()

    def settle(self) -> None:
        """Bring the engine's log into the file; where something reads an older state it stays as it is (C7)."""
        with suppress(StoreError):
            self.query("CHECKPOINT")

    def abandon(self) -> None:
        """Close a base that cannot be opened, leaving its files as they are: a damaged log may still be saved (G4)."""
        if self._connection is not None:
            with suppress(duckdb.Error):
                self._connection.execute("PRAGMA disable_checkpoint_on_shutdown")
        self.close()

    def close(self) -> None:
        """Close the base and give up its lock, once every statement has left it; calling it twice is harmless."""
        leave(self)
        connection = getattr(self, "_connection", None)
        if connection is not None and os.getpid() != self._pid:
            _INHERITED.append(connection)
            self._connection = None
        elif connection is not None:
            with self._writing, self._gate.shut():
                self._connection = None
                connection.close()
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    # -- inside -------------------------------------------------------------------------------------------------

    @contextmanager
    def _asking(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Give the cursor of one statement."""
        cursor = self._cursor()  # checks that there may be one
        try:
            if self._patient and self._connection is not None:
                with self._connection.patient() as patient:
                    yield patient
            else:
                yield cursor
        finally:
            cursor.close()

    def _forget(self) -> None:
        """Forget what the base answered before."""
        self._memory.forget()
        self._gathered.forget()

    @property
    def _patient(self) -> bool:
        return bool(getattr(self._patience, "long", False))

    def _cursor(self) -> duckdb.DuckDBPyConnection:
        if self._connection is None:
            raise StoreError("the base is closed", code="closed", hint="open it again")
        if os.getpid() != self._pid:
            raise StoreError("the base was opened by the parent process", code="forked", hint="open it in this process")
        with mapped():
            return self._connection.cursor()

    def _commit(self, cursor: duckdb.DuckDBPyConnection) -> None:
        """Commit; that the engine could not tidy its log up afterwards does not undo what is stored (C7)."""
        try:
            _run(cursor, "COMMIT", None, self.trace)
        except StoreError as error:
            if _DURABLE not in str(error.__cause__):
                raise
            self._notice(error)

    def _notice(self, error: BaseException) -> None:
        """Remember that the engine gave itself up: nothing of it answers any more."""
        self._broken = self._broken or isinstance(error.__cause__, duckdb.FatalException)

    def _mend(self) -> None:
        """Open the file again where the engine gave itself up, once every statement has left it (C6).

        Raises:
            StoreError: [invalidated] the base lived in memory, or cannot be opened again.
        """
        if not self._broken:
            return
        if self.path is None:
            raise StoreError("the engine gave itself up", code="invalidated", hint="what was in memory is lost")
        with self._writing, self._gate.shut():
            if self._connection is not None:
                with suppress(duckdb.Error):
                    self._connection.close()
            self._connection = connect(self.path, read_only=self.read_only)
            self._broken = False

    def _keep_private(self) -> None:
        """Give the engine's log, which it makes anew after each checkpoint, the mode of the base itself (C17)."""
        if self.path is None:
            return
        log = beside(self.path, ".wal")
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


def _head(path: Path, *, fresh: bool) -> Head:
    """Give the head file; a base that it speaks of must be there (G7)."""
    head = Head(path)
    if fresh and head.newest is not None:
        raise TailLossError(
            f"{path.name} is missing, and {head.path.name} notes {head.newest.batch_id + 1} batches of it",
            hint="put it back or restore a backup; for a new base remove that file too",
        )
    return head


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
