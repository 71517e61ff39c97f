"""Storing what was read: once, unchanged for ever, every reading logged, and each read under a basis (evidence §4)."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from kit import Ticking, base, chained, claim, day, digest, opened

import claimbase
from claimbase.base import Claimbase
from claimbase.cli.failing import Commands
from claimbase.cli.source import source as source_commands
from claimbase.errors import (
    ClaimbaseError,
    EvidenceError,
    InputError,
    InstantError,
    LimitError,
    SnapshotRefusedError,
    UnknownSourceError,
)
from claimbase.evidence.terms import COUNTABLE, Disposition
from claimbase.ingest.snapshots import IngestResult
from claimbase.sources import cluster_key, source_key, url_key

PAGE = "https://norden.example/pricing"
TEXT = "Lark 2 costs $3 per million input tokens. " * 30
WALL = "Enable JavaScript and cookies to continue"


@pytest.fixture
def kb() -> Iterator[Claimbase]:
    """An empty base whose clock ticks."""
    with base(Ticking()) as kb:
        yield kb


def read(kb: Claimbase, text: Any = TEXT, uri: str = PAGE, at: str = day(1), **options: Any) -> IngestResult:
    """Ingest a text, reporting refusals."""
    return kb.sources.ingest(text, uri=uri, observed_at=at, **{"refuse": "report"} | options)


def rows(kb: Claimbase, sql: str) -> list[tuple[Any, ...]]:
    """Query a base."""
    return kb.db.query(sql).rows


# -- one text, once ---------------------------------------------------------------------------------------------------


@pytest.mark.covers("A05", "A06", "A07")
def test_a_text_is_stored_by_its_digest(kb: Claimbase) -> None:
    """P1, P8: the snapshot's id is the digest of its text and the source's id; the reading is logged beside it."""
    found = read(kb, declared_version="v2", published_at="2026-02-01", tool="curl", http_status=200)
    sha = hashlib.sha256(TEXT.encode()).hexdigest()
    source_id = source_key(url_key(PAGE))
    assert (found.disposition, found.accepted, found.source_id) == ("accepted", True, source_id)
    assert found.snapshot_id == f"sha256:{sha}/{source_id}"
    ((text, text_sha, size, profile, version, extractor),) = rows(
        kb, "SELECT text, text_sha256, n_chars, profile, declared_version, extractor FROM cb.snapshot"
    )
    assert (text, text_sha, size, profile, version) == (TEXT, sha, len(TEXT), "plain", "v2")
    assert extractor == "claimbase-text/1"
    ((uri, tool, status, fetched_at, fetch_id),) = rows(
        kb, "SELECT requested_uri, tool, http_status, fetched_at, fetch_id FROM cb.fetch"
    )
    assert (uri, tool, status, fetched_at.day, fetch_id) == (PAGE, "curl", 200, 1, found.fetch_id)
    assert chained(kb.db)


@pytest.mark.covers("A07", "A49")
def test_the_same_reading_told_twice_is_nothing(kb: Claimbase) -> None:
    """B6: source, instant and text alike, in any spelling of the address, leave no second batch; refused ones too."""
    options: list[dict[str, Any]] = [
        {}, {"text": WALL, "at": day(2)}, {"text": None, "at": day(3)}, {"text": b"\x00", "at": day(3)},
    ]  # fmt: skip
    for one in options:
        first = read(kb, **one, source={"title": "Prices"})
        held = digest(kb.db)
        again = read(kb, **one, uri="HTTPS://Norden.example:443/a/../pricing#top", source={"title": "Prices"})
        by_id = read(kb, **one, uri=first.source_id)
        assert {again.fetch_id, by_id.fetch_id} == {first.fetch_id}
        assert (first.batch is None, again.batch, by_id.batch) == (False, None, None)
        assert (again.disposition, again.snapshot_id) == (first.disposition, first.snapshot_id)
        assert digest(kb.db) == held
    assert len(rows(kb, "FROM cb.source")) == 1


@pytest.mark.covers("A06")
def test_ids_that_collide_are_salted(kb: Claimbase) -> None:
    """A06: where another address has the id already, the new one gets another; both resolve."""
    key = url_key(PAGE)
    kb.db.query(
        "INSERT INTO cb.source VALUES (1, $key, 'https://o.example/', 'https://o.example/', '2026-01-01')",
        {"key": source_key(key)},
    )
    found = read(kb)
    salted = "s_" + hashlib.sha1(f"{key}#1".encode(), usedforsecurity=False).hexdigest()[:12]
    assert found.source_id == salted
    assert read(kb, at=day(2)).source_id == read(kb, uri=salted, at=day(3)).source_id == salted
    kb.add(claim())
    assert [row["source_id"] for row in kb.claims()] == [salted]


def test_reading_again_refreshes_and_adds_nothing(kb: Claimbase) -> None:
    """§4.4: the text in use read again is unchanged; another text is another snapshot; the first is never touched."""
    first, again, other = read(kb), read(kb, at=day(2)), read(kb, TEXT + "New.", at=day(3))
    back = read(kb, at=day(4))
    assert [one.disposition for one in (first, again, other, back)] == ["accepted", "unchanged", "accepted", "accepted"]
    assert first.snapshot_id == again.snapshot_id == back.snapshot_id != other.snapshot_id
    assert rows(kb, "SELECT count(*), count(DISTINCT recorded_at) FROM cb.snapshot") == [(2, 2)]
    assert [one["in_use"] for one in kb.sources.show(PAGE).texts] == [True, False]
    grown = read(kb, TEXT * 3, at=day(9))
    late = read(kb, TEXT + "Older.", at="2026-02-01")  # what was longer later does not make it short
    assert (grown.disposition, late.disposition) == ("accepted", "accepted")
    assert [one["in_use"] for one in kb.sources.show(PAGE).texts] == [False, False, False, True]


# -- what is refused --------------------------------------------------------------------------------------------------


@pytest.mark.covers("A10")
def test_a_refused_reading_is_logged_and_proves_nothing(kb: Claimbase) -> None:
    """§4.4: the row is committed before the error is raised; no text is stored, nothing is refreshed."""
    read(kb)
    for number, (text, code) in enumerate(
        [("Gone.", "refused_shrunk"), (WALL, "refused_challenge"), (b"a\x00", "not_text"), ("  ", "not_text")], 2
    ):
        with pytest.raises(SnapshotRefusedError) as refused:
            read(kb, text, at=day(number), refuse="raise", source={"title": "Owned"})
        assert refused.value.code == code
        result = refused.value.details["result"]
        assert (result.accepted, result.snapshot_id, result.batch is None) == (False, None, False)
        shown = kb.sources.show(PAGE)
        assert shown.readings[-1]["disposition"] == result.disposition == code.replace("_", "-")
        assert shown.readings[-1]["fetch_id"] == result.fetch_id
        assert (shown.about["last_read_at"].day, shown.about["title"], len(shown.texts)) == (1, None, 1)
    failed = read(kb, None, at=day(8), refuse="raise")
    gone = read(kb, "Not here. " * 200, at=day(9), http_status=404, refuse="raise")
    assert (failed.disposition, gone.disposition, gone.detail) == ("failed", "failed", "the server answered 404")
    assert rows(kb, "SELECT count(*) FROM cb.snapshot") == [(1,)]
    assert chained(kb.db)


@pytest.mark.covers("A10")
def test_a_reason_accepts_what_a_guard_refuses(kb: Claimbase) -> None:
    """§4.4: --accept REASON overrides and is kept; the text accepted so is unchanged when read again."""
    read(kb)
    assert read(kb, "Gone.", at=day(2)).disposition == "refused-shrunk"
    taken = read(kb, "Gone.", at=day(2), accept=" new layout ")
    assert (taken.disposition, taken.detail) == ("accepted", "refused-shrunk: 5 characters are left of 1,260")
    assert rows(kb, "SELECT accept_reason FROM cb.fetch WHERE accept_reason IS NOT NULL") == [("new layout",)]
    assert read(kb, "Gone.", at=day(3)).disposition == "unchanged"
    assert read(kb, WALL, at=day(4), accept="the page is like that").accepted
    assert read(kb, b"\x00", at=day(5), accept="no").disposition == "not-text"
    with pytest.raises(InputError) as refused:
        read(kb, "x", accept="  ")
    assert refused.value.code == "no_reason"


@pytest.mark.slow
@pytest.mark.covers("A10", "A49")
def test_the_same_body_elsewhere_is_refused(kb: Claimbase) -> None:
    """§4.4: the same digest under another address of another cluster, unless declared a mirror of one that holds it."""
    first = read(kb)
    copy = "https://copy.example/p"
    told = read(kb, uri=copy)
    assert (told.disposition, first.source_id in (told.detail or "")) == ("refused-duplicate-body", True)
    assert read(kb, uri="http://www.norden.example/pricing/?utm_source=x").disposition == "accepted"
    other = read(kb, "Something else altogether.", uri="https://other.example/")
    assert read(kb, uri=copy, at=day(2), mirror_of=other.source_id).disposition == "refused-duplicate-body"
    assert read(kb, uri=copy, at=day(3), mirror_of="HTTPS://norden.example/pricing").disposition == "accepted"
    assert read(kb, TEXT + "More.", uri=PAGE, at=day(4)).disposition == "accepted"
    assert read(kb, TEXT + "More.", uri=copy, at=day(5)).disposition == "accepted"
    (listed,) = [one for one in kb.sources.list().rows() if one["uri"] == copy]
    assert listed["mirror_of"] == first.source_id


@pytest.mark.slow
def test_pages_without_text_are_held_by_their_bytes(kb: Claimbase) -> None:
    """§4.4: a scan is asserted: it counts as a reading, and its text is NULL beside the digest of its bytes."""
    from test_sources import pdf

    raw = pdf("", "")
    found = read(kb, raw)
    sha = hashlib.sha256(raw).hexdigest()
    assert (found.disposition, found.accepted, found.snapshot_id) == (
        "asserted",
        True,
        f"sha256:{sha}/{found.source_id}",
    )
    assert rows(kb, "SELECT text, text_sha256, raw_sha256, n_chars FROM cb.snapshot") == [(None, None, sha, None)]
    read(kb, pdf("Lark costs 3", "and more"), at=day(2))
    assert rows(kb, "SELECT profile, length(page_offsets) FROM cb.snapshot WHERE text IS NOT NULL") == [("pdf", 2)]


BAD: list[tuple[dict[str, Any], type[ClaimbaseError], str]] = [
    ({"text": "x" * (17 << 20)}, LimitError, "too_large"),
    ({"text": b"\x00" * (17 << 20)}, LimitError, "too_large"),
    ({"text": "a\ud800"}, InputError, "bad_char"),
    ({"at": None}, InstantError, "missing_observed_at"),
    ({"at": "2026-11-29T12:30:00Z"}, InstantError, "future_observation"),
    ({"at": "2026-03"}, InstantError, "period"),
    ({"uri": "https://user:secret@norden.example/"}, EvidenceError, "bad_url"),
    ({"uri": "no address"}, EvidenceError, "bad_url"),
    ({"uri": "s_0123456789ab"}, UnknownSourceError, "unknown_source"),
    ({"uri": "https://new.example/", "known": True}, UnknownSourceError, "unknown_source"),
    ({"mirror_of": "https://nobody.example/"}, UnknownSourceError, "unknown_source"),
    ({"profile": "word"}, InputError, "bad_profile"),
    ({"source": {"source_type": "blog"}}, EvidenceError, "unknown_source_type"),
    ({"source": {"authority": "god"}}, EvidenceError, "unknown_authority"),
    ({"source": {"recorded_at": "2026-01-01"}}, InputError, "extra_field"),
    ({"source": {"title": "x" * 1001}}, LimitError, "too_large"),
    ({"source": {"title": "a\x00"}}, InputError, "bad_char"),
    ({"source": {"title": 5}}, InputError, "bad_value"),
    ({"source": {"derived_from": PAGE}}, EvidenceError, "source_cycle"),
    ({"published_at": "soon"}, InstantError, "bad_date"),
    ({"refuse": "maybe"}, InputError, "bad_value"),
    ({"selector": {"a": 1}}, InputError, "bad_selector"),
]  # fmt: skip


def test_bad_input_stores_nothing(kb: Claimbase) -> None:
    """X2, X3, X30, X34, X45, X46, P4: each is refused by name and the base is as it was."""
    held = digest(kb.db)
    for options, error, code in BAD:
        with pytest.raises(error) as refused:
            read(kb, **options)
        assert refused.value.code == code, options
        assert "secret" not in str(refused.value)
        assert digest(kb.db) == held, options


def test_hostile_texts_are_stored_as_they_are(kb: Claimbase) -> None:
    """Issue: 100 KB of brackets or marks are text like any other."""
    for number, mark in enumerate("[<*~|", 1):
        found = read(kb, mark * 100_000, uri=f"https://h.example/{number}")
        assert found.disposition == "accepted"
    assert rows(kb, "SELECT min(n_chars), max(n_chars) FROM cb.snapshot") == [(100_000, 100_000)]


# -- which source is meant --------------------------------------------------------------------------------------------


@pytest.mark.covers("A15", "A16")
def test_an_id_goes_where_an_address_goes(kb: Claimbase) -> None:
    """A15, A16: by id, by any spelling; what is cut short is answered with the id of what it begins."""
    found = read(kb)
    read(kb, "Something else.", uri="https://norden.example/models", at=day(1))
    for name in (found.source_id, f" {found.source_id} ", PAGE, "HTTPS://NORDEN.example:443/pricing#x", PAGE + "?"):
        assert kb.sources.show(name).about["source_id"] == found.source_id
    for cut in (PAGE[:-3], PAGE[:-3] + "…", PAGE[:-3] + "...", "https://norden.example/p", found.source_id[:7]):
        for call in (
            kb.sources.show,
            lambda name: kb.sources.set(name, tenant="a"),
            lambda name: read(kb, uri=name, known=True),
        ):
            with pytest.raises(UnknownSourceError) as refused:
                call(cut)
            assert (refused.value.code, refused.value.details["suggested"]) == ("unknown_source", (found.source_id,))
            assert found.source_id in refused.value.hint
    with pytest.raises(UnknownSourceError) as refused:
        kb.retract(PAGE[:-3], reason="x")
    assert found.source_id in refused.value.hint
    for unknown in ("https://elsewhere.example/", "s_", "s", "", "zz"):
        with pytest.raises(UnknownSourceError) as refused:
            kb.sources.show(unknown)
        assert refused.value.details["suggested"] == ()


# -- what is said and what is decided ---------------------------------------------------------------------------------


@pytest.mark.covers("M02")
def test_a_description_is_what_the_newest_reading_says(kb: Claimbase) -> None:
    """P4, B6: published_at is no observation; what a later reading leaves out stays; an older one changes nothing."""
    parent = read(kb, "The origin.", uri="https://origin.example/").source_id
    read(kb, source={"title": "Prices", "authority": "primary", "derived_from": parent}, published_at="2020-01-01")
    read(kb, at=day(5), source={"title": "New prices"})
    read(kb, at=day(3), source={"title": "Old prices", "publisher": "Norden"})
    batches = kb.basis().batch
    about = kb.sources.show(PAGE).about
    assert (about["title"], about["authority"], about["derived_from"]) == (
        "New prices", "subject_authored", "https://origin.example/",
    )  # fmt: skip
    assert (about["published_at"].year, about["last_read_at"].day) == (2020, 5)
    assert kb.sources.show(PAGE, observed_by=day(4)).about["title"] == "Old prices"
    assert kb.sources.show(PAGE, observed_by=day(2)).about["title"] == "Prices"
    with pytest.raises(EvidenceError) as refused:
        kb.sources.add("https://origin.example/", observed_at=day(6), derived_from=PAGE)
    assert (refused.value.code, kb.basis().batch) == ("source_cycle", batches)


def test_a_source_may_be_known_before_it_is_read(kb: Claimbase) -> None:
    """P8, P4: adding mints the id; what is said of it needs the instant of a reading; twice is nothing."""
    first = kb.sources.add(PAGE)
    assert (first.source_id, first.batch is None) == (source_key(url_key(PAGE)), False)
    assert kb.sources.add(PAGE + "#x").batch is None
    with pytest.raises(InstantError) as refused:
        kb.sources.add(PAGE, title="Prices")
    assert refused.value.code == "missing_observed_at"
    assert kb.sources.add(PAGE, observed_at=day(1), title="Prices").batch is not None
    assert kb.sources.add(PAGE, observed_at=day(2), title="Prices").batch is None
    assert kb.add(claim()).added == 1
    assert [one["source_id"] for one in kb.claims()] == [first.source_id]


def test_decisions_are_logged(kb: Claimbase) -> None:
    """§4: each decision is a row; what is left out stays; a basis sees what had been decided by then."""
    read(kb)
    kb.sources.set(PAGE, allowed=False, reason="licence", doi="https://doi.org/10.1000/ABC.", freshness_days=7)
    before = kb.basis().recorded_by
    kb.sources.set(PAGE, tenant="blue")
    kb.sources.set(PAGE, allowed=True)
    (now,), (then,) = (kb.sources.list(recorded_by=by).rows() for by in (None, before))
    names = ("allowed", "allowed_reason", "doi_key", "freshness_days", "tenant")
    assert [now[name] for name in names] == [True, None, "10.1000/abc", 7, "blue"]
    assert [then[name] for name in names] == [False, "licence", "10.1000/abc", 7, None]
    held = digest(kb.db)
    assert kb.sources.set(PAGE, allowed=True, freshness_days=7).batch is None
    for options, code in (
        ({"allowed": False}, "no_reason"), ({"freshness_days": 0}, "out_of_range"),
        ({"freshness_days": True}, "bad_argument"), ({"freshness_days": 40_000}, "out_of_range"),
        ({"doi": "none"}, "bad_doi"), ({"mirror_of": "https://x.example/"}, "unknown_source"),
        ({"tenant": "a\x00"}, "bad_char"),
    ):  # fmt: skip
        with pytest.raises(ClaimbaseError) as refused:
            kb.sources.set(PAGE, **options)
        assert refused.value.code == code
    assert digest(kb.db) == held


# -- bases ------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_every_read_keeps_to_its_basis(kb: Claimbase, rng: random.Random) -> None:
    """§4.1, P7: texts, readings, listings and timelines are those of a plain filter over the log, at every basis."""
    pages = ["https://a.example/", "https://b.example/x", "https://c.example/x"]
    texts = [f"{name} " * 40 for name in ("one", "two", "three", WALL)] + [None, WALL]
    log = []
    for _ in range(40):
        page, text, number = rng.choice(pages), rng.choice(texts), rng.randrange(1, 20)
        found = read(kb, text and f"{page} {text}" if text != WALL else text, uri=page, at=day(number))
        log.append((page, day(number), kb.basis().recorded_by, found))
    told: dict[str, tuple[str, str, Any, IngestResult]] = {}
    for entry in log:
        told.setdefault(entry[3].fetch_id, entry)
    for _ in range(30):
        seen, held = day(rng.randrange(1, 22)), rng.choice(log)[2]
        inside = [one for one in told.values() if one[1] <= seen and one[2] <= held]
        listed = {one["uri"]: one for one in kb.sources.list(observed_by=seen, recorded_by=held).rows()}
        known = {one[0] for one in told.values() if one[2] <= held}
        assert set(listed) == known
        lines = {one["uri"]: one for one in kb.sources.timeline(observed_by=seen, recorded_by=held).rows()}
        assert set(lines) == known
        for page in known:
            mine = [one for one in inside if one[0] == page]
            counted = [one for one in mine if one[3].disposition in COUNTABLE]
            newest = max(((one[1], one[3].snapshot_id) for one in counted), default=(None, None))
            shown = kb.sources.show(page, observed_by=seen, recorded_by=held)
            assert {one["fetch_id"] for one in shown.readings} == {one[3].fetch_id for one in mine}
            assert {one["snapshot_id"] for one in shown.texts} == {one[3].snapshot_id for one in counted}
            assert [one["snapshot_id"] for one in shown.texts if one["in_use"]] == [newest[1]] * bool(counted)
            assert listed[page]["snapshots"] == len(shown.texts) == lines[page]["texts"]
            last = listed[page]["last_read_at"]
            assert (last and last.isoformat()[:10]) == (newest[0] and newest[0][:10])
            assert lines[page]["readings"] == len({one[1] for one in counted})
    assert {one[3].disposition for one in log} >= {"accepted", "unchanged", "failed", "refused-challenge"}


@pytest.mark.covers("A58")
def test_the_timeline_goes_by_domain(kb: Claimbase) -> None:
    """A58: sources by domain, each with its first and last reading, by text or by claim; unread ones last."""
    read(kb, at=day(3))
    read(kb, at=day(5))
    read(kb, "Other words.", uri="https://www.norden.example/about", at=day(2), source={"title": "About"})
    kb.add(claim(observed_at=day(4), source={"url": "https://press.example/1"}))
    kb.sources.add("https://norden.example/later")
    kb.sources.add("upload://notes.txt")
    found = kb.sources.timeline().rows()
    told = [
        (one["domain"], one["uri"], one["first_read_at"] and one["first_read_at"].day, one["readings"]) for one in found
    ]
    assert told == [
        ("norden.example", "https://www.norden.example/about", 2, 1), ("norden.example", PAGE, 3, 2),
        ("norden.example", "https://norden.example/later", None, 0), ("press.example", "https://press.example/1", 4, 1),
        ("upload", "upload://notes.txt", None, 0),
    ]  # fmt: skip
    assert kb.sources.timeline().summary == "5 sources of 3 domains"
    (early,) = [one for one in kb.sources.timeline(observed_by=day(4)).rows() if one["uri"] == PAGE]
    assert (early["readings"], early["last_read_at"].day) == (1, 3)


def test_the_list_counts_what_stands(kb: Claimbase) -> None:
    """R2, Q9: claims, texts, withdrawal and permission of each source at a basis; summary and plain data agree."""
    kb.add(claim())
    read(kb)
    before = kb.basis().recorded_by
    kb.retract(PAGE, reason="generated")
    kb.sources.set(PAGE, allowed=False, reason="licence")
    (one,) = kb.sources.list().rows()
    assert (one["claims"], one["snapshots"], one["withdrawn"], one["allowed"]) == (1, 1, "generated", False)
    assert kb.sources.list().summary == "1 source, 1 with a text as read, 1 forbidden or withdrawn"
    (then,) = kb.sources.list(recorded_by=before).rows()
    assert (then["withdrawn"], then["allowed"]) == (None, True)
    assert kb.sources.list(observed_by="2026-02-01").rows()[0]["claims"] == 0
    data = json.loads(json.dumps(kb.sources.list().to_json()))
    assert (data["sources"][0]["source_id"], data["summary"]) == (one["source_id"], kb.sources.list().summary)
    assert "norden.example" in repr(kb.sources.show(PAGE))
    assert "<table>" in kb.sources.show(PAGE)._repr_html_()


def test_the_seeds_list_their_sources() -> None:
    """§4.2: every shipped base can be listed; the claims of its sources are all of them."""
    with claimbase.demo() as kb:
        found = kb.sources.list().rows()
        visible = rows(kb, "SELECT count(DISTINCT claim_no) FROM cb.visible(now(), now())")
        assert [(sum(one["claims"] for one in found),)] == visible
        assert len({cluster_key(url_key(one["uri"])) for one in found}) > 20
        assert {one["source_id"] for one in kb.sources.timeline().rows()} == {one["source_id"] for one in found}


@pytest.mark.slow
def test_bases_differ_by_a_text_differ_in_their_root() -> None:
    """G6: the ledger covers every row that ingesting writes."""
    roots = set()
    for options in (
        {},
        {"text": TEXT + "!"},
        {"at": day(2)},
        {"text": None},
        {"source": {"title": "a"}},
        {"tool": "x"},
    ):
        with base(Ticking()) as kb:
            read(kb, **options)
            roots |= set(rows(kb, "SELECT root FROM cb.batch ORDER BY batch_id DESC LIMIT 1"))
    assert len(roots) == 6


# -- the command ------------------------------------------------------------------------------------------------------

HOSTILE = "<script>alert(1)</script>![x](http://h)\x1b]0;owned\x07\u202e[bold red]"


def run(*arguments: str | Path, stdin: bytes | str | None = None) -> Result:
    """Run a command of the group as a user runs it."""
    main = Commands(commands={"source": source_commands})
    return CliRunner().invoke(main, ["source", *map(str, arguments)], input=stdin, catch_exceptions=False)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """An empty base on disk."""
    path = tmp_path / "base.duckdb"
    opened(path).close()
    return path


@pytest.mark.slow
@pytest.mark.covers("A17", "M06")
def test_texts_are_ingested_from_files_and_standard_input(file: Path, tmp_path: Path) -> None:
    """§7: from a file whose name tells its format, or from -; uploads are named by their file."""
    page = tmp_path / "Prices 2.md"
    page.write_text("# Prices\n\n" + TEXT)
    done = run("ingest", file, page, "--observed-at", "2026-03-01", "--title", "Prices", "--json")
    data = json.loads(done.stdout)
    assert (done.exit_code, data["disposition"]) == (0, "accepted")
    shown = json.loads(run("show", file, "upload://Prices%202.md", "--json").stdout)
    assert [shown["about"][name] for name in ("source_type", "authority", "title")] == [
        "upload", "self_declared_upload", "Prices",
    ]  # fmt: skip
    assert [one["profile"] for one in shown["texts"]] == ["markdown"]
    for day_, text, code in (("02", TEXT, 0), ("03", TEXT, 0), ("04", "Gone.", 2), ("05", b"\xff", 2)):
        done = run("ingest", file, "-", "--uri", PAGE, "--observed-at", f"2026-03-{day_}", stdin=text)
        assert done.exit_code == code, done.stderr
    done = run("ingest", file, "-", "--uri", PAGE, "--observed-at", "2026-03-04", "--accept", "moved", stdin="Gone.")
    assert done.exit_code == 0
    assert [one["disposition"] for one in json.loads(run("show", file, PAGE, "--json").stdout)["readings"]] == [
        "accepted", "unchanged", "refused-shrunk", "accepted", "not-text",
    ]  # fmt: skip
    table = tmp_path / "rows.csv"
    table.write_text("id,price\na,1.10\nb,2\n")
    done = run("ingest", file, table, "--observed-at", "2026-03-01", "--record", '{"id": "a"}')
    assert done.exit_code == 0
    with claimbase.open(file, read_only=True) as kb:
        assert ('{"id": "a", "price": "1.10"}',) in rows(kb, "SELECT text FROM cb.snapshot")


@pytest.mark.slow
def test_commands_fail_in_one_line(file: Path, tmp_path: Path) -> None:
    """C14, §7: no traceback, no path; the exit code tells the kind."""
    big = tmp_path / "big.txt"
    big.write_bytes(b"x" * (17 << 20))
    for arguments, words in (
        (("ingest", file, big, "--observed-at", "2026-03-01"), "[too_large]"),
        (("ingest", file, "-", "--observed-at", "2026-03-01"), "--uri"),
        (("ingest", file, big, "--uri", PAGE), "--observed-at"),
        (("set", file, PAGE), "at least one decision"),
        (("set", file, PAGE, "--forbid", "--reason", "x"), "[unknown_source]"),
        (("show", file, "s_0"), "[unknown_source]"),
        (("add", file, "nowhere"), "[bad_url]"),
        (("add", file, PAGE, "--title", "x"), "[missing_observed_at]"),
        (("list", file, "more"), "at most a FILE"),
    ):
        done = run(*arguments)
        assert (done.exit_code, words in done.stderr, "Traceback" in done.stderr) == (2, True, False), arguments


def _texts(data: Any) -> Iterator[str]:
    """Give every text of plain data."""
    if isinstance(data, dict):
        data = list(data.values())
    if isinstance(data, list):
        for one in data:
            yield from _texts(one)
    elif isinstance(data, str):
        yield data


@pytest.mark.slow
def test_sources_are_shown_inert(file: Path) -> None:
    """M6, P12: hostile titles, reasons and publishers act on no terminal, page or parser."""
    said = ("--observed-at", "2026-03-01", "--title", HOSTILE, "--publisher", HOSTILE)
    assert run("add", file, PAGE, *said).exit_code == 0
    assert run("set", file, PAGE, "--forbid", "--reason", HOSTILE).exit_code == 0
    assert run("ingest", file, "-", "--uri", PAGE, "--observed-at", "2026-03-02", stdin=TEXT).exit_code == 0
    for command in (("list", file), ("show", file, PAGE), ("timeline", file)):
        plain, data = run(*command), run(*command, "--json")
        assert plain.exit_code == data.exit_code == 0
        for mark in ("\x1b", "\x07", "\u202e"):
            assert mark not in plain.output
            assert mark not in data.output
        assert "alert(1)" in plain.output
        assert HOSTILE in _texts(json.loads(data.stdout))
    with claimbase.open(file, read_only=True) as kb:
        html = kb.sources.list()._repr_html_()
    assert "<script>" not in html


def test_words_of_dispositions_are_those_of_the_vocabulary(kb: Claimbase) -> None:
    """§5: what is stored is spelled as the vocabulary spells it."""
    read(kb)
    read(kb, None, at=day(2))
    read(kb, WALL, at=day(3))
    stored = {one for (one,) in rows(kb, "SELECT disposition FROM cb.fetch")}
    assert stored <= {one.value for one in Disposition}
    assert len(stored) == 3
