"""The conformance cases that put a question to the compiler, and the plans it makes of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from conformance.adapters.claimbase.questions import put
from conformance.adapters.claimbase.world import World
from conformance.cases import Case, own_cases, shared_cases
from conformance.runner import _questions

from claimbase.compiler import Plan
from claimbase.store import Db

from .proving import noted

OPS = ("answer", "explain", "when", "watch_events")


def asking_cases() -> list[Case]:
    """Give every case whose question becomes a plan, those beside the checkout too."""
    return [case for case in (*own_cases(), *shared_cases()) if case.ask["op"] in OPS]


def planned(cases: Iterable[Case]) -> Iterator[tuple[str, Db, list[Plan]]]:
    """Carry out each case's steps, put its question, and give its id, its base and every plan compiled on the way."""
    for case in cases:
        with noted() as plans:
            world = World(case, case.arrange)
            for _, question in _questions(case.ask):
                put(world, question)
        try:
            yield case.id, world.kb.db, plans
        finally:
            world.close()
