"""Which subject a name means, and what helps where it means none: the nearest names."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from claimbase.errors import InputError, shown
from claimbase.present import harmless
from claimbase.store import Db
from claimbase.temporal import Basis
from claimbase.values import folded


class Meant(NamedTuple):
    """The subject a name means.

    Args:
        number: its canonical number.
        provider, name: as they stand at the basis.
        recorded_at: when it was first recorded.
    """

    number: int
    provider: str
    name: str
    recorded_at: datetime


def meant(db: Db, basis: Basis, subject: str, provider: str | None) -> Meant:
    """Find the one subject a name means at the basis (P2).

    Raises:
        InputError: [unknown_subject] nothing was ever called so; [ambiguous_subject] several subjects are.
    """
    found = _called(db, basis, subject, provider)
    if len(found) == 1:
        return found[0]
    if found:
        raise InputError(
            f"{len(found)} subjects are called {shown(subject)}", code="ambiguous_subject",
            hint=f"name the provider: {harmless(', '.join(one.provider for one in found))}",
        )  # fmt: skip
    near = nearest(db, subject)
    raise InputError(
        f"the base has no subject {shown(subject)}{f' of {shown(provider)}' if provider else ''}",
        code="unknown_subject", hint=f"nearest: {', '.join(near)}" if near else "kb.claims() lists what it holds",
    )  # fmt: skip


def instead(db: Db, basis: Basis, subject: str, provider: str | None) -> tuple[str, ...]:
    """Name the nearest subjects where a result is empty because nothing was ever called so.

    A result of an earlier base stays what it was: it names none, since they may have come later.
    """
    told = basis.recorded_by >= basis.now and not _called(db, basis, subject, provider)
    return nearest(db, subject) if told else ()


def nearest(db: Db, subject: str) -> tuple[str, ...]:
    """Give the subjects whose names are spelled nearest to one, the nearest first, at most three."""
    found = db.file("queries/subjects_near", {"name": folded(subject)})
    return tuple(harmless(f"{name} ({provider})") for provider, name in found)


def _called(db: Db, basis: Basis, subject: str, provider: str | None) -> list[Meant]:
    asked = {"name": subject, "provider": provider, "recorded_by": basis.recorded_by}
    return [Meant(*row) for row in db.file("queries/subject_meant", asked)]
