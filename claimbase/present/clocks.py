"""A history drawn on the clock of valid time: one bar a segment, solid where it certainly holds, light where it may.

context_window                2025                  2026                   now
1M      historical            ██████████████████████
200K    current                                     ░░░█████████████████████│██→
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Any

from claimbase.present.escape import harmless

Data = Mapping[str, Any]

CERTAIN, POSSIBLE, NOTHING, NOW = "█", "░", " ", "│"
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
        left = "←" if segment["possible"]["from"] is None else NOTHING
        return left + "".join(cells) + ("→" if segment["possible"]["until"] is None else NOTHING)

    def _columns(self, stretch: Data) -> tuple[int, int]:
        first = 0 if stretch["from"] is None else self.column(_moment(stretch["from"]))
        end = self.width if stretch["until"] is None else self.column(_moment(stretch["until"]))
        return first, max(end, first + 1)


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _bounds(segment: Data) -> list[datetime]:
    stretches = [stretch for stretch in (segment["possible"], segment["certain"]) if stretch]
    texts = [stretch[side] for stretch in stretches for side in ("from", "until")]
    # A claim that always holds starts at the lowest legal instant; drawing it would leave no room for the rest.
    return [moment for moment in map(_moment, filter(None, texts)) if moment.year > 1]


def _slot(segment: Data) -> str:
    scope = ", ".join(f"{key}={value}" for key, value in sorted(segment["scope"].items()))
    return harmless(f"{segment['subject']} {segment['predicate']}" + (f" [{scope}]" if scope else ""))


def _label(segment: Data) -> str:
    value = "erased" if segment["value"] is None else segment["value"]
    said = "absent" if segment["polarity"] == "absent" else value
    return f"{harmless(said)}  {segment['doubt'] or segment['status']}"


def _fit(text: str) -> str:
    return (text if len(text) < _LABEL else text[: _LABEL - 2] + "…").ljust(_LABEL)
