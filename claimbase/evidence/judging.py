"""Judging: statements beside the words they cite go to a judge outside; what comes back is checked before it counts.

No model is part of this: a judge is a person, a rule or a program that somebody else brings (P5).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Protocol

from claimbase.errors import InputError, shown
from claimbase.evidence.align import SourceText, align
from claimbase.evidence.model import ClaimAt, Dossier, Match, SourceAt
from claimbase.evidence.terms import Method, QuoteStatus, Verdict
from claimbase.evidence.window import claim_windows

RUBRICS = ("values", "rules", "edges")
"""The rubrics that ship as text: statements of values, judgements, relations."""
WINDOWS_MOST = 3
"""How many passages go with one statement."""
BATCH_ITEMS, BATCH_CHARACTERS = 25, 100_000
"""How much a judge is handed at once."""

_LABELS = "ABC"
_SPAN_MOST = 4_000
_SNIPPET = "search_snippet"
_GIVEN_TYPES = ("upload", "structured_api")
_ADDRESSES = ("http://", "https://", "upload://", "s3://", "file://", "mailto:")
_JUDGES = (Method.HUMAN, Method.RULE, Method.MODEL)
_DECIDED = (Verdict.SUPPORTED, Verdict.PARTIALLY_SUPPORTED, Verdict.UNSUPPORTED, Verdict.WRONG_SOURCE)
_AGAINST = (Verdict.UNSUPPORTED, Verdict.WRONG_SOURCE)
_STATED = ("rules", "edges")  # where every verdict must name words


@dataclass(frozen=True, slots=True)
class SourceWindow:
    """A passage of one source.

    Args:
        label: A, B or C.
        source_id: whose text it is.
        snapshot_id: the text; it holds the digest.
        text: the passage.
        quote: the words that the statement quotes from it; None = it quotes none.
        verified: that quote stands there.
        snippet: the source is a list of search results, which only locates a page.
    """

    label: str
    source_id: str
    snapshot_id: str
    text: str
    quote: str | None = None
    verified: bool = False
    snippet: bool = False


@dataclass(frozen=True, slots=True)
class SupportItem:
    """A statement and the passages it rests on.

    Args:
        rubric: values, rules or edges; :func:`rubric` gives its text.
        statement: what is claimed, in words.
        windows: at most three passages.
        value: the value in it, as written.
        subject: what it is about.
        reasoning: how the author came to it.
        context: the sentence before it.
    """

    rubric: str
    statement: str
    windows: tuple[SourceWindow, ...]
    value: str = ""
    subject: str = ""
    reasoning: str | None = None
    context: str = ""

    @property
    def key(self) -> str:
        """The digest of all that a verdict depends on: the same key is not judged twice (A34)."""
        return cache_key(
            sources=[one.source_id for one in self.windows],
            value=[self.statement, self.value, self.subject, self.reasoning, self.context],
            quotes=[[one.quote, one.verified, one.snippet] for one in self.windows],
            digests=[one.snapshot_id for one in self.windows],
            rubric_name=self.rubric,
        )

    def says(
        self,
        verdict: str,
        *,
        checker: str,
        method: str = Method.HUMAN,
        span: str | None = None,
        note: str | None = None,
    ) -> SupportVerdict:
        """Make the verdict on this item.

        Args:
            verdict: one of the verdicts. checker: who says so. method: human, rule or model.
            span: the words it rests on, as they stand in a passage. note: why.
        """
        return SupportVerdict(self.key, verdict, checker, method, span, note)


@dataclass(frozen=True, slots=True)
class SupportVerdict:
    """What a judge says of one item; it names its author."""

    key: str
    verdict: str
    checker: str
    method: str = Method.HUMAN
    span: str | None = None
    note: str | None = None


class SupportJudge(Protocol):
    """Whoever reads what no check decides: a person, a rule, a model outside."""

    def judge(self, items: list[SupportItem]) -> list[SupportVerdict]:
        """Say of each item whether its passages say what it states; one verdict each, in the same order."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """A verdict after it was checked.

    Args:
        key: of the item.
        verdict: what counts.
        method, checker: who said it; None where nobody did.
        span: the words it rests on.
        downgraded_from: what was said, where it could not be confirmed.
        note: why.
        fresh: it was asked for now, not known before.
    """

    key: str
    verdict: Verdict
    method: Method | None = None
    checker: str | None = None
    span: str | None = None
    downgraded_from: Verdict | None = None
    note: str | None = None
    fresh: bool = True

    @property
    def lasting(self) -> bool:
        """Whether it is to be kept: newly said, and something was said."""
        return self.fresh and self.verdict is not Verdict.NOT_CHECKED


# -- keys and rubrics ------------------------------------------------------------------------------------------------


@cache
def rubric(name: str) -> str:
    """Give the text of a rubric.

    Raises:
        InputError: [unknown_rubric] it is none of RUBRICS.
    """
    if name not in RUBRICS:
        raise InputError(
            f"there is no rubric {shown(name)}", code="unknown_rubric", hint=f"one of {', '.join(RUBRICS)}"
        )
    return files("claimbase.evidence").joinpath(f"rubrics/{name}.md").read_text(encoding="utf-8")


def cache_key(
    *, sources: Sequence[object], value: object, quotes: Sequence[object], digests: Sequence[str], rubric_name: str
) -> str:
    """Give the digest of sources, value, quotes, digests of the texts, and the rubric with its wording (A34)."""
    wording = hashlib.sha256(rubric(rubric_name).encode()).hexdigest()
    content = json.dumps([[*sources], value, [*quotes], [*digests], rubric_name, wording], ensure_ascii=False)
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


def rubric_of(claim: ClaimAt) -> str:
    """Give the rubric for a claim: truth values and absences are judgements, relations edges, all others values."""
    if claim.absent or claim.kind == "bool":
        return "rules"
    return "edges" if claim.kind == "entity" else "values"


def exempt(claim: ClaimAt, source: SourceAt | None) -> str | None:
    """Say why a claim skips the judge; None if it does not (A36).

    What somebody uploaded is their own word, a structured response has no prose to be read, an address is none.
    """
    if source is not None and (source.source_type in _GIVEN_TYPES or source.authority == "self_declared_upload"):
        return f"the source is of type {source.source_type}"
    value = claim.value.strip()
    if not claim.absent and value.casefold().startswith(_ADDRESSES) and len(value.split()) == 1:
        return "the value is an address"
    return None


def claim_items(
    claim: ClaimAt, matches: Mapping[str, Match], dossier: Dossier, counts: Callable[[Match], bool] | None = None
) -> list[tuple[str, SupportItem]]:
    """Give what a judge reads of a claim: one item for each quote that has a text, its own passage first.

    Args:
        claim: the claim. matches: how its quotes were found, by evidence id. dossier: its sources and texts.
        counts: whether a match counts as verified, as the policy says; None = by its status alone.

    Returns:
        Pairs of evidence id and item; claims that are exempt give none.
    """
    verified = counts or (lambda match: match.status is QuoteStatus.VERIFIED)
    windows = {
        one.evidence_id: SourceWindow(
            "", one.source_id, one.snapshot_id or "", window.text, one.quote, verified(matches[one.evidence_id]),
            _is_snippet(dossier.sources.get(one.source_id)),
        )
        for one, window in claim_windows(claim, matches, dossier)
    }  # fmt: skip
    asked = [
        one.evidence_id
        for one in claim.evidence
        if one.evidence_id in windows and exempt(claim, dossier.sources.get(one.source_id)) is None
    ]
    reasons = {one.evidence_id: one.reasoning or claim.reasoning for one in claim.evidence}
    return [(name, _item(claim, reasons[name], [windows[name], *_others(windows, name)])) for name in asked]


def _others(windows: Mapping[str, SourceWindow], name: str) -> Iterator[SourceWindow]:
    return (window for other, window in windows.items() if other != name)


def _item(claim: ClaimAt, reasoning: str | None, windows: Iterable[SourceWindow]) -> SupportItem:
    value = "none" if claim.absent else claim.value
    statement = f"{claim.subject} · {claim.predicate}: {value}"
    return SupportItem(rubric_of(claim), statement, labelled(windows), value, claim.subject, reasoning)


def labelled(windows: Iterable[SourceWindow]) -> tuple[SourceWindow, ...]:
    """Give the first three passages with their labels."""
    return tuple(replace(window, label=label) for label, window in zip(_LABELS, windows, strict=False))


def _is_snippet(source: SourceAt | None) -> bool:
    return source is not None and source.source_type == _SNIPPET


# -- asking ----------------------------------------------------------------------------------------------------------


def ask(
    judge: SupportJudge | None, items: Sequence[SupportItem], known: Mapping[str, Ruling] | None = None
) -> tuple[Ruling, ...]:
    """Have items judged, in batches; what is known is not asked again, and equal items are asked once (A34, A35, A39).

    A judge that fails, answers with another number of verdicts, or with something that is no verdict has checked
    nothing: that is *not-checked*, never a pass.

    Args:
        judge: who is asked; None = nobody.
        items: what to judge.
        known: rulings of before, by key.

    Returns:
        One ruling for each item, in their order.
    """
    found = {key: replace(ruling, fresh=False) for key, ruling in (known or {}).items()}
    open_ = {one.key: one for one in items if one.key not in found}
    for batch in batches(open_.values()):
        found.update(zip((one.key for one in batch), _asked(judge, batch), strict=True))
    return tuple(found[one.key] for one in items)


def batches(items: Iterable[SupportItem]) -> Iterator[list[SupportItem]]:
    """Cut items into what is handed over at once: one rubric, at most 25 items, at most 100,000 characters."""
    by_rubric: dict[str, list[SupportItem]] = {}
    for one in items:
        by_rubric.setdefault(one.rubric, []).append(one)
    for same in by_rubric.values():
        batch: list[SupportItem] = []
        size = 0
        for one in same:
            more = len(one.statement) + sum(len(window.text) for window in one.windows)
            if batch and (len(batch) == BATCH_ITEMS or size + more > BATCH_CHARACTERS):
                yield batch
                batch, size = [], 0
            batch.append(one)
            size += more
        if batch:
            yield batch


def _asked(judge: SupportJudge | None, batch: list[SupportItem]) -> list[Ruling]:
    if judge is None:
        return [_unchecked(one, "nobody was asked") for one in batch]
    try:
        answers: object = judge.judge(list(batch))
    except Exception as error:  # noqa: BLE001  # somebody else's code: its failure must not pass for a verdict
        return [_unchecked(one, f"the judge failed: {type(error).__name__}: {shown(error)}") for one in batch]
    if not isinstance(answers, list | tuple) or len(answers) != len(batch):
        told = len(answers) if isinstance(answers, list | tuple) else type(answers).__name__
        return [_unchecked(one, f"the judge gave {told} for {len(batch)} verdicts") for one in batch]
    return [_ruled(one, answer) for one, answer in zip(batch, answers, strict=True)]


def _unchecked(item: SupportItem, note: str) -> Ruling:
    return Ruling(item.key, Verdict.NOT_CHECKED, note=note)


def _ruled(item: SupportItem, answer: object) -> Ruling:
    """Take an answer for a verdict if it is one, and check what it rests on."""
    fault = _fault(item, answer)
    if fault is not None or not isinstance(answer, SupportVerdict):
        return _unchecked(item, fault or "no verdict")
    given = Ruling(
        item.key, Verdict(answer.verdict), Method(answer.method), answer.checker, answer.span or None, note=answer.note
    )
    return settled(item, given)


def _fault(item: SupportItem, answer: object) -> str | None:
    """Say why an answer is no verdict on an item."""
    if not isinstance(answer, SupportVerdict):
        return f"the judge gave {type(answer).__name__} for a verdict"
    given: dict[str, object] = {name: getattr(answer, name) for name in ("checker", "span", "note")}
    told = (
        ("the judge gave a verdict on another item", answer.key != item.key),
        (f"{shown(answer.verdict)} is no verdict", answer.verdict not in list(Verdict)),
        (f"{shown(answer.method)} is no way to judge", answer.method not in _JUDGES),
        ("the verdict holds something that is no text", not all(isinstance(one, str | None) for one in given.values())),
        ("the verdict names no author", not str(given["checker"] or "").strip()),
    )
    return next((fault for fault, holds in told if holds), None)


def settled(item: SupportItem, given: Ruling) -> Ruling:
    """Set a verdict back to unclear where nothing that was found bears it; what was said is kept with the reason (A40).

    Args:
        item: what was judged. given: the verdict as given.
    """
    if given.verdict not in _DECIDED:
        return given
    reason = _unfounded(item, given)
    if reason is None:
        return given if given.span or given.verdict in _AGAINST else replace(given, span=_quoted(item))
    note = f"{reason}; {given.note}" if given.note else reason
    return replace(given, verdict=Verdict.UNCLEAR, downgraded_from=given.verdict, note=note)


def _unfounded(item: SupportItem, given: Ruling) -> str | None:
    """Say why a verdict rests on nothing that was found (A30, A33)."""
    wordless = item.rubric in _STATED or (given.verdict not in _AGAINST and _quoted(item) is None)
    told = (
        ("no text was shown", not item.windows),
        (
            "the words it rests on do not stand in the passages shown",
            given.span is not None and not any(_stands(given.span, window) for window in item.windows),
        ),
        (
            "the quotes it rests on were not found",
            given.span is None and all(window.quote is not None and not window.verified for window in item.windows),
        ),
        ("it names no words of a source", given.span is None and wordless),
        (
            "a search snippet only locates a page",
            given.verdict not in _AGAINST and all(window.snippet for window in item.windows),
        ),
    )
    return next((reason for reason, holds in told if holds), None)


def _stands(span: str, window: SourceWindow) -> bool:
    """Say whether words stand in a passage as given."""
    if len(span) > _SPAN_MOST or not span.strip():
        return False
    match = align(span, SourceText(window.text, "markdown"))
    return match.status in (QuoteStatus.VERIFIED, QuoteStatus.AMBIGUOUS) and not match.changes


def _quoted(item: SupportItem) -> str | None:
    return next((window.quote for window in item.windows if window.verified), None)
