"""The parts of a receipt, each made from the view of its case."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from claimbase.evidence.align import profile_sha256
from claimbase.evidence.model import Match, QuotedAt, SnapshotAt
from claimbase.evidence.policy import Policy
from claimbase.evidence.terms import (
    RULE,
    ClaimStatus,
    Coverage,
    Method,
    NoticeStatus,
    QuoteStatus,
    ReviewDecision,
    Role,
    Tier,
    Verdict,
)
from claimbase.receipts import parts
from claimbase.receipts.case import Case, NoticeAt, ReviewAt
from claimbase.receipts.proofs import Proof
from claimbase.receipts.view import View
from claimbase.temporal import iso

DEFAULT_DAYS = 30
"""The age limit in days where neither policy, source nor predicate has one."""
OPEN = (ReviewDecision.PENDING, ReviewDecision.ESCALATE)
"""Decisions that leave a review open."""

_UNREAD = "asserted/"  # the id of a reading without a text begins so


# -- what it is about ------------------------------------------------------------------------------------------------


def engine(view: View) -> parts.Engine:
    """Say what made the receipt."""
    given = view.case.engine
    profiles = {one.profile for one in _texts(view).values()}
    return parts.Engine(
        claimbase=given.claimbase, duckdb=given.duckdb, schema_=given.schema, rule=RULE,
        profiles={profile: profile_sha256(profile) for profile in sorted(profiles)},
    )  # fmt: skip


def as_of(case: Case) -> parts.AsOf:
    """Say at which instants."""
    basis = case.basis
    return parts.AsOf(valid_at=basis.valid_at, observed_by=basis.observed_by, recorded_by=basis.recorded_by)


def subject(view: View) -> parts.Subject:
    """Say what was asked, and of which claims."""
    case = view.case
    return parts.Subject(
        query=_plain(case.query),
        claim_ids=tuple(one.claim.claim_id for one in view.claims),
        document_sha256=case.document.sha256 if case.document else None,
        parameters=_plain(case.parameters),
        plan=tuple(parts.PlanRow(step=one.step, sql=one.sql, rows=one.rows) for one in case.plan),
    )


def answer(case: Case) -> parts.AnswerPart | None:
    """Give the answer in short."""
    told = case.answer
    if told is None:
        return None
    return parts.AnswerPart(
        summary=told.summary, eligible=told.eligible, disputed=told.disputed, possible=told.possible,
        near_misses=told.near_misses,
    )  # fmt: skip


def inputs(view: View) -> parts.Inputs:
    """Name the texts cited and those in which quotes were found elsewhere; readings without a text too."""
    texts = [_snapshot_row(view, one) for one in _texts(view).values()]
    unread: dict[str, datetime] = {}
    for one in view.claims:
        for proof in one.proofs:
            if proof.snapshot is None:
                seen = unread.get(proof.evidence.source_id, one.claim.observed_at)
                unread[proof.evidence.source_id] = max(seen, one.claim.observed_at)
    rows = [*texts, *(_unread_row(view, source_id, seen) for source_id, seen in unread.items())]
    return parts.Inputs(
        db_head=view.case.ledger.head,
        claims=len(view.claims),
        snapshots=tuple(sorted(rows, key=lambda row: row.snapshot_id)),
    )


def _texts(view: View) -> Mapping[str, SnapshotAt]:
    known = view.case.dossier.snapshots
    named = {name for proof in view.proofs for name in (proof.evidence.snapshot_id or "", *proof.found_in)}
    named |= {name for one in view.quoted for name in (one.snapshot_id or "", *one.found_in)}
    return {name: known[name] for name in sorted(named & set(known))}


def _snapshot_row(view: View, one: SnapshotAt) -> parts.SnapshotRow:
    return parts.SnapshotRow(
        snapshot_id=one.snapshot_id, source_id=one.source_id, uri=_uri(view, one.source_id),
        declared_version=one.declared_version, published_at=one.published_at, fetched_at=one.fetched_at,
        text_sha256=one.text_sha256, allowed=view.allowed(one.source_id),
    )  # fmt: skip


def _unread_row(view: View, source_id: str, seen: datetime) -> parts.SnapshotRow:
    source = view.case.dossier.sources.get(source_id)
    return parts.SnapshotRow(
        snapshot_id=_UNREAD + source_id, source_id=source_id, uri=_uri(view, source_id), declared_version=None,
        published_at=source.published_at if source else None, fetched_at=seen, text_sha256=None,
        allowed=view.allowed(source_id),
    )  # fmt: skip


def _uri(view: View, source_id: str) -> str:
    source = view.case.dossier.sources.get(source_id)
    return source.uri if source else ""


def policy(given: Policy) -> parts.PolicyPart:
    """Write the policy out, with its digest."""
    return parts.PolicyPart(sha256=given.sha256, **{name: getattr(given, name) for name in Policy.model_fields})


# -- claims and quotes -----------------------------------------------------------------------------------------------


def claims(view: View) -> parts.Claims:
    """List the claims with their status."""
    rows = tuple(
        parts.ClaimRow(
            claim_id=claim.claim_id, subject=claim.subject, predicate=claim.predicate, value=claim.value or None,
            value_min=claim.value_min, value_max=claim.value_max, unit=claim.unit, effective_from=claim.effective_from,
            effective_until=claim.effective_until, observed_at=claim.observed_at, confidence=claim.confidence,
            status=view.standings[claim.claim_id].status, reasons=view.standings[claim.claim_id].reasons,
            coverage=view.covers(claim), evidence_ids=tuple(proof.evidence.evidence_id for proof in one.proofs),
        )
        for one in view.claims
        for claim in (one.claim,)
    )  # fmt: skip
    counted = Counter(row.status for row in rows)
    return parts.Claims(
        claims=len(rows), by_status={status: counted[status] for status in ClaimStatus if counted[status]}, rows=rows
    )


def quotes(view: View) -> parts.Quotes:
    """List the quotes with how each stands in its text."""
    rows = [_quote_row(proof) for proof in view.proofs] + [_quoted_row(one) for one in view.quoted]
    found = Counter(row.status for row in rows)
    tiers = Counter(row.tier for row in rows if row.status == QuoteStatus.VERIFIED)
    return parts.Quotes(
        quotes=len(rows), verified=found[QuoteStatus.VERIFIED], altered=found[QuoteStatus.ALTERED],
        not_found=found[QuoteStatus.NOT_FOUND], ambiguous=found[QuoteStatus.AMBIGUOUS],
        unverifiable=found[QuoteStatus.UNVERIFIABLE],
        by_tier={tier: tiers[tier] for tier in Tier if tier != Tier.NONE},
        rows=tuple(sorted(rows, key=lambda row: row.evidence_id)),
    )  # fmt: skip


def _quote_row(proof: Proof) -> parts.QuoteRow:
    one = proof.evidence
    text = one.snapshot_id if proof.snapshot is not None else _UNREAD + one.source_id
    return parts.QuoteRow(
        evidence_id=one.evidence_id, claim_id=one.claim_id, snapshot_id=text, role=one.role, quote=one.quote,
        observed_value=one.observed_value, page=one.page or _page(proof.snapshot, proof.match), found_in=proof.found_in,
        **_found(proof.match),
    )  # fmt: skip


def _quoted_row(one: QuotedAt) -> parts.QuoteRow:
    return parts.QuoteRow(
        evidence_id=one.quote_id, claim_id=one.claim_id, snapshot_id=one.snapshot_id, role=Role.SUPPORTS,
        quote=one.quote, observed_value=None, page=None, found_in=one.found_in, **_found(one.match),
    )  # fmt: skip


def _found(match: Match) -> dict[str, Any]:
    start, end = match.start, match.end
    position = None if start is None or end is None else parts.Position(start=start, end=end)
    return {
        "status": match.status, "tier": match.tier, "ratio": match.ratio,
        "position": position,
        "prefix": match.prefix, "suffix": match.suffix, "occurrences": match.occurrences, "closest": match.closest,
        "edit_distance": match.edit_distance, "flags": match.flags,
        "changes": tuple(
            parts.ChangeRow(kind=one.kind, severity=one.severity, quote=one.quote, source=one.source)
            for one in match.changes
        ),
    }  # fmt: skip


def _page(snapshot: SnapshotAt | None, match: Match) -> int | None:
    """Give the page, from 1, on which a match begins."""
    if snapshot is None or not snapshot.page_offsets or match.start is None:
        return None
    return max(1, bisect_right(snapshot.page_offsets, match.start))


# -- verdicts, notices, voices ---------------------------------------------------------------------------------------


def support(view: View) -> parts.Support:
    """List the statements with their verdicts, and how many were read."""
    rows = tuple(
        parts.SupportRow(
            pair_index=number, sentence=pair.sentence, claim_id=pair.claim_id, evidence_id=pair.evidence_id,
            verdict=pair.verdict, evidence=pair.span, strong=pair.strong, checked=pair.checked, method=pair.method,
            checker=pair.checker, downgraded_from=pair.downgraded_from,
        )
        for number, pair in enumerate(view.pairs)
    )  # fmt: skip
    exempt = sum(row.method == Method.EXEMPT for row in rows)
    methods = Counter(row.method for row in rows if row.verdict != Verdict.NOT_CHECKED)
    verdicts = Counter(row.verdict for row in rows)
    unread = sum(row.verdict == Verdict.NOT_CHECKED and row.method != Method.EXEMPT for row in rows)
    read = sum(methods[one] for one in (Method.HUMAN, Method.RULE, Method.MODEL))
    document = view.case.document
    return parts.Support(
        pairs=len(rows), auto_passed=methods[Method.MECHANICAL], dangling=document.dangling if document else 0,
        unparsed=document.unparsed if document else 0, exempt=exempt,
        sampled=document.sampled if document else read, checked=read, not_checked=unread,
        verdicts={one: verdicts[one] for one in Verdict if one != Verdict.NOT_CHECKED}, rows=rows,
    )  # fmt: skip


def retractions(case: Case) -> parts.Retractions:
    """List the publications cited and what is in force about them."""
    found = Counter(NoticeStatus(one.status) for one in case.notices)
    asked = len(case.notices) - found[NoticeStatus.UNCHECKED] - found[NoticeStatus.UNAVAILABLE]
    return parts.Retractions(
        dois_checked=asked, retracted=found[NoticeStatus.RETRACTED], concerns=found[NoticeStatus.CONCERN],
        corrected=found[NoticeStatus.CORRECTED], unavailable=found[NoticeStatus.UNAVAILABLE],
        unchecked=found[NoticeStatus.UNCHECKED],
        rows=tuple(_notice_row(one) for one in sorted(case.notices, key=lambda one: one.doi_key)),
    )  # fmt: skip


def _notice_row(one: NoticeAt) -> parts.RetractionRow:
    return parts.RetractionRow(
        doi=one.doi_key, status=NoticeStatus(one.status), date=one.notice_date, notice_url=one.notice_url,
        provider=one.provider, noted_in_document=one.noted,
    )  # fmt: skip


def independence(view: View) -> parts.Independence:
    """Count the voices among the sources cited, and those behind each claim."""
    cited = set(view.cited)
    rows = [
        parts.VoiceRow(
            voice_id=one.voice_id, kinds=one.kinds, root=one.root, members=tuple(m for m in one.members if m in cited)
        )
        for one in view.case.voices
        if cited & set(one.members)
    ]
    heard = [view.case.corroborations[key] for key in sorted(view.standings) if key in view.case.corroborations]
    independent = {voice for one in heard for voice in one.independent} & {row.voice_id for row in rows}
    return parts.Independence(
        sources=len(cited), voices=len(rows), effective_sources=len(rows), independent_of_subject=len(independent),
        rows=tuple(sorted(rows, key=lambda row: (len(row.voice_id), row.voice_id))),
        claims=tuple(
            parts.CorroborationRow(
                claim_id=one.claim_id, voices=len(one.voices), independent=len(one.independent), flags=one.flags
            )
            for one in heard
        ),
    )  # fmt: skip


# -- time and gaps ---------------------------------------------------------------------------------------------------


def freshness(view: View) -> parts.Freshness:
    """Say how old the claims are at observed_by."""
    rows = tuple(
        parts.FreshnessRow(
            claim_id=one.claim.claim_id, observed_at=one.claim.observed_at, last_seen_at=age.last_seen_at,
            age_days=max(0, age.age.days), stale=age.stale,
        )
        for one in view.claims
        for age in (view.ages[one.claim.claim_id],)
    )  # fmt: skip
    seen = [row.last_seen_at for row in rows]
    limit = view.case.policy.freshness_days
    return parts.Freshness(
        newest=max(seen, default=None), oldest=min(seen, default=None),
        stale_after_days=DEFAULT_DAYS if limit is None else limit, stale=sum(row.stale for row in rows), rows=rows,
    )  # fmt: skip


def contradictions(view: View) -> parts.Contradictions:
    """List the contradictions that hold at valid_at and count."""
    found = {
        one.opposed.contradiction_id: one for key in view.standings for one in view.conflicts.get(key, ())
    }  # fmt: skip
    rows = tuple(
        parts.ContradictionRow(
            contradiction_id=key, kind=one.opposed.kind, claim_ids=tuple(sorted(one.opposed.claims)),
            effective_from=one.disputed.start, effective_until=one.disputed.end,
        )
        for key, one in sorted(found.items())
    )  # fmt: skip
    return parts.Contradictions(count=len(rows), rows=rows)


def coverage(view: View) -> parts.CoveragePart:
    """Say which slots have their claim."""
    rows = tuple(
        parts.CoverageRow(subject=subject, predicate=predicate, required=required, status=status)
        for (subject, predicate), (required, status) in view.coverage.items()
    )
    found = Counter(row.status for row in rows)
    return parts.CoveragePart(
        filled=found[Coverage.FILLED], confirmed_absent=found[Coverage.CONFIRMED_ABSENT], gap=found[Coverage.GAP],
        rows=rows,
    )  # fmt: skip


def review(case: Case) -> parts.Review:
    """Say what a person has decided and what is still open: the worst decision is the status."""
    decided = [one.decision for one in case.reviews]
    return parts.Review(
        required=case.policy.review_required,
        status=next((one for one in _WORST_FIRST if one in decided), None),
        decisions=tuple(_decision(one) for one in sorted(case.reviews, key=lambda one: one.task_id)),
    )


_WORST_FIRST = (
    ReviewDecision.PENDING, ReviewDecision.ESCALATE, ReviewDecision.REJECT, ReviewDecision.CORRECT,
    ReviewDecision.ACCEPT,
)  # fmt: skip


def _decision(one: ReviewAt) -> parts.DecisionRow:
    return parts.DecisionRow(
        task_id=one.task_id, claim_id=one.claim_id, decision=one.decision, reason=one.reason, reviewer=one.reviewer,
        note=one.note, recorded_at=one.recorded_at,
    )  # fmt: skip


def _plain(data: Any) -> Any:
    """Turn data into what a receipt can carry: numbers that not every reader reads alike become text."""
    if isinstance(data, Mapping):
        return {str(key): _plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple | set | frozenset):
        return [_plain(one) for one in (sorted(data) if isinstance(data, set | frozenset) else data)]
    if isinstance(data, datetime):
        return iso(data)
    if isinstance(data, Decimal):
        return format(data, "f")
    if data is None or isinstance(data, bool | str) or (isinstance(data, int) and abs(data) <= parts.SAFE):
        return data if not isinstance(data, str) else str(data)
    return str(data)
