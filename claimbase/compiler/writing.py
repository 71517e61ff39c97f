"""From a question to SQL text: written once for each shape, then only the parameters change."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from sqlglot import exp

from claimbase.compiler import hearing, judging, returning, stretching, tabling
from claimbase.compiler.nodes import name
from claimbase.compiler.plan import Condition, Filters, Ids, Plan, Statement, Step, Wish
from claimbase.compiler.shape import Shape, take_apart
from claimbase.errors import ConstraintError
from claimbase.temporal import Basis

_NO_FILTERS, _NO_WISH = Filters(), Wish()


def compiled(
    conditions: Sequence[Condition], ids: Ids, basis: Basis, filters: Filters = _NO_FILTERS, wish: Wish = _NO_WISH
) -> Plan:
    """Compile typed conditions into one statement of named steps (Q1, Q2, Q8).

    Args:
        conditions: the stated constraints; all must hold.
        ids: the base's numbers for what they name.
        basis: the instants on the three axes.
        filters: which subjects are asked, which sources admitted (Q12).
        wish: what is returned, in which order.

    Raises:
        ConstraintError: [no_constraints] for none.
        LimitError: [too_many] more than TEST_LIMIT tests, over time BRANCH_LIMIT; as many instants.
    """
    if not conditions:
        raise ConstraintError("no constraints given", code="no_constraints", hint="context_window >= 128K")
    question = take_apart(conditions, ids, basis, filters, wish)
    shape = question.shape
    steps, sql, names, counted = _text(shape)
    params = {key: question.params[key] for key in names}
    asked = None if shape.enumerates or shape.over_time else _asked(shape, question.params)
    return Plan(steps, sql, params, question.tests, question.trees, shape.everyone, question.defaults, counted, asked)


def _asked(shape: Shape, params: Mapping[str, Any]) -> Statement:
    sql, names = _counting(shape.audience)
    return Statement(sql, {key: params[key] for key in names})


@lru_cache(maxsize=512)
def _counting(audience: Shape) -> tuple[str, tuple[str, ...]]:
    """Write the statement that counts the subjects asked, and the names of its placeholders."""
    sql = _written(hearing.asked_count(audience))
    if chain := _chain(map(_step, hearing.narrowing(audience)), frozenset()):
        sql = f"{chain} {sql}"
    return sql, _placeholders(sql)


def _placeholders(sql: str) -> tuple[str, ...]:
    return tuple(sorted(set(_PLACEHOLDER.findall(sql))))


def _chain(steps: Iterable[Step], kept: Collection[str]) -> str:
    """Write steps as a chain; a step's text is written once: as a bare word it goes in as it is."""
    chain = [
        exp.CTE(this=exp.Var(this=step.sql), alias=exp.TableAlias(this=name(step.name)), materialized=step.name in kept)
        for step in steps
    ]
    return _written(exp.With(expressions=chain)) if chain else ""


@lru_cache(maxsize=512)
def _text(shape: Shape) -> tuple[tuple[Step, ...], str, tuple[str, ...], tuple[str, ...]]:
    """Write the statement of a shape, its steps apart, and the names of its placeholders and of its counts."""
    steps, result = _tabled(shape) if shape.tabled else _branched(shape)
    reused = (stretching if shape.over_time else returning).kept(shape)
    sql = f"{_chain(steps, reused)} {result}"
    return steps, sql, _placeholders(sql), () if shape.over_time else returning.counted(shape)


def _branched(shape: Shape) -> tuple[tuple[Step, ...], str]:
    before, after, result = _outlined(shape.outline)
    return (*before, _step(judging.evidence(shape)), *after), result


def _tabled(shape: Shape) -> tuple[tuple[Step, ...], str]:
    made = (
        hearing.narrowing(shape), tabling.before(shape), hearing.steps(shape), tabling.steps(shape),
        returning.steps(shape), tabling.after(shape),
    )  # fmt: skip
    return tuple(_step(one) for part in made for one in part), _written(returning.result(shape))


@lru_cache(maxsize=512)
def _outlined(outline: Shape) -> tuple[tuple[Step, ...], tuple[Step, ...], str]:
    """Write the steps before and after `evidence`, and the query that reads them all."""
    last = stretching if outline.over_time else returning
    stretches = stretching.before(outline) if outline.over_time else ()
    before = tuple(map(_step, (*hearing.narrowing(outline), *stretches, *hearing.steps(outline))))
    after = tuple(map(_step, (*judging.steps(outline), *last.steps(outline))))
    return before, after, _written(last.result(outline))


def _step(made: hearing.Made) -> Step:
    called, title, query = made
    return Step(called, title, _written(query))


_PLACEHOLDER = re.compile(r"\$(\w+)")


def _written(query: exp.Expr) -> str:
    return query.sql("duckdb", normalize_functions=False, copy=False)
