"""The import of the real change logs: changes a second, against the engine's bare read and sorted copy of the file.

    .venv/bin/python tests/benchmarks/imports.py --data ../shared/data

Figures are CPU seconds of this process; each log goes into a new file of its own, all of them together at the end.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import duckdb

import claimbase as cb
from claimbase.importers.feed import Feed
from claimbase.importers.genai_prices import read_genai_prices_log
from claimbase.importers.litellm import read_litellm_log
from claimbase.importers.mapping import load_mapping
from claimbase.importers.observations import read_observations

HERE = Path(__file__).parent
LINE = "{name:16} {changes:>8} changes {rows:>8} rows {versions:>8} versions: read {read:6.2f} s, all {whole:6.2f} s"


def mapped(name: str, path: Path) -> Feed:
    """Read a log through a shipped mapping."""
    return read_observations(path, load_mapping(name))


LOGS: dict[str, Callable[[Path], Feed]] = {
    "models.dev": partial(mapped, "models-dev"),
    "litellm": read_litellm_log,
    "endoflife.date": partial(mapped, "endoflife-date"),
    "tz": partial(mapped, "tz"),
    "deprecations-rss": partial(mapped, "deprecations-rss"),
    "genai-prices": read_genai_prices_log,
    "vat-rates": partial(mapped, "vat-rates"),
}


@dataclass(slots=True)
class Taken:
    """What an import took: counts, and CPU seconds of reading alone, of all of it, and of the bare write."""

    changes: int = 0
    rows: int = 0
    versions: int = 0
    read: float = 0.0
    whole: float = 0.0
    bare: float = 0.0

    def __add__(self, other: Taken) -> Taken:
        """Sum two imports."""
        return Taken(*(getattr(self, name) + getattr(other, name) for name in Taken.__slots__))

    def line(self, name: str) -> str:
        """Write the figures as one line."""
        counts = {"changes": f"{self.changes:,}", "rows": f"{self.rows:,}", "versions": f"{self.versions:,}"}
        figures = LINE.format(name=name, read=self.read, whole=self.whole, **counts)
        pace, ratio = self.changes / self.whole, self.whole / self.bare
        return f"{figures} = {pace:8,.0f} changes/s, {ratio:5.1f} x a bare sorted copy"


def log_of(folder: Path) -> Path:
    """Find the change log of a data set."""
    (found,) = folder.glob("observations.jsonl*")
    return found


def measured(kb: cb.Claimbase, log: Path, feed_of: Callable[[Path], Feed]) -> Taken:
    """Import one log into a base; the rows are made once more to see what reading alone takes."""
    start = time.process_time()
    rows = sum(1 for _ in feed_of(log).rows)
    middle = time.process_time()
    feed = feed_of(log)
    report = kb.load(feed)
    end = time.process_time()
    return Taken(feed.total or 0, rows, report.versions_added, middle - start, end - middle, bare(log))


def bare(log: Path) -> float:
    """Let the engine copy a log into a table, in order."""
    with tempfile.TemporaryDirectory() as folder, duckdb.connect(f"{folder}/bare.duckdb") as connection:
        start = time.process_time()
        connection.execute((HERE / "bare_log.sql").read_text(encoding="utf-8"), {"path": str(log)})
        return time.process_time() - start


def main() -> None:
    """Import every log alone, then all of them into one base."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder of the data sets")
    data: Path = parser.parse_args().data
    with tempfile.TemporaryDirectory() as folder:
        total = Taken()
        for name, feed_of in LOGS.items():
            with cb.open(Path(folder) / f"{name}.duckdb") as kb:
                taken = measured(kb, log_of(data / name), feed_of)
            print(taken.line(name), flush=True)
            total += taken
        print(total.line("together"), flush=True)
        with cb.open(Path(folder) / "all.duckdb") as kb:
            start = time.process_time()
            for name, feed_of in LOGS.items():
                kb.load(feed_of(log_of(data / name)))
            seconds = time.process_time() - start
            print(f"all into one base: {total.changes:,} changes in {seconds:.1f} s CPU", flush=True)
            start = time.process_time()
            found = kb.contradictions(all_time=True)
            print(f"contradictions over all time: {time.process_time() - start:.2f} s CPU: {found.summary}", flush=True)


if __name__ == "__main__":
    main()
