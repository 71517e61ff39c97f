"""Asking: conditions become a plan, rows an answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from claimbase.analysis.tombstones import erased_since
from claimbase.answers.collecting import Asked, collected
from claimbase.answers.model import Answer
from claimbase.answers.naming import Condition, Narrowed, count_of, filters_of, grouped, ids_of, tests_of
from claimbase.answers.operands import filled
from claimbase.answers.summing import buckets_of, counts_of, freshness_of, notes_of, steps_of
from claimbase.answers.words import sentence
from claimbase.compiler import NEAR_LIMIT, TEST_LIMIT, Wish, compiled
from claimbase.constraints import AllOf, Constraint, Test, all_typed, format_constraint, to_json, typed
from claimbase.constraints import Condition as Given
from claimbase.constraints import conditions as read_conditions
from claimbase.errors import ConstraintError, InputError, LimitError, shown
from claimbase.numerals import WHOLE_LIMIT
from claimbase.pausing import without_collector
from claimbase.sources import authority, source_type
from claimbase.store import Db, engine_version, schema_files
from claimbase.temporal import Basis
from claimbase.vocabulary import Vocabulary

Policy = Literal["certain", "any"]
Order = str | tuple[str, str | None] | Mapping[str, str]
_DIRECTIONS = {"asc": False, "desc": True}


@without_collector()
def answer(
    db: Db,
    vocabulary: Vocabulary,
    conditions: Any,
    basis: Basis,
    *,
    policy: Policy = "certain",
    providers: str | Iterable[str] = (),
    providers_not: str | Iterable[str] = (),
    subjects: str | Iterable[str] = (),
    sources: str | Iterable[str] = (),
    source_types: str | Iterable[str] = (),
    authorities: str | Iterable[str] = (),
    show: str | Iterable[str] = (),
    order_by: Order | None = None,
    limit: int | None = None,
    offset: int = 0,
    near_limit: int | None = None,
    everyone: bool = False,
    count_asked: bool = True,
) -> Answer:
    """Answer constraints at a basis: who satisfies all of them by evidence, with a citation for every value (Q1-Q13).

    Args:
        db: the base.
        vocabulary: the predicates as declared within the basis.
        conditions: constraints or groups, as objects, text or JSON; all must hold.
        basis: the instants on the three axes.
        policy: "certain", or "any": a disputed subject is eligible too where some claim satisfies (Q2).
        providers, providers_not: only, or no, subjects of these providers.
        subjects: only these subjects; all of them are returned, whatever their verdicts.
        sources, source_types, authorities: only claims of such sources count; what is left out is counted (Q12).
        show: further predicates whose claims are cited for the subjects returned (Q12).
        order_by: a predicate, or (predicate, "asc" | "desc"); by default the predicate's better end first (Q11).
        limit, offset: which of the ranked subjects.
        near_limit: how many near misses are listed; default 100, or all with *subjects* or *everyone*.
        everyone: list subjects of no bucket as well, under *others*.
        count_asked: count the subjects asked, which reads every visible claim of the base, once for each of its states.

    Raises:
        ConstraintError: [no_constraints] nothing is asked; [bad_order] the predicate has no order.
        VocabularyError: [unknown_predicate].
        LimitError: [too_many] more than 100,000 tests, or more than a million claims cited to them.
        InputError: [bad_policy], [bad_limit].
        EvidenceError: [unknown_source_type], [unknown_authority].
    """
    if policy not in ("certain", "any"):
        raise InputError(f"unknown policy {shown(policy)}", code="bad_policy", hint="certain or any")
    narrowed = narrowed_to(
        providers=providers, providers_not=providers_not, subjects=subjects, sources=sources,
        source_types=source_types, authorities=authorities,
    )  # fmt: skip
    read = read_in(conditions, order_by)
    stated = stated_by(read, vocabulary)
    order, implied = ordered_by(stated, vocabulary, order_by)
    whole = everyone or bool(narrowed.subjects)
    wish = Wish(
        policy=policy,
        show=tuple(dict.fromkeys(vocabulary.get(name) for name in _texts(show))),
        order=order,
        limit=None if limit is None else size_of(limit, "limit"),
        offset=size_of(offset, "offset"),
        near_limit=size_of(near_limit, "near_limit") if near_limit is not None else None if whole else NEAR_LIMIT,
        everyone=everyone,
        count_asked=count_asked,
    )
    found = Asking(db, vocabulary, basis, narrowed).answered((*stated, *implied), len(stated), wish)
    given = narrowed.to_json() | {
        "policy": policy, "show": [one.name for one in wish.show],
        "order_by": order_by and list(_named_order(order_by)), "limit": limit, "offset": offset,
        "near_limit": near_limit, "everyone": everyone, "count_asked": count_asked,
    }  # fmt: skip
    return replace(found, asked={"constraints": list(map(to_json, read)), "options": given})


def narrowed_to(
    *,
    providers: str | Iterable[str] = (),
    providers_not: str | Iterable[str] = (),
    subjects: str | Iterable[str] = (),
    sources: str | Iterable[str] = (),
    source_types: str | Iterable[str] = (),
    authorities: str | Iterable[str] = (),
) -> Narrowed:
    """Read the filters of a question; each may be one name or several (Q12)."""
    return Narrowed(
        providers=_texts(providers),
        providers_not=_texts(providers_not),
        subjects=_texts(subjects),
        sources=_texts(sources),
        source_types=tuple(map(source_type, _texts(source_types))),
        authorities=tuple(map(authority, _texts(authorities))),
    )


def read_in(conditions: Any, order_by: Order | None) -> tuple[Given, ...]:
    """Read the stated constraints; there need be none where something ranks."""
    if order_by is not None and (conditions is None or len(conditions) == 0):
        return ()
    if isinstance(conditions, list | tuple) and len(conditions) > TEST_LIMIT:  # before any of them is read
        raise LimitError(f"{len(conditions):,} constraints", code="too_many", hint=f"at most {TEST_LIMIT:,}")
    return read_conditions(conditions)


def stated_in(conditions: Any, vocabulary: Vocabulary, order_by: Order | None) -> tuple[Condition, ...]:
    """Read the stated constraints and type them."""
    return stated_by(read_in(conditions, order_by), vocabulary)


def stated_by(given: Sequence[Given], vocabulary: Vocabulary) -> tuple[Condition, ...]:
    """Type the stated constraints; one all_of alone is its members."""
    if len(given) == 1 and isinstance(given[0], AllOf):
        given = given[0].all_of
    return tuple(all_typed(given, vocabulary))


def ordered_by(
    stated: Sequence[Condition], vocabulary: Vocabulary, order_by: Order | None
) -> tuple[tuple[int, bool] | None, tuple[Test, ...]]:
    """Find the test that ranks; without a constraint on the predicate, exists is implied (Q7, Q11)."""
    if order_by is None:
        return None, ()
    name, direction = _named_order(order_by)
    predicate = vocabulary.get(name)
    if predicate.kind not in ("quantity", "date", "bool"):
        raise ConstraintError(f"{name} is a {predicate.kind} and has no order", code="bad_order")
    greatest_first = _DIRECTIONS.get(direction or ("desc" if predicate.direction == "higher" else "asc"))
    if greatest_first is None:
        raise ConstraintError(f"unknown direction {shown(direction)}", code="bad_order", hint="asc or desc")
    place = 0
    for condition in stated:
        if isinstance(condition, Test) and condition.predicate == predicate and condition.operator != "absent":
            return (place, greatest_first), ()
        place += len(tests_of(condition))
    implied = typed(Constraint(predicate=predicate.name, operator="exists"), vocabulary)
    return (place, greatest_first), tests_of(implied)


def _named_order(order_by: Order) -> tuple[str, str | None]:
    if isinstance(order_by, str):
        return order_by, None
    return (order_by["predicate"], order_by.get("direction")) if isinstance(order_by, Mapping) else order_by


def _texts(given: str | Iterable[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def size_of(given: Any, field: str) -> int:
    """Read a number of subjects: a whole one, 0 or more."""
    if isinstance(given, bool) or not isinstance(given, int) or not 0 <= given < WHOLE_LIMIT:
        raise InputError(f"{field} {shown(given)} is no number of subjects", code="bad_limit", hint="0 or more")
    return given


def versions_of(vocabulary: Vocabulary) -> dict[str, str]:
    """Name the versions a result depends on beside its base (A6)."""
    return {"engine": engine_version(), "schema": str(schema_files()[-1][0]), "vocabulary": vocabulary.digest}


@dataclass(frozen=True, slots=True)
class Asking:
    """One call: the base, the vocabulary, the basis and the filters, which hold for every plan of it."""

    db: Db
    vocabulary: Vocabulary
    basis: Basis
    narrowed: Narrowed

    def answered(self, conditions: tuple[Condition, ...], stated: int, wish: Wish) -> Answer:
        """Run the plan and put the answer together."""
        ready = filled(conditions, self.vocabulary, self.value)
        ids = ids_of(self.db, self.basis, ready.conditions, wish.show)
        plan = compiled(ready.conditions, ids, self.basis, filters_of(self.db, self.basis, self.narrowed), wish)
        rows = self.db.query(plan.sql, plan.params)
        numbers = tuple(number for several in ids.predicates.values() for number in several)
        texts = [format_constraint(test.constraint) for test in plan.tests]
        asked = Asked(
            ready.conditions, plan.tests, plan.trees, wish.show, self.basis, ready.mute, numbers,
            ids.withdrawn, plan.defaults, texts,
        )  # fmt: skip
        found = collected(self.db, asked, plan.counted, rows)
        if plan.asked and wish.count_asked:
            found.counts["asked_count"] = count_of(self.db, plan.asked, self.basis)
        words, counts = iter(texts), counts_of(found.counts)
        return Answer(
            summary=sentence(counts, sum(one.eligible for one in found.subjects), found.support),
            constraints=tuple(grouped(one, words) for one in ready.conditions),
            basis=self.basis,
            filters=self.narrowed.to_json(),
            policy=wish.policy,
            **buckets_of(found.subjects, wish.policy, stated, ranking=wish.order is not None),
            operands=ready.cited,
            counts=counts,
            freshness=freshness_of(found.support, self.vocabulary, self.basis.observed_by),
            notes=(
                *notes_of(self.basis, asked, found, counts, stated),
                *erased_since(self.db, self.basis, numbers),
            ),
            plan=(*ready.steps, *steps_of(plan, found, whole=plan.whole)),
            sql=plan.sql,
            params=plan.params,
            versions=versions_of(self.vocabulary),
            asked={},
        )

    def value(self, test: Test, subject: str) -> Answer:
        """Ask one test of another subject, whoever else is asked; the sources admitted stay the same (Q14)."""
        narrowed = replace(self.narrowed, providers=(), providers_not=(), subjects=(subject,))
        wish = Wish(near_limit=None, everyone=True, count_asked=False)
        return replace(self, narrowed=narrowed).answered((test,), 1, wish)
