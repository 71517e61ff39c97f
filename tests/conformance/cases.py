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
SHARED = Path(__file__).resolve().parents[2] / "../shared/cases/temporal.jsonl"

_KEYS = {"id", "family", "origin", "fault", "rules", "now", "any_order", "arrange", "ask", "expect", "why"}

# What this release does not do yet, by the word a case uses for it; a case that needs one of these is skipped.
LATER: dict[str, dict[str, str]] = {
    "do": {
        "supersede": "decisions follow in the next release",
        "correct": "decisions follow in the next release",
        "retract": "decisions follow in the next release",
        "retract_source": "withdrawing a source follows in the next release",
        "erase": "decisions follow in the next release",
        "alias": "merging subjects follows in the next release",
        "unalias": "merging subjects follows in the next release",
        "watch": "watches follow in the next release",
    },
    "outcome": {"changed": "a reading that names the successor follows in the next release"},
    "op": {
        "when": "windows over constraints follow in the next release",
        "diff": "differences between two bases follow in the next release",
        "watch_events": "watches follow in the next release",
        "temporal_join": "sequenced joins follow in the next release",
    },
}


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

    @property
    def later(self) -> str | None:
        """Why the case has to wait for the next release, or None."""
        for place in (*self.arrange, self.ask):
            for key, reasons in LATER.items():
                if reason := reasons.get(place.get(key, "")):
                    return f"{place[key]}: {reason}"
        return None

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


def shared_cases() -> list[Case]:
    """Read the cases beside the checkout, where they are."""
    return read_cases(SHARED) if SHARED.is_file() else []


def _case(line: Json, where: str) -> Case:
    if unknown := sorted(set(line) - _KEYS):
        raise ValueError(f"{where}, {line.get('id')}: no case has {', '.join(unknown)}")
    return Case(
        line["id"], line["family"], tuple(line["rules"]), line["now"], tuple(line["arrange"]), line["ask"],
        line["expect"], line["why"], line.get("any_order", False),
    )  # fmt: skip
