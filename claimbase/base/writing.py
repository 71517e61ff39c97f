"""Everything that writes to a base: claims, readings, and the verbs that decide about claims (W1-W6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from claimbase import ingest
from claimbase.base.arguments import checked
from claimbase.base.given import records
from claimbase.base.keeping import Keeping
from claimbase.base.reading import ConstraintInput
from claimbase.claims import Claim
from claimbase.ingest import IngestReport, VerbReport, Whole
from claimbase.store import Moment
from claimbase.vocabulary import Pack, load_pack

if TYPE_CHECKING:
    from collections import Counter

    from claimbase.importers.feed import Feed
    from claimbase.ingest.notices import NoticeProvider
    from claimbase.watches import Event, Watch

ClaimInput: TypeAlias = Claim | Mapping[str, Any]
Records: TypeAlias = Any  # a claim, a mapping, an iterable of either, a path, or a pandas, polars or Arrow frame


@checked
class Claimbase(Keeping):
    """One open base: what can be asked of it, and what can be written to it."""

    # -- the vocabulary -------------------------------------------------------------------------------------------

    def declare(self, *packs: Pack | str | Path | Mapping[str, Any]) -> int:
        """Declare predicate packs (P1).

        Args:
            packs: loaded packs; or a TOML path, TOML text or a mapping, which is loaded first.

        Returns:
            How many predicates were declared anew or otherwise.

        Raises:
            VocabularyError: a pack is malformed; nothing is declared.
        """
        return ingest.declare(self.db, [pack if isinstance(pack, Pack) else load_pack(pack) for pack in packs])

    # -- claims ---------------------------------------------------------------------------------------------------

    def add(
        self,
        claims: Records,
        *,
        on_error: ingest.OnError = "raise",
        strict: bool = False,
        progress: ingest.Progress | None = None,
        snapshot: str | None = None,
    ) -> IngestReport:
        """Add claims as one batch (W5, B6).

        Args:
            claims: a Claim or mapping, an iterable of them, a JSONL, CSV or Parquet path, or a frame.
            on_error: "raise" stores nothing if any row is refused, "report" stores the others.
            strict: refuse undeclared predicates.
            progress: called with the number of rows staged so far.
            snapshot: the id of the text they were read from: a claim whose quote it does not hold is refused, the
                others' quotes are bound to it.

        Raises:
            ClaimbaseError: class and code of the first refused row; ``details["rejections"]`` lists all.
            UnknownSourceError: [unknown_snapshot].
        """
        return ingest.load(
            self.db, self.vocabulary(), records(claims), on_error=on_error, strict=strict, progress=progress,
            snapshot=snapshot,
        )  # fmt: skip

    def load(
        self,
        feed: Feed,
        *,
        on_error: ingest.OnError = "report",
        progress: ingest.Progress | None = None,
    ) -> IngestReport:
        """Load an importer's feed: its rows, its readings, and how its source is read (T8, W2).

        Args:
            feed: as a function of ``claimbase.importers`` gives it.
            on_error: "report" stores the rows that are not refused, "raise" nothing if any is.
            progress: called with the number of rows staged so far.

        Raises:
            ClaimbaseError: with on_error="raise", as for :meth:`add`.
        """
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
        self,
        claim_id: str,
        outcome: ingest.Outcome = "confirmed",
        *,
        observed_at: str | datetime,
        successor: ClaimInput | None = None,
        reason: str | None = None,
    ) -> VerbReport:
        """Log that a claim's page was read again: confirmed, quote_missing, changed or unreachable (W2, T8).

        Args:
            claim_id: the claim.
            outcome: how the page was found; changed names the successor, else a review task opens.
            observed_at: when the page was read.
            successor: the claim that now stands, of the same source; a mapping without a subject names what differs.
            reason: why, for the log.

        Raises:
            ClaimNotFoundError: the base has no such claim.
            ClaimStateError: the claim was erased, or all its readings were retracted.
            InstantError: [future_observation] (B5).
        """
        return ingest.observe(
            self.db, self.vocabulary(), claim_id, outcome, observed_at, successor=successor, reason=reason
        )

    # -- notices about publications --------------------------------------------------------------------------------

    def import_notices(
        self, path: str | Path, *, provider: str | None = None, observed_at: str | None = None
    ) -> tuple[VerbReport, Counter[str]]:
        """Import a file of notices about publications: retractions, concerns, corrections, reinstatements.

        Args:
            path: CSV with the columns of the Retraction Watch data, or JSON lines of our own; a file you fetched.
            provider: who lists them, where the rows do not say.
            observed_at: when the file was fetched, where the rows do not say.

        Returns:
            What was done, and how many rows were left out, by reason.

        Raises:
            InputError: [not_found], [bad_file], [bad_json], [missing_field], [extra_field], [bad_notice].
            InstantError: [missing_observed_at], [bad_date], [future_observation]; LimitError.
        """
        from claimbase.importers.notice_files import read_notices
        from claimbase.ingest.notices import import_notices

        file = read_notices(Path(path), provider=provider, observed_at=observed_at)
        return import_notices(self.db, file.notices), file.skipped

    def ask_notices(self, provider: NoticeProvider, dois: Sequence[str] | None = None) -> VerbReport:
        """Ask a provider of your own for notices; where it fails, the publications are unavailable, never ok.

        Args:
            provider: what answers; claimbase opens no connection.
            dois: the publications; None = those of all sources.

        Raises:
            EvidenceError: [bad_doi].
        """
        from claimbase.ingest.notices import ask_provider

        asked = dois if dois is not None else [row["doi"] for row in self.retractions().rows()]
        return ask_provider(self.db, provider, asked)

    # -- decisions ------------------------------------------------------------------------------------------------

    def supersede(
        self,
        claim_id: str,
        successor: ClaimInput,
        *,
        at: str | datetime | None = None,
        reason: str | None = None,
        decided_at: str | datetime | None = None,
    ) -> VerbReport:
        """Say that the world changed: the claim ends at an instant and its successor begins there (W1, W6).

        Args:
            claim_id: the claim that ends.
            successor: the claim that begins; its observed_at is when we learned of the change. Without a subject it is
                a mapping of what differs: slot, unit and source are the old claim's.
            at: when the world changed; None = where the successor states that it begins.
            reason: why, for the log.
            decided_at: when it was decided, not later than now; None = now (B6).

        Raises:
            ClaimNotFoundError: the base has no such claim.
            ClaimStateError: the claim does not stand, or is over at that instant.
            IntervalError: the change lies before the claim's start, or the successor states another start.
            InputError: [other_slot] the successor is about something else.
        """
        return ingest.supersede(
            self.db, self.vocabulary(), claim_id, successor, at=at, reason=reason, decided_at=decided_at
        )

    def correct(
        self,
        claim_id: str,
        successor: ClaimInput,
        *,
        reason: str | None = None,
        decided_at: str | datetime | None = None,
    ) -> VerbReport:
        """Say that we had recorded a claim wrongly: every reading of it so far counts as one of the other claim (B6).

        Args:
            claim_id: the claim that was wrong.
            successor: what its source says in truth; same slot, same source. Without a subject it is a mapping of what
                differs: all else is as the old claim has it.
            reason: why, for the log.
            decided_at: when it was decided, not later than now; None = now.

        Raises:
            ClaimNotFoundError, ClaimStateError.
            InputError: [other_slot] or [other_source] the successor is another slot's or another source's.
        """
        return ingest.correct(self.db, self.vocabulary(), claim_id, successor, reason=reason, decided_at=decided_at)

    def retract(self, what: str, *, reason: str, decided_at: str | datetime | None = None) -> VerbReport:
        """Stop standing by a claim, or by everything a source says (W6, R2).

        Args:
            what: a claim id, or a source's url or id.
            reason: why; shown wherever it was cited.
            decided_at: when it was decided, not later than now; None = now.

        Raises:
            ClaimNotFoundError, UnknownSourceError, ClaimStateError.
        """
        if what.startswith("c_"):
            return ingest.retract(self.db, what, reason=reason, decided_at=decided_at)
        return ingest.withdraw(self.db, what, reason=reason)

    def erase(self, claim_id: str, *, reason: str) -> VerbReport:
        """Remove a claim's content from the base for good, at every basis; a tombstone with the reason stays.

        Args:
            claim_id: the claim.
            reason: the law or the licence that asks for it.

        Raises:
            ClaimNotFoundError, ClaimStateError.
        """
        return ingest.erase(self.db, claim_id, reason=reason)

    def merge(
        self, alias: str, into: str, *, provider: str | None = None, into_provider: str | None = None,
        reason: str | None = None,
    ) -> VerbReport:  # fmt: skip
        """Say that two names mean one subject; answers at an earlier recorded_by stay split (P2).

        Args:
            alias, provider: the name that stands for the other, and its provider where the name is not unique.
            into, into_provider: the subject it means.
            reason: why, for the log.

        Raises:
            InputError: [unknown_subject], [ambiguous_subject], [same_subject] or [merge_cycle].
        """
        return ingest.merge(self.db, alias, into, provider=provider, into_provider=into_provider, reason=reason)

    def unmerge(self, alias: str, *, provider: str | None = None, reason: str | None = None) -> VerbReport:
        """Undo a merge from now on; answers at an earlier recorded_by stay merged (P2).

        Args:
            alias, provider: the name that stands for another one.
            reason: why, for the log.

        Raises:
            InputError: [unknown_subject], [ambiguous_subject] or [not_merged].
        """
        return ingest.unmerge(self.db, alias, provider=provider, reason=reason)

    # -- watches --------------------------------------------------------------------------------------------------

    def watch(self, name: str, *constraints: ConstraintInput, **options: Any) -> Watch:
        """Save a bundle of constraints under a name, to be answered again after writes and as the clock moves (Q10).

        Args:
            name: what to call it; 1 to 100 characters.
            constraints, options: as for :meth:`answer`; what only orders or shortens an answer raises no event.

        Raises:
            InputError: [watch_exists] another watch has the name; [bad_name]; [extra_field] no such option.
            ConstraintError, VocabularyError: a constraint cannot be accepted; nothing is saved.
        """
        from claimbase import watches

        return watches.add(self.db, self.vocabulary, name, constraints, options)

    def unwatch(self, name: str) -> None:
        """Stop a watch; its events stay, and its name is free again.

        Args:
            name: of a watch that goes on.

        Raises:
            InputError: [unknown_watch].
        """
        from claimbase import watches

        watches.stop(self.db, name)

    def watches(self) -> list[Watch]:
        """List the watches that go on, by name."""
        from claimbase import watches

        return watches.listed(self.db)

    def run_watches(
        self,
        *names: str,
        at: Moment | None = None,
        callback: Callable[[Event], None] | None = None,
    ) -> list[Event]:
        """Answer watches again and log what changed since: entered, left, became disputed, evidence went stale (Q10).

        Args:
            names: which watches; none = all.
            at: up to when; None = now. Running the same instant again changes nothing.
            callback: called with each new event once all are stored.

        Raises:
            InputError: [unknown_watch]; [watch_backwards] a watch was answered later than *at* already.
            InstantError: [future_basis] *at* has not come.
            ConstraintError, VocabularyError: a predicate was declared anew and no longer fits; the others were run.
        """
        from claimbase import watches

        return watches.run(self.db, self.vocabulary, names, at=at, callback=callback)

    def watch_events(self, name: str | None = None, *, since: int | None = None) -> list[Event]:
        """Give the events of watches in the order they happened.

        Args:
            name: a watch, going on or stopped; None = all.
            since: the greatest number already seen; None = from the first.

        Raises:
            InputError: [unknown_watch]; [bad_number] *since* is negative.
        """
        from claimbase import watches

        return watches.events(self.db, name, since=since)
