"""Finding a quote word for word: raw, in normal form, and without blanks (N3-N5)."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from claimbase.evidence.boundaries import case_marks, find_all, on_boundaries, same_case
from claimbase.evidence.model import Hint
from claimbase.evidence.terms import ChangeKind, Tier
from claimbase.evidence.texts import SourceText, Squeezed
from claimbase.evidence.tokens import IS_CJK
from claimbase.evidence.words import words

CLOSING = ".,;:!?"
CONTEXT = 32
"""Characters of normal form kept before and after a match."""
_SQUEEZED_LEAST = 8
_SHORT_TOKENS, _SHORT_CJK = 4, 6
_LISTED = frozenset((ChangeKind.COMPARATOR, ChangeKind.MODAL, ChangeKind.QUALIFIER, ChangeKind.NUMBER, ChangeKind.DATE))
_PREFIXES = frozenset(("in", "un", "im", "il", "ir", "dis", "non", "anti", "counter", "mis"))
_AMOUNT = re.compile(r"[-+]?[$€£¥]?\d[\d.,']*")


@dataclass(frozen=True, slots=True)
class Hit:
    """A place: first and last in the normal form, start and end raw; half-open."""

    first: int
    last: int
    start: int
    end: int


@dataclass
class Hits:
    """What one tier found: good hits, struck ones, and ones whose citation markers differ from the quote's."""

    tier: Tier
    good: list[Hit] = field(default_factory=list)
    struck: list[Hit] = field(default_factory=list)
    unmarked: list[Hit] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.good or self.struck or self.unmarked)


def is_short(quote: SourceText) -> bool:
    """Say whether a quote is too short for any search but word for word (N5)."""
    tokens = quote.tokens
    texts = [tokens.text(at) for at in range(len(tokens))]
    cjk = sum(1 for text in texts if IS_CJK.match(text))
    spoken = sum(1 for text in texts if text[0].isalnum() or len(text) > 1) - cjk
    return spoken < _SHORT_TOKENS and cjk < _SHORT_CJK


def hits(quote: SourceText, source: SourceText) -> Hits:
    """Find a quote word for word; the first of the three ways that finds anything wins.

    Args:
        quote: the quote, read with the profile of its source or as plain text.
        source: the text.
    """
    if not quote.normal.text:
        return Hits(Tier.NONE)
    refused = Hits(Tier.NONE)
    for tier, spans in ((Tier.EXACT, _exact(quote, source)), (Tier.NORMALIZED, _folded(quote, source))):
        found = _sorted(tier, spans, quote, source)
        if found.good:
            return found
        refused = refused or found
    found = _sorted(Tier.NORMALIZED, _spaceless(quote, source), quote, source)
    return found if found.good else refused or found


def _sorted(tier: Tier, spans: Iterator[Hit], quote: SourceText, source: SourceText) -> Hits:
    """Sort hits by what speaks against them."""
    found = Hits(tier)
    for hit in spans:
        if source.normal.is_struck(hit.first, hit.last):
            found.struck.append(hit)
        elif tier is not Tier.EXACT and not markers_stand(quote, source, hit.first, hit.last):
            found.unmarked.append(hit)
        elif tier is not Tier.EXACT and quote.normal.struck:
            continue  # the source does not strike what the quote strikes
        else:
            found.good.append(hit)
    return found


def _exact(quote: SourceText, source: SourceText) -> Iterator[Hit]:
    """Find the raw text of a quote; a hit must hold visible text and cut no character of the normal form."""
    normal, needle = source.normal, quote.text.strip()
    for start in find_all(source.text, needle):
        end = start + len(needle)
        first, last = normal.position(start), bisect_left(normal.starts, end)
        if first and normal.ends[first - 1] > start and normal.text[first - 1] != " ":
            continue
        if last and normal.ends[last - 1] > end and normal.text[last - 1] != " ":
            continue
        if _cuts_marker(source, start, first) or _cuts_marker(source, end, last):
            continue
        first += normal.text.startswith(" ", first)
        last -= last > first and normal.text[last - 1] == " "
        if first < last and on_boundaries(source, first, last):
            yield Hit(first, last, start, end)


def _cuts_marker(source: SourceText, raw: int, at: int) -> bool:
    """Say whether a raw position lies in an open bracket of which nothing shows, as that of a citation marker.

    Args:
        raw: the position. at: the first character of the normal form behind it.
    """
    normal = source.normal
    blank = at > 0 and normal.text[at - 1] == " "  # one blank may cover what was taken out between two
    before = (normal.starts if blank else normal.ends)[at - 1] if at else 0
    behind = normal.starts[at] if at < len(normal.starts) else len(source.text)
    hidden = source.text[before:raw]
    return before < raw < behind and hidden.count("[") > hidden.count("]")


def _hit(source: SourceText, first: int, last: int) -> Hit:
    return Hit(first, last, *source.normal.raw_span(first, last))


def _folded(quote: SourceText, source: SourceText) -> Iterator[Hit]:
    """Find the normal form of a quote, else that without its closing marks."""
    whole = quote.normal.text
    for needle in dict.fromkeys((whole, whole.rstrip(CLOSING).rstrip())):
        found = False
        for first in find_all(source.normal.text, needle):
            last = first + len(needle)
            if on_boundaries(source, first, last) and same_case(source, first, last, quote, 0):
                found = True
                yield _hit(source, first, last)
        if found:
            return


def _spaceless(quote: SourceText, source: SourceText) -> Iterator[Hit]:
    """Find a quote without its blanks, then also without hyphens between letters."""
    if len(quote.squeezed.text) < _SQUEEZED_LEAST:
        return
    for needle, hay in ((quote.squeezed, source.squeezed), (quote.unhyphened, source.unhyphened)):
        found = False
        for text in dict.fromkeys((needle.text, needle.text.rstrip(CLOSING))):
            for hit in _squeezed_hits(text, needle, hay, quote, source):
                found = True
                yield hit
            if found:
                return


def _squeezed_hits(text: str, needle: Squeezed, hay: Squeezed, quote: SourceText, source: SourceText) -> Iterator[Hit]:
    if len(text) < _SQUEEZED_LEAST:
        return
    end = needle.places[len(text) - 1] + 1
    for at in find_all(hay.text, text):
        first, last = hay.places[at], hay.places[at + len(text) - 1] + 1
        if on_boundaries(source, first, last) and _same_words(quote, end, source, first, last):
            yield _hit(source, first, last)


def _same_words(quote: SourceText, end: int, source: SourceText, first: int, last: int) -> bool:
    """Say whether moving blanks changed no word: the same negations, amounts, cased units; no prefix grown on."""
    one, two = _Fixed.of(quote, 0, end), _Fixed.of(source, first, last)
    if (one.negations, one.units, one.amounts) != (two.negations, two.units, two.amounts):
        return False
    if one.listed - two.listed and two.listed - one.listed:
        return False
    return not (one.prefixed & two.texts or two.prefixed & one.texts)


@dataclass(frozen=True)
class _Fixed:
    """What moving blanks may not change in a range."""

    negations: list[str]
    units: list[str]
    amounts: list[str]
    listed: Counter[str]
    prefixed: set[str]
    texts: set[str]

    @classmethod
    def of(cls, source: SourceText, first: int, last: int) -> _Fixed:
        tokens, kinds = source.tokens, words().kinds
        within = tokens.within(first, last)
        texts = [tokens.text(at) for at in within]
        return cls(
            negations=[text for text in texts if kinds.get(text) is ChangeKind.NEGATION or text.endswith("n't")],
            units=case_marks(source, first, last),
            amounts=[amount.rstrip(".,'") for text in texts for amount in _amounts(text)],
            listed=Counter(text for text in texts if kinds.get(text) in _LISTED),
            prefixed={a + b for a, b in pairwise(texts) if a in _PREFIXES and kinds.get(b) is not ChangeKind.FREE},
            texts=set(texts),
        )


def _amounts(text: str) -> list[str]:
    """Give the amounts of a token: sign and figures; a dash, colon or slash between two of them parts them."""
    return [found.lstrip("-") if at else found for at, found in enumerate(_AMOUNT.findall(text))]


def markers_stand(quote: SourceText, source: SourceText, first: int, last: int) -> bool:
    """Say whether the quote's citation markers stand in order inside the hit or directly after it (N3)."""
    if not quote.normal.markers:
        return True
    found = iter(markers_of(source, first, last))
    return all(any(marker == other for other in found) for _, marker in quote.normal.markers)


def markers_of(source: SourceText, first: int, last: int) -> list[str]:
    """Give the citation markers inside a hit or directly after it."""
    text = source.normal.text
    while last < len(text) and text[last] in CLOSING + " )\"'":
        last += 1
    return [marker for at, marker in source.normal.markers if first < at <= last]


@dataclass(frozen=True, slots=True)
class Choice:
    """The hit that was chosen, and whether anything but its order chose it."""

    hit: Hit
    settled: bool


def choose(found: list[Hit], source: SourceText, hint: Hint | None) -> Choice:
    """Choose among hits: the one whose context fits best, else the one nearest to where it stood (N5)."""
    if len(found) == 1:
        return Choice(found[0], True)
    if hint is not None and (hint.prefix or hint.suffix):
        scores = [_context_score(hit, source, hint) for hit in found]
        best = max(scores)
        if best and scores.count(best) == 1:
            return Choice(found[scores.index(best)], True)
    if hint is not None and hint.start is not None:
        start = hint.start
        return Choice(min(found, key=lambda hit: (abs(hit.start - start), hit.start)), True)
    return Choice(found[0], False)


def _context_score(hit: Hit, source: SourceText, hint: Hint) -> int:
    """Count the characters of context that agree, outward from the hit."""
    text = source.normal.text
    before = SourceText(hint.prefix or "", source.profile, quoted=True).normal.text[-CONTEXT:]
    after = SourceText(hint.suffix or "", source.profile, quoted=True).normal.text[:CONTEXT]
    left = text[max(0, hit.first - CONTEXT) : hit.first].rstrip()
    right = text[hit.last : hit.last + CONTEXT].lstrip()
    return _agreeing(before[::-1], left[::-1]) + _agreeing(after, right)


def _agreeing(one: str, other: str) -> int:
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count
