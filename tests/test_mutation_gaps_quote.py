"""Rules of quotes that a small mistake could break unseen: each test kills mutants all others let live (G20)."""

from __future__ import annotations

import pytest

from claimbase.evidence.align import SourceText, align, stands_in
from claimbase.evidence.boundaries import find_all
from claimbase.evidence.elided import MOST_PIECES
from claimbase.evidence.guards import challenge
from claimbase.evidence.model import Hint
from claimbase.evidence.near import _peaks, _pull, _push
from claimbase.evidence.normalise import normalise


@pytest.mark.parametrize(
    ("prefix", "place", "settled"),
    [("North: ", 0, True), ("South: ", 1, True), ("th: ", 0, False), ("West, ", 0, False)],
)
def test_a_hint_chooses_only_where_one_place_fits_best(prefix: str, place: int, settled: bool) -> None:
    """N5: what stood before a quote chooses the place that fits it alone; where two fit alike, nothing is settled."""
    words = "the old lamp burns oil for the whole of the night"
    text = f"North: {words}. South: {words}."
    match = align(words, SourceText(text), Hint(prefix=prefix))
    assert match.start == [text.find(words), text.rfind(words)][place]
    assert ("multiple-occurrences" in match.flags) is not settled


def test_an_article_joined_to_its_word_is_no_article() -> None:
    """2.3: the "a" of "plan-a" is left out like any other word, and that is told; the "a" of "a plan" is free."""
    quote = "They signed up for {} in the long winter of that year."
    match = align(quote.format("plan"), SourceText(quote.format("plan-a")))
    assert "words-left-out:a" in match.flags
    assert not align(quote.format("plan"), SourceText(quote.format("a plan"))).flags


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("seven", "about seven - eight boats"),  # either end of a range in words
        ("eight", "about seven - eight boats"),
        ("60 km", "it went at 60 km/h"),  # a rate, also where the text ends
        ("38", "they lost 38 / 0"),
        ("5", "all of 5 per cent"),
        ("2", "some 2 1/2 tonnes"),
        ("7", "at minus 7 degrees"),
        ("3", "a plank of 3′ or so"),
    ],
)
def test_a_value_at_the_edge_of_a_text_is_not_cut_out(value: str, text: str) -> None:
    """N3: part of a range, rate, ratio, share, fraction or measure does not stand in the text."""
    assert stands_in(value, text) == []


@pytest.mark.parametrize(("value", "text"), [("5 EUR", "it costs 5 EUR/kg"), ("5", "they paid 5 per"), ("5", "is 5")])
def test_a_value_at_the_edge_of_a_text_stands(value: str, text: str) -> None:
    """N3: a currency may stand without its measure; a text may end anywhere behind a number."""
    assert len(stands_in(value, text)) == 1


def test_places_are_counted_up_to_a_bound_of_effort() -> None:
    """N10: of a short text every place is told, of a long one ten thousand."""
    assert len(list(find_all("a" * 30_000, "a"))) == 30_000
    assert list(find_all("abab" * 3, "bab")) == [1, 3, 5, 7, 9]
    assert list(find_all("abab", "")) == []
    assert sum(1 for _ in find_all("a" * 40_000, "a" * 20_000)) == 10_000


@pytest.mark.parametrize(
    ("quote", "counts"),
    [
        ("The old harbor lights burn all night long here.", "typo"),
        ("Harbor lights burn all night long here.", "word"),
        ("The old harbor's lights burn all night long here.", "word"),
    ],
)
def test_only_plain_small_words_have_slips(quote: str, counts: str) -> None:
    """N6: a slip lies between two words of small letters; a capital or a mark in either makes it another word."""
    text = quote.replace("arbor", "arbour")
    (change,) = (one for one in align(quote, SourceText(text)).changes if "arbo" in one.quote.split()[-1].casefold())
    assert (change.kind, change.severity) == (counts, "ok" if counts == "typo" else "fail")


@pytest.mark.parametrize(
    ("article", "noun", "named"),
    [
        ("die", "Katze", False),
        ("die", "alte Katze", False),
        ("den", "alten grauen zahmen Hund", False),
        ("den", "sehr alten grauen zahmen Hund", True),  # the noun is too far
        ("die", "alte, zahme Katze", True),  # a comma stands between
        ("die", "schnell und leise", True),  # no noun
    ],
)
def test_a_german_article_is_named_unless_its_noun_follows(article: str, noun: str, named: bool) -> None:
    """N6, 2.3: left out before its noun, "die" and "den" go unnamed like an English article."""
    text = f"Auf dem Hof lockte sie {article} {noun} bis zur Scheune heraus."
    match = align(text.replace(f" {article} ", " "), SourceText(text))
    assert (f"words-left-out:{article}" in match.flags) is named


def test_an_english_die_is_no_article() -> None:
    """N6: where English words stand, "die" is a word like any other and is named."""
    text = "She let the cat of the mill roll over and then die then."
    assert "words-left-out:die" in align(text.replace("die ", ""), SourceText(text)).flags


@pytest.mark.parametrize(("word", "free"), [("a", True), ("A", False), ("THE", False), ("the", True)])
def test_a_lone_capital_inside_a_sentence_is_no_article(word: str, free: bool) -> None:
    """2.3, N6: "plan A" says more than "plan"; a word in capitals is a name."""
    text = f"They signed up for plan {word} in the long winter of that year."
    match = align(text.replace(f" {word} ", " "), SourceText(text))
    assert (match.status == "verified" and not any(flag.startswith("words-left-out") for flag in match.flags)) is free


def test_a_sentence_may_begin_with_an_article_of_one_letter() -> None:
    """2.3: at the head of a sentence a capital says nothing: that "A" is an article."""
    text = "It rained. A boat lay at the old quay for twelve days."
    match = align("It rained. Boat lay at the old quay for twelve days.", SourceText(text))
    assert [(one.kind, one.source) for one in match.changes] == [("skipped", "A")]
    shouted = SourceText(text.replace(" A ", " AN "))
    match = align("It rained. Boat lay at the old quay for twelve days.", shouted)
    assert [(one.kind, one.source) for one in match.changes] == [("name", "AN")]


@pytest.mark.parametrize("code", [0x300, 0x36F, 0x1160, 0x11FF, 0x20D0, 0x11000, 0x1107F, 0x1D165, 0x1D169])
def test_a_combining_mark_belongs_to_its_letter(code: int) -> None:
    """N1, N3: no hit ends between a letter and its mark."""
    assert stands_in("e", f"the tone e{chr(code)}") == []


def test_a_quote_has_so_many_pieces_at_most() -> None:
    """N7: as many pieces as the bound are followed, not one more."""
    source = SourceText("lamp " * 200)
    assert align(" … ".join(["lamp"] * MOST_PIECES), source).status == "verified"
    assert align(" … ".join(["lamp"] * (MOST_PIECES + 1)), source).flags == ("segment-not-found",)


@pytest.mark.parametrize(
    "code",
    [0xAD, *range(0x200B, 0x2010), 0x61C, *range(0x202A, 0x202F), *range(0x2060, 0x2065), *range(0x2066, 0x206A)],
)
def test_marks_without_width_are_dropped(code: int) -> None:
    """N1: soft hyphen, zero-width and bidi marks vanish; the narrow blank beside them stays a blank."""
    assert normalise(f"a{chr(code)}b").text == "ab"
    assert normalise(f"a{chr(code)}\u202fb").text == "a b"


@pytest.mark.parametrize("text", ["a ", " a", " a ", "a"])
def test_ends_are_trimmed(text: str) -> None:
    """N1: no blank stands at either end of a normal form, however short it is."""
    assert normalise(text).text == "a"


@pytest.mark.parametrize(
    ("value", "text", "stands"),
    [
        ("harbour", "the harbour's lamp", 1),
        ("isn", "it isn't", 0),
        ("B-", "grade B- of all", 1),
        ("B", "grade B- of all", 0),
    ],
)
def test_of_a_word_only_the_possessive_may_be_left_off(value: str, text: str, stands: int) -> None:
    """N3: the 's of an owner is no part of the word; any other ending is, a grade's minus too."""
    assert len(stands_in(value, text)) == stands


@pytest.mark.parametrize(("marker", "status"), [("[3]", "verified"), ("[4]", "altered"), ("[3][4]", "altered")])
def test_a_marker_stands_directly_behind_the_hit(marker: str, status: str) -> None:
    """N3: the markers of a quote stand inside the hit or behind it; before it or one word further on is too far."""
    source = SourceText("The mill grew by one third [3] a [4] year.", "markdown")
    assert align(f"The mill grew by one third {marker}", source).status == status
    before = SourceText(f"Of all {marker} the mill grew by one third.", "markdown")
    assert align(f"the mill grew by one third {marker}", before).status == "altered"


def test_a_negation_that_follows_at_once_is_told() -> None:
    """N8: in scripts without blanks too, a negation right behind the match is named, the longest one there."""
    assert "negation-after:不" in align("那艘大船今天", SourceText("那艘大船今天不能进港。")).flags
    assert "negation-after:没有" in align("那艘大船今天", SourceText("那艘大船今天没有进港。")).flags


@pytest.mark.parametrize(("text", "kind"), [("5 / boats", "unit"), ("boats / 5", "unit"), ("boats / carts", "free")])
def test_a_stroke_beside_a_number_is_a_unit(text: str, kind: str) -> None:
    """2.3: a stroke measures where a number stands beside it, also at the head of a text."""
    tokens = SourceText(text).tokens
    assert tokens.kind([tokens.text(at) for at in range(len(tokens))].index("/")) == kind


def test_a_dash_at_the_head_of_a_text_is_a_mark_and_at_the_head_of_a_quote_a_sign() -> None:
    """N1: a text begins with a line; a quote may be cut out of one, and its dash may be a minus."""
    assert normalise("- 5 boats", "markdown").text == "5 boats"
    assert normalise("- 5 boats", "markdown", quoted=True).text == "- 5 boats"


def test_a_quote_may_put_a_stop_where_the_source_has_a_border() -> None:
    """N6: between two items of a list a quote may end its sentence, also where an article is left out there."""
    source = SourceText("- They lay at quay the\n- boats were red all year long.", "markdown")
    assert align("They lay at quay. boats were red all year long.", source).status == "verified"
    assert align("They lay at. quay boats were red all year long.", source).status == "altered"


def test_votes_within_the_reach_are_one_place() -> None:
    """N6: a place counts the votes up to its reach away, that distance included; the middle one names it."""
    assert _peaks([0, 4, 8, 13], 4) == [(1, 0), (2, 0), (2, 4), (1, 13)]


def test_equal_words_are_pulled_together_with_room_for_what_has_no_match() -> None:
    """N6: of equal words the nearest stands for the quote's that leaves a place for each word between."""
    quote, source = [1, 7, 2], [1, 2, 8, 2, 2]
    partner = [0, -1, 4]
    _pull(partner, quote, source)
    assert partner == [0, -1, 3]
    partner = [0, -1, 4]
    _push(partner, quote[::-1], source[::-1])
    assert partner == [1, -1, 4]


def test_the_words_of_a_link_stand_to_the_letter() -> None:
    """N3: a quote may begin behind the bracket of a link; only inside a citation marker it may not."""
    source = SourceText("See [the long plan of works](plan.html) of today [12, 14] again.", "markdown")
    assert align("the long plan of works", source).tier == "exact"
    assert align("14] again.", source).status != "verified"


@pytest.mark.parametrize("quote", ["<b>", "</b>", "<br>"])
def test_marks_that_show_nothing_are_no_quote(quote: str) -> None:
    """N3: a hit must hold visible text; a tag of the page stands in its raw text and in nothing a reader sees."""
    assert align(quote, SourceText("A <b>bold</b> word.<br>And one more.", "markdown")).status == "not-found"


@pytest.mark.parametrize(("quote", "status"), [("halfpipe", "verified"), ("halfpip", "not-found")])
def test_blanks_inside_words_are_moved_from_eight_characters_on(quote: str, status: str) -> None:
    """N3: without blanks, what is shorter than 8 characters is not looked for."""
    assert align(quote, SourceText(f"they built a {quote[:5]} {quote[5:]} in town")).status == status


def test_an_abbreviation_at_the_head_of_a_text_ends_no_sentence() -> None:
    """N8: the stop of an abbreviation is none, also where the text begins with it."""
    match = align("5 stays open all day", SourceText("No. 5 stays open all day."))
    assert "negation-before:no" in match.flags


@pytest.mark.parametrize(
    ("text", "word", "joined"),
    [
        ("they left (x-a for good", "a", True),  # a hyphen joins where a letter stands directly on its other side
        ("x-a they left for good", "a", True),
        ("they left x /a for good", "a", False),
        ("they took a/ for good", "a", False),
        ("they took a-la carte", "a", True),
        ("they took a-b for good", "a", True),
    ],
)
def test_a_word_is_joined_by_a_hyphen_or_stroke_without_blanks(text: str, word: str, joined: bool) -> None:
    """2.3: what a hyphen or stroke ties to a letter is part of a longer word, and no article."""
    tokens = SourceText(text).tokens
    (at,) = (at for at in range(len(tokens)) if tokens.text(at) == word)
    assert (tokens.kind(at) == "free") is not joined


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("It gave 5 MW more, then", "MW"),
        ("It gave -5 MW more", "MW"),
        ("It gave 5, MW more then", "mw"),
        ("It gave some MW more", "mw"),
        ("so much per MW, or", "MW"),
        ("it was 5MW then", "5MW"),
    ],
)
def test_a_unit_keeps_its_case_directly_behind_a_number(text: str, unit: str) -> None:
    """N3: behind a number, `per` or a stroke the case of a unit means something; behind a comma it is no unit."""
    keys = SourceText(text).tokens.keys
    assert [key for key in keys if key.casefold() == unit.casefold()] == [unit]


@pytest.mark.parametrize(
    ("value", "text", "stands"),
    [
        ("5k", "some 5K boats", 1),
        ("5M", "some 5m boats", 1),
        ("5 k", "some 5 K boats", 1),
        ("5 MB", "some 5 MB of it", 1),
        ("5 Mb", "some 5 MB of it", 0),
        ("5mA", "some 5MA of it", 0),
    ],
)
def test_the_case_of_a_unit_counts_and_that_of_a_magnitude_does_not(value: str, text: str, stands: int) -> None:
    """N3: MB is not Mb, mA not MA; K is k and M is m."""
    assert len(stands_in(value, text)) == stands


@pytest.mark.parametrize(("length", "walled"), [(3_000, True), (3_001, False)])
def test_a_wall_has_so_many_characters_at_most(length: int, walled: bool) -> None:
    """Evidence 4.4: only a short page can be one, that is one of 3,000 characters at most."""
    text = ("Sign in to continue. " * 200)[:length]
    assert (challenge(text) is not None) is walled


@pytest.mark.parametrize(
    ("quote", "short"),
    [("船今天进港", True), ("那船今天进港", False), ("two old boats", True), ("two old red boats", False)],
)
def test_a_short_quote_has_few_words_or_characters(quote: str, short: bool) -> None:
    """N5: fewer than 4 words, or fewer than 6 characters of a script without blanks."""
    assert ("short" in align(quote, SourceText("It rained.")).flags) is short


@pytest.mark.parametrize(
    ("text", "markers"), [("A <b>mill</b>[3] grew.", 1), ("A mill</a>[3] grew.", 1), ("A <i>mill</i>[3] grew.", 0)]
)
def test_a_marker_stands_behind_some_tags(text: str, markers: int) -> None:
    """N1: a marker behind the end of a link or of bold words is taken out; behind any other tag it is text."""
    assert len(normalise(text, "html-md").markers) == markers
