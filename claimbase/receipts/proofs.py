"""Proofs: each piece of evidence beside its text, how the quote stands there, what keeps it from proving its claim."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from claimbase.evidence.align import SourceText, align
from claimbase.evidence.checks import blanket_citations, claim_checks, proving
from claimbase.evidence.model import Checked, ClaimAt, EvidenceAt, Hint, Match, SnapshotAt, SourceAt
from claimbase.evidence.notices import outcome
from claimbase.evidence.terms import QUOTE_LIMIT, NoticeStatus, Outcome, QuoteStatus, Role, Verdict
from claimbase.receipts.case import Case, Judged

ELSEWHERE_MOST = 50
"""How many other texts are searched for one quote that its own text does not hold (N11)."""
SEARCHES_MOST = 1_000
"""How many such searches are made for one receipt."""

AGAINST = (Verdict.UNSUPPORTED, Verdict.WRONG_SOURCE)
"""Verdicts that keep evidence from proving its claim."""

_SNIPPET = "search_snippet"


@dataclass(frozen=True, slots=True)
class Proof:
    """One piece of evidence and all that decides whether it proves its claim.

    Args:
        source, snapshot: None where the case does not know them.
        allowed: the source may be used by who asks.
        match: how the quote stands in the text.
        found_in: other texts that hold it, where its own does not (N11).
        objections: why the policy does not count the quote; empty if it does.
        valued: the claim's value stands in the quote; an absence has none.
        judged: the verdict that stands, if somebody reached one.
        fallen: why its source no longer speaks: publication-retracted or source-withdrawn.
    """

    evidence: EvidenceAt
    source: SourceAt | None
    snapshot: SnapshotAt | None
    allowed: bool
    match: Match
    found_in: tuple[str, ...] = ()
    objections: tuple[str, ...] = ()
    valued: bool = False
    judged: Judged | None = None
    fallen: str | None = None

    @property
    def counts(self) -> bool:
        """Whether the quote counts as verified."""
        return not self.objections

    @property
    def held(self) -> bool:
        """Whether the text that was read is held."""
        return self.snapshot is not None and bool(self.snapshot.text)

    @property
    def snippet(self) -> bool:
        """Whether its source is a list of search results, which locates a page and proves nothing."""
        return self.source is not None and self.source.source_type == _SNIPPET

    @property
    def verdict(self) -> Verdict | None:
        """What the judge says; a verdict about words that were not found is no verdict (evidence §5)."""
        if self.judged is None:
            return None
        stands = self.counts or self.judged.verdict == Verdict.NOT_CHECKED
        return self.judged.verdict if stands else Verdict.UNCLEAR

    @property
    def doubts(self) -> tuple[str, ...]:
        """Why it does not prove its claim; empty if it does, whatever became of its source since."""
        against = self.verdict if self.verdict in AGAINST else None
        erased = "erased" in self.match.flags
        told = (
            ("source-not-allowed", not self.allowed),
            ("erased", erased),
            ("no-source-text", not self.held and not erased),
            ("snippet-only", self.snippet),
            ("value-not-in-quote", self.counts and not self.valued),
            (f"judged-{against}", against is not None),
        )
        found = [name for name, raised in told if raised]
        return (*found, *(self.objections if self.held and not erased else ()))


@dataclass(frozen=True, slots=True)
class Proven:
    """A claim with the proofs of all its live evidence, primary first, and its deterministic checks."""

    claim: ClaimAt
    proofs: tuple[Proof, ...]
    checked: tuple[Checked, ...]

    @property
    def roles(self) -> tuple[Role, ...]:
        """What evidence may do to prove it: an absence is proven by the words of the section looked at."""
        return (Role.ABSENCE, Role.SUPPORTS) if self.claim.absent else (Role.SUPPORTS,)

    @property
    def speaking(self) -> tuple[Proof, ...]:
        """The proofs that speak for it."""
        return tuple(one for one in self.proofs if one.evidence.role in self.roles)

    @property
    def proving(self) -> tuple[Proof, ...]:
        """Those of them that nothing is said against."""
        return tuple(one for one in self.speaking if not one.doubts)


def proven(case: Case) -> tuple[Proven, ...]:
    """Prove each claim of a case's dossier, in the order of their ids: quotes aligned, checks run."""
    texts, claims = _Texts(case), sorted(case.dossier.claims, key=lambda one: one.claim_id)
    blanket: dict[str, list[Checked]] = defaultdict(list)
    for row in blanket_citations(claims):
        blanket[row.claim_id].append(row)
    return tuple(_proven(case, texts, claim, blanket[claim.claim_id]) for claim in claims)


def allowed(case: Case, source: SourceAt | None) -> bool:
    """Tell whether a source may be used by who asks."""
    return source is not None and source.allowed and (source.tenant is None or source.tenant == case.tenant)


def _proven(case: Case, texts: _Texts, claim: ClaimAt, blanket: Iterable[Checked]) -> Proven:
    proofs = {one.evidence_id: _proof(case, texts, claim, one) for one in claim.evidence}
    matches = {key: _counted(proof) for key, proof in proofs.items()}
    checked = (*claim_checks(claim, matches, case.dossier, case.vocabulary, case.domain), *blanket)
    judged = _standing(case, claim)
    valued = _valued(claim, checked, judged)
    return Proven(
        claim,
        tuple(replace(one, valued=key in valued, judged=judged.get(key)) for key, one in proofs.items()),
        checked,
    )


def _proof(case: Case, texts: _Texts, claim: ClaimAt, evidence: EvidenceAt) -> Proof:
    source, match = case.dossier.sources.get(evidence.source_id), texts.match(evidence)
    return Proof(
        evidence, source, case.dossier.snapshots.get(evidence.snapshot_id or ""), allowed(case, source), match,
        texts.elsewhere(claim, evidence, match), case.policy.objections(match), fallen=_fallen(case, claim, source),
    )  # fmt: skip


def _counted(proof: Proof) -> Match:
    """Give the match that the checks look at: one that the policy forgives stands in its text."""
    return replace(proof.match, status=QuoteStatus.VERIFIED) if proof.counts else proof.match


def _valued(claim: ClaimAt, checked: Iterable[Checked], judged: Mapping[str, Judged]) -> set[str]:
    """Find the evidence that has the claim's value: what was not found out is not so.

    A value that the quote has not as written is there if one form of its date is, or if it is only implied and a judge
    says that it is.
    """
    if claim.absent:
        return {one.evidence_id for one in claim.evidence}
    rows = tuple(checked)
    left = {one.evidence_id for one in rows if one.name == "value-in-quote" and one.outcome == Outcome.SKIPPED}
    implied = {key for key, one in judged.items() if key in left and one.verdict == Verdict.SUPPORTED}
    return proving(rows) | implied


def _standing(case: Case, claim: ClaimAt) -> dict[str, Judged]:
    """Give the verdict that stands about each piece of evidence: the worst of those given for it."""
    found: dict[str, Judged] = {}
    for one in sorted(case.judged, key=lambda one: _SEVERITY.index(one.verdict)):
        if one.claim_id == claim.claim_id:
            found.setdefault(one.evidence_id, one)
    return found


_SEVERITY = (
    Verdict.WRONG_SOURCE, Verdict.UNSUPPORTED, Verdict.UNCLEAR, Verdict.PARTIALLY_SUPPORTED, Verdict.SUPPORTED,
    Verdict.NOT_CHECKED,
)  # fmt: skip


def _fallen(case: Case, claim: ClaimAt, source: SourceAt | None) -> str | None:
    """Say why a source no longer speaks: withdrawn in the base (R2), or its publication retracted, unnoted."""
    if source is None:
        return None
    if source.withdrawn is not None:
        return "source-withdrawn"
    told = (one for one in case.notices if one.doi_key == source.doi_key)
    failed = any(
        outcome(NoticeStatus(one.status), acknowledged=one.noted, predicate=claim.predicate) == Outcome.FAILED
        for one in told
    )
    return "publication-retracted" if failed else None


@dataclass(slots=True)
class _Texts:
    """The texts of a case, each made ready to be searched once."""

    case: Case
    _ready: dict[str, SourceText] = field(default_factory=dict)
    _left: int = SEARCHES_MOST
    _of_subject: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def match(self, evidence: EvidenceAt) -> Match:
        """Align one quote with its text; what cannot be aligned is unverifiable and says why."""
        snapshot = self.case.dossier.snapshots.get(evidence.snapshot_id or "")
        if flag := _unverifiable(evidence, snapshot):
            return Match(QuoteStatus.UNVERIFIABLE, flags=(flag,))
        hint = Hint(evidence.prefix, evidence.suffix, evidence.start_char)
        return align(evidence.quote, self._text(evidence.snapshot_id or ""), hint)

    def elsewhere(self, claim: ClaimAt, evidence: EvidenceAt, match: Match) -> tuple[str, ...]:
        """Find other texts that hold a quote which its own does not: those of the same subject first (N11)."""
        if match.status not in (QuoteStatus.ALTERED, QuoteStatus.NOT_FOUND):
            return ()
        found = []
        for name in self._others(claim, evidence.snapshot_id):
            if self._left <= 0:
                break
            self._left -= 1
            if align(evidence.quote, self._text(name)).status == QuoteStatus.VERIFIED:
                found.append(name)
        return tuple(sorted(found))

    def _others(self, claim: ClaimAt, own: str | None) -> Iterator[str]:
        named = dict.fromkeys((*self._subjects().get((claim.provider, claim.subject), ()), *self._sorted()))
        others = [name for name in named if name != own and self.case.dossier.snapshots[name].text]
        yield from others[:ELSEWHERE_MOST]

    def _sorted(self) -> list[str]:
        return sorted(self.case.dossier.snapshots)

    def _subjects(self) -> Mapping[tuple[str, str], list[str]]:
        """Give the texts cited for each subject; worked out once."""
        if not self._of_subject:
            cited: dict[tuple[str, str], set[str]] = defaultdict(set)
            for claim in self.case.dossier.claims:
                cited[claim.provider, claim.subject] |= {one.snapshot_id for one in claim.evidence if one.snapshot_id}
            known = self.case.dossier.snapshots
            self._of_subject = {who: sorted(name for name in names if name in known) for who, names in cited.items()}
        return self._of_subject

    def _text(self, snapshot_id: str) -> SourceText:
        if snapshot_id not in self._ready:
            snapshot = self.case.dossier.snapshots[snapshot_id]
            self._ready[snapshot_id] = SourceText(snapshot.text, snapshot.profile)
        return self._ready[snapshot_id]


def _unverifiable(evidence: EvidenceAt, snapshot: SnapshotAt | None) -> str | None:
    if evidence.erased:
        return "erased"
    if snapshot is None or not (snapshot.text or "").strip() or _pictorial(evidence):
        return "no-source-text"
    return "quote-too-long" if len(evidence.quote) > QUOTE_LIMIT else None


def _pictorial(evidence: EvidenceAt) -> bool:
    """Tell whether evidence points at a picture alone: a box on a page and no place in a text."""
    if evidence.start_char is not None or "bbox" not in (evidence.selector or ""):
        return False
    try:
        selector = json.loads(evidence.selector or "")
    except (ValueError, RecursionError):
        return False
    return isinstance(selector, dict) and "bbox" in selector
