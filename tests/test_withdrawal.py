"""Withdrawn sources (R2): visible and flagged, without a say from then on; what restates them is flagged too."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from itertools import combinations
from typing import Any

import pytest
from kit import Ticking, base, chained, claim, day
from rows import Builder, basis

from claimbase.analysis.history import history
from claimbase.base import Claimbase
from claimbase.errors import ClaimbaseError, ClaimStateError, InputError, UnknownSourceError
from claimbase.sources import source_key, url_key

HERALD, RELAY, BLOG, OTHER = (f"https://{name}.example/page" for name in ("herald", "relay", "blog", "other"))
WITHDRAWN, DERIVED = ("source withdrawn: article withdrawn",), ("derived from a withdrawn source",)
FLAGS = {HERALD: WITHDRAWN, RELAY: DERIVED, BLOG: DERIVED, OTHER: ()}


def said(value: str, url: str, observed_at: str, **fields: Any) -> dict[str, Any]:
    """Make a claim of a source."""
    about = {"url": url, "publisher": url.split("/")[2]} | fields.pop("source", {})
    return claim(value, observed_at, effective_from="2026-01-01", source=about, **fields)


@pytest.fixture
def kb() -> Iterator[Claimbase]:
    """A page, what relays it, what relays that, and one of its own."""
    with base(Ticking()) as kb:
        kb.add(said("$3", HERALD, day(1)))
        kb.add(said("$3", RELAY, day(2), source={"derived_from": HERALD}))
        kb.add(said("$3", BLOG, day(3), source={"derived_from": RELAY}))
        kb.add(said("$2", OTHER, day(4)))
        yield kb


def flags_by_source(cited: Any) -> dict[str, tuple[str, ...]]:
    """Give the flags of some citations by their source."""
    return {one.url: one.flags for one in cited}


def shown_flags(kb: Claimbase, recorded_by: Any) -> list[dict[str, tuple[str, ...]]]:
    """Give the flags by source that each way to ask shows."""
    by = {"recorded_by": recorded_by}
    listed = kb.claims(**by)
    segments, cards = kb.history("Lark 2", **by).segments, kb.contradictions(all_time=True, **by).cards
    return [
        flags_by_source(kb.answer("price exists", **by).citations),
        flags_by_source(one for segment in segments for one in segment.claims),
        flags_by_source(one for card in cards for side in card.sides for one in side.claims),
        {one["url"]: tuple(one["flags"]) for one in listed},
    ]


@pytest.mark.slow
def test_flags_are_shown_wherever_a_claim_is_cited(kb: Claimbase) -> None:
    """R2, A3: withdrawn or derived, however far down; a base as recorded before does not know of it."""
    before = kb.basis().recorded_by
    kb.retract(HERALD, reason=" article withdrawn ")
    answered, told, disputed, claims = shown_flags(kb, None)
    assert answered == told == claims == FLAGS
    assert disputed == {url: flags for url, flags in FLAGS.items() if url != HERALD}
    assert all(one == dict.fromkeys(FLAGS, ()) for one in shown_flags(kb, before))
    assert {one["url"]: tuple(kb.get(one["claim_id"])["flags"]) for one in kb.claims()} == FLAGS


@pytest.mark.slow
def test_flags_are_plain_data(kb: Claimbase) -> None:
    """R2: to_json carries them under `flags`, in answers, histories and contradictions; SQL in the last column."""
    kb.retract(HERALD, reason="article withdrawn")
    for result in (kb.answer("price exists"), kb.history("Lark 2"), kb.contradictions(all_time=True)):
        assert f'"flags": {json.dumps(list(DERIVED))}' in json.dumps(result.to_json())
    rows = kb.db.query("SELECT url, flags FROM cb.active_claims()").rows
    assert {url: tuple(flags) for url, flags in rows} == FLAGS


def test_only_the_withdrawn_source_loses_its_say(kb: Claimbase) -> None:
    """R2, Q1: its claims decide no verdict and no contradiction; those of sources derived from it still do."""
    only = {"subjects": "Lark 2", "everyone": True}
    before = kb.basis().recorded_by
    assert kb.answer("price >= 3", **only).verdicts() == {"Lark 2": ("disputed",)}
    kb.retract(HERALD, reason="article withdrawn")
    after = kb.answer("price >= 3", **only)
    assert after.verdicts() == {"Lark 2": ("disputed",)}
    assert [one.role for one in after.citations if one.url == HERALD] == ["withdrawn"]
    assert after.counts["withdrawn"] == 1
    assert "withdrawn: 1 claim of sources that no longer count as support" in after.notes
    kb.retract(RELAY, reason="a copy")
    kb.retract(BLOG, reason="a copy of a copy")
    assert kb.answer("price >= 3", **only).verdicts() == {"Lark 2": ("failed",)}
    assert kb.contradictions(all_time=True).silent["source_withdrawn"] == 3
    assert [kb.contradictions(all_time=True, recorded_by=by).total for by in (before, None)] == [3, 0]
    kb.retract(OTHER, reason="nothing left")
    bare = kb.answer("price >= 3", **only)
    assert bare.verdicts() == {"Lark 2": ("no_evidence",)}
    assert [one.reason for subject in bare.subjects() for one in subject.verdicts] == ["claims of withdrawn sources"]


@pytest.mark.slow
def test_its_claims_stay_visible_and_lend_no_voice(kb: Claimbase) -> None:
    """R1, R2: history keeps them as they stand; three that restate each other are one voice, withdrawn ones none."""
    for url, voices in ((None, {"$3": 1, "$2": 1}), (HERALD, {"$3": 1, "$2": 1}), (OTHER, {"$3": 1, "$2": 0})):
        if url:
            kb.retract(url, reason="withdrawn")
        found = kb.history("Lark 2").segments
        assert {one.value: one.voices for one in found} == voices
        assert [(one.status, len(one.claims)) for one in found] == [("current", 3), ("current", 1)]


@pytest.mark.slow
def test_what_it_says_later_has_no_say_either(kb: Claimbase) -> None:
    """R2: the source is withdrawn, not its claims one by one: a claim read after it is flagged as well."""
    kb.retract(OTHER, reason="list was generated")
    kb.add(said("128K", OTHER, day(9), predicate="context"))
    assert kb.answer("context exists", everyone=True).verdicts() == {"Lark 2": ("no_evidence",)}
    assert [one["flags"] for one in kb.claims("Lark 2", "context")] == [["source withdrawn: list was generated"]]


def test_a_withdrawal_is_one_line_of_one_batch(kb: Claimbase) -> None:
    """R2, G6: it derives nothing; the ledger chains it and the report says how many claims it was about."""
    versions = kb.db.query("FROM cb.claim ORDER BY version_id").rows
    kb.add(said("$4", HERALD, day(5), subject="Wren"))
    kept = len(kb.db.query("FROM cb.claim").rows)
    report = kb.retract(HERALD, reason="article withdrawn")
    assert kept == len(kb.db.query("FROM cb.claim").rows) == len(versions) + 1
    assert (report.verb, report.inserted, report.retracted) == ("withdraw", 0, 0)
    assert report.words == f"{HERALD} is withdrawn: 2 claims of it no longer count as support"
    assert kb.db.query("SELECT verb, entries FROM cb.batch WHERE batch_id = $n", {"n": report.batch}).rows == [
        ("retract source", 1)
    ]
    assert chained(kb.db)


@pytest.mark.slow
def test_the_root_covers_the_reason() -> None:
    """G6: two bases that differ in the reason alone have different roots."""
    roots = []
    for reason in ("generated", "generated", "withdrawn by its author"):
        with base(Ticking()) as kb:
            kb.add(said("$3", HERALD, day(1)))
            kb.retract(HERALD, reason=reason)
            roots.append(kb.db.query("SELECT root FROM cb.batch ORDER BY batch_id DESC LIMIT 1").rows)
    assert roots[0] == roots[1] != roots[2]


SPELLINGS = [HERALD, HERALD + "#top", "HTTPS://HERALD.example:443/page", " " + HERALD, source_key(url_key(HERALD))]


@pytest.mark.parametrize(
    "spelling",
    [SPELLINGS[0], *(pytest.param(one, marks=pytest.mark.slow) for one in SPELLINGS[1:-1]), SPELLINGS[-1]],
)
def test_a_source_is_found_by_address_or_id(kb: Claimbase, spelling: str) -> None:
    """R2: any spelling of its address, or its id; the second time it is refused."""
    kb.retract(spelling, reason="article withdrawn")
    assert [one["url"] for one in kb.claims() if one["flags"] == list(WITHDRAWN)] == [HERALD]
    with pytest.raises(ClaimStateError) as refused:
        kb.retract(HERALD, reason="again")
    assert (refused.value.code, "'article withdrawn'" in str(refused.value)) == ("already_withdrawn", True)


BAD: list[tuple[str, str, type[ClaimbaseError], str, str]] = [
    ("https://herald.example/pages", "x", UnknownSourceError, "unknown_source", HERALD),
    ("https://herald.example", "x", UnknownSourceError, "unknown_source", HERALD),
    (source_key(url_key(HERALD))[:6], "x", UnknownSourceError, "unknown_source", HERALD),
    ("herald", "x", UnknownSourceError, "unknown_source", "kb.claims()"),
    ("", "x", UnknownSourceError, "unknown_source", ""),
    (HERALD, "", InputError, "no_reason", "why"),
    (HERALD, "  ", InputError, "no_reason", "why"),
]


@pytest.mark.slow
def test_what_cannot_be_withdrawn(kb: Claimbase) -> None:
    """R2: an unknown source is named with the nearest, a withdrawal needs a reason; nothing is stored."""
    batch = kb.basis().batch
    for source, reason, error, code, words in BAD:
        with pytest.raises(error) as refused:
            kb.retract(source, reason=reason)
        assert (refused.value.code, words in refused.value.hint) == (code, True), source
    assert kb.basis().batch == batch


# -- the oracle -----------------------------------------------------------------------------------------------------


def flagged(parents: Mapping[str, str | None], withdrawn: set[str]) -> dict[str, tuple[bool, bool]]:
    """Tell of every source whether it is withdrawn, and whether it restates a withdrawn one, by walking up."""
    found = {}
    for name in parents:
        above, one = set(), parents[name]
        while one is not None:
            above.add(one)
            one = parents.get(one)
        found[name] = (name in withdrawn, bool(above & withdrawn))
    return found


def test_flags_of_every_small_family_of_sources(rng: random.Random) -> None:
    """R1, R2: over every forest of four sources and every set of withdrawn ones, flags are those of walking up."""
    builder, wanted = Builder(), {}
    builder.declare("price", unit="usd_per_mtok")
    forests = [dict(zip("abcd", (None, *above), strict=True)) for above in _forests()]
    for n, (parents, gone) in enumerate(
        (parents, set(gone)) for parents in forests for size in range(3) for gone in combinations("abcd", size)
    ):
        names = {name: f"{name}{n}" for name in parents}
        for name, parent in parents.items():
            about = {"derived_from": f"https://{names[parent]}.example/page"} if parent else {}
            builder.source(names[name], **about)
            builder.claim("$1", subject=f"s{n}", start=0, source=names[name], observed=0)
        for name in gone:
            builder.withdraw(names[name], rng.choice([5, 6]))
        wanted |= {f"https://{names[name]}.example/page": told for name, told in flagged(parents, gone).items()}
    db = builder.build()
    rows = db.file("queries/claims", {
        "subject": None, "provider": None, "predicate": None, "source": None, "limit": 10**6,
        "observed_by": datetime(2026, 6, 1, tzinfo=UTC), "recorded_by": datetime(2026, 6, 1, tzinfo=UTC),
    }).dicts()  # fmt: skip
    found = {row["url"]: (WITHDRAWN_FLAG in row["flags"], DERIVED[0] in row["flags"]) for row in rows}
    assert found == wanted
    before = history(db, basis(recorded_by=4), "s9").segments
    assert {one.flags for segment in before for one in segment.claims} == {()}


WITHDRAWN_FLAG = "source withdrawn: withdrawn"


def _forests() -> Iterator[tuple[str | None, ...]]:
    """Yield what b, c and d are derived from: nothing, or a source before them."""
    for b in (None, "a"):
        for c in (None, "a", "b"):
            for d in (None, "a", "b", "c"):
                yield b, c, d


def test_a_later_description_moves_the_flag(kb: Claimbase) -> None:
    """R2, A4: what a source says it was derived from is what it last said within observed_by."""
    kb.retract(HERALD, reason="article withdrawn")
    kb.add(said("$3", RELAY, day(9)))
    told = {by: flags_by_source(kb.answer("price exists", observed_by=by).citations) for by in (day(8), None)}
    assert told[day(8)] == FLAGS
    assert told[None] == FLAGS | {RELAY: (), BLOG: ()}


def test_freshness_speaks_of_all_that_is_visible(kb: Claimbase) -> None:
    """Q9, R2: a withdrawn claim is still visible and has its age, but supports no eligible subject."""
    kb.retract(OTHER, reason="list was generated")
    assert kb.freshness().claims == 4
    block = kb.answer("price >= 3").freshness
    assert block.newest == datetime(2026, 3, 1, tzinfo=UTC) + timedelta(days=2)
