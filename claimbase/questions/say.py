"""Readings and conditions in words that the grammar reads back to the same thing."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from claimbase.constraints import OPERATORS, Condition, Constraint, format_constraint, group_members
from claimbase.questions.lexicon import ORDINALS, SOURCE_WORDS
from claimbase.questions.reading import Reading
from claimbase.temporal import AsOf, iso
from claimbase.units import UNITS
from claimbase.vocabulary import Vocabulary

_INSTANT = re.compile(r"\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z)?", re.ASCII)
_NUMBER_WORDS = {
    "gte": "at least", "gt": "over", "lte": "at most", "lt": "under", "eq": "exactly", "ne": "not equal to",
}  # fmt: skip
_DATE_WORDS = {"after": "after", "gt": "after", "before": "before", "lt": "before", "gte": ">=", "lte": "<=", "eq": "="}
_TEXT_WORDS = {"eq": "is", "ne": "is not", "contains": "contains", "starts_with": "starts with"}
_BARE = {"exists": "stated {}", "absent": "without stated {}", "is_true": "{} is true", "is_false": "{} is false"}
_MANY = 2


def say(given: Reading | Condition | Sequence[Condition], vocabulary: Vocabulary | None = None) -> str:
    """Write a reading or conditions as words; `read_question` reads them back to an equal reading.

    Args:
        given: what to say.
        vocabulary: lends its first noun phrase to each predicate; without it their names are said.
    """
    speaker = _Speaker(vocabulary)
    if isinstance(given, Reading):
        return speaker.reading(given)
    several = given if isinstance(given, Sequence) else (given,)
    return ", ".join(speaker.top(condition) for condition in several)


class _Speaker:
    def __init__(self, vocabulary: Vocabulary | None) -> None:
        self.vocabulary = vocabulary

    def phrase(self, name: str) -> str:
        known = self.vocabulary.find(name) if self.vocabulary is not None else None
        return known.words[0] if known is not None and known.words else name

    # Conditions ---------------------------------------------------------------------------------------------------

    def top(self, given: Condition) -> str:
        kind, members = ("", ()) if isinstance(given, Constraint) else group_members(given)
        return ", ".join(self.top(member) for member in members) if kind == "all_of" else self.condition(given)

    def condition(self, given: Condition) -> str:
        if isinstance(given, Constraint):
            return self.constraint(given)
        kind, members = group_members(given)
        word = " and " if kind == "all_of" else " or "
        return ("not (" if kind == "none_of" else "(") + word.join(self.condition(member) for member in members) + ")"

    def constraint(self, given: Constraint) -> str:
        said = self.operand(given)
        if said is None:
            return f"`{format_constraint(given)}`"
        return f"{said} (at {iso(given.at)})" if given.at is not None else said

    def head(self, given: Constraint) -> str:
        phrase = self.phrase(given.predicate)
        if given.scope is None:
            return phrase
        inside = given.scope if isinstance(given.scope, str) else ", ".join(
            f"{key}={value}" for key, value in sorted(given.scope.items())
        )  # fmt: skip
        return f"{phrase} [{inside}]"

    def operand(self, given: Constraint) -> str | None:
        """Say one constraint; None where the grammar has no words for it."""
        head, operator = self.head(given), given.operator
        if isinstance(given.scope, dict) and any(re.search(r"[\[\],=]", v) for v in given.scope.values()):
            return None
        if operator in _BARE:
            return _BARE[operator].format(head)
        if given.value_of is not None:
            return self.other(head, given)
        values = given.value if isinstance(given.value, tuple) else (given.value,)
        if any(isinstance(value, bool) for value in values):
            return None
        numbers = [value for value in values if isinstance(value, int | Decimal)]
        if len(numbers) == len(values):
            return self.number(head, operator, [_number(value, given.unit) for value in numbers])
        texts = [value for value in values if isinstance(value, str)]
        if all(_INSTANT.fullmatch(text) for text in texts):
            return self.date(head, operator, texts)
        return self.text(head, operator, texts)

    def other(self, head: str, given: Constraint) -> str | None:
        """Say a comparison with another subject's value."""
        if given.value_of is None:
            return None
        words = (*OPERATORS[given.operator].symbols, given.operator)[0]
        theirs = given.value_of.predicate
        suffix = "" if theirs in (None, given.predicate) else f" {self.phrase(theirs)}"
        return f"{head} {words} {given.value_of.subject}{suffix}"

    def number(self, head: str, operator: str, said: list[str]) -> str | None:
        if operator == "between":
            return f"{head} between {said[0]} and {said[1]}"
        if operator == "in":
            return f"{head} one of {', '.join(said)}"
        return f"{head} {_NUMBER_WORDS[operator]} {said[0]}" if operator in _NUMBER_WORDS else None

    def date(self, head: str, operator: str, said: list[str]) -> str | None:
        if operator == "between":
            return f"{head} between {said[0]} and {said[1]}"
        return f"{head} {_DATE_WORDS[operator]} {said[0]}" if operator in _DATE_WORDS else None

    def text(self, head: str, operator: str, texts: list[str]) -> str | None:
        if any('"' in text or not text.strip() for text in texts):
            return None
        quoted = [f'"{text}"' for text in texts]
        if operator == "in":
            return f"{head} one of {', '.join(quoted)}"
        return f"{head} {_TEXT_WORDS[operator]} {quoted[0]}" if operator in _TEXT_WORDS else None

    # Readings -----------------------------------------------------------------------------------------------------

    def reading(self, given: Reading) -> str:
        about: dict[str, Callable[[Reading], list[str]]] = {
            "answer": self.answer, "when": self.when, "diff": self.diff, "lookup": self.lookup,
        }  # fmt: skip
        parts = about.get(given.op, self.operation)(given)
        return ", ".join([*parts, *self.basis(given)])

    def lookup(self, given: Reading) -> list[str]:
        return [self.about(given)]

    def operation(self, given: Reading) -> list[str]:
        return [" of ".join(part for part in (given.op, self.about(given)) if part)]

    def about(self, given: Reading) -> str:
        scope = "" if given.scope is None else " [" + ", ".join(f"{key}={value}" for key, value in given.scope) + "]"
        phrases = [self.phrase(name) + scope for name in given.predicates]
        names = " and ".join((*given.subjects, *given.providers))
        return " of ".join(part for part in (" and ".join(phrases), names) if part)

    def names(self, given: Reading) -> list[str]:
        wanted = " or ".join((*given.providers, *given.subjects))
        unwanted = given.providers_not
        refused = f"neither {' nor '.join(unwanted)}" if len(unwanted) >= _MANY else " ".join(("except", *unwanted))
        refused = refused if unwanted else ""
        return [part for part in (wanted, refused) if part]

    def answer(self, given: Reading) -> list[str]:
        parts = self.names(given)
        if given.policy:
            parts.append(f"policy {given.policy}")
        if given.source_types:
            words = {kind: word for word, kind in reversed(SOURCE_WORDS.items())}
            parts.append(f"{words[given.source_types[0]]} only")
        parts.extend(self.top(condition) for condition in given.conditions)
        parts.extend(f"show their {self.phrase(name)}" for name in given.show)
        return parts + self.ranking(given)

    def ranking(self, given: Reading) -> list[str]:
        if given.order_by is None:
            return []
        phrase = self.phrase(given.order_by.predicate)
        if given.offset:
            ordinal = next(word for word, place in ORDINALS.items() if place == given.offset + 1)
            known = self.vocabulary.find(given.order_by.predicate) if self.vocabulary else None
            dated = known is not None and known.kind == "date"
            words = {"asc": "oldest", "desc": "newest"} if dated else {"asc": "lowest", "desc": "highest"}
            return [f"{ordinal} {words[given.order_by.direction]} {phrase}"]
        order = {"asc": "ascending", "desc": "descending"}[given.order_by.direction]
        limit = [f"limit {given.limit}"] if given.limit else []
        return [f"sorted by {phrase} {order}", *limit]

    def when(self, given: Reading) -> list[str]:
        return ["when " + ", ".join((*self.names(given), *(self.top(condition) for condition in given.conditions)))]

    def diff(self, given: Reading) -> list[str]:
        verb = {"increase": "increased", "decrease": "decreased", None: "changed"}[given.direction]
        low, high = _moment(given.a), _moment(given.b)
        if low is None:
            return [f"{self.about(given)} {verb}"]
        window = f"since {iso(low)}" if high is None else f"between {iso(low)} and {iso(high)}"
        return [f"{self.about(given)} {verb} {window}"]

    def basis(self, given: Reading) -> list[str]:
        parts = []
        if given.as_of is not None:
            parts.append(f"{'as we knew it on' if given.then else 'as of'} {iso(given.as_of)}")
        if given.at is not None:
            parts.append(f"on {iso(given.at)}")
        if given.observed_by is not None:
            parts.append(f"known by {iso(given.observed_by)}")
        if given.recorded_by is not None:
            parts.append(f"recorded by {iso(given.recorded_by)}")
        if given.during is not None:
            parts.append(f"during {iso(given.during[0])} to {iso(given.during[1])}")
        return parts


def _number(value: Any, unit: str | None) -> str:
    number = format(Decimal(value), "f")
    return number if unit is None or unit == "1" else f"{number} {_unit(unit)}"


def _unit(name: str) -> str:
    """Spell a unit as a question may have it: letters that stand alone are no unit in words."""
    return name if len(name) > 2 else max(UNITS[name].spellings, key=len, default=name)


def _moment(basis: AsOf | None) -> datetime | None:
    if basis is None:
        return None
    return basis.valid_at or basis.observed_by or basis.recorded_by
