"""Everything that asks a base: each method takes the basis and delegates to the room that answers."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from claimbase import ingest, questions
from claimbase.claims import claim_number
from claimbase.constraints import Condition, conditions
from claimbase.errors import ClaimNotFoundError, StoreError, shown
from claimbase.store import Db, Moment, Rows, resolve
from claimbase.temporal import AsOf, Basis, iso
from claimbase.vocabulary import Vocabulary

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


class Reading:
    """What can be asked of an open base; the basis is as_of, observed_by, recorded_by (default: now)."""

    def __init__(self, db: Db) -> None:
        self.db = db
        self._vocabularies: dict[datetime | None, Vocabulary] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        (row,) = self.db.file("queries/totals").dicts()
        return f"<claimbase {self.db.name}: {row['claims']:,} claims about {row['subjects']:,} subjects>"

    def close(self) -> None:
        """Close the base and give up its lock."""
        self.db.close()

    # -- the basis and the vocabulary -----------------------------------------------------------------------------

    def basis(
        self,
        as_of: AsOf | Moment | None = None,
        observed_by: Moment | None = None,
        recorded_by: Moment | None = None,
        *,
        then: bool = False,
    ) -> Basis:
        """Resolve a basis (A1-A5); see :func:`claimbase.store.resolve`."""
        return resolve(self.db, as_of, observed_by, recorded_by, then=then)

    def vocabulary(self, basis: Basis | None = None) -> Vocabulary:
        """Give the predicates declared by the basis (A6); before any was, those of now, so that words can be read."""
        recorded_by = (basis or self.basis()).recorded_by
        ((key,),) = self.db.file("queries/declared_at", {"recorded_by": recorded_by}).rows
        if key is None and basis is not None:
            return self.vocabulary()
        if key not in self._vocabularies:
            self._vocabularies[key] = ingest.vocabulary_at(self.db, recorded_by)
        return self._vocabularies[key]

    # -- asking ---------------------------------------------------------------------------------------------------
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
                limit, offset; see :func:`claimbase.answers.answer`.

        Raises:
            ConstraintError, VocabularyError, InstantError.
        """
        from claimbase import answers

        basis = self.basis(as_of, observed_by, recorded_by, then=then)
        given = [item for one in constraints for item in conditions(one)]
        return answers.answer(self.db, self.vocabulary(basis), given, basis, **options)

    def read(self, question: str, *, now: datetime | None = None) -> questions.Reading:
        """Read a question in words without answering it: what was understood, and what was not."""
        basis = self.basis()
        rows = self.db.file("queries/names").rows
        names = questions.Names(
            tuple(dict.fromkeys(name for _, name in rows)), tuple(dict.fromkeys(provider for provider, _ in rows))
        )
        return questions.read_question(question, self.vocabulary(basis), names, now=now or basis.now)

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
        """
        from claimbase.asking import Asked, answered, check_understood

        reading = self.read(question)
        check_understood(reading, go_on=go_on)
        basis = self.basis(
            reading.as_of or as_of, reading.observed_by or observed_by, reading.recorded_by or recorded_by,
            then=reading.then or then,
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
            subject, predicate, provider: whose, of what.
            during: a half-open window; it selects segments and does not cut them.
            by: recorded or observed: tell also what was believed before, along that axis.
            as_of, observed_by, recorded_by, then: the basis.
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
            during: a half-open window; all_time: no window at all; neither: at as_of.
            options: subjects, predicates, providers, information.
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
        """Give the age of the evidence: newest and oldest observation, stale counts by predicate (Q9)."""
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
            options: subjects, providers, providers_not, sources, source_types, authorities.

        Raises:
            ConstraintError, VocabularyError, InstantError.
        """
        from claimbase.answers.intervals import when

        basis = self.basis(as_of, observed_by, recorded_by, then=then)
        given = [item for one in constraints for item in conditions(one)]
        return when(self.db, self.vocabulary(basis), given, basis, during=during, **options)

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
            InputError: [mixed_axes] more than one axis moves, or another than the one named; [bad_axis].
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
        """Join predicates of a subject at every instant: one row for each stretch in which all stand still (H4)."""
        from claimbase.analysis.joins import join

        basis = self.basis(as_of, observed_by, recorded_by, then=then)
        return join(self.db, self.vocabulary(basis), basis, subject, predicates, provider=provider)

    def relation(
        self, claim_id: str, other_id: str, *, observed_by: Moment | None = None, recorded_by: Moment | None = None
    ) -> Related:
        """Say how the valid intervals of two claims lie to each other, in Allen's thirteen words (H4)."""
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
            subject, provider: whom to explain.
            constraints, options: as for :meth:`answer`.
            as_of, observed_by, recorded_by, then: the basis.

        Raises:
            ConstraintError, VocabularyError, InstantError.
        """
        from claimbase.answers.explaining import explain

        basis = self.basis(as_of, observed_by, recorded_by, then=then)
        given = [item for one in constraints for item in conditions(one)]
        return explain(self.db, self.vocabulary(basis), given, basis, subject, provider=provider, **options)

    def reviews(self) -> list[dict[str, Any]]:
        """List what a person should look at: pages found changed without a successor named, and not read since (W2)."""
        return self.db.file("queries/reviews").dicts()

    # -- browsing -------------------------------------------------------------------------------------------------

    def get(self, claim_id: str) -> dict[str, Any]:
        """Give one claim whole: what it says, every version ever recorded, every reading.

        Raises:
            ClaimNotFoundError: the base holds no such claim; [erased] it was erased, with the reason and the instant.
        """
        number, basis = {"claim_no": claim_number(claim_id)}, self.basis()
        known = {"observed_by": basis.observed_by, "recorded_by": basis.recorded_by}
        versions = self.db.file("queries/claim", number | known).dicts()
        if not versions:
            for reason, erased_at in self.db.file("queries/erased", number):
                told = f"{claim_id} was erased at {iso(erased_at)}: {shown(reason)}"
                raise ClaimNotFoundError(told, code="erased", hint="its content is gone at every basis", reason=reason)
            raise ClaimNotFoundError(f"the base holds no claim {claim_id}", hint="kb.claims() lists them")
        axes = (
            "from_earliest", "from_latest", "until_earliest", "until_latest", "observed_at", "observed_from",
            "observed_until", "recorded_at", "retracted_at", "retraction", "quote",
        )  # fmt: skip
        said = {name: value for name, value in versions[-1].items() if name not in axes or name == "quote"}
        history = [{name: version[name] for name in axes} for version in versions]
        return said | {"versions": history, "readings": self.db.file("queries/readings", number).dicts()}

    def claims(
        self,
        subject: str | None = None,
        predicate: str | None = None,
        source: str | None = None,
        *,
        provider: str | None = None,
        observed_by: Moment | None = None,
        recorded_by: Moment | None = None,
        limit: int = 1000,
    ) -> list[dict[str, Any]]:
        """List visible claims, narrowed by names; the predicate's aliases are included (P2).

        Args:
            subject, provider, predicate: names.
            source: a url or source id.
            limit: how many at most.
        """
        basis = self.basis(None, observed_by, recorded_by)
        names = None
        if predicate is not None:
            found = self.vocabulary(basis).find(predicate)
            names = [predicate] if found is None else [found.name, *(alias.name for alias in found.aliases)]
        return self.db.file("queries/claims", {
            "subject": subject, "provider": provider, "predicate": names, "source": source, "limit": limit,
            "observed_by": basis.observed_by, "recorded_by": basis.recorded_by,
        }).dicts()  # fmt: skip

    def describe(self) -> dict[str, Any]:
        """Tell what can be asked: the predicates with their kinds, units and operators, and how much the base holds."""
        from claimbase.constraints import allowed_operators

        use = {name: claims for name, claims, _ in self.db.file("queries/predicate_use")}
        predicates = [
            {
                "name": predicate.name, "kind": predicate.kind, "unit": predicate.unit,
                "cardinality": predicate.cardinality, "description": predicate.description,
                "aliases": [alias.name for alias in predicate.aliases], "words": list(predicate.words),
                "operators": list(allowed_operators(predicate.kind)),
                "claims": sum(use.get(name, 0) for name in (predicate.name, *(a.name for a in predicate.aliases))),
            }
            for predicate in self.vocabulary()
        ]  # fmt: skip
        (totals,) = self.db.file("queries/totals").dicts()
        providers = sorted({provider for provider, _ in self.db.file("queries/names")})
        return {"totals": totals, "predicates": predicates, "providers": providers}

    def sql(self, query: str) -> Rows:
        """Run one SELECT of your own on a locked reader: no file, no write, no setting is in reach (C8, G14).

        Raises:
            StoreError: [not_a_reader] the base is open for writing.
            InputError: the statement is no single SELECT over schema cb.
        """
        from claimbase.compiler.gate import check_select

        if not self.db.read_only:
            raise StoreError("free SQL needs a locked reader", code="not_a_reader", hint="open the base read_only=True")
        check_select(query)
        return self.db.query(query)
