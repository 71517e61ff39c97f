"""Sources: the list of them, one of them whole, and their timeline, each as a basis knows them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from claimbase.analysis.result import Result, plain
from claimbase.ingest.naming_sources import source_named
from claimbase.present.words import counted
from claimbase.store import Db
from claimbase.temporal import Basis


@dataclass(frozen=True, slots=True, repr=False)
class Sources(Result):
    """All sources known at a basis, by address."""

    found: tuple[Mapping[str, Any], ...]
    basis: Basis

    COLUMNS: ClassVar[tuple[str, ...]] = (
        "source_id", "uri", "title", "publisher", "published_at", "source_type", "authority", "derived_from", "allowed",
        "allowed_reason", "withdrawn", "freshness_days", "doi_key", "tenant", "mirror_of", "snapshots", "last_read_at",
        "last_disposition", "claims",
    )  # fmt: skip

    @property
    def summary(self) -> str:
        """Say the result in one sentence."""
        held = sum(one["snapshots"] > 0 for one in self.found)
        out = sum(not one["allowed"] or one["withdrawn"] is not None for one in self.found)
        told = f", {out} forbidden or withdrawn" if out else ""
        return f"{counted(len(self.found), 'source')}, {held} with a text as read{told}"

    def rows(self) -> list[dict[str, Any]]:
        """Give one row per source, by address."""
        return [dict(one) for one in self.found]

    def to_json(self) -> dict[str, Any]:
        """Give the result as plain data."""
        return {"summary": self.summary, "sources": plain(self.rows()), "basis": plain(self.basis)}


@dataclass(frozen=True, slots=True, repr=False)
class SourceDetail(Result):
    """One source whole at a basis.

    Args:
        about: its row of :class:`Sources`.
        texts: its texts as read, the first read first; in_use marks the newest.
        readings: every reading, also those refused.
        basis: what was known.
    """

    about: Mapping[str, Any]
    texts: tuple[Mapping[str, Any], ...]
    readings: tuple[Mapping[str, Any], ...]
    basis: Basis

    COLUMNS: ClassVar[tuple[str, ...]] = (
        "fetch_id", "fetched_at", "disposition", "snapshot_id", "requested_uri", "tool", "http_status", "accept_reason",
        "detail", "recorded_at",
    )  # fmt: skip

    @property
    def summary(self) -> str:
        """Say the result in one sentence."""
        numbers = [counted(len(self.readings), "reading"), counted(len(self.texts), "text")]
        return f"{self.about['uri']} ({self.about['source_id']}): {', '.join(numbers)}, " + counted(
            self.about["claims"], "claim"
        )

    def rows(self) -> list[dict[str, Any]]:
        """Give one row per reading, in order."""
        return [dict(one) for one in self.readings]

    def to_json(self) -> dict[str, Any]:
        """Give the result as plain data."""
        return {"summary": self.summary} | {
            name: plain(getattr(self, name)) for name in ("about", "texts", "readings", "basis")
        }


@dataclass(frozen=True, slots=True, repr=False)
class Timeline(Result):
    """Sources by domain, in the order in which they were first read (A58)."""

    found: tuple[Mapping[str, Any], ...]
    basis: Basis

    COLUMNS: ClassVar[tuple[str, ...]] = (
        "domain", "source_id", "uri", "title", "publisher", "published_at", "first_read_at", "last_read_at", "readings",
        "texts",
    )  # fmt: skip

    @property
    def summary(self) -> str:
        """Say the result in one sentence."""
        domains = {one["domain"] for one in self.found}
        return f"{counted(len(self.found), 'source')} of {counted(len(domains), 'domain')}"

    def rows(self) -> list[dict[str, Any]]:
        """Give one row per source, by domain and first reading."""
        return [dict(one) for one in self.found]

    def to_json(self) -> dict[str, Any]:
        """Give the result as plain data."""
        return {"summary": self.summary, "sources": plain(self.rows()), "basis": plain(self.basis)}


def sources(db: Db, basis: Basis) -> Sources:
    """List the sources known at a basis.

    Args:
        db: the base.
        basis: texts read, claims visible and decisions made by then.
    """
    return Sources(tuple(db.file("queries/sources", _axes(basis) | {"source": None}).dicts()), basis)


def source(db: Db, basis: Basis, name: str) -> SourceDetail:
    """Show one source whole.

    Args:
        db: the base.
        basis: what was known.
        name: its id or address.

    Raises:
        UnknownSourceError: [unknown_source] the basis knows no such source.
    """
    asked = _axes(basis) | {"source": source_named(db, name, basis.recorded_by).number}
    (about,) = db.file("queries/sources", asked).dicts()
    texts, readings = (tuple(db.file(f"queries/{one}", asked).dicts()) for one in ("source_texts", "source_fetches"))
    return SourceDetail(about, texts, readings, basis)


def timeline(db: Db, basis: Basis) -> Timeline:
    """Tell which sources were read when, by domain.

    Args:
        db: the base.
        basis: what was known.
    """
    return Timeline(tuple(db.file("queries/source_timeline", _axes(basis)).dicts()), basis)


def _axes(basis: Basis) -> dict[str, Any]:
    return {"observed_by": basis.observed_by, "recorded_by": basis.recorded_by}
