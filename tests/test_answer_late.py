"""What an answer tells of all its claims together, and what it makes only when somebody looks, agree."""

from __future__ import annotations

import pickle
import random
from datetime import timedelta
from typing import Any

import pytest
from builder import World, day
from kit import base, claim, few
from test_answer_parts import PRICE, ask, priced
from test_explain import QUESTIONS, conditions, random_world

from claimbase.answers import Answer, answer, collecting
from claimbase.answers.naming import settled
from claimbase.vocabulary import Vocabulary


def aged(found: Answer, words: Vocabulary) -> dict[str, Any]:
    """Age the supporting claims one by one, as their citations show them."""
    claims = {one.claim_id: one for one in found.supporting}
    stale = {
        name
        for name, one in claims.items()
        if found.basis.observed_by - one.last_seen > timedelta(days=words.get(one.predicate).stale_after)
    }
    seen = [one.last_seen for one in claims.values()]
    predicates = sorted({one.predicate for one in claims.values()})
    return {
        "newest": max(seen, default=None), "oldest": min(seen, default=None), "stale_claims": sorted(stale),
        "by_predicate": {
            name: (
                max(one.last_seen for one in claims.values() if one.predicate == name),
                min(one.last_seen for one in claims.values() if one.predicate == name),
                sum(one.claim_id in stale for one in claims.values() if one.predicate == name),
            )
            for name in predicates
        },
        "claims": len(claims), "primary": sum(one.authority == "subject_authored" for one in claims.values()),
    }  # fmt: skip


def told(found: Answer) -> dict[str, Any]:
    """Give what the answer itself says of them."""
    fresh = found.freshness
    return {
        "newest": fresh.newest, "oldest": fresh.oldest, "stale_claims": list(fresh.stale_claims),
        "by_predicate": {
            name: (one["newest"], one["oldest"], one["stale"]) for name, one in fresh.by_predicate.items()
        },
    }  # fmt: skip


@pytest.mark.parametrize("policy", few(["certain", "any"], 2))
def test_what_is_told_of_all_claims_is_what_each_citation_says(policy: Any, rng: random.Random) -> None:
    """Q3, Q6, Q9: freshness, the sentence and the notes of random answers, against their citations and verdicts."""
    supported = mentioned = stale = 0
    for _ in range(6):
        world = random_world(rng)
        db = world.build()
        for given in QUESTIONS:
            basis = world.basis(day(rng.randrange(130)), observed_by=day(200))
            found = answer(db, world.vocabulary, conditions(given), basis, policy=policy, near_limit=None)
            expected = aged(found, world.vocabulary)
            claims, primary = expected.pop("claims"), expected.pop("primary")
            assert told(found) == expected
            words = f"{claims} {'primary-source ' if claims and claims == primary else ''}claim"
            assert not found.eligible or f"supported by {words}" in found.summary
            scopes = {str(dict(one)) for sub in found.subjects() for v in sub.verdicts for one in v.mentioned}
            assert bool(scopes) == any("other scopes" in note for note in found.notes)
            supported, mentioned = supported + claims, mentioned + len(scopes)
            stale += found.freshness.stale
        db.close()
    assert min(supported, mentioned, stale) > 0


def test_citations_are_made_when_somebody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """F8: an answer makes no citation by itself; one subject looked at makes its own, and makes them once."""
    made: list[str] = []
    known = collecting.Citation
    monkeypatch.setattr(collecting, "Citation", lambda **given: made.append(given["subject"]) or known(**given))
    found = ask(priced(5, 6, 7), "price <= 10")
    assert (found.summary.split(",")[0], made) == ("3 subjects satisfy every stated constraint", [])
    second = found.eligible[1]
    assert (second.citations is second.citations, len(second.verdicts), made) == (True, 1, ["B"])
    assert [one.subject for one in found.citations] == sorted(made) == ["A", "B", "C"]
    with pytest.raises(AttributeError, match="worthy"):
        _ = second.worthy  # type: ignore[attr-defined]  # there is no such field


def test_an_answer_travels_whole() -> None:
    """Q4: what was not looked at yet travels with the rest, also after the base was closed."""
    found = ask(priced(5, 6, 7), "price <= 10")
    again = pickle.loads(pickle.dumps(found.eligible))  # noqa: S301  # our own bytes
    assert again == found.eligible
    assert [one.subject for part in again for one in part.citations] == ["A", "B", "C"]


@pytest.mark.slow
def test_a_source_is_described_as_the_basis_knows_it() -> None:
    """A1: descriptions are kept for a state and a basis; neither a later one nor one of another basis answers."""
    with base() as kb:
        source = {"url": "https://example.org/prices", "title": "Old"}
        kb.add([claim(source=source)])
        before = kb.basis("2026-03-02")
        titles = [[one.title for one in kb.answer("price exists", as_of="2026-03-02").citations]]
        kb.add([claim("$4", "2026-03-01T08:00:00Z", subject="Another", source=source | {"title": "New"})])
        for _ in range(2):
            titles.append([one.title for one in kb.answer("price exists", as_of="2026-03-02").citations])
            earlier = kb.answer("price exists", as_of="2026-03-02", recorded_by=before.recorded_by)
            titles.append([one.title for one in earlier.citations])
        assert titles == [["Old"], ["New", "New"], ["Old"], ["New", "New"], ["Old"]]


def test_who_is_asked_is_counted_for_each_basis() -> None:
    """Q2, A1: a claim that counts as not said from an instant after its batch on is counted until then."""
    world = World([PRICE], now=day(200))
    world.claim("A", "price", 5, unit="usd", seen=(day(0), day(150)), recorded=(day(1), None))
    world.claim("B", "price", 5, unit="usd", seen=(day(0), None), recorded=(day(1), None))
    db = world.build()
    for _ in range(2):
        counts = {
            number: answer(
                db, world.vocabulary, "price <= 9", world.basis(day(100), day(number), day(120))
            ).counts["asked"]
            for number in (110, 130, 149, 150, 160, 190)
        }  # fmt: skip
        assert counts == {110: 2, 130: 2, 149: 2, 150: 1, 160: 1, 190: 1}
    instants = {settled(db, world.basis(day(100), day(number), day(120))) for number in (150, 160, 190)}
    assert instants == {day(150)}
    assert answer(db, world.vocabulary, "price <= 9", world.basis(day(100)), count_asked=False).counts["asked"] is None
    db.close()
