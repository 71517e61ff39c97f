"""Importers: change logs, price lists and claim files become rows; small ones exactly, real ones by count."""

from __future__ import annotations

import gzip
import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from claimbase.errors import ClaimbaseError, InputError, InstantError, LimitError
from claimbase.importers import genai_prices, litellm
from claimbase.importers.claim_files import read_claims
from claimbase.importers.feed import Feed, Mode, Number, literal, parse_json, stated, thousands
from claimbase.importers.genai_prices import read_genai_prices, read_genai_prices_log
from claimbase.importers.litellm import read_litellm, read_litellm_log
from claimbase.importers.mapping import load_mapping, shipped_mappings
from claimbase.importers.observations import read_observations
from claimbase.quantities import unit
from claimbase.values import folded
from claimbase.vocabulary import load_pack
from tests.oracle import replay

Row = dict[str, Any]
SOURCE = {"url": "https://example.org/catalogue", "source_type": "dataset", "authority": "aggregator"}
SMALL = {
    "source": SOURCE,
    "mode": {"whole": True},
    "subjects": [{"match": "{provider}/{name}", "provider": "{provider}", "name": "{name}"}],
    "skips": [{"path": "name", "reason": "a display name"}],
    "rules": [
        {"path": "cost.input", "predicate": "input_price", "unit": "usd_per_mtok"},
        {"path": "cost.in", "predicate": "input_price", "unit": "usd_per_mtok"},
        {"path": "vision", "predicate": "vision", "values": "yes"},
        {"path": "parts", "predicate": "parts"},
    ],
    "values": {"yes": {"false": {"absent": "none"}, '"?"': {"skip": "unused"}, "?": {"skip": "a question mark"}}},
}


def change(day: int, op: str, path: str, value: Any = None, subject: str = "acme/one", file: str = "f") -> Row:
    """Make one line of a change log; the reading is made on a day of March 2026."""
    line = {"observedAt": f"2026-03-{day:02}T00:00:00Z", "commit": f"c{day}", "op": op, "file": file}
    line |= {"subject": subject, "path": path}
    return line if op == "remove" else line | {"value": value}


def log(tmp_path: Path, changes: Iterable[Mapping[str, Any]]) -> Path:
    """Write a change log."""
    path = tmp_path / "observations.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in changes), "utf-8")
    return path


def read(tmp_path: Path, changes: Iterable[Mapping[str, Any]], mapping: Any = SMALL) -> tuple[list[Row], Feed]:
    """Read a change log through a mapping, rows and feed."""
    feed = read_observations(log(tmp_path, changes), load_mapping(mapping))
    return list(feed.rows), feed


def short(rows: Iterable[Row], *names: str) -> list[tuple[Any, ...]]:
    """Cut rows down to entry, day, subject, predicate, value and the fields named."""
    fields = ("entry", "observed_at", "subject", "predicate", "value", *names)
    return [tuple(row[name][8:10] if name == "observed_at" else row.get(name) for name in fields) for row in rows]


# --- change logs ------------------------------------------------------------------------------------------------------


def test_a_set_becomes_one_whole_row(tmp_path: Path) -> None:
    """A set key is said at its reading, with the literal as quote and its place as selector (B7)."""
    rows, feed = read(tmp_path, [change(1, "set", "cost.input", 3.0)])
    assert rows == [
        {
            "entry": "said", "provider": "acme", "subject": "one", "predicate": "input_price", "value": "3.0",
            "unit": "usd_per_mtok", "observed_at": "2026-03-01T00:00:00Z", "quote": '"cost.input": 3.0',
            "selector": {"file": "f", "path": "cost.input"}, "source": SOURCE,
        }
    ]  # fmt: skip
    assert [(r.url, r.observed_at, r.version) for r in feed.readings] == [(SOURCE["url"], "2026-03-01T00:00:00Z", "c1")]
    assert feed.mode == Mode(whole=True, complete=False, own=False)
    assert (feed.listing, feed.total) == (False, 1)


def test_a_change_closes_the_old_claim_and_a_removal_the_last(tmp_path: Path) -> None:
    """Change = old gone and new said at one reading; remove = gone; A-B-A is said twice (T8, W4)."""
    log = [
        change(1, "set", "cost.input", 3), change(2, "change", "cost.input", 2),
        change(3, "change", "cost.input", 3), change(4, "remove", "cost.input"),
    ]  # fmt: skip
    rows, feed = read(tmp_path, log)
    assert short(rows) == [
        ("said", "01", "one", "input_price", "3"),
        ("said", "02", "one", "input_price", "2"),
        ("gone", "02", "one", "input_price", "3"),
        ("said", "03", "one", "input_price", "3"),
        ("gone", "03", "one", "input_price", "2"),
        ("gone", "04", "one", "input_price", "3"),
    ]
    said, gone = rows[0], rows[2]
    assert {**said, "entry": "gone", "observed_at": gone["observed_at"]} == gone, "both rows name one claim (B6)"
    assert len(feed.readings) == 4


def test_the_last_row_of_a_key_at_one_instant_counts(tmp_path: Path) -> None:
    """Of several changes of one key at one instant the last counts (B5); what cancels out gives no row."""
    log = [
        change(1, "set", "cost.input", 3), change(1, "change", "cost.input", 4),
        change(2, "remove", "cost.input"), change(2, "set", "cost.input", 4),
        change(3, "change", "cost.input", 5), change(3, "change", "cost.input", 4),
    ]  # fmt: skip
    rows, feed = read(tmp_path, log)
    assert short(rows) == [("said", "01", "one", "input_price", "4")]
    assert [r.observed_at[8:10] for r in feed.readings] == ["01", "02", "03"], "a reading without news is a reading"


def test_a_claim_under_two_keys_is_gone_when_neither_says_it(tmp_path: Path) -> None:
    """Two keys of a source read whole may say one claim; a key renamed with its value is no news (T8)."""
    log = [
        change(1, "set", "cost.input", 3), change(2, "set", "cost.in", 3), change(3, "remove", "cost.input"),
        change(4, "remove", "cost.in"), change(4, "set", "cost.input", 3), change(5, "remove", "cost.input"),
    ]  # fmt: skip
    assert short(read(tmp_path, log)[0]) == [
        ("said", "01", "one", "input_price", "3"),
        ("gone", "05", "one", "input_price", "3"),
    ]


def test_subjects_that_differ_in_case_are_one(tmp_path: Path) -> None:
    """A subject renamed only in case keeps its claim, since names are identified without regard to case (B6)."""
    log = [
        change(1, "set", "cost.input", 3, "acme/One"),
        change(2, "remove", "cost.input", subject="acme/One"), change(2, "set", "cost.input", 3, "acme/one"),
        change(3, "remove", "cost.input", subject="acme/one"),
    ]  # fmt: skip
    rows = read(tmp_path, log)[0]
    assert short(rows) == [("said", "01", "One", "input_price", "3"), ("gone", "03", "One", "input_price", "3")]


def test_what_has_no_rule_is_counted_by_reason(tmp_path: Path) -> None:
    """Paths without a rule, values that stand for nothing and unknown subjects give no row and are counted."""
    log = [
        change(1, "set", "name", "One"), change(1, "set", "cost.tiers[0].x", 1), change(1, "set", "cost.tiers[7].x", 1),
        change(1, "set", "vision", "?"), change(1, "set", "cost.input", None), change(1, "set", "cost.input", 3, "odd"),
        change(2, "remove", "name"),
    ]  # fmt: skip
    rows, feed = read(tmp_path, log)
    assert rows == []
    assert feed.skipped == Counter(
        {
            "a display name": 1,
            "no rule for cost.tiers[].x": 2,
            "a question mark": 1,
            "no value": 1,
            "no rule for this subject": 1,
        }
    )


def test_a_value_may_stand_for_an_absence(tmp_path: Path) -> None:
    """A written value that the mapping declares an absence becomes a claim of that polarity, quoted literally (B7)."""
    rows, _ = read(tmp_path, [change(1, "set", "vision", False), change(2, "change", "vision", True)])
    assert short(rows, "polarity", "quote") == [
        ("said", "01", "one", "vision", "none", "absent", '"vision": false'),
        ("said", "02", "one", "vision", "true", None, '"vision": true'),
        ("gone", "02", "one", "vision", "none", "absent", '"vision": false'),
    ]


def test_a_list_is_one_claim_each(tmp_path: Path) -> None:
    """The members of a list are claims of their own: a change of the list touches only those that came or went (K5)."""
    rows, _ = read(tmp_path, [change(1, "set", "parts", ["a", "b"]), change(2, "change", "parts", ["b", "c"])])
    assert short(rows) == [
        ("said", "01", "one", "parts", "a"), ("said", "01", "one", "parts", "b"),
        ("said", "02", "one", "parts", "c"), ("gone", "02", "one", "parts", "a"),
    ]  # fmt: skip


def test_numbers_stay_as_written_and_the_noise_of_doubles_is_named(tmp_path: Path) -> None:
    """A value is the text of the log (V1); beyond the 15 digits of a double its number is given beside it (V6)."""
    path = tmp_path / "observations.jsonl"
    raw = (
        '{"observedAt": "2026-03-01T00:00:00Z", "op": "set", "file": "f", "subject": "a/b", "path": "%s", "value": %s}'
    )
    path.write_text(raw % ("cost.input", "2.50e-06") + "\n" + raw % ("cost.in", "0.7999999999999999"), "utf-8")
    rows = list(read_observations(path, load_mapping(SMALL)).rows)
    assert [(r["value"], r.get("normalized_value"), r["quote"]) for r in rows] == [
        ("2.50e-06", None, '"cost.input": 2.50e-06'),
        ("0.7999999999999999", "0.8", '"cost.in": 0.7999999999999999'),
    ]
    assert stated(Number("0.123456789012345")) == {"value": "0.123456789012345"}, "15 digits are all meant"
    assert stated(Number("2.0000000000000002e-07"))["normalized_value"] == "0.0000002"


def test_gzip_and_plain_give_the_same_rows(tmp_path: Path) -> None:
    """A log is read plain or compressed, told apart by its first bytes."""
    plain = log(tmp_path, [change(1, "set", "cost.input", 3)])
    packed = tmp_path / "packed"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    mapping = load_mapping(SMALL)
    assert list(read_observations(plain, mapping).rows) == list(read_observations(packed, mapping).rows)
    packed.write_bytes(gzip.compress(plain.read_bytes())[:-9])
    with pytest.raises(InputError) as refused:
        read_observations(packed, mapping)
    assert refused.value.code == "bad_file"


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        ("{", "bad_json", "line 2"),
        ('{"observedAt": "2026-03-02"}', "bad_log", "line 2"),
        (json.dumps(change(1, "set", "cost.input", 3) | {"op": "put"}), "bad_log", "line 2"),
        (json.dumps({k: v for k, v in change(1, "set", "cost.input", 3).items() if k != "value"}), "bad_log", "line 2"),
        (json.dumps(change(1, "set", "cost.input", 3)).replace("2026-03-01", "2026-02-28"), "bad_log", "back in time"),
    ],
)
def test_a_broken_log_is_refused_before_any_row(tmp_path: Path, line: str, code: str, words: str) -> None:
    """A log that is no JSON, lacks a field or goes back in time is refused with the line, before any row."""
    path = log(tmp_path, [change(1, "set", "cost.input", 3)])
    path.write_text(path.read_text("utf-8") + line + "\n", "utf-8")
    with pytest.raises(InputError) as refused:
        read_observations(path, load_mapping(SMALL))
    assert refused.value.code == code
    assert words in str(refused.value)


def test_rows_replay_to_the_state_of_any_log(tmp_path: Path, rng: random.Random) -> None:
    """At every reading the claims that the rows leave standing are those the log states, one after the other (T8)."""
    for _ in range(60):
        changes, state = [], {}
        for day in range(1, rng.randint(3, 9)):
            for _ in range(rng.randint(0, 4)):
                key = (f"acme/{rng.choice('ab')}", rng.choice(["cost.input", "cost.in"]))
                if key in state and rng.random() < 0.3:
                    del state[key]
                    changes.append(change(day, "remove", key[1], subject=key[0]))
                else:
                    changes.append(change(day, "change" if key in state else "set", key[1], rng.randint(1, 3), key[0]))
                    state[key] = True
        if not changes:
            continue
        rows, feed = read(tmp_path, changes)
        held = list(replay.load(tmp_path / "observations.jsonl"))
        standing: set[tuple[str, str]] = set()
        for reading in feed.readings:
            for row in (row for row in rows if row["observed_at"] == reading.observed_at):
                claim = (row["subject"], row["value"])
                assert (claim in standing) == (row["entry"] == "gone"), "said only if new, gone only if it stood"
                standing ^= {claim}
            said = replay.state(held, replay.read_at(reading.observed_at))
            assert standing == {(subject[5:], str(value)) for (_, subject, _), value in said.items()}


# --- shipped mappings -------------------------------------------------------------------------------------------------


def test_a_tier_takes_its_scope_from_the_size_beside_it(tmp_path: Path) -> None:
    """A tier's price stands in a slot named by its size, whichever comes first; another size is another slot (P3)."""
    log = [
        change(1, "set", "cost.tiers[0].input", 6), change(1, "set", "cost.tiers[0].tier.size", 200000),
        change(2, "change", "cost.tiers[0].tier.size", 272000), change(3, "remove", "cost.tiers[0].tier.size"),
    ]  # fmt: skip
    rows, feed = read(tmp_path, log, "models-dev")
    assert short(rows, "scope") == [
        ("said", "01", "one", "input_price", "6", {"tier": ">200k"}),
        ("said", "02", "one", "input_price", "6", {"tier": ">272k"}),
        ("gone", "02", "one", "input_price", "6", {"tier": ">200k"}),
        ("gone", "03", "one", "input_price", "6", {"tier": ">272k"}),
    ]
    assert feed.skipped == Counter()


def test_models_dev_has_no_start_and_keeps_offers_apart(tmp_path: Path) -> None:
    """A release date is a claim, never the start of a price (T5); an offer is its seller's, not its maker's."""
    log = [
        change(1, "set", "release_date", "2025-05-22", "router/anthropic/claude"),
        change(1, "set", "cost.input", 3, "router/anthropic/claude"),
        change(1, "set", "limit.context", 0, "router/anthropic/claude"),
        change(1, "set", "limit.input", 9, "@model/anthropic/claude"),
    ]
    rows, feed = read(tmp_path, log, "models-dev")
    assert [(r["provider"], r["subject"], r["predicate"], r["value"]) for r in rows] == [
        ("router", "anthropic/claude", "release_date", "2025-05-22"),
        ("router", "anthropic/claude", "input_price", "3"),
    ]
    assert all("effective_from" not in row for row in rows)
    assert sum(feed.skipped.values()) == 2


def test_yes_and_no_of_support_are_swapped_in_its_successor(tmp_path: Path) -> None:
    """support: true and eoas: false both say "no day announced"; renamed, the absence goes on standing (V5, W2)."""
    cycle = "releases[3.12]."
    log = [
        change(1, "set", cycle + "support", True, "python"), change(1, "set", cycle + "eol", "2028-10-02", "python"),
        change(2, "remove", cycle + "support", subject="python"), change(2, "set", cycle + "eoas", False, "python"),
        change(3, "change", cycle + "eoas", "2025-04-02", "python"),
        change(4, "change", cycle + "eoas", True, "python"),
    ]  # fmt: skip
    rows, feed = read(tmp_path, log, "endoflife-date")
    assert short(rows, "provider", "polarity") == [
        ("said", "01", "python 3.12", "end_of_active_support", "no day announced", "python", "absent"),
        ("said", "01", "python 3.12", "eol", "2028-10-02", "python", None),
        ("said", "03", "python 3.12", "end_of_active_support", "2025-04-02", "python", None),
        ("gone", "03", "python 3.12", "end_of_active_support", "no day announced", "python", "absent"),
        ("gone", "04", "python 3.12", "end_of_active_support", "2025-04-02", "python", None),
    ]
    assert feed.skipped == Counter({"ended, the day is not given": 1})


def test_vat_periods_end_where_the_next_begins(tmp_path: Path) -> None:
    """A dated rate holds from its day until the next period of its country; "0000-01-01" is the lowest instant (T1)."""
    log = [
        change(1, "set", "rates[from=0000-01-01].standard", 19, "DE"),
        change(2, "set", "rates[from=2020-07-01].standard", 16, "DE"),
        change(2, "set", "exceptions[from=2020-07-01,Heligoland].standard", 0, "DE"),
        change(2, "set", "rates[from=2020-07-01].reduced1", 5, "DE"),
        change(3, "set", "rates[from=2021-01-01].standard", 19, "DE"),
    ]
    rows, feed = read(tmp_path, log, "vat-rates")
    assert feed.mode.own
    always, july, january = "0001-01-02", "2020-07-01", "2021-01-01"
    assert short(rows, "effective_from", "effective_until", "scope") == [
        ("said", "01", "DE", "vat_standard_rate", "19", always, None, None),
        ("said", "02", "DE", "vat_standard_rate", "16", july, None, None),
        ("said", "02", "DE", "vat_standard_rate", "0", july, None, {"region": "Heligoland"}),
        ("said", "02", "DE", "vat_reduced_rate", "5", july, None, None),
        ("said", "02", "DE", "vat_standard_rate", "19", always, july, None),
        ("gone", "02", "DE", "vat_standard_rate", "19", always, None, None),
        ("said", "03", "DE", "vat_standard_rate", "19", january, None, None),
        ("said", "03", "DE", "vat_standard_rate", "16", july, january, None),
        ("gone", "03", "DE", "vat_standard_rate", "16", july, None, None),
        ("said", "03", "DE", "vat_standard_rate", "0", july, january, {"region": "Heligoland"}),
        ("gone", "03", "DE", "vat_standard_rate", "0", july, None, {"region": "Heligoland"}),
        ("said", "03", "DE", "vat_reduced_rate", "5", july, january, None),
        ("gone", "03", "DE", "vat_reduced_rate", "5", july, None, None),
    ]


def test_an_interval_of_tz_is_a_member_of_its_text_and_states_its_end(tmp_path: Path) -> None:
    """The offset and the end are members of a JSON text; null ends nothing; "before-2000" bounds the start (T1)."""
    summer = '{"until": "2023-10-29T07:00:00Z", "utoff_s": -18000, "isdst": true, "abbr": "CDT"}'
    winter = '{"until": null, "utoff_s": -21600, "isdst": false, "abbr": "CST"}'
    log = [
        change(1, "set", "utoff[from=before-2000]", summer, "America/Mexico_City"),
        change(1, "set", "utoff[from=2022-10-30T07:00:00Z]", winter, "America/Mexico_City"),
        change(1, "set", "utoff[from=2023-10-30T07:00:00Z]", '{"until": null}', "America/Mexico_City"),
        change(2, "change", "utoff[from=before-2000]", "[]", "America/Mexico_City"),
    ]
    rows, feed = read(tmp_path, log, "tz")
    zone, before, end = "America/Mexico_City", '{"latest": "2000-01-01"}', "2023-10-29T07:00:00Z"
    assert short(rows, "effective_from", "effective_until", "unit") == [
        ("said", "01", zone, "utc_offset", "-18000", before, end, "s"),
        ("said", "01", zone, "utc_offset", "-21600", "2022-10-30T07:00:00Z", None, "s"),
        ("gone", "02", zone, "utc_offset", "-18000", before, end, "s"),
    ]
    assert feed.skipped == Counter({"no utoff_s in it": 2})
    assert feed.mode == Mode(whole=True, complete=False, own=True)


@pytest.mark.parametrize(
    "given",
    [
        {"source": SOURCE, "rulez": []},
        {"source": {"title": "no address"}},
        {"source": SOURCE | {"colour": "red"}},
        {"source": SOURCE, "mode": {"history": "mine"}},
        {"source": SOURCE, "mode": {"partial": True}},
        {"source": SOURCE, "rules": [{"path": "x", "predicate": "y", "units": "z"}]},
        {"source": SOURCE, "rules": [{"path": "x"}]},
        {"source": SOURCE, "rules": [{"path": "x", "predicate": "y", "values": "nowhere"}]},
    ],
)
def test_a_malformed_mapping_is_refused(given: dict[str, Any]) -> None:
    """A key no mapping has, a missing one or an undeclared table of values is an error, never ignored."""
    with pytest.raises(InputError) as refused:
        load_mapping(given)
    assert refused.value.code == "bad_mapping"


def test_an_unknown_mapping_names_those_that_ship() -> None:
    """A mapping that does not ship is not found; the message lists those that do."""
    with pytest.raises(InputError, match="deprecations-rss, endoflife-date, models-dev, tz, vat-rates") as refused:
        load_mapping("models_dev")
    assert refused.value.code == "not_found"


def test_every_predicate_and_unit_of_the_importers_is_declared(checkout: Path) -> None:
    """What mappings and price tables name stands in a pack, with a unit of the closed table (P1, V1)."""
    packs = [load_pack(path) for path in sorted((checkout / "seeds" / "predicates").glob("*.toml"))]
    declared = {predicate.name: predicate for pack in packs for predicate in pack.predicates}
    named = {(meaning.predicate, meaning.unit) for meaning in genai_prices.PRICES.values()}
    named |= {(meaning.predicate, meaning.unit) for meaning in (*litellm.FIELDS.values(), *litellm.PRICES.values())}
    named |= {("context_window", "token")}
    for name in shipped_mappings():
        named |= {(rule.predicate, rule.unit) for rule in load_mapping(name).rules}
    assert {predicate for predicate, _ in named} - set(declared) == set()
    per_character = {"usd_per_mcharacter", "usd_per_character"}  # priced by length in another unit, incomparable (V2)
    for predicate, written in sorted(named, key=str):
        assert (written is None) == (declared[predicate].unit is None), predicate
        if written and written not in per_character:
            assert unit(written).dimension == unit(declared[predicate].unit or "").dimension, (predicate, written)


# --- genai-prices -----------------------------------------------------------------------------------------------------


def prices(tmp_path: Path, model: Mapping[str, Any]) -> tuple[list[tuple[Any, ...]], Feed]:
    """Read a price list of one model; rows as (path, predicate, value, unit, scope, from, until)."""
    path = tmp_path / "data.json"
    path.write_text(json.dumps([{"id": "acme", "models": [{"id": "one", **model}]}]), "utf-8")
    feed = read_genai_prices(path, observed_at="2026-11-10")
    names = ("predicate", "value", "unit", "scope", "effective_from", "effective_until")
    return [(row["selector"]["path"], *(row.get(name) for name in names)) for row in feed.rows], feed


def test_a_price_list_entry_holds_until_the_next_start(tmp_path: Path) -> None:
    """The first price has no start and ends at the first start date; each start is known, the last stays open (T1)."""
    dated = [{"prices": {"input_mtok": 3}}]
    for day, price in (("2026-01-01", 2), ("2026-06-01", 1)):
        dated.append({"constraint": {"start_date": day}, "prices": {"input_mtok": price}})
    rows, feed = prices(tmp_path, {"prices": dated, "context_window": 200000, "deprecated": True})
    mtok = "usd_per_mtok"
    assert rows == [
        ("context_window", "context_window", "200000", "token", None, None, None),
        ("prices[0].input_mtok", "input_price", "3", mtok, None, None, "2026-01-01"),
        ("prices[1].input_mtok", "input_price", "2", mtok, None, "2026-01-01", "2026-06-01"),
        ("prices[2].input_mtok", "input_price", "1", mtok, None, "2026-06-01", None),
    ]
    assert feed.listing
    assert feed.mode.whole
    assert [reading.observed_at for reading in feed.readings] == ["2026-11-10T00:00:00Z"]
    assert feed.skipped == Counter({"deprecated, no day given": 1})


def test_tiers_hours_and_requests_are_scopes_and_units(tmp_path: Path) -> None:
    """Tiers and hours of the day are scopes; prices per thousand requests or calls keep that unit (V2)."""
    rows, feed = prices(
        tmp_path,
        {
            "prices": [
                {"prices": {"input_mtok": {"base": 1, "tiers": [{"start": 200000, "price": 2}]}, "requests_kcount": 5}},
                {
                    "constraint": {"start_time": "00:30:00Z", "end_time": "16:30:00+00:00"},
                    "prices": {"cache_write_1h_mtok": 4, "web_searches_kcount": 10, "audio_hours": 1},
                },
            ]
        },
    )
    hours = {"time_of_day": "00:30-16:30Z"}
    assert rows == [
        ("prices[0].input_mtok.base", "input_price", "1", "usd_per_mtok", None, None, None),
        ("prices[0].input_mtok.tiers[0].price", "input_price", "2", "usd_per_mtok", {"tier": ">200k"}, None, None),
        ("prices[0].requests_kcount", "request_price", "5", "usd_per_1k_requests", None, None, None),
        ("prices[1].cache_write_1h_mtok", "cache_write_price", "4", "usd_per_mtok", hours | {"ttl": "1h"}, None, None),
        ("prices[1].web_searches_kcount", "web_search_price", "10", "usd_per_1k_calls", hours, None, None),
    ]
    assert feed.skipped == Counter({"no predicate for audio_hours": 1})


def test_variants_are_modes_and_the_first_that_has_started_holds(tmp_path: Path) -> None:
    """Variants of one kind are listed newest first; each ends where the one before it in the list begins."""
    start = [("2027-01-01", {"input_mtok": 3}), ("2026-10-14", {"input_mtok": 2, "output_mtok": 9})]
    batch = [{"when": {"processing": "batch"}, "constraint": {"start_date": d}, "prices": p} for d, p in start]
    other = [{"when": {"service_tier": "flex"}, "prices": {"input_mtok": 1}}, {"when": {"route": "eu"}, "prices": {}}]
    rows, _ = prices(tmp_path, {"prices": {"input_mtok": 4}, "price_variants": batch + other})
    mode, mtok = {"mode": "batch"}, "usd_per_mtok"
    assert sorted(rows, key=str) == [
        ("price_variants[0].prices.input_mtok", "input_price", "3", mtok, mode, "2027-01-01", None),
        ("price_variants[1].prices.input_mtok", "input_price", "2", mtok, mode, "2026-10-14", "2027-01-01"),
        ("price_variants[1].prices.output_mtok", "output_price", "9", mtok, mode, "2026-10-14", None),
        ("price_variants[2].prices.input_mtok", "input_price", "1", mtok, {"mode": "flex"}, None, None),
        ("prices.input_mtok", "input_price", "4", mtok, None, None, None),
    ]


def test_the_installed_price_list_is_read_like_its_file() -> None:
    """Without a file the list inside the installed package is read, with its version and exact numbers (V1)."""
    pytest.importorskip("genai_prices")
    feed = read_genai_prices(observed_at="2026-11-10T21:51:41Z")
    rows = list(feed.rows)
    assert feed.readings[0].version
    assert feed.total is not None
    assert len({(row["provider"], row["subject"]) for row in rows}) > feed.total * 0.9
    assert all(set(row["value"]) <= set("0123456789.E-+") for row in rows)
    with pytest.raises(InstantError, match="period"):
        read_genai_prices(observed_at="2026-11")


# --- litellm ----------------------------------------------------------------------------------------------------------


def test_conditions_in_a_field_name_are_scopes(tmp_path: Path) -> None:
    """A field's name carries predicate, tier, mode and cache life; the price stays per token as written (V1)."""
    path = tmp_path / "models.json"
    entry = """{"acme/one": {"litellm_provider": "acme", "mode": "chat", "source": "https://example.org/p",
        "deprecation_source": "https://example.org/d", "deprecation_date": "2026-09-29", "max_tokens": 8192,
        "max_input_tokens": 272000, "input_cost_per_token": 2.50e-06, "supports_vision": false,
        "cache_creation_input_token_cost_above_1hr_above_200k_tokens": 1.2e-05,
        "output_cost_per_token_above_272k_tokens_batches": 4.5e-05, "input_cost_per_audio_token_flex": 1e-06,
        "cache_read_input_image_token_cost": 5e-07, "input_cost_per_token_cache_hit": 1e-08, "max_output_tokens": "?"},
        "alias": {"alias_of": "acme/one"}}"""
    path.write_text(entry, "utf-8")
    feed = read_litellm(path, observed_at="2026-11-20T04:05:34Z", version="1.110.2")
    rows = list(feed.rows)
    assert [(row["predicate"], row["value"], row.get("unit"), row.get("scope")) for row in rows] == [
        ("shutdown_date", "2026-09-29", None, None),
        ("max_input", "272000", "token", None),
        ("input_price", "2.50e-06", "usd_per_token", None),
        ("vision", "false", None, None),
        ("cache_write_price", "1.2e-05", "usd_per_token", {"ttl": "1h", "tier": ">200k"}),
        ("output_price", "4.5e-05", "usd_per_token", {"tier": ">272k", "mode": "batch"}),
        ("audio_input_price", "1e-06", "usd_per_token", {"mode": "flex"}),
        ("cached_input_price", "5e-07", "usd_per_token", {"modality": "image"}),
    ]
    assert {(row["provider"], row["subject"]) for row in rows} == {("acme", "one")}
    assert {row["observed_at"] for row in rows} == {"2026-11-20T04:05:34Z"}
    assert rows[0]["selector"] == {"entry": "acme/one", "field": "deprecation_date", "source": "https://example.org/d"}
    assert rows[2]["quote"] == '"input_cost_per_token": 2.50e-06'
    assert feed.listing
    assert feed.readings[0].version == "1.110.2"
    assert feed.skipped["max_tokens may be the input's limit or the output's"] == 1
    assert feed.skipped["a value of another kind in max_output_tokens"] == 1
    assert feed.skipped["no predicate for input_cost_per_token_cache_hit"] == 1
    assert feed.skipped["an entry without a provider"] == 1


def test_a_provider_filed_in_families_is_one(tmp_path: Path) -> None:
    """The list files one provider's models under several names; the subject loses the provider's prefix, no more."""
    path = tmp_path / "models.json"
    named = {"vertex_ai/meta/llama": "vertex_ai-llama_models", "gemini": "vertex_ai-language-models", "x/y": "scx-ai"}
    models = {key: {"litellm_provider": name, "supports_vision": True} for key, name in named.items()}
    text = json.dumps(models)
    path.write_text(f'{text[:-1]}, "gemini": {{"litellm_provider": "acme", "supports_vision": true}}}}', "utf-8")
    feed = read_litellm(path, observed_at="2026-11-20")
    assert [(row["provider"], row["subject"]) for row in feed.rows] == [
        ("vertex_ai", "meta/llama"), ("acme", "gemini"), ("scx-ai", "x/y"),
    ]  # fmt: skip
    assert feed.skipped["a key written twice, the last counts"] == 1


def test_a_log_of_the_model_list_says_what_its_lists_say(tmp_path: Path) -> None:
    """An entry's provider is a field: without it nothing is said, and a new one moves all of the entry's claims."""
    price, entry = "input_cost_per_token_above_200k_tokens", "acme/one"
    lines = [
        change(1, "set", price, 3, entry), change(1, "set", "max_tokens", 5, entry),
        change(2, "set", "litellm_provider", "acme-chat-models", entry), change(2, "set", "source", "x", entry),
        change(3, "change", "litellm_provider", "nova", entry), change(3, "set", "max_input_tokens", "many", entry),
        change(4, "remove", price, subject=entry),
    ]  # fmt: skip
    feed = read_litellm_log(log(tmp_path, lines))
    rows = list(feed.rows)
    assert [(*row, rows[0]["scope"]) for row in short(rows, "provider")] == [
        ("said", "02", "one", "input_price", "3", "acme", {"tier": ">200k"}),
        ("said", "03", "acme/one", "input_price", "3", "nova", {"tier": ">200k"}),
        ("gone", "03", "one", "input_price", "3", "acme", {"tier": ">200k"}),
        ("gone", "04", "acme/one", "input_price", "3", "nova", {"tier": ">200k"}),
    ]
    assert rows[0]["selector"] == {"entry": entry, "field": price, "source": "x"}
    assert feed.skipped == Counter({
        "an entry without a provider": 1, "max_tokens may be the input's limit or the output's": 1,
        "a value of another kind in max_input_tokens": 1,
    })  # fmt: skip


def test_a_log_of_the_price_list_says_what_its_lists_say(tmp_path: Path) -> None:
    """Dated prices end where the next date begins, whatever keys it names; tiers and hours of the day are scopes."""
    daily = "prices[end_time=16:30:00Z,start_time=00:30:00Z].input_mtok"
    lines = [
        change(1, "set", "prices.input_mtok", 3), change(1, "set", "context_window", 200000),
        change(1, "set", "name", "One"), change(1, "set", "prices.audio_hours", 1), change(1, "set", daily, 1),
        change(1, "set", "prices.requests_kcount", None),
        change(2, "set", "prices[start_date=2026-09-01].output_mtok.tiers[start=200000].price", 9),
    ]  # fmt: skip
    feed = read_genai_prices_log(log(tmp_path, lines))
    assert short(feed.rows, "scope", "effective_from", "effective_until") == [
        ("said", "01", "one", "input_price", "3", None, None, None),
        ("said", "01", "one", "context_window", "200000", None, None, None),
        ("said", "01", "one", "input_price", "1", {"time_of_day": "00:30-16:30Z"}, None, None),
        ("said", "02", "one", "output_price", "9", {"tier": ">200k"}, "2026-09-01", None),
        ("said", "02", "one", "input_price", "3", None, None, "2026-09-01"),
        ("gone", "02", "one", "input_price", "3", None, None, None),
    ]
    assert feed.skipped == Counter({"no rule for name": 1, "no predicate for audio_hours": 1, "no value": 1})


@pytest.mark.parametrize("text", ["[]", '{"a": 1}'])
def test_another_json_is_no_price_list(tmp_path: Path, text: str) -> None:
    """A JSON file of another shape is refused as such, not read as empty."""
    path = tmp_path / "list.json"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError) as refused:
        read_litellm(path, observed_at="2026-11-20")
    assert refused.value.code == "bad_list"
    with pytest.raises(InputError):
        read_genai_prices(tmp_path / "missing.json", observed_at="2026-11-20")


# --- claim files ------------------------------------------------------------------------------------------------------


def test_bad_lines_are_errors_in_their_place(tmp_path: Path) -> None:
    """A line that is no claim is an error with its number; the others are read, numbers as written (W5, X35, X36)."""
    deep = '{"a": ' + "[" * 1000 + "]" * 1000 + "}"
    brackets = json.dumps({"quote": "[" * 5000 + '\\"' + "{" * 5000})
    lines = ["\ufeff{}", '{"value": 2.50e-06, "scope": {"a": "b"}}', "", '{"a": 1,}', '{"a": 01}', '{"a": NaN}',
             '{"a": {"b": 1, "b": 2}}', "[1]", deep, brackets, "{"]  # fmt: skip
    path = tmp_path / "claims.jsonl"
    path.write_text("\n".join(lines), "utf-8")
    found = dict(read_claims(path))
    assert found[2] == {"value": "2.50e-06", "scope": {"a": "b"}}
    assert isinstance(found[10], dict), "brackets inside a quote are no nesting"
    errors = {number: (type(e), e.code) for number, e in found.items() if isinstance(e, ClaimbaseError)}
    assert errors == dict.fromkeys((1, 4, 5, 6, 7, 8, 11), (InputError, "bad_json")) | {9: (LimitError, "too_deep")}
    assert all(f"line {number} of claims.jsonl" in str(found[number]) for number in errors)


def test_a_file_that_cannot_be_read_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing file, bytes that are no UTF-8 and a line beyond the limit are errors of the library (G16)."""
    path = tmp_path / "claims.jsonl"
    with pytest.raises(InputError, match="no file"):
        list(read_claims(path))
    with pytest.raises(InputError, match="cannot be read"):
        list(read_claims(tmp_path))
    path.write_bytes(b'{}\n{"a": "\xff"}\n')
    with pytest.raises(InputError, match="line 2 of claims"):
        list(read_claims(path))
    monkeypatch.setattr("claimbase.importers.feed.LINE_LIMIT", 10)
    path.write_text('{"a": 1, "b": 2}', "utf-8")
    with pytest.raises(LimitError, match="line 1"):
        list(read_claims(path))


def test_nesting_is_counted_exactly() -> None:
    """Thirty levels are read, the thirty-first is refused before parsing (C13)."""
    assert parse_json("[" * 30 + "]" * 30, where="x")
    with pytest.raises(LimitError, match="x is nested too deep"):
        parse_json("[" * 31 + "]" * 31, where="x")
    assert len(parse_json("[" + ",".join(["[]"] * 500) + "]", where="x")) == 500


@pytest.mark.parametrize(
    ("number", "text"),
    [("200000", "200k"), ("272000.0", "272k"), ("199999", "199999"), ("000", "000"), ("2e5", "2e5")],
)
def test_whole_thousands_are_written_with_k(number: str, text: str) -> None:
    """Tiers are named as scopes write them: >200k; any other number stays as it is."""
    assert thousands(number) == text


def test_literals_come_back_as_written() -> None:
    """A parsed value is written back as the JSON it was, numbers untouched (B7)."""
    text = '{"a": [1.50, -2e-06, true, null], "é": "x\\"y"}'
    assert literal(parse_json(text, where="x")) == text


def test_importers_need_no_engine() -> None:
    """Importers are pure: nothing of the engine, the store or the ingest is loaded with them."""
    code = (
        "import sys, claimbase.importers.observations, claimbase.importers.genai_prices, claimbase.importers.litellm,"
        " claimbase.importers.claim_files; print(sorted(m for m in sys.modules"
        " if m.split('.')[0] == 'duckdb' or m.startswith(('claimbase.store', 'claimbase.ingest'))))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


# --- real files -------------------------------------------------------------------------------------------------------

REAL_LOGS = {
    "models-dev": ("models.dev/observations.jsonl.gz", 131_977, 1_824, {"said": 76_781, "gone": 28_459}),
    "endoflife-date": ("endoflife.date/observations.jsonl.gz", 51_846, 4_735, {"said": 34_573, "gone": 14_343}),
    "vat-rates": ("vat-rates/observations.jsonl", 456, 22, {"said": 334, "gone": 151}),
    "tz": ("tz/observations.jsonl.gz", 25_082, 81, {"said": 15_812, "gone": 7_056}),
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name != "vat-rates" else name for name in REAL_LOGS]
)
def test_real_logs_give_every_claim_an_end_of_its_own(name: str, shared: Path) -> None:
    """The rows of the real logs, counted; a claim goes by the fields that said it, and never twice (B6)."""
    file, total, readings, rows = REAL_LOGS[name]
    mapping = load_mapping(name)
    feed = read_observations(shared / "data" / file, mapping)
    entries: Counter[str] = Counter()
    standing: set[str] = set()
    for row in feed.rows:
        entries[row["entry"]] += 1
        claim = json.dumps({field: value for field, value in row.items() if field not in ("entry", "observed_at")})
        assert (claim in standing) == (row["entry"] == "gone"), "a claim goes by the row that said it"
        standing ^= {claim}
    assert (feed.total, len(feed.readings), dict(entries)) == (total, readings, rows)
    assert len(standing) == rows["said"] - rows["gone"]


def standing(rows: Iterable[Row], *, upto: str = "9") -> set[str]:
    """Give the claims that stand after the readings of a log up to an instant; of a listing, all of its rows.

    Numbers are compared by what they mean: a log of changes does not say that 1000000.0 became 1000000.
    """
    found: dict[str, bool] = {}
    for row in rows:
        if row["observed_at"] <= upto:
            kept = {name: row.get(name) for name in ("provider", "predicate", "scope", "unit", "value")}
            kept["subject"] = folded(row["subject"])
            if row.get("unit"):
                kept["value"] = str(Decimal(row["value"]).normalize())
            found[json.dumps(kept, sort_keys=True)] = row.get("entry", "said") == "said"
    return {claim for claim, said in found.items() if said}


@pytest.mark.slow
def test_the_log_of_litellm_ends_in_its_lists(shared: Path) -> None:
    """The changes between seven releases of litellm lead to the claims of the two lists that are kept (B6)."""
    folder = shared / "data/litellm"
    rows = list(read_litellm_log(folder / "observations.jsonl.gz").rows)
    for version, at in (("1.90.2", "2026-07-01T02:29:55Z"), ("1.110.2", "2026-11-20T04:05:34Z")):
        listing = read_litellm(folder / f"model_prices_{version}.json", observed_at=at)
        logged = (row for row in listing.rows if not row["selector"]["field"].startswith("supports_"))
        assert standing(rows, upto=at) == standing(logged)


def test_real_price_lists_are_read_whole(shared: Path) -> None:
    """Every price value and window of the real list gives a row or a reason; the installed package gives the same."""
    feed = read_genai_prices(shared / "data/genai-prices/data_0.2.3.json", observed_at="2026-11-10T21:51:41Z")
    rows = list(feed.rows)
    assert (feed.total, len(rows), sum(row["predicate"] == "context_window" for row in rows)) == (2_330, 9_314, 1_419)
    assert sum("effective_from" in row for row in rows) == 1_681
    assert sum(feed.skipped.values()) == 170


@pytest.mark.parametrize(
    ("version", "entries", "rows", "days", "twice"),
    [("1.90.2", 2_838, 15_688, 81, 5), ("1.110.2", 4_878, 34_388, 924, 0)],
)
def test_real_litellm_lists_are_read(
    version: str, entries: int, rows: int, days: int, twice: int, shared: Path
) -> None:
    """The real lists of two releases, keys that one of them writes twice included."""
    feed = read_litellm(shared / f"data/litellm/model_prices_{version}.json", observed_at="2026-11-20T04:05:34Z")
    found = list(feed.rows)
    assert (feed.total, len(found), sum(row["predicate"] == "shutdown_date" for row in found)) == (entries, rows, days)
    assert feed.skipped["a key written twice, the last counts"] == twice
