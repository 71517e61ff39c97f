"""The hostile statements and the resource bombs, read from their files, and the folder they are let loose in."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

import kit

HERE = Path(__file__).parent
SECRET = "CANARY-6f1c2d"  # noqa: S105 - planted to be looked for
"""What the planted file and variable hold."""
UNGATED = ("-P", "-c", "import claimbase.agents.sql_worker as w; w.check = lambda sql: None; w.main()")
"""How a worker is started whose gate stands open: the locked reader and the limits of the process stand alone."""
HARMLESS = (HERE / "harmless.txt").read_text(encoding="utf-8").splitlines()
"""What an analyst may well write: it passes the gate and runs."""
_REPEATED = re.compile(r"«([^«»]*)\*(\d+)»")


@dataclass(frozen=True)
class Trap:
    """A folder with a base of a few claims and a file nobody may read."""

    folder: Path
    base: Path
    canary: Path

    def filled(self, text: str) -> str:
        """Put the trap's own paths into a statement."""
        return text.format(canary=self.canary, folder=self.folder, base=self.base, newline="\n", **{"return": "\r"})

    def digests(self) -> dict[str, str]:
        """Give SHA-256 and mode of every file in the folder, by its name."""
        files = sorted(file for file in self.folder.rglob("*") if file.is_file())
        return {str(file.relative_to(self.folder)): _digest(file) for file in files}


def _digest(file: Path) -> str:
    return f"{file.stat().st_mode:o} {hashlib.sha256(file.read_bytes()).hexdigest()}"


def trap(folder: Path) -> Trap:
    """Make a base, closed again, and the canary beside it."""
    made = Trap(folder, folder / "base.duckdb", folder / "canary.csv")
    made.canary.write_text(f"secret\n{SECRET}\n", encoding="utf-8")
    with kit.opened(made.base) as kb:
        kb.add([kit.claim(f"${n}", subject=f"Lark {n}", quote=f"It costs ${n}. «{n}»") for n in range(1, 30)])
    return made


def statements() -> list[tuple[str, str]]:
    """List the hostile statements, each with its class."""
    found, name = [], ""
    for line in (HERE / "statements.txt").read_text(encoding="utf-8").split("\n"):
        if line.startswith("## "):
            name = line[3:]
        elif line and not line.startswith("#"):
            found.append((name, line))
    return found


def bombs() -> list[str]:
    """List the resource bombs; «x*9» stands for xxxxxxxxx."""
    lines = (HERE / "bombs.txt").read_text(encoding="utf-8").split("\n")
    return [
        _REPEATED.sub(lambda found: found[1] * int(found[2]), line)
        for line in lines
        if line and not line.startswith("#")
    ]
