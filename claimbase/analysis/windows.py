"""What part of valid time and which slots an analysis looks at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime
from typing import Any, TypeAlias

from claimbase.errors import InputError
from claimbase.store import Db
from claimbase.temporal import TICK, Basis, Interval, read_instant
from claimbase.values import folded

Moment: TypeAlias = str | date | datetime
Window: TypeAlias = tuple[Moment | None, Moment | None]


def window(basis: Basis, *, at: Moment | None = None, during: Window | None = None, all_time: bool = False) -> Interval:
    """Read the valid time asked for: one instant, a half-open window, or all of it (K1).

    Args:
        basis: gives the instant where nothing is named.
        at: an instant.
        during: from and until; None = unbounded.
        all_time: everything.

    Raises:
        InputError: [two_windows] more than one was named.
        IntervalError: the window is empty or inverted (B3).
    """
    if (at is not None) + (during is not None) + all_time > 1:
        raise InputError("at, during and all_time exclude each other", code="two_windows", hint="name one of them")
    if all_time:
        return Interval(None, None)
    if during is not None:
        start, end = (None if bound is None else read_instant(bound, field="during") for bound in during)
        return Interval(start, end)
    moment = basis.valid_at if at is None else read_instant(at, field="at")
    return Interval(moment, moment + TICK)


def chosen_ids(
    db: Db, basis: Basis, *, subjects: Sequence[str] = (), predicates: Sequence[str] = (), providers: Sequence[str] = ()
) -> dict[str, list[int] | None]:
    """Find the canonical numbers of the subjects and predicates named; None where all are meant (P2).

    Args:
        db: the base.
        basis: decides which aliases stand.
        subjects, predicates, providers: names; empty = all.
    """
    axis = {"recorded_by": basis.recorded_by}
    found: dict[str, list[int] | None] = {"subjects": None, "predicates": None}
    if subjects or providers:
        names = {"names": _keys(subjects), "providers": _keys(providers)}
        found["subjects"] = [row[0] for row in db.file("queries/subjects_named", axis | names)]
    if predicates:
        found["predicates"] = [
            row[0] for row in db.file("queries/predicates_named", axis | {"names": list(predicates)})
        ]
    return found


def portions(db: Db, basis: Basis, asked: dict[str, Any], most: int) -> Iterator[dict[str, Any]]:
    """Divide a question by predicates, as a slot lies in one: a statement holds what it looks at in memory.

    Args:
        db: the base.
        basis: decides which aliases stand.
        asked: parameters, with the numbers that `chosen_ids` gave.
        most: how many versions a portion has, unless one predicate alone has more; a smaller base stays whole.

    Returns:
        The parameters of each portion.
    """
    found = db.file("queries/portions", {"recorded_by": basis.recorded_by, "predicates": asked["predicates"]}).rows
    if asked["subjects"] is not None or sum(versions for _, versions in found) <= most:
        yield asked
        return
    part: list[int] = []
    size = 0
    for predicate, versions in found:
        if part and size + versions > most:
            yield asked | {"predicates": part}
            part, size = [], 0
        part.append(predicate)
        size += versions
    yield asked | {"predicates": part}


def _keys(names: Sequence[str]) -> list[str] | None:
    return [folded(name) for name in names] or None
