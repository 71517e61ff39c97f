"""Bringing a base's schema up to date: every schema that ever was opens, answers as before, is never left halfway."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner
from kept_kills import killed
from kit import NOW
from old_bases import NEWEST, database, eligible, folder, numbers, standings, told

import claimbase
from claimbase.cli import main
from claimbase.errors import SchemaVersionError, StoreError
from claimbase.store import Db, audit, definitions
from claimbase.store import schema as schema_room
from claimbase.temporal import FixedClock

CLOCK = FixedClock(NOW.replace(month=12, day=1))


@pytest.fixture(
    params=[pytest.param(one, marks=pytest.mark.slow if 1 < one < max(numbers()) else ()) for one in numbers()]
)
def schema(request: pytest.FixtureRequest) -> int:
    """Give the number of each schema in turn; the default run takes the first and the newest."""
    return int(request.param)


def test_there_is_a_base_of_every_schema() -> None:
    """G18: a schema that bases were written with has its fixture, written once."""
    for number in numbers():
        assert [json.loads(line)["number"] for line in told(number)["tables"]["migration"]] == [*range(1, number + 1)]


def test_an_old_base_is_brought_up_to_date(tmp_path: Path, schema: int) -> None:
    """G18, G6: what was written with any schema stands and answers as it did, its ledger holds, it can be written."""
    path = tmp_path / "old.duckdb"
    base = database(schema, path)
    found = claimbase.migrate(path)
    assert (found.before, found.after, len(found.applied)) == (schema, NEWEST, NEWEST - schema)
    assert not (tmp_path / "old.duckdb.wal").exists()
    with claimbase.open(path, clock=CLOCK) as kb:
        assert (standings(kb), eligible(kb)) == (base["standing"], base["eligible"])
        assert any(base["eligible"].values())
        head = (base["head"]["batch_id"], base["head"]["root"])
        assert audit(kb.db, head).words.startswith("the ledger holds")
        assert kb.state_hash() == found.state
        kb.add({"provider": "P", "subject": "S", "predicate": "price", "value": "$1", "quote": "$1",
                "observed_at": "2026-05-01", "source": {"url": "https://p.example/"}})  # fmt: skip
        assert kb.verify_ledger().ok


@pytest.mark.parametrize(
    "schema", [pytest.param(one, marks=pytest.mark.slow if one > 1 else ()) for one in numbers()[:-1]]
)
def test_an_old_export_is_imported(tmp_path: Path, schema: int) -> None:
    """G18, G17: a folder that an earlier claimbase exported makes a base of today's schema that answers the same."""
    base = told(schema)
    folder(schema, tmp_path / "out")
    report = claimbase.import_folder(tmp_path / "out", tmp_path / "new.duckdb")
    assert report.batch_id == base["head"]["batch_id"]
    with claimbase.open(tmp_path / "new.duckdb", clock=CLOCK) as kb:
        assert standings(kb) == base["standing"]
        assert kb.verify_ledger(f"{report.batch_id}:{base['head']['root']}").ok
        assert kb.state_hash() == report.state


def test_an_old_backup_is_put_back(tmp_path: Path) -> None:
    """G18, G17: a backup that an earlier claimbase made is put back with today's schema, and stays as it is itself."""
    base = database(1, tmp_path / "old.duckdb")
    before = (tmp_path / "old.duckdb").read_bytes()
    report = claimbase.restore(tmp_path / "old.duckdb", tmp_path / "new.duckdb")
    with claimbase.open(tmp_path / "new.duckdb", clock=CLOCK) as kb:
        assert standings(kb) == base["standing"]
        assert kb.state_hash() == report.state
    assert (tmp_path / "old.duckdb").read_bytes() == before


def test_a_migration_that_fails_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """G18: what is pending is applied in one transaction: where its last statement fails, the old schema stands."""
    path = tmp_path / "old.duckdb"
    database(2, path)
    monkeypatch.setattr(schema_room, "macros", lambda: (*definitions.macros(), "SELECT error('no')"))
    with pytest.raises(StoreError, match="no"):
        claimbase.migrate(path)
    with closing(Db(path, read_only=True)) as db:
        assert [row[0] for row in db.file("ledger/migrations")] == [1, 2]
        assert ("cb", "receipt") not in db.file("ledger/tables").rows
    monkeypatch.undo()
    assert claimbase.migrate(path).before == 2


def test_a_newer_base_is_refused(tmp_path: Path) -> None:
    """X51: a base that a newer claimbase wrote is refused by name and left alone."""
    path = tmp_path / "new.duckdb"
    database(NEWEST, path)
    with closing(Db(path)) as db, db.atomic() as transaction:
        transaction.run("INSERT INTO cb.migration SELECT 9999, 'later', engine, applied_at FROM cb.migration LIMIT 1")
    with pytest.raises(SchemaVersionError):
        claimbase.migrate(path)


def test_by_command(tmp_path: Path) -> None:
    """README: `claimbase migrate` says what was applied, and the second time that there is nothing to do."""
    database(2, tmp_path / "old.duckdb")
    first, second = (CliRunner().invoke(main, ["migrate", str(tmp_path / "old.duckdb"), "--json"]) for _ in range(2))
    assert json.loads(first.stdout)["applied"] == [f"{n:04} {name}" for n, name, _ in definitions.schema_files()[2:]]
    assert first.stderr.startswith(f"schema 2 is now {NEWEST}: 0003 evidence")
    assert json.loads(second.stdout)["applied"] == []


@pytest.mark.slow
def test_killed_at_its_statements() -> None:
    """G18: killed before every thirteenth of its steps, a migration leaves the first schema or the newest."""
    lines = killed("migrate", "--every", "13")
    print("\n".join(lines))
    assert int(lines[0].split()[1]) > 10
