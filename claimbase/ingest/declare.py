"""Declaring predicates, and the vocabulary a base held at an instant (P1)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any, TypeAlias

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

_Note: TypeAlias = tuple[str, str | None, str]  # pack, predicate (None = the pack's scope words), declaration


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
        transaction.file("derive/no_touched")
        before = after = vocabulary_at(transaction, under_way.recorded_at)
        origin: dict[str, str] = {}
        notes: list[_Note] = []
        for pack in packs:
            words = [[word, list(map(list, scope))] for word, scope in pack.scope_words]
            if not set(pack.scope_words) <= set(after.scope_words):
                notes.append((pack.name, None, json.dumps(words, sort_keys=True)))
            origin |= {predicate.name: pack.name for predicate in pack.predicates}
            after = after.merged(pack)
        changed = [name for name in origin if before.find(name) != after.get(name)]
        notes += [(origin[name], name, json.dumps(after.get(name).to_json(), sort_keys=True)) for name in changed]
        _note(under_way, notes)
        _again(under_way, before, after, changed)
        derive(under_way)
    return len(changed)


def _note(under_way: Write, notes: list[_Note]) -> None:
    if not notes:
        return
    packs, names, bodies = map(list, zip(*notes, strict=True))
    at = {"names": names, "recorded_at": under_way.recorded_at}
    under_way.transaction.file("log/declared", at)
    under_way.transaction.file("log/declarations", at | {"packs": packs, "bodies": bodies})


def _again(under_way: Write, before: Vocabulary, after: Vocabulary, changed: list[str]) -> None:
    """Read claims again whose kind, unit or limits changed, and touch the slots that may derive otherwise (P1).

    A predicate's aliases go with it, those it gains and those it loses too.
    """
    names = {alias.name for known in (before, after) for p in known if p.name in changed for alias in p.aliases}
    fates = {name: (_declared(before, name), _declared(after, name)) for name in sorted(names.union(changed))}
    anew = {name: now for name, (was, now) in fates.items() if _differ(was, now, _MEANING)}
    touched = [name for name, (was, now) in fates.items() if name in anew or _differ(was, now, _DERIVING)]
    if anew:
        _understand(under_way, anew)
    if touched:
        under_way.transaction.file("derive/touched_predicate", {"names": touched})


def _declared(vocabulary: Vocabulary, name: str) -> Predicate:
    return vocabulary.find(name) or Predicate(name, kind="text")


def _differ(one: Predicate, other: Predicate, items: tuple[str, ...]) -> bool:
    return any(getattr(one, item) != getattr(other, item) for item in items)


def _understand(under_way: Write, anew: dict[str, Predicate]) -> None:
    transaction, at = under_way.transaction, {"recorded_at": under_way.recorded_at}
    transaction.file("log/understood")
    rows = transaction.file("queries/statements_of", {"names": list(anew)})
    transaction.append("understood", (_meaning(anew[name], *row) for name, *row in rows))
    for step in ("units_understood", "values_understood", "meanings_again"):
        transaction.file(f"log/{step}", at)


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
        number, read.key, value_id(read.key, read.unit), read.unit, dimension, read.min, read.max,
        read.min_open, read.max_open, read.approximate, read.precision,
    )  # fmt: skip
