"""The mistakes: one table of changes to the syntax tree of a Python module; those of SQL stand in ``mutants.py``."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from copy import copy, deepcopy
from functools import partial
from typing import TypeAlias

Change: TypeAlias = Callable[[ast.AST], ast.AST | None]

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult,
    ast.BitAnd: ast.BitOr,
}  # fmt: skip
_CALLS = {"min": "max", "max": "min", "any": "all", "all": "any", "next": "list", "sorted": "list", "search": "match"}


def _comparison(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _COMPARISONS:
        node.ops = [_COMPARISONS[type(node.ops[0])](), *node.ops[1:]]
        return node
    return None


def _last_comparison(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.Compare) and len(node.ops) > 1 and type(node.ops[-1]) in _COMPARISONS:
        node.ops = [*node.ops[:-1], _COMPARISONS[type(node.ops[-1])]()]
        return node
    return None


def _connective(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.BoolOp):
        node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        return node
    return None


def _arithmetic(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC:
        node.op = _ARITHMETIC[type(node.op)]()
        return node
    return None


def _number(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return ast.Constant(node.value + 1)
    return None


def _truth(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.Constant) and type(node.value) is bool:
        return ast.Constant(not node.value)
    return None


def _negation(node: ast.AST) -> ast.AST | None:
    return node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub) else None


def _condition(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.If | ast.IfExp | ast.While | ast.Assert):
        node.test = ast.UnaryOp(ast.Not(), node.test)
        return node
    return None


def _filter(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.comprehension) and node.ifs:
        node.ifs = node.ifs[1:]
        return node
    return None


def _result(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.Return) and node.value is not None and not _is_none(node.value):
        node.value = ast.Constant(None)
        return node
    return None


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _step(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.Raise | ast.AugAssign) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
        return ast.Pass()
    return None


def _jump(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.Break | ast.Continue):
        return ast.Continue() if isinstance(node, ast.Break) else ast.Break()
    return None


def _call(node: ast.AST) -> ast.AST | None:
    if not isinstance(node, ast.Call):
        return None
    called = node.func
    if isinstance(called, ast.Name) and called.id in _CALLS:
        node.func = ast.Name(_CALLS[called.id], ast.Load())
        return node
    if isinstance(called, ast.Attribute) and called.attr in _CALLS:
        node.func = ast.Attribute(called.value, _CALLS[called.attr], ast.Load())
        return node
    return None


OPERATORS: dict[str, Change] = {
    "comparison": _comparison, "last comparison": _last_comparison, "and/or": _connective, "arithmetic": _arithmetic,
    "number + 1": _number, "true/false": _truth, "no negation": _negation, "condition negated": _condition,
    "filter dropped": _filter, "result None": _result, "step dropped": _step, "break/continue": _jump, "call": _call,
}  # fmt: skip
"""Each changes a copy of a node, though not what lies below it, or gives another; None where it does not fit."""


_SMALL, _LONGEST = 40, 110  # characters of a node that is shown with what is around it, of what is shown
_WHOLE = ast.stmt | ast.comprehension | ast.Compare | ast.BoolOp | ast.Call


def mutants(source: str) -> Iterator[tuple[str, Callable[[], str]]]:
    """Give every mutant of a module: a label that tells line and change, and what makes the changed source.

    Annotations, decorators, docstrings and what only type checkers read stay as they are.

    Args:
        source: of a Python module.
    """
    tree = ast.parse(source)
    for path in _paths(tree):
        for name, change in OPERATORS.items():
            if change(copy(_at(tree, path))) is not None:
                label = f"{_line(tree, path)} {name}: {_shown(tree, path)}"
                yield label, partial(_changed, tree, path, change)


_Path: TypeAlias = tuple[tuple[str, int | None], ...]
_LEFT_OUT = ("annotation", "returns", "decorator_list", "format_spec", "type_params")


def _paths(node: ast.AST, path: _Path = ()) -> Iterator[_Path]:
    """Give the way to every node that may be changed."""
    for name, value in ast.iter_fields(node):
        if name in _LEFT_OUT or (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)):
            continue
        for at, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(child, ast.AST) and not isinstance(child, ast.JoinedStr) and not _of_speed(child):
                here = (*path, (name, at))
                yield here
                yield from _paths(child, here)


def _of_speed(node: ast.AST) -> bool:
    """Say whether a node is an argument that decides how quick something is and nothing else."""
    return isinstance(node, ast.keyword) and node.arg in ("copy", "maxsize")


def _at(tree: ast.AST, path: Sequence[tuple[str, int | None]]) -> ast.AST:
    for name, at in path:
        value = getattr(tree, name)
        tree = value if at is None else value[at]
    return tree


def _line(tree: ast.AST, path: _Path) -> int:
    """Give the line of a node, or of the nearest around it that has one."""
    around = (_at(tree, path[:count]) for count in range(len(path), -1, -1))
    return next((node.lineno for node in around if isinstance(node, ast.expr | ast.stmt)), 0)


def _shown(tree: ast.AST, path: _Path) -> str:
    """Show a node, and the statement or condition around it where it is small."""
    node = _at(tree, path)
    own = ast.unparse(node).partition("\n")[0]
    if len(own) > _SMALL:
        return own[:_LONGEST]
    around = next((one for n in range(len(path) - 1, 0, -1) if isinstance(one := _at(tree, path[:n]), _WHOLE)), node)
    return f"{own} in {ast.unparse(around).partition(chr(10))[0][:_LONGEST]}"


def _changed(tree: ast.Module, path: _Path, change: Change) -> str:
    """Write a module with one node changed."""
    whole = deepcopy(tree)
    parent, (name, at) = _at(whole, path[:-1]), path[-1]
    other = change(_at(whole, path))
    if at is None:
        setattr(parent, name, other)
    else:
        getattr(parent, name)[at] = other
    return ast.unparse(ast.fix_missing_locations(whole))
