"""Whether a text has a value as it was written: whole, under the boundaries of the quote rule (N3, N6).

A number may be grouped otherwise (262144 and 262,144), a list needs each of its members, a date may stand in any of its
forms. What stands there as a part of something longer is not there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import lru_cache

from claimbase.errors import QuantityError
from claimbase.evidence.boundaries import on_boundaries, stands_in
from claimbase.evidence.dates_written import Written, dates_in
from claimbase.evidence.texts import SourceText
from claimbase.units import CURRENCIES, UNITS, Unit, phrase

Span = tuple[int, int]

# A name goes on behind these; what a slash or colon joins is one name only where names are asked for.
_GLUE = {"entity": "-._@:/"}
_ANY_GLUE = "-._@"
_OPPOSITE = {"true": "false", "false": "true", "✓": "✗", "✔": "✘", "✗": "✓", "✘": "✔", "yes": "no", "no": "yes"}
_PLAIN_TRUTH = ("true", "false", "✓", "✔", "✗", "✘")
_BARE = re.compile(r"[0-9][0-9.,_]{0,40}(?:[kKmMbBT]|bn)?")
_HAS_DIGITS = re.compile(r"[0-9]{4}|[0-9][,_ '\u00a0\u202f\u2009][0-9]{3}")


@lru_cache(maxsize=512)
def _source(text: str, profile: str) -> SourceText:
    """Read a quote or passage once: the same row often carries several claims."""
    return SourceText(text, profile, quoted=True)


def plain_words(text: str, profile: str = "plain") -> str:
    """Give a text without its markup, its case kept.

    Args:
        text: a passage. profile: how it was written.
    """
    return _source(text, profile).normal.cased


def spans(value: str, text: str, profile: str = "plain", kind: str = "text") -> list[Span]:
    """Find where a text has a value as written, as a whole.

    Args:
        value: as written. text: a quote or passage, at most 20,000 characters. profile: how the text was written.
        kind: the predicate's kind; of an entity, a path or tag is a part of the name.

    Returns:
        Half-open code points of the text, in order.
    """
    source = _source(text, profile)
    bare = _source(value.strip(), profile).normal.cased or value
    found = stands_in(bare, text, profile)
    if not found and _HAS_DIGITS.search(value):
        found = _by_keys(bare, source)
    glue = _GLUE.get(kind, _ANY_GLUE)
    return [one for one in found if not _glued(text, *one, glue)]


def spelled(value: str, unit: str | None) -> tuple[str, ...]:
    """Give the ways in which a bare number and a unit kept beside it are written as one: $5, 5%, 200k-token.

    Args:
        value: as written. unit: a name of the unit table, or as the source writes it; None = none.
    """
    known = _top(unit) if unit and _BARE.fullmatch(value.strip()) else None
    if known is None:
        return (value,)
    number, signs = value.strip(), [one for one in known.spellings if not one[0].isalnum()]
    words = [one for one in (known.name, *known.spellings) if one[0].isalpha()]
    if known.dimension in CURRENCIES and len(known.name) == 3:
        together = [form for one in signs for form in (one + number, number + one)]
        words = [known.name]
    else:
        together = [number + gap + one for one in signs for gap in ("", " ")]
    return (value, *together, *(form for one in words for form in (f"{number} {one}", f"{number}-{one}")))


def _top(unit: str) -> Unit | None:
    """Give the unit above the fraction bar, or None where it is not known."""
    above = re.split(r"_per_|/| per ", unit, maxsplit=1)[0].strip()
    try:
        return phrase(above)
    except QuantityError:
        return None


def _by_keys(value: str, source: SourceText) -> list[Span]:
    """Find a value by the keys of its tokens, which ignore the marks between groups of digits (N6)."""
    wanted, tokens = SourceText(value).tokens, source.tokens
    keys, count = list(wanted.keys), len(wanted)
    gaps = [wanted.gap(at) for at in range(count - 1)]
    return [
        source.normal.raw_span(tokens.starts[at], tokens.ends[at + count - 1])
        for at in tokens.places.get(keys[0], ())
        if tokens.keys[at : at + count] == keys
        and [tokens.gap(at + n) for n in range(count - 1)] == gaps
        and on_boundaries(source, tokens.starts[at], tokens.ends[at + count - 1])
    ]


def _glued(text: str, start: int, end: int, glue: str) -> bool:
    """Say whether a name goes on before or behind: gpt-5 is no whole in gpt-5-mini."""
    before = start > 1 and text[start - 1] in glue and (text[start - 2].isalnum())
    return before or (end + 1 < len(text) and text[end] in glue and text[end + 1].isalnum())


def members(value: str) -> list[str]:
    """Give the members of a list: a JSON list, or words joined by commas."""
    if value.lstrip().startswith("["):
        try:
            found = json.loads(value)
        except (ValueError, RecursionError):
            return [value]
        return [str(one) for one in found]
    return [one.strip() for one in value.split(",")]


def missing(
    value: str, text: str, profile: str = "plain", kind: str = "text", units: Iterable[str | None] = ()
) -> list[str]:
    """Give what of a value a text has not: nothing where the value stands there, else the value or its members.

    Args:
        value: as written. text: a quote. profile: how it was written. kind: the predicate's kind.
        units: what a bare number is stated in; it may stand there with their sign.
    """
    forms = dict.fromkeys(form for unit in (None, *units) for form in spelled(value, unit))
    if any(spans(form, text, profile, kind) for form in forms):
        return []
    parts = members(value) if kind == "set" else [value]
    return parts if len(parts) == 1 else [one for one in parts if not spans(one, text, profile, kind)]


def denied(value: str, text: str, profile: str = "plain") -> bool:
    """Say whether a text has the opposite of a truth value; an English "no" is too common a word to tell.

    Args:
        value: as written. text: a quote. profile: how it was written.
    """
    opposite = _OPPOSITE.get(value.strip().casefold(), "")
    return opposite in _PLAIN_TRUTH and bool(spans(opposite, text, profile))


def named_dates(*texts: str | None) -> list[Written]:
    """Give the dates that a value names, of the first of its texts that names any."""
    return next((found for text in texts if text and (found := list(dates_in(text)))), [])


def dated(wanted: list[Written], text: str, profile: str = "plain") -> list[Written]:
    """Give, for each date asked for, its first form in a text, struck words left out; shorter where one is not there.

    Args:
        wanted: dates with their years. text: where they may stand. profile: how it was written.
    """
    there = list(dates_in(_unstruck(text, profile)))
    return [one for need in wanted if (one := next((form for form in there if form.names(need)), None))]


def _unstruck(text: str, profile: str) -> str:
    """Blank what is struck out; every place stays where it is."""
    normal = _source(text, profile).normal
    for first, last in normal.struck:
        start, end = normal.raw_span(first, last)
        text = text[:start] + " " * (end - start) + text[end:]
    return text


# Amounts below the fraction bar: 1M tokens, million input tokens, MTok, /M.
_AMOUNTS = {
    "m": r"(?:1[ -]?)?(?:m|mio|mn|mln|million|millones|millions|millionen)|1[,. ]?000[,. ]?000",
    "k": r"(?:1[ -]?)?(?:k|thousand|tausend|mille|mil)|1[,. ]?000",
}
_COUNTED = {"tok": "token", "character": "character"}
_BETWEEN = r"[\s_-]{0,3}(?:(?:input|output|cached|prompt|completion)[\s_-])?"
_ALONE = r"(?<![a-z])(?:{})(?![a-z])"


@lru_cache(maxsize=1024)
def unit_patterns(unit: str) -> tuple[re.Pattern[str], ...]:
    """Give what a text must have to name a unit: one expression for each of its parts, each in all its spellings.

    Args:
        unit: a name of the unit table, such as usd_per_mtok; any other text stands for itself.
    """
    above, *below = unit.split("_per_")
    parts = [above, *(part for one in below for part in one.split("_"))]
    known = all(part in UNITS or part[1:] in _COUNTED or part == "GB" for part in parts)
    return tuple(re.compile(_part(part), re.IGNORECASE) for part in (parts if known else [unit]))


def _part(part: str) -> str:
    """Write a part of a unit in all its spellings."""
    if part not in UNITS and part[1:] in _COUNTED:
        size = part[0]
        shapes = (f"(?:{_AMOUNTS[size]}){_BETWEEN}(?:{_words(_COUNTED[part[1:]])})", f"{part}s?")
        return f"{_ALONE.format('|'.join(shapes))}|/ ?(?:1 ?)?{size}(?![a-z])"
    spellings = UNITS[part].spellings if part in UNITS else ()
    signs = [re.escape(one) for one in spellings if not one[0].isalnum()]
    return "|".join((_ALONE.format(_words(part)), *signs))


def _words(unit: str) -> str:
    """Join a unit's name and spellings in words; blanks may be any, and underscores too."""
    known = UNITS.get(unit)
    words = {unit, *((one for one in known.spellings if one[0].isalnum()) if known else ())}
    words |= {"tok", "toks"} if unit == "token" else set()
    return "|".join(
        re.sub(r"\\?[ _]", r"[\\s_-]", re.escape(one)) for one in sorted(words, key=lambda one: (-len(one), one))
    )


def names_unit(unit: str, text: str) -> bool:
    """Say whether a text has every part of a unit in some spelling.

    Args:
        unit: a name of the unit table, or a unit as written. text: any text.
    """
    return all(pattern.search(text) for pattern in unit_patterns(unit))
