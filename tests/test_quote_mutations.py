"""The quote rule under attack: harmful edits of real sentences never count, honest variants do (evidence 2.4, 2.5)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from pathlib import Path

import pytest
from quote_attacks import ATTACKS
from quote_edits import HARMFUL, Maker, harmful
from quote_texts import NEWS, Page, news, pages
from quote_variants import HONEST, Variant, raw_spans

from claimbase.evidence.align import SourceText, align
from claimbase.evidence.model import Hint, Match
from claimbase.evidence.policy import Policy

POLICY = Policy()
SAMPLE = 5
"""Edits of one class on one page in the default run, about."""
FULL = 150
"""The same in the slow run."""
FEWEST = 20
"""Edits that every class has in the slow run, at least."""
SPANS = 600
"""Random raw spans in all pages together."""


@dataclass
class Tally:
    """What became of the edits or variants of one kind."""

    tried: int = 0
    counted: int = 0
    odd: list[str] = field(default_factory=list)

    def add(self, page: Page, sentence: str, quote: str, *, wanted: bool) -> None:
        """Align a quote; keep in words what came out otherwise than wanted."""
        match = align(quote, source(page))
        counts = POLICY.counts(match)
        self.tried += 1
        self.counted += counts
        if counts is not wanted:
            self.odd.append(f"{page.name}: {sentence!r} quoted as {quote!r}: {_said(match)}")

    @property
    def share(self) -> float:
        """How many of them count."""
        return self.counted / self.tried if self.tried else 1.0


def _said(match: Match) -> str:
    changes = [(str(one.kind), str(one.severity), one.quote, one.source) for one in match.changes]
    return f"{match.status} {match.tier} {match.ratio} {changes} {match.flags}"


@cache
def source(page: Page) -> SourceText:
    """Give a page as the rule reads it, once."""
    return SourceText(page.raw, page.profile)


@pytest.fixture(scope="module")
def texts() -> tuple[Page, ...]:
    """The pages inside the checkout."""
    return pages()


def large(shared: Path) -> Page:
    """Give the change log of tz where it lies beside the checkout."""
    if not shared.joinpath("data", *NEWS).is_file():
        pytest.skip("no change log of tz")
    return news(shared)


def attacked(makers: Mapping[str, Maker], texts: tuple[Page, ...], rng: random.Random, cap: int) -> dict[str, Tally]:
    """Try the edits of every class on sentences drawn from each page, about `cap` edits from each."""
    tallies = {name: Tally() for name in makers}
    for page in texts:
        for name, make in makers.items():
            edits = (
                (one, quote)
                for one in rng.sample(page.sentences, len(page.sentences))
                for quote in harmful(make, one, page)
            )
            for sentence, quote in islice(edits, cap):
                tallies[name].add(page, sentence, quote, wanted=False)
    return tallies


def varied(make: Variant, texts: tuple[Page, ...]) -> Tally:
    """Try an honest variant on every sentence."""
    tally = Tally()
    for page in texts:
        for sentence in page.sentences:
            if (quote := make(sentence, page)) is not None:
                tally.add(page, sentence, quote, wanted=True)
    return tally


def told(tallies: Mapping[str, Tally]) -> Iterator[str]:
    """Give the table of a run: class, edits, how many of them count."""
    yield f"{'class':36} {'edits':>6} {'accepted':>8}"
    for name, tally in tallies.items():
        yield f"{name:36} {tally.tried:6} {tally.counted:8}"
    yield f"{'all':36} {sum(one.tried for one in tallies.values()):6} {sum(one.counted for one in tallies.values()):8}"


def none_counts(tallies: Mapping[str, Tally], fewest: int) -> None:
    """Assert that no class is empty and that nothing of any class counts."""
    print("\n" + "\n".join(told(tallies)))
    assert not {name: tally.tried for name, tally in tallies.items() if tally.tried < fewest}, (
        "classes with too few edits"
    )
    accepted = [f"{name}: {line}" for name, tally in tallies.items() for line in tally.odd]
    assert not accepted, f"{len(accepted)} harmful edits count:\n" + "\n".join(accepted[:20])


def test_the_texts_are_large_and_of_two_languages(texts: tuple[Page, ...]) -> None:
    """2.4: at least 400 sentences of at least three texts in two languages, none of them needed from outside."""
    numbers = {page.name: len(page.sentences) for page in texts}
    assert len(numbers) >= 3
    assert sum(numbers.values()) >= 400
    assert min(numbers["prose_en.md"], numbers["prose_de.txt"]) >= 130


def test_harmful_edits_never_count(texts: tuple[Page, ...], rng: random.Random) -> None:
    """2.5: of no class of harmful edits does a single one count under the default policy (a drawn sample)."""
    none_counts(attacked(HARMFUL, texts, rng, SAMPLE), 1)


@pytest.mark.slow
def test_attacks_outside_the_classes_never_count(texts: tuple[Page, ...], rng: random.Random) -> None:
    """P11: what says something else than its page does not count, however it was made (a drawn sample)."""
    none_counts(attacked(ATTACKS, texts, rng, SAMPLE), 1)


@pytest.mark.slow
def test_all_harmful_edits_never_count(texts: tuple[Page, ...], rng: random.Random) -> None:
    """2.4, 2.5: the full matrix, every class with at least 20 edits: none counts."""
    tallies = attacked(HARMFUL, texts, rng, FULL)
    assert sum(tally.tried for tally in tallies.values()) >= 2_000
    none_counts(tallies, FEWEST)


@pytest.mark.slow
def test_all_attacks_never_count(texts: tuple[Page, ...], rng: random.Random) -> None:
    """P11: the full matrix of attacks: none counts."""
    none_counts(attacked(ATTACKS, texts, rng, FULL), FEWEST)


@pytest.mark.slow
def test_edits_of_a_large_page_never_count(shared: Path, rng: random.Random) -> None:
    """2.4: the same on the change log of tz, a page of 250 KB."""
    none_counts(attacked({**HARMFUL, **ATTACKS}, (large(shared),), rng, FULL), 0)


def test_a_hint_verifies_nothing(texts: tuple[Page, ...], rng: random.Random) -> None:
    """N5: a hint chooses among places; it never lets a harmful edit through."""
    for page in texts:
        for sentence in rng.sample(page.sentences, 8):
            at = max(page.raw.find(sentence.split()[0]), 0)
            hint = Hint(prefix=page.raw[max(at - 32, 0) : at], suffix=page.raw[at + 40 : at + 72], start=at)
            for name in ("digit changed", "negation in", "number cut", "word exchanged", "pieces joined"):
                for quote in harmful(HARMFUL[name], sentence, page):
                    assert not POLICY.counts(align(quote, source(page), hint)), quote


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=[pytest.mark.slow] if place % 3 else []) for place, kind in enumerate(HONEST)]
)
def test_honest_variants_count(kind: str, texts: tuple[Page, ...]) -> None:
    """2.4: of each kind of honest variant at least the stated share counts, over all sentences."""
    make, least = HONEST[kind]
    tally = varied(make, texts)
    print(f"{kind}: {tally.counted} of {tally.tried}, {tally.share:.2%}")
    assert tally.share >= least, f"{tally.counted} of {tally.tried}:\n" + "\n".join(tally.odd[:20])


@pytest.mark.slow
@pytest.mark.parametrize("kind", HONEST)
def test_honest_variants_of_a_large_page_count(kind: str, shared: Path) -> None:
    """2.4: the same on the change log of tz."""
    make, least = HONEST[kind]
    tally = varied(make, (large(shared),))
    print(f"{kind}: {tally.counted} of {tally.tried}, {tally.share:.2%}")
    assert tally.share >= least, f"{tally.counted} of {tally.tried}:\n" + "\n".join(tally.odd[:20])


def test_raw_spans_are_found_where_they_were_cut(texts: tuple[Page, ...], rng: random.Random) -> None:
    """2.4: of random spans of raw text, 99.5 % verify and 99 % come back with their own range."""
    counted = same = tried = 0
    for page in texts:
        for start, end in raw_spans(page, rng, SPANS // len(texts)):
            match = align(page.raw[start:end], source(page), Hint(start=start))
            tried += 1
            counted += POLICY.counts(match)
            same += (match.start, match.end) == (start, end)
    assert counted / tried >= 0.995, (counted, tried)
    assert same / tried >= 0.99, (same, tried)


def test_pages_written_otherwise_hold_the_same_sentences(texts: tuple[Page, ...]) -> None:
    """2.4: the page may be wrapped, hyphenated and full of other blanks and marks; its sentences still verify."""
    for page in (page for page in texts if page.name.startswith("prose")):
        kept = [one for one in page.sentences if "~~" not in page.raw or one[:30] in page.raw]
        text = "\n\n".join(_printed(one) for one in kept)
        printed = SourceText(text, "pdf")
        found = [one for one in kept if POLICY.counts(align(one, printed))]
        assert len(found) / len(kept) >= 0.985, [one for one in kept if one not in found][:10]


def _printed(sentence: str) -> str:
    """Write a sentence as a printed page gives it: short lines, broken words, curly marks, narrow blanks."""
    words = sentence.replace('"', "”").replace("'", "’").split()
    lines = []
    for at, word in enumerate(words):
        long = at % 5 == 2 and word.isalpha() and word.islower() and len(word) > 7
        lines.append(f"{word[:4]}-\n{word[4:]}" if long else word)
        lines.append("\u00a0" if at % 3 else "\n" if word[-1].isalpha() else " ")
    return "".join(lines).strip()
