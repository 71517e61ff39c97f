"""claimbase: a base of dated claims, each with its quote and source, that answers questions as of any instant."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from claimbase.asking import Asked
    from claimbase.base import Claimbase, check, demo, import_folder, migrate, recover, restore
    from claimbase.base import open as open  # noqa: A004 - cb.open() is the name a reader expects
    from claimbase.claims import Claim, Source
    from claimbase.constraints import AllOf, AnyOf, Constraint, NoneOf, ValueOf
    from claimbase.errors import ClaimbaseError, HeadMissingWarning
    from claimbase.temporal import AsOf, FixedClock, Interval, SystemClock
    from claimbase.vocabulary import Pack, Predicate, load_pack

_HOMES = {
    "AllOf": "constraints", "AnyOf": "constraints", "AsOf": "temporal", "Asked": "asking", "Claim": "claims",
    "Claimbase": "base", "ClaimbaseError": "errors", "Constraint": "constraints", "FixedClock": "temporal",
    "HeadMissingWarning": "errors", "Interval": "temporal", "NoneOf": "constraints", "Pack": "vocabulary",
    "Predicate": "vocabulary", "Source": "claims", "SystemClock": "temporal", "ValueOf": "constraints", "check": "base",
    "demo": "base", "import_folder": "base", "load_pack": "vocabulary", "migrate": "base", "open": "base",
    "recover": "base", "restore": "base",
}  # fmt: skip

__all__ = [
    "AllOf", "AnyOf", "AsOf", "Asked", "Claim", "Claimbase", "ClaimbaseError", "Constraint", "FixedClock",
    "HeadMissingWarning", "Interval", "NoneOf", "Pack", "Predicate", "Source", "SystemClock", "ValueOf", "check",
    "demo", "import_folder", "load_pack", "migrate", "open", "recover", "restore",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Load a public name from its room on first use."""
    if name not in _HOMES:
        raise AttributeError(f"module 'claimbase' has no attribute {name!r}")
    return getattr(import_module(f"claimbase.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
