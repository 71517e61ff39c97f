"""Clauses about dates: before and after, in a period, by another subject's date, and how long something lives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from claimbase.constraints import ValueOf
from claimbase.questions.looking import Found, Looking, Spoken, combined, happening
from claimbase.questions.spans import Span
from claimbase.temporal import iso

Compared = tuple[str, Any] | None
"""An operator and its operand, or None for a doubt."""


class Moments(Looking):
    """The rules for dates."""

    __slots__ = ()

    def dated(self, spoken: Spoken) -> Found | None:
        """Read the operand of a date."""
        place = spoken.next
        place += self.key(place, "be")
        predicate = spoken.predicates[0]
        if (other := self.dated_by_subject(spoken, place)) is not None:
            return other
        if self.key(place, "between", "from") and (window := self.window(place)) is not None:
            low, high, end = window
            return Found(end, self.each(spoken, "between", [low, high]))
        sign = self.at(place).data if self.at(place).kind == "sign" else None
        if self.at(place).kind == "cmp" and self.at(place).data[1] == "date":
            return self.compared_date(spoken, place)
        if self.key(place, "on") and not happening(spoken) and self.about_subject():
            return None  # "Debian 12 EOL on D": the date itself, or what was said of it by D?
        if self.span(place) is not None and spoken.phrase.lower().endswith(("until", "_until")):
            return None
        worded = self.at(place).data if self.at(place).kind == "key" else "on"
        place += sign is not None or self.key(place, *_DATE_WORDS)
        read = self.span(place)
        if read is None or (worded not in _DATE_WORDS and sign is None and read[1] != place + 1):
            return None
        span, end = read
        reader = _SIGNED[sign] if sign else _DATE_WORDS.get(worded, _inside)
        compared = reader(span)
        if compared is None:
            atom = self.at(place)
            return Found(end, problem=(self.at(place - 1).start, atom.end), suggestions=("name the day",))
        return Found(end, self.each(spoken, compared[0], compared[1])) if predicate.kind == "date" else None

    def about_subject(self) -> bool:
        """Tell whether the question names a subject."""
        return any(atom.kind == "name" and atom.data[0].kind != "provider" for atom in self.atoms)

    def compared_date(self, spoken: Spoken, place: int) -> Found | None:
        """Read "later than D"."""
        read = self.span(place + 1)
        if read is None:
            return None
        compared = _DATE_WORDS[self.at(place).data[0]](read[0])
        return Found(read[1], self.each(spoken, *compared)) if compared else None

    def dated_by_subject(self, spoken: Spoken, place: int) -> Found | None:
        """Read "released before X"."""
        atom, name = self.at(place), self.subject_at(place + 1)
        operator = None
        if atom.kind == "key" and atom.data in ("before", "after"):
            operator = atom.data
        elif atom.kind == "cmp" and atom.data[1] == "date":
            operator = atom.data[0]
        elif atom.kind == "sign" and atom.data in ("gt", "lt", "gte", "lte", "eq", "ne"):
            operator = atom.data
        if operator is None or name is None:
            return None
        made = [
            self.make(spoken, predicate, operator, value_of=ValueOf(subject=name, predicate=predicate.name))
            for predicate in spoken.predicates
        ]
        return Found(place + 2, combined(made, spoken.joined))

    def window(self, place: int) -> tuple[str, str, int] | None:
        """Read "between D and D", "from D to D": half-open; periods are refused, their last one is open to doubt."""
        first = self.span(place + 1)
        if first is None or not self.key(first[1], "and", "to", "until"):
            return None
        second = self.span(first[1] + 1)
        if second is None or not (first[0].instant and second[0].instant) or first[0].start >= second[0].start:
            return None
        return first[0].text, second[0].text, second[1]

    def living(self, spoken: Spoken, word: str, dated: tuple[Span, int]) -> Found | None:
        """Read a lifetime with a date: "still available after D", "supported into 2028"."""
        span, end = dated
        still = "still" in spoken.phrase.lower()
        eol = self.vocabulary.find("eol")
        if "supported" in spoken.phrase.lower() and eol is not None and word in _SUPPORTED:
            compared = _SUPPORTED[word](span)
            return Found(end, (self.make(spoken, eol, compared[0], value=compared[1]),)) if compared else None
        if word == "after" or (still and word in ("on", "at")):
            moment = span.start if span.instant else span.end
            made = (self.make(spoken, spoken.predicates[0], "is_true", at=moment),)
            return Found(end, made)
        return None


def _edge(span: Span, edge: str) -> str:
    return iso(span.start if edge == "start" or span.precision == "instant" else span.end)


def _after(span: Span) -> Compared:
    """A day means its start (T7), a longer period the whole of it (Q14)."""
    return ("after", _edge(span, "start")) if span.instant else ("gte", _edge(span, "end"))


def _before(span: Span) -> Compared:
    return "before", _edge(span, "start")


def _since(span: Span) -> Compared:
    return "gte", _edge(span, "start")


def _through(span: Span) -> Compared:
    return ("lte", _edge(span, "start")) if span.precision == "instant" else ("before", _edge(span, "end"))


def _through_day(span: Span) -> Compared:
    """Read only a day or an instant: the year in "by 2027" may mean its start or its end."""
    return _through(span) if span.instant else None


def _inside(span: Span) -> Compared:
    if span.precision == "instant":
        return "eq", _edge(span, "start")
    return "between", [_edge(span, "start"), _edge(span, "end")]


def _not_at(span: Span) -> Compared:
    return ("ne", _edge(span, "start")) if span.precision == "instant" else None


def _past_end(span: Span) -> Compared:
    return "gte", _edge(span, "end")


def _into(span: Span) -> Compared:
    return "after", _edge(span, "start")


def _until_day(span: Span) -> Compared:
    return ("gte", _edge(span, "start")) if span.instant else None


# What a word before a date makes of it: an operator and its operand, or None where word and date leave a doubt.
_Reader = Callable[[Span], Compared]
_DATE_WORDS: dict[str, _Reader] = {
    "after": _after, "beyond": _after, "before": _before, "since": _since, "from": _since, "on_or_after": _since,
    "on_or_before": _through, "through": _through, "by": _through_day, "until": _through_day,
    "in": _inside, "on": _inside, "during": _inside,
}  # fmt: skip
_SIGNED: dict[str, _Reader] = {
    "gt": _after, "lt": _before, "gte": _since, "lte": _through, "eq": _inside, "ne": _not_at,
}  # fmt: skip
_SUPPORTED: dict[str, _Reader] = {"into": _into, "through": _past_end, "beyond": _after, "until": _until_day}
