"""What stands around a match in its sentence: negations, limits, bounds (N8)."""

from __future__ import annotations

from claimbase.evidence.locate import Hit
from claimbase.evidence.terms import ChangeKind
from claimbase.evidence.texts import SourceText
from claimbase.evidence.words import words

_FAR = 2_000
"""How far a sentence is followed, in characters; only broken text has longer ones."""
_BOUND_REACH = 40


def found_words(source: SourceText, first: int, last: int, kind: ChangeKind) -> list[str]:
    """Give the negations, or the limiting words, of a range in text order.

    Args:
        kind: negation; qualifier for limits such as only, if, until (N8).
    """
    tokens, limits = source.tokens, words().context
    within = tokens.within(first, last)
    if kind is ChangeKind.NEGATION:
        found = [(tokens.starts[at], tokens.text(at)) for at in within if tokens.kind(at) is kind]
    else:
        found = [(tokens.starts[at], tokens.text(at)) for at in within if tokens.text(at) in limits]
    if source.has_cjk:
        found += _inner(source.normal.text[first:last], first, words().inner[kind])
    return [text for _, text in sorted(found)]


def _inner(text: str, first: int, listed: tuple[str, ...]) -> list[tuple[int, str]]:
    """Find listed words of scripts without spaces, the longest at each place, each once."""
    found: dict[int, str] = {}
    for word in sorted(set(listed), key=lambda word: (-len(word), word)):
        at = text.find(word)
        if at >= 0 and all(not start <= at < start + len(other) for start, other in found.items()):
            found[at] = word
    return [(first + at, word) for at, word in found.items()]


def context_flags(source: SourceText, hit: Hit, *, number_first: bool) -> list[str]:
    """Give the flags of N8 for a match.

    Args:
        number_first: the quote begins with a number, so that a bound in front of it is named.
    """
    start, end = source.sentence(hit.first, hit.last)
    if source.normal.text[hit.last - 1] in ".!?。！？":
        end = hit.last
    sides = (("before", max(start, hit.first - _FAR), hit.first), ("after", hit.last, min(end, hit.last + _FAR)))
    flags = [
        f"{kind.value}-{side}:{'/'.join(found)}"
        for kind in (ChangeKind.NEGATION, ChangeKind.QUALIFIER)
        for side, first, last in sides
        if (found := found_words(source, first, last, kind))
    ]
    bounds = _bounds(source.normal.text[max(start, hit.first - _BOUND_REACH) : hit.first]) if number_first else []
    return flags + ([f"bound-before:{'/'.join(bounds)}"] if bounds else [])


def _bounds(before: str) -> list[str]:
    """Give the bound words that end a text, in text order."""
    found: list[str] = []
    while True:
        before = before.rstrip()
        phrase = next((phrase for phrase in words().bounds if _ends_with(before, phrase)), None)
        if phrase is None:
            return found[::-1]
        found.append(phrase)
        before = before[: len(before) - len(phrase)]


def _ends_with(before: str, phrase: str) -> bool:
    """Say whether a text ends with a whole phrase."""
    rest = before[: len(before) - len(phrase)]
    return before.endswith(phrase) and not (phrase[0].isalnum() and rest[-1:].isalnum())
