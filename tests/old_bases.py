"""Bases as earlier schemas left them, as text: making them, and making database files of them.

``python tests/old_bases.py`` writes those that are missing; one that was written stays as it is.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from kit import Ticking, claim, day, gone, pack, standing

import claimbase
from claimbase.base import Claimbase
from claimbase.store import Db, Transaction, schema_files
from claimbase.store.definitions import macros, tables
from claimbase.store.head import Head, Stamp
from claimbase.store.keeping import columns, of_table

FOLDER = Path(__file__).parent / "fixtures" / "bases"
NEWEST = schema_files()[-1][0]
PAGE = "Lark 2 reads up to 262,144 tokens per request. It costs $3 per million.\n"


def numbers() -> list[int]:
    """Give the number of every schema that a base was written with."""
    return [number for number, _, _ in schema_files()]


# -- reading them ----------------------------------------------------------------------------------------------------


def told(schema: int) -> dict[str, Any]:
    """Give a base as text: tables, newest batch, what stands, what it answers."""
    found: dict[str, Any] = json.loads((FOLDER / f"schema_{schema}.json").read_text("utf-8"))
    return found


def database(schema: int, path: Path) -> dict[str, Any]:
    """Make a database file of one, with the first schema files alone, and its head file."""
    base = told(schema)
    with closing(Db(path)) as db, db.atomic() as transaction:
        for one in tables(schema):
            transaction.run(one)
        for table, kinds in columns(transaction).items():
            lines = path.with_name(f"{table}.jsonl")
            lines.write_text("".join(line + "\n" for line in base["tables"][table]), encoding="utf-8")
            given = {"path": str(lines), "columns": kinds, "longest": 1 << 24}
            transaction.run(of_table("keeping/read_jsonl", table), given)
            lines.unlink()
    Head(path).append([Stamp(**base["head"])])
    return base


def folder(schema: int, path: Path) -> None:
    """Make an exported folder of one."""
    base = told(schema)
    path.mkdir()
    files = {}
    for table, lines in base["tables"].items():
        data = "".join(line + "\n" for line in lines).encode()
        (path / f"{table}.jsonl").write_bytes(data)
        files[table] = {"rows": len(lines), "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    manifest = {
        "kind": "claimbase export", "version": 1, "schema": schema, "format": "jsonl", "engine": "2.0.1", "state": "",
        "head": base["head"], "tables": files,
    }  # fmt: skip
    (path / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")


def standings(kb: Claimbase) -> list[str]:
    """Give every standing version, as text."""
    return ["|".join(map(str, row)) for row in standing(kb.db)]


def eligible(kb: Claimbase) -> dict[str, list[str]]:
    """Give who satisfies a constraint at some instants, after every batch."""
    batches = kb.db.query("SELECT batch_id, recorded_at FROM cb.batch WHERE batch_id > 0 ORDER BY batch_id").rows
    return {
        f"{as_of} batch {number}": sorted(
            one.subject for one in kb.answer("price <= 5", as_of=as_of, recorded_by=recorded_at).eligible
        )
        for number, recorded_at in batches
        for as_of in ("2026-03-02", "2026-04-01")
    }


# -- making them -----------------------------------------------------------------------------------------------------


def _used(schema: int) -> Claimbase:
    """Use a base as far as its schema goes."""
    kb = claimbase.open(clock=Ticking(), packs=[pack()])
    kb.db.query("SET GLOBAL threads = 1")
    kb.add([claim("$3", day(1)), claim("$4", day(5)), claim("$9", day(2), subject="Wren", effective_from="2026-03")])
    kb.add([gone(claim("$4", day(5)), day(20)), claim("$2", day(6), subject="Crow", scope={"mode": "batch"})])
    ids = {row["subject"]: row["claim_id"] for row in kb.claims()}
    kb.observe(ids["Crow"], "confirmed", observed_at=day(25))
    if schema >= 2:
        kb.correct(ids["Wren"], {"value": "$5", "quote": "$5"}, reason="typo")
        kb.add([claim("$1", day(3), subject=name) for name in ("Gull", "Rook", "Wren (old)")])
        ids = {row["subject"]: row["claim_id"] for row in kb.claims()}
        kb.retract(ids["Gull"], reason="withdrawn")
        kb.erase(ids["Rook"], reason="law")
        kb.merge("Wren (old)", "Wren", reason="the same")
        kb.watch("cheap", "price <= 5")
        kb.run_watches()
    if schema >= 3:
        read = kb.sources.ingest(PAGE, uri="https://norden.example/pricing", observed_at=day(27))
        said = claim("$3", day(27), subject="Tern", quote="It costs $3 per million.")
        kb.add([said], snapshot=str(read.snapshot_id))
    return kb


def made(schema: int) -> dict[str, Any]:
    """Make a base as text: what its verbs wrote, with a ledger that knows the first schema files alone."""
    with TemporaryDirectory() as place, _used(schema) as kb, closing(Db()) as db:
        expected = {"standing": standings(kb), "eligible": eligible(kb)}
        with kb.db.atomic() as reading, db.atomic() as writing:
            for one in (*tables(), *macros()):
                writing.run(one)
            for table, kinds in columns(reading).items():
                path = {"path": f"{place}/{table}"}
                reading.run(of_table("keeping/write_jsonl", table), path)
                if table not in ("batch", "migration"):
                    writing.run(of_table("keeping/read_jsonl", table), {**path, "columns": kinds, "longest": 1 << 24})
            _chained(reading, writing, schema)
            for table in _known(schema):
                writing.run(of_table("keeping/write_jsonl", table), {"path": f"{place}/{table}"})
            newest = Stamp(*writing.file("keeping/newest").rows[0])
        lines = {table: _narrowed(Path(place) / table, kinds) for table, kinds in _known(schema).items()}
    return {"head": asdict(newest), **expected, "tables": lines}


def _chained(reading: Transaction, writing: Transaction, schema: int) -> None:
    """Write the ledger again over the same rows."""
    for row in reading.run("FROM cb.migration ORDER BY number"):
        if row[0] <= schema:
            writing.run("INSERT INTO cb.migration VALUES ($number, $name, $engine, $at)",
                        dict(zip(("number", "name", "engine", "at"), row, strict=True)))  # fmt: skip
    root = ""
    for batch_id, at, verb, entries, added, retracted, *_ in reading.run("FROM cb.batch ORDER BY batch_id"):
        writing.file("ledger/append_batch", {
            "batch_id": batch_id, "recorded_at": at, "verb": verb, "entries": entries, "added": added,
            "retracted": retracted, "prev": root,
        })  # fmt: skip
        root = writing.file("ledger/root_of", {"batch_id": batch_id}).rows[0][0]


def _known(schema: int) -> dict[str, dict[str, str]]:
    with closing(Db()) as db, db.atomic() as transaction:
        for one in tables(schema):
            transaction.run(one)
        return columns(transaction)


def _narrowed(path: Path, kinds: dict[str, str]) -> list[str]:
    """Leave out columns that came later: they stand at the end and hold nothing."""
    lines = []
    for line in path.read_text("utf-8").splitlines():
        for late in reversed([name for name in json.loads(line) if name not in kinds]):
            assert line.endswith(f',"{late}":null}}'), (path.name, line)
            line = line.removesuffix(f',"{late}":null}}') + "}"  # noqa: PLW2901
        lines.append(line)
    return lines


if __name__ == "__main__":
    for number in numbers():
        written = FOLDER / f"schema_{number}.json"
        if not written.exists():
            written.write_text(json.dumps(made(number), indent=0, ensure_ascii=False) + "\n", encoding="utf-8")
            print(written.name)
