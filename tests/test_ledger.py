"""The ledger: whatever is changed behind it is found; whatever is done through it keeps it whole."""

from __future__ import annotations

import json
import os
import random
from base64 import b64encode
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from kit import base, drop_guards

import claimbase as cb
from claimbase.cli import main
from claimbase.errors import HeadMissingWarning, InputError, StoreError
from claimbase.store import read_checkpoint, unguarded, write
from claimbase.store.db import statement

SEED = int(os.environ.get("CLAIMBASE_SEED", "20261130"))
PAGE = "Lark 2 reads up to 262,144 tokens per request. It costs $0.40 per million input tokens.\n"
URL = "https://lark.example/docs"


class Ticking:
    """A clock that goes on by a minute each time it is asked."""

    def __init__(self) -> None:
        self.moment = datetime(2026, 6, 1, tzinfo=UTC)

    def now(self) -> datetime:
        """The next minute."""
        self.moment += timedelta(minutes=1)
        return self.moment


def claim(value: str = "262,144 tokens", quote: str = "reads up to 262,144 tokens", **more: Any) -> dict[str, Any]:
    """A claim on a context window."""
    return {
        "provider": "Lark", "subject": "Lark 2", "predicate": "context_window", "value": value, "quote": quote,
        "observed_at": "2026-03-01T00:00:00Z", "source": {"url": URL, "title": "Docs", "publisher": "Lark"},
    } | more  # fmt: skip


def busy(kb: cb.Claimbase) -> None:
    """Use every verb once or more, so that every table has rows."""
    price = {"predicate": "input_price", "value": "$0.40", "unit": "usd_per_mtok", "scope": {"mode": "batch"}}
    snapshot = kb.sources.ingest(PAGE, uri=URL, observed_at="2026-03-01T00:00:00Z").snapshot_id
    kb.add([claim(), claim(**price | {"quote": "costs $0.40 per million input tokens"})], snapshot=str(snapshot))
    kb.add([claim("1M", "1M", subject="Wren"), claim("2M", "2M", subject="Crow"), claim("3M", "3M", subject="Gull")])
    ids = {(row["subject"], row["predicate"]): row["claim_id"] for row in kb.claims()}
    kb.observe(ids["Wren", "context_window"], "confirmed", observed_at="2026-04-01")
    kb.observe(ids["Wren", "context_window"], "changed", observed_at="2026-05-01")
    kb.supersede(
        ids["Crow", "context_window"], {"value": "4M", "quote": "4M", "observed_at": "2026-05-01"}, at="2026-04-15"
    )
    kb.correct(ids["Lark 2", "input_price"], {"value": "$0.41", "quote": "$0.41"}, reason="typo")
    kb.retract(ids["Gull", "context_window"], reason="withdrawn")
    kb.add(claim("5M", "5M", subject="Wren (new)", source={"url": "https://other.example/"}))
    kb.merge("Wren (new)", "Wren", reason="the same")
    kb.retract("https://other.example/", reason="closed")
    kb.watch("wide", "context_window >= 128K")
    kb.run_watches()
    kb.sources.set(URL, freshness_days=10, doi="10.1000/xyz")
    one = ids["Lark 2", "context_window"]
    more = kb.evidence.add(one, str(snapshot), "Lark 2 reads up to 262,144 tokens per request.")
    kb.evidence.retire(more.evidence_id, reason="double")
    kb.decide_review(kb.reviews()[0]["task_id"], "escalate", reviewer="Ada", note="look")
    kb.verify([one])
    with write(kb.db, "test") as under_way:
        at = {"at": under_way.recorded_at}
        run = under_way.transaction.run
        run("INSERT INTO cb.source_mode SELECT source_id, false, false, false, $at FROM cb.source LIMIT 1", at)
        run("INSERT INTO cb.claim_check SELECT claim_no, NULL, 'x', 'passed', 'd', $at FROM cb.statement LIMIT 1", at)
        run(
            "INSERT INTO cb.support_check SELECT claim_no, 'e_1', 'values', 'supported', 'human', 'Ada', 's', 'k', "
            "NULL, 'n', $at FROM cb.statement LIMIT 1", at,
        )  # fmt: skip
        run(
            "INSERT INTO cb.retraction_notice VALUES ('10.1/x', 'retracted', NULL, NULL, 'p', NULL, NULL, $at, $at)",
            at,
        )
    kb.add(claim("9M", "9M", subject="Rook"))
    (rook,) = [row["claim_id"] for row in kb.claims(subject="Rook")]
    kb.erase(rook, reason="law")


@pytest.fixture(scope="module")
def kb() -> Iterator[cb.Claimbase]:
    """A base in which everything was done."""
    with cb.open(clock=Ticking()) as base:
        busy(base)
        drop_guards(base.db)
        yield base


def broken(run: Any) -> list[Any]:
    """What verification finds, inside a transaction too."""
    return [row for part in ("ledger/broken", "ledger/unproved") for row in run(statement(part), {"most": 10}).rows]


def columns(kb: cb.Claimbase) -> dict[str, list[tuple[str, str]]]:
    """Every column of every table, with its type."""
    found: dict[str, list[tuple[str, str]]] = {}
    rows = kb.db.query(
        "SELECT table_name, column_name, data_type FROM duckdb_columns() "
        "JOIN duckdb_tables() USING (schema_name, table_name) WHERE schema_name = 'cb' ORDER BY ALL"
    )
    for table, column, kind in rows:
        found.setdefault(table, []).append((column, kind))
    return found


def other(kind: str) -> str:
    """An expression that is another value of a type than the column's own, {0}."""
    if kind in ("VARCHAR", "JSON"):
        return "coalesce({0}, '') || 'x'"
    if kind == "BOOLEAN":
        return "NOT coalesce({0}, false)"
    if kind.startswith(("TIMESTAMP", "DATE")):
        return (
            f"coalesce({{0}} + INTERVAL 1 DAY, '2020-01-01')::{kind.replace('TIMESTAMP WITH TIME ZONE', 'TIMESTAMPTZ')}"
        )
    if kind.startswith("STRUCT"):
        return "{0}[2:]"
    if kind.endswith("[]"):
        return (
            f"list_append(coalesce({{0}}, []), {'1' if 'INT' in kind or 'DOUBLE' in kind else chr(39) + 'x' + chr(39)})"
        )
    return f"(coalesce({{0}}, 0) + 1)::{kind}"


class UndoneError(Exception):
    """Takes a change back."""


def found_out(kb: cb.Claimbase, change: str) -> bool:
    """Make a change behind the ledger, look, and take it back."""
    found = False
    try:
        with kb.db.atomic() as transaction:
            transaction.run(change)
            found = bool(broken(transaction.run))
            raise UndoneError
    except UndoneError:
        return found
    except StoreError as refused:  # the table's own rules do not even let it in
        return "Constraint Error" in str(refused)


def test_every_table_has_rows(kb: cb.Claimbase) -> None:
    """G6: the base these tests tamper with uses every table; a new table must be given rows, and a leaf, first."""
    empty = [table for table in columns(kb) if not kb.db.query(f'SELECT 1 FROM cb."{table}" LIMIT 1').rows]  # noqa: S608
    assert empty == []


def test_what_is_done_through_the_base_keeps_the_ledger_whole(kb: cb.Claimbase) -> None:
    """G6: after every verb, a merge, a correction, an erasure and a receipt nothing is found."""
    found = kb.verify_ledger()
    assert {one.part for one in found.findings} == {"schema"}  # the guards, which these tests drop
    assert found.versions > 5


@pytest.mark.parametrize("table", sorted(columns(base())))
@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_change_of_any_column_is_found(kb: cb.Claimbase, table: str, every: bool, rng: random.Random) -> None:
    """G6: the first row's value is changed in a drawn column of each table, and in each in turn; all are found."""
    missed, all_ = [], columns(kb)[table]
    for column, kind in all_ if every else rng.sample(all_, 1):
        changed = other(kind).format(f'"{column}"')
        place = f'rowid = (SELECT min(rowid) FROM cb."{table}")'  # noqa: S608
        if not found_out(kb, f'UPDATE cb."{table}" SET "{column}" = {changed} WHERE {place}'):  # noqa: S608
            missed.append(column)
    assert missed == []


def tampering(kb: cb.Claimbase, random_: random.Random) -> str:
    """One random change behind the ledger: a value, a row less, a row more, two rows' values changed for each other."""
    tables = columns(kb)
    table = random_.choice(sorted(tables))
    rows = [row[0] for row in kb.db.query(f'SELECT rowid FROM cb."{table}" ORDER BY rowid')]  # noqa: S608
    row, (column, kind) = random_.choice(rows), random_.choice(tables[table])
    changed = other(kind).format(f'"{column}"')
    whole = f'cb."{table}" SELECT * REPLACE ({changed} AS "{column}") FROM cb."{table}"'  # noqa: S608
    return random_.choice([
        f'UPDATE cb."{table}" SET "{column}" = if("{column}" IS NULL, {changed}, NULL) WHERE rowid = {row}',  # noqa: S608
        f'UPDATE cb."{table}" SET "{column}" = {changed} WHERE rowid = {row}',  # noqa: S608
        f'DELETE FROM cb."{table}" WHERE rowid = {row}',  # noqa: S608
        f"INSERT INTO {whole} WHERE rowid = {row}",
    ])  # fmt: skip


def tampered(kb: cb.Claimbase, number: int) -> list[str]:
    """Make random changes, one at a time, and give those that were not found; the newest batch may go (G7)."""
    random_, missed, last = random.Random(SEED), [], kb.checkpoint()["batch_id"]
    for _ in range(number):
        change = tampering(kb, random_)
        if found_out(kb, change):
            continue
        gone = f"SELECT max(batch_id) < {last} FROM cb.batch"  # noqa: S608
        if change.startswith('DELETE FROM cb."batch"') and only_tail(kb, change, gone):
            continue
        missed.append(change)
    return missed


def only_tail(kb: cb.Claimbase, change: str, gone: str) -> bool:
    """Whether a change took the newest batch alone, which only a checkpoint can show (G7)."""
    tail = False
    try:
        with kb.db.atomic() as transaction:
            transaction.run(change)
            tail = bool(transaction.run(gone).rows[0][0])
            raise UndoneError
    except UndoneError:
        return tail


@pytest.mark.slow
def test_random_changes_are_found(kb: cb.Claimbase) -> None:
    """G6: edits, removals and insertions of random rows are found, all of them."""
    assert tampered(kb, 60) == []


@pytest.mark.slow
def test_a_thousand_random_changes_are_found(kb: cb.Claimbase) -> None:
    """G6: 1,000 of 1,000."""
    assert tampered(kb, 1_000) == []


MOVES = {
    "a retraction cleared": "UPDATE cb.claim SET retracted_at = NULL WHERE retracted_at IS NOT NULL",
    "a retraction moved": "UPDATE cb.claim SET retracted_at = retracted_at + INTERVAL 1 SECOND",
    "a version ended": "UPDATE cb.claim SET retracted_at = now() WHERE retracted_at IS NULL",
    "a text emptied": "UPDATE cb.snapshot SET text = ''",
    "two quotes swapped": "UPDATE cb.quote SET quote = if(quote = '1M', '2M', '1M') WHERE quote IN ('1M', '2M')",
    "a text taken out": "UPDATE cb.snapshot SET text = NULL",
    "a receipt taken out": "UPDATE cb.receipt SET canonical = NULL",
    "the verb renamed": "UPDATE cb.batch SET verb = 'add' WHERE verb = 'erase'",
    "a batch dropped with its rows": "DELETE FROM cb.batch WHERE batch_id = 3",
    "a receipt turned": "UPDATE cb.receipt SET canonical = replace(canonical, 'claims', 'answer')",
    "a migration renamed": "UPDATE cb.migration SET name = 'other' WHERE number = 1",
}


@pytest.mark.parametrize("name", MOVES)
def test_a_cunning_change_is_found(kb: cb.Claimbase, name: str) -> None:
    """G6: clearing or moving a retraction, swapping values, dropping batches and turning receipts show."""
    assert found_out(kb, MOVES[name])


@pytest.mark.slow
def test_a_lost_tail_shows_against_a_checkpoint(tmp_path: Path) -> None:
    """G7: an older copy put back is whole in itself; the checkpoint kept outside says that its tail is lost."""
    import shutil

    path, older = tmp_path / "x.duckdb", tmp_path / "older.duckdb"
    with cb.open(path) as base:
        base.add(claim())
    shutil.copy(path, older)
    with cb.open(path) as base:
        base.add(claim("1M", "1M", subject="Wren"))
        seen = base.checkpoint()
        assert base.verify_ledger(json.dumps(seen)).ok
    with pytest.warns(HeadMissingWarning):
        base = cb.open(older)
    with base:
        assert base.verify_ledger().ok
        lost = base.verify_ledger(json.dumps(seen))
        assert "tail is lost" in lost.words
        base.add(claim("2M", "2M", subject="Wren"))
        other_history = base.verify_ledger(f"{seen['batch_id']}:{seen['root']}")
    assert "another history" in other_history.words


def test_a_dropped_guard_is_found() -> None:
    """G5, G6: what guards the tables is part of what is verified."""
    with cb.open(clock=Ticking()) as base:
        base.add(claim())
        assert base.verify_ledger().words.startswith("the ledger holds")
        drop_guards(base.db)
        found = base.verify_ledger()
    assert ("claim, guard kept", "it is missing") in [(one.detail, one.what) for one in found.findings]


def test_a_macro_replaced_in_the_base_is_found() -> None:
    """G6: what is verified is read through macros stored in the base; one that is not the package's is told."""
    with cb.open(clock=Ticking()) as base:
        base.add(claim())
        with base.db.atomic() as transaction:
            transaction.run("CREATE OR REPLACE MACRO cb.root(a, b, c, d, e, f, g, h, i) AS 'x'")
        found = base.verify_ledger()
    assert ("macro", "root") in [(one.part, one.detail) for one in found.findings]


@pytest.mark.parametrize("text", ["", "41", "x:y", "1:abc", '{"batch_id": 1}', "-1:" + "0" * 64, "{"])
def test_a_checkpoint_that_is_none_is_refused(text: str) -> None:
    """Bad input: what is no checkpoint is refused by name."""
    with pytest.raises(InputError) as caught:
        read_checkpoint(text)
    assert caught.value.code == "bad_checkpoint"


@pytest.mark.slow
def test_the_commands_say_it_and_exit_with_it(tmp_path: Path) -> None:
    """P10: `ledger verify` exits 0 on a whole ledger, 1 on a broken one; `ledger checkpoint` prints batch and root."""
    path, run = tmp_path / "x.duckdb", CliRunner().invoke
    with cb.open(path) as base:
        base.add([claim(), claim("1M", "1M", subject="Wren")])
    point = run(main, ["ledger", "checkpoint", str(path), "--json"])
    (tmp_path / "point.json").write_text(point.stdout)
    whole = run(main, ["ledger", "verify", str(path), "--checkpoint", str(tmp_path / "point.json")])
    assert (whole.exit_code, "holds" in whole.stdout) == (0, True)
    with cb.open(path) as base, base.db.atomic() as transaction, unguarded(transaction):
        transaction.run("DROP TRIGGER unchanged ON cb.quote")
        transaction.run("UPDATE cb.quote SET quote = 'another' WHERE quote = '1M'")
    told = run(main, ["ledger", "verify", str(path), "--json"])
    assert told.exit_code == 1
    assert json.loads(told.stdout)["findings"][0]["part"] == "batch"


@pytest.mark.slow
def test_every_digest_is_in_the_text_a_root_is_made_of() -> None:
    """G6: bundled in plain Python, the digests of each instant give the same text, whichever lot they came in."""
    with cb.open() as kb:
        kb.add([claim(f"{n} tokens", f"{n} tokens", subject=f"Bird {n}") for n in range(1, 120)])
        kb.add(claim("5 tokens", "5 tokens", subject="Owl"))
        written: dict[datetime, dict[str, list[str]]] = {}
        for moment, digest in kb.db.query("SELECT recorded_at, digest FROM cb.leaf()"):
            parts = written.setdefault(moment, {})
            parts.setdefault(digest[:2], []).append(b64encode(bytes.fromhex(digest)).decode())
        wanted = {
            moment: "".join(sha256("".join(sorted(parts[begins])).encode()).hexdigest() for begins in sorted(parts))
            for moment, parts in written.items()
        }
        assert dict(kb.db.query("SELECT recorded_at, leaves FROM cb.bundled()").rows) == wanted
        for moment, leaves in wanted.items():
            one = kb.db.query("SELECT recorded_at, leaves FROM cb.bundled(wanted := $at)", {"at": moment}).rows
            assert one == [(moment, leaves)]
        assert {begins[0] for parts in written.values() for begins in parts} == set("0123456789abcdef")
