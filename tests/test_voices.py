"""Voices (evidence §5, R1): which sources are one speaker, why, who speaks for them; shingles against plain Python."""

from __future__ import annotations

import random
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from itertools import combinations, pairwise, permutations
from pathlib import Path

import pytest
from copies import empty
from kit import NOW, base, claim, day
from voice_world import FIRST, Page, prose, put

from claimbase.analysis.independence import Independence, independence
from claimbase.errors import EvidenceError
from claimbase.evidence.model import SourceAt
from claimbase.evidence.publishers import publisher_key
from claimbase.evidence.terms import VoiceEdge
from claimbase.evidence.voices import COMMON, CONTAINED, SHARED, Overlap, Voice, voices
from claimbase.evidence.wires import HEAD, TAIL, openings
from claimbase.sources import url_key
from claimbase.store import Db, resolve
from claimbase.temporal import Basis, FixedClock


@pytest.fixture
def db() -> Iterator[Db]:
    """Give an empty base."""
    opened = empty(FixedClock(NOW))
    yield opened
    opened.close()


def source(name: str, url: str | None = None, **given: object) -> SourceAt:
    """Make a source; its address is its own site unless one is given."""
    uri = url or f"https://{name}-site.example/{name}"
    return replace(SourceAt(name, uri, url_key(uri), first_seen_at=FIRST), **given)  # type: ignore[arg-type]  # a test's own


def parts(found: tuple[Voice, ...]) -> list[tuple[str, ...]]:
    """Give the members of each voice."""
    return sorted(voice.members for voice in found)


def whole(db: Db, basis: Basis | None = None) -> Independence:
    """Ask a base for its voices."""
    return independence(db, basis or resolve(db), explain=True)


def kinds(found: Independence) -> list[tuple[int, str, tuple[str, ...]]]:
    """Give size, root's address and kinds of each voice, the largest first."""
    told = [(len(one.members), found.sources[one.root].uri, tuple(map(str, one.kinds))) for one in found.voices]
    return sorted(told, key=lambda one: (-one[0], one[1]))


# -- edges -----------------------------------------------------------------------------------------------------------


@pytest.mark.covers("H17")
def test_one_address_in_other_clothes_is_one_voice() -> None:
    """Evidence §4.3, §5: http and https, www, tracking parameters, a trailing slash: one page, one voice, edge url."""
    pages = [
        source("a", "https://norden.example/a/"), source("b", "http://www.norden.example/a?utm_source=x"),
        source("c", "https://wren.example/a"),
    ]  # fmt: skip
    found = voices(pages)
    assert parts(found) == [("a", "b"), ("c",)]
    assert found[0].kinds == (VoiceEdge.URL,)


@pytest.mark.parametrize(
    ("shared", "smaller", "joined"),
    [
        (SHARED, SHARED, True), (SHARED - 1, SHARED - 1, False), (60, 100, True), (59, 100, False), (600, 1001, False),
        (601, 1001, True),
    ],
)  # fmt: skip
@pytest.mark.covers("H17")
def test_two_texts_are_one_from_six_tenths_and_twenty_shingles_on(shared: int, smaller: int, joined: bool) -> None:
    """Evidence §5: body needs containment >= 0.6 of the smaller text and >= 20 shared shingles; both borders count."""
    found = voices([source("a"), source("b")], [Overlap("a", "b", shared, smaller)])
    assert (len(found) == 1) == joined
    assert [edge.kind for voice in found for edge in voice.edges] == [VoiceEdge.BODY] * joined


@pytest.mark.covers("H17")
def test_copies_of_one_report_of_an_agency_are_one_voice() -> None:
    """Evidence §5: feeds with one agency text are one voice; another agency, another report or no mark is another."""
    report = "The engine of the new liner was tested for nine hours on Monday and held, the yard said."
    texts = {
        "a": f"HAMBURG, March 2 (Reuters) - {report} More follows.",
        "b": f"Business news of the day\n(Reuters) — {report} Cut here.",
        "c": f"{report} It was the third test. (Reuters)",
        "d": f"HAMBURG (AP) - {report}",
        "e": "HAMBURG (Reuters) - Another report altogether begins with these words, which are more than ten in all.",
        "f": report,
        "g": f"{report} {prose(1, 300)} (Reuters)",
    }
    opened = {name: openings(text[:HEAD], text[-TAIL:]) for name, text in texts.items()}
    assert opened["f"] == frozenset()
    found = voices([source(name) for name in texts], (), opened)
    assert parts(found) == [("a", "b", "c", "g"), ("d",), ("e",), ("f",)]
    assert next(one for one in found if "a" in one.members).kinds == (VoiceEdge.WIRE,)


def test_a_mark_inside_a_word_is_none() -> None:
    """Evidence §5: APA is not AP, and a report of fewer than ten words has no opening."""
    told = "one two three four five six seven eight nine ten eleven"
    assert openings(f"MAP - {told}", "") == frozenset()
    assert {agency for agency, _ in openings(f"By APA {told}", "")} == {"apa"}
    assert openings("(AP) - too short a report", "") == frozenset()


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (("OpenAI", "https://a.example/"), ("openai, Inc.", "https://b.example/"), True),
        (("The Norden  Company", "https://a.example/"), ("NORDEN Ltd.", "https://b.example/"), True),
        (("Norden", "https://a.example/"), ("Nordens", "https://a.example/x"), False),
        ((None, "https://docs.norden.example/a"), (None, "https://norden.example/b"), True),
        ((None, "https://a.norden.co.uk/"), (None, "https://b.wren.co.uk/"), False),
        ((None, "https://a.norden.co.uk/"), (None, "https://norden.co.uk/"), True),
        ((None, "https://github.com/norden/x"), (None, "https://raw.githubusercontent.com/Norden/x/y"), True),
        ((None, "https://github.com/norden/x"), (None, "https://github.com/wren/x"), False),
        ((None, "https://norden.github.io/"), (None, "https://wren.github.io/"), False),
        ((None, "http://127.0.0.1/a"), (None, "http://127.0.0.2/b"), False),
        (("norden.example", "https://a.example/"), (None, "https://www.norden.example/"), True),
        ((None, "upload://a"), (None, "upload://b"), False),
    ],
)
@pytest.mark.covers("H17")
def test_a_publisher_is_its_name_or_its_domain(
    one: tuple[str | None, str], other: tuple[str | None, str], same: bool
) -> None:
    """Evidence §5: equal publisher keys are one voice: a name without legal form, else the registrable domain."""
    pages = [source(name, url, publisher=publisher) for name, (publisher, url) in zip("ab", (one, other), strict=True)]
    assert (len(voices(pages)) == 1) == same


def test_a_publisher_of_nothing_but_a_form_keeps_its_name() -> None:
    """Evidence §5: nothing is left out of a name that would leave nothing; marks alone are no name."""
    assert publisher_key("The Norden Co", "upload://a") == "publisher norden"
    assert publisher_key("Inc.", "upload://a") == "publisher inc"
    assert publisher_key(" — ", "upload://a") is None


@pytest.mark.covers("M07", "H17")
def test_a_restating_page_is_the_voice_of_what_it_restates() -> None:
    """R1, M07: derived edges lead to the root, however long the chain; the primary goes before the secondary."""
    press = source("press", authority="subject_authored", first_seen_at=FIRST + timedelta(days=9))
    news = source("news", derived_from=press.url_key)
    blog = source("blog", derived_from=news.url_key)
    (found,) = voices([blog, news, press])
    assert (found.root, found.kinds) == ("press", (VoiceEdge.DERIVED,))
    assert [(edge.one, edge.other) for edge in found.edges] == [("news", "blog"), ("press", "news")]


@pytest.mark.parametrize("named", ["a", "http://www.a-site.example/a/"])
def test_a_declared_mirror_is_the_voice_of_what_it_mirrors(named: str) -> None:
    """Evidence §4.4: a mirror named by id or address speaks for the page it mirrors, whatever its text."""
    (found,) = voices([source("a", first_seen_at=FIRST + timedelta(days=9)), source("b", mirror_of=named)])
    assert (found.root, found.kinds) == ("a", (VoiceEdge.DERIVED,))


def test_pages_that_restate_one_unknown_page_are_one_voice() -> None:
    """R1: the page restated need not be a source of the base."""
    found = voices([source(name, derived_from="https://agency.example/7") for name in "ab"] + [source("c")])
    assert parts(found) == [("a", "b"), ("c",)]
    assert "agency.example/7" in found[0].edges[0].reason


@pytest.mark.covers("M07")
def test_who_speaks_for_a_voice() -> None:
    """Evidence §5: root = primary, else who restates no member, else the earliest seen, ties by address."""
    early, late = source("late", first_seen_at=FIRST + timedelta(days=3)), source("early")
    alike = [Overlap("early", "late", 50, 50)]
    assert voices([early, late], alike)[0].root == "early"
    assert voices([replace(early, authority="subject_authored"), late], alike)[0].root == "late"
    restating = replace(late, derived_from=early.url_key)
    assert voices([early, restating], alike)[0].root == "late"
    assert voices([early, replace(restating, authority="subject_authored")], alike)[0].root == "early"
    assert voices([replace(early, first_seen_at=None), replace(late, first_seen_at=None)], alike)[0].root == "early"


def test_each_merge_names_the_edge_that_caused_it() -> None:
    """Evidence §5: n members are joined by n - 1 edges, the strongest reasons first; a further reason is not told."""
    pages = [source(name, f"https://norden.example/{name}") for name in "abcd"]
    pages[1] = replace(pages[1], derived_from=pages[0].url_key)
    (found,) = voices(pages, [Overlap("a", "b", 90, 90), Overlap("c", "d", 90, 90)])
    assert [(edge.kind, edge.one, edge.other) for edge in found.edges] == [
        ("derived", "a", "b"), ("body", "c", "d"), ("publisher", "a", "c"),
    ]  # fmt: skip


@pytest.mark.covers("A55")
def test_a_cycle_of_restating_pages_is_refused() -> None:
    """R1, A55: a source that restates itself, at once or by way of others, is refused; nothing is stored."""
    with base() as kb:
        pages = [f"https://{name}.example/p" for name in "abc"]
        for one, other in pairwise(pages):
            kb.add([claim(source={"url": one, "derived_from": other})])
        before = whole(kb.db).to_json()
        for bad in (pages[0], pages[2]):
            with pytest.raises(EvidenceError) as refused:
                kb.add([claim("$4", day(2), source={"url": pages[2], "derived_from": bad})])
            assert refused.value.code == "source_cycle"
        assert whole(kb.db).to_json()["rows"] == before["rows"]
        assert [voice["root"] for voice in before["rows"]] == [Page(pages[1]).key]


def test_a_cycle_that_came_in_otherwise_still_has_a_root() -> None:
    """Evidence §5: two pages of one address that restate each other end in one voice; nothing runs on for ever."""
    a = source("a", derived_from="https://b-site.example/b")
    b = source("b", derived_from="https://a-site.example/a")
    (found,) = voices([a, b])
    assert (found.root, found.members) == ("a", ("a", "b"))


# -- order -----------------------------------------------------------------------------------------------------------


def test_the_order_of_sources_plays_no_part() -> None:
    """Evidence §5: all 720 permutations of six sources give the same voices, roots and edges."""
    pages = [
        source("a", "https://norden.example/1"), source("b", "https://norden.example/2"), source("c"),
        source("d", derived_from="https://c-site.example/c"), source("e", publisher="Wren"),
        source("f", publisher="WREN"),
    ]  # fmt: skip
    overlaps = [Overlap("b", "c", 30, 40), Overlap("f", "d", 30, 31)]
    wanted = voices(pages, overlaps)
    assert parts(wanted) == [("a", "b", "c", "d", "e", "f")]
    for order in permutations(pages):
        turned = [Overlap(pair.other, pair.one, pair.shared, pair.smaller) for pair in reversed(overlaps)]
        assert voices(order, turned) == wanted


def test_components_are_those_of_a_plain_search() -> None:
    """Evidence §5: over random worlds the voices are the connected components, found by walking, in any order."""
    luck = random.Random(7)
    for _ in range(150):
        names = [f"s{number}" for number in range(luck.randint(1, 12))]
        pages = [source(name, publisher=luck.choice([None, None, "Norden", "Wren"])) for name in names]
        overlaps = [Overlap(*luck.choices(names, k=2), luck.randint(10, 40), luck.randint(30, 60)) for _ in range(6)]
        found = voices(luck.sample(pages, len(pages)), luck.sample(overlaps, len(overlaps)))
        assert parts(found) == _components(pages, overlaps)
        assert sum(len(one.edges) for one in found) == len(names) - len(found)


def _components(pages: list[SourceAt], overlaps: list[Overlap]) -> list[tuple[str, ...]]:
    near: dict[str, set[str]] = {one.source_id: {one.source_id} for one in pages}
    for one, other in combinations(pages, 2):
        if one.publisher and one.publisher == other.publisher:
            near[one.source_id].add(other.source_id)
            near[other.source_id].add(one.source_id)
    for pair in overlaps:
        if pair.shared >= 20 and pair.shared * 10 >= pair.smaller * 6:
            near[pair.one].add(pair.other)
            near[pair.other].add(pair.one)
    found = set()
    for name in near:
        reached, todo = {name}, [name]
        while todo:
            todo += (more := near[todo.pop()] - reached)
            reached |= more
        found.add(tuple(sorted(reached)))
    return sorted(found)


# -- in a base -------------------------------------------------------------------------------------------------------


@pytest.mark.covers("H17")
def test_planted_copies_are_found_in_a_base(db: Db) -> None:
    """Evidence §5: mirrors, a half-length reprint, wire copies, a publisher's family, a restating page."""
    article, report = prose(1, 200), "The engine of the new liner was tested for nine hours on Monday and held."
    put(
        db,
        Page("https://norden.example/engine", article, 0), Page("https://mirror.example/x", f"Top. {article} End.", 1),
        Page("https://reprint.example/y", " ".join(article.split()[:100]) + " " + prose(2, 30), 2),
        Page("https://quoting.example/z", " ".join(article.split()[:40]) + " " + prose(3, 150), 2),
        Page("https://wire-a.example/1", f"OSLO (Reuters) - {report} {prose(4)}"),
        Page("https://wire-b.example/2", f"(Reuters) - {report} {prose(5)}"),
        Page("https://docs.wren.example/a", prose(6)), Page("https://wren.example/b", prose(7)),
        Page("https://heron.example/c", prose(8), 5, authority="subject_authored"),
        Page("https://digest.example/d", prose(9), authority="aggregator", derived_from="https://heron.example/c"),
        Page("https://alone.example/e", prose(10)),
    )  # fmt: skip
    found = whole(db)
    assert kinds(found) == [
        (3, "https://norden.example/engine", ("body",)),
        (2, "https://docs.wren.example/a", ("publisher",)),
        (2, "https://heron.example/c", ("derived",)),
        (2, "https://wire-a.example/1", ("wire",)),
        (1, "https://alone.example/e", ()),
        (1, "https://quoting.example/z", ()),
    ]
    assert (found.effective_sources, len(found.sources)) == (6, 11)
    assert found.summary == "11 sources, 6 voices (joined by body, derived, publisher, wire)"
    (told,) = [row["because"] for row in found.rows() if row["uri"] == "https://reprint.example/y"]
    assert told == "body: one text: 96 of the smaller one's 126 shingles in both"


def test_what_everybody_repeats_pairs_nobody(db: Db) -> None:
    """Evidence §5: a passage found in more than 25 texts is boilerplate; in 25 it still tells."""
    boiler = prose(100, 120)
    pages = [Page(f"https://s{n}.example/", f"{prose(n, 40)} {boiler}") for n in range(COMMON + 1)]
    put(db, *pages)
    assert len(whole(db).voices) == COMMON + 1
    put(db, replace(pages[0], text=prose(999, 80), day=9))
    assert len(whole(db).voices) == 2


def test_many_mirrors_of_one_text_are_one_text(db: Db) -> None:
    """Evidence §5: forty copies of the same words are one voice, no boilerplate, whatever their blanks and capitals."""
    text = prose(1, 90)
    put(db, *(Page(f"https://m{n}.example/", text.upper() if n % 2 else f"  {text}\n") for n in range(40)))
    found = whole(db)
    assert kinds(found) == [(40, "https://m0.example/", ("body",))]


def test_voices_are_read_under_a_basis(db: Db) -> None:
    """Evidence §4.1: a text read later, or recorded later, joins nobody before; a refused reading never does."""
    text = prose(1)
    put(db, Page("https://a.example/", text, 0), Page("https://b.example/", prose(2), 0))
    before = resolve(db)
    put(db, Page("https://b.example/", text, 4), Page("https://c.example/", text, 6, disposition="refused-shrunk"))
    assert [len(one.members) for one in whole(db).voices if len(one.members) > 1] == [2]
    assert len(whole(db, resolve(db, observed_by=FIRST + timedelta(days=3))).voices) == 2
    assert len(whole(db, before).sources) == len(whole(db, before).voices) == 2
    assert len(whole(db).sources) == 3


def test_within_keeps_what_joins_by_way_of_others(db: Db) -> None:
    """Evidence §5: two sources joined only through a third are one voice also where the third is not asked about."""
    text = prose(1, 100)
    half, rest = text.split()[:60], text.split()[40:]
    put(
        db,
        Page("https://a.example/", " ".join(half)),
        Page("https://b.example/", text),
        Page("https://c.example/", " ".join(rest)),
    )
    ends = [Page(f"https://{name}.example/").key for name in "ac"]
    found = whole(db).within(ends)
    assert [set(voice.members) for voice in found.voices] == [set(ends)]
    assert sorted(found.sources) == sorted(ends)


def test_a_base_without_sources_has_no_voice(db: Db) -> None:
    """Evidence §5: nothing in, nothing out, and it can be told."""
    assert (whole(db).summary, whole(db).rows(), whole(db).to_json()["voices"]) == ("no sources", [], 0)


# -- shingles --------------------------------------------------------------------------------------------------------


def oracle(texts: Mapping[str, str]) -> list[tuple[str, str, int, int]]:
    """Count shared telling shingles the slow way: sets of five words, those in more than 25 distinct texts left out."""
    split = {name: tuple(_folded_words(text)) for name, text in sorted(texts.items())}
    holders: dict[tuple[str, ...], list[str]] = {}
    for name, told in split.items():
        holders.setdefault(told, []).append(name)
    shingles = {told: {told[at : at + 5] for at in range(len(told) - 4)} for told in holders}
    common = Counter(one for ones in shingles.values() for one in ones)
    telling = {told: {one for one in ones if common[one] <= 25} for told, ones in shingles.items()}
    found = []
    for one, other in combinations(telling, 2):
        shared = len(telling[one] & telling[other])
        if shared >= 20:
            ends = sorted((holders[one][0], holders[other][0]))
            found.append((*ends, shared, min(len(telling[one]), len(telling[other]))))
    for told, names in holders.items():
        size = len(telling[told])
        found += [(names[0], name, size, size) for name in names[1:] if size >= 20]
    return sorted(found)


def _folded_words(text: str) -> list[str]:
    found, word = [], ""
    for char in unicodedata.normalize("NFC", text).lower() + " ":
        if re.match("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]", char):
            found += [word, char]
            word = ""
        elif unicodedata.category(char)[0] in "LNM":
            word += char
        else:
            found.append(word)
            word = ""
    return [one for one in found if one]


def shared(db: Db) -> list[tuple[str, str, int, int]]:
    """Ask the base for the pairs."""
    basis = resolve(db)
    axes = {"observed_by": basis.observed_by, "recorded_by": basis.recorded_by}
    return db.file("queries/shared_shingles", axes | {"common": COMMON, "least": SHARED}).rows


def test_shared_shingles_are_those_of_plain_python(db: Db) -> None:
    """Evidence §9: exact containment in SQL equals sets in Python: cut, shuffled, repeated, in many scripts."""
    luck = random.Random(11)
    vocabulary = [
        "naïve",
        "Straße",
        "Ünder",
        "2.5",
        "modèle",
        "x_y",
        "l'état",
        "模型很大",
        "データ",
        "हिन्दी",
        "A-B",
        "—",
        "的",
    ]
    vocabulary += [f"word{number}" for number in range(25)]
    passages = [[luck.choice(vocabulary) for _ in range(luck.randint(20, 60))] for _ in range(14)]
    boiler = [luck.choice(vocabulary) for _ in range(50)]
    texts = {}
    for number in range(70):
        chosen = luck.choices(passages, k=luck.randint(0, 3)) + [boiler] * (number % 2)
        luck.shuffle(chosen)
        told = [word.upper() if luck.random() < 0.1 else word for passage in chosen for word in passage]
        texts[f"https://t{number}.example/"] = luck.choice([" ", "\n", ", "]).join(told)
    put(db, *(Page(url, text) for url, text in texts.items()))
    wanted = oracle({Page(url).key: text for url, text in texts.items()})
    assert shared(db) == wanted
    assert len(wanted) > 100
    assert {pair[2] == pair[3] for pair in wanted} == {True, False}


@pytest.mark.parametrize("length", [0, 4, 5, 23, 24, 25])
def test_short_texts(db: Db, length: int) -> None:
    """Evidence §5: 24 words hold 20 shingles; fewer pair nobody, and a text without words breaks nothing."""
    text = " ".join(f"w{number}" for number in range(length))
    put(db, Page("https://a.example/", text), Page("https://b.example/", text + "!"), Page("https://c.example/", "…"))
    assert len(shared(db)) == (length >= 24)


def test_real_pages_against_plain_python(db: Db) -> None:
    """Evidence §9: the counts agree on real prose too, with copies cut from it."""
    folder = Path(__file__).parents[1]
    files = [folder / "README.md", folder / "CHANGELOG.md", folder / "sql/README.md", folder / "seeds/README.md"]
    texts = {f"https://{number}.example/": path.read_text("utf-8") for number, path in enumerate(files)}
    texts |= {f"{url}half": text[: len(text) // 2] for url, text in texts.items()}
    put(db, *(Page(url, text) for url, text in texts.items()))
    wanted = oracle({Page(url).key: text for url, text in texts.items()})
    assert shared(db) == wanted
    assert sum(pair[2] >= CONTAINED * pair[3] for pair in wanted) >= 4
