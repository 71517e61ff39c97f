"""Reading a Markdown report: sentences with what they cite, quotations, and what leads nowhere (evidence §6.4)."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from claimbase.errors import LimitError
from claimbase.evidence import citing, markup
from claimbase.evidence.citing import Marker, Span, reports_data
from claimbase.evidence.quotations import outer, quotations
from claimbase.evidence.terms import ChangeKind
from claimbase.evidence.texts import SourceText
from claimbase.evidence.tokens import CJK, Tokens
from claimbase.evidence.words import words

REPORT_LIMIT = 2_000_000
"""The longest report, in characters."""
CITATIONS_MOST = 10_000
"""The most citations of one report."""
QUOTED_LEAST = 5
"""How many words a quotation has that is looked for."""

_FENCE = re.compile(r"[ ]{0,3}(`{3,80}|~{3,80})")
_CODE = re.compile(r"(?<!`)(`{1,2})(?!`)[^`\n]{1,1000}\1(?!`)")
_NOT_BREAK = re.compile(r"[^\n]")
_STOP = re.compile(r"[.!?…]{1,8}|[。！？]{1,8}")
_CLOSERS = re.compile(r"[)\]\"'”’»›」』*_]{0,6}")
_BLANKS = re.compile(r"\s{0,4}")
_LAST_WORD = re.compile(r"[\w.]{1,12}\Z")
_PAGE = re.compile(r"\[\[[^\[\]\n]{1,300}\]\]")
_LINE_MARKS = re.compile(
    r"(?:[ \t]{0,40}(?:>|[-*+•](?=[ \t])|[0-9]{1,3}[.)](?=[ \t])|#{1,6}(?=[ \t])|\|)){0,8}\s{0,40}"
)
_ROW_END = re.compile(r"[\s|]{0,40}\Z")
_WORD = re.compile(r"[^\W_]")
_WORDS = re.compile(rf"[{CJK}]|[^\W{CJK}_]+(?:['’.,-][^\W{CJK}_]+)*")


@dataclass(frozen=True, slots=True)
class ReportPair:
    """A sentence and one thing that it cites.

    Args:
        sentence: as written, markers included.
        marker: as written.
        target: the address or id it leads to.
        words: the sentence without its markers.
        context: the sentence before it in its paragraph, without markers.
        strong: somebody must read it: it has a number, a comparison, a superlative, a negation or certainty.
        start, end: half-open code points of the sentence.
    """

    sentence: str
    marker: str
    target: str
    words: str
    context: str
    strong: bool
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ReportQuote:
    """A quotation of five words or more, and what the sentences it stands in cite."""

    quote: str
    start: int
    end: int
    targets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """A report as read.

    Args:
        sha256: of its UTF-8 bytes.
        pairs: in order.
        quotes: in order.
        dangling: markers that name no reference, in order.
        unparsed: citations in styles that are not read.
    """

    sha256: str
    pairs: tuple[ReportPair, ...]
    quotes: tuple[ReportQuote, ...]
    dangling: tuple[str, ...]
    unparsed: int

    @property
    def targets(self) -> tuple[str, ...]:
        """All addresses and ids that it cites, each once."""
        return tuple(sorted({pair.target for pair in self.pairs}))


def read_report(text: str) -> Report:
    """Read a report in Markdown.

    Args:
        text: the report, at most 2,000,000 characters with 10,000 citations.

    Raises:
        LimitError: [too_large] longer; [too_many] more citations.
    """
    if len(text) > REPORT_LIMIT:
        raise LimitError(f"the report has {len(text)} characters", code="too_large", hint=f"{REPORT_LIMIT} at most")
    plain = masked(text)
    listed = citing.references(plain)
    body = _blanked(plain, listed.spans)
    found = list(citing.markers(body))
    body = _PAGE.sub(lambda match: match.group().replace("|", "#"), body)  # no border of a cell
    if sum(len(one.names) for one in found) > CITATIONS_MOST:
        raise LimitError("the report has too many citations", code="too_many", hint=f"{CITATIONS_MOST} at most")
    quoted = [span for block in _blocks(body) for span in quotations(body, *block)]
    sentences = _carrying(body, list(_sentences(body, found, quoted)), found)
    pairs: list[ReportPair] = []
    dangling: list[str] = []
    for at, (span, carried) in enumerate(sentences):
        before = _spoken(text, *sentences[at - 1]) if at and _same_block(body, sentences[at - 1][0], span) else ""
        named = _named(carried, listed.targets)
        dangling += [marker.text for marker, target in named if target is None]
        pairs += _pairs(text, span, carried, before, named)
    return Report(
        hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
        tuple(pairs),
        tuple(_quotes(text, quoted, pairs, found)),
        tuple(dangling),
        citing.others(body, [(one.start, one.end) for one in found]),
    )


# -- text and code ---------------------------------------------------------------------------------------------------


def masked(text: str) -> str:
    """Put blanks in place of code and comments, so that positions stay."""
    lines, fence = text.split("\n"), ""
    for at, line in enumerate(lines):
        match = _FENCE.match(line)
        if fence or match:
            lines[at] = " " * len(line)
        if not fence and match:
            fence = match[1]
        elif fence and match and match[1].startswith(fence) and not line.strip().strip(fence[0]):
            fence = ""
    return _CODE.sub(lambda match: " " * len(match.group()), _uncommented("\n".join(lines)))


def _uncommented(text: str) -> str:
    spans, at = [], text.find("<!--")
    while at >= 0 and (end := text.find("-->", at)) >= 0:
        spans.append((at, end + 3))
        at = text.find("<!--", end)
    return _blanked(text, spans)


def _blanked(text: str, spans: Iterable[Span]) -> str:
    """Put blanks in place of ranges, given in order; line ends stay."""
    parts: list[str] = []
    at = 0
    for start, end in spans:
        parts += (text[at:start], _NOT_BREAK.sub(" ", text[start:end]))
        at = end
    return "".join((*parts, text[at:]))


def _blocks(text: str) -> Iterator[Span]:
    """Give the paragraphs, items, headings and rows."""
    start = 0
    for border in (*markup.blocks(text), len(text)):
        if text[start:border].strip():
            yield start, border
        start = border + 1


# -- sentences -------------------------------------------------------------------------------------------------------


def _sentences(text: str, found: Sequence[Marker], quoted: Sequence[Span]) -> Iterator[Span]:
    """Give the sentences, in order: a row of a table is one; nothing ends inside a quotation or a marker."""
    closed = outer([*quoted, *((one.start, one.end) for one in found)])
    starts = [one.start for one in found]
    for first, last in _blocks(text):
        start = first
        for stop in () if "|" in text[first:last] else _STOP.finditer(text, first, last):
            if stop.end() <= start or _within(closed, stop.end()):
                continue
            end = _end(text, stop, last, found, starts)
            if end is not None:
                yield start, end
                start = end
        if text[start:last].strip():
            yield start, last


def _within(spans: Sequence[Span], at: int) -> bool:
    """Say whether a place lies inside one of the ranges, given in order, and not just before its closing mark."""
    number = bisect_right(spans, (at, 1 << 62)) - 1
    return number >= 0 and spans[number][0] < at < spans[number][1] - 1


def _end(text: str, stop: re.Match[str], last: int, found: Sequence[Marker], starts: list[int]) -> int | None:
    """Say where a sentence ends that may end at a stop: behind its closing marks and the markers that follow."""
    bare = _closing(text, stop.end(), last)
    after = _behind_markers(text, bare, found, starts)
    if after > bare and text[bare : bare + 1].isspace() and text[_skip(text, after) :][:1].islower():
        after = bare  # "… in 2024. [1] reports that …": the marker opens the next sentence
    if after >= last:
        return last
    if after == bare and text[stop.end() - 1] not in "。！？":
        follows = text[_skip(text, after) :][:1]
        if not text[after].isspace() or follows.islower() or (stop.group() == "." and _abbreviated(text, stop.start())):
            return None
    return after


def _closing(text: str, at: int, last: int) -> int:
    """Give the place behind closing brackets and quote marks; the bracket of a marker opens and is none of them."""
    match = _CLOSERS.match(text, at, last)
    return match.end() if match else at


def _behind_markers(text: str, at: int, found: Sequence[Marker], starts: list[int]) -> int:
    """Give the place behind the markers that stand at a place, one after the other."""
    while True:
        begin = _skip(text, at)
        number = bisect_left(starts, begin)
        if number == len(starts) or starts[number] != begin or "\n\n" in text[at:begin]:
            return at
        at = _closing(text, found[number].end, len(text))
        if text[at : at + 1] in (".", "。"):
            at += 1


def _skip(text: str, at: int) -> int:
    match = _BLANKS.match(text, at)
    return match.end() if match else at


def _abbreviated(text: str, at: int) -> bool:
    """Say whether the word before a full stop is an abbreviation or an initial."""
    word = _LAST_WORD.search(text[max(0, at - 12) : at])
    if word is None:
        return False
    return word.group().casefold() in words().abbreviations or (len(word.group()) == 1 and word.group().isupper())


def _carrying(text: str, spans: list[Span], found: Sequence[Marker]) -> list[tuple[Span, list[Marker]]]:
    """Give each sentence its markers; a marker that stands alone belongs to the sentence before it."""
    carried: list[tuple[Span, list[Marker]]] = []
    starts = [one.start for one in found]
    for first, last in spans:
        own = list(found[bisect_left(starts, first) : bisect_left(starts, last)])
        bare = own and not _WORD.search(_without(text, first, last, own))
        if bare and carried:
            carried[-1][1].extend(own)
        else:
            carried.append(((first, last), own))
    return carried


def _same_block(text: str, one: Span, other: Span) -> bool:
    return not text[one[1] : other[0]].strip() and text.count("\n", one[1], other[0] + 1) < 2


def _without(text: str, first: int, last: int, carried: Iterable[Marker]) -> str:
    """Give a range without its markers."""
    parts, at = [], first
    for marker in carried:
        if first <= marker.start < last:
            parts.append(text[at : marker.start])
            at = marker.end
    return "".join((*parts, text[at:last]))


def _spoken(text: str, span: Span, carried: Iterable[Marker]) -> str:
    """Give the words of a sentence: no marks of lists, headings and rows, no markers, blanks made one."""
    bare = _without(text, _opening(text, *span), span[1], carried)
    spaced = re.sub(r"\s{1,400}(?=[.,;:!?][\"'”’»)]{0,4}(?:\s|\Z))", "", bare)
    return " ".join(_ROW_END.sub("", spaced).split())


def _opening(text: str, first: int, last: int) -> int:
    match = _LINE_MARKS.match(text, first, last)
    return match.end() if match else first


# -- pairs and quotations --------------------------------------------------------------------------------------------


def _named(carried: Iterable[Marker], known: Mapping[str, str | None]) -> list[tuple[Marker, str | None]]:
    """Give what each marker leads to; a number leads to its reference."""
    return [
        (marker, known.get(name) if marker.numbered(name) else name or None)
        for marker in carried
        for name in marker.names
    ]


def _pairs(
    text: str, span: Span, carried: list[Marker], context: str, named: Iterable[tuple[Marker, str | None]]
) -> Iterator[ReportPair]:
    """Give one pair for each thing that a sentence cites."""
    marked = {target: marker.text for marker, target in reversed(list(named)) if target is not None}
    if not marked:
        return
    spoken = _spoken(text, span, carried)
    sentence = _ROW_END.sub("", text[_opening(text, *span) : span[1]])
    strong = is_strong(spoken)
    for target, marker in reversed(marked.items()):
        yield ReportPair(sentence, marker, target, spoken, context, strong, *span)


def _quotes(
    text: str, quoted: Iterable[Span], pairs: Sequence[ReportPair], found: Sequence[Marker]
) -> Iterator[ReportQuote]:
    """Give the quotations that are long enough, without the markers the author put at their end."""
    ends = [pair.end for pair in pairs]
    for first, last in quoted:
        inner = text[first + 1 : last - 1]
        closing = [one for one in found if first < one.start < last]
        while closing and not _WORD.search(text[closing[-1].end : last - 1]):
            inner = text[first + 1 : closing.pop().start]
        if _long(inner):
            near = pairs[bisect_right(ends, first) :]
            targets = [pair.target for pair in _until(near, last)]
            yield ReportQuote(inner.strip(), first, last, tuple(dict.fromkeys(targets)))


def _until(pairs: Iterable[ReportPair], last: int) -> Iterator[ReportPair]:
    for pair in pairs:
        if pair.start >= last:
            return
        yield pair


def _long(text: str) -> bool:
    """Say whether a quotation has enough words; a character of Chinese or Japanese is one."""
    return sum(1 for _ in islice(_WORDS.finditer(text), QUOTED_LEAST)) == QUOTED_LEAST


def is_strong(text: str) -> bool:
    """Say whether somebody must read a sentence: number, date, comparison, superlative, negation, certainty."""
    tokens = SourceText(text, "markdown").tokens
    return any(_is_strong(tokens, at) for at in range(len(tokens)))


_STRONG = (ChangeKind.NUMBER, ChangeKind.NEGATION, ChangeKind.DATE, ChangeKind.CJK)


def _is_strong(tokens: Tokens, at: int) -> bool:
    kind, text, listed = tokens.kind(at), tokens.text(at), reports_data()
    if kind in _STRONG or text in listed["superlative"] or text in listed["certainty"]:
        return True
    return kind is ChangeKind.COMPARATOR and text not in listed["joining"]
