"""A receipt as Markdown: what a source wrote is escaped, so that it is read and never rendered."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from claimbase.present import harmless
from claimbase.receipts.model import Receipt
from claimbase.receipts.reading import Reading

# What begins markup, mathematics, an address or a mention; the sign after "www" too, which makes an address of it.
_MARKS = re.compile(r"[\\`*_{}\[\]()#!|~@$=^]|:(?=[^0-9 ])|(?<=www)\.", re.IGNORECASE)
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def escaped(value: object) -> str:
    """Make a text that Markdown shows as it is, on one line.

    Args:
        value: anything; None = a dash.
    """
    text = "—" if value is None else harmless(value)
    safe = "".join(_ENTITIES.get(char, char) for char in text)
    return _MARKS.sub(lambda match: "\\" + match[0], safe)


def markdown(receipt: Receipt) -> str:
    """Write a receipt as Markdown.

    Args:
        receipt: the receipt.
    """
    return "\n".join(_lines(Reading(receipt).told())) + "\n"


def _lines(told: Mapping[str, Any]) -> Iterator[str]:
    word = "passed" if told["passed"] else "did not pass"
    basis, ledger = told["as_of"], told["ledger"]
    yield f"# Receipt {escaped(told['id'])}: {word}"
    yield ""
    yield from _list(
        f"{name}: {escaped(value)}"
        for name, value in (
            ("made", told["created_at"]), ("holding at", basis["valid_at"]), ("observed by", basis["observed_by"]),
            ("recorded by", basis["recorded_by"]), ("claimbase", told["engine"]["claimbase"]),
            ("policy", f"{told['policy']['name']} {told['policy']['sha256']}"), ("digest", ledger["body_sha256"]),
            ("batch", ledger["batch_id"]), ("answer", told["answer"]["summary"] if told["answer"] else None),
        )
        if value is not None
    )  # fmt: skip
    yield from _section("Checks")
    yield from _table(
        ("check", "outcome", "group", "detail"), told["checks"], ("name", "outcome", "severity", "detail")
    )
    yield from _section("Claims")
    names = ("field", "value", "status", "reasons", "location", "next_action")
    yield from _table(("field", "value", "status", "reasons", "evidence", "next action"), told["fields"], names)
    yield from _section("Evidence")
    for one in [cited for field in told["fields"] for cited in field["cited"]] + told["quotations"]:
        yield from _evidence(one)
    yield from _section("Open questions")
    yield from _list((escaped(_question(row)) for row in told["unresolved"]), none="none")
    yield from _section("Limits")
    yield from _list(escaped(one) for one in told["limits"])


def _evidence(one: Mapping[str, Any]) -> Iterator[str]:
    yield f"- {escaped(one['evidence_id'])}: {escaped(one['status'])} ({escaped(one['tier'])}), {escaped(one['role'])}"
    yield f"  - quote: “{escaped(one['quote'])}”"
    if one["closest"] is not None and one["closest"] != one["quote"]:
        yield f"  - the source has: “{escaped(one['closest'])}”"
    for change in one["changes"]:
        yield f"  - {escaped(change['kind'])}: “{escaped(change['quote'])}” for “{escaped(change['source'])}”"
    where = ", ".join(escaped(one[name]) for name in ("source", "uri", "version", "place"))
    yield f"  - source: {where}"
    if one["flags"]:
        yield f"  - flags: {escaped(', '.join(one['flags']))}"


def _question(row: Mapping[str, Any]) -> str:
    return f"{row['claim_id']}: {row['question']}" if row["claim_id"] else row["question"]


def _section(title: str) -> Iterator[str]:
    yield from ("", f"## {title}", "")


def _list(items: Iterable[str], *, none: str = "") -> Iterator[str]:
    lines = [f"- {item}" for item in items]
    yield from lines or ([none] if none else [])


def _table(heads: Sequence[str], rows: Iterable[Mapping[str, Any]], names: Sequence[str]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield f"|{'---|' * len(heads)}"
    for row in rows:
        yield f"| {' | '.join(escaped(_cell(row[name])) for name in names)} |"


def _cell(value: Any) -> Any:
    return (", ".join(value) or None) if isinstance(value, list) else value
