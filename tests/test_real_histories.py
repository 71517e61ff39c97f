"""Real histories: what real catalogues said, and when, worked out from their own files in plain Python.

Every expected value is computed here from the raw file; nothing of the importers takes part in it.
"""

from __future__ import annotations

import json
import random
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import claimbase as cb
from claimbase.importers.feed import Feed
from claimbase.importers.genai_prices import read_genai_prices, read_genai_prices_log
from claimbase.importers.litellm import read_litellm
from claimbase.importers.mapping import load_mapping
from claimbase.importers.observations import read_observations
from tests.real import NOTHING, NOW, Key, Line, Story, active, base, instant, lines, only, said, slice_of, stories

CHECKOUT = Path(__file__).resolve().parents[1]
TICK = timedelta(microseconds=1)


# --- values that flip back --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def models_dev(shared: Path) -> list[Line]:
    """The change log of models.dev."""
    return lines(shared / "data/models.dev/observations.jsonl.gz")


@pytest.mark.slow
def test_a_window_that_flips_back_has_three_segments_of_two_claims(
    models_dev: list[Line], tmp_path: Path, rng: random.Random
) -> None:
    """models.dev, A-B-A: three segments, the first and the last of one claim, with the change windows of T8 (W4, H3).

    The old value is certain up to the last reading of the source before the change, the new one from the change on.
    """
    readings = sorted({instant(line["observedAt"]) for line in models_dev})
    flips = {
        key: story
        for key, story in stories(models_dev).items()
        if key[2] == "limit.context" and not key[1].startswith("@") and len(story) == 3
        and story[0][1] == story[2][1] != story[1][1] and all(value for _, value in story)
    }  # fmt: skip
    gpt_5 = ("providers/openai/models/gpt-5.toml", "openai/gpt-5", "limit.context")
    chosen = {gpt_5, *rng.sample(sorted(flips), 9)}
    assert len(flips) > 30
    log = slice_of(models_dev, {subject for _, subject, _ in chosen}, tmp_path / "log.jsonl")
    with base(read_observations(log, load_mapping("models-dev"))) as kb:
        for key in sorted(chosen):
            provider, _, subject = key[1].partition("/")
            segments = kb.history(subject, "context_window", provider=provider).segments
            (start, a), (back, b), (forth, _) = flips[key]
            before = {moment: readings[readings.index(moment) - 1] + TICK for moment in (back, forth)}
            assert [segment.value for segment in segments] == [str(a), str(b), str(a)], key
            assert [(one.certain.start, one.certain.end) for one in segments if one.certain] == [
                (start, before[back]), (back, before[forth]), (forth, None),
            ]  # fmt: skip
            assert [one.possible.end for one in segments] == [back, forth, None]
            assert [one.possible.start for one in segments[1:]] == [before[back], before[forth]]
            ids = [segment.claims[0].claim_id for segment in segments]
            assert ids[0] == ids[2] != ids[1]
        assert kb.contradictions(all_time=True, predicates=["context_window"]).total == 0


# --- dates corrected long after ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def endoflife(shared: Path) -> list[Line]:
    """The change log of endoflife.date."""
    return lines(shared / "data/endoflife.date/observations.jsonl.gz")


def day(value: Any) -> bool:
    """Say whether a value is written as a day."""
    return isinstance(value, str) and len(value) == 10 and value[:4].isdigit() and value[4] == value[7] == "-"


def corrected(log: list[Line], field: str) -> list[tuple[str, str, datetime, str, str]]:
    """List the cycles whose day was changed once, when both days were past: cycle, product, reading, old, new."""
    keys: dict[str, list[tuple[Key, Story]]] = {}
    for key, story in stories(log).items():
        if key[2].endswith(f"].{field}"):
            cycle = key[2].removeprefix("releases[").removesuffix(f"].{field}")
            keys.setdefault(f"{key[1]} {cycle}".casefold(), []).append((key, story))
    found = []
    for ones in keys.values():
        ((_, product, path), story), *others = ones
        if others or len(story) != 2:
            continue  # a file that moved, or a longer story
        (_, old), (reading, new) = story
        if day(old) and day(new) and old != new and max(old, new) < reading.date().isoformat():
            found.append((path.removeprefix("releases[").removesuffix(f"].{field}"), product, reading, old, new))
    return sorted(found)


@pytest.mark.slow
def test_a_past_end_of_life_corrected_later_is_known_from_the_correction_on(
    endoflife: list[Line], tmp_path: Path, rng: random.Random
) -> None:
    """endoflife.date: before the correction was read the old day stands at every instant asked; after it the source's
    own readings tell the two apart, and they never contradict each other (A4, T8, K2).
    """
    found = corrected(endoflife, "eol")
    assert len(found) > 100
    chosen = rng.sample(found, 25)
    readings = sorted({instant(line["observedAt"]) for line in endoflife})
    log = slice_of(endoflife, {product for _, product, *_ in chosen}, tmp_path / "log.jsonl")
    with base(read_observations(log, load_mapping("endoflife-date"))) as kb:
        for cycle, product, reading, old, new in chosen:
            slot, last = (f"{product} {cycle}", "eol"), readings[readings.index(reading) - 1]
            for moment in (last, reading, NOW):
                assert active(kb, *slot, moment, reading - TICK) == only(old), slot
            assert active(kb, *slot, last, NOW) == only(old)
            assert active(kb, *slot, reading, NOW) == only(new)
            between = {"certain": [], "possible": sorted((old, new))}
            assert active(kb, *slot, last + (reading - last) / 2, NOW) == between
        products = sorted({f"{product} {cycle}" for cycle, product, *_ in chosen})
        assert kb.contradictions(all_time=True, subjects=products, predicates=["eol"]).total == 0


@pytest.mark.parametrize("days", [3, pytest.param(40, marks=pytest.mark.slow)])
def test_a_corrected_release_day_replaces_the_old_at_every_instant(
    endoflife: list[Line], tmp_path: Path, rng: random.Random, days: int
) -> None:
    """endoflife.date: a release day is timeless, so the source corrected itself and the world did not change (T11)."""
    found = corrected(endoflife, "releaseDate")
    assert len(found) > 100
    chosen = rng.sample(found, days)
    log = slice_of(endoflife, {product for _, product, *_ in chosen}, tmp_path / "log.jsonl")
    with base(read_observations(log, load_mapping("endoflife-date"))) as kb:
        for cycle, product, reading, old, new in chosen:
            slot = (f"{product} {cycle}", "release_date")
            for moment in (instant(old), reading - timedelta(days=1), reading, NOW):
                assert active(kb, *slot, moment, reading - TICK) == only(old), slot
                assert active(kb, *slot, moment, reading) == only(new), slot


# --- one model in four sources ----------------------------------------------------------------------------------------

MODEL = ("Anthropic", "Claude Sonnet 4.5")
DATED, UNDATED = "claude-sonnet-4-5-20250929", "claude-sonnet-4-5"
NAMES = {
    "https://github.com/anomalyco/models.dev": "models.dev",
    "https://github.com/pydantic/genai-prices": "genai-prices",
    "https://platform.claude.com/docs/en/release-notes/overview": "release notes",
    "https://platform.claude.com/docs/en/about-claude/models/overview": "models overview",
}


@dataclass(frozen=True, slots=True)
class Said:
    """What a source said of the window, where it is certain, and from which reading to which it could be read."""

    source: str
    value: int
    start: datetime
    end: datetime | None
    read: datetime
    gone: datetime | None = None
    dated: bool = False


def one_name(feed: Feed) -> Feed:
    """Give the model its one name in all sources, and drop what is about other subjects."""
    rows = (row | {"provider": MODEL[0], "subject": MODEL[1]} for row in feed.rows
            if row["provider"] == "anthropic" and row["subject"] in (DATED, UNDATED))  # fmt: skip
    return replace(feed, rows=rows)


def runs(source: str, story: Story, readings: list[datetime]) -> Iterator[Said]:
    """Give the runs of a source read whole: certain from a reading up to the last one before the change (T8)."""
    for (start, value), following in zip(story, [*story[1:], None], strict=True):
        if value:
            gone = following and following[0]
            end = readings[bisect_right(readings, gone - TICK) - 1] + TICK if gone else None
            yield Said(source, int(value), start, end, start, gone)


def documents() -> Iterator[Said]:
    """Give what the shipped claims hold of the provider's own pages."""
    values = {"1M": 1_000_000, "200k": 200_000, "200k tokens": 200_000}
    for line in (CHECKOUT / "seeds/claims/anthropic.jsonl").read_text("utf-8").splitlines():
        claim = json.loads(line)
        name = NAMES.get(claim["source"]["url"])
        if name and (claim["subject"], claim["predicate"]) == (MODEL[1], "context_window"):
            read, start, end = (claim.get(key) for key in ("observed_at", "effective_from", "effective_until"))
            yield Said(name, values[claim["value"]], instant(start or read), end and instant(end), instant(read),
                       dated=bool(start))  # fmt: skip


@pytest.fixture(scope="module")
def sonnet(
    shared: Path, models_dev: list[Line], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[cb.Claimbase, list[Said]]]:
    """A base with what four sources say of one model, and the same worked out by hand."""
    folder, data = tmp_path_factory.mktemp("sonnet"), shared / "data"
    prices, at_last = data / "genai-prices/observations.jsonl.gz", instant("2026-11-10T21:51:41Z")
    listed = json.loads((data / "genai-prices/data_0.2.3.json").read_text("utf-8"))
    newest = next(model["context_window"] for provider in listed if provider["id"] == "anthropic"
                  for model in provider["models"] if model["id"] == UNDATED)  # fmt: skip
    told, raw = stories(models_dev), lines(prices)
    key = (f"providers/anthropic/models/{DATED}.toml", f"anthropic/{DATED}", "limit.context")
    other = ("prices/providers/anthropic.yml", f"anthropic/{UNDATED}", "context_window")
    expected = [
        *runs("models.dev", told[key], sorted({instant(line["observedAt"]) for line in models_dev})),
        *runs("genai-prices", [*stories(raw)[other], (at_last, newest)],
              [*sorted({instant(line["observedAt"]) for line in raw}), at_last]),
        *documents(),
    ]  # fmt: skip
    log = slice_of(models_dev, {f"anthropic/{DATED}"}, folder / "log.jsonl")
    with base(
        one_name(read_observations(log, load_mapping("models-dev"))),
        one_name(read_genai_prices_log(prices)),
        one_name(read_genai_prices(data / "genai-prices/data_0.2.3.json", observed_at=at_last)),
    ) as kb:
        pages = (CHECKOUT / "seeds/claims/anthropic.jsonl").read_text("utf-8").splitlines()
        claims = [claim for claim in map(json.loads, pages) if claim["source"]["url"] in NAMES]
        kb.add([claim for claim in claims if claim["subject"] == MODEL[1] and "platform" in claim["source"]["url"]])
        yield kb, expected


DAYS = [
    "2025-09-30",
    "2025-10-15",
    "2026-03-01",
    "2026-04-15",
    "2026-05-15",
    "2026-08-21T10:00:00",
    "2026-09-30",
    "2026-11-29",
]


@pytest.mark.slow
@pytest.mark.parametrize("moment", [instant(day) for day in DAYS], ids=DAYS)
def test_who_says_what_of_a_window_and_when(sonnet: tuple[cb.Claimbase, list[Said]], moment: datetime) -> None:
    """Sonnet 4.5: the certain value of each source, as known then and as known now, is that of its history (A4)."""
    kb, told = sonnet
    for known in (moment, NOW):
        expected = {
            (one.source, one.value) for one in told
            if one.read <= known and one.start <= moment
            and ((one.gone and known < one.gone) or not one.end or moment < one.end)
        }  # fmt: skip
        rows = said(kb, MODEL[1], "context_window", moment, known)
        numbers = {"1M": 1_000_000, "200k": 200_000, "200k tokens": 200_000}
        found = {(NAMES[url], numbers.get(value) or int(value)) for value, sure, url in rows if sure == "certain"}
        assert found == expected


def contradicted(told: list[Said]) -> dict[tuple[str, str], tuple[datetime, datetime | None]]:
    """Work out who contradicts whom at some instant, and over which stretch both values are certain (K1)."""
    far = datetime.max.replace(tzinfo=UTC)
    found = {}
    for place, one in enumerate(told):
        for other in told[place + 1 :]:
            start, end = max(one.start, other.start), min(one.end or far, other.end or far)
            if one.value != other.value and start < end:
                sides = sorted(f"{side.source} {side.value}" for side in (one, other))
                found[sides[0], sides[1]] = (start, None if end == far else end)
    return found


@pytest.mark.slow
def test_the_sources_contradict_each_other_where_their_histories_do(sonnet: tuple[cb.Claimbase, list[Said]]) -> None:
    """Sonnet 4.5: one card; its pairs and disputed intervals are those of the raw histories, and all of them are hard:
    each source was read again after the other began to say otherwise (K1, K3, K10).
    """
    kb, told = sonnet
    report = kb.contradictions(all_time=True, subjects=[MODEL[1]], predicates=["context_window"])
    (card,) = report.cards
    numbers = {"1M": 1_000_000, "200k": 200_000, "200k tokens": 200_000}
    claims = {one.claim_id: one for side in card.sides for one in side.claims}
    found = {}
    for pair in card.pairs:
        sides = sorted(
            f"{NAMES[claims[one].url]} {numbers.get(str(claims[one].value)) or claims[one].value}"
            for one in pair.claims
        )
        (stretch,) = pair.disputed
        found[sides[0], sides[1]] = (stretch.start, stretch.end)
    expected = contradicted(told)
    assert len(expected) >= 3
    assert found == expected
    assert dict(card.counts) == {"hard": len(expected)}
    assert {"genai-prices", "models.dev", "release notes"} <= {
        name.rsplit(" ", 1)[0] for pair in found for name in pair
    }


def test_an_input_limit_is_no_window(shared: Path) -> None:
    """An input limit is all that litellm states: another predicate, so it disagrees with nobody on the window (K1)."""
    path = shared / "data/litellm/model_prices_1.110.2.json"
    entry = json.loads(path.read_text("utf-8"))[UNDATED]
    with base(one_name(read_litellm(path, observed_at="2026-11-20T04:05:34Z"))) as kb:
        assert active(kb, MODEL[1], "max_input", NOW, NOW) == only(entry["max_input_tokens"])
        assert active(kb, MODEL[1], "context_window", NOW, NOW) == NOTHING
