"""The bad inputs of the design's table, one by one: class, code, what the message names, and the unchanged base.

`bad_inputs.py` holds what is told and refused (X1-X31, X34, X35, X38, X45, X46), `test_bad_input_asked.py` what is
asked (X24-X44, X47), `test_bad_input_files.py` what is opened (X48-X52); what is read in spite of its looks is below.
"""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from bad_inputs import BAD, GIVEN, OWN, UNSEEN, Bad
from click.testing import CliRunner
from kit import NOW, PACK, base, claim, day, digest, few, standing

import claimbase
from claimbase.base import Claimbase
from claimbase.claims import Claim, Source
from claimbase.cli import main
from claimbase.errors import ClaimbaseError, InputError, LimitError
from claimbase.ingest import Rejection
from claimbase.temporal import FixedClock

SLOW = 10.0  # seconds for the whole table; the refusals themselves take thousandths, the machine may be busy


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
@pytest.mark.parametrize("row", dict.fromkeys(bad.row for bad in BAD))
def test_refused(reported: dict[int, Rejection], row: str) -> None:
    """X1-X46, W5: the class and code of the table, and a message that names the thing, short and harmless."""
    for number, bad in enumerate(BAD, 1):
        if bad.row == row:
            refused = reported[number]
            assert (refused.error, refused.code) == (bad.error, bad.code), (number, refused.message)
            assert bad.names in refused.message
            assert len(refused.message) < 600
            assert refused.message.isprintable()
            assert "secret" not in refused.message


@pytest.mark.parametrize("bad", few(BAD[::12], 4), ids=lambda bad: f"{bad.row} {bad.code}")
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


BY_CLOCK_OR_PARSER = ("X30", "X35")
"""What the machine's clock decides, and what the reader of JSON refuses before."""


def in_json(given: Any) -> str | None:
    """Write a claim as a line of a file; None where JSON has no word for what it holds, or is refused as too deep."""
    try:
        return json.dumps(given, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return None


@pytest.mark.slow
def test_refused_by_the_command(tmp_path: Path) -> None:
    """X1-X46: the command refuses each row of a file with the class and code that the library has for it."""
    lines = [
        (bad, line)
        for bad in BAD
        if bad.row not in BY_CLOCK_OR_PARSER and (line := in_json(bad.told)) and len(line) < 200_000
    ]
    file, rows = tmp_path / "some.duckdb", tmp_path / "claims.jsonl"
    with claimbase.open(file, packs=[]) as kb:
        kb.declare(claimbase.load_pack(PACK))
        before = digest(kb.db)
    rows.write_text("".join(f"{line}\n" for _, line in lines), "utf-8")
    told = CliRunner().invoke(main, ["add", str(file), str(rows), "--on-error", "report", "--json"])
    assert told.exit_code == 0, told.output
    refused = {one["row"]: (one["error"], one["code"]) for one in json.loads(told.stdout)["rejected"]}
    for row, (bad, _) in enumerate(lines, 1):
        assert refused.get(row) == (bad.error, bad.code), bad
    assert len(lines) > 400
    stopped = CliRunner().invoke(main, ["add", str(file), str(rows)])
    assert (stopped.exit_code, stopped.stdout) == (2, "")
    assert stopped.stderr.isprintable() or len(stopped.stderr.splitlines()) < 22
    with claimbase.open(file, packs=[]) as kb:
        assert digest(kb.db) == before


ELSEWHERE = {
    "X47": "test_quotes.py", "X49": "test_faults.py", "X52": "test_store_writes.py", "X20": "test_quantities.py",
    "X22": "test_quantities.py", "X37": "test_ingest.py",
}  # fmt: skip


def test_every_row_has_cases(checkout: Path) -> None:
    """Reliability 4: each of X1 to X52 is named by a case of these files, the refused ones by three of our own too."""
    texts = [path.read_text("utf-8") for path in sorted((checkout / "tests").glob("*bad_input*.py"))]
    named = set(re.findall(r"\bX\d+\b", "".join(texts)))
    named |= {row for row, name in ELSEWHERE.items() if row in (checkout / "tests" / name).read_text("utf-8")}
    assert [f"X{number}" for number in range(1, 53) if f"X{number}" not in named] == []
    given, own = Counter(bad.row for bad in GIVEN), Counter(bad.row for bad in OWN)
    assert {row: own[row] for row in given if row.startswith("X") and own[row] < 3} == {}
    print(f"bad input: {len(GIVEN)} given and {len(OWN)} own claims refused; own by row: {dict(own)}")


def test_what_cannot_be_seen_is_no_quote(full: Claimbase) -> None:
    """X1, B7: the statement and the function that tell what cannot be seen agree, mark by mark."""
    rows = [claim(quote=mark) for mark in UNSEEN if mark not in ("\ufffe", "\ufdd0", "\U0001ffff")]
    report = full.add(rows, on_error="report")
    assert {rejection.code for rejection in report.rejected} == {"missing_quote"}
    assert len(report.rejected) == len(rows)


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
