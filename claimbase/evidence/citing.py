"""Citations in a Markdown text: markers, the list of references they lead to, other styles, which are only counted."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from claimbase.evidence.notices import dois
from claimbase.evidence.words import words

Span = tuple[int, int]

_RANGE_MOST = 50
_NUMBER = r"[0-9]{1,3}"
_ATOM = rf"(?:{_NUMBER}(?:\s?[-–—]\s?{_NUMBER})?|[cs]_[0-9A-Za-z]{{1,64}})"
_PAGE = r"(?:,\s?(?:pp?\.|§|ch\.|S\.)\s?[0-9A-Za-z][0-9A-Za-z.–-]{0,20})?"
_NO_LINK = r"(?!\(\s?(?:<|#|/|\w{2,12}:|www\.))"
_MARKER = re.compile(
    rf"(?<!\\)\[\[(?P<page>[^\[\]\n]{{1,300}})\]\]{_NO_LINK}"
    rf"|(?<!\\)\[(?P<list>\s?{_ATOM}(?:\s?[,;]\s?{_ATOM}){{0,40}}){_PAGE}\s?\]{_NO_LINK}"
)
_SEPARATOR = re.compile(r"\s?[,;]\s?")
_SPAN = re.compile(rf"({_NUMBER})\s?[-–—]\s?({_NUMBER})")

_NAME = r"[A-ZÀ-Þ][\w'’-]{1,40}"
_YEAR = r"(?:1[89]|20)[0-9]{2}[a-z]?"
_AND = rf"(?:\s(?:et al\.?|and {_NAME}|& {_NAME}|und {_NAME}|y {_NAME}|et {_NAME}))"
_WORK = rf"{_NAME}(?:,\s{_NAME}){{0,6}}(?:{_AND},?\s|,\s){_YEAR}"
_OTHER = re.compile(
    r"\[\^[^\[\]\s]{1,60}\]"  # [^1]
    r"|\^\[[^\[\]\n]{1,500}\]"  # ^[a note]
    r"|(?<=[\w.,;:)\"”])\^[0-9]{1,3}(?:,[0-9]{1,3}){0,9}\^"  # word^1^
    r"|<sup>\s?(?:<a[^<>]{0,300}>)?\s?[0-9]{1,3}(?:\s?[,–-]\s?[0-9]{1,3}){0,9}\s?(?:</a>)?\s?</sup>"
    r"|(?:(?<=[^\W\d_]{4})|(?<=[.,;:)\"”’]))[¹²³⁰⁴-⁹]{1,3}(?:[,⁻–-][¹²³⁰⁴-⁹]{1,3}){0,9}(?!\w)"
    r"|\[-?@[^\[\]\n]{1,300}\]"  # [@key]
    r"|\\(?:cite|citep|citet|footnote)\{[^{}\n]{1,300}\}"
    r"|【[0-9][^【】\n]{0,80}】"
    r"|[\[(]\s?(?:doi|DOI|pmid|PMID|arxiv|arXiv)\s?:\s?[^\s\[\]()]{1,300}\s?[\])]"
    r"|[\[(]\s?10\.[0-9]{4,9}/[^\s\[\]]{1,300}[\])]"
    r"|(?:https?://|www\.)[^\s<>\"'`|\\^{}\[\]]{1,2000}"
    rf"|\((?:(?:see|cf\.|e\.g\.,?|siehe|vgl\.)\s)?{_WORK}(?:[;,]\s{_WORK}|,\s{_YEAR}|,\spp?\.\s?[0-9–-]{{1,12}}){{0,12}}\)"
    rf"|\[{_NAME}{_AND}?,?\s{_YEAR}\]"
    rf"|\b{_NAME}{_AND}?\s\({_YEAR}\)"
)
_ADDRESS = re.compile(r"(?:https?|upload|s3|file)://[^\s<>\"'`|\\^{}\[\]]{1,2000}", re.IGNORECASE)
_ID = re.compile(r"(?<!\w)[cs]_[0-9A-Za-z]{1,64}(?!\w)|(?<=\[\[)[^\[\]\n|#]{1,300}")
_ENTRY = re.compile(r"[ \t]{0,8}(?:[-*+][ \t]{1,4})?(?:\[([0-9]{1,3})\]|([0-9]{1,3})[.)])[:.]?[ \t]{1,8}(\S.*)")
_DEFINITION = re.compile(r"[ ]{0,3}\[([0-9]{1,3})\]:[ \t]{0,8}(\S.*)")
_HEADING = re.compile(r"[ ]{0,3}#{1,6}[ \t]")
_TITLE_EDGE = " \t#*_:=.0123456789"
_FIRST_WORD = re.compile(r"[(\[](\w{1,40})")


@dataclass(frozen=True, slots=True)
class Marker:
    """One citation as written.

    Args:
        text: the whole marker, several citations in one pair of brackets included.
        start, end: half-open code points of it.
        names: what it names: numbers as digits, ids; a range that cannot be read names itself.
    """

    text: str
    start: int
    end: int
    names: tuple[str, ...]

    @staticmethod
    def numbered(name: str) -> bool:
        """Say whether a name leads through the list of references: a number, or a range that could not be read."""
        return name[:1].isdigit() and all(char.isdigit() or char in " -–—" for char in name)


@dataclass(frozen=True, slots=True)
class References:
    """The list of references.

    Args:
        targets: the address or id per number; None where the entry holds none, or two entries differ.
        spans: the lines that make the list, in order; they hold no sentences.
    """

    targets: Mapping[str, str | None]
    spans: tuple[Span, ...]


def markers(text: str) -> Iterator[Marker]:
    """Find the citation markers ``[1]``, ``[2, 5-7]``, ``[[id]]``, ``[c_…]`` and ``[s_…]``, in order."""
    for match in _MARKER.finditer(text):
        page = match["page"]
        names = (re.split(r"[|#]", page)[0].strip(),) if page is not None else tuple(_names(match["list"]))
        yield Marker(match.group(), match.start(), match.end(), names)


def _names(listed: str) -> Iterator[str]:
    for part in _SEPARATOR.split(listed.strip()):
        span = _SPAN.fullmatch(part)
        if span is None:
            yield part.lstrip("0") or part
            continue
        first, last = int(span[1]), int(span[2])
        if first <= last < first + _RANGE_MOST:
            yield from map(str, range(first, last + 1))
        else:
            yield part


def others(text: str, taken: Iterable[Span]) -> int:
    """Count citations in styles that are not read: author and year, footnotes, superscripts, DOIs, bare addresses.

    Args:
        text: the text. taken: spans that are read already, in order.
    """
    spans = sorted(taken)
    found = 0
    for match in _OTHER.finditer(text):
        at = bisect_right(spans, (match.start(), len(text))) - 1
        inside = at >= 0 and spans[at][1] > match.start()
        found += not inside and not _dated(match.group())
    return found


def _dated(text: str) -> bool:
    """Say whether brackets hold a date rather than an author and a year."""
    word = _FIRST_WORD.match(text)
    return word is not None and word[1].casefold() in words().dates


def address(text: str) -> str | None:
    """Give the first address, id or DOI in the entry of a reference."""
    if found := _ADDRESS.search(text):
        return _trimmed(found.group())
    if named := _ID.search(text):
        return named.group().strip()
    doi = next(dois(text), None)
    return f"https://doi.org/{doi.key}" if doi else None


def _trimmed(url: str) -> str:
    """Cut what belongs to the sentence around an address: its punctuation, a bracket that opened before it."""
    while url and (url[-1] in ".,;:!?*_" or (url[-1] == ")" and url.count(")") > url.count("("))):
        url = url[:-1]
    return url


def references(text: str) -> References:
    """Find the list of references: definitions ``[1]: url`` anywhere, ``1. …url`` and ``[1] … url`` at the end.

    The end is what stands under a title such as *References*, or the last lines if each is an entry with an address. A
    line there that is no entry, or that cites something itself, is text like any other.
    """
    lines = list(_lines(text))
    section = _section([line for _, _, line in lines])
    entries: list[list[str]] = []
    spans: list[Span] = []
    runs_on = False
    for at, (start, end, line) in enumerate(lines):
        entry = _DEFINITION.match(line) or (_entry(line) if at in section else None)
        runs_on = not entry and runs_on and at in section and bool(line.strip()) and not any(markers(line))
        if entry:
            entries.append([str(int(next(filter(None, entry.groups())))), entry.groups()[-1]])
        elif runs_on:
            entries[-1][1] += f" {line.strip()}"
        if entry or runs_on:
            spans.append((start, end))
        runs_on = bool(entry) or runs_on
    return References(_targets(entries), tuple(spans))


def _entry(line: str) -> re.Match[str] | None:
    """Read a line as an entry; one that cites something is none."""
    match = _ENTRY.match(line)
    return None if match is None or (address(match[3]) is None and any(markers(match[3]))) else match


def _targets(entries: Iterable[Sequence[str]]) -> dict[str, str | None]:
    """Give each number its address; one that two entries give differently leads nowhere."""
    found: dict[str, str | None] = {}
    for number, text in entries:
        place = address(text)
        found[number] = place if found.get(number, place) == place else None
    return found


def _lines(text: str) -> Iterator[tuple[int, int, str]]:
    start = 0
    for line in text.split("\n"):
        yield start, start + len(line), line
        start += len(line) + 1


def _section(lines: list[str]) -> range:
    """Give the lines of the list of references: under the last title that has entries, else the last lines."""
    after = len(lines)
    for at in range(len(lines) - 1, -1, -1):
        if _is_title(lines[at]) and any(_entry(line) for line in lines[at + 1 : after]):
            return range(at + 1, after)
        if _HEADING.match(lines[at]):
            after = at
    first = len(lines)
    while first and (not lines[first - 1].strip() or _only_entry(lines[first - 1])):
        first -= 1
    return range(first, len(lines))


def _is_title(line: str) -> bool:
    return len(line) < 100 and line.strip(_TITLE_EDGE).casefold() in reports_data()["titles"]


def _only_entry(line: str) -> bool:
    """Say whether a line can only be a reference: it has an address and cites nothing itself."""
    match = _ENTRY.match(line) or _DEFINITION.match(line)
    return match is not None and address(match.groups()[-1]) is not None and not any(markers(match.groups()[-1]))


@cache
def reports_data() -> dict[str, Any]:
    """Load the words that the document check looks for, once."""
    data = tomllib.loads(files("claimbase.evidence").joinpath("data/reports.toml").read_text(encoding="utf-8"))
    return {name: frozenset(value.split() if isinstance(value, str) else value) for name, value in data.items()}
