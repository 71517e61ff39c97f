"""Finding in contradictions, histories, freshness, differences and joins."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from claimbase.values import folded

from .finding import OF, attribute, pairs
from .questions import Asked, listing

# -- contradictions -------------------------------------------------------------------------------------------------


def _list(asked: Asked) -> list[dict[str, Any]]:
    found = asked.result.pairs
    assert asked.result.total == len(found), f"{asked.result.total} counted, {len(found)} listed"
    return [
        {
            "kind": pair.kind, "claims": set(pair.claims), "disputed": [pairs(one) for one in pair.disputed],
            "suggested_end": pair.suggested_end,
        }
        for pair in found
    ]  # fmt: skip


def _info_kinds(asked: Asked) -> set[str]:
    kinds = {kind for kind, number in asked.result.information.items() if number}
    assert kinds == {remark.kind for remark in asked.result.remarks}, "counted and listed information differ"
    return kinds


def _sides(asked: Asked) -> list[set[str]]:
    return [{claim.claim_id for claim in side.claims} for card in asked.result.cards for side in card.sides]


def _newest_first(asked: Asked) -> list[str]:
    return [claim.claim_id for card in asked.result.cards for side in card.sides for claim in side.claims]


def _both_shown(asked: Asked) -> bool:
    visible = {row["claim_id"] for row in listing(asked).versions}
    sides = [side for card in asked.result.cards for side in card.sides]
    shown = {claim.claim_id for side in sides for claim in side.claims if claim.quote}
    disputed = {claim for pair in asked.result.pairs for claim in pair.claims}
    return set(asked.world.claims.values()) <= visible and disputed == shown


def _agreement(asked: Asked) -> bool:
    subjects = {row["subject"] for row in listing(asked).versions}
    histories = [asked.world.kb.history(subject, **asked.axes) for subject in sorted(subjects)]
    return any(len(segment.claims) > 1 for one in histories for segment in one.segments)


def _outside_lifetime(asked: Asked) -> set[tuple[Any, Any, Any]]:
    return {(one.claim_id, *pairs(one.outside)) for one in asked.result.outside_lifetime}


# -- history --------------------------------------------------------------------------------------------------------


def _segments(asked: Asked) -> list[dict[str, Any]]:
    return [
        {
            "value": _spellings(segment.claims[0]), "from": segment.start, "until": segment.end,
            "status": segment.status, "doubt": segment.doubt, "claims": {one.claim_id for one in segment.claims},
            "voices": segment.voices, "unconfirmed_since": segment.unconfirmed_since,
            "certain": segment.certain and pairs(segment.certain),
            "possible": segment.possible and pairs(segment.possible),
        }
        for segment in asked.result.segments
    ]  # fmt: skip


def _spellings(claim: Any) -> set[str]:
    """Give the ways an expectation may write a value: as written, folded, or as the exact number."""
    exact = {format(claim.value_min.normalize(), "f")} if claim.unit and claim.value_min == claim.value_max else set()
    return {claim.value, folded(claim.value), *exact}


def _claims_found(asked: Asked) -> set[str]:
    return {claim.claim_id for segment in asked.result.segments for claim in segment.claims}


def _flagged(asked: Asked) -> set[str]:
    return {claim.claim_id for segment in asked.result.segments for claim in segment.claims if claim.flags}


def _content_visible(asked: Asked) -> bool:
    """Tell whether anything that was erased can still be read: in the history asked for, or in the listed claims."""
    steps = asked.world.case.arrange
    erased = {step["claim"] for step in steps if step["do"] == "erase"}
    words = [step["claim"]["quote"] for step in steps if step.get("as") in erased]
    known = {axis: moment for axis, moment in asked.axes.items() if axis in {"observed_by", "recorded_by"}}
    shown = json.dumps([asked.result.to_json(), asked.world.kb.claims(**known)], default=str, ensure_ascii=False)
    return any(text in shown for text in words)


# -- differences and joins ------------------------------------------------------------------------------------------


def _changes(asked: Asked) -> list[dict[str, Any]]:
    return [
        {
            "label": one.label, "axis": one.axis, "subject": one.subject, "predicate": one.predicate,
            "from_value": _side(one.before), "to_value": _side(one.after),
            "from_claims": _named(one.before), "to_claims": _named(one.after),
        }
        for one in asked.result.changes
    ]  # fmt: skip


def _side(values: Sequence[Any]) -> set[str | None]:
    """Give the ways an expectation may write a side: as written, or by the exact values; None for an empty one."""
    if not values:
        return {None}
    written = ["absent" if one.polarity == "absent" else one.value or "erased" for one in values]
    exact = [one.value_key or text for one, text in zip(values, written, strict=True)]
    return {", ".join(written), ", ".join(exact)}


def _named(values: Sequence[Any]) -> set[str]:
    return {claim.claim_id for one in values for claim in one.claims}


OF["contradictions"] = {
    "list": _list, "pairs": lambda asked: [set(pair.claims) for pair in asked.result.pairs],
    "kinds": lambda asked: {pair.kind for pair in asked.result.pairs}, "info_kinds": _info_kinds,
    "newest_first": _newest_first, "sides": _sides, "both_shown": _both_shown, "agreement": _agreement,
    "outside_lifetime": _outside_lifetime, "list_size": lambda asked: len(asked.result.pairs),
    "ids_equal_in_all_orders": lambda asked: sorted(pair.id for pair in asked.result.pairs),
}  # fmt: skip
OF["history"] = {
    "segments": _segments, "gaps": lambda asked: [pairs(gap.stretch) for gap in asked.result.gaps],
    "counts": attribute("counts"), "claims_found": _claims_found,
    "predicates": lambda asked: {segment.predicate for segment in asked.result.segments},
    "sentence": attribute("sentence"),
    "voices": lambda asked: max((segment.voices for segment in asked.result.segments), default=0),
    "flagged": _flagged, "content_visible": _content_visible,
    "tombstones": lambda asked: {(one.claim_id, one.reason) for one in asked.result.tombstones},
}  # fmt: skip
OF["freshness"] = {name: attribute(name) for name in ("newest", "oldest", "stale", "next_stale_at", "claims")} | {
    "stale_claims": lambda asked: {getattr(one, "claim_id", one) for one in asked.result.stale_claims},
}
OF["diff"] = {"rows": _changes, "axis": attribute("axis"), "axes_moved": attribute("axes_moved")}
OF["temporal_join"] = {"rows": lambda asked: asked.result.rows()}
OF["relation"] = {
    "allen": lambda asked: asked.result if isinstance(asked.result, str) else "|".join(asked.result.relations)
}
