"""Publications behind sources: which DOIs they have and name, and what providers say of them at a basis."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any, ClassVar

from claimbase.analysis.dossier import sources_at
from claimbase.analysis.result import Result, plain
from claimbase.evidence.model import SourceAt
from claimbase.evidence.notices import acknowledged, doi_of_address, dois
from claimbase.evidence.terms import NoticeStatus
from claimbase.present.words import counted
from claimbase.sources import doi_key
from claimbase.store import Db
from claimbase.temporal import Basis

COUNTED = {
    "retracted": NoticeStatus.RETRACTED, "concerns": NoticeStatus.CONCERN, "corrected": NoticeStatus.CORRECTED,
    "unavailable": NoticeStatus.UNAVAILABLE, "unchecked": NoticeStatus.UNCHECKED,
}  # fmt: skip
"""What is counted of publications, and the status each count is of."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What providers say of a publication at a basis.

    Args:
        doi: in one spelling.
        status: the most severe of what they say; unchecked where none was asked.
        notice_date, notice_url, provider: of the notice that decides.
    """

    doi: str
    status: NoticeStatus
    notice_date: date | None = None
    notice_url: str | None = None
    provider: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Give the finding as plain data."""
        day = self.notice_date and self.notice_date.isoformat()
        return {
            "doi": self.doi, "status": self.status.value, "date": day, "notice_url": self.notice_url,
            "provider": self.provider,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class SourceDoi:
    """A publication that a source is, or names.

    Args:
        where: setting (somebody said so), uri, or text: the source's text names it.
        noted: the source's text says near it that it is retracted.
    """

    source_id: str
    uri: str
    where: str
    noted: bool
    finding: Finding

    def to_json(self) -> dict[str, Any]:
        """Give the row as plain data."""
        return {
            "source_id": self.source_id, "uri": self.uri, "where": self.where, **self.finding.to_json(),
            "noted_in_document": self.noted,
        }  # fmt: skip


@dataclass(frozen=True, slots=True, repr=False)
class Sweep(Result):
    """The publications behind all sources of a base, with what providers say of them.

    Args:
        found: by source and DOI.
        basis: what was known.
    """

    found: tuple[SourceDoi, ...]
    basis: Basis

    COLUMNS: ClassVar[tuple[str, ...]] = (
        "source_id", "uri", "where", "doi", "status", "date", "provider", "notice_url", "noted_in_document",
    )  # fmt: skip

    @property
    def counts(self) -> dict[str, int]:
        """How many publications there are, and how many of each status of COUNTED."""
        statuses = [one.status for one in {row.finding.doi: row.finding for row in self.found}.values()]
        checked = sum(status is not NoticeStatus.UNCHECKED for status in statuses)
        return {"dois": len(statuses), "dois_checked": checked} | {
            name: statuses.count(status) for name, status in COUNTED.items()
        }

    @property
    def summary(self) -> str:
        """Say the result in one sentence."""
        told = ", ".join(f"{number} {name}" for name, number in self.counts.items() if name in COUNTED and number)
        return f"{counted(self.counts['dois'], 'DOI')}: {told or 'nothing against them'}" if self.found else "no DOIs"

    def rows(self) -> list[dict[str, Any]]:
        """Give one row per source and DOI."""
        return [{name: row.to_json()[name] for name in self.COLUMNS} for row in self.found]

    def to_json(self) -> dict[str, Any]:
        """Give the result as plain data."""
        return {"summary": self.summary, **self.counts, "rows": self.rows(), "basis": plain(self.basis)}


def sweep(db: Db, basis: Basis) -> Sweep:
    """Find the DOI of each source and those its text names, and what providers say of them.

    Args:
        db: the base; nothing is asked of anybody.
        basis: what was known: notices that providers had by then, texts as read by then.
    """
    sources = sources_at(db, basis)
    axes = {"observed_by": basis.observed_by, "recorded_by": basis.recorded_by}
    texts = dict(db.file("queries/texts_with_dois", axes).rows)
    named = [(source, *one) for source in sources.values() for one in _named(source, texts.get(source.source_id, ""))]
    told = findings(db, basis, {doi for _, doi, _, _ in named})
    return Sweep(
        tuple(SourceDoi(one.source_id, one.uri, where, noted, told[doi]) for one, doi, where, noted in named), basis
    )


def findings(db: Db, basis: Basis, dois: Iterable[str]) -> dict[str, Finding]:
    """Tell what providers say of some publications, by DOI.

    Args:
        db: the base.
        basis: notices that providers had, and this base held, by then.
        dois: in one spelling, as `sources.doi_key` gives them.

    Returns:
        One finding for each; unchecked where nobody was asked.
    """
    asked = sorted(set(dois))
    axes = {"observed_by": basis.observed_by, "recorded_by": basis.recorded_by, "dois": asked}
    found = {
        row["doi_key"]: Finding(
            row["doi_key"], NoticeStatus(row["status"]), row["notice_date"], row["notice_url"], row["provider"]
        )
        for row in db.file("queries/retractions", axes).dicts()
    }
    return {doi: found.get(doi) or Finding(doi, NoticeStatus.UNCHECKED) for doi in asked}


def _named(source: SourceAt, text: str) -> Iterator[tuple[str, str, bool]]:
    """Give the DOIs of a source, each with where it was found first and whether its text notes a retraction."""
    stated = source.doi_key and doi_key(source.doi_key)
    places = [(stated, "setting"), (doi_of_address(source.uri), "uri")]
    where = {doi: place for doi, place in reversed(places) if doi}
    noted: dict[str, bool] = {}
    for one in dois(text):
        where.setdefault(one.key, "text")
        noted[one.key] = noted.get(one.key, False) or acknowledged(text, one.start, one.end)
    for doi, place in sorted(where.items()):
        yield doi, place, noted.get(doi, False)
