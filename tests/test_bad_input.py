"""The bad inputs of the design's table, one by one: class, code, what the message names, and the unchanged base."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from kit import NOW, base, claim, day, digest, standing

import claimbase
from claimbase.base import Claimbase
from claimbase.claims import Claim, Source
from claimbase.errors import ClaimbaseError, InputError, LimitError, StoreError
from claimbase.ingest import Rejection
from claimbase.temporal import FixedClock

URL = "https://norden.example/pricing"
SLOW = 10.0  # seconds for the whole table; the refusals themselves take thousandths, the machine may be busy


class Bad(NamedTuple):
    """What is told, and how it is refused: class, code, and what the message must name."""

    row: str
    given: Any
    error: str
    code: str
    names: str = ""

    @property
    def told(self) -> Any:
        """The claim itself; some are made late, for pytest would show them whole."""
        return self.given() if callable(self.given) else self.given


def quantity(row: str, value: Any, code: str, **fields: Any) -> Bad:
    """Refuse a value of a quantity predicate."""
    return Bad(row, claim(value, **{"predicate": "price"} | fields), "QuantityError", code, "value")


def nested(depth: int) -> Any:
    """Nest a list."""
    value: Any = "x"
    for _ in range(depth):
        value = [value]
    return value


BIDI = "\u202e", "\u2066", "\u200f"
BAD: list[Bad] = [
    # text
    Bad("X1", claim(quote=""), "EvidenceError", "missing_quote", "words"),
    Bad("X1", claim(quote="\u00a0\n\u200b"), "EvidenceError", "missing_quote"),
    Bad("X1", claim(quote=None), "EvidenceError", "missing_quote"),
    Bad("X2", claim(quote="q" * 20_001), "LimitError", "too_large", "quote"),
    Bad("X2", claim(quote="q" * 10_000_000), "LimitError", "too_large", "quote"),
    Bad("X2", claim("v" * 20_001, predicate="vendor"), "LimitError", "too_large", "value"),
    *(Bad("X3", claim(**{field: "a\ud800"}), "InputError", "bad_char", field)
      for field in ("provider", "subject", "predicate", "value", "unit", "quote", "reasoning", "selector")),
    Bad("X3", claim(scope={"mode": "\udfff"}), "InputError", "bad_char", "scope"),
    Bad("X3", claim(source={"url": URL, "title": "\ud800"}), "InputError", "bad_char", "title"),
    *(Bad("X4", claim(**{field: f"a{mark}b"}), "InputError", "bad_char", field)
      for field in ("provider", "subject") for mark in BIDI),
    *(Bad("X4", claim(predicate=f"a{mark}b"), "VocabularyError", "bad_identifier") for mark in BIDI),
    Bad("X8", claim(subject="s" * 10_000), "LimitError", "too_large", "subject"),
    Bad("X8", claim(subject="s" * 257), "LimitError", "too_large", "256"),
    Bad("X8", claim(subject=" \u00a0"), "InputError", "missing_field", "subject"),
    *(Bad("X9", claim(predicate=name), "VocabularyError", "bad_identifier", "predicate")
      for name in ("x; DROP TABLE cb.y", 'x"', "x'", "x--", "x y", "", "1x")),
    # numbers
    quantity("X10", float("nan"), "not_finite"),
    quantity("X10", float("-inf"), "not_finite"),
    quantity("X10", Decimal("NaN"), "not_finite"),
    Bad("X10", claim(ordinal=float("nan")), "QuantityError", "not_finite", "ordinal"),
    quantity("X10", "nan", "placeholder_value"),
    quantity("X11", "1e999", "out_of_range"),
    quantity("X11", "9" * 40, "out_of_range"),
    quantity("X11", "1e-13", "out_of_range"),
    quantity("X13", "6^800000", "bad_number"),
    quantity("X13", "9" * 65, "bad_number"),
    *(quantity("X14", text, "bad_number") for text in ("1__000", "_1000", "1_00", "1,00,000")),
    *(quantity("X15", text, "bad_number") for text in ("\u0663", "\uff11\uff12")),
    *(quantity("X19", text, "unknown_unit") for text in ("5 $/wombat", "5 wombats")),
    quantity("X21", "5 m**99999999", "unknown_unit"),
    quantity("X21", "5", "unknown_unit", unit="m**99999999"),
    quantity("X21", "5", "unknown_unit", unit="u" * 1_000_000),
    *(quantity("X23", text, "placeholder_value") for text in ("", "n/a", "N/A", "TBD", "not yet verified", "-")),
    quantity("V5", "-1", "sentinel"),
    quantity("V6", "three dollars or so", "bad_number"),
    Bad("V6", claim("three", normalized_value="also three"), "QuantityError", "bad_number", "value"),
    Bad("V8", claim("perhaps", predicate="vision"), "QuantityError", "bad_bool", "value"),
    # times
    *(Bad("X24", claim(observed_at=text), "InstantError", "bad_date", "observed_at")
      for text in ("now", "today", "12:30", "T12:30", "P1Y", "a/b", "1767225600", "")),
    *(Bad("X24", claim(effective_from=text), "InstantError", "bad_date", "effective_from")
      for text in ("now", "12:30", "2026-13-01", "2026-02-30", "spring 2026")),
    Bad("X24", claim(observed_at="2026-03"), "InstantError", "period", "observed_at"),
    Bad("X26", claim(observed_at="2026-06-30T23:59:60Z"), "InstantError", "bad_date", "23:59:59"),
    *(Bad("X27", claim(observed_at=f"2026-03-01T00:00:00{offset}"), "InstantError", "bad_offset", "offset")
      for offset in ("+25:00", "+24:00", "+05:30:15", "+05:60")),
    Bad("X28", claim(effective_from="2026-05-01", effective_until="2026-05-01"), "IntervalError", "empty_interval",
        "2026-05-01T00:00:00Z until 2026-05-01T00:00:00Z"),
    Bad("X28", claim(effective_from="2026-05-02", effective_until="2026-05-01"), "IntervalError", "inverted_interval",
        "2026-05-02"),
    Bad("X28", claim(effective_from={"earliest": "2026-05-02", "latest": "2026-05-01"}), "IntervalError",
        "inverted_interval", "effective_from"),
    *(Bad("X29", claim(**{field: text}), "InstantError", "infinite_bound", "open")
      for field in ("effective_from", "effective_until") for text in ("infinity", "-infinity", "inf")),
    Bad("X29", claim(effective_from="0000-01-01"), "InstantError", "bad_date"),
    Bad("V5", claim(effective_until="9999-12-31"), "InstantError", "sentinel", "effective_until"),
    Bad("X30", claim(observed_at=NOW + timedelta(minutes=6)), "InstantError", "future_observation", "observed_at"),
    Bad("X31", claim(effective_from="2026-03-29T02:30:00", zone="Europe/Berlin"), "InstantError", "local_time",
        "2026-03-29T00:30:00Z or 2026-03-29T01:30:00Z"),
    Bad("X31", claim(effective_from="2026-10-25T02:30:00", zone="Europe/Berlin"), "InstantError", "local_time",
        "repeats"),
    Bad("T4", claim(effective_until="2026-05-01", effective_through="2026-05-01"), "IntervalError", "both_ends"),
    Bad("T4", claim(effective_through="2026-05-01T00:00:00Z"), "InstantError", "bad_date"),
    Bad("T4", claim(effective_from="2026-05-01", zone="Mars/Olympus"), "InstantError", "bad_zone", "Mars/Olympus"),
    Bad("T7", claim(observed_at="2026-03-01T00:00:00"), "InstantError", "naive_time", "offset"),
    Bad("T7", claim(observed_at=datetime(2026, 3, 1)), "InstantError", "naive_time"),  # noqa: DTZ001
    Bad("T6", claim(effective_until={"kind": "unknown", "state": "maybe"}), "InstantError", "bad_date"),
    Bad("T6", claim(effective_until={"sometime": "soon"}), "InstantError", "bad_date", "effective_until"),
    Bad("T6", claim(effective_until="{"), "InstantError", "bad_date", "effective_until"),
    Bad("T1", claim(effective_from={}), "InstantError", "bad_date", "effective_from"),
    # requests
    Bad("X34", claim(recorded_at=day(1)), "InputError", "extra_field", "recorded_at"),
    Bad("X34", claim(colour="red"), "InputError", "extra_field", "colour"),
    Bad("X34", claim(source={"url": URL, "colour": "red"}), "InputError", "extra_field", "colour"),
    Bad("X34", claim(confidence="certain"), "InputError", "bad_confidence"),
    Bad("X34", claim(polarity="maybe"), "InputError", "bad_polarity"),
    Bad("X34", claim(complete="perhaps"), "InputError", "bad_flag", "complete"),
    Bad("X34", claim(keep_unread="perhaps"), "InputError", "bad_flag", "keep_unread"),
    Bad("X34", claim(scope="mode=batch"), "InputError", "bad_scope"),
    Bad("X34", claim(scope={"mode": ["batch"]}), "InputError", "bad_scope"),
    Bad("X34", claim(scope={"mode": None}), "InputError", "bad_scope"),
    Bad("X34", claim(value=object()), "InputError", "bad_value", "value"),
    Bad("X34", claim(value=b"3"), "InputError", "bad_value", "value"),
    *(Bad("X34", claim(**{field: None}), "InputError", "missing_field", field)
      for field in ("provider", "subject", "predicate", "value")),
    Bad("X35", lambda: claim() | {"value": nested(1_001)}, "LimitError", "too_deep", "value"),
    Bad("X35", claim(nested(32)), "LimitError", "too_deep", "30"),
    Bad("X35", claim(scope={"a": nested(40)}), "LimitError", "too_deep", "scope"),
    Bad("X38", claim(claim_id="c_0123456789abcdef"), "InputError", "id_mismatch", "claim_id"),
    # sources
    *(Bad("X45", claim(source={"url": url}), "EvidenceError", "bad_url", "source: ")
      for url in ("https://me:secret@norden.example/", "https://norden.example/a b", "https://norden.example/\x00",
                  "https://norden.example/\nb", "javascript:alert(1)", "norden.example", "", "https://", "//x/y")),
    Bad("X45", claim(source={"url": "https://norden.example/" + "p" * 100_000}), "LimitError", "too_large", "url"),
    Bad("X46", claim(source=None), "UnknownSourceError", "missing_source", "source"),
    Bad("X46", claim(source={"title": "a page"}), "UnknownSourceError", "missing_source"),
    Bad("X46", claim(source={"url": URL, "source_type": "hearsay"}), "EvidenceError", "unknown_source_type", "hearsay"),
    Bad("X46", claim(source={"url": URL, "authority": "mine"}), "EvidenceError", "unknown_authority", "mine"),
    Bad("R1", claim(source={"url": URL, "derived_from": URL + "#top"}), "EvidenceError", "source_cycle"),
]  # fmt: skip


@pytest.fixture(scope="module")
def full() -> Iterator[Claimbase]:
    """A base that holds something, in which nothing may change: each test looks at its ledger, the end at every row."""
    kb = base(FixedClock(NOW))
    kb.add([claim(), claim("128K", predicate="context")])
    before = digest(kb.db)
    yield kb
    assert digest(kb.db) == before


def head(kb: Claimbase) -> Any:
    """Give the newest batch of a base."""
    return kb.db.file("ledger/head").rows


@pytest.fixture(scope="module")
def reported(full: Claimbase) -> dict[int, Rejection]:
    """What comes of telling the whole table at once, by row."""
    start = time.perf_counter()
    report = full.add([bad.told for bad in BAD], on_error="report")
    assert time.perf_counter() - start < SLOW
    assert report.batch is None
    return {rejection.row: rejection for rejection in report.rejected}


@pytest.mark.covers("A18", "M01", "M08")
@pytest.mark.parametrize("row", range(1, len(BAD) + 1), ids=lambda row: f"{BAD[row - 1].row} {BAD[row - 1].code}")
def test_refused(reported: dict[int, Rejection], row: int) -> None:
    """X1-X46, W5: the class and code of the table, and a message that names the thing, short and harmless."""
    bad, refused = BAD[row - 1], reported[row]
    assert (refused.error, refused.code) == (bad.error, bad.code), refused.message
    assert bad.names in refused.message
    assert len(refused.message) < 600
    assert refused.message.isprintable()
    assert "secret" not in refused.message


@pytest.mark.parametrize("bad", BAD[::12], ids=lambda bad: f"{bad.row} {bad.code}")
def test_raised(full: Claimbase, bad: Bad) -> None:
    """W5: without on_error the first bad row is raised, with its number, and the good ones before it are not stored."""
    before = head(full)
    with pytest.raises(ClaimbaseError) as refused:
        full.add([claim("$7", day(9)), bad.told])
    error = refused.value
    assert (type(error).__name__, error.code, error.details["row"]) == (bad.error, bad.code, 2)
    assert error.message.startswith("row 2: ")
    assert bad.names in str(error)
    assert head(full) == before


# -- what is not refused ---------------------------------------------------------------------------------------------


def test_direction_marks_in_a_quote() -> None:
    """X4: stored as they are, with a warning, and escaped wherever an error shows them."""
    kb = base(FixedClock(NOW))
    report = kb.add([claim(), claim("$4", quote="a \u202e b")])
    assert [warning for warning in report.warnings if warning.startswith("has_bidi: the quote of row 2 ")] != []
    assert len(report.warnings) == 1
    assert kb.db.query("SELECT quote FROM cb.quote WHERE contains(quote, chr(8238))").rows == [("a \u202e b",)]


def test_one_subject_in_two_spellings() -> None:
    """X5, X7, V7: composed or not, with blanks or no-break spaces around, in any case: one subject, one slot."""
    kb = base(FixedClock(NOW))
    kb.add([claim(subject=name) for name in ("La\u0308rche 2", "Lärche 2", "\u00a0Lärche  2 ", "lärche 2")])
    assert kb.db.query("SELECT name FROM cb.subject").rows == [("Lärche 2",)]
    assert len(standing(kb.db)) == 1


def test_look_alikes_are_two_subjects_with_a_warning() -> None:
    """X6: a Cyrillic letter in a Latin name makes another subject, and is said to."""
    kb = base(FixedClock(NOW))
    report = kb.add([claim(subject="Claude"), claim(subject="\u0421laude")])
    assert kb.db.query("SELECT count(*) FROM cb.subject").rows == [(2,)]
    assert [warning.split(":")[0] for warning in report.warnings] == ["mixed_script"]
    assert kb.add([claim("$4", subject="\u0421laude")]).warnings == ()


READ: list[tuple[str, str, Any, tuple[Any, Any, Any]]] = [
    ("X12", "price", "-0.0", (Decimal(0), Decimal(0), "usd_per_mtok")),
    ("X12", "price", -0.0, (Decimal(0), Decimal(0), "usd_per_mtok")),
    ("X16", "context", "200k", (Decimal(200_000), Decimal(200_000), "token")),
    ("X16", "context", "128K", (Decimal(128_000), Decimal(128_000), "token")),
    ("X16", "context", "1M", (Decimal(1_000_000), Decimal(1_000_000), "token")),
    ("X16", "context", "64Ki", (Decimal(65_536), Decimal(65_536), "token")),
    ("X17", "context", "5-7", (Decimal(5), Decimal(7), "token")),
    ("X17", "context", "<5", (None, Decimal(5), "token")),
    ("X17", "context", "5+", (Decimal(5), None, "token")),
    ("X18", "context", 2**53, (Decimal(2**53), Decimal(2**53), "token")),
    ("X18", "context", 2**53 + 1, (Decimal(2**53 + 1), Decimal(2**53 + 1), "token")),
    ("V1", "price", "0.3", (Decimal("0.3"), Decimal("0.3"), "usd_per_mtok")),
    ("V1", "price", 0.1, (Decimal("0.1"), Decimal("0.1"), "usd_per_mtok")),
    ("V5", "price", "free", (Decimal(0), Decimal(0), "usd_per_mtok")),
]


def test_numbers_that_are_read() -> None:
    """X12, X16-X18, V1, V5: exact, never a physical unit, never by way of a float."""
    kb = base(FixedClock(NOW))
    rows = [claim(v, subject=f"{n}", predicate=p) for n, (_, p, v, _) in enumerate(READ)]
    kb.add(rows)
    found = {row[1]: (row[6], row[7], row[9]) for row in standing(kb.db)}
    assert found == {str(number): expected for number, (*_, expected) in enumerate(READ)}


def test_equal_numbers_share_their_identity() -> None:
    """X12, X18, V9: -0 is 0; 2^53 and 2^53 + 1 are two values."""
    kb = base(FixedClock(NOW))
    kb.add([claim(value, subject=str(value), predicate="context") for value in ("0", "-0.0", 2**53, 2**53 + 1)])
    ids = {row[1]: row[8] for row in standing(kb.db)}
    assert ids["0"] == ids["-0.0"]
    assert len(set(ids.values())) == 3


def test_an_unreadable_value_can_be_kept() -> None:
    """X19, V6: keep_unread stores the words without a number; nothing is guessed."""
    kb = base(FixedClock(NOW))
    kb.add([claim("5 $/wombat", keep_unread=True)])
    ((*_, value, low, high, _, unit, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _),) = standing(kb.db)
    assert (value, low, high, unit) == ("5 $/wombat", None, None, None)


def test_a_day_is_its_start() -> None:
    """X25, T4, T7: a day means its start in UTC, at the API and in a claim, as text or as a date."""
    kb = base(FixedClock(NOW))
    kb.add([claim(observed_at="2026-03-01"), claim("$4", observed_at=date(2026, 3, 1))])
    assert {row[20].isoformat() for row in standing(kb.db)} == {"2026-03-01T00:00:00+00:00"}
    assert kb.basis("2026-03-01").valid_at.isoformat() == "2026-03-01T00:00:00+00:00"


@pytest.mark.parametrize("axis", ["as_of", "observed_by", "recorded_by"])
def test_before_the_first_claim(full: Claimbase, axis: str) -> None:
    """X32, A1: an empty answer with its basis, no error."""
    basis = full.basis(**{axis: "2001-01-01"})
    assert basis.batch == (None if axis == "recorded_by" else 2)
    found = full.db.query(
        "SELECT count(*) FROM cb.active($valid_at, $observed_by, $recorded_by)",
        {"valid_at": basis.valid_at, "observed_by": basis.observed_by, "recorded_by": basis.recorded_by},
    )
    assert found.rows == [(2 if axis == "as_of" else 0,)]


@pytest.mark.parametrize(
    ("axes", "code"),
    [
        ({"observed_by": "2026-11-30"}, "future_basis"),
        ({"recorded_by": "2026-11-30"}, "future_basis"),
        ({"as_of": "2026-11-30", "then": True}, "future_basis"),
        ({"as_of": "2026-03"}, "period"),
        ({"as_of": "now"}, "bad_date"),
        ({"as_of": "2026-03-01T00:00:00"}, "naive_time"),
        ({"observed_by": "infinity"}, "infinite_bound"),
        ({"as_of": "2026-03-01", "observed_by": "2026-03-01", "then": True}, "bad_basis"),
    ],
)
def test_a_basis_that_is_refused(full: Claimbase, axes: dict[str, Any], code: str) -> None:
    """X24, X33, Q15, A5: nobody has observed or recorded the future; a period is no instant."""
    with pytest.raises(InputError) as refused:
        full.basis(**axes)
    assert refused.value.code == code


def test_a_projected_basis(full: Claimbase) -> None:
    """X33, A5: valid_at in the future is answered, and labelled projected."""
    assert full.basis("2030-01-01").projected
    assert not full.basis("2026-01-01").projected


@pytest.mark.parametrize(
    ("line", "error", "code"),
    [
        ("\ufeff{}", InputError, "bad_json"),
        ('{"value": 1,}', InputError, "bad_json"),
        ('{"value": 01}', InputError, "bad_json"),
        ('{"value": NaN}', InputError, "bad_json"),
        ('{"value": 1, "value": 2}', InputError, "bad_json"),
        ("[]", InputError, "bad_json"),
        ('{"value": ' + "[" * 1_001 + "]" * 1_001 + "}", LimitError, "too_deep"),
    ],
)
def test_bad_json(full: Claimbase, line: str, error: type[ClaimbaseError], code: str, tmp_path: Path) -> None:
    """X35, X36, C13: a line that is no JSON object is refused with its number, before anything is parsed too deep."""
    path, before = tmp_path / "claims.jsonl", digest(full.db)
    path.write_text(json.dumps(claim("$8")) + "\n" + line + "\n", "utf-8")
    with pytest.raises(error) as refused:
        full.add(path)
    assert refused.value.code == code
    assert "line 2" in str(refused.value)
    assert digest(full.db) == before


def test_a_given_id_that_fits() -> None:
    """X38: a claim_id that is the content's own is accepted, any other refused, whatever is stored."""
    kb = base(FixedClock(NOW))
    kb.add([claim()])
    ((name,),) = kb.db.query("SELECT cb.claim_id(claim_no) FROM cb.statement")
    assert kb.add([claim(observed_at=day(2), claim_id=name)]).readings == 1
    before = digest(kb.db)
    with pytest.raises(InputError) as refused:
        kb.add([claim("$4", claim_id=name)])
    assert (refused.value.code, digest(kb.db)) == ("id_mismatch", before)


@pytest.mark.parametrize("given", [5, None, object(), b"claims"])
def test_nothing_that_can_be_added(full: Claimbase, given: Any) -> None:
    """G16: what is neither claim, path nor frame is refused by type."""
    with pytest.raises(InputError):
        full.add(given)


@pytest.mark.parametrize("given", [[5], ["claim"], [None]])
def test_rows_that_are_no_claims(full: Claimbase, given: Any) -> None:
    """G16, W5: a row that is no claim is refused like any other bad row."""
    before = digest(full.db)
    with pytest.raises(InputError) as refused:
        full.add(given)
    assert (refused.value.code, digest(full.db)) == ("bad_value", before)


def test_a_claim_object_with_a_bad_source(full: Claimbase) -> None:
    """B7, X46: a Claim whose source is none is refused like a mapping without one."""
    fields = {name: value for name, value in claim().items() if name != "source"}
    for source, code in ((None, "missing_source"), (Source(url=""), "bad_url")):
        with pytest.raises(ClaimbaseError) as refused:
            full.add(Claim(**fields, source=source))
        assert refused.value.code == code


# -- files that are no base ------------------------------------------------------------------------------------------


def _folder(path: Path) -> None:
    path.mkdir()


def _empty(path: Path) -> None:
    path.touch()


def _text(path: Path) -> None:
    path.write_text("no base\n" * 1_000)


def _cut(path: Path) -> None:
    claimbase.open(path, packs=[]).close()
    path.write_bytes(path.read_bytes()[:5_000])


def _other(path: Path) -> None:
    import duckdb

    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE mine (x INTEGER)")


def _like(path: Path) -> None:
    import duckdb

    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE SCHEMA cb")
        connection.execute("CREATE TABLE cb.claim (x INTEGER)")


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize("make", [_folder, _empty, _text, _cut, _other, _like])
def test_no_base(make: Any, read_only: bool, tmp_path: Path) -> None:
    """X48: a folder, an empty, foreign or damaged file is no base, for writers and readers, and is left as it was."""
    path = tmp_path / "some.duckdb"
    make(path)
    before = path.read_bytes() if path.is_file() else b""
    with pytest.raises(StoreError) as refused:
        claimbase.open(path, read_only=read_only)
    assert refused.value.code in ("not_a_store", "store_corrupt")
    assert str(tmp_path) not in str(refused.value)
    assert (path.read_bytes() if path.is_file() else b"") == before


@pytest.mark.parametrize("name", ["missing/some.duckdb", "some.duckdb"])
def test_a_base_that_is_missing(name: str, tmp_path: Path) -> None:
    """X48: no folder, or no file for a reader or with create=False."""
    for options in ({"read_only": True}, {"create": False}):
        with pytest.raises(StoreError) as refused:
            claimbase.open(tmp_path / name, **options)
        assert refused.value.code == "store_missing"
    assert list(tmp_path.iterdir()) == []


def test_a_log_of_another_base(tmp_path: Path) -> None:
    """X48: a write-ahead log that belongs to another base is not replayed into this one."""
    one, other = tmp_path / "one.duckdb", tmp_path / "other.duckdb"
    for path in (one, other):
        claimbase.open(path, packs=[]).close()
    kb = claimbase.open(other, packs=[])
    kb.add([claim()])
    shutil.copy(f"{other}.wal", f"{one}.wal")
    kb.close()
    with pytest.raises(StoreError) as refused:
        claimbase.open(one)
    assert refused.value.code in ("wal_mismatch", "store_corrupt", "not_a_store")


@pytest.mark.parametrize("call", [
    lambda kb: kb.add([claim()]), lambda kb: kb.basis(), lambda kb: kb.vocabulary(), repr,
    lambda kb: kb.declare(), lambda kb: kb.observe("c_0123456789abcdef", observed_at=day(1)),
])  # fmt: skip
def test_a_closed_base(call: Any) -> None:
    """X50: every call on a closed base says so."""
    kb = base(FixedClock(NOW))
    kb.close()
    kb.close()
    with pytest.raises(StoreError) as refused:
        call(kb)
    assert refused.value.code == "closed"


@pytest.mark.parametrize(
    ("change", "names"),
    [
        ("ALTER TABLE cb.claim ADD COLUMN mine INTEGER", "claim.mine"),
        ("ALTER TABLE cb.quote DROP COLUMN reasoning", "quote.reasoning"),
        ("ALTER TABLE cb.entry ALTER ordinal TYPE VARCHAR", "entry.ordinal"),
        ("CREATE TABLE cb.mine (x INTEGER)", "mine"),
        ("DROP TABLE cb.alias", "alias"),
        ("CREATE VIEW cb.mine AS SELECT 1 AS x", "mine"),
    ],
)
def test_a_schema_that_drifted(change: str, names: str, tmp_path: Path) -> None:
    """X51: a table or column that is not as the schema files say is named at open, and never repaired silently."""
    path = tmp_path / "some.duckdb"
    kb = claimbase.open(path, packs=[])
    kb.db.query(change)
    kb.close()
    for read_only in (False, True):
        with pytest.raises(StoreError) as refused:
            claimbase.open(path, read_only=read_only)
        assert refused.value.code == "schema_drift"
        assert names in str(refused.value)
