"""An explanation as text for people: each constraint with its verdict, the reason, and the claims that say so."""

from __future__ import annotations

from claimbase.present.page import Page
from claimbase.present.tables import STYLES, basis, citation, more
from claimbase.present.words import Data

_SAYS = (
    ("yes", "says yes"), ("no", "says no"), ("maybe", "says maybe"), ("absence", "says there is none"),
    ("nothing", "says nothing to it"),
)  # fmt: skip
_SHOWN = 5


def explanation(page: Page, data: Data) -> None:
    """Show why a subject is in an answer or not, constraint by constraint (Q1, Q3)."""
    page.head(data["summary"])
    for one in data["constraints"]:
        _because(page, one, indent=2)
    basis(page, data["basis"])


def _because(page: Page, data: Data, *, indent: int) -> None:
    verdict = (data["verdict"] or "not asked").replace("_", " ")
    page.line(f"{data['constraint']}: {verdict}", indent=indent, style=STYLES.get(data["verdict"], ""))
    if data["members"]:
        for member in data["members"]:
            _because(page, member, indent=indent + 2)
    else:
        page.line(data["reason"], indent=indent + 2)
    if data["nearest"]:
        page.line(data["nearest"]["words"], indent=indent + 2)
    for name, title in _SAYS:
        claims = data[name]
        if claims:
            page.line(f"{title} ({len(claims)})", indent=indent + 2, style="dim")
        for one in claims[:_SHOWN]:
            citation(page, one, indent=indent + 4)
        more(page, len(claims) - _SHOWN, indent=indent + 4)
