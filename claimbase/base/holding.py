"""Looking at a base that may be damaged, and making one that is open again, by hand."""

from __future__ import annotations

from pathlib import Path

from claimbase.base.arguments import checking
from claimbase.store.checking import Check
from claimbase.store.recovering import Recovered


@checking
def check(path: str | Path, *, derive: bool = False) -> Check:
    """Look at a base as it lies and tell everything that is wrong with it; nothing is repaired, migrated or written.

    Whether the file opens, its tables, guards and macros are as they must be, every digest of the ledger holds, and
    the head file agrees (G4-G7).

    Args:
        path: its file.
        derive: derive every version again from the log, too, and compare (B1).

    Raises:
        StoreLockedError: somebody is writing to it.
        StoreError: [store_missing].
    """
    from claimbase.store.checking import check

    return check(Path(path), derive=derive)


@checking
def recover(path: str | Path) -> Recovered:
    """Make a base that does not open do so with what is whole, and tell which acknowledged batches are lost.

    A damaged or foreign log, and a head file that disagrees, are set aside as ``<name>.quarantined-<n>``; nothing is
    removed. Restoring a backup may lose less.

    Args:
        path: its file; nobody may have it open.

    Raises:
        StoreLockedError: somebody has it open.
        StoreError: [store_missing]; [nothing_to_recover] it is whole and the head file agrees.
        StoreCorruptError: [not_recoverable] the file itself is damaged.
    """
    from claimbase.store.recovering import recover

    return recover(Path(path))
