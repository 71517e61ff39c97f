"""Clauses: stretches of atoms that say one thing about a subject. Every rule is pure: a place in, a find out."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal

from claimbase.constraints import AllOf, AnyOf, Condition, Constraint, NoneOf, ValueOf, parse_constraint, typed
from claimbase.errors import ClaimbaseError, InputError
from claimbase.questions.amounts import FLIP, Amounts
from claimbase.questions.looking import (
    COMMON_PRICES,
    Found,
    Spoken,
    combined,
    condition_atoms,
    happening,
    in_family,
    is_money,
)
from claimbase.questions.moments import Moments
from claimbase.questions.spans import Span
from claimbase.vocabulary import Predicate

_NO_VALUES = frozenset(["unknown", "missing", "none", "n/a", "tbd", "known", "stated", "given", "not"])
_IS_NOT = re.compile(r"(?:is|are)\s+not|isn['’]t|aren['’]t", re.IGNORECASE)


class Clauses(Amounts, Moments):
    """All rules for one clause, the negations among them."""

    __slots__ = ()

    def clause(self, place: int) -> Found | None:
        """Read one clause that begins here, with an instant of its own in parentheses where one follows."""
        found = self.negated(place) or self.positive(place)
        if found is None or found.problem or not self.key(found.next, "("):
            return found
        dated = self.span(found.next + 2) if self.key(found.next + 1, "at") else None
        if dated is None or not dated[0].instant or not self.key(dated[1], ")"):
            return found
        return replace(found, next=dated[1] + 1, conditions=tuple(_dated(c, dated[0]) for c in found.conditions))

    def positive(self, place: int) -> Found | None:
        """Read a clause without a negation in front."""
        place += self.key(place, "either")
        if self.key(place, "with"):
            return self.positive(place + 1) or self.stated(place)
        if self.at(place).kind == "adj":
            return self.compared(place)
        if self.at(place).kind == "cmp" and self.at(place + 1).kind == "pred":
            return self.least(place)
        if self.key(place, "free"):
            return self.free(place)
        if self.at(place).kind == "literal":
            return self.literal(place)
        return self.amount_first(place) or self.phrase_first(place) or self.stated(place) or self.than_subject(place)

    def negated(self, place: int) -> Found | None:
        """Read "no vision", "without a shutdown date", "not over 5"; a plain number turns its comparison round."""
        if self.key(place, "leave_out"):
            return self.left_out(place)
        if self.key(place, "neither"):
            return self.neither(place)
        if not self.key(place, "not"):
            return None
        inner = place + 1 + self.key(place + 1, "with")
        if self.key(inner, "stated"):
            return self.exists(inner + 1, "absent")
        found = self.amount_first(inner) or self.phrase_first(inner, several=True)
        if found is None:
            return self.exists(inner, "absent")
        if found.problem:
            return found
        members = found.conditions
        if len(members) == 1 and isinstance(members[0], AnyOf):
            members = members[0].any_of
        elif len(members) > 1 and not all(isinstance(c, Constraint) and c.operator == "is_true" for c in members):
            if len({c.predicate for c in condition_atoms(members)}) > 1:
                return None  # "no input and output over $2": neither, or not both?
            members = (AllOf(all_of=members),)
        return replace(found, conditions=(NoneOf(none_of=members),), negated=True)

    def neither(self, place: int) -> Found | None:
        """Read "neither vision nor tool use"."""
        members: list[Condition] = []
        while not members or self.key(place, "nor"):
            found = self.positive(place + 1)
            if found is None or found.problem:
                return None
            members.extend(found.conditions)
            place = found.next
        return Found(place, (NoneOf(none_of=tuple(members)),), negated=True)

    def left_out(self, place: int) -> Found | None:
        """Read "don't show models below 100k context"; before a second clause nobody can tell how far it goes."""
        inner = place + 1
        while self.at(inner).kind == "noun" or self.key(inner, "with"):
            inner += 1
        found = self.positive(inner) or self.negated(inner)
        if found is None or found.problem:
            return found
        further = found.next + self.key(found.next, "and", "or", "comma")
        if further > found.next and self.clause(further) is not None:
            atom = self.at(place)
            advice = "one thing to leave out per question"
            return Found(place + 1, problem=(atom.start, atom.end), suggestions=(advice,))
        several = len(found.conditions) > 1
        turned = NoneOf(none_of=(AllOf(all_of=found.conditions),)) if several else _turned(found.conditions[0])
        return replace(found, conditions=(turned,), plain_bool=False)

    def exists(self, place: int, operator: str) -> Found | None:
        """Read "a stated P" and "no stated P"."""
        spoken = self.spoken(place)
        if spoken is not None and (spoken.joined == "or" or self.operand_follows(spoken.next)):
            spoken = self.spoken(place, several=False)
        if spoken is None or (operator == "absent" and happening(spoken) and not self.key(place - 1, "stated")):
            return None
        made = tuple(self.make(spoken, predicate, operator) for predicate in spoken.predicates)
        return Found(spoken.next, made)

    def stated(self, place: int) -> Found | None:
        """Read "with a shutdown date": the article asks for its existence."""
        inner = place + self.key(place, "with")
        if self.key(inner, "stated"):
            return self.exists(inner + 1, "exists")
        spoken = self.spoken(inner) if inner > place else None
        if spoken is None or spoken.predicates[0].kind == "bool" or self.operand_follows(spoken.next):
            return None
        between = self.text[self.at(place).end : spoken.start]
        return self.exists(inner, "exists") if re.search(r"\b(?:an?|any)\b", between, re.IGNORECASE) else None

    def least(self, place: int) -> Found | None:
        """Read "a minimum context of 200k"; a maximum may be the window itself, so it is not read."""
        found = self.phrase_first(place + 1) if self.at(place).data[0] == "gte" else None
        made = found.conditions if found is not None else ()
        if found is None or not all(isinstance(c, Constraint) and c.operator == "eq" and c.unit for c in made):
            return None
        return replace(found, conditions=tuple(Constraint(**{**dict(c), "operator": "gte"}) for c in made))

    def literal(self, place: int) -> Found | None:
        """Read a constraint's own text form between backticks."""
        try:
            return Found(place + 1, (parse_constraint(self.at(place).data),))
        except ClaimbaseError:
            return None

    def free(self, place: int) -> Found | None:
        """Read "free input", and "free" alone: both the price of reading and that of writing are zero (V5)."""
        spoken = self.spoken(place + 1)
        if spoken is not None and is_money(spoken.predicates[0]) and not self.operand_follows(spoken.next):
            zero = [self.make(spoken, p, "eq", value=Decimal(0), unit=p.unit) for p in spoken.predicates]
            return Found(spoken.next, combined(zero, spoken.joined))
        wanted = [self.vocabulary.find(name) for name in COMMON_PRICES]
        if not all(wanted):
            return None
        made = tuple(Constraint(predicate=p.name, operator="eq", value=Decimal(0), unit=p.unit) for p in wanted if p)
        return Found(place + 1, made)

    def compared(self, place: int) -> Found | None:
        """Read "larger context than X"."""
        operator, family = self.at(place).data
        spoken = self.spoken(place + 1)
        if spoken is None or not all(in_family(predicate, family) for predicate in spoken.predicates):
            return None
        name = self.subject_at(spoken.next + 1)
        if not self.key(spoken.next, "than", "as") or name is None:
            return None
        if (operator == "eq") != self.key(spoken.next, "as"):
            return None
        made = [
            self.make(spoken, predicate, operator, value_of=ValueOf(subject=name, predicate=predicate.name))
            for predicate in spoken.predicates
        ]
        return Found(spoken.next + 2, combined(made, spoken.joined))

    def than_subject(self, place: int) -> Found | None:
        """Read "newer than X", "cheaper than X on input"; cheaper by itself does not say which price."""
        compared, name = self.operator(place), self.subject_at(place + 1)
        if compared is None or name is None:
            return None
        behind = self.spoken(place + 3) if self.key(place + 2, "by", "on", "in") else None
        if behind is None and compared[1] == "date" and (released := self.vocabulary.find("release_date")):
            behind = Spoken(place + 2, (released,), "", None, "", 0)
        if behind is None or not all(in_family(predicate, compared[1]) for predicate in behind.predicates):
            names = tuple(name for name in COMMON_PRICES if compared[1] == "money" and name in self.vocabulary)
            return Found(place + 2, (), (self.at(place).start, self.at(place + 1).end), names)
        made = [
            self.make(behind, predicate, compared[0], value_of=ValueOf(subject=name, predicate=predicate.name))
            for predicate in behind.predicates
        ]
        return Found(behind.next, combined(made, behind.joined))

    def phrase_first(self, place: int, *, several: bool = False) -> Found | None:
        """Read "context over 1M", "released after 2025", "license is MIT", "vision", or *several* abilities."""
        spoken = self.spoken(place)
        if spoken is None:
            return None
        kind = spoken.predicates[0].kind
        if kind == "bool" and not several and (alone := self.spoken(place, several=False)) is not None:
            spoken = alone
        rule = {"quantity": self.measured, "date": self.dated, "bool": self.able}.get(kind, self.worded)
        return rule(spoken)

    def able(self, spoken: Spoken) -> Found | None:
        """Read an ability: bare, "is false", or at an instant of its own: "still available after D" (Q14)."""
        place = spoken.next
        skipped = place + (self.key(place, "be", "not") or self.at(place).kind == "sign")
        if skipped > place and self.key(skipped, "true", "false") and self.at(place).data in ("be", "not", "eq", "ne"):
            truth = (self.at(skipped).data == "true") == (self.at(place).data in ("be", "eq"))
            return Found(skipped + 1, self.each(spoken, "is_true" if truth else "is_false"))
        lifetime = spoken.predicates[0].lifetime_of is not None
        if lifetime and self.at(place).kind == "key" and (span := self.span(place + 1)) is not None:
            found = self.living(spoken, self.at(place).data, span)
            if found is not None:
                return found
        return Found(place, self.each(spoken, "is_true"), plain_bool=not spoken.joined)

    def worded(self, spoken: Spoken) -> Found | None:
        """Read the operand of a text, an entity or a set."""
        place, predicate = spoken.next, spoken.predicates[0]
        ends_open = spoken.phrase.lower().endswith((" by", " under"))
        operator = "eq" if ends_open else ""
        for keys, name in ((("be",), "eq"), (("contains",), "contains"), (("starts_with",), "starts_with")):
            if self.key(place, *keys):
                operator, place = name, place + 1
        sign = self.operator(place)
        if sign is not None and sign[0] in ("eq", "ne"):
            operator, place = sign[0], place + 1
        if self.key(place, "not") and (operator == "eq" or _IS_NOT.fullmatch(self.words(self.at(place)))):
            operator, place = "ne", place + 1
        if self.key(place, "one_of"):
            operator, place = "in", place + 1
        values, end = self.texts(predicate, place)
        if not operator or not values or len(spoken.predicates) > 1:
            return None
        if operator in ("eq", "in") and (len(values) > 1 or operator == "in"):
            return Found(end, (self.make(spoken, predicate, "in", value=values),))
        if len(values) > 1:
            return None
        if predicate.kind == "set" and operator in ("eq", "ne") and self.at(end - 1).kind != "quoted":
            return None
        return Found(end, (self.make(spoken, predicate, operator, value=values[0]),))

    def texts(self, predicate: Predicate, place: int) -> tuple[list[str], int]:
        """Read texts joined by "or": quoted, a name of the base, or one word the grammar does not know."""
        found: list[str] = []
        while (text := self.text_at(predicate, place)) is not None:
            found.append(text)
            place += 1
            if not (self.key(place, "or", "comma") and self.text_at(predicate, place + 1) is not None):
                break
            place += 1
        return found, place

    def text_at(self, predicate: Predicate, place: int) -> str | None:
        """Return the text a single atom stands for, or None."""
        atom = self.at(place)
        if atom.kind == "quoted":
            return str(atom.data)
        if atom.kind == "name" and len(atom.data) == 1:
            return str(atom.data[0].name)
        word = self.words(atom) if atom.kind == "unknown" else ""
        plain = word[:1].isalnum() and word.casefold() not in _NO_VALUES
        return word if plain and predicate.kind != "entity" else None

    def sound(self, condition: Condition) -> bool:
        """Tell whether a condition fits the vocabulary; the grammar never hands on one that does not."""
        try:
            typed(condition, self.vocabulary)
        except InputError:
            return False
        return True


def _dated(condition: Condition, span: Span) -> Condition:
    if isinstance(condition, Constraint):
        return Constraint(**{**condition.model_dump(), "at": span.start})
    return condition


def _turned(condition: Condition) -> Condition:
    if isinstance(condition, Constraint) and condition.operator in FLIP and condition.value_of is None:
        return Constraint(**{**condition.model_dump(), "operator": FLIP[condition.operator]})
    return NoneOf(none_of=(condition,))
