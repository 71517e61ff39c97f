"""A process that opens, writes, copies and forks as it is told on stdin, one word of answer each (G8)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from kit import claim, opened

from claimbase.base import Claimbase
from claimbase.errors import ClaimbaseError


class Told:
    """What such a process does."""

    def __init__(self) -> None:
        self.kb: Claimbase | None = None
        self.child = 0

    def open(self, path: str, read_only: bool) -> str:
        """Open a base."""
        self.kb = opened(Path(path), read_only=read_only)
        return "opened"

    def write(self, number: int) -> str:
        """Write one batch; its number and root are the acknowledgement."""
        assert self.kb is not None
        self.kb.add([claim(f"${number}", subject=f"Lark {number}")])
        point = self.kb.checkpoint()
        return f"{point['batch_id']} {point['root']}"

    def ledger(self) -> str:
        """Give every batch, if the ledger holds."""
        assert self.kb is not None
        if not self.kb.verify_ledger().ok:
            return "broken"
        return json.dumps(self.kb.db.query("SELECT batch_id, root FROM cb.batch ORDER BY batch_id").rows)

    def copy(self, path: str) -> str:
        """Read and copy the base's file, as a careless program would: the engine's own lock is gone then."""
        shutil.copy(path, path + ".copy")
        Path(path).read_bytes()
        return "copied"

    def fork(self) -> str:
        """Leave a child behind that lives on with everything this process had open."""
        self.child = os.fork()
        if not self.child:
            os.dup2(os.open(os.devnull, os.O_RDWR), 1)  # the answers are the parent's
            time.sleep(60)
            os._exit(0)
        return "forked"

    def end_child(self) -> str:
        """End that child."""
        if self.child:
            os.kill(self.child, 9)
            os.waitpid(self.child, 0)
        self.child = 0
        return "ended"

    def close(self) -> str:
        """Close the base."""
        if self.kb is not None:
            self.kb.close()
        self.kb = None
        return "closed"


class Other:
    """Such a process, seen from outside."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        )  # fmt: skip

    def tell(self, what: str, **given: Any) -> str:
        """Have it do something; give its answer: a word, or the code of an error."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps([what, given]) + "\n")
        return self.process.stdout.readline().rstrip("\n")

    def kill(self) -> None:
        """End it as it stands."""
        self.process.kill()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()
        self.process.wait()


def main() -> None:
    """Do what is told until stdin ends."""
    told = Told()
    for line in sys.stdin:
        what, given = json.loads(line)
        try:
            answer = getattr(told, what)(**given)
        except ClaimbaseError as error:
            answer = error.code
        print(answer, flush=True)
    told.end_child()


if __name__ == "__main__":
    main()
