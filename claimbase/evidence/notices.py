"""Notices about publications: DOIs in a text, whether a text knows of a retraction, what a notice means for a claim.

Pure. Which notice is in force within a basis is told by one macro, `cb.retraction_current`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple
from urllib.parse import unquote

from claimbase.errors import InputError, InstantError, shown
from claimbase.evidence.terms import NoticeStatus, Outcome
from claimbase.sources import doi_key
from claimbase.values import folded

NEAR = 200
"""Within how many characters of a citation a text must say that the work is retracted."""
DENIED = 5
"""How many words before such a word a denial counts."""

_DOI = re.compile(r"(?<![0-9.])10\.[0-9]{4,9}(?:\.[0-9]{1,9}){0,4}/[!-~]{1,300}", re.ASCII)
_SHORTEST = len("10.1000/x")
_WORD = re.compile(r"[\w'’]+")
_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:[T ].{0,32})?|(\d{1,2})/(\d{1,2})/(\d{4})(?: .{0,16})?", re.ASCII)


class Doi(NamedTuple):
    """A DOI that stands in a text, with the half-open code points of its writing."""

    key: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Notice:
    """What a provider says of a publication.

    Args:
        doi_key: the publication, in one spelling.
        notice_date: when the notice was given; None = not told.
        notice_url: where it stands.
        provider: who lists it.
        provider_entry: the provider's number of it.
        asserted_by: who gave it: a publisher, an author.
        observed_at: when the provider was read; an instant with offset, as text.
    """

    doi_key: str
    status: NoticeStatus
    provider: str
    observed_at: str
    notice_date: date | None = None
    notice_url: str | None = None
    provider_entry: str | None = None
    asserted_by: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Give the notice as plain data."""
        day = self.notice_date and self.notice_date.isoformat()
        return {
            "doi_key": self.doi_key, "status": self.status.value, "notice_date": day, "notice_url": self.notice_url,
            "provider": self.provider, "provider_entry": self.provider_entry, "asserted_by": self.asserted_by,
            "observed_at": self.observed_at,
        }  # fmt: skip


def dois(text: str) -> Iterator[Doi]:
    """Find the DOIs in a text, brackets balanced and punctuation behind them left out, in order."""
    place = 0
    while match := _DOI.search(text, place):
        key = doi_key(match[0])
        place = min(match.end(), match.start() + max(len(key or ""), _SHORTEST))
        if key:
            yield Doi(key, match.start(), place)


def doi_of_address(uri: str) -> str | None:
    """Give the DOI that an address holds, percent signs decoded, or None."""
    return next((found.key for found in dois(unquote(uri))), None)


def acknowledged(text: str, start: int, end: int) -> bool:
    """Tell whether a text says, within NEAR characters of a citation, that the work cited is retracted.

    A denial up to DENIED words before ("has not been retracted") takes it back: in doubt it is not acknowledged.

    Args:
        text: the citing text.
        start, end: half-open code points of the citation.
    """
    lists = _lists()["acknowledging"]
    before: list[str] = []
    for word in _WORD.finditer(text, max(0, start - NEAR), min(len(text), end + NEAR)):
        told = word.group().casefold()
        if told in lists["words"] and not any(one in lists["denying"] for one in before[-DENIED:]):
            return True
        before.append(told)
    return False


def outcome(status: NoticeStatus, *, acknowledged: bool = False, predicate: str = "") -> Outcome:
    """Tell what a publication's status means for a claim that rests on it (evidence §5).

    Only *retracted* fails, and not where the text says so or the claim is about the retraction; what is not known is
    never passed.

    Args:
        acknowledged: the citing text says that the work is retracted.
        predicate: the claim's predicate.
    """
    about = any(part in predicate for part in _lists()["acknowledging"]["predicates"])
    if status is NoticeStatus.RETRACTED:
        return Outcome.WARNING if acknowledged or about else Outcome.FAILED
    return _OUTCOMES[status]


_OUTCOMES = {
    NoticeStatus.OK: Outcome.PASSED,
    NoticeStatus.REINSTATED: Outcome.PASSED,
    NoticeStatus.CONCERN: Outcome.WARNING,
    NoticeStatus.CORRECTED: Outcome.WARNING,
    NoticeStatus.UNAVAILABLE: Outcome.WARNING,
    NoticeStatus.UNCHECKED: Outcome.SKIPPED,
}


def notice_status(nature: str) -> NoticeStatus:
    """Read what a provider calls a notice: "Retraction", "Expression of concern", "Correction", "Reinstatement" …

    Raises:
        InputError: [bad_notice] it is none of these.
    """
    found = _lists()["natures"].get(folded(nature))
    if found is None:
        raise InputError(
            f"{shown(nature)} is no kind of notice", code="bad_notice", hint=f"one of {', '.join(_lists()['natures'])}"
        )
    return NoticeStatus(found)


def notice_day(text: str | None) -> date | None:
    """Read the day of a notice: 2023-11-18, or 11/18/2023 as month/day/year; None where none is told.

    Raises:
        InstantError: [bad_date].
    """
    written = (text or "").strip()
    if not written:
        return None
    match = _DAY.fullmatch(written)
    numbers = (0, 0, 0)
    if match:
        numbers = (match[1], match[2], match[3]) if match[1] else (match[6], match[4], match[5])  # type: ignore[assignment]  # digits
    try:
        return date(*map(int, numbers))
    except ValueError as error:
        raise InstantError(f"{shown(written)} is no day", hint="2023-11-18, or 11/18/2023 as month/day/year") from error


@cache
def _lists() -> dict[str, Any]:
    return tomllib.loads(files("claimbase.evidence").joinpath("data/notices.toml").read_text(encoding="utf-8"))
