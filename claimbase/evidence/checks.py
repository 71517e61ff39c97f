"""The deterministic checks of a claim, as a table of named pure functions; they use no model (evidence §3).

A check that looks at a quote gives one row per quote, any other one row per claim. What cannot be told is skipped with
its reason, never passed; a function that breaks is an error (P6). Whether a row matters is for the policy to say.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from claimbase.errors import InputError, shown
from claimbase.evidence.findings import Finding, Reading, failed, passed, skipped
from claimbase.evidence.model import Checked, ClaimAt, Dossier, EvidenceAt, Match
from claimbase.evidence.quote_checks import (
    claim_units,
    date_literal,
    quote_not_snippet,
    subject_in_window,
    title_says_retracted,
    unit_in_window,
    value_in_quote,
)
from claimbase.evidence.terms import Outcome, QuoteStatus, Role
from claimbase.evidence.value_checks import (
    no_authored_provenance,
    no_placeholder_value,
    normalized_from_value,
    observed_values_agree,
)
from claimbase.evidence.values_written import dated, missing, named_dates
from claimbase.vocabulary import Vocabulary

BLANKET = 3
"""How many predicates of a subject one quote may carry without their values."""

DomainCheck = Callable[[ClaimAt, Dossier], Finding | None]
"""A check of a domain (sum of lines, currency …); None = it does not concern the claim."""

_SUPPORTING = (Role.SUPPORTS, Role.ABSENCE)
_SPEAKING = (Role.SUPPORTS, Role.ABSENCE, Role.REFUTES)
EVIDENCE_CHECKS: Mapping[str, tuple[tuple[Role, ...], Callable[[Reading], Finding]]] = {
    "value-in-quote": (_SUPPORTING, value_in_quote),
    "date-literal": (_SUPPORTING, date_literal),
    "unit-in-window": (_SUPPORTING, unit_in_window),
    "subject-in-window": (_SPEAKING, subject_in_window),
    "quote-not-snippet": (_SPEAKING, quote_not_snippet),
    "title-says-retracted": (_SPEAKING, title_says_retracted),
}
"""Checks of one quote, with the roles they look at."""
CLAIM_CHECKS: Mapping[str, Callable[[ClaimAt, Dossier, Vocabulary], Finding]] = {
    "normalized-from-value": normalized_from_value,
    "observed-values-agree": observed_values_agree,
    "no-placeholder-value": no_placeholder_value,
    "no-authored-provenance": no_authored_provenance,
}
"""Checks of one claim."""

PRESENT, BLANKET_CITATION = "evidence-present", "blanket-citation"
NAMES = (*EVIDENCE_CHECKS, *CLAIM_CHECKS, PRESENT, BLANKET_CITATION)
"""The names of all checks made here."""

_NAME = re.compile(r"[a-z][a-z0-9]{0,40}(?:[-_.][a-z0-9]{1,40}){0,8}")
_UNKNOWN = Match(QuoteStatus.UNVERIFIABLE)
_DATE = "date"


def register(checks: Mapping[str, DomainCheck], name: str, function: DomainCheck) -> dict[str, DomainCheck]:
    """Give some domain checks and one more, which lands in the same rows and receipts as the others.

    Args:
        checks: those registered so far. name: lower case, such as sum-of-lines.
        function: (claim, dossier) -> Finding, or None where it does not concern the claim.

    Raises:
        InputError: [bad_check] no name, or one that is taken.
    """
    if not _NAME.fullmatch(name) or name in checks or name in NAMES:
        taken = "is taken" if name in checks or name in NAMES else "names no check"
        raise InputError(f"{shown(name)} {taken}", code="bad_check", hint="lower case and new, such as sum-of-lines")
    return {**checks, name: function}


def claim_checks(
    claim: ClaimAt,
    matches: Mapping[str, Match],
    dossier: Dossier,
    vocabulary: Vocabulary,
    domain: Mapping[str, DomainCheck] | None = None,
) -> list[Checked]:
    """Run every deterministic check of one claim.

    Args:
        claim: the claim with its evidence. matches: how its quotes were found, by evidence id; none = no text is held.
        dossier: its sources and texts. vocabulary: what its value is read with.
        domain: checks of the domain, by name (see register).

    Returns:
        One row per check, and per quote where the check looks at one.
    """
    rows = [
        _checked(claim, one, name, check, _reading(claim, one, matches, dossier))
        for one in claim.evidence
        for name, (roles, check) in EVIDENCE_CHECKS.items()
        if one.role in roles
    ]
    rows += [_checked(claim, None, name, check, claim, dossier, vocabulary) for name, check in CLAIM_CHECKS.items()]
    rows.append(_checked(claim, None, PRESENT, evidence_present, claim, matches))
    for name, function in (domain or {}).items():
        rows.append(_checked(claim, None, name, function, claim, dossier))
    return [row for row in rows if row is not None]


def _reading(claim: ClaimAt, one: EvidenceAt, matches: Mapping[str, Match], dossier: Dossier) -> Reading:
    match = _UNKNOWN if one.erased else matches.get(one.evidence_id, _UNKNOWN)
    return Reading(claim, one, match, dossier.sources.get(one.source_id), dossier.snapshots.get(one.snapshot_id or ""))


def _checked(
    claim: ClaimAt, one: EvidenceAt | None, name: str, check: Callable[..., Finding | None], *given: Any
) -> Checked | None:
    """Run one check; one that breaks is an error, which no policy takes for a pass."""
    try:
        found = check(*given)
    except Exception as error:  # noqa: BLE001  # a user's function, or hostile text: it must not pass for a result
        found = Finding(Outcome.ERROR, f"{type(error).__name__}: {shown(error)}")
    if found is None:
        return None
    return Checked(claim.claim_id, one.evidence_id if one else None, name, found.outcome, found.detail)


def evidence_present(claim: ClaimAt, matches: Mapping[str, Match]) -> Finding:
    """Check that a claim has evidence, and an absence a quote of the section that was looked at (A25)."""
    wanted = (Role.ABSENCE, Role.SUPPORTS) if claim.absent else (Role.SUPPORTS,)
    found = [one for one in claim.evidence if one.role in wanted and one.quote.strip() and not one.erased]
    if not found:
        return failed("no quote shows the section that was looked at" if claim.absent else "no evidence supports it")
    if not claim.absent:
        return passed(f"{len(found)} quoted")
    status = {match.status for one in found if (match := matches.get(one.evidence_id)) is not None}
    if QuoteStatus.VERIFIED in status:
        return passed("the section that was looked at is quoted")
    if status <= {QuoteStatus.UNVERIFIABLE}:
        return skipped("the section is quoted, but no text is held that the quote could be checked against")
    return failed("the section that was looked at does not stand in the text as quoted")


def blanket_citations(claims: Iterable[ClaimAt]) -> list[Checked]:
    """Find the quotes that carry more than three predicates of a subject while their values are not in them (A20).

    Args:
        claims: all claims of a dossier.

    Returns:
        One failed row for each of these claims and quotes.
    """
    carried: dict[tuple[str, str, str, str], list[tuple[ClaimAt, EvidenceAt]]] = defaultdict(list)
    for claim in claims:
        for one in claim.evidence:
            if one.role is Role.SUPPORTS and not claim.absent and not one.erased:
                key = (claim.provider, claim.subject, one.source_id, " ".join(one.quote.split()))
                carried[key].append((claim, one))
    rows = []
    for (_, _, _, quote), pairs in carried.items():
        if len({claim.predicate for claim, _ in pairs}) <= BLANKET:
            continue
        bare = [(claim, one) for claim, one in pairs if not _holds(claim, quote)]
        predicates = sorted({claim.predicate for claim, _ in bare})
        if len(predicates) > BLANKET:
            told = f"one quote carries {', '.join(predicates)}, whose values are not in it"
            rows += [
                Checked(claim.claim_id, one.evidence_id, BLANKET_CITATION, Outcome.FAILED, told) for claim, one in bare
            ]
    return rows


def _holds(claim: ClaimAt, quote: str) -> bool:
    if not missing(claim.value, quote, kind=claim.kind, units=claim_units(claim)):
        return True
    wanted = named_dates(claim.value, claim.normalized_value) if claim.kind == _DATE else []
    return bool(wanted) and len(dated(wanted, quote)) == len(wanted)


_BEST = (Outcome.PASSED, Outcome.WARNING, Outcome.SKIPPED, Outcome.FAILED)


def settled(rows: Iterable[Checked]) -> dict[str, Outcome]:
    """Give the outcome of each check for one claim, where one quote that passes is enough; one error is an error.

    Args:
        rows: those of one claim.
    """
    found: dict[str, list[Outcome]] = defaultdict(list)
    for row in rows:
        found[row.name].append(row.outcome)
    return {
        name: Outcome.ERROR if Outcome.ERROR in some else min(some, key=_BEST.index) for name, some in found.items()
    }


def proving(rows: Iterable[Checked]) -> set[str]:
    """Give the evidence that has the claim's value: in its quote, or of a date near it.

    Args:
        rows: those of one claim.
    """
    return {
        row.evidence_id
        for row in rows
        if row.evidence_id and row.outcome is Outcome.PASSED and row.name in ("value-in-quote", "date-literal")
    }
