"""The commands about proof: verify, receipts, pages read again, quotes, reviews, ledger; pages, data, exit codes."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from copies import copy_base
from test_proving import AGAIN, LATER, PAGE, READ, URL, claim, ids, price

import claimbase as cb
from claimbase.cli import evidence, ledger, receipt, source, verify
from claimbase.cli.failing import Commands
from claimbase.receipts.model import Receipt
from claimbase.temporal import SystemClock

COMMANDS = (
    *verify.COMMANDS, *receipt.COMMANDS, *evidence.COMMANDS, *source.COMMANDS, *ledger.COMMANDS,
)  # fmt: skip
main = Commands("claimbase", commands={str(command.name): command for command in COMMANDS})
MAY = datetime(2026, 5, 1, tzinfo=UTC)
ASKED = ("context_window >= 128K", "input_price <= $1/Mtok")


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every base is opened in May, since commands have no clock of their own."""
    monkeypatch.setattr(SystemClock, "now", lambda _: MAY)


def run(*words: str | Path, given: str | bytes | None = None) -> Result:
    """Run a command."""
    return CliRunner().invoke(main, [str(word) for word in words], input=given)


def data(*words: str | Path, code: int = 0) -> Any:
    """Run a command and read its JSON."""
    done = run(*words, "--json")
    assert done.exit_code == code, done.output
    return json.loads(done.stdout)


def write(path: Path, text: str) -> Path:
    """Write a file."""
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A base with the page, as a file of Markdown, and its two claims; tests copy it."""
    folder = tmp_path_factory.mktemp("verify")
    place, page = folder / "b.duckdb", write(folder / "page.md", PAGE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SystemClock, "now", lambda _: MAY)
        with cb.open(place):
            pass
        done = data("source", "ingest", place, page, "--uri", URL, "--observed-at", READ)
        with cb.open(place) as kb:
            kb.add([claim(), price()], snapshot=done["snapshot_id"])
    return place


@pytest.fixture
def path(prepared: Path, tmp_path: Path) -> Path:
    """A copy of the base."""
    return copy_base(prepared, tmp_path / "b.duckdb")


def named(path: Path) -> dict[str, str]:
    """The claim of each predicate."""
    with cb.open(path, read_only=True) as kb:
        return ids(kb)


@pytest.mark.covers("A44")
def test_verify_carries_the_verdict(path: Path, tmp_path: Path) -> None:
    """P10: exit 0 where every check of the gate is ok, 1 where one is not; the receipt is kept and written."""
    out = tmp_path / "r.json"
    done = run("verify", path, *ASKED, "--out", out)
    assert done.exit_code == 0, done.output
    assert "passed" in done.stdout
    made = Receipt.load(out)
    assert (made.kind, made.passed, made.claims.claims) == ("answer", True, 2)
    assert [row["receipt_id"] for row in data("receipt", "list", path)] == [made.id]
    assert made.id in run("receipt", "list", path).stdout
    strict = write(tmp_path / "strict.toml", 'required_predicates = ["max_output"]\ngate = ["coverage"]\n')
    failed = run("verify", path, *ASKED, "--policy", strict)
    assert (failed.exit_code, "failed · coverage" in failed.stdout) == (1, True)
    broken = write(tmp_path / "broken.toml", "gate = [")
    assert run("verify", path, *ASKED, "--policy", broken).exit_code == 2
    assert run("verify", path).exit_code == 2
    assert run("verify", path, *ASKED, "--claims", "c_0").exit_code == 2
    skipped = data("verify", path, *ASKED, "--no-ledger")
    assert {row["name"]: row["outcome"] for row in skipped["checks"]}["ledger-intact"] == "skipped"


@pytest.mark.slow
def test_verify_takes_claims_answers_and_reports(path: Path, tmp_path: Path) -> None:
    """§7: claim ids, one SELECT, an answer as it was written, a report with citations."""
    known = named(path)
    asked = sorted(known.values())
    assert data("verify", path, "--claims", ",".join(asked))["subject"]["claim_ids"] == asked
    query = "SELECT claim_id FROM cb.active_claims() WHERE predicate = 'input_price'"
    assert data("verify", path, "--claims", query)["subject"]["claim_ids"] == [known["input_price"]]
    assert run("verify", path, "--claims", "DROP TABLE cb.claim").exit_code == 2
    assert run("verify", path, "--claims", "c_0000000000000000").exit_code == 3
    with cb.open(path, read_only=True) as kb:
        told = json.dumps(kb.answer(*ASKED).to_json(), default=str)
    again = data("verify", path, "--answer", write(tmp_path / "a.json", told))
    assert (again["kind"], again["subject"]["claim_ids"]) == ("answer", asked)
    assert run("verify", path, "--answer", write(tmp_path / "no.json", "{}")).exit_code == 2
    good = write(tmp_path / "good.md", f"Reads up to 262,144 tokens [{known['context_window']}].\n")
    assert data("verify", path, "--report", good)["kind"] == "document"
    bad = write(tmp_path / "bad.md", "It is free [c_0000000000000000].\n")
    assert data("verify", path, "--report", bad, code=1)["passed"] is False


def test_receipts_from_files(path: Path, tmp_path: Path) -> None:
    """§6.6: a receipt's file is shown, proven, compared and exported without its base; one byte changed is seen."""
    one, other = tmp_path / "one.json", tmp_path / "other.json"
    known = named(path)
    run("verify", path, "--claims", known["input_price"], "--out", one)
    run("verify", path, "--claims", known["context_window"], "--out", other)
    assert "costs $0.40" in run("receipt", "show", one).stdout
    assert data("receipt", "show", one)["id"] == Receipt.load(one).id
    assert run("receipt", "verify", one).exit_code == 0
    altered = write(tmp_path / "altered.json", one.read_text(encoding="utf-8").replace("$0.40", "$0.41", 1))
    refused = run("receipt", "verify", altered)
    assert refused.exit_code == 1
    assert data("receipt", "diff", one, one)["same"] is True
    assert data("receipt", "diff", one, other)["same"] is False
    for form, words in (("csv", "$0.40"), ("packet", "claimbase.packet/1"), ("md", "Lark 2"), ("html", "<html")):
        assert words in run("receipt", "export", one, "--format", form).stdout, form
    out = tmp_path / "r.csv"
    assert run("receipt", "export", one, "--format", "csv", "--out", out).exit_code == 0
    assert URL in out.read_text(encoding="utf-8")


@pytest.mark.slow
def test_replay_by_id_and_from_a_file(path: Path, tmp_path: Path) -> None:
    """§6.6: made again from the base it is the same, by id or file; on another base it is refused."""
    one = tmp_path / "one.json"
    run("verify", path, *ASKED, "--out", one)
    name = Receipt.load(one).id
    for which in (name, one):
        assert data("receipt", "replay", path, which)["same"] is True
    assert "say the same" in run("receipt", "replay", path, name).stdout
    assert run("receipt", "replay", path, "r_0000000000000000").exit_code not in (0, 1)
    elsewhere = tmp_path / "c.duckdb"
    with cb.open(elsewhere) as kb:
        kb.add(claim())
    refused = run("receipt", "replay", elsewhere, one)
    assert (refused.exit_code not in (0, 1), "another base" in refused.stderr) == (True, True)


@pytest.mark.covers("M06")
def test_a_page_read_again(path: Path, tmp_path: Path) -> None:
    """W2: recheck says how each quote stands in the page as it is now; the review it opens ends with a decision."""
    later = write(tmp_path / "later.md", LATER)
    found = data("source", "recheck", path, URL, "--file", later, "--observed-at", AGAIN)
    assert found["counts"] == {"same": 1, "altered": 1}
    page = run("source", "recheck", path, URL, "--file", "-", "--observed-at", "2026-04-02", given=LATER).stdout
    assert "same:" in page
    (task,) = data("review", "list", path)
    receipt = data("verify", path, "--claims", task["claim_id"], code=1)
    assert "review-complete" in [row["name"] for row in receipt["checks"] if not row["ok"]]
    assert run("review", "decide", path, task["task_id"], "shrug", "--reviewer", "Ada").exit_code == 2
    assert run("review", "decide", path, "t_0", "accept", "--reviewer", "Ada").exit_code == 2
    assert run("review", "decide", path, task["task_id"], "accept", "--reviewer", "Ada").exit_code == 0
    assert data("review", "list", path) == []
    assert run("source", "recheck", path, "s_000000000000", "--file", later, "--observed-at", AGAIN).exit_code not in (
        0,
        1,
    )


@pytest.mark.slow
def test_a_refused_page_is_told(path: Path, tmp_path: Path) -> None:
    """§4.4: a page that shrank is refused and closes nothing, until somebody accepts it with a reason."""
    filler = "".join(f"\n\nThe model of number {number} has a page of its own.\n" for number in range(20))
    whole, short = write(tmp_path / "whole.md", PAGE + filler), write(tmp_path / "short.md", "# Lark models\n")
    data("source", "recheck", path, URL, "--file", whole, "--observed-at", "2026-03-15")
    told = data("source", "recheck", path, URL, "--file", short, "--observed-at", AGAIN)
    assert (told["disposition"].startswith("refused"), told["counts"]) == (True, {"unreachable": 2})
    words = ("--accept", "the page was emptied")
    taken = data("source", "recheck", path, URL, "--file", short, "--observed-at", "2026-04-02", *words)
    assert (taken["disposition"], taken["counts"]) == ("accepted", {"gone": 2})


@pytest.mark.slow
def test_evidence_by_hand(path: Path) -> None:
    """§7: quotes are attached, checked, retired and looked for; what does not stand there is refused."""
    known = named(path)["context_window"]
    (match,) = data("quote", "check", path, "Lark 2 reads up to 262,144 tokens per request.")
    add = ("evidence", "add", path, "--claim", known, "--snapshot", match["snapshot_id"])
    done = data(*add, "--quote", "Lark 2 reads up to 262,144 tokens per request.")
    assert done["evidence_id"].startswith("e_")
    refused = run(*add, "--quote", "Lark 2 reads up to 262,145 tokens per request.")
    assert (refused.exit_code not in (0, 1), "262,144" in refused.stderr) == (True, True)
    assert run(*add[:-1], URL, "--quote", "tokens per request").exit_code not in (0, 1)
    assert data("evidence", "check", path)["news"] == 0
    assert data("evidence", "check", path, "--claim", known)["checked"] == 2
    assert run("evidence", "check", path, "--claim", known, "--all").exit_code == 2
    assert run("evidence", "retire", path, done["evidence_id"], "--reason", "twice").exit_code == 0
    assert data("evidence", "check", path, "--claim", known)["checked"] == 1
    assert run("evidence", "restore", path, done["evidence_id"], "--reason", "not twice").exit_code == 0
    suggested = run("evidence", "suggest", path, named(path)["input_price"])
    assert (suggested.exit_code, "costs $0.40" in suggested.stdout) == (0, True), suggested.output


def test_quote_check_tells_by_its_exit_code(path: Path, tmp_path: Path) -> None:
    """§7: 0 where the words stand in some text, 1 where they do not; a file needs no base."""
    assert run("quote", "check", path, "reads up to 262,144 tokens").exit_code == 0
    (source,) = data("source", "list", path)["sources"]
    (told,) = data("quote", "check", path, "reads up to 262,145 tokens", "--source", source["source_id"], code=1)
    assert (told["status"], [one["source"] for one in told["changes"]]) == ("altered", ["262,144"])
    assert run("quote", "check", path, "words that stand nowhere at all").exit_code == 1
    file = write(tmp_path / "t.txt", PAGE)
    assert run("quote", "check", "It costs $0.40", "--text", file).exit_code == 0
    altered = run("quote", "check", "It costs $0.45 per million input tokens", "--text", file)
    assert (altered.exit_code, "“$0.45” is “$0.40”" in altered.stdout) == (1, True)


def test_the_ledger(path: Path, tmp_path: Path) -> None:
    """G6, G7: the chain holds; against a checkpoint that is not of this base it does not."""
    point = data("ledger", "checkpoint", path)
    short = run("ledger", "checkpoint", path)
    assert short.stdout.strip() == f"{point['batch_id']}:{point['root']}"
    kept = write(tmp_path / "point.json", json.dumps(point))
    for given in (short.stdout.strip(), kept):
        assert data("ledger", "verify", path, "--checkpoint", given)["ok"] is True
    wrong = f"{point['batch_id']}:{'0' * 64}"
    assert data("ledger", "verify", path, "--checkpoint", wrong, code=1)["ok"] is False
    assert data("ledger", "verify", path, "--checkpoint", f"{point['batch_id'] + 5}:{point['root']}", code=1)[
        "findings"
    ]
    assert run("ledger", "verify", path, "--checkpoint", "x").exit_code == 2


@pytest.mark.covers("A01")
def test_the_cell(path: Path) -> None:
    """A01: one claim as one JSON cell."""
    done = run("cell", path, named(path)["input_price"])
    assert (done.exit_code, json.loads(done.stdout)["_validation"]["s"]) == (0, "ok")
    assert run("cell", path, "c_0000000000000000").exit_code == 3
