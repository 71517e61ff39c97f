"""Diff: what two bases hold differently, one axis of time at a time, and why (H2)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, ClassVar, TypeAlias

from claimbase.analysis.cite import Citation, citations
from claimbase.analysis.result import Result, plain
from claimbase.analysis.tombstones import Tombstone, tombstones
from claimbase.analysis.windows import Moment, chosen_ids
from claimbase.errors import InputError, shown
from claimbase.present.words import counted
from claimbase.store import Db, resolve
from claimbase.temporal import AsOf, Basis, iso

Given: TypeAlias = AsOf | Moment | Mapping[str, Any] | None

AXES = {"recorded": "recorded_by", "observed": "observed_by", "valid": "valid_at"}
"""The axes in the order in which all of them are walked, each with its field of a basis."""
LABELS = ("erased", "corrected", "retracted", "learned", "world_changed", "re_evidenced")
_EVERY_AXIS = "all"
_UNSCOPED = "{}"
_VERSIONS = ("before_versions", "after_versions")
_BROUGHT = {"recorded": "learned", "observed": "learned", "valid": "world_changed"}
_ARGUMENTS = {"recorded": "recorded_by", "observed": "observed_by", "valid": "as_of"}
_FIELDS = {"as_of": "valid_at", "valid_at": "valid_at", "observed_by": "observed_by", "recorded_by": "recorded_by"}


@dataclass(frozen=True, slots=True)
class Held:
    """One value as one of the two bases holds it.

    Args:
        value: as written by the newest observation; None where the content was erased.
        value_key: the canonical text that decides equality, with *unit*; None for an absence claim.
        certain: whether some claim certainly holds, or all only possibly (T2).
        claims: newest observation first, ties by claim id.
    """

    value: str | None
    value_key: str | None
    unit: str | None
    polarity: str
    certain: bool
    claims: tuple[Citation, ...]

    @property
    def certainty(self) -> str:
        """The word for *certain*."""
        return "certain" if self.certain else "possible"

    def to_json(self) -> dict[str, Any]:
        """Give the value as plain data."""
        names = ("value", "value_key", "unit", "polarity", "certainty", "claims")
        return {name: plain(getattr(self, name)) for name in names}


@dataclass(frozen=True, slots=True)
class Change:
    """What one slot holds differently for one reason.

    Args:
        axis: the axis of the step that brought it.
        label: one of LABELS.
        before, after: the values that go and come; one value that stands in both changed its certainty or its claims.
        became: what claims that left became: corrected, retracted or erased.
        tombstones: what was erased in the slot: its content is gone at either basis.
    """

    axis: str
    label: str
    provider: str
    subject: str
    predicate: str
    scope: Mapping[str, str]
    before: tuple[Held, ...]
    after: tuple[Held, ...]
    became: tuple[str, ...] = ()
    tombstones: tuple[Tombstone, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Give the change as plain data."""
        names = (
            "axis", "label", "provider", "subject", "predicate", "scope", "before", "after", "became", "tombstones",
        )  # fmt: skip
        return {name: plain(getattr(self, name)) for name in names}


@dataclass(frozen=True, slots=True, repr=False)
class Diff(Result):
    """What two bases hold differently.

    Args:
        changes: step by step, then by slot, then in the order of LABELS.
        axis: the axis that moved, or "all" where it was asked for; None if nothing moved.
        axes_moved: every axis on which the two differ, in the order walked.
        a, b: the two bases.
    """

    changes: tuple[Change, ...]
    axis: str | None
    axes_moved: tuple[str, ...]
    a: Basis
    b: Basis

    COLUMNS: ClassVar[tuple[str, ...]] = (
        "axis", "label", "provider", "subject", "predicate", "scope", "from_value", "from_certainty", "to_value",
        "to_certainty", "from_claims", "to_claims", "urls",
    )  # fmt: skip

    @property
    def counts(self) -> dict[str, int]:
        """How many changes have each label, in the order of LABELS."""
        labels = [one.label for one in self.changes]
        return {label: labels.count(label) for label in LABELS if label in labels}

    @property
    def summary(self) -> str:
        """Say what moved and how much differs."""
        moved = " and ".join(
            f"{axis} from {iso(getattr(self.a, AXES[axis]))} to {iso(getattr(self.b, AXES[axis]))}"
            for axis in self.axes_moved
        )
        if not moved:
            return "the two bases are the same"
        kinds = ", ".join(f"{number} {label.replace('_', ' ')}" for label, number in self.counts.items())
        return f"{counted(len(self.changes), 'change')}{': ' if kinds else ''}{kinds}; moved: {moved}"

    def rows(self) -> list[dict[str, Any]]:
        """Give one row per change; where a side holds several values they are listed in one text."""
        return [_row(one) for one in self.changes]

    def to_json(self) -> dict[str, Any]:
        """Give the diff as plain data."""
        names = ("summary", "axis", "axes_moved", "counts", "a", "b", "changes")
        return {name: plain(getattr(self, name)) for name in names}


def diff(
    db: Db,
    a: Given = None,
    b: Given = None,
    *,
    axis: str | None = None,
    subjects: Sequence[str] = (),
    predicates: Sequence[str] = (),
    providers: Sequence[str] = (),
) -> Diff:
    """Say what differs between two bases (H2).

    Args:
        db: the base.
        a, b: an instant of the axis named (of valid time if none is, of all three for "all"), an AsOf, or a mapping
            with as_of, observed_by, recorded_by. What is left out is *now*, the same for both.
        axis: recorded, observed or valid: the one that moves; all: walk each that moves, in this order.
        subjects, predicates, providers: names; empty = all.

    Raises:
        InputError: [mixed_axes] more than one axis moves, or another than the one named; [bad_axis] no axis;
            [extra_field] a basis has no such field.
        InstantError: a basis cannot be resolved (A5).
    """
    if axis not in (None, _EVERY_AXIS, *AXES):
        raise InputError(f"{shown(axis)} is no axis", code="bad_axis", hint=f"{', '.join(AXES)} or {_EVERY_AXIS}")
    now = resolve(db)
    start, end = (_basis(db, now, given, axis) for given in (a, b))
    moved = tuple(name for name, field in AXES.items() if getattr(start, field) != getattr(end, field))
    _check_moved(moved, axis)
    named = {"subjects": subjects, "predicates": predicates, "providers": providers}
    changes = [one for step in _steps(start, end, moved) for one in _changes(db, *step, named)]
    return Diff(tuple(changes), axis or (moved[0] if moved else None), moved, start, end)


def sides(
    axis: str | None, start: Moment | None, end: Moment | None, held: Mapping[str, Moment | None]
) -> tuple[dict[str, Moment | None], dict[str, Moment | None]]:
    """Give the two bases of a diff that moves one axis, or all, from one instant to another and holds the others.

    Args:
        axis: valid (None = valid), observed, recorded, or all.
        start, end: instants on it; None = now.
        held: as_of, observed_by, recorded_by where they stand still; None = now.

    Raises:
        InputError: [mixed_axes] an axis is both moved and held.
    """
    moving = list(_ARGUMENTS.values()) if axis == _EVERY_AXIS else [_ARGUMENTS[axis or "valid"]]
    for name in moving:
        if held.get(name) is not None:
            raise InputError(f"the axis that moves is held by {name}", code="mixed_axes", hint=f"leave {name} out")
    one, other = (dict(held) | dict.fromkeys(moving, instant) for instant in (start, end))
    return one, other


# -- the bases -------------------------------------------------------------------------------------------------------


def _basis(db: Db, now: Basis, given: Given, axis: str | None) -> Basis:
    """Resolve one side; an axis it does not name is *now*, read once for both."""
    axes = {field: getattr(now, field) for field in AXES.values()} | _named(given, axis)
    return resolve(db, AsOf(**axes), now=now.now)


def _named(given: Given, axis: str | None) -> dict[str, Any]:
    if given is None:
        return {}
    if isinstance(given, AsOf):
        return {field: value for field in AXES.values() if (value := getattr(given, field)) is not None}
    if not isinstance(given, Mapping):
        return dict.fromkeys(AXES.values() if axis == _EVERY_AXIS else [AXES[axis or "valid"]], given)
    if strange := sorted(set(given) - set(_FIELDS)):
        raise InputError(
            f"a basis has no {shown(strange[0])}", code="extra_field", hint="as_of, observed_by, recorded_by"
        )
    return {_FIELDS[name]: value for name, value in given.items() if value is not None}


def _check_moved(moved: Sequence[str], axis: str | None) -> None:
    if axis == _EVERY_AXIS or (len(moved) <= 1 and (axis is None or set(moved) <= {axis})):
        return
    raise InputError(
        f"{' and '.join(moved)} time {'moves' if len(moved) == 1 else 'move'} between the two bases"
        + (f", not {axis} alone" if axis else ""),
        code="mixed_axes",
        hint='give both the same instant on every axis but one, or walk them one by one with axis="all"',
        moved=tuple(moved),
    )


def _steps(start: Basis, end: Basis, moved: Iterable[str]) -> Iterator[tuple[str, Basis, Basis]]:
    """Give the axes that move with the bases before and after: each step moves one."""
    for axis in moved:
        step = {AXES[axis]: getattr(end, AXES[axis])} | ({"batch": end.batch} if axis == "recorded" else {})
        after = replace(start, **step)
        yield axis, start, after
        start = after


# -- the changes -----------------------------------------------------------------------------------------------------


_Slot: TypeAlias = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class _Value:
    """One value that differs, with what a row of the query says of it; or something erased, which has no value."""

    slot: _Slot
    label: str
    before: Held | None = None
    after: Held | None = None
    became: Sequence[str] = ()
    tombstone: Tombstone | None = None

    @property
    def key(self) -> tuple[Any, ...]:
        """What is one change: all that goes and comes in a slot for one reason; evidence is told value by value."""
        standing = self.before if self.label == "re_evidenced" else None
        value = (standing.value_key or "", standing.unit or "") if standing else ("", "")
        return *self.slot[:3], self.slot[3] != _UNSCOPED, self.slot[3], LABELS.index(self.label), value


def _changes(db: Db, axis: str, before: Basis, after: Basis, named: Mapping[str, Sequence[str]]) -> Iterator[Change]:
    """Tell the changes of one step; a step back is the same one seen from its other end."""
    back = getattr(after, AXES[axis]) < getattr(before, AXES[axis])
    grouped: dict[tuple[Any, ...], list[_Value]] = {}
    for one in _values(db, axis, *((after, before) if back else (before, after)), named):
        given = replace(one, before=one.after, after=one.before) if back else one
        grouped.setdefault(given.key, []).append(given)
    for key in sorted(grouped):
        yield _change(axis, grouped[key])


def _values(db: Db, axis: str, before: Basis, after: Basis, named: Mapping[str, Sequence[str]]) -> Iterator[_Value]:
    axes = {field: getattr(before, field) for field in AXES.values()}
    axes |= {f"then_{field}": getattr(after, field) for field in AXES.values()}
    ids = _ids(db, before, after, named)
    found = db.file("queries/diff", axes | ids).dicts()
    was, now = _cited(db, axis, before, after, found)
    for slot, rows in groupby(found, key=lambda row: _slot(row, json.loads(row["scope"]))):
        ones = list(rows)
        taken = {cause for row in ones if row["before_versions"] for cause in (*row["became"], *row["decisions"])}
        for row in ones:
            one, other = _held(row, "before", was), _held(row, "after", now)
            same = one and other and one.certain == other.certain
            yield _Value(slot, "re_evidenced" if same else _why(axis, row, taken), one, other, row["became"])
    if axis == "recorded":
        for gone in tombstones(db, after, **ids):
            if before.recorded_by < gone.erased_at <= after.recorded_by:
                slot = _slot(gone.to_json(), gone.scope)
                yield _Value(slot, "erased", became=("erased",), tombstone=gone)


def _cited(
    db: Db, axis: str, before: Basis, after: Basis, found: Sequence[Mapping[str, Any]]
) -> tuple[Mapping[int, Citation], Mapping[int, Citation]]:
    """Fetch the citations of either side as its own basis knows them; one knowledge is asked once."""
    left, entered = ([version for row in found for version in row[name] or ()] for name in _VERSIONS)
    if axis == "valid":
        known = citations(db, before, (*left, *entered))
        return known, known
    return citations(db, before, left), citations(db, after, entered)


def _slot(names: Mapping[str, Any], scope: Mapping[str, str]) -> _Slot:
    return names["provider"], names["subject"], names["predicate"], json.dumps(scope, sort_keys=True)


def _why(axis: str, row: Mapping[str, Any], taken: set[str]) -> str:
    """Name why a value went or came: a decision of ours, or what moving the axis means.

    A value that a decision brought without touching what the first base held goes with what was *taken* there.
    """
    causes = {*row["became"], *row["decisions"]} or (taken if row["decided"] else set())
    return next((label for label in LABELS if label in causes), _BROUGHT[axis])


def _ids(db: Db, before: Basis, after: Basis, named: Mapping[str, Sequence[str]]) -> dict[str, list[int] | None]:
    """Find what the names mean at either side: a merge between them moves claims, and both ends are looked at (P2)."""
    one, other = (chosen_ids(db, basis, **named) for basis in (before, after))
    return {name: None if ids is None else sorted({*ids, *(other[name] or ())}) for name, ids in one.items()}


def _held(row: Mapping[str, Any], side: str, cited: Mapping[int, Citation]) -> Held | None:
    versions = row[f"{side}_versions"]
    if not versions:
        return None
    claims = sorted((cited[version] for version in versions), key=lambda one: one.claim_id)
    claims.sort(key=lambda one: one.newest, reverse=True)
    first = claims[0]
    key, unit = (None, None) if first.polarity == "absent" else (first.value_key, first.unit)
    return Held(first.value, key, unit, first.polarity, row[f"{side}_certain"], tuple(claims))


def _change(axis: str, ones: Sequence[_Value]) -> Change:
    provider, subject, predicate, scope = ones[0].slot
    before = tuple(one.before for one in ones if one.before)
    after = tuple(one.after for one in ones if one.after)
    became = tuple(sorted({word for one in ones for word in one.became}))
    gone = tuple(one.tombstone for one in ones if one.tombstone)
    return Change(axis, ones[0].label, provider, subject, predicate, json.loads(scope), before, after, became, gone)


def _row(change: Change) -> dict[str, Any]:
    scope = json.dumps(dict(change.scope), sort_keys=True) if change.scope else ""
    cited = [[one for held in side for one in held.claims] for side in (change.before, change.after)]
    claims = [[one.claim_id for one in ones] for ones in cited]
    claims[0] += [one.claim_id for one in change.tombstones]
    urls = sorted({one.url for ones in cited for one in ones} | {one.url for one in change.tombstones})
    values = (
        change.axis, change.label, change.provider, change.subject, change.predicate, scope, _said(change.before),
        _certainty(change.before), _said(change.after), _certainty(change.after), *claims, urls,
    )  # fmt: skip
    return dict(zip(Diff.COLUMNS, values, strict=True))


def _said(side: Sequence[Held]) -> str | None:
    """Write the values of a side; None where it has none."""
    return ", ".join("absent" if one.polarity == "absent" else one.value or "erased" for one in side) or None


def _certainty(side: Sequence[Held]) -> str | None:
    return ", ".join(one.certainty for one in side) or None
