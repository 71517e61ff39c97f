"""Figures: every conformance case and questions by chance, on each engine there is.

PYTHONPATH=tests python -m portable [--questions 200] [--seed 20261130] [--engine postgres]
"""

from __future__ import annotations

import argparse
import random
import time
from contextlib import ExitStack

from .cases import asking_cases, planned
from .chance import by_chance
from .engines import DataFusion, postgres_programs, private_postgres
from .proving import Proof


def main() -> None:
    """Print how many plans gave the same rows, by engine, and which could not be written."""
    parser = argparse.ArgumentParser(prog="python -m portable", description=main.__doc__)
    parser.add_argument("--questions", type=int, default=200, help="questions by chance, ten to a base")
    parser.add_argument("--seed", type=int, default=20261130)
    parser.add_argument("--engine", choices=("datafusion", "postgres"), help="one of them only")
    given = parser.parse_args()
    with ExitStack() as stack:
        programs = postgres_programs()
        engines = [DataFusion(), *([stack.enter_context(private_postgres(programs))] if programs else [])]
        for engine in engines:
            if given.engine not in (None, engine.dialect):
                continue
            started = time.process_time()
            cases, chance = Proof(engine), Proof(engine)
            for what, db, plans in planned(asking_cases()):
                cases.prove(db, plans, what)
            for what, db, plans in by_chance(random.Random(given.seed), given.questions):
                chance.prove(db, plans, what)
            print(f"conformance  {cases.told()}\nby chance    {chance.told()} (seed {given.seed})")
            print(f"CPU of this process: {time.process_time() - started:.0f} s")


if __name__ == "__main__":
    main()
