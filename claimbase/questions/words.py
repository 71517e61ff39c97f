"""Cutting a question into atoms: names, predicates, amounts, dates and the words of the lexicon, the longest first."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from typing import Any

from claimbase.questions import lexicon
from claimbase.questions.reading import Names
from claimbase.questions.spans import amount_at, date_at
from claimbase.vocabulary import Vocabulary

Key = tuple[str, ...]

# A word is a run of letters and digits; an ending ('s, 't) is a word of its own; any other sign stands alone.
_TOKEN = re.compile(r"(?<=\w)['’](?:s|t|re|ve|ll)\b|[^\W_]+|\S", re.IGNORECASE)
_JOINERS = frozenset("-_.‑–")
_JOINT = re.compile(r"(?<=[^\W_])[-_.‑–](?=[^\W_])")
# What is left off when people call a provider by its first name.
_ENDINGS = re.compile(r"(?:\.js| AI| Labs| Inc\.?)$")
_QUOTED = re.compile(r'"([^"]{1,200})"|“([^”]{1,200})”')
_BRACKET = re.compile(r"\[([^\[\]]{1,200})\]")
_LITERAL = re.compile(r"`([^`]{1,1000})`")
_SYMBOL = re.compile("|".join(map(re.escape, sorted(lexicon.SYMBOLS, key=len, reverse=True))))
_NAME_WORDS = 24


@dataclass(frozen=True, slots=True)
class Atom:
    """A stretch of the question with one meaning; *data* depends on the kind."""

    kind: str
    data: Any
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Token:
    fold: str
    start: int
    end: int
    joint: bool  # a hyphen, dot or underscore between two words, no blank beside it


@dataclass(frozen=True, slots=True)
class _Named:
    kind: str  # "subject", "provider" or "both"
    name: str


@dataclass(slots=True)
class _Index:
    """Phrases by their words; the longest match at a place is found by trying lengths downwards."""

    entries: dict[Key, Any] = field(default_factory=dict)
    longest: int = 0

    def add(self, key: Key, value: Any) -> None:
        self.entries.setdefault(key, value)
        self.longest = max(self.longest, len(key))

    def match(self, words: Key) -> tuple[int, Any] | None:
        """Return how many of the words the longest phrase takes, and its value."""
        for length in range(min(self.longest, len(words)), 0, -1):
            if (found := self.entries.get(words[:length])) is not None:
                return length, found
        return None


def _tokens(text: str) -> list[_Token]:
    spans = [(match.group(), match.start(), match.end()) for match in _TOKEN.finditer(text)]
    found = []
    for place, (word, start, end) in enumerate(spans):
        inside = 0 < place < len(spans) - 1 and spans[place - 1][2] == start and spans[place + 1][1] == end
        joint = inside and word in _JOINERS and spans[place - 1][0][-1].isalnum() and spans[place + 1][0][0].isalnum()
        found.append(_Token(_fold(word), start, end, joint))
    return found


def _fold(word: str) -> str:
    return word.casefold().replace("’", "'")


def key_of(phrase: str) -> Key:
    """Return a phrase's words, folded, hyphens and inner dots dropped: how two spellings are compared."""
    return tuple(_fold(word) for word in _TOKEN.findall(_JOINT.sub(" ", unicodedata.normalize("NFC", phrase))))


def _table(kind: str, phrases: Mapping[str, Any] | Iterable[str]) -> Iterator[tuple[Key, tuple[str, Any]]]:
    items = phrases.items() if isinstance(phrases, Mapping) else ((phrase, phrase) for phrase in phrases)
    for phrase, data in items:
        yield key_of(phrase), (kind, data)


@lru_cache(maxsize=1)
def _lexicon() -> _Index:
    index = _Index()
    sources = {
        frame.format(words): kind for words, kind in lexicon.SOURCE_WORDS.items() for frame in lexicon.SOURCE_FRAMES
    }
    tables: tuple[tuple[str, Mapping[str, Any] | Iterable[str]], ...] = (
        ("cmp", lexicon.COMPARATORS), ("post", lexicon.AFTERTHOUGHTS), ("adj", lexicon.ADJECTIVES),
        ("rank", lexicon.RANKS), ("ord", lexicon.ORDINALS), ("count", lexicon.COUNTS), ("op", lexicon.OPERATIONS),
        ("change", {phrase: (direction,) for phrase, direction in lexicon.CHANGES.items()}),
        ("basis", lexicon.BASES), ("policy", lexicon.POLICIES), ("source", sources), ("key", lexicon.KEYS),
        ("noun", lexicon.NOUNS), ("filler", lexicon.FILLERS),
    )  # fmt: skip
    for kind, phrases in tables:
        for key, value in _table(kind, phrases):
            index.add(key, value)
    index.add(("+",), ("post", "gte"))
    index.add(("'s",), ("filler", "'s"))
    return index


@lru_cache(maxsize=16)
def _predicates(vocabulary: Vocabulary) -> _Index:
    """Index the noun phrases of all predicates, with plural and singular of the last word; names count as phrases."""
    given: dict[Key, set[str]] = {}
    derived: dict[Key, set[str]] = {}
    for predicate in vocabulary:
        # A dated alias is a name a source once used, no word of today's questions.
        undated = [alias.name for alias in predicate.aliases if alias.since is None and alias.until is None]
        for phrase in (*predicate.words, predicate.name, *undated):
            key = key_of(phrase)
            given.setdefault(key, set()).add(predicate.name)
            other = key[-1][:-1] if key[-1].endswith("s") and len(key[-1]) > 3 else key[-1] + "s"
            derived.setdefault((*key[:-1], other), set()).add(predicate.name)
    index = _Index()
    for key, names in given.items():
        index.add(key, ("pred", tuple(sorted(names))))
    for key, names in derived.items():
        if key not in _lexicon().entries:
            index.add(key, ("pred", tuple(sorted(names))))
    for word, scope in vocabulary.scope_words:
        index.add(key_of(word), ("scope", scope))
    return index


@lru_cache(maxsize=8)
def _names(names: Names) -> _Index:
    """Index the base's names; spellings that fold to two different names are kept apart and count as ambiguous."""
    found: dict[Key, dict[str, str]] = {}
    for kind, group in (("subject", names.subjects), ("provider", names.providers)):
        for name in group:
            _note(found, key_of(name), name, kind)
    known = {name: entries[name] for entries in found.values() for name in entries}
    for spelling, name in _other_spellings(names, found):
        if name in known:
            _note(found, key_of(spelling), name, known[name])
    index = _Index()
    for key, entries in found.items():
        if any(any(char.isalpha() for char in word) for word in key):
            index.add(key, tuple(_Named(kind, name) for name, kind in entries.items()))
    index.longest = min(index.longest, _NAME_WORDS)
    return index


def _other_spellings(names: Names, found: Mapping[Key, Any]) -> list[tuple[str, str]]:
    """List given aliases, adjectives of countries, and providers' first names where those are free."""
    short = [(_ENDINGS.sub("", name), name) for name in names.providers]
    free = [(spelling, name) for spelling, name in short if key_of(spelling) not in found]
    return [*free, *names.aliases, *lexicon.DEMONYMS.items()]


def _note(found: dict[Key, dict[str, str]], key: Key, name: str, kind: str) -> None:
    if key:
        entries = found.setdefault(key, {})
        entries[name] = kind if entries.get(name, kind) == kind else "both"


@dataclass(slots=True)
class _Lexer:
    text: str
    vocabulary: Vocabulary
    names: _Index
    phrases: _Index
    now: datetime
    tokens: list[_Token] = field(init=False)
    at: dict[int, int] = field(init=False)

    def __post_init__(self) -> None:
        self.tokens = _tokens(self.text)
        self.at = {token.start: place for place, token in enumerate(self.tokens)}

    def run(self) -> list[Atom]:
        atoms: list[Atom] = []
        place = 0
        while place < len(self.tokens):
            atom = self.best(self.tokens[place].start)
            atoms.append(atom)
            while place < len(self.tokens) and self.tokens[place].start < atom.end:
                place += 1
        return _absorb_numbers(self.text, atoms)

    def best(self, start: int) -> Atom:
        """Return the longest atom that begins here; at equal length the earlier kind of reading wins."""
        readers: tuple[Callable[[int], Atom | None], ...] = (
            self.name, self.date, self.amount, self.quoted, self.phrase, self.symbol, self.word,
        )  # fmt: skip
        found = [atom for reader in readers if (atom := reader(start)) is not None and self.whole(atom)]
        return max(found, key=lambda atom: atom.end) if found else self.unknown(start)

    def whole(self, atom: Atom) -> bool:
        """Refuse an atom that ends inside a word or a hyphenated chain."""
        last = next((token for token in self.tokens if token.start <= atom.end - 1 < token.end), None)
        if last is None or last.end != atom.end:
            return False
        following = self.at.get(atom.end)
        return following is None or not self.tokens[following].joint or atom.kind in ("amount", "date")

    def words(self, start: int, limit: int) -> tuple[Key, tuple[int, ...]]:
        """Return the next words from a place, and where each ends; hyphens inside a chain are passed over."""
        place = self.at[start]
        folds: list[str] = []
        ends: list[int] = []
        while place < len(self.tokens) and len(folds) < limit:
            token = self.tokens[place]
            if not token.joint:
                folds.append(token.fold)
                ends.append(token.end)
            place += 1
        return tuple(folds), tuple(ends)

    def name(self, start: int) -> Atom | None:
        words, ends = self.words(start, self.names.longest)
        while found := self.names.match(words):
            length, entries = found
            atom = Atom("name", entries, start, ends[length - 1])
            if self.whole(atom) and (named := self.one_name(atom, words[:length])) is not None:
                return named
            words = words[: length - 1]
        return None

    def one_name(self, atom: Atom, key: Key) -> Atom | None:
        """Settle which name is meant; a common word is a name only in the exact case."""
        written = " ".join(self.text[atom.start : atom.end].split())
        entries: tuple[_Named, ...] = atom.data
        exact = [entry for entry in entries if entry.name == written] or [
            entry for entry in entries if entry.name.casefold() == written.casefold()
        ]
        common = key in _lexicon().entries or key in self.phrases.entries
        if common and not any(entry.name == written for entry in entries):
            return None
        chosen = exact if len(exact) == 1 else list(entries)
        return replace(atom, data=tuple(chosen))

    def phrase(self, start: int) -> Atom | None:
        words, ends = self.words(start, self.phrases.longest)
        while found := self.phrases.match(words):
            length, (kind, data) = found
            atom = Atom(kind, data, start, ends[length - 1])
            if self.whole(atom):
                return atom
            words = words[: length - 1]
        return None

    def word(self, start: int) -> Atom | None:
        words, ends = self.words(start, _lexicon().longest)
        while found := _lexicon().match(words):
            length, (kind, data) = found
            atom = Atom(kind, data, start, ends[length - 1])
            if self.whole(atom):
                return atom
            words = words[: length - 1]
        return None

    def symbol(self, start: int) -> Atom | None:
        match = _SYMBOL.match(self.text, start)
        return Atom("sign", lexicon.SYMBOLS[match.group()], start, match.end()) if match else None

    def quoted(self, start: int) -> Atom | None:
        if match := _QUOTED.match(self.text, start):
            return Atom("quoted", match[1] or match[2], start, match.end())
        if match := _BRACKET.match(self.text, start):
            return Atom("bracket", match[1], start, match.end())
        if match := _LITERAL.match(self.text, start):
            return Atom("literal", match[1], start, match.end())
        return None

    def date(self, start: int) -> Atom | None:
        found = date_at(self.text, start, self.now)
        return Atom("date", found[0], start, found[1]) if found else None

    def amount(self, start: int) -> Atom | None:
        if start and self.text[start - 1].isalnum():
            return None
        found = amount_at(self.text, start, self.phrase_end)
        return Atom("amount", found, start, found.end) if found else None

    def phrase_end(self, start: int) -> int:
        """Return where a predicate's phrase that begins here ends; 0 for none."""
        atom = self.phrase(start) if start in self.at else None
        return atom.end if atom is not None and atom.kind == "pred" else 0

    def unknown(self, start: int) -> Atom:
        """Take a word nobody knows, the whole hyphenated chain of it."""
        place = self.at[start]
        end = self.tokens[place].end
        while place + 2 < len(self.tokens) and self.tokens[place + 1].joint:
            place += 2
            end = self.tokens[place].end
        return Atom("unknown", self.text[start:end], start, end)


def _absorb_numbers(text: str, atoms: list[Atom]) -> list[Atom]:
    """Give a bare number right behind an unknown capitalised word to that word: "Gemini 2.5" is one unknown name."""
    joined: list[Atom] = []
    for atom in atoms:
        before = joined[-1] if joined else None
        if (
            before is not None
            and before.kind == "unknown"
            and text[before.start].isupper()
            and atom.kind == "amount"
            and atom.data.bare
            and text[before.end : atom.start] == " "
        ):
            joined[-1] = Atom("unknown", text[before.start : atom.end], before.start, atom.end)
        else:
            joined.append(atom)
    return joined


def cut(text: str, vocabulary: Vocabulary, names: Names, now: datetime) -> list[Atom]:
    """Cut a question into atoms, in order; fillers are among them, blanks are not."""
    return _Lexer(text, vocabulary, _names(names), _predicates(vocabulary), now).run()


def names_first(atoms: list[Atom]) -> list[Atom]:
    """Move names between a noun phrase and its operand before the phrase: "the input price of X below $2/M"."""
    moved: list[Atom] = []
    place = 0
    while place < len(atoms):
        behind = _behind_names(atoms, place + 1) if atoms[place].kind == "pred" else place + 1
        inner = atoms[place + 1 : behind]
        operand = behind < len(atoms) and (
            atoms[behind].kind in ("cmp", "sign", "amount") or atoms[behind].data in ("between", "after", "before")
        )
        moved += [*inner, atoms[place]] if inner and operand else atoms[place:behind]
        place = behind
    return moved


def _behind_names(atoms: list[Atom], place: int) -> int:
    """Return the place behind a list of names with its preposition and noun; the same place where there is none."""
    end = place + (place < len(atoms) and atoms[place].kind == "key" and atoms[place].data in ("in", "from", "by"))
    named = False
    while end < len(atoms) and (atoms[end].kind == "name" or (named and atoms[end].data in ("and", "or", "comma"))):
        named = True
        end += 1
    if not named or atoms[end - 1].kind != "name":
        return place
    return end + (end < len(atoms) and atoms[end].kind == "noun")


def phrases_of(vocabulary: Vocabulary) -> Mapping[Key, tuple[str, Any]]:
    """Return every phrase that names a predicate or a scope, by its words."""
    return _predicates(vocabulary).entries
