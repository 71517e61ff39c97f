"""The gate: each check with what it counted, and whether the receipt passes (evidence §6.3).

A check is a finding about the view; whether a failing one fails the receipt or only warns is the policy's to say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

from claimbase.evidence.model import Checked, Match
from claimbase.evidence.notices import outcome
from claimbase.evidence.policy import GATE, WARNING, context_flags
from claimbase.evidence.terms import Coverage, NoticeStatus, Outcome, ReviewDecision, Verdict
from claimbase.present.words import counted
from claimbase.receipts.parts import CheckRow
from claimbase.receipts.proofs import AGAINST, Proof, Proven
from claimbase.receipts.sections import OPEN
from claimbase.receipts.view import View

_NOT_OK = (Outcome.FAILED, Outcome.ERROR)
_ONE_IS_ENOUGH = ("value-in-quote", "date-literal", "quote-not-snippet", "unit-in-window", "subject-in-window")
_WORST_FIRST = (Outcome.ERROR, Outcome.FAILED, Outcome.WARNING, Outcome.PASSED, Outcome.SKIPPED)


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found.

    Args:
        counted: how many things it looked at.
        failed: how many of them do not hold.
        detail: in words.
        crashed: how many could not be looked at.
        noted: how many hold but deserve a look.
        skipped: it did not apply; detail says why.
    """

    counted: int
    failed: int
    detail: str
    crashed: int = 0
    noted: int = 0
    skipped: bool = False


def checks(view: View) -> tuple[CheckRow, ...]:
    """Run every check, in the order of their names."""
    found = {name: find(view) for name, find in _FINDERS.items()}
    others = {one.name for each in view.claims for one in each.checked} - {*GATE, *WARNING}
    found |= {name: _deterministic(view, name) for name in (*_DETERMINISTIC, *others)}
    return tuple(_row(view, name, found[name]) for name in sorted(found))


def passes(rows: Iterable[CheckRow]) -> bool:
    """Tell whether every check of the gate is ok."""
    return all(row.ok for row in rows if row.severity == "gate")


def _row(view: View, name: str, found: Finding) -> CheckRow:
    gates = view.case.policy.gates(name)
    ended = _outcome(found, gates)
    return CheckRow(
        name=name, outcome=ended, ok=ended not in _NOT_OK, severity="gate" if gates else "warning",
        detail=found.detail, counted=found.counted, failed=found.failed,
    )  # fmt: skip


def _outcome(found: Finding, gates: bool) -> Outcome:
    if found.skipped:
        return Outcome.SKIPPED
    if found.crashed:
        return Outcome.ERROR
    if found.failed:
        return Outcome.FAILED if gates else Outcome.WARNING
    return Outcome.WARNING if found.noted else Outcome.PASSED


def _skipped(why: str) -> Finding:
    return Finding(0, 0, why, skipped=True)


def _tally(things: Sequence[object], bad: Sequence[str], noun: str, fault: str) -> Finding:
    """Count things and name the first few that are at fault."""
    if not bad:
        return Finding(len(things), 0, f"{counted(len(things), noun)}, all in order")
    return Finding(len(things), len(bad), f"{len(bad)} of {counted(len(things), noun)} {fault}: {_named(bad)}")


def _named(names: Sequence[str]) -> str:
    shown = ", ".join(names[:5])
    return f"{shown} and {len(names) - 5} more" if len(names) > 5 else shown  # as many as fit a line


# -- the deterministic checks of claims ------------------------------------------------------------------------------


def _deterministic(view: View, name: str) -> Finding:
    """Sum a check up over the claims: each counts once, by its worst outcome, or by its best where one is enough."""
    ends = [(one, *_ended(one, name)) for one in view.claims]
    told = [(one, ended, detail) for one, ended, detail in ends if ended != Outcome.SKIPPED]
    if not told:
        why = next((detail for _, _, detail in ends if detail), "no claim that it applies to")
        return _skipped(why)
    found = Counter(ended for _, ended, _ in told)
    worst = [f"{one.claim.claim_id} ({detail})" for one, ended, detail in told if ended in _NOT_OK]
    warned = [f"{one.claim.claim_id} ({detail})" for one, ended, detail in told if ended == Outcome.WARNING]
    passed = f"{found[Outcome.PASSED]} of {counted(len(told), 'claim')} passed"
    named = worst or warned
    return Finding(
        len(told), found[Outcome.FAILED] + found[Outcome.ERROR], f"{passed}: not {_named(named)}" if named else passed,
        crashed=found[Outcome.ERROR], noted=found[Outcome.WARNING],
    )  # fmt: skip


def _ended(one: Proven, name: str) -> tuple[Outcome, str]:
    rows = [row for row in one.checked if row.name == name]
    if name in _ONE_IS_ENOUGH and any(row.outcome == Outcome.PASSED for row in rows):
        return Outcome.PASSED, ""
    worst: Checked | None = min(rows, key=lambda row: _WORST_FIRST.index(row.outcome), default=None)
    return (worst.outcome, worst.detail) if worst else (Outcome.SKIPPED, "")


_DETERMINISTIC = (
    "value-in-quote", "normalized-from-value", "date-literal", "quote-not-snippet", "observed-values-agree",
    "no-placeholder-value", "no-authored-provenance", "unit-in-window", "subject-in-window", "title-says-retracted",
    "blanket-citation",
)  # fmt: skip


# -- the checks of a receipt as a whole ------------------------------------------------------------------------------


def _schema_valid(view: View) -> Finding:
    """The parts are typed models; one that does not fit cannot be made."""
    return Finding(len(view.claims), 0, "every part has the shape of claimbase.receipt/1")


def _source_resolves(view: View) -> Finding:
    known = view.case.dossier.sources
    bad = [one for one in view.cited if one not in known or not _is_address(known[one].uri)]
    crossed = [
        proof.evidence.evidence_id
        for proof in view.proofs
        if proof.snapshot is not None and proof.snapshot.source_id != proof.evidence.source_id
    ]
    return _tally(view.cited, [*bad, *crossed], "source", "lead to no page, upload or data set that can be read again")


def _is_address(uri: str) -> bool:
    """Tell whether a text is an address; a bare path is a file of somebody's workspace and no source."""
    try:
        return bool(urlsplit(uri).scheme)
    except ValueError:
        return False


def _snapshot_present(view: View) -> Finding:
    bad = [proof.evidence.evidence_id for proof in view.proofs if not proof.held]
    bad += [one.quote_id for one in view.quoted if one.snapshot_id not in view.case.dossier.snapshots]
    return _tally([*view.proofs, *view.quoted], bad, "quote", "have no text as read behind them")


def _source_allowed(view: View) -> Finding:
    bad = [one for one in view.cited if not view.allowed(one)]
    return _tally(view.cited, bad, "source", "may not be used here")


def _selector_valid(view: View) -> Finding:
    bad = [proof.evidence.evidence_id for proof in view.proofs if not _selects(proof)]
    return _tally(view.proofs, bad, "location", "do not lie in the text that was read")


def _selects(proof: Proof) -> bool:
    """Tell whether page and span of evidence lie in its text; where no text is held, nothing can be said of them."""
    one, snapshot = proof.evidence, proof.snapshot
    if snapshot is None or snapshot.text is None:
        return True
    start, end = one.start_char, one.end_char
    if start is not None or end is not None:
        first, last = start or 0, len(snapshot.text) if end is None else end
        if not 0 <= first < last <= len(snapshot.text):
            return False
    return one.page is None or _on_page(one.page, snapshot.page_offsets, proof.match)


def _on_page(page: int, offsets: tuple[int, ...] | None, match: Match) -> bool:
    """Tell whether a text has a page, counted from 1, and the quote begins on it if it was found."""
    if not offsets or not 1 <= page <= len(offsets):
        return False
    following = offsets[page] if page < len(offsets) else None
    return match.start is None or (offsets[page - 1] <= match.start and (following is None or match.start < following))


def _evidence_present(view: View) -> Finding:
    bad = [one.claim.claim_id for one in view.claims if not one.speaking]
    return _tally(
        [*view.claims, *view.unknown], [*bad, *view.unknown], "claim", "have no evidence that speaks for them"
    )


def _quote_integrity(view: View) -> Finding:
    policy = view.case.policy
    objections = [proof.objections for proof in view.proofs]
    objections += [policy.objections(one.match) for one in view.quoted]
    why = Counter(found[0].removeprefix("quote-") for found in objections if found)
    total, failed = len(objections), sum(why.values())
    told = "".join(f"; {number} {word}" for word, number in sorted(why.items()))
    return Finding(total, failed, f"{total - failed} of {counted(total, 'quote')} verified{told}")


def _cite_check(view: View) -> Finding:
    if not view.pairs:
        return _skipped("nothing is cited")
    found = Counter(pair.verdict for pair in view.pairs)
    against = sum(found[verdict] for verdict in AGAINST)
    open_ = found[Verdict.NOT_CHECKED] + found[Verdict.UNCLEAR]
    told = ", ".join(f"{found[verdict]} {verdict}" for verdict in Verdict if found[verdict])
    forgiven = view.case.policy.allow_unsupported
    return Finding(len(view.pairs), 0 if forgiven else against, told, noted=open_ + (against if forgiven else 0))


def _dangling(view: View) -> Finding:
    document = view.case.document
    if document is None:
        return _skipped("no document was checked")
    total = len(document.pairs) + document.dangling
    return Finding(total, document.dangling, f"{document.dangling} of {counted(total, 'citation')} lead nowhere")


def _retracted(view: View) -> Finding:
    sources = [view.case.dossier.sources[one] for one in view.cited if one in view.case.dossier.sources]
    if not view.case.notices and not any(one.doi_key for one in sources):
        return _skipped("no publication is cited")
    failed = {proof.source.doi_key or "" for proof in view.proofs if _falls(proof) and proof.source is not None}
    failed |= _noticed(view) if view.case.document is not None else set()
    told = Counter(NoticeStatus(one.status) for one in view.case.notices)
    listed = {one.doi_key for one in view.case.notices}
    told[NoticeStatus.UNCHECKED] += len({one.doi_key for one in sources if one.doi_key} - listed)
    words = ", ".join(f"{told[status]} {status}" for status in NoticeStatus if told[status])
    quiet = told[NoticeStatus.OK] + told[NoticeStatus.REINSTATED]
    return Finding(sum(told.values()), len(failed), words, noted=sum(told.values()) - quiet)


def _falls(proof: Proof) -> bool:
    return proof.fallen == "publication-retracted"


def _noticed(view: View) -> set[str]:
    """Give the retracted publications that a document cites and does not call so."""
    return {
        one.doi_key
        for one in view.case.notices
        if outcome(NoticeStatus(one.status), acknowledged=one.noted) == Outcome.FAILED
    }


def _contradictions(view: View) -> Finding:
    why = ("contradiction", "observed-values-disagree", "refuted")
    bad = [key for key, standing in view.standings.items() if any(one in why for one in standing.reasons)]
    return _tally(view.claims, sorted(bad), "claim", "are spoken against")


def _as_of(view: View) -> Finding:
    """Look for anything that the basis cannot have known."""
    basis = view.case.basis
    seen: list[tuple[str, datetime]] = [(one.claim.claim_id, one.claim.observed_at) for one in view.claims]
    seen += [(one.claim.claim_id, one.claim.last_seen_at) for one in view.claims]
    texts = {proof.snapshot.snapshot_id: proof.snapshot for proof in view.proofs if proof.snapshot is not None}
    seen += [(key, at) for key, one in texts.items() for at in (one.fetched_at, one.last_fetched_at)]
    seen += [(one.doi_key, one.observed_at) for one in view.case.notices if one.observed_at is not None]
    late = {name for name, at in seen if at > basis.observed_by}
    late |= {
        one.task_id for one in view.case.reviews if one.recorded_at is not None and one.recorded_at > basis.recorded_by
    }
    return _tally(seen, sorted(late), "instant", "lie beyond the basis")


def _ledger(view: View) -> Finding:
    told = view.case.ledger
    if told.intact is None:
        return _skipped(told.detail)
    return Finding(1, 0 if told.intact else 1, told.detail)


def _review(view: View) -> Finding:
    if not view.case.policy.review_required:
        return _skipped("the policy asks for no review")
    reviews = view.case.reviews
    bad = [one.task_id for one in reviews if one.decision in (*OPEN, ReviewDecision.REJECT)]
    return _tally(reviews, bad, "review", "are open or rejected")


def _context(view: View) -> Finding:
    matches = [(proof.evidence.evidence_id, proof.match) for proof in view.proofs]
    matches += [(one.quote_id, one.match) for one in view.quoted]
    bad = [f"{name} ({', '.join(flags)})" for name, match in matches if (flags := context_flags(match))]
    return _tally(matches, bad, "quote", "stand in a context worth reading")


def _independence(view: View) -> Finding:
    cited = set(view.cited)
    members = [[one for one in voice.members if one in cited] for voice in view.case.voices]
    repeated = sum(len(ones) - 1 for ones in members if ones)
    if not view.case.voices:
        return _skipped("voices were not worked out")
    voices = sum(1 for ones in members if ones)
    told = f"{counted(len(cited), 'source')}, {counted(voices, 'voice')}"
    return Finding(len(cited), repeated, told)


def _corroboration(view: View) -> Finding:
    least = view.case.policy.min_independent
    heard = [view.case.corroborations[key] for key in view.standings if key in view.case.corroborations]
    if not heard:
        return _skipped("voices were not worked out")
    few = sorted(one.claim_id for one in heard if len(one.independent) < least)
    flags = Counter(flag for one in heard for flag in one.flags)
    told = "".join(f"; {number} {flag}" for flag, number in sorted(flags.items()))
    short = f"; fewer: {_named(few)}" if few else ""
    enough = f"{len(heard) - len(few)} of {counted(len(heard), 'claim')} have {least} independent voices or more"
    words = enough if least else counted(len(heard), "claim")
    return Finding(len(heard), len(few), words + short + told, noted=sum(bool(one.flags) for one in heard))


def _freshness(view: View) -> Finding:
    bad = [key for key, age in view.ages.items() if age.stale]
    return _tally(view.claims, sorted(bad), "claim", "were last seen too long ago")


def _coverage(view: View) -> Finding:
    gaps = [
        f"{predicate} of {subject}"
        for (subject, predicate), (required, status) in view.coverage.items()
        if required and status == Coverage.GAP
    ]
    required = [slot for slot, (asked, _) in view.coverage.items() if asked]
    return _tally(required, gaps, "required value", "are gaps")


_FINDERS: Mapping[str, Callable[[View], Finding]] = {
    "schema-valid": _schema_valid,
    "source-resolves": _source_resolves,
    "snapshot-present": _snapshot_present,
    "source-allowed": _source_allowed,
    "selector-valid": _selector_valid,
    "evidence-present": _evidence_present,
    "quote-integrity": _quote_integrity,
    "cite-check-resolved": _cite_check,
    "dangling-citation": _dangling,
    "retracted-citations": _retracted,
    "contradictions": _contradictions,
    "as-of-consistent": _as_of,
    "ledger-intact": _ledger,
    "review-complete": _review,
    "quote-context": _context,
    "independence": _independence,
    "corroboration": _corroboration,
    "freshness": _freshness,
    "coverage": _coverage,
}
