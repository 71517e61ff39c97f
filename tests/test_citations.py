"""Citations as providers give them: offsets turned, words kept, and everything checked again (evidence §7)."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from claimbase.errors import EvidenceError
from claimbase.evidence.align import SourceText
from claimbase.evidence.citations import (
    ANSWER_LIMIT,
    CITATIONS_MOST,
    GivenEvidence,
    from_anthropic,
    from_google,
    verify_given,
)
from claimbase.evidence.terms import QUOTE_LIMIT, QuoteStatus

PAGE = "Prices. The Aurora model costs $0.80. The Borealis model costs $0.80. Nothing else."
CHARS = {
    "type": "char_location", "cited_text": "costs $0.80", "document_index": 1, "document_title": "Prices",
    "start_char_index": 57, "end_char_index": 68, "file_id": None,
}  # fmt: skip
PAGES = {
    "type": "page_location", "cited_text": "costs $0.80", "document_index": 0, "document_title": None,
    "start_page_number": 5, "end_page_number": 7,
}  # fmt: skip
BLOCKS = {
    "type": "content_block_location", "cited_text": "costs $0.80", "document_index": 0, "document_title": "List",
    "start_block_index": 0, "end_block_index": 2,
}  # fmt: skip
FOUND = {
    "type": "search_result_location", "cited_text": "costs $0.80", "source": "https://a.example/prices",
    "title": "Prices", "search_result_index": 0, "start_block_index": 0, "end_block_index": 1,
}  # fmt: skip
WEB = {
    "type": "web_search_result_location", "cited_text": "costs $0.80", "url": "https://a.example/prices",
    "title": "Prices", "encrypted_index": "Eo8BCioI",
}  # fmt: skip
CITED = "It costs $0.80."


def content(*citations: Any, text: Any = CITED) -> list[dict[str, Any]]:
    """The content of a message: one block that cites, others that do not."""
    return [
        {"type": "thinking", "thinking": "…"},
        {"type": "text", "text": "According to the list, "},
        {"type": "text", "text": text, "citations": list(citations)},
        {"type": "text", "text": "That is all.", "citations": None},
    ]


def cites(given: list[GivenEvidence]) -> list[GivenEvidence]:
    """Those rows that cite something."""
    return [row for row in given if row.quote is not None]


@pytest.mark.covers("T17", "T10")
@pytest.mark.parametrize(
    ("citation", "wanted"),
    [
        (CHARS, {"source": "document:1", "start": 57, "end": 68}),
        (PAGES, {"source": "document:0", "page": 5}),
        (BLOCKS, {"source": "document:0"}),
        (FOUND, {"source": "https://a.example/prices"}),
        (WEB, {"source": "https://a.example/prices"}),
    ],
)
def test_each_kind_of_place_is_read(citation: dict[str, Any], wanted: dict[str, Any]) -> None:
    """T17: characters half-open, pages from 1, blocks and results by their source; the citation stays as it came."""
    (row,) = cites(from_anthropic(content(citation)))
    assert row == GivenEvidence(CITED, "costs $0.80", selector=row.selector, **wanted)
    assert json.loads(row.selector) == citation


def test_every_citation_of_every_block_is_read() -> None:
    """T17: in the order of the answer; a text without citations asks for no check, other blocks say nothing."""
    rows = from_anthropic([*content(CHARS, PAGES, WEB), *content()])
    assert [(row.sentence, row.source, row.required) for row in rows] == [
        ("According to the list, ", None, False),
        (CITED, "document:1", True),
        (CITED, "document:0", True),
        (CITED, "https://a.example/prices", True),
        ("That is all.", None, False),
        ("According to the list, ", None, False),
        (CITED, None, False),
        ("That is all.", None, False),
    ]
    assert from_anthropic([]) == []


# -- segments in bytes -----------------------------------------------------------------------------------------------

SAID = "Größe: 5 €. Der Preis 价格 steigt 🙂 auf 6 €."
CHUNKS = [
    {"web": {"uri": "https://a.example/", "title": "a.example"}},
    {"retrievedContext": {"uri": "s3://store/list.txt", "title": "List", "text": "Der Preis steigt auf 6 €."}},
    {"web": {"title": "an address is not given"}},
]


def grounded(*supports: Any, text: str = SAID, chunks: Any = CHUNKS) -> dict[str, Any]:
    """A candidate with its grounding."""
    return {
        "content": {"role": "model", "parts": [{"text": text}]},
        "groundingMetadata": {"groundingChunks": chunks, "groundingSupports": list(supports)},
    }


def support(words: str, *chunks: int, text: str = SAID, **more: Any) -> dict[str, Any]:
    """A segment of the answer, in bytes; zeros are left out, as the service does."""
    first = len(text[: text.index(words)].encode())
    segment = {"startIndex": first, "endIndex": first + len(words.encode()), "text": words}
    if not first:
        del segment["startIndex"]
    return {"segment": segment | more, "groundingChunkIndices": list(chunks), "confidenceScores": [0.9] * len(chunks)}


@pytest.mark.covers("T17")
@pytest.mark.parametrize("words", ["Größe: 5 €.", "Der Preis 价格 steigt 🙂 auf 6 €.", "价格", "🙂", "€.", SAID])
def test_bytes_become_code_points(words: str) -> None:
    """T17: a segment counts bytes of UTF-8; the row has the code points that give the same words."""
    (row,) = from_google(grounded(support(words, 0)))
    assert row.sentence == words
    assert SAID[row.start : row.end] == words
    assert row.source == "https://a.example/"
    assert json.loads(row.selector)["groundingChunk"] == CHUNKS[0]


def test_bytes_of_any_text(rng: random.Random) -> None:
    """T17: for any text and any segment of it the code points give the segment back."""
    letters = "aé€价🙂\n\u0301ß\u200b 1"
    for _ in range(300):
        text = "".join(rng.choice(letters) for _ in range(rng.randint(1, 40)))
        start = rng.randrange(len(text))
        words = text[start : rng.randint(start + 1, len(text))]
        first = len(text[:start].encode())
        segment = {"startIndex": first, "endIndex": first + len(words.encode()), "text": words}
        (row,) = from_google(grounded({"segment": segment, "groundingChunkIndices": [1]}, text=text))
        assert (row.start, row.end) == (start, start + len(words))


def test_every_chunk_of_a_segment_is_a_row() -> None:
    """T17: one row per chunk, by its address or its number; a segment without chunks names nothing."""
    rows = from_google(grounded(support("Größe: 5 €.", 0, 1, 2), support("价格")))
    assert [(row.source, row.required) for row in rows] == [
        ("https://a.example/", True), ("s3://store/list.txt", True), ("document:2", True), (None, False),
    ]  # fmt: skip
    assert {row.quote for row in rows} == {None}
    assert from_google({}) == from_google(grounded()) == from_google({"groundingMetadata": None}) == []


def test_a_segment_lies_in_the_part_it_names() -> None:
    """T17: offsets count from the beginning of their part; a part that is no text has none."""
    given = grounded(support("b €", 1, text="b €", partIndex=2))
    given["content"]["parts"] += [{"inlineData": {}}, {"text": "b €"}]
    (row,) = from_google(given)
    assert (row.sentence, row.start, row.end) == ("b €", 0, 3)


# -- checked like any other ------------------------------------------------------------------------------------------


@pytest.mark.covers("T17")
def test_no_check_required_is_skipped_never_passed() -> None:
    """T17, P6: what a provider wants unchecked, cites nothing for, or gives no words of has no match, thus no pass."""
    told = support("价格", 1) | {"groundingCheckRequired": False}
    rows = [*from_google(grounded(told, support("🙂", 1), support("€."))), *from_anthropic(content())]
    texts = {"s3://store/list.txt": SourceText(SAID), "document:0": SourceText(PAGE)}
    assert [match for _, match in verify_given(rows, texts)] == [None] * len(rows)
    assert [row.required for row in rows] == [False, True, False, False, False, False]
    held = GivenEvidence(CITED, "costs $0.80", "document:0", required=False)
    assert verify_given([held], texts) == [(held, None)]


@pytest.mark.covers("T17", "T12")
@pytest.mark.parametrize(
    ("quote", "text", "status"),
    [
        ("costs $0.80", PAGE, QuoteStatus.VERIFIED),
        ("The Aurora model costs $0.90.", PAGE, QuoteStatus.ALTERED),
        ("The Aurora model never costs $0.80.", PAGE, QuoteStatus.ALTERED),
        ("Aurora is free of any charge", PAGE, QuoteStatus.NOT_FOUND),
        ("costs $0.8", PAGE, QuoteStatus.NOT_FOUND),
        ("costs $0.80", None, QuoteStatus.UNVERIFIABLE),
        ("costs $0.80", " ", QuoteStatus.UNVERIFIABLE),
    ],
)
def test_a_citation_is_checked_like_any_other(quote: str, text: str | None, status: QuoteStatus) -> None:
    """T17: the provider's word is not taken; without a text nothing is verified, nor in the text of another source."""
    rows = cites(from_anthropic(content(CHARS | {"cited_text": quote})))
    ((_, match),) = verify_given(rows, {"document:1": SourceText(text)})
    assert match is not None
    assert match.status is status
    ((_, missing),) = verify_given(rows, {"document:0": SourceText(PAGE)})
    assert missing is not None
    assert missing.status is QuoteStatus.UNVERIFIABLE


def test_offsets_are_a_hint_only() -> None:
    """N5, T17: of two places the one at the given offset is meant; a wrong offset chooses nothing and hides nothing."""
    texts = {"document:1": SourceText(PAGE)}
    ((_, second),) = verify_given(cites(from_anthropic(content(CHARS))), texts)
    assert second is not None
    assert (second.status, second.start) == (QuoteStatus.VERIFIED, PAGE.rindex("costs"))
    wrong = CHARS | {"start_char_index": 3, "end_char_index": 14}
    ((_, open_),) = verify_given(cites(from_anthropic(content(wrong))), texts)
    assert open_ is not None
    assert open_.status is QuoteStatus.AMBIGUOUS
    far = CHARS | {"cited_text": "Nothing else.", "start_char_index": 0, "end_char_index": 9_999}
    ((_, only),) = verify_given(cites(from_anthropic(content(far))), texts)
    assert only is not None
    assert only.status is QuoteStatus.VERIFIED


# -- malformed -------------------------------------------------------------------------------------------------------

BAD_CONTENTS = [
    None, 5, "text", {"content": []}, ["text"], [None], [{"text": "no type"}], [{"type": 5, "text": "x"}],
    [{"type": "text"}], content(CHARS, text=5), [{"type": "text", "text": "x", "citations": CHARS}],
    content(None), content("x"), content({}), content({"type": "other_location"}), content({"type": None}),
    content(CHARS | {"type": ["char_location"]}),
    *(content({name: value for name, value in CHARS.items() if name != left}) for left in
      ("type", "cited_text", "document_index", "start_char_index", "end_char_index")),
    *(content(CHARS | {"start_char_index": value}) for value in (-1, 1.5, "0", True, None, 68, 99, 10**400)),
    content(CHARS | {"cited_text": ""}), content(CHARS | {"cited_text": 5}),
    content(CHARS | {"cited_text": "x" * (QUOTE_LIMIT + 1)}), content(CHARS | {"cited_text": "half \ud83d"}),
    content(CHARS, text="x" * (ANSWER_LIMIT + 1)),
    content(PAGES | {"start_page_number": 0}), content(PAGES | {"end_page_number": 5}),
    content(BLOCKS | {"end_block_index": 0}), content({**FOUND, "source": None}), content({**WEB, "url": 7}),
    content(CHARS | {"file_id": float("nan")}), content(CHARS | {"file_id": {1, 2}}),
    content(*[CHARS] * (CITATIONS_MOST + 1)),
]  # fmt: skip


@pytest.mark.parametrize("given", BAD_CONTENTS)
def test_malformed_content_is_refused(given: Any) -> None:
    """T17: every fault is an EvidenceError with a code and a hint; nothing is guessed or left out in silence."""
    with pytest.raises(EvidenceError) as refused:
        from_anthropic(given)
    assert refused.value.code == "bad_citation"
    assert refused.value.hint
    assert len(str(refused.value)) < 400


def _spoiled(change: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    given = deepcopy(grounded(support("价格", 1)))
    change(given)
    return given


def _support(candidate: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = candidate["groundingMetadata"]["groundingSupports"][0]
    return found


BAD_CANDIDATES = [
    None, "x", [], {"groundingMetadata": []},
    _spoiled(lambda one: _support(one)["segment"].update(startIndex=27)),  # inside a character
    _spoiled(lambda one: _support(one)["segment"].update(startIndex=20)),  # other words
    _spoiled(lambda one: _support(one)["segment"].update(text="Preis")),
    _spoiled(lambda one: _support(one)["segment"].update(text=None)),
    _spoiled(lambda one: _support(one)["segment"].update(endIndex=9_999)),
    _spoiled(lambda one: _support(one)["segment"].update(endIndex=0)),
    _spoiled(lambda one: _support(one)["segment"].update(startIndex=-3)),
    _spoiled(lambda one: _support(one)["segment"].update(startIndex="25")),
    _spoiled(lambda one: _support(one)["segment"].update(partIndex=1)),
    _spoiled(lambda one: _support(one).update(groundingChunkIndices=[-1])),
    _spoiled(lambda one: _support(one).update(groundingChunkIndices=[3])),
    _spoiled(lambda one: _support(one).update(groundingChunkIndices=[1.0])),
    _spoiled(lambda one: _support(one).update(groundingChunkIndices=[True])),
    _spoiled(lambda one: _support(one).update(groundingChunkIndices=1)),
    _spoiled(lambda one: _support(one).update(segment=None)),
    _spoiled(lambda one: _support(one).update(groundingCheckRequired="no")),
    _spoiled(lambda one: one["groundingMetadata"].update(groundingChunks=[])),
    _spoiled(lambda one: one["groundingMetadata"].update(groundingChunks=[5, 5])),
    _spoiled(lambda one: one["groundingMetadata"].update(groundingChunks=[{}, {}])),
    _spoiled(lambda one: one["groundingMetadata"].update(groundingSupports=5)),
    _spoiled(lambda one: one.update(content=None)),
    _spoiled(lambda one: one["content"].update(parts="x")),
]  # fmt: skip


@pytest.mark.parametrize("given", BAD_CANDIDATES)
def test_a_malformed_grounding_is_refused(given: Any) -> None:
    """T17: offsets that are none, that cut a character or give other words, and chunks that are not there."""
    with pytest.raises(EvidenceError) as refused:
        from_google(given)
    assert refused.value.code == "bad_citation"
    assert refused.value.hint


def test_random_damage_is_read_or_refused(rng: random.Random) -> None:
    """T17: with any part replaced a response is read or refused with bad_citation; nothing else is ever raised."""
    outcomes = set()
    for _ in range(1_500):
        for read, whole in (
            (from_anthropic, content(CHARS, PAGES, WEB)),
            (from_google, grounded(support("价格", 0, 1))),
        ):
            try:
                rows = read(_damaged(whole, rng))  # type: ignore[operator]  # either adapter
                outcomes.add((read, all(json.loads(row.selector) != "" for row in rows)))
            except EvidenceError as refused:
                outcomes.add((read, refused.code))
    assert outcomes == {(read, told) for read in (from_anthropic, from_google) for told in (True, "bad_citation")}


def _damaged(value: Any, rng: random.Random) -> Any:
    """Replace something, at any depth."""
    if isinstance(value, dict | list) and value and rng.random() < 0.85:
        changed: Any = value.copy()
        place = rng.choice(list(value) if isinstance(value, dict) else range(len(value)))
        changed[place] = _damaged(value[place], rng)
        return changed
    return rng.choice([None, True, -1, 0, 7, 10**400, 0.5, "", "x", "\ud83d", [], [None], {}, {0: 1}, b"x"])
