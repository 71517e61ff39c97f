"""A receipt as one page of HTML: nothing is fetched, nothing runs, every text is escaped and kept in its direction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Any

from claimbase.present import harmless
from claimbase.present import isolated as _text
from claimbase.receipts.model import Receipt
from claimbase.receipts.reading import Reading

_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse;width:100%}th,td{border-bottom:1px solid #ccc;padding:.3rem .5rem;"
    "text-align:left;vertical-align:top;overflow-wrap:anywhere}blockquote{margin:.3rem 0;padding-left:.7rem;"
    "border-left:3px solid #999}.no{color:#a00}.yes{color:#060}small{color:#555}@media print{body{margin:0}}"
)
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_GOOD = ("passed", "supported", "confirmed-absent", "verified")


def web_page(receipt: Receipt) -> str:
    """Write a receipt as a page of HTML that needs nothing beside it and can be printed.

    Args:
        receipt: the receipt.
    """
    title = _title(Reading(receipt).told())
    meta = (
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}"><meta name="referrer" content="no-referrer">'
    )
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">\n{meta}\n'
        f"<title>{title}</title><style>{_STYLE}</style></head><body>\n{fragment(receipt)}</body></html>\n"
    )


def fragment(receipt: Receipt) -> str:
    """Write a receipt as HTML without a page around it, as notebooks show it.

    Args:
        receipt: the receipt.
    """
    return "\n".join(_lines(Reading(receipt).told())) + "\n"


def _title(told: Mapping[str, Any]) -> str:
    return escape(harmless(f"Receipt {told['id']}: {'passed' if told['passed'] else 'did not pass'}"))


def _lines(told: Mapping[str, Any]) -> Iterator[str]:
    yield f"<h1>{_title(told)}</h1>"
    if told["answer"]:
        yield f"<p>{_text(told['answer']['summary'])}</p>"
    yield "<h2>Checks</h2>"
    yield from _table(("check", "outcome", "group", "detail"), map(_check, told["checks"]))
    yield "<h2>Claims</h2>"
    heads = ("field", "value", "status", "reasons", "evidence", "next action")
    yield from _table(heads, map(_field, told["fields"]))
    yield "<h2>Evidence</h2>"
    for one in [cited for field in told["fields"] for cited in field["cited"]] + told["quotations"]:
        yield from _evidence(one)
    yield "<h2>Open questions</h2>"
    yield from _list([f"{_text(row['claim_id'])} {_text(row['question'])}" for row in told["unresolved"]] or ["none"])
    yield "<h2>Limits</h2>"
    yield from _list(map(_text, told["limits"]))
    yield "<h2>Made</h2>"
    yield from _table(("what", "value"), _made(told))


def _check(row: Mapping[str, Any]) -> list[str]:
    return [_text(row["name"]), _outcome(row["outcome"]), _text(row["severity"]), _text(row["detail"])]


def _field(row: Mapping[str, Any]) -> list[str]:
    places = "<br>".join(map(_text, row["location"])) or "none"
    reasons, action = _text(", ".join(row["reasons"])), _text(row["next_action"])
    return [_text(row["field"]), _text(row["value"]), _outcome(row["status"]), reasons, places, action]


def _outcome(word: str) -> str:
    return f'<span class="{"yes" if word in _GOOD else "no"}">{_text(word)}</span>'


def _evidence(one: Mapping[str, Any]) -> Iterator[str]:
    yield f"<p>{_text(one['evidence_id'])} {_outcome(one['status'])} {_text(one['tier'])}, {_text(one['role'])}</p>"
    yield f"<blockquote>{_text(one['quote'])}</blockquote>"
    if one["closest"] is not None and one["closest"] != one["quote"]:
        yield f"<p>the source has</p><blockquote>{_text(one['closest'])}</blockquote>"
    yield from _list(
        f"{_text(row['kind'])}: {_text(row['quote'])} for {_text(row['source'])}" for row in one["changes"]
    )
    about = f"{_text(one['source'])} {_text(one['uri'])}, {_text(one['version'])}, {_text(one['place'])}"
    flags = f"; {_text(', '.join(one['flags']))}" if one["flags"] else ""
    yield f"<p><small>{about}{flags}{_link(one['link'])}</small></p>"


def _link(address: str | None) -> str:
    if address is None:
        return ""
    return f' <a rel="noopener noreferrer nofollow" href="{escape(harmless(address))}">open</a>'


def _made(told: Mapping[str, Any]) -> list[list[str]]:
    basis, engine, ledger = told["as_of"], told["engine"], told["ledger"]
    rows = {
        "made": told["created_at"], "holding at": basis["valid_at"], "observed by": basis["observed_by"],
        "recorded by": basis["recorded_by"], "claimbase": engine["claimbase"], "duckdb": engine["duckdb"],
        "rule": engine["rule"], "policy": f"{told['policy']['name']} {told['policy']['sha256']}",
        "digest": ledger["body_sha256"], "batch": ledger["batch_id"], "root": ledger["batch_root"],
    }  # fmt: skip
    return [[_text(name), _text(value)] for name, value in rows.items() if value is not None]


def _list(items: Iterable[str]) -> Iterator[str]:
    lines = [f"<li>{item}</li>" for item in items]
    if lines:
        yield f"<ul>{''.join(lines)}</ul>"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"<table><thead><tr>{''.join(f'<th>{head}</th>' for head in heads)}</tr></thead><tbody>"
    for row in rows:
        yield f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>"
    yield "</tbody></table>"
