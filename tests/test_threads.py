"""Threads on one open base: each gets its own answers, whole batches, and an error of ours when it is closed."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from kit import Ticking, base, claim, opened, pack

from claimbase.base import Claimbase
from claimbase.errors import ClaimbaseError
from claimbase.store import write

THREADS = 8
SUBJECTS = 60
ONE = """
SELECT $n AS n, s.name, t.value, count(*) OVER () AS stated FROM cb.claim AS c
JOIN cb.subject AS s USING (subject_id) JOIN cb.statement AS t USING (claim_no)
WHERE s.name = $name AND c.observed_from <= $by"""
ROWS = "SELECT $n + i FROM range(50) AS r(i)"


@pytest.fixture(scope="module")
def kb() -> Claimbase:
    """A base in which every subject has a price of its own."""
    kb = base(Ticking())
    kb.add([claim(f"${n}", subject=f"Lark {n}") for n in range(SUBJECTS)])
    return kb


def together(*works: Callable[[], None]) -> list[BaseException]:
    """Run functions in threads that start at once; give what they raised."""
    raised: list[BaseException] = []
    start = threading.Barrier(len(works))

    def run(work: Callable[[], None]) -> None:
        start.wait()
        try:
            work()
        except BaseException as error:  # noqa: BLE001 - whatever a thread raises is a finding
            raised.append(error)

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return raised


def rows_of(kb: Claimbase, n: int) -> Any:
    """Ask the store a question that nobody else asks."""
    return kb.db.query(ROWS, {"n": n * 100}).rows == [(n * 100 + i,) for i in range(50)]


def price_of(kb: Claimbase, n: int) -> Any:
    """Ask the tables for one subject's price."""
    name = f"Lark {n % SUBJECTS}"
    given = {"n": n, "name": name, "by": kb.db.clock.now()}
    return kb.db.query(ONE, given).rows == [(n, name, f"${n % SUBJECTS}", 1)]


def answer_to(kb: Claimbase, n: int) -> Any:
    """Ask the base which subjects cost at most so much."""
    found = kb.answer(f"price <= ${n % SUBJECTS}", limit=SUBJECTS)
    return len(found.eligible) == n % SUBJECTS + 1


def wrong_answers(kb: Claimbase, ask: Callable[[Claimbase, int], Any], each: int) -> list[int]:
    """Let all threads ask different questions; give the numbers of those answered wrongly."""
    wrong: list[int] = []

    def asking(thread: int) -> Callable[[], None]:
        numbers = range(thread * each, (thread + 1) * each)
        return lambda: wrong.extend(n for n in numbers if not ask(kb, n))

    assert together(*map(asking, range(THREADS))) == []
    return wrong


@pytest.mark.parametrize(("ask", "each"), [(rows_of, 40), (price_of, 20), (answer_to, 1)])
def test_threads_get_their_own_answers(kb: Claimbase, ask: Callable[[Claimbase, int], Any], each: int) -> None:
    """G10, C3: eight threads ask distinct questions of one base; each gets the answer to its own."""
    assert wrong_answers(kb, ask, each) == []


@pytest.mark.slow
@pytest.mark.parametrize(("ask", "each"), [(rows_of, 2_000), (price_of, 2_000), (answer_to, 40)])
def test_many_questions(kb: Claimbase, ask: Callable[[Claimbase, int], Any], each: int) -> None:
    """G10: 8 threads x 2,000 distinct questions."""
    assert wrong_answers(kb, ask, each) == []


def pairs(kb: Claimbase, number: int) -> Callable[[], None]:
    """Give what writes batches of two rows."""

    def work() -> None:
        for _ in range(number):
            with write(kb.db, "test") as under_way:
                for place in range(2):
                    under_way.transaction.run(
                        "INSERT INTO cb.alias VALUES ('test', $i, 0, false, $at, NULL)",
                        {"i": place, "at": under_way.recorded_at},
                    )

    return work


def test_nobody_sees_half_a_batch() -> None:
    """G2, G10: while threads write batches of two rows, the others see an even number, never fewer than before."""
    kb, seen = base(Ticking()), [[] for _ in range(4)]

    def counting(found: list[int]) -> Callable[[], None]:
        count = "SELECT count(*) FROM cb.alias WHERE kind = 'test'"
        return lambda: found.extend(kb.db.query(count).rows[0][0] for _ in range(60))

    assert together(*(pairs(kb, 6) for _ in range(3)), *map(counting, seen)) == []
    assert all(n % 2 == 0 for found in seen for n in found)
    assert all(found == sorted(found) for found in seen)
    assert kb.verify_ledger().ok
    assert kb.db.query("SELECT count(*) FROM cb.batch WHERE verb = 'test'").rows == [(18,)]


def test_closing_under_threads(tmp_path: Path, rng: random.Random) -> None:
    """G10, X50: threads that ask while the base is closed get an answer or [closed]; what was acknowledged is there."""
    path, acked = tmp_path / "x.duckdb", []
    kb = opened(path)
    kb.declare(pack())
    codes: set[str] = set()

    def asking() -> None:
        try:
            for n in range(10_000):
                assert rows_of(kb, n)
        except ClaimbaseError as error:
            codes.add(error.code)

    def telling() -> None:
        try:
            acked.extend(kb.add([claim(f"${n}", subject=f"Lark {n}")]).added for n in range(100))
        except ClaimbaseError as error:
            codes.add(error.code)

    closing = threading.Timer(0.1 + rng.random() / 5, kb.close)
    closing.start()
    assert together(asking, asking, telling) == []
    closing.join()
    assert codes == {"closed"}
    with opened(path) as again:
        assert again.verify_ledger().ok
        assert again.db.query("SELECT count(*) FROM cb.statement").rows[0][0] - sum(acked) in (0, 1)
