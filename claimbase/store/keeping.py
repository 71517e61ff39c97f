"""Keeping a base: the digest of all of it, and whole copies that take a file's place at once (G9, G17)."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from claimbase.errors import NoSpaceError, StoreError
from claimbase.store.db import Db, Transaction, statement
from claimbase.store.definitions import macros, schema_files, tables
from claimbase.store.files import beside, synced
from claimbase.store.head import Head, Stamp
from claimbase.store.lock import FileLock

Progress: TypeAlias = Callable[[int], None]
"""Called with the number of rows written so far."""

_FULL = (28, 122, 27)  # ENOSPC, EDQUOT, EFBIG


@dataclass(frozen=True, slots=True)
class Kept:
    """What a keeping verb made, after it was read back and compared.

    Args:
        verb: publish, backup, restore, export or import.
        name: of the file or folder that was made.
        state: the state hash of what it holds; of a snapshot, which is made often and kept by nobody, "".
        batch_id: its newest batch.
        rows: over all tables.
        size: bytes.
        words: the same in one sentence.
    """

    verb: str
    name: str
    state: str
    batch_id: int
    rows: int
    size: int
    words: str

    def to_json(self) -> dict[str, Any]:
        """Give it as plain data."""
        return {name: getattr(self, name) for name in self.__slots__}


def state_hash(db: Db) -> str:
    """Give one digest over every row of every append-only table, however they lie in the file.

    Args:
        db: the base.
    """
    with db.verifying():
        return _state(db)


def _state(asked: Db | Transaction) -> str:
    return str(asked.file("keeping/state").rows[0][0])


def publish(db: Db, target: Path, progress: Progress | None = None) -> Kept:
    """Put a snapshot for readers in a file's place at once; the base stays open for writing (G9).

    Args:
        db: the base, open for writing or in memory.
        target: the snapshot's file; what stands there must be an earlier state of the same base.
        progress: called with the number of rows copied so far.

    Raises:
        StoreError: [read_only], [in_transaction], [same_file], [foreign_target], [not_verified], [not_written].
        StoreLockedError: somebody writes to the target.
        NoSpaceError.
    """
    return _snapshot(db, target, "publish", progress)


def backup(db: Db, target: Path, progress: Progress | None = None) -> Kept:
    """Write the whole base to another file, with a head file of its own (G17).

    Args:
        db: the base, open for writing or in memory.
        target: the backup's file; what stands there must be an earlier state of the same base.
        progress: called with the number of rows copied so far.

    Raises:
        StoreError: as :func:`publish`.
    """
    return _snapshot(db, target, "backup", progress)


def _snapshot(db: Db, target: Path, verb: str, progress: Progress | None) -> Kept:
    with reaching(target), db.writing():
        check_writer(db)
        with _standing(db, target), workplace(target) as place:
            file = place / "base.duckdb"
            state, rows = copied(db, file, proven=verb == "backup", progress=progress)
            newest = Stamp(*db.file("keeping/newest").rows[0])
            beside(target, ".head").unlink(missing_ok=True)  # of another file: none is better than a wrong one
            placed(file, target)
            if verb == "backup":
                Head(target).append([newest])
    done = {"publish": "published", "backup": "backed up"}[verb]
    words = f"{db.name} {done} as {target.name}: {rows:,} rows, batch {newest.batch_id}"
    words += f", state {state[:16]}" if state else ""
    return Kept(verb, target.name, state, newest.batch_id, rows, target.stat().st_size, words)


# -- copying ---------------------------------------------------------------------------------------------------------


def copied(
    db: Db,
    file: Path,
    *,
    original: bool = False,
    clustered: bool = False,
    schema: int | None = None,
    proven: bool = True,
    progress: Progress | None = None,
) -> tuple[str, int]:
    """Copy every row to a new file that has the package's tables, guards and macros, read it back and compare.

    Args:
        db: what is copied, or a passing base to copy with.
        file: what is made.
        original: copy the closed file that is attached as `original` instead.
        clustered: lay the versions down in the order of a load.
        schema: the number of the original's schema, where it is not the newest: the copy has it too, and no macros yet.
        proven: compare the digest of every row; else the newest batch alone, whose root covers them.
        progress: called with the number of rows copied so far.

    Returns:
        The state hash, of the newest schema alone and if proven; the number of rows.

    Raises:
        StoreError: [not_verified] the copy is not what was copied.
    """
    newest = schema in (None, schema_files()[-1][0])
    with _attached(db, file):
        with db.atomic() as making:
            making.file("keeping/use_kept")
            for definition in (*tables(schema), *(macros() if newest else ())):
                making.run(definition)
        with db.atomic() as copying:
            if original:
                copying.file("keeping/use_original")
            state = _state(copying) if newest and proven else ""
            last = copying.file("keeping/newest").rows
            rows = _filled(copying, clustered, progress)
        db.file("keeping/checkpoint")
    if newest:
        _compare(db, file, state, rows, last)
    return state, rows


def copied_closed(original: Path, file: Path, **how: Any) -> tuple[str, int]:
    """Copy a closed file by way of a passing base, which may spill to the disk.

    Args:
        original: the closed file.
        file: what is made, alone in its folder.
        how: as for :func:`copied`.
    """
    with closing(Db(file.with_name("with.duckdb"))) as passing:
        passing.file("keeping/attach_original", {"path": str(original)})
        return copied(passing, file, original=True, **how)


def _compare(db: Db, file: Path, state: str, rows: int, last: list[tuple[Any, ...]]) -> None:
    """Open a copy again and compare what the file holds: its digest, or its number of rows and its newest batch."""
    with _attached(db, file), db.atomic() as checking:
        checking.file("keeping/use_kept")
        if state:
            same = _state(checking) == state
        else:
            counted = sum(int(checking.run(of_table("keeping/count", table)).rows[0][0]) for table in columns(checking))
            same = counted == rows and checking.file("keeping/newest").rows == last
        if not same:
            raise StoreError("the copy is not what was copied", code="not_verified", hint="try again; check the disk")


@contextmanager
def _attached(db: Db, file: Path) -> Iterator[None]:
    db.file("keeping/attach", {"path": str(file)})
    try:
        yield
    except BaseException:
        with suppress(StoreError):
            db.file("keeping/detach")
        raise
    db.file("keeping/detach")


def _filled(transaction: Transaction, clustered: bool, progress: Progress | None) -> int:
    rows = 0
    for table in columns(transaction):
        if clustered and table == "claim":
            rows += transaction.number("keeping/copy_clustered")
        else:
            rows += int(transaction.run(of_table("keeping/copy", table)).rows[0][0])
        if progress is not None:
            progress(rows)
    return rows


def columns(transaction: Transaction) -> dict[str, dict[str, str]]:
    """Give the type of every column of every table of the base in use."""
    found: dict[str, dict[str, str]] = {}
    for table, column, kind in transaction.file("keeping/columns"):
        found.setdefault(table, {})[column] = kind
    return found


def of_table(name: str, table: str) -> str:
    """Give the statement of a file that is written once for all tables, for one of the package's own.

    Args:
        name: the file.
        table: a table's name, as the schema files give it; never a word from outside.
    """
    return statement(name).replace("cb.one", f"cb.{table}")


# -- files -----------------------------------------------------------------------------------------------------------


def check_writer(db: Db) -> None:
    """Refuse what only a writer can do, and only between its writes."""
    if db.read_only:
        raise StoreError("the base is open for reading only", code="read_only", hint="open it without read_only")
    if db.in_transaction:
        raise StoreError("a transaction is open, and half of it would be kept", code="in_transaction", hint="end it")


@contextmanager
def _standing(db: Db, target: Path) -> Iterator[None]:
    """Make sure that what stands in a place may give way, and that nobody writes to it meanwhile."""
    real = beside(target, "")
    if db.path is not None and real == beside(db.path, ""):
        raise StoreError(f"{target.name} is the base itself", code="same_file", hint="name another file")
    if not real.exists():
        yield
        return
    lock = FileLock(real, shared=True)
    try:
        newest = _newest(real)
        if newest is None or db.file("ledger/root_of", {"batch_id": newest[0]}).rows != [(newest[1],)]:
            raise StoreError(
                f"{target.name} is not an earlier state of {db.name}", code="foreign_target",
                hint="name another file, or move this one away",
            )  # fmt: skip
        yield
    finally:
        lock.release()


def _newest(path: Path) -> tuple[int, str] | None:
    """Give number and root of the newest batch that a file holds; none, if it is no base."""
    reader = Db(path, read_only=True)
    try:
        if ("cb", "batch") not in reader.file("ledger/tables").rows:
            return None
        return next(((row[0], row[2]) for row in reader.file("ledger/head")), None)
    finally:
        reader.close()


@contextmanager
def workplace(target: Path) -> Iterator[Path]:
    """Give an empty private folder beside what is being made; what a killed run left in it goes first.

    Args:
        target: the file or folder that is being made.
    """
    place = beside(target, ".unfinished")
    if place.exists():
        shutil.rmtree(place)
    place.mkdir(mode=0o700)
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def placed(file: Path, target: Path) -> None:
    """Put a finished file in its place at once; a crash leaves the old one or the new one, whole (C17)."""
    settled(file)
    real = beside(target, "")
    file.chmod(0o600)
    synced(file)
    file.replace(real)
    beside(real, ".wal").unlink(missing_ok=True)  # of the file that stood there
    synced(real.parent)


def settled(file: Path) -> None:
    """Make sure that a closed file holds everything, and nothing is left in the engine's log beside it."""
    if beside(file, ".wal").exists():
        raise StoreError("the engine kept its log", code="not_rewritten", hint="close the base and open it again")


@contextmanager
def reaching(target: Path) -> Iterator[None]:
    """Say in our words what the system refuses about a place.

    Args:
        target: what is being made there.

    Raises:
        StoreError: [store_missing] its folder is missing; [not_written] it cannot be written.
        NoSpaceError.
    """
    if not target.parent.is_dir():
        raise StoreError(f"the folder of {target.name} does not exist", code="store_missing", hint="make it first")
    try:
        yield
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else "it cannot be reached"
        if error.errno in _FULL:
            raise NoSpaceError(f"there is no room for {target.name}", hint="free space, then try again") from error
        raise StoreError(f"{target.name}: {reason}", code="not_written", hint="check path and rights") from error
