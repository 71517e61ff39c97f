"""The receipt: one object of typed parts with canonical bytes, a digest and an id of its own (evidence §6.1, §6.2)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

import rfc8785
from pydantic import Field

from claimbase.receipts.case import Kind
from claimbase.receipts.parts import (
    AnswerPart,
    AsOf,
    CheckRow,
    Claims,
    Contradictions,
    CoveragePart,
    Engine,
    Freshness,
    Independence,
    Inputs,
    Instant,
    Ledger,
    Part,
    PolicyPart,
    Quotes,
    RepairRow,
    Retractions,
    Review,
    Subject,
    Support,
    UnresolvedRow,
    in_order,
)

SCHEMA: Literal["claimbase.receipt/1"] = "claimbase.receipt/1"

_IDENTITY = {"kind", "created_at", "engine", "as_of", "subject", "inputs", "policy"}
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_UNKNOWN = Ledger(batch_id=None, batch_root=None, body_sha256="0" * 64)


class Receipt(Part):
    """What was checked, on which words, with what result, and what is still open."""

    schema_version: Literal["claimbase.receipt/1"]
    id: Annotated[str, Field(pattern=r"^r_[0-9a-f]{16}$")]
    kind: Kind
    passed: bool
    created_at: Instant
    engine: Engine
    as_of: AsOf
    subject: Subject
    answer: AnswerPart | None
    inputs: Inputs
    policy: PolicyPart
    checks: Annotated[tuple[CheckRow, ...], in_order(lambda row: row.name)]
    claims: Claims
    quotes: Quotes
    support: Support
    retractions: Retractions
    independence: Independence
    freshness: Freshness
    contradictions: Contradictions
    coverage: CoveragePart
    unresolved: Annotated[tuple[UnresolvedRow, ...], in_order(lambda row: (row.claim_id or "", row.question))]
    repair: Annotated[tuple[RepairRow, ...], in_order(lambda row: row.evidence_id)] | None
    review: Review
    limits: tuple[str, ...]
    ledger: Ledger

    @classmethod
    def sealed(cls, **parts: Any) -> Receipt:
        """Make a receipt of its parts: give it its id and the digest of its body.

        Args:
            parts: all of them but schema_version, id and ledger.
        """
        draft = cls(schema_version=SCHEMA, id="r_" + "0" * 16, ledger=_UNKNOWN, **parts)
        named = draft.model_copy(update={"id": draft.computed_id()})
        return named.in_ledger(None, None)

    @classmethod
    def load(cls, given: str | Path | bytes) -> Receipt:
        """Read a receipt from a file or from bytes, and prove that nothing in it was changed.

        Args:
            given: the file's path, or what stands in it.

        Raises:
            ReceiptError: [bad_receipt] no receipt; [newer_schema] of a later claimbase; [altered_receipt] what it
                holds is not what its digest and id were made of.
            LimitError: [receipt_too_large].
        """
        from claimbase.receipts.loading import load

        return load(given)

    def computed_id(self) -> str:
        """Work the id out again from what it is made of."""
        made_of = self.model_dump(mode="json", include=_IDENTITY)
        return "r_" + hashlib.sha256(rfc8785.dumps(made_of)).hexdigest()[:16]

    def canonical_bytes(self) -> bytes:
        """Give the bytes that the digest is of: RFC 8785 of everything but `ledger`."""
        return self._canonical

    @cached_property
    def _canonical(self) -> bytes:
        return rfc8785.dumps(self.model_dump(mode="json", exclude={"ledger"}))

    @property
    def body_sha256(self) -> str:
        """The digest of the canonical bytes, worked out again."""
        return hashlib.sha256(self.canonical_bytes()).hexdigest()

    def in_ledger(self, batch_id: int | None, batch_root: str | None) -> Receipt:
        """Give the receipt with the place at which it is stored."""
        ledger = Ledger(batch_id=batch_id, batch_root=batch_root, body_sha256=self.body_sha256)
        return self.model_copy(update={"ledger": ledger})

    def to_json(self) -> dict[str, Any]:
        """Give the receipt as plain data."""
        return self.model_dump(mode="json")

    def rows(self, part: str) -> list[dict[str, Any]]:
        """Give the rows of one part as plain data.

        Args:
            part: quotes, claims, support, retractions, independence, freshness, contradictions, coverage, checks,
                snapshots, unresolved, repair or review.

        Raises:
            KeyError: for any other name.
        """
        found = _ROWS[part](self)
        return [row.model_dump(mode="json") for row in found]

    def to_packet(self) -> dict[str, Any]:
        """Give the receipt as a packet of five layers, `claimbase.packet/1`."""
        from claimbase.receipts.packet import packet

        return packet(self)

    def export(self, form: str = "json") -> str:
        """Write the receipt in one of its forms; whatever a source wrote is inert in each of them.

        Args:
            form: json, md, html, csv, packet, prov, annotation or intoto.

        Raises:
            InputError: [unknown_format].
        """
        from claimbase.receipts.export import export

        return export(self, form)

    def to_markdown(self) -> str:
        """Write the receipt as Markdown."""
        return self.export("md")

    def to_csv(self, *, sources: bool = True) -> str:
        """Write the values as CSV.

        Args:
            sources: with a column of the addresses they rest on, each once.
        """
        from claimbase.receipts.forms.table import table

        return table(self, sources=sources)

    @property
    def sources(self) -> tuple[str, ...]:
        """The ids of the sources cited, each once, primary evidence first: derived from the evidence, never stated."""
        texts = {row.snapshot_id: row.source_id for row in self.inputs.snapshots}
        quoted = {row.evidence_id: texts.get(row.snapshot_id or "") for row in self.quotes.rows}
        cited = (quoted.get(evidence) for claim in self.claims.rows for evidence in claim.evidence_ids)
        return tuple(dict.fromkeys(source for source in cited if source))

    def _repr_html_(self) -> str:
        from claimbase.receipts.forms.web import fragment

        return fragment(self)

    def __repr__(self) -> str:
        word = "passed" if self.passed else "did not pass"
        return f"<Receipt {self.id}: {word}; {self.claims.claims} claims, {self.quotes.quotes} quotes>"

    __str__ = __repr__


_ROWS: Mapping[str, Any] = {
    "checks": lambda receipt: receipt.checks,
    "claims": lambda receipt: receipt.claims.rows,
    "quotes": lambda receipt: receipt.quotes.rows,
    "support": lambda receipt: receipt.support.rows,
    "retractions": lambda receipt: receipt.retractions.rows,
    "independence": lambda receipt: receipt.independence.rows,
    "freshness": lambda receipt: receipt.freshness.rows,
    "contradictions": lambda receipt: receipt.contradictions.rows,
    "coverage": lambda receipt: receipt.coverage.rows,
    "snapshots": lambda receipt: receipt.inputs.snapshots,
    "unresolved": lambda receipt: receipt.unresolved,
    "repair": lambda receipt: receipt.repair or (),
    "review": lambda receipt: receipt.review.decisions,
}


def json_schema() -> dict[str, Any]:
    """Give the JSON Schema of receipts, as it ships beside this module in `receipt.schema.json`."""
    return {"$schema": _DIALECT} | Receipt.model_json_schema(mode="serialization")
