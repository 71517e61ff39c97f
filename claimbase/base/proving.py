"""Everything about what proves a claim: texts as read, evidence, receipts, the ledger."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from claimbase.base.arguments import checked
from claimbase.base.evidence import Evidence
from claimbase.base.sources import Sources
from claimbase.base.voicing import Voicing
from claimbase.errors import InputError, shown
from claimbase.store import Audit, Moment, audit, checkpoint, read_checkpoint
from claimbase.temporal import AsOf

if TYPE_CHECKING:
    from claimbase.analysis.texts import Suggestions
    from claimbase.answers import Answer
    from claimbase.evidence.citations import GivenEvidence
    from claimbase.evidence.judging import SupportJudge
    from claimbase.evidence.model import Match
    from claimbase.evidence.policy import Policy
    from claimbase.ingest.rechecking import Recheck
    from claimbase.receipts.cells import Cell
    from claimbase.receipts.comparing import Comparison
    from claimbase.receipts.model import Receipt


@checked
class Proving(Voicing):
    """What can be asked about proof; the basis is as_of, observed_by, recorded_by (default: now)."""

    @property
    def evidence(self) -> Evidence:
        """Quotes bound to texts as read."""
        return Evidence(self)

    @property
    def sources(self) -> Sources:
        """Sources and their texts as read."""
        return Sources(self)

    def find_quote(
        self,
        quote: str,
        source: str | None = None,
        *,
        as_of: AsOf | Moment | None = None,
        observed_by: Moment | None = None,
        recorded_by: Moment | None = None,
    ) -> list[tuple[str, Match]]:
        """Say how a quote stands in texts as read: one text, or every text that holds it (N11).

        Args:
            quote: the words.
            source: the id of a snapshot, or of a source for its newest text; None = every source's newest.
            as_of, observed_by, recorded_by: the basis.

        Raises:
            UnknownSourceError: [unknown_source]; LimitError: [too_large]; InstantError.
        """
        from claimbase.analysis.texts import find_quote

        return find_quote(self.db, self.basis(as_of, observed_by, recorded_by), quote, source)

    def reading_window(
        self,
        evidence_id: str,
        radius: int = 1000,
        *,
        observed_by: Moment | None = None,
        recorded_by: Moment | None = None,
    ) -> str:
        """Give the text around a piece of evidence, joined with the passage that names its subject (evidence §3).

        Args:
            evidence_id: e_ and 16 hexadecimal digits.
            radius: characters on either side.
            observed_by, recorded_by: what was known; None = now.

        Raises:
            EvidenceError: [unknown_evidence]; InstantError.
        """
        from claimbase.analysis.texts import window_of

        return window_of(self.db, self.basis(None, observed_by, recorded_by), evidence_id, radius)

    def sources_about(
        self,
        subject: str | None = None,
        *,
        as_of: AsOf | Moment | None = None,
        observed_by: Moment | None = None,
        recorded_by: Moment | None = None,
    ) -> list[dict[str, Any]]:
        """List the sources whose claims speak of a subject, those with most claims first.

        Args:
            subject: a name or alias; None = of any subject.
            as_of, observed_by, recorded_by: the basis.

        Raises:
            InputError: [unknown_subject], [ambiguous_subject]; InstantError.
        """
        from claimbase.analysis.texts import sources_about

        return sources_about(self.db, self.basis(as_of, observed_by, recorded_by), subject)

    # -- receipts -------------------------------------------------------------------------------------------------

    def verify(
        self,
        what: Answer | Sequence[str] | str | None = None,
        *,
        report: str | None = None,
        policy: Policy | None = None,
        judge: SupportJudge | None = None,
        as_of: AsOf | Moment | None = None,
        observed_by: Moment | None = None,
        recorded_by: Moment | None = None,
        **more: Any,
    ) -> Receipt:
        """Check claims, an answer or a report against the texts they rest on, and keep the receipt.

        Args:
            what: an answer, whose basis it then is; claim ids; or one claim id.
            report: a Markdown text whose sentences cite sources or claims, instead.
            policy: what counts; None = the default policy.
            judge: reads what no check decides; its verdicts are kept. None = those sentences stay not checked.
            as_of, observed_by, recorded_by: the basis of claims and reports.
            more: tenant (whose sources may be used), domain (further checks by name), ledger (False: do not verify it).

        Raises:
            ClaimNotFoundError: the basis does not see a claim.
            InputError: [empty_input] nothing is named; [two_subjects] both claims and a report.
        """
        from claimbase.receipts.verifying import verify

        basis = self.basis(as_of, observed_by, recorded_by)
        return verify(self.db, self.vocabulary(basis), basis, what, report=report, policy=policy, judge=judge, **more)

    def receipts(self) -> list[dict[str, Any]]:
        """List the receipts kept in the base, the newest first."""
        return self.db.file("queries/receipts", {"recorded_by": self.basis().recorded_by}).dicts()

    def receipt(self, receipt_id: str) -> Receipt:
        """Give a receipt as it was kept.

        Args:
            receipt_id: r_ and 16 hexadecimal digits.

        Raises:
            ReceiptError: [unknown_receipt] the base holds none of that id; [erased] its text was erased;
                [altered_receipt].
        """
        from claimbase.receipts.issuing import stored

        return stored(self.db, receipt_id)

    def replay(self, receipt: Receipt | str, *, report: str | None = None, **more: Any) -> Comparison:
        """Make a receipt again at its own basis and say which rows differ; nothing is written.

        Args:
            receipt: a receipt, or the id of one kept here.
            report: the report's text, for the receipt of a report.
            more: tenant, domain, ledger, as it was made with.

        Raises:
            ReceiptError: [other_base] it was made on another base; [no_report].
        """
        from claimbase.receipts.replaying import replay

        made = self.receipt(receipt) if isinstance(receipt, str) else receipt
        return replay(self.db, self.vocabulary, made, report=report, **more)

    def cell(
        self,
        claim_id: str,
        *,
        as_of: AsOf | Moment | None = None,
        observed_by: Moment | None = None,
        recorded_by: Moment | None = None,
    ) -> Cell:
        """Give a claim as one cell: value, reasoning, sources, evidence, and how it was validated.

        Args:
            claim_id: the claim.
            as_of, observed_by, recorded_by: the basis.

        Raises:
            ClaimNotFoundError: the basis does not see it.
        """
        from claimbase.receipts.cells import cell

        basis = self.basis(as_of, observed_by, recorded_by)
        return cell(self.db, self.vocabulary(basis), basis, claim_id)

    def suggest(
        self,
        claim_id: str,
        *,
        as_of: AsOf | Moment | None = None,
        observed_by: Moment | None = None,
        recorded_by: Moment | None = None,
    ) -> Suggestions:
        """Look for a claim's value in the texts at hand, word for word; nothing is attached.

        Args:
            claim_id: the claim.
            as_of, observed_by, recorded_by: the basis.

        Raises:
            ClaimNotFoundError: the basis does not see it.
        """
        from claimbase.analysis.texts import suggestions

        return suggestions(self.db, self.basis(as_of, observed_by, recorded_by), claim_id)

    def check_citations(self, provider: str, response: Any) -> list[tuple[GivenEvidence, Match | None]]:
        """Look for what a language model's provider cited in the texts as read, like any other quote.

        Args:
            provider: anthropic (the ``content`` of a message) or google (one candidate), as plain data.
            response: what the provider gave.

        Returns:
            Each citation with its match; None = the provider gave no words of the source, which is no pass.

        Raises:
            EvidenceError: [bad_citation]; InputError: [unknown_provider].
        """
        from claimbase.analysis.texts import cited_texts
        from claimbase.evidence.citations import PROVIDERS, verify_given

        if provider not in PROVIDERS:
            raise InputError(f"no adapter reads {shown(provider)}", code="unknown_provider", hint=", ".join(PROVIDERS))
        given = PROVIDERS[provider](response)
        return verify_given(given, cited_texts(self.db, self.basis(), (one.source for one in given)))

    # -- the ledger -----------------------------------------------------------------------------------------------

    def verify_ledger(self, checkpoint: str | None = None) -> Audit:
        """Prove that every row is as it was written and none is missing (G6).

        Args:
            checkpoint: what :meth:`checkpoint` gave before, as JSON or BATCH:ROOT; only so a lost tail is noticed (G7).

        Raises:
            InputError: [bad_checkpoint].
        """
        self.db.follow()
        return audit(self.db, None if checkpoint is None else read_checkpoint(checkpoint))

    def checkpoint(self) -> dict[str, Any]:
        """Give number and root of the newest batch, to be kept outside the base."""
        self.db.follow()
        return checkpoint(self.db)

    # -- pages read again -----------------------------------------------------------------------------------------

    def recheck(self, source: str, text: str | bytes | None, *, observed_at: str | datetime, **options: Any) -> Recheck:
        """Read a source's page again: say how each quote stands in it, confirm what stands, open reviews for the rest.

        Args:
            source: its id or address.
            text: the page as it is now; None = it could not be read.
            observed_at: when it was read.
            options: accept, profile, media_type, declared_version, published_at.

        Raises:
            UnknownSourceError, InstantError, LimitError.
        """
        from claimbase.ingest.rechecking import recheck

        return recheck(self.db, source, text, observed_at=observed_at, **options)

    def decide_review(self, task_id: str, decision: str, *, reviewer: str, note: str | None = None) -> str:
        """Log what a person decided about an open review; see :meth:`reviews`.

        Args:
            task_id: the review's id.
            decision: accept, reject, correct, escalate or pending.
            reviewer: who decided.
            note: why.

        Raises:
            InputError: [unknown_decision], [no_reviewer], [unknown_task].
        """
        from claimbase.ingest.reviewing import decide

        return decide(self.db, task_id, decision, reviewer=reviewer, note=note)
