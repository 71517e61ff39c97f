"""A receipt as CSV: one row per claim, plain values, and the addresses they rest on (A59)."""

from __future__ import annotations

import csv
import io

from claimbase.present import guarded
from claimbase.receipts.model import Receipt
from claimbase.receipts.parts import ClaimRow
from claimbase.receipts.reading import Reading

COLUMNS = (
    "subject", "predicate", "value", "value_min", "value_max", "unit", "effective_from", "effective_until",
    "observed_at", "confidence", "status", "reasons", "claim_id",
)  # fmt: skip


def table(receipt: Receipt, *, sources: bool = True) -> str:
    """Write the values of a receipt.

    Args:
        receipt: the receipt.
        sources: with a column of addresses, each once, primary evidence first.
    """
    reading, out = Reading(receipt), io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*COLUMNS, *(["sources"] if sources else [])])
    for row in receipt.claims.rows:
        writer.writerow([*_cells(row), *([guarded(" ".join(reading.sources(row)))] if sources else [])])
    return out.getvalue()


def _cells(row: ClaimRow) -> list[str]:
    told = row.model_dump(mode="json") | {"reasons": " ".join(row.reasons)}
    return [guarded(told[name]) for name in COLUMNS]
