"""Putting a base back from a backup, compacting it, killing each of the verbs, and each of them by command."""

from __future__ import annotations

import json
import shutil
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner
from kept_kills import killed
from kept_world import LATER, answers, left_over
from kit import claim, day, digest

import claimbase
from claimbase.cli import main
from claimbase.errors import StoreError, StoreLockedError

# -- putting back ----------------------------------------------------------------------------------------------------


def test_a_backup_is_put_back(kept: Path, tmp_path: Path) -> None:
    """G17: the restored base has the backup's state hash and a head file; what stood there is kept beside it."""
    backup, lost = tmp_path / "b.duckdb", tmp_path / "lost.duckdb"
    with claimbase.open(kept, clock=LATER) as kb:
        state = kb.backup(backup).state
        kb.add(claim("$8", day(9)))
        newer = kb.state_hash()
    with pytest.raises(StoreError) as raised:
        claimbase.restore(backup, kept)
    assert raised.value.code == "base_exists"
    report = claimbase.restore(backup, kept, replace=True)
    assert report.words.endswith("what stood there is a.duckdb.replaced-1")
    claimbase.restore(backup, lost)
    for restored in (kept, lost):
        with claimbase.open(restored, clock=LATER) as kb:  # no warning: its head file is there
            assert kb.state_hash() == state == report.state
            kb.add(claim("$8", day(9)))
    with claimbase.open(tmp_path / "a.duckdb.replaced-1", clock=LATER) as kept:
        assert kept.state_hash() == newer
    assert left_over(tmp_path) == []


def test_a_bad_backup_is_refused(kept: Path, tmp_path: Path) -> None:
    """G17, G6: a backup that is none, damaged, behind its head file or edited is not put back; nothing is written."""
    backup = tmp_path / "b.duckdb"
    with claimbase.open(kept, clock=LATER) as kb:
        kb.backup(backup)
    (tmp_path / "text.duckdb").write_text("a diary")
    edited = tmp_path / "edited.duckdb"
    for ending in ("", ".head"):
        shutil.copy(f"{backup}{ending}", f"{edited}{ending}")
    with claimbase.open(edited, clock=LATER) as kb:
        kb.db.query("INSERT INTO cb.quote VALUES (1, 'never said', NULL, NULL, NULL, now())")
    (tmp_path / "b.duckdb.head").write_text(f"{99} 1 {'0' * 64}\n")
    before = kept.read_bytes()
    for name, code in {
        "text.duckdb": "not_a_store", "none.duckdb": "store_missing", "edited.duckdb": "store_corrupt",
        "b.duckdb": "tail_loss", "a.duckdb": "same_file",
    }.items():  # fmt: skip
        with pytest.raises(StoreError) as raised:
            claimbase.restore(tmp_path / name, kept, replace=True)
        assert raised.value.code == code, name
    assert kept.read_bytes() == before
    with claimbase.open(kept, clock=LATER), pytest.raises(StoreLockedError):
        claimbase.restore(edited, kept, replace=True)
    assert left_over(tmp_path) == []


# -- compacting ------------------------------------------------------------------------------------------------------


def test_compacting_changes_no_answer(kept: Path, tmp_path: Path) -> None:
    """F10: versions that lie out of order are brought in; state hash, answers and ledger stay as they are."""
    with claimbase.open(kept, clock=LATER) as kb:
        kb.add([claim(f"${n}", day(n), subject=name) for n in (2, 3) for name in ("Lark 2", "Aaa", "Crow")])
        state, answered, rows = kb.state_hash(), answers(kb), digest(kb.db)
        report = kb.compact()
        assert report.unsorted_before > 0 == report.unsorted_after
        assert report.versions == kb.db.query("SELECT count(*) FROM cb.claim").rows[0][0]
        assert (kb.state_hash(), answers(kb), digest(kb.db)) == (state, answered, rows)
        assert report.state == state
        assert kb.compact().unsorted_before == 0
        kb.add(claim("$8", day(9)))
    with claimbase.open(kept, clock=LATER) as kb:  # its head file speaks of it still
        assert kb.verify_ledger().ok
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert left_over(tmp_path) == []


# -- killed, and by command ------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_killed_where_names_change() -> None:
    """G18, C17: every verb killed before each change of a name leaves the old one or the new one, and goes on."""
    lines = killed(
        "publish", "backup", "restore", "export", "import", "compact", "--among", "link,replace,rename,unlink"
    )
    print("\n".join(lines))
    assert len(lines) == 6


@pytest.mark.slow
def test_by_command(kept: Path, tmp_path: Path) -> None:
    """README: each verb by command: words on stderr, JSON on stdout if asked for, exit 3 and one line where refused."""

    def run(*arguments: object, code: int = 0) -> tuple[str, str]:
        done = CliRunner().invoke(main, [str(one) for one in arguments])
        assert done.exit_code == code, done.output
        return done.stdout, done.stderr

    state = run("ledger", "state", kept)[0].strip()
    for verb in ("backup", "publish"):
        out, err = run(verb, kept, tmp_path / f"{verb}.duckdb", "--json")
        assert json.loads(out)["state"] == ("" if verb == "publish" else state)
        assert err == json.loads(out)["words"] + "\n"
    assert run("compact", kept)[1].endswith("as before\n")
    assert run("migrate", kept)[1].startswith("schema 4 is the newest: nothing to do")
    assert "[base_exists]" in run("restore", tmp_path / "backup.duckdb", kept, code=3)[1]
    out, _ = run("restore", tmp_path / "backup.duckdb", kept, "--replace", "--json")
    assert json.loads(out)["state"] == state
    assert json.loads(run("ledger", "state", kept, "--json")[0])["state"] == state
