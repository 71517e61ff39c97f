"""Issuing: the base fills the case, the case becomes a receipt, the receipt a row of the ledger."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from typing import Any

from claimbase.analysis.contradictions import contradictions
from claimbase.analysis.corroboration import corroborations
from claimbase.analysis.dossier import dossier
from claimbase.analysis.independence import independence
from claimbase.analysis.notices import sweep
from claimbase.answers import Answer
from claimbase.claims import claim_number
from claimbase.errors import ClaimNotFoundError, InputError, ReceiptError, shown
from claimbase.evidence.model import Dossier
from claimbase.evidence.policy import Policy
from claimbase.evidence.terms import Method, ReviewDecision, Verdict
from claimbase.receipts.building import build
from claimbase.receipts.case import AnswerAt, Case, EngineAt, Judged, LedgerAt, NoticeAt, Opposed, PlanAt, ReviewAt
from claimbase.receipts.model import Receipt
from claimbase.store import Db, audit, engine_version, schema_files, write
from claimbase.temporal import Basis
from claimbase.vocabulary import Vocabulary

_SPEAKING = ("yes", "no", "maybe", "absence")
CLAIMS_MOST = 100_000
"""The most claims of one receipt."""


def stored(db: Db, receipt_id: str) -> Receipt:
    """Give a receipt as it was kept, proven against its digest.

    Args:
        db: the base.
        receipt_id: r_ and 16 hexadecimal digits.

    Raises:
        ReceiptError: [unknown_receipt], [erased], [altered_receipt].
    """
    rows = db.file("queries/receipt", {"receipt_id": receipt_id.strip()}).dicts()
    if not rows:
        near = [row[0] for row in db.file("queries/receipt_ids", {"begin": receipt_id.strip()[:8]})]
        hint = f"did you mean {', '.join(near)}?" if near else "`claimbase receipt list` shows them"
        raise ReceiptError(f"the base holds no receipt {shown(receipt_id)}", code="unknown_receipt", hint=hint)
    (row,) = rows
    if row["canonical"] is None:
        raise ReceiptError(f"the text of {receipt_id} was erased", code="erased", hint="its digest stays")
    body, ledger = (
        row["canonical"],
        {"batch_id": row["batch_id"], "batch_root": row["root"], "body_sha256": row["body_sha256"]},
    )
    return Receipt.load((body[:-1] + ',"ledger":' + json.dumps(ledger) + "}").encode())


def of_claims(
    db: Db, vocabulary: Vocabulary, basis: Basis, claims: Sequence[str], *, policy: Policy, **more: Any
) -> Case:
    """Make the case of some claims.

    Args:
        db: the base.
        vocabulary: the predicates as declared within the basis.
        basis: the instants it speaks of.
        claims: claim ids.
        policy: what counts.
        more: tenant, domain, ledger.

    Raises:
        InputError: [bad_claim_id]; [empty_input] no claim is named; LimitError.
        ClaimNotFoundError: the basis does not see one of them.
    """
    if not claims:
        raise InputError("there is nothing to verify", code="empty_input", hint="name claims, an answer or a report")
    asked = sorted(set(claims))
    case = case_of(db, vocabulary, basis, asked, policy=policy, **more)
    if missing := sorted(set(asked) - {one.claim_id for one in case.dossier.claims}):
        raise ClaimNotFoundError(f"the basis sees no claim {missing[0]}", hint="kb.claims() lists those it sees")
    return replace(case, query={"claim_ids": asked})


def of_answer(db: Db, vocabulary: Vocabulary, answer: Answer, *, policy: Policy, **more: Any) -> Case:
    """Make the case of an answer: the claims that speak in it, and the steps that chose them (Q8).

    Args:
        db: the base.
        vocabulary: the predicates as declared within the answer's basis.
        answer: as the base gave it.
        policy: what counts.
        more: tenant, domain, ledger.
    """
    asked = sorted({one.claim_id for one in answer.citations if one.role in _SPEAKING})
    case = case_of(db, vocabulary, answer.basis, asked, policy=policy, **more)
    buckets = {
        name: tuple(f"{one.provider}: {one.subject}" for one in getattr(answer, name))
        for name in ("eligible", "disputed", "possible", "near_misses")
    }
    steps = tuple(PlanAt(step.name, step.sql, step.rows) for step in answer.plan)
    return replace(case, kind="answer", query=answer.asked, plan=steps, answer=AnswerAt(answer.summary, **buckets))


def case_of(
    db: Db,
    vocabulary: Vocabulary,
    basis: Basis,
    claims: Iterable[str],
    *,
    policy: Policy,
    tenant: str | None = None,
    domain: Mapping[str, Any] | None = None,
    ledger: bool = True,
) -> Case:
    """Fill a case with all that the base knows of some claims at the basis."""
    asked = tuple(claims)
    numbers = [claim_number(one) for one in asked]
    held = dossier(db, basis, asked)
    opposed = _opposed(db, basis, held, set(asked))
    others = {one for pair in opposed for one in pair.claims} - set(asked)
    whole = dossier(db, basis, (*asked, *others)) if others else held
    heard = independence(db, basis)
    return Case(
        kind="claims", basis=basis, created_at=basis.now, engine=_engine(), dossier=whole, policy=policy,
        claim_ids=asked, corroborations=corroborations(db, basis, numbers, whole=heard),
        voices=heard.within(whole.sources).voices, notices=notices_on(db, basis, whole), opposed=opposed,
        judged=_judged(db, basis, numbers), reviews=_reviews(db, basis, numbers),
        ledger=_ledger(db, basis, verified=ledger), tenant=tenant, vocabulary=vocabulary,
        domain=dict(domain or {}),
    )  # fmt: skip


def kept(db: Db, case: Case) -> Receipt:
    """Build the receipt of a case and keep it in the base's ledger; a base open for reading keeps nothing.

    Args:
        db: the base.
        case: what it is made from.
    """
    receipt = build(case)
    if db.read_only:
        return receipt
    with write(db, "verify") as under_way:
        under_way.transaction.file("log/receipt", {
            "receipt_id": receipt.id, "kind": receipt.kind, "passed": receipt.passed,
            "canonical": receipt.canonical_bytes().decode(), "body_sha256": receipt.ledger.body_sha256,
            "batch_id": under_way.batch_id, "recorded_at": under_way.recorded_at,
        })  # fmt: skip
    batch = under_way.batch
    return receipt if batch is None else receipt.in_ledger(batch.batch_id, batch.root)


def _engine() -> EngineAt:
    return EngineAt(version("claimbase"), engine_version(), schema_files()[-1][0])


def head_at(db: Db, basis: Basis) -> str | None:
    """Give the root of the newest batch that a basis knows."""
    rows = db.file("queries/head_at", {"recorded_by": basis.recorded_by}).rows
    return rows[0][1] if rows else None


def _ledger(db: Db, basis: Basis, *, verified: bool) -> LedgerAt:
    """Say where the ledger stood at the basis and whether it holds; the words are the same whenever it is looked at."""
    head = head_at(db, basis)
    if not verified:
        return LedgerAt(head)
    found = audit(db)
    words = "every row is as its batch's root says" if found.ok else found.findings[0].what
    return LedgerAt(head, found.ok, words)


def _opposed(db: Db, basis: Basis, held: Dossier, asked: set[str]) -> tuple[Opposed, ...]:
    """Find the contradictions at the basis in which the claims stand, on either side."""
    names: dict[str, Any] = {
        "subjects": sorted({one.subject for one in held.claims}),
        "predicates": sorted({one.predicate for one in held.claims}),
    }
    if not held.claims:
        return ()
    report = contradictions(db, basis, **names)
    return tuple(
        Opposed(pair.id, pair.kind, pair.claims, pair.disputed) for pair in report.pairs if asked & set(pair.claims)
    )


def notices_on(db: Db, basis: Basis, held: Dossier) -> tuple[NoticeAt, ...]:
    """Give what providers say of the publications that a dossier's sources are."""
    told: dict[str, NoticeAt] = {}
    for row in sweep(db, basis).found:
        if row.source_id in held.sources and row.where != "text":
            one = row.finding
            told[one.doi] = NoticeAt(one.doi, one.status, one.notice_date, one.notice_url, one.provider, row.noted)
    return tuple(told[doi] for doi in sorted(told))


def _judged(db: Db, basis: Basis, numbers: list[int]) -> tuple[Judged, ...]:
    rows = db.file("queries/judged", {"claims": numbers, "recorded_by": basis.recorded_by}).dicts()
    return tuple(
        Judged(
            row["claim_id"], row["evidence_id"], Verdict(row["verdict"]), Method(row["method"]), row["checker"],
            row["span"], Verdict(row["downgraded_from"]) if row["downgraded_from"] else None,
        )
        for row in rows
    )  # fmt: skip


def _reviews(db: Db, basis: Basis, numbers: list[int]) -> tuple[ReviewAt, ...]:
    known = {"claims": numbers, "observed_by": basis.observed_by, "recorded_by": basis.recorded_by}
    rows = db.file("queries/reviews_of", known).dicts()
    return tuple(ReviewAt(**row | {"decision": ReviewDecision(row["decision"])}) for row in rows)
