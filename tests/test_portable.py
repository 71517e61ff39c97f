"""Plans elsewhere: the exported statement gives on DataFusion and PostgreSQL what the plan gives here, row for row."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import sqlglot
import test_compiler
from builder import World, day
from click.testing import CliRunner
from kit import few
from portable.cases import asking_cases, planned
from portable.chance import by_chance, world
from portable.engines import DataFusion, Engine, postgres_programs, private_postgres
from portable.proving import Proof, noted
from sqlglot import exp

import claimbase
from claimbase.answers import answer
from claimbase.answers.intervals import when
from claimbase.cli import main
from claimbase.compiler import BRANCH_LIMIT, Plan, export
from claimbase.compiler.export_dialects import DIALECTS, HOME
from claimbase.errors import InputError
from claimbase.store import Db
from claimbase.temporal import HIGHEST, LOWEST, TICK
from claimbase.vocabulary import Predicate

ELSEWHERE = [name for name in DIALECTS if name != HOME]
# A floor: a case whose question no longer becomes a plan has to be noticed.
PLANS = 120


@pytest.fixture(scope="module")
def postgres() -> Iterator[Engine | None]:
    """A server of its own, or None where there is no PostgreSQL."""
    programs = postgres_programs()
    if programs is None:
        yield None
        return
    with private_postgres(programs) as engine:
        yield engine


@pytest.fixture(params=["datafusion", "postgres"])
def engine(request: pytest.FixtureRequest) -> Engine:
    """Each engine that answers are proven on."""
    found: Engine | None = DataFusion() if request.param == "datafusion" else request.getfixturevalue("postgres")
    if found is None:
        pytest.skip("no PostgreSQL server here; Debian's package postgresql has one")
    return found


def asked(db: Db, filled: World, *texts: str, at: datetime | None = None, **options: Any) -> list[Plan]:
    """Ask a base and give the plans that were made of it."""
    basis = filled.basis(at or filled.now, options.pop("observed_by", None))
    with noted() as plans:
        answer(db, filled.vocabulary, list(texts), basis, **options)
    return plans


# A plan costs DataFusion ten times what it costs PostgreSQL: what others show as well waits for the slow run.
mostly_postgres = pytest.mark.parametrize(
    "engine", [pytest.param("datafusion", marks=pytest.mark.slow), "postgres"], indirect=True
)


# -- the same rows ---------------------------------------------------------------------------------------------------


def test_conformance_cases_elsewhere(engine: Engine) -> None:
    """Q1-Q12, C16: every row of a case's plan is the same elsewhere, in the same order: subject, verdicts, all bits."""
    proof = Proof(engine)
    for what, db, plans in planned(asking_cases()[:: 60 if engine.dialect == "postgres" else 90]):
        proof.prove(db, plans, what)
    print(proof.told())
    assert proof.equal >= 2
    assert not proof.refused


@mostly_postgres
def test_questions_by_chance_elsewhere(engine: Engine, rng: random.Random) -> None:
    """The same for random bases, constraints and options at random instants on the three axes."""
    count = 4 if engine.dialect == "postgres" else 1
    proof = Proof(engine)
    for what, db, plans in by_chance(rng, count, each=2):
        proof.prove(db, plans, what)
    print(proof.told())
    assert proof.equal >= count
    assert not proof.refused


REWRITTEN: list[tuple[list[str], dict[str, Any]]] = [
    (["score[any] >= 2", "modes exists"], {"source_types": "pricing", "policy": "any", "everyone": True}),
    (['none_of(modes contains "it\'s")', "price[any] > 0"], {"order_by": ("price", "asc"), "limit": 9}),
]


@mostly_postgres
@pytest.mark.parametrize(("texts", "options"), few(REWRITTEN, 2))
def test_every_rewrite_elsewhere(engine: Engine, texts: list[str], options: dict[str, Any]) -> None:
    """P2, P3, Q11, Q12, R2: names merged and in order of bytes, methods, sets, sources withdrawn or described twice."""
    filled = world(random.Random(11), claims=120)
    filled.withdraw("s1", day(1))
    filled.add("alias", "subject", filled.subject("it's \\n", "X"), filled.subject("alpha", "Y"), False, day(1))
    # the newest reading counts, and of its descriptions that without a title, the greatest
    for at, title, kind in ((-2000, "z", "news"), (8, "b", "news"), (8, None, "pricing"), (8, "a", "news")):
        said = (title, None, None, kind, "third_party", None)
        filled.add("source_attribute", filled.source("s2"), day(at), *said, day(8))
    db, proof = filled.build(), Proof(engine)
    proof.prove(db, asked(db, filled, *texts, at=day(5), count_asked=False, **options), str(texts))
    assert proof.rows > 4
    db.close()


@pytest.mark.slow
def test_intervals_of_several_statements_are_refused() -> None:
    """Q14, platform 3: where an operand changes there is no one statement, and the error says how many there are."""
    filled = World([Predicate("price", "quantity", unit="usd")])
    for subject, value, start in (("a", 2, 0), ("b", 1, 0), ("b", 3, 5)):
        filled.claim(subject, "price", value, unit="usd", start=(day(start), day(start)), end=(day(start + 5), None))
    db = filled.build()
    than = {"predicate": "price", "operator": "gte", "value_of": {"subject": "b"}}
    moving = when(db, filled.vocabulary, [than], filled.basis(day(7)))
    assert len(moving.statements) > 1
    with pytest.raises(InputError, match=f"{len(moving.statements)} statements") as refused:
        moving.sql_for("postgres")
    assert refused.value.code == "not_portable"
    still = when(db, filled.vocabulary, ["price >= 1"], filled.basis(day(7)), during=(day(1), day(3)))
    for dialect in DIALECTS:
        assert sqlglot.parse_one(still.sql_for(dialect), dialect=DIALECTS[dialect].writer).find(exp.Placeholder) is None
    with pytest.raises(InputError, match="cobol"):
        still.sql_for("cobol")
    db.close()


@pytest.mark.slow
@mostly_postgres
def test_all_time_elsewhere(engine: Engine) -> None:
    """Q5: the segments of a question over all time are the same, one laid beside the other."""
    filled = World([Predicate("price", "quantity", unit="usd")])
    for number, start in enumerate((0, 5, 9)):
        filled.claim("a", "price", number, unit="usd", start=(day(start), day(start)), end=(day(start + 5), None))
        filled.claim("b", "price", 1, unit="usd", start=(day(start), day(start + 1)), source=f"s{number}")
    db, proof = filled.build(), Proof(engine)
    with noted() as plans:
        found = when(db, filled.vocabulary, ["price >= 1"], filled.basis(day(5)))
    proof.prove(db, plans, "all time")
    assert proof.rows > sum(len(one.segments) for one in found.subjects) > 2
    ((sql, params),) = found.statements
    assert engine.run(found.sql_for(engine.dialect)) == db.query(sql, params).rows
    db.close()


@pytest.mark.slow
def test_every_conformance_case_elsewhere(postgres: Engine | None) -> None:
    """The same for every case whose question becomes a plan, at an instant or over all time, on every engine here."""
    proofs = [Proof(engine) for engine in (DataFusion(), postgres) if engine]
    for what, db, plans in planned(asking_cases()):
        for proof in proofs:
            proof.prove(db, plans, what)
    print(*[proof.told() for proof in proofs], sep="\n")
    assert min(proof.equal for proof in proofs) >= PLANS
    assert not any(proof.refused for proof in proofs)


@pytest.mark.slow
def test_many_questions_by_chance_elsewhere(postgres: Engine | None, rng: random.Random) -> None:
    """The same for more questions; `python -m portable --questions N` takes any number."""
    proofs = [Proof(engine) for engine in (DataFusion(), postgres) if engine]
    for what, db, plans in by_chance(rng, 20):
        for proof in proofs:
            proof.prove(db, plans, what)
    print(*[proof.told() for proof in proofs], sep="\n")
    assert min(proof.equal for proof in proofs) >= 20
    assert not any(proof.refused for proof in proofs)


@pytest.mark.slow
def test_the_ends_of_time_elsewhere(engine: Engine) -> None:
    """T2, B2: bounds a microsecond apart, and at the first and last instants that can be stored, are met exactly."""
    filled = World([Predicate("price", "quantity", unit="usd")], now=HIGHEST)
    edge = datetime(2600, 2, 28, 23, 59, 59, 999_999, tzinfo=UTC)
    for number, (start, end) in enumerate([(LOWEST, edge), (edge, edge + TICK), (edge + TICK, HIGHEST)]):
        filled.claim(f"s{number}", "price", number, unit="usd", start=(start, start), end=(end, end))
    db, proof = filled.build(), Proof(engine)
    for at in (LOWEST, edge):
        plans = asked(db, filled, "price >= 0", at=at, count_asked=False)
        found = db.query(plans[0].sql, plans[0].params).dicts()
        assert [row["name"] for row in found[1:] if row["test"] is None] == [f"s{(at >= edge) + (at > edge)}"]
        proof.prove(db, plans, f"at {at}")
    db.close()


@pytest.mark.slow
def test_numbers_of_every_size_elsewhere(engine: Engine) -> None:
    """V3: twelve digits after the point and twenty-five before it compare exactly; ranks keep their order."""
    filled = World([Predicate("price", "quantity", unit="usd", direction="lower")])
    for number, value in enumerate(("0.1", "0.100000000001", "0.3", "9" * 25 + ".000000000001", "9" * 25)):
        filled.claim(f"s{number}", "price", value, bounds=(value, value), unit="usd")  # type: ignore[arg-type]
    filled.claim("s9", "price", "much", bounds=(5, None), unit="usd")
    db, proof = filled.build(), Proof(engine)
    proof.prove(db, asked(db, filled, "price > 0.1", order_by="price"), "the smallest difference")
    proof.prove(db, asked(db, filled, f"price <= {'9' * 25}", order_by=("price", "desc"), limit=3), "the greatest")
    db.close()
    assert proof.equal == 2


# -- what is written -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def plans() -> list[Plan]:
    """Plans of many kinds: each operator and option of the compiler's own fixtures."""
    filled = test_compiler.world()
    return [test_compiler.asked(filled, head) for _, head, _ in test_compiler.golden()]


@pytest.mark.parametrize("dialect", few(ELSEWHERE, 3))
def test_a_statement_stands_alone(dialect: str, plans: list[Plan]) -> None:
    """Platform 3: each step keeps its name and place; no macro, no placeholder, no word that only DuckDB knows."""
    for plan in plans[1::5]:
        _check_alone(plan, dialect)


@pytest.mark.slow
@pytest.mark.parametrize("dialect", ELSEWHERE)
def test_every_statement_stands_alone(dialect: str, plans: list[Plan]) -> None:
    """The same for every operator and option."""
    for plan in plans:
        _check_alone(plan, dialect)


def _check_alone(plan: Plan, dialect: str) -> None:
    text = export(plan, dialect)
    whole = sqlglot.parse_one(text, dialect=DIALECTS[dialect].writer)
    steps = [step.name for step in plan.steps]
    # for Spark the steps inside a macro stand beside those of the plan
    assert [step.alias for step in whole.args["with_"].expressions if step.alias in steps] == steps
    assert not re.search(r"\$\w|MATERIALIZED|arg_max|json_|infinity", text, re.IGNORECASE)
    assert {one.db for one in whole.find_all(exp.Table)} <= {"", "cb"}
    assert not [one for one in whole.find_all(exp.Table) if isinstance(one.this, exp.Func)]


def test_what_cannot_be_said_is_refused_by_name(plans: list[Plan]) -> None:
    """Platform 3: a function or construct not known to mean the same is named, never passed on; so is a dialect."""
    for dialect in ELSEWHERE:
        with pytest.raises(InputError, match=f"^{dialect} cannot say array_sort, jaccard as") as refused:
            export(Plan((), "SELECT jaccard(a, b), list_sort(c) FROM cb.claim", {}, (), ()), dialect)
        assert refused.value.code == "not_portable"
        with pytest.raises(InputError, match="from_json"):  # more constraints than that travel as a table
            export(test_compiler.plan_of(test_compiler.world(), ["price <= 1"] * (BRANCH_LIMIT + 1)), dialect)
    with pytest.raises(InputError, match="datafusion") as refused:
        export(plans[0], "cobol")
    assert refused.value.code == "unknown_dialect"


WORDS = sorted({"".join(one) for size in (1, 2, 3) for one in product('a",[]\\: ', repeat=size)})
MEMBER, KEY = "json_contains(t, to_json($w))", "json_extract_string(t, $w) IS NOT NULL"


def test_members_and_keys_are_found_in_their_text() -> None:
    """X41, P3: looked for in the canonical text of a set or scope, a word is found where it is a member, a key one."""
    words, rng = [word for word in WORDS if word == word.strip()], random.Random(7)
    sets = [sorted(rng.sample(words, rng.randint(1, 3))) for _ in range(1000)]
    scopes = [{rng.choice(words): rng.choice(words) for _ in range(2)} for _ in range(1000)]
    for condition, path, held in ((MEMBER, "{}", sets), (KEY, '$."{}"', scopes)):
        db = claimbase.open(packs=()).db
        with db.atomic() as transaction:
            transaction.run("CREATE TEMP TABLE held (n INTEGER, t VARCHAR)")
            transaction.append("held", [(n, json.dumps(one, sort_keys=True)) for n, one in enumerate(held)])
            for word in ["a", '"', ",", "]", '",', ': "', *rng.sample(words, 12)]:
                text = f"SELECT n FROM held WHERE {condition}"  # noqa: S608  # one of two above
                written = export(Plan((), text, {"w": path.format(word)}, (), ()), "postgres")
                found = {number for (number,) in transaction.run(written)}
                assert found == {n for n, one in enumerate(held) if word in one}, word
        db.close()


# -- asking for it ---------------------------------------------------------------------------------------------------


def run(*words: str) -> Any:
    """Run the command in this process."""
    return CliRunner().invoke(main, ["sql", *words])


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small base in a file."""
    path = tmp_path_factory.mktemp("portable") / "small.duckdb"
    with claimbase.open(path) as kb:
        kb.add({
            "provider": "Norden AI", "subject": "Lark 2", "predicate": "context_window", "value": "200K",
            "observed_at": "2026-02-01", "quote": "200K context", "effective_from": "2026-01-01",
            "source": {"url": "https://norden.example/lark"},
        })  # fmt: skip
    return path


@pytest.mark.parametrize("dialect", few(DIALECTS, 2))
def test_the_command_writes_what_the_library_does(file: Path, dialect: str) -> None:
    """Platform 11: `claimbase sql --dialect` writes the statement of the answer, as text and as JSON."""
    axes = ("--as-of", "2026-03-01", "--observed-by", "2026-03-01", "--recorded-by", "2099-01-01")
    words = (str(file), "context_window >= 128K", "--limit", "3", "--order-by", "context_window", "--dialect", dialect)
    with claimbase.open(file, read_only=True) as kb:
        at = {"as_of": "2026-03-01", "observed_by": "2026-03-01", "limit": 3, "order_by": "context_window"}
        expected = kb.answer("context_window >= 128K", **at).sql_for(dialect)
    text, data = run(*words, *axes[:4]), run(*words, *axes[:4], "--json")
    assert text.exit_code == data.exit_code == 0, text.output
    moment = re.compile(r"'20\d\d-\d\d-\d\dT[\d:.]+Z'")  # what was held by now
    assert moment.sub("now", text.stdout) == moment.sub("now", expected + "\n")
    assert moment.sub("now", json.loads(data.stdout)["sql"]) == moment.sub("now", expected)
    assert json.loads(data.stdout)["dialect"] == dialect


@pytest.mark.slow
def test_the_command_keeps_its_two_uses_apart(file: Path) -> None:
    """C16: a SELECT takes no option of a question, a dialect needs a constraint, and an unknown one is named."""
    alone = run(str(file), "SELECT count(*) AS n FROM cb.claim")
    assert (alone.exit_code, alone.stdout.split()[:2]) == (0, ["n", "1"])
    for words, told in (
        (("SELECT 1", "--as-of", "2026-03-01"), "need --dialect"),
        (("--dialect", "spark"), "at least one CONSTRAINT"),
        (("context_window exists", "--dialect", "cobol"), "unknown dialect 'cobol'"),
    ):
        refused = run(str(file), *words)
        assert refused.exit_code != 0
        assert told in refused.output
