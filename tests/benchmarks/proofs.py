"""Figures of proof: `python tests/benchmarks/proofs.py [CLAIMS] [VERSIONS]` (default 10,000 and 100,000).

CPU seconds: binding quotes at ingest, verifying claims with their texts, replaying the receipt; verifying a ledger
beside one digest of each version, which is the least that any verification has to compute.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import claimbase as cb

PER_PAGE = 100
AT = "2026-03-01T00:00:00Z"
BARE = "SELECT count(sha256(to_json(c)::VARCHAR)) FROM cb.claim AS c"


def main() -> None:
    """Print the table."""
    claims, versions = (int(text) for text in (*sys.argv[1:], "10000", "100000")[:2])
    print("| what | CPU seconds | per second |\n|---|---:|---:|")
    with cb.open() as kb:
        for number in range(claims // PER_PAGE):
            kb.sources.ingest(page(number), uri=address(number), observed_at=AT)
        added = timed(f"add {claims:,} claims and bind their quotes", claims, lambda: bound(kb, claims))
        ids = [row["claim_id"] for row in kb.claims(limit=claims)]
        receipt = timed(f"verify {claims:,} claims", claims, lambda: kb.verify(ids))
        same = timed("replay the receipt", claims, lambda: kb.replay(receipt.id))
        assert added == receipt.quotes.verified == claims
        assert same.same
    with cb.open() as kb:
        kb.add(rows(versions))
        bare = timed(f"one digest of each of {versions:,} versions", versions, lambda: kb.db.query(BARE))
        audit = timed(f"verify the ledger of {versions:,} versions", versions, kb.verify_ledger)
        assert audit.ok
        assert bare.rows == [(versions,)]


def timed(what: str, number: int, work: Callable[[], Any]) -> Any:
    """Run once, print the CPU time, give the result."""
    start = time.process_time()
    found = work()
    spent = time.process_time() - start
    print(f"| {what} | {spent:.2f} | {number / spent:,.0f} |", flush=True)
    return found


def address(number: int) -> str:
    """Where a page lies."""
    return f"https://pages.example/{number}"


def sentence(number: int) -> str:
    """What a page says of one model."""
    return f"Model {number} reads up to {1000 + number} tokens per request."


def page(number: int) -> str:
    """A page of PER_PAGE sentences."""
    return "\n\n".join(sentence(number * PER_PAGE + one) for one in range(PER_PAGE))


def rows(number: int) -> Iterator[dict[str, Any]]:
    """Claims, each of its own subject."""
    for one in range(number):
        yield {
            "provider": "P", "subject": f"Model {one}", "predicate": "context_window", "value": str(1000 + one),
            "unit": "token", "observed_at": AT, "quote": sentence(one), "source": {"url": address(one // PER_PAGE)},
        }  # fmt: skip


def bound(kb: cb.Claimbase, number: int) -> int:
    """Add claims and bind their quotes to the texts held."""
    kb.add(rows(number))
    return kb.evidence.check().bound


if __name__ == "__main__":
    main()
