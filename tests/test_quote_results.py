"""A rule that has a version gives what it gave: every kept result of quote/1 comes out again, to the letter."""

from __future__ import annotations

from typing import Any

import pytest
from quote_results import KEPT, cases, results

_LINES: dict[str, list[str]] = {}
for _line in KEPT.read_text(encoding="utf-8").splitlines():
    _LINES.setdefault(_line.split('"')[1], []).append(_line)


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in cases()])
def test_results_are_those_that_were_kept(case: dict[str, Any]) -> None:
    """N1, N10, P7: normal form, place, ratio, changes, context and flags of a quote are those of this version for good.

    A difference that is meant is another version of the rule: raise ``VERSION`` in ``normalise.py``, and keep the
    results anew with ``python tests/quote_results.py``.
    """
    assert list(results(case)) == _LINES[case["id"]]


def test_no_result_is_kept_without_its_case() -> None:
    """2.4: every kept line belongs to a golden case."""
    assert list(_LINES) == [case["id"] for case in cases()]
