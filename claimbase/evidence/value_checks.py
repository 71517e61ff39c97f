"""The deterministic checks that look at a claim's value and predicate, whatever its quotes say (evidence §3)."""

from __future__ import annotations

import re
from decimal import Decimal

from claimbase.errors import InputError, shown
from claimbase.evidence.findings import Finding, failed, passed, skipped
from claimbase.evidence.model import ClaimAt, Dossier
from claimbase.evidence.terms import Role
from claimbase.numerals import PLACEHOLDERS, written
from claimbase.values import Value, folded, read_value, unread_value
from claimbase.vocabulary import Predicate, Vocabulary


def normalized_from_value(claim: ClaimAt, _dossier: Dossier, vocabulary: Vocabulary) -> Finding:
    """Check that reading the value again gives the stored bounds, unit and key; a mismatch names both (V1-V6).

    Where the caller gave the value to be read, that is read again, and the words must say the same up to the fifteenth
    digit if the grammar knows them; if it does not, the caller's reading is skipped, not passed.
    """
    if claim.absent:
        return skipped("an absence has no value")
    predicate = vocabulary.find(claim.predicate) or Predicate(claim.predicate, kind="text")
    given = claim.normalized_value
    read = _read(predicate, claim.value if given is None else given, claim.stated_unit)
    if read is None:
        told = f"{shown(claim.value)} is no {predicate.kind}"
        return skipped(f"{told}; kept as text") if _unread(claim) else failed(f"{told}, but {_stored(claim)} is stored")
    if _stored(claim) != _told(read):
        return failed(f"{shown(read.text)} reads as {_told(read)}, but {_stored(claim)} is stored")
    if given is None:
        return passed(f"it reads as {_told(read)}")
    words = _read(predicate, claim.value, claim.stated_unit)
    if words is None:
        return skipped(f"{shown(claim.value)} is read by nobody but the caller, as {_told(read)}")
    if not _nearly(words, read):
        return failed(f"{shown(claim.value)} reads as {_told(words)}, but was normalised to {_told(read)}")
    return passed(f"{shown(claim.value)} and its normalised form read as {_told(read)}")


def _read(predicate: Predicate, text: str, stated: str | None) -> Value | None:
    """Read a value as ingest does; None where its grammar does not know it."""
    try:
        return read_value(
            text,
            kind=predicate.kind,
            unit=predicate.unit,
            stated_unit=stated if predicate.kind == "quantity" else None,
            minimum=predicate.minimum,
            maximum=predicate.maximum,
        )
    except InputError:
        return None


def _unread(claim: ClaimAt) -> bool:
    """Say whether a value is kept as a text without number, as the caller may ask for (V6)."""
    try:
        return claim.value_min is None and claim.value_max is None and claim.value_key == unread_value(claim.value).key
    except InputError:
        return False


def _told(value: Value) -> str:
    return _bounds(value.min, value.max, value.unit, value.key)


def _stored(claim: ClaimAt) -> str:
    low, high = (None if text is None else Decimal(text) for text in (claim.value_min, claim.value_max))
    return _bounds(low, high, claim.unit, claim.value_key)


def _bounds(low: Decimal | None, high: Decimal | None, unit: str | None, key: str | None) -> str:
    """Write bounds, unit and key in one way, so that equal ones are equal texts."""
    ends = "" if low is None and high is None else f" in [{_plain(low)}, {_plain(high)}]"
    return f"{key}{ends}" + (f" {unit}" if unit else "")


def _plain(number: Decimal | None) -> str:
    return "" if number is None else written(number)


def _nearly(words: Value, given: Value) -> bool:
    """Say whether two readings differ by no more than what binary fractions lose."""
    if words.unit != given.unit:
        return False
    pairs = ((words.min, given.min), (words.max, given.max))
    if all(low is None for pair in pairs for low in pair):
        return words.key == given.key
    return all(
        one is not None and other is not None and abs(one - other) <= max(abs(one), abs(other)) * Decimal("1e-14")
        for one, other in pairs
        if one is not None or other is not None
    )


def observed_values_agree(claim: ClaimAt, _dossier: Dossier, vocabulary: Vocabulary) -> Finding:
    """Check that the values seen by a claim's evidence are one value after normalisation (1250 = 1250.0)."""
    predicate = vocabulary.find(claim.predicate) or Predicate(claim.predicate, kind="text")
    seen = [one.observed_value for one in claim.evidence if one.role is Role.SUPPORTS and one.observed_value]
    if len(seen) < 2:
        return skipped("fewer than two observed values")
    keys: dict[tuple[str, str | None], str] = {}
    for text in seen:
        read = _read(predicate, text, claim.stated_unit)
        keys.setdefault((read.key, read.unit) if read else (folded(text), None), text)
    if len(keys) > 1:
        return failed(f"its evidence says {' and '.join(map(shown, keys.values()))}")
    return passed(f"{len(seen)} times {shown(seen[0])}")


# What no source states as a value, in any kind; a text may well be "none", "unknown" or "pending".
_DEFERRALS = frozenset(
    {
        "", "-", "--", "---", "–", "—", ".", "..", "...", "…", "?", "??", "n/a", "n.a.", "nan", "#n/a", "<na>", "tbd",
        "tba", "tbc", "t.b.d.", "to be determined", "to be announced", "to be confirmed", "not yet verified",
        "not yet available", "not yet announced", "not disclosed", "not specified", "not stated", "coming soon",
        "see above", "see below", "see source", "see page", "see docs", "see quote", "as above", "ditto",
        "verified", "unverified", "not verified", "not-verified", "partially supported", "partially-supported",
        "wrong source", "wrong-source", "not checked", "not-checked", "not found", "not-found", "confirmed absent",
        "confirmed-absent", "unverifiable",
    }
)  # fmt: skip
_WORDS = ("text", "entity", "set")


def no_placeholder_value(claim: ClaimAt, _dossier: Dossier, _vocabulary: Vocabulary) -> Finding:
    """Check that the value is no deferral, dash or word of a verdict (V5)."""
    if claim.absent:
        return skipped("an absence has no value")
    refused = _DEFERRALS if claim.kind in _WORDS else _DEFERRALS | PLACEHOLDERS
    if folded(claim.value).strip("*_`\"'()[] ") in refused:
        return failed(f"{shown(claim.value)} stands for a missing value: leave the claim out, or state an absence")
    return passed("a value of its own")


_ABOUT = "source|evidence|citation|cited|reference|provenance|quote|quoted|supporting"
_WHAT = "id|url|uri|link|title|quote|text|page|passage|snippet|span|source|date|name|type|citation|key|reference|value"
_AUTHORED = re.compile(
    rf"(?:(?:primary|secondary|further|other|all|data|value|original)_)?(?:(?:{_ABOUT})s?(?:_(?:{_WHAT})s?)*)"
    r"|(?:observed|fetched|retrieved|accessed|scraped|crawled|verified)_(?:at|on|date|by)|confidence(?:_score)?|verdict"
)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[.-]")


def authored_provenance(name: str) -> bool:
    """Say whether a predicate restates provenance, which the base keeps itself (source_url, evidenceUrls …).

    Args:
        name: a predicate's name; of a dotted one the last part counts.
    """
    return _AUTHORED.fullmatch(_HUMP.sub("_", name.rpartition(".")[2]).lower()) is not None


def no_authored_provenance(claim: ClaimAt, _dossier: Dossier, _vocabulary: Vocabulary) -> Finding:
    """Check that the predicate does not restate provenance."""
    if authored_provenance(claim.predicate):
        return failed(f"{claim.predicate} restates provenance, which is kept with every claim")
    return passed("a predicate about its subject")
