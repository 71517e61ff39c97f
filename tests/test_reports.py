"""The document check: sentences and what they cite, quotations, mechanical verdicts, samples, judges (§6.4)."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from itertools import pairwise

import pytest

from claimbase.errors import LimitError
from claimbase.evidence.align import SourceText, align
from claimbase.evidence.judging import SupportItem, SupportVerdict
from claimbase.evidence.report_text import CITATIONS_MOST, REPORT_LIMIT, Report, is_strong, read_report
from claimbase.evidence.reports import Cited, CitedQuote, ReportRead, check_report, sampled
from claimbase.evidence.restating import restates
from claimbase.evidence.terms import Method, QuoteStatus, Verdict

A, B = "https://a.example/prices", "https://b.example/news"
END = f"\n\n[1]: {A}\n[2]: {B}\n"
PAGE = """# Prices

The Aurora model costs $0.80 per million input tokens. Output costs $3.20 per million tokens.
The Borealis model costs $1.10 per million input tokens and is not available in Europe.
Installed capacity stood at 42 GW at the end of 2024. It was supported until March 2026.
"""
NEWS = "Press review. Nothing is known about prices in the region of the north.\n"


def bound(text: str, end: str = END) -> list[tuple[str, str]]:
    """Sentences with what they cite, shortened to the last part of an address."""
    return [(pair.words, pair.target.rpartition("/")[2]) for pair in read_report(text + end).pairs]


def cited(
    *quotes: str, text: str = PAGE, source: str = "s_aaaaaaaaaaaa", counts: bool = True, claim: str = "c_1"
) -> Cited:
    """A source with its text and the quotes that were taken from it."""
    name, held = f"sha256:{source[-2:]}/{source}", SourceText(text, "markdown")
    found = tuple(
        CitedQuote(f"e_{number}", claim, name, quote, align(quote, held), counts) for number, quote in enumerate(quotes)
    )
    return Cited((source,), (), found, {name: held})


def checked(text: str, targets: dict[str, Cited], **more: object) -> ReportRead:
    """A report after the check."""
    return check_report(read_report(text), targets, **more)  # type: ignore[arg-type]  # a table of options


class Judge:
    """A judge that notes what it is asked."""

    def __init__(self, verdict: str = "supported", span: str | None = None) -> None:
        self.verdict, self.span, self.asked = verdict, span, list[SupportItem]()

    def judge(self, items: list[SupportItem]) -> list[SupportVerdict]:
        """Say the same of all."""
        self.asked += items
        return [one.says(self.verdict, checker="a reader", span=self.span) for one in items]


# -- binding ---------------------------------------------------------------------------------------------------------


@pytest.mark.covers("H18")
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("It costs a lot [1].", [("It costs a lot.", "prices")]),
        ("It costs a lot.[1] Next.", [("It costs a lot.", "prices")]),
        ("It costs a lot. [1] Next one here.", [("It costs a lot.", "prices")]),
        ("It costs a lot. [1] says so itself.", [("says so itself.", "prices")]),
        ("One. Two [1]. Three.", [("Two.", "prices")]),
        ("One [1]. Two [2].", [("One.", "prices"), ("Two.", "news")]),
        ("One [1][2].", [("One.", "prices"), ("One.", "news")]),
        ("One [1, 2].", [("One.", "prices"), ("One.", "news")]),
        ("One [1; 2].", [("One.", "prices"), ("One.", "news")]),
        ("One [1-2].", [("One.", "prices"), ("One.", "news")]),
        ("One [1–2].", [("One.", "prices"), ("One.", "news")]),
        ("One [1] and one more [1].", [("One and one more.", "prices")]),
        ("One [1, p. 5].", [("One.", "prices")]),
        ("# Prices [1]\n\nText.", [("Prices", "prices")]),
        ("- an item [1]\n- another [2]", [("an item", "prices"), ("another", "news")]),
        ("| Aurora | $1 [1] |\n|---|---|\n| It | $2 [2] |", [("Aurora | $1", "prices"), ("It | $2", "news")]),
        ("| Aurora. The best | $1 [1] |", [("Aurora. The best | $1", "prices")]),
        ("Made by Foo Gesmbh. in Berlin [1].", [("Made by Foo Gesmbh. in Berlin.", "prices")]),
        ("> It was said [1].", [("It was said.", "prices")]),
        ("Version 1.2 of e.g. this costs 3.5 units, says Dr. Smith [1].", [
            ("Version 1.2 of e.g. this costs 3.5 units, says Dr. Smith.", "prices")]),
        ("A line\nthat runs on [1].", [("A line that runs on.", "prices")]),
        ("A paragraph.\n\n[1]", [("A paragraph.", "prices")]),
        ('He said "It works. It really does." [1] Then he left.', [('He said "It works. It really does."', "prices")]),
        ("价格上涨了。[1]没有别的。", [("价格上涨了。", "prices")]),
        ("Zoë pays 5 €! [1] Who else? [2]", [("Zoë pays 5 €!", "prices"), ("Who else?", "news")]),
        ("See [the page][1] for it.", [("See [the page] for it.", "prices")]),
    ],
)  # fmt: skip
def test_a_marker_is_bound_to_the_sentence_that_carries_it(text: str, wanted: list[tuple[str, str]]) -> None:
    """§6.4: before the full stop or after it, several at once, in headings, items, rows and quotations."""
    assert bound(text) == wanted


@pytest.mark.covers("H18")
def test_ids_are_read_as_they_stand() -> None:
    """§6.4: [[id]], [c_…] and [s_…] need no list of references; an alias or a section is no part of an id."""
    report = read_report("One [c_00000000000000ab]. Two [s_0123456789ab]. Three [[note 7|shown]]. Four [[s_1#part]].")
    assert [pair.target for pair in report.pairs] == ["c_00000000000000ab", "s_0123456789ab", "note 7", "s_1"]
    assert [pair.marker for pair in report.pairs][2] == "[[note 7|shown]]"
    assert report.targets == ("c_00000000000000ab", "note 7", "s_0123456789ab", "s_1")
    assert not report.dangling


@pytest.mark.covers("H18")
def test_a_sentence_is_given_as_written() -> None:
    """§6.4: verbatim, with its place in the text; what is compared has neither markers nor marks of lists."""
    text = f"1. First **item** [1], then more.{END}"
    (pair,) = read_report(text).pairs
    assert pair.sentence == "First **item** [1], then more."
    assert pair.words == "First **item**, then more."
    assert pair.sentence in text[pair.start : pair.end]


@pytest.mark.parametrize(
    ("list_", "address"),
    [
        (f"[1]: {A}", A),
        (f"[1]: <{A}> 'Prices'", A),
        (f"## References\n\n1. Somebody, Prices, {A}.", A),
        (f"## References\n\n[1] Somebody. Prices. {A}", A),
        (f"## References\n- [1] [Prices]({A})", A),
        (f"**Sources:**\n1) {A}", A),
        (f"Quellen\n\n1. {A}", A),
        (f"## 7. References\n\n1. Prices\n   {A}\n", A),
        (f"1. {A}", A),
        (f"[1] {A}", A),
        ("[1]: upload://list.csv", "upload://list.csv"),
        ("[1]: s_0123456789ab", "s_0123456789ab"),
        ("## Sources\n1. Doe, J. A title. doi:10.1000/XYZ.5", "https://doi.org/10.1000/xyz.5"),
        ("[1]: https://a.example/x_(y)", "https://a.example/x_(y)"),
        ("## Sources\n1. (see https://a.example/x).", "https://a.example/x"),
    ],
)
def test_references_are_read_in_their_forms(list_: str, address: str) -> None:
    """§6.4: `[1]: url`, `1. …url` and `[1] url`, under a title or as the last lines; the list holds no sentence."""
    report = read_report(f"It is so [1].\n\n{list_}\n")
    assert [(pair.words, pair.target) for pair in report.pairs] == [("It is so.", address)]
    assert not report.dangling
    assert report.unparsed == 0


def test_a_title_hides_no_sentence() -> None:
    """§6.4: text under *Sources* that is no entry is read like any other; so is a numbered list that cites."""
    report = read_report(f"It is so [1].\n\n## Sources\n1. {A}\n\nThe price is $5 [1].\n\n2. It is blue [1].\n")
    assert [pair.words for pair in report.pairs] == ["It is so.", "The price is $5.", "It is blue."]
    body = read_report(f"1. It is blue [1].\n2. It is red [1].\n\n[1]: {A}\n")
    assert [pair.words for pair in body.pairs] == ["It is blue.", "It is red."]


@pytest.mark.parametrize(
    ("text", "dangling"),
    [
        ("It is so [3].", ("[3]",)),
        ("It is so [1, 3].", ("[1, 3]",)),
        ("It is so [9-3].", ("[9-3]",)),
        ("It is so [1-999].", ("[1-999]",)),
        ("It is so [3]. And so [3].", ("[3]", "[3]")),
        ("It is so [1].\n\n[1]: https://other.example/", ("[1]",)),
        ("It is so [1].\n\n## References\n1. No address at all", ("[1]",)),
    ],
)
def test_dangling_markers_are_told(text: str, dangling: tuple[str, ...]) -> None:
    """§6.4: a number without an entry, an entry without an address, or with two, leads nowhere."""
    end = END if "References" not in text else ""
    assert read_report(text + end).dangling == dangling


def test_targets_that_nobody_knows_are_dangling() -> None:
    """§6.4: a marker whose source the base does not hold is counted as dangling and is no pair."""
    read = checked(f"One [1]. Two [2]. Three [c_9].{END}", {A: cited()})
    assert (len(read.pairs), read.dangling) == (1, 2)


def test_code_and_comments_cite_nothing() -> None:
    """§6.4: markers in code, fences and comments are text; so are links, checkboxes and escaped brackets."""
    text = (
        "Use `a[1]` and ``b[2]``.\n\n```py\nx[1] = '[2]'\n``\n[1]\n```\n\n~~~\n[1]\n~~~\n<!-- [1] -->\n"
        "- [ ] to do\n- [x] done\n\\[1\\] and ![alt](p.png).\n"
    )
    report = read_report(text + END)
    assert not report.pairs
    assert not report.dangling
    left_open = read_report("```\n[7] is code to the end" + END)
    assert not left_open.pairs


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("As shown (Smith, 2020).", 1),
        ("As shown (Smith et al., 2020; Jones & Doe, 2019).", 1),
        ("As Smith et al. (2020) show.", 1),
        ("As shown [Smith 2020].", 1),
        ("As shown [@smith2020, p. 3].", 1),
        ("As shown.[^1]", 1),
        ("As shown ^[a note on it].", 1),
        ("As shown.¹ And ².", 1),
        ("As shown<sup>1,2</sup>.", 1),
        ("As shown^1^.", 1),
        ("As shown [doi:10.1000/xyz].", 1),
        ("As shown [10.1000/xyz(5)7].", 1),
        ("As shown \\cite{smith}.", 1),
        ("As shown in [the list](https://a.example/x).", 1),
        ("As shown [1](https://a.example/x).", 1),
        ("As shown 【3†source】.", 1),
        ("As shown (March, 2020), in May (2021).", 1),
        ("An area of 5 km² with 10⁶ people in H₂O.", 0),
        ("It is so [1], (see below), [sic], [...], in 2020 (twice).", 0),
        ("It is so [1].", 0),
        ("It is so [[Smith 2020]].", 0),
    ],
)
def test_other_styles_are_counted_not_read(text: str, count: int) -> None:
    """§6.4: author and year, footnotes, superscripts, DOIs in brackets, links: each is counted once as unparsed."""
    assert read_report(text + END).unparsed == count


def test_the_same_report_reads_the_same() -> None:
    """Reading is deterministic; the digest is that of the UTF-8 bytes."""
    text = f"One [1]. “Two words and three more words” [2].{END}"
    assert read_report(text) == read_report(text)
    assert read_report("a").sha256 == "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"
    assert read_report("") == Report(read_report("").sha256, (), (), (), 0)


def test_sentences_of_random_documents_carry_every_marker(rng: random.Random) -> None:
    """§6.4: every marker of a document is in exactly one pair or dangling; sentences never overlap."""
    parts = [
        "The price is $5",
        "It is so",
        "Dr. Who said “no, we never do that here” ",
        "1.5 of 2",
        "Ja",
        "价格。",
        "x",
    ]
    joints = [". ", ".", "! ", "\n\n- ", "\n# ", " | ", "\n\n", "? ", ", ", "… "]
    for _ in range(300):
        text, many = "", 0
        for _ in range(rng.randint(1, 12)):
            text += rng.choice(parts)
            for _ in range(rng.choice((0, 0, 1, 2))):
                many += 1
                text += f"{rng.choice(('', ' '))}[c_{many}]"
            text += rng.choice(joints)
        report = read_report(text)
        assert sorted(pair.target for pair in report.pairs) == sorted(f"c_{number + 1}" for number in range(many)), text
        spans = sorted({(pair.start, pair.end) for pair in report.pairs})
        assert all(one[1] <= other[0] for one, other in pairwise(spans)), text


# -- hostile text ----------------------------------------------------------------------------------------------------


HOSTILE = [
    "[", "*", '"', "`", "“", "[[a", "[1", "(A, ", "<!--", "~~~\n", "| ", '"a" ', "^[", "\n> ", "1. x https://y.z\n",
    "¹", "[1]: x\n", "Aa, ", "a. ", "```", "[@", "](", "。", "Aa et al. (", "\\cite{", "«", "https://", "[^", "# a\n",
]  # fmt: skip


@pytest.mark.parametrize(
    "part", [pytest.param(part, marks=[pytest.mark.slow] if place % 6 else []) for place, part in enumerate(HOSTILE)]
)
def test_hostile_text_takes_linear_time(part: str) -> None:
    """§6.4, §9: 100 KB of any mark is read at once; half of it takes no less than about half as long."""
    text = (part * (100_000 // len(part) + 1))[:100_000]
    half, whole = _seconds(text[:50_000]), _seconds(text)
    assert whole < 1.5
    assert whole < 4 * half + 0.1


def _seconds(text: str) -> float:
    """CPU seconds of the quickest of three readings: a busy machine slows each of them now and then."""
    spent = []
    for _ in range(3):
        begun = time.process_time()
        read_report(text)
        spent.append(time.process_time() - begun)
    return min(spent)


def test_reports_are_bounded() -> None:
    """C4: what is too long or cites too much is refused by name."""
    with pytest.raises(LimitError) as refused:
        read_report("x" * (REPORT_LIMIT + 1))
    assert refused.value.code == "too_large"
    with pytest.raises(LimitError) as many:
        read_report("a [1]. " * (CITATIONS_MOST + 1))
    assert many.value.code == "too_many"


# -- strong sentences ------------------------------------------------------------------------------------------------


@pytest.mark.covers("H20")
@pytest.mark.parametrize(
    ("text", "strong"),
    [
        ("It costs 5 euros.", True),
        ("It costs five euros.", True),
        ("It came in March.", True),
        ("Sales grew in Europe.", True),
        ("It is cheaper than others.", True),
        ("It is the largest network.", True),
        ("It is the most used network.", True),
        ("It is not offered.", True),
        ("It isn't offered.", True),
        ("It always works.", True),
        ("This proves the point.", True),
        ("Es gibt keinen Zugang.", True),
        ("Der Preis steigt.", True),
        ("C'est le meilleur modèle.", True),
        ("价格上涨了", True),
        ("It offers tools and images from the shop.", False),
        ("The page describes the model and its uses.", False),
        ("Die Seite beschreibt das Modell und den Zugang.", False),
    ],
)
def test_strong_sentences(text: str, strong: bool) -> None:
    """§6.4: number, comparison, superlative, negation, certainty; plain description is not strong."""
    assert is_strong(text) is strong


# -- the mechanical verdict ------------------------------------------------------------------------------------------

QUOTE = "The Aurora model costs $0.80 per million input tokens."


@pytest.mark.covers("H19")
@pytest.mark.parametrize(
    ("said", "quote", "passes"),
    [
        ("The Aurora model costs $0.80 per million input tokens.", QUOTE, True),
        ("Aurora model costs $0.80 per million input tokens", QUOTE, True),
        ("**The** Aurora model *costs* $0.80 per million input tokens", QUOTE, True),
        ("the aurora model costs $0.80 per million input tokens", QUOTE, True),
        ("The Aurora model costs $0.90 per million input tokens.", QUOTE, False),
        ("The Aurora model costs $0.80 per billion input tokens.", QUOTE, False),
        ("The Aurora model costs €0.80 per million input tokens.", QUOTE, False),
        ("The Aurora model costs $0.80 per million output tokens.", QUOTE, False),
        ("The Borealis model costs $0.80 per million input tokens.", QUOTE, False),
        ("Borealis costs $0.80 per million input tokens.", QUOTE, False),
        ("It costs $0.80 per million input tokens.", QUOTE, False),
        ("The Aurora model costs over $0.80 per million input tokens.", QUOTE, False),
        ("The Aurora model costs about $0.80 per million input tokens.", QUOTE, False),
        ("The Aurora model may cost $0.80 per million input tokens.", QUOTE, False),
        ("The Aurora model never costs $0.80 per million input tokens.", QUOTE, False),
        ("The Aurora model costs $0.80 per million tokens.", QUOTE, False),
        ("The Aurora model costs $0.80.", QUOTE, False),
        ("$0.80 million tokens per input costs model Aurora.", QUOTE, False),
        ("Aurora offers images.", "Aurora offers no images.", False),
        ("Aurora does not offer images.", "Aurora offers images.", False),
        ("Aurora is not available in Europe.", "Aurora is available in Europe.", False),
        ("The price rose to 5 euros.", "The price fell to 5 euros.", False),
        ("The price rose from 3 to 5 euros.", "The price rose from 5 to 3 euros.", False),
        ("Aurora costs $1 and Borealis $2.", "Aurora costs $2 and Borealis $1.", False),
        ("Aurora costs $1.", "Aurora costs $1 million.", False),
        ("Access lasts until March 2026.", "Access lasts until May 2026.", False),
        ("Capacity stood at 42 MW.", "Capacity stood at 42 mW.", False),
        ("Capacity reached 42 GW in 2024, driven by China.", "Capacity reached 42 GW in 2024.", False),
        ("Capacity grew 60% in 2024.", "Capacity stood at 42 GW in 2024.", False),
        ("Capacity reached 42 GW in 2024.", "It is said that capacity reached 42 GW in 2024.", False),
        ("Aurora offers images.", "The claim that Aurora offers images is a lie.", False),
        ("Capacity reached 42 GW in 2024.", "Capacity reached 42 GW in 2024 in China.", False),
        ("Capacity reached 42 GW.", "Capacity reached 42 GW, 3 of them in 2024.", False),
        ("Aurora replaced Borealis.", "Aurora was replaced. Borealis stays.", False),
        ("Aurora replaced Borealis.", "Aurora was replaced by Borealis.", False),
        ("Aurora offers images to all.", "The Aurora offers the images to all.", True),
        ("This costs $0.80 per million tokens.", "costs $0.80 per million tokens", False),
        ("One is red. Two is blue.", "Zero is old. One is red. Two is blue.", True),
        ("Aurora offers images.", "Aurora offers images if paid for.", False),
        ("Aurora offers images.", "Only Aurora offers images.", False),
        ("Aurora offers images.", "Aurora offers images. Borealis offers no images.", True),
        ("42 GW", "42 GW", False),
        ("", QUOTE, False),
    ],
)
def test_a_sentence_passes_only_on_the_same_words(said: str, quote: str, passes: bool) -> None:
    """§6.4, H19: the words of a whole sentence of the quote, in order; nothing protected comes, goes or differs."""
    assert restates(SourceText(said, "markdown", quoted=True), SourceText(quote, "markdown", quoted=True)) is passes


@pytest.mark.slow
def test_many_sentences_and_quotes_take_linear_time() -> None:
    """§9: a long quote of short sentences is gone through once for a sentence, whatever they repeat."""
    quote = SourceText("x y. " * 4_000)
    begun = time.process_time()
    assert not any(restates(SourceText("x y " * at + "z"), quote) for at in range(2, 400))
    assert not any(restates(SourceText("y x " * at), quote) for at in range(2, 20))
    assert not restates(SourceText("x y " * 5_000), quote)
    assert time.process_time() - begun < 3


def test_words_of_the_quote_may_be_left_out_only_if_the_policy_says_so() -> None:
    """§6.5: `words_left_out = flag` lets two content words go, never a name, number or date."""
    said, quote = SourceText("Aurora costs $0.80 per million input tokens."), SourceText(QUOTE)
    assert not restates(said, quote)
    assert restates(said, quote, loose=True)
    named = SourceText("The Aurora Mini costs $0.80 per million input tokens.")
    assert not restates(said, named, loose=True)
    far = SourceText("The Aurora model as we sell it costs $0.80 per million input tokens.")
    assert not restates(said, far, loose=True)
    other = SourceText("Aurora costs other things. Some money here.")
    assert not restates(SourceText("Aurora costs money here."), other, loose=True)


_WORDS = [
    "Aurora",
    "Borealis",
    "costs",
    "$0.80",
    "$1.10",
    "per",
    "million",
    "input",
    "tokens",
    "not",
    "over",
    "in",
    "Europe",
]


def test_no_change_of_a_word_passes(rng: random.Random) -> None:
    """H19: of a sentence that passes, every word exchanged, added or dropped makes it fail, articles aside."""
    quote = SourceText(QUOTE)
    plain = QUOTE.rstrip(".").split()
    tried = 0
    for at, new in ((at, new) for at in range(1, len(plain)) for new in _WORDS):
        for changed in ([*plain[:at], new, *plain[at + 1 :]], [*plain[:at], new, *plain[at:]]):
            if changed != plain:
                tried += 1
                assert not restates(SourceText(" ".join(changed)), quote), changed
    for at in range(2, len(plain) - 1):
        assert not restates(SourceText(" ".join([*plain[:at], *plain[at + 1 :]])), quote)
    for _ in range(200):
        mixed = rng.sample(plain[1:], len(plain) - 1)
        assert restates(SourceText(" ".join(mixed)), quote) is (mixed == plain[1:])
    assert tried > 180


@pytest.mark.covers("H19", "H05", "H08")
def test_what_passes_mechanically_names_its_words() -> None:
    """§6.4: the verdict names quote, claim and who reached it; a quote that does not count vouches for nothing."""
    text = f"The Aurora model costs $0.80 per million input tokens [1].{END}"
    (pair,) = checked(text, {A: cited(NEWS, QUOTE)}).pairs
    assert (pair.verdict, pair.method, pair.checker, pair.checked) == (
        Verdict.SUPPORTED, Method.MECHANICAL, "claimbase", True,
    )  # fmt: skip
    assert (pair.claim_id, pair.evidence_id, pair.span, pair.strong) == ("c_1", "e_1", QUOTE, True)
    (pair,) = checked(text, {A: cited(QUOTE, counts=False)}).pairs
    assert (pair.verdict, pair.checked, pair.method) == (Verdict.NOT_CHECKED, False, None)
    (pair,) = checked(text, {A: replace(cited(QUOTE), snippet=True)}).pairs
    assert pair.verdict is Verdict.NOT_CHECKED
    (pair,) = checked(text, {A: cited(text=NEWS)}).pairs
    assert pair.verdict is Verdict.NOT_CHECKED


def test_a_quote_in_a_turned_sentence_vouches_for_nothing() -> None:
    """N8: words cut out of a denied or conditional sentence of the source do not pass a sentence that says them."""
    page = "It is wrong that no Aurora model offers image input. If asked, the Borealis model offers image input."
    text = f"Aurora model offers image input [1]. Borealis model offers image input [1].{END}"
    read = checked(text, {A: cited("Aurora model offers image input", "Borealis model offers image input", text=page)})
    assert [pair.verdict for pair in read.pairs] == [Verdict.NOT_CHECKED] * 2


@pytest.mark.covers("H09")
@pytest.mark.parametrize(
    ("sentence", "verdict"),
    [
        ("Global storage reached 42 GW in 2024 [1].", "supported"),
        ("Storage reached 42 GW in 2024, driven by projects in China [1].", "partially-supported"),
        ("Storage grew 60% year over year in 2024 [1].", "unsupported"),
        ("Storage reached 42 GW in 2024 [2].", "wrong-source"),
        ("Storage reached 42 GW in 2024 [1].", "unclear"),
    ],
)
def test_four_verdicts_and_the_open_one(sentence: str, verdict: str) -> None:
    """H09: none of them passes mechanically; the judge reads them and its verdict stands with its words."""
    targets = {A: cited("Installed capacity stood at 42 GW at the end of 2024."), B: cited("Press review.", text=NEWS)}
    judge = Judge(verdict)
    (pair,) = checked(sentence + END, targets, judge=judge).pairs
    assert (pair.verdict, pair.checked, pair.method, pair.checker) == (verdict, True, Method.HUMAN, "a reader")
    assert judge.asked[0].statement == sentence.partition(" [")[0] + "."
    assert pair.downgraded_from is None
    (pair,) = checked(sentence + END, targets).pairs
    assert pair.verdict is Verdict.NOT_CHECKED


# -- samples and judges ----------------------------------------------------------------------------------------------

PLAIN = ["The page describes tools", "It offers images", "The team writes code", "It has a shop", "They sell books"]


def _mixed(many: int) -> str:
    words = ("red", "blue", "green", "old", "new")
    weak = [f"{PLAIN[at % 5]} of {words[at // 5 % 5]} and {words[at // 25]} kind [1]." for at in range(many)]
    return (
        " ".join(
            [
                *weak,
                "It costs $9 [1].",
                "It is not sold [1].",
                "The Aurora model costs $0.80 per million input tokens [1].",
            ]
        )
        + END
    )


@pytest.mark.covers("H20", "H21")
@pytest.mark.parametrize(
    ("sample", "many"), [("all", 52), ("strong-markers", 12), ("0", 2), ("0.5", 27), ("1", 52), ("0.001", 3)]
)
def test_strong_sentences_are_always_read_and_others_by_sample(sample: str, many: int) -> None:
    """§6.4: strong ones always, of the rest all, 20 % or a share; what passed is not asked; the counts tell it."""
    judge = Judge(span="The Aurora model costs $0.80")
    read = checked(_mixed(50), {A: cited(QUOTE)}, sample=sample, judge=judge)
    assert (len(read.pairs), read.sampled, len(judge.asked)) == (53, many, many)
    asked = {item.statement for item in judge.asked}
    assert {"It costs $9.", "It is not sold."} <= asked
    assert sum(pair.method is Method.MECHANICAL for pair in read.pairs) == 1
    assert sum(pair.checked for pair in read.pairs) == many + 1
    assert sum(pair.verdict is Verdict.NOT_CHECKED for pair in read.pairs) == 52 - many


@pytest.mark.covers("H20")
def test_a_sample_is_drawn_from_the_seed_alone() -> None:
    """§6.4: the same seed draws the same sentences, another one others; each is drawn about as often."""
    pairs = read_report(_mixed(50)).pairs
    passed = [False] * len(pairs)
    drawn = [sampled(pairs, passed, "strong-markers", seed) for seed in range(200)]
    assert drawn[7] == sampled(pairs, passed, "strong-markers", 7)
    assert len({tuple(one) for one in drawn}) > 190
    counts = [sum(at in one for one in drawn) for at in range(50)]
    assert min(counts) > 20
    assert max(counts) < 65
    assert all(one == sorted(one) and {50, 51, 52} <= set(one) for one in drawn)


@pytest.mark.covers("H21")
def test_without_a_judge_nothing_is_passed_over() -> None:
    """P6, §6.4: what nobody read is not-checked, counted and shown, and still counted as chosen."""
    read = checked(_mixed(10), {A: cited()})
    assert {pair.verdict for pair in read.pairs} == {Verdict.NOT_CHECKED}
    assert (read.sampled, len(read.pairs), read.rulings) == (13, 13, ())
    assert not any(pair.checked for pair in read.pairs)


def test_a_judge_sees_the_passages_that_are_most_like_the_sentence() -> None:
    """§7: at most three windows, labelled, the likest first; a source without quotes is shown where it is like it."""
    quotes = ["Output costs $3.20 per million tokens.", "It was supported until March 2026.", QUOTE,
              "Installed capacity stood at 42 GW at the end of 2024."]  # fmt: skip
    judge = Judge()
    checked(
        f"The model Aurora costs more than $0.80 per million input tokens [1].{END}", {A: cited(*quotes)}, judge=judge
    )
    (item,) = judge.asked
    assert [one.label for one in item.windows] == ["A", "B", "C"]
    assert item.windows[0].quote == QUOTE
    assert item.windows[0].source_id == "s_aaaaaaaaaaaa"
    assert all(one.quote in one.text for one in item.windows if one.quote)
    long = "Filler words stand here. " * 400 + "Installed capacity stood at 42 GW." + " More of it." * 400
    judge = Judge(span="Installed capacity stood at 42 GW.")
    (pair,) = checked(f"Installed capacity was at 42 GW [1].{END}", {A: cited(text=long)}, judge=judge).pairs
    assert "42 GW" in judge.asked[0].windows[0].text
    assert len(judge.asked[0].windows[0].text) <= 3_000
    assert (pair.verdict, pair.span) == (Verdict.SUPPORTED, "Installed capacity stood at 42 GW.")


@pytest.mark.covers("A30", "H08")
def test_a_verdict_on_words_that_are_not_there_is_taken_back() -> None:
    """A30: a judge that names words the source does not have has said nothing."""
    judge = Judge(span="Aurora costs nothing at all")
    (pair,) = checked(f"Aurora is free [1].{END}", {A: cited(QUOTE)}, judge=judge).pairs
    assert (pair.verdict, pair.downgraded_from) == (Verdict.UNCLEAR, Verdict.SUPPORTED)


@pytest.mark.covers("A39")
def test_what_was_judged_is_not_judged_again() -> None:
    """A34, A39: the same sentence beside the same passages is known; another sentence is asked."""
    targets = {A: cited(QUOTE)}
    first = checked(f"Aurora is cheap [1].{END}", targets, judge=Judge())
    known = {one.key: one for one in first.rulings}
    judge = Judge("unsupported")
    again = checked(f"Aurora is cheap [1]. Aurora is old [1].{END}", targets, judge=judge, known=known)
    assert [item.statement for item in judge.asked] == ["Aurora is old."]
    assert [pair.verdict for pair in again.pairs] == [Verdict.SUPPORTED, Verdict.UNSUPPORTED]
    assert len(again.rulings) == 1
    assert [pair.verdict for pair in checked(f"Aurora is cheap [1].{END}", targets, known=known).pairs] == ["supported"]


# -- quotations ------------------------------------------------------------------------------------------------------


@pytest.mark.covers("H12")
@pytest.mark.parametrize(
    ("text", "quotes"),
    [
        ('The "beta" label and the "final" label of it differ [1].', []),
        ('It says "one two three four" [1].', []),
        ('It says "one two three four five" [1].', ["one two three four five"]),
        ("It says “one two three four five” [1].", ["one two three four five"]),
        ("Es heißt „eins zwei drei vier fünf“ [1].", ["eins zwei drei vier fünf"]),
        ("Es heißt »eins zwei drei vier fünf« [1].", ["eins zwei drei vier fünf"]),
        ("Il dit «un deux trois quatre cinq» [1].", ["un deux trois quatre cinq"]),
        ("它说「价格没有上涨」[1]。", ["价格没有上涨"]),
        ("It says ‘one two three four five’ [1].", ["one two three four five"]),
        ("It’s the users’ data that doesn’t leave the users’ region here [1].", []),
        ("It says “one two ‘three’ four five” [1].", ["one two ‘three’ four five"]),
        ('It says "one "two three four five six" seven" [1].', ['one "two three four five six" seven']),
        ("It says ‘it’s two three four five’ [1].", ["it’s two three four five"]),
        ('A 5" screen, and a 7" one that is much larger [1].', []),
        ('Left "open without end and some words more.\n\nNext "one" [1].', []),
        ('It says "one two three four five [1]."', ["one two three four five"]),
        ('It says "one two [3] three four five" [1].', ["one two [3] three four five"]),
        ('`"one two three four five"` [1].', []),
        ('("one two three four five") and ["six seven eight nine ten"] [1]',
         ["one two three four five", "six seven eight nine ten"]),
        ('"a" "b" "c" "one two three four five six" "d" [1].', ["one two three four five six"]),
    ],
)  # fmt: skip
def test_quotation_marks_are_paired_before_they_are_measured(text: str, quotes: list[str]) -> None:
    """§6.4: all marks are paired, nested ones by the outer pair, and only then pairs of fewer than five words go."""
    assert [one.quote for one in read_report(text + END).quotes] == quotes


def test_a_quotation_has_the_citations_of_its_sentence() -> None:
    """§6.4: also where its closing mark ends the sentence and the marker follows, or it runs over two sentences."""
    text = f'He said "it works. it really does work here." [1] "Another one that cites nothing" is here. Then [2].{END}'
    first, second = read_report(text).quotes
    assert (first.targets, second.targets) == ((A,), ())
    assert text[first.start : first.end] == '"it works. it really does work here."'


@pytest.mark.parametrize(
    ("quotation", "status", "found"),
    [
        ('"costs $0.80 per million input tokens" [1]', QuoteStatus.VERIFIED, "s_aaaaaaaaaaaa"),
        ('"costs **$0.80** per million *input* tokens" [1]', QuoteStatus.VERIFIED, "s_aaaaaaaaaaaa"),
        ('"costs $0.90 per million input tokens" [1]', QuoteStatus.ALTERED, "s_aaaaaaaaaaaa"),
        ('"nobody has ever written these words down" [1]', QuoteStatus.NOT_FOUND, None),
        ('"costs $0.80 per million input tokens" [2]', QuoteStatus.NOT_FOUND, None),
        ('"costs $0.80 per million input tokens"', QuoteStatus.VERIFIED, "s_aaaaaaaaaaaa"),
        ('"costs $0.80 per million input tokens" [c_7]', QuoteStatus.UNVERIFIABLE, None),
    ],
)
def test_quotations_are_looked_for_in_what_their_sentence_cites(
    quotation: str, status: QuoteStatus, found: str | None
) -> None:
    """§6.4, N11: in the texts cited, else nowhere; found elsewhere is told and verifies nothing."""
    targets = {A: cited(), B: cited(text=NEWS, source="s_bbbbbbbbbbbb"), "c_7": Cited(("s_cccccccccccc",), ("c_7",))}
    text = f"It says {quotation}. Also [1], [2].{END}"
    (quote,) = checked(text, targets).quotes
    assert quote.match.status is status
    assert found is None or (quote.snapshot_id or "").endswith(found)
    assert bool(quote.found_in) is ("[2]" in quotation)
    assert quote.claim_id == ("c_7" if "c_7" in quotation else None)
    assert quote.quote_id.startswith("q_")
