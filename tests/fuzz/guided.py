"""Fuzz one parser led by the lines that its inputs reach: ``python tests/fuzz/guided.py number 1000000 [SEED]`` (G16).

Needs atheris, which nothing else in the tests does. The report is that of ``run.py``.
"""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    import atheris

    with atheris.instrument_imports(include=["claimbase"]):
        from fuzz.leading import lead

    lead(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 20_261_130)
