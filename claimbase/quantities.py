"""Numbers as sources write them: a closed grammar that reads a whole text or refuses it.

    [qualifier] number [multiplier] [currency | unit] [("/" | "per") [amount] denominator]

or a range of two of them, or a word that stands for zero. A text is read whole or not at all: what is left over is an
error that names the part (V6). Arithmetic is decimal and exact (V1); qualifiers become bounds, never vanish (V3).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, Inexact
from functools import lru_cache
from typing import NamedTuple, cast

from claimbase.errors import QuantityError, shown
from claimbase.numerals import (
    BETWEEN,
    BOX,
    ENDLESS,
    HEAD,
    HINT,
    KNOWN_SIGNS,
    LONGEST,
    NUMBER_WORDS,
    PLACEHOLDERS,
    PLAIN,
    RANGES,
    SECOND,
    SIDE,
    SIGNS,
    SPELL,
    TAIL,
    TAIL_SIDE,
    ZERO_WORDS,
    outside,
    storable,
    written,
)
from claimbase.units import (
    COUNTED,
    CURRENCIES,
    EXACT,
    UNITS,
    Unit,
    canonical,
    factor,
    multiplier,
    phrase,
    pint_registry,
    repriced,
    same_dimension,
    unit,
)

__all__ = [
    "LONGEST", "PLACEHOLDERS", "UNITS", "Quantity", "Unit", "canonical", "factor", "pint_registry", "read_quantity",
    "same_dimension", "storable", "unit", "written",
]  # fmt: skip

_MEASURED = ("1", "percent", "ratio", "share", "time", "calendar", "length", "mass", "data")
# Words that are one unit here and something else there: their unit, which counts only where its dimension is asked;
# the multiplier they may be instead, and where.
_AMBIGUOUS: dict[str, tuple[Unit, Decimal, tuple[str, ...]]] = {
    "m": (unit("m"), multiplier("M"), COUNTED),
    "b": (unit("bit"), multiplier("B"), (*COUNTED, "1")),
    "tps": (unit("token_per_s"), Decimal(1), ()),
    "bps": (unit("bit_per_s"), Decimal(1), ()),
}


class Quantity(NamedTuple):
    """A number with its bounds and unit (V3).

    Args:
        min: the least it can be, in *unit*; None = unbounded.
        max: the greatest it can be, in *unit*; None = unbounded.
        min_open: *min* itself is excluded.
        max_open: *max* itself is excluded.
        unit: a name of the table; None = a bare number.
        approximate: the source calls it approximate; the bounds are half a unit of its last written digit away.
    """

    min: Decimal | None
    max: Decimal | None
    min_open: bool = False
    max_open: bool = False
    unit: str | None = None
    approximate: bool = False


class _Asked(NamedTuple):
    """The text being read and the units around it."""

    text: str
    stated: str | None
    wanted: str | None

    def refusal(self, part: str, why: str = "not understood", hint: str = "") -> QuantityError:
        """Refuse the text, naming the part and the nearest reading (V6)."""
        near = [piece for piece in (found.strip() for found in HINT.findall(self.text)) if piece != self.text.strip()]
        reading = f"nearest reading: {' or '.join(near[:2])}; " if near else ""
        return QuantityError(
            f"{shown(self.text)} is no number: {shown(part, 40)} is {why}",
            hint=hint or f"{reading}pass the normalised value if it is meant",
            part=part,
        )


@dataclass(frozen=True, slots=True)
class _Amount:
    value: Decimal
    half: Decimal  # half a unit of its last written digit where it is approximate, else 0
    currency: str
    times: str


@dataclass(frozen=True, slots=True)
class _Scale:
    """How values written in one unit become values of the unit they are kept in."""

    name: str | None
    times: Decimal | None  # None = as they are
    over: Decimal
    fallback: str | None  # the unit as written, where no predicate asks and the canonical one is not exact
    countable: bool  # what is counted or priced: -1 is a sentinel there


_AS_IS = _Scale(None, None, Decimal(1), None, False)
_NOUGHT = Decimal(0)
_MINUS_ONE = Decimal(-1)


def read_quantity(text: str, *, unit: str | None = None, stated_unit: str | None = None) -> Quantity:
    """Read a number with its qualifier, multiplier and unit from the words of a source.

    "~555k" is read as [554500, 555500] and flagged: half a unit of the last written digit on each side, so that no
    constraint is met certainly by more than the source said.

    Args:
        text: at most 64 characters, such as ``$0.30 / 1M tokens``, ``up to 200K``, ``5-10 %``.
        unit: the predicate's unit; the result is converted to it exactly where the dimension allows (V2).
        stated_unit: the claim's own unit, meant where the text names none.

    Raises:
        QuantityError: [bad_number], [placeholder_value], [unknown_unit], [unit_mismatch], [not_exact], [not_finite],
            [out_of_range], [sentinel]; the hint gives the nearest reading (V5, V6).
    """
    if len(text) > LONGEST:
        raise QuantityError(f"{shown(text, 40)} is no number: {len(text)} characters", hint=f"at most {LONGEST}")
    return _read(_Asked(text, stated_unit, unit))


def number_reader(unit: str | None, stated_unit: str | None) -> Callable[[Decimal, str], tuple[Decimal, str | None]]:
    """Give a function that takes a finite number of one unit beside its digits, as `read_quantity` takes the digits."""
    scale = _scale("", stated_unit, unit)
    kept = scale.times is None

    def read(number: Decimal, text: str) -> tuple[Decimal, str | None]:
        if kept and number != _MINUS_ONE:
            return storable(number, text), scale.name
        found = _finish(_Asked(text, stated_unit, unit), number, number)
        return cast(Decimal, found.min), found.unit

    return read


def _read(asked: _Asked) -> Quantity:
    text = asked.text
    if PLAIN.fullmatch(text):
        value = Decimal(text)
        return _finish(asked, value, value)
    clean = _cleaned(text)
    folded = clean.lower()
    _refuse_words(text, folded)
    if not (clean.isascii() and clean.isprintable()) and not KNOWN_SIGNS.fullmatch(clean):
        raise asked.refusal("".join(sorted(set(KNOWN_SIGNS.sub("", clean)))), "outside the grammar")
    if folded in ZERO_WORDS:
        return _free(asked)
    try:
        if clean[0] in "[(" and (box := BOX.fullmatch(clean)):
            return _boxed(asked, box)
        return _expression(asked, "0" if folded == "zero" else clean)
    except Inexact:
        raise outside(text) from None


def _cleaned(text: str) -> str:
    """Write the signs that sources use for one thing in one way, and trim."""
    if not text.isascii():
        text = text.translate(SPELL)
        for sign, plain in SIGNS:
            text = text.replace(sign, plain)
    if "\\" in text:
        text = text.replace("\\$", "$").replace("\\~", "~")
    return text.strip(" \t\r\n\u00a0")


def _refuse_words(text: str, folded: str) -> None:
    if folded in PLACEHOLDERS:
        hint = "leave the claim out, or state an absence"
        raise QuantityError(f"{shown(text)} stands for a missing value", code="placeholder_value", hint=hint)
    if folded.lstrip("+-") in ENDLESS:
        raise QuantityError(f"{shown(text)} is no finite number", code="not_finite", hint='write "at least N"')


def _free(asked: _Asked) -> Quantity:
    """Read "free": zero, where a price is asked (V5)."""
    context = asked.stated or asked.wanted
    if context and phrase(context).dimension.partition("/")[0] not in CURRENCIES:
        raise asked.refusal(asked.text.strip(), f"a price, and {context} is none")
    return _finish(asked, _NOUGHT, _NOUGHT)


def _boxed(asked: _Asked, box: re.Match[str]) -> Quantity:
    """Read bounds in brackets, as value keys write them: "[5,10)", "(,200000] token"."""
    low, high = (Decimal(box[n]) if box[n] else None for n in (2, 3))
    opened = (box[1] == "(" and low is not None, box[4] == ")" and high is not None)
    if (low is None and box[1] == "[") or (high is None and box[4] == "]") or _void(low, high, any(opened)):
        raise asked.refusal(asked.text.strip(), "no range", "write [5,10], (5,) or (,10)")
    return _finish(asked, low, high, box[5].strip(), opened=opened)


def _void(low: Decimal | None, high: Decimal | None, opened: bool) -> bool:
    """Say whether bounds hold no number, or every number."""
    if low is None or high is None:
        return low is high
    return low > high or (opened and low == high)


def _expression(asked: _Asked, clean: str) -> Quantity:
    """Read one amount or a range of two, with a qualifier before or behind."""
    head = HEAD.match(clean)
    if head is None:
        raise asked.refusal(clean)
    first, rest = _amount(asked, head), clean[head.end() :]
    qualifier = (head["qualifier"] or "").strip().lower()
    if joint := BETWEEN.search(rest):
        return _pair(asked, first, rest, joint, "+" if head["plus"] else qualifier)
    sides = [SIDE[qualifier]] if qualifier else []
    if head["plus"]:
        sides.append("lower")
    if tail := TAIL.search(rest):
        sides.append(TAIL_SIDE[tail[1].lower()])
        rest = rest[: tail.start()]
    if len(sides) > 1 or sides == ["between"]:
        raise asked.refusal(clean, "qualified twice" if len(sides) > 1 else "a range with one end")
    side = sides[0] if sides else "exact"
    low = None if side in ("upper", "under") else EXACT.subtract(first.value, first.half)
    high = None if side in ("lower", "over") else EXACT.add(first.value, first.half)
    words, opened = _unit_words(asked, first, rest), (side == "over", side == "under")
    return _finish(asked, low, high, words, opened=opened, approximate=bool(first.half))


def _amount(asked: _Asked, match: re.Match[str], approximate: bool = False) -> _Amount:
    """Turn a matched amount into an exact decimal, with half a unit of its last digit if it is approximate."""
    sign, currency, minus, figures, times, word = match.group("sign", "currency", "minus", "figures", "times", "word")
    if word:
        figures, times = NUMBER_WORDS[word.lower()], match["size"]
    value, half = Decimal(figures.replace(",", "").replace("_", "").replace("\u00a0", "")), _NOUGHT
    if approximate or match["approx"]:
        half = Decimal((0, (5,), int(value.as_tuple().exponent) - 1))
    if times:
        size = multiplier(times.strip())
        value, half = EXACT.multiply(value, size), EXACT.multiply(half, size)
    if sign and minus:
        raise asked.refusal(sign + minus, "two signs")
    if sign == "-" or minus:
        value = value.copy_negate()
    return _Amount(value, half, currency or "", (times or "").strip())


def _unit_words(asked: _Asked, amount: _Amount, rest: str) -> str:
    """Join the currency before a number and the unit behind it into one phrase."""
    words = rest.replace("\u00a0", " ").strip()
    if words and not (words[0].isalpha() or words[0] in "%$€£¢/"):
        raise asked.refusal(words)
    if amount.currency:
        currency = phrase(amount.currency.replace(" ", "").replace("\u00a0", "")).name
        again = words.replace("/", " ").partition(" ")[0].lower() == currency
        words = words if again else f"{currency} {words}".strip()
    context = asked.stated or asked.wanted
    if amount.times == "B" and not words and context and phrase(context).dimension.startswith("data"):
        raise asked.refusal("B", "a billion or bytes", 'write "70 GB" or "70 billion"')
    return words


def _pair(asked: _Asked, first: _Amount, rest: str, joint: re.Match[str], qualifier: str) -> Quantity:
    """Read a range, or a number with a margin, whose second amount begins behind *joint*."""
    word, match = (joint["word"] or "").lower(), SECOND.match(rest, joint.end())
    if match is None or qualifier not in RANGES.get(word, ("",)):
        raise asked.refusal(rest.strip(), "no single value" if word == "and" else "not understood")
    second = _amount(asked, match, bool(first.half))
    front, back = rest[: joint.start()].strip(), rest[match.end() :].strip()
    margin = joint["sign"] in ("±", "+/-")
    if (
        (front and not back)
        or (second.times and not (first.times or front))
        or (second.currency and not first.currency)
        or (margin and back[:1] == "%" and not front)
    ):
        raise asked.refusal(asked.text.strip(), "half a range", "repeat the unit and the multiplier: 100K-200K tokens")
    behind = _unit_words(asked, second if second.currency else first, back)
    before = _unit_words(asked, first, front) if front else behind
    if margin:
        low, high = EXACT.subtract(first.value, second.value), EXACT.add(first.value, second.value)
    else:
        low, high = EXACT.subtract(first.value, first.half), EXACT.add(second.value, second.half)
    lower, upper = _finish(asked, low, None, before), _finish(asked, None, high, behind)
    if lower.unit != upper.unit or lower.min is None or upper.max is None or lower.min > upper.max:
        raise asked.refusal(asked.text.strip(), "no range", "write the lesser end first, in one unit")
    return Quantity(lower.min, upper.max, unit=upper.unit, approximate=bool(first.half or second.half))


def _finish(
    asked: _Asked,
    low: Decimal | None,
    high: Decimal | None,
    words: str = "",
    *,
    opened: tuple[bool, bool] = (False, False),
    approximate: bool = False,
) -> Quantity:
    """Convert bounds into the unit asked and check that they can be stored."""
    scale = _scale(words, asked.stated, asked.wanted)
    if low == _MINUS_ONE == high and scale.countable:
        hint = "map it in the importer, or leave the claim out"
        raise QuantityError(f"{shown(asked.text)} looks like a sentinel, not a value", code="sentinel", hint=hint)
    name = scale.name
    if scale.times is not None:
        try:
            low, high = _scaled(low, scale), _scaled(high, scale)
        except Inexact:
            if scale.fallback is None:
                message = f"{shown(asked.text)} is no exact decimal of {name}"
                raise QuantityError(message, code="not_exact", hint="state it in its own unit") from None
            name = scale.fallback
    low = None if low is None else storable(low, asked.text)
    high = low if high is low else None if high is None else storable(high, asked.text)
    return Quantity(low, high, opened[0], opened[1], name, approximate)


def _scaled(value: Decimal | None, scale: _Scale) -> Decimal | None:
    if value is None or scale.times is None:
        return value
    return EXACT.divide(EXACT.multiply(value, scale.times), scale.over)


@lru_cache(maxsize=4096)
def _scale(words: str, stated: str | None, wanted: str | None) -> _Scale:
    """Find the unit of a value and how to convert it into the one asked (V2)."""
    source = _source(words, stated, wanted)
    if source is None:
        return _AS_IS
    countable = source.dimension.partition("/")[0] not in _MEASURED
    target = phrase(wanted) if wanted else None
    if target is not None and target.name == "share" and source.name in ("percent", "ratio"):
        return _Scale("share", Decimal(1), Decimal(100 if source.name == "percent" else 1), None, False)
    if target is None or target.dimension != source.dimension:
        target, fallback = canonical(source.dimension), source.name if source.name in UNITS else None
    else:
        fallback = None
    times = None if source.factor == target.factor else source.factor
    return _Scale(target.name, times, target.factor, fallback, countable)


def _source(words: str, stated: str | None, wanted: str | None) -> Unit | None:
    """Find the unit a value was written in: its own words, else the claim's unit, else the predicate's."""
    if stated and words and stated.lower().startswith(("/", "per ")):
        words, stated = f"{words} {stated}", None
    context = phrase(stated or wanted) if stated or wanted else None
    if not words:
        return context
    if words in _AMBIGUOUS:
        return _by_context(words, context)
    if context is None:
        return phrase(words)
    above, *below = context.dimension.split("/")
    source = phrase(words, below[0] if len(below) == 1 and below[0] in UNITS else "")
    if source.dimension in CURRENCIES and above in CURRENCIES and below:
        source = repriced(context, source.name)
        if stated and source.name != context.name:
            raise _mismatch(words, stated)
    elif stated and context.dimension not in (source.dimension, source.dimension.partition("/")[0], "share"):
        raise _mismatch(words, stated)
    return source


def _by_context(words: str, context: Unit | None) -> Unit:
    """Read a word such as a lone "m", a metre or a million, by what is measured; refused where that is not known."""
    own, size, counted = _AMBIGUOUS[words]
    if context is not None and context.dimension == own.dimension:
        return own
    if context is not None and context.dimension in counted:
        return Unit(words, context.dimension, EXACT.multiply(context.factor, size))
    raise QuantityError(
        f"{shown(words)} could mean two things", code="unknown_unit", hint="write the unit out", part=words
    )


def _mismatch(words: str, stated: str) -> QuantityError:
    return QuantityError(
        f"the value says {shown(words)}, the claim's unit says {shown(stated)}",
        code="unit_mismatch",
        hint="state one unit",
    )
