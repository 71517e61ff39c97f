"""Diff against hand-written SQL on the same table: a full outer join of the two states by slot and value.

    .venv/bin/python tests/benchmarks/diffs.py --sizes 10000,100000,1000000

Figures are CPU seconds of this process, medians of interleaved runs; only the ratios travel between machines.
"""

from __future__ import annotations

import argparse
import math
import tempfile
from itertools import pairwise
from pathlib import Path

from run import loaded, medians, text

import claimbase as cb
from claimbase.analysis.diff import AXES, Diff

FROM, TO = "2022-06-01", "2022-06-08"


def measure(kb: cb.Claimbase, claims: int, rounds: int) -> float:
    """Print the figures of one size; give the CPU seconds of a whole diff."""
    found = kb.diff(FROM, TO)
    ours, hand = params(found)
    took = medians(
        {
            "query": lambda: kb.db.file("queries/diff", ours),
            "hand": lambda: kb.db.query(text("hand_diff"), hand),
            "diff": lambda: kb.diff(FROM, TO),
            "one subject": lambda: kb.diff(FROM, TO, subjects=["Subject 7"]),
        },
        rounds,
    )
    rows, expected = len(kb.db.file("queries/diff", ours)), len(kb.db.query(text("hand_diff"), hand))
    assert rows == expected, (rows, expected)
    print(
        f"H2 n={claims:>9,}: query {took['query'] * 1e3:8.1f} ms = {took['query'] / took['hand']:5.2f} x hand;"
        f" cited {took['diff'] * 1e3:9.1f} ms, {len(found.changes):,} changes, {rows:,} values,"
        f" {took['diff'] * 1e6 / max(1, rows):,.0f} us a value; one subject {took['one subject'] * 1e3:6.1f} ms",
        flush=True,
    )
    return took["query"]


def params(found: Diff) -> tuple[dict[str, object], dict[str, object]]:
    """Give the parameters of our statement and of the hand-made one."""
    ours: dict[str, object] = {"subjects": None, "predicates": None}
    for prefix, basis in (("", found.a), ("then_", found.b)):
        ours |= {f"{prefix}{field}": getattr(basis, field) for field in AXES.values()}
    return ours, {"a": found.a.valid_at, "b": found.b.valid_at, "o": found.a.observed_by}


def main() -> None:
    """Run the benchmark at the chosen sizes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="10000,100000,1000000")
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    seconds: dict[int, float] = {}
    for claims in map(int, given.sizes.split(",")):
        with tempfile.TemporaryDirectory() as folder:
            kb, _ = loaded(claims, Path(folder))
            seconds[claims] = measure(kb, claims, given.rounds)
            kb.close()
    sizes = sorted(seconds)
    for small, large in pairwise(sizes):
        exponent = math.log(seconds[large] / seconds[small]) / math.log(large / small)
        print(f"F5 growth from {small:,} to {large:,}: exponent {exponent:.2f} (target 1.1)", flush=True)


if __name__ == "__main__":
    main()
