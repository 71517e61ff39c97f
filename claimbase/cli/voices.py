"""The commands about who speaks: independence, corroboration, gaps, retractions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from claimbase.cli.speaking import (
    base_argument,
    basis_options,
    give,
    give_report,
    json_option,
    names_option,
    progress,
    reading,
    say,
    several,
)

_EXAMPLES = {
    "corroboration": "Example: claimbase corroboration models.duckdb 'Claude Sonnet 4.5'",
    "gaps": "Example: claimbase gaps --required input_price --required context_window --provider Anthropic",
    "import": "Example: claimbase retractions import models.duckdb notices.csv --observed-at 2026-03-01",
}


@click.command()
@click.argument("words", nargs=-1, metavar="[FILE]")
@basis_options
@click.option("--explain", is_flag=True, help="Tell for each voice what makes its sources one.")
@json_option
def independence(words: tuple[str, ...], explain: bool, as_json: bool, **basis: Any) -> None:
    """Show how many voices the sources are.

    Mirrors, copies, reports of one agency, one publisher's pages and whatever restates a page are one voice, for which
    the primary source speaks, else the one seen first.
    """
    from claimbase.present import voices

    path, _ = several(words, 0, 0, "at most a FILE")
    with reading(path) as kb:
        give(kb.independence(explain=explain, **basis).to_json(), voices.independence, as_json=as_json)


@click.command(epilog=_EXAMPLES["corroboration"])
@click.argument("words", nargs=-1, metavar="[FILE] CLAIM_ID|SUBJECT")
@basis_options
@click.option("--provider", metavar="NAME", help="Only the subject of this provider.")
@json_option
def corroboration(words: tuple[str, ...], provider: str | None, as_json: bool, **basis: Any) -> None:
    """Show who says a claim's value, or how a subject's claims hang together.

    Voices of the claim's source, of its further evidence and of claims that agree; which of them are independent of the
    subject; and what is weak. With SUBJECT its rating: consistent, mixed or inconsistent.
    """
    from claimbase.present import voices

    path, (what,) = several(words, 1, 1, "one CLAIM_ID or SUBJECT")
    with reading(path) as kb:
        if what.startswith("c_"):
            give(kb.corroboration(what, **basis).to_json(), voices.corroboration, as_json=as_json)
        else:
            give(kb.rating(what, provider=provider, **basis).to_json(), voices.rating, as_json=as_json)


@click.command(epilog=_EXAMPLES["gaps"])
@click.argument("words", nargs=-1, metavar="[FILE]")
@names_option("--required", "required", text="A predicate that each subject should have.")
@names_option("--subject", "subjects", text="Only this subject.")
@names_option("--provider", "providers", text="Only subjects of this provider.")
@basis_options
@json_option
def gaps(words: tuple[str, ...], as_json: bool, **asked: Any) -> None:
    """Show which required predicates have no claim.

    Filled, confirmed absent by a source that offers none, or a gap: nothing is said.
    """
    from claimbase.present import voices

    path, _ = several(words, 0, 0, "at most a FILE")
    with reading(path) as kb:
        give(kb.gaps(**asked).to_json(), voices.gaps, as_json=as_json)


@click.group()
def retractions() -> None:
    """Notices about publications: import them, and look which sources they concern.

    Nothing is asked of anybody: the file is one you fetched.
    """


@retractions.command("import", epilog=_EXAMPLES["import"])
@base_argument
@click.argument("notices", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--observed-at", metavar="INSTANT", help="When the file was fetched, where its rows do not say.")
@click.option("--provider", metavar="NAME", help="Who lists the notices, where its rows do not say.")
@json_option
def import_(file: Path, notices: Path, observed_at: str | None, provider: str | None, as_json: bool) -> None:
    """Import a file of notices.

    CSV with the columns OriginalPaperDOI, RetractionNature, RetractionDate and RetractionDOI, or JSON lines with doi,
    status, notice_date, notice_url, provider, provider_entry, asserted_by, observed_at.
    """
    from claimbase import base

    with base.open(file, create=False) as kb, progress(f"reading {notices.name}"):
        report, skipped = kb.import_notices(notices, provider=provider, observed_at=observed_at)
    give_report(report, as_json=as_json)
    for reason, number in skipped.items():
        say(f"{number:,} rows left out: {reason}")


@retractions.command("sweep")
@click.argument("words", nargs=-1, metavar="[FILE]")
@basis_options
@json_option
def sweep(words: tuple[str, ...], as_json: bool, **basis: Any) -> None:
    """Look which sources are, or name, a publication with a notice.

    The DOI set for a source, in its address, or in its text as last read.
    """
    from claimbase.present import voices

    path, _ = several(words, 0, 0, "at most a FILE")
    with reading(path) as kb:
        give(kb.retractions(**basis).to_json(), voices.notices, as_json=as_json)


COMMANDS = (independence, corroboration, gaps, retractions)
