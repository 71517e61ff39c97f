"""The commands that write: init, add, import, declare."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from claimbase.cli.keeping import Importing
from claimbase.cli.speaking import base_argument, give_json, json_option, progress, say

if TYPE_CHECKING:
    from claimbase.importers.feed import Feed
    from claimbase.ingest import IngestReport

_SHOWN = 20


@click.command()
@base_argument
def init(file: Path) -> None:
    """Make a base.

    The shipped predicates are declared in it; a FILE that is a base already is left as it is.
    """
    from claimbase import base

    there = file.exists()
    with base.open(file) as kb:
        say(f"{file.name} {'is a base already' if there else 'made'}: {len(list(kb.vocabulary()))} predicates declared")


@click.command()
@base_argument
@click.argument("claims", nargs=-1, required=True, type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--on-error", type=click.Choice(["raise", "report"]), default="raise", show_default=True,
    help="raise: a refused row stores nothing of its file; report: the others are stored.",
)  # fmt: skip
@click.option("--strict", is_flag=True, help="Refuse predicates that are not declared.")
@json_option
def add(file: Path, claims: tuple[Path, ...], on_error: Any, strict: bool, as_json: bool) -> None:
    """Add claim files to a base.

    CLAIMS are .jsonl (also .jsonl.gz), .csv, .tsv or .parquet files; each is one batch, stored whole or not at all.
    """
    from claimbase import base
    from claimbase.errors import ClaimbaseError

    with base.open(file, create=False) as kb:
        for source in claims:
            try:
                with progress(source.name) as bar:
                    report = kb.add(source, on_error=on_error, strict=strict, progress=bar)
            except ClaimbaseError as error:
                for refused in error.details.get("rejections", ())[1:_SHOWN]:
                    say(f"{source.name} row {refused.row}: {refused.message} [{refused.code}]")
                raise
            _give_report(source.name, report, as_json=as_json)


@click.command()
@base_argument
@click.argument("pack", type=click.Path(path_type=Path, dir_okay=False, exists=True))
def declare(file: Path, pack: Path) -> None:
    """Declare a pack of predicates.

    Claims in FILE whose predicate changes its kind or unit are read again.
    """
    from claimbase import base
    from claimbase.present.words import counted

    with base.open(file, create=False) as kb:
        say(f"{counted(kb.declare(pack), 'predicate')} declared")


@click.group("import", cls=Importing)
@click.argument("file", type=click.Path(path_type=Path))
@click.pass_context
def import_(ctx: click.Context, file: Path) -> None:
    """Import a data set of another shape into the base FILE, or make a base of an exported folder.

    The second is `claimbase import FOLDER BASE`.
    """
    ctx.obj = file


_OBSERVED = "When the list was read: a day or an instant."


@import_.command("genai-prices")
@click.argument("json_file", metavar="[JSON]", required=False, type=click.Path(path_type=Path, dir_okay=False))
@click.option("--observed-at", metavar="INSTANT", help=f"{_OBSERVED} Needed with JSON; default: now.")
@json_option
@click.pass_obj
def genai_prices(base_file: Path, json_file: Path | None, observed_at: str | None, as_json: bool) -> None:
    """Import the price list of genai-prices.

    From a JSON file, from a log of its changes (.jsonl), or from the installed package genai-prices.
    """
    from claimbase.importers.genai_prices import read_genai_prices, read_genai_prices_log
    from claimbase.temporal import SystemClock

    if json_file is not None and _is_log(json_file):
        _load(base_file, read_genai_prices_log(json_file), as_json=as_json)
        return
    if json_file is not None and observed_at is None:
        raise click.UsageError("a file does not tell when its list was read: give --observed-at")
    _load(base_file, read_genai_prices(json_file, observed_at=observed_at or SystemClock().now()), as_json=as_json)


@import_.command()
@click.argument("json_file", metavar="JSON", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--observed-at", metavar="INSTANT", help=f"{_OBSERVED} Needed with JSON; a log says it in every line.")
@json_option
@click.pass_obj
def litellm(base_file: Path, json_file: Path, observed_at: str | None, as_json: bool) -> None:
    """Import litellm's list of models and prices.

    From its JSON file, or from a log of its changes (.jsonl).
    """
    from claimbase.importers.litellm import read_litellm, read_litellm_log

    if _is_log(json_file):
        _load(base_file, read_litellm_log(json_file), as_json=as_json)
        return
    if observed_at is None:
        raise click.UsageError("a file does not tell when its list was read: give --observed-at")
    _load(base_file, read_litellm(json_file, observed_at=observed_at), as_json=as_json)


def _is_log(file: Path) -> bool:
    """Tell a log of changes from a list by its name."""
    return file.name.endswith((".jsonl", ".jsonl.gz"))


@import_.command()
@click.argument("log", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--mapping", metavar="NAME|TOML", required=True, help="A shipped mapping's name, or a TOML file.")
@json_option
@click.pass_obj
def observations(base_file: Path, log: Path, mapping: str, as_json: bool) -> None:
    """Import a log of observed changes.

    A mapping says which paths of the LOG are claims, and of what.
    """
    from claimbase.importers.mapping import load_mapping
    from claimbase.importers.observations import read_observations

    meant = load_mapping(Path(mapping) if mapping.endswith(".toml") else mapping)
    _load(base_file, read_observations(log, meant), as_json=as_json)


def _load(base_file: Path, feed: Feed, *, as_json: bool) -> None:
    from claimbase import base

    title = feed.source.get("title", "the list")
    with base.open(base_file, create=False) as kb, progress(title) as bar:
        report = kb.load(feed, progress=bar)
    for reason, number in feed.skipped.most_common(_SHOWN):
        say(f"left out {number:,}: {reason}")
    _give_report(title, report, as_json=as_json)


def _give_report(name: str, report: IngestReport, *, as_json: bool) -> None:
    for refused in report.rejected[:_SHOWN]:
        say(f"{name} row {refused.row}: {refused.message} [{refused.code}]")
    if len(report.rejected) > _SHOWN:
        say(f"... and {len(report.rejected) - _SHOWN:,} more rows refused; --json lists all")
    for warning in report.warnings[:_SHOWN]:
        say(f"note: {warning}")
    say(f"{name}: {report}")
    if as_json:
        give_json(report.to_json())


COMMANDS = (init, add, import_, declare)
