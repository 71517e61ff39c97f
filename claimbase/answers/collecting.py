"""From the rows of a plan to subjects with verdicts and citations."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple

from claimbase.answers.model import Citation, SubjectAnswer, Verdict
from claimbase.answers.naming import settled
from claimbase.answers.words import Held, doubt, interval
from claimbase.claims import claim_id
from claimbase.compiler import BUCKETS, CITED_LIMIT, ROLES, VERDICTS, Tree, ranked
from claimbase.constraints import Group, Test
from claimbase.errors import LimitError
from claimbase.sources import STRUCTURED_TYPES
from claimbase.store import Db, Rows
from claimbase.store.db import statement
from claimbase.temporal import Basis, from_micros
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
    """What the rows are read against: conditions, their tests and trees, predicates shown, flagged sources, texts."""

    conditions: tuple[Test | Group, ...]
    tests: tuple[Test, ...]
    trees: tuple[Tree, ...]
    shown: tuple[Predicate, ...]
    basis: Basis
    mute: Mapping[int, str]
    predicates: tuple[int, ...]
    flagged: bool = False
    defaults: tuple[int, ...] = ()
    texts: Sequence[str] = ()


class Support(NamedTuple):
    """A claim that makes a subject eligible: what it speaks of, when it was last seen, whose words it is."""

    claim_no: int
    predicate: str
    last_seen: int
    authority: str | None


@dataclass(frozen=True, slots=True)
class Found:
    """The subjects returned, in order, the counts, what is told of all claims together, and how they were fetched.

    Args:
        support: the claims that make subjects eligible, each once.
        mentioned: the scopes of claims that did not decide a constraint of its own.
        sql, cited: the statement that fetched the claims, and their number.
    """

    subjects: list[SubjectAnswer]
    counts: Row
    support: Sequence[Support]
    mentioned: Sequence[Mapping[str, str]]
    sql: str
    cited: int


class _Said(NamedTuple):
    """What one version says to one test: the last columns of a row."""

    test: int
    role: int
    version_id: int
    certain: bool
    slot_verdict: int | None


_ROLE, _VERSION, _CERTAIN = (_Said._fields.index(text) for text in ("role", "version_id", "certain"))
_BITS = {word: bit for bit, word in ROLES.items()}


class _Claim(NamedTuple):
    """A version as ``queries/cited.sql`` tells it: instants as microseconds, numbers as text."""

    version_id: int
    claim_no: int
    source_no: int
    value_min: str | None
    value_max: str | None
    marks: int
    from_earliest: int | None
    from_latest: int | None
    until_earliest: int | None
    until_latest: int | None
    observed_at: int
    value: str | None
    normalized_value: str | None
    quote: str | None
    selector: str | None
    reasoning: str | None
    confidence: str | None
    scope_id: int
    unit_id: int | None

    @property
    def place(self) -> tuple[int, float, float]:
        """Its place among the claims of a test, which is its content's: the claim, then its start (C16)."""
        earliest = float("-inf") if self.from_earliest is None else self.from_earliest
        return self.claim_no, earliest, float("inf") if self.from_latest is None else self.from_latest

    @property
    def held(self) -> Held:
        """When it holds."""
        return Held(
            _moment(self.from_earliest), _moment(self.from_latest), _moment(self.until_earliest),
            _moment(self.until_latest), self.marked(_DATED), self.marked(_BOUNDED),
        )  # fmt: skip

    def marked(self, mark: int) -> bool:
        """Tell whether it has a mark."""
        return bool(self.marks & mark)


_MIN_OPEN, _MAX_OPEN, _ABSENT, _COMPLETE, _DATED, _BOUNDED, _EXACT = (1 << place for place in range(7))
_CLAIM_NO, _SOURCE_NO, _OBSERVED_AT, _SCOPE_ID, _UNIT_ID = (
    _Claim._fields.index(text) for text in ("claim_no", "source_no", "observed_at", "scope_id", "unit_id")
)


@dataclass(frozen=True, slots=True)
class _Told:
    """What is told of the claims shown: rows of versions, and by number their sources, last readings and evidence."""

    claims: Mapping[int, tuple[Any, ...]] = field(default_factory=dict)
    sources: Mapping[int, Sequence[Any]] = field(default_factory=dict)
    flags: Mapping[int, Sequence[str]] = field(default_factory=dict)
    scopes: Mapping[int, str] = field(default_factory=dict)
    units: Mapping[int, str] = field(default_factory=dict)
    seen: Mapping[int, int] = field(default_factory=dict)
    proofs: Mapping[int, str] = field(default_factory=dict)

    def last_seen(self, claim: Sequence[Any]) -> int:
        """Give the instant of a claim's last reading in microseconds (Q9)."""
        first: int = claim[_OBSERVED_AT]
        return max(self.seen.get(claim[_CLAIM_NO], first), first)


_Cited = Sequence[tuple[_Said, Citation]]
_OF_SOURCE = (
    "url", "source_id", "title", "publisher", "published_at", "source_type", "authority", "derived_from",
)  # fmt: skip
_SOURCE_TYPE, _AUTHORITY = (1 + _OF_SOURCE.index(text) for text in ("source_type", "authority"))


def collected(db: Db, asked: Asked, counted: Sequence[str], rows: Rows) -> Found:
    """Read the rows of a plan: its counts, then each subject in the order of the answer before the claims behind it.

    Args:
        db: the base.
        asked: what they are read against.
        counted: the names of the counts.
        rows: of the plan's statement.

    Raises:
        LimitError: [too_many] more than CITED_LIMIT claims.
    """
    test = rows.columns.index("test")
    counts, listed = rows.rows[: len(counted)], rows.rows[len(counted) :]
    starts = [place for place, row in enumerate(listed) if row[test] is None]
    if len(listed) - len(starts) > CITED_LIMIT:
        raise LimitError(
            f"the answer cites more than {CITED_LIMIT:,} claims, each once for every constraint it speaks to",
            code="too_many", hint="limit=… and near_limit=… for fewer subjects",
        )  # fmt: skip
    told = _told(db, asked, {row[test + _VERSION] for row in listed if row[test] is not None})
    reader = _Reader(asked, told, {name: at for at, name in enumerate(rows.columns)}, listed, places(asked.trees))
    return Found(
        subjects=[reader.subject(start) for start in starts],
        counts=dict(zip(counted, (row[test + _VERSION] for row in counts), strict=True)),
        support=reader.support(),
        mentioned=reader.mentioned(),
        sql=statement(_CITED),
        cited=len(told.claims),
    )


_CITED = "queries/cited"


def _told(db: Db, asked: Asked, versions: Collection[int]) -> _Told:
    """Fetch what is told of the claims that are shown, each version once: words, source, when last seen.

    Three small statements: planning one that joins them all would take longer than running them.
    """
    if not versions:
        return _Told()
    basis = asked.basis
    axes = {"observed_by": basis.observed_by, "recorded_by": basis.recorded_by}
    found = db.file(_CITED, {"versions": repr(list(versions)), "predicates": list(asked.predicates)})
    numbers = {claim[_SOURCE_NO] for claim in found.rows}
    its_claims = list({claim[_CLAIM_NO] for claim in found.rows})
    flags = db.file("queries/flags", axes | {"sources": list(numbers)}) if asked.flagged else ()
    return _Told(
        claims={row[0]: row for row in found.rows},
        sources=db.gathered(
            "queries/sources_described", axes | {"observed_by": settled(db, basis)}, "sources", numbers
        ),
        flags=dict(flags),
        scopes=_names(db, "queries/scopes", {claim[_SCOPE_ID] for claim in found.rows}),
        units=_names(db, "queries/units", {claim[_UNIT_ID] for claim in found.rows} - {None}),
        seen=dict(db.file("queries/last_seen", axes | {"claims": repr(its_claims)}).rows),
        proofs=dict(db.file("queries/proofs", axes | {"claims": its_claims}).rows) if _any_evidence(db) else {},
    )


def _names(db: Db, name: str, numbers: Collection[int]) -> dict[int, str]:
    return {number: row[1] for number, row in db.gathered(name, {}, "numbers", numbers).items()}


def _moment(count: int | None) -> datetime | None:
    return None if count is None else from_micros(count)


@lru_cache(maxsize=4096)
def _qualifiers(text: str) -> Mapping[str, str]:
    found: Mapping[str, str] = json.loads(text)
    return found


@lru_cache(maxsize=4096)
def _decimal(text: str | None) -> Decimal | None:
    return None if text is None else Decimal(text)


def _any_evidence(db: Db) -> bool:
    ((found,),) = db.remembered("queries/any_evidence").rows
    return bool(found)


@dataclass(frozen=True, slots=True)
class _Reader:
    """One answer being read: what was asked and told, its rows with their columns, the constraint of each test."""

    asked: Asked
    told: _Told
    columns: Mapping[str, int]
    rows: Sequence[Sequence[Any]]
    tops: Mapping[int, int]

    def subject(self, start: int) -> SubjectAnswer:
        """Give the subject of a row; its verdicts and the claims behind them are made when somebody looks at them."""
        row, at = self.rows[start], self.columns
        return SubjectAnswer.late(
            row[at["provider"]], row[at["name"]], BUCKETS[row[at["bucket"]]], row[at["eligible"]], row[at["worth"]],
            self.verdicts, start,
        )  # fmt: skip

    def support(self) -> list[Support]:
        """Give the claims that make subjects eligible, each once: certain yeses, or both sides of a window (Q1)."""
        place, eligible, test = (self.columns[text] for text in ("place", "eligible", "test"))
        role, certain, version, yes = test + _ROLE, test + _CERTAIN, test + _VERSION, _BITS["yes"]
        asked, told = self.asked, self.told
        wanted = {row[place] for row in self.rows if row[eligible]}
        said = [row for row in self.rows if row[role] == yes and row[place] in wanted]
        sure = {(row[place], row[test]) for row in said if row[certain]}
        found: dict[int, Support] = {}
        for row in said:
            if row[certain] or (row[place], row[test]) not in sure:
                claim = told.claims[row[version]]
                number, seen = claim[_CLAIM_NO], told.last_seen(claim)
                if number not in found or found[number].last_seen < seen:
                    authority = told.sources[claim[_SOURCE_NO]][_AUTHORITY]
                    found[number] = Support(number, asked.tests[row[test]].predicate.name, seen, authority)
        return list(found.values())

    def mentioned(self) -> list[Mapping[str, str]]:
        """Give the scopes of claims that did not decide, of tests that are constraints themselves (Q6)."""
        test = self.columns["test"]
        role, version, elsewhere = test + _ROLE, test + _VERSION, _BITS["other_scope"]
        alone = {tree for tree in self.asked.trees if isinstance(tree, int)}
        silent = [row[version] for row in self.rows if row[role] == elsewhere and row[test] in alone]
        return [_qualifiers(self.told.scopes[scope]) for scope in {self.told.claims[one][_SCOPE_ID] for one in silent}]

    def verdicts(self, start: int) -> tuple[tuple[Verdict, ...], tuple[Citation, ...]]:
        """Give the verdicts of a row's subject and the claims behind them, by test and content (C16)."""
        asked, test = self.asked, self.columns["test"]
        row = dict(zip(self.columns, self.rows[start], strict=True))
        end = next((n for n in range(start + 1, len(self.rows)) if self.rows[n][test] is None), len(self.rows))
        said = [_Said._make(one[test:]) for one in self.rows[start + 1 : end]]
        claims = {one.version_id: _Claim._make(self.told.claims[one.version_id]) for one in said}
        said.sort(key=lambda one: (one.test, claims[one.version_id].place))
        cited = [(one, self.citation(row, one, claims[one.version_id])) for one in said]
        by_test: dict[int, list[tuple[_Said, Citation]]] = {}
        for pair in cited:
            by_test.setdefault(pair[0].test, []).append(pair)
        ranks = _ranks(asked, row, said)
        leaves = [self.leaf(number, rank, by_test.get(number, ())) for number, rank in enumerate(ranks)]
        verdicts = tuple(
            _top(condition, tree, ranks, leaves) for condition, tree in zip(asked.conditions, asked.trees, strict=True)
        )
        return verdicts, tuple(citation for _, citation in cited)

    def citation(self, row: Row, said: _Said, claim: _Claim) -> Citation:
        """Cite one version for one test."""
        asked, told, number = self.asked, self.told, said.test
        test = asked.tests[number] if number < len(asked.tests) else None
        predicate = asked.shown[number - len(asked.tests)] if test is None else test.predicate
        role = ROLES[said.role]
        at = asked.basis.valid_at if test is None or test.at is None else test.at
        held = claim.held
        source = told.sources[claim.source_no]
        return Citation(
            claim_id=claim_id(claim.claim_no),
            provider=row["provider"],
            subject=row["name"],
            predicate=predicate.name,
            constraint=None if test is None else self.tops[number],
            test=None if test is None else number,
            role=role,
            certain=said.certain,
            overridden=role == "overridden",
            reason=None if said.certain else doubt(held, at),
            value=claim.value,
            normalized_value=claim.normalized_value,
            value_min=_decimal(claim.value_min),
            value_max=_decimal(claim.value_min if claim.marked(_EXACT) else claim.value_max),
            min_open=claim.marked(_MIN_OPEN),
            max_open=claim.marked(_MAX_OPEN),
            unit=None if claim.unit_id is None else told.units[claim.unit_id],
            polarity="absent" if claim.marked(_ABSENT) else "stated",
            complete=claim.marked(_COMPLETE),
            scope=dict(_qualifiers(told.scopes[claim.scope_id])),
            valid=interval(held, asked.basis),
            from_earliest=held.from_earliest,
            from_latest=held.from_latest,
            until_earliest=held.until_earliest,
            until_latest=held.until_latest,
            observed_at=from_micros(claim.observed_at),
            last_seen=from_micros(told.last_seen(claim)),
            quote=claim.quote,
            selector=claim.selector,
            reasoning=claim.reasoning,
            confidence=claim.confidence,
            evidence=told.proofs.get(claim.claim_no),
            **dict(zip(_OF_SOURCE, source[1:], strict=True)),
            prose=source[_SOURCE_TYPE] not in STRUCTURED_TYPES,
            flags=tuple(told.flags.get(claim.source_no, ())),
        )

    def leaf(self, number: int, rank: int, mine: _Cited) -> Verdict:
        """Give the verdict of one test with its reason, its value and its scopes (Q1, Q6)."""
        test, verdict = self.asked.tests[number], VERDICTS[rank]
        best = [one for said, one in mine if said.slot_verdict in (None, rank) and one.role != "other_scope"]
        roles = _DECIDING[verdict]
        if test.operator in ("ne", "is_false") and test.predicate.cardinality == "many":
            roles = _SPOKEN
        deciding = [one for one in best if one.role in roles]
        sure = [one for one in deciding if one.certain] or deciding
        values = dict.fromkeys(one.value for one in sure if one.value is not None)
        mentioned = _scopes(one for _, one in mine if one.role == "other_scope")
        return Verdict(
            constraint=self.asked.texts[number],
            predicate=test.predicate.name,
            verdict=verdict,
            reason=_reason(verdict, deciding, self.asked.mute.get(number) or _NO_CLAIM[bool(mentioned)]),
            value=", ".join(values) or None,
            scopes=_scopes(one for one in best if one.role in _SPOKEN) if test.scope == "any" else (),
            mentioned=mentioned,
        )


def _ranks(asked: Asked, row: Row, said: Sequence[_Said]) -> list[int]:
    """Give the verdict of each test: a column of its own, or where tests travel as a table that of its best slot."""
    if not asked.defaults:
        return [row[f"v{number}"] for number in range(len(asked.tests))]
    best: dict[int, int] = {}
    for one in said:
        if one.slot_verdict is not None:
            best[one.test] = max(best.get(one.test, 0), one.slot_verdict)
    return [best.get(number, rank) for number, rank in enumerate(asked.defaults)]


def places(trees: Iterable[Tree]) -> dict[int, int]:
    """Give the constraint each test belongs to."""
    return {test: place for place, tree in enumerate(trees) for test in _numbers(tree)}


def _numbers(tree: Tree) -> Iterable[int]:
    return (tree,) if isinstance(tree, int) else (number for member in tree[1] for number in _numbers(member))


def _scopes(claims: Iterable[Citation]) -> tuple[Mapping[str, str], ...]:
    """Give the scopes of some claims, each once."""
    return tuple({tuple(one.scope.items()): one.scope for one in claims}.values())


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
