"""Documents: a Markdown report is read, its citations are looked up in the base, and its sentences are checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from claimbase.analysis.dossier import dossier, sources_at
from claimbase.analysis.texts import address, texts
from claimbase.claims import claim_number
from claimbase.errors import ClaimbaseError
from claimbase.evidence.align import SourceText, align
from claimbase.evidence.judging import SupportJudge
from claimbase.evidence.model import ClaimAt, Dossier, Hint, SnapshotAt, SourceAt
from claimbase.evidence.notices import acknowledged
from claimbase.evidence.policy import Policy
from claimbase.evidence.report_text import Report, read_report
from claimbase.evidence.reports import Cited, CitedQuote, check_report
from claimbase.receipts.case import Case, DocumentAt, NoticeAt
from claimbase.receipts.issuing import case_of, notices_on
from claimbase.receipts.rulings import keep_rulings, known_rulings
from claimbase.store import Db
from claimbase.temporal import Basis
from claimbase.vocabulary import Vocabulary


def of_report(
    db: Db,
    vocabulary: Vocabulary,
    basis: Basis,
    text: str,
    *,
    policy: Policy,
    judge: SupportJudge | None = None,
    **more: Any,
) -> Case:
    """Make the case of a report: every sentence beside what it cites, every quotation beside its text (evidence §6.4).

    Args:
        db: the base.
        vocabulary: the predicates as declared within the basis.
        basis: what was known.
        text: Markdown.
        policy: what counts, and which sentences are for the judge.
        judge: who reads them; what they say is kept.
        more: tenant, domain, ledger.

    Raises:
        LimitError: [too_large].
    """
    report = read_report(text)
    cited = _cited(db, basis, report.targets, policy)
    read = check_report(
        report, cited, sample=policy.sample, seed=policy.seed, words_left_out=policy.words_left_out == "flag",
        judge=judge, known=known_rulings(db, basis),
    )  # fmt: skip
    keep_rulings(db, ((None, None, "values", one) for one in read.rulings))
    claims = sorted({name for one in cited.values() for name in one.claim_ids})
    case = case_of(db, vocabulary, basis, claims, policy=policy, **more)
    document = DocumentAt(
        read.sha256, read.pairs,
        read.quotes, read.dangling, read.unparsed, read.sampled,
        tuple(sorted({name for one in cited.values() for name in one.source_ids})),
    )  # fmt: skip
    held = _with_texts(case.dossier, db, basis, cited)
    noted = _noted(text, report, cited)
    notices = tuple(replace(one, noted=one.noted or _by(one, held) <= noted) for one in notices_on(db, basis, held))
    query = {"targets": list(report.targets)}
    return replace(case, kind="document", dossier=held, document=document, notices=notices, query=query)


def _noted(text: str, report: Report, cited: Mapping[str, Cited]) -> set[str]:
    """Give the sources that the report calls retracted wherever it cites them (evidence §5)."""
    called: dict[str, bool] = {}
    for pair in report.pairs:
        for source in cited[pair.target].source_ids if pair.target in cited else ():
            called[source] = called.get(source, True) and acknowledged(text, pair.start, pair.end)
    return {source for source, always in called.items() if always}


def _by(notice: NoticeAt, held: Dossier) -> set[str]:
    """Give the sources that are the publication of a notice."""
    return {one.source_id for one in held.sources.values() if one.doi_key == notice.doi_key}


def _cited(db: Db, basis: Basis, targets: Iterable[str], policy: Policy) -> dict[str, Cited]:
    """Look up what each target leads to; those that lead nowhere are left out."""
    sources = sources_at(db, basis)
    by_key = {one.url_key: one.source_id for one in sources.values()}
    found: dict[str, Cited] = {}
    for target in targets:
        claims, of = _meant(db, basis, target, sources, by_key)
        if claims or of:
            found[target] = _target(db, basis, dossier(db, basis, claims), of, policy, of_claim=of is None)
    return found


def _meant(
    db: Db, basis: Basis, target: str, sources: Mapping[str, SourceAt], by_key: Mapping[str, str]
) -> tuple[list[str], str | None]:
    """Give the claims that a target names or rests on, and the source it names, if it names one."""
    try:
        claim_number(target)
    except ClaimbaseError:
        source = target if target in sources else by_key.get(address(target) or "")
        if source is None:
            return [], None
        asked = {"observed_by": basis.observed_by, "recorded_by": basis.recorded_by, "sources": [source]}
        return [row[0] for row in db.file("queries/claims_citing", asked)], source
    return [one.claim_id for one in dossier(db, basis, [target]).claims], None


def _target(db: Db, basis: Basis, held: Dossier, source: str | None, policy: Policy, *, of_claim: bool) -> Cited:
    known = {key: SourceText(one.text, one.profile) for key, one in held.snapshots.items()}
    if source is not None:
        known |= {one.snapshot_id: SourceText(one.text, one.profile) for one in texts(db, basis, source)}
    quotes = [quote for claim in held.claims for quote in _quotes(claim, known, policy, source)]
    named = tuple(dict.fromkeys(one.source_id for claim in held.claims for one in claim.evidence))
    return Cited(
        (source,) if source else named, tuple(one.claim_id for one in held.claims) if of_claim else (),
        tuple(quotes), known, snippet=any(held.sources[one].source_type == "search_snippet" for one in held.sources),
    )  # fmt: skip


def _quotes(
    claim: ClaimAt, known: Mapping[str, SourceText], policy: Policy, source: str | None
) -> Iterable[CitedQuote]:
    for one in claim.evidence:
        if source is not None and one.source_id != source:
            continue
        text = known.get(one.snapshot_id or "", SourceText(None))
        match = align(one.quote, text, Hint(one.prefix, one.suffix, one.start_char))
        yield CitedQuote(one.evidence_id, claim.claim_id, one.snapshot_id, one.quote, match, policy.counts(match))


def _with_texts(held: Dossier, db: Db, basis: Basis, cited: Mapping[str, Cited]) -> Dossier:
    """Put the texts and sources that the report cites without a claim into the dossier too."""
    wanted = {key for one in cited.values() for key in one.texts} - held.snapshots.keys()
    more: dict[str, SnapshotAt] = {one.snapshot_id: one for key in sorted(wanted) for one in texts(db, basis, key)}
    sources = sources_at(db, basis, {name for one in cited.values() for name in one.source_ids})
    return replace(held, snapshots={**held.snapshots, **more}, sources={**held.sources, **sources})
