"""Voices, corroboration, gaps and notices as text for people."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from claimbase.present.page import Page
from claimbase.present.tables import basis
from claimbase.present.words import Data

STYLES = {
    "gap": "red", "confirmed-absent": "cyan", "retracted": "red", "expression-of-concern": "yellow",
    "corrected": "yellow", "unavailable": "yellow",
}  # fmt: skip


def independence(page: Page, data: Data) -> None:
    """Show the voices with their sources, the one that speaks for them first, and what joins them if told."""
    page.head(data["summary"])
    for voice in data["rows"]:
        others = [one for one in voice["members"] if one != voice["root"]]
        page.line(f"{voice['voice_id']}: {_source(data, voice['root'])}", indent=2, style="bold")
        for one in others:
            page.line(_source(data, one), indent=6)
        for edge in voice.get("edges", ()):
            page.line(f"{edge['kind']}: {edge['one']} and {edge['other']}, {edge['reason']}", indent=8, style="dim")
    basis(page, data["basis"])


def _source(data: Data, source_id: str) -> str:
    return f"{data['uris'].get(source_id, 'a source not asked about')}  ({source_id})"


def corroboration(page: Page, data: Data) -> None:
    """Show who says a claim's value, voice by voice, and what is weak about it."""
    page.head(data["summary"])
    names = ("voice_id", "independent", "uri", "publisher", "authority", "source_type", "via")
    page.table([name.replace("_", " ") for name in names], _cells(data["rows"], names))
    if data["confidence"]:
        page.line(f"its author's confidence: {data['confidence']}", indent=2)
    for flag in data["flags"]:
        page.line(f"warning: {flag.replace('_', ' ')}", indent=2, style="red")
    basis(page, data["basis"])


def rating(page: Page, data: Data) -> None:
    """Show how a subject's claims hang together, claim by claim."""
    page.head(data["summary"])
    rows = [
        (one["claim_id"], len(one["voices"]), len(one["independent"]), one["claim_id"] in data["contradicted"],
         ", ".join(one["flags"]))
        for one in data["claims"]
    ]  # fmt: skip
    page.table(("claim", "voices", "independent", "contradicted", "flags"), rows)
    basis(page, data["basis"])


def gaps(page: Page, data: Data) -> None:
    """Show subject by subject how each required predicate stands."""
    page.head(data["summary"])
    for row in data["rows"]:
        doubt = "" if row["certain"] or row["status"] == "gap" else ", only possibly"
        told = f"{row['subject']} ({row['provider']}) · {row['predicate']}: {row['status']}{doubt}"
        page.line(told, indent=2, style=STYLES.get(row["status"], ""))
    basis(page, data["basis"])


def notices(page: Page, data: Data) -> None:
    """Show the publications behind sources, with what providers say of them."""
    page.head(data["summary"])
    for row in data["rows"]:
        told = [row["status"], *(str(row[name]) for name in ("date", "provider", "notice_url") if row[name])]
        noted = "; the text says so" if row["noted_in_document"] else ""
        page.line(f"{row['doi']}: {', '.join(told)}{noted}", indent=2, style=STYLES.get(row["status"], ""))
        page.line(f"{row['where']} of {row['uri']} ({row['source_id']})", indent=4, style="dim")
    basis(page, data["basis"])


def _cells(rows: Iterable[Data], names: Iterable[str]) -> list[list[Any]]:
    return [[row[name] for name in names] for row in rows]
