"""The entries: each takes one text, cuts it into fields where a parser takes several, and lets the parser read them."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import rfc8785

from claimbase.claims import COLUMNS, flatten
from claimbase.constraints import conditions, format_constraint, parse_constraint, to_json, typed
from claimbase.dates import read_date
from claimbase.errors import ClaimbaseError
from claimbase.evidence.align import SourceText, align
from claimbase.evidence.citations import PROVIDERS
from claimbase.evidence.model import PROFILES, Hint
from claimbase.evidence.report_text import read_report
from claimbase.importers.claim_files import read_claims
from claimbase.importers.feed import parse_json
from claimbase.ingest import readers
from claimbase.quantities import read_quantity
from claimbase.questions import Names, read_question, say
from claimbase.receipts.loading import load
from claimbase.sources import cluster_key, doi_key, url_key
from claimbase.store import read_checkpoint
from claimbase.temporal import read_instant, read_period
from claimbase.units import phrase
from claimbase.values import Kind, folded, read_value, unread_value
from claimbase.vocabulary import Vocabulary, load_pack
from fuzz.mutating import FIELD

CHECKOUT = Path(__file__).resolve().parents[2]
NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
NAMES = Names(
    subjects=("Gemini 2.5 Flash", "Claude Haiku 4.5", "GPT-5", "Claude Sonnet 4.5", "Debian 12", "Python 3.9"),
    providers=("OpenAI", "Google", "Anthropic", "Python", "Debian"),
)  # fmt: skip
Outcome = tuple[object, ...]


@cache
def vocabulary() -> Vocabulary:
    """The packs that are shipped."""
    return Vocabulary.of(*(load_pack(path) for path in sorted((CHECKOUT / "seeds" / "predicates").glob("*.toml"))))


def fields(text: str, count: int) -> list[str | None]:
    """Cut an input into fields; those that are missing or empty are None, but for the first."""
    first, *rest = text.split(FIELD, count - 1)
    return [first, *(one or None for one in rest), *[None] * (count - 1 - len(rest))]


def number(text: str) -> Outcome:
    """Read a number, the predicate's unit, the claim's unit."""
    words, wanted, stated = fields(text, 3)
    read = read_quantity(words or "", unit=wanted, stated_unit=stated)
    return (read.min is None, read.max is None, read.min_open, read.max_open, read.approximate, read.unit)


def unit(text: str) -> Outcome:
    """Read a unit."""
    return (phrase(text).dimension,)


KINDS: tuple[Kind, ...] = ("quantity", "date", "bool", "text", "entity", "set")


def value(text: str) -> Outcome:
    """Read a text as a value of every kind, and as a value that is kept unread; the last error is the input's."""
    outcome: list[object] = []
    refused: ClaimbaseError | None = None
    words = text.replace(FIELD, "")
    for read in (*(lambda kind=kind: read_value(words, kind=kind) for kind in KINDS), lambda: unread_value(words)):
        try:
            outcome.append(read().kind)
        except ClaimbaseError as error:
            refused = error
    if refused is not None and not outcome:
        raise refused
    return (*outcome, folded(words) == words)


def date(text: str) -> Outcome:
    """Read a date as sources write them, and the zone in which days begin."""
    words, zone = fields(text, 2)
    read = read_date(words or "", zone=zone or "UTC")
    return (read.kind, read.precision)


def instant(text: str) -> Outcome:
    """Read an instant and a period as the API takes them."""
    words, zone = fields(text, 2)
    read = read_period(words or "", zone=zone or "UTC")
    read_instant(words or "")
    return (read.kind, read.precision)


def constraint(text: str) -> Outcome:
    """Read a constraint, write it, read that back: the same; then type it."""
    read = parse_constraint(text)
    again = parse_constraint(format_constraint(read))
    assert again == read, f"{format_constraint(read)!r} says otherwise"
    return (type(typed(read, vocabulary())).__name__,)


def conditions_json(text: str) -> Outcome:
    """Read constraints as data, write them and type them."""
    read = conditions(json.loads(text) if _is_json(text) else text)
    for one in read:
        json.dumps(to_json(one))
        typed(one, vocabulary())
    return (len(read),)


def _is_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict | list)
    except (ValueError, RecursionError):
        return False


def question(text: str) -> Outcome:
    """Read a question; what is read whole is said and read again."""
    read = read_question(text, vocabulary(), NAMES, now=NOW)
    json.dumps(read.to_json())
    if read.complete:
        say(read, vocabulary())
    return (read.op, read.complete, len(read.conditions))


def json_text(text: str) -> Outcome:
    """Read JSON as feeds are read."""
    return (type(parse_json(text, where="line 1")).__name__,)


@cache
def _file() -> Path:
    handle = tempfile.NamedTemporaryFile(suffix=".jsonl")  # noqa: SIM115  # lives with the process
    _kept.append(handle)
    return Path(handle.name)


_kept: list[object] = []


def jsonl(text: str) -> Outcome:
    """Read a file of claims, plain or gzip."""
    _file().write_bytes(text.encode("latin-1" if text.startswith("\x1f\x8b") else "utf-8", "replace"))
    rows = list(read_claims(_file()))
    return (min(len(rows), 5), *sorted({type(row).__name__ for _, row in rows}))


_READERS: tuple[tuple[Callable[..., Any], tuple[str, ...]], ...] = (
    (readers.read_name, ("provider",)),
    (readers.read_name, ("subject",)),
    (readers.read_scope, ("scope",)),
    (readers.read_moment, ("observed_at",)),
    (readers.read_bounds, ("effective_from", "effective_until", "effective_through", "zone")),
    (readers.read_source, ("source_url", "source_type", "source_authority", "source_derived_from")),
)
_VALUE_CELLS = ("predicate", "value", "normalized_value", "unit", "polarity", "keep_unread")


def claim(text: str) -> Outcome:
    """Read a line of a feed as a claim, cell by cell, as ingest does."""
    given = parse_json(text, where="line 1")
    row = dict(zip(COLUMNS, flatten(given), strict=True))
    outcome: list[object] = []
    known = ((readers.predicate_reader(vocabulary(), strict=False), ("predicate",)),)
    for read, names in (*_READERS, *known, (readers.value_reader(vocabulary()), _VALUE_CELLS)):
        cells = [row[name] for name in names]
        if len(names) > 1 or cells[0] is not None:
            try:
                read(*cells)
            except ClaimbaseError as error:
                outcome.append(error.code)
    return tuple(outcome)


def quote(text: str) -> Outcome:
    """Look for a quote in a text of a profile, with a hint."""
    words, page, profile, start = fields(text, 4)
    known = profile if profile in PROFILES else PROFILES[len(text) % len(PROFILES)]
    hint = Hint(start=int(start)) if start and start.isdecimal() and len(start) < 10 else None
    source = SourceText(page, known)
    match = align(words or "", source, hint)
    if match.start is not None and match.end is not None:
        assert 0 <= match.start < match.end <= len(source.text), (match.start, match.end)
    return (match.status, match.tier, *match.flags[:3], len(match.changes))


def report(text: str) -> Outcome:
    """Read a report; its ranges lie in it, in order."""
    read = read_report(text)
    assert all(0 <= one.start < one.end <= len(text) for one in (*read.pairs, *read.quotes))
    assert all(one.start <= other.start for one, other in pairwise(read.pairs))
    return (min(len(read.pairs), 5), min(len(read.quotes), 5), min(len(read.dangling), 3), min(read.unparsed, 3))


def citations(text: str) -> Outcome:
    """Read what a provider cited: a message's content, or a candidate."""
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        given = text
    provider = "google" if isinstance(given, dict) else "anthropic"
    return (provider, min(len(PROVIDERS[provider](given)), 5))


def receipt(text: str) -> Outcome:
    """Read a receipt as it stands, and with its digest mended, as a forger would."""
    try:
        data = json.loads(text)
        data["ledger"]["body_sha256"] = _digest(data)
        text = json.dumps(data)
    except (ValueError, TypeError, AttributeError, LookupError, RecursionError, rfc8785.CanonicalizationError):
        pass
    read = load(text.encode("utf-8", "surrogatepass"))
    return (read.kind, read.passed)


def _digest(data: dict[str, Any]) -> str:
    return hashlib.sha256(rfc8785.dumps({name: part for name, part in data.items() if name != "ledger"})).hexdigest()


def checkpoint(text: str) -> Outcome:
    """Read a checkpoint."""
    batch, root = read_checkpoint(text)
    return (batch > 0, len(root))


def address(text: str) -> Outcome:
    """Read an address into its key, what it has in common with others, and the DOI in it; keys are their own keys."""
    doi = doi_key(text)
    key = url_key(text)
    assert url_key(key) == key, key
    cluster_key(key)
    return (doi is None, key.partition(":")[0])
