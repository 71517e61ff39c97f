"""The identity of a source: its address in one spelling, its id, and the vocabularies of its attributes."""

from __future__ import annotations

import hashlib
import re
from urllib.parse import urlsplit, urlunsplit

from claimbase.errors import EvidenceError, LimitError, shown

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
_UNSAFE = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_REFUSED_SCHEMES = ("javascript", "data", "vbscript")
_DEFAULT_PORTS = {"http": 80, "https": 443}


def url_key(url: str) -> str:
    """Give the one spelling of an address that decides which source it is (evidence §4.3).

    Scheme and host in lower case, no default port, no fragment unless it names a page; the path keeps its case.

    Raises:
        EvidenceError: [bad_url] credentials, control characters, no scheme, or a scheme that is no place.
        LimitError: [too_large] longer than 2,048 characters.
    """
    if len(url) > _LIMIT:
        raise LimitError(f"the url has {len(url)} characters", code="too_large", hint=f"{_LIMIT} at most")
    text = url.strip()
    if _UNSAFE.search(text):
        raise EvidenceError(f"the url {shown(url)} holds a blank or control character", code="bad_url")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise EvidenceError("the url cannot be read", code="bad_url", hint="https://host/path") from error
    if "@" in parts.netloc:
        raise EvidenceError("the url holds credentials", code="bad_url", hint="leave them out; they are never stored")
    scheme = parts.scheme.lower()
    if not _SCHEME.fullmatch(scheme) or scheme in _REFUSED_SCHEMES or not (parts.netloc or parts.path):
        raise EvidenceError(f"{shown(url)} is no address", code="bad_url", hint="https://host/path")
    host = (parts.hostname or "") + (f":{port}" if port and port != _DEFAULT_PORTS.get(scheme) else "")
    fragment = parts.fragment if parts.fragment.startswith(("page=", "!", ":~:")) else ""
    path = parts.path or ("/" if scheme in _DEFAULT_PORTS else "")
    return urlunsplit((scheme, host, path, parts.query, fragment))


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
    name = AUTHORITY_ALIASES.get(text or "", text or "third_party")
    if name not in AUTHORITIES:
        known = (*AUTHORITIES, *AUTHORITY_ALIASES)
        raise EvidenceError(
            f"{shown(name)} is no authority", code="unknown_authority", hint=f"one of {', '.join(known)}"
        )
    return name
