"""Names to numbers: what a question names, looked up in the base within the basis."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from claimbase.compiler import Filters, Ids, Statement
from claimbase.constraints import Group, Test, format_constraint
from claimbase.ingest.readers import canonical_scope
from claimbase.store import Db
from claimbase.temporal import Basis
from claimbase.values import folded
from claimbase.vocabulary import Predicate

Condition = Test | Group


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The filters as the caller named them, echoed in the answer (Q12)."""

    providers: tuple[str, ...] = ()
    providers_not: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    source_types: tuple[str, ...] = ()
    authorities: tuple[str, ...] = ()

    def to_json(self) -> dict[str, list[str]]:
        """Give the filters that narrow anything."""
        named = {
            "providers": self.providers, "providers_not": self.providers_not, "subjects": self.subjects,
            "sources": self.sources, "source_types": self.source_types, "authorities": self.authorities,
        }  # fmt: skip
        return {name: list(values) for name, values in named.items() if values}


def tests_of(condition: Condition) -> tuple[Test, ...]:
    """Give the tests of a condition from left to right."""
    if isinstance(condition, Test):
        return (condition,)
    return tuple(test for member in condition.members for test in tests_of(member))


def text_of(condition: Condition) -> str:
    """Write a condition as text."""
    return grouped(condition, (format_constraint(test.constraint) for test in tests_of(condition)))


def grouped(condition: Condition, texts: Iterator[str]) -> str:
    """Write a condition with the texts of its tests, of which it takes as many as it has."""
    if isinstance(condition, Test):
        return next(texts)
    return f"{condition.kind}({'; '.join(grouped(member, texts) for member in condition.members)})"


def ids_of(db: Db, basis: Basis, conditions: Iterable[Condition], shown: Sequence[Predicate]) -> Ids:
    """Look up the numbers of predicates with their other names, of units and scopes (P2)."""
    tests = [test for condition in conditions for test in tests_of(condition)]
    forms = {id(test.form): test.form for test in tests}.values()
    predicates = {form.predicate.name: form.predicate for form in forms} | {one.name: one for one in shown}
    named = {alias.name: name for name, one in predicates.items() for alias in one.aliases}
    named |= {name: name for name in predicates}
    scopes = {canonical_scope(dict(form.scope)): form.scope for form in forms if isinstance(form.scope, tuple)}
    units = {form.predicate.unit for form in forms} | {value.unit for test in tests for value in test.operands}
    asked = {"predicates": sorted(named), "units": sorted(filter(None, units)), "scopes": sorted(scopes)}
    found = db.remembered("queries/ids", asked | {"recorded_by": basis.recorded_by}).rows
    known: dict[str, list[int]] = {}
    # A predicate's own id comes first: its other names count as it.
    for name, number in sorted((name, number) for kind, number, name in found if kind == "predicate"):
        known.setdefault(named[name], []).insert(0 if named[name] == name else 99, number)
    renamed = {name for kind, _, name in found if kind == "renamed"}
    if "predicate" in renamed:
        merged = {"predicates": sorted(predicates), "recorded_by": basis.recorded_by}
        for number, name in db.remembered("queries/predicate_names", merged):
            known.setdefault(name, []).append(number)
    return Ids(
        predicates={name: tuple(dict.fromkeys(numbers)) for name, numbers in known.items()},
        units={name: number for kind, number, name in found if kind == "unit"},
        scopes={scopes[name]: number for kind, number, name in found if kind == "scope"},
        merged="subject" in renamed,
        withdrawn=any(kind == "withdrawn" for kind, *_ in found),
    )


def count_of(db: Db, counting: Statement, basis: Basis) -> int:
    """Run a statement that counts; it is run once for each state of the base and of what is known."""
    params = {**counting.params, "observed_by": settled(db, basis)}
    ((count,),) = db.remembered(counting.sql, params)
    return int(count)


def settled(db: Db, basis: Basis) -> datetime:
    """Give the first instant from which on the base knows as much as at the basis; between the two it read nothing.

    No reading lies after its batch (B4), but from when on a claim counts as not said can: at a succession to come.
    """
    ((unsaid,),) = db.remembered("queries/unsaid")
    quiet = basis.recorded_by if unsaid is None else max(basis.recorded_by, unsaid)
    return min(basis.observed_by, quiet)


def filters_of(db: Db, basis: Basis, narrowed: Narrowed) -> Filters:
    """Look up what an answer is narrowed to; an unknown subject is no error, nothing is known of it."""
    subjects: tuple[int, ...] | None = None
    if narrowed.subjects:
        asked = {"names": sorted(map(folded, narrowed.subjects)), "providers": None}
        found = db.file("queries/subjects_named", asked | {"recorded_by": basis.recorded_by})
        subjects = tuple(row[0] for row in found)
    return Filters(
        subjects=subjects,
        providers=tuple(map(folded, narrowed.providers)),
        providers_not=tuple(map(folded, narrowed.providers_not)),
        sources=narrowed.sources,
        source_types=narrowed.source_types,
        authorities=narrowed.authorities,
    )
