"""The front door: what its methods say they take is what the rooms behind them take."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

import pytest

from claimbase.analysis.contradictions import contradictions
from claimbase.analysis.diff import diff
from claimbase.analysis.freshness import freshness
from claimbase.answers import answer
from claimbase.answers.asking import narrowed_to
from claimbase.answers.explaining import explain
from claimbase.answers.intervals import when
from claimbase.base import Claimbase
from claimbase.base.evidence import Evidence
from claimbase.base.sources import Sources

ROOMS = {
    "answer": answer, "contradictions": contradictions, "diff": diff, "explain": explain, "freshness": freshness,
    "when": when,
}  # fmt: skip


def named(room: Callable[..., Any]) -> set[str]:
    """Give the options that a function takes by name; filters are those of an answer."""
    found = inspect.signature(room).parameters.values()
    names = {one.name for one in found if one.kind is one.KEYWORD_ONLY}
    filters = any(one.kind is one.VAR_KEYWORD for one in found)
    return names | (named(narrowed_to) if filters else set())


@pytest.mark.parametrize("name", ROOMS)
def test_options_are_those_of_the_room(name: str) -> None:
    """Architecture 2: the front door delegates; every option its docstring names exists, and every one is named."""
    method = getattr(Claimbase, name)
    told = re.search(r"^\s+options: ([^;.]*)", inspect.getdoc(method) or "", re.MULTILINE)
    assert told
    own = {one.name for one in inspect.signature(method).parameters.values() if one.kind is one.KEYWORD_ONLY}
    assert set(re.findall(r"\w+", told[1])) == named(ROOMS[name]) - own


def public(owner: type) -> list[tuple[str, Any]]:
    """Give the methods and properties of a class that anybody may use."""
    return [(f"{owner.__name__}.{name}", getattr(owner, name)) for name in dir(owner) if not name.startswith("_")]


@pytest.mark.parametrize(("name", "method"), [*public(Claimbase), *public(Evidence), *public(Sources)])
def test_every_argument_is_told(name: str, method: Any) -> None:
    """House: a public docstring is a sentence, then every argument by its name."""
    if isinstance(method, property):
        assert re.match(r"[A-Z].*\.", inspect.getdoc(method) or ""), name
        return
    doc = inspect.getdoc(method) or ""
    assert re.match(r"[A-Z].*[.:]", doc)
    _, _, told = doc.partition("Args:\n")
    entries = re.findall(r"^    (\w[\w, ]*):", told.partition("\n\n")[0], re.MULTILINE)
    names = [one for entry in entries for one in entry.split(", ")]
    assert sorted(names) == sorted(set(inspect.signature(method).parameters) - {"self"})
