"""What a watch asks: constraints and options, saved as one text that says how to ask them again."""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from claimbase import answers
from claimbase.constraints import Condition, conditions, format_constraint, to_json
from claimbase.errors import ClaimbaseError, InputError, shown
from claimbase.temporal import iso

NAME_LIMIT = 100
"""The longest name of a watch, in characters."""

# Of an answer's options those that decide who is eligible; the others shape a page.
_ASKED = ("policy", "providers", "providers_not", "subjects", "sources", "source_types", "authorities")
_KNOWN = tuple(
    name
    for name, parameter in inspect.signature(answers.answer).parameters.items()
    if parameter.kind is parameter.KEYWORD_ONLY
)


@dataclass(frozen=True, slots=True)
class Bundle:
    """Constraints and the options of an answer.

    Args:
        constraints: all must hold.
        options: of :func:`claimbase.answers.answer`, as plain data.
    """

    constraints: tuple[Condition, ...]
    options: Mapping[str, Any]

    @property
    def asked(self) -> dict[str, Any]:
        """The options that decide who is eligible; an order, a page and further columns do not."""
        return {name: value for name, value in self.options.items() if name in _ASKED}

    @property
    def saved(self) -> list[Any]:
        """The constraints as plain data: as text where the text says the same, else as JSON."""
        return [_saved(one) for one in self.constraints]

    def text(self) -> str:
        """Write the bundle as canonical JSON."""
        whole = {"constraints": self.saved, "options": dict(self.options)}
        return json.dumps(whole, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def bundle_of(given: Sequence[Any], options: Mapping[str, Any]) -> Bundle:
    """Make a bundle of what the caller passed.

    Raises:
        ConstraintError: [no_constraints] and whatever a part of it deserves.
        InputError: [extra_field] an option that an answer does not take.
    """
    strange = sorted(set(options) - set(_KNOWN))
    if strange:
        raise InputError(
            f"a watch takes no option {shown(strange[0])}", code="extra_field", hint=f"one of {', '.join(_KNOWN)}"
        )
    plain = {name: _plain(value) for name, value in options.items() if value not in (None, (), [])}
    return Bundle(tuple(item for one in given for item in conditions(one)) or conditions(()), plain)


def read_bundle(text: str) -> Bundle:
    """Read back what :meth:`Bundle.text` wrote."""
    data = json.loads(text)
    return Bundle(conditions(data["constraints"]), data["options"])


def _saved(given: Condition) -> Any:
    text = format_constraint(given)
    try:
        return text if conditions(text) == (given,) else to_json(given)
    except ClaimbaseError:
        return to_json(given)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, list | tuple) else value


def check_name(name: object) -> str:
    """Give a watch's name back if it is one.

    Raises:
        InputError: [bad_name] it is empty, too long, or holds control characters.
    """
    if not isinstance(name, str) or not name.strip() or len(name) > NAME_LIMIT or not name.isprintable():
        raise InputError(
            f"{shown(name)} is no name for a watch", code="bad_name",
            hint=f"1 to {NAME_LIMIT} characters, none of them a control character",
        )  # fmt: skip
    return name


@dataclass(frozen=True, slots=True)
class Watch:
    """A saved bundle and how it stood when it was last answered (Q10).

    Args:
        name: what it is called.
        words: the constraints as one text.
        constraints: all must hold; texts, or plain data where a text would not say the same.
        options: of an answer.
        made_at: when it was saved.
        evaluated_at: the instant its last answer speaks of, on all three axes.
        next_change_at: the first instant after it at which a subject changes its bucket if nothing is added, or None.
        next_stale_at: the first instant after it at which supporting evidence goes stale if nothing is read again.
        eligible, disputed, stale: how many subjects were eligible, were disputed, had stale evidence.
    """

    name: str
    words: str
    constraints: tuple[Any, ...]
    options: Mapping[str, Any]
    made_at: datetime
    evaluated_at: datetime
    next_change_at: datetime | None
    next_stale_at: datetime | None
    eligible: int
    disputed: int
    stale: int

    def __str__(self) -> str:
        said = f"{self.eligible} eligible, {self.disputed} disputed, {self.stale} with stale evidence"
        return f"{self.name}: {self.words}: {said} at {iso(self.evaluated_at)}"

    def to_json(self) -> dict[str, Any]:
        """Give the watch as plain data."""
        moments = ("made_at", "evaluated_at", "next_change_at", "next_stale_at")
        return {
            "name": self.name, "words": self.words, "constraints": list(self.constraints),
            "options": dict(self.options),
            **{name: iso(moment) if (moment := getattr(self, name)) else None for name in moments},
            "eligible": self.eligible, "disputed": self.disputed, "stale": self.stale,
        }  # fmt: skip
