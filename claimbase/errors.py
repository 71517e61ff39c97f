"""Every error claimbase raises on purpose, in one tree.

    ClaimbaseError
    ├─ InputError (ValueError)   InstantError · IntervalError · QuantityError · ConstraintError ·
    │                            VocabularyError · QuestionError · ClaimStateError
    ├─ EvidenceError             QuoteNotFoundError · UnknownSourceError · SourceNotAllowedError · SnapshotRefusedError
    ├─ StoreError                StoreLockedError · SchemaVersionError · StoreCorruptError · TailLossError ·
    │                            NoSpaceError · ClaimNotFoundError (LookupError)
    ├─ ReceiptError
    └─ LimitError                too large, too deep, too many, timed out

An exception means "could not do it". Stale, disputed, missing and the like are statuses in results.
"""

from __future__ import annotations

from typing import Any


class ClaimbaseError(Exception):
    """Base of all errors of the library: a message, a stable code and what to do next.

    Args:
        message: what went wrong and where, in one sentence.
        code: the stable name of the case, listed in the README.
        hint: what would be accepted, or the next step.
        details: the objects the error speaks of, as attributes of ``details``.
    """

    code = "error"

    def __init__(self, message: str, *, code: str | None = None, hint: str = "", **details: Any) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or type(self).code
        self.hint = hint
        self.details = details

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message

    def to_json(self) -> dict[str, Any]:
        """Give the error as plain data: class, code, message, hint."""
        return {"error": type(self).__name__, "code": self.code, "message": self.message, "hint": self.hint}


class InputError(ClaimbaseError, ValueError):
    """What the caller passed cannot be accepted."""

    code = "bad_input"


class InstantError(InputError):
    """A text or object is no instant or period."""

    code = "bad_date"


class IntervalError(InputError):
    """An interval is empty or inverted (B3)."""

    code = "empty_interval"


class QuantityError(InputError):
    """A value cannot be read as a quantity (V6)."""

    code = "bad_number"


class ConstraintError(InputError):
    """A constraint is malformed or does not fit its predicate."""

    code = "bad_constraint"


class VocabularyError(InputError):
    """A predicate or a pack is unknown or malformed."""

    code = "bad_vocabulary"


class QuestionError(InputError):
    """A question in words could not be read whole."""

    code = "not_understood"


class ClaimStateError(InputError):
    """A verb names a claim that does not stand (W6)."""

    code = "claim_state"


class EvidenceError(ClaimbaseError):
    """A claim's quote or source is missing or unusable (B7)."""

    code = "bad_evidence"


class QuoteNotFoundError(EvidenceError):
    """The quote does not stand in the text that was read."""

    code = "quote_not_found"


class UnknownSourceError(EvidenceError):
    """A source is missing or not known to the base."""

    code = "missing_source"


class SourceNotAllowedError(EvidenceError):
    """The source may not be used here."""

    code = "source_not_allowed"


class SnapshotRefusedError(EvidenceError):
    """A reading of a page was refused."""

    code = "snapshot_refused"


class StoreError(ClaimbaseError):
    """The base could not do what was asked."""

    code = "store"


class StoreLockedError(StoreError):
    """Another process is writing to the base."""

    code = "store_locked"


class SchemaVersionError(StoreError):
    """The base was written by a newer claimbase."""

    code = "schema_version"


class StoreCorruptError(StoreError):
    """The file is damaged or no base at all."""

    code = "store_corrupt"


class TailLossError(StoreError):
    """Writes that were acknowledged are missing."""

    code = "tail_loss"


class HeadMissingWarning(UserWarning):
    """A base was opened whose head file is missing: it was copied without it, or the file was lost."""


class NoSpaceError(StoreError):
    """The disk or the memory given to the engine is full."""

    code = "no_space"


class ClaimNotFoundError(StoreError, LookupError):
    """No claim of the base has this id."""

    code = "claim_not_found"


class ReceiptError(ClaimbaseError):
    """A receipt is damaged."""

    code = "bad_receipt"


class LimitError(ClaimbaseError):
    """Too large, too deep, too many, or out of time."""

    code = "too_large"


def shown(text: object, limit: int = 80) -> str:
    """Quote a text for a message: control, bidi and surrogate characters escaped, at most *limit* characters then."""
    try:
        whole = str(text)
    except (RecursionError, ValueError):  # nested too deep, or a number of too many digits to be written
        whole = type(text).__name__
    start = whole[: limit + 1]
    spelt = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in start)
    return f"'{spelt if len(spelt) <= limit else spelt[: limit - 1] + '…'}'"
