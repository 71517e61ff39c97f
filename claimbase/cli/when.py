"""The command that asks for intervals: when."""

from __future__ import annotations

from typing import Any

import click

from claimbase.cli.speaking import (
    basis_options,
    give,
    json_option,
    names_option,
    provider_options,
    reading,
    source_options,
    split,
)

_EXAMPLE = "Example: claimbase when 'context_window >= 500K' 'input_price <= $1/Mtok' --during 2026-01-01 2026-07-01"


@click.command(epilog=_EXAMPLE)
@click.argument("words", nargs=-1, metavar="[FILE] CONSTRAINT...")
@basis_options
@click.option("--during", nargs=2, metavar="FROM UNTIL", help="Only intervals that meet this half-open window.")
@click.option(
    "--extent", type=click.Choice(["throughout", "some"]), default="throughout", show_default=True,
    help="Whether all of the window is asked, or some of it.",
)  # fmt: skip
@names_option("--subject", "subjects", text="Only this subject, also where it never satisfies.")
@provider_options
@source_options
@click.option("--limit", type=click.IntRange(min=0), help="How many subjects.")
@json_option
def when(words: tuple[str, ...], as_json: bool, **asked: Any) -> None:
    """Show when all constraints hold at the same time.

    For each subject the longest intervals, certain, possible and disputed apart, with the claims behind them; and the
    next instant at which anything changes by itself.
    """
    from claimbase.present import intervals

    path, constraints = split(words)
    if not constraints:
        raise click.UsageError("expected at least one CONSTRAINT, for example 'context_window >= 128K'")
    with reading(path) as kb:
        give(kb.when(*constraints, **asked).to_json(), intervals.when, as_json=as_json)


COMMANDS = (when,)
