"""Auditing: prove from the stored bytes that the ledger holds, and that it is the one somebody saw before (G6, G7)."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from claimbase.errors import InputError, shown
from claimbase.store.db import Db, Transaction
from claimbase.store.definitions import other_macros
from claimbase.store.schema import drifted, expected_macros, macros_stand, stored_macros

_MOST = 1_000  # findings told; one is enough to refuse a base
_ROOT = 64


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as it was written.

    Args:
        part: the table.
        what: what is wrong.
        batch_id: the batch, where one is known.
        detail: an instant, an id.
    """

    part: str
    what: str
    batch_id: int | None
    detail: str

    def to_json(self) -> dict[str, Any]:
        """Give the finding as plain data."""
        return {"part": self.part, "what": self.what, "batch_id": self.batch_id, "detail": self.detail}


@dataclass(frozen=True, slots=True)
class Audit:
    """What verifying a ledger found; nothing, if all holds."""

    batches: int
    versions: int
    entries: int
    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        """Whether every row is as it was written and none is missing."""
        return not self.findings

    @property
    def words(self) -> str:
        """Say it in one sentence."""
        looked = f"{self.batches:,} batches, {self.entries:,} entries, {self.versions:,} versions"
        if self.ok:
            return f"the ledger holds: {looked}"
        return f"the ledger is broken: {first_of(self.findings)}; {looked}"

    def __str__(self) -> str:
        return self.words

    def to_json(self) -> dict[str, Any]:
        """Give it as plain data."""
        return {
            "ok": self.ok, "words": self.words, "batches": self.batches, "versions": self.versions,
            "entries": self.entries, "findings": [one.to_json() for one in self.findings],
        }  # fmt: skip


def first_of(findings: tuple[Finding, ...]) -> str:
    """Say the first finding in words, and how many more there are."""
    first, more = findings[0], len(findings) - 1
    return f"{first.part} {first.detail}: {first.what}" + (f" (and {more} more)" if more else "")


def audit(db: Db | Transaction, checkpoint: tuple[int, str] | None = None) -> Audit:
    """Compute every digest again and compare; nothing is repaired.

    Args:
        db: the base, or a transaction in which it is looked at.
        checkpoint: number and root of a batch, kept outside the base; without one a lost tail cannot be noticed.
    """
    with db.verifying() if isinstance(db, Db) else nullcontext():
        return _audited(db, checkpoint)


def _audited(db: Db | Transaction, checkpoint: tuple[int, str] | None) -> Audit:
    findings = [Finding("schema", f"it is {fate}", None, name) for name, fate in drifted(db)] + _macros(db)
    rows = [row for part in ("broken", "unproved") for row in db.file(f"ledger/{part}", {"most": _MOST})]
    findings += [Finding(*row) for row in rows]
    if checkpoint is not None:
        findings += _against(db, *checkpoint)
    (totals,) = db.file("ledger/totals").dicts()
    return Audit(totals["batches"], totals["versions"], totals["entries"], tuple(findings))


def _macros(db: Db | Transaction) -> list[Finding]:
    """Compare the macros stored in the base with those of the package: what is read through them is what they say."""
    other = () if macros_stand(db) else other_macros(stored_macros(db), expected_macros())
    return [Finding("macro", "it is not the package's", None, name) for name in sorted(other)]


def _against(db: Db | Transaction, batch_id: int, root: str) -> list[Finding]:
    found = db.file("ledger/root_of", {"batch_id": batch_id}).rows
    if not found:
        return [Finding("batch", "the tail is lost: a batch that was seen is missing", batch_id, root)]
    if found[0][0] != root:
        return [Finding("batch", "another history: the batch that was seen had another root", batch_id, root)]
    return []


def checkpoint(db: Db) -> dict[str, Any]:
    """Give number and root of the newest batch, to be kept outside the base."""
    rows = db.file("ledger/head").rows
    return {"batch_id": rows[0][0], "root": rows[0][2]}


def read_checkpoint(text: str) -> tuple[int, str]:
    """Read a checkpoint: ``41:9f0c...``, or the JSON that :func:`checkpoint` gave.

    Args:
        text: what was kept.

    Raises:
        InputError: [bad_checkpoint].
    """
    import json

    try:
        data = json.loads(text) if text.lstrip().startswith("{") else None
        number, root = (data["batch_id"], data["root"]) if data else text.strip().split(":")
        found = int(number), str(root)
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise _no_checkpoint(text) from error
    if len(found[1]) != _ROOT or found[0] < 0:
        raise _no_checkpoint(text)
    return found


def _no_checkpoint(text: str) -> InputError:
    return InputError(f"{shown(text)} is no checkpoint", code="bad_checkpoint", hint="as `ledger checkpoint` prints it")
