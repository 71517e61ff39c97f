"""The same bytes anywhere (G12): one question, one base, one digest, whatever the zone, locale, hash seed and threads.

A process tells the world of `environment.py` to a base and asks it under one thread and under two; each combination of
zone, locale and hash seed is such a process of its own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import product
from pathlib import Path

import pytest
from environment import COST, GRID, WINDOW, digest_of, light, plain, world
from kit import Ticking, claim, day

from claimbase.base import Claimbase
from claimbase.present import json_text
from claimbase.temporal import FixedClock

ZONES = ("UTC", "America/New_York", "Asia/Kolkata", "Pacific/Apia", "Mars/Olympus")
LOCALES = ("C", "tr_TR.UTF-8", "de_DE.UTF-8")
SEEDS = ("0", "1", "2")
FEW = (("Pacific/Apia", "tr_TR.UTF-8", "1"), ("Mars/Olympus", "de_DE.UTF-8", "2"))
Place = tuple[str, str, str]


def told_in(place: Place, *options: str) -> tuple[str, ...]:
    """Run the world in a process of its own: the digests under one thread and two, and that of the receipts."""
    zone, locale, seed = place
    given = {"TZ": zone, "LC_ALL": locale, "LANG": locale, "PYTHONHASHSEED": seed}
    paths = {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])}
    done = subprocess.run(
        [sys.executable, "-m", "environment", *options],
        env=os.environ | given | paths, capture_output=True, text=True, timeout=300, check=True,
    )  # fmt: skip
    return tuple(done.stdout.split())


def check(places: tuple[Place, ...], *options: str) -> None:
    """Run the world in some places, two at a time, and compare what is answered there."""
    with ThreadPoolExecutor(2) as pool:
        found = dict(zip(places, pool.map(lambda place: told_in(place, *options), places), strict=True))
    first = found[places[0]]
    assert len(first) == 3
    assert first[0] == first[1]
    assert {place: told for place, told in found.items() if told != first} == {}
    print(f"environment: {2 * len(found)} combinations, 1 answer_hash {first[0][:12]}, receipts {first[2][:12]}")


def test_the_same_bytes_in_few_places() -> None:
    """G12: four combinations: two of zone, locale and seed, each under one thread and two; by short plans."""
    check(FEW, "short")


@pytest.mark.slow
def test_the_same_bytes_anywhere() -> None:
    """G12: all ninety combinations."""
    check(tuple(product(ZONES, LOCALES, SEEDS)))


@pytest.fixture(scope="module")
def kb() -> Iterator[Claimbase]:
    """The world, in this process."""
    with world() as made:
        yield made


def test_the_digest_sees_a_difference(kb: Claimbase) -> None:
    """G12: the digest is another one where one more claim was told."""
    before = digest_of(json_text(plain(found), indent=None) for found in light(kb, GRID[-1]))
    kb.db.clock = FixedClock(kb.basis().now + timedelta(seconds=1))
    kb.add(claim("100K", day(1), predicate="context", subject="Another"))
    assert digest_of(json_text(plain(found), indent=None) for found in light(kb, GRID[-1])) != before


def test_a_saved_answer_replays(kb: Claimbase) -> None:
    """A6: later claims, readings and withdrawals leave a saved answer's rows and bytes as they were."""
    recorded = kb.basis().recorded_by
    kept = []
    for basis in GRID:
        whole = basis | {"recorded_by": recorded}
        found = kb.answer(WINDOW, COST, everyone=True, **whole)
        kept.append((whole, found.sql, found.params, plain(kb.db.query(found.sql, found.params).rows), found.to_json()))
    kb.db.clock = Ticking(recorded)
    kb.add([claim("200K", day(1), predicate="context", subject="New"), claim("$1", day(1), subject="Lark 2")])
    kb.add(claim("$1", day(9), subject="Lark 2"))
    kb.retract(kb.claims("Lark 2", "context")[0]["claim_id"], reason="withdrawn")
    assert kb.answer(WINDOW, COST, everyone=True, **GRID[-1]).to_json() != kept[-1][-1]
    for whole, sql, params, rows, answered in kept:
        assert plain(kb.db.query(sql, params).rows) == rows
        again = kb.answer(WINDOW, COST, everyone=True, **whole).to_json()
        assert json.loads(json_text(again)) == json.loads(json_text(answered))
