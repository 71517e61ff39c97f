"""Gaps: which required predicates a subject has no claim for at a basis (B7: no claim is neither false nor absent)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from claimbase.analysis.result import Result, plain
from claimbase.analysis.windows import chosen_ids
from claimbase.errors import InputError
from claimbase.evidence.terms import Coverage
from claimbase.present.words import counted
from claimbase.store import Db
from claimbase.temporal import Basis
from claimbase.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Covered:
    """Whether a subject has a required claim.

    Args:
        status: filled; confirmed-absent where its sources say that there is none; gap where nothing is said.
        claims: how many claims hold.
        certain: at least one of them certainly holds.
    """

    provider: str
    subject: str
    predicate: str
    status: Coverage
    claims: int
    certain: bool

    def to_json(self) -> dict[str, Any]:
        """Give the row as plain data."""
        names = ("provider", "subject", "predicate", "claims", "certain")
        return {name: getattr(self, name) for name in names} | {"status": self.status.value}


@dataclass(frozen=True, slots=True, repr=False)
class Gaps(Result):
    """How far some subjects are covered.

    Args:
        covered: one row per subject and required predicate, by provider, subject, and the order of the predicates.
        required: the predicates' declared names.
        basis: what was known, and the instant.
    """

    covered: tuple[Covered, ...]
    required: tuple[str, ...]
    basis: Basis

    COLUMNS: ClassVar[tuple[str, ...]] = ("provider", "subject", "predicate", "status", "claims", "certain")

    @property
    def counts(self) -> dict[str, int]:
        """How many rows there are of each status."""
        statuses = [row.status for row in self.covered]
        return {status.value: statuses.count(status) for status in Coverage}

    @property
    def summary(self) -> str:
        """Say the result in one sentence."""
        subjects = len({(row.provider, row.subject) for row in self.covered})
        told = ", ".join(f"{number} {status}" for status, number in self.counts.items())
        wanted = f"{counted(subjects, 'subject')}, {counted(len(self.required), 'required predicate')}"
        return f"{wanted}: {told}" if self.covered else "no subjects"

    def rows(self) -> list[dict[str, Any]]:
        """Give one row per subject and required predicate."""
        return [{name: row.to_json()[name] for name in self.COLUMNS} for row in self.covered]

    def to_json(self) -> dict[str, Any]:
        """Give the result as plain data."""
        return {
            "summary": self.summary, "counts": self.counts, "required": list(self.required), "rows": self.rows(),
            "basis": plain(self.basis),
        }  # fmt: skip


def gaps(
    db: Db,
    vocabulary: Vocabulary,
    basis: Basis,
    *,
    required: Sequence[str],
    subjects: Sequence[str] = (),
    providers: Sequence[str] = (),
) -> Gaps:
    """Tell which required predicates the subjects of a base have a claim for, at the basis' valid_at.

    A claim of any scope fills a predicate, also one that only possibly holds; one of a withdrawn source does not (R2).

    Args:
        db: the base.
        vocabulary: the predicates declared by the basis.
        basis: what was known, and the instant. The subjects are those with a claim visible at it.
        required: names or aliases of predicates; at least one.
        subjects, providers: names to look at; empty = all.

    Raises:
        InputError: [no_predicates] none is named.
        VocabularyError: [unknown_predicate] one is neither declared nor used.
    """
    if not required:
        raise InputError("no predicate is required", code="no_predicates", hint="name one or more")
    names = _names(db, vocabulary, basis, required)
    chosen = chosen_ids(db, basis, subjects=subjects, providers=providers)
    asked = {
        "valid_at": basis.valid_at, "observed_by": basis.observed_by, "recorded_by": basis.recorded_by,
        "required": list(names), "subjects": chosen["subjects"],
    }  # fmt: skip
    found = db.file("queries/gaps", asked).dicts()
    return Gaps(tuple(Covered(**row | {"status": Coverage(row["status"])}) for row in found), names, basis)


def _names(db: Db, vocabulary: Vocabulary, basis: Basis, required: Sequence[str]) -> tuple[str, ...]:
    """Give the name under which each predicate's claims stand, in the order asked; two names of one are one."""
    called = [known.name if (known := vocabulary.find(name)) else name for name in required]
    asked = {"names": called, "recorded_by": basis.recorded_by}
    found = {name: meant for name, _, meant in db.file("queries/predicates_meant", asked)}
    # Not used by the basis: declared since, or unknown.
    return tuple(dict.fromkeys(found.get(name) or vocabulary.get(name).name for name in called))
