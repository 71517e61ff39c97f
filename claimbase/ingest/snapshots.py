"""Storing texts as read: a page read once is stored once; every reading is logged, also those refused (evidence §4)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeAlias

from claimbase.errors import InputError, SnapshotRefusedError
from claimbase.evidence.formats import Extract, extract
from claimbase.evidence.guards import Known, Ruling, judge
from claimbase.evidence.records import Selector
from claimbase.evidence.terms import COUNTABLE, Disposition
from claimbase.ingest.append import reading_moment
from claimbase.ingest.decide import check_reason
from claimbase.ingest.describing import attributes, describe, mirrored, plain_text, required, settle
from claimbase.ingest.naming_sources import NamedSource, minted, source_named
from claimbase.ingest.proving import bind
from claimbase.sources import cluster_key
from claimbase.store import Db, Write, write
from claimbase.temporal import iso

Given: TypeAlias = str | datetime
OnRefusal = Literal["raise", "report"]

_HTTP_FAILED = 400


@dataclass(frozen=True, slots=True)
class IngestResult:
    """What became of a reading.

    Args:
        disposition: accepted, unchanged, asserted; refused-shrunk, refused-challenge, refused-duplicate-body; not-text,
            failed.
        snapshot_id: the text it is stored as, or was stored as before; None where it was refused or failed.
        source_id: the source, s_ and 12 digits.
        fetch_id: the reading.
        detail: why, in words.
        accepted: it counts: it refreshes what rests on the source and may prove a change.
        words: one sentence.
        batch: the ledger's number of the write; None where the same reading was told before.
    """

    disposition: str
    snapshot_id: str | None
    source_id: str
    fetch_id: str
    detail: str | None
    accepted: bool
    words: str
    batch: int | None

    def __str__(self) -> str:
        return self.words

    def to_json(self) -> dict[str, Any]:
        """Give the result as plain data."""
        names = ("disposition", "snapshot_id", "source_id", "fetch_id", "detail", "accepted", "words", "batch")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True, slots=True)
class _Read:
    """A reading before it meets the base: its text, or why there is none."""

    extract: Extract | None
    ruling: Ruling | None = None

    @property
    def digest(self) -> str | None:
        if self.extract is None:
            return None
        text = self.extract.text
        return self.extract.raw_sha256 if text is None else hashlib.sha256(text.encode()).hexdigest()


def ingest(
    db: Db,
    text: str | bytes | None,
    *,
    uri: str,
    observed_at: Given | None,
    profile: str | None = None,
    media_type: str | None = None,
    selector: Selector | None = None,
    published_at: Given | None = None,
    declared_version: str | None = None,
    tool: str = "given",
    http_status: int | None = None,
    accept: str | None = None,
    mirror_of: str | None = None,
    source: Mapping[str, Any] | None = None,
    refuse: OnRefusal = "raise",
    known: bool = False,
) -> IngestResult:
    """Store what was read at an address, as one batch; nothing is overwritten and nothing is fetched (P1, P13).

    A text that was read before is stored once and its reading is unchanged. What is refused is logged all the same; it
    refreshes nothing and proves nothing. The same reading told twice is nothing at all.

    Args:
        db: the base.
        text: what was read, at most 16 MiB; None = the page could not be read, which is logged as failed.
        uri: its address, or the id of its source.
        observed_at: when it was read; never our clock (P4).
        profile: how the text is written: plain, pdf, markdown, html-md; None = as its media type is.
        media_type: as the server states it, with its charset; HTML and PDF are extracted.
        selector: one record of a CSV or JSON file.
        published_at: when the source says it was published; never used as an observation.
        declared_version: what the source calls this version.
        tool: what read it.
        http_status: what the server answered; from 400 on it is no reading of the page.
        accept: why it is stored although a guard refuses it; kept beside the reading.
        mirror_of: the id or address of the source that it copies; kept.
        source: what the source says of itself: title, publisher, source_type, authority, derived_from.
        refuse: "raise" raises after a refused reading was logged; "report" returns it.
        known: the source must be known.

    Raises:
        SnapshotRefusedError: [not_text], [refused_challenge], [refused_shrunk], [refused_duplicate_body]; the reading
            is logged and stands in ``details["result"]``.
        LimitError: [too_large], [too_deep], before anything is stored.
        InstantError: [missing_observed_at], [future_observation].
        UnknownSourceError: [unknown_source]; EvidenceError: [bad_url] and what :func:`add_source` raises.
        InputError: [missing_extra], [bad_profile], [bad_char], [no_reason], [bad_selector], [no_record].
    """
    if refuse not in ("raise", "report"):
        raise InputError(f"refuse is raise or report, not {refuse!r}", code="bad_value", hint='refuse="report"')
    given = _prepared(
        text, uri=uri, observed_at=observed_at, profile=profile, media_type=media_type, selector=selector,
        published_at=published_at, declared_version=declared_version, tool=tool, http_status=http_status, accept=accept,
        mirror_of=mirror_of, source=source, known=known,
    )  # fmt: skip
    with write(db, "source ingest") as under_way:
        named, told = _stored(under_way, given)
        if told["disposition"] in _READ:
            bind(under_way, [named.number])
    result = _result(named, told, under_way.batch.batch_id if under_way.batch else None)
    if refuse == "raise" and not result.accepted and result.disposition != Disposition.FAILED:
        raise SnapshotRefusedError(
            result.words, code=result.disposition.replace("-", "_"),
            hint="the reading is logged; look at the page" + (', or accept="reason"' if given.read.extract else ""),
            result=result,
        )  # fmt: skip
    return result


def ingest_all(db: Db, readings: Iterable[tuple[str, Mapping[str, Any]]]) -> None:
    """Store several texts as one batch; what a guard refuses is logged as refused.

    Args:
        db: the base.
        readings: each text with the options of :func:`ingest`.

    Raises:
        ClaimbaseError: as for :func:`ingest`; nothing is stored.
    """
    prepared = [_prepared(text, **options) for text, options in readings]
    with write(db, "source ingest") as under_way:
        bind(under_way, [_stored(under_way, one)[0].number for one in prepared])


_READ = (Disposition.ACCEPTED, Disposition.UNCHANGED)


@dataclass(frozen=True, slots=True)
class _Reading:
    """A reading with all that is told of it, checked and extracted, before it meets the base."""

    read: _Read
    uri: str
    observed_at: Given | None
    notes: Mapping[str, Any]
    said: Mapping[str, Any]
    accept: str | None
    mirror_of: str | None
    known: bool


def _prepared(
    text: str | bytes | None,
    *,
    uri: str,
    observed_at: Given | None,
    published_at: Given | None = None,
    declared_version: str | None = None,
    tool: str = "given",
    http_status: int | None = None,
    accept: str | None = None,
    mirror_of: str | None = None,
    source: Mapping[str, Any] | None = None,
    known: bool = False,
    **options: Any,
) -> _Reading:
    """Check what is told of a reading and extract its text: everything that needs no base."""
    if accept is not None:
        check_reason(accept)
    said = attributes({**(source or {}), "published_at": published_at or (source or {}).get("published_at")})
    notes = {
        "requested_uri": uri.strip(), "tool": plain_text("tool", tool), "http_status": http_status,
        "declared_version": declared_version and plain_text("declared_version", declared_version),
        "published_at": said.get("published_at"), "selector": options.get("selector"),
    }  # fmt: skip
    read = _read(text, http_status=http_status, accept=accept, **_EXTRACTION | options)
    return _Reading(read, uri, observed_at, notes, said, accept, mirror_of, known)


_EXTRACTION: dict[str, Any] = {"profile": None, "media_type": None, "selector": None}


def _stored(under_way: Write, given: _Reading) -> tuple[NamedSource, dict[str, Any]]:
    """Log a reading with its source, its text where that is new, and what the source says of itself."""
    transaction, now = under_way.transaction, under_way.recorded_at
    moment = reading_moment(required(given.observed_at), now)
    named = source_named(transaction, given.uri, now) if given.known else minted(under_way, given.uri)
    if given.mirror_of is not None:
        settle(under_way, named, {"mirror_of": source_named(transaction, given.mirror_of, now).source_id})
    told = _log(under_way, named, given.read, moment, given.notes, given.accept)
    if given.said and told["disposition"] in COUNTABLE:
        describe(under_way, named, given.said, moment)
    return named, told


def _read(text: str | bytes | None, *, http_status: int | None, accept: str | None, **options: Any) -> _Read:
    """Extract the text; what is none and what the server did not give are known before the base is asked."""
    failed = f"the server answered {http_status}" if http_status and http_status >= _HTTP_FAILED else None
    if text is None or (failed and accept is None):
        return _Read(None, Ruling(Disposition.FAILED, failed or "the page could not be read"))
    try:
        found = extract(text, **options)
    except SnapshotRefusedError as error:
        return _Read(None, Ruling(Disposition.NOT_TEXT, error.message))
    if found.text is None:
        return _Read(found, Ruling(Disposition.ASSERTED, "its pages hold no text"))
    return _Read(found)


def _log(
    under_way: Write, named: NamedSource, read: _Read, moment: datetime, notes: Mapping[str, Any], accept: str | None
) -> dict[str, Any]:
    """Rule on a reading and log it, with its text where that is new.

    Returns:
        Its fetch_id, disposition, snapshot_id and detail, as logged now or before.
    """
    ruling, reason = _ruled(under_way, named, read, moment, accept)
    counted = ruling.disposition in COUNTABLE
    key = _fetch_key(named.source_id, moment, read.digest, "counted" if counted else ruling.disposition.value)
    before = under_way.transaction.file("queries/fetch_told", {"fetch_id": key}).dicts()
    if before:
        return before[0] | {"fetch_id": key}
    snapshot = f"sha256:{read.digest}/{named.source_id}" if counted else None
    if snapshot and read.extract:
        under_way.transaction.file("log/snapshot", _snapshot_row(under_way, named, read.extract, snapshot, notes))
    line = {
        "fetch_id": key, "source_id": named.number, "fetched_at": moment, "snapshot_id": snapshot,
        "disposition": ruling.disposition.value, "accept_reason": reason, "detail": _detail(ruling, notes["selector"]),
        "recorded_at": under_way.recorded_at,
    }  # fmt: skip
    line |= {name: notes[name] for name in ("requested_uri", "tool", "http_status")}
    under_way.transaction.file("log/fetch", line)
    return {name: line[name] for name in ("fetch_id", "disposition", "snapshot_id", "detail")}


def _ruled(
    under_way: Write, named: NamedSource, read: _Read, moment: datetime, accept: str | None
) -> tuple[Ruling, str | None]:
    """Rule on a reading; a reason accepts what a guard refuses, and is kept beside it."""
    text = read.extract.text if read.extract else None
    if read.ruling is not None or text is None or read.digest is None:
        return read.ruling or Ruling(Disposition.FAILED), None
    known = _known(under_way, named, read.digest, moment)
    ruling = judge(text, read.digest, cluster_key(named.url_key), known)
    if accept is None or ruling.disposition in COUNTABLE:
        return ruling, accept and accept.strip()
    return Ruling(Disposition.ACCEPTED, f"{ruling.disposition}: {ruling.detail}"), accept.strip()


def _known(under_way: Write, named: NamedSource, digest: str, moment: datetime) -> Known:
    """Gather what the guards need to know: of this source up to the reading, of others at any time."""
    transaction, asked = under_way.transaction, {"source_id": named.number}
    ((current, longest),) = transaction.file("queries/texts_before", asked | {"moment": moment}).rows
    others = transaction.file("queries/same_texts", asked | {"digest": digest}).rows
    elsewhere = {source: cluster_key(address) for source, address in others}
    return Known(current, longest, elsewhere, mirrored(under_way, named))


def _snapshot_row(
    under_way: Write, named: NamedSource, found: Extract, snapshot: str, notes: Mapping[str, Any]
) -> dict[str, Any]:
    text = found.text
    return {
        "snapshot_id": snapshot, "source_id": named.number, "text": text,
        "text_sha256": None if text is None else hashlib.sha256(text.encode()).hexdigest(),
        "raw_sha256": found.raw_sha256, "n_chars": None if text is None else len(text), "media_type": found.media_type,
        "profile": found.profile, "extractor": found.extractor,
        "page_offsets": None if found.page_offsets is None else list(found.page_offsets),
        "declared_version": notes["declared_version"], "published_at": notes["published_at"],
        "recorded_at": under_way.recorded_at,
    }  # fmt: skip


def _fetch_key(source_id: str, moment: datetime, digest: str | None, outcome: str) -> str:
    """Give the id of a reading: source, instant, text and whether it counted; the same told twice has the same."""
    content = json.dumps([source_id, iso(moment), digest, outcome], separators=(",", ":"))
    return "f_" + hashlib.sha256(content.encode()).hexdigest()[:16]


def _detail(ruling: Ruling, selector: Selector | None) -> str | None:
    record = (
        None if selector is None else f"record {json.dumps(selector, ensure_ascii=False, sort_keys=True, default=str)}"
    )
    return "; ".join(part for part in (ruling.detail, record) if part) or None


def _result(named: NamedSource, told: Mapping[str, Any], batch: int | None) -> IngestResult:
    disposition, detail = told["disposition"], told["detail"]
    words = f"{named.uri} ({named.source_id}): {disposition}" + (f", {detail}" if detail else "")
    return IngestResult(
        disposition, told["snapshot_id"], named.source_id, told["fetch_id"], detail, disposition in COUNTABLE,
        words if batch is not None else f"{words}; told before", batch,
    )  # fmt: skip
