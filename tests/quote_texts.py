"""Texts that quotes are taken from: pages, their sentences as a reader sees them, and what a page truly says.

Nothing here asks the quote rule: rendering and comparison are plain and their own, so that they can judge it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from quote_words import ARTICLES

CHECKOUT = Path(__file__).resolve().parents[1]
FIXTURES = CHECKOUT / "tests" / "fixtures"
PAGES = (
    ("README.md", CHECKOUT / "README.md", "markdown"),
    ("sql/README.md", CHECKOUT / "sql" / "README.md", "markdown"),
    ("seeds/README.md", CHECKOUT / "seeds" / "README.md", "markdown"),
    ("prose_en.md", FIXTURES / "prose_en.md", "markdown"),
    ("prose_de.txt", FIXTURES / "prose_de.txt", "plain"),
)
"""Texts inside the checkout."""
NEWS = ("tz", "NEWS")
"""Where the change log of tz lies among the shared data."""

LOWER = re.compile(r"(?<![\w'’./|-])(?!(?:these|those|which|being)\b)[a-zäöüß]{5,}(?![\w'’/|-]|\.\w)")
"""A lower-case word that is not free to come and go (evidence 2.3)."""
SUPERSCRIPT = str.maketrans("0123456789+-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻")
_RENDER = (
    (re.compile(r"<sup>([0-9+-]{1,4})</sup>"), lambda hit: hit[1].translate(SUPERSCRIPT)),
    (re.compile(r"!?\[([^\][]+)\]\([^()\s]*\)"), r"\1"),
    (re.compile(r"^ {0,9}(?:[-+*]|#{1,6}|>|[0-9]{1,3}\.) +"), ""),
    (re.compile(r"\*\*|``?"), ""),
    (re.compile(r"(?<![\w*])\*([^\s*](?:[^*]*[^\s*])?)\*(?![\w*])"), r"\1"),
    (re.compile(r"(?<!\\)\|"), " "),
    (re.compile(r"\\\|"), "|"),
)
_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_ITEM = re.compile(r"\n(?= *(?:[-+*|>]|#{1,6}|[0-9]{1,3}\.) ?)")
_RULE = re.compile(r"[\s|:-]*")
_END = re.compile(r"(?<=[.!?])(?<![\s(]Dr\.)(?<!Prof\.)(?<!e\.g\.)(?<!i\.e\.)[)\]\"'”’*`]*\s+")
_MAGNITUDE = "%|percent|per cent|Prozent|hundred|thousand|million|billion|Million|Milliard|Tausend"
_GLUE = re.compile(rf"(?<=\d)[ \u00a0\u202f](?=\d{{3}}\b|{_MAGNITUDE})")
_GROUPING = re.compile(r"(?<=\d)[,](?=\d{3}(?!\d))")
_OUTER = ".,;:!?\"'()[]{}“”‘’„…"
_MARKS = frozenset(_OUTER + "-–—¦/")
_GLUED = "\0"
"""Stands for a blank inside a number, or between a number and its magnitude, where no token ends."""


@dataclass(frozen=True)
class Page:
    """One text with its profile."""

    name: str
    raw: str
    profile: str

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """Sentences and table rows, rendered, of 5 words to 400 characters."""
        found = (one for block in self._blocks() for one in _END.split(block))
        return tuple(dict.fromkeys(one for one in found if len(one.split()) >= 5 and len(one) <= 400))

    @cached_property
    def rows(self) -> tuple[tuple[tuple[str, ...], ...], ...]:
        """Tables: each a tuple of rows, each a tuple of rendered cells; the header first."""
        tables: list[list[tuple[str, ...]]] = [[]]
        for line in _FENCE.sub("", self.raw).split("\n"):
            cells = tuple(rendered(cell) for cell in re.split(r"(?<!\\)\|", line.strip("| ")))
            if not line.startswith("|") or "~~" in line:
                tables.append([])
            elif not _RULE.fullmatch(line):
                tables[-1].append(cells)
        return tuple(tuple(table) for table in tables if len(table) > 2)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Capitalised words inside sentences that stand nowhere in lower case, in order of their first appearance."""
        words = {word for one in self.sentences for word in one.split()}
        inside = (word.strip(_OUTER) for one in self.sentences for word in one.split()[1:])
        names = (one for one in inside if re.fullmatch(r"[A-ZÄÖÜ][a-zäöüß]{3,}", one) and one.lower() not in words)
        return tuple(dict.fromkeys(names))

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Content words in lower case, in order of their first appearance."""
        return tuple(dict.fromkeys(LOWER.findall(" ".join(self.sentences))))

    @cached_property
    def flat(self) -> str:
        """The whole text, rendered, blanks single."""
        return self._rendered(self.raw)

    @cached_property
    def _said(self) -> str:
        return as_said(" ".join(self._rendered(re.sub(r"(?<!\\)\|", " ¦ ", line)) for line in self.raw.split("\n")))

    def says(self, quote: str) -> bool:
        """Tell whether the words of a quote stand on the page as they are, as whole tokens.

        Such a quote is honest however it came about: an edit that gives one proves nothing.
        """
        words = as_said(quote).replace(_GLUED, " ").strip(" .!?").split()
        return re.search(f" {f'[ {_GLUED}]'.join(map(re.escape, words))}[.!?]? ", self._said) is not None

    def _blocks(self) -> Iterator[str]:
        for block in re.split(r"\n\s*\n", _COMMENT.sub("", _FENCE.sub("", self.raw))):
            for item in _ITEM.split(block):
                if not item.lstrip().startswith("#") and not _RULE.fullmatch(item) and "~~" not in item:
                    yield self._rendered(item)

    def _rendered(self, text: str) -> str:
        return rendered(text) if self.profile == "markdown" else " ".join(re.sub(r"^ *- +", "", text).split())


def rendered(text: str) -> str:
    """Give text as a reader sees it: marks and links gone, blanks single."""
    for pattern, by in _RENDER:
        text = pattern.sub(by, text)
    return " ".join(text.split())


def as_said(text: str) -> str:
    """Give words apart by one blank, numbers whole; no articles, no grouping commas, of marks at edges only stops."""
    text = _GROUPING.sub("", _GLUE.sub(_GLUED, " ".join(text.replace("[...]", "…").split())))
    words = (_bare(word) for word in text.split() if not _MARKS.issuperset(word))
    return " " + " ".join(word for word in words if word not in ARTICLES) + " "


def _bare(word: str) -> str:
    bare = word.strip(_OUTER)
    stop = re.search("[.!?]", word[word.rindex(bare) + len(bare) :])
    return bare + (stop[0] if stop else "")


def pages() -> tuple[Page, ...]:
    """Give the texts inside the checkout."""
    return tuple(Page(name, path.read_text(encoding="utf-8"), profile) for name, path, profile in PAGES)


def news(shared: Path) -> Page:
    """Give the change log of tz."""
    return Page("NEWS", shared.joinpath("data", *NEWS).read_text(encoding="utf-8"), "plain")
