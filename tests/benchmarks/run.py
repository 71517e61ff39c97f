"""Benchmarks with ratios in one run: F2 and F8 against hand-written SQL on the same table, F9 loading.

    .venv/bin/python tests/benchmarks/run.py --sizes 10000,100000,1000000

Figures are CPU seconds of this process, medians of interleaved runs; only the ratios travel between machines.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb

import claimbase as cb
from claimbase.temporal import read_instant

HERE = Path(__file__).parent
AS_OF = "2022-06-01"
OPERATORS = (">=", "<=", ">=", "<=")
THRESHOLDS = (150_000, 350_000, 100_000, 400_000)
PREDICATES = (0, 1, 2, 3)
PACK = {
    "pack": {"name": "benchmark", "title": "Benchmark"},
    "predicates": {f"metric_{n:02d}": {"kind": "quantity", "unit": "token"} for n in range(41)},
}


def text(name: str, **words: str) -> str:
    """Give a statement of this folder with its gaps filled."""
    sql = (HERE / f"{name}.sql").read_text(encoding="utf-8")
    for word, value in words.items():
        sql = sql.replace(f"__{word.upper()}__", value)
    return sql


def generate(claims: int, path: Path) -> None:
    """Write a seeded world as Parquet."""
    connection = duckdb.connect(config={"threads": 1})
    connection.execute(text("world", path=str(path)), {"claims": claims})


def cpu(action: Callable[[], Any]) -> float:
    """Time an action in CPU seconds of this process, all threads together."""
    start = time.process_time()
    action()
    return time.process_time() - start


def medians(actions: dict[str, Callable[[], Any]], rounds: int) -> dict[str, float]:
    """Run actions in turns, so that what disturbs one disturbs all; the first round is not counted."""
    times: dict[str, list[float]] = {name: [] for name in actions}
    for _ in range(rounds + 1):
        for name, action in actions.items():
            times[name].append(cpu(action))
    return {name: statistics.median(taken[1:]) for name, taken in times.items()}


def hand(kb: cb.Claimbase, name: str, k: int, basis: Any) -> tuple[str, dict[str, Any]]:
    """Write the hand-made statement for k constraints."""
    ids = dict(kb.db.query("SELECT name, predicate_id FROM cb.predicate").rows)
    branches = " UNION ALL ".join(text("hand_branch", i=str(i), bit=str(1 << i), op=OPERATORS[i]) for i in range(k))
    params = {"mask": (1 << k) - 1, "t": basis.valid_at, "o": basis.observed_by}
    for i in range(k):
        params |= {f"p{i}": ids[f"metric_{PREDICATES[i]:02d}"], f"v{i}": THRESHOLDS[i]}
    return text(name, branches=branches), params


def asking(kb: cb.Claimbase, claims: int, k: int, rounds: int) -> None:
    """F2 and F8: constraint answers against the best hand-written shapes on the same table."""
    asked = [f"metric_{PREDICATES[i]:02d} {OPERATORS[i]} {THRESHOLDS[i]}" for i in range(k)]
    answer = kb.answer(*asked, as_of=AS_OF)
    uncited, params = hand(kb, "hand_uncited", k, answer.basis)
    cited, _ = hand(kb, "hand_cited", k, answer.basis)
    scan = "SELECT sum(value_min), max(observed_from), max(retracted_at) FROM cb.claim"
    took = medians(
        {
            "plan": lambda: kb.db.query(answer.sql, answer.params),
            "answer": lambda: kb.answer(*asked, as_of=AS_OF),
            "hand": lambda: kb.db.query(uncited, params),
            "hand cited": lambda: kb.db.query(cited, params),
            "scan": lambda: kb.db.query(scan),
        },
        rounds,
    )
    expected, found = len(kb.db.query(uncited, params).rows), answer.counts
    print(
        f"F2 n={claims:>9,} k={k}: plan {took['plan'] * 1e3:8.1f} ms = {took['plan'] / took['hand']:5.2f} x hand;"
        f" answer {took['answer'] * 1e3:8.1f} ms = {took['answer'] / took['hand cited']:5.2f} x hand cited;"
        f" scan {took['scan'] * 1e3:6.1f} ms; two-valued {expected:,} subjects, eligible {found['eligible']:,},"
        f" disputed {found['disputed']:,}",
        flush=True,
    )


def small(claims: int, rounds: int) -> None:
    """F8: a cited answer end to end on a small base."""
    asked = ("metric_00 >= 150000", "metric_01 <= 350000")
    with tempfile.TemporaryDirectory() as folder:
        kb, _ = loaded(claims, Path(folder))
        took = medians({"answer": lambda: kb.answer(*asked, as_of=AS_OF)}, rounds)
        print(f"F8 n={claims:>9,} k=2: cited answer {took['answer'] * 1e3:6.1f} ms CPU (target 5)", flush=True)
        kb.close()


def loaded(claims: int, folder: Path) -> tuple[cb.Claimbase, float]:
    """Generate, load through the public path, and give the base with the CPU seconds of the load."""
    parquet = folder / "world.parquet"
    generate(claims, parquet)
    kb = cb.open(folder / "world.duckdb", packs=[cb.load_pack(PACK)])
    seconds = cpu(lambda: kb.add(parquet))
    return kb, seconds


def loading(kb: cb.Claimbase, claims: int, seconds: float, folder: Path) -> None:
    """F9: the load against what the engine needs for the bare rows, and peak memory."""
    connection = duckdb.connect(str(folder / "bare.duckdb"))
    bare = cpu(
        lambda: connection.execute(
            "CREATE TABLE bare AS SELECT * FROM read_parquet($path) ORDER BY predicate, subject, effective_from",
            {"path": str(folder / "world.parquet")},
        )
    )
    connection.close()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    size = (folder / "world.duckdb").stat().st_size / 1e6
    print(
        f"F9 n={claims:>9,}: load {seconds:6.2f} s CPU = {claims / seconds:9,.0f} claims/s (target 400,000),"
        f" {seconds / bare:5.1f} x a bare sorted copy; peak memory so far {memory:.1f} GB; file {size:.0f} MB",
        flush=True,
    )


def main() -> None:
    """Run the benchmarks of the chosen sizes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="10000,100000,1000000")
    parser.add_argument("--rounds", type=int, default=9)
    given = parser.parse_args()
    print(f"claimbase on duckdb {duckdb.__version__}, as of {read_instant(AS_OF).date()}", flush=True)
    for claims in (10, 1_000):
        small(claims, given.rounds)
    for claims in map(int, given.sizes.split(",")):
        with tempfile.TemporaryDirectory() as folder:
            kb, seconds = loaded(claims, Path(folder))
            loading(kb, claims, seconds, Path(folder))
            for k in (1, 2, 4):
                asking(kb, claims, k, given.rounds)
            kb.close()


if __name__ == "__main__":
    main()
