"""What a source wrote, fenced in: fields of objects marked untrusted, cut to size, what is cut counted (M2, M3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from claimbase.present import json_text

QUOTE_LIMIT = 500
"""The most characters of one text of a source."""
CLAIM_LIMIT = 20
"""The most claims quoted in one result."""
RESULT_LIMIT = 64_000
"""The most bytes of one result, written as JSON."""
NAMED_LIMIT = 5
"""The most claim ids named for one verdict, value or segment."""

Data = Mapping[str, Any]

# The lists of a result that may be made shorter, and the bytes kept free for the counts of what was cut.
_SHRINKING = (
    "claims", "constraints", "eligible", "disputed", "possible", "near_misses", "subjects", "segments", "gaps",
    "erased", "slots", "changes", "events", "stale_claims", "predicates", "versions", "readings",
    "quotes", "unresolved", "checks", "sources",
)  # fmt: skip
_ROOM = 1_000

# What of a claim is typed by us, and what its source wrote.
_TYPED = (
    "claim_id", "predicate", "constraint", "role", "certain", "reason", "polarity", "complete", "unit", "value_min",
    "value_max", "min_open", "max_open", "approximate", "from_earliest", "from_latest", "until_earliest",
    "until_latest", "observed_at", "last_seen", "published_at", "source_id", "source_type", "authority", "confidence",
    "evidence",
)  # fmt: skip
_WRITTEN = ("provider", "subject", "scope", "value", "quote", "title", "url", "publisher", "reasoning", "flags")


@dataclass(slots=True)
class Fence:
    """Counts what is cut while one result is put together."""

    cut: dict[str, int] = field(default_factory=dict)

    def note(self, what: str, number: int = 1) -> None:
        """Count what was left out."""
        if number > 0:
            self.cut[what] = self.cut.get(what, 0) + number

    def untrusted(self, **texts: Any) -> dict[str, Any]:
        """Put texts of a source into an object marked so; None is left out."""
        return {"untrusted": True} | {name: self.short(text) for name, text in texts.items() if text is not None}

    def short(self, given: Any) -> Any:
        """Cut a text to QUOTE_LIMIT characters; lists and objects text by text."""
        if isinstance(given, Mapping):
            return {self.short(str(name)): self.short(value) for name, value in given.items()}
        if isinstance(given, list | tuple):
            return [self.short(one) for one in given]
        if isinstance(given, str) and len(given) > QUOTE_LIMIT:
            self.note("characters", len(given) - QUOTE_LIMIT)
            return given[:QUOTE_LIMIT]
        return given

    def claim(self, data: Data) -> dict[str, Any]:
        """Give one citation: typed fields outside, the source's words inside (M2)."""
        typed = {name: data[name] for name in _TYPED if data.get(name) is not None}
        return typed | {"source": self.untrusted(**{name: data.get(name) or None for name in _WRITTEN})}

    def claims(self, ranked: Iterable[Data]) -> list[dict[str, Any]]:
        """Give the first CLAIM_LIMIT of some citations, each claim once; the others are counted."""
        unique = list({one["claim_id"]: one for one in reversed(list(ranked))}.values())[::-1]
        self.note("claims", len(unique) - CLAIM_LIMIT)
        return [self.claim(one) for one in unique[:CLAIM_LIMIT]]

    def ids(self, cited: Iterable[Data]) -> list[str]:
        """Name the first NAMED_LIMIT claims of some citations; the others are counted."""
        found = list(dict.fromkeys(one["claim_id"] for one in cited))
        self.note("claim_ids", len(found) - NAMED_LIMIT)
        return found[:NAMED_LIMIT]

    def listed(self, what: str, items: Sequence[Any], most: int) -> Sequence[Any]:
        """Give the first *most* of a list and count the others as *what*."""
        self.note(what, len(items) - most)
        return items[:most]

    def fit(self, result: dict[str, Any]) -> dict[str, Any]:
        """Cut a result's lists at their ends, the largest first, until it is small enough; say what was cut."""
        lists: dict[str, list[Any]] = {name: result[name] for name in _SHRINKING if result.get(name)}
        while lists and _size(result) > RESULT_LIMIT - _ROOM:
            name = max(lists, key=lambda one: _size(lists[one]))
            dropped = max(1, len(lists[name]) // 10)
            del lists[name][-dropped:]
            self.note(name, dropped)
            lists = {one: members for one, members in lists.items() if members}
        return result | {"cut": dict(sorted(self.cut.items()))}


def _size(data: Any) -> int:
    return len(json_text(data, indent=None).encode("utf-8"))
