"""The one write path: a batch takes its instant, changes the log, derives the versions and chains its ledger row."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from claimbase.errors import StoreError
from claimbase.store.db import Db, Transaction
from claimbase.temporal import TICK, utc


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
    """
    with db.atomic() as transaction:
        last_id, last_at, prev = _head(transaction)
        now = utc(db.clock.now())
        recorded_at = now if last_at is None else max(now, last_at + TICK)
        under_way = Write(transaction, verb, last_id + 1, recorded_at, prev)
        yield under_way
        _close(under_way)
    if under_way.batch is not None:
        found = db.file("ledger/batch", {"batch_id": under_way.batch.batch_id})
        if [row[2] for row in found] != [under_way.batch.root]:
            # A commit after a failed statement reports success and stores nothing.
            raise StoreError("the write was not stored", code="commit_unconfirmed", hint="try again")


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
