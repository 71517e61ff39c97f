"""Appending to the log: dimensions, claims, readings and entries of the rows that hold. Idle steps are skipped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from claimbase.errors import InstantError, StoreError
from claimbase.sources import url_key
from claimbase.store import Transaction, Write
from claimbase.temporal import iso, read_instant

SKEW_SECONDS = 300  # a reading this far ahead of our clock is a clock that runs fast, not a lie (B5)


@dataclass(frozen=True, slots=True)
class Whole:
    """Readings of a source that is read whole (T8).

    Args:
        url: the source's address.
        readings: instant and declared version of each reading.
        complete: a removal is a denial (W2).
        own: the source dates its statements itself.
        listing: the rows are all the source says at its one reading.
    """

    url: str
    readings: tuple[tuple[str, str | None], ...]
    complete: bool = False
    own: bool = False
    listing: bool = False


def look(transaction: Transaction) -> dict[str, Any]:
    """Look once what the staged rows bring that the base does not know: the steps without work are skipped."""
    (news,) = transaction.file("ingest/news").dicts()
    return news


def append(
    under_way: Write, whole: Whole | None, news: Mapping[str, Any], *, said: bool = True
) -> tuple[int, int, int, int]:
    """Append dimensions, claims, readings and entries.

    Returns:
        How many claims are new, how many readings further ones, how many rows no news, how many readings covered.
    """
    transaction, at = under_way.transaction, {"recorded_at": under_way.recorded_at}
    for table in ("predicates", "subjects", "scopes", "units", "sources"):
        if news[table]:
            transaction.file(f"log/{table}", at)
    rows = transaction.number("log/accepted")
    first_stated = transaction.number("log/new_claims")
    if first_stated < rows and (collided := transaction.file("log/collisions").rows):
        raise StoreError(
            f"{len(collided)} claims share a number with other content", code="collision", hint="the base is damaged"
        )
    _whole_readings(under_way, whole)
    transaction.file("log/entries")
    if not said:
        transaction.file("log/no_entries")
    ((claims, further, unchanged, covered),) = transaction.file("log/counts").rows
    for table in ("statements", "values", "meanings") if first_stated else ():
        transaction.file(f"log/{table}", at)
    for table in ("quotes", "attributes"):
        transaction.file(f"log/{table}", at)
    log_readings(under_way)
    if whole is not None and transaction.number("log/mode_changes", _mode(whole)):
        transaction.file("log/modes", at | _mode(whole))
        transaction.file("log/touched_by_mode")
    return claims, further, unchanged, covered


def log_readings(under_way: Write) -> None:
    """Append the new entries and the readings they are of, and touch their slots."""
    transaction, at = under_way.transaction, {"recorded_at": under_way.recorded_at}
    transaction.file("log/append_entries", at)
    if transaction.number("log/readings"):
        transaction.file("log/append_readings", at)
    transaction.file("log/touched")


def _whole_readings(under_way: Write, whole: Whole | None) -> None:
    """Stage the readings of a source read whole; a listing's missing claims become gone, at it and after it (T8)."""
    transaction = under_way.transaction
    transaction.file("ingest/whole_reading")
    if whole is None:
        return
    key = url_key(whole.url)
    moments = [(key, reading_moment(at, under_way.recorded_at), version) for at, version in whole.readings]
    source = {"url_key": key, "uri": whole.url, "recorded_at": under_way.recorded_at}
    transaction.file("log/source", source)
    transaction.append("whole_reading", moments)
    if whole.listing:
        transaction.file("log/listing_state")
        transaction.file("log/listing_entries")


def reading_moment(given: str | datetime, recorded_at: datetime) -> datetime:
    """Give the instant of a reading made by a batch's instant; a clock that runs a little fast is taken as now (B5).

    Raises:
        InstantError: [future_observation] it has not come yet.
    """
    moment = read_instant(given, field="observed_at")
    if (moment - recorded_at).total_seconds() > SKEW_SECONDS:
        raise InstantError(f"observed_at {iso(moment)} lies in the future", code="future_observation")
    return min(moment, recorded_at)


def _mode(whole: Whole) -> dict[str, bool]:
    return {"complete": whole.complete, "own": whole.own}
