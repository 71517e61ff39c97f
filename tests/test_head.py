"""The head file: what was acknowledged, beside the base; whoever comes with less is refused."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner
from crash.tearing import HEAD, LOG, NAME, Files, left
from kit import claim, digest, opened

from claimbase.base.holding import check, recover
from claimbase.cli import holding
from claimbase.errors import HeadMissingWarning, StoreError, TailLossError
from claimbase.store.head import Head, Stamp
from claimbase.store.recovering import noted_in, numbered, tail

ROOT = "ab" * 32


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """The files of a closed base with four batches."""
    place = tmp_path_factory.mktemp("closed")
    with opened(place / NAME) as kb:
        kb.add([claim()])
        kb.add([claim("$4", subject="Wren")])
    assert stat.S_IMODE((place / HEAD).stat().st_mode) == 0o600
    return {name: (place / name).read_bytes() for name in (NAME, HEAD)}


@pytest.fixture
def path(closed: Files, tmp_path: Path) -> Path:
    """That base, laid down anew."""
    for name, text in closed.items():
        (tmp_path / name).write_bytes(text)
    return tmp_path / NAME


def lines(path: Path) -> list[str]:
    """Give the lines of a base's head file."""
    return path.with_name(HEAD).read_text("ascii").splitlines(keepends=True)


def test_a_line_a_batch(path: Path) -> None:
    """G7: the file holds number, entries and root of every batch, one line each, private, and is only added to."""
    before = lines(path)
    with opened(path) as kb:
        kb.add([claim("$5", subject="Crow")])
        stored = kb.db.query("SELECT batch_id, entries, root FROM cb.batch ORDER BY batch_id").rows
    assert lines(path) == [f"{number} {entries} {root}\n" for number, entries, root in stored]
    assert lines(path)[: len(before)] == before
    assert len(lines(path)) == len(before) + 1


def test_it_is_synced_before_the_call_returns(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """C17, G7: COMMIT, then the head file, then fsync, then the call returns."""
    synced: list[str] = []
    real = os.fsync

    def fsync(descriptor: int) -> None:
        synced.append(str(Path(f"/proc/self/fd/{descriptor}").readlink()))
        real(descriptor)

    kb = opened(path)
    monkeypatch.setattr(os, "fsync", fsync)
    kb.add([claim("$5", subject="Crow")])
    assert synced == [str(path.with_name(HEAD))]
    assert lines(path)[-1].split()[2] == kb.checkpoint()["root"]
    kb.close()


def test_nothing_written_is_nothing_noted(path: Path) -> None:
    """B6, G7: the same claim once more makes no batch and no line; reading makes none either."""
    before = lines(path)
    with opened(path) as kb:
        kb.add([claim()])
    with opened(path, read_only=True) as kb:
        assert len(kb.claims()) == 2
    assert lines(path) == before


@pytest.mark.parametrize("torn", ["7 1 ab", pytest.param(f"9 9 {ROOT}", marks=pytest.mark.slow)])
def test_a_torn_last_line_is_no_line(path: Path, torn: str) -> None:
    """G7: what follows the last end of line was never acknowledged; the next batch takes its place."""
    whole = lines(path)
    path.with_name(HEAD).write_text("".join(whole) + torn)
    assert check(path).ok
    with opened(path) as kb:
        kb.add([claim("$5", subject="Crow")])
    assert lines(path)[:-1] == whole
    assert len(lines(path)) == len(whole) + 1


def test_one_batch_ahead_is_fine(path: Path) -> None:
    """G7: killed between COMMIT and head, the base is one batch ahead: it opens, and notes the batch."""
    whole = lines(path)
    path.with_name(HEAD).write_text("".join(whole[:-1]))
    with opened(path, read_only=True):
        assert lines(path) == whole[:-1]
    assert check(path).ok
    opened(path).close()
    assert lines(path) == whole


def test_two_batches_ahead_is_an_older_head(path: Path) -> None:
    """G7: an older head file is refused, for it could hide a loss; recover sets it aside and loses nothing."""
    whole = lines(path)
    path.with_name(HEAD).write_text("".join(whole[:-2]))
    for read_only in (True, False):
        with pytest.raises(TailLossError) as refused:
            opened(path, read_only=read_only)
        assert refused.value.code == "tail_loss"
    (told,) = check(path).findings
    assert "older" in told.what
    done = recover(path)
    assert (done.lost, done.aside) == ((), ((HEAD, f"{HEAD}.quarantined-1"),))
    assert lines(path) == whole[-1:]
    assert check(path).ok


def test_another_history(path: Path, files: Files) -> None:
    """G7: a base with the right number of batches and another root is not the one that was acknowledged."""
    path.with_name(HEAD).write_bytes(b"".join(files[HEAD].splitlines(keepends=True)[: len(lines(path))]))
    for read_only in (True, False):
        with pytest.raises(TailLossError):
            opened(path, read_only=read_only)
    assert not check(path).ok
    assert recover(path).lost != ()


@pytest.mark.slow
def test_a_missing_head_file(path: Path) -> None:
    """G7: a base that came without it opens for reading in silence, for writing with a warning, and has one then."""
    newest = lines(path)[-1:]
    path.with_name(HEAD).unlink()
    opened(path, read_only=True).close()
    assert not path.with_name(HEAD).exists()
    assert (check(path).ok, check(path).noted) == (True, None)
    with pytest.raises(StoreError) as refused:
        recover(path)
    assert refused.value.code == "nothing_to_recover"
    with pytest.warns(HeadMissingWarning):
        opened(path).close()
    assert lines(path) == newest
    opened(path).close()


def test_a_head_file_without_its_base(path: Path) -> None:
    """G7: where the base is gone its head file remembers it: no empty base takes its place unasked."""
    path.unlink()
    with pytest.raises(TailLossError):
        opened(path)
    assert not path.exists()


@pytest.mark.parametrize("last", ["x\n", "1 2\n", f"-1 2 {ROOT}\n", f"3 1 {ROOT.upper()}\n", "\n", f"4  1 {ROOT}\n"])
def test_lines_that_are_none(tmp_path: Path, last: str) -> None:
    """G7: a whole last line that cannot be read could note any batch: refused by name."""
    (tmp_path / HEAD).write_text(f"0 0 {ROOT}\n" + last)
    with pytest.raises(TailLossError) as refused:
        Head(tmp_path / NAME)
    assert refused.value.code == "bad_head"
    assert noted_in(tmp_path / HEAD) == ((Stamp(0, 0, ROOT),), True)


def test_a_last_line_that_cannot_be_read(path: Path) -> None:
    """G7: a base beside such a file is refused; check tells it, recover sets the file aside."""
    whole = lines(path)
    path.with_name(HEAD).write_text("".join(whole) + "?\n")
    with pytest.raises(TailLossError):
        opened(path)
    assert not check(path).ok
    done = recover(path)
    assert "cannot be told" in done.words
    assert path.with_name(done.aside[0][1]).read_text() == "".join(whole) + "?\n"
    assert lines(path) == whole[-1:]
    opened(path).close()


def test_an_empty_head_file_is_none(path: Path) -> None:
    """G7: a head file whose first line was cut short notes nothing."""
    path.with_name(HEAD).write_text("0 0 ab")
    with pytest.warns(HeadMissingWarning):
        opened(path).close()
    assert len(lines(path)) == 1


def test_a_write_behind_an_open_base_is_noticed(path: Path) -> None:
    """G7: where the head file went on without this base the next write is refused, and stores nothing."""
    with opened(path) as kb:
        before = digest(kb.db)
        Head(path).append([Stamp(99, 1, ROOT)])
        kb.db.head = Head(path)
        with pytest.raises(TailLossError):
            kb.add([claim("$5", subject="Crow")])
        assert digest(kb.db) == before


# -- the comparison, without files -----------------------------------------------------------------------------------


def stamps(*numbers: int) -> tuple[Stamp, ...]:
    """Give batches whose roots are made of their numbers."""
    return tuple(Stamp(number, 2, f"{number:064x}") for number in numbers)


@pytest.mark.parametrize(
    ("held", "noted", "words"),
    [
        (stamps(0, 1, 2), stamps(0, 1, 2), ""),
        (stamps(0, 1, 2), stamps(0, 1), ""),
        (stamps(0, 1, 2), stamps(), ""),
        (stamps(0, 1, 2), stamps(2), ""),
        (stamps(0, 1, 2), stamps(0), "the head file is an older one: it ends 2 batches before the ledger"),
        (stamps(0, 1), stamps(0, 1, 2), "batch 2 (2 entries) was acknowledged and is not there"),
        (stamps(0), stamps(0, 1, 2), "batches 1 to 2 (4 entries) were acknowledged and are not there"),
        (stamps(0, 1), (*stamps(0), Stamp(1, 2, ROOT)), "batch 1 (2 entries) was acknowledged and is not there"),
    ],
)
def test_the_tail(held: tuple[Stamp, ...], noted: tuple[Stamp, ...], words: str) -> None:
    """G7: at the head or one ahead is whole; behind, beside and further ahead are told apart."""
    assert tail(held, noted, unread=False).words == words


def test_batches_are_named() -> None:
    """G7: lost batches are named by number, gaps included."""
    assert numbered(stamps(4, 6)) == "batches 4, 6 (4 entries) were"


def test_unreadable_lines_in_the_middle(tmp_path: Path) -> None:
    """G7: what can be read of a head file is read."""
    first, last = stamps(0, 1)
    (tmp_path / HEAD).write_bytes(first.line + b"??\n" + last.line)
    assert noted_in(tmp_path / HEAD) == ((first, last), False)
    (tmp_path / HEAD).write_bytes(first.line + b"??\n")
    assert noted_in(tmp_path / HEAD) == ((first,), True)


# -- the commands ----------------------------------------------------------------------------------------------------


def test_the_commands(path: Path) -> None:
    """P10: check exits 0 on a whole base and 1 with every finding in words; recover says what it did."""
    run = CliRunner().invoke
    whole = run(holding.check, [str(path), "--derive"])
    assert (whole.exit_code, "2 slots derived again" in whole.stdout) == (0, True)
    path.with_name(HEAD).write_text("".join([*lines(path), f"9 1 {ROOT}\n"]))
    broken = run(holding.check, [str(path)])
    assert (broken.exit_code, "batch 9 (1 entries) was acknowledged and is not there" in broken.stdout) == (1, True)
    done = run(holding.recover, [str(path), "--json"])
    assert done.exit_code == 0
    assert "LOST: batch 9" in done.stderr
    assert '"lost": [' in done.stdout
    assert run(holding.check, [str(path)]).exit_code == 0


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """The files of a base whose process ended without closing it."""
    return left(tmp_path_factory.mktemp("left"))


LIFT = "SELECT 'DROP TRIGGER ' || trigger_name || ' ON cb.' || table_name FROM duckdb_triggers()"


def edited(place: Path, files: Files, *statements: str, lifted: bool = True) -> Path:
    """Lay a base down and change it behind the package's back."""
    import duckdb

    for name in (NAME, LOG, HEAD):
        (place / name).write_bytes(files[name])
    connection = duckdb.connect(str(place / NAME))
    for lift in connection.execute(LIFT).fetchall() if lifted else ():
        connection.execute(*lift)
    for statement in statements:
        connection.execute(statement)
    connection.close()
    return place / NAME


@pytest.mark.parametrize(
    ("part", "statements"),
    [
        ("schema", []),
        ("schema", ["DROP TABLE cb.watch"]),
        ("batch", ["UPDATE cb.alias SET canonical_id = 7"]),
        *(pytest.param(*case, marks=pytest.mark.slow) for case in (
            ("schema", ["ALTER TABLE cb.alias ADD COLUMN more INTEGER"]),
            ("schema", ["DROP SCHEMA cb CASCADE"]),
            ("macro", ["CREATE OR REPLACE MACRO cb.claim_id(claim_no) AS 'c_1'"]),
            ("batch", ["DELETE FROM cb.batch WHERE batch_id = 4"]),
        )),
    ],
)  # fmt: skip
def test_check_finds_what_was_changed(files: Files, tmp_path: Path, part: str, statements: list[str]) -> None:
    """G5, G6: guards lifted, tables, macros, rows and batches changed behind the package are found, never repaired."""
    path = edited(tmp_path, files, *statements)
    before = path.read_bytes()
    found = check(path)
    assert part in {finding.part for finding in found.findings}
    assert path.read_bytes() == before


def test_check_derives_again(files: Files, tmp_path: Path) -> None:
    """B1: a version that the log does not give, and one that it gives and is missing, show when derived again."""
    moved = "UPDATE cb.claim SET from_latest = from_latest + INTERVAL 1 DAY WHERE retracted_at IS NULL"
    found = check(edited(tmp_path, files, moved), derive=True)
    told = {finding.what for finding in found.findings if finding.part == "claim"}
    assert "a version follows from the log and does not stand" in told
    assert "a version stands and does not follow from the log" in told
    assert found.slots == 2
