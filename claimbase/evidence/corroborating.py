"""Corroboration: how many voices say a value, which are independent of its subject, and what is weak (R1, R2).

Pure. Whose voice a source is comes from `evidence.voices`; who says a value comes from the base.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from claimbase.evidence.model import SourceAt
from claimbase.evidence.terms import Rating, VoiceFlag
from claimbase.evidence.voices import PRIMARY, Voice, restated
from claimbase.sources import cluster_key

AGGREGATOR, SNIPPET = "aggregator", "search_snippet"
HIGH = "high"
"""The confidence that asks for two independent voices."""
ENOUGH = 2
"""How many voices are more than one source."""


@dataclass(frozen=True, slots=True)
class Corroboration:
    """Who says a claim's value at a basis.

    Args:
        claim_id: the claim.
        sources: ids of the sources that say it, sorted: its own, those of its evidence, those of agreeing claims;
            withdrawn and forbidden ones are left out.
        voices: ids of their voices, in order.
        independent: those of the voices that are independent of the subject.
        flags: what is weak about it.
    """

    claim_id: str
    sources: tuple[str, ...]
    voices: tuple[str, ...]
    independent: tuple[str, ...]
    flags: tuple[VoiceFlag, ...]

    @property
    def corroborated(self) -> bool:
        """Whether more than one voice says it and at least one of them independently."""
        return len(self.voices) >= ENOUGH and bool(self.independent)

    def to_json(self) -> dict[str, Any]:
        """Give it as plain data."""
        return {
            "claim_id": self.claim_id, "sources": list(self.sources), "voices": list(self.voices),
            "independent": list(self.independent), "flags": [flag.value for flag in self.flags],
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Heard:
    """What some sources amount to: those that count, their voices, and which of these are independent."""

    speakers: tuple[SourceAt, ...]
    voices: tuple[Voice, ...]
    independent: tuple[Voice, ...]
    authored: bool


@dataclass(frozen=True, slots=True)
class _Case:
    """What flags are decided on: who says a value, in how many voices its subject is spoken of, and the confidence."""

    said: Heard
    identity: int
    confidence: str | None


FLAGS: Mapping[VoiceFlag, Callable[[_Case], bool]] = {
    VoiceFlag.SELF_CORROBORATED_ONLY: lambda case: case.said.authored and not case.said.independent,
    VoiceFlag.SINGLE_SOURCE_CLAIM: lambda case: len(case.said.voices) < ENOUGH,
    VoiceFlag.IDENTITY_SINGLE_SOURCE: lambda case: case.identity < ENOUGH,
    VoiceFlag.SNIPPET_ONLY: lambda case: _all(case.said.speakers, lambda one: one.source_type == SNIPPET),
    VoiceFlag.AGGREGATOR_ONLY: lambda case: _all(case.said.speakers, lambda one: one.authority == AGGREGATOR),
    VoiceFlag.HIGH_CONFIDENCE_SINGLE_SOURCE: lambda case: (
        case.confidence == HIGH and len(case.said.independent) < ENOUGH
    ),
}
"""Each flag and when it is raised, in the order in which they are told."""


class Chorus:
    """The voices of a basis, asked claim by claim.

    Args:
        sources: every source by id.
        voices: their voices.
    """

    def __init__(self, sources: Mapping[str, SourceAt], voices: Iterable[Voice]) -> None:
        self._sources = sources
        self._voice = {member: voice for voice in voices for member in voice.members}
        pages = {cluster_key(sources[key].url_key): sources[key] for key in sorted(sources, reverse=True)}
        self._pages = {**pages, **sources}
        self._known: dict[frozenset[str], Heard] = {}

    def heard(self, sources: frozenset[str]) -> Heard:
        """Tell what some sources amount to. Unknown, forbidden and withdrawn ones do not count (R2).

        A voice is independent if it does not go back to the subject itself, and one of these sources speaks in it that
        is, and restates in the end, neither an aggregator nor a snippet.
        """
        if sources not in self._known:
            known = (self._sources[key] for key in sorted(sources) if key in self._sources)
            speakers = tuple(one for one in known if one.allowed and one.withdrawn is None)
            voices, sound = self._voices(speakers), self._voices(filter(self._sound, speakers))
            independent = tuple(voice for voice in sound if not self._authored(voice))
            self._known[sources] = Heard(speakers, voices, independent, any(map(self._authored, voices)))
        return self._known[sources]

    def speaking(self, sources: Iterable[str]) -> int:
        """Count the voices that some sources are; a withdrawn or forbidden source lends none (R2).

        An aggregator corroborates nothing: it counts only where nobody else speaks (R1).

        Args:
            sources: source ids.
        """
        known = (self._sources[one] for one in sorted(set(sources)) if one in self._sources)
        standing = [one for one in known if one.allowed and one.withdrawn is None]
        heard = [one for one in standing if one.authority != AGGREGATOR] or standing[:1]
        return len(self._voices(heard))

    def corroboration(
        self, claim_id: str, sources: frozenset[str], *, identity: frozenset[str], confidence: str | None
    ) -> Corroboration:
        """Tell who says a claim's value.

        Args:
            claim_id: the claim.
            sources: ids of all sources that say it.
            identity: ids of all sources that say anything of its subject.
            confidence: what the claim's author says of it.
        """
        said = self.heard(sources)
        case = _Case(said, len(self.heard(identity).voices), confidence)
        return Corroboration(
            claim_id, tuple(one.source_id for one in said.speakers), tuple(voice.voice_id for voice in said.voices),
            tuple(voice.voice_id for voice in said.independent),
            tuple(flag for flag, raised in FLAGS.items() if raised(case)),
        )  # fmt: skip

    def _voices(self, speakers: Iterable[SourceAt]) -> tuple[Voice, ...]:
        found = {self._voice[one.source_id].voice_id: self._voice[one.source_id] for one in speakers}
        return tuple(sorted(found.values(), key=lambda voice: int(voice.voice_id[1:])))

    def _authored(self, voice: Voice) -> bool:
        return self._sources[voice.root].authority == PRIMARY

    def _sound(self, one: SourceAt) -> bool:
        """Tell whether neither a source nor what it restates in the end is an aggregator or a snippet."""
        origin, passed = one, {one.source_id}
        while (page := self._restated(origin)) is not None and page.source_id not in passed:
            origin = page
            passed.add(page.source_id)
        return all(source.authority != AGGREGATOR and source.source_type != SNIPPET for source in (one, origin))

    def _restated(self, one: SourceAt) -> SourceAt | None:
        return next((self._pages[page] for page in restated(one) if page in self._pages), None)


def rate(claims: Collection[Corroboration], *, identity_independent: int, contradicted: bool) -> Rating:
    """Rate how a subject's claims hang together (evidence §5).

    Args:
        claims: all of its claims.
        identity_independent: how many independent voices speak of the subject at all.
        contradicted: whether any claim is contradicted, or its identity evidence disagrees.
    """
    if contradicted:
        return Rating.INCONSISTENT
    sound = identity_independent > 0 and _all(claims, lambda one: one.corroborated)
    return Rating.CONSISTENT if sound else Rating.MIXED


def _all(given: Collection[Any], holds: Callable[[Any], bool]) -> bool:
    """Tell whether something holds for all of some, and there are some."""
    return bool(given) and all(map(holds, given))
