"""What changes and what goes together, as text for people: diffs, joins and relations."""

from __future__ import annotations

from collections.abc import Sequence

from claimbase.present.page import Page
from claimbase.present.tables import basis, citations
from claimbase.present.words import Data, bounds, interval, said, slot_name

_STYLES = {"erased": "red", "corrected": "yellow", "retracted": "yellow"}
_AXES = (("valid_at", "as of"), ("observed_by", "observed by"), ("recorded_by", "recorded by"))


def diff(page: Page, data: Data) -> None:
    """Show what differs between two bases: slot by slot from what to what, why, and the claims of both sides (H2)."""
    page.head(data["summary"])
    for change in data["changes"]:
        page.head(slot_name(change))
        label = change["label"].replace("_", " ")
        page.line(f"{label}: {_change(change)}", indent=2, style=_STYLES.get(change["label"], "bold"))
        for gone in change["tombstones"]:
            page.line(
                f"{gone['claim_id']} of {gone['url']} was erased at {gone['erased_at']}: {gone['reason']}", indent=4
            )
        left, entered = _moved(change)
        for title, claims in (("no longer:", left), ("now:", entered)):
            if claims:
                page.line(title, indent=4, style="dim")
                citations(page, claims, indent=6)
    page.head("Bases")
    for side in ("a", "b"):
        words = ", ".join(f"{word} {data[side][name]}" for name, word in _AXES)
        page.line(f"{'from' if side == 'a' else 'to'} {words}", indent=2)


def _change(change: Data) -> str:
    others = [word for word in change["became"] if word != change["label"]]
    became = f" (a claim was {' and '.join(others)})" if others else ""
    if change["label"] == "re_evidenced":
        return f"{_values(change['after'])} stands on other evidence{became}"
    return f"{_values(change['before'])} to {_values(change['after'])}{became}"


def _values(side: Sequence[Data]) -> str:
    return ", ".join(map(_value, side)) or "nothing"


def _value(held: Data) -> str:
    return said(held) if held["certainty"] == "certain" else f"possibly {said(held)}"


def _moved(change: Data) -> tuple[list[Data], list[Data]]:
    """Give the claims of one side that the other has not; where all stand on both sides, all of the second."""
    before, after = ([one for held in change[side] for one in held["claims"]] for side in ("before", "after"))
    left = _without(before, after)
    entered = _without(after, before)
    return (left, entered) if left or entered else ([], after)


def _without(claims: Sequence[Data], others: Sequence[Data]) -> list[Data]:
    known = {one["claim_id"] for one in others}
    return [one for one in claims if one["claim_id"] not in known]


def join(page: Page, data: Data) -> None:
    """Show the stretches of a join, each with its values and the claims behind them (H4)."""
    page.head(data["summary"])
    for one in data["stretches"]:
        values = ", ".join(f"{name} {'erased' if value is None else value}" for name, value in one["values"].items())
        page.head(f"{one['subject']} ({one['provider']}) {interval(one['interval'])}")
        page.line(values if one["certain"] else f"possibly {values}", indent=2, style="bold" if one["certain"] else "")
        for claims in one["claims"].values():
            citations(page, claims, indent=4)
    basis(page, data["basis"])


def relation(page: Page, data: Data) -> None:
    """Show how two claims lie to each other, with the bounds this rests on (H4)."""
    page.head(data["summary"])
    for pair in data["pairs"]:
        page.line(" or ".join(pair["relations"]).replace("_", " "), indent=2, style="bold")
        for claim, side in (("claim_id", "bounds"), ("other_id", "other")):
            page.line(f"{data[claim]} holds {bounds(pair[side])}", indent=4)
    basis(page, data["basis"])
