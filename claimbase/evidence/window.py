"""What is read around a quote: its row or sentence, the header above it, and the reading window (evidence §3)."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from claimbase.evidence.markup import blocks
from claimbase.evidence.model import ClaimAt, Dossier, EvidenceAt, Match
from claimbase.evidence.texts import SourceText

RADIUS = 1_000
"""How many characters are read on either side of a match."""
PER_SOURCE = 3_000
"""How many characters of one source are read at most."""
IN_ALL = 9_000
"""How many characters of all sources together are read at most."""

_PROSE = 5  # blanks in a line that may run on in the next one; a record of a data file has fewer
_LINE = 2_000  # the longest stretch that is looked through for the borders of a line
_HEADING = re.compile(r"^[ ]{0,3}#{1,6}[ \t]+(\S.{0,300})", re.MULTILINE)
_DELIMITERS = ("|", "\t", ";", ",")

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Window:
    """The parts of one text that are read, in order and apart from each other.

    Args:
        spans: half-open code points of the text.
        text: the parts, joined by a line with an ellipsis.
    """

    spans: tuple[Span, ...]
    text: str


def passage(text: str, start: int, end: int, profile: str = "plain") -> Span:
    """Give the row, line, item or whole sentences that a span lies in, at most RADIUS characters beyond it.

    Args:
        text: the text. start, end: half-open code points. profile: how the text was written.
    """
    low, high = max(0, start - RADIUS), min(len(text), end + RADIUS)
    low = low if not low else text.rfind("\n", low, start) + 1 or low
    piece = text[low:high]
    borders = [-1, *_borders(piece), len(piece)]
    first = borders[bisect_left(borders, start - low) - 1] + 1 if start > low else 0
    last = borders[bisect_left(borders, max(end - low, first + 1))]
    if "|" in piece[first:last]:  # a row is read whole: its cells say what its values are about
        first, last = _trimmed(piece, first, last)
        return min(start, low + first), max(end, low + last)
    source = SourceText(piece[first:last], profile)
    here, normal = low + first, source.normal
    if not normal.text:
        return start, end
    begin, stop = source.sentence(normal.position(start - here), max(normal.position(end - here), 1))
    begin, stop = _trimmed(normal.text, begin, stop)
    found = normal.raw_span(begin, stop) if stop > begin else (start - here, end - here)
    return min(start, here + found[0]), max(end, here + found[1])


def _trimmed(text: str, first: int, last: int) -> Span:
    """Leave blanks at both ends of a span out."""
    inner = text[first:last]
    return last - len(inner.lstrip()), first + len(inner.rstrip())


def _borders(piece: str) -> list[int]:
    """Find the line ends at which a passage ends: those of blocks, and those of lines that are no prose."""
    found = set(blocks(piece))
    at = -1
    for line in piece.split("\n"):
        at += len(line) + 1
        if line.strip().count(" ") < _PROSE:
            found.add(at)
    return sorted(border for border in found if border < len(piece))


def header(text: str, start: int) -> str | None:
    """Give the header row of the table that a place lies in: the first line of its run of lines with equal marks.

    Args:
        text: the text. start: a place in one of its rows.

    Returns:
        None where the place lies in no table, or in its first line.
    """
    row = _line(text, start)
    mark = next((one for one in _DELIMITERS if text.count(one, *row) >= 2), None)
    if mark is None:
        return None
    top, count = row, text.count(mark, *row)
    floor = max(0, start - 50 * RADIUS)
    while top[0] > floor:
        above = _line(text, top[0] - 1)
        if text.count(mark, *above) != count:
            break
        top = above
    return text[slice(*top)] if top != row else None


def _line(text: str, at: int) -> Span:
    end = text.find("\n", at, at + _LINE)
    return text.rfind("\n", max(0, at - _LINE), at) + 1 or max(0, at - _LINE), end if end >= 0 else min(
        len(text), at + _LINE
    )


def heading(text: str, start: int) -> str | None:
    """Give the heading above a place, if one stands within RADIUS characters before it."""
    found = list(_HEADING.finditer(text, max(0, start - RADIUS), start))
    return found[-1][1].strip() if found else None


@lru_cache(maxsize=1024)
def _named(names: tuple[str, ...]) -> re.Pattern[str]:
    """Match a name in any case, blanks, hyphens and underscores alike, never as a part of a longer name."""
    spelt = (r"[\s_-]{1,3}".join(map(re.escape, re.split(r"[\s_-]+", name.strip()))) for name in names if name.strip())
    longest = sorted(set(spelt), key=lambda one: (-len(one), one))
    return re.compile(rf"(?<!\w)(?<!\w[-._@])(?:{'|'.join(longest) or '(?!)'})(?!\w|[-._@:]\w)", re.IGNORECASE)


def naming(text: str, names: Iterable[str], start: int = 0, end: int | None = None) -> Iterator[Span]:
    """Find where a text names something by one of its names, as a whole, in any case.

    Args:
        text: the text. names: the names. start, end: where to look.
    """
    for match in _named(tuple(names)).finditer(text, start, len(text) if end is None else end):
        yield match.span()


def reading_window(
    text: str, start: int, end: int, names: Sequence[str] = (), *, radius: int = RADIUS, most: int = PER_SOURCE
) -> Window:
    """Give what is read around a match: so far on either side, and the passage nearest to it that names the subject.

    Args:
        text: the text as read. start, end: the match, half-open code points. names: the subject's.
        radius: characters on either side. most: characters in all.
    """
    low, high = max(0, start - radius), min(len(text), end + radius)
    if high - low > most:
        low = min(start, max(low, (start + end - most) // 2))
        high = min(high, low + most)
    spans = [(low, high)]
    if names and next(naming(text, names, low, high), None) is None:
        spans += _subject(text, names, (low, high), most - (high - low))
    spans.sort()
    return Window(tuple(spans), "\n…\n".join(text[slice(*span)] for span in spans))


def _subject(text: str, names: Sequence[str], near: Span, most: int) -> list[Span]:
    """Give the passage outside a span that names the subject and lies nearest to it, those before it first."""
    places = list(naming(text, names))
    at = bisect_right(places, (near[0], near[0]))
    before, after = places[:at], [one for one in places[at:] if one[0] >= near[1]]
    place = before[-1] if before else after[0] if after else None
    if place is None or place[1] - place[0] > most:
        return []
    first, last = passage(text, *place)
    spare = most - (place[1] - place[0])
    first = max(first, place[0] - spare // 2, near[1] if place[0] >= near[1] else 0)
    last = min(last, first + most, near[0] if place[1] <= near[0] else len(text))
    return [(first, last)] if last > first else []


def claim_windows(claim: ClaimAt, matches: Mapping[str, Match], dossier: Dossier) -> list[tuple[EvidenceAt, Window]]:
    """Give the reading windows of a claim's evidence in rank order: 3,000 characters a source, 9,000 in all.

    Args:
        claim: the claim. matches: how its quotes were found, by evidence id. dossier: its texts.
    """
    found: list[tuple[EvidenceAt, Window]] = []
    left, spare = IN_ALL, dict.fromkeys((one.source_id for one in claim.evidence), PER_SOURCE)
    for one in claim.evidence:
        match, snapshot = matches.get(one.evidence_id), dossier.snapshots.get(one.snapshot_id or "")
        most = min(left, spare[one.source_id])
        if most <= 0 or snapshot is None or snapshot.text is None or match is None or match.start is None:
            continue
        window = reading_window(snapshot.text, match.start, match.end or match.start, claim.names, most=most)
        size = sum(last - first for first, last in window.spans)
        left, spare[one.source_id] = left - size, spare[one.source_id] - size
        found.append((one, window))
    return found
