"""The command ``run.py``: mutants in a copy of the checkout, judged one after the other.

The checkout is copied; each mutant is written into the copy and judged by a process of its own, forked from one that
has read the libraries, so that a mutant costs little more than its tests. A mutant that takes too long is killed.
"""

from __future__ import annotations

import argparse
import compileall
import importlib
import json
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from mutants import mutants as sql_mutants

from mutation.operators import mutants as python_mutants
from mutation.rooms import ROOMS, Room

CHECKOUT = Path(__file__).resolve().parents[2]
LIBRARIES = ("duckdb", "pydantic", "sqlglot", "rapidfuzz", "click", "rich", "rfc8785")
SHIPPED = ("claimbase", "sql", "seeds", "tests", "notebooks", "README.md", "CHANGELOG.md", "pyproject.toml")
_SPARE = 10  # CPU seconds that a mutant may take beyond twice what the tests take
_WALL = 1_200


@dataclass(frozen=True, slots=True)
class Mutant:
    """A changed file: its path below the checkout, what was changed, and what gives its text."""

    path: str
    label: str
    text: Callable[[], str]


class Quickest:
    """A plugin that runs the quickest tests of each file first, as they took before, and notes how long."""

    def __init__(self, notes: Path) -> None:
        self.notes = notes
        self.known: dict[str, float] = json.loads(notes.read_text()) if notes.exists() else {}
        self.taken: dict[str, float] = {}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Sort the tests, files kept together."""
        files = {path: number for number, path in enumerate(dict.fromkeys(item.path for item in items))}
        items.sort(key=lambda item: (files[item.path], self.known.get(item.nodeid, 0.0)))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up set-up and call."""
        self.taken[report.nodeid] = self.taken.get(report.nodeid, 0.0) + report.duration

    def pytest_sessionfinish(self) -> None:
        """Keep the notes of the first run."""
        if not self.known:
            self.notes.write_text(json.dumps(self.taken))


def mutants_of(room: Room, base: Path) -> Iterator[Mutant]:
    """Give every mutant of a room's files."""
    left_out = {path for pattern in room.without for path in base.glob(pattern)}
    for path in sorted({path for pattern in room.files for path in base.glob(pattern)} - left_out):
        for label, text in _mutants(path):
            yield Mutant(str(path.relative_to(base)), label, text)


def _mutants(path: Path) -> Iterator[tuple[str, Callable[[], str]]]:
    source = path.read_text(encoding="utf-8")
    if path.suffix != ".sql":
        yield from python_mutants(source)
        return
    for label, text in sql_mutants(source):
        yield label, partial(str, text)


def copied() -> Path:
    """Copy the checkout to a folder of its own, its modules compiled."""
    base = Path(tempfile.mkdtemp(prefix="claimbase-mutants-"))
    for name in SHIPPED:
        source = CHECKOUT / name
        if source.is_dir():
            shutil.copytree(source, base / name, ignore=shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints"))
        elif source.exists():
            shutil.copy(source, base / name)
    compileall.compile_dir(base / "claimbase", quiet=2)
    return base


def judged(base: Path, room: Room, limit: int) -> tuple[bool, float]:
    """Run the tests in a process of its own; say whether they pass, and the CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    child = os.fork()
    if not child:
        _child(base, room, limit)
    _, status = os.waitpid(child, 0)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return status == 0, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _child(base: Path, room: Room, limit: int) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    signal.alarm(_WALL)
    os.chdir(base)
    sys.path[:0] = [str(base)]
    os.environ["PYTHONPATH"] = str(base)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    code = 99
    chosen = ["-k", f"not ({room.unless})"] if room.unless else []
    try:
        given = [f"tests/{name}.py" for name in room.tests if base.joinpath("tests", f"{name}.py").exists()]
        code = int(
            pytest.main(
                ["-x", "-q", "-n", "0", "-p", "no:cacheprovider", "--no-header", *chosen, *given],
                plugins=[Quickest(base / "durations.json")],
            )
        )
    finally:
        os._exit(code)


@contextmanager
def changed(base: Path, one: Mutant) -> Iterator[None]:
    """Write a mutant into the copy; put the file back afterwards."""
    path = base / one.path
    whole = path.read_text(encoding="utf-8")
    for cache in path.parent.glob(f"__pycache__/{path.stem}.*"):
        cache.unlink()
    path.write_text(one.text(), encoding="utf-8")
    try:
        yield
    finally:
        path.write_text(whole, encoding="utf-8")


def main() -> int:
    """Try a sample of a room's mutants; 1 if fewer than 85 % are killed."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--room", choices=sorted(ROOMS), required=True)
    given.add_argument("--sample", type=int, default=100)
    given.add_argument("--seed", type=int, default=20_261_130)
    given.add_argument("--only", default="", help="only files whose path holds this")
    options = given.parse_args()
    room, base = ROOMS[options.room], copied()
    sys.dont_write_bytecode = True
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    for name in LIBRARIES:
        importlib.import_module(name)
    every = [one for one in mutants_of(room, base) if options.only in one.path]
    drawn = random.Random(options.seed).sample(every, min(options.sample, len(every)))
    passes, took = judged(base, room, _WALL)
    if not passes:
        print(f"{options.room}: the tests fail without any mutant", flush=True)
        return 2
    print(
        f"{options.room}: {len(every)} mutants, {len(drawn)} drawn, seed {options.seed}, tests {took:.1f} s", flush=True
    )
    alive = [one for one in drawn if _survives(base, room, one, int(2 * took) + _SPARE)]
    killed = len(drawn) - len(alive)
    print(f"{options.room}: {killed} of {len(drawn)} killed, {killed / max(1, len(drawn)):.1%}", flush=True)
    shutil.rmtree(base)
    return int(killed < 0.85 * len(drawn))


def _survives(base: Path, room: Room, one: Mutant, limit: int) -> bool:
    with changed(base, one):
        alive, took = judged(base, room, limit)
    print(f"{'alive ' if alive else 'killed'} {took:5.1f} s  {one.path}:{one.label}", flush=True)
    return alive
