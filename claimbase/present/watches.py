"""Watches and their events as text for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from claimbase.present.page import Page
from claimbase.present.words import Data

NAMED = 3
"""How many claims a line names; the others are counted."""


def watches(page: Page, rows: Sequence[Data]) -> None:
    """Show watches: what they ask, how many subjects stand how, and when they are due by the clock alone (Q10)."""
    for row in rows:
        page.head(f"{row['name']}: {row['words']}")
        if row["options"]:
            page.line("; ".join(f"{name}: {_said(value)}" for name, value in sorted(row["options"].items())), indent=2)
        page.line(
            f"{row['eligible']} eligible, {row['disputed']} disputed, {row['stale']} with stale evidence", indent=2
        )
        page.line(f"answered as of {row['evaluated_at']}, saved {row['made_at']}", indent=2, style="dim")
        dues = [f"{word} {row[name]}" for name, word in _DUES if row[name]]
        page.line(f"if nothing is written: {', '.join(dues) or 'nothing changes'}", indent=2, style="dim")
    if not rows:
        page.line("no watches")


_DUES = (("next_change_at", "a subject changes its bucket"), ("next_stale_at", "evidence goes stale"))


def events(page: Page, rows: Sequence[Data]) -> None:
    """Show events in order: when, what happened to whom, and because of which claims (Q10)."""
    for row in rows:
        page.line(f"{row['number']}  {row['at']}  {row['watch']}: {_happened(row)}", style="bold")
        page.line(f"{row['detail']}  [{_claims(row['because'])}]", indent=4, style="dim")
    if not rows:
        page.line("no events")


def _happened(row: Data) -> str:
    return f"{row['subject']} ({row['provider']}) {row['event'].replace('_', ' ')}"


def _claims(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - NAMED} more" if len(ids) > NAMED else ""
    return f"because of {', '.join(ids[:NAMED])}{more}" if ids else "no claim changed"


def _said(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
