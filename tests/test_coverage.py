"""The coverage table and the tests hold each other to their word (evidence §8)."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from coverage_table import TABLE, Line, _tests, lines, marks, uncovered, written

MOST = {"A": 59, "T": 21, "H": 25, "M": 9}
IDS = [f"{letter}{number:02}" for letter, most in MOST.items() for number in range(1, most + 1)]


@pytest.fixture(scope="module")
def table() -> list[Line]:
    """The table."""
    return lines(TABLE.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def found() -> dict[str, list[str]]:
    """The marks of all tests."""
    return marks()


def test_the_table_has_every_line_once(table: list[Line]) -> None:
    """§8: 114 lines, each decided, each with its item and how it is met; what is out says why."""
    assert [line.id for line in table] == IDS
    assert len(IDS) == 114
    for line in table:
        assert line.decision in ("in", "adapted", "out"), line.id
        assert line.item, line.id
        assert line.how, line.id
        assert line.decision != "out" or len(line.how.split()) >= 8, f"{line.id} is out without a reason"


def test_the_decisions_are_those_of_the_design(table: list[Line], shared: Path) -> None:
    """§8: the same ids with the same decisions, in other words."""
    text = (shared / "design" / "evidence.md").read_text(encoding="utf-8")
    wanted = re.findall(r"(?m)^\| ([ATHM]\d\d) \| (.+?) \| (in|adapted|out) \| (.+) \|$", text)
    assert [(name, decision) for name, _, decision, _ in wanted] == [(line.id, line.decision) for line in table]
    assert not [name for (name, item, _, _), line in zip(wanted, table, strict=True) if item == line.item]


def test_every_line_has_a_test(table: list[Line], found: dict[str, list[str]]) -> None:
    """§8: an id that is in or adapted is proven by at least one test."""
    open_ = uncovered(table, found)
    print("without a test:", ", ".join(open_) or "none")
    assert not open_


def test_no_mark_names_a_line_that_is_not_there(found: dict[str, list[str]]) -> None:
    """§8: a mark with an unknown id proves nothing."""
    assert not {name: tests for name, tests in found.items() if name not in IDS}


def test_the_table_names_the_tests(found: dict[str, list[str]]) -> None:
    """§8: the column of tests is what the marks say; `python -m tests.coverage_table --write` writes it."""
    text = TABLE.read_text(encoding="utf-8")
    assert written(text, found) == text


def test_marks_are_read_wherever_they_stand() -> None:
    """Decorators of functions and classes, of the module, of single parameters; marks on no test are refused."""
    code = """
import pytest
@pytest.mark.covers("A01", "A02")
def test_one(): ...
@pytest.mark.covers("A03")
class TestMany:
    @pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.covers("A04"))])
    def test_two(self, x): ...
    def helper(self): ...
"""
    assert list(_tests(ast.parse(code), "tests/test_x.py", ["A05"])) == [
        ("tests/test_x.py::test_one", ["A05", "A01", "A02"]),
        ("tests/test_x.py::TestMany::test_two", ["A05", "A03", "A04"]),
    ]
    with pytest.raises(AssertionError, match="proves nothing"):
        list(_tests(ast.parse("@pytest.mark.covers('A01')\ndef fixture(): ..."), "x", []))
    with pytest.raises(AssertionError, match="written out"):
        list(_tests(ast.parse("@pytest.mark.covers(ID)\ndef test_x(): ..."), "x", []))


def test_a_line_without_tests_is_told() -> None:
    """A line that is out needs none; every other one does."""
    table = [Line("A01", "x", "in", "y", ()), Line("A02", "x", "adapted", "y", ()), Line("A03", "x", "out", "y", ())]
    assert uncovered(table, {"A02": ["t"]}) == ["A01"]
    text = "head\n| A01 | x | in | y | |\n"
    assert written(text, {"A01": ["tests/t.py::a", "tests/t.py::b"]}) == (
        "head\n| A01 | x | in | y | tests/t.py::a<br>tests/t.py::b |\n"
    )
    assert lines(written(text, {"A01": ["a", "b"]}))[0].tests == ("a", "b")
