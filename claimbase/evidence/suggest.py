"""Suggesting quotes: where texts already stored have a claim's value literally; never attached (A38, A48)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from claimbase.evidence.align import align
from claimbase.evidence.dates_written import dates_in
from claimbase.evidence.model import ClaimAt, Hint, Match, SnapshotAt
from claimbase.evidence.quote_checks import claim_units
from claimbase.evidence.terms import QUOTE_LIMIT, QuoteStatus
from claimbase.evidence.texts import SourceText
from claimbase.evidence.values_written import dated, members, missing, named_dates
from claimbase.evidence.window import header, naming, passage

MOST = 20
"""How many quotes are suggested at most."""
_TRIED = 200  # places looked at in one text
_GROUP = r"[,_'\u00a0\u202f\u2009 ]?"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A row or sentence of a stored text that has a claim's value.

    Args:
        quote: its words, as they stand there. start, end: half-open code points.
        names_subject: the row, its header or the sentence names the subject.
        match: how the quote stands in the text; always verified.
    """

    snapshot_id: str
    source_id: str
    quote: str
    start: int
    end: int
    names_subject: bool
    match: Match


def suggest(claim: ClaimAt, snapshots: Iterable[SnapshotAt], *, most: int = MOST) -> list[Suggestion]:
    """Suggest quotes for a claim: the row or sentence around each literal hit of its value.

    Those that name the subject come first, then those of texts read last, then by place. Each is verified in its text;
    what the claim has as evidence already is left out. Nothing is attached.

    Args:
        claim: the claim. snapshots: the texts as read. most: how many suggestions.
    """
    had = {(one.snapshot_id, _tidy(one.quote)) for one in claim.evidence}
    passages = [
        (not names, number, start, end, snapshot)
        for number, snapshot in enumerate(sorted(snapshots, key=_newest))
        for start, end, names in _passages(claim, snapshot)
        if (snapshot.snapshot_id, _tidy((snapshot.text or "")[start:end])) not in had
    ]
    found: list[Suggestion] = []
    texts: dict[str, SourceText] = {}
    for other, _, start, end, snapshot in sorted(passages, key=lambda one: one[:4]):
        text = texts.setdefault(snapshot.snapshot_id, SourceText(snapshot.text, snapshot.profile))
        quote = text.text[start:end]
        match = align(quote, text, Hint(start=start))
        if match.status is QuoteStatus.VERIFIED:
            found.append(Suggestion(snapshot.snapshot_id, snapshot.source_id, quote, start, end, not other, match))
        if len(found) == most:
            break
    return found


def _newest(snapshot: SnapshotAt) -> tuple[float, str]:
    return -snapshot.last_fetched_at.timestamp(), snapshot.snapshot_id


def _tidy(text: str) -> str:
    return " ".join(text.split())


def _passages(claim: ClaimAt, snapshot: SnapshotAt) -> Iterator[tuple[int, int, bool]]:
    """Give the rows and sentences of a text that have the value whole, and whether they name the subject."""
    text, seen = snapshot.text or "", set()
    if claim.absent:
        return
    for at, (start, end) in enumerate(_places(claim, text)):
        if at == _TRIED:
            return
        first, last = passage(text, start, end, snapshot.profile)
        if (first, last) in seen or last - first > QUOTE_LIMIT:
            continue
        seen.add((first, last))
        if not _lacks(claim, text[first:last], snapshot.profile):
            near = (text[first:last], header(text, first) or "")
            yield first, last, any(next(naming(words, claim.names), None) for words in near)


def _lacks(claim: ClaimAt, words: str, profile: str) -> bool:
    """Say whether a passage has not the value after all, or only as a part of something longer."""
    wanted = named_dates(claim.value, claim.normalized_value) if claim.kind == "date" else []
    if wanted and len(dated(wanted, words, profile)) == len(wanted):
        return False
    return bool(missing(claim.value, words, profile, claim.kind, claim_units(claim)))


def _places(claim: ClaimAt, text: str) -> Iterator[tuple[int, int]]:
    """Give where a value may stand: its words with any blanks, its digits grouped in any way, its date in any form."""
    wanted = named_dates(claim.value, claim.normalized_value) if claim.kind == "date" else []
    if wanted:
        yield from ((form.start, form.end) for form in dates_in(text) if form.names(wanted[0]))
        return
    first = next((one for one in members(claim.value) if one.strip()), "") if claim.kind == "set" else claim.value
    if first.strip():
        yield from (match.span() for match in _pattern(first).finditer(text))


def _pattern(value: str) -> re.Pattern[str]:
    """Write a value as an expression; linear, since every gap is bounded."""
    words = []
    for word in value.split():
        bare = re.sub(r"(?<=[0-9])[,_'](?=[0-9]{3})", "", word)
        words.append(re.sub(r"(?<=[0-9])(?=(?:[0-9]{3})+(?![0-9]))", lambda _: _GROUP, re.escape(bare)))
    return re.compile(r"\s{1,20}".join(words), re.IGNORECASE)
