"""What goes into the compiler and what comes out of it: plain frozen data, no SQL engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from claimbase.compiler.verdicts import Tree
from claimbase.constraints import Group, Test
from claimbase.vocabulary import Predicate

BRANCH_LIMIT = 200
"""Up to so many tests each is a branch of the statement; more of them travel as a table (C12)."""
TEST_LIMIT = 100_000
"""The most tests one plan may hold."""
INSTANT_LIMIT = 200
"""At how many instants one plan may ask; each reads the claims once."""
CITED_LIMIT = 1_000_000
"""The most claims, each counted once for every test it speaks to, that an answer to a table of tests lists."""
NEAR_LIMIT = 100
"""How many near misses an answer lists unless asked otherwise; all are counted."""

Condition = Test | Group
OverTime = Literal["segments", "change"]
Qualifiers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One named step of a plan: a common table expression, in words and in SQL; *rows* once it has run (Q8)."""

    name: str
    title: str
    sql: str
    rows: int | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement that can be run, with its parameters."""

    sql: str
    params: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Plan:
    """A compiled question: the named steps, the whole statement, its parameters.

    Args:
        steps: in the order they run; each reads earlier ones only.
        sql: one statement.
        params: every value of the question, by placeholder.
        tests: the leaves of the conditions, in the order of the result's `test` numbers.
        trees: the conditions over the numbers of the tests.
        whole: subjects of no bucket are returned as well.
        defaults: where tests travel as a table, the verdict of each one that no claim speaks to; else empty.
        counted: the names of the counts with which the result begins; over time there are none.
        asked: counts the subjects asked, which no test decides; None where the statement itself lists them.
    """

    steps: tuple[Step, ...]
    sql: str
    params: Mapping[str, Any]
    tests: tuple[Test, ...]
    trees: tuple[Tree, ...]
    whole: bool = False
    defaults: tuple[int, ...] = ()
    counted: tuple[str, ...] = ()
    asked: Statement | None = None


@dataclass(frozen=True, slots=True)
class Ids:
    """The numbers under which a base keeps what a question names; what it does not know is left out.

    Args:
        predicates: by name, the predicate's own id first, then those of its aliases (P2).
        units: by canonical name.
        scopes: by sorted qualifiers.
        merged: some subject is another name of another one (P2).
        withdrawn: some source no longer counts as support (R2).
    """

    predicates: Mapping[str, tuple[int, ...]]
    units: Mapping[str, int] = field(default_factory=dict)
    scopes: Mapping[Qualifiers, int] = field(default_factory=dict)
    merged: bool = False
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class Filters:
    """What a question is narrowed to; an empty tuple narrows nothing, *subjects* None likewise (Q12).

    Args:
        subjects: subject ids; all of them are returned, whatever their verdicts.
        providers, providers_not: folded provider names.
        sources: addresses or source ids.
        source_types, authorities: as the newest reading within the basis describes the source.
    """

    subjects: tuple[int, ...] | None = None
    providers: tuple[str, ...] = ()
    providers_not: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    source_types: tuple[str, ...] = ()
    authorities: tuple[str, ...] = ()

    @property
    def narrows_sources(self) -> bool:
        """Tell whether some sources are not admitted."""
        return bool(self.sources or self.source_types or self.authorities)

    @property
    def narrows_subjects(self) -> bool:
        """Tell whether some subjects are not asked."""
        return self.subjects is not None or bool(self.providers or self.providers_not)


@dataclass(frozen=True, slots=True)
class Wish:
    """How the subjects found are returned.

    Args:
        policy: "any" makes a disputed subject eligible where some claim satisfies; it stays listed as disputed (Q2).
        show: further predicates to cite (Q12).
        order: the number of the test whose value ranks the subjects, and whether the greatest comes first (Q11).
        limit, offset: which of the ranked subjects.
        near_limit: how many near misses; None = all.
        everyone: return subjects of no bucket too.
        count_asked: count the subjects asked, which reads every visible claim.
        over_time: ask every instant of a window instead of one: for the segments of each subject's buckets, or only for
            the first change of one after the basis (Q5).
        since, before: that window, half-open; None = unbounded.
        seen: the half-open window that a segment must meet to be returned; it is not cut.
    """

    policy: Literal["certain", "any"] = "certain"
    show: tuple[Predicate, ...] = ()
    order: tuple[int, bool] | None = None
    limit: int | None = None
    offset: int = 0
    near_limit: int | None = NEAR_LIMIT
    everyone: bool = False
    count_asked: bool = True
    over_time: OverTime | None = None
    since: datetime | None = None
    before: datetime | None = None
    seen: tuple[datetime | None, datetime | None] = (None, None)
