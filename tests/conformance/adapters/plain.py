"""What stores with exact bounds and two-valued answers share: reading a step's claim, and answering from rows."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any, ClassVar, TypeAlias
from unicodedata import normalize

from ..adapter import Answer, CannotState, Refusal
from ..cases import Case, Json
from ..compare import ANY_KIND, UNSTATED, moment

Steps: TypeAlias = Mapping[str, Callable[[Any, Json], None]]
Finders: TypeAlias = Mapping[str, Mapping[str, Callable[[Any, Json], Any]]]

TICK = timedelta(microseconds=1)
_BEFORE_ALL = datetime(1, 1, 2, tzinfo=UTC)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_NUMBER = re.compile(r"[$€]?\s*(\d[\d,]*(?:\.\d+)?)\s*(Ki|K|M|B|%)?")
_FACTORS = {None: 1, "%": 1, "K": 1000, "Ki": 1024, "M": 10**6, "B": 10**9}
_NEEDED = ("subject", "predicate", "value", "quote", "observed_at", "source")


@dataclass(frozen=True, slots=True)
class Row:
    """One claim as such a store keeps it: a slot, a value, an interval with exact bounds, a source, a reading."""

    identity: tuple[Any, ...]
    provider: str
    subject: str
    predicate: str
    scope: str
    value: Decimal | str
    start: datetime
    end: datetime | None
    source: str
    observed: datetime

    @property
    def slot(self) -> tuple[str, str, str, str]:
        """What it is about."""
        return self.provider, self.subject, self.predicate, self.scope

    @property
    def said(self) -> str:
        """The value as a case writes it."""
        return self.value if isinstance(self.value, str) else format(self.value.normalize(), "f")

    def holds(self, at: datetime) -> bool:
        """Whether it holds at an instant: half-open."""
        return self.start <= at and (self.end is None or at < self.end)


def read(claim: Json, kinds: Mapping[str, str], *, start: datetime | None = None) -> Row:
    """Read the claim of a step.

    Args:
        start: where it begins if it does not say so itself.

    Raises:
        CannotState: it holds what has no place in a row.
        LookupError: a field is missing.
    """
    if missing := [name for name in _NEEDED if not claim.get(name)]:
        raise LookupError(f"missing: {', '.join(missing)}")
    if claim.get("polarity", "value") == "absent":
        raise CannotState("absence")
    begins = _bound(claim.get("effective_from"), claim) or start
    if begins is None:
        raise CannotState("no start stated")
    if "effective_through" in claim:
        ends = _bound(claim["effective_through"], claim)
        ends = ends and ends + timedelta(days=1)
    else:
        ends = _bound(claim.get("effective_until"), claim)
    value = _value(claim["value"], kinds.get(claim["predicate"], "text"))
    scope = json.dumps(claim.get("scope") or {}, sort_keys=True).casefold()
    slot = (claim.get("provider", ""), claim["subject"], claim["predicate"], scope)
    source, observed = claim["source"]["url"], _instant(claim["observed_at"])
    identity = (
        *slot,
        claim["value"] if isinstance(claim["value"], str) else repr(claim["value"]),
        begins,
        ends,
        source,
    )
    return Row(identity, *slot, value, begins, ends, source, observed)


def _bound(given: Any, claim: Json) -> datetime | None:
    if given is None or given == {"kind": "open"}:
        return None
    if not isinstance(given, str) or not (_DAY.fullmatch(given) or "T" in given):
        raise CannotState("bounds that are not exact")
    if claim.get("zone", "UTC") != "UTC" and _DAY.fullmatch(given):
        raise CannotState("days of a zone")
    return _instant(given)


def _instant(text: str) -> datetime:
    read = moment(text)
    if read is None or ("T" in text and datetime.fromisoformat(text).tzinfo is None):
        raise CannotState("times without an offset")
    return read.astimezone(UTC)


def _value(given: Any, kind: str) -> Decimal | str:
    if isinstance(given, list):
        raise CannotState("lists")
    if kind != "quantity":
        return " ".join(normalize("NFC", str(given)).casefold().split())
    found = _NUMBER.fullmatch(str(given).strip())
    if not found:
        raise CannotState("values that are no plain number")
    return Decimal(found[1].replace(",", "")) * _FACTORS[found[2]]


@dataclass
class Kept:
    """The state of a store in memory: what the steps declared, its rows, and how it refused a step."""

    case: Case
    claims: dict[str, Any] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    refused: dict[str, Refusal] = field(default_factory=dict)
    rows: dict[Any, Row] = field(default_factory=dict)
    recorded: datetime = _BEFORE_ALL
    sizes: dict[str, tuple[int, int]] = field(default_factory=dict)

    def close(self) -> None:
        """Nothing to give up."""

    @property
    def now(self) -> datetime:
        """The clock when the question is put."""
        return _instant(self.case.now)

    def at(self, question: Json) -> datetime:
        """The instant of valid time asked about."""
        return _instant(question["as_of"]) if question.get("as_of") else self.now

    def asked(self, question: Json, rows: Iterable[Row]) -> list[Row]:
        """Narrow rows to the slots asked for."""
        scope = question.get("scope")
        wanted = scope and json.dumps(scope, sort_keys=True).casefold()
        return [
            row for row in rows
            if question.get("subject") in (None, row.subject) and question.get("predicate") in (None, row.predicate)
            and wanted in (None, row.scope)
        ]  # fmt: skip


class Plain:
    """An adapter made of two tables: what carries out a step, and what finds a key of an answer.

    A subclass gives both, and `axes`: the parts of a basis it knows.
    """

    name = ""
    axes: ClassVar[frozenset[str]] = frozenset({"as_of"})
    steps: ClassVar[Steps] = {}
    finders: ClassVar[Finders] = {}

    def missing(self) -> str | None:
        """Always there."""
        return None

    def opened(self, case: Case) -> Any:
        """Give an empty state."""
        return Kept(case)

    def arrange(self, case: Case, steps: Sequence[Json]) -> Any:
        """Carry out the steps; a step that is refused leaves its refusal."""
        if case.any_order:
            steps = sorted(steps, key=lambda step: step["do"] != "declare")
        state = self.opened(case)
        for step in steps:
            self._take(state, step)
        return state

    def _take(self, state: Any, step: Json) -> None:
        if step["do"] == "clock":
            return
        if step["do"] == "declare":
            kind = step.get("kind", "text")
            if state.kinds.setdefault(step["predicate"], kind) != kind:
                raise CannotState("a kind that changes")
            unusual = {"timeless", "aliases", "requires", "lifetime_of", "closed_world", "tolerance"} & set(step)
            if unusual or step.get("cardinality") == "many":
                raise CannotState(", ".join(sorted(unusual)) or "many values")
            return
        if step["do"] not in self.steps:
            raise CannotState(f"the verb {step['do']}")
        recorded = _instant(step.get("recorded_at", state.case.now))
        state.recorded = max(recorded, state.recorded + TICK)
        before = len(state.rows)
        handle = step.get("as", "")
        try:
            self.steps[step["do"]](state, step)
        except LookupError as error:
            state.refused[str(handle)] = Refusal((ANY_KIND,), message=str(error))
        state.sizes[str(handle)] = (before, len(state.rows))

    def ask(self, state: Any, question: Json) -> Answer:
        """Answer by the table of finders."""
        op = question["op"]
        if op not in self.finders:
            raise CannotState(f"the question {op}")
        known = {*self.axes, "op", "subject", "predicate", "scope", "step", "constraints", "during"}
        if unknown := [name for name in question if name not in known]:
            raise CannotState(", ".join(unknown))
        if op == "active" and "during" in question:
            raise CannotState("windows")

        def find(key: str) -> Any:
            if key not in self.finders[op]:
                raise CannotState(f"{key} of {op}")
            return self.finders[op][key](state, question)

        if op == "write":
            return Answer(find, state.refused.get(question["step"]))
        try:
            find(next(iter(self.finders[op])))
        except (ValueError, LookupError) as error:
            return Answer(find, Refusal((ANY_KIND,), message=str(error)))
        return Answer(find)


def active_finders(rows: Callable[[Any, Json], list[Row]], visible: Callable[[Any, Json], list[Row]]) -> Any:
    """Give the finders of `active` from what holds and what is visible at a basis; nothing is only possible."""

    def stored(state: Any, question: Json) -> Any:
        versions: dict[Any, list[Any]] = {}
        for row in visible(state, question):
            bounds = {"from_earliest": row.start, "from_latest": row.start}
            versions.setdefault(row.identity, []).append(bounds | {"until_earliest": row.end, "until_latest": row.end})
        return versions

    def ids(found: Iterable[Row]) -> set[Any]:
        return {row.identity for row in found}

    return {
        "certain": lambda state, question: ids(rows(state, question)),
        "possible": lambda state, question: set(),
        "no": lambda state, question: ids(visible(state, question)) - ids(rows(state, question)),
        "visible": lambda state, question: ids(visible(state, question)),
        "values": lambda state, question: {row.said for row in rows(state, question)},
        "certain_values": lambda state, question: {row.said for row in rows(state, question)},
        "upcoming": lambda state, question: ids(
            row for row in visible(state, question) if row.start > state.at(question)
        ),
        "stored": stored,
    }  # fmt: skip


def disagreeing(rows: Sequence[Row]) -> list[tuple[Row, Row]]:
    """Give the pairs of one slot that share an instant and have other values."""
    return [
        (a, b) for place, a in enumerate(rows) for b in rows[place + 1 :]
        if a.slot == b.slot and a.value != b.value and shared(a, b) is not None
    ]  # fmt: skip


def shared(a: Row, b: Row) -> tuple[datetime, datetime | None] | None:
    """Give the stretch two rows share, or None."""
    start = max(a.start, b.start)
    ends = [row.end for row in (a, b) if row.end is not None]
    end = min(ends, default=None)
    return None if end is not None and end <= start else (start, end)


def listed(pairs: Iterable[tuple[Row, Row]]) -> list[dict[str, Any]]:
    """Give contradictions without kinds."""
    return [
        {
            "kind": UNSTATED, "claims": {a.identity, b.identity}, "disputed": [shared(a, b)],
            "suggested_end": {},
        }
        for a, b in pairs
    ]  # fmt: skip


def rows_stored(state: Kept, question: Json) -> int:
    """Count the rows a step added."""
    before, after = state.sizes[question["step"]]
    return after - before
