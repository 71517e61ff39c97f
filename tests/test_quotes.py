"""The quote rule: golden cases, the rules one by one, properties, and time."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimbase.errors import InputError, LimitError
from claimbase.evidence.align import SourceText, align, profile_sha256, stands_in
from claimbase.evidence.boundaries import on_boundaries
from claimbase.evidence.model import PROFILES, Change, Hint, Match
from claimbase.evidence.normalise import Normal, normalise
from claimbase.evidence.terms import ChangeKind
from claimbase.evidence.words import LANGUAGES, words

ROOT = Path(__file__).parents[1]
OWN = ROOT / "tests" / "fixtures" / "quotes.jsonl"
SHARED = ROOT.parent / "shared" / "cases" / "quotes.jsonl"
NOUNS = (
    "boat",
    "clerk",
    "ledger",
    "lock",
    "mill",
    "bridge",
    "tower",
    "gate",
    "market",
    "harbour",
    "lantern",
    "barrel",
    "carpenter",
    "widow",
    "orchard",
)
VERBS = ("keeps", "paints", "mends", "carries", "guards", "counts", "borrows", "sells", "watches", "repairs")
EXTRA = ("wooden", "heavy", "painted", "crooked", "narrow", "quiet", "humble", "rusty")


def golden(path: Path) -> list[Any]:
    """Read golden cases; none where the file is absent."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [pytest.param(case, id=case["id"]) for case in map(json.loads, lines)]


def found(quote: str, text: str | None, profile: str = "plain", **hint: Any) -> Match:
    """Align one quote with one text."""
    return align(quote, SourceText(text, profile), Hint(**hint) if hint else None)


def shown(text: str | None) -> str:
    """Give the words of a change as golden cases compare them: normal form without digit grouping."""
    return re.sub(r"(?<=\d)[, ](?=\d{3})", "", normalise(text or "").text)


def occurs(wanted: dict[str, Any], changes: tuple[Change, ...]) -> bool:
    """Say whether a wanted change is among those reported."""
    return any(
        change.kind == wanted["kind"]
        and all(shown(wanted[side]) == shown(getattr(change, side)) for side in ("quote", "source") if side in wanted)
        for change in changes
    )


@pytest.mark.covers("A28", "A29", "T12", "H13")
@pytest.mark.parametrize("case", [*golden(OWN), *golden(SHARED)])
def test_golden_cases(case: dict[str, Any]) -> None:
    """Every golden case has the status, tier, place, changes and flags it wants (2.4)."""
    match = found(case["quote"], case["source"], case["profile"], **case.get("hint", {}))
    want = case["want"]
    assert match.status in (want["status"] if isinstance(want["status"], list) else [want["status"]]), case["why"]
    assert want.get("tier", match.tier) == match.tier
    assert want.get("start", match.start) == match.start
    assert set(want.get("flags", ())) <= set(match.flags)
    assert [change for change in want.get("changes", ()) if not occurs(change, match.changes)] == []


def page(seed: int, sentences: int = 60) -> str:
    """Write a page of distinct plain sentences; the same seed gives the same page."""
    rnd = random.Random(seed)
    lines = []
    for number in range(sentences):
        one, two, three = rnd.sample(NOUNS, 3)
        lines.append(
            f"The {rnd.choice(EXTRA)} {one} {rnd.choice(VERBS)} the {two} of lot {number * 7 + 11} for "
            f"${number + 3}.50 a week, and must not sell the {rnd.choice(EXTRA)} {three} before May."
        )
    return "\n\n".join(" ".join(lines[at : at + 3]) for at in range(0, len(lines), 3))


PAGE = page(4)
SOURCE = SourceText(PAGE)
TOKENS = [match.span() for match in re.finditer(r"\S+", PAGE)]
SENTENCES = [sentence.strip() for sentence in re.findall(r"The [^\n]*?May\.", PAGE)]
PROTECTED = (
    *("not", "never", "no"),
    *("must", "may", "all", "some"),
    *("before", "after", "over", "less"),
    *("30", "-5", "$7", "9%"),
    *("million", "percent", "MB", "per"),
    *("June", "Monday", "expected", "unless", "about", "seven"),
)


@pytest.mark.covers("A28")
@settings(max_examples=150, deadline=None)
@given(st.integers(0, len(TOKENS) - 30), st.integers(5, 28))
def test_a_raw_slice_is_found_where_it_was_cut(first: int, length: int) -> None:
    """Property 1: a slice on token edges verifies and gives its own span, with its start as hint (N3, N5)."""
    start, end = TOKENS[first][0], TOKENS[first + length][1]
    match = align(PAGE[start:end], SOURCE, Hint(start=start))
    assert (match.status, match.start, match.end) == ("verified", start, end)


@pytest.mark.covers("A27")
@settings(max_examples=100, deadline=None)
@given(st.integers(0, len(TOKENS) - 30), st.integers(5, 28), st.sampled_from(("plain", "markdown")))
def test_the_span_has_the_text_that_was_matched(first: int, length: int, profile: str) -> None:
    """Property 2: the normal form of the raw span is the normal form of the quote (N1)."""
    start, end = TOKENS[first][0], TOKENS[first + length][1]
    quote = PAGE[start:end].replace(" ", "\u00a0").upper()
    match = found(quote, PAGE, profile)
    assert match.status == "verified"
    assert normalise(PAGE[match.start : match.end], profile).text == normalise(quote, profile).text


@pytest.mark.covers("A29", "T12")
@settings(max_examples=250, deadline=None)
@given(st.sampled_from(SENTENCES), st.data())
def test_a_protected_word_never_comes_goes_or_changes(sentence: str, data: st.DataObject) -> None:
    """Property 3: one protected token put in, taken out or exchanged inside a quote never verifies (N6)."""
    parts = sentence.split()
    at = data.draw(st.integers(1, len(parts) - 2))
    put_in = [*parts[:at], data.draw(st.sampled_from(PROTECTED)), *parts[at:]]
    quotes = [put_in]
    tokens = SourceText(parts[at], "plain").tokens
    if len(tokens) and tokens.kind(0) not in (ChangeKind.WORD, ChangeKind.FREE):
        quotes += [
            [*parts[:at], *parts[at + 1 :]],
            [*parts[:at], data.draw(st.sampled_from(PROTECTED)), *parts[at + 1 :]],
        ]
    for quote in quotes:
        if quote != parts:
            assert align(" ".join(quote), SOURCE).status != "verified"


BENIGN: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("capitals", str.upper),
    ("no-break spaces", lambda text: text.replace(" ", "\u00a0")),
    ("wrapped lines", lambda text: text.replace(" ", "\n")),
    ("no full stop", lambda text: text.rstrip(".").lower()),
    ("hyphenated", lambda text: text.replace("before", "be-\nfore")),
    ("quoted", lambda text: f"“{text}”"),
    ("zero width", lambda text: text.replace("e", "e\u200b")),
)


@pytest.mark.covers("A27", "H13")
@pytest.mark.parametrize(("name", "change"), BENIGN, ids=[name for name, _ in BENIGN])
def test_benign_changes_keep_status_and_place(name: str, change: Callable[[str], str]) -> None:
    """Property 4: format alone changes neither the status nor where a quote begins (N1-N3)."""
    for sentence in SENTENCES[:20]:
        plain, varied = align(sentence, SOURCE), align(change(sentence), SOURCE)
        assert (varied.status, varied.start) == ("verified", plain.start), name


def test_align_depends_on_nothing_but_its_arguments() -> None:
    """Property 5: the same quote and text give the same match, whatever was asked of other texts between (P1)."""
    first = [found(quote, PAGE) for quote in SENTENCES[:10]]
    for seed in range(3):
        found(SENTENCES[seed], page(seed + 40))
    assert [found(quote, PAGE) for quote in SENTENCES[:10]] == first


@settings(max_examples=200, deadline=None)
@given(st.integers(0, len(PAGE) - 80), st.integers(3, 78))
def test_no_hit_cuts_a_token(start: int, length: int) -> None:
    """Property 6: whatever is cut out of the text, a verified span begins and ends on token edges (N3)."""
    match = align(PAGE[start : start + length], SOURCE)
    if match.start is not None and match.end is not None and match.status == "verified":
        first, last = SOURCE.normal.position(match.start), SOURCE.normal.position(match.end)
        assert on_boundaries(SOURCE, first, last)
        around = PAGE[max(0, match.start - 1) : match.start], PAGE[match.end : match.end + 1]
        assert not (around[0].isalnum() and PAGE[match.start].isalnum())
        assert not (around[1].isalnum() and PAGE[match.end - 1].isalnum())


@settings(max_examples=100, deadline=None)
@given(st.integers(0, len(TOKENS) - 40), st.integers(5, 9), st.integers(5, 9))
def test_pieces_in_the_wrong_order_never_verify(first: int, one: int, two: int) -> None:
    """Property 7: pieces of the text, exchanged, are altered or not found (N7)."""
    a = PAGE[TOKENS[first][0] : TOKENS[first + one][1]]
    b = PAGE[TOKENS[first + one + 2][0] : TOKENS[first + one + 2 + two][1]]
    if PAGE.count(a) == 1 and PAGE.count(b) == 1:
        assert align(f"{b} … {a}", SOURCE).status != "verified"


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(SENTENCES), st.text("abc the", min_size=1, max_size=12))
def test_a_quote_longer_than_its_source_never_verifies(sentence: str, more: str) -> None:
    """Property 8: more words than the text has are not in it (N6)."""
    if more.strip():
        assert found(f"{sentence} {more.strip()}", sentence).status != "verified"


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(SENTENCES[:40]), st.integers(0, 5))
def test_text_that_shares_nothing_changes_nothing(sentence: str, gone: int) -> None:
    """Property 9: appended text without a word of the quote leaves every result as it was."""
    parts = sentence.split()
    quote = " ".join((*parts[: gone + 3], *parts[gone + 5 :]))
    assert found(quote, PAGE) == found(quote, PAGE + "\n\nZyx qwv jkq 99 xylo.")


@pytest.mark.covers("A27")
@settings(max_examples=200, deadline=None)
@given(
    st.text("ab é\u0301ßİ½⁶|*_~`[]()<>&;#-\n 012.,\u00ad\u200b\ufb01sup/del", max_size=60), st.sampled_from(PROFILES)
)
def test_the_map_is_monotone_and_whole(text: str, profile: str) -> None:
    """Property 10: raw ranges stand in order, lie in the text, and all rows of the map are as long as the text (N1)."""
    normal = normalise(text, profile)
    assert len(normal.text) == len(normal.cased) == len(normal.lined) == len(normal.starts) == len(normal.ends)
    spans = list(zip(normal.starts, normal.ends, strict=True))
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(a == b or a[1] <= b[0] for a, b in pairwise(spans))


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(SENTENCES))
def test_a_left_out_word_is_named(sentence: str) -> None:
    """Property 11: a content word left out in silence stands in the flags (N6)."""
    parts = sentence.split()
    quote = " ".join((parts[0], *parts[2:]))
    match = align(quote, SOURCE)
    assert (match.status, match.tier) == ("verified", "near")
    assert f"words-left-out:{parts[1]}" in match.flags


STEPS: tuple[tuple[str, str, str, str], ...] = (
    ("plain", "A&amp;B &lt;5", "a&b <5", "entities are decoded once"),
    ("plain", "&amp;lt;", "&lt;", "what they give is not decoded again"),
    ("markdown", "a &lt;b&gt; c", "a <b> c", "nor parsed as markup"),
    ("plain", "infor-\nmation", "information", "a word wrapped with a hyphen"),
    ("plain", "1990-\n1995", "1990- 1995", "numbers are not joined"),
    ("html-md", "10<sup>-6</sup> m<sub>2</sub>", "10⁻⁶ m₂", "raised and lowered digits"),
    ("html-md", "the 10<sup>th</sup> day", "the 10th day", "raised letters are text"),
    ("markdown", "grew [12] by a [3, 5] third [7-9].", "grew by a third .", "citation markers"),
    ("plain", "grew [12] by", "grew [12] by", "not in plain text"),
    ("markdown", "see [12](http://x.example)", "see 12", "a link is no marker"),
    ("markdown", "`rows[3]`", "rows[3]", "nor is an index in code marks"),
    ("markdown", '![alt](a.png) [text](http://x.example/a_(b) "t")', "alt text", "images and links"),
    ("markdown", "<b>a</b>b<br>c<foo>d", "ab c<foo>d", "known tags alone are tags"),
    ("markdown", "- one\n* two\n> three\n## four", "one two three four", "marks at line starts"),
    ("markdown", "1. one", "1. one", "a number is no mark"),
    ("markdown", "**a** *b* __c__ _d_ `e` ~~f~~", "a b c d e f", "emphasis"),
    ("markdown", "4*7 and 2 * 3 and a_b", "4*7 and 2 * 3 and a_b", "stars that multiply"),
    ("markdown", "| a | b |", "a b", "cell borders"),
    ("plain", "a\u00a0 \u2009b\u200bc\u00ad\u202ed", "a bcd", "blanks and marks without width"),
    ("plain", "“a” ‘b’ «c» `d` – — −", "\"a\" 'b' \"c\" 'd' - - -", "quote marks and dashes"),
    ("plain", "≥ ≤ ≠ ≈ ∼ ×", ">= <= != ~ ~ x", "signs"),
    ("plain", "ﬁ Ａ１ 𝐛 cafe\u0301", "fi a1 b café", "compatibility of form only"),
    ("plain", "10⁶ ½ ① № ٣ ㎏ 國国", "10⁶ ½ ① № ٣ ㎏ 國国", "signs with a meaning stay"),
    ("plain", "Straße İ", "strasse i̇", "case folds, also to more characters"),
)


@pytest.mark.covers("A27", "H13")
@pytest.mark.parametrize(("profile", "text", "wanted", "why"), STEPS, ids=[why for *_, why in STEPS])
def test_steps_of_the_normal_form(profile: str, text: str, wanted: str, why: str) -> None:
    """N1: every step, and what it must leave alone."""
    assert normalise(text, profile).text == wanted, why


def test_markers_cells_and_struck_text_are_remembered() -> None:
    """N1, N4: what is taken out is remembered at its place."""
    normal = normalise("a [3] b | c ~~d e~~ f", "markdown")
    assert normal.text == "a b c d e f"
    assert normal.markers == ((2, "3"),)
    assert [at for at, char in enumerate(normal.lined) if char == "\n"] == [3]
    assert normal.struck == ((6, 9),)


WHOLE = ("15", "1,048,576", "30 000", "0.5%", "10⁶", "-5", "$5", "5%", "5+", "2 million", "5 percent", "10-20")
PARTS = (
    *(("1", "15"), ("1,048", "1,048,576"), ("30", "30 000"), ("0", "0.5%"), ("106", "10⁶"), ("10", "10⁶")),
    *(("5", "-5"), ("5", "$5"), ("5", "5%"), ("5", "5+"), ("2", "2 million"), ("5", "5 percent"), ("5", "5 %")),
    *(("10", "10-20"), ("20", "10-20"), ("2026", "2026-03-15"), ("3", "3/4"), ("10", "10:30"), ("4", "gpt-4")),
    *(("gpt-4", "gpt-4-mini"), ("Turm", "Turmbau"), ("5", "5 €"), ("4", "4十"), ("profit", "non-profit")),
    *(("million", "2 million"), ("percent", "5 percent"), ("million", "two million")),
)


@pytest.mark.parametrize("value", WHOLE)
def test_a_value_stands_as_a_whole(value: str) -> None:
    """N3: a value as written is found, on its own range."""
    text = f"It was {value}, they said; then {value}."
    first = text.index(value)
    assert stands_in(value, text)[0] == (first, first + len(value))
    assert len(stands_in(value, text)) == 2


@pytest.mark.parametrize(("part", "value"), PARTS)
def test_no_value_is_cut_out_of_another(part: str, value: str) -> None:
    """N3: the part of a number, range, date, ratio, time, quantity or word does not stand in the text."""
    assert stands_in(part, f"It was {value} in all.") == []
    assert found(part, f"It was {value} in all.").status == "not-found"


def test_values_of_neighbouring_cells_stand_alone() -> None:
    """N3: a cell border ends a number."""
    assert stands_in("30", "| Kite | 30 | 000 |", "markdown") == [(9, 11)]
    assert stands_in("30000", "| Kite | 30 | 000 |", "markdown") == []


@pytest.mark.parametrize(
    ("value", "text", "stands"),
    [
        ("300 MB", "takes 300 MB", True),
        ("300 Mb", "takes 300 MB", False),
        ("20 mA", "draws 20 MA", False),
        ("300k", "up to 300K", True),
        ("5M", "about 5m", True),
        ("Lark", "the LARK boat", True),
    ],
)
def test_case_matters_where_it_means_something(value: str, text: str, stands: bool) -> None:
    """N3: units keep their case, magnitudes and all other words do not."""
    assert bool(stands_in(value, text)) is stands


def test_limits_and_inputs() -> None:
    """N2: a quote over 20,000 characters is refused before anything is read; a profile must be known."""
    with pytest.raises(LimitError) as caught:
        found("a" * 20_001, "text")
    assert caught.value.code == "too_large"
    assert found("b " * 10_000, "some text that holds none of it").status == "not-found"
    with pytest.raises(InputError):
        SourceText("text", "word")


@pytest.mark.parametrize("text", [None, "", " \n\t", "\u200b"])
def test_no_text_is_unknown(text: str | None) -> None:
    """N2, P6: without visible text nothing is known, which is no pass and no failure."""
    match = found("some words that stand there", text)
    assert (match.status, match.tier, match.flags) == ("unverifiable", "none", ("no-source-text",))


@pytest.mark.parametrize("quote", ["", "  ", "…", "...", " — ", "“”"])
def test_an_empty_quote_matches_nothing(quote: str) -> None:
    """N2: nothing left of a quote is not found, without a search."""
    match = found(quote, "Any text … at all — with “” marks ...")
    assert (match.status, match.tier, match.flags) == ("not-found", "none", ("empty-quote",))


def test_quotes_in_countless_pieces_end() -> None:
    """N7: a quote in more pieces than a reader would write is not searched for."""
    match = found("a … " * 4_000, "a b " * 5_000)
    assert (match.status, match.flags) == ("not-found", ("segment-not-found",))
    assert found("a … " * 20, "a b " * 5_000).status == "verified"


@pytest.mark.covers("A27")
def test_the_profile_has_a_digest() -> None:
    """N1, N9: each profile has its own digest, and lists for eleven languages stand behind it."""
    assert len({profile_sha256(profile) for profile in PROFILES}) == len(PROFILES)
    assert profile_sha256("pdf") == profile_sha256("pdf")
    assert len(LANGUAGES) == 11
    assert {words().kinds[word] for word in ("nicht", "jamais", "nunca", "niet", "не", "لا", "不")} == {
        ChangeKind.NEGATION
    }


def test_output_of_a_match() -> None:
    """N10: ratio with three places, raw span, context of the normal form, closest text and distance."""
    text = "First came **the** rain. The boats lay at the old quay for 12 days. Then came snow."
    match = found("The boats lay at the old quay for 13 days.", text, "markdown")
    assert (match.status, match.tier, match.edit_distance) == ("altered", "near", 2)
    assert text[match.start : match.end] == match.closest == "The boats lay at the old quay for 12 days"
    assert match.prefix == "first came the rain. "
    assert match.suffix == ". then came snow."
    assert re.fullmatch(r"0\.\d{3}", match.ratio or "")
    assert match.changes == (Change("number", "fail", "13", "12"),)


BIG = page(9, 900)[:100_000]
BIG_SENTENCES = [sentence.strip() for sentence in re.findall(r"The [^\n]*?May\.", BIG)]


def timed(run: Callable[[], object]) -> float:
    """Give the better of two times."""
    times = []
    for _ in range(2):
        start = perf_counter()
        run()
        times.append(perf_counter() - start)
    return min(times)


def varied(kind: str, sentence: str, number: int) -> str:
    """Make a near, altered or absent quote of a sentence."""
    parts = sentence.split()
    if kind == "near":
        return " ".join((*parts[:4], *parts[5:]))
    if kind == "altered":
        return " ".join((*parts[:4], "zebra", *parts[5:]))
    rnd = random.Random(number)
    return (
        sentence if kind == "exact" else " ".join(rnd.choice((*NOUNS, *EXTRA, *VERBS, "the", "of")) for _ in range(20))
    )


@pytest.mark.parametrize(
    "kind", ["near", *(pytest.param(kind, marks=pytest.mark.slow) for kind in ("exact", "altered", "absent"))]
)
def test_two_hundred_quotes_on_a_large_page(kind: str) -> None:
    """2.4: 200 quotes on 100 KB take less than a second with the build of the normal form (asserted with slack)."""
    quotes = [varied(kind, sentence, at) for at, sentence in enumerate(BIG_SENTENCES[:200])]

    def run() -> None:
        source = SourceText(BIG, "markdown")
        statuses = {align(quote, source).status for quote in quotes}
        assert statuses <= {"verified"} if kind in ("exact", "near") else "verified" not in statuses

    assert timed(run) < 2


def test_time_ratios() -> None:
    """2.4: an absent quote, a doubled text and a text of nothing but marks stay within their ratios."""
    source = SourceText(BIG, "markdown")
    align(BIG_SENTENCES[0], source)
    exact = timed(lambda: [align(quote, source) for quote in BIG_SENTENCES[:40]])
    absent = timed(lambda: [align(varied("absent", quote, at), source) for at, quote in enumerate(BIG_SENTENCES[:40])])
    assert absent <= 40 * exact
    long = " ".join(varied("absent", "", at) for at in range(20))[:2000]
    assert timed(lambda: align(long, source)) < 1
    prose = timed(lambda: normalise(BIG, "html-md"))
    assert timed(lambda: normalise(BIG + BIG, "html-md")) <= 2.5 * prose + 0.02
    for mark in "[<*~|":
        assert timed(lambda mark=mark: normalise(mark * 100_000, "html-md")) <= 5 * prose


FUZZ = (
    "[",
    "<",
    "*",
    "~",
    "|",
    "`",
    "_",
    "&",
    "[1",
    "](",
    "[a](b",
    "<su",
    "<sup>1",
    "~~",
    "\n> ",
    "1 000 ",
    "1.",
    "a-\n",
    "&amp",
)
REPEATED = (*FUZZ, "<del>", "</del>", "'a", "<a b=", "[1,2", "…", ". ", "e\u0301", "\u0301", "x^", "-1", "$1/")


@pytest.mark.parametrize(
    "unit", [pytest.param(unit, marks=[pytest.mark.slow] if place % 5 else []) for place, unit in enumerate(REPEATED)]
)
def test_hostile_text_takes_linear_time(unit: str) -> None:
    """2.5: any markup opened over and over takes time in proportion to its length."""

    def run(size: int) -> Normal:
        source = SourceText((unit * size)[:size], "html-md")
        align("four plain words here are not in it", source)
        return source.normal

    assert timed(lambda: run(40_000)) <= 3.2 * timed(lambda: run(20_000)) + 0.05
