"""What a source writes stays text (G19): 200 payloads in every field it can choose, through every form of output.

| output | what must hold |
|---|---|
| tool JSON | payloads in objects marked untrusted only, one line, nothing unseen, parses back |
| summary text | no payload in the sentence of a tool's result |
| notebook HTML | only our tags without attributes, each text isolated, nothing unseen |
| receipt: Markdown | no HTML, link, image, code, emphasis, further heading or cell |
| receipt: HTML, CSV, JSON, packet, prov, annotation, in-toto | no tag, formula or unseen character |
| command | one line stays one line, nothing unseen, JSON parses |
| CSV | one row a subject, no formula |

and the answer is the same as with harmless text of the same length (M5).
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from bad_inputs import UNSEEN
from click.testing import CliRunner
from html_page import Page
from kit import NOW, PACK, claim, day
from markdown_it import MarkdownIt
from payloads import PAYLOADS, as_name
from receipt_world import case, evidence, snapshot, source
from receipt_world import claim as quoted_claim

import claimbase
from claimbase.agents import call
from claimbase.base import Claimbase
from claimbase.cli import main
from claimbase.present import harmless, isolated, json_text, unseen
from claimbase.receipts.building import build
from claimbase.receipts.export import FORMS
from claimbase.temporal import FixedClock

COST = "price <= $2/Mtok"
PAGE = 20


class Written(NamedTuple):
    """What the source of one subject writes."""

    text: str
    name: str

    @property
    def value(self) -> str:
        """As a value, in which no NUL may stand."""
        return self.text.replace("\x00", "") + " v"


def harmless_like(length: int) -> str:
    """Harmless text of a length, of words that are no placeholder."""
    return ("lorem ipsum dolor sit amet " * (length // 20 + 1))[:length].rstrip().ljust(length, "x")


HOSTILE = [Written(text, as_name(text)) for text in PAYLOADS]
TWINS = [Written(harmless_like(len(one.text)), harmless_like(len(one.name))) for one in HOSTILE]


def told(words: Sequence[Written]) -> Iterator[dict[str, Any]]:
    """Tell of each writer's subject: a size, a text of its own choice, and prices of which every fourth is disputed."""
    for number, one in enumerate(words):
        page = {"title": one.text, "publisher": one.text, "url": f"https://norden.example/{number}"}
        about = {
            "subject": f"{number:03} {one.name}", "provider": f"p{number:03} {one.name}", "reasoning": one.text,
            "effective_from": day(1), "source": page,
        }  # fmt: skip
        yield claim("128K", predicate="context", **about | {"quote": f"{one.text} 128K"})
        yield claim(one.value, predicate="vendor", **about | {"quote": f"{one.text} says it"})
        for place in range(2 if number % 4 == 0 else 1):
            own = {"source": page | {"url": f"{page['url']}/{place}"}, "quote": f"{one.text} ${1 + 4 * place}"}
            yield claim(f"${1 + 4 * place}", **about | own)


def base_of(words: Sequence[Written], path: Path | None = None) -> Claimbase:
    """Make a base of what some writers wrote; what two of them said of prices is withdrawn, in their own words."""
    kb = claimbase.open(path, clock=FixedClock(NOW), packs=[claimbase.load_pack(PACK)])
    kb.add(list(told(words)))
    withdrawn = [row for row in kb.claims(predicate="price") if int(row["subject"][:3]) % 100 == 5]
    for row in withdrawn:
        kb.retract(row["claim_id"], reason=words[int(row["subject"][:3])].text or "x")
    return kb


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The hostile base, in a file."""
    path = tmp_path_factory.mktemp("inert") / "some.duckdb"
    base_of(HOSTILE, path).close()
    return path


@pytest.fixture(scope="module")
def hostile(file: Path) -> Iterator[Claimbase]:
    """The hostile base, as a reader has it."""
    with claimbase.open(file, clock=FixedClock(NOW), read_only=True) as kb:
        yield kb


@pytest.fixture(scope="module")
def twin() -> Iterator[Claimbase]:
    """The base of harmless texts of the same lengths."""
    with base_of(TWINS) as kb:
        yield kb


def test_what_cannot_be_seen() -> None:
    """M6: a list of marks made by hand, beside the categories of Unicode: none is shown raw, in text, HTML or JSON."""
    for mark in UNSEEN:
        assert unseen(mark), ascii(mark)
        for shown in (harmless(f"a{mark}b"), isolated(f"a{mark}b"), json_text(f"a{mark}b")):
            assert mark not in shown
    assert not [c for c in "aé日本—“”☀\ufe0f\u0301 " if unseen(c)]


# -- tools: JSON and summaries ---------------------------------------------------------------------------------------

WIDE = {"predicate": "context", "operator": "gte", "value": 1}
CHEAP = {"predicate": "price", "operator": "lte", "value": 2}


def calls(kb: Claimbase) -> Iterator[tuple[str, dict[str, Any]]]:
    """Everything a tool is asked: each page of the answer, the reports, and some subjects and claims by name."""
    subjects = sorted({row["subject"] for row in kb.claims(predicate="context")})
    for offset in range(0, len(PAYLOADS), PAGE):
        page = subjects[offset : offset + PAGE]
        yield "answer", {"constraints": [WIDE], "subjects": page, "limit": PAGE, "show": ["vendor"]}
    yield from (("history", {"subject": name}) for name in subjects[5::80])
    yield "answer", {"constraints": [CHEAP, WIDE], "limit": 100}
    yield "when", {"constraints": [CHEAP], "limit": 100}
    yield "contradictions", {"all_time": True}
    yield "freshness", {}
    yield "describe", {}
    for row in kb.claims(predicate="vendor", limit=2):
        yield "cite", {"claim_id": row["claim_id"]}


BY_NAME = ("when", "freshness")
"""Reports that list by name among equals, and are cut: which claims they list the names decide, not what they count."""


def fenced(data: Any) -> Any:
    """Give a result without what is inside untrusted objects; ids are digests of names and say nothing."""
    if isinstance(data, Mapping):
        if data.get("untrusted") is True:
            return {"untrusted": sorted(data)}
        return {name: fenced(value) for name, value in data.items()}
    if isinstance(data, list):
        return sorted((fenced(one) for one in data), key=json.dumps)
    return "id" if isinstance(data, str) and re.fullmatch(r"[cks]_[0-9a-f]+", data) else data


def as_json(text: str) -> str:
    """Write a text as it stands inside JSON."""
    return json.dumps(text)[1:-1]


@pytest.fixture(scope="module")
def results(hostile: Claimbase) -> list[tuple[str, dict[str, Any]]]:
    """What the tools give."""
    return [(name, call(hostile, name, arguments)) for name, arguments in calls(hostile)]


@pytest.mark.slow
def test_tools(results: list[tuple[str, dict[str, Any]]], twin: Claimbase) -> None:
    """M1-M3, M5: payloads in marked fields alone, each of them shown, and the same result as for harmless texts."""
    shown: set[str] = set()
    for (name, result), (_, others) in zip(results, calls(twin), strict=True):
        expected = call(twin, name, others)
        assert "error" not in result, (name, result)
        if name in BY_NAME:
            assert result["summary"] == expected["summary"]
        else:
            assert fenced(result) == fenced(expected), name
        outside, whole = json.dumps(fenced(result)), json.dumps(result)
        for text in PAYLOADS:
            if as_json(text) in whole:
                shown.add(text)
            assert as_json(text) not in outside
        written = json_text(result, indent=None)
        assert json.loads(written) == result
        assert not [c for c in written if c == "\n" or unseen(c)]
    assert shown == set(PAYLOADS)
    print(f"payloads: {len(PAYLOADS)} in tool JSON, 0 outside their fields")


def test_summaries(results: list[tuple[str, dict[str, Any]]]) -> None:
    """Q3, M2: the sentence of a tool's result holds numbers and predicates, nothing a source chose."""
    for _, result in results:
        summary = str(result.get("summary", ""))
        assert not [
            text for text in PAYLOADS if text in summary or (len(as_name(text)) > 3 and as_name(text) in summary)
        ]
        assert summary.isprintable()


def test_the_same_answers(hostile: Claimbase, twin: Claimbase) -> None:
    """M5: buckets, verdicts, disputes, windows and statuses do not depend on what a source wrote."""

    def told_by(kb: Claimbase) -> list[Any]:
        found = kb.answer(COST, "context >= 100K", everyone=True)
        when, report = kb.when(COST), kb.contradictions(all_time=True)
        return [
            sorted((one.subject[:3], one.bucket, [v.verdict for v in one.verdicts]) for one in found.subjects()),
            sorted((row["subject"][:3], str(row["from"]), str(row["until"])) for row in when.rows()),
            sorted((card.subject[:3], len(card.sides)) for card in report.cards),
            kb.freshness().summary,
        ]  # fmt: skip

    assert told_by(hostile) == told_by(twin)


# -- notebooks -------------------------------------------------------------------------------------------------------


TABLE = {"p", "b", "br", "table", "thead", "tbody", "tr", "th", "td", "bdi"}


@pytest.mark.slow
def test_notebooks(hostile: Claimbase) -> None:
    """M6: a result shown in a notebook has our tags alone; each payload stands in it as words, isolated."""
    found = hostile.answer("context >= 100K", limit=1_000, show=["vendor"])
    shown = Page(found._repr_html_())
    assert {tag for tag, _ in shown.tags} <= TABLE
    words = set(shown.words)
    assert [text for text in PAYLOADS if harmless(text) not in words and harmless(text).strip()] == []
    names = [f"{number:03} {one.name}" for number, one in enumerate(HOSTILE)]
    results = [hostile.history(name) for name in names[5::40]]
    results += [
        hostile.contradictions(),
        hostile.freshness(),
        hostile.when(COST),
        hostile.diff(day(1), day(9), axis="all"),
    ]
    for page in (found._repr_html_(), *(result._repr_html_() for result in results)):
        taken = Page(page)
        assert not taken.open
        assert {tag for tag, _ in taken.tags} <= TABLE
        assert not [attributes for _, attributes in taken.tags if attributes]
        assert not [c for c in page if unseen(c)]
    for result in (found, *results):
        assert not [c for c in repr(result) if unseen(c)]


# -- receipts --------------------------------------------------------------------------------------------------------

ACTIVE = {
    "html_inline", "html_block", "link_open", "image", "code_inline", "fence", "code_block", "strong_open", "em_open",
    "s_open", "blockquote_open", "hr",
}  # fmt: skip
RECEIPT = TABLE | {
    "html", "head", "meta", "title", "style", "body", "h1", "h2", "ul", "li", "span", "blockquote", "small", "a",
}  # fmt: skip


@pytest.fixture(scope="module")
def receipt() -> Any:
    """One receipt in which sources chose every word they can choose, 200 times, half of the quotes right."""
    claims, sources, texts = [], [], []
    for number, text in enumerate(PAYLOADS):
        key, owner = f"c_{number:016x}", f"s_{number:012x}"
        page = replace(snapshot(f"Page {number}.\n\n{text} costs $0.80 today.\n"), source_id=owner)
        page = replace(page, snapshot_id=f"{page.snapshot_id[:71]}/{owner}")
        sources.append(source(owner, f"https://norden.example/{number}", title=text, publisher=text))
        texts.append(page)
        words = f"{text} costs ${'0.80' if number % 2 else '0.30'} today."
        quotes = [evidence(key, words, page, observed_value=text)]
        about = {"subject": text, "names": (text,), "kind": "text", "confidence": text, "source_id": owner}
        claims.append(quoted_claim(key, "input_price", text, quotes, **about))
    return build(case(*claims, sources=sources, texts=texts))


def tokens(text: str) -> Iterator[Any]:
    """Take Markdown apart, with everything switched on that a reader may have on."""
    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    for token in parser.parse(text):
        yield token
        yield from token.children or ()


@pytest.mark.slow
def test_markdown_receipts(receipt: Any) -> None:
    """M6, P12: no HTML, link, image, code, emphasis, heading or cell of a source's making; its words are all there."""
    text = receipt.export("md")
    found = list(tokens(text))
    assert not {token.type for token in found} & ACTIVE
    assert "<" not in text
    assert (
        sum(token.type == "heading_open" for token in found)
        == sum(line.startswith("#") for line in text.splitlines())
        == 6
    )
    assert not re.search(r"https?://evil|www\.evil|me@evil", text)
    shown = " ".join("".join(child.content for child in token.children or ()) for token in found)
    assert [one for one in PAYLOADS if " ".join(harmless(one).split()) not in " ".join(shown.split())] == []


@pytest.mark.parametrize("form", FORMS)
def test_receipts_in_every_form(receipt: Any, form: str) -> None:
    """M6, P12: nothing unseen stands raw in a form, JSON is one document, HTML and cells hold nothing active."""
    text = receipt.export(form)
    assert not [c for c in text if c != "\n" and unseen(c)]
    if form == "html":
        page = Page(text)
        assert {tag for tag, _ in page.tags} <= RECEIPT
        assert not page.open
        links = [attributes["href"] for tag, attributes in page.tags if tag == "a"]
        assert not [link for link in links if not str(link).startswith("https://norden.example/")]
        assert [tag for tag, _ in page.tags].count("style") == 1
    elif form == "csv":
        check_cells(list(csv.reader(io.StringIO(text)))[1:], len(PAYLOADS), text)
    elif form != "md":
        assert isinstance(json.loads(text), dict)


def check_cells(rows: Sequence[Sequence[str]], count: int, text: str) -> None:
    """Check that rows are as many as lines, and that no spreadsheet would compute a cell."""
    assert len(rows) == count == len(text.splitlines()) - 1
    for cell in (cell for row in rows for cell in row):
        bare = cell.lstrip(" \u00a0\"'")
        number = re.fullmatch(r"[+-]?[0-9.]+", cell)
        assert number or not bare.startswith(tuple("=+-@|%\uff1d")) or cell.startswith("'"), cell


# -- the command, and cells ------------------------------------------------------------------------------------------


def lines_of(file: Path, *words: str) -> list[str]:
    """Run a reading command and give its lines."""
    done = CliRunner().invoke(main, [words[0], str(file), *words[1:]], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout.split("\n")


def reading(hostile: Claimbase) -> Iterable[tuple[str, ...]]:
    """Give the commands: all that list much, and some that name a subject or a claim."""
    yield "answer", "context >= 100K", "--show", "vendor"
    yield "when", COST
    yield from ((name,) for name in ("contradictions", "freshness", "describe"))
    for row in hostile.claims(predicate="vendor", limit=3):
        yield "history", row["subject"]
        yield "show", row["claim_id"]


def test_the_command(hostile: Claimbase, file: Path) -> None:
    """M6: whatever a source wrote stays on its line and cannot be unseen; every quote is shown."""
    pages = {words: lines_of(file, *words) for words in reading(hostile)}
    for lines in pages.values():
        assert not [line for line in lines if any(map(unseen, line))]
        assert not [line for line in lines if line.startswith(("error:", "{", "Content-Length", "data:"))]
    whole = "\n".join(next(iter(pages.values())))
    missing = [text for text in PAYLOADS if harmless(text).rstrip() not in whole]
    assert missing == []


def test_the_command_gives_json(file: Path) -> None:
    """M6, M7: data on stdout is one JSON document in which nothing is unseen, and reads back whole."""
    text = "\n".join(lines_of(file, "answer", "context >= 100K", "--json"))
    assert not [c for c in text if c != "\n" and unseen(c)]
    quotes = {one["quote"] for subject in json.loads(text)["eligible"] for one in subject["citations"]}
    assert quotes == {f"{text} 128K" for text in PAYLOADS}


def test_cells(hostile: Claimbase) -> None:
    """M6: an answer as CSV has one row a subject, and no cell that computes, hides or breaks a line."""
    found = hostile.answer("context >= 100K", {"predicate": "vendor", "operator": "exists"}, limit=1_000)
    text = found.to_csv(sources=True)
    check_cells(list(csv.reader(io.StringIO(text)))[1:], len(PAYLOADS), text)
    assert not [c for c in text if c != "\n" and unseen(c)]
