"""Opening a base: a file, memory, or the shipped seeds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from claimbase import ingest
from claimbase.base.arguments import checking
from claimbase.base.writing import Claimbase
from claimbase.files import folder
from claimbase.ingest.snapshots import ingest_all
from claimbase.store import checkpoint, open_db
from claimbase.temporal import Clock
from claimbase.vocabulary import Pack, load_pack


@checking
def open(  # noqa: A001 - cb.open() is the name a reader expects
    path: str | Path | None = None,
    *,
    read_only: bool = False,
    clock: Clock | None = None,
    packs: Iterable[Pack] | None = None,
    create: bool = True,
) -> Claimbase:
    """Open a base, or make a new one.

    Args:
        path: its file; None = in memory.
        read_only: open a locked reader, for which the file must exist.
        clock: tells the time of writes and of *now*.
        packs: what a base declares that nothing was written to yet; None = the shipped packs.
        create: make the file where it is missing.

    Raises:
        StoreLockedError: another process is writing to it.
        StoreCorruptError: [not_a_store] the file is no base.
        SchemaVersionError: a newer claimbase wrote it.
    """
    db = open_db(None if path is None else Path(path), read_only=read_only, clock=clock, create=create)
    kb = Claimbase(db)
    if not read_only and checkpoint(db)["batch_id"] == 0:
        kb.declare(*(shipped_packs() if packs is None else packs))
    return kb


@checking
def demo(clock: Clock | None = None) -> Claimbase:
    """Open a base in memory that holds the shipped seeds: the claims, and texts of some of their sources."""
    kb = open(clock=clock)
    load_seeds(kb)
    return kb


def load_seeds(kb: Claimbase) -> None:
    """Load the shipped seeds into a base."""
    ingest.load(kb.db, kb.vocabulary(), enumerate(_seed_claims(), 1), verb="seeds")
    ingest_all(kb.db, _seed_texts())


def shipped_packs() -> list[Pack]:
    """Load the predicate packs that come with the package."""
    return [load_pack(file.read_text(encoding="utf-8")) for file in _files("predicates", ".toml")]


def _seed_claims() -> Iterator[Mapping[str, Any]]:
    from claimbase.importers.feed import parse_json

    for file in _files("claims", ".jsonl"):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            yield parse_json(line, where=f"{file.name} line {number}")


def _seed_texts() -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Give the shipped excerpts of pages, each with where and when it was read."""
    from claimbase.importers.feed import parse_json

    sources = folder("seeds").joinpath("sources")
    for line in sources.joinpath("index.jsonl").read_text(encoding="utf-8").splitlines():
        told = dict(parse_json(line, where="index.jsonl"))
        yield sources.joinpath(told.pop("file")).read_text(encoding="utf-8"), told


def _files(name: str, ending: str) -> list[Any]:
    found = [file for file in folder("seeds").joinpath(name).iterdir() if file.name.endswith(ending)]
    return sorted(found, key=lambda file: file.name)
