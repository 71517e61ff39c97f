"""What is stored of the definitions: known by digests, made again where it is another, and not touched otherwise."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import duckdb
import pytest
import stored
from kit import NOW, few

from claimbase.store import Db, open_db
from claimbase.store.definitions import digested, noted
from claimbase.store.schema import expected_macros, macros_stand, stored_macros
from claimbase.temporal import FixedClock

TAMPERED = {
    "another": "CREATE OR REPLACE MACRO cb.root(a, b, c, d, e, f, g, h, i) AS 'x'",
    "missing": "DROP MACRO cb.root",
    "overloaded": "CREATE OR REPLACE MACRO cb.countable(a) AS a, (a, b) AS a",
    "unknown": "CREATE MACRO cb.elsewhere(a) AS a",
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Give the file of a new base."""
    open_db(tmp_path / "x.duckdb", clock=FixedClock(NOW)).close()
    return tmp_path / "x.duckdb"


def _made(path: Path) -> int:
    """Open a base for writing and count the macros that this makes."""
    seen: list[str] = []
    made = Db.__init__

    def traced(db: Db, *arguments: object, **options: object) -> None:
        made(db, *arguments, **options)  # type: ignore[arg-type]
        db.trace = seen.append

    with patch.object(Db, "__init__", traced):
        open_db(path, clock=FixedClock(NOW)).close()
    return sum("REPLACE MACRO cb." in one for one in seen)


def test_what_is_noted_is_what_the_engine_stores() -> None:
    """C8: the digests that come with the package are of its files, as its engine stores them."""
    told = stored.told()
    if told.splitlines()[0] != stored.NOTED.read_text("utf-8").splitlines()[0]:
        pytest.skip(f"nothing is noted of engine {duckdb.__version__}")
    assert told == stored.NOTED.read_text("utf-8"), "run python tests/stored.py"
    assert len(noted()) >= len(expected_macros())


def test_a_base_opened_again_is_not_touched(path: Path) -> None:
    """C8: where the macros are the package's none is made, and no byte of the file or beside it changes."""
    before = {one.name: one.read_bytes() for one in path.parent.iterdir()}
    assert (_made(path), _made(path)) == (0, 0)
    assert {one.name: one.read_bytes() for one in path.parent.iterdir()} == before


@pytest.mark.slow
def test_macros_stay_known_however_often_the_file_is_written(path: Path) -> None:
    """C8: a checkpoint writes the macros anew, some in another order; each form is a known one."""
    for number in range(5):
        db = open_db(path, clock=FixedClock(NOW))
        assert macros_stand(db)
        db.query(f"CREATE TABLE main.t{number} (a INTEGER)")
        db.query("FORCE CHECKPOINT")
        db.close()


@pytest.mark.parametrize("how", few(TAMPERED, 2))
def test_another_macro_is_made_again(path: Path, how: str) -> None:
    """C8, G6: a macro that is not the package's, or missing, is the package's once the base was opened for writing."""
    with duckdb.connect(str(path)) as connection:
        connection.execute(TAMPERED[how])
    assert _made(path) == len({name for name, _ in expected_macros()})
    with duckdb.connect(str(path)) as connection:
        connection.execute("DROP MACRO IF EXISTS cb.elsewhere")
    db = open_db(path, read_only=True)
    assert macros_stand(db)
    assert stored_macros(db) <= expected_macros()
    db.close()


@pytest.mark.parametrize("line", few([0, 1], 2))
def test_of_another_engine_or_other_files_nothing_is_known(path: Path, line: int) -> None:
    """C8: digests noted of another engine or after other files say nothing, so that every macro is made."""
    lines = stored.NOTED.read_text("utf-8").splitlines()
    lines[line] = "another"
    folder = path.parent / "sql"
    folder.mkdir()
    (folder / "stored.txt").write_text("\n".join(lines), encoding="utf-8")
    noted.cache_clear()
    with patch("claimbase.store.definitions.folder", lambda name: path.parent / name):
        assert noted() == frozenset()
    try:
        assert _made(path) == len({name for name, _ in expected_macros()})
    finally:
        noted.cache_clear()


def test_a_macro_is_known_by_all_of_it() -> None:
    """G6: the digest is of the whole definition, its parameters too."""
    (one,) = digested([("past", "[at, name] x")])
    assert digested([("past", "[at, name] y")]) != {one} != digested([("past", "[name, at] x")])
