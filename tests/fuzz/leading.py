"""The command ``guided.py``: a coverage-guided library chooses the inputs."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from time import process_time

import atheris

from fuzz.engine import Report, guarded, told, tried
from fuzz.mutating import LONGEST
from fuzz.targets import TARGETS


def lead(name: str, inputs: int, seed: int) -> None:
    """Feed a target until its inputs are used up; the library then ends the process."""
    target, report, begun = TARGETS[name], Report(name, seed), process_time()
    folder = Path(tempfile.mkdtemp(prefix="claimbase-fuzz-"))
    for number, text in enumerate(target.seeds()):
        folder.joinpath(f"{number}").write_bytes(text.encode("utf-8", "surrogatepass"))
    words = folder.with_suffix(".dict")
    words.write_text("".join(f'"{_escaped(word)}"\n' for word in target.words if word), encoding="ascii")

    def one(data: bytes) -> None:
        tried(target, data.decode("utf-8", "surrogateescape"), report)
        report.seconds = process_time() - begun
        if report.inputs == inputs:
            told(report)

    with guarded():
        options = [f"-runs={inputs}", f"-seed={seed}", f"-max_len={LONGEST}", f"-dict={words}", "-verbosity=0"]
        atheris.Setup([sys.argv[0], *options, str(folder)], one)
        atheris.Fuzz()


def _escaped(word: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in word[:64].encode("utf-8", "surrogatepass"))
