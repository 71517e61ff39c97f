"""The shipped seeds: packs that agree with each other, claims that stand in their sources (semantics 1, 6)."""

import json
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
SEEDS = ROOT / "seeds"
Claim = Mapping[str, Any]

REQUIRED = {"provider", "subject", "predicate", "value", "observed_at", "quote", "selector", "source"}
OPTIONAL = {"unit", "scope", "polarity", "effective_from", "effective_until", "reasoning", "confidence"}
SOURCE_REQUIRED = {"url", "title", "publisher", "source_type", "authority"}
SOURCE_TYPES = {"official_docs", "pricing", "deprecation", "dataset", "structured_api"}
AUTHORITIES = {"subject_authored", "third_party", "aggregator"}
CATALOGUES = {"models.dev", "Pydantic", "BerriAI", "endoflife.date", "ibericode", "vatnode.dev"}
READ_BY = datetime(2026, 11, 29, tzinfo=UTC)
ASKED_AT = "2026-03-01T00:00:00Z"


def read_packs() -> dict[str, dict[str, Any]]:
    """Return the packs by file stem."""
    return {path.stem: tomllib.loads(path.read_text("utf-8")) for path in sorted((SEEDS / "predicates").glob("*.toml"))}


def read_claims() -> list[Claim]:
    """Return every claim line of every file."""
    files = sorted((SEEDS / "claims").glob("*.jsonl"))
    return [json.loads(line) for path in files for line in path.read_text("utf-8").splitlines()]


PACKS = read_packs()
PREDICATES = {name: body for pack in PACKS.values() for name, body in pack["predicates"].items()}
CLAIMS = read_claims()


def words_of(pack: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield each phrase of the question grammar with what it stands for."""
    for name, body in pack["predicates"].items():
        yield from ((word.casefold(), name) for word in body["words"])
    yield from ((word.casefold(), json.dumps(scope)) for word, scope in pack.get("scope_words", {}).items())


def identity(claim: Claim) -> str:
    """Return what makes two lines one claim: source, slot, polarity, value, unit and stated interval (B6)."""
    slot = ("provider", "subject", "predicate", "scope")
    said = ("polarity", "value", "unit", "effective_from", "effective_until")
    return json.dumps([claim["source"]["url"], *(claim.get(key) for key in slot + said)], sort_keys=True)


def number(claim: Claim) -> Decimal:
    """Read a token count or a price by the simplest rule that fits the seeds: an oracle apart from the package."""
    text = claim["value"].replace(" tokens", "")
    scale = {"k": 1_000, "M": 1_000_000}.get(text[-1], 1)
    value = Decimal(text.rstrip("kM")) * scale
    return value * 1_000_000 if claim.get("unit") == "usd_per_token" else value


def moment(text: str) -> datetime:
    """Read a day or an instant of the seeds."""
    return datetime.fromisoformat(text.replace("Z", "+00:00") if "T" in text else text + "T00:00:00+00:00")


def test_packs_share_words_and_names_without_ambiguity() -> None:
    """Section 6: all packs are used together, so a phrase or a name stands for one thing."""
    meanings: dict[str, set[str]] = defaultdict(set)
    names: dict[str, set[str]] = defaultdict(set)
    for pack in PACKS.values():
        for word, target in words_of(pack):
            meanings[word].add(target)
        for name, body in pack["predicates"].items():
            assert body == PREDICATES[name], f"{name} is declared in two ways"
            for alias in (name, *body.get("aliases", ())):
                names[alias if isinstance(alias, str) else alias["name"]].add(name)
    assert {word: found for word, found in meanings.items() if len(found) > 1} == {}
    assert {name: found for name, found in names.items() if len(found) > 1} == {}


def test_packs_hold_the_predicates_of_the_question_cases() -> None:
    """Section 6: the predicates that the questions name exist with the kind, unit and cardinality they need."""
    dates = ("deprecated_on", "shutdown_date", "eol", "end_of_active_support", "extended_support_until")
    wanted: dict[str, dict[str, Any]] = {
        **{name: {"kind": "quantity", "unit": "token"} for name in ("context_window", "max_output")},
        **{
            f"{name}_price": {"kind": "quantity", "unit": "usd_per_mtok"}
            for name in ("input", "output", "cached_input")
        },
        **{name: {"kind": "date", "timeless": True} for name in ("knowledge_cutoff", "release_date")},
        **{name: {"kind": "date"} for name in dates},
        **{name: {"kind": "bool"} for name in ("vision", "tool_use", "lts")},
        "available": {"kind": "bool", "lifetime_of": "subject"},
        "license": {"kind": "text"},
        "replacement": {"kind": "entity"},
        "swe_bench_verified": {"kind": "quantity", "unit": "percent", "requires": ["method"]},
        "vat_standard_rate": {"kind": "quantity", "unit": "percent"},
        "vat_reduced_rate": {"kind": "quantity", "unit": "percent", "cardinality": "many"},
    }
    assert {name: {key: PREDICATES[name][key] for key in body} for name, body in wanted.items()} == wanted


def test_seeds_hold_no_python() -> None:
    """Packaging: a Python file below seeds would break the editable build."""
    assert sorted(path.name for path in SEEDS.rglob("*.py")) == []


def test_every_line_is_a_claim_with_quote_and_source() -> None:
    """B7: no claim without a quote or a source; the keys are exactly those of the claim format."""
    for claim in CLAIMS:
        assert claim.keys() >= REQUIRED, claim
        assert claim.keys() <= REQUIRED | OPTIONAL, claim
        assert claim["quote"].strip() == claim["quote"] != ""
        source = claim["source"]
        assert SOURCE_REQUIRED <= source.keys() <= SOURCE_REQUIRED | {"derived_from"}, claim
        assert source["url"].startswith("https://")
        assert source["source_type"] in SOURCE_TYPES
        assert source["authority"] in AUTHORITIES
        assert all(isinstance(source[key], str) and source[key] for key in SOURCE_REQUIRED)


def test_one_address_has_one_description() -> None:
    """Section 1: a source is found by its address, so two lines must not describe one address differently."""
    described: dict[str, set[str]] = defaultdict(set)
    for claim in CLAIMS:
        described[claim["source"]["url"]].add(json.dumps(claim["source"], sort_keys=True))
    assert {url: found for url, found in described.items() if len(found) > 1} == {}


def test_seeds_are_many_and_of_many_providers() -> None:
    """Mission: at least 150 claims over at least eight providers, no line twice, no catalogue as provider."""
    lines = [json.dumps(claim, sort_keys=True) for claim in CLAIMS]
    assert len(lines) == len(set(lines))
    assert len({identity(claim) for claim in CLAIMS}) >= 150
    providers = {claim["provider"] for claim in CLAIMS}
    assert len(providers) >= 8
    assert providers.isdisjoint(CATALOGUES)


def test_predicates_and_units_are_declared() -> None:
    """Section 6: each claim uses a declared predicate; a quantity has a unit, nothing else has one."""
    for claim in CLAIMS:
        kind = PREDICATES[claim["predicate"]]["kind"]
        assert ("unit" in claim) == (kind == "quantity" and claim.get("polarity") != "absent"), claim


def test_value_stands_in_the_quote() -> None:
    """B7: the quote carries the value as written; a boolean that a table only implies says how."""
    for claim in CLAIMS:
        if PREDICATES[claim["predicate"]]["kind"] == "bool":
            assert claim["value"] in ("true", "false")
            assert claim["value"] in claim["quote"] or claim.get("reasoning"), claim
        else:
            borders = rf"(?<![\w.]){re.escape(claim['value'])}(?!\w|\.\d)"
            assert re.search(borders, claim["quote"]), claim


def test_quotes_are_figures_not_prose() -> None:
    """Licence: only table cells, rows and figures of the sources are kept, no sentences."""
    for claim in CLAIMS:
        assert len(claim["quote"]) <= 450, claim
        assert not re.search(r"[a-z]\.(\s|$)", claim["quote"]), claim


def test_instants_are_exact_and_not_in_the_future() -> None:
    """B5, B3: observed_at carries an offset and lies before the day of the check; stated intervals are not empty."""
    for claim in CLAIMS:
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", claim["observed_at"]), claim
        assert moment(claim["observed_at"]) < READ_BY
        if "effective_from" in claim and "effective_until" in claim:
            assert moment(claim["effective_from"]) < moment(claim["effective_until"]), claim


def test_the_worked_example_is_there_in_full() -> None:
    """T2, K2: the 1M beta ends at the instant at which the 200K statement begins; two pages state 200K."""
    found = [
        (c["value"], c.get("effective_from"), c.get("effective_until"), c["observed_at"][:10], c["source"]["publisher"])
        for c in CLAIMS
        if c["subject"] == "Claude Sonnet 4.5" and c["predicate"] == "context_window"
    ]
    assert sorted(found, key=lambda row: row[3]) == [
        ("1M", "2025-09-29", "2026-04-30T00:00:00Z", "2026-04-01", "Anthropic"),
        ("200k", "2026-04-30", None, "2026-05-02", "Anthropic"),
        ("200k tokens", None, None, "2026-08-21", "Anthropic"),
    ]


def values_at(predicate: str) -> dict[tuple[str, str], set[Decimal]]:
    """Return per subject what each source certainly said for the asked day: dated claims, else its last reading."""
    said: dict[tuple[str, str], dict[str, list[Claim]]] = defaultdict(lambda: defaultdict(list))
    for claim in sorted(CLAIMS, key=lambda claim: claim["observed_at"]):
        if claim["predicate"] != predicate or "scope" in claim:
            continue
        start = claim.get("effective_from") or claim["observed_at"]
        end = claim.get("effective_until")
        if moment(start) <= moment(ASKED_AT) and (end is None or moment(ASKED_AT) < moment(end)):
            said[claim["provider"], claim["subject"]][claim["source"]["url"]].append(claim)
    return {subject: {number(found[-1]) for found in sources.values()} for subject, sources in said.items()}


def test_the_articles_question_has_eligible_disputed_and_near_missing_subjects() -> None:
    """Q1-Q3: at 1 March 2026 the seeds hold models that pass, that sources dispute and that miss by the price alone."""
    contexts, prices = values_at("context_window"), values_at("input_price")
    wide = {subject: {value >= 128_000 for value in found} for subject, found in contexts.items()}
    cheap = {subject: {value < 2 for value in found} for subject, found in prices.items()}
    eligible = {subject for subject in wide if wide[subject] == {True} == cheap.get(subject)}
    disputed = {subject for subject in wide if wide[subject] == {True, False} and cheap.get(subject) == {True}}
    missing = {subject for subject in wide if wide[subject] == {True} and cheap.get(subject) == {False}}
    assert eligible >= {("Anthropic", "Claude Haiku 4.5"), ("Google", "Gemini 2.5 Flash")}
    assert disputed >= {("DeepSeek", "DeepSeek Chat"), ("Google", "Gemini 2.5 Flash Image")}
    assert missing >= {("Anthropic", "Claude Sonnet 4.5"), ("OpenAI", "GPT-4o")}


@pytest.mark.parametrize("predicate", ["eol", "context_window", "knowledge_cutoff", "release_date"])
def test_sources_really_disagree(predicate: str) -> None:
    """K1: the seeds are not smoothed; more than one value in one slot occurs for each of these predicates."""
    slots: dict[tuple[str, str], set[str]] = defaultdict(set)
    for claim in CLAIMS:
        if claim["predicate"] == predicate and "scope" not in claim:
            slots[claim["provider"], claim["subject"]].add(claim["value"])
    assert any(len(values) > 1 for values in slots.values())
