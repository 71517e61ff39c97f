"""Guards at the door: whether what was read is the page, or something shown in its place (evidence §4.4).

Pure: the text and what the base knows of its source go in, a disposition comes out.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from claimbase.evidence.terms import Disposition
from claimbase.values import folded

SHRUNK_SHARE = 2
"""A text below one in so many parts of the longest is shrunk …"""
SHRUNK_LOST = 500
"""… where more characters than this are lost with it."""

_WALL_MOST = 3_000  # characters; what is longer has more to say than that it says nothing
_WALL_SHARE = 8  # one in so many characters of a wall stands in sentences that say so
_HINT_SHARE = 3
_HINTS_LEAST = 2
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")
_QUOTED = "\"'“‘«„‹「『`"
_STRAIGHT = str.maketrans("’‘`´", "''''")


@dataclass(frozen=True, slots=True)
class Known:
    """What the base holds at the moment of a reading.

    Args:
        current: the digest of the text in use for the source; None = no text yet.
        longest: characters of the longest text accepted from it.
        elsewhere: sources that were read with the very same text: cluster_key by source id.
        mirror_of: the source that this one is declared a copy of.
    """

    current: str | None = None
    longest: int = 0
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    mirror_of: str | None = None


@dataclass(frozen=True, slots=True)
class Ruling:
    """What becomes of a reading, and why."""

    disposition: Disposition
    detail: str | None = None


def judge(text: str, digest: str, cluster: str, known: Known) -> Ruling:
    """Say what becomes of a text that was read; size and script were checked before (evidence §4.4).

    The text in use, read again, is unchanged, whatever it looks like: it was accepted once. Else a challenge, a
    shrunken page and a body known from elsewhere are refused, in this order.

    Args:
        text: as extracted.
        digest: its SHA-256.
        cluster: the cluster_key of its address.
        known: what the base holds.
    """
    if digest == known.current:
        return Ruling(Disposition.UNCHANGED)
    if told := challenge(text):
        return Ruling(Disposition.REFUSED_CHALLENGE, f"the page shows a check or a login: {told}")
    lost = known.longest - len(text)
    if len(text) * SHRUNK_SHARE < known.longest and lost > SHRUNK_LOST:
        return Ruling(Disposition.REFUSED_SHRUNK, f"{len(text):,} characters are left of {known.longest:,}")
    others = sorted(source for source, key in known.elsewhere.items() if key != cluster)
    if others and known.mirror_of not in known.elsewhere:
        return Ruling(Disposition.REFUSED_DUPLICATE_BODY, f"the same text was read at {', '.join(others)}")
    return Ruling(Disposition.ACCEPTED)


def challenge(text: str) -> str | None:
    """Give the words by which a page shows itself to be a bot wall or a login; None for a page with a text of its own.

    Only a short page can be one. One phrase that hardly anybody else says is enough if its sentences are an eighth of
    the page; phrases that honest pages use too count from two on, where their sentences are a third of it. Phrases in
    quotation marks are spoken about, not said.
    """
    if len(text) > _WALL_MOST:
        return None
    said: dict[str, str] = {}
    walled = hinted = whole = 0
    for sentence in _SENTENCE.split(text):
        plain = folded(sentence.translate(_STRAIGHT))
        whole += len(plain)
        found = {match[0]: kind for match in _phrases().finditer(plain) if (kind := _kind(plain, match))}
        said |= found
        walled += len(plain) if "walls" in found.values() else 0
        hinted += len(plain) if found else 0
    walls = [phrase for phrase, kind in said.items() if kind == "walls"]
    if walls and walled * _WALL_SHARE >= whole:
        return walls[0]
    return ", ".join(said) if len(said) >= _HINTS_LEAST and hinted * _HINT_SHARE >= whole else None


def _kind(sentence: str, match: re.Match[str]) -> str | None:
    quoted = match.start() > 0 and sentence[match.start() - 1] in _QUOTED
    return None if quoted else match.lastgroup


@cache
def _phrases() -> re.Pattern[str]:
    lists = tomllib.loads(files("claimbase.evidence").joinpath("data/challenges.toml").read_text(encoding="utf-8"))
    kinds = (f"(?P<{kind}>{'|'.join(_spelled(one) for one in lists[kind])})" for kind in ("walls", "hints"))
    return re.compile("|".join(kinds))


def _spelled(phrase: str) -> str:
    """Write a phrase as a pattern; words with letters are not cut out of longer ones."""
    edges = [r"\b" if phrase[end].isascii() and phrase[end].isalnum() else "" for end in (0, -1)]
    return edges[0] + re.escape(phrase) + edges[1]
