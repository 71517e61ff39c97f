"""Benchmarks with ratios in one run: F2 and F8 against hand-written SQL on the same table, F9 loading;
C12 many constraints in one question.

    .venv/bin/python tests/benchmarks/run.py --sizes 10000,100000,1000000

Figures are CPU seconds of this process, medians of interleaved runs; only the ratios travel between machines.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb

import claimbase as cb
from claimbase.answers.naming import ids_of
from claimbase.compiler import compiled
from claimbase.constraints import all_typed, conditions
from claimbase.temporal import read_instant

HERE = Path(__file__).parent
AS_OF = "2022-06-01"
OPERATORS = (">=", "<=", ">=", "<=", ">=", "<=")
THRESHOLDS = (150_000, 350_000, 100_000, 400_000, 50_000, 450_000)
PREDICATES = (0, 1, 2, 3, 4, 5)
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


def generate(claims: int, path: Path, part: str = "true") -> None:
    """Write a seeded world, or a part of it, as Parquet."""
    with duckdb.connect(config={"threads": 1}) as connection:
        connection.execute(text("world", path=str(path), part=part), {"claims": claims})


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


def asking(kb: cb.Claimbase, k: int, rounds: int) -> dict[str, float]:
    """F2: constraint answers against the best hand-written shapes on the same table; CPU seconds by name."""
    asked = [f"metric_{PREDICATES[i]:02d} {OPERATORS[i]} {THRESHOLDS[i]}" for i in range(k)]
    answer = kb.answer(*asked, as_of=AS_OF)
    uncited, params = hand(kb, "hand_uncited", k, answer.basis)
    cited, _ = hand(kb, "hand_cited", k, answer.basis)
    took = medians(
        {
            "plan": lambda: kb.db.query(answer.sql, answer.params),
            "answer": lambda: kb.answer(*asked, as_of=AS_OF).citations,
            "hand": lambda: kb.db.query(uncited, params),
            "hand cited": lambda: kb.db.query(cited, params),
        },
        rounds,
    )
    # Who is eligible by certain claims alone is found by hand too; by hand, disputes and exceptions are not seen.
    by_hand = {row[0] for row in kb.db.query(uncited, params).rows}
    sure = [one.subject for one in answer.eligible if all(said.certain for said in one.citations)]
    missed = {row[0] for row in kb.db.query(text("found"), {"names": sure}).rows} - by_hand
    assert not missed, sorted(missed)[:5]
    return took


def small(claims: int, rounds: int) -> float:
    """F8: a cited answer end to end on a small base, in CPU seconds."""
    asked = ("metric_00 >= 150000", "metric_01 <= 350000")
    with tempfile.TemporaryDirectory() as folder:
        kb, _ = loaded(claims, Path(folder))
        took = medians({"answer": lambda: kb.answer(*asked, as_of=AS_OF).citations}, rounds)
        kb.close()
    return took["answer"]


def many(kb: cb.Claimbase, count: int, rounds: int) -> dict[str, float]:
    """C12: an answer to so many constraints, all different, given as texts and as objects; CPU seconds by part."""
    texts = [f"metric_{n % 41:02d} {OPERATORS[n % 2]} {n * 7919 % 500_000}.{n % 97:02d}" for n in range(count)]
    objects = conditions(texts)
    answer = kb.answer(*texts, as_of=AS_OF)
    words = kb.vocabulary(answer.basis)
    tests = tuple(all_typed(objects, words))
    ids = ids_of(kb.db, answer.basis, tests, ())
    took = medians(
        {
            "texts": lambda: kb.answer(*texts, as_of=AS_OF),
            "objects": lambda: kb.answer(*objects, as_of=AS_OF),
            "read": lambda: conditions(texts),
            "type": lambda: tuple(all_typed(objects, words)),
            "compile": lambda: compiled(tests, ids, answer.basis),
            "run": lambda: kb.db.query(answer.sql, answer.params),
        },
        rounds,
    )
    return took | {"collect": took["objects"] - took["type"] - took["compile"] - took["run"]}


def loaded(claims: int, folder: Path) -> tuple[cb.Claimbase, float]:
    """Generate, load through the public path, and give the base with the CPU seconds of the load."""
    parquet = folder / "world.parquet"
    generate(claims, parquet)
    kb = cb.open(folder / "world.duckdb", packs=[cb.load_pack(PACK)])
    seconds = cpu(lambda: kb.add(parquet))
    return kb, seconds


def bare(parquet: Path, folder: Path) -> float:
    """F9: what the engine needs for the bare rows in order, in CPU seconds."""
    with duckdb.connect(str(folder / "bare.duckdb")) as connection:
        sql = "CREATE TABLE bare AS SELECT * FROM read_parquet($path) ORDER BY predicate, subject, effective_from"
        return cpu(lambda: connection.execute(sql, {"path": str(parquet)}))


def main() -> None:
    """Print F2, F8 and F9 at the chosen sizes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="10000,100000,1000000")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--constraints", type=int, default=100_000)
    given = parser.parse_args()
    print(f"claimbase on duckdb {duckdb.__version__}, as of {read_instant(AS_OF).date()}", flush=True)
    for claims in (10, 1_000):
        print(f"F8 n={claims:>9,} k=2: cited answer {small(claims, given.rounds) * 1e3:.1f} ms CPU", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        kb, _ = loaded(3_000, Path(folder))
        told = ", ".join(f"{part} {took:.2f}" for part, took in many(kb, given.constraints, 3).items())
        print(f"C12 n=    3,000 k={given.constraints:,}: {told} s CPU", flush=True)
        kb.close()
    for claims in map(int, filter(None, given.sizes.split(","))):
        with tempfile.TemporaryDirectory() as folder:
            kb, seconds = loaded(claims, Path(folder))
            ratio = seconds / bare(Path(folder) / "world.parquet", Path(folder))
            print(f"F9 n={claims:>9,}: {claims / seconds:,.0f} claims/s, {ratio:.1f} x a bare copy", flush=True)
            for k in (1, 2, 4, 6):
                took = asking(kb, k, given.rounds)
                ratios = took["plan"] / took["hand"], took["answer"] / took["hand cited"]
                print(f"F2 n={claims:>9,} k={k}: plan {ratios[0]:.2f}, answer {ratios[1]:.2f} x by hand", flush=True)
            kb.close()


if __name__ == "__main__":
    main()
