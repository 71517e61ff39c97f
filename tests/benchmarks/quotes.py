"""Figures of the quote rule, CPU seconds: `python tests/benchmarks/quotes.py [ROUNDS]` (default 3, the best counts)."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from quote_edits import HARMFUL, harmful
from quote_texts import Page, pages
from quote_variants import HONEST

from claimbase.evidence.align import SourceText, align
from claimbase.evidence.terms import QUOTE_LIMIT

KB = 1000
QUOTES = 200
LONG = 2_000
MARKS = ("[", "<", "*", "~", "|", "`", "&", "…", "(", "-\n", "[1] ", "<b>", "~~a")
ABSENT = "the gardener of the seventh moon counted violet umbrellas until somebody hummed a forgotten waltz"


def page_of(size: int) -> Page:
    """Write a page of distinct sentences: those of the shipped prose, each with a number of its own."""
    luck = random.Random(3)
    prose = next(page for page in pages() if page.name == "prose_en.md")
    plain = [one for one in prose.sentences if one.endswith(".") and '"' not in one]
    lines: list[str] = []
    length = 0
    while length < size:
        lines.append(f"Note {len(lines) + 1000}: {luck.choice(plain)}")
        length += len(lines[-1]) + 1
    return Page("page", " ".join(lines)[:size], "markdown")


def seconds(work: Callable[[], object], rounds: int) -> float:
    """Give the CPU time of the fastest of some rounds."""
    taken = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return min(taken)


def quoted(page: Page, kind: str) -> list[str]:
    """Give quotes of one kind, as many as are timed."""
    whole = [one for one in page.sentences if one.startswith("Note")][:: max(len(page.sentences) // QUOTES, 1)][:QUOTES]
    near = HONEST["article left out"][0]
    makers: dict[str, Callable[[str], str | None]] = {
        "exact": lambda one: one,
        "normalized": lambda one: HONEST["no-break spaces"][0](one, page),
        "near": lambda one: near(one, page) or HONEST["letter lost"][0](one, page),
        "elided": lambda one: HONEST["middle third elided"][0](one, page),
        "altered": lambda one: next(iter(harmful(HARMFUL["digit changed"], one, page)), None),
        "absent": lambda one: f"{ABSENT} {len(one)} {whole.index(one)}",
    }
    made = [quote for one in whole if (quote := makers[kind](one))]
    return (made * (QUOTES // max(len(made), 1) + 1))[:QUOTES]


def all_aligned(page: Page, quotes: Iterable[str]) -> None:
    """Build the normal form and align all quotes."""
    source = SourceText(page.raw, page.profile)
    for quote in quotes:
        align(quote, source)


def built(text: str, rounds: int) -> float:
    """Time the build of the normal form, forced by one quote that stands at the beginning."""
    return seconds(lambda: align(text[:40], SourceText(text, "markdown")), rounds)


def figures(rounds: int) -> Iterable[tuple[str, str, str]]:
    """Measure everything: what, how long or how often, and the limit (evidence 2.4)."""
    page = page_of(100 * KB)
    times = {}
    for kind in ("exact", "normalized", "near", "elided", "altered", "absent"):
        quotes = quoted(page, kind)
        times[kind] = seconds(lambda quotes=quotes: all_aligned(page, quotes), rounds)  # type: ignore[misc]
        yield f"{len(quotes)} {kind} quotes on 100 KB, with the build", f"{times[kind]:.3f} s", "< 1 s"
    source = SourceText(page.raw, page.profile)
    align(page.raw[:40], source)
    long_absent = (f"{ABSENT}; " * 30)[:LONG]
    yield "absent quote of 2,000 characters", f"{seconds(lambda: align(long_absent, source), rounds):.3f} s", "< 1 s"
    huge = (f"{ABSENT}; " * 300)[:QUOTE_LIMIT]
    yield "absent quote of 20,000 characters", f"{seconds(lambda: align(huge, source), rounds):.3f} s", ""
    present = page.raw[50 * KB : 50 * KB + LONG].replace("the", "an", 1)
    yield "near quote of 2,000 characters", f"{seconds(lambda: align(present, source), rounds):.3f} s", ""
    exact = seconds(lambda: [align(one, source) for one in quoted(page, "exact")[:50]], rounds) / 50
    absent = seconds(lambda: [align(one, source) for one in quoted(page, "absent")[:50]], rounds) / 50
    yield "absent quote : exact quote", f"{absent / exact:.1f}", "<= 40"
    prose, double = built(page.raw, rounds), built(page_of(200 * KB).raw, rounds)
    yield "normal form of 100 KB of prose", f"{prose:.3f} s", ""
    yield "normal form, 200 KB : 100 KB", f"{double / prose:.2f}", "<= 2.5"
    for mark in MARKS:
        text = (mark * (100 * KB))[: 100 * KB]
        hostile = seconds(lambda text=text: align(ABSENT, SourceText(text, "markdown")), rounds)  # type: ignore[misc]
        limit = "<= 5" if len(mark) == 1 else ""
        yield f"100 KB of {mark!r} with an absent quote : build of prose", f"{hostile / prose:.2f}", limit


def main(rounds: int = 3) -> None:
    """Print the table."""
    for what, figure, limit in figures(rounds):
        print(f"{what:60} {figure:>10}  {limit}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
