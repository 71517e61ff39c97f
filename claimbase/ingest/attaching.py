"""Evidence by hand: attach a quote to a claim, take it out of use, put it back, check again what is bound."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from claimbase.claims import claim_id, claim_number
from claimbase.errors import (
    EvidenceError,
    InputError,
    QuoteNotFoundError,
    SourceNotAllowedError,
    UnknownSourceError,
    shown,
)
from claimbase.evidence.align import align
from claimbase.evidence.model import Hint, Match
from claimbase.evidence.terms import QuoteStatus, Role
from claimbase.ingest.decide import named
from claimbase.ingest.proving import Quoted, bind, evidence_row, log_checks, log_evidence, texts, unfound
from claimbase.ingest.verbs import check_not_erased
from claimbase.store import Db, Write, write


@dataclass(frozen=True, slots=True)
class Attached:
    """What became of a quote that was attached: its id, its text and how it was found there."""

    evidence_id: str
    claim_id: str
    snapshot_id: str
    role: str
    quote: str
    match: Match
    batch: int | None

    def __str__(self) -> str:
        return f"{self.evidence_id} {self.role} {self.claim_id}: {self.match.status} ({self.match.tier})"

    def to_json(self) -> dict[str, Any]:
        """Give it as plain data."""
        row = {
            name: getattr(self, name) for name in ("evidence_id", "claim_id", "snapshot_id", "role", "quote", "batch")
        }
        return row | {
            "status": self.match.status.value, "tier": self.match.tier.value, "start": self.match.start,
            "end": self.match.end, "flags": list(self.match.flags),
        }  # fmt: skip


def attach(
    db: Db,
    claim: str,
    text: str,
    quote: str,
    *,
    role: str = "supports",
    hint: Hint | None = None,
    allow_unverified: bool = False,
    **more: Any,
) -> Attached:
    """Attach a further quote to a claim.

    Args:
        db: the base.
        claim: the claim's id.
        text: the id of a snapshot, or of a source, whose newest text is meant; never an address (P8).
        quote: the words.
        role: supports, refutes, absence or context.
        hint: where it stands, for words that stand there more than once.
        allow_unverified: store it although it is not found as written; it is flagged and proves nothing.
        more: page, bbox, selector, observed_value, reasoning.

    Raises:
        ClaimNotFoundError: the base has no such claim.
        EvidenceError: [missing_quote]; [unknown_role].
        UnknownSourceError: [unknown_snapshot]; [free_url] an address stands where an id is due.
        SourceNotAllowedError: somebody forbade the source.
        QuoteNotFoundError: the quote does not stand in the text; ``details["closest"]`` is what comes nearest.
    """
    if role not in [one.value for one in Role]:
        raise EvidenceError(f"{shown(role)} is no role", code="unknown_role", hint=", ".join(one.value for one in Role))
    if not quote.strip():
        raise EvidenceError("the quote is empty", code="missing_quote", hint="give the words it rests on")
    with write(db, "evidence add") as under_way:
        number = named(under_way, claim)["claim_no"]
        snapshot = _snapshot(under_way, text)
        held = texts(under_way.transaction, [snapshot])
        match = align(quote, held[snapshot], hint)
        if match.status != QuoteStatus.VERIFIED and not allow_unverified:
            raise _not_found(quote, match)
        quoted = Quoted(number, snapshot, quote, role, minted_by="caller", hint=hint, more=more)
        log_evidence(under_way, [(quoted, match)], held)
    batch = under_way.batch.batch_id if under_way.batch else None
    key = evidence_row(quoted, match)["evidence_id"]
    return Attached(key, claim_id(number), snapshot, role, quote, match, batch)


def _snapshot(under_way: Write, text: str) -> str:
    """Find the snapshot meant by an id, refusing addresses and sources that may not be used."""
    found = under_way.transaction.file(
        "queries/snapshot_named", {"name": text.strip(), "recorded_by": under_way.recorded_at}
    ).dicts()
    if not found:
        free = "://" in text
        raise UnknownSourceError(
            f"{shown(text)} is no snapshot or source of this base", code="free_url" if free else "unknown_snapshot",
            hint="ids are minted by ingesting the page first; `claimbase source list` shows them",
        )  # fmt: skip
    (one,) = found
    if not one["allowed"]:
        why = f": {shown(one['allowed_reason'])}" if one["allowed_reason"] else ""
        raise SourceNotAllowedError(f"{shown(one['uri'])} may not be used{why}", hint="cite another source")
    return str(one["snapshot_id"])


def _not_found(quote: str, match: Match) -> QuoteNotFoundError:
    return QuoteNotFoundError(
        f"{shown(quote)}: {unfound(match)}", code="quote_not_found", hint="quote the words as they stand",
        closest=match.closest, status=match.status.value,
    )  # fmt: skip


def change_use(db: Db, evidence: str, event: str, *, reason: str) -> str:
    """Take evidence out of use (retired) or put it back (restored); nothing is removed.

    Args:
        db: the base.
        evidence: its id.
        event: retired or restored.
        reason: why.

    Raises:
        InputError: [no_reason].
        EvidenceError: [unknown_evidence].
    """
    if not reason.strip():
        raise InputError("say why", code="no_reason", hint="the reason is kept beside the decision")
    with write(db, f"evidence {event}") as under_way:
        given = {"evidence_id": evidence.strip(), "event": event, "reason": reason.strip()}
        if not under_way.transaction.file("queries/evidence_named", {"evidence_id": given["evidence_id"]}).rows:
            raise EvidenceError(
                f"there is no evidence {shown(evidence)}", code="unknown_evidence", hint="see a receipt"
            )
        under_way.transaction.file("log/evidence_event", given | {"recorded_at": under_way.recorded_at})
    return f"{evidence} is {event}"


@dataclass(frozen=True, slots=True)
class Rechecked:
    """What checking all bound quotes again found."""

    bound: int
    checked: int
    news: int
    batch: int | None

    def __str__(self) -> str:
        return f"{self.bound:,} quotes newly bound, {self.checked:,} checked, {self.news:,} with news"

    def to_json(self) -> dict[str, Any]:
        """Give it as plain data."""
        return {"bound": self.bound, "checked": self.checked, "news": self.news, "batch": self.batch}


def check(db: Db, claims: Sequence[str] | None = None) -> Rechecked:
    """Bind what is unbound and check every bound quote by the rule in use; what is as it was is no news.

    Args:
        db: the base.
        claims: only these; None = all.

    Raises:
        InputError: [bad_claim_id].
    """
    numbers = None if claims is None else [claim_number(one) for one in claims]
    with write(db, "evidence check") as under_way:
        for number in numbers or ():
            check_not_erased(under_way.transaction, number, claim_id(number))
        bound = bind(under_way)
        given = {"claims": numbers, "observed_by": under_way.recorded_at, "recorded_by": under_way.recorded_at}
        live = under_way.transaction.file("queries/evidence_live", given).dicts()
        held = texts(under_way.transaction, (row["snapshot_id"] for row in live))
        news = log_checks(under_way, [_checked(row, held) for row in live])
    return Rechecked(bound, len(live), news, under_way.batch.batch_id if under_way.batch else None)


def _checked(row: Mapping[str, Any], held: Mapping[str, Any]) -> tuple[str, str, str, Match, Any]:
    text = held[row["snapshot_id"]]
    hint = Hint(row["prefix"], row["suffix"], row["start_char"])
    return row["evidence_id"], row["snapshot_id"], row["quote"], align(row["quote"], text, hint), text
