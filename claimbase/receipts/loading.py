"""Reading a receipt back: its bytes are judged as they stand, never after being written again (evidence §6.2)."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import rfc8785
from pydantic import ValidationError

from claimbase.errors import LimitError, ReceiptError, shown
from claimbase.evidence.terms import Outcome
from claimbase.receipts.model import SCHEMA, Receipt

LIMIT = 64 * 1024 * 1024
"""The largest receipt that is read, in bytes."""

_FORM, _VERSION = SCHEMA.split("/")
_SCHEMA_NAME = re.compile(re.escape(_FORM) + r"/([0-9]{1,9})")


def load(given: str | Path | bytes) -> Receipt:
    """Read a receipt and prove that it is what its digest was made of; see :meth:`Receipt.load`."""
    content = given if isinstance(given, bytes) else _read(Path(given))
    if len(content) > LIMIT:
        raise LimitError(f"the receipt is larger than {LIMIT:,} bytes", code="receipt_too_large")
    data = _parsed(content)
    _version(data)
    body = {name: part for name, part in data.items() if name != "ledger"}
    digest = hashlib.sha256(_canonical(body)).hexdigest()
    receipt = _typed(data)
    _same(digest, receipt)
    return receipt


def _read(path: Path) -> bytes:
    try:
        if path.stat().st_size > LIMIT:
            raise LimitError(f"the receipt is larger than {LIMIT:,} bytes", code="receipt_too_large")
        return path.read_bytes()
    except OSError as error:
        raise _bad(f"{shown(path)} cannot be read: {error.strerror}") from error


def _parsed(content: bytes) -> dict[str, Any]:
    try:
        data = json.loads(
            content.decode("utf-8"), parse_float=_no_float, parse_constant=_no_float, object_pairs_hook=_once
        )
    except (ValueError, RecursionError) as error:
        raise _bad(f"it is no JSON: {error}") from error
    if not isinstance(data, dict):
        raise _bad("it is no JSON object")
    return data


def _no_float(text: str) -> NoReturn:
    raise ValueError(f"{shown(text)} is no integer and no text")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        raise ValueError("a key stands there twice")
    return data


def _version(data: dict[str, Any]) -> None:
    stated = data.get("schema_version")
    match = _SCHEMA_NAME.fullmatch(stated) if isinstance(stated, str) else None
    if match is None:
        raise _bad(f"its schema_version is {shown(stated)}, not {SCHEMA}")
    if int(match[1]) > int(_VERSION):
        raise ReceiptError(
            f"the receipt is of the newer schema {stated}", code="newer_schema", hint="read it with a later claimbase"
        )


def _canonical(body: dict[str, Any]) -> bytes:
    try:
        return rfc8785.dumps(body)
    except (rfc8785.CanonicalizationError, RecursionError, UnicodeError) as error:
        raise _bad(f"it has no canonical form: {error}") from error


def _typed(data: dict[str, Any]) -> Receipt:
    try:
        return Receipt.model_validate_json(json.dumps(data))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise _bad(f"{where}: {first['msg']}") from error


def _same(digest: str, receipt: Receipt) -> None:
    """Refuse a receipt that was changed after it was made, and one whose parts do not agree."""
    for what, agrees in _AGREEMENTS.items():
        if not agrees(digest, receipt):
            raise ReceiptError(
                f"receipt {receipt.id} was altered: {what}",
                code="altered_receipt",
                hint="take it from where it was made; a base that stores it can show it by its id",
            )


_AGREEMENTS: dict[str, Callable[[str, Receipt], bool]] = {
    "its digest is of other content": lambda digest, receipt: digest == receipt.ledger.body_sha256,
    "it is not written as it was made": lambda digest, receipt: digest == receipt.body_sha256,
    "its id is of other content": lambda digest, receipt: receipt.id == receipt.computed_id(),
    "its checks say otherwise than its outcome": lambda digest, receipt: receipt.passed == _passes(receipt),
    "a check is ok that failed": lambda digest, receipt: all(
        row.ok == (row.outcome not in (Outcome.FAILED, Outcome.ERROR)) for row in receipt.checks
    ),
}


def _passes(receipt: Receipt) -> bool:
    return all(row.ok for row in receipt.checks if row.severity == "gate")


def _bad(what: str) -> ReceiptError:
    return ReceiptError(f"this is no receipt: {shown(what, 300)}", code="bad_receipt", hint=f"a file of {SCHEMA}")
