"""The table of tests/coverage.md and the marks of the tests: `python -m tests.coverage_table [--write]`."""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
TABLE = HERE / "coverage.md"
COLUMNS = 5


@dataclass(frozen=True)
class Line:
    """One line of the table."""

    id: str
    item: str
    decision: str
    how: str
    tests: tuple[str, ...]


def lines(text: str) -> list[Line]:
    """Read the table's lines."""
    rows = [
        [cell.strip() for cell in row.strip().strip("|").split("|")]
        for row in text.splitlines()
        if row.startswith(("| A", "| T", "| H", "| M"))
    ]
    assert all(len(row) == COLUMNS for row in rows), next(row for row in rows if len(row) != COLUMNS)
    return [Line(*row[:4], tuple(filter(None, row[4].split("<br>")))) for row in rows]


def marks(folder: Path = HERE) -> dict[str, list[str]]:
    """Collect the ids that tests claim to prove, with their tests; nothing is run."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(folder.rglob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        name = path.relative_to(folder.parent).as_posix()
        for test, ids in _tests(tree, name, _file_marks(tree)):
            for one in sorted(set(ids)):
                found[one].append(test)
    return dict(found)


def _file_marks(tree: ast.Module) -> list[str]:
    assigned = [node for node in tree.body if isinstance(node, ast.Assign)]
    of_all = [node.value for node in assigned if "pytestmark" in map(ast.unparse, node.targets)]
    return [one for value in of_all for one in _covers(value)]


def _tests(node: ast.Module | ast.ClassDef, name: str, above: list[str]) -> Iterator[tuple[str, list[str]]]:
    for one in node.body:
        if isinstance(one, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            own = [*above, *(mark for decorator in one.decorator_list for mark in _covers(decorator))]
            if isinstance(one, ast.ClassDef):
                yield from _tests(one, f"{name}::{one.name}", own)
            elif one.name.startswith("test_"):
                yield f"{name}::{one.name}", own
            else:
                assert own == above, f"{name}::{one.name} is no test and proves nothing"


def _covers(node: ast.expr) -> Iterator[str]:
    """Give the ids of every `covers(…)` in an expression, marks of single parameters included."""
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "covers":
            for given in call.args:
                assert isinstance(given, ast.Constant), f"line {given.lineno}: ids are written out"
                assert isinstance(given.value, str), f"line {given.lineno}: ids are texts"
                yield given.value


def written(text: str, found: Mapping[str, list[str]]) -> str:
    """Give the table with its last column as the marks say."""
    known = {line.id: line for line in lines(text)}
    rows = []
    for row in text.splitlines():
        line = known.get(row[2:5]) if row.startswith("| ") else None
        cells = (line.id, line.item, line.decision, line.how, "<br>".join(found.get(line.id, []))) if line else ()
        rows.append("| " + " | ".join(cells) + " |" if cells else row)
    return "\n".join(rows) + "\n"


def uncovered(table: list[Line], found: Mapping[str, list[str]]) -> list[str]:
    """Give the ids that are in or adapted and that no test proves."""
    return [line.id for line in table if line.decision != "out" and not found.get(line.id)]


def main() -> None:
    """Print the ids without a test; with --write, write the column of tests."""
    text, found = TABLE.read_text(encoding="utf-8"), marks()
    if "--write" in sys.argv[1:]:
        TABLE.write_text(written(text, found), encoding="utf-8")
    print("without a test:", ", ".join(uncovered(lines(text), found)) or "none")


if __name__ == "__main__":
    main()
