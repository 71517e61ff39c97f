"""Building a receipt: pure, from a case that holds everything; the same case gives the same bytes."""

from __future__ import annotations

from claimbase.receipts import advice, gate, sections
from claimbase.receipts.case import Case
from claimbase.receipts.model import Receipt
from claimbase.receipts.view import View


def build(case: Case) -> Receipt:
    """Align every quote, run every check, judge every claim, and write down what was found.

    Args:
        case: the claims at a basis with all that is known of them.

    Returns:
        The receipt, not stored yet: its ledger names the digest of its body alone.
    """
    view = View.of(case)
    checks, support = gate.checks(view), sections.support(view)
    return Receipt.sealed(
        kind=case.kind,
        passed=gate.passes(checks),
        created_at=case.created_at,
        engine=sections.engine(view),
        as_of=sections.as_of(case),
        subject=sections.subject(view),
        answer=sections.answer(case),
        inputs=sections.inputs(view),
        policy=sections.policy(case.policy),
        checks=checks,
        claims=sections.claims(view),
        quotes=sections.quotes(view),
        support=support,
        retractions=sections.retractions(case),
        independence=sections.independence(view),
        freshness=sections.freshness(view),
        contradictions=sections.contradictions(view),
        coverage=sections.coverage(view),
        unresolved=advice.unresolved(view),
        repair=advice.repair(view),
        review=sections.review(case),
        limits=advice.limits(view, support),
    )
