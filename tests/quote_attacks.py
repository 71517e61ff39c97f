"""Attacks on the quote rule outside the classes it was written for: makers of quotes that say what no page says.

They are filtered as harmful edits are (see quote_edits): what the page says itself is no attack.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, pairwise

from quote_edits import Maker, exchanged, number_in, put, replaced, turned
from quote_texts import LOWER, Page
from quote_words import HEDGES, LIMITS, MODALS, NEGATIONS, PREPOSITIONS, PRONOUNS, QUANTIFIERS

SMALL = re.compile(
    r"(?<![\w'’./-])(?!(?:the|a|an|that|which|who|this|it|its|of|in|on|for|with|as|at|be|been|had|also|very|just|those|"
    r"is|are|was|were|has|have|der|die|das|den|dem|des|ein|eine|s|t)\b)[a-zäöüß]{2,4}(?![\w'’./-])"
)
WEIGHTY = {*NEGATIONS, *LIMITS, *HEDGES, *MODALS, *QUANTIFIERS}
RELATIVES = frozenset(["that", "which", "who", "this", "these", "those", "of"])
"""Words that may be put in and left out, as articles may (evidence 2.3): who crosses them alone says the same."""
FULLWIDTH = str.maketrans("0123456789", "０１２３４５６７８９")
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
ACCENTS = str.maketrans("aouäöüeic", "äöüaouéíç")


def _before_words(*new: str) -> Maker:
    """Make a maker that puts texts before lower-case words in turn, none beside itself: "a a" says what "a" says."""

    def make(sentence: str, page: Page) -> Iterator[str]:
        for count, hit in enumerate(LOWER.finditer(sentence)):
            word = new[(count + len(sentence)) % len(new)]
            if hit.start() and sentence[: hit.start()].split()[-1:] != [word]:
                yield put(sentence, hit, f"{word} {hit[0]}")

    return make


def _words(change: dict[str, str]) -> Maker:
    """Make a maker that ends each lower-case word otherwise."""

    def make(sentence: str, page: Page) -> Iterator[str]:
        for hit in LOWER.finditer(sentence):
            for old, new in change.items():
                if hit[0].endswith(old) and not hit[0].endswith("ss") and len(hit[0]) > len(old) + 3:
                    yield put(sentence, hit, hit[0][: len(hit[0]) - len(old)] + new)

    return make


def dots_inside(sentence: str, page: Page) -> Iterator[str]:
    """Put dots inside a word or number, with and without blanks."""
    for hit in re.finditer(r"[^\W_]{4,}", sentence):
        at = hit.start() + len(hit[0]) // 2
        yield from (sentence[:at] + dots + sentence[at + 1 :] for dots in ("…", "...", " … ", "[...]"))


def numbers_crossed(sentence: str, page: Page) -> Iterator[str]:
    """Cross two numbers of one sentence."""
    for one, two in pairwise(re.finditer(r"\d+(?:[.,]\d+)*", sentence)):
        if one[0] != two[0]:
            yield sentence[: one.start()] + two[0] + sentence[one.end() : two.start()] + one[0] + sentence[two.end() :]


def number_split(sentence: str, page: Page) -> Iterator[str]:
    """Put a mark or blank inside a number, not one that groups its digits."""
    for hit in re.finditer(r"(?<=\d)(?=\d)(?!\d{3}(?!\d))", sentence):
        yield from (sentence[: hit.start()] + mark + sentence[hit.start() :] for mark in "./- ':,")


def word_moved(sentence: str, page: Page) -> Iterator[str]:
    """Move a content word to another place of the sentence."""
    hits = list(LOWER.finditer(sentence))
    for one, two in zip(hits, hits[2:], strict=False):
        yield " ".join(
            (sentence[: one.start()] + sentence[one.end() : two.end()] + f" {one[0]}" + sentence[two.end() :]).split()
        )


def stop_moved(sentence: str, page: Page) -> Iterator[str]:
    """Move the stop between two sentences by one word, or leave it out."""
    at = page.sentences.index(sentence) if sentence in page.sentences else -1
    if (
        at < 0
        or not sentence.endswith(".")
        or f"{sentence} {page.sentences[(at + 1) % len(page.sentences)]}" not in page.flat
    ):
        return
    first, then = sentence.rstrip(".").split(), page.sentences[at + 1].split()
    yield " ".join((*first[:-1], first[-1], then[0] + ".", *then[1:]))
    if not first[-1].startswith("["):  # a citation marker is no word: a stop may stand on either side of it
        yield " ".join((*first[:-2], first[-2] + ".", first[-1], *then))
    yield " ".join((*first, *then))


def told_otherwise(sentence: str, page: Page) -> Iterator[str]:
    """Put words before or behind the sentence that turn its meaning."""
    yield from (
        f"{words} {sentence}" for words in ("It is false that", "Nobody believes that", "Falsch ist:", "[Untrue] No,")
    )
    yield from (
        f"{sentence.rstrip('.')} {words}"
        for words in ("is a lie.", "in theory only.", ", say its enemies.", "no longer.")
    )


def twice_elided(sentence: str, page: Page) -> Iterator[str]:
    """Elide two places and change a word between them."""
    words = sentence.split()
    if len(words) < 10:
        return
    fifth = len(words) // 5
    parts = [words[at * fifth : (at + 1) * fifth] for at in range(5)]
    yield from (
        " ".join((*parts[0], "…", *parts[2][:-1], new, "…", *parts[4]))
        for new in ("secretly", "7", "never", "70%")
        if new != parts[2][-1]
    )


def _in_one_row(table: list[list[str]], head: str, tail: list[str]) -> bool:
    """Say whether one row of a table holds both pieces in order: then its elision is an honest one."""
    return any(f"{head} " in (joined := " ".join(row)) and joined.endswith(" ".join(tail)) for row in table)


def row_elided(sentence: str, page: Page) -> Iterator[str]:
    """Begin with a cell of one row, elide, end with the last cells of a later row."""
    for table in page.rows:
        for at, row in enumerate(table[1:-1], 1):
            if " ".join(row) == sentence:
                yield from (
                    f"{row[0]} … {' '.join(other[-2:])}"
                    for other in table[at + 1 : at + 4]
                    if not _in_one_row(table, row[0], other[-2:])
                )


def hyphen_dropped(sentence: str, page: Page) -> Iterator[str]:
    """Leave out one side of a hyphenated word inside the sentence (at a quote's edge it is a known gap, 2.6)."""
    for hit in re.finditer(r"(?<=\w )([^\W\d_]{2,})-([^\W\d_]{2,})(?=[,;:]? \w)", sentence):
        yield from (put(sentence, hit, hit[side]) for side in (1, 2))


def long_and_edited(sentence: str, page: Page) -> Iterator[str]:
    """Quote up to five sentences that follow each other, with one small edit in one of them."""
    at = page.sentences.index(sentence) if sentence in page.sentences else 0
    run = [sentence]
    for following in page.sentences[at + 1 : at + 5]:
        if f"{run[-1]} {following}" not in page.flat:
            break
        run.append(following)
    if len(run) > 2:
        middle = run[len(run) // 2]
        digits = replaced(r"\d", lambda hit: turned(hit[0]))(middle, page)
        for edit in chain([*digits][:1], [*number_in(middle, page)][:1], [*_before_words("not")(middle, page)][:1]):
            yield " ".join((*run[: len(run) // 2], edit, *run[len(run) // 2 + 1 :]))


def weighty_moved(sentence: str, page: Page) -> Iterator[str]:
    """Move a negation, bound, quantifier or hedge by two words to either side, over more than what may come and go."""
    words = sentence.split()
    for at, word in enumerate(words):
        if word.lower() in WEIGHTY:
            rest = [*words[:at], *words[at + 1 :]]
            yield from (
                " ".join((*rest[:to], word, *rest[to:]))
                for to in (at - 2, at + 2, at + 1)
                if 0 < to < len(rest) and not RELATIVES.issuperset(rest[min(at, to) : max(at, to)])
            )


def clauses_crossed(sentence: str, page: Page) -> Iterator[str]:
    """Cross what stands on both sides of `and`, `or`, `but`, `than` or a comma."""
    for hit in re.finditer(r",? (?:and|or|but|than|und|oder|aber|als) |, ", sentence):
        left, right = sentence[: hit.start()].split(), sentence[hit.end() :].split()
        for wide in (1, 2, 4):
            if len(left) >= wide and len(right) > wide:
                yield " ".join((*left[:-wide], *right[:wide], *hit[0].split(), *left[-wide:], *right[wide:]))


def sentence_left_out(sentence: str, page: Page) -> Iterator[str]:
    """Quote a sentence and the next but one as if nothing stood between them, or with a few of its words."""
    at = page.sentences.index(sentence) if sentence in page.sentences else 0
    if len(run := page.sentences[at : at + 3]) == 3:
        yield f"{run[0]} {run[2]}"
        yield f"{run[0]} {' '.join(run[1].split()[-2:])} {run[2]}"


def edited_beside_honest(sentence: str, page: Page) -> Iterator[str]:
    """Change a digit or put in a word where an article, the blanks and the marks have been changed too."""
    for edit in chain(
        replaced(r"\d", lambda hit: turned(hit[0]))(sentence, page),
        _before_words("not", "7", "illegal")(sentence, page),
    ):
        yield (
            re.sub(r"(?<= )(?:the|a|an|das) ", "", edit, count=1)
            .replace(" ", "\u00a0", 3)
            .removesuffix(".")
            .replace("-", "‑")
        )


def _raised(hit: re.Match[str]) -> str:
    return hit[1] + hit[2].translate(RAISED)


ATTACKS: dict[str, Maker] = {
    "dots inside a token": dots_inside,
    "numbers crossed": numbers_crossed,
    "number split by a mark": number_split,
    "other digit in full width": replaced(r"\d", lambda hit: turned(hit[0]).translate(FULLWIDTH)),
    "digit raised": replaced(r"(\d)(\d)(?!\d)", _raised),
    "sign before a number": replaced(
        r"(?<![\w.,:/+$€£±<>=~≤≥-])(?<![<>=] )(?=\d)", "~", "<", "> ", "≥", "±", "≈", "+", "not ", "−"
    ),
    "magnitude behind a number": replaced(
        r"(?<=\d)(?=[ .,;]|$)(?![.,]\d)", "k", " million", "%", "m", "²", "+", "th", "-fold"
    ),
    "free word in capitals put in": _before_words("A", "IT", "WHO", "AS", "AT", "IN", "BE", "ON"),
    "negation in disguise": _before_words(
        "n\u200bot", "n\u043et", "no\u00adt", "[not]", "[hardly]", "<not>", "(not)", "not,"
    ),
    "negation of another language": _before_words(
        "kein", "nicht", "ne", "sans", "niet", "não", "не", "nunca", "ohne", "not"
    ),
    "word moved": word_moved,
    "stop moved": stop_moved,
    "told otherwise": told_otherwise,
    "twice elided": twice_elided,
    "elided over rows": row_elided,
    "small word left out": lambda sentence, page: (put(sentence, hit, "") for hit in SMALL.finditer(sentence)),
    "preposition exchanged": exchanged(PREPOSITIONS),
    "pronoun exchanged": exchanged(PRONOUNS),
    "ending changed": _words(
        {"s": "", "ed": "es", "ing": "ed", "er": "est", "en": "et", "e": "en", "t": "te", "d": "ds", "y": "ies"}
    ),
    "accent changed": replaced(r"(?<=[a-zäöüß]{2})[aouäöüeic](?=[a-zäöüß]{2})", lambda hit: hit[0].translate(ACCENTS)),
    "half of a hyphenated word left out": hyphen_dropped,
    "long and edited": long_and_edited,
    "weighty word moved": weighty_moved,
    "clauses crossed": clauses_crossed,
    "sentence left out": sentence_left_out,
    "edited beside honest changes": edited_beside_honest,
}
"""Attacks by family."""
