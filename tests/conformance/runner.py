"""The runner: a case's steps carried out in every order that counts, its question put, its expectation judged."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from . import judges_of_analyses, judges_of_answers  # noqa: F401  # each adds its judges to the table
from .asks import Asked, ask
from .cases import Case, Json
from .judges import judge, same
from .world import World

_LISTS = ("at", "by")
_KEPT = 4  # worlds at hand; cases with the same steps stand together in their files
_worlds: dict[str, World] = {}


def run(case: Case, *, every: bool = False) -> None:
    """Run a case.

    Args:
        every: in every order of the adds where any order counts.

    Raises:
        AssertionError: something is not as the case expects.
        LookupError, ValueError: the case holds a word nothing here carries out or compares.
    """
    ids = []
    for order in case.orders(every=every):
        results = list(ask(_world(case, order), case.ask))
        _check_labels(case, [asked.label for asked in results])
        for asked in results:
            judge(asked, _expected(case, asked))
        ids.append([sorted(pair.id for pair in getattr(one.result, "pairs", ())) for one in results])
    same(len({repr(one) for one in ids}), 1, "sets of contradiction ids, over all orders")


def _world(case: Case, steps: Sequence[Json]) -> World:
    """Give a world in which the steps were carried out; a question changes none, so that cases alike share one."""
    key = json.dumps([steps, case.now, case.any_order, case.ask.get("step")])
    _worlds[key] = _worlds.pop(key, None) or World(case, steps)
    while len(_worlds) > _KEPT:
        _worlds.pop(next(iter(_worlds))).close()
    return _worlds[key]


def _check_labels(case: Case, labels: list[str | None]) -> None:
    """Require an expectation for each basis asked for, and no other one."""
    for key in _LISTS:
        if key in case.expect and set(case.expect[key]) != set(labels):
            raise LookupError(f"{case.id} is asked at {labels} and expects at {list(case.expect[key])}")


def _expected(case: Case, asked: Asked) -> dict[str, Any]:
    """Give what is expected at one basis: what the case says of it, and what it says of all."""
    common = {key: value for key, value in case.expect.items() if key not in _LISTS}
    listed = [case.expect[key][asked.label] for key in _LISTS if key in case.expect]
    return common | {key: value for one in listed for key, value in one.items()}
