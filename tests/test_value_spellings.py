"""How sources write values: every spelling is read exactly as the table says, or refused with the code it says."""

from __future__ import annotations

import csv
import json
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from claimbase.dates import read_date
from claimbase.errors import InputError
from claimbase.temporal import iso
from claimbase.values import Value, read_value

ROOT = Path(__file__).parents[1]


def rows_of(path: Path) -> list[dict[str, str]]:
    """Read a CSV table."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


TABLE = rows_of(ROOT / "tests" / "fixtures" / "spellings.csv")
REAL = ROOT.parent / "shared" / "cases" / "value_spellings.csv"


def reading(text: str, kind: str, unit: str | None = None, stated: str | None = None) -> tuple[str, str]:
    """Give the key (with ~ where approximate) and unit of a value, or its refusal as "!code"."""
    try:
        value = read_value(text, kind=kind, unit=unit, stated_unit=stated)  # type: ignore[arg-type]
    except InputError as error:
        return f"!{error.code}", ""
    return ("~" if value.approximate else "") + value.key, value.unit or ""


@pytest.mark.covers("A23")
@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row['kind']}-{row['text'][:30]}-{row['unit']}")
def test_each_spelling_is_read_as_the_table_says(row: dict[str, str]) -> None:
    """V3-V6: bounds, unit and refusal code of a spelling are those of the table, never a near miss."""
    found = reading(row["text"], row["kind"], row["unit"] or None, row["stated_unit"] or None)
    assert found == (row["expected"], row["expected_unit"])


def test_the_table_is_large_and_refuses_often_enough_to_mean_something() -> None:
    """V6: the table holds every kind of value, and refusals of at least eight codes."""
    assert len(TABLE) >= 300
    assert {row["kind"] for row in TABLE} == {"quantity", "date", "bool", "text", "entity", "set"}
    assert len({row["expected"] for row in TABLE if row["expected"].startswith("!")}) >= 8


class Asked(NamedTuple):
    """What predicate a real spelling belongs to, and the unit its source declares."""

    kind: str
    unit: str | None = None
    stated: str | None = None


PRICE = "usd_per_mtok"
CONTEXTS = {
    "context_window": Asked("quantity", "token"),
    "embedding_dimensions": Asked("quantity", "1"),
    "output_speed": Asked("quantity", "token_per_s"),
    "parameter_count": Asked("quantity", "1"),
    "max_output_tokens": Asked("quantity", "token"),
    "max_input_tokens": Asked("quantity", "token"),
    "tiered_pricing.range": Asked("quantity", "token"),
    "input_price": Asked("quantity", PRICE),
    "input_price[prompt>272000]": Asked("quantity", PRICE),
    "input_price[prompt>128000]": Asked("quantity", PRICE),
    "price": Asked("quantity", PRICE),
    "audio_input_price": Asked("quantity", PRICE),
    "video_price": Asked("quantity", "usd_per_video"),
    "cached_storage_price": Asked("quantity", PRICE),
    "cached_input_price": Asked("quantity", PRICE),
    "input_cost_per_token": Asked("quantity", PRICE, "usd_per_token"),
    "request_token.price": Asked("quantity", PRICE, "cents/token"),
    "prices.input": Asked("quantity", PRICE, "USD/token"),
    "cost.output": Asked("quantity", PRICE, "USD/Mtok"),
    "search_price": Asked("quantity", "usd_per_source"),
    "cache_storage_price": Asked("quantity", "usd_per_mtok_hour"),
    "batch_price": Asked("quantity", "ratio"),
    "output_cost_per_image": Asked("quantity", "usd_per_image"),
    "input_cost_per_character": Asked("quantity", "usd_per_mcharacter", "usd_per_character"),
    "ocr_cost_per_page": Asked("quantity", "usd_per_page"),
    "web_search.price": Asked("quantity", "usd_per_call", "cents/call"),
    "shutdown_date": Asked("date"),
    "release_date": Asked("date"),
    "status": Asked("date"),
    "announcement_date": Asked("date"),
    "knowledge": Asked("date"),
    "releaseDate": Asked("date"),
    "eol": Asked("date"),
    "version": Asked("quantity", "1"),
    "WithdrawalDate": Asked("date"),
    "MinorUnit": Asked("quantity", "1"),
    "Founded": Asked("date"),
    "source valid until": Asked("date"),
    "currency interval end": Asked("date"),
    "uncertainty": Asked("quantity", "1"),
    "proton rms charge radius": Asked("quantity", "m"),
    "unit": Asked("quantity"),
    "GDP (PPP)": Asked("quantity", "usd"),
    "current account": Asked("quantity", "usd"),
    "territorial sea": Asked("quantity", "m"),
    "coordinates": Asked("quantity", "1"),
    "population growth": Asked("quantity", "percent"),
    "underweight children": Asked("quantity", "percent"),
    "labor force": Asked("quantity", "1"),
    "time difference": Asked("quantity", "s"),
    "benchmark cost": Asked("quantity", "usd"),
}
UNIT_NAMES = {
    "token": "token",
    "1": "1",
    "token/s": "token_per_s",
    "USD/Mtoken": PRICE,
    "USD/video": "usd_per_video",
    "USD/source": "usd_per_source",
    "USD/Mtoken/hour": "usd_per_mtok_hour",
    "USD/image": "usd_per_image",
    "USD/Mcharacter": "usd_per_mcharacter",
    "USD/page": "usd_per_page",
    "USD/call": "usd_per_call",
    "date": "",
}


def expected_key(value: str, kind: str) -> str:
    """Turn a row's expectation into a value key."""
    if kind != "date":
        return value
    if value.startswith(">="):
        return f"[{value[2:]}T00:00:00Z,)"
    if value.startswith("["):
        return value.replace(",", "T00:00:00Z,").replace(")", "T00:00:00Z)")
    return f"{value}T00:00:00Z"


@pytest.mark.skipif(not REAL.exists(), reason="the collection of real spellings is not beside this checkout")
def test_no_real_spelling_is_read_wrong() -> None:
    """V6: each collected spelling is read exactly as expected or refused by name; none is read wrong."""
    rows = rows_of(REAL)
    read, refused, wrong = [], [], []
    for row in rows:
        asked = CONTEXTS[row["context_predicate"]]
        key, unit = reading(row["raw"], *asked)
        if key.startswith("!"):
            refused.append((row["raw"][:40], key))
        elif (key, unit) == (expected_key(row["expected_value"], asked.kind), UNIT_NAMES.get(row["expected_unit"])):
            read.append(row["raw"])
        else:
            wrong.append((row["raw"], key, unit, row["expected_value"], row["expected_unit"]))
    print(f"{len(rows)} spellings: {len(read)} read, {len(refused)} refused, {len(wrong)} read wrong")
    print("\n".join(f"  refused {code}: {text}" for text, code in refused))
    assert wrong == []
    assert len(read) >= 28


def test_a_value_keeps_its_words() -> None:
    """V1: the text as written stands beside the number."""
    value: Value = read_value(" $0.30 / 1M tokens", kind="quantity", unit=PRICE)
    assert value.text == " $0.30 / 1M tokens"


CASES = ROOT.parent / "shared" / "cases" / "temporal.jsonl"
UNITS_ASKED = {"context_window": "token", "input_price": PRICE}


def parsing_cases() -> list[dict[str, Any]]:
    """Give the shared cases that only read a text."""
    if not CASES.exists():
        return []
    cases = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
    return [case for case in cases if case["ask"]["op"] in ("parse_value", "parse_date")]


@pytest.mark.parametrize("case", parsing_cases(), ids=lambda case: case["id"])
def test_the_shared_cases_read_as_their_rules_say(case: dict[str, Any]) -> None:
    """T3-T7, V1-V6: bounds, unit, kind and refusals are those of the case, readings of a local time included."""
    ask, expect = case["ask"], case["expect"]
    expect = next((one for one in expect.get("one_of", []) if "error" in one), expect)
    try:
        if ask["op"] == "parse_date":
            bound = read_date(ask["text"], zone=ask.get("zone", "UTC"))
            found: dict[str, Any] = {"kind": bound.kind, "precision": bound.precision}
            found |= {k: at and iso(at) for k, at in (("earliest", bound.earliest), ("latest", bound.latest))}
        else:
            value = read_value(
                ask["text"],
                kind="quantity",
                unit=UNITS_ASKED.get(ask.get("predicate", "")),
                stated_unit=ask.get("unit"),
            )
            found = {"min": value.min, "max": value.max, "min_open": value.min_open, "unit": value.unit}
            expect = expect | {k: expect[k] and Decimal(expect[k]) for k in ("min", "max")}
    except InputError as error:
        found = {"error": type(error).__name__} | {k: list(v) for k, v in error.details.items() if k == "readings"}
    assert {key: found.get(key) for key in expect} == expect
