"""What is markup and what is text: one small step per row of the table of N1. Every pattern is bounded and linear."""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Sequence

from claimbase.evidence.drafts import Draft
from claimbase.evidence.folding import SHIELD

INLINE = frozenset(
    (
        "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font",
        "i", "ins", "kbd", "label", "mark", "meter", "nobr", "output", "picture", "q", "rp", "rt", "ruby", "s",
        "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
    )
)  # fmt: skip
BLOCK = frozenset(
    (
        "address", "article", "aside", "blockquote", "body", "button", "canvas", "caption", "center", "col",
        "colgroup", "dd", "details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure",
        "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hgroup", "hr", "html",
        "legend", "li", "link", "main", "menu", "meta", "nav", "noscript", "ol", "optgroup", "option", "p",
        "pre", "script", "section", "select", "style", "summary", "table", "tbody", "template", "textarea",
        "tfoot", "thead", "title", "tr", "ul",
    )
)  # fmt: skip
CELL = frozenset(("td", "th"))
OTHER = frozenset(
    (
        "area", "audio", "base", "br", "embed", "iframe", "img", "input", "map", "object", "param", "source",
        "svg", "track", "video",
    )
)  # fmt: skip
STRUCK = frozenset(("del", "s", "strike"))
_ELEMENTS = INLINE | BLOCK | CELL | OTHER

_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_WRAP = re.compile(r"(?<=[^\W\d_])[-‐‑\u00ad][ \t]{0,40}\r?\n[ \t]{0,40}(?=[^\W\d_])")
_CODE = re.compile(
    r"(?<!`)(`{1,2})(?!`)((?:[^`\n]|\n(?![ \t]{0,80}\r?\n)){1,2000})\1(?!`)"
    r"|(?<!`)(```)(?!`)([^`]{1,20000})```(?!`)"
)
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]{0,15})((?:[\s/][^<>]{0,300})?)>")
_RAISED = re.compile(r"<su([pb])(?:\s[^<>]{0,80})?>\s{0,4}([0-9+\-−–]{1,16})\s{0,4}</su\1\s{0,4}>", re.IGNORECASE)
_LEFT_RAISED = re.compile(r"<su[pb](?:\s[^<>]{0,80})?>(?=\s{0,4}(?:<[^<>]{1,80}>\s{0,4})?[+\-−–]?[0-9])", re.IGNORECASE)
_SUP = str.maketrans("0123456789+-−–", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻")
_SUB = str.maketrans("0123456789+-−–", "₀₁₂₃₄₅₆₇₈₉₊₋₋₋")
_MARKERS = re.compile(
    r"(?<=[\s\w.,;:)%>])(?:\[[0-9]{1,3}(?:\s?[,;–-]\s?[0-9]{1,3}){0,20}\]\s?(?=\[[0-9])){0,20}"
    r"\[[0-9]{1,3}(?:\s?[,;–-]\s?[0-9]{1,3}){0,20}\](?!\()"
)
_MARKER = re.compile(r"\[([^\[\]]{1,200})\]")
_ADDRESS = (
    r"(?:<[^<>\n]{0,500}>|(?:[^()\[\]<>\s]|\([^()\[\]<>\s]{0,100}\)){0,1000})"
    r"(?:\s{1,4}(?:\"[^\"\n\[]{0,300}\"|'[^'\n\[]{0,300}'))?\s{0,4}"
)
_IMAGE = re.compile(rf"!\[([^\[\]]{{0,500}})\]\({_ADDRESS}\)")
_LINK = re.compile(rf"(?<!\\)\[([^\[\]]{{0,500}})\]\({_ADDRESS}\)")
_LINE_MARK = re.compile(r"(?m)^[ \t]{0,40}(?:(?:>[ \t]{0,4}|[-*+•][ \t]{1,4}|#{1,6}[ \t]{1,4})){1,8}")
_NUMBER_NEXT = re.compile(r"[-+~<>=.$€£¥]?[ ]?[0-9]")
_STRIKE = re.compile(r"(?<!~)~~(?!~)|\n[ \t]{0,80}\r?\n")
_STARS = re.compile(r"\*+|`+")
_UNDERSCORES = re.compile(r"(?<![^\W_])_{1,3}(?=[^\s_])|(?<=[^\s_])_{1,3}(?![^\W_])")
_FACTOR = re.compile(r"[-+.$€£(]\d")
_PIPES = re.compile(r"\|")


def entities(draft: Draft) -> None:
    """Decode HTML entities once; a mark that comes out of one is text and starts no markup."""
    if "&" in draft.text:
        draft.sub(_ENTITY, lambda match: html.unescape(match.group()).translate(SHIELD))


def wraps(draft: Draft) -> None:
    """Join a word that was hyphenated at the end of a line."""
    draft.sub(_WRAP, lambda match: "")


def code(draft: Draft) -> None:
    """Shield what stands inside code marks: there, other marks are text."""
    if "`" not in draft.text:
        return

    def shielded(match: re.Match[str]) -> str:
        return (match.group(2) or match.group(4)).translate(SHIELD)

    spans = [
        (match.span(2) if match.group(2) else match.span(4), shielded(match)) for match in _CODE.finditer(draft.text)
    ]
    parts: list[str] = []
    at = 0
    for (first, last), text in spans:
        parts += (draft.text[at:first], text)
        at = last
    draft.text = "".join((*parts, draft.text[at:]))


def raised(draft: Draft) -> None:
    """Write digits in <sup> and <sub> as raised and lowered characters; no such number becomes plain digits."""
    if "<su" in draft.text or "<SU" in draft.text:
        draft.sub(_RAISED, lambda match: match.group(2).translate(_SUP if match.group(1) in "pP" else _SUB))
        draft.sub(_LEFT_RAISED, lambda match: "^")


def citations(draft: Draft) -> None:
    """Take citation markers out and remember them."""
    if "[" not in draft.text:
        return

    def taken(match: re.Match[str]) -> str | None:
        if draft.text[match.start() - 1] == ">" and not draft.text.endswith(
            ("<sup>", "</a>", "</b>"), 0, match.start()
        ):
            return None
        for marker in _MARKER.finditer(match.group()):
            text = re.sub(r"\s", "", marker.group(1)).replace("–", "-")
            draft.markers.append((draft.raw(match.start() + marker.start()), text))
        return ""

    draft.sub(_MARKERS, taken)


def links(draft: Draft) -> None:
    """Put the text of a link or image in its place."""
    if "](" in draft.text:
        draft.sub(_IMAGE, lambda match: None if match.group(1) else "")
        for pattern in (_IMAGE, _LINK):
            draft.edit(
                [
                    edit
                    for match in pattern.finditer(draft.text)
                    for edit in ((match.start(), match.start(1), ""), (match.end(1), match.end(), ""))
                ]
            )


def tags(draft: Draft) -> None:
    """Drop the tags of HTML; anything else in angle brackets is text."""
    if "<" not in draft.text:
        return
    opened: list[int] = []

    def dropped(match: re.Match[str]) -> str | None:
        name = match.group(2).lower()
        if name not in _ELEMENTS:
            return None
        here = draft.raw(match.start())
        if name in STRUCK:
            _strike(draft, opened, here, closing=bool(match.group(1)))
        if name in BLOCK:
            draft.blocks.append(here)
        if name in CELL:
            draft.cells.append(here)
        return "" if name in INLINE else " "

    draft.sub(_TAG, dropped)
    draft.struck += [(start, draft.raw(len(draft.text))) for start in opened]


def _strike(draft: Draft, opened: list[int], here: int, *, closing: bool) -> None:
    """Follow the nesting of strike tags; the outermost pair is the struck range."""
    if not closing:
        opened.append(here)
    elif opened:
        start = opened.pop()
        if not opened:
            draft.struck.append((start, here))


def line_marks(draft: Draft) -> None:
    """Drop the marks of lists, headings and quotes at the start of a line, but no sign before a number."""

    def dropped(match: re.Match[str]) -> str | None:
        number = _NUMBER_NEXT.match(draft.text, match.end())
        if not number or (">" not in match.group() and (match.start() or not draft.quoted)):
            return " "
        before = draft.text[max(0, match.start() - 400) : max(0, match.start() - 1)].rpartition("\n")[2].strip()
        return None if (before and not before.startswith(">")) or not (match.start() or not draft.quoted) else " "

    draft.sub(_LINE_MARK, dropped)


def emphasis(draft: Draft) -> None:
    """Drop marks of emphasis, code and strike; a star that multiplies stays."""
    text = draft.text
    if "~~" in text:
        _strikes(draft)
        text = draft.text
    if "*" in text or "`" in text:
        draft.sub(
            _STARS, lambda match: None if match.group()[0] == "*" and _multiplies(draft.text, *match.span()) else ""
        )
    if "_" in draft.text:
        draft.sub(_UNDERSCORES, lambda match: "")


def _multiplies(text: str, first: int, last: int) -> bool:
    """Say whether a star stands between two digits or between two blanks."""
    left, right = text[first - 1 : first], text[last : last + 1]
    if left.isdigit() or left in tuple(")%⁰¹²³⁴⁵⁶⁷⁸⁹"):
        return right.isdigit() or (last - first == 1 and bool(_FACTOR.match(text, last)))
    return (not left or left.isspace()) and (not right or right.isspace())


def _strikes(draft: Draft) -> None:
    """Pair strike marks within a paragraph and remember what they strike; an odd one is text."""
    edits: list[tuple[int, int, str]] = []
    opened: re.Match[str] | None = None
    for match in _STRIKE.finditer(draft.text):
        if match.group() != "~~":
            opened = None
        elif opened is None:
            opened = match
        else:
            draft.struck.append((draft.raw(opened.start()), draft.raw(match.end() - 1) + 1))
            edits += ((*opened.span(), ""), (*match.span(), ""))
            opened = None
    draft.edit(edits)


def cells(draft: Draft) -> None:
    """Make a bar a blank and remember it as the border of a cell."""
    if "|" in draft.text:
        draft.cells += [draft.raw(match.start()) for match in _PIPES.finditer(draft.text)]
        draft.text = draft.text.replace("|", " ")


_BLANK, _OPENING, _CLOSED, _PLAIN = "blank", "opening", "closed", "plain"
_OPENS = re.compile(r"[ \t]{0,40}(?:[-*+•][ \t]|[0-9]{1,3}[.)][ \t]|#{1,6}[ \t]|>|\|)")
_CLOSES = re.compile(r"[ \t]{0,40}#{1,6}[ \t]")


def _row_or_heading(line: str) -> bool:
    return "|" in line or bool(_CLOSES.match(line))


def blocks(text: str) -> list[int]:
    """Find the line ends that are borders: before and after blank lines, items, headings and rows (N8)."""
    borders: list[int] = []
    position, before = 0, ""
    for line in text.split("\n"):
        if position:
            starts = _OPENS.match(line)
            runs_on = starts and line.lstrip().startswith(">") and before.lstrip().startswith(">")
            if (
                not line.strip()
                or not before.strip()
                or (starts and not runs_on)
                or _row_or_heading(before)
                or "|" in line
            ):
                borders.append(position - 1)
        position += len(line) + 1
        before = line
    return borders


def in_spans(spans: Sequence[tuple[int, int]], first: int, last: int) -> bool:
    """Say whether a range overlaps one of the disjoint ranges, given in order."""
    at = bisect_right(spans, (last - 1, 1 << 62)) - 1
    return at >= 0 and spans[at][1] > first
