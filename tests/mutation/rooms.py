"""What is mutated and which tests must notice: one table of rooms (G20)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Room:
    """Files under mutation and the tests that must kill their mutants.

    Args:
        files: patterns below the checkout. tests: files below tests/, the quick ones first. without: patterns left out.
        unless: words in the names of tests that measure time and say nothing on a busy machine.
    """

    files: tuple[str, ...]
    tests: tuple[str, ...]
    without: tuple[str, ...] = ()
    unless: str = ""


_QUOTE_RULE = (
    "align", "boundaries", "cleaning", "context", "differences", "drafts", "elided", "folding", "guards", "locate",
    "markup", "near", "normalise", "texts", "tokens", "words",
)  # fmt: skip
ROOMS = {
    "temporal": Room(("claimbase/temporal.py",), ("test_mutation_gaps", "test_dates", "test_temporal")),
    "quantities": Room(
        tuple(f"claimbase/{name}.py" for name in ("quantities", "numerals", "units", "values", "dates")),
        ("test_mutation_gaps", "test_value_spellings", "test_quantities", "test_dates", "test_values"),
    ),
    "compiler": Room(
        ("claimbase/compiler/*.py",),
        ("test_mutation_gaps", "test_tabled", "test_compiler", "test_gate", "test_answers", "test_when"),
        without=("claimbase/compiler/export*.py",),
    ),
    "quote": Room(
        tuple(f"claimbase/evidence/{name}.py" for name in _QUOTE_RULE),
        ("test_mutation_gaps_quote", "test_quote_results", "test_quotes", "test_sources", "test_quote_mutations"),
        unless="large_page or time_ratios or linear_time",
    ),
    "ledger": Room(
        (
            "claimbase/store/ledger.py",
            "claimbase/store/auditing.py",
            "sql/ledger/*.sql",
            "sql/macros/20_leaf.sql",
            "sql/macros/21_root.sql",
            "sql/macros/22_bundled.sql",
        ),
        ("test_mutation_gaps_ledger", "test_ledger", "test_head"),
    ),
}
