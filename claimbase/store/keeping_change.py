"""A base put back from a backup, brought up to date, or laid down anew in the order it is read."""

from __future__ import annotations

import os
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from claimbase.errors import StoreCorruptError, StoreError
from claimbase.store.auditing import audit
from claimbase.store.db import Db
from claimbase.store.definitions import schema_files
from claimbase.store.files import beside, synced
from claimbase.store.head import Head, Stamp
from claimbase.store.keeping import (
    Kept,
    Progress,
    check_writer,
    copied_closed,
    placed,
    reaching,
    settled,
    state_hash,
    workplace,
)
from claimbase.store.lock import FileLock
from claimbase.store.schema import open_db

_BESIDE = ("", ".wal", ".head")  # what belongs to a base, and is kept with it


@dataclass(frozen=True, slots=True)
class Compacted:
    """What a compaction did.

    Args:
        versions: rows of the version table.
        unsorted_before, unsorted_after: of them, how many lay behind one that belongs after them.
        size_before, size_after: of the file, in bytes.
        state: the state hash, which is the same before and after.
    """

    versions: int
    unsorted_before: int
    unsorted_after: int
    size_before: int
    size_after: int
    state: str

    @property
    def words(self) -> str:
        """Say it in one sentence."""
        shares = [f"{100 * n / max(self.versions, 1):.1f} %" for n in (self.unsorted_before, self.unsorted_after)]
        return (
            f"{self.versions:,} versions: {shares[0]} out of order before, {shares[1]} now; "
            f"{self.size_before:,} bytes before, {self.size_after:,} now; state {self.state[:16]} as before"
        )

    def to_json(self) -> dict[str, Any]:
        """Give it as plain data."""
        return {name: getattr(self, name) for name in self.__slots__} | {"words": self.words}


@dataclass(frozen=True, slots=True)
class Migrated:
    """What bringing a base up to date did.

    Args:
        before, after: the schema's number.
        applied: names of the schema files applied, in order.
        state: the state hash after it.
    """

    before: int
    after: int
    applied: tuple[str, ...]
    state: str

    @property
    def words(self) -> str:
        """Say it in one sentence."""
        if not self.applied:
            return f"schema {self.after} is the newest: nothing to do; state {self.state[:16]}"
        return f"schema {self.before} is now {self.after}: {', '.join(self.applied)}; state {self.state[:16]}"

    def to_json(self) -> dict[str, Any]:
        """Give it as plain data."""
        return {
            "before": self.before, "after": self.after, "applied": list(self.applied), "state": self.state,
            "words": self.words,
        }  # fmt: skip


def restore(backup: Path, base: Path, *, replace: bool = False, progress: Progress | None = None) -> Kept:
    """Put a base back from a backup, with a head file of its own; an older schema is brought up to date (G17).

    Args:
        backup: a file that :func:`claimbase.store.keeping.backup` wrote, or any base that nobody writes to.
        base: the file that is made.
        replace: keep what stands there beside it as `<base>.replaced-1`, with its log and its head file; else refuse.
        progress: called with the number of rows copied so far.

    Raises:
        StoreError: [same_file], [base_exists], [store_missing], [not_verified], [not_written].
        StoreCorruptError: the backup's ledger does not hold.
        TailLossError: the backup is not as its head file says.
        StoreLockedError: somebody has the base open.
        NoSpaceError.
    """
    with reaching(base):
        real = beside(base, "")
        if real == beside(backup, ""):
            raise StoreError(f"{base.name} is the backup itself", code="same_file", hint="name another file")
        with closing(open_db(backup, read_only=True, asked=False)) as db:
            schema, newest = _schema(db), Stamp(*db.file("keeping/newest").rows[0])
        lock = FileLock(real)
        try:
            with workplace(base) as place:
                if not replace and (real.exists() or beside(base, ".head").exists()):
                    hint = "--replace keeps what is there beside it"
                    raise StoreError(f"{base.name}, or its head file, is there already", code="base_exists", hint=hint)
                file = place / "base.duckdb"
                _, rows = copied_closed(beside(backup, ""), file, schema=schema, progress=progress)
                state = _proven(file, newest, backup.name)
                kept = _kept_aside(real)
                placed(file, base)
                Head(base).append([newest])
        finally:
            lock.release()
    beside_it = f"; what stood there is {kept.name}" if kept else ""
    words = f"{base.name} restored from {backup.name}: {rows:,} rows, batch {newest.batch_id}, state {state[:16]}"
    return Kept("restore", base.name, state, newest.batch_id, rows, real.stat().st_size, words + beside_it)


def _proven(file: Path, newest: Stamp, name: str) -> str:
    """Open the copy of a backup, which brings an older schema up to date, verify its ledger and give its state hash."""
    Head(file).append([newest])
    with closing(open_db(file)) as db:
        found, state = audit(db, (newest.batch_id, newest.root)), state_hash(db)
    if not found.ok:
        raise StoreCorruptError(f"{name}: {found.words}", hint="take another backup")
    return state


def _kept_aside(base: Path) -> Path | None:
    """Give what stands in a base's place a second name beside it; the place itself is left to the one that follows.

    Until that one takes the place the old file has two names: a run killed in between leaves it so, and the next one
    begins by taking the second name away.
    """
    names = (base.with_name(f"{base.name}.replaced-{number}") for number in count(1))
    for kept in names:
        if kept.exists() and base.exists() and kept.samefile(base):
            for ending in _BESIDE:
                _undone(beside(kept, ending), beside(base, ending))
        if not any(beside(kept, ending).exists() for ending in _BESIDE):
            break
    there = [ending for ending in _BESIDE if beside(base, ending).exists()]
    for ending in there:
        os.link(beside(base, ending), beside(kept, ending))
    synced(base.parent)
    beside(base, ".head").unlink(missing_ok=True)  # it would speak of another file
    return kept if there else None


def _undone(second: Path, first: Path) -> None:
    """Take a second name away, which a run killed in between gave; the first one, if it went already, comes back."""
    if second.exists() and not first.exists():
        second.rename(first)
    second.unlink(missing_ok=True)


def migrate(path: Path, progress: Progress | None = None) -> Migrated:
    """Bring a base's schema up to date: what is pending in one transaction, then everything into the file (G18).

    Args:
        path: its file.
        progress: called with how many schema files are applied.

    Raises:
        StoreError: [store_missing], [schema_drift]; StoreLockedError; StoreCorruptError: [not_a_store].
        SchemaVersionError: a newer claimbase wrote it.
    """
    with closing(open_db(path, read_only=True, asked=False)) as db:
        before = _schema(db)
    with closing(open_db(path, create=False)) as db:
        db.settle()
        after, state = _schema(db), state_hash(db)
    applied = tuple(f"{number:04} {name}" for number, name, _ in schema_files() if before < number <= after)
    if progress is not None:
        progress(len(applied))
    return Migrated(before, after, applied, state)


def _schema(db: Db) -> int:
    return max(int(row[0]) for row in db.file("ledger/migrations"))


def compact(db: Db, progress: Progress | None = None) -> Compacted:
    """Write the file anew with its versions in the order of a load, so that what is asked together lies together.

    A crash at any step leaves the old file or the new one, whole.

    Args:
        db: the base, open for writing.
        progress: called with the number of rows copied so far.

    Raises:
        StoreError: [read_only], [in_transaction], [no_file], [not_rewritten], [not_verified], [not_written].
        NoSpaceError.
    """
    if db.path is None:
        raise StoreError("a base in memory has no file", code="no_file", hint="open a base with a path")
    with reaching(db.path), db.writing():
        check_writer(db)
        versions, before = db.file("keeping/unsorted").rows[0]
        with workplace(db.path) as place, db.set_aside() as path:
            settled(path)
            size, file = path.stat().st_size, place / "base.duckdb"
            state, _ = copied_closed(path, file, clustered=True, progress=progress)
            placed(file, path)
        after = db.file("keeping/unsorted").rows[0][1]
        return Compacted(versions, before, after, size, db.path.stat().st_size, state)
