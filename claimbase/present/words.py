"""The words that pages share: counts, slots, intervals, scopes and values."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

Data = Mapping[str, Any]


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """Write a number with its noun: ``1 claim``, ``2 claims``."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def slot_name(data: Data) -> str:
    """Name a slot: subject, provider, predicate, scope."""
    qualifiers = scope(data.get("scope"))
    narrowed = f" [{qualifiers}]" if qualifiers else ""
    return f"{data['subject']} ({data['provider']}) · {data['predicate']}{narrowed}"


def scope(data: Any) -> str:
    """Write scope qualifiers, a mapping or its JSON, as ``mode=batch, tier=>200k``; nothing for none."""
    given = json.loads(data) if isinstance(data, str) else data
    return ", ".join(f"{key}={value}" for key, value in sorted((given or {}).items()))


def interval(data: Data) -> str:
    """Write an interval; an open side is left out."""
    start, end = data["from"], data["until"]
    if start is None and end is None:
        return "at all times"
    return " ".join(part for part in (start and f"from {start}", end and f"until {end}") if part)


def bounds(data: Data) -> str:
    """Write the four bounds of a valid interval; what is not known exactly is not written as if it were (T1)."""
    start = _bound(data.get("from_earliest"), data.get("from_latest"))
    end = _bound(data.get("until_earliest"), data.get("until_latest"))
    return f"from {start or 'an unknown start'}, {f'until {end}' if end else 'no end known'}"


def _bound(earliest: str | None, last: str | None) -> str:
    if earliest is None or last is None:
        return f"{earliest} or later" if earliest else f"{last} or earlier" if last else ""
    return earliest if earliest == last else f"between {earliest} and {last}"


def said(data: Data) -> str:
    """Write the value of a segment, a side or a change as its newest claim does; the claims stand below it."""
    if data["polarity"] == "absent":
        return "none offered"
    return "erased" if data["value"] is None else str(data["value"])


def agreed(claims: Sequence[Data]) -> str | None:
    """Write the value that several claims state: where their writings differ, as it was read, with its unit (V9).

    Args:
        claims: with value, unit, value_min and value_max; the first one's writing stands for texts and dates.

    Returns:
        The value; None where its content was erased.
    """
    written = dict.fromkeys(one["value"] for one in claims if one["value"] is not None)
    meant = quantity(claims[0]) if len(written) > 1 else ""
    return f"{meant} {claims[0]['unit']}" if meant else next(iter(written), None)


def quantity(data: Data) -> str:
    """Write what a quantity was read as, in its predicate's unit; nothing for dates and texts."""
    low, high = data.get("value_min"), data.get("value_max")
    if not data.get("unit") or (low is None and high is None):
        return ""
    if low == high:
        return str(low)
    return f"{'…' if low is None else low} to {'…' if high is None else high}"
