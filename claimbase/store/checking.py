"""Checking a base: whether it opens, is as its schema says, agrees with its head file, follows from its log (G4-G7).

Nothing is repaired, migrated or written: the file is looked at as it lies.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from claimbase.errors import ClaimbaseError, StoreCorruptError, TailLossError
from claimbase.store.auditing import Finding, audit, first_of
from claimbase.store.db import Db, Transaction
from claimbase.store.definitions import schema_files
from claimbase.store.files import beside
from claimbase.store.head import Stamp
from claimbase.store.lock import FileLock
from claimbase.store.recovering import Tail, noted_in, tail
from claimbase.store.schema import drifted
from claimbase.temporal import LOWEST

_MOST = 1_000  # findings told of one kind
_INVALIDATED = "invalidated"
_SHAPE = "schema"


@dataclass(frozen=True, slots=True)
class Check:
    """What checking a base found; nothing, if all is as it should be.

    Args:
        name: the base's file.
        batches, versions, entries: how much there is; 0 where it cannot be read.
        newest: the number of its newest batch.
        noted: the number of the newest batch in the head file; None = there is no head file.
        slots: how many slots were derived again; None = not asked for.
        findings: what is wrong, each in words.
    """

    name: str
    batches: int
    versions: int
    entries: int
    newest: int | None
    noted: int | None
    slots: int | None
    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings

    @property
    def words(self) -> str:
        """Say it in one sentence."""
        looked = f"{self.batches:,} batches, {self.entries:,} entries, {self.versions:,} versions"
        derived = "" if self.slots is None else f", {self.slots:,} slots derived again"
        head = f"the head file ends at batch {self.noted}" if self.noted is not None else "there is no head file"
        if self.ok:
            return f"{self.name} is whole: {looked}{derived}; {head}"
        return f"{self.name} is not whole: {first_of(self.findings)}; {looked}{derived}; {head}"

    def __str__(self) -> str:
        return self.words

    def to_json(self) -> dict[str, Any]:
        """Give it as plain data."""
        return {
            "ok": self.ok, "words": self.words, "name": self.name, "batches": self.batches, "versions": self.versions,
            "entries": self.entries, "newest": self.newest, "noted": self.noted, "slots": self.slots,
            "findings": [one.to_json() for one in self.findings],
        }  # fmt: skip


Found = dict[str, Any]
"""What the parts count, by the name of the field of a check."""
Part = Callable[[Transaction, Found], list[Finding]]


def check(path: Path, *, derive: bool = False) -> Check:
    """Look at a base as it lies and tell everything that is wrong with it; nothing is changed.

    Args:
        path: the base's file.
        derive: derive every version again from the log and compare.

    Raises:
        StoreLockedError: somebody is writing to it.
        StoreError: [store_missing].
    """
    real = Path(os.path.realpath(path))
    found: Found = {"batches": 0, "versions": 0, "entries": 0, "newest": None, "slots": None}
    noted, unread = noted_in(beside(real, ".head"))
    findings = _opening(path)
    if not findings:
        lock = FileLock(real, shared=True)
        try:
            parts = (_schema, _shape, _ledger, _head(noted, unread), *([_derived] if derive else []))
            findings = _looked(real, parts, found)
        finally:
            lock.release()
    return Check(path.name, noted=noted[-1].batch_id if noted else None, findings=tuple(findings), **found)


def _opening(path: Path) -> list[Finding]:
    """Try whether the file opens."""
    try:
        Db(path, read_only=True).close()
    except (StoreCorruptError, TailLossError) as error:
        return [_failed("file", path.name, error)]
    return []


def _failed(part: str, detail: str, error: ClaimbaseError) -> Finding:
    return Finding(part, f"{error.message}; {error.hint}" if error.hint else error.message, None, detail)


def _looked(path: Path, parts: tuple[Part, ...], found: Found) -> list[Finding]:
    """Run the parts, each in a transaction of its own, so that one that cannot be read does not hide the others."""
    findings: list[Finding] = []
    with _attached(path) as db:
        for part in parts:
            try:
                with db.atomic() as looking:
                    looking.file("keeping/use_original")
                    findings += part(looking, found)
            except ClaimbaseError as error:
                findings.append(_failed("file", path.name, error))
                if error.code == _INVALIDATED:
                    break
            if part is _schema and findings:
                break  # what another schema means cannot be told
    return findings


@contextmanager
def _attached(path: Path) -> Iterator[Db]:
    """Read a file from a passing base in memory: no byte of it changes, and no limit of a reader applies."""
    db = Db()
    try:
        db.file("keeping/attach_original", {"path": str(path)})
        yield db
    finally:
        db.close()


def _schema(looking: Transaction, _: Found) -> list[Finding]:
    """Tell whether the file is a base, and of this version."""
    if ("cb", "migration") not in looking.file("ledger/tables").rows:
        return [Finding("schema", "it is no claimbase base", None, "cb.migration")]
    newest, known = max(row[0] for row in looking.file("ledger/migrations")), schema_files()[-1][0]
    if newest == known:
        return []
    hint = "claimbase migrate first" if newest < known else "a newer claimbase wrote it"
    return [Finding("schema", f"this claimbase knows schema {known}: {hint}", None, f"schema {newest}")]


def _shape(looking: Transaction, _: Found) -> list[Finding]:
    """Compare tables and guards with what the schema files make (G5)."""
    return [Finding(_SHAPE, f"it is {fate}", None, name) for name, fate in drifted(looking)]


def _ledger(looking: Transaction, found: Found) -> list[Finding]:
    """Verify macros and every digest (G6)."""
    audited = audit(looking)
    found |= {"batches": audited.batches, "versions": audited.versions, "entries": audited.entries}
    return [finding for finding in audited.findings if finding.part != _SHAPE]


def _head(noted: tuple[Stamp, ...], unread: bool) -> Part:
    """Give the part that compares the ledger with the head file (G7)."""

    def part(looking: Transaction, found: Found) -> list[Finding]:
        held = tuple(Stamp(*row) for row in looking.file("ledger/since", {"batch_id": 0}))
        found["newest"] = held[-1].batch_id if held else None
        compared: Tail = tail(held, noted, unread)
        return [Finding("head", f"{compared.words}; claimbase recover", None, "")] if compared.words else []

    return part


def _derived(looking: Transaction, found: Found) -> list[Finding]:
    """Derive every slot again from the log and compare with the versions that stand (B1)."""
    ((_, recorded_at, _),) = looking.file("ledger/head").rows
    looking.file("checking/touched")
    found["slots"] = looking.number("checking/slots")
    looking.file("derive/derived", {"recorded_at": recorded_at, "lowest": LOWEST})
    looking.file("derive/difference")
    return [Finding(*row) for row in looking.file("checking/differing", {"most": _MOST})]
