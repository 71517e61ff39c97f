"""The commands of receipts: show, verify, diff, export; none of them needs a base when a file is named."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from claimbase.cli.speaking import give, give_text, json_option, say

if TYPE_CHECKING:
    from claimbase.receipts.model import Receipt
    from claimbase.receipts.reading import Reading

_ALTERED = 1
FORMS = ("json", "md", "html", "csv", "packet", "prov", "annotation", "intoto")

_file = click.argument("file", type=click.Path(path_type=Path, dir_okay=False, exists=True))


@click.group()
def receipt() -> None:
    """Read what was checked, on which words, and what is still open.

    A receipt is a file that speaks for itself: no base is needed to show it, to prove it unchanged or to compare it.
    """


@receipt.command(epilog="Example: claimbase receipt show receipt.json --review")
@_file
@click.option("--review", "as_review", is_flag=True, help="One row per field: value, status, place, next action.")
@json_option
def show(file: Path, *, as_review: bool, as_json: bool) -> None:
    """Show a receipt from its file.

    Its outcome, each field with its evidence and the version of the source, and the questions that are open.
    """
    from claimbase.present import receipts

    found = loaded(file)
    if as_review:
        give(_reading(found).review(), receipts.review, as_json=as_json)
    elif as_json:
        give(found.to_json(), receipts.receipt, as_json=True)
    else:
        give(told(found), receipts.receipt, as_json=False)


@receipt.command(epilog="Example: claimbase receipt verify receipt.json")
@_file
@click.pass_context
def verify(context: click.Context, file: Path) -> None:
    """Prove that a receipt was not changed since it was made.

    Its digest, its id and its outcome are worked out again from what it holds. Exit code 1 if it was altered.
    """
    from claimbase.cli.failing import line
    from claimbase.errors import ReceiptError

    try:
        found = loaded(file)
    except ReceiptError as error:
        if error.code != "altered_receipt":
            raise
        say(line(error))
        context.exit(_ALTERED)
    stored = "" if found.ledger.batch_id is None else f", said to be stored in batch {found.ledger.batch_id}"
    say(f"{file.name}: {found.id} is unchanged, digest {found.ledger.body_sha256}{stored}")


@receipt.command(epilog="Example: claimbase receipt diff before.json after.json")
@click.argument("before", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.argument("after", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@json_option
def diff(before: Path, after: Path, *, as_json: bool) -> None:
    """Compare two receipts row by row.

    What made them comes first, since it may explain the rest.
    """
    from claimbase.present import receipts
    from claimbase.receipts.comparing import compared

    give(compared(loaded(before), loaded(after)).to_json(), receipts.comparison, as_json=as_json)


@receipt.command(epilog="Example: claimbase receipt export receipt.json --format html --out receipt.html")
@_file
@click.option("--format", "form", type=click.Choice(FORMS), default="json", show_default=True, help="What to write.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Where to (default: stdout).")
def export(file: Path, form: str, out: Path | None) -> None:
    """Write a receipt in another form.

    Whatever a source wrote stays text in each of them.
    """
    written = loaded(file).export(form)
    if out is None:
        give_text(written)
        return
    out.write_text(written, encoding="utf-8")
    say(f"{out.name}: {form} of {file.name}")


def loaded(file: Path) -> Receipt:
    """Load a receipt and prove it unchanged."""
    from claimbase.receipts.model import Receipt

    return Receipt.load(file)


def _reading(found: Receipt) -> Reading:
    from claimbase.receipts.reading import Reading

    return Reading(found)


def told(found: Receipt) -> dict[str, Any]:
    """Give what a page tells of a receipt."""
    return _reading(found).told()


COMMANDS = (receipt,)
