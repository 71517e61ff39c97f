"""Readers beside a writer: each sees whole batches, in order, while snapshots are published under it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from kit import claim, figure, pack

import claimbase
from claimbase.base import Claimbase
from claimbase.errors import LimitError
from claimbase.store import db as db_module
from claimbase.store import engine
from claimbase.temporal import SystemClock

SUBJECTS = 5
# Every batch gives all subjects one price, higher than the last: a read of two prices is mixed, a lower one went back.
READER = """
    import json, os, sys
    from pathlib import Path
    import claimbase
    from test_keeping_readers import look
    snapshot, stop = Path(sys.argv[1]), Path(sys.argv[2])
    seen = {"reads": 0, "errors": [], "mixed": 0, "back": 0, "prices": []}
    with claimbase.open(snapshot, read_only=True) as kb:
        look(kb, seen)
        stop.with_name(f"reading-{os.getpid()}").touch()
        while not stop.exists():
            look(kb, seen)
    print(json.dumps(seen))
"""


def look(kb: Claimbase, seen: dict[str, Any]) -> None:
    """Ask once, in one of three ways in turn, and note what is wrong with the answer."""
    ways = (answered, listed, counted)
    try:
        prices = ways[seen["reads"] % len(ways)](kb)
    except Exception as error:  # noqa: BLE001 - whatever a reader meets counts
        seen["errors"].append(repr(error))
        prices = {-1}
    seen["reads"] += 1
    seen["mixed"] += len(prices) != 1
    newest = max(prices)
    seen["back"] += bool(seen["prices"]) and newest < seen["prices"][-1]
    if not seen["prices"] or newest != seen["prices"][-1]:
        seen["prices"].append(newest)


def answered(kb: Claimbase) -> set[int]:
    """Give the prices of a whole answer, which takes several statements; every subject must be in it."""
    found = kb.answer("price >= 0", limit=100)
    prices = {int(one.verdicts[0].value.removeprefix("$")) for one in found.eligible}
    return prices if len(found.eligible) == SUBJECTS else {*prices, -1}


def listed(kb: Claimbase) -> set[int]:
    """Give the highest price that each subject ever had."""
    highest: dict[str, int] = {}
    for row in kb.claims(limit=100_000):
        highest[row["subject"]] = max(highest.get(row["subject"], -1), int(row["value"].removeprefix("$")))
    return {*highest.values()} if len(highest) == SUBJECTS else {-1}


def counted(kb: Claimbase) -> set[int]:
    """Give the batch that each subject's newest claim came with, by SQL of one's own."""
    rows = kb.sql("SELECT count(*), max(value_min)::INTEGER FROM cb.claim GROUP BY subject_id").rows
    return {price for _, price in rows} if len({number for number, _ in rows}) == 1 else {-1, *(p for _, p in rows)}


def batch(kb: Claimbase, price: int) -> None:
    """Read one price for all subjects."""
    observed = SystemClock().now().isoformat()
    kb.add([claim(f"${price}", observed, subject=f"Lark {number}") for number in range(SUBJECTS)])


def published(folder: Path, seconds: float, readers: int = 2) -> list[dict[str, Any]]:
    """Publish again and again while readers read in processes of their own; give what each of them met."""
    snapshot, stop, price = folder / "reader.duckdb", folder / "stop", 0
    with claimbase.open(folder / "a.duckdb", packs=[pack()]) as kb:
        batch(kb, price)
        kb.publish(snapshot)
        command = [sys.executable, "-c", textwrap.dedent(READER), str(snapshot), str(stop)]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])}
        running = [
            subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) for _ in range(readers)
        ]
        while len(list(folder.glob("reading-*"))) < readers and not any(one.poll() for one in running):
            time.sleep(0.05)
        began = time.monotonic()
        while time.monotonic() - began < seconds or price < 2:
            price += 1
            batch(kb, price)
            kb.publish(snapshot)
        time.sleep(0.3)
        stop.touch()
        found = [json.loads(process.communicate(timeout=120)[0]) for process in running]
    print(f"{price + 1} snapshots; reads: {[one['reads'] for one in found]}")
    return found


def check(found: list[dict[str, Any]]) -> None:
    """G9: no error, no mixed batch, no going back; and they did follow."""
    assert [(one["errors"], one["mixed"], one["back"]) for one in found] == [([], 0, 0)] * len(found)
    assert all(one["reads"] > 1 for one in found)
    assert max(len(one["prices"]) for one in found) > 1


def test_readers_see_whole_batches_in_order(tmp_path: Path) -> None:
    """G9: a publisher and two reader processes, three snapshots: 0 errors, 0 mixed, 0 going back."""
    check(published(tmp_path, 0))


@pytest.mark.slow
def test_readers_see_whole_batches_in_order_for_long(tmp_path: Path) -> None:
    """G9: the same for twenty seconds; for a minute with CLAIMBASE_TIMES=3."""
    check(published(tmp_path, figure(20)))


@pytest.mark.slow
def test_threads_of_one_process_follow_together(tmp_path: Path) -> None:
    """G9, G10: readers in threads, on one base and on two, never meet a file half turned."""
    snapshot, stop = tmp_path / "reader.duckdb", threading.Event()
    met = [{"reads": 0, "errors": [], "mixed": 0, "back": 0, "prices": []} for _ in range(3)]

    def read(kb: Claimbase, seen: dict[str, Any]) -> None:
        while not stop.is_set() or not seen["reads"]:
            look(kb, seen)

    with claimbase.open(tmp_path / "a.duckdb", packs=[pack()]) as kb:
        batch(kb, 0)
        kb.publish(snapshot)
        one, other = (claimbase.open(snapshot, read_only=True) for _ in range(2))
        threads = [
            threading.Thread(target=read, args=(base, seen)) for base, seen in zip((one, one, other), met, strict=True)
        ]
        for thread in threads:
            thread.start()
        for price in range(1, 4):
            batch(kb, price)
            kb.publish(snapshot)
        time.sleep(0.2)
        stop.set()
        for thread in threads:
            thread.join()
        one.close()
        other.close()
    check(met)


SLOW = "SELECT count(*) FROM range(1500000) AS a(i), range(100) AS b(i) WHERE (a.i * b.i) % 7 = 3"
LIMIT = "SELECT current_setting('max_execution_time')"


def test_what_verifies_has_the_time_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """G6, G15: a reader's statement ends at its limit, one that verifies at a limit of its own, and at no other."""
    path = tmp_path / "some.duckdb"
    claimbase.open(path, packs=[pack()]).close()
    limits = ("SET GLOBAL max_execution_time = 200", "SET GLOBAL lock_configuration = true")
    monkeypatch.setattr(engine, "_READER_LIMITS", limits)
    for most, ends in ((600_000, False), (250, True)):
        monkeypatch.setattr(engine, "_PATIENCE", f"SET max_execution_time = {most}")
        with claimbase.open(path, read_only=True) as kb, claimbase.open(path, read_only=True) as neighbour:
            for one in (kb, neighbour):
                assert one.db.query(LIMIT).rows == [(200,)]
                with one.db.verifying():
                    assert one.db.query(LIMIT).rows == [(most,)]
                assert one.db.query(LIMIT).rows == [(200,)]
            with pytest.raises(LimitError, match="maximum execution time") as refused:
                kb.db.query(SLOW)
            assert refused.value.code == "timed_out"
            with neighbour.db.verifying():
                if ends:
                    with pytest.raises(LimitError):
                        neighbour.db.query(SLOW)
                else:
                    assert neighbour.db.query(SLOW).rows[0][0] > 0
    assert os.path.realpath(path) not in engine._PATIENT


def test_a_reader_verifies_with_patience(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """G6: every statement of `ledger verify` and of the state hash is asked with that limit, and nothing after them."""
    path, snapshot = tmp_path / "some.duckdb", tmp_path / "snapshot.duckdb"
    with claimbase.open(path, packs=[pack()]) as kb:
        batch(kb, 0)
        kb.publish(snapshot)
        batch(kb, 1)
        with claimbase.open(snapshot, read_only=True) as reader:
            asked: list[tuple[int]] = []
            run = db_module._run

            def noted(cursor: Any, sql: Any, *more: Any) -> Any:
                asked.extend(cursor.execute(LIMIT).fetchall())
                return run(cursor, sql, *more)

            monkeypatch.setattr(db_module, "_run", noted)
            assert reader.verify_ledger().ok
            assert len(asked) > 4
            assert reader.state_hash()
            assert set(asked) - {(0,)} == {(6 * 3_600_000,)}  # 0: of an empty base, to compare with
            assert asked.count((6 * 3_600_000,)) > 5
            asked.clear()
            reader.describe()
            assert set(asked) == {(30_000,)}
            kb.publish(snapshot)  # the reader turns, and what has patience turns with it
            assert reader.verify_ledger().batches == 4
            assert kb.verify_ledger().ok
