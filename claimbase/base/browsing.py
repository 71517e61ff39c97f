"""An open base, and looking around in it: its basis, its vocabulary, its claims one by one, and free SQL."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Self

from claimbase import ingest
from claimbase.base.arguments import checked
from claimbase.claims import claim_number
from claimbase.errors import ClaimNotFoundError, InputError, StoreError, shown
from claimbase.store import Db, Moment, Rows, resolve
from claimbase.temporal import AsOf, Basis, iso
from claimbase.vocabulary import Vocabulary


@checked
class Browsing:
    """An open base; what it holds can be looked at."""

    def __init__(self, db: Db) -> None:
        self.db = db
        self._vocabularies: dict[datetime | None, Vocabulary] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        (row,) = self.db.file("queries/totals").dicts()
        return f"<claimbase {self.db.name}: {row['claims']:,} claims about {row['subjects']:,} subjects>"

    def close(self) -> None:
        """Close the base and give up its lock."""
        self.db.close()

    def basis(
        self,
        as_of: AsOf | Moment | None = None,
        observed_by: Moment | None = None,
        recorded_by: Moment | None = None,
        *,
        then: bool = False,
    ) -> Basis:
        """Resolve a basis (A1-A5); see :func:`claimbase.store.resolve`.

        Args:
            as_of: an instant of valid time, or an AsOf that names all three axes; None = now.
            observed_by: only what could have been read by then; None = now.
            recorded_by: only what this base held by then; None = now.
            then: as it was known then: observed_by and recorded_by are as_of.

        Raises:
            InstantError: one is no instant; [future_basis] observed_by or recorded_by has not come.
        """
        return resolve(self.db, as_of, observed_by, recorded_by, then=then)

    def vocabulary(self, basis: Basis | None = None) -> Vocabulary:
        """Give the predicates declared by the basis (A6); before any was, those of now, so that words can be read.

        Args:
            basis: as :meth:`basis` gives it; None = now.
        """
        recorded_by = (basis or self.basis()).recorded_by
        ((key,),) = self.db.remembered("queries/declared_at", {"recorded_by": recorded_by}).rows
        if key is None and basis is not None:
            return self.vocabulary()
        if key not in self._vocabularies:
            self._vocabularies[key] = ingest.vocabulary_at(self.db, recorded_by)
        return self._vocabularies[key]

    def reviews(self) -> list[dict[str, Any]]:
        """List what a person should look at: pages found changed without a successor named, and not read since (W2)."""
        return self.db.file("queries/reviews", {"recorded_by": self.basis().recorded_by}).dicts()

    def get(self, claim_id: str) -> dict[str, Any]:
        """Give one claim whole: what it says, every version ever recorded, every reading.

        Args:
            claim_id: c_ and 16 hexadecimal digits.

        Raises:
            InputError: [bad_claim_id].
            ClaimNotFoundError: the base holds no such claim; [erased] it was erased, with the reason and the instant.
        """
        number, basis = {"claim_no": claim_number(claim_id)}, self.basis()
        known = {"observed_by": basis.observed_by, "recorded_by": basis.recorded_by}
        versions = self.db.file("queries/claim", number | known).dicts()
        if not versions:
            for reason, erased_at in self.db.file("queries/erased", number):
                told = f"{claim_id} was erased at {iso(erased_at)}: {shown(reason)}"
                raise ClaimNotFoundError(told, code="erased", hint="its content is gone at every basis", reason=reason)
            raise ClaimNotFoundError(f"the base holds no claim {claim_id}", hint="kb.claims() lists them")
        axes = (
            "from_earliest", "from_latest", "until_earliest", "until_latest", "observed_at", "observed_from",
            "observed_until", "recorded_at", "retracted_at", "retraction", "quote",
        )  # fmt: skip
        said = {name: value for name, value in versions[-1].items() if name not in axes or name == "quote"}
        history = [{name: version[name] for name in axes} for version in versions]
        return said | {"versions": history, "readings": self.db.file("queries/readings", number).dicts()}

    def claims(
        self,
        subject: str | None = None,
        predicate: str | None = None,
        source: str | None = None,
        *,
        provider: str | None = None,
        observed_by: Moment | None = None,
        recorded_by: Moment | None = None,
        limit: int = 1000,
    ) -> list[dict[str, Any]]:
        """List visible claims, narrowed by names; the predicate's aliases are included (P2).

        Args:
            subject, provider, predicate: names.
            source: a url or source id.
            observed_by, recorded_by: what was known; None = now.
            limit: how many at most.

        Raises:
            InstantError; InputError: [bad_limit].
        """
        if limit < 0:
            raise InputError(f"limit {limit} is no number of claims", code="bad_limit", hint="0 or more")
        basis = self.basis(None, observed_by, recorded_by)
        names = None
        if predicate is not None:
            found = self.vocabulary(basis).find(predicate)
            names = [predicate] if found is None else [found.name, *(alias.name for alias in found.aliases)]
        return self.db.file("queries/claims", {
            "subject": subject, "provider": provider, "predicate": names, "source": source, "limit": limit,
            "observed_by": basis.observed_by, "recorded_by": basis.recorded_by,
        }).dicts()  # fmt: skip

    def describe(self) -> dict[str, Any]:
        """Tell what can be asked: the predicates with their kinds, units and operators, and how much the base holds."""
        from claimbase.constraints import allowed_operators

        use = {name: claims for name, claims, _ in self.db.file("queries/predicate_use")}
        predicates = [
            {
                "name": predicate.name, "kind": predicate.kind, "unit": predicate.unit,
                "cardinality": predicate.cardinality, "description": predicate.description,
                "aliases": [alias.name for alias in predicate.aliases], "words": list(predicate.words),
                "operators": list(allowed_operators(predicate.kind)),
                "claims": sum(use.get(name, 0) for name in (predicate.name, *(a.name for a in predicate.aliases))),
            }
            for predicate in self.vocabulary()
        ]  # fmt: skip
        (totals,) = self.db.file("queries/totals").dicts()
        providers = sorted({provider for provider, _ in self.db.file("queries/names")})
        return {"totals": totals, "predicates": predicates, "providers": providers}

    def sql(self, query: str) -> Rows:
        """Run one SELECT of your own on a locked reader: no file, no write, no setting is in reach (C8, G14).

        Args:
            query: the statement.

        Raises:
            StoreError: [not_a_reader] the base is open for writing.
            InputError: the statement is no single SELECT over schema cb, or made of something that is not listed.
            LimitError: [too_large], [too_deep].
        """
        from claimbase.selects import check

        if not self.db.read_only:
            raise StoreError("free SQL needs a locked reader", code="not_a_reader", hint="open the base read_only=True")
        check(query)
        self.db.follow()
        return self.db.query(query)
