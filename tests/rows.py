"""A base with rows put straight into `cb.*`, one call a version: for reads over many small worlds at once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from copies import empty

from claimbase.store import Db
from claimbase.temporal import LOWEST, Basis, FixedClock, iso, read_instant
from claimbase.units import unit
from claimbase.values import folded, read_value, unread_value, value_id
from claimbase.vocabulary import Predicate

Moment = datetime | str | int | None
Span = tuple[Moment, Moment] | Moment
BOUNDS = ("from_earliest", "from_latest", "until_earliest", "until_latest")
NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
ZERO = datetime(2026, 1, 1, tzinfo=UTC)
TABLES = (
    "predicate", "predicate_declaration", "subject", "scope", "unit", "alias", "source", "source_mode",
    "source_attribute", "quote", "value", "statement", "reading", "entry", "decision", "withdrawal", "claim",
    "retraction",
)  # fmt: skip


def moment(given: Moment) -> datetime | None:
    """Read an instant of a test: ISO text, a datetime, or a number of hours after `ZERO`."""
    if given is None or isinstance(given, datetime):
        return given
    return ZERO + timedelta(hours=given) if isinstance(given, int) else read_instant(given)


def number(text: str) -> int:
    """Give the first 64 bits of a digest, as claims and quotes are numbered."""
    return int(hashlib.sha256(text.encode()).hexdigest()[:16], 16)


@dataclass
class Builder:
    """Collects rows and puts them into a base in one go."""

    db: Db = field(default_factory=lambda: empty(FixedClock(NOW)))
    rows: dict[str, list[Any]] = field(default_factory=lambda: {table: [] for table in TABLES})
    ids: dict[tuple[str, str], int] = field(default_factory=dict)
    highest: dict[str, int] = field(default_factory=dict)
    predicates: dict[str, Predicate] = field(default_factory=dict)
    versions: int = 0
    withdrawn: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Every base has the empty scope."""
        self._id("scope", "{}", lambda n: (n, "{}", LOWEST), first=0)

    def _id(self, table: str, key: str, row: Callable[[int], Sequence[Any]], first: int = 1) -> int:
        if (table, key) not in self.ids:
            self.highest[table] = self.highest.get(table, first - 1) + 1
            self.ids[table, key] = self.highest[table]
            self.rows[table].append(row(self.highest[table]))
        return self.ids[table, key]

    def declare(self, name: str, *, recorded: Moment = LOWEST, **declaration: Any) -> None:
        """Declare a predicate as a pack would."""
        self.predicates[name] = Predicate.from_json({"name": name, "kind": "quantity"} | declaration)
        body = json.dumps(self.predicates[name].to_json())
        self.rows["predicate_declaration"].append((self.predicate(name), "test", body, moment(recorded)))

    def predicate(self, name: str) -> int:
        """Give a predicate's number."""
        return self._id("predicate", name, lambda n: (n, name, LOWEST))

    def subject(self, name: str, provider: str = "Norden AI") -> int:
        """Give a subject's number."""
        key = f"{provider}\x1f{name}"
        return self._id("subject", key, lambda n: (n, provider, name, folded(provider), folded(name), LOWEST))

    def scope(self, qualifiers: Mapping[str, str] | None) -> int:
        """Give a scope's number."""
        text = json.dumps(dict(sorted((qualifiers or {}).items())), separators=(",", ":"))
        return self._id("scope", text, lambda n: (n, text, LOWEST))

    def source(self, name: str, *, whole: bool = False, **attributes: str) -> int:
        """Give a source's number; its first mention describes it."""
        known = ("source", name) in self.ids
        url = f"https://{name}.example/page"
        found = self._id("source", name, lambda n: (n, f"s_{number(name):016x}", url, url, LOWEST))
        if not known:
            described = {"title": name.title(), "publisher": name, "authority": "third_party"} | attributes
            keys = ("title", "publisher", "published_at", "source_type", "authority", "derived_from")
            values = [described.get(key, "other" if key == "source_type" else None) for key in keys]
            self.rows["source_attribute"].append((found, LOWEST, *values, LOWEST))
            self.rows["source_mode"].append((found, whole, False, False, LOWEST))
        return found

    def alias(self, kind: str, other: int, canonical: int, recorded: Moment = LOWEST, *, revoked: bool = False) -> None:
        """Let one number stand for another (P2)."""
        self.rows["alias"].append((kind, other, canonical, revoked, moment(recorded)))

    def claim(
        self,
        value: Any = "1",
        *,
        subject: str = "Lark 2",
        predicate: str = "price",
        source: str = "a",
        provider: str = "Norden AI",
        scope: Mapping[str, str] | None = None,
        start: Span = None,
        end: Span = None,
        cut: Span = None,
        dated: bool | None = None,
        bounded: bool | None = None,
        absent: bool = False,
        complete: bool = False,
        unread: bool = False,
        observed: Moment = 0,
        observed_from: Moment = None,
        observed_until: Moment = None,
        readings: Iterable[Moment] = (),
        recorded: Moment = None,
        retracted: Moment = None,
        kind: str = "retracted",
        handle: str = "",
    ) -> str:
        """Add one version with its statement, quote and readings.

        *start* and *end* are instants or (earliest, latest); a start left out is the first reading (T5). *cut* is an
        end that only readings imply (T8, W2). *handle* tells apart claims that are otherwise alike.

        Returns:
            The claim's id.
        """
        declared = self.predicates.get(predicate) or Predicate(predicate, "text")
        read = unread_value(value) if unread else read_value(value, kind=declared.kind, unit=declared.unit)
        seen = _known(observed)
        at = moment(recorded) or seen
        lower, upper = _span(start), _span(end)
        has_start = start is not None if dated is None else dated
        has_end = end is not None if bounded is None else bounded
        bounds = (*(lower if start is not None else (None, seen)), *(_span(cut) if cut is not None else upper))
        slot = (self.predicate(predicate), self.subject(subject, provider), self.scope(scope), self.source(source))
        stated = [str(moment) for moment in ((*lower, *upper) if has_start else upper)]
        no = number(json.dumps([provider, subject, predicate, scope, source, str(value), absent, stated, handle]))
        quote = f"{subject} {predicate}: {value}"
        names: dict[str, Any] = dict(zip(("predicate_id", "subject_id", "scope_id", "source_id"), slot, strict=True))
        names |= {"claim_no": no, "absent": absent, "complete": complete, "recorded_at": at}
        if ("claim", str(no)) not in self.ids:
            self.ids["claim", str(no)] = no
            self.rows["quote"].append((number(quote), quote, None, None, None, at))
            stated_bounds = (*(lower if has_start else (None, None)), *upper)
            meant = (value_id(read.key, read.unit), read.key, LOWEST)
            if ("value", str(meant[0])) not in self.ids:
                self.ids["value", str(meant[0])] = meant[0]
                self.rows["value"].append(meant)
            self.rows["statement"].append(names | dict(zip(BOUNDS, stated_bounds, strict=True)) | {
                "value": str(value), "from_kind": "known" if has_start else "unknown",
                "until_kind": "known" if has_end else "open",
            })  # fmt: skip
        for reading in (seen, *(_known(again) for again in readings)):
            self.rows["entry"].append((*slot, no, reading, None, "said", number(quote), max(at, reading)))
        self.versions += 1
        if retracted is not None:
            self.rows["retraction"].append((self.versions, no, kind, "test", None, moment(retracted)))
        self.rows["claim"].append(names | dict(zip(BOUNDS, bounds, strict=True)) | {
            "version_id": self.versions, "quote_id": number(quote), "value_min": read.min, "value_max": read.max,
            "value_id": value_id(read.key, read.unit), "unit_id": self._unit(read.unit), "min_open": read.min_open,
            "max_open": read.max_open, "dated": has_start, "bounded": has_end, "observed_at": seen,
            "observed_from": moment(observed_from) or seen, "observed_until": moment(observed_until),
            "retracted_at": moment(retracted),
        })  # fmt: skip
        return f"c_{no:016x}"

    def _unit(self, name: str | None) -> int | None:
        return name and self._id("unit", name, lambda n: (n, name, str(unit(name).dimension), LOWEST))  # type: ignore[return-value]  # a name, here

    def entry(self, claim_id: str, kind: str, at: Moment, *, recorded: Moment = None) -> None:
        """Add a further line of the log about a claim: said, gone or unreachable."""
        line = next(row for row in self.rows["entry"] if f"c_{row[4]:016x}" == claim_id)
        self.rows["entry"].append((*line[:5], moment(at), None, kind, None, moment(recorded) or moment(at)))

    def reading(self, source: str, at: Moment, *, recorded: Moment = None) -> None:
        """Add a reading of a source as a whole."""
        row = (self.source(source), moment(at), "read", True, None, None, moment(recorded) or moment(at))
        self.rows["reading"].append(row)

    def supersede(self, old: str, new: str, at: Moment, observed: Moment, kind: str = "supersede") -> None:
        """Add a decision that links two claims (K8)."""
        seen, ids = moment(observed), [int(claim.removeprefix("c_"), 16) for claim in (old, new)]
        self.rows["decision"].append((kind, *ids, moment(at), seen, seen, None, seen))

    def correct(self, wrong: str, right: str, decided: Moment) -> None:
        """Add a decision that one claim should have been another (K8)."""
        at, ids = moment(decided), [int(claim.removeprefix("c_"), 16) for claim in (wrong, right)]
        self.rows["decision"].append(("correct", *ids, None, None, at, None, at))

    def withdraw(self, source: str, recorded: Moment, reason: str = "withdrawn") -> None:
        """Withdraw a source (R2)."""
        self.rows["withdrawal"].append((self.source(source), reason, moment(recorded)))
        self.withdrawn.add(source)

    def build(self) -> Db:
        """Put everything collected into the base; what is collected later can be put by calling it again."""
        with self.db.atomic() as transaction:
            for table, rows in self.rows.items():
                if rows:
                    transaction.run(f"CREATE OR REPLACE TEMP TABLE incoming_rows AS FROM cb.{table} LIMIT 0")
                    columns = transaction.run("FROM incoming_rows").columns
                    transaction.append("incoming_rows", [_laid_out(row, columns) for row in rows])
                    transaction.run(f"INSERT INTO cb.{table} FROM incoming_rows")
                    rows.clear()
        return self.db


def _laid_out(row: Sequence[Any] | Mapping[str, Any], columns: Sequence[str]) -> Sequence[Any]:
    """Lay a row out in the order of its table; columns it does not name, or ends before, are NULL."""
    if isinstance(row, Mapping):
        return [row.get(column) for column in columns]
    return [*row, *[None] * (len(columns) - len(row))]


def _known(given: Moment) -> datetime:
    found = moment(given)
    assert found is not None
    return found


def _span(given: Span) -> tuple[datetime | None, datetime | None]:
    if isinstance(given, tuple):
        return moment(given[0]), moment(given[1])
    return moment(given), moment(given)


def basis(valid_at: Moment = NOW, observed_by: Moment = NOW, recorded_by: Moment = NOW) -> Basis:
    """Give a basis on three axes, each *now* unless named."""
    return Basis(_known(valid_at), _known(observed_by), _known(recorded_by), NOW, 0)


__all__ = ["NOW", "ZERO", "Builder", "basis", "iso", "moment"]
