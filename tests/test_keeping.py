"""Keeping a base: its digest, snapshots, backups and compaction that change no answer, and what is refused."""

from __future__ import annotations

import errno
import shutil
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from kept_world import LATER, left_over
from kit import claim, day, digest

import claimbase
from claimbase.base import Claimbase
from claimbase.errors import ClaimbaseError, NoSpaceError, StoreError, StoreLockedError
from claimbase.store import write

KILLS = Path(__file__).with_name("kept_kills.py")


class UndoneError(Exception):
    """Rolls a transaction back."""


@pytest.fixture
def kb(kept: Path) -> Iterator[Claimbase]:
    """Give that copy, open for writing."""
    with claimbase.open(kept, clock=LATER) as opened:
        yield opened


# -- the digest of all of it -----------------------------------------------------------------------------------------


def changed(kb: Claimbase, statement: str) -> tuple[int, str]:
    """Change something, give how many rows that touched and the state hash it makes, and undo it."""
    with suppress(UndoneError), kb.db.atomic() as transaction:
        found = transaction.run(statement).rows[0][0], transaction.file("keeping/state").rows[0][0]
        raise UndoneError
    return found


def test_every_row_counts(kb: Claimbase) -> None:
    """G3, G17: a row more in any table changes the state hash, and so does what a row's own digest leaves out."""
    before = kb.state_hash()
    tables = [name for (name,) in kb.db.query("SELECT table_name FROM duckdb_tables() WHERE schema_name = 'cb'")]
    ended = "UPDATE cb.claim SET retracted_at = '2099-01-01 00:00:00+00' WHERE retracted_at IS NULL"
    other = {
        "text": "INSERT INTO cb.snapshot SELECT * REPLACE ('x' AS text) FROM cb.snapshot WHERE text IS NULL LIMIT 1",
        "bytes": "INSERT INTO cb.receipt SELECT * REPLACE (canonical || 'x' AS canonical) FROM cb.receipt LIMIT 1",
        "none": "INSERT INTO cb.receipt SELECT * REPLACE (NULL AS canonical) FROM cb.receipt LIMIT 1",
        "ended": ended,
    }
    doubled = {table: f"INSERT INTO cb.{table} FROM cb.{table} LIMIT 1" for table in tables}
    found = {name: changed(kb, statement) for name, statement in (doubled | other).items()}
    assert {name for name, (rows, state) in found.items() if (state != before) != (rows > 0)} == set()
    filled = [state for rows, state in found.values() if rows]
    assert len(filled) == len(set(filled)) > 25
    assert kb.state_hash() == before


# -- snapshots and backups -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("verb", [pytest.param("publish", marks=pytest.mark.slow), "backup"])
def test_a_copy_is_the_whole_base(kb: Claimbase, tmp_path: Path, verb: str) -> None:
    """G9, G17: the same rows, state hash, guards and macros; private, nothing left over; the base goes on."""
    target, seen = tmp_path / "copy.duckdb", []
    report = getattr(kb, verb)(target, progress=seen.append)
    state = kb.state_hash()
    assert report.state == ("" if verb == "publish" else state)
    assert [*sorted(seen), report.rows] == [*seen, seen[-1]]
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert (tmp_path / "copy.duckdb.head").exists() == (verb == "backup")
    rows = digest(kb.db)
    kb.add(claim("$8", day(9)))
    with claimbase.open(target, read_only=True, clock=LATER) as copy:
        assert copy.state_hash() == state != kb.state_hash()
        assert digest(copy.db) == rows
        assert copy.verify_ledger().ok
    assert left_over(tmp_path) == ["a.duckdb.wal"]


def test_readers_follow(kb: Claimbase, tmp_path: Path) -> None:
    """G9: what is published shows from a reader's next call on, to every reader of a process; free SQL follows too."""
    target = tmp_path / "reader.duckdb"
    kb.publish(target)
    one, other = (claimbase.open(target, read_only=True, clock=LATER) for _ in range(2))
    before = one.basis()
    kb.add(claim("$8", day(9), subject="Tern"))
    assert one.claims(subject="Tern") == []
    kb.publish(target)
    assert [row["value"] for row in one.claims(subject="Tern")] == ["$8"]
    assert other.sql("SELECT count(*) FROM cb.subject WHERE name = 'Tern'").rows == [(1,)]
    assert one.claims(subject="Tern", recorded_by=before.recorded_by, observed_by=before.observed_by) == []
    other.close()
    kb.add(claim("$9", day(9), subject="Tern"))
    kb.publish(target)
    assert len(one.claims(subject="Tern")) == 2
    target.unlink()
    assert len(one.claims(subject="Tern")) == 2  # what was opened can be read on
    one.close()


def test_a_snapshot_knows_no_more_than_its_newest_batch(kb: Claimbase, tmp_path: Path) -> None:
    """A6: an answer from a snapshot replays from its basis, although the writer has gone on before that answer."""
    kb.publish(tmp_path / "reader.duckdb")
    with claimbase.open(tmp_path / "reader.duckdb", read_only=True, clock=LATER) as reader:
        basis = reader.basis()
    assert basis.recorded_by == kb.db.query("SELECT max(recorded_at) FROM cb.batch").rows[0][0] < LATER.now()
    with claimbase.open(tmp_path / "reader.duckdb", read_only=True, clock=LATER) as reader:
        assert reader.basis(recorded_by="2026-11-30").recorded_by == basis.recorded_by
        with pytest.raises(ClaimbaseError, match="lies in the future"):
            reader.basis(recorded_by="2027-01-01")


def test_what_may_be_replaced(kb: Claimbase, tmp_path: Path) -> None:
    """G9, G17: only an earlier state of the same base gives way; anything else stays as it is."""
    target, text = tmp_path / "copy.duckdb", tmp_path / "text.duckdb"
    kb.backup(target)
    kb.add(claim("$8", day(9)))
    kb.backup(target)
    text.write_text("a diary")
    with claimbase.open(tmp_path / "other.duckdb"):
        pass
    link = tmp_path / "link.duckdb"
    link.symlink_to(tmp_path / "a.duckdb")
    refused = {
        "other.duckdb": "foreign_target", "text.duckdb": "not_a_store", "a.duckdb": "same_file",
        "link.duckdb": "same_file", "none/x.duckdb": "store_missing",
    }  # fmt: skip
    held = {one.name: one.read_bytes() for one in tmp_path.iterdir() if one.is_file() and one.name != "a.duckdb.wal"}
    for name, code in refused.items():
        with pytest.raises(StoreError) as raised:
            kb.publish(tmp_path / name)
        assert raised.value.code == code
    with claimbase.open(target, clock=LATER) as diverged:
        with pytest.raises(StoreLockedError):
            kb.publish(target)
        diverged.add(claim("$7", day(9)))
    with pytest.raises(StoreError, match="not an earlier state"):
        kb.publish(target)
    for name, data in held.items():
        assert name.startswith("copy") or (tmp_path / name).read_bytes() == data
    assert [name for name in left_over(tmp_path) if not name.startswith("a.")] == []


def test_who_may_not(kb: Claimbase, tmp_path: Path) -> None:
    """X50, C8: a reader reaches no file, and half a transaction is not kept."""
    kb.publish(tmp_path / "r.duckdb")
    with claimbase.open(tmp_path / "r.duckdb", read_only=True) as reader:
        for verb in (reader.publish, reader.backup, reader.export):
            with pytest.raises(StoreError) as raised:
                verb(tmp_path / "x")
            assert raised.value.code == "read_only"
        with pytest.raises(StoreError, match="reading only"):
            reader.compact()
    with write(kb.db, "test"):
        for act in (lambda: kb.publish(tmp_path / "x"), lambda: kb.export(tmp_path / "x"), kb.compact):
            with pytest.raises(StoreError) as raised:
                act()
            assert raised.value.code == "in_transaction"
    assert not (tmp_path / "x").exists()
    with claimbase.open() as memory, pytest.raises(StoreError) as raised:
        memory.compact()
    assert raised.value.code == "no_file"


def test_a_copy_that_differs_is_not_placed(kb: Claimbase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """G17: what was written is read back before it takes its place; a row less is found, and the target stays away."""
    from claimbase.store import keeping

    whole = keeping.columns

    def without_quotes(transaction: keeping.Transaction) -> dict[str, dict[str, str]]:
        return {table: kinds for table, kinds in whole(transaction).items() if table != "quote"}

    monkeypatch.setattr(keeping, "columns", without_quotes)
    with pytest.raises(StoreError) as raised:
        kb.backup(tmp_path / "r.duckdb")
    assert raised.value.code == "not_verified"
    assert not (tmp_path / "r.duckdb").exists()
    assert kb.verify_ledger().ok


def test_ended_in_the_middle(kb: Claimbase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """C17: a verb that ends just before its file takes its place leaves the old one; the next run clears the rest."""
    kb.backup(tmp_path / "b.duckdb")
    state, target = kb.state_hash(), tmp_path / "b.duckdb"
    kb.add(claim("$8", day(9)))

    def ended(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "full")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", ended)
        patch.setattr(shutil, "rmtree", lambda *_, **__: None)
        with pytest.raises(NoSpaceError):
            kb.backup(target)
    assert "b.duckdb.unfinished" in left_over(tmp_path)
    with claimbase.open(target, read_only=True, clock=LATER) as old:
        assert old.state_hash() == state
    assert kb.backup(target).state == kb.state_hash() != state
    assert left_over(tmp_path) == ["a.duckdb.wal"]
