"""The receipt as an object: its shape, its bytes, its digest, and what becomes of one that was touched."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import rfc8785
from click.testing import CliRunner
from pydantic import ValidationError
from receipt_cases import CASES
from receipt_world import NOW, PRICE, absence, case, evidence, price, snapshot, source

from claimbase.cli.failing import Commands
from claimbase.cli.receipt import COMMANDS
from claimbase.errors import LimitError, ReceiptError
from claimbase.evidence.policy import Policy
from claimbase.evidence.terms import Method, Verdict
from claimbase.receipts import loading
from claimbase.receipts.building import build
from claimbase.receipts.case import AnswerAt, Judged
from claimbase.receipts.comparing import compared
from claimbase.receipts.model import Receipt, json_schema
from claimbase.receipts.parts import Engine

SHIPPED = Path(loading.__file__).with_name("receipt.schema.json")
GOLDEN = {
    "id": "r_16168a0cd828fadf",
    "claims": [("c_absent", "confirmed-absent"), ("c_price", "supported")],
    "top": [
        "schema_version", "id", "kind", "passed", "created_at", "engine", "as_of", "subject", "answer", "inputs",
        "policy", "checks", "claims", "quotes", "support", "retractions", "independence", "freshness", "contradictions",
        "coverage", "unresolved", "repair", "review", "limits", "ledger",
    ],
}  # fmt: skip
ROWS = {
    ("inputs", "snapshots"): {
        "snapshot_id", "source_id", "uri", "declared_version", "published_at", "fetched_at", "text_sha256", "allowed",
    },
    ("claims", "rows"): {
        "claim_id", "subject", "predicate", "value", "value_min", "value_max", "unit", "effective_from",
        "effective_until", "observed_at", "confidence", "status", "reasons", "coverage", "evidence_ids",
    },
    ("quotes", "rows"): {
        "evidence_id", "claim_id", "snapshot_id", "role", "quote", "observed_value", "status", "tier", "ratio",
        "position", "page", "prefix", "suffix", "occurrences", "closest", "edit_distance", "changes", "flags",
        "found_in",
    },
    ("support", "rows"): {
        "pair_index", "sentence", "claim_id", "evidence_id", "verdict", "evidence", "strong", "checked", "method",
        "checker", "downgraded_from",
    },
    ("freshness", "rows"): {"claim_id", "observed_at", "last_seen_at", "age_days", "stale"},
    ("independence", "rows"): {"voice_id", "kinds", "root", "members"},
    ("independence", "claims"): {"claim_id", "voices", "independent", "flags"},
    ("coverage", "rows"): {"subject", "predicate", "required", "status"},
}  # fmt: skip


def _instant(given: object) -> bool:
    return not isinstance(given, str) or datetime.fromisoformat(given).tzinfo is not None


def checker() -> jsonschema.Draft202012Validator:
    """A validator that looks at formats too."""
    formats = jsonschema.FormatChecker()
    formats.checks("date-time", raises=ValueError)(_instant)
    return jsonschema.Draft202012Validator(json_schema(), format_checker=formats)


def receipts() -> Iterator[Receipt]:
    """Receipts of every case of the small world, and one of an answer."""
    yield from (build(given()) for given, *_ in CASES.values())
    yield build(case(kind="answer", answer=AnswerAt("1 eligible", ("Aurora",)), parameters={"p": 1}))


def altered(receipt: Receipt, *path: str | int, to: Any) -> bytes:
    """Write a receipt with one value changed and its digest left as it was."""
    data = receipt.to_json()
    place = data
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = to
    return json.dumps(data).encode()


def resigned(data: dict[str, Any]) -> bytes:
    """Write changed data with a digest that fits it, as a forger would."""
    body = {name: part for name, part in data.items() if name != "ledger"}
    data["ledger"]["body_sha256"] = hashlib.sha256(rfc8785.dumps(body)).hexdigest()
    return json.dumps(data).encode()


# -- shape -----------------------------------------------------------------------------------------------------------


@pytest.mark.covers("H01", "H02", "H25", "M04", "M05", "T03", "T04", "T05", "H07", "H11")
def test_a_receipt_has_every_key_that_is_written_down() -> None:
    """§6.1: one object, its keys fixed, each always present, for whatever kind; its engine and instants in it."""
    receipt = build(case())
    data = receipt.to_json()
    assert list(data) == GOLDEN["top"]
    assert receipt.id == GOLDEN["id"]
    assert [(row["claim_id"], row["status"]) for row in data["claims"]["rows"]] == GOLDEN["claims"]
    for (part, rows), keys in ROWS.items():
        assert data[part][rows]
        assert all(set(row) == keys for row in data[part][rows])
    counts = {name: number for name, number in data["quotes"].items() if name != "rows"}
    assert counts == {
        "quotes": 2, "verified": 2, "altered": 0, "not_found": 0, "ambiguous": 0, "unverifiable": 0,
        "by_tier": {"exact": 2, "normalized": 0, "near": 0, "elided": 0},
    }  # fmt: skip
    assert data["as_of"] == dict.fromkeys(("valid_at", "observed_by", "recorded_by"), "2026-11-02T09:00:00Z")
    assert set(data["engine"]) == {"claimbase", "duckdb", "schema", "rule", "profiles"}
    assert data["subject"]["plan"] == [{"step": "claims", "sql": "FROM cb.claim", "rows": 2}]
    assert {tuple(one.to_json()) for one in receipts()} == {tuple(GOLDEN["top"])}


@pytest.mark.covers("T07")
def test_the_shipped_schema_is_that_of_the_models() -> None:
    """§6.1: receipt.schema.json is generated, with $schema; a change of the models that forgets it fails here."""
    assert json.loads(SHIPPED.read_text("utf-8")) == json.loads(json.dumps(json_schema()))
    assert json_schema()["$schema"].endswith("2020-12/schema")
    jsonschema.Draft202012Validator.check_schema(json_schema())


@pytest.mark.covers("T07")
def test_every_receipt_is_valid_by_the_schema() -> None:
    """§6.1: shape is for the schema, meaning for the checks: a receipt that fails is as valid as one that passes."""
    judge = checker()
    outcomes = set()
    for receipt in receipts():
        judge.validate(receipt.to_json())
        outcomes.add(receipt.passed)
    assert outcomes == {True, False}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("created_at",), "2026-11-02T09:00:00"), (("created_at",), "2026-11-02T09:00:00+00:00"),
        (("created_at",), "soon"), (("claims", "rows", 0, "observed_at"), 5), (("passed",), "yes"), (("extra",), 1),
        (("claims", "claims"), 2.5), (("claims", "claims"), -1), (("quotes", "rows", 0, "ratio"), 1.0),
        (("quotes", "rows", 0, "ratio"), "1,000"), (("quotes", "rows", 0, "status"), "ok"), (("kind",), "other"),
        (("claims", "rows", 1, "value_min"), 0.8), (("id",), "r_1"),
        (("checks", 0, "outcome"), "fine"), (("engine", "profiles"), {"markdown": "x"}),
    ],
)  # fmt: skip
def test_schema_and_models_refuse_the_same(path: tuple[str | int, ...], value: object) -> None:
    """§6.1: naive instants, numbers that are no integers, words outside the vocabularies, keys too many."""
    data = json.loads(altered(build(case()), *path, to=value))
    assert list(checker().iter_errors(data))
    with pytest.raises(ReceiptError) as refused:
        Receipt.load(resigned(data))
    assert refused.value.code == ("altered_receipt" if value == "2026-11-02T09:00:00+00:00" else "bad_receipt")


@pytest.mark.parametrize("key", ["answer", "repair", "review", "schema_version", "ledger"])
def test_a_key_that_is_missing_is_refused(key: str) -> None:
    """§6.1: what is not known is null; it is never left out."""
    data = build(case()).to_json()
    del data[key]
    assert list(checker().iter_errors(data))
    with pytest.raises(ReceiptError, match=r"bad|no receipt"):
        Receipt.load(json.dumps(data).encode())


def test_the_models_are_frozen_and_take_no_naive_instant() -> None:
    """§6.1: a receipt cannot be changed in place, and a time without an offset is no time."""
    receipt = build(case())
    with pytest.raises(ValidationError, match="frozen"):
        receipt.passed = True  # type: ignore[misc]
    with pytest.raises(ValidationError, match="timezone"):
        build(case(created_at=datetime(2026, 11, 2)))  # noqa: DTZ001  # naive on purpose
    with pytest.raises(ValidationError):
        Engine(claimbase="1", duckdb="2", schema_="3", rule="quote/1", profiles={})  # type: ignore[arg-type]


# -- bytes -----------------------------------------------------------------------------------------------------------


def test_the_same_case_gives_the_same_bytes(rng: random.Random) -> None:
    """P7, P9: nothing but the case decides the bytes, and the order in which it lists things does not."""
    whole = case(price(), absence(), sources=[source("s_cccccccccccc", "https://c.example/")])
    first = build(whole).canonical_bytes()
    for _ in range(5):
        claims = list(whole.dossier.claims)
        sources = list(whole.dossier.sources.items())
        rng.shuffle(claims)
        rng.shuffle(sources)
        again = replace(whole, dossier=replace(whole.dossier, claims=tuple(claims), sources=dict(sources)))
        assert build(again).canonical_bytes() == first


def test_the_digest_is_of_the_canonical_bytes_without_the_ledger() -> None:
    """§6.2: RFC 8785 of everything but the place it is stored at; storing it changes neither digest nor id."""
    receipt = build(case())
    body = {name: part for name, part in receipt.to_json().items() if name != "ledger"}
    assert receipt.canonical_bytes() == rfc8785.dumps(body)
    assert receipt.ledger.body_sha256 == hashlib.sha256(receipt.canonical_bytes()).hexdigest()
    stored = receipt.in_ledger(41, "ab" * 32)
    assert stored.canonical_bytes() == receipt.canonical_bytes()
    assert (stored.id, stored.ledger.batch_id) == (receipt.id, 41)
    assert Receipt.load(stored.export("json").encode()) == stored


def test_the_id_is_of_what_was_asked_and_of_what() -> None:
    """§6.1: kind, time, engine, basis, subject, inputs and policy make the id; what was found does not."""
    first = build(case())
    changes = (
        {"kind": "recheck"}, {"created_at": NOW.replace(minute=1)}, {"policy": Policy(seed=1)}, {"query": {"x": 1}},
        {"engine": replace(case().engine, duckdb="2.0.2")},
        {"basis": replace(case().basis, valid_at=snapshot().fetched_at)},
    )  # fmt: skip
    assert len({first.id, *(build(case(**change)).id for change in changes)}) == len(changes) + 1
    made_of = ("kind", "created_at", "engine", "as_of", "subject", "inputs", "policy")
    data = {name: first.to_json()[name] for name in made_of}
    assert first.id == "r_" + hashlib.sha256(rfc8785.dumps(data)).hexdigest()[:16]
    found = build(case(judged=(Judged("c_price", "e_none", Verdict.SUPPORTED, Method.HUMAN, "me"),)))
    assert found.id == first.id


def test_what_json_cannot_carry_alike_becomes_text() -> None:
    """§6.2: no binary fraction and no integer beyond 2^53-1 stands in a receipt; they are kept as text."""
    receipt = build(
        case(parameters={"price": 0.1, "big": 2**60, "at": NOW, "some": (1, None, True), "set": {"b", "a"}})
    )
    assert receipt.subject.parameters == {
        "price": "0.1", "big": str(2**60), "at": "2026-11-02T09:00:00Z", "some": [1, None, True], "set": ["a", "b"],
    }  # fmt: skip
    assert Receipt.load(receipt.export("json").encode()) == receipt


# -- loading ---------------------------------------------------------------------------------------------------------


@pytest.mark.covers("T16", "T18")
def test_a_receipt_is_read_back_as_it_was(tmp_path: Path) -> None:
    """§6.6: from a file or from bytes, indented or not, without any base: the same object."""
    for receipt in receipts():
        file = tmp_path / "receipt.json"
        file.write_text(receipt.export("json"), encoding="utf-8")
        assert Receipt.load(file) == Receipt.load(str(file)) == receipt
        assert Receipt.load(json.dumps(receipt.to_json(), ensure_ascii=True).encode()) == receipt


def test_any_byte_that_is_changed_is_found(rng: random.Random) -> None:
    """§6.2: a byte of the body exchanged for another, dropped or doubled: 1,000 of 1,000 are refused."""
    receipt = build(CASES["altered quote"][0]())
    written = rfc8785.dumps(receipt.to_json())
    digest = receipt.ledger.body_sha256.encode()
    apart = written.index(b'"ledger"'), written.index(b'"limits"')
    places = [at for at in range(len(written)) if not apart[0] <= at < apart[1]]
    places += range(written.index(digest), written.index(digest) + len(digest))
    for at in rng.sample(places, 1_000):
        other = bytes([rng.choice([one for one in range(256) if one != written[at]])])
        touched = rng.choice((written[:at] + other + written[at + 1 :], written[:at] + written[at + 1 :]))
        with pytest.raises(ReceiptError) as refused:
            Receipt.load(touched)
        assert refused.value.code in ("altered_receipt", "bad_receipt", "newer_schema")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("passed",), True), (("quotes", "rows", 0, "status"), "verified"), (("claims", "rows", 0, "value"), "$0.30"),
        (("claims", "rows", 0, "status"), "supported"), (("limits",), []), (("policy", "warn"), ["quote-integrity"]),
        (("id",), "r_0000000000000000"), (("created_at",), "2026-11-02T09:00:01Z"), (("unresolved",), []),
    ],
)  # fmt: skip
def test_a_value_that_is_changed_is_found(path: tuple[str | int, ...], value: object) -> None:
    """§6.2: whatever is changed, the digest is no longer that of the content, and the error says so."""
    with pytest.raises(ReceiptError) as refused:
        Receipt.load(altered(build(CASES["altered quote"][0]()), *path, to=value))
    assert refused.value.code == "altered_receipt"


def test_a_forger_who_mends_the_digest_must_mend_the_rest() -> None:
    """§6.1: the outcome must follow from the checks, a check from its outcome, the id from its content."""
    receipt = build(CASES["altered quote"][0]())
    for path, value in ((("passed",), True), (("created_at",), "2026-11-02T09:00:01Z"), (("checks", 0, "ok"), False)):
        with pytest.raises(ReceiptError) as refused:
            Receipt.load(resigned(json.loads(altered(receipt, *path, to=value))))
        assert refused.value.code == "altered_receipt"
    unsorted = receipt.to_json()
    unsorted["checks"].reverse()
    with pytest.raises(ReceiptError, match="order"):
        Receipt.load(resigned(unsorted))


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "bad_receipt"), (b"{", "bad_receipt"), (b"[]", "bad_receipt"), (b"\xff{}", "bad_receipt"),
        (b"{}", "bad_receipt"), (b'{"schema_version": 1}', "bad_receipt"), (b"[" * 100_000, "bad_receipt"),
        (b'{"schema_version": "claimbase.packet/1"}', "bad_receipt"), (b'{"a": 1, "a": 1}', "bad_receipt"),
        (b'{"schema_version": "claimbase.receipt/2"}', "newer_schema"), (b'{"x": NaN}', "bad_receipt"),
        (b'{"schema_version": "claimbase.receipt/1", "x": 1.5}', "bad_receipt"),
        (b'{"schema_version": "claimbase.receipt/1", "x": 123456789012345678901234567890}', "bad_receipt"),
        (b'{"schema_version": "claimbase.receipt/1", "x": "\\ud800"}', "bad_receipt"),
    ],
)  # fmt: skip
def test_what_is_no_receipt_is_refused_with_a_code(content: bytes, code: str) -> None:
    """§7: damaged files, other schemas and hostile JSON end in one kind of error that says what was expected."""
    with pytest.raises(ReceiptError) as refused:
        Receipt.load(content)
    assert refused.value.code == code
    assert refused.value.hint


def test_a_file_that_cannot_be_read_or_is_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """§9: there is a cap, and a missing file is a receipt error, not a traceback."""
    with pytest.raises(ReceiptError) as refused:
        Receipt.load(tmp_path / "none.json")
    assert refused.value.code == "bad_receipt"
    monkeypatch.setattr(loading, "LIMIT", 10)
    (tmp_path / "large.json").write_text("{}" * 10)
    for given in (tmp_path / "large.json", b"{}" * 10):
        with pytest.raises(LimitError) as large:
            Receipt.load(given)
        assert large.value.code == "receipt_too_large"


# -- comparing -------------------------------------------------------------------------------------------------------


def test_a_receipt_made_again_says_the_same() -> None:
    """§6.6: when it was made and where it is stored are no differences."""
    later = build(case(created_at=NOW.replace(minute=5))).in_ledger(7, "cd" * 32)
    told = compared(build(case()), later)
    assert told.same
    assert not told.rows()


def test_differences_are_told_row_by_row_the_engine_first() -> None:
    """§6.6: what made the receipts may explain the rest, so it comes first; rows are matched by their ids."""
    before = build(case())
    after = build(
        case(
            price(PRICE.replace("0.80", "0.30")), engine=replace(case().engine, duckdb="2.0.2"), claim_ids=("c_price",)
        )
    )
    told = compared(before, after)
    assert not told.same
    first = told.rows()[0]
    assert (first["part"], first["field"], first["before"], first["after"]) == ("engine", "duckdb", "2.0.1", "2.0.2")
    found = {(row["part"], row["row"], row["field"]): (row["before"], row["after"]) for row in told.rows()}
    assert found["claims.rows", "c_price", "status"] == ("supported", "unverified")
    assert found["claims.rows", "c_absent", None][1] is None
    assert found["checks", "quote-integrity", "outcome"] == ("passed", "failed")
    assert "made by another engine: duckdb" in told.summary
    assert compared(after, before).rows()[0]["after"] == "2.0.1"


# -- sources and commands --------------------------------------------------------------------------------------------


@pytest.mark.covers("A02", "A03")
def test_the_sources_cited_are_those_of_the_evidence() -> None:
    """P8: each once, that of the primary evidence first, none that no evidence names, and no evidence without one."""
    pages = [source(f"s_{key * 12}", f"https://{key}.example/") for key in "bcd"]
    texts = [snapshot(owner=page.source_id) for page in pages]
    quoted = [evidence("c_price", PRICE, texts[place], rank=rank) for rank, place in enumerate((2, 0, 2))]
    quoted.append(evidence("c_price", "the pages say $0.80", None, rank=3))
    receipt = build(case(price(evidence=quoted, source_id="s_dddddddddddd"), sources=pages, texts=texts))
    assert receipt.sources == ("s_dddddddddddd", "s_bbbbbbbbbbbb", "s_aaaaaaaaaaaa")
    assert {row.source_id for row in receipt.inputs.snapshots} == set(receipt.sources)
    named = {row.snapshot_id for row in receipt.inputs.snapshots}
    assert {row.snapshot_id for row in receipt.quotes.rows} == named


def test_rows_of_each_part_are_plain_data() -> None:
    """§7: receipt.rows("quotes") and the other parts; a part that is none is a KeyError."""
    receipt = build(case())
    assert [row["claim_id"] for row in receipt.rows("claims")] == ["c_absent", "c_price"]
    assert {row["status"] for row in receipt.rows("quotes")} == {"verified"}
    parts = (
        "checks", "support", "retractions", "independence", "freshness", "contradictions", "coverage", "snapshots",
        "unresolved", "repair", "review",
    )  # fmt: skip
    assert all(isinstance(receipt.rows(part), list) for part in parts)
    with pytest.raises(KeyError):
        receipt.rows("other")
    assert repr(receipt) == f"<Receipt {receipt.id}: passed; 2 claims, 2 quotes>"


def run(*words: str | Path) -> tuple[int, str, str]:
    """Run a command of receipts as the package does."""
    group = Commands("claimbase")
    for command in COMMANDS:
        group.add_command(command)
    done = CliRunner().invoke(group, ["receipt", *map(str, words)])
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A receipt that did not pass, in a file."""
    path = tmp_path / "receipt.json"
    path.write_text(build(CASES["altered quote"][0]()).export("json"), encoding="utf-8")
    return path


@pytest.mark.covers("T18", "H22")
def test_a_file_is_shown_without_a_base(file: Path) -> None:
    """§6.6: it still names the version of the source, the place, the outcome, the open questions and the limits."""
    code, shown, _ = run("show", file)
    receipt = Receipt.load(file)
    assert code == 0
    for expected in (
        receipt.id, "did not pass", "failed · quote-integrity", "unverified (quote-altered)", "10-63",
        "https://prices.example/list", f"sha256:{snapshot().text_sha256[:12]}", "read 2026-11-01T09:00:00Z",
        "number (fail): “$0.30” for “$0.80”", "does a text say that the input_price of Aurora is $0.80?",
        "supported means the source says it, not that it is true", receipt.ledger.body_sha256,
    ):  # fmt: skip
        assert expected in shown
    assert json.loads(run("show", file, "--json")[1]) == receipt.to_json()


@pytest.mark.covers("T14", "T08")
def test_the_review_has_one_row_per_field(file: Path, tmp_path: Path) -> None:
    """§7: field, value, status, place and what to do next, for each claim by itself."""
    rows = json.loads(run("show", file, "--review", "--json")[1])
    assert [(row["value"], row["status"], row["location"], row["next_action"]) for row in rows] == [
        ("$0.80", "unverified", ["s_aaaaaaaaaaaa 10-63"], "requote")
    ]
    assert "next action" in run("show", file, "--review")[1]
    actions = {}
    for name in ("happy path", "contradicted", "missing evidence", "no text held", "unauthorized evidence"):
        path = tmp_path / "one.json"
        path.write_text(build(CASES[name][0]()).export("json"), encoding="utf-8")
        (one,) = json.loads(run("show", path, "--review", "--json")[1])
        actions[name] = one["next_action"]
    assert actions == {
        "happy path": "accept", "contradicted": "resolve source conflict", "missing evidence": "request document",
        "no text held": "request document", "unauthorized evidence": "request document",
    }  # fmt: skip


def test_verify_tells_an_altered_file_from_a_sound_one(file: Path) -> None:
    """§7: exit code 0 for a receipt that is what it was, 1 for one that is not, 3 for what is no receipt."""
    code, out, told = run("verify", file)
    assert (code, out) == (0, "")
    assert "unchanged" in told
    file.write_bytes(altered(Receipt.load(file), "passed", to=True))
    code, out, told = run("verify", file)
    assert (code, out) == (1, "")
    assert "altered_receipt" in told
    assert run("show", file)[0] == 3
    file.write_text("{}")
    assert run("verify", file)[0] == 3


def test_two_files_are_compared(file: Path, tmp_path: Path) -> None:
    """§7: `receipt diff` shows what differs, as text and as JSON."""
    other = tmp_path / "other.json"
    other.write_text(build(case(price())).export("json"), encoding="utf-8")
    assert "quote-integrity" in run("diff", file, other)[1]
    assert json.loads(run("diff", file, other, "--json")[1])["same"] is False
    assert json.loads(run("diff", file, file, "--json")[1])["same"] is True


def test_a_file_is_written_in_every_form(file: Path, tmp_path: Path) -> None:
    """§6.6: each form is offered by the command, to stdout or to a file, and is what the library writes."""
    from claimbase.cli.receipt import FORMS
    from claimbase.receipts import export

    assert tuple(export.FORMS) == FORMS
    receipt = Receipt.load(file)
    for form in FORMS:
        out = tmp_path / f"out.{form}"
        code, shown, _ = run("export", file, "--format", form)
        assert (code, shown) == (0, receipt.export(form))
        assert run("export", file, "--format", form, "--out", out)[0] == 0
        assert out.read_text("utf-8") == shown
