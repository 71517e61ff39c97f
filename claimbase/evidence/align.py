"""How a quote stands in a stored text: the quote rule (evidence §2). Located by similarity, decided by words."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import ROUND_DOWN, Decimal
from fractions import Fraction

from claimbase.errors import LimitError
from claimbase.evidence import cleaning
from claimbase.evidence.boundaries import stands_in
from claimbase.evidence.context import context_flags
from claimbase.evidence.elided import Elided, Piece, elided
from claimbase.evidence.locate import CONTEXT, Hit, Hits, choose, hits, is_short
from claimbase.evidence.model import Change, Hint, Match
from claimbase.evidence.near import Near, marker_change, near
from claimbase.evidence.normalise import profile_sha256
from claimbase.evidence.terms import QUOTE_LIMIT, ChangeKind, QuoteStatus, Tier
from claimbase.evidence.texts import SourceText
from claimbase.evidence.words import words

__all__ = ["SourceText", "align", "profile_sha256", "stands_in"]


def align(quote: str, source: SourceText, hint: Hint | None = None) -> Match:
    """Say how a quote stands in a text (N2-N10).

    Args:
        quote: the words as quoted, at most 20,000 characters.
        source: the text as read, with its profile.
        hint: where the quote was found before; it chooses among several places.

    Raises:
        LimitError: [too_large] the quote is longer.
    """
    if len(quote) > QUOTE_LIMIT:
        raise LimitError(f"the quote has {len(quote)} characters", code="too_large", hint=f"{QUOTE_LIMIT} at most")
    if cleaning.is_empty(quote):
        return Match(QuoteStatus.NOT_FOUND, flags=("empty-quote",))
    if not source.text.strip() or not source.normal.text:
        return Match(QuoteStatus.UNVERIFIABLE, flags=("no-source-text",))
    refused: Match | None = None
    cleaned = cleaning.variants(quote)
    for variant in cleaned:
        for reading in _readings(variant.text, source):
            found = hits(reading, source)
            if found.good:
                return _word_for_word(found, reading, source, hint, variant.flags)
            if found and refused is None:
                refused = _refused(found, reading, source, variant.flags)
    if refused is not None:
        return refused
    return _by_pieces_or_near(cleaned[-1], source)


def _readings(text: str, source: SourceText) -> Iterable[SourceText]:
    """Read a quote with its source's profile and, where that differs, as the plain text a reader sees."""
    first = SourceText(text, source.profile, quoted=True)
    yield first
    if source.profile != "plain":
        plain = SourceText(text, "plain", quoted=True)
        if plain.normal.text != first.normal.text:
            yield plain


def _word_for_word(
    found: Hits, quote: SourceText, source: SourceText, hint: Hint | None, flags: tuple[str, ...]
) -> Match:
    """Report a quote that stands in the text word for word."""
    choice = choose(found.good, source, hint)
    short = is_short(quote)
    status = QuoteStatus.AMBIGUOUS if short and not choice.settled else QuoteStatus.VERIFIED
    flags += ("short",) if short else ()
    flags += ("multiple-occurrences",) if not choice.settled and not short else ()
    return _match(status, found.tier, source, (choice.hit,), quote=quote, flags=flags, occurrences=len(found.good))


def _refused(found: Hits, quote: SourceText, source: SourceText, flags: tuple[str, ...]) -> Match:
    """Report a quote that stands only where it cannot be quoted: in struck text, or beside another citation marker."""
    flags += ("short",) if is_short(quote) else ()
    hit = (found.unmarked or found.struck)[0]
    changes: tuple[Change, ...] = ()
    if found.unmarked:
        changes = (marker_change(quote, source, hit.first, hit.last),)
    else:
        flags += ("struck-in-source",)
    return _match(QuoteStatus.ALTERED, found.tier, source, (hit,), quote=quote, flags=flags, changes=changes)


def _by_pieces_or_near(quote: cleaning.Cleaned, source: SourceText) -> Match:
    """Find a quote that does not stand word for word."""
    parts = cleaning.pieces(quote.text)
    if parts:
        result = elided(parts, source, lambda part: _piece(part, source))
        return _elided_match(result, quote.text, source, quote.flags)
    reading = next(iter(_readings(quote.text, source)))
    if is_short(reading):
        return Match(QuoteStatus.NOT_FOUND, flags=(*quote.flags, "short"))
    best = _nearest(quote.text, source)
    if best is None:
        return Match(QuoteStatus.NOT_FOUND, flags=quote.flags)
    flags = quote.flags + _left_out_flag(best)
    if best.status is QuoteStatus.NOT_FOUND:
        start, end = best.hit.start, best.hit.end
        return Match(best.status, closest=source.text[start:end], edit_distance=best.distance, flags=flags)
    return _match(
        best.status, Tier.NEAR, source, (best.hit,), quote=reading, flags=flags, changes=best.changes,
        ratio=_decimal(best.ratio), distance=best.distance,
    )  # fmt: skip


def _nearest(text: str, source: SourceText) -> Near | None:
    """Find the nearest place by the first reading that verifies, else by the first that finds any."""
    found: list[Near] = []
    for reading in _readings(text, source):
        best = near(reading, source) if not is_short(reading) else None
        if best is not None and best.status is QuoteStatus.VERIFIED:
            return best
        found += [best] if best else []
    return found[0] if found else None


def _left_out_flag(found: Near) -> tuple[str, ...]:
    return ("words-left-out:" + "/".join(found.left_out),) if found.left_out else ()


def _piece(text: str, source: SourceText) -> Piece:
    """Find one piece of an elided quote; each of its places counts, the order will choose."""
    struck: Hits | None = None
    for reading in _readings(text, source):
        found = hits(reading, source)
        if found.good:
            return Piece(QuoteStatus.VERIFIED, tuple(found.good), "1.000")
        struck = struck or (found if found.struck else None)
    if struck is not None:
        return Piece(QuoteStatus.ALTERED, tuple(struck.struck), "1.000", flags=("struck-in-source",))
    best = _nearest(text, source)
    if best is None or best.status is QuoteStatus.NOT_FOUND:
        return Piece(QuoteStatus.NOT_FOUND, ())
    return Piece(best.status, (best.hit,), _decimal(best.ratio), best.distance, best.changes, _left_out_flag(best))


def _elided_match(found: Elided, text: str, source: SourceText, flags: tuple[str, ...]) -> Match:
    """Report a quote found by its pieces."""
    flags += found.flags
    if not found.hits:
        return Match(found.status, flags=flags)
    reading = SourceText(text, source.profile, quoted=True)
    return _match(
        found.status, Tier.ELIDED, source, found.hits, quote=reading, flags=flags,
        ratio=min((piece.ratio for piece in found.found if piece.ratio), key=Decimal, default="0.000"),
        distance=sum(piece.distance for piece in found.found),
        changes=tuple(change for piece in found.found for change in piece.changes),
    )  # fmt: skip


def _match(
    status: QuoteStatus,
    tier: Tier,
    source: SourceText,
    places: tuple[Hit, ...],
    *,
    quote: SourceText,
    flags: tuple[str, ...],
    changes: tuple[Change, ...] = (),
    ratio: str = "1.000",
    distance: int = 0,
    occurrences: int = 1,
) -> Match:
    """Put a result together, with the flags of its context."""
    first, last = places[0], places[-1]
    span = Hit(first.first, last.last, first.start, last.end)
    text = source.normal.text
    around = context_flags(source, span, number_first=_begins_with_number(quote))
    return Match(
        status=status,
        tier=tier,
        ratio=ratio,
        start=span.start,
        end=span.end,
        occurrences=occurrences,
        prefix=text[max(0, span.first - CONTEXT) : span.first],
        suffix=text[span.last : span.last + CONTEXT],
        changes=changes,
        closest=source.text[span.start : span.end],
        edit_distance=distance,
        flags=tuple(dict.fromkeys((*flags, *around))),
    )


def _begins_with_number(quote: SourceText) -> bool:
    tokens = quote.tokens
    return bool(len(tokens)) and (tokens.is_number(0) or words().kinds.get(tokens.text(0)) is ChangeKind.NUMBER)


def _decimal(ratio: Fraction) -> str:
    """Write a ratio with three places, never rounded up to one."""
    return str((Decimal(ratio.numerator) / Decimal(ratio.denominator)).quantize(Decimal("0.001"), ROUND_DOWN))
