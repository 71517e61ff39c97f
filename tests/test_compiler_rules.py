from __future__ import annotations

import random
from typing import Any

import pytest
from builder import World, day
from mutants import mutants
from oracle.active import activity
from oracle.held import Held, lies_inside, number, overridden
from oracle.small_worlds import legal_bounds
from oracle.verdicts import Verdict, bucket, group, single
from test_answers import _boxes, fill, small_worlds

from claimbase.answers import answer
from claimbase.compiler import VERDICTS
from claimbase.errors import StoreError
from claimbase.files import folder
from claimbase.store import Db
from claimbase.vocabulary import Predicate


def test_overriding_of_every_pair() -> None:
    """K6: a certain exception of the same source overrides an open claim; one only possible makes it only possible."""
    built, expected = World([Predicate("price", "quantity", unit="usd")]), {}
    pairs = [(o, i) for o in legal_bounds() for i in legal_bounds() if o.until_earliest is None is not i.until_earliest]
    for place, ((outer, inner), source) in enumerate((pair, source) for pair in pairs for source in "st"):
        around, inside = Held("a", "s", number(5), outer), Held("b", source, number(6), inner, bounded=True)
        for claim in (around, inside):
            _held(built, str(place), claim)
        how = activity(outer, 2)
        if how != "no":
            doubted = lies_inside(inside, around) and activity(inner, 2) == "possible"
            expected[str(place)] = (overridden(around, [inside], 2), how == "certain" and not doubted)
    db = built.build()
    result = answer(db, built.vocabulary, "price = 5", built.basis(day(2)), everyone=True)
    claims = [(subject.subject, one) for subject in result.subjects() for one in subject.citations if one.value == "5"]
    assert {name: (one.overridden, one.certain) for name, one in claims} == expected


def _held(built: World, label: str, claim: Held) -> None:
    start, end = (
        tuple(None if at is None else day(at) for at in pair) for pair in (claim.bounds[:2], claim.bounds[2:])
    )
    value = 5 if claim.claim == "a" else 6
    built.claim(label, "price", value, unit="usd", source=claim.source, start=start, end=end, bounded=claim.bounded)


@pytest.mark.parametrize("trees", [3, pytest.param(30, marks=pytest.mark.slow)])
def test_groups_of_every_shape(rng: random.Random, trees: int) -> None:
    """Q1: all_of takes the least verdict, any_of the greatest, none_of turns it; over random trees."""
    built = World([Predicate(f"p{n}", "quantity", unit="usd") for n in range(4)])
    verdicts: dict[str, list[Verdict]] = {}
    for place in range(80):
        verdicts[str(place)] = [_stated(built, str(place), f"p{n}", rng) for n in range(4)]
    db = built.build()
    for _ in range(trees):
        tree = _tree(rng, 3)
        text, judged = _text(tree), {name: _judged(tree, leaves) for name, leaves in verdicts.items()}
        result = answer(db, built.vocabulary, [text, "p0 >= 10"], built.basis(day(100)), everyone=True)
        assert {name: said[0] for name, said in result.verdicts().items()} == judged, text
        # Under "any" a none_of asks for claims that say no, which the order of verdicts alone does not know.
        for policy in ("certain",) if "none_of" in text else ("certain", "any"):
            result = answer(
                db, built.vocabulary, [text, "p0 >= 10"], built.basis(day(100)), everyone=True, policy=policy
            )
            found = {one.subject: "eligible" if one.eligible else one.bucket for one in result.subjects()}
            wanted = {name: bucket([judged[name], verdicts[name][0]], policy) for name in verdicts}
            assert found == {name: {"out": "none"}.get(which, which) for name, which in wanted.items()}, text


def _stated(built: World, subject: str, predicate: str, rng: random.Random) -> Verdict:
    """State claims that give a verdict on "at least 10"; in a dispute one claim satisfies, one does not."""
    ways: dict[Verdict, list[dict[str, Any]]] = {
        "met": [{"value": 20}],
        "failed": [{"value": 5}],
        "disputed": [{"value": 20}, {"value": 5, "source": "t"}],
        "possible": [{"value": 20, "start": (day(50), day(150))}],
        "absent": [{"value": "none", "absent": True}],
        "no_evidence": [{"value": 20, "start": (day(500), day(500))}],
    }
    verdict = rng.choice(list(ways))
    for claim in ways[verdict]:
        built.claim(subject, predicate, claim.pop("value"), unit="usd", **claim)
    return verdict


def _tree(rng: random.Random, depth: int) -> Any:
    if depth == 0 or rng.random() < 0.3:
        return rng.randrange(4)
    kind = rng.choice(["all_of", "any_of", "none_of"])
    return kind, [_tree(rng, depth - 1) for _ in range(rng.randint(1, 3))]


def _text(tree: Any) -> str:
    return f"p{tree} >= 10" if isinstance(tree, int) else f"{tree[0]}({'; '.join(map(_text, tree[1]))})"


def _judged(tree: Any, leaves: list[Verdict]) -> Verdict:
    return leaves[tree] if isinstance(tree, int) else group(tree[0], [_judged(member, leaves) for member in tree[1]])


@pytest.mark.parametrize("step", [12, pytest.param(1, marks=pytest.mark.slow)])
def test_every_mutant_of_the_active_condition_dies(step: int) -> None:
    """T2, A1: no one-token change of the definitions of visible and active passes the small worlds; here every n-th."""
    built = list(_boxes())
    bases = [world.build() for world, _, _ in built]
    survivors = []
    for name in ("03_visible", "04_active"):
        original = folder("sql").joinpath("macros", f"{name}.sql").read_text(encoding="utf-8")
        for label, mutant in list(mutants(original))[::step]:
            if not any(_differs(db, mutant, *world) for db, world in zip(bases, built, strict=True)):
                survivors.append(f"{name} {label}")
        for db in bases:
            db.query(original)
    assert survivors == []


@pytest.mark.parametrize("every", [24, pytest.param(1, marks=pytest.mark.slow)])
def test_every_mutant_of_the_verdicts_dies(every: int) -> None:
    """Q1, K6, T8: no one-token change of the steps that weigh claims and judge slots passes the small slots."""
    slots = [slot for slot in small_worlds() if slot]
    built = World([Predicate("price", "quantity", unit="usd")])
    fill(built, "price", slots)
    expected = {str(n): single(slot) for n, slot in enumerate(slots)} | _exceptions(built)
    db = built.build()
    basis = built.basis(day(100))
    plan = answer(db, built.vocabulary, "price >= 10", basis, everyone=True, count_asked=False)
    assert _verdicts(db, plan.sql, plan.params) == expected
    survivors = []
    for step in plan.plan:
        if step.name in ("weighed", "verdicts"):
            for label, mutant in list(mutants(step.sql, CHANGES))[::every]:
                if (
                    REDUNDANT not in mutant
                    and _verdicts(db, plan.sql.replace(step.sql, mutant), plan.params) == expected
                ):
                    survivors.append(f"{step.name} {label}")
    assert survivors == []


# Equal windows already imply that neither side is certain; the condition only keeps the join small.
REDUNDANT = 'NOT "new"."certain" OR NOT "old"."certain"'
CHANGES = {
    ">=": (">", "<="), "=": ("<>",), "AND": ("OR",), "OR": ("AND",), "IS NULL": ("IS NOT NULL",), "NOT ": ("",),
    "MAX(": ("MIN(",), "<>": ("=",), "WHEN": ("WHEN NOT",), "bit_or(": ("bit_and(",),
}  # fmt: skip


def _exceptions(built: World) -> dict[str, Verdict]:
    """Add slots with an open claim of 5 and bounded ones of 20: before it, inside it, only possible, elsewhere."""
    inside, ahead, later = (day(20), day(20)), (day(5), day(5)), (day(30), day(30))
    ways: dict[str, tuple[Any, str, Verdict]] = {
        "inside": (inside, "s", "met"),
        "with it": ((day(10), day(10)), "s", "met"),
        "before it": (ahead, "s", "disputed"),
        "elsewhere": (inside, "t", "disputed"),
        "only possible": ((day(20), day(150)), "s", "possible"),
        "perhaps before it": ((day(5), day(150)), "s", "possible"),
    }
    for name, (start, source, _) in ways.items():
        built.claim(name, "price", 5, unit="usd", start=(day(10), day(10)))
        built.claim(name, "price", 20, unit="usd", source=source, start=start, end=(day(200), day(200)))
    for name, start in (("unknown start", (None, day(90))), ("two", (day(10), day(10)))):
        built.claim(name, "price", 5, unit="usd", start=start)
        for begun in (ahead, later) if name == "two" else (later,):
            built.claim(name, "price", 20, unit="usd", start=begun, end=(day(200), day(200)))
    doubtful: dict[str, tuple[Verdict, Any]] = {
        "perhaps over": ("possible", (inside,)),
        "over, before it": ("failed", (ahead,)),
        "one of two": ("possible", (ahead, later)),
        "over, with it": ("possible", ((day(10), day(10)),)),
    }
    for name, (_, starts) in doubtful.items():
        built.claim(name, "price", 5, unit="usd", start=(day(10), day(10)))
        for begun in starts:
            built.claim(name, "price", 20, unit="usd", start=begun, end=(day(50), day(150)))
    built.claim("both vague", "price", 5, unit="usd", start=(None, day(90)))
    built.claim("both vague", "price", 20, unit="usd", start=inside, end=(day(50), day(150)))
    # Other subjects have an old side of this very window; this one has not.
    built.claim("alone", "price", 20, unit="usd", source="w", start=(day(50), day(150)), dated=False)
    others: dict[str, Verdict] = {"unknown start": "met", "two": "met", "alone": "possible", "both vague": "possible"}
    others |= {name: verdict for name, (verdict, _) in doubtful.items()}
    return {name: verdict for name, (_, _, verdict) in ways.items()} | others


def _verdicts(db: Db, sql: str, params: Any) -> dict[str, str]:
    try:
        rows = db.query(sql, params).dicts()
    except StoreError:
        return {}
    return {row["name"]: VERDICTS[row["v0"]] for row in rows if row["name"] is not None}


def _differs(db: Db, mutant: str, built: World, expected: dict[str, Any], instants: list[tuple[int, int, int]]) -> bool:
    try:
        db.query(mutant)
    except Exception:  # noqa: BLE001  # a mutant the engine refuses is dead, whatever its complaint
        return True
    for at, by, known in instants:
        basis = built.basis(day(at), day(by), day(known))
        found = answer(
            db, built.vocabulary, "price exists", basis, subjects=tuple(expected), count_asked=False
        ).verdicts()
        if any(found.get(name, ("no_evidence",))[0] != rule(at, by, known) for name, rule in expected.items()):
            return True
    return False
