"""Readers: each turns one kind of text into what it means, or a reason to refuse it. Pure; once a distinct text."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from functools import lru_cache
from typing import Any, TypeAlias

from claimbase.dates import read_date
from claimbase.errors import (
    ClaimbaseError,
    EvidenceError,
    InputError,
    InstantError,
    IntervalError,
    LimitError,
    VocabularyError,
    shown,
)
from claimbase.present import unseen
from claimbase.sources import authority, source_key, source_type, url_key
from claimbase.temporal import LOWEST, Bound, iso, period_end, read_instant
from claimbase.units import unit as unit_of
from claimbase.values import Value, folded, read_value, unread_value, value_id
from claimbase.vocabulary import Predicate, Vocabulary, check_name

Cells: TypeAlias = tuple[Any, ...]

NAME_LIMIT = 256
TEXT_LIMIT = 20_000
_ABSENT = "absent"
_KEPT = 4096  # dates kept as read: far fewer are written than intervals


def read_all(texts: Iterable[Cells], width: int, read: Callable[..., Cells]) -> Iterator[Cells]:
    """Read every distinct text once: the text itself, then what was read or NULLs, then code and message.

    Args:
        texts: rows of the cells the reader takes.
        width: how many cells the reader gives.
        read: the reader; its ClaimbaseError becomes ``Class.code`` and the message.
    """
    for cells in texts:
        try:
            yield (*cells, *read(*cells), None, None)
        except ClaimbaseError as error:
            yield (*cells, *(None,) * width, f"{type(error).__name__}.{error.code}", str(error))


def read_name(text: str) -> Cells:
    """Read a provider's or subject's name: the name as shown and the key that decides identity (V7, X4-X8)."""
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not name:
        raise InputError("the name is empty", code="missing_field", hint="name the subject")
    if len(text) > NAME_LIMIT:
        raise LimitError(f"the name has {len(text)} characters", code="too_large", hint=f"{NAME_LIMIT} at most")
    if any(map(unseen, name)):
        raise InputError(
            f"the name {shown(name)} holds what cannot be seen", code="bad_char", hint="leave such marks out"
        )
    return (name, folded(name))


def mixed_script(name: str) -> bool:
    """Tell whether a name mixes Latin with Cyrillic or Greek letters, which look alike (X6)."""
    scripts = {unicodedata.name(c, "?").split()[0] for c in name if c.isalpha()}
    return "LATIN" in scripts and bool(scripts & {"CYRILLIC", "GREEK"})


def predicate_reader(vocabulary: Vocabulary, *, strict: bool) -> Callable[[str], Cells]:
    """Make the reader of predicate names: any identifier, or only declared ones when strict (X9)."""

    def read(text: str) -> Cells:
        name = check_name(text.strip())
        if strict and vocabulary.find(name) is None:
            near = vocabulary.nearest(name)
            raise VocabularyError(
                f"no predicate is called {shown(name)}",
                code="unknown_predicate",
                hint=f"nearest: {', '.join(near)}" if near else "declare a pack",
            )
        return (name,)

    return read


def read_scope(text: str) -> Cells:
    """Read scope qualifiers into canonical JSON: text keys and values, sorted, folded in case."""
    if len(text) > TEXT_LIMIT:
        raise LimitError(f"it has {len(text)} characters", code="too_large", hint=f"{TEXT_LIMIT} at most")
    try:
        given = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{shown(text)} is no object", code="bad_scope", hint='{"mode": "batch"}') from error
    if not isinstance(given, dict) or not all(isinstance(v, (str, int, float)) for v in given.values()):
        raise InputError(f"{shown(text)} is no object of texts", code="bad_scope", hint='{"mode": "batch"}')
    _check_scope(text, given)
    return (canonical_scope({str(key): str(value) for key, value in given.items()}),)


def _check_scope(text: str, given: Mapping[str, Any]) -> None:
    """Refuse qualifiers that cannot be told apart: empty, unseen, or one name in two spellings."""
    words = [word for pair in given.items() for word in map(str, pair)]
    if any(unseen(c) for word in words for c in word):
        raise InputError(f"{shown(text)} holds what cannot be seen", code="bad_char", hint='{"mode": "batch"}')
    names = [folded(name) for name in given]
    if not all(map(folded, words)) or len(set(names)) < len(names):
        raise InputError(f"{shown(text)} needs values, and names that differ", code="bad_scope", hint='{"mode": "x"}')


def canonical_scope(scope: Mapping[str, str]) -> str:
    """Write scope qualifiers in the one spelling that decides which scope it is."""
    return json.dumps({folded(k): folded(v) for k, v in sorted(scope.items())}, ensure_ascii=False, sort_keys=True)


def read_moment(text: str) -> Cells:
    """Read the instant of a reading or publication: an instant with offset, or a day (T7)."""
    return (read_instant(text, field="the instant"),)


def value_reader(vocabulary: Vocabulary) -> Callable[..., Cells]:
    """Make the reader of values under the predicates of a vocabulary (V1-V9)."""
    predicates: dict[str, Predicate] = {}

    def read(
        predicate: str | None, value: str | None, normalized: str | None, unit: str | None, polarity: str | None,
        keep_unread: str | None,
    ) -> Cells:  # fmt: skip
        name = (predicate or "").strip()
        if name not in predicates:
            predicates[name] = vocabulary.find(name) or Predicate(name or "unnamed", kind="text")
        if polarity == _ABSENT:
            return (value or "none", _ABSENT, value_id(_ABSENT, None), *(None,) * 4, False, False, False, None)
        if value is None:
            raise InputError("it is missing", code="missing_field", hint="give the value as written")
        if len(value) > TEXT_LIMIT:
            raise LimitError(f"it has {len(value)} characters", code="too_large", hint=f"{TEXT_LIMIT} at most")
        read = understand(predicates[name], value, normalized, unit, keep=keep_unread == "true")
        dimension = unit_of(read.unit).dimension if read.unit else None
        return (
            value, read.key, value_id(read.key, read.unit), read.unit, dimension, _digits(read.min), _digits(read.max),
            read.min_open, read.max_open, read.approximate, read.precision,
        )  # fmt: skip

    return read


def _digits(number: Decimal | None) -> str | None:
    """Write a decimal as text, which the engine takes in a third of the time."""
    return None if number is None else str(number)


def understand(
    predicate: Predicate, value: str, normalized: str | None = None, unit: str | None = None, *, keep: bool = False
) -> Value:
    """Read one value under its predicate; a value the caller normalised is read instead of the words (V6)."""
    try:
        return read_value(
            value if normalized is None else normalized,
            kind=predicate.kind,
            unit=predicate.unit,
            stated_unit=unit if predicate.kind == "quantity" else None,
            minimum=predicate.minimum,
            maximum=predicate.maximum,
        )
    except InputError:
        if keep:
            return unread_value(value)
        raise


def read_bounds(start: str | None, end: str | None, through: str | None, zone: str | None) -> Cells:
    """Read a stated interval into kinds and four columns, refusing what is certainly empty (T1-T9, B3)."""
    place = zone or "UTC"
    with _field("effective_from"):
        first = read_start(start, place)
    with _field("effective_until" if through is None else "effective_through"):
        last, until_kind = read_end(end, through, place)
    if first.earliest is not None and last.latest is not None and last.latest <= first.earliest:
        word = "empty" if last.latest == first.earliest else "inverted"
        raise IntervalError(
            f"the interval from {iso(first.earliest)} until {iso(last.latest)} is {word}",
            code=f"{word}_interval",
            hint="the end is exclusive and must lie after the start",
        )
    return (first.kind, first.earliest, first.latest, until_kind, last.earliest, last.latest)


@contextmanager
def _field(name: str) -> Iterator[None]:
    """Name the field in front of what is wrong with it."""
    try:
        yield
    except ClaimbaseError as error:
        error.message = f"{name}: {error.message}"
        raise


@lru_cache(_KEPT)
def read_start(text: str | None, zone: str) -> Bound:
    """Read a stated start; none stated is unknown (T5), "always" the lowest legal instant."""
    if text is None:
        return Bound("unknown")
    if text.strip() == "always":
        return Bound("known", LOWEST, LOWEST, "instant", text)
    if text.lstrip().startswith("{"):
        given = _object(text)
        if given.get("kind") in ("unknown", "open"):
            return Bound("unknown", text=text)
        return _span(given, text, zone)
    return read_date(text, zone=zone)


@lru_cache(_KEPT)
def read_end(text: str | None, through: str | None, zone: str) -> tuple[Bound, str]:
    """Read a stated end and its kind: open, known, imprecise, or unknown with what the source says of it (T4, T6)."""
    if through is not None:
        if text is not None:
            raise IntervalError(
                "effective_until and effective_through are both given", code="both_ends", hint="give one of them"
            )
        after = period_end(read_date(through, zone=zone), zone)
        return Bound("known", after, after, "instant", through), "known"
    if text is None:
        return Bound("open"), "open"
    if not text.lstrip().startswith("{"):
        bound = read_date(text, zone=zone)
        return bound, bound.kind
    given = _object(text)
    if given.get("kind") == "open":
        return Bound("open", text=text), "open"
    if given.get("kind") == "unknown":
        state = given.get("state")
        if state not in (None, "holds", "ended"):
            raise InstantError(f"{shown(state)} is no state", hint="holds or ended")
        return Bound("unknown", text=text), state or "unknown"
    bound = _span(given, text, zone)
    return bound, bound.kind


def _object(text: str) -> dict[str, Any]:
    try:
        given = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InstantError(f"{shown(text)} is no bound") from error
    if not isinstance(given, dict) or not set(given) <= {"kind", "state", "earliest", "latest", "not_before"}:
        raise InstantError(f"{shown(text)} is no bound", hint='{"earliest": …, "latest": …} or {"kind": …}')
    return given


def _span(given: Mapping[str, Any], text: str, zone: str) -> Bound:
    low, high = given.get("not_before", given.get("earliest")), given.get("latest")
    if low is None and high is None:
        raise InstantError(f"{shown(text)} names no instant", hint='{"earliest": …, "latest": …}')
    earliest = None if low is None else read_date(str(low), zone=zone).earliest
    latest = None if high is None else read_date(str(high), zone=zone).latest
    if earliest is not None and latest is not None and latest < earliest:
        raise IntervalError(f"{iso(latest)} lies before {iso(earliest)}", code="inverted_interval")
    known = earliest is not None and earliest == latest
    return Bound("known" if known else "imprecise", earliest, latest, "range", text)


def read_source(url: str | None, kind: str | None, who: str | None, parent: str | None) -> Cells:
    """Read a source's address and attributes (B7, X45, X46)."""
    if url is None:
        return (None,) * 6
    key = url_key(url)
    derived = None if parent is None else url_key(parent)
    if derived == key:
        raise EvidenceError("a source cannot be derived from itself", code="source_cycle", hint="leave it out")
    return (url.strip(), key, source_key(key), source_type(kind), authority(who), derived)
