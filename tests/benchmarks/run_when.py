"""Benchmarks of intervals: F5 and the "when" shape against a hand-written sweep over the same table.

    .venv/bin/python tests/benchmarks/run_when.py --sizes 10000,100000,1000000

The sweep is two-valued: it knows no dispute, no exception and no possible claim, and cites nothing.
"""

from __future__ import annotations

import argparse
import math
import tempfile
from pathlib import Path
from typing import Any

import duckdb
from run import AS_OF, OPERATORS, PREDICATES, THRESHOLDS, loaded, medians, text

import claimbase as cb
from claimbase.answers.intervals import next_change
from claimbase.constraints import conditions


def sweep(kb: cb.Claimbase, k: int, basis: Any) -> tuple[str, dict[str, Any]]:
    """Write the hand-made sweep for k constraints."""
    ids = dict(kb.db.query("SELECT name, predicate_id FROM cb.predicate").rows)
    parts = (text("hand_when_branch", i=str(i), bit=str(i), op=OPERATORS[i]) for i in range(k))
    params = {"k": k, "o": basis.observed_by}
    for i in range(k):
        params |= {f"p{i}": ids[f"metric_{PREDICATES[i]:02d}"], f"v{i}": THRESHOLDS[i]}
    return text("hand_when", branches=" UNION ALL ".join(parts)), params


def asking(kb: cb.Claimbase, claims: int, k: int, rounds: int) -> float:
    """Print the times of one size and number of constraints; give those of the plan."""
    asked = [f"metric_{PREDICATES[i]:02d} {OPERATORS[i]} {THRESHOLDS[i]}" for i in range(k)]
    found = kb.when(*asked, as_of=AS_OF)
    ((sql, params),) = found.statements
    by_hand, given = sweep(kb, k, found.basis)
    vocabulary, stated = kb.vocabulary(found.basis), [one for text in asked for one in conditions(text)]
    took = medians(
        {
            "plan": lambda: kb.db.query(sql, params),
            "when": lambda: kb.when(*asked, as_of=AS_OF),
            "page": lambda: kb.when(*asked, as_of=AS_OF, limit=50),
            "change": lambda: next_change(kb.db, vocabulary, stated, found.basis),
            "hand": lambda: kb.db.query(by_hand, given),
        },
        rounds,
    )
    intervals = sum(len(one.certain) for one in found.subjects)
    print(
        f"when n={claims:>9,} k={k}: plan {took['plan'] * 1e3:8.1f} ms = {took['plan'] / took['hand']:5.2f} x hand;"
        f" cited {took['when'] * 1e3:8.1f} ms; first 50 subjects {took['page'] * 1e3:8.1f} ms;"
        f" next change {took['change'] * 1e3:8.1f} ms; {len(found.subjects):,} subjects, {intervals:,} certain"
        f" intervals, by hand {len(kb.db.query(by_hand, given).rows):,}",
        flush=True,
    )
    return took["plan"]


def main() -> None:
    """Run the benchmarks of the chosen sizes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="10000,100000,1000000")
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    print(f"claimbase on duckdb {duckdb.__version__}", flush=True)
    times: dict[int, list[tuple[int, float]]] = {2: [], 4: []}
    for claims in map(int, given.sizes.split(",")):
        with tempfile.TemporaryDirectory() as folder:
            kb, _ = loaded(claims, Path(folder))
            for k, taken in times.items():
                taken.append((claims, asking(kb, claims, k, given.rounds)))
            kb.close()
    for k, taken in times.items():
        (first, short), (last, long) = taken[0], taken[-1]
        if last > first:
            growth = math.log(long / short) / math.log(last / first)
            print(f"F5 when k={k}: growth exponent {growth:.2f} from {first:,} to {last:,} claims (target 1.1)")


if __name__ == "__main__":
    main()
