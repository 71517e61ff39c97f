"""The peers of F7: SQLite, PostgreSQL, Polars and plain loops answer the same questions over the same rows.

Two-valued; every answer is compared with the base. CPU seconds are of the process; of PostgreSQL, of its backend.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from statistics import median
from typing import Any

import polars as pl
from run import cpu

import claimbase as cb

HERE = Path(__file__).parent / "peers"
QUESTIONS = ("subject", "predicate", "everything", "constraints", "contradictions", "freshness", "both axes")
VALID, OBSERVED, RECORDED = 1_654_041_600_000_000, 1_798_761_600_000_000, 1_798_761_600_000_000
AXES = dict.fromkeys(QUESTIONS, (VALID, OBSERVED)) | {"both axes": (1_640_995_200_000_000, 1_700_000_000_000_000)}
Ask = Callable[[str], list[tuple[Any, ...]]]
Rows = list[tuple[Any, ...]]


def piece(name: str, **words: object) -> str:
    """Give a statement of the folder of peers with its gaps filled."""
    sql = (HERE / f"{name}.sql").read_text(encoding="utf-8")
    for word, value in words.items():
        sql = sql.replace(f"__{word.upper()}__", str(value))
    return sql.strip()


def question(name: str, active: str, quote: str) -> str:
    """Write a question over one way to say what is active."""
    valid, observed = AXES[name]
    file = "everything" if name == "both axes" else name
    return piece(file, active=piece(active, t=valid, o=observed, r=RECORDED), quote=quote)


def own(kb: cb.Claimbase) -> Ask:
    """Ask the base itself, through its one definition of active."""
    return lambda name: kb.db.query(question(name, "own_active", "cb.quote")).rows


def sqlite(rows: pl.DataFrame, quotes: pl.DataFrame, folder: Path) -> Ask:
    """Load SQLite with covering indexes."""
    base = sqlite3.connect(folder / "peer.sqlite")
    base.executescript(piece("tables"))
    for table, frame in (("claim", rows), ("quote", quotes)):
        base.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * frame.width)})", frame.iter_rows())  # noqa: S608
    base.executescript(piece("indexes"))
    base.commit()
    return lambda name: base.execute(question(name, "active", "quote")).fetchall()


# -- Polars and plain loops ----------------------------------------------------------------------------------------


def _active(frame: pl.DataFrame, valid: int, observed: int) -> pl.LazyFrame:
    def holds(start: str, end: str, at: int) -> pl.Expr:
        return (pl.col(start) <= at) & (pl.col(end).is_null() | (pl.col(end) > at))

    return frame.lazy().filter(
        holds("from_latest", "until_earliest", valid)
        & holds("observed_from", "observed_until", observed)
        & holds("recorded_at", "retracted_at", RECORDED)
    )


def _polars_question(name: str, active: pl.LazyFrame, quotes: pl.DataFrame) -> pl.LazyFrame:
    value, slot = pl.col("value"), ["subject_id", "predicate_id", "scope_id"]
    limits = {1: value >= 150000, 2: value <= 350000, 3: value >= 100000, 4: value <= 400000}
    meets = pl.any_horizontal([(pl.col("predicate_id") == p) & limit for p, limit in limits.items()])
    if name == "subject":
        keys = ["predicate_id", "value", "quote"]
        return active.filter(pl.col("subject_id") == 7).join(quotes.lazy(), on="quote_id").select(keys).sort(keys)
    if name == "predicate":
        return active.filter(pl.col("predicate_id") == 3).select(pl.len(), value.sum())
    if name == "constraints":
        met = active.filter((pl.col("scope_id") == 0) & meets).group_by("subject_id")
        return met.agg(pl.col("predicate_id").n_unique().alias("n")).filter(pl.col("n") == 4).select(pl.len())
    if name == "contradictions":
        ends = active.group_by(slot).agg(value.min().alias("low"), value.max().alias("high"))
        return ends.filter(pl.col("low") != pl.col("high")).select(pl.len())
    if name == "freshness":
        seen = pl.col("observed_at")
        told = active.group_by("predicate_id").agg(pl.len(), seen.max().alias("newest"), seen.min().alias("oldest"))
        return told.sort("predicate_id")
    return active.select(pl.len(), value.sum())


def polars(rows: pl.DataFrame, quotes: pl.DataFrame) -> Ask:
    """Ask Polars with everything in memory."""
    return lambda name: _polars_question(name, _active(rows, *AXES[name]), quotes).collect().rows()


def loops(rows: pl.DataFrame, quotes: pl.DataFrame) -> Ask:
    """Ask plain loops over a list of dictionaries."""
    claims, words = rows.to_dicts(), dict(quotes.select("quote_id", "quote").iter_rows())

    def active(name: str) -> list[dict[str, Any]]:
        valid, observed = AXES[name]
        axes = (
            ("from_latest", "until_earliest", valid), ("observed_from", "observed_until", observed),
            ("recorded_at", "retracted_at", RECORDED),
        )  # fmt: skip
        return [
            one for one in claims
            if all(one[a] is not None and one[a] <= at and (one[b] is None or one[b] > at) for a, b, at in axes)
        ]  # fmt: skip

    def by(found: Sequence[dict[str, Any]], *keys: str) -> dict[tuple[Any, ...], list[dict[str, Any]]]:
        groups: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
        for one in found:
            groups.setdefault(tuple(one[key] for key in keys), []).append(one)
        return groups

    limits: dict[int, Callable[[float], bool]] = {
        1: lambda v: v >= 150000, 2: lambda v: v <= 350000, 3: lambda v: v >= 100000, 4: lambda v: v <= 400000,
    }  # fmt: skip

    def total(found: Sequence[dict[str, Any]]) -> Rows:
        return [(len(found), sum(one["value"] for one in found))]

    def met(found: Sequence[dict[str, Any]]) -> Rows:
        hits = [one for one in found if one["scope_id"] == 0 and limits.get(one["predicate_id"], bool)(one["value"])]
        hits = [one for one in hits if one["predicate_id"] in limits]
        return [(sum(len({one["predicate_id"] for one in few}) == 4 for few in by(hits, "subject_id").values()),)]

    def disputed(found: Sequence[dict[str, Any]]) -> Rows:
        slots = by(found, "subject_id", "predicate_id", "scope_id").values()
        return [(sum(len({one["value"] for one in few}) > 1 for few in slots),)]

    def fresh(found: Sequence[dict[str, Any]]) -> Rows:
        groups = sorted(by(found, "predicate_id").items())
        seen = [(key[0], [one["observed_at"] for one in few]) for key, few in groups]
        return [(key, len(times), max(times), min(times)) for key, times in seen]

    def told(found: Sequence[dict[str, Any]]) -> Rows:
        mine = [one for one in found if one["subject_id"] == 7]
        return sorted((one["predicate_id"], one["value"], words[one["quote_id"]]) for one in mine)

    asks: dict[str, Callable[[Sequence[dict[str, Any]]], Rows]] = {
        "subject": told, "constraints": met, "contradictions": disputed, "freshness": fresh, "everything": total,
        "both axes": total, "predicate": lambda found: total([one for one in found if one["predicate_id"] == 3]),
    }  # fmt: skip
    return lambda name: asks[name](active(name))


# -- PostgreSQL ----------------------------------------------------------------------------------------------------

BINARIES = next((path for path in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), None)


@contextlib.contextmanager
def postgres(rows: pl.DataFrame, quotes: pl.DataFrame) -> Iterator[tuple[Ask, Callable[[], float]]]:
    """Start a private server where its binaries are installed; give the asking and the CPU seconds of its backend."""
    import psycopg

    assert BINARIES is not None
    with tempfile.TemporaryDirectory() as name:
        folder, user = Path(name), {}
        if os.getuid() == 0:  # the server refuses to run as root
            user = {"user": "postgres"}
            os.chown(folder, *pwd.getpwnam("postgres")[2:4])
        start = f"-k {folder} -c listen_addresses= -c fsync=off -c shared_buffers=2GB -c work_mem=256MB"
        run(BINARIES / "initdb", "-D", folder / "data", "-A", "trust", "-U", "peer", **user)
        run(BINARIES / "pg_ctl", "-D", folder / "data", "-o", start, "-l", folder / "log", "-w", "start", **user)
        try:
            with psycopg.connect(host=str(folder), user="peer", dbname="postgres", autocommit=True) as base:
                _fill(base, rows, quotes)
                pid = base.info.backend_pid
                yield (
                    lambda name: base.execute(question(name, "active", "quote")).fetchall(),
                    lambda: int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9,
                )
        finally:
            run(BINARIES / "pg_ctl", "-D", folder / "data", "-m", "immediate", "stop", **user)


def run(*command: str | Path, **user: Any) -> None:
    """Run a command that must not fail."""
    subprocess.run(list(map(str, command)), check=True, capture_output=True, cwd="/", **user)


def _fill(base: Any, rows: pl.DataFrame, quotes: pl.DataFrame) -> None:
    base.execute("SET max_parallel_workers_per_gather = 0")
    base.execute(piece("tables"))
    for table, frame in (("claim", rows), ("quote", quotes)):
        with base.cursor().copy(f"COPY {table} FROM STDIN") as copy:
            for row in frame.iter_rows():
                copy.write_row(row)
    base.execute(piece("indexes"))


# -- all of them ---------------------------------------------------------------------------------------------------


def compared(kb: cb.Claimbase, rounds: int) -> dict[str, dict[str, float]]:
    """Measure every peer on every question; CPU seconds by question and peer, and each answer checked."""
    rows, quotes = (kb.db.query(piece(name)) for name in ("rows", "quotes"))
    frames = [pl.DataFrame(one.rows, schema=list(one.columns), orient="row", infer_schema_length=None)
              for one in (rows, quotes)]  # fmt: skip
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        asks: dict[str, tuple[Ask, Callable[[], float] | None]] = {
            "claimbase": (own(kb), None),
            "SQLite": (sqlite(*frames, Path(name)), None),
            "Polars": (polars(*frames), None),
            "loops": (loops(*frames), None),
        }
        if BINARIES is not None and shutil.which("psql"):
            asks["PostgreSQL"] = stack.enter_context(postgres(*frames))
        return {question: _measured(asks, question, rounds) for question in QUESTIONS}


def _measured(asks: dict[str, tuple[Ask, Callable[[], float] | None]], name: str, rounds: int) -> dict[str, float]:
    expected = asks["claimbase"][0](name)
    times: dict[str, list[float]] = {peer: [] for peer in asks}
    for place in range(rounds + 1):
        for peer, (ask, clock) in asks.items():
            if peer == "loops" and place > 1:
                continue
            start = clock() if clock else 0.0
            took = cpu(lambda ask=ask, peer=peer: check(peer, name, ask(name), expected))
            times[peer].append(clock() - start if clock else took)
    return {peer: median(taken[1:]) for peer, taken in times.items()}


def check(peer: str, name: str, found: Rows, expected: Rows) -> None:
    """Hold a peer's answer against that of the base, whose numbers are exact."""
    assert list(map(_plain, found)) == list(map(_plain, expected)), (peer, name, found[:3], expected[:3])


def _plain(row: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(float(one) if isinstance(one, Decimal) else one for one in row)
