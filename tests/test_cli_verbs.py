"""The commands that decide about claims, run as a user runs them on a base of its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from copies import copy_base
from test_cli import claim, lines_file, run

READ = ("--observed-at", "2026-03-01")


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A base of two claims of one source; nothing changes it."""
    tmp_path = tmp_path_factory.mktemp("verbs")
    file = tmp_path / "prepared.duckdb"
    run("init", file)
    claims = [
        claim("Alpha", "input_price", "$3", "Alpha: $3", "prices", effective_from="2026-01-01"),
        claim("Beta", "input_price", "$7", "Beta: $7", "prices"),
    ]
    run("add", file, lines_file(tmp_path / "claims.jsonl", claims))
    return file


@pytest.fixture
def base(prepared: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return copy_base(prepared, tmp_path / "verbs.duckdb")


def ids(base: Path) -> dict[str, str]:
    """Give the id of each subject's standing claim."""
    return {one["subject"]: one["claim_id"] for one in json.loads(run("show", base, "--json").stdout)}


def holds(base: Path, subject: str, *basis: str) -> list[tuple[str, str]]:
    """Give value and status of a subject's segments."""
    data = json.loads(run("history", base, subject, "input_price", *basis, "--json").stdout)
    return [(one["value"], one["status"]) for one in data["segments"]]


def done(result: Any) -> dict[str, Any]:
    """Give what a verb said it did."""
    assert result.exit_code == 0, result.output
    report: dict[str, Any] = json.loads(result.stdout)
    return report


@pytest.mark.slow
def test_supersede(base: Path) -> None:
    """W1, W6: the old value ends where the new one begins, from the reading of it on."""
    told = ("--at", "2026-02-10", "--observed-at", "2026-03-01", "--value", "$2", "--quote", "now $2")
    report = done(run("supersede", base, ids(base)["Alpha"], *told, "--json"))
    assert (report["inserted"], report["retracted"]) == (3, 1)
    assert "ends at 2026-02-10T00:00:00Z" in report["words"]
    assert holds(base, "Alpha", "--as-of", "2026-03-05") == [("$3", "historical"), ("$2", "current")]
    assert holds(base, "Alpha", "--as-of", "2026-03-05", "--observed-by", "2026-02-20") == [("$3", "current")]


def test_correct_keeps_what_is_not_said_anew(base: Path) -> None:
    """W1: a correction takes the claim's own bounds, quote and readings, and replaces what is given."""
    report = done(run("correct", base, ids(base)["Alpha"], "--value", "$3.50", "--json"))
    assert (report["inserted"], report["retracted"]) == (1, 1)
    data = json.loads(run("history", base, "Alpha", "input_price", "--json").stdout)
    (now,) = [one for one in data["segments"] if one["status"] == "current"]
    assert (now["value"], now["certain"]["from"]) == ("$3.50", "2026-01-01T00:00:00Z")


@pytest.mark.slow
def test_retract_and_what_follows(base: Path) -> None:
    """W6: a retracted claim holds no more, and no verb can name it again."""
    name = ids(base)["Beta"]
    assert done(run("retract", base, name, "--reason", "another product", "--json"))["retracted"] == 1
    assert "Beta" not in ids(base)
    again = run("retract", base, name, "--reason", "another product")
    assert (again.exit_code, "not_standing" in again.stderr) == (2, True)


@pytest.mark.slow
def test_observe_changed(base: Path) -> None:
    """T8, W2: a changed page names what it says instead; without that a review opens and waits."""
    changed = ("changed", "--observed-at", "2026-04-01")
    report = done(run("observe", base, ids(base)["Beta"], *changed, "--value", "$9", "--quote", "$9 now", "--json"))
    assert (report["inserted"], report["retracted"]) == (3, 1)
    assert run("review", "list", base).stdout.startswith("nothing to review")
    run("observe", base, ids(base)["Alpha"], *changed)
    (open_review,) = json.loads(run("review", "list", base, "--json").stdout)
    assert (open_review["subject"], open_review["value"]) == ("Alpha", "$3")
    run("observe", base, ids(base)["Alpha"], "confirmed", "--observed-at", "2026-04-02")
    assert json.loads(run("review", "list", base, "--json").stdout) == []


@pytest.mark.slow
def test_a_successor_in_a_file(base: Path, tmp_path: Path) -> None:
    """W1: the successor may be one JSON object, with a source of its own."""
    whole = claim("Alpha", "input_price", "$2", "cut to $2", "news", effective_from="2026-02-15")
    path = tmp_path / "successor.json"
    path.write_text(json.dumps(whole), "utf-8")
    named = run("supersede", base, ids(base)["Alpha"], "--observed-at", "2026-02-20", "--claim", path, "--json")
    assert "begins there" in done(named)["words"]
    assert holds(base, "Alpha", "--as-of", "2026-02-16") == [("$3", "historical"), ("$2", "current")]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("supersede", "--at", "2025-12-01", *READ, "--value", "$2", "--quote", "q"), "ends_before_start"),
        (("correct", "--value", "dear"), "bad_number"),
        (("observe", "confirmed", "--observed-at", "2099-01-01"), "future_observation"),
        (("retract", "--reason", " "), "no_reason"),
        *(pytest.param(words, code, marks=pytest.mark.slow) for words, code in (
            (("supersede", *READ, "--value", "$2", "--quote", "q"), "no_change_point"),
            (("supersede", "--at", "2026-03-01", *READ, "--value", "$2"), "missing_quote"),
            (("correct", "--value", "$3"), "same_claim"),
            (("observe", "confirmed", *READ, "--value", "$2"), "needless_successor"),
        )),
    ],
)  # fmt: skip
def test_what_cannot_be_decided(prepared: Path, words: tuple[str, ...], code: str) -> None:
    """W5, W6: a verb that cannot be carried out says why, with its code, and changes nothing."""
    result = run(words[0], prepared, ids(prepared)["Alpha"], *words[1:])
    assert (result.exit_code, f"[{code}]" in result.stderr) == (2, True), result.stderr
    assert json.loads(run("sql", prepared, "SELECT count(*) FROM cb.batch", "--json").stdout)["rows"] == [[3]]
