"""Predicates, packs and vocabularies (semantics section 6)."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from claimbase.errors import VocabularyError
from claimbase.vocabulary import Alias, Pack, Predicate, Vocabulary, load_pack

PACKS = sorted((Path(__file__).resolve().parents[1] / "seeds" / "predicates").glob("*.toml"))

PACK = """
[pack]
name = "models"
title = "Models"
[scope_words]
batch = { mode = "batch" }
"long prompts" = { tier = ">200k", mode = "x" }
[predicates.context_window]
kind = "quantity"
unit = "tokens"
words = ["context window", "ctx"]
aliases = ["contextWindow", { name = "ctx_window", until = "2024-04-01" }]
direction = "higher"
tolerance = "0.055"
stale_after = 7
minimum = "0"
[predicates.vision]
kind = "bool"
closed_world = true
"""


def test_pack_is_read_whole() -> None:
    """Section 6: every declared key ends in its field, numbers as exact decimals, the unit by its canonical name."""
    pack = load_pack(PACK)
    context, vision = pack.predicates
    assert context == Predicate(
        name="context_window",
        kind="quantity",
        unit="token",
        words=("context window", "ctx"),
        aliases=(Alias("contextWindow"), Alias("ctx_window", until=datetime(2024, 4, 1, tzinfo=UTC))),
        direction="higher",
        tolerance=Decimal("0.055"),
        stale_after=7,
        minimum=Decimal(0),
    )
    assert (vision.stale_after, vision.cardinality, vision.closed_world, vision.timeless) == (30, "single", True, False)
    assert dict(pack.scope_words)["long prompts"] == (("mode", "x"), ("tier", ">200k"))


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (("[pack]", "[pack]\nversion = 1"), "extra_field"),
        (('kind = "bool"', 'kind = "bool"\nunits = "token"'), "extra_field"),
        (('kind = "bool"', 'kind = "boolean"'), "bad_predicate"),
        (('kind = "bool"', 'kind = "bool"\nunit = "token"'), "bad_predicate"),
        (('unit = "tokens"', 'unit = "wombat"'), "unknown_unit"),
        (('tolerance = "0.055"', 'tolerance = "much"'), "bad_predicate"),
        (('tolerance = "0.055"', 'tolerance = "1.5"'), "bad_predicate"),
        (("stale_after = 7", "stale_after = true"), "bad_predicate"),
        (("stale_after = 7", "stale_after = -1"), "bad_predicate"),
        (("closed_world = true", 'closed_world = "yes"'), "bad_predicate"),
        (('direction = "higher"', 'direction = "up"'), "bad_predicate"),
        (("[predicates.vision]", '[predicates."x; DROP TABLE cb.y"]'), "bad_identifier"),
        (("[predicates.vision]", "[predicates.'a\"b']"), "bad_identifier"),
        (("[predicates.vision]", "[predicates.'a--b']"), "bad_identifier"),
        (("[predicates.vision]", "[predicates.'']"), "bad_identifier"),
        (('"contextWindow"', '"context window"'), "bad_identifier"),
        (("[pack]", "[pack"), "bad_pack"),
        (('name = "models"', "name = 5"), "bad_pack"),
        (('words = ["context window", "ctx"]', 'words = "ctx"'), "bad_predicate"),
    ],
)
def test_malformed_packs_are_refused(change: tuple[str, str], code: str) -> None:
    """X9 and section 6: a pack that is not understood whole is refused with its code, nothing is dropped."""
    assert change[0] in PACK
    with pytest.raises(VocabularyError) as caught:
        load_pack(PACK.replace(*change))
    assert caught.value.code == code


def test_predicates_survive_storage() -> None:
    """P1: packs are stored; what `to_json` writes is plain JSON and reads back equal."""
    for path in PACKS:
        for predicate in load_pack(path).predicates:
            stored = json.dumps(predicate.to_json())
            assert Predicate.from_json(json.loads(stored)) == predicate
    with pytest.raises(VocabularyError, match="colour"):
        Predicate.from_json({"name": "a", "kind": "text", "colour": "red"})


def test_get_resolves_aliases_and_names_the_nearest() -> None:
    """P2: an alias leads to its predicate; an unknown name is an error that offers the nearest ones."""
    vocabulary = Vocabulary.of(load_pack(PACK))
    assert vocabulary.get("contextWindow").name == "context_window"
    assert "contextWindow" in vocabulary
    assert "CONTEXT_WINDOW" not in vocabulary
    with pytest.raises(VocabularyError) as caught:
        vocabulary.get("context_windo")
    assert caught.value.code == "unknown_predicate"
    assert caught.value.details["nearest"] == ("context_window",)
    assert "context_window" in str(caught.value)


def test_dated_aliases_change_hands() -> None:
    """P2: an alias is resolved as it stood; half-open, two predicates may hold it one after the other."""
    change = datetime(2024, 4, 1, tzinfo=UTC)
    vocabulary = Vocabulary(
        [
            Predicate("eoas", "date", aliases=(Alias("support", until=change),)),
            Predicate("eol", "date", aliases=(Alias("support", since=change),)),
        ]
    )
    assert vocabulary.get("support", at=datetime(2024, 3, 31, 23, tzinfo=UTC)).name == "eoas"
    assert vocabulary.get("support", at=change).name == "eol"
    assert vocabulary.find("support", at=datetime(2024, 3, 1, tzinfo=UTC)) is not None


@pytest.mark.parametrize(
    "predicates",
    [
        [Predicate("a", "text"), Predicate("a", "bool")],
        [Predicate("a", "text"), Predicate("b", "text", aliases=(Alias("a"),))],
        [Predicate("a", "text", aliases=(Alias("c"),)), Predicate("b", "text", aliases=(Alias("c"),))],
    ],
)
def test_one_name_for_two_predicates_is_refused(predicates: list[Predicate]) -> None:
    """P2: a name that could mean two predicates is refused when the vocabulary is made, not when it is used."""
    with pytest.raises(VocabularyError) as caught:
        Vocabulary(predicates)
    assert caught.value.code == "duplicate_name"


def test_order_and_digest() -> None:
    """A6 and P1: iteration is sorted, the digest depends on the declarations alone, never on their order."""
    one, two = Predicate("b", "text"), Predicate("a", "quantity", unit="token")
    assert [p.name for p in Vocabulary([one, two])] == ["a", "b"]
    assert Vocabulary([one, two]).digest == Vocabulary([two, one]).digest
    assert Vocabulary([one]).digest != Vocabulary([Predicate("b", "text", stale_after=31)]).digest
    assert Vocabulary([one], {"batch": (("mode", "batch"),)}).digest == Vocabulary([one]).digest


def test_merged_replaces_by_name() -> None:
    """P1: a later pack replaces a predicate of the same name and leaves the others."""
    old = Vocabulary([Predicate("a", "text"), Predicate("b", "text")], {"batch": (("mode", "batch"),)})
    new = old.merged(Pack("p", predicates=(Predicate("b", "bool"),), scope_words=(("flex", (("mode", "flex"),)),)))
    assert [(p.name, p.kind) for p in new] == [("a", "text"), ("b", "bool")]
    assert [word for word, _ in new.scope_words] == ["batch", "flex"]
    assert [p.kind for p in old] == ["text", "text"]


@pytest.mark.skipif(not PACKS, reason="no packs beside the tests")
def test_shipped_packs_live_together() -> None:
    """The shipped packs make one vocabulary: no name twice, one reading for each noun phrase."""
    packs = [load_pack(path) for path in PACKS]
    vocabulary = Vocabulary.of(*packs)
    owners: dict[str, set[str]] = {}
    for predicate in vocabulary:
        for phrase in predicate.words:
            owners.setdefault(phrase.casefold(), set()).add(predicate.name)
    assert {phrase: names for phrase, names in owners.items() if len(names) > 1} == {}
    declared: dict[str, Any] = {}
    for pack in packs:
        for predicate in pack.predicates:
            assert declared.setdefault(predicate.name, predicate.to_json()) == predicate.to_json(), predicate.name
