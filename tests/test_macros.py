"""The public macros: any DuckDB client travels in time on the file, in any session's zone (A1, A5, B2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from rows import NOW, Builder, basis

from claimbase.analysis.contradictions import contradictions
from claimbase.analysis.freshness import freshness
from claimbase.analysis.history import history
from claimbase.store import open_db
from claimbase.temporal import FixedClock

Ask = Callable[..., list[tuple[Any, ...]]]
PUBLIC = ("cb.active_claims()", "cb.history('Lark 2')", "cb.contradictions(all_time := true)", "cb.freshness()")
ZONES = ("UTC", "Pacific/Kiritimati", "America/St_Johns", "Europe/Berlin")


def fill(builder: Builder) -> None:
    """Lay out one slot with a past, a dispute, an announcement and a lost claim."""
    builder.declare("price", unit="usd_per_mtok")
    builder.claim("$3", start="2026-01-01", end="2026-03-01", source="a", observed="2026-01-05")
    builder.claim("$2", start="2026-03-01", source="a", observed="2026-03-02", readings=["2026-05-01"])
    builder.claim("$4", source="b", observed="2026-03-10", cut=("2026-03-10T00:00:00.000001Z", None))
    builder.claim("$5", start="2026-03-05", source="c", observed="2026-03-06", scope={"mode": "batch"})
    builder.claim("$6", start="2026-03-05", source="c", observed="2026-03-06", retracted="2026-04-01")
    builder.claim("$1", start=("2027-04-01", "2027-05-01"), source="d", observed="2026-06-01")
    builder.claim("$9", source="e", observed="2026-03-28T23:30:00Z")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A base on disk, closed again."""
    path = tmp_path_factory.mktemp("base") / "claims.duckdb"
    builder = Builder(open_db(path, clock=FixedClock(NOW)))
    fill(builder)
    builder.build().close()
    return path


@pytest.fixture
def ask(file: Path) -> Iterator[Ask]:
    """Ask the file as a plain client would, in a session of any zone."""
    connection = duckdb.connect(str(file), read_only=True)

    def run(sql: str, zone: str = "UTC") -> list[tuple[Any, ...]]:
        connection.execute("SET timezone = ?", [zone])
        return connection.execute(sql).fetchall()

    yield run
    connection.close()


@pytest.mark.parametrize("call", PUBLIC)
def test_same_rows_in_every_zone(ask: Ask, call: str) -> None:
    """B2: instants are instants; no session's zone moves one or reorders a row."""
    rows = [ask(f"FROM {call}", zone) for zone in ZONES]
    assert rows[0]
    assert all(one == rows[0] for one in rows)


@pytest.mark.parametrize("spelling", ["'2026-03-15'", "'2026-03-15T00:00:00Z'", "'2026-03-15 02:00:00+02'",
                                      "TIMESTAMPTZ '2026-03-15 00:00:00+00'"])  # fmt: skip
def test_an_instant_may_be_spelled_many_ways(ask: Ask, spelling: str) -> None:
    """T7: a day is its start in UTC whatever the session's zone; an offset or a TIMESTAMPTZ says it all."""
    for zone in ZONES:
        found = ask(f"SELECT value FROM cb.active_claims({spelling})", zone)  # noqa: S608
        assert sorted(value for (value,) in found) == ["$2", "$4", "$5", "$9"]


@pytest.mark.parametrize("call", PUBLIC)
def test_no_infinite_value_leaves_a_macro(ask: Ask, call: str) -> None:
    """B2: an open end is NULL, never infinity, in every column of every row."""
    columns = [(name, kind) for name, kind, *_ in ask(f"DESCRIBE FROM {call}")]
    instants = [name for name, kind in columns if kind == "TIMESTAMP WITH TIME ZONE"]
    assert instants
    for name in instants:
        assert ask(f'SELECT count(*) FROM {call} WHERE NOT isfinite("{name}")') == [(0,)]  # noqa: S608
    assert not [name for name, _ in columns if name.endswith(("_id", "_no")) and not name.endswith("claim_id")]


def test_active_claims_on_three_axes(ask: Ask) -> None:
    """A1, A2, T2: each axis alone; certain and possible apart; a claim retracted later still shows before."""
    asked = {
        "'2026-02-01', observed_by := '2026-02-01'": {("$3", "certain")},
        "'2026-03-15', observed_by := '2026-03-08', recorded_by := '2026-03-20'": {
            ("$2", "certain"), ("$5", "certain"), ("$6", "certain")},
        "'2026-03-15', observed_by := '2026-03-12'": {("$2", "certain"), ("$5", "certain"), ("$4", "possible")},
        "'2026-02-15', recorded_by := '2026-02-01'": {("$3", "certain")},
        "'2026-02-15', recorded_by := '2025-02-01'": set(),
        "'2027-04-10', observed_by := '2026-06-02'": {("$2", "certain"), ("$5", "certain"), ("$4", "possible"),
                                                      ("$9", "certain"), ("$1", "possible")},
    }  # fmt: skip
    for arguments, expected in asked.items():
        found = ask(f"SELECT value, certainty FROM cb.active_claims({arguments})")  # noqa: S608
        assert (arguments, set(found)) == (arguments, expected)


@pytest.mark.parametrize(("call", "message"), [
    ("cb.active_claims(observed_by := '2999-01-01')", "observed_by lies in the future"),
    ("cb.freshness(recorded_by := '2999-01-01')", "recorded_by lies in the future"),
    ("cb.active_claims('2026-03')", "an instant needs an offset, or be a day: 2026-03"),
    ("cb.history('Lark 2', valid_at := '2026-03-01 08:00')", "an instant needs an offset"),
    ("cb.contradictions(since := '2026-03-01', before := '2026-01-01')", "2026-03-01, 2026-01-01"),
])  # fmt: skip
def test_wrong_arguments_are_refused(ask: Ask, call: str, message: str) -> None:
    """A5, T7, Q15, B3: a future axis, a period, a time without offset and an inverted window are errors."""
    with pytest.raises(duckdb.Error, match=message):
        ask(f"FROM {call}")


@pytest.mark.slow
def test_macros_say_what_the_library_says() -> None:
    """A6: the same definitions serve both; names stand where the library has numbers."""
    builder = Builder()
    fill(builder)
    db = builder.build()
    now = basis(observed_by="2026-06-02", recorded_by="2026-06-02", valid_at="2026-03-29")
    axes = "valid_at := '2026-03-29', observed_by := '2026-06-02', recorded_by := '2026-06-02'"

    def ask(columns: str, call: str) -> list[tuple[Any, ...]]:
        return db.query(f"SELECT {columns} FROM {call}, {axes})").rows  # noqa: S608

    segments = history(db, now, "Lark 2").segments
    assert ask("value, status, doubt, certain_from, possible_until, claims", "cb.history('LARK  2'") == [
        (s.value, s.status, s.doubt, s.certain and s.certain.start, s.possible.end, len(s.claims)) for s in segments
    ]
    report = contradictions(db, now, all_time=True)
    rows = ask("kind, disputed_from, disputed_until, claim_id, other_claim_id", "cb.contradictions(all_time := true")
    assert {(kind, start, end, frozenset(ids)) for kind, start, end, *ids in rows} == {
        (pair.kind, i.start, i.end, frozenset(pair.claims)) for pair in report.pairs for i in pair.disputed
    }
    assert len(rows) == report.total > 0
    ages = freshness(db, now)
    assert ask("claims, newest, oldest, stale", "cb.freshness(stale_days := NULL") == [
        (row.claims, row.newest, row.oldest, row.stale) for row in ages.predicates
    ]


def test_window_of_the_contradictions_macro(ask: Ask) -> None:
    """K1: an instant by default, a half-open window, one side open, or all of valid time."""
    expected = {
        "'2026-03-10'": 1, "'2026-03-28'": 0, "'2026-03-28T23:30:00Z'": 1, "all_time := true": 2,
        "since := '2026-03-29'": 1, "before := '2026-03-28T23:30:00Z'": 1, "before := '2026-03-29'": 2,
        "since := '2026-03-11', before := '2026-03-28'": 0,
    }  # fmt: skip
    axes = "observed_by := '2026-05-01', recorded_by := '2026-05-01'"
    assert {call: len(ask(f"FROM cb.contradictions({call}, {axes})")) for call in expected} == expected


def test_history_names_one_predicate_and_provider(ask: Ask) -> None:
    """H1, P2: names narrow; an unknown one finds nothing rather than everything."""
    assert len(ask("FROM cb.history('lark 2', 'price', 'norden ai')")) == len(ask("FROM cb.history('Lark 2')"))
    for call in ("'Lark 2', 'weight'", "'Lark 2', provider := 'Tarn'", "'Wren'"):
        assert ask(f"FROM cb.history({call})") == []


def test_rows_come_in_a_total_order(ask: Ask) -> None:
    """C16: by names, then claim and start, never by arrival; other threads and runs change nothing."""
    ordered = ask("SELECT predicate, scope <> '{}', scope, claim_id FROM cb.active_claims()")
    assert ordered == sorted(ordered)
    assert [ask(f"FROM {call}") for call in PUBLIC] == [ask(f"FROM {call}") for call in PUBLIC]
