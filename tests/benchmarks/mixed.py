"""Mixed load: one writer adds, publishes, runs a watch and verifies its ledger; readers follow what it publishes.

    .venv/bin/python tests/benchmarks/mixed.py --seconds 120 --readers 2

Claim n says one price of one subject, both known from n alone; so every answer is held against what was acknowledged: a
reader must see all that was published before it asked, nothing that was not acknowledged after it, and every subject in
its right bucket. Memory of every process is printed over time. Ends with code 1 at the first wrong answer.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path
from typing import Any

import claimbase as cb

BATCH, PRICES, CHEAP = 50, 997, 20
PACK = {"pack": {"name": "mixed", "title": "Mixed"}, "predicates": {"price": {"kind": "quantity", "unit": "usd"}}}


def price(number: int) -> int:
    """Give the price that claim *number* states."""
    return number * 7919 % PRICES + 1


def claims(first: int) -> list[dict[str, Any]]:
    """Give one batch of claims from a number on."""
    source = {"url": "https://prices.example/list", "title": "List", "publisher": "List", "sourceType": "pricing"}
    return [
        {
            "provider": "P", "subject": f"S{n}", "predicate": "price", "value": price(n), "unit": "usd",
            "effective_from": "2024-01-01", "observed_at": "2025-01-01T00:00:00Z", "quote": f"S{n}: ${price(n)}",
            "source": source,
        }
        for n in range(first, first + BATCH)
    ]  # fmt: skip


def memory(pid: int | None) -> float:
    """Give the resident memory of a process in MB, 0 for one that has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1e3 for line in status.splitlines() if line.startswith("VmRSS")), 0.0)


# -- readers -------------------------------------------------------------------------------------------------------


def read(path: Path, ends: float, shared: Mapping[str, Synchronized[int]], seed: int, report: Path) -> None:
    """Ask the snapshot until the end; write down how many answers there were, and every wrong one."""
    rng, asked, wrong, seen = random.Random(seed), 0, [], 0
    with cb.open(path, read_only=True) as kb:
        while time.time() < ends and not wrong:
            published = shared["published"].value
            limit = rng.randrange(1, CHEAP + 1)
            found = kb.answer(f"price <= {limit}", near_limit=0)
            acked = shared["acked"].value
            total = found.counts["asked"] or 0
            expected = sorted(f"S{n}" for n in range(total) if price(n) <= limit)
            checks = {
                "what was published is seen": published <= total <= acked,
                "nothing seen is lost": total >= seen,
                "each subject is in its bucket": sorted(one.subject for one in found.eligible) == expected,
                "each eligible one is cited": all(one.citations for one in found.eligible),
            }
            wrong = [
                f"{name}: {total} of {published}..{acked}, <= {limit}" for name, right in checks.items() if not right
            ]
            seen, asked = total, asked + 1
    report.write_text(json.dumps({"asked": asked, "wrong": wrong, "seen": seen}), encoding="utf-8")


# -- the writer ----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Written:
    """What the writer did, and what went wrong."""

    batches: int = 0
    published: int = 0
    verified: int = 0
    events: int = 0
    wrong: list[str] = field(default_factory=list)

    def expect(self, what: str, found: object, wanted: object) -> None:
        """Note a wrong answer."""
        if found != wanted:
            self.wrong.append(f"{what}: {found}, not {wanted}")


def write(
    kb: cb.Claimbase, snapshot: Path, ends: float, shared: Mapping[str, Synchronized[int]], pids: Sequence[int]
) -> Written:
    """Add batches until the end: each third is published, each second watched, each tenth verified."""
    done, acked, told = Written(), shared["acked"].value, time.time()
    while time.time() < ends and not done.wrong:
        kb.add(claims(acked))
        acked += BATCH
        shared["acked"].value = acked
        done.batches += 1
        if done.batches % 2 == 0:
            done.events += len(kb.run_watches())
            (watch,) = kb.watches()
            done.expect("subjects of the watch", watch.eligible, sum(price(n) <= CHEAP for n in range(acked)))
        if done.batches % 3 == 0:
            kb.publish(snapshot)
            shared["published"].value = acked
            done.published += 1
        if done.batches % 10 == 0:
            done.expect("the ledger", kb.verify_ledger().ok, True)
            done.verified += 1
        if time.time() - told > 10:
            told = time.time()
            sizes = ", ".join(f"{memory(pid):.0f}" for pid in pids)
            print(f"{ends - told:5.0f} s left: {acked:,} claims acknowledged; MB of each process: {sizes}", flush=True)
    return done


def main() -> int:
    """Run the load and say what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--readers", type=int, default=2)
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    start = multiprocessing.get_context("spawn")
    shared = {name: start.Value("q", 0) for name in ("acked", "published")}
    with tempfile.TemporaryDirectory(dir=given.folder) as name:
        folder = Path(name)
        snapshot, reports = folder / "reader.duckdb", [folder / f"{n}.json" for n in range(given.readers)]
        with cb.open(folder / "base.duckdb", packs=[cb.load_pack(PACK)]) as kb:
            kb.add(claims(0))
            kb.watch("cheap", f"price <= {CHEAP}")
            kb.publish(snapshot)
            shared["acked"].value = shared["published"].value = BATCH
            ends = time.time() + given.seconds
            readers = [
                start.Process(target=read, args=(snapshot, ends, shared, n, report)) for n, report in enumerate(reports)
            ]
            for reader in readers:
                reader.start()
            pids = [multiprocessing.current_process().pid or 0, *(reader.pid or 0 for reader in readers)]
            done = write(kb, snapshot, ends, shared, pids)
            for reader in readers:
                reader.join(60)
            done.expect("the ledger at the end", kb.verify_ledger().ok, True)
            done.expect("readers that ended well", [reader.exitcode for reader in readers], [0] * len(readers))
        told = [json.loads(report.read_text(encoding="utf-8")) for report in reports if report.exists()]
    wrong = done.wrong + [line for one in told for line in one["wrong"]]
    asked = ", ".join(str(one["asked"]) for one in told)
    print(
        f"{done.batches} batches, {done.published} published, {done.verified} verifications, {done.events} watch events"
    )
    print(f"answers of readers: {asked}; wrong: {len(wrong)}")
    print("\n".join(wrong))
    return int(bool(wrong))


if __name__ == "__main__":
    raise SystemExit(main())
