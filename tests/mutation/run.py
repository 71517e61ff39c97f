"""Count the mutants that the tests notice: ``python tests/mutation/run.py --room temporal --sample 100`` (G20)."""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    from mutation.judging import main

    sys.exit(main())
