"""Text of others on a terminal and in JSON: shown, and harmless."""

from __future__ import annotations

import json
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimbase.present import harmless, json_text, tables
from claimbase.present.page import Page

ANY_TEXT = st.text(st.characters(min_codepoint=0, max_codepoint=0x10FFFF))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain — “quoted” 日本 é", "plain — “quoted” 日本 é"),
        ("\x1b[31mred\x1b[0m", "[31mred[0m"),
        ("\x1b]8;;https://evil.example\x07click\x1b]8;;\x07", "]8;;https://evil.exampleclick]8;;"),
        ("\x1b]52;c;aGk=\x07", "]52;c;aGk="),
        ("\x9b31m", "31m"),
        ("a\x00b\x7fc\x08", "abc"),
        ("one\r\ntwo\tthree", "one  two three"),
        ("abc\u202edef", "abc\\u202edef"),
        ("\u2066x\u2069", "\\u2066x\\u2069"),
        ("zero\u200bwidth\ufeff", "zero\\u200bwidth\\ufeff"),
        ("tag\U000e0041", "tag\\U000e0041"),
        ("line\u2028\u2029", "line\\u2028\\u2029"),
        ("\ud800", "\\ud800"),
        ("\ufffe\ufdd0\U0001ffff", "\\ufffe\\ufdd0\\U0001ffff"),
        ("[bold red]markup[/]", "[bold red]markup[/]"),
    ],
)
def test_harmless(text: str, shown: str) -> None:
    """M6: C0, C1 and ESC are removed, bidi and other unseen characters are spelt out, the rest stays as it is."""
    assert harmless(text) == shown


@given(ANY_TEXT)
def test_nothing_unseen_is_shown(text: str) -> None:
    """M6: whatever the text, no control, format or separator character is left in it, and it is one line."""
    shown = harmless(text)
    assert not [c for c in shown if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")]
    assert len(shown.splitlines()) <= 1


@given(st.dictionaries(ANY_TEXT, ANY_TEXT | st.integers() | st.none()))
def test_json_keeps_the_text_and_shows_no_control(data: dict[str, object]) -> None:
    """M6: JSON reads back as it was, and nothing unseen is left in it but the line ends between its lines."""
    written = json_text(data)
    assert json.loads(written) == data
    assert not [c for c in written if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")]


def test_json_knows_no_nan() -> None:
    """G12: what is no JSON number is refused rather than written."""
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_text({"a": float("nan")})


def test_a_page_obeys_no_markup_and_no_escape() -> None:
    """M6: headings, lines and cells show what a source wrote, they do not obey it."""
    page = Page(colour=True)
    page.head("[red]\x1b[2J")
    page.line("[/]\x1b]0;title\x07")
    page.table(["[blink]"], [["\x1b[1mx"], [None], [True], [1234]])
    text = page.text()
    assert "[red][2J" in text
    assert "[/]]0;title" in text
    assert "[blink]" in text
    assert "[1mx" in text
    assert "yes" in text
    assert "1,234" in text
    # What is left of escapes are the page's own: bold, dim and off.
    assert set(re.findall(r"\x1b\[([\d;]*)", text)) <= {"0", "1", "2"}
    assert "\x1b]" not in text


def test_a_page_without_colour_has_no_escape() -> None:
    """Platform 9: on a pipe the data is plain text, and no line is broken or ends in blanks."""
    page = Page()
    page.head("head")
    page.line("x" * 500, style="bold")
    page.table(["a", "b"], [["y" * 500, 1], ["z", 22]])
    lines = page.text().splitlines()
    assert lines[1] == "x" * 500
    assert any("y" * 500 in line for line in lines)
    assert not [line for line in lines if "\x1b" in line or line != line.rstrip()]


def test_a_narrow_page_folds_tables_only() -> None:
    """Platform 9: on a terminal a table keeps to its width, while an address stays on one line to be copied."""
    page = Page(width=40)
    page.line("https://example.org/" + "x" * 60)
    page.table(["a"], [["word " * 20]])
    first, *rest = page.text().splitlines()
    assert len(first) == 80
    assert max(map(len, rest)) <= 40


def test_a_value_shows_what_was_written_and_what_was_read() -> None:
    """Q4: the value as written and as read are both shown; one is never passed off as the other."""
    claim = {
        "predicate": "input_price", "value": "1e-06", "value_min": "1", "value_max": "1", "unit": "usd_per_mtok",
        "polarity": "stated", "scope": {"mode": "batch"}, "quote": "1e-06", "title": "T", "publisher": "P",
        "url": "https://example.org", "observed_at": "2026-01-01T00:00:00Z", "last_seen": "2026-02-01T00:00:00Z",
        "claim_id": "c_0", "valid": "since 2026",
    }  # fmt: skip
    text = tables.written(tables.citation, claim)
    assert "input_price 1e-06 = 1 usd_per_mtok  [mode=batch]" in text
    assert "“1e-06”" in text
    assert "https://example.org  (T, P)" in text
    assert "observed 2026-01-01T00:00:00Z, last seen 2026-02-01T00:00:00Z, holds since 2026, c_0" in text


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [("5", None, "5 to …"), (None, "200000", "… to 200000"), ("1", "2", "1 to 2")],
)
def test_bounds_are_shown_as_bounds(low: str | None, high: str | None, said: str) -> None:
    """V3: a value that was stated as bounds is shown with its bounds."""
    claim = {
        "predicate": "p", "value": "v", "value_min": low, "value_max": high, "unit": "token", "url": "u",
        "observed_at": "o", "claim_id": "c",
    }  # fmt: skip
    assert f"p v = {said} token" in tables.written(tables.citation, claim)
