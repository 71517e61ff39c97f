"""Explaining: why one subject is in an answer or not, constraint by constraint, over the evidence (Q1, Q3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from itertools import count
from typing import Any, ClassVar

from claimbase.analysis.result import Result, plain
from claimbase.analysis.subjects import meant
from claimbase.answers.asking import Asking, Policy, answer, narrowed_to, stated_in
from claimbase.answers.model import Answer, Citation, SubjectAnswer, Verdict, _Part
from claimbase.answers.naming import Condition, tests_of, text_of
from claimbase.answers.nearing import Nearest, nearest
from claimbase.answers.reasons import Heard, reason
from claimbase.answers.words import when
from claimbase.compiler import Wish
from claimbase.constraints import Group, Test
from claimbase.store import Db
from claimbase.temporal import Basis
from claimbase.values import folded
from claimbase.vocabulary import Vocabulary

Names = str | Iterable[str]
Row = Mapping[str, Any]

_SAYS = ("yes", "no", "maybe", "absence", "nothing")
_VISIBLE = ("active", "historical", "upcoming")
_BUCKETS = {"near_miss": "a near miss", "none": "in no bucket", "not_asked": "not asked"}


@dataclass(frozen=True, slots=True)
class Because(_Part):
    """Why one constraint or group has its verdict.

    Args:
        constraint: as text.
        predicate: what it tests; None for a group.
        verdict: met, disputed, possible, no_evidence, absent or failed (Q1); None if the subject is not asked at all.
        reason: who says what; or why nobody does.
        yes, no, maybe, absence, nothing: the claims by what they say; *role* tells why one says nothing.
        nearest: the nearest instant at which it would be met, if it is not and there is one.
        members: the same for the members of a group.
    """

    constraint: str
    predicate: str | None
    verdict: str | None
    reason: str
    yes: tuple[Citation, ...] = ()
    no: tuple[Citation, ...] = ()
    maybe: tuple[Citation, ...] = ()
    absence: tuple[Citation, ...] = ()
    nothing: tuple[Citation, ...] = ()
    nearest: Nearest | None = None
    members: tuple[Because, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Explanation(Result):
    """Why a subject is in an answer or not.

    Args:
        subject, provider: whom it is about, by the name that stands at the basis.
        bucket: eligible, disputed, possible, near_miss, none; or not_asked: no visible claim, or left out by a filter.
        eligible: satisfies every constraint under the policy asked for (Q2).
        reason: in one clause.
        constraints: one for each constraint stated, in order.
        basis: the instants it speaks of.
        filters: what the answer was narrowed to (Q12).
        answer: the answer it explains, narrowed to the subject, with its plan, SQL and parameters (A6).
    """

    subject: str
    provider: str
    bucket: str
    eligible: bool
    reason: str
    constraints: tuple[Because, ...]
    basis: Basis
    filters: Mapping[str, Any]
    answer: Answer

    COLUMNS: ClassVar[tuple[str, ...]] = (
        "constraint", "verdict", "reason", "says", "role", "certain", "value", "unit", "valid", "observed_at", "quote",
        "url", "claim_id",
    )  # fmt: skip

    @property
    def summary(self) -> str:
        """Say the result in one sentence."""
        return f"{self.subject} ({self.provider}) is {_BUCKETS.get(self.bucket, self.bucket)}: {self.reason}"

    def rows(self) -> list[dict[str, Any]]:
        """Give one row per claim of each constraint, in order; a constraint without any has one row."""
        return [row for because in _leaves(self.constraints) for row in _rows(because)]

    def to_json(self) -> dict[str, Any]:
        """Give the explanation as plain data."""
        names = [item.name for item in fields(self) if item.name != "answer"]
        told = {name: plain(getattr(self, name)) for name in names}
        return {"summary": self.summary} | told | {"sql": self.answer.sql, "params": plain(self.answer.params)}


def explain(
    db: Db,
    vocabulary: Vocabulary,
    conditions: Any,
    basis: Basis,
    subject: str,
    *,
    provider: str | None = None,
    policy: Policy = "certain",
    providers: Names = (),
    providers_not: Names = (),
    sources: Names = (),
    source_types: Names = (),
    authorities: Names = (),
) -> Explanation:
    """Explain why a subject is in the answer to some constraints, or not.

    Args:
        db: the base.
        vocabulary: the predicates as declared within the basis.
        conditions, basis, policy: as for :func:`claimbase.answers.answer`.
        subject, provider: whom to explain; the provider where the name alone is not unique.
        providers, providers_not: the answer's filter; a subject it leaves out is explained and not asked.
        sources, source_types, authorities: only claims of such sources count (Q12).

    Raises:
        InputError: [unknown_subject] nothing is called so; [ambiguous_subject] several subjects are; as for answer.
        ConstraintError, VocabularyError, LimitError, EvidenceError: as for answer.
    """
    number, whose, name, recorded_at = meant(db, basis, subject, provider)
    admitted: dict[str, Any] = {"sources": sources, "source_types": source_types, "authorities": authorities}
    found = answer(
        db, vocabulary, conditions, basis, policy=policy, subjects=name, providers=whose, everyone=True,
        count_asked=False, **admitted,
    )  # fmt: skip
    asking = Asking(db, vocabulary, basis, narrowed_to(subjects=name, providers=whose, **admitted))
    stated = stated_in(conditions, vocabulary, None)
    one = next(iter(found.subjects()), None)
    because = tuple(_Reasoning(asking, number, one).parts(stated))
    filters = narrowed_to(providers=providers, providers_not=providers_not, **admitted)
    keys = {which: set(map(folded, getattr(filters, which))) for which in ("providers", "providers_not")}
    if (keys["providers"] and folded(whose) not in keys["providers"]) or folded(whose) in keys["providers_not"]:
        bucket, why = "not_asked", "left out by the provider filter"
    elif one is None:
        bucket, why = "not_asked", _unasked(basis, recorded_at, narrowed=bool(sources or source_types or authorities))
    else:
        bucket, why = one.bucket, _why(because)
    eligible = one is not None and one.eligible and bucket != "not_asked"
    return Explanation(name, whose, bucket, eligible, why, because, basis, filters.to_json(), found)


@dataclass(frozen=True, slots=True)
class _Reasoning:
    """One explanation: how it is asked, whom it is about, and the plan's rows on it."""

    asking: Asking
    number: int
    found: SubjectAnswer | None

    def parts(self, stated: Sequence[Condition]) -> Iterator[Because]:
        """Yield the parts of the stated conditions, tests numbered from left to right as in the plan."""
        tests = count()
        verdicts: Sequence[Verdict | None] = self.found.verdicts if self.found else [None] * len(stated)
        for condition, verdict in zip(stated, verdicts, strict=True):
            yield self._part(condition, verdict, tests)

    def _part(self, condition: Condition, verdict: Verdict | None, tests: Iterator[int]) -> Because:
        near = self._nearest(condition, verdict)
        if isinstance(condition, Test):
            return self._leaf(condition, verdict, next(tests), near)
        below = verdict.members if verdict else [None] * len(condition.members)
        members = tuple(self._part(one, said, tests) for one, said in zip(condition.members, below, strict=True))
        said = verdict.verdict if verdict else None
        return Because(
            text_of(condition), None, said, _grouped(condition, said, members), nearest=near, members=members
        )

    def _leaf(self, test: Test, verdict: Verdict | None, number: int, near: Nearest | None) -> Because:
        cited = [one for one in self.found.citations if one.test == number] if self.found else []
        heard = Heard.of(cited)
        why = reason(test, verdict, heard, lambda: self._fates(test), self.asking.basis)
        claims = {name: getattr(heard, name) for name in _SAYS}
        said = verdict.verdict if verdict else None
        return Because(text_of(test), test.predicate.name, said, why, **claims, nearest=near)

    def _fates(self, *tests: Test) -> list[dict[str, Any]]:
        basis, predicates = self.asking.basis, {test.predicate.name for test in tests}
        axes = {"observed_by": basis.observed_by, "recorded_by": basis.recorded_by}
        asked = {"subject_id": self.number, "predicates": sorted(predicates), "valid_at": tests[0].at or basis.valid_at}
        return self.asking.db.file("queries/fates", asked | axes).dicts()

    def _nearest(self, condition: Condition, verdict: Verdict | None) -> Nearest | None:
        if verdict is None or verdict.verdict == "met":
            return None
        rows = [row for row in self._fates(*tests_of(condition)) if row["fate"] in _VISIBLE]
        return nearest(condition, rows, self.asking.basis.valid_at, self._verdicts)

    def _verdicts(self, conditions: Sequence[Condition]) -> list[str]:
        wish = Wish(near_limit=None, everyone=True, count_asked=False)
        (one,) = self.asking.answered(tuple(conditions), len(conditions), wish).subjects()
        return [verdict.verdict for verdict in one.verdicts]


def _grouped(group: Group, verdict: str | None, members: Sequence[Because]) -> str:
    """Name the members that make a group's verdict: those that have it, or for none_of those that are met."""
    wanted = "met" if group.kind == "none_of" and verdict == "failed" else verdict
    deciding = [one for one in members if one.verdict == wanted] or members
    return "; ".join(f"{one.constraint}: {one.reason}" for one in deciding)


def _why(because: Sequence[Because]) -> str:
    open_ones = [f"{one.constraint} {_STANDS.get(one.verdict, f'is {one.verdict}')}, {one.reason}" for one in because
                 if one.verdict != "met"]  # fmt: skip
    return "; ".join(open_ones) or "every constraint is met"


_STANDS: Mapping[str | None, str] = {"no_evidence": "has no evidence"}


def _unasked(basis: Basis, recorded_at: datetime, *, narrowed: bool) -> str:
    if recorded_at > basis.recorded_by:
        return f"not yet recorded by {when(basis.recorded_by)}"
    return "no claim of an admitted source is visible" if narrowed else "no claim about it is visible at the basis"


def _leaves(parts: Iterable[Because]) -> Iterator[Because]:
    for one in parts:
        yield from _leaves(one.members) if one.members else [one]


def _rows(because: Because) -> list[dict[str, Any]]:
    about = dict.fromkeys(Explanation.COLUMNS) | {
        "constraint": because.constraint, "verdict": because.verdict, "reason": because.reason
    }  # fmt: skip
    claims = [(says, one) for says in _SAYS for one in getattr(because, says)]
    shown_ones = ("role", "certain", "value", "unit", "valid", "observed_at", "quote", "url", "claim_id")
    return [about | {"says": says} | {name: getattr(one, name) for name in shown_ones} for says, one in claims] or [
        about
    ]
