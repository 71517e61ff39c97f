"""Reports of news agencies: the mark that names the agency, and the words that such a report begins with."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from itertools import islice
from typing import TypeAlias

HEAD, TAIL = 1000, 300
"""How many characters at a text's beginning and end are looked at for a mark."""
WORDS = 10
"""How many equal first words make two reports under one mark the same one."""

Opening: TypeAlias = tuple[str, str]
_WORD = re.compile(r"\w+")


def openings(head: str, tail: str) -> frozenset[Opening]:
    """Give each agency marked in a text with the ten words its report begins with.

    These are the text's first words, and those after the mark. Two texts with an opening in common are one report.

    Args:
        head, tail: the first HEAD and the last TAIL characters of the text.
    """
    found: set[Opening] = set()
    pattern, agencies = _marks()
    for mark in pattern.finditer(head):
        agency = agencies[mark[0]]
        found |= _begun(agency, head[: mark.start()] + " " + head[mark.end() :]) | _begun(agency, head[mark.end() :])
    for mark in pattern.finditer(tail):
        found |= _begun(agencies[mark[0]], head)
    return frozenset(found)


def _begun(agency: str, text: str) -> set[Opening]:
    words = [word.group().casefold() for word in islice(_WORD.finditer(text), WORDS)]
    return {(agency, " ".join(words))} if len(words) == WORDS else set()


@cache
def _marks() -> tuple[re.Pattern[str], dict[str, str]]:
    """Give the pattern of every mark, the longest first, and the agency each one names."""
    data = tomllib.loads(files("claimbase.evidence").joinpath("data/agencies.toml").read_text(encoding="utf-8"))
    agencies = {
        shape.format(name): agency
        for agency, names in data["agencies"].items() for name in names for shape in data["shapes"]
    }  # fmt: skip
    marks = "|".join(map(re.escape, sorted(agencies, key=lambda mark: (-len(mark), mark))))
    return re.compile(rf"(?<!\w)(?:{marks})(?!\w)"), agencies
