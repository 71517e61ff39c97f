"""Bases and questions by chance: few days, values and names, so that bounds meet, sources agree and names clash."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

from builder import World, day

from claimbase.answers import answer
from claimbase.answers.intervals import when
from claimbase.compiler import Plan
from claimbase.store import Db
from claimbase.temporal import Basis
from claimbase.vocabulary import Alias, Predicate

from .proving import noted

LAST = 9
"""The last day on which anything begins, ends, is read or is written."""
# Their order by bytes is that of no language; a quote, a stroke and a blank have to come through whole.
SUBJECTS = ("alpha", "Beta", "Éclair", "zeta", "Ångström", "_x", "it's \\n", 'the "one"')
PROVIDERS = ("Acme", "acme labs", "Öl")
SOURCES = ("s1", "s2", "s3")
WORDS = ("mit", "mit license", "m", "it's", 'a "b"', "50%", "é\\n")
PREDICATES = [
    Predicate("eol", "date"),
    Predicate("license", "text"),
    Predicate("modes", "set"),
    Predicate("price", "quantity", unit="usd", direction="lower", aliases=(Alias("cost"),)),
    Predicate("score", "quantity", unit="percent", requires=("method",)),
    Predicate("tag", "text", cardinality="many", closed_world=True),
    Predicate("vision", "bool", closed_world=True),
    Predicate("window", "quantity", unit="token", direction="higher"),
]
SCOPES: tuple[dict[str, str], ...] = ({}, {}, {"mode": "batch"}, {"method": "m"}, {"note": '"method": x'})


def world(rng: random.Random, claims: int = 60) -> World:
    """Fill a base: claims and bounds of every kind, merged names, sources withdrawn and described again."""
    filled = World(PREDICATES, now=day(LAST + 1))
    for name in SUBJECTS:
        filled.subject(name, rng.choice(PROVIDERS))
    for name in SOURCES:
        filled.source(name, authority=rng.choice(("third_party", "subject_authored")), source_type=_type(rng))
    for _ in range(claims):
        _claim(filled, rng)
    _merge(filled, rng)
    _describe(filled, rng)
    if rng.random() < 0.6:
        filled.withdraw(rng.choice(SOURCES), _day(rng))
    return filled


def basis(filled: World, rng: random.Random) -> Basis:
    """Give an instant on each of the three axes."""
    return filled.basis(_day(rng), _day(rng, 3), _day(rng, 3))


def question(rng: random.Random) -> tuple[list[str], dict[str, Any]]:
    """Give constraints and the options of an answer."""
    texts = [_condition(rng, 2) for _ in range(rng.randint(1, 3))]
    chosen = {name: make(rng) for name, make in _OPTIONS.items() if rng.random() < 0.15}
    if "limit" in chosen or "offset" in chosen:
        chosen["order_by"] = _OPTIONS["order_by"](rng)
    return texts, chosen


def by_chance(rng: random.Random, questions: int, each: int = 10) -> Iterator[tuple[str, Db, list[Plan]]]:
    """Ask questions, some of them over all time; give each with its base and every plan compiled for it."""
    for first in range(0, questions, each):
        filled = world(rng)
        db = filled.build()
        for number in range(first, min(first + each, questions)):
            texts, options = question(rng)
            at = basis(filled, rng)
            with noted() as plans:
                answer(db, filled.vocabulary, texts, at, **options)
                if number % 5 == 4:
                    when(db, filled.vocabulary, texts, at)
            yield f"question {number} as of {at}: {texts} {options}", db, plans
        db.close()


def _day(rng: random.Random, least: int = 0) -> datetime:
    return day(rng.randint(least, LAST))


def _type(rng: random.Random) -> str:
    return rng.choice(("pricing", "news", "other"))


# -- claims ----------------------------------------------------------------------------------------------------------


def _claim(filled: World, rng: random.Random) -> None:
    predicate = rng.choice([*[one.name for one in PREDICATES], "price", "price", "cost"])
    (provider, name), _ = rng.choice([(key, n) for (kind, key), n in filled.ids.items() if kind == "subject"])
    start, end = _bounds(rng)
    read = rng.randint(0, LAST - 1)
    unseen = rng.choice((None, None, rng.randint(read + 1, LAST)))
    wrote = rng.randint(read, LAST - 1)
    over = rng.choice((None, None, rng.randint(wrote + 1, LAST)))
    absent = rng.random() < 0.1
    filled.claim(
        name, predicate, provider=provider, source=rng.choice(SOURCES), start=start, end=end, scope=rng.choice(SCOPES),
        absent=absent, complete=rng.random() < 0.2, bounded=end[1] is not None and rng.random() < 0.7,
        observed=day(read),
        seen=(day(read), unseen and day(unseen)), recorded=(day(wrote), over and day(over)),
        **({"value": "none", "bounds": (None, None)} if absent else _VALUES[predicate](rng)),
    )  # fmt: skip


def _bounds(rng: random.Random) -> tuple[Any, Any]:
    """Give a start and an end that the table accepts: known, imprecise, unknown or open."""
    first, last = sorted(rng.choices(range(LAST - 1), k=2))
    start = rng.choice([(first, first), (first, last), (None, last), (first, None)])
    after = max(number for number in start if number is not None) + rng.randint(1, 3)
    end = rng.choice([(None, None), (None, None), (after, after), (after, after + 2), (after, None)])
    return tuple(tuple(None if number is None else day(number) for number in pair) for pair in (start, end))


def _number(unit: str | None, odd: str | None) -> Callable[[random.Random], dict[str, Any]]:
    def made(rng: random.Random) -> dict[str, Any]:
        low = rng.randint(0, 4)
        bounds = rng.choice([(low, low)] * 4 + [(low, low + rng.randint(1, 3)), (None, low), (low, None), (None, None)])
        opens = (bounds[0] is not None and rng.random() < 0.2, bounds[1] is not None and rng.random() < 0.2)
        shut = opens if bounds[0] != bounds[1] else (False, False)
        return {
            "value": f"{low}", "bounds": bounds, "opens": shut, "unit": odd if odd and rng.random() < 0.1 else unit,
        }  # fmt: skip

    return made


def _date(rng: random.Random) -> dict[str, Any]:
    at = int(_day(rng).timestamp())
    return {"value": "2026", "bounds": rng.choice([(at, at), (at, at + 86_400), (None, at), (None, None)])}


def _text(rng: random.Random) -> dict[str, Any]:
    word = rng.choice(WORDS)
    return {"value": word, "key": word, "bounds": (None, None)}


def _set(rng: random.Random) -> dict[str, Any]:
    words = sorted(rng.sample(WORDS, rng.randint(1, 3)))
    return {"value": ", ".join(words), "key": json.dumps(words, ensure_ascii=False), "bounds": (None, None)}


def _bool(rng: random.Random) -> dict[str, Any]:
    truth = rng.randint(0, 1)
    return {"value": ("no", "yes")[truth], "key": ("false", "true")[truth], "bounds": (truth, truth)}


_VALUES: dict[str, Callable[[random.Random], dict[str, Any]]] = {
    "eol": _date, "license": _text, "modes": _set, "tag": _text, "vision": _bool, "price": _number("usd", "eur"),
    "cost": _number("usd", None), "score": _number("percent", None), "window": _number("token", None),
}  # fmt: skip


def _merge(filled: World, rng: random.Random) -> None:
    """Give some subjects the name of an earlier one, and take one of them back."""
    known = [number for (kind, _), number in filled.ids.items() if kind == "subject"]
    for alias in rng.sample(known[1:], rng.choice((0, 1, 3))):
        at = rng.randint(0, LAST - 1)
        canonical = rng.choice([one for one in known if one < alias])
        filled.add("alias", "subject", alias, canonical, False, day(at))
        if rng.random() < 0.3:
            filled.add("alias", "subject", alias, canonical, True, day(at + 1))


def _describe(filled: World, rng: random.Random) -> None:
    """Describe some sources again, some of them twice in one reading and without a title."""
    for source in SOURCES:
        at, written = rng.randint(0, LAST - 1), rng.randint(0, LAST)
        for title in rng.choice([(), ("t",), ("Über", None), ("a", "B")]):
            said = (title, rng.choice(("P", None)), None, _type(rng), "third_party", None)
            filled.add("source_attribute", filled.source(source), day(at), *said, day(max(at, written)))


# -- questions -------------------------------------------------------------------------------------------------------


def _condition(rng: random.Random, depth: int) -> str:
    if depth and rng.random() < 0.25:
        members = "; ".join(_condition(rng, depth - 1) for _ in range(rng.randint(1, 3)))
        return f"{rng.choice(('all_of', 'any_of', 'none_of'))}({members})"
    name = rng.choice([one.name for one in PREDICATES])
    scope = rng.choice(("", "", "", "[any]", "[mode=batch]", "[method=m]"))
    operator = rng.choice(("exists", "absent")) if rng.random() < 0.2 else _OPERATORS[name](rng)
    moment = f" @ {_day(rng).date()}" if rng.random() < 0.15 else ""
    return f"{name}{scope} {operator}{moment}"


def _compared(rng: random.Random) -> str:
    low = rng.randint(0, 4)
    signs = [f"{sign} {low}" for sign in (">=", ">", "<=", "<", "=", "!=")]
    return rng.choice([*signs, f"between {low} and {low + rng.randint(0, 2)}", f"in {low}, {low + 1}"])


def _dated(rng: random.Random) -> str:
    first, last = sorted((_day(rng).date(), _day(rng).date()))
    return rng.choice([f"before {last}", f"after {first}", f">= {first}", f"between {first} and 2026-02"])


def _worded(*operators: str) -> Callable[[random.Random], str]:
    return lambda rng: f"{rng.choice(operators)} {json.dumps(rng.choice(WORDS), ensure_ascii=False)}"


_TEXT = _worded("=", "!=", "contains", "starts_with", "in")
_OPERATORS: dict[str, Callable[[random.Random], str]] = {
    "eol": _dated, "license": _TEXT, "modes": _worded("contains", "="), "price": _compared, "score": _compared,
    "tag": _TEXT, "vision": lambda rng: rng.choice(("is_true", "is_false")), "window": _compared,
}  # fmt: skip
_OPTIONS: dict[str, Callable[[random.Random], Any]] = {
    "policy": lambda rng: "any",
    "providers": lambda rng: rng.sample(PROVIDERS, 2),
    "providers_not": lambda rng: rng.choice(PROVIDERS),
    "subjects": lambda rng: rng.sample(SUBJECTS, 3),
    "sources": lambda rng: rng.sample(SOURCES, 2),
    "source_types": _type,
    "authorities": lambda rng: "third_party",
    "show": lambda rng: rng.choice(("window", "license")),
    "order_by": lambda rng: (rng.choice(("price", "window", "vision")), rng.choice(("asc", "desc"))),
    "limit": lambda rng: rng.randint(0, 4),
    "offset": lambda rng: rng.randint(0, 2),
    "near_limit": lambda rng: rng.randint(0, 2),
    "everyone": lambda rng: True,
}
