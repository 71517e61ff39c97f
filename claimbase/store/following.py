"""Readers follow a published snapshot: each one is a new file in the same place (G9)."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, suppress
from pathlib import Path
from typing import Any, Protocol
from weakref import ref

Identity = tuple[int, ...] | None


class Reader(Protocol):
    """What is open for reading, and can turn to another file."""

    path: Path | None
    seen: Identity
    check: Callable[[Any], object]

    def turning(self) -> AbstractContextManager[None]:
        """Let go of the file while the block runs, then take up what stands at the path."""


_READERS: dict[int, ref[Reader]] = {}
_TURNING = threading.Lock()


def identity(path: Path | None) -> Identity:
    """Tell one file from another that takes its place; none where there is no file."""
    with suppress(OSError):
        if path is not None:
            found = path.stat()
            return found.st_dev, found.st_ino, found.st_mtime_ns, found.st_size
    return None


def join(reader: Reader) -> None:
    """Count a reader among those that turn together."""
    key = id(reader)
    _READERS[key] = ref(reader, lambda _: _READERS.pop(key, None))


def leave(reader: Reader) -> None:
    """Count it no longer; who never joined may leave."""
    _READERS.pop(id(reader), None)


def follow(reader: Reader) -> None:
    """Turn a reader to the file that stands at its path by now, if it is another one.

    The engine keeps one file a path and process, so all readers of this process that hold the old one turn with it.

    Args:
        reader: no statement of this thread is under way in it.
    """
    if identity(reader.path) in (None, reader.seen):
        return
    with _TURNING:
        if identity(reader.path) == reader.seen:
            return
        with ExitStack() as turns:
            together = [one for held in list(_READERS.values()) if (one := held()) is not None and _same(one, reader)]
            for one in together:
                turns.enter_context(one.turning())
        for one in together:
            _check(one)


def _check(reader: Reader) -> None:
    try:
        reader.check(reader)
    except BaseException:
        reader.seen = None  # it is looked at again, and refused again, at the next call
        raise


def _same(one: Reader, other: Reader) -> bool:
    return one.path is not None and other.path is not None and one.path.resolve() == other.path.resolve()
