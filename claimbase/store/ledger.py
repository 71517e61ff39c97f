"""The one write path: a batch takes its instant, changes the log, derives the versions and chains its ledger row."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from claimbase.errors import StoreError, TailLossError
from claimbase.store.db import Db, Transaction
from claimbase.store.head import Stamp


@dataclass(frozen=True, slots=True)
class Batch:
    """A committed write: its number, its instant and the root that chains it to all before it."""

    batch_id: int
    recorded_at: datetime
    root: str


@dataclass(slots=True)
class Write:
    """A write under way: the transaction, the one instant all of its rows carry (B4), the root before it."""

    transaction: Transaction
    verb: str
    batch_id: int
    recorded_at: datetime
    prev: str
    batch: Batch | None = None


@contextmanager
def write(db: Db, verb: str) -> Iterator[Write]:
    """Run a block as one batch: one instant, one ledger row, all or nothing (W5, C4).

    Nothing is written to the ledger when the block changed nothing (B6: a re-import is nothing at all).

    Raises:
        TailLossError: the base is no longer the one that was written to.
        StoreError: [commit_unconfirmed] the engine said that it stored the write, and did not.
        NoSpaceError: [head_unwritten].
    """
    with db.writing():
        with db.atomic() as transaction:
            last_id, last_at, prev = _head(transaction)
            _goes_on(db, last_id, prev)
            under_way = Write(transaction, verb, last_id + 1, db.next_instant(last_at), prev)
            yield under_way
            _close(under_way)
        if under_way.batch is not None:
            _acknowledge(db, under_way.batch.batch_id, under_way.batch.root)


def agree(db: Db) -> bool:
    """Compare the ledger with the head file: it is there, or one unacknowledged batch ahead of it (G7).

    Args:
        db: the base; one open for writing notes the batch that was not.

    Returns:
        False if nothing was ever noted of this base; one open for writing is from now on.

    Raises:
        TailLossError: a batch that was acknowledged is missing or another one, or the head file is an older one.
    """
    if db.head is None:
        return True
    newest = db.head.newest
    ahead = _since(db, 0 if newest is None else newest.batch_id)
    if newest is not None and (not ahead or ahead[0] != newest):
        raise _lost(db, newest)
    if newest is not None and len(ahead) > 2:  # the noted one, and one that was not acknowledged
        raise TailLossError(
            f"{db.head.path.name} ends at batch {newest.batch_id}, {db.name} {len(ahead) - 1} batches later",
            hint="put the newest head file back, or claimbase recover",
        )
    new = ahead[-1:] if newest is None else ahead[1:]
    if new and not db.read_only:
        db.head.append(new)
    return newest is not None or not ahead


def _goes_on(db: Db, last_id: int, prev: str) -> None:
    """Make sure that the base is where the last write left it; note what that one could not."""
    newest = db.head.newest if db.head is not None else None
    if db.head is None or newest is None or (last_id, prev) == (newest.batch_id, newest.root):
        return
    if last_id <= newest.batch_id:
        raise _lost(db, newest)
    db.head.append(_since(db, newest.batch_id + 1))


def _acknowledge(db: Db, batch_id: int, root: str) -> None:
    """Read a write back, because a commit after a failed statement reports success and stores nothing; then note it."""
    stored = _since(db, batch_id)
    if not stored or stored[0].root != root:
        raise StoreError("the write was not stored", code="commit_unconfirmed", hint="try again")
    if db.head is not None:
        db.head.append(stored)


def _since(db: Db, batch_id: int) -> list[Stamp]:
    return [Stamp(*row) for row in db.file("ledger/since", {"batch_id": batch_id})]


def _lost(db: Db, newest: Stamp) -> TailLossError:
    return TailLossError(
        f"{db.name} lacks batch {newest.batch_id}, which was acknowledged, or holds another in its place",
        hint="restore a backup, or claimbase recover keeps what is whole",
    )


def _head(transaction: Transaction) -> tuple[int, datetime | None, str]:
    rows = transaction.file("ledger/head").rows
    return (rows[0][0], rows[0][1], rows[0][2]) if rows else (-1, None, "")


def _close(under_way: Write) -> None:
    """Count what the batch wrote and chain its ledger row; a batch that wrote nothing leaves none."""
    transaction, at = under_way.transaction, {"recorded_at": under_way.recorded_at}
    (counts,) = transaction.file("ledger/batch_counts", at).rows
    if under_way.batch_id > 0 and not any(counts):
        return
    transaction.file(
        "ledger/append_batch",
        at | {"batch_id": under_way.batch_id, "verb": under_way.verb, "prev": under_way.prev,
              "entries": counts[0] + counts[3], "added": counts[1], "retracted": counts[2]},
    )  # fmt: skip
    (row,) = transaction.file("ledger/batch", {"batch_id": under_way.batch_id}).rows
    under_way.batch = Batch(*row)
