"""Honest variants of quotes, by kind: what the rule must let pass, and how often at least (evidence 2.4).

A maker gives None where it has nothing to change in a sentence; such a sentence does not count.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from quote_edits import matches
from quote_texts import LOWER, Page
from quote_words import (
    COMPARATORS,
    HEDGES,
    LIMITS,
    MODALS,
    NEGATIONS,
    NUMBER_WORDS,
    QUANTIFIERS,
    TENSES,
    UNITS,
)  # fmt: skip

Variant = Callable[[str, Page], str | None]

CASED = {word for word in (*UNITS, "kN", "Nm", "µm", "mmHg") if not word.islower()}
WEIGHTY = {
    word.lower()
    for words in (NEGATIONS, LIMITS, HEDGES, COMPARATORS, MODALS, QUANTIFIERS, UNITS, NUMBER_WORDS, TENSES)
    for word in words
}
ARTICLE = re.compile(r"(?<=[\w,;] )(?:the|a|an|der|die|das|den|dem|des)(?= [^\W\d_])")
LONG = re.compile(r"(?<![\w'’.-])[a-zäöü]{8,}(?![\w'’-]|\.\w)")


def curly(sentence: str, page: Page) -> str:
    """Write curly marks, and put the whole in a pair of them."""
    inner = re.sub(r'"([^"]*)"', r"‘\1’", sentence).replace("'", "’")
    return f"“{inner}”"


def no_break(sentence: str, page: Page) -> str:
    """Write other blanks in turn."""
    blanks = ("\u00a0", "\u202f", " ", "\u2009", "  ")
    words = sentence.split()
    return "".join(word + blanks[at % 5] for at, word in enumerate(words[:-1])) + words[-1]


def lower_case(sentence: str, page: Page) -> str | None:
    """Write small letters, but in units and words with digits or capitals inside; leave the last dot out."""
    words = (
        one if re.search(r"\d", one) or one.strip(".,;:()") in CASED or _single(one) else one.lower()
        for one in sentence.split()
    )
    text = " ".join(words).removesuffix(".")
    return text if text != sentence else None


def wrapped(sentence: str, page: Page) -> str | None:
    """Break lines at blanks."""
    words = sentence.split()
    return (
        "".join(word + ("\n" if at % 4 == 3 and _plain(words[at + 1]) else " ") for at, word in enumerate(words[:-1]))
        + words[-1]
    )


def hyphenated(sentence: str, page: Page) -> str | None:
    """Break a line inside the first long word."""
    hit = LONG.search(sentence)
    return hit and f"{sentence[: hit.start() + 4]}-\n{sentence[hit.start() + 4 :]}"


def other_hyphens(sentence: str, page: Page) -> str | None:
    """Write other hyphens and dashes."""
    dashes = iter("‐‑–—−" * 30)
    text = re.sub("-", lambda hit: next(dashes), sentence)
    return text if text != sentence else None


def marked_up(sentence: str, page: Page) -> str | None:
    """Emphasise one word and put code marks on another."""
    hits = [hit for hit in LOWER.finditer(sentence) if sentence[hit.end() : hit.end() + 1] != "["]
    if page.profile == "plain" or len(hits) < 2:
        return None
    one, two = hits[0], hits[-1]
    return f"{sentence[: one.start()]}**{one[0]}**{sentence[one.end() : two.start()]}`{two[0]}`{sentence[two.end() :]}"


def unseen(sentence: str, page: Page) -> str | None:
    """Put soft hyphens and zero-width marks into words."""
    text = LOWER.sub(lambda hit: f"{hit[0][:3]}\u00ad{hit[0][3:]}\u200b", sentence)
    return text if text != sentence else None


def entities(sentence: str, page: Page) -> str:
    """Write entities for blanks and marks."""
    text = sentence.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    return text.replace(" ", "&nbsp;", 2)


def article_left_out(sentence: str, page: Page) -> str | None:
    """Leave one article out."""
    hit = ARTICLE.search(sentence)
    return hit and sentence[: hit.start()] + sentence[hit.end() + 1 :]


def letter_lost(sentence: str, page: Page) -> str | None:
    """Lose one letter of a word that nothing hangs on and whose new form stands nowhere on the page."""
    for hit in sorted(LOWER.finditer(sentence), key=lambda hit: -len(hit[0])):
        if hit[0] in WEIGHTY:
            continue
        for at in range(4, len(hit[0]) - 1):
            slip = hit[0][:at] + hit[0][at + 1 :]
            if len(slip) >= 5 and slip not in page.raw:
                return sentence[: hit.start()] + slip + sentence[hit.end() :]
    return None


def elided(sentence: str, page: Page) -> str | None:
    """Put dots in place of the middle third of nine words or more, unless that swallows a negation."""
    words = sentence.split()
    third = len(words) // 3
    gap = " ".join(words[third:-third]) if third else ""
    if (
        third < 3
        or re.search(r"n['’]t\b|\bwithout", gap)
        or any(matches((*NEGATIONS, "cannot", "nor", "keinem", "keines", "nichts"), gap))
    ):
        return None
    return " ".join((*words[:third], "…", *words[-third:]))


def _single(word: str) -> bool:
    return len(word.strip(".,;:()\"'")) == 1


def _plain(word: str) -> bool:
    return word[0].isalpha()


HONEST: dict[str, tuple[Variant, float]] = {
    "rendered": (lambda sentence, page: sentence, 0.985),
    "curly quotes": (curly, 0.985),
    "no-break spaces": (no_break, 0.985),
    "lower case, no last dot": (lower_case, 0.985),
    "wrapped": (wrapped, 0.985),
    "wrapped with a hyphen": (hyphenated, 0.985),
    "other hyphens": (other_hyphens, 0.985),
    "markup": (marked_up, 0.985),
    "unseen marks": (unseen, 0.985),
    "entities": (entities, 0.985),
    "article left out": (article_left_out, 0.94),
    "letter lost": (letter_lost, 0.92),
    "middle third elided": (elided, 0.89),
}
"""Kinds of honest variants, each with the least share that must verify."""


def raw_spans(page: Page, rng: random.Random, number: int) -> list[tuple[int, int]]:
    """Draw spans of 4 to 40 words of a text, without struck words, that part no number from what stands beside it."""
    words = list(re.finditer(r"\S+", page.raw))
    spans: list[tuple[int, int]] = []
    while len(spans) < number:
        first, count = rng.randrange(len(words) - 41), rng.randint(4, 40)
        start, end = words[first].start(), words[first + count - 1].end()
        inside = page.raw[start:end]
        if _whole(page.raw, start) and _whole(page.raw, end) and "~~" not in inside and re.search(r"\w{3}", inside):
            spans.append((start, end))
    return spans


def _whole(text: str, at: int) -> bool:
    before, after = (text[:at].split(None)[-1:] or [""])[0], text[at:].lstrip()[:1]
    return not (after.isdigit() or re.search(r"\d\w*$", before) or re.fullmatch(r"\W", before))
