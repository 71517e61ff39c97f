"""Tests of `when`: its slice at every instant is the answer as of then; coalescing, windows, the next change."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import combinations_with_replacement, pairwise, product
from pathlib import Path
from typing import Any

import pytest
from builder import World, day
from oracle.active import Bounds, activity
from oracle.held import Held, lies_inside, overridden
from oracle.held import Value as Range
from oracle.small_worlds import legal_bounds
from oracle.verdicts import Active, Says, Verdict, bucket, one_window, says, single

import claimbase
from claimbase.analysis.intervals import When, joined
from claimbase.answers import answer
from claimbase.answers.intervals import next_change, next_stale, when
from claimbase.asking import answered
from claimbase.errors import ConstraintError, InputError, IntervalError, QuestionError, VocabularyError
from claimbase.importers.mapping import load_mapping
from claimbase.importers.observations import read_observations
from claimbase.questions.reading import Ranking
from claimbase.store import Db
from claimbase.temporal import TICK, Interval
from claimbase.vocabulary import Alias, Predicate

PRICE = Predicate("price", "quantity", unit="usd")
WINDOW = Predicate("window", "quantity", unit="token")
CERTAINTY = {"eligible": "certain", "disputed": "disputed", "possible": "possible"}
INSTANTS = range(-1, 5)
SAID: dict[Says, tuple[int, int] | None] = {"yes": (20, 20), "no": (5, 5), "maybe": (5, 20), "absence": None}
Slot = tuple[Held, ...]


def at(tick: int | None) -> datetime | None:
    """Give the instant of a tick of the small world."""
    return None if tick is None else day(tick)


def held(name: str, bounds: Bounds, said: Says, source: str) -> Held:
    """Give a dated claim that says something to "at least 10"."""
    low, high = SAID[said] or (None, None)
    value = Range(said, low, high, dimension="1", kind="quantity")  # type: ignore[arg-type]  # whole numbers
    bounded = bounds.until_earliest is not None
    return Held(name, source, value, bounds, dated=True, bounded=bounded, absent=said == "absence")


def put(world: World, subject: str, predicate: str, claim: Held, unit: str) -> None:
    """Write a claim of the oracle into a base."""
    four = [at(tick) for tick in claim.bounds]
    low, high = claim.value.low, claim.value.high
    world.claim(
        subject, predicate, claim.value.text, unit=unit, bounds=(low, high), start=(four[0], four[1]),  # type: ignore[arg-type]  # whole numbers
        end=(four[2], four[3]), bounded=claim.bounded, absent=claim.absent, source=claim.source,
    )  # fmt: skip


def verdict(slot: Slot, tick: int) -> Verdict:
    """Judge "at least 10" on a slot at an instant, by the letter of T2, K6, T8 and Q1."""
    how = {claim.claim: activity(claim.bounds, tick) for claim in slot}
    there = [claim for claim in slot if how[claim.claim] != "no"]
    heard = []
    for claim in there:
        others = [other for other in there if other is not claim]
        doubted = any(how[other.claim] == "possible" and lies_inside(other, claim) for other in others)
        sides = [o for o in others if o.source == claim.source and "certain" not in (how[o.claim], how[claim.claim])]
        new = any(one_window(other.bounds, claim.bounds) for other in sides)
        old = any(one_window(claim.bounds, other.bounds) for other in sides)
        said: Says = "absence" if claim.absent else says(claim.value, "gte", 10)
        heard.append(
            Active(
                said,
                certain=how[claim.claim] == "certain" and not doubted,
                window="w" if new or old else None,
                new=new,
                overridden=overridden(claim, list(slot), tick),
            )
        )
    return single(heard)


def slots(rng: random.Random) -> list[tuple[Slot, Slot]]:
    """Give every pair of intervals of a world of four instants as a slot of one or two sources, beside another slot."""
    legal = list(legal_bounds())
    ways = list(product(SAID, SAID, ("s", "t")))
    found = []
    for number, (one, other) in enumerate(combinations_with_replacement(legal, 2)):
        first, second, source = ways[number % len(ways)]
        price = (held("a", one, first, "s"), held("b", other, second, source))[:: rng.choice((1, -1))]
        beside = (held("c", rng.choice(legal), rng.choice(("yes", "yes", "no", "maybe")), "s"),)  # type: ignore[arg-type]
        found.append((price, beside))
    return found


def filled(rng: random.Random, worlds: Sequence[tuple[Slot, Slot]]) -> World:
    """Write slots, a subject for each pair, in an order that means nothing."""
    world = World([PRICE, WINDOW])
    for number, (price, beside) in rng.sample(list(enumerate(worlds)), len(worlds)):
        for claim in price:
            put(world, f"{number:05}", "price", claim, "usd")
        for claim in beside:
            put(world, f"{number:05}", "window", claim, "token")
    return world


ASKED = ("price >= 10", "window >= 10")


Exhausted = tuple[list[tuple[Slot, Slot]], When]


@pytest.fixture(scope="module")
def exhausted() -> Exhausted:
    """Every small world, and what is said of them all."""
    rng = random.Random(7)
    worlds = slots(rng)
    world = filled(rng, worlds)
    db = world.build()
    found = when(db, world.vocabulary, list(ASKED), world.basis(day(1)))
    db.close()
    return worlds, found


def buckets(worlds: Sequence[tuple[Slot, Slot]], tick: int) -> dict[str, str]:
    """Judge every world at an instant."""
    return {
        f"{number:05}": bucket([verdict(price, tick), verdict(beside, tick)])
        for number, (price, beside) in enumerate(worlds)
    }


def test_every_small_world_at_every_instant(exhausted: Exhausted) -> None:
    """Q5: at every instant a subject is certain, possible or disputed exactly where the oracle's verdicts say so."""
    worlds, found = exhausted
    told = {one.subject: one for one in found.subjects}
    for tick in INSTANTS:
        expected = {name: CERTAINTY[which] for name, which in buckets(worlds, tick).items() if which in CERTAINTY}
        assert {name: one.at(day(tick)) for name, one in told.items() if one.at(day(tick))} == expected, tick
        assert found.slice(day(tick))["certain"] == tuple(sorted(n for n, how in expected.items() if how == "certain"))


@pytest.mark.slow
def test_intervals_are_the_longest(exhausted: Exhausted) -> None:
    """Q5: intervals are maximal and in order: neighbours that touch differ in certainty, bounds lie on bounds only."""
    worlds, found = exhausted
    assert len(found.subjects) > 500
    for one in found.subjects:
        for left, right in pairwise(one.segments):
            assert left.interval.end is not None
            assert right.interval.start is not None
            assert left.interval.end <= right.interval.start
            assert left.interval.end < right.interval.start or left.certainty != right.certainty
        own = {at(tick) for slot in worlds[int(one.subject)] for claim in slot for tick in claim.bounds}
        assert {
            bound for segment in one.segments for bound in (segment.interval.start, segment.interval.end)
        } <= own | {None}


def test_grounds_speak_in_their_segment(exhausted: Exhausted) -> None:
    """Q4, Q5: each segment cites what its claims say to each constraint, and each claim may hold somewhere in it."""
    _, found = exhausted
    for one in found.subjects:
        for segment in one.segments:
            assert {ground.constraint for ground in segment.grounds} == {0, 1}
            assert all(ground.claim.possible.intersect(segment.interval) for ground in segment.grounds)
            if segment.certainty == "certain":
                assert {g.constraint for g in segment.grounds if g.role == "yes"} == {0, 1}
            if segment.certainty == "disputed":
                sides = [{g.role for g in segment.grounds if g.certain and g.constraint == n} for n in (0, 1)]
                assert max(map(len, sides)) > 1
            assert all(ground.claim.quote and ground.claim.url for ground in segment.grounds)


@pytest.mark.slow
def test_next_change_of_small_worlds() -> None:
    """Q5: the next change is the first instant at which the buckets of the subjects asked are not what they were."""
    rng = random.Random(3)
    worlds = rng.sample(slots(rng), 24)
    world = filled(rng, worlds)
    db = world.build()
    states = [buckets(worlds, tick) for tick in INSTANTS]
    for names in (*({name} for name in states[0]), {"00001", "00002"}, set(states[0])):
        for tick in rng.sample((-1, 0, 1, 2), 2):
            changed = (t for t in INSTANTS if t > tick and any(states[t + 1][n] != states[t][n] for n in names))
            asked = (db, world.vocabulary, list(ASKED), world.basis(day(tick)))
            assert next_change(*asked, subjects=sorted(names)) == at(next(changed, None))
    found = when(db, world.vocabulary, list(ASKED), world.basis(day(0)))
    assert found.next_change_at == next_change(db, world.vocabulary, list(ASKED), world.basis(day(0)))
    db.close()


# -- random bases: every option, against answer ----------------------------------------------------------------------


def anything(rng: random.Random) -> World:
    """Make a base with histories, exceptions, windows, scopes, aliases and closed worlds."""
    world = World([
        Predicate("price", "quantity", unit="usd", aliases=(Alias("cost"),)),
        WINDOW,
        Predicate("vision", "bool", closed_world=True),
        Predicate("tag", "text", cardinality="many"),
    ])  # fmt: skip
    for subject, predicate in product("ABCDEFGH", ("price", "cost", "window", "vision", "tag")):
        for _ in range(rng.randrange(4)):
            _something(world, rng, subject, predicate)
    return world


def _something(world: World, rng: random.Random, subject: str, predicate: str) -> None:
    start = rng.randrange(0, 40)
    shape = rng.choice(["open", "open", "bounded", "vague", "undated", "not before"])
    span = {"undated": (None, day(start)), "vague": (day(start), day(start + 5)), "not before": (day(start), None)}
    ends = {"bounded": start + 9, "vague": start + 15}
    end = (day(ends[shape]), day(ends[shape] + rng.choice((0, 3)))) if shape in ends else (None, None)
    words: dict[str, Any] = {"value": rng.choice((5, 10, 20)), "unit": "usd"}
    if predicate == "window":
        words |= {"unit": "token"}
    elif predicate == "vision":
        words = {"value": rng.choice((0, 1))}
    elif predicate == "tag":
        words = {"value": "x", "key": rng.choice("xy"), "bounds": (None, None), "complete": rng.random() < 0.3}
    if rng.random() < 0.1:
        words |= {"absent": True, "bounds": (None, None)}
    world.claim(
        subject, predicate, **words, start=span.get(shape, (day(start), day(start))), end=end,
        dated=shape != "undated", bounded=shape in ends and rng.random() < 0.8, source=rng.choice("st"),
        scope={"mode": "batch"} if rng.random() < 0.15 else None,
    )  # fmt: skip


LOW, HIGH = ({"predicate": "price", "operator": sign, "value": 10} for sign in ("lt", "gt"))
TAGGED, OTHER = ({"predicate": "tag", "operator": sign, "value": "x"} for sign in ("eq", "ne"))
QUESTIONS: dict[str, tuple[Any, ...]] = {
    "one": ("price >= 10",),
    "two": ("price <= 10", "window >= 10"),
    "any_of": ({"any_of": [LOW, {"predicate": "window", "operator": "gte", "value": 20}]}, "vision is_true"),
    "none_of": ({"none_of": [HIGH, TAGGED]},),
    "exists": ("price exists", "vision absent"),
    "many": (TAGGED, OTHER | {"value": "y"}),
    "any scope": ({"predicate": "price", "operator": "lte", "value": 5, "scope": "any"}, "window exists"),
    "one scope": ({"predicate": "price", "operator": "lte", "value": 10, "scope": {"mode": "batch"}},),
    "own instant": ({"predicate": "price", "operator": "lte", "value": 10, "at": "2026-01-20"}, "window >= 10"),
    "only own instant": ({"predicate": "price", "operator": "lte", "value": 10, "at": "2026-01-20"},),
    "value_of": ({"predicate": "price", "operator": "lte", "value_of": {"subject": "A"}},),
    "value_of at": ({"predicate": "price", "operator": "lte", "value_of": {"subject": "A"}, "at": "2026-01-25"},),
    "value_of and": ({"predicate": "price", "operator": "lt", "value_of": {"subject": "B"}}, "window exists"),
}  # fmt: skip
OPTIONS: dict[str, dict[str, Any]] = {
    "all": {},
    "one source": {"sources": "s"},
    "named": {"subjects": ["A", "c", "nobody"]},
    "provider": {"providers_not": "Q"},
}


def standing(world: World, db: Db, asked: Sequence[Any], moment: datetime, **options: Any) -> dict[str, str]:
    """Give the buckets of the answer as of an instant, near misses too."""
    found = answer(db, world.vocabulary, list(asked), world.basis(moment), everyone=True, **options)
    return {one.subject: one.bucket for one in found.subjects() if one.bucket != "none"}


@pytest.fixture(scope="module", params=[0, pytest.param(1, marks=pytest.mark.slow)])
def base(request: pytest.FixtureRequest) -> Iterator[tuple[World, Db]]:
    """A random base; the same number gives the same one."""
    world = anything(random.Random(request.param))
    db = world.build()
    yield world, db
    db.close()


@pytest.mark.parametrize(
    "question",
    [pytest.param(one, marks=[pytest.mark.slow] if place % 7 else []) for place, one in enumerate(QUESTIONS)],
)
def test_a_slice_is_the_answer_as_of_then(base: tuple[World, Db], question: str, rng: random.Random) -> None:
    """Q5, Q6, Q7, Q14, K6, T8: at any instant the slice is what answer() says as of it, whatever is asked."""
    (world, db), asked = base, QUESTIONS[question]
    for options in OPTIONS.values():
        found = when(db, world.vocabulary, list(asked), world.basis(day(20)), **options)
        for _ in range(3):
            moment = day(rng.randrange(-5, 70)) + rng.choice((timedelta(0), -TICK))
            answered = standing(world, db, asked, moment, **options)
            expected = {name: CERTAINTY[how] for name, how in answered.items() if how in CERTAINTY}
            slices = {name: how for how, names in found.slice(moment).items() for name in names}
            assert slices == expected, (moment, options)


@pytest.mark.parametrize(
    "question",
    [pytest.param(one, marks=[pytest.mark.slow] if place % 7 else []) for place, one in enumerate(QUESTIONS)],
)
def test_next_change_is_that_of_every_instant(base: tuple[World, Db], question: str) -> None:
    """Q5: no bucket of any subject changes before the next change, and one changes at it."""
    (world, db), asked, moment = base, list(QUESTIONS[question]), day(20)
    for _ in range(2):
        basis = world.basis(moment)
        change = next_change(db, world.vocabulary, asked, basis, show=["price"], limit=1)
        before = standing(world, db, asked, moment)
        if change is None:
            later = (moment + timedelta(days=number) for number in (1, 9, 30, 300))
            assert all(standing(world, db, asked, one) == before for one in later)
            break
        assert when(db, world.vocabulary, asked, basis).next_change_at == change
        halfway = moment + (change - moment) / 2
        assert standing(world, db, asked, halfway) == standing(world, db, asked, change - TICK) == before
        assert standing(world, db, asked, change) != before
        moment = change


def test_another_policy_may_change_earlier() -> None:
    """Q2, Q10: under "any" a dispute that comes to have a claim that satisfies is a change."""
    world = World([PRICE])
    world.claim("A", "price", 5, unit="usd")
    world.claim("A", "price", "none", unit="usd", bounds=(None, None), absent=True, source="t")
    world.claim("A", "price", 20, unit="usd", start=(day(9), day(9)), source="u")
    db, asked = world.build(), ["price >= 10"]
    basis = world.basis(day(3))
    assert next_change(db, world.vocabulary, asked, basis) is None
    assert next_change(db, world.vocabulary, asked, basis, policy="any") == day(9)
    assert next_change(db, world.vocabulary, [], basis, order_by="price") is None


def test_one_without_an_admitted_claim_is_not_asked() -> None:
    """Q2, Q7, Q12: in a closed world a lack speaks only of subjects with a visible claim of an admitted source."""
    world = World([Predicate("vision", "bool", closed_world=True), PRICE])
    world.claim("A", "vision", 1, source="t", end=(day(5), day(5)))
    world.claim("B", "price", 1, unit="usd", source="s")
    db, asked, options = world.build(), ["vision absent"], {"sources": "s"}
    found = when(db, world.vocabulary, asked, world.basis(day(9)), **options)
    assert [(one.subject, one.certain) for one in found.subjects] == [("B", (Interval(None, None),))]
    assert standing(world, db, asked, day(9), **options) == {"B": "eligible"}
    assert found.notes == ()


def test_names_that_were_merged() -> None:
    """P2: the intervals of a subject are made of the claims of all its names."""
    world = World([PRICE])
    world.claim("A", "price", 20, unit="usd", end=(day(5), day(5)))
    world.claim("A 1", "price", 20, unit="usd", start=(day(5), day(5)), end=(day(9), day(9)))
    world.add("alias", "subject", world.subject("A 1"), world.subject("A"), False, day(-1))
    db = world.build()
    found = when(db, world.vocabulary, ["price >= 10"], world.basis(day(1)))
    assert [(one.subject, one.certain) for one in found.subjects] == [("A", (Interval(day(0), day(9)),))]


# -- shape -----------------------------------------------------------------------------------------------------------


def priced() -> World:
    """A subject that is cheap, disputed, cheap again after a gap, and whose window ends at an unknown instant."""
    world = World([PRICE, WINDOW])
    world.claim("A", "price", 5, unit="usd", end=(day(10), day(10)), observed=day(2))
    world.claim("A", "price", 9, unit="usd", source="t", start=(day(6), day(6)), end=(day(8), day(8)), observed=day(2))
    world.claim("A", "price", 5, unit="usd", start=(day(20), day(20)), observed=day(4))
    world.claim("A", "window", 7, unit="token", end=(day(30), day(40)), observed=day(3))
    world.claim("B", "window", 7, unit="token")
    return world


CHEAP = ["price <= 6", "window >= 7"]


def test_a_dispute_interrupts_and_a_gap_shows() -> None:
    """Q5, H3: a disputed stretch is not certain; what lies between two segments is shown as a gap."""
    world = priced()
    (one,) = when(world.build(), world.vocabulary, CHEAP, world.basis(day(1))).subjects
    assert one.certain == (Interval(day(0), day(6)), Interval(day(8), day(10)), Interval(day(20), day(30)))
    assert one.disputed == (Interval(day(6), day(8)),)
    assert one.possible == (Interval(day(30), day(40)),)
    assert one.gaps == (Interval(day(10), day(20)),)
    assert [{ground.claim.value for ground in segment.grounds} for segment in one.segments[:2]] == [
        {"5", "7"}, {"5", "9", "7"},
    ]  # fmt: skip


def test_going_stale_has_its_own_instant() -> None:
    """Q9: a supporting claim is stale once it is older than its predicate allows, not when exactly as old.

    Beside a certain claim one that is only possible supports nothing.
    """
    world = priced()
    world.claim("A", "window", 7, unit="token", start=(day(0), day(50)), source="u", observed=day(0))
    db, basis = world.build(), world.basis(day(1), observed_by=day(5))
    due = day(2) + timedelta(days=30) + TICK
    assert when(db, world.vocabulary, CHEAP, basis).next_stale_at == due
    assert next_stale(answer(db, world.vocabulary, CHEAP, basis), world.vocabulary) == due
    later = world.basis(day(1), observed_by=due)
    assert when(db, world.vocabulary, CHEAP, later).next_stale_at == day(3) + timedelta(days=30) + TICK
    assert when(db, world.vocabulary, CHEAP, world.basis(day(15))).next_stale_at is None


@pytest.mark.slow
def test_throughout_and_some() -> None:
    """Q15: throughout a window means that one certain interval covers it, some that one meets it; half-open."""
    world = priced()
    db = world.build()
    asked = {
        ((0, 6), "throughout"): "certain", ((0, 7), "throughout"): "no", ((0, 7), "some"): "certain",
        ((10, 20), "some"): "no", ((20, 40), "throughout"): "possible", ((20, 41), "throughout"): "no",
        ((30, 50), "some"): "possible", ((6, 8), "some"): "no", ((29, 31), "some"): "certain",
    }  # fmt: skip
    for ((start, end), extent), expected in asked.items():
        found = when(db, world.vocabulary, CHEAP, world.basis(day(1)), during=(day(start), day(end)), extent=extent)
        held = [one.holds(found.window, extent) for one in found.subjects] or ["no"]
        assert held == [expected], (start, end, extent)
        assert [data["holds"] for data in found.to_json()["subjects"]] == held[: len(found.subjects)]


def test_a_window_selects_and_does_not_cut() -> None:
    """Q5, Q15: segments that meet the window are given whole; the next change does not depend on it."""
    world = priced()
    db = world.build()
    found = when(db, world.vocabulary, CHEAP, world.basis(day(1)), during=(day(9), day(12)))
    assert [one.certain for one in found.subjects] == [(Interval(day(8), day(10)),)]
    assert found.next_change_at == day(6)
    assert when(db, world.vocabulary, CHEAP, world.basis(day(1)), during=(day(50), None)).subjects == ()


def test_one_asked_by_name_is_told_of_though_it_never_satisfies() -> None:
    """Q5: who was asked for is returned, with no interval; the number found counts only the others."""
    world = priced()
    found = when(world.build(), world.vocabulary, CHEAP, world.basis(day(1)), subjects=["A", "B"])
    assert [(one.subject, bool(one.segments)) for one in found.subjects] == [("A", True), ("B", False)]
    assert found.total == 1


def test_a_limit_cuts_the_list_and_says_so() -> None:
    """Q3: a cut list says of how many it is; the next change is that of all."""
    world = World([PRICE])
    for number in range(5):
        world.claim(f"S{number}", "price", 20, unit="usd", end=(day(9 - number), day(9 - number)))
    found = when(world.build(), world.vocabulary, ["price >= 10"], world.basis(day(1)), limit=2)
    assert [one.subject for one in found.subjects] == ["S0", "S1"]
    assert (found.total, found.notes) == (5, ("listed: 2 of 5 subjects",))
    assert found.summary == "2 subjects satisfy every constraint at some time; 2 of 5 looked at"
    assert found.next_change_at == day(5)


def test_ends_that_tie() -> None:
    """Performance 2: many claims with one start and several ends make one interval, whatever their order."""
    for seed in range(5):
        world, rng = World([PRICE]), random.Random(seed)
        ends = rng.sample(range(2, 30), 12)
        for end in ends:
            world.claim("A", "price", 20, unit="usd", end=(day(end), day(end)), source=f"s{end}")
            world.claim("A", "price", 20, unit="usd", start=(day(end), day(end)), end=(day(end + 1),) * 2)
        (one,) = when(world.build(), world.vocabulary, ["price >= 10"], world.basis(day(1))).subjects
        assert one.certain == (Interval(day(0), day(max(ends) + 1)),)


def test_as_it_was_known_then() -> None:
    """A1, A4: what was read or recorded later is not part of the intervals."""
    world = World([PRICE])
    world.claim("A", "price", 20, unit="usd", observed=day(1), recorded=(day(3), None))
    db, asked = world.build(), ["price >= 10"]
    assert when(db, world.vocabulary, asked, world.basis(day(9), day(9), day(2))).subjects == ()
    assert when(db, world.vocabulary, asked, world.basis(day(9), day(0), day(9))).subjects == ()
    assert len(when(db, world.vocabulary, asked, world.basis(day(9), day(9), day(9))).subjects) == 1


def test_the_result_as_rows_and_data() -> None:
    """A6, Q8, C16: rows name segment, claim and source; the data carries basis, plan and statement, and is JSON."""
    world = priced()
    db = world.build()
    found = when(db, world.vocabulary, CHEAP, world.basis(day(1)))
    rows = found.rows()
    assert [tuple(row) for row in rows] == [When.COLUMNS] * len(rows)
    assert {row["certainty"] for row in rows} == {"certain", "possible", "disputed"}
    data = json.loads(json.dumps(found.to_json()))
    assert data["subjects"][0]["certain"][0] == {"from": "2026-01-01T00:00:00Z", "until": "2026-01-07T00:00:00Z"}
    assert data["summary"] == "1 subject satisfies every constraint at some time"
    assert {step["name"] for step in data["plan"]} >= {"stretches", "active", "weighed", "evidence", "buckets"}
    ((sql, params),) = found.statements
    again = db.query(sql, params).rows
    assert again == db.query(sql, params).rows
    assert "<table>" in found._repr_html_()
    assert repr(found) == f"<When: {found.summary}>"


def test_intervals_that_touch_are_joined() -> None:
    """H1: half-open intervals that touch are one; unbounded ends stay unbounded."""
    days = [Interval(day(3), day(5)), Interval(None, day(1)), Interval(day(5), day(6)), Interval(day(1), day(2))]
    assert joined(days) == [Interval(None, day(2)), Interval(day(3), day(6))]
    assert joined([*days, Interval(day(0), None)]) == [Interval(None, None)]
    assert joined([]) == []


@pytest.mark.parametrize(
    ("asked", "options", "error", "code"),
    [
        ([], {}, ConstraintError, "no_constraints"),
        (["speed >= 1"], {}, VocabularyError, "unknown_predicate"),
        (["price >= 1"], {"during": (day(2), day(1))}, IntervalError, "inverted_interval"),
        (["price >= 1"], {"during": (day(1), day(1))}, IntervalError, "empty_interval"),
        (["price >= 1"], {"extent": "mostly"}, InputError, "bad_extent"),
        (["price >= 1"], {"limit": -1}, InputError, "bad_limit"),
        (["price >= 1"], {"limit": True}, InputError, "bad_limit"),
    ],
)
def test_bad_input(asked: list[str], options: dict[str, Any], error: type[Exception], code: str) -> None:
    """Architecture 5: what cannot be asked is refused with its code."""
    world = priced()
    with pytest.raises(error) as raised:
        when(world.build(), world.vocabulary, asked, world.basis(day(1)), **options)
    assert getattr(raised.value, "code", None) == code


def test_an_empty_base() -> None:
    """Q5: where nothing is known nothing holds, and nothing will change."""
    world = World([PRICE])
    found = when(world.build(), world.vocabulary, ["price >= 1"], world.basis(day(1)))
    assert (found.subjects, found.total, found.next_change_at, found.next_stale_at) == ((), 0, None, None)
    assert found.summary == "no subject satisfies every constraint at some time"


# -- words, real data --------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_period_in_words_is_asked_throughout() -> None:
    """Q15: words that name a period are answered by intervals; "when" asks for them without one."""
    with claimbase.open() as kb:
        for name, price, until in (("Alpha", "$1", None), ("Beta", "$1", "2026-05-01"), ("Gamma", "$4", None)):
            kb.add({
                "provider": "Test", "subject": name, "predicate": "input_price", "value": price,
                "effective_from": "2026-01-01", "effective_until": until, "observed_at": "2026-02-01",
                "quote": f"{price} per million", "source": {"url": "https://example.org/prices"},
            })  # fmt: skip
        asked = kb.ask("under $2/M input during Q2 2026")
        assert (asked.kind, asked.reading.op) == ("when", "answer")
        window = Interval(datetime(2026, 4, 1, tzinfo=UTC), datetime(2026, 7, 1, tzinfo=UTC))
        assert asked.answer.window == window
        held = {one.subject: one.holds(window) for one in asked.answer.subjects}
        assert held == {"Alpha": "certain", "Beta": "no"}
        some = kb.ask("under $2/M input during Q2 2026", extent="some").answer
        assert {one.subject: one.holds(window, some.extent) for one in some.subjects} == dict.fromkeys(held, "certain")
        always = kb.ask("when was the input price under $2/M?")
        assert (always.kind, always.answer.extent) == ("when", None)
        assert [one.certain[0].start for one in always.answer.subjects] == [datetime(2026, 1, 1, tzinfo=UTC)] * 2
        ranked = replace(asked.reading, order_by=Ranking("input_price", "asc"))
        with pytest.raises(QuestionError, match="takes no order_by"):
            answered(kb.db, kb.vocabulary(), ranked, kb.basis(), {})


@pytest.mark.slow
def test_real_changes_sliced_at_many_instants(shared: Path, rng: random.Random) -> None:
    """Q5 on the change log of models.dev: the slice at any instant is the answer as of it."""
    mapping = load_mapping("models-dev")
    feed = read_observations(shared / "data" / "models.dev" / "observations.jsonl.gz", mapping)
    rows = list(feed.rows)
    chosen = set(rng.sample(sorted({row["subject"] for row in rows}), 60))
    with claimbase.open() as kb:
        kb.load(replace(feed, rows=[row for row in rows if row["subject"] in chosen]))
        asked = ("context_window[any] >= 200K", "input_price[any] <= $2/Mtok")
        found = kb.when(*asked)
        assert found.total > 5
        bounds = [bound for one in found.subjects for i in one.certain + one.possible for bound in (i.start, i.end)]
        moments = rng.sample(sorted({bound for bound in bounds if bound}), 6)
        for moment in (*moments, *(moment - TICK for moment in moments), found.basis.now):
            then = kb.answer(*asked, as_of=moment)
            slices = found.slice(moment)
            for name, ones in (("certain", then.eligible), ("possible", then.possible), ("disputed", then.disputed)):
                assert sorted(slices[name]) == sorted(one.subject for one in ones), (moment, name)
