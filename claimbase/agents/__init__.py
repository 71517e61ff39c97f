"""Function-call tools for language models: their schemas, and one call that answers them. They read; nothing writes."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from claimbase.agents.schemas import SQL_TOOL, TOOLS
    from claimbase.agents.sql_tool import Toolbox
    from claimbase.agents.tools import call

# Loaded on first use: the process that runs a model's SQL needs none of them.
_HOMES = {"SQL_TOOL": "schemas", "TOOLS": "schemas", "Toolbox": "sql_tool", "call": "tools"}

__all__ = ["SQL_TOOL", "TOOLS", "Toolbox", "call"]


def __getattr__(name: str) -> Any:
    """Load a public name from its module on first use."""
    if name not in _HOMES:
        raise AttributeError(f"module 'claimbase.agents' has no attribute {name!r}")
    return getattr(import_module(f"claimbase.agents.{_HOMES[name]}"), name)
