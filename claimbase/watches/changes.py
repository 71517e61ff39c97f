"""What changed between two evaluations of a watch, subject by subject, and the claims that caused it (Q10)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from claimbase.answers import SubjectAnswer
from claimbase.temporal import iso

Ids = frozenset[str]
_NONE: Ids = frozenset()


@dataclass(frozen=True, slots=True)
class Standing:
    """How one subject stands with a watch.

    Args:
        eligible, disputed: the buckets it is in; under the policy "any" it may be in both (Q2).
        supporting: the claims that make it eligible.
        disputing: both sides of what is disputed.
        stale: the supporting claims that are stale (Q9).
    """

    eligible: bool = False
    disputed: bool = False
    supporting: Ids = _NONE
    disputing: Ids = _NONE
    stale: Ids = _NONE


@dataclass(frozen=True, slots=True)
class Seen:
    """One subject at one evaluation: how it stands, and what its certain claims say.

    Args:
        standing: the buckets and the claims behind them.
        strong, against: claims that certainly say yes, and no or that there is none.
        operands: claims of other subjects it was compared with (Q14).
        subject: what the answer says of it; None where it is not asked any more.
    """

    standing: Standing
    strong: Ids = _NONE
    against: Ids = _NONE
    operands: Ids = _NONE
    subject: SubjectAnswer | None = field(default=None, repr=False)

    @property
    def speaking(self) -> Ids:
        """The claims that certainly say anything."""
        return self.strong | self.against


@dataclass(frozen=True, slots=True)
class Change:
    """One event of one subject, before it has a number."""

    event: str
    because: tuple[str, ...]
    detail: str


def changes(before: Seen, now: Seen) -> Iterator[Change]:
    """Yield what happened to one subject between two evaluations, in the order of EVENTS."""
    for event, (happened, causes, detail) in _RULES.items():
        if happened(before.standing, now.standing):
            because = next(filter(None, causes(before, now)), _NONE)
            yield Change(event, tuple(sorted(because)), detail(now, because))


def seen(standing: Standing, subject: SubjectAnswer | None, operands: Ids) -> Seen:
    """Put together what an evaluation and a closer look say of one subject."""
    certain = [] if subject is None else [one for one in subject.citations if one.certain]
    return Seen(
        standing=standing,
        strong=frozenset(one.claim_id for one in certain if one.role == "yes"),
        against=frozenset(one.claim_id for one in certain if one.role in ("no", "absence")),
        operands=operands,
        subject=subject,
    )


# -- causes: the first set that holds any claim ----------------------------------------------------------------------


def _entered(before: Seen, now: Seen) -> Sequence[Ids]:
    supporting = now.standing.supporting
    return supporting - before.speaking | _compared(before, now), before.against - now.against, supporting


def _left(before: Seen, now: Seen) -> Sequence[Ids]:
    supporting = before.standing.supporting
    ended, denied = supporting - now.speaking, now.against - before.speaking
    return ended | denied | _compared(before, now), supporting


def _became_disputed(_: Seen, now: Seen) -> Sequence[Ids]:
    return (now.standing.disputing,)


def _dispute_settled(before: Seen, now: Seen) -> Sequence[Ids]:
    sides = before.standing.disputing
    return sides - now.speaking, now.speaking - sides, _compared(before, now), sides


def _went_stale(before: Seen, now: Seen) -> Sequence[Ids]:
    return (now.standing.stale - before.standing.stale,)


def _refreshed(before: Seen, now: Seen) -> Sequence[Ids]:
    was, supporting = before.standing, now.standing.supporting
    return was.stale & supporting, supporting - was.supporting, was.stale


def _compared(before: Seen, now: Seen) -> Ids:
    """Name the claims of other subjects that are compared with now and were not before, or the other way round."""
    return before.operands ^ now.operands


# -- details: words of ours only, so that nothing of a source is kept here -------------------------------------------


def _verdicts(now: Seen, _: Ids) -> str:
    if now.subject is None:
        return "no claim"
    said = ((one.constraint, one.verdict, f" ({one.reason})" if one.reason else "") for one in now.subject.verdicts)
    return "; ".join(f"{constraint}: {verdict}{reason}" for constraint, verdict, reason in said)


def _ages(now: Seen, because: Ids) -> str:
    cited = () if now.subject is None else now.subject.citations
    moments = [one.last_seen for one in cited if one.claim_id in because]
    return f"last seen {iso(min(moments))}" if moments else ""


_Happened = Callable[[Standing, Standing], bool]
_Causes = Callable[[Seen, Seen], Sequence[Ids]]
_RULES: dict[str, tuple[_Happened, _Causes, Callable[[Seen, Ids], str]]] = {
    "left": (lambda was, now: was.eligible and not now.eligible, _left, _verdicts),
    "dispute_settled": (lambda was, now: was.disputed and not now.disputed, _dispute_settled, _verdicts),
    "entered": (lambda was, now: now.eligible and not was.eligible, _entered, _verdicts),
    "became_disputed": (lambda was, now: now.disputed and not was.disputed, _became_disputed, _verdicts),
    "evidence_went_stale": (lambda was, now: bool(now.stale - was.stale), _went_stale, _ages),
    "evidence_refreshed": (
        lambda was, now: now.eligible and bool(was.stale) and not now.stale, _refreshed, _ages,
    ),
}  # fmt: skip
EVENTS = tuple(_RULES)
"""The kinds of events, in the order in which those of one subject at one instant are raised."""
