"""The ladder: how a claim's evidence stands, the first rung that applies, with every reason there is (evidence §5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from claimbase.evidence.terms import ClaimStatus, Outcome, QuoteStatus, Role
from claimbase.receipts.case import Case, Opposed
from claimbase.receipts.proofs import Proven
from claimbase.temporal import Interval

CONTRADICTING = ("hard", "absence")
"""The kinds of contradiction that change a claim's status."""

_NOT_KNOWN = {"erased", "no-source-text", "quote-unverifiable"}


@dataclass(frozen=True, slots=True)
class Conflict:
    """A contradiction that holds at valid_at between claims, the other of which is admissible."""

    opposed: Opposed
    disputed: Interval


@dataclass(frozen=True, slots=True)
class Age:
    """How old a claim is at observed_by: when it was last seen, the limit in days, and whether it is past it."""

    last_seen_at: datetime
    age: timedelta
    limit: int

    @property
    def stale(self) -> bool:
        """Whether it was last seen longer ago than the limit."""
        return self.age > timedelta(days=self.limit)


@dataclass(frozen=True, slots=True)
class Standing:
    """A claim's status, and the reasons of every rung that applies, the status' own first."""

    status: ClaimStatus
    reasons: tuple[str, ...]


def standings(
    claims: Iterable[Proven], conflicts: Mapping[str, tuple[Conflict, ...]], ages: Mapping[str, Age]
) -> dict[str, Standing]:
    """Give the standing of claims by id.

    Args:
        claims: proven.
        conflicts, ages: by claim id.
    """
    return {
        one.claim.claim_id: standing(one, bool(conflicts.get(one.claim.claim_id)), ages[one.claim.claim_id].stale)
        for one in claims
    }


def standing(one: Proven, opposed: bool, stale: bool) -> Standing:
    """Find the first rung that applies: blocked, missing, unverified, source-retracted, contradicted, stale, supported.

    Args:
        one: the claim with its proofs.
        opposed: an admissible claim contradicts it at valid_at.
        stale: it was last seen too long ago.
    """
    rungs = {
        ClaimStatus.BLOCKED: blocked(one),
        ClaimStatus.MISSING: () if one.proofs else ("no-evidence",),
        ClaimStatus.UNVERIFIED: unverified(one),
        ClaimStatus.SOURCE_RETRACTED: fallen(one),
        ClaimStatus.CONTRADICTED: contradicted(one, opposed),
        ClaimStatus.STALE: ("stale",) if stale else (),
    }
    good = ClaimStatus.CONFIRMED_ABSENT if one.claim.absent else ClaimStatus.SUPPORTED
    status = next((rung for rung, reasons in rungs.items() if reasons), good)
    return Standing(status, tuple(dict.fromkeys(reason for reasons in rungs.values() for reason in reasons)))


def blocked(one: Proven) -> tuple[str, ...]:
    """Say whether there is evidence, but none from a source that is allowed."""
    return ("source-not-allowed",) if one.proofs and not any(proof.allowed for proof in one.proofs) else ()


def unverified(one: Proven) -> tuple[str, ...]:
    """Say why no evidence proves the claim; empty if some does, or there is none at all."""
    if one.proving or not one.proofs:
        return ()
    doubts = tuple(dict.fromkeys(doubt for proof in one.speaking for doubt in proof.doubts))
    return doubts or (f"no-{one.roles[0]}-quote",)


def fallen(one: Proven) -> tuple[str, ...]:
    """Say whether all that proves the claim lies in sources that no longer speak."""
    why = [proof.fallen for proof in one.proving]
    return tuple(sorted({reason for reason in why if reason})) if why and all(why) else ()


def contradicted(one: Proven, opposed: bool) -> tuple[str, ...]:
    """Say what speaks against the claim: another claim, its own evidence, or words quoted against it."""
    disagree = any(check.name == "observed-values-agree" and check.outcome == Outcome.FAILED for check in one.checked)
    told = (("contradiction", opposed), ("observed-values-disagree", disagree), ("refuted", _refuted(one)))
    return tuple(name for name, raised in told if raised)


def _refuted(one: Proven) -> bool:
    return any(
        proof.evidence.role == Role.REFUTES and proof.allowed and proof.held and proof.counts and not proof.snippet
        and proof.fallen is None
        for proof in one.proofs
    )  # fmt: skip


def admissible(one: Proven) -> bool:
    """Tell whether a claim may speak against another: not barred, not fallen, and not known to be misquoted.

    A claim whose text is not held may: what is not known of it clears nobody.
    """
    if blocked(one) or not one.proofs or fallen(one):
        return False
    if any(proof.fallen is None for proof in one.proving):
        return True
    return any(proof.allowed and proof.fallen is None and set(proof.doubts) <= _NOT_KNOWN for proof in one.speaking)


def conflicts(case: Case, claims: Iterable[Proven]) -> dict[str, tuple[Conflict, ...]]:
    """Find the contradictions that hold at valid_at and whose other side is admissible, by claim id.

    Args:
        case: what opposes what; an opponent that its dossier does not hold counts as admissible.
        claims: all of the dossier, proven.
    """
    barred = {one.claim.claim_id for one in claims if not admissible(one)}
    found: dict[str, list[Conflict]] = {}
    for opposed in sorted(case.opposed, key=lambda one: one.contradiction_id):
        holding = next((one for one in opposed.disputed if case.basis.valid_at in one), None)
        if opposed.kind not in CONTRADICTING or holding is None:
            continue
        for claim, other in (opposed.claims, opposed.claims[::-1]):
            if other not in barred:
                found.setdefault(claim, []).append(Conflict(opposed, holding))
    return {claim: tuple(ones) for claim, ones in found.items()}


def ages(case: Case, claims: Iterable[Proven]) -> dict[str, Age]:
    """Tell how old claims are, by id; a reading counts if the page was really read and still held the quote."""
    return {one.claim.claim_id: _age(case, one) for one in claims}


def _age(case: Case, one: Proven) -> Age:
    fetched = [
        proof.snapshot.last_fetched_at
        for proof in one.proofs
        if proof.snapshot is not None and proof.match.status == QuoteStatus.VERIFIED
    ]
    seen = max((at for at in (*fetched, one.claim.last_seen_at, one.claim.observed_at) if at <= case.basis.observed_by),
               default=one.claim.observed_at)  # fmt: skip
    source = case.dossier.sources.get(one.claim.source_id)
    limits = (case.policy.freshness_days, source.freshness_days if source else None, one.claim.stale_after_days)
    return Age(seen, case.basis.observed_by - seen, next(limit for limit in limits if limit is not None))
