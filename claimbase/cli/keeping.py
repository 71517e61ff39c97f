"""The commands that keep a base as a whole: publish, backup, restore, export, import of a folder, migrate, compact."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from claimbase.cli.ledger import ledger
from claimbase.cli.speaking import base_argument, give_json, json_option, progress, reading, say, several

if TYPE_CHECKING:
    from claimbase.store.keeping import Kept
    from claimbase.store.keeping_change import Compacted, Migrated


def _told(report: Kept | Compacted | Migrated, *, as_json: bool) -> None:
    """Say what was done and proven; as JSON too if asked for."""
    say(report.words)
    if as_json:
        give_json(report.to_json())


_target = click.argument("target", type=click.Path(path_type=Path, dir_okay=False))


@click.command()
@base_argument
@_target
@json_option
def publish(file: Path, target: Path, as_json: bool) -> None:
    """Put a snapshot of FILE in TARGET's place, at once.

    Readers that have TARGET open go on undisturbed, and see the new snapshot from their next question on.
    """
    from claimbase import base

    with base.open(file, create=False) as kb, progress(target.name) as bar:
        report = kb.publish(target, progress=bar)
    _told(report, as_json=as_json)


@click.command()
@base_argument
@_target
@json_option
def backup(file: Path, target: Path, as_json: bool) -> None:
    """Write the whole of FILE to TARGET, read it back and compare.

    An earlier backup of the same base gives way, at once; any other file is refused.
    """
    from claimbase import base

    with base.open(file, create=False) as kb, progress(target.name) as bar:
        report = kb.backup(target, progress=bar)
    _told(report, as_json=as_json)


@click.command()
@click.argument("backup_file", metavar="BACKUP", type=click.Path(path_type=Path, dir_okay=False))
@base_argument
@click.option("--replace", is_flag=True, help="Keep what stands there beside it as FILE.replaced-1.")
@json_option
def restore(backup_file: Path, file: Path, replace: bool, as_json: bool) -> None:
    """Put FILE back from BACKUP, after its ledger was verified."""
    from claimbase import base

    with progress(file.name) as bar:
        report = base.restore(backup_file, file, replace=replace, progress=bar)
    _told(report, as_json=as_json)


@click.command()
@base_argument
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--format", "form", type=click.Choice(["jsonl", "parquet", "csv"]), default="jsonl", show_default=True)
@json_option
def export(file: Path, folder: Path, form: Any, as_json: bool) -> None:
    """Write every row of FILE to a new FOLDER of plain files.

    `claimbase import FOLDER BASE` makes the same base of them again; that is tried before success is reported.
    """
    from claimbase import base

    with base.open(file, create=False) as kb, progress(folder.name) as bar:
        report = kb.export(folder, form, progress=bar)
    _told(report, as_json=as_json)


@click.command()
@base_argument
@json_option
@click.pass_obj
def _import_folder(folder: Path, file: Path, as_json: bool) -> None:
    """Make the base FILE of an exported folder."""
    from claimbase import base

    with progress(folder.name) as bar:
        report = base.import_folder(folder, file, progress=bar)
    _told(report, as_json=as_json)


class Importing(click.Group):
    """A group of importers whose first argument is a base, or an exported folder, which needs no importer's name."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Take what follows a folder as the base that is made of it."""
        if Path(ctx.params["file"]).is_dir():
            return "folder", _import_folder, args
        return super().resolve_command(ctx, args)


@click.command()
@base_argument
@json_option
def migrate(file: Path, as_json: bool) -> None:
    """Bring FILE up to the schema of this claimbase, in one transaction; opening it for writing does the same."""
    from claimbase import base

    with progress(file.name) as bar:
        report = base.migrate(file, progress=bar)
    _told(report, as_json=as_json)


@click.command()
@base_argument
@json_option
def compact(file: Path, as_json: bool) -> None:
    """Write FILE anew with its claims in the order in which they are read.

    Worth it once about a twentieth of them lies out of order; what is asked afterwards is answered as before.
    """
    from claimbase import base

    with base.open(file, create=False) as kb, progress(file.name) as bar:
        report = kb.compact(progress=bar)
    _told(report, as_json=as_json)


@ledger.command()
@click.argument("words", nargs=-1, metavar="[FILE]")
@json_option
def state(words: tuple[str, ...], as_json: bool) -> None:
    """Print one digest over every row: two bases with the same one answer alike."""
    path, _ = several(words, 0, 0, "at most a FILE")
    with reading(path) as kb:
        found = kb.state_hash()
    if as_json:
        give_json({"state": found})
    else:
        click.echo(found)


COMMANDS = (publish, backup, restore, export, migrate, compact)
