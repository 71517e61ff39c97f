"""Pages in files: which field is the source, which the text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import claimbase as cb
from claimbase.cli import main
from claimbase.errors import ClaimbaseError
from claimbase.importers.pages import read_pages

AT = "2026-03-01T00:00:00Z"


def written(tmp_path: Path, *rows: Any) -> Path:
    """A file of rows."""
    path = tmp_path / "pages.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


CASES = (
    ({"url": "https://a.example/", "link": "https://b.example/", "text": "T"}, "https://a.example/", "T", None),
    ({"url": "", "link": "https://b.example/", "body": "B", "snippet": "S"}, "https://b.example/", "B", None),
    ({"link": "https://b.example/", "content": "C", "snippet": "S"}, "https://b.example/", "C", None),
    ({"href": "https://c.example/", "snippet": "S"}, "https://c.example/", "S", "search_snippet"),
    ({"uri": "https://d.example/", "price": 1.5}, "https://d.example/", '"price": 1.5', "structured_api"),
)


@pytest.mark.covers("A13", "A14")
@pytest.mark.parametrize(("row", "url", "text", "kind"), CASES)
def test_fields_are_taken_by_precedence(tmp_path: Path, row: Any, url: str, text: str, kind: str | None) -> None:
    """A13, A14: the first filled field names the source, the first filled one is the text; else the row itself."""
    ((content, told),) = read_pages(written(tmp_path, row), observed_at=AT)
    assert told["uri"] == url
    assert text in content
    assert told["source"].get("source_type") == kind


def test_the_precedence_is_the_callers(tmp_path: Path) -> None:
    """A13: other names, in another order, are the caller's to give."""
    row = {"page": "https://e.example/", "url": "https://a.example/", "t": "x", "text": "y", "fetched_at": AT}
    ((content, told),) = read_pages(written(tmp_path, row), url_keys=["page"], text_keys=["t"])
    assert (content, told["uri"], told["observed_at"]) == ("x", "https://e.example/", AT)


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ({"text": "x"}, "missing_field"),
        ({"url": "https://a.example/", "text": "x"}, "missing_observed_at"),
        ([1], "bad_json"),
    ],
)
def test_rows_that_say_too_little_are_refused(tmp_path: Path, row: Any, code: str) -> None:
    """Bad input: a row without a source or a reading is refused with its line; nothing of the file is stored."""
    with pytest.raises(ClaimbaseError, match="line 1") as caught:
        list(read_pages(written(tmp_path, row)))
    assert caught.value.code == code


def test_a_file_is_one_batch(tmp_path: Path) -> None:
    """W5: all pages of a file are stored together, or none; from the command line too."""
    base, rows = tmp_path / "x.duckdb", [{"url": f"https://{n}.example/", "text": f"Page {n} says so."} for n in "abc"]
    run = CliRunner().invoke
    cb.open(base).close()
    done = run(main, ["source", "ingest-pages", str(base), str(written(tmp_path, *rows)), "--observed-at", AT])
    assert done.exit_code == 0, done.output
    broken = run(
        main, ["source", "ingest-pages", str(base), str(written(tmp_path, *rows, {"text": "x"})), "--observed-at", AT]
    )
    assert broken.exit_code == 2
    with cb.open(base, read_only=True) as kb:
        assert len(kb.db.query("SELECT * FROM cb.snapshot")) == 3
        assert len({row[0] for row in kb.db.query("SELECT recorded_at FROM cb.fetch")}) == 1
