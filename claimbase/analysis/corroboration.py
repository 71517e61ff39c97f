"""Corroboration: which independent voices say a claim's value at a basis, and how a subject's claims hang together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from claimbase.analysis.independence import Independence, independence
from claimbase.analysis.result import Result, plain
from claimbase.analysis.subjects import meant
from claimbase.claims import claim_id, claim_number
from claimbase.errors import ClaimNotFoundError
from claimbase.evidence.corroborating import Corroboration, rate
from claimbase.evidence.terms import Rating
from claimbase.present.words import counted
from claimbase.store import Db
from claimbase.temporal import Basis

NARROWED = 64
"""Up to how many subjects are looked up by name; of more, the whole base is read at once."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """Claims of one slot with compatible values.

    Args:
        claims: claim id and source id of each, sorted.
        sources: their source ids.
    """

    claims: tuple[tuple[str, str], ...] = ()
    sources: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Said:
    """Who says one claim's value: the claim's source, the sources of its evidence, and the claims that agree.

    Args:
        subject: its canonical number.
        confidence: what the claim's author says of it.
        evidence: ids of the sources of its evidence.
        agreement: the claims of the slot with a compatible value, shared by all claims of the value.
    """

    claim_id: str
    subject: int
    source_id: str
    confidence: str | None
    evidence: tuple[str, ...]
    agreement: Agreement

    @property
    def sources(self) -> frozenset[str]:
        """The ids of all of these sources; of the agreement alone, one set for all of its claims."""
        own = {self.source_id, *self.evidence}
        return self.agreement.sources if own <= self.agreement.sources else self.agreement.sources | own


@dataclass(frozen=True, slots=True, repr=False)
class CorroborationReport(Result):
    """Who says a claim's value.

    Args:
        corroboration: sources, voices, those that are independent, and the flags.
        said: how each source comes to say it.
        heard: the voices of these sources.
        basis: what was known.
    """

    corroboration: Corroboration
    said: Said
    heard: Independence
    basis: Basis

    COLUMNS: ClassVar[tuple[str, ...]] = (
        "voice_id", "independent", "source_id", "uri", "publisher", "authority", "source_type", "via", "claims",
    )  # fmt: skip

    @property
    def summary(self) -> str:
        """Say the result in one sentence."""
        one = self.corroboration
        voices = f"{counted(len(one.voices), 'voice')}, {len(one.independent)} independent of its subject"
        flags = f"; {', '.join(one.flags)}" if one.flags else ""
        return f"{one.claim_id}: {counted(len(one.sources), 'source')}, {voices}{flags}"

    def rows(self) -> list[dict[str, Any]]:
        """Give one row per source that says it, voice by voice."""
        voices = self.heard.by_source
        ranked = sorted(self.corroboration.sources, key=lambda one: (int(voices[one].voice_id[1:]), one))
        return [self._row(source_id, voices[source_id].voice_id) for source_id in ranked]

    def _row(self, source_id: str, voice_id: str) -> dict[str, Any]:
        source, said = self.heard.sources[source_id], self.said
        claims = [one for one, who in said.agreement.claims if who == source_id and one != said.claim_id]
        ways = {"claim": source_id == said.source_id, "evidence": source_id in said.evidence, "agreeing": bool(claims)}
        values = (
            voice_id, voice_id in self.corroboration.independent, source_id, source.uri, source.publisher,
            source.authority, source.source_type, ", ".join(way for way, taken in ways.items() if taken), claims,
        )  # fmt: skip
        return dict(zip(self.COLUMNS, values, strict=True))

    def to_json(self) -> dict[str, Any]:
        """Give the result as plain data."""
        return {
            "summary": self.summary, **self.corroboration.to_json(), "confidence": self.said.confidence,
            "rows": self.rows(), "basis": plain(self.basis),
        }  # fmt: skip


@dataclass(frozen=True, slots=True, repr=False)
class SubjectRating(Result):
    """How the claims of a subject that hold at a basis hang together.

    Args:
        identity: ids of the voices that say anything of the subject.
        identity_independent: those of them that are independent of it.
        claims: the corroboration of each claim, by claim id.
        contradicted: ids of the claims that are contradicted.
    """

    provider: str
    subject: str
    rating: Rating
    identity: tuple[str, ...]
    identity_independent: tuple[str, ...]
    claims: tuple[Corroboration, ...]
    contradicted: tuple[str, ...]
    basis: Basis

    COLUMNS: ClassVar[tuple[str, ...]] = ("claim_id", "voices", "independent", "contradicted", "flags")

    @property
    def summary(self) -> str:
        """Say the result in one sentence."""
        alone = sum(not one.corroborated for one in self.claims)
        return (
            f"{self.subject}: {self.rating}; {counted(len(self.claims), 'claim')}, {alone} not corroborated, "
            f"{len(self.contradicted)} contradicted; {counted(len(self.identity), 'voice')} on it, "
            f"{len(self.identity_independent)} independent"
        )

    def rows(self) -> list[dict[str, Any]]:
        """Give one row per claim."""
        return [
            {
                "claim_id": one.claim_id, "voices": len(one.voices), "independent": len(one.independent),
                "contradicted": one.claim_id in self.contradicted, "flags": [flag.value for flag in one.flags],
            }
            for one in self.claims
        ]  # fmt: skip

    def to_json(self) -> dict[str, Any]:
        """Give the result as plain data."""
        return {
            "summary": self.summary, "provider": self.provider, "subject": self.subject, "rating": self.rating.value,
            "identity": list(self.identity), "identity_independent": list(self.identity_independent),
            "claims": plain(self.claims), "contradicted": list(self.contradicted), "basis": plain(self.basis),
        }  # fmt: skip


def corroboration(db: Db, basis: Basis, claim: str) -> CorroborationReport:
    """Tell who says a claim's value: its source, its further evidence, and the claims that agree with it (K4, V9, R1).

    Claims agree at the basis' valid_at: of a claim that does not hold then, only its own source and evidence speak.

    Args:
        db: the base.
        basis: what was known, and the instant.
        claim: the claim's id.

    Raises:
        InputError: [bad_claim_id].
        ClaimNotFoundError: the basis sees no such claim.
    """
    number, whole = claim_number(claim), independence(db, basis)
    said = _said(db, basis, [number]).get(number)
    if said is None:
        raise ClaimNotFoundError(f"the base holds no claim {claim} at this basis", hint="kb.claims() lists them")
    heard = _corroborations(db, basis, {number: said}, whole)[said.claim_id]
    return CorroborationReport(heard, said, whole.within(heard.sources), basis)


def corroborations(
    db: Db, basis: Basis, claims: Iterable[int], *, whole: Independence | None = None
) -> dict[str, Corroboration]:
    """Tell who says the values of many claims, in a handful of statements.

    Args:
        db: the base.
        basis: what was known, and the instant.
        claims: claim numbers; those the basis does not see are left out.
        whole: the voices of the basis, where they are known already.

    Returns:
        The corroborations by claim id, sorted.
    """
    said = _said(db, basis, sorted(set(claims)))
    return _corroborations(db, basis, said, whole or independence(db, basis))


def rating(db: Db, basis: Basis, subject: str, *, provider: str | None = None) -> SubjectRating:
    """Rate the claims of a subject that hold at the basis: consistent, mixed or inconsistent (evidence §5).

    Inconsistent: one of them is contradicted. Consistent: an independent voice speaks of the subject, and each claim is
    said by two voices of which one is independent. Else mixed.

    Args:
        db: the base.
        basis: what was known, and the instant.
        subject: a name or alias.
        provider: the provider, where the name alone is not unique.

    Raises:
        InputError: [unknown_subject], [ambiguous_subject].
    """
    one = meant(db, basis, subject, provider)
    found = db.file("queries/subject_claims", _axes(basis) | {"subject": one.number}).rows
    whole = independence(db, basis)
    told = tuple(corroborations(db, basis, (number for number, _ in found), whole=whole).values())
    named = _speaking_of(db, basis, [one.number]).get(one.number, frozenset())
    identity = whole.chorus.heard(named)
    contradicted = tuple(claim_id(number) for number, against in found if against)
    return SubjectRating(
        one.provider, one.name,
        rate(told, identity_independent=len(identity.independent), contradicted=bool(contradicted)),
        tuple(voice.voice_id for voice in identity.voices), tuple(voice.voice_id for voice in identity.independent),
        told, contradicted, basis,
    )  # fmt: skip


def _corroborations(db: Db, basis: Basis, said: Mapping[int, Said], whole: Independence) -> dict[str, Corroboration]:
    chorus = whole.chorus
    named = _speaking_of(db, basis, sorted({one.subject for one in said.values()}))
    return {
        one.claim_id: chorus.corroboration(
            one.claim_id, one.sources, identity=named.get(one.subject, frozenset()), confidence=one.confidence
        )
        for _, one in sorted(said.items())
    }


def _said(db: Db, basis: Basis, numbers: Sequence[int]) -> dict[int, Said]:
    """Find who says each claim's value, by claim number."""
    rows = db.file("queries/claims_heard", _known(basis) | {"claims": list(numbers)}).dicts()
    subjects = sorted({row["subject_id"] for row in rows})
    narrowed = {"claims": list(numbers), "subjects": subjects if len(subjects) <= NARROWED else None}
    agreed: dict[int, Agreement] = {}
    for asked, claims in db.file("queries/agreeing", _axes(basis) | narrowed):
        agreed |= dict.fromkeys(asked, _agreement(claims))
    return {
        row["claim_no"]: Said(
            claim_id(row["claim_no"]), row["subject_id"], row["source_id"], row["confidence"], tuple(row["evidence"]),
            agreed.get(row["claim_no"], Agreement()),
        )
        for row in rows
    }  # fmt: skip


def _agreement(claims: Iterable[Mapping[str, Any]]) -> Agreement:
    told = tuple(sorted((claim_id(one["claim_no"]), one["source_id"]) for one in claims))
    return Agreement(told, frozenset(source for _, source in told))


def _speaking_of(db: Db, basis: Basis, subjects: Sequence[int]) -> dict[int, frozenset[str]]:
    found = db.file("queries/speaking_of", _known(basis) | {"subjects": list(subjects)})
    return {subject: frozenset(sources) for subject, sources in found}


def _known(basis: Basis) -> dict[str, Any]:
    return {"observed_by": basis.observed_by, "recorded_by": basis.recorded_by}


def _axes(basis: Basis) -> dict[str, Any]:
    return _known(basis) | {"valid_at": basis.valid_at}
