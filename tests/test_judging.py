"""Judging: what goes to a judge, what comes back and counts, what is never asked twice (evidence §5)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from receipt_world import PAGE, PRICE, WINDOW, absence, changed, claim, dossier, evidence, price, snapshot, source

from claimbase.errors import InputError
from claimbase.evidence.align import SourceText, align
from claimbase.evidence.judging import (
    BATCH_CHARACTERS,
    BATCH_ITEMS,
    RUBRICS,
    WINDOWS_MOST,
    Ruling,
    SourceWindow,
    SupportItem,
    SupportVerdict,
    ask,
    batches,
    cache_key,
    claim_items,
    exempt,
    labelled,
    rubric,
    rubric_of,
)
from claimbase.evidence.model import Match
from claimbase.evidence.terms import Method, QuoteStatus, Role, Verdict

NAME = "sha256:00/s_aaaaaaaaaaaa"


def window(text: str = PAGE, quote: str | None = PRICE, *, verified: bool = True, **more: Any) -> SourceWindow:
    """A passage with a verified quote."""
    return SourceWindow("A", "s_aaaaaaaaaaaa", NAME, text, quote, verified, **more)


STATED = "Aurora · input_price: $0.80"


def item(statement: str = STATED, name: str = "values", *windows: SourceWindow, **more: Any) -> SupportItem:
    """A statement with its passage."""
    return SupportItem(name, statement, windows or (window(),), **more)


class Judge:
    """A judge by a rule of one line; it notes the batches it is handed."""

    def __init__(self, rule: Callable[[SupportItem], Any]) -> None:
        self.rule, self.batches = rule, list[list[SupportItem]]()

    def judge(self, items: list[SupportItem]) -> list[SupportVerdict]:
        """Apply the rule to each."""
        self.batches.append(items)
        return [self.rule(one) for one in items]


def says(verdict: str, span: str | None = None, **more: Any) -> Judge:
    """A person who says the same of everything."""
    return Judge(lambda one: one.says(verdict, checker="a reader", span=span, **more))


def one(given: SupportItem, judge: Any) -> Ruling:
    """The ruling on one item."""
    (ruling,) = ask(judge, [given])
    return ruling


# -- rubrics ---------------------------------------------------------------------------------------------------------


@pytest.mark.covers("A32", "A33", "A43")
@pytest.mark.parametrize("name", RUBRICS)
def test_every_rubric_says_what_must_not_pass(name: str) -> None:
    """A32, A33, A43: each names the verdicts, refuses the count of a result list, and forbids framing Y as X.

    It asks for the words that a verdict rests on, and takes no instruction from a passage (P12).
    """
    text = " ".join(rubric(name).split())
    assert all(f"**{verdict}**" in text for verdict in Verdict if verdict is not Verdict.NOT_CHECKED)
    assert "The count of a result list never proves a number of things" in text
    assert "no source says X" in text
    assert "careful reader would give, not the one that passes" in text
    assert "material, not instructions" in text
    assert "exactly as they stand" in text


@pytest.mark.covers("A32", "A33")
def test_rubrics_differ_by_what_is_claimed() -> None:
    """A32, A33: proxies are refused for values, inference is allowed for judgements, edges have a direction."""
    assert "Evidence for something near it" in rubric("values")
    assert "may be inferred" in rubric("rules")
    assert "in this direction" in " ".join(rubric("edges").split())
    assert [rubric_of(one) for one in (price(), absence(), price(kind="bool"), price(kind="entity"))] == [
        "values", "rules", "rules", "edges",
    ]  # fmt: skip
    with pytest.raises(InputError) as unknown:
        rubric("../values")
    assert unknown.value.code == "unknown_rubric"


def test_rubrics_ship_with_the_package(checkout: Path) -> None:
    """The texts lie inside the package, so that an installed one has them."""
    assert {path.stem for path in (checkout / "claimbase" / "evidence" / "rubrics").glob("*.md")} == set(RUBRICS)


# -- keys and batches ------------------------------------------------------------------------------------------------

KEY: dict[str, Any] = {
    "sources": ["s_1"], "value": "$0.80", "quotes": ["it costs $0.80"], "digests": ["sha256:ab/s_1"],
    "rubric_name": "values",
}  # fmt: skip


@pytest.mark.covers("A34")
@pytest.mark.parametrize(
    "other",
    [
        {"sources": ["s_2"]},
        {"sources": ["s_1", "s_2"]},
        {"value": "$0.81"},
        {"quotes": ["it cost $0.80"]},
        {"digests": ["sha256:ac/s_1"]},
        {"rubric_name": "rules"},
    ],
)
def test_a_key_holds_all_that_a_verdict_rests_on(other: dict[str, Any]) -> None:
    """A34: sources, value, quote, snapshot digests and rubric; the same gives the same, anything else another."""
    assert cache_key(**KEY) == cache_key(**KEY)
    assert re.fullmatch("[0-9a-f]{64}", cache_key(**KEY))
    assert cache_key(**KEY | other) != cache_key(**KEY)


@pytest.mark.covers("A34")
def test_the_wording_of_a_rubric_is_part_of_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """A34: a rubric that was changed judges again, although its name is the same."""
    before = cache_key(**KEY)
    monkeypatch.setattr("claimbase.evidence.judging.rubric", lambda name: "another text")
    assert cache_key(**KEY) != before


@pytest.mark.covers("A34")
@pytest.mark.parametrize(
    "other",
    [
        item("Borealis · input_price: $0.80"),
        item(value="$0.80"),
        item(subject="Aurora"),
        item(reasoning="it says so"),
        item(context="Before."),
        item(STATED, "rules"),
        item(STATED, "values", window(quote="another")),
        item(STATED, "values", window(verified=False)),
        item(STATED, "values", window(snippet=True)),
        item(STATED, "values", replace(window(), snapshot_id="sha256:01/s_aaaaaaaaaaaa")),
        item(STATED, "values", replace(window(), source_id="s_b")),
    ],
)
def test_every_part_of_an_item_is_in_its_key(other: SupportItem) -> None:
    """A34: items that differ in anything a judge sees have different keys."""
    assert other.key != item().key


@pytest.mark.covers("A35")
def test_items_go_in_batches_of_one_rubric() -> None:
    """A35: at most 25 items and 100,000 characters at once, each batch of one rubric, nothing lost and in order."""
    small = [item(f"Number {number}", RUBRICS[number % 3]) for number in range(100)]
    cut = list(batches(small))
    assert sorted(one.key for batch in cut for one in batch) == sorted(one.key for one in small)
    assert all(len({one.rubric for one in batch}) == 1 and len(batch) <= BATCH_ITEMS for batch in cut)
    assert [len(batch) for batch in cut] == [25, 9, 25, 8, 25, 8]
    large = [item(f"Number {number}", "values", window("x" * 9_000)) for number in range(30)]
    sizes = [sum(len(one.statement) + len(one.windows[0].text) for one in batch) for batch in batches(large)]
    assert len(sizes) == 3
    assert max(sizes) <= BATCH_CHARACTERS
    huge = [item("One", "values", window("x" * 300_000))]
    assert list(batches(huge)) == [huge]


@pytest.mark.covers("A39", "A35")
def test_what_is_known_is_not_asked_again() -> None:
    """A34, A39: unchanged evidence is not judged twice, equal items are asked once, the order is that of the items."""
    items = [item("One"), item("Two"), item("One"), item("Three")]
    judge = says("supported")
    first = ask(judge, items)
    assert [one.statement for batch in judge.batches for one in batch] == ["One", "Two", "Three"]
    assert [one.key for one in first] == [one.key for one in items]
    known = {one.key: one for one in first}
    again = says("unsupported")
    second = ask(again, [*items, item("Four")], known)
    assert [one.statement for batch in again.batches for one in batch] == ["Four"]
    assert [one.verdict for one in second] == ["supported"] * 4 + ["unsupported"]
    assert [one.lasting for one in first] == [True] * 4
    assert [one.lasting for one in second] == [False] * 4 + [True]


# -- answers that count ----------------------------------------------------------------------------------------------


@pytest.mark.covers("A41", "H09")
@pytest.mark.parametrize("name", RUBRICS)
@pytest.mark.parametrize("verdict", list(Verdict))
def test_every_verdict_comes_through(verdict: Verdict, name: str) -> None:
    """§5, A41: a verdict on words that stand there is given as it was said, with its author, whatever it says."""
    ruling = one(item("x y z", name), says(verdict, "$0.80 per million", method="model", note="read"))
    assert (ruling.verdict, ruling.checker, ruling.method, ruling.note) == (verdict, "a reader", Method.MODEL, "read")
    assert ruling.span == "$0.80 per million"
    assert ruling.downgraded_from is None
    assert ruling.lasting is (verdict is not Verdict.NOT_CHECKED)


@pytest.mark.covers("A30", "A40")
@pytest.mark.parametrize("verdict", ["supported", "partially-supported", "unsupported", "wrong-source"])
@pytest.mark.parametrize("name", RUBRICS)
@pytest.mark.parametrize(
    "span",
    [
        "Aurora is free of charge",
        "$0.90 per million input tokens",
        "The Aurora model costs $0.80 per million inpput tokens",
        " ",
        "costs $0.8",
    ],
)
def test_a_verdict_on_words_that_are_not_there_is_unclear(verdict: str, name: str, span: str) -> None:
    """A30, A40: whatever it says, with what was said and why it does not count."""
    ruling = one(item("x y z", name), says(verdict, span, note="I saw it"))
    assert (ruling.verdict, ruling.downgraded_from) == (Verdict.UNCLEAR, verdict)
    assert ruling.note == "the words it rests on do not stand in the passages shown; I saw it"
    assert ruling.lasting


@pytest.mark.covers("A30")
@pytest.mark.parametrize("verdict", ["supported", "partially-supported", "unsupported", "wrong-source"])
def test_a_verdict_on_quotes_that_were_not_found_is_unclear(verdict: str) -> None:
    """A30: a judge that names no words rests on the quotes it was shown; if none was found, on nothing."""
    unfound = item("x y z", "values", window(verified=False), window(verified=False))
    ruling = one(unfound, says(verdict))
    assert (ruling.verdict, ruling.downgraded_from) == (Verdict.UNCLEAR, verdict)
    assert "not found" in str(ruling.note)
    half = one(item("x y z", "values", window(verified=False), window()), says(verdict))
    assert half.verdict == verdict
    assert one(item("x", "values", window(verified=False)), says(verdict, "costs $0.80")).verdict == verdict
    bare = SupportItem("values", "x", ())
    assert one(bare, says(verdict)).verdict is Verdict.UNCLEAR


@pytest.mark.covers("A40", "A41")
@pytest.mark.parametrize("verdict", ["supported", "partially-supported", "unsupported", "wrong-source"])
@pytest.mark.parametrize("name", ["rules", "edges"])
def test_a_judgement_without_words_is_unclear(name: str, verdict: str) -> None:
    """A40: a rule verdict that names no words cannot be confirmed; an edge without them is inferred, not stated."""
    ruling = one(item("x y z", name), says(verdict))
    assert (ruling.verdict, ruling.downgraded_from) == (Verdict.UNCLEAR, verdict)
    assert ruling.note == "it names no words of a source"
    honest = one(item("x y z", name), says("unclear"))
    assert (honest.verdict, honest.downgraded_from, honest.note) == (Verdict.UNCLEAR, None, None)


@pytest.mark.covers("H08")
def test_a_value_that_is_supported_shows_its_words() -> None:
    """H08: without a span the verified quote is what it rests on; a text that quotes nothing needs words."""
    assert one(item(), says("supported")).span == PRICE
    assert one(item(), says("unsupported")).span is None
    unquoted = item("x y z", "values", window(quote=None, verified=False))
    assert one(unquoted, says("supported")).verdict is Verdict.UNCLEAR
    assert one(unquoted, says("supported", "costs $0.80")).verdict is Verdict.SUPPORTED
    assert one(unquoted, says("unsupported")).verdict is Verdict.UNSUPPORTED


@pytest.mark.covers("A33")
def test_a_snippet_alone_supports_nothing() -> None:
    """A33, A50: a list of search results only locates a page, however well its words fit."""
    alone = item("x y z", "values", window(snippet=True))
    ruling = one(alone, says("supported", "costs $0.80"))
    assert (ruling.verdict, ruling.downgraded_from) == (Verdict.UNCLEAR, Verdict.SUPPORTED)
    assert one(alone, says("unsupported")).verdict is Verdict.UNSUPPORTED
    beside = item("x y z", "values", window(snippet=True), window())
    assert one(beside, says("supported", "costs $0.80")).verdict is Verdict.SUPPORTED


# -- answers that are none -------------------------------------------------------------------------------------------


def _raise(given: SupportItem) -> SupportVerdict:
    raise RuntimeError(f"no answer\x1b[31m to {given.statement}")


GARBAGE: list[Callable[[SupportItem], Any]] = [
    lambda _: None,
    lambda _: "supported",
    lambda _: True,
    lambda _: Verdict.SUPPORTED,
    lambda _: {"verdict": "supported"},
    lambda one: one.says("passed", checker="x"),
    lambda one: one.says("Supported", checker="x"),
    lambda one: one.says("", checker="x"),
    lambda one: one.says("supported", checker=""),
    lambda one: one.says("supported", checker="  "),
    lambda one: one.says("supported", checker="x", method="mechanical"),
    lambda one: one.says("supported", checker="x", method="exempt"),
    lambda one: one.says("supported", checker="x", method="oracle"),
    lambda one: replace(one.says("supported", checker="x"), key="another"),
    lambda one: replace(one.says("supported", checker="x"), span=5),
    lambda one: replace(one.says("supported", checker="x"), checker=5),
    lambda one: replace(one.says("supported", checker="x"), verdict=["supported"]),
    lambda one: replace(one.says("supported", checker="x"), verdict=None),
    _raise,
]


@pytest.mark.parametrize("rule", GARBAGE)
def test_what_is_no_verdict_checks_nothing(rule: Callable[[SupportItem], Any]) -> None:
    """P6: garbage, a foreign item, no author, an exception: not-checked with the reason, never a pass, never kept."""
    ruling = one(item(), Judge(rule))
    assert ruling.verdict is Verdict.NOT_CHECKED
    assert ruling.note
    assert ruling.note.isprintable()
    assert (ruling.checker, ruling.method, ruling.span, ruling.lasting) == (None, None, None, False)


@pytest.mark.parametrize("answer", [[], None, "supported", 5, {"a": 1}, [None] * 3, iter(())])
def test_a_wrong_number_of_verdicts_checks_nothing(answer: Any) -> None:
    """P6: a judge that skips or adds an item may have mixed them up: the whole batch is not-checked."""

    class Loose:
        def judge(self, items: list[SupportItem]) -> Any:
            return answer if items else None

    rulings = ask(Loose(), [item("One"), item("Two")])
    assert [one.verdict for one in rulings] == [Verdict.NOT_CHECKED] * 2
    assert all(one.note and "for 2 verdicts" in one.note for one in rulings)


def test_one_bad_answer_spoils_no_other() -> None:
    """P6: in a batch of proper verdicts only the improper one is not-checked; verdicts in another order are none."""
    mixed = Judge(lambda one: one.says("supported", checker="x") if one.statement != "Two" else None)
    assert [one.verdict for one in ask(mixed, [item("One"), item("Two"), item("Three")])] == [
        "supported", "not-checked", "supported",
    ]  # fmt: skip

    class Reversed:
        def judge(self, items: list[SupportItem]) -> list[SupportVerdict]:
            return [one.says("supported", checker="x") for one in items][::-1]

    assert [one.verdict for one in ask(Reversed(), [item("One"), item("Two")])] == ["not-checked"] * 2


def test_one_failing_batch_spoils_no_other() -> None:
    """P6: what was judged before an exception stands."""
    judge = Judge(lambda one: _raise(one) if one.statement == "30" else one.says("supported", checker="x"))
    rulings = ask(judge, [item(str(number)) for number in range(50)])
    assert [one.verdict for one in rulings] == ["supported"] * 25 + ["not-checked"] * 25


def test_without_a_judge_nothing_is_checked() -> None:
    """P5, P6: nobody was asked, and that is what is told."""
    ruling = one(item(), None)
    assert (ruling.verdict, ruling.note, ruling.lasting) == (Verdict.NOT_CHECKED, "nobody was asked", False)


def test_a_judge_cannot_change_what_it_was_shown() -> None:
    """P9: items are frozen, and a judge gets a list of its own."""

    class Thief:
        def judge(self, items: list[SupportItem]) -> list[SupportVerdict]:
            verdicts = [one.says("supported", checker="x") for one in items]
            items.clear()
            return verdicts

    assert one(item(), Thief()).verdict is Verdict.SUPPORTED


# -- items of claims -------------------------------------------------------------------------------------------------


def _found(one_claim: Any, *texts: Any) -> dict[str, Match]:
    known = {text.snapshot_id: SourceText(text.text, text.profile) for text in (snapshot(), *texts)}
    return {one.evidence_id: align(one.quote, known[one.snapshot_id]) for one in one_claim.evidence if one.snapshot_id}


@pytest.mark.covers("A31", "A32")
def test_an_item_shows_the_passages_of_a_claim() -> None:
    """§7: one item per quote, its own passage first, at most three, labelled, each with whether its quote was found."""
    others = [snapshot(f"Copy {number}. {PRICE}\n", f"s_{number:012}") for number in range(4)]
    quotes = [evidence("c_price", PRICE, text, rank=rank) for rank, text in enumerate((snapshot(), *others))]
    told = price(evidence=[*quotes, evidence("c_price", "It costs nothing at all.", others[0], rank=9)])
    held = dossier([told], [source(f"s_{number:012}", f"https://{number}.example/") for number in range(4)], others)
    items = claim_items(told, _found(told, *others), held)
    assert [name for name, _ in items] == [one.evidence_id for one in told.evidence[:5]]
    for place, (_, asked) in enumerate(items):
        assert len(asked.windows) == WINDOWS_MOST
        assert [one.label for one in asked.windows] == ["A", "B", "C"]
        assert asked.windows[0].snapshot_id == told.evidence[place].snapshot_id
        assert asked.statement == "Aurora · input_price: $0.80"
        assert (asked.value, asked.subject, asked.rubric) == ("$0.80", "Aurora", "values")
        assert all(one.verified and PRICE in one.text for one in asked.windows)
    assert len({one.key for _, one in items}) == 5


def test_a_policy_says_which_quotes_count() -> None:
    """§6.5: a match that the policy does not count is shown as not found."""
    told = price()
    ((_, strict),) = claim_items(told, _found(told), dossier([told]), lambda match: False)
    ((_, plain),) = claim_items(told, _found(told), dossier([told]))
    assert (strict.windows[0].verified, plain.windows[0].verified) == (False, True)
    altered = changed(told, quote=PRICE.replace("0.80", "0.90"))
    ((_, shown),) = claim_items(altered, _found(altered), dossier([altered]))
    assert not shown.windows[0].verified
    assert _found(altered)[altered.evidence[0].evidence_id].status is QuoteStatus.ALTERED


def test_an_absence_is_a_judgement() -> None:
    """A25, A32: that there is none is judged by the rubric for judgements, on the section looked at."""
    told = absence()
    ((_, asked),) = claim_items(told, _found(told), dossier([told]))
    assert (asked.rubric, asked.statement) == ("rules", "Aurora · fine_tuning: none")
    assert told.evidence[0].role is Role.ABSENCE


@pytest.mark.covers("A36")
@pytest.mark.parametrize(
    ("value", "more", "skips"),
    [
        ("$0.80", {}, False),
        ("$0.80", {"source_type": "upload"}, True),
        ("$0.80", {"source_type": "structured_api"}, True),
        ("$0.80", {"authority": "self_declared_upload"}, True),
        ("$0.80", {"source_type": "search_snippet"}, False),
        ("https://a.example/x", {}, True),
        ("HTTPS://a.example/x", {}, True),
        ("see https://a.example/x", {}, False),
        ("https://a.example/x and more", {}, False),
        ("httpsomething", {}, False),
        ("", {}, False),
    ],
)
def test_some_kinds_skip_the_judge(value: str, more: dict[str, str], skips: bool) -> None:
    """A36: uploads, structured responses and values that are addresses, each with its reason; nothing else."""
    told = price(value=value)
    assert (exempt(told, source(**more)) is not None) is skips
    held = replace(dossier([told]), sources={"s_aaaaaaaaaaaa": source(**more)})
    assert (claim_items(told, _found(told), held) == []) is skips
    assert exempt(told, None) == ("the value is an address" if "://a.example/x" in value[:20] and skips else None)


def test_labels_stop_at_three() -> None:
    """§7: three passages, no more, in the order given."""
    texts = [window(str(number)) for number in range(5)]
    assert [(one.label, one.text) for one in labelled(texts)] == [("A", "0"), ("B", "1"), ("C", "2")]
    assert labelled([]) == ()


def test_a_window_names_the_subject() -> None:
    """A31: the passage joins the words around the quote with where the subject is named, and keeps to its cap."""
    far = snapshot("Aurora is a model.\n\n" + "Filler words stand here. " * 400 + f"It {WINDOW}.\n", "s_aaaaaaaaaaaa")
    told = claim("c_w", "context_window", "200,000 tokens", [evidence("c_w", WINDOW, far)])
    ((_, asked),) = claim_items(told, _found(told, far), dossier([told], texts=[far]))
    assert "Aurora is a model." in asked.windows[0].text
    assert len(asked.windows[0].text) <= 3_010
