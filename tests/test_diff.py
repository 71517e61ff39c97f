"""Diff (H2): what two bases hold differently, which axis moved, and why; applied to the one it gives the other."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from kit import Ticking, base, claim, day, only_claim
from rows import NOW, Builder, moment

import claimbase
from claimbase.agents import call
from claimbase.analysis.diff import Change, Diff, Held, diff
from claimbase.cli import main
from claimbase.errors import InputError, InstantError
from claimbase.importers.mapping import load_mapping
from claimbase.importers.observations import read_observations
from claimbase.store import Db
from claimbase.temporal import AsOf, Basis, FixedClock

Slot = tuple[str, str, str, str]
Member = tuple[bool, frozenset[str]]
Snapshot = dict[Slot, dict[tuple[str, str, str], Member]]

ACTIVE = """
SELECT s.provider, s.name, p.name, o.qualifiers, c.absent, w.value_key, u.name, cb.claim_id(c.claim_no), c.certain
FROM cb.active($valid_at, $observed_by, $recorded_by) AS c
LEFT JOIN cb.canonical('subject', $recorded_by) AS a ON a.alias_id = c.subject_id
JOIN cb.subject AS s ON s.subject_id = coalesce(a.canonical_id, c.subject_id)
JOIN cb.meant($recorded_by) AS p ON p.predicate_id = c.predicate_id
JOIN cb.scope AS o ON o.scope_id = c.scope_id
JOIN cb.value AS w ON w.value_id = c.value_id
LEFT JOIN cb.unit AS u ON u.unit_id = c.unit_id"""


def build() -> Builder:
    """Start a base whose predicates the tests share."""
    builder = Builder()
    builder.declare("price", unit="usd_per_mtok")
    builder.declare("grade", kind="text")
    return builder


def snapshot(db: Db, basis: Basis) -> Snapshot:
    """Give the active state: per slot and value whether it is certain, and the claims that state it."""
    axes = {"valid_at": basis.valid_at, "observed_by": basis.observed_by, "recorded_by": basis.recorded_by}
    found: Snapshot = {}
    for *slot, absent, key, unit, claim_id, certain in db.query(ACTIVE, axes):
        value = ("absent", "", "") if absent else ("stated", key, unit or "")
        values = found.setdefault((slot[0], slot[1], slot[2], json.dumps(json.loads(slot[3]), sort_keys=True)), {})
        known = values.get(value, (False, frozenset()))
        values[value] = known[0] or certain, known[1] | {claim_id}
    return found


def member(held: Held) -> tuple[tuple[str, str, str], Member]:
    """Give one side of a change as a snapshot holds it."""
    key = (held.polarity, held.value_key or "", held.unit or "")
    return key, (held.certain, frozenset(one.claim_id for one in held.claims))


def applied(found: Iterable[Change], start: Snapshot) -> Snapshot:
    """Take what leaves out of a snapshot and put in what enters; whatever leaves must have been there."""
    after = {slot: dict(values) for slot, values in start.items()}
    for change in found:
        scope = json.dumps(dict(change.scope), sort_keys=True)
        values = after.setdefault((change.provider, change.subject, change.predicate, scope), {})
        for key, held in map(member, change.before):
            assert values.pop(key) == held
        for key, held in map(member, change.after):
            assert key not in values
            values[key] = held
    return {slot: values for slot, values in after.items() if values}


def told(found: Diff) -> list[tuple[Any, ...]]:
    """Give each change as label, values and certainty of both sides."""
    names = ("label", "from_value", "from_certainty", "to_value", "to_certainty")
    return [tuple(row[name] for name in names) for row in found.rows()]


def moved(db: Db, axis: str, a: Any, b: Any, **fixed: Any) -> Diff:
    """Move one axis and hold the others."""
    field = {"valid": "valid_at", "observed": "observed_by", "recorded": "recorded_by"}[axis]
    sides = (AsOf(**({name: moment(given) for name, given in (fixed | {field: side}).items()})) for side in (a, b))
    return diff(db, *sides, axis=axis)


# -- one axis at a time ----------------------------------------------------------------------------------------------


def superseded() -> Db:
    """A price of 3 from January; on 22 March it is learned that it is 2 since 1 March."""
    builder = build()
    early: dict[str, Any] = {"start": "2026-01-01", "observed": "2026-01-05"}
    builder.claim("$3", **early, retracted="2026-03-22", kind="replaced")
    builder.claim("$3", **early, observed_until="2026-03-22", recorded="2026-03-22T00:00:00Z")
    builder.claim("$3", **early, cut="2026-03-01", observed_from="2026-03-22", recorded="2026-03-22")
    builder.claim("$2", start="2026-03-01", observed="2026-03-22")
    return builder.build()


@pytest.mark.slow
def test_a_superseded_value_and_its_replacement_are_one_row() -> None:
    """H2: what was superseded is not told as updated beside what replaced it; each axis asks another question."""
    db = superseded()
    late = moved(db, "recorded", "2026-03-15", "2026-03-25", valid_at="2026-03-15")
    assert (late.axis, late.axes_moved) == ("recorded", ("recorded",))
    assert told(late) == [("learned", "$3", "certain", "$2", "certain")]
    assert told(moved(db, "observed", "2026-03-15", "2026-03-25", valid_at="2026-03-15")) == told(late)
    world = moved(db, "valid", "2026-02-15", "2026-03-15")
    assert told(world) == [("world_changed", "$3", "certain", "$2", "certain")]
    (change,) = world.changes
    assert [(held.claims[0].quote, held.claims[0].url) for held in change.before + change.after] == [
        ("Lark 2 price: $3", "https://a.example/page"), ("Lark 2 price: $2", "https://a.example/page"),
    ]  # fmt: skip
    assert told(moved(db, "valid", "2026-03-15", "2026-02-15")) == [("world_changed", "$2", "certain", "$3", "certain")]


def test_evidence_read_later_fills_an_instant_of_which_nothing_was_known() -> None:
    """H2, A4: only the observed axis moves; a value enters where there was none."""
    builder = build()
    builder.claim("$3", start="2026-01-01", end="2026-02-01", observed="2026-01-05")
    builder.claim("$2", start="2026-02-01", observed="2026-04-01", source="b")
    db = builder.build()
    found = diff(
        db, {"as_of": "2026-02-15", "observed_by": "2026-03-01"}, {"as_of": "2026-02-15", "observed_by": "2026-04-02"}
    )
    assert found.axis == "observed"
    assert told(found) == [("learned", None, None, "$2", "certain")]
    assert told(diff(db, "2026-03-01", "2026-04-02", axis="observed")) == told(found)


def test_equal_bases_differ_in_nothing() -> None:
    """H2: no axis moved, no row; *now* is read once for both sides, however fast the clock ticks."""
    kb = base(Ticking())
    kb.add(claim())
    for sides in ((None, None), ("2026-03-15", "2026-03-15"), ({"as_of": "2026-03-15"}, AsOf(moment("2026-03-15")))):
        found = kb.diff(*sides)
        assert (found.changes, found.axis, found.axes_moved) == ((), None, ())
        assert kb.diff(*sides, axis="all").axes_moved == ()
    assert found.summary == "the two bases are the same"
    assert kb.diff("2026-03-15").axes_moved == ("valid",)


def test_certainty_is_part_of_the_state() -> None:
    """H2, T2, T8: between two readings both values are possible; at the second one is certain, the other gone."""
    builder = build()
    builder.claim("$3", source="a", observed=10, cut=(11, 30))
    builder.claim("$2", source="a", observed=30, start=(11, 30), dated=False)
    db = builder.build()
    assert told(moved(db, "valid", 10, 20)) == [
        ("world_changed", "$3", "certain", "$2, $3", "possible, possible"),
    ]  # fmt: skip
    assert told(moved(db, "valid", 20, 30)) == [("world_changed", "$2, $3", "possible, possible", "$2", "certain")]


def test_other_evidence_for_the_same_value_is_told_as_such() -> None:
    """H2, V9: the same value by value_key, with claims that came or went, on any axis; value by value."""
    builder = build()
    builder.claim("$3", start="2026-01-01", observed="2026-01-05")
    builder.claim("3.00", start="2026-01-01", observed="2026-02-05", source="b")
    builder.claim("$4", start="2026-01-01", end="2026-06-01", observed="2026-01-05", source="c")
    builder.claim("$4", start="2026-03-01", observed="2026-01-05", source="d")
    db = builder.build()
    found = moved(db, "observed", "2026-02-01", "2026-03-01")
    assert [(change.label, len(change.before[0].claims), len(change.after[0].claims)) for change in found.changes] == [
        ("re_evidenced", 1, 2)
    ]
    both = moved(db, "valid", "2026-02-01", "2026-03-01")
    assert told(both) == [("re_evidenced", "$4", "certain", "$4", "certain")]


# -- what decisions did ----------------------------------------------------------------------------------------------


def test_a_correction_is_one_row_with_both_sides() -> None:
    """H2: corrected, from what we had recorded wrongly to what the source said; a mere replacement is learned."""
    builder = build()
    builder.claim("$3", start="2026-01-01", observed="2026-01-05", retracted="2026-03-01", kind="corrected")
    builder.claim("$2", start="2026-01-01", observed="2026-01-05", recorded="2026-03-01")
    builder.claim(
        "$9", subject="Wren", start="2026-01-01", observed="2026-01-05", retracted="2026-03-01", kind="replaced"
    )
    builder.claim("$8", subject="Wren", start="2026-01-01", observed="2026-01-05", recorded="2026-03-01")
    found = moved(builder.build(), "recorded", "2026-02-01", "2026-04-01")
    assert told(found) == [
        ("corrected", "$3", "certain", "$2", "certain"), ("learned", "$9", "certain", "$8", "certain"),
    ]  # fmt: skip
    assert [change.became for change in found.changes] == [("corrected",), ()]


def test_what_a_retraction_opens_again_came_by_it() -> None:
    """H2, W6: the predecessor that stands again is told in the retraction's row; what was added besides is learned."""
    builder = build()
    early: dict[str, Any] = {"start": "2026-01-01", "observed": "2026-01-05"}
    builder.claim("$3", **early, cut="2026-02-01", retracted="2026-03-01", kind="replaced")
    builder.claim("$3", **early, recorded="2026-03-01")
    builder.claim("$2", start="2026-02-01", observed="2026-02-05", retracted="2026-03-01")
    builder.claim("$5", start="2026-02-01", observed="2026-02-05", recorded="2026-03-10", source="b")
    found = moved(builder.build(), "recorded", "2026-02-10", "2026-04-01")
    assert told(found) == [
        ("retracted", "$2", "certain", "$3", "certain"), ("learned", None, None, "$5", "certain"),
    ]  # fmt: skip


def test_a_claim_replaced_first_and_withdrawn_later_was_withdrawn() -> None:
    """H2, B1: the label says what became of the claim, not of the version that stood at the first basis."""
    builder = build()
    early: dict[str, Any] = {"start": "2026-01-01", "observed": "2026-01-05"}
    builder.claim("$3", **early, retracted="2026-03-01", kind="replaced")
    builder.claim("$3", **early, cut="2027-01-01", recorded="2026-03-01", retracted="2026-04-01", kind="erased")
    builder.claim("$3", source="b", start="2026-01-01", observed="2026-01-05", subject="Wren", retracted="2026-03-01")
    builder.claim("$3", source="c", start="2026-01-01", observed="2026-01-05", subject="Wren")
    found = moved(builder.build(), "recorded", "2026-02-10", "2026-05-01")
    assert [(change.label, change.became) for change in found.changes] == [
        ("erased", ("erased",)), ("re_evidenced", ("retracted",)),
    ]  # fmt: skip
    assert found.counts == {"erased": 1, "re_evidenced": 1}


def test_a_merge_moves_claims_to_the_other_slot() -> None:
    """H2, P2: before the merge answers are split; narrowed to one of the names, both ends are looked at."""
    builder = build()
    builder.claim("$3", subject="Lark-2", start="2026-01-01", observed="2026-01-05")
    builder.claim("$3", subject="Lark 2", start="2026-01-01", observed="2026-01-05", source="b")
    builder.alias("subject", builder.subject("Lark-2"), builder.subject("Lark 2"), "2026-03-01")
    db = builder.build()
    found = diff(db, "2026-02-01", "2026-04-01", axis="recorded", subjects=["Lark-2"])
    assert [(change.subject, change.label, len(change.after)) for change in found.changes] == [
        ("Lark 2", "re_evidenced", 1), ("Lark-2", "learned", 0),
    ]  # fmt: skip
    a, b = found.a, found.b
    assert applied(found.changes, snapshot(db, a)) == snapshot(db, b)


def verbs(**first: Any) -> tuple[claimbase.Claimbase, str]:
    """Open a base whose clock ticks, with one claim of a price of 3, and give the claim's id."""
    kb = base(Ticking())
    kb.add(claim("$3", day(5), **first))
    return kb, only_claim(kb)


def since(kb: claimbase.Claimbase, before: Basis, *, at: str | None = None, label: str | None = None) -> Any:
    """Move the recorded axis from a basis to now; the steps add up to the new snapshot, and the way back to the old."""
    fixed = {"as_of": at or before.valid_at, "observed_by": kb.basis().observed_by}
    a, b = ({**fixed, "recorded_by": side} for side in (before.recorded_by, kb.basis().recorded_by))
    found, back = kb.diff(a, b, axis="recorded"), kb.diff(b, a, axis="recorded")
    assert applied(found.changes, snapshot(kb.db, found.a)) == snapshot(kb.db, found.b)
    assert applied(back.changes, snapshot(kb.db, found.b)) == snapshot(kb.db, found.a)
    assert [one.label for one in back.changes] == [one.label for one in found.changes]
    return [(row["label"], row["from_value"], row["to_value"]) for row in found.rows()]


@pytest.mark.slow
def test_each_verb_leaves_its_label() -> None:
    """H2, W1: superseded is learned; then corrected, retracted with what that opened again, erased: each by name."""
    kb, first = verbs(effective_from=day(1))
    start = kb.basis()
    successor = claim("$2", day(22), quote="It costs $2.", effective_from=day(10))
    kb.supersede(first, successor, at=day(10))
    (second,) = {row["claim_id"] for row in kb.claims()} - {first}
    assert since(kb, start, at=day(15)) == [("learned", "$3", "$2")]
    superseded = kb.basis()
    kb.correct(second, claim("$2.50", day(22), quote="It costs $2.50.", effective_from=day(10)))
    assert since(kb, superseded, at=day(15)) == [("corrected", "$2", "$2.50")]
    assert since(kb, start, at=day(15)) == [("learned", "$3", "$2.50")]  # that $2 was wrong was never held at the start
    corrected = kb.basis()
    (third,) = {row["claim_id"] for row in kb.claims()} - {first, second}
    kb.retract(third, reason="the page was a draft")
    assert since(kb, corrected, at=day(15)) == [("retracted", "$2.50", "$3")]
    assert since(kb, superseded, at=day(15)) == [("corrected", "$2", "$3")]  # and what it became was not stood by
    retracted = kb.basis()
    kb.erase(first, reason="licence")
    assert since(kb, retracted, at=day(15)) == [("erased", None, None)]
    (change,) = kb.diff({"recorded_by": retracted.recorded_by}, axis="recorded").changes
    assert [(one.claim_id, one.reason) for one in change.tombstones] == [(first, "licence")]
    assert kb.diff({"recorded_by": start.recorded_by}, {"recorded_by": corrected.recorded_by}).counts == {"learned": 1}


@pytest.mark.slow
def test_evidence_taken_away_is_named_where_the_value_stands() -> None:
    """H2: the value stands on other evidence; what became of the claim that left is said beside."""
    kb, first = verbs(effective_from=day(1))
    kb.add(claim("3.00", day(6), effective_from=day(1), source={"url": "https://index.example/p"}))
    before = kb.basis()
    kb.retract(first, reason="the page was a draft")
    assert since(kb, before) == [("re_evidenced", "3.00", "3.00")]
    (change,) = kb.diff({"recorded_by": before.recorded_by}, axis="recorded").changes
    assert change.became == ("retracted",)


# -- all axes --------------------------------------------------------------------------------------------------------


def test_all_axes_are_walked_one_by_one() -> None:
    """H2: recorded, then observed, then valid; each row says its step, and the steps add up."""
    db = superseded()
    a = AsOf(moment("2026-02-15"), moment("2026-02-15"), moment("2026-02-15"))
    b = AsOf(moment("2026-03-23"), moment("2026-03-24"), moment("2026-03-25"))
    found = diff(db, a, b, axis="all")
    assert found.axes_moved == ("recorded", "observed", "valid")
    assert [(change.axis, change.label) for change in found.changes] == [("valid", "world_changed")]
    assert diff(db, "2026-02-15", "2026-03-23", axis="all").axes_moved == ("recorded", "observed", "valid")
    with pytest.raises(InputError) as caught:
        diff(db, a, b)
    assert (caught.value.code, caught.value.details["moved"]) == ("mixed_axes", ("recorded", "observed", "valid"))


# -- against an oracle -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Box:
    """A version of a small world: value, source, four valid bounds, and the other two sides; hours or None."""

    value: str
    source: str
    start: tuple[int, int]
    end: int | None
    observed: tuple[int, int | None]
    recorded: tuple[int, int | None]
    kind: str = "retracted"

    def put(self, builder: Builder, subject: str) -> str:
        """Put it into a base."""
        (seen, until), (stored, retracted) = self.observed, self.recorded
        return builder.claim(
            self.value, subject=subject, predicate="grade", source=self.source, start=self.start, end=self.end,
            observed=seen, observed_until=until, recorded=stored, retracted=retracted, kind=self.kind,
            handle=repr(self),
        )  # fmt: skip

    def holds(self, valid: int, observed: int, recorded: int) -> bool | None:
        """Say whether it certainly or possibly holds; None if not at all (A1, T2)."""
        inside = all(low <= at and (high is None or at < high)
                     for at, (low, high) in ((observed, self.observed), (recorded, self.recorded)))  # fmt: skip
        if not inside or valid < self.start[0] or (self.end is not None and valid >= self.end):
            return None
        return valid >= self.start[1]


SPANS = [(low, high) for low in range(3) for high in (*range(low + 1, 3), None)]


def world(rng: random.Random) -> dict[str, list[Box]]:
    """Give every box of three instants an axis a subject of its own, and some subjects two or three boxes."""
    every = [
        Box("A", "a", (valid[0], valid[0]), valid[1], observed, recorded)
        for valid, observed, recorded in product(SPANS, SPANS, SPANS)
        if observed[0] <= recorded[0]
    ]
    mixed = [
        [
            replace(
                rng.choice(every), value=rng.choice("AAB"), source=source,
                kind=rng.choice(("replaced", "corrected", "retracted", "erased")),
                start=rng.choice(((0, 0), (0, 1), (1, 2))), end=rng.choice((None, 3)),
            )
            for source in "abc"[: rng.choice((2, 2, 3))]
        ]
        for _ in range(80)
    ]  # fmt: skip
    return {f"s{number:03}": boxes for number, boxes in enumerate([*([one] for one in every), *mixed])}


def expected(slots: Mapping[str, list[tuple[Box, str]]], at: tuple[int, int, int]) -> Snapshot:
    """Give the snapshot of a small world at an instant of each axis, in plain Python."""
    found: Snapshot = {}
    for subject, boxes in slots.items():
        for box, claim_id in boxes:
            certain = box.holds(*at)
            if certain is not None:
                values = found.setdefault(("Norden AI", subject, "grade", "{}"), {})
                key = ("stated", box.value.lower(), "")
                known = values.get(key, (False, frozenset()))
                values[key] = known[0] or certain, known[1] | {claim_id}
    return found


@pytest.mark.slow
def test_every_pair_of_bases_that_moves_one_axis(rng: random.Random) -> None:
    """H2: over every box of three instants an axis, a diff applied to one snapshot gives the other, and no more."""
    builder = build()
    slots = {subject: [(box, box.put(builder, subject)) for box in boxes] for subject, boxes in world(rng).items()}
    db = builder.build()
    for place, axis in enumerate(("valid", "observed", "recorded")):
        for low, high in combinations(range(3), 2):
            for others in ((1, 1), (0, 2)):
                one, other = ((*others[:place], at, *others[place:]) for at in (low, high))
                before, after = expected(slots, one), expected(slots, other)
                found = diff(db, *(AsOf(*map(moment, at)) for at in (one, other)))
                assert found.axes_moved == (axis,)
                assert applied(found.changes, before) == after
                differing = {slot[1] for slot in before.keys() | after.keys() if before.get(slot) != after.get(slot)}
                assert {change.subject for change in found.changes} == differing
                _labels(found, slots, axis, high)


def _labels(found: Diff, slots: Mapping[str, list[tuple[Box, str]]], axis: str, high: int) -> None:
    """Check the labels: by the axis, and on the recorded one by what became of the claims that left."""
    plain = {"valid": {"world_changed"}, "observed": {"learned"}, "recorded": {"learned"}}[axis]
    for change in found.changes:
        boxes = slots[change.subject]
        gone = {
            box.kind
            for box, _ in boxes
            if axis == "recorded" and box.recorded[1] is not None and box.recorded[1] <= high
        } - {"replaced"}
        assert change.label in plain | gone | {"re_evidenced"}
        if len(boxes) == 1 and change.before and gone:
            assert (change.label, change.became) == ("retracted", ("retracted",))
        assert (change.label == "re_evidenced") == (
            len(change.before) == len(change.after) == 1
            and (change.before[0].value_key, change.before[0].certain)
            == (change.after[0].value_key, change.after[0].certain)
        )


@pytest.mark.slow
def test_walked_steps_add_up_on_random_worlds(rng: random.Random) -> None:
    """H2: whichever axes move, the steps of axis="all" applied in turn give the other snapshot; the way back too."""
    builder = build()
    slots = {subject: [(box, box.put(builder, subject)) for box in boxes] for subject, boxes in world(rng).items()}
    db = builder.build()
    for _ in range(4):
        one, other = (tuple(rng.randrange(3) for _ in range(3)) for _ in range(2))
        bases = [AsOf(*map(moment, at)) for at in (one, other)]
        found = diff(db, *bases, axis="all")
        assert applied(found.changes, expected(slots, one)) == expected(slots, other)  # type: ignore[arg-type]  # three
        back = diff(db, *bases[::-1], axis="all")
        assert applied(back.changes, expected(slots, other)) == expected(slots, one)  # type: ignore[arg-type]  # three


def test_rows_come_in_one_total_order(rng: random.Random) -> None:
    """C16: by step, slot and label, whatever the order in which versions were stored."""
    boxes = [(subject, box) for subject, ones in world(rng).items() for box in ones]
    shown = []
    for _ in range(2):
        rng.shuffle(boxes)
        builder = build()
        for subject, box in boxes:
            box.put(builder, subject)
        ends = (AsOf(*map(moment, at)) for at in ((0, 0, 0), (2, 2, 2)))
        found = diff(builder.build(), *ends, axis="all")
        shown.append(found.to_json())
        assert [c.subject for c in found.changes if c.axis == "valid"] == sorted(
            c.subject for c in found.changes if c.axis == "valid"
        )
    assert shown[0] == shown[1]


def _drawn(rng: random.Random, kb: claimbase.Claimbase, axis: str) -> tuple[AsOf, AsOf]:
    """Draw two bases on one axis, at bounds and readings of the base's own versions."""
    field = {"valid": "from_latest", "observed": "observed_from", "recorded": "recorded_at"}[axis]
    versions = kb.db.query(
        "SELECT from_latest, observed_from, recorded_at FROM cb.claim WHERE from_latest <= observed_from ORDER BY ALL"
    ).dicts()
    fixed = rng.choice(versions)
    names = {"from_latest": "valid_at", "observed_from": "observed_by", "recorded_at": "recorded_by"}
    one, other = (
        {names[column]: rng.choice(versions)[column] if column == field else fixed[column] for column in names}
        for _ in range(2)
    )
    latest = {"recorded_by": kb.basis().recorded_by} if axis != "recorded" else {}
    return AsOf(**one | latest), AsOf(**other | latest)


def _add_up(kb: claimbase.Claimbase, rng: random.Random, rounds: int) -> int:
    """Compare diffs of drawn bases with the engine's own snapshots; count the changes seen."""
    seen = 0
    for _ in range(rounds):
        for axis in ("valid", "observed", "recorded"):
            a, b = _drawn(rng, kb, axis)
            found = kb.diff(a, b, axis=axis)
            assert applied(found.changes, snapshot(kb.db, found.a)) == snapshot(kb.db, found.b)
            seen += len(found.changes)
    return seen


@pytest.mark.slow
def test_diffs_of_the_seeds_add_up(rng: random.Random) -> None:
    """H2 on the shipped seeds: on each axis, between drawn instants, a diff applied gives the other snapshot."""
    assert _add_up(claimbase.demo(), rng, 1) > 0


@pytest.mark.slow
def test_diffs_of_a_real_change_log_add_up(shared: Path, rng: random.Random) -> None:
    """H2 on a log of seven years: the same."""
    path = shared / "data" / "endoflife.date" / "observations.jsonl.gz"
    if not path.is_file():
        pytest.skip("no such log beside this checkout")
    kb = claimbase.open(clock=FixedClock(NOW))
    kb.load(read_observations(path, load_mapping("endoflife-date")))
    assert _add_up(kb, rng, 3) > 100


# -- what is handed in and out ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def bare() -> Iterator[claimbase.Claimbase]:
    """Give a base in which nothing is ever stored."""
    with base() as kb:
        yield kb


@pytest.mark.parametrize(
    ("sides", "axis", "code"),
    [
        (("2026-01-01", "2026-02-01"), "time", "bad_axis"),
        (({"when": "2026-01-01"}, None), None, "extra_field"),
        (({"as_of": "2026-01-01", "observed_by": "2026-02-01"}, None), None, "mixed_axes"),
        (({"as_of": "2026-01-01"}, {"as_of": "2026-02-01"}), "recorded", "mixed_axes"),
        (({"as_of": "2026-01-01", "observed_by": "2026-02-01"}, None), "observed", "mixed_axes"),
        (("2026-01-01", "2027-02-01"), "observed", "future_basis"),
        (("2026-01", None), None, "period"),
        (("soon", None), None, "bad_date"),
    ],
)
def test_bad_input_is_refused_by_name(
    bare: claimbase.Claimbase, sides: tuple[Any, Any], axis: str | None, code: str
) -> None:
    """H2, A5, T7: what is no basis or no axis is an error with its code, and nothing is computed."""
    with pytest.raises((InputError, InstantError)) as caught:
        bare.diff(*sides, axis=axis)
    assert caught.value.code == code
    assert caught.value.hint


def test_results_show_themselves() -> None:
    """A6: plain data, a frame and an escaped table, with the bases and what moved."""
    builder = build()
    builder.claim("<b>", predicate="grade", start="2026-02-01", observed="2026-01-01", scope={"tier": "1"})
    builder.claim("none", predicate="grade", start="2026-02-01", observed="2026-01-01", absent=True)
    found = moved(builder.build(), "valid", "2026-01-15", "2026-03-01")
    data = json.loads(json.dumps(found.to_json()))
    assert data["axes_moved"] == ["valid"]
    assert (data["a"]["valid_at"], data["b"]["valid_at"]) == ("2026-01-15T00:00:00Z", "2026-03-01T00:00:00Z")
    assert data["changes"][1]["after"][0]["claims"][0]["quote"] == "Lark 2 grade: <b>"
    assert "<b>" not in found._repr_html_()
    assert list(found.df().columns) == list(Diff.COLUMNS)
    assert [row["to_value"] for row in found.rows()] == ["absent", "<b>"]
    assert found.summary == (
        "2 changes: 2 world changed; moved: valid from 2026-01-15T00:00:00Z to 2026-03-01T00:00:00Z"
    )


# -- the command and the tool ----------------------------------------------------------------------------------------


def run(*arguments: str) -> Result:
    """Run the command in this process, on the shipped seeds."""
    return CliRunner().invoke(main, list(arguments), catch_exceptions=False)


WHO = "Claude Sonnet 4.5"
WHEN = ("--from", "2026-04-01", "--to", "2026-06-01", "--subject", WHO)


def test_the_command_tells_from_what_to_what() -> None:
    """H2: text for people with the claims of both sides; the same as data; the axis that moves cannot be held."""
    shown = run("diff", *WHEN)
    assert shown.exit_code == 0
    assert "world changed: 1M, possibly 200k tokens to 200k tokens" in shown.stdout
    assert "April 30, 2026" in shown.stdout
    data = json.loads(run("diff", *WHEN, "--axis", "observed", "--as-of", "2026-05-15", "--json").stdout)
    assert (data["axis"], data["counts"]) == ("observed", {"learned": 1})
    assert data["a"]["valid_at"] == data["b"]["valid_at"] == "2026-05-15T00:00:00Z"
    assert json.loads(run("diff", *WHEN, "--axis", "all", "--json").stdout)["axes_moved"] == [
        "recorded",
        "observed",
        "valid",
    ]
    held = run("diff", *WHEN, "--as-of", "2026-05-15")
    assert (held.exit_code, held.stdout) == (2, "")
    assert "[mixed_axes]" in held.stderr
    assert run("diff", "surplus").exit_code == 2


@pytest.mark.slow
def test_joins_and_relations_on_the_command_line() -> None:
    """H4: stretches with their claims, relations with their bounds; what is missing is said."""
    joined = run("join", WHO, "context_window", "input_price")
    assert "context_window 1M, input_price" in joined.stdout
    data = json.loads(run("join", WHO, "context_window", "input_price", "--json").stdout)
    assert data["predicates"] == ["context_window", "input_price"]
    assert run("join", WHO).exit_code == 2
    first, second = (claims[0]["claim_id"] for claims in data["stretches"][0]["claims"].values())
    related = run("relation", first, second, "--json")
    assert json.loads(related.stdout)["relations"]
    assert "holds from" in run("relation", first, second).stdout
    assert run("relation", first, "c_" + "0" * 16).exit_code == 3


@pytest.mark.slow
def test_the_second_clock_on_the_command_line() -> None:
    """H1: a line for each reading that changed what was known; alone the axis means nothing."""
    asked = ("history", WHO, "context_window", "--as-of", "2026-11-29", "--by", "observed")
    lines = run(*asked, "--draw").stdout.splitlines()
    assert [line.split()[0] for line in lines[1:]] == ["observed", "observed", "observed", "A"]
    assert json.loads(run(*asked, "--json").stdout)["by"] == "observed"
    assert run(*asked).exit_code == 2


def test_the_tool_fences_what_sources_wrote() -> None:
    """M2, H2: labels and instants are typed, values and names untrusted; an axis cannot be moved and held."""
    kb = claimbase.demo()
    found = call(kb, "diff", {"from": "2026-04-01", "to": "2026-06-01", "subjects": [WHO], "axis": "valid"})
    (change,) = found["changes"]
    assert (change["label"], change["source"]) == (
        "world_changed", {"untrusted": True, "provider": "Anthropic", "subject": WHO},
    )  # fmt: skip
    assert change["after"][0]["source"] == {"untrusted": True, "value": "200k tokens"}
    assert set(change["after"][0]["claims"]) <= {one["claim_id"] for one in found["claims"]}
    refused = call(kb, "diff", {"from": "2026-04-01", "axis": "observed", "observed_by": "2026-04-01"})
    assert refused["code"] == "mixed_axes"
