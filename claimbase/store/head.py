"""The head file: what was acknowledged, kept beside the base, so that a lost tail is noticed (G7)."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from claimbase.errors import NoSpaceError, TailLossError
from claimbase.store.files import beside, synced

_LONGEST = 256  # bytes; more than two lines
_LINE = re.compile(rb"(\d{1,18}) (\d{1,18}) ([0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class Stamp:
    """A batch as the head file has it.

    Args:
        batch_id: its number.
        entries: how many entries and decisions it wrote.
        root: the digest that chains it to all batches before it.
    """

    batch_id: int
    entries: int
    root: str

    @property
    def line(self) -> bytes:
        """Give it as one line."""
        return f"{self.batch_id} {self.entries} {self.root}\n".encode()


class Head:
    """``<base>.head``: one line a batch, only ever added to, brought to the disk before a write returns.

    A line cut short by a crash is no line: its batch was not acknowledged.

    Args:
        base: the base's file.

    Raises:
        TailLossError: [bad_head] the file's last whole line cannot be read.
    """

    def __init__(self, base: Path) -> None:
        self.path = beside(base, ".head")
        self.newest = self._last()

    def _last(self) -> Stamp | None:
        try:
            with self.path.open("rb") as file:
                size = file.seek(0, os.SEEK_END)
                file.seek(max(0, size - _LONGEST))
                lines = file.read().split(b"\n")[:-1]  # what follows the last end of line is no line
        except FileNotFoundError:
            return None
        if not lines and size < _LONGEST:
            return None
        found = _LINE.fullmatch(lines[-1]) if lines else None
        if found is None:
            raise TailLossError(
                f"the last line of {self.path.name} cannot be read", code="bad_head", hint="claimbase check tells more"
            )
        return Stamp(int(found[1]), int(found[2]), found[3].decode())

    def append(self, stamps: list[Stamp]) -> None:
        """Add batches and bring them to the disk.

        Args:
            stamps: in order.

        Raises:
            NoSpaceError: [head_unwritten] the batches are stored, but not yet noted; the next write notes them.
        """
        fresh = not self.path.exists()
        try:
            with open(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600), "r+b") as file:  # noqa: PTH123 - with its mode
                file.seek(_end_of_lines(file))
                file.truncate()
                file.writelines(stamp.line for stamp in stamps)
                file.flush()
                os.fsync(file.fileno())
            if fresh:
                synced(self.path.parent)
        except OSError as error:
            raise NoSpaceError(
                f"the write is stored, but {self.path.name} could not note it: {error.strerror or error}",
                code="head_unwritten",
                hint="free space; the next write notes it",
            ) from error
        self.newest = stamps[-1]


def _end_of_lines(file: BinaryIO) -> int:
    """Find where the last whole line ends."""
    start = max(0, file.seek(0, os.SEEK_END) - _LONGEST)
    file.seek(start)
    return start + file.read().rfind(b"\n") + 1
