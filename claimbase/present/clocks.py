"""A history drawn on the clock of valid time: one bar a segment, solid where it certainly holds, light where it may.

context_window                2025                  2026                   now
1M      historical            ██████████████████████
200K    current                                     ░░░█████████████████████│██→
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import chain, groupby, repeat
from typing import Any

from claimbase.present import words
from claimbase.present.escape import harmless
from claimbase.present.words import Data

CERTAIN, POSSIBLE, NOTHING, NOW = "█", "░", " ", "│"
DISPUTED, OPEN, MANY = "!", "?", "#"
_MARGIN = 0.04
_LABEL = 34


def draw(data: Data, *, width: int = 64) -> str:
    """Draw the segments of a history.

    Args:
        data: a history as plain data, as its ``to_json`` gives it.
        width: how many characters the bars have; at least 16.

    Returns:
        Lines of text: for each slot a ruler, then one bar a segment. The stroke marks the basis' valid_at; an arrow
        says that a bar goes on beyond the edge.
    """
    segments = data["segments"]
    if not segments:
        return "nothing to draw"
    scale = _Scale(segments, _moment(data["basis"]["valid_at"]), max(16, width))
    lines = []
    for slot, ones in groupby(segments, key=_slot):
        lines.append(f"{_fit(slot)} {scale.ruler()}".rstrip())
        lines += [f"{_fit('  ' + _label(one))}{scale.bar(one)}".rstrip() for one in ones]
    return "\n".join(lines)


def draw_knowledge(data: Data, *, width: int = 64) -> str:
    """Draw what was believed on two clocks: valid time across, knowledge downwards, one line for each state of it.

    Args:
        data: a history as plain data with its states, as its ``to_json`` gives it.
        width: how many characters the bars have; at least 16.

    Returns:
        Lines of text: for each slot a ruler, then a line for each instant at which a write or a reading changed what
        was believed, then what the letters mean: a capital where a value certainly held, a small letter where it may
        have, ``!`` where several certainly did, ``?`` where several may have. Values beyond the alphabet share ``#``.
    """
    states = data["states"]
    if not states:
        return "nothing to draw"
    believed = [one for state in states for one in state["beliefs"]]
    scale = _Scale(believed, _moment(data["basis"]["valid_at"]), max(16, width))
    lines = []
    for slot, ones in groupby(states, key=_slot):
        told = list(ones)
        said = {_value(one): _said(one) for state in told for one in state["beliefs"]}
        letters = dict(zip(said, chain(string.ascii_uppercase, repeat(MANY)), strict=False))
        lines.append(f"{_fit(slot)} {scale.ruler()}".rstrip())
        lines += [
            f"{_fit('  ' + data['by'] + ' ' + one['since'])}{scale.overlay(one['beliefs'], letters)}".rstrip()
            for one in told
        ]
        lines.append("  " + ", ".join(f"{letters[value]} = {text}" for value, text in said.items()))
    return "\n".join(lines)


class _Scale:
    """Maps instants to columns: all bounds of the segments fit, and a little on either side."""

    def __init__(self, segments: Sequence[Data], now: datetime, width: int) -> None:
        bounds = [bound for one in segments for bound in _bounds(one)]
        first, last = min([now, *bounds]), max([now, *bounds])
        margin = max((last - first) * _MARGIN, timedelta(days=1))
        # Dates near either end of the calendar have no room beside them.
        self.start = max(first, datetime.min.replace(tzinfo=UTC) + margin) - margin
        self.span = min(last, datetime.max.replace(tzinfo=UTC) - margin) + margin - self.start
        self.width, self.now = width, now

    def column(self, moment: datetime) -> int:
        """Give the column an instant falls into."""
        return min(self.width - 1, max(0, int((moment - self.start) / self.span * self.width)))

    def ruler(self) -> str:
        """Write the years, or the months of a short span, above the place where each begins."""
        marks = [NOTHING] * self.width
        for moment, text in self._ticks():
            at = self.column(moment)
            if at + len(text) <= self.width and all(mark == NOTHING for mark in marks[max(0, at - 1) : at + len(text)]):
                marks[at : at + len(text)] = text
        return "".join(marks)

    def _ticks(self) -> Iterable[tuple[datetime, str]]:
        end = self.start + self.span
        if self.span < timedelta(days=500):
            months = ((year, month) for year in range(self.start.year, end.year + 1) for month in range(1, 13))
            ticks = [(datetime(year, month, 1, tzinfo=UTC), f"{year}-{month:02}") for year, month in months]
        else:
            ticks = [(datetime(year, 1, 1, tzinfo=UTC), f"{year:04}") for year in range(self.start.year, end.year + 1)]
        return [(moment, text) for moment, text in ticks if self.start <= moment < end]

    def bar(self, segment: Data) -> str:
        """Draw one segment; what is open or unknown on a side runs to the edge."""
        cells = [NOTHING] * self.width
        for stretch, mark in ((segment["possible"], POSSIBLE), (segment["certain"], CERTAIN)):
            if stretch is not None:
                first, end = self._columns(stretch)
                cells[first:end] = [mark] * (end - first)
        cells[self.column(self.now)] = NOW
        return self._with_arrows(cells, [segment])

    def overlay(self, beliefs: Sequence[Data], letters: Mapping[tuple[Any, ...], str]) -> str:
        """Draw everything believed at one instant in one line, each value by its letter."""
        sure, maybe = [self._marked(beliefs, letters, side) for side in ("certain", "possible")]
        cells = [_mark(certain, possible) for certain, possible in zip(sure, maybe, strict=True)]
        cells[self.column(self.now)] = NOW
        return self._with_arrows(cells, beliefs)

    def _marked(self, beliefs: Sequence[Data], letters: Mapping[tuple[Any, ...], str], side: str) -> list[set[str]]:
        """Give the letters of the values that hold in each column."""
        cells: list[set[str]] = [set() for _ in range(self.width)]
        for one in beliefs:
            if one[side] is not None:
                first, end = self._columns(one[side])
                for cell in cells[first:end]:
                    cell.add(letters[_value(one)])
        return cells

    def _with_arrows(self, cells: Sequence[str], segments: Iterable[Data]) -> str:
        stretches = [one["possible"] for one in segments]
        left = "←" if any(one["from"] is None for one in stretches) else NOTHING
        return left + "".join(cells) + ("→" if any(one["until"] is None for one in stretches) else NOTHING)

    def _columns(self, stretch: Data) -> tuple[int, int]:
        first = 0 if stretch["from"] is None else self.column(_moment(stretch["from"]))
        end = self.width if stretch["until"] is None else self.column(_moment(stretch["until"]))
        return first, max(end, first + 1)


def _mark(certain: set[str], possible: set[str]) -> str:
    """Write one column: what certainly holds stands before what may."""
    if certain:
        return next(iter(certain)) if len(certain) == 1 else DISPUTED
    if possible:
        return next(iter(possible)).lower() if len(possible) == 1 else OPEN
    return NOTHING


def _value(belief: Data) -> tuple[Any, ...]:
    return belief["polarity"], belief["value_key"], belief["unit"]


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _bounds(segment: Data) -> list[datetime]:
    stretches = [stretch for stretch in (segment["possible"], segment["certain"]) if stretch]
    texts = [stretch[side] for stretch in stretches for side in ("from", "until")]
    # A claim that always holds starts at the lowest legal instant; drawing it would leave no room for the rest.
    return [moment for moment in map(_moment, filter(None, texts)) if moment.year > 1]


def _slot(segment: Data) -> str:
    scope = words.scope(segment["scope"])
    return harmless(f"{segment['subject']} {segment['predicate']}" + (f" [{scope}]" if scope else ""))


def _label(segment: Data) -> str:
    return f"{_said(segment)}  {segment['doubt'] or segment['status']}"


def _said(segment: Data) -> str:
    value = "erased" if segment["value"] is None else segment["value"]
    return harmless("absent" if segment["polarity"] == "absent" else value)


def _fit(text: str) -> str:
    return (text if len(text) < _LABEL else text[: _LABEL - 2] + "…").ljust(_LABEL)
