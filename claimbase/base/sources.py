"""Sources and the texts they were read with: ``kb.sources``."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from claimbase.base.arguments import checked
from claimbase.base.browsing import Browsing
from claimbase.store import Moment

if TYPE_CHECKING:
    from claimbase.analysis.sources import SourceDetail, Timeline
    from claimbase.analysis.sources import Sources as SourceList
    from claimbase.ingest.describing import SourceReport
    from claimbase.ingest.snapshots import IngestResult


@checked
class Sources:
    """The sources of a base: what they said, what was decided about them, the texts they were read with."""

    def __init__(self, kb: Browsing) -> None:
        self._kb = kb

    def ingest(
        self, text: str | bytes | None, *, uri: str, observed_at: str | datetime | None, **options: Any
    ) -> IngestResult:
        """Store what was read at an address; nothing is overwritten, nothing is fetched (P1).

        Args:
            text: at most 16 MiB of text, or bytes of text, HTML or PDF; None = the page could not be read.
            uri: its address, or the id of its source.
            observed_at: when it was read; required (P4).
            options: profile, media_type, selector, published_at, declared_version, tool, http_status, accept,
                mirror_of, source, refuse, known; see :func:`claimbase.ingest.snapshots.ingest`.

        Raises:
            SnapshotRefusedError: [not_text], [refused_challenge], [refused_shrunk], [refused_duplicate_body].
            LimitError, InstantError, EvidenceError, UnknownSourceError, InputError.
        """
        from claimbase.ingest.snapshots import ingest

        return ingest(self._kb.db, text, uri=uri, observed_at=observed_at, **options)

    def ingest_pages(
        self,
        path: str | Path,
        *,
        url_keys: Sequence[str] | None = None,
        text_keys: Sequence[str] | None = None,
        observed_at: str | None = None,
    ) -> int:
        """Store the pages of a file as one batch; what a guard refuses is logged as refused.

        Args:
            path: JSON lines, as a crawler or a search gave them.
            url_keys, text_keys: the fields that name a row's source and hold its text, by precedence; None = the usual.
            observed_at: when they were read, where the rows do not say.

        Returns:
            How many pages the file holds.

        Raises:
            InputError, InstantError, LimitError: a row is refused; nothing is stored.
        """
        from claimbase.importers.pages import TEXT_KEYS, URL_KEYS, read_pages
        from claimbase.ingest.snapshots import ingest_all

        pages = list(
            read_pages(
                Path(path), url_keys=url_keys or URL_KEYS, text_keys=text_keys or TEXT_KEYS, observed_at=observed_at
            )
        )
        ingest_all(self._kb.db, pages)
        return len(pages)

    def add(self, uri: str, *, observed_at: str | datetime | None = None, **said: Any) -> SourceReport:
        """Make a source known, and what it says of itself, before any text of it is read.

        Args:
            uri: its address.
            observed_at: when it was seen to say so; needed with anything said.
            said: title, publisher, published_at, source_type, authority, derived_from.

        Raises:
            EvidenceError, InstantError, InputError, LimitError.
        """
        from claimbase.ingest.describing import add_source

        return add_source(self._kb.db, uri, observed_at=observed_at, source=said)

    def set(self, source: str, **decided: Any) -> SourceReport:
        """Decide about a source; what is left out stays as it was decided before.

        Args:
            source: its id or address.
            decided: allowed, reason, freshness_days, doi, tenant, mirror_of; see
                :func:`claimbase.ingest.describing.set_source`.

        Raises:
            UnknownSourceError: [unknown_source]; EvidenceError: [bad_doi]; InputError: [no_reason], [out_of_range].
        """
        from claimbase.ingest.describing import set_source

        return set_source(self._kb.db, source, **decided)

    def list(self, *, observed_by: Moment | None = None, recorded_by: Moment | None = None) -> SourceList:
        """List the sources, by address.

        Args:
            observed_by, recorded_by: what was known; None = now.

        Raises:
            InstantError.
        """
        from claimbase.analysis.sources import sources

        return sources(self._kb.db, self._kb.basis(None, observed_by, recorded_by))

    def show(
        self, source: str, *, observed_by: Moment | None = None, recorded_by: Moment | None = None
    ) -> SourceDetail:
        """Show one source whole: its texts and every reading of it, also those refused.

        Args:
            source: its id or address.
            observed_by, recorded_by: what was known; None = now.

        Raises:
            UnknownSourceError: [unknown_source]; InstantError.
        """
        from claimbase.analysis.sources import source as shown

        return shown(self._kb.db, self._kb.basis(None, observed_by, recorded_by), source)

    def timeline(self, *, observed_by: Moment | None = None, recorded_by: Moment | None = None) -> Timeline:
        """Tell which sources were read when, by domain.

        Args:
            observed_by, recorded_by: what was known; None = now.

        Raises:
            InstantError.
        """
        from claimbase.analysis.sources import timeline

        return timeline(self._kb.db, self._kb.basis(None, observed_by, recorded_by))
