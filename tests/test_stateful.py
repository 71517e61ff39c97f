"""All verbs in any order on two slots of two sources: at every step the base holds what the oracle says."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from kit import figure
from oracle.verbs import Step
from verb_world import SAID_BY, Slot, check, shared_base

from claimbase.base import Claimbase

NAMES = st.sampled_from("ABCXYZab")
READ = st.sampled_from(range(10, 60, 5))
CHANGED = st.sampled_from((5, 17, 30, 36, 50))
DECIDED = st.sampled_from((22, 41, None))
PLACE = st.integers(0, 7)
OUTCOME = st.sampled_from(["confirmed", "quote_missing", "changed", "unreachable"])
WHICH = st.sampled_from((0, 1))
NUMBERS = count(1)
EXAMPLES = settings(
    deadline=None, database=None, suppress_health_check=list(HealthCheck), report_multiple_bugs=False
)  # fmt: skip


class Verbs(RuleBasedStateMachine):
    """Tell each verb to the base and to the oracle; what one refuses the other must refuse with the same code."""

    kb: ClassVar[Claimbase]

    def __init__(self) -> None:
        super().__init__()
        self.slots = [Slot(self.kb, f"Subject {next(NUMBERS)}") for _ in range(2)]

    def known(self, which: int, place: int) -> str:
        """Give one of the claims a slot knows; one it does not know where it knows none."""
        names = [name for name in "ABCXYZab" if self.slots[which].log.known(name)] or ["C"]
        return names[place % len(names)]

    def other(self, name: str, place: int, *, same_source: bool) -> str:
        """Give another claim, mostly of the same source where the verb asks for that."""
        names = [n for n in "ABCXYZab" if n != name and (not same_source or SAID_BY[n] == SAID_BY[name] or place == 0)]
        return names[place % len(names)]

    @rule(which=WHICH, name=NAMES, o=READ)
    def add(self, which: int, name: str, o: int) -> None:
        """B6: a claim, or a further reading of it."""
        self.slots[which].add(name, o)

    @rule(which=WHICH, place=PLACE, outcome=OUTCOME, o=READ)
    def observe(self, which: int, place: int, outcome: str, o: int) -> None:
        """W2: the page read again, no successor named."""
        self.slots[which].observe(self.known(which, place), outcome, o)

    @rule(which=WHICH, place=PLACE, other=PLACE, o=READ)
    def changed(self, which: int, place: int, other: int, o: int) -> None:
        """T8: the page says another claim instead."""
        name = self.known(which, place)
        self.slots[which].tell(Step("changed", name, self.other(name, other, same_source=True), o))

    @rule(which=WHICH, place=PLACE, other=PLACE, o=READ, v=CHANGED)
    def supersede(self, which: int, place: int, other: int, o: int, v: int) -> None:
        """W6: the world changed at v, seen at o."""
        name = self.known(which, place)
        self.slots[which].tell(Step("supersede", name, self.other(name, other, same_source=False), o, v))

    @rule(which=WHICH, place=PLACE, other=PLACE, decided=DECIDED)
    def correct(self, which: int, place: int, other: int, decided: int | None) -> None:
        """B6: recorded wrongly."""
        name = self.known(which, place)
        successor = self.other(name, other, same_source=True)
        self.slots[which].tell(Step("correct", name, successor, decided=decided))

    @rule(which=WHICH, place=PLACE, decided=DECIDED)
    def retract(self, which: int, place: int, decided: int | None) -> None:
        """W6: no longer stood by."""
        self.slots[which].retract(self.known(which, place), decided)

    @invariant()
    def holds_what_the_oracle_says(self) -> None:
        """B1, A1: at every batch so far, on all three axes."""
        check(self.slots)


@pytest.fixture(scope="module")
def machine() -> Iterator[type[Verbs]]:
    """The machine with a base that its examples share, each with slots of its own."""
    Verbs.kb = shared_base()
    yield Verbs
    Verbs.kb.close()


@pytest.mark.parametrize(
    "told", [(20, 30, 25), *(pytest.param(told, marks=pytest.mark.slow) for told in ((20, 25, 30), (30, 20, 25)))]
)
def test_an_announced_change_that_is_taken_back(machine: Any, told: tuple[int, ...]) -> None:
    """T1, T8, W2: $1 read at 20, "$2 from 36" at 25, $1 again at 30: it held on, in whatever order this was told."""
    slot = Slot(machine.kb, f"Subject {next(NUMBERS)}")
    for o in told:
        slot.tell(Step("changed", "A", "b", o) if o == 25 else Step("add", "A", None, o))
    check([slot])
    first = next(box for box in slot.log.boxes() if box.observed_at == 20 and box.observed_from == 30)
    assert (first.until_earliest, first.until_latest) == (30, 30)


def test_a_change_to_what_was_read_already(machine: Any) -> None:
    """B1, T8: a change into a claim whose reading is held already counts at once, not from the next write on."""
    slot = Slot(machine.kb, f"Subject {next(NUMBERS)}")
    for step in (Step("add", "B", None, 10), Step("add", "b", None, 45), Step("changed", "B", "b", 45)):
        slot.tell(step)
        check([slot])
    assert len(slot.log.boxes()) > 2


def test_all_verbs(machine: Any) -> None:
    """G11: a few sequences of verbs, as the oracle has it after each."""
    run_state_machine_as_test(machine, settings=settings(EXAMPLES, max_examples=3, stateful_step_count=8))


@pytest.mark.slow
def test_all_verbs_at_length(machine: Any) -> None:
    """G11: sixty sequences of up to sixteen verbs; three hundred with CLAIMBASE_TIMES=5."""
    run_state_machine_as_test(machine, settings=settings(EXAMPLES, max_examples=figure(60), stateful_step_count=16))


def test_the_names_cover_two_sources() -> None:
    """G11: the sequences speak of two sources."""
    assert {SAID_BY[name] for name in "ABCXYZab"} == {"first", "second"}
