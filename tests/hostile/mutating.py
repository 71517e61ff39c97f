"""Hostile and harmless statements, cut up and put together at random: do two parsers ever see different things?

``python tests/hostile/mutating.py 1000000 [SEED]`` runs as many as the number says and prints the figures.
"""

from __future__ import annotations

import logging
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

import duckdb
from hostile.listing import HARMLESS, SECRET, Trap, statements, trap

from claimbase.errors import ClaimbaseError
from claimbase.selects import check, check_select
from claimbase.store.sandbox import Sandbox, locked, names, read_by_engine

_WORDS = """
SELECT FROM WITH AS RECURSIVE DELETE INSERT INTO UPDATE COPY TO ATTACH PRAGMA SET CALL RETURNING VALUES TABLE UNION ALL
DESCRIBE SUMMARIZE SHOW PIVOT LATERAL AT VERSION MATERIALIZED ORDINALITY read_text getenv query cb.claim cb main system
temp cb.active_claims() duckdb_settings() 'x.csv' "x.csv" lambda COLLATE WINDOW LIMIT
""".split()  # noqa: SIM905 - a long list reads better so
_SIGNS = """
\u00a0 \u2028 \u200b \ufeff \u037e \uff07 \uff1b \u0410 -- /* */ $$ $a$ '' "" \\' e' U&' x' :: -> 0x 1e9 \u00e9
"""
_CHARS = [*"'\"`;()[]{}$\\-/*.,:@#!?|&<>=+%~^_ \t\n\r\v\f", *_SIGNS.split(" ")]
_WRAPPERS = (
    "SELECT * FROM ({})", "WITH t AS ({}) SELECT * FROM t", "SELECT ({})", "({})", "SELECT 1 WHERE EXISTS ({})",
    "'{}'", "SELECT $${}$$", "/*{}*/ SELECT 1", "SELECT 1 --{}", "SELECT [{}]",
)  # fmt: skip


def mutated(rng: random.Random, seeds: Sequence[str]) -> Iterator[str]:
    """Give ever new texts, each some changes away from a statement."""
    while True:
        text = rng.choice(seeds)
        for _ in range(rng.randint(1, 4)):
            text = rng.choice(_CHANGES)(rng, text, seeds)
        yield text


def _insert(rng: random.Random, text: str, _: Sequence[str]) -> str:
    place = rng.randint(0, len(text))
    return text[:place] + rng.choice(_CHARS) + text[place:]


def _cut(rng: random.Random, text: str, _: Sequence[str]) -> str:
    place = rng.randint(0, len(text))
    return text[:place] + text[place + rng.randint(1, 5) :]


def _word(rng: random.Random, text: str, _: Sequence[str]) -> str:
    words = text.split(" ")
    place = rng.randrange(len(words))
    words[place : place + rng.randint(0, 1)] = [rng.choice(_WORDS)]
    return " ".join(words)


def _splice(rng: random.Random, text: str, seeds: Sequence[str]) -> str:
    other, joint = rng.choice(seeds), rng.choice((" ", ";", " UNION ALL ", "/*", "'"))
    return text[: rng.randint(0, len(text))] + joint + other[rng.randint(0, len(other)) :]


def _wrap(rng: random.Random, text: str, _: Sequence[str]) -> str:
    return rng.choice(_WRAPPERS).replace("{}", text)


def _case(rng: random.Random, text: str, _: Sequence[str]) -> str:
    return rng.choice((text.lower(), text.upper(), text.swapcase(), text.title()))


_CHANGES = (_insert, _insert, _insert, _cut, _word, _word, _splice, _wrap, _case)


class Comparison:
    """Counts what the gate, each of its parsers and the engine say of texts."""

    def __init__(self, made: Trap) -> None:
        self.counts: Counter[str] = Counter()
        self.dangerous: list[str] = []
        self._reader = Sandbox(made.base)
        self._plain = locked(None)

    def look(self, text: str) -> None:
        """Put one text to the gate; what passes is looked at by other means and run on the locked reader."""
        self.counts["texts"] += 1
        try:
            check(text)
        except ClaimbaseError as error:
            self.counts[f"refused {error.code}"] += 1
            if error.code.startswith(("unknown", "function", "not_")) and self.counts["texts"] % 4 == 0:
                self._alone(text)
            return
        self.counts["passed"] += 1
        kinds, _ = read_by_engine(text)
        try:
            told = self._plain.get_table_names(text, qualified=True)
            named = {name.split(" AS ")[0].lower().replace('"', "") for name in told}
        except duckdb.Error:  # it binds a little, too
            named = set()
        listed = {f"cb.{name}" for name in names().tables}
        runs = self.counts["passed"] % 20 == 0  # running takes ten times as long as parsing
        if kinds != ["SELECT"] or named - listed or (runs and self._leaks(text)):
            self.dangerous.append(text)

    def _alone(self, text: str) -> None:
        """Count where the second parser alone would have let pass what the engine's tree shows."""
        kinds: list[str] = []
        try:
            kinds, _ = read_by_engine(text)
            check_select(text)
            self.counts["only the engine's tree refuses"] += 1
        except ClaimbaseError:
            self.counts["one SELECT to the engine"] += kinds == ["SELECT"]

    def _leaks(self, text: str) -> bool:
        rows: list[object] = []
        try:
            self._reader.read(text, lambda row: rows.append(row) or len(rows) < 20)
        except ClaimbaseError:
            return False
        self.counts["ran"] += 1
        return SECRET in repr(rows)

    def close(self) -> None:
        """Close the engines."""
        self._reader.close()
        self._plain.close()


def compared(rng: random.Random, folder: Path, number: int) -> Comparison:
    """Compare the parsers over a number of texts."""
    made = trap(folder)
    seeds = [made.filled(text) for _, text in statements()] + HARMLESS * 3
    before, comparison = made.digests(), Comparison(made)
    for _, text in zip(range(number), mutated(rng, seeds), strict=False):
        comparison.look(text)
    comparison.close()
    if made.digests() != before:
        comparison.dangerous.append("the folder changed")
    return comparison


if __name__ == "__main__":
    begun = time.process_time()
    with tempfile.TemporaryDirectory() as place:
        seed = int((sys.argv[2:] or ["20261129"])[0])
        logging.getLogger("sqlglot").setLevel(logging.CRITICAL)
        done = compared(random.Random(seed), Path(place), int(sys.argv[1]))
    print(f"seed {seed}: {dict(done.counts)}, dangerous {done.dangerous}, {time.process_time() - begun:.0f} s")
