"""Bad files: what is no base, a base that is missing, closed or not as its schema says; each left as it was."""

from __future__ import annotations

import shutil
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from kit import NOW, base, claim, day, drop_guards, few

import claimbase
from claimbase.errors import ClaimbaseError, StoreError
from claimbase.store.definitions import guards
from claimbase.temporal import FixedClock

# -- files that are no base ------------------------------------------------------------------------------------------


def changed(path: Path, change: str) -> None:
    """Make a base and change its schema; the guards of a table, which hold its columns fast, are lifted meanwhile."""
    with claimbase.open(path, packs=[]) as kb:
        drop_guards(kb.db)
        kb.db.query(change)
        for guard in guards():
            with suppress(StoreError):  # the table has another name now
                kb.db.query(guard)


def _folder(path: Path) -> None:
    path.mkdir()


def _empty(path: Path) -> None:
    path.touch()


def _text(path: Path) -> None:
    path.write_text("no base\n" * 1_000)


def _cut(path: Path) -> None:
    claimbase.open(path, packs=[]).close()
    path.write_bytes(path.read_bytes()[:5_000])


def _other(path: Path) -> None:
    import duckdb

    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE mine (x INTEGER)")


def _like(path: Path) -> None:
    import duckdb

    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE SCHEMA cb")
        connection.execute("CREATE TABLE cb.claim (x INTEGER)")


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize("make", [_folder, _empty, _text, _cut, _other, _like])
def test_no_base(make: Any, read_only: bool, tmp_path: Path) -> None:
    """X48: a folder, an empty, foreign or damaged file is no base, for writers and readers, and is left as it was."""
    path = tmp_path / "some.duckdb"
    make(path)
    before = path.read_bytes() if path.is_file() else b""
    with pytest.raises(StoreError) as refused:
        claimbase.open(path, read_only=read_only)
    assert refused.value.code in ("not_a_store", "store_corrupt")
    assert str(tmp_path) not in str(refused.value)
    assert (path.read_bytes() if path.is_file() else b"") == before


@pytest.mark.parametrize("name", ["missing/some.duckdb", "some.duckdb"])
def test_a_base_that_is_missing(name: str, tmp_path: Path) -> None:
    """X48: no folder, or no file for a reader or with create=False."""
    for options in ({"read_only": True}, {"create": False}):
        with pytest.raises(StoreError) as refused:
            claimbase.open(tmp_path / name, **options)
        assert refused.value.code == "store_missing"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_log_of_another_base(tmp_path: Path) -> None:
    """X48: a write-ahead log that belongs to another base is not replayed into this one."""
    one, other = tmp_path / "one.duckdb", tmp_path / "other.duckdb"
    for path in (one, other):
        claimbase.open(path, packs=[]).close()
    kb = claimbase.open(other, packs=[])
    kb.add([claim()])
    shutil.copy(f"{other}.wal", f"{one}.wal")
    kb.close()
    with pytest.raises(StoreError) as refused:
        claimbase.open(one)
    assert refused.value.code in ("wal_mismatch", "store_corrupt", "not_a_store")


@pytest.mark.parametrize("call", [
    lambda kb: kb.add([claim()]), lambda kb: kb.basis(), lambda kb: kb.vocabulary(), repr,
    lambda kb: kb.declare(), lambda kb: kb.observe("c_0123456789abcdef", observed_at=day(1)),
    lambda kb: kb.answer("price <= $5/Mtok"), lambda kb: kb.history("Lark 2"), lambda kb: kb.retract("c_0" + "0" * 15,
    reason="x"),
    lambda kb: kb.describe(), lambda kb: kb.claims(), lambda kb: kb.contradictions(), lambda kb: kb.watches(),
])  # fmt: skip
def test_a_closed_base(call: Any) -> None:
    """X50: every call on a closed base says so."""
    kb = base(FixedClock(NOW))
    kb.close()
    kb.close()
    with pytest.raises(StoreError) as refused:
        call(kb)
    assert refused.value.code == "closed"


@pytest.mark.parametrize(
    ("change", "names"),
    few(
        [
            ("ALTER TABLE cb.claim ADD COLUMN mine INTEGER", "claim.mine"),
            ("ALTER TABLE cb.quote DROP COLUMN reasoning", "quote.reasoning"),
            ("ALTER TABLE cb.entry ALTER ordinal TYPE VARCHAR", "entry.ordinal"),
            ("CREATE TABLE cb.mine (x INTEGER)", "mine"),
            ("DROP TABLE cb.alias", "alias"),
            ("CREATE VIEW cb.mine AS SELECT 1 AS x", "mine"),
            ("ALTER TABLE cb.predicate RENAME TO predicates", "predicate"),
            ("ALTER TABLE cb.subject RENAME name TO title", "subject"),
            ("DROP TRIGGER kept ON cb.entry", "guard kept is missing"),
        ],
        4,
    ),
)
def test_a_schema_that_drifted(change: str, names: str, tmp_path: Path) -> None:
    """X51: a table, column or guard that is not as the schema says is named at open, and never repaired silently."""
    path = tmp_path / "some.duckdb"
    if change.startswith("DROP TRIGGER"):
        with claimbase.open(path, packs=[]) as kb:
            kb.db.query(change)
    else:
        changed(path, change)
    for read_only in (False, True):
        with pytest.raises(StoreError) as refused:
            claimbase.open(path, read_only=read_only)
        assert refused.value.code == "schema_drift"
        assert names in str(refused.value)


@pytest.mark.parametrize("change", [
    pytest.param("CREATE OR REPLACE MACRO cb.instant(given) AS given", marks=pytest.mark.slow),
    "DROP MACRO TABLE cb.active_claims",
    pytest.param("CREATE OR REPLACE MACRO cb.claim_id(n) AS 'c_0123456789abcdef'", marks=pytest.mark.slow),
])  # fmt: skip
def test_a_reader_of_other_macros(change: str, tmp_path: Path) -> None:
    """X51, A6: a reader refuses a base whose macros are not the package's and names one; a writer makes them again."""
    path, name = tmp_path / "some.duckdb", change.split("cb.")[1].split("(", maxsplit=1)[0]
    changed(path, "CREATE MACRO cb.mine(x) AS x")  # one more, through which nothing asks
    claimbase.open(path, read_only=True).close()
    changed(path, change)
    with pytest.raises(StoreError, match=rf"cb\.{name}\b") as refused:
        claimbase.open(path, read_only=True)
    assert refused.value.code == "schema_drift"
    assert claimbase.restore(path, tmp_path / "restored.duckdb").batch_id >= 0  # what is only copied need not be right
    claimbase.open(path, packs=[]).close()
    claimbase.open(path, read_only=True).close()


def test_a_reader_follows_no_snapshot_of_other_macros(tmp_path: Path) -> None:
    """X51, G9: what takes a snapshot's place is looked at as at opening, and the reader refuses to answer from it."""
    path, worse = tmp_path / "snapshot.duckdb", tmp_path / "worse.duckdb"
    with claimbase.open(packs=[]) as kb:
        kb.publish(path)
        kb.backup(worse)
    changed(worse, "CREATE OR REPLACE MACRO cb.instant(given) AS given")
    with claimbase.open(path, read_only=True) as reader:
        assert reader.describe()["totals"]["claims"] == 0
        worse.replace(path)
        with pytest.raises(StoreError, match=r"cb\.instant"):
            reader.basis()


@pytest.mark.parametrize("read_only", [False, True])
def test_no_temporary_object_lives_to_the_next_call(tmp_path: Path, read_only: bool) -> None:
    """X51, C3, C8: a temporary object belongs to one cursor, each call has its own, and no file holds one: so none can
    stand at opening, and none that somebody makes takes over a name in a later call, of this base or of its neighbour.
    """
    path = tmp_path / "some.duckdb"
    claimbase.open(path, packs=[]).close()
    made = ("CREATE TEMP TABLE claim AS SELECT 1 AS claim_no", "CREATE TEMP MACRO lower(x) AS 'taken over'",
            "CREATE TEMP VIEW subject AS SELECT 'taken over' AS name")  # fmt: skip
    seen = ("SELECT count(*) FROM duckdb_tables() WHERE temporary", "SELECT lower('A')",
            "SELECT count(*) FROM duckdb_views() WHERE temporary AND NOT internal")  # fmt: skip
    with claimbase.open(path, packs=[], read_only=read_only) as kb, ExitStack() as more:
        others = [kb, more.enter_context(claimbase.open(path, read_only=True))] if read_only else [kb]
        for statement in made:
            kb.db.query(statement)
        for one in others:
            assert [one.db.query(statement).rows for statement in seen] == [[(0,)], [("a",)], [(0,)]]
        with kb.db.verifying():
            assert [kb.db.query(statement).rows for statement in seen] == [[(0,)], [("a",)], [(0,)]]
    with claimbase.open(path, packs=[], read_only=True) as kb:
        assert [kb.db.query(statement).rows for statement in seen] == [[(0,)], [("a",)], [(0,)]]


# -- our own ---------------------------------------------------------------------------------------------------------


def _cut_to(size: int) -> Any:
    def make(path: Path) -> None:
        claimbase.open(path, packs=[]).close()
        path.write_bytes(path.read_bytes()[:size])

    return make


def _holed(path: Path) -> None:
    claimbase.open(path, packs=[]).close()
    data = bytearray(path.read_bytes())
    data[:4_096] = bytes(4_096)
    path.write_bytes(data)


def _dangling(path: Path) -> None:
    path.symlink_to(path.with_name("folder"))
    path.with_name("folder").mkdir()


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize("make", few([_cut_to(1), _cut_to(4_096), _cut_to(12_288), _holed, _dangling], 3))
def test_no_base_either(make: Any, read_only: bool, tmp_path: Path) -> None:
    """X48: cut at any place, with a header of zeros, or a link to a folder: typed, and left as it was."""
    path = tmp_path / "some.duckdb"
    make(path)
    before = path.read_bytes() if path.is_file() else b""
    with pytest.raises(StoreError) as refused:
        claimbase.open(path, read_only=read_only)
    assert refused.value.code in ("not_a_store", "store_corrupt", "schema_drift")
    assert str(tmp_path) not in str(refused.value)
    assert (path.read_bytes() if path.is_file() else b"") == before


@pytest.mark.parametrize(
    "name", ["a\x00b.duckdb", "x" * 300 + ".duckdb", "some.duckdb/inner.duckdb", "\ud800.duckdb", ""]
)
def test_no_name_of_a_file(name: str, tmp_path: Path) -> None:
    """X48, G16: a name no file can have, one inside a file, an empty one: a typed error, nothing made."""
    (tmp_path / "some.duckdb").write_text("text")
    with pytest.raises(ClaimbaseError):
        claimbase.open(tmp_path / name, create=True)
    assert [path.name for path in tmp_path.iterdir()] == ["some.duckdb"]
