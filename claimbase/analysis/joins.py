"""Joins over time: the values of several predicates of a subject at every instant, cut at each change (H4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from claimbase.analysis.cite import Citation, citations
from claimbase.analysis.result import Result, plain
from claimbase.analysis.subjects import instead
from claimbase.analysis.windows import chosen_ids
from claimbase.errors import InputError
from claimbase.present.words import agreed, counted
from claimbase.store import Db
from claimbase.temporal import Basis, Interval
from claimbase.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of valid time in which every predicate has a value and none changes.

    Args:
        values: by predicate, as written; where claims write it differently, as it was read, with its unit (V9); None
            where the content was erased.
        interval: from when until when; half-open.
        certain: whether all values certainly hold, or some only possibly (T2).
        claims: by predicate, newest observation first, ties by claim id.
    """

    provider: str
    subject: str
    values: Mapping[str, str | None]
    interval: Interval
    certain: bool
    claims: Mapping[str, tuple[Citation, ...]]

    def to_json(self) -> dict[str, Any]:
        """Give the stretch as plain data."""
        names = ("provider", "subject", "values", "interval", "certain", "claims")
        return {name: plain(getattr(self, name)) for name in names}


@dataclass(frozen=True, slots=True, repr=False)
class Joined(Result):
    """The stretches of a subject in which all predicates asked have a value.

    Args:
        subject: as asked.
        predicates: in the order asked, by the name each is declared with.
        stretches: by provider, subject and start; the certain before the possible, then by value.
        basis: what was known.
        nearest: where nothing was ever called so: the subjects whose names are spelled nearest.
    """

    subject: str
    predicates: tuple[str, ...]
    stretches: tuple[Stretch, ...]
    basis: Basis
    nearest: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the rows: the predicates stand among them."""
        return ("provider", "subject", *self.predicates, "from", "until", "certain", "claims")

    @property
    def summary(self) -> str:
        """Say how many stretches there are."""
        together = " and ".join(self.predicates)
        if not self.stretches:
            near = f"; nearest: {', '.join(self.nearest)}" if self.nearest else ""
            return f"at no instant does {self.subject} have a value of {together}{near}"
        doubtful = sum(not one.certain for one in self.stretches)
        aside = f", {doubtful} only possible" if doubtful else ""
        return f"{counted(len(self.stretches), 'stretch', 'stretches')} of {self.subject} with {together}{aside}"

    def rows(self) -> list[dict[str, Any]]:
        """Give one row per stretch: each predicate with its value, from, until, and the claim ids."""
        return [dict(zip(self.columns, _cells(one), strict=True)) for one in self.stretches]

    def to_json(self) -> dict[str, Any]:
        """Give the join as plain data."""
        names = ("subject", "summary", "predicates", "stretches", "basis", "nearest")
        return {name: plain(getattr(self, name)) for name in names}


def join(
    db: Db,
    vocabulary: Vocabulary,
    basis: Basis,
    subject: str,
    predicates: Sequence[str],
    *,
    provider: str | None = None,
) -> Joined:
    """Join predicates of a subject at every instant of valid time, as the basis knows it (H4).

    Claims with a scope and absence claims give no value. Where values of one predicate disagree, each combination is a
    stretch of its own. Nothing known of a subject is an empty join, as it is an empty history.

    Args:
        db: the base.
        vocabulary: the predicates declared by the basis.
        basis: what was known; its valid_at plays no part.
        subject: a name or alias, in any case.
        predicates: names or aliases; at least one.
        provider: only subjects of this provider; None = all.

    Raises:
        InputError: [no_predicates] none is named.
        VocabularyError: [unknown_predicate] one is neither declared nor used.
    """
    if not predicates:
        raise InputError("a join needs predicates", code="no_predicates", hint="name two or more")
    columns = _columns(db, vocabulary, basis, predicates)
    numbers = [number for number in columns.values() if number is not None]
    chosen = chosen_ids(db, basis, subjects=[subject], providers=[provider] if provider else [])
    asked = {"subjects": chosen["subjects"] if len(numbers) == len(columns) else [], "predicates": numbers}
    axes = {"observed_by": basis.observed_by, "recorded_by": basis.recorded_by}
    found = db.file("queries/join", axes | asked).dicts()
    cited = citations(db, basis, (one for row in found for step in row["versions"] for said in step for one in said))
    near = () if found else instead(db, basis, subject, provider)
    return Joined(subject, tuple(columns), tuple(_stretch(row, tuple(columns), cited) for row in found), basis, near)


def _columns(db: Db, vocabulary: Vocabulary, basis: Basis, predicates: Sequence[str]) -> dict[str, int | None]:
    """Find the declared name and the number of each predicate, in the order asked; two names of one are one column."""
    called = {name: known.name if (known := vocabulary.find(name)) else name for name in predicates}
    names = {"names": list(called.values()), "recorded_by": basis.recorded_by}
    found = {asked: (name, number) for asked, number, name in db.file("queries/predicates_meant", names)}
    columns: dict[str, int | None] = {}
    for given, asked in called.items():
        # Not used by the basis: declared since, or unknown.
        name, number = found.get(asked) or (vocabulary.get(given).name, None)
        columns.setdefault(name, number)
    return columns


def _stretch(row: Mapping[str, Any], columns: Sequence[str], cited: Mapping[int, Citation]) -> Stretch:
    claims = {
        name: _newest_first(cited[version] for step in row["versions"] for version in step[place])
        for place, name in enumerate(columns)
    }
    values = {name: agreed([_written(one) for one in ones]) for name, ones in claims.items()}
    interval = Interval(row["since"], row["before"])
    return Stretch(row["provider"], row["subject"], values, interval, row["certain"], claims)


def _written(one: Citation) -> dict[str, Any]:
    return {name: plain(getattr(one, name)) for name in ("value", "unit", "value_min", "value_max")}


def _newest_first(versions: Iterable[Citation]) -> tuple[Citation, ...]:
    """Give each claim once, with its newest version; newest observation first, ties by claim id (C16)."""
    by_claim = {one.claim_id: one for one in sorted(versions, key=lambda one: (one.recorded_at, one.observed_at))}
    return tuple(
        sorted(sorted(by_claim.values(), key=lambda one: one.claim_id), key=lambda one: one.newest, reverse=True)
    )


def _cells(one: Stretch) -> tuple[Any, ...]:
    cited = [claim.claim_id for claims in one.claims.values() for claim in claims]
    return one.provider, one.subject, *one.values.values(), one.interval.start, one.interval.end, one.certain, cited
