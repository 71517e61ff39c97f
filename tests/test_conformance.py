"""Conformance: every case of the suite, and those beside the checkout, through the public interface."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from conformance.cases import LATER, Case, own_cases, shared_cases
from conformance.runner import run

OWN, BESIDE = own_cases(), shared_cases()
# Floors: a case that stops being run has to be noticed.
OWN_RUN, BESIDE_RUN = 245, 85


def _parameters(cases: list[Case]) -> list[object]:
    return [
        pytest.param(case, id=case.id, marks=[pytest.mark.skip(reason=case.later)] if case.later else [])
        for case in cases
    ]


@pytest.mark.parametrize("case", _parameters(OWN))
def test_own_case(case: Case) -> None:
    """What the rules named by the case answer is what the base answers."""
    run(case)


@pytest.mark.parametrize("case", _parameters(BESIDE))
def test_shared_case(case: Case) -> None:
    """The same for the cases that come with the design."""
    run(case)


@pytest.mark.slow
@pytest.mark.parametrize("case", _parameters([case for case in (*OWN, *BESIDE) if case.any_order]))
def test_every_order(case: Case) -> None:
    """B6: where any order counts, every order of the adds ends in the same answers."""
    run(case, every=True)


def test_nothing_is_left_out_unnoticed(capsys: pytest.CaptureFixture[str]) -> None:
    """Every case is run or waits for a word of the table LATER; the numbers are shown and have floors."""
    waiting = {case.id: case.later for case in (*OWN, *BESIDE) if case.later}
    with capsys.disabled():
        for name, cases in (("own", OWN), ("shared", BESIDE)):
            run_by_family = Counter(case.family for case in cases if not case.later)
            print(f"\n{name}: {run_by_family.total()} run {dict(sorted(run_by_family.items()))}", end="")
        print(f"\nnext release: {len(waiting)} {dict(Counter(waiting.values()))}")
    words = {word for reasons in LATER.values() for word in reasons}
    assert all(str(reason).split(":")[0] in words for reason in waiting.values())
    assert not any(case.later for case in OWN)
    assert len(OWN) >= OWN_RUN
    assert not BESIDE or sum(not case.later for case in BESIDE) >= BESIDE_RUN
    assert len({case.id for case in (*OWN, *BESIDE)}) == len(OWN) + len(BESIDE)


@pytest.mark.parametrize(
    "change",
    [
        {"expect": {"certain": []}},
        {"expect": {"certain": ["a"], "possible": ["a"]}},
        {"expect": {"certain": ["nobody"]}},
        {"expect": {"undreamt": 1}},
        {"expect": {"stored": {"a": {"undreamt": None}}}},
        {"expect": {"error": "IntervalError"}},
        {"expect": {"at": {"2026-01-01": {}}}},
        {"ask": {"op": "undreamt"}},
        {"ask": {"op": "active", "undreamt": 1}},
        {"arrange": ({"do": "undreamt"},)},
        {"arrange": ({"do": "clock", "now": "2026-01-01", "undreamt": 1},)},
    ],
)
def test_the_runner_fails_loudly(change: dict[str, object]) -> None:
    """A wrong expectation fails, and so does a word of a case that nothing carries out or compares."""
    (case,) = (case for case in OWN if case.id == "box.said-wins-over-missed")
    run(case)
    with pytest.raises((AssertionError, LookupError, ValueError)):
        run(replace(case, **change))
