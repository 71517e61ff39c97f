"""Cases of the small world: one thing is wrong at a time, with the status, the reason and the checks that say so."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from receipt_world import (
    NOW,
    OTHER,
    PRICE,
    case,
    changed,
    claim,
    evidence,
    price,
    snapshot,
    source,
)

from claimbase.evidence.terms import (
    Method,
    NoticeStatus,
    Role,
    Verdict,
)
from claimbase.receipts.case import Case, Judged, NoticeAt, Opposed
from claimbase.receipts.model import Receipt
from claimbase.receipts.parts import CheckRow, ClaimRow
from claimbase.temporal import Interval


def row(receipt: Receipt, key: str = "c_price") -> ClaimRow:
    """The row of a claim."""
    return next(one for one in receipt.claims.rows if one.claim_id == key)


def check(receipt: Receipt, name: str) -> CheckRow:
    """The row of a check."""
    return next(one for one in receipt.checks if one.name == name)


def failing(receipt: Receipt) -> set[str]:
    """The checks of the gate that are not ok."""
    return {one.name for one in receipt.checks if one.severity == "gate" and not one.ok}


STRANGE = source("s_bbbbbbbbbbbb", "https://press.example/review", authority="third_party")
COPY = snapshot(OTHER, "s_bbbbbbbbbbbb")
PAGED = snapshot(page_offsets=(0, 97), profile="plain")


def opposed(other: Any, **more: Any) -> Case:
    """A price and a claim against it."""
    pair = Opposed("x1", more.pop("kind", "hard"), ("c_other", "c_price"), (more.pop("when", Interval(None, None)),))
    return case(price(), other, claim_ids=("c_price",), opposed=(pair,), **more)


def other_price(**more: Any) -> Any:
    """Another price of Aurora, quoted from the same page."""
    quoted = [evidence("c_other", "Output costs $3.20 per million tokens.", snapshot())]
    given = {"unit": "usd_per_mtok", "value_min": "3.2", "value_max": "3.2", "value_key": "3.2"}
    return claim("c_other", "input_price", "$3.20", more.pop("evidence", quoted), **given | more)


def two_values() -> Any:
    """A price with two quotes that were read as different values."""
    first = evidence("c_price", PRICE, snapshot(), observed_value="$0.80")
    second = evidence("c_price", "Output costs $3.20 per million tokens.", snapshot(), observed_value="$3.20", rank=1)
    return price(evidence=[first, second])


def notice(status: NoticeStatus = NoticeStatus.RETRACTED, **more: Any) -> dict[str, Any]:
    """A case whose page is a publication with a notice."""
    return {"sources": [source(doi_key="10.1000/x")], "notices": (NoticeAt("10.1000/x", status, **more),)}


OLD = NOW - timedelta(days=31)
CASES: dict[str, tuple[Any, str, str | None, set[str]]] = {
    "happy path": (lambda: case(price()), "supported", None, set()),
    "missing evidence": (lambda: case(price(evidence=[])), "missing", "no-evidence", {"evidence-present"}),
    "stale evidence": (
        lambda: case(price(text=snapshot(last_fetched_at=OLD), last_seen_at=OLD, observed_at=OLD),
                     texts=[snapshot(last_fetched_at=OLD)]),
        "stale", "stale", set(),
    ),
    "contradictory evidence": (
        lambda: case(two_values()), "contradicted", "observed-values-disagree",
        {"observed-values-agree", "contradictions"},
    ),
    "unauthorized evidence": (
        lambda: case(price(), sources=[source(allowed=False)]), "blocked", "source-not-allowed", {"source-allowed"}
    ),
    "another tenant's source": (
        lambda: case(price(), sources=[source(tenant="b")], tenant="a"), "blocked", "source-not-allowed",
        {"source-allowed"},
    ),
    "altered quote": (
        lambda: case(price(PRICE.replace("0.80", "0.30"))), "unverified", "quote-altered",
        {"quote-integrity", "value-in-quote"},
    ),
    "quote found nowhere": (
        lambda: case(price("Aurora costs only $0.80 for a billion tokens, its maker told us in a letter.")),
        "unverified", "quote-not-found", {"quote-integrity", "value-in-quote"},
    ),
    "value not in the quote": (
        lambda: case(price("Output costs $3.20 per million tokens.")), "unverified", "value-not-in-quote",
        {"value-in-quote"},
    ),
    "no text held": (
        lambda: case(price(text=None)), "unverified", "no-source-text", {"quote-integrity", "snapshot-present"}
    ),
    "erased": (
        lambda: case(changed(price(), erased=True, quote="erased")), "unverified", "erased",
        {"quote-integrity"},
    ),
    "snippet": (
        lambda: case(price(), sources=[source(source_type="search_snippet")]), "unverified", "snippet-only",
        {"quote-not-snippet"},
    ),
    "only a remark": (
        lambda: case(changed(price(), role=Role.CONTEXT)), "unverified", "no-supports-quote", {"evidence-present"}
    ),
    "judged unsupported": (
        lambda: case(price(), judged=(verdict(),)), "unverified", "judged-unsupported", {"cite-check-resolved"}
    ),
    "retracted publication": (
        lambda: case(price(), **notice()), "source-retracted", "publication-retracted", {"retracted-citations"}
    ),
    "retraction acknowledged": (lambda: case(price(), **notice(noted=True)), "supported", None, set()),
    "expression of concern": (lambda: case(price(), **notice(NoticeStatus.CONCERN)), "supported", None, set()),
    "provider did not answer": (lambda: case(price(), **notice(NoticeStatus.UNAVAILABLE)), "supported", None, set()),
    "withdrawn source": (
        lambda: case(price(), sources=[source(withdrawn="wrong page")]), "source-retracted", "source-withdrawn", set()
    ),
    "contradicted": (lambda: opposed(other_price()), "contradicted", "contradiction", {"contradictions"}),
    "contradicted by a claim that is not at hand": (
        lambda: case(price(), opposed=(Opposed("x1", "absence", ("c_none", "c_price"), (Interval(None, None),)),)),
        "contradicted", "contradiction", {"contradictions"},
    ),
    "contradicted at another time": (
        lambda: opposed(other_price(), when=Interval(None, NOW)), "supported", None, set()
    ),
    "contradicted until now only": (
        lambda: opposed(other_price(), when=Interval(NOW, None)), "contradicted", "contradiction", {"contradictions"}
    ),
    "only possibly contradicted": (lambda: opposed(other_price(), kind="possible"), "supported", None, set()),
    "contradicted by a misquotation": (
        lambda: opposed(other_price(evidence=[evidence("c_other", PRICE.replace("0.80", "0.30"), snapshot())])),
        "supported", None, set(),
    ),
    "contradicted by a claim without text": (
        lambda: opposed(other_price(evidence=[evidence("c_other", "costs $3.20", None)])), "contradicted",
        "contradiction", {"contradictions"},
    ),
    "refuted": (
        lambda: case(price(evidence=[evidence("c_price", PRICE, snapshot()), evidence(
            "c_price", "Output costs $3.20 per million tokens.", snapshot(), Role.REFUTES, rank=1)])),
        "contradicted", "refuted", {"contradictions"},
    ),
}  # fmt: skip


def verdict(given: Verdict = Verdict.UNSUPPORTED, quote: str = PRICE) -> Judged:
    """A person's verdict about the price."""
    key = evidence("c_price", quote, snapshot()).evidence_id
    return Judged("c_price", key, given, Method.HUMAN, "reader", span=PRICE)
