"""Let the disk fill up at every size: a write is stored whole or not at all, and the base stays usable (G2, X49).

    python tests/crash/full.py --steps 64

The disk is a limit on the size of files, which needs no privileges: beyond it the system refuses to write.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from kit import claim, digest, opened, pack

from claimbase.base import Claimbase
from claimbase.errors import ClaimbaseError

THRESHOLDS = ("64KB", "16MB")  # sizes of the engine's log at which it is moved into the file
ROWS = 24


@contextmanager
def room(size: int) -> Iterator[None]:
    """Let no file grow beyond a size while the block runs."""
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))


def made(template: Path, place: Path, threshold: str) -> Claimbase:
    """Open a copy of a base."""
    for file in template.parent.iterdir():
        shutil.copy(file, place)
    kb = opened(place / template.name)
    kb.db.query("SET GLOBAL threads = 1")
    kb.db.query("SET GLOBAL checkpoint_threshold = $size", {"size": threshold})
    return kb


def load(kb: Claimbase) -> None:
    """Write one batch of a few hundred kilobytes."""
    kb.add([claim(f"${n}", subject=f"Lark {n}", quote=f"${n}" + "q" * 9_000) for n in range(ROWS)])


def learnt(template: Path, threshold: str) -> tuple[tuple[str, str], int, int]:
    """Write without a limit; give the states before and after, and the sizes that the log and the file come to."""
    with TemporaryDirectory(prefix="claimbase-full-") as name:
        place = Path(name)
        kb = made(template, place, threshold)
        before = digest(kb.db)
        load(kb)
        states, log = (before, digest(kb.db)), max((f.stat().st_size for f in place.glob("*.wal")), default=60_000)
        kb.close()
        return states, log + 10_000, max(file.stat().st_size for file in place.iterdir()) + 10_000


def filled(template: Path, threshold: str, size: int, states: tuple[str, str]) -> str:
    """Write under a limit, then without one, then open again; give what became of it, beginning with "wrong" if bad."""
    with TemporaryDirectory(prefix="claimbase-full-") as name:
        place, told = Path(name), ""
        kb = made(template, place, threshold)
        with room(size):
            try:
                load(kb)
            except ClaimbaseError as error:
                told = error.code
        held = {states[0]: "undone", states[1]: "stored"}.get(digest(kb.db), "partial")
        load(kb)
        whole = digest(kb.db)
        kb.close()
        with opened(place / template.name) as again:
            kept = digest(again.db) == whole
    right = kept and held != "partial" and (told != "" or held == "stored") and whole == states[1]
    return f"{'' if right else 'wrong: '}{held}, {told or 'done'}{'' if kept else ', lost later'}"


def main() -> None:
    """Fill the disk in steps and print what happened; exit 1 if anything was lost or half stored."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=8)
    parser.add_argument("--logs", type=int, default=len(THRESHOLDS), help="sizes of log to try, the smallest first")
    given = parser.parse_args()
    steps = given.steps
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    fates: dict[str, Any] = {}
    with TemporaryDirectory(prefix="claimbase-full-") as name:
        template = Path(name) / "base.duckdb"
        with opened(template) as kb:
            kb.declare(pack())
        for threshold in THRESHOLDS[: given.logs]:
            states, log, most = learnt(template, threshold)
            limits = [log * n // (steps // 2) for n in range(steps // 2)]
            limits += [log + (most - log) * n // (steps // 2) for n in range(steps // 2)]
            fates[threshold] = Counter(filled(template, threshold, size, states) for size in limits)
    print(json.dumps(fates))
    sys.exit(any("wrong" in fate for counted in fates.values() for fate in counted))


if __name__ == "__main__":
    main()
