"""A receipt read without a base: each field with its value, its places and what to do next (evidence §7, T08, T14)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from claimbase.evidence.terms import ClaimStatus, ReviewDecision
from claimbase.receipts.model import Receipt
from claimbase.receipts.parts import ClaimRow, QuoteRow, SnapshotRow

_WEB = ("http://", "https://")
_LONGEST_FRAGMENT = 300
_ENDS = 5  # words at both ends of a long quote name it well enough

NEXT: Mapping[ClaimStatus, str] = {
    ClaimStatus.SUPPORTED: "accept",
    ClaimStatus.CONFIRMED_ABSENT: "accept",
    ClaimStatus.STALE: "request document",
    ClaimStatus.CONTRADICTED: "resolve source conflict",
    ClaimStatus.SOURCE_RETRACTED: "request document",
    ClaimStatus.UNVERIFIED: "requote",
    ClaimStatus.MISSING: "request document",
    ClaimStatus.BLOCKED: "request document",
}
"""What a reviewer does next about a claim, by its status."""

_NO_QUOTE_HELPS = ("no-source-text", "snippet-only", "source-not-allowed", "erased", "no-supports-quote")


@dataclass(frozen=True, slots=True)
class Cited:
    """A quote with the text that it stands in, as far as the receipt names it."""

    quote: QuoteRow
    text: SnapshotRow | None

    @property
    def place(self) -> str:
        """Where the quote stands: the page, or the half-open span of code points; what is known of it."""
        row = self.quote
        page = f"p.{row.page}" if row.page else ""
        span = f"{row.position.start}-{row.position.end}" if row.position else ""
        return " ".join(part for part in (page, span) if part) or "no place known"

    @property
    def source(self) -> str:
        """The id of the source, or that none is known."""
        return self.text.source_id if self.text else "unknown source"

    @property
    def version(self) -> str:
        """Which version of the source it is: the one it declares, else the digest of the text, and when it was read."""
        if self.text is None:
            return "unknown"
        held = f"sha256:{self.text.text_sha256[:12]}" if self.text.text_sha256 else "no text held"
        read = self.text.model_dump(mode="json")["fetched_at"]
        return f"{self.text.declared_version or held}, read {read}"

    def to_json(self) -> dict[str, Any]:
        """Give the quote as plain data, with its text in words."""
        row = self.quote.model_dump(mode="json")
        names = ("evidence_id", "role", "quote", "status", "tier", "ratio", "closest", "changes", "flags", "found_in")
        about = {"source": self.source, "uri": self.text.uri if self.text else None, "version": self.version}
        return {name: row[name] for name in names} | about | {"place": self.place, "link": self.link}

    @property
    def link(self) -> str | None:
        """A link to the words on the page, for web pages; it helps to find them and is no identity."""
        return deep_link(self.text.uri, self.quote.closest or self.quote.quote) if self.text else None


class Reading:
    """A receipt with its rows joined by their ids.

    Args:
        receipt: the receipt; no base is needed.
    """

    def __init__(self, receipt: Receipt) -> None:
        self.receipt = receipt
        self._texts = {row.snapshot_id: row for row in receipt.inputs.snapshots}
        self._quotes = {row.evidence_id: row for row in receipt.quotes.rows}

    def cited(self, claim: ClaimRow) -> list[Cited]:
        """Give what a claim cites, primary evidence first."""
        rows = (self._quotes[one] for one in claim.evidence_ids if one in self._quotes)
        return [self.text_of(row) for row in rows]

    def text_of(self, row: QuoteRow) -> Cited:
        """Give a quote with its text."""
        return Cited(row, self._texts.get(row.snapshot_id or ""))

    def sources(self, claim: ClaimRow) -> list[str]:
        """Give the addresses a claim cites, each once, primary first."""
        return list(dict.fromkeys(one.text.uri for one in self.cited(claim) if one.text))

    def review(self) -> list[dict[str, Any]]:
        """Give one row per field: value, status, where it stands, and what to do next."""
        decided = {row.claim_id: row.decision for row in self.receipt.review.decisions}
        return [self._row(claim, decided.get(claim.claim_id)) for claim in self.receipt.claims.rows]

    def told(self) -> dict[str, Any]:
        """Give all that a person reads of it as plain data: outcome, checks, fields with evidence, open questions."""
        whole = self.receipt.to_json()
        names = (
            "id", "kind", "passed", "created_at", "engine", "as_of", "answer", "checks", "contradictions", "unresolved",
            "repair", "limits", "ledger",
        )  # fmt: skip
        counts = {name: whole["support"][name] for name in ("pairs", "auto_passed", "checked", "not_checked")}
        policy = {name: whole["policy"][name] for name in ("name", "sha256")}
        about = {name: whole[name] for name in names} | {"support": counts, "policy": policy}
        bound = {one for claim in self.receipt.claims.rows for one in claim.evidence_ids}
        loose = [self.text_of(row) for row in self.receipt.quotes.rows if row.evidence_id not in bound]
        fields = [
            row | {"cited": [one.to_json() for one in self.cited(claim)]}
            for row, claim in zip(self.review(), self.receipt.claims.rows, strict=True)
        ]
        return about | {"fields": fields, "quotations": [one.to_json() for one in loose]}

    def _row(self, claim: ClaimRow, decision: ReviewDecision | None) -> dict[str, Any]:
        cited = self.cited(claim)
        return {
            "field": f"{claim.subject} · {claim.predicate}",
            "claim_id": claim.claim_id,
            "value": shown_value(claim),
            "status": claim.status.value,
            "reasons": list(claim.reasons),
            "location": [f"{one.source} {one.place}" for one in cited],
            "evidence": [one.quote.evidence_id for one in cited],
            "review": decision and decision.value,
            "next_action": next_action(claim),
        }


def shown_value(claim: ClaimRow) -> str | None:
    """Give a claim's value as people read it; an absence has none."""
    return "none offered" if claim.status == ClaimStatus.CONFIRMED_ABSENT else claim.value


def next_action(claim: ClaimRow) -> str:
    """Say what a reviewer does next: accept, resolve source conflict, request document or requote."""
    unread = claim.status == ClaimStatus.UNVERIFIED and any(one in _NO_QUOTE_HELPS for one in claim.reasons)
    return "request document" if unread else NEXT[claim.status]


def deep_link(uri: str, words: str) -> str | None:
    """Give an address that leads a browser to the words on a page (`#:~:text=`).

    Args:
        uri: of the page; only those of the web have such links.
        words: what to find there.
    """
    if not uri.lower().startswith(_WEB) or not words.strip():
        return None
    parts = words.split()
    whole = " ".join(parts)
    long = len(whole) > _LONGEST_FRAGMENT and len(parts) > 2 * _ENDS
    ends = (" ".join(parts[:_ENDS]), " ".join(parts[-_ENDS:])) if long else (whole,)
    page = uri.split(":~:", 1)[0].rstrip("#") if ":~:" in uri else uri
    words_given = ",".join(quote(one, safe="").replace("-", "%2D") for one in ends)
    return f"{page}{'' if '#' in page else '#'}:~:text={words_given}"
