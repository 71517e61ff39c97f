"""The other end of the SQL worker: starts it, asks it, kills it when its time is over, and lives on (G15)."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from claimbase import errors
from claimbase.errors import ClaimbaseError, LimitError, StoreError
from claimbase.selects import check_text

WALL_SECONDS = 5.0
"""How long a call may take; then the worker is killed, and the next one starts."""
LONGEST_ANSWER = 1_000_000
"""The most bytes read of one answer, whatever the worker thinks of it."""

_NARROW = "narrow the statement: fewer rows, no cross join, an aggregate"

COMMAND: tuple[str, ...] = ("-P", "-m", "claimbase.agents.sql_worker")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a statement gave: the state it read, column names, rows as JSON carries them, whether there were more."""

    state: Mapping[str, Any]
    columns: tuple[str, ...]
    rows: list[list[Any]]
    truncated: bool


class Worker:
    """A process that runs SQL on one file; it starts at once, and anew whenever it was lost.

    Args:
        path: a base's file that no writer has open.
        private: the file is this program's own copy, which is not to outlive it.
    """

    def __init__(self, path: Path, *, private: bool = False) -> None:
        self._arguments = [str(path.absolute()), *(["private"] if private else [])]
        self._process = _spawned(self._arguments)
        self._state: Mapping[str, Any] | None = None

    def ask(self, sql: str) -> Answer:
        """Run one statement, within WALL_SECONDS whatever happens.

        Raises:
            InputError: the gate or the engine refuses it, with the reason as code.
            LimitError: [too_large], [too_deep], [timed_out], [out_of_memory], [worker_lost] the statement ended it,
                [busy] it is still starting.
            StoreError: [no_worker] it cannot start, or not open the file.
        """
        check_text(sql)
        deadline = time.monotonic() + WALL_SECONDS
        self.ready(deadline)
        try:
            told = self._asked(sql, deadline)
        except BaseException:
            self._anew()
            raise
        if isinstance(told, Answer):
            return told
        if told.code == "out_of_memory":  # it ends by itself then
            self._anew()
        raise told

    def ready(self, deadline: float) -> None:
        """Wait until the process has opened the file.

        Args:
            deadline: until when, as time.monotonic() tells it.

        Raises:
            LimitError: [busy].
            StoreError: [no_worker].
        """
        if self._process.poll() is not None:
            self._anew()
        if self._state is not None:
            return
        try:
            self._state = next(_lines(self._process, deadline))["state"]
        except LimitError as error:
            if error.code == "timed_out":
                raise LimitError("the SQL worker is still starting", code="busy", hint="ask again") from error
            raise StoreError("the SQL worker cannot start", code="no_worker", hint="is the base a reader's?") from error

    def close(self) -> None:
        """End the process; calling it twice is harmless."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    @property
    def pid(self) -> int:
        """The process's number."""
        return self._process.pid

    def _anew(self) -> None:
        self.close()
        self._process, self._state = _spawned(self._arguments), None

    def _asked(self, sql: str, deadline: float) -> Answer | ClaimbaseError:
        line = json.dumps({"sql": sql}).encode("ascii") + b"\n"
        try:
            while line:
                line = line[os.write(_end(self._process.stdin), line) :]
        except OSError as error:
            raise _lost(self._process) from error
        columns: tuple[str, ...] = ()
        rows: list[list[Any]] = []
        for told in _lines(self._process, deadline):
            if isinstance(told, list):
                rows.append(told)
            elif "error" in told:
                return _named(told)
            elif "columns" in told:
                columns = tuple(told["columns"])
            else:
                return Answer(self._state or {}, columns, rows, told["truncated"])
        raise _lost(self._process)


def _spawned(arguments: list[str]) -> subprocess.Popen[bytes]:
    """Start a worker: spawned, not forked; nothing of this process's variables, folder or files goes along."""
    # One arena: each further one reserves address space, of which the worker may have little.
    known = {"PYTHONPATH": os.pathsep.join(str(Path(one).absolute()) for one in sys.path), "MALLOC_ARENA_MAX": "1"}
    kept = {name: os.environ[name] for name in ("LD_LIBRARY_PATH", "SYSTEMROOT") if name in os.environ}
    return subprocess.Popen(  # noqa: S603 - our own module; the statement travels through the pipe
        [sys.executable, *COMMAND, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, env=kept | known, cwd=os.sep, start_new_session=True, bufsize=0,
    )  # fmt: skip


def _lines(process: subprocess.Popen[bytes], deadline: float) -> Iterator[Any]:
    """Give the lines of an answer as they come.

    Raises:
        LimitError: [timed_out], [worker_lost].
    """
    descriptor, held, read = _end(process.stdout), b"", 0
    waiting = select.poll()
    waiting.register(descriptor)
    while read < LONGEST_ANSWER:
        if not waiting.poll(max(0.0, deadline - time.monotonic()) * 1_000):
            raise LimitError("the statement took too long", code="timed_out", hint=_NARROW)
        got = os.read(descriptor, 65_536)
        if not got:
            raise _lost(process)
        read += len(got)
        *whole, held = (held + got).split(b"\n")
        yield from (json.loads(line) for line in whole)
    raise _lost(process)


def _end(pipe: Any) -> int:
    return int(pipe.fileno())


def _lost(process: subprocess.Popen[bytes]) -> LimitError:
    """Tell why a worker is gone: its time of computing was over, or the statement brought it down."""
    process.kill()
    if process.wait() == -signal.SIGXCPU:
        return LimitError("the statement took too long", code="timed_out", hint=_NARROW)
    return LimitError("the statement brought its worker down", code="worker_lost", hint=_NARROW)


def _named(told: Mapping[str, Any]) -> ClaimbaseError:
    made: type[ClaimbaseError] = getattr(errors, told["error"])
    return made(told["message"], code=told["code"], hint=told["hint"])
