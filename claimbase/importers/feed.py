"""What an importer hands over: rows of claim fields, the readings they were taken in, and how the source is read."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Context, Decimal
from functools import partial
from io import BufferedReader, RawIOBase
from pathlib import Path
from typing import Any, BinaryIO, NoReturn, TypeAlias, cast

from claimbase.claims import Numeral
from claimbase.errors import InputError, LimitError, shown
from claimbase.temporal import iso, read_instant

Row: TypeAlias = dict[str, Any]

LINE_LIMIT = 4_000_000
"""The longest line, in bytes, that is parsed (C13)."""
DEPTH_LIMIT = 30
"""The deepest nesting of JSON that is parsed (C13)."""
FILE_LIMIT = 256_000_000
"""The longest file, in characters, that is read as one JSON value."""

_DOUBLE = Context(prec=15)
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]', re.DOTALL)
_STEP = {"{": 1, "[": 1, "}": -1, "]": -1}


class Number(Numeral):
    """A JSON number kept as it was written, so that 2.5e-06 stays 2.5e-06 (V1)."""

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        """Write the number as it stands; with ``k`` in the short form the scopes use, 200000 as 200k."""
        return thousands(self) if spec == "k" else super().__format__(spec)


def thousands(number: str) -> str:
    """Write a whole number of thousands with ``k``; any other number stays as it is."""
    whole = number.removesuffix(".0")
    return f"{whole[:-3]}k" if whole.endswith("000") and whole.isdigit() and whole != "000" else number


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading of a source: which address, when, and which version of it if it names one."""

    url: str
    observed_at: str
    version: str | None = None


@dataclass(frozen=True, slots=True)
class Mode:
    """How a source is read (T8, W2).

    Args:
        whole: every reading reads every slot, silence means "still said".
        complete: a removal is a denial.
        own: the source dates its statements itself, so nothing is inferred from its readings.
    """

    whole: bool
    complete: bool
    own: bool


@dataclass(frozen=True, slots=True)
class Feed:
    """The rows of one source and what is known about their reading.

    Args:
        rows: claim fields in snake_case, `source` as an object, plus `entry` ("said", or "gone" where the source no
            longer says it; said if left out). To be walked once; `skipped` is full when they are used up.
        readings: the readings that the rows were taken in, oldest first.
        mode: how the feed's one address is read.
        listing: the rows are all that the source says at its one reading; what it said before and is not among them
            is gone.
        total: how many entries of the file stand behind the rows, where known; for a progress bar.
        source: the source's fields, as every row carries them.
        skipped: how many entries gave no row, by reason.
    """

    rows: Iterator[Row]
    readings: tuple[Reading, ...]
    mode: Mode
    listing: bool
    total: int | None
    source: Mapping[str, str]
    skipped: Counter[str] = field(default_factory=Counter)


def literal(value: Any) -> str:
    """Write a parsed JSON value back as its literal; a Number as it was written."""
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{literal(str(key))}: {literal(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(literal(inner) for inner in value) + "]"
    return _written(value)


def fragment(path: str, value: Any) -> str:
    """Quote an entry of a structured source: its path and its value as written, ``"cost.input": 3.0``."""
    return f"{_written(path)}: {literal(value)}"


def value_text(value: Any) -> str:
    """Give a scalar of JSON as the text of a claim's value."""
    return value if isinstance(value, str) else literal(value)


def stated(value: Any) -> Row:
    """Give the value fields of a claim: the value as written and, where its last digits are noise, the number meant.

    Catalogues keep their numbers in doubles, which hold 15 digits. What stands behind them (0.7999999999999999) is left
    over from binary arithmetic, so the normalised value is rounded to those 15 (V6).
    """
    row: Row = {"value": value_text(value)}
    if isinstance(value, Number) and len(value) > _DOUBLE.prec and len(Decimal(value).as_tuple().digits) > _DOUBLE.prec:
        row["normalized_value"] = format(_DOUBLE.create_decimal(value).normalize(), "f")
    return row


def instant_text(observed_at: str | datetime) -> str:
    """Give the instant of a reading as text in UTC, refusing what is no instant (T7).

    Raises:
        InstantError: it is a period, has no offset or lies outside the legal years.
    """
    return iso(read_instant(observed_at, field="observed_at").astimezone(UTC))


def parse_json(text: str, *, where: str, skipped: Counter[str] | None = None) -> Any:
    """Parse JSON strictly: numbers as written, no repeated keys, no NaN, not too deep (C13).

    Args:
        text: the JSON.
        where: the file and line, for messages.
        skipped: given for a catalogue, whose slips are its own: the last of two equal keys counts, as it does for its
            readers, and the others are counted here.

    Raises:
        InputError: [bad_json] it is no JSON, starts with a byte order mark or repeats a key.
        LimitError: [too_deep], before any parsing.
    """
    if too_deep(text):
        raise LimitError(f"{where} is nested too deep", code="too_deep", hint=f"{DEPTH_LIMIT} levels at most")
    if text.startswith("\ufeff"):
        raise InputError(f"{where} starts with a byte order mark", code="bad_json", hint="save it as UTF-8 without one")
    decoder = _STRICT if skipped is None else _decoder(skipped)
    try:
        return decoder.decode(text)
    except ValueError as error:
        raise InputError(
            f"{where} is no JSON: {error}", code="bad_json", hint=f"it begins {shown(text, 40)}"
        ) from error


def _object(skipped: Counter[str] | None, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if lost := len(pairs) - len(found):
        if skipped is None:
            raise ValueError(f"the key {shown(_repeated(pairs))} stands twice")
        skipped["a key written twice, the last counts"] += lost
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def _repeated(pairs: list[tuple[str, Any]]) -> str:
    counts = Counter(key for key, _ in pairs)
    return max(counts, key=lambda key: counts[key])


def _decoder(skipped: Counter[str] | None) -> json.JSONDecoder:
    return json.JSONDecoder(
        parse_float=Number, parse_int=Number, parse_constant=_no_constant, object_pairs_hook=partial(_object, skipped)
    )


# Made once: making a decoder or an encoder costs more than a line of a log.
_STRICT = _decoder(None)
_written = json.JSONEncoder(ensure_ascii=False).encode


def too_deep(text: str) -> bool:
    """Say whether the brackets of a JSON text nest beyond DEPTH_LIMIT, strings left out, without parsing it (C13)."""
    if text.count("{") + text.count("[") <= DEPTH_LIMIT:
        return False
    level = 0
    for token in _TOKEN.finditer(text):
        level += _STEP.get(token[0], 0)
        if level > DEPTH_LIMIT:
            return True
    return False


def lines(path: Path) -> Iterator[tuple[int, str]]:
    """Read a text file, plain or gzip, line by line with line numbers from 1; empty lines are left out.

    Raises:
        InputError: [not_found], [bad_file] it cannot be read, [bad_json] it is no UTF-8.
        LimitError: [too_large] a line is longer than LINE_LIMIT.
    """
    number = 0
    try:
        with _opened(path) as file:
            while line := file.readline(LINE_LIMIT + 1):
                number += 1
                if len(line) > LINE_LIMIT:
                    raise LimitError(f"line {number} of {path.name} is longer than {LINE_LIMIT} bytes")
                if line.strip():
                    yield number, line.decode("utf-8")
    except FileNotFoundError as error:
        raise InputError(f"there is no file {shown(path.name)}", code="not_found", hint="check the path") from error
    except UnicodeDecodeError as error:
        raise InputError(
            f"line {number} of {path.name} is no UTF-8", code="bad_json", hint="write the file as UTF-8"
        ) from error
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(
            f"{path.name} cannot be read: {error}", code="bad_file", hint="name a text file, plain or gzip"
        ) from error


def read_json(path: Path, skipped: Counter[str]) -> Any:
    """Read a catalogue of one JSON value, plain or gzip (see parse_json).

    Args:
        path: the file.
        skipped: where keys written twice are counted.

    Raises:
        InputError: [not_found], [bad_file], [bad_json]; LimitError: [too_large], [too_deep].
    """
    text: list[str] = []
    size = 0
    for _, line in lines(path):
        size += len(line)
        if size > FILE_LIMIT:
            raise LimitError(f"{path.name} is longer than {FILE_LIMIT} characters")
        text.append(line)
    return parse_json("".join(text), where=path.name, skipped=skipped)


def _opened(path: Path) -> BinaryIO:
    with path.open("rb") as file:
        zipped = file.read(2) == b"\x1f\x8b"
    return BufferedReader(cast(RawIOBase, gzip.open(path))) if zipped else path.open("rb")
