"""One record of a structured file: found by its values or its place, written in one spelling (evidence §3)."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, TypeAlias

from claimbase.errors import InputError, LimitError, SnapshotRefusedError, shown

Selector: TypeAlias = str | Mapping[str, Any]

MEDIA_TYPES = ("text/csv", "text/tab-separated-values", "application/json", "application/x-ndjson")
"""What records can be picked from."""


class Written(str):
    """A number as it stands in the file: 1.10 stays 1.10."""

    __slots__ = ()


def record_text(text: str, media_type: str, selector: Selector) -> str:
    """Give the text of one record: JSON with its keys in order, numbers as written.

    Args:
        text: the file.
        media_type: one of MEDIA_TYPES.
        selector: values that single the record out (``{"release": "11"}``), or a JSON pointer (``/models/0``).

    Raises:
        InputError: [no_record], [ambiguous_record]; [bad_selector] it is neither, or the file has no records.
        SnapshotRefusedError: [not_text] the file is not what its media type says.
        LimitError: [too_deep].
    """
    if media_type not in MEDIA_TYPES:
        raise InputError(f"{shown(media_type)} holds no records", code="bad_selector", hint=", ".join(MEDIA_TYPES))
    try:
        found = _rows(text, media_type) if media_type.startswith("text/") else _parsed(text, media_type)
        record = _pointed(found, selector) if isinstance(selector, str) else _matching(found, selector)
        return _spelled(record)
    except RecursionError as error:
        raise LimitError("the file is nested too deep", code="too_deep", hint="pick a part of it first") from error
    except (csv.Error, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise SnapshotRefusedError(
            f"the file cannot be read as {media_type}", code="not_text", hint="check what it is"
        ) from error


def read_selector(text: str) -> Selector:
    """Read a selector as written on a command line: JSON of an object, or a JSON pointer.

    Raises:
        InputError: [bad_selector].
    """
    if text.startswith("/"):
        return text
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        raise InputError(
            f"{shown(text)} singles out no record",
            code="bad_selector",
            hint='{"column": "value"} or a pointer: /models/0',
        )
    return given


def _rows(text: str, media_type: str) -> list[dict[str, Any]]:
    delimiter = "\t" if "tab" in media_type else ","
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    return [{str(name): value for name, value in row.items() if name is not None} for row in reader]


def _parsed(text: str, media_type: str) -> Any:
    if media_type == "application/json":
        return _json(text)
    return [_json(line) for line in text.split("\n") if line.strip()]


def _json(text: str) -> Any:
    return json.loads(text, parse_float=Written, parse_int=Written, parse_constant=_no_number)


def _no_number(text: str) -> None:
    raise ValueError(text)


def _pointed(found: Any, pointer: str) -> Any:
    """Follow a JSON pointer (RFC 6901)."""
    if not pointer.startswith("/"):
        raise InputError(f"{shown(pointer)} is no JSON pointer", code="bad_selector", hint="/models/0")
    for step in pointer[1:].split("/"):
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(found, dict) and name in found:
            found = found[name]
        elif isinstance(found, list) and name.isascii() and name.isdigit() and int(name[:9]) < len(found):
            found = found[int(name[:9])]
        else:
            raise InputError(
                f"the file has nothing at {shown(pointer)}", code="no_record", hint=f"no {shown(name)} there"
            )
    return found


def _matching(found: Any, wanted: Mapping[str, Any]) -> Any:
    """Find the one record whose values equal those wanted."""
    if not wanted:
        raise InputError("the selector names no value", code="bad_selector", hint='{"column": "value"}')
    hits = [one for one in objects(found) if all(key in one and _equal(one[key], wanted[key]) for key in wanted)]
    if not hits:
        raise InputError(f"no record has {shown(_spelled(wanted))}", code="no_record", hint="check names and values")
    if len(hits) > 1:
        raise InputError(
            f"{len(hits)} records have {shown(_spelled(wanted))}", code="ambiguous_record", hint="name one more value"
        )
    return hits[0]


def objects(found: Any) -> Iterator[dict[str, Any]]:
    """Give every object of parsed JSON, the outermost first; a loop, so that its depth is no matter."""
    waiting = [found]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            yield one
            waiting.extend(one.values())
        elif isinstance(one, list):
            waiting.extend(one)


def _equal(held: Any, wanted: Any) -> bool:
    """Compare two values: numbers by what they are worth, others by what is written."""
    if isinstance(held, dict | list) or isinstance(wanted, dict | list):
        return _spelled(held) == _spelled(wanted)
    one, other = _scalar(held), _scalar(wanted)
    try:
        return one == other or Decimal(one) == Decimal(other)
    except InvalidOperation:
        return False


def _scalar(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _spelled(value: Any) -> str:
    """Write a value as JSON, keys sorted, numbers as they stand in the file."""
    if isinstance(value, Written):
        return str(value)
    if isinstance(value, Mapping):
        inner = (
            f"{json.dumps(str(key), ensure_ascii=False)}: {_spelled(value[key])}" for key in sorted(value, key=str)
        )
        return "{" + ", ".join(inner) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_spelled, value)) + "]"
    return json.dumps(value, ensure_ascii=False, default=str)
