"""Sources as text for people: the list of them, one of them whole, and their timeline."""

from __future__ import annotations

from claimbase.present.page import Page
from claimbase.present.words import Data, counted

_ABOUT = (
    "title", "publisher", "published_at", "source_type", "authority", "derived_from", "allowed", "allowed_reason",
    "withdrawn", "freshness_days", "doi_key", "tenant", "mirror_of", "last_read_at",
)  # fmt: skip


def listed(page: Page, data: Data) -> None:
    """Show sources with their texts, readings and claims."""
    page.head(data["summary"])
    for one in data["sources"]:
        page.line(f"{one['source_id']}  {one['uri']}", indent=2)
        about = [one["title"], one["publisher"], one["source_type"], one["authority"]]
        page.line(", ".join(str(part) for part in about if part), indent=4, style="dim")
        read = f"last read {one['last_read_at']}" if one["last_read_at"] else "never read"
        page.line(f"{counted(one['snapshots'], 'text')}, {read}, {counted(one['claims'], 'claim')}", indent=4)
        for warning in _warnings(one):
            page.line(warning, indent=4, style="red")


def _warnings(one: Data) -> list[str]:
    reason = f": {one['allowed_reason']}" if one["allowed_reason"] else ""
    forbidden = [] if one["allowed"] else [f"may not be used{reason}"]
    return [*forbidden, *([f"withdrawn: {one['withdrawn']}"] if one["withdrawn"] else [])]


def shown(page: Page, data: Data) -> None:
    """Show one source whole: what is known of it, its texts, its readings."""
    about = data["about"]
    page.head(data["summary"])
    for name in _ABOUT:
        if about[name] is not None:
            page.line(f"{name.replace('_', ' ')}: {_word(about[name])}", indent=2)
    page.head(f"Texts ({len(data['texts'])})")
    for one in data["texts"]:
        page.line(one["snapshot_id"] + ("  in use" if one["in_use"] else ""), indent=2)
        size = "no text" if one["n_chars"] is None else f"{one['n_chars']:,} characters"
        page.line(
            f"{size}, {one['profile']}, read {one['first_read_at']} to {one['last_read_at']}", indent=4, style="dim"
        )
    page.head(f"Readings ({len(data['readings'])})")
    for one in data["readings"]:
        why = [one["detail"], one["accept_reason"] and f"accepted: {one['accept_reason']}"]
        page.line(": ".join([f"{one['fetched_at']}  {one['disposition']}", *(part for part in why if part)]), indent=2)


def _word(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def timeline(page: Page, data: Data) -> None:
    """Show sources by domain in the order in which they were first read."""
    page.head(data["summary"])
    domain = None
    for one in data["sources"]:
        if one["domain"] != domain:
            domain = one["domain"]
            page.head(domain)
        read = f"{one['first_read_at']} to {one['last_read_at']}" if one["first_read_at"] else "never read"
        page.line(f"{read}  {one['uri']} ({one['source_id']})", indent=2)
        numbers = f"{counted(one['readings'], 'reading')}, {counted(one['texts'], 'text')}"
        page.line(f"{one['title']}, {numbers}" if one["title"] else numbers, indent=4, style="dim")
