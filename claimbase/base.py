"""The front door: one object that opens a base and delegates every question to the room that answers it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from claimbase import ingest, questions
from claimbase.claims import Claim, claim_number
from claimbase.constraints import Condition, conditions
from claimbase.errors import ClaimbaseError, ClaimNotFoundError, InputError, StoreError, shown
from claimbase.files import folder
from claimbase.ingest import IngestReport, Table, Whole
from claimbase.store import Db, Moment, Rows, open_db, resolve
from claimbase.temporal import AsOf, Basis, Clock
from claimbase.vocabulary import Pack, Vocabulary, load_pack

if TYPE_CHECKING:
    from claimbase.analysis.contradictions import ContradictionReport
    from claimbase.analysis.freshness import Freshness
    from claimbase.analysis.history import History
    from claimbase.answers import Answer
    from claimbase.asking import Asked
    from claimbase.importers.feed import Feed

ConstraintInput: TypeAlias = str | Mapping[str, Any] | Condition
Records: TypeAlias = Any  # a claim, a mapping, an iterable of either, a path, or a pandas, polars or Arrow frame

_TABLES = (".csv", ".tsv", ".parquet")


def open(  # noqa: A001 - cb.open() is the name a reader expects
    path: str | Path | None = None,
    *,
    read_only: bool = False,
    clock: Clock | None = None,
    packs: Iterable[Pack] | None = None,
    create: bool = True,
) -> Claimbase:
    """Open a base, or make a new one.

    Args:
        path: its file; None = in memory.
        read_only: open a locked reader, for which the file must exist.
        clock: tells the time of writes and of *now*.
        packs: what a new base declares; None = the shipped packs.
        create: make the file where it is missing.

    Raises:
        StoreLockedError: another process is writing to it.
        StoreCorruptError: [not_a_store] the file is no base.
        SchemaVersionError: a newer claimbase wrote it.
    """
    db = open_db(None if path is None else Path(path), read_only=read_only, clock=clock, create=create)
    kb = Claimbase(db)
    if db.fresh and not read_only:
        kb.declare(*(shipped_packs() if packs is None else packs))
    return kb


def demo(clock: Clock | None = None) -> Claimbase:
    """Open a base in memory that holds the shipped seeds."""
    kb = open(clock=clock)
    ingest.load(kb.db, kb.vocabulary(), enumerate(_seed_claims(), 1), verb="seeds")
    return kb


def shipped_packs() -> list[Pack]:
    """Load the predicate packs that come with the package."""
    return [load_pack(file.read_text(encoding="utf-8")) for file in _files("predicates", ".toml")]


def _seed_claims() -> Iterator[Mapping[str, Any]]:
    from claimbase.importers.feed import parse_json

    for file in _files("claims", ".jsonl"):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            yield parse_json(line, where=f"{file.name} line {number}")


def _files(name: str, ending: str) -> list[Any]:
    found = [file for file in folder("seeds").joinpath(name).iterdir() if file.name.endswith(ending)]
    return sorted(found, key=lambda file: file.name)


class Claimbase:
    """One open base. Every reading method takes the basis: as_of, observed_by, recorded_by (default: now)."""

    def __init__(self, db: Db) -> None:
        self.db = db
        self._vocabularies: dict[datetime | None, Vocabulary] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        (row,) = self.db.file("queries/totals").dicts()
        return f"<claimbase {self.db.name}: {row['claims']:,} claims about {row['subjects']:,} subjects>"

    def close(self) -> None:
        """Close the base and give up its lock."""
        self.db.close()

    # -- the basis and the vocabulary -----------------------------------------------------------------------------

    def basis(
        self,
        as_of: AsOf | Moment | None = None,
        observed_by: Moment | None = None,
        recorded_by: Moment | None = None,
        *,
        then: bool = False,
    ) -> Basis:
        """Resolve a basis (A1-A5); see :func:`claimbase.store.resolve`."""
        return resolve(self.db, as_of, observed_by, recorded_by, then=then)

    def vocabulary(self, basis: Basis | None = None) -> Vocabulary:
        """Give the predicates declared by the basis (A6); before any was, those of now, so that words can be read."""
        recorded_by = (basis or self.basis()).recorded_by
        ((key,),) = self.db.file("queries/declared_at", {"recorded_by": recorded_by}).rows
        if key is None and basis is not None:
            return self.vocabulary()
        if key not in self._vocabularies:
            self._vocabularies[key] = ingest.vocabulary_at(self.db, recorded_by)
        return self._vocabularies[key]

    def declare(self, *packs: Pack | str | Path | Mapping[str, Any]) -> int:
        """Declare predicate packs; a TOML path, TOML text or mapping is loaded first.

        Returns:
            How many predicates were declared anew or otherwise.
        """
        return ingest.declare(self.db, [pack if isinstance(pack, Pack) else load_pack(pack) for pack in packs])

    # -- writing --------------------------------------------------------------------------------------------------

    def add(
        self,
        claims: Records,
        *,
        on_error: ingest.OnError = "raise",
        strict: bool = False,
        progress: ingest.Progress | None = None,
    ) -> IngestReport:
        """Add claims as one batch (W5, B6).

        Args:
            claims: a Claim or mapping, an iterable of them, a JSONL, CSV or Parquet path, or a frame.
            on_error: "raise" stores nothing if any row is refused, "report" stores the others.
            strict: refuse undeclared predicates.
            progress: called with the number of rows staged so far.

        Raises:
            ClaimbaseError: class and code of the first refused row; ``details["rejections"]`` lists all.
        """
        return ingest.load(
            self.db, self.vocabulary(), _records(claims), on_error=on_error, strict=strict, progress=progress
        )

    def load(
        self,
        feed: Feed,
        *,
        on_error: ingest.OnError = "report",
        progress: ingest.Progress | None = None,
    ) -> IngestReport:
        """Load an importer's feed: its rows, its readings, and how its source is read (T8, W2)."""
        whole = None
        if feed.mode.whole:
            readings = tuple((reading.observed_at, reading.version) for reading in feed.readings)
            url = feed.readings[0].url if feed.readings else feed.source["url"]
            whole = Whole(url, readings, feed.mode.complete, feed.mode.own, feed.listing)
        return ingest.load(
            self.db, self.vocabulary(), enumerate(feed.rows, 1), whole=whole, on_error=on_error, verb="import",
            progress=progress,
        )  # fmt: skip

    def observe(
        self, claim_id: str, outcome: ingest.Outcome = "confirmed", *, observed_at: str | datetime
    ) -> tuple[int, int]:
        """Log that a claim's page was read again: confirmed, quote_missing or unreachable (W2).

        Returns:
            How many versions were inserted and retracted.
        """
        return ingest.observe(self.db, claim_id, outcome, observed_at)

    # -- asking ---------------------------------------------------------------------------------------------------

    def answer(
        self,
        *constraints: ConstraintInput,
        as_of: AsOf | Moment | None = None,
        observed_by: Moment | None = None,
        recorded_by: Moment | None = None,
        then: bool = False,
        **options: Any,
    ) -> Answer:
        """Answer constraints: who satisfies all of them by evidence, with a citation for every value (Q1-Q13).

        Args:
            constraints: text (``"context_window >= 128K"``), mappings, or Constraint and group objects.
            as_of, observed_by, recorded_by, then: the basis.
            options: policy, providers, providers_not, subjects, sources, source_types, authorities, show, order_by,
                limit, offset; see :func:`claimbase.answers.answer`.

        Raises:
            ConstraintError, VocabularyError, InstantError.
        """
        from claimbase import answers

        basis = self.basis(as_of, observed_by, recorded_by, then=then)
        given = [item for one in constraints for item in conditions(one)]
        return answers.answer(self.db, self.vocabulary(basis), given, basis, **options)

    def read(self, question: str, *, now: datetime | None = None) -> questions.Reading:
        """Read a question in words without answering it: what was understood, and what was not."""
        basis = self.basis()
        rows = self.db.file("queries/names").rows
        names = questions.Names(
            tuple(dict.fromkeys(name for _, name in rows)), tuple(dict.fromkeys(provider for provider, _ in rows))
        )
        return questions.read_question(question, self.vocabulary(basis), names, now=now or basis.now)

    def ask(
        self,
        question: str,
        *,
        as_of: AsOf | Moment | None = None,
        observed_by: Moment | None = None,
        recorded_by: Moment | None = None,
        then: bool = False,
        go_on: bool = False,
        **options: Any,
    ) -> Asked:
        """Answer a question in words: words -> constraints (shown) -> answer.

        Args:
            question: for example ``128K+ context, under $2/M input, as of March 1, 2026``.
            as_of, observed_by, recorded_by, then: the basis, where the words do not name one.
            go_on: answer the part that was understood although something was left over.
            options: as for :meth:`answer`, where the words say nothing.

        Raises:
            QuestionError: [not_understood] something was left over and go_on is not set; [not_answered] the words ask
                for what this version does not answer yet. ``details["reading"]`` holds what was understood.
        """
        from claimbase.asking import Asked, answered, check_understood

        reading = self.read(question)
        check_understood(reading, go_on=go_on)
        basis = self.basis(
            reading.as_of or as_of, reading.observed_by or observed_by, reading.recorded_by or recorded_by,
            then=reading.then or then,
        )  # fmt: skip
        return Asked(reading, answered(self.db, self.vocabulary(basis), reading, basis, options))

    def history(
        self,
        subject: str,
        predicate: str | None = None,
        *,
        provider: str | None = None,
        during: tuple[Moment | None, Moment | None] | None = None,
        as_of: AsOf | Moment | None = None,
        observed_by: Moment | None = None,
        recorded_by: Moment | None = None,
        then: bool = False,
    ) -> History:
        """Give the segments of a subject's claims: current, upcoming, historical, retracted, with gaps (H1)."""
        from claimbase.analysis.history import history

        basis = self.basis(as_of, observed_by, recorded_by, then=then)
        return history(self.db, basis, subject, predicate, provider=provider, during=during)

    def contradictions(
        self,
        *,
        during: tuple[Moment | None, Moment | None] | None = None,
        all_time: bool = False,
        as_of: AsOf | Moment | None = None,
        observed_by: Moment | None = None,
        recorded_by: Moment | None = None,
        then: bool = False,
        **options: Any,
    ) -> ContradictionReport:
        """Find where claims of one slot cannot both hold: at as_of, in a window, or over all time (K1-K10).

        Args:
            during: a half-open window; all_time: no window at all; neither: at as_of.
            options: subjects, predicates, providers, information.
        """
        from claimbase.analysis.contradictions import contradictions

        basis = self.basis(as_of, observed_by, recorded_by, then=then)
        return contradictions(self.db, basis, during=during, all_time=all_time, **options)

    def freshness(
        self,
        *,
        as_of: AsOf | Moment | None = None,
        observed_by: Moment | None = None,
        recorded_by: Moment | None = None,
        then: bool = False,
        **options: Any,
    ) -> Freshness:
        """Give the age of the evidence: newest and oldest observation, stale counts by predicate (Q9)."""
        from claimbase.analysis.freshness import freshness

        return freshness(self.db, self.basis(as_of, observed_by, recorded_by, then=then), **options)

    # -- browsing -------------------------------------------------------------------------------------------------

    def get(self, claim_id: str) -> dict[str, Any]:
        """Give one claim whole: what it says, every version ever recorded, every reading.

        Raises:
            ClaimNotFoundError: the base holds no such claim.
        """
        number, basis = {"claim_no": claim_number(claim_id)}, self.basis()
        known = {"observed_by": basis.observed_by, "recorded_by": basis.recorded_by}
        versions = self.db.file("queries/claim", number | known).dicts()
        if not versions:
            raise ClaimNotFoundError(f"the base holds no claim {claim_id}", hint="kb.claims() lists them")
        axes = (
            "from_earliest", "from_latest", "until_earliest", "until_latest", "observed_at", "observed_from",
            "observed_until", "recorded_at", "retracted_at", "retraction", "quote",
        )  # fmt: skip
        said = {name: value for name, value in versions[-1].items() if name not in axes or name == "quote"}
        history = [{name: version[name] for name in axes} for version in versions]
        return said | {"versions": history, "readings": self.db.file("queries/readings", number).dicts()}

    def claims(
        self,
        subject: str | None = None,
        predicate: str | None = None,
        source: str | None = None,
        *,
        provider: str | None = None,
        observed_by: Moment | None = None,
        recorded_by: Moment | None = None,
        limit: int = 1000,
    ) -> list[dict[str, Any]]:
        """List visible claims, narrowed by names; the predicate's aliases are included (P2).

        Args:
            subject, provider, predicate: names.
            source: a url or source id.
            limit: how many at most.
        """
        basis = self.basis(None, observed_by, recorded_by)
        names = None
        if predicate is not None:
            found = self.vocabulary(basis).find(predicate)
            names = [predicate] if found is None else [found.name, *(alias.name for alias in found.aliases)]
        return self.db.file("queries/claims", {
            "subject": subject, "provider": provider, "predicate": names, "source": source, "limit": limit,
            "observed_by": basis.observed_by, "recorded_by": basis.recorded_by,
        }).dicts()  # fmt: skip

    def describe(self) -> dict[str, Any]:
        """Tell what can be asked: the predicates with their kinds, units and operators, and how much the base holds."""
        from claimbase.constraints import allowed_operators

        use = {name: claims for name, claims, _ in self.db.file("queries/predicate_use")}
        predicates = [
            {
                "name": predicate.name, "kind": predicate.kind, "unit": predicate.unit,
                "cardinality": predicate.cardinality, "description": predicate.description,
                "aliases": [alias.name for alias in predicate.aliases], "words": list(predicate.words),
                "operators": list(allowed_operators(predicate.kind)),
                "claims": sum(use.get(name, 0) for name in (predicate.name, *(a.name for a in predicate.aliases))),
            }
            for predicate in self.vocabulary()
        ]  # fmt: skip
        (totals,) = self.db.file("queries/totals").dicts()
        providers = sorted({provider for provider, _ in self.db.file("queries/names")})
        return {"totals": totals, "predicates": predicates, "providers": providers}

    def sql(self, query: str) -> Rows:
        """Run one SELECT of your own on a locked reader: no file, no write, no setting is in reach (C8, G14).

        Raises:
            StoreError: [not_a_reader] the base is open for writing.
            InputError: the statement is no single SELECT over schema cb.
        """
        from claimbase.compiler.gate import check_select

        if not self.db.read_only:
            raise StoreError("free SQL needs a locked reader", code="not_a_reader", hint="open the base read_only=True")
        check_select(query)
        return self.db.query(query)


def _records(claims: Records) -> Iterable[tuple[int, Claim | Mapping[str, Any] | ClaimbaseError]] | Table:
    """Sort out what a caller may hand in: one claim, many, a path, or a frame."""
    if isinstance(claims, (Claim, Mapping)):
        return [(1, claims)]
    if isinstance(claims, (str, Path)):
        return _file(Path(claims))
    if hasattr(claims, "__arrow_c_stream__") or hasattr(claims, "columns") or hasattr(claims, "schema"):
        return Table(claims)
    if isinstance(claims, Iterable):
        return enumerate(claims, 1)
    raise InputError(
        f"{shown(type(claims).__name__)} is nothing to add", code="bad_value", hint="claims, a path or a frame"
    )


def _file(path: Path) -> Iterable[tuple[int, Mapping[str, Any] | ClaimbaseError]] | Table:
    from claimbase.importers.claim_files import read_claims

    ending = path.suffix.lower()
    if ending in _TABLES:
        return Table(path)
    if ending in (".jsonl", ".ndjson", ".gz"):
        return read_claims(path)
    raise InputError(
        f"{path.name} is no kind of file claims come in", code="unknown_file", hint=".jsonl, .csv, .tsv or .parquet"
    )


__all__ = ["Claimbase", "demo", "open", "shipped_packs"]
