"""Many small logs laid into one base, so that F runs over all of them at once."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from copies import empty
from oracle.active import LOWEST as LOWEST_TICK
from oracle.active import Box
from oracle.derive import End, PredicateFlags, Statement, derive
from oracle.small_worlds import Case

from claimbase.store.db import statement
from claimbase.temporal import LOWEST, FixedClock

ZERO = datetime(2026, 1, 1, tzinfo=UTC)
NOW = datetime(2026, 6, 1, tzinfo=UTC)
WIDTH = 16  # claim numbers per case
TABLES = (
    "statement", "meaning", "entry", "reading", "source_mode", "predicate", "predicate_declaration", "decision",
)  # fmt: skip

TOUCH = "CREATE OR REPLACE TEMP TABLE touched AS SELECT DISTINCT predicate_id, subject_id, scope_id FROM cb.statement"
DIFFERENT = """
SELECT (SELECT count(*) FROM (FROM derived EXCEPT ALL FROM expected))
  + (SELECT count(*) FROM (FROM expected EXCEPT ALL FROM derived))"""

Row = tuple[Any, ...]


def at(tick: int | None) -> datetime | None:
    """Give the instant of a tick of the oracle; one tick is a microsecond."""
    if tick is None:
        return None
    return (
        LOWEST + timedelta(microseconds=tick - LOWEST_TICK) if tick < -(10**9) else ZERO + timedelta(microseconds=tick)
    )


class Logs:
    """Cases in a base, and what the oracle expects of each.

    Args:
        cases: logs; each gets a source of its own. Three share a slot, six a subject: they must not meet.
    """

    def __init__(self, cases: Iterable[Case]) -> None:
        self.cases = list(cases)
        self.db = empty(FixedClock(NOW))
        rows: dict[str, list[Row]] = {table: [] for table in TABLES}
        predicates: dict[PredicateFlags, int] = {}
        used: Counter[int] = Counter()
        for number, case in enumerate(self.cases, 1):
            predicate = predicates.setdefault(case.predicate, len(predicates) + 1)
            subject, scope = used[predicate] // 6, used[predicate] // 3 % 2
            used[predicate] += 1
            for table, row in self.laid(number, case, (predicate, subject, scope)):
                rows[table].append(row)
        for flags, predicate in predicates.items():
            rows["predicate"].append((predicate, f"p{predicate}", NOW))
            rows["predicate_declaration"].append((predicate, "test", declaration(f"p{predicate}", flags), NOW))
        with self.db.atomic() as transaction:
            for table, laid in rows.items():
                transaction.run(f"CREATE OR REPLACE TEMP TABLE laid AS FROM cb.{table} LIMIT 0")
                transaction.append("laid", laid)
                transaction.run(f"INSERT INTO cb.{table} FROM laid")

    def close(self) -> None:
        """Close the base."""
        self.db.close()

    def laid(self, number: int, case: Case, slot: tuple[int, int, int]) -> Iterator[tuple[str, Row]]:
        """Give the rows of one case, each with its table."""
        return _rows(number, case, (*slot, number))

    def expected(self) -> set[Row]:
        """Give the rows that the oracle derives, as the table `derived` has them."""
        return {
            _expected(WIDTH * number + place[box.claim], box, case)
            for number, case in enumerate(self.cases, 1)
            for place in [{name: n for n, (name, _) in enumerate(case.statements)}]
            for box in derive(dict(case.statements), case.entries, case.source, case.predicate)
        }

    def derived(self, sql: str | None = None) -> list[Row]:
        """Give the rows that F derives, or those of another text."""
        with self.db.atomic() as transaction:
            transaction.run(TOUCH)
            transaction.run(sql or statement("derive/derived"), {"recorded_at": NOW, "lowest": LOWEST})
            return transaction.run("FROM derived").rows

    def expect(self, rows: Iterable[Row]) -> None:
        """Keep what is right in the base, so that other texts can be compared there."""
        with self.db.atomic() as transaction:
            transaction.run(TOUCH)
            transaction.run(statement("derive/derived"), {"recorded_at": NOW, "lowest": LOWEST})
            transaction.run("CREATE TEMP TABLE IF NOT EXISTS keep AS FROM derived LIMIT 0")
            transaction.append("keep", rows)
            transaction.run("CREATE TABLE expected AS FROM keep")

    def differences(self, sql: str) -> int:
        """Count the rows in which a text differs from what is right."""
        with self.db.atomic() as transaction:
            transaction.run(TOUCH)
            transaction.run(sql, {"recorded_at": NOW, "lowest": LOWEST})
            return int(transaction.run(DIFFERENT).rows[0][0])

    def told(self, row: Row) -> str:
        """Tell the story of a row: its case in words, for a failed test."""
        case = self.cases[row[0] // WIDTH - 1]
        log = " ".join(
            f"{'-' if e.kind == 'gone' else ''}{e.claim}@{e.o}" + ("" if e.ordinal is None else f"#{e.ordinal}")
            for e in sorted(case.entries, key=lambda e: e.o)
        )
        return f"{dict(case.statements)}\n  {log}\n  {case.source} {case.predicate}\n  {row}"


def explain(logs: Logs, got: Sequence[Row], expected: set[Row], most: int = 3) -> str:
    """Tell the first differences, case by case; nothing where there are none."""
    extra, missing = set(got) - expected, expected - set(got)
    lines = [f"extra: {logs.told(row)}" for row in sorted(extra, key=repr)[:most]]
    lines += [f"missing: {logs.told(row)}" for row in sorted(missing, key=repr)[:most]]
    doubled = len(got) - len(set(got))
    return "\n".join(lines + ([f"{doubled} rows come twice"] if doubled else []))


def _rows(number: int, case: Case, slot: tuple[int, int, int, int]) -> Iterator[tuple[str, Row]]:
    source = case.source
    if source.whole or source.complete or source.own:
        yield "source_mode", (number, source.whole, source.complete, source.own, NOW)
    for o in sorted({*source.readings, *(entry.o for entry in case.entries)}):
        yield "reading", (number, at(o), "read", source.whole, None, None, NOW)
    place = {}
    for nth, (name, said) in enumerate(case.statements):
        place[name] = claim = WIDTH * number + nth
        yield "statement", (claim, *slot, said.polarity == "absent", False, "v", *(None,) * 4, *stated(said), NOW)
        value = 99 if said.polarity == "absent" else ord(str(said.value))
        yield "meaning", (claim, value, None, None, None, False, False, False, None, NOW)
    for nth, entry in enumerate(case.entries):
        quote = _quotes(case, entry.claim).get((entry.o, nth))
        yield "entry", (*slot, place[entry.claim], at(entry.o), entry.ordinal, entry.kind, quote, NOW)


def _quotes(case: Case, claim: str) -> dict[tuple[int, int], int]:
    """Give the readings of a claim that quote it, each with a quote of its own; every third one only confirms it."""
    said = [(e.o, nth) for nth, e in enumerate(case.entries) if (e.claim, e.kind) == (claim, "said")]
    return {(o, nth): 1000 * (o + 1) + nth for o, nth in said if nth % 3 or len(said) < 3 or nth == said[-1][1]}


def stated(said: Statement) -> Row:
    """Give the kinds and the four bounds of what a claim states, as the table `statement` ends."""
    start, end = said.stated_from if said.dated and said.stated_from else (None, None), _end(said.stated_until)
    kind = "unknown" if not said.dated else "known" if start[0] == start[1] else "imprecise"
    return (kind, end[0], at(start[0]), at(start[1]), at(end[1]), at(end[2]))


def _end(stated: End) -> tuple[str, int | None, int | None]:
    if isinstance(stated, str):
        return stated, None, None
    if stated == (None, None):
        return "open", None, None
    return "known" if stated[0] == stated[1] else "imprecise", *stated


def declaration(name: str, flags: PredicateFlags) -> str:
    """Give the declaration of a predicate."""
    cardinality = "single" if flags.single else "many"
    body = {"name": name, "kind": "text", "cardinality": cardinality, "aliases": [], "requires": []}
    return json.dumps(body | {"timeless": flags.timeless, "closed_world": flags.closed_world})


def _expected(claim: int, box: Box, case: Case) -> Row:
    quotes = _quotes(case, box.claim)
    read = {o for o, _ in quotes}
    cited = max((o for o in read if o <= box.observed_at), default=min(read, default=None))
    axes = (*box.bounds, box.observed_at, box.observed_from, box.observed_until)
    return (claim, min((quote for (o, _), quote in quotes.items() if o == cited), default=None), *map(at, axes))
