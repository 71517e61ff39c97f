"""The dossier of some claims: all that speaks for them at one basis, as plain data for checks and receipts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from claimbase.analysis.result import plain
from claimbase.claims import claim_number
from claimbase.evidence.model import ClaimAt, Dossier, EvidenceAt, SnapshotAt, SourceAt, evidence_key
from claimbase.evidence.terms import Role
from claimbase.store import Db
from claimbase.temporal import Basis

_DECIMALS = ("value_min", "value_max")


def dossier(db: Db, basis: Basis, claims: Iterable[str]) -> Dossier:
    """Collect claims with their evidence, sources and texts as the basis knows them.

    A claim whose own quote is bound to no text still has that quote: it stands in the dossier without a snapshot.

    Args:
        db: the base.
        basis: what was known; each claim is given by the version that holds at its valid_at, if one does.
        claims: claim ids; ids that the basis does not see are left out.

    Raises:
        InputError: [bad_claim_id].
    """
    numbers = sorted({claim_number(one) for one in claims})
    known = {"observed_by": basis.observed_by, "recorded_by": basis.recorded_by}
    rows = db.file("queries/dossier_claims", known | {"claims": numbers, "valid_at": basis.valid_at}).dicts()
    evidence = _evidence(db, known, numbers, rows)
    sources = {row["source_id"] for row in rows} | {one.source_id for some in evidence.values() for one in some}
    snapshots = sorted({one.snapshot_id for some in evidence.values() for one in some if one.snapshot_id})
    names = _names(db, basis, {row["subject_no"] for row in rows})
    return Dossier(
        tuple(_claim(row, names[row["subject_no"]], evidence[row["claim_id"]]) for row in rows),
        sources_at(db, basis, sources),
        {
            row["snapshot_id"]: SnapshotAt(**row | {"page_offsets": _tuple(row["page_offsets"])})
            for row in db.file("queries/dossier_snapshots", known | {"snapshots": snapshots}).dicts()
        },
    )


def sources_at(db: Db, basis: Basis, sources: Iterable[str] | None = None) -> dict[str, SourceAt]:
    """Give sources as the basis knows them, by id.

    Args:
        db: the base.
        basis: what was known.
        sources: ids; None = all.
    """
    asked = {
        "observed_by": basis.observed_by, "recorded_by": basis.recorded_by,
        "sources": None if sources is None else sorted(sources),
    }  # fmt: skip
    return {row["source_id"]: SourceAt(**row) for row in db.file("queries/dossier_sources", asked).dicts()}


def _evidence(
    db: Db, known: dict[str, Any], numbers: list[int], rows: list[dict[str, Any]]
) -> dict[str, tuple[EvidenceAt, ...]]:
    """Give each claim's evidence, its own quote first; a quote bound to no text is evidence without a snapshot."""
    bound: dict[str, list[EvidenceAt]] = defaultdict(list)
    for row in db.file("queries/dossier_evidence", known | {"claims": numbers}).dicts():
        bound[row["claim_id"]].append(EvidenceAt(**row | {"role": Role(row["role"])}))
    asked = {"claims": numbers, "recorded_by": known["recorded_by"]}
    retired = {tuple(row) for row in db.file("queries/retired_quotes", asked)}
    for row in rows:
        some = bound[row["claim_id"]]
        own = any(one.quote == row["quote"] for one in some)
        if not own and (row["claim_id"], row["quote"]) not in retired:
            some.insert(0, _unbound(row))
    return {name: tuple(some) for name, some in bound.items()}


def _unbound(row: dict[str, Any]) -> EvidenceAt:
    key = evidence_key(row["claim_id"], None, row["quote"], None)
    role = Role.ABSENCE if row["absent"] else Role.SUPPORTS
    return EvidenceAt(
        key, row["claim_id"], row["source_id"], None, role, 0, row["quote"],
        reasoning=row["reasoning"], selector=row["selector"],
    )  # fmt: skip


def _names(db: Db, basis: Basis, subjects: Iterable[int]) -> dict[int, tuple[str, ...]]:
    named: dict[int, list[str]] = defaultdict(list)
    asked = {"subjects": sorted(subjects), "recorded_by": basis.recorded_by}
    for number, name in db.file("queries/dossier_names", asked):
        named[number].append(name)
    return {number: tuple(names) for number, names in named.items()}


def _claim(row: dict[str, Any], names: tuple[str, ...], evidence: tuple[EvidenceAt, ...]) -> ClaimAt:
    given = {
        item.name: plain(row[item.name]) if item.name in _DECIMALS else row[item.name]
        for item in fields(ClaimAt)
        if item.name in row
    }
    others = tuple(name for name in names if name != row["subject"])
    return ClaimAt(**given, names=(row["subject"], *others), evidence=evidence)


def _tuple(numbers: Iterable[int] | None) -> tuple[int, ...] | None:
    return None if numbers is None else tuple(numbers)
