"""The case: everything that a receipt is made from, as plain data at one basis. No store is needed to judge it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Literal

from claimbase.evidence.model import Dossier, PairAt, QuotedAt
from claimbase.evidence.policy import Policy
from claimbase.evidence.terms import Method, NoticeStatus, ReviewDecision, Verdict
from claimbase.temporal import Basis, Interval

if TYPE_CHECKING:
    from claimbase.evidence.corroborating import Corroboration
    from claimbase.evidence.voices import Voice

Kind = Literal["claims", "answer", "document", "recheck"]


@dataclass(frozen=True, slots=True)
class EngineAt:
    """What made the receipt: versions of the package, of DuckDB, and the number of the schema."""

    claimbase: str
    duckdb: str
    schema: int


@dataclass(frozen=True, slots=True)
class PlanAt:
    """A step that ran to choose the claims, with its statement and how many rows it gave (Q8)."""

    step: str
    sql: str
    rows: int | None = None


@dataclass(frozen=True, slots=True)
class AnswerAt:
    """An answer in short: its sentence, and the subjects in each bucket by name."""

    summary: str
    eligible: tuple[str, ...] = ()
    disputed: tuple[str, ...] = ()
    possible: tuple[str, ...] = ()
    near_misses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Opposed:
    """Two claims that cannot both hold (K7).

    Args:
        contradiction_id: stable.
        kind: hard, absence or another kind of K3; only these two contradict.
        claims: both claim ids. An opponent that the dossier does not hold is taken to be admissible.
        disputed: the half-open intervals in which both are stated to hold.
    """

    contradiction_id: str
    kind: str
    claims: tuple[str, str]
    disputed: tuple[Interval, ...]


@dataclass(frozen=True, slots=True)
class NoticeAt:
    """What is in force about a publication at the basis.

    Args:
        doi_key: the publication.
        noted: the citing text says itself that the work is retracted.
        observed_at: when the provider was read; None where nobody asked.
    """

    doi_key: str
    status: NoticeStatus
    notice_date: date | None = None
    notice_url: str | None = None
    provider: str | None = None
    noted: bool = False
    observed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict that stands about a claim and one piece of its evidence: the newest per rubric.

    Args:
        span: the words of the source that it rests on.
        downgraded_from: the verdict before, where it could not be confirmed.
    """

    claim_id: str
    evidence_id: str
    verdict: Verdict
    method: Method
    checker: str
    span: str | None = None
    downgraded_from: Verdict | None = None


@dataclass(frozen=True, slots=True)
class DocumentAt:
    """A document that was checked.

    Args:
        sha256: of its UTF-8 bytes.
        pairs: its sentences that cite something, in order.
        quotes: its quotations of five words or more.
        dangling: markers that lead nowhere.
        unparsed: citations in styles that are not read.
        sampled: sentences chosen for a judge.
        sources: those that its citations lead to.
    """

    sha256: str
    pairs: tuple[PairAt, ...] = ()
    quotes: tuple[QuotedAt, ...] = ()
    dangling: int = 0
    unparsed: int = 0
    sampled: int = 0
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReviewAt:
    """A review of a claim: open while its decision is pending or escalate."""

    task_id: str
    claim_id: str | None
    reason: str
    decision: ReviewDecision = ReviewDecision.PENDING
    reviewer: str | None = None
    note: str | None = None
    recorded_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class LedgerAt:
    """What the base's ledger says.

    Args:
        head: the root of the last batch within recorded_by; None in an empty base.
        intact: whether it was verified; None = nobody did.
        detail: in words.
    """

    head: str | None = None
    intact: bool | None = None
    detail: str = "not verified in this run"


@dataclass(frozen=True, slots=True)
class Case:
    """All that a receipt is made from.

    Args:
        kind: claims, answer, document or recheck.
        basis: the instants it speaks of.
        created_at: when it is made.
        policy: what counts.
        engine: what makes it.
        dossier: the claims with evidence, sources and texts; opponents of contradictions may stand in it too.
        claim_ids: the claims it is about; None = all of the dossier.
        query: what was asked, as plain data; parameters: those of the statement; plan: its steps.
        answer: for kind answer.
        document: for kind document.
        corroborations: by claim id.
        voices: those of the sources in the dossier.
        notices: one per publication that a source of the dossier is.
        opposed: contradictions in which its claims stand.
        judged: verdicts that stand.
        required: slots (subject, predicate) that must have a claim, beside those of the policy.
        reviews: open ones of its claims, and decided ones where known.
        ledger: of the base.
        tenant: who asks; a source of another tenant is not allowed. None = no tenants.
        vocabulary: what the deterministic checks read values with.
        domain: checks of a domain, by name, handed to the deterministic checks.
    """

    kind: Kind
    basis: Basis
    created_at: datetime
    engine: EngineAt
    dossier: Dossier
    policy: Policy = field(default_factory=Policy)
    claim_ids: tuple[str, ...] | None = None
    query: Mapping[str, Any] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    plan: tuple[PlanAt, ...] = ()
    answer: AnswerAt | None = None
    document: DocumentAt | None = None
    corroborations: Mapping[str, Corroboration] = field(default_factory=dict)
    voices: tuple[Voice, ...] = ()
    notices: tuple[NoticeAt, ...] = ()
    opposed: tuple[Opposed, ...] = ()
    judged: tuple[Judged, ...] = ()
    required: tuple[tuple[str, str], ...] = ()
    reviews: tuple[ReviewAt, ...] = ()
    ledger: LedgerAt = field(default_factory=LedgerAt)
    tenant: str | None = None
    vocabulary: Any = None
    domain: Mapping[str, Any] = field(default_factory=dict)
