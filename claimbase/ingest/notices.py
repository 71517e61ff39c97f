"""Notices about publications: from a file, or from a provider that the user asks; a query that fails is never ok."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from claimbase.errors import ClaimbaseError, EvidenceError, shown
from claimbase.evidence.notices import Notice, notice_day, notice_status
from claimbase.evidence.terms import NoticeStatus
from claimbase.ingest.append import reading_moment
from claimbase.ingest.verbs import VerbReport
from claimbase.sources import doi_key
from claimbase.store import Db, Write, write
from claimbase.temporal import iso


class NoticeProvider(Protocol):
    """A service that lists notices; its user asks it, claimbase opens no connection."""

    @property
    def name(self) -> str:
        """What the provider is called beside its notices."""
        ...

    def notices(self, dois: Sequence[str]) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """Answer for some publications.

        Args:
            dois: in one spelling, sorted.

        Returns:
            For each DOI that was looked up its notices, with status and perhaps notice_date, notice_url,
            provider_entry, asserted_by; an empty list = there are none. A DOI left out was not looked up; where an
            exception is raised, none was.
        """
        ...


def import_notices(db: Db, notices: Iterable[Notice]) -> VerbReport:
    """Log notices; what is known already is no news.

    Args:
        db: the base.
        notices: as :func:`claimbase.importers.notice_files.read_notices` gives them.

    Raises:
        InstantError: [future_observation] a provider cannot have been read yet.
    """
    with write(db, "import notices") as under_way:
        rows = [one.to_json() for one in notices]
        number = _log(under_way, rows)
    return VerbReport("import notices", f"{number:,} of {len(rows):,} notices are new", batch=_batch(under_way))


def ask_provider(
    db: Db, provider: NoticeProvider, dois: Iterable[str], *, observed_at: str | None = None
) -> VerbReport:
    """Ask a provider for publications and log its answers.

    What it fails to answer, or answers in no known form, is logged as unavailable: never as ok, and never in place of a
    notice known before.

    Args:
        db: the base.
        provider: whom to ask.
        dois: the publications.
        observed_at: when the answers hold; None = now, since they are given now.

    Raises:
        EvidenceError: [bad_doi] one is no DOI.
        InstantError: [future_observation].
    """
    keys = sorted({_key(doi) for doi in dois})
    answers, failure = _asked(provider, keys)
    with write(db, "ask for notices") as under_way:
        moment = observed_at or iso(under_way.recorded_at)
        rows = [row for key in keys for row in _rows(provider.name, key, answers.get(key), moment)]
        _log(under_way, rows)
    lost = sum(row["status"] == NoticeStatus.UNAVAILABLE for row in rows)
    words = f"{provider.name} was asked for {len(keys):,}: {lost:,} unavailable{f' ({failure})' if failure else ''}"
    return VerbReport("ask for notices", words, batch=_batch(under_way))


def _asked(provider: NoticeProvider, keys: Sequence[str]) -> tuple[Mapping[str, Any], str]:
    try:
        answers: object = provider.notices(keys)
    except Exception as error:  # noqa: BLE001  # a user's code, which fails in its own way
        return {}, f"{type(error).__name__}: {shown(error)}"
    return (answers, "") if isinstance(answers, Mapping) else ({}, "no mapping")


def _rows(provider: str, key: str, told: Any, observed_at: str) -> list[dict[str, Any]]:
    """Lay out a provider's answer for one publication; in no known form it is none."""
    try:
        notices = [
            Notice(
                key, notice_status(str(one["status"])), provider, observed_at, notice_day(one.get("notice_date")),
                *(None if (text := one.get(name)) is None else str(text) for name in _TEXTS),
            )
            for one in told
        ]  # fmt: skip
    except (ClaimbaseError, AttributeError, KeyError, TypeError, ValueError):
        notices = [Notice(key, NoticeStatus.UNAVAILABLE, provider, observed_at)]
    return [one.to_json() for one in notices or [Notice(key, NoticeStatus.OK, provider, observed_at)]]


_TEXTS = ("notice_url", "provider_entry", "asserted_by")


def _log(under_way: Write, rows: list[dict[str, Any]]) -> int:
    moments = {one: iso(reading_moment(one, under_way.recorded_at)) for one in {row["observed_at"] for row in rows}}
    whole = [row | {"observed_at": moments[row["observed_at"]]} for row in rows]
    return under_way.transaction.number(
        "log/notices", {"rows": json.dumps(whole), "recorded_at": under_way.recorded_at}
    )


def _key(doi: str) -> str:
    if key := doi_key(doi):
        return key
    raise EvidenceError(f"{shown(doi)} is no DOI", code="bad_doi", hint="10.1000/xyz123")


def _batch(under_way: Write) -> int | None:
    return under_way.batch.batch_id if under_way.batch else None
