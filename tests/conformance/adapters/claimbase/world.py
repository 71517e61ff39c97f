"""Arranging: the steps of a case, carried out on a base in memory whose clock the case sets."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from functools import cached_property
from typing import Any

import claimbase
from claimbase import Claimbase
from claimbase.claims import COLUMNS, flatten
from claimbase.errors import ClaimbaseError
from claimbase.temporal import FixedClock, read_instant
from claimbase.values import folded

from ...cases import Case, Json

# What a step may carry besides `do`; anything else is an error, never passed over.
_WHEN = {"recorded_at", "may_refuse", "decided_at", "reason"}
_STEP_KEYS: dict[str, set[str]] = {
    "declare": {
        "predicate", "kind", "unit", "cardinality", "tolerance", "stale_after", "closed_world", "timeless", "requires",
        "lifetime_of", "aliases", "minimum", "maximum", "direction", "recorded_at", "as", "binary_suffix",
    },
    "add": {"as", "claim", "recorded_at", "may_refuse"},
    "add_many": {"as", "claims", "recorded_at", "may_refuse", "on_error"},
    "observe": {"as", "claim", "outcome", "observed_at", "recorded_at", "may_refuse", "successor", "step"},
    "supersede": {"as", "old", "at", "claim", *_WHEN},
    "correct": {"as", "replaces", "claim", *_WHEN},
    "retract": {"as", "claim", *_WHEN},
    "retract_source": {"as", "source", *_WHEN},
    "erase": {"as", "claim", *_WHEN},
    "alias": {"as", "subject", "same_as", *_WHEN},
    "unalias": {"as", "subject", *_WHEN},
    "watch": {"as", "constraints", *_WHEN},
    "clock": {"now"},
}  # fmt: skip

# Read K as 1000 whatever a declaration says: no rule gives this key a meaning (V4).
_WITHOUT_MEANING = {"binary_suffix"}

_SAID_IN_BATCH = """
SELECT DISTINCT e.claim_no, p.name AS predicate, s.name AS subject, t.value, o.qualifiers, r.uri
FROM cb.entry AS e
JOIN cb.statement AS t ON t.claim_no = e.claim_no
JOIN cb.predicate AS p ON p.predicate_id = e.predicate_id
JOIN cb.subject AS s ON s.subject_id = e.subject_id
JOIN cb.scope AS o ON o.scope_id = e.scope_id
JOIN cb.source AS r ON r.source_id = e.source_id
WHERE e.kind = 'said' AND e.observed_at = $observed_at AND ($recorded_at IS NULL OR e.recorded_at = $recorded_at)
"""

_CONTENT = """
SELECT
  (SELECT count(*) FROM cb.statement) AS claims, (SELECT count(*) FROM cb.entry) AS entries,
  (SELECT count(*) FROM cb.claim) AS versions, (SELECT count(*) FROM cb.claim WHERE retracted_at IS NOT NULL) AS over,
  (SELECT count(*) FROM cb.predicate_declaration) AS declarations, (SELECT max(batch_id) FROM cb.batch) AS batch
"""


class World:
    """A base in which the steps of a case were carried out.

    Args:
        case: the case; where it asks what became of one step, what the base held before and after it is kept.
        steps: its steps in the order to carry out.
    """

    def __init__(self, case: Case, steps: Sequence[Json]) -> None:
        self.case = case
        self.claims: dict[str, str] = {}
        self.refused: dict[str, ClaimbaseError] = {}
        self.before: Mapping[str, Any] = {}
        self.after: Mapping[str, Any] = {}
        self.disputes: dict[str, Any] = {}
        self._watched = False
        moments = [step["recorded_at"] for step in case.arrange if "recorded_at" in step]
        first = min((read_instant(moment) for moment in moments), default=read_instant(case.now))
        self.clock = FixedClock(first - timedelta(days=1))
        for step in steps:
            self._take(step)
        self.clock.moment = max(self.clock.moment, read_instant(case.now)) if case.any_order else read_instant(case.now)

    @cached_property
    def kb(self) -> Claimbase:
        """The base, made the day before the first step; a case that stores nothing needs none."""
        return claimbase.open(clock=self.clock, packs=())

    def close(self) -> None:
        """Give the base up."""
        if "kb" in self.__dict__:
            self.kb.close()

    def content(self) -> dict[str, Any]:
        """Count what the base holds."""
        return self.kb.db.query(_CONTENT).dicts()[0]

    def ids(self, handles: Sequence[str]) -> set[str]:
        """Give the claims some handles stand for."""
        return {self.claims[handle] for handle in handles}

    def named(self, claim_id: str) -> str:
        """Give a claim's handles, for messages."""
        return "=".join(handle for handle, known in self.claims.items() if known == claim_id) or claim_id

    def _take(self, step: Json) -> None:
        do = step["do"]
        if do not in _STEPS:
            raise ValueError(f"{self.case.id}: the runner knows no step {do!r}")
        if unknown := sorted(set(step) - _STEP_KEYS[do] - {"do"}):
            raise ValueError(f"{self.case.id}: a step {do!r} has no {', '.join(unknown)}")
        if "recorded_at" in step:
            moment = read_instant(step["recorded_at"])
            self.clock.moment = max(self.clock.moment, moment) if self.case.any_order else moment
        handle = ",".join(step["as"]) if do == "add_many" else step.get("as", "")
        looked_for = self.case.ask["op"] == "write" and self.case.ask["step"] == handle
        if looked_for:
            self.before = self.content()
        try:
            _STEPS[do](self, step)
        except ClaimbaseError as error:
            if not looked_for and not step.get("may_refuse"):
                raise
            self.refused[handle] = error
        if looked_for:
            self.after = self.content()
        if self._watched:
            self.kb.run_watches()

    def _declare(self, step: Json) -> None:
        body = {key: value for key, value in step.items() if key not in {"do", "as", "predicate", "recorded_at"}}
        body = {key: value for key, value in body.items() if key not in _WITHOUT_MEANING}
        self.kb.declare({"pack": {"name": "case"}, "predicates": {step["predicate"]: body}})

    def _add(self, step: Json) -> None:
        report = self.kb.add(step["claim"])
        self._remember(step["as"], step["claim"], report.batch)

    def _add_many(self, step: Json) -> None:
        report = self.kb.add(step["claims"], on_error=step.get("on_error", "raise"))
        refused = {rejection.row for rejection in report.rejected}
        for row, (handle, claim) in enumerate(zip(step["as"], step["claims"], strict=True), 1):
            if row not in refused:
                self._remember(handle, claim, report.batch)

    def _observe(self, step: Json) -> None:
        given = {"successor": step["successor"]} if "successor" in step else {}
        report = self.kb.observe(
            self.claims[step["claim"]], step["outcome"], observed_at=step["observed_at"], **given
        )  # fmt: skip
        if given:
            self._name(step["as"], report.other_id)

    def _supersede(self, step: Json) -> None:
        report = self.kb.supersede(self.claims[step["old"]], step["claim"], at=step.get("at"), **_reasoned(step))
        self._name(step["as"], report.other_id)

    def _correct(self, step: Json) -> None:
        report = self.kb.correct(self.claims[step["replaces"]], step["claim"], **_reasoned(step))
        self._name(step["as"], report.other_id)

    def _retract(self, step: Json) -> None:
        self.kb.retract(self.claims[step["claim"]], **_reasoned(step))

    def _retract_source(self, step: Json) -> None:
        self.kb.retract(step["source"], **_reasoned(step))

    def _erase(self, step: Json) -> None:
        self.kb.erase(self.claims[step["claim"]], **_reasoned(step))

    def _alias(self, step: Json) -> None:
        self.kb.merge(step["subject"], step["same_as"], **_reasoned(step))

    def _unalias(self, step: Json) -> None:
        self.kb.unmerge(step["subject"], **_reasoned(step))

    def _watch(self, step: Json) -> None:
        self.kb.watch(step["as"], *step["constraints"])
        self._watched = True

    def _clock(self, step: Json) -> None:
        self.clock.moment = read_instant(step["now"])

    def _name(self, handle: str, claim_id: str | None) -> None:
        """Keep the claim a verb gave as its successor."""
        assert claim_id is not None, f"the verb names no claim for {handle}"
        assert self.claims.setdefault(handle, claim_id) == claim_id, f"{handle} came back as another claim"

    def _remember(self, handle: str, claim: Json, batch: int | None) -> None:
        """Find which claim a handle stands for: the one said at that reading, in that batch if it wrote anything."""
        moments: dict[str, Any] = {"recorded_at": None, "observed_at": read_instant(claim["observed_at"])}
        if batch is not None:
            newest = "SELECT recorded_at FROM cb.batch WHERE batch_id = $batch"
            moments["recorded_at"] = self.kb.db.query(newest, {"batch": batch}).rows[0][0]
            # a clock that runs a little fast is held back to ours (B5)
            moments["observed_at"] = min(moments["recorded_at"], moments["observed_at"])
        found = self.kb.db.query(_SAID_IN_BATCH, moments).dicts()
        matching = {f"c_{row['claim_no']:016x}" for row in found if _is(row, claim)}
        if handle in self.claims:
            assert self.claims[handle] in matching, f"{handle} came back as another claim"
            return
        assert len(matching) == 1, f"{handle} stands for {len(matching)} claims"
        (self.claims[handle],) = matching


def _reasoned(step: Json) -> dict[str, Any]:
    return {name: step[name] for name in ("reason", "decided_at") if name in step}


def _is(row: Mapping[str, Any], claim: Json) -> bool:
    """Tell whether a stored claim has the slot, the source and the words of a step's claim."""
    written = dict(zip(COLUMNS, flatten(claim), strict=True))
    scope = {folded(key): folded(str(value)) for key, value in (claim.get("scope") or {}).items()}
    said = (written["subject"], written["predicate"], written["source_url"], written["value"] or "none", scope)
    return (row["subject"], row["predicate"], row["uri"], row["value"], json.loads(row["qualifiers"])) == said


_STEPS: dict[str, Callable[[World, Json], None]] = {
    "declare": World._declare, "add": World._add, "add_many": World._add_many, "observe": World._observe,
    "supersede": World._supersede, "correct": World._correct, "retract": World._retract,
    "retract_source": World._retract_source, "erase": World._erase, "alias": World._alias,
    "unalias": World._unalias, "watch": World._watch, "clock": World._clock,
}  # fmt: skip
