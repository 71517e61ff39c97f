"""The word lists of the quote rule: which words are protected, free or bounds, in every language at once (N9)."""

from __future__ import annotations

import hashlib
import json
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from claimbase.evidence.folding import fold
from claimbase.evidence.terms import ChangeKind

LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "nl", "ru", "ar", "zh", "ja")
"""English comes first: where two languages disagree about a word, the earlier one decides."""

_CLASSES = {
    "negation": ChangeKind.NEGATION,
    "comparator": ChangeKind.COMPARATOR,
    "unit": ChangeKind.UNIT,
    "modal": ChangeKind.MODAL,
    "qualifier": ChangeKind.QUALIFIER,
    "number": ChangeKind.NUMBER,
    "date": ChangeKind.DATE,
    "free": ChangeKind.FREE,
}
_UNSPACED = ("zh", "ja")


@dataclass(frozen=True)
class Words:
    """All lists, folded.

    Args:
        kinds: the class of a word; free words are those that may be left out without being named.
        dates: words that name a day or month, also where another class comes first.
        group: the group a free word may be exchanged in.
        added: free words that a quote may bring in.
        articles: German definite articles; german: words that show German; own: words that show English.
        foreign: words that show that a sentence is not English.
        context, bounds, abbreviations, magnitudes, prefixes, suffixes: what N3 and N8 look for.
        cased: units that another case makes another unit; k and m, which may be magnitudes, are none of them.
        inner: negations and limits of scripts without spaces, found inside running text, by class.
    """

    kinds: dict[str, ChangeKind]
    dates: frozenset[str]
    group: dict[str, int]
    added: frozenset[str]
    articles: frozenset[str]
    german: frozenset[str]
    own: frozenset[str]
    foreign: frozenset[str]
    context: frozenset[str]
    bounds: tuple[str, ...]
    abbreviations: frozenset[str]
    magnitudes: frozenset[str]
    prefixes: frozenset[str]
    suffixes: frozenset[str]
    cased: frozenset[str]
    inner: dict[ChangeKind, tuple[str, ...]]


def _listed(table: dict[str, str | list[str]], name: str) -> list[str]:
    """Read one list, written as words or as phrases, folded."""
    found = table.get(name, "")
    return [fold(word) for word in (found.split() if isinstance(found, str) else found)]


@cache
def _tables() -> dict[str, dict[str, str | list[str]]]:
    folder = files("claimbase.evidence") / "lists"
    return {name: tomllib.loads((folder / f"{name}.toml").read_text(encoding="utf-8")) for name in LANGUAGES}


def _union(name: str) -> frozenset[str]:
    return frozenset(word for table in _tables().values() for word in _listed(table, name))


@cache
def words() -> Words:
    """Load the lists, once."""
    tables = _tables()
    kinds: dict[str, ChangeKind] = {}
    for table in tables.values():
        for name, kind in _CLASSES.items():
            for word in _listed(table, name):
                kinds.setdefault(word, kind)
    groups = [group.split() for group in tables["en"]["groups"]]
    unspaced = [tables[name] for name in _UNSPACED]
    return Words(
        kinds=kinds,
        dates=_union("date"),
        group={word: number for number, group in enumerate(groups) for word in group},
        added=_union("added"),
        articles=_union("articles"),
        german=frozenset((*_listed(tables["de"], "marks"), *_listed(tables["de"], "articles"))),
        own=_union("own"),
        foreign=_union("marks"),
        context=_union("context"),
        bounds=tuple(sorted(_union("bounds"), key=lambda phrase: (-len(phrase), phrase))),
        abbreviations=_union("abbreviations"),
        magnitudes=_union("magnitude"),
        prefixes=_union("prefixes"),
        suffixes=_union("suffixes"),
        cased=_union("cased"),
        inner={
            ChangeKind.NEGATION: tuple(word for table in unspaced for word in _listed(table, "negation")),
            ChangeKind.QUALIFIER: tuple(word for table in unspaced for word in _listed(table, "context")),
        },
    )


@cache
def lists_sha256() -> str:
    """Give the digest of the word lists as they are compared: folded, in their order."""
    content = {name: {key: _listed(table, key) for key in table} for name, table in _tables().items()}
    return hashlib.sha256(json.dumps(content, ensure_ascii=False, sort_keys=True).encode()).hexdigest()
