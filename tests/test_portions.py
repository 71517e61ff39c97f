"""Large bases are looked through in portions: however small they are, the answer is the one of a single portion."""

from __future__ import annotations

import random
from typing import Any

import pytest
from kit import few
from rows import Builder, basis

from claimbase.analysis import cite, contradictions
from claimbase.store import Db

PREDICATES = ("price", "cost", "rounded", "depth", "width", "state")


def world(rng: random.Random) -> Db:
    """Make a base of some slots whose claims disagree here and there; `cost` is another name of `price`."""
    builder = Builder()
    for name in ("price", "cost", "depth", "width"):
        builder.declare(name, unit="usd_per_mtok")
    builder.declare("rounded", unit="token", tolerance="0.055")
    builder.declare("state", kind="text")
    builder.alias("predicate", builder.predicate("cost"), builder.predicate("price"), recorded=0)
    for _ in range(rng.randint(60, 120)):
        start = rng.randint(0, 4)
        builder.claim(
            str(rng.randint(1, 3)), predicate=rng.choice(PREDICATES), subject=rng.choice(("Lark", "Wren", "Élan")),
            provider=rng.choice(("Norden AI", "Tarn")), source=rng.choice("abc"), start=start,
            end=rng.choice((None, rng.randint(start + 1, 6))), observed=rng.randint(0, 6),
            scope=rng.choice((None, None, {"mode": "batch"}, {"mode": "Ä"})),
        )  # fmt: skip
    builder.withdraw("c", 0)
    return builder.build()


def asked(db: Db, **options: Any) -> dict[str, Any]:
    """Ask for all of valid time."""
    return contradictions.contradictions(db, basis(), all_time=True, **options).to_json()


@pytest.mark.parametrize("options", few([{}, {"information": True}, {"predicates": ["cost", "state"]}], 3))
def test_contradictions_in_portions(
    rng: random.Random, monkeypatch: pytest.MonkeyPatch, options: dict[str, Any]
) -> None:
    """K10, P2: cards, their order and every citation, a slot of two names in one portion."""
    db = world(rng)
    whole = asked(db, **options)
    for versions in (1, 40):
        monkeypatch.setattr(contradictions, "PORTION", versions)
        monkeypatch.setattr(cite, "PORTION", rng.randint(8, 20))
        assert asked(db, **options) == whole
    assert len(whole["cards"]) > 1


def test_citations_in_portions(rng: random.Random, monkeypatch: pytest.MonkeyPatch) -> None:
    """Q4, C16: newest observation first, ties by claim and start, whichever portion each came with."""
    db = world(rng)
    versions = [version for (version,) in db.query("SELECT version_id FROM cb.claim")]
    whole = cite.citations(db, basis(), versions)
    monkeypatch.setattr(cite, "PORTION", 3)
    portions = cite.citations(db, basis(), rng.sample(versions, len(versions)))
    assert list(portions.items()) == list(whole.items())
    assert len(whole) == len(versions) > 3
    newest = [one.last_seen for one in whole.values() if one.last_seen is not None]
    assert newest == sorted(newest, reverse=True)
    assert {one.withdrawn for one in whole.values()} == {True, False}
