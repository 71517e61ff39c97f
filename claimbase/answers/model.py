"""What an answer is made of: frozen plain data, each part able to give itself as JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from decimal import Decimal
from html import escape
from typing import TYPE_CHECKING, Any

from claimbase.analysis.result import plain
from claimbase.compiler import Step, export
from claimbase.pausing import without_collector
from claimbase.present import guarded, harmless, isolated
from claimbase.temporal import Basis, iso

# What a person needs to check a claim, in the order of the flat rows.
ROW_COLUMNS = (
    "bucket", "provider", "subject", "constraint", "verdict", "claim_id", "predicate", "role", "certain", "value",
    "normalized_value", "unit", "scope", "valid", "observed_at", "last_seen", "quote", "evidence", "title", "url",
    "publisher", "published_at", "authority",
)  # fmt: skip


class _Part:
    __slots__ = ()

    def to_json(self) -> dict[str, Any]:
        """Give this part of the answer as plain data."""
        return {item.name: plain(getattr(self, item.name)) for item in fields(self)}  # type: ignore[arg-type]  # parts are dataclasses


@dataclass(frozen=True, slots=True)
class Citation(_Part):
    """One claim behind a verdict, with all a reader needs to check it (Q4).

    Args:
        constraint: the place of the constraint it speaks to, *test* that of the test within all of them; None for a
            claim that is only shown (Q12).
        role: yes, no, maybe or absence; or why it says nothing: overridden (K6), unread, incomparable (V2),
            no_method (P3), withdrawn (R2), other_scope (Q6), shown (Q12), operand (Q14).
        certain: it certainly holds at the basis (T2) and no exception is possible (K6); otherwise it possibly does.
        value: as written; None where the content was erased.
        normalized_value: the canonical text that decides equality, in *unit*.
        value_min, value_max: the bounds compared; dates as Unix seconds.
        valid: the valid interval in words.
        last_seen: when the source was last read and still said it, at the basis (Q9).
        prose: the quote is somebody's words, not a piece of structured data.
        flags: what a reader must be warned of: source withdrawn, derived from a withdrawn source (R2).
        reason: why it holds only possibly: start unknown, between readings, end unknown, unconfirmed, an exception is
            possible (K6).
        evidence: how its quote stands in the text it is bound to: verified, altered, ambiguous, not-found,
            unverifiable; None where it is bound to none.
    """

    claim_id: str
    provider: str
    subject: str
    predicate: str
    constraint: int | None
    test: int | None
    role: str
    certain: bool
    overridden: bool
    reason: str | None
    value: str | None
    normalized_value: str | None
    value_min: Decimal | None
    value_max: Decimal | None
    min_open: bool
    max_open: bool
    unit: str | None
    polarity: str
    complete: bool
    scope: Mapping[str, str]
    valid: str
    from_earliest: datetime | None
    from_latest: datetime | None
    until_earliest: datetime | None
    until_latest: datetime | None
    observed_at: datetime
    last_seen: datetime
    quote: str | None
    selector: str | None
    prose: bool
    reasoning: str | None
    confidence: str | None
    source_id: str
    url: str
    title: str | None
    publisher: str | None
    published_at: datetime | None
    source_type: str | None
    authority: str | None
    derived_from: str | None
    flags: tuple[str, ...] = ()
    evidence: str | None = None


@dataclass(frozen=True, slots=True)
class Verdict(_Part):
    """What the evidence says of one subject and one constraint (Q1).

    Args:
        constraint: as text.
        predicate: what it tests; None for a group.
        verdict: met, disputed, possible, no_evidence, absent or failed.
        reason: why only possible, or why there is no evidence.
        value: the values of the deciding claims as written, each once.
        scopes: for scope="any" the scopes of the slots with this verdict (Q6).
        mentioned: scopes in which there are claims that did not decide (Q6).
        members: the verdicts of a group's members.
    """

    constraint: str
    predicate: str | None
    verdict: str
    reason: str | None = None
    value: str | None = None
    scopes: tuple[Mapping[str, str], ...] = ()
    mentioned: tuple[Mapping[str, str], ...] = ()
    members: tuple[Verdict, ...] = ()


class _Late(_Part):
    """A part whose last fields are made when somebody first looks: making all takes longer than finding them."""

    __slots__ = ("_make", "_place")

    if not TYPE_CHECKING:  # of a field that is not there yet

        def __getattr__(self, name: str) -> Any:
            if name not in ("verdicts", "citations"):
                raise AttributeError(name)
            verdicts, citations = self._make(self._place)
            object.__setattr__(self, "verdicts", verdicts)
            object.__setattr__(self, "citations", citations)
            return verdicts if name == "verdicts" else citations


Make = Callable[[int], tuple[tuple[Verdict, ...], tuple[Citation, ...]]]


@dataclass(frozen=True, slots=True)
class SubjectAnswer(_Late):
    """One subject with its verdicts, in the order of the constraints, and the claims behind them.

    Args:
        bucket: eligible, disputed, possible, near_miss or none.
        eligible: satisfies every constraint under the policy asked for (Q2).
        worth: the value it is ranked by (Q11), in the predicate's unit, a date as Unix seconds.
    """

    provider: str
    subject: str
    bucket: str
    eligible: bool
    verdicts: tuple[Verdict, ...]
    citations: tuple[Citation, ...]
    worth: Decimal | None = None

    @classmethod
    def late(
        cls, provider: str, subject: str, bucket: str, eligible: bool, worth: Decimal | None, make: Make, place: int
    ) -> SubjectAnswer:
        """Give a subject whose verdicts and citations, fetched already, *make* makes of its place when asked for."""
        one, put = object.__new__(cls), object.__setattr__
        put(one, "provider", provider)
        put(one, "subject", subject)
        put(one, "bucket", bucket)
        put(one, "eligible", eligible)
        put(one, "worth", worth)
        put(one, "_make", make)
        put(one, "_place", place)
        return one

    def __repr__(self) -> str:
        said = ", ".join(verdict.verdict for verdict in self.verdicts)
        return harmless(f"<{self.provider} {self.subject}: {said}; {len(self.citations)} citations>")

    @property
    def missing(self) -> Verdict | None:
        """The first verdict that is not met: of a near miss, the reason it is one (Q3)."""
        return next((verdict for verdict in self.verdicts if verdict.verdict != "met"), None)


@dataclass(frozen=True, slots=True)
class Freshness(_Part):
    """How old the supporting claims are at observed_by, by their last reading (Q9).

    Args:
        newest, oldest: last readings; None without supporting claims.
        stale: how many are older than their predicate's stale_after; *stale_claims* names them.
        by_predicate: per predicate stale_after (days), newest, oldest, stale.
    """

    at: datetime
    newest: datetime | None
    oldest: datetime | None
    stale: int
    stale_claims: tuple[str, ...]
    by_predicate: Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Answer(_Part):
    """Who satisfies all constraints by evidence at one basis, with all it takes to check or replay it (Q1-Q13, A6).

    Args:
        constraints: the stated constraints as text, in order; a ranking may add one (Q7).
        basis: the instants it speaks of.
        filters: what it was narrowed to, echoed (Q12).
        policy: "certain" or "any" (Q2).
        eligible, disputed, possible, near_misses: the buckets, each in order (Q3); *others* only on request.
        ranked: where an order was asked: eligible, then disputed and possible, then those without a value (Q11).
        operands: claims of other subjects that served as operands (Q14).
        counts: numbers of all subjects and claims, also where a list was cut.
        notes: what a reader must know: projected, mentioned scopes, constraints that exclude each other, cut lists.
        plan: the steps that ran, each with its SQL and row count (Q8).
        sql, params: the statement and its parameters; the same store gives the same rows (A6).
        versions: of the engine, the schema and the vocabulary.
        asked: the constraints as given and the options, as plain data: how to ask again.
    """

    summary: str
    constraints: tuple[str, ...]
    basis: Basis
    filters: Mapping[str, Any]
    policy: str
    eligible: tuple[SubjectAnswer, ...]
    disputed: tuple[SubjectAnswer, ...]
    possible: tuple[SubjectAnswer, ...]
    near_misses: tuple[SubjectAnswer, ...]
    others: tuple[SubjectAnswer, ...]
    ranked: tuple[SubjectAnswer, ...]
    operands: tuple[Citation, ...]
    counts: Mapping[str, int | None]
    freshness: Freshness
    notes: tuple[str, ...]
    plan: tuple[Step, ...]
    sql: str
    params: Mapping[str, Any]
    versions: Mapping[str, str]
    asked: Mapping[str, Any] = field(default_factory=dict)

    @property
    @without_collector()
    def citations(self) -> tuple[Citation, ...]:
        """Every claim cited, by subject in the order of the answer."""
        return tuple(citation for subject in self.subjects() for citation in subject.citations) + self.operands

    @property
    def supporting(self) -> tuple[Citation, ...]:
        """The claims that make the eligible subjects eligible."""
        return tuple(citation for subject in self.eligible for citation in supporting(subject))

    def subjects(self) -> tuple[SubjectAnswer, ...]:
        """Give every subject returned, each once, in the order of the buckets."""
        parts = (self.eligible, self.disputed, self.possible, self.near_misses, self.others)
        return tuple({(one.provider, one.subject): one for part in parts for one in part}.values())

    def verdicts(self) -> dict[str, tuple[str, ...]]:
        """Give the verdicts of every subject returned, by its name."""
        return {one.subject: tuple(verdict.verdict for verdict in one.verdicts) for one in self.subjects()}

    def sql_for(self, dialect: str) -> str:
        """Write the statement of this answer for another engine that holds the same tables; it gives the same rows.

        Args:
            dialect: duckdb, postgres, datafusion or spark.

        Raises:
            InputError: [not_portable] it needs what the dialect cannot say; [unknown_dialect].
        """
        return export(self, dialect)

    @without_collector()
    def rows(self) -> list[dict[str, Any]]:
        """Give one flat row per citation, in the order of the answer (C16); a subject without any has one row."""
        return [row for subject in self.subjects() for row in _rows(subject)]

    def to_csv(self, *, sources: bool = False) -> str:
        """Write one row per subject as CSV: its bucket, the verdict and value of each constraint (M6: no formulas).

        Args:
            sources: with a column of the addresses behind it, each once, primary ones first.
        """
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        names = [f"{name}{part}" for name in self.constraints for part in ("", " (value)")]
        writer.writerow(["bucket", "provider", "subject", *map(guarded, names), *(["sources"] if sources else [])])
        for one in self.subjects():
            told = [part for verdict in one.verdicts for part in (verdict.verdict, verdict.value)]
            cells = [one.bucket, one.provider, one.subject, *told, *([_addresses(one)] if sources else [])]
            writer.writerow(map(guarded, cells))
        return out.getvalue()

    def df(self) -> Any:
        """Give the rows as a pandas frame; needs ``claimbase[frames]``."""
        import pandas as pd

        return pd.DataFrame(self.rows(), columns=list(ROW_COLUMNS))

    def pl(self) -> Any:
        """Give the rows as a polars frame; needs ``claimbase[frames]``."""
        import polars as pl

        return pl.DataFrame([_flat(row) for row in self.rows()], schema=_SCHEMA(pl))

    def arrow(self) -> Any:
        """Give the rows as an Arrow table; needs ``claimbase[frames]``."""
        return self.pl().to_arrow()

    @without_collector()
    def to_json(self) -> dict[str, Any]:
        """Give the whole answer as plain data."""
        whole = super(Answer, self).to_json()
        whole["plan"] = [
            {"name": step.name, "title": step.title, "rows": step.rows, "sql": step.sql} for step in self.plan
        ]
        return whole

    def __repr__(self) -> str:
        return f"<Answer as of {iso(self.basis.valid_at)}: {self.summary}>"

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(name)}</th>" for name in _HTML_COLUMNS)
        body = "".join(
            "<tr>" + "".join(f"<td>{isolated(_cell(row[name]))}</td>" for name in _HTML_COLUMNS) + "</tr>"
            for row in self.rows()
        )
        about = f"{harmless(' and '.join(self.constraints))}; as of {iso(self.basis.valid_at)}"
        return (
            f"<p><b>{escape(self.summary)}</b><br>{isolated(about)}</p>"
            f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        )


_HTML_COLUMNS = (
    "bucket", "provider", "subject", "predicate", "verdict", "role", "value", "unit", "valid", "observed_at", "quote",
    "title", "url",
)  # fmt: skip


def supporting(subject: SubjectAnswer) -> tuple[Citation, ...]:
    """Give the claims that make a subject's constraints met: certain yeses, or both sides of a change window (Q1)."""
    yes = [one for one in subject.citations if one.role == "yes"]
    certain = {one.test for one in yes if one.certain}
    return tuple(one for one in yes if one.certain or one.test not in certain)


def _rows(subject: SubjectAnswer) -> list[dict[str, Any]]:
    about = {"bucket": subject.bucket, "provider": subject.provider, "subject": subject.subject}
    if not subject.citations:
        said = "; ".join(verdict.verdict for verdict in subject.verdicts)
        return [dict.fromkeys(ROW_COLUMNS) | about | {"verdict": said}]
    return [about | _row(subject, citation) for citation in subject.citations]


def _row(subject: SubjectAnswer, citation: Citation) -> dict[str, Any]:
    verdict = None if citation.constraint is None else subject.verdicts[citation.constraint]
    given = {name: getattr(citation, name) for name in ROW_COLUMNS if hasattr(citation, name)}
    given |= {
        "constraint": verdict.constraint if verdict else None,
        "verdict": verdict.verdict if verdict else None,
        "scope": ", ".join(f"{key}={value}" for key, value in citation.scope.items()),
    }
    return {name: given[name] for name in ROW_COLUMNS if name in given}


def _addresses(subject: SubjectAnswer) -> str:
    ranked = sorted(subject.citations, key=lambda one: one.authority != "subject_authored")
    return " ".join(dict.fromkeys(one.url for one in ranked))


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: row.get(name) for name in ROW_COLUMNS}


def _SCHEMA(pl: Any) -> dict[str, Any]:  # noqa: N802  # a table that needs the module it speaks of
    instants = pl.Datetime("us", "UTC")
    kinds = {"certain": pl.Boolean, "observed_at": instants, "last_seen": instants, "published_at": instants}
    return {name: kinds.get(name, pl.String) for name in ROW_COLUMNS}


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return iso(value) if isinstance(value, datetime) else harmless(value)
