"""A clock that jumps: batches keep their order, a basis once answered stays as it was, a call has one now."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from crash.faults import VERBS, Ids, known_ids, prepare
from kit import NOW, base, claim, day, digest, standing

import claimbase
from claimbase.base import Claimbase
from claimbase.errors import ClaimStateError, EvidenceError, InputError, InstantError
from claimbase.temporal import TICK, FixedClock, iso

HOUR = timedelta(hours=1)
HEAD = "SELECT max(recorded_at) FROM cb.batch"


class Jumping:
    """A clock that jumps by up to an hour in either direction, or stands still, whenever it is read.

    Args:
        rng: decides where to.
    """

    def __init__(self, rng: random.Random) -> None:
        self.rng, self.moment, self.read = rng, NOW, 0

    def now(self) -> datetime:
        """Jump, and tell."""
        self.read += 1
        jump = self.rng.choice([timedelta(0), TICK, -TICK, HOUR, -HOUR, HOUR * self.rng.uniform(-1, 1)])
        self.moment = max(NOW - 3 * HOUR, self.moment + jump)
        return self.moment


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a base in which every verb has something to do."""
    path = tmp_path_factory.mktemp("clock") / "base.duckdb"
    prepare(path)
    return path


def instants(kb: Claimbase) -> list[datetime]:
    """Give the instants of all batches in order."""
    return [at for (at,) in kb.db.query("SELECT recorded_at FROM cb.batch ORDER BY batch_id")]


def said(kb: Claimbase, recorded_by: datetime) -> dict[str, Any]:
    """Answer one question at one basis."""
    found = kb.answer("price > $0", as_of=day(28), observed_by=day(28), recorded_by=recorded_by).to_json()
    return {name: part for name, part in found.items() if name != "basis"}


def jump_and_write(kb: Claimbase, turns: int) -> None:
    """Write under a jumping clock; after each batch look whether a basis answered before is still what it was."""
    answered: list[tuple[datetime, list[Any], dict[str, Any]]] = []
    for turn in range(turns):
        kb.add([claim(f"${turn + 1}", day(turn % 28 + 1), subject=f"Lark {turn % 3}")])
        at = kb.db.query(HEAD).rows[0][0]
        answered.append((at, standing(kb.db, at), said(kb, at)))
    for at, held, told in answered:
        assert (standing(kb.db, at), said(kb, at)) == (held, told)
    assert len({len(held) for _, held, _ in answered}) > 3
    assert all(one < other for one, other in pairwise(instants(kb)))
    assert kb.verify_ledger().ok


class Put:
    """A clock that stands where it is put."""

    def __init__(self) -> None:
        self.moment = NOW

    def now(self) -> datetime:
        """Tell."""
        return self.moment


ASKED: dict[str, Callable[..., Any]] = {
    "answer": lambda kb, **basis: kb.answer("price > $0", **basis),
    "when": lambda kb, **basis: kb.when("price > $0", **basis),
    "history": lambda kb, **basis: kb.history("Lark 2", **basis),
    "freshness": lambda kb, **basis: kb.freshness(**basis),
    "contradictions": lambda kb, **basis: kb.contradictions(all_time=True, **basis),
}  # fmt: skip


@pytest.mark.parametrize(
    "back",
    [HOUR, *(pytest.param(back, marks=pytest.mark.slow) for back in (timedelta(0), TICK, HOUR / 2, 2 * HOUR))],
    ids=str,
)
def test_what_was_answered_by_default_is_closed(back: timedelta) -> None:
    """A1, A6, B4, G13: a default basis prints the newest batch's instant, after which every later write falls, wherever
    the clock goes: repeated with the basis it printed, each question is answered as before.
    """
    clock = Put()
    kb = base(clock)
    kb.add([claim(), claim(subject="Wren")])
    clock.moment = NOW + HOUR
    told = {name: ask(kb) for name, ask in ASKED.items()}
    (basis,) = {found.basis for found in told.values()}
    assert (basis.recorded_by, basis.observed_by) == (instants(kb)[-1], clock.moment)
    clock.moment -= back
    kb.add([claim("$4", day(20)), claim("$9", source={"url": "https://o.example/"}), claim(subject="Crow")])
    assert instants(kb)[-1] > basis.recorded_by
    clock.moment = NOW + 3 * HOUR
    axes = {"as_of": basis.valid_at, "observed_by": basis.observed_by, "recorded_by": basis.recorded_by}
    for name, ask in ASKED.items():
        assert ask(kb, **axes).rows() == told[name].rows(), name
        assert ask(kb).rows() != told[name].rows(), name


def test_a_jumping_clock(rng: random.Random) -> None:
    """G13, B4, A6: recorded_at strictly increases whatever the clock does; no later write enters a basis answered."""
    jump_and_write(base(Jumping(rng)), 5)


@pytest.mark.slow
def test_a_clock_that_jumps_for_long(rng: random.Random) -> None:
    """G13: the same for 120 writes."""
    jump_and_write(base(Jumping(rng)), 120)


def test_equal_ticks(template: Path, tmp_path: Path) -> None:
    """G13, B4: under a clock that stands still every verb's batch is a microsecond later than the one before it."""
    kb, ids = copied(template, tmp_path, FixedClock(NOW))
    last = instants(kb)
    for verb in ("observe", "merge", "ingest", "retire", "decide", "withdraw"):
        VERBS[verb](kb, ids)
    new = instants(kb)[len(last) :]
    assert new == [last[-1] + TICK * (n + 1) for n in range(len(new))]
    assert len(new) == 6
    kb.close()


def copied(template: Path, place: Path, clock: Any) -> tuple[Claimbase, Ids]:
    """Open a copy of the prepared base under a clock, and give what the verbs name."""
    for file in template.parent.iterdir():
        (place / file.name).write_bytes(file.read_bytes())
    kb = claimbase.open(place / template.name, clock=clock)
    return kb, known_ids(kb)


def test_a_base_opened_under_an_earlier_clock(template: Path, tmp_path: Path) -> None:
    """G13, A5, B4: what is in the base is known although the clock says it has not come; writes go on after it."""
    kb, _ = copied(template, tmp_path, FixedClock(NOW - HOUR))
    last = instants(kb)[-1]
    assert kb.basis().recorded_by == last > kb.basis().now
    assert len(standing(kb.db)) == len(standing(kb.db, kb.basis().recorded_by)) > 5
    kb.add([claim("$77", subject="Later")])
    assert instants(kb)[-1] == last + TICK
    assert len(kb.claims(subject="Later")) == 1
    kb.close()


def test_the_future_is_refused_by_the_clock_of_the_moment(template: Path, tmp_path: Path) -> None:
    """A5, B5: a reading or a basis beyond the clock is refused and changes nothing, until the clock has come there."""
    clock = FixedClock(NOW - HOUR)
    kb, _ = copied(template, tmp_path, clock)
    before, ahead = digest(kb.db), iso(NOW + HOUR)
    for call in (
        lambda: kb.add([claim("$7", ahead)]),
        lambda: kb.claims(observed_by=ahead),
        lambda: kb.answer("price > $0", recorded_by=ahead),
        lambda: kb.sources.ingest("Text.", uri="https://o.example/", observed_at=ahead),
    ):
        with pytest.raises(InstantError):
            call()
    assert digest(kb.db) == before
    clock.moment = NOW + 2 * HOUR
    assert kb.add([claim("$7", ahead)]).added == 1
    assert kb.answer("price > $0", recorded_by=ahead).basis.recorded_by == NOW + HOUR
    kb.close()


READS: dict[str, Callable[[Claimbase, Ids], Any]] = {
    "answer": lambda kb, ids: kb.answer("price <= $5"),
    "basis": lambda kb, ids: kb.basis(),
    "cell": lambda kb, ids: kb.cell(ids["Crow"]),
    "claims": lambda kb, ids: kb.claims(),
    "contradictions": lambda kb, ids: kb.contradictions(),
    "corroboration": lambda kb, ids: kb.corroboration(ids["Crow"]),
    "diff": lambda kb, ids: kb.diff("2026-03-01", "2026-04-01"),
    "evidence.check": lambda kb, ids: kb.evidence.check(),
    "find_quote": lambda kb, ids: kb.find_quote("costs $3"),
    "freshness": lambda kb, ids: kb.freshness(),
    "get": lambda kb, ids: kb.get(ids["Crow"]),
    "history": lambda kb, ids: kb.history("Crow", "price"),
    "independence": lambda kb, ids: kb.independence(),
    "join": lambda kb, ids: kb.join("price", "context"),
    "reading_window": lambda kb, ids: kb.reading_window(ids["evidence"]),
    "receipts": lambda kb, ids: kb.receipts(),
    "reviews": lambda kb, ids: kb.reviews(),
    "sources.list": lambda kb, ids: kb.sources.list(),
    "sources.timeline": lambda kb, ids: kb.sources.timeline(),
    "sources_about": lambda kb, ids: kb.sources_about("Crow"),
    "suggest": lambda kb, ids: kb.suggest(ids["Crow"]),
    "when": lambda kb, ids: kb.when("price <= $5"),
}


def test_now_is_read_once(template: Path, tmp_path: Path, rng: random.Random) -> None:
    """G13, A1: a call that answers reads the clock once, so that no answer has two nows."""
    clock = Jumping(rng)
    kb, ids = copied(template, tmp_path, clock)
    read = {}
    for name, call in READS.items():
        clock.read = 0
        call(kb, ids)
        read[name] = clock.read
    assert read == dict.fromkeys(READS, 1)
    kb.close()


def test_now_is_read_once_for_words(rng: random.Random) -> None:
    """G13, A1: words like "today" are counted from the now of the answer's basis."""
    clock = Jumping(rng)
    with claimbase.open(clock=clock) as kb:
        clock.read = 0
        asked = kb.ask("128K+ context, under $2/M input")
        assert clock.read == 1
        assert asked.answer.basis.now == clock.moment


@pytest.mark.parametrize("number", [6, pytest.param(len(VERBS), marks=pytest.mark.slow)])
def test_verbs_under_a_jumping_clock(template: Path, tmp_path: Path, rng: random.Random, number: int) -> None:
    """G13, B4: verbs that read the clock while it jumps are stored whole in order, or refused and leave no batch."""
    kb, ids = copied(template, tmp_path, Jumping(rng))
    refused = 0
    for verb in rng.sample(list(VERBS), number):
        before = digest(kb.db)
        try:
            VERBS[verb](kb, ids)
        except (ClaimStateError, EvidenceError, InputError):  # an earlier verb took what it speaks of
            refused += 1
            assert digest(kb.db) == before
    assert refused < number / 2
    assert all(one < other for one, other in pairwise(instants(kb)))
    assert kb.verify_ledger().ok
    kb.close()
