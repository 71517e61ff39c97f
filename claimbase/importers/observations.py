"""Change logs: one JSON object per change of one field of a catalogue, replayed reading by reading.

A line has `observedAt`, `commit`, `op` (set, change, remove), `file`, `subject`, `path`, and `value` where it sets one.
The log is the source read whole (T8): each `observedAt` is a reading of every key, and what does not change is still
said. So per reading only the claims that begin or cease to stand give a row.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from collections.abc import Mapping as Table
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from operator import attrgetter, itemgetter
from pathlib import Path
from sys import intern
from typing import Any, NamedTuple, Protocol, TypeAlias

from claimbase.errors import ClaimbaseError, InputError
from claimbase.importers.feed import Feed, Mode, Number, Reading, Row, fragment, lines, parse_json, stated, value_text
from claimbase.importers.mapping import Mapping, Rule, filled
from claimbase.values import folded

Identity: TypeAlias = tuple[Any, ...]
State: TypeAlias = dict[str, Any]
_FIELDS = ("observedAt", "op", "file", "subject", "path")
_fields = itemgetter(*_FIELDS)
_TEXTS = {str, Number}


class Place(NamedTuple):
    """A subject of one file of the catalogue."""

    file: str
    subject: str


class _Change(NamedTuple):
    """What a replay needs of one line of a log."""

    observed_at: str
    place: Place
    path: str
    removed: bool
    value: Any


@dataclass(slots=True)
class _Standing:
    """A claim that stands, its row as it was first said, and how many keys of the catalogue say it."""

    row: Row
    keys: int = 0


class Speaker(Protocol):
    """What makes claims of a catalogue's paths: a mapping, or an importer that reads its own catalogue's log."""

    @property
    def linked(self) -> bool:
        """Say whether what one path says may hang on another path of its subject."""
        ...

    def unread(self, subject: str, path: str, /) -> str:
        """Give the reason why no claim can come of a path, if there is one."""
        ...

    def starts(self, state: State, /) -> list[str]:
        """List the starts that a subject's paths state, oldest first."""
        ...

    def claims(self, place: Place, path: str, state: State, starts: list[str], /) -> list[Row] | str:
        """Make the claims of one path, or give the reason why there are none."""
        ...


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
        InputError: [bad_json] a line is no JSON, [bad_log] a field is missing or the log goes back in time; both before
            any row.
    """
    return read_log(path, _Mapped(mapping), mapping.source, mapping.mode)


def read_log(path: Path, speaker: Speaker, source: Table[str, str], mode: Mode) -> Feed:
    """Read a change log of a source through what makes claims of its paths; see read_observations."""
    versions: dict[str, str | None] = {}
    changes = list(_changes(path, versions))
    readings = tuple(Reading(source["url"], instant, version) for instant, version in versions.items())
    skipped: Counter[str] = Counter()
    rows = _Replay(speaker, skipped).rows(changes)
    return Feed(rows, readings, mode, listing=False, total=len(changes), source=source, skipped=skipped)


def _changes(path: Path, versions: dict[str, str | None]) -> Iterator[_Change]:
    """Read a log line by line, and note which version each of its readings names."""
    last, places = "", dict[Place, Place]()
    for number, line in lines(path):
        where = f"line {number} of {path.name}"
        change = parse_json(line, where=where)
        try:
            at, op, *named, key = fields = _fields(change)
        except (KeyError, TypeError):
            raise _lacking(where) from None
        if not {*map(type, fields)} <= _TEXTS:
            raise _lacking(where)
        removed = op == "remove"
        if not removed and (op not in ("set", "change") or "value" not in change):
            raise _bad(f"{where} has no op set, change or remove, or no value")
        if at < last:
            raise _bad(f"{where} goes back in time: {at} after {last}")
        if at != last:
            last = at
        versions[last] = change.get("commit")
        place = Place(*named)
        yield _Change(last, places.setdefault(place, place), intern(str(key)), removed, change.get("value"))


def _lacking(where: str) -> ClaimbaseError:
    return _bad(f"{where} lacks one of {', '.join(_FIELDS)}")


def _bad(message: str) -> ClaimbaseError:
    return InputError(message, code="bad_log", hint="one change per line, in the order of the readings")


class _Mapped:
    """What one path of a subject says, given the state of that subject."""

    def __init__(self, mapping: Mapping) -> None:
        self.mapping, self.linked = mapping, mapping.linked
        self.rule = cache(mapping.rule)
        self.subject = cache(mapping.subject)

    def unread(self, subject: str, path: str) -> str:
        """Give the reason why no claim can come of a path, if there is one."""
        named = self.subject(subject)
        if named is None:
            return "no rule for this subject"
        return named[0].skip or ("" if self.rule(path) else self.mapping.skip(path))

    def starts(self, state: State) -> list[str]:
        """List the starts that a subject's paths state, oldest first."""
        read = (self.rule(path) for path in state) if self.mapping.dated else ()
        return sorted({filled(rule.start, named) for rule, named in filter(None, read) if rule.start and not rule.end})

    def claims(self, place: Place, path: str, state: State, starts: list[str]) -> list[Row] | str:
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
        if not rule.member:
            return self._stated(rule, frame, state[path])
        members = _members(state[path], f"{path} of {place.subject}")
        if rule.member not in members:
            return f"no {rule.member} in it"
        if rule.end and members.get(rule.end) is not None:
            frame["effective_until"] = self._instant(value_text(members[rule.end]))
        return self._stated(rule, frame, members[rule.member])

    def _instant(self, written: str) -> str:
        return self.mapping.instants.get(written, written)

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
            row["effective_from"] = self._instant(start)
            if not rule.end and (later := starts[bisect_right(starts, start) :]):
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


def _members(value: Any, where: str) -> State:
    """Give the members of an object, which a log of flat texts holds as JSON."""
    found = parse_json(value, where=where) if isinstance(value, str) else value
    return found if isinstance(found, dict) else {}


class _Replay:
    """The state of a catalogue while its log is replayed, and the claims that stand in it."""

    def __init__(self, speaker: Speaker, skipped: Counter[str]) -> None:
        self.speaker, self.linked, self.skipped = speaker, speaker.linked, skipped
        self.values: dict[Place, State] = {}
        self.said: dict[tuple[Place, str], list[Identity]] = {}
        self.standing: dict[Identity, _Standing] = {}

    def rows(self, changes: Iterable[_Change]) -> Iterator[Row]:
        """Replay the log and yield a row per claim that begins or ceases to stand at a reading."""
        for instant, reading in groupby(changes, key=attrgetter("observed_at")):
            before: dict[Identity, _Standing | None] = {}
            for place, paths in self._applied(reading).items():
                self._reread(place, paths, before)
            for identity, was in before.items():
                now = self.standing.get(identity)
                if was and not now:
                    yield was.row | {"entry": "gone", "observed_at": instant}
                elif now and not was:
                    yield now.row | {"observed_at": instant}

    def _applied(self, reading: Iterable[_Change]) -> dict[Place, dict[str, None]]:
        """Bring the state up to a reading; name the paths it touched, in file order."""
        touched: dict[Place, dict[str, None]] = {}
        for _, place, path, removed, value in reading:
            if reason := self.speaker.unread(place.subject, path):
                self.skipped[reason] += not removed
                continue
            state = self.values.setdefault(place, {})
            if removed:
                state.pop(path, None)
            else:
                state[path] = value
            touched.setdefault(place, {})[path] = None
        return touched

    def _reread(self, place: Place, paths: dict[str, None], before: dict[Identity, _Standing | None]) -> None:
        """Let a subject's paths speak again; note in *before* what stood of the claims that changed."""
        state = self.values[place]
        starts = self.speaker.starts(state)
        for path in {**paths, **state} if self.linked else paths:
            claims = self.speaker.claims(place, path, state, starts)
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
        tuple(sorted((folded(key), folded(text)) for key, text in row["scope"].items())) if "scope" in row else (),
        row["value"], row.get("normalized_value"), row.get("unit"), row.get("polarity"),
        row.get("effective_from"), row.get("effective_until"),
    )  # fmt: skip
