"""Statements that take all the time or memory there is: each ends within its wall, and the program lives on (G15)."""

from __future__ import annotations

import multiprocessing
import resource
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
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


Told = list[tuple[str, float, str]]


def thrown(path: Path, texts: Sequence[str], wall: float = sql_process.WALL_SECONDS) -> tuple[Told, int]:
    """Throw each bomb at a worker without gate; how each ended, after how long, and the most memory a worker held.

    A process of its own throws them: as it begins, a child has the size of the process that started it.
    """
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as apart:
        return apart.submit(_thrown, path, texts, wall).result()


def _thrown(path: Path, texts: Sequence[str], wall: float) -> tuple[Told, int]:
    sql_process.COMMAND, sql_process.WALL_SECONDS = UNGATED, wall
    sql_process.check_text = lambda sql: None
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
    return told, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024


def held(told: Told, peak: int) -> None:
    """Print the figures and hold them against the limits; memory is in bytes."""
    for end, seconds, text in told:
        print(f"{seconds:5.2f} s  {end:14} {text[:90]}")
    most = max(seconds for _, seconds, _ in told)
    ends = Counter(end for end, _, _ in told)
    print(f"{len(told)} bombs, {most:.2f} s at most, {peak / 2**20:.0f} MiB at most in use, {dict(ends)}")
    assert most <= MOST_SECONDS
    assert peak <= ADDRESS_SPACE


def test_there_are_48() -> None:
    """G15: 48 different bombs."""
    assert len(set(BOMBS)) == len(BOMBS) == 48


def test_three_bombs_end_in_time(set_up: Trap, rng: Any) -> None:
    """G15: three of the 48, drawn anew by each seed, one of them of time; the worker answers again afterwards.

    The wall is nearer than that of the product, which the slow run waits for.
    """
    before = set_up.digests()
    told, peak = thrown(set_up.base, [rng.choice(BOMBS[:21]), *rng.sample(BOMBS[21:46], 2), "SELECT 1"], wall=2.0)
    held(told, peak)
    assert told[-1][0] == "answered"
    assert set_up.digests() == before


@pytest.mark.slow
@pytest.mark.parametrize("half", [0, 1])
def test_all_bombs_end_in_time(set_up: Trap, half: int) -> None:
    """G15: each of the 48 within 6 seconds, the worker within its memory, the parent alive."""
    before = set_up.digests()
    held(*thrown(set_up.base, BOMBS[half::2]))
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
