"""Watches: saved constraints, answered again after writes and as the clock moves, and what changed since (Q10)."""

from claimbase.watches.bundle import Watch
from claimbase.watches.changes import EVENTS
from claimbase.watches.outbox import Event, events
from claimbase.watches.running import add, listed, run, stop

__all__ = ["EVENTS", "Event", "Watch", "add", "events", "listed", "run", "stop"]
