"""A small world for receipts: a price, an absence, one page read a day ago; every part can be exchanged."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from claimbase.evidence.corroborating import Corroboration
from claimbase.evidence.model import ClaimAt, Dossier, EvidenceAt, SnapshotAt, SourceAt, evidence_key
from claimbase.evidence.terms import Role, VoiceFlag
from claimbase.evidence.voices import Voice
from claimbase.receipts.case import Case, EngineAt, LedgerAt, PlanAt
from claimbase.temporal import Basis
from claimbase.vocabulary import Predicate, Vocabulary

WORDS = Vocabulary(
    (
        Predicate("input_price", kind="quantity", unit="usd_per_mtok"),
        Predicate("context_window", kind="quantity", unit="token"),
        Predicate("fine_tuning", kind="bool"),
        Predicate("shutdown", kind="date"),
    )
)
NOW = datetime(2026, 11, 2, 9, tzinfo=UTC)
READ = NOW - timedelta(days=1)
BASIS = Basis(NOW, NOW, NOW, NOW, 41)
ENGINE = EngineAt("0.1.0", "2.0.1", 3)

PAGE = """# Prices

The Aurora model costs $0.80 per million input tokens. Output costs $3.20 per million tokens.

The Borealis model costs $1.10 per million input tokens and has a context window of 200,000 tokens.

No fine-tuning is offered for the Aurora model.
"""
COPY_OF = ("s_bbbbbbbbbbbb", "s_cccccccccccc")
OTHER = "Press review: the Aurora model costs $0.80 per million input tokens, says its maker.\n"

PRICE = "The Aurora model costs $0.80 per million input tokens."
ABSENT = "No fine-tuning is offered for the Aurora model."
WINDOW = "has a context window of 200,000 tokens"


def source(key: str = "s_aaaaaaaaaaaa", uri: str = "https://prices.example/list", **more: Any) -> SourceAt:
    """A source that may be used."""
    given = {"title": "Prices", "publisher": "Aurora Labs", "authority": "subject_authored", "first_seen_at": READ}
    return SourceAt(key, uri, uri, **given | more)


def snapshot(text: str | None = PAGE, owner: str = "s_aaaaaaaaaaaa", **more: Any) -> SnapshotAt:
    """A text as read a day ago."""
    digest = hashlib.sha256((text or "").encode()).hexdigest()
    given = {"fetched_at": READ, "last_fetched_at": READ, "profile": "markdown", "text_sha256": digest} | more
    return SnapshotAt(f"sha256:{digest}/{owner}", owner, text, **given)


def evidence(claim: str, quote: str, text: SnapshotAt | None, role: Role = Role.SUPPORTS, **more: Any) -> EvidenceAt:
    """A quote in a text."""
    name = text.snapshot_id if text else None
    owner = text.source_id if text else "s_aaaaaaaaaaaa"
    given = {"rank": 0} | more
    return EvidenceAt(evidence_key(claim, name, quote, None), claim, owner, name, role, quote=quote, **given)


def claim(key: str, predicate: str, value: str, quotes: Iterable[EvidenceAt], **more: Any) -> ClaimAt:
    """A claim about Aurora, seen a day ago."""
    given = {
        "provider": "Aurora Labs", "subject": "Aurora", "names": ("Aurora", "aurora-1"), "kind": "quantity",
        "absent": False, "source_id": "s_aaaaaaaaaaaa", "observed_at": READ, "last_seen_at": READ,
        "stale_after_days": 30, "confidence": "high",
    } | more  # fmt: skip
    return ClaimAt(key, predicate=predicate, value=value, evidence=tuple(quotes), **given)


PRICE_READ = {
    "unit": "usd_per_mtok", "value_min": "0.80", "value_max": "0.80", "value_key": "0.8", "stated_unit": None,
}  # fmt: skip


def price(quote: str = PRICE, text: SnapshotAt | None = snapshot(), **more: Any) -> ClaimAt:  # noqa: B008  # frozen
    """The price of Aurora with one quote."""
    quoted = more.pop("evidence", [evidence("c_price", quote, text)])
    return claim("c_price", "input_price", more.pop("value", "$0.80"), quoted, **PRICE_READ | more)


def absence(text: SnapshotAt | None = snapshot(), **more: Any) -> ClaimAt:  # noqa: B008  # frozen
    """That Aurora cannot be tuned."""
    quoted = [evidence("c_absent", ABSENT, text, Role.ABSENCE)]
    return claim("c_absent", "fine_tuning", "", quoted, **{"absent": True, "kind": "bool", "confidence": None} | more)


def dossier(claims: Iterable[ClaimAt], sources: Iterable[SourceAt] = (), texts: Iterable[SnapshotAt] = ()) -> Dossier:
    """Claims with the usual source and text, and others beside."""
    held = {one.source_id: one for one in (source(), *sources)}
    return Dossier(tuple(claims), held, {one.snapshot_id: one for one in (snapshot(), *texts)})


def case(*claims: ClaimAt, sources: Iterable[SourceAt] = (), texts: Iterable[SnapshotAt] = (), **more: Any) -> Case:
    """A case of some claims, by default the price and the absence; nothing about it is open."""
    whole = claims or (price(), absence())
    given: Mapping[str, Any] = {
        "kind": "claims", "basis": BASIS, "created_at": NOW, "engine": ENGINE, "vocabulary": WORDS,
        "dossier": dossier(whole, sources, texts), "ledger": LedgerAt("ab" * 32, True, "41 batches, all intact"),
        "query": {"claim_ids": [one.claim_id for one in whole]}, "plan": (PlanAt("claims", "FROM cb.claim", 2),),
        "corroborations": {one.claim_id: weak(one.claim_id) for one in whole},
        "voices": (Voice("v1", "s_aaaaaaaaaaaa", ("s_aaaaaaaaaaaa",)),),
    }  # fmt: skip
    return Case(**{**given, **more})


def weak(key: str) -> Corroboration:
    """One voice, and that the subject's own."""
    flags = (VoiceFlag.SELF_CORROBORATED_ONLY, VoiceFlag.SINGLE_SOURCE_CLAIM)
    return Corroboration(key, ("s_aaaaaaaaaaaa",), ("v1",), (), flags)


def changed(one: ClaimAt, **more: Any) -> ClaimAt:
    """A claim with its first quote changed."""
    first, *rest = one.evidence
    return replace(one, evidence=(replace(first, **more), *rest))
