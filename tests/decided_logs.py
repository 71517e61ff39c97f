"""Logs with decisions laid into one base: one slot each, said by two sources, so that F runs over all at once."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import logs
from logs import WIDTH, Row, at
from oracle.active import Box
from oracle.decided import Decision
from oracle.derive import Entry, PredicateFlags, SourceFlags, Statement, derive_slot

PLAIN = PredicateFlags()
BASE = {"first": SourceFlags(), "second": SourceFlags()}


@dataclass(frozen=True, slots=True)
class Decided:
    """One slot: what its claims state, which source says each, what was read and what was decided."""

    statements: tuple[tuple[str, Statement], ...]
    said_by: tuple[tuple[str, str], ...]
    entries: tuple[Entry, ...]
    decisions: tuple[Decision, ...]
    sources: tuple[tuple[str, SourceFlags], ...] = tuple(BASE.items())
    predicate: PredicateFlags = PLAIN

    def boxes(self) -> frozenset[Box]:
        """Give the boxes that the oracle derives; what a source read whole said at any time was a reading of it."""
        said_by = dict(self.said_by)
        lines = [(said_by[e.claim], e.o) for e in self.entries]
        lines += [(said_by[d.other], d.o) for d in self.decisions if d.other and d.o is not None]
        read = {name: {o for source, o in lines if source == name} | {*flags.readings} for name, flags in self.sources}
        sources = {name: replace(flags, readings=tuple(sorted(read[name]))) for name, flags in self.sources}
        return derive_slot(dict(self.statements), self.entries, self.decisions, said_by, sources, self.predicate)

    def __str__(self) -> str:
        words = [f"{'-' if e.kind == 'gone' else ''}{e.claim}@{e.o}" for e in sorted(self.entries, key=lambda e: e.o)]
        words += [
            f"{d.kind} {d.claim}{'' if d.other is None else '->' + d.other}"
            + (f" at {d.v} seen {d.o}" if d.o is not None else f" decided {d.decided}")
            for d in self.decisions
        ]
        flags = {name: said for name, said in self.sources if said != SourceFlags()}
        used = {e.claim for e in self.entries} | {c for d in self.decisions for c in (d.claim, d.other)}
        said = {name: says for name, says in self.statements if name in used}
        return f"{said}\n  {'; '.join(words)}\n  {dict(self.said_by)} {flags} {self.predicate}"


class DecidedLogs(logs.Logs):
    """Slots with decisions in a base; quotes are left to the tests of the front door."""

    def laid(self, number: int, case: Decided, slot: tuple[int, int, int]) -> Iterator[tuple[str, Row]]:
        """Give the rows of one slot, each with its table."""
        ids = {name: 2 * number + place for place, (name, _) in enumerate(case.sources)}
        for name, flags in case.sources:
            if flags.whole or flags.complete or flags.own:
                yield "source_mode", (ids[name], flags.whole, flags.complete, flags.own, logs.NOW)
        said_by, place = dict(case.said_by), {name: WIDTH * number + n for n, (name, _) in enumerate(case.statements)}
        entries = [*case.entries, *(Entry(d.other, d.o) for d in case.decisions if d.other and d.o is not None)]
        for name, flags in case.sources:
            read = {*flags.readings, *(e.o for e in entries if said_by[e.claim] == name)}
            for o in sorted(read):
                yield "reading", (ids[name], at(o), "read", flags.whole, None, None, logs.NOW)
        for name, said in case.statements:
            where, claim = (*slot, ids[said_by[name]]), place[name]
            absent = said.polarity == "absent"
            yield "statement", (claim, *where, absent, False, "v", *(None,) * 4, *logs.stated(said), logs.NOW)
            value = 99 if absent else ord(str(said.value))
            yield "meaning", (claim, value, None, None, None, False, False, False, None, logs.NOW)
        for nth, e in enumerate(entries):
            quote = 100 * place[e.claim] + nth if e.kind == "said" else None
            where = (*slot, ids[said_by[e.claim]], place[e.claim])
            yield "entry", (*where, at(e.o), e.ordinal, e.kind, quote, logs.NOW)
        for d in case.decisions:
            other = place[d.other] if d.other else None
            quote = 100 * other + 99 if other and d.kind == "correct" else None
            row = (d.kind, place[d.claim], other, at(d.v), at(d.o), at(d.decided), "why", logs.NOW, quote)
            yield "decision", row

    def expected(self) -> set[Row]:
        """Give the rows that the oracle derives, quotes left out."""
        return {
            (WIDTH * number + place[box.claim], *map(at, (*box.bounds, box.observed_at, *_observed(box))))
            for number, case in enumerate(self.cases, 1)
            for place in [{name: n for n, (name, _) in enumerate(case.statements)}]
            for box in case.boxes()
        }

    def derived(self, sql: str | None = None) -> list[Row]:
        """Give the rows that F derives, quotes left out."""
        return [(row[0], *row[2:9]) for row in super().derived(sql)]

    def told(self, row: Row) -> str:
        """Tell the story of a row: its case in words, for a failed test."""
        case = self.cases[row[0] // WIDTH - 1]
        name = case.statements[row[0] % WIDTH][0]
        ticks = [None if moment is None else int((moment - logs.ZERO).total_seconds() * 1e6) for moment in row[1:]]
        return f"{case}\n  {name} {ticks}"


def _observed(box: Box) -> tuple[int, int | None]:
    return box.observed_from, box.observed_until


# -- random slots -----------------------------------------------------------------------------------------------------

STATED = (
    Statement("A"),
    Statement("B"),
    Statement("C"),
    Statement("A", (5, 5)),
    Statement("B", (20, 20)),
    Statement("B", (33, 33)),
    Statement("C", (10, 40)),
    Statement("A", None, (30, 30)),
    Statement("B", None, "holds"),
    Statement("C", (25, None)),
)
FLAGS = (SourceFlags(),) * 6 + (
    SourceFlags(whole=True, readings=(0, 10, 20, 30, 40)),
    SourceFlags(whole=True, complete=True, readings=(5, 25)),
    SourceFlags(own=True),
    SourceFlags(complete=True),
)
PREDICATES = (PredicateFlags(),) * 6 + (PredicateFlags(single=False), PredicateFlags(closed_world=True))


def random_slot(rng: random.Random, *, plain: bool = False, most: int = 3, step: int = 5) -> Decided:
    """Give a slot of two to five claims with a few readings and decisions; plain: undated claims, sources not whole."""
    number = rng.randint(2, 5)
    claims = tuple((f"c{n}", rng.choice(STATED[:3] if plain else STATED)) for n in range(number))
    said_by = tuple((name, rng.choice(["first", "first", "second"])) for name, _ in claims)
    entries = tuple(
        Entry(rng.choice(claims)[0], rng.randrange(0, 45, step), "said" if rng.random() < 0.85 else "gone")
        for _ in range(rng.randint(1, 6))
    )
    decisions: list[Decision] = []
    for nth in range(rng.randint(1, most)):
        known = [e.claim for e in entries if e.kind == "said"] + [d.other for d in decisions if d.other]
        decisions += _decision(rng, dict(claims), dict(said_by), known, nth, step) if known else []
    sources = tuple((name, SourceFlags() if plain else rng.choice(FLAGS)) for name in BASE)
    predicate = PredicateFlags() if plain else rng.choice(PREDICATES)
    return Decided(claims, said_by, entries, tuple(decisions), sources, predicate)


def _decision(
    rng: random.Random,
    claims: dict[str, Statement],
    said_by: dict[str, str],
    known: Sequence[str],
    nth: int,
    step: int,
) -> list[Decision]:
    kind = rng.choice(["supersede", "supersede", "changed", "correct", "retract"])
    claim = rng.choice(known)
    same = kind in ("changed", "correct")
    others = [c for c in said_by if c != claim and (not same or said_by[c] == said_by[claim])]
    if kind == "retract":
        return [Decision("retract", claim, rng.randrange(0, 50) * 10 + nth)]
    if not others:
        return []
    other, o, v = rng.choice(others), rng.randrange(0, 45, step), rng.randrange(0, 45, step)
    if kind == "correct":
        return [Decision("correct", claim, rng.randrange(0, 50) * 10 + nth, other)]
    if kind == "changed":
        return [Decision("changed", claim, 500 + nth, other, o)]
    v = claims[other].start[0] if claims[other].dated else v
    legal = not claims[claim].dated or claims[claim].start[0] < v
    return [Decision("supersede", claim, 500 + nth, other, o, v)] if legal else []
