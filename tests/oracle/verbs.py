"""What the rules make of a verb in a slot: whether it is refused, and why; else what it adds to the log (W6, B6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import permutations
from typing import NamedTuple

from .active import Box
from .decided import Decision, same_moment
from .derive import Entry, PredicateFlags, SourceFlags, Statement, derive_slot

PLAIN = PredicateFlags()
NOW = 1_000  # later than all readings: what is decided now covers them all


class Step(NamedTuple):
    """One verb: add, confirmed, quote_missing, unreachable, changed, supersede, correct or retract.

    Args:
        o: the reading; v: where the change lies; decided: when it was decided, None = now.
    """

    verb: str
    claim: str
    other: str | None = None
    o: int | None = None
    v: int | None = None
    decided: int | None = None


@dataclass(slots=True)
class Told:
    """The log of one slot as verbs make it."""

    statements: Mapping[str, Statement]
    said_by: Mapping[str, str]
    sources: Mapping[str, SourceFlags]
    predicate: PredicateFlags = PLAIN
    entries: list[Entry] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    told: int = 0

    def boxes(self) -> frozenset[Box]:
        """Give the boxes that follow from the log."""
        return derive_slot(self.statements, self.entries, self.decisions, self.said_by, self.sources, self.predicate)

    def tell(self, step: Step) -> str | None:
        """Do a step, unless the rules refuse it; then give the code of the error."""
        error = self.refused(step)
        if error is None:
            self._log(step)
            self.told += 1
        return error

    def refused(self, step: Step) -> str | None:
        """Give the code of the error with which the rules refuse a step, None where they do not."""
        if step.verb == "add":
            return None
        if not self.known(step.claim):
            return "claim_not_found"
        if step.verb in ("correct", "retract"):
            return self._deciding(step)
        return self._superseding(step) if step.verb == "supersede" else self._observing(step)

    def known(self, claim: str) -> bool:
        """Say whether a claim was ever stated."""
        said = any(entry.claim == claim and entry.kind == "said" for entry in self.entries)
        return said or any(decision.other == claim for decision in self.decisions)

    def decision(self, step: Step) -> Decision:
        """Give a step as a decision."""
        kind = step.verb
        assert kind in ("supersede", "changed", "correct", "retract")
        decided = NOW + self.told if step.decided is None else step.decided
        return Decision(kind, step.claim, decided, step.other, step.o, step.v)

    def repeated(self, step: Step) -> bool:
        """Say whether this very decision was taken before: then it is nothing, unless readings were made since."""
        if step.verb == "correct" and self._standing(step.claim):
            return False
        return any((d.kind, d.claim, d.other, d.o, d.v) == step[:5] for d in self.decisions)

    def _log(self, step: Step) -> None:
        if step.verb in ("add", "confirmed", "quote_missing") or (step.verb == "changed" and step.other is None):
            assert step.o is not None
            self.entries.append(Entry(step.claim, step.o, "said" if step.verb in ("add", "confirmed") else "gone"))
        elif step.verb != "unreachable" and not (step.other and self.repeated(step)):
            self.decisions.append(self.decision(step))

    def _standing(self, claim: str) -> list[Box]:
        return [box for box in self.boxes() if box.claim == claim and box.observed_until is None]

    def _observing(self, step: Step) -> str | None:
        covered = any(d.claim == step.claim and d.kind in ("correct", "retract") for d in self.decisions)
        if covered and not any(box.claim == step.claim for box in self.boxes()):
            return "not_standing"
        other = step.other
        return "other_source" if other is not None and self.said_by[step.claim] != self.said_by[other] else None

    def _superseding(self, step: Step) -> str | None:
        assert step.other is not None
        assert step.v is not None
        new = self.statements[step.other]
        if new.dated and new.start[0] != step.v:
            return "two_change_points"
        if self.repeated(step):
            return None
        boxes = self._standing(step.claim)
        if not boxes:
            return "not_standing"
        if all(box.until_latest is not None and box.until_latest <= step.v for box in boxes):
            return "already_over"
        begins = [box.from_earliest for box in boxes]
        return "ends_before_start" if all(begin is not None and step.v <= begin for begin in begins) else None

    def _deciding(self, step: Step) -> str | None:
        decision = self.decision(step)
        if step.other is not None and self.said_by[step.claim] != self.said_by[step.other]:
            return "other_source"
        if step.other is not None and self.repeated(step):
            return None
        if not self._standing(step.claim):
            return "not_standing"
        read = [e.o for e in self.entries if e.claim == step.claim and e.kind == "said"]
        read += [d.o for d in self.decisions if d.other == step.claim and d.o is not None]
        if read and min(read) > decision.decided:
            return "nothing_covered"
        return "decided_twice" if any(same_moment(decision, d) for d in self.decisions) else None


def legal_orders(told: Told, steps: Iterable[Step]) -> list[tuple[Step, ...]]:
    """Give the orders in which all these steps may be told to a slot of which nothing was said yet."""
    found = []
    for order in permutations(steps):
        fresh = Told(told.statements, told.said_by, told.sources, told.predicate)
        if all(fresh.tell(step) is None for step in order):
            found.append(order)
    return found
