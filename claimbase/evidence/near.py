"""Finding a quote that differs in a few words, and deciding word by word whether it may (N6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rapidfuzz.distance import Indel, Levenshtein

from claimbase.evidence.boundaries import on_boundaries
from claimbase.evidence.differences import Aligned, Pair, judged, number_cut
from claimbase.evidence.locate import Hit, markers_of, markers_stand
from claimbase.evidence.model import Change
from claimbase.evidence.terms import ChangeKind, QuoteStatus, Severity
from claimbase.evidence.texts import SourceText

WINDOWS = 4
"""How many places are tried."""
LEAST_VERIFIED, LEAST_ALTERED = Fraction(85, 100), Fraction(60, 100)
_WIDEN = 24
_RARE = 64
_ANCHORS = 8


@dataclass(frozen=True)
class Near:
    """The best place for a quote and how it differs there."""

    status: QuoteStatus
    hit: Hit
    ratio: Fraction
    distance: int
    changes: tuple[Change, ...]
    left_out: tuple[str, ...]


def near(quote: SourceText, source: SourceText) -> Near | None:
    """Find the place that is most like a quote and compare it word by word.

    Args:
        quote: the quote, at least four tokens long.
        source: the text.
    """
    best: Near | None = None
    for window in _windows(quote, source):
        found = _compared(quote, source, window)
        if found is None:
            continue
        if found.status is QuoteStatus.VERIFIED:
            return found
        if best is None or found.ratio > best.ratio:
            best = found
    return best


def _windows(quote: SourceText, source: SourceText) -> list[list[int]]:
    """Give up to four places as lists of source tokens, the one that shares most words first.

    A place is anchored by the rarest words of the quote: each puts its vote on where the quote would begin. Places
    that share fewer than half of the quote's tokens cannot be its source and are left out, but for the best one.
    """
    wanted = Counter(quote.tokens.keys)
    size = len(quote.tokens)
    reach = max(size // 3, 4)
    scored: list[tuple[int, int, list[int]]] = []
    for begin in _beginnings(quote, source, reach):
        tokens = _unstruck(source, begin - reach, begin + size + reach)
        shared = sum((Counter(source.tokens.keys[at] for at in tokens) & wanted).values())
        scored.append((-shared, begin, tokens))
    scored.sort(key=lambda place: place[:2])
    least = (size + 1) // 2
    return [tokens for shared, _, tokens in scored[:WINDOWS] if -shared >= least]


def _beginnings(quote: SourceText, source: SourceText, reach: int) -> list[int]:
    """Vote for the tokens a quote might begin at; places closer than the reach are one place."""
    places = source.tokens.places
    spots = [(len(places[key]), at, key) for at, key in enumerate(quote.tokens.keys) if key in places]
    spots.sort()
    anchors = [spot for at, spot in enumerate(spots) if at < _ANCHORS or spot[0] <= _RARE]
    votes = sorted(max(0, place - at) for _, at, key in anchors for place in places[key])
    peaks = _peaks(votes, reach)
    chosen: list[int] = []
    for _, begin in sorted(peaks, key=lambda peak: (-peak[0], peak[1])):
        if all(abs(begin - other) > reach for other in chosen):
            chosen.append(begin)
        if len(chosen) == WINDOWS * 2:
            break
    return chosen


def _peaks(votes: list[int], reach: int) -> list[tuple[int, int]]:
    """Count the votes within the reach of each one; the middle vote stands for its place."""
    peaks, low = [], 0
    for high, vote in enumerate(votes):
        while vote - votes[low] > reach:
            low += 1
        peaks.append((high - low + 1, votes[(low + high) // 2]))
    return peaks


def _unstruck(source: SourceText, first: int, last: int) -> list[int]:
    """Give the tokens of a range, in numbers, that are not struck."""
    tokens, normal = source.tokens, source.normal
    numbers = range(max(0, first), min(len(tokens), last))
    if not normal.struck:
        return list(numbers)
    return [at for at in numbers if not normal.is_struck(tokens.starts[at], tokens.ends[at])]


def _compared(quote: SourceText, source: SourceText, window: list[int]) -> Near | None:
    """Align a quote with a window, cut the window to what is aligned, and judge each difference."""
    aligned = _aligned(quote, source, window)
    used = aligned.used()
    if not used:
        return None
    tokens = source.tokens
    first, last = tokens.starts[used[0]], tokens.ends[used[-1]]
    said, held = quote.normal.text, _text(source, first, last)
    ratio = _ratio(said, held)
    verdict = judged(aligned)
    changes = list(verdict.changes)
    if not on_boundaries(source, first, last):
        changes.append(number_cut(source, used))
    if not markers_stand(quote, source, first, last):
        changes.append(marker_change(quote, source, first, last))
    if quote.normal.struck or len(quote.squeezed.text) > len(source.squeezed.text):
        changes.append(Change(ChangeKind.WORD, Severity.FAIL, quote.text.strip(), ""))
    failed = any(change.severity is Severity.FAIL for change in changes)
    equal = aligned.equal()
    if not failed and ratio >= LEAST_VERIFIED:
        status = QuoteStatus.VERIFIED
    elif ratio >= LEAST_ALTERED and 2 * equal >= len(quote.tokens):
        status = QuoteStatus.ALTERED
    else:
        status = QuoteStatus.NOT_FOUND
    hit = Hit(first, last, *source.normal.raw_span(first, last))
    return Near(status, hit, ratio, Levenshtein.distance(said, held), tuple(changes), verdict.left_out)


def marker_change(quote: SourceText, source: SourceText, first: int, last: int) -> Change:
    """Name the citation markers that differ."""
    said = "".join(f"[{marker}]" for _, marker in quote.normal.markers)
    return Change(
        ChangeKind.NUMBER, Severity.FAIL, said, "".join(f"[{marker}]" for marker in markers_of(source, first, last))
    )


def _text(source: SourceText, first: int, last: int) -> str:
    """Give the normal form of a range without struck text."""
    parts, at = [], first
    for start, end in source.normal.struck:
        if first <= start < last:
            parts.append(source.normal.text[at:start])
            at = max(at, end)
    return " ".join("".join((*parts, source.normal.text[at:last])).split())


def _ratio(said: str, held: str) -> Fraction:
    """Give the similarity of two texts by their common characters, exactly."""
    total = len(said) + len(held)
    return 1 - Fraction(Indel.distance(said, held), total) if total else Fraction(1)


def _aligned(quote: SourceText, source: SourceText, window: Sequence[int]) -> Aligned:
    """Align the tokens of a quote with those of a window, as tightly as the same words allow.

    The shortest edit script may reach for a far "the" where a near one stands: matches are pulled together, and room
    is kept for the tokens between them that have no match.
    """
    numbers: dict[str, int] = {}
    said = [numbers.setdefault(key, len(numbers)) for key in quote.tokens.keys]
    held = [numbers.setdefault(source.tokens.keys[at], len(numbers)) for at in window]
    blocks = [
        (op.src_start, op.dest_start, op.src_end - op.src_start)
        for op in Levenshtein.opcodes(said, held)
        if op.tag == "equal"
    ]
    partner = [-1] * len(said)
    for at, other, length in blocks:
        partner[at : at + length] = range(other, other + length)
    _pull(partner, said, held)
    _push(partner, said, held)
    return Aligned(quote, source, list(_pairs(partner, window)), _sure(partner))


def _pull(partner: list[int], said: list[int], held: list[int]) -> None:
    """Move each match as far to the left as its word stands, towards the match before it."""
    before = None
    for at, other in enumerate(partner):
        if other < 0:
            continue
        if before is not None:
            first, kept = partner[before] + 1, at - before - 1
            places = (*range(first + kept, other), *range(first, min(first + kept, other)))
            partner[at] = next((place for place in places if held[place] == said[at]), other)
        before = at


def _push(partner: list[int], said: list[int], held: list[int]) -> None:
    """Move each match as far to the right as its word stands, towards the match behind it."""
    after = None
    for at in range(len(partner) - 1, -1, -1):
        other = partner[at]
        if other < 0:
            continue
        if after is not None:
            last, kept = partner[after], after - at - 1
            places = (*range(last - kept - 1, other, -1), *range(last - 1, max(last - kept - 1, other), -1))
            partner[at] = next((place for place in places if held[place] == said[at]), other)
        after = at


def _sure(partner: list[int]) -> int:
    return sum(1 for other in partner if other >= 0)


def _pairs(partner: list[int], window: Sequence[int]) -> Iterator[Pair]:
    """Turn the alignment into blocks: equal tokens one by one, and between them what only one side has."""
    at, place = 0, 0
    while at < len(partner):
        if partner[at] >= 0:
            if partner[at] > place:
                yield Pair((), tuple(window[place : partner[at]]), outer=at == 0)
            yield Pair((at,), (window[partner[at]],), equal=True)
            place, at = partner[at] + 1, at + 1
            continue
        end = at
        while end < len(partner) and partner[end] < 0:
            end += 1
        stop = partner[end] if end < len(partner) else len(window)
        yield Pair(
            tuple(range(at, end)), tuple(window[place:stop]), outer=at == 0 or end == len(partner), leading=at == 0
        )
        place, at = stop, end
