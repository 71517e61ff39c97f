"""Declaring predicates, and the vocabulary a base held at an instant (P1)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from claimbase.errors import ClaimbaseError
from claimbase.ingest import readers
from claimbase.ingest.derive import derive
from claimbase.store import Db, Transaction, Write, write
from claimbase.units import unit as unit_of
from claimbase.values import unread_value, value_id
from claimbase.vocabulary import Pack, Predicate, Vocabulary

# What decides how a value is read, and what decides which versions follow: a change of either derives them again (P1).
_MEANING = ("kind", "unit", "minimum", "maximum")
_DERIVING = ("cardinality", "timeless", "closed_world")


def vocabulary_at(db: Db | Transaction, recorded_by: datetime) -> Vocabulary:
    """Give the vocabulary a base held at an instant: the newest declaration of each predicate by then (A6)."""
    rows = db.file("queries/declarations", {"recorded_by": recorded_by})
    return Vocabulary(
        [Predicate.from_json(json.loads(body)) for kind, body in rows if kind == "predicate"],
        {word: tuple(map(tuple, scope)) for kind, body in rows if kind == "words" for word, scope in json.loads(body)},
    )


def declare(db: Db, packs: Iterable[Pack]) -> int:
    """Declare the predicates of some packs; what a declaration changes is read and derived again in the same batch.

    Args:
        db: the base.
        packs: later ones win over earlier ones.

    Returns:
        How many predicates were declared anew or otherwise.
    """
    with write(db, "declare") as under_way:
        transaction = under_way.transaction
        known = vocabulary_at(transaction, under_way.recorded_at)
        transaction.file("derive/no_touched")
        changed: dict[str, str] = {}
        for pack in packs:
            for predicate in pack.predicates:
                if known.find(predicate.name) != predicate:
                    changed[predicate.name] = pack.name
                    _note(under_way, pack.name, predicate.name, json.dumps(predicate.to_json(), sort_keys=True))
                    _again(under_way, known.find(predicate.name), predicate)
            words = [[word, list(map(list, scope))] for word, scope in pack.scope_words]
            if words and not set(dict(pack.scope_words).items()) <= set(known.scope_words):
                _note(under_way, pack.name, None, json.dumps(words, sort_keys=True))
            known = known.merged(pack)
        derive(under_way)
    return len(changed)


def _note(under_way: Write, pack: str, name: str | None, body: str) -> None:
    at: dict[str, Any] = {"name": name, "recorded_at": under_way.recorded_at}
    if name is not None:
        under_way.transaction.file("log/predicate", at)
    under_way.transaction.file("log/declaration", at | {"pack": pack, "declaration": body})


def _again(under_way: Write, before: Predicate | None, after: Predicate) -> None:
    """Read the predicate's claims again where kind, unit or limits changed, and touch its slots (P1)."""
    transaction, names = under_way.transaction, [after.name, *(alias.name for alias in after.aliases)]
    known = before or Predicate(after.name, kind="text")
    if any(getattr(known, item) != getattr(after, item) for item in _MEANING):
        _understand(under_way, after, names)
    elif all(getattr(known, item) == getattr(after, item) for item in _DERIVING):
        return
    transaction.file("derive/touched_predicate", {"names": names})


def _understand(under_way: Write, predicate: Predicate, names: list[str]) -> None:
    transaction = under_way.transaction
    transaction.file("log/understood")
    rows = transaction.file("queries/statements_of", {"names": names})
    transaction.append("understood", (_meaning(predicate, *row) for row in rows))
    transaction.file("log/units_understood", {"recorded_at": under_way.recorded_at})
    transaction.file("log/values_understood", {"recorded_at": under_way.recorded_at})
    transaction.file("log/meanings_again", {"recorded_at": under_way.recorded_at})


def _meaning(
    predicate: Predicate, number: int, value: str, normalized: str | None, unit: str | None
) -> tuple[Any, ...]:
    """Read a stored statement under a new declaration; what it cannot read stays as text without a number (V6)."""
    try:
        read = readers.understand(predicate, value, normalized, unit)
    except ClaimbaseError:
        read = unread_value(value)
    dimension = unit_of(read.unit).dimension if read.unit else None
    return (
        number, read.key, value_id(read.key, read.unit), read.unit, dimension, read.min, read.max, read.min_open, read.max_open,
        read.approximate, read.precision,
    )  # fmt: skip
