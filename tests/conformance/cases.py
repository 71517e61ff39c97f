"""Cases: one JSON object a line, saying what was stored, what is asked and what the rules answer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import Any

Json = Mapping[str, Any]

OWN = Path(__file__).parent / "cases"
TOPICS = Path(__file__).parent / "topics.json"
SHARED = Path(__file__).resolve().parents[2] / "../shared/cases/temporal.jsonl"

_KEYS = {"id", "family", "origin", "fault", "rules", "now", "any_order", "arrange", "ask", "expect", "why"}

# Families of the shared cases that stand in a row of ours in the table.
_FAMILIES = {"censored": "changes", "history-diff": "history"}


@dataclass(frozen=True, slots=True)
class Case:
    """One case; the fields are those of its line."""

    id: str
    family: str
    rules: tuple[str, ...]
    now: str
    arrange: tuple[Json, ...]
    ask: Json
    expect: Json
    why: str
    any_order: bool = False

    def orders(self, *, every: bool) -> Iterator[Sequence[Json]]:
        """Give the steps or, where any order counts, orders of the adds, and once all of them twice (B6).

        Args:
            every: all orders; else the first and the last.
        """
        if not self.any_order:
            yield self.arrange
            return
        places = [place for place, step in enumerate(self.arrange) if step["do"] == "add"]
        adds = [self.arrange[place] for place in places]
        for order in permutations(adds) if every else (adds, adds[::-1]):
            moved = dict(zip(places, order, strict=True))
            yield [moved.get(place, step) for place, step in enumerate(self.arrange)]
        yield [*self.arrange, *adds]


def read_cases(path: Path) -> list[Case]:
    """Read a file of cases; a key no case has is an error, never passed over."""
    return [_case(json.loads(line), path.name) for line in path.read_text("utf-8").splitlines() if line.strip()]


def own_cases() -> list[Case]:
    """Read every file of cases that belongs to this suite."""
    return [case for path in sorted(OWN.glob("*.jsonl")) for case in read_cases(path)]


def own_topics() -> dict[str, list[str]]:
    """Read which cases speak to which of the hard subjects."""
    topics: dict[str, list[str]] = json.loads(TOPICS.read_text("utf-8"))
    return topics


def shared_cases() -> list[Case]:
    """Read the cases beside the checkout, where they are."""
    return read_cases(SHARED) if SHARED.is_file() else []


def _case(line: Json, where: str) -> Case:
    if unknown := sorted(set(line) - _KEYS):
        raise ValueError(f"{where}, {line.get('id')}: no case has {', '.join(unknown)}")
    family = _FAMILIES.get(line["family"], line["family"])
    return Case(
        line["id"], family, tuple(line["rules"]), line["now"], tuple(line["arrange"]), line["ask"], line["expect"],
        line["why"], line.get("any_order", False),
    )  # fmt: skip
