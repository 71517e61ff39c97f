"""Every verb through the front door: the sequences that go wrong without the rules, what each verb writes, bad input.

Instants are ticks of a microsecond: A@10 is claim A read at tick 10; A, B, C are values of one source without dates,
a, b, p the same with a stated start, X, Y, Z values of a second source.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import count
from typing import Any

import pytest
from kit import NOW, few
from logs import ZERO, at
from oracle.verbs import Step
from verb_world import HEAD, STATEMENTS, Slot, check, known_as, shared_base

from claimbase.base import Claimbase
from claimbase.errors import (
    ClaimbaseError,
    ClaimNotFoundError,
    ClaimStateError,
    InputError,
    InstantError,
    IntervalError,
)

NUMBERS = count(1)


@pytest.fixture(scope="module")
def kb() -> Iterator[Claimbase]:
    """One base for all tests of this file; each has a slot of its own."""
    kb = shared_base()
    yield kb
    kb.close()


@pytest.fixture(scope="module")
def prepared(kb: Claimbase) -> Iterator[Slot]:
    """Slots in which A was read at 10, all added by one write."""
    slots = [Slot(kb, f"Subject {next(NUMBERS)}") for _ in range(60)]
    kb.add([slot.said("A", 10) for slot in slots])
    for slot in slots:
        slot.log.tell(Step("add", "A", None, 10))
        slot.remember()
    return iter(slots)


@pytest.fixture
def slot(prepared: Iterator[Slot]) -> Iterator[Slot]:
    """A slot with A read at 10; what it held at every batch is compared with the oracle when the test is over (A1)."""
    slot = next(prepared)
    yield slot
    check([slot])


@pytest.fixture
def empty(kb: Claimbase) -> Iterator[Slot]:
    """A slot of which nothing was said yet; compared like the others."""
    slot = Slot(kb, f"Subject {next(NUMBERS)}")
    yield slot
    check([slot])


def tick(moment: datetime | None) -> str:
    """Write an instant as a tick, - for none."""
    return "-" if moment is None else str((moment - ZERO) // timedelta(microseconds=1))


def head(slot: Slot) -> datetime:
    """Give the instant of the newest batch."""
    return slot.kb.db.query(HEAD).rows[0][0]  # type: ignore[no-any-return]


def seen(slot: Slot, observed_by: int = 900, recorded_by: datetime | None = None) -> list[str]:
    """Give the visible claims as 'name start | end', - for unbounded."""
    shown = []
    for row in slot.kb.claims(slot.subject, observed_by=at(observed_by), recorded_by=recorded_by):
        start = row["from_earliest"]
        dated = any(s.dated and at(s.start[0]) == start for s in STATEMENTS.values()) and start == row["from_latest"]
        written = start if dated and slot.id_of(known_as(row["value"], row["url"], None)) != row["claim_id"] else None
        bounds = [tick(row[n]) for n in ("from_earliest", "from_latest", "until_earliest", "until_latest")]
        name = known_as(row["value"], row["url"], written)
        shown.append(f"{name} {' '.join(bounds[:2])} | {' '.join(bounds[2:])}")
    return sorted(shown)


def wrote(report: Any) -> tuple[int, int]:
    """Give how many versions a verb inserted and retracted."""
    if hasattr(report, "versions_added"):
        return (report.versions_added, report.versions_retracted)
    return (report.inserted, report.retracted)


# -- what goes wrong without the rules (18 sequences) -----------------------------------------------------------------


def test_a_supersede_is_not_known_before_it_was_seen(slot: Slot) -> None:
    """A4, W1: A read at 10, B since 25 seen at 30: at observed_by = 10 A is open, whatever came later."""
    before = head(slot)
    report = slot.supersede("A", "B", 25, 30)
    assert seen(slot, 10) == ["A - 10 | - -"]
    assert seen(slot, 30) == ["A - 10 | 25 25", "B 25 25 | - -"]
    assert seen(slot, 30, before) == ["A - 10 | - -"]
    assert report is not None
    assert (wrote(report), report.claim_id, report.other_id) == ((3, 1), slot.id_of("A"), slot.id_of("B"))
    assert "ends at 2026-01-01T00:00:00.000025Z" in report.words


def test_a_removal_does_not_erase_the_past(slot: Slot) -> None:
    """W2: A read at 10, missing at 30: what was read stays, with an unknown end after the last reading."""
    report = slot.observe("A", "quote_missing", 30)
    assert seen(slot, 29) == ["A - 10 | - -"]
    assert seen(slot, 30) == ["A - 10 | 11 -"]
    assert wrote(report) == (2, 1)


def test_the_window_of_a_change_is_half_open(slot: Slot) -> None:
    """T8: the window (20, 30] is stored [21, 30]; l is the last reading that said A, not the first."""
    slot.observe("A", "confirmed", 20)
    report = slot.observe("A", "changed", 30, "B")
    assert seen(slot) == ["A - 10 | 21 30", "B 21 30 | - -"]
    assert wrote(report) == (3, 1)


def test_a_late_reading_before_the_first(empty: Slot) -> None:
    """T5, B1: read at 50, then a reading of 10 arrives: the run starts at 10."""
    empty.add("A", 50)
    before = head(empty)
    empty.observe("A", "confirmed", 10)
    assert seen(empty, 20) == ["A - 10 | - -"]
    assert seen(empty, 20, before) == []


@pytest.mark.parametrize(
    ("told", "late", "written", "now"),
    [
        ("B", "A", (2, 2), ["A - 10 | 31 50", "B 31 50 | - -"]),
        ("B", "C", (5, 3), ["A - 10 | 11 30", "B 31 50 | - -", "C 11 30 | 31 50"]),
        ("A", "B", (5, 1), ["A - 10 | 11 30", "A 31 50 | - -", "B 11 30 | 31 50"]),
    ],
)
def test_a_late_reading_between_two(slot: Slot, told: str, late: str, written: tuple[int, int], now: list[str]) -> None:
    """T8, W4: a reading of 30 that arrives last narrows a window, brings a third value, or splits a run."""
    slot.add(told, 50)
    before, then = head(slot), seen(slot)
    assert wrote(slot.add(late, 30)) == written
    assert seen(slot) == now
    assert seen(slot, 900, before) == then


@pytest.mark.slow
def test_a_withdrawn_successor_opens_what_it_closed(slot: Slot) -> None:
    """W6: A, superseded by B, B retracted: A is open again; earlier bases keep what they held."""
    slot.supersede("A", "B", 25, 30)
    before = head(slot)
    assert wrote(slot.retract("B")) == (1, 3)
    assert seen(slot, 30) == ["A - 10 | - -"]
    assert seen(slot, 30, before) == ["A - 10 | 25 25", "B 25 25 | - -"]


@pytest.mark.slow
def test_the_middle_of_three_is_withdrawn(slot: Slot) -> None:
    """W6, T8: of A, B, C the middle one is void, and the bounds of the others widen to (10, 30]."""
    slot.add("B", 20)
    slot.add("C", 30)
    assert wrote(slot.retract("B")) == (3, 5)
    assert seen(slot) == ["A - 10 | 11 30", "C 11 30 | - -"]


@pytest.mark.slow
@pytest.mark.covers("T21")
def test_a_correction_acts_on_every_reading(slot: Slot) -> None:
    """B6: A closed by B and then corrected to C is wrong nowhere: not at observed_by = 10 either."""
    slot.supersede("A", "B", 25, 30)
    before = head(slot)
    report = slot.correct("A", "C")
    assert seen(slot, 10) == ["C - 10 | - -"]
    assert seen(slot, 30) == ["B 25 25 | - -", "C - 10 | 25 25"]
    assert seen(slot, 10, before) == ["A - 10 | - -"]
    assert wrote(report) == (2, 2)


@pytest.mark.slow
def test_a_retraction_covers_what_arrives_later(slot: Slot) -> None:
    """B6: a reading made before the decision writes nothing and is reported; one made after it is new evidence."""
    slot.retract("A", 25)
    assert seen(slot) == []
    covered = slot.add("A", 20)
    assert wrote(covered) == (0, 0)
    assert covered.covered
    assert wrote(slot.add("A", 30)) == (1, 0)
    assert seen(slot) == ["A - 30 | - -"]


def test_two_writes_of_one_microsecond(slot: Slot) -> None:
    """B4: the clock stands still, and yet every batch has an instant of its own at which it can be asked."""
    first = head(slot)
    slot.add("B", 30)
    assert head(slot) > first
    assert (seen(slot, 900, first), len(seen(slot))) == (["A - 10 | - -"], 2)


def test_two_states_of_one_instant(slot: Slot) -> None:
    """B5: at one instant of one source said wins over not said."""
    slot.observe("A", "quote_missing", 30)
    slot.observe("A", "confirmed", 30)
    assert seen(slot) == ["A - 10 | - -"]


def test_one_statement_has_three_runs(slot: Slot) -> None:
    """W4, T8: A B A is one claim id with two segments; a claim with a stated start has one run, its newest."""
    slot.add("B", 20)
    slot.add("A", 30)
    assert seen(slot) == ["A - 10 | 11 20", "A 21 30 | - -", "B 11 20 | 21 30"]
    assert len({row["claim_id"] for row in slot.kb.claims(slot.subject, observed_by=at(900))}) == 2


@pytest.mark.slow
def test_a_stated_start_has_one_run(empty: Slot) -> None:
    """T8: a claim with a stated start, missing and read again, is one run, its newest (else it counts twice)."""
    empty.add("a", 10)
    empty.observe("a", "quote_missing", 20)
    empty.observe("a", "confirmed", 30)
    assert seen(empty) == ["a 5 5 | - -"]


@pytest.mark.slow
def test_a_stale_page_does_not_open_what_another_source_closed(empty: Slot) -> None:
    """W6: after a supersede by another source confirmations of A write nothing; A missing and read again is new."""
    empty.add("X", 10)
    empty.supersede("X", "B", 25, 30)
    assert wrote(empty.observe("X", "confirmed", 40)) == (0, 0)
    assert seen(empty) == ["B 25 25 | - -", "X - 10 | 25 25"]
    empty.observe("X", "quote_missing", 50)
    empty.observe("X", "confirmed", 60)
    assert "X 51 60 | - -" in seen(empty)


@pytest.mark.slow
def test_the_same_source_says_it_again(slot: Slot) -> None:
    """W4, W6: the source that said B says A again: that is a third segment."""
    slot.supersede("A", "B", 25, 30)
    slot.add("A", 40)
    assert seen(slot) == ["A - 10 | 25 25", "A 31 40 | - -", "B 25 25 | 31 40"]


@pytest.mark.slow
def test_a_change_still_to_come(slot: Slot) -> None:
    """W6: seen on 20 for 36: until then A is still said, and reading it before 36 is the same run."""
    slot.supersede("A", "B", 36, 20)
    assert wrote(slot.observe("A", "confirmed", 25)) == (0, 0)
    assert seen(slot, 25) == ["A - 10 | 36 36", "B 36 36 | - -"]
    slot.observe("A", "confirmed", 40)
    assert seen(slot) == ["A - 10 | 36 36", "A 36 40 | - -", "B 36 36 | 37 40"]


@pytest.mark.slow
def test_a_cut_learned_after_the_miss(slot: Slot) -> None:
    """W2, W6: missing at 30, later a change log says "on 25": 25 is the end from that reading on."""
    slot.observe("A", "quote_missing", 30)
    slot.supersede("A", "B", 25, 40)
    assert seen(slot, 30) == ["A - 10 | 11 -"]
    assert seen(slot, 40) == ["A - 10 | 25 25", "B 25 25 | - -"]


@pytest.mark.slow
def test_changed_confirmed_unreachable(slot: Slot) -> None:
    """W2, T8: changed ends A where B begins; confirmed and unreachable write no version."""
    assert wrote(slot.observe("A", "confirmed", 20)) == (0, 0)
    assert wrote(slot.observe("A", "unreachable", 25)) == (0, 0)
    report = slot.observe("A", "changed", 30, "b")
    assert seen(slot) == ["A - 10 | 36 36", "b 36 36 | - -"]
    assert report is not None
    assert "changed and no longer shows" in report.words
    assert report.other_id == slot.id_of("b")


@pytest.mark.slow
def test_changed_ends_what_states_a_start(empty: Slot) -> None:
    """T8: named by changed, even a dated claim ends: at the stated start of the other."""
    empty.add("a", 10)
    empty.observe("a", "changed", 40, "b")
    assert seen(empty) == ["a 5 5 | 36 36", "b 36 36 | - -"]


def test_a_residue_cites_the_page_that_said_it(slot: Slot) -> None:
    """Q4, Q9: after a miss the version cites the reading of 10, never that of 30."""
    slot.observe("A", "quote_missing", 30)
    (row,) = slot.kb.claims(slot.subject, observed_by=at(900))
    assert (tick(row["observed_at"]), tick(row["observed_from"])) == ("10", "30")


def test_an_open_version_does_not_depend_on_confirmations(slot: Slot) -> None:
    """T6, B6: confirming again and again, or adding the same claim again, writes no version."""
    for o in (20, 30):
        assert wrote(slot.add("A", o)) == (0, 0)
    assert wrote(slot.add("A", 10)) == (0, 0)


@pytest.mark.slow
def test_what_a_plain_add_ends(slot: Slot) -> None:
    """T8, K3: another undated value of one source ends A; two stated starts never end each other."""
    slot.add("B", 30)
    assert seen(slot) == ["A - 10 | 11 30", "B 11 30 | - -"]
    slot.add("b", 40)
    slot.add("p", 60)
    assert seen(slot)[-2:] == ["b 36 36 | - -", "p 50 50 | - -"]


# -- announced, postponed, cancelled -----------------------------------------------------------------------------------


def test_an_announcement_that_is_dropped(slot: Slot) -> None:
    """T8: A, "B from 36", A without it: one version of A at any instant, and B was never in force."""
    slot.add("b", 21)
    slot.add("A", 71)
    assert seen(slot, 20) == ["A - 10 | - -"]
    assert seen(slot, 70) == ["A - 10 | 36 36", "b 36 36 | - -"]
    assert seen(slot, 71) == ["A - 10 | - -"]


@pytest.mark.parametrize("announced", few(["add", "supersede"], 2))
def test_postponed(slot: Slot, announced: str) -> None:
    """W6: correcting the start of what was announced moves the end of what it follows, on all axes."""
    if announced == "add":
        slot.add("b", 20)
    else:
        slot.supersede("A", "b", 36, 20)
    before = head(slot)
    slot.correct("b", "p")
    assert seen(slot, 20) == ["A - 10 | 50 50", "p 50 50 | - -"]
    assert seen(slot, 20, before) == ["A - 10 | 36 36", "b 36 36 | - -"]


@pytest.mark.parametrize("announced", few(["add", "supersede"], 2))
def test_cancelled(slot: Slot, announced: str) -> None:
    """W6: retracting what was announced opens what it was to follow."""
    if announced == "add":
        slot.add("b", 20)
    else:
        slot.supersede("A", "b", 36, 20)
    slot.retract("b")
    assert seen(slot) == ["A - 10 | - -"]


# -- what becomes of claims and words ----------------------------------------------------------------------------------


def kinds(slot: Slot, since: datetime) -> list[str]:
    """Give what became of the claims whose versions were retracted after a batch, sorted."""
    query = "SELECT kind FROM cb.retraction WHERE recorded_at > $since ORDER BY kind"
    return [kind for (kind,) in slot.kb.db.query(query, {"since": since})]


@pytest.mark.slow
def test_what_became_of_the_claim(slot: Slot) -> None:
    """B1, W1: replaced, corrected and retracted are told apart for each version a write retracts."""
    before = head(slot)
    slot.supersede("A", "B", 25, 30)
    assert kinds(slot, before) == ["replaced"]
    before = head(slot)
    slot.correct("A", "C")
    assert kinds(slot, before) == ["corrected", "corrected"]
    before = head(slot)
    slot.retract("B")
    assert kinds(slot, before) == ["replaced", "replaced", "retracted"]


@pytest.mark.slow
def test_a_correction_shows_its_own_words(slot: Slot) -> None:
    """B6, Q4: the corrected claim shows the quote the correction brought, at the reading of the old one."""
    slot.correct("A", "C")
    (row,) = slot.kb.claims(slot.subject, observed_by=at(900))
    assert (row["value"], row["quote"], tick(row["observed_at"])) == ("$3", "In truth C.", "10")


@pytest.mark.slow
def test_the_same_decision_twice_is_nothing(slot: Slot) -> None:
    """B6: superseding and correcting again writes no batch and no version; retracting again is refused."""
    slot.supersede("A", "B", 25, 30)
    again = slot.supersede("A", "B", 25, 30)
    assert again is not None
    assert (wrote(again), again.batch) == ((0, 0), None)
    slot.correct("B", "C")
    again = slot.correct("B", "C")
    assert again is not None
    assert (wrote(again), again.batch) == ((0, 0), None)
    slot.retract("A")
    with pytest.raises(ClaimStateError):
        slot.kb.retract(slot.id_of("A"), reason="again")


@pytest.mark.slow
def test_a_reading_made_after_a_correction_needs_another_one(slot: Slot) -> None:
    """B6: a decision covers the readings made up to it; the same one later covers those made since."""
    slot.correct("A", "B", decided=30)
    slot.add("A", 40)
    assert wrote(slot.correct("A", "B")) != (0, 0)
    assert wrote(slot.correct("A", "B")) == (0, 0)


@pytest.mark.parametrize("closed", few([False, True], 2))
def test_rows_a_correction_writes(slot: Slot, closed: bool) -> None:
    """B1: correcting writes as many versions as it retracts: one of an open claim, two of a closed one."""
    if closed:
        slot.supersede("A", "B", 25, 30)
    report = slot.correct("A", "C")
    assert wrote(report) == ((2, 2) if closed else (1, 1))
    assert report is not None
    assert "was wrong" in report.words


def test_rows_a_retraction_writes(slot: Slot) -> None:
    """B1: retracting the only claim retracts its one version; the report says so in words and flat rows."""
    report = slot.retract("A")
    assert wrote(report) == (0, 1)
    assert report is not None
    assert "is retracted" in str(report)
    assert [row["change"] for row in report.to_json()["versions"]] == ["retracted"]


def test_changed_without_a_successor_opens_a_review(slot: Slot) -> None:
    """W2: the page changed and nobody says to what: counted as missing, and somebody should look."""
    report = slot.observe("A", "changed", 30)
    assert wrote(report) == (2, 1)
    assert seen(slot) == ["A - 10 | 11 -"]
    mine = [row for row in slot.kb.reviews() if row["claim_id"] == slot.id_of("A")]
    assert len(mine) == 1
    slot.observe("A", "confirmed", 40)
    assert slot.id_of("A") not in {row["claim_id"] for row in slot.kb.reviews()}


# -- bad input ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_verb_on_a_claim_that_does_not_stand(slot: Slot) -> None:
    """W6: retracted, or already over at V, is a ClaimStateError; nothing is written."""
    slot.supersede("A", "B", 25, 30)
    before = head(slot)
    with pytest.raises(ClaimStateError, match="is over"):
        slot.kb.supersede(slot.id_of("A"), slot.said("C", 40), at=at(35))
    slot.retract("B")
    for verb in (
        lambda: slot.kb.supersede(slot.id_of("B"), slot.said("C", 40), at=at(35)),
        lambda: slot.kb.correct(slot.id_of("B"), slot.said("C", 40)),
        lambda: slot.kb.retract(slot.id_of("B"), reason="again"),
        lambda: slot.kb.observe(slot.id_of("B"), "confirmed", observed_at=at(50)),
    ):
        written = head(slot)
        with pytest.raises(ClaimStateError):
            verb()
        assert head(slot) == written > before


@pytest.mark.parametrize("v", few([4, 5], 2))
def test_closing_before_the_start(empty: Slot, v: int) -> None:
    """B3, W6: a claim that begins at 5 cannot end at 4 or 5; both instants are named."""
    empty.add("a", 10)
    with pytest.raises(IntervalError) as raised:
        empty.kb.supersede(empty.id_of("a"), empty.said("B", 30), at=at(v))
    assert "00:00:00.000005Z" in str(raised.value)
    assert f"00:00:00.00000{v}Z" in str(raised.value)


@pytest.mark.slow
def test_two_instants_of_one_change(slot: Slot) -> None:
    """W6: `at` and the start that the successor states must agree; without either there is no change point."""
    with pytest.raises(IntervalError, match="states that it begins"):
        slot.kb.supersede(slot.id_of("A"), slot.said("b", 30), at=at(25))
    with pytest.raises(IntervalError, match="when the successor begins"):
        slot.kb.supersede(slot.id_of("A"), slot.said("B", 30))
    slot.kb.supersede(slot.id_of("A"), slot.said("b", 30))
    assert seen(slot) == ["A - 10 | 36 36", "b 36 36 | - -"]


@pytest.mark.parametrize("verb", few(["supersede", "correct", "observe"], 3))
def test_another_slot(slot: Slot, verb: str) -> None:
    """W6: a verb stays in its slot."""
    other = slot.said("B", 30) | {"subject": "Somebody else"}
    with pytest.raises(InputError) as raised:
        tell(slot, verb, other)
    assert raised.value.code == "other_slot"


@pytest.mark.parametrize("verb", few(["correct", "observe"], 2))
def test_another_source(slot: Slot, verb: str) -> None:
    """B6: what a source said is corrected by what that source said."""
    with pytest.raises(InputError) as raised:
        tell(slot, verb, slot.said("Y", 30))
    assert raised.value.code == "other_source"


def tell(slot: Slot, verb: str, other: dict[str, Any]) -> None:
    """Tell one of the verbs that name a successor about A."""
    if verb == "supersede":
        slot.kb.supersede(slot.id_of("A"), other, at=at(25))
    elif verb == "correct":
        slot.kb.correct(slot.id_of("A"), other)
    else:
        slot.kb.observe(slot.id_of("A"), "changed", observed_at=at(30), successor=other)


@pytest.mark.parametrize("verb", few(["supersede", "correct", "retract", "observe"], 4))
def test_an_unknown_claim(kb: Claimbase, verb: str) -> None:
    """E: a claim the base never held is named in the error."""
    given: dict[str, Any] = {
        "supersede": {"successor": {"value": "$2"}, "at": at(25)},
        "correct": {"successor": {"value": "$2"}},
        "retract": {"reason": "why"},
        "observe": {"observed_at": at(30)},
    }[verb]
    with pytest.raises(ClaimNotFoundError, match="c_0123456789abcdef"):
        getattr(kb, verb)("c_0123456789abcdef", **given)


def test_what_lies_in_the_future(slot: Slot) -> None:
    """B5, B6: no reading and no decision lies in the future."""
    later = NOW + timedelta(days=1)
    with pytest.raises(InstantError, match="future"):
        slot.kb.observe(slot.id_of("A"), "confirmed", observed_at=later)
    with pytest.raises(InstantError, match="future"):
        slot.kb.supersede(slot.id_of("A"), slot.said("B", 30) | {"observed_at": later}, at=at(25))
    for verb in (
        lambda: slot.kb.retract(slot.id_of("A"), reason="why", decided_at=later),
        lambda: slot.kb.correct(slot.id_of("A"), slot.said("B", 30), decided_at=later),
        lambda: slot.kb.supersede(slot.id_of("A"), slot.said("B", 30), at=at(25), decided_at=later),
    ):
        with pytest.raises(InstantError, match="decided_at"):
            verb()


@pytest.mark.parametrize(
    ("outcome", "successor", "code"), [("vanished", None, "unknown_outcome"), ("confirmed", "B", "needless_successor")]
)
def test_a_wrong_outcome(slot: Slot, outcome: Any, successor: str | None, code: str) -> None:
    """W2: there are four outcomes, and only changed names a successor."""
    given = None if successor is None else slot.said(successor, 30)
    with pytest.raises(ClaimbaseError) as raised:
        slot.kb.observe(slot.id_of("A"), outcome, observed_at=at(30), successor=given)
    assert raised.value.code == code


def test_a_retraction_says_why(slot: Slot) -> None:
    """W6: no retraction without a reason."""
    with pytest.raises(InputError, match="reason"):
        slot.kb.retract(slot.id_of("A"), reason=" ")
