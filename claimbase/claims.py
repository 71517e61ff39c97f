"""Claims and their sources at the edge: the shape of one claim, the spellings of its fields, its content id.

Inside, claims live in rows; these classes only give shape to what a caller hands in. The rules are applied set-wise at
ingest, in one place, for one claim as for a million.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import date, datetime
from decimal import Decimal
from operator import index
from typing import Any, Literal, TypeAlias

from claimbase.errors import InputError, LimitError, QuantityError, shown

Polarity = Literal["stated", "absent"]
BoundInput: TypeAlias = str | date | datetime | Mapping[str, Any] | None

DEPTH_LIMIT = 30
"""The deepest nesting of a field (C13)."""


class Numeral(str):
    """A number kept as it was written, so that 2.50 stays 2.50 (V1)."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Source:
    """Where a claim was read.

    Args:
        url: its address; credentials are refused.
        title: the page's title.
        publisher: who publishes it.
        published_at: when the source says it spoke; never used as an observation.
        source_type: one of sources.SOURCE_TYPES.
        authority: one of sources.AUTHORITIES, or primary / secondary.
        derived_from: the address of the source it restates (R1).
    """

    url: str
    title: str | None = None
    publisher: str | None = None
    published_at: str | datetime | None = None
    source_type: str = "other"
    authority: str = "third_party"
    derived_from: str | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """One source states that one slot has one value during one valid interval, with one quote (semantics §1).

    Args:
        provider: whose subject it is, never who says so.
        subject: what the claim is about.
        predicate: the property, as a pack declares it.
        value: as written at the source.
        observed_at: the reading the quote was taken from; required, no default (B5).
        quote: the words it rests on; mandatory (B7).
        source: where it was read; mandatory (B7).
        unit: the unit of a bare number, or of ``normalized_value``.
        normalized_value: a value the caller read, where the grammar cannot (V6).
        scope: qualifiers such as ``{"mode": "batch"}``.
        polarity: "absent" says that the page offers none.
        complete: the value is the complete list (V8).
        effective_from, effective_until: stated bounds, half-open; None = not stated, open.
        effective_through: an inclusive last day, month, quarter or year, instead of effective_until (T4).
        zone: the zone in which days begin, default UTC.
        selector: where in the source the quote stands.
        keep_unread: store a value that cannot be read as text without a number (V6).
    """

    provider: str
    subject: str
    predicate: str
    value: Any
    observed_at: str | datetime
    quote: str
    source: Source
    unit: str | None = None
    normalized_value: str | int | Decimal | None = None
    scope: Mapping[str, str] | None = None
    polarity: Polarity = "stated"
    complete: bool = False
    effective_from: BoundInput = None
    effective_until: BoundInput = None
    effective_through: BoundInput = None
    zone: str | None = None
    selector: str | Mapping[str, Any] | None = None
    reasoning: str | None = None
    confidence: str | None = None
    keep_unread: bool = False
    claim_id: str | None = None


# The columns of the staging table, in order, and where a claim's field lands. `entry` and `ordinal` come from logs.
COLUMNS = (
    "entry", "ordinal", "provider", "subject", "predicate", "scope", "value", "normalized_value", "unit", "polarity",
    "complete", "effective_from", "effective_until", "effective_through", "zone", "observed_at", "quote", "selector",
    "reasoning", "confidence", "keep_unread", "claim_id", "source_url", "source_title", "source_publisher",
    "source_published_at", "source_type", "source_authority", "source_derived_from",
)  # fmt: skip
# Other spellings of the same column: camelCase, the nested source, and the short names sources use.
SPELLINGS: dict[str, str] = {
    "normalizedValue": "normalized_value", "effectiveFrom": "effective_from", "effectiveUntil": "effective_until",
    "effectiveThrough": "effective_through", "observedAt": "observed_at", "keepUnread": "keep_unread",
    "claimId": "claim_id", "sourceUrl": "source_url", "sourceUri": "source_url", "source_uri": "source_url",
    "url": "source_url", "sourceTitle": "source_title", "sourcePublisher": "source_publisher",
    "sourcePublishedAt": "source_published_at", "sourceType": "source_type", "sourceAuthority": "source_authority",
    "sourceDerivedFrom": "source_derived_from",
    "source.url": "source_url", "source.uri": "source_url", "source.title": "source_title",
    "source.publisher": "source_publisher", "source.publishedAt": "source_published_at",
    "source.published_at": "source_published_at", "source.sourceType": "source_type",
    "source.source_type": "source_type", "source.authority": "source_authority",
    "source.derivedFrom": "source_derived_from", "source.derived_from": "source_derived_from",
}  # fmt: skip
_PLACE = {name: place for place, name in enumerate(COLUMNS)} | {
    spelling: COLUMNS.index(name) for spelling, name in SPELLINGS.items()
}
_WIDTH = len(COLUMNS)
# Fields that may be an object or a list; every other one is one text.
_STRUCTURED = (
    "scope", "value", "normalized_value", "effective_from", "effective_until", "effective_through", "selector",
)  # fmt: skip
_SURROGATE = re.compile("[\ud800-\udfff]")
_written = json.JSONEncoder(ensure_ascii=False).encode


def column(name: str) -> str | None:
    """Give the staging column a field's spelling stands for, or None if there is none (X34)."""
    place = _PLACE.get(name)
    return None if place is None else COLUMNS[place]


def flatten(given: Claim | Mapping[str, Any]) -> tuple[str | None, ...]:
    """Lay a claim out as one staging row of texts.

    Args:
        given: a Claim, or a mapping in snake_case or camelCase with a nested or flat source.

    Returns:
        One text or None per column of COLUMNS.

    Raises:
        InputError: [bad_value] no claim at all, [extra_field] a field no claim has, [bad_char] no text may hold it.
        LimitError: [too_deep] a value nested too deep.
        QuantityError: [not_finite] a number that is none.
    """
    if not isinstance(given, (Claim, Mapping)):
        raise InputError(f"{shown(given)} is no claim", code="bad_value", hint="pass a Claim or a mapping of fields")
    items = _claim_items(given) if isinstance(given, Claim) else _items(given)
    row: list[str | None] = [None] * _WIDTH
    for name, value in items:
        place = _PLACE.get(name)
        if place is None:
            raise InputError(
                f"a claim has no field {shown(name)}", code="extra_field", hint=f"fields: {', '.join(COLUMNS)}"
            )
        text = value if type(value) is str else _text(name, value)
        if text is not None and not text.isascii() and _SURROGATE.search(text):
            raise InputError(f"{name} holds half a character: {shown(text)}", code="bad_char", hint="pass valid text")
        row[place] = text
    return tuple(row)


def _items(given: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in given.items():
        if name == "source" and isinstance(value, Mapping):
            for key, inner in value.items():
                yield f"source.{key}", inner
        elif name == "source" and isinstance(value, Source):
            yield from _source_items(value)
        elif name == "source" and value is not None:
            kind = type(value).__name__  # not its text: an address may hold credentials
            raise InputError(f"source: a {kind} is none", code="bad_value", hint='{"url": "https://host/path"}')
        elif name != "source":
            yield name, value


def _claim_items(claim: Claim) -> Iterator[tuple[str, Any]]:
    for field in fields(claim):
        if field.name != "source":
            yield field.name, getattr(claim, field.name)
    if isinstance(claim.source, Source):
        yield from _source_items(claim.source)


def _source_items(source: Source) -> Iterator[tuple[str, Any]]:
    for field in fields(source):
        yield f"source.{field.name}", getattr(source, field.name)


def _text(name: str, value: Any) -> str | None:
    """Write a field as text: numbers as they are written, instants as ISO, objects and lists as JSON."""
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, (Mapping, list, tuple)):
        written = _json(name, value, DEPTH_LIMIT)
        if column(name) in _STRUCTURED:
            return written
        raise InputError(f"{name}: {shown(written)} is no text", code="bad_value", hint="pass one text")
    if isinstance(value, str):
        return str(value)
    return _number(name, value)


def _number(name: str, value: Any) -> str:
    """Write a number as it was written: never by float arithmetic, never one that is none (V1, X10)."""
    if isinstance(value, (float, Decimal)) and not Decimal(value).is_finite():
        raise QuantityError(f"{name}: {value} is not finite", code="not_finite", hint="leave the claim out")
    if isinstance(value, float):
        return float.__repr__(value)
    if isinstance(value, Decimal):
        return str(value)
    try:
        return str(index(value))
    except ValueError as error:  # more digits than Python writes
        raise QuantityError(f"{name} has too many digits", code="out_of_range", hint="at most 26") from error
    except TypeError as error:
        raise InputError(
            f"{name}: {shown(value)} is no value a claim can hold", code="bad_value", hint="text, a number or a list"
        ) from error


def _json(name: str, value: Any, depth: int) -> str:
    """Write JSON in one spelling: no blanks, keys in order, so that equal objects are equal texts."""
    if depth < 0:
        raise LimitError(f"{name} is nested too deep", code="too_deep", hint=f"{DEPTH_LIMIT} levels at most")
    if isinstance(value, Mapping):
        members = sorted((str(key), _json(name, inner, depth - 1)) for key, inner in value.items())
        return "{" + ",".join(f"{_written(key)}:{inner}" for key, inner in members) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(_json(name, inner, depth - 1) for inner in value) + "]"
    if isinstance(value, Numeral):
        return str(value)
    if value is None or isinstance(value, (str, bool)):
        return _written(value)
    return _written(value.isoformat()) if isinstance(value, date) else _number(name, value)


def claim_id(number: int) -> str:
    """Write a claim's number as its id: ``c_`` and 16 hexadecimal digits."""
    return f"c_{number:016x}"


def claim_number(text: str) -> int:
    """Read a claim id back into its number.

    Raises:
        InputError: [bad_claim_id] it is no claim id.
    """
    digits = str(text)[2:] if str(text).startswith("c_") else ""
    if len(digits) != 16 or any(c not in "0123456789abcdef" for c in digits):
        raise InputError(f"{shown(text)} is no claim id", code="bad_claim_id", hint="c_ and 16 hexadecimal digits")
    return int(digits, 16)
