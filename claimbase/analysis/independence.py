"""Independence: how many voices the sources of a base are, and why some of them are one (evidence §5, R1).

No macro of the store gives a source's voice: a voice is a component over addresses, texts, marks and names, worked out
by `evidence.voices`; only what texts have in common is counted by the store.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from claimbase.analysis.dossier import sources_at
from claimbase.analysis.result import Result, plain
from claimbase.evidence.corroborating import Chorus
from claimbase.evidence.model import SourceAt
from claimbase.evidence.voices import COMMON, SHARED, Overlap, Voice, voices
from claimbase.evidence.wires import HEAD, TAIL, openings
from claimbase.present.words import counted
from claimbase.store import Db
from claimbase.temporal import Basis


@dataclass(frozen=True, slots=True, repr=False)
class Independence(Result):
    """The voices of a base's sources.

    Args:
        voices: in the order of their roots' ids.
        sources: every source that had been seen, by id.
        basis: what was known.
        explain: whether the plain data carries the edges that joined the sources.
    """

    voices: tuple[Voice, ...]
    sources: Mapping[str, SourceAt]
    basis: Basis
    explain: bool = False

    COLUMNS: ClassVar[tuple[str, ...]] = (
        "voice_id", "source_id", "root", "uri", "publisher", "authority", "first_seen_at", "because",
    )  # fmt: skip

    @property
    def effective_sources(self) -> int:
        """How many sources there are if each voice counts once."""
        return len(self.voices)

    @property
    def by_source(self) -> dict[str, Voice]:
        """The voice of each source, by source id."""
        return {member: voice for voice in self.voices for member in voice.members}

    @property
    def chorus(self) -> Chorus:
        """The voices, to be asked claim by claim."""
        return Chorus(self.sources, self.voices)

    def within(self, sources: Iterable[str]) -> Independence:
        """Give the voices of some sources only; what joins them by way of others still does."""
        asked = set(sources)
        heard = (replace(one, members=tuple(m for m in one.members if m in asked)) for one in self.voices)
        kept = {key: source for key, source in self.sources.items() if key in asked}
        return replace(self, voices=tuple(one for one in heard if one.members), sources=kept)

    @property
    def summary(self) -> str:
        """Say the result in one sentence."""
        if not self.sources:
            return "no sources"
        kinds = dict.fromkeys(kind for voice in self.voices for kind in voice.kinds)
        why = f" (joined by {', '.join(sorted(kinds))})" if kinds else ""
        return f"{counted(len(self.sources), 'source')}, {counted(len(self.voices), 'voice')}{why}"

    def rows(self) -> list[dict[str, Any]]:
        """Give one row per source, voice by voice, the root first."""
        return [
            self._row(voice, member)
            for voice in self.voices
            for member in sorted(voice.members, key=lambda one: (one != voice.root, one))
        ]

    def _row(self, voice: Voice, member: str) -> dict[str, Any]:
        source = self.sources[member]
        because = [f"{edge.kind}: {edge.reason}" for edge in voice.edges if edge.other == member]
        values = (
            voice.voice_id, member, member == voice.root, source.uri, source.publisher, source.authority,
            source.first_seen_at, "; ".join(because),
        )  # fmt: skip
        return dict(zip(self.COLUMNS, values, strict=True))

    def to_json(self) -> dict[str, Any]:
        """Give the result as plain data."""
        told = [voice.to_json() for voice in self.voices]
        if not self.explain:
            told = [{name: value for name, value in one.items() if name != "edges"} for one in told]
        uris = {key: source.uri for key, source in sorted(self.sources.items())}
        return {
            "summary": self.summary, "sources": len(self.sources), "voices": len(self.voices),
            "effective_sources": self.effective_sources, "rows": told, "uris": uris, "basis": plain(self.basis),
        }  # fmt: skip


def independence(db: Db, basis: Basis, *, explain: bool = False) -> Independence:
    """Find the voices among all sources that had been seen by then (R1).

    Args:
        db: the base.
        basis: what was known: texts, descriptions and decisions within it count.
        explain: give the reason of each merge too.
    """
    sources = {key: source for key, source in sources_at(db, basis).items() if source.first_seen_at is not None}
    axes = {"observed_by": basis.observed_by, "recorded_by": basis.recorded_by}
    shared = db.file("queries/shared_shingles", axes | {"common": COMMON, "least": SHARED})
    ends = db.file("queries/text_ends", axes | {"head": HEAD, "tail": TAIL})
    marked = {source_id: openings(head, tail) for source_id, head, tail in ends}
    return Independence(voices(sources.values(), (Overlap(*row) for row in shared), marked), sources, basis, explain)
