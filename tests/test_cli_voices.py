"""The commands independence, corroboration, gaps and retractions: pages, data, exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from copies import copy_base
from kit import claim, day, opened
from voice_world import Page, prose, put

from claimbase.cli.failing import Commands
from claimbase.cli.voices import COMMANDS

main = Commands("claimbase", commands={str(command.name): command for command in COMMANDS})


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a base with two sources that are one voice, one apart, and a publication; tests copy it."""
    place = tmp_path_factory.mktemp("voices") / "b.duckdb"
    with opened(place) as kb:
        for site, value in (("a", "$3"), ("b", "$3"), ("c", "$3")):
            source = {"url": f"https://{site}.example/10.1000/{site}", "title": "\x1b[31mred"}
            kb.add([claim(value, day(1), source=source, effective_from="2026-01-01", confidence="high")])
        text = prose(1)
        put(kb.db, Page("https://a.example/10.1000/a", text), Page("https://b.example/10.1000/b", text))
    return place


@pytest.fixture
def path(prepared: Path, tmp_path: Path) -> Path:
    """Give a copy of the base."""
    return copy_base(prepared, tmp_path / "b.duckdb")


def run(*words: str | Path) -> Result:
    """Run a command."""
    return CliRunner().invoke(main, [str(word) for word in words])


def data(*words: str | Path) -> Any:
    """Run a command and read its JSON."""
    done = run(*words, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


@pytest.mark.slow
@pytest.mark.covers("H17")
def test_independence(path: Path) -> None:
    """Evidence §7: the voices, and with --explain why they are one."""
    found = data("independence", path)
    assert (found["sources"], found["voices"], found["effective_sources"]) == (3, 2, 2)
    assert all("edges" not in row for row in found["rows"])
    explained = [row for row in data("independence", path, "--explain")["rows"] if row["edges"]]
    assert [edge["kind"] for row in explained for edge in row["edges"]] == ["body"]
    page = run("independence", path, "--explain").stdout
    assert page.startswith("3 sources, 2 voices (joined by body)")
    assert "body: s_" in page
    assert data("independence", path, "--observed-by", "2026-02-01")["sources"] == 0


@pytest.mark.covers("A51", "A54")
def test_corroboration_of_a_claim_and_of_a_subject(path: Path) -> None:
    """Evidence §7: with a claim who says it; with a subject its rating."""
    with opened(path, read_only=True) as kb:
        claim_id = kb.claims()[0]["claim_id"]
    found = data("corroboration", path, claim_id)
    assert (len(found["sources"]), len(found["voices"]), len(found["independent"])) == (3, 2, 2)
    page = run("corroboration", path, claim_id).stdout
    assert f"{claim_id}: 3 sources, 2 voices, 2 independent of its subject" in page
    assert "confidence: high" in page
    rated = data("corroboration", path, "Lark 2")
    assert (rated["rating"], len(rated["claims"])) == ("consistent", 3)
    assert "Lark 2: consistent" in run("corroboration", path, "lark 2").stdout
    assert run("corroboration", path, "c_" + "0" * 16).exit_code == 3
    assert run("corroboration", path, "Nobody").exit_code == 2
    assert run("corroboration", path).exit_code == 2


def test_gaps(path: Path) -> None:
    """Evidence §7: what is required, and how it stands."""
    found = data("gaps", path, "--required", "price", "--required", "context")
    assert [(row["predicate"], row["status"]) for row in found["rows"]] == [("price", "filled"), ("context", "gap")]
    assert "Lark 2 (Norden AI) · context: gap" in run("gaps", path, "--required", "context").stdout
    assert run("gaps", path).exit_code == 2
    assert run("gaps", path, "--required", "contxt").exit_code == 2


@pytest.mark.slow
@pytest.mark.covers("H15")
def test_retractions(path: Path, tmp_path: Path) -> None:
    """Evidence §7: import a file that was fetched, then sweep; without an instant it is refused."""
    file = tmp_path / "n.csv"
    file.write_text(
        "OriginalPaperDOI,RetractionNature,RetractionDate\n10.1000/A,Retraction,1/2/2024 0:00\n,Retraction,\n"
    )
    assert data("retractions", "sweep", path)["unchecked"] == 3
    refused = run("retractions", "import", path, file)
    assert (refused.exit_code, "observed_at" in refused.stderr) == (2, True)
    done = run("retractions", "import", path, file, "--observed-at", "2026-03-01")
    assert (done.exit_code, done.stdout) == (0, "")
    assert "1 of 1 notices are new" in done.stderr
    assert "1 rows left out: without a DOI" in done.stderr
    found = data("retractions", "sweep", path)
    assert (found["dois"], found["dois_checked"], found["retracted"], found["unchecked"]) == (3, 1, 1, 2)
    assert "10.1000/a: retracted, 2024-01-02, Retraction Watch" in run("retractions", "sweep", path).stdout
    assert data("retractions", "sweep", path, "--observed-by", "2026-02-28")["retracted"] == 0


def test_pages_hold_no_command_of_a_source(path: Path) -> None:
    """M6: what a source wrote reaches the terminal as text only."""
    with opened(path) as kb:
        kb.add([claim("$3", day(2), source={"url": "https://x.example/", "publisher": "\u202e\x1b]8;;evil"})])
    for words in (
        ("independence", path, "--explain"),
        ("corroboration", path, "Lark 2"),
        ("retractions", "sweep", path),
    ):
        page = run(*words).stdout
        assert "\x1b" not in page
        assert "\u202e" not in page
