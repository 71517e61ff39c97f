"""The model list of litellm: one JSON object per model; prices in dollars per token, conditions in the field's name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from claimbase.errors import InputError
from claimbase.importers.feed import Feed, Mode, Number, Reading, Row, fragment, instant_text, read_json, stated
from claimbase.importers.observations import Place, State, read_log

SOURCE = {
    "url": "https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices_and_context_window.json",
    "title": "litellm model prices and context windows",
    "publisher": "BerriAI",
    "source_type": "dataset",
    "authority": "aggregator",
}


class _Field(NamedTuple):
    """What a field means: predicate, unit, the scope it brings along, and how its value must look."""

    predicate: str
    unit: str | None
    scope: Mapping[str, str]
    fits: Callable[[Any], bool]


def _number(value: Any) -> bool:
    return isinstance(value, Number)


def _text(value: Any) -> bool:
    return isinstance(value, str) and not isinstance(value, Number) and bool(value.strip())


def _flag(value: Any) -> bool:
    return isinstance(value, bool)


def _price(predicate: str, unit: str = "usd_per_token", **scope: str) -> _Field:
    return _Field(predicate, unit, scope, _number)


FIELDS = {
    "max_input_tokens": _Field("max_input", "token", {}, _number),
    "max_output_tokens": _Field("max_output", "token", {}, _number),
    # The name says deprecated, the days are those from which a model is no longer served.
    "deprecation_date": _Field("shutdown_date", None, {}, _text),
    "successor_model": _Field("replacement", None, {}, _text),
    "supports_vision": _Field("vision", None, {}, _flag),
    "supports_function_calling": _Field("tool_use", None, {}, _flag),
    "supports_reasoning": _Field("reasoning", None, {}, _flag),
    "supports_response_schema": _Field("structured_output", None, {}, _flag),
    "input_cost_per_request": _price("request_price", "usd_per_request"),
}
"""Fields whose name is the whole meaning."""

PRICES = {
    "input_cost_per_token": _price("input_price"),
    "output_cost_per_token": _price("output_price"),
    "output_cost_per_reasoning_token": _price("reasoning_output_price"),
    "cache_read_input_token_cost": _price("cached_input_price"),
    "cache_creation_input_token_cost": _price("cache_write_price"),
    "input_cost_per_audio_token": _price("audio_input_price"),
    "output_cost_per_audio_token": _price("audio_output_price"),
    "cache_read_input_audio_token_cost": _price("cached_input_price", modality="audio"),
    "cache_creation_input_audio_token_cost": _price("cache_write_price", modality="audio"),
    "input_cost_per_image_token": _price("input_price", modality="image"),
    "output_cost_per_image_token": _price("output_price", modality="image"),
    "cache_read_input_image_token_cost": _price("cached_input_price", modality="image"),
    "input_cost_per_video_token": _price("input_price", modality="video"),
    "output_cost_per_video_token": _price("output_price", modality="video"),
    "input_cost_per_character": _price("input_price", "usd_per_character"),
    "output_cost_per_character": _price("output_price", "usd_per_character"),
}
"""Prices, to whose names conditions may be added: how long a cache lives, from which length on, in which mode."""

_CONDITIONS = re.compile(
    r"(?:_above_(?P<ttl>\d+)hr)?(?:_above_(?P<tier>\d+k)_tokens)?(?:_(?P<mode>batches|flex|priority|balanced|ultrafast))?"
)
_LEFT_OUT = {
    "max_tokens": "max_tokens may be the input's limit or the output's",
    "litellm_provider": "read as the provider",
    "mode": "the kind of endpoint",
    "source": "kept in the selector",
    "deprecation_source": "kept in the selector",
}
_LEANED_ON = ("litellm_provider", "source", "deprecation_source")
_NAMELESS = "an entry without a provider"
# litellm files the models of one provider under several names: vertex_ai-language-models, vertex_ai-llama_models.
_FAMILY = re.compile(r"-\w+[-_]models$")


def read_litellm(path: Path, *, observed_at: str | datetime, version: str | None = None) -> Feed:
    """Read litellm's list of models and prices.

    The input limit is not the context window: a model of 400,000 tokens may take 272,000 of them as input. A yes or no
    is a claim both ways, since the list writes out either.

    Args:
        path: the JSON file.
        observed_at: when the list was read: an instant or a day in UTC; for a package, when it was uploaded.
        version: the version of the package that held it.

    Returns:
        A listing: what it does not name is gone.

    Raises:
        InputError: [not_found], [bad_json]; [bad_list] it is no such list.
    """
    instant, skipped = instant_text(observed_at), Counter[str]()
    models = read_json(path, skipped)
    if not isinstance(models, dict) or not all(isinstance(entry, dict) for entry in models.values()):
        raise InputError(f"{path.name} is no list of litellm", code="bad_list", hint="a JSON object of models")
    readings = (Reading(SOURCE["url"], instant, version),)
    rows = _rows(models, instant, skipped)
    return Feed(rows, readings, Mode(True, False, False), True, len(models), SOURCE, skipped)


def read_litellm_log(path: Path) -> Feed:
    """Read a change log of the list: one line per change of one field between the releases that it compares.

    Args:
        path: the log, plain or gzip; a subject is an entry's key, a path one of its fields.

    Returns:
        A feed of the list's source: each instant of the log is a reading of all of it.

    Raises:
        InputError: [bad_json], [bad_log]; see read_observations.
    """
    return read_log(path, _Entries(), SOURCE, Mode(True, False, False))


class _Entries:
    """What the entries of the list say, field by field; the provider is a field of its own."""

    linked = True

    def unread(self, _subject: str, path: str) -> str:
        """Give the reason why no claim can come of a field; those that others lean on are kept."""
        return "" if path in _LEANED_ON or _meaning(path) else _reason(path)

    def starts(self, _state: State) -> list[str]:
        """List no starts: the list states none."""
        return []

    def claims(self, place: Place, path: str, state: State, _starts: list[str]) -> list[Row] | str:
        """Make the claim of one field of an entry."""
        if path not in state or _meaning(path) is None:
            return []
        named = _named(place.subject, state)
        found = named and _claim(place.subject, path, state)
        if not found:
            return _NAMELESS
        return found if isinstance(found, str) else [{"entry": "said", **named, **found}]


def _rows(models: Mapping[str, Mapping[str, Any]], instant: str, skipped: Counter[str]) -> Iterator[Row]:
    for key, entry in models.items():
        named = _named(key, entry)
        if not named:
            skipped[_NAMELESS] += 1
            continue
        for name in entry:
            found = _claim(key, name, entry)
            if isinstance(found, str):
                skipped[found] += 1
            else:
                yield {**named, "observed_at": instant, **found}


def _named(key: str, entry: Mapping[str, Any]) -> Row:
    """Give the fields that name an entry's subject; none where it names no provider."""
    named = entry.get("litellm_provider")
    if key == "sample_spec" or not isinstance(named, str):
        return {}
    provider = _FAMILY.sub("", named)
    return {"provider": provider, "subject": key.removeprefix(f"{provider}/"), "source": SOURCE}


def _claim(key: str, name: str, entry: Mapping[str, Any]) -> Row | str:
    """Give what a field says beside whom it is about, or the reason why it says nothing."""
    meaning, value = _meaning(name), entry[name]
    if meaning is None:
        return _reason(name)
    if not meaning.fits(value):
        return f"a value of another kind in {name}"
    return _row(meaning, name, value, _selector(key, name, entry))


def _reason(name: str) -> str:
    return _LEFT_OUT.get(name, f"no predicate for {name}")


def _row(meaning: _Field, name: str, value: Any, selector: Row) -> Row:
    row: Row = {"predicate": meaning.predicate, "quote": fragment(name, value), **stated(value)}
    if meaning.unit:
        row["unit"] = meaning.unit
    if meaning.scope:
        row["scope"] = dict(meaning.scope)
    return row | {"selector": selector}


def _selector(key: str, name: str, entry: Mapping[str, Any]) -> Row:
    link = entry.get("deprecation_source" if name == "deprecation_date" else "source")
    return {"entry": key, "field": name} | ({"source": link} if isinstance(link, str) else {})


@cache
def _meaning(name: str) -> _Field | None:
    """Find what a field means: by its name, or as a price and the conditions after it."""
    if name in FIELDS:
        return FIELDS[name]
    return next((found for base in PRICES if (found := _conditioned(name, base))), None)


def _conditioned(name: str, base: str) -> _Field | None:
    match = _CONDITIONS.fullmatch(name, len(base)) if name.startswith(base) else None
    if match is None:
        return None
    scope = dict(PRICES[base].scope)
    if match["ttl"]:
        scope["ttl"] = f"{match['ttl']}h"
    if match["tier"]:
        scope["tier"] = f">{match['tier']}"
    if match["mode"]:
        scope["mode"] = "batch" if match["mode"] == "batches" else match["mode"]
    return PRICES[base]._replace(scope=scope)
