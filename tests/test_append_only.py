"""Append-only: no call and no plain statement changes what is written, but the end of a version, once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from kit import NOW, Ticking, base, claim, drop_guards, opened
from test_ledger import UndoneError, busy, columns, other

import claimbase as cb
from claimbase.errors import StoreError
from claimbase.store import Db, open_db
from claimbase.store.definitions import guards, schema_files, statements
from claimbase.temporal import FixedClock

TABLES = sorted(columns(base()))
PLACE = "WHERE version_id = (SELECT min(version_id) FROM cb.claim WHERE retracted_at IS NULL)"


@pytest.fixture(scope="module")
def kb() -> Iterator[cb.Claimbase]:
    """A base in which every table has rows."""
    with cb.open(clock=Ticking()) as base:
        busy(base)
        yield base


def refused(kb: cb.Claimbase, statement: str) -> bool:
    """Run a statement, look whether the guards refused it, and take it back."""
    with suppress(UndoneError), kb.db.atomic() as transaction:
        try:
            transaction.run(statement)
        except StoreError as error:
            return error.code == "append_only" or "Constraint Error" in str(error)  # the table's own rules
        raise UndoneError
    return False


@pytest.mark.parametrize("table", TABLES)
def test_rows_are_neither_removed_nor_changed(kb: cb.Claimbase, table: str) -> None:
    """G5: DELETE, TRUNCATE, a change of any column and one that changes nothing are refused on every table."""
    column, _ = columns(kb)[table][0]
    tried = [f'DELETE FROM cb."{table}"', f'TRUNCATE cb."{table}"', f'UPDATE cb."{table}" SET "{column}" = "{column}"']  # noqa: S608
    tried += [f'UPDATE cb."{table}" SET "{name}" = {other(kind).format(name)}' for name, kind in columns(kb)[table]]  # noqa: S608
    if table == "claim":
        tried = [statement for statement in tried if '"retracted_at"' not in statement]
    passed = [statement for statement in tried if not refused(kb, statement)]
    assert passed == []
    assert not refused(kb, f'DELETE FROM cb."{table}" WHERE false')  # noqa: S608


def test_a_version_ends_once(kb: cb.Claimbase) -> None:
    """G5, B1: the end of a version is set once, of one or of many; moved, cleared or beside a change it is refused."""
    for which in (PLACE, f"{PLACE} RETURNING claim_no", "WHERE retracted_at IS NULL"):
        assert not refused(kb, f"UPDATE cb.claim SET retracted_at = recorded_at + INTERVAL 1 SECOND {which}"), which  # noqa: S608
    for change in (
        "retracted_at = retracted_at + INTERVAL 1 SECOND WHERE retracted_at IS NOT NULL",
        "retracted_at = NULL WHERE retracted_at IS NOT NULL",
        "retracted_at = NULL WHERE retracted_at IS NULL",
        "retracted_at = recorded_at + INTERVAL 1 SECOND",  # some of these were ended before
    ):
        assert refused(kb, f"UPDATE cb.claim SET {change}"), change  # noqa: S608
    for column, kind in columns(kb)["claim"]:
        if column != "retracted_at":
            changed = f'"{column}" = {other(kind).format(column)}, retracted_at = recorded_at + INTERVAL 9 YEAR'
            assert refused(kb, f"UPDATE cb.claim SET {changed} {PLACE}"), column  # noqa: S608


@pytest.mark.parametrize("statement", [
    "MERGE INTO cb.claim USING (SELECT 0 AS n) ON version_id = n WHEN MATCHED THEN DELETE",
    "MERGE INTO cb.claim USING (SELECT 0 AS n) ON version_id = n WHEN MATCHED THEN UPDATE SET absent = true",
    "INSERT INTO cb.claim SELECT * FROM cb.claim ON CONFLICT DO NOTHING",
    "INSERT OR REPLACE INTO cb.claim SELECT * FROM cb.claim",
    "WITH gone AS (DELETE FROM cb.claim RETURNING *) SELECT * FROM gone",
])  # fmt: skip
def test_no_way_round(kb: cb.Claimbase, statement: str) -> None:
    """G5, C7: merging, upserting and removing inside a query are refused, by the guards or by the engine for them."""
    before = kb.db.query("SELECT count(*), count(retracted_at) FROM cb.claim").rows
    with pytest.raises(StoreError):
        kb.db.query(statement)
    assert kb.db.query("SELECT count(*), count(retracted_at) FROM cb.claim").rows == before


def test_a_base_without_a_guard_is_refused(tmp_path: Path) -> None:
    """X51: a guard that is missing, another, or too many is named at open, and never put up silently."""
    path = tmp_path / "x.duckdb"
    opened(path).close()
    with closing(open_db(path, clock=FixedClock(NOW))) as db:
        db.query("DROP TRIGGER kept ON cb.claim")
    for _ in range(2):
        with pytest.raises(StoreError, match=r"cb\.claim, guard kept is missing") as caught:
            opened(path)
        assert caught.value.code == "schema_drift"


def test_a_guard_with_another_text(tmp_path: Path) -> None:
    """X51: a guard that lets everything through is not the guard."""
    path = tmp_path / "x.duckdb"
    opened(path).close()
    with closing(open_db(path, clock=FixedClock(NOW))) as db:
        db.query("DROP TRIGGER kept ON cb.claim")
        db.query(
            "CREATE TRIGGER kept AFTER DELETE ON cb.claim REFERENCING OLD TABLE AS o FOR EACH STATEMENT"
            " INSERT INTO cb.migration (number) SELECT error('no') FROM o WHERE false"
        )
    with pytest.raises(StoreError, match=r"guard kept is another"):
        opened(path)


@pytest.mark.slow
def test_guards_come_with_the_schema(tmp_path: Path) -> None:
    """G5, G18: every table has both guards, in a new base, in one brought up to date, and after an erasure."""
    everywhere = {(name, table) for table in TABLES for name in ("kept", "unchanged")}
    standing = "SELECT trigger_name, table_name FROM duckdb_triggers()"
    assert len(guards()) == len(everywhere)
    path = tmp_path / "older.duckdb"
    db = Db(path, clock=FixedClock(NOW))
    with db.atomic() as transaction:
        for number, name, text in schema_files()[:3]:
            for one in statements(text):
                transaction.run(one)
            at = {"number": number, "name": name, "engine": "x", "applied_at": NOW}
            transaction.file("ledger/append_migration", at)
    assert db.query(standing).rows == []
    db.close()
    with opened(path) as kb:
        assert set(kb.db.query(standing).rows) == everywhere
        kb.add(claim())
        kb.erase(kb.claims()[0]["claim_id"], reason="law")
        assert set(kb.db.query(standing).rows) == everywhere


def test_what_a_dropped_guard_lets_through_is_found() -> None:
    """G5, G6: guards keep from mistakes; who drops them and changes a row is found by the ledger."""
    with cb.open(clock=Ticking()) as base:
        base.add(claim())
        drop_guards(base.db)
        base.db.query("UPDATE cb.quote SET quote = 'other words'")
        for statement in guards():
            base.db.query(statement)
        found = base.verify_ledger()
    assert [one.part for one in found.findings] == ["batch"]
