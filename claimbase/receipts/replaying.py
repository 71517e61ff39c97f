"""Replay: a receipt made again from the base, at its own basis, and every row that differs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from claimbase.answers import answer
from claimbase.errors import InstantError, ReceiptError
from claimbase.evidence.policy import Policy
from claimbase.receipts.building import build
from claimbase.receipts.case import Case
from claimbase.receipts.comparing import Comparison, compared
from claimbase.receipts.documents import of_report
from claimbase.receipts.issuing import head_at, of_answer, of_claims
from claimbase.receipts.model import Receipt
from claimbase.store import Db, resolve
from claimbase.temporal import Basis
from claimbase.vocabulary import Vocabulary

Words = Callable[[Basis], Vocabulary]


def replay(db: Db, words: Words, receipt: Receipt, *, report: str | None = None, **more: Any) -> Comparison:
    """Make a receipt again and compare it row by row; nothing is written.

    Args:
        db: the base it came from.
        words: gives the vocabulary of a basis.
        receipt: the receipt.
        report: the text of a report, which the receipt names by its digest alone.
        more: tenant, domain, ledger, as it was made with.

    Raises:
        ReceiptError: [other_base] the base's ledger is not that of the receipt; [no_report] a report's text is missing.
    """
    basis = _basis(db, receipt)
    case = replace(_case(db, words(basis), basis, receipt, report, more), created_at=receipt.created_at)
    return compared(receipt, build(case))


def _basis(db: Db, receipt: Receipt) -> Basis:
    """Resolve the receipt's basis, on the base whose ledger it names."""
    at = receipt.as_of
    try:
        basis = resolve(db, at.valid_at, at.observed_by, at.recorded_by)
    except InstantError as error:
        raise _other_base(receipt) from error
    if head_at(db, basis) != receipt.inputs.db_head:
        raise _other_base(receipt)
    return replace(basis, now=receipt.created_at)


def _other_base(receipt: Receipt) -> ReceiptError:
    return ReceiptError(
        f"{receipt.id} was made on another base, or this one was rewound", code="other_base",
        hint="the ledger's root at the receipt's recorded_by is not the one it names",
    )  # fmt: skip


def _case(
    db: Db, vocabulary: Vocabulary, basis: Basis, receipt: Receipt, report: str | None, more: Mapping[str, Any]
) -> Case:
    known = {"checks": frozenset(more.get("domain") or ())}
    policy = Policy.model_validate(receipt.policy.model_dump(exclude={"sha256"}), context=known)
    if receipt.kind == "answer":
        asked: dict[str, Any] = dict(receipt.subject.query)
        again = answer(db, vocabulary, asked["constraints"], basis, **asked["options"])
        return of_answer(db, vocabulary, again, policy=policy, **more)
    if receipt.kind == "document":
        if report is None:
            raise ReceiptError(f"{receipt.id} is of a report", code="no_report", hint="give the report's text again")
        return of_report(db, vocabulary, basis, report, policy=policy, **more)
    return of_claims(db, vocabulary, basis, list(receipt.subject.claim_ids), policy=policy, **more)
