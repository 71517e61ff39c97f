"""The parsers under fuzzing: one table, each with its entry, its seeds and the words it knows (G16)."""

from __future__ import annotations

from fuzz import parsers, seeds
from fuzz.engine import Target
from fuzz.mutating import FIELD

_UNIT_WORDS = (
    "$", "€", "£", "%", "¢", "/", " per ", " a ", "USD", "usd_per_mtok", "tokens", "tok", "1M", "1e6", "1e99", "K", "M",
    "Mi", "B", "GB", "Mb", "m", "s", "ms", "µs", "hour", "day", "month", "year", "million", "input ", "cached ", "_",
    "1,000", "0", ".5", "character", "image", "tpm",
)  # fmt: skip
_NUMBER_WORDS = (
    *_UNIT_WORDS, "~", "about ", "≈", "up to ", "at least ", ">= ", "≤", "<", ">", "between ", " and ", " to ", "-",
    "–", "..", "±", "+/-", "+", "-", " or more", " max", "exactly ", "=", "[", "(", ",", "]", ")", "e", "E-12",
    "1e25", "_000", ",000", "\u00a0", "\u202f", "free", "n/a", "TBD", "inf", "NaN", "zero", "twelve ", "a million",
    "\\$", "thousand", FIELD,
)  # fmt: skip
_DATE_WORDS = (
    "2026", "-03", "-01", "T08:00", ":00", ".000001", "Z", "+05:30", "-23:59", "+24:00", "/", "-Q2", "Q4 ", "-34",
    " to ", " - ", "–", "March ", "sept.", "1st", "31", "of ", "no sooner than ", "by ", "before ", " or later", ">=",
    "<", "0001", "9999", "9998-12", "0001-01-01", "9999-12-31", "02-29", "24:00", ":60", "infinity", "now", "{", "}",
    FIELD, FIELD + "Asia/Kolkata", FIELD + "Pacific/Apia", FIELD + "America/New_York", FIELD + "Africa/Monrovia",
    FIELD + "../etc", FIELD + "\0",
)  # fmt: skip
_CONSTRAINT_WORDS = (
    "context_window", "input_price", "vision", "release_date", "vendor", "modalities", " >= ", "<", "!=", "≥", "=",
    "==", " between ", " in ", " contains ", " starts_with ", " before ", " after ", " exists", " absent", " is_true",
    "all_of(", "any_of(", "none_of(", "(", ")", ";", ",", " and ", '"', "\\", "[", "]", "any", "mode=batch", " @ ",
    "2026-03-01", "value_of(", "128K", "$1/Mtok", "5 token", "1e999", " usd_per_mtok", "true",
)  # fmt: skip
_QUESTION_WORDS = (
    " and ", " or ", " not ", "models ", "which ", "cheaper than ", "with ", "without ", "at least ", "under ",
    "over ", "between ", "128K", "$2/M", "5%", "context", "input price", "vision", "released ", "since ", "before ",
    "in ", "as of ", "yesterday", "last month", "on 2026-03-01", "Q2 2026", "March 2026", "GPT-5", "Claude Haiku 4.5",
    "OpenAI", "Debian 12", "how many ", "when ", "history of ", "what changed ", "did ", "?", ", ", ";", "'s ", "(",
    ")", "\"", "per ", "million ", "tokens ", "top 5 ", "cheapest ", "sorted by ", "contradict", "stale", "known on ",
    "for batch", "+", "≥", "no ", "neither ", "nor ", "except ", "2 to 3 ",
)  # fmt: skip
_PAGE_WORDS = (
    "not ", "no ", "42", "$0.80", "per cent", "million ", "20 %", "3,000", "1.5", "…", "[...]", "...", " - ", "–",
    "-\n", "\n", "\n\n", "| ", "|\n|---|\n", "**", "*", "_", "~~", "`", "```\n", "<sup>2</sup>", "<b>", "</b>",
    "<br>", "<!--", "-->", "&amp;", "&#x41;", "&#1114112;", "&nbsp;", "[1]", "[^1]", "[a](https://a.example/)", "![",
    "](", "#", "> ", "- ", "1. ", "\\", "“", "”", "'", "\"", "ﬁ", "ß", "İ", "½", "²", "価格", "上昇。", "а", "é",
    "e\u0301", "\u00ad", "\u200b", "\u2028", "March 2026", "http://", FIELD,
)  # fmt: skip
_REPORT_WORDS = (
    *_PAGE_WORDS[:-1], "[1]", "[1, 2]", "[1-3]", "[99]", "[c_0123456789abcdef]", "[[p1]]", "[[p1|",
    "\n[1]: https://a.example/\n", "\n## References\n", "\n1. https://b.example/x\n", "(Smith et al., 2020)",
    "[@key]", "doi:10.1000/x", "~~~\n", "。", "! ", "? ", "Dr. ", "e.g. ", "\"a quote of five words or more\"", "»",
    "«", "„", "‘", "(", ")", "[", "]", "[[", "]]",
)  # fmt: skip
_CLAIM_WORDS = (
    "provider", "subject", "predicate", "value", "observed_at", "quote", "source", "unit", "normalized_value",
    "scope", "polarity", "complete", "effective_from", "effective_until", "effective_through", "zone", "selector",
    "keep_unread", "claim_id", "url", "context_window", "input_price", "release_date", "vision", "absent", "always",
    "2026-03-01", "2026-03", "128K", "$1/Mtok", '{"kind":"unknown","state":"holds"}',
    '{"earliest":"2026-01","latest":null}', "Europe/Berlin", "UTC", "true", "documentation",
    "https://user:pw@a.example/", '{"mode":"batch"}', "[" * 31, '{"a":' * 2_000, "[" * 2_000,
)  # fmt: skip
_CITATION_WORDS = (
    "type", "text", "citations", "cited_text", "char_location", "page_location", "content_block_location",
    "search_result_location", "web_search_result_location", "document_index", "start_char_index", "end_char_index",
    "start_page_number", "end_page_number", "start_block_index", "end_block_index", "search_result_index", "source",
    "url", "title", "content", "parts", "groundingMetadata", "groundingChunks", "groundingSupports",
    "groundingChunkIndices", "segment", "startIndex", "endIndex", "partIndex", "web", "uri", "groundingCheckRequired",
    "maps", "retrievedContext",
)  # fmt: skip
_RECEIPT_WORDS = (
    "schema_version", "id", "kind", "passed", "created_at", "checks", "claims", "quotes", "rows", "ledger",
    "body_sha256", "claimbase-receipt/1", "claimbase-receipt/2", "verified", "supported", "gate",
    "2026-03-01T00:00:00Z", "2026-03-01", "0.80", "1e999", "position", "start", "end",
)  # fmt: skip
_ADDRESS_WORDS = (
    "http://", "https://", "ftp://", "//", ":", "@", "user:pw@", "a.example", "www.", "m.", ":443", ":99999", ":٣",
    "[::1]", "[", "]", "%2e", "%2F", "%", "%zz", "..", "/./", "/../", "?", "&", "utm_source=x", "#!", "#page=3",
    "#:~:text=", "xn--", "ß", "İ", "。", "web.archive.org/web/2020/", "archive.is/", "10.1000/", "doi:10.1234/", "(",
    ")", "<", "&lt;", "&amp;", "arn:", "upload://", "s3://",
)  # fmt: skip
_CONDITION_WORDS = (
    *_CONSTRAINT_WORDS, "predicate", "field", "operator", "value", "value_of", "subject", "unit", "scope", "at",
    "all_of", "any_of", "none_of", "gte", "between", "in", "contains", "exists",
)  # fmt: skip
_JSON_WORDS = (*_CLAIM_WORDS, "NaN", "1e5", "01", "\\u", "\\ud800", "{", "}", "[", ",", ":")
_LINE_WORDS = (*_CLAIM_WORDS, "\n", "\r\n", "\x1f\x8b", "{}", "null", "\ufeff")
_POINT_WORDS = ("batch_id", "root", ":", "{", "}", "ab" * 32, "1e999", "[" * 2_000)

TARGETS = {
    one.name: one
    for one in (
        Target("number", parsers.number, seeds.numbers, _NUMBER_WORDS),
        Target("unit", parsers.unit, seeds.units, _UNIT_WORDS),
        Target("value", parsers.value, seeds.values, _NUMBER_WORDS),
        Target("date", parsers.date, seeds.dates, _DATE_WORDS),
        Target("instant", parsers.instant, seeds.dates, _DATE_WORDS),
        Target("constraint", parsers.constraint, seeds.constraints, _CONSTRAINT_WORDS),
        Target("conditions", parsers.conditions_json, seeds.conditions, _CONDITION_WORDS, json=True),
        Target("question", parsers.question, seeds.questions, _QUESTION_WORDS),
        Target("json", parsers.json_text, seeds.claims, _JSON_WORDS),
        Target("jsonl", parsers.jsonl, seeds.claim_files, _LINE_WORDS),
        Target("claim", parsers.claim, seeds.claims, _CLAIM_WORDS, json=True),
        Target("quote", parsers.quote, seeds.quotes, _PAGE_WORDS),
        Target("report", parsers.report, seeds.reports, _REPORT_WORDS),
        Target("citations", parsers.citations, seeds.citations, _CITATION_WORDS, json=True),
        Target("receipt", parsers.receipt, seeds.receipts, _RECEIPT_WORDS, json=True),
        Target("checkpoint", parsers.checkpoint, seeds.checkpoints, _POINT_WORDS),
        Target("address", parsers.address, seeds.addresses, _ADDRESS_WORDS),
    )
}  # fmt: skip
"""Every parser by name."""
SHARES = {
    "number": 3_000, "unit": 1_500, "value": 1_000, "date": 2_500, "instant": 2_500, "constraint": 1_200,
    "conditions": 1_200, "question": 300, "json": 2_500, "jsonl": 600, "claim": 800, "quote": 300, "report": 300,
    "citations": 900, "receipt": 100, "checkpoint": 700, "address": 600,
}  # fmt: skip
"""How many inputs each parser gets in the default run."""
