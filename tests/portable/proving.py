"""Proving: every plan a question compiles, run at home and as exported elsewhere, row for row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

from claimbase.answers import asking, intervals
from claimbase.compiler import Plan, compiled, export
from claimbase.errors import InputError
from claimbase.store import Db

from .copying import copied, tables_read
from .engines import Engine


@contextmanager
def noted() -> Iterator[list[Plan]]:
    """Note every plan that is compiled while the block runs."""
    plans: list[Plan] = []

    def note(*given: Any) -> Plan:
        plans.append(compiled(*given))
        return plans[-1]

    with mock.patch.object(asking, "compiled", note), mock.patch.object(intervals, "compiled", note):
        yield plans


@dataclass(slots=True)
class Proof:
    """How the plans of some bases came out on one engine.

    Args:
        engine: where they are run.
        equal: how many gave exactly the rows that the base gives, in its order.
        rows: how many rows that were.
        refused: how many could not be written, by the reason given.
    """

    engine: Engine
    equal: int = 0
    rows: int = 0
    refused: Counter[str] = field(default_factory=Counter)

    def prove(self, db: Db, plans: Iterable[Plan], what: str) -> None:
        """Copy the tables that the plans read, then run each plan at both places.

        Raises:
            AssertionError: the rows differ.
        """
        written = [(plan, text) for plan in plans if (text := self._written(plan)) is not None]
        if not written:
            return
        self.engine.hold(copied(db, set().union(*(tables_read(text, self.engine.dialect) for _, text in written))))
        for plan, text in written:
            here, there = db.query(plan.sql, plan.params).rows, self.engine.run(text)
            assert there == here, f"{self.engine.dialect} differs: {what}\n{_differing(here, there)}"
            self.equal += 1
            self.rows += len(here)

    def _written(self, plan: Plan) -> str | None:
        try:
            return export(plan, self.engine.dialect)
        except InputError as error:
            if error.code != "not_portable":
                raise
            self.refused[str(error)] += 1
            return None

    def told(self) -> str:
        """Say the figures in one line."""
        refused = "".join(f"; refused {count}: {reason}" for reason, count in self.refused.most_common())
        return f"{self.engine.dialect}: {self.equal:,} plans equal in {self.rows:,} rows{refused}"


def _differing(here: list[Any], there: list[Any]) -> str:
    only = [[row for row in one if row not in other] for one, other in ((here, there), (there, here))]
    return "\n".join(f"only {side}: {rows[:3]}" for side, rows in zip(("here", "there"), only, strict=True))
