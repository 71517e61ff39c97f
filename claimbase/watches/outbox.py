"""The events of watches: what is stored of each, and how a program reads on from where it stopped."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import datetime
from difflib import get_close_matches
from typing import Any

from claimbase.errors import InputError, shown
from claimbase.store import Db
from claimbase.temporal import iso


@dataclass(frozen=True, slots=True)
class Event:
    """One change in the answer of a watch (Q10).

    Args:
        number: its place in the order of all events; a program that keeps the greatest number it saw reads on with it.
        watch: the watch's name.
        event: entered, left, became_disputed, dispute_settled, evidence_went_stale or evidence_refreshed.
        at: the instant at which it holds, on all three axes: the write or the bound that brought it.
        because: the ids of the claims that caused it.
        detail: the verdicts then, or when the evidence was last seen; never the words of a source.
        recorded_at: when it was stored.
    """

    number: int
    watch: str
    event: str
    at: datetime
    provider: str
    subject: str
    because: tuple[str, ...]
    detail: str
    recorded_at: datetime

    def __str__(self) -> str:
        said = f"{self.subject} {self.event.replace('_', ' ')}: {self.detail}"
        return f"{self.number} {iso(self.at)} {self.watch}: {said}"

    def to_json(self) -> dict[str, Any]:
        """Give the event as plain data."""
        whole = {one.name: getattr(self, one.name) for one in fields(self)}
        return whole | {"at": iso(self.at), "because": list(self.because), "recorded_at": iso(self.recorded_at)}


def events(db: Db, name: str | None = None, *, since: int | None = None) -> list[Event]:
    """Give the events after a number, in order.

    Args:
        db: the base.
        name: a watch, going on or stopped; None = all.
        since: the greatest number already seen; None = from the first.

    Raises:
        InputError: [unknown_watch]; [bad_number] *since* is negative.
    """
    given: object = since  # of a caller who looks at no types
    if given is not None and (not isinstance(given, int) or given < 0):
        raise InputError(f"since {shown(since)} is no number of an event", code="bad_number", hint="0 or more")
    if name is not None:
        known = [row[0] for row in db.file("queries/watch_names")]
        if name not in known:
            raise unknown_watch(name, known)
    rows = db.file("queries/watch_outbox", {"watch": name, "since": since}).dicts()
    return [Event(**row | {"because": tuple(row["because"])}) for row in rows]


def unknown_watch(name: object, known: list[str]) -> InputError:
    """Make the error for a name that no watch has, with the nearest ones."""
    near = get_close_matches(str(name), known, n=3)
    hint = f"did you mean {' or '.join(map(shown, near))}?" if near else "kb.watches() lists them"
    return InputError(f"no watch is called {shown(name)}", code="unknown_watch", hint=hint)
