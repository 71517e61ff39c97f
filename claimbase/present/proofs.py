"""Evidence as text for people: how quotes stand in texts, what else might be quoted, what a page read again shows."""

from __future__ import annotations

from collections.abc import Sequence

from claimbase.present.page import Page
from claimbase.present.words import Data

FINDINGS_SHOWN = 20
"""How many findings a page shows."""
STYLES = {"verified": "green", "altered": "red", "not-found": "red", "ambiguous": "yellow", "unverifiable": "yellow"}


def matches(page: Page, found: Sequence[Data]) -> None:
    """Show how a quote stands in each text searched: status, tier, place, the words that differ."""
    for one in found:
        _match(page, one)
    if not found:
        page.line("no text to search: ingest the page first")


def _match(page: Page, one: Data) -> None:
    where = f" in {one['snapshot_id']}" if one.get("snapshot_id") else ""
    page.line(f"{one['status']} ({one['tier']}){where}", style=STYLES.get(one["status"], ""))
    if one["start"] is not None:
        times = f", {one['occurrences']} times" if one["occurrences"] > 1 else ""
        page.line(f"characters {one['start']} to {one['end']}{times}", indent=2)
    for change in one["changes"]:
        page.line(f"{change['kind']}: “{change['quote']}” is “{change['source']}” in the text", indent=2)
    if one["closest"] and one["status"] != "verified":
        page.line(f"nearest: “{one['closest']}”", indent=2)
    if one["flags"]:
        page.line(f"flags: {', '.join(one['flags'])}", indent=2, style="dim")


def suggestions(page: Page, data: Data) -> None:
    """Show where a claim's value stands in texts at hand; nothing of it is attached."""
    page.head(data["summary"])
    for one in data["rows"]:
        page.line(f"“{one['quote']}”", indent=2)
        page.line(f"{one['snapshot_id']}, character {one['start']}", indent=4, style="dim")


def recheck(page: Page, data: Data) -> None:
    """Show how each quote of a source stands in the page as it is now (W2)."""
    page.head(data["words"])
    for one in data["found"]:
        page.line(f"{one['outcome']}: {one['claim_id']} “{one['quote']}”", indent=2)
        for change in one["changes"]:
            page.line(f"{change['kind']}: “{change['quote']}” is “{change['source']}”", indent=4)


def audit(page: Page, data: Data) -> None:
    """Show whether the ledger holds, and what does not (G6)."""
    page.line(data["words"], style="green" if data["ok"] else "red")
    for one in data["findings"][:FINDINGS_SHOWN]:
        batch = "" if one["batch_id"] is None else f"batch {one['batch_id']}, "
        page.line(f"{batch}{one['part']} {one['detail']}: {one['what']}", indent=2)
