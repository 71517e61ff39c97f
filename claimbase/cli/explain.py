"""The command that tells why: explain."""

from __future__ import annotations

from typing import Any

import click

from claimbase.cli.speaking import basis_options, give, json_option, policy_option, reading, source_options, split

_EXAMPLE = "Example: claimbase explain 'Claude Opus 5' 'context_window >= 128K' 'input_price < $2/Mtok'"


@click.command(epilog=_EXAMPLE)
@click.argument("words", nargs=-1, metavar="[FILE] SUBJECT CONSTRAINT...")
@basis_options
@click.option("--provider", metavar="NAME", help="The subject's provider, where several have the name.")
@policy_option
@source_options
@json_option
def explain(words: tuple[str, ...], as_json: bool, **asked: Any) -> None:
    """Tell why a subject is in an answer or not.

    Constraint by constraint: the verdict, who says what, why nobody does, and when it would hold.
    """
    from claimbase.present import explained

    path, rest = split(words)
    if len(rest) < 2:
        raise click.UsageError("expected SUBJECT and at least one CONSTRAINT, for example 'context_window >= 128K'")
    with reading(path) as kb:
        give(kb.explain(*rest, **asked).to_json(), explained.explanation, as_json=as_json)


COMMANDS = (explain,)
