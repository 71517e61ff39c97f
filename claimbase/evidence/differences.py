"""Judging the differences between a quote and its source: which are slips of the pen, which change the sense (N6)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from claimbase.evidence.model import Change
from claimbase.evidence.terms import ChangeKind, Severity
from claimbase.evidence.texts import SourceText
from claimbase.evidence.words import words

PROTECTED = frozenset(ChangeKind) - {ChangeKind.WORD, ChangeKind.FREE, ChangeKind.TYPO, ChangeKind.SKIPPED}
_SLIP_LEAST, _SLIP_HEAD = 5, 3
_CLAUSE_ENDS = frozenset("\n.!?;:。！？；：")
_STOP = re.compile(r"(?<!\.)[.!?](?!\.)(?=[^ \n]{0,8}[ \n])")
_NOUN_WITHIN = 4
_SKIPPED_ALWAYS, _SKIPPED_SHARE = 2, 4


@dataclass(frozen=True)
class Pair:
    """Tokens of the quote and of the source that stand for each other; either side may be empty."""

    said: tuple[int, ...]
    held: tuple[int, ...]
    equal: bool = False
    outer: bool = False
    leading: bool = False


@dataclass(frozen=True)
class Verdict:
    """All differences, and the content words left out."""

    changes: tuple[Change, ...]
    left_out: tuple[str, ...]


class Aligned:
    """A quote laid beside its source.

    Args:
        pairs: in order; outer ones that only the source has are no part of the match.
    """

    def __init__(self, quote: SourceText, source: SourceText, pairs: list[Pair], equal: int) -> None:
        self.quote, self.source = quote, source
        self._equal = equal
        matched = [token for pair in pairs if pair.equal for token in pair.held]
        self._matched = (matched[0], matched[-1]) if matched else (0, 0)
        self.pairs = [self._trimmed(pair) for pair in pairs]

    def equal(self) -> int:
        """Count the tokens of the quote that stand in the source."""
        return self._equal

    def used(self) -> list[int]:
        """Give the source tokens of the match, in order."""
        return [token for pair in self.pairs for token in pair.held]

    def _trimmed(self, pair: Pair) -> Pair:
        """Cut an outer pair to as many source tokens as the quote has there, those beside the match."""
        if not pair.outer:
            return pair
        if all(self.quote.tokens.text(at) in words().added for at in pair.said):
            return Pair(pair.said, self._displaced(pair))
        held = pair.held[-len(pair.said) :] if pair.leading else pair.held[: len(pair.said)]
        return Pair(pair.said, held)

    def _displaced(self, pair: Pair) -> tuple[int, ...]:
        """Give the protected token beside the match whose place outer articles take, as "no" or "thirty"; else none."""
        tokens, (first, last) = self.source.tokens, self._matched
        beside = first - 1 if pair.leading else last + 1
        if not pair.said or not 0 <= beside < len(tokens) or tokens.opens(first if pair.leading else beside):
            return ()
        return (beside,) if tokens.kind(beside) in PROTECTED else ()

    @cached_property
    def last(self) -> int:
        """The last source token of the match; what follows it is no part of it."""
        return max(self.used(), default=-1)

    @cached_property
    def english(self) -> bool:
        """Whether nothing in the match shows another language: only then may small words come in or be exchanged."""
        texts = [self.source.tokens.text(at) for at in self.used()]
        return all(text.isascii() or not text.isalpha() for text in texts) and not words().foreign.intersection(texts)

    def said_raw(self, at: int) -> str:
        """Give a token of the quote as written."""
        start, end = self.quote.tokens.raw(at)
        return self.quote.text[start:end]

    def held_raw(self, at: int) -> str:
        """Give a token of the source as written."""
        start, end = self.source.tokens.raw(at)
        return self.source.text[start:end]


def judged(aligned: Aligned) -> Verdict:
    """Judge every difference of an alignment."""
    changes: list[Change] = []
    skipped: list[int] = []
    for pair in aligned.pairs:
        if not pair.equal:
            changes += _block(aligned, pair, skipped)
    allowed = max(_SKIPPED_ALWAYS, len(aligned.quote.tokens) // _SKIPPED_SHARE)
    severity = Severity.OK if len(skipped) <= allowed else Severity.FAIL
    changes += [_skip(aligned, at, severity) for at in skipped]
    changes += _moved_stops(aligned)
    named = tuple(
        aligned.source.tokens.text(at)
        for at in skipped
        if aligned.source.tokens.kind(at) is not ChangeKind.FREE and not _german_article(aligned, at)
    )
    return Verdict(tuple(changes), named)


def _skip(aligned: Aligned, at: int, severity: Severity) -> Change:
    return Change(ChangeKind.SKIPPED, severity, "", aligned.held_raw(at))


def _block(aligned: Aligned, pair: Pair, skipped: list[int]) -> list[Change]:
    """Judge one block: first pairs that may stand for each other, then what is left on either side."""
    partners = _partners(aligned, pair)
    said = [at for at in pair.said if at not in partners]
    held = [at for at in pair.held if at not in partners.values()]
    changes = [_allowed(aligned, at, other) for at, other in partners.items()]
    for at in range(max(len(said), len(held))):
        one = said[at] if at < len(said) else None
        other = held[at] if at < len(held) else None
        if one is None and other is not None:
            changes += _left_out(aligned, other, skipped, crosses=_crosses(aligned, pair))
        elif one is not None and other is None:
            changes.append(_brought_in(aligned, one))
        elif one is not None and other is not None:
            changes.append(_exchanged(aligned, one, other))
    return changes


def _partners(aligned: Aligned, pair: Pair) -> dict[int, int]:
    """Pair tokens, in order, that may stand for each other: words of one group, and slips."""
    partners: dict[int, int] = {}
    place = 0
    for at in pair.said:
        for offset, other in enumerate(pair.held[place:]):
            if _same_group(aligned, at, other) or _slip(aligned, at, other):
                partners[at] = other
                place += offset + 1
                break
    return partners


def _same_group(aligned: Aligned, at: int, other: int) -> bool:
    group = words().group
    one, two = aligned.quote.tokens.text(at), aligned.source.tokens.text(other)
    return one in group and group[one] == group.get(two) and aligned.english


def _slip(aligned: Aligned, at: int, other: int) -> bool:
    """Say whether a quote's word is its source's with one letter lost, added or swapped with its neighbour."""
    one, two = aligned.quote.tokens.cased(at), aligned.source.tokens.cased(other)
    if min(len(one), len(two)) < _SLIP_LEAST or not (
        one.isalpha() and one.islower() and two.isalpha() and two.islower()
    ):
        return False
    if one[:_SLIP_HEAD] != two[:_SLIP_HEAD] or one[-1] != two[-1] or not _one_letter_apart(one, two):
        return False
    kinds = (aligned.quote.tokens.kind(at), aligned.source.tokens.kind(other))
    return not PROTECTED.intersection(kinds) and one not in aligned.source.tokens.places


def _one_letter_apart(one: str, two: str) -> bool:
    """Say whether two words differ by one letter too many or by two neighbours swapped."""
    if len(one) == len(two):
        differing = [at for at in range(len(one)) if one[at] != two[at]]
        return (
            len(differing) == 2
            and differing[1] == differing[0] + 1
            and (one[differing[0]] == two[differing[1]] and one[differing[1]] == two[differing[0]])
        )
    short, long = sorted((one, two), key=len)
    return len(long) == len(short) + 1 and any(long[:at] + long[at + 1 :] == short for at in range(len(long)))


def _allowed(aligned: Aligned, at: int, other: int) -> Change:
    kind = ChangeKind.FREE if _same_group(aligned, at, other) else ChangeKind.TYPO
    return Change(kind, Severity.OK, aligned.said_raw(at), aligned.held_raw(other))


def _left_out(aligned: Aligned, other: int, skipped: list[int], *, crosses: bool) -> list[Change]:
    """Judge a source token that the quote does not have."""
    kind = aligned.source.tokens.kind(other)
    if kind in PROTECTED:
        return [Change(kind, Severity.FAIL, "", aligned.held_raw(other))]
    if crosses:
        return [_skip(aligned, other, Severity.FAIL)]
    skipped.append(other)
    return []


def _brought_in(aligned: Aligned, at: int) -> Change:
    """Judge a quote's token that the source does not have there."""
    kind = aligned.quote.tokens.kind(at)
    if kind is ChangeKind.FREE and aligned.quote.tokens.text(at) in words().added and aligned.english:
        return Change(kind, Severity.OK, aligned.said_raw(at), "")
    return Change(kind if kind in PROTECTED else ChangeKind.WORD, Severity.FAIL, aligned.said_raw(at), "")


def _exchanged(aligned: Aligned, at: int, other: int) -> Change:
    """Judge a token that stands in place of another: the source's class decides, else the quote's."""
    kinds = (aligned.source.tokens.kind(other), aligned.quote.tokens.kind(at))
    kind = next((kind for kind in kinds if kind in PROTECTED), ChangeKind.WORD)
    return Change(kind, Severity.FAIL, aligned.said_raw(at), aligned.held_raw(other))


def _crosses(aligned: Aligned, pair: Pair) -> bool:
    """Say whether a block leaves out more than articles where a clause, sentence, cell or paragraph ends."""
    tokens = aligned.source.tokens
    if all(tokens.kind(at) is ChangeKind.FREE for at in pair.held):
        return False
    gaps = range(max(pair.held[0] - 1, 0), pair.held[-1] + 1)
    return any(mark in _CLAUSE_ENDS for at in gaps for mark in tokens.gap(at))


def _german_article(aligned: Aligned, at: int) -> bool:
    """Say whether a token is a German article before a noun, in a match that another word shows to be German."""
    tokens, known = aligned.source.tokens, words()
    if tokens.text(at) not in known.articles or tokens.cased(at).isupper():
        return False
    others = {tokens.text(other) for other in aligned.used() if other != at}
    if others & known.own or not others & known.german:
        return False
    for following in range(at + 1, min(at + 1 + _NOUN_WITHIN, len(tokens))):
        if tokens.gap(following - 1) != " ":
            return False
        if tokens.cased(following)[0].isupper():
            return True
    return False


def _moved_stops(aligned: Aligned) -> list[Change]:
    """Name the sentence ends inside a match that only one side has: a stop moved by one word tells another story.

    A place is counted in words that stand for each other, so that a word left out beside a stop moves nothing. Where
    the source has a border, a quote may put a stop.
    """
    said: dict[int, tuple[str, int]] = {}
    held: dict[int, tuple[str, int]] = {}
    borders: set[int] = set()
    place = 0
    for pair in aligned.pairs:
        both = min(len(pair.said), len(pair.held))
        for offset, at in enumerate(pair.said):
            _note(said, place + min(offset + 1, both), at, aligned.quote.tokens.gap(at))
        for offset, at in enumerate(pair.held):
            gap = aligned.source.tokens.gap(at) if at != aligned.last else ""
            _note(held, place + min(offset + 1, both), at, gap)
            borders.update([place + min(offset + 1, both)] if "\n" in gap else [])
        place += both
    changes = []
    for spot in sorted(said.keys() | held.keys()):
        (mark, at), (other, there) = said.get(spot, ("", -1)), held.get(spot, ("", -1))
        if mark != other and not (spot in borders and not other):
            shown = aligned.said_raw(at) if at >= 0 else ""
            hidden = aligned.held_raw(there) if there >= 0 else ""
            changes.append(Change(ChangeKind.WORD, Severity.FAIL, shown + mark, hidden + other))
    return changes


def _note(stops: dict[int, tuple[str, int]], place: int, at: int, gap: str) -> None:
    """Remember the stop behind a token, if there is one."""
    stop = _STOP.search(gap)
    if stop:
        stops[place] = (stop.group(), at)


def number_cut(source: SourceText, used: Sequence[int]) -> Change:
    """Name the number at the end of a match that the match cuts."""
    start, end = source.tokens.raw(used[-1])
    beyond = source.tokens.raw(min(used[-1] + 1, len(source.tokens) - 1))[1]
    return Change(ChangeKind.NUMBER, Severity.FAIL, source.text[start:end], source.text[start : max(end, beyond)])
