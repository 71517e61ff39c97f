"""A base as a folder of plain files: complete, exact in every format and zone, refused where it is not as written."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from kept_world import LATER, answers, world
from kit import digest, pack, script

import claimbase
from claimbase.cli import main
from claimbase.errors import InputError, StoreError
from claimbase.store import open_db
from claimbase.store.keeping_export import FORMATS

# The base is exported in one zone and imported in another; neither may show in it (G12, G17).
EXPORT = """
    import sys, claimbase
    from kept_world import LATER
    with claimbase.open(sys.argv[1], clock=LATER) as kb:
        for form in sys.argv[3:]:
            print(kb.export(f"{sys.argv[2]}/{form}", form).state)
"""
IMPORT = """
    import sys, claimbase
    for form in sys.argv[2:]:
        print(claimbase.import_folder(f"{sys.argv[1]}/{form}", f"{sys.argv[1]}/{form}.duckdb").state)
"""


@pytest.mark.parametrize(
    "forms", [("csv",), pytest.param(tuple(one for one in FORMATS if one != "csv"), marks=pytest.mark.slow)]
)
def test_every_value_in_every_format(tmp_path: Path, forms: tuple[str, ...]) -> None:
    """G17: '', NULL, 'NULL', quotes, line ends, bidi, NFD, emoji, 38 digits, -0, far years, microseconds, lists."""
    with world(tmp_path / "a.duckdb") as kb:
        state, rows, answered = kb.state_hash(), digest(kb.db), answers(kb)
    done = script(EXPORT, tmp_path / "a.duckdb", tmp_path, *forms, TZ="Asia/Kolkata")
    assert done.stdout.split() == [state] * len(forms), done.stderr
    done = script(IMPORT, tmp_path, *forms, TZ="Pacific/Apia")
    assert done.stdout.split() == [state] * len(forms), done.stderr
    for form in forms:
        with claimbase.open(tmp_path / f"{form}.duckdb", clock=LATER) as kb:  # no warning: its head file is there
            assert (kb.state_hash(), digest(kb.db)) == (state, rows), form
            assert form != "csv" or answers(kb) == answered
    assert not [one for one in tmp_path.iterdir() if one.name.endswith((".unfinished", ".wal"))]


# -- a folder that is not as it was written ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the export of a small base."""
    folder = tmp_path_factory.mktemp("exported") / "out"
    with claimbase.open(packs=[pack()]) as kb:
        kb.export(folder)
    return folder


@pytest.fixture
def out(exported: Path, tmp_path: Path) -> Path:
    """Give a copy of that folder."""
    return Path(shutil.copytree(exported, tmp_path / "out"))


def manifest(out: Path, **changed: Any) -> dict[str, Any]:
    """Change the manifest, and give it."""
    path = out / "manifest.json"
    data: dict[str, Any] = json.loads(path.read_text()) | changed
    path.write_text(json.dumps(data))
    return data


def rewritten(out: Path, table: str, old: str, new: str) -> None:
    """Change a file, and its line in the manifest so that it fits."""
    path = out / f"{table}.jsonl"
    text = path.read_text().replace(old, new)
    assert text != path.read_text()
    path.write_text(text)
    tables = manifest(out)["tables"]
    data = path.read_bytes()
    fits = {"rows": data.count(b"\n"), "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    manifest(out, tables=tables | {table: fits})


def cut(out: Path) -> None:
    """Cut a file short."""
    path = out / "predicate.jsonl"
    path.write_bytes(path.read_bytes()[:-1])


def flipped(out: Path) -> None:
    """Change one bit."""
    path = out / "predicate.jsonl"
    data = bytearray(path.read_bytes())
    data[10] ^= 1
    path.write_bytes(data)


def row(**entry: Any) -> Callable[[Path], object]:
    """Say something else of one table in the manifest."""

    def change(out: Path) -> None:
        tables = manifest(out)["tables"]
        manifest(out, tables=tables | {"predicate": tables["predicate"] | entry})

    return change


def named(**names: str | None) -> Callable[[Path], object]:
    """Give tables other names in the manifest, or none."""

    def change(out: Path) -> None:
        tables = manifest(out)["tables"]
        manifest(out, tables={names.get(name, name): one for name, one in tables.items() if names.get(name, name)})

    return change


DAMAGE: dict[str, Callable[[Path], object]] = {
    "a file is cut": cut,
    "a bit is flipped": flipped,
    "a file is missing": lambda out: (out / "predicate.jsonl").unlink(),
    "a file is a folder": lambda out: ((out / "quote.jsonl").unlink(), (out / "quote.jsonl").mkdir()),
    "the manifest is missing": lambda out: (out / "manifest.json").unlink(),
    "the manifest is no JSON": lambda out: (out / "manifest.json").write_text("{"),
    "the manifest is no text": lambda out: (out / "manifest.json").write_bytes(b"\xff\xfe{}"),
    "the manifest is deep": lambda out: (out / "manifest.json").write_text("[" * 100_000),
    "the manifest is large": lambda out: (out / "manifest.json").write_text(" " * 2_000_000),
    "the manifest is a list": lambda out: (out / "manifest.json").write_text("[]"),
    "the manifest holds nothing": lambda out: (out / "manifest.json").write_text("{}"),
    "of another kind": lambda out: manifest(out, kind="diary"),
    "of another version": lambda out: manifest(out, version=2),
    "of an unknown format": lambda out: manifest(out, format="xml"),
    "of the wrong format": lambda out: manifest(out, format="csv"),
    "a schema that never was": lambda out: manifest(out, schema=0),
    "a number is a truth": lambda out: manifest(out, schema=True),
    "a field too many": lambda out: manifest(out, more=1),
    "a head without a root": lambda out: manifest(out, head={"batch_id": 1}),
    "another head": lambda out: manifest(out, head=manifest(out)["head"] | {"root": "0" * 64}),
    "another state": lambda out: manifest(out, state="0" * 64),
    "another schema": lambda out: manifest(out, schema=2),
    "more rows than there are": row(rows=99),
    "a table without a digest": lambda out: row()(out) or manifest(out, tables={"predicate": {"rows": 1}}),
    "a table that is none": named(predicate="../../predicate"),
    "a table too few": named(predicate=None),
    "a row is changed": lambda out: rewritten(out, "predicate", '"price"', '"prize"'),
    "a row is no row": lambda out: rewritten(out, "predicate", '{"predicate_id":', '["predicate_id",'),
    "a number is no number": lambda out: rewritten(out, "predicate", '"predicate_id":1,', '"predicate_id":"x",'),
    "a number is too large": lambda out: rewritten(out, "predicate", '"predicate_id":1,', '"predicate_id":99999,'),
    "a needed value is missing": lambda out: rewritten(out, "predicate", '"name":"price"', '"name":null'),
    "an instant is none": lambda out: rewritten(out, "batch", '"recorded_at":"2', '"recorded_at":"x2'),
    "the ledger is empty": lambda out: ((out / "batch.jsonl").write_text("x"), rewritten(out, "batch", "x", "")),
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGE)
def test_what_is_not_as_written_is_refused(out: Path, tmp_path: Path, damage: str) -> None:
    """G17: whatever was done to a folder since it was exported is found; nothing is written."""
    DAMAGE[damage](out)
    with pytest.raises(StoreError) as raised:
        claimbase.import_folder(out, tmp_path / "new.duckdb")
    assert raised.value.code == "bad_export"
    assert {one.name for one in tmp_path.iterdir()} <= {"out", "new.duckdb.lock"}


def test_a_row_added_to_all_books_is_refused(out: Path, tmp_path: Path) -> None:
    """G6, G17: a changed row whose file, manifest and state hash were made to fit is found by the ledger."""
    rewritten(out, "predicate", '"price"', '"prize"')
    with pytest.raises(StoreError) as raised:
        claimbase.import_folder(out, tmp_path / "new.duckdb")
    state = forged(out, tmp_path)
    manifest(out, state=state)
    with pytest.raises(StoreError, match="its rows are not those") as raised:
        claimbase.import_folder(out, tmp_path / "new.duckdb")
    assert raised.value.code == "bad_export"
    assert not (tmp_path / "new.duckdb").exists()


def forged(out: Path, tmp_path: Path) -> str:
    """Give the state hash that the changed rows make."""
    from claimbase.store import Db
    from claimbase.store.definitions import macros, tables
    from claimbase.store.keeping import state_hash
    from claimbase.store.keeping_export import _filled, _read_manifest

    with closing(Db(tmp_path / "forged.duckdb")) as db:
        with db.atomic() as filling:
            for one in (*tables(), *macros()):
                filling.run(one)
            _filled(out, _read_manifest(out), filling, None)
        return state_hash(db)


def test_what_is_there_stays(exported: Path, tmp_path: Path) -> None:
    """G17: neither verb writes over anything, and a newer schema is refused by its own name."""
    base, folder = tmp_path / "a.duckdb", tmp_path / "taken"
    claimbase.import_folder(exported, base)
    before = base.read_bytes()
    folder.mkdir()
    (folder / "note.txt").write_text("mine")
    for code, act in {
        "base_exists": lambda kb: claimbase.import_folder(exported, tmp_path / "b.duckdb"),
        "target_exists": lambda kb: kb.export(folder),
        "store_missing": lambda kb: kb.export(tmp_path / "none" / "out"),
    }.items():
        (tmp_path / "b.duckdb").write_text("a diary")
        with claimbase.open(packs=[pack()]) as kb, pytest.raises(StoreError) as raised:
            act(kb)
        assert raised.value.code == code
    with claimbase.open(packs=[pack()]) as kb, pytest.raises(InputError) as refused:
        kb.export(tmp_path / "x", "xml")  # type: ignore[arg-type]
    assert refused.value.code == "bad_format"
    newer = Path(shutil.copytree(exported, tmp_path / "newer"))
    manifest(newer, schema=9999)
    with pytest.raises(StoreError) as raised:
        claimbase.import_folder(newer, tmp_path / "c.duckdb")
    assert raised.value.code == "schema_version"
    assert base.read_bytes() == before
    assert [one.name for one in folder.iterdir()] == ["note.txt"]


@pytest.mark.slow
def test_by_command(exported: Path, tmp_path: Path) -> None:
    """README: `claimbase export` and `claimbase import FOLDER BASE`, beside the importers of other shapes."""

    def run(*arguments: object) -> tuple[int, str]:
        done = CliRunner().invoke(main, [str(one) for one in arguments])
        return done.exit_code, done.stderr

    base = tmp_path / "a.duckdb"
    code, said = run("import", exported, base)
    assert (code, said.split(":")[0]) == (0, "out imported as a.duckdb")
    assert run("export", base, tmp_path / "new", "--format", "csv")[0] == 0
    assert (tmp_path / "new" / "claim.csv").is_file()
    assert run("import", exported, base)[0] == 3
    assert "[bad_export]" in run("import", tmp_path, tmp_path / "d.duckdb")[1]
    assert run("import", base, "nothing")[0] == 2
    with closing(open_db(base, read_only=True)) as db:
        assert db.query("SELECT count(*) FROM cb.predicate").rows == [(6,)]
