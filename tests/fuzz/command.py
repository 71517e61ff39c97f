"""The command ``run.py``: mutations that are blind but for the outcomes they give, as many as are asked for."""

from __future__ import annotations

import argparse

from fuzz.engine import fuzz, told
from fuzz.targets import TARGETS


def main() -> int:
    """Run the targets that are named; 1 if anything was found."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--target", default="all", help=f"all, or some of {', '.join(TARGETS)}, with commas")
    given.add_argument("--inputs", type=int, default=100_000)
    given.add_argument("--seconds", type=float, help="CPU seconds after which a target ends before")
    given.add_argument("--seed", type=int, default=20_261_130)
    options = given.parse_args()
    names = list(TARGETS) if options.target == "all" else options.target.split(",")
    found = [told(fuzz(TARGETS[name], options.inputs, options.seed, seconds=options.seconds)) for name in names]
    return int(any(report.defects for report in found))
