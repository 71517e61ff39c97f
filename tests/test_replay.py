"""As-of answers against a replay of the source's own history, one change after the other, in plain Python.

The oracle knows slots only as sets of written values at the source's readings. Between two readings it says: what stood
at both is certain, what stood at one of them is possible (T8). Nothing of the importers is used to build it.
"""

from __future__ import annotations

import gzip
import json
import random
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

import claimbase as cb
from claimbase.importers.genai_prices import read_genai_prices
from claimbase.importers.litellm import read_litellm
from claimbase.importers.mapping import load_mapping
from claimbase.importers.observations import read_observations

Slot = tuple[str, str, str]  # provider, subject, predicate; names folded
Said = frozenset[tuple[str, bool]]  # values as written, and whether each is an absence
Meaning = Callable[[str, str, Any], tuple[Slot, tuple[str, bool] | None] | None]
NOTHING: Said = frozenset()
ACTIVE = """
    SELECT t.value, c.absent, c.certain FROM cb.active($valid_at, $observed_by, $recorded_by) AS c
    JOIN cb.subject AS s ON s.subject_id = c.subject_id
    JOIN cb.predicate AS p ON p.predicate_id = c.predicate_id
    JOIN cb.statement AS t ON t.claim_no = c.claim_no
    WHERE s.provider_key = $provider AND s.name_key = $subject AND p.name = $predicate AND c.scope_id = 0"""


@dataclass(slots=True)
class Told:
    """What a source said: its readings, and per slot the sets of values from the readings that changed them."""

    readings: list[datetime] = field(default_factory=list)
    slots: dict[Slot, list[tuple[datetime, Said]]] = field(default_factory=dict)

    def at(self, slot: Slot, moment: datetime) -> Said:
        """Give what the slot's values were at the last reading up to an instant."""
        story = self.slots[slot]
        place = bisect_right(story, moment, key=lambda change: change[0])
        return story[place - 1][1] if place else NOTHING

    def window(self, moment: datetime) -> tuple[datetime | None, datetime | None]:
        """Give the readings around an instant; the same one twice if it is one, None where there is none."""
        before, after = bisect_right(self.readings, moment), bisect_left(self.readings, moment)
        return (
            self.readings[before - 1] if before else None,
            self.readings[after] if after < len(self.readings) else None,
        )

    def expected(self, slot: Slot, moment: datetime) -> tuple[Said, Said]:
        """Give what is certain and what is at least possible at an instant, all readings known (T8, T5, W2)."""
        last, following = self.window(moment)
        here = self.at(slot, last) if last else NOTHING
        there = self.at(slot, following) if following else here
        return here & there, here ^ there


def folded(name: str) -> str:
    """Fold a name as its identity does: case and blanks do not tell two names apart."""
    return " ".join(name.split()).casefold()


def written(value: Any) -> str:
    """Give a JSON scalar as it is written."""
    return value if isinstance(value, str) else json.dumps(value)


def parsed(text: str) -> Any:
    """Parse JSON with its numbers as text."""
    return json.loads(text, parse_float=str, parse_int=str)


def replayed(path: Path, meaning: Meaning) -> Told:
    """Replay a change log: after each reading, every slot's set of values over all keys that state it."""
    raw = path.read_bytes()
    lines = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode().splitlines()
    told, keys = Told(), dict[Slot, dict[tuple[str, str], tuple[str, bool]]]()
    for at, changes in groupby(map(parsed, lines), key=lambda change: change["observedAt"]):
        moment, touched = datetime.fromisoformat(at), set[Slot]()
        told.readings.append(moment)
        for change in changes:
            found = meaning(change["subject"], change["path"], change.get("value"))
            if found is None:
                continue
            slot, value = found
            touched.add(slot)
            keys.setdefault(slot, {}).pop((change["file"], change["path"]), None)
            if change["op"] != "remove" and value is not None:
                keys[slot][change["file"], change["path"]] = value
        for slot in touched:
            note(told, slot, moment, frozenset(keys[slot].values()))
    return told


def note(told: Told, slot: Slot, moment: datetime, said: Said) -> None:
    """Note what a slot states from a reading on, if that is news."""
    story = told.slots.setdefault(slot, [])
    if said != (story[-1][1] if story else NOTHING):
        story.append((moment, said))


def asked(kb: cb.Claimbase, slot: Slot, valid_at: datetime, observed_by: datetime) -> tuple[Said, Said]:
    """Ask the base what is certainly and what is possibly active in a slot at a basis."""
    names = dict(zip(("provider", "subject", "predicate"), slot, strict=True))
    basis = {"valid_at": valid_at, "observed_by": observed_by, "recorded_by": kb.basis().now}
    rows = kb.db.query(ACTIVE, {**names, **basis}).rows
    certain = frozenset((value, absent) for value, absent, sure in rows if sure)
    return certain, frozenset((value, absent) for value, absent, sure in rows if not sure) - certain


def compare(kb: cb.Claimbase, told: Told, rng: random.Random, count: int) -> dict[str, int]:
    """Compare *count* random slots and days with the replay, and half as many changes: before, between, after."""
    now, seen = kb.basis().now, dict.fromkeys(("certain", "possible", "nothing"), 0)
    slots = sorted(slot for slot, story in told.slots.items() if story)
    span = (now - told.readings[0]) / timedelta(days=1)
    for _ in range(count):
        slot = rng.choice(slots)
        day = told.readings[0] + timedelta(days=rng.uniform(-30, span))
        certain, _ = asked(kb, slot, day, day)
        assert certain == told.at(slot, day), f"as known on {day} about {slot}"
        check(kb, told, slot, day, now, seen)
    changed = [(slot, moment) for slot in slots for moment, _ in told.slots[slot]]
    for slot, moment in rng.sample(changed, min(count // 2, len(changed))):
        last, _ = told.window(moment - timedelta(microseconds=1))
        check(kb, told, slot, moment, now, seen)
        if last:  # the reading before still shows the old state, the time between them both
            check(kb, told, slot, last, now, seen)
            check(kb, told, slot, last + (moment - last) / 2, now, seen)
    return seen


def check(kb: cb.Claimbase, told: Told, slot: Slot, moment: datetime, now: datetime, seen: dict[str, int]) -> None:
    """Compare one instant as known now: certain values exactly, and every possible one of the window among them."""
    certain, possible = asked(kb, slot, moment, now)
    wanted, between = told.expected(slot, moment)
    assert certain == wanted, f"as known now about {slot} at {moment}"
    assert between <= possible, f"the change window of {slot} at {moment}"
    seen["certain"] += bool(certain)
    seen["possible"] += bool(between)
    seen["nothing"] += not certain


# --- logs made here ---------------------------------------------------------------------------------------------------

RULES = {"cost.input": "input_price", "limit.context": "context_window", "tool_call": "tool_use"}


def models_dev(subject: str, path: str, value: Any) -> tuple[Slot, tuple[str, bool] | None] | None:
    """Read models.dev: a provider, its model, one of a few paths; a limit of 0 says nothing."""
    if path not in RULES or subject.startswith("@model/"):
        return None
    provider, _, name = subject.partition("/")
    said = None if value is None or (path == "limit.context" and value == "0") else (written(value), False)
    return (folded(provider), folded(name), RULES[path]), said


def made_log(rng: random.Random, path: Path) -> Path:
    """Write a random change log: few keys, some sharing a slot, changes, removals and readings without news."""
    lines, state, moment = [], dict[tuple[str, str], Any](), datetime(2026, 1, 1, tzinfo=UTC)
    for _ in range(rng.randint(2, 12)):
        moment += timedelta(hours=rng.randint(1, 400))
        if rng.random() < 0.3:  # a reading without news
            line = {"op": "set", "file": "f", "subject": "acme/one", "path": "name", "value": "One"}
            lines.append(json.dumps({"observedAt": moment.isoformat().replace("+00:00", "Z")} | line))
            continue
        for _ in range(rng.randint(1, 3)):
            key = (f"acme/{rng.choice(['one', 'One', 'two'])}", rng.choice(["cost.input", "limit.context"]))
            value = rng.choice([1, 2, 2.5]) if key[1] == "cost.input" else rng.choice([0, 1000, 2000])
            op = "remove" if key in state and rng.random() < 0.35 else "change" if key in state else "set"
            line = {"observedAt": moment.isoformat().replace("+00:00", "Z"), "op": op, "file": key[0]}
            line |= {"subject": key[0], "path": key[1]} | ({} if op == "remove" else {"value": value})
            lines.append(json.dumps(line))
            if op == "remove":
                del state[key]
            else:
                state[key] = value
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


@pytest.mark.parametrize("logs", [2, pytest.param(8, marks=pytest.mark.slow)])
def test_made_logs_answer_as_their_replay(tmp_path: Path, rng: random.Random, logs: int) -> None:
    """At any instant the answer equals the replay: as known then always, as known now certain and possible (T8, W2)."""
    seen = {"certain": 0, "possible": 0, "nothing": 0}
    for number in range(logs):
        log = made_log(rng, tmp_path / f"{number}.jsonl")
        told = replayed(log, models_dev)
        if not any(told.slots.values()):
            continue
        with cb.open() as kb:
            kb.load(read_observations(log, load_mapping("models-dev")), on_error="raise")
            for kind, times in compare(kb, told, rng, 20).items():
                seen[kind] += times
    assert all(times >= 5 for times in seen.values()), f"the samples met too little: {seen}"


def test_a_log_loaded_again_or_longer_ends_in_the_same_answers(tmp_path: Path, rng: random.Random) -> None:
    """Loading a log twice adds nothing; its beginning first and then all of it answers like all of it at once (B6)."""
    log = made_log(rng, tmp_path / "all.jsonl")
    told, mapping = replayed(log, models_dev), load_mapping("models-dev")
    lines = log.read_text("utf-8").splitlines(keepends=True)
    instants = [json.loads(line)["observedAt"] for line in lines]
    cut = bisect_left(instants, instants[len(instants) // 2])
    part = tmp_path / "part.jsonl"
    part.write_text("".join(lines[:cut] or lines), "utf-8")
    with cb.open() as kb:
        kb.load(read_observations(part, mapping))
        kb.load(read_observations(log, mapping))
        again = kb.load(read_observations(log, mapping))
        assert (again.added, again.readings, again.versions_added, again.versions_retracted) == (0, 0, 0, 0)
        compare(kb, told, rng, 20)


# --- real sources -----------------------------------------------------------------------------------------------------

DAY = re.compile(r"\d{4}-(0[1-9]|1[0-2])-\d\d|[A-Z][a-z]+ \d{1,2}, \d{4}")
UNDATED = ("no day announced", True)
# What yes and no mean, by field: an absence, or nothing (the day of a past end is not given).
ENDS = {
    "eol": ("eol", "false"),
    "eoas": ("end_of_active_support", "false"),
    "support": ("end_of_active_support", "true"),
}


def endoflife(subject: str, path: str, value: Any) -> tuple[Slot, tuple[str, bool] | None] | None:
    """Read endoflife.date: a product's cycle, and the ends of its support."""
    match = re.fullmatch(r"releases\[(.+)\]\.(\w+)", path)
    if match is None or match[2] not in ENDS:
        return None
    predicate, pending = ENDS[match[2]]
    text = written(value)
    said = UNDATED if text == pending and isinstance(value, bool) else (text, False) if DAY.fullmatch(text) else None
    return (folded(subject), folded(f"{subject} {match[1]}"), predicate), said


@pytest.mark.slow
def test_models_dev_answers_as_its_replay(shared: Path, rng: random.Random) -> None:
    """models.dev: 200 random offers and days, and 100 changes of a value, equal a replay of its history (T8, A4)."""
    log = shared / "data/models.dev/observations.jsonl.gz"
    with cb.open() as kb:
        report = kb.load(read_observations(log, load_mapping("models-dev")))
        assert len(report.rejected) < 40
        seen = compare(kb, replayed(log, models_dev), rng, 200)
    assert min(seen.values()) > 40


@pytest.mark.slow
def test_endoflife_date_answers_as_its_replay(shared: Path, rng: random.Random) -> None:
    """endoflife.date: days, absences, a renamed field and unreadable days equal a replay of its history (T8, V5)."""
    log = shared / "data/endoflife.date/observations.jsonl.gz"
    with cb.open() as kb:
        kb.load(read_observations(log, load_mapping("endoflife-date")))
        seen = compare(kb, replayed(log, endoflife), rng, 200)
    assert min(seen.values()) > 40


def listed(lists: Mapping[datetime, Iterable[tuple[Slot, str]]]) -> Told:
    """Replay full listings: what a later one does not name is gone (W2)."""
    told, known = Told(), set[Slot]()
    for moment, entries in lists.items():
        told.readings.append(moment)
        now: dict[Slot, set[tuple[str, bool]]] = {}
        for slot, text in entries:
            now.setdefault(slot, set()).add((text, False))
        known |= set(now)
        for slot in known:
            note(told, slot, moment, frozenset(now.get(slot, ())))
    return told


LITELLM = {
    "input_cost_per_token": "input_price",
    "max_input_tokens": "max_input",
    "supports_vision": "vision",
    "input_cost_per_character": "input_price",
}


def litellm_entries(path: Path) -> Iterator[tuple[Slot, str]]:
    """Read three fields of a litellm list; providers filed in families are one."""
    for key, entry in parsed(path.read_text("utf-8")).items():
        provider = entry.get("litellm_provider")
        if key == "sample_spec" or provider is None:
            continue
        for name, predicate in LITELLM.items():
            if name in entry:
                owner = re.sub(r"-[a-z0-9-]+[-_]models$", "", provider)
                slot = (folded(owner), folded(key.removeprefix(f"{owner}/")), predicate)
                yield slot, written(entry[name])


@pytest.mark.slow
def test_litellm_answers_as_its_two_lists(shared: Path, rng: random.Random) -> None:
    """litellm: two releases of one list; between their uploads a changed price is both, each possible (T8)."""
    uploads = {"1.90.2": "2026-07-01T02:29:55Z", "1.110.2": "2026-11-20T04:05:34Z"}
    paths = {at: shared / f"data/litellm/model_prices_{version}.json" for version, at in uploads.items()}
    told = listed({datetime.fromisoformat(at): litellm_entries(path) for at, path in paths.items()})
    with cb.open() as kb:
        for at, path in paths.items():
            kb.load(read_litellm(path, observed_at=at))
        seen = compare(kb, told, rng, 200)
    assert min(seen.values()) > 40


def genai_entries(path: Path) -> Iterator[tuple[Slot, str]]:
    """Read the context windows of a genai-prices list."""
    for provider in parsed(path.read_text("utf-8")):
        for model in provider["models"]:
            names = (folded(provider["id"]), folded(model["id"]))
            if "context_window" in model:
                yield (*names, "context_window"), model["context_window"]


@pytest.mark.slow
def test_genai_prices_answers_as_its_two_lists(shared: Path, rng: random.Random) -> None:
    """genai-prices: the context windows that two lists state, those that came and went included (T8, W2)."""
    dates = {"data_v2_2026-08-21.json": "2026-08-21T20:02:24Z", "data_0.2.3.json": "2026-11-10T21:51:41Z"}
    paths = {at: shared / "data/genai-prices" / name for name, at in dates.items()}
    told = listed({datetime.fromisoformat(at): genai_entries(path) for at, path in paths.items()})
    with cb.open() as kb:
        for at, path in paths.items():
            kb.load(read_genai_prices(path, observed_at=at))
        compare(kb, told, rng, 100)


def test_dated_prices_hold_on_their_days(shared: Path) -> None:
    """A price with a start date is certain from that day to the next; the undated first is possible before (T5)."""
    price, known = ("deepseek", "deepseek-v4-flash", "input_price"), {}
    with cb.open() as kb:
        kb.load(read_genai_prices(shared / "data/genai-prices/data_0.2.3.json", observed_at="2026-11-10T21:51:41Z"))
        for day in ("2026-08-16", "2026-08-17", "2026-09-09", "2026-09-10", "2026-11-29"):
            certain, possible = asked(kb, price, datetime.fromisoformat(f"{day}T00:00:00Z"), kb.basis().now)
            known[day] = ([value for value, _ in certain], [value for value, _ in possible])
    assert known == {
        "2026-08-16": ([], ["0.14"]),
        "2026-08-17": (["0.22"], []),
        "2026-09-09": (["0.22"], []),
        "2026-09-10": (["0.15"], []),
        "2026-11-29": (["0.15"], []),
    }
