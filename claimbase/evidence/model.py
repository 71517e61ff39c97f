"""The shapes that evidence is handed about in: a text as read, a match, and a claim with all that speaks for it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any

from claimbase.evidence.terms import ChangeKind, Method, Outcome, QuoteStatus, Role, Severity, Tier, Verdict

PROFILES = ("plain", "pdf", "markdown", "html-md")
"""How a text was written, which decides what is markup in it (N1)."""


@dataclass(frozen=True, slots=True)
class Hint:
    """Where a quote was found before (N5).

    Args:
        prefix, suffix: up to 32 characters of normal form before and after.
        start: the code point it began at.
    """

    prefix: str | None = None
    suffix: str | None = None
    start: int | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between a quote and its source, with the words of both (N10)."""

    kind: ChangeKind
    severity: Severity
    quote: str
    source: str


@dataclass(frozen=True, slots=True)
class Match:
    """How a quote stands in one text (N10).

    Args:
        status: verified, altered, not-found, ambiguous, unverifiable.
        tier: what located it.
        ratio: similarity on the tight span, a decimal with three places; None where nothing was located.
        start, end: half-open code points of the text; None where nothing was located.
        occurrences: how often it stands there.
        prefix, suffix: 32 characters of normal form around the match.
        changes: the words that differ.
        closest: the text that comes nearest.
        edit_distance: from the quote to that text, in normal form.
        flags: what a policy may look at.
    """

    status: QuoteStatus
    tier: Tier = Tier.NONE
    ratio: str | None = None
    start: int | None = None
    end: int | None = None
    occurrences: int = 0
    prefix: str | None = None
    suffix: str | None = None
    changes: tuple[Change, ...] = ()
    closest: str | None = None
    edit_distance: int | None = None
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Checked:
    """How one deterministic check of a claim ended (evidence §3)."""

    claim_id: str
    evidence_id: str | None
    name: str
    outcome: Outcome
    detail: str


@dataclass(frozen=True, slots=True)
class SourceAt:
    """A source as a basis knows it."""

    source_id: str
    uri: str
    url_key: str
    title: str | None = None
    publisher: str | None = None
    published_at: datetime | None = None
    source_type: str = "other"
    authority: str = "third_party"
    derived_from: str | None = None
    doi_key: str | None = None
    allowed: bool = True
    allowed_reason: str | None = None
    tenant: str | None = None
    freshness_days: int | None = None
    withdrawn: str | None = None
    first_seen_at: datetime | None = None
    mirror_of: str | None = None


@dataclass(frozen=True, slots=True)
class SnapshotAt:
    """A text as read; text is None where none is held."""

    snapshot_id: str
    source_id: str
    text: str | None
    text_sha256: str | None
    profile: str
    fetched_at: datetime
    last_fetched_at: datetime
    declared_version: str | None = None
    published_at: datetime | None = None
    page_offsets: tuple[int, ...] | None = None
    media_type: str | None = None


@dataclass(frozen=True, slots=True)
class EvidenceAt:
    """One quote that speaks for, against or about a claim."""

    evidence_id: str
    claim_id: str
    source_id: str
    snapshot_id: str | None
    role: Role
    rank: int
    quote: str
    prefix: str | None = None
    suffix: str | None = None
    start_char: int | None = None
    end_char: int | None = None
    page: int | None = None
    observed_value: str | None = None
    reasoning: str | None = None
    selector: str | None = None
    erased: bool = False


@dataclass(frozen=True, slots=True)
class ClaimAt:
    """A claim as a basis knows it: what it says, when it was seen, and all evidence that is live for it.

    Args:
        names: the subject's names, its own first, aliases after.
        value: as written; value_min, value_max: decimals as text, in unit.
        effective_from, effective_until: the stated bounds in words or ISO; None = open.
        last_seen_at: the newest reading or confirmation.
        stale_after_days: the predicate's limit, else 30.
        evidence: primary first, by rank.
    """

    claim_id: str
    provider: str
    subject: str
    names: tuple[str, ...]
    predicate: str
    kind: str
    value: str
    absent: bool
    source_id: str
    observed_at: datetime
    last_seen_at: datetime
    stale_after_days: int
    normalized_value: str | None = None
    stated_unit: str | None = None
    unit: str | None = None
    value_key: str | None = None
    value_min: str | None = None
    value_max: str | None = None
    scope: str = "{}"
    effective_from: str | None = None
    effective_until: str | None = None
    confidence: str | None = None
    reasoning: str | None = None
    evidence: tuple[EvidenceAt, ...] = ()


@dataclass(frozen=True, slots=True)
class Dossier:
    """Everything a receipt rests on, at one basis: claims, their sources and the texts as read, by id."""

    claims: tuple[ClaimAt, ...]
    sources: Mapping[str, SourceAt]
    snapshots: Mapping[str, SnapshotAt] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PairAt:
    """A sentence of a document beside what it cites.

    Args:
        sentence: as written.
        claim_id, evidence_id: what it cites; None where it cites a source alone.
        span: the words of the source that the verdict rests on.
        strong: it holds a number, a comparison, a superlative, a negation or certainty.
        checked: somebody or something read it.
    """

    sentence: str
    verdict: Verdict
    claim_id: str | None = None
    evidence_id: str | None = None
    span: str | None = None
    strong: bool = False
    checked: bool = False
    method: Method | None = None
    checker: str | None = None
    downgraded_from: Verdict | None = None


@dataclass(frozen=True, slots=True)
class QuotedAt:
    """A quotation in a document and how it stands in the text it was looked for.

    Args:
        quote_id: names it in the receipt.
        snapshot_id: the text it was looked for first; None = none is held.
        found_in: other texts that hold it (N11).
    """

    quote_id: str
    quote: str
    match: Match
    snapshot_id: str | None = None
    claim_id: str | None = None
    found_in: tuple[str, ...] = ()


def match_json(match: Match) -> dict[str, Any]:
    """Give a match as plain data."""
    changes = [{item.name: str(getattr(one, item.name)) for item in fields(one)} for one in match.changes]
    names = ("status", "tier", "ratio", "start", "end", "occurrences", "prefix", "suffix", "closest", "edit_distance")
    return {name: getattr(match, name) for name in names} | {"changes": changes, "flags": list(match.flags)}


def evidence_key(claim_id: str, snapshot_id: str | None, quote: str, start: int | None) -> str:
    """Give the id of a piece of evidence: ``e_`` and the first 16 digits of the digest of its content."""
    content = json.dumps([claim_id, snapshot_id, quote, start], ensure_ascii=False, separators=(",", ":"))
    return "e_" + hashlib.sha256(content.encode()).hexdigest()[:16]
