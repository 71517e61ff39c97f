"""Clauses about numbers: an amount before or behind its noun phrase, one bound or several, a list."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from claimbase.constraints import Condition, ValueOf
from claimbase.errors import ClaimbaseError
from claimbase.numerals import written
from claimbase.quantities import UNITS
from claimbase.questions.looking import COMMON_PRICES, Found, Looking, Spoken, alike, combined, in_family, is_money
from claimbase.questions.words import Atom
from claimbase.values import read_value
from claimbase.vocabulary import Predicate

FLIP = {"gte": "lt", "lt": "gte", "gt": "lte", "lte": "gt", "eq": "ne", "ne": "eq"}
_SUGGESTED = 4
_CURRENCY_SIGN = re.compile(r"US\$|[$€£]")
_LEADING_AMOUNT = re.compile(
    r"[-−]?(?:US\$|[$€£]|usd|eur|gbp)?\s?[\d.,\u00a0]+(?:\s?(?:[kmgt]i|[kmbt]|bn|mn)(?![a-z]))?", re.IGNORECASE
)
_MONEY_WORDS = frozenset(["price", "prices", "cost", "costs", "priced", "fee", "fees", "charge", "charges", "rate"])


@dataclass(frozen=True, slots=True)
class _Bound:
    operator: str
    amounts: tuple[Atom, ...]


class Amounts(Looking):
    """The rules for quantities."""

    __slots__ = ()

    def amount_first(self, place: int) -> Found | None:
        """Read "over 1M context", "128K+ context", "between 1 and 2 $/M input"."""
        start = place
        bounds: list[_Bound] = []
        while (read := self.bound(place)) is not None:
            bounds.append(read[0])
            place = read[1]
            if not self.key(place, "and", "comma") or self.operator(place + 1) is None:
                break
            if self.bound(place + 1) is None:
                break
            place += 1
        place += self.key(place, "in") and self.at(place + 1).kind == "pred"
        spoken = self.spoken(place, before_amount=False) if bounds else None
        if spoken is None or spoken.predicates[0].kind != "quantity":
            return None
        end = spoken.next
        behind = self.afterthought(end)
        if behind is not None and len(bounds) == 1 and bounds[0].operator == "bare":
            bounds, end = [_Bound(behind, bounds[0].amounts)], end + 1
        found = self.bounded(replace(spoken, next=end), bounds, leading=True, start=start)
        return replace(found, trailing=spoken.trailing)

    def bound(self, place: int) -> tuple[_Bound, int] | None:
        """Read a comparison and its amount; without a comparison the operator is "bare"."""
        if self.key(place, "between", "from"):
            return self.pair(place + 1, "and" if self.key(place, "between") else "to")
        compared = self.operator(place)
        place += compared is not None or (self.key(place, "at") and self.at(place + 1).kind == "amount")
        if self.at(place).kind != "amount" or (compared and compared[0] not in FLIP):
            return None
        if compared is None and (ranged := self.pair(place, "to")) is not None:
            return ranged
        behind = self.afterthought(place + 1) if compared is None else None
        if compared is None and self.at(place).data.year is not None and behind is None:
            return None  # "VAT 2020": a year as likely as a value
        operator = compared[0] if compared else behind or "bare"
        return _Bound(operator, (self.at(place),)), place + 1 + (behind is not None)

    def afterthought(self, place: int) -> str | None:
        """Return the comparison said behind its amount: "or more", "+", a final "max"."""
        atom = self.at(place)
        if atom.kind == "post":
            return str(atom.data)
        final = atom.kind == "cmp" and self.words(atom).lower() in ("max", "maximum", "min", "minimum")
        return str(atom.data[0]) if final and self.at(place + 1).kind not in ("amount", "pred", "scope") else None

    def pair(self, place: int, joint: str) -> tuple[_Bound, int] | None:
        """Read two amounts: "1 and 2", "1 to 2", "1-2"."""
        dash = self.at(place + 1).kind == "unknown" and self.at(place + 1).data in ("-", "–", "—")
        if self.at(place).kind != "amount" or self.at(place + 2).kind != "amount":
            return None
        if not (self.key(place + 1, joint) or (dash and joint == "to")):
            return None
        return _Bound("between", (self.at(place), self.at(place + 2))), place + 3

    def bounded(self, spoken: Spoken, bounds: list[_Bound], *, leading: bool, start: int) -> Found:
        """Make the constraints of a noun phrase and its bounds; an amount that does not fit is given back."""
        made: list[Condition] = []
        for predicate in spoken.predicates:
            for given in bounds:
                values = self.values(spoken, predicate, given, leading=leading)
                if values is None:
                    place = self.at(start).start if leading else given.amounts[0].start
                    return Found(
                        spoken.next,
                        problem=(min(place, given.amounts[0].start), given.amounts[-1].end),
                        suggestions=self.fitting(given.amounts[-1], spoken),
                    )
                operator = "eq" if given.operator == "bare" else given.operator
                value: Any = values if operator == "between" else values[0]
                made.append(self.make(spoken, predicate, operator, value=value, unit=predicate.unit))
        return Found(spoken.next, combined(made, spoken.joined), bare=bounds[0].operator == "bare")

    def values(
        self, spoken: Spoken, predicate: Predicate, given: _Bound, *, leading: bool
    ) -> tuple[Decimal, ...] | None:
        """Read a bound's amounts in the predicate's unit; None where one does not fit it."""
        last = given.amounts[-1].data
        read = []
        for atom in given.amounts:
            text = atom.data.text
            if len(given.amounts) == 2 and atom.data is not last:
                text = _completed(atom.data, last)
            value = text and self.number(text, atom.data, last, spoken, predicate, leading=leading)
            if value is None or value == "":
                return None
            read.append(value)
        if len(read) == 2 and read[0] > read[1]:
            return None
        return tuple(read)

    def number(
        self, text: str, amount: Any, last: Any, spoken: Spoken, predicate: Predicate, *, leading: bool
    ) -> Decimal | None:
        """Read one amount; refuse a bare number that only looks like this predicate's."""
        money = is_money(predicate)
        said = amount.currency or last.currency
        spoken_words = set(re.split(r"[\s_-]+", spoken.phrase.lower()))
        if money and not said and not amount.unit and not _MONEY_WORDS & spoken_words:
            return None  # "output over 64k" may mean tokens as well
        if money and "per" in spoken_words and not last.unit and "token" in spoken_words:
            text = f"{text} / token"
        if leading and amount.bare and (money or predicate.unit == "percent") and not last.unit:
            return None  # "5 reduced rates" counts, it does not measure
        if leading and amount.bare and spoken.phrase.lower().endswith("s") and "token" not in spoken.phrase.lower():
            return None
        if last.open_per:
            noun = _denominator(predicate.unit)
            counted = re.search(r"(?:/|per)\s*$", text, re.IGNORECASE) is None
            if noun is None or not (counted or re.search(r"tokens?\b", spoken.phrase, re.IGNORECASE)):
                return None
            text = f"{text} {noun}"
        try:
            value = read_value(text, kind="quantity", unit=predicate.unit)
        except (ClaimbaseError, ArithmeticError):
            return None
        if value.min is None or value.min != value.max or value.approximate or value.unit != (predicate.unit or "1"):
            return None
        low = predicate.minimum if predicate.minimum is not None else Decimal(0)
        high = predicate.maximum
        if value.min < low or (high is not None and value.min > high):
            return None
        return Decimal(written(value.min))

    def fitting(self, atom: Atom, spoken: Spoken | None) -> tuple[str, ...]:
        """Return the predicates whose unit an amount fits; those that share a word with the phrase come alone."""
        fits = []
        for predicate in self.vocabulary:
            if predicate.kind != "quantity" or predicate.unit is None:
                continue
            if not (atom.data.unit or atom.data.currency):
                if spoken is not None and (predicate in spoken.predicates or not is_money(predicate)):
                    fits.append(predicate)
                continue
            if atom.data.currency != is_money(predicate) or not _reads(atom.data.text, predicate):
                continue
            fits.append(predicate)
        names = tuple(predicate.name for predicate in fits)
        if spoken is None:
            return tuple(name for name in names if name in COMMON_PRICES) or names[:_SUGGESTED]
        head = spoken.phrase.lower().split()[0]
        return tuple(name for name in names if head in name.split("_"))[:_SUGGESTED]

    def measured(self, spoken: Spoken) -> Found | None:
        """Read the operand of a quantity."""
        place = spoken.next
        place += self.key(place, "be")
        turned = self.key(place, "not")
        place += turned
        if (other := self.other_subject(spoken, place)) is not None:
            return other
        if self.key(place, "one_of"):
            return self.listed(spoken, place + 1)
        bounds, place = self.bounds_behind(place)
        if turned:
            bounds = _denied(bounds)
        if not bounds or self.belongs_behind(spoken, bounds, place):
            return None
        scope, end = self.scope(place)
        trailing = None
        if scope is not None and spoken.scope is None and self.at(end).kind != "pred":
            trailing = (self.at(place).start, self.at(end - 1).end)
            spoken, place = replace(spoken, scope=scope), end
        found = self.bounded(replace(spoken, next=place), bounds, leading=False, start=place)
        return replace(found, trailing=trailing)

    def bounds_behind(self, place: int) -> tuple[list[_Bound], int]:
        """Read one bound or several: "over 128k and under 1M"; one that a further noun phrase claims is left to it."""
        bounds: list[_Bound] = []
        while (read := self.bound(place)) is not None:
            if bounds and self.spoken(read[1]) is not None and not self.operand_follows(read[1] + 1):
                break
            bounds.append(read[0])
            place = read[1]
            if not self.key(place, "and", "comma") or self.operator(place + 1) is None:
                break
            place += 1
        if bounds and self.key(place - 1, "and", "comma"):
            place -= 1
        return bounds, place

    def belongs_behind(self, spoken: Spoken, bounds: list[_Bound], place: int) -> bool:
        """Tell whether the amount fits only the phrase that follows: "context under $2/M input"."""
        behind = self.spoken(place)
        if behind is None or len(bounds) > 1:
            return False
        fits_here = self.values(spoken, spoken.predicates[0], bounds[0], leading=False)
        return fits_here is None and self.values(behind, behind.predicates[0], bounds[0], leading=True) is not None

    def listed(self, spoken: Spoken, place: int) -> Found | None:
        """Read "one of 1, 2 or 3"."""
        atoms = []
        while self.at(place).kind == "amount":
            atoms.append(self.at(place))
            place += 1
            if not (self.key(place, "comma", "or", "and") and self.at(place + 1).kind == "amount"):
                break
            place += 1
        if not atoms or spoken.joined:
            return None
        predicate = spoken.predicates[0]
        read = [self.values(spoken, predicate, _Bound("eq", (atom,)), leading=False) for atom in atoms]
        if not all(read):
            return Found(place, problem=(atoms[0].start, atoms[-1].end))
        values = [value[0] for value in read if value]
        return Found(place, (self.make(spoken, predicate, "in", value=values, unit=predicate.unit),))

    def other_subject(self, spoken: Spoken, place: int) -> Found | None:
        """Read "cheaper than X", "under that of X", "below X's output price" (Q14)."""
        compared = self.operator(place)
        name = self.subject_at(place + 1)
        if compared is None or name is None or not all(in_family(p, compared[1]) for p in spoken.predicates):
            return None
        operator = compared[0]
        end = place + 2
        theirs = self.one(end) if not self.operand_follows(end + 1) else None
        if theirs is not None and not alike(theirs, spoken.predicates[0]):
            theirs = None
        made = [
            self.make(
                spoken,
                predicate,
                operator,
                value_of=ValueOf(subject=name, predicate=theirs.name if theirs else predicate.name),
            )
            for predicate in spoken.predicates
        ]
        return Found(end + (theirs is not None), combined(made, spoken.joined))


def _denied(bounds: list[_Bound]) -> list[_Bound]:
    """Turn one bound round after a "not"; of several nobody can say which is meant."""
    if len(bounds) != 1 or bounds[0].operator not in (*FLIP, "bare"):
        return []
    operator = "ne" if bounds[0].operator == "bare" else FLIP[bounds[0].operator]
    return [_Bound(operator, bounds[0].amounts)]


def _denominator(unit: str | None) -> str | None:
    return None if unit is None else UNITS[unit].dimension.partition("/")[2] or None


def _completed(first: Any, last: Any) -> str:
    """Give the first amount of a pair the unit of the second; "" where the pair leaves a doubt ("128 to 200k")."""
    if first.unit:
        return str(first.text)
    if last.times and not first.times:
        return ""
    tail = _LEADING_AMOUNT.sub("", last.text)
    sign = _CURRENCY_SIGN.match(last.text)
    if sign and not first.currency:
        return f"{sign.group()}{first.text}{tail}"
    return f"{first.text}{tail}"


def _reads(text: str, predicate: Predicate) -> bool:
    try:
        return read_value(text, kind="quantity", unit=predicate.unit).unit == predicate.unit
    except (ClaimbaseError, ArithmeticError):
        return False
