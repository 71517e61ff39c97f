"""Verifying through a base: what passes and what does not; receipts kept, made again, emptied; reports and judges."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from copies import copied, declared
from test_proving import AGAIN, LATER, PAGE, READ, URL, claim, held, ids, price

import claimbase as cb
from claimbase.errors import ClaimNotFoundError, InputError, ReceiptError
from claimbase.evidence.judging import SupportItem, SupportVerdict
from claimbase.evidence.policy import Policy, load_policy
from claimbase.receipts.model import Receipt

SOON = datetime(2026, 3, 2, tzinfo=UTC)
ASKED = ("context_window >= 128K", "input_price <= $1/Mtok")
SENTENCE = "Lark 2 reads up to 262,144 tokens per request."
NONE = "c_0000000000000000"
DOI = "10.5555/lark.2026"


def opened(path: Path | None = None, **options: Any) -> cb.Claimbase:
    """A base one day after the page was read."""
    return cb.open(path, clock=cb.FixedClock(SOON), **options)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a base with the page and its two claims."""
    file = tmp_path_factory.mktemp("verify") / "b.duckdb"
    with opened(file) as base:
        base.add([claim(), price()], snapshot=held(base))
    return file


@pytest.fixture
def kb(prepared: Path) -> Iterator[cb.Claimbase]:
    """A copy of it."""
    with copied(prepared, cb.FixedClock(SOON)) as base:
        yield base


@pytest.fixture
def bare() -> Iterator[cb.Claimbase]:
    """A base with nothing in it."""
    with declared(cb.FixedClock(SOON)) as base:
        yield base


def failing(receipt: Receipt) -> set[str]:
    """The checks that fail a receipt."""
    return {row.name for row in receipt.checks if row.severity == "gate" and not row.ok}


def standing(receipt: Receipt) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Status and reasons of each predicate."""
    return {row.predicate: (row.status.value, tuple(row.reasons)) for row in receipt.claims.rows}


# -- what passes -----------------------------------------------------------------------------------------------------


@pytest.mark.covers("T16", "M06")
def test_an_answer_whose_words_all_stand_passes(kb: cb.Claimbase) -> None:
    """§6.3: every claim of the answer has verified words in a text just read, so each check of the gate is ok."""
    receipt = kb.verify(kb.answer(*ASKED))
    assert (receipt.kind, receipt.passed, failing(receipt)) == ("answer", True, set())
    assert standing(receipt) == {"context_window": ("supported", ()), "input_price": ("supported", ())}
    assert [row["status"] for row in receipt.rows("quotes")] == ["verified", "verified"]
    assert [one["predicate"] for one in receipt.subject.query["constraints"]] == ["context_window", "input_price"]
    assert receipt.subject.plan[0].step == "active"
    assert [row["snapshot_id"] for row in receipt.rows("snapshots")] == [kb.find_quote(SENTENCE)[0][0]]


def test_an_altered_quote_fails(bare: cb.Claimbase) -> None:
    """N6: one digit of the quote differs from the text of that very reading: altered, with the words, and it fails."""
    bare.add([claim("262,145 tokens", "reads up to 262,145 tokens"), price()])
    held(bare)
    bare.evidence.check()
    receipt = bare.verify(sorted(ids(bare).values()))
    assert {"quote-integrity"} <= failing(receipt)
    assert standing(receipt)["context_window"] == ("unverified", ("quote-altered",))
    assert standing(receipt)["input_price"] == ("supported", ())
    (altered,) = [row for row in receipt.rows("quotes") if row["status"] == "altered"]
    assert altered["closest"] == "reads up to 262,144 tokens"
    assert [(one["quote"], one["source"]) for one in altered["changes"]] == [("262,145", "262,144")]


@pytest.mark.covers("H04")
def test_words_without_a_text_fail(bare: cb.Claimbase) -> None:
    """P6: no text as read is behind the quote: unverifiable is its own word and passes nothing."""
    bare.add(claim())
    receipt = bare.verify(ids(bare)["context_window"])
    assert {"snapshot-present", "quote-integrity"} <= failing(receipt)
    assert standing(receipt)["context_window"] == ("unverified", ("no-source-text",))
    assert [row["status"] for row in receipt.rows("quotes")] == ["unverifiable"]


@pytest.mark.slow
def test_a_forbidden_source_blocks(kb: cb.Claimbase) -> None:
    """§5: a source that may not be used leaves the claim blocked; at the basis before, the claim is as it was (P7)."""
    source, before = kb.sources.list().rows()[0]["source_id"], kb.basis()
    kb.sources.set(source, allowed=False, reason="the licence ended")
    receipt = kb.verify(sorted(ids(kb).values()))
    assert failing(receipt) == {"source-allowed"}
    assert {status for status, _ in standing(receipt).values()} == {"blocked"}
    assert kb.verify(sorted(ids(kb).values()), recorded_by=before.recorded_by).passed


def test_a_source_of_one_tenant(kb: cb.Claimbase) -> None:
    """T20: a source of one tenant proves nothing for another."""
    kb.sources.set(kb.sources.list().rows()[0]["source_id"], tenant="north")
    asked = sorted(ids(kb).values())
    assert kb.verify(asked, tenant="north").passed
    assert failing(kb.verify(asked, tenant="south")) == {"source-allowed"}


@pytest.mark.slow
def test_a_withdrawn_source_speaks_no_more(kb: cb.Claimbase) -> None:
    """§5: all that proves the claims lies in a source that was withdrawn; before, it had not been."""
    asked, before = sorted(ids(kb).values()), kb.basis()
    kb.retract(URL, reason="taken down by its publisher")
    assert kb.verify(asked, recorded_by=before.recorded_by).passed
    assert set(standing(kb.verify(asked)).values()) == {("source-retracted", ("source-withdrawn",))}
    assert kb.verify(kb.answer(*ASKED)).claims.rows == ()


@pytest.mark.covers("T21")
def test_an_open_review_fails_until_somebody_decides(bare: cb.Claimbase) -> None:
    """§5, T06: what a page read again put in doubt fails the gate until a person decided; the old claim stays."""
    with declared(cb.FixedClock(datetime(2026, 4, 2, tzinfo=UTC))) as kb:
        kb.add(price(), snapshot=held(kb))
        kb.recheck(URL, LATER, observed_at=AGAIN)
        one = ids(kb)["input_price"]
        assert "review-complete" in failing(kb.verify(one))
        (task,) = kb.reviews()
        kb.decide_review(task["task_id"], "escalate", reviewer="Ada")
        assert "review-complete" in failing(kb.verify(one))
        kb.decide_review(task["task_id"], "correct", reviewer="Ada", note="the page says $0.35 now")
        decided = kb.verify(one)
        assert "review-complete" not in failing(decided)
        assert [row["reviewer"] for row in decided.rows("review")][-1] == "Ada"
        assert standing(decided)["input_price"][0] != "missing"


@pytest.mark.slow
@pytest.mark.covers("H15")
def test_a_retracted_publication(bare: cb.Claimbase, tmp_path: Path) -> None:
    """H16: citing a publication that was retracted fails, unless the evidence says that it was."""
    file = tmp_path / "notices.jsonl"
    file.write_text(f'{{"doi": "{DOI}", "status": "retracted", "notice_date": "2026-02-01"}}\n', encoding="utf-8")
    page = {"url": f"https://doi.example/{DOI}", "source_type": "paper"}
    text = f"Lark 2 in practice. {SENTENCE} We measured it twice.\n"
    done = bare.sources.ingest(text, uri=page["url"], observed_at=READ)
    bare.sources.set(str(done.source_id), doi=DOI)
    bare.add(claim(source=page), snapshot=done.snapshot_id)
    one = ids(bare)["context_window"]
    assert "retracted-citations" not in failing(bare.verify(one))
    bare.import_notices(file, provider="watch", observed_at=READ)
    receipt = bare.verify(one)
    assert failing(receipt) == {"retracted-citations"}
    assert standing(receipt)["context_window"] == ("source-retracted", ("publication-retracted",))
    assert [(row["doi"], row["status"]) for row in receipt.rows("retractions")] == [(DOI, "retracted")]
    for report, told in (
        (f"The paper says: {SENTENCE} [{one}]\n", False),
        (f"This retracted paper says: {SENTENCE} [{one}]\n", True),
        (f"This paper, which has not been retracted, says: {SENTENCE} [{one}]\n", False),
        (f"This retracted paper says so [{one}].\n\n{'Other things are said. ' * 20}\n\n{SENTENCE} [{one}]\n", False),
        (f"The paper says: {SENTENCE} [{done.source_id}]\n", False),
    ):
        found = bare.verify(report=report)
        assert ("retracted-citations" not in failing(found)) == told, report
        assert [row["noted_in_document"] for row in found.rows("retractions")] == [told]


def test_a_policy_moves_checks(bare: cb.Claimbase) -> None:
    """§6.3: a policy in TOML decides which checks must hold; its digest is part of the receipt."""
    bare.add(claim())
    one = ids(bare)["context_window"]
    lax = load_policy('name = "lax"\nwarn = ["snapshot-present", "quote-integrity", "value-in-quote"]\n')
    receipt = bare.verify(one, policy=lax)
    assert (receipt.passed, receipt.policy.sha256) == (True, lax.sha256)
    assert {row.name: row.outcome.value for row in receipt.checks}["snapshot-present"] == "warning"
    with pytest.raises(InputError, match="no check is called"):
        load_policy('warn = ["quote-integrty"]')


@pytest.mark.slow
@pytest.mark.covers("A44")
def test_what_is_required_and_lacking(kb: cb.Claimbase) -> None:
    """§6: a predicate that every subject must have is a gap without a claim; it fails where the policy gates it."""
    strict = Policy(required_predicates=("max_output",), gate=("coverage",))
    receipt = kb.verify(sorted(ids(kb).values()), policy=strict)
    assert failing(receipt) == {"coverage"}
    found = {row["predicate"]: (row["required"], row["status"]) for row in receipt.rows("coverage")}
    assert found["max_output"] == (True, "gap")
    assert any("max_output" in row["question"] for row in receipt.rows("unresolved"))
    assert kb.verify(sorted(ids(kb).values()), policy=Policy(required_predicates=("max_output",))).passed


def test_what_cannot_be_verified_is_refused(kb: cb.Claimbase) -> None:
    """§7: nothing named, two things named, an unknown claim: each has its own error and keeps nothing."""
    with pytest.raises(InputError) as nothing:
        kb.verify([])
    with pytest.raises(InputError) as both:
        kb.verify(sorted(ids(kb).values()), report="x")
    with pytest.raises(ClaimNotFoundError):
        kb.verify([NONE])
    assert [nothing.value.code, both.value.code] == ["empty_input", "two_subjects"]
    assert kb.receipts() == []


# -- receipts kept, made again, emptied ------------------------------------------------------------------------------


@pytest.mark.covers("A01", "A19", "A26", "A57")
def test_the_cell_holds_all_of_a_value(kb: cb.Claimbase) -> None:
    """A01, A26, A57: value, sources, evidence and a short mark of validation; a notebook shows it escaped."""
    shown = kb.cell(ids(kb)["input_price"])
    assert (shown["value"], shown["unit"], shown["subject"]) == ("$0.40", "usd_per_mtok", "Lark 2")
    assert shown["_validation"] == {"s": "ok", "r": None}
    assert shown["_sources"] == [shown["primary_source"]]
    (one,) = shown["evidence"]
    assert PAGE[one["start"] : one["end"]] == one["quote"] == "costs $0.40 per million input tokens"
    assert "costs $0.40" in shown._repr_html_()
    assert "(ok)" in repr(shown)
    kb.add(price(subject="Lark <3>", quote="it is <b>$0.40</b>"))
    (row,) = kb.claims(subject="Lark <3>")
    doubted = kb.cell(row["claim_id"])
    assert doubted["_validation"] == {"s": "fail", "r": "no-source-text"}
    assert "<b>" not in doubted._repr_html_()
    with pytest.raises(ClaimNotFoundError):
        kb.cell(NONE)


@pytest.mark.slow
def test_a_receipt_is_kept_as_it_was_made(kb: cb.Claimbase, tmp_path: Path) -> None:
    """P9: the ledger gives back the very bytes; their digest is the receipt's; a file of it is the same receipt."""
    made = kb.verify(kb.answer(*ASKED))
    kept = kb.receipt(made.id)
    assert kept == made
    assert hashlib.sha256(kept.canonical_bytes()).hexdigest() == made.ledger.body_sha256
    ((listed,), root) = (kb.receipts(), kb.checkpoint()["root"])
    assert (listed["receipt_id"], listed["passed"], listed["erased"]) == (made.id, True, False)
    assert (listed["batch_id"], root) == (made.ledger.batch_id, made.ledger.batch_root)
    file = tmp_path / "r.json"
    file.write_text(made.export(), encoding="utf-8")
    assert Receipt.load(file) == made
    with pytest.raises(ReceiptError) as unknown:
        kb.receipt("r_0000000000000000")
    assert unknown.value.code == "unknown_receipt"
    assert kb.verify_ledger().ok


REPORT = """# Lark

Lark 2 {claim} costs $0.40 per million input tokens [{price}]. It is the best model [{window}].

The page says “reads up to 262,144 tokens per request” [{window}]. See [c_0000000000000000].
"""


def written(kb: cb.Claimbase) -> str:
    """The report, with the claims of the base."""
    named = ids(kb)
    return REPORT.format(claim="now", price=named["input_price"], window=named["context_window"])


@pytest.mark.slow
def test_every_receipt_can_be_made_again(kb: cb.Claimbase) -> None:
    """P7, §6.6: claims, answer and report give the same bytes again, also after all that was written since."""
    report = written(kb)
    at = {"as_of": "2026-03-01T12:00:00Z"}
    made = [kb.verify(sorted(ids(kb).values()), **at), kb.verify(kb.answer(*ASKED, **at)), kb.verify(report=report)]
    assert [one.kind for one in made] == ["claims", "answer", "document"]
    other = claim("200K", "two hundred", source={"url": "https://other.example/"})
    writes = (
        lambda: kb.add(other), lambda: kb.sources.ingest(LATER, uri=URL, observed_at="2026-03-01T09:00Z"),
        lambda: kb.sources.set(kb.sources.list().rows()[0]["source_id"], allowed=False, reason="no"),
    )  # fmt: skip
    for write in writes:
        write()
    for one in made:
        again = kb.replay(one, report=report if one.kind == "document" else None)
        assert (again.same, again.after) == (True, one.id), (one.kind, again.rows()[:3])
    assert kb.replay(made[0].id).same
    with pytest.raises(ReceiptError) as lacking:
        kb.replay(made[2])
    assert lacking.value.code == "no_report"


@pytest.mark.slow
def test_a_replay_tells_what_differs(kb: cb.Claimbase) -> None:
    """§6.6: a receipt that says something else than the base does is named row by row."""
    made = kb.verify(ids(kb)["input_price"])
    parts = {
        name: getattr(made, name) for name in type(made).model_fields if name not in ("schema_version", "id", "ledger")
    }
    (quote,) = made.quotes.rows
    parts["quotes"] = made.quotes.model_copy(update={"rows": (quote.model_copy(update={"quote": "costs $4.00"}),)})
    found = kb.replay(Receipt.sealed(**parts))
    assert [(one.part, one.row, one.field) for one in found.differences] == [
        ("quotes.rows", quote.evidence_id, "quote")
    ]


def test_a_receipt_of_another_base_is_not_judged(kb: cb.Claimbase, bare: cb.Claimbase) -> None:
    """§6.6: the ledger's root at the receipt's basis must be the one it names."""
    made = kb.verify(ids(kb)["input_price"])
    bare.add(claim(), snapshot=held(bare))
    with pytest.raises(ReceiptError) as caught:
        bare.replay(made)
    assert caught.value.code == "other_base"


@pytest.mark.slow
@pytest.mark.covers("A12")
def test_an_earlier_basis_gives_the_earlier_verdict(bare: cb.Claimbase) -> None:
    """P7, P8: what was proved later is unproved at the basis before; sources are cited by the ids ingest gave."""
    bare.add(claim())
    one, before = ids(bare)["context_window"], bare.basis()
    snapshot = held(bare)
    bare.evidence.check()
    assert standing(bare.verify(one))["context_window"] == ("supported", ())
    assert bare.verify(one).sources == (snapshot.rpartition("/")[2],)
    earlier = bare.verify(one, recorded_by=before.recorded_by)
    assert standing(earlier)["context_window"] == ("unverified", ("no-source-text",))
    assert "ledger-intact" not in failing(earlier)


@pytest.mark.slow
def test_a_base_open_for_reading_keeps_nothing(tmp_path: Path) -> None:
    """C8: a reader gets a receipt that is stored nowhere, and says so."""
    file = tmp_path / "b.duckdb"
    with opened(file) as kb:
        kb.add(claim(), snapshot=held(kb))
    with opened(file, read_only=True) as kb:
        made = kb.verify(ids(kb)["context_window"])
        assert (made.passed, made.ledger.batch_id, kb.receipts()) == (True, None, [])
        assert made.body_sha256 == made.ledger.body_sha256


@pytest.mark.slow
def test_erasing_empties_texts_and_receipts(kb: cb.Claimbase) -> None:
    """G8: texts and receipts that hold the claim's words are emptied, the ledger holds, other claims lose the text."""
    named, report = ids(kb), written(kb)
    both = [kb.verify(sorted(named.values())), kb.verify(report=report)]
    other = kb.verify(named["context_window"])
    kb.erase(named["input_price"], reason="the law")
    for one in both:
        with pytest.raises(ReceiptError) as caught:
            kb.receipt(one.id)
        assert caught.value.code == "erased"
    listed = {row["receipt_id"]: row["erased"] for row in kb.receipts()}
    assert all(listed[one.id] for one in both)
    assert other.id in listed
    assert kb.verify_ledger().ok
    assert standing(kb.verify(named["context_window"]))["context_window"] == ("unverified", ("erased",))
    assert kb.db.query("SELECT count(*) FROM cb.snapshot WHERE text IS NOT NULL").rows == [(0,)]
    with pytest.raises(ClaimNotFoundError):
        kb.verify(named["input_price"])


# -- reports and judges ----------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.covers("H12", "H18", "H19")
def test_a_report_is_read_pair_by_pair(kb: cb.Claimbase) -> None:
    """§6.4: each sentence with what it cites; the same words pass by themselves; what leads nowhere fails."""
    named = ids(kb)
    text = (
        f"Reads up to 262,144 tokens [{named['context_window']}]. It is the best [{named['context_window']}].\n\n"
        f"The page says “costs $0.45 per million input tokens” [{named['input_price']}]. So be it [{NONE}].\n"
    )
    receipt = kb.verify(report=text)
    assert failing(receipt) == {"dangling-citation", "quote-integrity"}
    pairs = receipt.rows("support")
    assert [(row["verdict"], row["method"]) for row in pairs] == [
        ("supported", "mechanical"), ("not-checked", None), ("not-checked", None)
    ]  # fmt: skip
    assert [row["claim_id"] for row in pairs] == [
        named[one] for one in ("context_window", "context_window", "input_price")
    ]
    (quoted,) = [row for row in receipt.rows("quotes") if row["evidence_id"].startswith("q_")]
    assert (quoted["status"], quoted["closest"]) == ("altered", "costs $0.40 per million input tokens")
    found = {row.name: (row.counted, row.failed) for row in receipt.checks}
    assert found["dangling-citation"] == (4, 1)


@pytest.mark.slow
def test_a_source_cited_by_a_report_alone_is_judged_too(kb: cb.Claimbase) -> None:
    """P8, §5: a report may name a source without a claim; one that may not be used fails it all the same."""
    source = kb.sources.list().rows()[0]["source_id"]
    report = f"{SENTENCE} [{source}]\n"
    assert kb.verify(report=report).passed
    kb.sources.set(source, allowed=False, reason="the licence ended")
    assert failing(kb.verify(report=report)) == {"source-allowed"}


class Reader:
    """A judge who says the same of everything, and remembers what was asked."""

    def __init__(self, verdict: str, span: str | None) -> None:
        self.verdict, self.span = verdict, span
        self.asked: list[str] = []

    def judge(self, items: Sequence[SupportItem]) -> list[SupportVerdict]:
        """Say it."""
        self.asked += [one.statement for one in items]
        return [one.says(self.verdict, checker="Ada", span=self.span) for one in items]


@pytest.mark.covers("A32", "A34", "A39", "A40", "A41")
def test_a_judge_is_asked_once_and_named(kb: cb.Claimbase) -> None:
    """P5, A34: verdicts are kept with their author and not asked again; words that stand nowhere make them unclear."""
    report = f"It is the largest window of all [{ids(kb)['context_window']}].\n"
    reader = Reader("supported", "reads up to 262,144 tokens")
    first = kb.verify(report=report, judge=reader)
    again = kb.verify(report=report, judge=reader)
    without = kb.verify(report=report)
    assert len(reader.asked) == 1
    for one in (first, again, without):
        ((row),) = one.rows("support")
        assert (row["verdict"], row["checker"], row["method"]) == ("supported", "Ada", "human")
    assert kb.replay(first, report=report).same
    assert kb.replay(again, report=report).same
    doubted = Reader("supported", "words that stand nowhere")
    ((row),) = kb.verify(report=report.replace("largest", "best"), judge=doubted).rows("support")
    assert (row["verdict"], row["downgraded_from"]) == ("unclear", "supported")


@pytest.mark.covers("H10")
def test_what_a_judge_refuses_fails(kb: cb.Claimbase) -> None:
    """H10: an unsupported claim fails, unless the policy allows it; the verdict stays written either way."""
    one = ids(kb)["context_window"]
    reader = Reader("unsupported", "reads up to 262,144 tokens")
    receipt = kb.verify(one, judge=reader)
    assert len(reader.asked) == 1
    assert "cite-check-resolved" in failing(receipt)
    assert [row["verdict"] for row in receipt.rows("support")] == ["unsupported"]
    assert kb.replay(receipt).same
    assert "cite-check-resolved" not in failing(kb.verify(one, policy=Policy(allow_unsupported=True)))
