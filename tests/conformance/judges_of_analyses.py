"""Judging answers, contradictions, histories and freshness: the keys of `expect` that speak of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from claimbase.values import folded

from .asks import Asked, listing
from .judges import OF, Judge, moment, only, same

_BESIDE = {key: OF["write"][key] for key in ("contradictions", "contradictions_of_kind")}

# -- contradictions -------------------------------------------------------------------------------------------------


def _list(asked: Asked, expected: Sequence[Mapping[str, Any]]) -> None:
    """Compare every pair: its kind, its claims, and where they are named its intervals and the suggested end."""
    wanted: dict[tuple[str, frozenset[str]], list[Mapping[str, Any]]] = {}
    for one in expected:
        only(one, {"kind", "claims", "from", "until", "suggested_end"}, "a contradiction")
        wanted.setdefault((one["kind"], frozenset(asked.world.ids(one["claims"]))), []).append(one)
    found = {(pair.kind, frozenset(pair.claims)): pair for pair in asked.result.pairs}
    if set(found) != set(wanted):
        shown = [(kind, sorted(asked.world.named(claim) for claim in claims)) for kind, claims in found]
        raise AssertionError(f"contradictions at {asked.label}: found {shown}, expected {list(expected)}")
    for key, ones in wanted.items():
        pair = found[key]
        if any("from" in one for one in ones):
            intervals = [(moment(one["from"]), moment(one["until"])) for one in ones]
            same([(one.start, one.end) for one in pair.disputed], intervals, f"disputed intervals of {ones}")
        for handle, end in (item for one in ones for item in one.get("suggested_end", {}).items()):
            same(pair.suggested_end.get(asked.world.claims[handle]), moment(end), f"suggested end of {handle}")
    same(asked.result.total, len(wanted), "contradictions counted")


def _pairs(asked: Asked, expected: Sequence[Sequence[str]]) -> None:
    found = {frozenset(pair.claims) for pair in asked.result.pairs}
    same(found, {frozenset(asked.world.ids(handles)) for handles in expected}, "pairs")


def _kinds(asked: Asked, expected: Sequence[str]) -> None:
    same({pair.kind for pair in asked.result.pairs}, set(expected), f"kinds at {asked.label}")


def _info_kinds(asked: Asked, expected: Sequence[str]) -> None:
    same({kind for kind, number in asked.result.information.items() if number}, set(expected), "information")
    same({remark.kind for remark in asked.result.remarks}, set(expected), "information listed")


def _newest_first(asked: Asked, expected: Sequence[str]) -> None:
    shown = [claim.claim_id for card in asked.result.cards for side in card.sides for claim in side.claims]
    same(shown, [asked.world.claims[handle] for handle in expected], "order of the sides")


def _sides(asked: Asked, expected: Sequence[Sequence[str]]) -> None:
    found = [{claim.claim_id for claim in side.claims} for card in asked.result.cards for side in card.sides]
    same(found, [asked.world.ids(handles) for handles in expected], "sides")


def _both_shown(asked: Asked, expected: bool) -> None:
    visible = {row["claim_id"] for row in listing(asked).versions}
    sides = [side for card in asked.result.cards for side in card.sides]
    shown = {claim.claim_id for side in sides for claim in side.claims if claim.quote}
    disputed = {claim for pair in asked.result.pairs for claim in pair.claims}
    same(set(asked.world.claims.values()) <= visible and disputed == shown, expected, "both shown")


def _agreement(asked: Asked, expected: bool) -> None:
    subjects = {row["subject"] for row in listing(asked).versions}
    histories = [asked.world.kb.history(subject, **asked.axes) for subject in sorted(subjects)]
    agree = any(len(segment.claims) > 1 for one in histories for segment in one.segments)
    same(agree, expected, "agreement")


def _outside_lifetime(asked: Asked, expected: Sequence[Mapping[str, Any]]) -> None:
    wanted = {(asked.world.claims[one["claim"]], moment(one["from"]), moment(one["until"])) for one in expected}
    reported = getattr(asked.result, "outside_lifetime", None)
    assert reported is not None, "the report does not speak of lifetimes"
    same({(one.claim_id, one.outside.start, one.outside.end) for one in reported}, wanted, "outside their lifetime")


# -- history --------------------------------------------------------------------------------------------------------

_OF_SEGMENT = {
    "value": lambda asked, segment, text: text in _spellings(segment.claims[0]),
    "from": lambda asked, segment, text: segment.start == moment(text),
    "until": lambda asked, segment, text: segment.end == moment(text),
    "status": lambda asked, segment, text: segment.status == text,
    "doubt": lambda asked, segment, text: segment.doubt == text,
    "claims": lambda asked, segment, given: _are(asked, {one.claim_id for one in segment.claims}, given),
    "voices": lambda asked, segment, number: segment.voices == number,
    "unconfirmed_since": lambda asked, segment, text: segment.unconfirmed_since == moment(text),
    "certain": lambda asked, segment, given: _is_interval(segment.certain, given),
    "possible": lambda asked, segment, given: _is_interval(segment.possible, given),
}


def _spellings(claim: Any) -> set[str]:
    """Give the ways an expectation may write a value: as written, folded, or as the exact number."""
    exact = {format(claim.value_min.normalize(), "f")} if claim.unit and claim.value_min == claim.value_max else set()
    return {claim.value, folded(claim.value), *exact}


def _are(asked: Asked, found: set[str], given: int | Sequence[str]) -> bool:
    return len(found) == given if isinstance(given, int) else found == asked.world.ids(given)


def _is_interval(found: Any, given: Sequence[str | None] | None) -> bool:
    if found is None or given is None:
        return found is given
    return (found.start, found.end) == (moment(given[0]), moment(given[1]))


def _segments(asked: Asked, expected: int | Sequence[Mapping[str, Any]]) -> None:
    found = asked.result.segments
    if isinstance(expected, int):
        same(len(found), expected, "segments")
        return
    same(len(found), len(expected), f"segments {found}")
    for segment, wanted in zip(found, expected, strict=True):
        only(wanted, _OF_SEGMENT, "a segment")
        wrong = [name for name, given in wanted.items() if not _OF_SEGMENT[name](asked, segment, given)]
        assert not wrong, f"{wrong} of {segment}, expected {wanted}"


def _gaps(asked: Asked, expected: Sequence[Sequence[str | None]]) -> None:
    found = [(gap.stretch.start, gap.stretch.end) for gap in asked.result.gaps]
    same(found, [(moment(start), moment(end)) for start, end in expected], "gaps")


def _counts(asked: Asked, expected: Mapping[str, int]) -> None:
    only(expected, asked.result.counts, "counts")
    same({name: asked.result.counts[name] for name in expected}, dict(expected), "counts")


def _claims_found(asked: Asked, expected: Sequence[str]) -> None:
    found = {claim.claim_id for segment in asked.result.segments for claim in segment.claims}
    same(found, asked.world.ids(expected), "claims found")


def _predicates(asked: Asked, expected: Sequence[str]) -> None:
    same({segment.predicate for segment in asked.result.segments}, set(expected), "predicates")


def _sentence(asked: Asked, expected: Sequence[str]) -> None:
    missing = [words for words in expected if words not in asked.result.sentence]
    assert not missing, f"{asked.result.sentence!r} does not say {missing}"


# -- freshness ------------------------------------------------------------------------------------------------------


def _seen(name: str) -> Judge:
    return lambda asked, expected: same(getattr(asked.result, name), moment(expected), name)


def _stale(asked: Asked, expected: int) -> None:
    same(asked.result.stale, expected, "stale")


def _stale_claims(asked: Asked, expected: Sequence[str]) -> None:
    stale = {getattr(one, "claim_id", one) for one in asked.result.stale_claims}
    same(stale, asked.world.ids(expected), "stale claims")


OF["contradictions"] = _BESIDE | {
    "list": _list, "pairs": _pairs, "kinds": _kinds, "info_kinds": _info_kinds, "newest_first": _newest_first,
    "sides": _sides,
    "both_shown": _both_shown, "agreement": _agreement, "outside_lifetime": _outside_lifetime,
    "list_size": lambda asked, expected: same(len(asked.result.pairs), expected, "pairs listed"),
    # compared over all orders at once, by the runner
    "ids_equal_in_all_orders": lambda asked, expected: same(asked.world.case.any_order, expected, "any order"),
}  # fmt: skip
OF["history"] = _BESIDE | {
    "segments": _segments, "gaps": _gaps, "counts": _counts, "claims_found": _claims_found, "predicates": _predicates,
    "visible": OF["active"]["visible"], "sentence": _sentence,
}  # fmt: skip
OF["freshness"] = {
    "newest": _seen("newest"), "oldest": _seen("oldest"), "stale": _stale, "stale_claims": _stale_claims,
    "next_stale_at": _seen("next_stale_at"),
    "claims": lambda asked, expected: same(asked.result.claims, expected, "claims"),
}  # fmt: skip
