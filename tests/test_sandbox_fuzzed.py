"""The ordinary tools, called with anything: a JSON result each time, and the store as it was (G14, G16)."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

import kit
import pytest
from hostile.listing import HARMLESS, statements
from test_agents import PAYLOADS

from claimbase.agents import TOOLS, call
from claimbase.agents.untrusted import RESULT_LIMIT
from claimbase.present import json_text

NAMES = [
    "Lark 1", "Lark 2", "lark 29", "Norden AI", "price", "context", "ctx", "vision", "released", "languages", "vendor",
    "usd_per_mtok", "token", "$3", "128K", "official_docs", "third_party", "any", "batch", "", " ", "%", "_", "\\", "*",
    "https://norden.example/pricing", "c_0000000000000000", "s_000000000000", "r_0000000000000000",
    "128K+ context under $2",
]  # fmt: skip
INSTANTS = [
    "2026-03-01", "2026-03-01T08:00:00Z", "2026-02-30", "now", "infinity", "1753000000", "2999-01-01", "0001-01-01",
    "2026-03-01T08:00:00+25:00", "23:59:60", "2026-03", "Q2 2026", "9999-12-31T23:59:59Z",
]  # fmt: skip
MOMENTS = ("as_of", "observed_by", "recorded_by", "at", "from", "until", "to")
ODD = [
    None, True, False, 0, -1, 1, 2**63, 10**400, 1e308, float("nan"), float("inf"), -0.0, [], {}, [[]], [None],
    "\ud800", "\0", "\u202e", "x" * 2_001, "1e999999999", "6^800000", [0] * 60,
    {"a": {"b": {"c": {"d": {"e": {}}}}}}, b"x",
]  # fmt: skip
CONSTRAINTS = [
    {"predicate": "price", "operator": "lte", "value": 5}, {"predicate": "context", "operator": "exists"},
    {"predicate": "price", "operator": "between", "value": [2, 9]},
    {"predicate": "context", "operator": "gte", "value": 100_000},
    {"predicate": "price", "operator": "lt", "value_of": "Lark 3"}, {"predicate": "vision", "operator": "is_true"},
    {"predicate": "ctx", "operator": "eq", "value": "128K", "scope": "any", "at": "2026-03-02"},
]  # fmt: skip
WEIGHTS = {"contradictions": 1, "history": 1, "freshness": 2}
"""Of the slow tools; the others are called four times as often."""
NEAR = {
    "predicate": ["price", "context", "vision", "released"], "subject": ["Lark 1", "Lark 2"], "watch": ["cheap"],
    "question": ["128K+ context, under $9/M input", "contradictions", "price of Lark 2", "history of Lark 1"],
    "quote": ["It costs $1.", "costs"], "subjects": ["Lark 1", "Lark 2"], "providers": ["Norden AI"],
    **{name: ["2026-03-01", "2026-11-01"] for name in MOMENTS},
}  # fmt: skip
"""Texts that mostly fit an argument; ids of what the base holds are added to them."""
HOSTILE = [text.replace("{canary}", "/etc/hostname") for _, text in statements()]


def text(rng: random.Random) -> str:
    """A text of some kind."""
    return rng.choice(rng.choice((NAMES, NAMES, INSTANTS, PAYLOADS, HOSTILE, HARMLESS)))


def value(rng: random.Random, schema: Mapping[str, Any], name: str = "") -> Any:
    """A value that mostly follows a schema."""
    if rng.random() < 0.01:
        return rng.choice(ODD)
    if "anyOf" in schema:
        return value(rng, rng.choice(schema["anyOf"]), name)
    if "enum" in schema:
        return rng.choice(schema["enum"])
    return _BY_TYPE[schema["type"]](rng, schema, name)


def _object(rng: random.Random, schema: Mapping[str, Any], _: str) -> Any:
    if "operator" in schema["properties"] and rng.random() < 0.7:
        return rng.choice(CONSTRAINTS)
    filled = {
        name: None if _nullable(inner) and rng.random() < 0.7 else value(rng, inner, name)
        for name, inner in schema["properties"].items() if rng.random() < 0.95
    }  # fmt: skip
    if rng.random() < 0.02:
        filled[text(rng)] = rng.choice(ODD)
    return filled


def _nullable(schema: Mapping[str, Any]) -> bool:
    return {"type": "null"} in schema.get("anyOf", ())


def _text(rng: random.Random, _: Mapping[str, Any], name: str) -> str:
    if name in NEAR and rng.random() < 0.7:
        return rng.choice(NEAR[name])
    return rng.choice(INSTANTS) if name in MOMENTS and rng.random() < 0.9 else text(rng)


_BY_TYPE: Mapping[str, Any] = {
    "object": _object, "string": _text, "null": lambda *_: None, "boolean": lambda rng, *_: rng.random() < 0.5,
    "integer": lambda rng, *_: rng.choice((1, 2, 20, 100, 101, 0, -1, 2**70)),
    "number": lambda rng, *_: rng.choice((0, 1.5, 3, 128_000, -2, 1e300)),
    "array": lambda rng, schema, name: [
        value(rng, schema["items"], name) for _ in range(rng.choice((0, 1, 1, 1, 2, 3)))
    ],
}  # fmt: skip


def fuzzed(rng: random.Random, number: int) -> None:
    """Call the tools a number of times on a base that could be written; each result is small JSON, no row changes."""
    codes: Counter[str] = Counter()
    answered: Counter[str] = Counter()
    with kit.base() as kb:
        kb.add([kit.claim(f"${n}", subject=f"Lark {n}", quote=rng.choice(PAYLOADS)) for n in range(1, 30)])
        kb.add([kit.claim("128K", subject=f"Lark {n}", predicate="context") for n in range(1, 9)])
        page = "# Prices\n\nLark 1 is cheap. It costs $1. Other models cost more, and nobody knows why that is so.\n"
        read = kb.sources.ingest(page, uri="https://norden.example/prices", observed_at="2026-03-01T00:00:00Z")
        ids = [row["claim_id"] for row in kb.claims()[:5]]
        NEAR["claim_id"], NEAR["receipt_id"] = ids, [kb.verify(kb.answer("price <= 5")).id]
        NEAR["source_id"] = [read.source_id]
        before = kit.digest(kb.db)
        for _ in range(number):
            (tool,) = rng.choices(TOOLS, [WEIGHTS.get(tool["name"], 4) for tool in TOOLS])
            result = call(kb, tool["name"], value(rng, tool["parameters"]))
            written = json_text(result, indent=None)
            assert json.loads(written) == result
            assert len(written.encode()) <= RESULT_LIMIT
            codes[str(result.get("code", "answered"))] += 1
            answered[tool["name"]] += "code" not in result
        assert kit.digest(kb.db) == before
    print(f"{number} fuzzed calls: {dict(codes.most_common())}; answered {dict(answered)}")
    assert codes["answered"] > number // 3
    assert all(answered.values())
    assert codes["engine"] == codes["error"] == 0


def test_fuzzed_calls(rng: random.Random) -> None:
    """G14, G16: 200 calls of the 14 tools."""
    fuzzed(rng, 200)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_more_fuzzed_calls(rng: random.Random, part: int) -> None:
    """G14, G16: the same, 2,000 in four parts; 10,000 with CLAIMBASE_TIMES=5."""
    fuzzed(rng, kit.figure(500))
