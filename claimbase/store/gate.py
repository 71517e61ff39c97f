"""A gate that statements pass, and that is shut while the base's file is exchanged under them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Gate:
    """Any number may be inside, or one who shut it; who comes meanwhile waits."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._inside = 0
        self._is_shut = False

    @contextmanager
    def passing(self) -> Iterator[None]:
        """Be inside while the block runs."""
        with self._changed:
            self._changed.wait_for(lambda: not self._is_shut)
            self._inside += 1
        try:
            yield
        finally:
            with self._changed:
                self._inside -= 1
                self._changed.notify_all()

    @contextmanager
    def shut(self) -> Iterator[None]:
        """Let everybody out and nobody in while the block runs; whoever shuts it is not inside."""
        with self._changed:
            self._changed.wait_for(lambda: not self._is_shut)
            self._is_shut = True
        try:
            with self._changed:
                self._changed.wait_for(lambda: self._inside == 0)
            yield
        finally:
            with self._changed:
                self._is_shut = False
                self._changed.notify_all()
