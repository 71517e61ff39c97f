"""The commands that say which names mean one subject: merge, unmerge."""

from __future__ import annotations

from pathlib import Path

import click

from claimbase.cli.speaking import base_argument, give_report, json_option

_PROVIDER = click.option("--provider", metavar="NAME", help="The provider of ALIAS, where several have the name.")
_REASON = click.option("--reason", metavar="TEXT", help="Why, for the log.")


@click.command()
@base_argument
@click.argument("alias")
@click.argument("into")
@_PROVIDER
@click.option("--into-provider", metavar="NAME", help="The provider of INTO, where several have the name.")
@_REASON
@json_option
def merge(
    file: Path,
    alias: str,
    into: str,
    provider: str | None,
    into_provider: str | None,
    reason: str | None,
    as_json: bool,
) -> None:
    """Say that two names mean one subject.

    From now on ALIAS is another name of INTO; what is asked with an earlier --recorded-by stays split.
    """
    from claimbase import base

    with base.open(file, create=False) as kb:
        done = kb.merge(alias, into, provider=provider, into_provider=into_provider, reason=reason)
        give_report(done, as_json=as_json)


@click.command()
@base_argument
@click.argument("alias")
@_PROVIDER
@_REASON
@json_option
def unmerge(file: Path, alias: str, provider: str | None, reason: str | None, as_json: bool) -> None:
    """Undo a merge.

    From now on ALIAS is a subject of its own again; what is asked with an earlier --recorded-by stays merged.
    """
    from claimbase import base

    with base.open(file, create=False) as kb:
        give_report(kb.unmerge(alias, provider=provider, reason=reason), as_json=as_json)


COMMANDS = (merge, unmerge)
