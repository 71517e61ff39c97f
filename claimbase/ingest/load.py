"""Loading: stage, read distinct texts, check, append to the log, derive the versions. One batch, all or nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from claimbase import errors
from claimbase.claims import Claim, claim_id, column, flatten
from claimbase.compiler.staging import staging_select
from claimbase.errors import ClaimbaseError, InputError, StoreError
from claimbase.ingest import readers
from claimbase.ingest.append import SKEW_SECONDS, Whole, append, look
from claimbase.ingest.derive import derive
from claimbase.ingest.verbs import check_not_erased
from claimbase.pausing import without_collector
from claimbase.store import Db, Transaction, Write, write
from claimbase.vocabulary import Vocabulary

if TYPE_CHECKING:
    from claimbase.ingest.proving import Text

OnError = Literal["raise", "report"]
Progress = Callable[[int], None]

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
    snapshot: str | None = None,
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
        snapshot: the text the claims were read from: rows whose quote it does not hold are refused, the others'
            quotes are bound to it.

    Raises:
        ClaimbaseError: the class and code of the first refused row; ``details["rejections"]`` lists them.
        UnknownSourceError: [unknown_snapshot].
    """
    with write(db, verb) as under_way:
        transaction, refused = under_way.transaction, _Refused()
        transaction.file("ingest/incoming")
        staged = _stage(transaction, records, refused, progress)
        if not staged and not refused.rows and whole is None:
            raise InputError("there is no claim in the input", code="empty_input", hint="check the file")
        _read(under_way, vocabulary, strict=strict)
        text = None if snapshot is None else _text(under_way, snapshot)
        _check(transaction, refused, on_error)
        news = look(transaction)
        warnings = _warnings(transaction, vocabulary, news, refused)
        added, readings, unchanged, covered = append(under_way, whole, news)
        versions = derive(under_way)
        if text is not None:
            text.bind()
        rejected = tuple(sorted(refused.rows, key=lambda rejection: rejection.row))
    batch = under_way.batch.batch_id if under_way.batch else None
    return IngestReport(
        added, readings, unchanged, rejected, *versions, warnings, batch, covered=covered, erased=news["erased"]
    )


def _text(under_way: Write, snapshot: str) -> Text:
    """Refuse the rows whose words do not stand in the text they were read from."""
    from claimbase.ingest.proving import Text

    text = Text(under_way, snapshot)
    text.refuse()
    return text


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
        ClaimbaseError: it is no claim, as for any row.
    """
    transaction, refused = under_way.transaction, _Refused()
    transaction.file("ingest/incoming")
    _stage(transaction, [(1, claim)], refused, None)
    _read(under_way, vocabulary, strict=False)
    _check(transaction, refused, "raise")
    news = look(transaction)
    if news["erased"]:
        ((number,),) = transaction.file("log/erased")
        check_not_erased(transaction, number, claim_id(number))
    append(under_way, None, news, said=said)
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
        with without_collector():
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
    transaction, at = under_way.transaction, {"recorded_at": under_way.recorded_at}
    for table, source, width, read in (
        ("name_read", "ingest/texts_names", 2, readers.read_name),
        ("predicate_read", "ingest/texts_predicates", 1, readers.predicate_reader(vocabulary, strict=strict)),
        ("scope_read", "ingest/texts_scopes", 1, readers.read_scope),
        ("instant_read", "ingest/texts_instants", 1, readers.read_moment),
        ("value_read", "ingest/texts_values", 11, readers.value_reader(vocabulary)),
        ("bound_read", "ingest/texts_bounds", 6, readers.read_bounds),
        ("source_read", "ingest/texts_sources", 6, readers.read_source),
    ):
        transaction.file(f"ingest/{table}")
        transaction.append(table, readers.read_all(transaction.file(source), width, read))
    transaction.file("ingest/staged", at | {"skew": SKEW_SECONDS * 1_000_000})
    if transaction.number("ingest/any_derived"):
        transaction.file("ingest/source_cycles", at)


def _check(transaction: Transaction, refused: _Refused, on_error: OnError) -> None:
    """Collect the refused rows; raise the first of them unless they are only to be reported (W5)."""
    for row, code, message, given in transaction.file("ingest/rejected"):
        name, _, short = code.partition(".")
        told = message if given is None else f"{message}, not {errors.shown(given)}"
        refused.rows.append(Rejection(row, name, short, told))
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


def _warnings(
    transaction: Transaction, vocabulary: Vocabulary, news: Mapping[str, Any], refused: _Refused
) -> tuple[str, ...]:
    names = transaction.file("ingest/new_names") if news["subjects"] or refused.rows else ()
    mixed = [name for (name,) in names if readers.mixed_script(name)]
    predicates = transaction.file("ingest/new_predicates") if news["predicates"] else ()
    unknown = [name for (name,) in predicates if vocabulary.find(name) is None]
    bidi = [row for (row,) in transaction.file("ingest/bidi_quotes")]
    return (
        *(f"has_bidi: the quote of row {row} turns the direction of reading" for row in bidi[:_LISTED]),
        *(f"mixed_script: {errors.shown(name)} mixes alphabets that look alike" for name in sorted(mixed)[:_LISTED]),
        *(f"undeclared: {name} is kept as text" for name in sorted(unknown)[:_LISTED]),
    )
