"""Pages that a crawler or a search gave, one JSON object per line: which field is the address, which the text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from claimbase.errors import InputError, InstantError
from claimbase.importers.feed import lines, parse_json

URL_KEYS = ("url", "uri", "link", "source_url", "href")
"""The fields that name a row's source, the first that is filled in wins."""
TEXT_KEYS = ("text", "body", "content", "markdown", "snippet")
"""The fields that hold a row's text, the first that is filled in wins; else the row itself, as JSON."""
_MOMENTS = ("observed_at", "observedAt", "fetched_at", "retrieved_at")


def read_pages(
    path: Path,
    *,
    url_keys: Sequence[str] = URL_KEYS,
    text_keys: Sequence[str] = TEXT_KEYS,
    observed_at: str | None = None,
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Read pages from a file, each with the options of an ingest.

    A text taken from `snippet` only locates a page: its source is a search snippet and proves nothing. A row without
    any text is stored as it stands in the file.

    Args:
        path: JSON lines, plain or gzip.
        url_keys: fields that name the source, by precedence.
        text_keys: fields that hold the text, by precedence.
        observed_at: when they were read, where the rows do not say.

    Raises:
        InputError: [not_found], [bad_file], [bad_json]; [missing_field] a row names no source.
        InstantError: [missing_observed_at].
    """
    for number, line in lines(path):
        where = f"line {number} of {path.name}"
        row = parse_json(line, where=where)
        if not isinstance(row, dict):
            raise InputError(f"{where} is no JSON object", code="bad_json", hint="one page per line: {...}")
        url, moment, text = _first(row, url_keys), _first(row, _MOMENTS), _first(row, text_keys)
        read_at = observed_at if moment is None else str(row[moment])
        if url is None:
            raise InputError(f"{where} names no source", code="missing_field", hint=f"one of {', '.join(url_keys)}")
        if read_at is None:
            raise InstantError(f"{where} does not say when it was read", code="missing_observed_at", hint="observed_at")
        content = line.strip() if text is None else str(row[text])
        yield content, {"uri": str(row[url]), "observed_at": read_at, "source": _said(row, text), "tool": "pages file"}


def _said(row: Mapping[str, Any], text: str | None) -> dict[str, Any]:
    """Give what a row says of its source: a snippet and a bare record are sources of their own kind."""
    kind = {"snippet": "search_snippet", None: "structured_api"}.get(text)
    said = {name: row[name] for name in ("title", "publisher") if row.get(name)}
    return said | ({"source_type": kind} if kind else {})


def _first(row: Mapping[str, Any], names: Sequence[str]) -> str | None:
    return next((name for name in names if str(row.get(name) or "").strip()), None)
