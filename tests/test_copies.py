from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from copies import declared, demo, empty, quick_files
from kit import NOW, Ticking, base, claim, digest, opened, pack

import claimbase
from claimbase.base import opening
from claimbase.store import Db, definitions, open_db, schema
from claimbase.store.schema import drifted, expected_macros
from claimbase.temporal import FixedClock

MADE = (
    "SELECT table_name, sql FROM duckdb_tables() ORDER BY ALL",
    "SELECT table_name, constraint_type, constraint_text FROM duckdb_constraints() ORDER BY ALL",
    "SELECT table_name, sql FROM duckdb_indexes() ORDER BY ALL",
    "SELECT view_name, sql FROM duckdb_views() WHERE NOT internal ORDER BY ALL",
    "SELECT sequence_name, sql FROM duckdb_sequences() ORDER BY ALL",
    "SELECT table_name, trigger_name, sql FROM duckdb_triggers() ORDER BY ALL",
)


@pytest.mark.parametrize("kind", [FixedClock, pytest.param(Ticking, marks=pytest.mark.slow)])
def test_a_copy_is_what_opening_makes(kind: Any) -> None:
    """X51, G5: a base that tests copy has the tables, guards, macros and rows, and the clock, of one made anew."""
    clocks = [kind(NOW) for _ in range(4)]
    with base(clocks[0]) as copied, claimbase.open(clock=clocks[1], packs=[pack()]) as made:
        for query in MADE:
            assert copied.db.query(query).rows == made.db.query(query).rows
        assert made.db.query(MADE[-1]).rows
        assert drifted(copied.db) == []
        assert set(copied.db.file("ledger/macros").rows) <= expected_macros()
        for kb in (copied, made):
            kb.add([claim()])
        assert digest(copied.db) == digest(made.db)
        assert clocks[0] == clocks[1] or clocks[0].moment == clocks[1].moment
    bare, opened = empty(clocks[2]), open_db(clock=clocks[3])
    assert digest(bare) == digest(opened)
    for db in (bare, opened):
        db.close()


def test_a_file_that_begins_as_a_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """X51, G5, C17: a new file that begins as a copy of one with tables and macros holds what one made anew holds."""
    with quick_files():
        quick = opened(tmp_path / "quick.duckdb")
    monkeypatch.setattr(schema, "Db", Db)
    monkeypatch.setattr(schema, "macros", lambda: told.append("anew") or definitions.macros())
    told: list[str] = []
    with quick as copied, opened(tmp_path / "made.duckdb") as made:
        assert told == ["anew"]
        for query in MADE:
            assert copied.db.query(query).rows == made.db.query(query).rows
        found = [kb.db.file("ledger/macros").rows for kb in (copied, made)]
        assert set(found[0]) <= expected_macros()
        assert [name for name, _ in found[0]] == [name for name, _ in found[1]]
        for kb in (copied, made):
            kb.add([claim()])
        assert (digest(copied.db), copied.state_hash()) == (digest(made.db), made.state_hash())
    assert {one.stat().st_mode for one in tmp_path.glob("*.duckdb")} == {0o100600}
    for name in ("quick", "made"):
        opened(tmp_path / f"{name}.duckdb").close()


def test_the_seeds_are_those_of_the_package() -> None:
    """Q3: the seeds that tests copy are, row by row, what `claimbase.demo` loads; and tests are given them."""
    assert claimbase.demo is demo
    with demo(FixedClock(NOW)) as copied, opening.demo(FixedClock(NOW)) as made:
        assert digest(copied.db) == digest(made.db)
        assert copied.basis() == made.basis()


def test_copies_are_apart() -> None:
    """B4: what is written to one copy stands in no other."""
    with (
        declared(FixedClock(NOW)) as one,
        declared(FixedClock(NOW)) as other,
        claimbase.open(clock=FixedClock(NOW)) as made,
    ):
        assert digest(one.db) == digest(other.db) == digest(made.db)
        one.declare(pack())
        one.add([claim()])
        assert (len(one.claims()), len(other.claims())) == (1, 0)
