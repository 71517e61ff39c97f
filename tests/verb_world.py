"""A slot in a base and, beside it, the same slot in the oracle: every verb is told to both and must do the same."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

import pytest
from kit import NOW, base, claim
from logs import at
from oracle.active import Box
from oracle.derive import SourceFlags, Statement
from oracle.verbs import Step, Told

from claimbase.base import Claimbase
from claimbase.errors import ClaimbaseError

VALUES = {"A": "$1", "B": "$2", "C": "$3"}
STATEMENTS = {
    "A": Statement("A"), "B": Statement("B"), "C": Statement("C"),
    "a": Statement("A", (5, 5)), "b": Statement("B", (36, 36)), "p": Statement("B", (50, 50)),
    "X": Statement("A"), "Y": Statement("B"), "Z": Statement("C"),
}  # fmt: skip
SAID_BY = {name: "second" if name in "XYZ" else "first" for name in STATEMENTS}
SOURCES = {"first": SourceFlags(), "second": SourceFlags()}

VERSIONS = """
SELECT s.name, t.value, r.url_key, t.from_earliest, c.from_earliest, c.from_latest, c.until_earliest, c.until_latest,
  c.observed_from, c.observed_until, c.observed_at, c.recorded_at, c.retracted_at
FROM cb.claim AS c
JOIN cb.statement AS t USING (claim_no)
JOIN cb.subject AS s ON s.subject_id = c.subject_id
JOIN cb.source AS r ON r.source_id = c.source_id"""
HEAD = "SELECT max(recorded_at) FROM cb.batch"
IDS = """
SELECT t.value, r.url_key, t.from_earliest, cb.claim_id(t.claim_no)
FROM cb.statement AS t JOIN cb.subject AS s USING (subject_id) JOIN cb.source AS r ON r.source_id = t.source_id
WHERE s.name = $subject"""

Row = tuple[Any, ...]


def known_as(value: str, url: str, start: datetime | None) -> str:
    """Give the name of a stored claim."""
    said_by = "second" if "second" in url else "first"
    (name,) = [
        name
        for name, says in STATEMENTS.items()
        if (VALUES[says.value], SAID_BY[name], at(says.start[0]) if says.dated else None) == (value, said_by, start)
    ]
    return name


def as_row(box: Box) -> Row:
    """Give a box as the base has it, without its recorded axis."""
    return (box.claim, *map(at, (*box.bounds, box.observed_from, box.observed_until, box.observed_at)))


class Slot:
    """One slot that two sources speak of, in a base that others may share, and in the oracle.

    Args:
        kb: the base.
        subject: the slot's subject; its predicate is the price.
    """

    def __init__(self, kb: Claimbase, subject: str) -> None:
        self.kb, self.subject = kb, subject
        self.log = Told(STATEMENTS, SAID_BY, SOURCES)
        self.past: list[tuple[datetime, set[Row]]] = []

    def remember(self) -> None:
        """Keep what should be visible at the batch just written, for ever (A1)."""
        self.past.append((self.kb.db.query(HEAD).rows[0][0], {as_row(box) for box in self.log.boxes()}))

    def said(self, name: str, o: int, **fields: Any) -> dict[str, Any]:
        """Give the input of a claim as read at a tick."""
        says = STATEMENTS[name]
        source = {"url": f"https://{SAID_BY[name]}.example/pricing"}
        start = {"effective_from": at(says.start[0])} if says.dated else {}
        return claim(VALUES[str(says.value)], at(o), subject=self.subject, source=source, **start, **fields)

    def id_of(self, name: str) -> str:
        """Give a claim's id."""
        rows = self.kb.db.query(IDS, {"subject": self.subject}).rows
        return {known_as(*row[:3]): str(row[3]) for row in rows}.get(name, "c_0000000000000000")

    def tell(self, step: Step) -> Any:
        """Tell both; where the rules refuse the verb the product must refuse it too.

        Returns:
            The product's report, None where it refused.
        """
        error = self.log.tell(step)
        if error is None:
            report = self._write(step)
            self.remember()
            return report
        with pytest.raises(ClaimbaseError) as raised:
            self._write(step)
        assert raised.value.code == error, (self.log.entries, self.log.decisions, step)
        return None

    def _write(self, step: Step) -> Any:
        if step.verb == "add":
            return self.kb.add(self.said(step.claim, step.o or 0))
        decided = {} if step.decided is None else {"decided_at": at(step.decided)}
        claim_id, other = self.id_of(step.claim), step.other
        if step.verb == "retract":
            return self.kb.retract(claim_id, reason="withdrawn", **decided)
        if step.verb == "correct":
            return self.kb.correct(claim_id, self.said(other or "", 0, quote=f"In truth {other}."), **decided)
        successor = None if other is None else self.said(other, step.o or 0)
        if step.verb == "supersede":
            assert successor is not None
            return self.kb.supersede(claim_id, successor, at=at(step.v), **decided)
        return self.kb.observe(claim_id, step.verb, observed_at=at(step.o), successor=successor)  # type: ignore[arg-type]

    # -- the verbs in short -------------------------------------------------------------------------------------------

    def add(self, name: str, o: int) -> Any:
        """Add a claim as read at a tick."""
        return self.tell(Step("add", name, None, o))

    def observe(self, name: str, outcome: str, o: int, other: str | None = None) -> Any:
        """Read the page again; with the outcome changed the other claim stands in its place."""
        return self.tell(Step(outcome, name, other, o))

    def supersede(self, old: str, new: str, v: int, o: int) -> Any:
        """Say that the world changed at v, seen at o."""
        return self.tell(Step("supersede", old, new, o, v))

    def correct(self, old: str, new: str, decided: int | None = None) -> Any:
        """Say that a claim was recorded wrongly."""
        return self.tell(Step("correct", old, new, decided=decided))

    def retract(self, name: str, decided: int | None = None) -> Any:
        """Say that we no longer stand by a claim."""
        return self.tell(Step("retract", name, decided=decided))


def stored(kb: Claimbase) -> dict[str, list[Row]]:
    """Give every version ever recorded, by subject: name, bounds, observed axis, reading, recorded axis."""
    result: dict[str, list[Row]] = {}
    for subject, value, url, start, fe, fl, ue, ul, since, until, read, recorded, retracted in kb.db.query(VERSIONS):
        row = (known_as(value, url, start), fe, fl, ue, ul, since, until, read, recorded, retracted)
        result.setdefault(subject, []).append(row)
    return result


def visible(rows: Iterable[Row], recorded_by: datetime) -> list[Row]:
    """Give the versions that were standing at a recorded instant (A1)."""
    return [row[:-2] for row in rows if row[-2] <= recorded_by and (row[-1] is None or row[-1] > recorded_by)]


def check(slots: Iterable[Slot]) -> int:
    """Compare what is visible at every batch ever written with what the oracle said then; give how many versions."""
    compared = 0
    slots = list(slots)
    rows = stored(slots[0].kb) if slots else {}
    for slot in slots:
        for recorded_by, expected in slot.past:
            got = visible(rows.get(slot.subject, []), recorded_by)
            assert sorted(got, key=repr) == sorted(expected, key=repr), (slot.log.entries, slot.log.decisions)
            compared += len(got)
    return compared


def shared_base() -> Claimbase:
    """Open a base that many slots share."""
    kb = base()
    assert datetime(2026, 1, 2, tzinfo=UTC) < NOW
    return kb
