"""The parts of a receipt, `claimbase.receipt/1`: each key always present, null where not known (evidence §6.1).

Counts are integers, every other number a decimal as text, instants RFC 3339 in UTC with Z; rows stand in the order of
their ids.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from itertools import pairwise
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    WithJsonSchema,
)
from typing_extensions import TypeAliasType

from claimbase.evidence.terms import (
    ChangeKind,
    ClaimStatus,
    Coverage,
    Method,
    NoticeStatus,
    Outcome,
    QuoteStatus,
    ReviewDecision,
    Role,
    Severity,
    Tier,
    Verdict,
    VoiceEdge,
    VoiceFlag,
)
from claimbase.temporal import iso, utc

SAFE = 2**53 - 1
"""The largest integer that every reader of JSON reads alike."""

_INSTANT = r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{6})?Z$"

Instant = Annotated[
    AwareDatetime,
    AfterValidator(utc),
    PlainSerializer(iso, return_type=str, when_used="json"),
    WithJsonSchema({"type": "string", "format": "date-time", "pattern": _INSTANT}),
]
Day = Annotated[date, PlainSerializer(date.isoformat, return_type=str, when_used="json")]
Number = Annotated[str, Field(pattern=r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?$")]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Count = Annotated[int, Field(ge=0, le=SAFE)]
Whole = Annotated[int, Field(ge=-SAFE, le=SAFE)]
Plain = TypeAliasType("Plain", "bool | Whole | str | list[Plain] | dict[str, Plain] | None")


def in_order(key: Callable[[Any], Any]) -> AfterValidator:
    """Refuse rows that do not stand in the order of their ids, or stand there twice."""

    def check(rows: Sequence[Any]) -> Sequence[Any]:
        keys = [key(row) for row in rows]
        if any(one >= other for one, other in pairwise(keys)):
            raise ValueError("rows stand in the order of their ids, each once")
        return rows

    return AfterValidator(check)


class Part(BaseModel):
    """A part of a receipt: frozen, no key more and no key less."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, serialize_by_alias=True, validate_by_name=True, validate_by_alias=True
    )


class Engine(Part):
    """What made the receipt."""

    claimbase: str
    duckdb: str
    schema_: Annotated[Count, Field(alias="schema")]
    rule: str
    profiles: dict[str, Digest]


class AsOf(Part):
    """The instants it speaks of, resolved (A1-A6)."""

    valid_at: Instant
    observed_by: Instant
    recorded_by: Instant


class PlanRow(Part):
    """A step that chose the claims."""

    step: str
    sql: str
    rows: Count | None


class Subject(Part):
    """What was asked, and which claims the receipt is about."""

    query: dict[str, Plain]
    claim_ids: tuple[str, ...]
    document_sha256: Digest | None
    parameters: dict[str, Plain]
    plan: tuple[PlanRow, ...]


class AnswerPart(Part):
    """The answer in short."""

    summary: str
    eligible: tuple[str, ...]
    disputed: tuple[str, ...]
    possible: tuple[str, ...]
    near_misses: tuple[str, ...]


class SnapshotRow(Part):
    """A text as read. Where a page was read but no text is held, text_sha256 is null and the id says so."""

    snapshot_id: str
    source_id: str
    uri: str
    declared_version: str | None
    published_at: Instant | None
    fetched_at: Instant
    text_sha256: Digest | None
    allowed: bool


class Inputs(Part):
    """What it was made from: the head of the base's ledger, and the texts."""

    db_head: str | None
    claims: Count
    snapshots: Annotated[tuple[SnapshotRow, ...], in_order(lambda row: row.snapshot_id)]


class PolicyPart(Part):
    """What counted, every default filled in, and its digest."""

    name: str
    sha256: Digest
    allow_tiers: tuple[Tier, ...]
    allow_unsupported: bool
    strict_context: bool
    words_left_out: Literal["fail", "flag"]
    elided_within: Literal["unit", "any", "none"]
    elision_negation: Literal["fail", "warn"]
    min_independent: Count
    sample: str
    seed: Count
    freshness_days: Count | None
    required_predicates: tuple[str, ...]
    review_required: bool
    gate: tuple[str, ...]
    warn: tuple[str, ...]


class CheckRow(Part):
    """How one check ended; ok unless it failed or crashed."""

    name: str
    outcome: Outcome
    ok: bool
    severity: Literal["gate", "warning"]
    detail: str
    counted: Count
    failed: Count


class ClaimRow(Part):
    """A claim and how its evidence stands."""

    claim_id: str
    subject: str
    predicate: str
    value: str | None
    value_min: Number | None
    value_max: Number | None
    unit: str | None
    effective_from: str | None
    effective_until: str | None
    observed_at: Instant
    confidence: str | None
    status: ClaimStatus
    reasons: tuple[str, ...]
    coverage: Coverage
    evidence_ids: tuple[str, ...]


class Claims(Part):
    """The claims it is about."""

    claims: Count
    by_status: dict[ClaimStatus, Count]
    rows: Annotated[tuple[ClaimRow, ...], in_order(lambda row: row.claim_id)]


class Position(Part):
    """Half-open code points of the text."""

    start: Count
    end: Count


class ChangeRow(Part):
    """One word that differs."""

    kind: ChangeKind
    severity: Severity
    quote: str
    source: str


class QuoteRow(Part):
    """A quote and how it stands in its text."""

    evidence_id: str
    claim_id: str | None
    snapshot_id: str | None
    role: Role
    quote: str
    observed_value: str | None
    status: QuoteStatus
    tier: Tier
    ratio: Number | None
    position: Position | None
    page: Whole | None
    prefix: str | None
    suffix: str | None
    occurrences: Count
    closest: str | None
    edit_distance: Count | None
    changes: tuple[ChangeRow, ...]
    flags: tuple[str, ...]
    found_in: tuple[str, ...]


class Quotes(Part):
    """The quotes, counted by status and by what located the verified ones."""

    quotes: Count
    verified: Count
    altered: Count
    not_found: Count
    ambiguous: Count
    unverifiable: Count
    by_tier: dict[Tier, Count]
    rows: Annotated[tuple[QuoteRow, ...], in_order(lambda row: row.evidence_id)]


class SupportRow(Part):
    """A statement beside the words it rests on, and the verdict."""

    pair_index: Count
    sentence: str
    claim_id: str | None
    evidence_id: str | None
    verdict: Verdict
    evidence: str | None
    strong: bool
    checked: bool
    method: Method | None
    checker: str | None
    downgraded_from: Verdict | None


class Support(Part):
    """How much was read, by whom, and with what result."""

    pairs: Count
    auto_passed: Count
    dangling: Count
    unparsed: Count
    exempt: Count
    sampled: Count
    checked: Count
    not_checked: Count
    verdicts: dict[Verdict, Count]
    rows: Annotated[tuple[SupportRow, ...], in_order(lambda row: row.pair_index)]


class RetractionRow(Part):
    """A publication and what is in force about it."""

    doi: str
    status: NoticeStatus
    date: Day | None
    notice_url: str | None
    provider: str | None
    noted_in_document: bool


class Retractions(Part):
    """The publications cited."""

    dois_checked: Count
    retracted: Count
    concerns: Count
    corrected: Count
    unavailable: Count
    unchecked: Count
    rows: Annotated[tuple[RetractionRow, ...], in_order(lambda row: row.doi)]


class VoiceRow(Part):
    """Sources that are one speaker."""

    voice_id: str
    kinds: tuple[VoiceEdge, ...]
    root: str
    members: tuple[str, ...]


class CorroborationRow(Part):
    """How many voices say a claim's value, and what is weak about that."""

    claim_id: str
    voices: Count
    independent: Count
    flags: tuple[VoiceFlag, ...]


class Independence(Part):
    """Voices, not addresses."""

    sources: Count
    voices: Count
    effective_sources: Count
    independent_of_subject: Count
    rows: Annotated[tuple[VoiceRow, ...], in_order(lambda row: (len(row.voice_id), row.voice_id))]
    claims: Annotated[tuple[CorroborationRow, ...], in_order(lambda row: row.claim_id)]


class FreshnessRow(Part):
    """How old a claim is at observed_by."""

    claim_id: str
    observed_at: Instant
    last_seen_at: Instant
    age_days: Count
    stale: bool


class Freshness(Part):
    """How old the claims are; stale_after_days is the policy's limit, or that of predicates without one."""

    newest: Instant | None
    oldest: Instant | None
    stale_after_days: Count
    stale: Count
    rows: Annotated[tuple[FreshnessRow, ...], in_order(lambda row: row.claim_id)]


class ContradictionRow(Part):
    """Two claims that cannot both hold at valid_at, and the interval around it."""

    contradiction_id: str
    kind: str
    claim_ids: tuple[str, ...]
    effective_from: Instant | None
    effective_until: Instant | None


class Contradictions(Part):
    """Contradictions that the claims stand in."""

    count: Count
    rows: Annotated[tuple[ContradictionRow, ...], in_order(lambda row: row.contradiction_id)]


class CoverageRow(Part):
    """Whether a slot has its claim."""

    subject: str
    predicate: str
    required: bool
    status: Coverage


class CoveragePart(Part):
    """What was asked for and what is there."""

    filled: Count
    confirmed_absent: Count
    gap: Count
    rows: Annotated[tuple[CoverageRow, ...], in_order(lambda row: (row.subject, row.predicate))]


class UnresolvedRow(Part):
    """A question that is still open; claim_id is null where no claim answers it."""

    claim_id: str | None
    question: str


class RepairRow(Part):
    """What would mend a quote: requote the span, cite another text, ingest the text, or request the document."""

    evidence_id: str
    suggest: Literal["requote", "cite-other-text", "ingest-text", "request-document"]
    source_id: str
    snapshot_id: str | None
    start: Count | None
    end: Count | None


class DecisionRow(Part):
    """What a reviewer decided, or that nobody did yet."""

    task_id: str
    claim_id: str | None
    decision: ReviewDecision
    reason: str
    reviewer: str | None
    note: str | None
    recorded_at: Instant | None


class Review(Part):
    """What still needs a person; status is null where nothing was put to review."""

    required: bool
    status: ReviewDecision | None
    decisions: Annotated[tuple[DecisionRow, ...], in_order(lambda row: row.task_id)]


class Ledger(Part):
    """Where the receipt is stored, null until it is; the digest of everything else."""

    batch_id: Count | None
    batch_root: str | None
    body_sha256: Digest
