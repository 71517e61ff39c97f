"""Merging: two names mean one subject from now on, and the way back (P2). Names are followed at read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from claimbase.errors import InputError, shown
from claimbase.ingest.verbs import VerbReport
from claimbase.store import Db, Write, write
from claimbase.values import folded


@dataclass(frozen=True, slots=True)
class _Subject:
    """A subject as named: its number, its provider, its name."""

    number: int
    provider: str
    name: str

    def __str__(self) -> str:
        return f"{shown(self.name)} ({self.provider})"


Edges = Mapping[int, int]


def merge(
    db: Db,
    alias: str,
    into: str,
    *,
    provider: str | None = None,
    into_provider: str | None = None,
    reason: str | None = None,
) -> VerbReport:
    """Say that a name means another subject; from this batch on both are one wherever something is asked (P2).

    The same merge again is nothing at all; a name that stood for a third subject stands for the new one instead.

    Args:
        db: the base.
        alias, provider: the name that stands for the other, and its provider where the name is not unique.
        into, into_provider: the subject it means.
        reason: why, for the log.

    Raises:
        InputError: [unknown_subject] nothing is called so; [ambiguous_subject] several subjects are; [same_subject]
            both names are one subject as named; [merge_cycle] the other one already means this one.
    """
    with write(db, "merge") as under_way:
        edges = _edges(under_way)
        one = _only(_called(under_way, alias, provider), edges, alias)
        other = _only(_called(under_way, into, into_provider), edges, into)
        if one == other:
            raise InputError(f"{one} is one subject already", code="same_subject", hint="name two subjects")
        if one.number in _followed(other.number, edges):
            raise InputError(f"{other} already means {one}", code="merge_cycle", hint="unmerge it first")
        known = edges.get(one.number) == other.number
        if not known:
            _note(under_way, one, other.number, revoked=False, reason=reason)
    words = f"{one} {'already was' if known else 'is'} another name of {other}"
    return VerbReport("merge", words, batch=under_way.batch.batch_id if under_way.batch else None)


def unmerge(db: Db, alias: str, *, provider: str | None = None, reason: str | None = None) -> VerbReport:
    """Say that a name is a subject of its own again; answers at earlier instants stay merged (P2, A3).

    Args:
        db: the base.
        alias, provider: the name that stands for another one.
        reason: why, for the log.

    Raises:
        InputError: [unknown_subject] nothing is called so; [not_merged] it stands for itself; [ambiguous_subject]
            several subjects of this name stand for others.
    """
    with write(db, "unmerge") as under_way:
        edges = _edges(under_way)
        called = _called(under_way, alias, provider)
        merged = [one for one in called if one.number in edges]
        if not merged:
            raise InputError(f"{called[0]} is not merged", code="not_merged", hint="it stands for itself")
        if len(merged) > 1:
            raise _ambiguous(alias, merged)
        (one,) = merged
        _note(under_way, one, edges[one.number], revoked=True, reason=reason)
    words = f"{one} is a subject of its own again"
    return VerbReport("unmerge", words, batch=under_way.batch.batch_id if under_way.batch else None)


def _edges(under_way: Write) -> Edges:
    return dict(under_way.transaction.file("queries/renamed", {"recorded_by": under_way.recorded_at}).rows)


def _followed(number: int, edges: Edges) -> Iterator[int]:
    """Yield every subject that one means, step by step; merges make no rings."""
    while number in edges:
        number = edges[number]
        yield number


def _called(under_way: Write, name: str, provider: str | None) -> list[_Subject]:
    """Find the subjects of a name, of one provider if it is given; there is at least one."""
    keys = {"name": folded(name), "provider": None if provider is None else folded(provider)}
    found = [_Subject(*row) for row in under_way.transaction.file("queries/subjects_called", keys)]
    if found:
        return found
    near = under_way.transaction.file("queries/subjects_near", {"name": keys["name"]})
    of = "" if provider is None else f" of {shown(provider)}"
    hint = ", ".join(f"{close} ({whose})" for whose, close in near)
    raise InputError(
        f"the base has no subject {shown(name)}{of}", code="unknown_subject",
        hint=f"nearest: {hint}" if hint else "kb.claims() lists what it holds",
    )  # fmt: skip


def _only(called: list[_Subject], edges: Edges, name: str) -> _Subject:
    """Choose the one subject meant: of several that were merged into one of them, that one."""
    if len(called) == 1:
        return called[0]
    meant = [one for one in called if one.number not in edges]
    ends = {[one.number, *_followed(one.number, edges)][-1] for one in called}
    if len(meant) != 1 or ends != {meant[0].number}:
        raise _ambiguous(name, called)
    return meant[0]


def _ambiguous(name: str, called: list[_Subject]) -> InputError:
    providers = ", ".join(one.provider for one in called)
    return InputError(f"{len(called)} subjects are called {shown(name)}", code="ambiguous_subject",
                      hint=f"name the provider: {providers}")  # fmt: skip


def _note(under_way: Write, one: _Subject, other: int, *, revoked: bool, reason: str | None) -> None:
    line = {"alias_id": one.number, "canonical_id": other, "revoked": revoked, "reason": reason}
    under_way.transaction.file("log/alias", line | {"recorded_at": under_way.recorded_at})
