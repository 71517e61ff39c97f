"""Keeping a base: snapshots for readers, backups, exports, compaction; and making a base of one of them again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from claimbase.base.arguments import checked, checking
from claimbase.base.proving import Proving

if TYPE_CHECKING:
    from claimbase.store.keeping import Kept, Progress
    from claimbase.store.keeping_change import Compacted, Migrated


@checked
class Keeping(Proving):
    """What can be done with a base as a whole; each is proven by the state hash before it reports success."""

    def state_hash(self) -> str:
        """Give one SHA-256 over every row of every append-only table; equal ones answer alike (G17)."""
        from claimbase.store.keeping import state_hash

        self.db.follow()
        return state_hash(self.db)

    def publish(self, target: str | Path, *, progress: Progress | None = None) -> Kept:
        """Put a snapshot for readers in a file's place, at once, while this base stays open for writing (G9).

        Readers that opened it with ``read_only=True`` see the new snapshot from their next call on.

        Args:
            target: the snapshot's file; what stands there must be an earlier state of this base.
            progress: called with the number of rows copied so far.

        Raises:
            StoreError: [read_only], [in_transaction], [same_file], [foreign_target], [store_missing], [not_written],
                [not_verified].
            StoreLockedError: somebody writes to the target.
            NoSpaceError.
        """
        from claimbase.store.keeping import publish

        return publish(self.db, Path(target), progress)

    def backup(self, target: str | Path, *, progress: Progress | None = None) -> Kept:
        """Write the whole base to another file, with a head file of its own (G17).

        Args:
            target: the backup's file; what stands there must be an earlier state of this base.
            progress: called with the number of rows copied so far.

        Raises:
            StoreError: as :meth:`publish`.
        """
        from claimbase.store.keeping import backup

        return backup(self.db, Path(target), progress)

    def export(
        self,
        folder: str | Path,
        format: Literal["jsonl", "parquet", "csv"] = "jsonl",  # noqa: A002 - the word a reader expects
        *,
        progress: Progress | None = None,
    ) -> Kept:
        """Write every row of every append-only table to a folder of plain files that make the same base again (G17).

        Args:
            folder: what is made; it may be there already if it is empty.
            format: of the files.
            progress: called with the number of rows written so far.

        Raises:
            InputError: [bad_format].
            StoreError: [read_only], [in_transaction], [target_exists], [store_missing], [not_written], [not_verified].
            NoSpaceError.
        """
        from claimbase.store.keeping_export import export

        return export(self.db, Path(folder), format, progress)

    def compact(self, *, progress: Progress | None = None) -> Compacted:
        """Write the file anew with its versions in the order they are read; a crash leaves the old file or the new one.

        Args:
            progress: called with the number of rows copied so far.

        Raises:
            StoreError: [read_only], [in_transaction], [no_file], [not_rewritten], [not_written], [not_verified].
            NoSpaceError.
        """
        from claimbase.store.keeping_change import compact

        return compact(self.db, progress)


@checking
def restore(backup: str | Path, base: str | Path, *, replace: bool = False, progress: Progress | None = None) -> Kept:
    """Put a base back from a backup; see :func:`claimbase.store.keeping_change.restore`.

    Args:
        backup: a file that a backup wrote, or any base that nobody writes to.
        base: the file that is made.
        replace: keep what stands there beside it as ``<base>.replaced-1``; else refuse.
        progress: called with the number of rows copied so far.

    Raises:
        StoreError: [same_file], [base_exists], [store_missing], [not_verified], [not_written].
        StoreCorruptError, TailLossError, StoreLockedError, NoSpaceError.
    """
    from claimbase.store.keeping_change import restore

    return restore(Path(backup), Path(base), replace=replace, progress=progress)


@checking
def import_folder(folder: str | Path, base: str | Path, *, progress: Progress | None = None) -> Kept:
    """Make a base of an exported folder; an older schema is brought up to date.

    Args:
        folder: as :meth:`Keeping.export` wrote it.
        base: the file that is made; there must be none.
        progress: called with the number of rows read so far.

    Raises:
        StoreCorruptError: [bad_export] the folder is none, or is not as its manifest says; nothing is written.
        SchemaVersionError: a newer claimbase wrote it.
        StoreError: [base_exists], [store_missing], [not_written]; StoreLockedError; NoSpaceError.
    """
    from claimbase.store.keeping_export import restore_export

    return restore_export(Path(folder), Path(base), progress)


@checking
def migrate(path: str | Path, *, progress: Progress | None = None) -> Migrated:
    """Bring a base's schema up to date, in one transaction, and say what was done (G18).

    Args:
        path: its file.
        progress: called with how many schema files are applied.

    Raises:
        StoreError: [store_missing], [schema_drift]; StoreCorruptError: [not_a_store]; StoreLockedError.
        SchemaVersionError: a newer claimbase wrote it.
    """
    from claimbase.store.keeping_change import migrate

    return migrate(Path(path), progress)
