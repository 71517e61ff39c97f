from __future__ import annotations

import json
import random
from datetime import timedelta
from typing import Any

import pytest
from builder import World, day
from test_answer_parts import PRICE, WINDOW, ask, priced

from claimbase.answers import answer
from claimbase.errors import ConstraintError, EvidenceError, InputError, LimitError, VocabularyError

# -- buckets, filters, order ---------------------------------------------------------------------------------------


def shop() -> World:
    """Four subjects: cheap and large, cheap and small, dear and large, cheap with an unknown size."""
    world = priced(5, 6, 50, 7)
    for name, size in zip("ABC", (200, 8, 200), strict=True):
        world.claim(name, "window", size, unit="token")
    return world


def test_buckets_near_misses_and_the_sentence() -> None:
    """Q2, Q3: near misses fail one of two; their reason and value are named; the sentence counts the sets."""
    result = ask(shop(), "window >= 100", "price <= 10")
    assert [one.subject for one in result.eligible] == ["A"]
    missing = {one.subject: one.missing for one in result.near_misses}
    assert {name: (v.predicate, v.verdict, v.value) for name, v in missing.items() if v} == {
        "B": ("window", "failed", "8"),
        "C": ("price", "failed", "50"),
        "D": ("window", "no_evidence", None),
    }
    assert result.summary == "1 subject satisfies every stated constraint, supported by 2 claims; 3 near misses"
    assert ask(priced(50), "price <= 10").summary == "no subject has evidence satisfying every constraint"


def test_a_near_miss_list_may_be_cut_and_says_so() -> None:
    """Q3: near misses are counted in full, also where only some are listed."""
    result = ask(shop(), "window >= 100", "price <= 10", near_limit=1)
    assert ([one.subject for one in result.near_misses], result.counts["near_misses"]) == (["B"], 3)
    assert result.notes == ("listed: 1 of 3 near misses",)


def test_the_policy_any_makes_disputed_subjects_eligible() -> None:
    """Q2: with "any" some claim that satisfies is enough; disputed subjects are listed apart all the same."""
    world = priced(5)
    world.claim("A", "price", 50, unit="usd", source="s2")
    world.claim("B", "price", 50, unit="usd")
    world.claim("B", "price", "none", absent=True, source="s2")
    certain, either = ask(world, "price <= 10"), ask(world, "price <= 10", policy="any")
    assert [[one.subject for one in result.eligible] for result in (certain, either)] == [[], ["A"]]
    assert [[one.subject for one in result.disputed] for result in (certain, either)] == [["A", "B"], ["A", "B"]]


def test_filters_of_subjects() -> None:
    """Q12: providers and subjects narrow who is asked, are echoed, and named subjects are all returned."""
    world = World([PRICE])
    for provider, name in (("Norden", "A"), ("norden", "B"), ("Ost", "C")):
        world.claim(name, "price", 5, unit="usd", provider=provider)
    only = ask(world, "price <= 10", providers="NORDEN")
    assert ([one.subject for one in only.eligible], only.filters) == (["A", "B"], {"providers": ["NORDEN"]})
    assert [one.subject for one in ask(world, "price <= 10", providers_not=["Norden"]).eligible] == ["C"]
    named = ask(world, "price <= 1", subjects=["c", "nobody"])
    assert (named.verdicts(), named.counts["asked"]) == ({"C": ("failed",)}, 1)
    assert ask(world, "price <= 1", subjects=["nobody"]).subjects() == ()


@pytest.mark.slow
def test_filters_of_sources() -> None:
    """Q12: only admitted sources count, as they described themselves last within the basis; the rest is counted."""
    world = World([PRICE])
    world.source("own", authority="subject_authored", source_type="pricing")
    world.source("list", authority="aggregator")
    world.claim("A", "price", 5, unit="usd", source="own")
    world.claim("A", "price", 50, unit="usd", source="list")
    world.claim("B", "price", 5, unit="usd", source="list")
    for narrowed in ({"authorities": "primary"}, {"source_types": ["pricing"]}, {"sources": "own"}):
        result = ask(world, "price <= 10", everyone=True, **narrowed)
        assert (result.verdicts(), result.counts["left_out"]) == ({"A": ("met",)}, 2)
    assert result.notes == ("left out: 2 claims of other sources",)
    described = ("T", "P", None, "other", "subject_authored", None)
    world.add("source_attribute", world.source("list"), day(50), *described, day(50))
    assert ask(world, "price <= 10", authorities="primary", everyone=True).verdicts() == {
        "A": ("disputed",),
        "B": ("met",),
    }


def test_show_adds_citations_and_moves_nobody() -> None:
    """Q12: show= cites further predicates of the subjects returned and never changes a bucket."""
    result = ask(shop(), "price <= 10", show="window")
    assert [one.subject for one in result.eligible] == ["A", "B", "D"]
    shown = [(one.subject, one.predicate, one.value) for one in result.citations if one.role == "shown"]
    assert shown == [("A", "window", "200"), ("B", "window", "8")]


def test_ranking_by_the_bound_that_is_worst_for_the_wish() -> None:
    """Q11: cheapest goes by the greatest value_max, largest by the least value_min; a missing bound is the worst."""
    world = World([PRICE])
    for name, bounds in {"A": (5, 5), "B": (1, 9), "C": (4, None), "D": (7, 7), "E": (7, 7)}.items():
        world.claim(name, "price", "range", bounds=bounds, unit="usd")
    assert [one.subject for one in ask(world, order_by="price").ranked] == ["A", "D", "E", "B", "C"]
    assert [one.subject for one in ask(world, order_by=("price", "desc")).ranked] == ["D", "E", "A", "C", "B"]


def test_ranking_puts_disputed_possible_and_missing_last() -> None:
    """Q7, Q11: eligible first, then disputed and possible, those without a value last; exists is implied."""
    world = shop()
    world.claim("E", "window", 300, unit="token", start=(day(50), day(150)))
    world.claim("F", "window", 300, unit="token", source="s2")
    world.claim("F", "window", 5, unit="token", source="s3")
    result = ask(world, "window >= 100", order_by=("price", "desc"))
    assert [one.subject for one in result.ranked] == ["C", "A"]
    ranked = ask(world, "window exists", order_by="window")
    assert [one.subject for one in ranked.ranked] == ["A", "C", "B", "F", "E"]
    assert ask(world, "price <= 60", order_by="window").ranked[-1].subject == "D"


@pytest.mark.slow
def test_limit_and_offset_page_the_ranking() -> None:
    """Q11: limit and offset cut the ranked subjects; the counts stay whole."""
    world = priced(4, 3, 2, 1)
    pages = [ask(world, order_by="price", limit=2, offset=offset) for offset in (0, 2, 4)]
    assert [[one.subject for one in page.ranked] for page in pages] == [["D", "C"], ["B", "A"], []]
    assert [page.counts["eligible"] for page in pages] == [4, 4, 4]
    assert pages[0].summary == "4 subjects satisfy every stated constraint; 2 listed, supported by 2 claims"


# -- what is cited, how fresh, how shown ---------------------------------------------------------------------------


def test_a_citation_carries_what_a_reader_needs() -> None:
    """Q4: value as written, normalised value, quote, source, interval in words, role."""
    world = World([PRICE])
    world.claim("A", "price", 5, unit="usd", end=(day(365), day(365)), source="own")
    (citation,) = ask(world, "price <= 10").citations
    assert (citation.value, citation.normalized_value, citation.unit, citation.quote) == ("5", "5", "usd", "A price 5")
    assert (citation.role, citation.certain, citation.prose) == ("yes", True, True)
    assert (citation.url, citation.title, citation.publisher) == ("own", "T own", "Publisher")
    assert citation.valid == "since 2026-01-01, ended on 2027-01-01"
    assert citation.claim_id.startswith("c_")


@pytest.mark.parametrize(
    ("start", "end", "dated", "bounded", "reason"),
    [
        ((None, day(150)), (None, None), False, False, "start unknown"),
        ((day(50), day(150)), (None, None), True, False, "start unknown"),
        ((day(50), day(150)), (None, None), False, False, "between readings"),
        ((day(0), day(0)), (day(50), day(150)), False, False, "between readings"),
        ((day(0), day(0)), (day(50), day(150)), True, True, "end unknown"),
        ((day(0), day(0)), (day(50), None), True, True, "end unknown"),
        ((day(0), day(0)), (day(50), None), True, False, "unconfirmed"),
    ],
)
def test_why_a_claim_is_only_possible(start: Any, end: Any, dated: bool, bounded: bool, reason: str) -> None:
    """Q1: every possible carries its reason."""
    world = World([PRICE])
    world.claim("A", "price", 5, unit="usd", start=start, end=end, dated=dated, bounded=bounded)
    result = ask(world, "price <= 10")
    assert result.possible[0].verdicts[0].reason == reason
    vague = World([PRICE])
    vague.claim("A", "price", "5-20", bounds=(5, 20), unit="usd")
    assert ask(vague, "price <= 10").possible[0].verdicts[0].reason == "value"


def test_freshness_is_the_age_of_the_supporting_claims_at_observed_by() -> None:
    """Q9: at observed_by, by each predicate's limit; exactly as old is not stale; a later reading refreshes."""
    world = World([PRICE, WINDOW], now=day(100))
    old = world.claim("A", "price", 5, unit="usd", observed=day(60))
    world.claim("B", "price", 5, unit="usd", observed=day(70))
    again = world.claim("C", "price", 5, unit="usd", observed=day(10))
    ids = (world.predicate("price"), world.subject("C"), 0, world.source("s"))
    world.add("entry", *ids, again, day(90), None, "said", again, day(90))
    world.add("entry", *ids, again, day(95), None, "unreachable", again, day(95))
    for name in "ABC":
        world.claim(name, "window", 9, unit="token", observed=day(20))
    fresh = ask(world, "price <= 10", "window >= 1").freshness
    assert (fresh.newest, fresh.oldest, fresh.at) == (day(90), day(20), day(100))
    assert (fresh.stale, fresh.stale_claims) == (1, (f"c_{old:016x}",))
    assert {name: block["stale"] for name, block in fresh.by_predicate.items()} == {"price": 1, "window": 0}


def test_a_source_read_whole_was_last_seen_at_its_newest_reading() -> None:
    """Q9, T8: silence of a source read whole means "still said" at each of its readings within the basis."""
    world = World([PRICE], now=day(100))
    world.claim("A", "price", 5, unit="usd", observed=day(10))
    source = world.source("s")
    world.add("source_mode", source, True, False, False, day(10))
    for number in (10, 80, 99):
        world.add("reading", source, day(number), "read", True, None, None, day(number))
    assert ask(world, "price <= 10").freshness.newest == day(99)


def test_notes_name_what_is_projected_and_what_cannot_hold() -> None:
    """A5, X44: an instant to come is labelled; constraints that exclude each other give an empty answer and say so."""
    world = priced(5)
    assert ask(world, "price <= 10", at=world.now + timedelta(days=1)).notes == (
        "projected: the instant asked for has not come yet",
    )
    result = ask(world, "price <= 2", "price >= 3")
    assert (result.eligible, result.notes) == ((), ("price <= 2 and price >= 3 exclude each other",))


def test_an_answer_replays_from_its_sql_and_parameters() -> None:
    """A6: the statement and its parameters give the same rows again; the same answer is the same data."""
    world = shop()
    db = world.build()
    first, second = (answer(db, world.vocabulary, "price <= 10", world.basis(day(100))) for _ in range(2))
    assert first == second
    rows = db.query(first.sql, first.params).dicts()
    assert [row["name"] for row in rows if row["test"] is None] == ["A", "B", "D"]
    assert set(first.versions) == {"engine", "schema", "vocabulary"}
    assert json.loads(json.dumps(first.to_json())) == first.to_json()


def test_rows_of_each_step_are_those_it_has_alone() -> None:
    """Q8: the plan names the steps that ran, each with its SQL and the number of its rows."""
    world = shop()
    db = world.build()
    options: dict[str, Any] = {"providers": "P", "source_types": "other", "order_by": "price"}
    result = answer(db, world.vocabulary, ["price[any] <= 10", "window >= 1"], world.basis(day(100)), **options)
    *steps, citations = result.plan
    done: list[str] = []
    for step in steps:
        done.append(f'"{step.name}" AS ({step.sql})')
        text = f"WITH {', '.join(done)} SELECT count(*) FROM {step.name}"  # noqa: S608  # steps of the plan itself
        params = {name: value for name, value in result.params.items() if f"${name}" in text}
        assert step.rows == db.query(text, params).rows[0][0], step.name
    assert (citations.name, citations.rows) == ("citations", len(result.citations))


def test_the_order_of_an_answer_does_not_depend_on_arrival(rng: random.Random) -> None:
    """C16, B6: subjects by provider and name, citations by claim and start, whatever came first."""
    claims = [(name, price, source) for name in "BAC" for price in (5, 6) for source in ("s1", "s2")]
    shown = []
    for _ in range(4):
        rng.shuffle(claims)
        world = World([PRICE])
        for name, price, source in claims:
            world.claim(name, "price", price, unit="usd", source=source)
        result = ask(world, "price <= 10")
        shown.append([(one.subject, one.value, one.url) for one in result.citations])
        assert [one.claim_id for one in result.citations] == [
            one.claim_id for part in result.eligible for one in sorted(part.citations, key=lambda c: c.claim_id)
        ]
    assert [sorted(rows) for rows in shown] == [sorted(shown[0])] * 4
    assert all([row[0] for row in rows] == sorted(row[0] for row in rows) for rows in shown)


@pytest.mark.slow
def test_frames_hold_the_rows() -> None:
    """Q4: rows, pandas, polars and Arrow say the same, in the same order."""
    result = ask(shop(), "price <= 10")
    rows = result.rows()
    assert [row["subject"] for row in rows] == ["A", "B", "D"]
    assert result.df()["subject"].tolist() == result.pl()["subject"].to_list() == ["A", "B", "D"]
    assert result.arrow().column("quote").to_pylist() == [row["quote"] for row in rows]
    assert repr(result).startswith("<Answer as of 2026-04-11T00:00:00Z: 3 subjects satisfy")


def test_html_is_escaped() -> None:
    """Q4: what a source wrote stays text."""
    world = World([PRICE])
    world.claim("<script>", "price", 5, unit="usd")
    page = ask(world, "price <= 10")._repr_html_()
    assert "<script>" not in page
    assert "&lt;script&gt;" in page


# -- refusals ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("conditions", "options", "error", "code"),
    [
        ([], {}, ConstraintError, "no_constraints"),
        (["nothing >= 1"], {}, VocabularyError, "unknown_predicate"),
        (["price contains x"], {}, ConstraintError, "operator_mismatch"),
        (["price <= 1"], {"order_by": "license"}, ConstraintError, "bad_order"),
        (["price <= 1"], {"order_by": ("price", "up")}, ConstraintError, "bad_order"),
        (["price <= 1"], {"limit": -1}, InputError, "bad_limit"),
        (["price <= 1"], {"policy": "maybe"}, InputError, "bad_policy"),
        (["price <= 1"], {"authorities": "official"}, EvidenceError, "unknown_authority"),
        (["price <= 1"], {"source_types": "blog"}, EvidenceError, "unknown_source_type"),
        (["price <= 1"] * 100_001, {}, LimitError, "too_many"),
        (["window < value_of(A, price)"], {}, ConstraintError, "incomparable_units"),
    ],
)
def test_what_cannot_be_asked(
    conditions: list[str], options: dict[str, Any], error: type[Exception], code: str
) -> None:
    """X39, X40, Q7: a question that cannot be answered is refused with a stable code."""
    with pytest.raises(error) as caught:
        ask(priced(5), *conditions, **options)
    assert caught.value.code == code  # type: ignore[attr-defined]  # errors of the library carry their code
