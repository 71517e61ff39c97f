"""The folder of SQL: one statement a file that says what it means, nothing unused, and macros that keep their shape."""

from __future__ import annotations

import re
from collections.abc import Iterator

import duckdb
import pytest
from conftest import CHECKOUT
from kit import NOW

from claimbase.store import Db, open_db, schema_files
from claimbase.temporal import FixedClock

SQL = CHECKOUT / "sql"
FILES = sorted(path.relative_to(SQL).as_posix() for path in SQL.rglob("*.sql"))
STATEMENTS = [name for name in FILES if not name.startswith(("schema/", "guards/"))]


@pytest.mark.parametrize("name", FILES)
def test_a_file_says_what_it_means(name: str) -> None:
    """Architecture 3: each file begins with a line of comment, is UTF-8 with plain ends of lines, and fits the page."""
    text = (SQL / name).read_text("utf-8")
    first = text.splitlines()[0]
    assert first.startswith("-- ")
    assert first[3].isupper()
    assert text.endswith("\n")
    assert "\r" not in text
    assert "\t" not in text
    assert all(line == line.rstrip() for line in text.splitlines())


@pytest.mark.parametrize("name", STATEMENTS)
def test_a_file_is_one_statement(name: str) -> None:
    """Architecture 3: one file, one statement, which the engine can parse; no closing semicolon invites a second."""
    text = (SQL / name).read_text("utf-8")
    assert len(duckdb.extract_statements(text)) == 1
    assert not text.rstrip().endswith(";")


def test_schema_files_are_numbered() -> None:
    """G18: 0001, 0002 and so on without gaps, each parsable; they are never changed once released."""
    assert [number for number, _, _ in schema_files()] == list(range(1, len(schema_files()) + 1))
    for _, _, text in schema_files():
        assert len(duckdb.extract_statements(text)) > 0


def test_macros_make_themselves_anew() -> None:
    """C8: each macro file replaces one macro of schema cb; no two files make the same one."""
    made = []
    for name in STATEMENTS:
        if name.startswith("macros/"):
            made += re.findall(r"^CREATE OR REPLACE MACRO cb\.(\w+)\(", (SQL / name).read_text("utf-8"), re.MULTILINE)
    assert len(made) == len(set(made)) == len([name for name in STATEMENTS if name.startswith("macros/")])


def test_no_statement_is_unused() -> None:
    """Architecture 3: every file is run by the package; a name that no module spells would be dead."""
    code = "\n".join(path.read_text("utf-8") for path in (CHECKOUT / "claimbase").rglob("*.py"))
    words = set(re.findall(r"[\w/]+", code))
    names = [name.removesuffix(".sql").removesuffix("_list") for name in STATEMENTS if not name.startswith("macros/")]
    assert [name for name in names if name not in words and name.split("/")[1] not in words] == []


def test_every_object_says_its_schema() -> None:
    """C8: tables of the base are always called cb.x, so that no temporary one can take their place."""
    tables = {name.split(".")[0] for name in _columns(open_db(clock=FixedClock(NOW)))}
    for name in STATEMENTS:
        text = re.sub(r"--.*", "", (SQL / name).read_text("utf-8"))
        temporary = set(re.findall(r"TEMP TABLE (\w+)", text))
        for word in re.findall(r"\b(?:FROM|JOIN|INTO|UPDATE)\s+(\w+)\b(?!\.|\()", text):
            assert word not in tables - temporary - _ctes(text), (name, word)


def _ctes(text: str) -> set[str]:
    return set(re.findall(r"\b(\w+) AS (?:MATERIALIZED )?\(", text))


def _columns(db: Db) -> list[str]:
    return [name for name, _ in db.file("ledger/shape")]


@pytest.fixture(scope="module")
def db() -> Iterator[Db]:
    """Give an empty base."""
    base = open_db(clock=FixedClock(NOW))
    yield base
    base.close()


PUBLIC = {
    "active_claims()": (
        "provider subject predicate scope value value_min value_max unit polarity certainty from_earliest from_latest"
        " until_earliest until_latest observed_at quote url title publisher authority claim_id flags"
    ),
    "history('x')": (
        "provider subject predicate scope value unit polarity status doubt certain_from certain_until possible_from"
        " possible_until claims sources quote url claim_id"
    ),
    "contradictions()": (
        "provider subject predicate scope kind disputed_from disputed_until value url observed_at other_value other_url"
        " other_observed_at suggested_end claim_id other_claim_id"
    ),
    "freshness()": "predicate claims newest oldest stale stale_after",
    "watch_events()": "number watch event at provider subject because detail recorded_at",
}
INTERNAL = {
    "declared(now())": (
        "predicate_id canonical_id name kind unit single tolerance stale_after closed_world timeless requires"
    ),
    "last_seen(now(), now())": "claim_no last_seen",
}


@pytest.mark.parametrize("call", PUBLIC)
def test_public_macros_keep_their_columns(db: Db, call: str) -> None:
    """sql/README: the columns of the public macros stay in their order; new ones come at the end."""
    promised = tuple(PUBLIC[call].split())
    assert db.query(f"FROM cb.{call} LIMIT 0").columns[: len(promised)] == promised


@pytest.mark.parametrize("call", INTERNAL)
def test_inner_macros_give_what_others_join(db: Db, call: str) -> None:
    """P1, Q9: what other statements take from these macros by name."""
    assert db.query(f"FROM cb.{call} LIMIT 0").columns == tuple(INTERNAL[call].split())


def test_visible_and_active_give_whole_versions(db: Db) -> None:
    """A1, T2: visible gives the rows of cb.claim as they are; active adds whether it is certain, nothing else."""
    claim = db.query("FROM cb.claim LIMIT 0").columns
    assert db.query("FROM cb.visible(now(), now()) LIMIT 0").columns == claim
    assert db.query("FROM cb.active(now(), now(), now()) LIMIT 0").columns == (*claim, "certain")


def test_the_arguments_are_those_of_the_guide(db: Db) -> None:
    """sql/README: the public macros and their arguments, as the guide names them, exist in this order."""
    guide = dict(re.findall(r"^\| `cb\.(\w+)\(([\w, ]*)\)`", (SQL / "README.md").read_text("utf-8"), re.MULTILINE))
    assert sorted(guide) == sorted(call.split("(")[0] for call in PUBLIC)
    known = db.query(
        "SELECT function_name, parameters FROM duckdb_functions() WHERE schema_name = 'cb'"
        " AND function_type = 'table_macro'"
    )
    found = {name: ", ".join(parameters) for name, parameters in known}
    assert {name: found[name] for name in guide} == guide
