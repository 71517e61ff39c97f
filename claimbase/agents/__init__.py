"""Function-call tools for language models: their schemas, and one call that answers them. They read; nothing writes."""

from claimbase.agents.schemas import TOOLS
from claimbase.agents.tools import call

__all__ = ["TOOLS", "call"]
