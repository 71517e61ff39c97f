"""Notices about publications (evidence §5): what is in force, what a text acknowledges, files, providers that fail."""

from __future__ import annotations

import csv
import random
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from copies import empty
from kit import NOW, digest, few
from voice_world import FIRST, Page, prose, put

from claimbase.analysis.notices import Sweep, findings, sweep
from claimbase.errors import ClaimbaseError, EvidenceError, InputError, InstantError
from claimbase.evidence.notices import (
    DENIED,
    NEAR,
    Notice,
    acknowledged,
    doi_of_address,
    dois,
    notice_day,
    notice_status,
    outcome,
)
from claimbase.evidence.terms import NoticeStatus, Outcome
from claimbase.importers.notice_files import PROVIDER, read_notices
from claimbase.ingest.notices import ask_provider, import_notices
from claimbase.store import Db, resolve, write
from claimbase.temporal import FixedClock, iso

DOI = "10.1000/lark.2"
SEEN = "2026-03-01T00:00:00Z"


@pytest.fixture
def db() -> Iterator[Db]:
    """Give an empty base."""
    opened = empty(FixedClock(NOW))
    yield opened
    opened.close()


def notice(status: str, day: str | None = None, provider: str = "one", observed: str = SEEN, **given: Any) -> Notice:
    """Make a notice on the tests' publication."""
    when = day and date.fromisoformat(day)
    return Notice(given.pop("doi", DOI), NoticeStatus(status), provider, observed, when or None, **given)


def status(db: Db, doi: str = DOI, **basis: Any) -> str:
    """Give the status of a publication at a basis."""
    return findings(db, resolve(db, **basis), [doi])[doi].status.value


# -- what is in force ------------------------------------------------------------------------------------------------

CASES = {
    "no provider was asked": ([], "unchecked"),
    "a provider knows of nothing": ([notice("ok")], "ok"),
    "the query failed": ([notice("unavailable")], "unavailable"),
    "a failed query is no pass beside another's ok": (
        [notice("ok"), notice("unavailable", provider="two")], "unavailable",
    ),
    "a failed query takes no finding back": (
        [notice("retracted", "2020-01-01"), notice("unavailable", observed="2026-04-01T00:00:00Z")], "retracted",
    ),
    "an ok takes no notice back": (
        [notice("retracted", "2020-01-01"), notice("ok", observed="2026-04-01T00:00:00Z")], "retracted",
    ),
    "of answers alone the newest counts": (
        [notice("ok"), notice("unavailable", observed="2026-04-01T00:00:00Z")], "unavailable",
    ),
    "and a failed query is made good": (
        [notice("unavailable"), notice("ok", observed="2026-04-01T00:00:00Z")], "ok",
    ),
    "of one provider the newest notice": (
        [notice("expression-of-concern", "2019-01-01"), notice("retracted", "2020-01-01")], "retracted",
    ),
    "reinstated lifts the older notice": (
        [notice("retracted", "2020-01-01"), notice("reinstated", "2021-01-01")], "reinstated",
    ),
    "and not the newer one": ([notice("retracted", "2022-01-01"), notice("reinstated", "2021-01-01")], "retracted"),
    "nor another provider's": (
        [notice("retracted", "2020-01-01", "two"), notice("reinstated", "2021-01-01")], "retracted",
    ),
    "across providers the most severe": (
        [notice("corrected", "2022-01-01"), notice("expression-of-concern", "2020-01-01", "two")],
        "expression-of-concern",
    ),
    "a correction is no retraction": ([notice("corrected", "2022-01-01")], "corrected"),
    "a notice without a day counts from its reading on": (
        [notice("retracted"), notice("reinstated", "2021-01-01")], "retracted",
    ),
    "of one day the more severe": (
        [notice("retracted", "2020-01-01"), notice("reinstated", "2020-01-01")], "retracted",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", few(CASES, 4))
@pytest.mark.covers("H15")
def test_what_is_in_force(db: Db, name: str) -> None:
    """Evidence §5: newest of each provider, most severe of all; reinstated lifts older ones; unknown is never ok."""
    notices, wanted = CASES[name]
    import_notices(db, notices)
    assert status(db) == wanted


@pytest.mark.slow
def test_what_is_in_force_does_not_depend_on_arrival(db: Db) -> None:
    """B6: in whatever order notices come, the same one decides."""
    statuses = {
        "one": ("retracted", "2020-01-01"),
        "two": ("reinstated", "2021-01-01"),
        "three": ("corrected", "2021-01-01"),
    }
    for number, order in enumerate(permutations(statuses)):
        doi = f"10.1000/x{number}"
        for name in order:
            import_notices(db, [notice(*statuses[name], "a" if name != "three" else "b", doi=doi)])
        assert status(db, doi) == "corrected"


SEVERITY = ["ok", "unavailable", "reinstated", "corrected", "expression-of-concern", "retracted"]


def oracle(notices: Sequence[Notice]) -> str:
    """Tell the status in force the slow way."""
    of_each = []
    for provider in {one.provider for one in notices}:
        own = [one for one in notices if one.provider == provider]
        given = [one for one in own if one.status not in ("ok", "unavailable")]
        if given:
            newest = max(given, key=lambda one: (_day(one), one.observed_at, SEVERITY.index(one.status)))
        else:
            newest = max(own, key=lambda one: (one.observed_at, SEVERITY.index(one.status)))
        of_each.append(newest.status)
    return max(of_each, key=SEVERITY.index) if of_each else "unchecked"


def _day(one: Notice) -> date:
    return one.notice_date or datetime.fromisoformat(one.observed_at).date()


@pytest.mark.covers("H15")
def test_random_notices_against_plain_python(db: Db) -> None:
    """Evidence §5: over random notices of three providers, at several bases, the macro says what plain Python does."""
    luck = random.Random(5)
    every: dict[str, list[Notice]] = {}
    for number in range(250):
        doi = f"10.1000/x{number}"
        every[doi] = [
            notice(
                luck.choice(SEVERITY), luck.choice([None, "2026-02-28", "2026-03-01", "2026-03-03", "2020-01-01"]),
                luck.choice("abc"), iso(FIRST + timedelta(hours=luck.choice([0, 1, 23, 47, 200]))), doi=doi,
            )
            for _ in range(luck.randint(0, 5))
        ]  # fmt: skip
    import_notices(db, [one for ones in every.values() for one in ones])
    for until in (0, 23, 47, 500):
        seen = iso(FIRST + timedelta(hours=until))
        found = findings(db, resolve(db, observed_by=seen), every)
        wanted = {doi: oracle([one for one in ones if one.observed_at <= seen]) for doi, ones in every.items()}
        assert {doi: one.status.value for doi, one in found.items()} == wanted


def test_notices_are_read_under_a_basis(db: Db) -> None:
    """Evidence §4.1: a notice read or held later is not there before; the same instants give the same answer."""
    before = resolve(db)
    import_notices(db, [notice("retracted", "2020-01-01")])
    assert findings(db, before, [DOI])[DOI].status is NoticeStatus.UNCHECKED
    assert status(db, observed_by="2026-02-28") == "unchecked"
    assert status(db, observed_by=SEEN) == "retracted"


def test_what_is_known_is_no_news(db: Db) -> None:
    """B6: the same notice at the same or a later reading writes nothing; at an earlier one it does, and answers do."""
    later, earlier = "2026-04-01T00:00:00Z", "2026-02-01T00:00:00Z"
    given = [notice("retracted", "2020-01-01"), notice("ok", provider="two")]
    assert import_notices(db, given).batch is not None
    stored = digest(db)
    assert import_notices(db, given).batch is None
    assert import_notices(db, [notice("retracted", "2020-01-01", observed=later)]).batch is None
    assert digest(db) == stored
    assert import_notices(db, [notice("ok", provider="two", observed=later)]).batch is not None
    assert import_notices(db, [notice("retracted", "2020-01-01", observed=earlier)]).batch is not None
    assert status(db, observed_by=earlier) == "retracted"


def test_a_reading_to_come_is_refused(db: Db) -> None:
    """B5: nobody can have read a provider tomorrow; nothing is stored."""
    stored = digest(db)
    with pytest.raises(InstantError) as refused:
        import_notices(db, [notice("ok"), notice("ok", observed=iso(NOW + timedelta(days=1)))])
    assert (refused.value.code, digest(db)) == ("future_observation", stored)


# -- what it means ---------------------------------------------------------------------------------------------------


@pytest.mark.covers("H16")
def test_only_a_retraction_fails() -> None:
    """H16: retracted fails unless acknowledged or asked about; concern and correction warn; unknown is never passed."""
    assert {one: outcome(one) for one in NoticeStatus} == {
        NoticeStatus.OK: Outcome.PASSED, NoticeStatus.RETRACTED: Outcome.FAILED, NoticeStatus.CONCERN: Outcome.WARNING,
        NoticeStatus.CORRECTED: Outcome.WARNING, NoticeStatus.REINSTATED: Outcome.PASSED,
        NoticeStatus.UNAVAILABLE: Outcome.WARNING, NoticeStatus.UNCHECKED: Outcome.SKIPPED,
    }  # fmt: skip
    assert outcome(NoticeStatus.RETRACTED, acknowledged=True) is Outcome.WARNING
    assert outcome(NoticeStatus.RETRACTED, predicate="retraction_date") is Outcome.WARNING
    assert outcome(NoticeStatus.RETRACTED, predicate="release_date") is Outcome.FAILED


@pytest.mark.parametrize(
    ("text", "noted"),
    [
        ("The study [1] was retracted in 2020.", True),
        ("The now retracted study [1] said so.", True),
        ("RETRACTED: a study [1]", True),
        ("Die Arbeit [1] wurde 2020 zurückgezogen.", True),
        ("L'article [1] a été rétracté.", True),
        ("El artículo [1] fue retractado.", True),
        ("The study [1] shows it.", False),
        ("The study [1] has not been retracted.", False),
        ("There is no retraction of the study [1].", False),
        ("Die Arbeit [1] wurde nicht zurückgezogen.", False),
        ("The study [1] wasn’t withdrawn.", False),
        ("The study [1] is retractable.", False),
        ("It was not liked; years later, as all know, the study [1] was retracted.", True),
    ],
)
@pytest.mark.covers("H16")
def test_what_acknowledges_a_retraction(text: str, noted: bool) -> None:
    """H16: a whole word that says so, in any of the languages, unless a denial stands up to five words before it."""
    start = text.index("[1]")
    assert acknowledged(text, start, start + 3) == noted


@pytest.mark.parametrize("gap", [0, NEAR - 11, NEAR - 10, NEAR - 9, NEAR, 500])
def test_within_two_hundred_characters(gap: int) -> None:
    """Evidence §5: the word must lie wholly within 200 characters of the citation, before or behind it."""
    before, behind = f"retracted {'-' * gap}[1]", f"[1]{'-' * gap} retracted"
    place = len(before) - 3
    inside = gap + len(" retracted") <= NEAR
    assert (acknowledged(before, place, place + 3), acknowledged(behind, 0, 3)) == (inside, inside)


def test_a_denial_too_far_before_is_none() -> None:
    """H16: the denial counts up to five words before."""
    for words in range(9):
        told = f"[1] not {'very ' * words}retracted"
        assert acknowledged(told, 0, 3) == (words >= DENIED)


# -- DOIs ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("see doi:10.1016/S0140-6736(97)11096-0.", ["10.1016/s0140-6736(97)11096-0"]),
        ("(see https://doi.org/10.1000/abc)", ["10.1000/abc"]),
        ("[a](https://doi.org/10.1016/s0140-6736(97)11096-0) and 10.1000/b;", [
            "10.1016/s0140-6736(97)11096-0", "10.1000/b",
        ]),
        ("<a href=\"https://doi.org/10.1000/x\">", ["10.1000/x"]),
        ("[10.1000/a](https://doi.org/10.1000/A), 10.1002/(SICI)1096-8644(199601)99:1<1::AID-AJPA1>3.0.CO;2-1.", [
            "10.1000/a", "10.1000/a", "10.1002/(sici)1096-8644(199601)99:1<1::aid-ajpa1>3.0.co;2-1",
        ]),
        ("version 10.1/2, 110.1000/x, 10.12/x and 10.1000 / x", []),
        ("", []),
    ],
)  # fmt: skip
@pytest.mark.covers("H15")
def test_dois_in_a_text(text: str, found: list[str]) -> None:
    """Evidence §9: a DOI with brackets is found whole; what surrounds it is left out; each with its place."""
    got = list(dois(text))
    assert [one.key for one in got] == found
    assert [text[one.start : one.end].lower() for one in got] == found


def test_a_doi_in_an_address() -> None:
    """Evidence §4.3: an address may hold it with percent signs, or none."""
    assert doi_of_address("https://norden.example/article/10.1000%2FABC?x=1") == "10.1000/abc"
    assert doi_of_address("https://norden.example/article/7") is None


# -- files -----------------------------------------------------------------------------------------------------------

HEADER = (
    "Record ID", "Title", "Publisher", "URLS", "RetractionDate", "RetractionDOI", "OriginalPaperDate",
    "OriginalPaperDOI",    "RetractionNature", "Reason", "Notes",
)  # fmt: skip


def csv_file(place: Path, *rows: Mapping[str, str], header: Sequence[str] = HEADER) -> Path:
    """Write a file with the columns of the public data."""
    path = place / "notices.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, header, restval="")
        writer.writeheader()
        writer.writerows(rows)
    return path


def row(
    number: int, doi: str = DOI, nature: str = "Retraction", day: str = "11/18/2023 0:00", **more: str
) -> dict[str, str]:
    """Make a row of such a file."""
    return {"Record ID": str(number), "OriginalPaperDOI": doi, "RetractionNature": nature, "RetractionDate": day} | more


@pytest.mark.covers("H15")
def test_a_file_in_the_style_of_the_public_data(db: Db, tmp_path: Path) -> None:
    """H15: four natures, days as month/day/year, brackets in DOIs, cells over lines; rows without a DOI are counted."""
    path = csv_file(
        tmp_path,
        row(1, "10.1016/S0140-6736(97)11096-0", RetractionDOI="10.1016/S0140-6736(10)60175-4", Notes="one\n\ntwo"),
        row(2, "10.1000/b", "Expression of concern"), row(3, "10.1000/c", "Correction", ""), row(4, "unavailable"),
        row(5, ""),
        row(6, "10.1000/d"), row(7, "10.1000/d", "Reinstatement", "1/2/2024 0:00"),
    )  # fmt: skip
    file = read_notices(path, observed_at=SEEN)
    assert import_notices(db, file.notices).words == "5 of 5 notices are new"
    assert file.skipped == {"without a DOI": 2}
    keys = ["10.1016/s0140-6736(97)11096-0", "10.1000/b", "10.1000/c", "10.1000/d", "10.1000/e"]
    found = findings(db, resolve(db), keys)
    assert [found[key].status.value for key in keys] == [
        "retracted", "expression-of-concern", "corrected", "reinstated", "unchecked",
    ]  # fmt: skip
    one = found[keys[0]]
    assert (one.notice_date, one.notice_url, one.provider) == (
        date(2023, 11, 18), "https://doi.org/10.1016/s0140-6736(10)60175-4", PROVIDER,
    )  # fmt: skip


def test_json_lines_of_our_own(db: Db, tmp_path: Path) -> None:
    """H15: each row may say by whom and when; what the call says fills what is left out."""
    path = tmp_path / "notices.jsonl"
    path.write_text(
        '{"doi": "https://doi.org/10.1000/A", "status": "retracted", "provider": "registry",'
        f' "notice_date": "2024-01-02", "observed_at": "{SEEN}", "provider_entry": 7,'
        ' "asserted_by": "its publisher"}\n'
        '{"doi": "10.1000/b", "status": "ok"}\n', "utf-8",
    )  # fmt: skip
    notices = list(read_notices(path, provider="me", observed_at="2026-03-02").notices)
    assert [(one.doi_key, one.status, one.provider, one.observed_at) for one in notices] == [
        ("10.1000/a", "retracted", "registry", SEEN), ("10.1000/b", "ok", "me", "2026-03-02T00:00:00Z"),
    ]  # fmt: skip
    assert (notices[0].provider_entry, notices[0].asserted_by) == ("7", "its publisher")
    import_notices(db, notices)
    assert (status(db, "10.1000/a"), status(db, "10.1000/b")) == ("retracted", "ok")


BAD = {
    "bad_notice": '{"doi": "10.1000/a", "status": "great", "provider": "x", "observed_at": "2026-03-01"}',
    "missing_observed_at": '{"doi": "10.1000/a", "status": "ok", "provider": "x"}',
    "missing_field": '{"doi": "10.1000/a", "status": "ok", "observed_at": "2026-03-01"}',
    "bad_date": (
        '{"doi": "10.1000/a", "status": "ok", "provider": "x", "observed_at": "2026-03-01",'
        ' "notice_date": "31/12/2023"}'
    ),
    "extra_field": '{"doi": "10.1000/a", "verdict": "ok"}',
    "bad_json": '["10.1000/a"]',
}


@pytest.mark.parametrize("code", BAD)
def test_bad_rows_are_refused_and_named(db: Db, tmp_path: Path, code: str) -> None:
    """W5: a file is taken whole or not at all; the message names the line."""
    path = tmp_path / "notices.jsonl"
    path.write_text(
        '{"doi": "10.1000/z", "status": "ok", "provider": "x", "observed_at": "2026-03-01"}\n' + BAD[code], "utf-8"
    )
    stored = digest(db)
    with pytest.raises(ClaimbaseError) as refused:
        import_notices(db, read_notices(path).notices)
    assert refused.value.code == code
    assert "line 2" in str(refused.value)
    assert digest(db) == stored


def test_files_that_are_none(tmp_path: Path) -> None:
    """X36: columns of something else, a field without an end, no file at all."""
    other = csv_file(tmp_path, {"a": "1"}, header=("a", "b"))
    for path, code in ((other, "bad_file"), (tmp_path / "none.csv", "not_found")):
        with pytest.raises(InputError) as refused:
            list(read_notices(path, observed_at=SEEN).notices)
        assert refused.value.code == code
    huge = tmp_path / "huge.csv"
    huge.write_text('doi,status\n10.1000/a,"' + "x" * 200_000, "utf-8")
    with pytest.raises(InputError):
        list(read_notices(huge, observed_at=SEEN).notices)


def test_natures_and_days() -> None:
    """H15: what providers call a notice, in any case; days in two spellings; anything else is refused."""
    assert notice_status(" Expression of Concern ") is NoticeStatus.CONCERN
    assert notice_status("WITHDRAWAL") is NoticeStatus.RETRACTED
    assert [notice_day(one) for one in (None, " ", "2024-02-29", "2/29/2024", "2024-02-29T10:00:00Z")] == [
        None, None, *[date(2024, 2, 29)] * 3,
    ]  # fmt: skip
    for bad in ("2023-02-29", "13/1/2023", "soon", "2023"):
        with pytest.raises(InstantError):
            notice_day(bad)


# -- providers -------------------------------------------------------------------------------------------------------


class Provider:
    """A provider that answers what it is told, or raises it."""

    name = "registry"

    def __init__(self, answers: Any) -> None:
        self.answers = answers
        self.asked: list[Sequence[str]] = []

    def notices(self, dois: Sequence[str]) -> Any:
        """Answer."""
        self.asked.append(dois)
        if isinstance(self.answers, BaseException):
            raise self.answers
        return self.answers


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        ({DOI: []}, "ok"),
        ({DOI: [{"status": "Retraction", "notice_date": "2020-01-01", "provider_entry": 7}]}, "retracted"),
        ({}, "unavailable"),
        (OSError("no line"), "unavailable"),
        (RuntimeError("anything"), "unavailable"),
        (None, "unavailable"),
        ({DOI: None}, "unavailable"),
        ({DOI: [{"status": "fine"}]}, "unavailable"),
        ({DOI: [{"notice_date": "2020-01-01"}]}, "unavailable"),
        ({DOI: ["retracted"]}, "unavailable"),
        ({DOI: [{"status": "retracted", "notice_date": "yesterday"}]}, "unavailable"),
    ],
)
@pytest.mark.covers("H15")
def test_a_provider_that_fails_is_never_ok(db: Db, answer: Any, wanted: str) -> None:
    """Evidence §9: an exception, no answer, or one in no known form is unavailable; only an empty list is ok."""
    provider = Provider(answer)
    report = ask_provider(db, provider, [f"https://doi.org/{DOI}", DOI.upper()])
    assert provider.asked == [[DOI]]
    assert status(db) == wanted
    assert f"{int(wanted == 'unavailable')} unavailable" in report.words


def test_a_failed_query_erases_no_finding(db: Db) -> None:
    """P6: retracted stays retracted when the next query fails; no DOI at all is refused before anybody is asked."""
    ask_provider(db, Provider({DOI: [{"status": "retracted"}]}), [DOI])
    ask_provider(db, Provider(OSError("no line")), [DOI])
    assert status(db) == "retracted"
    provider = Provider({})
    with pytest.raises(EvidenceError) as refused:
        ask_provider(db, provider, ["lark"])
    assert (refused.value.code, provider.asked) == ("bad_doi", [])


# -- sweeping --------------------------------------------------------------------------------------------------------


def settle(db: Db, page: Page, doi: str) -> None:
    """Say which publication a source is."""
    with write(db, "test") as under_way:
        under_way.transaction.run(
            "INSERT INTO cb.source_setting (source_id, allowed, doi_key, recorded_at) SELECT source_id, true, $doi, $at"
            " FROM cb.source WHERE source_key = $key", {"doi": doi, "key": page.key, "at": under_way.recorded_at},
        )  # fmt: skip


def swept(db: Db) -> list[tuple[str, str, str, str, bool]]:
    """Give what a sweep finds, by address."""
    return sorted(
        (row["uri"], row["doi"], row["where"], row["status"], row["noted_in_document"]) for row in _sweep(db).rows()
    )


def _sweep(db: Db) -> Sweep:
    return sweep(db, resolve(db))


@pytest.mark.covers("H15", "H16")
def test_a_sweep_finds_the_publications_behind_sources(db: Db) -> None:
    """H15: a DOI set for a source, in its address or in its text; with its status and whether its text notes it."""
    named, plain = Page("https://a.example/1", prose(1)), Page("https://b.example/10.1000/b", f"No. {prose(2)}")
    citing = Page(
        "https://c.example/3",
        f"A study (doi:10.1000/a) that was retracted. {prose(3, 90)} Another (10.1016/S0140-6736(97)11096-0). "
        + prose(4),
    )
    put(db, named, plain, citing, Page("https://d.example/4"))
    settle(db, named, "10.1000/A")
    import_notices(db, [
        notice("retracted", "2020-01-01", doi="10.1000/a"), notice("corrected", doi="10.1000/b"),
    ])  # fmt: skip
    assert swept(db) == [
        ("https://a.example/1", "10.1000/a", "setting", "retracted", False),
        ("https://b.example/10.1000/b", "10.1000/b", "uri", "corrected", False),
        ("https://c.example/3", "10.1000/a", "text", "retracted", True),
        ("https://c.example/3", "10.1016/s0140-6736(97)11096-0", "text", "unchecked", False),
    ]
    settle(db, plain, "10.1000/b")
    assert swept(db)[1][2] == "setting"
    found = _sweep(db)
    assert found.counts == {
        "dois": 3, "dois_checked": 2, "retracted": 1, "concerns": 0, "corrected": 1, "unavailable": 0, "unchecked": 1,
    }  # fmt: skip
    assert found.summary == "3 DOIs: 1 retracted, 1 corrected, 1 unchecked"
    assert found.to_json()["rows"] == found.rows()


def test_a_sweep_of_nothing(db: Db) -> None:
    """H15: no DOI, nothing to tell; and with nothing against them it says so."""
    assert (_sweep(db).summary, _sweep(db).rows()) == ("no DOIs", [])
    put(db, Page("https://b.example/10.1000/b"))
    import_notices(db, [notice("ok", doi="10.1000/b")])
    assert _sweep(db).summary == "1 DOI: nothing against them"


def test_a_page_of_nothing_but_dois_takes_no_time(db: Db) -> None:
    """Hostile input: 100 KB of almost-DOIs and brackets are looked through once."""
    for text in ("10.1000/" * 12_000, "10." + "1" * 100_000, "10.1000/" + "(" * 100_000, "10.1000." * 12_000):
        start = datetime.now(UTC)
        list(dois(text))
        assert (datetime.now(UTC) - start).total_seconds() < 2
