"""Failures inside a write: whatever fails, at whatever statement, a batch is stored whole or not at all."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path

import pytest
from crash.faults import FAULTS, VERBS, Fault, Sweep, prepare

Chosen = Callable[[Fault], Iterator[tuple[str, int, bool]]]
OFTEN = ("add what holds", "correct", "erase")
QUICK = OFTEN[:1]
MORE = ("add", "gone", "declare", "observe")


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the prepared base once."""
    path = tmp_path_factory.mktemp("faults") / "base.duckdb"
    prepare(path)
    return path


def some(rng: random.Random) -> Chosen:
    """Choose the commit, before and after it, and two statements at random."""

    def chosen(clean: Fault) -> Iterator[tuple[str, int, bool]]:
        (commit,) = clean.commits[:1]
        yield rng.choice(list(FAULTS)), commit, False
        yield rng.choice(list(FAULTS)), commit, True
        for at in rng.sample(range(clean.count), 2):
            yield rng.choice(list(FAULTS)), at, rng.random() < 0.5

    return chosen


def each(rng: random.Random) -> Chosen:
    """Choose every statement once, the kinds in turn."""
    kinds = cycle(rng.sample(list(FAULTS), len(FAULTS)))

    def chosen(clean: Fault) -> Iterator[tuple[str, int, bool]]:
        for at in range(clean.count):
            yield next(kinds), at, rng.random() < 0.5

    return chosen


@pytest.mark.parametrize("verb", [*QUICK, *(pytest.param(v, marks=pytest.mark.slow) for v in VERBS if v not in QUICK)])
def test_a_fault_at_some_statements(template: Path, verb: str, rng: random.Random) -> None:
    """G2, C4, C6, W5: the base is as before, or as after the whole verb; it is "done" only in the second case."""
    sweep = Sweep(template, verb)
    sweep.run(some(rng))
    assert (sweep.wrong, sweep.outcomes.total()) == ([], 4)
    assert sweep.outcomes["undone, told"] > 0
    assert sweep.outcomes["stored, told"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("verb", [*OFTEN, *MORE])
def test_a_fault_at_every_statement(template: Path, verb: str, rng: random.Random) -> None:
    """G2, C4: each statement fails once; every kind at each, for every verb: `python tests/crash/faults.py`."""
    sweep = Sweep(template, verb)
    sweep.run(each(rng))
    assert sweep.wrong == []
    assert sweep.outcomes.total() > 10


@pytest.mark.parametrize(("steps", "logs"), [(2, 1), pytest.param(16, 2, marks=pytest.mark.slow)])
def test_a_full_disk(steps: int, logs: int) -> None:
    """G2, X49: no room left at any size of the files, logs small or large: stored whole or not at all, usable after.

    64 steps are tried by `python tests/crash/full.py --steps 64`.
    """
    ran = subprocess.run(
        [sys.executable, str(Path(__file__).parent / "crash" / "full.py"), "--steps", str(steps), "--logs", str(logs)],
        capture_output=True, text=True, timeout=600, check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert ran.stdout, ran.stderr
    print(ran.stdout)
    fates = json.loads(ran.stdout)
    assert [fate for counted in fates.values() for fate in counted if "wrong" in fate] == []
    assert [sum(counted.values()) for counted in fates.values()] == [steps] * logs
    assert all(counted.get("undone, no_space", 0) > 0 for counted in fates.values())
