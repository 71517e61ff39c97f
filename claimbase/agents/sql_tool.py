"""The tools of one base as a program hands them to a model; where it says so, with the tool that runs SQL (M4, G14)."""

from __future__ import annotations

import os
import queue
import shutil
import tempfile
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from claimbase.agents.schemas import ON_DEMAND, SQL_TOOL, TOOLS, arguments_of
from claimbase.agents.shapes import Result
from claimbase.agents.sql_process import WALL_SECONDS, Answer, Worker
from claimbase.agents.tools import call, refusal
from claimbase.agents.untrusted import RESULT_LIMIT, Fence
from claimbase.base import Claimbase
from claimbase.errors import ClaimbaseError, LimitError
from claimbase.present import json_text
from claimbase.store import keeping_a_copy
from claimbase.store.keeping import publish

START_SECONDS = 30.0
"""How long making a toolbox waits for its first worker, so that no call has to."""
AT_ONCE = 2
"""The most statements that run at the same time (M3)."""
NOTE = "SQL sees every version, also ended, corrected and retracted ones, unless it reads through cb.active_claims(...)"

_ROOM = 1_000  # bytes of a result that are no rows, beside the names of the columns


class Toolbox:
    """The tools over one base.

    Args:
        kb: the base; it is only read. One in memory or open for writing is copied to a private file for the SQL tool,
            again after each write, which an erasure and the end remove, also the end of a process that is killed. A
            reader's file is read where it is.
        sql: offer `run_sql`, too: one SELECT over schema cb, in a process that is limited and can be killed.

    Raises:
        StoreError: [no_worker] the process for SQL cannot start.
    """

    def __init__(self, kb: Claimbase, *, sql: bool = False) -> None:
        self._kb = kb
        self._sql = _Statements(kb) if sql else None
        self.schemas: list[dict[str, Any]] = [*TOOLS, SQL_TOOL] if sql else list(TOOLS)

    def call(self, name: str, arguments: object) -> Result:
        """Answer one call of a tool; a refusal is a result too (see :func:`claimbase.agents.call`)."""
        if self._sql is None or name not in ON_DEMAND:
            return call(self._kb, name, arguments)
        try:
            return shaped(self._sql.ask(arguments_of(name, arguments, ON_DEMAND).sql))
        except ClaimbaseError as error:
            return refusal(error)

    def close(self) -> None:
        """End the processes and remove the private copy; the base stays open."""
        if self._sql is not None:
            self._sql.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def shaped(answer: Answer) -> Result:
    """Give an answer as a tool's result: what a row holds is a source's word (M2); what is too much is cut (M3).

    Raises:
        LimitError: [too_large] the names of the columns alone are too long.
    """
    fence = Fence()
    source = fence.untrusted(columns=answer.columns)
    if _size(source) > RESULT_LIMIT // 2:
        raise LimitError("the columns have too long names", code="too_large", hint="fewer columns, shorter names")
    rows = [fence.short(row) for row in answer.rows]
    kept = list(_fitting(rows, RESULT_LIMIT - _ROOM - _size(source)))
    fence.note("rows", len(rows) - len(kept))
    return {
        "basis": {**answer.state, "note": NOTE}, "row_count": len(kept),
        "truncated": answer.truncated or len(kept) < len(rows),
        "source": source | {"rows": kept}, "cut": dict(sorted(fence.cut.items())),
    }  # fmt: skip


def _fitting(rows: list[list[Any]], room: int) -> Iterator[list[Any]]:
    for row in rows:
        room -= _size(row) + 2
        if room < 0:
            return
        yield row


def _size(data: Any) -> int:
    return len(json_text(data, indent=None).encode())


class _Statements:
    """Two workers at most, on the file that shows the base as it is now."""

    def __init__(self, kb: Claimbase) -> None:
        self._kb = kb
        self._free: queue.LifoQueue[_Place] = queue.LifoQueue()
        self._private = None if kb.db.read_only else Path(tempfile.mkdtemp(prefix="claimbase-"))
        self._places = [_Place(private=self._private is not None) for _ in range(AT_ONCE)]
        for place in self._places:
            self._free.put(place)
        self._batch: int | None = None
        self._publishing = threading.Lock()
        self._forgetting = threading.Lock()
        self._end = weakref.finalize(self, _ended, os.getpid(), self._places, self._private)
        try:
            with self._place() as place:  # the other one starts when two statements meet
                place.worker(self._file()).ready(time.monotonic() + START_SECONDS)
        except BaseException:
            self.close()
            raise
        if self._private is not None:
            keeping_a_copy(kb.db, self.forget)

    def forget(self) -> None:
        """Remove the private copy once no statement reads it: something was erased, and its bytes must go."""
        with self._forgetting:
            held = [self._free.get() for _ in self._places]
            try:
                for place in held:
                    place.close()
                self._batch = None
                _emptied(self._private)
            finally:
                for place in held:
                    self._free.put(place)

    def ask(self, sql: str) -> Answer:
        """Run one statement on the newest state."""
        with self._place() as place:
            return place.worker(self._file()).ask(sql)

    def close(self) -> None:
        """End the workers."""
        self._end()

    @contextmanager
    def _place(self) -> Iterator[_Place]:
        try:
            place = self._free.get(timeout=WALL_SECONDS)
        except queue.Empty:
            raise LimitError(f"{AT_ONCE} statements are running", code="busy", hint="ask again") from None
        try:
            yield place
        finally:
            self._free.put(place)

    def _file(self) -> Path:
        """Give the file to read: the reader's own, or a private copy made after the last write."""
        db = self._kb.db
        batch = self._kb.basis().batch
        if self._private is None:
            return Path(str(db.path))
        file = self._private / "snapshot.duckdb"
        with self._publishing:
            if batch != self._batch:
                publish(db, file)
                self._batch = batch
        return file


class _Place:
    """Where one statement at a time runs: a worker, and the file it has open."""

    def __init__(self, *, private: bool) -> None:
        self._private = private
        self._worker: Worker | None = None
        self._identity: object = None

    def worker(self, path: Path) -> Worker:
        """Give the worker on a file; a new one if another file has taken its place."""
        stat = path.stat()
        identity = (path, stat.st_dev, stat.st_ino, stat.st_mtime_ns)
        if self._worker is None or identity != self._identity:
            self.close()
            self._worker, self._identity = Worker(path, private=self._private), identity
        return self._worker

    def close(self) -> None:
        """End the worker."""
        if self._worker is not None:
            self._worker.close()
        self._worker = None


def _emptied(private: Path | None) -> None:
    for file in private.iterdir() if private is not None and private.is_dir() else ():
        file.unlink()


def _ended(pid: int, places: list[_Place], private: Path | None) -> None:
    if os.getpid() != pid:  # a forked child that ends has nothing here that is its own (C2)
        return
    for place in places:
        place.close()
    if private is not None:
        shutil.rmtree(private, ignore_errors=True)
