"""When all constraints hold at once: each subject's longest intervals, with the claims behind them (Q5, Q15)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any, ClassVar, Literal

from claimbase.analysis.cite import Citation
from claimbase.analysis.result import Result, plain
from claimbase.compiler import Statement, Step, export
from claimbase.errors import InputError, shown
from claimbase.present.words import counted
from claimbase.temporal import Basis, Interval

Certainty = Literal["certain", "possible", "disputed"]
Extent = Literal["throughout", "some"]
Held = Literal["certain", "possible", "no"]
EXTENTS: tuple[Extent, ...] = ("throughout", "some")


@dataclass(frozen=True, slots=True)
class Ground:
    """What one claim says in a segment.

    Args:
        constraint: the place of the constraint it speaks to; *test* that of the test within all of them.
        role: yes, no, maybe or absence.
        certain: it certainly holds at some instant of the segment (T2) where no exception is possible (K6).
        claim: the claim, cited (Q4).
    """

    constraint: int
    test: int
    role: str
    certain: bool
    claim: Citation

    def to_json(self) -> dict[str, Any]:
        """Give claim and role as plain data."""
        said = {name: getattr(self, name) for name in ("constraint", "test", "role", "certain")}
        return said | self.claim.to_json()


@dataclass(frozen=True, slots=True)
class Segment:
    """A longest interval in which a subject stands alike towards all constraints.

    Args:
        certainty: certain: every constraint is met; possible: all are at least possible; disputed: all are at least
            that, and sources disagree about one.
        interval: half-open; None = unbounded.
        grounds: what the claims say in it, by constraint, then claim and start.
    """

    certainty: Certainty
    interval: Interval
    grounds: tuple[Ground, ...]

    def to_json(self) -> dict[str, Any]:
        """Give the segment as plain data."""
        return {name: plain(getattr(self, name)) for name in ("certainty", "interval", "grounds")}


@dataclass(frozen=True, slots=True)
class SubjectWhen:
    """The segments of one subject, in the order of time."""

    provider: str
    subject: str
    segments: tuple[Segment, ...]

    @property
    def certain(self) -> tuple[Interval, ...]:
        """Where every constraint is met, all at the same time."""
        return self._of("certain")

    @property
    def possible(self) -> tuple[Interval, ...]:
        """Where all constraints are at least possible, and one is no more than that."""
        return self._of("possible")

    @property
    def disputed(self) -> tuple[Interval, ...]:
        """Where sources disagree about whether one of them is met."""
        return self._of("disputed")

    @property
    def gaps(self) -> tuple[Interval, ...]:
        """What lies between two segments: there some constraint is not met, or nothing is said of it."""
        between = ((one.interval.end, other.interval.start) for one, other in pairwise(self.segments))
        return tuple(Interval(end, start) for end, start in between if end != start)

    def _of(self, certainty: Certainty) -> tuple[Interval, ...]:
        return tuple(one.interval for one in self.segments if one.certainty == certainty)

    def at(self, moment: datetime) -> Certainty | None:
        """Say how the subject stands at an instant; None = in a gap."""
        return next((one.certainty for one in self.segments if moment in one.interval), None)

    def holds(self, window: Interval, extent: Extent = "throughout") -> Held:
        """Say whether the constraints hold throughout a window, or at some instant of it (Q15).

        Args:
            window: half-open; None = unbounded.
            extent: "throughout": one certain interval covers the window; "some": one meets it. "possible" is said of
                intervals that are certain or possible, joined where they touch.
        """
        at_least_possible = joined([*self.certain, *self.possible])
        meets = covers if extent == "throughout" else Interval.intersect
        if any(meets(one, window) for one in self.certain):
            return "certain"
        return "possible" if any(meets(one, window) for one in at_least_possible) else "no"

    def to_json(self) -> dict[str, Any]:
        """Give the subject as plain data."""
        names = ("provider", "subject", "certain", "possible", "disputed", "gaps", "segments")
        return {name: plain(getattr(self, name)) for name in names}


def covers(one: Interval, other: Interval) -> bool:
    """Tell whether an interval holds every instant of another one."""
    return one.intersect(other) == other


def joined(intervals: Iterable[Interval]) -> list[Interval]:
    """Put intervals in order and join those that touch or overlap."""
    whole: list[Interval] = []
    for one in sorted(intervals, key=lambda each: (each.start is not None, each.start)):
        last = whole[-1] if whole else None
        if last is None or (last.end is not None and (one.start is not None and one.start > last.end)):
            whole.append(one)
        else:
            end = None if last.end is None or one.end is None else max(last.end, one.end)
            whole[-1] = Interval(last.start, end)
    return whole


def check_extent(extent: str) -> None:
    """Refuse any word but throughout and some.

    Raises:
        InputError: [bad_extent].
    """
    if extent not in EXTENTS:
        raise InputError(f"unknown extent {shown(extent)}", code="bad_extent", hint="throughout or some")


@dataclass(frozen=True, slots=True, repr=False)
class When(Result):
    """When each subject satisfies all constraints at the same time (Q5).

    Args:
        constraints: as text, in order.
        window: the valid time looked at; segments that meet it are given whole.
        extent: how much of the window is asked, where one is named (Q15).
        subjects: by provider and name: those that satisfy at some instant of the window, at least possibly or in
            dispute; and those that were asked by name.
        total: how many there are, also where the list was cut.
        next_change_at: the first bound after the basis at which any subject changes its bucket if nothing is added;
            None if none does.
        next_stale_at: when the first claim that supports an eligible subject listed becomes stale, if nothing is read
            again (Q9); None if none will.
        operands: claims of other subjects that served as operands (Q14).
        filters: what it was narrowed to, echoed (Q12).
        notes: what a reader must know.
        plan: the steps that ran, each with its SQL (Q8).
        statements: each statement with its parameters; the same store gives the same rows (A6).
        versions: of the engine, the schema and the vocabulary.
    """

    constraints: tuple[str, ...]
    basis: Basis
    window: Interval
    extent: Extent | None
    subjects: tuple[SubjectWhen, ...]
    total: int
    next_change_at: datetime | None
    next_stale_at: datetime | None
    operands: tuple[Any, ...]
    filters: Mapping[str, Any]
    notes: tuple[str, ...]
    plan: tuple[Step, ...]
    statements: tuple[tuple[str, Mapping[str, Any]], ...]
    versions: Mapping[str, str]

    COLUMNS: ClassVar[tuple[str, ...]] = (
        "provider", "subject", "certainty", "from", "until", "constraint", "role", "certain", "predicate", "value",
        "unit", "quote", "url", "observed_at", "claim_id",
    )  # fmt: skip

    @property
    def summary(self) -> str:
        """Say the result in one sentence."""
        if self.extent is not None:
            held = [one.holds(self.window, self.extent) for one in self.subjects]
            where = "throughout" if self.extent == "throughout" else "at some time in"
            sure, maybe = held.count("certain"), held.count("possible")
            return f"{_satisfy(sure)} {where} {self.window}{self._more(maybe)}"
        sure = sum(bool(one.certain) for one in self.subjects)
        maybe = sum(bool(one.possible) and not one.certain for one in self.subjects)
        return f"{_satisfy(sure)} at some time{self._more(maybe)}"

    def _more(self, maybe: int) -> str:
        cut = f"; {len(self.subjects)} of {self.total} looked at" if len(self.subjects) < self.total else ""
        return (f"; {maybe} only possibly" if maybe else "") + cut

    def sql_for(self, dialect: str) -> str:
        """Write the statement of this result for another engine that holds the same tables; it gives the same rows.

        The rows are what the intervals are made of: a head with the counts, then each stretch with the claims in it.

        Args:
            dialect: duckdb, postgres, datafusion or spark.

        Raises:
            InputError: [not_portable] it needs what the dialect cannot say, or was asked in several statements, because
                another subject's value that it is compared with changes (Q14); [unknown_dialect].
        """
        if len(self.statements) > 1:
            raise InputError(
                f"these intervals were asked in {len(self.statements)} statements", code="not_portable",
                hint="a value in the place of another subject's, or a window in which that one stands still",
            )  # fmt: skip
        ((sql, params),) = self.statements
        return export(Statement(sql, params), dialect)

    def slice(self, moment: datetime) -> dict[Certainty, tuple[str, ...]]:
        """Give the subjects by how they stand at an instant of the window: the buckets as of then (Q5)."""
        standing = [(one.at(moment), one.subject) for one in self.subjects]
        return {name: tuple(subject for how, subject in standing if how == name) for name in _CERTAINTIES}

    def rows(self) -> list[dict[str, Any]]:
        """Give one row per segment and claim; a segment without any has one row."""
        return [
            dict(zip(self.COLUMNS, _row(one, segment, ground, self.constraints), strict=True))
            for one in self.subjects
            for segment in one.segments
            for ground in segment.grounds or (None,)
        ]

    def to_json(self) -> dict[str, Any]:
        """Give the result as plain data."""
        names = (
            "summary", "constraints", "window", "extent", "subjects", "total", "next_change_at", "next_stale_at",
            "operands", "filters", "notes", "versions", "basis",
        )  # fmt: skip
        whole = {name: plain(getattr(self, name)) for name in names}
        if self.extent is not None:
            for one, data in zip(self.subjects, whole["subjects"], strict=True):
                data["holds"] = one.holds(self.window, self.extent)
        steps = [{"name": step.name, "title": step.title, "rows": step.rows, "sql": step.sql} for step in self.plan]
        statements = [{"sql": sql, "params": plain(params)} for sql, params in self.statements]
        return whole | {"plan": steps, "statements": statements}


_CERTAINTIES: tuple[Certainty, ...] = ("certain", "disputed", "possible")


def _satisfy(number: int) -> str:
    if not number:
        return "no subject satisfies every constraint"
    return f"{counted(number, 'subject')} {'satisfies' if number == 1 else 'satisfy'} every constraint"


def _row(one: SubjectWhen, segment: Segment, ground: Ground | None, constraints: Sequence[str]) -> tuple[Any, ...]:
    head = (one.provider, one.subject, segment.certainty, segment.interval.start, segment.interval.end)
    if ground is None:
        return (*head, *(None,) * (len(When.COLUMNS) - len(head)))
    claim = ground.claim
    words = (claim.predicate, claim.value, claim.unit, claim.quote, claim.url, claim.observed_at, claim.claim_id)
    return (*head, constraints[ground.constraint], ground.role, ground.certain, *words)
