"""One writer: a second one is always refused, whatever the first did with its file, and no commit is ever lost."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from crash.locking import Other
from kit import figure, opened, pack

LOCKED = "store_locked"


@pytest.fixture(scope="module")
def two() -> Iterator[tuple[Other, Other]]:
    """Two other processes."""
    both = Other(), Other()
    yield both
    for one in both:
        one.kill()


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a closed base."""
    path = tmp_path_factory.mktemp("locks") / "base.duckdb"
    with opened(path) as kb:
        kb.declare(pack())
    return path.read_bytes()


@pytest.fixture
def path(template: bytes, tmp_path: Path) -> Path:
    """A base that was opened for writing before, so that its lock file is there."""
    path = tmp_path / "base.duckdb"
    path.write_bytes(template)
    path.with_name("base.duckdb.lock").touch(mode=0o600)
    return path


@pytest.mark.filterwarnings("ignore::claimbase.errors.HeadMissingWarning")
@pytest.mark.parametrize("name", ["itself", "symlink", "symlinked folder"])
@pytest.mark.parametrize("first", ["writer", "reader"])
def test_two_processes(two: tuple[Other, Other], path: Path, first: str, name: str) -> None:
    """G8, C1: beside a writer nobody opens, beside a reader only readers do; also under another name, before and after
    the first one copied its file, and while a child that it left behind still lives.
    """
    one, other = two
    link = path.with_name("link.duckdb")
    link.symlink_to(path)
    path.with_name("folder").symlink_to(path.parent)
    named = str({"itself": path, "symlink": link, "symlinked folder": path.parent / "folder" / path.name}[name])
    seen = "opened" if first == "reader" else LOCKED
    assert one.tell("open", path=str(path), read_only=first == "reader") == "opened"
    for disturb in (None, "copy", "fork"):
        if disturb is not None:
            one.tell(disturb, **({"path": str(path)} if disturb == "copy" else {}))
        assert other.tell("open", path=named, read_only=False) == LOCKED
        assert other.tell("open", path=named, read_only=True) == seen
        other.tell("close")
    assert one.tell("close") == "closed"
    assert other.tell("open", path=named, read_only=False) == "opened"  # though the child of the first lives on
    assert one.tell("open", path=str(path), read_only=True) == LOCKED
    other.tell("close")
    one.tell("end_child")


def test_hard_links_are_refused(two: tuple[Other, Other], path: Path) -> None:
    """C1: a lock beside one name does not protect another: a base with two names is opened by nobody."""
    os.link(path, path.with_name("hard.duckdb"))
    for one in two:
        for name in ("base.duckdb", "hard.duckdb"):
            for read_only in (True, False):
                assert one.tell("open", path=str(path.with_name(name)), read_only=read_only) == "linked"


def test_a_killed_writer_leaves_no_lock(path: Path, two: tuple[Other, Other]) -> None:
    """G8, G1: the lock goes with the process that held it, and what it acknowledged stays."""
    writer = Other()
    assert writer.tell("open", path=str(path), read_only=False) == "opened"
    acked = writer.tell("write", number=1).split()
    assert two[0].tell("open", path=str(path), read_only=False) == LOCKED
    writer.kill()
    assert two[0].tell("open", path=str(path), read_only=False) == "opened"
    assert json.loads(two[0].tell("ledger"))[-1] == [int(acked[0]), acked[1]]
    two[0].tell("close")


class Model:
    """What two processes may do, in plain words.

    Args:
        two: the processes.
        path: the base both of them want.
        rng: decides what happens.
    """

    def __init__(self, two: tuple[Other, Other], path: Path, rng: random.Random) -> None:
        self.two, self.path, self.rng = two, path, rng
        self.holds: list[str | None] = [None, None]
        self.acked: list[list[object]] = []
        self.number = 0

    def step(self) -> tuple[str, str]:
        """Do something at random; give what was answered and what should have been."""
        who = self.rng.randrange(2)
        one, mine, theirs = self.two[who], self.holds[who], self.holds[1 - who]
        if mine is None:
            wanted = self.rng.choice(["writer", "writer", "reader"])
            answer = one.tell("open", path=str(self.path), read_only=wanted == "reader")
            free = theirs is None or (theirs, wanted) == ("reader", "reader")
            self.holds[who] = wanted if free else None
            return answer, "opened" if free else LOCKED
        what = self.rng.choice(["write", "write", "copy", "close"])
        if what == "copy":
            return one.tell("copy", path=str(self.path)), "copied"
        if what == "close":
            self.holds[who] = None
            return one.tell("close"), "closed"
        self.number += 1
        answer = one.tell("write", number=self.number)
        if mine == "reader":
            return answer, "read_only"
        self.acked.append([int(answer.split()[0]), answer.split()[1]] if " " in answer else [answer])
        return answer, answer if " " in answer else "a batch and its root"

    def end(self) -> list[object]:
        """Close both and give the ledger."""
        for one in self.two:
            one.tell("close")
        self.two[0].tell("open", path=str(self.path), read_only=False)
        ledger = list(json.loads(self.two[0].tell("ledger")))
        self.two[0].tell("close")
        return ledger


@pytest.mark.parametrize("number", [1, pytest.param(figure(50), marks=pytest.mark.slow)])
def test_random_interleavings(
    two: tuple[Other, Other], template: bytes, tmp_path: Path, rng: random.Random, number: int
) -> None:
    """G8: two processes open, write, copy and close at random: refused exactly when they must be, 0 commits lost.

    CLAIMBASE_TIMES=4 makes it two hundred times.
    """
    for turn in range(number):
        path = tmp_path / f"{turn}.duckdb"
        path.write_bytes(template)
        path.with_name(f"{turn}.duckdb.lock").touch(mode=0o600)
        model = Model(two, path, rng)
        for _ in range(8):
            answer, expected = model.step()
            assert answer == expected
        ledger = model.end()
        assert [batch for batch in model.acked if batch not in ledger] == []
        assert len(ledger) == 2 + len(model.acked)
