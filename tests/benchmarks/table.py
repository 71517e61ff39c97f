"""The table of speed: every target with its figure, beside hand-written SQL, the memory-scan limit and the peers.

    .venv/bin/python tests/benchmarks/table.py --sizes 10000,100000,1000000,10000000 --write

CPU seconds of one process, medians of interleaved runs; only ratios travel between machines. Worlds up to a million
readings go through the public load; ten million are a million multiplied by SQL in the product's own tables.
"""

from __future__ import annotations

import argparse
import math
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
import growth
import peers
from run import AS_OF, PACK, asking, bare, cpu, generate, hand, medians, small, text

import claimbase as cb
from claimbase.errors import NoSpaceError

README = Path(__file__).parents[2] / "README.md"
BEGIN, END = "<!-- speed:begin -->", "<!-- speed:end -->"
LOADED, LARGEST_PEER = 1_000_000, 1_000_000
TAIL = "hash(i * 37) % 10 >= 9"
# How many times faster than SQLite, and at most how many times Polars, an answer at a million claims is to be (F7).
SQLITE = {"everything": 10, "freshness": 10, "both axes": 10, "contradictions": 5, "constraints": 2}


@dataclass(frozen=True, slots=True)
class Line:
    """One measured figure: which target, at how many claims, what, and whether the target is met."""

    target: str
    claims: int
    what: str
    figure: str
    wanted: str
    met: bool | None


@dataclass(slots=True)
class Run:
    """What was measured so far."""

    rounds: int
    lines: list[Line] = field(default_factory=list)
    worlds: list[str] = field(default_factory=list)
    against: dict[int, dict[str, dict[str, float]]] = field(default_factory=dict)
    grown: dict[int, dict[str, float]] = field(default_factory=dict)

    def add(self, target: str, claims: int, what: str, figure: str, wanted: str, met: bool | None) -> None:
        """Keep a figure and show it at once."""
        self.lines.append(Line(target, claims, what, figure, wanted, met))
        print(f"{target:3} n={claims:>10,} {what}: {figure} ({wanted}) {_WORDS[met]}", flush=True)

    def most(self, target: str, claims: int, what: str, ratio: float, limit: float) -> None:
        """Keep a ratio that may be at most so large."""
        self.add(target, claims, what, f"{ratio:.2f}", f"<= {limit:g}", ratio <= limit)


_WORDS = {True: "met", False: "**missed**", None: ""}


# -- worlds --------------------------------------------------------------------------------------------------------


def load(run: Run, claims: int, folder: Path) -> cb.Claimbase:
    """Load a world in two parts, measure the load, the tail behind the order, and the file (F9, F10)."""
    head, tail = folder / "head.parquet", folder / "tail.parquet"
    generate(claims, head, f"NOT ({TAIL})")
    generate(claims, tail, TAIL)
    kb = cb.open(folder / "world.duckdb", packs=[cb.load_pack(PACK)])
    seconds = cpu(lambda: kb.add(head))
    rate = 0.9 * claims / seconds
    run.add("F9", claims, "validated load from Parquet, claims/s", f"{rate:,.0f}", ">= 400,000", rate >= 400_000)
    run.add("F9", claims, "load / a bare sorted copy", f"{seconds / bare(head, folder):.1f}", "", None)
    kb.add(tail)
    before = constraints(kb, run.rounds)
    kb.compact()
    after = constraints(kb, run.rounds)
    run.most("F10", claims, "k=4 with a tail of a tenth / compacted", before / after, 2.5)
    run.most("F10", claims, "file / the same tables as zstd Parquet", size_ratio(kb, folder), 1.5)
    return kb


def size_ratio(kb: cb.Claimbase, folder: Path) -> float:
    """Divide the size of the base's file by that of its tables as Parquet."""
    size = 0
    for (name,) in kb.db.query("SELECT table_name FROM duckdb_tables() WHERE schema_name = 'cb'").rows:
        file = folder / f"{name}.parquet"
        kb.db.query(f"COPY (FROM cb.{name}) TO '{file}' (FORMAT parquet, COMPRESSION zstd)")
        size += file.stat().st_size
        file.unlink()
    return (folder / "world.duckdb").stat().st_size / size


def constraints(kb: cb.Claimbase, rounds: int) -> float:
    """Measure four constraints by the hand-written statement, which feels the layout most."""
    sql, params = hand(kb, "hand_uncited", 4, kb.basis(AS_OF))
    return medians({"hand": lambda: kb.db.query(sql, params)}, rounds)["hand"]


def multiplied(base: Path, folder: Path) -> cb.Claimbase:
    """Copy a base and multiply its subjects by ten, by SQL."""
    target = folder / "large.duckdb"
    shutil.copyfile(base, target)
    with duckdb.connect(str(target), config={"memory_limit": "5GB", "temp_directory": str(folder / "spill")}) as engine:
        engine.execute(text("multiply"))
    kb = cb.open(target)
    kb.db.query("SET GLOBAL memory_limit = '6GB'")
    return kb


# -- figures -------------------------------------------------------------------------------------------------------


def measure(run: Run, kb: cb.Claimbase, claims: int, folder: Path) -> None:
    """Measure all that is measured at every size."""
    run.worlds.append(f"{claims:,}: {text_of(kb.db.query(text('figures')).dicts()[0])}")
    by_hand(run, kb, claims)
    for k in (1, 2, 4, 6):
        took = asking(kb, k, run.rounds)
        run.most("F2", claims, f"statement / by hand, k={k}", took["plan"] / took["hand"], 1.5)
        run.most("F2", claims, f"cited answer / by hand cited, k={k}", took["answer"] / took["hand cited"], 1.3)
        if k == 4:
            natural(run, kb, claims, took["answer"], folder)
    scan(run, kb, claims)
    run.grown[claims] = medians({name: ask for name, ask in growth.analyses(kb).items() if fits(ask)}, run.rounds)


def fits(ask: Callable[[], Any]) -> bool:
    """Tell whether an analysis ends within the engine's memory."""
    try:
        ask()
    except NoSpaceError:
        return False
    return True


def text_of(made: dict[str, float]) -> str:
    """Say what a world is made of."""
    return (
        f"{made['versions']:,} versions of {made['subjects']:,} subjects from {made['sources']:,} sources; imprecise or"
        f" unknown bound {made['imprecise']} %, observed interval closed {made['closed']} %, scope {made['scoped']} %,"
        f" replaced or retracted {made['retracted']} %"
    )


def by_hand(run: Run, kb: cb.Claimbase, claims: int) -> None:
    """F1: what is active, freshness and histories against SQL written by hand on the same table; equal answers."""
    basis = kb.basis(AS_OF)
    params = {"t": basis.valid_at, "o": basis.observed_by}
    axes = {"valid_at": basis.valid_at, "observed_by": basis.observed_by, "recorded_by": basis.recorded_by}
    given = axes | dict.fromkeys(("subjects", "predicates", "stale_days"))
    took = medians(
        {
            "as-of": lambda: kb.db.query(text("own_as_of"), params),
            "as-of by hand": lambda: kb.db.query(text("hand_as_of"), params),
            "freshness": lambda: kb.db.file("queries/freshness", given),
            "freshness by hand": lambda: kb.db.query(text("hand_freshness"), params),
            "history": lambda: kb.db.query(text("all_segments"), axes),
            "history by hand": lambda: kb.db.query(text("hand_history"), {"o": basis.observed_by}),
        },
        run.rounds,
    )
    assert kb.db.query(text("own_as_of"), params).rows == kb.db.query(text("hand_as_of"), params).rows
    ours = [(row["predicate"], row["claims"], row["newest"], row["oldest"])
            for row in kb.db.file("queries/freshness", given).dicts()]  # fmt: skip
    assert ours == kb.db.query(text("hand_freshness"), params).rows
    for name in ("as-of", "freshness", "history"):
        run.most("F1", claims, f"{name} / by hand", took[name] / took[f"{name} by hand"], 1.2)


def natural(run: Run, kb: cb.Claimbase, claims: int, answer: float, folder: Path) -> None:
    """F3: the cited answer to four constraints against natural SQL on the schema one would write first."""
    basis = kb.basis(AS_OF)
    file = folder / "naive.duckdb"
    file.unlink(missing_ok=True)
    with duckdb.connect(config={"memory_limit": "5GB", "temp_directory": str(folder / "spill")}) as engine:
        engine.execute("ATTACH $path AS other", {"path": str(file)})
        copy = folder / "copy.duckdb"
        shutil.copyfile(str(kb.db.path), copy)
        engine.execute("ATTACH $path AS base (READ_ONLY)", {"path": str(copy)})
        engine.execute("USE other")
        engine.execute(text("naive"))
        engine.execute("DETACH base")
        copy.unlink()
        params = {"t": basis.valid_at, "o": basis.observed_by}
        took = medians({"naive": lambda: engine.execute(text("naive_cited"), params).fetchall()}, min(run.rounds, 3))
    file.unlink()
    ratio = took["naive"] / answer
    met = ratio >= 20 if claims >= 10_000_000 else None
    run.add(
        "F3", claims, "natural SQL on a naive schema / cited answer, k=4", f"{ratio:.1f}", ">= 20 at 10,000,000", met
    )


def scan(run: Run, kb: cb.Claimbase, claims: int) -> None:
    """F4: a full timeslice against a read of the same bytes by numpy."""
    basis = kb.basis(AS_OF)
    params = {"t": basis.valid_at, "o": basis.observed_by}
    with duckdb.connect() as engine:
        file = Path(str(kb.db.path)).with_suffix(".columns.parquet")
        kb.db.query(f"COPY ({text('columns')}) TO '{file}' (FORMAT parquet)")
        arrays = list(engine.execute("FROM read_parquet($path)", {"path": str(file)}).fetchnumpy().values())
        file.unlink()
    took = medians(
        {
            "slice": lambda: kb.db.query(text("own_slice"), params),
            "read": lambda: [array.sum() for array in arrays],
        },
        run.rounds,
    )
    met = took["slice"] / took["read"] <= 2.5 if claims >= 10_000_000 else None
    run.add(
        "F4", claims, "full timeslice / memory scan", f"{took['slice'] / took['read']:.2f}", "<= 2.5 at 10,000,000", met
    )


def rivals(run: Run, kb: cb.Claimbase, claims: int) -> None:
    """F7: the peers on the same rows."""
    run.against[claims] = found = peers.compared(kb, run.rounds)
    for name, took in found.items():
        print(
            f"    n={claims:,} {name}: " + ", ".join(f"{peer} {t * 1e3:.1f} ms" for peer, t in took.items()), flush=True
        )
        judged = claims >= LARGEST_PEER
        wanted = SQLITE.get(name)
        if wanted:
            ratio = took["SQLite"] / took["claimbase"]
            met = ratio >= wanted if judged else None
            run.add("F7", claims, f"{name}: SQLite / claimbase", f"{ratio:.1f}", f">= {wanted}", met)
        ratio = took["claimbase"] / took["Polars"]
        run.add("F7", claims, f"{name}: claimbase / Polars", f"{ratio:.2f}", "<= 1.5", ratio <= 1.5 if judged else None)
    one = found["subject"]["claimbase"] * 1e3
    run.add(
        "F7", claims, "one subject, milliseconds", f"{one:.1f}", "<= 5", one <= 5 if claims >= LARGEST_PEER else None
    )


def growing(run: Run) -> None:
    """F5: how the time of each analysis grows from the smallest to the largest size."""
    sizes = sorted(run.grown)
    if len(sizes) < 2:
        return
    small_one, large = sizes[0], sizes[-1]
    for name, limit in growth.TARGETS.items():
        if name not in run.grown[large]:
            run.add("F5", large, f"growth exponent from {small_one:,}: {name}", "out of memory", f"<= {limit}", False)
            continue
        slope = growth.exponent(run.grown, name, small_one, large)
        if not math.isnan(slope):
            run.most("F5", large, f"growth exponent from {small_one:,}: {name}", slope, limit)


# -- the table -----------------------------------------------------------------------------------------------------


def markdown(run: Run) -> Iterator[str]:
    """Write the table, losses included."""
    missed = sum(line.met is False for line in run.lines)
    judged = sum(line.met is not None for line in run.lines)
    yield f"{judged - missed} of {judged} targets are met, {missed} are missed. Ratios of CPU time, medians of"
    yield "interleaved runs in one process, on two cores that other work shared; milliseconds and claims/s are of this"
    yield "machine."
    yield f"DuckDB {duckdb.__version__}. The worlds, by readings loaded (10,000,000 are multiplied by SQL, not loaded):"
    yield ""
    yield from (f"- {world}" for world in run.worlds)
    yield ""
    sizes = sorted({line.claims for line in run.lines})
    yield f"| target | what | wanted | {' | '.join(f'{size:,}' for size in sizes)} |"
    yield f"|---|---|---|{'---|' * len(sizes)}"
    for key in dict.fromkeys((line.target, line.what, line.wanted) for line in run.lines):
        found = {line.claims: line for line in run.lines if (line.target, line.what, line.wanted) == key}
        cells = [_cell(found.get(size)) for size in sizes]
        yield f"| {' | '.join([*key, *cells])} |"
    for size, questions in sorted(run.against.items()):
        yield ""
        peers_of = list(next(iter(questions.values())))
        yield f"CPU milliseconds at {size:,} readings, the same answers from all:"
        yield ""
        yield f"| question | {' | '.join(peers_of)} |"
        yield f"|---|{'---|' * len(peers_of)}"
        for name, took in questions.items():
            yield f"| {name} | {' | '.join(f'{took[peer] * 1e3:.1f}' for peer in peers_of)} |"


def _cell(line: Line | None) -> str:
    if line is None:
        return "–"
    return f"{line.figure}{' (missed)' if line.met is False else ''}"


def written(run: Run, given: argparse.Namespace) -> None:
    """Put the table between its markers in the README, or into a file."""
    whole = "\n".join(markdown(run)) + "\n"
    if given.out:
        given.out.write_text(whole, encoding="utf-8")
    if given.write:
        readme = README.read_text(encoding="utf-8")
        before, _, rest = readme.partition(BEGIN)
        _, found, after = rest.partition(END)
        if not found:
            raise SystemExit(f"README.md has no {BEGIN} … {END}; name a file with --out")
        README.write_text(f"{before}{BEGIN}\n\n{whole}\n{END}{after}", encoding="utf-8")


def main() -> None:
    """Measure the sizes chosen and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="10000,100000,1000000,10000000")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--crowded", type=int, default=262_144, help="claims of the crowded base, 0 = leave F6 out")
    parser.add_argument("--folder", type=Path, help="where worlds are made and removed; 10,000,000 need about 8 GB")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    run = Run(given.rounds)
    for claims in (10, 1_000):
        took = small(claims, given.rounds) * 1e3
        run.add("F8", claims, "cited answer end to end, milliseconds", f"{took:.1f}", "<= 5", took <= 5)
    if given.crowded:
        ratio = growth.crowded(given.crowded, given.rounds)
        run.most("F6", given.crowded, "contradictions, 16,384 claims a slot / 4 a slot", ratio, 4)
    with tempfile.TemporaryDirectory(dir=given.folder) as name:
        for claims in sorted(map(int, given.sizes.split(","))):
            kb, folder = world(run, claims, Path(name))
            measure(run, kb, claims, folder)
            if claims <= LARGEST_PEER:
                rivals(run, kb, claims)
            kb.close()
            written(run, given)
    growing(run)
    written(run, given)


def world(run: Run, claims: int, place: Path) -> tuple[cb.Claimbase, Path]:
    """Load a world into a folder of its own, or multiply a smaller one that is there already."""
    folder = place / str(claims)
    folder.mkdir()
    if claims <= LOADED:
        return load(run, claims, folder), folder
    base = place / str(claims // 10) / "world.duckdb"
    if not base.exists():
        base.parent.mkdir()
        load(Run(1), claims // 10, base.parent).close()
    run.rounds = 1  # what takes minutes is measured once, after a round that is not counted
    return multiplied(base, folder), folder


if __name__ == "__main__":
    main()
