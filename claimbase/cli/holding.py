"""The commands for a base in doubt: look at it without touching it, and open what is whole of it again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from claimbase.cli.speaking import base_argument, give, give_json, json_option, say

if TYPE_CHECKING:
    from claimbase.present.page import Page


def _page(page: Page, data: Any) -> None:
    """Show whether a base is whole, and everything that is not."""
    page.line(data["words"], style="green" if data["ok"] else "red")
    for one in data["findings"]:
        batch = "" if one["batch_id"] is None else f"batch {one['batch_id']}, "
        page.line(f"{batch}{one['part']} {one['detail']}".rstrip() + f": {one['what']}", indent=2)


@click.command()
@base_argument
@click.option("--derive", is_flag=True, help="Derive every version again from the log and compare.")
@json_option
@click.pass_context
def check(context: click.Context, file: Path, derive: bool, as_json: bool) -> None:
    """Look at FILE without changing a byte of it; exit 1 if anything is wrong.

    Whether it opens, its tables and guards are as they must be, every digest of the ledger holds, and the head file
    agrees. It never repairs and never migrates.
    """
    from claimbase.base import holding

    found = holding.check(file, derive=derive)
    give(found.to_json(), _page, as_json=as_json)
    if not found.ok:
        context.exit(1)


@click.command()
@base_argument
@json_option
def recover(file: Path, as_json: bool) -> None:
    """Make FILE open again with what is whole, and say what is lost.

    A damaged log and a head file that disagrees are kept beside it as FILE.wal.quarantined-1 and
    FILE.head.quarantined-1. Where there is a backup, restoring it may lose less.
    """
    from claimbase.base import holding

    done = holding.recover(file)
    say(done.words)
    if as_json:
        give_json(done.to_json())


COMMANDS = (check, recover)
