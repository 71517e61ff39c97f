"""Claims in JSON, one object per line; CSV and Parquet are read by the engine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from claimbase.errors import ClaimbaseError, InputError
from claimbase.importers.feed import lines, parse_json


def read_claims(path: Path) -> Iterator[tuple[int, dict[str, Any] | ClaimbaseError]]:
    """Read a file of claims, plain or gzip, line by line.

    A bad line becomes an error in its place, so that the caller may report it and go on (W5). Numbers stay as written.

    Args:
        path: the file, UTF-8, one JSON object per line; empty lines are left out.

    Yields:
        The line's number from 1, and the object, or an InputError [bad_json] or LimitError [too_deep].

    Raises:
        InputError: [not_found], [bad_file] the file cannot be read, [bad_json] it is no UTF-8.
        LimitError: [too_large] a line is too long to be read.
    """
    for number, line in lines(path):
        yield number, _claim(line, where=f"line {number} of {path.name}")


def _claim(line: str, *, where: str) -> dict[str, Any] | ClaimbaseError:
    try:
        claim = parse_json(line, where=where)
    except ClaimbaseError as error:
        return error
    if isinstance(claim, dict):
        return claim
    return InputError(f"{where} is no JSON object", code="bad_json", hint="one claim per line: {...}")
