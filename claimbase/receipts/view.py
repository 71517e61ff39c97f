"""The view: a case with everything worked out that more than one part of its receipt is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from claimbase.errors import InputError
from claimbase.evidence.model import ClaimAt, PairAt, QuotedAt
from claimbase.evidence.policy import GATE, WARNING
from claimbase.evidence.terms import ClaimStatus, Coverage, Method, Verdict
from claimbase.receipts.case import Case
from claimbase.receipts.proofs import Proof, Proven, allowed, proven
from claimbase.receipts.status import Age, Conflict, Standing, ages, conflicts, standings

_GIVEN = ("upload", "structured_api")  # sources without prose to be judged
_UNSEEN = (ClaimStatus.BLOCKED, ClaimStatus.MISSING)


@dataclass(frozen=True)
class View:
    """A case, proven and judged.

    Args:
        case: what it is made from.
        claims: those the receipt is about, proven, by id.
        conflicts, ages, standings: by claim id.
    """

    case: Case
    claims: tuple[Proven, ...]
    conflicts: Mapping[str, tuple[Conflict, ...]]
    ages: Mapping[str, Age]
    standings: Mapping[str, Standing]

    @classmethod
    def of(cls, case: Case) -> View:
        """Work a case out.

        Raises:
            InputError: [bad_check] a check of a domain bears the name of one of the receipt's own.
        """
        if taken := sorted({*GATE, *WARNING} & set(case.domain)):
            raise InputError(f"a check is called {taken[0]} already", code="bad_check", hint="give it another name")
        whole = proven(case)
        asked = None if case.claim_ids is None else set(case.claim_ids)
        claims = tuple(one for one in whole if asked is None or one.claim.claim_id in asked)
        opposed, old = conflicts(case, whole), ages(case, claims)
        return cls(case, claims, opposed, old, standings(claims, opposed, old))

    @property
    def unknown(self) -> tuple[str, ...]:
        """The claims asked for that the dossier does not hold."""
        held = {one.claim.claim_id for one in self.claims}
        return tuple(sorted(set(self.case.claim_ids or ()) - held))

    @cached_property
    def proofs(self) -> tuple[Proof, ...]:
        """All proofs, by the id of their evidence, each once."""
        found = {proof.evidence.evidence_id: proof for one in self.claims for proof in one.proofs}
        return tuple(found[key] for key in sorted(found))

    @property
    def quoted(self) -> tuple[QuotedAt, ...]:
        """The quotations of the document, if one was checked."""
        return self.case.document.quotes if self.case.document else ()

    @cached_property
    def cited(self) -> tuple[str, ...]:
        """The sources cited, sorted: those of the evidence and those that a document names (P8)."""
        texts = self.case.dossier.snapshots
        quoted = {
            texts[one.snapshot_id].source_id for one in self.quoted if one.snapshot_id and one.snapshot_id in texts
        }
        named = self.case.document.sources if self.case.document is not None else ()
        return tuple(sorted({proof.evidence.source_id for proof in self.proofs} | quoted | set(named)))

    @cached_property
    def pairs(self) -> tuple[PairAt, ...]:
        """Each statement beside what it rests on: those of the document, or each claim beside its own evidence."""
        if self.case.document is not None:
            known = {proof.evidence.evidence_id: proof for proof in self.proofs}
            return tuple(_heard(pair, known.get(pair.evidence_id or "")) for pair in self.case.document.pairs)
        return tuple(_pair(one, proof) for one in self.claims for proof in one.speaking)

    @cached_property
    def coverage(self) -> Mapping[tuple[str, str], tuple[bool, Coverage]]:
        """Whether each slot is required and has its claim: those of the claims, those required beside them."""
        required = {*self.case.required, *self._demanded}
        found: dict[tuple[str, str], list[Coverage]] = {slot: [] for slot in required}
        for one in self.claims:
            found.setdefault((one.claim.subject, one.claim.predicate), []).append(self.covers(one.claim))
        return {slot: (slot in required, _best(found[slot])) for slot in sorted(found)}

    @property
    def _demanded(self) -> set[tuple[str, str]]:
        subjects = {one.claim.subject for one in self.claims}
        return {(subject, predicate) for subject in subjects for predicate in self.case.policy.required_predicates}

    def covers(self, claim: ClaimAt) -> Coverage:
        """Tell what a claim does for its slot; an absence that nothing confirms leaves a gap."""
        status = self.standings[claim.claim_id].status
        if claim.absent:
            return Coverage.CONFIRMED_ABSENT if status == ClaimStatus.CONFIRMED_ABSENT else Coverage.GAP
        return Coverage.GAP if status in _UNSEEN else Coverage.FILLED

    def allowed(self, source_id: str) -> bool:
        """Tell whether a source may be used by who asks."""
        return allowed(self.case, self.case.dossier.sources.get(source_id))


def _best(found: list[Coverage]) -> Coverage:
    return min(found, key=list(Coverage).index, default=Coverage.GAP)


def statement(claim: ClaimAt) -> str:
    """Write a claim as a sentence."""
    return f"{claim.subject} · {claim.predicate}: {'none' if claim.absent else claim.value}"


def _pair(one: Proven, proof: Proof) -> PairAt:
    claim, judged = one.claim, proof.judged
    strong = claim.absent or any(char.isdigit() for char in claim.value)
    plain = PairAt(
        statement(claim), Verdict.NOT_CHECKED, claim.claim_id, proof.evidence.evidence_id, strong=strong
    )  # fmt: skip
    if judged is not None and proof.verdict is not None:
        before = judged.downgraded_from or (judged.verdict if proof.verdict != judged.verdict else None)
        return _read(plain, proof.verdict, judged.method, judged.checker, judged.span, before)
    if proof.doubts:
        return plain
    exempt = proof.source is not None and proof.source.source_type in _GIVEN
    span = proof.match.closest or proof.evidence.quote
    method = Method.EXEMPT if exempt else Method.MECHANICAL
    return _read(plain, Verdict.SUPPORTED, method, "claimbase", span, None)


def _read(
    pair: PairAt, verdict: Verdict, method: Method | None, checker: str | None, span: str | None,
    before: Verdict | None,
) -> PairAt:  # fmt: skip
    return PairAt(
        pair.sentence, verdict, pair.claim_id, pair.evidence_id, span, pair.strong, verdict != Verdict.NOT_CHECKED,
        method, checker, before,
    )  # fmt: skip


def _heard(pair: PairAt, proof: Proof | None) -> PairAt:
    """Take back a verdict about words that were not found: nothing can rest on them."""
    if proof is None or proof.counts or pair.verdict == Verdict.NOT_CHECKED:
        return pair
    before = pair.downgraded_from or (pair.verdict if pair.verdict != Verdict.UNCLEAR else None)
    return _read(pair, Verdict.UNCLEAR, pair.method, pair.checker, pair.span, before)
