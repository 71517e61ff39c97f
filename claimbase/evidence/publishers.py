"""Who publishes a page: a name without its legal form, or the domain that somebody registered."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from claimbase.sources import cluster_key
from claimbase.values import folded

_WORD = re.compile(r"[\w&+]+")
_HOST = re.compile(r"(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}")
_WEB = ("http", "https")


def publisher_key(publisher: str | None, url_key: str) -> str | None:
    """Name the publisher of a page in one spelling; equal keys are one voice (evidence §5).

    "OpenAI, Inc." and "openai" are one name. Where no publisher is named, the registrable domain stands for it, or on
    a host that many share (github.com) the first step of the path.

    Args:
        publisher: as the source names it.
        url_key: the page's address in one spelling.

    Returns:
        ``publisher …`` or ``domain …``; None where neither is known, as for a file.
    """
    named = folded(publisher or "")
    if named and not _HOST.fullmatch(named):
        words = _WORD.findall(named)
        return f"publisher {' '.join(_bare(words))}" if words else None
    domain = _domain(named, "") if named else _page_domain(url_key)
    return domain and f"domain {domain}"


def _bare(words: list[str]) -> list[str]:
    """Leave out the article in front and the legal forms behind, unless nothing else is there."""
    legal, kept = _lists()["legal_forms"], list(words)
    while len(kept) > 1 and kept[-1] in legal:
        kept.pop()
    return kept[1:] if len(kept) > 1 and kept[0] == "the" else kept


def _page_domain(url_key: str) -> str | None:
    parts = urlsplit(cluster_key(url_key))
    return _domain(parts.hostname, parts.path) if parts.hostname and parts.scheme in _WEB else None


def _domain(host: str, path: str) -> str:
    """Give the last two labels of a host, three where the second belongs to nobody: a rule, not the public list."""
    lists, bare = _lists(), host.removeprefix("www.").rstrip(".")
    if bare in lists["shared_hosts"]:
        shared, owner = lists["shared_hosts"][bare], path.strip("/").partition("/")[0]
        return f"{shared}/{owner.casefold()}" if owner else str(shared)
    labels = bare.split(".")
    if len(labels) < 3 or _is_address(bare):
        return bare
    of_country = len(labels[-1]) == 2 and labels[-2] in lists["second_labels"]
    shared_at = next((name for name in lists["shared_domains"] if bare.endswith(f".{name}")), None)
    kept = shared_at.count(".") + 2 if shared_at else 3 if of_country else 2
    return ".".join(labels[-kept:])


def _is_address(host: str) -> bool:
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


@cache
def _lists() -> dict[str, Any]:
    return tomllib.loads(files("claimbase.evidence").joinpath("data/publishers.toml").read_text(encoding="utf-8"))
