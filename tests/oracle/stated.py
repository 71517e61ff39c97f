"""What the oracle is told: what claims state, what readings show, how sources and predicates are to be read."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Literal

Span = tuple[int | None, int | None]
End = Span | Literal["open", "holds", "ended"]
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
