"""The commands that compare: diff, join, relation."""

from __future__ import annotations

from typing import Any

import click

from claimbase.cli.speaking import basis_options, give, json_option, knowledge_options, reading, several, slot_options

_AXES = ("valid", "observed", "recorded", "all")
_EXAMPLES = {
    "diff": "Example: claimbase diff --from 2026-01-01 --to 2026-06-01 --subject 'Claude Sonnet 4.5'",
    "join": "Example: claimbase join 'Claude Sonnet 4.5' context_window input_price",
}


@click.command(epilog=_EXAMPLES["diff"])
@click.argument("words", nargs=-1, metavar="[FILE]")
@click.option("--from", "start", metavar="INSTANT", help="The first instant (default: now).")
@click.option("--to", "end", metavar="INSTANT", help="The second instant (default: now).")
@click.option(
    "--axis", type=click.Choice(_AXES), default="valid", show_default=True,
    help="Which time the two instants are of; all: of all three, walked recorded, observed, valid.",
)  # fmt: skip
@click.option("--as-of", metavar="INSTANT", help="When it must hold on both sides (default: now).")
@click.option("--observed-by", metavar="INSTANT", help="What could have been read, on both sides (default: now).")
@click.option("--recorded-by", metavar="INSTANT", help="What this base held, on both sides (default: now).")
@slot_options
@json_option
def diff(
    words: tuple[str, ...], start: str | None, end: str | None, axis: str, as_json: bool, as_of: str | None,
    observed_by: str | None, recorded_by: str | None, **narrowed: Any,
) -> None:  # fmt: skip
    """Show what differs between two instants.

    From what to what, slot by slot, and why: the world changed, it was learned, corrected, retracted, erased, or it
    rests on other evidence. Each value stands with its claims.
    """
    from claimbase.analysis.diff import sides
    from claimbase.present import differences

    path, _ = several(words, 0, 0, "at most a FILE")
    a, b = sides(axis, start, end, {"as_of": as_of, "observed_by": observed_by, "recorded_by": recorded_by})
    with reading(path) as kb:
        give(kb.diff(a, b, axis=axis, **narrowed).to_json(), differences.diff, as_json=as_json)


@click.command(epilog=_EXAMPLES["join"])
@click.argument("words", nargs=-1, metavar="[FILE] SUBJECT PREDICATE...")
@click.option("--provider", metavar="NAME", help="Only the subject of this provider.")
@basis_options
@json_option
def join(words: tuple[str, ...], as_json: bool, provider: str | None, **basis: Any) -> None:
    """Show the values of several predicates at every instant.

    One stretch of time after the other in which all of them have a value and none changes.
    """
    from claimbase.present import differences

    path, rest = several(words, 2, 100, "SUBJECT and at least one PREDICATE")
    with reading(path) as kb:
        give(kb.join(*rest, provider=provider, **basis).to_json(), differences.join, as_json=as_json)


@click.command()
@click.argument("words", nargs=-1, metavar="[FILE] CLAIM_ID OTHER_ID")
@knowledge_options
@json_option
def relation(words: tuple[str, ...], as_json: bool, **basis: Any) -> None:
    """Show how the valid times of two claims lie to each other.

    Before, meets, overlaps, starts, during, finishes, equals and their inverses; all that are possible where a bound is
    not known exactly.
    """
    from claimbase.present import differences

    path, rest = several(words, 2, 2, "CLAIM_ID and OTHER_ID")
    with reading(path) as kb:
        give(kb.relation(*rest, **basis).to_json(), differences.relation, as_json=as_json)


COMMANDS = (diff, join, relation)
