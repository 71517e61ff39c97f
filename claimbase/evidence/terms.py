"""The closed vocabularies of evidence: the only place where these words are spelled (evidence §5)."""

from __future__ import annotations

from enum import StrEnum

RULE = "quote/1"
"""The name of the quote rule; it is written beside every check."""

QUOTE_LIMIT = 20_000
"""The longest quote, in characters."""
SNAPSHOT_LIMIT = 16 * 1024 * 1024
"""The largest text as read, in bytes."""


class QuoteStatus(StrEnum):
    """How a quote stands in a text."""

    VERIFIED = "verified"
    ALTERED = "altered"
    NOT_FOUND = "not-found"
    AMBIGUOUS = "ambiguous"
    UNVERIFIABLE = "unverifiable"


class Tier(StrEnum):
    """What located the quote."""

    EXACT = "exact"
    NORMALIZED = "normalized"
    NEAR = "near"
    ELIDED = "elided"
    NONE = "none"


class ChangeKind(StrEnum):
    """What kind of word differs between a quote and its source."""

    NUMBER = "number"
    UNIT = "unit"
    COMPARATOR = "comparator"
    NEGATION = "negation"
    MODAL = "modal"
    QUALIFIER = "qualifier"
    DATE = "date"
    NAME = "name"
    CJK = "cjk"
    WORD = "word"
    TYPO = "typo"
    FREE = "free"
    SKIPPED = "skipped"


class Severity(StrEnum):
    """Whether a difference is tolerated."""

    OK = "ok"
    FAIL = "fail"


class Role(StrEnum):
    """What evidence does for its claim."""

    SUPPORTS = "supports"
    REFUTES = "refutes"
    ABSENCE = "absence"
    CONTEXT = "context"


class Verdict(StrEnum):
    """What a judge says of a statement beside the words it cites."""

    SUPPORTED = "supported"
    PARTIALLY_SUPPORTED = "partially-supported"
    UNSUPPORTED = "unsupported"
    WRONG_SOURCE = "wrong-source"
    UNCLEAR = "unclear"
    NOT_CHECKED = "not-checked"


class Method(StrEnum):
    """Who or what reached a verdict."""

    MECHANICAL = "mechanical"
    HUMAN = "human"
    RULE = "rule"
    MODEL = "model"
    EXEMPT = "exempt"


class ClaimStatus(StrEnum):
    """How a claim's evidence stands; the first that applies holds."""

    BLOCKED = "blocked"
    MISSING = "missing"
    UNVERIFIED = "unverified"
    SOURCE_RETRACTED = "source-retracted"
    CONTRADICTED = "contradicted"
    STALE = "stale"
    SUPPORTED = "supported"
    CONFIRMED_ABSENT = "confirmed-absent"


class Coverage(StrEnum):
    """Whether a required predicate has its claim."""

    FILLED = "filled"
    CONFIRMED_ABSENT = "confirmed-absent"
    GAP = "gap"


class Outcome(StrEnum):
    """How a check ended; it is ok unless it failed or crashed."""

    PASSED = "passed"
    WARNING = "warning"
    FAILED = "failed"
    SKIPPED = "skipped"
    ERROR = "error"


class NoticeStatus(StrEnum):
    """What a notice says of a publication, from harmless to severe."""

    OK = "ok"
    RETRACTED = "retracted"
    CONCERN = "expression-of-concern"
    CORRECTED = "corrected"
    REINSTATED = "reinstated"
    UNAVAILABLE = "unavailable"
    UNCHECKED = "unchecked"


class Disposition(StrEnum):
    """What became of a page that was read."""

    ACCEPTED = "accepted"
    UNCHANGED = "unchanged"
    ASSERTED = "asserted"
    REFUSED_SHRUNK = "refused-shrunk"
    REFUSED_CHALLENGE = "refused-challenge"
    REFUSED_DUPLICATE_BODY = "refused-duplicate-body"
    NOT_TEXT = "not-text"
    FAILED = "failed"


COUNTABLE = (Disposition.ACCEPTED, Disposition.UNCHANGED, Disposition.ASSERTED)
"""Readings that count: they refresh evidence and may prove a change."""


class VoiceEdge(StrEnum):
    """Why two sources are one voice."""

    URL = "url"
    BODY = "body"
    WIRE = "wire"
    PUBLISHER = "publisher"
    DERIVED = "derived"


class VoiceFlag(StrEnum):
    """What is weak about a claim's corroboration."""

    SELF_CORROBORATED_ONLY = "self_corroborated_only"
    SINGLE_SOURCE_CLAIM = "single_source_claim"
    IDENTITY_SINGLE_SOURCE = "identity_single_source"
    SNIPPET_ONLY = "snippet_only"
    AGGREGATOR_ONLY = "aggregator_only"
    HIGH_CONFIDENCE_SINGLE_SOURCE = "high_confidence_single_source"


class Rating(StrEnum):
    """How a subject's claims hang together."""

    CONSISTENT = "consistent"
    MIXED = "mixed"
    INCONSISTENT = "inconsistent"


class ReviewDecision(StrEnum):
    """What a reviewer decided."""

    ACCEPT = "accept"
    REJECT = "reject"
    CORRECT = "correct"
    ESCALATE = "escalate"
    PENDING = "pending"
