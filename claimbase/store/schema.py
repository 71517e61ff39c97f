"""Opening a base: check what it is, bring its schema up to date, make the macros where others are stored."""

from __future__ import annotations

from datetime import datetime
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from warnings import warn

import duckdb

from claimbase.errors import HeadMissingWarning, SchemaVersionError, StoreCorruptError, StoreError, TailLossError
from claimbase.store.db import Db, Transaction
from claimbase.store.definitions import (
    digested,
    macros,
    noted,
    other_macros,
    schema_files,
    shape_digested,
    statements,
    tables,
)
from claimbase.store.files import beside
from claimbase.store.following import identity
from claimbase.store.ledger import agree, write
from claimbase.store.rewrite import finish
from claimbase.temporal import Clock

_LISTED = 5  # differences named in one message
_REMEMBERED = 1_000  # states
_LOOKED_AT: set[tuple[object, ...]] = set()  # states of files whose macros are the package's


def open_db(
    path: Path | None = None,
    *,
    read_only: bool = False,
    clock: Clock | None = None,
    create: bool = True,
    asked: bool = True,
) -> Db:
    """Open a base and make it ready: schema files not yet applied, macros, batch 0 of a new base (B4).

    Args:
        path: the file, or None for memory.
        read_only: open a locked reader; nothing is migrated.
        clock: tells the time of writes.
        create: make the file where it is missing.
        asked: questions will be asked; a file that is only copied may hold the macros of another version.

    Raises:
        StoreLockedError: another process writes to it.
        StoreCorruptError: [not_a_store] the file is no base.
        StoreError: [schema_drift] its tables, guards, or the macros a reader asks through, are not the package's.
        TailLossError: writes that were acknowledged are missing (G7).
        SchemaVersionError: a newer claimbase wrote it.
    """
    db = Db(path, read_only=read_only, clock=clock, create=create)
    try:
        pending = _checked(db, asked=asked)
        if not read_only:
            _migrate(db, pending)
            finish(db)
    except BaseException:
        db.abandon()
        raise
    db.check = partial(_checked, asked=asked)
    return db


def _checked(db: Db, *, asked: bool) -> list[tuple[int, str, str]]:
    """Refuse what is no base, or not as it was left; give the schema files it still needs."""
    pending = _pending(db)
    if not pending:
        _check_shape(db)
        if asked:
            _check_macros(db)
    _check_head(db)
    return pending


def _pending(db: Db) -> list[tuple[int, str, str]]:
    """List the schema files a base still needs, refusing what is no base or too new a one."""
    known = schema_files()
    present = db.file("ledger/tables").rows
    done = [row[0] for row in db.file("ledger/migrations")] if ("cb", "migration") in present else []
    if not done and db.head is not None and db.head.newest is not None:
        raise TailLossError(f"{db.name} is empty, and {db.head.path.name} is not", hint="restore a backup")
    if not done and (present or not db.begun):
        raise StoreCorruptError(f"{db.name} is no claimbase base", code="not_a_store", hint="check the path")
    if done and max(done) > known[-1][0]:
        raise SchemaVersionError(
            f"{db.name} has schema {max(done)}; this claimbase knows {known[-1][0]}", hint="install the newer version"
        )
    return [file for file in known if file[0] not in done]


def _check_head(db: Db) -> None:
    if not db.fresh and not agree(db) and not db.read_only:
        warn(
            f"{db.name} came without its head file: whether its newest writes are there cannot be told; it has one now",
            HeadMissingWarning,
            stacklevel=6,
        )


def _check_shape(db: Db) -> None:
    """Compare the base's tables and guards with what the schema files make of them, naming every difference (X51)."""
    if shape_digested(_shape(db)) in noted():
        return
    drift = drifted(db)
    if drift:
        fates = [f"cb.{name} is {fate}" for name, fate in drift[:_LISTED]]
        raise StoreError(
            f"{db.name} is not as its schema says: {'; '.join(fates)}", code="schema_drift", hint="restore a backup"
        )


def _check_macros(db: Db) -> None:
    """Refuse a reader's file whose macros are not the package's: it would answer otherwise (A6); a writer makes them.

    Reading them takes the engine 16 ms, so a process looks once at each state of a file.
    """
    if not db.read_only or db.path is None:
        return
    state = (db.seen, identity(beside(db.path, ".wal")), *db.file("ledger/head").rows)
    if state in _LOOKED_AT:
        return
    other = [] if macros_stand(db) else _other_macros(db)
    if other:
        names = ", ".join(f"cb.{name}" for name in other[:_LISTED])
        raise StoreError(
            f"{db.name} holds macros of another claimbase, or changed ones: {names}", code="schema_drift",
            hint="open it for writing once, or publish it again",
        )  # fmt: skip
    if len(_LOOKED_AT) == _REMEMBERED:
        _LOOKED_AT.clear()
    _LOOKED_AT.add(state)


def _other_macros(db: Db) -> list[str]:
    """Name the package's macros that are not as it has them; nothing asks through one that somebody added."""
    known = expected_macros()
    return sorted(other_macros(stored_macros(db), known) & {name for name, _ in known})


def drifted(db: Db | Transaction) -> list[tuple[str, str]]:
    """List what of the base's tables and guards is not as the schema files make it, each with its fate."""
    found, expected = _shape(db), expected_shape()
    names = sorted(name for name in found.keys() | expected.keys() if found.get(name) != expected.get(name))
    return [(name, _fate(found.get(name), expected.get(name))) for name in names]


def _shape(db: Db | Transaction) -> dict[str, str]:
    return dict(db.file("ledger/shape").rows)


def _fate(found: str | None, expected: str | None) -> str:
    if expected is None:
        return "unknown"
    if found is None:
        return "missing"
    return "another" if found.startswith("CREATE") else f"{found} instead of {expected}"


@cache
def expected_shape() -> dict[str, str]:
    """Make an empty base and look at it."""
    db = Db()
    try:
        with db.atomic() as transaction:
            for statement in tables():
                transaction.run(statement)
        return _shape(db)
    finally:
        db.close()


def stored_macros(db: Db | Transaction) -> frozenset[tuple[str, str]]:
    """List the macros that are stored in a base with their definitions, as the engine writes them."""
    return frozenset((name, definition) for name, definition in db.file("ledger/macros"))


def macros_stand(db: Db | Transaction) -> bool:
    """Tell whether the stored macros are known for the package's, a third of the work of making them."""
    known = frozenset(one for one in noted() if not one[0].startswith("("))
    return bool(known) and not other_macros(digested(stored_macros(db)), known)


@cache
def expected_macros() -> frozenset[tuple[str, str]]:
    """Give the package's macros as the engine writes them: in memory, and a little otherwise once read from a file."""
    with TemporaryDirectory(prefix="claimbase-") as place:
        path = Path(place) / "macros.duckdb"
        written, found = Db(path), set[tuple[str, str]]()
        with written.atomic() as transaction:
            for one in (*tables(), *macros()):
                transaction.run(one)
        found.update(stored_macros(written))
        written.close()
        read = Db(path, read_only=True)
        found.update(stored_macros(read))
        read.close()
    return frozenset(found)


def _migrate(db: Db, pending: list[tuple[int, str, str]]) -> None:
    if pending or not macros_stand(db):
        _define(db, pending, _after_all(db, present=len(pending) < len(schema_files())))
    if pending and db.path is not None:
        db.settle()  # an engine's log with definitions in it has failed to be read before
    if not db.file("ledger/head").rows:
        with write(db, "create"):
            pass


def _define(db: Db, pending: list[tuple[int, str, str]], applied_at: datetime) -> None:
    """Apply schema files and make the macros, all or nothing."""
    with db.atomic() as transaction:
        for number, name, text in pending:
            for statement in statements(text):
                transaction.run(statement)
            applied = {"number": number, "name": name, "engine": duckdb.__version__, "applied_at": applied_at}
            transaction.file("ledger/append_migration", applied)
        for macro in macros():
            transaction.run(macro)


def _after_all(db: Db, *, present: bool) -> datetime:
    """Give an instant later than every batch: from the next one on, roots hold what was applied then (G6)."""
    head = db.file("ledger/head").rows if present else []
    return db.next_instant(head[0][1] if head else None)


def engine_version() -> str:
    """Give the engine's version, which belongs to every basis (A6)."""
    return str(duckdb.__version__)
