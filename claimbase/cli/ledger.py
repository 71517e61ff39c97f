"""The commands about the ledger: prove that nothing was changed behind it, and note where it stands."""

from __future__ import annotations

from pathlib import Path

import click

from claimbase.cli.speaking import give, give_json, json_option, reading, say, several


@click.group()
def ledger() -> None:
    """The chain of everything that was ever written."""


@ledger.command()
@click.argument("words", nargs=-1, metavar="[FILE]")
@click.option(
    "--checkpoint",
    metavar="FILE|BATCH:ROOT",
    help="What `ledger checkpoint` printed before: a lost tail shows only so.",
)
@json_option
@click.pass_context
def verify(context: click.Context, words: tuple[str, ...], checkpoint: str | None, as_json: bool) -> None:
    """Compute every digest again; exit 1 if a row was changed, added, removed or moved."""
    from claimbase.present import proofs

    path, _ = several(words, 0, 0, "at most a FILE")
    seen = checkpoint
    if checkpoint is not None and Path(checkpoint).is_file():
        seen = Path(checkpoint).read_text(encoding="utf-8")
    with reading(path) as kb:
        found = kb.verify_ledger(seen)
    give(found.to_json(), proofs.audit, as_json=as_json)
    if not found.ok:
        context.exit(1)


@ledger.command()
@click.argument("words", nargs=-1, metavar="[FILE]")
@json_option
def checkpoint(words: tuple[str, ...], as_json: bool) -> None:
    """Print number and root of the newest batch; keep it somewhere else."""
    path, _ = several(words, 0, 0, "at most a FILE")
    with reading(path) as kb:
        point = kb.checkpoint()
    if as_json:
        give_json(point)
    else:
        click.echo(f"{point['batch_id']}:{point['root']}")
        say("keep this outside the base: only so a lost tail can be noticed")


COMMANDS = (ledger,)
