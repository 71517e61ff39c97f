"""The gate before free SQL, and the locked reader behind it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimbase import base
from claimbase.errors import ClaimbaseError, InputError, LimitError
from claimbase.selects import DEEPEST, LONGEST, check

RUNS = {
    "select 1 as one": [(1,)],
    "SELECT 1 AS one;": [(1,)],
    "(select 1)": [(1,)],
    "select 1 union all select 2 order by 1": [(1,), (2,)],
    "from cb.claim select count(*)": [(1,)],
    "from CB.Claim select count(*)": [(1,)],
    "select count(*) from cb.active_claims('2026-03-01')": [(1,)],
    "select value from cb.history('Alpha', predicate := 'context_window')": [("128K",)],
    "select count(*) from cb.contradictions(all_time := true)": [(0,)],
    "select predicate, stale from cb.freshness(observed_by := '2026-03-01')": [("context_window", 0)],
    "select cb.claim_id(claim_no) = cb.claim_id(claim_no) from cb.claim": [(True,)],
    "with a(x) as (select 1), b as (select x + 1 as x from a) from b": [(2,)],
    "with recursive r as (select 1 as n union all select n + 1 from r where n < 3) select max(n) from r": [(3,)],
    "select n from (values (1), (2)) as t(n) order by n desc": [(2,), (1,)],
    "select upper(s.name), s.name.lower() from cb.claim as c join cb.subject as s using (subject_id)": [
        ("ALPHA", "alpha")
    ],
    "select [x * 2 for x in [1, 2]], list_filter([1, 2], lambda x: x > 1)": [([2, 4], [2])],
    "select unnest([1, 2])": [(1,), (2,)],
    "select row_number() over (order by claim_no), claim_no is null from cb.claim": [(1, False)],
    "select ';--', '/*', $$'$$, \"name\" = 'Alpha' from cb.subject": [(";--", "/*", "'", True)],
}  # fmt: skip

REFUSED = {
    "": "not_a_select",
    ";": "not_a_select",
    "values (1)": "not_a_select",
    "table cb.claim": "not_a_select",
    "show tables": "not_allowed",
    "describe cb.claim": "not_allowed",
    "summarize cb.claim": "not_allowed",
    "explain analyze delete from cb.claim": "not_a_select",
    "pivot cb.claim on subject_id using count(*)": "not_a_select",
    "insert into cb.claim select * from cb.claim": "not_a_select",
    "update cb.claim set retracted_at = null": "not_a_select",
    "delete from cb.claim": "not_a_select",
    "truncate cb.claim": "not_a_select",
    "merge into cb.claim using cb.claim as x on true when matched then delete": "not_a_select",
    "create table t as select 1": "not_a_select",
    "create temp macro lower(x) as 'x'": "not_a_select",
    "drop schema cb cascade": "not_a_select",
    "alter table cb.claim add column x int": "not_a_select",
    "copy cb.claim to 'out.csv'": "not_a_select",
    "copy (select 1) to '/dev/stdout'": "not_a_select",
    "attach 'other.db' as o": "not_a_select",
    "detach o": "not_a_select",
    "export database 'x'": "not_a_select",
    "import database 'x'": "not_a_select",
    "install httpfs": "not_a_select",
    "load httpfs": "not_a_select",
    "pragma database_list": "not_a_select",
    "call pragma_version()": "not_a_select",
    "set threads = 1": "not_a_select",
    "reset threads": "not_a_select",
    "set variable x = 1": "not_a_select",
    "use memory": "not_a_select",
    "begin": "not_a_select",
    "commit": "not_a_select",
    "checkpoint": "not_a_select",
    "vacuum": "not_a_select",
    "prepare p as select 1": "not_a_select",
    "execute p": "not_a_select",
    "select 1; select 2": "several_statements",
    "select 1; drop schema cb cascade": "several_statements",
    "select 'a\\'; delete from cb.claim; --'": "several_statements",
    "select 1 -- \r; select 2": "several_statements",
    "select (": "bad_sql",
    "select 'open": "bad_sql",
    "select 1 into t": "bad_sql",
    "with d as (delete from cb.claim returning *) select * from d": "not_allowed",
    "with d as (insert into cb.claim select * from cb.claim returning *) select * from d": "not_allowed",
    "select $1": "not_allowed",
    "select ?": "not_allowed",
    "select * from 'claims.csv'": "unknown_table",
    "select * from \"claims.csv\"": "unknown_table",
    "select * from cb.\"claims.csv\"": "unknown_table",
    "select * from claim": "unknown_table",
    "select * from main.claim": "unknown_table",
    "select * from memory.cb.claim": "unknown_table",
    "select * from system.cb.claim": "unknown_table",
    "select * from sqlite_master": "unknown_table",
    "select * from information_schema.tables": "unknown_table",
    "select * from duckdb_settings()": "unknown_table",
    "select * from duckdb_databases()": "unknown_table",
    "select * from read_csv('x')": "unknown_table",
    "select * from read_text('x')": "unknown_table",
    "select * from read_blob('x')": "unknown_table",
    "select * from read_json('x')": "unknown_table",
    "select * from read_parquet('x')": "unknown_table",
    "select * from read_duckdb('x')": "unknown_table",
    "select * from parquet_metadata('x')": "unknown_table",
    "select * from sniff_csv('x')": "unknown_table",
    "select * from glob('*')": "unknown_table",
    "select * from query('select 1')": "unknown_table",
    "select * from query_table('cb.claim')": "unknown_table",
    "select * from range(3)": "unknown_table",
    "select * from main.history('x')": "unknown_table",
    "with a as (select * from a) select * from a": "unknown_table",
    "with a as (select * from b), b as (select 1) select * from a": "unknown_table",
    "select * from sqlite_master, (with sqlite_master as (select 1) select 1)": "unknown_table",
    "select (select max(x) from read_text('x')) from cb.claim": "unknown_table",
    "select 1 where exists (select * from 'x.csv')": "unknown_table",
    "select read_text('x')": "function_not_allowed",
    "select getvariable('x')": "function_not_allowed",
    "select getenv('HOME')": "function_not_allowed",
    "select current_setting('home_directory')": "function_not_allowed",
    "select nextval('s')": "function_not_allowed",
    "select query('select 1')": "function_not_allowed",
    "select 'x'.read_text()": "function_not_allowed",
    "select json_execute_serialized_sql('x')": "function_not_allowed",
    "select write_log('x')": "function_not_allowed",
    "select sleep_ms(1000000)": "function_not_allowed",
    "select repeat('x', 1000000000)": "function_not_allowed",
    "select lpad('x', 1000000000, 'y')": "function_not_allowed",
    "select printf('%1000000000d', 1)": "function_not_allowed",
    "select range(1000000000)": "function_not_allowed",
    "select columns('.*') from cb.claim": "function_not_allowed",
    "select other.instant('2026-03-01')": "function_not_allowed",
    "select count(*) filter (where getenv('x') = 'y') from cb.claim": "function_not_allowed",
    "select 1 order by getenv('x')": "function_not_allowed",
    "select 1 limit (select getenv('x'))": "function_not_allowed",
    # what the engine takes for something else than the other parser does, or what only the engine's tree shows
    "select * from (pivot cb.claim on subject_id using count(*))": "not_a_select",
    "select * from (unpivot cb.claim on claim_no)": "not_allowed",
    "select * from (show tables)": "not_allowed",
    "select * from (describe cb.claim)": "not_allowed",
    "select current_user": "not_allowed",
    "select user": "not_allowed",
    "select session_user from cb.claim": "not_allowed",
    "select current_schema": "not_allowed",
    "select * from cb.claim, unnest([1, 2])": "unknown_table",
    "select * from cb.claim, generate_series(1, 3)": "unknown_table",
    "select * from cb.claim at (version => 1)": "unknown_table",
    "select * from cb.not_ours": "unknown_table",
    "select * from cb.not_ours()": "unknown_table",
    "select cb.not_ours(1)": "function_not_allowed",
}  # fmt: skip

CLAIM = {
    "provider": "Test", "subject": "Alpha", "predicate": "context_window", "value": "128K", "observed_at": "2026-02-01",
    "quote": "128K context", "source": {"url": "https://example.org/alpha"},
}  # fmt: skip


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[base.Claimbase]:
    """A locked reader on a base of one claim."""
    path = tmp_path_factory.mktemp("gate") / "one.duckdb"
    with base.open(path) as kb:
        kb.add([CLAIM])
    with base.open(path, read_only=True) as kb:
        yield kb


@pytest.mark.parametrize("statement", RUNS)
def test_a_select_over_cb_runs(reader: base.Claimbase, statement: str) -> None:
    """Reliability 2.3: a single SELECT over schema cb of listed functions passes and gives its rows."""
    assert reader.sql(statement).rows == RUNS[statement]


@pytest.mark.parametrize("statement", REFUSED)
def test_everything_else_is_refused(statement: str) -> None:
    """Reliability 2.3, G14: what is no SELECT, writes, sets, reads elsewhere or calls what is not listed is refused."""
    with pytest.raises(InputError) as refused:
        check(statement)
    assert refused.value.code == REFUSED[statement]


@pytest.mark.parametrize("statement", REFUSED)
def test_the_refused_change_nothing(reader: base.Claimbase, statement: str) -> None:
    """G14: through the base, too, no refused statement runs; the base still holds its one claim."""
    with pytest.raises(ClaimbaseError):
        reader.sql(statement)
    assert reader.sql("select count(*) from cb.claim").rows == [(1,)]


def test_there_is_one_gate() -> None:
    """Reliability 2.3: a person's SELECT and a model's pass the same gate, of one list."""
    from claimbase.agents import sql_worker

    assert sql_worker.check is check


def test_a_writer_runs_no_free_sql() -> None:
    """Reliability 2.3: the writer keeps its access to files and therefore never runs SQL it did not write."""
    with base.open() as kb, pytest.raises(ClaimbaseError, match="locked reader") as refused:
        kb.sql("select 1")
    assert refused.value.code == "not_a_reader"


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("select '" + "x" * LONGEST + "'", "too_large"),
        ("select '" + "é" * (LONGEST // 2) + "'", "too_large"),
        ("select " + "(" * (DEEPEST + 1) + "1" + ")" * (DEEPEST + 1), "too_deep"),
        ("select '" + ")" * 40 + "', " + "(" * (DEEPEST + 1) + "1" + ")" * (DEEPEST + 1), "too_deep"),
        ("select " + "[" * (DEEPEST + 1) + "1" + "]" * (DEEPEST + 1), "too_deep"),
        ("select " + "not " * 4_000 + "true", "bad_sql"),
        ("select " + "- " * 8_000 + "1", "bad_sql"),
        ("select " + "case when true then " * 900, "bad_sql"),
    ],
)  # fmt: skip
def test_size_and_depth_are_counted_first(statement: str, code: str) -> None:
    """C13: size and depth are counted, also where a string hides the brackets; depth without brackets ends a parser."""
    with pytest.raises(InputError if code == "bad_sql" else LimitError) as refused:
        check(statement)
    assert refused.value.code == code


def test_brackets_at_the_limit_pass() -> None:
    """C13: exactly the allowed depth is let through, and brackets inside a string are none."""
    check("select " + "(" * DEEPEST + "1" + ")" * DEEPEST)
    check("select '" + "(" * 100 + "'")


PIECES = st.sampled_from(
    [
        "select", "from", "cb.claim", "with", "a", "as", "(", ")", ",", ";", "'", '"', "--", "/*", "*/", "$$", "delete",
        "insert into", "drop table", "copy", "to", "'x.csv'", "1", "*", "union", "read_csv('x')", "e'\\''", "where",
        "pragma", "set", "\n", ".", "::", "limit", "x", "returning",
    ]
)  # fmt: skip


@given(st.lists(PIECES, max_size=14).map(" ".join))
def test_any_text_passes_or_is_refused_by_type(statement: str) -> None:
    """G16: whatever the text, the gate passes it or raises an error of the house."""
    code = None
    try:
        check(statement)
    except ClaimbaseError as error:
        code = error.code
    assert code in {None, "too_deep", *REFUSED.values()}
