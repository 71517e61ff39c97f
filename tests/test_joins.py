"""Joins and relations over time (H4): predicates of a subject at every instant; two intervals in Allen's words."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from functools import cache
from itertools import product
from typing import Any

import pytest
from kit import base, claim, day, only_claim
from rows import ZERO, Builder, basis, iso

import claimbase
from claimbase.analysis.joins import Joined, join
from claimbase.analysis.relations import RELATIONS, Bounds, possible_relations, related
from claimbase.errors import ClaimNotFoundError, InputError, VocabularyError
from claimbase.present import differences, tables
from claimbase.temporal import TICK, Interval, Relation, relation
from claimbase.vocabulary import Vocabulary

NAMES = ("price", "context", "grade")


def build() -> Builder:
    """Start a base whose predicates the tests share."""
    builder = Builder()
    builder.declare("price", unit="usd_per_mtok")
    builder.declare("context", unit="token", aliases=[{"name": "ctx"}])
    builder.declare("grade", kind="text")
    return builder


def joined(builder: Builder, *predicates: str, subject: str = "Lark 2", **axes: Any) -> Joined:
    """Join predicates of a subject."""
    vocabulary = Vocabulary(builder.predicates.values())
    return join(builder.build(), vocabulary, basis(**axes), subject, predicates)


def told(found: Joined) -> list[tuple[Any, ...]]:
    """Give each stretch as its values, its days and whether it is certain."""
    return [
        (*one.values.values(), *((bound and iso(bound)[:10]) for bound in (one.interval.start, one.interval.end)),
         one.certain)
        for one in found.stretches
    ]  # fmt: skip


# -- joins -----------------------------------------------------------------------------------------------------------


def test_a_join_is_cut_at_each_change() -> None:
    """H4, Q5: [March, June) of a price against a change on 1 April gives two rows; nothing where one is missing."""
    builder = build()
    builder.claim("200K", predicate="context", start="2026-01-01", end="2026-04-01", observed="2026-09-01")
    builder.claim("1M", predicate="context", start="2026-04-01", observed="2026-09-01")
    builder.claim("$3", start="2026-03-01", end="2026-06-01", observed="2026-09-01", source="b")
    found = joined(builder, "context", "price")
    assert told(found) == [
        ("200K", "$3", "2026-03-01", "2026-04-01", True), ("1M", "$3", "2026-04-01", "2026-06-01", True),
    ]  # fmt: skip
    first = found.rows()[0]
    assert (first["context"], first["price"], iso(first["from"]), iso(first["until"])) == (
        "200K", "$3", "2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z",
    )  # fmt: skip
    assert [claims[0].quote for claims in found.stretches[0].claims.values()] == [
        "Lark 2 context: 200K",
        "Lark 2 price: $3",
    ]
    assert told(joined(builder, "price", "ctx")) == [
        ("$3", "200K", "2026-03-01", "2026-04-01", True), ("$3", "1M", "2026-04-01", "2026-06-01", True),
    ]  # fmt: skip


def test_disagreeing_values_give_a_row_per_combination() -> None:
    """H4: where two sources disagree both values are joined; equal ones are one row with all evidence (V9)."""
    builder = build()
    builder.claim("$3", start="2026-01-01", end="2026-05-01", observed="2026-09-01")
    builder.claim("3.0", start="2026-02-01", end="2026-06-01", observed="2026-09-01", source="b")
    builder.claim("$4", start="2026-04-01", end="2026-05-01", observed="2026-09-01", source="c")
    builder.claim("A", predicate="grade", start="2026-01-01", observed="2026-09-01")
    found = joined(builder, "price", "grade")
    assert [row[2:4] for row in told(found)] == [("2026-01-01", "2026-06-01"), ("2026-04-01", "2026-05-01")]
    assert [len(one.claims["price"]) for one in found.stretches] == [2, 1]


def test_certain_and_possible_stretches_stand_apart() -> None:
    """H4, T2: what holds only possibly of one predicate makes the whole stretch possible."""
    builder = build()
    builder.claim("$3", source="a", observed="2026-03-01", cut=("2026-03-02", "2026-04-01"))
    builder.claim("$2", source="a", observed="2026-04-01", start=("2026-03-02", "2026-04-01"), dated=False)
    builder.claim("A", predicate="grade", start="2026-02-15", end="2026-06-01", observed="2026-09-01")
    assert told(joined(builder, "price", "grade")) == [
        ("$3", "A", "2026-02-15", "2026-03-01", False), ("$3", "A", "2026-03-01", "2026-03-02", True),
        ("$2", "A", "2026-03-02", "2026-04-01", False), ("$3", "A", "2026-03-02", "2026-04-01", False),
        ("$2", "A", "2026-04-01", "2026-06-01", True),
    ]  # fmt: skip


def test_scopes_absences_and_other_subjects_give_no_value() -> None:
    """H4, Q6, B7: only claims without scope decide; an absence is no value; each subject of the name stands alone."""
    builder = build()
    builder.claim("$3", start="2026-01-01", observed="2026-01-01", scope={"mode": "batch"})
    builder.claim("none", predicate="context", start="2026-01-01", observed="2026-01-01", absent=True, unread=True)
    builder.claim("A", predicate="grade", start="2026-01-01", observed="2026-01-01")
    builder.claim("$5", start="2026-01-01", observed="2026-01-01", provider="Tarn")
    builder.claim("B", predicate="grade", start="2026-01-01", observed="2026-01-01", provider="Tarn")
    found = joined(builder, "price", "grade")
    assert [(one.provider, one.values["price"]) for one in found.stretches] == [("Tarn", "$5")]
    assert joined(builder, "context", "grade").stretches == ()
    nobody = joined(builder, "price", subject="nobody")
    assert (nobody.stretches, nobody.summary) == ((), "at no instant does nobody have a value of price")


@pytest.mark.slow
def test_writings_that_differ_are_shown_as_they_were_read() -> None:
    """H4, V9: equal values in one writing stand as written, in several as they were read; each claim keeps its own."""
    kb = base()
    pages = [{"url": f"https://norden.example/{name}"} for name in "ab"]
    kb.add(claim("$3 / Mtok", effective_from=day(1), source=pages[0]))
    assert kb.join("Lark 2", "price").rows()[0]["price"] == "$3 / Mtok"
    kb.add(claim("3e-06", unit="usd_per_token", effective_from=day(1), source=pages[1]))
    (found,) = kb.join("Lark 2", "price").stretches
    assert found.values == {"price": "3 usd_per_mtok"}
    assert {one.value for one in found.claims["price"]} == {"$3 / Mtok", "3e-06"}
    page = tables.written(differences.join, kb.join("Lark 2", "price").to_json())
    assert "\n  price 3 usd_per_mtok\n    price $3 / Mtok = 3 usd_per_mtok\n" in page
    assert "\n    price 3e-06 = 3 usd_per_mtok\n" in page


def test_a_name_that_nothing_is_called_joins_nothing_and_offers_the_nearest() -> None:
    """H4, P2: an empty join names what is spelled alike, unless the basis lies back: then nothing was known of it."""
    kb = base()
    kb.add(claim(effective_from=day(1)))
    near = kb.join("Lark 3", "price")
    assert (near.nearest, near.to_json()["nearest"]) == (("Lark 2 (Norden AI)",), ["Lark 2 (Norden AI)"])
    assert near.summary == "at no instant does Lark 3 have a value of price; nearest: Lark 2 (Norden AI)"
    assert near.nearest == kb.history("Lark 3").nearest
    assert kb.join("Lark 2", "vision").nearest == kb.history("Lark 2", "vision").nearest == ()
    assert kb.join("Lark 3", "price", recorded_by=day(2)).nearest == ()


def test_what_was_not_known_is_not_joined() -> None:
    """H4, A1: the basis decides on the observed and the recorded axis."""
    builder = build()
    builder.claim("$3", start="2026-01-01", observed="2026-02-01")
    builder.claim("A", predicate="grade", start="2026-01-01", observed="2026-03-01", recorded="2026-04-01")
    assert len(joined(builder, "price", "grade").stretches) == 1
    assert joined(builder, "price", "grade", observed_by="2026-02-15").stretches == ()
    assert joined(builder, "price", "grade", recorded_by="2026-03-15").stretches == ()


Drawn = list[tuple[str, str, tuple[int, int], tuple[int | None, int | None]]]


def _draw(rng: random.Random) -> Drawn:
    """Draw claims of three predicates with bounds that may be imprecise, within twelve hours."""
    found: Drawn = []
    for _ in range(rng.randrange(2, 9)):
        start = sorted((rng.randrange(9), rng.randrange(9)))
        end = rng.choice((None, sorted((rng.randrange(start[1] + 1, 13), rng.randrange(start[1] + 1, 13)))))
        name = rng.choice(NAMES)
        value = rng.choice(("A", "B") if name == "grade" else ("1", "2"))
        found.append((name, value, (start[0], start[1]), (None, None) if end is None else (end[0], end[1])))
    return found


def _rows(drawn: Drawn, names: tuple[str, ...]) -> set[tuple[Any, ...]]:
    """Join by looking at every hour, in plain Python."""

    def at(hour: int) -> dict[tuple[str, ...], bool]:
        held: list[dict[str, bool]] = [{} for _ in names]
        for name, value, (early, late), (first, final) in drawn:
            if name in names and early <= hour and (first is None or hour < (final or 0)):
                sure = late <= hour and (first is None or hour < first)
                values = held[names.index(name)]
                values[value.lower()] = values.get(value.lower(), False) or sure
        return {tuple(value for value, _ in choice): all(sure for _, sure in choice)
                for choice in product(*(values.items() for values in held))}  # fmt: skip

    found, running = set(), dict[tuple[Any, ...], int]()
    for hour in range(14):
        now = {(*values, sure) for values, sure in at(hour).items()}
        for one in set(running) - now:
            found.add((*one, running.pop(one), hour))
        for one in now - set(running):
            running[one] = hour
    return found | {(*one, since, None) for one, since in running.items()}


@pytest.mark.slow
def test_joins_equal_looking_at_every_hour(rng: random.Random) -> None:
    """H4: on drawn worlds, for any order and number of predicates, the stretches are those of a loop over instants."""
    builder = build()
    worlds = {f"s{number}": _draw(rng) for number in range(25)}
    for subject, drawn in worlds.items():
        for number, (name, value, start, end) in enumerate(drawn):
            builder.claim(
                value, subject=subject, predicate=name, start=start, end=None if end[0] is None else end,
                observed=0, source="abc"[number % 3], handle=str(number),
            )  # fmt: skip
    for subject, drawn in worlds.items():
        names = tuple(rng.sample(NAMES, rng.choice((1, 2, 2, 3))))
        found = joined(builder, *names, subject=subject)
        shown = [
            (
                *(one.claims[name][0].value_key for name in names),
                one.certain,
                *map(hour, (one.interval.start, one.interval.end)),
            )
            for one in found.stretches
        ]
        assert set(shown) == _rows(drawn, names)
        assert len(set(shown)) == len(shown)


def hour(at: datetime | None) -> int | None:
    """Give an instant as the test world counts."""
    return None if at is None else (at - ZERO) // timedelta(hours=1)


@pytest.mark.slow
def test_a_join_has_predicates_that_are_known() -> None:
    """H4, X35: no predicate and an unknown one are errors with a hint; one declared and never used joins nothing."""
    kb = base()
    kb.add(claim(effective_from=day(1)))
    with pytest.raises(InputError) as caught:
        kb.join("Lark 2")
    assert caught.value.code == "no_predicates"
    with pytest.raises(VocabularyError) as unknown:
        kb.join("Lark 2", "price", "prise")
    assert unknown.value.code == "unknown_predicate"
    assert kb.join("Lark 2", "price", "vision").stretches == ()
    assert len(kb.join("lark  2", "price", "price").stretches) == 1
    kb.add(claim("A", predicate="undeclared"))
    assert kb.join("Lark 2", "undeclared").predicates == ("undeclared",)


def test_joins_of_the_seeds_hold_at_their_start() -> None:
    """H4 on the shipped seeds: at the start of each certain stretch every value is certainly active, and cited."""
    kb = claimbase.demo()
    found = kb.join("Claude Sonnet 4.5", "context_window", "input_price")
    assert found.stretches
    for one in found.stretches:
        if one.certain and one.interval.start:
            held = {row["claim_id"] for row in kb.db.query(
                "SELECT claim_id FROM cb.active_claims($at) WHERE certainty = 'certain'", {"at": one.interval.start},
            ).dicts()}  # fmt: skip
            assert all(held & {cited.claim_id for cited in claims} for claims in one.claims.values())


def test_joins_show_themselves() -> None:
    """A6: plain data, a frame whose columns are the predicates, and an escaped table."""
    builder = build()
    builder.claim("<b>", predicate="grade", start="2026-01-01", observed=0)
    found = joined(builder, "grade")
    assert list(found.df().columns) == ["provider", "subject", "grade", "from", "until", "certain", "claims"]
    assert "<b>" not in found._repr_html_()
    data = json.loads(json.dumps(found.to_json()))
    assert data["stretches"][0]["interval"] == {"from": "2026-01-01T00:00:00Z", "until": None}
    assert found.summary == "1 stretch of Lark 2 with grade"


# -- relations -------------------------------------------------------------------------------------------------------

Four = tuple[int | None, int | None, int | None, int | None]


def at(given: int | None) -> datetime | None:
    """Give an instant of the small world, whose instants are neighbours: nothing lies between two of them."""
    return None if given is None else ZERO + given * TICK


def _bounds(starts: Sequence[int | None], ends: Sequence[int | None]) -> list[Four]:
    """Give all four bounds over some instants that are legal: begun before it ends (T1); None is unbounded."""
    found: list[Four] = []
    for early, late, first, final in product(starts, starts, ends, ends):
        begins = (early is not None or late is not None) and (early is None or late is None or early <= late)
        finishes = final is None or (first is not None and first <= final)
        if begins and finishes and (early is None or final is None or early < final):
            found.append((early, late, first, final))
    return found


def _worlds(bounds: Four, low: int, high: int) -> list[Interval]:
    """Give every interval within the bounds; what is unbounded ends at *low* and *high*, and no end is none."""
    early, late, first, final = bounds
    starts = range(low if early is None else early, (high if late is None else late) + 1)
    ends = [None] if first is None else list(range(first, (high if final is None else final) + 1))
    return [Interval(at(start), at(end)) for start, end in product(starts, ends) if end is None or start < end]


def _compare(pairs: Iterable[tuple[Four, Four]], low: int, high: int) -> int:
    told = cache(relation)
    compared = 0
    for a, b in pairs:
        worlds = product(_worlds(a, low, high), _worlds(b, low, high))
        seen: set[Relation] = {told(one, other) for one, other in worlds}
        found = possible_relations(Bounds(*map(at, a)), Bounds(*map(at, b)))
        assert list(found) == [name for name in RELATIONS if name in seen]
        compared += 1
    return compared


def test_possible_relations_equal_every_possible_world() -> None:
    """H4, T1: for all bounds over four neighbouring instants, the relations are those of some choice of the ends."""
    every = [one for one in _bounds(range(3), (None, 1, 2, 3)) if one[2] is None or one[3] is not None]
    assert _compare(product(every, every), 0, 3) > 1000


def test_unbounded_sides_reach_beyond_everything(rng: random.Random) -> None:
    """H4, T6, T9: a start that may lie at any time, one not sooner than a day, an end that is not known."""
    every = _bounds((None, 0, 1), (None, 1, 2))
    pairs = [(rng.choice(every), rng.choice(every)) for _ in range(60)]
    assert _compare(pairs, -4, 6) == len(pairs)


def test_related_claims() -> None:
    """H4: two claims by their ids; one certain relation, or all that are possible; other runs make further pairs."""
    builder = build()
    early = builder.claim("$3", start="2026-01-01", end="2026-03-01", observed="2026-01-01")
    late = builder.claim("$2", start="2026-03-01", observed="2026-03-01")
    month = builder.claim("A", predicate="grade", start=("2026-03-01", "2026-04-01"), observed="2026-03-01")
    twice = builder.claim("B", predicate="grade", observed="2026-01-05", cut="2026-02-01")
    builder.claim("B", predicate="grade", observed="2026-04-01", start=("2026-03-05", "2026-04-01"), dated=False)
    db = builder.build()
    found = related(db, basis(), early, late)
    assert (found.relations, found.certain) == (("meets",), True)
    assert found.summary == f"{early} meets {late}"
    assert related(db, basis(), late, early).relations == ("met_by",)
    doubtful = related(db, basis(), early, month)
    assert (doubtful.relations, doubtful.certain) == (("before", "meets"), False)
    runs = related(db, basis(), twice, late)
    assert [pair.relations for pair in runs.pairs] == [("before",), ("finishes",)]
    assert (runs.relations, runs.certain) == (("before", "finishes"), False)
    assert json.loads(json.dumps(doubtful.to_json()))["pairs"][0]["other"]["from_latest"] == "2026-04-01T00:00:00Z"
    assert list(found.df().columns) == list(type(found).COLUMNS)


def test_relations_of_claims_that_are_not_there() -> None:
    """H4, A1: what is no id, no claim, or not known at the basis is an error that says so."""
    kb = base()
    kb.add(claim(effective_from=day(1)))
    only = only_claim(kb)
    assert kb.relation(only, only).relations == ("equals",)
    for given, error, code in (
        ("lark", InputError, "bad_claim_id"), ("c_" + "0" * 16, ClaimNotFoundError, "claim_not_found"),
    ):  # fmt: skip
        with pytest.raises(error) as caught:
            kb.relation(only, given)
        assert caught.value.code == code
    with pytest.raises(ClaimNotFoundError):
        kb.relation(only, only, observed_by="2026-02-01")
