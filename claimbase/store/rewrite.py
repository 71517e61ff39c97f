"""Writing the file anew: what was removed from the tables stays readable in the file; only a copy is free of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from weakref import WeakKeyDictionary, WeakMethod

from claimbase.errors import StoreError
from claimbase.store.db import Db, Transaction
from claimbase.store.definitions import guards, lifted
from claimbase.store.files import beside, synced
from claimbase.store.keeping import copied_closed, placed, reaching, settled, workplace

_MARK = ".rewrite"  # beside the file: it has yet to be written anew
_COPIES: WeakKeyDictionary[Db, list[WeakMethod[Callable[[], None]]]] = WeakKeyDictionary()


def keeping_a_copy(db: Db, forget: Callable[[], None]) -> None:
    """Remember who keeps a copy of a base for its own use: it must not outlive what is removed from the base.

    Args:
        db: the base.
        forget: a bound method that removes the copy, called after every erasure while its owner lives.
    """
    _COPIES.setdefault(db, []).append(WeakMethod(forget))


def _forget(db: Db) -> None:
    for held in _COPIES.get(db, ()):
        if (forget := held()) is not None:
            forget()


@contextmanager
def rewriting(db: Db) -> Iterator[None]:
    """Run a block that removes content, then write the file anew so that none of its bytes stay; nothing for memory.

    Whoever said that it keeps a copy is made to remove it.

    A mark beside the file says that this is under way: where it is cut short after the block's commit, opening the base
    for writing ends it.

    Raises:
        StoreError: [in_transaction] a transaction is open, whose content cannot leave the file yet.
    """
    if db.path is None or db.read_only:
        yield
        _forget(db)
        return
    if db.in_transaction:
        raise StoreError("the file cannot be written anew inside a transaction", code="in_transaction", hint="end it")
    mark = beside(db.path, _MARK)
    mark.touch(mode=0o600)
    synced(mark.parent)
    try:
        yield
    except BaseException:
        mark.unlink(missing_ok=True)
        raise
    try:
        finish(db)
    finally:
        _forget(db)


@contextmanager
def unguarded(transaction: Transaction) -> Iterator[None]:
    """Lift the guards in an erasure's way while the block removes content; they stand again before the commit (G5)."""
    for statement in lifted():
        transaction.run(statement)
    yield
    for statement in guards():
        transaction.run(statement)


def finish(db: Db) -> None:
    """Write the file anew if a mark asks for it; a crash at any step leaves the old file or the new one, whole."""
    if db.path is None or not (mark := beside(db.path, _MARK)).exists():
        return
    with reaching(db.path), workplace(db.path) as place, db.set_aside() as path:
        settled(path)
        copy = place / "base.duckdb"
        copied_closed(path, copy, proven=False)
        placed(copy, path)
    mark.unlink()
