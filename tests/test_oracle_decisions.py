"""Tests of the oracle's verbs, against examples worked by hand from the rules; the product is not asked here."""

from __future__ import annotations

import random
from itertools import permutations, product

import pytest
from oracle.active import active
from oracle.decided import Decision
from oracle.derive import Entry, PredicateFlags, SourceFlags, Statement, derive_slot

STATEMENTS = {
    "A": Statement("A"),
    "B": Statement("B"),
    "C": Statement("C"),
    "D": Statement("D"),
    "a": Statement("A", (5, 5)),
    "b": Statement("B", (36, 36)),
    "p": Statement("B", (50, 50)),
    "m": Statement("B", (20, 60)),
    "X": Statement("A"),
    "Y": Statement("B"),
}
SAID_BY = {claim: "second" if claim in "XY" else "first" for claim in STATEMENTS}


def read(text: str) -> tuple[list[Entry], list[Decision]]:
    """Read 'A@10 -A@20 A>B@25/30 A~B@30 A=B@40 !A@50': said, gone, supersede V/O, changed, correct, retract."""
    entries: list[Entry] = []
    decisions: list[Decision] = []
    for word in text.split():
        names, at = word.split("@")
        v, _, o = at.partition("/")
        if ">" in names:
            decisions.append(Decision("supersede", names[0], 90, names[2], int(o), int(v)))
        elif "~" in names:
            decisions.append(Decision("changed", names[0], 90, names[2], int(v)))
        elif "=" in names:
            decisions.append(Decision("correct", names[0], int(v), names[2]))
        elif names[0] == "!":
            decisions.append(Decision("retract", names[1], int(v)))
        else:
            entries.append(Entry(names.lstrip("-"), int(v), "gone" if names[0] == "-" else "said"))
    return entries, decisions


def derived(
    text: str, source: SourceFlags | None = None, predicate: PredicateFlags | None = None
) -> dict[str, list[str]]:
    """Return the boxes by claim, each as 'start | end | seen since, until | read at' with - for unbounded."""
    flags = source or SourceFlags()
    boxes = derive_slot(STATEMENTS, *read(text), SAID_BY, {"first": flags, "second": SourceFlags()}, predicate)
    result: dict[str, list[str]] = {}
    for box in sorted(boxes, key=lambda b: (b.observed_from, b.observed_at)):
        shown = ["-" if i is None else str(i) for i in (*box.bounds, box.observed_from, box.observed_until)]
        start, end, seen = (" ".join(shown[n : n + 2]) for n in (0, 2, 4))
        result.setdefault(box.claim, []).append(f"{start} | {end} | {seen} | {box.observed_at}")
    return result


OWN = SourceFlags(own=True)
WHOLE = SourceFlags(whole=True, readings=(10, 20, 30, 40, 50))


def test_a_change_learned_late() -> None:
    """A4, W1: A read at 10, superseded by B at 25, seen at 30: at 10 A is still open (way 1)."""
    assert derived("A@10 A>B@25/30") == {
        "A": ["- 10 | - - | 10 30 | 10", "- 10 | 25 25 | 30 - | 10"],
        "B": ["25 25 | - - | 30 - | 30"],
    }


def test_a_withdrawn_successor() -> None:
    """W6: what closed A was withdrawn, so A is open again (way 6); of A B C the middle is void, A and C widen."""
    assert derived("A@10 A>B@25/30 !B@60") == derived("A@10")
    assert derived("A@10 B@20 C@30 !B@60") == derived("A@10 C@30")


def test_a_correction_acts_on_all_readings() -> None:
    """B6: what was read of A until the decision counts as C, on every axis, also where A was closed (way 7)."""
    assert derived("A@10 A>B@25/30 A=C@60") == {
        name.replace("A", "C"): boxes for name, boxes in derived("A@10 A>B@25/30").items()
    }


def test_a_decision_covers_readings_that_arrive_later() -> None:
    """B6: a reading made before the retraction is covered, one made after it is new evidence (way 8)."""
    assert derived("!A@20 A@10 A@20") == {}
    assert derived("!A@20 A@10 A@21") == derived("A@21")
    assert derived("A@10 A=B@20 A@30") == derived("B@10 A@30")


def test_a_correction_of_a_correction() -> None:
    """B6: decided_at orders decisions: A counts as B, and that as C; the other way round it does not."""
    assert derived("A@10 A=B@20 B=C@30") == derived("C@10")
    assert derived("A@10 A=B@30 B=C@20") == derived("B@10")
    assert derived("A@10 A=B@20 !B@30 B@35") == derived("B@35")
    assert derived("A@10 A=B@20 B=A@30") == derived("A@10")


def test_stale_pages_of_another_source() -> None:
    """Section 4: nightly confirmations by another source do not open the old claim again (way 12)."""
    boxes = derived("X@10 X>B@25/30 X@35 X@40")
    assert boxes == {
        "X": ["- 10 | - - | 10 30 | 10", "- 10 | 25 25 | 30 - | 10"],
        "B": ["25 25 | - - | 30 - | 30"],
    }
    assert derived("X@10 X>B@25/30 -X@35 X@40")["X"][-1] == "36 40 | - - | 40 - | 40"


def test_the_same_source_says_the_old_value_again() -> None:
    """Section 4, W4: A read again after B by the same source is a third segment (way 12)."""
    assert derived("A@10 A>B@25/30 A@40")["A"] == [
        "- 10 | - - | 10 30 | 10",
        "- 10 | 25 25 | 30 - | 10",
        "31 40 | - - | 40 - | 40",
    ]
    assert derived("A@10 A>B@25/30 A@40")["B"][-1] == "25 25 | 31 40 | 40 - | 30"


def test_a_change_still_to_come() -> None:
    """Section 4: until V the old value is still said, and a re-reading before it is the same run (way 13)."""
    boxes = {
        "A": ["- 10 | - - | 10 20 | 10", "- 10 | 36 36 | 20 - | 10"],
        "B": ["36 36 | - - | 20 - | 20"],
    }
    assert derived("A@10 A>B@36/20") == boxes
    assert derived("A@10 A>B@36/20 A@25") == boxes
    assert derived("A@10 A>B@36/20 A@25 B@30") == boxes
    assert derived("A@10 A>B@36/20 A@40")["A"][-1] == "36 40 | - - | 40 - | 40"
    assert derived("A@10 A>b@36/20")["b"] == ["36 36 | - - | 20 - | 20"]


def test_a_cut_learned_after_the_miss() -> None:
    """W2, section 4: missing at 30, later a change log says "on 25": that is the end from then on (way 14)."""
    assert derived("A@10 -A@30 A>B@25/40")["A"] == [
        "- 10 | - - | 10 30 | 10",
        "- 10 | 11 - | 30 40 | 10",
        "- 10 | 25 25 | 40 - | 10",
    ]


def test_changed() -> None:
    """T8: the page now says B: A ends, B begins in (last reading of A, O], whatever an add would do (way 15)."""
    assert derived("A@10 A@20 A~B@30") == derived("A@10 A@20 B@30")
    assert derived("A@10 A~B@30", None, PredicateFlags(single=False)) == derived("A@10 B@30")
    assert derived("a@10 a~b@40")["a"][-1] == "5 5 | 36 36 | 40 - | 10"
    assert derived("a@10 a~b@40")["b"] == ["36 36 | - - | 40 - | 40"]
    assert derived("A@10 A~B@30", WHOLE)["A"][-1] == "- 10 | 21 30 | 30 - | 10"


def test_a_run_that_began_after_the_change_is_not_cut() -> None:
    """Section 4: only runs that began before V end at V."""
    assert derived("X@10 -X@20 X@30 X>B@15/40")["X"] == [
        "- 10 | - - | 10 20 | 10",
        "- 10 | 11 - | 20 30 | 10",
        "- 10 | 11 30 | 30 40 | 10",
        "21 30 | - - | 30 - | 30",
        "- 10 | 15 15 | 40 - | 10",
    ]


def test_the_successor_of_a_successor() -> None:
    """W6: retracting the last opens the one before it; retracting the middle one opens the first up to the last."""
    chain = "A@10 A>B@25/30 B>C@45/50"
    assert derived(chain)["B"] == ["25 25 | - - | 30 50 | 30", "25 25 | 45 45 | 50 - | 30"]
    assert derived(f"{chain} !C@90") == derived("A@10 A>B@25/30")
    assert derived(f"{chain} !B@90") == derived("A@10 C@50")


def test_postponed() -> None:
    """W6: correcting the start of what was announced moves the end of what it follows."""
    boxes = derived("A@10 A>b@36/20 b=p@25")
    assert boxes == {
        "A": ["- 10 | - - | 10 20 | 10", "- 10 | 50 50 | 20 - | 10"],
        "p": ["50 50 | - - | 20 - | 20"],
    }
    assert derived("A@10 A>b@36/20 !b@25") == derived("A@10")
    assert derived("A@10 b@20 b=p@25") == derived("A@10 p@20")


def test_an_imprecise_change() -> None:
    """T1, section 4: a successor that begins in a range ends the old one in that range."""
    assert derived("A@10 A>m@20/30")["A"][-1] == "- 10 | 20 60 | 30 - | 10"


def test_own_chronology() -> None:
    """T8: where a source dates its statements nothing is inferred; a change we were told of still ends the old one."""
    assert derived("a@10 a>b@36/40", OWN) == {
        "a": ["5 5 | - - | 10 40 | 10", "5 5 | 36 36 | 40 - | 10"],
        "b": ["36 36 | - - | 40 - | 40"],
    }


def test_a_void_saying_is_not_repeated() -> None:
    """T8, B6: in a source read whole silence repeats what was said, as it counts after our decisions."""
    assert derived("A@10 !A@20", WHOLE) == {}
    assert derived("A@10 A=B@20", WHOLE) == derived("B@10", WHOLE)


def random_log(rng: random.Random) -> tuple[list[Entry], list[Decision]]:
    """Return up to five readings and up to three decisions over two sources."""
    entries = [
        Entry(rng.choice("AABCXY"), rng.randrange(0, 60, 5), "said" if rng.random() < 0.85 else "gone")
        for _ in range(rng.randint(1, 5))
    ]
    decisions = []
    for place in range(rng.randint(1, 3)):
        kind = rng.choice(["supersede", "changed", "correct", "retract"])
        old, new = rng.sample("ABCD" if kind in ("changed", "correct") else "ABCXY", 2)
        o, v = rng.randrange(0, 60, 5), rng.randrange(0, 60, 5)
        if kind == "supersede":
            decisions.append(Decision("supersede", old, 80 + place, new, o, v))
        elif kind == "changed":
            decisions.append(Decision("changed", old, 80 + place, new, o))
        else:
            decisions.append(Decision("correct" if kind == "correct" else "retract", old, o + 2 + place, new))
    return entries, decisions


def boxes_of(entries: list[Entry], decisions: list[Decision]) -> frozenset:
    """Return the boxes of a log over both sources."""
    return derive_slot(STATEMENTS, entries, decisions, SAID_BY, {"first": SourceFlags(), "second": SourceFlags()})


def test_any_arrival_order(rng: random.Random) -> None:
    """B6: any order and repetition of claims, readings and decisions gives the same boxes."""
    for _ in range(60):
        entries, decisions = random_log(rng)
        expected = boxes_of(entries, decisions)
        for order in list(permutations(entries))[:6]:
            for taken in permutations(decisions):
                assert boxes_of([*order, *entries], list(taken)) == expected


def test_what_happens_later_is_not_seen(rng: random.Random) -> None:
    """A4: at observed_by = O a change seen later makes no difference; corrections do, on all axes."""
    for _ in range(150):
        entries, decisions = random_log(rng)
        whole = boxes_of(entries, decisions)
        for by in (12, 27, 42):
            known = [d for d in decisions if d.o is None or d.o <= by]
            then = boxes_of([e for e in entries if e.o <= by], known)
            for at in range(-1, 60, 4):
                assert {(b.claim, b.bounds, how) for b, how in active(then, at, by).items()} == {
                    (b.claim, b.bounds, how) for b, how in active(whole, at, by).items()
                }


def test_a_retracted_claim_leaves_no_trace(rng: random.Random) -> None:
    """W6: with everything of a claim withdrawn, the boxes are those of a log without it."""
    for _ in range(150):
        entries, decisions = random_log(rng)
        decisions = [d for d in decisions if d.kind != "correct"]
        retracted = [*decisions, Decision("retract", "B", 99)]
        without = [d for d in decisions if d.claim != "B" and (d.other != "B" or d.kind == "retract")]
        told = [Entry(d.other, d.o) for d in decisions if d.claim == "B" and d.other and d.o is not None]
        assert boxes_of(entries, retracted) == boxes_of([e for e in (*entries, *told) if e.claim != "B"], without)


@pytest.mark.parametrize(("v", "o"), list(product((15, 25, 36), (20, 30))))
def test_one_change_never_leaves_two_values_certain(v: int, o: int) -> None:
    """K8, W1: at no instant are the superseded claim and its successor both certain, nor neither possible."""
    boxes = boxes_of([Entry("A", 10)], [Decision("supersede", "A", 90, "B", o, v)])
    for at in range(10, 60):
        standing = active(boxes, at, 60)
        assert len(standing) == 1
        assert set(standing.values()) == {"certain"}
