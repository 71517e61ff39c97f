"""Killed writers: what was acknowledged before the process was killed is there, whole and in order."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from crash.killing import MODES, Tally

KILLING = Path(__file__).parent / "crash" / "killing.py"
FEW = ("plain", "verbs", "explicit checkpoints")
WHOLE = "the ledger holds: 3 batches"


def run(*options: str) -> dict[str, Any]:
    """Run cycles of writing, killing and opening again; give what they came to."""
    ran = subprocess.run(
        [sys.executable, str(KILLING), *options], capture_output=True, text=True, timeout=900, check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert ran.stdout, ran.stderr
    print(ran.stdout)
    return dict(json.loads(ran.stdout))


def test_a_killed_writer() -> None:
    """G1: in three ways of writing, killed at random instants: nothing acknowledged is lost, no base stays shut."""
    tally = run("--cycles", "3", "--each", "1", *(word for mode in FEW for word in ("--mode", mode)))
    assert tally["wrong"] == []
    assert tally["modes"] == dict.fromkeys(FEW, 1)
    assert tally["acknowledged"] > 0


@pytest.mark.slow
def test_many_killed_writers() -> None:
    """G1: 49 cycles in every way of writing; the thousand are run by `python tests/crash/killing.py --cycles 1000`."""
    tally = run("--cycles", "49", "--each", "7")
    assert tally["wrong"] == []
    assert tally["modes"] == dict.fromkeys(MODES, 7)


def judged(known: dict[int, str], ledger: list[tuple[int, str]], words: str = WHOLE, last: int = 1) -> list[str]:
    """Give what the judge says of what a child found."""
    tally = Tally(known=known, last=last)
    tally.judge("a test", {"words": words, "ledger": ledger})
    return tally.wrong


@pytest.mark.parametrize(
    ("known", "ledger", "words", "said"),
    [
        ({0: "a", 1: "b"}, [(0, "a"), (1, "b"), (2, "c")], WHOLE, None),
        ({0: "a", 1: "b"}, [(0, "a")], WHOLE, "batches [1] were acknowledged and are missing"),
        ({0: "a", 1: "b"}, [(0, "a"), (1, "other")], WHOLE, "batches [1] were acknowledged and are missing"),
        ({0: "a"}, [(0, "a"), (2, "c")], WHOLE, "the ledger has gaps"),
        ({0: "a", 1: "b"}, [(n, "ab"[n] if n < 2 else "x") for n in range(6)], WHOLE, "more than one batch"),
        ({0: "a"}, [(0, "a")], "the ledger is broken: batch", "the ledger is broken"),
    ],
)
def test_the_judge(known: dict[int, str], ledger: list[tuple[int, str]], words: str, said: str | None) -> None:
    """G1: a lost or changed batch, a gap, a broken chain and batches that nobody acknowledged are noticed."""
    wrong = judged(known, ledger, words)
    assert (wrong == []) if said is None else (said in wrong[0])
