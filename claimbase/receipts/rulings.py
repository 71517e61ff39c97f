"""Rulings: what judges said before is looked up, what they say now is kept."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace

from claimbase.claims import claim_number
from claimbase.evidence.align import SourceText, align
from claimbase.evidence.judging import Ruling, SupportJudge, ask, claim_items
from claimbase.evidence.model import ClaimAt, Hint, Match
from claimbase.evidence.terms import Method, Verdict
from claimbase.receipts.case import Case, Judged
from claimbase.store import Db, write
from claimbase.temporal import Basis

Told = tuple[str | None, str | None, str, Ruling]
"""Claim id, evidence id, rubric and ruling."""


def known_rulings(db: Db, basis: Basis) -> dict[str, Ruling]:
    """Give what was said of each thing judged by then, by its key."""
    rows = db.file("queries/rulings", {"recorded_by": basis.recorded_by}).dicts()
    return {
        row["cache_key"]: Ruling(
            row["cache_key"], Verdict(row["verdict"]), Method(row["method"]), row["checker"], row["span"],
            Verdict(row["downgraded_from"]) if row["downgraded_from"] else None, row["note"], fresh=False,
        )
        for row in rows
    }  # fmt: skip


def keep_rulings(db: Db, told: Iterable[Told]) -> None:
    """Log what judges said now; what nobody said is not kept, and a base open for reading keeps nothing."""
    rows = [
        {
            "claim_no": None if claim is None else claim_number(claim), "evidence_id": evidence, "rubric": rubric,
            "verdict": one.verdict, "method": one.method, "checker": one.checker, "evidence_span": one.span,
            "cache_key": one.key, "downgraded_from": one.downgraded_from, "note": one.note,
        }
        for claim, evidence, rubric, one in told
        if one.lasting
    ]  # fmt: skip
    if rows and not db.read_only:
        with write(db, "judge") as under_way:
            given = {"rows": json.dumps(rows), "recorded_at": under_way.recorded_at}
            under_way.transaction.file("log/support_checks", given)


def judged(db: Db, case: Case, judge: SupportJudge) -> Case:
    """Have the claims of a case judged on their texts, keep what is said, and give the case with it.

    Args:
        db: the base.
        case: what it is about.
        judge: who reads.
    """
    texts = {key: SourceText(one.text, one.profile) for key, one in case.dossier.snapshots.items()}
    asked = set(case.claim_ids or (one.claim_id for one in case.dossier.claims))
    items = [
        (claim.claim_id, evidence, item)
        for claim in case.dossier.claims
        if claim.claim_id in asked
        for evidence, item in claim_items(claim, _matches(claim, texts), case.dossier, case.policy.counts)
    ]
    rulings = ask(judge, [item for _, _, item in items], known_rulings(db, case.basis))
    told = [(claim, evidence, item.rubric, one) for (claim, evidence, item), one in zip(items, rulings, strict=True)]
    keep_rulings(db, told)
    said = {(claim, evidence): _judged(claim, evidence, one) for claim, evidence, _, one in told if one.method}
    before = [one for one in case.judged if (one.claim_id, one.evidence_id) not in said]
    return replace(case, judged=(*before, *said.values()))


def _matches(claim: ClaimAt, texts: Mapping[str, SourceText]) -> dict[str, Match]:
    return {
        one.evidence_id: align(
            one.quote, texts.get(one.snapshot_id or "", SourceText(None)), Hint(one.prefix, one.suffix, one.start_char)
        )
        for one in claim.evidence
    }


def _judged(claim: str, evidence: str, one: Ruling) -> Judged:
    return Judged(
        claim, evidence, one.verdict, one.method or Method.HUMAN, one.checker or "", one.span, one.downgraded_from
    )
