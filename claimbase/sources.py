"""The identity of a source: its address in one spelling, its id, and the vocabularies of its attributes."""

from __future__ import annotations

import hashlib
import html
import re
import unicodedata
from ipaddress import IPv6Address
from typing import NoReturn
from urllib.parse import SplitResult, unquote, urlsplit, urlunsplit

from claimbase.errors import ClaimbaseError, EvidenceError, LimitError, shown
from claimbase.present import unseen

SOURCE_TYPES = (
    "official_docs", "model_card", "system_card", "pricing", "deprecation", "benchmark_methodology", "paper", "news",
    "dataset", "structured_api", "upload", "search_snippet", "other",
)  # fmt: skip
# A catalogue without prose: quoted by the literal fragment of its record, never presented as somebody's words.
STRUCTURED_TYPES = ("dataset", "structured_api")
AUTHORITIES = ("subject_authored", "third_party", "aggregator", "self_declared_upload")
AUTHORITY_ALIASES = {"primary": "subject_authored", "secondary": "third_party"}

_LIMIT = 2048
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*", re.ASCII | re.IGNORECASE)
_UNSAFE = re.compile(r"[\x00-\x20\x7f-\x9f]")
_REFUSED_SCHEMES = ("javascript", "data", "vbscript")
_DEFAULT_PORTS = {"http": 80, "https": 443}
# Names that somebody else gave to a thing, kept to the letter: bucket names and file names have a case.
_UNCHANGED = ("upload", "s3", "file")
_KEPT_FRAGMENTS = ("page=", "!", ":~:")
_HOST = re.compile(r"[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63}){0,126}\.?", re.ASCII)
_DOTS = str.maketrans("\u3002\uff0e\uff61", "...")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})", re.ASCII)
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


def url_key(url: str) -> str:
    """Give the one spelling of an address that decides which source it is (evidence §4.3).

    Scheme and host in lower case, the host in ASCII; no default port, no dot segments, no needless escapes, no fragment
    unless it names a page, a route or a text; the path keeps its case and the query its order. ``upload://``, ``s3://``
    and ``file://`` are kept to the letter.

    Raises:
        EvidenceError: [bad_url] credentials, control characters, no scheme, no host, or a scheme that is no place.
        LimitError: [too_large] longer than 2,048 characters.
    """
    if len(url) > _LIMIT:
        raise LimitError(f"the url has {len(url)} characters", code="too_large", hint=f"{_LIMIT} at most")
    text = url.strip()
    if _UNSAFE.search(text) or any(map(unseen, text)):
        _refuse(text, "holds a blank or a character that cannot be seen")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise EvidenceError("the url cannot be read", code="bad_url", hint="https://host/path") from error
    scheme = parts.scheme.lower()
    # user:word@host/path reads as an address of the scheme "user"
    if "@" in (parts.netloc or parts.path.partition("/")[0]):
        raise EvidenceError("the url holds credentials", code="bad_url", hint="leave them out; they are never stored")
    if not _SCHEME.fullmatch(scheme) or scheme in _REFUSED_SCHEMES or not (parts.netloc or parts.path):
        _refuse(text, "is no address")
    if scheme in _UNCHANGED:
        return scheme + text[len(scheme) :]
    return urlunsplit((scheme, *_place(text, parts, port), parts.query and _unescaped(parts.query), _fragment(parts)))


def _refuse(text: str, what: str) -> NoReturn:
    """Refuse an address; one that may hold credentials is not repeated."""
    told = "the url" if "@" in unquote(text) else f"the url {shown(text)}"
    raise EvidenceError(f"{told} {what}", code="bad_url", hint="https://host/path")


def _place(text: str, parts: SplitResult, port: int | None) -> tuple[str, str]:
    """Give host, with the port that is not the scheme's own, and path; other schemes' paths keep their dots."""
    own = _DEFAULT_PORTS.get(parts.scheme.lower())
    host = _host(text, parts.netloc, web=own is not None)
    if not host and (parts.netloc or parts.path.startswith("//")):
        _refuse(text, "names no host")  # written again, its path would begin with one
    path = _without_dots(_unescaped(parts.path)) if parts.netloc else _unescaped(parts.path)
    return f"{host}:{port}" if port not in (None, own) else host, path or ("/" if own else "")


def _host(text: str, place: str, *, web: bool) -> str:
    """Write a host in lower case and ASCII (IDNA, without the mappings that make two names one)."""
    if place.startswith("["):
        try:
            return f"[{IPv6Address(place[1:].partition(']')[0]).compressed}]"
        except ValueError:
            _refuse(text, "names no host")
    host = unquote(place.partition(":")[0]) if web else place.partition(":")[0]
    if not host.isprintable():
        _refuse(text, "holds a character that cannot be seen")
    named = unicodedata.normalize("NFKC", host.translate(_DOTS))
    # letter by letter: lower() of a word makes a last sigma of its own
    lower = unicodedata.normalize("NFC", "".join(letter.lower() for letter in named))
    ascii_name = ".".join(_label(label) for label in lower.split("."))
    if web and not _HOST.fullmatch(ascii_name):
        _refuse(text, "names no host")
    return ascii_name


def _label(label: str) -> str:
    return label if label.isascii() else "xn--" + label.encode("punycode").decode("ascii")


def _unescaped(text: str) -> str:
    """Decode escapes of characters that need none, write all others alike, and escape what is not ASCII."""
    written = text if text.isascii() else "".join(c if c.isascii() else _escaped(c) for c in text)
    return _ESCAPE.sub(_decoded, written)


def _escaped(letter: str) -> str:
    return "".join(f"%{byte:02X}" for byte in letter.encode())


def _decoded(match: re.Match[str]) -> str:
    byte = int(match[1], 16)
    return chr(byte) if byte in _UNRESERVED else match[0].upper()


def _without_dots(path: str) -> str:
    """Resolve the steps ``.`` and ``..`` of a path that begins with a slash."""
    kept: list[str] = []
    steps = path.split("/")
    for step in steps:
        if step == "..":
            if len(kept) > 1:
                kept.pop()
        elif step != ".":
            kept.append(step)
    if steps[-1] in (".", ".."):
        kept.append("")
    return "/".join(kept)


def _fragment(parts: SplitResult) -> str:
    return parts.fragment if parts.fragment.startswith(_KEPT_FRAGMENTS) else ""


def source_key(key: str) -> str:
    """Give a source's id: ``s_`` and the first 12 digits of the digest of its url_key."""
    return "s_" + hashlib.sha1(key.encode(), usedforsecurity=False).hexdigest()[:12]


def source_type(text: str | None) -> str:
    """Check a source type; none given is "other".

    Raises:
        EvidenceError: [unknown_source_type] it is not one of SOURCE_TYPES.
    """
    name = text or "other"
    if name not in SOURCE_TYPES:
        raise EvidenceError(
            f"{shown(name)} is no source type", code="unknown_source_type", hint=f"one of {', '.join(SOURCE_TYPES)}"
        )
    return name


def authority(text: str | None) -> str:
    """Check who speaks: one of AUTHORITIES, "primary" or "secondary"; none given is "third_party".

    Raises:
        EvidenceError: [unknown_authority] anything else.
    """
    given: object = text or "third_party"  # whatever a caller passes, also what no mapping can look up
    name = AUTHORITY_ALIASES.get(given, given) if isinstance(given, str) else ""
    if name not in AUTHORITIES:
        known = (*AUTHORITIES, *AUTHORITY_ALIASES)
        raise EvidenceError(
            f"{shown(given)} is no authority", code="unknown_authority", hint=f"one of {', '.join(known)}"
        )
    return name


# -- voices -----------------------------------------------------------------------------------------------------------

_TRACKING = re.compile(r"(?:utm_|mc_).*|gclid|fbclid|msclkid|_gl", re.IGNORECASE)
_SIDES = ("www.", "m.", "amp.")
_ARCHIVES = ("web.archive.org", "archive.org", "archive.today", "archive.ph", "archive.is", "archive.li", "archive.vn")
_ARCHIVED = re.compile(
    r"/(?:web/)?(?:(?:[0-9]{4,14}[a-z_]{0,4}|newest)/(?P<dated>.+)|(?P<bare>https?:/.+))", re.IGNORECASE
)
_SCHEMED = re.compile(r"(https?):/+", re.IGNORECASE)


def cluster_key(key: str) -> str:
    """Give what addresses of one page have in common, so that they are one voice (evidence §4.3).

    As :func:`url_key`, and http for https, no ``www.``, ``m.`` or ``amp.`` in front, no slash at the end, no tracking
    parameters, the query sorted, no page or text of the document named, no web archive around it.

    Args:
        key: an address as :func:`url_key` gives it.
    """
    parts = urlsplit(_unwrapped(key))
    if parts.scheme not in _DEFAULT_PORTS:
        return key
    host = parts.netloc
    while side := next((one for one in _SIDES if host.startswith(one) and "." in host[len(one) :]), ""):
        host = host[len(side) :]
    pairs = sorted(
        pair for pair in parts.query.split("&") if pair and not _TRACKING.fullmatch(unquote(pair.partition("=")[0]))
    )
    route = parts.fragment if parts.fragment.startswith("!") else ""
    return urlunsplit(("http", host, parts.path.rstrip("/"), "&".join(pairs), route))


def _unwrapped(key: str) -> str:
    """Take the web archive off an address, however often it is wrapped."""
    while page := _archived(key):
        try:
            key = url_key(page)
        except ClaimbaseError:
            return key
    return key


def _archived(key: str) -> str | None:
    """Give the address that an archive's address holds, or None."""
    parts = urlsplit(key)
    if parts.netloc.removeprefix("www.") not in _ARCHIVES:
        return None
    match = _ARCHIVED.fullmatch(parts.path + (f"?{parts.query}" if parts.query else ""))
    page = match and (match["dated"] or match["bare"])
    # archives fold the two slashes of an address into one, or leave out its scheme
    return page and (_SCHEMED.sub(r"\1://", page, count=1) if _SCHEMED.match(page) else f"http://{page}")


# -- publications -----------------------------------------------------------------------------------------------------

_DOI = re.compile(r"(?<![0-9.])10\.[0-9]{4,9}(?:\.[0-9]{1,9}){0,4}/[!-~]{1,300}", re.ASCII)
# what ends one; the angle brackets of old ones hold a number, those of markup a name
_DOI_ENDS = re.compile(r"[^!-~]|[\"\\^`{}|?#]|&[\w.-]{1,64}=|<(?![0-9])", re.ASCII)
_OPENERS = {")": "(", "]": "[", ">": "<"}


def doi_key(text: str) -> str | None:
    """Find the first DOI in a text and give its one spelling; None where there is none (evidence §4.3).

    Lower case; a closing bracket that nothing opened ends it; punctuation behind it and a query are cut.
    ``https://doi.org/10.1016/S0140-6736(97)11096-0.`` is ``10.1016/s0140-6736(97)11096-0``.

    Args:
        text: an address, ``doi:…``, or prose.
    """
    found = _DOI.search(re.sub(r"%2[Ff]", "/", text))
    if found is None:
        return None
    whole = html.unescape(unquote(found[0]))
    prefix, _, suffix = whole.partition("/")
    if end := _DOI_ENDS.search(suffix):
        suffix = suffix[: end.start()]
    kept = _balanced(suffix).rstrip(".,;:!'*_/")
    return f"{prefix}/{kept.lower()}" if kept else None


def _balanced(text: str) -> str:
    """Cut a text before the first bracket that is closed without being opened, or opened without being closed."""
    opened: list[int] = []
    for at, letter in enumerate(text):
        if letter in _OPENERS.values():
            opened.append(at)
        elif letter in _OPENERS:
            if not opened or text[opened[-1]] != _OPENERS[letter]:
                return text[: min([at, *opened])]
            opened.pop()
    return text[: opened[0]] if opened else text
