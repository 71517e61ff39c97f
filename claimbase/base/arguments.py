"""What an argument of the front door may be: its annotation says it, and nothing of another kind goes further (G16).

Some arguments are read by readers of their own, which refuse in their own words: instants, claims, constraints, packs.
"""

from __future__ import annotations

import inspect
import json
import math
import os
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from functools import cache, wraps
from importlib import import_module
from itertools import chain, islice, repeat
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar

from claimbase.errors import InputError, LimitError, StoreError, shown
from claimbase.numerals import WHOLE_LIMIT
from claimbase.temporal import read_instant

MOST = 100_000
"""The most names in one argument."""

Kind = Callable[[str, Any], Any]
Door = TypeVar("Door", bound=type)
Method = TypeVar("Method", bound=Callable[..., Any])


def checked(door: Door) -> Door:
    """Let each public method of a class refuse arguments that are of another kind than its signature says."""
    for name, member in list(vars(door).items()):
        if inspect.isfunction(member) and not name.startswith("_"):
            setattr(door, name, checking(member))
    return door


def checking(method: Method) -> Method:
    """Let a function refuse arguments that are of another kind than its signature says.

    Raises:
        InputError: [bad_argument] another kind; [bad_char] half a character; [out_of_range] a number nobody means.
        StoreError: [not_a_store] a path that no file can have.
        LimitError: [too_many] names.
    """

    @wraps(method)
    def call(*args: Any, **named: Any) -> Any:
        kinds, own, star = _signature(method)
        places = chain(own, repeat(star))
        given = [_read(kinds, place, value) for place, value in zip(places, args, strict=False)]
        return method(*given, **{name: _read(kinds, name, value) for name, value in named.items()})

    return call  # type: ignore[return-value]


@cache
def _signature(method: Callable[..., Any]) -> tuple[Mapping[str, Kind], tuple[str, ...], str]:
    """Give a function's kinds by name, its arguments by place, and the name of the one that takes the rest."""
    parameters = inspect.signature(method).parameters.values()
    kinds = {one.name: KINDS[kind] for one in parameters if (kind := str(one.annotation)) in KINDS}
    places = tuple(one.name for one in parameters if one.kind is one.POSITIONAL_OR_KEYWORD)
    star = next((one.name for one in parameters if one.kind is one.VAR_POSITIONAL), "")
    options = OPTIONS if any(one.kind is one.VAR_KEYWORD for one in parameters) else {}
    return {**options, **kinds}, places, star


def _read(kinds: Mapping[str, Kind], name: str, given: Any) -> Any:
    return kinds[name](name, given) if name in kinds else given


# -- kinds -----------------------------------------------------------------------------------------------------------


def _text(name: str, given: Any) -> str:
    if not isinstance(given, str):
        raise _wrong(name, given, "a text")
    try:
        given.encode()
    except UnicodeEncodeError as error:
        hint = "text that UTF-8 can write"
        raise InputError(f"{name} {shown(given)} holds half a character", code="bad_char", hint=hint) from error
    return given


def _texts(name: str, given: Any) -> tuple[str, ...]:
    """Read one name or several; of a set, which has no order, in theirs (C16)."""
    if isinstance(given, str):
        return (_text(name, given),)
    if isinstance(given, bytes | bytearray | Mapping) or not isinstance(given, Iterable):
        raise _wrong(name, given, "a list of texts")
    several = [_text(f"one of {name}", one) for one in islice(given, MOST + 1)]
    if len(several) > MOST:
        raise LimitError(f"{name} holds more than {MOST:,}", code="too_many", hint="ask in several calls")
    return tuple(sorted(several) if isinstance(given, AbstractSet) else several)


def _flag(name: str, given: Any) -> bool:
    if not isinstance(given, bool):
        raise _wrong(name, given, "True or False")
    return given


def _whole(name: str, given: Any) -> int:
    if isinstance(given, bool) or not isinstance(given, int):
        raise _wrong(name, given, "a whole number")
    if not -WHOLE_LIMIT <= given < WHOLE_LIMIT:
        raise InputError(f"{name} {shown(given)} is out of range", code="out_of_range", hint="a smaller number")
    return given


def _path(name: str, given: Any) -> Path:
    """Read a path that a file can have (X48)."""
    if isinstance(given, bytes) or not isinstance(given, str | PathLike):
        raise _wrong(name, given, "a path")
    path = Path(given)
    try:
        os.lstat(path)
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:  # too long, inside a file, not ours to look at, half a character, NUL
        raise StoreError(f"{shown(path.name)} names no file", code="not_a_store", hint="check the path") from error
    return path


def _called(name: str, given: Any) -> Any:
    if not callable(given):
        raise _wrong(name, given, "a function")
    return given


def _window(name: str, given: Any) -> tuple[Any, Any]:
    if not isinstance(given, tuple | list) or len(given) != 2:
        raise _wrong(name, given, "two instants, (from, until); None is an open end")
    return given[0], given[1]


def _page(name: str, given: Any) -> str | bytes:
    return bytes(given) if isinstance(given, bytes | bytearray) else _text(name, given)


def _box(name: str, given: Any) -> list[float]:
    """Read the corners of a box on a page."""
    numbers = given if isinstance(given, tuple | list) else ()
    if len(numbers) != 4 or not all(_finite(one) for one in numbers):
        raise _wrong(name, given, "four numbers: left, top, right, bottom")
    return [float(one) for one in numbers]


def _finite(given: Any) -> bool:
    return isinstance(given, int | float) and not isinstance(given, bool) and math.isfinite(given)


def _mapping(name: str, given: Any) -> Mapping[Any, Any]:
    if not isinstance(given, Mapping) or not all(isinstance(key, str) for key in given):
        raise _wrong(name, given, "a mapping of names")
    return given


def _selector(name: str, given: Any) -> Any:
    """Read how a record is picked: a text, or an object that JSON can write."""
    if isinstance(given, str):
        return _text(name, given)
    try:
        _text(name, json.dumps(_mapping(name, given), ensure_ascii=False))
    except (TypeError, RecursionError) as error:
        raise _wrong(name, given, "a text or an object") from error
    return given


def _order(name: str, given: Any) -> Any:
    """Read a predicate, or one with its direction."""
    if isinstance(given, str):
        return _text(name, given)
    pair = (given.get("predicate"), given.get("direction")) if isinstance(given, Mapping) else given
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise _wrong(name, given, "a predicate, or (predicate, direction)")
    return _text(name, pair[0]), _or_none(_text)(name, pair[1])


def _having(words: str, *names: str) -> Kind:
    """Make a kind of whatever has some attributes."""

    def kind(name: str, given: Any) -> Any:
        if isinstance(given, type) or not all(hasattr(given, one) for one in names):
            raise _wrong(name, given, words)
        return given

    return kind


def _made(words: str, module: str, made: str, *others: Kind) -> Kind:
    """Make a kind of the instances of one of our classes, or else of another kind."""

    def kind(name: str, given: Any) -> Any:
        if isinstance(given, getattr(import_module(module), made)):
            return given
        for other in others:
            return other(name, given)
        raise _wrong(name, given, words)

    return kind


def _or_none(kind: Kind) -> Kind:
    return lambda name, given: None if given is None else kind(name, given)


def _wrong(name: str, given: Any, words: str) -> InputError:
    told = f"{name} {shown(given)} is no argument" if given is not None else f"{name} is None"
    return InputError(f"{told}: {type(given).__name__}", code="bad_argument", hint=words)


_KINDS: Mapping[str, Kind] = {
    "str": _text,
    "bool": _flag,
    "int": _whole,
    "Sequence[str]": _texts,
    "str | Path": _path,
    "Progress": _called,
    "ingest.Progress": _called,
    "Callable[[Event], None]": _called,
    "tuple[Moment | None, Moment | None]": _window,
    "str | bytes": _page,
    "datetime": lambda name, given: read_instant(given, field=name),
    "ingest.Outcome": _text,
    "ingest.OnError": _text,
    "Literal['jsonl', 'parquet', 'csv']": _text,
    "ClaimInput": _made("a claim or a mapping", "claimbase.claims", "Claim", _mapping),
    "Feed": _made("a feed, as claimbase.importers makes it", "claimbase.importers.feed", "Feed"),
    "Basis": _made("a basis, as kb.basis() gives it", "claimbase.temporal", "Basis"),
    "Policy": _made("a policy, as load_policy reads it", "claimbase.evidence.policy", "Policy"),
    "Receipt | str": _made("a receipt or its id", "claimbase.receipts.model", "Receipt", _text),
    "Answer | Sequence[str] | str": _made("an answer or claim ids", "claimbase.answers", "Answer", _texts),
    "SupportJudge": _having("an object with judge()", "judge"),
    "NoticeProvider": _having("an object with name and notices()", "name", "notices"),
    "Clock": _having("an object with now()", "now"),
}
KINDS = {**_KINDS, **{f"{words} | None": _or_none(kind) for words, kind in _KINDS.items()}}
"""What each annotation stands for; annotations that are not here belong to readers of their own."""

_NAMES = ("providers", "providers_not", "subjects", "predicates", "sources", "source_types", "authorities", "show")
_TEXTS = (
    "policy", "extent", "tenant", "observed_value", "reasoning", "profile", "media_type", "declared_version", "tool",
    "accept", "mirror_of", "refuse", "doi", "reason",
)  # fmt: skip
_FLAGS = ("everyone", "count_asked", "information", "ledger", "known", "allowed")
OPTIONS: Mapping[str, Kind] = {
    **dict.fromkeys(_NAMES, _texts),
    **dict.fromkeys(_TEXTS, _or_none(_text)),
    **dict.fromkeys(_FLAGS, _or_none(_flag)),
    **dict.fromkeys(("http_status", "freshness_days", "page", "stale_days"), _or_none(_whole)),
    **dict.fromkeys(("source", "domain"), _or_none(_mapping)),
    "hint": _or_none(_made("a Hint", "claimbase.evidence.model", "Hint")),
    "bbox": _or_none(_box),
    "selector": _or_none(_selector),
    "order_by": _or_none(_order),
}
"""What the options are that methods take by name and hand on."""
