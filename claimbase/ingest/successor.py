"""The claim that takes another one's place: what its giver leaves out is as the other claim has it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from typing import Any, TypeAlias

from claimbase.claims import SPELLINGS, Claim
from claimbase.temporal import iso

ClaimInput: TypeAlias = Claim | Mapping[str, Any]
Row: TypeAlias = Mapping[str, Any]


def replaced(old: Row, given: ClaimInput, **fixed: Any) -> dict[str, Any]:
    """Give the successor as a whole claim; one that names its subject is whole already.

    Args:
        old: the claim as stored; its slot, unit and source are the successor's.
        given: the successor's own fields.
        fixed: fields that the verb decides.
    """
    said = _said(given)
    return (said if "subject" in said else _slot(old) | said) | fixed


def corrected(old: Row, given: ClaimInput) -> dict[str, Any]:
    """Give the correction as a whole claim: all of the old one but what is given."""
    said = _said(given)
    if "subject" in said:
        return {"observed_at": old["newest_reading"]} | said
    content = {
        "value": old["value"], "polarity": "absent" if old["absent"] else "stated", "complete": old["complete"],
        "quote": old["quote"], "selector": old["selector"], "observed_at": old["newest_reading"],
        "effective_from": _bound(old, "from"),
    }  # fmt: skip
    if "effective_through" not in said:
        content["effective_until"] = _bound(old, "until")
    return _slot(old) | content | said


def _said(given: ClaimInput) -> dict[str, Any]:
    if isinstance(given, Claim):
        return {field.name: getattr(given, field.name) for field in fields(given)}
    return {SPELLINGS.get(name, name): value for name, value in given.items()}


def _slot(old: Row) -> dict[str, Any]:
    slot = {name: old[name] for name in ("provider", "subject", "predicate")}
    return slot | {"scope": json.loads(old["qualifiers"]), "unit": old["stated_unit"], "source_url": old["url"]}


def _bound(old: Row, side: str) -> str | dict[str, str | None] | None:
    """Write a stored bound as the input grammar has it (T1, T6, T9)."""
    kind, earliest, latest = (old[f"{side}_{part}"] for part in ("kind", "earliest", "latest"))
    if kind in ("holds", "ended"):
        return {"kind": "unknown", "state": kind}
    if earliest is None and latest is None:
        return {"kind": "unknown"} if side == "until" and kind == "unknown" else None
    if kind == "known":
        return iso(earliest)
    if latest is None:
        return {"not_before": iso(earliest)}
    return {"earliest": _iso(earliest), "latest": iso(latest)}


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else iso(moment)
