"""Pages put straight into a base: sources with what they say of themselves and their texts as read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from claimbase.sources import source_key, url_key
from claimbase.store import Db, write

FIRST = datetime(2026, 3, 1, tzinfo=UTC)

_SOURCES = """
INSERT INTO cb.source
SELECT r.no, r.key, r.url, r.page, $at FROM (SELECT unnest(from_json($rows,
  '[{"no": "INTEGER", "key": "VARCHAR", "url": "VARCHAR", "page": "VARCHAR"}]')) AS r)
WHERE r.page NOT IN (SELECT url_key FROM cb.source)"""
_ATTRIBUTES = """
INSERT INTO cb.source_attribute
SELECT s.source_id, r.seen, r.title, r.publisher, NULL, r.source_type, r.authority, r.derived_from, $at
FROM (SELECT unnest(from_json($rows, '[{"page": "VARCHAR", "seen": "TIMESTAMPTZ", "title": "VARCHAR",
  "publisher": "VARCHAR", "source_type": "VARCHAR", "authority": "VARCHAR", "derived_from": "VARCHAR"}]')) AS r)
JOIN cb.source AS s ON s.url_key = r.page"""
_SNAPSHOTS = """
INSERT INTO cb.snapshot (snapshot_id, source_id, text, text_sha256, profile, recorded_at)
SELECT DISTINCT 'sha256:' || r.digest || '/' || r.key, s.source_id, r.text, r.digest, 'plain', $at
FROM (SELECT unnest(from_json($rows,
  '[{"page": "VARCHAR", "key": "VARCHAR", "text": "VARCHAR", "digest": "VARCHAR"}]')) AS r)
JOIN cb.source AS s ON s.url_key = r.page WHERE r.text IS NOT NULL"""
_FETCHES = """
INSERT INTO cb.fetch (fetch_id, source_id, requested_uri, tool, fetched_at, snapshot_id, disposition, recorded_at)
SELECT r.key || r.seen, s.source_id, r.url, 'test', r.seen,
  CASE WHEN r.text IS NOT NULL THEN 'sha256:' || r.digest || '/' || r.key END, r.disposition, $at
FROM (SELECT unnest(from_json($rows, '[{"page": "VARCHAR", "key": "VARCHAR", "url": "VARCHAR", "seen": "TIMESTAMPTZ",
  "text": "VARCHAR", "digest": "VARCHAR", "disposition": "VARCHAR"}]')) AS r)
JOIN cb.source AS s ON s.url_key = r.page"""


@dataclass(frozen=True)
class Page:
    """One page as read; `day` counts from 1 March 2026."""

    url: str
    text: str | None = None
    day: int = 0
    publisher: str | None = None
    authority: str = "third_party"
    source_type: str = "other"
    derived_from: str | None = None
    title: str | None = None
    disposition: str = "accepted"

    @property
    def key(self) -> str:
        """The source's id."""
        return source_key(url_key(self.url))


def put(db: Db, *pages: Page) -> None:
    """Put pages into a base; of a source that is there already, a further reading."""
    ((start,),) = db.query("SELECT coalesce(max(source_id), 0) FROM cb.source").rows
    rows = [_row(page, start + number) for number, page in enumerate(pages, 1)]
    first = {row["page"]: row for row in reversed(rows)}
    with write(db, "test") as under_way:
        for statement, given in (
            (_SOURCES, list(first.values())), (_ATTRIBUTES, rows), (_SNAPSHOTS, rows), (_FETCHES, rows),
        ):  # fmt: skip
            under_way.transaction.run(statement, {"rows": json.dumps(given), "at": under_way.recorded_at})


def _row(page: Page, number: int) -> dict[str, Any]:
    digest = page.text and hashlib.sha256(page.text.encode()).hexdigest()
    return {
        "no": number, "key": page.key, "url": page.url, "page": url_key(page.url), "text": page.text, "digest": digest,
        "seen": (FIRST + timedelta(days=page.day)).isoformat(), "title": page.title, "publisher": page.publisher,
        "source_type": page.source_type, "authority": page.authority, "disposition": page.disposition,
        "derived_from": page.derived_from and url_key(page.derived_from),
    }  # fmt: skip


def words(seed: int, number: int) -> Iterable[str]:
    """Give words that no other seed has."""
    return [f"w{seed}x{one}" for one in range(number)]


def prose(seed: int, number: int = 60) -> str:
    """Give a text of words that no other seed has."""
    return " ".join(words(seed, number)) + "."
