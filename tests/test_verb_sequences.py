"""Short sequences of verbs on one slot, of one source and of two: F over thousands of logs, and the front door."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations, islice, permutations, product

import pytest
from decided_logs import Decided, DecidedLogs, random_slot
from kit import figure, gone
from logs import at, explain
from oracle.active import active
from oracle.decided import Decision, same_moment
from oracle.derive import Entry, PredicateFlags, SourceFlags, Statement
from oracle.verbs import Step, Told, legal_orders
from verb_world import SAID_BY, SOURCES, STATEMENTS, Slot, as_row, check, shared_base, stored, visible

READ = (10, 20, 30)
CHANGED = (15, 25)
PAIRS = (("A", "B"), ("A", "X"), ("A", "Y"), ("A", "b"), ("a", "B"))


def steps(one: str, two: str) -> list[Step]:
    """Give every verb on two claims with few instants; a correction or retraction covers all or only what is early."""
    both = ((one, two), (two, one))
    told = [Step(verb, c, None, o) for verb in ("add", "quote_missing") for c in (one, two) for o in READ]
    told += [Step("changed", c, d, o) for c, d in both for o in READ if SAID_BY[c] == SAID_BY[d]]
    told += [Step("supersede", c, d, o, v) for c, d in both for o in READ for v in starts(d)]
    told += [Step("correct", c, d, decided=o) for c, d in both for o in (20, None) if SAID_BY[c] == SAID_BY[d]]
    return told + [Step("retract", c, decided=o) for c in (one, two) for o in (20, None)]


def starts(name: str) -> tuple[int, ...]:
    """Give the instants at which a claim may supersede another one: its own start if it states one."""
    return (STATEMENTS[name].start[0],) if STATEMENTS[name].dated else CHANGED


def fresh() -> Told:
    """Give a slot of which nothing was said yet."""
    return Told(STATEMENTS, SAID_BY, SOURCES)


def sequences(longest: int) -> Iterator[tuple[Step, ...]]:
    """Yield every set of at most `longest` verbs on every pair of claims, in no order."""
    for pair, length in product(PAIRS, range(1, longest + 1)):
        yield from combinations(steps(*pair), length)


def logged(orders: Iterable[tuple[Step, ...]]) -> Iterator[Decided]:
    """Give the log of each order of verbs that may be told."""
    for order in orders:
        told = fresh()
        assert all(told.tell(step) is None for step in order)
        yield Decided(tuple(STATEMENTS.items()), tuple(SAID_BY.items()), tuple(told.entries), tuple(told.decisions))


def legal(every: int, offset: int = 0, longest: int = 4) -> Iterator[tuple[Step, ...]]:
    """Give the first legal order of every n-th set of verbs that has one."""
    for chosen in islice(sequences(longest), offset, None, every):
        yield from legal_orders(fresh(), chosen)[:1]


def compare(cases: Iterable[Decided]) -> int:
    """Compare F with the oracle and give the number of boxes compared."""
    logs = DecidedLogs(cases)
    try:
        expected, got = logs.expected(), logs.derived()
        assert explain(logs, got, expected) == ""
        return len(got)
    finally:
        logs.close()


def test_sequences_of_verbs() -> None:
    """B1, W6: every 151st set of up to four verbs that may be told in some order: F equals the oracle, box by box.

    Equal boxes are equal at every basis point of the valid and the observed axis; the recorded axis is that of the
    shorter sequences, which are among them.
    """
    assert compare(filter(told_well, logged(legal(151)))) > 600


@pytest.mark.slow
@pytest.mark.parametrize("offset", range(3))
def test_many_sequences_of_verbs(offset: int) -> None:
    """B1, W6: every 19th set of up to four verbs."""
    assert compare(filter(told_well, logged(legal(57, 19 * offset)))) > 1_500


# -- longer random logs, all flags ------------------------------------------------------------------------------------


def told_well(case: Decided) -> bool:
    """Say whether no claim changed twice in one reading, and none was decided about twice at once."""
    if any(same_moment(a, b) for a, b in combinations(case.decisions, 2) if "supersede" not in (a.kind, b.kind)):
        return False
    seen = [(c, d.o) for d in case.decisions if d.o is not None for c in (d.claim, d.other)]
    return len(seen) == len(set(seen))


@pytest.mark.slow
def test_random_logs(rng: random.Random) -> None:
    """B1, T8, W2, W6: random logs with up to three decisions, stated bounds, sources read whole, complete, own."""
    cases = [random_slot(rng, plain=bool(n % 2), most=3) for n in range(2_500)]
    assert compare(case for case in cases if told_well(case)) > 5_000


@pytest.mark.slow
def test_many_random_logs(rng: random.Random) -> None:
    """B1: 30,000 random logs with up to four decisions."""
    cases = (random_slot(rng, plain=n % 3 == 0, most=4, step=rng.choice([3, 5, 10])) for n in range(30_000))
    assert compare(case for case in cases if told_well(case)) > 50_000


ONE, TWO = ("first", "first", "first"), ("first", "second", "second")
PLAIN, WHOLE = SourceFlags(), SourceFlags(whole=True, readings=(0, 10, 20, 30, 40))
SAYS = {name: Statement(name) for name in "ABC"} | {"b": Statement("B", (20, 20)), "c": Statement("C", (25, None))}
FOUND = {
    "an end is not before the last reading, of a run that began after the change": (
        ONE, "ABC", [("c2", 30), ("c0", 40)], [("supersede", "c0", "c2", 40, 0)], PLAIN),
    "silence in a source read whole is a reading: what follows begins after it": (
        ONE, "ABC", [("c0", 0)], [("changed", "c0", "c1", 25, None)], WHOLE),
    "a third segment in a source read whole": (
        ONE, "ABC", [("c0", 0), ("c0", 40)], [("supersede", "c0", "c1", 20, 30)], replace(WHOLE, readings=(0, 10, 20))),
    "silence is the last reading before the change": (
        ONE, "AcC", [("c0", 15)], [("supersede", "c0", "c1", 15, 25)], WHOLE),
    "what was superseded in its time was not cancelled": (
        ONE, "bAC", [("c0", 5)], [("supersede", "c0", "c1", 10, 35)], replace(WHOLE, readings=(5, 25))),
    "nothing learned at 25 is known at 20": (
        TWO, "ABC", [("c0", 10)], [("supersede", "c0", "c1", 20, 5), ("supersede", "c1", "c0", 25, 8)], PLAIN),
    "announced before it was decided": (
        ONE, "AbC", [("c0", 5), ("c1", 6)], [("supersede", "c0", "c1", 15, 20)], PLAIN),
    "said wins over not said": (
        ONE, "ABC", [("c0", 10), ("-c0", 20)], [("supersede", "c0", "c1", 20, 25)], PLAIN),
    "the old value said before the change is another value all the same": (
        ONE, "ABC", [("c1", 10), ("c0", 15), ("c2", 25)], [("supersede", "c0", "c2", 0, 30)], PLAIN),
    "what was announced and then superseded was in force": (
        ONE, "cAC", [("c0", 6), ("c1", 9)], [("supersede", "c0", "c1", 21, 30)], WHOLE),
    "the old value said in the reading that gives it up cancels what was announced": (
        ONE, "BAc", [("c0", 0), ("c2", 5), ("c0", 30)], [("supersede", "c0", "c1", 30, 5)], PLAIN),
    "superseded, and found changed at that instant": (
        ONE, "cAC", [("c0", 0), ("c1", 20)], [("supersede", "c0", "c1", 10, 30), ("changed", "c0", "c1", 30, None)],
        replace(WHOLE, readings=(0, 10, 20))),
    "an announcement ends nothing that begins after it": (
        ONE, "BbA", [("c0", 10), ("c1", 15)], [("supersede", "c0", "c2", 15, 35)], PLAIN),
}  # fmt: skip


def found() -> Iterator[Decided]:
    """Logs on which F was once wrong."""
    for said_by, values, read, told, flags in FOUND.values():
        names = [f"c{n}" for n in range(len(values))]
        yield Decided(
            tuple(zip(names, map(SAYS.__getitem__, values), strict=True)),
            tuple(zip(names, said_by, strict=True)),
            tuple(Entry(name.lstrip("-"), o, "gone" if name[0] == "-" else "said") for name, o in read),
            tuple(Decision(kind, c, 500, d, o, v) for kind, c, d, o, v in told),  # type: ignore[arg-type]
            (("first", flags), ("second", SourceFlags())),
            PredicateFlags(),
        )


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, marks=[pytest.mark.slow] if place % 3 else []) for place, case in enumerate(found())],
    ids=list(FOUND),
)
def test_found_logs(case: Decided) -> None:
    """B1, A4, T8: what F once got wrong stays right."""
    assert compare([case]) > 0


# -- the front door ---------------------------------------------------------------------------------------------------


def some_readings(rng: random.Random) -> list[Step]:
    """Give four different readings of three claims, one of them perhaps of another source or with a stated start."""
    names = rng.choice(["ABC", "ABX", "AbC", "XAY"])
    lines = [Step(verb, c, None, o) for verb in ("add", "add", "quote_missing") for c in names for o in READ]
    return list(dict.fromkeys(rng.sample(lines, 6)))[:4]


def test_any_order_of_readings(rng: random.Random) -> None:
    """B6: claims and readings in all 24 orders, each each in its own slot: all end in the oracle's versions."""
    kb = shared_base()
    chosen = [some_readings(rng) for _ in range(12)]
    slots = [
        (Slot(kb, f"{n} {place}"), order) for n, c in enumerate(chosen) for place, order in enumerate(permutations(c))
    ]
    for turn in range(4):
        batch = []
        for slot, order in slots:
            if turn < len(order):
                step = order[turn]
                given = slot.said(step.claim, step.o or 0)
                batch.append(given if step.verb == "add" else gone(given, at(step.o)))  # type: ignore[arg-type]
                slot.log.entries.append(Entry(step.claim, step.o or 0, "said" if step.verb == "add" else "gone"))
        kb.add(batch)
        for slot, _ in slots:
            slot.remember()
    assert check(slot for slot, _ in slots) > 1_000
    kb.close()


DECIDING = ("supersede", "changed", "correct", "retract")


def tell_all(count: int, rng: random.Random, length: int = 4) -> list[Slot]:
    """Tell legal sequences with decisions to one base, each in two orders that decide alike, in slots of their own."""
    kb = shared_base()
    slots: list[Slot] = []
    while len(slots) < count:
        chosen = rng.sample(steps(*rng.choice(PAIRS)), length)
        alike: dict[tuple[Step, ...], list[tuple[Step, ...]]] = {}
        for order in legal_orders(fresh(), chosen):
            # what is decided later counts later, so that another order of decisions is another story
            decided = tuple(step for step in order if step.verb in DECIDING)
            alike.setdefault(decided, []).append(tuple(order))
        orders = [several for decided, several in alike.items() if len(decided) > 1 and len(several) > 1]
        if not orders:
            continue
        for order in rng.sample(rng.choice(orders), 2):
            slots.append(Slot(kb, f"Sequence {len(slots)}"))
            for step in order:
                slots[-1].tell(step)
    return slots


def told_alike(slots: list[Slot]) -> None:
    """Compare each slot with the oracle at every batch, and on a grid of basis points with its other order."""
    assert check(slots) > 0
    rows = stored(slots[0].kb)
    grid = list(product((0, 12, 17, 22, 27, 40), (10, 20, 30, 40)))
    for one, two in zip(slots[::2], slots[1::2], strict=True):
        ends = [visible(rows[slot.subject], slot.past[-1][0]) if slot.subject in rows else [] for slot in (one, two)]
        assert sorted(ends[0], key=repr) == sorted(ends[1], key=repr)
        for valid_at, observed_by in grid:
            standing = [active(slot.log.boxes(), valid_at, observed_by) for slot in (one, two)]
            assert {as_row(box) for box in standing[0]} == {as_row(box) for box in standing[1]}
            assert {as_row(box) for box in standing[0]} <= set(ends[0])


@pytest.mark.slow
def test_any_legal_order_of_verbs(rng: random.Random) -> None:
    """B1, B6, W6: verbs told in two legal orders end alike, and at every batch on the way as the oracle has it."""
    slots = tell_all(4, rng)
    told_alike(slots)
    slots[0].kb.close()


@pytest.mark.slow
def test_any_legal_order_of_many_verbs(rng: random.Random) -> None:
    """B1, B6: forty tellings of four verbs; two hundred with CLAIMBASE_TIMES=5."""
    slots = tell_all(figure(40), rng)
    told_alike(slots)
    slots[0].kb.close()
