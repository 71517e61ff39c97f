"""Answering a watch at one instant, and telling what changed since another."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from claimbase import answers
from claimbase.answers import Answer, SubjectAnswer
from claimbase.answers.intervals import next_change, next_stale
from claimbase.answers.model import supporting
from claimbase.constraints import Condition, Constraint, group_members
from claimbase.store import Db, resolve
from claimbase.temporal import Basis
from claimbase.vocabulary import Vocabulary
from claimbase.watches.bundle import Bundle
from claimbase.watches.changes import Change, Ids, Standing, changes, seen

Key = tuple[str, str]
"""A subject: its provider and its name."""
_NOWHERE = Standing()


@dataclass(frozen=True, slots=True)
class Evaluation:
    """How the subjects of a watch stand at one instant, and when that may change by the clock alone.

    Args:
        at: the instant, on all three axes.
        standings: the subjects that are eligible or disputed.
        next_change_at, next_stale_at: when it is due again though nothing is written.
        batch: the newest batch it could see.
        vocabulary: the digest of the predicates it was read with.
        subjects, operands: what the answer says of these subjects, and the claims they are compared with (Q14); not
            stored.
    """

    at: datetime
    standings: Mapping[Key, Standing]
    next_change_at: datetime | None = None
    next_stale_at: datetime | None = None
    batch: int | None = None
    vocabulary: str = ""
    subjects: Mapping[Key, SubjectAnswer] = field(default_factory=dict, repr=False)
    operands: Ids = field(default=frozenset(), repr=False)


@dataclass(frozen=True, slots=True)
class Step:
    """An evaluation beside the one before it: the subjects that stand otherwise, and their events in order."""

    evaluation: Evaluation
    moved: Mapping[Key, Standing]
    events: tuple[tuple[Key, Change], ...]


@dataclass(frozen=True, slots=True)
class Asking:
    """A bundle, and the base it is asked of."""

    db: Db
    vocabulary: Callable[[Basis], Vocabulary]
    bundle: Bundle

    def check(self, at: datetime) -> None:
        """Answer with every option, so that none is kept that cannot be asked with.

        Raises:
            ConstraintError, VocabularyError, InputError: as an answer does.
        """
        basis = self._basis(at)
        answers.answer(self.db, self.vocabulary(basis), self.bundle.constraints, basis, **self.bundle.options)

    def first(self, at: datetime) -> Step:
        """Answer for the first time: whoever is eligible has entered."""
        return self._step(None, self._evaluated(at))

    def next(self, last: Evaluation, at: datetime) -> Step:
        """Answer at a later instant and compare.

        Raises:
            ConstraintError, VocabularyError: the predicates as declared then do not fit the constraints.
        """
        return self._step(last, self._evaluated(at))

    def announced(self, step: Step) -> Step:
        """Add to an evaluation when a subject next changes its bucket if nothing is written (Q5)."""
        basis = self._basis(step.evaluation.at)
        words = self.vocabulary(basis)
        due = next_change(self.db, words, self.bundle.constraints, basis, **self.bundle.asked)
        return replace(step, evaluation=replace(step.evaluation, next_change_at=due))

    def moments(self, after: datetime, until: datetime) -> list[datetime]:
        """List the instants after one and up to another at which something was written or a claim's bound passed.

        A bound of a claim may hand the evidence from one claim to another although no subject changes its bucket.
        """
        words = self.vocabulary(self._basis(until))
        names = sorted({words.get(name).name for one in self.bundle.constraints for name in _predicates(one)})
        span = {"after": after, "until": until, "predicates": names}
        writes, bounds = self.db.file("queries/watch_writes", span), self.db.file("queries/watch_bounds", span)
        return sorted({row[0] for row in (*writes, *bounds)})

    def _evaluated(self, at: datetime) -> Evaluation:
        words, answer = self._answer(at, near_limit=0, count_asked=False)
        stale = frozenset(answer.freshness.stale_claims)
        found = {(one.provider, one.subject): one for one in (*answer.eligible, *answer.disputed)}
        return Evaluation(
            at=at,
            standings={key: _standing(one, stale) for key, one in found.items()},
            next_stale_at=next_stale(answer, words),
            batch=answer.basis.batch,
            vocabulary=words.digest,
            subjects=found,
            operands=_operands(answer),
        )

    def _step(self, last: Evaluation | None, now: Evaluation) -> Step:
        before = last.standings if last else {}
        moved = {
            key: now.standings.get(key, _NOWHERE)
            for key in sorted(before.keys() | now.standings.keys())
            if before.get(key) != now.standings.get(key)
        }
        was, were = self._closer(last, moved)
        looked, are = self._closer(now, moved)
        events = tuple(
            (key, change)
            for key, standing in moved.items()
            for change in changes(
                seen(before.get(key, _NOWHERE), was.get(key), were), seen(standing, looked.get(key), are)
            )
        )
        return Step(now, moved, events)

    def _closer(self, one: Evaluation | None, keys: Collection[Key]) -> tuple[Mapping[Key, SubjectAnswer], Ids]:
        """Give some subjects whatever their verdicts, and the claims they are compared with; ask for those not seen."""
        missing = [key for key in keys if one and key not in one.subjects]
        if one is None or not missing:
            return (one.subjects, one.operands) if one else ({}, frozenset())
        _, answer = self._answer(one.at, subjects=sorted({name for _, name in missing}), count_asked=False)
        found = {(subject.provider, subject.subject): subject for subject in answer.subjects()}
        return found | dict(one.subjects), _operands(answer)

    def _answer(self, at: datetime, **options: object) -> tuple[Vocabulary, Answer]:
        basis = self._basis(at)
        words = self.vocabulary(basis)
        return words, answers.answer(self.db, words, self.bundle.constraints, basis, **self.bundle.asked | options)

    def _basis(self, at: datetime) -> Basis:
        return resolve(self.db, at, at, at)


def _predicates(condition: Condition) -> Iterator[str]:
    """Yield every predicate a condition names, those of its operands too (Q14)."""
    if not isinstance(condition, Constraint):
        for member in group_members(condition)[1]:
            yield from _predicates(member)
        return
    yield condition.predicate
    if condition.value_of is not None and condition.value_of.predicate is not None:
        yield condition.value_of.predicate


def _operands(answer: Answer) -> Ids:
    return frozenset(one.claim_id for one in answer.operands)


def _standing(one: SubjectAnswer, stale: Ids) -> Standing:
    claims = frozenset(cited.claim_id for cited in supporting(one)) if one.eligible else frozenset()
    disputed = one.bucket == "disputed"
    return Standing(one.eligible, disputed, claims, _sides(one) if disputed else frozenset(), claims & stale)


def _sides(one: SubjectAnswer) -> Ids:
    """Give the certain claims that speak to what is disputed."""
    return frozenset(
        cited.claim_id
        for cited in one.citations
        if cited.constraint is not None and cited.certain and cited.role in ("yes", "no", "absence")
        and one.verdicts[cited.constraint].verdict == "disputed"
    )  # fmt: skip
