"""The process that runs a model's SQL: its memory, time and files are limited, and it can be killed any moment (G15).

Run as ``python -m claimbase.agents.sql_worker FILE [private]``. A line of JSON comes in, {"sql": ...}; lines of JSON go
out: the columns, each row, and the count, or an error. The first line out says which state of the base is read. A
private file is removed, with its folder, when the program that asks is gone.
"""

from __future__ import annotations

import json
import math
import os
import re
import resource
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, BinaryIO

from sqlglot import exp

from claimbase.errors import ClaimbaseError, LimitError
from claimbase.numerals import written
from claimbase.selects import check
from claimbase.store.db import statement
from claimbase.store.sandbox import Sandbox, names
from claimbase.temporal import iso

ADDRESS_SPACE = 2**30
"""Bytes of memory the process may map."""
CPU_SECONDS = 6
"""Seconds of computing for one call."""
ROWS = 1_000
"""The most rows of one answer."""
COLUMNS = 200
"""The most columns of one answer."""
NAME = 200
"""The most characters of a column's name."""
NAMED_MOST = 3
"""The most tables whose columns a hint names."""
BYTES = 256_000
"""The most bytes of one answer's rows, written as JSON."""

_EXACT = 2**53
"""Whole numbers beyond it are written as text: not every reader of JSON keeps their last digits."""

# They load what is loaded late, while files can still be opened: the lists of names, the zones, the words of errors.
_WARMING = (
    "SELECT recorded_at FROM cb.active_claims() JOIN cb.batch ON true",
    "SELECT x FROM cb.batch",
    "(",
    "SELECT f()",
)

_NAMED = re.compile(r"\bcb\.(\w+)")

Say = Callable[[Any], None]


def main() -> None:
    """Answer one statement a line until there is none."""
    file, *private = sys.argv[1:]
    say = _voice()
    _limit_memory()
    sandbox = Sandbox(Path(file))
    for warming in _WARMING:
        _answer(sandbox, warming, _nobody)
    with suppress(BrokenPipeError):
        say({"state": _state(sandbox)})
        _seal()
        for line in sys.stdin.buffer:
            _limit_time()
            if not _answer(sandbox, json.loads(line)["sql"], say):
                return  # after a lack of memory nobody knows what is whole
    if private:  # a program that lives kills its workers
        with suppress(OSError):
            Path(file).unlink()
            Path(file).parent.rmdir()


def _nobody(_: Any) -> None:
    """Take whatever it is and do nothing; as a taker of rows, end after the first."""


# -- limits ----------------------------------------------------------------------------------------------------------


def _voice() -> Say:
    """Keep the real output for the answers; whatever else writes there reaches the error channel (C15)."""
    out: BinaryIO = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)

    def say(data: Any) -> None:
        out.write(json.dumps(data, allow_nan=False).encode("ascii") + b"\n")
        out.flush()

    return say


def _limit_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _seal() -> None:
    """From here on no file and no socket is opened and no byte is written to a file, whoever tries."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))


def _limit_time() -> None:
    used = resource.getrusage(resource.RUSAGE_SELF)
    most = math.ceil(used.ru_utime + used.ru_stime) + CPU_SECONDS
    resource.setrlimit(resource.RLIMIT_CPU, (most, resource.getrlimit(resource.RLIMIT_CPU)[1]))


# -- answers ---------------------------------------------------------------------------------------------------------


def _state(sandbox: Sandbox) -> dict[str, Any]:
    """Say which batch is the newest."""
    rows: list[Sequence[Any]] = []
    sandbox.read(statement("ledger/head"), rows.append)
    return {"batch": rows[0][0], "recorded_at": cell(rows[0][1])} if rows else {"batch": None, "recorded_at": None}


def _answer(sandbox: Sandbox, sql: str, say: Say) -> bool:
    """Answer one statement; False if the process should end."""
    taken = Taken()
    try:
        check(sql)
        columns = sandbox.read(sql, taken)
        if len(columns) > COLUMNS:
            raise LimitError(f"{len(columns):,} columns", code="too_large", hint=f"{COLUMNS} at most")
    except ClaimbaseError as error:
        told = error.to_json()
        say(told if told["hint"] else told | {"hint": _columns(sandbox, sql)})
        return error.code != "out_of_memory"
    say({"columns": [name[:NAME] for name in columns]})
    for row in taken.rows:
        say(row)
    say({"rows": len(taken.rows), "truncated": taken.truncated})
    return True


def _columns(sandbox: Sandbox, sql: str) -> str:
    """Tell the columns of the tables and macros that a statement names, for who misspelt one."""
    known = names()
    told = []
    for name in sorted(set(_NAMED.findall(sql)) & (known.tables | known.table_macros))[:NAMED_MOST]:
        macro = exp.Anonymous(this=name, expressions=[exp.null()])
        called = macro if name in known.table_macros else exp.to_identifier(name)
        empty = exp.select("*").from_(exp.Table(this=called, db=exp.to_identifier("cb"))).limit(0)
        with suppress(ClaimbaseError):
            columns = sandbox.read(empty.sql("duckdb", normalize_functions=False), _nobody)
            told.append(f"cb.{name} has {', '.join(columns)}")
    return "; ".join(told) or "columns of the tables named, arguments as the macros take them"


class Taken:
    """Takes rows until there are too many or too large ones."""

    def __init__(self) -> None:
        self.rows: list[list[Any]] = []
        self.truncated = False
        self._bytes = 0

    def __call__(self, row: Sequence[Any]) -> bool:
        """Take a row; False if it does not fit."""
        cells = [cell(value) for value in row]
        self._bytes += len(json.dumps(cells, allow_nan=False)) + 1
        self.truncated = len(self.rows) == ROWS or self._bytes > BYTES
        if not self.truncated:
            self.rows.append(cells)
        return not self.truncated


def cell(value: Any) -> Any:
    """Turn a value of the engine into what JSON carries: instants and decimals as text, no end of time as null."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, Mapping):
        return {str(name): cell(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [cell(one) for one in value]
    for kind, write in _WRITTEN:
        if isinstance(value, kind):
            return write(value)
    return str(value)


def _instant(value: datetime) -> str | None:
    if value.tzinfo is not None:
        return iso(value)
    return None if value in (datetime.max, datetime.min) else value.isoformat()  # noqa: DTZ901 - how infinity arrives


_WRITTEN: tuple[tuple[type, Callable[[Any], Any]], ...] = (
    (int, lambda number: number if abs(number) <= _EXACT else str(number)),
    (float, lambda number: number if math.isfinite(number) else None),
    (Decimal, written),
    (datetime, _instant),
    (date, lambda day: None if day in (date.max, date.min) else day.isoformat()),
    (bytes, bytes.hex),
)

if __name__ == "__main__":
    main()
