"""A receipt as the predicate of an in-toto statement, unsigned: whoever vouches for it signs it outside."""

from __future__ import annotations

from typing import Any

from claimbase.receipts.model import Receipt

TYPE = "https://in-toto.io/Statement/v1"
PREDICATE = "urn:claimbase:receipt:1"


def statement(receipt: Receipt) -> dict[str, Any]:
    """Wrap a receipt as a statement about its own canonical bytes.

    Args:
        receipt: the receipt.
    """
    subject = {"name": receipt.id, "digest": {"sha256": receipt.ledger.body_sha256}}
    return {"_type": TYPE, "subject": [subject], "predicateType": PREDICATE, "predicate": receipt.to_json()}
