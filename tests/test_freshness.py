"""Freshness (Q9): ages at observed_by, per predicate; what refreshes a claim and what does not."""

from __future__ import annotations

import json
import random
from datetime import datetime

import pytest
from rows import NOW, Builder, basis, iso, moment

from claimbase.analysis.freshness import Freshness, freshness
from claimbase.errors import InputError


def build() -> Builder:
    """Start a base whose predicates the tests share."""
    builder = Builder()
    builder.declare("price", unit="usd_per_mtok", stale_after=7)
    builder.declare("window", unit="token", stale_after=90)
    builder.declare("grade", kind="text")
    return builder


def at(day: str) -> str:
    """Write the start of a day in full."""
    return f"{day}T00:00:00Z"


def ends(found: Freshness) -> tuple[str | None, str | None, int]:
    """Give newest, oldest and the stale count."""
    newest, oldest = (None if one is None else iso(one) for one in (found.newest, found.oldest))
    return newest, oldest, found.stale


def test_stale_is_older_than_the_predicates_own_limit() -> None:
    """Q9: 21 days with a limit of 7 are stale, 75 with 90 are not; undeclared ones have 30."""
    builder = build()
    price = builder.claim("$1", start="2026-01-01", source="a", observed="2026-03-10")
    builder.claim("200K", predicate="window", start="2026-01-01", source="a", observed="2026-01-15")
    builder.claim("A", predicate="grade", start="2026-01-01", source="a", observed="2026-03-01")
    found = freshness(builder.build(), basis("2026-03-31", "2026-03-31"))
    assert ends(found) == (at("2026-03-10"), at("2026-01-15"), 1)
    assert [(row.predicate, row.claims, row.stale, row.stale_after) for row in found.predicates] == [
        ("grade", 1, 0, 30), ("price", 1, 1, 7), ("window", 1, 0, 90),
    ]  # fmt: skip
    assert [claim.claim_id for claim in found.stale_claims] == [price]


def test_exactly_as_old_is_not_stale() -> None:
    """Q9: the limit itself is still fresh; one microsecond later it is not, and next_stale_at says when."""
    builder = build()
    builder.claim("$1", start="2026-01-01", source="a", observed="2026-03-10")
    db = builder.build()
    on_the_limit = freshness(db, basis("2026-03-17", "2026-03-17"))
    assert (on_the_limit.stale, on_the_limit.next_stale_at) == (
        0,
        datetime.fromisoformat("2026-03-17T00:00:00.000001Z"),
    )
    later = freshness(db, basis("2026-03-17", "2026-03-17T00:00:00.000001Z"))
    assert (later.stale, later.next_stale_at) == (1, None)


def test_a_failed_or_later_entered_reading_does_not_refresh() -> None:
    """Q9, A1: unreachable is no reading; one made in March but entered in June is not there in April's base."""
    builder = build()
    claim = builder.claim("A", predicate="grade", start="2026-01-01", source="a", observed="2026-02-01")
    builder.entry(claim, "unreachable", "2026-03-20")
    builder.entry(claim, "said", "2026-03-05", recorded="2026-06-01")
    db = builder.build()
    assert ends(freshness(db, basis("2026-03-31", "2026-03-31", "2026-04-01"))) == (
        at("2026-02-01"),
        at("2026-02-01"),
        1,
    )
    assert ends(freshness(db, basis("2026-03-31", "2026-03-31"))) == (at("2026-03-05"), at("2026-03-05"), 0)
    assert freshness(db, basis("2026-03-31", "2026-03-01")).newest == datetime.fromisoformat(at("2026-02-01"))


def test_a_whole_reading_refreshes_what_it_did_not_drop() -> None:
    """Q9, T8: silence of a source read whole means still said; a dropped claim keeps its last saying."""
    builder = build()
    builder.source("list", whole=True)
    kept = builder.claim("A", predicate="grade", start="2026-01-01", source="list", observed="2026-02-01")
    lost = builder.claim(
        "B", predicate="grade", subject="Wren", start="2026-01-01", source="list", observed="2026-02-01"
    )
    builder.claim("C", predicate="grade", subject="Heron", start="2026-01-01", source="a", observed="2026-02-01")
    builder.entry(lost, "gone", "2026-03-01")
    for day in ("2026-02-01", "2026-03-01", "2026-04-01"):
        builder.reading("list", day)
    db = builder.build()
    found = freshness(db, basis("2026-04-02", "2026-04-02"))
    assert (iso(found.newest or NOW), found.stale, kept in [c.claim_id for c in found.stale_claims]) == (
        at("2026-04-01"), 2, False,
    )  # fmt: skip
    assert freshness(db, basis("2026-03-02", "2026-03-02")).newest == datetime.fromisoformat(at("2026-03-01"))


def test_only_active_claims_count_and_filters_narrow() -> None:
    """Q9: over and not yet begun are not asked; names narrow, an unknown one finds nothing; stale_days overrides."""
    builder = build()
    builder.claim("$1", start="2026-01-01", end="2026-02-01", source="a", observed="2026-01-05")
    builder.claim("$2", start="2027-01-01", source="a", observed="2026-01-06")
    builder.claim("$3", start="2026-02-01", source="a", observed="2026-11-25")
    builder.claim("$3", subject="Wren", start="2026-02-01", source="b", observed="2026-11-20")
    db = builder.build()
    assert (freshness(db, basis()).claims, freshness(db, basis()).stale) == (2, 1)
    assert freshness(db, basis(), subjects=["WREN"]).claims == 1
    assert freshness(db, basis(), predicates=["window"]).summary == "no active claims"
    assert freshness(db, basis(), subjects=["nobody"]).claims == 0
    assert freshness(db, basis(), stale_days=3).stale == 2
    with pytest.raises(InputError):
        freshness(db, basis(), stale_days=-1)


@pytest.mark.slow
def test_equals_counting_by_hand(rng: random.Random) -> None:
    """Q9: newest, oldest and stale of random claims with random re-readings, at random instants of observation."""
    builder = build()
    seen: list[list[int]] = []
    for number in range(60):
        readings = sorted(rng.sample(range(60 * 24), rng.randint(1, 4)))
        seen.append(readings)
        builder.claim("A", predicate="grade", subject=f"s{number}", start=0, source="a", observed=readings[0],
                      readings=readings[1:])  # fmt: skip
    db = builder.build()
    for observed_by in [rng.randrange(100 * 24) for _ in range(20)]:
        found = freshness(db, basis(101 * 24, observed_by))
        ages = [max(r for r in readings if r <= observed_by) for readings in seen if readings[0] <= observed_by]
        assert found.claims == len(ages)
        assert found.stale == sum(observed_by - age > 30 * 24 for age in ages)
        assert found.newest == (moment(max(ages)) if ages else None)
        assert found.oldest == (moment(min(ages)) if ages else None)


def test_results_show_themselves() -> None:
    """A6: plain data, a frame, a sentence with the basis."""
    builder = build()
    builder.claim("A", predicate="grade", start="2026-01-01", source="a", observed="2026-02-01")
    found = freshness(builder.build(), basis())
    assert json.loads(json.dumps(found.to_json()))["stale_claims"][0]["url"] == "https://a.example/page"
    assert found.df()["stale"].tolist() == [1]
    assert found.summary.startswith("1 active claim, last seen between 2026-02-01T00:00:00Z")
