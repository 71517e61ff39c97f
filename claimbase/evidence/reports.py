"""The document check: each sentence of a report beside what it cites, each quotation beside its source (evidence §6.4).

A sentence passes mechanically only where a verified quote of the source it cites says the same words in the same order;
everything else is for a judge, and without one it is *not-checked*, which is counted and shown.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, Decimal

from claimbase.evidence.align import SourceText, align
from claimbase.evidence.judging import Ruling, SourceWindow, SupportItem, SupportJudge, ask, labelled
from claimbase.evidence.model import Match, PairAt, QuotedAt
from claimbase.evidence.near import near
from claimbase.evidence.policy import context_flags
from claimbase.evidence.report_text import (
    Report,
    ReportPair,
    ReportQuote,
)
from claimbase.evidence.restating import restates
from claimbase.evidence.terms import Method, QuoteStatus, Verdict
from claimbase.evidence.window import PER_SOURCE, reading_window

CHECKER = "claimbase"
"""Who reaches mechanical verdicts."""
ELSEWHERE_MOST = 50
"""How many other texts are searched for a quotation (N11)."""
STRONG_MARKERS, SHARE = "strong-markers", "0.2"
"""The sample that reads strong sentences and this share of the others."""

_ORDER = (QuoteStatus.VERIFIED, QuoteStatus.AMBIGUOUS, QuoteStatus.ALTERED, QuoteStatus.NOT_FOUND)
_LOOKED_AT = 400  # how much of a sentence is looked for in a text that has no quotes


@dataclass(frozen=True, slots=True)
class CitedQuote:
    """A quote that stands as evidence for what a report cites.

    Args:
        match: how it was found in its text. counts: it counts as verified, as the policy says.
    """

    evidence_id: str
    claim_id: str
    snapshot_id: str | None
    quote: str
    match: Match
    counts: bool


@dataclass(frozen=True, slots=True)
class Cited:
    """What one marker leads to.

    Args:
        source_ids: the sources; none of them may be a guess. claim_ids: the claim, where a claim is cited.
        quotes: the live evidence of that claim, or of that source.
        texts: the texts of the sources, by snapshot id.
        snippet: the source is a list of search results.
    """

    source_ids: tuple[str, ...]
    claim_ids: tuple[str, ...] = ()
    quotes: tuple[CitedQuote, ...] = ()
    texts: Mapping[str, SourceText] = field(default_factory=dict)
    snippet: bool = False


@dataclass(frozen=True, slots=True)
class ReportRead:
    """A report after the check.

    Args:
        pairs, quotes: in the order of the report.
        dangling: citations that lead nowhere; they are no pairs.
        unparsed: citations in styles that are not read.
        sampled: sentences that were for a judge to read.
        rulings: what a judge said now and is worth keeping.
    """

    sha256: str
    pairs: tuple[PairAt, ...]
    quotes: tuple[QuotedAt, ...]
    dangling: int
    unparsed: int
    sampled: int
    rulings: tuple[Ruling, ...] = ()


def check_report(
    report: Report,
    cited: Mapping[str, Cited],
    *,
    sample: str = "all",
    seed: int = 0,
    words_left_out: bool = False,
    judge: SupportJudge | None = None,
    known: Mapping[str, Ruling] | None = None,
) -> ReportRead:
    """Check a report against what it cites.

    Args:
        report: as read. cited: what each of its targets leads to; a target that is missing leads nowhere.
        sample: which sentences are for the judge: all, strong-markers (strong ones and 20 % of the others), or strong
            ones and a share of the others, a decimal from 0 to 1. seed: of that share.
        words_left_out: a sentence may leave out a word or two of the quote, as the policy says for quotes.
        judge: who reads them; None = nobody. known: rulings of before, by key.
    """
    held = [(pair, cited[pair.target]) for pair in report.pairs if pair.target in cited]
    read = _Spoken(words_left_out)
    vouched = [read.vouching(pair, target) for pair, target in held]
    chosen = sampled([pair for pair, _ in held], [one is not None for one in vouched], sample, seed)
    items = {at: _item(*held[at]) for at in chosen} if judge is not None or known else {}
    rulings = dict(zip(items, ask(judge, [item for item, _ in items.values()], known), strict=True))
    quoted = {at: quotes for at, (_, quotes) in items.items()}
    pairs = tuple(
        _passed(pair, quote) if quote else _ruled(pair, target, rulings.get(at), quoted.get(at, ()))
        for at, ((pair, target), quote) in enumerate(zip(held, vouched, strict=True))
    )
    return ReportRead(
        report.sha256, pairs, tuple(_quotes(report, cited)),
        dangling=len(report.dangling) + len(report.pairs) - len(held),
        unparsed=report.unparsed, sampled=len(chosen),
        rulings=tuple({one.key: one for one in rulings.values() if one.lasting}.values()),
    )  # fmt: skip


# -- the mechanical verdict ------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Spoken:
    """Sentences and quotes made ready to be compared, each once."""

    loose: bool
    _ready: dict[str, SourceText] = field(default_factory=dict)

    def vouching(self, pair: ReportPair, cited: Cited) -> CitedQuote | None:
        """Find a verified quote of what is cited that says the sentence; one with a denial around it says nothing."""
        if cited.snippet:
            return None
        words = self._text(pair.words)
        for one in cited.quotes:
            held = one.match.closest or one.quote
            if one.counts and not context_flags(one.match) and restates(words, self._text(held), loose=self.loose):
                return one
        return None

    def _text(self, text: str) -> SourceText:
        if text not in self._ready:
            self._ready[text] = SourceText(text, "markdown", quoted=True)
        return self._ready[text]


def _passed(pair: ReportPair, quote: CitedQuote) -> PairAt:
    return PairAt(
        pair.sentence, Verdict.SUPPORTED, quote.claim_id, quote.evidence_id, quote.match.closest or quote.quote,
        pair.strong, True, Method.MECHANICAL, CHECKER,
    )  # fmt: skip


# -- the judge -------------------------------------------------------------------------------------------------------


def sampled(pairs: Sequence[ReportPair], passed: Sequence[bool], sample: str, seed: int) -> list[int]:
    """Choose what a judge reads: every strong sentence that did not pass, and of the others what the sample says.

    The same report, sample and seed choose the same sentences on every machine.

    Args:
        pairs: the pairs. passed: whether each passed mechanically. sample: all, strong-markers or a share. seed: of it.

    Returns:
        Numbers of pairs, in order.
    """
    left = [at for at in range(len(pairs)) if not passed[at]]
    strong = [at for at in left if pairs[at].strong]
    others = [at for at in left if not pairs[at].strong]
    share = Decimal("1" if sample == "all" else SHARE if sample == STRONG_MARKERS else sample)
    many = int((share * len(others)).to_integral_value(ROUND_CEILING))
    drawn = sorted(others, key=lambda at: _lot(pairs[at], at, seed))[:many]
    return sorted([*strong, *drawn])


def _lot(pair: ReportPair, at: int, seed: int) -> str:
    return hashlib.sha256(json.dumps([seed, at, pair.words, pair.target]).encode()).hexdigest()


def _item(pair: ReportPair, cited: Cited) -> tuple[SupportItem, tuple[CitedQuote, ...]]:
    """Lay a sentence beside up to three passages of what it cites: around its quotes, those most like it first."""
    words = SourceText(pair.words, "markdown", quoted=True)
    with_text = [one for one in cited.quotes if one.snapshot_id in cited.texts and one.match.start is not None]
    likest = sorted(with_text, key=lambda one: (-_shared(words, one.quote), one.evidence_id))
    windows = [_window(one, cited) for one in likest] or [
        _located(words, name, text, cited) for name, text in sorted(cited.texts.items()) if text.text.strip()
    ]
    item = SupportItem("values", pair.words, labelled(windows), context=pair.context)
    return item, tuple(likest[: len(item.windows)])


def _shared(words: SourceText, quote: str) -> int:
    held = Counter(SourceText(quote, "markdown", quoted=True).tokens.keys)
    return sum((Counter(words.tokens.keys) & held).values())


def _window(one: CitedQuote, cited: Cited) -> SourceWindow:
    name, start = one.snapshot_id or "", one.match.start or 0
    text = reading_window(cited.texts[name].text, start, one.match.end or start).text
    return SourceWindow("", _owner(name, cited), name, text, one.quote, one.counts, cited.snippet)


def _located(words: SourceText, name: str, text: SourceText, cited: Cited) -> SourceWindow:
    """Give the passage of a text that is most like a sentence, else the beginning of the text."""
    best = near(SourceText(words.text[:_LOOKED_AT], text.profile, quoted=True), text)
    start, end = (best.hit.start, best.hit.end) if best else (0, min(len(text.text), PER_SOURCE))
    return SourceWindow(
        "", _owner(name, cited), name, reading_window(text.text, start, end).text, snippet=cited.snippet
    )


def _owner(snapshot_id: str, cited: Cited) -> str:
    """Give the source of a snapshot, which stands at the end of its id."""
    return snapshot_id.rpartition("/")[2] or next(iter(cited.source_ids), "")


def _ruled(pair: ReportPair, cited: Cited, ruling: Ruling | None, quotes: Iterable[CitedQuote]) -> PairAt:
    """Give a pair the verdict of the judge; nobody's verdict is not-checked."""
    claim = cited.claim_ids[0] if len(cited.claim_ids) == 1 else None
    if ruling is None or ruling.verdict is Verdict.NOT_CHECKED:
        return PairAt(pair.sentence, Verdict.NOT_CHECKED, claim, strong=pair.strong)
    rested = next((one for one in quotes if one.counts and ruling.span and ruling.span in one.quote), None)
    return PairAt(
        pair.sentence, ruling.verdict, rested.claim_id if rested else claim, rested.evidence_id if rested else None,
        ruling.span, pair.strong, True, ruling.method, ruling.checker, ruling.downgraded_from,
    )  # fmt: skip


# -- quotations ------------------------------------------------------------------------------------------------------


def _quotes(report: Report, cited: Mapping[str, Cited]) -> Iterable[QuotedAt]:
    """Look each quotation up in the texts of what its sentence cites; one that cites nothing, in all texts cited."""
    every = {name: text for target in sorted(cited) for name, text in cited[target].texts.items()}
    for one in report.quotes:
        targets = [cited[target] for target in one.targets if target in cited]
        own = {name: text for target in targets for name, text in target.texts.items()}
        name, match = _best(one.quote, own if one.targets else every)
        claims = {claim for target in targets for claim in target.claim_ids}
        yield QuotedAt(
            _quote_id(report, one), one.quote, match, name, next(iter(claims)) if len(claims) == 1 else None,
            _elsewhere(one.quote, match, every, own),
        )  # fmt: skip


def _quote_id(report: Report, one: ReportQuote) -> str:
    content = json.dumps([report.sha256, one.start, one.quote], ensure_ascii=False)
    return "q_" + hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _best(quote: str, texts: Mapping[str, SourceText]) -> tuple[str | None, Match]:
    """Find the text in which a quotation stands best; without any text it cannot be verified."""
    best: tuple[str | None, Match] = (None, Match(QuoteStatus.UNVERIFIABLE, flags=("no-source-text",)))
    for name in sorted(texts):
        match = _aligned(quote, texts[name])
        if match.status is QuoteStatus.VERIFIED:
            return name, match
        if match.status in _ORDER and (best[0] is None or _rank(match) < _rank(best[1])):
            best = (name, match)
    return best


def _rank(match: Match) -> int:
    return _ORDER.index(match.status)


def _aligned(quote: str, text: SourceText) -> Match:
    """Align a quotation; marks of emphasis that the author may have put into it are dropped on a second try."""
    match = align(quote, text)
    plain = SourceText(quote, "markdown", quoted=True).normal
    if match.status is QuoteStatus.VERIFIED or plain.markers or plain.struck or not set("*_") & set(quote):
        return match
    bare = align(plain.cased, text)
    return bare if bare.status is QuoteStatus.VERIFIED else match


def _elsewhere(
    quote: str, match: Match, every: Mapping[str, SourceText], own: Mapping[str, SourceText]
) -> tuple[str, ...]:
    """Find other texts that hold a quotation which its own does not; they never verify it (N11)."""
    if match.status not in (QuoteStatus.ALTERED, QuoteStatus.NOT_FOUND):
        return ()
    others = [name for name in sorted(every) if name not in own][:ELSEWHERE_MOST]
    return tuple(name for name in others if _aligned(quote, every[name]).status is QuoteStatus.VERIFIED)
