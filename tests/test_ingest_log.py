"""Ingest: sources read whole, declarations after their claims, and observations."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from end_to_end import Listings, held
from kit import NOW, Ticking, base, claim, day, digest, gone, only_claim, pack, standing

from claimbase import ingest
from claimbase.base import Claimbase
from claimbase.errors import ClaimbaseError, ClaimNotFoundError, InputError, InstantError
from claimbase.ingest import VerbReport, Whole
from claimbase.temporal import FixedClock, iso

URL = "https://norden.example/pricing"

# -- sources read whole ----------------------------------------------------------------------------------------------


def whole(*days: int, **mode: bool) -> Whole:
    """Describe readings of the usual source as a whole."""
    return Whole(URL, tuple((day(number), None) for number in days), **mode)


def load(kb: Claimbase, rows: Iterable[dict[str, Any]], how: Whole) -> Any:
    """Load rows of a source read whole."""
    return ingest.load(kb.db, kb.vocabulary(), enumerate(rows, 1), whole=how)


def ends(kb: Claimbase, value: str) -> list[tuple[Any, Any]]:
    """Give the end of a value as its standing versions have it, in the order they were believed."""
    rows = sorted((row for row in standing(kb.db) if row[5] == value), key=lambda row: row[21])
    return [(row[18], row[19]) for row in rows]


def march(number: int, ticks: int = 0) -> datetime:
    """Give a day of March 2026, some microseconds after its start."""
    return datetime(2026, 3, number, tzinfo=UTC) + timedelta(microseconds=ticks)


# what each day lists, and the order in which the days arrive: removals that a late listing must not undo or invent
TRICKY = [
    ({10: "a", 20: "", 30: ""}, (10, 30, 20)),
    ({10: "ab", 20: "b", 30: "a"}, (30, 10, 20)),
    ({10: "", 20: "a", 30: ""}, (10, 30, 20)),
]


def _check_listings(rng: random.Random, count: int) -> None:
    kb = base(Ticking())
    stories = [Listings(rng, rng.randint(2, 4), complete=place % 2 == 0) for place in range(count)]
    stories += [Listings.of(listed, order) for listed, order in TRICKY]
    for number, story in enumerate(stories):
        story.tell(kb, number)
    found = held(kb)
    for number, story in enumerate(stories):
        assert found.get(f"subject {number}", set()) == story.expected(), (story.listed, story.order)


@pytest.mark.slow
def test_listings_in_any_order(rng: random.Random) -> None:
    """B6, T8, W2: listings that arrive in any order end as the oracle has them, removals included."""
    _check_listings(rng, 2)


@pytest.mark.slow
def test_many_listings_in_any_order(rng: random.Random) -> None:
    """B6, T8, W2: the same for 20 sources."""
    _check_listings(rng, 20)


@pytest.mark.slow
def test_a_listing_again_is_nothing(rng: random.Random) -> None:
    """B6: all listings again, in any order, write nothing."""
    kb, story = base(Ticking()), Listings(rng, 4, complete=True)
    story.tell(kb, 1)
    before = digest(kb.db)
    story.order.reverse()
    story.tell(kb, 1)
    assert digest(kb.db) == before


@pytest.mark.slow
def test_a_late_whole_reading_moves_the_window() -> None:
    """T8: a reading that says nothing new still narrows where a change lies, and only there."""
    kb = base(Ticking())
    rows = [
        claim("128K", day(1), predicate="context"),
        claim("$3", day(2)),
        gone(claim("$3"), day(20)),
        claim("$2", day(20)),
    ]
    load(kb, rows, whole(1, 2, 10, 20))
    assert ends(kb, "$3") == [(None, None), (march(10, 1), march(20))]
    late = load(kb, [], whole(15))
    assert (late.added, late.readings, late.versions_added, late.versions_retracted) == (0, 0, 2, 2)
    assert ends(kb, "$3") == [(None, None), (march(15, 1), march(20))]
    assert load(kb, [], whole(25)).versions_added == 0
    assert load(kb, [], whole(15, 25)).batch is None


def test_a_removal_is_a_denial_only_where_the_source_is_complete() -> None:
    """W2: gone from a source read whole leaves the end unknown, until the mapping declares the source complete."""
    kb = base(Ticking())
    load(kb, [claim("$3", day(1)), gone(claim("$3"), day(20))], whole(1, 10, 20))
    assert ends(kb, "$3") == [(None, None), (march(10, 1), None)]
    load(kb, [], whole(20, complete=True))
    assert ends(kb, "$3") == [(None, None), (march(10, 1), march(20))]


def test_own_chronology_infers_nothing() -> None:
    """T8: what a source that dates itself no longer says is closed on the observed axis alone."""
    kb = base(Ticking())
    load(kb, [claim("$3", day(1)), gone(claim("$3"), day(20))], whole(1, 10, 20, own=True))
    ((*_, since, until, _, _, _, _),) = standing(kb.db)
    assert (ends(kb, "$3"), since, until) == ([(None, None)], march(1), march(20))


@pytest.mark.slow
def test_reading_a_source_whole_from_now_on() -> None:
    """T8, B6: claims told before their source is known to be read whole are derived anew; the order does not matter."""
    one, other = base(Ticking()), base(Ticking())
    rows = [claim("$3", day(1)), claim("$2", day(20))]
    one.add(rows)
    load(one, [], whole(10, 20))
    load(other, [], whole(10, 20))
    other.add(rows)
    assert standing(one.db) == standing(other.db)
    assert ends(one, "$3") == [(None, None)]
    told = "SELECT whole FROM cb.reading ORDER BY observed_at, whole"
    assert one.db.query(told).rows == [(False,), (True,), (False,), (True,)]
    assert other.db.query(told).rows == [(False,), (True,), (True,)]


def test_a_whole_reading_in_the_future() -> None:
    """B5: it is refused like any other reading."""
    kb = base(FixedClock(NOW))
    with pytest.raises(InstantError) as refused:
        load(kb, [], Whole(URL, (("2026-11-30", None),)))
    assert refused.value.code == "future_observation"


@pytest.mark.slow
def test_a_reading_by_a_clock_that_runs_a_little_fast() -> None:
    """B5: what is read inside the allowance counts as read when it is recorded, whole readings too."""
    kb, soon = base(FixedClock(NOW)), iso(NOW + timedelta(seconds=299))
    kb.add([claim()])
    assert changes(kb.observe(only_claim(kb), "quote_missing", observed_at=soon)) == (2, 1)
    load(kb, [], Whole("https://other.example/", ((soon, None),)))
    late = "SELECT count(*) FROM cb.entry WHERE observed_at > recorded_at UNION ALL SELECT count(*) FROM cb.reading"
    assert kb.db.query(late + " WHERE observed_at > recorded_at").rows == [(0,), (0,)]


# -- P1: declarations ------------------------------------------------------------------------------------------------

LATER = {
    "price": {"kind": "quantity", "unit": "usd_per_mtok"},
    "context": {"kind": "quantity", "unit": "token", "aliases": ["ctx", {"name": "window", "since": "2026-01-01"}]},
    "vision": {"kind": "bool"},
    "released": {"kind": "date", "timeless": True},
    "languages": {"kind": "set", "cardinality": "many"},
    "listed": {"kind": "text", "closed_world": True},
}
SAID = [
    claim("$3", day(1)), claim("$2 / Mtok", day(5)), claim("2", day(7), unit="USD/Mtok"),
    claim("0.000005", day(8), unit="USD/token"), claim("five", day(9), normalized_value="5"),
    claim("128K", day(1), predicate="context"), claim("128,000 tokens", day(2), predicate="ctx"),
    claim("131072", day(3), predicate="window"), claim("yes", day(1), predicate="vision"),
    claim("2026-01-05", day(1), predicate="released"), claim("2026-01-06", day(4), predicate="released"),
    claim(["en", "FR"], day(1), predicate="languages"), claim(["fr", "en"], day(4), predicate="languages"),
    claim("en", day(1), predicate="listed"), gone(claim("en", predicate="listed"), day(4)),
    claim("none", day(2), predicate="vision", polarity="absent"),
]  # fmt: skip


@pytest.fixture(scope="module")
def declared_first() -> list[tuple[Any, ...]]:
    """Give what stands in a base that was declared before it was told."""
    kb = base(Ticking(), pack(**LATER))
    kb.add(SAID)
    return standing(kb.db)


@pytest.mark.slow
def test_a_pack_after_the_claims_equals_a_pack_before_them(declared_first: list[tuple[Any, ...]]) -> None:
    """P1: kind, unit, cardinality, timeless, closed_world and aliases act on claims already told, in the same batch."""
    kb = base(Ticking(), pack(other={"kind": "text"}))
    kb.add(SAID)
    assert standing(kb.db) != declared_first
    kb.declare(pack(**LATER))
    assert standing(kb.db) == declared_first
    assert kb.declare(pack(**LATER)) == 0
    assert kb.db.file("ledger/head").rows[0][0] == 3


@pytest.mark.parametrize(
    "name",
    [name if name == "context" else pytest.param(name, marks=pytest.mark.slow) for name in LATER],
)
def test_a_declaration_at_a_time(declared_first: list[tuple[Any, ...]], name: str) -> None:
    """P1: one predicate declared after its claims ends like one declared before them."""
    others = {other: body for other, body in LATER.items() if other != name}
    kb = base(Ticking(), pack(**others))
    kb.add(SAID)
    kb.declare(pack(**{name: LATER[name]}))
    assert standing(kb.db) == declared_first


def test_an_alias_gained_and_lost() -> None:
    """P1, P2: claims under another name are read as its predicate's, from when it is declared until it is not."""
    kb = base(Ticking(), pack(context={"kind": "quantity", "unit": "token"}))
    kb.add([claim("128K", predicate="ctx")])
    read = "SELECT value_min FROM cb.claim WHERE retracted_at IS NULL"
    assert kb.db.query(read).rows == [(None,)]
    kb.declare(pack(context={"kind": "quantity", "unit": "token", "aliases": ["ctx"]}))
    assert kb.db.query(read).rows == [(128_000,)]
    kb.declare(pack(context={"kind": "quantity", "unit": "token"}))
    assert kb.db.query(read).rows == [(None,)]


def test_an_alias_that_two_predicates_share_in_turn() -> None:
    """P2: a name that stood for one predicate and then for another doubles no version."""
    turns = {"a": {"until": "2024-01-01"}, "b": {"since": "2024-01-01"}}
    kb = base(Ticking(), pack(**{
        name: {"kind": "text", "aliases": [{"name": "x"} | when]} for name, when in turns.items()
    }))  # fmt: skip
    kb.add([claim("v", predicate="x")])
    assert len(standing(kb.db)) == 1


@pytest.mark.slow
def test_the_last_of_two_packs_counts() -> None:
    """P1: two packs of one call that name one predicate leave one declaration, the later one's."""
    kb = base(Ticking(), pack(other={"kind": "text"}))
    kb.declare(pack(price={"kind": "text"}), pack(price={"kind": "quantity", "unit": "usd_per_mtok"}))
    kb.add([claim("$3")])
    assert kb.db.query("SELECT value_min FROM cb.claim").rows == [(3,)]
    assert kb.db.query("SELECT count(*) FROM cb.predicate_declaration").rows == [(2,)]


def test_a_new_declaration_hides_nothing_from_an_old_basis() -> None:
    """P1, A6, B1: what was read under the old pack is still read so at its recorded_by."""
    kb = base(Ticking(), pack(price={"kind": "text"}))
    kb.add([claim("$3")])
    before = standing(kb.db)
    at = kb.db.file("ledger/head").rows[0][1]
    kb.declare(pack(price={"kind": "quantity", "unit": "usd_per_mtok"}))
    assert standing(kb.db, at) == before != standing(kb.db)
    assert kb.vocabulary(kb.basis(recorded_by=at)).get("price").kind == "text"


def changes(report: VerbReport) -> tuple[int, int]:
    """How many versions a verb inserted and retracted."""
    return report.inserted, report.retracted


# -- observe ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_what_a_reading_can_find() -> None:
    """W2, T6, B6: confirmed, unreachable write no version; quote_missing leaves the end unknown; twice is nothing."""
    kb = base(Ticking())
    kb.add([claim("$3", day(1))])
    name = only_claim(kb)
    assert changes(kb.observe(name, "confirmed", observed_at=day(5))) == (0, 0)
    assert changes(kb.observe(name, "unreachable", observed_at=day(7))) == (0, 0)
    assert changes(kb.observe(name, "quote_missing", observed_at=day(9))) == (2, 1)
    assert ends(kb, "$3") == [(None, None), (march(5, 1), None)]
    before = digest(kb.db)
    for outcome, number in (("confirmed", 5), ("unreachable", 7), ("quote_missing", 9), ("confirmed", 1)):
        assert changes(kb.observe(name, outcome, observed_at=day(number))) == (0, 0)
    assert digest(kb.db) == before


@pytest.mark.slow
def test_a_confirmation_shows_the_quote_it_confirms() -> None:
    """A4, B6: the quote of a run that begins with a confirmation is the one before it, whatever was told later."""
    steps = {
        "later": lambda kb: kb.add([claim("$3", day(30), quote="later")]),
        "gone": lambda kb: kb.observe(only_claim(kb), "quote_missing", observed_at=day(10)),
        "confirmed": lambda kb: kb.observe(only_claim(kb), "confirmed", observed_at=day(20)),
    }
    results = set()
    for order in (tuple(steps), tuple(steps)[::-1]):
        kb = base(Ticking())
        kb.add([claim("$3", day(1), quote="first")])
        for step in order:
            steps[step](kb)
        results.add(repr(standing(kb.db)))
        assert {row[23] for row in standing(kb.db)} == {"first"}
    assert len(results) == 1


@pytest.fixture(scope="module")
def untouched() -> Iterator[Claimbase]:
    """Give a base of one claim that every test leaves as it was."""
    with base(FixedClock(NOW)) as kb:
        kb.add([claim()])
        yield kb


@pytest.mark.parametrize(
    ("name", "outcome", "observed_at", "error", "code"),
    [
        ("c_0000000000000000", "confirmed", day(5), ClaimNotFoundError, "claim_not_found"),
        ("c_12", "confirmed", day(5), InputError, "bad_claim_id"),
        ("", "forgotten", day(5), InputError, "unknown_outcome"),
        ("", "confirmed", "2026-11-30", InstantError, "future_observation"),
        ("", "confirmed", "2026-03", InstantError, "period"),
    ],
)
def test_observations_that_are_refused(
    untouched: Claimbase, name: str, outcome: Any, observed_at: str, error: type[ClaimbaseError], code: str
) -> None:
    """B5, W6: an unknown claim, outcome or instant, or one to come, is refused and nothing is stored."""
    before = digest(untouched.db)
    with pytest.raises(error) as refused:
        untouched.observe(name or only_claim(untouched), outcome, observed_at=observed_at)
    assert (refused.value.code, digest(untouched.db)) == (code, before)


def test_a_claim_that_was_never_said_cannot_be_observed() -> None:
    """B6: a removal told before its claim waits in the log; until then there is nothing to confirm."""
    kb = base(Ticking())
    removed = kb.add([gone(claim("$3"), day(9))])
    assert (removed.added, removed.versions_added, standing(kb.db)) == (0, 0, [])
    with pytest.raises(ClaimNotFoundError):
        kb.observe(only_claim(kb), "confirmed", observed_at=day(10))
    assert kb.add([claim("$3", day(1))]).added == 1
    assert ends(kb, "$3") == [(None, None), (march(1, 1), None)]
