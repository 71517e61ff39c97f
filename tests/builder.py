"""A base filled by hand: rows go straight into the tables, so that reading is tested apart from writing."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from copies import empty

from claimbase.store import Db
from claimbase.temporal import Basis, FixedClock
from claimbase.values import folded, value_id
from claimbase.vocabulary import Predicate, Vocabulary

EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
Span = tuple[datetime | None, datetime | None]
KEEP = (None, None)
_VERSION = (
    "version_id", "predicate_id", "subject_id", "scope_id", "source_id", "claim_no", "quote_id", "value_min",
    "value_max", "value_id", "unit_id", "absent", "complete", "min_open", "max_open", "dated", "bounded",
    "from_earliest", "from_latest", "until_earliest", "until_latest", "observed_at", "observed_from", "observed_until",
    "recorded_at", "retracted_at",
)  # fmt: skip


def day(number: int) -> datetime:
    """Return an instant some days after the start of the test's year."""
    return EPOCH + timedelta(days=number)


@dataclass(slots=True)
class World:
    """A base in memory whose dimensions fill as claims name them; `build` writes all rows at once.

    Args:
        predicates: the vocabulary; their ids are their places, from 1.
        now: the clock.
    """

    predicates: Sequence[Predicate]
    now: datetime = EPOCH + timedelta(days=1000)
    rows: dict[str, list[tuple[Any, ...]]] = field(default_factory=dict)
    ids: dict[tuple[str, Any], int] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)

    @property
    def vocabulary(self) -> Vocabulary:
        """The predicates as a vocabulary."""
        return Vocabulary(self.predicates)

    def basis(
        self, valid_at: datetime, observed_by: datetime | None = None, recorded_by: datetime | None = None
    ) -> Basis:
        """Return a basis; what is left out is the clock's now."""
        return Basis(valid_at, observed_by or self.now, recorded_by or self.now, self.now, 0)

    def add(self, table: str, *row: Any) -> None:
        """Add a row to a table."""
        self.rows.setdefault(table, []).append(row)

    def number(self, kind: str, key: Any, *row: Any, table: str | None = None, first: int = 1) -> int:
        """Return the id of a dimension's row, adding the row when it is first named."""
        known = self.ids.get((kind, key))
        if known is None:
            known = self.ids[kind, key] = first + self.counts[kind]
            self.counts[kind] += 1
            self.add(table or kind, known, *row, day(-1000))
        return known

    def subject(self, name: str, provider: str = "P") -> int:
        """Return a subject's id."""
        return self.number("subject", (provider, name), provider, name, folded(provider), folded(name))

    def predicate(self, name: str) -> int:
        """Return a predicate's id."""
        return self.number("predicate", name, name)

    def scope(self, qualifiers: dict[str, str]) -> int:
        """Return a scope's id; the empty one is 0."""
        self.number("scope", "{}", "{}", first=0)
        text = json.dumps(qualifiers, sort_keys=True)
        return self.number("scope", text, text, first=0)

    def unit(self, name: str | None) -> int | None:
        """Return a unit's id."""
        return None if name is None else self.number("unit", name, name, "any")

    def source(self, url: str, *, authority: str = "third_party", source_type: str = "other") -> int:
        """Return a source's id, described once."""
        fresh = ("source", url) not in self.ids
        known = self.number("source", url, f"s_{url}", url, url)
        if fresh:
            described = ("T " + url, "Publisher", None, source_type, authority, None)
            self.add("source_attribute", known, day(-1000), *described, day(-1000))
        return known

    def withdraw(self, source: str, recorded: datetime) -> None:
        """Withdraw a source, once (R2)."""
        known = self.source(source)
        if known not in {row[0] for row in self.rows.get("withdrawal", ())}:
            self.add("withdrawal", known, "withdrawn", recorded)

    def claim(
        self,
        subject: str,
        predicate: str,
        value: Any = None,
        *,
        provider: str = "P",
        source: str = "s",
        start: Span = (EPOCH, EPOCH),
        end: Span = KEEP,
        bounds: tuple[Decimal | int | None, Decimal | int | None] | None = None,
        opens: tuple[bool, bool] = (False, False),
        unit: str | None = None,
        key: str | None = None,
        scope: dict[str, str] | None = None,
        absent: bool = False,
        complete: bool = False,
        dated: bool = True,
        bounded: bool | None = None,
        observed: datetime = EPOCH,
        seen: Span | None = None,
        recorded: Span | None = None,
    ) -> int:
        """Add one version with its statement, quote and entry; return its claim number.

        Args:
            value: as written; a whole number is also its bounds.
            bounds: the bounds, where they differ from the value; (None, None) is unread.
            seen, recorded: the observed and the recorded axis, where they are not simply from the reading on.
        """
        low, high = bounds if bounds is not None else ((value, value) if isinstance(value, int) else KEEP)
        text = str(value) if key is None else key
        since, until = seen or (observed, None)
        stored, retracted = recorded or (since, None)
        ids = (self.predicate(predicate), self.subject(subject, provider), self.scope(scope or {}), self.source(source))
        version = len(self.rows.get("claim", ())) + 1
        number = _digest(version, *ids)
        unit_id = self.unit(unit)
        says = (low, high, value_id(text, unit), unit_id)
        flags = (absent, complete, *opens, dated, end != KEEP if bounded is None else bounded)
        self.add(
            "claim",
            version,
            *ids,
            number,
            number,
            *says,
            *flags,
            *start,
            *end,
            observed,
            since,
            until,
            stored,
            retracted,
        )
        kinds = ("known", "open")
        words = (str(value), None, unit, None, None, *kinds, *start, *end)
        self.add("statement", number, *ids, absent, complete, *words, stored)
        if self.ids.setdefault(("value", (says[2], text)), version) == version:
            self.add("value", says[2], text, day(-1000))
        self.add("meaning", number, says[2], unit_id, low, high, *opens, False, None, stored)
        self.add("quote", number, f"{subject} {predicate} {value}", None, None, None, stored)
        self.add("entry", *ids, number, observed, None, "said", number, stored)
        return number

    def build(self) -> Db:
        """Write every row into a new base in memory."""
        db = empty(FixedClock(self.now))
        for predicate in self.predicates:
            self.predicate(predicate.name)
        with db.atomic() as transaction:
            for table, rows in self.rows.items():
                transaction.run(_EMPTY_COPY.replace("?", table))
                width = len(transaction.run(f"FROM copy_{table}").columns)
                # columns that came with later schema files are NULL
                transaction.append(f"copy_{table}", [(*row, *[None] * (width - len(row))) for row in rows])
                transaction.run(_FILL.replace("?", table))
        return db


_EMPTY_COPY = "CREATE TEMP TABLE copy_? AS FROM cb.? LIMIT 0"
_FILL = "INSERT INTO cb.? FROM copy_?"


def _digest(*parts: Any) -> int:
    return int.from_bytes(hashlib.sha256(repr(parts).encode()).digest()[:8], "big")
