"""Loading: stage, read distinct texts, check, append to the log, derive the versions. One batch, all or nothing."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from claimbase import errors
from claimbase.claims import Claim, claim_id, column, flatten
from claimbase.compiler.staging import staging_select
from claimbase.errors import ClaimbaseError, InputError, InstantError, StoreError
from claimbase.ingest import readers
from claimbase.ingest.derive import derive
from claimbase.ingest.verbs import check_not_erased
from claimbase.sources import source_key, url_key
from claimbase.store import Db, Transaction, Write, write
from claimbase.temporal import iso, read_instant
from claimbase.vocabulary import Vocabulary

OnError = Literal["raise", "report"]
Progress = Callable[[int], None]

SKEW_SECONDS = 300  # a reading this far ahead of our clock is a clock that runs fast, not a lie (B5)
_CHUNK = 20_000
_LISTED = 100  # rejections named in one error message's details
_READS_FILE = {".csv": "read_csv", ".tsv": "read_csv", ".parquet": "read_parquet"}


@dataclass(frozen=True, slots=True)
class Rejection:
    """A row that was refused: where, why, and the class the reason belongs to.

    Args:
        row: its number in the input, from 1.
        error: the name of the error class.
        code: the stable code.
        message: what, where and what to do.
    """

    row: int
    error: str
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What a load did.

    Args:
        added: claims stated for the first time.
        readings: log entries added to claims already known.
        unchanged: rows that said nothing new.
        rejected: rows refused, with reasons.
        versions_added, versions_retracted: what followed from the log.
        warnings: what was stored but deserves a look.
        batch: the ledger's number of the write, None where nothing changed.
        erased: rows of claims that were erased; they are not stored again.
        covered: readings that an earlier correction or retraction covers: they are logged and change no belief (B6).
    """

    added: int
    readings: int
    unchanged: int
    rejected: tuple[Rejection, ...]
    versions_added: int
    versions_retracted: int
    warnings: tuple[str, ...] = ()
    batch: int | None = None
    covered: int = 0
    erased: int = 0

    def __str__(self) -> str:
        refused = f", {len(self.rejected):,} rejected" if self.rejected else ""
        refused += f", {self.covered:,} covered by earlier decisions" if self.covered else ""
        refused += f", {self.erased:,} of erased claims dropped" if self.erased else ""
        claims = f"{self.added:,} claim{'s' if self.added != 1 else ''} added"
        return f"{claims}, {self.readings:,} further readings, {self.unchanged:,} unchanged{refused}"

    def to_json(self) -> dict[str, Any]:
        """Give the report as plain data."""
        return {
            "added": self.added, "readings": self.readings, "unchanged": self.unchanged,
            "rejected": [{"row": r.row, "error": r.error, "code": r.code, "message": r.message} for r in self.rejected],
            "versions_added": self.versions_added, "versions_retracted": self.versions_retracted,
            "warnings": list(self.warnings), "batch": self.batch, "covered": self.covered, "erased": self.erased,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Table:
    """A CSV or Parquet file, or a pandas, polars or Arrow frame: columns are claim fields."""

    source: Any


@dataclass(frozen=True, slots=True)
class Whole:
    """Readings of a source that is read whole (T8).

    Args:
        url: the source's address.
        readings: instant and declared version of each reading.
        complete: a removal is a denial (W2).
        own: the source dates its statements itself.
        listing: the rows are all the source says at its one reading.
    """

    url: str
    readings: tuple[tuple[str, str | None], ...]
    complete: bool = False
    own: bool = False
    listing: bool = False


@dataclass(slots=True)
class _Refused:
    """Rows refused before they reached the staging table."""

    rows: list[Rejection] = field(default_factory=list)

    def add(self, row: int, error: ClaimbaseError) -> None:
        self.rows.append(Rejection(row, type(error).__name__, error.code, str(error)))


def load(
    db: Db,
    vocabulary: Vocabulary,
    records: Iterable[tuple[int, Claim | Mapping[str, Any] | ClaimbaseError]] | Table,
    *,
    whole: Whole | None = None,
    on_error: OnError = "raise",
    strict: bool = False,
    verb: str = "add",
    progress: Progress | None = None,
) -> IngestReport:
    """Load claims and log entries as one batch (W5, B6).

    Args:
        db: the base.
        vocabulary: how predicates are read.
        records: numbered claims or mappings (an error stands for a row that could not be parsed), or a table.
        whole: how the feed's source is read, where it is read whole.
        on_error: "raise" stores nothing if any row is refused; "report" stores the rest.
        strict: refuse undeclared predicates.
        verb: what the ledger calls the batch.
        progress: called with the number of rows staged so far.

    Raises:
        ClaimbaseError: the class and code of the first refused row; ``details["rejections"]`` lists them.
    """
    with write(db, verb) as under_way:
        transaction, refused = under_way.transaction, _Refused()
        transaction.file("ingest/incoming")
        staged = _stage(transaction, records, refused, progress)
        if not staged and not refused.rows and whole is None:
            raise InputError("there is no claim in the input", code="empty_input", hint="check the file")
        _read(under_way, vocabulary, strict=strict)
        _check(transaction, refused, on_error)
        warnings = _warnings(transaction, vocabulary)
        counts = _append(under_way, whole)
        versions = derive(under_way)
        rejected = tuple(sorted(refused.rows, key=lambda rejection: rejection.row))
        covered = transaction.file("log/covered").rows[0][0]
        erased = sum(rows for _, rows in transaction.file("log/erased"))
    batch = under_way.batch.batch_id if under_way.batch else None
    return IngestReport(*counts, rejected, *versions, warnings, batch, covered, erased)


def enter(under_way: Write, vocabulary: Vocabulary, claim: Claim | Mapping[str, Any], *, said: bool) -> dict[str, Any]:
    """Enter one claim into the log of a write under way, by the same path as any other; nothing is derived yet.

    Args:
        under_way: the write; its transaction holds ``touched`` afterwards.
        vocabulary: how its predicate is read.
        claim: the claim.
        said: log its reading; else only what it states is entered.

    Returns:
        Its numbers, its reading and the bounds it states.

    Raises:
        ClaimStateError: [erased] it was erased.
    """
    transaction = under_way.transaction
    transaction.file("ingest/incoming")
    _stage(transaction, [(1, claim)], _Refused(), None)
    _read(under_way, vocabulary, strict=False)
    _check(transaction, _Refused(), "raise")
    for number, _ in transaction.file("log/erased"):
        check_not_erased(transaction, number, claim_id(number))
    _append(under_way, None, said=said)
    (entered,) = transaction.file("log/entered").dicts()
    return entered


def _stage(
    transaction: Transaction,
    records: Iterable[tuple[int, Claim | Mapping[str, Any] | ClaimbaseError]] | Table,
    refused: _Refused,
    progress: Progress | None,
) -> int:
    if isinstance(records, Table):
        return _stage_table(transaction, records.source)
    count, rows = 0, _flat(records, refused)
    while True:
        with _without_collector():
            chunk = list(islice(rows, _CHUNK))
        if not chunk:
            return count
        transaction.append("incoming", chunk)
        count += len(chunk)
        if progress is not None:
            progress(count)


def _flat(
    records: Iterable[tuple[int, Claim | Mapping[str, Any] | ClaimbaseError]], refused: _Refused
) -> Iterator[tuple[Any, ...]]:
    for row, record in records:
        if isinstance(record, ClaimbaseError):
            refused.add(row, record)
            continue
        try:
            yield (row, *flatten(record))
        except ClaimbaseError as error:
            refused.add(row, error)


def _stage_table(transaction: Transaction, source: Any) -> int:
    """Let the engine read a file or frame; its columns are matched to claim fields by name."""
    if not isinstance(source, (str, Path)):
        with _readable("the frame"), transaction.frame("given_frame", source):
            return _stage_columns(transaction, None, {})
    path = Path(source)
    if not path.is_file():
        raise InputError(f"there is no file {path.name}", code="not_found", hint="check the path")
    if path.stat().st_size == 0:
        raise InputError(f"{path.name} is empty", code="empty_input", hint="check the file")
    with _readable(path.name):
        return _stage_columns(transaction, _READS_FILE[path.suffix.lower()], {"path": str(path)})


@contextmanager
def _readable(name: str) -> Iterator[None]:
    """Blame the input for what the engine cannot read of it; its own words hold paths (C14)."""
    try:
        yield
    except StoreError as error:
        if error.code != "engine":
            raise
        raise InputError(f"{name} cannot be read as a table", code="bad_file", hint="check what it is") from error


def _stage_columns(transaction: Transaction, function: str | None, params: dict[str, Any]) -> int:
    described = transaction.run(staging_select(function, None), params)
    columns = {}
    for name, kind, *_ in described:
        if name != "source" and column(name) is None:
            raise InputError(f"a claim has no field {errors.shown(name)}", code="extra_field", hint="rename the column")
        columns[name] = (column(name), kind)
    transaction.run(staging_select(function, columns), params)
    return int(transaction.file("ingest/count").rows[0][0])


def _read(under_way: Write, vocabulary: Vocabulary, *, strict: bool) -> None:
    """Read every distinct text once and join what was read back to the rows."""
    transaction = under_way.transaction
    for table, source, width, read in (
        ("name_read", "ingest/texts_names", 2, readers.read_name),
        ("predicate_read", "ingest/texts_predicates", 1, readers.predicate_reader(vocabulary, strict=strict)),
        ("scope_read", "ingest/texts_scopes", 1, readers.read_scope),
        ("instant_read", "ingest/texts_instants", 1, readers.read_moment),
    ):
        transaction.file(f"ingest/{table}")
        texts = ((text, text) for (text,) in transaction.file(source))
        transaction.append(table, readers.read_all(texts, width, read))
    for table, source, width, reader in (
        ("value_read", "ingest/value_texts", 11, readers.value_reader(vocabulary)),
        ("bound_read", "ingest/bound_texts", 6, readers.read_bounds),
        ("source_read", "ingest/source_texts", 6, readers.read_source),
    ):
        transaction.file(f"ingest/{table}")
        transaction.file(source)
        transaction.append(table, readers.read_all(transaction.file(f"{source}_list"), width, reader))
    at = {"recorded_at": under_way.recorded_at}
    transaction.file("ingest/staged", at | {"skew": SKEW_SECONDS * 1_000_000})
    transaction.file("ingest/source_cycles", at)


def _check(transaction: Transaction, refused: _Refused, on_error: OnError) -> None:
    """Collect the refused rows; raise the first of them unless they are only to be reported (W5)."""
    for row, code, message in transaction.file("ingest/rejected"):
        name, _, short = code.partition(".")
        refused.rows.append(Rejection(row, name, short, message))
    if refused.rows and on_error == "raise":
        first, *others = sorted(refused.rows, key=lambda rejection: rejection.row)
        more = f" (and {len(others)} more rows)" if others else ""
        raise getattr(errors, first.error)(
            f"row {first.row}: {first.message}{more}",
            code=first.code,
            hint='nothing was stored; on_error="report" stores the other rows',
            rejections=tuple(sorted(refused.rows, key=lambda rejection: rejection.row)),
            row=first.row,
        )


def _warnings(transaction: Transaction, vocabulary: Vocabulary) -> tuple[str, ...]:
    names = [name for name, key in transaction.file("ingest/new_names") if readers.mixed_script(name)]
    unknown = [name for (name,) in transaction.file("ingest/new_predicates") if vocabulary.find(name) is None]
    bidi = [row for (row,) in transaction.file("ingest/bidi_quotes")]
    return (
        *(f"has_bidi: the quote of row {row} turns the direction of reading" for row in bidi[:_LISTED]),
        *(f"mixed_script: {errors.shown(name)} mixes alphabets that look alike" for name in sorted(names)[:_LISTED]),
        *(f"undeclared: {name} is kept as text" for name in sorted(unknown)[:_LISTED]),
    )


def _append(under_way: Write, whole: Whole | None, *, said: bool = True) -> tuple[int, int, int]:
    """Append dimensions, claims, readings and entries; give the counts of new claims, further readings, no news."""
    transaction, at = under_way.transaction, {"recorded_at": under_way.recorded_at}
    for table in ("predicates", "subjects", "scopes", "units", "sources"):
        transaction.file(f"log/{table}", at)
    transaction.file("log/accepted")
    if collided := transaction.file("log/collisions").rows:
        raise StoreError(
            f"{len(collided)} claims share a number with other content", code="collision", hint="the base is damaged"
        )
    _whole_readings(under_way, whole)
    transaction.file("log/entries")
    if not said:
        transaction.file("log/no_entries")
    transaction.file("log/new_claims")
    (counts,) = transaction.file("log/counts").rows
    for table in ("statements", "values", "meanings", "quotes", "attributes"):
        transaction.file(f"log/{table}", at)
    transaction.file("log/append_entries", at)
    transaction.file("log/readings")
    transaction.file("log/append_readings", at)
    transaction.file("log/touched")
    if whole is not None and transaction.file("log/mode_changes", _mode(whole)).rows[0][0]:
        transaction.file("log/modes", at | _mode(whole))
        transaction.file("log/touched_by_mode")
    return int(counts[0]), int(counts[1]), int(counts[2])


def _whole_readings(under_way: Write, whole: Whole | None) -> None:
    """Stage the readings of a source read whole; a listing's missing claims become gone, at it and after it (T8)."""
    transaction = under_way.transaction
    transaction.file("ingest/whole_reading")
    if whole is None:
        return
    key = url_key(whole.url)
    moments = [(key, reading_moment(at, under_way.recorded_at), version) for at, version in whole.readings]
    source = {"url_key": key, "source_key": source_key(key), "uri": whole.url}
    transaction.file("log/whole_source", source | {"recorded_at": under_way.recorded_at})
    transaction.append("whole_reading", moments)
    if whole.listing:
        transaction.file("log/listing_state")
        transaction.file("log/listing_entries")


def reading_moment(given: str | datetime, recorded_at: datetime) -> datetime:
    """Give the instant of a reading made by a batch's instant; a clock that runs a little fast is taken as now (B5).

    Raises:
        InstantError: [future_observation] it has not come yet.
    """
    moment = read_instant(given, field="observed_at")
    if (moment - recorded_at).total_seconds() > SKEW_SECONDS:
        raise InstantError(f"observed_at {iso(moment)} lies in the future", code="future_observation")
    return min(moment, recorded_at)


def _mode(whole: Whole) -> dict[str, bool]:
    return {"complete": whole.complete, "own": whole.own}


@contextmanager
def _without_collector() -> Iterator[None]:
    """Pause the garbage collector: it takes three quarters of the time of making many small tuples."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
