"""Receipts as text for people, from what a receipt tells alone: no base is needed."""

from __future__ import annotations

from collections.abc import Sequence

from claimbase.present.page import Page
from claimbase.present.words import Data, counted

_STYLES = {"passed": "green", "failed": "red", "error": "red", "warning": "yellow"}
_LONGEST_QUOTE = 300


def receipt(page: Page, data: Data) -> None:
    """Show a receipt: outcome, what speaks against it, each field with its evidence, open questions, limits."""
    page.head(f"Receipt {data['id']}: {'passed' if data['passed'] else 'did not pass'}")
    if data["answer"]:
        page.line(data["answer"]["summary"], indent=2)
    basis, engine = data["as_of"], data["engine"]
    page.line(
        f"as of {basis['valid_at']}, observed by {basis['observed_by']}, recorded by {basis['recorded_by']}", indent=2
    )
    page.line(
        f"made {data['created_at']} by claimbase {engine['claimbase']}, policy {data['policy']['name']}", indent=2
    )
    _checks(page, data["checks"])
    for field in data["fields"]:
        _field(page, field)
    if data["quotations"]:
        page.head("Quotations")
        for one in data["quotations"]:
            _cited(page, one)
    _open(page, data["unresolved"])
    page.head("Limits")
    for one in data["limits"]:
        page.line(one, indent=2, style="dim")
    _ledger(page, data["ledger"])


def _checks(page: Page, rows: Sequence[Data]) -> None:
    """Show every check that did not simply pass; the others are counted."""
    page.head("Checks")
    told = [row for row in rows if row["outcome"] not in ("passed", "skipped")]
    for row in sorted(told, key=lambda row: (row["severity"] != "gate", row["ok"], row["name"])):
        style = _STYLES.get(row["outcome"], "")
        page.line(f"{row['outcome']} · {row['name']} ({row['severity']}): {row['detail']}", indent=2, style=style)
    skipped = sum(row["outcome"] == "skipped" for row in rows)
    page.line(f"{len(rows) - len(told) - skipped} passed, {skipped} did not apply", indent=2)


def _field(page: Page, field: Data) -> None:
    reasons = f" ({', '.join(field['reasons'])})" if field["reasons"] else ""
    value = "no value" if field["value"] is None else field["value"]
    page.head(f"{field['field']} = {value}: {field['status']}{reasons}")
    page.line(f"{field['claim_id']}; next: {field['next_action']}", indent=2, style="dim")
    for one in field["cited"]:
        _cited(page, one)
    if not field["cited"]:
        page.line("no evidence", indent=2)


def _cited(page: Page, one: Data) -> None:
    page.line(f"“{_cut(one['quote'])}”", indent=2)
    page.line(f"{one['status']} ({one['tier']}), {one['role']}; {one['source']} {one['place']}", indent=4)
    page.line(f"{one['uri'] or 'no address'}; {one['version']}", indent=4, style="dim")
    for change in one["changes"]:
        words = f"“{change['quote']}” for “{change['source']}”"
        page.line(f"{change['kind']} ({change['severity']}): {words}", indent=4)
    if one["flags"]:
        page.line(", ".join(one["flags"]), indent=4)


def _open(page: Page, rows: Sequence[Data]) -> None:
    page.head("Open questions")
    for row in rows:
        page.line(": ".join(part for part in (row["claim_id"], row["question"]) if part), indent=2)
    if not rows:
        page.line("none", indent=2)


def _ledger(page: Page, data: Data) -> None:
    stored = "not stored" if data["batch_id"] is None else f"stored in batch {data['batch_id']} {data['batch_root']}"
    page.line(f"digest {data['body_sha256']}, {stored}", indent=2, style="dim")


def review(page: Page, rows: Sequence[Data]) -> None:
    """Show one row per field: value, status, where its evidence stands, and what to do next (T14)."""
    names = ("field", "value", "status", "location", "next action")
    page.table(names, [_review(row) for row in rows])


def _review(row: Data) -> tuple[object, ...]:
    status = f"{row['status']} ({', '.join(row['reasons'])})" if row["reasons"] else row["status"]
    return (row["field"], row["value"], status, ", ".join(row["location"]) or "none", row["next_action"])


def comparison(page: Page, data: Data) -> None:
    """Show what differs between two receipts: the engine first, then row by row."""
    page.head(data["summary"])
    names = ("part", "row", "field", "before", "after")
    if data["differences"]:
        page.table(names, [[_short(row[name]) for name in names] for row in data["differences"]])


def _short(value: object) -> str | None:
    return None if value is None else _cut(str(value))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…"


def listed(page: Page, rows: Sequence[Data]) -> None:
    """Show stored receipts: what each is, whether it passed, when and in which batch."""
    names = ("receipt_id", "kind", "passed", "recorded_at", "batch_id", "body_sha256")
    page.table([name.replace("_", " ") for name in names], [[row[name] for name in names] for row in rows])
    page.line(counted(len(rows), "receipt"), style="dim")
