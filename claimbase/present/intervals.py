"""Results over time as text for people: when all constraints hold, subject by subject."""

from __future__ import annotations

from collections.abc import Iterable

from claimbase.present.page import Page
from claimbase.present.tables import STYLES, basis, citation, more
from claimbase.present.words import Data, interval

CLAIMS_SHOWN = 4
"""How many claims a page shows for one segment; the others are counted."""
_HOLDS = {"certain": "yes", "possible": "possibly", "no": "no"}


def when(page: Page, data: Data) -> None:
    """Show the intervals in which all constraints hold, with claims and gaps, and what will change next (Q5)."""
    page.head(data["summary"])
    page.line(" and ".join(data["constraints"]), indent=2, style="dim")
    for one in data["subjects"]:
        page.head(f"{one['subject']} ({one['provider']}){_held(data, one)}")
        for text, segment in _in_time(one):
            if segment is None:
                page.line(text, indent=2, style="dim")
                continue
            page.line(text, indent=2, style=STYLES.get(segment["certainty"], "green"))
            _claims(page, segment)
        if not one["segments"]:
            page.line("never", indent=2)
    for note in data["notes"]:
        page.line(note, indent=2)
    page.head("Next")
    page.line(f"a subject changes its bucket: {data['next_change_at'] or 'at no known instant'}", indent=2)
    page.line(f"a supporting claim becomes stale: {data['next_stale_at'] or 'none'}", indent=2)
    basis(page, data["basis"])


def _held(data: Data, one: Data) -> str:
    return f": {data['extent']} {interval(data['window'])}: {_HOLDS[one['holds']]}" if data["extent"] else ""


def _in_time(one: Data) -> Iterable[tuple[str, Data | None]]:
    """Give segments and the gaps between them as they follow each other."""
    gaps = {gap["from"]: gap for gap in one["gaps"]}
    for segment in one["segments"]:
        yield f"{segment['certainty']} {interval(segment['interval'])}", segment
        gap = gaps.get(segment["interval"]["until"])
        if gap is not None:
            yield f"gap {interval(gap)}", None


def _claims(page: Page, segment: Data) -> None:
    ranked = sorted(segment["grounds"], key=lambda one: (one["role"] != "yes", not one["certain"]))
    dissent = segment["certainty"] == "disputed"  # both sides are shown, however many speak for one
    shown = ranked if dissent else ranked[:CLAIMS_SHOWN]
    for one in shown:
        citation(page, one, indent=4)
    more(page, len(ranked) - len(shown), indent=4)
