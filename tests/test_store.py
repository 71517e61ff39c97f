"""The store: one writer under its own lock, readers that reach nothing, UTC alone, and errors that are ours."""

from __future__ import annotations

import json
import multiprocessing
import os
import stat
import textwrap
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pytest
from kit import (
    NOW,
    Ticking,
    base,
    claim,
    day,
    digest,
    gone,
    opened,
    script,
    standing,
)

from claimbase.base import Claimbase
from claimbase.errors import (
    ClaimbaseError,
    LimitError,
    NoSpaceError,
    SchemaVersionError,
    StoreCorruptError,
    StoreError,
    StoreLockedError,
)
from claimbase.store.engine import mapped
from claimbase.temporal import FixedClock


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Give the path of a base that does not exist yet."""
    return tmp_path / "some.duckdb"


# -- C1, C2: one owner, own lock, no fork ----------------------------------------------------------------------------

SECOND = """
    import sys, claimbase
    from claimbase.errors import StoreError
    try:
        claimbase.open(sys.argv[1], read_only=sys.argv[2] == "reader").close()
        print("opened")
    except StoreError as error:
        print(error.code)
"""


@pytest.mark.parametrize("how", [pytest.param("writer", marks=pytest.mark.slow), "reader"])
def test_a_second_process_is_refused(path: Path, how: str) -> None:
    """C1, G8: while a writer is open no other process writes or reads; afterwards it may."""
    kb = opened(path)
    path.read_bytes()  # reading the file in this process takes the engine's own lock away; ours stays
    assert script(SECOND, path, how).stdout == "store_locked\n"
    kb.close()
    assert script(SECOND, path, how).stdout == "opened\n"


def test_a_second_writer_under_another_name(path: Path) -> None:
    """C1, G8: a link is followed to the one lock; a base with hard links is refused."""
    link, hard = path.with_name("link.duckdb"), path.with_name("hard.duckdb")
    kb = opened(path)
    link.symlink_to(path)
    for name in (path, link):
        with pytest.raises(StoreLockedError):
            opened(name)
    kb.close()
    os.link(path, hard)
    for name, read_only in ((path, False), (hard, False), (path, True)):
        with pytest.raises(StoreError) as refused:
            opened(name, read_only=read_only)
        assert refused.value.code == "linked"


def test_readers_and_a_writer_in_one_process(path: Path) -> None:
    """C1, G9: several readers live side by side; a writer beside them is refused as locked, not as damaged."""
    opened(path).close()
    one, other = opened(path, read_only=True), opened(path, read_only=True)
    assert digest(one.db) == digest(other.db)
    one.close()
    other.basis()
    with pytest.raises(StoreLockedError):
        opened(path)
    other.close()
    writer = opened(path)
    with pytest.raises(StoreLockedError):
        opened(path, read_only=True)
    writer.close()


def test_a_reader_is_locked(path: Path) -> None:
    """G14, C8: a reader writes nothing, reaches no file and changes no setting."""
    kb = opened(path)
    kb.add([claim()])
    kb.close()
    reader = opened(path, read_only=True)
    with pytest.raises(StoreError) as refused:
        reader.add([claim("$4")])
    assert refused.value.code == "read_only"
    for statement in (
        "INSERT INTO cb.migration VALUES (2, 'x', 'x', now())", "SET GLOBAL timezone = 'Asia/Tokyo'",
        "SELECT * FROM read_text('conftest.py')", f"COPY (SELECT 1) TO '{path}.csv'", f"ATTACH '{path}.other'",
        "RESET lock_configuration", "INSTALL httpfs",
    ):  # fmt: skip
        with pytest.raises(StoreError):
            reader.db.query(statement)
    assert sorted(file.name for file in path.parent.iterdir()) == [path.name, path.name + ".head", path.name + ".lock"]


def _use_inherited(kb: Claimbase, results: Any) -> None:
    for call in (kb.basis, lambda: kb.add([claim("$9")]), lambda: kb.observe("c_0123456789abcdef", observed_at=day(1))):
        try:
            call()
            results.put("worked")
        except StoreError as error:
            results.put(error.code)
    kb.close()
    kb.close()
    results.put("closed")


def test_a_forked_child(path: Path) -> None:
    """C2: a child may not use the parent's handle, closes it unharmed, and takes no lock with it into its life."""
    kb = opened(path)
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    child = context.Process(target=_use_inherited, args=(kb, results))
    child.start()
    child.join(60)
    assert child.exitcode == 0
    assert [results.get(timeout=10) for _ in range(4)] == ["forked"] * 3 + ["closed"]
    assert kb.add([claim()]).added == 1
    sleeper = context.Process(target=time.sleep, args=(60,))
    sleeper.start()
    try:
        kb.close()
        opened(path).close()
    finally:
        sleeper.kill()
        sleeper.join()


GARBAGE = """
    import gc, os, claimbase
    class Ring: pass
    gc.disable()
    for _ in range(5):
        ring = Ring()
        ring.base, ring.itself = claimbase.open(), ring
    del ring
    child = os.fork()
    if child == 0:
        gc.enable()
        gc.collect()
        os._exit(0)
    print(os.waitpid(child, 0)[1])
    os._exit(0)
"""


@pytest.mark.slow
def test_a_child_does_not_collect_what_its_parent_left() -> None:
    """C2: a base among the parent's garbage is not ended in a forked child, where its threads are not."""
    assert script(GARBAGE).stdout == "0\n"


def test_files_are_private(path: Path) -> None:
    """C17: base, log and lock may be read by their owner alone; a base that was opened to others keeps its mode."""
    kb = opened(path)
    kb.add([claim()])
    assert {stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()} == {0o600}
    assert len(list(path.parent.iterdir())) == 4
    path.chmod(0o640)
    kb.add([claim("$4")])
    kb.close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_threads_get_their_own_answers() -> None:
    """C3, G10: a cursor a call: threads never see each other's rows, and writers wait for each other."""
    kb = base(Ticking())
    wrong: list[object] = []

    def ask(number: int) -> None:
        for turn in range(100):
            wanted = number * 1_000 + turn
            rows = kb.db.query("SELECT $n + i FROM range(50) AS r(i)", {"n": wanted}).rows
            wrong.extend(row for place, row in enumerate(rows) if row != (wanted + place,))

    def tell(number: int) -> None:
        kb.add([claim(f"${number}", subject=f"subject {number}")])

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
    threads += [threading.Thread(target=tell, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert [batch for (batch,) in kb.db.query("SELECT batch_id FROM cb.batch ORDER BY ALL")] == [0, 1, 2, 3, 4, 5]
    assert len(standing(kb.db)) == 4


# -- versions of the schema ------------------------------------------------------------------------------------------


def test_a_newer_schema(path: Path) -> None:
    """G18: a base that a newer claimbase wrote is refused, for reading and for writing."""
    kb = opened(path)
    kb.db.query("INSERT INTO cb.migration VALUES (9999, 'later', 'x', now())")
    kb.close()
    for read_only in (False, True):
        with pytest.raises(SchemaVersionError):
            opened(path, read_only=read_only)


def test_a_base_opened_again(path: Path) -> None:
    """G1, B4: what was acknowledged is there again; opening writes no batch; batch 0 is the creation."""
    kb = opened(path)
    kb.add([claim(), claim("$4", day(9))])
    before = digest(kb.db)
    kb.close()
    for read_only in (True, False):
        again = opened(path, read_only=read_only)
        assert digest(again.db) == before
        assert again.db.query("SELECT batch_id, verb FROM cb.batch ORDER BY ALL").rows == [
            (0, "create"), (1, "declare"), (2, "add"),
        ]  # fmt: skip
        again.close()


# -- C9: time zones --------------------------------------------------------------------------------------------------

ZONED = """
    import sys, json
    from kit import base, claim, day, digest, NOW
    from claimbase.errors import StoreError
    from claimbase.temporal import FixedClock
    kb = base(FixedClock(NOW))
    kb.add([claim(), claim("$4", "2026-03-29T02:30:00+02:00", effective_from="2026-01", effective_until="2027-05-01")])
    refused = []
    for naive in ("SELECT '2026-03-01 00:00:00'::TIMESTAMP::TIMESTAMPTZ", "SELECT TIMESTAMP '2026-03-01' = now()",
                  "SELECT count(*) FROM cb.claim WHERE observed_at < DATE '2027-01-01'"):
        try:
            kb.db.query(naive)
            refused.append(False)
        except StoreError:
            refused.append(True)
    rows = kb.db.query("SELECT observed_at, observed_at::VARCHAR, from_earliest FROM cb.claim ORDER BY ALL").rows
    print(json.dumps([digest(kb.db), refused, [[r[0].isoformat(), r[1], str(r[2])] for r in rows]]))
"""


@pytest.mark.parametrize("zone", ["America/New_York", pytest.param("UTC", marks=pytest.mark.slow)])
def test_any_zone_of_the_machine(zone: str, capsys: pytest.CaptureFixture[str]) -> None:
    """C9, G12: the same bytes under any TZ; the engine reads UTC and refuses to cast a naive time."""
    exec(textwrap.dedent(ZONED), {})  # noqa: S102 - our own lines, in the zone of this machine
    here = json.loads(capsys.readouterr().out)
    assert here[1] == [True] * 3
    assert here[2][0][:2] == ["2026-03-01T00:00:00+00:00", "2026-03-01 00:00:00+00"]
    ran = script(ZONED, TZ=zone, PYTHONHASHSEED="1" if zone == "UTC" else "2")
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == here


def test_no_instant_is_infinite() -> None:
    """B2: an open end is NULL; infinity stands in no column of any table and comes out of no macro of the versions."""
    kb = base(Ticking())
    kb.add([
        claim(), claim("$4", day(9)), claim("$5", day(12), effective_from={"latest": "2026-03-20"}),
        claim("$6", day(14), effective_from={"not_before": "2026-04-01"}),
        claim("$7", day(15), effective_from="always"),
        claim("$8", day(16), effective_until={"kind": "unknown"}), gone(claim("$8"), day(17)),
        claim("2026-01-01", predicate="released"), claim("$9", day(18), effective_until={"earliest": "2030-01-01"}),
    ])  # fmt: skip
    columns = kb.db.query(
        "SELECT table_name, column_name FROM duckdb_columns()"
        " WHERE schema_name = 'cb' AND data_type = 'TIMESTAMP WITH TIME ZONE'"
    ).rows
    assert len(columns) > 30
    for table, column in columns:
        infinite = kb.db.query(f"SELECT count(*) FROM cb.{table} WHERE isinf({column})")  # noqa: S608
        assert infinite.rows == [(0,)], (table, column)
    now = {"now": kb.basis().recorded_by}
    for row in kb.db.query("FROM cb.described($now, $now)", now):
        assert not any(isinstance(cell, datetime) and cell.year > 9000 for cell in row)


# -- errors of the engine --------------------------------------------------------------------------------------------

KNOWN = {
    "BinderException", "CatalogException", "ConnectionException", "ConstraintException", "ConversionException",
    "DataError", "DatabaseError", "DependencyException", "Error", "FatalException", "HTTPException", "IOException",
    "IntegrityError", "InternalError", "InternalException", "InterruptException", "InvalidInputException",
    "InvalidTypeException", "NotImplementedException", "NotSupportedError", "OperationalError", "OutOfMemoryException",
    "OutOfRangeException", "ParserException", "PermissionException", "ProgrammingError", "ResourceInUseException",
    "SequenceException",
    "SerializationException", "SyntaxException", "TransactionException", "TypeMismatchException",
}  # fmt: skip


def engine_errors() -> Iterator[type[duckdb.Error]]:
    """Give every error class of the engine."""
    for name in dir(duckdb):
        found = getattr(duckdb, name)
        if isinstance(found, type) and issubclass(found, duckdb.Error):
            yield found


def test_every_engine_error_is_mapped() -> None:
    """G16, C14: whatever class the engine raises, ours comes out, with it as the cause; a new class is noticed."""
    assert {error.__name__ for error in engine_errors()} == KNOWN
    special = {
        "OutOfMemoryException": (NoSpaceError, "no_space"), "InterruptException": (LimitError, "timed_out"),
        "FatalException": (StoreError, "invalidated"), "SerializationException": (StoreCorruptError, "store_corrupt"),
    }  # fmt: skip
    for error in engine_errors():
        ours, code = special.get(error.__name__, (StoreError, "engine"))
        with pytest.raises(ClaimbaseError) as refused, mapped():
            raise error("something\nand a second line")
        assert (type(refused.value), refused.value.code) == (ours, code), error
        assert isinstance(refused.value.__cause__, error)
        assert "second line" not in str(refused.value)


def test_other_errors_pass() -> None:
    """C4: what is not the engine's is not dressed up as its."""
    with pytest.raises(RuntimeError, match="mine"), mapped():
        raise RuntimeError("mine")
    with pytest.raises(KeyboardInterrupt), mapped():
        raise RuntimeError("Query interrupted")
    with pytest.raises(NoSpaceError), mapped():
        raise duckdb.IOException("Could not write file: No space left on device")


def test_results_are_fetched() -> None:
    """C5: rows are whole when they come; an error of a late row is raised by the call."""
    kb = base(FixedClock(NOW))
    rows = kb.db.query("SELECT i FROM range(3) AS r(i)")
    kb.db.query("SELECT 1")
    assert rows.dicts() == [{"i": 0}, {"i": 1}, {"i": 2}]
    with pytest.raises(StoreError):
        kb.db.query("SELECT CASE WHEN i > 90000 THEN error('late') ELSE i END FROM range(100000) AS r(i)")
    assert kb.db.query("SELECT TIMESTAMPTZ '2026-03-01 00:00:00+00'").rows == [(datetime(2026, 3, 1, tzinfo=UTC),)]
