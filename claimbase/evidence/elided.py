"""Quotes with an ellipsis: every piece must stand in the source, in order, and no negation may be swallowed (N7)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from claimbase.evidence.context import found_words
from claimbase.evidence.locate import Hit
from claimbase.evidence.model import Change
from claimbase.evidence.terms import ChangeKind, QuoteStatus
from claimbase.evidence.texts import SourceText

LONGEST_GAP = 600
"""The most that may be left out between two pieces, in characters of normal form."""
MOST_PIECES, MOST_PLACES = 64, 1_000
"""What is followed at most: a quote in more pieces is no quote, and a piece that stands more often proves nothing."""


@dataclass(frozen=True)
class Piece:
    """How one piece stands: the places it may have, in order, and what differs there."""

    status: QuoteStatus
    hits: tuple[Hit, ...]
    ratio: str | None = None
    distance: int = 0
    changes: tuple[Change, ...] = ()
    flags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Elided:
    """The chosen places of all pieces, and what is wrong with them; empty where no piece stands anywhere."""

    status: QuoteStatus
    hits: tuple[Hit, ...]
    found: tuple[Piece, ...]
    flags: tuple[str, ...]


def elided(parts: Sequence[str], source: SourceText, find: Callable[[str], Piece]) -> Elided:
    """Find the pieces of a quote in order.

    Args:
        parts: the texts between the ellipses. find: how one of them is found (N3-N6).
    """
    if len(parts) > MOST_PIECES:
        return Elided(QuoteStatus.NOT_FOUND, (), (), ("segment-not-found",))
    known = {part: find(part) for part in dict.fromkeys(parts)}
    found = tuple(known[part] for part in parts)
    flags = [flag for piece in found for flag in piece.flags]
    if any(not piece.hits for piece in found):
        placed = tuple(piece.hits[0] for piece in found if piece.hits)
        status = QuoteStatus.ALTERED if placed else QuoteStatus.NOT_FOUND
        return Elided(status, placed[:1], found, (*flags, "segment-not-found"))
    chain = _chain(found, LONGEST_GAP)
    if chain is None:
        wide = _chain(found, len(source.normal.text))
        flag = "segments-out-of-order" if wide is None else "gap-too-long"
        return Elided(QuoteStatus.ALTERED, wide or (found[0].hits[0],), found, (*flags, flag))
    gaps = _gap_flags(source, chain)
    fails = "elision-drops-negation" in gaps or any(piece.status is not QuoteStatus.VERIFIED for piece in found)
    return Elided(QuoteStatus.ALTERED if fails else QuoteStatus.VERIFIED, chain, found, (*flags, *gaps))


def _chain(found: Sequence[Piece], longest: int) -> tuple[Hit, ...] | None:
    """Choose one place per piece, in order, no gap longer than allowed, with the least total gap.

    For every place of a piece the best place of the piece before it is the last one that ends before it: nearer is
    never worse, because whatever reaches an earlier place reaches a later one from at least as late a beginning.
    """
    chains: list[tuple[Hit, ...]] = [(hit,) for hit in found[0].hits[:MOST_PLACES]]
    for piece in found[1:]:
        ends = [chain[-1].last for chain in chains]
        longer: list[tuple[Hit, ...]] = []
        for hit in piece.hits[:MOST_PLACES]:
            at = bisect_right(ends, hit.first) - 1
            if at >= 0 and hit.first - ends[at] <= longest:
                longer.append((*chains[at], hit))
        chains = longer
    return min(chains, key=_total_gap, default=None)


def _total_gap(chain: tuple[Hit, ...]) -> int:
    return sum(after.first - before.last for before, after in pairwise(chain))


def _gap_flags(source: SourceText, chain: tuple[Hit, ...]) -> list[str]:
    """Say what the gaps swallow."""
    gaps = [(before.last, after.first) for before, after in pairwise(chain)]
    flags = []
    if any(found_words(source, *gap, ChangeKind.NEGATION) for gap in gaps):
        flags.append("elision-drops-negation")
    if any(_qualified(source, *gap) for gap in gaps):
        flags.append("elision-drops-qualifier")
    if source.crosses_unit(chain[0].last, chain[-1].last):
        flags.append("elision-crosses-unit")
    return flags


def _qualified(source: SourceText, first: int, last: int) -> bool:
    tokens = source.tokens
    hedged = any(tokens.kind(at) is ChangeKind.QUALIFIER for at in tokens.within(first, last))
    return hedged or bool(found_words(source, first, last, ChangeKind.QUALIFIER))
