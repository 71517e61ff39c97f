"""The commands of watches: add, list, stop, run, events."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from claimbase.cli.speaking import (
    base_argument,
    give,
    json_option,
    names_option,
    policy_option,
    provider_options,
    say,
    source_options,
)

if TYPE_CHECKING:
    from claimbase.watches import Event

_NAME = click.argument("name")
_CRON = "Example for cron: claimbase watch run models.duckdb --json >> events.jsonl"


@click.group()
def watch() -> None:
    """Save constraints and hear what changes.

    A watch is answered again by `watch run`, after writes and as the clock moves.
    """


@watch.command(epilog="Example: claimbase watch add models.duckdb cheap 'input_price < $2/Mtok' 'vision is_true'")
@base_argument
@_NAME
@click.argument("constraints", nargs=-1, required=True, metavar="CONSTRAINT...")
@policy_option
@provider_options
@names_option("--subject", "subjects", text="Only this subject.")
@source_options
@json_option
def add(file: Path, name: str, constraints: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """Save constraints as a watch.

    They are answered at once: whoever is eligible has entered.
    """
    from claimbase import base
    from claimbase.present.watches import watches

    with base.open(file, create=False) as kb:
        saved = kb.watch(name, *constraints, **options).to_json()
    say(f"{file.name}: watch {name} saved")
    give([saved], watches, as_json=as_json)


@watch.command("list")
@base_argument
@json_option
def list_(file: Path, as_json: bool) -> None:
    """List the watches.

    What each asks, how many subjects stand how, and when it is due by the clock alone.
    """
    from claimbase import base
    from claimbase.present.watches import watches

    with base.open(file, read_only=True) as kb:
        give([one.to_json() for one in kb.watches()], watches, as_json=as_json)


@watch.command()
@base_argument
@_NAME
def stop(file: Path, name: str) -> None:
    """Stop a watch.

    Its events stay; its name is free again.
    """
    from claimbase import base

    with base.open(file, create=False) as kb:
        kb.unwatch(name)
    say(f"{file.name}: watch {name} stopped")


@watch.command(epilog=_CRON)
@base_argument
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--at", metavar="INSTANT", help="Up to when (default: now); not before the last answer.")
@click.option("--json", "as_json", is_flag=True, help="Write each event as one line of JSON.")
def run(file: Path, names: tuple[str, ...], at: str | None, as_json: bool) -> None:
    """Answer watches again and tell what changed.

    All of them, or those named. Whatever happened since the last run is told in its order, with the instant it holds
    at; a run after which nothing happened writes nothing. The exit code is 0 with and without events.
    """
    from claimbase import base

    with base.open(file, create=False) as kb:
        _give_events(kb.run_watches(*names, at=at), as_json=as_json)


@watch.command()
@base_argument
@click.argument("name", required=False)
@click.option("--since", type=click.IntRange(min=0), default=0, help="Only events after this number.")
@click.option("--json", "as_json", is_flag=True, help="Write each event as one line of JSON.")
def events(file: Path, name: str | None, since: int, as_json: bool) -> None:
    """Show the events of watches.

    Of one watch, going on or stopped, or of all. Keep the greatest number and give it as --since the next time.
    """
    from claimbase import base

    with base.open(file, read_only=True) as kb:
        _give_events(kb.watch_events(name, since=since), as_json=as_json)


def _give_events(told: Iterable[Event], *, as_json: bool) -> None:
    from claimbase.present import json_text
    from claimbase.present.watches import events as show

    rows = [event.to_json() for event in told]
    if not as_json:
        give(rows, show, as_json=False)
        return
    for row in rows:
        click.echo(json_text(row, indent=None, ascii_only=True))


COMMANDS = (watch,)
