"""Benchmarks of growth: F5 how the analyses grow with the base, F6 one crowded slot against many small ones.

    .venv/bin/python tests/benchmarks/growth.py --sizes 10000,100000,1000000

Figures are CPU seconds of this process, medians of interleaved runs. A growth exponent is the slope between two sizes
on logarithmic scales: 1 = twice the claims take twice the time.
"""

from __future__ import annotations

import argparse
import math
import tempfile
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import duckdb
from run import AS_OF, OPERATORS, PACK, PREDICATES, THRESHOLDS, loaded, medians, text

import claimbase as cb

CROWDED, SMALL = 16_384, 4
TARGETS = {
    "contradictions, all time": 1.1,
    "contradictions at an instant": 1.1,
    "history of all": 1.1,
    "freshness": 1.1,
    "history of one subject": 0.65,
    "four constraints": 0.65,
}
FOUR = tuple(f"metric_{PREDICATES[i]:02d} {OPERATORS[i]} {THRESHOLDS[i]}" for i in range(4))


def analyses(kb: cb.Claimbase) -> dict[str, Callable[[], Any]]:
    """Give the analyses of F5 over a base."""
    basis = kb.basis(AS_OF)
    axes = {"valid_at": basis.valid_at, "observed_by": basis.observed_by, "recorded_by": basis.recorded_by}
    return {
        "contradictions, all time": lambda: kb.contradictions(all_time=True),
        "contradictions at an instant": lambda: kb.contradictions(as_of=AS_OF),
        "history of all": lambda: kb.db.query(text("all_segments"), axes),
        "four constraints": lambda: kb.answer(*FOUR, as_of=AS_OF),
        "freshness": lambda: kb.freshness(as_of=AS_OF),
        "history of one subject": lambda: kb.history("Subject 7", as_of=AS_OF),
    }


def growth(sizes: list[int], rounds: int) -> None:
    """F5: the time of each analysis at each size, and the exponents from size to size and over all."""
    taken: dict[int, dict[str, float]] = {}
    for claims in sizes:
        with tempfile.TemporaryDirectory() as folder:
            kb, _ = loaded(claims, Path(folder))
            taken[claims] = medians(analyses(kb), rounds)
            kb.close()
        print(
            f"   n={claims:>9,}: " + ", ".join(f"{name} {took * 1e3:,.0f} ms" for name, took in taken[claims].items())
        )
    for name, target in TARGETS.items():
        slopes = [exponent(taken, name, *pair) for pair in pairwise(sizes)]
        whole = exponent(taken, name, sizes[0], sizes[-1])
        steps = ", ".join(f"{slope:.2f}" for slope in slopes)
        print(f"F5 {name:30} exponent {whole:5.2f} (step by step {steps}; target {target})", flush=True)


def exponent(taken: dict[int, dict[str, float]], name: str, small: int, large: int) -> float:
    """Give the slope between two sizes on logarithmic scales."""
    if small == large:
        return math.nan
    return math.log(taken[large][name] / taken[small][name]) / math.log(large / small)


def crowded(claims: int, rounds: int) -> float:
    """F6: contradictions over all time, with all claims in few long slots and in many short ones; give the ratio."""
    bases = {}
    with tempfile.TemporaryDirectory() as folder:
        for per in (CROWDED, SMALL):
            path = Path(folder) / f"{per}.parquet"
            with duckdb.connect(config={"threads": 1}) as connection:
                connection.execute(text("one_slot", path=str(path)), {"claims": claims, "per": per})
            bases[per] = cb.open(Path(folder) / f"{per}.duckdb", packs=[cb.load_pack(PACK)])
            bases[per].add(path)
        took = medians({str(per): disputes(kb) for per, kb in bases.items()}, rounds)
        pairs = {per: kb.contradictions(all_time=True).total for per, kb in bases.items()}
        for kb in bases.values():
            kb.close()
    long, short = took[str(CROWDED)], took[str(SMALL)]
    print(
        f"F6 n={claims:>9,}: {CROWDED:,} claims a slot {long * 1e3:,.0f} ms, {SMALL} a slot {short * 1e3:,.0f} ms,"
        f" ratio {long / short:.2f} (target 4); pairs {pairs[CROWDED]:,} and {pairs[SMALL]:,}",
        flush=True,
    )
    return long / short


def disputes(kb: cb.Claimbase) -> Callable[[], Any]:
    """Give the count of a base's disputed pairs as an action, without the cards, whose number differs."""
    basis = kb.basis()
    return lambda: kb.db.query(
        text("all_disputes"), {"observed_by": basis.observed_by, "recorded_by": basis.recorded_by}
    )


def main() -> None:
    """Run both at the sizes chosen."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="10000,100000,1000000")
    parser.add_argument("--crowded", type=int, default=262_144)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    print(f"claimbase on duckdb {duckdb.__version__}", flush=True)
    crowded(given.crowded, given.rounds)
    growth(sorted(map(int, given.sizes.split(","))), given.rounds)


if __name__ == "__main__":
    main()
