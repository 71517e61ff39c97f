"""Statements cut up and put together at random: what passes the gate, both parsers take for the same SELECT (G14)."""

from __future__ import annotations

import logging
import random
from pathlib import Path

import pytest
from hostile.mutating import Comparison, compared


def shown(done: Comparison) -> None:
    """Print the figures; nothing dangerous may be among them."""
    print(f"parsers compared: {dict(done.counts)}")
    assert done.dangerous == []
    assert done.counts["passed"] > done.counts["texts"] // 50
    assert done.counts["one SELECT to the engine"] > done.counts["texts"] // 100


@pytest.fixture(autouse=True)
def _quiet(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL, logger="sqlglot")


def test_2_000_mutated_statements(tmp_path: Path, rng: random.Random) -> None:
    """G14, C12: whatever passes is one SELECT over listed tables to the engine, leaks nothing, changes nothing."""
    shown(compared(rng, tmp_path, 2_000))


@pytest.mark.slow
def test_more_mutated_statements(tmp_path: Path, rng: random.Random) -> None:
    """G14: the same, 60,000; the million is run by `python tests/hostile/mutating.py 1000000`."""
    shown(compared(rng, tmp_path, 60_000))
