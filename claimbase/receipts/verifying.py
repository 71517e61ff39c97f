"""Verifying: claims, an answer or a report become a case; a judge reads what no check decides; the receipt is kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from claimbase.answers import Answer
from claimbase.errors import InputError
from claimbase.evidence.judging import SupportJudge
from claimbase.evidence.policy import Policy
from claimbase.receipts.documents import of_report
from claimbase.receipts.issuing import kept, of_answer, of_claims
from claimbase.receipts.model import Receipt
from claimbase.receipts.rulings import judged
from claimbase.store import Db
from claimbase.temporal import Basis
from claimbase.vocabulary import Vocabulary


def verify(
    db: Db,
    vocabulary: Vocabulary,
    basis: Basis,
    what: Answer | Sequence[str] | str | None,
    *,
    report: str | None = None,
    policy: Policy | None = None,
    judge: SupportJudge | None = None,
    **more: Any,
) -> Receipt:
    """Check claims, an answer or a report, and keep the receipt; see :meth:`claimbase.Claimbase.verify`.

    Args:
        db: the base; open for reading, it keeps nothing.
        vocabulary: the predicates as declared within the basis.
        basis: of claims and reports; an answer brings its own.
        what: an answer, claim ids, or one claim id.
        report: a Markdown text instead.
        policy: what counts; None = the default.
        judge: reads what no check decides.
        more: tenant, domain, ledger.

    Raises:
        ClaimNotFoundError; InputError: [empty_input], [two_subjects].
    """
    if what is not None and report is not None:
        raise InputError("claims and a report are two receipts", code="two_subjects", hint="verify one at a time")
    chosen = policy or Policy()
    if report is not None:
        return kept(db, of_report(db, vocabulary, basis, report, policy=chosen, judge=judge, **more))
    if isinstance(what, Answer):
        case = of_answer(db, vocabulary, what, policy=chosen, **more)
    else:
        claims = [what] if isinstance(what, str) else list(what or ())
        case = of_claims(db, vocabulary, basis, claims, policy=chosen, **more)
    return kept(db, case if judge is None else judged(db, case, judge))
