"""What is said of a source, and what was decided about it: both are logged, nothing is overwritten."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from claimbase.errors import EvidenceError, InputError, InstantError, LimitError, shown
from claimbase.ingest.append import reading_moment
from claimbase.ingest.decide import check_reason
from claimbase.ingest.naming_sources import NamedSource, find_source, minted, source_named
from claimbase.sources import authority, doi_key, source_type, url_key
from claimbase.store import Db, Write, write
from claimbase.temporal import read_instant

Given: TypeAlias = str | datetime

_ATTRIBUTES = ("title", "publisher", "published_at", "source_type", "authority", "derived_from")
_SETTINGS = ("allowed", "allowed_reason", "freshness_days", "doi_key", "tenant", "mirror_of")
_TEXT_LIMIT = 1_000
_FRESHNESS_MOST = 36_500


@dataclass(frozen=True, slots=True)
class SourceReport:
    """What became of a source that was added or decided about."""

    source_id: str
    uri: str
    words: str
    batch: int | None

    def __str__(self) -> str:
        return self.words

    def to_json(self) -> dict[str, Any]:
        """Give the report as plain data."""
        return {"source_id": self.source_id, "uri": self.uri, "words": self.words, "batch": self.batch}


def add_source(
    db: Db, uri: str, *, observed_at: Given | None = None, source: Mapping[str, Any] | None = None
) -> SourceReport:
    """Make a source known, and what it says of itself, before any text of it is read.

    Args:
        db: the base.
        uri: its address.
        observed_at: when it was seen to say so; needed with anything said.
        source: title, publisher, published_at, source_type, authority, derived_from.

    Raises:
        EvidenceError: [bad_url], [unknown_source_type], [unknown_authority], [source_cycle].
        InstantError: [missing_observed_at], [future_observation]; InputError: [extra_field]; LimitError: [too_large].
    """
    given = attributes(source)
    with write(db, "source add") as under_way:
        known = find_source(under_way.transaction, uri, under_way.recorded_at)
        named = known or minted(under_way, uri)
        if known is None:
            _log_setting(under_way, named, {"allowed": True})  # a source that is added may be used
        if given:
            describe(under_way, named, given, reading_moment(required(observed_at), under_way.recorded_at))
    words = f"{named.source_id} is {named.uri}"
    batch = under_way.batch.batch_id if under_way.batch else None
    return SourceReport(named.source_id, named.uri, words if batch else f"{words}, as known", batch)


def required(observed_at: Given | None) -> Given:
    """Refuse a reading that does not say when it was made (P4).

    Raises:
        InstantError: [missing_observed_at].
    """
    if observed_at is None:
        raise InstantError(
            "observed_at is missing: when was the source read? (B5)",
            code="missing_observed_at",
            hint="name the instant",
        )
    return observed_at


def attributes(given: Mapping[str, Any] | None) -> dict[str, Any]:
    """Check what is said of a source; what is None is not said.

    Raises:
        InputError: [extra_field], [bad_char], [bad_value]; LimitError: [too_large].
        EvidenceError: [unknown_source_type], [unknown_authority]; InstantError: published_at is none.
    """
    said = {name: value for name, value in (given or {}).items() if value is not None}
    if unknown := sorted(set(said) - set(_ATTRIBUTES)):
        raise InputError(
            f"a source has no {shown(unknown[0])}", code="extra_field", hint=f"one of {', '.join(_ATTRIBUTES)}"
        )
    readers: dict[str, Any] = {
        "source_type": source_type, "authority": authority,
        "published_at": lambda value: read_instant(value, field="published_at"),
    }  # fmt: skip
    return {name: readers.get(name, _reader(name))(value) for name, value in said.items()}


def _reader(name: str) -> Any:
    return lambda value: plain_text(name, value)


def plain_text(name: str, value: Any, most: int = _TEXT_LIMIT) -> str:
    """Check a short text that will be shown beside a source.

    Raises:
        InputError: [bad_value] it is no text, [bad_char] it holds NUL or half a character; LimitError: [too_large].
    """
    if not isinstance(value, str):
        raise InputError(f"{name} {shown(value)} is no text", code="bad_value", hint="pass text")
    if len(value) > most:
        raise LimitError(f"{name} has {len(value):,} characters", code="too_large", hint=f"{most:,} at most")
    if "\x00" in value or any("\ud800" <= letter <= "\udfff" for letter in value):
        raise InputError(
            f"{name} {shown(value)} holds no valid text", code="bad_char", hint="no NUL, no lone surrogates"
        )
    return value.strip()


def describe(under_way: Write, named: NamedSource, said: Mapping[str, Any], moment: datetime) -> None:
    """Log what a reading says of its source; what it leaves out stays as it was, what says nothing new is no news.

    Raises:
        EvidenceError: [bad_url]; [source_cycle] it would be derived from itself (R1).
    """
    now = _state(under_way, named, moment)
    was = {name: now[name] for name in _ATTRIBUTES}
    whole = was | dict(said)
    if parent := said.get("derived_from"):
        whole["derived_from"] = _parent(under_way, named, parent)
    if not now["described"] or whole != was:
        line = {"source_id": named.number, "observed_at": moment, "recorded_at": under_way.recorded_at}
        under_way.transaction.file("log/source_attribute", whole | line)


def _parent(under_way: Write, named: NamedSource, parent: str) -> str:
    """Give the address of the source that another restates; an id will do for an address."""
    found = find_source(under_way.transaction, parent, under_way.recorded_at)
    key = found.url_key if found else url_key(parent)
    asked = {"page": named.url_key, "parent": key, "recorded_by": under_way.recorded_at}
    if under_way.transaction.number("queries/restates_itself", asked):
        raise EvidenceError(
            f"{shown(named.uri)} would be derived from itself", code="source_cycle", hint="leave derived_from out"
        )
    return key


def set_source(
    db: Db,
    source: str,
    *,
    allowed: bool | None = None,
    reason: str | None = None,
    freshness_days: int | None = None,
    doi: str | None = None,
    tenant: str | None = None,
    mirror_of: str | None = None,
) -> SourceReport:
    """Decide about a source; what is left out stays as it was decided before.

    Args:
        db: the base.
        source: its id or address.
        allowed: whether evidence may rest on it.
        reason: why not; needed where it is forbidden.
        freshness_days: after how many days without a reading its claims are stale.
        doi: the publication it is.
        tenant: for whom it may be used.
        mirror_of: the id or address of the source it copies; the same body is then accepted.

    Raises:
        UnknownSourceError: [unknown_source]; EvidenceError: [bad_doi]; InputError: [no_reason], [out_of_range].
    """
    if allowed is False:
        check_reason(reason or "")
    decided = {
        "allowed": allowed, "allowed_reason": reason and plain_text("reason", reason),
        "freshness_days": None if freshness_days is None else _days(freshness_days), "doi_key": doi and _doi(doi),
        "tenant": tenant and plain_text("tenant", tenant),
    }  # fmt: skip
    with write(db, "source set") as under_way:
        named = source_named(under_way.transaction, source, under_way.recorded_at)
        if mirror_of is not None:
            decided["mirror_of"] = source_named(under_way.transaction, mirror_of, under_way.recorded_at).source_id
        changed = settle(under_way, named, {name: value for name, value in decided.items() if value is not None})
    told = ", ".join(f"{name} {value}" for name, value in changed.items()) or "as it was decided before"
    batch = under_way.batch.batch_id if under_way.batch else None
    return SourceReport(named.source_id, named.uri, f"{named.uri}: {told}", batch)


def settle(under_way: Write, named: NamedSource, decided: Mapping[str, Any]) -> dict[str, Any]:
    """Log what was decided about a source where it is news.

    Returns:
        What changed.
    """
    state = _state(under_way, named, under_way.recorded_at)
    was = {name: state[name] for name in _SETTINGS}
    if decided.get("allowed") is True and "allowed_reason" not in decided:
        was["allowed_reason"] = None  # what was the reason against it is none for it
    whole = was | dict(decided)
    changed = {name: value for name, value in whole.items() if value != state[name]}
    if changed:
        _log_setting(under_way, named, whole)
    return {name: value for name, value in changed.items() if name in decided}


def _log_setting(under_way: Write, named: NamedSource, decided: Mapping[str, Any]) -> None:
    line = dict.fromkeys(_SETTINGS) | dict(decided)
    line |= {"source_id": named.number, "recorded_at": under_way.recorded_at}
    under_way.transaction.file("log/source_setting", line)


def mirrored(under_way: Write, named: NamedSource) -> str | None:
    """Give the id of the source that this one is declared a copy of, or None."""
    mirror: str | None = _state(under_way, named, under_way.recorded_at)["mirror_of"]
    return mirror


def _state(under_way: Write, named: NamedSource, moment: datetime) -> dict[str, Any]:
    asked = {"source_id": named.number, "observed_by": moment, "recorded_by": under_way.recorded_at}
    (state,) = under_way.transaction.file("queries/source_state", asked).dicts()
    return state


def _days(days: int) -> int:
    if isinstance(days, bool) or not 1 <= days <= _FRESHNESS_MOST:
        raise InputError("freshness_days is a number of days from 1 to 36500", code="out_of_range", hint="30")
    return days


def _doi(text: str) -> str:
    if key := doi_key(text):
        return key
    raise EvidenceError(f"{shown(text)} is no DOI", code="bad_doi", hint="10.1000/xyz123")
