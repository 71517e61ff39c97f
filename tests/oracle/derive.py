"""F of B1: from the log of one slot and one source to its boxes, computed instant by instant.

At every observed instant O the belief is worked out from what was read by O and nothing else (A4); boxes are these
beliefs laid side by side over O. Nothing is carried from one instant to the next.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from .active import LOWEST, Bounds, Box, is_empty, least, tightened

Span = tuple[int | None, int | None]
End = Span | Literal["open", "holds", "ended"]
ALWAYS = Bounds(LOWEST, LOWEST, None, None)
FAR = 1 << 80


@dataclass(frozen=True, slots=True)
class Statement:
    """What a claim says: its value and the interval its source states for it."""

    value: Hashable
    stated_from: Span | None = None
    stated_until: End = "open"
    polarity: Literal["stated", "absent"] = "stated"

    @property
    def says(self) -> Hashable:
        """What counts as the value: an absence is a value of its own."""
        return (self.polarity, None if self.polarity == "absent" else self.value)

    @property
    def dated(self) -> bool:
        """Whether a start is stated."""
        return self.stated_from not in (None, (None, None))

    @property
    def bounded(self) -> bool:
        """Whether an end of any kind is stated."""
        return self.stated_until not in ("open", (None, None))

    @property
    def start(self) -> tuple[int, int]:
        """The stated start as two comparable instants."""
        earliest, latest = self.stated_from or (None, None)
        return (-FAR if earliest is None else earliest, FAR if latest is None else latest)


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the log: at instant `o` the source said a claim, or no longer did."""

    claim: str
    o: int
    kind: Literal["said", "gone"] = "said"
    ordinal: int | None = None


@dataclass(frozen=True, slots=True)
class SourceFlags:
    """How a source is read: whole, a removal denies (complete), own chronology; and all its reading instants."""

    whole: bool = False
    complete: bool = False
    own: bool = False
    readings: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class PredicateFlags:
    """What the rules need to know of a predicate."""

    single: bool = True
    timeless: bool = False
    closed_world: bool = False


@dataclass(frozen=True, slots=True)
class Moment:
    """One reading of the slot: all it says, what of it in so many words (`fresh`), what it misses."""

    at: int
    said: frozenset[str]
    fresh: frozenset[str]
    gone: frozenset[str]


@dataclass(frozen=True, slots=True)
class Run:
    """A maximal series of readings that say one claim, the reading that lost it, and what came after that."""

    said: tuple[int, ...]
    lost: Moment | None = None
    replaced: Moment | None = None
    again: int | None = None

    @property
    def first(self) -> int:
        """The run's first reading."""
        return self.said[0]

    @property
    def last(self) -> int:
        """The run's last reading that said the claim."""
        return self.said[-1]

    def alive(self, at: int) -> bool:
        """Whether the run has begun and is not yet lost at an instant."""
        return self.first <= at and (self.lost is None or at < self.lost.at)


@dataclass(frozen=True, slots=True)
class Slot:
    """The statements of one slot and source with the flags that govern them."""

    statements: Mapping[str, Statement]
    source: SourceFlags
    predicate: PredicateFlags

    def differs(self, one: str, other: str) -> bool:
        """Say whether two claims state different values of a single predicate."""
        return self.predicate.single and self.statements[one].says != self.statements[other].says

    def ends(self, new: str, old: str) -> bool:
        """Say whether stating `new` without `old` can end `old`: T8, W3 (no exception), K3 (no two stated starts)."""
        one, other = self.statements[new], self.statements[old]
        if not self.differs(new, old) or self.predicate.timeless:
            return self.differs(new, old)
        return not one.bounded and not (one.dated and other.dated)

    def begun(self, claim: str, at: int) -> bool:
        """Say whether a claim's stated start is not still to come."""
        statement = self.statements[claim]
        return self.predicate.timeless or not statement.dated or statement.start[0] <= at

    def spoken(self, entries: Iterable[Entry]) -> tuple[frozenset[str], frozenset[str]]:
        """Return what one instant says and misses: the last ordinal counts, without one said wins (B5)."""
        final: dict[str, tuple[int, bool]] = {}
        for entry in entries:
            rank = (-1 if entry.ordinal is None else entry.ordinal, entry.kind == "said")
            final[entry.claim] = max(final.get(entry.claim, rank), rank)
        said = {claim: rank for claim, (rank, is_said) in final.items() if is_said}
        outdone = {old for old in said for new in said if said[new] > said[old] >= 0 and self.ends(new, old)}
        return frozenset(said.keys() - outdone), frozenset(final.keys() - said.keys())

    def moments(self, log: Iterable[Entry], by: int) -> list[Moment]:
        """Return the readings made by an instant; in a whole source silence repeats what was said (T8)."""
        log = [entry for entry in log if entry.o <= by]
        whole = self.source.whole
        instants = {e.o for e in log} | ({o for o in self.source.readings if o <= by} if whole else set())
        result: list[Moment] = []
        for at in sorted(instants):
            said, gone = self.spoken(entry for entry in log if entry.o == at)
            silent = result[-1].said - gone if whole and result else frozenset()
            result.append(Moment(at, said | silent, said, gone))
        return result

    def enders(self, claim: str, moment: Moment) -> list[Statement]:
        """Return the statements whose being said ends a claim that this reading does not say."""
        if claim in moment.said:
            return []
        return [
            self.statements[d]
            for d in moment.fresh
            if self.ends(d, claim) and (self.begun(d, moment.at) or claim in moment.gone)
        ]

    def misses(self, claim: str, moment: Moment) -> bool:
        """Say whether the claim is absent from a reading."""
        return claim not in moment.said and (claim in moment.gone or bool(self.enders(claim, moment)))

    def runs(self, claim: str, moments: list[Moment]) -> list[Run]:
        """Return the runs of a claim in order, as far as these readings show them."""
        saying = [m.at for m in moments if claim in m.said]
        missing = [m for m in moments if self.misses(claim, m)]
        groups: list[list[int]] = []
        for at in saying:
            if groups and not any(groups[-1][-1] < m.at < at for m in missing):
                groups[-1].append(at)
            else:
                groups.append([at])
        runs = []
        for place, group in enumerate(groups):
            again = groups[place + 1][0] if place + 1 < len(groups) else None
            after = [m for m in missing if m.at > group[-1] and (again is None or m.at < again)]
            replaced = next((m for m in after if self.enders(claim, m)), None)
            runs.append(Run(tuple(group), after[0] if after else None, replaced, again))
        return runs

    def reading_before(self, claim: str, first: int, moments: list[Moment]) -> int | None:
        """Return the last reading before a run that states another value or misses the claim (T8)."""
        earlier = [m for m in moments if m.at < first]
        if self.source.own or not earlier:
            return None
        if self.source.whole and self.predicate.closed_world:
            return earlier[-1].at
        stated = next((m.at for m in earlier if m.said), None)
        if stated is None:
            return None
        return max((m.at for m in earlier if m.at >= stated and self.tells(claim, m)), default=None)

    def tells(self, claim: str, moment: Moment) -> bool:
        """Say whether a reading made before a run shows that the run had not begun."""
        return self.source.whole or claim in moment.gone or any(self.differs(claim, d) for d in moment.said)


def derive(
    statements: Mapping[str, Statement],
    entries: Iterable[Entry],
    source: SourceFlags | None = None,
    predicate: PredicateFlags | None = None,
) -> frozenset[Box]:
    """Return the boxes that follow from the log of one slot and one source (B1)."""
    source, predicate = source or SourceFlags(), predicate or PredicateFlags()
    slot, log = Slot(statements, source, predicate), list(entries)
    instants = sorted({entry.o for entry in log} | set(source.readings if source.whole else ()))
    boxes: set[Box] = set()
    standing: dict[tuple[str, int, Bounds], int] = {}
    for at in instants:
        now = belief(slot, slot.moments(log, at))
        for key in standing.keys() - now:
            boxes.add(_box(key, standing.pop(key), at))
        for key in now - standing.keys():
            standing[key] = at
    return frozenset(boxes | {_box(key, since, None) for key, since in standing.items()})


def _box(key: tuple[str, int, Bounds], since: int, until: int | None) -> Box:
    claim, first, bounds = key
    return Box(claim, *bounds, since, until, first)


def belief(slot: Slot, moments: list[Moment]) -> set[tuple[str, int, Bounds]]:
    """Return what these readings lead us to believe: (claim, first reading of the run, bounds)."""
    runs = {claim: slot.runs(claim, moments) for claim in slot.statements}
    believed = set()
    for claim, statement in slot.statements.items():
        one_run = statement.dated or statement.bounded or slot.predicate.timeless
        for run in runs[claim][-1:] if one_run else runs[claim]:
            bounds = valid_bounds(slot, moments, runs, claim, run)
            if bounds is not None:
                believed.add((claim, run.first, bounds))
    return believed


def valid_bounds(
    slot: Slot, moments: list[Moment], runs: Mapping[str, list[Run]], claim: str, run: Run
) -> Bounds | None:
    """Return the bounds of one run, or None where nothing of it is believed any more."""
    statement = slot.statements[claim]
    if slot.predicate.timeless:
        denied = slot.source.complete or slot.predicate.closed_world
        return None if run.replaced or (run.lost and (denied or slot.source.own)) else ALWAYS
    if run.lost and (slot.source.own or cancelled(slot, runs, claim, run)):
        return None
    fe, fl = undated_start(slot, moments, claim, run)
    if statement.stated_from and statement.dated:
        fe, fl = statement.stated_from
    bounds = tightened(Bounds(fe, fl, *valid_end(slot, moments, runs, claim, run, fe)))
    return None if is_empty(bounds) else bounds


def valid_end(
    slot: Slot, moments: list[Moment], runs: Mapping[str, list[Run]], claim: str, run: Run, from_earliest: int | None
) -> Span:
    """Return the end of one run: as stated or announced, and cut where it is lost; an earlier end stays (W2)."""
    ends = [
        stated_end(slot.statements[claim], from_earliest, run.first),
        *announced_ends(slot, moments, runs, claim, run),
    ]
    if run.lost is None:
        return all_least(ends)
    if slot.statements[claim].stated_until == "holds":
        ends = ends[1:]  # said to hold at the run's last reading too: certain up to there (W2)
    until, end = all_least(ends), cut(slot, claim, run)
    if until[1] is not None and until[1] <= run.lost.at and (end[1] is None or until[1] <= end[1]):
        return until
    return all_least([until, end])


def all_least(spans: list[Span]) -> Span:
    """Return the least of each column."""
    return (least(*(span[0] for span in spans)), least(*(span[1] for span in spans)))


def undated_start(slot: Slot, moments: list[Moment], claim: str, run: Run) -> Span:
    """Return where an undated run began: after the reading before (T8), by its first reading (T5)."""
    before = slot.reading_before(claim, run.first, moments)
    earliest, latest = None if before is None else before + 1, run.first
    until = slot.statements[claim].stated_until
    if isinstance(until, tuple) and until[0] is not None:
        latest = min(latest, until[0] - 1)
    return (None if earliest is None or earliest > latest else earliest, latest)


def stated_end(statement: Statement, from_earliest: int | None, first: int) -> Span:
    """Return the end as the source states it; an unknown end by T6."""
    until = statement.stated_until
    if until == "holds":
        return (first + 1, None)
    if until == "ended":
        return ((LOWEST if from_earliest is None else from_earliest) + 1, first)
    return until if isinstance(until, tuple) else (None, None)


def cut(slot: Slot, claim: str, run: Run) -> Span:
    """Return the end of a lost run: a change (T8), a denial, or an unknown end (W2)."""
    lost, replaced = run.lost, run.replaced
    if lost is None:
        return (None, None)
    denied = slot.source.complete or slot.predicate.closed_world
    end: Span = (run.last + 1, lost.at if denied else None)
    if replaced is not None and (replaced is lost or not denied):
        end = change(slot.enders(claim, replaced), run.last, replaced.at)
    return (end[0], least(end[1], run.again))


def change(successors: Iterable[Statement], last: int, at: int) -> Span:
    """Return the end of what was last said at `last` and replaced at `at`; a later stated start decides it (T8)."""
    later = [s for s in successors if s.dated and s.start[1] > last]
    if not later:
        return (last + 1, at)
    earliest, latest = min(s.start for s in later)
    return (max(earliest, last + 1), None if latest == FAR else latest)


def heralds(slot: Slot, coming: str, its: Run, claim: str, run: Run) -> bool:
    """Say whether one run announced, before its stated start and while the other was alive, that this would end."""
    new, old = slot.statements[coming], slot.statements[claim]
    if slot.predicate.timeless or slot.source.own or old.dated or not new.dated or not slot.ends(coming, claim):
        return False
    return any(o < new.start[0] and run.alive(o) for o in its.said)


def announced_ends(
    slot: Slot, moments: list[Moment], runs: Mapping[str, list[Run]], claim: str, run: Run
) -> list[Span]:
    """Return the end that the earliest announcement still standing gives a run, if any (T8)."""
    said = [m.at for m in moments if claim in m.fresh]
    starts = [
        slot.statements[coming].start
        for coming in slot.statements
        for its in runs[coming][-1:]
        if its.lost is None
        and heralds(slot, coming, its, claim, run)
        and not any(at >= slot.statements[coming].start[0] for at in said)
    ]
    return [(first, None if last == FAR else last) for first, last in [min(starts)]] if starts else []


def cancelled(slot: Slot, runs: Mapping[str, list[Run]], coming: str, its: Run) -> bool:
    """Say whether an announcement was withdrawn by the old value being stated without it (T8)."""
    statement = slot.statements[coming]
    if not statement.dated or its.lost is None or its.last >= statement.start[0]:
        return False
    old = {slot.statements[c].says for c in slot.statements for r in runs[c] if heralds(slot, coming, its, c, r)}
    restated = {slot.statements[c].says for c in its.lost.said if slot.ends(c, coming)}
    return bool(old & restated)
