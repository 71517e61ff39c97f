"""Seeds: the golden cases of the checkout, and a few inputs of every parser that has none."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from receipt_cases import CASES as RECEIPTS

from claimbase.constraints import to_json
from claimbase.receipts.building import build
from claimbase.units import UNITS
from fuzz.mutating import FIELD

HERE = Path(__file__).resolve().parents[1]
_FIXTURES = HERE / "fixtures"
_KEPT = 150


def _lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@cache
def _spellings() -> list[dict[str, str]]:
    with (_FIXTURES / "spellings.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _spread(found: list[str]) -> list[str]:
    """Keep some from all over a long list."""
    return found[:: max(1, len(found) // _KEPT)]


def numbers() -> list[str]:
    """Spellings of numbers with the units around them."""
    rows = [row for row in _spellings() if row["kind"] == "quantity"]
    return _spread([FIELD.join((row["text"], row["unit"], row["stated_unit"])).rstrip(FIELD) for row in rows])


def units() -> list[str]:
    """Names and spellings of units."""
    return [
        *_spread(list(UNITS)),
        "USD / 1M tokens",
        "$ per 1,000 sources",
        "tok/s",
        "$/M",
        "cents per image",
        "£ a month",
    ]


def values() -> list[str]:
    """Spellings of values of every kind."""
    return [*_spread([row["text"] for row in _spellings()]), '["a", "b"]', "true", "✓", "no", "a, b", "[1, 2]"]


def dates() -> list[str]:
    """Spellings of dates, and the cases of the conformance suite."""
    own = [row["text"] for row in _spellings() if row["kind"] == "date"]
    cases = [
        case["ask"]["text"] for case in _lines(HERE / "conformance" / "cases" / "dates.jsonl") if "text" in case["ask"]
    ]
    edges = ["2026-03-01T08:00:00Z", "2026-Q2", "2026-34", "2026-01/2026-03", f"2011-12-30{FIELD}Pacific/Apia"]
    return [*_spread(own + cases), *edges, f"2026-03-08T02:30{FIELD}America/New_York", "9999-12-30", "0001-01-02"]


def constraints() -> list[str]:
    """Constraints as text."""
    return [
        "context_window >= 128K", "input_price[mode=batch] <= $1/Mtok", 'vendor in "a, b", c', "vision is_true",
        "release_date between 2026-01 and 2026-03-01", "input_price < value_of(GPT-5, output_price)",
        "modalities contains image",
        "any_of(vision is_true; all_of(context_window >= 1M; input_price[any] < 2 usd_per_mtok @ 2026-03-01))",
        "none_of(fine_tuning absent)", "shutdown_date after 2026-Q2", 'input_price[a="c;d"] = 0.5',
        "license starts_with Apache", "context_window >= 1,000,000 @ 2026-03-01T00:00:00Z",
    ]  # fmt: skip


def conditions() -> list[str]:
    """Constraints as data."""
    from claimbase.constraints import parse_constraint

    given = [to_json(parse_constraint(text)) for text in constraints()]
    return [json.dumps(one) for one in [*given, given]]


def questions() -> list[str]:
    """The questions of the tables."""
    return _spread([case["question"] for case in _lines(_FIXTURES / "questions.jsonl")])


@cache
def _seeded() -> list[str]:
    paths = sorted((HERE.parent / "seeds" / "claims").glob("*.jsonl"))
    return [line for path in paths for line in islice(path.read_text(encoding="utf-8").splitlines(), 4)]


def claims() -> list[str]:
    """Claims as JSON."""
    more = {
        "provider": "A", "subject": "B", "predicate": "input_price", "value": 2.5, "unit": "usd_per_mtok",
        "scope": '{"mode":"batch"}', "observed_at": "2026-03-01",
        "effectiveFrom": {"earliest": "2026-01", "latest": "2026-02-01"}, "effective_through": "2026-Q2",
        "zone": "Europe/Berlin", "quote": "q",
        "source": {"url": "https://a.example/", "derived_from": "https://b.example/"},
    }  # fmt: skip
    absent = {
        "provider": "A",
        "subject": "B",
        "predicate": "vision",
        "polarity": "absent",
        "quote": "none",
        "sourceUrl": "s3://b/k",
    }
    return [*_seeded(), json.dumps(more), json.dumps(absent)]


def claim_files() -> list[str]:
    """Files of claims; one is packed."""
    import gzip

    packed = gzip.compress("\n".join(_seeded()[:2]).encode(), mtime=0).decode("latin-1")
    return ["\n".join(_seeded()[start : start + 2]) + "\n" for start in range(0, 12, 2)] + [
        packed,
        '{"a": 1}\n\n[1]\nx\n',
    ]


def quotes() -> list[str]:
    """Quotes with their texts and profiles."""
    cases = _lines(_FIXTURES / "quotes.jsonl")
    return _spread(
        [FIELD.join((case["quote"], case["source"] or "", case.get("profile", "plain"), "3")) for case in cases]
    )


def reports() -> list[str]:
    """Reports in Markdown."""
    prose = (_FIXTURES / "prose_en.md").read_text(encoding="utf-8")
    pieces = [prose[start : start + 900] for start in range(0, min(len(prose), 9_000), 900)]
    cited = (
        '# Prices\n\nIt costs $0.80 [1]. "It is not sold in the north of Europe" [2, 3]. See [c_0123456789abcdef].\n\n'
        "| a | b |\n|---|---|\n| 1 [1] | 2 [2] |\n\n```\ncode [1]\n```\n\n<!-- [4] -->\n\n## References\n\n"
        "[1]: https://a.example/prices\n2. https://b.example/news\n[3] Title, https://c.example/ (2020)\n"
    )
    return [
        *pieces,
        *(piece + cited for piece in pieces[:3]),
        cited,
        "価格は上昇した。[1]「五つの言葉」\n\n[1]: https://a.example/",
    ]


_PLACES: dict[str, dict[str, Any]] = {
    "char_location": {"document_index": 1, "start_char_index": 57, "end_char_index": 68},
    "page_location": {"document_index": 0, "start_page_number": 5, "end_page_number": 7},
    "content_block_location": {"document_index": 0, "start_block_index": 0, "end_block_index": 2},
    "search_result_location": {"source": "https://a.example/", "search_result_index": 0},
    "web_search_result_location": {"url": "https://a.example/"},
}


def citations() -> list[str]:
    """Responses with citations."""
    found = [{"type": kind, "cited_text": "costs $0.80", **place} for kind, place in _PLACES.items()]
    blocks = [
        {"type": "thinking"},
        {"type": "text", "text": "It costs.", "citations": found},
        {"type": "text", "text": "x"},
    ]
    said = "Größe: 5 €. Der Preis 価格 🙂."
    spans = [{"startIndex": 0, "endIndex": 7, "text": "Größe"}, {"endIndex": 15, "text": "Größe: 5 €."}]
    grounded = {
        "content": {"parts": [{"text": said}]},
        "groundingMetadata": {
            "groundingChunks": [{"web": {"uri": "https://a.example/"}}, {"retrievedContext": {"title": "x"}}],
            "groundingSupports": [{"segment": span, "groundingChunkIndices": [0, 1]} for span in spans],
        },
    }
    return [json.dumps(one) for one in (blocks, grounded, [])]


@cache
def receipts() -> list[str]:
    """Receipts as they are kept."""
    made: Iterator[Any] = islice((build(case[0]()) for case in RECEIPTS.values()), 6)
    return [json.dumps(receipt.to_json()) for receipt in made]


def checkpoints() -> list[str]:
    """Checkpoints in both spellings."""
    root = "ab" * 32
    return [f"41:{root}", json.dumps({"batch_id": 41, "root": root}), f"0:{root}\n", "{}", ":"]


def addresses() -> list[str]:
    """Addresses and publications."""
    return [
        "https://a.example/prices?b=2&a=1#page=3", "HTTP://www.A.example:80/x/../y/%7euser/",
        "https://münchen.example/straße", "https://web.archive.org/web/20200101000000/http://a.example/x",
        "https://doi.org/10.1016/S0140-6736(97)11096-0.", "arn:aws:s3:::bucket/key", "upload://file/1",
        "mailto:a@b.example", "http://[::1]:8080/", "https://user:pw@a.example/",
        "https://amp.a.example/x?utm_source=y&gclid=1", "urn:isbn:123", "file:///a/b.pdf",
        "https://a.example/#!/route",
    ]  # fmt: skip
