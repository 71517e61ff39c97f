"""What is told to a base and refused: a row of the design's table, its class, its code and what the message names."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any, NamedTuple

from kit import NOW, claim, day

URL = "https://norden.example/pricing"


class Bad(NamedTuple):
    """What is told, and how it is refused: class, code, and what the message must name."""

    row: str
    given: Any
    error: str
    code: str
    names: str = ""

    @property
    def told(self) -> Any:
        """The claim itself; some are made late, for pytest would show them whole."""
        return self.given() if callable(self.given) else self.given


def quantity(row: str, value: Any, code: str, **fields: Any) -> Bad:
    """Refuse a value of a quantity predicate."""
    return Bad(row, claim(value, **{"predicate": "price"} | fields), "QuantityError", code, "value")


def nested(depth: int) -> Any:
    """Nest a list."""
    value: Any = "x"
    for _ in range(depth):
        value = [value]
    return value


BIDI = "\u202e", "\u2066", "\u200f"
GIVEN: list[Bad] = [
    # text
    Bad("X1", claim(quote=""), "EvidenceError", "missing_quote", "words"),
    Bad("X1", claim(quote="\u00a0\n\u200b"), "EvidenceError", "missing_quote"),
    Bad("X1", claim(quote=None), "EvidenceError", "missing_quote"),
    Bad("X2", claim(quote="q" * 20_001), "LimitError", "too_large", "quote"),
    Bad("X2", claim(quote="q" * 10_000_000), "LimitError", "too_large", "quote"),
    Bad("X2", claim("v" * 20_001, predicate="vendor"), "LimitError", "too_large", "value"),
    *(Bad("X3", claim(**{field: "a\ud800"}), "InputError", "bad_char", field)
      for field in ("provider", "subject", "predicate", "value", "unit", "quote", "reasoning", "selector")),
    Bad("X3", claim(scope={"mode": "\udfff"}), "InputError", "bad_char", "scope"),
    Bad("X3", claim(source={"url": URL, "title": "\ud800"}), "InputError", "bad_char", "title"),
    *(Bad("X4", claim(**{field: f"a{mark}b"}), "InputError", "bad_char", field)
      for field in ("provider", "subject") for mark in BIDI),
    *(Bad("X4", claim(predicate=f"a{mark}b"), "VocabularyError", "bad_identifier") for mark in BIDI),
    Bad("X8", claim(subject="s" * 10_000), "LimitError", "too_large", "subject"),
    Bad("X8", claim(subject="s" * 257), "LimitError", "too_large", "256"),
    Bad("X8", claim(subject=" \u00a0"), "InputError", "missing_field", "subject"),
    *(Bad("X9", claim(predicate=name), "VocabularyError", "bad_identifier", "predicate")
      for name in ("x; DROP TABLE cb.y", 'x"', "x'", "x--", "x y", "", "1x")),
    # numbers
    quantity("X10", float("nan"), "not_finite"),
    quantity("X10", float("-inf"), "not_finite"),
    quantity("X10", Decimal("NaN"), "not_finite"),
    Bad("X10", claim(ordinal=float("nan")), "QuantityError", "not_finite", "ordinal"),
    quantity("X10", "nan", "placeholder_value"),
    quantity("X11", "1e999", "out_of_range"),
    quantity("X11", "9" * 40, "out_of_range"),
    quantity("X11", "1e-13", "out_of_range"),
    quantity("X13", "6^800000", "bad_number"),
    quantity("X13", "9" * 65, "bad_number"),
    *(quantity("X14", text, "bad_number") for text in ("1__000", "_1000", "1_00", "1,00,000")),
    *(quantity("X15", text, "bad_number") for text in ("\u0663", "\uff11\uff12")),
    *(quantity("X19", text, "unknown_unit") for text in ("5 $/wombat", "5 wombats")),
    quantity("X21", "5 m**99999999", "unknown_unit"),
    quantity("X21", "5", "unknown_unit", unit="m**99999999"),
    quantity("X21", "5", "unknown_unit", unit="u" * 1_000_000),
    *(quantity("X23", text, "placeholder_value") for text in ("", "n/a", "N/A", "TBD", "not yet verified", "-")),
    quantity("V5", "-1", "sentinel"),
    quantity("V6", "three dollars or so", "bad_number"),
    Bad("V6", claim("three", normalized_value="also three"), "QuantityError", "bad_number", "value"),
    Bad("V8", claim("perhaps", predicate="vision"), "QuantityError", "bad_bool", "value"),
    # times
    *(Bad("X24", claim(observed_at=text), "InstantError", "bad_date", "observed_at")
      for text in ("now", "today", "12:30", "T12:30", "P1Y", "a/b", "1767225600", "")),
    *(Bad("X24", claim(effective_from=text), "InstantError", "bad_date", "effective_from")
      for text in ("now", "12:30", "2026-13-01", "2026-02-30", "spring 2026")),
    Bad("X24", claim(observed_at="2026-03"), "InstantError", "period", "observed_at"),
    Bad("X26", claim(observed_at="2026-06-30T23:59:60Z"), "InstantError", "bad_date", "23:59:59"),
    *(Bad("X27", claim(observed_at=f"2026-03-01T00:00:00{offset}"), "InstantError", "bad_offset", "offset")
      for offset in ("+25:00", "+24:00", "+05:30:15", "+05:60")),
    Bad("X28", claim(effective_from="2026-05-01", effective_until="2026-05-01"), "IntervalError", "empty_interval",
        "2026-05-01T00:00:00Z until 2026-05-01T00:00:00Z"),
    Bad("X28", claim(effective_from="2026-05-02", effective_until="2026-05-01"), "IntervalError", "inverted_interval",
        "2026-05-02"),
    Bad("X28", claim(effective_from={"earliest": "2026-05-02", "latest": "2026-05-01"}), "IntervalError",
        "inverted_interval", "effective_from"),
    *(Bad("X29", claim(**{field: text}), "InstantError", "infinite_bound", "open")
      for field in ("effective_from", "effective_until") for text in ("infinity", "-infinity", "inf")),
    Bad("X29", claim(effective_from="0000-01-01"), "InstantError", "bad_date"),
    Bad("V5", claim(effective_until="9999-12-31"), "InstantError", "sentinel", "effective_until"),
    Bad("X30", claim(observed_at=NOW + timedelta(minutes=6)), "InstantError", "future_observation", "observed_at"),
    Bad("X31", claim(effective_from="2026-03-29T02:30:00", zone="Europe/Berlin"), "InstantError", "local_time",
        "2026-03-29T00:30:00Z or 2026-03-29T01:30:00Z"),
    Bad("X31", claim(effective_from="2026-10-25T02:30:00", zone="Europe/Berlin"), "InstantError", "local_time",
        "repeats"),
    Bad("T4", claim(effective_until="2026-05-01", effective_through="2026-05-01"), "IntervalError", "both_ends"),
    Bad("T4", claim(effective_through="2026-05-01T00:00:00Z"), "InstantError", "bad_date"),
    Bad("T4", claim(effective_from="2026-05-01", zone="Mars/Olympus"), "InstantError", "bad_zone", "Mars/Olympus"),
    Bad("T7", claim(observed_at="2026-03-01T00:00:00"), "InstantError", "naive_time", "offset"),
    Bad("T7", claim(observed_at=datetime(2026, 3, 1)), "InstantError", "naive_time"),  # noqa: DTZ001
    Bad("T6", claim(effective_until={"kind": "unknown", "state": "maybe"}), "InstantError", "bad_date"),
    Bad("T6", claim(effective_until={"sometime": "soon"}), "InstantError", "bad_date", "effective_until"),
    Bad("T6", claim(effective_until="{"), "InstantError", "bad_date", "effective_until"),
    Bad("T1", claim(effective_from={}), "InstantError", "bad_date", "effective_from"),
    # requests
    Bad("X34", claim(recorded_at=day(1)), "InputError", "extra_field", "recorded_at"),
    Bad("X34", claim(colour="red"), "InputError", "extra_field", "colour"),
    Bad("X34", claim(source={"url": URL, "colour": "red"}), "InputError", "extra_field", "colour"),
    Bad("X34", claim(confidence="certain"), "InputError", "bad_confidence"),
    Bad("X34", claim(polarity="maybe"), "InputError", "bad_polarity"),
    Bad("X34", claim(complete="perhaps"), "InputError", "bad_flag", "complete"),
    Bad("X34", claim(keep_unread="perhaps"), "InputError", "bad_flag", "keep_unread"),
    Bad("X34", claim(scope="mode=batch"), "InputError", "bad_scope"),
    Bad("X34", claim(scope={"mode": ["batch"]}), "InputError", "bad_scope"),
    Bad("X34", claim(scope={"mode": None}), "InputError", "bad_scope"),
    Bad("X34", claim(value=object()), "InputError", "bad_value", "value"),
    Bad("X34", claim(value=b"3"), "InputError", "bad_value", "value"),
    *(Bad("X34", claim(**{field: None}), "InputError", "missing_field", field)
      for field in ("provider", "subject", "predicate", "value")),
    Bad("X35", lambda: claim() | {"value": nested(1_001)}, "LimitError", "too_deep", "value"),
    Bad("X35", claim(nested(32)), "LimitError", "too_deep", "30"),
    Bad("X35", claim(scope={"a": nested(40)}), "LimitError", "too_deep", "scope"),
    Bad("X38", claim(claim_id="c_0123456789abcdef"), "InputError", "id_mismatch", "claim_id"),
    # sources
    *(Bad("X45", claim(source={"url": url}), "EvidenceError", "bad_url", "source: ")
      for url in ("https://me:secret@norden.example/", "https://norden.example/a b", "https://norden.example/\x00",
                  "https://norden.example/\nb", "javascript:alert(1)", "norden.example", "", "https://", "//x/y")),
    Bad("X45", claim(source={"url": "https://norden.example/" + "p" * 100_000}), "LimitError", "too_large", "url"),
    Bad("X46", claim(source=None), "UnknownSourceError", "missing_source", "source"),
    Bad("X46", claim(source={"title": "a page"}), "UnknownSourceError", "missing_source"),
    Bad("X46", claim(source={"url": URL, "source_type": "hearsay"}), "EvidenceError", "unknown_source_type", "hearsay"),
    Bad("X46", claim(source={"url": URL, "authority": "mine"}), "EvidenceError", "unknown_authority", "mine"),
    Bad("R1", claim(source={"url": URL, "derived_from": URL + "#top"}), "EvidenceError", "source_cycle"),
]  # fmt: skip


def times(row: str, code: str, texts: tuple[Any, ...]) -> list[Bad]:
    """Refuse what is no instant, as a reading's and as a bound."""
    fields = ("observed_at", "effective_from")
    return [Bad(row, claim(**{field: text}), "InstantError", code, field) for text in texts for field in fields]


def source(row: str, error: str, code: str, **fields: Any) -> Bad:
    """Refuse a source."""
    return Bad(row, claim(source={"url": URL} | fields), error, code, "source")


UNSEEN = (
    "\u202a", "\u202b", "\u202d", "\u2067", "\u2068", "\u061c", "\u200e", "\u200b", "\u2060", "\ufeff", "\u00ad",
    "\x07", "\x1b", "\x00", "\ue000", "\U000e0041", "\ufffe", "\ufdd0", "\U0001ffff", "\u034f", "\u115f", "\u2800",
    "\u3164", "\uffa0", "\ufe05", "\U000e0101",
)  # fmt: skip
"""Direction, format and control marks, tags, no characters, fillers and variation selectors: none can be seen."""

OWN: list[Bad] = [
    # text
    *(Bad("X1", claim(quote=text), "EvidenceError", "missing_quote", "quote")
      for text in ("\u3000", "\u2060\ufeff", "\u115f\u1160", "\u034f\u2800", "\x00", "\U000e0020\ufe05", "\u3164")),
    Bad("X1", claim(quote=["words"]), "InputError", "bad_value", "quote"),
    Bad("X1", claim(quote={}), "InputError", "bad_value", "quote"),
    *(Bad("X2", claim(**{field: "r" * 20_001}), "LimitError", "too_large", field)
      for field in ("reasoning", "selector")),
    Bad("X2", claim(quote="a\u0301" * 10_001), "LimitError", "too_large", "20,000"),
    source("X2", "LimitError", "too_large", title="t" * 20_001)._replace(names="title"),
    source("X2", "LimitError", "too_large", publisher="t" * 20_001)._replace(names="publisher"),
    Bad("X2", claim(scope={"mode": "s" * 20_001}), "LimitError", "too_large", "scope"),
    *(Bad("X3", claim(**{field: "x \ude00\ud83d"}), "InputError", "bad_char", field)
      for field in ("zone", "confidence", "polarity", "effective_until", "claim_id", "normalized_value")),
    Bad("X3", claim() | {"value": ["\ud800"]}, "InputError", "bad_char", "value"),
    Bad("X3", claim(scope={"\ud800": "a"}), "InputError", "bad_char", "scope"),
    Bad("X3", claim() | {"\ud800": "x"}, "InputError", "extra_field", "\\ud800"),
    source("X3", "InputError", "bad_char", url=URL + "\udfff"),
    *(Bad("X4", claim(**{field: f"a{mark}b"}), "InputError", "bad_char", field)
      for field in ("provider", "subject") for mark in UNSEEN),
    *(Bad("X4", claim(predicate=f"a{mark}b"), "VocabularyError", "bad_identifier") for mark in UNSEEN),
    *(Bad("X4", claim(scope={key: value}), "InputError", "bad_char", "scope")
      for key, value in (("mode", "a\u202eb"), ("mo\u2066de", "a"), ("mode", "\x1b[2J"), ("a\n", "b"))),
    Bad("X8", claim(subject="\U0001f600" * 257), "LimitError", "too_large", "256"),
    Bad("X8", claim(provider="p" * 257), "LimitError", "too_large", "provider"),
    Bad("X8", claim(subject="a" + " " * 300 + "b"), "LimitError", "too_large", "subject"),
    Bad("X8", claim(subject=["Lark 2"]), "InputError", "bad_value", "subject"),
    *(Bad("X9", claim(predicate=name), "VocabularyError", "bad_identifier", "predicate")
      for name in ("cb.claim; --", "price*/", "${x}", "{{x}}", "../x", "pri\u0441e", "pr\u0131ce", "price\u0301", "_",
                   "__proto__", "p" * 300, "price\x00", "`x`", "x=1")),
    # numbers
    *(quantity("X10", value, "not_finite")
      for value in (Decimal("sNaN"), Decimal("-Infinity"), "Infinity", "\u221e", [float("nan")])),
    *(quantity("X10", text, "placeholder_value") for text in ("NaN", "NULL", "None")),
    *(quantity("X10", text, "bad_number") for text in ("+nan", "1.#INF", "nan(1)", "undefined")),
    *(quantity("X11", value, "out_of_range")
      for value in ("1e400", "-1e999", "1e-999", "0." + "0" * 13 + "1", 10**40, Decimal("1e50"), 1e300, 5e-324,
                    "1" * 27)),
    Bad("X11", claim(predicate="price") | {"value": 10**5_000}, "QuantityError", "out_of_range", "value"),
    quantity("X11", "1e" + "9" * 30, "unknown_unit"),
    *(quantity("X13", text, "bad_number")
      for text in ("9**9**9", "2^10", "1<<99", "((1))", "sqrt(2)", "--5", "+-5", "5.", "1.2.3", "1'000",
                   "__import__('os')")),
    *(quantity("X13", text, "unknown_unit") for text in ("0x10", "0b1", "1e5e5", "1/3", "1j")),
    *(quantity("X14", text, "bad_number")
      for text in ("10,00", "1,0000", ",100", "100,", "1,,000", "1 000", "1.000,5", "1_", "1.5_0", "0,001")),
    *(quantity("X15", text, "bad_number")
      for text in ("\u0665", "\u06f3", "\U0001d7d8", "\u00b2", "\u00bd", "\u2167", "\u4e09", "1\u0663", "5\u00b2",
      "3\u200b",
                   "\u202e3", "3\u0301", "\uff0e5", "1\uff0c000")),
    *(quantity("X16", text, "unknown_unit", predicate="context") for text in ("1G", "1KK", "1P", "1MM")),
    *(quantity("X17", text, "bad_number", predicate="context")
      for text in ("7-5", "<<5", "~~5", "5++", "5-", "5-7-9", "<5+", "\u00b15", "5--7")),
    *(quantity("X19", text, "unknown_unit")
      for text in ("5 furlongs", "5 $/", "5 tok en", "5 kelvin", "5 \u00b5", "5 usd per mtok per mtok",
      "5 " + "m" * 60)),
    *(quantity("X21", "5", "unknown_unit", unit=unit)
      for unit in ("__class__", "m**2**2", "usd_per_mtok;", "m/0", "[usd]", "usd_per_mtok\x00", "10 usd_per_mtok",
      "  ")),
    *(quantity("X23", text, "placeholder_value")
      for text in ("?", "unknown", " n/a ", "tbd", "none", "\u2014", "\u2026", "--", "not available")),
    *(quantity("X23", text, "bad_number") for text in ("contact us", "on request", "coming soon", "(n/a)")),
    # times
    *times("X24", "bad_date", (
        "yesterday", "now()", "00:00", "R/2026", "2026-W10", "2026-060", "20260301", "2026-3-1", "03/01/2026",
        "2026-03-01T",
        "2026-03-01T24:00:00Z", "2026-03-01T00:60Z", "2026-02-29", "\uff12\uff10\uff12\uff16-03-01", "2026-03-01\u200b",
        "2026-03-01T00:00:00ZZ", "2026-03-01T00:00:00.1234567Z", "12026-03-01", "2026-03-01T00:00:00 UTC",
        "2026-03-01T00:00:00+01:00[Europe/Berlin]", "9" * 100_000, True, 1_772_323_200, 1.5)),
    Bad("X24", claim(observed_at=["2026-03-01"]), "InputError", "bad_value", "observed_at"),
    Bad("X24", claim(effective_from=["2026-03-01"]), "InstantError", "bad_date", "effective_from"),
    *times("X26", "bad_date", (
        "2016-12-31T23:59:60.5Z", "2026-06-30T12:00:60Z", "2026-06-30T23:59:61Z", "2026-06-30T23:60:00Z")),
    *times("X27", "bad_offset", tuple(f"2026-03-01T00:00:00{offset}" for offset in ("+24", "+2400", "-24:00",
      "+99:99"))),
    *times("X27", "bad_date", tuple(
        f"2026-03-01T00:00:00{offset}" for offset in ("+5:30", "++05:00", "+05.5", "Z+01:00", "EST"))),
    *(Bad("X28", claim(**bounds), "IntervalError", "empty_interval", "until")
      for bounds in (
          {"effective_from": "2026-05-01T00:00:00Z", "effective_until": "2026-05-01T02:00:00+02:00"},
          {"effective_from": "2026-05", "effective_until": "2026-05-01"},
          {"effective_from": "2026-05-01", "effective_through": "2026-04-30"},
          {"effective_from": "2026-05-01", "effective_until": {"earliest": "2026-04-01", "latest": "2026-05-01"}},
          {"effective_from": "always", "effective_until": "0001-01-02"})),
    Bad("X28", claim(effective_from="2026-05-01T00:00:00.000001Z", effective_until="2026-05-01"), "IntervalError",
        "inverted_interval", "2026-05-01T00:00:00.000001Z"),
    *(Bad("X29", claim(effective_until=text), "InstantError", "infinite_bound", "effective_until")
      for text in ("+inf", "-Infinity", " infinity ", {"latest": "infinity"}, {"earliest": "-infinity"})),
    *(Bad("X29", claim(effective_until=text), "InstantError", "bad_date", "effective_until")
      for text in ("\u221e", "forever", "10000-01-01", "never", "ongoing")),
    Bad("X29", claim(effective_until=float("inf")), "QuantityError", "not_finite", "effective_until"),
    Bad("X29", claim(effective_until="0001-01-01T00:00:00+14:00"), "InstantError", "out_of_range", "effective_until"),
    *(Bad("X30", claim(observed_at=at), "InstantError", "future_observation", "observed_at")
      for at in ("2999-01-01", "2026-11-29T12:05:01+00:00", "2026-11-30", datetime(2026, 11, 29, 12, 5, 1,
      tzinfo=UTC),
                 datetime(2026, 11, 29, 23, tzinfo=timezone(timedelta(hours=-11))))),
    *(Bad("X31", claim(effective_from=at, zone=zone), "InstantError", "local_time", "effective_from")
      for zone, at in (("America/New_York", "2026-03-08T02:30:00"), ("America/New_York", "2026-11-01T01:30:00"),
                       ("Pacific/Apia", "2011-12-30T12:00:00"), ("Pacific/Apia", "2011-12-30"),
                       ("Australia/Lord_Howe", "2026-10-04T02:15:00"), ("America/Sao_Paulo", "2018-11-04T00:30:00"))),
    *(Bad("T4", claim(effective_from="2026-05-01", zone=zone), "InstantError", "bad_zone", "time zone")
      for zone in ("/etc/passwd", "../../etc/passwd", "localtime", "posixrules", "Europe", "UTC+2", "\x00",
      "z" * 5_000)),
    # requests
    *(Bad("X34", claim() | {field: "x"}, "InputError", "extra_field", field)
      for field in ("recordedAt", "RECORDED_AT", "retracted_at", "version_id", "claim_no", "Value", "value ",
      "__class__", "")),
    source("X34", "InputError", "extra_field", recorded_at=day(1)),
    *(Bad("X34", claim(**{field: value}), "InputError", code, field)
      for field, value, code in (
          ("confidence", "LOW", "bad_confidence"), ("polarity", "ABSENT", "bad_polarity"), ("complete", "1",
          "bad_flag"),
          ("ordinal", "x", "bad_ordinal"), ("ordinal", 1.5, "bad_ordinal"), ("ordinal", 2**70, "bad_ordinal"),
          ("entry", "delete", "bad_entry"), ("scope", [], "bad_scope"), ("scope", {"a": None}, "bad_scope"),
          ("scope", {"": "x"}, "bad_scope"), ("scope", {"a": ""}, "bad_scope"), ("scope", {"A": "x", "a": "y"},
          "bad_scope"))),
    *(Bad("X35", lambda field=field: claim() | {field: nested(40)}, "LimitError", "too_deep", field)
      for field in ("quote", "selector", "effective_from", "unit")),
    Bad("X35", lambda: claim() | {"value": nested(100_000)}, "LimitError", "too_deep", "value"),
    Bad("X35", claim(scope='{"a":' * 4_000 + "1" + "}" * 4_000), "LimitError", "too_large", "scope"),
    Bad("X35", claim(scope='{"a":' * 2_000 + "1" + "}" * 2_000), "InputError", "bad_scope", "scope"),
    Bad("X35", claim(effective_from='{"earliest":' * 2_000), "InstantError", "bad_date", "effective_from"),
    Bad("X35", claim("[" * 2_000, predicate="languages"), "QuantityError", "bad_set", "value"),
    *(Bad("X38", claim(claim_id=name), "InputError", "id_mismatch", "claim_id")
      for name in ("c_", "", "C_0123456789abcdef", "c_0123456789abcde\u0661", "c_0123456789abcdef0", 5)),
    # sources
    *(source("X45", "EvidenceError", "bad_url", url=url)
      for url in ("https://secret@norden.example/", "https://me%3Asecret@norden.example/", "me:secret@norden.example/",
                  "https://norden.example\\@evil.example/secret", "ftp://me:secret@norden.example/",
                  "upload://me:secret@x",
                  "https://norden.example/\r\nSet-Cookie: a=b", "https://norden.example/\u202egnp",
                  "https://nor\u00adden.example/",
                  "https://norden.example/\u200b", "https://norden.example/\x7f", "data:text/html,x",
                  "JavaScript:alert(1)",
                  " javascript:alert(1)", "java\tscript:alert(1)", "vbscript:x", "https://[::1", "http://:80/",
                  "https:///path",
                  "https://norden.example:99999/", "https://norden..example/", "https://" + "a" * 300 + ".example/",
                  "/path", "#",
                  "upload://", 5)),
    source("X45", "LimitError", "too_large", url="https://norden.example/" + "p" * 2_030),
    source("X45", "InputError", "bad_value", url=[URL]),
    source("X46", "UnknownSourceError", "missing_source", url=None),
    Bad("X46", claim(source={}), "UnknownSourceError", "missing_source", "source"),
    *(Bad("X46", claim(source=given), "InputError", "bad_value", "source")
      for given in (URL, [], 5, "https://me:secret@norden.example/")),
    *(source("X46", "EvidenceError", "unknown_source_type", source_type=kind) for kind in ("NEWS", 5, "news\u200b")),
    source("X46", "EvidenceError", "unknown_authority", authority="Primary"),
    source("X46", "EvidenceError", "bad_url", derived_from="https://me:secret@norden.example/"),
    source("X46", "InstantError", "bad_date", published_at="soon")._replace(names="published_at"),
    source("X46", "InputError", "bad_value", title=["a"]),
]  # fmt: skip

BAD = GIVEN + OWN
