"""The tool that runs a model's SQL: opt-in, fenced, limited, in a process that can be lost without harm."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import stat
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import kit
import pytest
from copies import copy_base
from hostile.listing import SECRET, UNGATED, Trap, statements, trap
from test_agents import PAYLOADS, claims, fenced, walk
from test_agents import held as held_base

import claimbase as cb
from claimbase.agents import TOOLS, Toolbox, call, sql_process, sql_tool
from claimbase.agents.schemas import SQL_TOOL
from claimbase.agents.sql_process import Worker
from claimbase.agents.sql_worker import ADDRESS_SPACE, BYTES, ROWS, cell
from claimbase.agents.untrusted import QUOTE_LIMIT, RESULT_LIMIT
from claimbase.errors import InputError, LimitError, StoreError
from claimbase.present import json_text
from claimbase.store.keeping import publish

DIGEST = "c6fbe9d01ca7046065d436e2f7ed38aff9bac61d06999f0f801b042d802d9d09"
"""Of the tool's schema; it changes only when somebody means to change what language models are told (M1)."""


@pytest.fixture(scope="module")
def set_up(tmp_path_factory: pytest.TempPathFactory) -> Trap:
    """A base and a canary."""
    return trap(tmp_path_factory.mktemp("tool"))


@pytest.fixture(scope="module")
def kb(set_up: Trap) -> Iterator[cb.Claimbase]:
    """A reader of the base."""
    with kit.opened(set_up.base, read_only=True) as opened:
        yield opened


@pytest.fixture(scope="module")
def tools(kb: cb.Claimbase) -> Iterator[Toolbox]:
    """The tools over it, with SQL."""
    with Toolbox(kb, sql=True) as made:
        yield made


def run(tools: Toolbox, sql: str) -> dict[str, Any]:
    """Run a statement; a worker that is still starting is asked again."""
    while True:
        result = tools.call("run_sql", {"sql": sql})
        if result.get("code") != "busy":
            return result


def rows(tools: Toolbox, sql: str) -> list[list[Any]]:
    """The rows of a statement that must run."""
    result = run(tools, sql)
    assert "error" not in result, result
    return list(result["source"]["rows"])


def patient(worker: Worker) -> Worker:
    """Wait for a worker to start."""
    worker.ready(time.monotonic() + 60)
    return worker


# -- what is offered -------------------------------------------------------------------------------------------------


def test_it_is_offered_only_where_asked_for(kb: cb.Claimbase) -> None:
    """M4: no SQL by default; the default list of tools is the same, and does not know the name."""
    plain = Toolbox(kb)
    assert plain.schemas == TOOLS
    assert "run_sql" not in {tool["name"] for tool in TOOLS}
    for refused in (plain.call("run_sql", {"sql": "SELECT 1"}), call(kb, "run_sql", {"sql": "SELECT 1"})):
        assert refused["code"] == "unknown_tool"


def test_its_schema_is_strict_and_pinned(tools: Toolbox) -> None:
    """M1: one argument, in the strict subset, the same bytes for every base; the other tools answer as ever."""
    assert tools.schemas == [*TOOLS, SQL_TOOL]
    assert list(walk(SQL_TOOL["parameters"])) == []
    assert hashlib.sha256(json.dumps(SQL_TOOL).encode()).hexdigest() == DIGEST
    assert tools.call("describe", {})["totals"]["claims"] == 29
    for arguments, code in (
        ({}, "bad_argument"),
        ({"sql": 1}, "bad_argument"),
        ({"sql": "", "path": "x"}, "extra_field"),
    ):
        assert tools.call("run_sql", arguments)["code"] == code


# -- both walls ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_every_hostile_statement_is_refused(tools: Toolbox, set_up: Trap, monkeypatch: pytest.MonkeyPatch) -> None:
    """G14: through the tool none runs; the worker stays the same, opens nothing, and no byte of the folder changes."""
    monkeypatch.setenv("CLAIMBASE_CANARY", SECRET)
    before, pid, told = set_up.digests(), worker_of(tools).pid, []
    files = descriptors(pid)
    for _, text in statements():
        result = run(tools, set_up.filled(text))
        told.append(result)
        assert "error" in result, text
        json.loads(json_text(result))
    assert SECRET not in json.dumps([one["message"] + one["hint"] for one in told])
    assert {one["code"] for one in told}.isdisjoint({"engine", "worker_lost", "timed_out", "out_of_memory"})
    assert worker_of(tools).pid == pid
    assert descriptors(pid) == files
    assert set_up.digests() == before
    print(f"through the tool: {len(told)} statements, 0 ran, 0 leaks, 0 writes, 0 stray bytes")


def descriptors(pid: int) -> list[Path]:
    """What a process has open."""
    return sorted(one.readlink() for one in Path(f"/proc/{pid}/fd").iterdir())


def worker_of(tools: Toolbox) -> Worker:
    """The worker that is asked next."""
    assert tools._sql is not None
    worker = tools._sql._free.queue[-1]._worker
    assert worker is not None
    return patient(worker)


INSIDE = """
import os, socket, sys
import claimbase.agents.sql_worker as w
from claimbase.errors import InputError
def check(sql):
    failed = []
    for one in (lambda: open("/etc/passwd"), lambda: socket.socket(), lambda: os.open("/dev/null", os.O_WRONLY)):
        try: one()
        except OSError: failed.append(1)
    os.write(1, b'stray{"columns": []}\\n')
    print("stray")
    raise InputError(f"{len(failed)} of 3; {sorted(os.environ)}; {os.getcwd()}", code="told")
w.check = lambda sql: None if "warm" not in dir(w) else check(sql)
w._limit_time_ = w._limit_time
def limit(): w.warm = 1; w._limit_time_()
w._limit_time = limit
w.main()
"""


def test_inside_the_worker_nothing_opens_and_nothing_strays(set_up: Trap, monkeypatch: pytest.MonkeyPatch) -> None:
    """G14, C15: any code in the worker opens no file and no socket, prints nowhere, knows no variable of ours."""
    monkeypatch.setenv("CLAIMBASE_CANARY", SECRET)
    monkeypatch.setattr(sql_process, "COMMAND", ("-P", "-c", INSIDE))
    worker = patient(Worker(set_up.base))
    with pytest.raises(InputError) as told:
        worker.ask("SELECT 1")
    limits = Path(f"/proc/{worker.pid}/limits").read_text(encoding="ascii")
    worker.close()
    assert told.value.code == "told"
    assert told.value.message.startswith("3 of 3; ['LC_CTYPE', 'MALLOC_ARENA_MAX', 'PYTHONPATH'") or (
        told.value.message.startswith("3 of 3; ['MALLOC_ARENA_MAX', 'PYTHONPATH'")
    )
    assert told.value.message.endswith("]; /")
    found = {line[:25].strip(): line.split()[-3] for line in limits.splitlines()}
    assert found["Max address space"] == str(ADDRESS_SPACE)
    assert (found["Max open files"], found["Max file size"], found["Max core file size"]) == ("0", "0", "0")


# -- answers ---------------------------------------------------------------------------------------------------------


def test_an_answer_is_fenced_and_says_what_it_saw(tools: Toolbox) -> None:
    """M2, A6: what rows hold is inside an untrusted object; outside are counts, the batch, and what SQL sees."""
    result = run(tools, "SELECT quote, value_min FROM cb.active_claims('2026-03-05') ORDER BY ALL LIMIT 2")
    assert set(result) == {"basis", "row_count", "truncated", "source", "cut"}
    assert result["source"] == {
        "untrusted": True, "columns": ["quote", "value_min"],
        "rows": [["It costs $1. «1»", "1"], ["It costs $10. «10»", "10"]],
    }  # fmt: skip
    assert (result["row_count"], result["truncated"], result["cut"]) == (2, False, {})
    assert result["basis"]["batch"] == 2
    assert result["basis"]["recorded_at"].startswith("2026-11-29T12:00:00")
    assert "every version" in result["basis"]["note"]
    assert "cb.active_claims" in result["basis"]["note"]


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_payload_stays_in_its_fence(payload: str) -> None:
    """M2, M6: hostile words of a source, also as a column's name, are one line of JSON inside the untrusted object."""
    answer = sql_process.Answer(
        {"batch": 1, "recorded_at": None}, (payload,), [[payload, [payload], {payload: payload}]], False
    )
    result = sql_tool.shaped(answer)
    written = json_text(result, indent=None)
    assert (json.loads(written), len(written.splitlines())) == (result, 1)
    assert json.dumps(payload)[1:-1] not in json.dumps(fenced(result))


VALUES = [
    ("'infinity'::TIMESTAMPTZ", None), ("'-infinity'::TIMESTAMPTZ", None), ("'infinity'::TIMESTAMP", None),
    ("'infinity'::DATE", None), ("'nan'::DOUBLE", None), ("'inf'::DOUBLE", None), ("'-inf'::FLOAT", None),
    ("TIMESTAMPTZ '2026-03-01 12:00:00+02:00'", "2026-03-01T10:00:00Z"), ("DATE '2026-03-01'", "2026-03-01"),
    ("TIMESTAMP '2026-03-01 12:00:00'", "2026-03-01T12:00:00"),
    ("1.50::DECIMAL(5, 2)", "1.5"), ("0::DECIMAL(5, 2)", "0"),
    ("1e2::DECIMAL(5, 0)", "100"),
    ("12345678901234567890.123456789012::DECIMAL(38, 12)", "12345678901234567890.123456789012"),
    ("9007199254740992", 9007199254740992), ("9007199254740993", "9007199254740993"),
    ("1.5::DOUBLE", 1.5), ("NULL", None),
    ("true", True), ("[1, NULL]", [1, None]), ("{'a': 'infinity'::DATE}", {"a": None}), ("'ab'::BLOB", "6162"),
    ("TIME '01:02:03'", "01:02:03"), ("'\U000e0041'", "\U000e0041"),
    ("[TIMESTAMPTZ '2026-03-01 00:00Z']", ["2026-03-01T00:00:00Z"]), ("INTERVAL 3 DAY", "3 days, 0:00:00"),
]  # fmt: skip


def test_values_are_what_json_carries(tools: Toolbox) -> None:
    """B2, C10: instants are ISO text, decimals text, large whole numbers text, and no end of time is ever told."""
    (row,) = rows(tools, f"SELECT {', '.join(text for text, _ in VALUES)}")
    assert row == [value for _, value in VALUES]
    assert cell(datetime.max) is None  # noqa: DTZ901 - how infinity arrives
    assert cell(Decimal("1E+3")) == "1000"


COUNTING = "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < {}) SELECT {} FROM r"
LONG = "(SELECT string_agg(a.claim_no, 'x') FROM cb.claim AS a, cb.claim AS b) AS t"


@pytest.mark.parametrize(
    ("number", "columns", "row_count", "truncated"),
    [(1_000, "n", ROWS, False), (1_001, "n", ROWS, True), (3, LONG, 3, False), (30, LONG, 15, True)],
)
def test_rows_and_texts_are_limited(tools: Toolbox, number: int, columns: str, row_count: int, truncated: bool) -> None:
    """G15, M3: 1,000 rows and 256 kB leave the worker, of each text 500 characters reach the model."""
    result = run(tools, COUNTING.format(number, columns))
    assert (result["row_count"], result["truncated"]) == (len(result["source"]["rows"]), truncated)
    assert abs(result["row_count"] - row_count) <= (columns == LONG and truncated)
    assert all(len(str(row[0])) <= QUOTE_LIMIT for row in result["source"]["rows"])
    assert (result["cut"].get("characters", 0) > 10_000) == (columns == LONG)
    assert BYTES == 256_000


def test_a_result_is_small_enough_for_a_model(tools: Toolbox) -> None:
    """M3: at most 64 kB reach the model; the rows left out are counted."""
    wide = run(tools, COUNTING.format(900, "n, 'y' AS y, 'é' AS e, md5(n::VARCHAR), sha256(n::VARCHAR)"))
    assert wide["truncated"]
    assert wide["row_count"] + wide["cut"]["rows"] == 900
    assert RESULT_LIMIT - 2_000 < len(json_text(wide, indent=None).encode()) <= RESULT_LIMIT


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("SELECT ! FROM cb.claim", 9),
        ("SELECT ! FROM cb.claim", 6_000),
        ("WITH t AS (SELECT 1 AS ?) SELECT ! FROM t", 199),
    ],
)
def test_too_many_or_too_long_columns_are_refused(tools: Toolbox, text: str, number: int) -> None:
    """M3, G15: the columns, too, have a limit; the next statement is answered."""
    whole = text.replace("!", ", ".join(["*"] * number)).replace("?", "x" * 10_000)
    assert run(tools, whole)["code"] in (("too_large",) if number < 1_000 else ("too_large", "timed_out"))
    assert rows(tools, "SELECT 1 AS one") == [[1]]


def test_a_misspelt_column_is_answered_with_the_right_ones(tools: Toolbox) -> None:
    """C14: the error names the columns there are, nothing the engine said."""
    refused = run(tools, "SELECT nosuch FROM cb.batch JOIN cb.active_claims() AS a ON true")
    assert (refused["code"], refused["message"]) == ("bad_sql", "a name, a type or an argument does not fit")
    assert "cb.batch has batch_id, recorded_at, verb" in refused["hint"]
    assert "cb.active_claims has provider, subject, predicate" in refused["hint"]


def test_refusals_tell_what_is_allowed(tools: Toolbox) -> None:
    """C14, M7: a refused table or function is answered with the list of those there are."""
    table, function = run(tools, "SELECT * FROM claims"), run(tools, "SELECT sleep_ms(1)")
    assert "cb.active_claims()" in table["hint"]
    assert "cb.batch" in table["hint"]
    assert "string_agg" in function["hint"]
    assert "cb.claim_id" in function["hint"]


# -- the process -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_statement_past_its_wall_is_killed(set_up: Trap, monkeypatch: pytest.MonkeyPatch) -> None:
    """G15: the worker is killed at its wall, whatever it does; the program lives on, and the next one answers."""
    monkeypatch.setattr(sql_process, "COMMAND", UNGATED)
    worker = patient(Worker(set_up.base))
    monkeypatch.setattr(sql_process, "WALL_SECONDS", 0.3)
    pid, begun = worker.pid, time.monotonic()
    with pytest.raises(LimitError) as late:
        worker.ask("SELECT sleep_ms(60000)")
    assert late.value.code == "timed_out"
    assert time.monotonic() - begun < 3
    assert not Path(f"/proc/{pid}").exists()
    monkeypatch.undo()
    assert patient(worker).ask("SELECT 1 AS one").rows == [[1]]
    worker.close()


def test_a_worker_that_dies_is_replaced(tools: Toolbox) -> None:
    """G15: lost between calls it starts anew; lost in a call the call says so; the next one answers."""
    first = worker_of(tools)
    os.kill(first.pid, signal.SIGKILL)
    first._process.wait()
    assert rows(tools, "SELECT 1 AS one") == [[1]]
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(tools.call, "run_sql", {"sql": SLOW})
        while not asked.done():
            time.sleep(0.2)
            for place in tools._sql._places if tools._sql else ():
                if place not in tools._sql._free.queue and place._worker is not None:
                    os.kill(place._worker.pid, signal.SIGKILL)
        assert asked.result()["code"] == "worker_lost"
    assert rows(tools, "SELECT 2 AS two") == [[2]]


SLOW = "SELECT count(*) FROM cb.claim a, cb.claim b, cb.claim c, cb.claim d, cb.claim e, cb.claim f, cb.claim g"


def test_two_at_a_time(tools: Toolbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """M3: two statements run at once, the third waits no longer than its wall; each thread gets its own answer (C3)."""
    with ThreadPoolExecutor(6) as pool:
        asked = {n: pool.submit(rows, tools, f"SELECT {n} + 29") for n in range(24)}
        assert {n: one.result() for n, one in asked.items()} == {n: [[n + 29]] for n in range(24)}
    assert tools._sql is not None
    taken = [tools._sql._free.get() for _ in range(sql_tool.AT_ONCE)]
    monkeypatch.setattr(sql_tool, "WALL_SECONDS", 0.05)
    assert tools.call("run_sql", {"sql": "SELECT 1"})["code"] == "busy"
    for place in taken:
        tools._sql._free.put(place)


ENDING = """
    import os, sys, signal
    from pathlib import Path
    import kit
    from claimbase.agents import Toolbox
    kb = kit.opened(Path(sys.argv[1]), **({"read_only": True} if sys.argv[2] == "reader" else {}))
    tools = Toolbox(kb, sql=True)
    print([place._worker.pid for place in tools._sql._places if place._worker], tools._sql._private, flush=True)
    if sys.argv[3] == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize(
    ("who", "how"),
    [("writer", "killed"), *(pytest.param("reader", how, marks=pytest.mark.slow) for how in ("ends", "killed"))],
)
def test_no_worker_outlives_its_program(set_up: Trap, tmp_path: Path, who: str, how: str) -> None:
    """G15: workers end with the program, also with one that is killed; the private copy of a writer's base goes too."""
    done = kit.script(ENDING, copy_base(set_up.base, tmp_path / "a.duckdb"), who, how)
    told, _, private = done.stdout.strip().rpartition(" ")
    pids = json.loads(told)
    deadline = time.monotonic() + 20
    while any(alive(pid) for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert len(pids) == 1
    assert not any(alive(pid) for pid in pids)
    assert (private == "None") is (who == "reader")
    assert not Path(private).exists()


FORKING = """
    import os, sys
    import kit
    from claimbase.agents import Toolbox
    tools = Toolbox(kit.base(), sql=True)
    if os.fork() == 0:
        print(tools.call("run_sql", {"sql": "SELECT 1"})["code"], flush=True)
        sys.exit()
    os.wait()
    print(tools.call("run_sql", {"sql": "SELECT 1"}).get("row_count", "lost"))
"""


@pytest.mark.slow
def test_a_forked_child_neither_uses_nor_ends_the_workers() -> None:
    """C2: a child is refused, and when it ends the parent's worker and its private copy are still there."""
    done = kit.script(FORKING)
    assert done.stdout.split() == ["forked", "1"], done.stderr


def alive(pid: int) -> bool:
    """Say whether a process runs; one that only waits to be fetched does not."""
    try:
        return " Z " not in Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
    except OSError:
        return False


# -- which state is read ---------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_base_in_memory_is_read_from_a_private_copy() -> None:
    """C8, M4: a writer runs no SQL of others; its copy is private, follows each write, and is gone afterwards."""
    with held_base(claims(subjects=2)) as made:
        tools = Toolbox(made, sql=True)
        assert tools._sql is not None
        folder = tools._sql._private
        assert folder is not None
        count = "SELECT count(DISTINCT claim_no) FROM cb.claim"
        (before,) = rows(tools, count)
        assert before == [len(made.claims())]
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert {stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()} == {0o600}
        made.add(kit.claim(subject="Wren 1", predicate="input_price", observed_at="2026-05-01"))
        (after,) = rows(tools, count)
        assert after == [before[0] + 1]
        assert run(tools, "SELECT 1")["basis"]["batch"] == made.basis().batch
        tools.close()
        assert not folder.exists()
        assert len(made.claims()) == after[0]


@pytest.mark.slow
def test_a_snapshot_that_takes_its_place_is_followed(tmp_path: Path) -> None:
    """G9: the file is looked at before each call; a new one in its place is what the next statement reads."""
    target = tmp_path / "reader.duckdb"
    writer = kit.base(kit.Ticking())
    writer.add(kit.claim(subject="Lark 1"))
    publish(writer.db, target)
    with kit.opened(target, read_only=True) as reader, Toolbox(reader, sql=True) as tools:
        assert rows(tools, "SELECT count(*) FROM cb.claim") == [[1]]
        writer.add(kit.claim())
        publish(writer.db, target)
        assert rows(tools, "SELECT count(*) FROM cb.claim") == [[2]]


def test_a_closed_base_answers_with_a_typed_error(set_up: Trap) -> None:
    """C14: what goes wrong in the store says nothing of the machine."""
    kb = kit.opened(set_up.base, read_only=True)
    with Toolbox(kb, sql=True) as tools:
        kb.close()
        refused = tools.call("run_sql", {"sql": "SELECT 1"})
    assert (refused["error"], refused["code"], refused["message"]) == (
        "StoreError",
        "closed",
        "the base could not do it",
    )


@pytest.mark.slow
def test_a_file_that_cannot_be_opened_is_a_typed_error(tmp_path: Path) -> None:
    """C14: a worker that cannot start says so at once."""
    broken = tmp_path / "broken.duckdb"
    broken.write_bytes(b"x" * 20_000)
    worker = Worker(broken)
    with pytest.raises(StoreError) as refused:
        worker.ready(time.monotonic() + 60)
    worker.close()
    assert refused.value.code == "no_worker"
    assert "broken" not in str(refused.value)


WORDS = "an unusual word: quixotism"


def holding(folder: Path) -> list[Path]:
    """List the files of a folder that hold the words."""
    return [file for file in folder.iterdir() if WORDS.encode() in file.read_bytes()]


@pytest.mark.parametrize("in_memory", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_the_private_copy_does_not_outlive_an_erasure(tmp_path: Path, in_memory: bool) -> None:
    """Semantics 4 (erase), G14: once erase returns, no file of the tool holds the words, no process read them."""
    kb = kit.base() if in_memory else kit.opened(tmp_path / "some.duckdb")
    kb.add([kit.claim(quote=WORDS), kit.claim("$4", subject="Wren")])
    claim_id = kb.claims("Lark 2")[0]["claim_id"]
    held = "SELECT count(*) FROM cb.quote WHERE contains(quote, 'quixotism')"
    with kb:
        with Toolbox(kb, sql=True) as tools:
            private = tools._sql._private
            assert run(tools, held)["source"]["rows"] == [[1]]
            assert holding(private) != []
            (worker,) = [place._worker for place in tools._sql._places if place._worker]
            with ThreadPoolExecutor() as other:
                running = [other.submit(run, tools, "SELECT count(*) FROM cb.claim") for _ in range(4)]
                kb.erase(claim_id, reason="asked for by its publisher")
                assert holding(private) == []
                assert worker._process.poll() is not None
                assert {one.result()["row_count"] for one in running} == {1}
            assert run(tools, held)["source"]["rows"] == [[0]]
            assert holding(private) == []
        assert not private.exists()
        kb.erase(kb.claims("Wren")[0]["claim_id"], reason="nobody keeps a copy any more")


@pytest.mark.slow
def test_a_snapshot_published_after_an_erasure_is_free_of_it(tmp_path: Path) -> None:
    """Semantics 4 (erase), G9: publishing puts a snapshot without the words in the place of the one that held them."""
    kb, target = kit.base(), tmp_path / "published.duckdb"
    kb.add([kit.claim(quote=WORDS), kit.claim("$4", subject="Wren")])
    publish(kb.db, target)
    assert WORDS.encode() in target.read_bytes()
    report = kb.erase(kb.claims("Lark 2")[0]["claim_id"], reason="asked for by its publisher")
    assert "copies and backups made before still hold it" in str(report)
    assert WORDS.encode() in target.read_bytes()
    publish(kb.db, target)
    assert WORDS.encode() not in target.read_bytes()
    assert list(tmp_path.glob("*")) == [target]
