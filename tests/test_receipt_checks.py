"""Each check of a receipt: what it looks at, what fails it, and what a policy makes of that."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from receipt_cases import COPY, PAGED, STRANGE, check, failing, notice, row
from receipt_world import (
    BASIS,
    NOW,
    PAGE,
    PRICE,
    absence,
    case,
    changed,
    evidence,
    price,
    snapshot,
    source,
)

from claimbase.errors import InputError
from claimbase.evidence.findings import Finding
from claimbase.evidence.model import Match, PairAt, QuotedAt
from claimbase.evidence.policy import Policy
from claimbase.evidence.terms import (
    Method,
    NoticeStatus,
    Outcome,
    QuoteStatus,
    ReviewDecision,
    Tier,
    Verdict,
)
from claimbase.evidence.voices import Voice
from claimbase.receipts.building import build
from claimbase.receipts.case import DocumentAt, Judged, LedgerAt, ReviewAt


@pytest.mark.covers("T09", "T10", "T11")
@pytest.mark.parametrize(
    ("change", "broken"),
    [
        ({"page": 1}, None), ({"page": 2}, "selector-valid"), ({"page": 3}, "selector-valid"),
        ({"page": 0}, "selector-valid"), ({"start_char": 0, "end_char": 10}, None),
        ({"start_char": 10, "end_char": 10}, "selector-valid"), ({"start_char": -1, "end_char": 3}, "selector-valid"),
        ({"start_char": 0, "end_char": 10_000}, "selector-valid"), ({"source_id": "s_unknown"}, "source-resolves"),
        ({"snapshot_id": "sha256:none/s_aaaaaaaaaaaa"}, "snapshot-present"),
        ({"selector": '{"bbox": [1, 2, 3, 4]}'}, "quote-integrity"),
    ],
)  # fmt: skip
def test_a_location_must_lie_in_the_text_that_was_read(change: dict[str, Any], broken: str | None) -> None:
    """§6.3: page, span, source and text of a quote are checked against the stored version; a picture proves nothing."""
    receipt = build(case(changed(price(text=PAGED), **change), texts=[PAGED]))
    assert broken in failing(receipt) if broken else receipt.passed


@pytest.mark.covers("A24", "T09")
@pytest.mark.parametrize(("uri", "good"), [
    ("https://prices.example/list", True), ("upload://a1/prices.csv", True), ("s3://bucket/prices.txt", True),
    ("notes/scratch.md", False), ("prices", False), ("http://[", False), ("", False),
])  # fmt: skip
def test_a_file_of_somebodys_workspace_is_no_source(uri: str, good: bool) -> None:
    """§6.3: a source is an address that can be read again."""
    receipt = build(case(price(), sources=[source(uri=uri)]))
    assert ("source-resolves" in failing(receipt)) == (not good)


@pytest.mark.parametrize(("page", "good"), [(1, False), (2, True), (3, False)])
def test_a_quote_at_the_top_of_a_page_is_on_that_page(page: int, good: bool) -> None:
    """§6.3: pages are half-open too: the first character of the second is no longer on the first."""
    text = snapshot(page_offsets=(0, PAGE.index(PRICE)), profile="plain")
    receipt = build(case(changed(price(text=text), page=page), texts=[text]))
    assert receipt.passed == good
    assert build(case(price(text=text), texts=[text])).quotes.rows[0].page == 2


@pytest.mark.parametrize("negation", ["fail", "warn"])
def test_a_negation_inside_the_dots_is_forgiven_where_a_policy_says_so(negation: str) -> None:
    """§6.5: by default such a quote proves nothing; a policy that only warns lets it count, and the warning stays."""
    text = snapshot("Aurora costs $0.80 today, and it will never be raised, per million input tokens.\n")
    given = price("Aurora costs $0.80 today … per million input tokens.", text)
    receipt = build(case(given, texts=[text], policy=Policy(elision_negation=negation)))
    (quoted,) = receipt.quotes.rows
    assert quoted.status == "altered"
    assert "elision-drops-negation" in quoted.flags
    assert (row(receipt).status == "supported") == receipt.passed == (negation == "warn")
    assert check(receipt, "quote-context").outcome == Outcome.WARNING


def test_nothing_beyond_the_basis_goes_unnoticed() -> None:
    """P7: a claim, a text or a decision of after the basis fails the gate."""
    later = NOW + timedelta(seconds=1)
    beyond = [
        case(price(text=snapshot(last_fetched_at=later)), texts=[snapshot(last_fetched_at=later)]),
        case(price(last_seen_at=later)),
        case(price(), reviews=(ReviewAt("t_1", "c_price", "moved", ReviewDecision.ACCEPT, "me", None, later),)),
        case(price(), **notice(NoticeStatus.OK, observed_at=later)),
    ]
    assert all(failing(build(one)) == {"as-of-consistent"} for one in beyond)


@pytest.mark.covers("T06")
@pytest.mark.parametrize("given", list(ReviewDecision))
def test_an_open_review_fails_the_gate_unless_none_is_required(given: ReviewDecision) -> None:
    """§6.3: pending, escalated and rejected reviews fail; accepted and corrected ones do not."""
    review = (ReviewAt("t_1", "c_price", "the page changed", given),)
    receipt = build(case(price(), reviews=review))
    bad = given not in (ReviewDecision.ACCEPT, ReviewDecision.CORRECT)
    assert ("review-complete" in failing(receipt)) == bad
    assert receipt.review.status == given
    assert any("t_1" in one.question for one in receipt.unresolved) == (given in ("pending", "escalate"))
    assert build(case(price(), reviews=review, policy=Policy(review_required=False))).passed


def test_a_ledger_that_is_broken_fails_and_one_not_looked_at_says_so() -> None:
    """§6.3, P6: not verified is skipped with its reason, never passed."""
    assert failing(build(case(ledger=LedgerAt("ab" * 32, False, "batch 7 differs")))) == {"ledger-intact"}
    skipped = check(build(case(ledger=LedgerAt())), "ledger-intact")
    assert (skipped.outcome, skipped.ok) == (Outcome.SKIPPED, True)
    assert skipped.detail


@pytest.mark.covers("A45", "T13")
def test_required_values_without_a_claim_are_gaps() -> None:
    """§5: supported, confirmed absent, gap and unverified are four different things, and a gap asks its question."""
    given = case(
        price(), absence(), policy=Policy(required_predicates=("context_window",)),
        required=(("Aurora", "input_price"), ("Borealis", "input_price")),
    )  # fmt: skip
    receipt = build(given)
    found = {(one.subject, one.predicate): (one.required, one.status.value) for one in receipt.coverage.rows}
    assert found == {
        ("Aurora", "context_window"): (True, "gap"), ("Aurora", "fine_tuning"): (False, "confirmed-absent"),
        ("Aurora", "input_price"): (True, "filled"), ("Borealis", "input_price"): (True, "gap"),
    }  # fmt: skip
    assert (check(receipt, "coverage").outcome, receipt.passed) == (Outcome.WARNING, True)
    assert len([one for one in receipt.unresolved if one.claim_id is None]) == 2
    strict = build(replace(given, policy=Policy(required_predicates=("context_window",), gate=("coverage",))))
    assert failing(strict) == {"coverage"}
    unread = build(case(absence(text=None)))
    assert (row(unread, "c_absent").status, row(unread, "c_absent").coverage) == ("unverified", "gap")


@pytest.mark.covers("T19")
def test_checks_of_a_domain_stand_in_the_receipt_and_fail_it() -> None:
    """§3: a registered check lands among the others; it gates unless moved, and one that crashes is an error."""
    domain = {
        "sum-of-lines": lambda one, dossier: Finding(Outcome.FAILED, "1 + 1 is not 3"),
        "currency": lambda one, dossier: Finding(Outcome.PASSED, "dollars"),
        "broken": lambda one, dossier: 1 / 0,
    }
    receipt = build(case(price(), domain=domain))
    assert failing(receipt) == {"sum-of-lines", "broken"}
    assert check(receipt, "broken").outcome == Outcome.ERROR
    assert check(receipt, "currency").outcome == Outcome.PASSED
    assert "1 + 1 is not 3" in check(receipt, "sum-of-lines").detail
    with pytest.raises(InputError, match="freshness") as refused:
        build(case(price(), domain={"freshness": domain["currency"]}))
    assert refused.value.code == "bad_check"


@pytest.mark.covers("H05", "H07", "H08", "H10", "H21")
def test_a_document_is_graded_pair_by_pair() -> None:
    """§6.4: what was read, by whom, with what verdict and on which words; dangling markers and lies fail the gate."""
    pairs = (
        PairAt("It costs $0.80 [1].", Verdict.SUPPORTED, "c_price", None, PRICE, True, True, Method.MECHANICAL, "rule"),
        PairAt("It is cheap [1].", Verdict.PARTIALLY_SUPPORTED, "c_price", None, PRICE, False, True, Method.MODEL, "x"),
        PairAt("It is liked [2].", Verdict.NOT_CHECKED),
    )  # fmt: skip
    document = DocumentAt("0" * 64, pairs, dangling=0, unparsed=2, sampled=1)
    receipt = build(case(price(), kind="document", document=document))
    told = receipt.support
    assert (told.pairs, told.auto_passed, told.sampled, told.checked, told.not_checked, told.unparsed) == (
        3,
        1,
        1,
        1,
        1,
        2,
    )
    assert [one.pair_index for one in told.rows] == [0, 1, 2]
    assert told.rows[0].evidence == PRICE
    assert receipt.passed
    assert any("2 in others were not" in one for one in receipt.limits)
    assert any("1 were not checked" in one for one in receipt.limits)
    assert failing(build(case(price(), kind="document", document=replace(document, dangling=1)))) == {
        "dangling-citation"
    }
    lie = replace(pairs[0], verdict=Verdict.WRONG_SOURCE)
    assert failing(build(case(price(), kind="document", document=replace(document, pairs=(lie,))))) == {
        "cite-check-resolved"
    }


@pytest.mark.covers("A36", "H21")
def test_each_statement_is_counted_once() -> None:
    """P6: passed word for word, read by somebody, exempt or not checked: the four make up all statements."""
    given = source("s_bbbbbbbbbbbb", "upload://a1/prices.csv", source_type="upload")
    text = snapshot(owner=given.source_id)
    ranked = enumerate((PRICE, PRICE.replace("0.80", "0.30")))
    quoted = [evidence("c_price", quote, snapshot(), rank=rank) for rank, quote in ranked]
    quoted += [evidence("c_price", one.quote, text, rank=one.rank + 2) for one in quoted]
    judged = (Judged("c_absent", absence().evidence[0].evidence_id, Verdict.UNCLEAR, Method.MODEL, "judge"),)
    told = build(case(price(evidence=quoted), absence(), sources=[given], texts=[text], judged=judged)).support
    assert (told.pairs, told.auto_passed, told.checked, told.exempt, told.not_checked) == (5, 1, 1, 1, 2)
    assert told.pairs == told.auto_passed + told.checked + told.exempt + told.not_checked


@pytest.mark.covers("H11", "H14")
def test_a_quotation_of_a_document_that_is_found_nowhere_blocks() -> None:
    """§6.3: each quotation has a row with what comes nearest and how far it is; one that was altered fails the gate."""
    text = snapshot().snapshot_id
    exact = Match(QuoteStatus.VERIFIED, Tier.EXACT, "1.000", 10, 64, 1)
    near = Match(QuoteStatus.ALTERED, Tier.NEAR, "0.981", 10, 64, 1, closest=PRICE, edit_distance=1)
    quotes = (QuotedAt("q_1", PRICE, exact, text), QuotedAt("q_2", PRICE.replace("0.80", "0.30"), near, text))
    receipt = build(case(price(), kind="document", document=DocumentAt("0" * 64, quotes=quotes)))
    assert failing(receipt) == {"quote-integrity"}
    found = {one.evidence_id: one for one in receipt.quotes.rows}
    assert (found["q_2"].closest, found["q_2"].edit_distance) == (PRICE, 1)
    assert (receipt.quotes.quotes, receipt.quotes.verified, receipt.quotes.altered) == (3, 2, 1)


def test_notices_are_counted_and_shown() -> None:
    """§5: each state of a publication has a counter and a row; what was not answered is never counted as checked."""
    for status in NoticeStatus:
        receipt = build(case(price(), **notice(status)))
        told = receipt.retractions
        counts = (told.retracted, told.concerns, told.corrected, told.unavailable, told.unchecked)
        named = ("retracted", "expression-of-concern", "corrected", "unavailable", "unchecked")
        assert counts == tuple(int(status == one) for one in named)
        assert told.dois_checked == (status not in ("unavailable", "unchecked"))
        assert told.rows[0].status == status
        assert ("retracted-citations" in failing(receipt)) == (status == "retracted")
        quiet = status in ("ok", "reinstated")
        assert (check(receipt, "retracted-citations").outcome == Outcome.PASSED) == quiet


def test_voices_are_counted_and_repeats_never_fail() -> None:
    """§6.3: two pages that are one voice are said to be one; that warns."""
    voice = Voice("v1", "s_aaaaaaaaaaaa", ("s_aaaaaaaaaaaa", "s_bbbbbbbbbbbb"))
    second = evidence("c_price", "the Aurora model costs $0.80 per million input tokens", COPY, rank=1)
    given = price(evidence=[evidence("c_price", PRICE, snapshot()), second])
    receipt = build(case(given, sources=[STRANGE], texts=[COPY], voices=(voice,)))
    told = receipt.independence
    assert (told.sources, told.voices, told.effective_sources) == (2, 1, 1)
    assert told.rows[0].members == ("s_aaaaaaaaaaaa", "s_bbbbbbbbbbbb")
    assert check(receipt, "independence").outcome == Outcome.WARNING
    assert receipt.passed


def test_too_few_voices_warn_and_fail_where_a_policy_says_so() -> None:
    """§6.5: min_independent is what corroboration is measured against."""
    few = build(case(price(), policy=Policy(min_independent=1)))
    assert (check(few, "corroboration").failed, few.passed) == (1, True)
    strict = build(case(price(), policy=Policy(min_independent=1, gate=("corroboration",))))
    assert failing(strict) == {"corroboration"}


def test_a_claim_that_is_not_there_is_said_to_be_missing() -> None:
    """P6: an id that the base does not hold fails the gate and asks its question."""
    receipt = build(case(price(), claim_ids=("c_price", "c_ghost")))
    assert failing(receipt) == {"evidence-present"}
    assert {one.claim_id for one in receipt.unresolved} == {"c_ghost"}
    assert BASIS.valid_at == receipt.as_of.valid_at
