"""Contradictions (semantics 7): worked examples by rule, every small world against the oracle, then random ones."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from kit import few
from oracle import contradictions as oracle
from oracle.active import Bounds
from oracle.held import Held, Value, between, number
from oracle.small_worlds import known_bounds, legal_bounds
from rows import ZERO, Builder, basis, iso

from claimbase.analysis.contradictions import ContradictionReport, contradictions
from claimbase.errors import InputError, IntervalError
from claimbase.present import tables
from claimbase.store import Db


def build() -> Builder:
    """Start a base whose predicates the tests share."""
    builder = Builder()
    builder.declare("price", unit="usd_per_mtok")
    builder.declare("rounded", unit="token", tolerance="0.055")
    builder.declare("members", kind="set", cardinality="many")
    builder.declare("status", kind="text")
    builder.declare("vision", kind="bool")
    builder.declare("score", unit="1", requires=["method"])
    return builder


def every(db: Db, **asked: Any) -> ContradictionReport:
    """Ask for all of valid time."""
    return contradictions(db, basis(), all_time=True, **asked)


def listed(report: ContradictionReport) -> list[tuple[str, set[str], list[tuple[str | None, str | None]]]]:
    """Give each pair as kind, claims and disputed days."""
    return [(pair.kind, set(pair.claims), [(day(i.start), day(i.end)) for i in pair.disputed]) for pair in report.pairs]


def day(moment: datetime | None) -> str | None:
    """Write an instant that starts a day as that day."""
    return None if moment is None else iso(moment).removesuffix("T00:00:00Z")


# -- worked examples ------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_disputed_interval_is_the_intersection_and_may_lie_in_the_future() -> None:
    """K1: [max from, min until), found today for a conflict that is still to come."""
    builder = build()
    one = builder.claim("$3", start="2027-01-01", end="2027-03-01", source="a", observed="2026-03-05")
    other = builder.claim("$2", start="2027-02-01", end="2027-04-01", source="b", observed="2026-03-06")
    db = builder.build()
    assert listed(every(db)) == [("hard", {one, other}, [("2027-02-01", "2027-03-01")])]
    assert contradictions(db, basis()).pairs == ()
    assert contradictions(db, basis(), at="2027-02-01").total == 1
    assert contradictions(db, basis(), at="2027-03-01").total == 0


@pytest.mark.slow
def test_window_selects_and_does_not_cut() -> None:
    """K1: a window names the disputes that touch it; touching ends share no instant (B2)."""
    builder = build()
    builder.claim("$3", start="2026-01-01", end="2026-03-01", source="a", observed="2026-01-05")
    builder.claim("$2", start="2026-02-01", source="b", observed="2026-02-05")
    db = builder.build()
    assert [d for *_, d in listed(contradictions(db, basis(), during=("2026-02-10", "2026-02-11")))] == [
        [("2026-02-01", "2026-03-01")]
    ]
    assert contradictions(db, basis(), during=("2026-03-01", None)).cards == ()
    assert contradictions(db, basis(), during=(None, "2026-02-01")).cards == ()
    assert contradictions(db, basis(), during=(None, "2026-02-02")).total == 1


def test_an_imprecise_end_disputes_only_while_certain() -> None:
    """K1: the disputed interval ends where one side stops being certain; the window is judged by it."""
    builder = build()
    builder.claim("$3", start="2026-01-01", end=("2026-03-01", "2026-04-01"), source="a", observed="2026-01-05")
    builder.claim("$2", start="2026-01-01", source="b", observed="2026-02-05")
    db = builder.build()
    assert [contradictions(db, basis(), at=at).total for at in ("2026-02-28T23:59:59.999999Z", "2026-03-01")] == [1, 0]


def test_inverted_window_is_refused_by_name() -> None:
    """B3: a window is an interval; the message names both instants."""
    with pytest.raises(IntervalError, match=r"2026-06-01T00:00:00Z.*2026-01-01T00:00:00Z"):
        contradictions(build().build(), basis(), during=("2026-06-01", "2026-01-01"))
    with pytest.raises(InputError) as refused:
        contradictions(build().build(), basis(), at="2026-01-01", all_time=True)
    assert refused.value.code == "two_windows"


def test_touching_claims_are_a_succession() -> None:
    """K2: [.., noon) and [noon, ..) share no instant; two imprecise ends of one source that meet neither."""
    builder = build()
    noon = "2026-02-07T11:00:00Z"
    builder.claim("$3", start="2026-01-01", end=noon, source="a", observed="2026-03-05")
    builder.claim("$2", start=noon, source="b", observed="2026-03-06")
    april = ("2026-04-01", "2026-05-01")
    builder.claim("$3", subject="Wren", start="2026-01-01", end=april, source="a", observed="2026-06-05")
    builder.claim("$2", subject="Wren", start=april, source="a", observed="2026-06-05")
    two = [builder.claim("$3", subject="Heron", start="2026-01-01", end=april, source="a", observed="2026-06-05"),
           builder.claim("$2", subject="Heron", start=april, source="b", observed="2026-06-05")]  # fmt: skip
    assert listed(every(builder.build())) == [("possible", set(two), [("2026-04-01", "2026-05-01")])]


def test_unclosed_predecessor_suggests_the_later_start() -> None:
    """K3: same source, no end stated, the other has a later start."""
    builder = build()
    one = builder.claim("N. Corvin", predicate="status", start="2013-06-01", source="a", observed="2016-01-10")
    other = builder.claim("J. Marsh", predicate="status", start="2016-05-19", source="a", observed="2016-07-10")
    report = every(builder.build())
    assert listed(report) == [("unclosed_predecessor", {one, other}, [("2016-05-19", None)])]
    assert {claim: day(end) for claim, end in report.pairs[0].suggested_end.items()} == {one: "2016-05-19"}


def test_succession_is_unconfirmed_until_the_first_source_is_read_again() -> None:
    """K3, A4: a later start of another source; hard once the first was read at or after it and still says so."""
    builder = build()
    one = builder.claim(
        "N. Corvin", predicate="status", start="2013-06-01", source="a", observed="2016-01-10", readings=["2016-08-01"]
    )
    builder.claim("J. Marsh", predicate="status", start="2016-05-19", source="b", observed="2016-07-10")
    builder.entry(one, "unreachable", "2016-09-01")
    db = builder.build()
    for observed_by, kind in (("2016-07-15", "unconfirmed_succession"), ("2016-08-02", "hard")):
        report = contradictions(db, basis(observed_by=observed_by), all_time=True)
        assert [pair.kind for pair in report.pairs] == [kind]


def test_a_first_reading_is_no_later_start() -> None:
    """K3, T5: two undated catalogues dispute from the later first reading on; before it nobody states anything."""
    builder = build()
    one = builder.claim("$3", source="a", observed="2026-03-01")
    other = builder.claim("$2", source="b", observed="2026-03-05")
    assert listed(every(builder.build())) == [("hard", {one, other}, [("2026-03-05", None)])]


def test_newest_observation_first_and_both_sides_cited() -> None:
    """K3, K7: neither side is picked; sides, claims and the id are in a stated order."""
    builder = build()
    one = builder.claim("$3", start="2026-01-01", source="a", observed="2026-01-05")
    other = builder.claim("$2", start="2026-01-01", source="b", observed="2026-01-20")
    again = builder.claim("2", start="2026-01-01", source="c", observed="2026-01-10", readings=["2026-02-01"])
    (card,) = every(builder.build()).cards
    assert [[claim.claim_id for claim in side.claims] for side in card.sides] == [[again, other], [one]]
    assert [side.value_key for side in card.sides] == ["2", "3"]
    assert all(claim.quote and claim.url and claim.observed_at for side in card.sides for claim in side.claims)
    assert card.counts == {"hard": 2}
    assert [set(pair.claims) for pair in card.pairs] == [{one, again}, {one, other}]


def test_absence_against_a_value() -> None:
    """K3, B7: one says yes, the other read the page and it offers none; two absences agree."""
    builder = build()
    one = builder.claim("yes", predicate="vision", start="2026-01-01", source="a", observed="2026-03-01")
    two = [builder.claim("no", predicate="vision", start="2026-01-01", absent=True, source=name, observed="2026-03-02")
           for name in ("b", "c")]  # fmt: skip
    report = every(builder.build())
    assert {(kind, frozenset(claims)) for kind, claims, _ in listed(report)} == {
        ("absence", frozenset({one, other})) for other in two
    }


def test_tolerance_makes_roundings_compatible_but_not_equal() -> None:
    """V4, V9: within the declared share two roundings of one number agree; exactly on it too, beyond it not."""
    builder = build()
    for subject, values in {
        "Lark": ("128K", "131072"),
        "Edge": ("1000", "945"),
        "Past": ("1000", "944.999999"),
    }.items():
        for source, value in zip("ab", values, strict=True):
            builder.claim(value, predicate="rounded", subject=subject, start="2026-01-01", source=source, observed=0)
    assert [card.subject for card in every(builder.build()).cards] == ["Past"]


def test_bounds_that_meet_are_compatible() -> None:
    """V3, V9: 5-10 and 7 may be one value, 12 is another; compatible is not transitive; open ends do not meet."""
    builder = build()
    ids = {
        value: builder.claim(value, start="2026-01-01", source=source, observed=0)
        for source, value in zip("abcd", ("5-10", "7", "12", "> 12"), strict=True)
    }
    found = {frozenset(claims) for _, claims, _ in listed(every(builder.build()))}
    expected = [("5-10", "12"), ("5-10", "> 12"), ("7", "12"), ("7", "> 12"), ("12", "> 12")]
    assert found == {frozenset({ids[a], ids[b]}) for a, b in expected}


def test_exceptions_of_one_source_do_not_contradict_its_open_claim() -> None:
    """K6: inside an open claim of the same source they stay beside it; two that overlap conflict; W3."""
    builder = build()
    builder.claim("$2", start="2026-01-01", source="a", observed="2026-01-05")
    two = [builder.claim("$0.50", start="2026-03-01", end="2026-04-01", source="a", observed="2026-03-05"),
           builder.claim("$0.80", start="2026-03-15", end="2026-05-01", source="a", observed="2026-03-05")]  # fmt: skip
    builder.claim("$2", subject="Wren", start="2026-01-01", source="a", observed="2026-01-05")
    builder.claim("$1", subject="Wren", start="2026-01-01", end="2026-02-01", source="a", observed="2026-01-05")
    assert listed(every(builder.build())) == [("hard", set(two), [("2026-03-15", "2026-04-01")])]


def test_an_exception_that_begins_before_is_none() -> None:
    """K6: it must lie inside the open claim; another source's bounded claim is no exception."""
    builder = build()
    builder.claim("$2", start="2026-02-01", source="a", observed="2026-02-05")
    builder.claim("$1", start="2026-01-01", end="2026-03-01", source="a", observed="2026-02-05")
    builder.claim("$2", subject="Wren", start="2025-01-01", source="a", observed="2026-01-05")
    builder.claim("$1", subject="Wren", start="2026-01-01", end="2026-02-01", source="b", observed="2026-01-06")
    assert [(kind, interval) for kind, _, interval in listed(every(builder.build()))] == [
        ("hard", [("2026-02-01", "2026-03-01")]),
        ("hard", [("2026-01-01", "2026-02-01")]),
    ]


def test_change_window_and_lost_claims_make_none() -> None:
    """T8, W2: what only readings imply is nobody's statement; the certain parts still count."""
    builder = build()
    window = ("2026-03-01T00:00:00.000001Z", "2026-04-01")
    builder.claim("$3", source="a", observed="2026-03-01", cut=window)
    builder.claim("$2", source="a", start=window, dated=False, observed="2026-04-01")
    builder.claim("$3", subject="Wren", source="a", observed="2026-03-01", cut=("2026-03-01T00:00:00.000001Z", None))
    builder.claim("$2", subject="Wren", start="2026-03-10", source="b", observed="2026-03-12")
    assert every(builder.build()).cards == ()


def test_many_values_conflict_only_as_complete_lists() -> None:
    """K5, V8: two complete lists that differ do; an incomplete one contradicts nobody."""
    builder = build()
    two = [builder.claim(value, predicate="members", complete=True, start="2026-01-01", source=source, observed=0)
           for source, value in (("a", ["eu", "us"]), ("b", ["eu", "us", "ap"]))]  # fmt: skip
    builder.claim(["us", "eu"], predicate="members", complete=True, start="2026-01-01", source="c", observed=0)
    builder.claim(["eu"], predicate="members", start="2026-01-01", source="d", observed=0)
    report = every(builder.build())
    assert report.counts == {"hard": 2}
    assert frozenset(two) in {frozenset(pair.claims) for pair in report.pairs}


@pytest.mark.slow
def test_linked_claims_never_conflict() -> None:
    """K8: what supersede links is one story, from the basis on that knows it."""
    builder = build()
    old = builder.claim("$3", start="2026-01-01", source="a", observed="2026-01-05")
    new = builder.claim("$2", start="2026-01-01", source="b", observed="2026-01-20")
    builder.supersede(old, new, "2026-03-01", "2026-03-02")
    db = builder.build()
    assert every(db).cards == ()
    assert contradictions(db, basis(observed_by="2026-02-01"), all_time=True).total == 1


@pytest.mark.parametrize("kind", few(["supersede", "changed"], 2))
def test_changes_link_in_both_directions(kind: str) -> None:
    """K8: whichever of the two claims starts first, and whichever the verb names first."""
    builder = build()
    for subject, starts in (("Lark", ("2026-01-01", "2026-02-01")), ("Wren", ("2026-02-01", "2026-01-01"))):
        one, other = (
            builder.claim(value, subject=subject, start=start, source=source, observed="2026-03-01")
            for value, start, source in zip(("$3", "$2"), starts, "ab", strict=True)
        )
        builder.supersede(one, other, "2026-03-01", "2026-03-02", kind)
    db = builder.build()
    assert every(db).cards == ()
    assert contradictions(db, basis(observed_by="2026-03-01"), all_time=True).total == 2


def test_a_corrected_claim_that_is_read_again_does_not_contradict_its_correction() -> None:
    """K8, A3: correct links on the observed axis whole, on the recorded axis from the decision on."""
    builder = build()
    wrong = builder.claim("$3", start="2026-01-01", source="a", observed="2026-01-05")
    right = builder.claim("$2", start="2026-01-01", source="a", observed="2026-01-05")
    builder.correct(wrong, right, "2026-03-01")
    db = builder.build()
    assert contradictions(db, basis(observed_by="2026-02-01"), all_time=True).total == 0
    assert contradictions(db, basis(recorded_by="2026-02-01"), all_time=True).total == 1


def every_few_decisions() -> list[tuple[oracle.Decision, ...]]:
    """Give every set of up to two decisions over three claims, and three in a row."""
    kinds: list[tuple[Any, int | None]] = [("supersede", 5), ("changed", 9), ("correct", None)]
    ones = [oracle.Decision(kind, *pair, seen) for kind, seen in kinds for pair in permutations("xyz", 2)]
    rows = [(a, b, c) for a, b, c in combinations([one for one in ones if one.kind != "changed"], 3)]
    return [(), *((one,) for one in ones), *combinations(ones, 2), *rows]


@pytest.mark.parametrize("observed_by", [20, *(pytest.param(at, marks=pytest.mark.slow) for at in (4, 5))])
def test_links_of_every_few_decisions(observed_by: int) -> None:
    """K8: no pair that a verb linked conflicts, followed through corrections; every other pair does."""
    builder, wanted = build(), {}
    for place_no, decisions in enumerate(every_few_decisions()):
        subject = f"s{place_no}"
        ids = {name: builder.claim(f"${value}", subject=subject, start=0, source=name, observed=0)
               for value, name in enumerate("xyz", 1)}  # fmt: skip
        for one in decisions:
            names = (ids[one.claim], ids[one.other])
            if one.seen is None:
                builder.correct(*names, 3)
            else:
                builder.supersede(*names, one.seen, one.seen, one.kind)
        linked = oracle.links(decisions, observed_by)
        apart = {frozenset(pair) for pair in combinations("xyz", 2)} - linked
        wanted[subject] = {frozenset(ids[name] for name in pair) for pair in apart}
    report = contradictions(builder.build(), basis(observed_by=observed_by), all_time=True)
    found = {card.subject: {frozenset(pair.claims) for pair in card.pairs} for card in report.cards}
    assert {subject: found.get(subject, set()) for subject in wanted} == wanted


def test_an_exception_whose_end_is_unknown_is_one() -> None:
    """K6, T6: "for a limited time" lies inside the open claim of its source; another source's does not."""
    builder = build()
    soon = ("2026-03-05T00:00:00.000001Z", None)
    for subject, source in (("Lark", "a"), ("Wren", "b")):
        builder.claim("$3", subject=subject, start="2026-01-01", source="a", observed=0, readings=["2026-03-06"])
        builder.claim("$1", subject=subject, start="2026-03-01", end=soon, source=source, observed="2026-03-05")
    assert [(card.subject, dict(card.counts)) for card in every(builder.build()).cards] == [("Wren", {"hard": 1})]


@pytest.mark.slow
def test_a_withdrawn_source_contradicts_nobody() -> None:
    """R2, A3: from the withdrawal on its claims are counted and say nothing, not even in remarks; earlier they did."""
    builder = build()
    builder.claim("$3", start="2026-01-01", source="a", observed="2026-01-05")
    builder.claim("$2", start="2026-01-01", source="gone", observed="2026-01-06")
    builder.claim("$2", start="2026-01-01", source="gone", observed="2026-01-06", scope={"mode": "batch"})
    builder.claim("$3", start="2026-01-01", end="2026-05-01", source="gone", observed="2026-01-06")
    builder.withdraw("gone", "2026-04-01")
    db = builder.build()
    before, after = (
        contradictions(db, basis(recorded_by=by), all_time=True, information=True)
        for by in ("2026-03-31", "2026-04-01")
    )
    assert (before.total, before.silent["source_withdrawn"], len(before.remarks) > 0) == (1, 0, True)
    assert (after.total, after.silent["source_withdrawn"], after.remarks) == (0, 3, ())


@pytest.mark.slow
def test_a_withdrawn_source_says_nothing_of_a_lifetime() -> None:
    """K9, R2: neither that a subject is available, nor that something of it holds beyond."""
    builder = build()
    builder.declare("available", kind="bool", lifetime_of="subject")
    for subject, available, price in (("Lark", "gone", "a"), ("Wren", "a", "gone"), ("Heron", "a", "a")):
        builder.claim("yes", subject=subject, predicate="available", start=0, end=5, source=available, observed=0)
        builder.claim("$1", subject=subject, start=0, source=price, observed=0)
    builder.withdraw("gone", 10)
    db = builder.build()
    assert [one.subject for one in every(db).outside_lifetime] == ["Heron"]
    assert len(contradictions(db, basis(recorded_by=9), all_time=True).outside_lifetime) == 3


def test_a_page_shows_what_a_person_can_do() -> None:
    """K3, K9, R2: where to close a predecessor, what outlives its subject, and a warning beside a flagged claim."""
    builder = build()
    builder.declare("available", kind="bool", lifetime_of="subject")
    builder.source("mirror", derived_from="https://gone.example/page")
    one = builder.claim("$3", start="2026-01-01", source="mirror", observed="2026-01-05")
    builder.claim("$2", start="2026-02-01", source="mirror", observed="2026-02-05")
    builder.claim("yes", predicate="available", start="2026-01-01", end="2026-06-01", source="a", observed="2026-01-05")
    builder.withdraw("gone", "2026-04-01")
    page = tables.written(tables.contradictions, every(builder.build()).to_json())
    assert f"to close: {one}, perhaps at 2026-02-01T00:00:00Z" in page
    assert f"{one}: Lark 2 (Norden AI) · price from 2026-06-01T00:00:00Z" in page
    assert page.count("warning: derived from a withdrawn source") == 2


def test_says_nothing_decides_nothing() -> None:
    """V2, P3: an unread value and a score without its method are no side of a contradiction, not even information."""
    builder = build()
    builder.claim("$3", start="2026-01-01", source="a", observed=0)
    builder.claim("see the page", unread=True, start="2026-01-01", source="b", observed=0)
    for source, value in (("a", "6.57"), ("b", "7.01")):
        builder.claim(value, predicate="score", start="2026-01-01", source=source, observed=0)
        builder.claim(value, predicate="score", scope={"method": "x"}, start="2026-01-01", source=source, observed=0)
    report = every(builder.build(), information=True)
    assert [(card.predicate, dict(card.scope)) for card in report.cards] == [("score", {"method": "x"})]
    assert set(report.information.values()) == {0}
    assert report.silent == {"unread": 1, "scope_missing": 2, "source_withdrawn": 0}


def test_information_is_counted_and_listed_on_request() -> None:
    """K3, V2: another scope, no common unit, another stated end: no contradiction."""
    builder = build()
    builder.claim("20", subject="Unit", start="2026-01-01", source="a", observed=0)
    builder.claim("20 EUR/Mtok", subject="Unit", start="2026-01-01", source="b", observed=0)
    builder.claim("$3", subject="Scope", start="2026-01-01", source="a", observed=0)
    builder.claim("$2", subject="Scope", start="2026-01-01", source="b", observed=0, scope={"mode": "batch"})
    builder.claim("$2", subject="End", start="2026-01-01", end="2026-03-01", source="a", observed=0)
    builder.claim("$2", subject="End", start="2026-01-01", end="2026-04-01", source="b", observed=0)
    builder.claim("$2", subject="Later", start="2026-01-01", end="2026-02-01", source="a", observed=0)
    builder.claim("$2", subject="Later", start="2026-02-01", end="2026-03-01", source="b", observed=0)
    db = builder.build()
    report = every(db)
    assert (report.cards, report.remarks) == ((), ())
    assert report.information == {"scope_differs": 1, "incomparable_units": 1, "end_differs": 1}
    remarks = {remark.subject: remark for remark in every(db, information=True).remarks}
    assert {name: remark.kind for name, remark in remarks.items()} == {
        "Unit": "incomparable_units", "Scope": "scope_differs", "End": "end_differs",
    }  # fmt: skip
    assert [dict(scope) for scope in sorted(remarks["Scope"].scopes, key=len)] == [{}, {"mode": "batch"}]


def test_merged_subjects_and_predicates_share_a_slot() -> None:
    """P2: aliases are resolved at read, by recorded time, and can be undone."""
    builder = build()
    one = builder.claim("$3", subject="Quill Three", start="2026-01-01", source="a", observed=0)
    other = builder.claim("$2", subject="Quill 3", start="2026-01-01", source="a", observed=0)
    ids = (builder.subject("Quill Three"), builder.subject("Quill 3"))
    builder.alias("subject", *ids, recorded="2026-03-01")
    builder.alias("subject", *ids, recorded="2026-05-01", revoked=True)
    db = builder.build()
    found = {
        by: listed(contradictions(db, basis(recorded_by=by), all_time=True, subjects=["quill THREE"]))
        for by in ("2026-02-01", "2026-04-01", "2026-06-01")
    }
    assert found == {"2026-02-01": [], "2026-04-01": [("hard", {one, other}, [("2026-01-01", None)])], "2026-06-01": []}


def test_conflict_exists_while_both_are_visible() -> None:
    """A1, A3: on the recorded axis; a claim retracted later still disputes at an earlier basis."""
    builder = build()
    builder.claim("$3", start="2026-01-01", source="a", observed="2026-01-05")
    builder.claim("$2", start="2026-01-01", source="b", observed="2026-01-20", retracted="2026-03-01")
    db = builder.build()
    totals = [
        contradictions(db, basis(recorded_by=by), all_time=True).total
        for by in ("2026-01-10", "2026-02-01", "2026-03-01")
    ]
    assert totals == [0, 1, 0]


@pytest.mark.slow
def test_the_id_is_stable_and_names_slot_and_claims() -> None:
    """K7: equal whatever order of arrival and however the interval moves; another slot has another id."""
    ids = []
    for flip, end in ((False, None), (True, "2026-06-01")):
        builder = build()
        for source, value in sorted((("a", "$3"), ("b", "$2")), reverse=flip):
            builder.claim(value, start="2026-01-01", cut=end, source=source, observed=0)
        ids.append(every(builder.build()).pairs[0].id)
    builder = build()
    for source, value in (("a", "$3"), ("b", "$2")):
        builder.claim(value, subject="Other", start="2026-01-01", source=source, observed=0)
    assert ids[0] == ids[1] != every(builder.build()).pairs[0].id


@pytest.mark.slow
def test_claims_past_the_lifetime_are_reported() -> None:
    """K9: certain outside every possible interval of `available`; what is unknown or timeless is not reported."""
    builder = build()
    builder.declare("available", kind="bool", lifetime_of="subject")
    builder.declare("released", kind="date", timeless=True)
    alive = (("2025-01-01", "2025-06-01"), ("2025-02-01", "2025-03-01"), ("2025-05-01", ("2026-02-01", "2026-03-01")))
    for start, end in alive:
        builder.claim("yes", predicate="available", start=start, end=end, source="a", observed="2026-03-02")
    builder.claim("no", predicate="available", start="2026-03-01", source="a", observed="2026-03-02")
    price = builder.claim("$1", start="2024-12-01", source="a", observed="2026-03-02")
    builder.claim("$1", subject="Wren", start="2025-01-01", source="a", observed="2026-03-02")
    builder.claim("2025-01-01", predicate="released", start="1990-01-01", source="a", observed="2026-03-02")
    db = builder.build()
    report = every(db)
    assert [(one.claim_id, day(one.outside.start), day(one.outside.end)) for one in report.outside_lifetime] == [
        (price, "2024-12-01", "2025-01-01"), (price, "2026-03-01", None),
    ]  # fmt: skip
    assert [one.claim_id for one in contradictions(db, basis("2026-03-01")).outside_lifetime] == [price]
    assert contradictions(db, basis("2026-02-15")).outside_lifetime == ()


@pytest.mark.slow
def test_filters_by_name() -> None:
    """K1: names in any case, aliases too; an unknown name finds nothing rather than everything."""
    builder = build()
    for subject, provider in (("Lark", "Norden AI"), ("Wren", "Tarn")):
        for source, value in (("a", "$3"), ("b", "$2")):
            builder.claim(value, subject=subject, provider=provider, start="2026-01-01", source=source, observed=0)
    db = builder.build()
    asked = [{}, {"subjects": ["LARK"]}, {"providers": ["tarn"]}, {"predicates": ["price"]}, {"predicates": ["status"]},
             {"subjects": ["nobody"]}, {"subjects": ["lark"], "providers": ["tarn"]}]  # fmt: skip
    assert [len(every(db, **one).cards) for one in asked] == [2, 1, 1, 2, 0, 0, 0]


# -- the oracle -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class World:
    """Two versions of one subject, once for the oracle and once as rows."""

    one: Held
    other: Held | None
    stated: tuple[tuple[int | None, int | None] | None, ...]
    linked: bool = False


def place(builder: Builder, subject: str, world: World, predicate: str) -> None:
    """Put a world's two versions into the base under one subject."""
    ids = []
    for held, stated_end in zip(filter(None, (world.one, world.other)), world.stated, strict=True):
        fe, fl, ue, ul = held.bounds
        observed, *again = held.readings
        ids.append(builder.claim(
            text(held.value), subject=subject, predicate=predicate, source=held.source, start=(fe, fl),
            end=stated_end, cut=None if ue is None else (ue, ul), dated=held.dated, bounded=held.bounded,
            absent=held.absent, complete=held.complete, scope={"mode": held.scope} if held.scope else None,
            observed=observed, readings=again, handle=held.claim,
        ))  # fmt: skip
    if world.linked:
        builder.supersede(ids[0], ids[1], 0, 0)
    for held in filter(None, (world.one, world.other)):
        if held.withdrawn and held.source not in builder.withdrawn:
            builder.withdraw(held.source, 0)


def text(value: Value) -> str:
    """Write an oracle's value as a source would."""
    if value.kind == "text":
        return value.text
    low, high = (str(value.low), str(value.high))
    unit = {"eur": " EUR/Mtok", "usd": ""}[value.dimension or ""]
    return (low if low == high else f"{low}-{high}") + unit


def expected(world: World, tolerance: Fraction = Fraction(0), single: bool = True) -> set[tuple[Any, ...]]:
    """Ask the oracle."""
    claims = frozenset({world.one.claim, world.other.claim})
    pair = oracle.contradiction(
        world.one, world.other, single=single, tolerance=tolerance,
        linked=frozenset({claims}) if world.linked else frozenset(),
    )  # fmt: skip
    return {(pair.kind, pair.disputed.start, pair.disputed.end)} if pair else set()


def found(db: Db) -> dict[str, set[tuple[Any, ...]]]:
    """Ask the product for everything, information included."""
    report = every(db, information=True)
    answer: dict[str, set[tuple[Any, ...]]] = {}
    for card in report.cards:
        for pair in card.pairs:
            for interval in pair.disputed:
                answer.setdefault(card.subject, set()).add((pair.kind, hours(interval.start), hours(interval.end)))
    for remark in report.remarks:
        if remark.kind != "end_differs":
            entry = (remark.kind, hours(remark.shared.start), hours(remark.shared.end))
            answer.setdefault(remark.subject, set()).add(entry)
    return answer


def hours(moment: datetime | None) -> int | None:
    """Give an instant as the test world counts."""
    return None if moment is None else (moment - ZERO) // timedelta(hours=1)


@pytest.fixture(autouse=True)
def bounded_successors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a later bounded claim of another source be a succession too, as the shared case contradictions-09 has it."""
    rule = oracle.unconfirmed
    monkeypatch.setattr(oracle, "unconfirmed", lambda earlier, later: rule(earlier, replace(later, bounded=False)))


def held(
    rng: random.Random, claim: str, source: str, bounds: Bounds, value: Value
) -> tuple[Held, tuple[int | None, int | None] | None]:
    """Draw what a source may have stated for a version with these bounds, and the end it stated."""
    ends = (bounds.until_earliest, bounds.until_latest)
    bounded = ends[0] is not None and rng.random() < 0.6
    inferred = ends[0] is not None and (not bounded or rng.random() < 0.3)
    stated = ends if bounded else None
    if bounded and inferred and ends[0] is not None:
        # a stated end that readings cut short; its later bound may stay
        kept = ends[1] is not None and ends[0] < ends[1] and rng.random() < 0.5
        stated = (ends[1], ends[1]) if kept else (ends[0] + 5, ends[0] + 6)
    readings = tuple(sorted(rng.sample(range(5), rng.randint(1, 2))))
    return Held(
        claim, source, value, bounds, dated=bounds.from_latest is None or rng.random() < 0.6, bounded=bounded,
        inferred_end=inferred, readings=readings, scope=rng.choice(["", "", "", "", "", "batch"]),
        absent=rng.random() < 0.1,
    ), stated  # fmt: skip


def world(rng: random.Random, bounds: tuple[Bounds, Bounds], sources: str) -> World:
    """Draw a world of two versions."""
    values = [number(3, "usd"), number(2, "usd"), between(2, 5, "usd"), number(3, "eur")]
    (one, first), (other, second) = (
        held(rng, claim, source, b, rng.choice(values))
        for claim, source, b in zip(("x", "y"), sources, bounds, strict=True)
    )
    gone = set(rng.sample("ab", 1)) if rng.random() < 0.1 else set()
    one, other = (
        replace(held, source=f"{held.source}-gone", withdrawn=True) if held.source in gone else held
        for held in (one, other)
    )
    return World(one, other, (first, second), linked=rng.random() < 0.03)


def compare(worlds: dict[str, World], predicate: str = "price") -> None:
    """Put all worlds into one base and compare subject by subject."""
    builder = build()
    for subject, one in worlds.items():
        place(builder, subject, one, predicate)
    answer = found(builder.build())
    wrong = {name: (answer.get(name, set()), expected(one), one) for name, one in worlds.items()
             if answer.get(name, set()) != expected(one)}  # fmt: skip
    assert not wrong, next(iter(wrong.values()))


def test_every_pair_of_known_intervals(rng: random.Random) -> None:
    """K1-K3, K6: all pairs of intervals in a world of four instants, one source or two, whatever was read when."""
    worlds: dict[str, World] = {}
    for bounds in product(known_bounds(), repeat=2):
        for sources, reading in product(("aa", "ab"), range(5)):
            (one, first), (other, second) = (
                (Held(claim, source, number(price, "usd"), b, dated=True, bounded=b.until_earliest is not None,
                      readings=(reading,)), b[2:] if b.until_earliest is not None else None)
                for claim, source, price, b in zip("xy", sources, (3, 2), bounds, strict=True)
            )  # fmt: skip
            worlds[f"s{len(worlds)}"] = World(one, other, (first, second))
    assert sum(bool(expected(one)) for one in worlds.values()) > 100
    compare(worlds)


@pytest.mark.slow
def test_every_pair_of_imprecise_intervals(rng: random.Random) -> None:
    """K1-K8, T5, T8, W2: all pairs of legal bounds in a world of three instants, statements drawn at random."""
    pairs = product(legal_bounds((0, 1, 2)), repeat=2)
    worlds = {f"s{n}": world(rng, bounds, rng.choice(["aa", "ab"])) for n, bounds in enumerate(pairs)}
    kinds = {kind for one in worlds.values() for kind, *_ in expected(one)}
    assert kinds >= {"hard", "possible", "absence", "scope_differs", "incomparable_units"}
    compare(worlds)


@pytest.fixture(scope="module")
def shared_builder() -> Builder:
    """One base for all examples; each takes a subject of its own."""
    return build()


CROWDS = st.lists(st.tuples(st.sampled_from(list(legal_bounds())), st.integers(0, 2**30)), min_size=2, max_size=12)


@pytest.mark.slow
@settings(max_examples=4, suppress_health_check=[HealthCheck.too_slow])
@given(CROWDS)
def test_many_claims_in_one_slot(shared_builder: Builder, drawn: list[tuple[Bounds, int]]) -> None:
    """K10: the sweep finds exactly the pairs that comparing each with each finds, ties included."""
    compare_crowd(shared_builder, drawn)


@pytest.mark.slow
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(CROWDS)
def test_very_many_claims_in_one_slot(shared_builder: Builder, drawn: list[tuple[Bounds, int]]) -> None:
    """K10: the same, at length."""
    compare_crowd(shared_builder, drawn)


def compare_crowd(shared_builder: Builder, drawn: list[tuple[Bounds, int]]) -> None:
    """Put claims into one slot and compare the pairs found."""
    subject = f"slot{shared_builder.versions}"
    versions = []
    for count, (bounds, seed) in enumerate(drawn):
        rng = random.Random(seed)
        price = number(rng.choice([1, 1, 1, 2, 3]), "usd")
        one, stated = held(rng, f"c{count}", rng.choice("ab"), bounds, price)
        versions.append(replace(one, scope=""))
        place(shared_builder, subject, World(versions[-1], None, (stated,)), "price")
    counts: dict[str, int] = {}
    for pair in oracle.contradictions(versions):
        counts[pair.kind] = counts.get(pair.kind, 0) + 1
    report = every(shared_builder.build(), subjects=[subject])
    assert dict(report.counts) == {kind: n for kind, n in counts.items() if kind not in oracle.INFORMATION}


@pytest.mark.slow
def test_a_crowded_slot_is_swept(rng: random.Random) -> None:
    """K10: beyond a hundred claims a sweep finds the very pairs that comparing each with each finds."""
    builder = build()
    bounds = list(legal_bounds((0, 1, 2, 3, 4)))
    versions = []
    for count in range(170):
        price = number(rng.choice([1, 1, 1, 1, 2, 3]), "usd")
        one, stated = held(rng, f"c{count}", rng.choice("abc"), rng.choice(bounds), price)
        versions.append(replace(one, scope=""))
        place(builder, "Lark", World(versions[-1], None, (stated,)), "price")
    counts: dict[str, int] = {}
    for pair in oracle.contradictions(versions):
        counts[pair.kind] = counts.get(pair.kind, 0) + 1
    (card,) = every(builder.build()).cards
    assert dict(card.counts) == {kind: n for kind, n in counts.items() if kind not in oracle.INFORMATION}
    assert len(card.pairs) == 100 < sum(card.counts.values())


@pytest.mark.slow
def test_too_many_pairs_are_counted_not_examined() -> None:
    """K10: 800 claims that all differ make 319,600 pairs; those beyond a quarter of a million are counted as such."""
    builder = build()
    for count in range(800):
        builder.claim(str(count), start=0, source=f"s{count % 7}", observed=1)
    (card,) = every(builder.build()).cards
    assert set(card.counts) == {"hard", "unexamined"}
    assert sum(card.counts.values()) == 800 * 799 // 2
    assert card.counts["hard"] <= 250_000


@pytest.mark.slow
def test_equal_values_with_other_ends_are_counted_by_a_sweep(rng: random.Random) -> None:
    """K3: end_differs counts the pairs of one value that share an instant and state different ends."""
    worlds: dict[str, list[Held]] = {}
    builder = build()
    for slot in range(60):
        for count in range(rng.randint(2, 7)):
            bounds = rng.choice(list(legal_bounds()))
            one, stated = held(rng, f"c{count}", rng.choice("ab"), bounds, number(rng.choice([1, 1, 2]), "usd"))
            worlds.setdefault(f"s{slot}", []).append(replace(one, scope=""))
            place(builder, f"s{slot}", World(worlds[f"s{slot}"][-1], None, (stated,)), "price")
    pairs = [(one, other) for versions in worlds.values() for one, other in combinations(versions, 2)]
    wanted = sum(oracle.end_differs(one, other) and share_an_instant(one.bounds, other.bounds) for one, other in pairs)
    report = every(builder.build(), information=True)
    assert report.information["end_differs"] == wanted > 0
    assert sum(remark.kind == "end_differs" for remark in report.remarks) == wanted


def share_an_instant(one: Bounds, other: Bounds) -> bool:
    """Say whether both may hold at once, counted from where each is stated to begin."""
    begins = [b.from_latest if b.from_earliest is None else b.from_earliest for b in (one, other)]
    ends = [b.until_latest for b in (one, other)]
    return all(end is None or begin is None or begin < end for begin, end in zip(reversed(begins), ends, strict=True))


def test_results_show_themselves() -> None:
    """K7, A6: plain data, rows and an escaped table; the text of a source never becomes markup."""
    builder = build()
    for source, value in (("a", "<b>open</b>"), ("b", "closed")):
        builder.claim(value, predicate="status", start="2026-01-01", source=source, observed=0)
    report = every(builder.build())
    assert "<b>" not in report._repr_html_()
    assert report.to_json()["basis"]["valid_at"] == iso(report.basis.valid_at)
    assert [row["kind"] for row in report.rows()] == ["hard"]
    assert repr(report) == "<ContradictionReport: 1 contradiction in 1 slot: 1 hard>"


def test_a_side_counts_its_voices() -> None:
    """R1, K10: what restates one page is one voice on its side of a dispute, however many claims it makes."""
    builder = build()
    for name, described in {
        "herald": {},
        "relay": {"derived_from": "https://herald.example/page"},
        "other": {},
    }.items():
        builder.source(name, **described)
    for name, value in (("herald", "2"), ("relay", "2"), ("other", "3")):
        builder.claim(value, start="2026-02-01", source=name, observed="2026-02-02")
    (card,) = contradictions(builder.build(), basis(), all_time=True).cards
    assert {side.value_key: (len(side.claims), side.voices) for side in card.sides} == {"2": (2, 1), "3": (1, 1)}
