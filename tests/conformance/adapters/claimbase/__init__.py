"""This package, through its public interface."""

from __future__ import annotations

from collections.abc import Sequence

from ...adapter import Answer
from ...cases import Case, Json
from . import finding_in_analyses, finding_in_answers  # noqa: F401  # each adds its finders to the table
from .finding import OF, OF_ANY, refusal
from .questions import put
from .world import World


class Ours:
    """A base in memory for each case."""

    name = "claimbase"

    def missing(self) -> str | None:
        """Always there."""
        return None

    def arrange(self, case: Case, steps: Sequence[Json]) -> World:
        """Carry out the steps."""
        return World(case, steps)

    def ask(self, state: World, question: Json) -> Answer:
        """Put the question; a key nothing finds is a fault of the suite."""
        asked = put(state, question)
        finders = OF_ANY | OF[question["op"]]

        def find(key: str) -> object:
            if key not in finders:
                raise LookupError(f"nothing finds {key!r} of {question['op']!r}")
            return finders[key](asked)

        return Answer(find, refusal(asked))
