"""The stores the cases can be put to, by name; each is imported when it is asked for."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from ..adapter import Adapter

ADAPTERS: dict[str, tuple[str, str]] = {
    "claimbase": ("claimbase", "Ours"),
    "article": ("article", "Article"),
    "latest": ("latest", "Latest"),
    "postgres": ("postgres", "Postgres"),
    "operon": ("operon", "Operon"),
}


@cache
def adapter(name: str) -> Adapter:
    """Give the adapter of a name."""
    module, made = ADAPTERS[name]
    return getattr(import_module(f".{module}", __package__), made)()
