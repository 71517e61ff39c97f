"""Quotes bound to texts as read: ``kb.evidence``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from claimbase.base.arguments import checked
from claimbase.base.browsing import Browsing

if TYPE_CHECKING:
    from claimbase.ingest.attaching import Attached, Rechecked


@checked
class Evidence:
    """Quotes bound to texts as read: ``kb.evidence``."""

    def __init__(self, kb: Browsing) -> None:
        self._kb = kb

    def add(
        self,
        claim_id: str,
        snapshot_id: str,
        quote: str,
        *,
        role: str = "supports",
        allow_unverified: bool = False,
        **more: Any,
    ) -> Attached:
        """Attach a further quote to a claim.

        Args:
            claim_id: the claim.
            snapshot_id: the text it stands in, or a source's id for its newest text; never an address.
            quote: the words.
            role: supports, refutes, absence or context.
            allow_unverified: store it although it does not stand there as written.
            more: hint, page, bbox, selector, observed_value, reasoning.

        Raises:
            ClaimNotFoundError, EvidenceError, UnknownSourceError, SourceNotAllowedError, QuoteNotFoundError.
        """
        from claimbase.ingest.attaching import attach

        return attach(self._kb.db, claim_id, snapshot_id, quote, role=role, allow_unverified=allow_unverified, **more)

    def check(self, claim_ids: Sequence[str] | None = None) -> Rechecked:
        """Bind claims' quotes to the texts of their sources and check every bound quote by the rule in use.

        Args:
            claim_ids: only these; None = all.
        """
        from claimbase.ingest.attaching import check

        return check(self._kb.db, claim_ids)

    def retire(self, evidence_id: str, *, reason: str) -> str:
        """Take a piece of evidence out of use; it stays on record.

        Args:
            evidence_id: e_ and 16 hexadecimal digits.
            reason: why; kept beside it.

        Raises:
            EvidenceError: [unknown_evidence]; InputError: [no_reason].
        """
        from claimbase.ingest.attaching import change_use

        return change_use(self._kb.db, evidence_id, "retired", reason=reason)

    def restore(self, evidence_id: str, *, reason: str) -> str:
        """Put a retired piece of evidence back into use.

        Args:
            evidence_id: e_ and 16 hexadecimal digits.
            reason: why; kept beside it.

        Raises:
            EvidenceError: [unknown_evidence]; InputError: [no_reason].
        """
        from claimbase.ingest.attaching import change_use

        return change_use(self._kb.db, evidence_id, "restored", reason=reason)
