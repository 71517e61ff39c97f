"""Voices: which sources are one and the same speaker, why, and which of them spoke first (evidence §5, R1).

Pure: sources as a basis knows them go in with what their texts have in common; the order in which they come plays no
part.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from claimbase.evidence.model import SourceAt
from claimbase.evidence.publishers import publisher_key
from claimbase.evidence.terms import VoiceEdge
from claimbase.evidence.wires import Opening
from claimbase.sources import cluster_key
from claimbase.temporal import HIGHEST

CONTAINED = Decimal("0.6")
"""What part of the smaller text's telling shingles two copies share, at least."""
SHARED = 20
"""How many telling shingles two copies share, at least."""
COMMON = 25
"""A shingle found in more texts than this is boilerplate and tells nothing."""

PRIMARY = "subject_authored"
_STRENGTH = (VoiceEdge.DERIVED, VoiceEdge.URL, VoiceEdge.BODY, VoiceEdge.WIRE, VoiceEdge.PUBLISHER)


@dataclass(frozen=True, slots=True)
class Overlap:
    """What two sources' texts have in common.

    Args:
        one, other: source ids.
        shared: how many telling shingles both hold.
        smaller: how many the text holds that has fewer of them.
    """

    one: str
    other: str
    shared: int
    smaller: int


@dataclass(frozen=True, slots=True)
class Edge:
    """Why two sources are one voice.

    Args:
        one, other: source ids; of kind derived, *other* restates *one* where *one* is a source known to the base.
        reason: in words, for people.
    """

    kind: VoiceEdge
    one: str
    other: str
    reason: str

    def to_json(self) -> dict[str, Any]:
        """Give the edge as plain data."""
        return {"kind": self.kind.value, "one": self.one, "other": self.other, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class Voice:
    """Sources that are one speaker.

    Args:
        voice_id: v1, v2 …, in the order of the roots' ids; it names the voice within one result.
        root: the source that speaks for them: primary, else the one that restates none of them, else earliest seen.
        members: source ids, the root among them, sorted.
        edges: what joined them, one edge for each merge, the strongest reason first.
    """

    voice_id: str
    root: str
    members: tuple[str, ...]
    edges: tuple[Edge, ...] = ()

    @property
    def kinds(self) -> tuple[VoiceEdge, ...]:
        """The kinds of its edges, the strongest first."""
        return tuple(dict.fromkeys(edge.kind for edge in self.edges))

    def to_json(self) -> dict[str, Any]:
        """Give the voice as plain data."""
        return {
            "voice_id": self.voice_id, "kinds": [kind.value for kind in self.kinds], "root": self.root,
            "members": list(self.members), "edges": [edge.to_json() for edge in self.edges],
        }  # fmt: skip


def voices(
    sources: Iterable[SourceAt],
    overlaps: Iterable[Overlap] = (),
    openings: Mapping[str, Iterable[Opening]] | None = None,
) -> tuple[Voice, ...]:
    """Join sources into voices: the connected components over all edges.

    Args:
        sources: each once.
        overlaps: pairs of texts with telling shingles in common.
        openings: agency marks and first words by source id, as `wires.openings` gives them.

    Returns:
        The voices in the order of their roots' ids; their number is that of the effective sources.
    """
    known = {source.source_id: source for source in sources}
    merges, component = _joined(known, edges(known, overlaps, openings or {}))
    members, reasons = defaultdict(list), defaultdict(list)
    for source_id in sorted(known):
        members[component[source_id]].append(source_id)
    for edge in merges:
        reasons[component[edge.one]].append(edge)
    rooted = sorted((_root([known[one] for one in ones]), ones, reasons[key]) for key, ones in members.items())
    return tuple(
        Voice(f"v{number}", root, tuple(ones), tuple(why)) for number, (root, ones, why) in enumerate(rooted, 1)
    )


def edges(
    known: Mapping[str, SourceAt], overlaps: Iterable[Overlap], openings: Mapping[str, Iterable[Opening]]
) -> list[Edge]:
    """List the reasons for which sources are one voice, the strongest first, ties by id.

    Of sources that are alike in one key, each is joined with the first of them: no more edges than sources.
    """
    pages = {source_id: cluster_key(source.url_key) for source_id, source in known.items()}
    publishers = {source_id: publisher_key(one.publisher, one.url_key) for source_id, one in known.items()}
    heard = [(opening, source_id) for source_id, ones in openings.items() if source_id in known for opening in ones]
    found = [
        *_derived(known, pages),
        *_alike(VoiceEdge.URL, ((page, one) for one, page in pages.items()), "one address: {}"),
        *_copies(known, overlaps),
        *_alike(VoiceEdge.WIRE, heard, "one report of {0[0]}: “{0[1]} …”"),
        *_alike(VoiceEdge.PUBLISHER, ((key, one) for one, key in publishers.items() if key), "one publisher: {}"),
    ]
    return sorted(found, key=lambda edge: (_STRENGTH.index(edge.kind), edge.one, edge.other, edge.reason))


def restated(source: SourceAt) -> tuple[str, ...]:
    """Name what a source restates, as it says itself, or mirrors, as was declared: a page's cluster key, or an id."""
    return tuple(cluster_key(page) for page in (source.derived_from, source.mirror_of) if page)


def _derived(known: Mapping[str, SourceAt], pages: Mapping[str, str]) -> list[Edge]:
    """Join a source with the page it restates, or with the others that restate it where the base does not know it."""
    holders = {page: source_id for source_id, page in sorted(pages.items(), reverse=True)} | {one: one for one in known}
    told = [(page, one) for one, source in known.items() for page in restated(source)]
    held = [(holders[page], one) for page, one in told if page in holders]
    unheld = [(page, one) for page, one in told if page not in holders]
    direct = [Edge(VoiceEdge.DERIVED, page, one, f"restates {known[page].uri}") for page, one in held if page != one]
    return [*direct, *_alike(VoiceEdge.DERIVED, unheld, "both restate {}")]


def _copies(known: Mapping[str, SourceAt], overlaps: Iterable[Overlap]) -> list[Edge]:
    found = []
    for pair in overlaps:
        one, other = sorted((pair.one, pair.other))
        alike = pair.shared >= SHARED and pair.shared >= CONTAINED * pair.smaller
        if alike and one != other and one in known and other in known:
            reason = f"one text: {pair.shared} of the smaller one's {pair.smaller} shingles in both"
            found.append(Edge(VoiceEdge.BODY, one, other, reason))
    return found


def _alike(kind: VoiceEdge, keyed: Iterable[tuple[Any, str]], reason: str) -> list[Edge]:
    groups: dict[Any, set[str]] = defaultdict(set)
    for key, source_id in keyed:
        groups[key].add(source_id)
    return [
        Edge(kind, min(ones), other, reason.format(key)) for key, ones in groups.items() for other in sorted(ones)[1:]
    ]


def _joined(known: Iterable[str], found: Iterable[Edge]) -> tuple[list[Edge], dict[str, str]]:
    """Union the ends of all edges; give the edges that joined two parts, and each source's part."""
    parent = {source_id: source_id for source_id in known}

    def top(one: str) -> str:
        while parent[one] != one:
            parent[one] = one = parent[parent[one]]
        return one

    merges = []
    for edge in found:
        one, other = top(edge.one), top(edge.other)
        if one != other:
            parent[max(one, other)] = min(one, other)
            merges.append(edge)
    return merges, {one: top(one) for one in parent}


def _root(members: Sequence[SourceAt]) -> str:
    """Choose who speaks for a voice: the primary, else who restates no other member, else the earliest seen."""
    pages = {cluster_key(one.url_key) for one in members} | {one.source_id for one in members}

    def rank(one: SourceAt) -> tuple[bool, bool, datetime, str, str]:
        own = (cluster_key(one.url_key), one.source_id)
        restates = any(page in pages and page not in own for page in restated(one))
        return (one.authority != PRIMARY, restates, one.first_seen_at or HIGHEST, one.url_key, one.source_id)

    return min(members, key=rank).source_id
