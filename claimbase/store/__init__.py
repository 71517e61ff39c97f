"""The store: the only owner of DuckDB. One writer, a cursor per call, one atomic write path with its ledger row."""

from claimbase.store.basis import Moment, resolve
from claimbase.store.db import Db, Rows, Transaction
from claimbase.store.ledger import Batch, Write, write
from claimbase.store.schema import engine_version, open_db, schema_files

__all__ = [
    "Batch", "Db", "Moment", "Rows", "Transaction", "Write", "engine_version", "open_db", "resolve", "schema_files",
    "write",
]  # fmt: skip
