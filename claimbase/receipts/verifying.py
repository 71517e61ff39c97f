"""Verifying: claims, an answer or a report become a case; a judge reads what no check decides; the receipt is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from claimbase.answers import Answer, answer
from claimbase.errors import InputError
from claimbase.evidence.judging import SupportJudge
from claimbase.evidence.policy import Policy
from claimbase.receipts.case import Case
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
    asked = _Asked(db, vocabulary, what, report, policy or Policy(), more)
    at = what.basis if isinstance(what, Answer) else basis
    newest = at.batch == _head(db)[0]
    case = asked.case(at, judge)
    number, instant = _head(db)
    if newest and number != at.batch:  # a judge spoke: the receipt's basis holds what was said, so that it replays
        case = asked.case(replace(at, recorded_by=max(at.recorded_by, instant), batch=number), None)
    return kept(db, case)


def _head(db: Db) -> tuple[int, datetime]:
    ((number, instant, _),) = db.file("ledger/head").rows
    return number, instant


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is to be verified, at whichever basis."""

    db: Db
    vocabulary: Vocabulary
    what: Answer | Sequence[str] | str | None
    report: str | None
    policy: Policy
    more: Mapping[str, Any]

    def case(self, basis: Basis, judge: SupportJudge | None) -> Case:
        """Make the case; what a judge says is kept."""
        if self.report is not None:
            return of_report(self.db, self.vocabulary, basis, self.report, policy=self.policy, judge=judge, **self.more)
        if isinstance(self.what, Answer):
            made = of_answer(self.db, self.vocabulary, self._answer(self.what, basis), policy=self.policy, **self.more)
        else:
            claims = [self.what] if isinstance(self.what, str) else list(self.what or ())
            made = of_claims(self.db, self.vocabulary, basis, claims, policy=self.policy, **self.more)
        return made if judge is None else judged(self.db, made, judge)

    def _answer(self, given: Answer, basis: Basis) -> Answer:
        if given.basis == basis:
            return given
        return answer(self.db, self.vocabulary, given.asked["constraints"], basis, **given.asked["options"])
