"""F of B1 in SQL against the oracle, over thousands of logs at once; and proof that the comparison can fail."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from pathlib import Path

import mutants
import pytest
from decided_logs import DecidedLogs, random_slot
from kit import figure
from logs import Logs, explain
from oracle.derive import Entry, PredicateFlags, SourceFlags, Statement
from oracle.small_worlds import Case, cases, random_case

from claimbase.errors import ClaimbaseError
from claimbase.store.db import statement

F = "derive/derived"
SLOW_MUTANT = 3_000  # milliseconds; one that turns a join into a product is noticed by its time


def short(every: int, longest: int = 3) -> Iterator[Case]:
    """Every n-th log of at most three entries over every choice of claims and flags."""
    return (case for place, case in enumerate(cases(longest=longest)) if place % every == 0)


def longer(count: int, rng: random.Random) -> Iterator[Case]:
    """Random logs: two in three spread out, one crowded with readings of one instant, with and without ordinals."""
    for number in range(count):
        if number % 3:
            yield random_case(rng)
        else:
            yield random_case(rng, longest=14, horizon=8, ordinals=number % 2 == 0)


def announcing(count: int, rng: random.Random) -> Iterator[Case]:
    """Random logs of one undated value and two dated ones, mostly read before the dates have come."""
    for _ in range(count):
        starts = sorted(rng.sample(range(10, 40), 3))
        stated = {
            "a": Statement("A"),
            "b": Statement("B", (starts[0], rng.choice(starts[:2]))),
            "c": Statement(rng.choice("BC"), (starts[2], starts[2])),
        }
        entries = tuple(
            Entry(rng.choice("aaabbc"), rng.randrange(45), "said" if rng.random() < 0.85 else "gone")
            for _ in range(rng.randint(2, 7))
        )
        whole = rng.random() < 0.3
        source = SourceFlags(whole, rng.random() < 0.2, False, tuple(sorted(rng.sample(range(45), 5))) if whole else ())
        yield Case(tuple(stated.items()), entries, source, PredicateFlags())


FOUND = (
    # a second miss, and beside it what begins later: the end is that start, though unknown how late
    (
        {"a": Statement("A"), "b": Statement("B", (22, None))},
        (Entry("a", 13), Entry("a", 15, "gone"), Entry("a", 16, "gone"), Entry("b", 16)),
    ),
    # two successors in one reading, of one of which only the last possible start is stated
    (
        {"a": Statement("A"), "b": Statement("B", (None, 5)), "c": Statement("C", (2, None))},
        (Entry("a", 2), Entry("b", 5), Entry("c", 5)),
    ),
)


def found() -> Iterator[Case]:
    """Logs on which F was once wrong."""
    for statements, entries in FOUND:
        yield Case(tuple(statements.items()), entries, SourceFlags(), PredicateFlags())


def check(given: Iterable[Case]) -> int:
    """Compare F with the oracle and give the number of boxes compared."""
    logs = Logs(given)
    try:
        expected, got = logs.expected(), logs.derived()
        assert explain(logs, got, expected) == ""
        return len(got)
    finally:
        logs.close()


@pytest.mark.slow
def test_short_logs() -> None:
    """B1, T5, T6, T8, T11, W2, W4, B5: every 401st of all 944,000 logs of up to three entries, all flags."""
    assert check(short(401)) > 1_500


def test_found_logs() -> None:
    """T8, W2: what F once got wrong stays right."""
    assert check(found()) > 0


def test_random_logs(rng: random.Random) -> None:
    """B1, T5, T6, T8, T11, W2, W4, B5: longer random logs; the seed is printed on failure."""
    assert check([*longer(600, rng), *announcing(200, rng)]) > 2_000


@pytest.mark.slow
def test_many_short_logs() -> None:
    """B1: every 13th of all logs of up to three entries."""
    assert check(short(13)) > 50_000


@pytest.mark.slow
def test_many_random_logs(rng: random.Random) -> None:
    """B1: 20,000 longer random logs; 40,000 with CLAIMBASE_TIMES=2."""
    for _ in range(figure(1)):
        assert check([*longer(18_000, rng), *announcing(2_000, rng)]) > 50_000


# -- the comparison can fail -----------------------------------------------------------------------------------------

MUTANTS = {
    rule: (old[2:], new[2:])
    for rule, old, new in (
        block.splitlines()
        for block in Path(__file__).with_name("derived_mutants.txt").read_text("utf-8").split("\n\n")[1:]
    )
}


@pytest.fixture(scope="module")
def laid() -> Iterator[Logs]:
    """A world small enough to run a hundred texts over."""
    fixed = random.Random(20260101)
    logs = Logs([*found(), *short(1_999), *longer(800, fixed), *announcing(300, fixed)])
    logs.expect(logs.expected())
    yield logs
    logs.close()


@pytest.fixture(scope="module")
def decided() -> Iterator[DecidedLogs]:
    """A world of slots with decisions."""
    fixed = random.Random(20260102)
    logs = DecidedLogs([random_slot(fixed, plain=bool(number % 2), most=3) for number in range(300)])
    yield logs
    logs.close()


def test_the_text_itself_makes_no_difference(laid: Logs) -> None:
    """G20: what the mutants are compared with."""
    assert laid.differences(statement(F)) == 0


@pytest.mark.parametrize(
    "rule", [pytest.param(rule, marks=[pytest.mark.slow] if place % 16 else []) for place, rule in enumerate(MUTANTS)]
)
def test_mutants_die(laid: Logs, rule: str) -> None:
    """B1, G20: each way to break one rule makes a difference."""
    old, new = MUTANTS[rule]
    assert old != new
    assert statement(F).count(old) == 1, "the text changed: say this mutant anew"
    assert laid.differences(statement(F).replace(old, new)) > 0


@pytest.mark.slow
def test_one_token_mutants_die(laid: Logs, decided: DecidedLogs) -> None:
    """G20: of all texts that differ in one token at least 85 % make a difference; the others are printed."""
    for logs in (laid, decided):
        logs.db.query(f"SET GLOBAL max_execution_time = {SLOW_MUTANT}")
    right = set(decided.derived())
    alive, total = [], 0
    for label, text in mutants.mutants(statement(F)):
        total += 1
        try:
            different = laid.differences(text) > 0 or set(decided.derived(text)) != right
        except ClaimbaseError:
            different = True
        if not different:
            alive.append(label)
    print(f"{total - len(alive)} of {total} one-token mutants die; alive: {', '.join(alive)}")
    assert len(alive) <= 0.15 * total
