"""Figures of voices: `python tests/benchmarks/voices.py [DOCUMENTS] [CLAIMS]` (default 500 and 10,000)."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from kit import base, claim, day
from voice_world import Page, put

from claimbase.analysis.corroboration import corroborations
from claimbase.analysis.independence import independence
from claimbase.analysis.notices import sweep

WORDS = 1250
"""Words of a document: about 620,000 shingles in 500 of them."""


@contextmanager
def timed(what: str) -> Iterator[None]:
    """Print how long the block takes."""
    start = time.perf_counter()
    yield
    print(f"{what}: {time.perf_counter() - start:.2f} s")


def pages(number: int) -> list[Page]:
    """Make documents of a common vocabulary: a tenth copies half of another, a third shares a passage."""
    luck = random.Random(1)
    vocabulary = [f"w{one}" for one in range(20_000)]
    texts = [" ".join(luck.choices(vocabulary, k=WORDS)) for _ in range(number)]
    passage = " ".join(luck.choices(vocabulary, k=150))
    for one in range(number // 10):
        texts[-one - 1] = texts[one][: len(texts[one]) // 2] + " " + texts[-one - 1][: len(texts[one]) // 5]
    told = [f"{passage} {text}" if one % 3 == 0 else text for one, text in enumerate(texts)]
    return [Page(f"https://site{one}.example/page", text) for one, text in enumerate(told)]


def main(documents: int = 500, claims: int = 10_000) -> None:
    """Fill a base and time what reads it."""
    with base() as kb:
        kb.db.query("RESET GLOBAL threads")
        put(kb.db, *pages(documents))
        with timed(f"adding {claims:,} claims"):
            kb.add(
                claim(
                    f"${one % 7}", day(1), subject=f"Model {one // 20}", effective_from="2026-01-01",
                    source={"url": f"https://site{one % documents}.example/page"},
                )
                for one in range(claims)
            )  # fmt: skip
        basis = kb.basis()
        with timed(f"independence of {documents} documents"):
            whole = independence(kb.db, basis)
        print(whole.summary)
        numbers = [row[0] for row in kb.db.query("SELECT claim_no FROM cb.statement")]
        with timed(f"corroboration of {len(numbers):,} claims"):
            found = corroborations(kb.db, basis, numbers, whole=whole)
        print(f"{sum(one.corroborated for one in found.values()):,} corroborated")
        with timed("sweep"):
            sweep(kb.db, basis)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
