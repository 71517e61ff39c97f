"""Ingest: the same claims in any order and number of batches end in the same versions, and nothing comes twice."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from itertools import permutations, product
from typing import Any

import pytest
from end_to_end import Stream
from hypothesis import given, settings
from hypothesis import strategies as st
from kit import NOW, Ticking, base, claim, day, digest, gone, standing

from claimbase.base import Claimbase
from claimbase.errors import ClaimbaseError, InstantError
from claimbase.temporal import FixedClock

URL = "https://norden.example/pricing"


def of(kb: Claimbase, subject: str) -> list[tuple[Any, ...]]:
    """Give the standing versions of one subject, without its name."""
    return [row[:1] + row[2:] for row in standing(kb.db) if row[1] == subject]


# -- B6: any order ---------------------------------------------------------------------------------------------------

SETS: dict[str, list[dict[str, Any]]] = {
    "a change": [claim("$3", day(1)), claim("$2", day(20))],
    "A-B-A": [claim("$3", day(1)), claim("$2", day(10)), claim("$3", day(20))],
    "a late reading narrows": [claim("$3", day(1)), claim("$3", day(10)), claim("$2", day(20)), claim("$2", day(15))],
    "a miss": [claim("$3", day(1)), gone(claim("$3"), day(5)), claim("$3", day(9)), claim("$2", day(12))],
    "an announcement": [
        claim("$3", day(1)), claim("$2", day(5), effective_from="2026-04-01"), claim("$3", day(9)),
        claim("$2", day(12)),
    ],
    "an exception": [
        claim("$3", day(1)), claim("$1", day(5), effective_from="2026-03-10", effective_until="2026-03-20"),
        claim("$3", day(6)), claim("$1", day(7), effective_until={"kind": "unknown", "state": "holds"}),
    ],
    "two quotes of one reading": [
        claim("$3", day(1), quote="three"), claim("$3", day(1), quote="only three"), claim("$3", day(1), quote="$ 3"),
    ],
    "two values of one reading": [claim("$3", day(1)), claim("$2", day(1)), claim("$2", day(4)), claim("$3", day(4))],
    "ordinals": [
        claim("$3", day(1), ordinal=1), claim("$2", day(1), ordinal=2), claim("$3", day(4), ordinal=2),
        claim("$2", day(4), ordinal=1),
    ],
    "two sources": [
        claim("$3", day(1)), claim("$2", day(3), source={"url": "https://other.example/"}),
        claim("$2", day(5)), claim("$3", day(7), source={"url": "https://other.example/"}),
    ],
    "an absence": [
        claim("none", day(1), polarity="absent"), claim("$2", day(3)), claim("n/a", day(5), polarity="absent"),
    ],
    "two spellings": [
        claim("$3", day(1)), claim("$3.00 / Mtok", day(2)), claim("3 USD/Mtok", day(3)), claim("$2", day(4)),
    ],
}  # fmt: skip


@pytest.mark.slow
def test_all_permutations_of_small_sets() -> None:
    """B6, W4: every order of up to four claims and readings, one a batch, ends in the same versions as one batch."""
    kb = base(Ticking())
    orders = {f"{name} {place}": order for name, rows in SETS.items() for place, order in enumerate(permutations(rows))}
    for turn in range(4):
        kb.add([row | {"subject": name} for name, order in orders.items() for row in order[turn : turn + 1]])
    kb.add([row | {"subject": name} for name, rows in SETS.items() for row in rows])
    found: dict[str, list[Any]] = {}
    for row in standing(kb.db):
        found.setdefault(row[1], []).append(row[:1] + row[2:])
    for name in orders:
        assert found[name] == found[name.rsplit(" ", 1)[0]], name
    assert len({repr(found[name]) for name in SETS}) == len(SETS)


POOL = [
    *(claim(value, day(number)) for value, number in product(("$3", "$2"), (1, 4, 8))),
    *(gone(claim(value), day(number)) for value, number in product(("$3", "$2"), (2, 6))),
    claim("$2", day(3), effective_from="2026-03-05"),
    claim("$1", day(5), effective_until="2026-03-07"),
    claim("none", day(9), polarity="absent"),
]
PLACES = st.integers(0, len(POOL) - 1)
STORIES = st.lists(st.lists(st.lists(PLACES, max_size=5), min_size=3, max_size=3), min_size=20, max_size=30)


def check_stories(stories: list[list[list[int]]]) -> None:
    """Tell each story in three batches with its repetitions, and each entry once in one; both must end alike."""
    kb, opening = base(Ticking()), [claim("$3", day(1))]
    batches = [
        [POOL[place] | {"subject": f"many {number}"} for number, story in enumerate(stories) for place in story[turn]]
        for turn in range(3)
    ]
    for batch in batches:
        kb.add(opening + batch)
    before = digest(kb.db)
    kb.add([*opening, *batches[0], *batches[2][::-1]])
    assert digest(kb.db) == before
    kb.add(opening + [
        POOL[place] | {"subject": f"once {number}"}
        for number, story in enumerate(stories) for place in sorted({place for batch in story for place in batch})
    ])  # fmt: skip
    for number in range(len(stories)):
        assert of(kb, f"many {number}") == of(kb, f"once {number}"), stories[number]


@pytest.mark.slow
@given(stories=STORIES)
@settings(max_examples=2)
def test_prefixes_duplicates_and_orders(stories: list[list[list[int]]]) -> None:
    """B6, G3: any split into batches, with repetitions, ends like one batch; batches again write nothing at all."""
    check_stories(stories)


@pytest.mark.slow
@given(stories=STORIES)
@settings(max_examples=10)
def test_many_prefixes_duplicates_and_orders(stories: list[list[list[int]]]) -> None:
    """B6, G3: the same, at length."""
    check_stories(stories)


def test_random_logs_in_batches(rng: random.Random) -> None:
    """B1, B6, A1: 250 random logs in three batches; at each batch's instant the versions are F of what had come."""
    Stream(rng, 250, 3).check()


@pytest.mark.slow
def test_many_random_logs_in_batches(rng: random.Random) -> None:
    """B1, B6, A1: 1,500 random logs in eight batches."""
    Stream(rng, 1_500, 8).check()


def test_a_second_import_is_nothing() -> None:
    """B6, G3: the same input again writes no row, no version and no batch, and says so."""
    kb = base(Ticking())
    rows = [row | {"subject": name} for name, rows in SETS.items() for row in rows]
    first, before = kb.add(rows), digest(kb.db)
    again = kb.add(rows)
    assert (first.added, first.added + first.readings + first.unchanged) == (
        len(_claims(kb)), sum("entry" not in row for row in rows),
    )  # fmt: skip
    assert (again.added, again.readings, again.versions_added, again.versions_retracted, again.batch) == (
        0,
        0,
        0,
        0,
        None,
    )
    assert digest(kb.db) == before


def _claims(kb: Claimbase) -> list[int]:
    return [row[0] for row in kb.db.query("SELECT DISTINCT claim_no FROM cb.entry WHERE kind = 'said'")]


@pytest.mark.slow
def test_identity_by_content() -> None:
    """B6: reading, quote, reasoning and confidence are no part of a claim's id; value, unit and stated bounds are."""
    kb = base(Ticking())
    same = [claim(), claim(observed_at=day(5)), claim(quote="$3 it is"), claim(reasoning="a table", confidence="low")]
    same += [claim(scope={}), claim(subject="LARK  2"), claim(source={"url": "HTTPS://norden.example:443/pricing#top"})]
    other = [
        claim("$3.0"), claim("3", unit="USD/Mtok"), claim("3"), claim(scope={"mode": "batch"}), claim(subject="Lark 3"),
        claim(effective_from="2026-01"), claim(effective_from="2026-01-01"), claim(effective_until="2027"),
        claim(effective_until={"kind": "unknown", "state": "holds"}), claim(polarity="absent"), claim(provider="Other"),
        claim(source={"url": URL + "/2"}), claim("three", normalized_value="3"), claim("three", normalized_value="4"),
    ]  # fmt: skip
    kb.add(same)
    assert len(_claims(kb)) == 1
    kb.add(other)
    assert len(_claims(kb)) == 1 + len(other)


def test_a_late_reading_moves_the_start() -> None:
    """B6, T5: a reading made earlier but told later is a further reading, and the version is derived anew."""
    kb = base(Ticking())
    first = kb.add([claim(observed_at=day(20))])
    late = kb.add([claim(observed_at=day(10))])
    assert (first.added, late.added, late.readings) == (1, 0, 1)
    assert (late.versions_added, late.versions_retracted) == (1, 1)
    ((*_, read, since, until, _, _, _, _),) = standing(kb.db)
    assert (read, since, until) == (datetime(2026, 3, 10, tzinfo=UTC), datetime(2026, 3, 10, tzinfo=UTC), None)


@pytest.mark.slow
def test_a_source_described_twice_at_one_instant() -> None:
    """B6: which description of a source is shown does not depend on which arrived first."""
    sources = [{"url": URL, "title": "Prices"}, {"url": URL}, {"url": URL, "title": "Pricing", "publisher": "Norden"}]
    found = set()
    for order in list(permutations(sources))[::2]:
        kb = base(Ticking())
        for place, source in enumerate(order):
            kb.add([claim(subject=f"{place}", source=source)])
        now = {"now": kb.basis().recorded_by}
        found |= set(kb.db.query("SELECT * EXCLUDE (source_id) FROM cb.source_described($now, $now)", now))
    assert len(found) == 1


def test_a_confirmation_writes_no_version() -> None:
    """B6, T6: reading the same again writes an entry and a batch, but no version."""
    kb = base(Ticking())
    kb.add([claim()])
    again = kb.add([claim(observed_at=day(9))])
    assert (again.readings, again.versions_added, again.versions_retracted) == (1, 0, 0)
    assert again.batch == 3


# -- B5, B7, W5 ------------------------------------------------------------------------------------------------------


def test_observed_at_is_required_and_not_in_the_future() -> None:
    """B5: no default; a clock that runs a little fast is taken as now, more than that is refused."""
    kb = base(FixedClock(NOW))
    for late, code in ((None, "missing_observed_at"), (NOW + timedelta(seconds=301), "future_observation")):
        with pytest.raises(InstantError) as refused:
            kb.add([claim(observed_at=late)])
        assert refused.value.code == code
    kb.add([claim(observed_at=NOW + timedelta(seconds=299))])
    ((read, recorded),) = kb.db.query("SELECT observed_at, recorded_at FROM cb.claim")
    assert read == recorded


def test_what_the_base_holds_can_be_told_again_after_the_clock_went_back() -> None:
    """B4, B5, B6: the future begins after the base's own instant, which never goes back."""
    clock = FixedClock(NOW)
    kb = base(clock)
    kb.add([claim(observed_at=NOW)])
    clock.moment = NOW - timedelta(hours=1)
    before = digest(kb.db)
    assert kb.add([claim(observed_at=NOW)]).unchanged == 1
    assert digest(kb.db) == before


BAD: list[tuple[dict[str, Any], str, str]] = [
    (claim(quote=None), "EvidenceError", "missing_quote"),
    (claim(quote=" \n\t\u00a0"), "EvidenceError", "missing_quote"),
    (claim(source=None), "UnknownSourceError", "missing_source"),
    (claim(value="about three"), "QuantityError", "bad_number"),
    (claim(effective_from="2026-05-01", effective_until="2026-05-01"), "IntervalError", "empty_interval"),
    (claim(entry="whispered"), "InputError", "bad_entry"),
    (claim(ordinal="first"), "InputError", "bad_ordinal"),
    (claim(recorded_at=day(1)), "InputError", "extra_field"),
]


def test_all_or_nothing() -> None:
    """W5, B7: one bad row stores nothing; the error has the first one's class and code, and lists every bad row."""
    kb = base(Ticking())
    before = digest(kb.db)
    with pytest.raises(ClaimbaseError) as refused:
        kb.add([claim("$1"), *(row for row, _, _ in BAD), claim("$2")])
    assert (type(refused.value).__name__, refused.value.code) == BAD[0][1:]
    listed = [(r.row, r.error, r.code) for r in refused.value.details["rejections"]]
    assert listed == [(place, error, code) for place, (_, error, code) in enumerate(BAD, 2)]
    assert digest(kb.db) == before


@pytest.mark.slow
def test_the_good_rows_are_stored_and_the_bad_ones_reported() -> None:
    """W5: on_error="report" stores exactly the rows it does not report."""
    kb, clean = base(Ticking()), base(Ticking())
    report = kb.add([claim("$1"), *(row for row, _, _ in BAD), claim("$2")], on_error="report")
    clean.add([claim("$1"), claim("$2")])
    assert [(r.row, r.error, r.code) for r in report.rejected] == [
        (place, error, code) for place, (_, error, code) in enumerate(BAD, 2)
    ]
    assert all(r.message for r in report.rejected)
    assert standing(kb.db) == standing(clean.db)
    assert report.added == 2


def test_only_bad_rows_write_no_batch() -> None:
    """W5, B6: a batch of which nothing is stored is no batch."""
    kb = base(Ticking())
    before = digest(kb.db)
    report = kb.add([row for row, _, _ in BAD], on_error="report")
    assert (len(report.rejected), report.batch, digest(kb.db)) == (len(BAD), None, before)


def test_the_same_claim_twice_in_one_batch() -> None:
    """X37, B6: one version; the second is reported as nothing new, or as a further reading."""
    kb = base(Ticking())
    twice = kb.add([claim(), claim()])
    assert (twice.added, twice.readings, twice.unchanged, twice.versions_added) == (1, 0, 1, 1)
    also = kb.add([claim("$9"), claim("$9", day(2))])
    assert (also.added, also.readings, also.unchanged) == (1, 1, 0)
