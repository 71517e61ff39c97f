"""Change logs: one JSON object per change of one field of a catalogue, replayed reading by reading.

A line has `observedAt`, `commit`, `op` (set, change, remove), `file`, `subject`, `path`, and `value` where it sets one.
The log is the source read whole (T8): each `observedAt` is a reading of every key, and what does not change is still
said. So per reading only the claims that begin or cease to stand give a row.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from claimbase.errors import ClaimbaseError, InputError
from claimbase.importers.feed import Feed, Number, Reading, Row, fragment, lines, parse_json, stated, value_text
from claimbase.importers.mapping import Mapping, Rule, filled
from claimbase.values import folded

Identity: TypeAlias = tuple[Any, ...]
_FIELDS = ("observedAt", "op", "file", "subject", "path")


class _Place(NamedTuple):
    """A subject of one file of the catalogue."""

    file: str
    subject: str


@dataclass(slots=True)
class _Standing:
    """A claim that stands, its row as it was first said, and how many keys of the catalogue say it."""

    row: Row
    keys: int = 0


def read_observations(path: Path, mapping: Mapping) -> Feed:
    """Read a change log, plain or gzip, through a mapping.

    Of several changes of one key at one instant the last counts. A claim said under two keys is gone when neither says
    it. The row by which it goes carries the fields of the row that said it, so that both name one claim (B6).

    Args:
        path: the log, in the order of its readings.
        mapping: which paths are claims, and of what.

    Returns:
        A feed whose readings are all instants of the log; its rows are made as they are asked for.

    Raises:
        InputError: [bad_json] a line is no JSON, [bad_log] a field is missing or the log goes back in time; both while
            the readings are gathered, before any row.
    """
    versions: dict[str, str | None] = {}
    total = 0
    for change in _changes(path):
        total += 1
        versions[change["observedAt"]] = change.get("commit")
    readings = tuple(Reading(mapping.source["url"], instant, version) for instant, version in versions.items())
    skipped: Counter[str] = Counter()
    rows = _Replay(mapping, skipped).rows(_changes(path))
    return Feed(rows, readings, mapping.mode, listing=False, total=total, source=mapping.source, skipped=skipped)


def _changes(path: Path) -> Iterator[dict[str, Any]]:
    last = ""
    for number, line in lines(path):
        where = f"line {number} of {path.name}"
        change = parse_json(line, where=where)
        if not isinstance(change, dict) or any(not isinstance(change.get(name), str) for name in _FIELDS):
            raise _bad(f"{where} lacks one of {', '.join(_FIELDS)}")
        if change["op"] not in ("set", "change", "remove") or (change["op"] != "remove" and "value" not in change):
            raise _bad(f"{where} has no op set, change or remove, or no value")
        if change["observedAt"] < last:
            raise _bad(f"{where} goes back in time: {change['observedAt']} after {last}")
        last = change["observedAt"]
        yield change


def _bad(message: str) -> ClaimbaseError:
    return InputError(message, code="bad_log", hint="one change per line, in the order of the readings")


class _Reader:
    """What one path of a subject says, given the state of that subject."""

    def __init__(self, mapping: Mapping) -> None:
        self.mapping = mapping
        self.rule = cache(mapping.rule)
        self.subject = cache(mapping.subject)

    def unread(self, subject: str, path: str) -> str:
        """Give the reason why no claim can come of a path, if there is one."""
        named = self.subject(subject)
        if named is None:
            return "no rule for this subject"
        return named[0].skip or ("" if self.rule(path) else self.mapping.skip(path))

    def starts(self, state: dict[str, Any]) -> list[str]:
        """List the starts that a subject's paths state, oldest first."""
        read = (self.rule(path) for path in state) if self.mapping.dated else ()
        return sorted({filled(found[0].start, found[1]) for found in read if found and found[0].start})

    def claims(self, place: _Place, path: str, state: dict[str, Any], starts: list[str]) -> list[Row] | str:
        """Make the claims of one path, or give the reason why there are none."""
        found, named = self.rule(path), self.subject(place.subject)
        if path not in state or found is None or named is None:
            return []
        (rule, matched), (subject, parts) = found, named
        beside = {name: state.get(filled(other, matched)) for name, other in rule.siblings.items()}
        if None in beside.values():
            return "the path beside it is missing"
        names = {**parts, **matched, **{name: Number(value_text(value)) for name, value in beside.items()}}
        names["subject"] = filled(subject.name, names)
        frame = self._frame(rule, filled(subject.provider, names), names, starts)
        frame |= {"quote": fragment(path, state[path]), "selector": {"file": place.file, "path": path}}
        return self._stated(rule, frame, state[path])

    def _frame(self, rule: Rule, provider: str, names: dict[str, str], starts: list[str]) -> Row:
        row: Row = {
            "entry": "said", "provider": provider, "subject": filled(rule.subject, names), "predicate": rule.predicate,
            "source": self.mapping.source,
        }  # fmt: skip
        if rule.unit:
            row["unit"] = rule.unit
        if rule.scope:
            row["scope"] = {key: filled(text, names) for key, text in rule.scope.items()}
        if rule.start:
            start = filled(rule.start, names)
            row["effective_from"] = self.mapping.instants.get(start, start)
            if later := starts[bisect_right(starts, start) :]:
                row["effective_until"] = later[0]
        return row

    def _stated(self, rule: Rule, frame: Row, value: Any) -> list[Row] | str:
        rows = []
        for one in value if isinstance(value, list) else [value]:
            written = value_text(one)
            meaning = self.mapping.meaning(rule, written)
            if meaning and meaning.skip:
                return meaning.skip
            if meaning and meaning.absent:
                rows.append(frame | {"value": meaning.absent, "polarity": "absent"})
            elif one is None:
                return "no value"
            else:
                rows.append(frame | stated(one))
        return rows


class _Replay:
    """The state of a catalogue while its log is replayed, and the claims that stand in it."""

    def __init__(self, mapping: Mapping, skipped: Counter[str]) -> None:
        self.reader, self.linked, self.skipped = _Reader(mapping), mapping.linked, skipped
        self.values: dict[_Place, dict[str, Any]] = {}
        self.said: dict[tuple[_Place, str], list[Identity]] = {}
        self.standing: dict[Identity, _Standing] = {}

    def rows(self, changes: Iterator[dict[str, Any]]) -> Iterator[Row]:
        """Replay the log and yield a row per claim that begins or ceases to stand at a reading."""
        for instant, reading in groupby(changes, key=itemgetter("observedAt")):
            before: dict[Identity, _Standing | None] = {}
            for place, paths in self._applied(reading).items():
                self._reread(place, paths, before)
            for identity, was in before.items():
                now = self.standing.get(identity)
                if was and not now:
                    yield was.row | {"entry": "gone", "observed_at": instant}
                elif now and not was:
                    yield now.row | {"observed_at": instant}

    def _applied(self, reading: Iterator[dict[str, Any]]) -> dict[_Place, dict[str, None]]:
        """Bring the state up to a reading; name the paths it touched, in file order."""
        touched: dict[_Place, dict[str, None]] = {}
        for change in reading:
            place, path = _Place(change["file"], change["subject"]), change["path"]
            if reason := self.reader.unread(place.subject, path):
                self.skipped[reason] += change["op"] != "remove"
                continue
            state = self.values.setdefault(place, {})
            if change["op"] == "remove":
                state.pop(path, None)
            else:
                state[path] = change["value"]
            touched.setdefault(place, {})[path] = None
        return touched

    def _reread(self, place: _Place, paths: dict[str, None], before: dict[Identity, _Standing | None]) -> None:
        """Let a subject's paths speak again; note in *before* what stood of the claims that changed."""
        state = self.values[place]
        starts = self.reader.starts(state)
        for path in {**paths, **state} if self.linked else paths:
            claims = self.reader.claims(place, path, state, starts)
            if isinstance(claims, str):
                self.skipped[claims] += path in paths
                claims = []
            made = {_identity(row): row for row in claims}
            old = self.said.pop((place, path), [])
            if made:
                self.said[place, path] = list(made)
            for identity in [*made, *old]:
                before.setdefault(identity, self.standing.get(identity))
            for identity, row in made.items():
                # What goes and comes back in one reading keeps the row it was first said in.
                self.standing.setdefault(identity, before[identity] or _Standing(row)).keys += 1
            for identity in old:
                self._drop(identity)

    def _drop(self, identity: Identity) -> None:
        standing = self.standing[identity]
        standing.keys -= 1
        if not standing.keys:
            del self.standing[identity]


def _identity(row: Row) -> Identity:
    """Give what two keys must share to say one claim (B6); names are told apart without regard to case."""
    return (
        folded(row["provider"]), folded(row["subject"]), row["predicate"],
        tuple(sorted((folded(key), folded(text)) for key, text in row.get("scope", {}).items())),
        row["value"], row.get("normalized_value"), row.get("unit"), row.get("polarity"),
        row.get("effective_from"), row.get("effective_until"),
    )  # fmt: skip
