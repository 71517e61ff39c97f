"""The cell: one claim with everything about its value, nested as a table of values carries it."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

from claimbase.errors import ClaimNotFoundError
from claimbase.evidence.policy import Policy
from claimbase.evidence.terms import ClaimStatus, Coverage
from claimbase.present import harmless, isolated
from claimbase.receipts.building import build
from claimbase.receipts.issuing import case_of
from claimbase.store import Db
from claimbase.temporal import Basis
from claimbase.vocabulary import Vocabulary

_GOOD = (ClaimStatus.SUPPORTED, ClaimStatus.CONFIRMED_ABSENT, ClaimStatus.STALE)


@dataclass(frozen=True, slots=True)
class Cell:
    """A claim as one cell.

    Args:
        data: value, unit, subject, predicate, reasoning, primary_source, evidence (quote, source, snapshot, place,
            status), `_sources` (every source id once, the primary first) and `_validation`: s (ok, fail, gap), r (why).
    """

    data: dict[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.data[name]

    def to_json(self) -> dict[str, Any]:
        """Give the cell as plain data."""
        return self.data

    def __repr__(self) -> str:
        told = self.data["_validation"]
        return harmless(f"<Cell {self.data['subject']} · {self.data['predicate']}: {self.data['value']} ({told['s']})>")

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(one['role'])}</td><td>{isolated(one['quote'])}</td><td>{escape(one['status'])}</td>"
            f"<td>{escape(one['source_id'])}</td></tr>"
            for one in self.data["evidence"]
        )
        return f"<p>{escape(repr(self))}</p><table>{rows}</table>"


def cell(db: Db, vocabulary: Vocabulary, basis: Basis, claim_id: str) -> Cell:
    """Give a claim as one cell, by one look at the base.

    Args:
        db: the base.
        vocabulary: the predicates as declared within the basis.
        basis: what was known.
        claim_id: the claim.

    Raises:
        ClaimNotFoundError: the basis does not see it.
    """
    case = case_of(db, vocabulary, basis, [claim_id], policy=Policy(), ledger=False)
    found = next((one for one in case.dossier.claims if one.claim_id == claim_id), None)
    if found is None:
        raise ClaimNotFoundError(f"the basis sees no claim {claim_id}", hint="kb.claims() lists those it sees")
    receipt = build(case)
    (row,) = receipt.claims.rows
    quotes = {one.evidence_id: one for one in receipt.quotes.rows}
    evidence = [
        {
            "evidence_id": one.evidence_id, "role": one.role.value, "quote": one.quote, "source_id": one.source_id,
            "snapshot_id": one.snapshot_id, "status": quotes[one.evidence_id].status.value,
            "start": one.start_char, "end": one.end_char, "reasoning": one.reasoning,
        }
        for one in found.evidence
    ]  # fmt: skip
    sources = list(dict.fromkeys([found.source_id, *(one["source_id"] for one in evidence)]))
    return Cell({
        "claim_id": claim_id, "subject": found.subject, "predicate": found.predicate, "value": found.value,
        "unit": found.unit, "reasoning": found.reasoning, "primary_source": found.source_id, "evidence": evidence,
        "_sources": sources, "_validation": {"s": _mark(row.status, row.coverage), "r": ", ".join(row.reasons) or None},
    })  # fmt: skip


def _mark(status: ClaimStatus, coverage: Coverage) -> str:
    if coverage == Coverage.GAP:
        return "gap"
    return "ok" if status in _GOOD else "fail"
