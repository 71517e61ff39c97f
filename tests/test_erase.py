from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from kit import NOW, Ticking, base, claim, day, digest, drop_guards, gone, pack, script, standing

import claimbase
from claimbase.base import Claimbase
from claimbase.claims import claim_number
from claimbase.errors import (
    ClaimbaseError,
    ClaimNotFoundError,
    ClaimStateError,
    InputError,
    NoSpaceError,
    StoreError,
    StoreLockedError,
)
from claimbase.store import rewrite, rewriting
from claimbase.store.db import statement
from claimbase.temporal import FixedClock

MARKS = (b"ZQ1value", b"ZQ2quote", b"ZQ3reasoning", b"ZQ4selector", b"ZQ5long")
SECRET: dict[str, Any] = {
    "predicate": "vendor", "value": "ZQ1value", "quote": "ZQ2quote says who", "reasoning": "ZQ3reasoning",
    "selector": "p ZQ4selector",
}  # fmt: skip
LONG: dict[str, Any] = {"predicate": "vendor", "subject": "Wren", "value": "ZQ5long " * 500, "quote": "ZQ5long " * 1000}


@pytest.fixture
def kb() -> Iterator[Claimbase]:
    """Give an empty base in memory whose clock moves."""
    opened = base(Ticking())
    yield opened
    opened.close()


def id_of(kb: Claimbase, value: str) -> str:
    """Give the id of the one claim with a value as written."""
    ((number,),) = kb.db.query("SELECT cb.claim_id(claim_no) FROM cb.statement WHERE value = $value", {"value": value})
    return str(number)


def file_base(path: Path) -> Claimbase:
    """Give a base in a file with two secrets and some harmless claims."""
    kb = claimbase.open(path, clock=Ticking(), packs=[pack()])
    kb.add(
        [
            claim("$3", day(1)),
            claim("$4", day(5)),
            claim(observed_at=day(2), **SECRET),
            claim(observed_at=day(3), **LONG),
        ]
    )
    return kb


def found_in(folder: Path) -> set[bytes]:
    """Give the marks that the bytes of a folder's files still hold."""
    held = b"".join(file.read_bytes() for file in folder.iterdir())
    return {mark for mark in MARKS if mark in held}


# -- what is gone and what stays -------------------------------------------------------------------------------------


def test_content_is_gone_at_every_basis(kb: Claimbase) -> None:
    """W1, A3: what is erased shows at no basis, not even one recorded before; a tombstone with the reason does."""
    kb.add([claim(observed_at=day(2), **SECRET), claim("$3", day(1))])
    before = kb.basis().recorded_by
    claim_id = id_of(kb, "ZQ1value")
    report = kb.erase(claim_id, reason="law")
    assert (report.verb, report.claim_id, report.inserted, report.retracted) == ("erase", claim_id, 0, 1)
    for recorded_by in (before, None):
        history = kb.history("Lark 2", "vendor", recorded_by=recorded_by)
        assert history.segments == ()
        assert [(one.claim_id, one.reason) for one in history.tombstones] == [(claim_id, "law")]
        assert "1 erased" in history.sentence
        assert [one["value"] for one in kb.claims(recorded_by=recorded_by)] == ["$3"]
        assert kb.answer("vendor exists", recorded_by=recorded_by).eligible == ()
    held = repr([kb.db.query(f"FROM cb.{table}").rows for (table,) in kb.db.query(
        "SELECT table_name FROM duckdb_tables() WHERE schema_name = 'cb'").rows])  # fmt: skip
    assert not [mark for mark in MARKS if mark.decode() in held]
    assert kb.history("Lark 2", "price").tombstones == ()
    named = "SELECT table_name FROM duckdb_columns() WHERE schema_name = 'cb' AND column_name = 'claim_no'"
    asked = {"no": claim_number(claim_id)}
    left = {
        table for (table,) in kb.db.query(named) if kb.db.query(f"FROM cb.{table} WHERE claim_no = $no", asked).rows
    }
    assert left == {"tombstone", "decision", "retraction"}


def test_the_erased_is_named_to_who_asks_for_it(kb: Claimbase) -> None:
    """A6: the claim's own id finds no content, but the reason and the instant."""
    kb.add(claim("$3"))
    claim_id = id_of(kb, "$3")
    kb.erase(claim_id, reason="licence ended")
    with pytest.raises(ClaimNotFoundError, match=r"was erased at 2026-11-29T12.*'licence ended'") as refused:
        kb.get(claim_id)
    assert refused.value.code == "erased"
    assert kb.history("Lark 2").to_json()["tombstones"][0]["reason"] == "licence ended"


@pytest.mark.slow
def test_an_answer_that_cited_it_says_so(kb: Claimbase) -> None:
    """A6: asked again at its basis, an answer names what was erased since instead of citing it; later ones do not."""
    kb.add([claim("$3"), claim("$4", subject="Wren")])
    asked = {"as_of": day(5), "recorded_by": kb.basis().recorded_by}
    before = kb.answer("price >= $1/Mtok", **asked)
    claim_id = id_of(kb, "$3")
    kb.erase(claim_id, reason="law")
    after = kb.answer("price >= $1/Mtok", **asked)
    assert before.notes == ()
    assert after.notes == (f"erased since: {claim_id} on price of Lark 2 (law)",)
    assert [one for one in before.citations if one.claim_id != claim_id] == list(after.citations)
    assert kb.answer("price >= $1/Mtok", as_of=day(5)).notes == ()
    assert kb.answer("context exists", **asked).notes == ()


@pytest.mark.slow
def test_versions_are_said_to_be_erased(kb: Claimbase) -> None:
    """B1: what became of the erased claim's versions is said; their numbers are never given again."""
    kb.add(claim("$3"))
    kb.erase(id_of(kb, "$3"), reason="law")
    assert kb.db.query("SELECT version_id, kind, reason FROM cb.retraction").rows == [(1, "erased", "law")]
    kb.add(claim("$4"))
    assert kb.db.query("SELECT version_id FROM cb.claim").rows == [(2,)]
    assert kb.history("Lark 2", "price").counts["retracted"] == 0


@pytest.mark.slow
def test_shared_words_and_values_stay(kb: Claimbase) -> None:
    """W1: a quote and a value go only where no other claim rests on them."""
    kb.add(
        [claim("$3", quote="both"), claim("$3", quote="both", subject="Wren"), claim("$5", subject="Tern", quote="one")]
    )
    first, second = (row["claim_id"] for row in kb.claims(predicate="price") if row["value"] == "$3")

    def words() -> tuple[list[str], list[str]]:
        asked = ("SELECT quote FROM cb.quote ORDER BY 1", "SELECT value_key FROM cb.value ORDER BY 1")
        return tuple([row[0] for row in kb.db.query(sql)] for sql in asked)  # type: ignore[return-value]  # two of them

    assert words() == (["both", "one"], ["3", "5"])
    kb.erase(first, reason="law")
    assert words() == (["both", "one"], ["3", "5"])
    kb.erase(second, reason="law")
    assert words() == (["one"], ["5"])


def test_what_rested_on_it_is_derived_again(kb: Claimbase) -> None:
    """W6, T8: the run that an erased claim ended is open again, from the erasure on and not before."""
    kb.add([claim("$3", day(1)), claim("$4", day(5))])
    before = kb.basis().recorded_by
    report = kb.erase(id_of(kb, "$4"), reason="law")
    assert report.inserted == 1
    assert [row["until_latest"] for row in kb.claims()] == [None]
    assert [row["until_latest"] is None for row in kb.claims(recorded_by=before)] == [False]


def random_log(chance: random.Random) -> list[dict[str, Any]]:
    """Make a log of one slot: some values, said and missed at some readings, one of them with a stated start."""
    rows = []
    for at in sorted(chance.sample(range(1, 28), 6)):
        value = f"${chance.randrange(1, 4)}"
        dated = {"effective_from": "2026-03-04"} if value == "$3" else {}
        given = claim(value, day(at), source={"url": f"https://{chance.choice('ab')}.example/"}, **dated)
        rows.append(gone(given, day(at)) if chance.random() < 0.2 else given)
    return rows


@pytest.mark.parametrize("rounds", [2, pytest.param(15, marks=pytest.mark.slow)])
def test_erased_is_as_if_never_said(rng: random.Random, rounds: int) -> None:
    """B1, B6: after an erasure there stands what would stand if nobody had ever said the claim."""
    for _ in range(rounds):
        rows = random_log(rng)
        victim = rng.choice([row for row in rows if "entry" not in row])
        same = [row for row in rows if (row["value"], row["source"]) == (victim["value"], victim["source"])]
        with base(Ticking()) as kb, base(Ticking()) as other:
            kb.add(rows)
            asked = {"value": victim["value"], "uri": victim["source"]["url"]}
            ((claim_id,),) = kb.db.query(
                "SELECT cb.claim_id(claim_no) FROM cb.statement JOIN cb.source USING (source_id)"
                " WHERE value = $value AND uri = $uri", asked,
            )  # fmt: skip
            kb.erase(claim_id, reason="law")
            if rest := [row for row in rows if row not in same]:
                other.add(rest)
            assert standing(kb.db) == standing(other.db)
            assert kb.add(rows).erased == len(same)
            assert standing(kb.db) == standing(other.db)
            assert roots_hold(kb.db.query)


@pytest.mark.slow
def test_what_it_was_corrected_to_stays(kb: Claimbase) -> None:
    """B6: readings that a correction lets count as another claim's go on doing so when the wrong claim is erased."""
    kb.add([claim("$3", day(1)), claim("$3", day(4))])
    kb.correct(id_of(kb, "$3"), claim("$5", day(1), quote="It costs $5."), reason="misread")
    before = standing(kb.db)
    wrong, right = id_of(kb, "$3"), id_of(kb, "$5")
    kb.erase(wrong, reason="law")
    assert standing(kb.db) == before
    kb.add(claim("$6", day(6)))
    assert [row["value"] for row in kb.claims()] == ["$5", "$6"]
    assert [row[0] for row in kb.db.query("SELECT quote FROM cb.quote ORDER BY 1")] == ["It costs $5.", "It costs $6."]
    kb.erase(right, reason="law")
    assert [row["value"] for row in kb.claims()] == ["$6"]
    assert roots_hold(kb.db.query)


# -- never again -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_erased_does_not_come_back(kb: Claimbase) -> None:
    """B6: rows of an erased claim are dropped at ingest and counted, beside others that are stored."""
    kb.add(claim("$3"))
    kb.erase(id_of(kb, "$3"), reason="law")
    held = digest(kb.db)
    report = kb.add([claim("$3"), claim("$3", day(9))])
    assert (report.added, report.readings, report.unchanged, report.erased, report.batch) == (0, 0, 0, 2, None)
    assert digest(kb.db) == held
    assert "2 of erased claims dropped" in str(report)
    mixed = kb.add([claim("$3"), claim("$4")])
    assert (mixed.added, mixed.erased, mixed.to_json()["erased"]) == (1, 1, 1)
    assert [row["value"] for row in kb.claims()] == ["$4"]


@pytest.mark.slow
def test_no_verb_names_the_erased(kb: Claimbase) -> None:
    """W6: a verb on an erased claim, or one that would bring it back as a successor, is a ClaimStateError."""
    kb.add([claim("$3", day(1)), claim("$4", day(1), subject="Wren")])
    claim_id, other = id_of(kb, "$3"), id_of(kb, "$4")
    kb.erase(claim_id, reason="law")
    held = digest(kb.db)
    verbs: list[Callable[[], Any]] = [
        lambda: kb.erase(claim_id, reason="law"),
        lambda: kb.retract(claim_id, reason="wrong"),
        lambda: kb.supersede(claim_id, claim("$5", day(9)), at=day(8)),
        lambda: kb.correct(claim_id, claim("$5", day(1)), reason="wrong"),
        lambda: kb.observe(claim_id, observed_at=day(9)),
        lambda: kb.supersede(other, claim("$3", day(1)), at=day(8)),
    ]
    for verb in verbs:
        with pytest.raises(ClaimStateError) as refused:
            verb()
        assert refused.value.code == "erased"
    assert digest(kb.db) == held


def test_what_cannot_be_erased(kb: Claimbase, tmp_path: Path) -> None:
    """W5: an unknown claim, a missing reason, a reader: each its own error, and nothing is written."""
    kb.add(claim("$3"))
    held = digest(kb.db)
    with pytest.raises(ClaimNotFoundError) as unknown:
        kb.erase("c_0000000000000001", reason="law")
    assert unknown.value.code == "claim_not_found"
    with pytest.raises(InputError) as silent:
        kb.erase(id_of(kb, "$3"), reason=" ")
    assert silent.value.code == "no_reason"
    assert digest(kb.db) == held
    with file_base(tmp_path / "x.duckdb") as written:
        claim_id = id_of(written, "$3")
        with pytest.raises(ClaimNotFoundError):
            written.erase("c_0000000000000001", reason="law")
        with written.db.atomic(), pytest.raises(StoreError) as nested:
            written.erase(claim_id, reason="law")
        assert nested.value.code == "in_transaction"
    with claimbase.open(tmp_path / "x.duckdb", read_only=True) as reader:
        with pytest.raises(StoreError) as refused:
            reader.erase(claim_id, reason="law")
        assert refused.value.code == "read_only"
    assert {file.name for file in tmp_path.iterdir()} == {"x.duckdb", "x.duckdb.head", "x.duckdb.lock"}


# -- the ledger ------------------------------------------------------------------------------------------------------


def roots_hold(run: Callable[..., Any]) -> bool:
    """Compute every root again, with the digests that tombstones keep of what was erased."""
    parts = ("ledger/broken", "ledger/unproved")
    return not any(run(statement(part), {"most": 10}).rows for part in parts)


class UndoneError(Exception):
    """Takes a change back."""


CHANGES = (
    "UPDATE cb.tombstone SET reason = 'other'",
    "UPDATE cb.tombstone SET leaves = leaves[2:]",
    "UPDATE cb.tombstone SET leaves = [{written_at: l.written_at, digest: 'x'} FOR l IN leaves]",
    "DELETE FROM cb.tombstone",
    "DELETE FROM cb.entry WHERE kind = 'gone'",
    "UPDATE cb.decision SET reason = 'other'",
)


def test_the_ledger_still_verifies(kb: Claimbase) -> None:
    """G6: the digests that tombstones keep give every root again; after any change behind the API they do not."""
    kb.add([claim("$3", day(1)), claim("$4", day(5)), gone(claim("$4", day(5)), day(9))])
    kb.add([claim("$3", day(12)), claim(observed_at=day(2), **SECRET)])
    assert roots_hold(kb.db.query)
    kb.erase(id_of(kb, "$3"), reason="law")
    kb.erase(id_of(kb, "ZQ1value"), reason="law")
    assert roots_hold(kb.db.query)
    assert [len(row[0]) for row in kb.db.query("SELECT leaves FROM cb.tombstone ORDER BY recorded_at")] == [9, 6]
    assert [row[0] for row in kb.db.query("SELECT verb FROM cb.batch ORDER BY batch_id")][-2:] == ["erase", "erase"]
    drop_guards(kb.db)
    for change in CHANGES:
        with suppress(UndoneError), kb.db.atomic() as transaction:
            transaction.run(change)
            assert not roots_hold(transaction.run), change
            raise UndoneError
    assert roots_hold(kb.db.query)


# -- the file --------------------------------------------------------------------------------------------------------


def test_the_file_holds_no_byte_of_it(tmp_path: Path) -> None:
    """G5, reliability 2.2: short and long values, quote, reasoning and selector leave every file of the base."""
    path = tmp_path / "x.duckdb"
    with file_base(path) as kb:
        assert found_in(tmp_path) == set(MARKS)
    assert found_in(tmp_path) == set(MARKS)
    with claimbase.open(path, clock=Ticking()) as kb:
        for row in kb.claims(predicate="vendor"):
            kb.erase(row["claim_id"], reason="law")
            assert {file.name for file in tmp_path.iterdir()} == {"x.duckdb", "x.duckdb.head", "x.duckdb.lock"}
        assert found_in(tmp_path) == set()
        assert path.stat().st_mode & 0o777 == 0o600
        assert kb.add(claim(observed_at=day(2), **SECRET)).erased == 1
        assert [row["value"] for row in kb.claims()] == ["$3", "$4"]
    assert found_in(tmp_path) == set()


@pytest.mark.slow
def test_deleting_alone_leaves_it_readable(tmp_path: Path) -> None:
    """Reliability 2.2: why the file is written anew: rows that are only removed stay in its bytes."""
    with file_base(tmp_path / "x.duckdb") as kb:
        kb.db.query("CHECKPOINT")
        drop_guards(kb.db)
        kb.db.query("DELETE FROM cb.quote")
        kb.db.query("CHECKPOINT")
    assert b"ZQ2quote" in found_in(tmp_path)


@pytest.mark.slow
def test_the_new_file_is_the_old_one_without_it(tmp_path: Path) -> None:
    """C7, G5: every other row stays as it was, in its order, and so do the macros, the lock and the settings."""
    path = tmp_path / "x.duckdb"
    with file_base(path) as kb:
        kb.add([claim(f"${n}", day(n % 28 + 1), subject=f"S{n % 40:02}", source={"url": f"https://{n}.example/"})
                for n in range(1, 400)])  # fmt: skip
        order = "SELECT version_id FROM cb.claim WHERE claim_no <> $no"
        claim_id = id_of(kb, "ZQ1value")
        other = {"no": claim_number(claim_id)}
        held, macros = kb.db.query(order, other).rows, kb.db.query("SELECT count(*) FROM duckdb_functions()").rows
        kb.erase(claim_id, reason="law")
        assert kb.db.query("SELECT version_id FROM cb.claim").rows == held
        assert kb.db.query("SELECT count(*) FROM duckdb_functions()").rows == macros
        assert kb.db.query("SELECT current_setting('TimeZone')").rows == [("UTC",)]
        with pytest.raises(StoreLockedError):
            claimbase.open(path)
        whole = digest(kb.db)
        assert roots_hold(kb.db.query)
    with claimbase.open(path, clock=Ticking()) as kb:
        assert digest(kb.db) == whole


COUNTS = "SELECT count(*), (SELECT count(*) FROM cb.tombstone) FROM cb.statement"


@pytest.mark.slow
def test_readers_of_other_threads_wait(tmp_path: Path) -> None:
    """G10: statements of other threads go on while the file is exchanged; none fails, none sees half of it."""
    with file_base(tmp_path / "x.duckdb") as kb:
        seen, stop = [], threading.Event()

        def read() -> None:
            while not stop.is_set():
                try:
                    seen.append(
                        kb.db.query("SELECT count(*), (SELECT count(*) FROM cb.tombstone) FROM cb.statement").rows
                    )
                except ClaimbaseError as error:
                    seen.append([(str(error),)])

        threads = [threading.Thread(target=read) for _ in range(3)]
        for thread in threads:
            thread.start()
        for row in kb.claims(predicate="vendor"):
            kb.erase(row["claim_id"], reason="law")
        stop.set()
        for thread in threads:
            thread.join()
    assert {tuple(rows[0]) for rows in seen} <= {(4, 0), (3, 1), (2, 2)}
    assert len(seen) > 3


STEPS = {
    "the mark is set": ("claimbase.store.ledger", "_close"),
    "the batch is committed": ("claimbase.store.rewrite", "finish"),
    "the file is closed": ("claimbase.store.rewrite", "copied_closed"),
    "the copy is written": ("claimbase.store.rewrite", "placed"),
}


@pytest.mark.slow
@pytest.mark.parametrize("step", STEPS)
def test_killed_at_a_step(tmp_path: Path, step: str) -> None:
    """Reliability 2.2: a process killed at any step leaves the old base or the new one; opening it ends the rest."""
    path = tmp_path / "x.duckdb"
    with file_base(path) as kb:
        claim_id = id_of(kb, "ZQ1value")
    module, name = STEPS[step]
    killed = script(
        """
        import importlib, os, sys
        import claimbase
        kb = claimbase.open(sys.argv[1])
        module = importlib.import_module(sys.argv[3])
        def stop(*_, **__):
            os._exit(9)
        setattr(module, sys.argv[4], stop)
        kb.erase(sys.argv[2], reason="law")
        """,
        path, claim_id, module, name,
    )  # fmt: skip
    assert killed.returncode == 9, killed.stderr
    committed = step != "the mark is set"
    with claimbase.open(path, clock=Ticking()) as kb:
        assert [one.reason for one in kb.history("Lark 2").tombstones] == ["law"] * committed
        assert (b"ZQ1value" in found_in(tmp_path)) is not committed
        assert {file.name.removeprefix("x.duckdb") for file in tmp_path.iterdir()} <= {"", ".head", ".lock", ".wal"}
        assert roots_hold(kb.db.query)
        assert len(kb.claims()) == 4 - committed


@pytest.mark.parametrize("broken", ["copied_closed", pytest.param("placed", marks=pytest.mark.slow)])
def test_a_failed_rewrite_is_ended_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    """G2: where the file cannot be written anew the claim is erased all the same; the next opening ends the rest."""
    path = tmp_path / "x.duckdb"
    with file_base(path) as kb:
        claim_id = id_of(kb, "ZQ1value")

        def full(*_: Any, **__: Any) -> None:
            raise OSError(28, "no space")

        with monkeypatch.context() as patch:
            patch.setattr(rewrite, broken, full)
            with pytest.raises(NoSpaceError):
                kb.erase(claim_id, reason="law")
        assert [row["value"] for row in kb.claims(predicate="vendor")] != ["ZQ1value"]
        assert (tmp_path / "x.duckdb.rewrite").exists()
        kb.add(claim("$9", day(20)))
    with claimbase.open(path, clock=Ticking()) as kb:
        assert b"ZQ1value" not in found_in(tmp_path)
        assert "$9" in {row["value"] for row in kb.claims()}
        assert {file.name.removeprefix("x.duckdb") for file in tmp_path.iterdir()} <= {"", ".head", ".lock", ".wal"}


@pytest.mark.slow
def test_a_link_stays_a_link(tmp_path: Path) -> None:
    """C1: a base opened by another name is written anew where it lies."""
    (tmp_path / "real").mkdir()
    link = tmp_path / "link.duckdb"
    link.symlink_to(tmp_path / "real" / "x.duckdb")
    with file_base(tmp_path / "real" / "x.duckdb"):
        pass
    with claimbase.open(link, clock=Ticking()) as kb:
        kb.erase(id_of(kb, "ZQ1value"), reason="law")
    assert link.is_symlink()
    assert b"ZQ1value" not in found_in(tmp_path / "real")


def test_memory_has_no_file() -> None:
    """Reliability 2.2: a base in memory is erased from without any file; only a base with a path can be set aside."""
    with base(FixedClock(NOW)) as kb:
        before = set(Path().iterdir())
        kb.add(claim("$3"))
        kb.erase(id_of(kb, "$3"), reason="law")
        assert set(Path().iterdir()) == before
        with rewriting(kb.db):
            pass
        with pytest.raises(StoreError), kb.db.set_aside():
            pass
