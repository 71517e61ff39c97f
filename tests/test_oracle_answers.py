"""Tests of the oracle's answers: activity, overriding, verdicts, contradictions and the replay of change logs."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from oracle import replay
from oracle.active import (
    Basis,
    Bounds,
    Box,
    Version,
    active,
    activity,
    activity_by_worlds,
    instant,
    status,
    ticks,
    tightened,
    worlds,
)
from oracle.contradictions import Kind, Stretch, contradictions, end_differs
from oracle.held import Held, Value, between, comparable, compatible, number, overridden
from oracle.small_worlds import SHAPES, known_boxes, legal_bounds, pairs
from oracle.verdicts import (
    Active,
    Says,
    Verdict,
    bucket,
    exists,
    group,
    is_absent,
    many,
    negated_many,
    one_window,
    says,
    single,
)


def test_certain_and_possible_are_every_and_some_world() -> None:
    """T1, T2: over tightened bounds certain means in every world, possible in some, no in none."""
    for bounds in legal_bounds():
        for at in range(4):
            assert activity(bounds, at) == activity_by_worlds(bounds, at, -1, 4), (bounds, at)


def test_known_bounds_meet_half_open() -> None:
    """T2, B2: for known bounds nothing is merely possible, and neighbours never both hold."""
    for box in known_boxes():
        for at, by in pairs():
            holds = (
                box.from_latest is not None
                and box.from_latest <= at
                and (box.until_latest is None or at < box.until_latest)
            )
            shown = box.observed_from <= by and (box.observed_until is None or by < box.observed_until)
            assert (active([box], at, by) == {box: "certain"}) is (holds and shown)


def test_a_version_is_hidden_before_it_is_stored_and_after_it_is_retracted() -> None:
    """A1: recorded_at <= recorded_by < retracted_at, on an axis of its own."""
    version = Version(Box("a", 1, 1, None, None, 1, None, 1), 2, 3)
    assert [status(version, Basis(2, 2, by)) for by in range(4)] == ["no", "no", "certain", "no"]
    assert status(version, Basis(2, 0, 2)) == "no"


def test_tightening_loses_no_world() -> None:
    """T1: the tightened columns allow exactly the worlds that the stated ones allow."""
    for stated in (Bounds(1, 3, 0, 2), Bounds(0, None, 2, 2), Bounds(2, 2, 0, None), Bounds(None, 3, 1, 3)):
        assert set(worlds(tightened(stated), -1, 4)) == set(worlds(stated, -1, 4))


def test_ticks_are_microseconds() -> None:
    """B2: an instant is a whole number of microseconds, there and back."""
    assert ticks(instant(1_234_567)) == 1_234_567
    assert instant(1_500_000).isoformat() == "1970-01-01T00:00:01.500000+00:00"


def test_replaying_a_change_log() -> None:
    """T8, B5: the last row of a key by an instant counts; a window lies between two readings of the source."""
    key, other = ("f", "s", "p"), ("f", "s", "q")
    rows = [
        replay.Change(10, key, 3),
        replay.Change(20, other, 1),
        replay.Change(30, key, 4),
        replay.Change(30, key, 5),
    ]
    rows.append(replay.Change(40, key, replay.GONE))
    assert [replay.state(rows, at).get(key) for at in (9, 10, 29, 30, 40)] == [None, 3, 3, 5, None]
    assert replay.windows(rows, key, replay.readings(rows)) == [
        replay.Window(None, 10, replay.GONE, 3),
        replay.Window(20, 30, 3, 5),
        replay.Window(30, 40, 5, replay.GONE),
    ]


def test_replaying_real_logs_meets_their_own_old_values(shared: Path) -> None:
    """T8: in the smallest real logs the replay of a key passes through the states the log itself names."""
    rows = list(replay.load(shared / "data" / "vat-rates" / "observations.jsonl"))
    read = replay.readings(rows)
    final = replay.state(rows, read[-1])
    for key in {row.key for row in rows}:
        passed = replay.windows(rows, key, read)
        assert [w.old for w in passed[1:]] == [w.new for w in passed[:-1]]
        assert final.get(key, replay.GONE) == passed[-1].new


def test_shapes_cover_every_kind_of_bound() -> None:
    """T1: the small worlds hold known, imprecise, unknown and open bounds at both ends."""
    starts = {shape.stated_from for shape in SHAPES.values()}
    ends = {shape.stated_until for shape in SHAPES.values()}
    assert {None, (2, 2), (1, 2), (2, None), (None, 1)} <= starts
    assert {"open", "holds", "ended", (2, 2), (1, 3), (2, None)} <= ends


YES, NO, MAYBE, ABSENCE = Active("yes"), Active("no"), Active("maybe"), Active("absence")
YES_P, NO_P, MAYBE_P, ABSENCE_P = (Active(said, certain=False) for said in ("yes", "no", "maybe", "absence"))


def sides(old: Says, new: Says) -> list[Active]:
    """Return both sides of one change window."""
    return [Active(old, certain=False, window="w"), Active(new, certain=False, window="w", new=True)]


@pytest.mark.parametrize(
    ("claims", "verdict"),
    [
        ([YES, NO], "disputed"),
        ([MAYBE, ABSENCE], "disputed"),
        ([YES, ABSENCE, NO_P], "disputed"),
        ([YES, MAYBE, NO_P], "met"),
        ([NO, MAYBE, YES_P], "failed"),
        ([ABSENCE, YES_P], "absent"),
        (sides("yes", "yes"), "met"),
        (sides("no", "no"), "failed"),
        (sides("yes", "no"), "possible"),
        ([*sides("no", "no"), YES_P], "possible"),
        ([YES_P], "possible"),
        ([MAYBE], "possible"),
        ([MAYBE, NO_P], "possible"),
        ([NO_P], "failed"),
        ([ABSENCE_P], "failed"),
        ([], "no_evidence"),
        ([Active("nothing")], "no_evidence"),
        ([Active("no", overridden=True), YES], "met"),
        ([Active("no", withdrawn=True), YES], "met"),
    ],
)
def test_the_verdict_on_a_single_predicate(claims: list[Active], verdict: Verdict) -> None:
    """Q1: the first row of the table that applies; overridden (K6), withdrawn (R2), incomparable (V2) say nothing."""
    assert single(claims) == verdict


@pytest.mark.parametrize(
    ("claims", "closed_world", "verdict", "negated"),
    [
        ([YES, NO], False, "met", "failed"),
        ([YES_P, NO], False, "possible", "possible"),
        ([NO], False, "no_evidence", "no_evidence"),
        ([NO], True, "failed", "met"),
        ([Active("no", complete=True)], False, "failed", "met"),
        ([ABSENCE], False, "absent", "met"),
        ([], False, "no_evidence", "no_evidence"),
        ([], True, "failed", "met"),
    ],
)
def test_the_verdict_on_a_many_predicate(
    claims: list[Active], closed_world: bool, verdict: Verdict, negated: Verdict
) -> None:
    """Q1, Q7: one member is asked for; only a complete list, closed_world or an absence claim lets its lack speak."""
    assert many(claims, closed_world=closed_world) == verdict
    assert negated_many(claims, closed_world=closed_world) == negated


@pytest.mark.parametrize(
    ("claims", "closed_world", "absent", "there"),
    [
        ([], False, "no_evidence", "no_evidence"),
        ([], True, "met", "absent"),
        ([ABSENCE], False, "met", "absent"),
        ([ABSENCE_P], False, "possible", "failed"),
        ([NO], False, "failed", "met"),
        ([YES, ABSENCE], False, "disputed", "disputed"),
    ],
)
def test_absent_and_exists(claims: list[Active], closed_world: bool, absent: Verdict, there: Verdict) -> None:
    """Q1, Q7: an absence claim meets absent; nothing at all speaks only in a closed world."""
    assert is_absent(claims, closed_world=closed_world) == absent
    assert exists(claims, closed_world=closed_world) == there


def test_groups_take_the_least_or_the_greatest() -> None:
    """Q1: met > disputed > possible > no_evidence > absent > failed; none_of turns met and failed, absent is met."""
    assert group("all_of", ["met", "possible", "disputed"]) == "possible"
    assert group("any_of", ["failed", "absent", "no_evidence"]) == "no_evidence"
    assert [group("none_of", [v]) for v in ("met", "failed", "absent", "disputed", "no_evidence")] == [
        "failed",
        "met",
        "met",
        "disputed",
        "no_evidence",
    ]


def test_buckets() -> None:
    """Q2, Q3: eligible needs every constraint met; a near miss misses one of at least two."""
    assert bucket(["met", "met"]) == "eligible"
    assert [bucket(["met", "disputed"]), bucket(["met", "disputed"], "any")] == ["disputed", "eligible"]
    assert [bucket(["met", "failed"]), bucket(["failed"]), bucket(["met", "possible"])] == [
        "near_miss",
        "out",
        "possible",
    ]


@pytest.mark.parametrize(
    ("value", "operator", "operands", "said"),
    [
        (between(5, 10), "gte", (5,), "yes"),
        (between(5, 10), "gt", (5,), "maybe"),
        (Value("", Fraction(5), Fraction(10), low_open=True, dimension="1", kind="quantity"), "gt", (5,), "yes"),
        (between(None, 5), "lte", (5,), "yes"),
        (between(None, 5), "gte", (6,), "no"),
        (between(5, None), "lt", (9,), "maybe"),
        (number(5), "between", (5, 9), "yes"),
        (number(5), "ne", (5,), "no"),
        (between(5, 6), "eq", (5,), "maybe"),
    ],
)
def test_what_a_range_says(value: Value, operator: str, operands: tuple[int, ...], said: Says) -> None:
    """V3: bounds meet a constraint certainly, possibly or not at all."""
    assert says(value, operator, *operands) == said


def test_compatible_values() -> None:
    """V2, V4, V9: tolerance is relative, symmetric and not transitive; other dimensions do not compare."""
    rounding = Fraction("0.055")
    assert compatible(number(1_000_000), number(1_048_576), rounding)
    assert compatible(number(1_048_576), number(1_000_000), rounding)
    assert not compatible(number(1_000_000), number(1_100_000), rounding)
    assert compatible(number(1_048_576), number(1_100_000), rounding)
    assert compatible(between(5, 10), between(10, 12))
    assert not comparable(number(1, "usd"), number(1, "eur"))


def open_from(claim: str, start: int, value: float, source: str = "s", **more: object) -> Held:
    """Return a dated claim without an end."""
    return Held(claim, source, number(value), Bounds(start, start, None, None), dated=True, **more)  # type: ignore[arg-type]


def during(claim: str, start: int, end: int, value: float, source: str = "s", **more: object) -> Held:
    """Return a claim with known bounds."""
    bounds = Bounds(start, start, end, end)
    return Held(claim, source, number(value), bounds, dated=True, bounded=True, **more)  # type: ignore[arg-type]


def first_read(claim: str, at: int, value: float, source: str = "s", **more: object) -> Held:
    """Return an undated open claim."""
    return Held(claim, source, number(value), Bounds(None, at, None, None), readings=(at,), **more)  # type: ignore[arg-type]


def test_an_exception_overrides() -> None:
    """K6: a certain bounded exception of the same source overrides the open claim, also one that starts with it."""
    price, offer = open_from("a", 0, 3), during("b", 10, 20, 2)
    assert [overridden(price, [price, offer], at) for at in (9, 10, 19, 20)] == [False, True, True, False]
    assert overridden(price, [during("b", 0, 20, 2)], 5)
    assert not overridden(price, [during("b", 10, 20, 2, "other")], 15)
    vague = Held("b", "s", number(2), Bounds(10, 12, 18, 20), dated=True, bounded=True)
    assert [overridden(price, [vague], at) for at in (11, 15, 19)] == [False, True, False]


@pytest.mark.parametrize(
    ("one", "other", "kind", "disputed"),
    [
        (during("a", 0, 10, 1), during("b", 10, 20, 2, "t"), None, None),
        (during("a", 0, 11, 1), during("b", 10, 20, 2, "t"), "hard", Stretch(10, 11)),
        (during("a", 0, 11, 1), during("b", 10, 20, 1, "t"), None, None),
        (open_from("a", 0, 1), open_from("b", 10, 2), "unclosed_predecessor", Stretch(10, None)),
        (open_from("a", 0, 1), open_from("b", 10, 2, "t"), "unconfirmed_succession", Stretch(10, None)),
        (open_from("a", 0, 1, readings=(10,)), open_from("b", 10, 2, "t"), "hard", Stretch(10, None)),
        (open_from("a", 0, 1), during("b", 10, 20, 2, "t"), "hard", Stretch(10, 20)),
        (open_from("a", 0, 1), during("b", 10, 20, 2), None, None),
        (during("a", 5, 15, 1), during("b", 10, 20, 2), "hard", Stretch(10, 15)),
        (first_read("a", 0, 1), first_read("b", 10, 2, "t"), "hard", Stretch(10, None)),
        (
            first_read("a", 0, 1),
            Held("b", "t", number(2), Bounds(None, 5, 8, 9), inferred_end=True),
            "hard",
            Stretch(5, 8),
        ),
        (first_read("a", 8, 1), Held("b", "t", number(2), Bounds(None, 5, 8, 9), inferred_end=True), None, None),
        (during("a", 0, 5, 1), first_read("b", 5, 2, "t"), None, None),
        (first_read("a", 10, 1), open_from("b", 10, 2), "hard", Stretch(10, None)),
        (open_from("a", 0, 1), Held("b", "t", number(2), Bounds(11, 30, None, None)), "hard", Stretch(30, None)),
        (
            during("a", 0, 5, 1),
            Held("b", "t", number(2), Bounds(4, 7, None, None), dated=True),
            "possible",
            Stretch(4, 5),
        ),
        (during("a", 0, 9, 1), during("b", 0, 9, 2, "t", scope="mode=batch"), "scope_differs", Stretch(0, 9)),
        (
            during("a", 0, 9, 1),
            Held("b", "t", number(1, "eur"), Bounds(3, 3, None, None), dated=True),
            "incomparable_units",
            Stretch(3, 9),
        ),
        (during("a", 0, 9, 1), during("b", 0, 9, 1, "t", absent=True), "absence", Stretch(0, 9)),
        (during("a", 0, 9, 1), during("b", 0, 9, 2, "t", withdrawn=True), None, None),
    ],
)
def test_kinds_of_contradiction(one: Held, other: Held, kind: Kind | None, disputed: Stretch | None) -> None:
    """K1, K2, K3, K6: the first kind that applies and [max from, min until); what nobody states makes none."""
    for order in ([one, other], [other, one]):
        assert {(p.kind, p.disputed) for p in contradictions(order)} == ({(kind, disputed)} if kind else set())


def test_pairs_that_never_conflict() -> None:
    """K5, K8: many values side by side, and versions linked by a verb; two complete lists that differ do."""
    one, other = during("a", 0, 9, 1), during("b", 0, 9, 2, "t")
    assert contradictions([one, other], linked=frozenset({frozenset("ab")})) == frozenset()
    assert contradictions([one, other], single=False) == frozenset()
    lists = [during("a", 0, 9, 1, complete=True), during("b", 0, 9, 2, "t", complete=True)]
    assert {p.kind for p in contradictions(lists, single=False)} == {"hard"}


def test_a_window_cuts_the_disputed_interval() -> None:
    """K1: over a window a contradiction is what of it lies inside."""
    both = [during("a", 0, 9, 1), during("b", 5, 20, 2, "t")]
    assert {p.disputed for p in contradictions(both, window=Stretch(7, None))} == {Stretch(7, 9)}
    assert contradictions(both, window=Stretch(9, None)) == frozenset()


def test_ends_that_differ() -> None:
    """K3: one value with two stated ends is information."""
    assert end_differs(during("a", 0, 9, 1), during("b", 0, 8, 1, "t"))
    assert not end_differs(during("a", 0, 9, 1), open_from("b", 0, 1, "t"))


def test_two_sides_of_one_window() -> None:
    """T8, Q1: an end and a start are one window when both columns agree."""
    assert one_window(Bounds(None, 10, 11, 30), Bounds(11, 30, None, None))
    assert not one_window(Bounds(None, 10, 11, None), Bounds(11, 30, None, None))
    assert not one_window(Bounds(None, 10, 11, 30), Bounds(12, 30, None, None))
