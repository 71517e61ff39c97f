"""The store: the only owner of DuckDB. One writer, a cursor per call, one atomic write path with its ledger row."""

from claimbase.store.auditing import Audit, audit, checkpoint, read_checkpoint
from claimbase.store.basis import Moment, resolve
from claimbase.store.db import Db, Rows, Transaction
from claimbase.store.definitions import schema_files
from claimbase.store.ledger import Batch, Write, write
from claimbase.store.rewrite import keeping_a_copy, rewriting, unguarded
from claimbase.store.schema import engine_version, open_db

__all__ = [
    "Audit", "Batch", "Db", "Moment", "Rows", "Transaction", "Write", "audit", "checkpoint", "engine_version",
    "keeping_a_copy", "open_db", "read_checkpoint", "resolve", "rewriting", "schema_files", "unguarded", "write",
]  # fmt: skip
