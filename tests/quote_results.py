"""Results of the quote rule that are kept: golden cases, quoted as written and changed by small steps.

``python tests/quote_results.py`` keeps them anew, which only another version of the rule and new cases need.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from claimbase.evidence.align import SourceText, align
from claimbase.evidence.model import PROFILES, Hint, Match
from claimbase.evidence.normalise import Normal, normalise

FIXTURES = Path(__file__).parent / "fixtures"
KEPT = FIXTURES / "quote_results.jsonl"
CASES = FIXTURES / "quotes.jsonl"
Step = Callable[[list[str]], list[str]]


def _halves(parts: list[str]) -> tuple[list[str], list[str]]:
    return parts[: len(parts) // 2], parts[len(parts) // 2 :]


def _shorter(parts: list[str]) -> list[str]:
    """Take a letter out of the longest word."""
    longest = max(parts, key=len)
    return [part[:3] + part[4:] if part is longest else part for part in parts]


STEPS: dict[str, Step] = {
    "as written": lambda parts: parts,
    "first word left out": lambda parts: parts[1:],
    "last word left out": lambda parts: parts[:-1],
    "middle word left out": lambda parts: [*_halves(parts)[0], *_halves(parts)[1][1:]],
    "third word left out": lambda parts: [*parts[:2], *parts[3:]],
    "middle word twice": lambda parts: [*_halves(parts)[0], *_halves(parts)[1][:1], *_halves(parts)[1]],
    "middle words exchanged": lambda parts: [*_halves(parts)[0][:-1], *_halves(parts)[1][:1],
                                             *_halves(parts)[0][-1:], *_halves(parts)[1][1:]],
    "an article first": lambda parts: ["the", *parts],
    "a word last": lambda parts: [*parts, "lantern"],
    "a letter lost": _shorter,
    "middle left out with dots": lambda parts: [*parts[: len(parts) // 3], "…", *parts[2 * len(parts) // 3 :]],
    "capitals": lambda parts: [" ".join(parts).upper()],
    "first letter cut": lambda parts: [" ".join(parts)[1:]],
    "last letter cut": lambda parts: [" ".join(parts)[:-1]],
}  # fmt: skip


def cases() -> list[dict[str, Any]]:
    """Read the golden cases that have a text."""
    lines = CASES.read_text(encoding="utf-8").splitlines()
    return [case for case in map(json.loads, lines) if case["source"]]


def results(case: dict[str, Any]) -> Iterator[str]:
    """Give the results of one case, a line each: its normal forms, and what becomes of each changed quote."""
    forms: dict[str, str] = {}
    for profile in PROFILES:
        form = _line(*_normal(normalise(case["source"], profile)))
        yield f'["{case["id"]}", "{profile}", {forms.get(form, form)}]'
        forms.setdefault(form, f'"as {profile}"')
    source = SourceText(case["source"], case["profile"])
    parts = case["quote"].split()
    for name, step in STEPS.items():
        quote = case["quote"] if name == "as written" else " ".join(step(parts))
        hint = Hint(**case["hint"]) if "hint" in case else None
        yield _line(case["id"], name, *_match(align(quote, source, hint), whole=name == "as written"))


def _line(*cells: object) -> str:
    return json.dumps(cells, ensure_ascii=False)


def _normal(normal: Normal) -> tuple[object, ...]:
    """Write a normal form: its lines, where raw ranges leave their step, and what is remembered."""
    raw = list(zip(normal.starts, normal.ends, strict=True))
    jumps = [
        f"{at}:{start}-{end}"
        for at, (start, end) in enumerate(raw)
        if (start, end) != ((raw[at - 1][1], raw[at - 1][1] + 1) if at else (0, 1))
    ]
    return normal.lined, " ".join(jumps), normal.markers, normal.struck, sorted(normal.blocks)


def _match(match: Match, *, whole: bool) -> tuple[object, ...]:
    """Write a match; what stands around it only once a case."""
    place = f"{match.start}-{match.end} of {match.occurrences}"
    head = f"{match.status.value} {match.tier.value} {match.ratio} {place} ~{match.edit_distance}"
    changes = [f"{one.kind.value} {one.severity.value} {one.quote} | {one.source}" for one in match.changes]
    return head, changes, match.flags, *((match.prefix, match.suffix, match.closest) if whole else ())


def main() -> int:
    """Keep every result anew."""
    KEPT.write_text("".join(f"{line}\n" for case in cases() for line in results(case)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
