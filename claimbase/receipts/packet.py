"""The packet, `claimbase.packet/1`: a receipt cut into five layers, each field beside its proof (evidence §6.6)."""

from __future__ import annotations

from typing import Any

from claimbase.receipts.model import Receipt
from claimbase.receipts.parts import QuoteRow, SnapshotRow
from claimbase.receipts.reading import Reading

SCHEMA = "claimbase.packet/1"


def packet(receipt: Receipt) -> dict[str, Any]:
    """Cut a receipt into run, sources, output, evidence and review.

    Args:
        receipt: the receipt; nothing else is needed.
    """
    whole, reading = receipt.to_json(), Reading(receipt)
    run = {name: whole[name] for name in ("id", "created_at", "schema_version", "engine", "subject", "policy", "as_of")}
    return {
        "schema_version": SCHEMA,
        "run": run | {"passed": receipt.passed},
        "sources": [_source(receipt, row) for row in receipt.inputs.snapshots],
        "output": [
            {
                "field": row["field"], "claim_id": row["claim_id"], "value": row["value"], "status": row["status"],
                "reasons": row["reasons"], "evidence": row["evidence"], "next_action": row["next_action"],
            }
            for row in reading.review()
        ],
        "evidence": [_evidence(reading, row) for row in receipt.quotes.rows],
        "review": {
            "required": receipt.review.required, "status": whole["review"]["status"], "checks": whole["checks"],
            "unresolved": whole["unresolved"], "decisions": whole["review"]["decisions"], "limits": whole["limits"],
        },
    }  # fmt: skip


def _source(receipt: Receipt, row: SnapshotRow) -> dict[str, Any]:
    """Give one text as read, with the pages of it that are cited."""
    told = row.model_dump(mode="json")
    pages = {one.page for one in receipt.quotes.rows if one.snapshot_id == row.snapshot_id and one.page}
    return {"id": told.pop("source_id")} | told | {"pages": sorted(pages)}


def _evidence(reading: Reading, row: QuoteRow) -> dict[str, Any]:
    told, cited = row.model_dump(mode="json"), reading.text_of(row)
    result = {
        name: told[name]
        for name in (
            "status",
            "tier",
            "ratio",
            "occurrences",
            "closest",
            "edit_distance",
            "changes",
            "flags",
            "found_in",
        )
    }
    return {
        "evidence_id": row.evidence_id, "claim_id": row.claim_id, "role": told["role"],
        "source_id": cited.text.source_id if cited.text else None, "snapshot_id": row.snapshot_id, "page": row.page,
        "start": row.position.start if row.position else None, "end": row.position.end if row.position else None,
        "observed_value": row.observed_value, "quote": row.quote, "result": result,
    }  # fmt: skip
