"""Bad requests: what is asked of a base and refused, through the library, the tools for models and the command."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from bad_inputs import nested
from click.testing import CliRunner
from kit import NOW, PACK, base, claim, day, digest

import claimbase
from claimbase.agents import call
from claimbase.base import Claimbase
from claimbase.cli import main
from claimbase.errors import ClaimbaseError
from claimbase.temporal import AsOf, FixedClock

PRICE = {"predicate": "price", "operator": "lte", "value": 5}
NAIVE = datetime(2026, 3, 1)  # noqa: DTZ001
COST = "price <= $5/Mtok"


class Asked(NamedTuple):
    """What is asked, and how it is refused: class, code, and what the message must name."""

    row: str
    ask: Callable[[Claimbase], Any]
    error: str
    code: str
    names: str = ""


def answer(row: str, constraint: Any, error: str, code: str, names: str = "", **options: Any) -> Asked:
    """Refuse a constraint, or an option beside a good one."""
    return Asked(row, lambda kb: kb.answer(constraint, **options), error, code, names)


def at(row: str, code: str, *moments: Any, names: str = "", error: str = "InstantError") -> list[Asked]:
    """Refuse what is no instant on each axis of each kind of question."""
    asks: list[Callable[[Claimbase, Any], Any]] = [
        lambda kb, moment: kb.answer(COST, as_of=moment), lambda kb, moment: kb.history("Lark 2", as_of=moment),
        lambda kb, moment: kb.freshness(observed_by=moment), lambda kb, moment: kb.contradictions(recorded_by=moment),
        lambda kb, moment: kb.when(COST, during=(moment, None)), lambda kb, moment: kb.diff(moment, axis="valid"),
    ]  # fmt: skip
    return [
        Asked(row, lambda kb, ask=ask, moment=moment: ask(kb, moment), error, code, names)
        for moment in moments for ask in asks
    ]  # fmt: skip


GIVEN: list[Asked] = [
    *at("X24", "bad_date", "now", "today", "12:30", "T12:30"),
    *at("X26", "bad_date", "2026-06-30T23:59:60Z", names="23:59:59"),
    *at("X27", "bad_offset", "2026-03-01T00:00:00+25:00", "2026-03-01T00:00:00+05:30:15"),
    *at("X29", "infinite_bound", "infinity", names="open end"),
    Asked("X28", lambda kb: kb.history("Lark 2", during=(day(1), day(1))), "IntervalError", "empty_interval", day(1)),
    answer("X33", COST, "InstantError", "future_basis", "observed_by", observed_by="2026-11-30"),
    answer("X33", COST, "InstantError", "future_basis", "recorded_by", recorded_by="2999-01-01"),
    answer("X34", PRICE | {"colour": "red"}, "ConstraintError", "extra_field", "colour"),
    Asked("X35", lambda kb: kb.answer(PRICE | {"value": nested(1_001)}), "ConstraintError", "bad_constraint"),
    Asked("X39", lambda kb: kb.answer(), "ConstraintError", "no_constraints"),
    answer("X40", PRICE | {"operator": "GTE"}, "ConstraintError", "unknown_operator", "gte"),
    answer("X40", PRICE | {"predicate": "prize"}, "VocabularyError", "unknown_predicate", "price"),
    answer(
        "X42", {"predicate": "vendor", "operator": "regex", "value": "(a|a)*b"}, "ConstraintError", "unknown_operator"
    ),
]
"""The design's rows."""

OWN: list[Asked] = [
    *at("X24", "bad_date", "yesterday", "2026-02-30", "20260301", "9" * 100_000, "\u0662\u0660\u0662\u0666-03-01"),
    *at("X24", "naive_time", "2026-03-01T00:00:00", NAIVE),
    *at("X24", "period", "2026-03", "2026-Q1", "2026"),
    *at("X24", "bad_date", 5, 1.5, [day(1)]),
    *at("X26", "bad_date", "2016-12-31T23:59:60.5Z", "2026-06-30T12:00:60Z", "2026-06-30T23:59:61Z"),
    *at("X27", "bad_offset", "2026-03-01T00:00:00+24:00", "2026-03-01T00:00:00-99:00", "2026-03-01T00:00:00+05:60"),
    *at("X29", "infinite_bound", "-infinity", "+inf", "Infinity"),
    *at("X29", "out_of_range", "9999-12-31T00:00:00Z", "0001-01-01"),
    *(Asked("X28", lambda kb, ask=ask: ask(kb, (day(2), day(1))), "IntervalError", "inverted_interval", "2026-03-02")
      for ask in (lambda kb, window: kb.when(COST, during=window), lambda kb, window: kb.contradictions(during=window),
                  lambda kb, window: kb.history("Lark 2", during=window))),
    *(answer("X33", COST, "InstantError", "future_basis", axis, **{axis: moment})
      for axis in ("observed_by", "recorded_by") for moment in ("2026-11-29T12:10:00Z", NOW + timedelta(days=1))),
    answer("X33", COST, "InstantError", "future_basis", "", as_of="2027-01-01", then=True),
    answer("X33", COST, "InstantError", "future_basis", "", as_of=AsOf(NOW, NOW + timedelta(days=9))),
    *(answer("X34", PRICE | {field: "x"}, "ConstraintError", "extra_field", field) for field in ("Value", "sql",
      "limit")),
    Asked("X34", lambda kb: kb.diff({"as_off": day(1)}), "InputError", "extra_field", "as_off"),
    Asked("X34", lambda kb: kb.watch("w", COST, colour="red"), "InputError", "extra_field", "colour"),
    *(answer("X40", PRICE | {"operator": name}, "ConstraintError", "unknown_operator", "lte")
      for name in ("", "=>", "LIKE", "lte; DROP TABLE", "lt\u200b", "\uff1c", "sounds_like")),
    *(answer("X40", PRICE | {"predicate": name}, "VocabularyError", code)
      for name, code in (("Price\u200b", "bad_identifier"), ("cb.claim", "unknown_predicate"), ("prices",
      "unknown_predicate"))),
    *(answer("X42", {"predicate": "vendor", "operator": name, "value": "x" * 1_000}, "ConstraintError",
      "unknown_operator")
      for name in ("matches", "similar_to", "~", "glob", "ilike")),
    *(answer("X19", PRICE | {"value": value}, "ConstraintError", code)
      for value, code in (("5 wombats", "unknown_unit"), ("5 $/wombat", "unknown_unit"), ("nan", "placeholder_value"),
                          (float("nan"), "not_finite"), (float("inf"), "not_finite"), ("\u0665", "bad_number"),
                          ("2^10", "bad_number"),
                          ("n/a", "placeholder_value"), (None, "bad_operands"), ([1, 2], "bad_operands"))),
    *(Asked("X47", lambda kb, name=name: kb.get(name), "InputError", "bad_claim_id", "c_")
      for name in ("", "c_", "c_0123456789abcdeg", "../../etc/passwd", "c_\u0660123456789abcde", "x" * 100_000)),
    Asked("X47", lambda kb: kb.get("c_0000000000000000"), "ClaimNotFoundError", "claim_not_found", "c_0"),
    *(answer("X43", COST, "InputError", "bad_limit", "", **option)
      for option in ({"limit": -1}, {"limit": "5"}, {"limit": 1.5}, {"offset": -1}, {"near_limit": -1})),
    *(Asked("X43", lambda kb, since=since: kb.watch_events(since=since), "InputError", code, "since")
      for since, code in ((-1, "bad_number"), ("5", "bad_argument"), (1.5, "bad_argument"))),
]  # fmt: skip
"""Our own."""

ASKED = GIVEN + OWN


@pytest.fixture(scope="module")
def kb() -> Iterator[Claimbase]:
    """A base that holds something, in which nothing may change."""
    made = base(FixedClock(NOW))
    made.add([claim(), claim("128K", predicate="context"), claim("50% off", predicate="vendor")])
    before = digest(made.db)
    yield made
    assert digest(made.db) == before


@pytest.mark.parametrize("row", dict.fromkeys(asked.row for asked in ASKED))
def test_refused(kb: Claimbase, row: str) -> None:
    """X19-X43: the class and code of the table, and a message that names the thing, short and harmless."""
    for number, asked in enumerate(ASKED):
        if asked.row == row:
            with pytest.raises(ClaimbaseError) as refused:
                asked.ask(kb)
            error = refused.value
            assert (type(error).__name__, error.code) == (asked.error, asked.code), (number, str(error))
            assert asked.names in str(error)
            assert len(str(error)) < 600
            assert str(error).isprintable()


@pytest.mark.parametrize(
    ("name", "arguments", "error", "code"),
    [
        ("answer", {"constraints": [], "page_token": "eyJhIjoxfQ"}, "InputError", "extra_field"),
        ("answer", {"constraints": [PRICE], "cursor": "next"}, "InputError", "extra_field"),
        ("answer", {"constraints": [PRICE], "limit": 10**9}, "InputError", "out_of_range"),
        ("answer", {"constraints": nested(1_001)}, "LimitError", "too_deep"),
        ("answer", {"constraints": [PRICE | {"operator": "regex", "value": "(a|a)*b"}]}, "InputError", "bad_argument"),
        ("answer", {"constraints": [PRICE | {"operator": "lte;--"}]}, "InputError", "bad_argument"),
        ("answer", {"constraints": [PRICE | {"value": "5 wombats"}]}, "ConstraintError", "unknown_unit"),
        ("answer", {"constraints": []}, "ConstraintError", "no_constraints"),
        ("ask", {"question": "x" * 2_001}, "LimitError", "too_large"),
        ("ask", {"question": "\u202e\u2066"}, "QuestionError", None),
        ("history", {"subject": ["Lark 2"]}, "InputError", "bad_argument"),
        ("freshness", {"observed_by": "2999-01-01"}, "InstantError", "future_basis"),
        ("freshness", {"as_of": "12:30"}, "InstantError", "bad_date"),
        ("cite", {"claim_id": "c_\u0660123456789abcde"}, "InputError", "bad_claim_id"),
        ("\u202eask", {}, "InputError", "unknown_tool"),
    ],
)
def test_refused_by_a_tool(kb: Claimbase, name: str, arguments: Any, error: str, code: str | None) -> None:
    """X24-X43, M7: a tool refuses with the same classes; there are no page tokens (X43) and no patterns (X42)."""
    told = call(kb, name, arguments)
    assert (told["error"], told["code"]) == (error, code or told["code"])
    assert told["message"].isprintable()


COMMANDS: list[tuple[str, list[str], int, str]] = [
    ("X24", ["answer", COST, "--as-of", "now"], 2, "bad_date"),
    ("X24", ["answer", COST, "--observed-by", "12:30"], 2, "bad_date"),
    ("X26", ["history", "Lark 2", "--as-of", "2026-06-30T23:59:60Z"], 2, "bad_date"),
    ("X27", ["freshness", "--as-of", "2026-03-01T00:00:00+25:00"], 2, "bad_offset"),
    ("X29", ["contradictions", "--recorded-by", "infinity"], 2, "infinite_bound"),
    ("X33", ["answer", COST, "--recorded-by", "9000-01-01"], 2, "future_basis"),
    ("X40", ["answer", "price GTE 5"], 2, "unknown_operator"),
    ("X40", ["answer", "prize <= 5"], 2, "unknown_predicate"),
    ("X42", ["answer", "vendor regex (a|a)*b"], 2, "unknown_operator"),
    ("X19", ["answer", "price <= 5 wombats"], 2, "unknown_unit"),
    ("X9", ["history", "Lark 2", "x; DROP TABLE cb.claim"], 0, ""),
    ("X47", ["show", "../../etc/passwd"], 2, "bad_claim_id"),
    ("X47", ["show", "c_0000000000000000"], 3, "claim_not_found"),
    ("X42", ["ask", "which \x1b[2J models (a|a)*b \u202e"], 4, "not_understood"),
    ("X9", ["sql", "DROP TABLE cb.claim"], 2, "not_a_select"),
    ("X9", ["sql", "SELECT 1; DROP TABLE cb.claim"], 2, "several_statements"),
]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A base in a file, in which nothing may change."""
    path = tmp_path_factory.mktemp("asked") / "some.duckdb"
    with claimbase.open(path, packs=[]) as made:
        made.declare(claimbase.load_pack(PACK))
        made.add([claim(), claim("128K", predicate="context")])
        before = digest(made.db)
    yield path
    with claimbase.open(path, packs=[], read_only=True) as made:
        assert digest(made.db) == before


@pytest.mark.parametrize(("row", "words", "status", "code"), COMMANDS, ids=lambda given: str(given)[:20])
def test_refused_by_the_command(file: Path, row: str, words: list[str], status: int, code: str) -> None:
    """X9-X47: exit code, one harmless line with the code on stderr, nothing on stdout, no traceback."""
    told = CliRunner().invoke(main, [words[0], str(file), *words[1:]])
    assert (told.exit_code, row[0]) == (status, "X"), told.output
    assert told.exception is None or isinstance(told.exception, SystemExit)
    if status:
        assert told.stdout == ""
        assert f"[{code}]" in told.stderr
    assert all(line.isprintable() for line in told.output.splitlines())


# -- what is not refused ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", ["%", "50%", "_", "\\", "50\\%", "5_%", "%%", "' OR 1=1 --", "[5]", ".*"])
def test_contains_is_literal(kb: Claimbase, words: str) -> None:
    """X41, C12: what LIKE and patterns give a meaning to is looked for letter by letter."""
    found = kb.answer({"predicate": "vendor", "operator": "contains", "value": words})
    assert [one.subject for one in found.eligible] == (["Lark 2"] if words in "50% off" else [])


@pytest.mark.parametrize(
    "both",
    [("price <= $2", "price >= $3"), ("price < $3", "price > $3"), ("price = $1", "price = $2"), ("price < $0", COST)],
)
def test_constraints_that_exclude_each_other(kb: Claimbase, both: tuple[str, str]) -> None:
    """X44: an empty answer that says which constraint fails, no error."""
    found = kb.answer(*both)
    assert not found.eligible
    assert found.summary.startswith("no subject")
    assert json.dumps(found.to_json())


@pytest.mark.parametrize("ask", [
    lambda kb, basis: kb.answer(COST, **basis).eligible, lambda kb, basis: kb.history("Lark 2", **basis).segments,
    lambda kb, basis: kb.contradictions(**basis).cards, lambda kb, basis: kb.freshness(**basis).rows(),
])  # fmt: skip
@pytest.mark.parametrize("axis", ["as_of", "observed_by", "recorded_by"])
@pytest.mark.parametrize(
    "moment", ["0001-01-02", pytest.param("1970-01-01", marks=pytest.mark.slow), "2025-12-31T23:59:59.999999Z"]
)
def test_before_the_first_claim(kb: Claimbase, ask: Any, axis: str, moment: str) -> None:
    """X32, A1: before anything held, was read or was recorded the answer is empty, on each axis, with its basis."""
    found = ask(kb, {axis: moment})
    assert not found or axis == "as_of"


def test_the_future_is_projected(kb: Claimbase) -> None:
    """X33, A5: valid_at ahead is answered and labelled, to the end of the calendar."""
    for moment in (NOW + timedelta(microseconds=1), "2030-01-01", "9999-12-29"):
        assert kb.answer(COST, as_of=moment).basis.projected
    assert not kb.answer(COST).basis.projected


def test_the_same_claim_twice() -> None:
    """X37, B6: one version; the second is reported as saying nothing new, or as a further reading."""
    made = base(FixedClock(NOW))
    for rows, counts in (
        ([claim(), claim()], (1, 0, 1)), ([claim(), claim(observed_at=day(2))], (0, 1, 1)),
        ([claim(quote="It is $3."), claim(subject="LARK  2", quote="It is $3.")], (0, 1, 1)),
        ([claim("$4", day(5)), claim("$4", day(5)), claim("$4", day(5))], (1, 0, 2)),
    ):  # fmt: skip
        report = made.add(rows)
        assert (report.added, report.readings, report.unchanged) == counts
