"""What a store has to offer to be measured: carry out the steps of a case, and answer its question."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from .cases import Case, Json


class CannotState(Exception):  # noqa: N818  # a finding, no fault
    """The store has no words for a step or for a part of an answer; counted apart from a wrong answer."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """How a store refused a step or a question.

    Args:
        kinds: names of the error's classes, the general ones too.
        code, message: its code and its words.
        rows: the rows of a batch it refused.
    """

    kinds: tuple[str, ...]
    code: str | None = None
    message: str = ""
    rows: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a question put at one basis.

    Args:
        find: gives what the store says under a key of `expect`, in the shape `compare.py` reads; claims are given as
            the store knows them. Raises CannotState where the store has no word for it.
        refusal: the refusal, if it was one.
    """

    find: Callable[[str], Any]
    refusal: Refusal | None = None


class State(Protocol):
    """A store in which the steps of a case were carried out."""

    @property
    def claims(self) -> Mapping[str, Hashable]:
        """What each handle stands for; handles of one claim stand for equal things."""

    def close(self) -> None:
        """Give the store up."""


class Adapter(Protocol):
    """A store that the cases can be put to."""

    @property
    def name(self) -> str:
        """How the table calls it."""

    def missing(self) -> str | None:
        """Why it cannot be measured here (not installed, not present), or None."""

    def arrange(self, case: Case, steps: Sequence[Json]) -> State:
        """Carry out the steps in this order.

        Raises:
            CannotState: a step says what the store cannot hold.
        """

    def ask(self, state: Any, question: Json) -> Answer:
        """Put a question whose basis names one instant for each axis, or none.

        Raises:
            CannotState: the store has no such question.
        """
