"""Everything that asks who says it: voices, corroboration, gaps, and notices about publications."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from claimbase.base.arguments import checked
from claimbase.base.reading import Reading
from claimbase.store import Moment
from claimbase.temporal import AsOf

if TYPE_CHECKING:
    from claimbase.analysis.corroboration import CorroborationReport, SubjectRating
    from claimbase.analysis.gaps import Gaps
    from claimbase.analysis.independence import Independence
    from claimbase.analysis.notices import Sweep


@checked
class Voicing(Reading):
    """Who says what; the basis is as_of, observed_by, recorded_by (default: now)."""

    def independence(
        self,
        *,
        explain: bool = False,
        as_of: AsOf | Moment | None = None,
        observed_by: Moment | None = None,
        recorded_by: Moment | None = None,
        then: bool = False,
    ) -> Independence:
        """Tell how many voices the sources are; mirrors, copies and one publisher's pages are one (R1).

        Args:
            explain: give the reason of each merge too.
            as_of, observed_by, recorded_by, then: the basis; its valid_at plays no part.

        Raises:
            InstantError.
        """
        from claimbase.analysis.independence import independence

        return independence(self.db, self.basis(as_of, observed_by, recorded_by, then=then), explain=explain)

    def corroboration(
        self,
        claim_id: str,
        as_of: AsOf | Moment | None = None,
        *,
        observed_by: Moment | None = None,
        recorded_by: Moment | None = None,
        then: bool = False,
    ) -> CorroborationReport:
        """Tell who says a claim's value, and which of the voices are independent (K4).

        Args:
            claim_id: the claim.
            as_of, observed_by, recorded_by, then: the basis; claims agree at its valid_at.

        Raises:
            InputError: [bad_claim_id].
            ClaimNotFoundError: the basis sees no such claim.
            InstantError.
        """
        from claimbase.analysis.corroboration import corroboration

        return corroboration(self.db, self.basis(as_of, observed_by, recorded_by, then=then), claim_id)

    def rating(
        self,
        subject: str,
        *,
        provider: str | None = None,
        as_of: AsOf | Moment | None = None,
        observed_by: Moment | None = None,
        recorded_by: Moment | None = None,
        then: bool = False,
    ) -> SubjectRating:
        """Rate how a subject's claims hang together: consistent, mixed or inconsistent (evidence §5).

        Args:
            subject, provider: whom to rate; the provider where the name alone is not unique.
            as_of, observed_by, recorded_by, then: the basis.

        Raises:
            InputError: [unknown_subject], [ambiguous_subject]; InstantError.
        """
        from claimbase.analysis.corroboration import rating

        basis = self.basis(as_of, observed_by, recorded_by, then=then)
        return rating(self.db, basis, subject, provider=provider)

    def gaps(
        self,
        required: Sequence[str],
        *,
        subjects: Sequence[str] = (),
        providers: Sequence[str] = (),
        as_of: AsOf | Moment | None = None,
        observed_by: Moment | None = None,
        recorded_by: Moment | None = None,
        then: bool = False,
    ) -> Gaps:
        """Tell which required predicates the subjects have a claim for: filled, confirmed absent, or a gap (B7).

        Args:
            required: names or aliases of predicates; at least one.
            subjects, providers: names to look at; empty = all.
            as_of, observed_by, recorded_by, then: the basis.

        Raises:
            InputError: [no_predicates] none is named.
            VocabularyError: [unknown_predicate]; InstantError.
        """
        from claimbase.analysis.gaps import gaps

        basis = self.basis(as_of, observed_by, recorded_by, then=then)
        return gaps(self.db, self.vocabulary(basis), basis, required=required, subjects=subjects, providers=providers)

    def retractions(
        self,
        *,
        as_of: AsOf | Moment | None = None,
        observed_by: Moment | None = None,
        recorded_by: Moment | None = None,
        then: bool = False,
    ) -> Sweep:
        """Look which sources are, or name, a publication that providers gave notice of; nobody is asked.

        Args:
            as_of, observed_by, recorded_by, then: the basis; its valid_at plays no part.

        Raises:
            InstantError.
        """
        from claimbase.analysis.notices import sweep

        return sweep(self.db, self.basis(as_of, observed_by, recorded_by, then=then))
