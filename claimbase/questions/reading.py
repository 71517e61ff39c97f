"""What a question in words was understood to ask, and what of it was not."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from claimbase.constraints import Condition, to_json
from claimbase.temporal import AsOf, iso

Op = Literal["answer", "lookup", "history", "contradictions", "when", "diff", "freshness", "gaps"]
Policy = Literal["certain", "any"]
Direction = Literal["increase", "decrease"]


@dataclass(frozen=True, slots=True)
class Names:
    """The names a base knows; a name outside them is never understood.

    Args:
        subjects: names of subjects, as stored.
        providers: names of providers, as stored.
        aliases: other spellings, each with the stored name it stands for.
    """

    subjects: tuple[str, ...] = ()
    providers: tuple[str, ...] = ()
    aliases: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the question and how it was read."""

    text: str
    reading: str


@dataclass(frozen=True, slots=True)
class Ranking:
    """The order asked for: a predicate and its direction, "asc" for the least first (Q11)."""

    predicate: str
    direction: Literal["asc", "desc"]


@dataclass(frozen=True, slots=True)
class Reading:
    """A question read by the closed grammar; only a complete one may be answered.

    Args:
        question: the text as asked.
        op: what kind of question it is.
        conditions: what every subject must satisfy, for `answer` and `when`.
        providers, providers_not, subjects: whom it speaks of; empty = anyone.
        predicates: what `lookup`, `history`, `contradictions`, `diff`, `freshness` and `gaps` speak of.
        scope: the scope of those predicates; None = claims without scope.
        as_of, observed_by, recorded_by: the basis; None = now.
        then: observed_by and recorded_by follow as_of (Q13).
        during: a half-open window asked instead of an instant (Q15).
        at: the instant at which contradictions are asked for.
        policy, source_types: how disputes and sources count; None and empty = the defaults.
        show: further predicates to be shown with each subject.
        order_by, limit, offset: the ranking.
        a, b: the two bases of a `diff`; an AsOf of Nones = now.
        direction: whether only increases or decreases of a `diff` are asked for.
        understood: the pieces read, in the order of the question.
        not_understood: the pieces left over; while there are any, nothing may be answered as if complete.
        suggestions: predicates or wordings that may have been meant.
    """

    question: str
    op: Op = "answer"
    conditions: tuple[Condition, ...] = ()
    providers: tuple[str, ...] = ()
    providers_not: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    predicates: tuple[str, ...] = ()
    scope: tuple[tuple[str, str], ...] | None = None
    as_of: datetime | None = None
    observed_by: datetime | None = None
    recorded_by: datetime | None = None
    then: bool = False
    during: tuple[datetime, datetime] | None = None
    at: datetime | None = None
    policy: Policy | None = None
    source_types: tuple[str, ...] = ()
    show: tuple[str, ...] = ()
    order_by: Ranking | None = None
    limit: int | None = None
    offset: int = 0
    a: AsOf | None = None
    b: AsOf | None = None
    direction: Direction | None = None
    understood: tuple[Piece, ...] = ()
    not_understood: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Tell whether every word of the question was read."""
        return not self.not_understood

    @property
    def predicate(self) -> str | None:
        """The one predicate spoken of, or None where there are none or several."""
        return self.predicates[0] if len(self.predicates) == 1 else None

    def to_json(self) -> dict[str, Any]:
        """Give the reading as plain data; unset fields are left out."""
        data: dict[str, Any] = {"question": self.question, "op": self.op, "complete": self.complete}
        data["constraints"] = [to_json(given) for given in self.conditions]
        for name in _PLAIN_FIELDS:
            value = getattr(self, name)
            if value not in (None, (), 0, False):
                data[name] = _plain(value)
        data["understood"] = [{"text": piece.text, "reading": piece.reading} for piece in self.understood]
        data["not_understood"] = list(self.not_understood)
        return data


_PLAIN_FIELDS = (
    "providers", "providers_not", "subjects", "predicates", "scope", "as_of", "observed_by", "recorded_by", "then",
    "during", "at", "policy", "source_types", "show", "order_by", "limit", "offset", "a", "b", "direction",
    "suggestions",
)  # fmt: skip


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return iso(value)
    if isinstance(value, Ranking):
        return {"predicate": value.predicate, "direction": value.direction}
    if isinstance(value, AsOf):
        return basis_json(value)
    if isinstance(value, tuple) and value and all(isinstance(item, tuple) for item in value):
        return dict(value)
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def basis_json(basis: AsOf) -> dict[str, str]:
    """Give the axes a basis names, or `{"as_of": "now"}` for none."""
    axes = {"as_of": basis.valid_at, "observed_by": basis.observed_by, "recorded_by": basis.recorded_by}
    named = {axis: iso(moment) for axis, moment in axes.items() if moment is not None}
    return named or {"as_of": "now"}
