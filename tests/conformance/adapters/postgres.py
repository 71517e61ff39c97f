"""PostgreSQL with range types: a row is a box of three ranges (valid, observed, recorded), kept by hand.

Run only where psycopg can be imported and PGHOST names a server on this machine; all of it stands in a temporary table.
"""

from __future__ import annotations

import os
from importlib import import_module
from importlib.util import find_spec
from typing import Any, ClassVar

from ..adapter import CannotState
from ..cases import Case, Json
from ..compare import moment
from .plain import Finders, Kept, Plain, Row, Steps, active_finders, listed, read, rows_stored

_HERE = ("127.0.0.1", "::1", "localhost", "/")

_TABLE = """
CREATE TEMP TABLE claim (
  key text NOT NULL, slot text NOT NULL, value text NOT NULL,
  valid tstzrange NOT NULL CHECK (NOT isempty(valid)), observed tstzrange NOT NULL, recorded tstzrange NOT NULL)
"""
_ADD = """
INSERT INTO claim
SELECT %(key)s, %(slot)s, %(value)s, tstzrange(%(start)s, %(end)s), tstzrange(%(seen)s, NULL),
  tstzrange(%(recorded)s, NULL)
WHERE NOT EXISTS (SELECT FROM claim WHERE key = %(key)s AND upper_inf(recorded) AND observed @> %(seen)s::timestamptz)
"""
_CLOSE = """
UPDATE claim SET recorded = tstzrange(lower(recorded), %(recorded)s)
WHERE key = %(key)s AND upper_inf(recorded) RETURNING valid, observed
"""
# what was known before the change was seen stays as it was; from then on the old row ends at the change
_CUT = """
INSERT INTO claim
SELECT key, slot, value, v, o, tstzrange(%(recorded)s, NULL)
FROM claim, LATERAL (VALUES
  (valid, observed * tstzrange(NULL, %(seen)s)),
  (valid * tstzrange(NULL, %(at)s), observed * tstzrange(%(seen)s, NULL))) AS piece (v, o)
WHERE key = %(key)s AND upper(recorded) = %(recorded)s AND NOT isempty(o)
"""
_CORRECTED = """
INSERT INTO claim
SELECT %(key)s, %(slot)s, %(value)s, tstzrange(%(start)s, %(end)s), observed, tstzrange(%(recorded)s, NULL)
FROM claim WHERE key = %(old)s AND upper(recorded) = %(recorded)s
"""
_VISIBLE = """
SELECT key, lower(valid), upper(valid), valid @> %(at)s::timestamptz
FROM claim
WHERE observed @> %(observed)s::timestamptz AND recorded @> %(recorded)s::timestamptz ORDER BY key, valid
"""
_CONFLICTS = """
SELECT a.key, b.key, lower(a.valid * b.valid), upper(a.valid * b.valid)
FROM claim AS a
JOIN claim AS b ON a.slot = b.slot AND a.value <> b.value AND a.valid && b.valid AND a.key < b.key
WHERE a.observed @> %(observed)s::timestamptz AND a.recorded @> %(recorded)s::timestamptz
  AND b.observed @> %(observed)s::timestamptz AND b.recorded @> %(recorded)s::timestamptz
  AND (a.valid * b.valid) && tstzrange(%(since)s, %(before)s)
ORDER BY a.key, b.key
"""


class Boxes(Kept):
    """A temporary table on a connection of its own."""

    def __init__(self, case: Case, connection: Any) -> None:
        super().__init__(case)
        self.connection = connection
        self.by_key: dict[str, Row] = {}
        self.run(_TABLE)

    def close(self) -> None:
        """Give the table up with its connection."""
        self.connection.close()

    def run(self, statement: str, **given: Any) -> list[Any]:
        """Run one statement."""
        try:
            found = self.connection.execute(statement, given)
        except import_module("psycopg").Error as error:
            raise LookupError(str(error)) from error
        return found.fetchall() if found.description else []

    def key(self, row: Row) -> str:
        """Name a row in the table."""
        self.by_key[repr(row.identity)] = row
        return repr(row.identity)

    def add(self, row: Row) -> None:
        """Insert a row, unless it stands already; a bad interval is refused."""
        key = self.key(row)
        given = {"slot": repr(row.slot), "value": row.said, "start": row.start, "end": row.end, "seen": row.observed}
        self.run(_ADD, key=key, recorded=self.recorded, **given)
        self.rows[row.identity] = row

    def axes(self, question: Json) -> dict[str, Any]:
        """Give the basis."""
        late = max(self.now, self.recorded)
        observed, recorded = (moment(question.get(axis)) or late for axis in ("observed_by", "recorded_by"))
        return {"at": self.at(question), "observed": observed, "recorded": recorded}


def _add(state: Boxes, step: Json) -> None:
    row = read(step["claim"], state.kinds)
    state.claims[step["as"]] = row.identity
    state.add(row)


def _supersede(state: Boxes, step: Json) -> None:
    old = state.rows[state.claims[step["old"]]]
    new = read(step["claim"], state.kinds, start=moment(step.get("at")))
    given = {"key": state.key(old), "recorded": state.recorded}
    state.run(_CLOSE, **given)
    state.run(_CUT, seen=new.observed, at=new.start, **given)
    state.claims[step["as"]] = new.identity
    state.add(new)


def _correct(state: Boxes, step: Json) -> None:
    old = state.rows[state.claims[step["replaces"]]]
    row = read(step["claim"], state.kinds, start=old.start)
    state.run(_CLOSE, key=state.key(old), recorded=state.recorded)
    state.claims[step["as"]] = row.identity
    given = {"slot": repr(row.slot), "value": row.said, "start": row.start, "end": row.end}
    state.run(_CORRECTED, key=state.key(row), old=state.key(old), recorded=state.recorded, **given)
    state.rows[row.identity] = row


def _retract(state: Boxes, step: Json) -> None:
    state.run(_CLOSE, key=repr(state.claims[step["claim"]]), recorded=state.recorded)


def _erase(state: Boxes, step: Json) -> None:
    state.run("DELETE FROM claim WHERE key = %(key)s", key=repr(state.claims[step["claim"]]))


def _observe(state: Boxes, step: Json) -> None:
    if step["outcome"] != "confirmed":
        raise CannotState(f"the outcome {step['outcome']}")


def _rows(state: Boxes, question: Json, *, active: bool) -> list[Row]:
    found = state.run(_VISIBLE, **state.axes(question))
    rows = []
    for key, start, end, holds in found:
        if holds or not active:
            row = state.by_key[key]
            bounds = {"start": start, "end": end}
            rows.append(Row(*(bounds.get(name, getattr(row, name)) for name in Row.__slots__)))
    return state.asked(question, rows)


def _conflicts(state: Boxes, question: Json) -> list[Any]:
    during = question.get("during")
    axes = state.axes(question)
    since, before = (None, None) if during == "all" else map(moment, during) if during else (axes["at"], None)
    if not during:
        raise CannotState("contradictions at one instant")
    found = state.run(_CONFLICTS, since=since, before=before, **axes)
    rows = [(state.by_key[a], state.by_key[b], (start, end)) for a, b, start, end in found]
    kept = {row.identity for row in state.asked(question, [row for a, b, _ in rows for row in (a, b)])}
    return [one for one in rows if one[0].identity in kept]


class Postgres(Plain):
    """A server on this machine."""

    name = "PostgreSQL range types"
    axes = frozenset({"as_of", "observed_by", "recorded_by"})
    steps: ClassVar[Steps] = {
        "add": _add, "supersede": _supersede, "correct": _correct, "retract": _retract, "erase": _erase,
        "observe": _observe,
    }  # fmt: skip
    finders: ClassVar[Finders] = {
        "active": active_finders(
            lambda state, question: _rows(state, question, active=True),
            lambda state, question: _rows(state, question, active=False),
        ),
        "contradictions": {
            "list": lambda state, question: [
                {**one, "disputed": [stretch]}
                for (a, b, stretch) in _conflicts(state, question) for one in listed([(a, b)])
            ],
            "pairs": lambda state, question: [{a.identity, b.identity} for a, b, _ in _conflicts(state, question)],
            "list_size": lambda state, question: len(_conflicts(state, question)),
        },
        "write": {"stored": rows_stored},
    }  # fmt: skip

    def missing(self) -> str | None:
        """Say so where there is no client, or no server on this machine."""
        if not find_spec("psycopg"):
            return "psycopg is not installed"
        if not os.environ.get("PGHOST", "").startswith(_HERE):
            return "not present (PGHOST names no server on this machine)"
        return None

    def opened(self, case: Case) -> Boxes:
        """Give an empty table."""
        return Boxes(case, import_module("psycopg").connect(autocommit=True))
