"""What the engines do on the pinned versions, row by row, and the seventeen code rules with the tests that prove them.

An upgrade that changes a row fails here and says which; then the rule that the row asks for is looked at again.

| row of reliability 6 | here |
|---|---|
| COMMIT after a failed statement reports success | `test_commit_of_a_failed_transaction` |
| a bad Python parameter leaves the transaction alive | `test_a_bad_parameter_leaves_the_transaction` |
| partly written log (fixed) | `test_a_cut_log_gives_a_prefix` |
| ASOF joins (fixed, or not implemented) | `test_asof_joins` |
| range joins with NULLs (fixed) | `test_range_joins_with_nulls` |
| prefer_range_joins | `test_prefer_range_joins` |
| uniqueness checked too early (fixed) | `test_keys_that_move` |
| UPDATE, CREATE INDEX, DELETE (fixed) | `test_an_index_after_an_update` |
| the engine's file lock | `test_the_engines_lock_is_lost` |
| one connection for several readers | `test_a_second_statement_takes_the_result` |
| interrupting | `test_an_interrupt` |
| progress bar and COPY on stdout | `test_the_engine_writes_to_stdout` |
| external access off (fixed) | `test_readers_of_files_are_refused` |
| the parser's depth | `test_the_parsers_depth` |
| powers in a unit take for ever | `test_a_tower_of_powers` |
| loose readings of dates | `test_dates_read_loosely` |
| memory limit exceeded; threads; recovery | in the sandbox's, the store's and the crash tests |
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pytest
from kit import NOW, base, claim, day, script

from claimbase.agents.schemas import ARGUMENTS
from claimbase.constraints.models import Constraint
from claimbase.errors import StoreError
from claimbase.temporal import FixedClock


@pytest.fixture
def engine() -> Iterator[duckdb.DuckDBPyConnection]:
    """The engine as it comes."""
    with duckdb.connect(config={"threads": 1}) as connection:
        yield connection


def rows(engine: duckdb.DuckDBPyConnection, sql: str) -> list[tuple[object, ...]]:
    """Run a statement and give its rows."""
    return engine.execute(sql).fetchall()


def test_the_versions() -> None:
    """Reliability 6: the rows below were looked at on the second major version of the engine (C7)."""
    assert duckdb.__version__.startswith("2.")


# -- the engine ------------------------------------------------------------------------------------------------------


def test_commit_of_a_failed_transaction(engine: duckdb.DuckDBPyConnection) -> None:
    """C4, yes: COMMIT after a failed statement raises nothing and stores nothing."""
    engine.execute("CREATE TABLE t (k INTEGER PRIMARY KEY)")
    engine.execute("BEGIN")
    engine.execute("INSERT INTO t VALUES (1)")
    with pytest.raises(duckdb.ConstraintException):
        engine.execute("INSERT INTO t VALUES (1)")
    assert rows(engine, "COMMIT") == []
    assert rows(engine, "SELECT count(*) FROM t") == [(0,)]


def test_a_bad_parameter_leaves_the_transaction(engine: duckdb.DuckDBPyConnection) -> None:
    """C4, yes: what Python cannot hand over fails before the engine knows, and COMMIT stores the part."""
    engine.execute("CREATE TABLE t (k INTEGER)")
    engine.execute("BEGIN")
    engine.execute("INSERT INTO t VALUES (1)")
    with pytest.raises(duckdb.Error):
        engine.execute("INSERT INTO t VALUES ($k)", {"k": object()})
    engine.execute("COMMIT")
    assert rows(engine, "SELECT count(*) FROM t") == [(1,)]


def test_a_cut_log_gives_a_prefix(tmp_path: Path) -> None:
    """G4, fixed: a log cut anywhere gives the first so many commits, or a refusal."""
    whole = tmp_path / "whole.duckdb"
    script(
        """
        import duckdb, os, sys
        connection = duckdb.connect(sys.argv[1])
        connection.execute("CREATE TABLE t (k INTEGER)")
        connection.execute("CHECKPOINT")
        connection.execute("SET wal_autocheckpoint = '1GB'")
        for number in range(8):
            connection.execute("INSERT INTO t VALUES ($k)", {"k": number})
        os._exit(0)
        """,
        whole,
    )
    log = whole.with_name("whole.duckdb.wal").read_bytes()
    counts = set()
    for part in range(0, len(log), max(1, len(log) // 12)):
        copy = tmp_path / f"cut{part}.duckdb"
        copy.write_bytes(whole.read_bytes())
        copy.with_name(f"{copy.name}.wal").write_bytes(log[:part])
        with duckdb.connect(str(copy)) as connection:
            found = [k for (k,) in rows(connection, "SELECT k FROM t ORDER BY k")]
        assert found == list(range(len(found)))
        counts.add(len(found))
    assert len(counts) > 3


def test_asof_joins(engine: duckdb.DuckDBPyConnection) -> None:
    """G11, fixed: NULLs and outer kinds are right; an OR or a second inequality is refused."""
    engine.execute("CREATE TABLE p AS FROM (VALUES (1, 1), (1, 5), (1, NULL), (2, 3)) AS v (s, t)")
    assert rows(engine, "SELECT x.s, x.t, y.t FROM p x ASOF LEFT JOIN p y ON x.s = y.s AND x.t > y.t ORDER BY ALL") == [
        (1, 1, None), (1, 5, 1), (1, None, None), (2, 3, None),
    ]  # fmt: skip
    outer = "SELECT count(*), count(x.t), count(y.t) FROM p x ASOF FULL JOIN p y ON x.s = y.s AND x.t >= y.t"
    assert rows(engine, outer) == [(5, 3, 3)]
    for condition in ("x.s = y.s AND (x.t >= y.t OR x.t = 1)", "x.t >= y.t AND x.s >= y.s"):
        with pytest.raises(duckdb.BinderException, match="ASOF"):
            engine.execute(f"SELECT * FROM p x ASOF JOIN p y ON {condition}")  # noqa: S608


def test_range_joins_with_nulls(engine: duckdb.DuckDBPyConnection) -> None:
    """G11, fixed: a NULL on either side of an overlap joins nothing."""
    engine.execute("CREATE TABLE l AS FROM (VALUES (1, 5), (2, NULL), (NULL, 3), (NULL, NULL), (4, 9)) AS v (a, b)")
    assert rows(engine, "SELECT count(*) FROM l x JOIN l y ON x.a <= y.b AND y.a <= x.b") == [(4,)]


def test_prefer_range_joins(engine: duckdb.DuckDBPyConnection) -> None:
    """C7, yes: with the setting an overlap join of slots is not implemented."""
    engine.execute("CREATE TABLE i AS SELECT r % 5 AS k, r AS a, r + 5 AS b FROM range(50) AS g (r)")
    overlap = "SELECT count(*) FROM i x JOIN i y ON x.k = y.k AND x.a < y.b AND y.a < x.b"
    assert rows(engine, overlap) == [(50,)]
    engine.execute("SET prefer_range_joins = true")
    with pytest.raises(duckdb.NotImplementedException):
        engine.execute(overlap)


def test_keys_that_move(engine: duckdb.DuckDBPyConnection) -> None:
    """C7, fixed: keys may move in one update, and a deleted one may come back in the same transaction."""
    engine.execute("CREATE TABLE t (k INTEGER PRIMARY KEY)")
    engine.execute("INSERT INTO t VALUES (1), (2), (3)")
    engine.execute("UPDATE t SET k = k + 1")
    engine.execute("BEGIN")
    engine.execute("DELETE FROM t WHERE k = 3")
    engine.execute("INSERT INTO t VALUES (3)")
    engine.execute("COMMIT")
    assert rows(engine, "FROM t ORDER BY k") == [(2,), (3,), (4,)]


def test_an_index_after_an_update(engine: duckdb.DuckDBPyConnection) -> None:
    """C7, fixed: an index made over updated rows can be deleted from."""
    engine.execute("CREATE TABLE u AS SELECT r AS k, 0 AS v FROM range(1000) AS g (r)")
    engine.execute("UPDATE u SET v = 1 WHERE k < 10")
    engine.execute("CREATE INDEX i ON u (v)")
    engine.execute("DELETE FROM u WHERE v = 1")
    assert rows(engine, "SELECT count(*) FROM u WHERE v = 0") == [(990,)]


OPENS = """
import duckdb, sys
def other():
    import subprocess
    tries = "import duckdb, sys\\ntry:\\n duckdb.connect(sys.argv[1])\\nexcept duckdb.IOException:\\n sys.exit(7)"
    return subprocess.run([sys.executable, "-c", tries, sys.argv[1]]).returncode
connection = duckdb.connect(sys.argv[1])
before = other()
open(sys.argv[1], "rb").close()
print(before, other())
"""


@pytest.mark.slow
def test_the_engines_lock_is_lost(tmp_path: Path) -> None:
    """C1, yes: once the process opens and closes the file itself, another process may write to it."""
    assert script(OPENS, tmp_path / "some.duckdb").stdout.split() == ["7", "0"]


def test_a_second_statement_takes_the_result(engine: duckdb.DuckDBPyConnection) -> None:
    """C3, C5, yes: on one connection the second statement's rows are what the first one's reader gets."""
    first = engine.execute("SELECT 1")
    engine.execute("SELECT 2")
    assert first.fetchall() == [(2,)]


def test_an_interrupt(engine: duckdb.DuckDBPyConnection) -> None:
    """G15, X52, works: interrupt() ends a statement."""
    timer = threading.Timer(0.1, engine.interrupt)
    timer.start()
    with pytest.raises(duckdb.InterruptException):
        engine.execute("SELECT count(*) FROM range(100_000_000_000) AS g (r) WHERE hash(r) = 1").fetchall()
    timer.join()


LONG = "SELECT count(*) FROM range(60000000) AS g (r) WHERE hash(r) % 7 = 0"
BAR = f"import duckdb; c = duckdb.connect(); c.execute('SET progress_bar_time = 0'); c.execute('{LONG}').fetchall()"
COPY = "import duckdb; duckdb.connect().execute(\"COPY (SELECT 1 AS a) TO '/dev/stdout' (HEADER false)\")"


@pytest.mark.slow
@pytest.mark.parametrize(("text", "shows"), [(BAR, "%"), (COPY, "1")])
def test_the_engine_writes_to_stdout(text: str, shows: str) -> None:
    """C15, yes: without a main file the progress bar is on, and COPY reaches the descriptor."""
    assert shows in script(text).stdout


def test_readers_of_files_are_refused() -> None:
    """G14, fixed: with external access off no function reads a file, nor does a name that looks like one."""
    with duckdb.connect(config={"enable_external_access": False}) as engine:
        for name in ("read_csv", "read_text", "read_blob", "read_parquet", "read_json", "sniff_csv", "glob"):
            with pytest.raises(duckdb.PermissionException):
                engine.execute(f"SELECT * FROM {name}('{__file__}')")  # noqa: S608
        with pytest.raises(duckdb.CatalogException):
            engine.execute(f"SELECT * FROM '{__file__}'")  # noqa: S608


# -- the other libraries ---------------------------------------------------------------------------------------------


def test_the_parsers_depth() -> None:
    """C13, yes: the SQL parser has no limit of its own; some hundred brackets end in RecursionError."""
    import sqlglot

    with pytest.raises(RecursionError):
        sqlglot.parse_one("SELECT " + "(" * 300 + "1" + ")" * 300)


@pytest.mark.slow
def test_a_tower_of_powers() -> None:
    """C10, yes: the unit library computes a power that never ends; nothing of a source's reaches it."""
    tower = "import pint; pint.UnitRegistry(None)('9**9**9**9')"
    with pytest.raises(subprocess.TimeoutExpired):
        subprocess.run([sys.executable, "-c", tower], timeout=1.5, check=False, capture_output=True)


def test_dates_read_loosely() -> None:
    """C11, fixed and yes: empty and short texts are refused, but words, times and durations are read as dates."""
    pendulum = pytest.importorskip("pendulum")
    for text in ("", "1", "a/b"):
        with pytest.raises(ValueError, match=r"."):
            pendulum.parse(text)
    for text in ("now", "12:30", "P1Y"):
        assert pendulum.parse(text)


# -- the seventeen rules ---------------------------------------------------------------------------------------------

RULES: dict[str, tuple[str, ...]] = {
    "C1": ("test_packaging.py::test_one_owner_per_engine", "test_upstream.py::test_who_opens_files",
           "test_store.py::test_a_second_process_is_refused", "test_store.py::test_a_second_writer_under_another_name"),
    "C2": ("test_store.py::test_a_forked_child",),
    "C3": ("test_store.py::test_threads_get_their_own_answers",),
    "C4": ("test_store_writes.py::test_the_first_error_is_raised",
           "test_store_writes.py::test_a_commit_that_stores_nothing_is_noticed"),
    "C5": ("test_store.py::test_results_are_fetched",),
    "C6": ("test_store.py::test_every_engine_error_is_mapped",),
    "C7": ("test_upstream.py::test_the_engines_diet",),
    "C8": ("test_sql_files.py::test_every_object_says_its_schema", "test_upstream.py::test_temporary_objects"),
    "C9": ("test_store.py::test_any_zone_of_the_machine", "test_store.py::test_no_instant_is_infinite",
           "test_upstream.py::test_no_naive_time_becomes_an_instant"),
    "C10": ("test_bad_input.py::test_numbers_that_are_read", "test_bad_input.py::test_refused"),
    "C11": ("test_bad_input.py::test_refused", "test_upstream.py::test_who_reads_the_clock"),
    "C12": ("test_packaging.py::test_no_sql_is_built_from_strings", "test_upstream.py::test_no_pattern_is_matched"),
    "C13": ("test_upstream.py::test_strict_models", "test_bad_input.py::test_bad_json",
            "test_gate.py::test_size_and_depth_are_counted_first"),
    "C14": ("test_agents.py::test_errors_tell_nothing_of_the_machine",),
    "C15": ("test_upstream.py::test_nothing_but_answers_on_stdout",),
    "C16": ("test_upstream.py::test_ties_have_one_order", "test_upstream.py::test_orders_do_not_end_in_arrival"),
    "C17": ("test_store.py::test_files_are_private",),
}  # fmt: skip
"""Each rule, and the tests that prove it."""


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_has_its_test(rule: str, checkout: Path) -> None:
    """C1-C17: the tests named above exist, and say which rule or row they prove."""
    assert len(RULES) == 17
    for place in RULES[rule]:
        file, name = place.split("::")
        assert re.search(rf"^def {name}\(", (checkout / "tests" / file).read_text("utf-8"), re.MULTILINE), place


def called(path: Path) -> set[str]:
    """Give the names of what a module calls."""
    calls = [node.func for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)]
    return {call.attr if isinstance(call, ast.Attribute) else getattr(call, "id", "") for call in calls}


OPENING = {"open", "read_bytes", "write_bytes", "copy", "copy2", "copyfile", "copytree", "file_digest", "truncate"}
OPENERS = {
    "lock.py": "the lock's own file", "head.py": "the head's own file", "files.py": "a folder, to sync it",
    "recovering.py": "what a person sets aside, with no engine open", "checking.py": "the head's own file",
    "keeping.py": "copies beside the base", "keeping_change.py": "copies beside the base",
    "keeping_export.py": "files of an export", "sandbox.py": "a worker's own pipes", "following.py": "a snapshot",
}  # fmt: skip


def test_who_opens_files(checkout: Path) -> None:
    """C1: in the engine's room only the named modules open or copy any file; the base's own is opened by the engine."""
    found = {path.name for path in (checkout / "claimbase" / "store").glob("*.py") if called(path) & OPENING}
    assert found - set(OPENERS) == set()
    assert "db.py" not in found
    assert "engine.py" not in found


def test_who_reads_the_clock(checkout: Path) -> None:
    """C11, A1: the machine's clock is read by the injected clock alone, chance by nobody."""
    reading = {
        path.relative_to(checkout).as_posix()
        for path in (checkout / "claimbase").rglob("*.py")
        if re.search(r"datetime\.now\(|\.utcnow\(|date\.today\(|time\.time\(|\brandom\.", path.read_text("utf-8"))
    }
    assert reading == {"claimbase/temporal.py"}


def texts_of(checkout: Path) -> Iterator[tuple[str, str]]:
    """Give every statement of the package without its comments."""
    for path in sorted((checkout / "sql").rglob("*.sql")):
        yield path.relative_to(checkout).as_posix(), re.sub(r"--.*", "", path.read_text("utf-8"))


DIET = r"\bCREATE\s+(UNIQUE\s+)?INDEX\b|\bON\s+CONFLICT\b|\bMERGE\s+INTO\b|\bFORCE\s+CHECKPOINT\b|\bREFERENCES\s+cb\b"


def test_the_engines_diet(checkout: Path) -> None:
    """C7: no index, upsert, merge, forced checkpoint or foreign key; a key is a whole number; the pin holds."""
    assert [name for name, text in texts_of(checkout) if re.search(DIET, text, re.IGNORECASE)] == []
    keys = [
        (name, key) for name, text in texts_of(checkout) for key in re.findall(r"(\w+\s+\w+)\s+PRIMARY\s+KEY", text)
    ]
    assert [key for key in keys if key[1].split()[1] not in ("BIGINT", "INTEGER", "UBIGINT", "HUGEINT")] == []
    assert "duckdb>=2.0.1,<3" in (checkout / "pyproject.toml").read_text("utf-8").replace(" ", "")


def test_no_pattern_is_matched(checkout: Path) -> None:
    """C12, X41: texts are found with contains(); LIKE, SIMILAR and GLOB stand in no statement."""
    matched = r"\b(I?LIKE|SIMILAR\s+TO|GLOB)\b"
    assert [name for name, text in texts_of(checkout) if re.search(matched, text, re.IGNORECASE)] == []
    for path in (checkout / "claimbase" / "compiler").glob("*.py"):
        assert not re.search(r"exp\.(I?Like|SimilarTo|Glob|RegexpLike)\b|exp\.convert\(", path.read_text("utf-8")), path


def test_strict_models() -> None:
    """C13: what a model or a caller hands in is taken strictly: no field of its own, no guess at a type, no NaN."""
    for model in (*ARGUMENTS.values(), Constraint):
        assert (model.model_config.get("extra"), model.model_config.get("strict")) == ("forbid", True), model
    for model in ARGUMENTS.values():
        assert model.model_config.get("allow_inf_nan") is False, model


def test_temporary_objects() -> None:
    """C8: temporary tables and macros named like ours take the place of nothing, in no statement of the same cursor."""
    kb = base(FixedClock(NOW), full=True)
    kb.add([claim(), claim("128K", predicate="context")])
    now = kb.basis()
    asked = {"observed_by": now.observed_by, "recorded_by": now.recorded_by, "valid_at": now.valid_at}
    statement = "SELECT claim_no, certain FROM cb.active($valid_at, $observed_by, $recorded_by) ORDER BY ALL"
    with kb.db.atomic() as transaction:
        before = transaction.run(statement, asked).rows
        for name in ("claim", "statement", "subject", "entry"):
            transaction.run(f"CREATE TEMP TABLE {name} (x INTEGER)")
        for name in ("visible(a, b, c)", "active(a, b, c)"):
            transaction.run(f"CREATE TEMP MACRO {name} AS TABLE SELECT 1 AS x")
        transaction.run("CREATE TEMP MACRO claim_id(n) AS 'c_0'")
        assert len(before) == 2
        assert transaction.run(statement, asked).rows == before
        names = transaction.run("SELECT cb.claim_id(claim_no) FROM cb.statement").rows
        assert "c_0" not in {name for (name,) in names}


@pytest.mark.parametrize("naive", ["TIMESTAMP '2026-03-01 00:00:00'", "DATE '2026-03-01'", "now()::TIMESTAMP"])
def test_no_naive_time_becomes_an_instant(naive: str) -> None:
    """C9: a naive time is not cast in whatever zone, but refused by the engine; a bound text is read in UTC."""
    db = base(FixedClock(NOW), full=True).db
    with pytest.raises(StoreError):
        db.query(f"SELECT CAST({naive} AS TIMESTAMPTZ)")
    bound = {"text": "2026-03-01 00:00:00"}
    assert db.query("SELECT CAST($text AS TIMESTAMPTZ)", bound).rows == [(datetime(2026, 3, 1, tzinfo=UTC),)]


ASKS = """
import sys
from kit import base
kb = base(full=True)
for setting in ("progress_bar_time = 0", *sys.argv[2:]):
    kb.db._connection.execute(f"SET {setting}")  # its cursors inherit it
kb.db.query(sys.argv[1])
print(len(list(kb.vocabulary())))
"""


@pytest.mark.slow
def test_nothing_but_answers_on_stdout() -> None:
    """C15: without a main file, where the engine's bar is on by itself, long statements write nothing of their own."""
    done = script(ASKS, LONG)
    assert done.stdout == "6\n", done.stderr
    assert "%" in script(ASKS, LONG, "enable_progress_bar = true").stdout


@pytest.mark.slow
def test_ties_have_one_order() -> None:
    """C16: subjects, claims and disputes that are equal in everything ranked have one order, whatever came first."""
    told = [claim("$3", subject=f"Lark {n}", source={"url": f"https://norden.example/{n % 3}"}) for n in range(12)]
    told += [claim("$4", subject=f"Lark {n}", quote=f"{n}: $4") for n in range(0, 12, 2)]
    found = set()
    for order in (told, told[::-1]):
        kb = base(FixedClock(NOW), full=True)
        for place in range(0, len(order), 9):
            kb.add(order[place : place + 9])
        for threads in (1, 4):
            kb.db.query(f"SET GLOBAL threads = {threads}")
            answer = kb.answer("price <= $5/Mtok", order_by="price", as_of=day(2))
            cards = kb.contradictions(as_of=day(2)).cards
            found.add((
                tuple(one.subject for one in answer.subjects()), tuple(row["claim_id"] for row in answer.rows()),
                tuple(card.subject for card in cards), tuple(row["claim_id"] for row in kb.claims()),
            ))  # fmt: skip
    assert len(found) == 1


def test_orders_do_not_end_in_arrival(checkout: Path) -> None:
    """C16: no order of a question ends in what arrival decides."""
    late = r"ORDER\s+BY[^()]*\b(version_id|batch_id|rowid)\s*(DESC)?\s*$"
    found = [n for n, text in texts_of(checkout) if n.startswith("sql/queries") and re.search(late, text.strip())]
    assert found == []
