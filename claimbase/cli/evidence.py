"""The commands about quotes: bind them to texts, check them, retire them, look for more; review what changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from claimbase.cli.speaking import base_argument, basis_options, give, give_json, json_option, options, reading, say


@click.group()
def evidence() -> None:
    """Quotes bound to texts as read."""


_hint_options = options(
    click.option("--prefix", metavar="TEXT", help="What stands right before the quote."),
    click.option("--suffix", metavar="TEXT", help="What stands right after it."),
)


@evidence.command()
@base_argument
@click.option("--claim", "claim_id", metavar="CLAIM", required=True, help="The claim it speaks to.")
@click.option("--snapshot", metavar="ID", required=True, help="The text it stands in, or a source's id for its newest.")
@click.option("--quote", metavar="TEXT", required=True, help="The words.")
@click.option(
    "--role", type=click.Choice(["supports", "refutes", "absence", "context"]), default="supports", show_default=True,
    help="What it does for the claim.",
)  # fmt: skip
@_hint_options
@click.option("--page", type=int, help="The page it stands on.")
@click.option("--reasoning", metavar="TEXT", help="Why it speaks to the claim.")
@click.option("--allow-unverified", is_flag=True, help="Store it although it does not stand there as written.")
@json_option
def add(
    file: Path, claim_id: str, snapshot: str, quote: str, role: str, prefix: str | None, suffix: str | None,
    page: int | None, reasoning: str | None, allow_unverified: bool, as_json: bool,
) -> None:  # fmt: skip
    """Attach a further quote to a claim."""
    from claimbase import base
    from claimbase.evidence.model import Hint

    with base.open(file, create=False) as kb:
        done = kb.evidence.add(
            claim_id, snapshot, quote, role=role, allow_unverified=allow_unverified, hint=Hint(prefix, suffix),
            page=page, reasoning=reasoning,
        )  # fmt: skip
    say(str(done))
    if as_json:
        give_json(done.to_json())


@evidence.command()
@base_argument
@click.option("--claim", "claims", metavar="CLAIM", multiple=True, help="Only this claim. May be repeated.")
@click.option("--all", "everything", is_flag=True, help="All claims (the default).")
@json_option
def check(file: Path, claims: tuple[str, ...], everything: bool, as_json: bool) -> None:
    """Bind quotes to the texts of their sources and check every one by the rule in use."""
    from claimbase import base

    if claims and everything:
        raise click.UsageError("name claims or --all")
    with base.open(file, create=False) as kb:
        done = kb.evidence.check(list(claims) or None)
    say(str(done))
    if as_json:
        give_json(done.to_json())


@evidence.command()
@base_argument
@click.argument("evidence_id", metavar="EVIDENCE")
@click.option("--reason", metavar="TEXT", required=True, help="Why; kept beside it.")
def retire(file: Path, evidence_id: str, reason: str) -> None:
    """Take a piece of evidence out of use."""
    from claimbase import base

    with base.open(file, create=False) as kb:
        say(kb.evidence.retire(evidence_id, reason=reason))


@evidence.command()
@base_argument
@click.argument("evidence_id", metavar="EVIDENCE")
@click.option("--reason", metavar="TEXT", required=True, help="Why; kept beside it.")
def restore(file: Path, evidence_id: str, reason: str) -> None:
    """Put a retired piece of evidence back into use."""
    from claimbase import base

    with base.open(file, create=False) as kb:
        say(kb.evidence.restore(evidence_id, reason=reason))


@evidence.command()
@click.argument("words", nargs=-1, required=True, metavar="[FILE] CLAIM")
@basis_options
@json_option
def suggest(words: tuple[str, ...], as_json: bool, **basis: Any) -> None:
    """Look for a claim's value in the texts at hand; nothing is attached."""
    from claimbase.cli.speaking import instants, several
    from claimbase.present import proofs

    path, (claim_id,) = several(words, 1, 1, "a claim id")
    with reading(path) as kb:
        give(kb.suggest(claim_id, **instants(basis)).to_json(), proofs.suggestions, as_json=as_json)


@click.group()
def quote() -> None:
    """The quote rule, by itself."""


@quote.command("check")
@click.argument("words", nargs=-1, required=True, metavar="[FILE] TEXT")
@click.option("--source", metavar="ID", help="The snapshot, or the source, whose text is searched; none = all texts.")
@click.option(
    "--text", "text_file", type=click.Path(path_type=Path, dir_okay=False, exists=True), help="A file instead."
)
@click.option(
    "--profile", type=click.Choice(["plain", "pdf", "markdown", "html-md"]), default="plain", show_default=True,
    help="How that file is written.",
)  # fmt: skip
@json_option
@click.pass_context
def quote_check(
    context: click.Context, words: tuple[str, ...], source: str | None, text_file: Path | None, profile: str,
    as_json: bool,
) -> None:  # fmt: skip
    """Say how a quote stands in a text: status, tier, place, and the words that differ."""
    from claimbase.cli.speaking import several
    from claimbase.evidence.align import SourceText, align
    from claimbase.evidence.model import match_json
    from claimbase.present import proofs

    path, (text,) = several(words, 1, 1, "a quote")
    if text_file is not None:
        match = align(text, SourceText(text_file.read_text(encoding="utf-8"), profile))
        found = [{"snapshot_id": None, **match_json(match)}]
    else:
        with reading(path) as kb:
            found = [{"snapshot_id": name, **match_json(match)} for name, match in kb.find_quote(text, source=source)]
    give(found, proofs.matches, as_json=as_json)
    if not any(one["status"] == "verified" for one in found):
        context.exit(1)


@click.group()
def review() -> None:
    """What somebody should look at."""


@review.command("list")
@base_argument
@json_option
def review_list(file: Path, as_json: bool) -> None:
    """List open reviews."""
    from claimbase.analysis.result import plain
    from claimbase.present import tables

    with reading(file) as kb:
        give(plain(kb.reviews()), tables.reviews, as_json=as_json)


@review.command()
@base_argument
@click.argument("task", metavar="TASK")
@click.argument("decision", type=click.Choice(["accept", "reject", "correct", "escalate", "pending"]))
@click.option("--reviewer", metavar="NAME", required=True, help="Who decided.")
@click.option("--note", metavar="TEXT", help="Why.")
def decide(file: Path, task: str, decision: str, reviewer: str, note: str | None) -> None:
    """Say what was decided about an open review."""
    from claimbase import base

    with base.open(file, create=False) as kb:
        say(kb.decide_review(task, decision, reviewer=reviewer, note=note))


COMMANDS = (evidence, quote, review)
