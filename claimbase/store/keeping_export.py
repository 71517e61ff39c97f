"""A base as a folder of plain files, and a base made of such a folder again (G17)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from claimbase.errors import InputError, SchemaVersionError, StoreCorruptError, StoreError, shown
from claimbase.store.auditing import audit
from claimbase.store.db import Db, Transaction
from claimbase.store.definitions import schema_files, tables
from claimbase.store.files import beside, synced
from claimbase.store.head import Head, Stamp
from claimbase.store.keeping import (
    Kept,
    Progress,
    check_writer,
    columns,
    of_table,
    placed,
    reaching,
    state_hash,
    workplace,
)
from claimbase.store.lock import FileLock
from claimbase.store.schema import open_db

FORMATS: dict[str, tuple[str, str]] = {
    "jsonl": ("keeping/write_jsonl", "keeping/read_jsonl"),
    "parquet": ("keeping/write_parquet", "keeping/read_parquet"),
    "csv": ("keeping/write_csv", "keeping/read_csv"),
}
"""Each format with the statements that write and read it."""
_MANIFEST, _KIND = "manifest.json", "claimbase export"
_MANIFEST_BYTES = 1 << 20
_LEAST_LINE, _CHUNK = 1 << 24, 1 << 20  # what the engine's readers expect of a line; what is read at a time
_FIELDS = {
    "kind": str, "version": int, "schema": int, "format": str, "engine": str, "state": str, "head": dict,
    "tables": dict,
}  # fmt: skip
_HEAD = {"batch_id": int, "entries": int, "root": str}
_TABLE = {"rows": int, "bytes": int, "sha256": str}


@dataclass(frozen=True, slots=True)
class _Manifest:
    """What an export says of itself."""

    schema: int
    form: str
    state: str
    newest: Stamp
    tables: Mapping[str, Mapping[str, Any]]


def export(db: Db, folder: Path, form: str = "jsonl", progress: Progress | None = None) -> Kept:
    """Write every row of every append-only table to a folder of plain files, and prove that they make the same base.

    Args:
        db: the base, open for writing or in memory.
        folder: what is made; it may be there already if it is empty.
        form: jsonl, parquet or csv.
        progress: called with the number of rows written so far.

    Raises:
        InputError: [bad_format].
        StoreError: [read_only], [in_transaction], [target_exists], [not_verified], [not_written], [store_missing].
        NoSpaceError.
    """
    if form not in FORMATS:
        raise InputError(f"{shown(form)} is no format of an export", code="bad_format", hint=", ".join(FORMATS))
    with reaching(folder), db.writing():
        check_writer(db)
        with workplace(folder) as place:
            if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
                raise StoreError(f"{folder.name} is there already", code="target_exists", hint="name a new folder")
            made = place / "export"
            made.mkdir(mode=0o700)
            with db.atomic() as reading:
                manifest = _written(reading, made, form, progress)
            _read_back(made, manifest, place / "base.duckdb")
            made.replace(beside(folder, ""))
            synced(beside(folder, "").parent)
    rows = sum(one["rows"] for one in manifest.tables.values())
    size = sum(one["bytes"] for one in manifest.tables.values())
    words = (
        f"{db.name} exported to {folder.name}: {len(manifest.tables)} tables, {rows:,} rows, "
        f"batch {manifest.newest.batch_id}, state {manifest.state[:16]}"
    )
    return Kept("export", folder.name, manifest.state, manifest.newest.batch_id, rows, size, words)


def restore_export(folder: Path, base: Path, progress: Progress | None = None) -> Kept:
    """Make a base of an exported folder; one of an older schema is brought up to date.

    Args:
        folder: as :func:`export` wrote it.
        base: the file that is made; there must be none.
        progress: called with the number of rows read so far.

    Raises:
        StoreCorruptError: [bad_export] the folder is none, or is not as its manifest says; nothing is written.
        SchemaVersionError: a newer claimbase wrote it.
        StoreError: [base_exists], [not_written], [store_missing]; StoreLockedError; NoSpaceError.
    """
    with reaching(base):
        if not folder.is_dir():
            raise _bad(folder, "it is no folder", "give the folder that `claimbase export` wrote")
        real, manifest = beside(base, ""), _read_manifest(folder)
        lock = FileLock(real)
        try:
            with workplace(base) as place:
                if real.exists() or beside(base, ".head").exists():
                    raise StoreError(f"{base.name} is there already", code="base_exists", hint="name a new file")
                file = place / "base.duckdb"
                newest, state = _built(folder, manifest, file, progress)
                _proven(folder, file, newest)
                placed(file, base)
                Head(base).append([newest])
        finally:
            lock.release()
    rows = sum(one["rows"] for one in manifest.tables.values())
    words = f"{folder.name} imported as {base.name}: {rows:,} rows, batch {newest.batch_id}, state {state[:16]}"
    return Kept("import", base.name, state, newest.batch_id, rows, real.stat().st_size, words)


def _read_back(made: Path, manifest: _Manifest, file: Path) -> None:
    try:
        _built(made, manifest, file, None)
    except StoreCorruptError as error:
        told = f"what was written does not make the same base: {error.message}"
        raise StoreError(told, code="not_verified", hint="claimbase ledger verify tells more") from error


# -- writing ---------------------------------------------------------------------------------------------------------


def _written(reading: Transaction, made: Path, form: str, progress: Progress | None) -> _Manifest:
    """Write the files and, last, the manifest that says what they are."""
    files: dict[str, dict[str, Any]] = {}
    written = 0
    for table in columns(reading):
        path = made / f"{table}.{form}"
        rows = int(reading.run(of_table(FORMATS[form][0], table), {"path": str(path)}).rows[0][0])
        path.chmod(0o600)
        synced(path)
        size, digest, _ = _measured(path)
        files[table] = {"rows": rows, "bytes": size, "sha256": digest}
        written += rows
        if progress is not None:
            progress(written)
    newest = Stamp(*reading.file("keeping/newest").rows[0])
    state = str(reading.file("keeping/state").rows[0][0])
    manifest = {
        "kind": _KIND, "version": 1, "schema": schema_files()[-1][0], "format": form, "engine": duckdb.__version__,
        "state": state, "head": {"batch_id": newest.batch_id, "entries": newest.entries, "root": newest.root},
        "tables": files,
    }  # fmt: skip
    path = made / _MANIFEST
    path.touch(mode=0o600)
    path.write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    synced(path)
    synced(made)
    return _read_manifest(made)


def _measured(path: Path) -> tuple[int, str, int]:
    """Give a file's size, its digest, and the length of its longest line or more."""
    digest, size, longest, line = hashlib.sha256(), 0, 0, 0
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
            size += len(chunk)
            first, last = chunk.find(b"\n"), chunk.rfind(b"\n")
            longest = max(longest, line + (len(chunk) if first < 0 else first))
            line = line + len(chunk) if first < 0 else len(chunk) - last
    return size, digest.hexdigest(), max(longest, line) + _CHUNK


# -- reading ---------------------------------------------------------------------------------------------------------


def _read_manifest(folder: Path) -> _Manifest:
    """Read what an export says of itself and check each word of it."""
    path = folder / _MANIFEST
    if not path.is_file():
        raise _bad(folder, f"it has no {_MANIFEST}", "give the folder that `claimbase export` wrote")
    if path.stat().st_size > _MANIFEST_BYTES:
        raise _bad(folder, f"its {_MANIFEST} is too large")
    try:
        data = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise _bad(folder, f"its {_MANIFEST} cannot be read") from error
    if not _has(data, _FIELDS) or data["kind"] != _KIND or data["version"] != 1 or data["format"] not in FORMATS:
        raise _bad(folder, f"its {_MANIFEST} is of another kind")
    if data["schema"] > schema_files()[-1][0]:
        raise SchemaVersionError(
            f"{folder.name} has schema {data['schema']}; this claimbase knows {schema_files()[-1][0]}",
            hint="install the newer version",
        )
    said = data["tables"]
    if data["schema"] < 1 or not _has(data["head"], _HEAD) or not all(_has(one, _TABLE) for one in said.values()):
        raise _bad(folder, f"its {_MANIFEST} is not whole")
    return _Manifest(data["schema"], data["format"], data["state"], Stamp(**data["head"]), said)


def _has(data: Any, fields: Mapping[str, type]) -> bool:
    """Say whether these are the fields of an object, and of these types."""
    return isinstance(data, dict) and {name: type(value) for name, value in data.items()} == fields


def _built(folder: Path, manifest: _Manifest, file: Path, progress: Progress | None) -> tuple[Stamp, str]:
    """Make a base of the files and compare it with what they say: digests, counts, the newest batch, the state hash.

    Returns:
        Its newest batch, its state hash.
    """
    with closing(Db(file)) as db, db.atomic() as filling:
        for one in tables(manifest.schema):
            filling.run(one)
        _filled(folder, manifest, filling, progress)
        newest = Stamp(*next(iter(filling.file("keeping/newest")), (-1, 0, "")))
    if newest != manifest.newest:
        raise _bad(folder, "its newest batch is not the one its manifest names")
    Head(file).append([newest])
    with closing(open_db(file)) as db:
        state = state_hash(db)
    if manifest.schema == schema_files()[-1][0] and state != manifest.state:
        raise _bad(folder, "its state is not the one its manifest names")
    return newest, state


def _proven(folder: Path, file: Path, newest: Stamp) -> None:
    with closing(open_db(file)) as db:
        found = audit(db, (newest.batch_id, newest.root))
    if not found.ok:
        raise _bad(folder, found.words, "its rows are not those that were written")


def _filled(folder: Path, manifest: _Manifest, filling: Transaction, progress: Progress | None) -> None:
    known = columns(filling)
    if manifest.tables.keys() != known.keys():
        raise _bad(folder, "its tables are not those of its schema")
    read = 0
    for table, kinds in known.items():
        path, said = folder / f"{table}.{manifest.form}", manifest.tables[table]
        if not path.is_file():
            raise _bad(folder, f"{path.name} is missing")
        size, digest, longest = _measured(path)
        if (size, digest) != (said["bytes"], said["sha256"]):
            raise _bad(folder, f"{path.name} was changed or cut")
        params: dict[str, Any] = {"path": str(path)}
        if manifest.form != "parquet":
            params |= {"columns": kinds, "longest": max(longest, _LEAST_LINE)}
        try:
            rows = int(filling.run(of_table(FORMATS[manifest.form][1], table), params).rows[0][0])
        except StoreError as error:
            raise _bad(folder, f"{path.name} does not hold the rows of cb.{table}") from error
        if rows != said["rows"]:
            raise _bad(folder, f"{path.name} holds {rows:,} rows instead of {said['rows']:,}")
        read += rows
        if progress is not None:
            progress(read)


def _bad(folder: Path, what: str, hint: str = "export the base again, or take another copy") -> StoreCorruptError:
    return StoreCorruptError(f"{shown(folder.name)} cannot be imported: {what}", code="bad_export", hint=hint)
