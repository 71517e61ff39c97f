"""The command that carries the verdict, and what needs the base a receipt came from: list, replay, the cell."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from claimbase.cli.receipt import receipt, told
from claimbase.cli.speaking import (
    base_argument,
    basis_options,
    give,
    give_json,
    instants,
    json_option,
    reading,
    say,
    several,
    split,
)  # fmt: skip

if TYPE_CHECKING:
    from claimbase.base import Claimbase


@click.command()
@click.argument("words", nargs=-1, metavar="[FILE] [CONSTRAINT]...")
@click.option("--claims", metavar="IDS|SQL", help="Claim ids with commas between, or one SELECT that gives them.")
@click.option(
    "--answer", "answer_file", type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="An answer as `answer --json` wrote it; it is asked again at its own basis.",
)  # fmt: skip
@click.option(
    "--report", type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="A Markdown report with [N], [[id]], [c_...] or [s_...] citations.",
)  # fmt: skip
@click.option(
    "--policy", "policy_file", type=click.Path(path_type=Path, dir_okay=False, exists=True), help="A policy in TOML."
)
@click.option("--tenant", metavar="NAME", help="Whose sources may be used.")
@click.option("--no-ledger", is_flag=True, help="Do not verify the ledger first.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Write the receipt there.")
@basis_options
@json_option
@click.pass_context
def verify(
    context: click.Context, /, words: tuple[str, ...], claims: str | None, answer_file: Path | None,
    report: Path | None, policy_file: Path | None, tenant: str | None, no_ledger: bool, out: Path | None,
    as_json: bool, **basis: Any,
) -> None:  # fmt: skip
    """Check claims, an answer or a report against the texts they rest on; exit 1 if it does not pass.

    Constraints are asked first and their answer is verified. The receipt is kept in FILE; of the shipped seeds it is
    only shown.
    """
    from claimbase.evidence.policy import load_policy
    from claimbase.present import json_text, receipts

    path, constraints = split(words)
    if sum(map(bool, (claims, answer_file, report, constraints))) != 1:
        raise click.UsageError("name one of: constraints, --claims, --answer, --report")
    more: dict[str, Any] = {"tenant": tenant, "ledger": not no_ledger}
    if policy_file is not None:
        more["policy"] = load_policy(policy_file.read_text(encoding="utf-8"))
    ids = _ids(path, claims) if claims else None
    with _writing(path) as kb:
        if report is not None:
            made = kb.verify(report=report.read_text(encoding="utf-8"), **instants(basis), **more)
        elif ids is not None:
            made = kb.verify(ids, **instants(basis), **more)
        else:
            made = kb.verify(_answer(kb, constraints, answer_file, basis), **more)
    if out is not None:
        out.write_text(json_text(made.to_json()) + "\n", encoding="utf-8")
        say(f"{made.id} written to {out.name}")
    give(made.to_json() if as_json else told(made), receipts.receipt, as_json=as_json)
    if not made.passed:
        context.exit(1)


def _writing(path: Path | None) -> Claimbase:
    from claimbase import base

    return base.demo() if path is None else base.open(path, create=False)


def _answer(kb: Claimbase, constraints: list[str], file: Path | None, basis: dict[str, Any]) -> Any:
    """Ask the constraints given, or those of a written answer at the basis it names."""
    if file is None:
        return kb.answer(*constraints, **basis)
    from claimbase.importers.feed import parse_json

    told = parse_json(file.read_text(encoding="utf-8"), where=file.name)
    if not {"asked", "basis"} <= told.keys():
        raise click.UsageError(f"{file.name} is no answer as `answer --json` writes it")
    axes = {"as_of": told["basis"]["valid_at"]} | {name: told["basis"][name] for name in ("observed_by", "recorded_by")}
    options = told["asked"]["options"]
    options |= {name: int(options[name]) for name in _COUNTS if options.get(name) is not None}
    return kb.answer(*told["asked"]["constraints"], **axes, **options)


_COUNTS = ("limit", "offset", "near_limit")  # what is read from JSON as written, so that no number becomes a float


def _ids(path: Path | None, given: str) -> list[str]:
    """Read claim ids, or let one SELECT on a locked reader give them."""
    if not given.lstrip().lower().startswith(("select", "with", "from")):
        return [one.strip() for one in given.split(",") if one.strip()]
    from claimbase.cli.speaking import locked

    with locked(path) as kb:
        return [str(row[0]) for row in kb.sql(given)]


@receipt.command("list")
@base_argument
@json_option
def receipt_list(file: Path, as_json: bool) -> None:
    """List the receipts kept in a base."""
    from claimbase.analysis.result import plain
    from claimbase.present import receipts

    with reading(file) as kb:
        give(plain(kb.receipts()), receipts.listed, as_json=as_json)


@receipt.command()
@click.argument("words", nargs=-1, required=True, metavar="[FILE] RECEIPT")
@json_option
@click.pass_context
def replay(context: click.Context, words: tuple[str, ...], as_json: bool) -> None:
    """Make a receipt again from the base, at its own basis, and list the rows that differ; exit 1 if any does.

    RECEIPT is the id of one kept in the base, or a file.
    """
    from claimbase.present import receipts
    from claimbase.receipts.model import Receipt

    path, (which,) = several(words, 1, 1, "a base and a receipt, by its id or its file")
    with reading(path) as kb:
        found = kb.replay(Receipt.load(Path(which)) if Path(which).is_file() else which)
    give(found.to_json(), receipts.comparison, as_json=as_json)
    if not found.same:
        context.exit(1)


@click.command()
@click.argument("words", nargs=-1, required=True, metavar="[FILE] CLAIM")
@basis_options
def cell(words: tuple[str, ...], **basis: Any) -> None:
    """Show a claim as one cell of JSON: value, sources, evidence, validation."""
    path, (claim_id,) = several(words, 1, 1, "a claim id")
    with reading(path) as kb:
        give_json(kb.cell(claim_id, **instants(basis)).to_json())


COMMANDS = (verify, cell)
