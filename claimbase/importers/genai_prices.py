"""The price list of genai-prices: providers, their models, prices with start dates, tiers and variants.

A price is a list of conditional entries. One with a start date holds from that day until the next start; the first has
no start and holds until the first date. Entries for a time of day stand beside them in a scope of their own. What a
request asks for (batch, flex, ...) selects a variant, which is a scope too.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime, time
from decimal import Decimal
from importlib import import_module, metadata
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from claimbase.errors import InputError
from claimbase.importers.feed import (
    Feed,
    Mode,
    Number,
    Reading,
    Row,
    fragment,
    instant_text,
    read_json,
    stated,
    thousands,
    value_text,
)
from claimbase.importers.observations import Place, State, read_log

Scope: TypeAlias = dict[str, str]
Prices: TypeAlias = Mapping[str, Any]

SOURCE = {
    "url": "https://github.com/pydantic/genai-prices",
    "title": "genai-prices",
    "publisher": "Pydantic",
    "source_type": "dataset",
    "authority": "aggregator",
}


class _Price(NamedTuple):
    """What a price key means: predicate, unit and the scope it brings along."""

    predicate: str
    unit: str
    scope: Scope = {}  # noqa: RUF012  # read only


_IMAGE, _VIDEO, _AUDIO = {"modality": "image"}, {"modality": "video"}, {"modality": "audio"}
_MTOK, _CALLS, _REQUESTS = "usd_per_mtok", "usd_per_1k_calls", "usd_per_1k_requests"
PRICES = {
    "input_mtok": _Price("input_price", _MTOK),
    "output_mtok": _Price("output_price", _MTOK),
    "cache_read_mtok": _Price("cached_input_price", _MTOK),
    "cache_write_mtok": _Price("cache_write_price", _MTOK),
    "cache_write_5m_mtok": _Price("cache_write_price", _MTOK, {"ttl": "5m"}),
    "cache_write_1h_mtok": _Price("cache_write_price", _MTOK, {"ttl": "1h"}),
    "input_audio_mtok": _Price("audio_input_price", _MTOK),
    "output_audio_mtok": _Price("audio_output_price", _MTOK),
    "cache_audio_read_mtok": _Price("cached_input_price", _MTOK, _AUDIO),
    "input_image_mtok": _Price("input_price", _MTOK, _IMAGE),
    "output_image_mtok": _Price("output_price", _MTOK, _IMAGE),
    "cache_image_read_mtok": _Price("cached_input_price", _MTOK, _IMAGE),
    "input_video_mtok": _Price("input_price", _MTOK, _VIDEO),
    "output_video_mtok": _Price("output_price", _MTOK, _VIDEO),
    "output_reasoning_mtok": _Price("reasoning_output_price", _MTOK),
    "input_mchars": _Price("input_price", "usd_per_mcharacter"),
    "web_searches_kcount": _Price("web_search_price", _CALLS),
    "requests_kcount": _Price("request_price", _REQUESTS),
}
"""The price keys that are read; prices per thousand keep that unit, conversion is exact and happens at ingest (V1)."""

_WINDOW: Row = {"predicate": "context_window", "unit": "token"}
# What a request asks for; keys not named here are qualifiers of their own name.
_QUALIFIERS = {"processing": "mode", "service_tier": "mode", "speed": "mode"}


class _Span(NamedTuple):
    """Prices with the days between which they hold, as written, and where they stand."""

    start: str | None
    end: str | None
    prices: Prices
    path: str
    scope: Scope


def read_genai_prices(source: Path | None = None, *, observed_at: str | datetime, version: str | None = None) -> Feed:
    """Read the price list of genai-prices.

    Undated prices succeed one another by their readings (T8), dated ones by their dates; so the list is read whole and
    its history is that of its readings.

    Args:
        source: its JSON file; None = the list inside the installed package `genai_prices`.
        observed_at: when the list was read: an instant or a day in UTC.
        version: the version of the list; None = that of the installed package, unknown for a file.

    Returns:
        A listing: what it does not name is gone.

    Raises:
        InputError: [not_found] no file, or the package is not installed; [bad_json]; [bad_list] it is no price list.
    """
    instant, skipped = instant_text(observed_at), Counter[str]()
    if source is None:
        providers, version = _installed(version)
    else:
        providers = read_json(source, skipped)
    if not isinstance(providers, list) or not all(isinstance(p, dict) and "models" in p for p in providers):
        raise InputError(
            "this is no list of genai-prices", code="bad_list", hint="a JSON list of providers with models"
        )
    total = sum(len(provider["models"]) for provider in providers)
    readings = (Reading(SOURCE["url"], instant, version),)
    rows = _rows(providers, instant, skipped)
    return Feed(rows, readings, Mode(True, False, False), True, total, SOURCE, skipped)


def read_genai_prices_log(path: Path) -> Feed:
    """Read a change log of the list: one line per change of one field of a model, as the list's own files hold them.

    Args:
        path: the log, plain or gzip; a subject is a provider and its model, a path leads to a price or a window.

    Returns:
        A feed of the list's source: each instant of the log is a reading of all of it.

    Raises:
        InputError: [bad_json], [bad_log]; see read_observations.
    """
    return read_log(path, _Models(), SOURCE, Mode(True, False, False))


_INDEX = re.compile(r"\[[^\]]*\]")
_PATH = re.compile(
    r"prices(?:\[(?P<when>[^\]]+)\])?\.(?P<key>\w+?)(?:\.base|\.tiers\[start=(?P<tier>\d+)\]\.price)?", re.ASCII
)


class _Models:
    """What the paths of a model say; a dated price ends where the next date begins."""

    linked = True

    def unread(self, _subject: str, path: str) -> str:
        """Give the reason why no claim can come of a path."""
        if path == "context_window":
            return ""
        found = _PATH.fullmatch(path)
        if found is None:
            return f"no rule for {_INDEX.sub('[]', path)}"
        return "" if found["key"] in PRICES else f"no predicate for {found['key']}"

    def starts(self, state: State) -> list[str]:
        """List the days on which prices of a model begin, oldest first."""
        days = {_conditions(found["when"]).get("start_date") for found in map(_PATH.fullmatch, state) if found}
        return sorted(filter(None, days))

    def claims(self, place: Place, path: str, state: State, starts: list[str]) -> list[Row] | str:
        """Make the claim of one path."""
        found = _PATH.fullmatch(path)
        if path not in state or (found is None and path != "context_window"):
            return []
        if state[path] is None:
            return "no value"
        provider, _, model = place.subject.partition("/")
        row = _dated(found, starts) if found else _WINDOW
        frame = {"entry": "said", "provider": provider, "subject": model, "source": SOURCE}
        selector = {"file": place.file, "path": path}
        return [{**frame, **row, **stated(state[path]), "quote": fragment(path, state[path]), "selector": selector}]


def _dated(found: re.Match[str], starts: list[str]) -> Row:
    """Give what a path to a price says, and when: up to the next start, as in the list itself."""
    meaning, conditions = PRICES[found["key"]], _conditions(found["when"])
    row: Row = {"predicate": meaning.predicate, "unit": meaning.unit}
    scope = dict(meaning.scope)
    if "start_time" in conditions:
        scope["time_of_day"] = _hours(conditions)
    if found["tier"]:
        scope["tier"] = f">{thousands(found['tier'])}"
    if scope:
        row["scope"] = scope
    start = conditions.get("start_date", "")
    if start:
        row["effective_from"] = start
    if "start_time" not in conditions and (later := starts[bisect_right(starts, start) :]):
        row["effective_until"] = later[0]
    return row


def _conditions(written: str | None) -> dict[str, str]:
    """Read the conditions in a path: ``start_date=2026-09-01``."""
    return dict(part.split("=", 1) for part in (written or "").split(",") if part)


def _rows(providers: Iterable[dict[str, Any]], instant: str, skipped: Counter[str]) -> Iterator[Row]:
    for provider in providers:
        links = provider.get("pricing_urls") or []
        for model in provider["models"]:
            frame = {
                "provider": provider["id"], "subject": model["id"], "observed_at": instant, "source": SOURCE,
            }  # fmt: skip
            for row, path, value in _said(model, skipped):
                selector = {"provider": provider["id"], "model": model["id"], "path": path}
                if links:
                    selector["pricing_urls"] = " ".join(links)
                yield {**frame, **row, **stated(value), "quote": fragment(path, value), "selector": selector}


def _said(model: dict[str, Any], skipped: Counter[str]) -> Iterator[tuple[Row, str, str]]:
    """Give what an entry says: the claim's fields that differ, where it stands, and the value as written."""
    if (window := model.get("context_window")) is not None:
        yield _WINDOW, "context_window", window
    if model.get("deprecated"):
        skipped["deprecated, no day given"] += 1
    for span in (*_standard(model["prices"]), *_variants(model.get("price_variants") or [])):
        for key, price in span.prices.items():
            if key in PRICES:
                yield from _priced(PRICES[key], span, f"{span.path}.{key}", price)
            else:
                skipped[f"no predicate for {key}"] += 1


def _priced(meaning: _Price, span: _Span, path: str, price: Any) -> Iterator[tuple[Row, str, str]]:
    """Give one row per tier: the base price without a tier, the others in a scope that names where they begin."""
    tiers = [(path, price, meaning.scope)]
    if isinstance(price, dict):
        tiers = [(f"{path}.base", price["base"], meaning.scope)]
        for at, tier in enumerate(price["tiers"]):
            scope = {**meaning.scope, "tier": f">{thousands(value_text(tier['start']))}"}
            tiers.append((f"{path}.tiers[{at}].price", tier["price"], scope))
    for place, value, scope in tiers:
        row: Row = {"predicate": meaning.predicate, "unit": meaning.unit}
        if qualifiers := {**span.scope, **scope}:
            row["scope"] = qualifiers
        if span.start:
            row["effective_from"] = span.start
        if span.end:
            row["effective_until"] = span.end
        yield row, place, value


def _standard(prices: Any) -> list[_Span]:
    """Lay out the standard prices: the last entry that has started holds, whatever keys it names."""
    if isinstance(prices, dict):
        return [_Span(None, None, prices, "prices", {})]
    dated: list[_Span] = []
    daily: list[_Span] = []
    for at, entry in enumerate(prices):
        constraint, path = entry.get("constraint") or {}, f"prices[{at}]"
        if "start_time" in constraint:
            daily.append(_Span(None, None, entry["prices"], path, {"time_of_day": _hours(constraint)}))
        else:
            dated.append(_Span(constraint.get("start_date"), None, entry["prices"], path, {}))
    return _ended(dated) + daily


def _variants(variants: list[dict[str, Any]]) -> list[_Span]:
    """Lay out the variants: of one kind the first in the list that has started holds, for each price on its own."""
    chains: dict[tuple[tuple[tuple[str, str], ...], str], list[_Span]] = {}
    for at, variant in reversed(list(enumerate(variants))):
        constraint = variant.get("constraint") or {}
        scope = {_QUALIFIERS.get(key, key): text for key, text in variant["when"].items()}
        if "start_time" in constraint:
            scope["time_of_day"] = _hours(constraint)
        for key, price in variant["prices"].items():
            span = _Span(constraint.get("start_date"), None, {key: price}, f"price_variants[{at}].prices", scope)
            chains.setdefault((tuple(sorted(scope.items())), key), []).append(span)
    return [span for chain in chains.values() for span in _ended(chain)]


def _ended(spans: list[_Span]) -> list[_Span]:
    """End every span where the next begins; of two with one start the later in the list counts."""
    by_start = {span.start: span for span in spans}
    starts = sorted(by_start, key=lambda start: start or "")
    ends = [*starts[1:], None]
    return [by_start[start]._replace(end=end) for start, end in zip(starts, ends, strict=True)]


def _hours(constraint: Mapping[str, str]) -> str:
    start, end = (constraint[key] for key in ("start_time", "end_time"))
    utc = all(text.endswith(("Z", "+00:00")) for text in (start, end))
    return f"{start[:5]}-{end[:5]}Z" if utc else f"{start}-{end}"


def _installed(version: str | None) -> tuple[Any, str | None]:
    try:
        providers = import_module("genai_prices.data").providers
        version = version or metadata.version("genai-prices")
    except ImportError as error:
        raise InputError("genai-prices is not installed", code="not_found", hint="pip install genai-prices") from error
    return [_plain(provider) for provider in providers], version


_TAKEN = ("id", "pricing_urls", "models", "context_window", "deprecated", "prices", "price_variants", "constraint",
          "when", "start_date", "start_time", "end_time", "base", "tiers", "start", "price")  # fmt: skip


def _plain(thing: Any) -> Any:
    """Turn the package's objects into the JSON that they are made from, numbers as text."""
    if isinstance(thing, bool) or thing is None or isinstance(thing, str):
        return thing
    if isinstance(thing, (int, Decimal)):
        return Number(thing)
    if isinstance(thing, (date, time)):
        return thing.isoformat()
    if isinstance(thing, list):
        return [_plain(one) for one in thing]
    if isinstance(thing, dict):
        return {key: _plain(one) for key, one in thing.items()}
    if is_dataclass(thing):
        given = {one.name: getattr(thing, one.name) for one in fields(thing) if one.name in _TAKEN}
    else:  # a ModelPrice, whose attributes are its price keys
        given = dict(vars(thing))
    return {key: _plain(one) for key, one in given.items() if one is not None}
