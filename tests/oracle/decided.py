"""Decisions in the oracle: whose reading each reading counts as, and which claims a change links (B6, W6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from .stated import Entry, Statement

Verb = Literal["retract", "erase", "correct", "supersede", "changed"]
COVERING = ("retract", "erase", "correct")


@dataclass(frozen=True, slots=True)
class Decision:
    """One verb: about `claim`, in favour of `other`, the change at `v` and seen at `o`, taken at `decided`."""

    kind: Verb
    claim: str
    decided: int
    other: str | None = None
    o: int | None = None
    v: int | None = None


def same_moment(one: Decision, other: Decision) -> bool:
    """Say whether two decisions about one claim were taken at one instant: then nobody can order them."""
    claims = {one.claim, one.other} - {None}
    return one.decided == other.decided and not claims.isdisjoint({other.claim, other.other})


@dataclass(frozen=True, slots=True)
class Link:
    """A change from one claim to another that we were told of: it holds while both are stood by (W6).

    Args:
        says: what the new claim states; v: where the change lies, its earliest instant.
    """

    kind: Literal["supersede", "changed"]
    old: str
    new: str
    says: Statement
    o: int
    v: int
    same_source: bool

    @property
    def point(self) -> tuple[int, int]:
        """Where the old claim ends: the start that the new one states, else V."""
        return self.says.start if self.says.dated else (self.v, self.v)


def counts_as(decisions: Iterable[Decision], claim: str, o: int) -> str | None:
    """Return the claim that a reading made at `o` counts as, or None: decisions cover what was read by then (B6)."""
    covering = [d for d in decisions if d.kind in COVERING and d.decided >= o]
    current: str | None = claim
    for decision in sorted(covering, key=lambda d: (d.decided, d.kind, d.claim, d.other or "")):
        if decision.claim == current:
            current = decision.other if decision.kind == "correct" else None
    return current


def after_decisions(
    statements: Mapping[str, Statement],
    said_by: Mapping[str, str],
    entries: Iterable[Entry],
    decisions: Iterable[Decision],
) -> tuple[list[Entry], list[Link]]:
    """Return the readings as they count after all decisions, and the links that hold."""
    decisions = list(decisions)
    told = [d for d in decisions if d.kind in ("supersede", "changed")]
    said = [Entry(d.other, d.o) for d in told if d.other is not None and d.o is not None]
    log = [
        replace(entry, claim=current)
        for entry in (*entries, *said)
        for current in [counts_as(decisions, entry.claim, entry.o)]
        if current is not None
    ]
    links = [_link(statements, said_by, decisions, decision) for decision in told]
    return log, [link for link in links if link is not None]


def _link(
    statements: Mapping[str, Statement], said_by: Mapping[str, str], decisions: list[Decision], told: Decision
) -> Link | None:
    assert told.o is not None
    assert told.other is not None
    old, new = (counts_as(decisions, claim, told.o) for claim in (told.claim, told.other))
    if old is None or new is None or old == new:
        return None
    says = statements[new]
    v = told.o if told.v is None else told.v
    if says.dated and says.stated_from and says.stated_from[0] is not None:
        v = says.stated_from[0]  # correcting the start of what follows moves the change (W6)
    kind: Literal["supersede", "changed"] = "supersede" if told.kind == "supersede" else "changed"
    return Link(kind, old, new, says, told.o, v, said_by[old] == said_by[new])
