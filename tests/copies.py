"""Bases copied from one that was made before: a copy stands in a sixth of the time that making it anew takes."""

from __future__ import annotations

import atexit
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from weakref import WeakSet

import duckdb
import pytest

from claimbase.base import Claimbase, shipped_packs
from claimbase.base.opening import load_seeds
from claimbase.base.opening import open as make  # a test may stand in for the public name
from claimbase.store import Db, engine, open_db, schema
from claimbase.store.definitions import macros, schema_files, tables
from claimbase.store.engine import connect
from claimbase.temporal import Clock, FixedClock
from claimbase.vocabulary import Pack


def empty(clock: Any) -> Db:
    """Open a base in memory without any declaration, as `open_db` makes it."""
    return _made_by(clock, None)


def declared(clock: Any, packs: tuple[Pack, ...] | None = None) -> Claimbase:
    """Open a base in memory that declares some packs, None = the shipped ones, as `claimbase.open` makes it."""
    return Claimbase(_made_by(clock, tuple(shipped_packs()) if packs is None else packs))


def demo(clock: Clock | None = None) -> Claimbase:
    """Open a base in memory that holds the shipped seeds, as `claimbase.demo` makes it; without a clock, now."""
    return copied(_seeded(clock), clock)


def copied(file: Path, clock: Clock | None) -> Claimbase:
    """Open a base in memory that holds what a closed base's file holds."""
    return Claimbase(_copy(file, clock))


def copy_base(file: Path, target: Path) -> Path:
    """Copy a closed base with the file of its head."""
    for one, other in ((file, target), (file.with_name(f"{file.name}.head"), target.with_name(f"{target.name}.head"))):
        shutil.copy(one, other)
    return target


@contextmanager
def quick_files() -> Iterator[None]:
    """Let new files begin with the tables, guards and macros of one made before; rows are written as always."""
    pending, define, begun = schema._pending, schema._define, WeakSet[Db]()

    def opened(path: Path | None = None, **options: Any) -> Db:
        if path is None or options.get("read_only") or not options.get("create") or not _may_be_made(path):
            return Db(path, **options)
        made = _with_schema()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("claimbase.store.db.connect", partial(copied_first, made))
            db = Db(path, **options)
        begun.add(db)
        return db

    def copied_first(made: Path, path: Path, **options: Any) -> engine.Engine:
        shutil.copyfile(made, path)
        return connect(path, **options)

    def applied(db: Db, files: list[tuple[int, str, str]], at: datetime) -> None:
        if db not in begun:
            define(db, files, at)
            return
        begun.remove(db)
        with db.atomic() as transaction:
            for number, name, _ in files:
                told = {"number": number, "name": name, "engine": duckdb.__version__, "applied_at": at}
                transaction.file("ledger/append_migration", told)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schema, "Db", opened)
        patch.setattr(schema, "_pending", lambda db: schema_files() if db in begun else pending(db))
        patch.setattr(schema, "_define", applied)
        yield


def _may_be_made(path: Path) -> bool:
    """Say whether a new file can stand there; what cannot is refused by the engine, not by a copy."""
    with suppress(OSError, ValueError):
        return not os.path.lexists(path) and os.access(path.parent, os.W_OK) and len(path.name) < 200
    return False


@cache
def _with_schema() -> Path:
    """Make a file once in this process that has all but rows."""
    path = _place() / "schema.duckdb"
    db = Db(path)
    with db.atomic() as transaction:
        for one in (*tables(), *macros()):
            transaction.run(one)
    db.close()
    return path


def _made_by(clock: Any, packs: tuple[Pack, ...] | None) -> Db:
    """Open a copy of the base that such a clock and such packs make, and put the clock where it then stands."""
    path, clock.moment = _made(type(clock), clock.moment, packs)
    return _copy(path, clock)


def _copy(path: Path, clock: Clock | None) -> Db:
    """Open a copy of a base's file of which nobody knows: told no path, the base takes itself for one in memory."""
    copy = Path(mkdtemp(dir=_place())) / "memory.duckdb"  # so the engine names a base in memory
    shutil.copy(path, copy)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("claimbase.store.db.connect", lambda *_, **options: connect(copy, **options))
        db = Db(clock=clock)
    db.query("PRAGMA disable_checkpoint_on_shutdown")
    copy.unlink()  # it stays as long as the engine holds it, however the test ends
    return db


@cache
def _made(kind: type, moment: datetime, packs: tuple[Pack, ...] | None) -> tuple[Path, datetime]:
    """Make a base once in this process; give its file, and where the clock stood afterwards."""
    path, clock = _place() / f"{_made.cache_info().misses}.duckdb", kind(moment)
    db = open_db(path, clock=clock) if packs is None else make(path, clock=clock, packs=packs).db
    db.close()
    return path, clock.moment


def _seeded(clock: Clock | None) -> Path:
    """Make the seeds' base once for each instant at which a clock stands, and once for the time of day."""
    stands = clock.now() if isinstance(clock, FixedClock) else None
    path = _place() / f"seeds-{stands and stands.timestamp()}.duckdb"
    if not path.exists():
        with make(path, clock=clock) as kb:
            load_seeds(kb)
    return path


@cache
def _place() -> Path:
    """Give a folder of this process, gone with it; in memory, where the system has a place for that."""
    memory = Path("/dev/shm")  # noqa: S108 - a folder of our own in it
    folder = Path(mkdtemp(prefix="claimbase-tests-", dir=memory if os.access(memory, os.W_OK) else None))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
