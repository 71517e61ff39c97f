"""Merging subjects (P2): one subject wherever something is asked, from the merge on until it is undone."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from datetime import timedelta
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from kit import NOW, Ticking, base, chained, claim, day, few, opened

from claimbase.base import Claimbase
from claimbase.cli import main
from claimbase.errors import InputError

SOURCES = [{"url": f"https://{name}.example/page"} for name in "ab"]


@pytest.fixture
def kb() -> Iterator[Claimbase]:
    """A base that names one model twice, and one that is another."""
    with base(Ticking()) as kb:
        kb.add(claim("$3", day(1), effective_from="2026-01-01", source=SOURCES[0]))
        kb.add(claim("$2", day(2), subject="Lark Two", effective_from="2026-01-01", source=SOURCES[1]))
        kb.add(claim("128K", day(3), subject="Lark Two", predicate="context", source=SOURCES[1]))
        kb.add(claim("$9", day(3), subject="Wren"))
        yield kb


def moments(kb: Claimbase, *steps: Any) -> list[Any]:
    """Carry out steps; give an instant before the first and after each."""
    found = [kb.basis().recorded_by]
    for step in steps:
        step()
        found.append(kb.basis().recorded_by)
    return found


def seen(kb: Claimbase, name: str, recorded_by: Any) -> dict[str, Any]:
    """Tell what every way to ask about a name says at a basis."""
    by = {"recorded_by": recorded_by}
    history = kb.history(name, **by)
    answer = kb.answer("price exists", "context exists", subjects=name, **by)
    return {
        "history": {(one.subject, one.value) for one in history.segments},
        "conflicts": history.counts["conflicts"],
        "contradictions": kb.contradictions(subjects=[name], all_time=True, **by).total,
        "claims": {(one["subject"], one["value"]) for one in kb.claims(name, **by)},
        "claims of all": {one["subject"] for one in kb.claims(**by)},
        "freshness": kb.freshness(subjects=[name], **by).claims,
        "answer": {one.subject: sorted(c.value or "" for c in one.citations) for one in answer.subjects()},
        "asked": answer.counts["asked"],
    }


LONE = {
    "Lark 2": {
        "history": {("Lark 2", "$3")}, "conflicts": 0, "contradictions": 0, "claims": {("Lark 2", "$3")},
        "claims of all": {"Lark 2", "Lark Two", "Wren"}, "freshness": 1, "answer": {"Lark 2": ["$3"]}, "asked": 1,
    },
    "lark two": {
        "history": {("Lark Two", "$2"), ("Lark Two", "128K")}, "conflicts": 0, "contradictions": 0,
        "claims": {("Lark Two", "$2"), ("Lark Two", "128K")}, "claims of all": {"Lark 2", "Lark Two", "Wren"},
        "freshness": 2, "answer": {"Lark Two": ["$2", "128K"]}, "asked": 1,
    },
}  # fmt: skip
ALL = {("Lark 2", "$3"), ("Lark 2", "$2"), ("Lark 2", "128K")}
ONE = {
    "history": ALL, "conflicts": 1, "contradictions": 1, "claims": ALL, "claims of all": {"Lark 2", "Wren"},
    "freshness": 3, "answer": {"Lark 2": ["$2", "$3", "128K"]}, "asked": 1,
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Lark 2", "lark two"])
def test_one_subject_from_the_merge_until_it_is_undone(kb: Claimbase, name: str) -> None:
    """P2, A3: each way to ask says the same of either name; split before, one after, split again once undone."""
    before, merged, undone = moments(kb, lambda: kb.merge("lark two", "Lark 2"), lambda: kb.unmerge("Lark Two"))
    assert seen(kb, name, before) == LONE[name]
    assert seen(kb, name, merged) == ONE
    assert seen(kb, name, undone) == LONE[name]


@pytest.mark.covers("A47")
def test_verdicts_are_those_of_one_subject(kb: Claimbase) -> None:
    """P2, Q1: after the merge both prices are in one slot, and one subject is asked fewer."""
    verdicts = [kb.answer("price < $2.50", everyone=True)]
    kb.merge("Lark Two", "Lark 2")
    verdicts.append(kb.answer("price < $2.50", everyone=True))
    assert [one.verdicts() for one in verdicts] == [
        {"Lark Two": ("met",), "Lark 2": ("failed",), "Wren": ("failed",)},
        {"Lark 2": ("disputed",), "Wren": ("failed",)},
    ]  # fmt: skip
    assert [one.counts["asked"] for one in verdicts] == [3, 2]


@pytest.mark.slow
def test_an_operand_is_found_by_either_name(kb: Claimbase) -> None:
    """P2, Q14: another subject's value is found under a name that states none itself."""
    kb.add(claim("yes", day(4), subject="Wren Two", predicate="vision"))
    cheaper = "price < value_of(Wren Two)"
    assert {said for (said,) in kb.answer(cheaper, everyone=True).verdicts().values()} == {"no_evidence"}
    kb.merge("Wren Two", "Wren")
    assert {one.subject for one in kb.answer(cheaper).eligible} == {"Lark 2", "Lark Two"}


@pytest.mark.slow
def test_what_was_added_under_the_other_name_later_belongs_to_the_one(kb: Claimbase) -> None:
    """P2: names are followed at read, a later claim needs no second merge; it keeps the name it was stated with."""
    kb.merge("Lark Two", "Lark 2")
    kb.add(claim("yes", day(5), subject="Lark Two", predicate="vision"))
    (found,) = kb.claims("Lark 2", "vision")
    assert found["subject"] == "Lark 2"
    assert kb.get(found["claim_id"])["subject"] == "Lark Two"
    assert kb.answer("vision is_true").verdicts() == {"Lark 2": ("met",)}


@pytest.mark.slow
def test_runs_are_made_on_slots_as_named(kb: Claimbase) -> None:
    """P2, T8: a merge derives nothing; the versions of both names stay as they were, one batch holds one line."""
    versions = kb.db.query("FROM cb.claim ORDER BY version_id").rows
    report = kb.merge("Lark Two", "Lark 2", reason="one model, two spellings")
    assert kb.db.query("FROM cb.claim ORDER BY version_id").rows == versions
    assert (report.inserted, report.retracted, report.words) == (
        0, 0, "'Lark Two' (Norden AI) is another name of 'Lark 2' (Norden AI)",
    )  # fmt: skip
    assert kb.db.query("SELECT reason, revoked FROM cb.alias").rows == [("one model, two spellings", False)]
    assert kb.db.query("SELECT verb FROM cb.batch WHERE batch_id = $n", {"n": report.batch}).rows == [("merge",)]
    assert chained(kb.db)


@pytest.mark.slow
def test_the_same_merge_again_is_nothing_at_all(kb: Claimbase) -> None:
    """B6, P2: it makes no batch and no line; after it was undone it is news again."""
    kb.merge("Lark Two", "Lark 2")
    again = kb.merge("LARK TWO", "lark 2", reason="another reason")
    assert (again.batch, again.words) == (
        None,
        "'Lark Two' (Norden AI) already was another name of 'Lark 2' (Norden AI)",
    )
    kb.unmerge("Lark Two")
    assert kb.merge("Lark Two", "Lark 2").batch is not None
    assert kb.db.query("SELECT count(*) FROM cb.alias").rows == [(3,)]


@pytest.mark.slow
def test_a_chain_is_followed_and_comes_apart_where_it_is_cut(kb: Claimbase) -> None:
    """P2: a means b, b means c; undoing the second leaves the first."""
    kb.merge("Lark Two", "Lark 2")
    kb.merge("Lark 2", "Wren")
    assert {one["subject"] for one in kb.claims()} == {"Wren"}
    kb.unmerge("Lark 2")
    assert {one["subject"] for one in kb.claims("Lark Two")} == {"Lark 2"}
    kb.merge("Lark Two", "Wren")
    assert {one["value"] for one in kb.claims("Wren")} == {"$9", "$2", "128K"}


def add_namesakes(kb: Claimbase) -> None:
    """Give the same name to a subject of two more providers."""
    kb.add(claim("$4", day(4), provider=provider, subject="Lark 2") for provider in ("Tarn", "Vale"))


@pytest.fixture(scope="module")
def namesakes() -> Iterator[Claimbase]:
    """A base that every test leaves as it was."""
    with base(Ticking()) as kb:
        kb.add(claim("$2", day(2), subject=name) for name in ("Lark 2", "Lark Two", "Wren"))
        add_namesakes(kb)
        yield kb


BAD = [
    ("merge", ("Lurk 2", "Wren"), {}, "unknown_subject", "Lark 2 (Norden AI)"),
    ("merge", ("Wren", "zzz"), {}, "unknown_subject", "kb.claims()"),
    ("merge", ("Wren", "Lark Two"), {"provider": "Tarn"}, "unknown_subject", "Wren (Norden AI)"),
    ("merge", ("Lark 2", "Wren"), {}, "ambiguous_subject", "Norden AI, Tarn, Vale"),
    ("merge", ("Wren", "Lark 2"), {}, "ambiguous_subject", "Norden AI, Tarn, Vale"),
    ("merge", ("Wren", " wren "), {}, "same_subject", "two subjects"),
    ("unmerge", ("Wren",), {}, "not_merged", "for itself"),
    ("unmerge", ("Lark 2",), {}, "not_merged", "for itself"),
    ("unmerge", ("Wrenn",), {}, "unknown_subject", "Wren (Norden AI)"),
]


@pytest.mark.parametrize(("verb", "names", "options", "code", "words"), few(BAD, 3))
def test_what_cannot_be_merged(
    namesakes: Claimbase, verb: str, names: tuple[str, ...], options: dict[str, str], code: str, words: str
) -> None:
    """P2: the error says what is wrong and what to do, and nothing is stored."""
    batch = namesakes.basis().batch
    with pytest.raises(InputError) as refused:
        getattr(namesakes, verb)(*names, **options)
    assert refused.value.code == code
    assert words in refused.value.hint
    assert namesakes.basis().batch == batch


@pytest.mark.slow
def test_a_ring_of_merges_is_refused(kb: Claimbase) -> None:
    """P2: a name cannot in the end mean itself, however long the way."""
    kb.merge("Lark Two", "Lark 2")
    kb.merge("Lark 2", "Wren")
    for names in (("Wren", "Lark Two"), ("Wren", "Lark 2"), ("Lark 2", "Lark Two")):
        with pytest.raises(InputError) as refused:
            kb.merge(*names)
        assert refused.value.code == "merge_cycle"


@pytest.mark.slow
def test_namesakes_are_told_apart_by_provider(kb: Claimbase) -> None:
    """P2: a slot's provider is part of its name; once merged, one name is enough again."""
    add_namesakes(kb)
    for provider in ("Tarn", "Vale"):
        kb.merge("Lark 2", "lark 2", provider=provider, into_provider="norden ai")
    assert {(one["provider"], one["value"]) for one in kb.claims("Lark 2")} == {
        ("Norden AI", "$3"), ("Norden AI", "$4"),
    }  # fmt: skip
    kb.merge("Wren", "Lark 2")
    assert {one["value"] for one in kb.claims("Wren")} == {"$3", "$4", "$9"}
    with pytest.raises(InputError) as refused:
        kb.unmerge("Lark 2")
    assert (refused.value.code, refused.value.hint) == ("ambiguous_subject", "name the provider: Tarn, Vale")
    kb.unmerge("Lark 2", provider="Vale")
    assert len(kb.claims("Lark 2", provider="Tarn")) == 3
    assert [one["provider"] for one in kb.claims("Lark 2", provider="Vale")] == ["Vale"]


# -- the oracle -----------------------------------------------------------------------------------------------------

Step = tuple[str, ...]


def meant(name: str, edges: dict[str, str]) -> str:
    """Follow a name."""
    while name in edges:
        name = edges[name]
    return name


def taken(step: Step, edges: dict[str, str]) -> dict[str, str] | str:
    """Give what a step makes of the names, or the code it is refused with."""
    alias, *into = step
    if not into:
        return {old: new for old, new in edges.items() if old != alias} if alias in edges else "not_merged"
    followed = into[0]
    while followed in edges:
        followed = edges[followed]
        if followed == alias:
            return "merge_cycle"
    return edges | {alias: into[0]}


def histories(rng: random.Random, every: int) -> list[tuple[Step, ...]]:
    """Give every n-th two steps over three names, and some of four."""
    steps: list[Step] = [*permutations("abc", 2), *(("a",), ("b",), ("c",))]
    two = list(product(steps, repeat=2))[::every]
    return [*two, *(tuple(rng.choice(steps) for _ in range(4)) for _ in range(12 // every))]


@pytest.mark.parametrize("every", [6, pytest.param(1, marks=pytest.mark.slow)])
def test_every_short_history_of_merges(rng: random.Random, every: int) -> None:
    """P2, A3: at each recorded instant every name means what following the merges by hand says."""
    kb = base(Ticking(NOW - timedelta(days=1)))
    worlds = histories(rng, every)
    kb.add(claim("$1", day(1), subject=f"{name}{n}") for n in range(len(worlds)) for name in "abc")
    wanted: dict[Any, dict[str, str]] = {}
    standing: dict[str, str] = {}
    for n, world in enumerate(worlds):
        edges: dict[str, str] = {}
        for alias, *into in world:
            told = taken((alias, *into), edges)
            call = (kb.merge, f"{alias}{n}", f"{into[0]}{n}") if into else (kb.unmerge, f"{alias}{n}")
            if isinstance(told, str):
                with pytest.raises(InputError) as refused:
                    call[0](*call[1:])
                assert refused.value.code == told
                continue
            report = call[0](*call[1:])
            assert (report.batch is None) == (told == edges)
            edges = told
            standing |= {f"{name}{n}": f"{meant(name, edges)}{n}" for name in "abc"}
            if n % 9 == 0:
                wanted[kb.basis().recorded_by] = dict(standing)
    wanted[kb.basis().recorded_by] = standing
    names = dict(kb.db.query("SELECT subject_id, name FROM cb.subject").rows)
    for recorded_by, expected in wanted.items():
        rows = kb.db.query("FROM cb.canonical('subject', $by)", {"by": recorded_by}).rows
        found = {names[one]: names[other] for one, other in rows}
        assert found == {name: other for name, other in expected.items() if name != other}
    kb.close()


# -- the command ----------------------------------------------------------------------------------------------------


def test_the_commands(tmp_path: Path) -> None:
    """P2: merge and unmerge say what they did; with --json as data; an error leaves with its code."""
    file = tmp_path / "base.duckdb"
    with opened(file) as kb:
        kb.add([claim("$3", day(1)), claim("$2", day(2), subject="Lark Two")])

    def run(*words: str) -> Any:
        return CliRunner().invoke(main, [words[0], str(file), *words[1:]])

    done = run("merge", "Lark Two", "Lark 2", "--reason", "one model", "--json")
    assert done.stderr == "'Lark Two' (Norden AI) is another name of 'Lark 2' (Norden AI)\n"
    assert json.loads(done.stdout)["verb"] == "merge"
    assert run("merge", "Lark Two", "Lark 2").stderr.startswith("'Lark Two' (Norden AI) already was")
    assert run("merge", "Lark 2", "Lark Two").exit_code == 2
    assert run("unmerge", "Lark Two", "--provider", "Norden AI").exit_code == 0
    refused = run("unmerge", "Lark Two")
    assert refused.exit_code == 2
    assert "is not merged" in refused.stderr
