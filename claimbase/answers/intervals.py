"""Asking when all constraints hold at the same time: the verdicts of an answer, for every instant at once (Q5, Q15)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

from claimbase.analysis.cite import Citation, citations
from claimbase.analysis.intervals import Certainty, Extent, Ground, Segment, SubjectWhen, When, check_extent
from claimbase.analysis.windows import Window, chosen_ids, window
from claimbase.answers.asking import Asking, Order, narrowed_to, ordered_by, size_of, stated_in, versions_of
from claimbase.answers.collecting import places
from claimbase.answers.model import Answer
from claimbase.answers.naming import Condition, filters_of, ids_of, tests_of, text_of
from claimbase.answers.operands import Filled, filled
from claimbase.answers.words import impossible
from claimbase.compiler import BUCKETS, ROLES, Plan, Step, Wish, compiled
from claimbase.constraints import Test
from claimbase.present.words import counted
from claimbase.store import Db
from claimbase.temporal import TICK, Basis, Interval
from claimbase.vocabulary import Vocabulary

Row = dict[str, Any]
_CERTAINTY: dict[str, Certainty] = {"eligible": "certain", "disputed": "disputed", "possible": "possible"}
# What an answer takes beside filters and changes no bucket.
_PRESENTING = frozenset({"show", "limit", "offset", "near_limit", "everyone", "count_asked"})
_ALWAYS = Interval(None, None)


def when(
    db: Db,
    vocabulary: Vocabulary,
    conditions: Any,
    basis: Basis,
    *,
    during: Window | None = None,
    extent: Extent = "throughout",
    limit: int | None = None,
    **filters: Any,
) -> When:
    """Give the longest intervals in which all constraints hold at the same time, by subject (Q5).

    At every instant a subject stands as in the answer as of that instant under the policy "certain".

    Args:
        db: the base.
        vocabulary: the predicates as declared within the basis.
        conditions: constraints or groups, as objects, text or JSON; all must hold.
        basis: what was known; next_change_at is counted from its valid_at.
        during: a half-open window; only segments that meet it are given, whole. None = all of valid time.
        extent: whether subjects are asked to hold throughout the window or at some instant of it (Q15).
        limit: how many subjects are listed; None = all.
        filters: providers, providers_not, subjects, sources, source_types, authorities; see
            :func:`claimbase.answers.answer`.

    Raises:
        ConstraintError: [no_constraints]; VocabularyError: [unknown_predicate]; LimitError: [too_many] tests.
        IntervalError: the window is empty or inverted (B3).
        InputError: [bad_extent], [bad_limit].
    """
    check_extent(extent)
    most = None if limit is None else size_of(limit, "limit")
    looked_at = window(basis, during=during, all_time=during is None)
    asking = Asking(db, vocabulary, basis, narrowed_to(**filters))
    stated = stated_in(conditions, vocabulary, None)
    pieces = _pieces(asking, stated, _ALWAYS)
    whole = len(pieces) == 1
    seen = (looked_at.start, looked_at.end) if whole else (None, None)
    wish = Wish(over_time="segments", seen=seen, limit=most if whole else None, everyone=not whole)
    runs = [_run(asking, piece, wish) for piece in pieces]
    return _told(asking, _Asked(stated, looked_at, None if during is None else extent, most), runs)


def next_change(
    db: Db,
    vocabulary: Vocabulary,
    conditions: Any,
    basis: Basis,
    *,
    policy: str = "certain",
    order_by: Order | None = None,
    **options: Any,
) -> datetime | None:
    """Give the first bound after the basis at which any subject changes its bucket if nothing is added (Q5, Q10).

    Args:
        db, vocabulary, conditions, basis: as for :func:`claimbase.answers.answer`.
        policy: under "any" a disputed subject that becomes eligible, or no longer is, changes as well.
        order_by: a ranking implies that its predicate exists (Q7).
        options: filters as for :func:`when`; what only presents an answer (show, limit, offset) changes nothing.

    Returns:
        The instant, or None if no bound lies ahead.
    """
    filters = {name: value for name, value in options.items() if name not in _PRESENTING}
    asking = Asking(db, vocabulary, basis, narrowed_to(**filters))
    stated = stated_in(conditions, vocabulary, order_by)
    _, implied = ordered_by(stated, vocabulary, order_by)
    pieces = _pieces(asking, (*stated, *implied), Interval(basis.valid_at, None))
    wish = Wish(policy="any" if policy == "any" else "certain", over_time="change" if len(pieces) == 1 else "segments")
    runs = [_run(asking, piece, replace(wish, everyone=len(pieces) > 1)) for piece in pieces]
    return _first_change(runs, basis)


def next_stale(found: Answer, vocabulary: Vocabulary) -> datetime | None:
    """Give when the first supporting claim of an answer becomes stale if nothing is read again (Q9, Q10)."""
    seen = ((vocabulary.get(one.predicate).stale_after, one.last_seen) for one in found.supporting)
    return _first_stale(seen, found.basis.observed_by)


def _first_stale(seen: Iterable[tuple[int, datetime]], at: datetime) -> datetime | None:
    """Find the first instant after *at* at which a claim is older than its predicate allows."""
    due = (last_seen + timedelta(days=days) + TICK for days, last_seen in seen)
    return min((moment for moment in due if moment > at), default=None)


# -- running ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Piece:
    """A window of valid time in which every operand stands still, with the operands filled in (Q14)."""

    window: Interval
    ready: Filled


@dataclass(frozen=True, slots=True)
class _Run:
    """One statement that ran: its piece, plan, row of heads, and the rows of its segments."""

    piece: _Piece
    plan: Plan
    head: Row
    rows: list[Row]


def _pieces(asking: Asking, conditions: tuple[Condition, ...], whole: Interval) -> list[_Piece]:
    """Cut a window where another subject's value, used as an operand, changes; mostly it stays whole."""
    points = [moment for moment in _operand_bounds(asking, conditions) if moment in whole]
    starts = [whole.start, *(moment for moment in points if moment != whole.start)]
    windows = [Interval(start, end) for start, end in pairwise([*starts, whole.end])] if points else [whole]
    pieces: list[_Piece] = []
    for cut in windows:
        ready = _filled(asking, conditions, cut)
        last = pieces[-1] if pieces else None
        if last and (last.ready.conditions, last.ready.mute) == (ready.conditions, ready.mute):
            cited = (*last.ready.cited, *ready.cited)
            pieces[-1] = _Piece(Interval(last.window.start, cut.end), replace(last.ready, cited=cited))
        else:
            pieces.append(_Piece(cut, ready))
    return pieces


def _filled(asking: Asking, conditions: tuple[Condition, ...], cut: Interval) -> Filled:
    """Fill operands in as they stand at the start of a window, or just before its end if it has no start."""
    at = cut.start or (cut.end - TICK if cut.end else asking.basis.valid_at)
    then = replace(asking, basis=replace(asking.basis, valid_at=at))
    return filled(conditions, asking.vocabulary, then.value)


def _operand_bounds(asking: Asking, conditions: Iterable[Condition]) -> list[datetime]:
    """List the bounds of the claims that serve as operands; one asked for its own instant does not move."""
    tests = [test for condition in conditions for test in tests_of(condition)]
    moving = [(test, test.value_of) for test in tests if test.value_of is not None and test.at is None]
    if not moving:
        return []
    names = [other.predicate or test.predicate.name for test, other in moving]
    known = [name for one in map(asking.vocabulary.get, names) for name in (one.name, *(a.name for a in one.aliases))]
    subjects = [other.subject for _, other in moving]
    ids = chosen_ids(asking.db, asking.basis, subjects=subjects, predicates=known)
    axes = {"observed_by": asking.basis.observed_by, "recorded_by": asking.basis.recorded_by}
    return [row[0] for row in asking.db.file("queries/bounds", ids | axes)]


def _run(asking: Asking, piece: _Piece, wish: Wish) -> _Run:
    basis, ready = asking.basis, piece.ready
    ids = ids_of(asking.db, basis, ready.conditions, ())
    filters = filters_of(asking.db, basis, asking.narrowed)
    over = replace(wish, since=piece.window.start, before=piece.window.end)
    plan = compiled(ready.conditions, ids, basis, filters, over)
    head, *rows = asking.db.query(plan.sql, plan.params).dicts()
    return _Run(piece, plan, head, rows)


# -- putting together ------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Stretch:
    """A subject's longest interval in one bucket, across pieces, with its grounds by test, role and version."""

    bucket: int
    eligible: bool
    start: datetime | None
    end: datetime | None
    grounds: dict[tuple[int, int, int], Row]


@dataclass(slots=True)
class _Subject:
    provider: str
    name: str
    stretches: list[_Stretch]


def _joined(runs: Sequence[_Run]) -> dict[int, _Subject]:
    """Put the segments of the pieces together; where a bucket goes on across a seam it is one interval."""
    subjects: dict[int, _Subject] = {}
    for run in runs:
        for row in run.rows:
            one = subjects.setdefault(row["subject_id"], _Subject(row["provider"], row["name"], []))
            if row["bucket"] is not None:
                _add(one.stretches, row)
    return subjects


def _add(stretches: list[_Stretch], row: Row) -> None:
    last = stretches[-1] if stretches else None
    state = (row["bucket"], row["eligible"])
    same = last is not None and (last.bucket, last.eligible) == state
    if last is None or not same or (last.end != row["begins"] and last.start != row["begins"]):
        last = _Stretch(*state, row["begins"], row["ends"], {})
        stretches.append(last)
    last.end = row["ends"]
    if row["version_id"] is not None:
        key = (row["test"], row["role"], row["version_id"])
        known = last.grounds.setdefault(key, dict(row))
        known |= {flag: known[flag] or row[flag] for flag in ("certain", "here", "certain_here")}


def _first_change(runs: Sequence[_Run], basis: Basis) -> datetime | None:
    """Take the engine's word for one piece; across pieces every end of an interval in a bucket is a change."""
    if len(runs) == 1:
        found: datetime | None = runs[0].head["next_change_at"]
        return found
    stretches = [one for subject in _joined(runs).values() for one in subject.stretches]
    bounds = [moment for one in stretches for moment in (one.start, one.end)]
    return min((moment for moment in bounds if moment is not None and moment > basis.valid_at), default=None)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What was asked beside the filters."""

    stated: tuple[Condition, ...]
    looked_at: Interval
    extent: Extent | None
    limit: int | None


def _told(asking: Asking, asked: _Asked, runs: Sequence[_Run]) -> When:
    """Make the result of the rows."""
    subjects = _joined(runs)
    versions = {key[2] for one in subjects.values() for stretch in one.stretches for key in stretch.grounds}
    plan = runs[0].plan
    reader = _Reader(plan.tests, places(plan.trees), citations(asking.db, asking.basis, versions))
    found = sorted((_subject(one, reader, asked.looked_at) for one in subjects.values()), key=_name)
    told = [one for one in found if one.segments or asking.narrowed.subjects]
    listed = told if asked.limit is None else told[: asked.limit]
    total = runs[0].head["subjects_count"] if len(runs) == 1 else sum(bool(one.segments) for one in told)
    cited = {one.claim_id: one for run in runs for one in run.piece.ready.cited}
    return When(
        constraints=tuple(map(text_of, asked.stated)),
        basis=asking.basis,
        window=asked.looked_at,
        extent=asked.extent,
        subjects=tuple(listed),
        total=total,
        next_change_at=_first_change(runs, asking.basis),
        next_stale_at=_first_stale(_supports(subjects.values(), reader), asking.basis.observed_by),
        operands=tuple(cited.values()),
        filters=asking.narrowed.to_json(),
        notes=tuple(_notes(asked, runs, len(listed), total)),
        plan=tuple(step for run in runs for step in _steps(run)),
        statements=tuple((run.plan.sql, run.plan.params) for run in runs),
        versions=versions_of(asking.vocabulary),
    )


@dataclass(frozen=True, slots=True)
class _Reader:
    """What rows are read against: the tests, the constraint of each, and the claims by version."""

    tests: tuple[Test, ...]
    places: Mapping[int, int]
    cited: Mapping[int, Citation]


def _subject(one: _Subject, reader: _Reader, looked_at: Interval) -> SubjectWhen:
    segments = (_segment(stretch, reader) for stretch in one.stretches if BUCKETS[stretch.bucket] in _CERTAINTY)
    return SubjectWhen(
        one.provider, one.name, tuple(segment for segment in segments if segment.interval.intersect(looked_at))
    )


def _segment(stretch: _Stretch, reader: _Reader) -> Segment:
    grounds = [
        Ground(reader.places[test], test, ROLES[role], row["certain"], reader.cited[version])
        for (test, role, version), row in stretch.grounds.items()
    ]
    return Segment(
        _CERTAINTY[BUCKETS[stretch.bucket]], Interval(stretch.start, stretch.end), tuple(sorted(grounds, key=_place))
    )


def _place(ground: Ground) -> tuple[int, str, float, float]:
    """Order grounds by their content: test, claim, start (C16)."""
    earliest, latest = ground.claim.from_earliest, ground.claim.from_latest
    return (
        ground.test, ground.claim.claim_id, float("-inf") if earliest is None else earliest.timestamp(),
        float("inf") if latest is None else latest.timestamp(),
    )  # fmt: skip


def _name(one: SubjectWhen) -> tuple[str, str]:
    return one.provider, one.subject


def _supports(subjects: Iterable[_Subject], reader: _Reader) -> Iterable[tuple[int, datetime]]:
    """Give limit and last reading of the claims that make subjects eligible at the basis (Q9), as in an answer."""
    for one in subjects:
        for stretch in one.stretches:
            said = [row for row in stretch.grounds.values() if row["here"] and ROLES[row["role"]] == "yes"]
            sure = {row["test"] for row in said if row["certain_here"]}
            for row in said if stretch.eligible else ():
                if row["certain_here"] or row["test"] not in sure:
                    yield reader.tests[row["test"]].predicate.stale_after, reader.cited[row["version_id"]].newest


def _notes(asked: _Asked, runs: Sequence[_Run], listed: int, total: int) -> Iterable[str]:
    yield from dict.fromkeys(impossible([one for one in asked.stated if isinstance(one, Test)]))
    yield from dict.fromkeys(reason for run in runs for reason in run.piece.ready.mute.values())
    left_out = max(run.head["left_out_count"] for run in runs)
    if left_out:
        yield f"left out: {counted(left_out, 'claim')} of other sources"
    if listed < total:
        yield f"listed: {listed} of {total} subjects"


def _steps(run: _Run) -> Iterable[Step]:
    """Give the steps of a statement; those that are kept anyway with their number of rows (Q8)."""
    yield from run.piece.ready.steps
    for step in run.plan.steps:
        yield replace(step, rows=run.head.get(f"rows_{step.name}"))
