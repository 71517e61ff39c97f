"""What an exported statement reads, taken out of a base row for row."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import sqlglot
from sqlglot import exp

from claimbase.compiler.export_dialects import DIALECTS
from claimbase.store import Db

Rows = list[tuple[Any, ...]]

_COLUMNS = """
SELECT column_name, data_type FROM duckdb_columns()
WHERE schema_name = 'cb' AND table_name = $table ORDER BY column_index"""


@dataclass(frozen=True, slots=True)
class Table:
    """A table's columns with their types, and its rows."""

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    rows: Rows

    def columns(self) -> list[list[Any]]:
        """Give the rows as columns."""
        return [[row[place] for row in self.rows] for place in range(len(self.names))]


def tables_read(sql: str, dialect: str) -> set[str]:
    """Name the tables of schema cb that a statement reads."""
    found = sqlglot.parse_one(sql, dialect=DIALECTS[dialect].writer).find_all(exp.Table)
    return {one.name for one in found if one.db == "cb"}


def copied(db: Db, names: Iterable[str]) -> dict[str, Table]:
    """Read tables whole."""
    found = {}
    for name in sorted(names):
        columns = db.query(_COLUMNS, {"table": name}).rows
        found[name] = Table(*zip(*columns, strict=True), db.query(f'SELECT * FROM cb."{name}"').rows)  # noqa: S608
    return found
