from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlglot
from builder import World, day
from kit import few
from sqlglot import exp

from claimbase.compiler import Filters, Ids, Plan, Wish, compiled, export
from claimbase.constraints import parse_constraint, typed
from claimbase.errors import ConstraintError
from claimbase.store import Db
from claimbase.vocabulary import Alias, Predicate

PAIR = "\n-- constraints: "
GOLDEN = Path(__file__).parent / "fixtures" / "compiler"
PREDICATES = [
    Predicate("eol", "date"),
    Predicate("license", "text"),
    Predicate("modes", "set"),
    Predicate("price", "quantity", unit="usd", aliases=(Alias("cost"),)),
    Predicate("score", "quantity", unit="percent", requires=("method",)),
    Predicate("tag", "text", cardinality="many", closed_world=True),
    Predicate("vision", "bool", closed_world=True),
    Predicate("window", "quantity", unit="token"),
]
WISHES: dict[str, Any] = {
    "any policy": {"wish": Wish(policy="any")},
    "ranked": {"wish": Wish(order=(0, False), limit=3, offset=1)},
    "shown": {"wish": Wish(show=(PREDICATES[1],))},
    "everyone": {"wish": Wish(everyone=True, near_limit=None)},
    "narrowed": {"filters": Filters(subjects=(1,), providers=("p",), source_types=("pricing",), sources=("s",))},
    "merged": {"merged": True},
    "withdrawn": {"withdrawn": True},
}


def world() -> World:
    """A small base in which every predicate has claims of every kind."""
    filled = World(PREDICATES)
    filled.withdraw("s2", day(0))
    for place, name in enumerate("ABCD"):
        filled.claim(name, "price", 5 + place, unit="usd", source="s1")
        filled.claim(name, "cost", 7, unit="usd", source="s2", start=(day(50), day(150)))
        filled.claim(name, "price", 3, unit="usd", scope={"mode": "batch"})
        filled.claim(name, "window", 100 * place, unit="token", end=(day(200), day(200)))
        filled.claim(name, "score", 50 + place, unit="percent", scope={"method": "m"})
        filled.claim(name, "eol", "2026", bounds=(1_700_000_000 + place * 10**7,) * 2)
    for name in "AB":
        filled.claim(name, "license", "MIT", key="mit", bounds=(None, None))
        filled.claim(name, "modes", "a, b", key='["a", "b"]', bounds=(None, None))
        filled.claim(name, "tag", "x", key="x", bounds=(None, None))
        filled.claim(name, "vision", "yes", key="true", bounds=(1, 1))
    return filled


def ids_of(filled: World, *, merged: bool = False, withdrawn: bool = False) -> Ids:
    """Return the ids of a world."""
    named = {p.name: tuple(filled.predicate(n) for n in (p.name, *(a.name for a in p.aliases))) for p in PREDICATES}
    units = {name: known for (kind, name), known in filled.ids.items() if kind == "unit"}
    return Ids(named, units, {(("mode", "batch"),): filled.scope({"mode": "batch"})}, merged, withdrawn)


def plan_of(filled: World, texts: list[str], **options: Any) -> Plan:
    """Compile constraints against a world, on day 100."""
    conditions = [typed(parse_constraint(text), filled.vocabulary) for text in texts]
    ids = ids_of(filled, **{name: options.pop(name, False) for name in ("merged", "withdrawn")})
    return compiled(conditions, ids, filled.basis(day(100)), **options)


def golden() -> Iterator[tuple[Path, str, str]]:
    """Yield (file, constraints and options, expected steps) of every pair in the fixtures."""
    for file in sorted(GOLDEN.glob("*.sql")):
        for block in file.read_text(encoding="utf-8").split(PAIR)[1:]:
            head, _, steps = block.partition("\n")
            yield file, head, steps.strip()


def asked(filled: World, head: str) -> Plan:
    """Compile what a pair asks."""
    texts, _, option = head.partition(" | ")
    return plan_of(filled, texts.split(" and also "), **WISHES.get(option, {}))


def shown(file: Path, plan: Plan) -> str:
    """Lay those steps out that the first line of a file names."""
    names = file.read_text(encoding="utf-8").partition("\n")[0].partition(":")[2].split()
    chain = plan.sql.rindex(plan.steps[-1].sql) + len(plan.steps[-1].sql) + 2
    steps = {step.name: step.sql for step in plan.steps} | {"result": plan.sql[chain:]}
    return "\n".join(f"-- {name}\n{pretty(steps[name])}" for name in names if name in steps)


def pretty(sql: str) -> str:
    """Lay a statement out for a reader."""
    return sqlglot.parse_one(sql, dialect="duckdb").sql("duckdb", pretty=True, normalize_functions=False)


@pytest.fixture(scope="module")
def filled() -> World:
    """One world for the tests that only read."""
    return world()


@pytest.fixture(scope="module")
def base(filled: World) -> Iterator[Db]:
    """Its base."""
    db = filled.build()
    yield db
    db.close()


@pytest.mark.parametrize(("file", "head", "expected"), list(golden()), ids=lambda given: str(given)[:40])
def test_golden_pairs(file: Path, head: str, expected: str, filled: World, base: Db) -> None:
    """Q8: constraints compile to exactly these steps, and the statement runs."""
    plan = asked(filled, head)
    assert shown(file, plan) == expected
    assert len(base.query(plan.sql, plan.params).rows) >= 1


def kept_and_read(plan: Plan) -> dict[str, tuple[bool, bool]]:
    """Say of each step whether the engine keeps its rows, and whether more than one place of the statement reads it."""
    tree = sqlglot.parse_one(plan.sql, dialect="duckdb")
    read = [one.name for one in tree.find_all(exp.Table)]
    return {one.alias: (bool(one.args["materialized"]), read.count(one.alias) > 1) for one in tree.find_all(exp.CTE)}


@pytest.mark.parametrize("head", [head for _, head, _ in golden()])
def test_a_step_is_kept_where_more_than_one_reads_it(head: str, filled: World) -> None:
    """Q8: the rows of a step are kept exactly where they are read again; what is read once streams."""
    steps = kept_and_read(asked(filled, head))
    assert [name for name, (kept, again) in steps.items() if kept is not again] == []


@pytest.mark.parametrize("over_time", ["segments", "change"])
@pytest.mark.parametrize(("texts", "kept"), [(["price <= 6"], False), (["price <= 6", "price >= 2"], True)])
def test_weighed_claims_are_kept_where_two_tests_hear_them(
    over_time: Any, texts: list[str], kept: bool, filled: World
) -> None:
    """Q5: over time too, the weighed claims are kept only where more than one pass reads them."""
    assert kept_and_read(plan_of(filled, texts, wish=Wish(over_time=over_time)))["weighed"] == (kept, kept)


def test_there_are_golden_pairs_for_every_operator_and_option() -> None:
    """Q8: the fixtures name every operator, every kind of group and scope, and every option of an answer."""
    heads = " ".join(head for _, head, _ in golden())
    words = (
        ">= > <= < = != between in contains starts_with before after exists absent is_true is_false all_of any_of "
        "none_of [any] [mode=batch] @"
    )
    assert [word for word in [*words.split(), *WISHES] if word not in heads] == []


# -- what the text may hold ----------------------------------------------------------------------------------------


def test_no_value_of_a_question_is_in_the_text(filled: World) -> None:
    """M5: values travel as parameters only; identifiers are quoted; every placeholder has its value."""
    hostile = 'license = "x\'; DROP TABLE cb.claim; --"'
    plan = plan_of(filled, [hostile, "price[mode=batch] between 123 and 456 @ 2026-02-03"])
    assert not re.search(r"DROP|123|456|batch|2026", plan.sql)
    assert set(re.findall(r"\$(\w+)", plan.sql)) == set(plan.params)
    tree = sqlglot.parse_one(plan.sql, dialect="duckdb")
    assert [
        node.name
        for node in tree.find_all(exp.Column)
        if isinstance(node.this, exp.Identifier) and not node.this.quoted
    ] == []


def test_the_text_depends_on_the_shape_alone(filled: World) -> None:
    """Q8: questions of one shape share one text; another operator, scope or number of operands has its own."""
    texts = [plan_of(filled, [text]).sql for text in ("window <= 1", "window <= 2", "window < 1")]
    assert texts[0] is texts[1]
    assert texts[2] != texts[0]
    sizes = [plan_of(filled, [text]).sql for text in ("price in 1", "price in 1, 2", "price[any] <= 1")]
    assert len(set(sizes)) == 3


def test_the_portable_core_only(filled: World) -> None:
    """Architecture 3.6: no QUALIFY, no GROUP BY ALL, no arg_max: nothing that other engines read differently."""
    for _, head, _ in golden():
        text = asked(filled, head).sql
        assert not re.search(r"QUALIFY|GROUP BY ALL|arg_max|ASOF|any_value|list\(", text, re.IGNORECASE), head


def test_active_is_read_through_its_one_definition(filled: World) -> None:
    """Architecture 3.3: claims are read through cb.active, once for each instant, subjects through cb.visible."""
    plan = plan_of(filled, ["price <= 1", "window >= 2", "price >= 1 @ 2026-02-03"])
    assert plan.sql.count('"cb".active(') == 2
    tables = {node.sql() for node in sqlglot.parse_one(plan.sql, dialect="duckdb").find_all(exp.Table)}
    assert not any('"cb"."claim"' in table for table in tables)


def test_one_pass_over_the_claims_hears_all_tests_of_different_predicates(filled: World) -> None:
    """Performance 2: the claims are read once; only a second test of the same predicate takes a second pass."""
    passes = [
        next(step.sql for step in plan_of(filled, texts).steps if step.name == "evidence").count("FROM")
        for texts in (["price <= 1", "window >= 2", "eol >= 2026"], ["price <= 1", "price >= 0"])
    ]
    assert passes == [1, 2]


def test_nothing_to_ask_is_refused(filled: World) -> None:
    """X39: a plan without constraints is an error."""
    with pytest.raises(ConstraintError) as caught:
        compiled([], ids_of(filled), filled.basis(day(100)))
    assert caught.value.code == "no_constraints"


# -- other engines -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("every", few([4, 1], 2))
def test_an_export_gives_the_same_rows(filled: World, base: Db, every: int) -> None:
    """Platform 3: macros and values inlined, the statement stands alone and says the same."""
    for _, head, _ in list(golden())[::every]:
        plan = asked(filled, head)
        assert base.query(export(plan)).rows == base.query(plan.sql, plan.params).rows, head


@pytest.mark.parametrize("dialect", ["postgres", "spark"])
def test_an_export_for_another_engine_is_whole(filled: World, dialect: str) -> None:
    """Platform 3: no macro call, no placeholder is left; the dialect's own parser reads it."""
    plan = plan_of(filled, ["price[any] <= 1", "none_of(license starts_with m; eol before 2026-03)"])
    text = export(plan, dialect)
    assert not re.search(r"cb\W*\.active\(|\$\w|MATERIALIZED", text)
    assert isinstance(sqlglot.parse_one(text, dialect=dialect), exp.Select)


def write_golden() -> None:
    """Write the steps of every pair anew, for a reviewer to read."""
    filled = world()
    for file in sorted(GOLDEN.glob("*.sql")):
        first, *blocks = file.read_text(encoding="utf-8").split(PAIR)
        heads = [block.partition("\n")[0] for block in blocks]
        pairs = [f"{PAIR}{head}\n{shown(file, asked(filled, head))}\n" for head in heads]
        file.write_text("".join([first.rstrip("\n"), "\n", *pairs]), encoding="utf-8")


if __name__ == "__main__":
    write_golden()
