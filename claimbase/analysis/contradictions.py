"""Contradictions: where two visible claims of one slot cannot both hold (semantics 7).

They are found when asked for and never stored; both sides are always kept and shown.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from sys import intern
from typing import Any, ClassVar

from claimbase.analysis.cite import Citation, citations
from claimbase.analysis.independence import independence
from claimbase.analysis.result import Result, plain
from claimbase.analysis.windows import Moment, chosen_ids, portions, window
from claimbase.claims import claim_id
from claimbase.evidence.corroborating import Chorus
from claimbase.pausing import without_collector
from claimbase.present.words import counted
from claimbase.store import Db
from claimbase.temporal import TICK, Basis, Interval, iso

KINDS = ("hard", "absence", "unclosed_predecessor", "unconfirmed_succession", "possible")
INFORMATION = ("scope_differs", "incomparable_units", "end_differs")
SILENT = ("unread", "scope_missing", "source_withdrawn")
UNEXAMINED = "unexamined"
"""Not a kind: how many further pairs of a slot with more than 250,000 of them were not looked at (K10)."""
PAIRS_LISTED = 100
"""How many pairs a card lists; the others are counted (K10)."""
REMARKS_LISTED = 1000
"""How many remarks of each kind are listed on request; all are counted."""
PORTION = 1_500_000
"""How many versions one statement looks through for contradictions; more only where one predicate has more."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two claims that cannot both hold.

    Args:
        id: stable, from the slot and the two claims; its intervals may move, the id does not (K7).
        kind: the first of KINDS' rules that applies (K3).
        claims: both claim ids, sorted.
        disputed: the intervals in which both are stated to hold (K1).
        suggested_end: where the earlier claim of one source was probably not closed: the later one's start (K3).
    """

    id: str
    kind: str
    claims: tuple[str, str]
    disputed: tuple[Interval, ...]
    suggested_end: Mapping[str, datetime] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Give the pair as plain data."""
        plain_pair = {"id": self.id, "kind": self.kind, "claims": list(self.claims), "disputed": plain(self.disputed)}
        return plain_pair | ({"suggested_end": plain(self.suggested_end)} if self.suggested_end else {})


@dataclass(frozen=True, slots=True)
class Side:
    """One value of a disputed slot with every claim that states it, newest observation first, and its voices (R1)."""

    value: str | None
    value_key: str | None
    unit: str | None
    polarity: str
    claims: tuple[Citation, ...]
    voices: int

    def to_json(self) -> dict[str, Any]:
        """Give the side as plain data."""
        return {
            "value": self.value, "value_key": self.value_key, "unit": self.unit, "polarity": self.polarity,
            "voices": self.voices, "claims": plain(self.claims),
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Card:
    """A disputed slot (K10): when, the sides with their evidence, and the pairs.

    Args:
        disputed: the union of all pairs' disputed intervals.
        counts: pairs of claims by kind, all of them; `unexamined` beside them where there are too many to look at.
        sides: one per value, newest observation first, ties by claim id (K7).
        pairs: the first PAIRS_LISTED of them.
    """

    provider: str
    subject: str
    predicate: str
    scope: Mapping[str, str]
    disputed: tuple[Interval, ...]
    counts: Mapping[str, int]
    sides: tuple[Side, ...]
    pairs: tuple[Pair, ...]

    def to_json(self) -> dict[str, Any]:
        """Give the card as plain data."""
        names = ("provider", "subject", "predicate", "scope", "disputed", "counts", "sides", "pairs")
        return {name: plain(getattr(self, name)) for name in names}


@dataclass(frozen=True, slots=True)
class Remark:
    """What is no contradiction but worth knowing: another scope, no common unit, other ends (K3)."""

    kind: str
    provider: str
    subject: str
    predicate: str
    scopes: tuple[Mapping[str, str], Mapping[str, str]]
    claims: tuple[str, str]
    shared: Interval

    def to_json(self) -> dict[str, Any]:
        """Give the remark as plain data."""
        names = ("kind", "provider", "subject", "predicate", "scopes", "claims", "shared")
        return {name: plain(getattr(self, name)) for name in names}


@dataclass(frozen=True, slots=True)
class OutsideLifetime:
    """A claim that certainly holds where none of the claims on its subject's lifetime possibly does (K9)."""

    claim_id: str
    provider: str
    subject: str
    predicate: str
    scope: Mapping[str, str]
    outside: Interval

    def to_json(self) -> dict[str, Any]:
        """Give the claim as plain data."""
        names = ("claim_id", "provider", "subject", "predicate", "scope", "outside")
        return {name: plain(getattr(self, name)) for name in names}


@dataclass(frozen=True, slots=True, repr=False)
class ContradictionReport(Result):
    """All contradictions of a basis in a window, one card a slot.

    Args:
        cards: by provider, subject, predicate, scope.
        counts: pairs by kind, over all cards.
        information: how many remarks of each kind there are.
        silent: how many claims say nothing: unread values (V2), scores without the scope they need (P3),
            claims of withdrawn sources (R2).
        remarks: the remarks themselves, where they were asked for; at most REMARKS_LISTED of each kind.
        outside_lifetime: claims that run past their subject's lifetime (K9); the first REMARKS_LISTED.
        window: the valid time looked at.
        basis: what was known.
    """

    cards: tuple[Card, ...]
    counts: Mapping[str, int]
    information: Mapping[str, int]
    silent: Mapping[str, int]
    remarks: tuple[Remark, ...]
    outside_lifetime: tuple[OutsideLifetime, ...]
    window: Interval
    basis: Basis

    COLUMNS: ClassVar[tuple[str, ...]] = (
        "provider", "subject", "predicate", "scope", "kind", "from", "until", "claim_id", "value", "url",
        "other_claim_id", "other_value", "other_url", "id",
    )  # fmt: skip

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """Every listed pair, card by card."""
        return tuple(pair for card in self.cards for pair in card.pairs)

    @property
    def total(self) -> int:
        """How many pairs of claims contradict each other."""
        return sum(self.counts[kind] for kind in KINDS if kind in self.counts)

    @property
    def summary(self) -> str:
        """Say the result in one sentence."""
        if not self.cards:
            return f"no contradictions {_when(self.window)}"
        kinds = ", ".join(f"{number} {kind}" for kind, number in self.counts.items())
        return f"{counted(self.total, 'contradiction')} in {counted(len(self.cards), 'slot')}: {kinds}"

    def rows(self) -> list[dict[str, Any]]:
        """Give one row per listed pair and disputed interval."""
        return [row for card in self.cards for row in _card_rows(card)]

    def to_json(self) -> dict[str, Any]:
        """Give the report as plain data."""
        names = (
            "summary",
            "counts",
            "cards",
            "information",
            "silent",
            "remarks",
            "outside_lifetime",
            "window",
            "basis",
        )
        return {name: plain(getattr(self, name)) for name in names}


def contradictions(
    db: Db,
    basis: Basis,
    *,
    at: Moment | None = None,
    during: tuple[Moment | None, Moment | None] | None = None,
    all_time: bool = False,
    subjects: Sequence[str] = (),
    predicates: Sequence[str] = (),
    providers: Sequence[str] = (),
    information: bool = False,
) -> ContradictionReport:
    """Find the contradictions among the claims visible at a basis.

    Args:
        db: the base.
        basis: what was known; its valid_at is the instant looked at unless a window is named.
        at: one instant of valid time.
        during: a half-open window; None = unbounded on that side. It selects disputes, it does not cut them.
        all_time: look at all of valid time, so that past and future disputes are found today (K1).
        subjects, predicates, providers: names to look at; empty = all.
        information: list the remarks too, which are otherwise only counted.

    Raises:
        InputError: [two_windows] more than one of at, during and all_time.
        IntervalError: the window is empty or inverted (B3).
    """
    looked_at = window(basis, at=at, during=during, all_time=all_time)
    ids = chosen_ids(db, basis, subjects=subjects, predicates=predicates, providers=providers)
    params = {
        "observed_by": basis.observed_by, "recorded_by": basis.recorded_by, "since": looked_at.start,
        "before": looked_at.end,
    } | ids  # fmt: skip
    remarks, noted = _remarks(db, params, listed=REMARKS_LISTED if information else 0)
    silent = {kind: noted.pop(kind) for kind in SILENT}
    outside = _outside_lifetime(db, params)
    with without_collector():  # last, since what they hold is the most
        cards = _cards(db, basis, params)
    return ContradictionReport(cards, _sum_counts(cards), noted, silent, remarks, outside, looked_at, basis)


def _when(window: Interval) -> str:
    """Name the valid time looked at for people."""
    if window.start is None and window.end is None:
        return "at any time"
    if window.start is not None and window.end == window.start + TICK:
        return f"at {iso(window.start)}"
    return f"in {window}"


def count_disputes(db: Db, basis: Basis, ids: Mapping[str, list[int] | None]) -> int:
    """Count the pairs of claims that contradict each other at the basis, without fetching them.

    Args:
        db: the base.
        basis: what was known, and the instant of valid time.
        ids: canonical numbers of subjects and predicates, as `windows.chosen_ids` gives them.
    """
    axes = {"observed_by": basis.observed_by, "recorded_by": basis.recorded_by}
    now = {"since": basis.valid_at, "before": basis.valid_at + TICK}
    ((number,),) = db.file("queries/dispute_count", axes | now | dict(ids))
    return int(number)


def _cards(db: Db, basis: Basis, params: dict[str, Any]) -> tuple[Card, ...]:
    """Make the cards, a portion of the predicates at a time: what one statement looks at and gives lies in memory."""
    cards: list[Card] = []
    chorus: Chorus | None = None
    for part in portions(db, basis, params, PORTION):
        found = db.file("queries/contradictions", part | {"pairs": PAIRS_LISTED}).dicts()
        cited = citations(db, basis, (version for row in found for version in row["versions"]))
        while found:
            chorus = chorus or independence(db, basis).chorus
            cards.append(_card(found.pop(), cited, chorus))
    return tuple(sorted(cards, key=_place))


def _place(card: Card) -> tuple[str, str, str, bool, str]:
    scope = json.dumps(card.scope, ensure_ascii=False, sort_keys=True)
    return (card.provider, card.subject, card.predicate, bool(card.scope), scope)


def _card(row: dict[str, Any], cited: Mapping[int, Citation], chorus: Chorus) -> Card:
    slot = (row["provider"], row["subject"], row["predicate"], row["scope"])
    return Card(
        provider=intern(row["provider"]),
        subject=intern(row["subject"]),
        predicate=intern(row["predicate"]),
        scope=json.loads(row["scope"]),
        disputed=tuple(Interval(one["since"], one["before"]) for one in row["disputed"]),
        counts=_ordered({one["kind"]: one["n"] for one in row["counts"]}),
        sides=_sides((cited[version] for version in row["versions"]), chorus),
        pairs=_pairs(slot, row["pairs"]),
    )


def _sides(cited: Iterable[Citation], chorus: Chorus) -> tuple[Side, ...]:
    """Group claims by value; claims and sides newest observation first, ties by claim id and start (C16)."""
    ranked = sorted(cited, key=lambda one: (one.claim_id, one.from_latest is None, one.from_latest))
    ranked.sort(key=lambda one: one.newest, reverse=True)
    grouped: dict[tuple[str | None, str | None, str], list[Citation]] = {}
    for one in ranked:
        key = (None if one.polarity == "absent" else one.value_key, one.unit, one.polarity)
        grouped.setdefault(key, []).append(one)
    return tuple(
        Side(ones[0].value, *key, tuple(ones), chorus.speaking(one.source_id for one in ones))
        for key, ones in grouped.items()
    )


def _pairs(slot: tuple[str, ...], rows: Iterable[Mapping[str, Any]]) -> tuple[Pair, ...]:
    """Gather the disputed intervals of each pair of claims and kind under one id (K7)."""
    grouped: dict[tuple[int, int, str], list[Mapping[str, Any]]] = {}
    for row in rows:
        grouped.setdefault((row["claim_no"], row["other_no"], row["kind"]), []).append(row)
    return tuple(_pair(slot, *key, ones) for key, ones in grouped.items())


def _pair(slot: tuple[str, ...], one: int, other: int, kind: str, rows: Sequence[Mapping[str, Any]]) -> Pair:
    ids = (claim_id(one), claim_id(other))
    disputed = tuple(Interval(row["disputed_from"], row["disputed_until"]) for row in rows)
    ends = {claim_id(row["to_close"]): row["suggested_end"] for row in rows if row["suggested_end"]}
    return Pair(pair_id(slot, ids), intern(kind), ids, disputed, ends)


def pair_id(slot: Sequence[str], claims: Sequence[str]) -> str:
    """Give the stable id of a contradiction: a digest of the slot's names and the two claim ids (K7)."""
    parts = "".join(f"{len(part)}:{part}" for part in (*slot, *sorted(claims)))
    return "k_" + hashlib.sha256(parts.encode()).hexdigest()[:16]


def _remarks(db: Db, params: Mapping[str, Any], *, listed: int) -> tuple[tuple[Remark, ...], dict[str, int]]:
    found = db.file("queries/information", {**params, "listed": listed}).dicts()
    counts = {row["kind"]: int(row["n"]) for row in found}
    remarks = tuple(_remark(row) for row in found if row["kind"] in INFORMATION) if listed else ()
    return remarks, {kind: counts.get(kind, 0) for kind in (*INFORMATION, *SILENT)}


def _remark(row: Mapping[str, Any]) -> Remark:
    return Remark(
        row["kind"],
        row["provider"],
        row["subject"],
        row["predicate"],
        scopes=(json.loads(row["scope"]), json.loads(row["other_scope"])),
        claims=(claim_id(row["claim_no"]), claim_id(row["other_no"])),
        shared=Interval(row["disputed_from"], row["disputed_until"]),
    )


def _outside_lifetime(db: Db, params: Mapping[str, Any]) -> tuple[OutsideLifetime, ...]:
    found = db.file("queries/outside_lifetime", {**params, "listed": REMARKS_LISTED}).dicts()
    return tuple(
        OutsideLifetime(
            row["claim_id"],
            row["provider"],
            row["subject"],
            row["predicate"],
            json.loads(row["scope"]),
            Interval(row["outside_from"], row["outside_until"]),
        )
        for row in found
    )


def _ordered(counts: Mapping[str, int]) -> dict[str, int]:
    return {kind: counts[kind] for kind in (*KINDS, UNEXAMINED) if kind in counts}


def _sum_counts(cards: Iterable[Card]) -> dict[str, int]:
    totals: dict[str, int] = {}
    for card in cards:
        for kind, number in card.counts.items():
            totals[kind] = totals.get(kind, 0) + number
    return _ordered(totals)


def _card_rows(card: Card) -> list[dict[str, Any]]:
    cited = {one.claim_id: one for side in card.sides for one in side.claims}
    scope = json.dumps(dict(card.scope), sort_keys=True) if card.scope else ""
    rows = []
    for pair in card.pairs:
        one, other = sorted((cited[claim] for claim in pair.claims), key=lambda c: c.newest, reverse=True)
        for interval in pair.disputed:
            values = (
                card.provider, card.subject, card.predicate, scope, pair.kind, interval.start, interval.end,
                one.claim_id, one.value, one.url, other.claim_id, other.value, other.url, pair.id,
            )  # fmt: skip
            rows.append(dict(zip(ContradictionReport.COLUMNS, values, strict=True)))
    return rows
