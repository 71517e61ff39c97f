"""What commands share: finding the base, the basis options, writing a result as text or JSON."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from claimbase.present.words import counted

if TYPE_CHECKING:
    from claimbase.base import Claimbase
    from claimbase.ingest import VerbReport
    from claimbase.present.tables import Show

_BASES = (".duckdb", ".db")
_Command = TypeVar("_Command", bound=Callable[..., Any])


# -- the base --------------------------------------------------------------------------------------------------------


def split(words: Sequence[str]) -> tuple[Path | None, list[str]]:
    """Take the base off a command's arguments: the first one, if it is named like a base or is a file."""
    if words and (Path(words[0]).suffix.lower() in _BASES or Path(words[0]).is_file()):
        return Path(words[0]), list(words[1:])
    return None, list(words)


def several(words: Sequence[str], least: int, most: int, usage: str) -> tuple[Path | None, list[str]]:
    """Take the base off the arguments and check how many are left.

    Args:
        words: the arguments.
        least, most: how many may be left.
        usage: what is expected, for the message.
    """
    path, rest = split(words)
    if not least <= len(rest) <= most:
        raise click.UsageError(f"expected {usage}")
    return path, rest


@contextmanager
def reading(path: Path | None) -> Iterator[Claimbase]:
    """Open a base as a locked reader, or the shipped seeds where none is named."""
    from claimbase import base

    with base.demo() if path is None else base.open(path, read_only=True) as kb:
        yield kb


@contextmanager
def locked(path: Path | None) -> Iterator[Claimbase]:
    """Open a base, or a passing copy of the seeds, as a locked reader: what free SQL needs (C8)."""
    if path is not None:
        with reading(path) as kb:
            yield kb
        return
    from tempfile import TemporaryDirectory

    from claimbase import base
    from claimbase.base.opening import load_seeds

    with TemporaryDirectory(prefix="claimbase-") as place:
        copy = Path(place) / "seeds.duckdb"
        with base.open(copy) as kb:
            load_seeds(kb)
        with reading(copy) as kb:
            yield kb


# -- options ---------------------------------------------------------------------------------------------------------


base_argument = click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
"""The base that a command writes to: it must be named."""


def options(*given: Callable[[_Command], _Command]) -> Callable[[_Command], _Command]:
    """Make one decorator of several, in the order in which the help lists them."""

    def add(command: _Command) -> _Command:
        for option in reversed(given):
            command = option(command)
        return command

    return add


knowledge_options = options(
    click.option("--observed-by", metavar="INSTANT", help="What could have been read by then (default: now)."),
    click.option("--recorded-by", metavar="INSTANT", help="What this base held by then (default: now)."),
)
basis_options = options(
    click.option("--as-of", metavar="INSTANT", help="When it must hold, 2026-03-01 or with time (default: now)."),
    knowledge_options,
    click.option("--then", is_flag=True, help="As we knew it then: observed and recorded by --as-of."),
)


def instants(basis: dict[str, Any]) -> dict[str, Any]:
    """Give the basis with --then put into words: observed and recorded by --as-of."""
    then = basis.pop("then", False)
    return basis | ({"observed_by": basis["as_of"], "recorded_by": basis["as_of"]} if then else {})


policy_option = click.option(
    "--policy", type=click.Choice(["certain", "any"]), default="certain", show_default=True,
    help="any: a disputed subject counts.",
)  # fmt: skip


def json_option(command: _Command) -> _Command:
    """Add `--json` to a command."""
    return click.option("--json", "as_json", is_flag=True, help="Write plain data as JSON instead of text.")(command)


def names_option(*names: str, text: str) -> Callable[[_Command], _Command]:
    """Add an option that may be given several times.

    Args:
        names: as for click.
        text: its help.
    """
    return click.option(*names, multiple=True, metavar="NAME", help=f"{text} May be repeated.")


provider_options = options(
    names_option("--provider", "providers", text="Only subjects of this provider."),
    names_option("--not-provider", "providers_not", text="No subjects of this provider."),
)
slot_options = options(
    names_option("--subject", "subjects", text="Only this subject."),
    names_option("--predicate", "predicates", text="Only this predicate."),
    names_option("--provider", "providers", text="Only subjects of this provider."),
)
source_options = options(
    names_option("--source", "sources", text="Only claims of this address or source id."),
    names_option("--source-type", "source_types", text="Only claims of sources of this type."),
    names_option("--authority", "authorities", text="Only claims of sources of this authority."),
)


# -- writing ---------------------------------------------------------------------------------------------------------


def say(text: str) -> None:
    """Talk to the person at the terminal, on stderr, in harmless words."""
    from claimbase.present import harmless

    click.echo(harmless(text), err=True)


def give(data: Any, show: Show, *, as_json: bool) -> None:
    """Write a result to stdout: plain data as JSON, or as a page for people.

    Args:
        data: what JSON can carry.
        show: the function of `claimbase.present` that writes it.
        as_json: JSON rather than text.
    """
    if as_json:
        give_json(data)
    else:
        give_pages([(show, data)])


def give_json(data: Any) -> None:
    """Write plain data as JSON to stdout."""
    from claimbase.present import json_text

    click.echo(json_text(data, ascii_only=not _unicode()))


def give_pages(pages: Sequence[tuple[Show, Any]]) -> None:
    """Write pages to stdout, as wide as the terminal; to a file or a pipe without colour and unbroken."""
    import os
    import shutil

    from claimbase.present.tables import written

    terminal = sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if terminal else None
    give_text(written(pages, width=width, colour=terminal and not os.environ.get("NO_COLOR")))


def give_text(text: str) -> None:
    """Write a finished text to stdout; characters it cannot hold are spelt out."""
    click.echo(text if _unicode() else text.encode("ascii", "backslashreplace").decode("ascii"), nl=False)


def give_report(report: VerbReport, *, as_json: bool) -> None:
    """Say what a verb did, in words and versions; as JSON too if asked for."""
    say(report.words)
    if report.versions:
        say(f"{counted(report.inserted, 'version')} inserted, {report.retracted:,} retracted")
    if as_json:
        give_json(report.to_json())


def _unicode() -> bool:
    """Tell whether stdout can hold every character."""
    return "utf" in (sys.stdout.encoding or "").lower()


@contextmanager
def progress(text: str) -> Iterator[Callable[[int], None] | None]:
    """Show on stderr how many rows a long load has read, where somebody is watching.

    Args:
        text: what is being read.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    from claimbase.present import harmless

    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TextColumn("{task.completed:,} rows"))
    with Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True, markup=False), transient=True) as bar:
        task = bar.add_task(harmless(text), total=None)
        yield lambda rows: bar.update(task, completed=rows)
