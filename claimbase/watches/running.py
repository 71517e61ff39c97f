"""Running watches: answered again after every write and at every bound that passed, in the order of time (Q10)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from claimbase.errors import ClaimbaseError, ConstraintError, InputError, VocabularyError, shown
from claimbase.store import Db, Moment, resolve, write
from claimbase.temporal import Basis, iso
from claimbase.vocabulary import Vocabulary
from claimbase.watches.bundle import Watch, bundle_of, check_name
from claimbase.watches.evaluating import Asking, Evaluation, Step
from claimbase.watches.keeping import Kept, keep_steps, keep_watch, kept, last_evaluation
from claimbase.watches.outbox import Event, unknown_watch

Vocabularies = Callable[[Basis], Vocabulary]


def add(db: Db, vocabulary: Vocabularies, name: str, constraints: Sequence[Any], options: Mapping[str, Any]) -> Watch:
    """Save constraints as a watch and answer them for the first time: whoever is eligible has entered.

    Args:
        db: the base.
        vocabulary: gives the predicates of a basis.
        name: what to call it; 1 to 100 characters.
        constraints: as for an answer.
        options: of an answer; what only orders or shortens it is kept and says nothing of who is eligible.

    Raises:
        InputError: [watch_exists], [bad_name], [extra_field].
        ConstraintError, VocabularyError: nothing is saved.
    """
    bundle = bundle_of(constraints, options)
    with write(db, "watch") as under_way:
        if check_name(name) in (one.name for one in kept(db)):
            raise InputError(f"a watch {shown(name)} exists", code="watch_exists", hint="stop it, or take another name")
        asking = Asking(db, vocabulary, bundle)
        asking.check(_moment(db, None))
        first = asking.announced(asking.first(_moment(db, None)))
        keep_steps(under_way, keep_watch(under_way, name, bundle), name, [first])
    return next(one.watch for one in kept(db) if one.name == name)


def stop(db: Db, name: str) -> None:
    """Stop a watch; its events stay, and its name is free again.

    Raises:
        InputError: [unknown_watch].
    """
    with write(db, "unwatch") as under_way:
        (one,) = _chosen(db, (name,))
        keep_watch(under_way, one.name, one.bundle, one.number)


def listed(db: Db) -> list[Watch]:
    """List the watches that go on, by name."""
    return [one.watch for one in kept(db)]


def run(
    db: Db,
    vocabulary: Vocabularies,
    names: Sequence[str] = (),
    *,
    at: Moment | None = None,
    callback: Callable[[Event], None] | None = None,
) -> list[Event]:
    """Answer watches again where something was written, or the clock passed a bound, since they were last answered.

    Every such instant is answered in turn, so that what happened while nobody ran the watches is not lost. A watch to
    which nothing happened writes nothing.

    Args:
        db: the base.
        vocabulary: gives the predicates of a basis.
        names: which watches; none = all.
        at: up to when; None = now.
        callback: called with each new event once all are stored; one that fails keeps no other from being told.

    Returns:
        The new events, in order.

    Raises:
        InputError: [unknown_watch]; [watch_backwards] a watch was answered later than *at* already.
        InstantError: [future_basis] *at* has not come: events must have happened.
        ConstraintError, VocabularyError: a predicate was declared anew and no longer fits; the others were run.
    """
    until, chosen = _moment(db, at), _chosen(db, names)
    for one in chosen:
        if until < one.watch.evaluated_at:
            raise InputError(
                f"the watch {shown(one.name)} was answered at {iso(one.watch.evaluated_at)}, after {iso(until)}",
                code="watch_backwards", hint="name a later instant",
            )  # fmt: skip
    events: list[Event] = []
    refusals: list[ClaimbaseError] = []
    for one in chosen:
        found, refusal = _run(db, vocabulary, one.name, until)
        events += found
        refusals += [refusal] if refusal else []
    with ExitStack() as told:  # calls every callback, then raises what they raised
        for event in reversed(events):
            told.callback(callback or _ignore, event)
    if refusals:
        raise refusals[0]
    return events


def _run(db: Db, vocabulary: Vocabularies, name: str, until: datetime) -> tuple[list[Event], ClaimbaseError | None]:
    """Run one watch as one batch; it is read under the write's lock, so that two runs do not tell the same."""
    with write(db, "watch run") as under_way:
        (one,) = _chosen(db, (name,))
        walk = _Walk(Asking(db, vocabulary, one.bundle), until)
        steps = _worth_keeping(list(walk.steps(last_evaluation(db, one))))
        events = keep_steps(under_way, one.number, name, [walk.asking.announced(step) for step in steps])
    return events, walk.refusal


def _ignore(_: Event) -> None:
    """Tell nobody."""


def _moment(db: Db, at: Moment | None) -> datetime:
    """Read up to when: the last batch may carry an instant just after the clock's, and what it holds is known (B4)."""
    return resolve(db, at, at, at).observed_by


def _chosen(db: Db, names: Sequence[str]) -> list[Kept]:
    there = {one.name: one for one in kept(db)}
    for name in names:
        if name not in there:
            raise unknown_watch(name, list(there))
    return [there[name] for name in dict.fromkeys(names)] if names else list(there.values())


def _worth_keeping(steps: Sequence[Step]) -> list[Step]:
    """Keep the evaluations that found anything, and the last one, which says when the watch is due again."""
    return [step for place, step in enumerate(steps, 1) if step.moved or place == len(steps)]


@dataclass(slots=True)
class _Walk:
    """The evaluations of one watch up to an instant.

    Args:
        asking: the bundle and the base.
        until: the last instant to answer.
        refusal: why the last instant could not be answered, if it could not.
    """

    asking: Asking
    until: datetime
    refusal: ClaimbaseError | None = None

    def steps(self, last: Evaluation) -> Iterator[Step]:
        """Yield an evaluation for every instant at which the answer may be another one."""
        place, moments = last.at, self.asking.moments(last.at, self.until)
        while (due := self._due(last, place, moments)) is not None:
            place = due
            try:
                step = self.asking.next(last, due)
            except (ConstraintError, VocabularyError) as error:
                self.refusal = error
                continue
            self.refusal, last = None, step.evaluation
            yield step

    def _due(self, last: Evaluation, place: datetime, moments: Sequence[datetime]) -> datetime | None:
        after = bisect_right(moments, place)
        due = (last.next_change_at, last.next_stale_at, *moments[after : after + 1])
        return min((one for one in due if one is not None and place < one <= self.until), default=None)
