"""The commands that decide about claims: observe, supersede, correct, retract, erase."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from claimbase.cli.speaking import base_argument, give_report, json_option, options

_CLAIM = click.argument("claim_id", metavar="CLAIM")
_REASON = "Why; kept beside the decision."
# What of the successor may be said by an option; a --claim file says all of it.
_FIELDS = ("value", "quote", "unit", "observed_at", "effective_from", "effective_until", "effective_through")


_successor_options = options(
    click.option(
        "--claim", "claim_file", metavar="JSON", type=click.Path(path_type=Path, dir_okay=False, exists=True),
        help="A file with the whole claim as one JSON object.",
    ),
    click.option("--value", metavar="TEXT", help="Its value, as written at the source."),
    click.option("--quote", metavar="TEXT", help="The words it rests on."),
    click.option("--unit", metavar="UNIT", help="The unit of a bare number."),
    click.option("--effective-from", metavar="BOUND", help="Where it states to begin."),
    click.option("--effective-until", metavar="BOUND", help="Where it states to end."),
    click.option("--effective-through", metavar="BOUND", help="The last period in which it holds."),
)  # fmt: skip


def _successor(claim_file: Path | None, given: dict[str, str | None]) -> dict[str, Any] | None:
    """Put the successor together: the file's claim, if any, and what the options say."""
    from claimbase.importers.feed import parse_json

    claim = {}
    if claim_file is not None:
        claim = parse_json(claim_file.read_text(encoding="utf-8"), where=claim_file.name)
    said = {name: given[name] for name in _FIELDS if given.get(name) is not None}
    return {**claim, **said} or None


def _needed(claim_file: Path | None, given: dict[str, str | None]) -> dict[str, Any]:
    claim = _successor(claim_file, given)
    if claim is None:
        raise click.UsageError("say what stands in its place: --value and --quote, or --claim")
    return claim


@click.command()
@base_argument
@_CLAIM
@click.argument("outcome", type=click.Choice(["confirmed", "quote_missing", "changed", "unreachable"]))
@click.option("--observed-at", metavar="INSTANT", required=True, help="When the page was read.")
@_successor_options
@click.option("--reason", metavar="TEXT", help=_REASON)
@json_option
def observe(
    file: Path, claim_id: str, outcome: Any, observed_at: str, claim_file: Path | None, reason: str | None,
    as_json: bool, **given: str | None,
) -> None:  # fmt: skip
    """Say how a claim's page was found when read again.

    OUTCOME is confirmed, quote_missing, changed or unreachable. A changed page may name what it says instead, by
    --value and --quote; without that a review opens.
    """
    from claimbase import base

    successor = _successor(claim_file, given)
    with base.open(file, create=False) as kb:
        give_report(
            kb.observe(claim_id, outcome, observed_at=observed_at, successor=successor, reason=reason), as_json=as_json
        )


@click.command()
@base_argument
@_CLAIM
@click.option("--at", metavar="INSTANT", help="When the world changed (default: where the successor states to begin).")
@click.option("--observed-at", metavar="INSTANT", required=True, help="When we read of it.")
@_successor_options
@click.option("--reason", metavar="TEXT", help=_REASON)
@json_option
def supersede(
    file: Path, claim_id: str, at: str | None, observed_at: str, claim_file: Path | None, reason: str | None,
    as_json: bool, **given: str | None,
) -> None:  # fmt: skip
    """Say that the world changed.

    CLAIM ends and another value begins there. Slot, unit and source are CLAIM's unless a --claim file says otherwise.
    """
    from claimbase import base

    successor = _needed(claim_file, {**given, "observed_at": observed_at})
    with base.open(file, create=False) as kb:
        give_report(kb.supersede(claim_id, successor, at=at, reason=reason), as_json=as_json)


@click.command()
@base_argument
@_CLAIM
@_successor_options
@click.option("--reason", metavar="TEXT", help=_REASON)
@json_option
def correct(
    file: Path, claim_id: str, claim_file: Path | None, reason: str | None, as_json: bool, **given: str | None
) -> None:
    """Say that CLAIM was recorded wrongly.

    Its readings so far count as those of the corrected claim. What the options leave out stays as CLAIM has it.
    """
    from claimbase import base

    successor = _needed(claim_file, given)
    with base.open(file, create=False) as kb:
        give_report(kb.correct(claim_id, successor, reason=reason), as_json=as_json)


@click.command()
@base_argument
@click.argument("what", metavar="CLAIM|SOURCE")
@click.option("--reason", metavar="TEXT", required=True, help="Why; shown wherever it was cited.")
@json_option
def retract(file: Path, what: str, reason: str, as_json: bool) -> None:
    """Stop standing by a claim, or by everything a source says.

    A source is named by its address or its id; its claims stay visible and decide nothing any more.
    """
    from claimbase import base

    with base.open(file, create=False) as kb:
        give_report(kb.retract(what, reason=reason), as_json=as_json)


@click.command()
@base_argument
@_CLAIM
@click.option("--reason", metavar="TEXT", required=True, help="The law or the licence that asks for it.")
@json_option
def erase(file: Path, claim_id: str, reason: str, as_json: bool) -> None:
    """Remove a claim's content for good.

    FILE is rewritten without it, at every basis; a tombstone with the reason stays.
    """
    from claimbase import base

    with base.open(file, create=False) as kb:
        give_report(kb.erase(claim_id, reason=reason), as_json=as_json)


COMMANDS = (observe, supersede, correct, retract, erase)
