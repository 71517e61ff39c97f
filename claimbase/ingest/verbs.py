"""What a verb did, in words and versions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from claimbase.errors import ClaimStateError, shown
from claimbase.store import Transaction, Write
from claimbase.temporal import iso


@dataclass(frozen=True, slots=True)
class VerbReport:
    """What one verb did (W1-W6).

    Args:
        verb: observe, supersede, correct, retract, erase, merge, unmerge.
        words: one sentence a person can check.
        claim_id: the claim it was about, if one.
        other_id: the successor, if one.
        versions: the versions inserted and retracted, as flat rows with ``change`` = inserted or retracted.
        batch: the batch it made; None where nothing changed.
    """

    verb: str
    words: str
    claim_id: str | None = None
    other_id: str | None = None
    versions: tuple[Mapping[str, Any], ...] = ()
    batch: int | None = None

    @property
    def inserted(self) -> int:
        """How many versions were inserted."""
        return sum(version["change"] == "inserted" for version in self.versions)

    @property
    def retracted(self) -> int:
        """How many versions were retracted."""
        return sum(version["change"] == "retracted" for version in self.versions)

    def __str__(self) -> str:
        return self.words

    def to_json(self) -> dict[str, Any]:
        """Give the report as plain data."""
        rows = [
            {name: iso(value) if hasattr(value, "tzinfo") else value for name, value in version.items()}
            for version in self.versions
        ]
        return {
            "verb": self.verb, "words": self.words, "claim_id": self.claim_id, "other_id": self.other_id,
            "inserted": self.inserted, "retracted": self.retracted, "versions": rows, "batch": self.batch,
        }  # fmt: skip


def changed_versions(under_way: Write) -> tuple[Mapping[str, Any], ...]:
    """Give the versions this batch inserted and retracted, in the order of claim and start."""
    return tuple(under_way.transaction.file("ledger/changed_versions", {"recorded_at": under_way.recorded_at}).dicts())


def check_not_erased(transaction: Transaction, number: int, claim_id: str) -> None:
    """Refuse a claim whose content was erased (W6).

    Raises:
        ClaimStateError: [erased], with the reason and the instant.
    """
    if found := transaction.file("queries/erased", {"claim_no": number}).rows:
        reason, erased_at = found[0]
        told = f"{claim_id} was erased at {iso(erased_at)}: {shown(reason)}"
        raise ClaimStateError(told, code="erased", hint="what was erased does not come back")
