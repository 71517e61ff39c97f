"""Why a verdict is what it is, in words: who says what, or why nobody does (Q1, Q6, A4, Q12)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from claimbase.answers.model import Citation, Verdict
from claimbase.answers.words import when
from claimbase.constraints import Test
from claimbase.ingest.readers import canonical_scope
from claimbase.temporal import Basis

Fates = Callable[[], Sequence[Mapping[str, Any]]]
"""Give what became of every version of a slot, as `queries/fates` tells it."""

SPOKEN = ("yes", "no", "maybe", "absence")
_NAMED = 3  # sources named in one reason; the others are counted
_UNSAID = ("no claim", "claims in other scopes only")  # what an answer says of no evidence; here it is told why


@dataclass(frozen=True, slots=True)
class Heard:
    """The claims behind one verdict by what they say: yes, no, maybe, absence, or nothing; their role tells why."""

    yes: tuple[Citation, ...]
    no: tuple[Citation, ...]
    maybe: tuple[Citation, ...]
    absence: tuple[Citation, ...]
    nothing: tuple[Citation, ...]

    @classmethod
    def of(cls, cited: Sequence[Citation]) -> Heard:
        """Sort citations by what they say."""
        said = {role: tuple(one for one in cited if one.role == role) for role in SPOKEN}
        return cls(**said, nothing=tuple(one for one in cited if one.role not in SPOKEN))


def reason(test: Test, verdict: Verdict | None, heard: Heard, fates: Fates, basis: Basis) -> str:
    """Say why a verdict is what it is.

    Args:
        test, verdict, heard: what was asked, what came out (None: the subject is not asked), and the claims behind it.
        fates: gives what became of every version of the slot; asked only where there is no evidence.
        basis: the instants the answer speaks of.
    """
    spoken = (*heard.yes, *heard.no, *heard.maybe, *heard.absence)
    if verdict is None or verdict.verdict == "no_evidence":
        return _silence(test, verdict, heard, fates, basis)
    if not spoken:
        return "what nobody claims is not so: the predicate is declared a closed world"
    why = _BECAUSE[verdict.verdict](heard, spoken)
    return f"{why}: {verdict.reason}" if verdict.reason else why


def _met(heard: Heard, spoken: Sequence[Citation]) -> str:
    return told(_sure(heard.yes) or _sure(spoken)) + _dissent((*heard.no, *heard.absence))


def _failed(heard: Heard, spoken: Sequence[Citation]) -> str:
    return told(_sure((*heard.no, *heard.absence)) or _sure(spoken)) + _dissent(heard.yes)


def _disputed(heard: Heard, spoken: Sequence[Citation]) -> str:
    sides = [told(_sure(side)) for side in (heard.yes, heard.no, heard.absence) if any(one.certain for one in side)]
    return " but ".join(sides) or told(spoken)


def _possible(heard: Heard, spoken: Sequence[Citation]) -> str:
    return f"{told((*heard.yes, *heard.maybe) or spoken)}, only possibly"


_BECAUSE: Mapping[str, Callable[[Heard, Sequence[Citation]], str]] = {
    "met": _met, "failed": _failed, "absent": _failed, "disputed": _disputed, "possible": _possible,
}  # fmt: skip


def told(cited: Sequence[Citation]) -> str:
    """Write who says what, one part for each value: ``A and B say $5``."""
    parts = []
    for value in dict.fromkeys(_value(one) for one in cited):
        names = list(dict.fromkeys(_source(one) for one in cited if _value(one) == value))
        more = [f"{len(names) - _NAMED} more"] if len(names) > _NAMED else []
        verb = "says" if len(names) == 1 else "say"
        parts.append(f"{' and '.join([*names[:_NAMED], *more])} {verb} {value}")
    return ", ".join(parts)


def _value(one: Citation) -> str:
    if one.polarity == "absent":
        return "that there is none"
    bare = one.unit is not None and one.value == one.normalized_value and one.value_min == one.value_max is not None
    return f"{one.value} {one.unit}" if bare else str(one.value)


def _source(one: Citation) -> str:
    return one.publisher or one.title or urlsplit(one.url).hostname or one.url


def _sure(cited: Sequence[Citation]) -> Sequence[Citation]:
    return [one for one in cited if one.certain] or cited


def _dissent(cited: Sequence[Citation]) -> str:
    unsure = [one for one in cited if not one.certain]
    return f"; only possibly {told(unsure)}" if unsure else ""


# -- no evidence -----------------------------------------------------------------------------------------------------

# In the order a reader wants them: what could still count first, what nobody held last.
_FATES: Mapping[str, str] = {
    "active": "left out by the source filter",
    "historical": "claimed only until {since} (historical)",
    "upcoming": "claimed only from {since} on (upcoming)",
    "retracted": "retracted on {since}",
    "corrected": "corrected to another claim on {since}",
    "not_observed": "not yet observed by {observed_by}, first read {since}",
    "not_recorded": "not yet recorded by {recorded_by}, recorded {since}",
    "erased": "erased on {since}",
}
_NEWEST = ("historical", "retracted", "corrected")  # of several the last one counts, of the others the first


def _silence(test: Test, verdict: Verdict | None, heard: Heard, fates: Fates, basis: Basis) -> str:
    silent = [one for one in heard.nothing if one.role not in ("other_scope", "overridden")]
    if verdict and verdict.reason and verdict.reason not in _UNSAID:
        return verdict.reason + (f": {told(silent)}" if silent else "")
    rows = fates()
    parts = list(_fated([row for row in rows if in_scope(test, row["scope"])], basis))
    others = {row["scope"]: json.loads(row["scope"]) for row in rows if not in_scope(test, row["scope"])}
    if others:
        scopes = [", ".join(f"{key}={value}" for key, value in one.items()) or "none" for one in others.values()]
        parts.append(f"claimed only in scope {'; '.join(scopes[:_NAMED])}")
    return "; ".join(parts) or "never claimed"


def _fated(rows: Sequence[Mapping[str, Any]], basis: Basis) -> Iterable[str]:
    for fate, words in _FATES.items():
        since = [row["since"] for row in rows if row["fate"] == fate]
        if not since:
            continue
        known = [one for one in since if one is not None]
        moment = None if not known else max(known) if fate in _NEWEST else min(known)
        yield words.format(
            since=moment and when(moment), observed_by=when(basis.observed_by), recorded_by=when(basis.recorded_by)
        )


def in_scope(test: Test, qualifiers: str) -> bool:
    """Say whether a test listens to claims of a scope (Q6)."""
    if test.scope == "any":
        return True
    return qualifiers == (canonical_scope(dict(test.scope)) if test.scope else "{}")
