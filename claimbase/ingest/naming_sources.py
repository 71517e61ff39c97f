"""Which source is meant: an address in any spelling, or an id; what is unknown is answered with what it may begin."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from claimbase.errors import ClaimbaseError, UnknownSourceError, shown
from claimbase.sources import url_key
from claimbase.store import Db, Transaction, Write

_CUT = "…."  # what stands where an address was cut short
_ID = re.compile(r"s_[0-9a-f]{0,64}")


@dataclass(frozen=True, slots=True)
class NamedSource:
    """A source of the base.

    Args:
        number: its number inside.
        source_id: its id, s_ and 12 digits.
        uri, url_key: its address as first given, and in one spelling.
        withdrawn: why it no longer counts as support; None = it does.
    """

    number: int
    source_id: str
    uri: str
    url_key: str
    withdrawn: str | None


def source_named(store: Db | Transaction, source: str, recorded_by: datetime) -> NamedSource:
    """Find a source by its address, in any spelling, or by its id.

    Raises:
        UnknownSourceError: [unknown_source] the base has no such source; the hint and ``details["suggested"]`` name
            those whose address or id begins so.
    """
    if found := find_source(store, source, recorded_by):
        return found
    cut = source.strip().rstrip(_CUT)
    asked = {"name": cut, "address": address_of(cut), "recorded_by": recorded_by}
    near = store.file("queries/sources_near", asked).rows
    begun = [(uri, key) for uri, key, begins in near if begins]
    names = ", ".join(f"{uri} ({key})" for uri, key in begun or [(uri, key) for uri, key, _ in near])
    told = f"it is the beginning of {names}" if begun else f"nearest: {names}"
    raise UnknownSourceError(
        f"the base has no source {shown(source)}", code="unknown_source",
        hint=told if near else "kb.claims() names the source of each claim", suggested=tuple(key for _, key in begun),
    )  # fmt: skip


def find_source(store: Db | Transaction, source: str, recorded_by: datetime) -> NamedSource | None:
    """Find a source as :func:`source_named` does; None where the base has none."""
    asked = {"address": address_of(source), "name": source.strip(), "recorded_by": recorded_by}
    found = store.file("queries/source_named", asked).rows
    return NamedSource(*found[0]) if found else None


def minted(under_way: Write, uri: str) -> NamedSource:
    """Find a source by its address or id, or number it and give it its id; ids are made nowhere else (P8).

    Raises:
        EvidenceError: [bad_url]; LimitError: [too_large].
        UnknownSourceError: [unknown_source] it is an id, or the beginning of one, that the base does not hold.
    """
    if found := find_source(under_way.transaction, uri, under_way.recorded_at):
        return found
    if _ID.fullmatch(uri.strip()):
        return source_named(under_way.transaction, uri, under_way.recorded_at)
    line = {"uri": uri.strip(), "url_key": url_key(uri), "recorded_at": under_way.recorded_at}
    under_way.transaction.file("log/source", line)
    return source_named(under_way.transaction, uri, under_way.recorded_at)


def address_of(source: str) -> str | None:
    """Give the one spelling of an address; None for what is none."""
    try:
        return url_key(source)
    except ClaimbaseError:
        return None
