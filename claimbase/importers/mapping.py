"""Mappings: small TOML files that say which paths of a catalogue are claims, of what, in which unit and scope.

    [source]    url, title, publisher, source_type, authority, licence
    [mode]      whole, complete, history = "readings" | "own" (T8)
    subjects    the first pattern that matches names provider and subject; provider is whose subject it is
    skips       paths that are left out on purpose, with the reason
    rules       path -> predicate, unit, scope, a stated start, what a sibling's value adds, what an object holds
    [values.x]  written values that stand for something else: an absence, or nothing (with the reason)
    [instants]  written instants that stand for another: "0000-01-01" = always

A pattern is a text with ``{names}``; what they match can be used in the other fields of its line.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping as Table
from dataclasses import dataclass, field, fields
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypeVar

from claimbase.errors import InputError, shown
from claimbase.files import folder
from claimbase.importers.feed import Mode

_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
_INDEX = re.compile(r"\[[^\]]*\]")
_Line = TypeVar("_Line", "Subject", "Rule", "Skip", "Meaning")


@dataclass(frozen=True, slots=True)
class Subject:
    """How a subject of the file is named: a pattern, whose it is and what it is called; *skip* leaves it out."""

    match: str
    provider: str = ""
    name: str = ""
    skip: str = ""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a written value stands for: *absent* = the source offers none; *skip* = nothing, with the reason."""

    absent: str = ""
    skip: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """What a path says.

    Args:
        path: the pattern of the paths it reads.
        predicate, unit: of the claim; no unit for dates, texts and yes or no.
        subject: the claim's subject, where it is more than the file's: "{subject} {cycle}".
        scope: qualifiers, as templates.
        start: the template of a stated start; without *end* the claim ends at the next start of the same subject.
        member: the member that is the claim's value, where the path's value is an object (or one written as text).
        end: the member that states the claim's end; null = none stated.
        siblings: names for the values of other paths of the same subject; without one the path says nothing yet.
        values: the name of a table of written values with a meaning of their own; "*" = all others.
    """

    path: str
    predicate: str
    unit: str | None = None
    subject: str = "{subject}"
    scope: Table[str, str] = field(default_factory=dict)
    start: str = ""
    member: str = ""
    end: str = ""
    siblings: Table[str, str] = field(default_factory=dict)
    values: str = ""


@dataclass(frozen=True, slots=True)
class Skip:
    """A path that is left out on purpose, and why."""

    path: str
    reason: str


class Mapping:
    """A mapping, read and checked; made by load_mapping.

    Args:
        given: the parsed TOML.

    Raises:
        InputError: [bad_mapping] a key is unknown or missing, or a table of values is not declared.
    """

    def __init__(self, given: Table[str, Any]) -> None:
        known = {"source", "mode", "subjects", "skips", "rules", "values", "instants"}
        if unknown := set(given) - known:
            raise _bad(f"a mapping has no {shown(min(unknown))}")
        self.source, self.mode = _source(given.get("source", {})), _mode(given.get("mode", {}))
        self.instants: Table[str, str] = given.get("instants", {})
        self.values = {
            name: {written: _line(Meaning, meaning) for written, meaning in table.items()}
            for name, table in given.get("values", {}).items()
        }
        self._subjects = [(_pattern(s.match), s) for s in (_line(Subject, s) for s in given.get("subjects", ()))]
        self._rules = [(_pattern(r.path), r) for r in (_line(Rule, r) for r in given.get("rules", ()))]
        self._skips = [(_pattern(s.path), s.reason) for s in (_line(Skip, s) for s in given.get("skips", ()))]
        for _, rule in self._rules:
            if rule.values and rule.values not in self.values:
                raise _bad(f"the values {shown(rule.values)} of {shown(rule.path)} are not declared")
        self._siblings = [(_pattern(p), p) for _, rule in self._rules for p in rule.siblings.values()]
        # What a path says may hang on other paths of its subject; then a change to one re-reads them all.
        self.dated = any(rule.start and not rule.end for _, rule in self._rules)
        self.linked = self.dated or bool(self._siblings)

    @property
    def rules(self) -> list[Rule]:
        """List the rules in their order."""
        return [rule for _, rule in self._rules]

    def subject(self, name: str) -> tuple[Subject, Table[str, str]] | None:
        """Find how a subject of the file is named, and what the pattern's names matched."""
        return _first(self._subjects, name)

    def rule(self, path: str) -> tuple[Rule, Table[str, str]] | None:
        """Find what a path says, and what the pattern's names matched."""
        return _first(self._rules, path)

    def skip(self, path: str) -> str:
        """Give the reason why a path that has no rule is left out; none if a rule reads it beside its own."""
        if _first(self._siblings, path):
            return ""
        found = _first(self._skips, path)
        return found[0] if found else "no rule for " + _INDEX.sub("[]", path)

    def meaning(self, rule: Rule, written: str) -> Meaning | None:
        """Give what a written value stands for, if it is not simply the value."""
        table = self.values.get(rule.values, {})
        return table.get(written) or table.get("*")


def load_mapping(source: str | Path | Traversable | Table[str, Any]) -> Mapping:
    """Read a mapping.

    Args:
        source: the name of a shipped one ("models-dev"), the path of a TOML file, or its parsed content.

    Raises:
        InputError: [not_found] no such mapping; [bad_mapping] it is malformed.
    """
    if isinstance(source, Table):
        return Mapping(source)
    place = folder("seeds") / "mappings" / f"{source}.toml" if isinstance(source, str) else source
    try:
        return Mapping(tomllib.loads(place.read_text(encoding="utf-8")))
    except (FileNotFoundError, NotADirectoryError) as error:
        raise InputError(
            f"there is no mapping {shown(source)}", code="not_found", hint=f"shipped: {', '.join(shipped_mappings())}"
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise _bad(f"the mapping {shown(source)} is no TOML: {error}") from error


def shipped_mappings() -> list[str]:
    """List the names of the mappings that ship with the package."""
    place = folder("seeds") / "mappings"
    return sorted(file.name.removesuffix(".toml") for file in place.iterdir() if file.name.endswith(".toml"))


def filled(template: str, names: Table[str, str]) -> str:
    """Fill the names of a template with what they matched."""
    return template.format_map(names) if "{" in template else template


def _pattern(text: str) -> re.Pattern[str]:
    """Turn a pattern into a regular expression; a name matches as little as it can."""
    parts = _PLACEHOLDER.split(text)
    return re.compile("".join(f"(?P<{part}>.+?)" if at % 2 else re.escape(part) for at, part in enumerate(parts)))


_Found = TypeVar("_Found")


def _first(patterns: list[tuple[re.Pattern[str], _Found]], text: str) -> tuple[_Found, dict[str, str]] | None:
    for pattern, found in patterns:
        if match := pattern.fullmatch(text):
            return found, match.groupdict()
    return None


def _line(kind: type[_Line], given: Table[str, Any]) -> _Line:
    allowed = {one.name for one in fields(kind)}
    if unknown := set(given) - allowed:
        raise _bad(f"a {kind.__name__.lower()} has no {shown(min(unknown))}", hint=", ".join(sorted(allowed)))
    try:
        return kind(**given)
    except TypeError as error:
        raise _bad(f"a {kind.__name__.lower()} is not complete: {error}") from error


def _source(given: Table[str, str]) -> dict[str, str]:
    allowed = {"url", "title", "publisher", "source_type", "authority", "licence"}
    if unknown := set(given) - allowed:
        raise _bad(f"a source has no {shown(min(unknown))}", hint=", ".join(sorted(allowed)))
    if not given.get("url"):
        raise _bad("a mapping names its source's url")
    return {key: value for key, value in given.items() if key != "licence"}


def _mode(given: Table[str, Any]) -> Mode:
    if unknown := set(given) - {"whole", "complete", "history"}:
        raise _bad(f"a mode has no {shown(min(unknown))}", hint="whole, complete, history")
    history = given.get("history", "readings")
    if history not in ("readings", "own"):
        raise _bad(f"{shown(history)} is no history", hint='"readings" or "own"')
    return Mode(bool(given.get("whole", False)), bool(given.get("complete", False)), history == "own")


def _bad(message: str, hint: str = "") -> InputError:
    return InputError(message, code="bad_mapping", hint=hint)
