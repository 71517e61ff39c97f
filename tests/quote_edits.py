"""Edits of quotes: harmful ones by class, which no rule may let pass, and honest variants, which it must.

A maker takes a sentence as a reader sees it and its page, and gives edited quotes. It knows nothing of the rule.
An edit is dropped by `harmful` for one of these reasons alone, none of which asks the rule:

- the page says the edited words itself, as whole tokens (`Page.says`): then the quote is true however it came about.
  A word left out at the very edge of a quote, or the price of another row that costs the same, are of this kind;
- nothing but articles and grouping commas differs from what the page says (`the = a`, `1,000 = 1000`);
- it is no quote any more: fewer than three tokens are left.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from difflib import SequenceMatcher
from itertools import chain, islice, pairwise

from quote_texts import LOWER, Page
from quote_words import (
    AUXILIARIES,
    CASED,
    COMPARATORS,
    CURRENCIES,
    HEDGES,
    LIMITS,
    MODALS,
    MONTHS,
    NEGATIONS,
    NUMBER_WORDS,
    PREFIXES,
    QUANTIFIERS,
    SIGNS,
    TENSES,
    UNITS,
    Table,
)  # fmt: skip

Maker = Callable[[str, Page], Iterable[str]]

NUMBER = re.compile(r"(?<![\w.,:/-])[-+±]?[$€£]?[-+]?\d+(?:[.,]\d+)*(?![\w/:-])")
INTEGER = re.compile(r"(?<![\w.,-])\d{2,}(?![\w,-])")
WINDOW = 6
"""Words kept on both sides of an edit in its narrow form."""
EACH = 3
"""Edits of one class taken from one sentence, at most."""


INVENTED = ("Tarrow", "Velkin", "Osmund")
STRANGE = ("illegal", "secretly", "harmless", "gefährlich", "heimlich", "broken")


def matches(words: Iterable[str], text: str) -> Iterator[re.Match[str]]:
    """Find words where they stand alone, capital at the start or not."""
    inner = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    return re.finditer(rf"(?<![\w'’-])(?:{inner})(?![\w'’-])", text, re.IGNORECASE if inner.islower() else re.NOFLAG)


def put(text: str, hit: re.Match[str], new: str) -> str:
    """Replace one hit, with a capital where it had one; one blank goes with a hit replaced by nothing."""
    old = hit[0]
    if old[:1].isupper() and old[1:].islower() and new[:1].islower():
        new = new[0].upper() + new[1:]
    return " ".join((text[: hit.start()] + new + text[hit.end() :]).split())


def exchanged(table: Table) -> Maker:
    """Make a maker that exchanges each word of a table for each of its others."""

    def make(sentence: str, page: Page) -> Iterator[str]:
        for hit in matches(table, sentence):
            for new in table.get(hit[0], table.get(hit[0].lower(), ())):
                yield put(sentence, hit, new)

    return make


def dropped(words: Iterable[str]) -> Maker:
    """Make a maker that leaves out each of some words."""
    known = tuple(words)
    return lambda sentence, page: (put(sentence, hit, "") for hit in matches(known, sentence))


def replaced(pattern: str, *by: str | Callable[[re.Match[str]], str]) -> Maker:
    """Make a maker that replaces each hit of a pattern by each of some texts."""
    compiled = re.compile(pattern)

    def make(sentence: str, page: Page) -> Iterator[str]:
        for hit in compiled.finditer(sentence):
            for new in by:
                yield put(sentence, hit, new(hit) if callable(new) else hit.expand(new))

    return make


def turned(digit: str) -> str:
    """Give another digit."""
    return str((int(digit) + 3) % 10)


def digit_changed(sentence: str, page: Page) -> Iterator[str]:
    """Change one digit."""
    for hit in re.finditer(r"\d", sentence):
        yield sentence[: hit.start()] + turned(hit[0]) + sentence[hit.end() :]


def digits_crossed(sentence: str, page: Page) -> Iterator[str]:
    """Cross two neighbouring digits, leave one out, double one."""
    for hit in re.finditer(r"(\d)(\d)", sentence):
        for new in (hit[2] + hit[1], hit[1], hit[0] + hit[2]):
            if new != hit[0]:
                yield sentence[: hit.start()] + new + sentence[hit.end() :]


def number_cut(sentence: str, page: Page) -> Iterator[str]:
    """End or begin a quote inside a number, or between a number and its magnitude."""
    inside = r"(?<=\d)(?=[.,]?\d)|(?<=\d)(?= ?(?:%|percent|million|billion|Millionen|Prozent))|(?<=[$€£+-])(?=\d)"
    for hit in re.finditer(inside, sentence):
        yield re.sub(r"[$€£+-]$", "", sentence[: hit.start()])
        yield sentence[hit.start() :]


def range_cut(sentence: str, page: Page) -> Iterator[str]:
    """End or begin a quote inside a range, date, ratio or time, or leave one side of it out."""
    for hit in re.finditer(r"(?<=\d)[-–:/](?=\d)", sentence):
        left, right = sentence[: hit.start()], sentence[hit.end() :]
        yield left
        yield right
        yield re.sub(r"\S+$", "", left) + right
        yield left + re.sub(r"^\S+", "", right)
        yield left + right


def negation_in(sentence: str, page: Page) -> Iterator[str]:
    """Put a negation behind an auxiliary verb."""
    for hit in matches(AUXILIARIES, sentence):
        words = ("not", "never") if page.name != "prose_de.txt" else ("nicht", "nie")
        if not re.match(r"\W+(?:not|never|no|nicht|nie|kein)", sentence[hit.end() :]):
            yield from (put(sentence, hit, f"{hit[0]} {word}") for word in words)


def prefix_in(sentence: str, page: Page) -> Iterator[str]:
    """Put a negating prefix before a word, or a negating suffix behind it."""
    for hit in LOWER.finditer(sentence):
        yield from (put(sentence, hit, new) for new in ("un" + hit[0], "in" + hit[0], "non-" + hit[0], hit[0] + "less"))


def prefix_out(sentence: str, page: Page) -> Iterator[str]:
    """Take a prefix that may negate from a word."""
    for hit in LOWER.finditer(sentence):
        for prefix in PREFIXES:
            if hit[0].startswith(prefix) and len(hit[0]) > len(prefix) + 3:
                yield put(sentence, hit, hit[0].removeprefix(prefix))


def name_exchanged(sentence: str, page: Page) -> Iterator[str]:
    """Exchange a name for another of the page, or for one that is nowhere; leave it out; lose a letter of it."""
    others = [*page.names[:40], *INVENTED]
    for count, hit in enumerate(matches(page.names, sentence) if page.names else ()):
        if hit[0][0].isupper():
            for new in (
                others[(count * 7 + len(sentence)) % len(others)],
                INVENTED[count % 3],
                "",
                hit[0][:-2] + hit[0][-1],
            ):
                if new != hit[0]:
                    yield put(sentence, hit, new)


def names_crossed(sentence: str, page: Page) -> Iterator[str]:
    """Cross two names of one sentence, or take the name of another sentence of the page."""
    here = [hit for hit in (matches(page.names, sentence) if page.names else ()) if hit[0][0].isupper()]
    for one, two in pairwise(here):
        if one[0] != two[0]:
            yield sentence[: one.start()] + two[0] + sentence[one.end() : two.start()] + one[0] + sentence[two.end() :]
    for hit in here:
        yield from (put(sentence, hit, name) for name in islice((n for n in page.names if n not in sentence), 2))


def letter_exchanged(sentence: str, page: Page) -> Iterator[str]:
    """Exchange one letter of a word for another."""
    for hit in LOWER.finditer(sentence):
        at = hit.start() + len(hit[0]) // 2
        yield sentence[:at] + ("a" if sentence[at] != "a" else "i") + sentence[at + 1 :]


def word_in(sentence: str, page: Page) -> Iterator[str]:
    """Put a content word before another."""
    for count, hit in enumerate(LOWER.finditer(sentence)):
        yield put(sentence, hit, f"{STRANGE[(count + len(sentence)) % len(STRANGE)]} {hit[0]}")


def number_in(sentence: str, page: Page) -> Iterator[str]:
    """Put a number before a word."""
    for count, hit in enumerate(LOWER.finditer(sentence)):
        yield put(sentence, hit, f"{('7', '3.5', 'two', '40%')[count % 4]} {hit[0]}")


def word_exchanged(sentence: str, page: Page) -> Iterator[str]:
    """Exchange a word for another of the page that differs in more than one letter and is nobody's slip."""
    for count, hit in enumerate(LOWER.finditer(sentence)):
        near = (
            word
            for word in page.words[count::5]
            if abs(len(word) - len(hit[0])) < 2 and SequenceMatcher(None, word, hit[0]).ratio() < 0.7
        )
        yield from (put(sentence, hit, new) for new in islice(near, 1))


def word_left_out(sentence: str, page: Page) -> Iterator[str]:
    """Leave out one content word in silence."""
    return (put(sentence, hit, "") for hit in LOWER.finditer(sentence))


def words_crossed(sentence: str, page: Page) -> Iterator[str]:
    """Cross two words: neighbours, and those two places apart."""
    hits = list(LOWER.finditer(sentence))
    for one, two in chain(pairwise(hits), zip(hits, hits[2:], strict=False)):
        if one[0] != two[0]:
            yield sentence[: one.start()] + two[0] + sentence[one.end() : two.start()] + one[0] + sentence[two.end() :]


def row_mixed(sentence: str, page: Page) -> Iterator[str]:
    """Give a row of a table one cell, or all cells but the first, of another row."""
    for table in page.rows:
        for row in (row for row in table[1:] if " ".join(row) == sentence):
            for other in (other for other in table[1:] if other[0] != row[0]):
                mixed = [(row[0], *other[1:])]
                mixed += [(*row[:at], other[at], *row[at + 1 :]) for at in range(1, min(len(row), len(other)))]
                yield from (" ".join(cells) for cells in mixed if cells != row)


def negation_elided(sentence: str, page: Page) -> Iterator[str]:
    """Put dots in place of a negation and of some words around it."""
    words = sentence.split()
    for at, word in enumerate(words):
        if word.strip(".,;:").lower() in NEGATIONS:
            for wide in (0, 1, 3):
                left, right = words[: max(at - wide, 0)], words[at + 1 + wide :]
                if len(left) > 1 and len(right) > 1:
                    yield " ".join((*left, ("…", "[...]", "...")[wide % 3], *right))


def pieces_reversed(sentence: str, page: Page) -> Iterator[str]:
    """Exchange the halves of a sentence around dots, or without them."""
    words = sentence.split()
    for at in (len(words) // 2, len(words) // 3):
        yield " ".join((*words[at:], "…", *words[:at]))
        yield " ".join((*words[at:], *words[:at]))


def pieces_joined(sentence: str, page: Page) -> Iterator[str]:
    """Join the first half of a sentence with the second half of a later one, with dots and without.

    Where the later one begins with the same words, the dots are an honest elision of it.
    """
    words = sentence.split()
    head = " ".join(words[: len(words) // 2])
    at = page.sentences.index(sentence) if sentence in page.sentences else 0
    for other in page.sentences[at + 1 : at + 3]:
        tail = other.split()[len(other.split()) // 2 :]
        for dots in ("",) if f"{head} " in other else ("…", "[...]", ""):
            yield " ".join((head, dots, *tail))


def elided_and_changed(sentence: str, page: Page) -> Iterator[str]:
    """Elide the middle of a sentence and change a word or number of what is left."""
    words = sentence.split()
    third = len(words) // 3
    for edit in chain(islice(digit_changed(sentence, page), 2), islice(word_exchanged(sentence, page), 2)):
        changed = edit.split()
        quote = " ".join((*changed[:third], "…", *changed[-third:]))
        if third > 1 and quote != " ".join((*words[:third], "…", *words[-third:])):
            yield quote


HARMFUL: dict[str, Maker] = {
    "digit changed": digit_changed,
    "digits crossed": digits_crossed,
    "sign dropped": replaced(r"(?<![\w.])[-+±](?=[\d€$£])", "", "±", lambda hit: "+" if hit[0] == "-" else "-"),
    "sign put in": replaced(r"(?<![\w.,:+±$€£-])(?=\d)", "-"),
    "currency dropped": replaced(r"[$€£](?=\d)", "", lambda hit: "€" if hit[0] != "€" else "$"),
    "currency word exchanged": exchanged(CURRENCIES),
    "percent dropped": replaced(r"(?<=\d) ?%", "", "‰", " percentage points"),
    "comparison sign turned": replaced(
        r"(?<![^\s(])(?:[<>]=?|[≤≥≠]|!=)(?=\s?[\w$€])", lambda hit: SIGNS[hit[0]], "", "="
    ),
    "number inserted": number_in,
    "number dropped": replaced(r"(?<!\[)" + NUMBER.pattern, ""),
    "number cut": number_cut,
    "decimal mark moved": replaced(r"(?<=\d)[.,](?=\d{1,2}(?!\d))", "", lambda hit: "," if hit[0] == "." else "."),
    "range or date cut": range_cut,
    "number word exchanged": exchanged(NUMBER_WORDS),
    "negation in": negation_in,
    "negation out": dropped(NEGATIONS),
    "contraction undone": lambda one, page: chain(
        replaced(r"(?<=[a-z])n['’]t\b", "")(one, page),
        exchanged(
            {"cannot": ("can",), "keine": ("eine",), "kein": ("ein",), "keinen": ("einen",), "keiner": ("einer",)}
        )(one, page),
    ),
    "prefix in": prefix_in,
    "prefix out": prefix_out,
    "comparator turned": exchanged(COMPARATORS),
    "comparator dropped": dropped(LIMITS),
    "unit exchanged": exchanged(UNITS),
    "unit dropped": replaced(
        r"(?<=\d )(?:[GMKT]B|kg|g|km|m|mm|cm|ms|MW|mA|hours|days|months|years|minutes|million|Tagen|Monate|Stunden|"
        r"Minuten|Millionen|Euro|Jahre|tokens|mg|°C|m²|litres|Cent|km²)(?![\w²])",
        "",
    ),
    "unit case": exchanged(CASED),
    "modal exchanged": exchanged(MODALS),
    "modal dropped": dropped(MODALS),
    "quantifier exchanged": exchanged(QUANTIFIERS),
    "quantifier dropped": dropped(QUANTIFIERS),
    "hedge dropped": dropped(HEDGES),
    "hedge exchanged": exchanged(dict.fromkeys(HEDGES, ("certainly", "sicher"))),
    "tense changed": exchanged(TENSES),
    "month or weekday changed": exchanged(
        {
            one: (other, MONTHS[at - 7])
            for at, (one, other) in enumerate(zip(MONTHS, MONTHS[1:] + MONTHS[:1], strict=True))
        }
    ),
    "name exchanged": name_exchanged,
    "names crossed": names_crossed,
    "letter exchanged": letter_exchanged,
    "word in": word_in,
    "word exchanged": word_exchanged,
    "word left out": word_left_out,
    "words crossed": words_crossed,
    "row of another": row_mixed,
    "marker or index exchanged": replaced(
        r"(?<=[\[(])\d{1,3}(?=[\]),])", lambda hit: hit[0][:-1] + turned(hit[0][-1]), r"\g<0>, 5"
    ),
    "superscript flattened": replaced(
        r"[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+|₂|½|¼", "", lambda hit: _flat(hit[0]), lambda hit: "^" + _flat(hit[0]) + "0"
    ),
    "negation elided": negation_elided,
    "pieces reversed": pieces_reversed,
    "pieces joined": pieces_joined,
    "elided and changed": elided_and_changed,
    "symbol exchanged": replaced(r"[✓✗↑↓→★☆]", lambda hit: "✗✓↓↑↓☆★"["✓✗↑↓→★☆".index(hit[0])], ""),
}
"""Classes of harmful edits (evidence 2.5), and some that the section implies."""

_FLAT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻₂", "0123456789+-2")


def _flat(text: str) -> str:
    return text.translate(_FLAT).replace("½", "1").replace("¼", "14")


def narrow(sentence: str, edit: str) -> str:
    """Cut an edited sentence down to the words around its change."""
    old, new = sentence.split(), edit.split()
    first = next(
        (at for at, (one, two) in enumerate(zip(old, new, strict=False)) if one != two), min(len(old), len(new))
    )
    back = next((at for at, (one, two) in enumerate(zip(old[::-1], new[::-1], strict=False)) if one != two), 0)
    return " ".join(new[max(first - WINDOW, 0) : max(len(new) - back, first) + WINDOW])


def harmful(make: Maker, sentence: str, page: Page) -> list[str]:
    """Give the edits that a maker gives of one sentence, each whole and narrow, without those that do no harm."""
    wide = list(islice(dict.fromkeys(make(sentence, page)), EACH * 3))
    step = max(len(wide) // EACH, 1)
    taken = [one for edit in wide[::step][:EACH] for one in (edit, narrow(sentence, edit))]
    return [one for one in dict.fromkeys(taken) if len(one.split()) > 2 and not page.says(one)]
