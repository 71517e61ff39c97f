"""Gaps (evidence §5, B7): filled, confirmed absent, or nothing said; subjects, scopes, aliases, sources, bases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from kit import base, claim, day

from claimbase.analysis.gaps import Gaps, gaps
from claimbase.base import Claimbase
from claimbase.errors import InputError, VocabularyError
from claimbase.evidence.terms import Coverage


@pytest.fixture
def kb() -> Iterator[Claimbase]:
    """Give an empty base with the tests' pack."""
    with base() as opened:
        yield opened


def says(kb: Claimbase, predicate: str, value: str = "128K", subject: str = "Lark 2", **fields: Any) -> None:
    """Add a claim that holds from January on."""
    kb.add([claim(value, predicate=predicate, subject=subject, effective_from="2026-01-01") | fields])


def ask(kb: Claimbase, *required: str, basis: dict[str, Any] | None = None, **narrowed: Any) -> Gaps:
    """Ask for gaps."""
    at = kb.basis(**(basis or {}))
    return gaps(kb.db, kb.vocabulary(at), at, required=required, **narrowed)


def told(found: Gaps) -> list[tuple[str, str, str]]:
    """Give subject, predicate and status of each row."""
    return [(row.subject, row.predicate, row.status.value) for row in found.covered]


@pytest.mark.covers("A45", "A25")
def test_the_three_ways_a_predicate_may_stand(kb: Claimbase) -> None:
    """B7, A45: a claim fills, an absence claim alone confirms absence, nothing said is a gap; both together fill."""
    says(kb, "context")
    says(kb, "vision", "none", polarity="absent")
    says(kb, "context", "none", polarity="absent", source={"url": "https://other.example/"})
    says(kb, "price", "$3", subject="Wren")
    found = ask(kb, "vision", "context", "price")
    assert told(found) == [
        ("Lark 2", "vision", "confirmed-absent"), ("Lark 2", "context", "filled"), ("Lark 2", "price", "gap"),
        ("Wren", "vision", "gap"), ("Wren", "context", "gap"), ("Wren", "price", "filled"),
    ]  # fmt: skip
    assert found.counts == {"filled": 2, "confirmed-absent": 1, "gap": 3}
    assert found.summary == "2 subjects, 3 required predicates: 2 filled, 1 confirmed-absent, 3 gap"
    assert {row.status for row in found.covered} == set(Coverage)
    assert found.to_json()["rows"] == found.rows()
    assert tuple(found.rows()[0]) == found.columns


def test_claims_count_at_the_instant_asked_for(kb: Claimbase) -> None:
    """A1, T2: what is over, not yet read or not yet held leaves a gap; what only possibly holds fills and says so."""
    says(kb, "vision", "yes")
    says(kb, "context", effective_until="2026-06-01")
    says(kb, "price", "$3", effective_from="2026-04")
    assert [row.status for row in ask(kb, "context", basis={"as_of": "2026-05-01"}).covered] == ["filled"]
    assert [row.status for row in ask(kb, "context", basis={"as_of": "2026-07-01"}).covered] == ["gap"]
    (possible,) = ask(kb, "price", basis={"as_of": "2026-04-10"}).covered
    assert (possible.status, possible.certain, possible.claims) == ("filled", False, 1)
    assert ask(kb, "price", basis={"observed_by": "2026-02-01"}).summary == "no subjects"
    (sure,) = ask(kb, "price", basis={"as_of": "2026-05-02"}).covered
    assert sure.certain


def test_a_withdrawn_source_fills_nothing(kb: Claimbase) -> None:
    """R2: its claims stay visible, so the subject is still asked about, and decide nothing."""
    says(kb, "context")
    before = kb.basis().recorded_by
    kb.retract("https://norden.example/pricing", reason="forged")
    assert told(ask(kb, "context")) == [("Lark 2", "context", "gap")]
    assert told(ask(kb, "context", basis={"recorded_by": before})) == [("Lark 2", "context", "filled")]


def test_names_and_aliases(kb: Claimbase) -> None:
    """P2: a predicate's other name asks for the same; two names of it are one column; subjects merged are one row."""
    says(kb, "ctx")
    says(kb, "price", "$3", subject="Lark Two")
    assert told(ask(kb, "ctx", "context")) == [("Lark 2", "context", "filled"), ("Lark Two", "context", "gap")]
    kb.merge("Lark Two", "Lark 2", reason="one model")
    assert told(ask(kb, "ctx", "price")) == [("Lark 2", "context", "filled"), ("Lark 2", "price", "filled")]


def test_a_claim_of_any_scope_fills(kb: Claimbase) -> None:
    """Evidence §5: a required predicate is filled by a claim of whatever scope, counted once per claim."""
    says(kb, "context", scope={"tier": "batch"})
    says(kb, "context", "64K", scope={"tier": "free"})
    (row,) = ask(kb, "context").covered
    assert (row.status, row.claims) == ("filled", 2)


@pytest.mark.slow
def test_subjects_and_providers_narrow(kb: Claimbase) -> None:
    """Evidence §5: only the subjects named, by any of their names, or those of a provider."""
    says(kb, "context")
    says(kb, "context", subject="Wren")
    says(kb, "context", subject="Heron", provider="Reiher")
    assert told(ask(kb, "price", subjects=["wren"])) == [("Wren", "price", "gap")]
    assert told(ask(kb, "price", providers=["reiher"])) == [("Heron", "price", "gap")]
    assert told(ask(kb, "price", subjects=["Nobody"])) == []


def test_what_may_be_required(kb: Claimbase) -> None:
    """P1: a declared predicate that nobody uses is a gap everywhere; an unknown one is refused, and so is none."""
    says(kb, "context", observed_at=day(3))
    assert told(ask(kb, "languages")) == [("Lark 2", "languages", "gap")]
    says(kb, "colour", "red")
    assert ("Lark 2", "colour", "filled") in told(ask(kb, "colour"))
    with pytest.raises(VocabularyError) as unknown:
        ask(kb, "contxt")
    assert unknown.value.code == "unknown_predicate"
    with pytest.raises(InputError) as nothing:
        ask(kb)
    assert nothing.value.code == "no_predicates"
