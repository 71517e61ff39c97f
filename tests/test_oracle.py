"""Tests of the oracle itself, against examples worked by hand from the rules."""

from __future__ import annotations

import random
from itertools import pairwise, permutations, product

import pytest
from oracle.active import LOWEST, Box, active, is_empty, tightened
from oracle.derive import Entry, PredicateFlags, SourceFlags, Statement, derive
from oracle.small_worlds import Case, cases, random_case

STATEMENTS = {
    "A": Statement("A"),
    "B": Statement("B"),
    "C": Statement("C"),
    "a": Statement("A", (5, 5)),
    "b": Statement("B", (36, 36)),
    "c": Statement("C", (50, 50)),
    "h": Statement("B", (25, 25)),
    "k": Statement("B", (30, 30)),
    "m": Statement("B", (20, 60)),
    "promo": Statement("P", None, (40, 40)),
    "until": Statement("A", None, (40, 40)),
    "month": Statement("A", None, (40, 60)),
    "limited": Statement("A", None, "holds"),
    "over": Statement("A", None, "ended"),
    "no": Statement("A", polarity="absent"),
}


def log(text: str) -> list[Entry]:
    """Read 'A@10 -A@30 B@30#2': said, gone, said with an ordinal."""
    entries = []
    for word in text.split():
        name, at = word.split("@")
        at, _, ordinal = at.partition("#")
        place = int(ordinal) if ordinal else None
        entries.append(Entry(name.lstrip("-"), int(at), "gone" if name[0] == "-" else "said", place))
    return entries


def derived(
    text: str, source: SourceFlags | None = None, predicate: PredicateFlags | None = None
) -> dict[str, list[str]]:
    """Return the boxes by claim, each as 'start | end | seen since, until | read at' with - for unbounded."""
    entries = log(text)
    result: dict[str, list[str]] = {}
    for box in sorted(derive(STATEMENTS, entries, source, predicate), key=lambda b: (b.observed_from, b.observed_at)):
        shown = [
            "-" if i is None else "low" if i == LOWEST else str(i)
            for i in (*box.bounds, box.observed_from, box.observed_until)
        ]
        start, end, seen = (" ".join(shown[n : n + 2]) for n in (0, 2, 4))
        result.setdefault(box.claim, []).append(f"{start} | {end} | {seen} | {box.observed_at}")
    return result


WHOLE = SourceFlags(whole=True, readings=(1, 10, 20, 30, 40, 50, 60))
WHOLE_COMPLETE = SourceFlags(whole=True, complete=True, readings=WHOLE.readings)
OWN = SourceFlags(own=True)
MANY = PredicateFlags(single=False)
CLOSED = PredicateFlags(closed_world=True)
TIMELESS = PredicateFlags(timeless=True)


def test_a_change_between_two_readings() -> None:
    """T8: the old end and the new start share (l, n], stored [l + 1, n]; before n the old is open (ways 3, 15, 18)."""
    assert derived("A@10 A@20 B@30") == {
        "A": ["- 10 | - - | 10 30 | 10", "- 10 | 21 30 | 30 - | 10"],
        "B": ["21 30 | - - | 30 - | 30"],
    }


def test_a_value_that_comes_back() -> None:
    """W4, T8: A B A is three segments of two claims; the same statement has two runs (way 11)."""
    assert derived("A@10 B@30 A@50") == {
        "A": ["- 10 | - - | 10 30 | 10", "- 10 | 11 30 | 30 - | 10", "31 50 | - - | 50 - | 50"],
        "B": ["11 30 | - - | 30 50 | 30", "11 30 | 31 50 | 50 - | 30"],
    }


def test_a_third_value_narrows_nothing_but_itself() -> None:
    """T8: A B C: each change window lies between the two readings next to it."""
    boxes = derived("A@10 B@30 C@50")
    assert boxes["C"] == ["31 50 | - - | 50 - | 50"]
    assert boxes["B"][-1] == "11 30 | 31 50 | 50 - | 30"


def test_a_late_reading_before_the_first() -> None:
    """B1, T5: read at 50, then 10 arrives: the run starts at 10 (way 4)."""
    assert derived("A@50 A@10") == {"A": ["- 10 | - - | 10 - | 10"]}


@pytest.mark.parametrize(
    ("late", "old", "new"),
    [
        ("A@30", "- 10 | 31 50 | 50 - | 10", "31 50 | - - | 50 - | 50"),
        ("C@30", "- 10 | 11 30 | 30 - | 10", "31 50 | - - | 50 - | 50"),
        ("B@30", "- 10 | 11 30 | 30 - | 10", "11 30 | - - | 30 - | 30"),
    ],
)
def test_a_late_reading_between_two_runs(late: str, old: str, new: str) -> None:
    """T8: a late reading between A at 10 and B at 50 narrows or moves the window (way 5)."""
    boxes = derived(f"A@10 B@50 {late}")
    assert (boxes["A"][-1], boxes["B"][-1]) == (old, new)


def test_a_late_reading_splits_a_run() -> None:
    """T8, W4: A at 10 and 50 is one run until a late B at 30 splits it (way 5)."""
    assert derived("A@10 A@50") == {"A": ["- 10 | - - | 10 - | 10"]}
    assert len(derived("A@10 A@50 B@30")["A"]) == 3


def test_a_miss_leaves_the_end_unknown() -> None:
    """W2: a missing quote hides nothing; the end is unknown after the last reading that said it (way 2)."""
    assert derived("A@10 A@20 -A@30") == {"A": ["- 10 | - - | 10 30 | 10", "- 10 | 21 - | 30 - | 10"]}


def test_a_miss_and_then_another_value() -> None:
    """W2, T8: what the source says next bounds the unknown end."""
    assert derived("A@10 -A@30 B@40") == {
        "A": ["- 10 | - - | 10 30 | 10", "- 10 | 11 - | 30 40 | 10", "- 10 | 11 40 | 40 - | 10"],
        "B": ["11 40 | - - | 40 - | 40"],
    }


def test_a_miss_between_two_readings_of_one_value() -> None:
    """T8: a miss ends the run; the lost run is over at the latest where the next one certainly begins."""
    assert derived("A@10 -A@30 A@50")["A"][1:] == [
        "- 10 | 11 - | 30 50 | 10",
        "- 10 | 11 50 | 50 - | 10",
        "31 50 | - - | 50 - | 50",
    ]


@pytest.mark.parametrize(("source", "predicate"), [(WHOLE_COMPLETE, None), (WHOLE, CLOSED)])
def test_a_denial_ends_at_the_reading(source: SourceFlags, predicate: PredicateFlags | None) -> None:
    """W2: in a complete source, or for a closed_world predicate, a removal ends the claim in [l + 1, n]."""
    assert derived("A@10 -A@30", source, predicate)["A"][-1].split(" | ")[1] == "21 30"
    assert derived("A@10 -A@30 B@50", source, predicate)["A"][-1].split(" | ")[1] == "21 30"


def test_a_whole_source_reads_every_key() -> None:
    """T8: in a source read whole l is the source's last reading before n, not the key's; a removal denies nothing."""
    assert derived("A@10 -A@50 B@50", WHOLE) == {
        "A": ["- 10 | - - | 10 50 | 10", "- 10 | 41 50 | 50 - | 10"],
        "B": ["41 50 | - - | 50 - | 50"],
    }
    assert derived("A@10 -A@30", WHOLE)["A"][-1] == "- 10 | 21 - | 30 - | 10"
    assert derived("A@10 -A@30 B@50", WHOLE)["A"][-1] == "- 10 | 21 50 | 50 - | 10"


def test_silence_in_a_whole_source_means_still_said() -> None:
    """T8: beside another value of the slot a silent key is said too: two values in one reading, no succession (K3)."""
    assert derived("A@10 B@30", WHOLE)["A"] == ["- 10 | - - | 10 - | 10"]
    assert derived("A@10 b@20", WHOLE)["A"] == ["- 10 | - - | 10 20 | 10", "- 10 | 36 36 | 20 - | 10"]
    assert derived("A@10 b@20 A@50 b@50", WHOLE)["A"][-1] == "- 10 | - - | 50 - | 10"


@pytest.mark.parametrize(
    ("text", "source", "predicate", "start"),
    [
        ("A@30", WHOLE, None, "- 30"),
        ("B@10 -B@20 A@50", WHOLE, None, "41 50"),
        ("A@30", WHOLE, CLOSED, "21 30"),
        ("A@30", None, CLOSED, "- 30"),
        ("-A@5 A@30", None, None, "- 30"),
        ("-A@5 A@30", None, CLOSED, "- 30"),
        ("-A@5 B@10 A@30", None, MANY, "- 30"),
        ("B@3 -A@5 A@30", None, None, "6 30"),
        ("B@10 A@50", WHOLE, MANY, "41 50"),
        ("B@10 A@50", None, MANY, "- 50"),
        ("B@10 -A@20 A@50", None, MANY, "21 50"),
    ],
)
def test_where_a_run_began(text: str, source: SourceFlags | None, predicate: PredicateFlags | None, start: str) -> None:
    """T5, T8: the reading before states another value of a single predicate or misses the claim, from the first on."""
    assert derived(text, source, predicate)["A"][-1].startswith(f"{start} | ")


def test_the_order_at_one_instant() -> None:
    """B5: the last ordinal counts; without one, said wins over not said and all that was said is kept (way 10)."""
    assert derived("A@10 -A@30 A@30") == derived("A@10")
    assert derived("A@10 B@10") == {"A": ["- 10 | - - | 10 - | 10"], "B": ["- 10 | - - | 10 - | 10"]}
    assert derived("A@10#2 B@10#1") == derived("A@10")
    assert derived("A@10#1 -A@10#2") == {}


def test_two_values_in_one_reading_are_no_succession() -> None:
    """T8, K3: A stays open beside B when one reading says both."""
    assert derived("A@10 A@30 B@30")["A"] == ["- 10 | - - | 10 - | 10"]


def test_a_stated_change_point() -> None:
    """T8: a start that the next claim states, if later than l, is the change point; an earlier one is not."""
    assert derived("A@10 h@30")["A"][-1] == "- 10 | 25 25 | 30 - | 10"
    assert derived("A@10 A@27 h@30")["A"][-1] == "- 10 | 28 30 | 30 - | 10"
    assert derived("A@10 A@25 h@30")["A"][-1] == "- 10 | 26 30 | 30 - | 10"
    assert derived("A@10 k@30")["A"][-1] == "- 10 | 30 30 | 30 - | 10"
    assert derived("A@10 m@30")["A"][-1] == "- 10 | 20 60 | 30 - | 10"
    assert derived("A@10 A@27 m@30")["A"][-1] == "- 10 | 28 60 | 30 - | 10"


def test_two_stated_starts_never_end_each_other() -> None:
    """K3: an add of another stated start leaves an unclosed predecessor; an undated value does end a dated one."""
    assert derived("a@10 b@40") == {"a": ["5 5 | - - | 10 - | 10"], "b": ["36 36 | - - | 40 - | 40"]}
    assert derived("a@10 B@40")["a"] == ["5 5 | - - | 10 40 | 10", "5 5 | 11 40 | 40 - | 10"]


def test_a_bounded_exception_cuts_nothing() -> None:
    """W3: a promotion inside an open price leaves the price open; the price said without it ends it."""
    boxes = derived("A@10 promo@20 A@30")
    assert boxes["A"] == ["- 10 | - - | 10 - | 10"]
    assert boxes["promo"] == ["11 20 | 40 40 | 20 30 | 20", "11 20 | 21 30 | 30 - | 20"]


def test_an_announcement_that_is_dropped() -> None:
    """T8: A, then "B from 36", then A without it: one version of A at any instant, and B nothing after 71."""
    assert derived("A@10 b@21 A@71") == {
        "A": ["- 10 | - - | 10 21 | 10", "- 10 | 36 36 | 21 71 | 10", "- 10 | - - | 71 - | 10"],
        "b": ["36 36 | - - | 21 71 | 21"],
    }


def test_an_announcement_that_comes_true() -> None:
    """T8: once said at or after its start it is in force, and what becomes of it later moves the old end no more."""
    boxes = derived("A@10 b@21 b@40 -b@60")
    assert boxes["A"][-1] == "- 10 | 36 36 | 21 - | 10"
    assert boxes["b"] == ["36 36 | - - | 21 60 | 21", "36 36 | 41 - | 60 - | 21"]
    assert derived("A@10 b@21 b@40 A@50")["b"][-1] == "36 36 | 41 50 | 50 - | 21"


def test_an_announcement_said_again_after_it_was_dropped() -> None:
    """T8: said, dropped, said again: the old end comes, goes and comes back with it."""
    boxes = derived("A@10 b@21 A@25 b@30")
    assert [box.split(" | ")[1] for box in boxes["A"]] == ["- -", "36 36", "- -", "36 36"]
    assert boxes["b"] == ["36 36 | - - | 21 25 | 21", "36 36 | - - | 30 - | 30"]


def test_the_earliest_of_several_announcements() -> None:
    """T8: of two announcements the earlier start ends the run."""
    assert derived("A@10 c@20 b@21 b@22")["A"][-1] == "- 10 | 36 36 | 21 - | 10"


def test_an_announcement_replaced_by_a_third_value() -> None:
    """T8: only the old value without it cancels an announcement; a third value ends it like any other."""
    assert derived("A@10 b@21 C@71")["b"][-1] == "36 36 | 37 71 | 71 - | 21"


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("until@50", "- 39 | 40 40 | 50 - | 50"),
        ("month@50", "- 39 | 40 60 | 50 - | 50"),
        ("until@10 h@50", "- 10 | 25 25 | 50 - | 10"),
        ("until@10 B@30", "- 10 | 11 30 | 30 - | 10"),
        ("until@10 B@50", "- 10 | 40 40 | 10 - | 10"),
        ("until@10 -until@20", "- 10 | 11 40 | 20 - | 10"),
        ("until@10 -until@20 until@30", "21 30 | 40 40 | 30 - | 30"),
        ("month@10 B@50", "- 10 | 11 50 | 50 - | 10"),
        ("limited@10 limited@20", "- 10 | 11 - | 10 - | 10"),
        ("limited@10 limited@20 -limited@30", "- 10 | 21 - | 30 - | 10"),
        ("over@50", f"- 49 | {LOWEST + 1} 50 | 50 - | 50"),
    ],
)
def test_stated_ends(text: str, last: str) -> None:
    """T5, T6, W2: an end before the reading, a cut before and after a stated end, an end known only to exist."""
    (claim,) = {entry.claim for entry in log(text)} - {"B", "h"}
    assert derived(text)[claim][-1] == last


def test_a_claim_with_a_stated_bound_has_one_run() -> None:
    """T8: of a dated claim said again after a loss only the newest run remains (way 11)."""
    assert derived("a@10 -a@20 a@30")["a"] == [
        "5 5 | - - | 10 20 | 10",
        "5 5 | 11 - | 20 30 | 10",
        "5 5 | - - | 30 - | 30",
    ]


def test_own_chronology_infers_nothing() -> None:
    """T8: in a source that dates its statements a change or removal closes the observed interval only."""
    assert derived("A@10 B@30", OWN) == {"A": ["- 10 | - - | 10 30 | 10"], "B": ["- 30 | - - | 30 - | 30"]}
    assert derived("a@10 -a@30 b@30", OWN) == {"a": ["5 5 | - - | 10 30 | 10"], "b": ["36 36 | - - | 30 - | 30"]}


def test_a_timeless_predicate_corrects_itself() -> None:
    """T11: timeless claims hold always; another value of the same source replaces on the observed axis only."""
    assert derived("a@10 B@30", None, TIMELESS) == {
        "a": ["low low | - - | 10 30 | 10"],
        "B": ["low low | - - | 30 - | 30"],
    }


@pytest.mark.parametrize(
    ("source", "predicate", "until"),
    [(None, TIMELESS, "-"), (WHOLE, TIMELESS, "-"), (OWN, TIMELESS, "30"), (WHOLE_COMPLETE, TIMELESS, "30")],
)
def test_a_miss_hides_no_timeless_claim(source: SourceFlags | None, predicate: PredicateFlags, until: str) -> None:
    """T11, W2: a miss is no denial, and what holds always has no end; a denial closes the observed interval."""
    assert derived("A@10 -A@30", source, predicate) == {"A": [f"low low | - - | 10 {until} | 10"]}


def test_absence_is_a_value_of_its_own() -> None:
    """B7, T8: the page that offers no A any more ends A like another value."""
    assert derived("A@10 no@30")["A"][-1] == "- 10 | 11 30 | 30 - | 10"


def test_many_values_do_not_replace_each_other() -> None:
    """T8, K5: in a many predicate another value ends nothing; a miss leaves the end unknown."""
    assert derived("A@10 B@30 -A@40", None, MANY) == {
        "A": ["- 10 | - - | 10 40 | 10", "- 10 | 11 - | 40 - | 10"],
        "B": ["- 30 | - - | 30 - | 30"],
    }


def test_confirming_writes_nothing() -> None:
    """T6, B6: an open version does not depend on its last confirmation (way 17)."""
    assert derived("A@10 A@20 A@30 B@40 B@50")["A"][0] == derived("A@10 A@30 B@40")["A"][0]
    assert derived("A@10 A@20 A@30") == derived("A@10")


def test_the_quote_is_cited_from_the_first_reading_of_its_run() -> None:
    """B6, Q4: a residue shows the reading its quote was taken from, never the page that lost it (way 16)."""
    assert derived("A@10 A@20 -A@30")["A"][-1].endswith("| 10")


def sampled(every: int) -> list[Case]:
    """Return every n-th short log and 300 longer ones."""
    longer = random.Random(20260101)
    short = [case for place, case in enumerate(cases(longest=2)) if place % every == 0]
    return short + [random_case(longer, ordinals=bool(n % 2)) for n in range(300)]


def boxes_of(case: Case, entries: list[Entry] | None = None, by: int | None = None) -> frozenset[Box]:
    """Return the boxes of a case, of other entries, or of what was read by an instant."""
    kept = [e for e in (case.entries if entries is None else entries) if by is None or e.o <= by]
    source = case.source
    if by is not None:
        source = SourceFlags(source.whole, source.complete, source.own, tuple(o for o in source.readings if o <= by))
    return derive(dict(case.statements), kept, source, case.predicate)


@pytest.mark.slow
def test_every_box_may_be_stored() -> None:
    """T1, B3: bounds are ordered, tightened and not empty; a box is observed for some time, from its reading on."""
    for case in sampled(97):
        for box in boxes_of(case):
            assert tightened(box.bounds) == box.bounds
            assert not is_empty(box.bounds)
            assert (box.from_earliest, box.from_latest) != (None, None)
            assert box.until_earliest is not None or box.until_latest is None
            assert box.observed_at <= box.observed_from
            assert box.observed_until is None or box.observed_from < box.observed_until


def test_nothing_read_later_is_seen() -> None:
    """A4: at every observed instant the boxes are those of the log read by then (way 1)."""
    for case in sampled(997)[:60]:
        for by in sorted({e.o for e in case.entries}):
            then, now = boxes_of(case, by=by), boxes_of(case)
            for at in range(-1, 45):
                assert {(b.claim, b.bounds, how) for b, how in active(then, at, by).items()} == {
                    (b.claim, b.bounds, how) for b, how in active(now, at, by).items()
                }


def test_any_arrival_order_and_any_repetition() -> None:
    """B6: every permutation of a small log, and the log twice over, gives the same boxes."""
    for case in sampled(1499)[:150]:
        few = list(case.entries[:4])
        expected = boxes_of(case, few)
        assert all(boxes_of(case, [*order, *few]) == expected for order in permutations(few))


@pytest.mark.slow
def test_one_run_is_believed_once() -> None:
    """T8: at no observed instant does one run of a claim have two versions."""
    for case in sampled(97):
        found = sorted(boxes_of(case), key=lambda b: (b.claim, b.observed_at, b.observed_from))
        for one, after in pairwise(found):
            if (one.claim, one.observed_at) == (after.claim, after.observed_at):
                assert one.observed_until is not None
                assert one.observed_until <= after.observed_from


def test_certain_is_true_and_truth_is_possible() -> None:
    """T2, T8: if a world changes at most once between readings, certain holds and what holds is possible."""
    statements = {value: Statement(value) for value in "ABC"}
    for read in ((0, 2, 4), (0, 3), (1, 2, 4)):
        for world in product("ABC", repeat=5):
            changed = [sum(a != b for a, b in pairwise(world[one : two + 1])) for one, two in pairwise(read)]
            if max(changed) > 1:
                continue
            boxes = derive(statements, [Entry(world[at], at) for at in read])
            for at in range(read[0], read[-1] + 1):
                standing = {box.claim: how for box, how in active(boxes, at, read[-1]).items()}
                assert world[at] in standing
                assert all(claim == world[at] for claim, how in standing.items() if how == "certain")
