"""Conformance: every case of the suite, and those beside the checkout, through the public interface."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

import pytest
from conformance.adapter import CannotState
from conformance.adapters import ADAPTERS, adapter
from conformance.cases import Case, own_cases, own_topics, shared_cases
from conformance.runner import OUTCOMES, RIGHT, WRONG, outcome, run, shown, table
from copies import declared

OWN, BESIDE = own_cases(), shared_cases()
# Floors: a case that stops being run has to be noticed.
OWN_RUN, BESIDE_RUN = 377, 106
SECTIONS = {"B": 7, "T": 11, "A": 6, "W": 6, "V": 9, "P": 3, "K": 10, "Q": 15, "H": 4, "R": 2}
RULES = [f"{section}{number}" for section, last in SECTIONS.items() for number in range(1, last + 1)]


@pytest.fixture(autouse=True)
def _copied(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each case a copy of an empty base; the slow run asks it by the product's plans."""
    monkeypatch.setattr("claimbase.base.open", lambda *, clock, packs: declared(clock, packs))


def _core() -> set[str]:
    """Name cases that together speak to every rule: what the default run takes; the slow run takes the others."""
    left, core = set(RULES), set()
    while left:
        best = max(OWN, key=lambda case: (len(left & set(case.rules)), -len(case.arrange)))
        core.add(best.id)
        left -= set(best.rules)
    return core


def _parameters(cases: Sequence[Case], *, quick: set[str] | None = None) -> list[object]:
    """Give the cases; those that the default run does not take are slow."""
    slow = [] if quick is None else [pytest.mark.slow]
    return [pytest.param(case, id=case.id, marks=[] if case.id in (quick or ()) else slow) for case in cases]


@pytest.mark.parametrize("case", _parameters(OWN, quick=_core()))
def test_own_case(case: Case) -> None:
    """What the rules named by the case answer is what the base answers."""
    run(case)


@pytest.mark.parametrize("case", _parameters(BESIDE, quick={case.id for case in BESIDE[::48]}))
def test_shared_case(case: Case) -> None:
    """The same for the cases that come with the design."""
    run(case)


@pytest.mark.slow
@pytest.mark.parametrize("case", _parameters([case for case in (*OWN, *BESIDE) if case.any_order]))
def test_every_order(case: Case) -> None:
    """B6: where any order counts, every order of the adds ends in the same answers."""
    run(case, every=True)


def test_nothing_is_left_out_unnoticed() -> None:
    """Every case there was is still there, under a name of its own, and says why it expects what it expects."""
    assert len(OWN) >= OWN_RUN
    assert not BESIDE or len(BESIDE) >= BESIDE_RUN
    assert len({case.id for case in (*OWN, *BESIDE)}) == len(OWN) + len(BESIDE)
    assert all(case.why and case.rules and case.expect for case in OWN)


def test_every_rule_has_a_case() -> None:
    """Each rule of the semantics is named by a case of this suite, and no case names a rule there is not."""
    named = Counter(chain.from_iterable(case.rules for case in OWN))
    assert [rule for rule in RULES if not named[rule]] == []
    assert set(named) <= set(RULES)


def test_every_topic_has_a_case() -> None:
    """Each hard subject of the table of topics has cases, and each of these exists."""
    topics, ids = own_topics(), {case.id for case in OWN}
    assert len(topics) >= 60
    assert {topic for topic, cases in topics.items() if not cases} == set()
    assert {case for cases in topics.values() for case in cases} <= ids


def test_the_families_are_few() -> None:
    """The table by family can be read at a glance."""
    assert 10 <= len({case.family for case in (*OWN, *BESIDE)}) <= 20


@pytest.mark.parametrize(
    "change",
    [
        {"expect": {"certain": []}},
        {"expect": {"certain": ["a"], "possible": ["a"]}},
        {"expect": {"certain": ["nobody"]}},
        {"expect": {"undreamt": 1}},
        {"expect": {"stored": {"a": {"undreamt": None}}}},
        {"expect": {"error": "IntervalError"}},
        {"expect": {"at": {"2026-01-01": {}}}},
        {"ask": {"op": "undreamt"}},
        {"ask": {"op": "active", "undreamt": 1}},
        {"arrange": ({"do": "undreamt"},)},
        {"arrange": ({"do": "clock", "now": "2026-01-01", "undreamt": 1},)},
    ],
)
def test_the_runner_fails_loudly(change: dict[str, object]) -> None:
    """A wrong expectation fails, and so does a word of a case that nothing carries out or compares."""
    case = _named("box.said-wins-over-missed")
    run(case)
    with pytest.raises((AssertionError, LookupError, ValueError, CannotState)):
        run(replace(case, **change))


@pytest.mark.parametrize(
    ("case", "wrong"),
    [
        pytest.param("when.gap", {"certain": [["2026-01-01", None]]}, marks=pytest.mark.slow),
        ("diff.world-changed", {"rows": [{"label": "learned", "from_value": "12", "to_value": "14"}]}),
        pytest.param("diff.world-did-not-change", {"rows": [{"label": "world_changed"}]}, marks=pytest.mark.slow),
        pytest.param("relations.join-with-a-gap", {"rows": []}, marks=pytest.mark.slow),
        pytest.param("watches.entered-by-a-write", {"events_include": [{"event": "left"}]}, marks=pytest.mark.slow),
        pytest.param("watches.entered-by-a-write", {"events": []}, marks=pytest.mark.slow),
        pytest.param("provenance.withdrawn-stays-visible", {"flagged": ["a", "b"]}, marks=pytest.mark.slow),
        pytest.param("verbs.erased-at-every-basis", {"tombstones": []}, marks=pytest.mark.slow),
        pytest.param(
            "verbs.retracted-is-history",
            {"by": {"2026-03-15": {}, "2026-04-02": {"segments": 0}}},
            marks=pytest.mark.slow,
        ),
    ],
)
def test_each_comparison_can_fail(case: str, wrong: dict[str, object]) -> None:
    """What a case expects is compared: anything else fails."""
    with pytest.raises(AssertionError):
        run(replace(_named(case), expect=wrong))


# -- other stores ---------------------------------------------------------------------------------------------------

# Where these stores have words at all, and the rules go further than they do.
MEANINGFUL = {"article": ("answers", "verbs"), "latest": ("contradictions", "changes", "verbs")}


@pytest.mark.parametrize("name", sorted(MEANINGFUL))
def test_simpler_stores_answer_less(name: str) -> None:
    """Put to the same cases, editing in place and keeping the latest get some right and some wrong, always the same."""
    store = adapter(name)
    counted = table([store], OWN)
    assert counted == table([store], OWN)
    total = sum((row[store.name] for row in counted.values()), Counter())
    assert total.total() == len(OWN)
    assert total[RIGHT] > 0
    for family in MEANINGFUL[name]:
        assert counted[family][store.name][WRONG] > 0
        assert counted[family][store.name][RIGHT] < sum(case.family == family for case in OWN)


def test_an_adapter_says_why_it_is_missing() -> None:
    """A store that is not there is reported by a reason, and those in memory always are there."""
    reasons = {name: adapter(name).missing() for name in ADAPTERS}
    assert [reasons[name] for name in ("claimbase", "article", "latest")] == [None, None, None]
    assert all(reason is None or reason for reason in reasons.values())


def test_what_a_store_cannot_state_is_no_wrong_answer() -> None:
    """A month as a bound has no place in a store of exact bounds; a plain change has, and is counted as right."""
    article = adapter("article")
    assert outcome(_named("bounds.month-start"), article)[0] == "cannot state"
    assert outcome(_named("verbs.change-edges"), article)[0] == RIGHT
    assert outcome(_named("answers.disputed"), article)[0] == WRONG


def test_the_table_counts_every_case() -> None:
    """A row for each family and one for all, with three numbers a store that add up to the cases of the row."""
    stores = [adapter(name) for name in ("article", "latest")]
    lines = shown(table(stores, OWN), markdown=True).splitlines()
    assert len(lines) == len({case.family for case in OWN}) + 3
    for line in lines[2:]:
        _, cases, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        assert [sum(map(int, cell.split("/"))) for cell in cells] == [int(cases)] * len(stores)
        assert all(len(cell.split("/")) == len(OUTCOMES) for cell in cells)


def test_topics_and_cases_are_plain_data() -> None:
    """Every line is one JSON object that says the same when written again."""
    for case in OWN:
        assert json.loads(json.dumps([case.arrange, case.ask, case.expect])) == [
            list(case.arrange), case.ask, case.expect,
        ]  # fmt: skip


def _named(name: str) -> Case:
    (case,) = (case for case in OWN if case.id == name)
    return case
