"""How a claim stands: the ladder against a plain oracle, and each rung and reason in a small world."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator
from datetime import timedelta

import pytest
from receipt_cases import CASES, COPY, OLD, STRANGE, check, failing, row, verdict
from receipt_world import (
    NOW,
    PAGE,
    PRICE,
    case,
    claim,
    evidence,
    price,
    snapshot,
    source,
)

from claimbase.evidence.model import Checked, Match
from claimbase.evidence.policy import Policy
from claimbase.evidence.terms import (
    ClaimStatus,
    Method,
    Outcome,
    QuoteStatus,
    Role,
    Tier,
    Verdict,
)
from claimbase.receipts.building import build
from claimbase.receipts.case import DocumentAt, Judged
from claimbase.receipts.proofs import Proof, Proven
from claimbase.receipts.status import standing

VERDICTS = (None, Verdict.SUPPORTED, Verdict.PARTIALLY_SUPPORTED, Verdict.UNSUPPORTED, Verdict.WRONG_SOURCE)
FALLEN = (None, "publication-retracted", "source-withdrawn")
FOUND = Match(QuoteStatus.VERIFIED, Tier.EXACT, "1.000", 0, 9, 1)
YES_NO = (True, False)


def proof(
    role: Role,
    allowed: bool,
    held: bool,
    snippet: bool,
    counts: bool,
    valued: bool,
    verdict: Verdict | None,
    fallen: str | None,
) -> Proof:
    """A proof of one's choice."""
    text = snapshot(PAGE if held else None)
    judged = verdict and Judged("c_price", "e_1", verdict, Method.HUMAN, "reader")
    return Proof(
        evidence("c_price", PRICE, text, role), source(source_type="search_snippet" if snippet else "pricing"), text,
        allowed, FOUND, objections=() if counts else ("quote-altered",), valued=valued, judged=judged, fallen=fallen,
    )  # fmt: skip


def kinds(verdicts: Iterable[Verdict | None] = VERDICTS) -> list[Proof]:
    """Every kind of proof there is."""
    given = itertools.product(Role, YES_NO, YES_NO, YES_NO, YES_NO, YES_NO, verdicts, FALLEN)
    return [proof(*one) for one in given]


def oracle(proofs: tuple[Proof, ...], absent: bool, opposed: bool, disagree: bool, stale: bool) -> ClaimStatus:
    """The ladder of §5 once more, rung by rung, in plain words."""
    speaking_roles = {Role.SUPPORTS} | ({Role.ABSENCE} if absent else set())
    good = []
    for one in proofs:
        text_held = one.snapshot is not None and one.snapshot.text
        quote_found = not one.objections
        standing_verdict = one.judged.verdict if one.judged and quote_found else None
        against = standing_verdict in (Verdict.UNSUPPORTED, Verdict.WRONG_SOURCE)
        is_snippet = one.source is not None and one.source.source_type == "search_snippet"
        fine = one.evidence.role in speaking_roles and one.allowed and text_held and not is_snippet
        if fine and quote_found and one.valued and not against:
            good.append(one)
    refuted = any(
        one.evidence.role is Role.REFUTES and one.allowed and one.snapshot and one.snapshot.text
        and one.source and one.source.source_type != "search_snippet" and not one.objections and not one.fallen
        for one in proofs
    )  # fmt: skip
    if proofs and not any(one.allowed for one in proofs):
        return ClaimStatus.BLOCKED
    if not proofs:
        return ClaimStatus.MISSING
    if not good:
        return ClaimStatus.UNVERIFIED
    if all(one.fallen for one in good):
        return ClaimStatus.SOURCE_RETRACTED
    if opposed or disagree or refuted:
        return ClaimStatus.CONTRADICTED
    if stale:
        return ClaimStatus.STALE
    return ClaimStatus.CONFIRMED_ABSENT if absent else ClaimStatus.SUPPORTED


def worlds(proofs: Iterable[tuple[Proof, ...]]) -> Iterator[tuple[tuple[Proof, ...], bool, bool, bool, bool]]:
    """Proofs with every combination of absence, opposition, disagreement and age."""
    for some, flags in itertools.product(proofs, itertools.product(YES_NO, repeat=4)):
        yield some, *flags


def agree(some: tuple[Proof, ...], absent: bool, opposed: bool, disagree: bool, stale: bool) -> ClaimStatus:
    """Judge one world by the ladder and by the oracle."""
    checked = (Checked("c_price", None, "observed-values-agree", Outcome.FAILED, "two values"),) if disagree else ()
    found = standing(Proven(price(absent=absent), some, checked), opposed, stale)
    assert found.status == oracle(some, absent, opposed, disagree, stale)
    assert bool(found.reasons) == (found.status not in (ClaimStatus.SUPPORTED, ClaimStatus.CONFIRMED_ABSENT))
    return found.status


@pytest.mark.covers("T15", "A45")
def test_the_ladder_is_the_oracle_for_every_single_proof() -> None:
    """§5: for no proof and for each kind of one, whatever else is true: the first rung that applies."""
    found = {agree(*world) for world in worlds([(), *((one,) for one in kinds())])}
    assert found == set(ClaimStatus)


@pytest.mark.slow
def test_the_ladder_is_the_oracle_for_several_proofs(rng: random.Random) -> None:
    """§5: one good proof is enough, and none becomes good because others are worse: pairs and triples, drawn."""
    every = kinds((None, Verdict.SUPPORTED, Verdict.UNSUPPORTED))
    pairs = [tuple(rng.choices(every, k=rng.choice((2, 3)))) for _ in range(1_500)]
    found = {agree(*world) for world in worlds(pairs)}
    assert found == set(ClaimStatus) - {ClaimStatus.MISSING}


def test_adding_a_good_proof_never_hurts(rng: random.Random) -> None:
    """P6: beside a good proof, others of any kind but a refuting one change nothing."""
    good = proof(Role.SUPPORTS, True, True, False, True, True, None, None)
    others = [one for one in kinds() if one.evidence.role is not Role.REFUTES]
    for some in ([good, *rng.choices(others, k=2)] for _ in range(500)):
        assert standing(Proven(price(), tuple(some), ()), False, False).status is ClaimStatus.SUPPORTED


# -- in a small world ------------------------------------------------------------------------------------------------


@pytest.mark.covers("H03", "T11")
def test_a_sound_receipt_passes() -> None:
    """§6.3: nothing is open, so every check of the gate is ok, warnings or not, and the receipt passes."""
    receipt = build(case())
    assert receipt.passed
    assert not failing(receipt)
    assert not receipt.unresolved
    assert receipt.claims.by_status == {ClaimStatus.SUPPORTED: 1, ClaimStatus.CONFIRMED_ABSENT: 1}
    warned = check(receipt, "corroboration")
    assert (warned.outcome, warned.ok, warned.severity) == (Outcome.WARNING, True, "warning")


@pytest.mark.covers("T16", "T13", "T20", "H14", "H16", "A30", "T11")
@pytest.mark.parametrize("name", CASES)
def test_each_case_has_its_status_reason_and_failing_checks(name: str) -> None:
    """§5, §6.3: one thing is wrong at a time; the claim says which, and exactly the checks about it fail the gate."""
    given, status, reason, failed = CASES[name]
    receipt = build(given())
    assert row(receipt).status == status
    assert row(receipt).reasons == ((reason,) if reason else ()), row(receipt).reasons
    assert failing(receipt) == failed
    assert receipt.passed == (not failed)
    open_claims = {one.claim_id for one in receipt.unresolved}
    assert ("c_price" in open_claims) == (status not in ("supported", "confirmed-absent"))


@pytest.mark.covers("A30", "H10")
def test_a_verdict_about_words_that_were_not_found_is_no_verdict() -> None:
    """§5: it becomes unclear and keeps what it was; the claim is unverified because of the quote, not of the judge."""
    lie = PRICE.replace("0.80", "0.30")
    for given in (Verdict.SUPPORTED, Verdict.UNSUPPORTED):
        receipt = build(case(price(lie), judged=(verdict(given, lie),)))
        (pair,) = receipt.support.rows
        assert (pair.verdict, pair.downgraded_from) == (Verdict.UNCLEAR, given)
        assert row(receipt).reasons == ("quote-altered",)
        assert "cite-check-resolved" not in failing(receipt)


@pytest.mark.covers("H09", "H10", "T12")
@pytest.mark.parametrize("given", list(Verdict))
def test_only_unsupported_and_wrong_source_fail_the_gate(given: Verdict) -> None:
    """§6.3: partial support is reported, counted by itself and fails nothing; a policy may forgive the two that do."""
    receipt = build(case(price(), judged=(verdict(given),)))
    bad = given in (Verdict.UNSUPPORTED, Verdict.WRONG_SOURCE)
    assert ("cite-check-resolved" in failing(receipt)) == bad
    assert (row(receipt).status == "supported") == (not bad)
    counts = receipt.support.verdicts | {Verdict.NOT_CHECKED: receipt.support.not_checked}
    assert {one for one, number in counts.items() if number} == {given}
    forgiven = build(case(price(), judged=(verdict(given),), policy=Policy(allow_unsupported=True)))
    assert "cite-check-resolved" not in failing(forgiven)
    assert row(forgiven).status == row(receipt).status


@pytest.mark.covers("T12")
def test_no_confidence_stands_in_for_words() -> None:
    """P3: whatever an author says of it, a claim stands by its quotes alone."""
    for confidence in (None, "low", "high"):
        assert row(build(case(price(confidence=confidence)))).status == "supported"
        assert row(build(case(price(PRICE.replace("0.80", "0.30"), confidence=confidence)))).status == "unverified"


def test_a_judge_may_settle_what_a_quote_only_implies() -> None:
    """§3: a truth value that the words imply is not in the quote; a verdict that says so is what it takes."""
    quoted = [evidence("c_tuned", PRICE, snapshot())]
    given = claim("c_tuned", "fine_tuning", "yes", quoted, kind="bool", value_key="true")
    assert row(build(case(given)), "c_tuned").reasons == ("value-not-in-quote",)
    said = Judged("c_tuned", quoted[0].evidence_id, Verdict.SUPPORTED, Method.HUMAN, "reader")
    assert row(build(case(given, judged=(said,))), "c_tuned").status == "supported"


@pytest.mark.covers("M03")
@pytest.mark.parametrize(
    ("policy", "of_source", "of_predicate", "days", "stale"),
    [
        (None, None, 30, 30, False), (None, None, 30, 30.001, True), (None, None, 90, 60, False),
        (None, 10, 90, 11, True), (None, 10, 5, 10, False), (5, 100, 100, 6, True), (50, 10, 10, 40, False),
        (0, None, 30, 0, False), (0, None, 30, 0.5, True),
    ],
)  # fmt: skip
def test_age_is_measured_against_the_nearest_limit(
    policy: int | None, of_source: int | None, of_predicate: int, days: float, stale: bool
) -> None:
    """§5: the policy's limit, else the source's, else the predicate's; a claim is stale once it is older."""
    at = NOW - timedelta(days=days)
    text = snapshot(fetched_at=at, last_fetched_at=at)
    given = price(text=text, observed_at=at, last_seen_at=at, stale_after_days=of_predicate)
    receipt = build(
        case(given, sources=[source(freshness_days=of_source)], texts=[text], policy=Policy(freshness_days=policy))
    )
    assert (row(receipt).status == "stale") == stale
    assert receipt.freshness.stale == stale
    assert receipt.freshness.rows[0].age_days == int(days)
    assert receipt.freshness.newest == receipt.freshness.oldest == at
    assert receipt.passed


def test_only_a_reading_that_still_held_the_quote_refreshes() -> None:
    """§5: a page read again without the words is no later sighting of them; one with them is."""
    seen = {"observed_at": OLD, "last_seen_at": OLD}
    lie = PRICE.replace("0.80", "0.30")
    assert build(case(price(**seen))).freshness.rows[0].age_days == 1
    assert build(case(price(lie, **seen))).freshness.rows[0].age_days == 31


def test_a_quote_found_in_another_text_says_where() -> None:
    """N11: the text that holds it is named, the claim stays unverified, and citing it is what would mend it."""
    words = "says its maker."
    lost = f"the Aurora model costs $0.80 per million input tokens, {words}"
    receipt = build(case(price(lost), sources=[STRANGE], texts=[COPY]))
    (quoted,) = receipt.quotes.rows
    assert quoted.found_in == (COPY.snapshot_id,)
    assert row(receipt).status == "unverified"
    (mend,) = receipt.repair or ()
    assert (mend.suggest, mend.snapshot_id, mend.source_id) == (
        "cite-other-text", COPY.snapshot_id, STRANGE.source_id,
    )  # fmt: skip
    assert COPY.snapshot_id in {one.snapshot_id for one in receipt.inputs.snapshots}


@pytest.mark.covers("H06")
def test_what_would_mend_a_quote_is_said() -> None:
    """§6.1: requote the span that is there, ingest a text that is not, ask for a page that may be used."""
    wanted = {
        "altered quote": "requote", "no text held": "ingest-text", "quote found nowhere": "request-document",
        "unauthorized evidence": "request-document",
    }  # fmt: skip
    for name, suggest in wanted.items():
        (mend,) = build(CASES[name][0]()).repair or ()
        assert mend.suggest == suggest
        assert (mend.start is not None) == (suggest == "requote")
    assert build(case()).repair == ()
    assert build(case(kind="document", document=DocumentAt("0" * 64))).repair is None
