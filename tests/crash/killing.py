"""Kill writers at random and look at what they left: nothing acknowledged may be missing (G1).

    python tests/crash/killing.py --cycles 1000

A child opens the base and writes; after each call that returned it sends the batch's number and root down a pipe. It
is killed after a random time. The next child opens what is left, verifies the ledger and tells it, before it writes in
its turn.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import random
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

sys.path.insert(0, str(Path(__file__).parents[1]))

from kit import claim, day, gone, opened, pack

from claimbase.base import Claimbase
from claimbase.errors import ClaimbaseError
from claimbase.store import auditing, schema, write

SEED = int(os.environ.get("CLAIMBASE_SEED", "20261130"))
LATE = 0.6  # of the kills come after an acknowledgement, however slow the machine is
STEPS = 3  # batches that one step writes at most
PATIENCE = 300  # seconds after which a child that hangs is ended
READY = b"ready\n"
NOTHING = '{"words": "cannot be opened: the child broke", "ledger": []}'
LEDGER = "SELECT batch_id, root FROM cb.batch ORDER BY batch_id"


# -- what a child writes ---------------------------------------------------------------------------------------------


def add(kb: Claimbase, n: int) -> None:
    """Add two claims on a subject of their own."""
    kb.add([claim(f"${n}", subject=f"Lark {n}"), claim("128K", subject=f"Lark {n}", predicate="context")])


def newest(kb: Claimbase) -> tuple[str, dict[str, Any]]:
    """Add a claim on a subject of its own, and give its id and itself."""
    stated = claim("$7", subject=f"Wren {kb.checkpoint()['batch_id']}")
    kb.add([stated])
    (row,) = kb.claims(subject=stated["subject"])
    return str(row["claim_id"]), stated


def observe(kb: Claimbase, n: int) -> None:
    """Read a claim's page again."""
    kb.observe(newest(kb)[0], ("confirmed", "quote_missing")[n % 2], observed_at=day(9))


def supersede(kb: Claimbase, n: int) -> None:
    """Say that the world changed: a version is closed and its successor added."""
    kb.supersede(newest(kb)[0], {"value": "$8", "quote": "$8", "observed_at": day(9)}, at=day(8))


def correct(kb: Claimbase, n: int) -> None:
    """Say that the claim was recorded wrongly: the batch before is retracted (B1)."""
    kb.correct(newest(kb)[0], {"value": "$9", "quote": "$9"}, reason="misread")


def retract(kb: Claimbase, n: int) -> None:
    """Stop standing by what the batch before said."""
    kb.retract(newest(kb)[0], reason="withdrawn")


def drop(kb: Claimbase, n: int) -> None:
    """A later reading no longer says the claim."""
    kb.add([gone(newest(kb)[1], day(9))])


def merge(kb: Claimbase, n: int) -> None:
    """Say that two names mean one subject."""
    kb.add([claim(subject=f"Rook {n}"), claim(subject=f"Rook {n} (new)")])
    kb.merge(f"Rook {n} (new)", f"Rook {n}")


def erase(kb: Claimbase, n: int) -> None:
    """Remove a claim's content: the file is written anew."""
    kb.erase(newest(kb)[0], reason="law")


def declare(kb: Claimbase, n: int) -> None:
    """Declare a predicate."""
    kb.declare(pack(**{f"fact_{n}": {"kind": "bool"}}))


VERBS = (add, observe, supersede, correct, retract, drop, merge, declare, erase)


def verbs(kb: Claimbase, n: int) -> None:
    """Use one verb after the other."""
    VERBS[n % len(VERBS)](kb, n)


def rows(number: int) -> Callable[[Claimbase, int], None]:
    """Write a batch of bare rows: many batches a second, so that a kill falls into a commit more often."""

    def step(kb: Claimbase, n: int) -> None:
        with write(kb.db, "test") as under_way:
            under_way.transaction.run(
                "INSERT INTO cb.alias SELECT 'test', i, i + 1, false, $at, repeat('x', 40) FROM range($number) AS r(i)",
                {"at": under_way.recorded_at, "number": number},
            )

    return step


def checkpointed(kb: Claimbase, n: int) -> None:
    """Write a batch, then have the engine move the log into the file."""
    rows(50)(kb, n)
    kb.db.query("CHECKPOINT")


@dataclass(frozen=True)
class Mode:
    """A way of writing.

    Args:
        step: makes the n-th batch or batches.
        window: the kill comes within so many milliseconds after the child was ready.
        settings: statements for the engine.
    """

    step: Callable[[Claimbase, int], None]
    window: int = 120
    settings: tuple[str, ...] = ()


SMALL = "SET GLOBAL checkpoint_threshold = '64KB'"
MODES = {
    "plain": Mode(rows(3)),
    "verbs": Mode(verbs, window=1_200),
    "retracting": Mode(correct, window=800),
    "small checkpoints": Mode(rows(200), settings=(SMALL,)),
    "explicit checkpoints": Mode(checkpointed),
    "slow checkpoints": Mode(rows(200), settings=(SMALL, "SET GLOBAL debug_checkpoint_scan_sleep_ms = 20")),
    "bulk": Mode(rows(20_000), window=900),
}
LARGE = {"bulk of 600,000": Mode(rows(600_000), window=25_000)}


# -- one cycle -------------------------------------------------------------------------------------------------------


def forked(work: Callable[[BinaryIO], None]) -> tuple[int, BinaryIO]:
    """Run a function in a child that writes to a pipe; give the child and the end to read from."""
    read_from, write_to = os.pipe()
    child = os.fork()
    if child:
        os.close(write_to)
        return child, os.fdopen(read_from, "rb")
    code = 1
    try:
        signal.alarm(PATIENCE)
        with os.fdopen(write_to, "wb", buffering=0) as pipe:
            work(pipe)
        code = 0
    except BaseException:  # noqa: BLE001 - a child ends here, whatever happened
        traceback.print_exc()
    os._exit(code)


def found(kb: Claimbase) -> bytes:
    """Verify a base and give what is in its ledger, as one line."""
    return json.dumps({"words": kb.verify_ledger().words, "ledger": kb.db.query(LEDGER).rows}).encode() + b"\n"


def child_work(path: Path, mode: Mode, first: int) -> Callable[[BinaryIO], None]:
    """Give what a child does: open and verify what the one before it left, then write for ever and acknowledge."""

    def work(pipe: BinaryIO) -> None:
        try:
            kb = opened(path)
        except ClaimbaseError as error:
            pipe.write(
                json.dumps({"words": f"cannot be opened: {error} [{error.code}]", "ledger": []}).encode() + b"\n"
            )
            return
        pipe.write(found(kb))
        for statement in mode.settings:
            kb.db.query(statement)
        pipe.write(READY)
        for n in range(first, sys.maxsize):
            mode.step(kb, n)
            point = kb.checkpoint()
            pipe.write(f"{point['batch_id']} {point['root']}\n".encode())

    return work


@dataclass
class Tally:
    """What all cycles came to, and what the base under way is known to hold."""

    cycles: int = 0
    acked: int = 0
    ahead: int = 0
    wrong: list[str] = field(default_factory=list)
    modes: Counter[str] = field(default_factory=Counter)
    known: dict[int, str] = field(default_factory=dict)
    last: int | None = None

    def judge(self, name: str, found: dict[str, Any]) -> None:
        """Compare what was acknowledged with what is there."""
        ledger = dict(map(tuple, found["ledger"]))
        lost = [number for number, root in self.known.items() if ledger.get(number) != root]
        checks = {
            found["words"]: not found["words"].startswith("the ledger holds"),
            f"batches {lost} were acknowledged and are missing": bool(lost),
            "the ledger has gaps": list(ledger) != list(range(len(ledger))),
            "more than one batch was not acknowledged": self.last is not None and len(ledger) - 1 > self.last + STEPS,
        }
        self.wrong += [f"{name}: {words}" for words, failed in checks.items() if failed]
        self.ahead += self.last is not None and len(ledger) - 1 > self.last
        self.known = ledger

    def acknowledge(self, told: bytes) -> None:
        """Note what a child acknowledged before it was killed."""
        lines = [line.split() for line in told.decode().splitlines(keepends=True) if line.endswith("\n")]
        self.known |= {int(number): root for number, root in lines}
        self.last = max(self.known, default=None)
        self.acked += len(lines)
        self.cycles += 1


def cycle(path: Path, name: str, mode: Mode, tally: Tally, wait: float, *, late: bool = False) -> None:
    """Let a child look at what is there and write, and kill it; a wait below 0 only looks.

    Args:
        path, name, mode, tally: the base, how it is written, and what all comes to.
        wait: seconds from when the child was ready, or late: from its first acknowledgement.
    """
    child, pipe = forked(child_work(path, mode, tally.cycles * 10_000))
    with pipe:
        tally.judge(name, dict(json.loads(pipe.readline() or NOTHING)))
        ready = pipe.readline()
        told = pipe.readline() if wait > 0 and late else b""
        time.sleep(max(wait, 0))
        os.kill(child, signal.SIGKILL)
        told += pipe.read()
    _, status = os.waitpid(child, 0)
    if ready != READY or os.WTERMSIG(status) != signal.SIGKILL:
        tally.wrong.append(f"{name}: the writer broke before it was killed (status {status})")
    if wait >= 0:
        tally.acknowledge(told)
        tally.modes[name] += 1


def cycles(number: int, modes: dict[str, Mode], seed: int, each: int) -> Tally:
    """Run cycles, each mode in turn on a base of its own for a few cycles."""
    random_, tally, names = random.Random(seed), Tally(), list(modes)
    for turn in range(-(-number // each)):
        name = names[turn % len(names)]
        with TemporaryDirectory(prefix="claimbase-killed-") as place:
            path, tally.known, tally.last = Path(place) / "base.duckdb", {}, None
            for _ in range(min(each, number - tally.cycles)):
                wait = random_.random() * modes[name].window / 1_000
                cycle(path, name, modes[name], tally, wait, late=random_.random() < LATE)
            cycle(path, name, modes[name], tally, -1)
    return tally


def warm() -> None:
    """Learn what an empty base looks like, once rather than in every child.

    A child tells it: this process never runs the engine, whose threads a fork would not take along.
    """

    def work(pipe: BinaryIO) -> None:
        pipe.write(pickle.dumps((schema.expected_shape(), schema.expected_macros())))

    child, pipe = forked(work)
    with pipe:
        shape, macros = pickle.loads(pipe.read())  # noqa: S301 - from a child of our own
    os.waitpid(child, 0)
    schema.expected_shape = lambda: shape  # type: ignore[assignment]
    auditing.expected_macros = lambda: macros  # type: ignore[assignment]


def main() -> None:
    """Run the cycles the command line asks for and print what they came to; exit 1 if anything was lost."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cycles", type=int, default=25)
    parser.add_argument("--each", type=int, default=5, help="cycles on one base")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--mode", choices=[*MODES, *LARGE], action="append")
    given = parser.parse_args()
    chosen = {name: (MODES | LARGE)[name] for name in given.mode or MODES}
    start = time.monotonic()
    warm()
    tally = cycles(given.cycles, chosen, given.seed, given.each)
    print(json.dumps({
        "seed": given.seed, "cycles": tally.cycles, "acknowledged": tally.acked, "one batch ahead": tally.ahead,
        "wrong": tally.wrong, "modes": tally.modes, "seconds": round(time.monotonic() - start, 1),
    }))  # fmt: skip
    sys.exit(1 if tally.wrong else 0)


if __name__ == "__main__":
    main()
