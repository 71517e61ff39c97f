"""Every verb on a prepared base, and a cursor that fails where it is told to (G2).

python tests/crash/faults.py        every statement x every kind of failure, before and after it
"""

from __future__ import annotations

import json
import shutil
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from kit import claim, day, digest, gone, opened, pack

from claimbase.base import Claimbase
from claimbase.errors import ClaimbaseError
from claimbase.store import Db

PAGE = "Lark 2 reads up to 128K tokens. It costs $3 per million tokens.\n"
URL = "https://norden.example/pricing"
NEXT = {"value": "$8", "quote": "$8", "observed_at": day(9)}
Ids = dict[str, str]


# -- a base in which every verb has something to do ------------------------------------------------------------------


def prepare(path: Path) -> None:
    """Make a base that holds what the verbs below speak of."""
    with opened(path) as kb:
        kb.declare(pack())
        snapshot = str(kb.sources.ingest(PAGE, uri=URL, observed_at=day(1)).snapshot_id)
        kb.add([claim(quote="It costs $3"), claim("128K", predicate="context", quote="up to 128K")], snapshot=snapshot)
        kb.add([claim(subject=name) for name in ("Wren", "Crow", "Gull", "Gull (new)", "Rook", "Rook (old)")])
        kb.merge("Rook (old)", "Rook")
        kb.watch("cheap", "price <= $5")
        kb.observe(_id(kb, "Wren"), "changed", observed_at=day(5))


def _id(kb: Claimbase, subject: str) -> str:
    return str(next(row["claim_id"] for row in kb.claims(subject=subject) if row["predicate"] == "price"))


def known_ids(kb: Claimbase) -> Ids:
    """Give the ids that the verbs name."""
    return {subject: _id(kb, subject) for subject in ("Lark 2", "Crow")} | {
        "snapshot": str(kb.db.query("SELECT snapshot_id FROM cb.snapshot").rows[0][0]),
        "evidence": str(kb.db.query("SELECT evidence_id FROM cb.evidence ORDER BY ALL").rows[0][0]),
        "review": str(kb.reviews()[0]["task_id"]),
    }


VERBS: dict[str, Callable[[Claimbase, Ids], Any]] = {
    "add": lambda kb, ids: kb.add([claim("$2", day(20)), claim("$9", subject="New 1", scope={"mode": "batch"})]),
    "add what holds": lambda kb, ids: kb.add([claim("$2"), claim("?", subject="New 1")], on_error="report"),
    "gone": lambda kb, ids: kb.add([gone(claim(subject="Crow"), day(9))]),
    "declare": lambda kb, ids: kb.declare(pack(price={"kind": "text"}, more={"kind": "bool"})),
    "observe": lambda kb, ids: kb.observe(ids["Crow"], "quote_missing", observed_at=day(9)),
    "supersede": lambda kb, ids: kb.supersede(ids["Crow"], NEXT, at=day(8)),
    "correct": lambda kb, ids: kb.correct(ids["Crow"], {"value": "$9", "quote": "$9"}, reason="misread"),
    "retract": lambda kb, ids: kb.retract(ids["Crow"], reason="withdrawn"),
    "withdraw": lambda kb, ids: kb.retract(URL, reason="closed"),
    "erase": lambda kb, ids: kb.erase(ids["Crow"], reason="law"),
    "merge": lambda kb, ids: kb.merge("Gull (new)", "Gull"),
    "unmerge": lambda kb, ids: kb.unmerge("Rook (old)"),
    "watch": lambda kb, ids: kb.watch("dear", "price > $5"),
    "unwatch": lambda kb, ids: kb.unwatch("cheap"),
    "run watches": lambda kb, ids: kb.run_watches(),
    "set a source": lambda kb, ids: kb.sources.set(URL, freshness_days=10),
    "ingest": lambda kb, ids: kb.sources.ingest(PAGE + "More.\n", uri=URL, observed_at=day(7)),
    "attach": lambda kb, ids: kb.evidence.add(ids["Lark 2"], ids["snapshot"], "Lark 2 reads up to 128K tokens."),
    "retire": lambda kb, ids: kb.evidence.retire(ids["evidence"], reason="double"),
    "decide": lambda kb, ids: kb.decide_review(ids["review"], "escalate", reviewer="Ada"),
    "verify": lambda kb, ids: kb.verify([ids["Lark 2"]]),
}


# -- what goes wrong -------------------------------------------------------------------------------------------------


def _raises(error: BaseException) -> Callable[[Any], None]:
    def fault(_: Any) -> None:
        raise error

    return fault


def _engine(cursor: Any) -> None:
    cursor.execute("SELECT error('broken')")


FAULTS: dict[str, Callable[[Any], None]] = {
    "the engine fails": _engine,
    "interrupted": _raises(KeyboardInterrupt()),
    "out of memory": _raises(duckdb.OutOfMemoryException("full")),
    "disk": _raises(duckdb.IOException("No space left on device")),
    "constraint": _raises(duckdb.ConstraintException("broken")),
    "parameter": _raises(duckdb.InvalidInputException("broken")),
    "foreign": _raises(MemoryError()),
    "fatal": _raises(duckdb.FatalException("the engine gave itself up")),
}
RAISED = (ClaimbaseError, KeyboardInterrupt, MemoryError)


@dataclass
class Fault:
    """One failure at one statement of all that a base runs, on whatever cursor.

    Args:
        act: makes it, given the real cursor.
        at: the number of the statement, from 0; a ROLLBACK does not count; -1 = none.
        late: after the statement has run, where its rows would be fetched.
    """

    act: Callable[[Any], None]
    at: int
    late: bool
    count: int = 0
    commits: list[int] = field(default_factory=list)
    committed: bool = False

    def around(self, cursor: Any, run: Callable[[], Any], *, commit: bool = False) -> Any:
        """Run a statement, or fail before or after it."""
        due = self.count == self.at
        self.commits += [self.count] if commit else []
        self.count += 1
        if due and not self.late:
            self.act(cursor)
        result = run()
        self.committed = self.committed or commit
        if due:
            self.act(cursor)
        return result


class Faulty:
    """A cursor that may fail."""

    def __init__(self, cursor: Any, fault: Fault) -> None:
        self._cursor, self._fault = cursor, fault

    def execute(self, sql: Any, *parameters: Any) -> Any:
        """Run a statement."""
        if sql == "ROLLBACK":
            return self._cursor.execute(sql)
        return self._fault.around(self._cursor, lambda: self._cursor.execute(sql, *parameters), commit=sql == "COMMIT")

    def appender(self, table: str) -> Any:
        """Append rows."""
        return self._fault.around(self._cursor, lambda: self._cursor.appender(table))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cursor, name)


@contextmanager
def failing(fault: Fault) -> Iterator[None]:
    """Let every cursor of every base be a faulty one while the block runs."""
    real = Db._cursor

    def cursor(db: Db) -> Any:
        return Faulty(real(db), fault)

    Db._cursor = cursor  # type: ignore[method-assign]  # that is the fault
    try:
        yield
    finally:
        Db._cursor = real  # type: ignore[method-assign]


# -- the sweep -------------------------------------------------------------------------------------------------------


@dataclass
class Sweep:
    """One verb, failing at many statements.

    Args:
        template: the prepared base's file.
        verb: a key of `VERBS`.
    """

    template: Path
    verb: str
    outcomes: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def run(self, chosen: Callable[[Fault], Iterator[tuple[str, int, bool]]]) -> None:
        """Learn what the verb does when nothing fails, then let it fail.

        Args:
            chosen: gives, for the run in which nothing failed, which kinds of failure come when.
        """
        with TemporaryDirectory(prefix="claimbase-faults-") as place:
            self.place, clean = Path(place), Fault(_engine, -1, late=False)
            with self._fresh() as kb:  # what a process learns once
                VERBS[self.verb](kb, known_ids(kb))
            with self._fresh() as kb:
                ids, self.before = known_ids(kb), digest(kb.db)
                with failing(clean):
                    VERBS[self.verb](kb, ids)
                self.after = digest(kb.db)
            assert self.after != self.before, f"{self.verb} changes nothing"
            kb = self._fresh()
            for kind, at, late in chosen(clean):
                kb = self._attempt(kb, ids, kind, Fault(FAULTS[kind], at, late=late))
            kb.close()

    def _fresh(self) -> Claimbase:
        """Open a copy of the prepared base."""
        for file in self.place.iterdir():
            file.unlink()
        for file in self.template.parent.iterdir():
            shutil.copy(file, self.place)
        kb = opened(self.place / self.template.name)
        kb.db.query("SET GLOBAL threads = 1")  # a small world: a second thread only waits
        return kb

    def _attempt(self, kb: Claimbase, ids: Ids, kind: str, fault: Fault) -> Claimbase:
        raised = False
        kb.db._forget()  # so that every run has the statements of the first
        kb._vocabularies.clear()
        try:
            with failing(fault):
                VERBS[self.verb](kb, ids)
        except RAISED:
            raised = True
        held = digest(kb.db)
        fate = {self.before: "undone", self.after: "stored"}.get(held, "partial")
        if fate == "partial" or (fate == "stored") < fault.committed or (fate == "undone" and not raised):
            self.wrong.append(f"{self.verb}, {kind} at {fault.at}{' late' if fault.late else ''}: {fate}, {raised=}")
        if fault.count <= fault.at:
            self.wrong.append(f"{self.verb} has no statement {fault.at}")
        self.outcomes[f"{fate}, {'told' if raised else 'silent'}"] += 1
        if fate == "undone":
            return kb
        kb.close()
        opened(self.place / self.template.name).close()  # whatever was not noted yet, the base opens
        return self._fresh()


def every(clean: Fault) -> Iterator[tuple[str, int, bool]]:
    """Choose every statement, every kind, before and after."""
    for kind in FAULTS:
        for at in range(clean.count):
            for late in (False, True):
                yield kind, at, late


def main() -> None:
    """Break every verb at every statement in every way; exit 1 if anything was half stored."""
    outcomes, wrong, start = Counter[str](), [], time.monotonic()
    with TemporaryDirectory(prefix="claimbase-faults-") as place:
        prepare(Path(place) / "base.duckdb")
        for verb in sys.argv[1:] or VERBS:
            sweep = Sweep(Path(place) / "base.duckdb", verb)
            sweep.run(every)
            outcomes, wrong = outcomes + sweep.outcomes, wrong + sweep.wrong
            print(f"{verb}: {dict(sweep.outcomes)}", file=sys.stderr)
    seconds = round(time.monotonic() - start, 1)
    print(json.dumps({"failures": outcomes.total(), "outcomes": outcomes, "wrong": wrong, "seconds": seconds}))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
