"""The reading window, passages, and quotes suggested from stored texts (evidence §3, §7)."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from random import Random

import pytest

from claimbase.evidence.align import SourceText, align
from claimbase.evidence.model import ClaimAt, Dossier, EvidenceAt, Match, SnapshotAt
from claimbase.evidence.suggest import suggest
from claimbase.evidence.terms import QuoteStatus, Role
from claimbase.evidence.window import (
    IN_ALL,
    PER_SOURCE,
    claim_windows,
    header,
    heading,
    naming,
    passage,
    reading_window,
)

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
PAGE = """# Prices of birds

The Lark 2 model costs $0.40 per million tokens, which is
less than before. It reads 262,144 tokens, too.
A Skylark 2 costs $0.405 and reads 1,262,144 tokens.

- the lark ends on May 5, 2026
- the finch ends on May 6, 2026

| model | price |
|---|---|
| Lark 1 | $0.40 |
| Lark 2 | $0.50 |
| ~~Lark 9~~ | ~~$0.60~~ |

| Lark 7 | 77 | 77 |

The wren ends on ~~July 7, 2026~~ August 8, 2026.
"""


def claim(
    value: str, kind: str = "quantity", unit: str | None = None, *names: str, evidence: tuple[EvidenceAt, ...] = ()
) -> ClaimAt:
    """Make a claim about Lark 2."""
    known = names or ("Lark 2",)
    return ClaimAt(
        "c_1", "Lark", known[0], known, "p", kind, value, absent=False, source_id="s_1", observed_at=NOW,
        last_seen_at=NOW, stale_after_days=30, unit=unit, evidence=evidence,
    )  # fmt: skip


def snapshot(text: str | None = PAGE, name: str = "t_1", age: int = 0, profile: str = "markdown") -> SnapshotAt:
    """Make a text as read some days ago."""
    at = NOW - timedelta(days=age)
    return SnapshotAt(name, f"s_{name}", text, None, profile, at, at)


FIRST = "The Lark 2 model costs $0.40 per million tokens, which is\nless than before."
SUGGESTED = [
    (claim("0.40", unit="usd_per_mtok"), [FIRST, "| Lark 1 | $0.40 |"]),
    (claim("$0.40"), [FIRST, "| Lark 1 | $0.40 |"]),
    (claim("262144"), ["It reads 262,144 tokens, too."]),
    (claim("262,144 tokens"), ["It reads 262,144 tokens, too."]),
    (claim("0.4", unit="usd_per_mtok"), []),
    (claim("$0.60"), []),  # struck out
    (claim("2026-05-05", "date"), ["the lark ends on May 5, 2026"]),
    (claim("2026-05-07", "date"), []),
    (claim("2026-08-08", "date"), []),  # its sentence cannot be quoted: a part of it is struck out
    (claim("2026-07-07", "date"), []),
    (claim("77"), ["| Lark 7 | 77 | 77 |"]),
    (claim("Lark 1, $0.40", "set"), ["| Lark 1 | $0.40 |"]),
    (claim("lark 2", "entity"), [FIRST, "| Lark 2 | $0.50 |"]),
    (replace(claim("$0.40"), absent=True), []),
    (claim(" "), []),
    (claim("(", "text"), []),
]  # fmt: skip


@pytest.mark.covers("A38", "A48")
@pytest.mark.parametrize(("asked", "quotes"), SUGGESTED)
def test_suggestions_are_rows_and_sentences_that_have_the_value(asked: ClaimAt, quotes: list[str]) -> None:
    """A38, A48: what is suggested is the row or sentence around a literal, whole hit; it stands there word for word."""
    found = suggest(asked, [snapshot()])
    assert [one.quote for one in found] == quotes
    for one in found:
        assert PAGE[one.start : one.end] == one.quote
        assert one.match.status is QuoteStatus.VERIFIED
        assert (one.match.start, one.match.end) == (one.start, one.end)


@pytest.mark.covers("A38", "A48")
def test_suggestions_that_name_the_subject_come_first() -> None:
    """A48: the subject's own rows first, then texts read last; what is evidence already is left out; never attached."""
    texts = [
        snapshot(name="t_1", age=3),
        snapshot(name="t_2", age=1),
        snapshot("No price here.", "t_3"),
        snapshot(None, "t_4"),
    ]
    asked = claim("$0.40")
    found = suggest(asked, texts)
    assert [(one.snapshot_id, one.names_subject) for one in found] == [
        ("t_2", True),
        ("t_1", True),
        ("t_2", False),
        ("t_1", False),
    ]
    had = EvidenceAt("e_1", "c_1", "s_1", "t_2", Role.SUPPORTS, 0, found[0].quote.replace("\n", " "))
    again = suggest(claim("$0.40", evidence=(had,)), texts)
    assert [(one.snapshot_id, one.names_subject) for one in again] == [("t_1", True), ("t_2", False), ("t_1", False)]
    assert suggest(asked, reversed(texts)) == found
    assert len(suggest(asked, texts, most=1)) == 1
    assert asked.evidence == ()


def test_suggestions_from_a_large_hostile_text_come_soon() -> None:
    """P12: 500 KB that repeat the value answer within seconds, capped."""
    start = time.process_time()
    found = suggest(claim("$0.40"), [snapshot(PAGE * 1000), snapshot("1 " * 200_000, "t_2", profile="plain")])
    assert len(found) == 20
    assert time.process_time() - start < 5


PASSAGES = [
    ("$0.40 per", FIRST),
    ("less than", FIRST),
    ("262,144", "It reads 262,144 tokens, too."),
    ("May 6", "the finch ends on May 6, 2026"),
    ("$0.50", "| Lark 2 | $0.50 |"),
    ("Prices of", "Prices of birds"),
    ("before. It", FIRST + " It reads 262,144 tokens, too."),
]  # fmt: skip


@pytest.mark.parametrize(("part", "whole"), PASSAGES)
def test_a_passage_is_a_row_or_whole_sentences(part: str, whole: str) -> None:
    """Section 3: what lies beside a quote is its row, item or sentence, never that of a neighbour."""
    at = PAGE.index(part)
    first, last = passage(PAGE, at, at + len(part), "markdown")
    assert PAGE[first:last] == whole


def test_records_of_a_data_file_are_passages() -> None:
    """Section 3: in a data file a line is a passage and the first line the header."""
    table = "version,name,eol\n1,a b,2020-01-02\n2,c d,2021-01-02\n"
    at = table.index("2021")
    first, last = passage(table, at, at + 4)
    assert table[first:last] == "2,c d,2021-01-02"
    assert header(table, at) == "version,name,eol"
    assert header(table, 3) is None
    lines = '{\n  "v1": {\n    "end": "2020-01-02"\n  }\n}\n'
    at = lines.index("2020")
    assert lines[slice(*passage(lines, at, at + 4))].strip() == '"end": "2020-01-02"'


def test_header_and_heading_of_a_table() -> None:
    """Section 3: the header row is the first line of the table a place lies in."""
    assert header(PAGE, PAGE.index("$0.50")) == "| model | price |"
    assert header(PAGE, PAGE.index("262,144")) is None
    assert heading(PAGE, PAGE.index("262,144")) == "Prices of birds"
    assert heading("# far\n" + "x " * 600, 1100) is None


def test_names_stand_whole() -> None:
    """Section 3: a name is found in any case, with blanks, hyphens and underscores alike, never inside a longer one."""
    text = "Lark 2, lark-2, LARK_2, Skylark 2, Lark 2.5, Lark 2-mini, Lark  2."
    assert [text[slice(*span)] for span in naming(text, ["Lark 2"])] == ["Lark 2", "lark-2", "LARK_2", "Lark  2"]
    assert list(naming(text, [])) == list(naming(text, [" "])) == []


@pytest.mark.covers("A31")
def test_the_reading_window_covers_the_match_and_the_subject() -> None:
    """A31: 1,000 characters on either side, joined with the nearest passage that names the subject."""
    far = "y" * 1500
    text = f"Lark 2 is here.\n\n{far}\n\nIt costs $3.\n\n{far}\n\nLark 2 again."
    at = text.index("It costs")
    window = reading_window(text, at, at + 12, ("Lark 2",))
    assert window.text.startswith("Lark 2 is here.\n…\n")
    assert text[slice(*window.spans[0])] == "Lark 2 is here."
    assert window.spans[1] == (at - 1000, at + 12 + 1000)
    after = reading_window(text[20:], at - 20, at - 8, ("Lark 2",))
    assert after.text.endswith("\n…\nLark 2 again.")
    assert reading_window(text, at, at + 12).spans == ((at - 1000, at + 1012),)
    assert reading_window(text, 3, 5, ("Lark 2",)).spans == ((0, 1005),)


@pytest.mark.covers("A31")
def test_reading_windows_keep_their_limits() -> None:
    """A31: whatever the text, parts are in order, apart, few enough, and hold the start of the match."""
    random = Random(7)
    for _ in range(300):
        words = random.choices(
            ["Lark 2", "finch", "x" * 40, "\n", "\n\n", "| a | b |\n", ". "], k=random.randint(1, 400)
        )
        text = " ".join(words)
        start = random.randrange(len(text))
        end = min(len(text), start + random.choice([1, 20, 500, 4000]))
        most = random.choice([PER_SOURCE, 700, 50])
        spans = reading_window(text, start, end, ("Lark 2",), most=most).spans
        assert sum(last - first for first, last in spans) <= most
        assert all(0 <= first < last <= len(text) for first, last in spans)
        assert all(one[1] <= other[0] for one, other in pairwise(spans))
        assert any(first <= start < last for first, last in spans)


@pytest.mark.covers("A31")
def test_all_windows_of_a_claim_keep_to_nine_thousand() -> None:
    """A31: 3,000 characters a source and 9,000 in all, in rank order; a quote without text or place has no window."""
    text = "z" * 4000 + " It costs $3. " + "z" * 4000
    at = text.index("It costs")
    evidence = tuple(
        EvidenceAt(f"e_{n}", "c_1", f"s_{n // 2}", f"t_{n}", Role.SUPPORTS, n, "It costs $3.") for n in range(12)
    )
    snapshots = {f"t_{n}": SnapshotAt(f"t_{n}", f"s_{n // 2}", text, None, "plain", NOW, NOW) for n in range(12)}
    matches = {one.evidence_id: align(one.quote, SourceText(text)) for one in evidence}
    assert matches["e_0"].start == at
    asked = claim("$3", evidence=evidence)
    found = claim_windows(asked, matches, Dossier((asked,), {}, snapshots))
    sizes: dict[str, int] = {}
    for one, window in found:
        sizes[one.source_id] = sizes.get(one.source_id, 0) + sum(last - first for first, last in window.spans)
    assert sum(sizes.values()) == IN_ALL
    assert max(sizes.values()) <= PER_SOURCE
    assert list(sizes) == ["s_0", "s_1", "s_2"]
    lost = {name: Match(QuoteStatus.NOT_FOUND) for name in matches}
    assert claim_windows(asked, lost, Dossier((asked,), {}, snapshots)) == []
    assert claim_windows(asked, matches, Dossier((asked,), {}, {})) == []
