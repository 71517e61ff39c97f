"""What is left to do: questions that are open, what would mend a quote, and what a receipt cannot tell."""

from __future__ import annotations

from collections.abc import Iterator

from claimbase.evidence.model import ClaimAt
from claimbase.evidence.terms import ClaimStatus, Coverage, QuoteStatus
from claimbase.present.words import counted
from claimbase.receipts.parts import RepairRow, Support, UnresolvedRow
from claimbase.receipts.proofs import ELSEWHERE_MOST, SEARCHES_MOST, Proof
from claimbase.receipts.sections import OPEN
from claimbase.receipts.view import View
from claimbase.temporal import iso

_LIMITS = (
    "supported means the source says it, not that it is true",
    "checks ran on the texts as read and stored, not on the pages as they are now",
    "text only: figures, scans, audio and video are not read",
)
_QUESTIONS = {
    ClaimStatus.BLOCKED: "may a source of {what} be used here?",
    ClaimStatus.MISSING: "which source says that {what} is {value}?",
    ClaimStatus.UNVERIFIED: "does a text say that {what} is {value}? ({reasons})",
    ClaimStatus.SOURCE_RETRACTED: "does a source that still stands say that {what} is {value}?",
    ClaimStatus.CONTRADICTED: "which holds for {what}: {value}, or what {against} says?",
    ClaimStatus.STALE: "is {what} still {value}? last seen {seen}",
}


def unresolved(view: View) -> tuple[UnresolvedRow, ...]:
    """List the open questions: claims that are not settled, reviews that are open, slots that must have a claim."""
    rows = {(claim or "", question): claim for claim, question in _questions(view)}
    return tuple(UnresolvedRow(claim_id=claim, question=key[1]) for key, claim in sorted(rows.items()))


def _questions(view: View) -> Iterator[tuple[str | None, str]]:
    for one in view.claims:
        asked = _QUESTIONS.get(view.standings[one.claim.claim_id].status)
        if asked is not None:
            yield one.claim.claim_id, asked.format(**_words(view, one.claim))
    for review in view.case.reviews:
        if review.decision in OPEN:
            yield review.claim_id, f"review {review.task_id} is open: {review.reason}"
    for (subject, predicate), (required, status) in view.coverage.items():
        if required and status == Coverage.GAP:
            yield None, f"which source says the {predicate} of {subject}?"
    for claim in view.unknown:
        yield claim, "is there such a claim? the base does not hold it"


def _words(view: View, claim: ClaimAt) -> dict[str, str]:
    others = {
        other
        for conflict in view.conflicts.get(claim.claim_id, ())
        for other in conflict.opposed.claims
        if other != claim.claim_id
    }
    return {
        "what": f"the {claim.predicate} of {claim.subject}",
        "value": "absent" if claim.absent else claim.value,
        "reasons": ", ".join(view.standings[claim.claim_id].reasons),
        "against": ", ".join(sorted(others)) or "other evidence of its own",
        "seen": iso(view.ages[claim.claim_id].last_seen_at),
    }


def repair(view: View) -> tuple[RepairRow, ...] | None:
    """Say what would mend each quote that does not count; None for a document, which is graded and never edited."""
    if view.case.kind == "document":
        return None
    return tuple(_mended(view, proof) for proof in view.proofs if not proof.counts or not proof.allowed)


def _mended(view: View, proof: Proof) -> RepairRow:
    """Choose the first remedy that there is: another source, another text, other words, a text at all."""
    one, match = proof.evidence, proof.match
    texts = view.case.dossier.snapshots
    elsewhere = next((name for name in proof.found_in if view.allowed(texts[name].source_id)), None)
    if not proof.allowed and elsewhere is None:
        return _row(proof, "request-document", None)
    if elsewhere is not None:
        return RepairRow(
            evidence_id=one.evidence_id, suggest="cite-other-text", source_id=texts[elsewhere].source_id,
            snapshot_id=elsewhere, start=None, end=None,
        )  # fmt: skip
    if not proof.held:
        return _row(proof, "ingest-text", one.snapshot_id)
    if match.status == QuoteStatus.NOT_FOUND or match.start is None:
        return _row(proof, "request-document", one.snapshot_id)
    return RepairRow(
        evidence_id=one.evidence_id, suggest="requote", source_id=one.source_id, snapshot_id=one.snapshot_id,
        start=match.start, end=match.end,
    )  # fmt: skip


def _row(proof: Proof, suggest: str, snapshot_id: str | None) -> RepairRow:
    one = proof.evidence
    return RepairRow(
        evidence_id=one.evidence_id, suggest=suggest, source_id=one.source_id, snapshot_id=snapshot_id,  # type: ignore[arg-type]  # one of its words
        start=None, end=None,
    )  # fmt: skip


def limits(view: View, support: Support) -> tuple[str, ...]:
    """Say what the receipt cannot tell: it is printed in every form."""
    read = (
        f"of {counted(support.pairs, 'statement')} {support.auto_passed} passed word for word, {support.checked} were "
        f"read by a judge, {support.exempt} needed none, {support.not_checked} were not checked"
    )
    document = view.case.document
    styles = (
        "no document was parsed"
        if document is None
        else f"citations are read in the styles [N], [[id]], [c_…] and [s_…]; {document.unparsed} in others were not"
    )
    wider = f"a quote not found in its text was looked for in {ELSEWHERE_MOST} others, {SEARCHES_MOST:,} times in all"
    return (*_LIMITS, read, styles, *((wider,) if any(not proof.counts for proof in view.proofs) else ()))
