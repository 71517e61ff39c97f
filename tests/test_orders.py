"""Any order, any split, any repetition of the same claims answers alike (G3, B6).

`test_ingest.py` compares what is stored; here it is what is answered, at recorded_by = now: buckets and verdicts with
their citations at a grid of instants, intervals, disputes and ages. Recorded instants and ids, which hold the subject's
name, are left out. Every story has a subject of its own, so that one base tells hundreds of them at once.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from kit import Ticking, base, claim, day, digest
from test_ingest import POOL, SETS

from claimbase.base import Claimbase
from claimbase.present import json_text

COST = "price <= $2.5/Mtok"
INSTANTS = tuple(
    {"as_of": valid, "observed_by": observed}
    for valid, observed in (
        ("2026-03-02", "2026-03-31"), ("2026-03-09", "2026-03-31"), ("2026-04-02", "2026-03-31"), ("2026-03-06",
        day(6)),
    )
)  # fmt: skip
OWN_NAMES = {"id", "claim_id", "claims", "subject", "stale_claims", "recorded_by", "batch", "evidence"}
"""What a subject's name or the order of arrival decides."""

ID = re.compile(r"c_[0-9a-f]{16}")

Story = tuple[tuple[int, ...], ...]


def said(found: Any) -> Any:
    """Give what a part of an answer says, without its own names, lists in an order that content decides."""
    if hasattr(found, "to_json"):
        return said(found.to_json())
    if isinstance(found, Mapping):
        return {ID.sub("id", name): said(value) for name, value in sorted(found.items()) if name not in OWN_NAMES} | {
            "value": sorted(str(found.get("value")).split(", "))  # in the order of the claims' ids
        }
    if isinstance(found, list | tuple):
        return sorted((said(one) for one in found), key=lambda one: json_text(one, indent=None))
    return found if found is None or isinstance(found, bool | int | str) else str(found)


def answers(kb: Claimbase) -> dict[str, list[Any]]:
    """Ask everything about every subject, and give what is answered by subject."""
    found: dict[str, list[Any]] = {}
    for number, basis in enumerate(INSTANTS):
        answer = kb.answer(COST, everyone=True, limit=None, near_limit=100_000, **basis)
        for one in answer.subjects():
            found.setdefault(one.subject, []).append((number, said(one)))
    rows = [("when", row["subject"], row) for row in kb.when(COST, limit=100_000).rows()]
    rows += [("dispute", card.subject, card) for card in kb.contradictions(all_time=True).cards]
    rows += [("age", row["subject"], row) for row in kb.freshness(as_of=day(31)).to_json()["stale_claims"]]
    for kind, subject, row in rows:
        found.setdefault(subject, []).append((kind, said(row)))
    return {subject: sorted(parts, key=repr) for subject, parts in found.items()}


def tell(kb: Claimbase, told: Mapping[str, Sequence[Sequence[dict[str, Any]]]]) -> None:
    """Tell stories: the first batch of each together, then the second of each, and so on."""
    for turn in range(max(map(len, told.values()))):
        batch = [
            row | {"subject": subject}
            for subject, batches in told.items()
            for row in batches[turn : turn + 1]
            for row in row
        ]
        if batch:
            kb.add(batch)


def check(stories: Mapping[str, Iterable[Sequence[Sequence[dict[str, Any]]]]]) -> int:
    """Tell each story in one batch and in other ways; every way must be answered like the first."""
    kb, told = base(Ticking(), full=True), {}
    for name, each in stories.items():
        told |= {f"{name} / {place}": way for place, way in enumerate(each)}
    tell(kb, told)
    found = answers(kb)
    for subject in told:
        first = subject.rsplit(" / ", 1)[0] + " / 0"
        assert found.get(subject) == found.get(first), subject
    kb.close()
    return len(told)


@pytest.mark.slow
def test_all_permutations_answer_alike() -> None:
    """G3, B6: sets of up to four claims and readings in every order, one a batch, answer like one batch of them."""
    count = check({
        name: [[rows], *([[row] for row in order] for order in permutations(rows))] for name, rows in SETS.items()
    })  # fmt: skip
    print(f"orders: {count} orders of {len(SETS)} sets, 0 differences")


def ways(story: Story, rng: random.Random) -> list[list[list[dict[str, Any]]]]:
    """Give a story told once in one batch; as it comes, with its repetitions; and shuffled, prefix by prefix."""
    rows = [place for batch in story for place in batch]
    shuffled = rng.sample(rows, len(rows))
    cut = rng.randrange(len(rows)) if rows else 0
    told = ([sorted(set(rows))], list(story), [shuffled[:cut], shuffled, shuffled[cut:]])
    return [[[POOL[place] for place in batch] for batch in way] for way in told]


PLACES = st.integers(0, len(POOL) - 1)
STORIES = st.lists(st.tuples(*[st.lists(PLACES, min_size=1, max_size=5).map(tuple)] * 3), min_size=20, max_size=20)


def check_stories(stories: Sequence[Story], seed: int) -> None:
    """Tell some stories in three ways each."""
    rng = random.Random(seed)
    check({str(number): ways(story, rng) for number, story in enumerate(stories)})


def check_again(stories: Sequence[Story]) -> None:
    """Tell stories batch by batch; each batch again, at once and at the end, in any order, changes nothing."""
    kb = base(Ticking(), full=True)
    batches = [
        [POOL[place] | {"subject": f"{number}"} for number, story in enumerate(stories) for place in story[turn]]
        for turn in range(3)
    ]
    for batch in filter(None, batches):
        kb.add(batch)
        before = digest(kb.db)
        assert kb.add(batch).batch is None
        assert digest(kb.db) == before
    for batch in filter(None, reversed(batches)):
        assert kb.add(batch[::-1]).batch is None
    assert digest(kb.db) == before
    kb.close()


@given(stories=STORIES, seed=st.integers(0, 2**32))
@settings(max_examples=1, phases=[Phase.explicit, Phase.generate])
def test_prefixes_duplicates_and_orders(stories: Sequence[Story], seed: int) -> None:
    """G3: twenty stories, each told once, with repetitions, and shuffled prefix by prefix, are answered alike."""
    check_stories(stories, seed)


@given(stories=STORIES)
@settings(max_examples=1, phases=[Phase.explicit, Phase.generate])
def test_a_batch_again_changes_nothing(stories: Sequence[Story]) -> None:
    """G3, B6: a batch told again writes no row of any table, whenever it comes."""
    check_again(stories)


@pytest.mark.slow
def test_two_thousand_stories(rng: random.Random) -> None:
    """G3: two thousand stories, in three ways each; their batches again change nothing."""
    for _ in range(10):
        stories = [
            tuple(tuple(rng.choices(range(len(POOL)), k=rng.randint(1, 5))) for _ in range(3)) for _ in range(200)
        ]
        check_stories(stories, rng.getrandbits(32))
        check_again(stories)
    print("orders: 2,000 stories in 3 ways, 0 differences")


@pytest.mark.slow
def test_a_difference_is_seen() -> None:
    """G3: stories that differ in one reading, one value or one bound are told apart."""
    kb = base(Ticking(), full=True)
    story = [claim("$3", day(1)), claim("$2", day(20))]
    others = (
        [claim("$3", day(2)), story[1]],
        [story[0], claim("$2.1", day(20))],
        [story[0], claim("$2", day(20), effective_from=day(9))],
    )
    tell(kb, {str(number): [rows] for number, rows in enumerate((story, story[::-1], *others))})
    found = answers(kb)
    assert found["0"] == found["1"]
    assert all(found[str(number)] != found["0"] for number in (2, 3, 4))
