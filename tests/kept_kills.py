"""Killing each keeping verb at its steps: what is left is the old one or the new one, and the next run ends it.

``python tests/kept_kills.py`` kills every verb before each of its steps and prints the figures; ``restore --among
replace,link`` kills one only before those; ``--every 7`` before each seventh. A step is a statement, or a call that
changes names, modes or bytes of files. Each kill happens in a forked process, and so does each look at what is left:
the process that forks never opens a base.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from kit import Ticking, claim, day, pack
from old_bases import NEWEST, database

import claimbase
from claimbase.errors import StoreError
from claimbase.store import Db, db, open_db
from claimbase.store.keeping import state_hash

STEPS = (
    (db, "_run"), (os, "fsync"), (os, "link"), (Path, "replace"), (Path, "rename"), (Path, "unlink"), (Path, "chmod"),
    (Path, "mkdir"), (Path, "write_text"), (shutil, "rmtree"),
)  # fmt: skip


def strike(at: int, among: frozenset[str]) -> None:
    """End this process before one of its steps.

    Args:
        at: the number of the step.
        among: names of the steps that count; none = all.
    """
    seen = 0

    def struck(original: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any, **kwargs: Any) -> Any:
            nonlocal seen
            seen += 1
            if seen == at:
                os.kill(os.getpid(), signal.SIGKILL)
            return original(*args, **kwargs)

        return counted

    for owner, name in STEPS:
        if not among or name in among:
            setattr(owner, name, struck(getattr(owner, name)))


# -- the verbs: what they start from, what they do, what may be left of them ------------------------------------------


def prepare(place: Path) -> None:
    """Make what the verbs start from: a base, an earlier snapshot and backup of it, an export, an old base."""
    with claimbase.open(place / "a.duckdb", clock=Ticking(), packs=[pack()]) as kb:
        kb.add([claim("$3", day(1)), claim("$4", day(5), subject="Wren")])
        kb.publish(place / "r.duckdb")
        kb.backup(place / "b.duckdb")
        kb.add(claim("$5", day(9)))
        kb.export(place / "in")
    database(1, place / "old.duckdb")


def state(path: Path) -> str:
    """Give the state hash of a file, as a reader sees it."""
    with closing(open_db(path, read_only=True)) as base:
        return state_hash(base)


def schema(path: Path) -> int:
    """Give the number of a file's schema."""
    with closing(Db(path, read_only=True)) as base:
        return max(row[0] for row in base.file("ledger/migrations"))


def with_base(act: Callable[[claimbase.Claimbase], object]) -> None:
    """Open the base for writing and do something with it."""
    with claimbase.open(Path("a.duckdb"), clock=Ticking()) as kb:
        act(kb)


def one_of(path: str, before: Path, *after: str) -> None:
    """Make sure that a file holds what it held, or what it was to hold."""
    assert state(Path(path)) in {state(before / one) for one in (path, *after)}, path


def restored(before: Path) -> None:
    """A restore leaves the old base or the backup; just before it is placed the old one has two names, and says so."""
    base, second = Path("a.duckdb"), Path("a.duckdb.replaced-1")
    if second.exists() and second.samefile(base):
        assert refused(lambda: state(base)) == "linked"
    else:
        one_of("a.duckdb", before, "b.duckdb")


def refused(act: Callable[[], object]) -> str:
    """Give the code of the error with which something is refused; nothing, if it is not."""
    try:
        act()
    except StoreError as error:
        return error.code
    return ""


def imported(_: Path) -> None:
    """An import leaves no base or the whole one."""
    assert not Path("c.duckdb").exists() or state(Path("c.duckdb")) == state(Path("a.duckdb"))


def exported(_: Path) -> None:
    """An export leaves no folder or a whole one."""
    if Path("out").exists():
        claimbase.import_folder("out", "d.duckdb")
        assert state(Path("d.duckdb")) == state(Path("a.duckdb"))


def migrated(_: Path) -> None:
    """A migration leaves the old schema or the newest."""
    assert schema(Path("old.duckdb")) in (1, NEWEST)


def import_again() -> None:
    """Import, unless that was done."""
    assert refused(lambda: claimbase.import_folder("in", "c.duckdb")) in ("", "base_exists")


def export_again() -> None:
    """Export, unless that was done."""
    assert refused(lambda: with_base(lambda kb: kb.export("out"))) in ("", "target_exists")


Verb = tuple[Callable[[], object], Callable[[Path], None]]
VERBS: dict[str, Verb] = {
    "publish": (lambda: with_base(lambda kb: kb.publish("r.duckdb")), lambda old: one_of("r.duckdb", old, "a.duckdb")),
    "backup": (lambda: with_base(lambda kb: kb.backup("b.duckdb")), lambda old: one_of("b.duckdb", old, "a.duckdb")),
    "restore": (lambda: claimbase.restore("b.duckdb", "a.duckdb", replace=True), restored),
    "export": (export_again, exported),
    "import": (import_again, imported),
    "compact": (lambda: with_base(lambda kb: kb.compact()), lambda old: one_of("a.duckdb", old)),
    "migrate": (lambda: claimbase.migrate("old.duckdb"), migrated),
}  # fmt: skip


# -- killing ----------------------------------------------------------------------------------------------------------


def forked(place: Path, act: Callable[[], object]) -> int:
    """Do something in a process of its own, in a folder; give how it ended."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1]
    try:
        os.chdir(place)
        act()
    except BaseException:  # noqa: BLE001 - whatever it is, it is told and counted
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def looked_at(verb: Verb, before: Path) -> None:
    """Look at what a killed run left, end it, and make sure that nothing is left over."""
    run, look = verb
    look(before)
    run()
    look(before)
    assert not [path.name for path in Path().iterdir() if path.name.endswith(".unfinished")]


def kills(name: str, before: Path, among: frozenset[str], every: int) -> tuple[int, int]:
    """Kill a verb before each of its steps until it ends by itself.

    Returns:
        How many kills, after how many of them something halfway was found.
    """
    verb, done, bad, at = VERBS[name], 0, 0, 1
    while True:
        place = before.with_name(f"{name}-{at}")
        shutil.copytree(before, place)
        status = forked(place, lambda at=at: (strike(at, among), verb[0]()))
        if not os.WIFSIGNALED(status):
            return done, bad + bool(status)
        done += 1
        bad += bool(forked(place, lambda: looked_at(verb, before)))
        shutil.rmtree(place)
        at += every


def killed(*arguments: str) -> list[str]:
    """Run this file in a process of its own, and give the figures."""
    done = subprocess.run(
        [sys.executable, __file__, *arguments], capture_output=True, text=True, check=False, timeout=900,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def main() -> None:
    """Read the arguments, kill, print the figures; exit 1 if something halfway was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("verbs", nargs="*", help="which verbs; all by default")
    parser.add_argument("--among", default="", help="only before steps of these names")
    parser.add_argument("--every", type=int, default=1)
    given = parser.parse_args()
    among = frozenset(given.among.split(",")) - {""}
    worst = 0
    with tempfile.TemporaryDirectory() as place:
        before = Path(place) / "before"
        before.mkdir()
        assert forked(before, lambda: prepare(before)) == 0
        for name in given.verbs or VERBS:
            done, bad = kills(name, before, among, given.every)
            print(f"{name}: {done} kills, {bad} in between", flush=True)
            worst |= bad or not done
    sys.exit(bool(worst))


if __name__ == "__main__":
    main()
