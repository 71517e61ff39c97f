"""From the rows of a plan to subjects with verdicts and citations."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from claimbase.answers.model import Citation, SubjectAnswer, Verdict
from claimbase.answers.words import doubt, interval
from claimbase.claims import claim_id
from claimbase.compiler import BUCKETS, ROLES, VERDICTS, Tree, ranked
from claimbase.constraints import Group, Test, format_constraint
from claimbase.sources import STRUCTURED_TYPES
from claimbase.store import Db
from claimbase.store.db import statement
from claimbase.temporal import Basis
from claimbase.vocabulary import Predicate

Row = dict[str, Any]
_SPOKEN = ("yes", "no", "maybe", "absence")
# Which claims show the value behind a verdict.
_DECIDING = {
    "met": ("yes",), "disputed": ("yes", "no", "absence"), "possible": ("yes", "maybe"), "failed": ("no", "absence"),
    "absent": ("absence",), "no_evidence": ("incomparable", "unread", "no_method", "withdrawn"),
}  # fmt: skip
_SILENT = {
    "incomparable": "values in another unit", "unread": "values that could not be read",
    "no_method": "no method stated", "withdrawn": "claims of withdrawn sources",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Asked:
    """What the rows are read against: conditions, their tests and trees, predicates shown, flagged sources."""

    conditions: tuple[Test | Group, ...]
    tests: tuple[Test, ...]
    trees: tuple[Tree, ...]
    shown: tuple[Predicate, ...]
    basis: Basis
    mute: Mapping[int, str]
    predicates: tuple[int, ...]
    flagged: bool = False
    defaults: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """The subjects returned, in their order, and the statement that fetched the claims shown with their number."""

    subjects: list[SubjectAnswer]
    sql: str
    cited: int


def collected(db: Db, asked: Asked, rows: Sequence[Row]) -> Found:
    """Read the rows of a plan, which come in the order of the answer."""
    claims = _claims(db, asked, rows)
    groups: dict[int, list[Row]] = {}
    for row in rows:
        groups.setdefault(row["subject_id"], []).append(row)
    return Found([_subject(asked, group, claims) for group in groups.values()], statement(_CITED), len(claims))


def _claims(db: Db, asked: Asked, rows: Sequence[Row]) -> dict[int, Row]:
    """Fetch what is told of the claims that are shown, each version once: words, source, when last seen.

    Three small statements: planning one that joins them all would take longer than running them.
    """
    versions = sorted({row["version_id"] for row in rows if row["version_id"] is not None})
    if not versions:
        return {}
    axes = {"observed_by": asked.basis.observed_by, "recorded_by": asked.basis.recorded_by}
    claims = db.file(_CITED, {"versions": versions, "predicates": list(asked.predicates)}).dicts()
    numbers = {name: sorted({claim[name] for claim in claims}) for name in ("source_no", "claim_no")}
    described = db.file("queries/sources_described", axes | {"sources": numbers["source_no"]}).dicts()
    sources = {source["source_no"]: source for source in described}
    flags = dict(db.file("queries/flags", axes | {"sources": numbers["source_no"]}).rows) if asked.flagged else {}
    seen = dict(db.file("queries/last_seen", axes | {"claims": numbers["claim_no"]}).rows)
    proofs = dict(db.file("queries/proofs", axes | {"claims": numbers["claim_no"]}).rows) if _any_evidence(db) else {}
    return {
        claim["version_id"]: claim
        | sources[claim["source_no"]]
        | {
            "last_seen": seen.get(claim["claim_no"]), "flags": tuple(flags.get(claim["source_no"], ())),
            "evidence": proofs.get(claim["claim_no"]),
        }
        for claim in claims
    }  # fmt: skip


def _any_evidence(db: Db) -> bool:
    ((found,),) = db.file("queries/any_evidence").rows
    return bool(found)


_CITED = "queries/cited"


def _subject(asked: Asked, rows: list[Row], claims: Mapping[int, Row]) -> SubjectAnswer:
    first = rows[0]
    tops = places(asked.trees)
    said = [
        (row, _citation(asked, row, claims[row["version_id"]], tops)) for row in rows if row["version_id"] is not None
    ]
    said.sort(key=lambda pair: (pair[0]["test"], *_place(pair[1])))
    by_test: dict[int, list[tuple[Row, Citation]]] = {}
    for row, citation in said:
        by_test.setdefault(row["test"], []).append((row, citation))
    ranks = _ranks(asked, rows)
    leaves = [_leaf(asked, number, rank, by_test.get(number, ())) for number, rank in enumerate(ranks)]
    verdicts = tuple(
        _top(condition, tree, ranks, leaves) for condition, tree in zip(asked.conditions, asked.trees, strict=True)
    )
    return SubjectAnswer(
        provider=first["provider"],
        subject=first["name"],
        bucket=BUCKETS[first["bucket"]],
        eligible=first["eligible"],
        verdicts=verdicts,
        citations=tuple(citation for _, citation in said),
        worth=first["worth"],
    )


def _ranks(asked: Asked, rows: Sequence[Row]) -> list[int]:
    """Give the verdict of each test: a column of its own, or where tests travel as a table that of its best slot."""
    if not asked.defaults:
        return [rows[0][f"v{number}"] for number in range(len(asked.tests))]
    best: dict[int, int] = {}
    for row in rows:
        if row["slot_verdict"] is not None:
            best[row["test"]] = max(best.get(row["test"], 0), row["slot_verdict"])
    return [best.get(number, rank) for number, rank in enumerate(asked.defaults)]


def _place(citation: Citation) -> tuple[str, float, float]:
    """Order citations by their content: the claim, then its start (C16)."""
    earliest, latest = citation.from_earliest, citation.from_latest
    return (
        citation.claim_id,
        float("-inf") if earliest is None else earliest.timestamp(),
        float("inf") if latest is None else latest.timestamp(),
    )


def places(trees: Iterable[Tree]) -> dict[int, int]:
    """Give the constraint each test belongs to."""
    return {test: place for place, tree in enumerate(trees) for test in _numbers(tree)}


def _numbers(tree: Tree) -> Iterable[int]:
    return (tree,) if isinstance(tree, int) else (number for member in tree[1] for number in _numbers(member))


def _citation(asked: Asked, row: Row, words: Row, tops: Mapping[int, int]) -> Citation:
    number = row["test"]
    test = asked.tests[number] if number < len(asked.tests) else None
    predicate = asked.shown[number - len(asked.tests)] if test is None else test.predicate
    role = ROLES[row["role"]]
    at = asked.basis.valid_at if test is None or test.at is None else test.at
    return Citation(
        claim_id=claim_id(words["claim_no"]),
        provider=row["provider"],
        subject=row["name"],
        predicate=predicate.name,
        constraint=None if test is None else tops[number],
        test=None if test is None else number,
        role=role,
        certain=row["certain"],
        overridden=role == "overridden",
        reason=None if row["certain"] else doubt(words, at),
        value=words["value"],
        normalized_value=words["value_key"],
        polarity="absent" if words["absent"] else "stated",
        scope=json.loads(words["scope"]),
        valid=interval(words, asked.basis),
        last_seen=max(words["last_seen"] or words["observed_at"], words["observed_at"]),
        prose=words["source_type"] not in STRUCTURED_TYPES,
        **{name: words[name] for name in _WORDS},
    )


_WORDS = (
    "value_min", "value_max", "min_open", "max_open", "unit", "complete", "from_earliest", "from_latest",
    "until_earliest", "until_latest", "observed_at",
    "quote", "selector", "reasoning", "confidence", "source_id", "url", "title", "publisher", "published_at",
    "source_type", "authority", "derived_from", "flags", "evidence",
)  # fmt: skip


def _leaf(asked: Asked, number: int, rank: int, mine: Sequence[tuple[Row, Citation]]) -> Verdict:
    """Give the verdict of one test with its reason, its value and its scopes (Q1, Q6)."""
    test, verdict = asked.tests[number], VERDICTS[rank]
    best = [(row, one) for row, one in mine if row["slot_verdict"] in (None, rank) and one.role != "other_scope"]
    roles = _DECIDING[verdict]
    if test.operator in ("ne", "is_false") and test.predicate.cardinality == "many":
        roles = _SPOKEN
    deciding = [one for _, one in best if one.role in roles]
    sure = [one for one in deciding if one.certain] or deciding
    values = dict.fromkeys(one.value for one in sure if one.value is not None)
    in_scopes = tuple({json.dumps(one.scope): one.scope for _, one in best if one.role in _SPOKEN}.values())
    mentioned = {json.dumps(one.scope): one.scope for _, one in mine if one.role == "other_scope"}
    return Verdict(
        constraint=format_constraint(test.constraint),
        predicate=test.predicate.name,
        verdict=verdict,
        reason=_reason(verdict, deciding, asked.mute.get(number) or _NO_CLAIM[bool(mentioned)]),
        value=", ".join(values) or None,
        scopes=in_scopes if test.scope == "any" else (),
        mentioned=tuple(mentioned.values()),
    )


_NO_CLAIM = {False: "no claim", True: "claims in other scopes only"}


def _reason(verdict: str, deciding: Sequence[Citation], otherwise: str) -> str | None:
    if verdict == "possible":
        reasons = {one.reason or "value" for one in deciding if one.role in ("yes", "maybe")}
        reasons |= {"value" for one in deciding if one.role == "maybe"}
        return ", ".join(sorted(reasons)) or None
    if verdict != "no_evidence":
        return None
    silent = sorted({_SILENT[one.role] for one in deciding if one.role in _SILENT})
    return ", ".join(silent) or otherwise


def _top(condition: Test | Group, tree: Tree, ranks: Sequence[int], leaves: Sequence[Verdict]) -> Verdict:
    if isinstance(tree, int) or isinstance(condition, Test):
        return leaves[next(iter(_numbers(tree)))]
    members = tuple(
        _top(member, branch, ranks, leaves) for member, branch in zip(condition.members, tree[1], strict=True)
    )
    return Verdict(
        constraint=f"{condition.kind}({'; '.join(member.constraint for member in members)})",
        predicate=None,
        verdict=VERDICTS[ranked(tree, ranks)],
        reason=next((member.reason for member in members if member.reason), None),
        members=members,
    )
