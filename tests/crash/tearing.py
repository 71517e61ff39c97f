"""Cut, flip and swap the files of a base and open what is left: everything acknowledged, or an error of ours (G4).

python tests/crash/tearing.py --damages 10000
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from crash.killing import SEED, forked, warm
from kit import claim, digest, gone, opened, pack, script

from claimbase.errors import ClaimbaseError, StoreLockedError
from claimbase.store import write

NAME, LOG, HEAD = "base.duckdb", "base.duckdb.wal", "base.duckdb.head"
BATCH = 40  # damages that one child opens
Files = dict[str, bytes]
WRITTEN = """
    import os, sys
    from crash.tearing import written
    written(sys.argv[1], sys.argv[2])
    os._exit(0)  # as if it was killed: the log stays
"""


# -- a base with a log -----------------------------------------------------------------------------------------------


def written(path: str, name: str) -> None:
    """Make a base, bring it into its file, then write batches that stay in the log; it is not closed."""
    kb = opened(Path(path))
    kb.declare(pack())
    kb.add([claim(subject=f"{name} old")])
    kb.db.query("CHECKPOINT")
    kb.add([claim(subject=name)])
    kb.add([gone(claim(subject=name), "2026-03-09T00:00:00Z")])
    for number in range(4):
        with write(kb.db, "test") as under_way:
            under_way.transaction.run(
                "INSERT INTO cb.alias VALUES ('test', $n, 0, false, $at, NULL)",
                {"n": number, "at": under_way.recorded_at},
            )
    _LEFT_OPEN.append(kb)


_LEFT_OPEN: list[object] = []


def left(place: Path, name: str = "Lark") -> Files:
    """Make such a base in a process that ends without closing it, and give its files."""
    path = place / NAME
    ran = script(WRITTEN, path, name)
    assert ran.returncode == 0, ran.stderr
    return {file: (place / file).read_bytes() for file in (NAME, LOG, HEAD)}


# -- damages ---------------------------------------------------------------------------------------------------------


def _cut(whole: bytes, random_: random.Random) -> bytes:
    return whole[: random_.randrange(len(whole))]


def _flipped(whole: bytes, random_: random.Random) -> bytes:
    at = random_.randrange(len(whole))
    return whole[:at] + bytes([whole[at] ^ (1 << random_.randrange(8))]) + whole[at + 1 :]


def _zeros(whole: bytes, random_: random.Random) -> bytes:
    return _cut(whole, random_) + bytes(random_.randrange(1, 5_000))


def _garbage(whole: bytes, random_: random.Random) -> bytes:
    return _cut(whole, random_) + random_.randbytes(random_.randrange(1, 5_000))


def _holed(whole: bytes, random_: random.Random) -> bytes:
    at, length = random_.randrange(len(whole)), random_.randrange(1, 4_096)
    return whole[:at] + bytes(min(length, len(whole) - at)) + whole[at + length :]


Damage = tuple[str, str, Callable[[bytes, random.Random], bytes]]
DAMAGES: tuple[Damage, ...] = (
    ("log cut", LOG, _cut),
    ("log flipped", LOG, _flipped),
    ("log, zero tail", LOG, _zeros),
    ("log, garbage tail", LOG, _garbage),
    ("log with a hole", LOG, _holed),
    ("log and more", LOG, lambda whole, random_: whole + random_.randbytes(random_.randrange(1, 500))),
    ("log and zeros", LOG, lambda whole, random_: whole + bytes(random_.randrange(1, 500))),
    ("file flipped", NAME, _flipped),
    ("file cut", NAME, _cut),
    ("file with a hole", NAME, _holed),
)


def chosen(files: Files, number: int, random_: random.Random) -> Iterator[tuple[str, str, bytes]]:
    """Choose damages: the log cut at every byte or spread evenly over it, then each kind in turn at random places."""
    whole = files[LOG]
    cuts = min(len(whole), number // 4)
    for n in range(cuts):
        yield "log cut", LOG, whole[: n * len(whole) // cuts]
    flips = min(len(whole), number // 4)
    for n in range(flips):
        at = n * len(whole) // flips
        yield "log flipped", LOG, whole[:at] + bytes([whole[at] ^ (1 << random_.randrange(8))]) + whole[at + 1 :]
    for n in range(number - cuts - flips):
        kind, file, damage = DAMAGES[n % len(DAMAGES)]
        yield kind, file, damage(files[file], random_)


# -- what is left ----------------------------------------------------------------------------------------------------


def state(path: Path) -> str:
    """Open a base for reading and give its whole state."""
    with opened(path, read_only=True) as kb:
        return digest(kb.db)


def fate(place: Path, damaged: tuple[str, bytes], whole: str) -> str:
    """Put a damaged file in place and open; "whole", "refused [code]", or what is wrong."""
    file, text = damaged
    (place / file).write_bytes(text)
    try:
        return "whole" if state(place / NAME) == whole else "WRONG: something acknowledged is silently missing"
    except StoreLockedError:
        return "WRONG: damage was told as somebody else's lock"
    except ClaimbaseError as error:
        return f"refused [{error.code}]"
    except Exception as error:  # noqa: BLE001 - any other error is a finding
        return f"WRONG: {type(error).__name__} came out"


def torn(files: Files, damages: list[tuple[str, str, bytes]]) -> list[str]:
    """Try damages in children, a few in each; one that dies is a finding, and the next goes on after it."""
    fates: list[str] = []
    with TemporaryDirectory(prefix="claimbase-torn-") as name:
        place = Path(name)
        _put(place, files)
        child, pipe = forked(lambda pipe: pipe.write(state(place / NAME).encode()))
        whole = pipe.read().decode()
        os.waitpid(child, 0)
        while len(fates) < len(damages):
            some = damages[len(fates) : len(fates) + BATCH]

            def work(pipe: BinaryIO, some: list[tuple[str, str, bytes]] = some) -> None:
                for _, file, text in some:
                    pipe.write(fate(place, (file, text), whole).encode() + b"\n")
                    (place / file).write_bytes(files[file])

            child, pipe = forked(work)
            told = pipe.read().decode().splitlines()
            os.waitpid(child, 0)
            _put(place, files)
            fates += told if len(told) == len(some) else [*told, "WRONG: the process died"]
    return fates


def _put(place: Path, files: Files) -> None:
    for file, text in files.items():
        (place / file).write_bytes(text)


def main() -> None:
    """Try as many damages as the command line asks for; exit 1 if anything was silently lost."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--damages", type=int, default=200)
    parser.add_argument("--seed", type=int, default=SEED)
    given = parser.parse_args()
    start = time.monotonic()
    warm()
    with TemporaryDirectory(prefix="claimbase-torn-") as place:
        files = left(Path(place))
    damages = list(chosen(files, given.damages, random.Random(given.seed)))
    fates = torn(files, damages)
    counted: dict[str, Counter[str]] = {}
    for (kind, _, _), found in zip(damages, fates, strict=True):
        counted.setdefault(kind, Counter())[found] += 1
    wrong = {kind: found for kind, fates in counted.items() for found in fates if found.startswith("WRONG")}
    print(json.dumps({
        "seed": given.seed, "damages": len(fates), "log": len(files[LOG]), "wrong": wrong, "fates": counted,
        "seconds": round(time.monotonic() - start, 1),
    }))  # fmt: skip
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
