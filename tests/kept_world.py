"""A small base that holds every text and number that a copy could spoil, and one digest of what it answers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from kit import NOW, Ticking, claim, day, pack

import claimbase
from claimbase.base import Claimbase
from claimbase.store import write
from claimbase.temporal import FixedClock

LATER = FixedClock(datetime(2026, 12, 1, tzinfo=UTC))
PAGE = "Lark 2 reads up to 262,144 tokens per request.\r\nIt costs $3 per million.\n\n\U0001f600 e\u0301\n"

# Each has spoilt a copy somewhere: nothing and the word for nothing, quotes, separators, line ends, marks of order and
# direction, decomposed letters, signs beyond the basic plane, what looks like a list, a number, a formula or a comment.
TEXTS = (
    "", " ", "NULL", "null", "\\N", "None", "nan", '"', '""', "'", "''", "`", ",", ";", "\t", "|", "\n", "\r", "\r\n",
    'a,"b"\n"c",d', "a\n\nb", "x\\", "\\n", '\\"', "[]", "[1, 2]", "{}", "{'a': 1}", "['a', NULL]", "[NULL]", "(x)",
    "\u202eabc\u202c", "\u2066x\u2069", "\ufeff", "\ufeffx", "\u00a0", "\u2028", "\u200b", "e\u0301", "\u00e9",
    "\U0001f600", "\U0001f468\u200d\U0001f469", "\u0085", "\x01", "\x1b[31m", "\x7f", "=1+1", "-0", "-0.0", "1e999",
    "007", "0x10", "-- x", "/* x */", "#x", "%", "true", "2026-03-01", "9999-12-31 23:59:59.999999+00", "  both  ",
    "$param", "{{x}}", "<b>&amp;", "a" * 5000, "1" * 38,
)  # fmt: skip
SAYABLE = [text for text in TEXTS if not set(text) & set("\u202e\u2066\x01\x1b\x7f\u0085")]
LISTS: tuple[list[str | None], ...] = ([], [""], ["NULL"], [None], ["NULL", None, ""], [*TEXTS[:40]], [",", "']"])
NUMBERS = (0, 1, 2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1)
DOUBLES = ([0.1, -0.0, 1e300, 5e-324, 1 / 3], [], None)
DECIMALS = (
    "12345678901234567890123456.123456789012", "-99999999999999999999999999.999999999999", "0.000000000001", "-0",
)  # fmt: skip
INSTANTS = (
    "0001-01-02 00:00:00+00", "9999-12-30 00:00:00+00", "9999-12-29 23:59:59.999999+00",
    "1969-12-31 23:59:59.999999+00", "2026-03-29 01:59:59.000001+00", "1582-10-10 00:00:00+00",
)  # fmt: skip

TEXT = "INSERT INTO cb.watch VALUES (1, $v, $v, true, $at)"
MAYBE = "INSERT INTO cb.support_check VALUES (NULL, $v, 'r', 'v', 'm', '', $v, '', $v, NULL, $at)"
MANY = """INSERT INTO cb.quote_check
VALUES ('e', 'r', 'p', 's', 't', NULL, NULL, 5, 0, '', NULL, NULL, NULL, '[]', $v, $v, $at)"""
BOX = """INSERT INTO cb.evidence
VALUES ('e', 1, 's', 'supports', 0, 'q', '', NULL, 1, NULL, NULL, $v, '', NULL, NULL, 'm', $at)"""
DECIMAL = """INSERT INTO cb.meaning
VALUES (18446744073709551615, 9223372036854775808, NULL, $v::DECIMAL(38, 12), NULL, true, false, true, '', $at)"""
INSTANT = """INSERT INTO cb.retraction_notice
VALUES ('10.1/x', 's', left($v, 10)::DATE, NULL, '', NULL, NULL, $v::TIMESTAMPTZ, $at)"""
NUMBER = "INSERT INTO cb.watch_state VALUES (1, 1, 'p', 's', true, false, $v, [], [], $at)"
PAGES = """INSERT INTO cb.snapshot
VALUES ('sha256:ab/x', -1, NULL, NULL, 'ab', NULL, NULL, 'p', NULL, $v, NULL, NULL, $at)"""
RECEIPT = "INSERT INTO cb.receipt VALUES ('r', 'claim', true, $v, sha256($v), 0, $at)"
SPOILING: tuple[tuple[str, Iterable[Any]], ...] = (
    (TEXT, TEXTS), (MAYBE, (*(text or None for text in TEXTS), "")), (MANY, LISTS), (BOX, DOUBLES), (DECIMAL, DECIMALS),
    (INSTANT, INSTANTS), (NUMBER, [list(NUMBERS)]), (PAGES, ([1, 2**31 - 1], [], None)),
    (RECEIPT, TEXTS),
)  # fmt: skip


def world(path: Path | None = None) -> Claimbase:
    """Make the base: some verbs of every kind, then rows that hold the values above where no rule asks for more."""
    kb = claimbase.open(path, clock=Ticking(), packs=[pack()])
    kb.db.query("SET GLOBAL threads = 1")
    snapshot = kb.sources.ingest(PAGE, uri="https://norden.example/pricing", observed_at=day(1)).snapshot_id
    kb.add([claim("$3", day(1), quote="It costs $3 per million.")], snapshot=str(snapshot))
    said = [
        claim("x", day(3), subject=f"Gull {i}", predicate="vendor", quote=f"says {text} here", reasoning=text or None)
        for i, text in enumerate(SAYABLE)
    ]
    whole = {"effective_from": "0001-01-02", "effective_until": "2999-12-30"}
    kb.add([
        claim("$4", day(5)), claim("$5", day(5), source={"url": "https://other.example/"}),
        claim(f"${DECIMALS[0]}", day(2), subject="Wren", scope={"mode": "batch"}), claim("$0", day(2), subject="Crow"),
        claim("-0.0 tokens", day(2), subject="Crow", predicate="context", quote="-0.0 tokens", **whole), *said,
    ])  # fmt: skip
    ids = {row["subject"]: row["claim_id"] for row in kb.claims()}
    kb.correct(ids["Wren"], {"value": "$7", "quote": "$7"}, reason='a "typo"\n')
    kb.retract(ids["Gull 8"], reason="withdrawn, 'so'")
    kb.merge("Gull 9", "Gull 10", reason="the\tsame")
    kb.erase(ids["Gull 11"], reason="law")
    with write(kb.db, "test") as under_way:
        for statement, values in SPOILING:
            for value in values:
                under_way.transaction.run(statement, {"v": value, "at": under_way.recorded_at})
    return kb


def answers(kb: Claimbase) -> str:
    """Give one digest of what a base answers at instants before, between and after its batches (answer_hash)."""
    batches = [row[0] for row in kb.db.query("SELECT recorded_at FROM cb.batch ORDER BY batch_id")]
    said: list[Any] = []
    for recorded_by in (batches[len(batches) // 2], batches[-1]):
        known: dict[str, Any] = {"recorded_by": recorded_by, "observed_by": NOW}
        said += [kb.answer("price <= 5", as_of=as_of, **known).to_json() for as_of in ("2026-03-02", "2026-04-01")]
        said += [kb.contradictions(as_of="2026-04-01", **known).to_json(), kb.claims(**known)]
    return hashlib.sha256(json.dumps(said, sort_keys=True, default=str).encode()).hexdigest()


def left_over(folder: Path) -> list[str]:
    """Name what a keeping verb should not leave behind."""
    return [one.name for one in folder.iterdir() if one.name.endswith((".unfinished", ".wal"))]
