"""A small world asked a fixed set of questions on a grid of bases: one digest of everything that was answered (G12)."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kit import Ticking, base, claim, day

from claimbase.base import Claimbase
from claimbase.claims import Numeral
from claimbase.present import json_text
from claimbase.temporal import FixedClock

# Letters that fold otherwise in Turkish, that sort otherwise in German, composed or not, and another alphabet.
NAMES = ("Iris I", "iris ı", "İris", "Zürich", "Zu\u0308rich 2", "äther", "ÖZ", "Ελλάς", "Lark 2")
WINDOW = "context >= 100K"
COST = "price <= $3/Mtok"


def world(*, full: bool = True) -> Claimbase:
    """Tell claims with zones, periods, scopes and disputes, withdraw one and supersede another.

    Args:
        full: ask by the product's plans.
    """
    kb, told = base(Ticking(), full=full), []
    for number, name in enumerate(NAMES):
        about: dict[str, Any] = {"subject": name, "provider": NAMES[-1 - number], "source": {
            "url": f"https://norden.example/{number}", "title": f"“{name}”", "publisher": name}}  # fmt: skip
        told += [
            claim(f"{128 + number}K", day(1), predicate="context", effective_from="2026-03", zone="Pacific/Apia",
            **about),
            claim(f"${number % 4}.50", day(2), effective_from="2026-03-29", zone="Europe/Berlin", **about),
            claim("$2", day(3), scope={"MODE": "Batch İ", "tier": ">200k"}, **about),
            claim("1 April 2026", day(4), predicate="released", zone="Asia/Kolkata", **about),
            claim(["İ", "i", "ß", "ss"], day(5), predicate="languages", **about | {"quote": "İ, i, ß"}),
            claim(Numeral("0.10"), day(6), unit="usd_per_mtok", effective_from="2026-Q2", **about),
        ]  # fmt: skip
    kb.add(told)
    ids = [row["claim_id"] for row in kb.claims(predicate="price")]
    kb.retract(min(ids), reason="withdrawn")
    kb.supersede(max(ids), {"value": "$9", "observed_at": day(20), "quote": "$9 now"}, at="2026-05-15T00:00:00Z")
    kb.db.clock = FixedClock(kb.db.clock.now())  # from here on no time passes
    return kb


def light(kb: Claimbase, basis: Mapping[str, Any]) -> Iterator[Any]:
    """Ask what is answered by one statement."""
    yield kb.answer(WINDOW, COST, everyone=True, show=["languages", "released"], **basis).to_json()
    yield kb.freshness(**basis).to_json()


def heavy(kb: Claimbase, basis: Mapping[str, Any]) -> Iterator[Any]:
    """Ask for all else: by another order, in words, over time, about disputes and changes."""
    yield kb.answer(COST, order_by="context", policy="any", **basis).rows()
    yield kb.ask("over 100K context, under $3/M input", go_on=True, **basis).to_json()
    yield kb.when(WINDOW, COST, **basis).to_json()
    yield kb.history("Lark 2", **basis).to_json()
    yield kb.contradictions(all_time=True, **basis).to_json()
    yield kb.diff("2026-03-10", "2026-03-20", axis="valid").to_json()


GRID = [
    {"as_of": "2026-03-20", "observed_by": "2026-03-04"},
    {"as_of": "2026-03-28T23:30:00Z", "observed_by": "2026-11-01T01:30:00+00:00"},
]


def asked(kb: Claimbase) -> Iterator[str]:
    """Give the canonical bytes of every answer."""
    for basis in GRID:
        yield from (json_text(plain(found), indent=None) for found in light(kb, basis))
    yield from (json_text(plain(found), indent=None) for found in heavy(kb, GRID[-1]))


def receipts(kb: Claimbase) -> Iterator[str]:
    """Give the canonical bytes of a receipt, and two of its pages."""
    receipt = kb.verify([row["claim_id"] for row in kb.claims(predicate="context")])
    yield from (receipt.body_sha256, receipt.export("md"), receipt.export("csv"))


def plain(found: Any) -> Any:
    """Write what rows hold beyond JSON as text."""
    if isinstance(found, Mapping):
        return {name: plain(value) for name, value in found.items()}
    if isinstance(found, list | tuple):
        return [plain(one) for one in found]
    return found if found is None or isinstance(found, bool | int | str) else str(found)


def digest_of(texts: Iterable[str]) -> str:
    """Give one digest of some texts."""
    whole = hashlib.sha256()
    for text in texts:
        whole.update(text.encode() + b"\n")
    return whole.hexdigest()


def main() -> None:
    """Print the digest of the answers under one thread and under two, and that of the receipts.

    The word `short` asks by short plans.
    """
    kb = world(full="short" not in sys.argv)
    for threads in (1, 2):
        kb.db.query(f"SET GLOBAL threads = {threads}")
        print(digest_of(asked(kb)))
    print(digest_of(receipts(kb)))


if __name__ == "__main__":
    main()
