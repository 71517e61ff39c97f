"""Contradictions between three real catalogues, checked against their own files in plain Python (semantics 7).

The oracle replays each file into boxes: a value, where it certainly holds, and when its source was last read. Which
boxes of a slot cannot both hold, over which stretch and of which kind, is then worked out from K1 and K3 as written.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import combinations, groupby, pairwise
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest

import claimbase as cb
from claimbase.analysis.contradictions import KINDS, Card, ContradictionReport
from claimbase.importers.genai_prices import read_genai_prices, read_genai_prices_log
from claimbase.importers.litellm import read_litellm_log
from claimbase.importers.mapping import load_mapping
from claimbase.importers.observations import read_observations
from tests.real import NOW, Line, instant, lines

pytestmark = pytest.mark.slow

TICK = timedelta(microseconds=1)
FAR = datetime.max.replace(tzinfo=UTC)
TOLERANCE = Decimal("0.055")  # of token limits; prices have none
# Where models.dev, litellm and genai-prices keep what a predicate means, without scope.
FIELDS = {
    "input_price": ("cost.input", "input_cost_per_token", "input_mtok"),
    "output_price": ("cost.output", "output_cost_per_token", "output_mtok"),
    "cached_input_price": ("cost.cache_read", "cache_read_input_token_cost", "cache_read_mtok"),
    "max_input": ("limit.input", "max_input_tokens", None),
    "max_output": ("limit.output", "max_output_tokens", None),
    "context_window": ("limit.context", None, "context_window"),
}  # fmt: skip
RENAMED = {"cost.inputCached": "cached_input_price"}  # its name until June 2025
Slot = tuple[str, str, str]
Content = tuple[Decimal, str, str | None, str | None]  # the value, as written, its stated start and end


@dataclass(slots=True)
class Told:
    """What a source said: its readings, and per slot the contents that stood after each reading that changed them."""

    readings: list[datetime] = field(default_factory=list)
    slots: dict[Slot, list[tuple[datetime, frozenset[Content]]]] = field(default_factory=dict)

    def note(self, slot: Slot, moment: datetime, contents: Iterable[Content]) -> None:
        """Note what a slot holds from a reading on, if that is news."""
        story, said = self.slots.setdefault(slot, []), frozenset(contents)
        if said != (story[-1][1] if story else frozenset()):
            story.append((moment, said))


@dataclass(frozen=True, slots=True)
class Box:
    """One run of one content of one source: where it is certain, and the last reading that said it."""

    source: str
    content: Content
    start: datetime
    end: datetime
    last_seen: datetime

    @property
    def name(self) -> tuple[str, str]:
        """The source and the value, as a card shows them."""
        return self.source, f"{self.content[0].normalize():f}"


def folded(name: str) -> str:
    """Fold a name as its identity does."""
    return " ".join(name.split()).casefold()


def number(value: Any, name: str) -> tuple[Decimal, str] | None:
    """Give a number in the predicate's unit, rounded to the 15 digits of a double, and as written; limit 0 is none."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    exact = Decimal(f"{value:.15g}") * (1_000_000 if name.endswith(("_token", "_token_cost")) else 1)
    fits = exact >= 0 and exact == round(exact, 12)
    return (exact, repr(value)) if fits and (exact or not name.startswith("limit.")) else None


def models_dev(log: list[Line]) -> Told:
    """Replay models.dev: several files may speak of one slot."""
    means = RENAMED | {paths[0]: predicate for predicate, paths in FIELDS.items()}
    told, keys = Told(), dict[Slot, dict[tuple[str, str], Content]]()
    for at, reading in groupby(log, key=itemgetter("observedAt")):
        told.readings.append(instant(at))
        touched = set()
        for line in reading:
            provider, _, name = line["subject"].partition("/")
            if line["path"] in means and provider != "@model":
                slot = (folded(provider), folded(name), means[line["path"]])
                touched.add(slot)
                keys.setdefault(slot, {}).pop((line["file"], line["path"]), None)
                if (value := number(line.get("value"), line["path"])) is not None:
                    keys[slot][line["file"], line["path"]] = (*value, None, None)
        for slot in touched:
            told.note(slot, told.readings[-1], keys[slot].values())
    return told


def litellm(log: list[Line]) -> Told:
    """Replay litellm: after each release, the slots of all of its entries."""
    told, entries = Told(), dict[str, dict[str, Any]]()
    for at, reading in groupby(log, key=itemgetter("observedAt")):
        for line in reading:
            entry = entries.setdefault(line["subject"], {})
            entry.pop(line["path"], None)
            if line["op"] != "remove":
                entry[line["path"]] = line["value"]
        listed(told, instant(at), litellm_slots(entries))
    return told


def litellm_slots(entries: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[Slot, Content]]:
    """Give what the entries of a release say; an entry's key loses its provider's name."""
    for key, entry in entries.items():
        provider = re.sub(r"-\w+[-_]models$", "", entry.get("litellm_provider", ""))
        for predicate, (_, name, _) in FIELDS.items():
            value = number(entry.get(name or ""), name or "")
            if provider and value is not None:
                yield (folded(provider), folded(key.removeprefix(f"{provider}/")), predicate), (*value, None, None)


def genai_prices(log: list[Line], listing: list[dict[str, Any]], at_last: datetime) -> Told:
    """Replay genai-prices: its files' history, then the list of a later release; dated prices end at the next date."""
    told, models = Told(), dict[str, dict[str, Any]]()
    for at, reading in groupby(log, key=itemgetter("observedAt")):
        touched = set()
        for line in reading:
            touched.add(line["subject"])
            models.setdefault(line["subject"], {}).pop(line["path"], None)
            if line["op"] != "remove":
                models[line["subject"]][line["path"]] = line["value"]
        told.readings.append(instant(at))
        for subject in touched:
            provider, _, name = subject.partition("/")
            for predicate in FIELDS:
                slot = (folded(provider), folded(name), predicate)
                told.note(slot, told.readings[-1], genai_contents(models[subject], predicate))
    listed(told, at_last, genai_slots(listing))
    return told


def genai_contents(model: Mapping[str, Any], predicate: str) -> Iterator[Content]:
    """Give what the paths of a model say: a base price, and dated ones."""
    name = FIELDS[predicate][2]
    starts = sorted(
        {found[1] for found in (re.match(r"prices\[start_date=([\d-]+)\]", path) for path in model) if found}
    )
    for path, value in model.items():
        found = re.fullmatch(rf"prices(?:\[start_date=([\d-]+)\])?\.{name}(?:\.base)?", path)
        if path == name and (window := number(value, path)) is not None:
            yield *window, None, None
        elif found and (price := number(value, path)) is not None:
            yield *price, found[1], next((start for start in starts if start > (found[1] or "")), None)


def genai_slots(listing: list[dict[str, Any]]) -> Iterator[tuple[Slot, Content]]:
    """Give what a list says, written as the paths of its files."""
    for provider in listing:
        for model in provider["models"]:
            paths: dict[str, Any] = {"context_window": model.get("context_window")}
            entries = model["prices"] if isinstance(model["prices"], list) else [{"prices": model["prices"]}]
            for entry in entries:
                start = (entry.get("constraint") or {}).get("start_date")
                if "start_time" not in (entry.get("constraint") or {}):
                    for key, price in entry["prices"].items():
                        plain = price["base"] if isinstance(price, dict) else price
                        paths[f"prices{f'[start_date={start}]' if start else ''}.{key}"] = plain
            for predicate in FIELDS:
                for content in genai_contents(paths, predicate):
                    yield (folded(provider["id"]), folded(model["id"]), predicate), content


def listed(told: Told, moment: datetime, said: Iterable[tuple[Slot, Content]]) -> None:
    """Note a full listing: what it does not name is gone."""
    now: dict[Slot, set[Content]] = {}
    for slot, content in said:
        now.setdefault(slot, set()).add(content)
    told.readings.append(moment)
    for slot in {*told.slots, *now}:
        told.note(slot, moment, now.get(slot, ()))


def boxes(source: str, told: Told, slot: Slot) -> Iterator[Box]:
    """Give the boxes of a source in a slot: from the first reading or the stated start, to the last or the stated end.

    The last reading counts where a later one says otherwise or nothing (T8, W2). A dated content has its newest run
    only. An undated start lies before the stated end, even if it was read after it (T5).
    """
    story = told.slots.get(slot, [])
    for content, runs in runs_of(story).items():
        _, _, start, end = content
        for first, gone in runs[-1:] if start or end else runs:
            last = told.readings[bisect_left(told.readings, gone) - 1]
            ended = instant(end) if end else FAR
            begun = instant(start) if start else min(first, ended - TICK)
            until = ended if gone == FAR else min(ended, max(last + TICK, successor(story, content, gone, last)))
            if begun < until:
                yield Box(source, content, begun, until, last)


def runs_of(story: list[tuple[datetime, frozenset[Content]]]) -> dict[Content, list[tuple[datetime, datetime]]]:
    """Give each content's runs: the reading that said it first, and the first that no longer did."""
    found: dict[Content, list[tuple[datetime, datetime]]] = {}
    before: frozenset[Content] = frozenset()
    for moment, said in story:
        for content in said - before:
            found.setdefault(content, []).append((moment, FAR))
        for content in before - said:
            found[content][-1] = (found[content][-1][0], moment)
        before = said
    return found


def successor(
    story: list[tuple[datetime, frozenset[Content]]], content: Content, gone: datetime, last: datetime
) -> datetime:
    """Give the stated start of the value that takes an undated one's place, if it lies after its last reading (T8)."""
    place = bisect_left(story, gone, key=itemgetter(0))
    for (_, before), (_, said) in pairwise([(gone, story[place - 1][1]), *story[place:]]):
        if content in said:
            break
        new = [one for one in said - before if one[0] != content[0] and one[3] is None]
        if new:
            starts = [instant(one[2]) for one in new if one[2] and instant(one[2]) > last]
            return min(starts) if starts and content[2] is None else last
    return last


def apart(one: Decimal, other: Decimal, predicate: str) -> bool:
    """Say whether two values of a predicate differ by more than rounding explains (V4, V9)."""
    return abs(one - other) > (0 if "price" in predicate else TOLERANCE) * max(abs(one), abs(other))


def kind(one: Box, other: Box) -> str:
    """Give the kind of a pair of two sources, the first that applies (K3): a later stated start may be a succession."""
    first, second = sorted((one, other), key=lambda box: box.start)
    follows = first.end == FAR and second.start > first.start and second.content[2] is not None
    return "unconfirmed_succession" if follows and first.last_seen < second.start else "hard"


Pairs = dict[tuple[str, frozenset[tuple[str, str]]], set[tuple[datetime, datetime]]]


def expected(told: Mapping[str, Told], slot: Slot) -> Pairs:
    """Work out the pairs of two sources in a slot, each with its kind and disputed stretches (K1)."""
    found: Pairs = {}
    everything = [box for source, one in told.items() for box in boxes(source, one, slot)]
    for one, other in combinations(everything, 2):
        start, end = max(one.start, other.start), min(one.end, other.end)
        if one.source != other.source and start < end and apart(one.content[0], other.content[0], slot[2]):
            found.setdefault((kind(one, other), frozenset((one.name, other.name))), set()).add((start, end))
    return found


def shown(card: Card) -> Pairs:
    """Give the pairs of two sources that a card shows, in the oracle's words."""
    cited = {one.claim_id: one for side in card.sides for one in side.claims}
    found: Pairs = {}
    for pair in card.pairs:
        sides = frozenset(
            (str(cited[c].publisher), f"{(cited[c].value_min or Decimal(0)).normalize():f}") for c in pair.claims
        )
        if len({source for source, _ in sides}) == 2:
            stretches = {(one.start or FAR, one.end or FAR) for one in pair.disputed}
            found.setdefault((pair.kind, sides), set()).update(stretches)
    return found


@pytest.fixture(scope="module")
def told(shared: Path) -> dict[str, Told]:
    """What the three catalogues said, replayed."""
    data = shared / "data"
    listing = json.loads((data / "genai-prices/data_0.2.3.json").read_text("utf-8"))
    return {
        "models.dev": models_dev(lines(data / "models.dev/observations.jsonl.gz")),
        "BerriAI": litellm(lines(data / "litellm/observations.jsonl.gz")),
        "Pydantic": genai_prices(
            lines(data / "genai-prices/observations.jsonl.gz"), listing, instant("2026-11-10T21:51:41Z")
        ),
    }


@pytest.fixture(scope="module")
def combined(shared: Path) -> Iterator[cb.Claimbase]:
    """A base with the shipped claims and the three catalogues, history and newest list."""
    data = shared / "data"
    with cb.demo(cb.FixedClock(NOW)) as kb:
        kb.load(read_observations(data / "models.dev/observations.jsonl.gz", load_mapping("models-dev")))
        kb.load(read_genai_prices_log(data / "genai-prices/observations.jsonl.gz"))
        kb.load(read_genai_prices(data / "genai-prices/data_0.2.3.json", observed_at="2026-11-10T21:51:41Z"))
        kb.load(read_litellm_log(data / "litellm/observations.jsonl.gz"))
        yield kb


@pytest.fixture(scope="module")
def report(combined: cb.Claimbase) -> ContradictionReport:
    """All contradictions of the combined base over all time."""
    return combined.contradictions(all_time=True)


def slot_of(card: Card) -> Slot:
    """Give the slot of a card, names folded."""
    return folded(card.provider), folded(card.subject), card.predicate


@pytest.fixture(scope="module")
def examined(report: ContradictionReport, told: dict[str, Told], checkout: Path) -> dict[Slot, Card]:
    """The cards without scope of the slots that the files name, but for those of which the shipped claims speak too."""
    slots = {slot for one in told.values() for slot in one.slots}
    for file in (checkout / "seeds" / "claims").glob("*.jsonl"):
        for claim in map(json.loads, file.read_text("utf-8").splitlines()):
            slots.discard((folded(claim["provider"]), folded(claim["subject"]), claim["predicate"]))
    return {slot_of(card): card for card in report.cards if not card.scope and slot_of(card) in slots}


def test_every_card_is_what_the_files_say(examined: dict[Slot, Card], told: dict[str, Told]) -> None:
    """On each card the pairs of two catalogues, their kinds and stretches are those of the raw files (K1, K3)."""
    assert len(examined) > 900
    different = [slot for slot, card in examined.items() if shown(card) != expected(told, slot)]
    assert different == []


def test_no_disagreement_of_two_catalogues_is_missed(examined: dict[Slot, Card], told: dict[str, Told]) -> None:
    """Every slot in which two files certainly disagree has a card, and no card stands without one (K1)."""
    slots = {slot for one in told.values() for slot in one.slots}
    wanted = {slot for slot in slots if expected(told, slot)}
    assert len(wanted) > 900
    found = {slot for slot, card in examined.items() if shown(card)}
    assert found <= wanted
    assert len(wanted - found) < 10, "those of which the shipped claims speak too"


def test_the_counts_are_those_of_the_pairs(report: ContradictionReport) -> None:
    """The counts by kind sum up over the cards, and each card's over its pairs (K10)."""
    assert report.total == sum(sum(card.counts.values()) for card in report.cards) > 1_000
    assert set(report.counts) <= set(KINDS)
    assert report.counts["hard"] > report.counts["unconfirmed_succession"] > 0
    for card in report.cards:
        assert len(card.pairs) == min(sum(card.counts.values()), 100), card.subject
