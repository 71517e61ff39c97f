from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

import pytest
from builder import World, day
from kit import few
from oracle.active import Basis as Instants
from oracle.active import Bounds, Box, Version, status
from oracle.held import Value as Range
from oracle.small_worlds import legal_bounds, spans
from oracle.verdicts import Active, Says, exists, is_absent, many, negated_many, says, single

from claimbase.answers import Answer, answer
from claimbase.constraints import Constraint
from claimbase.vocabulary import Predicate

PRICE = Predicate("price", "quantity", unit="usd", direction="lower")
WINDOW = Predicate("window", "quantity", unit="token", direction="higher", tolerance=Decimal("0.055"))
TAGS = Predicate("tag", "quantity", cardinality="many", unit="usd")
NOON = day(100)
SAID: tuple[Says, ...] = ("yes", "no", "maybe", "absence")
# For the constraint "at least 10": what a claim must state to say this.
STATED: dict[Says, dict[str, Any]] = {
    "yes": {"value": 20},
    "no": {"value": 5},
    "maybe": {"value": "5-20", "bounds": (5, 20)},
    "absence": {"value": "none", "absent": True},
    "nothing": {"value": "dear", "bounds": (None, None)},
}
CERTAIN, POSSIBLE = (day(0), day(0)), (day(50), day(150))


def ask(world: World, *conditions: Any, at: Any = NOON, **options: Any) -> Answer:
    """Answer at an instant; everything else as of now."""
    db = world.build()
    try:
        return answer(db, world.vocabulary, list(conditions), world.basis(at), **options)
    finally:
        db.close()


def small_worlds() -> Iterator[tuple[Active, ...]]:
    """Yield every slot of up to three claims, certain or possible; and every change window beside up to one claim."""
    claims = [Active(said, certain=certain) for said in (*SAID, "nothing") for certain in (True, False)]
    for size in range(4):
        yield from combinations_with_replacement(claims, size)
    for old, new in product(SAID, repeat=2):
        sides = (Active(old, certain=False, window="w"), Active(new, certain=False, window="w", new=True))
        yield sides
        yield from ((*sides, claim) for claim in claims)


def fill(world: World, predicate: str, slots: Sequence[tuple[Active, ...]], unit: str = "usd") -> None:
    """Write each slot as a subject named by its number; only the sides of a window share their source.

    Withdrawn claims have sources of their own, which no longer count from day 500 on.
    """
    for place, slot in enumerate(slots):
        world.subject(str(place))
        for number, claim in enumerate(slot):
            start, end = CERTAIN if claim.certain else POSSIBLE, (None, None)
            if claim.window:
                start, end = (POSSIBLE, (None, None)) if claim.new else (CERTAIN, POSSIBLE)
            source = ("w" if claim.window else f"s{number}") + ("-gone" if claim.withdrawn else "")
            world.claim(
                str(place), predicate, **STATED[claim.says], unit=unit, start=start, end=end, dated=False,
                bounded=False, source=source, complete=claim.complete,
            )  # fmt: skip
            if claim.withdrawn:
                world.withdraw(source, day(500))


def found(result: Answer) -> dict[str, str]:
    """Return the first verdict of every subject returned."""
    return {name: verdicts[0] for name, verdicts in result.verdicts().items()}


def test_verdicts_of_every_small_slot() -> None:
    """Q1: the verdict on a `single` predicate is that of the table's first row, for every small slot."""
    slots = [slot for slot in small_worlds() if slot]
    world = World([PRICE])
    fill(world, "price", slots)
    assert found(ask(world, "price >= 10", everyone=True)) == {str(n): single(slot) for n, slot in enumerate(slots)}


def withdrawn_worlds() -> Iterator[tuple[Active, ...]]:
    """Yield every slot of up to two claims, and of a window beside one, with some of the sources withdrawn."""
    for slot in small_worlds():
        sources = sorted({claim.window or str(number) for number, claim in enumerate(slot)})
        if 0 < len(sources) <= 2:
            for gone in product((False, True), repeat=len(sources)):
                chosen = dict(zip(sources, gone, strict=True))
                yield tuple(
                    replace(claim, withdrawn=chosen[claim.window or str(number)]) for number, claim in enumerate(slot)
                )


@pytest.mark.parametrize("closed", few([False, True], 2))
def test_claims_of_a_withdrawn_source_decide_nothing(closed: bool) -> None:
    """R2, Q1, Q7: every verdict is that of the other claims alone; the withdrawn are counted, cited and flagged."""
    slots = list(withdrawn_worlds())
    world = World([Predicate("price", "quantity", unit="usd", closed_world=closed), WINDOW])
    fill(world, "price", slots)
    result = ask(world, "price >= 10", "price exists", "price absent", everyone=True)
    assert result.verdicts() == {
        str(n): (single(slot), exists(slot, closed_world=closed), is_absent(slot, closed_world=closed))
        for n, slot in enumerate(slots)
    }
    gone = sum(claim.withdrawn for slot in slots for claim in slot)
    assert result.counts["withdrawn"] == gone > 0
    roles = [(one.role == "withdrawn", one.flags) for one in result.citations]
    assert set(roles) == {(True, ("source withdrawn: withdrawn",)), (False, ())}
    assert sum(withdrawn for withdrawn, _ in roles) == gone * 3


@pytest.mark.slow
@pytest.mark.parametrize("closed", [False, True])
def test_a_withdrawn_source_is_no_member_of_a_list(closed: bool) -> None:
    """R2, Q7: a `many` predicate asks the other claims for a member; a withdrawn complete list denies nothing."""
    slots = [
        tuple(replace(claim, complete=claim.says == "no" and complete) for claim in slot)
        for slot in withdrawn_worlds()
        if all(claim.window is None for claim in slot)
        for complete in (False, True)
    ]
    world = World([Predicate("tag", "quantity", unit="usd", cardinality="many", closed_world=closed), WINDOW])
    fill(world, "tag", slots)
    verdicts = ask(world, "tag >= 10", "tag != 20", everyone=True).verdicts()
    assert verdicts == {
        str(n): (many(slot, closed_world=closed), negated_many(slot, closed_world=closed))
        for n, slot in enumerate(slots)
    }


def test_an_earlier_base_does_not_know_of_a_withdrawal() -> None:
    """R2, A3: as recorded a day before, each withdrawn claim still decides, and the plan has no step for it."""
    slots = list(withdrawn_worlds())
    world = World([PRICE])
    fill(world, "price", slots)
    before = world.basis(NOON, recorded_by=day(499))
    db = world.build()
    result = answer(db, world.vocabulary, ["price >= 10"], before, everyone=True)
    assert found(result) == {
        str(n): single([replace(claim, withdrawn=False) for claim in slot]) for n, slot in enumerate(slots)
    }
    assert result.counts["withdrawn"] == 0
    assert "withdrawn" not in [step.name for step in result.plan]
    assert {one.flags for one in result.citations} == {()}
    db.close()


@pytest.mark.parametrize("closed", few([False, True], 2))
def test_exists_and_absent_of_every_small_slot(closed: bool) -> None:
    """Q1, Q7: exists and absent follow the same table; nothing at all speaks only in a closed world."""
    slots = list(small_worlds())
    world = World([Predicate("price", "quantity", unit="usd", closed_world=closed), WINDOW])
    fill(world, "price", slots)
    for place in range(len(slots)):
        world.claim(str(place), "window", 1, unit="token")
    result = ask(world, "price exists", "price absent", everyone=True)
    expected = {
        str(n): (exists(slot, closed_world=closed), is_absent(slot, closed_world=closed))
        for n, slot in enumerate(slots)
    }
    assert result.verdicts() == expected


@pytest.mark.slow
@pytest.mark.parametrize("closed", [False, True])
def test_many_of_every_small_slot(closed: bool) -> None:
    """Q1, Q7: a `many` predicate asks for one member; its lack speaks only in a complete list or a closed world."""
    plain = [slot for slot in small_worlds() if all(claim.window is None for claim in slot)]
    listed = [
        tuple(Active(claim.says, certain=claim.certain, complete=claim.says == "no") for claim in slot)
        for slot in plain
    ]
    slots = plain + listed
    world = World([Predicate("tag", "quantity", unit="usd", cardinality="many", closed_world=closed), WINDOW])
    fill(world, "tag", slots)
    for place in range(len(slots)):
        world.claim(str(place), "window", 1, unit="token")
    verdicts = found(ask(world, "tag >= 10", everyone=True))
    assert verdicts == {str(n): many(slot, closed_world=closed) for n, slot in enumerate(slots)}


def test_ne_on_a_many_predicate_is_none_of_eq() -> None:
    """Q7: "not 20" needs a complete list, a closed world or an absence claim, else there is no evidence."""
    slots = [
        tuple(Active(says, certain=certain, complete=complete) for says in pair)
        for pair in (("yes",), ("no",), ("absence",), ("yes", "no"))
        for certain in (True, False)
        for complete in (True, False)
    ]
    world = World([TAGS])
    fill(world, "tag", slots)
    assert found(ask(world, "tag != 20", everyone=True)) == {str(n): negated_many(slot) for n, slot in enumerate(slots)}


def ranges() -> list[Range]:
    """Return every range of small whole numbers: closed, open and unbounded ends."""
    ends = (None, 0, 1, 2, 3)
    every = []
    for low, high, low_open, high_open in product(ends, ends, (False, True), (False, True)):
        known = low is not None and high is not None
        if (low, high) == (None, None) or (known and (low > high or (low == high and (low_open or high_open)))):
            continue
        if (low is None and low_open) or (high is None and high_open):
            continue
        least, most = (None if end is None else Fraction(end) for end in (low, high))
        every.append(Range("", least, most, low_open, high_open, "1", "quantity"))
    return every


@pytest.mark.parametrize("operator", few(["gte", "gt", "lte", "lt", "eq", "ne"], 3))
def test_what_a_range_says_to_a_number(operator: str) -> None:
    """V3: a range meets a constraint certainly, possibly or not, by trying every number in it."""
    values = ranges()
    world = World([PRICE])
    for place, value in enumerate(values):
        low, high = (None if end is None else int(end) for end in (value.low, value.high))
        world.claim(
            str(place), "price", "range", bounds=(low, high), opens=(value.low_open, value.high_open), unit="usd"
        )
    words = {"yes": "met", "no": "failed", "maybe": "possible"}
    operands = (0, 1, 2, 3)
    result = ask(world, *(Constraint(predicate="price", operator=operator, value=n) for n in operands), everyone=True)
    expected = {str(n): tuple(words[says(value, operator, k)] for k in operands) for n, value in enumerate(values)}
    assert result.verdicts() == expected


def test_what_a_range_says_to_between_and_in() -> None:
    """V3, Q14: between is inclusive for numbers; in asks whether one of the numbers is the value."""
    values = ranges()
    world = World([PRICE])
    for place, value in enumerate(values):
        low, high = (None if end is None else int(end) for end in (value.low, value.high))
        world.claim(
            str(place), "price", "range", bounds=(low, high), opens=(value.low_open, value.high_open), unit="usd"
        )
    words = {"yes": "met", "no": "failed", "maybe": "possible"}
    result = ask(world, "price between 1 and 2", "price in 1, 2", everyone=True)

    def either(value: Range) -> str:
        said = [says(value, "eq", number) for number in (1, 2)]
        return "met" if "yes" in said else "failed" if said == ["no", "no"] else "possible"

    expected = {str(n): (words[says(value, "between", 1, 2)], either(value)) for n, value in enumerate(values)}
    assert result.verdicts() == expected


@pytest.mark.slow
def test_activity_of_every_box_at_every_basis() -> None:
    """T2, A1: exists is met where the box certainly holds, possible where it may, else without evidence."""
    for world, expected, basis in _boxes():
        db = world.build()
        try:
            for at, by, known in basis:
                result = answer(
                    db, world.vocabulary, "price exists", world.basis(day(at), day(by), day(known)), everyone=True
                )
                assert {name: expected[name](at, by, known) for name in found(result)} == found(result), (at, by, known)
        finally:
            db.close()


WORDS = {"certain": "met", "possible": "possible", "no": "no_evidence"}


def _boxes() -> Iterator[tuple[World, dict[str, Any], list[tuple[int, int, int]]]]:
    """Yield worlds of boxes: every bound on the valid axis, then every span on the two others."""
    bounds_only, others = World([PRICE], now=day(9)), World([PRICE], now=day(9))
    expected: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
    for place, bounds in enumerate(legal_bounds()):
        _box(bounds_only, expected[0], place, Version(Box("c", *bounds, 0, None, 0), 0, None))
    known = Bounds(0, 0, None, None)
    for place, (seen, held) in enumerate(product(spans(), spans())):
        if held[0] >= seen[0]:
            _box(others, expected[1], place, Version(Box("c", *known, seen[0], seen[1], seen[0]), held[0], held[1]))
    yield bounds_only, expected[0], [(at, 5, 5) for at in range(5)]
    yield others, expected[1], [(5, by, known_by) for by in range(5) for known_by in range(5)]


def _box(world: World, expected: dict[str, Any], place: int, version: Version) -> None:
    box = version.box

    def instants(*counts: int | None) -> tuple[Any, ...]:
        return tuple(None if count is None else day(count) for count in counts)

    world.claim(
        str(place), "price", 1, unit="usd", start=instants(box.from_earliest, box.from_latest),
        end=instants(box.until_earliest, box.until_latest), observed=day(box.observed_at),
        seen=instants(box.observed_from, box.observed_until),
        recorded=instants(version.recorded_at, version.retracted_at),
    )  # fmt: skip
    expected[str(place)] = lambda at, by, known: WORDS[status(version, Instants(at, by, known))]
