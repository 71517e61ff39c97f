"""The one definition of *active*, and of *visible*: every box of a small world at every instant, all mutants dead."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import product

import mutants
import pytest
from copies import empty
from oracle.active import Basis, Box, Version, status, visible
from oracle.small_worlds import INSTANTS, boxes, spans

from claimbase.store import Db
from claimbase.store.db import statement
from claimbase.temporal import FixedClock

ZERO = datetime(2026, 1, 1, tzinfo=UTC)
NOW = datetime(2026, 6, 1, tzinfo=UTC)
LAST = INSTANTS[-1]
BOX = "from_earliest", "from_latest", "until_earliest", "until_latest", "observed_from", "observed_until", "observed_at"

LOAD = """
INSERT INTO cb.claim BY NAME
SELECT v.*, 1 AS predicate_id, v.version_id AS subject_id, 0 AS scope_id, 1 AS source_id, v.version_id AS claim_no,
  1 AS quote_id, 1 AS value_id, false AS absent, false AS complete, false AS min_open, false AS max_open,
  false AS dated, false AS bounded
FROM laid AS v"""
# every version that the macro gives at every basis, once with its certainty and once as merely visible
ACTIVE = """
SELECT b.n, a.version_id, a.certain FROM basis AS b, LATERAL (
  SELECT * FROM cb.active(b.valid_at, b.observed_by, b.recorded_by)) AS a"""
VISIBLE = """
SELECT b.n, a.version_id FROM basis AS b, LATERAL (
  SELECT * FROM cb.visible(b.observed_by, b.recorded_by)) AS a"""

Rows = set[tuple[object, ...]]


def at(tick: int | None) -> datetime | None:
    """Give the instant of a tick; one tick is a microsecond."""
    return None if tick is None else ZERO + timedelta(microseconds=tick)


def versions() -> Iterator[Version]:
    """Every legal box as held at last; one believed later than read; every pair of observed and recorded spans."""
    yield from (Version(box, LAST) for box in boxes())
    yield Version(Box("read earlier", 0, 0, None, None, 2, None, 0), LAST)
    for (since, until), (recorded, retracted) in product(spans(), spans()):
        if since <= recorded:
            yield Version(Box("a", 1, 1, None, None, since, until, since), recorded, retracted)


def bases() -> list[Basis]:
    """Every valid and observed instant as held at last, and every observed and recorded one at one valid instant."""
    return [Basis(v, o, LAST) for v, o in product(INSTANTS, repeat=2)] + [
        Basis(LAST, o, r) for o, r in product(INSTANTS, repeat=2)
    ]


@pytest.fixture(scope="module")
def world() -> Iterator[Db]:
    """A base that holds every version of the small world, and a table of every basis to ask about."""
    db = empty(FixedClock(NOW))
    columns = ", ".join(f"{name} TIMESTAMPTZ" for name in (*BOX, "recorded_at", "retracted_at"))
    with db.atomic() as transaction:
        transaction.run(f"CREATE TEMP TABLE laid (version_id BIGINT, {columns})")
        transaction.append("laid", (_row(number, version) for number, version in enumerate(versions())))
        transaction.run(LOAD)
        transaction.run(
            "CREATE TABLE basis (n BIGINT, valid_at TIMESTAMPTZ, observed_by TIMESTAMPTZ, recorded_by TIMESTAMPTZ)"
        )
        asked = enumerate(bases())
        transaction.append("basis", ((n, at(b.valid_at), at(b.observed_by), at(b.recorded_by)) for n, b in asked))
    yield db
    db.close()


def _row(number: int, version: Version) -> tuple[object, ...]:
    laid = tuple(at(getattr(version.box, name)) for name in BOX)
    return (number, *laid, at(version.recorded_at), at(version.retracted_at))


@pytest.fixture(scope="module")
def active() -> Rows:
    """What the oracle holds for active, and how surely."""
    found = ((n, v, status(version, b)) for n, b in enumerate(bases()) for v, version in enumerate(versions()))
    return {(n, v, how == "certain") for n, v, how in found if how != "no"}


@pytest.fixture(scope="module")
def seen() -> Rows:
    """What the oracle holds for visible."""
    return {(n, v) for n, b in enumerate(bases()) for v, version in enumerate(versions()) if visible(version, b)}


def test_every_box_at_every_pair_of_instants(world: Db, active: Rows) -> None:
    """T2, A1, B2: certain, possible or no, exactly as the oracle says, for every box that may be stored."""
    assert set(world.query(ACTIVE)) == active
    assert {certain for _, _, certain in active} == {True, False}


def test_visible_on_both_axes(world: Db, seen: Rows) -> None:
    """A1: read by observed_by and held at recorded_by, both half-open."""
    assert set(world.query(VISIBLE)) == seen


COLUMNS = {
    "from_earliest": ("from_latest",),
    "from_latest": ("from_earliest",),
    "until_earliest": ("until_latest",),
    "until_latest": ("until_earliest",),
    "observed_from": ("observed_at", "recorded_at"),
    "observed_until": ("observed_from", "retracted_at"),
    "recorded_at": ("observed_from",),
    "retracted_at": ("observed_until", "recorded_at"),
    "observed_by": ("recorded_by",),
    "recorded_by": ("observed_by",),
}
BODY = {
    **mutants.OPERATORS,
    **{f"c.{name}": tuple(f"c.{other}" for other in others) for name, others in COLUMNS.items()},
    **{
        f"{op} {name}": tuple(f"{op} {other}" for other in COLUMNS[name])
        for op, name in product(("<=", ">"), ("observed_by", "recorded_by"))
    },
}


def _all(name: str) -> list[object]:
    return [pytest.param(sql, id=label) for label, sql in mutants.mutants(statement(f"macros/{name}"), BODY)]


def _asked(world: Db, sql: str, name: str, question: str) -> Rows:
    with world.atomic() as transaction:
        transaction.run(sql)
    try:
        return set(world.query(question))
    finally:
        with world.atomic() as transaction:
            transaction.file(f"macros/{name}")


@pytest.mark.parametrize("mutant", _all("03_visible"))
def test_mutants_of_visible_die(world: Db, seen: Rows, mutant: str) -> None:
    """A1, G20: one wrong token in the macro changes what is visible somewhere in the small world."""
    assert _asked(world, mutant, "03_visible", VISIBLE) != seen


@pytest.mark.parametrize("mutant", _all("04_active"))
def test_mutants_of_active_die(world: Db, active: Rows, mutant: str) -> None:
    """T2, G20: one wrong token in the macro changes what is active somewhere in the small world."""
    assert _asked(world, mutant, "04_active", ACTIVE) != active


def test_enough_mutants() -> None:
    """G20: the list above is not empty by accident."""
    assert len(_all("03_visible")) >= 20
    assert len(_all("04_active")) >= 20
