"""Looking at atoms: noun phrases, names and dates in their places, and the constraints they make."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from claimbase.constraints import AnyOf, Condition, Constraint
from claimbase.quantities import UNITS
from claimbase.questions.spans import Span, year_span
from claimbase.questions.words import Atom
from claimbase.units import CURRENCIES
from claimbase.vocabulary import Predicate, Scope, Vocabulary

COMMON_PRICES = ("input_price", "output_price")
"""The prices meant where nobody says which: named as suggestions, both asked by "free"."""
END = Atom("end", None, 1 << 60, 1 << 60)


@dataclass(frozen=True, slots=True)
class Found:
    """What a rule read, and the place behind it; *problem* is a stretch it could place but not accept."""

    next: int
    conditions: tuple[Condition, ...] = ()
    problem: tuple[int, int] | None = None
    suggestions: tuple[str, ...] = ()
    plain_bool: bool = False
    negated: bool = False
    bare: bool = False  # an amount without a comparison
    trailing: tuple[int, int] | None = None  # a scope said behind the clause


@dataclass(frozen=True, slots=True)
class Spoken:
    """The predicates a noun phrase names: `input or output`, with a scope where one is said beside it."""

    next: int
    predicates: tuple[Predicate, ...]
    joined: str  # "", "and", "or"
    scope: Scope | str | None
    phrase: str
    start: int
    trailing: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Looking:
    """One question's atoms, fillers left out, and the vocabulary to look them up in."""

    text: str
    atoms: Sequence[Atom]
    vocabulary: Vocabulary

    def at(self, place: int) -> Atom:
        """Return the atom at a place; a sentinel behind the last."""
        return self.atoms[place] if 0 <= place < len(self.atoms) else END

    def key(self, place: int, *names: str) -> bool:
        """Tell whether the lexicon word at a place plays one of these parts."""
        atom = self.at(place)
        return atom.kind == "key" and atom.data in names

    def words(self, atom: Atom) -> str:
        """Return an atom as written."""
        return self.text[atom.start : atom.end]

    def span(self, place: int) -> tuple[Span, int] | None:
        """Return the date at a place: a date atom, or a plain number of four digits that can be a year."""
        atom = self.at(place)
        if atom.kind == "date":
            return atom.data, place + 1
        if atom.kind == "amount" and atom.data.year is not None:
            return year_span(atom.data.year), place + 1
        return None

    def operator(self, place: int) -> tuple[str, str] | None:
        """Return the comparator at a place and its family."""
        atom = self.at(place)
        if atom.kind == "cmp":
            return atom.data[0], atom.data[1]
        return (atom.data, "any") if atom.kind == "sign" else None

    def spoken(self, place: int, *, before_amount: bool = True, several: bool = True) -> Spoken | None:
        """Read a noun phrase: predicates joined by and/or, a scope word on either side."""
        start = place
        scope, place = self.scope(place)
        first = self.one(place)
        if first is None:
            return None
        end, predicates, joined = place + 1, [first], ""
        phrase = self.words(self.at(place))
        while several and self.key(end, "and", "or") and (not joined or self.at(end).data == joined):
            other = self.one(end + 1)
            if other is None or not alike(first, other) or (not before_amount and self.operand_follows(end + 2)):
                break
            joined = self.at(end).data
            predicates.append(other)
            end += 2
        trailing, last = None, end
        if scope is None:
            scope, end = self.scope(end)
            trailing = (self.at(last).start, self.at(end - 1).end) if scope is not None else None
        return Spoken(end, tuple(predicates), joined, scope, phrase, self.at(start).start, trailing)

    def one(self, place: int) -> Predicate | None:
        """Return the one predicate a phrase names; None for no phrase or an ambiguous one."""
        atom = self.at(place)
        return self.vocabulary.get(atom.data[0]) if atom.kind == "pred" and len(atom.data) == 1 else None

    def scope(self, place: int) -> tuple[Scope | str | None, int]:
        """Read scope words, or a scope in brackets; several of them add up."""
        found: dict[str, str] = {}
        while True:
            skip = place + 1 if self.key(place, "in", "on", "with") and self.at(place + 1).kind == "scope" else place
            atom = self.at(skip)
            if atom.kind == "scope":
                found |= dict(atom.data)
            elif atom.kind == "bracket" and (read := _bracket(atom.data)) is not None:
                if isinstance(read, str):
                    return read, skip + 1
                found |= read
            else:
                return (tuple(sorted(found.items())) if found else None), place
            place = skip + 1

    def operand_follows(self, place: int) -> bool:
        """Tell whether what stands here could be the operand of the phrase before it."""
        place += self.key(place, "be")
        return (
            self.operator(place) is not None
            or self.at(place).kind == "amount"
            or self.key(place, "between", "after", "before", "since", "one_of")
        )

    def subject_at(self, place: int) -> str | None:
        """Return the one subject named at a place."""
        atom = self.at(place)
        if atom.kind != "name" or len(atom.data) != 1 or atom.data[0].kind == "provider":
            return None
        return str(atom.data[0].name)

    def make(self, spoken: Spoken, predicate: Predicate, operator: str, **operand: Any) -> Constraint:
        """Make a constraint of the noun phrase, in its scope."""
        scope = dict(spoken.scope) if isinstance(spoken.scope, tuple) else spoken.scope
        return Constraint(**{"predicate": predicate.name, "operator": operator, "scope": scope, **operand})

    def each(self, spoken: Spoken, operator: str, value: Any = None) -> tuple[Condition, ...]:
        """Make the same constraint for every predicate of the phrase."""
        return combined([self.make(spoken, p, operator, value=value) for p in spoken.predicates], spoken.joined)


def combined(made: Sequence[Condition], joined: str) -> tuple[Condition, ...]:
    """Return conditions as one alternative where "or" joined their noun phrases."""
    return (AnyOf(any_of=tuple(made)),) if joined == "or" else tuple(made)


def alike(a: Predicate, b: Predicate) -> bool:
    """Tell whether two predicates may share one operand."""
    return a.kind == b.kind and a.unit == b.unit


def is_money(predicate: Predicate) -> bool:
    """Tell whether a predicate is counted in a currency."""
    return predicate.unit is not None and UNITS[predicate.unit].dimension.partition("/")[0] in CURRENCIES


def in_family(predicate: Predicate, family: str) -> bool:
    """Tell whether a comparison speaks of a predicate: money of prices, date of dates, any of all numbers."""
    if family == "money":
        return is_money(predicate)
    return predicate.kind == ("date" if family == "date" else "quantity")


def happening(spoken: Spoken) -> bool:
    """Tell "retired", "shut down" from "shutdown date": without its date it says neither whether nor when."""
    verbal = re.search(r"(?:ed|ing|ires|out|shut down)(?: on)?$", spoken.phrase.lower())
    return spoken.predicates[0].kind == "date" and verbal is not None


def condition_atoms(found: Sequence[Condition]) -> Iterator[Constraint]:
    """Yield the single constraints of conditions."""
    for given in found:
        if isinstance(given, Constraint):
            yield given
        else:
            yield from condition_atoms(next(iter(dict(given).values())))


def _bracket(text: str) -> dict[str, str] | str | None:
    if text.strip() == "any":
        return "any"
    pairs = [part.partition("=") for part in text.split(",")]
    if not all(middle and key.strip() and value.strip() for key, middle, value in pairs):
        return None
    return {key.strip(): value.strip() for key, _, value in pairs}
