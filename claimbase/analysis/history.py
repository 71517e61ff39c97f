"""History: how the value of a slot went over time, every evidence kept, expired claims told from conflict (H1, H3)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any, ClassVar

from claimbase.analysis.cite import Citation, citations
from claimbase.analysis.contradictions import count_disputes
from claimbase.analysis.independence import independence
from claimbase.analysis.knowledge import State, states
from claimbase.analysis.result import Result, plain
from claimbase.analysis.subjects import instead
from claimbase.analysis.tombstones import Tombstone, tombstones
from claimbase.analysis.windows import Window, chosen_ids, window
from claimbase.evidence.corroborating import Chorus
from claimbase.present import clocks
from claimbase.present.words import counted
from claimbase.store import Db
from claimbase.temporal import TICK, Basis, Interval

STATUSES = ("current", "upcoming", "historical", "retracted")


@dataclass(frozen=True, slots=True)
class Segment:
    """One value of a slot during one stretch of valid time, with every claim that states it.

    Args:
        value: as written by the newest observation; None where the content was erased.
        value_key: the canonical text that decides equality, with *unit*.
        status: current, upcoming, historical or retracted, at the basis (A3).
        doubt: why a current segment is only possible: start unknown, between readings, end unknown, unconfirmed.
        unconfirmed_since: the last reading that said it, where a later one missed it (W2).
        certain: where it certainly holds; None if nowhere.
        possible: where it may hold.
        open_end: a source states no end; otherwise a missing end is an unknown one (T6).
        claims: newest observation first, ties by claim id.
        voices: how many independent ones state it (R1, K4).
        became: what a retracted segment's claims became: corrected, retracted or erased.
    """

    provider: str
    subject: str
    predicate: str
    scope: Mapping[str, str]
    value: str | None
    value_key: str | None
    unit: str | None
    polarity: str
    status: str
    doubt: str | None
    unconfirmed_since: datetime | None
    certain: Interval | None
    possible: Interval
    open_end: bool
    claims: tuple[Citation, ...]
    voices: int
    became: tuple[str, ...] = ()

    @property
    def slot(self) -> tuple[str, str, str, str]:
        """The slot, as something that sorts."""
        return self.provider, self.subject, self.predicate, _written(self.scope)

    @property
    def start(self) -> datetime | None:
        """Where it certainly begins, or may begin if it is never certain."""
        return (self.certain or self.possible).start

    @property
    def end(self) -> datetime | None:
        """Where it is certainly over; None = open or unknown."""
        return self.possible.end

    def to_json(self) -> dict[str, Any]:
        """Give the segment as plain data."""
        names = (
            "provider", "subject", "predicate", "scope", "value", "value_key", "unit", "polarity", "status", "doubt",
            "unconfirmed_since", "certain", "possible", "open_end", "voices", "became", "claims",
        )  # fmt: skip
        return {name: plain(getattr(self, name)) for name in names}


@dataclass(frozen=True, slots=True)
class Gap:
    """A stretch of a slot's valid time for which no claim says anything, between two that do (H1)."""

    provider: str
    subject: str
    predicate: str
    scope: Mapping[str, str]
    stretch: Interval

    def to_json(self) -> dict[str, Any]:
        """Give the gap as plain data."""
        names = ("provider", "subject", "predicate", "scope", "stretch")
        return {name: plain(getattr(self, name)) for name in names}


@dataclass(frozen=True, slots=True, repr=False)
class History(Result):
    """The segments of a subject's slots.

    Args:
        subject: as asked.
        segments: by slot, then by time.
        gaps: by slot, then by time.
        counts: claims per status, a claim once per segment, and active conflicts at the basis.
        basis: what was known; statuses are as of its valid_at.
        tombstones: what was erased of these slots, named at every basis; by slot, then by claim.
        by: the axis of knowledge along which states are told; None = they are not.
        states: what was believed of each slot before, by slot and instant.
        nearest: where nothing was ever called so: the subjects whose names are spelled nearest.
    """

    subject: str
    segments: tuple[Segment, ...]
    gaps: tuple[Gap, ...]
    counts: Mapping[str, int]
    basis: Basis
    tombstones: tuple[Tombstone, ...] = ()
    by: str | None = None
    states: tuple[State, ...] = ()
    nearest: tuple[str, ...] = ()

    COLUMNS: ClassVar[tuple[str, ...]] = (
        "provider", "subject", "predicate", "scope", "value", "unit", "status", "doubt", "certain_from",
        "certain_until", "possible_from", "possible_until", "claims", "voices", "claim_ids", "urls",
    )  # fmt: skip

    @property
    def summary(self) -> str:
        """Say the result in one sentence."""
        return self.sentence

    @property
    def sentence(self) -> str:
        """Say how many claims stand how, and that expired claims are history, not current conflict (H1)."""
        erased = [f"{len(self.tombstones)} erased"] if self.tombstones else []
        if not self.segments:
            near = f"; nearest: {', '.join(self.nearest)}" if self.nearest else ""
            return ", ".join([f"no claims about {self.subject}", *erased]) + near
        more = [f"{self.counts[status]} {status}" for status in ("upcoming", "retracted") if self.counts[status]]
        parts = [counted(self.counts["current"], "current claim"), f"{self.counts['historical']} historical", *more,
                 *erased, counted(self.counts["conflicts"], "active conflict")]  # fmt: skip
        aside = "; expired claims are history, not current conflict" if self.counts["historical"] else ""
        return ", ".join(parts) + aside

    def rows(self) -> list[dict[str, Any]]:
        """Give one row per segment."""
        return [_row(segment) for segment in self.segments]

    def to_json(self) -> dict[str, Any]:
        """Give the history as plain data."""
        names = ("subject", "sentence", "counts", "segments", "gaps", "basis", "tombstones", "nearest")
        told = ("by", "states") if self.by else ()
        return {name: plain(getattr(self, name)) for name in (*names, *told)}

    def draw(self, *, width: int = 64) -> str:
        """Draw the segments on the clock of valid time, or on two clocks where *by* names the other one.

        Args:
            width: how many characters the bars have; at least 16.
        """
        return (clocks.draw_knowledge if self.by else clocks.draw)(self.to_json(), width=width)


def history(
    db: Db,
    basis: Basis,
    subject: str,
    predicate: str | None = None,
    *,
    provider: str | None = None,
    during: Window | None = None,
    by: str | None = None,
) -> History:
    """Tell how the values of a subject went, as the basis knows it.

    Args:
        db: the base.
        basis: what was known; statuses are as of its valid_at.
        subject: a name or alias, in any case.
        predicate: one predicate; None = all.
        provider: only subjects of this provider; None = all.
        during: only segments that may hold in this half-open window; it selects and does not cut.
        by: recorded or observed, to tell also what was believed before, along that axis; None = not.

    Raises:
        IntervalError: the window is empty or inverted (B3).
        InputError: [bad_axis] by is no axis of knowledge.
    """
    looked_at = window(basis, during=during, all_time=during is None)
    ids = chosen_ids(
        db,
        basis,
        subjects=[subject],
        predicates=[predicate] if predicate else [],
        providers=[provider] if provider else [],
    )
    axes = {"valid_at": basis.valid_at, "observed_by": basis.observed_by, "recorded_by": basis.recorded_by}
    found = db.file("queries/history", axes | ids).dicts()
    cited = citations(db, basis, (version for row in found for version in row["versions"]))
    chorus = independence(db, basis).chorus if found else None
    segments = tuple(_segment(row, cited, chorus) for row in found if chorus)
    shown = tuple(one for one in segments if one.possible.intersect(looked_at))
    counts = {status: sum(len(one.claims) for one in shown if one.status == status) for status in STATUSES}
    counts["conflicts"] = count_disputes(db, basis, ids) if segments else 0
    gone = tombstones(db, basis, **ids)
    before = states(db, basis, ids, by) if by else ()
    near = () if segments else instead(db, basis, subject, provider)
    return History(subject, shown, _gaps(segments, looked_at), counts, basis, gone, by, before, near)


def _segment(row: Mapping[str, Any], cited: Mapping[int, Citation], chorus: Chorus) -> Segment:
    versions = [cited[version] for version in row["versions"]]
    # A claim counts once in a segment, with its newest version.
    by_claim = {one.claim_id: one for one in sorted(versions, key=lambda one: (one.recorded_at, one.observed_at))}
    claims = sorted(by_claim.values(), key=lambda one: one.claim_id)
    claims.sort(key=lambda one: one.newest, reverse=True)
    first = claims[0]
    missed = [one.until_earliest for one in versions if one.until_earliest] if row["doubt"] == "unconfirmed" else []
    return Segment(
        row["provider"], row["subject"], row["predicate"], json.loads(row["scope"]), first.value, first.value_key,
        first.unit, first.polarity, row["status"], row["doubt"], max(missed) - TICK if missed else None,
        Interval(row["certain_from"], row["certain_until"]) if row["ever_certain"] else None,
        Interval(row["possible_from"], row["possible_until"]), row["open_end"], tuple(claims),
        chorus.speaking(one.source_id for one in claims),        tuple(row["became"] or ()),
    )  # fmt: skip


def _gaps(segments: Iterable[Segment], looked_at: Interval) -> tuple[Gap, ...]:
    """List what lies between the possible stretches of each slot's standing claims."""
    gaps = []
    standing = [one for one in segments if one.status != "retracted"]
    for _, ones in groupby(standing, key=lambda one: one.slot):
        slot = list(ones)
        for stretch in _between([one.possible for one in slot]):
            if stretch.intersect(looked_at):
                first = slot[0]
                gaps.append(Gap(first.provider, first.subject, first.predicate, first.scope, stretch))
    return tuple(gaps)


def _between(stretches: Sequence[Interval]) -> list[Interval]:
    ordered = sorted(stretches, key=lambda one: (one.start is not None, one.start))
    gaps, reached = [], ordered[0].end
    for one in ordered[1:]:
        if reached is None:
            break
        if one.start is not None and one.start > reached:
            gaps.append(Interval(reached, one.start))
        reached = None if one.end is None else max(reached, one.end)
    return gaps


def _written(scope: Mapping[str, str]) -> str:
    return json.dumps(dict(scope), sort_keys=True) if scope else ""


def _row(segment: Segment) -> dict[str, Any]:
    certain = segment.certain
    values = (
        *segment.slot, segment.value, segment.unit, segment.status, segment.doubt, certain and certain.start,
        certain and certain.end, segment.possible.start, segment.possible.end, len(segment.claims), segment.voices,
        [one.claim_id for one in segment.claims], sorted({one.url for one in segment.claims}),
    )  # fmt: skip
    return dict(zip(History.COLUMNS, values, strict=True))
