"""Finding in answers: verdicts, buckets, citations, rankings, windows and watches."""

from __future__ import annotations

from typing import Any

from .finding import OF, Finder, attribute, pairs
from .questions import Asked


def _verdicts(asked: Asked) -> dict[str, list[str]]:
    """Find the verdicts on the stated constraints; a ranking may have added one."""
    stated = len(asked.question["constraints"])
    return {subject: list(verdicts[:stated]) for subject, verdicts in asked.result.verdicts().items()}


def _bucket(name: str) -> Finder:
    return lambda asked: {one.subject for one in getattr(asked.result, name)}


def _near_misses(asked: Asked) -> dict[str, dict[str, Any]]:
    found = {one.subject: one.missing for one in asked.result.near_misses}
    return {
        subject: {"predicate": missing.predicate, "value": missing.value, "reason": missing.verdict}
        for subject, missing in found.items()
    }


def _cited(asked: Asked) -> set[str]:
    cited = asked.result.citations
    assert all(one.quote and one.url for one in cited), "a citation lacks its quote or its source"
    return {one.claim_id for one in cited}


def _mentioned_scopes(asked: Asked) -> list[dict[str, str]]:
    return [dict(scope) for one in asked.result.subjects() for verdict in one.verdicts for scope in verdict.mentioned]


def _invented(asked: Asked) -> int:
    known = {step["claim"]["subject"] for step in asked.world.case.arrange if step["do"] == "add"}
    return len({one.subject for one in asked.result.subjects()} - known)


def _wording(asked: Asked) -> dict[str, set[str]]:
    texts: dict[str, set[str]] = {}
    for one in asked.result.citations:
        texts.setdefault(one.claim_id, set()).add(one.valid)
    return texts


def _reasons(asked: Asked) -> dict[str, list[str | None]]:
    return {one.subject: [verdict.reason for verdict in one.verdicts] for one in asked.result.subjects()}


def _freshness(asked: Asked) -> dict[str, Any]:
    block = asked.result.freshness
    return {
        "newest": block.newest, "oldest": block.oldest, "stale": block.stale, "stale_claims": set(block.stale_claims),
    }  # fmt: skip


_CITED = (
    "value", "normalized_value", "quote", "title", "url", "publisher", "published_at", "observed_at", "valid", "role",
)  # fmt: skip
# What a source may leave out.
_OPTIONAL = {"title", "publisher", "published_at"}


def _complete_citations(asked: Asked) -> bool:
    """Tell whether every citation has all its parts, those that a source may leave out aside (Q4)."""
    rows = [{name: getattr(one, name) for name in _CITED} for one in asked.result.citations]
    return bool(rows) and all(row[name] for row in rows for name in _CITED if name not in _OPTIONAL)


def _plan_complete(asked: Asked) -> bool:
    """Tell whether the plan names its steps, each with its SQL and its number of rows (Q8)."""
    steps = asked.result.plan
    return bool(steps) and all(one.name and one.sql and one.rows is not None for one in steps)


def _when(certainty: str) -> Finder:
    """Find the intervals of the one subject asked for, with this certainty."""
    return lambda asked: [pairs(one) for subject in asked.result.subjects for one in getattr(subject, certainty)]


def _events(asked: Asked) -> list[dict[str, Any]]:
    return [
        {"event": one.event, "subject": one.subject, "because": set(one.because), "at": one.at} for one in asked.result
    ]


def _watched(asked: Asked) -> set[str]:
    """Find who is eligible now, by the constraints of the watch."""
    (step,) = (step for step in asked.world.case.arrange if step.get("as") == asked.question["watch"])
    return {one.subject for one in asked.world.kb.answer(*step["constraints"]).eligible}


OF["answer"] = {
    "verdicts": _verdicts, "eligible": _bucket("eligible"), "disputed": _bucket("disputed"),
    "possible": _bucket("possible"), "not_eligible": _bucket("eligible"), "near_misses": _near_misses,
    "ranked": lambda asked: [one.subject for one in asked.result.ranked], "cited": _cited,
    "supporting_claims": lambda asked: len({one.claim_id for one in asked.result.supporting}),
    "mentioned_scopes": _mentioned_scopes, "left_out": lambda asked: asked.result.counts["left_out"],
    "counts": attribute("counts"), "invented": _invented, "wording": _wording, "reasons": _reasons,
    "freshness": _freshness, "summary": attribute("summary"), "complete_citations": _complete_citations,
    "complete_plan": _plan_complete,
}  # fmt: skip
OF["when"] = {name: _when(name) for name in ("certain", "possible", "disputed")} | {
    "next_change_at": attribute("next_change_at")
}
OF["watch_events"] = {
    "events": _events, "events_include": _events, "still_eligible": _watched, "not_eligible": _watched,
}  # fmt: skip
OF["explain"] = {
    "verdicts": lambda asked: [one.verdict for one in asked.result.constraints], "bucket": attribute("bucket"),
}  # fmt: skip
