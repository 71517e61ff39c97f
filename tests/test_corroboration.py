"""Corroboration (evidence §5, K4, V9, R1, R2): who says a value, which voices are independent, flags and ratings."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from kit import base, claim, day
from voice_world import Page, prose, put

from claimbase.analysis.corroboration import CorroborationReport, corroboration, corroborations, rating
from claimbase.analysis.independence import independence
from claimbase.base import Claimbase
from claimbase.claims import claim_number
from claimbase.errors import ClaimNotFoundError, InputError
from claimbase.evidence.corroborating import FLAGS, Corroboration, rate
from claimbase.evidence.terms import Rating, VoiceFlag
from claimbase.store import write

_numbers = count(1)


@pytest.fixture
def kb() -> Iterator[Claimbase]:
    """Give an empty base with the tests' pack."""
    with base() as opened:
        yield opened


def says(kb: Claimbase, site: str, value: str = "$3", observed: str = day(1), /, **fields: Any) -> str:
    """Let a site say a value; names of the source's fields go to the source. Gives the claim's id."""
    described = ("publisher", "authority", "source_type", "derived_from")
    source = {"url": f"https://{site}.example/page"} | {name: fields.pop(name) for name in described if name in fields}
    before = ids(kb)
    kb.add([claim(value, observed, source=source, effective_from="2026-01-01", **fields)])
    (new,) = ids(kb) - before
    return new


def ids(kb: Claimbase) -> set[str]:
    """Give every claim's id."""
    return {row[0] for row in kb.db.query("SELECT cb.claim_id(claim_no) FROM cb.statement")}


def ask(kb: Claimbase, claim_id: str, **basis: Any) -> CorroborationReport:
    """Ask who says a claim's value."""
    return corroboration(kb.db, kb.basis(**basis), claim_id)


def told(kb: Claimbase, claim_id: str, **basis: Any) -> tuple[int, int, int]:
    """Give how many sources, voices and independent voices say a claim's value."""
    one = ask(kb, claim_id, **basis).corroboration
    return len(one.sources), len(one.voices), len(one.independent)


def flags(kb: Claimbase, claim_id: str) -> set[str]:
    """Give the names of a claim's flags, those of its subject's identity left out."""
    return {flag.value for flag in ask(kb, claim_id).corroboration.flags} - {VoiceFlag.IDENTITY_SINGLE_SOURCE}


def evidence(
    kb: Claimbase, claim_id: str, page: Page, *, role: str = "supports", status: str | None = "verified"
) -> str:
    """Bind a quote of a page to a claim, straight into the log."""
    ((snapshot,),) = kb.db.query(
        "SELECT snapshot_id FROM cb.snapshot WHERE ends_with(snapshot_id, $key)", {"key": page.key}
    ).rows
    given = {"id": f"e_{next(_numbers):016x}", "no": claim_number(claim_id), "snapshot": snapshot, "role": role}
    with write(kb.db, "test") as under_way:
        at = {"at": under_way.recorded_at}
        under_way.transaction.run(
            "INSERT INTO cb.evidence (evidence_id, claim_no, snapshot_id, role, rank, quote, minted_by, recorded_at)"
            " VALUES ($id, $no, $snapshot, $role, 1, 'It costs $3.', 'test', $at)", given | at,
        )  # fmt: skip
        if status:
            under_way.transaction.run(
                "INSERT INTO cb.quote_check (evidence_id, rule, profile_sha256, status, tier, occurrences, changes,"
                " flags, found_in, recorded_at) VALUES ($id, 'quote/1', '', $status, 'exact', 1, '[]', [], [], $at)",
                {"id": given["id"], "status": status} | at,
            )  # fmt: skip
    return str(given["id"])


# -- who says it -----------------------------------------------------------------------------------------------------


def test_agreeing_claims_of_other_voices_corroborate(kb: Claimbase) -> None:
    """K4, V9: claims of the slot with the same value are further voices; another value, slot or scope is none."""
    one = says(kb, "a")
    assert told(kb, one) == (1, 1, 1)
    says(kb, "b", "3 USD per Mtok")
    says(kb, "c", "$4")
    says(kb, "d", subject="Wren")
    says(kb, "e", scope={"mode": "batch"})
    says(kb, "f", "3", predicate="context")
    assert told(kb, one) == (2, 2, 2)
    assert [(row["uri"], row["via"]) for row in sorted(ask(kb, one).rows(), key=lambda row: row["uri"])] == [
        ("https://a.example/page", "claim"), ("https://b.example/page", "agreeing"),
    ]  # fmt: skip
    assert [len(row["claims"]) for row in ask(kb, one).rows()].count(1) == 1


@pytest.mark.slow
def test_bounds_that_meet_agree(kb: Claimbase) -> None:
    """V9: values are compatible if their bounds meet, each end open or closed."""
    agrees = {"$2-4": True, "$3-5": True, "> $3": False, ">= $3": True, "$4-5": False, "~ $3": True}
    kb.add(
        claim(value, subject=other, source={"url": f"https://{site}.example/page"}, effective_from="2026-01-01")
        for other in agrees for site, value in (("a", "$3"), ("b", other))
    )  # fmt: skip
    asked = {row["subject"]: row["claim_id"] for row in kb.claims() if row["value"] == "$3"}
    found = {value: told(kb, one)[0] == 2 for value, one in asked.items()}
    assert found == agrees


@pytest.mark.slow
def test_agreement_is_with_this_claim_only() -> None:
    """V9, evidence §5: compatible is not transitive: 100 and 110 both agree with 105, and not with each other."""
    from kit import pack

    with base(None, pack(price={"kind": "quantity", "unit": "usd_per_mtok", "tolerance": "0.05"})) as kb:
        low, middle, high = says(kb, "a", "$100"), says(kb, "b", "$105"), says(kb, "c", "$110")
        assert [told(kb, one)[0] for one in (low, middle, high)] == [2, 3, 2]


@pytest.mark.slow
def test_texts_and_absences_agree_if_equal(kb: Claimbase) -> None:
    """V9: a text agrees with the same text in any case; an absence with an absence, and with no value."""
    one = says(kb, "a", "Norden", predicate="vendor")
    says(kb, "b", "NORDEN", predicate="vendor")
    says(kb, "c", "Norden AI", predicate="vendor")
    none = says(kb, "d", "none", predicate="vendor", polarity="absent")
    says(kb, "e", "not offered", predicate="vendor", polarity="absent")
    assert (told(kb, one)[0], told(kb, none)[0]) == (2, 2)


@pytest.mark.slow
def test_claims_agree_at_the_instant_asked_for(kb: Claimbase) -> None:
    """Evidence §4.1: valid_at chooses the claims: one over then, or read or held later, corroborates nothing."""
    one = says(kb, "a")
    over = claim(
        "$3", day(1), source={"url": "https://b.example/p"}, effective_from="2026-01-01", effective_until="2026-06-01"
    )
    kb.add([over])
    says(kb, "c", "$3", day(20))
    assert told(kb, one, as_of="2026-05-01") == (3, 3, 3)
    assert told(kb, one, as_of="2026-07-01") == (2, 2, 2)
    assert told(kb, one, as_of="2026-05-01", observed_by=day(10)) == (2, 2, 2)
    assert told(kb, one, as_of="2025-05-01") == (1, 1, 1)
    before = kb.basis(as_of="2026-05-01").recorded_by
    says(kb, "d")
    assert told(kb, one, as_of="2026-05-01", recorded_by=before) == (3, 3, 3)
    with pytest.raises(ClaimNotFoundError):
        ask(kb, one, observed_by="2026-02-01")


def test_another_name_of_the_subject_is_the_same_slot(kb: Claimbase) -> None:
    """P2, K4: after a merge the claims about both names agree; before it they do not."""
    one = says(kb, "a")
    says(kb, "b", subject="Lark Two")
    assert told(kb, one)[0] == 1
    kb.merge("Lark Two", "Lark 2", reason="one model")
    assert told(kb, one)[0] == 2


@pytest.mark.slow
def test_further_evidence_is_a_further_voice(kb: Claimbase) -> None:
    """Evidence §5: live evidence of other pages counts, unless it refutes, is context, wanting or retired."""
    one = says(kb, "a")
    pages = [Page(f"https://p{number}.example/", prose(number)) for number in range(6)]
    put(kb.db, *pages)
    kept = evidence(kb, one, pages[0])
    evidence(kb, one, pages[1], status=None)
    for number, wanting in enumerate(("altered", "not-found"), 2):
        evidence(kb, one, pages[number], status=wanting)
    evidence(kb, one, pages[4], role="refutes")
    evidence(kb, one, pages[5], role="context")
    assert told(kb, one) == (3, 3, 3)
    assert [row["via"] for row in ask(kb, one).rows()].count("evidence") == 2
    with write(kb.db, "test") as under_way:
        under_way.transaction.run(
            "INSERT INTO cb.evidence_event VALUES ($id, 'retired', 'test', $at)",
            {"id": kept, "at": under_way.recorded_at},
        )
    assert told(kb, one) == (2, 2, 2)


@pytest.mark.slow
def test_a_claim_whose_quotes_were_found_wanting_agrees_with_nothing(kb: Claimbase) -> None:
    """Evidence §5: support that rests only on quotes not found is none; one sound quote is enough."""
    one, other = says(kb, "a"), says(kb, "b")
    page = Page("https://b.example/page", prose(1))
    put(kb.db, page)
    evidence(kb, other, page, status="not-found")
    assert told(kb, one) == (1, 1, 1)
    evidence(kb, other, page)
    assert told(kb, one) == (2, 2, 2)


@pytest.mark.slow
def test_a_withdrawn_source_lends_no_voice(kb: Claimbase) -> None:
    """R2: withdrawing a source takes its voice, from then on, also where it is the only one left."""
    one = says(kb, "a")
    says(kb, "b")
    before = kb.basis().recorded_by
    kb.retract("https://b.example/page", reason="forged")
    assert told(kb, one) == (1, 1, 1)
    assert told(kb, one, recorded_by=before) == (2, 2, 2)
    kb.retract("https://a.example/page", reason="forged")
    assert told(kb, one) == (0, 0, 0)


@pytest.mark.slow
def test_a_forbidden_source_lends_no_voice(kb: Claimbase) -> None:
    """Evidence §5: a source that may not be used supports nothing, from the decision on."""
    one = says(kb, "a")
    says(kb, "b")
    with write(kb.db, "test") as under_way:
        under_way.transaction.run(
            "INSERT INTO cb.source_setting (source_id, allowed, recorded_at) SELECT source_id, false, $at FROM"
            " cb.source WHERE ends_with(uri, 'b.example/page')", {"at": under_way.recorded_at},
        )  # fmt: skip
    assert told(kb, one) == (1, 1, 1)


def test_claims_of_another_scope_do_not_agree_though_asked_together(kb: Claimbase) -> None:
    """K3: compatible values under different scopes are two slots."""
    every = [says(kb, "a"), says(kb, "b", "$2-4", scope={"mode": "batch"})]
    found = corroborations(kb.db, kb.basis(), map(claim_number, every))
    assert [len(one.sources) for one in found.values()] == [1, 1]


# -- independence ----------------------------------------------------------------------------------------------------


@pytest.mark.covers("A52")
def test_a_subject_does_not_corroborate_itself(kb: Claimbase) -> None:
    """R1, A52: its own pages, and whoever restates them, are not independent however many they are."""
    one = says(kb, "own", authority="subject_authored")
    says(kb, "docs", authority="subject_authored")
    says(kb, "news", derived_from="https://own.example/page")
    assert told(kb, one) == (3, 2, 0)
    assert flags(kb, one) == {"self_corroborated_only"}
    says(kb, "tester")
    assert told(kb, one) == (4, 3, 1)
    assert flags(kb, one) == set()


@pytest.mark.slow
@pytest.mark.covers("A52")
def test_a_copy_of_the_subjects_words_is_the_subject(kb: Claimbase) -> None:
    """R1: a third party's page with the subject's text is no second voice, though nobody said that it is derived."""
    one = says(kb, "own", authority="subject_authored")
    says(kb, "portal")
    text = prose(1)
    put(
        kb.db, Page("https://own.example/page", text, authority="subject_authored"),
        Page("https://portal.example/page", f"News. {text}"),
    )  # fmt: skip
    assert told(kb, one) == (2, 1, 0)
    assert flags(kb, one) == {"self_corroborated_only", "single_source_claim"}


@pytest.mark.covers("A53")
def test_an_aggregator_corroborates_nothing(kb: Claimbase) -> None:
    """R1, A53: nor does a page that restates one; the voice is counted, independence is not."""
    one = says(kb, "list", authority="aggregator")
    assert (told(kb, one), flags(kb, one)) == ((1, 1, 0), {"aggregator_only", "single_source_claim"})
    says(kb, "blog", derived_from="https://list.example/page")
    says(kb, "index", authority="aggregator")
    assert (told(kb, one), flags(kb, one)) == ((3, 2, 0), set())
    says(kb, "copier", authority="aggregator", derived_from="https://elsewhere.example/page")
    says(kb, "elsewhere", "$9")
    assert told(kb, one) == (4, 3, 0)
    says(kb, "tester")
    assert told(kb, one) == (5, 4, 1)


@pytest.mark.slow
def test_a_snippet_only_locates(kb: Claimbase) -> None:
    """R1, A50: the snippet of a search locates a page and is no independent voice."""
    one = says(kb, "search", source_type="search_snippet")
    assert (told(kb, one), flags(kb, one)) == ((1, 1, 0), {"snippet_only", "single_source_claim"})
    says(kb, "tester")
    assert (told(kb, one), flags(kb, one)) == ((2, 2, 1), set())


@pytest.mark.covers("A51")
def test_high_confidence_needs_two_independent_voices(kb: Claimbase) -> None:
    """A51: the author's confidence is kept; high with fewer than two independent voices is flagged, medium is not."""
    one = says(kb, "a", confidence="high")
    assert (ask(kb, one).said.confidence, flags(kb, one)) == (
        "high", {"single_source_claim", "high_confidence_single_source"},
    )  # fmt: skip
    says(kb, "own", authority="subject_authored")
    assert flags(kb, one) == {"high_confidence_single_source"}
    modest = says(kb, "b", "$9", confidence="medium", subject="Wren")
    assert flags(kb, modest) == {"single_source_claim"}
    says(kb, "c")
    assert flags(kb, one) == set()


@pytest.mark.slow
@pytest.mark.covers("A51", "H17")
def test_ten_copies_of_one_report_are_one_source(kb: Claimbase) -> None:
    """Evidence §9: ten feeds with one agency text are one voice, and high confidence in them is flagged."""
    text = "OSLO (Reuters) - The price of the model fell to three dollars on Monday, its maker said in a note."
    every = [says(kb, f"feed{number}", confidence="high") for number in range(10)]
    put(kb.db, *(Page(f"https://feed{number}.example/page", f"{text} {prose(number)}") for number in range(10)))
    assert told(kb, every[3]) == (10, 1, 1)
    assert flags(kb, every[3]) == {"single_source_claim", "high_confidence_single_source"}


@pytest.mark.covers("A54")
def test_each_flag_is_raised_somewhere_and_told_in_order() -> None:
    """A54: every flag of the vocabulary has its rule."""
    assert list(FLAGS) == list(VoiceFlag)


@pytest.mark.slow
def test_identity_of_one_voice_is_flagged(kb: Claimbase) -> None:
    """Evidence §5: one voice alone on a subject is flagged on each claim; a second voice on anything lifts it."""
    one = says(kb, "a")
    assert VoiceFlag.IDENTITY_SINGLE_SOURCE in ask(kb, one).corroboration.flags
    says(kb, "b", "128K", predicate="context")
    assert VoiceFlag.IDENTITY_SINGLE_SOURCE not in ask(kb, one).corroboration.flags


# -- ratings ---------------------------------------------------------------------------------------------------------


def corroborated(voices: int, independent: int) -> Corroboration:
    """Make a corroboration of so many voices."""
    named = tuple(f"v{number}" for number in range(voices))
    return Corroboration("c_0", named, named, named[:independent], ())


@pytest.mark.parametrize("against", [False, True])
@pytest.mark.parametrize("identity", [0, 1])
@pytest.mark.parametrize("claims", [(), ((2, 1),), ((1, 1),), ((2, 0),), ((2, 1), (3, 2)), ((2, 1), (1, 1))])
@pytest.mark.covers("A54")
def test_the_rating_of_a_subject(claims: tuple[tuple[int, int], ...], identity: int, against: bool) -> None:
    """Evidence §5: inconsistent if contradicted; consistent if identity and claims are supported; else mixed."""
    sound = all(voices >= 2 and independent >= 1 for voices, independent in claims) and claims and identity
    wanted = Rating.INCONSISTENT if against else Rating.CONSISTENT if sound else Rating.MIXED
    given = [corroborated(*one) for one in claims]
    assert rate(given, identity_independent=identity, contradicted=against) is wanted


@pytest.mark.slow
@pytest.mark.covers("A54")
def test_a_subject_is_rated_from_its_claims(kb: Claimbase) -> None:
    """Evidence §5: mixed while a claim stands alone, consistent when none does, inconsistent when disputed."""
    says(kb, "own", authority="subject_authored")
    says(kb, "a")
    context = says(kb, "own", "128K", predicate="context", authority="subject_authored")
    found = rating(kb.db, kb.basis(), "lark 2")
    assert (found.rating, len(found.claims), len(found.identity), len(found.identity_independent)) == ("mixed", 3, 2, 1)
    assert [row["claim_id"] for row in found.rows() if row["voices"] == 1] == [context]
    says(kb, "b", "128K", predicate="context")
    assert rating(kb.db, kb.basis(), "Lark 2").rating is Rating.CONSISTENT
    against = says(kb, "c", "$7")
    disputed = rating(kb.db, kb.basis(), "Lark 2")
    assert (disputed.rating, len(disputed.contradicted)) == (Rating.INCONSISTENT, 3)
    assert against in disputed.contradicted
    assert "3 contradicted" in disputed.summary
    assert rating(kb.db, kb.basis(as_of="2025-06-01"), "Lark 2").rating is Rating.MIXED
    with pytest.raises(InputError, match="no subject"):
        rating(kb.db, kb.basis(), "Heron")


@pytest.mark.slow
def test_what_only_possibly_contradicts_does_not(kb: Claimbase) -> None:
    """Evidence §5: hard and absence contradictions count, at valid_at; a possible one does not."""
    says(kb, "a")
    never_sure = {"effective_from": "2026-04", "effective_until": "2026-05"}
    kb.add([claim("$9", day(1), source={"url": "https://b.example/p"}, **never_sure)])
    assert kb.contradictions(as_of="2026-04-10").counts == {"possible": 1}
    assert rating(kb.db, kb.basis(as_of="2026-04-10"), "Lark 2").contradicted == ()
    says(kb, "c", "$7")
    assert len(rating(kb.db, kb.basis(as_of="2026-04-10"), "Lark 2").contradicted) == 2


@pytest.mark.covers("A54")
def test_a_verified_quote_against_it_contradicts_a_claim(kb: Claimbase) -> None:
    """Evidence §5: a verified refutes row contradicts, an unverified one does not; so does a failed check of values."""
    one, other = says(kb, "a"), says(kb, "b")
    page = Page("https://p.example/", prose(1))
    put(kb.db, page)
    evidence(kb, one, page, role="refutes", status="altered")
    assert rating(kb.db, kb.basis(), "Lark 2").contradicted == ()
    evidence(kb, one, page, role="refutes")
    assert rating(kb.db, kb.basis(), "Lark 2").contradicted == (one,)
    for outcome, wanted in (("failed", {one, other}), ("passed", {one})):
        with write(kb.db, "test") as under_way:
            under_way.transaction.run(
                "INSERT INTO cb.claim_check VALUES ($no, NULL, 'observed-values-agree', $outcome, '', $at)",
                {"no": claim_number(other), "outcome": outcome, "at": under_way.recorded_at},
            )
        assert set(rating(kb.db, kb.basis(), "Lark 2").contradicted) == wanted


# -- many at once ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_many_at_once_are_each_as_alone(kb: Claimbase) -> None:
    """Evidence §5: over a random base the set form gives what each claim gives alone, with voices worked out once."""
    luck = random.Random(3)
    kb.add([
        claim(
            luck.choice(["$3", "$3", "$2-4", "$5"]), day(luck.randint(1, 9)), subject=luck.choice(["Lark 2", "Wren"]),
            source={
                "url": f"https://s{luck.randint(0, 9)}.example/page",
                "authority": luck.choice(["third_party", "subject_authored"]),
            },
            confidence=luck.choice(["high", "low"]),
        )
        for _ in range(60)
    ])  # fmt: skip
    basis = kb.basis()
    every = sorted(ids(kb))
    found = corroborations(kb.db, basis, map(claim_number, every), whole=independence(kb.db, basis))
    assert list(found) == every
    assert found == {one: corroboration(kb.db, basis, one).corroboration for one in every}
    assert len({one.voices for one in found.values()}) > 5
    assert corroborations(kb.db, basis, [1, 2]) == {}


@pytest.mark.slow
def test_a_slot_with_very_many_claims_is_told_once(kb: Claimbase) -> None:
    """K10: thousands of claims of one value in one slot cost one agreement, not one each."""
    kb.add(
        claim(
            "$3", day(1), source={"url": f"https://s{n % 300}.example/p"}, selector=f"{n}",
            effective_from=f"2026-01-{n // 300 + 1:02}T00:00:00Z",
        )
        for n in range(3000)
    )  # fmt: skip
    found = corroborations(kb.db, kb.basis(), map(claim_number, ids(kb)))
    assert len(found) == 3000
    assert {(len(one.sources), len(one.independent)) for one in found.values()} == {(300, 300)}


def test_the_report_tells_itself(kb: Claimbase) -> None:
    """C16: rows, data and sentence come from one result; bad ids are refused."""
    one = says(kb, "a")
    found = ask(kb, one)
    assert found.summary == (
        f"{one}: 1 source, 1 voice, 1 independent of its subject; single_source_claim, identity_single_source"
    )
    assert found.to_json()["rows"] == found.rows()
    assert tuple(found.rows()[0]) == found.columns
    with pytest.raises(InputError):
        ask(kb, "c_1")
    with pytest.raises(ClaimNotFoundError):
        ask(kb, "c_" + "0" * 16)
