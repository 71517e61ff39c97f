"""What is said of an answer as a whole: counts, buckets, freshness, notes, and how many rows each step had."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from claimbase.answers.collecting import Asked, Found, Support
from claimbase.answers.model import Freshness, SubjectAnswer
from claimbase.answers.naming import text_of
from claimbase.answers.words import impossible
from claimbase.claims import claim_id
from claimbase.compiler import POSSIBLE, VERDICTS, Plan, Step
from claimbase.constraints import Test
from claimbase.present.words import counted
from claimbase.temporal import TICK, Basis, from_micros, to_micros
from claimbase.vocabulary import Vocabulary

Row = Mapping[str, Any]
_DAY = timedelta(days=1) // TICK
_BUCKETS = {
    "eligible": "eligible", "disputed": "disputed", "possible": "possible", "near_misses": "near_miss",
    "others": "none",
}  # fmt: skip


def counts_of(row: Row) -> dict[str, int | None]:
    """Name the numbers of a row; subjects without any claim on these predicates have no evidence."""
    by_verdict: dict[str, int] = dict.fromkeys(VERDICTS.values(), 0)
    for rank, verdict in VERDICTS.items():
        by_verdict[verdict] += int(row[f"overall_{rank}"] or 0)
    asked = row.get("asked_count")
    return {
        "asked": asked,
        "eligible": int(row.get("eligible_count", row["overall_7"]) or 0),
        "disputed": by_verdict["disputed"],
        "possible": by_verdict["possible"],
        "near_misses": int(row.get("near_count") or 0),
        "no_evidence": by_verdict["no_evidence"] + (0 if asked is None else asked - row["rows_verdicts"]),
        "absent": by_verdict["absent"],
        "failed": by_verdict["failed"],
        "claims": int(row["claims_count"] or 0),
        "incomparable": int(row["incomparable_count"] or 0),
        "unread": int(row["unread_count"] or 0),
        "no_method": int(row["no_method_count"] or 0),
        "withdrawn": int(row.get("withdrawn_count") or 0),
        "left_out": int(row["left_out_count"] or 0),
    }


def buckets_of(
    found: Sequence[SubjectAnswer], policy: str, stated: int, *, ranking: bool
) -> dict[str, tuple[SubjectAnswer, ...]]:
    """Sort subjects into buckets; a ranking ends with those that only lack the value (Q3, Q11)."""
    buckets = {name: tuple(one for one in found if one.bucket == bucket) for name, bucket in _BUCKETS.items()}
    if policy == "any":
        buckets["eligible"] = tuple(one for one in found if one.eligible)
    ranked: list[SubjectAnswer] = []
    if ranking:
        ranked = [one for one in found if one.eligible or one.bucket in ("disputed", "possible")]
        ranked += [
            one for one in found if one.bucket == "near_miss" and all(v.verdict == "met" for v in one.verdicts[:stated])
        ]
    return buckets | {"ranked": tuple(ranked)}


def freshness_of(claims: Iterable[Support], vocabulary: Vocabulary, at: datetime) -> Freshness:
    """Age claims at an instant by their last reading, each by its predicate's own limit (Q9)."""
    seen: dict[str, list[Support]] = {}
    for one in claims:
        seen.setdefault(one.predicate, []).append(one)
    stale: list[int] = []
    now = to_micros(at)
    groups: dict[str, dict[str, Any]] = {}
    for predicate, several in sorted(seen.items()):
        limit = vocabulary.get(predicate).stale_after
        old = [one.claim_no for one in several if now - one.last_seen > limit * _DAY]
        moments = [one.last_seen for one in several]
        groups[predicate] = {
            "stale_after": limit, "newest": from_micros(max(moments)), "oldest": from_micros(min(moments)),
            "stale": len(old),
        }  # fmt: skip
        stale += old
    newest = max((group["newest"] for group in groups.values()), default=None)
    oldest = min((group["oldest"] for group in groups.values()), default=None)
    return Freshness(at, newest, oldest, len(stale), tuple(map(claim_id, sorted(stale))), groups)


def notes_of(basis: Basis, asked: Asked, found: Found, counts: Mapping[str, int | None], stated: int) -> Iterable[str]:
    """Say what a reader must know beside the sets (A5, X44, Q6, Q7, Q12)."""
    if basis.projected or any(test.at is not None and test.at > basis.now for test in asked.tests):
        yield "projected: the instant asked for has not come yet"
    yield from dict.fromkeys(impossible([one for one in asked.conditions if isinstance(one, Test)]))
    if len(asked.conditions) > stated:
        yield f"the ranking asks for {text_of(asked.conditions[-1])}"
    yield from asked.mute.values()
    scopes = {_scope(scope) for scope in found.mentioned}
    if scopes:
        yield f"claims in other scopes did not decide: {'; '.join(sorted(scopes))}"
    if counts["withdrawn"]:
        yield f"withdrawn: {counted(counts['withdrawn'], 'claim')} of sources that no longer count as support"
    if counts["left_out"]:
        yield f"left out: {counted(counts['left_out'], 'claim')} of other sources"
    for name, buckets in (("eligible", ("eligible",)), ("near_misses", ("near_miss",))):
        listed = sum(one.bucket in buckets or (name == "eligible" and one.eligible) for one in found.subjects)
        if listed < (counts[name] or 0):
            yield f"listed: {listed} of {counts[name]} {name.replace('_', ' ')}"


def _scope(scope: Mapping[str, str]) -> str:
    return ", ".join(f"{key}={value}" for key, value in scope.items())


def steps_of(plan: Plan, found: Found, *, whole: bool) -> tuple[Step, ...]:
    """Give each step the number of its rows, as the same run counted them, and the citations as the last one (Q8).

    Args:
        plan: what ran.
        found: what was read from its rows.
        whole: subjects of no bucket are returned as well.
    """
    row = found.counts
    eligible_or_so = sum(int(row[f"overall_{rank}"] or 0) for rank in VERDICTS if rank >= POSSIBLE)
    named = row["rows_verdicts"] if whole else eligible_or_so + int(row.get("near_count") or 0)
    known = {name.removeprefix("rows_"): value for name, value in row.items() if name.startswith("rows_")}
    known |= {
        "weighed": row["rows_active"] - row["left_out_count"],
        "asked": row.get("asked_count"),
        "buckets": row["rows_verdicts"],
        "named": named,
        "page": len(found.subjects),
    }
    cited = Step("citations", "the words, quotes and sources of the claims shown", found.sql, found.cited)
    return (*(replace(step, rows=known.get(step.name)) for step in plan.steps), cited)
