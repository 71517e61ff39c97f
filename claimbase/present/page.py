"""A page of text for a terminal: headings, lines and tables, everything in it made harmless first."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from claimbase.present.escape import harmless

if TYPE_CHECKING:
    from rich.text import Text

_UNBOUND = 100_000  # a width at which no table is broken into lines


class Page:
    """A page that is written from top to bottom and read as one text.

    Args:
        width: columns of the terminal; None = unbound, for files and pipes.
        colour: whether headings and verdicts may be set in colour.
    """

    def __init__(self, *, width: int | None = None, colour: bool = False) -> None:
        from rich.console import Console

        self._buffer = io.StringIO()
        self._console = Console(
            file=self._buffer, width=width or _UNBOUND, force_terminal=colour, highlight=False, markup=False,
            emoji=False, color_system="standard" if colour else None, legacy_windows=False, no_color=not colour,
        )  # fmt: skip

    def head(self, text: object) -> None:
        """Write a heading, with an empty line before it unless it is the first."""
        if self._buffer.tell():
            self._console.print()
        self._console.print(_text(text, "bold"), soft_wrap=True)

    def line(self, text: object = "", *, indent: int = 0, style: str = "") -> None:
        """Write one line, however long it is, so that an address on it can be copied.

        Args:
            text: what to write.
            indent: blanks before it.
            style: "dim", "bold" or a colour, where there is colour.
        """
        self._console.print(_text(" " * indent + str(text), style), soft_wrap=True)

    def table(self, columns: Sequence[str], rows: Iterable[Sequence[object]], *, indent: int = 2) -> None:
        """Write a table; a cell of None is empty, a number stands at the right."""
        from rich.padding import Padding
        from rich.table import Table

        cells = [list(row) for row in rows]
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
        for number, column in enumerate(columns):
            values = [row[number] for row in cells if row[number] is not None]
            right = bool(values) and all(isinstance(one, int) and not isinstance(one, bool) for one in values)
            table.add_column(_text(column), justify="right" if right else "left", overflow="fold")
        for row in cells:
            table.add_row(*(_text("" if cell is None else _cell(cell)) for cell in row))
        self._console.print(Padding(table, (0, 0, 0, indent), expand=False))

    def text(self) -> str:
        """Give the whole page, no line with blanks at its end."""
        return "\n".join(line.rstrip() for line in self._buffer.getvalue().splitlines()) + "\n"


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _text(given: object, style: str = "") -> Text:
    from rich.text import Text

    return Text(harmless(given), style=style)
