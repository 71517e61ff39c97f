"""Judging answers: the keys of `expect` that speak of verdicts, buckets, citations and rankings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .asks import Asked
from .judges import OF, Judge, moment, only, same


def _verdicts(asked: Asked, expected: Mapping[str, Sequence[str]]) -> None:
    """Compare the verdicts on the stated constraints; a ranking may have added one."""
    stated = len(asked.ask["constraints"])
    found = {subject: list(verdicts[:stated]) for subject, verdicts in asked.result.verdicts().items()}
    same({subject: found.get(subject) for subject in expected}, dict(expected), f"verdicts at {asked.label}")


def _bucket(name: str) -> Judge:
    def compare(asked: Asked, expected: Sequence[str]) -> None:
        same({one.subject for one in getattr(asked.result, name)}, set(expected), f"{name} at {asked.label}")

    return compare


def _not_eligible(asked: Asked, expected: Sequence[str]) -> None:
    wrong = {one.subject for one in asked.result.eligible} & set(expected)
    assert not wrong, f"eligible: {wrong}"


def _near_misses(asked: Asked, expected: Mapping[str, Mapping[str, Any]]) -> None:
    found = {one.subject: one.missing for one in asked.result.near_misses}
    same(set(found), set(expected), "near misses")
    for subject, wanted in expected.items():
        only(wanted, {"predicate", "value", "reason"}, "a near miss")
        missing = found[subject]
        given = {"predicate": missing.predicate, "value": missing.value, "reason": missing.verdict}
        same({name: given[name] for name in wanted}, dict(wanted), f"why {subject} misses")


def _ranked(asked: Asked, expected: Sequence[str]) -> None:
    same([one.subject for one in asked.result.ranked], list(expected), "ranking")


def _cited(asked: Asked, expected: Sequence[str]) -> None:
    cited = {one.claim_id for one in asked.result.citations}
    same(sorted(map(asked.world.named, cited)), sorted(map(asked.world.named, asked.world.ids(expected))), "cited")
    assert all(one.quote and one.url for one in asked.result.citations), "a citation lacks its quote or its source"


def _supporting(asked: Asked, expected: int) -> None:
    same(len({one.claim_id for one in asked.result.supporting}), expected, "supporting claims")


def _mentioned_scopes(asked: Asked, expected: Sequence[Mapping[str, str]]) -> None:
    found = [dict(s) for one in asked.result.subjects() for verdict in one.verdicts for s in verdict.mentioned]
    wanted = [{key: value.casefold() for key, value in scope.items()} for scope in expected]
    same([{key: value.casefold() for key, value in scope.items()} for scope in found], wanted, "scopes mentioned")


def _counted(name: str) -> Judge:
    return lambda asked, expected: same(asked.result.counts[name], expected, name)


def _counts(asked: Asked, expected: Mapping[str, int]) -> None:
    only(expected, asked.result.counts, "counts")
    same({name: asked.result.counts[name] for name in expected}, dict(expected), "counts")


def _invented(asked: Asked, expected: int) -> None:
    known = {step["claim"]["subject"] for step in asked.world.case.arrange if step["do"] == "add"}
    same(len({one.subject for one in asked.result.subjects()} - known), expected, "subjects nobody spoke of")


def _wording(asked: Asked, expected: Mapping[str, str]) -> None:
    for handle, words in expected.items():
        valid = {one.valid for one in asked.result.citations if one.claim_id == asked.world.claims[handle]}
        assert valid, f"{handle} is not cited"
        assert all(words in text and "ended" not in text for text in valid), f"{handle}: {valid} for {words!r}"


def _reasons(asked: Asked, expected: Mapping[str, Sequence[str | None]]) -> None:
    found = {one.subject: [verdict.reason for verdict in one.verdicts] for one in asked.result.subjects()}
    same({subject: found.get(subject) for subject in expected}, dict(expected), "reasons")


_OF_FRESHNESS = {"newest": moment, "oldest": moment, "stale": int, "stale_claims": list}


def _freshness(asked: Asked, expected: Mapping[str, Any]) -> None:
    only(expected, _OF_FRESHNESS, "freshness")
    block = asked.result.freshness
    wanted = {name: _OF_FRESHNESS[name](value) for name, value in expected.items()}
    if "stale_claims" in wanted:
        wanted["stale_claims"] = sorted(asked.world.ids(wanted["stale_claims"]))
    given = {"newest": block.newest, "oldest": block.oldest, "stale": block.stale}
    given["stale_claims"] = sorted(block.stale_claims)
    same({name: given[name] for name in wanted}, wanted, "freshness")


OF["answer"] = {key: OF["write"][key] for key in ("contradictions", "contradictions_of_kind")} | {
    "verdicts": _verdicts, "eligible": _bucket("eligible"), "disputed": _bucket("disputed"),
    "possible": _bucket("possible"), "not_eligible": _not_eligible, "near_misses": _near_misses, "ranked": _ranked,
    "cited": _cited, "supporting_claims": _supporting, "mentioned_scopes": _mentioned_scopes,
    "left_out": _counted("left_out"), "counts": _counts, "invented": _invented, "wording": _wording,
    "reasons": _reasons, "freshness": _freshness,
}  # fmt: skip
