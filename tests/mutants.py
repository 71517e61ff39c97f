"""One-token mutants of a SQL text: each a small, plausible mistake that some test must notice (G20)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

OPERATORS: Mapping[str, Sequence[str]] = {
    "<=": ("<", ">="),
    ">=": (">", "<="),
    "<": ("<=", ">"),
    ">": (">=", "<"),
    "<>": ("=",),
    "=": ("<>",),
    "AND": ("OR",),
    "OR": ("AND",),
    "IS NULL": ("IS NOT NULL",),
    "IS NOT NULL": ("IS NULL",),
    "NOT EXISTS": ("EXISTS",),
    "NOT ": ("",),
    "min(": ("max(",),
    "max(": ("min(",),
    "least(": ("greatest(",),
    "greatest(": ("least(",),
    "lag(": ("lead(",),
    "lead(": ("lag(",),
    "to_microseconds(1)": ("to_microseconds(0)",),
    "true": ("false",),
    "false": ("true",),
}


def mutants(sql: str, changes: Mapping[str, Sequence[str]] = OPERATORS) -> Iterator[tuple[str, str]]:
    """Yield every text that differs from *sql* in one token, with a label that tells where; comments stay as they are.

    Args:
        sql: a statement.
        changes: token -> what may stand in its place; the longest token that fits counts.
    """
    ordered = sorted(changes, key=len, reverse=True)
    word = re.compile("|".join(_token(token) for token in ordered))
    for number, line in enumerate(sql.splitlines(keepends=True), 1):
        if line.lstrip().startswith("--"):
            continue
        before = "".join(sql.splitlines(keepends=True)[: number - 1])
        after = sql[len(before) + len(line) :]
        for found in word.finditer(line):
            for other in changes[found.group()]:
                changed = line[: found.start()] + other + line[found.end() :]
                label = f"{number}:{found.start() + 1} {found.group().strip()} -> {other or 'nothing'}"
                yield label, before + changed + after


def _token(token: str) -> str:
    """Write a token as a pattern that is no part of a longer word or operator."""
    left = r"(?<![\w.])" if token[0].isalpha() else r"(?<![<>=])" if token[0] in "<>=" else ""
    right = r"(?!\w| REPLACE)" if token[-1].isalpha() else r"(?![<>=])" if token[-1] in "<>=" else ""
    return left + re.escape(token) + right
