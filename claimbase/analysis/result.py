"""What every analysis gives back: plain data, rows, a frame and an HTML table, all from one list of columns."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from datetime import datetime
from decimal import Decimal
from html import escape
from typing import Any, ClassVar

from claimbase.numerals import written
from claimbase.present import harmless, isolated
from claimbase.temporal import Interval, iso


class Result(ABC):
    """A result that can show itself; the subclass names its columns and yields its rows."""

    __slots__ = ()
    COLUMNS: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def rows(self) -> list[dict[str, Any]]:
        """Give the result as flat rows in a stated, total order (C16)."""

    @property
    @abstractmethod
    def summary(self) -> str:
        """Say the result in one sentence."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the rows' columns, in order."""
        return self.COLUMNS

    def df(self) -> Any:
        """Give the rows as a pandas frame; needs the extra ``claimbase[frames]``."""
        import pandas as pd

        return pd.DataFrame(self.rows(), columns=list(self.columns))

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        body = "".join(f"<tr>{_cells(row.values())}</tr>" for row in self.rows())
        return f"<p>{isolated(self.summary)}</p><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def __repr__(self) -> str:
        return harmless(f"<{type(self).__name__}: {self.summary}>")


def _cells(values: Iterable[Any]) -> str:
    return "".join(f"<td>{isolated(shown_value(value))}</td>" for value in values)


def shown_value(value: Any) -> str:
    """Write one cell for people: instants in UTC, nothing for None."""
    if value is None:
        return ""
    if isinstance(value, datetime):
        return iso(value)
    if isinstance(value, list | tuple):
        return ", ".join(shown_value(one) for one in value)
    return str(value)


def plain(value: Any) -> Any:
    """Turn instants, decimals, intervals and nested results into what JSON can carry."""
    if isinstance(value, datetime):
        return iso(value)
    if isinstance(value, Decimal):
        return written(value)
    if isinstance(value, Interval):
        return {"from": plain(value.start), "until": plain(value.end)}
    if isinstance(value, Mapping):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return value.to_json() if hasattr(value, "to_json") else value
