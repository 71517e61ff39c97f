"""Whether a sentence says what a verified quote says: decided by its words, not by how many (evidence §6.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from claimbase.evidence.terms import ChangeKind
from claimbase.evidence.texts import SourceText
from claimbase.evidence.tokens import Tokens
from claimbase.evidence.words import words

LEAST, MOST = 3, 300
"""How many words a sentence has that can pass by its words alone."""
SKIPPED = 2
"""How many content words of the quote a sentence may leave out, where it may leave out any."""


def restates(said: SourceText, held: SourceText, *, loose: bool = False) -> bool:
    """Say whether a sentence has the words of a whole sentence of a quote, in order and no others, articles aside.

    So every value stands in the quote, with the same negations, comparators, units and conditions; a sentence about the
    same numbers that turns the direction, names another thing or leaves a limit out says something else.

    Args:
        said: the sentence, without its markers.
        held: the verified quote.
        loose: two content words of the quote may be left out; never a number, a name or anything else protected.
    """
    wanted = [said.tokens.keys[at] for at in _worded(said.tokens, range(len(said.tokens)))]
    if not LEAST <= len(wanted) <= MOST or not all(key in held.tokens.places for key in wanted):
        return False
    most = len(wanted) + (SKIPPED if loose else 0)
    return any(_same(wanted, found, held.tokens) for found in _passages(held, len(wanted), most))


def _worded(tokens: Tokens, within: Iterable[int]) -> list[int]:
    """Give the tokens that are no articles."""
    article = words().group["the"]
    return [at for at in within if words().group.get(tokens.text(at)) != article]


def _passages(held: SourceText, least: int, most: int) -> Iterator[list[int]]:
    """Give the words of each sentence, and of sentences in a row, that have about as many."""
    ends = pairwise((0, *held.breaks, len(held.normal.text)))
    sentences = [_worded(held.tokens, held.tokens.within(*span)) for span in ends]
    for first in range(len(sentences)):
        found: list[int] = []
        for sentence in sentences[first:]:
            found += sentence
            if len(found) > most:
                break
            if len(found) >= least:
                yield found


def _same(wanted: Sequence[str], found: Iterable[int], tokens: Tokens) -> bool:
    """Say whether tokens of a quote are these words; any more of them are content words."""
    met = 0
    for at in found:
        if met < len(wanted) and tokens.keys[at] == wanted[met]:
            met += 1
        elif tokens.kind(at) is not ChangeKind.WORD:
            return False
    return met == len(wanted)
