"""Everything that asks a base: each method takes the basis and delegates to the room that answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeAlias

from claimbase import questions
from claimbase.base.arguments import checked
from claimbase.base.browsing import Browsing
from claimbase.compiler import TEST_LIMIT
from claimbase.constraints import Condition, Constraint, conditions
from claimbase.errors import LimitError
from claimbase.pausing import without_collector
from claimbase.store import Moment, resolve
from claimbase.temporal import AsOf

if TYPE_CHECKING:
    from claimbase.analysis.contradictions import ContradictionReport
    from claimbase.analysis.diff import Diff
    from claimbase.analysis.freshness import Freshness
    from claimbase.analysis.history import History
    from claimbase.analysis.intervals import When
    from claimbase.analysis.joins import Joined
    from claimbase.analysis.relations import Related
    from claimbase.answers import Answer
    from claimbase.answers.explaining import Explanation
    from claimbase.asking import Asked

ConstraintInput: TypeAlias = str | Mapping[str, Any] | Condition


@checked
class Reading(Browsing):
    """What can be asked of an open base; the basis is as_of, observed_by, recorded_by (default: now)."""

    def answer(
        self,
        *constraints: ConstraintInput,
        as_of: AsOf | Moment | None = None,
        observed_by: Moment | None = None,
        recorded_by: Moment | None = None,
        then: bool = False,
        **options: Any,
    ) -> Answer:
        """Answer constraints: who satisfies all of them by evidence, with a citation for every value (Q1-Q13).

        Args:
            constraints: text (``"context_window >= 128K"``), mappings, or Constraint and group objects.
            as_of, observed_by, recorded_by, then: the basis.
            options: policy, providers, providers_not, subjects, sources, source_types, authorities, show, order_by,
                limit, offset, near_limit, everyone, count_asked; see :func:`claimbase.answers.answer`.

        Raises:
            ConstraintError, VocabularyError, InstantError, LimitError.
            InputError: [bad_policy], [bad_limit].
            EvidenceError: [unknown_source_type], [unknown_authority].
        """
        from claimbase import answers

        basis = self.basis(as_of, observed_by, recorded_by, then=then)
        return answers.answer(self.db, self.vocabulary(basis), _given(constraints), basis, **options)

    def read(self, question: str, *, now: datetime | None = None) -> questions.Reading:
        """Read a question in words without answering it: what was understood, and what was not.

        Args:
            question: in English.
            now: the instant that "today" and "since March" are counted from; None = now.
        """
        basis = resolve(self.db, now=now)
        rows = self.db.file("queries/names").rows
        names = questions.Names(
            tuple(dict.fromkeys(name for _, name in rows)), tuple(dict.fromkeys(provider for provider, _ in rows))
        )
        return questions.read_question(question, self.vocabulary(basis), names, now=basis.now)

    def ask(
        self,
        question: str,
        *,
        as_of: AsOf | Moment | None = None,
        observed_by: Moment | None = None,
        recorded_by: Moment | None = None,
        then: bool = False,
        go_on: bool = False,
        **options: Any,
    ) -> Asked:
        """Answer a question in words: words -> constraints (shown) -> answer.

        Args:
            question: for example ``128K+ context, under $2/M input, as of March 1, 2026``.
            as_of, observed_by, recorded_by, then: the basis, where the words do not name one.
            go_on: answer the part that was understood although something was left over.
            options: as for :meth:`answer`, where the words say nothing.

        Raises:
            QuestionError: [not_understood] something was left over and go_on is not set; [not_answered] the words ask
                for what this version does not answer yet. ``details["reading"]`` holds what was understood.
            ConstraintError, VocabularyError, InstantError, InputError: as for :meth:`answer`.
        """
        from claimbase.asking import Asked, answered, check_understood

        now = self.basis().now
        reading = self.read(question, now=now)
        check_understood(reading, go_on=go_on)
        basis = resolve(
            self.db, reading.as_of or as_of, reading.observed_by or observed_by, reading.recorded_by or recorded_by,
            then=reading.then or then, now=now,
        )  # fmt: skip
        return Asked(reading, answered(self.db, self.vocabulary(basis), reading, basis, options))

    def history(
        self,
        subject: str,
        predicate: str | None = None,
        *,
        provider: str | None = None,
        during: tuple[Moment | None, Moment | None] | None = None,
        by: str | None = None,
        as_of: AsOf | Moment | None = None,
        observed_by: Moment | None = None,
        recorded_by: Moment | None = None,
        then: bool = False,
    ) -> History:
        """Give the segments of a subject's claims: current, upcoming, historical, retracted, with gaps (H1).

        Args:
            subject: a name or alias; of one that nothing is called the history is empty and names the nearest.
            predicate: one predicate; None = all.
            provider: only subjects of this provider; None = all.
            during: a half-open window; it selects segments and does not cut them.
            by: recorded or observed: tell also what was believed before, along that axis.
            as_of, observed_by, recorded_by, then: the basis.

        Raises:
            InstantError; IntervalError: the window is empty or inverted (B3).
            InputError: [bad_axis] *by* is no axis of knowledge.
        """
        from claimbase.analysis.history import history

        basis = self.basis(as_of, observed_by, recorded_by, then=then)
        return history(self.db, basis, subject, predicate, provider=provider, during=during, by=by)

    def contradictions(
        self,
        *,
        during: tuple[Moment | None, Moment | None] | None = None,
        all_time: bool = False,
        as_of: AsOf | Moment | None = None,
        observed_by: Moment | None = None,
        recorded_by: Moment | None = None,
        then: bool = False,
        **options: Any,
    ) -> ContradictionReport:
        """Find where claims of one slot cannot both hold: at as_of, in a window, or over all time (K1-K10).

        Args:
            during: a half-open window; it selects disputes and does not cut them.
            all_time: look at all of valid time; without it and a window, at as_of.
            as_of, observed_by, recorded_by, then: the basis.
            options: subjects, predicates, providers, information, at; see
                :func:`claimbase.analysis.contradictions.contradictions`.

        Raises:
            InstantError; IntervalError: the window is empty or inverted (B3).
            InputError: [two_windows] more than one of at, during and all_time.
        """
        from claimbase.analysis.contradictions import contradictions

        basis = self.basis(as_of, observed_by, recorded_by, then=then)
        return contradictions(self.db, basis, during=during, all_time=all_time, **options)

    def freshness(
        self,
        *,
        as_of: AsOf | Moment | None = None,
        observed_by: Moment | None = None,
        recorded_by: Moment | None = None,
        then: bool = False,
        **options: Any,
    ) -> Freshness:
        """Give the age of the evidence: newest and oldest observation, stale counts by predicate (Q9).

        Args:
            as_of, observed_by, recorded_by, then: the basis; ages are taken at its observed_by.
            options: subjects, predicates, providers, stale_days; see :func:`claimbase.analysis.freshness.freshness`.

        Raises:
            InstantError; InputError: [out_of_range] stale_days is no number of days.
        """
        from claimbase.analysis.freshness import freshness

        return freshness(self.db, self.basis(as_of, observed_by, recorded_by, then=then), **options)

    def when(
        self,
        *constraints: ConstraintInput,
        during: tuple[Moment | None, Moment | None] | None = None,
        as_of: AsOf | Moment | None = None,
        observed_by: Moment | None = None,
        recorded_by: Moment | None = None,
        then: bool = False,
        **options: Any,
    ) -> When:
        """Give the maximal intervals in which all constraints hold at the same time, by subject (Q5).

        Args:
            constraints: as for :meth:`answer`.
            during: a half-open window to look at; None = all of valid time.
            as_of, observed_by, recorded_by, then: the basis; next_change_at is counted from its valid_at.
            options: extent, limit, subjects, providers, providers_not, sources, source_types, authorities; see
                :func:`claimbase.answers.intervals.when`.

        Raises:
            ConstraintError, VocabularyError, InstantError, LimitError.
            IntervalError: the window is empty or inverted (B3).
            InputError: [bad_extent], [bad_limit].
            EvidenceError: [unknown_source_type], [unknown_authority].
        """
        from claimbase.answers.intervals import when

        basis = self.basis(as_of, observed_by, recorded_by, then=then)
        return when(self.db, self.vocabulary(basis), _given(constraints), basis, during=during, **options)

    def diff(
        self,
        a: AsOf | Moment | Mapping[str, Any] | None = None,
        b: AsOf | Moment | Mapping[str, Any] | None = None,
        *,
        axis: str | None = None,
        **options: Any,
    ) -> Diff:
        """Say what differs between two bases: world_changed, learned, corrected, retracted, erased, re_evidenced (H2).

        Args:
            a, b: an instant (of the axis named; of valid time if none is, of all three for "all"), an AsOf, or a
                mapping with as_of, observed_by, recorded_by; what is left out is now, the same for both.
            axis: valid, observed or recorded: the one that moves; all: every one that does, step by step.
            options: subjects, predicates, providers.

        Raises:
            InputError: [mixed_axes] more than one axis moves, or another than the one named; [bad_axis];
                [extra_field] a basis has no such field.
            InstantError.
        """
        from claimbase.analysis.diff import diff

        return diff(self.db, a, b, axis=axis, **options)

    def join(
        self,
        subject: str,
        *predicates: str,
        provider: str | None = None,
        as_of: AsOf | Moment | None = None,
        observed_by: Moment | None = None,
        recorded_by: Moment | None = None,
        then: bool = False,
    ) -> Joined:
        """Join predicates of a subject at every instant: one row for each stretch in which all stand still (H4).

        Args:
            subject: a name or alias; of one that nothing is called the join is empty and names the nearest.
            predicates: names or aliases; at least one.
            provider: only subjects of this provider; None = all.
            as_of, observed_by, recorded_by, then: the basis; its valid_at plays no part.

        Raises:
            InputError: [no_predicates] none is named.
            VocabularyError: [unknown_predicate] one is neither declared nor used.
            InstantError.
        """
        from claimbase.analysis.joins import join

        basis = self.basis(as_of, observed_by, recorded_by, then=then)
        return join(self.db, self.vocabulary(basis), basis, subject, predicates, provider=provider)

    def relation(
        self, claim_id: str, other_id: str, *, observed_by: Moment | None = None, recorded_by: Moment | None = None
    ) -> Related:
        """Say how the valid intervals of two claims lie to each other, in Allen's thirteen words (H4).

        Args:
            claim_id, other_id: the claims; they may be about different things.
            observed_by, recorded_by: what was known; None = now.

        Raises:
            InputError: [bad_claim_id] one is no claim id.
            ClaimNotFoundError: the base holds no such claim, or none of its versions at the basis.
            InstantError.
        """
        from claimbase.analysis.relations import related

        return related(self.db, self.basis(None, observed_by, recorded_by), claim_id, other_id)

    def explain(
        self,
        subject: str,
        *constraints: ConstraintInput,
        provider: str | None = None,
        as_of: AsOf | Moment | None = None,
        observed_by: Moment | None = None,
        recorded_by: Moment | None = None,
        then: bool = False,
        **options: Any,
    ) -> Explanation:
        """Say why a subject is in the answer or not, constraint by constraint, over the evidence (Q1, Q3).

        Args:
            subject, provider: whom to explain; the provider where the name alone is not unique.
            constraints: as for :meth:`answer`.
            as_of, observed_by, recorded_by, then: the basis.
            options: policy, providers, providers_not, sources, source_types, authorities; see
                :func:`claimbase.answers.explaining.explain`.

        Raises:
            InputError: [unknown_subject] nothing is called so; [ambiguous_subject] several subjects are.
            ConstraintError, VocabularyError, InstantError, LimitError, EvidenceError: as for :meth:`answer`.
        """
        from claimbase.answers.explaining import explain

        basis = self.basis(as_of, observed_by, recorded_by, then=then)
        return explain(
            self.db, self.vocabulary(basis), _given(constraints), basis, subject, provider=provider, **options
        )


@without_collector()
def _given(constraints: Iterable[ConstraintInput]) -> list[Condition]:
    """Read constraints however they were passed; a text may hold several.

    Raises:
        LimitError: [too_many] no question may ask so much; nothing is read to the end for it.
    """
    found: list[Condition] = []
    for one in constraints:
        found += (one,) if isinstance(one, Constraint) else conditions(one)
        if len(found) > TEST_LIMIT:
            raise LimitError(f"more than {TEST_LIMIT:,} constraints", code="too_many", hint="ask in several questions")
    return found
