"""Worlds small enough to try whole: every box, every pair of instants, every short log; and seeded longer logs."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product

from .active import Bounds, Box, is_empty, tightened
from .derive import End, Entry, PredicateFlags, SourceFlags, Statement

INSTANTS = (0, 1, 2, 3)


@dataclass(frozen=True, slots=True)
class Case:
    """One slot of one source: its statements by claim, its log, and the flags that govern them."""

    statements: tuple[tuple[str, Statement], ...]
    entries: tuple[Entry, ...]
    source: SourceFlags
    predicate: PredicateFlags


def known_bounds(instants: tuple[int, ...] = INSTANTS) -> Iterator[Bounds]:
    """Yield every interval with known bounds: all start < end pairs and all open ones (T1)."""
    for start in instants:
        for end in [*(later for later in instants if later > start), None]:
            yield Bounds(start, start, end, end)


def legal_bounds(instants: tuple[int, ...] = INSTANTS) -> Iterator[Bounds]:
    """Yield every tightened four-column interval that may be stored: known, imprecise, unknown and open (T1)."""
    columns = (None, *instants)
    for bounds in (Bounds(*four) for four in product(columns, repeat=4)):
        fe, fl, ue, ul = bounds
        ordered = (fe is None or fl is None or fe <= fl) and (ue is None or ul is None or ue <= ul)
        stated = (fe, fl) != (None, None) and (ue is not None or ul is None)
        if ordered and stated and not is_empty(bounds) and tightened(bounds) == bounds:
            yield bounds


def spans(instants: tuple[int, ...] = INSTANTS) -> Iterator[tuple[int, int | None]]:
    """Yield every half-open interval [start, end) and [start, open) of an axis."""
    for start in instants:
        yield start, None
        yield from ((start, end) for end in instants if end > start)


def known_boxes(instants: tuple[int, ...] = INSTANTS) -> Iterator[Box]:
    """Yield every box with known bounds: 100 of them in a world of four instants."""
    for bounds, (since, until) in product(known_bounds(instants), spans(instants)):
        yield Box("a", *bounds, since, until, since)


def boxes(instants: tuple[int, ...] = INSTANTS) -> Iterator[Box]:
    """Yield every legal box, imprecise and unknown bounds included."""
    for bounds, (since, until) in product(legal_bounds(instants), spans(instants)):
        yield Box("a", *bounds, since, until, since)


def pairs(instants: tuple[int, ...] = INSTANTS) -> Iterator[tuple[int, int]]:
    """Yield every (valid_at, observed_by)."""
    yield from product(instants, repeat=2)


UNDATED = Statement("A")
SHAPES: dict[str, Statement] = {
    "a": UNDATED,
    "b": Statement("B"),
    "c": Statement("C"),
    "a_written_otherwise": Statement("A", stated_until=(None, None)),
    "a_from_1": Statement("A", (1, 1)),
    "a_from_1_until_3": Statement("A", (1, 1), (3, 3)),
    "a_until_2": Statement("A", None, (2, 2)),
    "b_from_0": Statement("B", (0, 0)),
    "b_from_2": Statement("B", (2, 2)),
    "b_from_3": Statement("B", (3, 3)),
    "b_from_1_or_2": Statement("B", (1, 2)),
    "b_not_before_2": Statement("B", (2, None)),
    "b_by_1": Statement("B", (None, 1)),
    "b_until_3": Statement("B", None, (3, 3)),
    "b_until_1_to_3": Statement("B", None, (1, 3)),
    "b_holds": Statement("B", None, "holds"),
    "b_ended": Statement("B", None, "ended"),
    "b_at_least_until_2": Statement("B", None, (2, None)),
    "no_b": Statement("B", polarity="absent"),
}
PAIRS = (
    *(("a", other) for other in SHAPES if other != "a"),
    ("b_from_0", "a_from_1"),
    ("b_from_0", "a_until_2"),
    ("b_from_2", "a_from_1_until_3"),
    ("b_holds", "a_until_2"),
)
TRIPLES = (
    ("a", "b", "c"),
    ("a", "b_from_2", "c"),
    ("a", "b_from_3", "b"),
    ("a", "b_until_3", "c"),
    ("a", "b_from_2", "a_from_1"),
)
SOURCES = (
    SourceFlags(),
    SourceFlags(complete=True),
    SourceFlags(own=True),
    SourceFlags(whole=True, readings=INSTANTS),
    SourceFlags(whole=True, readings=(0, 3)),
    SourceFlags(whole=True, complete=True, readings=INSTANTS),
    SourceFlags(whole=True, own=True, readings=INSTANTS),
)
PREDICATES = (
    PredicateFlags(),
    PredicateFlags(closed_world=True),
    PredicateFlags(timeless=True),
    PredicateFlags(single=False),
    PredicateFlags(single=False, closed_world=True),
)


def logs(
    claims: tuple[str, ...], longest: int = 3, instants: tuple[int, ...] = INSTANTS
) -> Iterator[tuple[Entry, ...]]:
    """Yield every log of at most `longest` different entries over these claims."""
    lines = [Entry(c, o, kind) for o in instants for c in claims for kind in ("said", "gone")]
    for length in range(longest + 1):
        yield from combinations(lines, length)


def cases(
    claim_sets: tuple[tuple[str, ...], ...] = PAIRS + TRIPLES,
    sources: tuple[SourceFlags, ...] = SOURCES,
    predicates: tuple[PredicateFlags, ...] = PREDICATES,
    longest: int = 3,
) -> Iterator[Case]:
    """Yield every short log under every choice of claims and flags."""
    for claims, source, predicate in product(claim_sets, sources, predicates):
        statements = tuple((claim, SHAPES[claim]) for claim in claims)
        for entries in logs(claims, longest):
            yield Case(statements, entries, source, predicate)


def random_statement(rng: random.Random, horizon: int) -> Statement:
    """Return a statement with any kind of start and end inside [0, horizon]."""
    low, high = sorted(rng.sample(range(horizon + 1), 2))
    start = rng.choice([None, None, None, (low, low), (low, low), (low, high), (low, None), (None, low)])
    later = rng.randrange(low + 1, horizon + 3)
    ends: list[End] = [
        "open",
        "open",
        "open",
        "open",
        (later, later),
        (later, later + 3),
        (later, None),
        "holds",
        "ended",
    ]
    end = rng.choice(ends)
    return Statement(rng.choice("ABC"), start, end, "absent" if rng.random() < 0.1 else "stated")


def random_case(rng: random.Random, longest: int = 12, horizon: int = 40, ordinals: bool = False) -> Case:
    """Return a longer log of two to five claims; the same seed gives the same case."""
    claims = tuple((f"c{n}", random_statement(rng, horizon)) for n in range(rng.randint(2, 5)))
    entries = tuple(
        Entry(
            rng.choice(claims)[0],
            rng.randrange(horizon),
            "said" if rng.random() < 0.75 else "gone",
            rng.randrange(3) if ordinals else None,
        )
        for _ in range(rng.randint(1, longest))
    )
    readings = tuple(sorted(rng.sample(range(horizon), rng.randint(0, 8))))
    whole = rng.random() < 0.5
    source = SourceFlags(whole, rng.random() < 0.25, rng.random() < 0.15, readings if whole else ())
    predicate = PredicateFlags(rng.random() < 0.8, rng.random() < 0.1, rng.random() < 0.2)
    return Case(claims, entries, source, predicate)
