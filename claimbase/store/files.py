"""Files beside a base: their names, and bringing them to the disk."""

from __future__ import annotations

import os
from pathlib import Path


def beside(base: Path, ending: str) -> Path:
    """Name a file beside the base's real one, so that one base has one of it however it is called."""
    real = Path(os.path.realpath(base))
    return real.with_name(real.name + ending)


def synced(path: Path) -> None:
    """Bring a file, or the names in a folder, to the disk (C17)."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
