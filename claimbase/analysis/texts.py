"""Looking into texts as read: where a quote stands, what surrounds it, what else says the value of a claim."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from claimbase.analysis.dossier import dossier, sources_at
from claimbase.analysis.result import Result
from claimbase.analysis.subjects import meant
from claimbase.claims import claim_id
from claimbase.errors import ClaimbaseError, ClaimNotFoundError, EvidenceError, UnknownSourceError, shown
from claimbase.evidence.align import SourceText, align
from claimbase.evidence.model import ClaimAt, Dossier, Match, SnapshotAt
from claimbase.evidence.suggest import Suggestion, suggest
from claimbase.evidence.terms import QuoteStatus
from claimbase.evidence.window import reading_window
from claimbase.present.words import counted
from claimbase.sources import url_key
from claimbase.store import Db
from claimbase.temporal import Basis


def find_quote(db: Db, basis: Basis, quote: str, source: str | None = None) -> list[tuple[str, Match]]:
    """Say how a quote stands in texts as read, the best first (N11).

    Args:
        db: the base.
        basis: which texts had been read.
        quote: the words.
        source: the id of a snapshot, or of a source for its newest text; None = the newest text of every source,
            of which only those that hold the quote are given.

    Raises:
        UnknownSourceError: [unknown_source] there is no such text.
        LimitError: [too_large] the quote is too long.
    """
    found = [(one.snapshot_id, align(quote, SourceText(one.text, one.profile))) for one in texts(db, basis, source)]
    if source is None:
        return [(name, match) for name, match in found if match.status == QuoteStatus.VERIFIED]
    if not found:
        raise UnknownSourceError(
            f"there is no text of {shown(source)}", code="unknown_source", hint="`claimbase source list` shows the ids"
        )
    return found


def texts(db: Db, basis: Basis, source: str | None = None) -> list[SnapshotAt]:
    """Give texts as read by a basis: one snapshot, the newest text of a source, or of every source."""
    known = {"observed_by": basis.observed_by, "recorded_by": basis.recorded_by}
    names = [row[0] for row in db.file("queries/texts_known", known | {"source": source})]
    rows = db.file("queries/dossier_snapshots", known | {"snapshots": names}).dicts()
    return [SnapshotAt(**row | {"page_offsets": None}) for row in rows]


def one_claim(db: Db, basis: Basis, claim_id: str) -> tuple[ClaimAt, Dossier]:
    """Give one claim with its dossier.

    Raises:
        InputError: [bad_claim_id]; ClaimNotFoundError: the basis does not see it.
    """
    held = dossier(db, basis, [claim_id])
    if not held.claims:
        raise ClaimNotFoundError(f"the basis sees no claim {claim_id}", hint="kb.claims() lists them")
    return held.claims[0], held


def window_of(db: Db, basis: Basis, evidence_id: str, radius: int = 1000) -> str:
    """Give the text around a piece of evidence, joined with the passage that names its subject (evidence §3).

    Args:
        db: the base.
        basis: what was known.
        evidence_id: e_ and 16 hexadecimal digits.
        radius: characters on either side.

    Raises:
        EvidenceError: [unknown_evidence] there is none, or no text is held of it.
    """
    found = db.file("queries/evidence_named", {"evidence_id": evidence_id}).rows
    held = dossier(db, basis, [claim_id(number) for _, number in found])
    for claim in held.claims:
        for one in claim.evidence:
            snapshot = held.snapshots.get(one.snapshot_id or "")
            if one.evidence_id == evidence_id and snapshot and snapshot.text and one.start_char is not None:
                end = one.start_char if one.end_char is None else one.end_char
                return reading_window(snapshot.text, one.start_char, end, claim.names, radius=radius).text
    raise EvidenceError(
        f"no text is held of evidence {shown(evidence_id)}", code="unknown_evidence", hint="receipts name evidence"
    )


@dataclass(frozen=True, slots=True, repr=False)
class Suggestions(Result):
    """Where texts at hand have a claim's value word for word; nothing of it is attached."""

    claim_id: str
    found: tuple[Suggestion, ...]

    COLUMNS: ClassVar[tuple[str, ...]] = ("quote", "snapshot_id", "source_id", "start", "end", "names_subject")

    @property
    def summary(self) -> str:
        """Say the result in one sentence."""
        return f"{self.claim_id}: {counted(len(self.found), 'passage')} with its value; nothing is attached"

    def rows(self) -> list[dict[str, Any]]:
        """Give one row per passage, those that name the subject first."""
        return [{name: getattr(one, name) for name in self.COLUMNS} for one in self.found]

    def to_json(self) -> dict[str, Any]:
        """Give the result as plain data."""
        return {"summary": self.summary, "claim_id": self.claim_id, "rows": self.rows()}


def suggestions(db: Db, basis: Basis, claim: str) -> Suggestions:
    """Look for a claim's value in the texts at hand.

    Args:
        db: the base.
        basis: which texts had been read.
        claim: the claim's id.

    Raises:
        ClaimNotFoundError: the basis does not see it.
    """
    one, _ = one_claim(db, basis, claim)
    return Suggestions(claim, tuple(suggest(one, texts(db, basis))))


def cited_texts(db: Db, basis: Basis, cited: Iterable[str | None]) -> dict[str, SourceText]:
    """Give the newest text of each source that is cited by its address or id; what is not known is left out.

    Args:
        db: the base.
        basis: which texts had been read.
        cited: addresses and ids.
    """
    held = {one.url_key: key for key, one in sources_at(db, basis).items()}
    found = {}
    for name in filter(None, dict.fromkeys(cited)):
        key = held.get(address(name) or "", name)
        for one in texts(db, basis, key)[:1]:
            found[name] = SourceText(one.text, one.profile)
    return found


def address(name: str) -> str | None:
    """Write an address in one spelling; None if it is none."""
    try:
        return url_key(name)
    except ClaimbaseError:
        return None


def sources_about(db: Db, basis: Basis, subject: str | None) -> list[dict[str, Any]]:
    """List the sources whose claims speak of a subject.

    Raises:
        InputError: [unknown_subject], [ambiguous_subject].
    """
    number = None if subject is None else meant(db, basis, subject, None).number
    known = {"observed_by": basis.observed_by, "recorded_by": basis.recorded_by}
    return db.file("queries/sources_about", known | {"subject": number}).dicts()
