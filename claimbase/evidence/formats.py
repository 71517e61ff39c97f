"""What was read becomes text: plain text, Markdown, HTML, the pages of a PDF, one record of a file (evidence §4).

Pure: bytes or text go in, the text to be stored comes out, with how it is written and by whom it was extracted.
"""

from __future__ import annotations

import codecs
import hashlib
import io
import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from logging import NullHandler, getLogger
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from claimbase.errors import InputError, LimitError, SnapshotRefusedError, shown
from claimbase.evidence.model import PROFILES
from claimbase.evidence.records import Selector, record_text
from claimbase.evidence.terms import SNAPSHOT_LIMIT

TEXT = "claimbase-text/1"
RECORD = "claimbase-record/1"

HTML, PDF, MARKDOWN, _PLAIN = "text/html", "application/pdf", "text/markdown", "text/plain"
_SUFFIXES = {
    ".txt": _PLAIN, ".md": MARKDOWN, ".markdown": MARKDOWN, ".html": HTML, ".htm": HTML, ".xhtml": HTML, ".pdf": PDF,
    ".csv": "text/csv", ".tsv": "text/tab-separated-values", ".json": "application/json",
    ".jsonl": "application/x-ndjson", ".ndjson": "application/x-ndjson",
}  # fmt: skip
_ALIASES = {"application/xhtml+xml": HTML, "text/x-markdown": MARKDOWN, "application/jsonl": "application/x-ndjson"}
_PROFILES = {HTML: "html-md", PDF: "pdf", MARKDOWN: "markdown"}

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"),
)  # fmt: skip
# Encodings that pages are written in. Python knows others that run long, or decode anything.
_ENCODINGS = re.compile(
    r"ascii|utf-(8|16|16-le|16-be)|iso8859-([2-9]|1[0-6])|cp(125[0-8]|866|874|932|949)|koi8-[ru]|mac-(roman|cyrillic)"
    r"|gb(k|2312|18030)|big5(hkscs)?|euc_(jp|kr)|shift_jis|iso2022_jp"
)
_AS_READ = {"iso8859-1": "cp1252", "utf_8": "utf-8", "utf_8_sig": "utf-8"}  # as browsers read what is called so
_CHARSET = re.compile(r";\s{0,9}charset\s{0,9}=\s{0,9}[\"']?([\w.:-]{1,40})", re.IGNORECASE)
_META = re.compile(rb"<meta[^>]{0,200}?charset\s{0,9}=\s{0,9}[\"']?([\w.:-]{1,40})", re.IGNORECASE)
_HTML_START = re.compile(
    r"\ufeff?\s{0,999}(?:<\?xml[^>]{0,200}>\s{0,99})?(?:<!--.{0,999}?-->\s{0,99})?<(?:!doctype\s{1,9}html|html[\s>])",
    re.IGNORECASE | re.DOTALL,
)
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_CONTROL_SHARE = 10  # one in so many characters is no text any more
_PAGE_BREAK = "\n\n"


@dataclass(frozen=True, slots=True)
class Extract:
    """A text as it will be stored.

    Args:
        text: None where there is none: the pages of a scan.
        profile: how it is written (N1).
        media_type: what was read.
        extractor: what made the text, name and version.
        page_offsets: where each page begins, in code points; None where there are no pages.
        raw_sha256: the digest of the bytes; None where text was given.
    """

    text: str | None
    profile: str
    media_type: str
    extractor: str
    page_offsets: tuple[int, ...] | None = None
    raw_sha256: str | None = None


def extract(
    given: str | bytes,
    *,
    profile: str | None = None,
    media_type: str | None = None,
    selector: Selector | None = None,
) -> Extract:
    """Turn what was read into text.

    Args:
        given: at most 16 MiB. Text together with a profile is taken as it is.
        profile: how the text is written; None = as its media type is.
        media_type: as a server states it, with its charset; None = what the first characters tell.
        selector: picks one record of a CSV or JSON file.

    Raises:
        LimitError: [too_large], before anything is parsed; [too_deep].
        SnapshotRefusedError: [not_text] NUL bytes, a wrong encoding, nothing that could be read.
        InputError: [missing_extra] HTML and PDF need an extra; [bad_profile]; [bad_char] half a character;
            [bad_selector], [no_record], [ambiguous_record].
    """
    if profile is not None and profile not in PROFILES:
        raise InputError(f"{shown(profile)} is no profile", code="bad_profile", hint=f"one of {', '.join(PROFILES)}")
    _check_size(given)
    kind, charset = _declared(media_type)
    raw = hashlib.sha256(given).hexdigest() if isinstance(given, bytes) else None
    if isinstance(given, bytes) and selector is None and (kind == PDF or (kind is None and given.startswith(b"%PDF-"))):
        return _pdf(given, raw)
    text = _whole(given if isinstance(given, str) else _decoded(given, charset, kind))
    if selector is not None:
        return Extract(record_text(text, kind or _PLAIN, selector), "plain", kind or _PLAIN, RECORD, None, raw)
    kind = kind or (HTML if _HTML_START.match(text) else _PLAIN)
    if kind == HTML and (profile is None or (raw is not None and profile == "html-md")):
        return Extract(_markdown(text), "html-md", HTML, _made_by("trafilatura"), None, raw)
    profile = profile or _PROFILES.get(kind, "plain")
    return Extract(text, profile, kind, TEXT, _marked_pages(text) if profile == "pdf" else None, raw)


def media_type_of(name: str) -> str | None:
    """Give the media type that a file's name tells, or None."""
    return _SUFFIXES.get(PurePath(name).suffix.lower())


def upload_uri(name: str) -> str:
    """Give the address of an uploaded file: ``upload://`` and its name."""
    return f"upload://{quote(PurePath(name).name)}"


def page_at(offsets: tuple[int, ...] | list[int] | None, position: int) -> int | None:
    """Give the number of the page, from 1, that a code point stands on; None where there are no pages."""
    return max(1, bisect_right(offsets, position)) if offsets else None


def _check_size(given: str | bytes) -> None:
    size = len(given)
    if isinstance(given, str) and SNAPSHOT_LIMIT // 4 < size <= SNAPSHOT_LIMIT:
        size = len(given.encode("utf-8", "surrogatepass"))
    if size > SNAPSHOT_LIMIT:
        raise LimitError(
            f"the text has {size:,} bytes", code="too_large", hint=f"{SNAPSHOT_LIMIT:,} at most; store a part of it"
        )


def _declared(media_type: str | None) -> tuple[str | None, str | None]:
    """Take a media type apart: its name in lower case, and the charset beside it."""
    if media_type is None:
        return None, None
    name = media_type.partition(";")[0].strip().lower()
    charset = _CHARSET.search(media_type[:300])
    return _ALIASES.get(name, name) or None, charset[1] if charset else None


# -- text --------------------------------------------------------------------------------------------------------------


def _decoded(given: bytes, charset: str | None, kind: str | None) -> str:
    """Decode strictly: by the byte order mark, else by the charset declared, else as UTF-8."""
    for mark, encoding in _BOMS:
        if given.startswith(mark):
            return _decode(given[len(mark) :], encoding)
    page = kind == HTML or (kind is None and _HTML_START.match(given[:4096].decode("latin-1")))
    if charset is None and page and (meta := _META.search(given[:2048])):
        charset = meta[1].decode("ascii", "replace")
    return _decode(given, _encoding(charset or "utf-8"))


def _encoding(charset: str) -> str:
    try:
        name = codecs.lookup(charset).name
    except (LookupError, ValueError):
        name = ""
    name = _AS_READ.get(name, name)
    if not _ENCODINGS.fullmatch(name):
        raise SnapshotRefusedError(
            f"{shown(charset)} is no charset claimbase reads", code="not_text", hint="save it as UTF-8"
        )
    return name


def _decode(given: bytes, encoding: str) -> str:
    try:
        return given.decode(encoding)
    except UnicodeDecodeError as error:
        raise SnapshotRefusedError(
            f"byte {error.start:,} is no {encoding}", code="not_text", hint="declare its charset: text/html; charset=…"
        ) from error


def _whole(text: str) -> str:
    """Refuse what is no text: nothing at all, NUL, half characters, more controls than words."""
    if not text.strip():
        raise SnapshotRefusedError("there is no text in it", code="not_text", hint="None tells of a page that failed")
    if "\x00" in text:
        raise SnapshotRefusedError("it holds NUL bytes", code="not_text", hint="store its text, not the file")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InputError(f"half a character at {error.start:,}", code="bad_char", hint="no lone surrogates") from error
    if len(_CONTROLS.findall(text)) * _CONTROL_SHARE > len(text):
        raise SnapshotRefusedError("it is full of control characters", code="not_text", hint="store its text")
    return text


# -- HTML --------------------------------------------------------------------------------------------------------------

# what the extractor escapes; this rule reads marks by itself, and names are full of underscores
_ESCAPED = re.compile(
    r"(?P<code>^```.*?^```|(?<![\\`])`[^`\n]{0,999}`)|(?P<slashes>\\{0,7})\\(?P<mark>[][*_~`<])"
    r"|(?P<start>^[ \t]{0,99}[0-9]{0,9})\\(?P<block>[#+.)>-])",
    re.MULTILINE | re.DOTALL,
)


def _markdown(html: str) -> str:
    """Extract the text of a page as Markdown that keeps ``<sup>``, ``<sub>`` and struck text."""
    trafilatura = _extra("trafilatura", "html")
    try:
        found = trafilatura.extract(
            html, output_format="markdown", include_formatting=True, include_tables=True, include_comments=False,
            favor_recall=True,
        )  # fmt: skip
    except RecursionError as error:
        raise SnapshotRefusedError("the page is nested too deep", code="not_text", hint="store its text") from error
    if not found or not found.strip():
        raise SnapshotRefusedError("the page holds no text", code="not_text", hint="it may be drawn by a script")
    return _whole(_ESCAPED.sub(_unescaped, found))


def _unescaped(match: re.Match[str]) -> str:
    if match["code"]:
        return match["code"]
    if match["mark"]:
        return "\\" * (len(match["slashes"]) // 2) + match["mark"]
    return match["start"] + match["block"]


# -- PDF ---------------------------------------------------------------------------------------------------------------


def _pdf(given: bytes, raw: str | None) -> Extract:
    pages = _pdf_pages(given)
    text = _PAGE_BREAK.join(pages) if any(map(str.strip, pages)) else None
    offsets = tuple(accumulate((len(page) + len(_PAGE_BREAK) for page in pages[:-1]), initial=0))
    return Extract(text, "pdf", PDF, _made_by("pypdf"), offsets if text else None, raw)


def _marked_pages(text: str) -> tuple[int, ...] | None:
    """Give where pages begin in a text whose pages are parted by form feeds."""
    return (0, *(match.end() for match in re.finditer("\f", text))) if "\f" in text else None


def _pdf_pages(given: bytes) -> list[str]:
    """Give the text of each page; one without text, as of a scan, is empty."""
    pypdf = _extra("pypdf", "pdf")
    from pypdf.errors import PyPdfError

    try:
        reader = pypdf.PdfReader(io.BytesIO(given))
        pages, left = [], SNAPSHOT_LIMIT
        for page in reader.pages:
            pages.append(_clean(page.extract_text()))
            left -= len(pages[-1])
            if left < 0:
                raise LimitError("the pages hold too much text", code="too_large", hint="store a part of them")
    except (*_PDF_TROUBLE, PyPdfError) as error:
        raise SnapshotRefusedError(
            "it cannot be read as a PDF", code="not_text", hint="is it whole, and open?"
        ) from error
    return pages


# what a damaged file raises in the reader
_PDF_TROUBLE = (
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    AttributeError,
    RecursionError,
    OSError,
    NotImplementedError,
)


def _clean(text: str) -> str:
    """Join halves of characters; what a font has no character for is shown as such."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\x00", "\ufffd")


# -- extras ------------------------------------------------------------------------------------------------------------


def _extra(module: str, name: str) -> Any:
    from importlib import import_module

    if not (logger := getLogger(module)).handlers:
        logger.addHandler(NullHandler())  # what they say of a page they cannot read, we say ourselves
    try:
        return import_module(module)
    except ImportError as error:
        raise InputError(
            f"this needs the extra {name}", code="missing_extra", hint=f'pip install "claimbase[{name}]"'
        ) from error


def _made_by(package: str) -> str:
    from importlib.metadata import version

    return f"{package}/{version(package)}"
