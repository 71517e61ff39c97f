"""The writer's own lock: `flock` on a file beside the base, because the engine's lock can vanish (C1, C2)."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from claimbase.errors import StoreLockedError

try:
    import fcntl
except ImportError:  # not a POSIX system: the engine's own lock is all there is
    fcntl = None  # type: ignore[assignment]  # the module is either there or not


class FileLock:
    """An exclusive lock on ``<base>.lock``, held until released or the process ends.

    Args:
        path: the base's file; links are resolved first, so that one base has one lock.

    Raises:
        StoreLockedError: another writer holds it.
    """

    def __init__(self, path: Path) -> None:
        real = Path(os.path.realpath(path))
        self._pid = os.getpid()
        self._descriptor = os.open(real.with_name(real.name + ".lock"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if fcntl is not None:
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(self._descriptor)
            raise StoreLockedError(
                f"{real.name} is open for writing elsewhere", hint="close it there, or open it read_only afterwards"
            ) from error
        os.ftruncate(self._descriptor, 0)
        os.write(self._descriptor, f"{self._pid} {socket.gethostname()}\n".encode())
        os.register_at_fork(after_in_child=self._close_copy)

    def release(self) -> None:
        """Give the lock up; a forked child only closes its copy, for unlocking would unlock the parent."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _close_copy(self) -> None:
        self.release()
