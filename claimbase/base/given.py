"""What a caller may hand in to be added: one claim, many, a path, or a frame."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from claimbase.claims import Claim
from claimbase.errors import ClaimbaseError, InputError, shown
from claimbase.importers.claim_files import read_claims
from claimbase.ingest import Table

_TABLES = (".csv", ".tsv", ".parquet")


def records(claims: Any) -> Iterable[tuple[int, Claim | Mapping[str, Any] | ClaimbaseError]] | Table:
    """Sort out what a caller may hand in: one claim, many, a path, or a frame."""
    if isinstance(claims, (Claim, Mapping)):
        return [(1, claims)]
    if isinstance(claims, (str, Path)):
        return _file(Path(claims))
    if hasattr(claims, "__arrow_c_stream__") or hasattr(claims, "columns") or hasattr(claims, "schema"):
        return Table(claims)
    if isinstance(claims, Iterable):
        return enumerate(claims, 1)
    raise InputError(
        f"{shown(type(claims).__name__)} is nothing to add", code="bad_value", hint="claims, a path or a frame"
    )


def _file(path: Path) -> Iterable[tuple[int, Mapping[str, Any] | ClaimbaseError]] | Table:
    ending = path.suffix.lower()
    if ending in _TABLES:
        return Table(path)
    if ending in (".jsonl", ".ndjson", ".gz"):
        return read_claims(path)
    raise InputError(
        f"{path.name} is no kind of file claims come in", code="unknown_file", hint=".jsonl, .csv, .tsv or .parquet"
    )
