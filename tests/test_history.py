"""History (H1, H3), voices (R1) and what is told from what: current, upcoming, historical, retracted, conflict, gap."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rows import ZERO, Builder, basis, iso

from claimbase.analysis.history import History, Segment, history
from claimbase.errors import IntervalError


def build() -> Builder:
    """Start a base whose predicates the tests share."""
    builder = Builder()
    builder.declare("price", unit="usd_per_mtok")
    builder.declare("grade", kind="text")
    return builder


def day(moment: datetime | None) -> str | None:
    """Write an instant that starts a day as that day."""
    return None if moment is None else iso(moment).removesuffix("T00:00:00Z")


def told(found: History) -> list[tuple[Any, ...]]:
    """Give each segment as value, days, status and number of claims."""
    return [(s.value_key, day(s.start), day(s.end), s.status, len(s.claims)) for s in found.segments]


def test_expired_claims_are_history_not_conflict() -> None:
    """H1, K2: two current claims in one segment, one historical, no active conflict, and the sentence says so."""
    builder = build()
    builder.claim("$1", start="2025-09-29", end="2026-05-01", source="a", observed="2025-10-01")
    builder.claim("$0.2", start="2026-05-01", source="a", observed="2026-05-02")
    builder.claim("0.20", start="2026-05-01", source="b", observed="2026-05-03")
    db = builder.build()
    assert [one.status for one in history(db, basis("2026-05-01"), "Lark 2").segments] == ["historical", "current"]
    found = history(db, basis("2026-09-19"), "lark 2", "price")
    assert told(found) == [
        ("1", "2025-09-29", "2026-05-01", "historical", 1),
        ("0.2", "2026-05-01", None, "current", 2),
    ]
    assert found.counts == {"current": 2, "upcoming": 0, "historical": 1, "retracted": 0, "conflicts": 0}
    assert found.sentence == (
        "2 current claims, 1 historical, 0 active conflicts; expired claims are history, not current conflict"
    )


def test_touching_equal_values_are_one_segment_in_any_order() -> None:
    """H1: three intervals that meet are one segment with all three evidences, whatever the order of rows; no gap."""
    months = (("2026-03-01", "2026-04-01"), ("2026-01-01", "2026-02-01"), ("2026-02-01", "2026-03-01"))
    builder = build()
    for number, (start, end) in enumerate(months):
        builder.claim("A", predicate="grade", start=start, end=end, source="ab"[number % 2], observed="2026-05-01")
    found = history(builder.build(), basis(), "Lark 2", "grade")
    assert told(found) == [("a", "2026-01-01", "2026-04-01", "historical", 3)]
    assert found.gaps == ()


def test_a_value_seen_again_after_a_gap_is_another_segment() -> None:
    """H3, W4: A, nothing, A is two segments of one claim, and the gap between them is shown."""
    builder = build()
    builder.claim("A", predicate="grade", start="2026-01-01", end="2026-02-01", source="a", observed="2026-05-01")
    builder.claim("A", predicate="grade", start="2026-03-01", end="2026-04-01", source="a", observed="2026-05-01")
    found = history(builder.build(), basis(), "Lark 2", "grade")
    assert [row[1:3] for row in told(found)] == [("2026-01-01", "2026-02-01"), ("2026-03-01", "2026-04-01")]
    assert [(day(gap.stretch.start), day(gap.stretch.end)) for gap in found.gaps] == [("2026-02-01", "2026-03-01")]


def test_readings_a_b_a_are_three_segments_of_two_claims() -> None:
    """W4, T8, H3: the change windows make no gap and no conflict; each run counts as a version of its claim."""
    builder = build()
    first = builder.claim("A", predicate="grade", source="a", observed=10, cut=(11, 30), readings=[10])
    builder.claim("B", predicate="grade", source="a", observed=30, start=(11, 30), dated=False, cut=(31, 50))
    again = builder.claim("A", predicate="grade", source="a", observed=50, start=(31, 50), dated=False)
    db = builder.build()
    found = history(db, basis(60), "Lark 2", "grade")
    assert first != again or len(found.segments) == 3
    assert [(s.value_key, s.status, s.doubt) for s in found.segments] == [
        ("a", "historical", None), ("b", "historical", None), ("a", "current", None),
    ]  # fmt: skip
    assert (found.gaps, found.counts["conflicts"]) == ((), 0)
    between = history(db, basis(20), "Lark 2", "grade")
    assert [(s.status, s.doubt) for s in between.segments] == [
        ("current", "between readings"), ("current", "between readings"), ("upcoming", None),
    ]  # fmt: skip


def test_a_scheduled_end_is_no_end_yet() -> None:
    """A5, H1: a running claim that ends later is current, one that begins later upcoming."""
    builder = build()
    builder.claim("$3", start="2026-01-01", end="2027-02-01", source="a", observed="2026-01-05")
    builder.claim("$2", start="2027-02-01", source="a", observed="2026-11-05")
    found = history(builder.build(), basis(), "Lark 2", "price")
    assert told(found) == [
        ("3", "2026-01-01", "2027-02-01", "current", 1),
        ("2", "2027-02-01", None, "upcoming", 1),
    ]
    assert found.sentence == "1 current claim, 0 historical, 1 upcoming, 0 active conflicts"


def test_lost_claim_is_unconfirmed_since_its_last_reading() -> None:
    """W2: not denied and not hidden; certain up to the last reading that said it, possible later."""
    builder = build()
    builder.claim("$3", source="a", observed="2026-01-05", readings=["2026-02-05"],
                  cut=("2026-02-05T00:00:00.000001Z", None))  # fmt: skip
    (segment,) = history(builder.build(), basis(), "Lark 2", "price").segments
    assert (segment.status, segment.doubt, day(segment.unconfirmed_since)) == ("current", "unconfirmed", "2026-02-05")
    assert (segment.open_end, segment.possible.start, segment.possible.end) == (False, None, None)


def test_withdrawn_claims_are_listed_once_the_base_knows() -> None:
    """H1, A3: retracted at recorded_by on, current before; a version merely replaced is not shown."""
    builder = build()
    builder.claim("$3", start="2026-01-01", source="a", observed="2026-01-05", retracted="2026-03-01")
    builder.claim("$2", start="2026-01-01", source="b", observed="2026-01-05", retracted="2026-03-01", kind="replaced")
    builder.claim("$4", start="2026-01-01", source="c", observed="2026-01-05", retracted="2026-03-01", kind="corrected")
    db = builder.build()
    after = history(db, basis(), "Lark 2", "price")
    assert {(s.value_key, s.status, s.became) for s in after.segments} == {
        ("3", "retracted", ("retracted",)), ("4", "retracted", ("corrected",)),
    }  # fmt: skip
    assert after.counts["retracted"] == 2
    before = history(db, basis(recorded_by="2026-02-01"), "Lark 2", "price")
    assert {s.status for s in before.segments} == {"current"}
    assert before.counts["conflicts"] == 3


def test_status_is_that_of_the_basis() -> None:
    """A3, A4: what was read later is not there, and the observed axis picks the version."""
    builder = build()
    builder.claim("$3", start="2026-01-01", source="a", observed="2026-01-05", observed_until="2026-03-22")
    builder.claim("$3", start="2026-01-01", cut="2026-03-01", source="a", observed="2026-01-05",
                  observed_from="2026-03-22", recorded="2026-03-22")  # fmt: skip
    builder.claim("$2", start="2026-03-01", source="a", observed="2026-03-22")
    db = builder.build()
    assert told(history(db, basis("2026-03-15", "2026-03-15"), "Lark 2")) == [("3", "2026-01-01", None, "current", 1)]
    assert told(history(db, basis("2026-03-15", "2026-03-25"), "Lark 2")) == [
        ("3", "2026-01-01", "2026-03-01", "historical", 1), ("2", "2026-03-01", None, "current", 1),
    ]  # fmt: skip


def test_reprints_are_one_voice() -> None:
    """R1, K4: what restates one page, or comes from one publisher, is one voice; an aggregator adds none."""
    builder = build()
    for name, described in {
        "herald": {}, "relay_one": {"derived_from": "https://herald.example/page"},
        "relay_two": {"derived_from": "https://herald.example/page"}, "herald_news": {"publisher": "Herald"},
        "index": {"authority": "aggregator"}, "other": {},
    }.items():  # fmt: skip
        builder.source(name, **described)
        builder.claim("closed", predicate="grade", start="2026-02-01", source=name, observed="2026-02-02")
    builder.claim("open", predicate="grade", subject="Wren", start="2026-02-01", source="index", observed="2026-02-02")
    db = builder.build()
    (segment,) = history(db, basis(), "Lark 2").segments
    assert (len(segment.claims), segment.voices) == (6, 2)
    assert history(db, basis(), "Wren").segments[0].voices == 1


def test_never_certain_claims_coalesce_apart() -> None:
    """H1, T9: certain and possible intervals each on their own; "not before" is never certain."""
    builder = build()
    builder.claim("A", predicate="grade", start=("2026-01-01", None), source="a", observed="2026-01-01")
    builder.claim("A", predicate="grade", start="2026-02-01", end="2026-03-01", source="b", observed="2026-01-01")
    builder.claim("A", predicate="grade", start="2026-08-01", end="2026-09-01", source="b", observed="2026-01-01")
    found = history(builder.build(), basis("2026-02-10"), "Lark 2")
    assert [(day(s.start), day(s.end), s.certain is None, s.status, s.doubt) for s in found.segments] == [
        ("2026-01-01", None, True, "current", "start unknown"),
        ("2026-02-01", "2026-03-01", False, "current", None),
        ("2026-08-01", "2026-09-01", False, "upcoming", None),
    ]


def test_slots_stand_apart_and_a_window_selects() -> None:
    """H1, Q6: scopes, predicates and providers are slots of their own; the empty scope first."""
    builder = build()
    builder.claim("$3", start="2026-01-01", end="2026-02-01", source="a", observed=0)
    builder.claim("$3", start="2026-02-01", source="a", observed=0, scope={"mode": "batch"})
    builder.claim("A", predicate="grade", start="2026-01-01", source="a", observed=0)
    builder.claim("$3", start="2026-01-01", source="a", observed=0, provider="Tarn")
    db = builder.build()
    assert [s.slot for s in history(db, basis(), "Lark 2").segments] == [
        ("Norden AI", "Lark 2", "grade", ""), ("Norden AI", "Lark 2", "price", ""),
        ("Norden AI", "Lark 2", "price", '{"mode": "batch"}'), ("Tarn", "Lark 2", "price", ""),
    ]  # fmt: skip
    assert len(history(db, basis(), "Lark 2", provider="TARN").segments) == 1
    assert [s.scope for s in history(db, basis(), "Lark 2", "price", provider="Norden AI",
                                     during=("2026-02-01", None)).segments] == [{"mode": "batch"}]  # fmt: skip
    assert history(db, basis(), "nobody").sentence == "no claims about nobody"
    with pytest.raises(IntervalError):
        history(db, basis(), "Lark 2", during=("2026-02-01", "2026-02-01"))


def test_results_show_themselves() -> None:
    """A6: plain data, a frame and an escaped table."""
    builder = build()
    builder.claim("<b>", predicate="grade", start="2026-01-01", source="a", observed=0)
    found = history(builder.build(), basis(), "Lark 2")
    assert "<b>" not in found._repr_html_()
    assert json.loads(json.dumps(found.to_json()))["segments"][0]["claims"][0]["quote"] == "Lark 2 grade: <b>"
    assert list(found.df().columns) == list(History.COLUMNS)


# -- coalescing against counting instants -------------------------------------------------------------------------


def hour(moment: datetime | None) -> int | None:
    """Give an instant as the test world counts."""
    return None if moment is None else (moment - ZERO) // timedelta(hours=1)


def instants(segments: Iterable[Segment]) -> list[tuple[int | None, int | None]]:
    """Give certain segments as pairs of test hours."""
    return [(hour(one.certain.start), hour(one.certain.end)) for one in segments if one.certain]


@pytest.fixture(scope="module")
def shared_builder() -> Builder:
    """One base for all examples; each takes a subject of its own."""
    return build()


@pytest.mark.slow
@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(spans=st.lists(st.tuples(st.integers(0, 11), st.none() | st.integers(1, 6)), min_size=1, max_size=9))
def test_coalescing_equals_marking_instants(shared_builder: Builder, spans: list[tuple[int, int | None]]) -> None:
    """H1: maximal runs of instants at which some claim holds are the segments, ties and nesting included."""
    subject = f"s{shared_builder.versions}"
    for number, (start, length) in enumerate(spans):
        shared_builder.claim(
            "A", subject=subject, predicate="grade", start=start, end=None if length is None else start + length,
            source="abc"[number % 3], observed=0, handle=str(number),
        )  # fmt: skip
    last = 20  # open claims are the only ones that hold here
    held = [any(s <= t and (n is None or t < s + n) for s, n in spans) for t in range(last + 1)]
    edges = [t for t in range(last + 1) if held[t] != (t > 0 and held[t - 1])] + ([None] if held[last] else [])
    expected = list(zip(edges[::2], edges[1::2], strict=True))
    found = history(shared_builder.build(), basis(), subject, "grade")
    assert instants(found.segments) == expected
    assert sum(len(one.claims) for one in found.segments) == len(spans)
    assert [hour(gap.stretch.start) for gap in found.gaps] == [end for _, end in expected[:-1]]
