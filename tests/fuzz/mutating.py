"""Mutations of texts and of JSON: small, blind, seeded; they know seeds and words, not grammars."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeAlias

LONGEST = 4_096
"""The longest input, in characters."""
FIELD = "\x1f"
"""Separates the fields of an input: a text and its unit, a quote and its page."""

ODD = tuple(
    "\0\t\n\r\x1b\x1f\x7f\x85\xa0\xad·²½ßİıŁǅʼ\u0301\u0345\u0660\u0968\u1e9e\u200b\u200d\u200e\u2028\u202e\u2066"
    "\u20ac\u2212\u2460\u3000。「…‘’“”ﬁ１\ud800\udfff\ufeff\ufffd\uffff😀🏽\U000e0041\U0010ffff\"'\\`()[]{}<>|*_~#@%&;:,.!?/-+=0O"
)
"""Characters on which parsers trip: half characters, digits that are none, folds that grow, marks, closers."""
_NUMBERS = ("0", "-0", "1e999999999", "9" * 30, "9" * 5_000, "0.000000000001", "1e-13", "NaN", "Infinity", "-1", "٣")

Op: TypeAlias = Callable[[str, Random, Sequence[str]], str]


def _span(text: str, rng: Random) -> tuple[int, int]:
    """Draw a range; short ones are likelier."""
    start = rng.randint(0, len(text))
    longest = len(text) - start if rng.random() < 0.2 else min(len(text) - start, 8)
    return start, start + rng.randint(0, longest)


def _insert(text: str, rng: Random, words: Sequence[str]) -> str:
    at = rng.randint(0, len(text))
    return text[:at] + rng.choice(words) + text[at:]


def _replace(text: str, rng: Random, words: Sequence[str]) -> str:
    start, end = _span(text, rng)
    return text[:start] + rng.choice(words) + text[end:]


def _odd(text: str, rng: Random, words: Sequence[str]) -> str:
    start, end = _span(text, rng)
    return text[:start] + rng.choice(ODD) + text[min(end, start + 1) :]


def _cut(text: str, rng: Random, words: Sequence[str]) -> str:
    start, end = _span(text, rng)
    return text[:start] + text[end:]


def _double(text: str, rng: Random, words: Sequence[str]) -> str:
    start, end = _span(text, rng)
    return text[:end] + text[start:end] + text[end:]


def _pump(text: str, rng: Random, words: Sequence[str]) -> str:
    """Repeat a piece until the text is as long as may be: what takes more than linear time shows."""
    start, end = _span(text, rng)
    piece = (
        text[start:end] if rng.random() < 0.5 else rng.choice(words) + (rng.choice(words) if rng.random() < 0.5 else "")
    )
    room = LONGEST - len(text)
    return text[:start] + piece * (rng.choice((3, room // (len(piece) or 1))) if room > 0 else 1) + text[end:]


def _move(text: str, rng: Random, words: Sequence[str]) -> str:
    start, end = _span(text, rng)
    rest = text[:start] + text[end:]
    at = rng.randint(0, len(rest))
    return rest[:at] + text[start:end] + rest[at:]


def _figure(text: str, rng: Random, words: Sequence[str]) -> str:
    start, end = _span(text, rng)
    return text[:start] + rng.choice(_NUMBERS) + text[end:]


def _case(text: str, rng: Random, words: Sequence[str]) -> str:
    start, end = _span(text, rng)
    return text[:start] + text[start:end].swapcase() + text[end:]


OPS: tuple[tuple[Op, int], ...] = (
    (_insert, 6), (_replace, 6), (_odd, 6), (_cut, 5), (_double, 3), (_move, 3), (_figure, 2), (_case, 1), (_pump, 1),
)  # fmt: skip
"""The mutations, and how often each is drawn."""
_DRAWN = tuple(op for op, weight in OPS for _ in range(weight))


def mutated(text: str, rng: Random, words: Sequence[str]) -> str:
    """Change a text in one to four places.

    Args:
        text: a seed or an input that showed something new.
        rng: draws everything.
        words: what the grammar knows.
    """
    while True:
        text = rng.choice(_DRAWN)(text, rng, words)
        if rng.random() < 0.4:
            return text[:LONGEST]


# -- JSON ------------------------------------------------------------------------------------------------------------

_LEAVES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**53, 2**53 + 1, 10**30, 0.5, 1e300, "", " ", "x", "\ud800", "\0", "é", "🙂", [], {},
    [[]], [{}],
)  # fmt: skip


def mutated_json(text: str, rng: Random, words: Sequence[str]) -> str:
    """Change a JSON text in its values and keys, so that it stays JSON; at times in its characters.

    Args:
        text: JSON; what is none is changed as text.
        rng: draws everything.
        words: keys and values that the reader knows.
    """
    if rng.random() < 0.15:
        return mutated(text, rng, words)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return mutated(text, rng, words)
    for _ in range(rng.choice((1, 1, 2, 3))):
        value = _changed(value, rng, words)
    return json.dumps(value, ensure_ascii=rng.random() < 0.5)


def _changed(value: Any, rng: Random, words: Sequence[str]) -> Any:
    """Change one place of a value, chosen by walking down at random."""
    if isinstance(value, dict) and value:
        key = rng.choice(list(value))
        return _member(value, key, rng, words)
    if isinstance(value, list) and value:
        return _item(value, rng.randrange(len(value)), rng, words)
    return _leaf(value, rng, words)


def _member(value: dict[str, Any], key: str, rng: Random, words: Sequence[str]) -> Any:
    draw = rng.random()
    if draw < 0.7:
        return value | {key: _changed(value[key], rng, words)}
    if draw < 0.8:
        return {name: inner for name, inner in value.items() if name != key}
    if draw < 0.9:
        return value | {rng.choice(words): value[key]}
    return _leaf(value, rng, words)


def _item(value: list[Any], at: int, rng: Random, words: Sequence[str]) -> Any:
    draw = rng.random()
    if draw < 0.7:
        return [*value[:at], _changed(value[at], rng, words), *value[at + 1 :]]
    if draw < 0.8:
        return value[:at] + value[at + 1 :]
    if draw < 0.9:
        return [*value, value[at]]
    return _leaf(value, rng, words)


def _leaf(value: Any, rng: Random, words: Sequence[str]) -> Any:
    if isinstance(value, str) and rng.random() < 0.5:
        return mutated(value, rng, words)
    if isinstance(value, int) and not isinstance(value, bool) and rng.random() < 0.5:
        return value + rng.choice((-1, 1, 2**31, -(2**63), 10**18))
    if rng.random() < 0.1:
        return [value] * 3
    return rng.choice(words) if rng.random() < 0.4 else rng.choice(_LEAVES)
