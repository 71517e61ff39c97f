"""Real announcements: rates and clocks whose change was known before, or only after, the day on which it took effect.

The sources date their statements themselves; every expected value is computed here from the raw file.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from itertools import groupby, pairwise
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest

import claimbase as cb
from claimbase.importers.mapping import load_mapping
from claimbase.importers.observations import read_observations
from tests.real import NOW, Line, active, base, instant, lines, only

TICK = timedelta(microseconds=1)
Given = tuple[cb.Claimbase, list[Line]]


# --- a tax cut announced ----------------------------------------------------------------------------------------------


def rate(log: list[Line], country: str, valid_at: str, known: str) -> Any:
    """Give the standard rate of a day as the file had it at a reading: that of the last period begun (own dates)."""
    periods: dict[str, Any] = {}
    for line in log:
        path = line["path"]
        if (
            line["observedAt"] <= known
            and line["subject"] == country
            and path.startswith("rates[from=")
            and path.endswith("].standard")
        ):
            periods[path[11:21]] = line.get("value")
    begun = [start for start, value in periods.items() if value is not None and start <= valid_at]
    return periods[max(begun)] if begun else None


@pytest.fixture(scope="module")
def vat(shared: Path) -> Iterator[Given]:
    """A base with the history of the VAT rates, and its raw lines."""
    path = shared / "data/vat-rates/observations.jsonl"
    with base(read_observations(path, load_mapping("vat-rates"))) as kb:
        yield kb, lines(path)


def test_the_german_cut_was_known_before_it_held(vat: Given, shared: Path) -> None:
    """Germany, 16 % from July to December 2020, announced on 4 June: when it holds and when it was known (A2, A4)."""
    kb, log = vat
    (announced,) = {
        line["observedAt"]
        for line in log
        if line["subject"] == "DE" and line["path"] == "rates[from=2020-07-01].standard"
    }
    assert announced.startswith("2020-06-04")
    table = {}
    for valid_at in ("2020-06-30", "2020-07-01", "2020-12-31", "2021-01-01"):
        for known in ("2020-06-03", announced, "2026-11-29"):
            expected = rate(log, "DE", valid_at, known)
            assert active(kb, "DE", "vat_standard_rate", instant(valid_at), instant(known)) == only(expected)
            table[valid_at, known] = expected
    assert [table[day, "2020-06-03"] for day in ("2020-06-30", "2020-12-31", "2021-01-01")] == [19, 19, 19]
    assert [table[day, announced] for day in ("2020-06-30", "2020-12-31", "2021-01-01")] == [19, 16, 19]
    windows = json.loads((shared / "data/vat-rates/duty27_windows.json").read_text("utf-8"))["rates"]
    (german,) = (country["windows"] for country in windows if country["code"] == "DE")
    for window in german:  # a second source that was made without the first
        start = instant(window["effective_from"])
        assert active(kb, "DE", "vat_standard_rate", start, NOW) == only(window["rate"])


def test_every_country_has_the_rate_its_file_had(vat: Given, rng: random.Random) -> None:
    """300 random countries, days and readings: the rate is that of the file's own periods as it stood then (T8 own)."""
    kb, log = vat
    countries = sorted({line["subject"] for line in log if line["path"].startswith("rates[")})
    seen = set()
    for _ in range(300):
        country = rng.choice(countries)
        valid_at = (datetime(2005, 1, 1, tzinfo=UTC) + timedelta(days=rng.randrange(7_600))).date().isoformat()
        known = (datetime(2019, 2, 11, tzinfo=UTC) + timedelta(days=rng.randrange(2_800))).date().isoformat()
        expected = rate(log, country, valid_at, known)
        found = active(kb, country, "vat_standard_rate", instant(valid_at), instant(known))
        assert found == only(expected), (
            country,
            valid_at,
            known,
        )
        seen.add(expected)
    assert len(seen) > 8


# --- clocks: what a release knew of the hours of a zone ---------------------------------------------------------------

Zone = dict[str, dict[str, Any]]


def offset(zone: Mapping[str, Any], moment: str) -> Any:
    """Give the offset of a zone's data at an instant."""
    for start, said in zone.items():
        if (start == "before-2000" or start <= moment) and (said["until"] is None or moment < said["until"]):
            return said["utoff_s"]
    return None


def releases(log: list[Line]) -> Iterator[tuple[str, dict[str, Zone], dict[str, Zone]]]:
    """Replay the releases: instant, the changed zones before, and after."""
    zones: dict[str, Zone] = {}
    for released, group in groupby(log, key=itemgetter("observedAt")):
        changes = list(group)
        before = {line["subject"]: dict(zones.get(line["subject"], {})) for line in changes}
        for line in changes:
            zone, start = (
                zones.setdefault(line["subject"], {}),
                line["path"].removeprefix("utoff[from=").removesuffix("]"),
            )
            if line["op"] == "remove":
                zone.pop(start, None)
            else:
                zone[start] = json.loads(line["value"])
        yield released, before, {name: dict(zones[name]) for name in before}


def first_difference(old: Zone, new: Zone) -> str | None:
    """Give the first instant from which two releases show different hours, within the years the log holds."""
    starts = sorted({start for zone in (old, new) for start in zone} - {"before-2000"})
    return next((start for start in starts if offset(old, start) != offset(new, start)), None)


@pytest.fixture(scope="module")
def clocks(shared: Path) -> Iterator[Given]:
    """A base with the releases of the tz database, and its raw lines."""
    path = shared / "data/tz/observations.jsonl.gz"
    with base(read_observations(path, load_mapping("tz"))) as kb:
        yield kb, lines(path)


@pytest.mark.slow
def test_mexico_ends_summer_time_in_a_release_of_the_week_before(clocks: Given, shared: Path) -> None:
    """Mexico City: the release that carried the end, its day, and the first instant at which the clocks differ (A4)."""
    kb, log = clocks
    zone = "America/Mexico_City"
    changes = [(at, old[zone], new[zone]) for at, old, new in releases(log) if zone in new and old[zone]]
    (released, old, new) = next(
        change for change in changes if offset(change[1], "2023-07-01") != offset(change[2], "2023-07-01")
    )
    effective = first_difference(old, new)
    assert effective is not None
    tags = {
        instant(tag["committed"]): tag["tag"] for tag in json.loads((shared / "data/tz/tags.json").read_text("utf-8"))
    }
    prose = (shared / "data/tz/NEWS").read_text("utf-8")
    entry = prose.split(f"Release {tags[instant(released)]} - ")[1].split("\nRelease ")[0]
    assert "Mexico will no longer observe DST after 2022" in " ".join(entry.split())
    # The release came a day before the last change of the clocks, and months before the first one that is left out.
    last_change = max(start for start in new if start != "before-2000")
    assert timedelta(0) < instant(last_change) - instant(released) < timedelta(days=2)
    assert instant(effective) - instant(released) > timedelta(days=150)
    summer = instant("2023-07-01")
    assert active(kb, zone, "utc_offset", summer, instant(released) - TICK) == only(offset(old, "2023-07-01"))
    assert active(kb, zone, "utc_offset", summer, instant(released)) == only(offset(new, "2023-07-01"))
    for moment in (instant(last_change) - TICK, instant(last_change)):
        written = moment.isoformat().replace("+00:00", "Z")
        assert active(kb, zone, "utc_offset", moment, NOW) == only(offset(new, written))


@pytest.mark.slow
def test_late_news_of_the_clocks_is_known_from_its_release_on(clocks: Given) -> None:
    """Zones whose clocks had already changed when a release first said so (Beirut 2023): at the instants between, the
    base that may read only up to then shows the old hours, and the one that may read on the new ones (A2, A4).
    """
    kb, log = clocks
    late = []
    for (earlier, _, _), (released, old, new) in pairwise(releases(log)):
        for zone in new:
            effective = first_difference(old[zone], new[zone]) if old[zone] else None
            if effective and earlier < effective < released:
                late.append((zone, effective, released, offset(old[zone], effective), offset(new[zone], effective)))
    assert len(late) >= 25
    assert ("Asia/Beirut", "2023-03-25T22:00:00Z") in [(zone, effective) for zone, effective, *_ in late]
    for zone, effective, released, was, became in late:
        for known, expected in (
            (instant(effective), was),
            (instant(released) - TICK, was),
            (instant(released), became),
        ):
            assert active(kb, zone, "utc_offset", instant(effective), known) == only(expected), (zone, effective, known)


@pytest.mark.slow
def test_any_zone_shows_the_hours_of_the_release_then(clocks: Given, rng: random.Random) -> None:
    """300 random zones, instants and releases: the offset is that of the release's own intervals (T8 own)."""
    kb, log = clocks
    names = sorted({line["subject"] for line in log})
    asked = [(rng.choice(names), rng.uniform(0, 30.9), rng.uniform(12.7, 26.5)) for _ in range(300)]
    questions = sorted((2000 + known, zone, 2000 + valid) for zone, valid, known in asked)
    history, current = iter(releases(log)), dict[str, Zone]()
    upcoming = next(history, None)
    for known, zone, valid in questions:
        moment, seen = (
            datetime(2000, 1, 1, tzinfo=UTC) + timedelta(days=(year - 2000) * 365.2425) for year in (valid, known)
        )
        while upcoming and instant(upcoming[0]) <= seen:
            current |= upcoming[2]
            upcoming = next(history, None)
        expected = offset(current.get(zone, {}), moment.strftime("%Y-%m-%dT%H:%M:%SZ"))
        found = active(kb, zone, "utc_offset", moment.replace(microsecond=0), seen)
        assert found == only(expected), (zone, moment, seen)
