"""Any input of any parser gives a result or a ClaimbaseError, and soon (G16)."""

from __future__ import annotations

import random
from collections.abc import Callable
from time import process_time

import pytest
from conftest import SEED
from fuzz.engine import SLOW, Target, attempt, fuzz
from fuzz.mutating import FIELD, LONGEST
from fuzz.targets import SHARES, TARGETS

from claimbase.errors import InputError

SECONDS = 4
"""CPU seconds of each parser in the slow run."""
RUNS = 15
"""Long runs of words per parser."""
# What fuzzing found once: the parser, and the input that it did not survive.
FOUND = (
    ("date", "2011-12-30" + FIELD + "Pacific" + "/Aic" * 1_000),
    ("date", "0001-01-01T08:00" + FIELD + "Pacific/Apia"),
    ("date", "9999-12-31T23:00" + FIELD + "America/New_York"),
    ("conditions", '{"any_of": 1}'),
    ("claim", '{"scope":"' + '{\\"a\\":' * 2_000 + '"}'),
    ("claim", '{"effective_from":"' + '{\\"kind\\":' * 2_000 + '"}'),
    ("address", "x://://a.example/"),
    ("address", "x:////a.example/"),
    ("checkpoint", "{" + '"batch_id":' + "[" * 2_000),
    ("checkpoint", '{"batch_id":1e999,"root":"' + "ab" * 32 + '"}'),
)


@pytest.mark.parametrize(("name", "text"), FOUND, ids=[f"{name} {text[:20]!r}" for name, text in FOUND])
def test_what_was_found_once_stays_found(name: str, text: str) -> None:
    """G16: an input that a parser did not survive once is read or refused."""
    _, defect = attempt(TARGETS[name], text)
    assert defect is None, defect


@pytest.mark.parametrize("name", TARGETS)
def test_any_input_is_read_or_refused(name: str, request: pytest.FixtureRequest) -> None:
    """G16: mutations of the golden cases give results and typed errors, each within a second."""
    report = fuzz(TARGETS[name], SHARES[name], request.config.stash[SEED])
    print(f"\n{report}")
    assert report.inputs == SHARES[name]
    assert not report.defects, report.defects[:3]
    assert report.read > 0, "nothing was read: the seeds are none"


def test_the_default_run_has_20_000_inputs() -> None:
    """G16: every parser has its share, and together they are 20,000."""
    assert SHARES.keys() == TARGETS.keys()
    assert sum(SHARES.values()) == 20_000


@pytest.mark.slow
@pytest.mark.parametrize("name", TARGETS)
def test_many_inputs_are_read_or_refused(name: str, request: pytest.FixtureRequest) -> None:
    """G16: the same with as many inputs as fit in a few seconds of each parser."""
    report = fuzz(TARGETS[name], 1_000_000, request.config.stash[SEED] + 1, seconds=SECONDS)
    print(f"\n{report}")
    assert not report.defects, report.defects[:3]


def test_long_runs_of_every_word_take_linear_time(rng: random.Random) -> None:
    """G16: a word of a grammar, or two, over and over as long as an input may be, takes less than a second."""
    for target in TARGETS.values():
        for _ in range(RUNS):
            piece = rng.choice(target.words) + rng.choice(target.words)
            text = rng.choice(target.seeds())[:40] + piece * (LONGEST // len(piece))
            begun = process_time()
            _, defect = attempt(target, text[:LONGEST])
            assert defect is None, (target.name, piece, defect)
            assert process_time() - begun < SLOW, (target.name, piece)


def _loops(text: str) -> object:
    while True:
        pass


def _recurs(text: str) -> object:
    return _recurs(text)


def _refuses(text: str) -> object:
    raise InputError("no")


@pytest.mark.parametrize(
    ("call", "found"), [(_loops, "more than"), (_recurs, "RecursionError"), (int, "ValueError"), (_refuses, "")]
)
def test_the_fuzzer_sees_what_it_looks_for(call: Callable[[str], object], found: str) -> None:
    """G16: an endless loop, an error of another kind and a recursion are defects; a typed error is none."""
    report = fuzz(Target("made up", call, lambda: ["x", "x"], ("y",)), 1, 1)
    assert [found in defect for _, defect in report.defects] == ([True] if found else [])
