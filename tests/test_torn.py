"""Damaged files: opening gives everything that was acknowledged, or an error that says so; never less in silence."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from crash.tearing import HEAD, LOG, NAME, Files, left
from kit import claim, opened, script

from claimbase.base.holding import check, recover
from claimbase.errors import StoreCorruptError, StoreError
from claimbase.store.recovering import ledger_of, noted_in

slow = pytest.mark.slow
TEARING = Path(__file__).parent / "crash" / "tearing.py"
NEWEST = 8  # the newest batch of the base that was left: create, declare, add and checkpoint; add, gone and four more


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """The files of a base whose process ended without closing it."""
    return left(tmp_path_factory.mktemp("left"))


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """The files of another one."""
    return left(tmp_path_factory.mktemp("foreign"), "Crow")


def put(place: Path, files: Files) -> Path:
    """Lay files down and give the base's path."""
    for name, text in files.items():
        (place / name).write_bytes(text)
    return place / NAME


def run(*options: str) -> dict[str, Any]:
    """Damage files and open what is left; give what it came to."""
    ran = subprocess.run(
        [sys.executable, str(TEARING), *options], capture_output=True, text=True, timeout=900, check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert ran.stdout, ran.stderr
    print(ran.stdout)
    return dict(json.loads(ran.stdout))


@pytest.mark.parametrize("damages", [10, pytest.param(400, marks=pytest.mark.slow)])
def test_damaged_files(damages: int) -> None:
    """G4: the log cut, flipped, holed and continued, the file flipped, holed and cut: no silent loss, no foreign error.

    10,000 are tried by `python tests/crash/tearing.py --damages 10000`.
    """
    found = run("--damages", str(damages))
    assert (found["wrong"], found["damages"]) == ({}, damages)
    assert sum("tail_loss" in fate for fate in found["fates"]["log cut"]) == 1
    assert "whole" not in found["fates"]["log flipped"]


@pytest.mark.slow
def test_no_damage(files: Files, tmp_path: Path) -> None:
    """G1, G4: the log that a killed process left is read; looking changes no byte, writing goes on after it."""
    path = put(tmp_path, files)
    with opened(path, read_only=True) as kb:
        assert kb.checkpoint()["batch_id"] == NEWEST
    assert {name: (tmp_path / name).read_bytes() for name in files} == files
    with opened(path) as kb:
        kb.add([claim("$4", subject="Later")])
    with opened(path, read_only=True) as kb:
        assert kb.checkpoint()["batch_id"] == NEWEST + 1
        assert kb.verify_ledger().ok


GO_ON = """
    import os, sys
    from kit import claim, opened
    from pathlib import Path
    kb = opened(Path(sys.argv[1]))
    kb.add([claim("$4", subject="Later")])
    print(kb.checkpoint()["batch_id"], flush=True)
    os._exit(0)
"""


@pytest.mark.parametrize("tail", [b"garbage" * 40, *(pytest.param(t, marks=slow) for t in (b"\0" * 300, b"\x01"))])
def test_writing_goes_on_after_a_torn_tail(files: Files, tmp_path: Path, tail: bytes) -> None:
    """G4, G1: what is written after a log with an unreadable end survives the next kill."""
    path = put(tmp_path, files | {LOG: files[LOG] + tail})
    ran = script(GO_ON, path)
    assert ran.stdout == f"{NEWEST + 1}\n", ran.stderr
    with opened(path, read_only=True) as kb:
        assert kb.checkpoint()["batch_id"] == NEWEST + 1
        assert kb.verify_ledger().ok


def whole_of(name: str, files: Files, foreign: Files) -> Files:
    """Damage the files in the way that is named."""
    log, middle = files[LOG], len(files[LOG]) // 2
    return {
        "gone": {file: text for file, text in files.items() if file != LOG},
        "empty": files | {LOG: b""},
        "cut": files | {LOG: log[:middle]},
        "flipped": files | {LOG: log[:middle] + bytes([log[middle] ^ 1]) + log[middle + 1 :]},
        "garbage": files | {LOG: b"no log at all" * 90},
        "foreign": files | {LOG: foreign[LOG]},
    }[name]


LEFT = {"gone": 2}
LEFT_TOO = {"foreign": 2, "flipped": None, "empty": 2, "garbage": 2, "cut": None}


@pytest.mark.parametrize("how", [*LEFT, *(pytest.param(how, marks=slow) for how in LEFT_TOO)])
def test_recovering(files: Files, foreign: Files, tmp_path: Path, how: str) -> None:
    """G4, G7: opening refuses and changes no byte; check says why; recover keeps what is whole and every byte, once."""
    damaged = whole_of(how, files, foreign)
    path = put(tmp_path, damaged)
    for read_only in (True, False):
        with pytest.raises(StoreError):
            opened(path, read_only=read_only)
    told = check(path)
    assert not told.ok
    assert told.noted == NEWEST
    if how != "empty":  # the engine removes a log of no bytes
        assert {name: (tmp_path / name).read_bytes() for name in damaged} == damaged
    done, least = recover(path), (LEFT | LEFT_TOO)[how]
    assert done.lost == tuple(range(done.batch_id + 1, NEWEST + 1))
    assert done.batch_id == least if least is not None else 2 < done.batch_id < NEWEST
    assert "LOST: batch" in done.words
    kept = {old: (tmp_path / new).read_bytes() for old, new in done.aside}
    assert kept == {name: text for name, text in damaged.items() if name != NAME and text}
    assert check(path, derive=True).ok
    with pytest.raises(StoreError) as refused:
        recover(path)
    assert refused.value.code == "nothing_to_recover"
    with opened(path) as kb:
        assert kb.checkpoint()["batch_id"] == done.batch_id
        assert kb.add([claim("$4", subject="Later")]).added == 1


@pytest.mark.slow
def test_a_log_that_is_no_loss(files: Files, foreign: Files, tmp_path: Path) -> None:
    """G4: a foreign log beside a base whose batches are all in its file is set aside, and nothing is lost."""
    path = put(tmp_path, files)
    opened(path).close()
    (tmp_path / LOG).write_bytes(foreign[LOG])
    with pytest.raises(StoreCorruptError):
        opened(path)
    done = recover(path)
    assert (done.batch_id, done.lost, done.aside) == (NEWEST, (), ((LOG, f"{LOG}.quarantined-1"),))
    assert "nothing that was acknowledged is lost" in done.words
    opened(path).close()


def test_a_damaged_file_is_not_recovered(files: Files, tmp_path: Path) -> None:
    """G4: where the file itself is damaged recover refuses and leaves every byte as it was."""
    damaged = files | {NAME: files[NAME][:6_000], LOG: files[LOG][:100]}
    path = put(tmp_path, damaged)
    with pytest.raises(StoreCorruptError) as refused:
        recover(path)
    assert refused.value.code == "not_recoverable"
    assert {name: (tmp_path / name).read_bytes() for name in damaged} == damaged
    assert not check(path).ok


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
def test_a_file_that_ends_too_early_is_told_as_damaged(files: Files, tmp_path: Path, share: float) -> None:
    """G4: a file cut off anywhere is called damaged, not a statement that failed."""
    path = put(tmp_path, files | {NAME: files[NAME][: int(len(files[NAME]) * share)]})
    with pytest.raises(StoreCorruptError) as refused, opened(path) as kb:
        kb.verify_ledger()
    assert refused.value.code in ("store_corrupt", "not_a_store")


def test_no_base_to_recover(tmp_path: Path) -> None:
    """X48: recover and check of nothing at all say that it is missing."""
    for call in (check, recover):
        with pytest.raises(StoreError) as refused:
            call(tmp_path / "none.duckdb")
        assert refused.value.code == "store_missing"


def test_a_base_in_use_is_left_alone(tmp_path: Path) -> None:
    """C1: beside a writer neither check nor recover looks."""
    kb = opened(tmp_path / NAME)
    for call in (check, recover):
        with pytest.raises(StoreError) as refused:
            call(tmp_path / NAME)
        assert refused.value.code == "store_locked"
    kb.close()


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, pytest.param(12, marks=slow)])
def test_random_damage_is_recovered(files: Files, tmp_path: Path, rng: random.Random, number: int) -> None:
    """G4: wherever the log is damaged, recover leaves a whole base at a batch that was acknowledged."""
    roots = {stamp.batch_id: stamp.root for stamp in noted_in(put(tmp_path, files).with_name(HEAD))[0]}
    for turn in range(number):
        place = tmp_path / str(turn)
        place.mkdir()
        log = bytearray(files[LOG])
        log[rng.randrange(len(log))] ^= 1 << rng.randrange(8)
        path = put(place, files | {LOG: bytes(log)})
        done = recover(path)
        held = ledger_of(path)
        assert held is not None
        assert held[-1].batch_id == done.batch_id
        assert all(roots[stamp.batch_id] == stamp.root for stamp in held)
        shutil.rmtree(place)
