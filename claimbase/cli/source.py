"""The commands about sources: make them known, store what was read, decide about them, look at them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from claimbase.cli.speaking import (
    base_argument,
    give,
    give_json,
    json_option,
    knowledge_options,
    options,
    reading,
    say,
    several,
)
from claimbase.present.words import counted


@click.group()
def source() -> None:
    """Sources, and the texts they were read with."""


_said_options = options(
    click.option("--title", metavar="TEXT", help="The page's title."),
    click.option("--publisher", metavar="NAME", help="Who publishes it."),
    click.option("--type", "source_type", metavar="TYPE", help="official_docs, pricing, paper, news, dataset …"),
    click.option("--authority", metavar="WHO", help="Who speaks: primary, secondary, aggregator …"),
    click.option("--derived-from", metavar="SOURCE", help="The address or id of the source it restates."),
)


@source.command()
@base_argument
@click.argument("uri", metavar="URL")
@click.option("--observed-at", metavar="INSTANT", help="When it was seen to say so; needed with any of the following.")
@click.option("--published-at", metavar="INSTANT", help="When it says it was published.")
@_said_options
@json_option
def add(file: Path, uri: str, observed_at: str | None, as_json: bool, **said: Any) -> None:
    """Make a source known, and what it says of itself."""
    from claimbase import base

    with base.open(file, create=False) as kb:
        done = kb.sources.add(uri, observed_at=observed_at, **said)
    _report(done, as_json=as_json)


@source.command("set")
@base_argument
@click.argument("name", metavar="SOURCE")
@click.option("--allow/--forbid", "allowed", default=None, help="Whether evidence may rest on it.")
@click.option("--reason", metavar="TEXT", help="Why; needed with --forbid.")
@click.option("--freshness-days", type=int, metavar="DAYS", help="After how many days without a reading it is stale.")
@click.option("--doi", metavar="DOI", help="The publication it is.")
@click.option("--tenant", metavar="NAME", help="For whom it may be used.")
@click.option("--mirror-of", metavar="SOURCE", help="The source it copies; the same body is then accepted.")
@json_option
def set_(file: Path, name: str, as_json: bool, **decided: Any) -> None:
    """Decide about a source; what is left out stays."""
    from claimbase import base

    if all(value is None for value in decided.values()):
        raise click.UsageError("expected at least one decision, for example --forbid --reason TEXT")
    with base.open(file, create=False) as kb:
        done = kb.sources.set(name, **decided)
    _report(done, as_json=as_json)


@source.command()
@base_argument
@click.argument(
    "text_file", metavar="TEXT|-", type=click.Path(path_type=Path, dir_okay=False, allow_dash=True, exists=True)
)
@click.option("--uri", metavar="URL", help="Its address or the source's id; without it an upload of that name.")
@click.option("--observed-at", metavar="INSTANT", required=True, help="When it was read.")
@click.option(
    "--profile", type=click.Choice(["plain", "pdf", "markdown", "html-md"]),
    help="How the text is written (default: as the file's name or media type tells).",
)  # fmt: skip
@click.option("--media-type", metavar="TYPE", help="As the server states it: 'text/html; charset=utf-8'.")
@click.option("--record", metavar="SELECTOR", help='One record of a CSV or JSON file: \'{"id": "x"}\' or /models/0.')
@click.option("--published-at", metavar="INSTANT", help="When it says it was published.")
@click.option("--version", "declared_version", metavar="TEXT", help="What the source calls this version.")
@click.option("--tool", metavar="NAME", default="command line", show_default=True, help="What read it.")
@click.option("--http-status", type=int, metavar="CODE", help="What the server answered.")
@click.option("--accept", metavar="REASON", help="Store it although a guard refuses it; the reason is kept.")
@click.option("--mirror-of", metavar="SOURCE", help="The source it copies.")
@_said_options
@json_option
def ingest(file: Path, text_file: Path, as_json: bool, **given: Any) -> None:
    """Store a text as read: from a file, or - for standard input."""
    from claimbase import base

    options = _ingest_options(text_file, given)
    content = sys.stdin.buffer.read(_MOST) if str(text_file) == "-" else _content(text_file)
    with base.open(file, create=False) as kb:
        done = kb.sources.ingest(content, **options)
    _report(done, as_json=as_json)


@source.command("ingest-pages")
@base_argument
@click.argument("pages", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--observed-at", metavar="INSTANT", help="When they were read, where the rows do not say.")
@click.option(
    "--url-key", "url_keys", multiple=True, metavar="FIELD", help="A field that names the source, best first."
)
@click.option(
    "--text-key", "text_keys", multiple=True, metavar="FIELD", help="A field that holds the text, best first."
)
def ingest_pages(
    file: Path, pages: Path, observed_at: str | None, url_keys: tuple[str, ...], text_keys: tuple[str, ...]
) -> None:
    """Store the pages of a JSON lines file, as one batch."""
    from claimbase import base

    with base.open(file, create=False) as kb:
        number = kb.sources.ingest_pages(pages, url_keys=url_keys, text_keys=text_keys, observed_at=observed_at)
    say(f"{counted(number, 'page')} read")


_MOST = 16 * 1024 * 1024 + 1  # one byte more than is stored, so that too much is seen to be too much
_SAID = ("title", "publisher", "source_type", "authority", "derived_from")


def _content(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_MOST)


def _ingest_options(path: Path, given: dict[str, Any]) -> dict[str, Any]:
    """Turn what was said on the command line into what ingest takes; a file's name tells what is not said."""
    from claimbase.evidence.formats import media_type_of, upload_uri
    from claimbase.evidence.records import read_selector

    if given["uri"] is None and str(path) == "-":
        raise click.UsageError("standard input has no name: give --uri")
    record = given.pop("record")
    said = {name: given.pop(name) for name in _SAID}
    if given["uri"] is None:
        said["source_type"], said["authority"] = (
            said["source_type"] or "upload",
            said["authority"] or "self_declared_upload",
        )
    if given["media_type"] is None and given["profile"] is None:
        given["media_type"] = media_type_of(path.name)
    given["uri"] = given["uri"] or upload_uri(path.name)
    return given | {"source": said, "selector": read_selector(record) if record else None}


@source.command()
@base_argument
@click.argument("name", metavar="SOURCE")
@click.option(
    "--file", "text_file", metavar="TEXT|-", required=True,
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True, exists=True), help="The page as it is now.",
)  # fmt: skip
@click.option("--observed-at", metavar="INSTANT", required=True, help="When it was read.")
@click.option("--accept", metavar="REASON", help="Store it although a guard refuses it; the reason is kept.")
@json_option
def recheck(file: Path, name: str, text_file: Path, observed_at: str, accept: str | None, as_json: bool) -> None:
    """Read a source's page again: confirm each quote that stands, and open a review for each that does not."""
    from claimbase import base
    from claimbase.present import proofs

    content = sys.stdin.buffer.read(_MOST) if str(text_file) == "-" else _content(text_file)
    with base.open(file, create=False) as kb:
        done = kb.recheck(name, content, observed_at=observed_at, accept=accept)
    give(done.to_json(), proofs.recheck, as_json=as_json)


@source.command("list")
@click.argument("words", nargs=-1, metavar="[FILE]")
@knowledge_options
@json_option
def list_(words: tuple[str, ...], as_json: bool, **known: Any) -> None:
    """List sources with their texts, readings and claims."""
    from claimbase.present import sources

    path, _ = several(words, 0, 0, "at most a FILE")
    with reading(path) as kb:
        give(kb.sources.list(**known).to_json(), sources.listed, as_json=as_json)


@source.command()
@click.argument("words", nargs=-1, required=True, metavar="[FILE] SOURCE")
@knowledge_options
@json_option
def show(words: tuple[str, ...], as_json: bool, **known: Any) -> None:
    """Show one source whole, with every reading of it."""
    from claimbase.present import sources

    path, (name,) = several(words, 1, 1, "a source's id or address")
    with reading(path) as kb:
        give(kb.sources.show(name, **known).to_json(), sources.shown, as_json=as_json)


@source.command()
@click.argument("words", nargs=-1, metavar="[FILE]")
@knowledge_options
@json_option
def timeline(words: tuple[str, ...], as_json: bool, **known: Any) -> None:
    """Show which sources were read when, by domain."""
    from claimbase.present import sources

    path, _ = several(words, 0, 0, "at most a FILE")
    with reading(path) as kb:
        give(kb.sources.timeline(**known).to_json(), sources.timeline, as_json=as_json)


def _report(done: Any, *, as_json: bool) -> None:
    say(done.words)
    if as_json:
        give_json(done.to_json())


COMMANDS = (source,)
