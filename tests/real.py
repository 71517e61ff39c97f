"""Real change logs read in plain Python: the oracle of the tests on real histories, and how they ask a base."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import claimbase as cb
from claimbase.importers.feed import Feed
from claimbase.values import folded

Line = dict[str, Any]
Key = tuple[str, str, str]
Story = list[tuple[datetime, Any]]
Rows = list[tuple[str, str, str]]
Values = dict[str, list[str]]

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
NOTHING: Values = {"certain": [], "possible": []}
ACTIVE = """
    SELECT t.value, CASE WHEN c.certain THEN 'certain' ELSE 'possible' END AS certainty, r.uri
    FROM cb.active($valid_at, $observed_by, $recorded_by) AS c
    JOIN cb.subject AS s ON s.subject_id = c.subject_id
    JOIN cb.predicate AS p ON p.predicate_id = c.predicate_id
    JOIN cb.statement AS t ON t.claim_no = c.claim_no
    JOIN cb.source AS r ON r.source_id = c.source_id
    WHERE s.name_key = $subject AND p.name = $predicate AND c.scope_id = 0 ORDER BY ALL"""


def lines(path: Path) -> list[Line]:
    """Read a change log."""
    raw = path.read_bytes()
    return list(map(json.loads, (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode().splitlines()))


def instant(text: str) -> datetime:
    """Read an instant, or a day's first one."""
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def stories(log: Iterable[Line]) -> dict[Key, Story]:
    """Give each key's values with the readings that changed them; None = gone; of one instant the last counts."""
    found: dict[Key, Story] = {}
    for line in log:
        story = found.setdefault((line["file"], line["subject"], line["path"]), [])
        if story and story[-1][0] == instant(line["observedAt"]):
            story.pop()
        story.append((instant(line["observedAt"]), line.get("value")))
    return found


def slice_of(log: list[Line], subjects: set[str], path: Path) -> Path:
    """Write the lines of some subjects, and one of every other reading, so that the source's pace stays as it is."""
    kept = [
        line
        for _, reading in groupby(log, key=itemgetter("observedAt"))
        for number, line in enumerate(reading)
        if line["subject"] in subjects or number == 0
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in kept), "utf-8")
    return path


def base(*feeds: Feed) -> cb.Claimbase:
    """Open a base that holds some feeds."""
    kb = cb.open(clock=cb.FixedClock(NOW))
    for feed in feeds:
        kb.load(feed)
    return kb


def said(
    kb: cb.Claimbase, subject: str, predicate: str, valid_at: datetime, observed_by: datetime
) -> list[tuple[str, str, str]]:
    """Give written value, certainty and address of every claim that is active in a slot at a basis."""
    asked = {"subject": folded(subject), "predicate": predicate, "valid_at": valid_at, "observed_by": observed_by}
    return kb.db.query(ACTIVE, asked | {"recorded_by": kb.basis().recorded_by}).rows


def active(
    kb: cb.Claimbase, subject: str, predicate: str, valid_at: datetime, observed_by: datetime
) -> dict[str, list[str]]:
    """Give the written values that are certain and possible in a slot at a basis."""
    found: Values = {"certain": [], "possible": []}
    for value, certainty, _ in said(kb, subject, predicate, valid_at, observed_by):
        found[certainty].append(value)
    return found


def only(value: Any) -> Values:
    """Say that one value is certain and nothing else possible; None = that nothing is said."""
    return NOTHING if value is None else {"certain": [str(value)], "possible": []}
