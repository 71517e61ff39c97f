"""The writer's own lock: `flock` on a file beside the base, because the engine's lock can vanish (C1, C2)."""

from __future__ import annotations

import gc
import os
import socket
from pathlib import Path
from weakref import WeakSet

from claimbase.errors import StoreLockedError

try:
    import fcntl
except ImportError:  # not a POSIX system: the engine's own lock is all there is
    fcntl = None  # type: ignore[assignment]  # the module is either there or not


class FileLock:
    """A lock on ``<base>.lock``, held until released or the process ends.

    Args:
        path: the base's file; links are resolved first, so that one base has one lock.
        shared: a reader's lock, beside which there may be other readers; a base that no writer ever locked has none.

    Raises:
        StoreLockedError: another writer, or for a writer a reader, holds it.
    """

    def __init__(self, path: Path, *, shared: bool = False) -> None:
        real = Path(os.path.realpath(path))
        self._descriptor = _opened(real.with_name(real.name + ".lock"), shared=shared)
        if self._descriptor < 0:
            return
        try:
            if fcntl is not None:
                fcntl.flock(self._descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except OSError as error:
            os.close(self._descriptor)
            raise StoreLockedError(
                f"{real.name} is open elsewhere{' for writing' if shared else ''}",
                hint="close it there; beside a writer there is nobody else",
            ) from error
        if not shared:
            os.ftruncate(self._descriptor, 0)
            os.write(self._descriptor, f"{os.getpid()} {socket.gethostname()}\n".encode())
        _HELD.add(self)

    def release(self) -> None:
        """Give the lock up; a forked child only closes its copy, for unlocking would unlock the parent."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def _opened(path: Path, *, shared: bool) -> int:
    if not shared:
        return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        return os.open(path, os.O_RDONLY)
    except OSError:  # a copy, or another owner's base: the engine's own lock is all a reader can have
        return -1


_HELD: WeakSet[FileLock] = WeakSet()


def _close_copies() -> None:
    gc.freeze()  # a connection among the parent's garbage must not be collected here: its threads are not there (C2)
    for lock in _HELD:
        lock.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close_copies)
