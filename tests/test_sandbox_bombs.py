"""Statements that take all the time or memory there is: each ends within its wall, and the program lives on (G15)."""

from __future__ import annotations

import resource
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hostile.listing import UNGATED, Trap, bombs, trap

from claimbase.agents import sql_process
from claimbase.agents.sql_process import Worker
from claimbase.agents.sql_worker import ADDRESS_SPACE
from claimbase.errors import ClaimbaseError, InputError, LimitError
from claimbase.selects import check

BOMBS = bombs()
MOST_SECONDS = 6.0


@pytest.fixture(scope="module")
def set_up(tmp_path_factory: pytest.TempPathFactory) -> Trap:
    """A base of a few claims."""
    return trap(tmp_path_factory.mktemp("bombs"))


def thrown(path: Path, texts: Sequence[str]) -> list[tuple[str, float, str]]:
    """Throw each bomb at a worker without gate; how each ended, after how long."""
    told = []
    worker = Worker(path)
    try:
        for text in texts:
            worker.ready(time.monotonic() + 60)
            begun = time.monotonic()
            try:
                worker.ask(text)
                end = "answered"
            except ClaimbaseError as error:
                end = error.code
            told.append((end, time.monotonic() - begun, text))
    finally:
        worker.close()
    return told


def children_peak() -> int:
    """The most memory that a child of this process, ended by now, ever held, in bytes."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024


def held(told: list[tuple[str, float, str]], before: int) -> None:
    """Print the figures and hold them against the limits.

    What other children needed before is not counted, nor this process itself, whose size a child has as it begins.
    """
    for end, seconds, text in told:
        print(f"{seconds:5.2f} s  {end:14} {text[:90]}")
    most = max(seconds for _, seconds, _ in told)
    peak = children_peak()
    ends = Counter(end for end, _, _ in told)
    print(f"{len(told)} bombs, {most:.2f} s at most, {peak / 2**20:.0f} MiB at most in use, {dict(ends)}")
    assert most <= MOST_SECONDS
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    assert peak <= max(ADDRESS_SPACE, before, own)


@pytest.fixture
def _ungated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sql_process, "COMMAND", UNGATED)
    monkeypatch.setattr(sql_process, "check_text", lambda sql: None)


def test_there_are_48() -> None:
    """G15: 48 different bombs."""
    assert len(set(BOMBS)) == len(BOMBS) == 48


@pytest.mark.usefixtures("_ungated")
def test_three_bombs_end_in_time(set_up: Trap, rng: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """G15: three of the 48, drawn anew by each seed, one of them of time; the worker answers again afterwards.

    The wall is nearer than that of the product, which the slow run waits for.
    """
    monkeypatch.setattr(sql_process, "WALL_SECONDS", 2.0)
    before, needed = set_up.digests(), children_peak()
    told = thrown(set_up.base, [rng.choice(BOMBS[:21]), *rng.sample(BOMBS[21:46], 2), "SELECT 1"])
    held(told, needed)
    assert told[-1][0] == "answered"
    assert set_up.digests() == before


@pytest.mark.slow
@pytest.mark.usefixtures("_ungated")
@pytest.mark.parametrize("half", [0, 1])
def test_all_bombs_end_in_time(set_up: Trap, half: int) -> None:
    """G15: each of the 48 within 6 seconds, the worker within its memory, the parent alive."""
    before, needed = set_up.digests(), children_peak()
    held(thrown(set_up.base, BOMBS[half::2]), needed)
    assert set_up.digests() == before


def test_the_gate_stops_most_of_them() -> None:
    """G15: what waits, or grows what it is given without bound, is on no list; the rest has only the clock to fear."""
    passed = []
    for text in BOMBS:
        try:
            check(text)
            passed.append(text)
        except (InputError, LimitError):
            continue
    print(f"{len(passed)} of {len(BOMBS)} bombs pass the gate and were run all the same")
    assert 0 < len(passed) <= 12
    assert [text for text in passed if "sleep" in text or "repeat" in text or "range(" in text] == []
