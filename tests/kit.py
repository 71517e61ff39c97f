"""Small things that tests of the lower half share: a pack, a claim, what a base holds, and its digest."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pytest
from copies import declared

import claimbase
from claimbase.base import Claimbase
from claimbase.store import Db
from claimbase.temporal import Clock, FixedClock
from claimbase.vocabulary import Pack, load_pack

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
PACK: dict[str, Any] = {
    "pack": {"name": "test", "title": "Test"},
    "predicates": {
        "price": {"kind": "quantity", "unit": "usd_per_mtok", "minimum": "0"},
        "context": {"kind": "quantity", "unit": "token", "aliases": ["ctx"]},
        "vision": {"kind": "bool"},
        "vendor": {"kind": "text"},
        "languages": {"kind": "set", "cardinality": "many"},
        "released": {"kind": "date", "timeless": True},
    },
}

Rows = list[tuple[Any, ...]]

STANDING = """
SELECT s.provider, s.name, p.name, o.qualifiers, r.url_key, t.value, c.value_min, c.value_max, c.value_id, u.name,
  c.absent, c.complete, c.min_open, c.max_open, c.dated, c.bounded,
  c.from_earliest, c.from_latest, c.until_earliest, c.until_latest, c.observed_at, c.observed_from, c.observed_until,
  q.quote, q.selector, q.reasoning, q.confidence
FROM cb.claim AS c
JOIN cb.subject AS s USING (subject_id)
JOIN cb.predicate AS p USING (predicate_id)
JOIN cb.scope AS o USING (scope_id)
JOIN cb.source AS r USING (source_id)
JOIN cb.statement AS t USING (claim_no)
JOIN cb.quote AS q USING (quote_id)
LEFT JOIN cb.unit AS u USING (unit_id)
WHERE c.recorded_at <= $recorded_by AND (c.retracted_at IS NULL OR c.retracted_at > $recorded_by)
ORDER BY ALL"""
GUARDS = "SELECT trigger_name, table_name FROM duckdb_triggers()"
TABLES = "SELECT table_name FROM duckdb_tables() WHERE schema_name = 'cb' ORDER BY table_name"


def drop_guards(db: Db) -> None:
    """Take every guard away, as somebody would who means it."""
    with db.atomic() as transaction:
        for name, table in db.query(GUARDS):
            transaction.run(f'DROP TRIGGER {name} ON cb."{table}"')


class Ticking:
    """A clock that moves on by a second whenever it is read."""

    def __init__(self, start: datetime = NOW) -> None:
        self.moment = start

    def now(self) -> datetime:
        """Give the next second."""
        self.moment += timedelta(seconds=1)
        return self.moment


def pack(**predicates: Mapping[str, Any]) -> Pack:
    """Make a pack; without arguments the one that most tests use."""
    return load_pack({"pack": PACK["pack"], "predicates": predicates} if predicates else PACK)


def base(clock: Clock | None = None, *packs: Pack, full: bool = False) -> Claimbase:
    """Open an empty base in memory with the test's pack; of a clock that has no place to be put at, made anew.

    Args:
        full: ask it by the product's plans, where the test is about what plans may change.
    """
    told, packs = clock or FixedClock(NOW), packs or (pack(),)
    kb = declared(told, packs) if type(told) in (FixedClock, Ticking) else claimbase.open(clock=told, packs=packs)
    kb.db.query("SET GLOBAL threads = 1")  # small worlds: a second thread only waits
    kb.db.query(f"SET GLOBAL disabled_optimizers = '{'' if full else short_plans()}'")
    return kb


@cache
def short_plans() -> str:
    """List what betters plans and takes longer than a small world gains by it; nothing if CLAIMBASE_PLANS=full."""
    listed = duckdb.sql("SELECT name FROM duckdb_optimizers() ORDER BY name").fetchall()
    full = os.environ.get("CLAIMBASE_PLANS") == "full"
    return ",".join(name for (name,) in listed if not full and name != "filter_pushdown")


def few(cases: Iterable[Any], every: int) -> list[Any]:
    """Give the cases of a parametrised test: the first of so many by default, the others to the slow run."""
    given = [case if type(case) is tuple else (case,) for case in cases]  # a named one is one value
    return [pytest.param(*case, marks=[pytest.mark.slow] if n % every else []) for n, case in enumerate(given)]


def figure(number: int) -> int:
    """Give how many cases a slow test takes: CLAIMBASE_TIMES=5 makes it five times as many."""
    return number * int(os.environ.get("CLAIMBASE_TIMES", "1"))


def claim(value: Any = "$3", observed_at: Any = "2026-03-01T00:00:00Z", **fields: Any) -> dict[str, Any]:
    """Make a claim that every rule accepts; fields given take the place of its own, None leaves one out."""
    whole = {
        "provider": "Norden AI", "subject": "Lark 2", "predicate": "price", "value": value, "observed_at": observed_at,
        "quote": f"It costs {value}.", "source": {"url": "https://norden.example/pricing"},
    }  # fmt: skip
    return {name: given for name, given in (whole | fields).items() if given is not None}


def day(number: int) -> str:
    """Write a day of March 2026."""
    return f"2026-03-{number:02}T00:00:00Z"


def gone(given: dict[str, Any], observed_at: str) -> dict[str, Any]:
    """Make the log entry that a reading no longer says a claim."""
    return given | {"entry": "gone", "observed_at": observed_at}


def standing(db: Db, recorded_by: datetime | None = None) -> Rows:
    """Give every standing version with names for numbers, without what arrival decides (version_id, recorded_at)."""
    return db.query(STANDING, {"recorded_by": recorded_by or datetime(2100, 1, 1, tzinfo=UTC)}).rows


def digest(db: Db) -> str:
    """Give one digest of every row of every table of a base, in an order that only their content decides."""
    whole = hashlib.sha256()
    for (table,) in db.query(TABLES):
        whole.update(table.encode())
        for row in sorted(map(repr, db.query(f"FROM cb.{table}"))):
            whole.update(row.encode())
    return whole.hexdigest()


def opened(path: Path, **options: Any) -> Claimbase:
    """Open a base with a clock that stands still, declaring nothing."""
    return claimbase.open(path, clock=FixedClock(NOW), packs=[pack()], **options)


def script(text: str, *arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a process of its own, with the tests' modules in reach."""
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(text), *map(str, arguments)],
        capture_output=True,
        check=False,
        text=True,
        timeout=120,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])} | environment,
    )


def chained(db: Db) -> bool:
    """Say whether every batch names the root of the one before it, without gaps."""
    rows = db.query("SELECT batch_id, root, prev FROM cb.batch ORDER BY batch_id").rows
    roots = ["", *(root for _, root, _ in rows)]
    return [n for n, _, _ in rows] == list(range(len(rows))) and [prev for *_, prev in rows] == roots[:-1]


def only_claim(kb: Claimbase) -> str:
    """Give the id of the one claim a base holds."""
    ((claim_id,),) = kb.db.query("SELECT cb.claim_id(claim_no) FROM cb.statement").rows
    return str(claim_id)
