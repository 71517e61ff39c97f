"""Notices about publications in files: CSV with the columns of the Retraction Watch data, or JSON lines of our own."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from claimbase.errors import ClaimbaseError, InputError, InstantError
from claimbase.evidence.notices import Notice, notice_day, notice_status
from claimbase.importers.feed import instant_text, lines, parse_json
from claimbase.sources import doi_key

PROVIDER = "Retraction Watch"
"""Who stands behind a file with that project's columns, unless another is named."""
# Our column: that project's.
_CSV = {
    "doi": "OriginalPaperDOI", "status": "RetractionNature", "notice_date": "RetractionDate",
    "notice_doi": "RetractionDOI", "provider_entry": "Record ID",
}  # fmt: skip
_COLUMNS = (
    "doi", "status", "notice_date", "notice_url", "notice_doi", "provider", "provider_entry", "asserted_by",
    "observed_at",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class NoticeFile:
    """The notices of a file, to be walked once; `skipped` counts the rows without a DOI when they are used up."""

    notices: Iterator[Notice]
    skipped: Counter[str] = field(default_factory=Counter)


def read_notices(path: Path, *, provider: str | None = None, observed_at: str | None = None) -> NoticeFile:
    """Read a file of notices.

    Args:
        path: a .csv file with OriginalPaperDOI, RetractionNature, RetractionDate, RetractionDOI, or with our columns;
            else JSON lines with our columns: doi, status, notice_date, notice_url, provider, provider_entry,
            asserted_by, observed_at.
        provider: who lists them, where the rows do not say.
        observed_at: when the file was fetched, where the rows do not say; an instant has no default (B5).

    Raises:
        InputError: [not_found], [bad_file], [bad_json], [missing_field], [bad_notice], naming the line.
        InstantError: [missing_observed_at], [bad_date]; LimitError: [too_large], [too_deep].
    """
    skipped: Counter[str] = Counter()
    rows = _csv_rows(path, provider or PROVIDER) if path.suffix.lower() == ".csv" else _json_rows(path)
    return NoticeFile(_notices(path, rows, skipped, {"provider": provider, "observed_at": observed_at}), skipped)


def _notices(
    path: Path, rows: Iterator[tuple[int, Mapping[str, Any]]], skipped: Counter[str], given: Mapping[str, str | None]
) -> Iterator[Notice]:
    for number, row in rows:
        told = {name: str(value).strip() for name, value in row.items() if value is not None and str(value).strip()}
        key = doi_key(told.get("doi", ""))
        if key is None:
            skipped["without a DOI"] += 1
            continue
        try:
            yield _notice(key, {name: value for name, value in given.items() if value} | told)
        except ClaimbaseError as error:
            error.message = f"line {number} of {path.name}: {error.message}"
            raise


def _notice(key: str, row: Mapping[str, str]) -> Notice:
    if "observed_at" not in row:
        raise InstantError(
            "observed_at is missing: when was the file fetched? (B5)", code="missing_observed_at", hint="name it"
        )
    if missing := [name for name in ("status", "provider") if name not in row]:
        raise InputError(f"{missing[0]} is missing", code="missing_field", hint="give it in the row or beside the file")
    notice_doi = doi_key(row.get("notice_doi", ""))
    return Notice(
        key, notice_status(row["status"]), row["provider"], instant_text(row["observed_at"]),
        notice_day(row.get("notice_date")), row.get("notice_url") or (notice_doi and f"https://doi.org/{notice_doi}"),
        row.get("provider_entry"), row.get("asserted_by"),
    )  # fmt: skip


def _csv_rows(path: Path, provider: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Give the rows of a CSV file under our names; in that project's columns no row names its provider."""
    reader = csv.DictReader(text.removeprefix("\ufeff") for _, text in lines(path))
    try:
        columns = reader.fieldnames or ()
        theirs = _CSV["doi"] in columns and _CSV["status"] in columns
        if not theirs and not {"doi", "status"} <= set(columns):
            raise InputError(
                f"{path.name} has no column of DOIs and of what the notices are", code="bad_file",
                hint=f"{_CSV['doi']} and {_CSV['status']}, or doi and status",
            )  # fmt: skip
        for row in reader:
            named = {name: row.get(other) for name, other in _CSV.items()} | {"provider": provider}
            yield reader.line_num, named if theirs else row
    except csv.Error as error:
        raise InputError(f"line {reader.line_num} of {path.name} is no CSV: {error}", code="bad_file") from error


def _json_rows(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for number, line in lines(path):
        row = parse_json(line, where=f"line {number} of {path.name}")
        if not isinstance(row, dict):
            raise InputError(
                f"line {number} of {path.name} is no JSON object", code="bad_json", hint="one per line: {…}"
            )
        if unknown := sorted(set(row) - set(_COLUMNS)):
            raise InputError(
                f"line {number} of {path.name} has the unknown field {unknown[0]!r}", code="extra_field",
                hint=f"the fields are {', '.join(_COLUMNS)}",
            )  # fmt: skip
        yield number, row
