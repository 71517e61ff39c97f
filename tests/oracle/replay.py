"""The state of a change log as of an instant, and the windows in which a key changed; one row after the other."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from .active import ticks

Key = tuple[str, str, str]
GONE = object()


@dataclass(frozen=True, slots=True)
class Change:
    """One row of a change log: from `at` on the key has this value, or is GONE."""

    at: int
    key: Key
    value: Any


@dataclass(frozen=True, slots=True)
class Window:
    """A change of one key: the old value was last read at `last`, the new state first at `at` (T8: (last, at]).

    `last` is None where the source had no reading before.
    """

    last: int | None
    at: int
    old: Any
    new: Any


def load(path: Path) -> Iterator[Change]:
    """Yield the rows of an observations file, plain or gzipped, in file order."""
    raw = path.read_bytes()
    for line in (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode().splitlines():
        row = json.loads(line, parse_float=Decimal)
        key = (row["file"], row["subject"], row["path"])
        yield Change(read_at(row["observedAt"]), key, GONE if row["op"] == "remove" else row["value"])


def read_at(text: str) -> int:
    """Return the ticks of a reading written as RFC 3339."""
    return ticks(datetime.fromisoformat(text))


def day(year: int, month: int, number: int) -> int:
    """Return the ticks of a day's start in UTC (T4)."""
    return ticks(datetime(year, month, number, tzinfo=UTC))


def readings(changes: Iterable[Change]) -> list[int]:
    """Return the instants at which the source was read, as far as its changes show them."""
    return sorted({change.at for change in changes})


def state(changes: Iterable[Change], as_of: int) -> dict[Key, Any]:
    """Return what the source says of every key at an instant; the last row of a key by then counts (B5)."""
    result: dict[Key, Any] = {}
    for change in changes:
        if change.at <= as_of:
            result[change.key] = change.value
    return {key: value for key, value in result.items() if value is not GONE}


def windows(changes: Iterable[Change], key: Key, read: Iterable[int]) -> list[Window]:
    """Return where a key changed between two readings of the source, a first mention and a removal included."""
    final: dict[int, Any] = {change.at: change.value for change in changes if change.key == key}
    instants = sorted({*read, *final})
    result, now = [], GONE
    for place, at in enumerate(instants):
        after = final.get(at, now)
        if not same(now, after):
            result.append(Window(instants[place - 1] if place else None, at, now, after))
        now = after
    return result


def same(one: Any, other: Any) -> bool:
    """Say whether two states of a key are equal: GONE is only GONE, 3.0 is 3, true is not 1."""
    return one is other or (isinstance(one, bool) == isinstance(other, bool) and bool(one == other))
