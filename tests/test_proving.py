"""Quotes bound to texts as read: at ingest, by hand, again; what pages read again do to claims; what people decide."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from copies import declared

import claimbase as cb
from claimbase.claims import claim_number
from claimbase.errors import (
    ClaimNotFoundError,
    EvidenceError,
    InputError,
    QuoteNotFoundError,
    SourceNotAllowedError,
    UnknownSourceError,
)

PAGE = """# Lark models

Lark 2 reads up to 262,144 tokens per request. It costs $0.40 per million input tokens.

The batch mode is not offered in the Nordic zone.
"""
LATER = PAGE.replace("$0.40", "$0.35")
URL = "https://lark.example/docs"
READ, AGAIN = "2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z"


def claim(value: str = "262,144 tokens", quote: str = "reads up to 262,144 tokens", **more: Any) -> dict[str, Any]:
    """A claim on the context window of Lark 2, read on the first reading's day."""
    return {
        "provider": "Lark", "subject": "Lark 2", "predicate": "context_window", "value": value, "observed_at": READ,
        "quote": quote, "source": {"url": URL, "source_type": "official_docs", "authority": "subject_authored"},
    } | more  # fmt: skip


def price(**more: Any) -> dict[str, Any]:
    """A claim on the input price of Lark 2."""
    given = {"predicate": "input_price", "value": "$0.40", "unit": "usd_per_mtok"}
    return claim(**{"quote": "costs $0.40 per million input tokens"} | given | more)


def ids(kb: cb.Claimbase) -> dict[str, str]:
    """The claim of each predicate."""
    return {row["predicate"]: row["claim_id"] for row in kb.claims()}


@pytest.fixture
def kb() -> Iterator[cb.Claimbase]:
    """An empty base in June."""
    with declared(cb.FixedClock(datetime(2026, 6, 1, tzinfo=UTC))) as base:
        yield base


def held(kb: cb.Claimbase) -> str:
    """Ingest the page and give the snapshot's id."""
    done = kb.sources.ingest(PAGE, uri=URL, observed_at=READ, profile="markdown")
    assert done.accepted
    return str(done.snapshot_id)


def state(kb: cb.Claimbase, claim_id: str) -> list[tuple[str, str, int]]:
    """Status, role and rank of a claim's live evidence."""
    from claimbase.analysis.dossier import dossier

    (one,) = dossier(kb.db, kb.basis(), [claim_id]).claims
    basis, number = kb.basis(), claim_number(claim_id)
    known = {"observed_by": basis.observed_by, "recorded_by": basis.recorded_by}
    proofs = dict(kb.db.file("queries/proofs", known | {"claims": [number]}).rows)
    return [(proofs.get(number, "none"), e.role.value, e.rank) for e in one.evidence]


@pytest.mark.slow
@pytest.mark.covers("A11", "A19")
def test_a_load_with_its_text_binds_every_quote(kb: cb.Claimbase) -> None:
    """P1, X47: claims added with the text they were read from have verified evidence of rank 0 at that very text."""
    snapshot = held(kb)
    report = kb.add([claim(), price()], snapshot=snapshot)
    assert report.added == 2
    assert state(kb, ids(kb)["context_window"]) == [("verified", "supports", 0)]
    assert kb.answer("context_window >= 128K").citations[0].evidence == "verified"


def test_a_load_refuses_words_the_text_does_not_hold(kb: cb.Claimbase) -> None:
    """X47: a quote that is not in the text is refused with the words that differ; nothing of the load is stored."""
    snapshot = held(kb)
    with pytest.raises(QuoteNotFoundError, match=r"row 2.*0\.40"):
        kb.add([claim(), price(quote="costs $0.30 per million input tokens", value="$0.30")], snapshot=snapshot)
    assert kb.claims() == []
    report = kb.add(
        [claim(), price(quote="costs $0.30 per million input tokens", value="$0.30")],
        snapshot=snapshot,
        on_error="report",
    )
    assert (report.added, [one.code for one in report.rejected]) == (1, ["quote_not_found"])


def test_a_load_refuses_a_text_of_another_source(kb: cb.Claimbase) -> None:
    """P1: a quote is proved by its own source's text, never by that of another page; unknown texts are refused."""
    snapshot = held(kb)
    other = claim(source={"url": "https://other.example/"})
    with pytest.raises(EvidenceError, match="another source"):
        kb.add(other, snapshot=snapshot)
    with pytest.raises(UnknownSourceError) as caught:
        kb.add(claim(), snapshot="sha256:0/none")
    assert caught.value.code == "unknown_snapshot"


@pytest.mark.slow
def test_a_text_ingested_later_proves_what_was_read_from_it(kb: cb.Claimbase) -> None:
    """P1: a text of the very reading decides whatever it says; another text only where it holds the quote."""
    kb.add([claim(), price(quote="costs $0.30 per million input tokens", value="$0.30")])
    held(kb)
    kb.evidence.check()
    assert state(kb, ids(kb)["context_window"])[0][0] == "verified"
    assert state(kb, ids(kb)["input_price"])[0][0] == "altered"
    kb.add(claim("1M tokens", "one million tokens", subject="Lark 3", observed_at="2026-02-01"))
    kb.evidence.check()
    (lone,) = [row["claim_id"] for row in kb.claims(subject="Lark 3")]
    assert state(kb, lone) == [("none", "supports", 0)]


def test_checking_again_is_no_news(kb: cb.Claimbase) -> None:
    """B6: what is bound and checked already makes no batch."""
    kb.add([claim(), price()], snapshot=held(kb))
    again = kb.evidence.check()
    assert (again.checked, again.news, again.batch) == (2, 0, None)


@pytest.mark.covers("A46", "A49")
def test_evidence_is_attached_once_and_after_the_claims_own(kb: cb.Claimbase) -> None:
    """§5 merge: a further quote ranks after the primary one; the same quote attached again is nothing."""
    snapshot = held(kb)
    kb.add(claim(), snapshot=snapshot)
    one = ids(kb)["context_window"]
    first = kb.evidence.add(one, snapshot, "Lark 2 reads up to 262,144 tokens per request.")
    again = kb.evidence.add(one, snapshot, "Lark 2 reads up to 262,144 tokens per request.")
    assert (first.evidence_id, again.batch) == (again.evidence_id, None)
    assert [rank for _, _, rank in state(kb, one)] == [0, 1]


@pytest.mark.covers("A12")
def test_attaching_refuses_what_proves_nothing(kb: cb.Claimbase) -> None:
    """P8, P11: empty quotes, words not there, free addresses, unknown ids and forbidden sources are refused by name."""
    snapshot = held(kb)
    kb.add(claim(), snapshot=snapshot)
    one = ids(kb)["context_window"]
    source = snapshot.rpartition("/")[2]
    with pytest.raises(EvidenceError) as empty:
        kb.evidence.add(one, snapshot, "  ")
    with pytest.raises(QuoteNotFoundError, match=r"262,144") as altered:
        kb.evidence.add(one, snapshot, "Lark 2 reads up to 262,145 tokens per request.")
    with pytest.raises(UnknownSourceError) as free:
        kb.evidence.add(one, URL, "reads up to 262,144 tokens")
    with pytest.raises(UnknownSourceError) as unknown:
        kb.evidence.add(one, "s_000000000000", "reads up to 262,144 tokens")
    with pytest.raises(ClaimNotFoundError):
        kb.evidence.add("c_0000000000000000", snapshot, "reads up to 262,144 tokens")
    assert [empty.value.code, free.value.code, unknown.value.code] == ["missing_quote", "free_url", "unknown_snapshot"]
    assert "262,144" in altered.value.details["closest"]
    kb.sources.set(source, allowed=False, reason="the licence ended")
    with pytest.raises(SourceNotAllowedError, match="licence"):
        kb.evidence.add(one, source, "reads up to 262,144 tokens")


@pytest.mark.slow
def test_unverified_evidence_is_stored_on_request_and_says_so(kb: cb.Claimbase) -> None:
    """§7: allow_unverified keeps a quote that does not stand there; its status is kept and proves nothing."""
    snapshot = held(kb)
    kb.add(claim())
    one = ids(kb)["context_window"]
    kept = kb.evidence.add(one, snapshot, "Lark 2 reads 300,000 tokens per request.", allow_unverified=True)
    assert kept.match.status != "verified"
    assert kb.answer("context_window >= 128K").citations[0].evidence == kept.match.status


def test_retired_evidence_is_out_of_use_and_on_record(kb: cb.Claimbase) -> None:
    """§4.2: live evidence is that whose last event is not retired; an earlier basis still sees it."""
    kb.add(claim(), snapshot=held(kb))
    one = ids(kb)["context_window"]
    before = kb.basis()
    (found,) = kb.db.file(
        "queries/evidence_live", {"claims": None, "observed_by": before.observed_by, "recorded_by": before.recorded_by}
    )
    kb.evidence.retire(found[0], reason="wrong passage")
    assert state(kb, one) == []
    assert kb.answer("context_window >= 128K", recorded_by=before.recorded_by).citations[0].evidence == "verified"
    kb.evidence.restore(found[0], reason="it was right")
    assert state(kb, one)[0][0] == "verified"
    with pytest.raises(InputError, match="why"):
        kb.evidence.retire(found[0], reason=" ")
    with pytest.raises(EvidenceError):
        kb.evidence.retire("e_0000000000000000", reason="x")


@pytest.mark.covers("M06")
def test_a_recheck_confirms_what_stands_and_doubts_what_changed(kb: cb.Claimbase) -> None:
    """W2: the quote that stands is confirmed; the one that changed leaves its claim unconfirmed and opens a review."""
    kb.add([claim(), price()], snapshot=held(kb))
    named = ids(kb)
    done = kb.recheck(URL, LATER, observed_at=AGAIN)
    assert done.counts == {"same": 1, "altered": 1}
    (task,) = kb.reviews()
    assert (task["claim_id"], task["decision"]) == (named["input_price"], "pending")
    assert "$0.40" in task["reason"]
    assert "$0.35" in task["reason"]
    assert kb.answer("input_price <= 1").possible
    assert not kb.answer("input_price <= 1").eligible
    assert kb.answer("input_price <= 1", observed_by="2026-03-15").eligible
    (answer,) = kb.answer("context_window >= 128K").eligible
    assert answer.citations[0].last_seen.isoformat() == "2026-04-01T00:00:00+00:00"


@pytest.mark.slow
def test_a_quote_that_moved_is_confirmed_and_one_that_went_is_missing(kb: cb.Claimbase) -> None:
    """§5 recheck: moved = confirmed, gone = quote_missing; nothing is anchored anew."""
    kb.add([claim(), price()], snapshot=held(kb))
    moved = "A new paragraph that is long enough to count as text of its own.\n\n" + PAGE.replace(
        " It costs $0.40 per million input tokens.", " It is sold by the hour."
    )
    done = kb.recheck(URL, moved, observed_at=AGAIN)
    assert done.counts == {"moved": 1, "gone": 1}
    assert [one.now for one in done.found if one.outcome == "gone"] == [None]
    assert not kb.answer("input_price <= 1").eligible
    assert kb.answer("context_window >= 128K").eligible
    assert [one["reason"] for one in kb.reviews()] == ["the quote is gone"]


@pytest.mark.slow
def test_an_unreadable_page_closes_nothing(kb: cb.Claimbase) -> None:
    """§4.4, W2: a failed or refused reading refreshes nothing and proves no change."""
    kb.add(claim(), snapshot=held(kb))
    for text in (None, "too short"):
        done = kb.recheck(URL, text, observed_at=AGAIN)
        assert set(done.counts) <= {"unreachable", "gone"}
    assert kb.recheck(URL, None, observed_at=AGAIN).counts == {"unreachable": 1}


def test_an_unchanged_page_refreshes(kb: cb.Claimbase) -> None:
    """P4, §4.4: reading the same text again adds no snapshot and is a countable reading: the claim is fresh again."""
    kb.add(claim(), snapshot=held(kb))
    before = kb.answer("context_window >= 128K").citations[0].last_seen
    kb.sources.ingest(PAGE, uri=URL, observed_at=AGAIN, profile="markdown")
    after = kb.answer("context_window >= 128K").citations[0].last_seen
    assert (before.month, after.month) == (3, 4)
    assert len(kb.db.query("SELECT * FROM cb.snapshot")) == 1
    assert kb.answer("context_window >= 128K", observed_by="2026-03-20").citations[0].last_seen.month == 3


def test_reviews_end_with_a_decision(kb: cb.Claimbase) -> None:
    """§5: accept, reject and correct close a review; escalate and pending keep it open; the reviewer is named."""
    kb.add(price(), snapshot=held(kb))
    kb.recheck(URL, LATER, observed_at=AGAIN)
    task = kb.reviews()[0]["task_id"]
    kb.decide_review(task, "escalate", reviewer="Ada", note="ask the vendor")
    assert [(one["decision"], one["reviewer"]) for one in kb.reviews()] == [("escalate", "Ada")]
    for wrong, code in (
        ({"task_id": task, "decision": "shrug", "reviewer": "Ada"}, "unknown_decision"),
        ({"task_id": task, "decision": "accept", "reviewer": " "}, "no_reviewer"),
        ({"task_id": "t_0", "decision": "accept", "reviewer": "Ada"}, "unknown_task"),
    ):
        with pytest.raises(InputError) as caught:
            kb.decide_review(**wrong)
        assert caught.value.code == code
    kb.decide_review(task, "correct", reviewer="Ada")
    assert kb.reviews() == []


def test_a_quote_is_found_wherever_it_stands(kb: cb.Claimbase) -> None:
    """N11: without a source every text that holds the words is named; with one the match is told whatever it is."""
    snapshot = held(kb)
    (found,) = kb.find_quote("The batch mode is not offered in the Nordic zone.")
    assert found[0] == snapshot
    assert kb.find_quote("The batch mode is offered in the Nordic zone.") == []
    ((_, match),) = kb.find_quote("The batch mode is offered in the Nordic zone.", snapshot)
    assert match.status == "altered"
    assert [change.kind for change in match.changes] == ["negation"]
    with pytest.raises(UnknownSourceError):
        kb.find_quote("words", "s_000000000000")


@pytest.mark.covers("A31")
def test_the_reading_window_shows_the_words_around(kb: cb.Claimbase) -> None:
    """§3: match and radius on both sides, from the text as read."""
    kb.add(price(), snapshot=held(kb))
    basis = kb.basis()
    (found,) = kb.db.file(
        "queries/evidence_live", {"claims": None, "observed_by": basis.observed_by, "recorded_by": basis.recorded_by}
    )
    window = kb.reading_window(found[0], radius=30)
    assert "costs $0.40 per million input tokens" in window
    assert "Lark 2" in window
    with pytest.raises(EvidenceError):
        kb.reading_window("e_0000000000000000")


@pytest.mark.covers("T17")
def test_what_a_provider_cited_is_looked_for_again(kb: cb.Claimbase) -> None:
    """P1, §7: a provider's citation counts by its words in the text as read; words of the answer alone never pass."""
    held(kb)
    place = {"type": "web_search_result_location", "url": URL, "title": "Docs", "encrypted_index": "x"}
    words = ("It costs $0.40 per million input tokens.", "It costs $0.45 per million input tokens.")
    blocks = [{"type": "text", "text": "So.", "citations": [place | {"cited_text": one} for one in words]}]
    told = kb.check_citations("anthropic", blocks)
    assert [match.status for _, match in told if match] == ["verified", "altered"]
    uncited = kb.check_citations("anthropic", [{"type": "text", "text": "Trust me."}])
    assert [match for _, match in uncited] == [None]
    with pytest.raises(InputError):
        kb.check_citations("oracle", blocks)


@pytest.mark.covers("A59")
def test_an_answer_is_a_flat_table_with_its_sources(kb: cb.Claimbase) -> None:
    """A59, M6: one row per subject, addresses once, and no cell that a spreadsheet would run."""
    kb.add([claim(), claim(subject="=Evil()", quote="x", value="1M tokens")], snapshot=None)
    rows = kb.answer("context_window >= 128K").to_csv(sources=True).splitlines()
    assert rows[0] == "bucket,provider,subject,context_window >= 128K,context_window >= 128K (value),sources"
    assert f'eligible,Lark,Lark 2,met,"262,144 tokens",{URL}' in rows
    assert any(row.startswith("eligible,Lark,'=Evil()") for row in rows)
