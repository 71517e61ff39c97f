"""Both walls before a model's SQL, each alone: the gate refuses, and the locked reader leaks and changes nothing."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import kit
import pytest
from hostile.listing import HARMLESS, SECRET, Trap, statements, trap
from kit import few

from claimbase.errors import ClaimbaseError, InputError, LimitError
from claimbase.selects import DEEPEST, LONGEST, check, depth, gate
from claimbase.selects.lists import EXPRESSIONS, FUNCTIONS, OPERATORS, PARTS
from claimbase.store import sandbox
from claimbase.store.sandbox import Sandbox, locked, names

HOSTILE = statements()


@pytest.fixture(scope="module")
def set_up(tmp_path_factory: pytest.TempPathFactory) -> Trap:
    """A base and a canary."""
    return trap(tmp_path_factory.mktemp("trap"))


# -- the gate alone --------------------------------------------------------------------------------------------------


def test_the_list_is_long_enough() -> None:
    """G14: at least 84 statements, of every class of the table."""
    classes = Counter(name for name, _ in HOSTILE)
    print(f"hostile statements: {len(HOSTILE)} in {len(classes)} classes")
    assert len({text for _, text in HOSTILE}) == len(HOSTILE) >= 84
    assert len(classes) == 13
    assert min(classes.values()) >= 8


def refusals(texts: Iterable[str]) -> dict[str, InputError | None]:
    """What the gate says of each text; None where it lets it pass."""
    told: dict[str, InputError | None] = dict.fromkeys(texts)
    for text in told:
        try:
            check(text)
        except InputError as error:
            told[text] = error
    return told


def test_the_gate_refuses_each(set_up: Trap) -> None:
    """G14, wall 2 alone: nothing is run, each is refused by type, and told what would be accepted."""
    told = refusals(set_up.filled(text) for _, text in HOSTILE)
    assert [text for text, error in told.items() if error is None] == []
    assert [text for text, error in told.items() if error and not error.hint and error.code != "bad_sql"] == []
    print(f"gate alone: {len(told)} statements, {Counter(error.code for error in told.values() if error)}")


@pytest.mark.parametrize("text", few(HARMLESS, 3))
def test_what_only_reads_passes_and_runs(reader: Sandbox, text: str) -> None:
    """Reliability 2.3: the walls let through what an analyst writes over schema cb, and it runs."""
    check(text)
    assert reader.read(text, lambda row: True) != ()


def test_every_table_and_macro_of_the_shipped_sql_is_listed(set_up: Trap) -> None:
    """Reliability 2.3: the list is made from the shipped SQL, and a base holds exactly what is listed."""
    base = duckdb.connect(str(set_up.base), read_only=True)
    tables = {
        name for (name,) in base.execute("SELECT table_name FROM duckdb_tables() WHERE schema_name = 'cb'").fetchall()
    }
    listed = "SELECT DISTINCT function_name, function_type FROM duckdb_functions() WHERE schema_name = 'cb'"
    macros = set(base.execute(listed).fetchall())
    base.close()
    assert tables == names().tables
    assert {name for name, kind in macros if kind == "table_macro"} == names().table_macros
    assert {name for name, kind in macros if kind == "macro"} == names().macros


def test_no_function_of_the_engine_passes_unlisted() -> None:
    """G14: of all functions the engine has, called with up to three arguments, only listed ones pass the gate."""
    engine = locked(None)
    found = engine.execute("SELECT DISTINCT function_name FROM duckdb_functions() ORDER BY ALL").fetchall()
    engine.close()
    forms = ("SELECT {}()", "SELECT * FROM {}('a')", "SELECT 'a'.{}()")
    unlisted = [name for (name,) in found if name not in FUNCTIONS | OPERATORS and not name.startswith("icu_collate")]
    told = {name: refusals(form.format(name) for form in forms) for name in unlisted}
    passed = {name for name, errors in told.items() if None in errors.values()}
    print(f"functions of the engine: {len(found)}; asked {len(unlisted)}, passed {sorted(passed)}")
    assert len(unlisted) > 600
    assert passed <= {"coalesce", "unnest", "try", "grouping"}  # parts of the tree, no functions in it


SPELT = {
    "count_star": "count(*)", "like_escape": "'a' LIKE 'b' ESCAPE 'c'", "row": "(1, 2)", "list_value": "[1]",
    "timezone": "now() AT TIME ZONE 'UTC'", "list_apply": "[y FOR y IN x]", "position": "position('a' IN 'b')",
    "extract": "extract(year FROM now())", "date_part": "extract(year FROM now())",
}  # fmt: skip


def passes(call: str) -> bool:
    """Say whether the gate lets a call pass."""
    text = f"SELECT {call} FROM cb.claim AS t(x)"  # noqa: S608 - it is only looked at
    return refusals([text])[text] is None


def test_each_listed_function_can_be_called() -> None:
    """Reliability 2.3: no entry of the list is dead: some call of each listed function passes both parsers."""
    forms = ["{}(x)", "{}(x, x)", "{}()", "{}(x, x, x)", "{}(x, x, x, x)", "{}() OVER ()", "{}(x) OVER ()"]
    calls = {name: [SPELT[name]] if name in SPELT else [form.format(name) for form in forms] for name in FUNCTIONS}
    dead = [name for name in sorted(calls) if not any(map(passes, calls[name]))]
    assert dead == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("SELECT '" + "x" * LONGEST + "'", "too_large"),
        ("SELECT '" + "é" * (LONGEST // 2) + "'", "too_large"),
        ("SELECT " + "(" * (DEEPEST + 1) + "1" + ")" * (DEEPEST + 1), "too_deep"),
        ("SELECT ')', " * 1 + "(')' || " * (DEEPEST + 1) + "1" + ")" * (DEEPEST + 1), "too_deep"),
        ("SELECT /* ) */ " + "( /* ) */ " * (DEEPEST + 1) + "1" + ")" * (DEEPEST + 1), "too_deep"),
        ("SELECT " + "( -- )\n" * (DEEPEST + 1) + "1" + ")" * (DEEPEST + 1), "too_deep"),
        ("SELECT " + '")"([{' * 11, "too_deep"),
        ("SELECT " + "NOT " * 4_000 + "true", "too_deep"),
        ("SELECT " + "CASE WHEN true THEN " * 900, "bad_sql"),
        ("SELECT " + "- " * 8_000 + "1", "bad_sql"),
        ("SELECT 1" + " + 1" * 4_000, "bad_sql"),
        ("SELECT 'a\0'", "bad_char"),
        ("SELECT 1; SELECT 2", "several_statements"),
        ("SELECT '\ud800'", "bad_char"),
    ],
)  # fmt: skip
def test_size_and_depth_come_first(text: str, code: str) -> None:
    """C13: size and brackets are counted before a parser is asked, also where strings or comments hide them."""
    with pytest.raises((LimitError, InputError)) as refused:
        check(text)
    assert refused.value.code in (code, "bad_sql" if code == "too_deep" and "NOT" in text else code)


def test_the_text_is_counted_before_any_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    """C13: neither parser sees a statement that is too long or too deep."""
    seen: list[str] = []
    monkeypatch.setattr(gate, "read_by_engine", seen.append)
    monkeypatch.setattr(gate, "check_select", seen.append)
    for text in ("SELECT '" + "x" * LONGEST + "'", "SELECT " + "(" * (DEEPEST + 1)):
        with pytest.raises(LimitError):
            check(text)
    assert seen == []
    assert depth("SELECT '((', \"((\", $$(($$, e'\\'((' /* (( */ -- ((\n, (1)") == 1
    assert depth("SELECT date'\\'(((, e'\\'((('") == 3


def test_a_part_nobody_listed_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """G14: the tree is looked through by a list of what may stand; a kind the engine grows later is refused."""
    kinds, tree = sandbox.read_by_engine("SELECT 1")
    assert kinds == ["SELECT"]
    for key, listed in (("class", EXPRESSIONS), ("type", PARTS)):
        grown = [{"node": json.loads(json.dumps(tree[0]["node"])) | {key: "LATER_NODE"}}]
        monkeypatch.setattr(gate, "read_by_engine", lambda sql, grown=grown: (["SELECT"], grown))
        with pytest.raises(InputError, match="LATER is not allowed"):
            check("SELECT 1")
        assert "LATER_NODE" not in listed


# -- the locked reader alone -----------------------------------------------------------------------------------------


@pytest.fixture
def reader(set_up: Trap) -> Iterator[Sandbox]:
    """The locked reader on the base."""
    made = Sandbox(set_up.base)
    yield made
    made.close()


def test_the_order_of_opening(set_up: Trap) -> None:
    """Reliability 2.3: every switch is off, limits reach a cursor, and nothing can be set afterwards."""
    connection = locked(set_up.base)
    cursor = connection.cursor()
    expected = {
        "enable_external_access": False, "autoinstall_known_extensions": False, "autoload_known_extensions": False,
        "allow_community_extensions": False, "allow_persistent_secrets": False, "python_enable_replacements": False,
        "disable_timestamptz_casts": True, "threads": 1, "temp_directory": "", "TimeZone": "UTC",
        "enable_progress_bar": False, "lock_configuration": True, "max_execution_time": 4000,
        "access_mode": "read_only",
    }  # fmt: skip
    told = {name: cursor.execute("SELECT current_setting($1)", [name]).fetchall()[0][0] for name in expected}
    assert told == expected
    for text in (
        "SET threads = 4",
        "SET GLOBAL max_execution_time = 0",
        "SET enable_external_access = true",
        "RESET threads",
    ):
        with pytest.raises(duckdb.Error):
            cursor.execute(text)
    connection.close()


WATCHING = """
    import sys
    from pathlib import Path

    import duckdb
    from hostile.listing import HARMLESS, SECRET, Trap, statements
    from claimbase.store.sandbox import locked

    trap = Trap(*map(Path, sys.argv[1:4]))
    secret_frame = claims_frame = [SECRET]
    engine = locked(trap.base)
    engine.execute("SELECT now()").fetchall()
    listed = statements()
    before = engine.cursor().execute("SELECT count(*), sum(hash(COLUMNS(*))) FROM cb.claim").fetchall()
    opened = []
    watched = ("open", "os.", "socket.", "subprocess.", "ctypes.")
    sys.addaudithook(lambda event, told: opened.append((event, told)) if event.startswith(watched) else None)
    ran = leaks = changed = 0
    for _, text in listed:
        cursor = engine.cursor()
        try:
            rows = cursor.execute(trap.filled(text)) and cursor.fetchall()
            ran += 1
            leaks += SECRET in repr(rows) or "root:" in repr(rows)
        except duckdb.Error:
            pass
        cursor.close()
        fresh = engine.cursor()
        changed += fresh.execute("SELECT count(*), sum(hash(COLUMNS(*))) FROM cb.claim").fetchall() != before
        changed += fresh.execute("SELECT lower('A'), current_setting('TimeZone')").fetchall() != [("a", "UTC")]
        fresh.close()
    print(ran, leaks, changed, len(opened))
    print(opened, file=sys.stderr)
"""


def test_the_locked_reader_alone_leaks_and_changes_nothing(set_up: Trap, monkeypatch: pytest.MonkeyPatch) -> None:
    """G14, wall 1 alone: without the gate no statement reads the canary, writes, opens, or moves the next cursor."""
    monkeypatch.setenv("CLAIMBASE_CANARY", SECRET)
    before = set_up.digests()
    done = kit.script(WATCHING, set_up.folder, set_up.base, set_up.canary)
    assert done.returncode == 0, done.stderr
    ran, leaks, changed, opened = map(int, done.stdout.split())
    print(
        f"locked reader alone: {len(HOSTILE)} statements, {ran} ran, {leaks} leaks, {changed} changes, {opened} opened"
    )
    assert (leaks, changed, opened) == (0, 0, 0), done.stderr
    assert set_up.digests() == before
    assert SECRET not in done.stdout + done.stderr
    assert "stray" not in done.stdout


def test_an_open_engine_leaks(set_up: Trap) -> None:
    """The list bites: on an engine as it comes, the same statements read the canary, also read-only."""
    engine = duckdb.connect(str(set_up.base), read_only=True, config={"autoinstall_known_extensions": "false"})
    leaks = 0
    for name, text in HOSTILE:
        if name not in ("reads a file", "a file name as a table", "SQL hidden in a string"):
            continue
        try:
            leaks += SECRET in repr(engine.cursor().execute(set_up.filled(text)).fetchall())
        except duckdb.Error:
            continue
    engine.close()
    print(f"an engine as it comes, read-only: {leaks} leaks")
    assert leaks >= 15


@pytest.mark.parametrize(
    ("text", "error", "code"),
    [
        ("SELECT nosuch FROM cb.claim", InputError, "bad_sql"),
        ("SELECT CAST('secret-value' AS INTEGER)", InputError, "bad_value"),
        ("SELECT * FROM cb.active_claims(observed_by := '2999-01-01')", InputError, "bad_value"),
        ("SELECT * FROM read_text('{canary}')", InputError, "not_allowed"),
        ("DELETE FROM cb.claim", InputError, None),
        ("SELECT list(a) FROM cb.claim a, cb.claim b, cb.claim c, cb.entry d, cb.entry e", LimitError, None),
    ],
)  # fmt: skip
def test_errors_hold_no_word_of_the_engine(
    set_up: Trap, reader: Sandbox, text: str, error: type[ClaimbaseError], code: str | None
) -> None:
    """C14: whatever the engine says, the error says what is the matter in words of ours, without path or value."""
    with pytest.raises(error) as refused:
        reader.read(set_up.filled(text), lambda row: True)
    assert code in (None, refused.value.code)
    told = json.dumps(refused.value.to_json())
    assert "secret-value" not in told
    assert str(set_up.folder) not in told
    assert "Error:" not in told


def test_a_cursor_leaves_nothing_behind(reader: Sandbox) -> None:
    """C3, C8: what one call sets up in its session is gone in the next."""
    reader.read("CREATE TEMP TABLE stray AS SELECT 1 AS x", lambda row: True)
    with pytest.raises(InputError):
        reader.read("SELECT * FROM stray", lambda row: True)


def test_only_the_store_imports_the_engine() -> None:
    """C1: the gate and the worker reach the engine through the store alone."""
    rooms = Path(sys.modules["claimbase"].__file__ or "").parent
    texts: dict[str, Any] = {
        str(file.relative_to(rooms)): file.read_text(encoding="utf-8") for file in rooms.rglob("*.py")
    }
    assert [name for name, text in texts.items() if "import duckdb" in text and not name.startswith("store")] == []
