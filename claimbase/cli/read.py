"""The commands that read: answer, ask, history, contradictions, freshness, describe, show, sql, tools."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from claimbase.cli.speaking import (
    basis_options,
    give,
    give_json,
    give_pages,
    give_text,
    json_option,
    knowledge_options,
    locked,
    names_option,
    options,
    policy_option,
    provider_options,
    reading,
    several,
    slot_options,
    source_options,
    split,
)

if TYPE_CHECKING:
    from claimbase.answers import Answer

_DIRECTIONS = ("asc", "desc")
_EXAMPLES = {
    "answer": "Example: claimbase answer 'context_window >= 128K' 'input_price < $2/Mtok' --as-of 2026-03-01",
    "ask": "Example: claimbase ask '128K+ context, under $2/M input' --as-of 2026-03-01",
    "history": "Example: claimbase history 'Claude Sonnet 4.5' context_window",
    "sql": "Examples: claimbase sql \"SELECT subject, value FROM cb.active_claims('2026-03-01')\"; "
    "claimbase sql 'context_window >= 128K' --as-of 2026-03-01 --dialect postgres",
}
_Command = TypeVar("_Command", bound=Callable[..., Any])


def _words(usage: str) -> Callable[[_Command], _Command]:
    return click.argument("words", nargs=-1, metavar=f"[FILE] {usage}")


_question_options = options(
    basis_options,
    policy_option,
    provider_options,
    names_option("--subject", "subjects", text="Only this subject, whatever its verdicts."),
    source_options,
    names_option("--show", text="A further predicate to cite."),
    click.option(
        "--order-by",
        metavar="PREDICATE[:asc|desc]",
        help="Rank by a predicate; without a direction its better end first.",
    ),
    click.option("--limit", type=click.IntRange(min=0), help="How many of the ranked subjects."),
    click.option("--offset", type=click.IntRange(min=0), default=0, help="After how many of them."),
)


@click.command(epilog=_EXAMPLES["answer"])
@_words("CONSTRAINT...")
@_question_options
@json_option
def answer(words: tuple[str, ...], as_json: bool, **asked: Any) -> None:
    """Answer constraints, with evidence.

    Who satisfies all of them, with value, quote, address and dates; disputed, possible and near misses apart.
    """
    from claimbase.present import tables

    with _answered(words, asked) as found:
        give(found.to_json(), tables.answer, as_json=as_json)


@contextmanager
def _answered(words: tuple[str, ...], asked: dict[str, Any]) -> Iterator[Answer]:
    """Answer constraints on the base that the arguments name."""
    path, constraints = split(words)
    if not constraints and not asked["order_by"]:
        raise click.UsageError("expected at least one CONSTRAINT, for example 'context_window >= 128K'")
    asked["order_by"] = _order(asked["order_by"])
    with reading(path) as kb:
        yield kb.answer(*constraints, **asked)


def _order(text: str | None) -> tuple[str, str] | str | None:
    if text is None:
        return None
    name, colon, direction = text.partition(":")
    if colon and direction not in _DIRECTIONS:
        raise click.UsageError("--order-by takes PREDICATE, PREDICATE:asc or PREDICATE:desc")
    return (name, direction) if colon else name


@click.command(epilog=_EXAMPLES["ask"])
@_words("QUESTION")
@basis_options
@click.option("--go-on", is_flag=True, help="Answer the part that was understood.")
@json_option
def ask(words: tuple[str, ...], go_on: bool, as_json: bool, **basis: Any) -> None:
    """Answer a question in words.

    How it was read is shown first; where something was not understood, nothing is answered unless --go-on is given. The
    instants named in the words go before the options.
    """
    from claimbase.errors import QuestionError
    from claimbase.present import intervals, tables

    path, rest = split(words)
    if not rest:
        raise click.UsageError("expected a QUESTION, for example '128K+ context, under $2/M input'")
    with reading(path) as kb:
        try:
            asked = kb.ask(" ".join(rest), go_on=go_on, **basis)
        except QuestionError as error:
            _unanswered(error, as_json=as_json)
            raise
        data = asked.to_json()
        page = getattr(intervals if asked.kind == "when" else tables, _SHOWS[asked.kind])
    if as_json:
        give_json(data)
    else:
        give_pages([(tables.reading, data["reading"]), (page, data["answer"])])


_SHOWS = {
    "answer": "answer", "lookup": "answer", "history": "history", "contradictions": "contradictions",
    "freshness": "freshness", "when": "when",
}  # fmt: skip


def _unanswered(error: Any, *, as_json: bool) -> None:
    """Tell what was understood of a question that is not answered: as data, or as talk."""
    from claimbase.present import tables

    understood = error.details.get("reading")
    if understood is None:
        return
    data = understood.to_json()
    if as_json:
        give_json({"reading": data, "answer": None})
    else:
        click.echo(tables.written(tables.reading, data), err=True)


@click.command(epilog=_EXAMPLES["history"])
@_words("SUBJECT [PREDICATE]")
@basis_options
@click.option("--provider", metavar="NAME", help="Only the subject of this provider.")
@click.option("--draw", is_flag=True, help="Draw the segments on the clock of valid time.")
@click.option(
    "--by", type=click.Choice(["recorded", "observed"]), help="Draw what was believed before too, on a second clock."
)
@json_option
def history(
    words: tuple[str, ...], provider: str | None, draw: bool, by: str | None, as_json: bool, **basis: Any
) -> None:
    """Show how a subject's values went.

    Segments that are current, upcoming, historical and retracted, with the claims behind them and the gaps between.
    """
    from claimbase.present import tables

    path, rest = several(words, 1, 2, "SUBJECT and at most one PREDICATE")
    if by and not (draw or as_json):
        raise click.UsageError("--by needs --draw or --json")
    with reading(path) as kb:
        found = kb.history(*rest, provider=provider, by=by, **basis)
    if draw and not as_json:
        give_text(found.draw() + "\n")
    else:
        give(found.to_json(), tables.history, as_json=as_json)


@click.command()
@_words("")
@basis_options
@slot_options
@click.option("--during", nargs=2, metavar="FROM UNTIL", help="A half-open window instead of --as-of.")
@click.option("--all-time", is_flag=True, help="All of the past and the future instead of --as-of.")
@click.option("--information", is_flag=True, help="List the remarks that are no contradictions too.")
@json_option
def contradictions(words: tuple[str, ...], as_json: bool, **asked: Any) -> None:
    """Show where claims cannot both hold.

    At --as-of, in a window, or over all time; every side stands with its evidence.
    """
    from claimbase.present import tables

    path, _ = several(words, 0, 0, "at most a FILE")
    with reading(path) as kb:
        give(kb.contradictions(**asked).to_json(), tables.contradictions, as_json=as_json)


@click.command()
@_words("")
@basis_options
@slot_options
@click.option(
    "--stale-days", type=click.IntRange(0, 36500), help="Stale after so many days, whatever the predicate says."
)
@json_option
def freshness(words: tuple[str, ...], as_json: bool, **asked: Any) -> None:
    """Show how old the evidence is.

    How long before --observed-by the active claims were last seen at their sources, and which of them are stale.
    """
    from claimbase.present import tables

    path, _ = several(words, 0, 0, "at most a FILE")
    with reading(path) as kb:
        give(kb.freshness(**asked).to_json(), tables.freshness, as_json=as_json)


@click.command()
@_words("")
@json_option
def describe(words: tuple[str, ...], as_json: bool) -> None:
    """Show what can be asked.

    The predicates with their kinds, units and operators, and how much the base holds.
    """
    from claimbase.analysis.result import plain
    from claimbase.present import tables

    path, _ = several(words, 0, 0, "at most a FILE")
    with reading(path) as kb:
        give(plain(kb.describe()), tables.describe, as_json=as_json)


@click.command()
@_words("[CLAIM_ID]")
@click.option("--subject", metavar="NAME", help="Only claims about this subject.")
@click.option("--provider", metavar="NAME", help="Only claims about subjects of this provider.")
@click.option("--predicate", metavar="NAME", help="Only claims of this predicate.")
@click.option("--source", metavar="URL|ID", help="Only claims of this source.")
@knowledge_options
@click.option("--limit", type=click.IntRange(min=1), default=50, show_default=True, help="How many claims.")
@json_option
def show(words: tuple[str, ...], as_json: bool, **asked: Any) -> None:
    """Show one claim, or list claims.

    With CLAIM_ID the claim whole, with its versions and readings; else the claims that fit the options.
    """
    from claimbase.analysis.result import plain
    from claimbase.present import tables

    path, rest = several(words, 0, 1, "at most one CLAIM_ID")
    with reading(path) as kb:
        if rest:
            give(plain(kb.get(rest[0])), tables.claim, as_json=as_json)
        else:
            give(plain(kb.claims(**asked)), tables.claims, as_json=as_json)


@click.command(epilog=_EXAMPLES["sql"])
@_words("SELECT | CONSTRAINT...")
@click.option(
    "--dialect",
    metavar="ENGINE",
    help="Write the plan of CONSTRAINTs as one statement for postgres, datafusion, spark or duckdb.",
)
@_question_options
@json_option
@click.pass_context
def sql(context: click.Context, /, words: tuple[str, ...], dialect: str | None, as_json: bool, **asked: Any) -> None:
    """Run one SELECT of your own, or write a question's SQL.

    A SELECT runs over schema cb, on a locked reader that reaches no file, no setting and no write. With --dialect the
    words are constraints, as for answer, and all other options but --json belong to them.
    """
    if dialect is None:
        if any(context.get_parameter_source(name) is ParameterSource.COMMANDLINE for name in asked):
            raise click.UsageError("these options are for CONSTRAINTs, which need --dialect")
        _run_select(words, as_json=as_json)
        return
    with _answered(words, asked) as found:
        text = found.sql_for(dialect)
    if as_json:
        give_json({"dialect": dialect, "sql": text})
    else:
        give_text(text + "\n")


def _run_select(words: tuple[str, ...], *, as_json: bool) -> None:
    from claimbase.analysis.result import plain
    from claimbase.present import tables

    path, rest = several(words, 1, 1, "one SELECT statement")
    with locked(path) as kb:
        rows = kb.sql(rest[0])
    give({"columns": list(rows.columns), "rows": plain(rows.rows)}, tables.rows, as_json=as_json)


@click.command()
@click.option("--sql", "with_sql", is_flag=True, help="Add run_sql, which Toolbox(kb, sql=True) answers.")
def tools(*, with_sql: bool) -> None:
    """Write the tools' schemas for language models.

    A JSON list of function-call schemas in the strict subset; `claimbase.agents.call` answers the calls.
    """
    from claimbase.agents import SQL_TOOL, TOOLS

    give_json([*TOOLS, SQL_TOOL] if with_sql else TOOLS)


COMMANDS = (answer, ask, history, contradictions, freshness, describe, show, sql, tools)
