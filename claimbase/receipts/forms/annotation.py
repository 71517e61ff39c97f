"""A receipt as W3C Web Annotations: each quote as text and position in the page as it was read."""

from __future__ import annotations

from typing import Any

from claimbase.receipts.model import Receipt
from claimbase.receipts.parts import ClaimRow
from claimbase.receipts.reading import Cited, Reading, shown_value
from claimbase.temporal import iso

_CONTEXT = "http://www.w3.org/ns/anno.jsonld"


def collection(receipt: Receipt) -> dict[str, Any]:
    """Write a receipt as a collection of annotations, one for each quote of a claim.

    Args:
        receipt: the receipt.
    """
    reading = Reading(receipt)
    items = [
        _annotation(claim, cited)
        for claim in receipt.claims.rows
        for cited in reading.cited(claim)
        if cited.text is not None
    ]
    name = f"urn:claimbase:{receipt.id}"
    return {
        "@context": _CONTEXT, "id": name, "type": "AnnotationCollection", "label": f"Receipt {receipt.id}",
        "total": len(items),
        "first": {"id": f"{name}/1", "type": "AnnotationPage", "startIndex": 0, "items": items},
    }  # fmt: skip


def _annotation(claim: ClaimRow, cited: Cited) -> dict[str, Any]:
    said = f"{claim.subject} · {claim.predicate}: {shown_value(claim)}"
    row, text = cited.quote, cited.text
    cached = {"cached": f"urn:claimbase:{text.snapshot_id}"} if text and text.text_sha256 else {}
    return {
        "id": f"urn:claimbase:{row.evidence_id}", "type": "Annotation", "motivation": "assessing",
        "body": [
            {"type": "TextualBody", "value": said, "format": "text/plain", "purpose": "describing"},
            {"type": "TextualBody", "value": f"{row.status}", "format": "text/plain", "purpose": "tagging"},
        ],
        "target": {
            "source": text.uri if text else None,
            "selector": _selectors(cited),
            "state": {"type": "TimeState", "sourceDate": iso(claim.observed_at)} | cached,
        },
    }  # fmt: skip


def _selectors(cited: Cited) -> list[dict[str, Any]]:
    row = cited.quote
    exact = row.closest if row.position and row.closest is not None else row.quote
    around = {name: value for name, value in (("prefix", row.prefix), ("suffix", row.suffix)) if value}
    found: list[dict[str, Any]] = [{"type": "TextQuoteSelector", "exact": exact} | around]
    if row.position:
        found.append({"type": "TextPositionSelector", "start": row.position.start, "end": row.position.end})
    if row.page:
        found.append(
            {"type": "FragmentSelector", "conformsTo": "http://tools.ietf.org/rfc/rfc3778", "value": f"page={row.page}"}
        )
    return found
