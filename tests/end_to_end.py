"""Logs of the oracle told to a base as claims, in batches and any order, and what the base should then hold."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from kit import Ticking, base, claim, pack, standing
from logs import at
from oracle.derive import End, Entry, PredicateFlags, SourceFlags, Statement, derive
from oracle.small_worlds import Case, random_case

from claimbase import ingest
from claimbase.base import Claimbase
from claimbase.ingest import Whole
from claimbase.temporal import iso

Row = dict[str, Any]


def told(number: int, case: Case, entries: Iterable[Entry]) -> Iterator[Row]:
    """Write entries of a case as claims; claims of one value differ by blanks after it."""
    statements = dict(case.statements)
    for entry in entries:
        said = statements[entry.claim]
        yield claim(
            written(case, entry.claim),
            _iso(entry.o),
            subject=f"subject {number}",
            predicate=called(case.predicate),
            quote=f"{entry.claim} at {entry.o}",
            polarity="absent" if said.polarity == "absent" else None,
            effective_from=_span(said.stated_from) if said.dated else None,
            effective_until=_end(said.stated_until),
            entry=entry.kind,
            ordinal=entry.ordinal,
            source={"url": address(number)},
        )


def written(case: Case, name: str) -> str:
    """Give the text of a claim's value, so that no two claims of a case are written alike."""
    place = [claim for claim, _ in case.statements].index(name)
    return str(dict(case.statements)[name].value) + " " * place


def called(flags: PredicateFlags) -> str:
    """Name a predicate by its flags."""
    return f"p_{flags.single:d}{flags.timeless:d}{flags.closed_world:d}"


def address(number: int) -> str:
    """Give the address of a case's source."""
    return f"https://s{number}.example/"


def expected(case: Case, entries: Iterable[Entry]) -> set[tuple[Any, ...]]:
    """Give value, bounds, readings and quote of every version that follows from some entries of a case."""
    boxes = derive(dict(case.statements), entries, case.source, case.predicate)
    return {
        (
            written(case, box.claim),
            *map(at, (*box.bounds, box.observed_at, box.observed_from, box.observed_until)),
            f"{box.claim} at {box.observed_at}",
        )
        for box in boxes
    }


def held(kb: Claimbase) -> dict[str, set[tuple[Any, ...]]]:
    """Give the same of every standing version of a base, by subject."""
    found: dict[str, set[tuple[Any, ...]]] = {}
    for row in standing(kb.db):
        found.setdefault(row[1], set()).add((row[5], *row[16:24]))
    return found


class Stream:
    """Random logs of sources read page by page, told in batches.

    Args:
        rng: the seed of everything.
        count: how many logs.
        batches: into how many batches their entries are thrown.
    """

    def __init__(self, rng: random.Random, count: int, batches: int) -> None:
        self.cases = [_plain(_random(rng, place)) for place in range(count)]
        self.batches: list[list[tuple[int, Entry]]] = [[] for _ in range(batches)]
        for number, case in enumerate(self.cases):
            for entry in case.entries:
                rng.choice(self.batches).append((number, entry))
        for batch in self.batches:
            rng.shuffle(batch)

    def check(self) -> None:
        """Tell batch after batch, and compare with the oracle after each."""
        flags = {case.predicate for case in self.cases}
        kb = base(Ticking(), pack(**{called(each): _declaration(each) for each in flags}))
        so_far: list[list[Entry]] = [[] for _ in self.cases]
        for batch in self.batches:
            for number, entry in batch:
                so_far[number].append(entry)
            kb.add([row for number, entry in batch for row in told(number, self.cases[number], [entry])])
            found = held(kb)
            for number, case in enumerate(self.cases):
                assert found.get(f"subject {number}", set()) == expected(case, so_far[number]), case


DAY = 86_400_000_000
VALUES = {"a": "$1", "b": "$2", "c": "$3"}


class Listings:
    """Random listings of a source read whole, told in any order.

    Args:
        rng: the seed of everything.
        count: how many readings.
        complete: a removal is a denial.
    """

    def __init__(self, rng: random.Random, count: int, *, complete: bool) -> None:
        days = sorted(rng.sample(range(1, 60), count))
        self.listed = {day * DAY: rng.sample("abc", rng.randint(0, 3)) for day in days}
        self.order = rng.sample(sorted(self.listed), count)
        self.complete = complete

    @classmethod
    def of(cls, listed: Mapping[int, str], order: Sequence[int]) -> Listings:
        """Make a story by hand: what each day lists, and the order in which the days arrive."""
        story = cls(random.Random(0), len(order), complete=False)
        story.listed = {day * DAY: list(names) for day, names in listed.items()}
        story.order = [day * DAY for day in order]
        return story

    def tell(self, kb: Claimbase, number: int) -> None:
        """Load the listings one by one in their random order."""
        for tick in self.order:
            rows = [
                claim(
                    VALUES[name],
                    _iso(tick),
                    subject=f"subject {number}",
                    quote=f"{name} at {tick}",
                    source={"url": address(number)},
                )
                for name in self.listed[tick]
            ]
            whole = Whole(address(number), ((_iso(tick), None),), complete=self.complete, listing=True)
            ingest.load(kb.db, kb.vocabulary(), enumerate(rows, 1), whole=whole)

    def expected(self) -> set[tuple[Any, ...]]:
        """Give what follows from the listings in the order of their readings, for which no listing means gone."""
        entries, before = [], set[str]()
        for tick, names in self.listed.items():
            entries += [Entry(name, tick) for name in names]
            entries += [Entry(name, tick, "gone") for name in before.difference(names)]
            before = set(names)
        statements = tuple((name, Statement(value)) for name, value in VALUES.items())
        source = SourceFlags(True, self.complete, False, tuple(self.listed))
        found = expected(Case(statements, tuple(entries), source, PredicateFlags()), entries)
        return {(row[0].strip(), *row[1:]) for row in found}


def _random(rng: random.Random, place: int) -> Case:
    return random_case(rng, longest=10, horizon=8 if place % 2 else 40, ordinals=place % 3 == 0)


def _plain(case: Case) -> Case:
    return Case(case.statements, case.entries, SourceFlags(), case.predicate)


def _declaration(flags: PredicateFlags) -> dict[str, Any]:
    cardinality = "single" if flags.single else "many"
    return {
        "kind": "text", "cardinality": cardinality, "timeless": flags.timeless, "closed_world": flags.closed_world,
    }  # fmt: skip


def _iso(tick: int) -> str:
    moment = at(tick)
    assert moment is not None
    return iso(moment)


def _span(pair: tuple[int | None, int | None] | None) -> dict[str, str]:
    return {
        name: _iso(tick) for name, tick in zip(("earliest", "latest"), pair or (), strict=False) if tick is not None
    }


def _end(stated: End) -> dict[str, str] | None:
    if isinstance(stated, str):
        return None if stated == "open" else {"kind": "unknown", "state": stated}
    return _span(stated) or None
