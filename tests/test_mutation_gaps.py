"""Rules that a small mistake could break unseen: each test here kills mutants that every other test let live (G20)."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest
from kit import claim, opened

from claimbase.compiler.staging import staging_select
from claimbase.compiler.tables import padded
from claimbase.dates import read_date
from claimbase.errors import InputError, InstantError, NoSpaceError, QuantityError, StoreError
from claimbase.evidence.align import SourceText, align, stands_in
from claimbase.evidence.boundaries import find_all
from claimbase.evidence.elided import MOST_PIECES
from claimbase.evidence.model import Hint
from claimbase.evidence.near import _peaks, _pull, _push
from claimbase.evidence.normalise import normalise
from claimbase.selects.parsed import check_select
from claimbase.store import ledger, read_checkpoint, unguarded
from claimbase.store.basis import resolve
from claimbase.store.head import Head, Stamp
from claimbase.temporal import HIGHEST, LOWEST, read_instant, read_period, utc
from claimbase.values import Kind, read_value


@pytest.mark.parametrize("text", ["9999-12-31T23:59:59-05:00", "0001-01-01T00:00:00+05:00", "9999-12-31", "0001-01-01"])
def test_instants_outside_the_legal_years_are_refused(text: str) -> None:
    """B2, C9: what lies before or behind the legal years, in its own zone or in UTC, is out of range."""
    with pytest.raises(InstantError) as caught:
        read_instant(text)
    assert caught.value.code == "out_of_range"
    assert utc(LOWEST) == LOWEST
    assert utc(HIGHEST) == HIGHEST


@pytest.mark.parametrize(("text", "month"), [("2026-33", 1), ("2026-34", 4), ("2026-35", 7), ("2026-36", 10)])
def test_quarters_have_four_numbers(text: str, month: int) -> None:
    """T3: 33 to 36 stand for quarters; 32 and 37 for nothing."""
    bound = read_period(text)
    assert (bound.precision, bound.earliest) == ("quarter", datetime(2026, month, 1, tzinfo=UTC))
    for other in ("2026-32", "2026-37", "2026-13", "2026-00"):
        with pytest.raises(InstantError, match="is no month"):
            read_period(other)


def test_a_leap_second_is_refused_with_its_neighbours() -> None:
    """X26: the hint names the second before it and the next day."""
    with pytest.raises(InstantError) as caught:
        read_period("2016-12-31T23:59:60Z")
    assert (caught.value.code, "23:59:59" in caught.value.hint) == ("bad_date", True)


@pytest.mark.parametrize(("offset", "code"), [("+23:59", None), ("+24:00", "bad_offset"), ("-05:60", "bad_offset")])
def test_offsets_end_below_a_day_and_an_hour(offset: str, code: str | None) -> None:
    """X27: hours end at 23, minutes at 59."""
    if code is None:
        assert read_period(f"2026-03-02T12:00:00{offset}").earliest == datetime(2026, 3, 1, 12, 1, tzinfo=UTC)
        return
    with pytest.raises(InstantError) as caught:
        read_period(f"2026-03-02T12:00:00{offset}")
    assert caught.value.code == code


@pytest.mark.parametrize(("kind", "text"), [("bool", "yes"), ("text", "a"), ("entity", "a"), ("set", "a, b")])
def test_values_without_a_range_have_closed_ends(kind: Kind, text: str) -> None:
    """V1, V3: only what is measured is open or approximate."""
    value = read_value(text, kind=kind)
    assert (value.min_open, value.max_open, value.approximate, value.unit, value.precision) == (
        *[False] * 3,
        None,
        None,
    )


@pytest.mark.parametrize("day", range(1, 32))
def test_ordinals_are_those_of_english(day: int) -> None:
    """V6: 1st, 2nd, 3rd, 4th, 11th, 21st; any other ending is no ordinal."""
    ending = "th" if day in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    for other in ("st", "nd", "rd", "th"):
        if other == ending:
            assert read_date(f"{day}{other} May 2026").earliest == datetime(2026, 5, day, tzinfo=UTC)
        else:
            with pytest.raises(InstantError, match="is no ordinal"):
                read_date(f"{day}{other} May 2026")


@pytest.mark.parametrize(("least", "most", "told"), [("6", None, "6 .. token"), (None, "4", ".. 4 token")])
def test_the_limits_of_a_predicate_are_told(least: str | None, most: str | None, told: str) -> None:
    """V6: a value outside the limits is refused with the limits that there are."""
    minimum, maximum = (None if text is None else Decimal(text) for text in (least, most))
    with pytest.raises(QuantityError, match=f"lies outside {told}") as caught:
        read_value("5", kind="quantity", unit="token", minimum=minimum, maximum=maximum)
    assert caught.value.code == "out_of_range"


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


def test_a_batch_counts_what_it_wrote(tmp_path: Path) -> None:
    """W5, G6, A1: a ledger row counts what came and ended at its instant, by which it is known; a verb reports it."""
    with opened(tmp_path / "base.duckdb") as kb:
        kb.add([claim(), claim("$4", subject="Wren")])
        (claim_id,) = (row["claim_id"] for row in kb.claims() if row["subject"] == "Wren")
        kb.add([claim("$5", subject="Crow")])
        told = kb.correct(claim_id, {"value": "$6", "quote": "It costs $6."}, reason="typo")
        assert (told.inserted, told.retracted) == (1, 1)
        assert [(row["change"], row["claim_id"]) for row in told.versions] == [
            ("retracted", claim_id),
            ("inserted", told.other_id),
        ]
        batches = kb.db.query("SELECT recorded_at, versions_added, versions_retracted FROM cb.batch").rows
        versions = kb.db.query("SELECT recorded_at, retracted_at FROM cb.claim").rows
        counted = kb.db.query("SELECT recorded_at, entries FROM cb.batch").rows
        logged = kb.db.query(
            "SELECT recorded_at FROM cb.entry UNION ALL SELECT recorded_at FROM cb.reading "
            "UNION ALL SELECT recorded_at FROM cb.source_attribute UNION ALL SELECT recorded_at FROM cb.decision "
            "UNION ALL SELECT recorded_at FROM cb.predicate_declaration"
        ).rows
        known = [resolve(kb.db, recorded_by=at).batch for at, *_ in sorted(batches)]
        assert kb.verify_ledger().ok
    assert known == list(range(len(batches)))
    assert sorted(counted) == sorted((at, logged.count((at,))) for at, _ in counted)
    assert sorted(batches) == sorted(
        (at, sum(came == at for came, _ in versions), sum(ended == at for _, ended in versions)) for at, *_ in batches
    )
    assert sorted(counts[1:] for counts in batches)[-3:] == [(1, 0), (1, 1), (2, 0)]


def test_an_audit_tells_a_thousand_findings_of_one_kind(tmp_path: Path) -> None:
    """G6: what is broken a million times is told a thousand times; macros outside the package's schema are nobody's."""
    with opened(tmp_path / "base.duckdb") as kb:
        kb.add([claim()])
        with kb.db.atomic() as transaction, unguarded(transaction):
            transaction.run("CREATE MACRO main.own(a) AS a + 1")
        assert kb.verify_ledger().ok
        with kb.db.atomic() as transaction, unguarded(transaction):
            transaction.run(
                "INSERT INTO cb.migration SELECT n, 'x', 'x', TIMESTAMPTZ '9999-01-01' "
                "FROM range(900, 1901) AS r(n), range(2)"
            )
        told = kb.verify_ledger()
        findings = told.findings
    assert "(and 999 more)" in told.words
    assert {(one.part, one.what) for one in findings} == {("migration", "it stands there more than once")}
    assert len(findings) == 1_000


@pytest.mark.parametrize("held", [[], [Stamp(3, 1, "ab" * 32)]])
def test_a_write_that_is_not_read_back_is_unconfirmed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, held: list[Stamp]
) -> None:
    """C4: what the engine reports as stored and does not hold, or holds otherwise, is an error."""
    with opened(tmp_path / "base.duckdb") as kb:
        monkeypatch.setattr(ledger, "_since", lambda db, batch_id: held)
        with pytest.raises(StoreError) as caught:
            kb.add([claim()])
    assert caught.value.code == "commit_unconfirmed"


def test_what_the_head_file_lacks_is_noted_by_the_next_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """G7: a batch that is stored and could not be noted is noted before the next one."""

    def fails(head: Head, stamps: list[Stamp]) -> None:
        raise NoSpaceError("no room", code="head_unwritten", hint="make room")

    path = tmp_path / "base.duckdb"
    with opened(path) as kb:
        with monkeypatch.context() as full:
            full.setattr(Head, "append", fails)
            with pytest.raises(NoSpaceError):
                kb.add([claim()])
        kb.add([claim("$4", subject="Wren")])
        batches = kb.db.query("SELECT batch_id FROM cb.batch ORDER BY batch_id").rows
    noted = path.with_name("base.duckdb.head").read_text("ascii").splitlines()
    assert [(int(line.split()[0]),) for line in noted] == batches


def test_the_first_batch_can_be_a_checkpoint() -> None:
    """G7: batches count from 0."""
    assert read_checkpoint("0:" + "ab" * 32) == (0, "ab" * 32)


def test_an_audit_names_what_differs_in_order(tmp_path: Path) -> None:
    """G5, G6: tables and macros that are not the package's are named, each kind in the order of the names."""
    with opened(tmp_path / "base.duckdb") as kb:
        with kb.db.atomic() as transaction, unguarded(transaction):
            transaction.run("CREATE TABLE cb.own (x INTEGER, b INTEGER)")
            for name in ("own_e", "own_c", "own_a", "own_d", "own_b", "own_f"):
                transaction.run(f"CREATE MACRO cb.{name}(a) AS a")
        findings = kb.verify_ledger().findings
    assert [one.detail for one in findings if one.part == "macro"] == [f"own_{letter}" for letter in "abcdef"]
    assert [one.detail for one in findings if one.part == "schema"] == ["own.b", "own.x"]


@pytest.mark.parametrize(
    ("text", "word"), [("select 1 into t from cb.claim", "INTO"), ("select $1 from cb.claim", "PLACEHOLDER")]
)
def test_what_is_refused_in_a_statement_is_named(text: str, word: str) -> None:
    """Reliability 2.3: the message says which word of the statement is not allowed."""
    with pytest.raises(InputError, match=f"^{word} is not allowed here") as caught:
        check_select(text)
    assert caught.value.code == "not_allowed"


@pytest.mark.parametrize(
    ("kind", "taken"),
    [
        ("STRUCT(url VARCHAR, title VARCHAR)", ["url", "title"]),
        ("STRUCT(\"url\" VARCHAR, base_url VARCHAR, n DECIMAL(18,3), mood ENUM('a', 'url'))", ["url"]),
        ("STRUCT(base_url VARCHAR, about STRUCT(title VARCHAR))", []),
        ("STRUCT(url VARCHAR)[]", []),
        ("MAP(VARCHAR, VARCHAR)", []),
        ("VARCHAR", []),
    ],
)
def test_a_nested_source_gives_the_members_it_has(kind: str, taken: list[str]) -> None:
    """Import: of a struct `source` the members with a known name are taken, and no part of another name."""
    sql = staging_select(None, {"source": (None, kind), "value": ("value", "VARCHAR")})
    assert re.findall(r"STRUCT_EXTRACT\(\"source\", '(\w+)'\)", sql, re.IGNORECASE) == taken


@pytest.mark.parametrize("count", range(1, 10))
def test_lists_of_operands_are_of_few_lengths(count: int) -> None:
    """Q4: a list is filled up with its last operand to a power of two, which asks the same."""
    values = padded(tuple(range(count)))
    assert (len(values), values[:count], set(values)) == (
        next(size for size in (1, 2, 4, 8, 16) if size >= count),
        tuple(range(count)),
        set(range(count)),
    )
