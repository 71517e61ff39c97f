"""What the engine stores of the definitions: `python tests/stored.py` after the schema or a macro was changed."""

from __future__ import annotations

from pathlib import Path

import duckdb

from claimbase.store.definitions import digested, files_digested, shape_digested
from claimbase.store.schema import expected_macros, expected_shape

NOTED = Path(__file__).parents[1] / "sql" / "stored.txt"


def told() -> str:
    """Give what belongs into the file: the engine, the digests of files and shape, of each form of each macro."""
    pairs = (shape_digested(expected_shape()), *sorted(digested(expected_macros())))
    return "\n".join([duckdb.__version__, files_digested(), *map(" ".join, pairs)]) + "\n"


if __name__ == "__main__":
    NOTED.write_text(told(), encoding="utf-8")
