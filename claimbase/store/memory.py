"""What a base answered before, for questions whose answers depend on nothing but the base as it stands."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

_T = TypeVar("_T")
_MOST = 256


class Memory(Generic[_T]):
    """Answers of one state of a base; of another state nothing is remembered."""

    def __init__(self) -> None:
        self._state: Hashable = None
        self._kept: dict[Hashable, _T] = {}

    def at(self, state: Hashable) -> None:
        """Say in which state the base was found."""
        if state != self._state:
            self._state = state
            self.forget()

    def forget(self) -> None:
        """Forget all; who is still asking the base of before leaves the answer where nobody looks any more."""
        self._kept = {}

    def get(self, key: Hashable, ask: Callable[[], _T]) -> _T:
        """Give the answer of before, or ask."""
        kept = self._kept
        found = kept.get(key)
        if found is None:
            found = ask()
            if len(kept) < _MOST:
                kept[key] = found
        return found
