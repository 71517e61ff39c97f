"""What may have been meant by words that no rule took: predicates spelled nearly so, or holding one of the words."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache

from claimbase.questions.lexicon import COMPARATORS, FILLERS, KEYS, NOUNS
from claimbase.questions.looking import COMMON_PRICES
from claimbase.questions.words import key_of, phrases_of
from claimbase.vocabulary import Vocabulary

_LIKENESS = 0.78
_LENGTHS_APART = 3
_WORDS = 12
_SHORTEST = 4
_LONGEST_PHRASE = 3
_NEAREST = 2
_TOO_MANY = 5


@dataclass(frozen=True, slots=True)
class _Phrases:
    spelled: dict[str, tuple[str, ...]]  # a phrase, and the predicates it names
    holding: dict[str, frozenset[str]]  # a word, and the predicates in whose phrases it stands
    common: frozenset[str]  # words that mean something to the grammar already


@lru_cache(maxsize=16)
def _phrases(vocabulary: Vocabulary) -> _Phrases:
    entries = phrases_of(vocabulary)
    named = {key: names for key, (kind, names) in entries.items() if kind == "pred"}
    holding: dict[str, set[str]] = {}
    for key, names in named.items():
        for word in key if len(key) > 1 else ():
            holding.setdefault(word, set()).update(names)
    common = {word for phrase in (*KEYS, *FILLERS, *NOUNS, *COMPARATORS, "token", "tokens") for word in key_of(phrase)}
    common |= {word for key, (kind, _) in entries.items() if kind == "scope" for word in key}
    return _Phrases(
        {" ".join(key): names for key, names in named.items()},
        {word: frozenset(names) for word, names in holding.items()},
        frozenset(common),
    )


def nearest(piece: str, vocabulary: Vocabulary) -> list[str]:
    """Return the predicates a left-over piece most resembles, else those whose phrases hold one of its words."""
    phrases = _phrases(vocabulary)
    words = [word for word in key_of(piece)[:_WORDS] if len(word) >= _SHORTEST and word not in phrases.common]
    for size in range(_LONGEST_PHRASE, 0, -1):
        found: dict[str, None] = {}
        for place in range(len(words) - size + 1):
            text = " ".join(words[place : place + size])
            alike = [phrase for phrase in phrases.spelled if abs(len(phrase) - len(text)) <= _LENGTHS_APART]
            for phrase in get_close_matches(text, alike, n=_NEAREST, cutoff=_LIKENESS):
                found.update(dict.fromkeys(phrases.spelled[phrase]))
        if found:
            return list(found)[:_NEAREST]
    held = {name for word in words for name in phrases.holding.get(word, ())}
    return sorted(held) if len(held) <= _TOO_MANY else sorted(held & set(COMMON_PRICES))
