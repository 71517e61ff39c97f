"""Predicates and the packs that declare them: kind, unit, cardinality, tolerance, words (semantics section 6)."""

import hashlib
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, get_args

from claimbase.errors import QuantityError, VocabularyError, shown
from claimbase.numerals import written
from claimbase.quantities import unit as known_unit
from claimbase.temporal import iso, read_instant
from claimbase.values import Kind

Cardinality = Literal["single", "many"]
Direction = Literal["lower", "higher"]
Scope = tuple[tuple[str, str], ...]

# A name is quoted wherever it meets SQL; the narrow form keeps it readable in every other place too (X9).
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:[.-][A-Za-z0-9_]+)*")
_NAME_LIMIT = 128
_PACK = "TOML with [pack] and [predicates], as the shipped packs, its path, or the mapping it parses to"


@dataclass(frozen=True, slots=True)
class Alias:
    """Another name of a predicate, where dated only between two instants (half-open)."""

    name: str
    since: datetime | None = None
    until: datetime | None = None

    def holds(self, at: datetime | None) -> bool:
        """Say whether the alias may be used at *at*; None asks for any time."""
        if at is None:
            return True
        return (self.since is None or self.since <= at) and (self.until is None or at < self.until)


@dataclass(frozen=True, slots=True)
class Predicate:
    """What a pack declares about one predicate.

    *stale_after* is in days, *tolerance* is relative (V4), *minimum* and *maximum* are in *unit* (V5). *words* are the
    noun phrases by which a question in words names it. Raises VocabularyError for a bad name, kind or unit (X9).
    """

    name: str
    kind: Kind
    unit: str | None = None
    cardinality: Cardinality = "single"
    aliases: tuple[Alias, ...] = ()
    words: tuple[str, ...] = ()
    tolerance: Decimal | None = None
    stale_after: int = 30
    closed_world: bool = False
    timeless: bool = False
    requires: tuple[str, ...] = ()
    lifetime_of: str | None = None
    direction: Direction | None = None
    minimum: Decimal | None = None
    maximum: Decimal | None = None
    description: str = ""

    def __post_init__(self) -> None:
        """Refuse what no later layer could work with."""
        check_name(self.name)
        for alias in self.aliases:
            check_name(alias.name)
        _one_of(self.name, "kind", self.kind, get_args(Kind))
        _one_of(self.name, "cardinality", self.cardinality, get_args(Cardinality))
        _one_of(self.name, "direction", self.direction, (None, *get_args(Direction)))
        if self.unit is not None and self.kind != "quantity":
            raise VocabularyError(
                f"predicate {self.name}: a {self.kind} has no unit", code="bad_predicate", hint="leave the unit out"
            )
        if self.unit is not None:
            object.__setattr__(self, "unit", _canonical_unit(self.name, self.unit))
        if self.stale_after < 0 or (self.tolerance is not None and not 0 <= self.tolerance < 1):
            raise VocabularyError(
                f"predicate {self.name}: stale_after is a number of days, tolerance a share below 1",
                code="bad_predicate",
            )

    def to_json(self) -> dict[str, Any]:
        """Return the declaration as plain JSON data, every field named."""
        return {item.name: _plain(getattr(self, item.name)) for item in fields(self)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Predicate":
        """Read what `to_json` wrote; raises VocabularyError for unknown keys."""
        values = dict(data)
        name = values.pop("name", None)
        if not isinstance(name, str):
            raise VocabularyError("a predicate needs a name", code="bad_identifier")
        return _predicate(name, values)


@dataclass(frozen=True, slots=True)
class Pack:
    """A named set of predicates, with the words that stand for scope qualifiers ("batch" for mode=batch)."""

    name: str
    title: str = ""
    predicates: tuple[Predicate, ...] = ()
    scope_words: tuple[tuple[str, Scope], ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The predicates a base knows, found by name or alias.

    Raises VocabularyError when one name stands for two predicates.
    """

    predicates: tuple[Predicate, ...] = ()
    scope_words: tuple[tuple[str, Scope], ...] = ()
    _by_name: Mapping[str, Predicate] = field(init=False, repr=False, compare=False)
    _by_alias: Mapping[str, tuple[tuple[Alias, Predicate], ...]] = field(init=False, repr=False, compare=False)

    def __init__(
        self, predicates: Iterable[Predicate] = (), scope_words: Iterable[tuple[str, Scope]] | Mapping[str, Scope] = ()
    ) -> None:
        """Take the predicates in any order; scope words only shape how a question in words is read."""
        ordered = tuple(sorted(predicates, key=lambda predicate: predicate.name))
        words = scope_words.items() if isinstance(scope_words, Mapping) else scope_words
        object.__setattr__(self, "predicates", ordered)
        object.__setattr__(self, "scope_words", tuple(sorted(words)))
        object.__setattr__(self, "_by_name", _unique_names(ordered))
        object.__setattr__(self, "_by_alias", _alias_table(ordered, self._by_name))

    @classmethod
    def of(cls, *packs: Pack) -> "Vocabulary":
        """Return the vocabulary of some packs, a later pack winning over an earlier one."""
        vocabulary = cls()
        for pack in packs:
            vocabulary = vocabulary.merged(pack)
        return vocabulary

    def get(self, name: str, *, at: datetime | None = None) -> Predicate:
        """Return the predicate called *name*, aliases resolved as they stood at *at* (P2).

        Raises VocabularyError [unknown_predicate] with the nearest names.
        """
        found = self.find(name, at=at)
        if found is None:
            nearest = self.nearest(name)
            raise VocabularyError(
                f"unknown predicate {shown(name)}",
                code="unknown_predicate",
                hint=f"did you mean {' or '.join(nearest)}?" if nearest else "declare it in a predicate pack",
                nearest=nearest,
            )
        return found

    def find(self, name: str, *, at: datetime | None = None) -> Predicate | None:
        """Return the predicate called *name*, or None."""
        known = self._by_name.get(name)
        if known is not None:
            return known
        return next((target for alias, target in self._by_alias.get(name, ()) if alias.holds(at)), None)

    def nearest(self, name: str, *, limit: int = 3) -> tuple[str, ...]:
        """Return the names nearest in spelling to *name*, the closest first."""
        spellings = {known.casefold(): target.name for known, target in self._by_name.items()}
        for alias, entries in self._by_alias.items():
            spellings.setdefault(alias.casefold(), entries[0][1].name)
        close = get_close_matches(name[:_NAME_LIMIT].casefold(), sorted(spellings), n=2 * limit, cutoff=0.6)
        return tuple(dict.fromkeys(spellings[spelling] for spelling in close))[:limit]

    def merged(self, pack: Pack) -> "Vocabulary":
        """Return this vocabulary with the pack's predicates added, or put in the place of those of the same name."""
        return Vocabulary(
            ({p.name: p for p in self.predicates} | {p.name: p for p in pack.predicates}).values(),
            dict(self.scope_words) | dict(pack.scope_words),
        )

    @property
    def digest(self) -> str:
        """The sha256 of the predicates' canonical JSON, in hex; part of every result (A6)."""
        return _digest(self.predicates)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.find(name) is not None

    def __iter__(self) -> Iterator[Predicate]:
        return iter(self.predicates)

    def __len__(self) -> int:
        return len(self.predicates)


@lru_cache(maxsize=64)
def _digest(predicates: tuple[Predicate, ...]) -> str:
    """Digest predicates once: every answer carries the digest of its vocabulary."""
    text = json.dumps([p.to_json() for p in predicates], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def check_name(name: str) -> str:
    """Return *name* if it may name a predicate; raises VocabularyError [bad_identifier] otherwise (X9)."""
    if len(name) > _NAME_LIMIT or not _NAME.fullmatch(name):
        raise VocabularyError(
            f"{shown(name)} cannot name a predicate",
            code="bad_identifier",
            hint="letters, digits and underscores, a letter first",
        )
    return name


def load_pack(source: Path | str | Mapping[str, Any]) -> Pack:
    """Read a predicate pack from a file, TOML text or the mapping it parses to.

    Raises VocabularyError for unreadable TOML, unknown keys, bad names, kinds or units.
    """
    data = source if isinstance(source, Mapping) else _toml(source)
    _only(data, {"pack", "scope_words", "predicates"}, "the pack")
    head = _table(data.get("pack"), "pack")
    _only(head, {"name", "title", "description"}, "[pack]")
    predicates = _table(data.get("predicates", {}), "predicates")
    return Pack(
        name=check_name(_text(head.get("name"), "pack name")),
        title=_text(head.get("title", ""), "pack title"),
        description=_text(head.get("description", ""), "pack description"),
        predicates=tuple(_predicate(name, _table(body, f"predicates.{name}")) for name, body in predicates.items()),
        scope_words=tuple(
            (word, _scope(word, scope)) for word, scope in _table(data.get("scope_words", {}), "scope_words").items()
        ),
    )


def _toml(source: Path | str) -> Mapping[str, Any]:
    if not isinstance(source, str | Path):
        raise VocabularyError(f"{shown(source)} is no pack", code="bad_pack", hint=_PACK)
    text = source.read_text(encoding="utf-8") if isinstance(source, Path) else source
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise VocabularyError(f"the pack is not TOML: {error}", code="bad_pack", hint=_PACK) from error


def _predicate(name: str, body: Mapping[str, Any]) -> Predicate:
    known = {item.name for item in fields(Predicate)} - {"name"}
    _only(body, known, f"predicate {shown(name)}")
    values = {key: _FIELD[key](name, value) if key in _FIELD else value for key, value in body.items()}
    try:
        return Predicate(name=name, **values)
    except TypeError as error:
        raise VocabularyError(f"predicate {shown(name)}: {error}", code="bad_predicate") from error


def _aliases(name: str, value: Any) -> tuple[Alias, ...]:
    return tuple(_alias(name, entry) for entry in _list(name, value))


def _alias(name: str, entry: Any) -> Alias:
    if isinstance(entry, str):
        return Alias(entry)
    body = _table(entry, f"an alias of {name}")
    _only(body, {"name", "since", "until"}, f"an alias of {name}")
    since, until = (_instant(body.get(key), key) for key in ("since", "until"))
    return Alias(_text(body.get("name"), f"an alias of {name}"), since, until)


def _instant(value: Any, key: str) -> datetime | None:
    return None if value is None else read_instant(value, field=key)


def _texts(name: str, value: Any) -> tuple[str, ...]:
    return tuple(_text(item, f"predicate {name}") for item in _list(name, value))


def _decimal(name: str, value: Any) -> Decimal | None:
    if value is None or isinstance(value, Decimal):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise VocabularyError(f"predicate {name}: {shown(str(value))} is no number", code="bad_predicate")
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite():
        raise VocabularyError(f"predicate {name}: {shown(str(value))} is no number", code="bad_predicate")
    return number


def _integer(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise VocabularyError(f"predicate {name}: {shown(str(value))} is no whole number", code="bad_predicate")
    return value


def _flag(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise VocabularyError(f"predicate {name}: {shown(str(value))} is neither true nor false", code="bad_predicate")
    return value


_FIELD: dict[str, Callable[[str, Any], Any]] = {
    "aliases": _aliases,
    "words": _texts,
    "requires": _texts,
    "tolerance": _decimal,
    "minimum": _decimal,
    "maximum": _decimal,
    "stale_after": _integer,
    "closed_world": _flag,
    "timeless": _flag,
}


def _scope(word: str, value: Any) -> Scope:
    table = _table(value, f"scope word {word}")
    return tuple(sorted((key, _text(text, f"scope word {word}")) for key, text in table.items()))


def _only(data: Mapping[str, Any], known: set[str], where: str) -> None:
    unknown = sorted(set(data) - known)
    if unknown:
        raise VocabularyError(
            f"{where}: unknown key {shown(unknown[0])}",
            code="extra_field",
            hint=f"known keys: {', '.join(sorted(known))}",
        )


def _table(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise VocabularyError(f"{where}: a table is needed", code="bad_pack", hint=_PACK)
    return value


def _list(name: str, value: Any) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise VocabularyError(f"predicate {name}: a list is needed, not {shown(str(value))}", code="bad_predicate")
    return list(value)


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise VocabularyError(f"{where}: a text is needed", code="bad_pack")
    return value


def _one_of(name: str, key: str, value: Any, allowed: tuple[Any, ...]) -> None:
    if value not in allowed:
        names = ", ".join(str(item) for item in allowed if item is not None)
        raise VocabularyError(
            f"predicate {name}: {key} {shown(str(value))} is unknown", code="bad_predicate", hint=f"one of {names}"
        )


def _canonical_unit(name: str, spelling: str) -> str:
    try:
        return known_unit(spelling).name
    except QuantityError as error:
        raise VocabularyError(
            f"predicate {name}: unknown unit {shown(spelling)}", code="unknown_unit", hint=error.hint
        ) from error


def _unique_names(predicates: Iterable[Predicate]) -> dict[str, Predicate]:
    names: dict[str, Predicate] = {}
    for predicate in predicates:
        if predicate.name in names:
            raise VocabularyError(f"predicate {predicate.name} is declared twice", code="duplicate_name")
        names[predicate.name] = predicate
    return names


def _alias_table(
    predicates: Iterable[Predicate], names: Mapping[str, Predicate]
) -> dict[str, tuple[tuple[Alias, Predicate], ...]]:
    table: dict[str, tuple[tuple[Alias, Predicate], ...]] = {}
    for predicate in predicates:
        for alias in predicate.aliases:
            others = table.get(alias.name, ())
            if alias.name in names or any(_meet(alias, other) for other, _ in others):
                raise VocabularyError(f"{alias.name} names two predicates", code="duplicate_name")
            table[alias.name] = (*others, (alias, predicate))
    return table


def _meet(a: Alias, b: Alias) -> bool:
    apart = (a.until and b.since and a.until <= b.since) or (b.until and a.since and b.until <= a.since)
    return not apart


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Alias):
        return {"name": value.name, "since": _plain(value.since), "until": _plain(value.until)}
    if isinstance(value, datetime):
        return iso(value)
    if isinstance(value, Decimal):
        return written(value)
    if isinstance(value, date):
        return value.isoformat()
    return value
