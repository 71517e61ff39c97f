"""The closed table of units: names, dimensions, exact decimal factors, and the spellings that sources use.

A dimension is a word (``token``) or a numerator over sorted denominators (``usd/day/token``). A factor is exact and
relative to the dimension's base. Time in a denominator is counted per day and calendar time per year, the greatest
units the table knows, so that every rate has a terminating factor. No unit text from outside ever reaches pint; the
registry that :func:`pint_registry` builds sees only the names and factors below.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, Inexact, InvalidOperation, Overflow, Underflow
from difflib import get_close_matches
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from claimbase.errors import QuantityError, shown

if TYPE_CHECKING:
    from pint import UnitRegistry

EXACT = Context(prec=120, Emax=MAX_EMAX, Emin=MIN_EMIN, clamp=0, traps=[Inexact, InvalidOperation, Overflow, Underflow])
"""Arithmetic that raises instead of rounding (V1)."""

CURRENCIES = ("usd", "eur", "gbp")
COUNTED = ("token", "character")
"""Nouns beside which a small ``m`` can only mean a million."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of the table, or one composed of its parts.

    Args:
        name: the canonical name, such as ``usd_per_mtok``.
        dimension: two units convert into each other only if this is equal (V2).
        factor: how many of the dimension's base one such unit is; exact.
        spellings: other ways to write it.
    """

    name: str
    dimension: str
    factor: Decimal
    spellings: tuple[str, ...] = ()


# name, dimension, factor, spellings. The first of a dimension is its canonical unit. A spelling of three letters or
# more is read in any case; shorter ones only as written here, since Mb and MB, or s and S, are different units.
_SIMPLE = (
    ("1", "1", "1", "parameter, parameters, params, param, dimension, dimensions, dims"),
    ("token", "token", "1", "tokens, tok, toks"),
    ("character", "character", "1", "characters, char, chars"),
    ("word", "word", "1", "words"),
    ("request", "request", "1", "requests, req, reqs"),
    ("call", "call", "1", "calls, invocation, invocations"),
    ("source", "source", "1", "sources, sources requested"),
    ("page", "page", "1", "pages"),
    ("image", "image", "1", "images, img, imgs"),
    ("video", "video", "1", "videos"),
    ("user", "user", "1", "users, seat, seats"),
    ("usd", "usd", "1", "$, us$, usd$, dollar, dollars, us dollar, us dollars"),
    ("usd_cent", "usd", "0.01", "cent, cents, ¢, us cent, us cents, usd cent, usd cents"),
    ("eur", "eur", "1", "€, euro, euros"),
    ("eur_cent", "eur", "0.01", "euro cent, euro cents, eurocent, eurocents, eur cent, eur cents"),
    ("gbp", "gbp", "1", "£, pound sterling, pounds sterling"),
    ("percent", "percent", "1", "%, per cent, pct"),
    ("ratio", "ratio", "1", "ratios"),
    ("share", "share", "1", ""),
    ("s", "time", "1000000", "sec, secs, second, seconds"),
    ("us", "time", "1", "µs, microsecond, microseconds"),
    ("ms", "time", "1000", "msec, msecs, millisecond, milliseconds"),
    ("minute", "time", "60000000", "minutes, min, mins"),
    ("hour", "time", "3600000000", "hours, h, hr, hrs"),
    ("day", "time", "86400000000", "days, d"),
    ("week", "time", "604800000000", "weeks"),
    ("month", "calendar", "1", "months, mo"),
    ("year", "calendar", "12", "years, yr, yrs"),
    ("byte", "data", "8", "bytes, B"),
    ("bit", "data", "1", "bits, b"),
    ("m", "length", "1", "metre, metres, meter, meters"),
    ("km", "length", "1000", "kilometre, kilometres, kilometer, kilometers"),
    ("kg", "mass", "1", "kilogram, kilograms"),
    ("g", "mass", "0.001", "gram, grams"),
)

# What stands below the fraction bar of a price or a rate. The first of a dimension is its canonical unit.
_PRICES = (
    ("per_mtok", "1e6 token"),
    ("per_ktok", "1e3 token"),
    ("per_token", "token"),
    ("per_mcharacter", "1e6 character"),
    ("per_kcharacter", "1e3 character"),
    ("per_character", "character"),
    ("per_image", "image"),
    ("per_video", "video"),
    ("per_page", "page"),
    ("per_source", "source"),
    ("per_call", "call"),
    ("per_request", "request"),
    ("per_word", "word"),
    ("per_hour", "hour"),
    ("per_minute", "minute"),
    ("per_s", "s"),
    ("per_day", "day"),
    ("per_month", "month"),
    ("per_year", "year"),
    ("per_user", "user"),
    ("per_user_month", "user/month"),
    ("per_user_year", "user/year"),
    ("per_mtok_hour", "1e6 token/hour"),
    ("per_gb_day", "GB/day"),
    ("per_gb_month", "GB/month"),
    ("per_gb", "GB"),
)
_PRICE_LIST = tuple(
    (f"{top}_{name}", f"{top}/{below}", "") for top in (*CURRENCIES, "usd_cent", "eur_cent") for name, below in _PRICES
)
_RATES = (
    ("tpm", "token/minute", "tokens per minute"),
    ("token_per_s", "token/s", ""),
    ("token_per_hour", "token/hour", ""),
    ("tpd", "token/day", ""),
    ("rpm", "request/minute", ""),
    ("request_per_s", "request/s", "rps"),
    ("rph", "request/hour", ""),
    ("rpd", "request/day", ""),
    ("character_per_s", "character/s", ""),
    ("image_per_minute", "image/minute", ""),
    ("call_per_minute", "call/minute", ""),
    ("bit_per_s", "bit/s", ""),
    ("byte_per_s", "byte/s", ""),
    ("percent_per_year", "percent/year", ""),
)

_PER = {"time": Decimal(86_400_000_000), "calendar": Decimal(12)}
_MULTIPLIERS = {
    1000: ("k", "K", "thousand"),
    1000**2: ("m", "M", "mn", "mln", "million"),
    1000**3: ("B", "bn", "billion"),
    1000**4: ("T", "trillion"),
    1024: ("ki",),
    1024**2: ("mi",),
    1024**3: ("gi",),
    1024**4: ("ti",),
}
MULTIPLIERS = {name: Decimal(size) for size, names in _MULTIPLIERS.items() for name in names}
"""Multipliers by spelling; words of two letters or more in lower case (V4)."""

_SPLIT = re.compile(r"\s*/\s*|(?:^|\s+)per\s+(?!cent\b)|\s+an?\s+", re.IGNORECASE)
_AMOUNT = re.compile(
    r"(?P<number>[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]+(?:\.[0-9]+)?(?:[eE]\+?[0-9]{1,2})?)?\s*"
    r"(?P<times>(?:[kKMBT]|m(?=\s*\Z|\s+(?i:tok|char))|(?i:bn|mn|mln|thousand|million|billion|trillion))(?![A-Za-z]))?"
    r"\s*(?P<noun>.*)",
    re.DOTALL,
)
_ADJECTIVES = re.compile(r"(?:(?:cached|input|output|prompt|completion)\s+)+(?=\S)", re.IGNORECASE)
_PLAUSIBLE = re.compile(r"[A-Za-z0-9$€£%¢µ ,./_^*-]{1,40}")


def multiplier(text: str) -> Decimal:
    """Give the size of a multiplier as the grammar matched it (V4).

    Args:
        text: ``K``, ``Mi``, ``million``; letters that stand alone keep their case.
    """
    return MULTIPLIERS[text if len(text) == 1 else text.lower()]


def _simple() -> tuple[dict[str, Unit], dict[str, Unit], dict[str, Unit]]:
    """Build the units without a denominator, and their spellings: as written, and in lower case."""
    units: dict[str, Unit] = {}
    cased: dict[str, Unit] = {}
    folded: dict[str, Unit] = {}
    for name, dimension, factor, spellings in _SIMPLE:
        words = tuple(filter(None, spellings.split(", ")))
        units[name] = one = Unit(name, dimension, Decimal(factor), words)
        for word in (name, *words):
            cased[word] = one
            if len(word) > 2:
                folded[word.lower()] = one
    for word, base in (("tok", "token"), ("token", "token"), ("tokens", "token"), ("char", "character")):
        folded |= {p + word: _scaled(p + word, units[base], MULTIPLIERS[p]) for p in "km"}
    folded |= {p + "character": _scaled(p + "character", units["character"], MULTIPLIERS[p]) for p in "km"}
    return units, cased | _data(units), folded


def _data(units: dict[str, Unit]) -> dict[str, Unit]:
    """Build the prefixed spellings of bit and byte; ``mb`` and ``gb`` are left out: they could be either (X20)."""
    steps = (("k", "kilo"), ("M", "mega"), ("G", "giga"), ("T", "tera"))
    sizes = {prefix: Decimal(1000) ** n for n, prefixes in enumerate(steps, start=1) for prefix in prefixes}
    sizes |= {"K": Decimal(1000)} | {p + "i": MULTIPLIERS[p.lower() + "i"] for p in "KMGT"}
    found: dict[str, Unit] = {}
    for symbol, base in (("b", units["bit"]), ("B", units["byte"])):
        for prefix, size in sizes.items():
            words = (prefix + base.name, prefix + base.name + "s") if len(prefix) > 2 else (prefix + symbol,)
            found |= {word: _scaled(words[0], base, size) for word in words}
    return found


def _scaled(name: str, base: Unit, times: Decimal) -> Unit:
    return Unit(name, base.dimension, EXACT.multiply(base.factor, times))


UNITS, _CASED, _FOLDED = _simple()
"""Every unit by its canonical name."""


def _noun(text: str) -> Unit:
    """Look up a unit without a denominator by its spelling; KeyError where there is none."""
    return _CASED.get(text) or _FOLDED[text.lower()]


def _below(text: str, default: str) -> tuple[str, Decimal]:
    """Read one denominator ("1M input tokens"): its dimension, and how many of its base it holds."""
    match = _AMOUNT.fullmatch(text)
    if match is None or not text:
        raise KeyError(text)
    noun = _ADJECTIVES.sub("", match["noun"], count=1) or default
    amount = Decimal((match["number"] or "1").replace(",", ""))
    if not noun or not amount:
        why = f"per {shown(text)} of what?" if amount else f"nothing is counted per {shown(text)}"
        raise QuantityError(why, code="unknown_unit", hint="write the whole unit, such as per 1M tokens", part=text)
    if match["times"]:
        amount = EXACT.multiply(amount, multiplier(match["times"]))
    below = _noun(noun)
    return below.dimension, EXACT.multiply(amount, below.factor)


def _over(top: Unit, below: list[str], default: str = "") -> tuple[str, Decimal]:
    """Put a unit over denominators: the dimension, and the factor relative to its base."""
    dimensions, size = [], top.factor
    for part in below:
        dimension, amount = _below(part, default)
        dimensions.append(dimension)
        size = EXACT.divide(EXACT.multiply(size, _PER.get(dimension, Decimal(1))), amount)
    return "/".join([top.dimension, *sorted(dimensions)]), size.normalize(EXACT)


@lru_cache(maxsize=4096)
def phrase(text: str, default: str = "") -> Unit:
    """Read a unit as sources write it: ``USD / 1M tokens``, ``$ per 1,000 sources``, ``tok/s``.

    Args:
        text: at most 64 characters.
        default: the noun meant where a denominator has an amount only (``$/M``).

    Raises:
        QuantityError: [unknown_unit] with the nearest names.
    """
    tidy = " ".join(text[:65].split())
    known = UNITS.get(tidy) or (UNITS.get(tidy.lower()) if len(tidy) > 2 else None)
    if known is not None:
        return known
    above, *below = _SPLIT.split(tidy.replace("_", " "))
    try:
        if len(tidy) > 64:
            raise KeyError(tidy)
        dimension, size = _over(_noun(_ADJECTIVES.sub("", above, count=1)), below, default)
    except KeyError:
        raise _unknown(text) from None
    except Inexact:
        raise QuantityError(f"the unit {shown(text)} has no exact factor", code="unknown_unit", part=text) from None
    if dimension not in _CANONICAL:
        raise _unknown(text)
    return _NAMED.get((dimension, size)) or Unit(tidy, dimension, size)


_CANONICAL: dict[str, Unit] = {}
_NAMED: dict[tuple[str, Decimal], Unit] = {}


def _register(one: Unit) -> None:
    UNITS[one.name] = one
    _CANONICAL.setdefault(one.dimension, one)
    _NAMED.setdefault((one.dimension, one.factor.normalize(EXACT)), one)


def _fill() -> None:
    """Complete the tables: the simple units, every price in every currency, the rates."""
    for one in list(UNITS.values()):
        _register(one)
    for name, rate, spellings in _PRICE_LIST + _RATES:
        top, *below = rate.split("/")
        one = Unit(name, *_over(UNITS[top], below), tuple(filter(None, spellings.split(", "))))
        _register(one)
        _FOLDED.update(dict.fromkeys((name, *one.spellings), one))


_fill()


def unit(name: str) -> Unit:
    """Give the unit of a canonical name or of any accepted spelling.

    Args:
        name: ``usd_per_mtok``, ``USD/Mtok``, ``tokens``.

    Raises:
        QuantityError: [unknown_unit] with the nearest names (X19, X21).
    """
    return phrase(name)


def canonical(dimension: str) -> Unit:
    """Give the unit in which values of a dimension are kept where no predicate asks for another."""
    return _CANONICAL[dimension]


def same_dimension(a: str, b: str) -> bool:
    """Say whether values of two units can be compared (V2).

    Raises:
        QuantityError: [unknown_unit].
    """
    return unit(a).dimension == unit(b).dimension


def factor(a: str, b: str) -> Decimal:
    """Give the exact number of *b* that one *a* is.

    Raises:
        QuantityError: [unknown_unit], [unit_mismatch] for two dimensions, [not_exact] where no decimal is exact.
    """
    one, other = unit(a), unit(b)
    if one.dimension != other.dimension:
        raise QuantityError(
            f"{one.name} and {other.name} measure different things", code="unit_mismatch", hint="no conversion exists"
        )
    try:
        return EXACT.divide(one.factor, other.factor).normalize(EXACT)
    except Inexact as error:
        raise QuantityError(f"1 {one.name} is no exact decimal of {other.name}", code="not_exact") from error


def repriced(price: Unit, currency: str) -> Unit:
    """Give the price per the same amount in another currency: ``usd_per_mtok`` in eur is ``eur_per_mtok``.

    Raises:
        QuantityError: [unknown_unit].
    """
    if price.name in UNITS:
        return phrase(f"{currency}_per_{price.name.partition('_per_')[2]}")
    return phrase(" per ".join([currency, *_SPLIT.split(price.name)[1:]]))


def _unknown(text: str) -> QuantityError:
    near = nearest(text) if _PLAUSIBLE.fullmatch(text) else ()
    return QuantityError(
        f"{shown(text)} is no unit claimbase knows",
        code="unknown_unit",
        hint=f"nearest: {', '.join(near)}" if near else "see claimbase.quantities.UNITS",
        part=text,
        nearest=near,
    )


@lru_cache(maxsize=256)
def nearest(text: str) -> tuple[str, ...]:
    """Give up to three names of the table that resemble a spelling."""
    tidy = text.strip().lower().replace("$", "usd").replace("/", "_per_").replace(" ", "_")
    return tuple(get_close_matches(tidy, _NEAR, n=3, cutoff=0.6))


_NEAR = tuple(name for name in UNITS if not re.match("gbp_|eur_|usd_cent", name))


@lru_cache(maxsize=1)
def pint_registry() -> UnitRegistry[Any]:
    """Build a pint registry that knows exactly this table and derives its rates itself; pint is loaded here only."""
    import pint

    registry: UnitRegistry[Any] = pint.UnitRegistry(None, non_int_type=Decimal, cache_folder=None)
    for one in UNITS.values():
        if "/" in one.dimension or one.name == "1":
            continue
        base = f"base_{one.dimension}"
        if base not in registry:
            registry.define(f"{base} = [{one.dimension}]")
        registry.define(f"{one.name} = {one.factor:f} * {base}")
    registry.define("GB = 1e9 * byte")
    for name, rate, _ in _PRICE_LIST + _RATES:
        top, *below = rate.split("/")
        registry.define(f"{name} = {top}" + "".join(f" / ({part.replace(' ', ' * ')})" for part in below))
    return registry
