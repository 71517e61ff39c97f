"""The tools of evidence for language models: quotes, receipts, sources; what a source wrote stays in its fence."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from test_agents import PAYLOADS, fenced
from test_proving import READ, URL, claim, held, ids, price
from test_verify import ASKED, opened

import claimbase as cb
from claimbase.agents import call
from claimbase.agents.untrusted import RESULT_LIMIT
from claimbase.present import json_text


@pytest.fixture(scope="module")
def kb() -> Iterator[cb.Claimbase]:
    """A base with the page and its two claims."""
    with opened() as base:
        base.add([claim(), price()], snapshot=held(base))
        yield base


def source_of(kb: cb.Claimbase) -> str:
    """The one source's id, as the tool tells it."""
    (one,) = call(kb, "list_sources", {})["sources"]
    return str(one["source_id"])


@pytest.mark.covers("A12")
def test_quotes_are_verified_by_ids_alone(kb: cb.Claimbase) -> None:
    """P8, M4: an address is refused, an id of a source or of its text is taken; unknown ones are refused."""
    words = {"quote": "reads up to 262,144 tokens"}
    for address in (URL, "http://x.example", "file:///etc/passwd"):
        refused = call(kb, "verify_quote", words | {"source_id": address})
        assert (refused["error"], refused["code"]) == ("UnknownSourceError", "free_url")
    found = call(kb, "verify_quote", words | {"source_id": source_of(kb)})
    assert (found["status"], found["tier"], found["changes"]) == ("verified", "exact", [])
    assert call(kb, "verify_quote", words | {"source_id": found["snapshot_id"]}) == found
    unknown = call(kb, "verify_quote", words | {"source_id": "s_000000000000"})
    assert unknown["error"] == "UnknownSourceError"
    early = call(kb, "verify_quote", words | {"source_id": source_of(kb), "observed_by": "2026-02-01"})
    assert early["error"] == "UnknownSourceError"


def test_altered_words_are_told_inside_the_fence(kb: cb.Claimbase) -> None:
    """M2, N10: kinds of changes stand outside, the words of quote and text inside untrusted objects."""
    asked = {"source_id": source_of(kb), "quote": "reads up to 262,145 tokens per request"}
    found = call(kb, "verify_quote", asked)
    assert (found["status"], found["changes"]) == ("altered", [{"kind": "number", "severity": "fail"}])
    assert found["source"]["untrusted"] is True
    assert found["source"]["changed"] == [{"quote": "262,145", "source": "262,144"}]
    assert "262,14" not in json.dumps(fenced(found))


def test_a_receipt_is_given_in_short(kb: cb.Claimbase) -> None:
    """M3: verdict, checks, claims and quotes; a basis before it was made does not see it; unknown ids are refused."""
    made = kb.verify(kb.answer(*ASKED))
    found = call(kb, "get_receipt", {"receipt_id": made.id})
    assert (found["id"], found["kind"], found["passed"]) == (made.id, "answer", True)
    assert {one["name"] for one in found["checks"]} == {row.name for row in made.checks}
    assert sorted(one["claim_id"] for one in found["claims"]) == sorted(ids(kb).values())
    assert {one["status"] for one in found["quotes"]} == {"verified"}
    assert "costs $0.40" not in json.dumps(fenced(found))
    assert "costs $0.40 per million input tokens" in json.dumps(found)
    early = call(kb, "get_receipt", {"receipt_id": made.id, "recorded_by": "2026-03-01T12:00:00Z"})
    missing = call(kb, "get_receipt", {"receipt_id": "r_0000000000000000"})
    assert (early["code"], missing["code"]) == ("unknown_receipt", "unknown_receipt")


def test_sources_are_listed_by_subject(kb: cb.Claimbase) -> None:
    """P8: ids come from the list; what a source says of itself is fenced."""
    (one,) = call(kb, "list_sources", {"subject": "Lark 2"})["sources"]
    assert one["claims"] == 2
    assert one["snapshot_id"].endswith(one["source_id"])
    assert one["source"]["url"] == URL
    assert URL not in json.dumps(fenced(one))
    assert call(kb, "list_sources", {"subject": "Nobody"})["code"] == "unknown_subject"


@pytest.mark.parametrize(
    "payload",
    [PAYLOADS[0], *(pytest.param(one, marks=pytest.mark.slow) for one in PAYLOADS[1:])],
)
def test_a_payload_in_a_text_stays_fenced(payload: str) -> None:
    """M2, P12: hostile words in page, quote, title and value reach a model inside untrusted objects only."""
    text = f"# Page\n\nLark 2 reads 262,144 tokens. {payload} It is said so here, and nowhere else at all.\n"
    url = "https://evil.example/page"
    with opened() as kb:
        done = kb.sources.ingest(text, uri=url, observed_at=READ, source={"title": payload, "publisher": payload})
        kb.add(claim(quote=payload, reasoning=payload, source={"url": url, "title": payload}))
        kb.evidence.check()
        made = kb.verify(ids(kb)["context_window"])
        calls: tuple[tuple[str, dict[str, Any]], ...] = (
            ("verify_quote", {"source_id": done.source_id, "quote": payload}),
            ("verify_quote", {"source_id": done.source_id, "quote": f"Lark 2 reads 262,145 tokens. {payload}"}),
            ("get_receipt", {"receipt_id": made.id}),
            ("list_sources", {}),
        )
        inner = json.dumps(" ".join(payload.split()))[1:-1]
        for name, arguments in calls:
            found = call(kb, name, arguments)
            assert "error" not in found, found
            outside = json.dumps(fenced(found))
            assert inner not in outside
            assert json.dumps(payload)[1:-1] not in outside
            written = json_text(found, indent=None)
            assert (len(written.splitlines()), json.loads(written)) == (1, found)
            assert len(written.encode()) <= RESULT_LIMIT
