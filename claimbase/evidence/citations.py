"""Citations as providers of language models give them become evidence, checked like any other (evidence §7, T17).

Pure: the parts of a response go in as plain data. What a provider says is kept and never believed: its words are looked
for in the text as read, and what it does not want checked, or gives no words for, is skipped and never passed.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

from claimbase.errors import EvidenceError, shown
from claimbase.evidence.align import SourceText, align
from claimbase.evidence.model import Hint, Match
from claimbase.evidence.terms import QUOTE_LIMIT, SNAPSHOT_LIMIT

CITATIONS_MOST = 10_000
"""How many citations, blocks, supports or chunks one response may have."""
ANSWER_LIMIT = 1024 * 1024
"""The longest part of an answer, in characters."""

_ADDRESS_LIMIT = 4_000
_NUMBER_LIMIT = 2**53

Object: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class GivenEvidence:
    """A sentence of an answer with one source, as a provider cited it.

    Args:
        sentence: the words of the answer.
        quote: the words of the source; None where the provider gives none.
        source: an address, an id, or ``document:`` and the number of a document handed in; None = nothing is cited.
        start, end: half-open code points: of the source where it is quoted, else of the part of the answer.
        page: the page, from 1.
        selector: the citation as it came, as JSON.
        required: False where nothing is cited or the provider wants no check; it is then skipped.
    """

    sentence: str
    quote: str | None = None
    source: str | None = None
    start: int | None = None
    end: int | None = None
    page: int | None = None
    selector: str = "null"
    required: bool = True


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a citation points."""

    source: str
    start: int | None = None
    end: int | None = None
    page: int | None = None


def from_anthropic(content_blocks: Sequence[Object]) -> list[GivenEvidence]:
    """Read the text blocks of a message and their citations; blocks of other types are left out.

    Args:
        content_blocks: the ``content`` of a message as plain data, at most 10,000 blocks and citations.

    Returns:
        One piece for each citation, and one that requires no check for each text without any.

    Raises:
        EvidenceError: [bad_citation] a block or citation is malformed or too large.
    """
    return _capped(_blocks(content_blocks))


def from_google(candidate: Object) -> list[GivenEvidence]:
    """Read the grounding of a candidate; its UTF-8 byte offsets become code points of the answer's part.

    A segment is words of the answer and no quote: none of it can be verified here.

    Args:
        candidate: one candidate as plain data, with ``content`` and ``groundingMetadata``.

    Returns:
        One piece for each support and chunk, and one that requires no check for a support without chunks.

    Raises:
        EvidenceError: [bad_citation] something is malformed or too large, an offset lies outside the text or inside
            a character, or a segment's words do not stand where it says.
    """
    return _capped(_supports(candidate))


PROVIDERS: Mapping[str, Callable[[Any], list[GivenEvidence]]] = {"anthropic": from_anthropic, "google": from_google}
"""The adapters, by the name of the provider."""


def verify_given(
    given: Iterable[GivenEvidence], texts: Mapping[str, SourceText]
) -> list[tuple[GivenEvidence, Match | None]]:
    """Look for each quote in the text of its source; the place a provider gives only chooses among several,
    and only if the words stand exactly there.

    Args:
        given: what a provider cited. texts: the texts as read, by source.

    Returns:
        Each piece with its match; None = skipped, which is no pass. Without a text the match is unverifiable.
    """
    return [(one, _verified(one, texts)) for one in given]


def _verified(one: GivenEvidence, texts: Mapping[str, SourceText]) -> Match | None:
    if not one.required or one.quote is None:
        return None
    text = texts.get(one.source or "") or SourceText(None)
    there = one.start is not None and text.text.startswith(one.quote, one.start)
    return align(one.quote, text, Hint(start=one.start) if there else None)


# -- text blocks with citations --------------------------------------------------------------------------------------


def _blocks(content: object) -> Iterator[GivenEvidence]:
    for number, one in enumerate(_list(content, "the content")):
        where = f"content block {number}"
        block = _object(one, where)
        if _text(block, "type", where, _ADDRESS_LIMIT) == "text":
            yield from _block(block, where)


def _block(block: Object, where: str) -> Iterator[GivenEvidence]:
    sentence = _text(block, "text", where, ANSWER_LIMIT, empty=True)
    citations = _some(block, "citations", f"{where}, ")
    if not citations:
        yield GivenEvidence(sentence, required=False)
    for number, one in enumerate(citations):
        yield _citation(sentence, one, f"{where}, citation {number}")


def _citation(sentence: str, given: object, where: str) -> GivenEvidence:
    citation = _object(given, where)
    kind = _text(citation, "type", where, _ADDRESS_LIMIT)
    if kind not in _PLACES:
        raise _bad(f"{where} is of type {shown(kind)}", f"one of {', '.join(_PLACES)}")
    place = _PLACES[kind](citation, where)
    quote = _text(citation, "cited_text", where, QUOTE_LIMIT)
    return GivenEvidence(
        sentence, quote, place.source, place.start, place.end, place.page, selector=_raw(citation, where)
    )


def _characters(citation: Object, where: str) -> _Place:
    start, end = _range(citation, "start_char_index", "end_char_index", where)
    return _Place(_document(citation, where), start, end)


def _pages(citation: Object, where: str) -> _Place:
    first, _ = _range(citation, "start_page_number", "end_page_number", where, least=1)
    return _Place(_document(citation, where), page=first)


def _content_blocks(citation: Object, where: str) -> _Place:
    _range(citation, "start_block_index", "end_block_index", where)
    return _Place(_document(citation, where))


def _search_result(citation: Object, where: str) -> _Place:
    _whole(citation, "search_result_index", where)
    return _Place(_text(citation, "source", where, _ADDRESS_LIMIT))


def _web_result(citation: Object, where: str) -> _Place:
    return _Place(_text(citation, "url", where, _ADDRESS_LIMIT))


_PLACES: Mapping[str, Callable[[Object, str], _Place]] = {
    "char_location": _characters,
    "page_location": _pages,
    "content_block_location": _content_blocks,
    "search_result_location": _search_result,
    "web_search_result_location": _web_result,
}


def _document(citation: Object, where: str) -> str:
    return f"document:{_whole(citation, 'document_index', where)}"


# -- grounding of a candidate ----------------------------------------------------------------------------------------


class _Answer:
    """One part of an answer, and where its characters begin in UTF-8."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def begins(self) -> list[int]:
        data = self.text.encode()
        return [at for at, byte in enumerate(data) if byte & 0xC0 != 0x80] + [len(data)]

    def code_point(self, offset: int, where: str) -> int:
        """Give the code point that begins at a byte."""
        if offset > self.begins[-1]:
            raise _bad(f"{where}: byte {offset} lies behind the end of the text", f"it has {self.begins[-1]} bytes")
        found = bisect_left(self.begins, offset)
        if self.begins[found] != offset:
            raise _bad(f"{where}: byte {offset} lies inside a character", "offsets count bytes of UTF-8")
        return found


_CHUNKS = ("web", "retrievedContext", "maps")


def _supports(given: object) -> Iterator[GivenEvidence]:
    candidate = _object(given, "the candidate")
    grounding = _object(_set(candidate).get("groundingMetadata", {}), "groundingMetadata")
    supports = _some(grounding, "groundingSupports")
    answers = _answers(candidate) if supports else []
    chunks = [(_chunk(one, number), one) for number, one in enumerate(_some(grounding, "groundingChunks"))]
    for number, one in enumerate(supports):
        where = f"grounding support {number}"
        yield from _support(_object(one, where), answers, chunks, where)


def _answers(candidate: Object) -> list[_Answer]:
    content = _object(candidate.get("content"), "content")
    parts = enumerate(_list(content.get("parts"), "parts"))
    return [_answer(_object(one, f"part {number}"), f"part {number}") for number, one in parts]


def _answer(part: Object, where: str) -> _Answer:
    """Read a part; one that is no text has no characters."""
    return _Answer(_text({"text": "", **_set(part)}, "text", where, ANSWER_LIMIT, empty=True))


def _chunk(given: object, number: int) -> str:
    """Give the source of a chunk: its address, else its number."""
    where = f"grounding chunk {number}"
    chunk = _set(_object(given, where))
    found = _object(next((chunk[one] for one in _CHUNKS if one in chunk), None), f"{where}, {' or '.join(_CHUNKS)}")
    return _text(found, "uri", where, _ADDRESS_LIMIT) if "uri" in _set(found) else f"document:{number}"


def _support(
    support: Object, answers: Sequence[_Answer], chunks: Sequence[tuple[str, Object]], where: str
) -> Iterator[GivenEvidence]:
    segment = _object(support.get("segment"), f"{where}, segment")
    sentence, start, end = _segment(segment, answers, where)
    required = _set(support).get("groundingCheckRequired", True)
    if not isinstance(required, bool):
        raise _bad(f"{where}: groundingCheckRequired is {_told(required)}", "true or false")
    indices = _some(support, "groundingChunkIndices", f"{where}, ")
    if not indices:
        yield GivenEvidence(sentence, start=start, end=end, selector=_raw(support, where), required=False)
    for index in indices:
        if type(index) is not int or not 0 <= index < len(chunks):
            raise _bad(f"{where} names the chunk {_told(index)}", f"there are {len(chunks)}, counted from 0")
        source, chunk = chunks[index]
        raw = _raw({"segment": segment, "groundingChunkIndex": index, "groundingChunk": chunk}, where)
        yield GivenEvidence(sentence, None, source, start, end, selector=raw, required=required)


def _segment(segment: Object, answers: Sequence[_Answer], where: str) -> tuple[str, int, int]:
    """Give the words of a segment and its code points; zeros are left out of such responses."""
    part = _whole({"partIndex": 0, **_set(segment)}, "partIndex", where)
    if part >= len(answers):
        raise _bad(f"{where} is about part {part} of the answer", f"there are {len(answers)}, counted from 0")
    first, last = _range({"startIndex": 0, **_set(segment)}, "startIndex", "endIndex", where)
    start, end = (answers[part].code_point(offset, where) for offset in (first, last))
    sentence = _text(segment, "text", where, ANSWER_LIMIT)
    if not answers[part].text.startswith(sentence, start) or end - start != len(sentence):
        raise _bad(f"{where}: the answer does not have {shown(sentence)} there", "offsets count bytes of UTF-8")
    return sentence, start, end


# -- plain data, which may be anything -------------------------------------------------------------------------------


def _bad(what: str, hint: str) -> EvidenceError:
    return EvidenceError(what, code="bad_citation", hint=hint)


def _capped(given: Iterable[GivenEvidence]) -> list[GivenEvidence]:
    """Collect what was given, within bounds."""
    found: list[GivenEvidence] = []
    size = 0
    for one in given:
        found.append(one)
        size += len(one.selector)
        if len(found) > CITATIONS_MOST or size > SNAPSHOT_LIMIT:
            most = f"{CITATIONS_MOST} citations and {SNAPSHOT_LIMIT} characters at most"
            raise _bad("the response cites too much", most)
    return found


def _told(value: object) -> str:
    """Show a text or a small number; of anything else its type, for it may be of any size and depth."""
    small = isinstance(value, str) or (isinstance(value, int) and abs(value) <= _NUMBER_LIMIT)
    return shown(value) if small else type(value).__name__


def _object(value: object, where: str) -> Object:
    if not isinstance(value, Mapping):
        raise _bad(f"{where} is no object but {type(value).__name__}", "give the response as plain data")
    return value


def _list(value: object, where: str) -> Sequence[Any]:
    if not isinstance(value, list | tuple):
        raise _bad(f"{where} is no list but {type(value).__name__}", "give the response as plain data")
    if len(value) > CITATIONS_MOST:
        raise _bad(f"{where} has {len(value)} entries", f"{CITATIONS_MOST} at most")
    return value


def _set(given: Object) -> dict[Any, Any]:
    """Leave out what is null, which says the same as what is missing."""
    return {name: value for name, value in given.items() if value is not None}


def _some(given: Object, name: str, where: str = "") -> Sequence[Any]:
    """Read a list that may be missing or null."""
    value = given.get(name)
    return () if value is None else _list(value, where + name)


def _text(given: Object, name: str, where: str, most: int, *, empty: bool = False) -> str:
    value = given.get(name)
    if not isinstance(value, str) or not (value or empty):
        raise _bad(f"{where}: {name} is {_told(value)}", "a text")
    if len(value) > most:
        raise _bad(f"{where}: {name} has {len(value)} characters", f"{most} at most")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise _bad(f"{where}: {name} holds half a character", "text must be valid Unicode") from error
    return value


def _whole(given: Object, name: str, where: str, least: int = 0) -> int:
    value = given.get(name)
    if type(value) is not int or not least <= value <= _NUMBER_LIMIT:
        raise _bad(f"{where}: {name} is {_told(value)}", f"a whole number from {least}")
    return value


def _range(given: Object, first: str, last: str, where: str, least: int = 0) -> tuple[int, int]:
    """Read a half-open range that is not empty."""
    start, end = _whole(given, first, where, least), _whole(given, last, where, least)
    if start >= end:
        raise _bad(f"{where}: {first} {start} is not before {last} {end}", "the end is the first one not meant")
    return start, end


def _raw(given: Object, where: str) -> str:
    """Write a citation as JSON as it came."""
    try:
        raw = json.dumps(given, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        raw.encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise _bad(f"{where} is no JSON", "give the response as plain data") from error
    return raw
