"""F of B1: from the log of one slot to its boxes, source by source, computed instant by instant.

Decisions come in as readings of other claims and as links between claims (`decided`). At every observed instant O the
belief is worked out from what was read by O and nothing else (A4); boxes are these beliefs laid side by side over O.
Nothing is carried from one instant to the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from .active import LOWEST, Bounds, Box, is_empty, least, tightened
from .decided import Decision, Link, after_decisions
from .stated import FAR, End, Entry, PredicateFlags, SourceFlags, Span, Statement

__all__ = ["End", "Entry", "PredicateFlags", "SourceFlags", "Span", "Statement", "derive", "derive_slot"]
ALWAYS = Bounds(LOWEST, LOWEST, None, None)


@dataclass(frozen=True, slots=True)
class Moment:
    """One reading of the slot: all it says, what of it in so many words (`fresh`), what it misses.

    `moved` names what a decision says stands in place of a claim from here on. A moment that is no reading stands
    just `before` the readings of its instant (side -1) or just after them (side 1).
    """

    at: int
    said: frozenset[str] = frozenset()
    fresh: frozenset[str] = frozenset()
    gone: frozenset[str] = frozenset()
    moved: frozenset[tuple[str, Statement]] = frozenset()
    side: int = 0

    @property
    def place(self) -> int:
        """Where the moment stands among all: readings have even places."""
        return 2 * self.at + self.side

    @property
    def shown(self) -> int:
        """The last instant at which what it misses may still have held, as a start after it is inferred (T8)."""
        return self.at - 1 if self.side < 0 else self.at


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
        return self.first <= at and (self.lost is None or 2 * at < self.lost.place)


@dataclass(frozen=True, slots=True)
class Slot:
    """The statements of one slot and source with the flags that govern them, and the links that touch them."""

    statements: Mapping[str, Statement]
    source: SourceFlags
    predicate: PredicateFlags
    links: tuple[Link, ...] = ()

    @property
    def instants(self) -> set[int]:
        """The instants of decisions at which belief may change: when they became known, when a claim is given up."""
        return {link.o for link in self.links} | {max(link.o, link.v) for link in self.links if self.gives_up(link)}

    def gives_up(self, link: Link) -> bool:
        """Say whether a supersede tells that this source says the old claim until V and no longer (section 4)."""
        return link.kind == "supersede" and link.same_source and link.old in self.statements

    def changed(self, at: int) -> dict[str, Statement]:
        """Return what a reading is said to have changed: old claim -> the statement that now stands."""
        return {x.old: x.says for x in self.links if x.kind == "changed" and x.o == at and x.old in self.statements}

    def waits(self, claim: str, at: int) -> list[Link]:
        """Return the links that were known at an instant and let this claim begin only later."""
        return [x for x in self.links if x.kind == "supersede" and x.new == claim and x.o <= at < x.v]

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
        """Say whether a claim's start, stated or decided, is not still to come."""
        statement = self.statements[claim]
        if self.predicate.timeless:
            return True
        return statement.start[0] <= at if statement.dated else not self.waits(claim, at)

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
        said = {(entry.claim, entry.o) for entry in log if entry.kind == "said"}
        still = [x for x in self.links if self.gives_up(x) and x.o < x.v and x.o <= by]
        log += [Entry(x.old, x.o) for x in still if any(claim == x.old and o <= x.o for claim, o in said)]
        whole = self.source.whole
        instants = {e.o for e in log} | ({o for o in self.source.readings if o <= by} if whole else set())
        instants |= {x.o for x in self.links if x.o <= by and x.old in self.changed(x.o)}
        given_up = [_surrender(x) for x in self.links if self.gives_up(x) and max(x.o, x.v) <= by]
        given_up = [] if self.source.own else given_up
        result: list[Moment] = []
        for moment in sorted([Moment(at) for at in instants] + given_up, key=lambda m: m.place):
            silent = result[-1].said if whole and result else frozenset()
            if moment.side:
                read = [m.fresh for m in result if m.at == moment.at and moment.side > 0]
                result.append(replace(moment, said=silent - moment.gone, fresh=frozenset().union(*read) - moment.gone))
                continue
            said, gone = self.spoken(entry for entry in log if entry.o == moment.at)
            over = {x.old for x in self.links if self.gives_up(x) and x.v <= x.o == moment.at}
            silent -= frozenset() if self.source.own else over
            moved = {(old, new) for old, new in self.changed(moment.at).items() if old not in said}
            gone |= {old for old, _ in moved}
            result.append(Moment(moment.at, said | (silent - gone), said, gone, frozenset(moved)))
        return result

    def enders(self, claim: str, moment: Moment) -> list[Statement]:
        """Return the statements whose being said ends a claim that this reading does not say; a decision goes first."""
        if claim in moment.said:
            return []
        decided = [statement for old, statement in moment.moved if old == claim]
        awaited = {link.old for link in self.waits(claim, moment.at)}
        return decided or [
            self.statements[d]
            for d in moment.fresh - awaited
            if self.ends(d, claim) and (self.begun(d, moment.at) or claim in moment.gone)
        ]

    def misses(self, claim: str, moment: Moment) -> bool:
        """Say whether the claim is absent from a reading."""
        if moment.side:
            return claim in moment.gone
        return claim not in moment.said and (claim in moment.gone or bool(self.enders(claim, moment)))

    def runs(self, claim: str, moments: list[Moment]) -> list[Run]:
        """Return the runs of a claim in order, as far as these readings show them."""
        saying = [m.at for m in moments if claim in m.said and not m.side]
        missing = [m for m in moments if self.misses(claim, m)]
        groups: list[list[int]] = []
        for at in saying:
            if groups and not any(2 * groups[-1][-1] < m.place < 2 * at for m in missing):
                groups[-1].append(at)
            else:
                groups.append([at])
        runs = []
        for place, group in enumerate(groups):
            again = groups[place + 1][0] if place + 1 < len(groups) else None
            end = FAR if again is None else 2 * again
            after = [m for m in missing if 2 * group[-1] < m.place < end]
            replaced = next((m for m in after if self.enders(claim, m)), None)
            runs.append(Run(tuple(group), after[0] if after else None, replaced, again))
        return runs

    def reading_before(self, claim: str, first: int, moments: list[Moment]) -> int | None:
        """Return the last reading before a run that states another value or misses the claim (T8)."""
        earlier = [m for m in moments if m.place < 2 * first]
        if self.source.own or not earlier:
            return None
        always = self.source.whole and self.predicate.closed_world
        stated = -FAR if always else next((m.at for m in earlier if m.said), FAR)
        told = [m.shown for m in earlier if m.at >= stated and self.tells(claim, m)]
        for link in self.links:
            if link.kind == "changed" and (link.new, link.o) == (claim, first):
                told += [m.at for m in earlier if link.old in m.said and not m.side][-1:]
        return max(told, default=None)

    def tells(self, claim: str, moment: Moment) -> bool:
        """Say whether a moment before a run shows that the run had not begun."""
        if claim in moment.gone:
            return True
        return not moment.side and (self.source.whole or any(self.differs(claim, d) for d in moment.said))


def derive(
    statements: Mapping[str, Statement],
    entries: Iterable[Entry],
    source: SourceFlags | None = None,
    predicate: PredicateFlags | None = None,
) -> frozenset[Box]:
    """Return the boxes that follow from the log of one slot and one source (B1)."""
    source, predicate = source or SourceFlags(), predicate or PredicateFlags()
    return _derived(Slot(statements, source, predicate), list(entries))


def derive_slot(
    statements: Mapping[str, Statement],
    entries: Iterable[Entry],
    decisions: Iterable[Decision],
    said_by: Mapping[str, str],
    sources: Mapping[str, SourceFlags],
    predicate: PredicateFlags | None = None,
) -> frozenset[Box]:
    """Return the boxes that follow from the log of one slot: what its sources say, and what we decided (B1, B6).

    Args:
        said_by: which source says each claim.
    """
    log, links = after_decisions(statements, said_by, entries, decisions)
    boxes: set[Box] = set()
    for source, flags in sources.items():
        own = {claim: statements[claim] for claim in statements if said_by[claim] == source}
        touching = tuple(link for link in links if link.old in own or link.new in own)
        slot = Slot(own, flags, predicate or PredicateFlags(), touching)
        boxes |= _derived(slot, [entry for entry in log if entry.claim in own])
    return frozenset(boxes)


def _derived(slot: Slot, log: list[Entry]) -> frozenset[Box]:
    source = slot.source
    instants = sorted({entry.o for entry in log} | set(source.readings if source.whole else ()) | slot.instants)
    boxes: set[Box] = set()
    standing: dict[tuple[str, int, Bounds], int] = {}
    for at in instants:
        now = belief(replace(slot, links=tuple(x for x in slot.links if x.o <= at)), slot.moments(log, at))
        for key in standing.keys() - now:
            boxes.add(_box(key, standing.pop(key), at))
        for key in now - standing.keys():
            standing[key] = at
    return frozenset(boxes | {_box(key, since, None) for key, since in standing.items()})


def _box(key: tuple[str, int, Bounds], since: int, until: int | None) -> Box:
    claim, first, bounds = key
    return Box(claim, *bounds, since, until, first)


def _surrender(link: Link) -> Moment:
    """Return the moment at which a superseded claim stops being said: before readings at V, or after those at O."""
    gone = frozenset({link.old})
    return Moment(link.v, gone=gone, side=-1) if link.v > link.o else Moment(link.o, gone=gone, side=1)


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
    begin = None if statement.dated else begins(slot, moments, runs, claim, run)
    fe, fl = (begin, begin) if begin is not None else undated_start(slot, moments, claim, run)
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
        *capped_ends(slot, moments, runs, claim, run),
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
    end: Span = (min(run.last + 1, lost.at), lost.at) if denied else (run.last + 1, None)
    if replaced is not None and (replaced.at == lost.at or not denied):
        end = change(slot.enders(claim, replaced), run.last, replaced.at)
    return (end[0], least(end[1], run.again))


def change(successors: Iterable[Statement], last: int, at: int) -> Span:
    """Return the end of what was last said at `last` and replaced at `at`; a later stated start decides it (T8)."""
    later = [s for s in successors if s.dated and s.start[1] > last]
    if not later:
        return (min(last + 1, at), at)
    earliest, latest = min(s.start for s in later)
    return (max(earliest, last + 1), None if latest == FAR else latest)


def heralds(slot: Slot, coming: str, its: Run, claim: str, run: Run) -> bool:
    """Say whether one run announced, before its stated start and while the other was alive, that this would end."""
    new, old = slot.statements[coming], slot.statements[claim]
    if slot.predicate.timeless or slot.source.own or old.dated or not new.dated or not slot.ends(coming, claim):
        return False
    if any(x.kind == "supersede" and (x.old, x.new) == (claim, coming) for x in slot.links):
        return False  # that is decided, not merely announced
    awaited = [o for o in its.said if any(x.old == coming for x in slot.waits(claim, o))]
    return any(o < new.start[0] and run.alive(o) for o in its.said if o not in awaited)


def announced_ends(
    slot: Slot, moments: list[Moment], runs: Mapping[str, list[Run]], claim: str, run: Run
) -> list[Span]:
    """Return the end that the earliest announcement still standing gives a run, if any (T8)."""
    said = [m.at for m in moments if claim in m.fresh]
    begin = begins(slot, moments, runs, claim, run)
    starts = [
        slot.statements[coming].start
        for coming in slot.statements
        for its in runs[coming][-1:]
        if its.lost is None
        and heralds(slot, coming, its, claim, run)
        and (begin is None or begin < slot.statements[coming].start[1])
        and not any(at >= slot.statements[coming].start[0] for at in said)
    ]
    return [(first, None if last == FAR else last) for first, last in [min(starts)]] if starts else []


def cancelled(slot: Slot, runs: Mapping[str, list[Run]], coming: str, its: Run) -> bool:
    """Say whether an announcement was withdrawn by the old value being stated without it (T8)."""
    statement = slot.statements[coming]
    if not statement.dated or its.lost is None or its.lost.side or its.last >= statement.start[0]:
        return False
    if any(x.kind == "supersede" and x.old == coming and x.o <= its.lost.at for x in slot.links):
        return False  # what was superseded had been in force (W1)
    old = {slot.statements[c].says for c in slot.statements for r in runs[c] if heralds(slot, coming, its, c, r)}
    restated = {slot.statements[c].says for c in its.lost.said if slot.ends(c, coming)}
    return bool(old & restated)


def begins(slot: Slot, moments: list[Moment], runs: Mapping[str, list[Run]], claim: str, run: Run) -> int | None:
    """Return where a decision says that an undated run begins: V, if no reading contradicts it (A2, section 4)."""
    before = slot.reading_before(claim, run.first, moments)
    over = [r.lost.at for r in runs[claim] if r.lost and r.last < run.first]
    into = [x for x in slot.links if x.kind == "supersede" and x.new == claim and x.o >= run.first]
    into = [x for x in into if run.lost is None or x.o <= run.lost.at]
    at_once = [x.v for x in into if x.o == run.first and (not over or x.v >= over[-1])]
    later = [x.v for x in into if x.v <= run.first and (before is None or x.v > before)]
    return min(at_once or later, default=None)


def capped_ends(slot: Slot, moments: list[Moment], runs: Mapping[str, list[Run]], claim: str, run: Run) -> list[Span]:
    """Return the ends that supersedes give a run: all that began before the change end there (section 4)."""
    statement = slot.statements[claim]
    start = begins(slot, moments, runs, claim, run)
    if statement.dated:
        start = statement.start[0]
    elif start is None:
        before = slot.reading_before(claim, run.first, moments)
        start = -FAR if before is None else before + 1
    points = [x.point for x in slot.links if x.kind == "supersede" and x.old == claim]
    return [(first, None if last == FAR else last) for first, last in points if start < first]
