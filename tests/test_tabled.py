"""Tests of constraints that travel as a table: the same verdicts as branches of the statement give (C12)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from builder import World, day

from claimbase.answers import answer
from claimbase.answers.words import impossible
from claimbase.compiler import Filters, Ids, Plan, Wish, compiled, shape
from claimbase.constraints import Group, all_typed, format_constraint, parse_constraint, typed
from claimbase.errors import ClaimbaseError, LimitError
from claimbase.store import Db
from claimbase.vocabulary import Alias, Predicate

SEED, QUESTIONS = 51, 9
PREDICATES = [
    Predicate("eol", "date"),
    Predicate("license", "text"),
    Predicate("modes", "set"),
    Predicate("price", "quantity", unit="usd", aliases=(Alias("cost"),)),
    Predicate("score", "quantity", unit="percent", requires=("method",)),
    Predicate("tag", "text", cardinality="many", closed_world=True),
    Predicate("old_tag", "text", cardinality="many"),
    Predicate("vision", "bool", closed_world=True),
    Predicate("window", "quantity", unit="token"),
]
OPERANDS: dict[str, tuple[str, ...]] = {
    "eol": (
        ">= 2025-12",
        "< 2026-02-01",
        "after 2025-12-30",
        "between 2025-11 and 2026-01-15",
        "= 2026-01-01",
        "exists",
    ),
    "license": ("= mit", "!= mit", "in mit, bsd, isc", "contains i", "starts_with b", "exists", "absent"),
    "modes": ("contains a", "contains c", "= a, b", "exists"),
    "price": ("<= 5", "> 5", "between 3 and 6", "= 4", "!= 4", "in 2, 5, 7", "in 1, 2, 3, 4, 5", "exists", "absent"),
    "score": (">= 55", "< 60", "= 52", "exists"),
    "tag": ("= x", "!= x", "in x, z", "starts_with y", "exists", "absent"),
    "old_tag": ("= x", "!= y", "exists", "absent"),
    "vision": ("is_true", "is_false", "= true", "exists", "absent"),
    "window": (">= 200", "< 200", "between 100 and 300", "!= 100", "exists"),
}
SCOPES: dict[str, tuple[str, ...]] = {"price": ("", "", "[any]", "[mode=batch]"), "score": ("[any]", "[method=m]", "")}
WISHES: tuple[dict[str, Any], ...] = (
    {}, {"wish": Wish(policy="any")}, {"wish": Wish(everyone=True, near_limit=None)}, {"wish": Wish(order=(0, False))},
    {"wish": Wish(show=(PREDICATES[1],), near_limit=1)}, {"wish": Wish(limit=2, offset=1, near_limit=None)},
    {"filters": Filters(providers=("p",))}, {"filters": Filters(subjects=(1, 3), sources=("s1",))},
    {"filters": Filters(source_types=("other",)), "wish": Wish(policy="any", everyone=True)},
)  # fmt: skip


def bounds(rng: random.Random) -> dict[str, Any]:
    """Draw valid bounds around day 100: known, imprecise, unknown and open."""
    start = rng.choice([(None, day(20)), (day(10), day(10)), (day(50), day(150)), (day(80), day(95))])
    ends = [(None, None), (None, None), (day(200), day(200)), (day(160), day(180))]
    narrow = [(day(96), day(120)), (day(99), day(99))] if start[1] < day(96) else []
    return {"start": start, "end": rng.choice(ends + narrow)}


def price(rng: random.Random, low: int) -> dict[str, Any]:
    """Draw a price: one number or a range, rarely in another unit, in one of two scopes."""
    high, unit = low + rng.choice([0, 0, 2]), rng.choice(["usd", "usd", "usd", "eur"])
    scope = {"scope": {"mode": "batch"}} if rng.random() < 0.3 else {}
    return {"value": f"{low}-{high}", "bounds": (low, high), "unit": unit} | scope


def words(*keys: str) -> Callable[[random.Random, int], dict[str, Any]]:
    """Draw one of some texts."""
    return lambda rng, low: {"value": "text", "key": rng.choice(keys), "bounds": (None, None)}


DRAWN: dict[str, Callable[[random.Random, int], dict[str, Any]]] = {
    "price": price,
    "cost": price,
    "window": lambda rng, low: {"value": 100 * low, "unit": "token"},
    "score": lambda rng, low: (
        {"value": 50 + low, "unit": "percent"} | ({"scope": {"method": "m"}} if rng.random() < 0.7 else {})
    ),
    "eol": lambda rng, low: {"value": "2026", "bounds": (1_767_225_600 + (low - 4) * 10**6,) * 2},
    "license": words("mit", "bsd", "isc", "apache"),
    "modes": words('["a", "b"]', '["c"]'),
    "tag": words("x", "y", "z"),
    "old_tag": words("x", "y"),
    "vision": lambda rng, low: {"value": "yes", "key": str(low % 2), "bounds": (low % 2, low % 2)},
}


def world(rng: random.Random) -> World:
    """Draw a base: disputes, absences, exceptions, ranges, other units and scopes, a withdrawn source."""
    filled = World(PREDICATES)
    filled.withdraw("s3", day(0))
    for name in "ABCDE":
        for _ in range(rng.randrange(6, 16)):
            kind, source = rng.choice(sorted(DRAWN)), rng.choice(["s1", "s1", "s2", "s3"])
            drawn = DRAWN[kind](rng, rng.randrange(1, 8)) | bounds(rng)
            filled.claim(name, kind, source=source, absent=rng.random() < 0.15, **drawn)
    return filled


def ids_of(filled: World) -> Ids:
    """Look up the numbers of a world."""
    named = {p.name: tuple(filled.predicate(n) for n in (p.name, *(a.name for a in p.aliases))) for p in PREDICATES}
    units = {name: known for (kind, name), known in filled.ids.items() if kind == "unit"}
    scopes = {((key, value),): filled.scope({key: value}) for key, value in (("mode", "batch"), ("method", "m"))}
    return Ids(named, units, scopes, withdrawn=True)


def text(rng: random.Random, deep: int = 2) -> str:
    """Draw a constraint or a group of them."""
    if deep and rng.random() < 0.3:
        members = "; ".join(text(rng, deep - 1) for _ in range(rng.randrange(1, 4)))
        return f"{rng.choice(['all_of', 'any_of', 'none_of'])}({members})"
    predicate = rng.choice(sorted(OPERANDS))
    at = rng.choice(["", "", "", " @ 2026-02-01"])
    return f"{predicate}{rng.choice(SCOPES.get(predicate, ('',)))} {rng.choice(OPERANDS[predicate])}{at}"


def both(monkeypatch: pytest.MonkeyPatch, *given: Any, **options: Any) -> tuple[Plan, Plan]:
    """Compile one question in both shapes."""
    branched = compiled(*given, **options)
    with monkeypatch.context() as patched:
        patched.setattr(shape, "BRANCH_LIMIT", 0)
        tabled = compiled(*given, **options)
    assert "tests" in tabled.params
    assert "tests" not in branched.params
    return branched, tabled


def told(db: Db, plan: Plan, tests: int) -> tuple[dict[str, Any], list[Any]]:
    """Run a plan; give its counts, and of each row all that both shapes tell, the verdicts of its subject included."""
    rows = db.query(plan.sql, plan.params).dicts()
    counts = {name: rows.pop(0)["version_id"] for name in plan.counted}
    ranks: dict[int, list[int]] = {}
    for row in rows:
        own = ranks.setdefault(row["place"], [row.get(f"v{n}", 0) for n in range(tests)])
        if plan.defaults and row["slot_verdict"] is not None:
            own[row["test"]] = max(own[row["test"]], row["slot_verdict"])
    for own in ranks.values() if plan.defaults else ():
        own[:] = [rank or plan.defaults[n] for n, rank in enumerate(own)]
    subject = ("place", "subject_id", "provider", "name", "bucket", "eligible", "worth")
    names = (*subject, "test", "role", "version_id", "certain")
    compared = {
        name: value or 0 for name, value in counts.items() if name.endswith("_count") or name.startswith("overall_")
    }
    return compared | {"verdicts": ranks}, [tuple(row[name] for name in names) for row in rows]


SEEDS = [SEED, *(pytest.param(SEED + n, marks=pytest.mark.slow) for n in range(1, 9))]


@pytest.mark.parametrize("seed", SEEDS)
def test_both_shapes_give_the_same_rows(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """C12, Q1-Q3, Q6, Q11, Q12: a table of tests and branches of the statement say the same of random questions."""
    rng = random.Random(seed)
    filled = world(rng)
    db, ids = filled.build(), ids_of(filled)
    buckets: set[int] = set()
    for place in range(QUESTIONS):
        texts = [text(rng) for _ in range(rng.choice([1, 2, 3, 6, 24]))]
        conditions = list(all_typed(map(parse_constraint, texts), filled.vocabulary))
        options = WISHES[place % len(WISHES)]
        if options.get("wish", Wish()).order and isinstance(conditions[0], Group):
            continue
        branched, tabled = both(monkeypatch, conditions, ids, filled.basis(day(100)), **options)
        expected = told(db, branched, len(branched.tests))
        assert told(db, tabled, len(tabled.tests)) == expected, (seed, texts, options)
        buckets |= {row[3] for row in expected[1]}
    assert len(buckets) >= 2, buckets
    db.close()


ALIKE = ("in 7", "in 2, 6", "in 1, 2, 3, 4, 5", "<= 5", "<= 3", "> 4", "> 6", "between 3 and 6", "between 1 and 3")


def grouped(rng: random.Random, deep: int = 3) -> str:
    """Draw a group of constraints on prices, few of which differ in more than their numbers."""
    if not deep or rng.random() < 0.3:
        return f"price {rng.choice(ALIKE)}"
    members = "; ".join(grouped(rng, deep - 1) for _ in range(rng.randrange(2, 4)))
    return f"{rng.choice(['all_of', 'any_of', 'any_of', 'none_of'])}({members})"


@pytest.mark.slow
def test_constraints_that_share_a_form_keep_their_numbers_and_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """C12, Q1: what travels once for many constraints is neither the length of a list nor the group each lies in."""
    filled, rng, eligible = World(PREDICATES), random.Random(SEED), set()
    for number in range(1, 9):
        filled.claim(f"S{number}", "price", number, unit="usd")
    db = filled.build()
    for _ in range(12):
        asked = grouped(rng)
        conditions = list(all_typed([parse_constraint(asked)], filled.vocabulary))
        plans = both(monkeypatch, conditions, ids_of(filled), filled.basis(day(100)), wish=Wish(everyone=True))
        branched, tabled = (told(db, plan, len(plan.tests)) for plan in plans)
        assert tabled == branched, asked
        eligible |= {row[5] for row in branched[1]}
    assert eligible >= {True, False}
    db.close()


@pytest.fixture(scope="module")
def filled() -> World:
    """One drawn world."""
    return world(random.Random(SEED))


@pytest.fixture(scope="module")
def base(filled: World) -> Iterator[Db]:
    """Its base."""
    db = filled.build()
    yield db
    db.close()


def test_disputes_are_settled_the_same_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Q2: under the policy "any" a dispute counts for a constraint, and inside none_of against it, in both shapes."""
    filled = World(PREDICATES)
    for source, said in (("s1", 4), ("s2", 7)):
        filled.claim("A", "price", said, unit="usd", source=source)
    db, buckets = filled.build(), []
    for one in ("price <= 5", "none_of(price <= 5)", "none_of(none_of(price <= 5))", "any_of(price <= 1; price <= 5)"):
        conditions = [typed(parse_constraint(text), filled.vocabulary) for text in (one, "price exists")]
        plans = both(monkeypatch, conditions, ids_of(filled), filled.basis(day(100)), wish=Wish(policy="any"))
        branched, tabled = (told(db, plan, len(plan.tests)) for plan in plans)
        assert branched == tabled, one
        buckets.append({row[5] for row in tabled[1] if row[1] is not None})
    assert buckets == [{True}] * 4
    db.close()


def test_many_constraints_are_judged_as_each_alone(filled: World, base: Db) -> None:
    """C12, Q1: of 240 constraints each has the verdict it has when it is asked by itself."""
    rng = random.Random(SEED)
    texts = [text(rng, deep=1) for _ in range(240)]
    basis = filled.basis(day(100))
    whole = answer(base, filled.vocabulary, texts, basis, everyone=True)
    assert any(step.name == "tests" for step in whole.plan)
    said = {(one.subject, n): verdict.verdict for one in whole.subjects() for n, verdict in enumerate(one.verdicts)}
    for n in range(0, len(texts), 60):
        alone = answer(base, filled.vocabulary, [texts[n], texts[n]], basis, everyone=True)
        for one in alone.subjects():
            assert said[one.subject, n] == one.verdicts[0].verdict, (one.subject, texts[n])


def test_a_missing_operand_says_nothing_in_either_shape(filled: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Q14, C12: a test whose operand is another subject's missing value has no evidence, in a table as in a branch."""
    missing = [typed(parse_constraint("price <= value_of(Nobody)"), filled.vocabulary)]
    for conditions in (missing, [*missing, typed(parse_constraint("price <= 5"), filled.vocabulary)]):
        db = filled.build()
        options = {"wish": Wish(everyone=True, near_limit=None)}
        branched, tabled = both(monkeypatch, conditions, ids_of(filled), filled.basis(day(100)), **options)
        expected = told(db, branched, len(conditions))
        assert told(db, tabled, len(conditions)) == expected
        assert {ranks[0] for ranks in expected[0]["verdicts"].values()} == {3}
        db.close()


BAD = [
    ("price near 5", "unknown_operator"), ("price <=", "bad_operands"), ("prize <= 5", "unknown_predicate"),
    ("price <= five", "bad_number"), ("license <= 5", "operator_mismatch"), ("price <= 5 token", "incomparable_units"),
    ("price[mode] <= 5", "bad_scope"), ("price <= 0.0000000000001", "out_of_range"), ("", "no_constraints"),
    ({"predicate": "price", "operator": "lte", "value": float("inf")}, "not_finite"),
    ({"predicate": "price", "operator": "lte", "value": 10**400}, "out_of_range"),
    ({"predicate": "price", "operator": "lte", "value": 5, "unit": 7}, "bad_constraint"),
    ({"predicate": "price", "operator": "lte", "value": 5, "of": 7}, "extra_field"),
    ({"predicate": "price", "operator": "between", "value": 5}, "bad_operands"),
]  # fmt: skip


@pytest.mark.parametrize(("bad", "code"), BAD)
def test_a_bad_one_among_many_is_named(bad: Any, code: str, filled: World, base: Db) -> None:
    """X34, X40, C12: one bad constraint among 300 good ones is refused in the words it is refused in alone."""
    many: list[Any] = [f"price <= {n}.25" for n in range(300)]
    told = []
    for given in ([bad], [*many[:150], bad, *many[150:]]):
        with pytest.raises(ClaimbaseError) as caught:
            answer(base, filled.vocabulary, given, filled.basis(day(100)))
        told.append((caught.value.code, caught.value.message, caught.value.hint))
    assert told[0] == told[1]
    assert told[0][0] == code


def test_many_are_echoed_as_each_alone(filled: World, base: Db) -> None:
    """A6, Q8: what an answer says it was asked is what each constraint says by itself, in text and as data."""
    rng = random.Random(SEED)
    texts = [text(rng, deep=1) for _ in range(220)] + [f"price <= {n}.50" for n in range(30)]
    whole = answer(base, filled.vocabulary, texts, filled.basis(day(100)))
    read = [parse_constraint(one) for one in texts]
    assert whole.constraints == tuple(map(format_constraint, read))
    assert whole.asked["constraints"] == [one.model_dump(mode="json", exclude_none=True) for one in read]


def test_the_widest_apart_are_named(filled: World) -> None:
    """X44: of more than 100 constraints on one value the two that are furthest apart are named."""
    rng = random.Random(SEED)
    texts = [f"price {rng.choice(['<=', '<', '>=', '>', '='])} {rng.randrange(1, 500)}" for _ in range(150)]
    typed_ones = (typed(parse_constraint(given), filled.vocabulary) for given in texts)
    tests = [one for one in typed_ones if not isinstance(one, Group)]
    spans = list(enumerate((one, one.operands[0].min or 0, one.operator) for one in tests))
    low = max((at, operator == "gt", n) for n, (_, at, operator) in spans if operator in ("gte", "gt", "eq"))[-1]
    high = min((at, operator != "lt", n) for n, (_, at, operator) in spans if operator in ("lte", "lt", "eq"))[-1]
    (said,) = impossible(tests)
    assert said == f"{texts[high]} and {texts[low]} exclude each other"


def test_operands_travel_exactly(filled: World, base: Db) -> None:
    """V1, C12: no operand passes through a float on its way through the table."""
    last = "99999999999999.123456789012"
    conditions = [typed(parse_constraint(f"price <= {last}"), filled.vocabulary)] * 201
    plan = compiled(conditions, ids_of(filled), filled.basis(day(100)))
    steps = {step.name: step.sql for step in plan.steps}
    sql = f"WITH forms AS ({steps['forms']}) {steps['tests']}"
    rows = base.query(sql, {name: plan.params[name] for name in ("forms", "tests")}).dicts()
    (highest,) = {row["t_0_max"] for row in rows}
    assert format(highest, "f") == last


@pytest.mark.parametrize(
    ("count", "wish", "code"), [(100_001, Wish(), "too_many"), (201, Wish(over_time="segments"), "too_many")]
)
def test_what_no_table_takes_is_refused(count: int, wish: Wish, code: str, filled: World) -> None:
    """G15: more than 100,000 tests are refused, over time more than 200."""
    conditions = [typed(parse_constraint("price <= 1"), filled.vocabulary)] * count
    with pytest.raises(LimitError) as caught:
        compiled(conditions, ids_of(filled), filled.basis(day(100)), wish=wish)
    assert caught.value.code == code


def test_a_table_of_the_largest_size_has_one_text(filled: World, base: Db) -> None:
    """C12: the statement does not grow with the constraints, only its parameters do."""
    texts = [f"price <= {n}" for n in range(1, 2_001)]
    conditions = [typed(parse_constraint(one), filled.vocabulary) for one in texts]
    few, many = (compiled(some, ids_of(filled), filled.basis(day(100))) for some in (conditions[:300], conditions))
    assert few.sql == many.sql
    assert many.counted[0] == "rows_verdicts"
    assert base.query(many.sql, dict(many.params)).dicts()[0]["version_id"] >= 1
    assert len(many.trees) == len(conditions)
