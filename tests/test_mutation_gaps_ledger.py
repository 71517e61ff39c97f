"""Rules of the ledger that a small mistake could break unseen: each test kills mutants all others let live (G20)."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit import base, claim, drop_guards, few, opened

import claimbase
from claimbase.errors import HeadMissingWarning, NoSpaceError, StoreError
from claimbase.store import ledger, read_checkpoint, unguarded
from claimbase.store.basis import resolve
from claimbase.store.head import Head, Stamp


def test_a_batch_counts_what_it_wrote(tmp_path: Path) -> None:
    """W5, G6, A1: a ledger row counts what came and ended at its instant, by which it is known; a verb reports it."""
    with opened(tmp_path / "base.duckdb") as kb:
        kb.add([claim(), claim("$4", subject="Wren")])
        (claim_id,) = (row["claim_id"] for row in kb.claims() if row["subject"] == "Wren")
        kb.add([claim("$5", subject="Crow")])
        told = kb.correct(claim_id, {"value": "$6", "quote": "It costs $6."}, reason="typo")
        assert (told.inserted, told.retracted) == (1, 1)
        assert [(row["change"], row["claim_id"]) for row in told.versions] == [
            ("retracted", claim_id),
            ("inserted", told.other_id),
        ]
        batches = kb.db.query("SELECT recorded_at, versions_added, versions_retracted FROM cb.batch").rows
        versions = kb.db.query("SELECT recorded_at, retracted_at FROM cb.claim").rows
        counted = kb.db.query("SELECT recorded_at, entries FROM cb.batch").rows
        logged = kb.db.query(
            "SELECT recorded_at FROM cb.entry UNION ALL SELECT recorded_at FROM cb.reading "
            "UNION ALL SELECT recorded_at FROM cb.source_attribute UNION ALL SELECT recorded_at FROM cb.decision "
            "UNION ALL SELECT recorded_at FROM cb.predicate_declaration"
        ).rows
        known = [resolve(kb.db, recorded_by=at).batch for at, *_ in sorted(batches)]
        assert kb.verify_ledger().ok
    assert known == list(range(len(batches)))
    assert sorted(counted) == sorted((at, logged.count((at,))) for at, _ in counted)
    assert sorted(batches) == sorted(
        (at, sum(came == at for came, _ in versions), sum(ended == at for _, ended in versions)) for at, *_ in batches
    )
    assert sorted(counts[1:] for counts in batches)[-3:] == [(1, 0), (1, 1), (2, 0)]


@pytest.mark.slow
def test_an_audit_tells_a_thousand_findings_of_one_kind(tmp_path: Path) -> None:
    """G6: what is broken a million times is told a thousand times; what is outside the package's schema is nobody's."""
    with opened(tmp_path / "base.duckdb") as kb:
        kb.add([claim()])
        with kb.db.atomic() as transaction, unguarded(transaction):
            transaction.run("CREATE MACRO main.own(a) AS a + 1")
            transaction.run("CREATE TABLE main.own (x INTEGER)")
        assert kb.verify_ledger().ok
        with kb.db.atomic() as transaction, unguarded(transaction):
            transaction.run(
                "INSERT INTO cb.migration SELECT n, 'x', 'x', TIMESTAMPTZ '9999-01-01' "
                "FROM range(900, 1901) AS r(n), range(2)"
            )
        told = kb.verify_ledger()
        findings = told.findings
    assert "(and 999 more)" in told.words
    assert {(one.part, one.what) for one in findings} == {("migration", "it stands there more than once")}
    assert len(findings) == 1_000


@pytest.mark.parametrize("held", few([[], [Stamp(3, 1, "ab" * 32)]], 2))
def test_a_write_that_is_not_read_back_is_unconfirmed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, held: list[Stamp]
) -> None:
    """C4: what the engine reports as stored and does not hold, or holds otherwise, is an error."""
    with opened(tmp_path / "base.duckdb") as kb:
        monkeypatch.setattr(ledger, "_since", lambda db, batch_id: held)
        with pytest.raises(StoreError) as caught:
            kb.add([claim()])
    assert caught.value.code == "commit_unconfirmed"


@pytest.mark.slow
def test_what_the_head_file_lacks_is_noted_by_the_next_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """G7: a batch that is stored and could not be noted is noted before the next one."""

    def fails(head: Head, stamps: list[Stamp]) -> None:
        raise NoSpaceError("no room", code="head_unwritten", hint="make room")

    path = tmp_path / "base.duckdb"
    with opened(path) as kb:
        with monkeypatch.context() as full:
            full.setattr(Head, "append", fails)
            with pytest.raises(NoSpaceError):
                kb.add([claim()])
        kb.add([claim("$4", subject="Wren")])
        batches = kb.db.query("SELECT batch_id FROM cb.batch ORDER BY batch_id").rows
    noted = path.with_name("base.duckdb.head").read_text("ascii").splitlines()
    assert [(int(line.split()[0]),) for line in noted] == batches


def test_the_first_batch_can_be_a_checkpoint() -> None:
    """G7: batches count from 0."""
    assert read_checkpoint("0:" + "ab" * 32) == (0, "ab" * 32)


def test_an_audit_names_what_differs_in_order(tmp_path: Path) -> None:
    """G5, G6: tables and macros that are not the package's are named, each kind in the order of the names."""
    with opened(tmp_path / "base.duckdb") as kb:
        with kb.db.atomic() as transaction, unguarded(transaction):
            transaction.run("CREATE TABLE cb.own (x INTEGER, b INTEGER)")
            for name in ("own_e", "own_c", "own_a", "own_d", "own_b", "own_f"):
                transaction.run(f"CREATE MACRO cb.{name}(a) AS a")
        findings = kb.verify_ledger().findings
    assert [one.detail for one in findings if one.part == "macro"] == [f"own_{letter}" for letter in "abcdef"]
    assert [one.detail for one in findings if one.part == "schema"] == ["own.b", "own.x"]


@pytest.mark.slow
def test_an_audit_against_a_checkpoint() -> None:
    """G7: the root of a batch that was seen is compared; if it is missing, the tail is lost."""
    with base() as kb:
        kb.add([claim()])
        seen = kb.checkpoint()
        number, root = seen["batch_id"], seen["root"]
        whole = kb.verify_ledger(f"{number}:{root}")
        assert (whole.ok, str(whole)) == (True, whole.words)
        assert whole.words.startswith("the ledger holds: ")
        told = [kb.verify_ledger(text).findings for text in (f"{number}:{'0' * 64}", f"{number + 1}:{root}")]
    assert [(one.part, one.batch_id, one.detail, one.what.partition(":")[0]) for (one,) in told] == [
        ("batch", number, "0" * 64, "another history"),
        ("batch", number + 1, root, "the tail is lost"),
    ]


@pytest.mark.slow
def test_a_base_of_one_batch_without_its_head_file_is_told(tmp_path: Path) -> None:
    """G7: a base that holds a batch and has no head file warns, starts one with the newest batch, and then does not."""
    path, head = tmp_path / "base.duckdb", tmp_path / "base.duckdb.head"
    claimbase.open(path, packs=[]).close()
    noted = head.read_bytes()
    assert noted.startswith(b"0 ")
    head.unlink()
    with pytest.warns(HeadMissingWarning):
        claimbase.open(path, packs=[]).close()
    assert head.read_bytes() == noted
    claimbase.open(path, packs=[]).close()


def test_a_base_in_memory_has_no_head_file_to_agree_with() -> None:
    """G7: what is not kept can lose no tail."""
    with base() as kb:
        assert ledger.agree(kb.db) is True


def test_two_batches_of_one_instant_are_found() -> None:
    """G6, B4: each batch has an instant of its own; one forged at that of another is found, whatever its root."""
    with base() as kb:
        kb.add([claim()])
        newest = "SELECT recorded_at, root, batch_id FROM cb.batch ORDER BY batch_id DESC LIMIT 1"
        ((at, prev, number),) = kb.db.query(newest).rows
        with kb.db.atomic() as transaction, unguarded(transaction):
            transaction.file(
                "ledger/append_batch",
                {"recorded_at": at, "prev": prev, "batch_id": number + 1, "verb": "add"}
                | dict.fromkeys(("entries", "added", "retracted"), 0),
            )
        findings = kb.verify_ledger().findings
    assert [(one.batch_id, one.what) for one in findings] == [(number + 1, "it is not later than the batch before it")]


@pytest.mark.parametrize("further", few([1, 2], 2))
def test_a_retraction_ends_a_version_of_its_claim(further: int) -> None:
    """G6: a retraction of a version that is another claim's, or none, is found."""
    with base() as kb:
        kb.add([claim()])
        kb.add([claim("$4", subject="Wren")])
        kb.retract(next(row["claim_id"] for row in kb.claims() if row["subject"] == "Lark 2"), reason="typo")
        assert kb.verify_ledger().ok
        drop_guards(kb.db)
        with kb.db.atomic() as transaction:
            transaction.run("UPDATE cb.retraction SET version_id = version_id + $further", {"further": further})
        findings = [(one.part, one.what) for one in kb.verify_ledger().findings]
    assert ("retraction", "the version it ends is missing") in findings
