"""The runner: a case's steps carried out in every order that counts, its question put, its expectation compared.

python -m tests.conformance.runner [--adapter NAME ...] [--markdown] [--failures]
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from .adapter import Adapter, CannotState, State
from .adapters import ADAPTERS, adapter
from .cases import Case, Json, own_cases, shared_cases
from .compare import Point, judge, same

_LISTS = ("at", "by")
_IDS = "ids_equal_in_all_orders"
_AXES = ("as_of", "observed_by", "recorded_by")
_KEPT = 4  # states at hand; cases with the same steps stand together in their files
_states: dict[str, State] = {}

RIGHT, WRONG, SILENT = OUTCOMES = ("right", "wrong", "cannot state")


def run(case: Case, store: Adapter | None = None, *, every: bool = False) -> None:
    """Run a case and require all it expects.

    Args:
        store: what to put it to; None = this package.
        every: in every order of the adds where any order counts.

    Raises:
        AssertionError: something is not as the case expects.
        CannotState: something could not be answered.
        LookupError, ValueError: the case holds a word nothing here carries out or compares.
    """
    _, unsaid = _answered(case, store or adapter("claimbase"), every=every)
    if unsaid:
        raise CannotState(", ".join(dict.fromkeys(unsaid)))


def outcome(case: Case, store: Adapter) -> tuple[str, str]:
    """Run a case and say how it came out, with the reason where it is not right.

    What the store has no words for is left out of the case; where nothing is left, the case is one it cannot state.
    """
    try:
        answered, unsaid = _answered(case, store)
    except CannotState as silence:
        return SILENT, str(silence)
    except AssertionError as error:
        return WRONG, str(error)
    return (RIGHT, "") if answered else (SILENT, ", ".join(dict.fromkeys(unsaid)))


def _answered(case: Case, store: Adapter, *, every: bool = False) -> tuple[int, list[str]]:
    """Compare a case's expectations with the answers; give how many were answered, and what could not be."""
    questions = list(_questions(case.ask))
    _check_labels(case, [label for label, _ in questions])
    answered, unsaid, ids = 0, [], set()
    for order in case.orders(every=every):
        state = _state(store, case, order)
        for label, question in questions:
            expect = _expected(case, label)
            answer = store.ask(state, question)
            silent = judge(answer, expect, Point(question["op"], label, state.claims))
            answered += len(expect) - len(silent)
            unsaid += silent
            if _IDS in expect and not any(key.startswith(_IDS) for key in silent):
                ids.add((label, repr(answer.find(_IDS))))
    same(len(ids), len({label for label, _ in ids}), "sets of contradiction ids, over all orders")
    return answered, unsaid


def _state(store: Adapter, case: Case, steps: Sequence[Json]) -> State:
    """Give a state in which the steps were carried out; a question changes none, so that cases alike share one."""
    key = json.dumps([store.name, steps, case.now, case.any_order, case.ask.get("step")])
    _states[key] = _states.pop(key, None) or store.arrange(case, steps)
    while len(_states) > _KEPT:
        _states.pop(next(iter(_states))).close()
    return _states[key]


def _questions(question: Json) -> Iterator[tuple[str | None, Json]]:
    """Give the question once per basis it lists, with its label; `same` is whatever the listed axis says."""
    listed = [axis for axis in _AXES if isinstance(question.get(axis), list)]
    if len(listed) > 1:
        raise ValueError("a question lists one axis")
    if not listed:
        yield None, question
        return
    (axis,) = listed
    for label in question[axis]:
        filled = {name: label for name in _AXES if question.get(name) == "same"}
        yield label, {**question, **filled, axis: label}


def _check_labels(case: Case, labels: list[str | None]) -> None:
    """Require an expectation for each basis asked for, and no other one."""
    for key in _LISTS:
        if key in case.expect and set(case.expect[key]) != set(labels):
            raise LookupError(f"{case.id} is asked at {labels} and expects at {list(case.expect[key])}")


def _expected(case: Case, label: str | None) -> dict[str, Any]:
    """Give what is expected at one basis: what the case says of it, and what it says of all."""
    common = {key: value for key, value in case.expect.items() if key not in _LISTS}
    listed = [case.expect[key][label] for key in _LISTS if key in case.expect]
    return common | {key: value for one in listed for key, value in one.items()}


# -- the table ------------------------------------------------------------------------------------------------------


def table(stores: Sequence[Adapter], cases: Sequence[Case]) -> dict[str, dict[str, Counter[str]]]:
    """Count the outcomes, by family and store."""
    counted = {family: {store.name: Counter() for store in stores} for family in sorted({c.family for c in cases})}
    for store in stores:
        for case in cases:
            counted[case.family][store.name][outcome(case, store)[0]] += 1
    return counted


def shown(counted: dict[str, dict[str, Counter[str]]], *, markdown: bool) -> str:
    """Give the table as text: right / wrong / cannot state."""
    names = list(next(iter(counted.values())))
    total = {name: sum((row[name] for row in counted.values()), Counter()) for name in names}
    rows = [["family", "cases", *names]]
    for family, row in [*counted.items(), ("**all**" if markdown else "all", total)]:
        cells = [" / ".join(str(row[name][outcome]) for outcome in OUTCOMES) for name in names]
        rows.append([family, str(row[names[0]].total()), *cells])
    if markdown:
        rows.insert(1, ["---", "---:", *["---:"] * len(names)])
        return "\n".join(f"| {' | '.join(row)} |" for row in rows)
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)


def main() -> None:
    """Print the table by family: right / wrong / cannot state."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.runner", description=main.__doc__)
    parser.add_argument("--adapter", action="append", choices=sorted(ADAPTERS), help="what to measure; all by default")
    parser.add_argument("--markdown", action="store_true", help="print a table for a page")
    parser.add_argument("--failures", action="store_true", help="name every case that is not right, and why")
    parser.add_argument("--beside", action="store_true", help="take the cases beside the checkout as well")
    arguments = parser.parse_args()
    cases = [*own_cases(), *(shared_cases() if arguments.beside else ())]
    stores, absent = [], []
    for name in arguments.adapter or ADAPTERS:
        store = adapter(name)
        reason = store.missing()
        stores += [] if reason else [store]
        absent += [f"{store.name}: {reason}"] if reason else []
    if arguments.failures:
        for store in stores:
            for case in cases:
                came, why = outcome(case, store)
                if came != RIGHT:
                    print(f"{store.name} {case.id}: {came}: {why}")
    if stores:
        print(shown(table(stores, cases), markdown=arguments.markdown))
    print("\n".join(absent))


if __name__ == "__main__":
    main()
