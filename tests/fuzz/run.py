"""Fuzz the parsers: ``python tests/fuzz/run.py --inputs 1000000 --target all`` (G16)."""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    from fuzz.command import main

    sys.exit(main())
