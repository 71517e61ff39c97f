"""What has been read of a question so far, and the place reached."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from claimbase.constraints import Condition
from claimbase.questions.clauses import Clauses
from claimbase.questions.looking import Spoken
from claimbase.questions.reading import Op
from claimbase.questions.spans import Span
from claimbase.questions.words import Atom
from claimbase.vocabulary import Predicate


@dataclass(slots=True)
class Item:
    """A clause in its place among the others."""

    conditions: tuple[Condition, ...]
    start: int
    end: int
    link: str
    or_at: Atom | None
    plain_bool: bool = False
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Note:
    """A stretch that was read, and how."""

    start: int
    end: int
    reading: str


@dataclass(frozen=True, slots=True)
class Dated:
    """A date that belongs to the question as a whole: the word before it, and where both stand."""

    word: str
    first: Span
    second: Span | None
    start: int
    end: int


@dataclass(slots=True)
class Draft:
    """What has been read so far."""

    op: Op = "answer"
    items: list[Item] = field(default_factory=list)
    bare: list[tuple[Spoken, int, int]] = field(default_factory=list)
    providers: tuple[str, ...] = ()
    providers_not: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    basis: dict[str, datetime] = field(default_factory=dict)
    then: bool = False
    dates: list[Dated] = field(default_factory=list)
    policy: Literal["certain", "any"] | None = None
    source_types: tuple[str, ...] = ()
    show: tuple[str, ...] = ()
    rank: Atom | None = None
    rank_predicate: Predicate | None = None
    rank_direction: Literal["asc", "desc"] | None = None
    rank_span: tuple[int, int] = (0, 0)
    limit: int | None = None
    offset: int = 0
    changes: list[Atom] = field(default_factory=list)
    tenses: list[Atom] = field(default_factory=list)
    now_said: Atom | None = None
    notes: list[Note] = field(default_factory=list)
    left: list[tuple[int, int]] = field(default_factory=list)
    suggestions: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Walk:
    """A pass over the atoms: the present place, and what joins it to the clause before."""

    clauses: Clauses
    now: datetime
    draft: Draft = field(default_factory=Draft)
    place: int = 0
    link: str = ""
    pending_or: Atom | None = None

    def atom(self, ahead: int = 0) -> Atom:
        """Return the atom at the present place, or some way ahead."""
        return self.clauses.at(self.place + ahead)

    def note(self, end: int, reading: str) -> None:
        """Note the atoms up to *end* as read, and move behind them."""
        first, last = self.atom(), self.clauses.at(end - 1)
        self.draft.notes.append(Note(first.start, last.end, reading))
        self.place = end

    def leave(self, count: int = 1) -> None:
        """Give atoms back as not understood; an amount without its predicate names those it may belong to."""
        for ahead in range(count):
            if self.atom(ahead).kind == "amount":
                self.suggest(*self.clauses.fitting(self.atom(ahead), None))
        self.draft.left.append((self.atom().start, self.atom(count - 1).end))
        self.place += count

    def suggest(self, *texts: str) -> None:
        """Offer predicates or wordings."""
        self.draft.suggestions.extend(texts)

    def settle_or(self, used: bool) -> str:
        """Use a waiting "or", or give it back; return the link to the item before."""
        waiting, self.pending_or = self.pending_or, None
        if waiting is not None and not used:
            self.draft.left.append((waiting.start, waiting.end))
        return "or" if waiting is not None and used else self.link
