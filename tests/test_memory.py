"""What is asked once for each state of a base: answers stay right when the state changes, by whomever."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit import base, claim, pack

import claimbase
from claimbase.base import Claimbase

ASKED = "price exists"


def statements(kb: Claimbase, as_of: str = "2026-03-02") -> list[str]:
    """Give the statements of one answer."""
    said: list[str] = []
    kb.db.trace = said.append
    kb.answer(ASKED, as_of=as_of)
    kb.db.trace = None
    return said


def test_a_second_answer_asks_only_for_what_may_have_changed() -> None:
    """F8: the newest batch before and after, the plan, two statements for what it cites; nothing else is looked up."""
    with base() as kb:
        kb.add([claim()])
        first, second = statements(kb), statements(kb)
        kb.add([claim("$4", "2026-03-01T08:00:00Z", subject="Another")])
        after = statements(kb)
    assert len(second) == 5 < len(first)
    assert len(after) == len(first)
    assert sum("cb.batch" in sql for sql in second) == 2


@pytest.mark.slow
def test_what_a_write_adds_is_known_to_the_next_answer() -> None:
    """A1: a predicate that nobody had used, a name that was merged."""
    with base() as kb:
        assert kb.answer(ASKED, as_of="2026-03-02").eligible == ()
        kb.add([claim()])
        (one,) = kb.answer(ASKED, as_of="2026-03-02").eligible
        kb.add([claim(subject="Another")])
        kb.merge("Another", one.subject)
        (merged,) = kb.answer(ASKED, as_of="2026-03-02").eligible
        assert (merged.subject, len(merged.citations)) == (one.subject, 2)


def test_what_is_remembered_is_of_the_base_as_it_stands() -> None:
    """A1: what was asked before a write is asked anew after it, and once until the next one."""
    with base() as kb:
        before = kb.db.remembered("queries/totals")
        kb.add([claim()])
        after = kb.db.remembered("queries/totals")
        assert before.rows != after.rows
        assert kb.db.remembered("queries/totals") is after
        with kb.db.atomic():
            pass
        assert kb.db.remembered("queries/totals") is not after


def test_a_reader_remembers_nothing_of_the_snapshot_before(tmp_path: Path) -> None:
    """G9: what a reader was told of one snapshot does not answer for the next one."""
    snapshot = tmp_path / "published.duckdb"
    with claimbase.open(tmp_path / "base.duckdb", packs=[pack()]) as kb:
        kb.publish(snapshot)
        with claimbase.open(snapshot, read_only=True) as reader:
            assert reader.answer(ASKED, as_of="2026-03-02").eligible == ()
            before = reader.db.remembered("queries/totals")
            kb.add([claim()])
            kb.publish(snapshot)
            assert len(reader.answer(ASKED, as_of="2026-03-02").eligible) == 1
            assert reader.db.remembered("queries/totals").rows != before.rows
