"""The command `claimbase`. Data goes to stdout, talk to stderr; engines load inside the commands that need them."""

from __future__ import annotations

from importlib.metadata import version

import click

from claimbase.cli import (
    compare,
    evidence,
    explain,
    holding,
    keeping,
    ledger,
    merge,
    read,
    receipt,
    source,
    verbs,
    verify,
    voices,
    watch,
    when,
    write,
)
from claimbase.cli.failing import Commands

_HELP = """Dated claims, each with its quote and source; questions answered as of any instant, with the evidence.

A reading command takes a base as its first argument: a name ending in .duckdb or .db, or any file that exists. Without
one it reads the seeds that ship with the package.

\b
Exit codes:
  0    done
  1    what was checked does not hold: a gate failed, a quote does not stand, a receipt or the ledger was altered
  2    an argument, a constraint or a file of claims cannot be accepted; nothing was stored
  3    the base cannot be opened, read or written, or lacks the claim
  4    the question in words was not understood whole, or is of a kind not answered yet
  130  interrupted
"""


@click.group(
    cls=Commands, help=_HELP, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110}
)
@click.version_option(version("claimbase"), prog_name="claimbase")
def main() -> None:
    """Run one command; its text is above."""


for _command in (
    *write.COMMANDS,
    *verbs.COMMANDS,
    *merge.COMMANDS,
    *read.COMMANDS,
    *compare.COMMANDS,
    *explain.COMMANDS,
    *when.COMMANDS,
    *watch.COMMANDS,
    *evidence.COMMANDS,
    *source.COMMANDS,
    *verify.COMMANDS,
    *receipt.COMMANDS,
    *voices.COMMANDS,
    *ledger.COMMANDS,
    *keeping.COMMANDS,
    *holding.COMMANDS,
):
    main.add_command(_command)

__all__ = ["main"]
