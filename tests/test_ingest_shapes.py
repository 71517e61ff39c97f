"""Ingest: objects, files and frames of any shape give the very same rows."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from kit import NOW, base, claim, day, digest

from claimbase.base import Claimbase
from claimbase.claims import Claim, Source
from claimbase.errors import InputError
from claimbase.temporal import FixedClock

URL = "https://norden.example/pricing"

TOLD = [
    claim("$3", day(1), scope={"mode": "batch"}, confidence="high", source={"url": URL, "publishedAt": day(1)}),
    claim("128K", day(2), predicate="context", effective_from="2026-01", source={"url": URL, "title": "Prices, all"}),
    claim("yes", day(3), predicate="vision", quote='"yes",\nit says', selector={"line": 3}),
    claim("Norden", day(4), predicate="vendor", subject="Lärche 2", effective_until="2027-06-30"),
    claim(
        "3", day(5), unit="USD/Mtok", reasoning="a table",
        source={"url": URL, "sourceType": "pricing", "authority": "primary"},
    ),
]  # fmt: skip
CAMEL = {"observed_at": "observedAt", "effective_from": "effectiveFrom", "effective_until": "effectiveUntil"}


def flat(row: dict[str, Any]) -> dict[str, str | None]:
    """Lay a claim out as one row of a table."""
    source = {f"source.{name}": text for name, text in row["source"].items()}
    laid = {name: text if isinstance(text, str) else json.dumps(text) for name, text in row.items() if name != "source"}
    return laid | source


def table() -> dict[str, list[str | None]]:
    """Lay TOLD out as columns, empty where a claim says nothing."""
    rows = [flat(row) for row in TOLD]
    return {name: [row.get(name) for row in rows] for name in sorted({name for row in rows for name in row})}


def _objects(_: Path) -> Any:
    spell = {"sourceType": "source_type", "publishedAt": "published_at"}
    return [Claim(**row | {"source": Source(**{spell.get(k, k): v for k, v in row["source"].items()})}) for row in TOLD]


def _camel(_: Path) -> Any:
    return [{CAMEL.get(name, name): given for name, given in row.items()} for row in TOLD]


def _jsonl(folder: Path) -> Any:
    path = folder / "claims.jsonl"
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in TOLD) + "\n", "utf-8")
    return path


def _separated(folder: Path, ending: str, delimiter: str) -> Path:
    path = folder / f"claims.{ending}"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(table()), delimiter=delimiter)
        writer.writeheader()
        writer.writerows(flat(row) for row in TOLD)
    return path


def _arrow(_: Path) -> Any:
    return pytest.importorskip("pyarrow").table(table())


def _parquet(folder: Path) -> Any:
    pytest.importorskip("pyarrow.parquet").write_table(_arrow(folder), folder / "claims.parquet")
    return folder / "claims.parquet"


def _nested_parquet(folder: Path) -> Any:
    """A source as a struct and a scope as a struct, as engines write them."""
    arrow = pytest.importorskip("pyarrow")
    pytest.importorskip("pyarrow.parquet").write_table(arrow.Table.from_pylist(_padded()), folder / "nested.parquet")
    return folder / "nested.parquet"


def _padded() -> list[dict[str, Any]]:
    names = sorted({name for row in TOLD for name in row})
    keys = sorted({key for row in TOLD for key in row["source"]})
    sources = [{key: row["source"].get(key) for key in keys} for row in TOLD]
    return [
        {name: row.get(name) for name in names} | {"source": source} for row, source in zip(TOLD, sources, strict=True)
    ]


def _pandas(_: Path) -> Any:
    return pytest.importorskip("pandas").DataFrame(table())


def _polars(_: Path) -> Any:
    return pytest.importorskip("polars").DataFrame(table())


def _polars_instants(_: Path) -> Any:
    polars = pytest.importorskip("polars")
    return polars.DataFrame(table()).with_columns(polars.col("observed_at").str.to_datetime(time_zone="UTC"))


SHAPES = {
    "Claim objects": _objects, "camelCase": _camel, "JSONL": _jsonl,
    "Parquet": _parquet, "nested Parquet": _nested_parquet,
    "CSV": lambda folder: _separated(folder, "csv", ","), "TSV": lambda folder: _separated(folder, "tsv", "\t"),
    "Arrow": _arrow, "pandas": _pandas, "polars": _polars, "polars instants": _polars_instants,
}  # fmt: skip


@pytest.fixture(scope="module")
def told() -> str:
    """What a base holds that was told TOLD as mappings."""
    kb = base(FixedClock(NOW))
    kb.add(TOLD)
    return digest(kb.db)


@pytest.mark.parametrize(
    "shape", [pytest.param(one, marks=[pytest.mark.slow] if place % 3 else []) for place, one in enumerate(SHAPES)]
)
def test_any_shape_gives_the_same_rows(told: str, shape: str, tmp_path: Path) -> None:
    """B6: objects, JSONL, CSV, Parquet and frames give the very same rows: ids, quotes, instants, ledger root."""
    kb = base(FixedClock(NOW))
    kb.add(SHAPES[shape](tmp_path))
    assert digest(kb.db) == told


@pytest.fixture(scope="module")
def empty() -> Claimbase:
    """Give a base in which nothing may ever be stored."""
    return base(FixedClock(NOW))


@pytest.mark.parametrize(
    ("name", "missing", "nothing", "nonsense"),
    [
        ("claims.jsonl", "not_found", "empty_input", "bad_json"),
        ("claims.csv", "not_found", "empty_input", "extra_field"),
        ("claims.parquet", "not_found", "empty_input", "bad_file"),
        ("claims.xlsx", *("unknown_file",) * 3),
        ("claims.csv.txt", *("unknown_file",) * 3),
    ],
)
def test_files_that_hold_no_claims(
    empty: Claimbase, name: str, missing: str, nothing: str, nonsense: str, tmp_path: Path
) -> None:
    """X36, G16, C14: missing, empty, or of another kind: a typed error that names the file but no folder."""
    before = digest(empty.db)
    for content, code in ((None, missing), ("", nothing), ("nonsense\n", nonsense)):
        if content is not None:
            (tmp_path / name).write_text(content, "utf-8")
        with pytest.raises(InputError) as refused:
            empty.add(tmp_path / name)
        assert refused.value.code == code, content
        assert str(tmp_path) not in str(refused.value)
    assert digest(empty.db) == before


def test_nothing_to_add(empty: Claimbase) -> None:
    """X36: an empty list or frame is most likely a mistake, and said so."""
    for nothing in ([], iter(()), pytest.importorskip("pyarrow").table({"subject": []})):
        with pytest.raises(InputError) as refused:
            empty.add(nothing)
        assert refused.value.code == "empty_input"
