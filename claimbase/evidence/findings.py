"""What the deterministic checks look at and what they find."""

from __future__ import annotations

from dataclasses import dataclass

from claimbase.evidence.model import ClaimAt, EvidenceAt, Match, SnapshotAt, SourceAt
from claimbase.evidence.terms import Outcome


@dataclass(frozen=True, slots=True)
class Finding:
    """How a check ended, and why in one line."""

    outcome: Outcome
    detail: str


@dataclass(frozen=True, slots=True)
class Reading:
    """One quote of a claim, beside the text it was found in.

    Args:
        match: how it was found; unverifiable where no text is held.
        source: None where the dossier does not know it. snapshot: None where no text is held.
    """

    claim: ClaimAt
    evidence: EvidenceAt
    match: Match
    source: SourceAt | None
    snapshot: SnapshotAt | None

    @property
    def quote(self) -> str:
        """The words of the source; none where they were erased."""
        return "" if self.evidence.erased else self.evidence.quote

    @property
    def profile(self) -> str:
        """How the quote was written."""
        return self.snapshot.profile if self.snapshot else "plain"

    @property
    def title(self) -> str:
        """The title of the page."""
        return (self.source and self.source.title) or ""

    @property
    def text(self) -> str | None:
        """The text as read, if it is held and the quote was found in it."""
        return self.snapshot.text if self.snapshot and self.match.start is not None else None

    @property
    def span(self) -> tuple[int, int]:
        """Where the quote stands in the text; only where there is one."""
        start = self.match.start or 0
        return start, self.match.end or start


def passed(detail: str) -> Finding:
    """Make a finding that the check holds."""
    return Finding(Outcome.PASSED, detail)


def failed(detail: str) -> Finding:
    """Make a finding that it does not."""
    return Finding(Outcome.FAILED, detail)


def skipped(detail: str) -> Finding:
    """Make a finding that it cannot be told, with the reason."""
    return Finding(Outcome.SKIPPED, detail)
