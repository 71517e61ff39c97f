"""Each seed claim is looked up again in the data it was taken from (B7); skipped where that data is absent."""

import gzip
import json
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"
Claim = Mapping[str, Any]
Change = dict[str, Any]

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the data beside the checkout is absent")

# Pages of which the data holds no copy: their rows were read from the page tables themselves.
PAGES = {
    "https://platform.claude.com/docs/en/about-claude/models/overview",
    "https://platform.claude.com/docs/en/release-notes/overview",
    "https://docs.z.ai/guides/overview/pricing.md",
    "https://docs.cohere.com/docs/models.md",
    "https://api-docs.deepseek.com/updates",
}


@cache
def changes(name: str) -> dict[tuple[str, str, str], list[Change]]:
    """Return the change rows of one data set by file, subject and path, in the order of the file."""
    path = DATA / name
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    found: dict[tuple[str, str, str], list[Change]] = {}
    for line in text.decode().splitlines():
        change = json.loads(line)
        found.setdefault((change["file"], change["subject"], change["path"]), []).append(change)
    return found


@cache
def document(name: str) -> Any:
    """Return one JSON file of the data."""
    return json.loads((DATA / name).read_text("utf-8"))


@cache
def page_rows() -> dict[tuple[str, str, str], list[str]]:
    """Return the page rows: values by address, quote and observed_at."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for line in (DATA / "primary-doc-claims" / "claims.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        found.setdefault((row["source"]["url"], row["quote"], row["observedAt"]), []).append(row["value"].strip("`"))
    return found


def same(text: str, value: object) -> bool:
    """Say whether a value as written is the data's value, numbers by number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return text == (json.dumps(value) if isinstance(value, bool) else value)
    return Decimal(text) == Decimal(json.dumps(value))


def said_at(rows: list[Change], instant: str) -> object:
    """Return what a source said at an instant by its change rows, None when it said nothing."""
    before = [row for row in rows if row["observedAt"] <= instant]
    return before[-1].get("value") if before else None


def from_changes(name: str, claim: Claim, subject: str, path: str) -> bool:
    """Look the value up as the state of the data set at the claim's observed_at."""
    rows = changes(name)[claim["selector"]["file"], subject, path]
    return same(claim["value"], said_at(rows, claim["observed_at"]))


def models_dev(claim: Claim) -> bool:
    """models.dev: the file's own address is the subject."""
    file = claim["selector"]["file"].removesuffix(".toml")
    if file.startswith("models/"):
        subject = "@model/" + file.removeprefix("models/")
    else:
        subject = file.removeprefix("providers/").replace("/models/", "/", 1)
    return from_changes("models.dev/observations.jsonl.gz", claim, subject, claim["selector"]["path"])


def genai_files(claim: Claim) -> bool:
    """genai-prices: one file per provider; a start date in the path is the stated start (T5)."""
    selector = claim["selector"]
    provider = Path(selector["file"]).stem
    subject = f"{provider.replace('_', '-')}/{selector['model']}"
    if "[start_date=" in selector["path"]:
        assert claim["effective_from"] in selector["path"]
    else:
        assert "effective_from" not in claim
    return from_changes("genai-prices/observations.jsonl.gz", claim, subject, selector["path"])


def genai_release(claim: Claim) -> bool:
    """genai-prices 0.2.3: the price at its place in the list; bounds are the start dates of the list (T5)."""
    provider_id, model_id = claim["selector"]["model"].split("/", 1)
    provider = next(item for item in document("genai-prices/data_0.2.3.json") if item["id"] == provider_id)
    prices = next(model for model in provider["models"] if model["id"] == model_id)["prices"]
    place, *steps = claim["selector"]["path"].split(".")
    index = int(place.removeprefix("prices[").removesuffix("]"))
    starts = [(entry.get("constraint") or {}).get("start_date") for entry in prices]
    following = next((start for start in starts[index + 1 :] if start), None)
    assert claim.get("effective_from") == starts[index]
    assert claim.get("effective_until") == following
    value = prices[index]["prices"]
    for step in steps:
        value = value["tiers"][0] if step == "tiers[0]" else value[step]
    return same(claim["value"], value)


def litellm(claim: Claim) -> bool:
    """litellm: the model's key, then the field."""
    key, _, field = claim["selector"]["path"].rpartition(".")
    return same(claim["value"], document("litellm/model_prices_1.110.2.json")[key][field])


def endoflife(claim: Claim) -> bool:
    """endoflife.date: one cycle of a product; two paths where the claim is an interval."""
    selector = claim["selector"]
    product = Path(selector["file"]).stem
    rows = changes("endoflife.date/observations.jsonl.gz")

    def said(path: str) -> object:
        key = (selector["file"], product, f"releases[{selector['cycle']}].{path}")
        return said_at(rows[key], claim["observed_at"])

    if "paths" in selector:
        return [said(path) for path in selector["paths"]] == [claim["effective_from"], claim["effective_until"]]
    return same(claim["value"], said(selector["path"]))


def distro_info(claim: Claim) -> bool:
    """distro-info-data: the quote is a line of the file, the value its column."""
    header, *lines = (DATA / "lifecycle-primary" / claim["selector"]["file"]).read_text("utf-8").splitlines()
    row = dict(zip(header.split(","), claim["quote"].split(","), strict=False))
    if "columns" in claim["selector"]:
        wanted = [claim["effective_from"], claim["effective_until"]]
        return claim["quote"] in lines and [row[column] for column in claim["selector"]["columns"]] == wanted
    return claim["quote"] in lines and bool(row[claim["selector"]["column"]] == claim["value"])


def schedule(name: str) -> Callable[[Claim], bool]:
    """Node.js and Python: a cycle, then the field; an interval runs from one field to another."""

    def check(claim: Claim) -> bool:
        def field(path: str) -> str:
            cycle, _, key = path.rpartition(".")
            return str(document(name)[cycle][key])

        selector = claim["selector"]
        if "until" in selector:
            bounds = [claim["effective_from"], claim["effective_until"]]
            return bounds == [field(selector["path"]), field(selector["until"])]
        return field(selector["path"]) == str(claim["value"])

    return check


def vat_history(claim: Claim) -> bool:
    """vat-rates: the rate of a period that starts where the path says; 0000-01-01 is no stated start."""
    path = claim["selector"]["path"]
    assert claim.get("effective_from", "0000-01-01") in path
    return from_changes("vat-rates/observations.jsonl", claim, claim["selector"]["country"], path)


def vat_snapshot(claim: Claim) -> bool:
    """eu-vat-rates-data: the standard rate, or one of the reduced rates."""
    rates = document("vat-rates/eu_vat_rates_data_2026-09-29.json")["rates"][claim["selector"]["country"]]
    stated = rates[claim["selector"]["path"]]
    return any(same(claim["value"], rate) for rate in (stated if isinstance(stated, list) else [stated]))


def page(claim: Claim) -> bool:
    """Provider pages: the row with this quote, read at that instant, holds the value; booleans rest on the row.

    A midnight without a zone behind a day is left out of the value.
    """
    cells = page_rows().get((claim["source"]["url"], claim["quote"], claim["observed_at"]), [])
    days = [cell.removesuffix(", 00:00:00") for cell in cells]
    return bool(days) if claim["predicate"] == "available" else claim["value"] in days


# Sources of which the data holds one state: the instant at which that state is known to have been said.
READ_AT = {
    "https://github.com/pydantic/genai-prices/blob/main/prices/data.json": "2026-11-10T21:51:41Z",
    "https://github.com/BerriAI/litellm/": "2026-11-20T04:05:34Z",
    "https://salsa.debian.org/debian/distro-info-data/": "2026-04-25T13:18:53Z",
    "https://github.com/nodejs/Release/": "2026-11-26T12:13:15Z",
    "https://devguide.python.org/": "2025-12-22T00:00:00Z",
    "https://vatnode.dev/": "2026-09-30T00:00:00Z",
}

CHECKS: dict[str, Callable[[Claim], bool]] = {
    "https://github.com/anomalyco/models.dev/": models_dev,
    "https://github.com/pydantic/genai-prices/blob/main/prices/providers/": genai_files,
    "https://github.com/pydantic/genai-prices/blob/main/prices/data.json": genai_release,
    "https://github.com/BerriAI/litellm/": litellm,
    "https://endoflife.date/": endoflife,
    "https://salsa.debian.org/debian/distro-info-data/": distro_info,
    "https://github.com/nodejs/Release/": schedule("lifecycle-primary/node-release-schedule.json"),
    "https://devguide.python.org/": schedule("lifecycle-primary/python-release-cycle.json"),
    "https://github.com/ibericode/vat-rates/": vat_history,
    "https://vatnode.dev/": vat_snapshot,
}


def seed_files() -> list[Path]:
    """Return the claim files."""
    return sorted((ROOT / "seeds" / "claims").glob("*.jsonl"))


@pytest.mark.parametrize("path", seed_files(), ids=lambda path: path.stem)
def test_claims_agree_with_the_data_they_came_from(path: Path) -> None:
    """B7, T5: value, observed_at and stated bounds of each claim are what the source said at that reading."""
    for line in path.read_text("utf-8").splitlines():
        claim = json.loads(line)
        url = claim["source"]["url"]
        if url not in PAGES:
            prefix = next((known for known in CHECKS if url.startswith(known)), "")
            assert CHECKS.get(prefix, page)(claim), claim
            assert claim["observed_at"] == READ_AT.get(prefix, claim["observed_at"]), claim
