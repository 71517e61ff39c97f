"""Every public method of a base, each of its arguments given a value of a wrong kind: a result or a typed error (G16).

Each argument gets each value beside good ones; by default a part of the pairs that a seed chooses, all with `-m slow`.
"""

from __future__ import annotations

import inspect
import json
import random
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from kit import NOW, base, claim, day

import claimbase
from claimbase.base import Claimbase
from claimbase.base.arguments import KINDS, MOST, OPTIONS
from claimbase.base.evidence import Evidence
from claimbase.base.sources import Sources
from claimbase.errors import ClaimbaseError, SnapshotRefusedError
from claimbase.temporal import FixedClock

PAGE = "https://norden.example/pricing"
DOORS: dict[str, type] = {"evidence": Evidence, "sources": Sources, "": Claimbase}
DECIDING = ("sources.set", "observe", "correct", "supersede", "merge", "unmerge", "unwatch", "retract", "erase")
"""What may make the world another one where it accepts what it is given; it comes last."""

BAD: dict[str, Callable[[], Any]] = {
    "none": lambda: None, "int": lambda: 5, "negative": lambda: -1, "huge": lambda: 10**40, "true": lambda: True,
    "nan": lambda: float("nan"), "fraction": lambda: 1.5, "bytes": lambda: b"a", "empty": lambda: "",
    "half": lambda: "\ud800", "nul": lambda: "a\0b", "long": lambda: "x" * 100_000, "object": object,
    "mapping": lambda: {"a": 1}, "numbered": lambda: {1: 2},
    "half inside": lambda: {"a": "\ud800"}, "nothing": list, "numbers": lambda: [5], "halves": lambda: ["\ud800"],
    "nested": lambda: [["a"]], "set": lambda: {"a"}, "iterator": lambda: iter(["a"]),
    "endless": lambda: (f"name {number}" for number in count()), "many": lambda: ["a"] * (MOST + 1),
    "class": lambda: int,
}  # fmt: skip
"""What no argument expects, or only some do; made anew each time."""
UNENDING = ("claims", "response")
"""Arguments that are a stream, read to its end however long it is, or data that another program made."""

OPTIONS_OF: dict[str, str] = {
    "answer": "policy providers providers_not subjects sources source_types authorities show order_by limit offset "
              "near_limit everyone count_asked",
    "contradictions": "subjects predicates providers information at",
    "freshness": "subjects predicates providers stale_days",
    "when": "extent limit subjects providers providers_not sources source_types authorities",
    "diff": "subjects predicates providers",
    "explain": "policy providers providers_not sources source_types authorities",
    "verify": "tenant domain ledger", "replay": "tenant domain ledger",
    "recheck": "accept profile media_type declared_version published_at",
    "evidence.add": "hint page bbox selector observed_value reasoning",
    "sources.ingest": "profile media_type selector published_at declared_version tool http_status accept mirror_of "
                      "source refuse known",
    "sources.add": "title publisher published_at source_type authority derived_from",
    "sources.set": "allowed reason freshness_days doi tenant mirror_of",
}  # fmt: skip
"""The options that methods hand on, as their docstrings list them; those of ask and watch are an answer's."""


class World(NamedTuple):
    """A base that holds one of each thing, and a good value for each argument."""

    kb: Claimbase
    good: dict[str, Any]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Make the base, in which no refused call may change anything."""
    place = tmp_path_factory.mktemp("arguments")
    kb = base(FixedClock(NOW))
    kb.add([claim(), claim("128K", predicate="context"), claim("$4", subject="Wren")])
    held = kb.sources.ingest("It costs $3.", uri=PAGE, observed_at=day(1))
    kb.watch("kept", "price <= $5")
    claim_id = kb.claims("Lark 2", "price")[0]["claim_id"]
    (place / "pages.jsonl").write_text(json.dumps({"url": PAGE, "text": "It costs $3.", "observed_at": day(1)}))
    (place / "notices.jsonl").write_text("")
    evidence = kb.evidence.add(claim_id, str(held.snapshot_id), "It costs $3.").evidence_id
    good = {
        "claim_id": claim_id, "other_id": claim_id, "what": claim_id, "subject": "Lark 2", "alias": "Wren",
        "into": "Lark 2", "question": "price under $5", "constraints": ["price <= $5"], "predicates": ["price"],
        "required": ["price"], "source": PAGE, "uri": PAGE, "quote": "It costs $3.", "text": "It costs $3.",
        "name": "kept", "names": ["kept"], "reason": "a mistake", "observed_at": day(2),
        "snapshot_id": str(held.snapshot_id), "evidence_id": evidence, "successor": claim("$4", day(5)),
        "receipt": kb.verify(claim_id), "receipt_id": kb.verify(claim_id).id, "provider": "anthropic", "response": [],
        "task_id": "t", "decision": "accept", "reviewer": "me", "claims": [claim()], "query": "SELECT 1",
        "path": str(place / "pages.jsonl"), "target": str(place / "none" / "x"), "folder": str(place / "none" / "y"),
    }  # fmt: skip
    return World(kb, good)


def methods() -> list[tuple[str, Callable[..., Any]]]:
    """List every public method of a base and of its two rooms, by name."""
    found = [
        (f"{room}.{name}".strip("."), method) for room, door in DOORS.items()
        for name, method in inspect.getmembers(door, inspect.isfunction) if not name.startswith("_") and name != "close"
    ]  # fmt: skip
    return sorted(found, key=lambda one: DECIDING.index(one[0]) if one[0] in DECIDING else -1)


def places(name: str, method: Callable[..., Any]) -> list[str]:
    """List a method's arguments, and the options it hands on."""
    own = [one.name for one in inspect.signature(method).parameters.values()
           if one.name != "self" and one.kind is not one.VAR_KEYWORD]  # fmt: skip
    handed = OPTIONS_OF.get({"ask": "answer", "watch": "answer"}.get(name, name), "").split()
    return [*own, *(one for one in handed if one not in own)]


def called(world: World, name: str, place: str, given: Any) -> Any:
    """Call a method with good values and one bad one."""
    *room, short = name.split(".")
    owner: Any = getattr(world.kb, room[0]) if room else world.kb
    method = getattr(owner, short)
    places: list[Any] = []
    named: dict[str, Any] = {}
    for one in inspect.signature(method).parameters.values():
        value = given if one.name == place else world.good.get(one.name)
        if one.kind is one.VAR_POSITIONAL:
            places += [value] if one.name == place else value or []
        elif one.name == place or (one.default is one.empty and one.kind is not one.VAR_KEYWORD):
            places += [value] if one.kind is one.POSITIONAL_OR_KEYWORD else []
            named |= {one.name: value} if one.kind is one.KEYWORD_ONLY else {}
        elif one.kind is one.POSITIONAL_OR_KEYWORD:
            places.append(one.default)
    return method(*places, **named if place in inspect.signature(method).parameters else named | {place: given})


def refused(world: World, name: str, place: str, label: str) -> str:
    """Say how a call with a bad value fails, if it does otherwise than it should."""
    before = world.kb.db.file("ledger/head").rows
    try:
        called(world, name, place, BAD[label]())
    except ClaimbaseError as error:
        if error.code in ("engine", "invalidated") or not (error.message and error.hint):
            return f"{name}({place}={label}): [{error.code}] {str(error)[:200]}"
        logged = isinstance(error, SnapshotRefusedError)  # a reading that a guard refuses is on record all the same
        changed = not logged and world.kb.db.file("ledger/head").rows != before
        return f"{name}({place}={label}): refused, and written" if changed else ""
    except Exception as error:  # noqa: BLE001 - whatever else it is, is what this looks for
        return f"{name}({place}={label}): {type(error).__name__} {str(error)[:200]}"
    return ""


PAIRS = [
    (name, place, label) for name, method in methods() for place in places(name, method) for label in BAD
    if place not in UNENDING or label != "endless"
]  # fmt: skip


@pytest.mark.parametrize("share", [60, pytest.param(1, marks=pytest.mark.slow)])
def test_no_argument_of_a_wrong_kind_gets_through(world: World, rng: random.Random, share: int) -> None:
    """G16, C14: a value of a wrong kind gives a result or a typed error with a hint, and never the engine's own.

    One pair of so many, which the seed chooses; the slow run takes them all.
    """
    chosen = sorted(rng.sample(range(len(PAIRS)), len(PAIRS) // share))
    assert [told for place in chosen if (told := refused(world, *PAIRS[place]))] == []


def test_every_argument_has_a_kind_or_a_reader() -> None:
    """G16: the annotation of each public argument names a kind, or is one of those that readers of their own refuse."""
    free = {
        "AsOf | Moment | None", "AsOf | Moment | Mapping[str, Any] | None", "Moment | None", "str | datetime",
        "str | datetime | None", "ConstraintInput", "Records", "ClaimInput | None", "Any",
        "Pack | str | Path | Mapping[str, Any]",
    }  # fmt: skip
    said = {str(one.annotation) for _, method in methods() for one in inspect.signature(method).parameters.values()
            if one.name != "self"}  # fmt: skip
    assert said - set(KINDS) - free == set()
    assert {place for name in OPTIONS_OF for place in OPTIONS_OF[name].split()} >= set(OPTIONS)


@pytest.mark.parametrize(
    ("ask", "code"),
    [
        (lambda kb: kb.history(subject=[5]), "bad_argument"),
        (lambda kb: kb.answer("price <= $5", sources="\ud800"), "bad_char"),
        (lambda kb: kb.contradictions(predicates=3), "bad_argument"),
        (lambda kb: kb.gaps({"price": 1}), "bad_argument"),
        (lambda kb: kb.freshness(stale_days=True), "bad_argument"),
        (lambda kb: kb.when("price <= $5", during=5), "bad_argument"),
        (lambda kb: kb.freshness(subjects=(str(n) for n in count())), "too_many"),
        (lambda kb: kb.claims(limit=2**63), "out_of_range"),
        (lambda kb: kb.publish("a\0b"), "not_a_store"),
        (lambda kb: kb.correct(kb.claims()[0]["claim_id"], {"a": 1}), "extra_field"),
    ],
)  # fmt: skip
def test_a_wrong_kind_is_named(world: World, ask: Callable[[Claimbase], Any], code: str) -> None:
    """G16: the code of each kind of mistake; the message names the argument or what was given."""
    with pytest.raises(ClaimbaseError) as refused:
        ask(world.kb)
    assert refused.value.code == code
    assert refused.value.message


def test_what_is_of_the_right_kind_passes() -> None:
    """G16: one name is a list of one, a set has an order, an iterator is read, and signatures show what they did."""
    kb = base(FixedClock(NOW))
    kb.add([claim(), claim("$4", subject="Wren")])
    found = kb.answer("price <= $5", subjects={"Wren", "Lark 2"})
    assert found.filters["subjects"] == ["Lark 2", "Wren"]
    assert [one.subject for one in found.eligible] == ["Lark 2", "Wren"]
    assert kb.freshness(subjects="Wren").claims == kb.freshness(subjects=iter(["Wren"])).claims == 1
    assert "during" in inspect.signature(Claimbase.history).parameters
    assert "half-open window" in str(inspect.getdoc(Claimbase.history))
    with pytest.raises(TypeError, match="colour"):
        kb.history("Wren", colour="red")
    with pytest.raises(TypeError, match="missing"):
        kb.history()  # type: ignore[call-arg]


def test_what_opens_a_base_is_checked_too(tmp_path: Path) -> None:
    """G16, X48: paths that are none, flags that are none, clocks that are none."""
    for given in (5, b"a", ["a"], {"a": 1}, "\ud800", "a\0b", "x" * 100_000):
        for door in (claimbase.open, claimbase.migrate, claimbase.check, claimbase.recover):
            with pytest.raises(ClaimbaseError) as refused:
                door(given)
            assert refused.value.code in ("bad_argument", "not_a_store")
    for options in ({"read_only": 1}, {"clock": 5}, {"create": "no"}):
        with pytest.raises(ClaimbaseError, match="no argument"):
            claimbase.open(tmp_path / "a.duckdb", **options)
    assert list(tmp_path.iterdir()) == []
