"""Recovering by hand: what cannot be read, or disagrees, is set aside by name; what is whole opens again (G7)."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from claimbase.errors import StoreCorruptError, StoreError
from claimbase.store.db import Db
from claimbase.store.files import beside, synced
from claimbase.store.head import Head, Stamp
from claimbase.store.lock import FileLock

_ASIDE = ".quarantined-"
_ROOT = 64


@dataclass(frozen=True, slots=True)
class Tail:
    """How the ledger stands to the head file.

    Args:
        newest: the newest batch of the ledger.
        noted: the newest batch that can be read in the head file; None = there is no such file, or nothing in it.
        lost: batches that the head file notes and the ledger lacks, or has others in their place.
        unnoted: how many batches the ledger holds beyond the head file.
        unread: whether the head file ends in a line that cannot be read.
    """

    newest: Stamp | None
    noted: Stamp | None
    lost: tuple[Stamp, ...] = ()
    unnoted: int = 0
    unread: bool = False

    @property
    def words(self) -> str:
        """Say what disagrees; nothing if the ledger is at the head file's end or one unacknowledged batch ahead."""
        told = []
        if self.unread:
            told.append(
                "the head file ends in a line that cannot be read: whether later batches are lost cannot be told"
            )
        if self.lost:
            told.append(f"{numbered(self.lost)} acknowledged and {'is' if len(self.lost) == 1 else 'are'} not there")
        if self.noted is not None and not self.lost and self.unnoted > 1:
            told.append(f"the head file is an older one: it ends {self.unnoted} batches before the ledger")
        return "; ".join(told)


@dataclass(frozen=True, slots=True)
class Recovered:
    """What recovering a base came to.

    Args:
        name: the base's file.
        batch_id: the newest batch that is there.
        lost: the numbers of the batches that were acknowledged and are gone.
        entries: how many entries those had.
        aside: what was set aside: old name, new name.
        words: the same in sentences.
    """

    name: str
    batch_id: int
    lost: tuple[int, ...]
    entries: int
    aside: tuple[tuple[str, str], ...]
    words: str

    def __str__(self) -> str:
        return self.words

    def to_json(self) -> dict[str, Any]:
        """Give it as plain data."""
        return {
            "name": self.name, "batch_id": self.batch_id, "lost": list(self.lost), "entries": self.entries,
            "aside": dict(self.aside), "words": self.words,
        }  # fmt: skip


def recover(path: Path) -> Recovered:
    """Set aside a damaged or foreign log, or a head file that disagrees, and go on with what is whole.

    Nothing is removed: the log and the head file keep their bytes under `<name>.quarantined-<n>`.

    Args:
        path: the base's file; nobody may have it open.

    Raises:
        StoreLockedError: somebody has it open.
        StoreError: [store_missing]; [nothing_to_recover] it is whole and the head file agrees.
        StoreCorruptError: [not_recoverable] the file itself is damaged.
    """
    real = Path(os.path.realpath(path))
    if not real.is_file():
        raise StoreError(f"{path.name} does not exist", code="store_missing", hint="restore a backup")
    lock = FileLock(real)
    try:
        return _recovered(real)
    finally:
        lock.release()


def _recovered(base: Path) -> Recovered:
    log, head = beside(base, ".wal"), beside(base, ".head")
    aside: list[tuple[str, str]] = []
    held = ledger_of(base)
    if held is None:
        held = _without(base, log, aside)
    found = tail(held, *noted_in(head))
    if not aside and not found.words:
        raise StoreError(f"{base.name} is whole", code="nothing_to_recover", hint="claimbase check tells more")
    if not aside and found.lost and log.exists():
        aside.append(_copied(log))
    _settled(base)
    if log.exists():  # the engine ignored it, and its bytes are kept
        log.unlink() if aside else aside.append(_moved(log))
    if found.words and head.exists():
        aside.append(_moved(head))
    if not head.exists():
        Head(base).append(list(held[-1:]))
    lost = tuple(stamp.batch_id for stamp in found.lost)
    entries = sum(stamp.entries for stamp in found.lost)
    return Recovered(base.name, held[-1].batch_id, lost, entries, tuple(aside), _told(base, held[-1], found, aside))


def _told(base: Path, newest: Stamp, found: Tail, aside: Iterable[tuple[str, str]]) -> str:
    lost = f"LOST: {found.words}" if found.lost or found.unread else "nothing that was acknowledged is lost"
    kept = "; ".join(f"{old} is kept as {new}" for old, new in aside)
    return f"{base.name} opens again, up to batch {newest.batch_id}; {lost}; {kept}"


# -- looking ---------------------------------------------------------------------------------------------------------


def ledger_of(base: Path) -> tuple[Stamp, ...] | None:
    """Read the ledger of a closed base as it lies, changing no byte.

    Returns:
        Its batches in order; None if the file does not open, or the chain does not hold.
    """
    db = Db()
    try:
        db.file("keeping/attach_original", {"path": str(base)})
        with db.atomic() as looking:
            looking.file("keeping/use_original")
            if looking.file("ledger/broken", {"most": 1}).rows:
                return None
            return tuple(Stamp(*row) for row in looking.file("ledger/since", {"batch_id": 0})) or None
    except StoreError:
        return None
    finally:
        db.close()


def noted_in(head: Path) -> tuple[tuple[Stamp, ...], bool]:
    """Read a head file as far as it can be read.

    Returns:
        The batches it notes; whether its last whole line cannot be read.
    """
    try:
        lines = head.read_bytes().split(b"\n")[:-1]
    except FileNotFoundError:
        return (), False
    stamps = [_stamp(line) for line in lines]
    return tuple(stamp for stamp in stamps if stamp is not None), bool(stamps) and stamps[-1] is None


def _stamp(line: bytes) -> Stamp | None:
    try:
        number, entries, root = line.decode("ascii").split(" ")
        stamp = Stamp(abs(int(number)), abs(int(entries)), bytes.fromhex(root).hex())
    except ValueError:
        return None
    return stamp if stamp.line == line + b"\n" and len(root) == _ROOT else None


def tail(held: tuple[Stamp, ...], noted: tuple[Stamp, ...], unread: bool) -> Tail:
    """Compare a ledger with a head file (G7).

    Args:
        held: the batches of the ledger, in order.
        noted: those of the head file.
        unread: whether the head file goes on with a line that cannot be read.
    """
    roots = {stamp.batch_id: stamp.root for stamp in held}
    last = max((stamp.batch_id for stamp in noted), default=None)
    return Tail(
        held[-1] if held else None,
        next((stamp for stamp in reversed(noted)), None),
        tuple(stamp for stamp in noted if roots.get(stamp.batch_id) != stamp.root),
        0 if last is None else sum(stamp.batch_id > last for stamp in held),
        unread,
    )


def numbered(stamps: tuple[Stamp, ...]) -> str:
    """Name batches: "batch 7 (3 entries) was", "batches 7 to 9 (5 entries) were"."""
    numbers, entries = [stamp.batch_id for stamp in stamps], sum(stamp.entries for stamp in stamps)
    if len(numbers) == 1:
        return f"batch {numbers[0]} ({entries} entries) was"
    whole = numbers == list(range(numbers[0], numbers[-1] + 1))
    named = f"{numbers[0]} to {numbers[-1]}" if whole else ", ".join(map(str, numbers))
    return f"batches {named} ({entries} entries) were"


# -- setting aside ---------------------------------------------------------------------------------------------------


def _without(base: Path, log: Path, aside: list[tuple[str, str]]) -> tuple[Stamp, ...]:
    """Take the log away and look again, then put back as much of it as can be read; all of it where that is no help."""
    if log.exists():
        old, new = _moved(log)
        if (held := ledger_of(base)) is not None:
            aside.append((old, new))
            return _salvaged(base, log.with_name(new), log) or held
        log.with_name(new).rename(log)
    raise StoreCorruptError(
        f"{base.name} itself is damaged; nothing was changed", code="not_recoverable", hint="restore a backup"
    )


def _salvaged(base: Path, whole: Path, log: Path) -> tuple[Stamp, ...] | None:
    """Put back the longest beginning of a damaged log with which the base is whole: batches before the damage."""
    text, good, bad = whole.read_bytes(), 0, whole.stat().st_size
    log.touch(mode=0o600)
    while bad - good > 1:
        middle = (good + bad) // 2
        log.write_bytes(text[:middle])
        good, bad = (good, middle) if ledger_of(base) is None else (middle, bad)
    log.write_bytes(text[:good])
    synced(log)
    return ledger_of(base)


def _free(file: Path) -> Path:
    numbers = (number for number in range(1, 1_000_000))
    return next(name for n in numbers if not (name := file.with_name(f"{file.name}{_ASIDE}{n}")).exists())


def _moved(file: Path) -> tuple[str, str]:
    free = _free(file)
    file.rename(free)
    synced(file.parent)
    return file.name, free.name


def _copied(file: Path) -> tuple[str, str]:
    """Keep a log's bytes before the engine takes from it what is whole, and removes it; no engine has it open (C1)."""
    free = _free(file)
    shutil.copy(file, free)
    synced(free)
    synced(file.parent)
    return file.name, free.name


def _settled(base: Path) -> None:
    """Bring what is whole in the log into the file."""
    db = Db()
    try:
        db.file("keeping/attach", {"path": str(base)})
        db.file("keeping/checkpoint")
        db.file("keeping/detach")
    finally:
        db.close()
