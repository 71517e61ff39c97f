"""Writes: whole or not at all (test_faults.py: each failure at each statement); a chained ledger; a clock set back."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import textwrap
import time
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from kit import (
    NOW,
    TABLES,
    Ticking,
    base,
    chained,
    claim,
    day,
    digest,
    gone,
    opened,
    pack,
    script,
    standing,
)

import claimbase
from claimbase.base import Claimbase
from claimbase.errors import (
    InstantError,
    StoreError,
)
from claimbase.store import Db, write
from claimbase.temporal import TICK, FixedClock, iso


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Give the path of a base that does not exist yet."""
    return tmp_path / "some.duckdb"


# -- C4, G2: atomic --------------------------------------------------------------------------------------------------


def _broken(db: Db, error: BaseException | None) -> None:
    with db.atomic() as outer, db.atomic() as inner:
        assert inner is outer
        inner.run("CREATE TABLE cb.mine (x INTEGER)")
        if error is not None:
            raise error
        inner.run("SELECT nonsense")


@pytest.mark.parametrize(("error", "raised"), [(ZeroDivisionError(), ZeroDivisionError), (None, StoreError)])
def test_the_first_error_is_raised(error: BaseException | None, raised: type[BaseException]) -> None:
    """C4: what broke the transaction comes out, not the rollback's error; nested blocks are undone together."""
    kb = base(FixedClock(NOW))
    with pytest.raises(raised):
        _broken(kb.db, error)
    assert "mine" not in {table for (table,) in kb.db.query(TABLES)}
    assert kb.add([claim()]).added == 1


def test_a_commit_that_stores_nothing_is_noticed() -> None:
    """C4: the engine's COMMIT of a failed transaction reports success; the ledger row read back tells the truth."""
    kb = base(FixedClock(NOW))
    before = digest(kb.db)

    def swallow() -> None:
        with write(kb.db, "test") as under_way:
            transaction, file = under_way.transaction, under_way.transaction.file
            alias = "INSERT INTO cb.alias VALUES ('subject', 1, 2, false, $at, NULL)"
            transaction.run(alias, {"at": under_way.recorded_at})

            def fail_after(name: str, *given: Any) -> Any:
                rows = file(name, *given)
                if name == "ledger/batch":
                    with suppress(StoreError):
                        transaction.run("SELECT error('broken')")
                return rows

            transaction.file = fail_after  # type: ignore[method-assign]

    with pytest.raises(StoreError) as refused:
        swallow()
    assert (refused.value.code, digest(kb.db)) == ("commit_unconfirmed", before)


def test_an_interrupted_load(path: Path) -> None:
    """X52: Ctrl-C during a load rolls back and is raised as KeyboardInterrupt.

    One thread: the engine looks for Ctrl-C only where its main thread works, not where that waits for another.
    """
    opened(path).close()
    ran = script(
        """
        import os, signal, sys, threading, claimbase
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
        kb = claimbase.open(sys.argv[1])
        kb.db.query("SET GLOBAL threads = 1")
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            with kb.db.atomic() as transaction:
                transaction.run("INSERT INTO cb.alias VALUES ('subject', 1, 2, false, now(), NULL)")
                transaction.run("SELECT sum(a.i * b.i) FROM range(3000000) AS a(i), range(3000000) AS b(i)")
        except KeyboardInterrupt:
            print("stopped", kb.db.query("SELECT count(*) FROM cb.alias").rows)
        """,
        path,
    )
    assert ran.stdout == "stopped [(0,)]\n", ran.stderr


@pytest.mark.slow
@pytest.mark.parametrize("turn", range(8))
def test_a_killed_writer(path: Path, turn: int) -> None:
    """G1: what was acknowledged before the process was killed is there; a batch is there whole or not at all."""
    child = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(
            """
            import sys, claimbase
            from kit import claim, pack
            kb = claimbase.open(sys.argv[1], packs=[pack()])
            for batch in range(1_000):
                kb.add([claim(f"${n}", subject=f"s {batch} {n}") for n in range(3)])
                print(batch, flush=True)
            """
        ), str(path)],
        stdout=subprocess.PIPE, text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])},
    )  # fmt: skip
    assert child.stdout is not None
    acked = [child.stdout.readline() for _ in range(2)]
    time.sleep(0.05 * turn)
    child.send_signal(signal.SIGKILL)
    acked += child.stdout.read().splitlines()
    child.wait()
    child.stdout.close()
    kb = opened(path)
    batches = kb.db.query("SELECT batch_id, versions_added FROM cb.batch WHERE verb = 'add' ORDER BY ALL").rows
    assert len(batches) in (len(acked), len(acked) + 1)
    assert {added for _, added in batches} == {3}
    assert kb.db.query("SELECT count(*) FROM cb.claim").rows == [(3 * len(batches),)]
    assert chained(kb.db)
    kb.close()


# -- the ledger and the clock ----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_ledger_chains() -> None:
    """G6: one row a write, each root another, each naming the one before; the same writes give the same roots."""
    roots = []
    for value in ("$2", "$2", "$4"):
        kb = base(FixedClock(NOW))
        kb.add([claim()])
        kb.add([claim(value, day(5))])
        kb.add([gone(claim(value), day(9))])
        kb.add([claim("$7", day(11), subject="the same in all")])
        assert chained(kb.db)
        roots.append([root for (root,) in kb.db.query("SELECT root FROM cb.batch ORDER BY batch_id")])
        assert len(set(roots[-1])) == 6
        assert all(re.fullmatch("[0-9a-f]{64}", root) for root in roots[-1])
    assert roots[0] == roots[1]
    assert roots[0][:3] == roots[2][:3]
    assert roots[0][3] != roots[2][3]
    assert roots[0][4] != roots[2][4]
    assert roots[0][5] != roots[2][5]


def _root(kb: Claimbase) -> str:
    return str(kb.db.file("ledger/head").rows[0][2])


@pytest.fixture(scope="module")
def plain_root() -> str:
    """The root of a base that was told one plain claim, twice over."""
    roots = set()
    for _ in range(2):
        kb = base(FixedClock(NOW))
        kb.add([claim()])
        roots.add(_root(kb))
    (root,) = roots
    return root


CHANGES = [
    {"quote": "Another quote."}, {"subject": "Lark 3"}, {"observed_at": day(2)}, {"value": "$3.00"}, {"ordinal": 3},
    {"source": {"url": "https://norden.example/pricing", "title": "Prices"}}, {"effective_until": "2027"},
]  # fmt: skip
MORE_CHANGES = [
    {"provider": "Other"}, {"scope": {"mode": "batch"}}, {"predicate": "vendor"}, {"polarity": "absent"},
    {"source": {"url": "https://norden.example/other"}}, {"effective_from": "2026-01"}, {"reasoning": "because"},
    {"complete": True}, {"selector": "p"}, {"confidence": "low"}, {"unit": "USD/Mtok"},
]  # fmt: skip


@pytest.mark.parametrize(
    "change",
    [*CHANGES[:3], *(pytest.param(change, marks=pytest.mark.slow) for change in CHANGES[3:] + MORE_CHANGES)],
    ids=lambda change: next(iter(change)),
)
def test_everything_told_is_in_the_root(plain_root: str, change: dict[str, Any]) -> None:
    """G6: two bases that were told anything different have different roots."""
    kb = base(FixedClock(NOW))
    kb.add([claim(**change)])
    assert _root(kb) != plain_root


class Scripted:
    """A clock that tells what it is told to."""

    def __init__(self, *moments: datetime) -> None:
        self.moments = list(moments)

    def now(self) -> datetime:
        """Give the next moment; the last one for ever."""
        return self.moments.pop(0) if len(self.moments) > 1 else self.moments[0]


@pytest.mark.parametrize(
    "steps",
    [(0, -3_600, 3_600, -1), *(pytest.param(steps, marks=pytest.mark.slow) for steps in ((0, 0, 0), (5, 4, 3)))],
)
def test_recorded_at_never_goes_back(steps: tuple[int, ...]) -> None:
    """B4, G13: strictly increasing, max(clock, last + 1 µs), whatever the clock does; a basis answered stays closed."""
    clock = FixedClock(NOW)
    kb = base(clock)
    before: list[tuple[datetime, Any]] = []
    for number, seconds in enumerate(steps):
        clock.moment = NOW + timedelta(seconds=seconds)
        last = kb.db.file("ledger/head").rows[0][1]
        kb.add([claim(f"${number}", day(number + 1))])
        at = kb.db.file("ledger/head").rows[0][1]
        assert at == max(clock.moment, last + TICK)
        before.append((at, standing(kb.db, at)))
    for at, held in before:
        assert standing(kb.db, at) == held
    instants = [at for (at,) in kb.db.query("SELECT recorded_at FROM cb.batch ORDER BY batch_id")]
    assert all(one < other for one, other in pairwise(instants))


def test_now_is_read_once_a_call() -> None:
    """A1, G13: every axis of one basis has one now, though the clock moves; what was just written is known.

    Recorded time has got as far as the newest batch by then (A1).
    """
    kb = base(Ticking())
    basis = kb.basis()
    assert basis.valid_at == basis.observed_by == basis.now > basis.recorded_by
    assert basis.recorded_by == kb.db.file("ledger/head").rows[0][1]
    back = claimbase.open(clock=Scripted(NOW, NOW, NOW, NOW - timedelta(hours=1)), packs=[pack()])
    back.add([claim()])
    late = back.basis()
    assert late.recorded_by == back.db.file("ledger/head").rows[0][1] > late.now
    with pytest.raises(InstantError):
        back.basis(recorded_by=iso(late.recorded_by + TICK))


def test_one_instant_a_batch() -> None:
    """B4: every row of a batch carries the batch's instant."""
    kb = base(Ticking())
    kb.add([claim(), claim("$4", day(2), scope={"mode": "x"}, subject="Other 1", source={"url": "https://o.example/"})])
    known = {at for (at,) in kb.db.query("SELECT recorded_at FROM cb.batch")}
    for (table,) in kb.db.query(TABLES):
        if table != "migration":
            found = {at for (at,) in kb.db.query(f"SELECT recorded_at FROM cb.{table}")}  # noqa: S608
            assert found <= known, table
