"""SQL of others: the one gate before every SELECT that claimbase did not write, a person's or a model's (G14)."""

from claimbase.selects.gate import check, check_text, depth
from claimbase.selects.parsed import DEEPEST, LONGEST, check_select

__all__ = ["DEEPEST", "LONGEST", "check", "check_select", "check_text", "depth"]
