"""The deterministic checks that look at one quote of a claim and what stands around it (evidence §3)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from claimbase.errors import shown
from claimbase.evidence.dates_written import Written
from claimbase.evidence.findings import Finding, Reading, failed, passed, skipped
from claimbase.evidence.model import ClaimAt
from claimbase.evidence.terms import Outcome, QuoteStatus
from claimbase.evidence.values_written import dated, denied, missing, named_dates, names_unit, plain_words, spans
from claimbase.evidence.window import header, heading, naming, passage, reading_window

SNIPPET = "search_snippet"


def _in_quote(reading: Reading, detail: str) -> Finding:
    """Turn "it stands in the quote" into an outcome: it proves nothing unless the quote stands in its text."""
    status = reading.match.status
    if status is QuoteStatus.VERIFIED:
        return passed(detail)
    if status is QuoteStatus.UNVERIFIABLE:
        return skipped(f"{detail}, but no text is held that the quote could be checked against")
    return failed(f"{detail}, but the quote is {status}")


def value_in_quote(reading: Reading) -> Finding:
    """Check that the value, as written, stands whole in the verified quote (N3).

    Of a list every member must; a bare number may stand there with the sign of the unit kept beside it ($5, 5%). A
    truth value that stands there in words passes and its opposite fails; one that the source only implies ("Retired")
    is skipped: a judge has to say so. A date that does not stand in the quote itself is left to `date-literal`. An
    absence has no value that could stand anywhere.
    """
    claim = reading.claim
    if claim.absent:
        return skipped("an absence has no value")
    if reading.evidence.erased:
        return skipped("its words were erased")
    left = missing(claim.value, reading.quote, reading.profile, claim.kind, claim_units(claim))
    if not left:
        return _in_quote(reading, f"{shown(claim.value)} stands in the quote")
    if claim.kind == "bool":
        if denied(claim.value, reading.quote, reading.profile):
            return failed(f"the quote has the opposite of {shown(claim.value)}")
        return skipped(f"the quote does not have {shown(claim.value)}; whether it implies it is for a judge to say")
    wanted = named_dates(claim.value, claim.normalized_value) if claim.kind == "date" else []
    if wanted:
        forms = dated(wanted, reading.quote, reading.profile)
        if len(forms) == len(wanted):
            return _in_quote(reading, f"it stands in the quote as {_forms(reading.quote, forms)}")
        return skipped("it does not stand in the quote itself: date-literal decides")
    return failed(f"the quote does not have {', '.join(map(shown, left))} as a whole")


def _forms(text: str, forms: Iterable[Written]) -> str:
    return " and ".join(shown(text[form.start : form.end]) for form in forms)


def date_literal(reading: Reading) -> Finding:
    """Check that a date stands near the quote in one of its forms: in it, in its sentence or row, or above it.

    Above are the header of its table and the heading of its section. A form without year stands for that day of any
    year, one with another year for none.
    """
    claim = reading.claim
    if claim.kind != "date" or claim.absent:
        return skipped("no date")
    if reading.evidence.erased:
        return skipped("its words were erased")
    if spans(claim.value, reading.quote, reading.profile):
        return _in_quote(reading, f"{shown(claim.value)} stands in the quote")
    wanted = named_dates(claim.value, claim.normalized_value)
    if not wanted:
        return failed(f"the quote does not have {shown(claim.value)}, and no day can be read from it")
    for place, words in _beside(reading):
        forms = dated(wanted, words, reading.profile)
        if len(forms) == len(wanted):
            year = "" if all(form.year for form in forms) else ", without its year"
            return _in_quote(reading, f"it stands {place} as {_forms(words, forms)}{year}")
    return failed(f"no form of {' or of '.join(map(_day, wanted))} stands near the quote")


def _beside(reading: Reading) -> Iterable[tuple[str, str]]:
    """Give what lies near a quote, the nearest first, each with the name of its place."""
    yield "in the quote", reading.quote
    if reading.text is not None:
        first, last = passage(reading.text, *reading.span, reading.profile)
        yield "beside the quote", reading.text[first:last]
        yield "in the header of its table", header(reading.text, reading.span[0]) or ""
        yield "in the heading above", heading(reading.text, reading.span[0]) or ""


def _day(form: Written) -> str:
    if form.quarter:
        return f"{form.year}-Q{form.quarter}"
    return f"{form.year}-{form.month:02}" + (f"-{form.day:02}" if form.day else "")


def claim_units(claim: ClaimAt) -> list[str]:
    """Give the units of a quantity, as stated and as kept."""
    units = dict.fromkeys((claim.stated_unit, claim.unit)) if claim.kind == "quantity" else ()
    return [unit for unit in units if unit and unit != "1"]


def unit_in_window(reading: Reading) -> Finding:
    """Check that the unit, in one of its spellings, stands in the quote, its table's header or the reading window."""
    claim = reading.claim
    asked = claim_units(claim)
    if claim.absent or not asked:
        return skipped("no unit")
    for place, words in _around(reading):
        if named := next((unit for unit in asked if names_unit(unit, words)), None):
            return passed(f"{named} stands {place}")
    return _nowhere(reading, asked[0])


def subject_in_window(reading: Reading) -> Finding:
    """Check that the subject, by one of its names, stands in the quote, the header, the title or the reading window.

    The window is joined with the passage that names the subject, so a page that names it anywhere passes; the detail
    says how near.
    """
    names = [plain_words(name, reading.profile) for name in reading.claim.names]
    for place, words in _around(reading):
        plain = plain_words(words, reading.profile)
        if found := next(naming(plain, names), None):
            return passed(f"{shown(plain[slice(*found)])} stands {place}")
    return _nowhere(reading, shown(reading.claim.subject))


def _around(reading: Reading) -> Iterable[tuple[str, str]]:
    """Give the places that name what a quote is about, the nearest first."""
    yield "in the quote", reading.quote
    if reading.text is not None:
        yield "in the header of its table", header(reading.text, reading.span[0]) or ""
    yield "in the title", reading.title
    if reading.text is not None:
        window = reading_window(reading.text, *reading.span, reading.claim.names)
        yield "in the reading window", window.text


def _nowhere(reading: Reading, what: str) -> Finding:
    if reading.text is None:
        return skipped(f"{what} stands neither in the quote nor in the title; no more text is at hand")
    return failed(f"{what} stands neither in the quote nor near it")


def quote_not_snippet(reading: Reading) -> Finding:
    """Check that the quote was not taken from a search snippet, which only locates a page."""
    if reading.source is None:
        return skipped("the source is not known")
    if reading.source.source_type == SNIPPET:
        return failed("a search snippet locates a page; it proves nothing")
    return passed(f"the source is of type {reading.source.source_type}")


# How titles say it: a mark set apart from the title, or the name of the notice.
_MARKS = (
    "retracted|retraction|withdrawn|withdrawal|zurückgezogen|rückzug|rétracté|rétractée|rétractation|retractado"
    "|retractada|retractación|retirado"
)
_NOTICES = (
    "(?:this )?(?:article|paper|chapter|preprint) (?:has been |was |is )?(?:retracted|withdrawn)"
    "|(?:retracted|withdrawn) (?:article|paper|chapter|preprint)|(?:retraction|withdrawal) (?:note|notice)"
)
_RETRACTED = re.compile(
    rf"[\s\[(*_#>\"'“]{{0,8}}(?:(?:{_MARKS})[*_]{{0,3}} ?[:\])–—-]|(?:{_NOTICES})\b)", re.IGNORECASE
)
_SHOUTED = re.compile(r"[\s\[(*_#>\"'“]{0,8}(?:RETRACTED|WITHDRAWN)\b")
_FIRST_HEADING = re.compile(
    r"^[ ]{0,3}#{1,6}[ \t]+(\S.{0,300})|^<h1[^>]{0,200}>([^<]{1,300})", re.MULTILINE | re.IGNORECASE
)


def title_says_retracted(reading: Reading) -> Finding:
    """Check that neither the title nor the first heading begins with a mark of retraction or withdrawal."""
    first = (
        _FIRST_HEADING.search(reading.snapshot.text[:20_000]) if reading.snapshot and reading.snapshot.text else None
    )
    titles = [reading.title, (first[1] or first[2]) if first else ""]
    for title in titles:
        if _RETRACTED.match(title) or _SHOUTED.match(title):
            return Finding(Outcome.WARNING, f"the page calls itself {shown(title)}")
    return passed("no mark of retraction") if any(titles) else skipped("neither title nor heading is known")
