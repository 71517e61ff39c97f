"""The front door: one object that opens a base and delegates every question to the room that answers it."""

from claimbase.base.holding import check, recover
from claimbase.base.keeping import import_folder, migrate, restore
from claimbase.base.opening import demo, open, shipped_packs  # noqa: A004 - cb.open() is the name a reader expects
from claimbase.base.reading import ConstraintInput
from claimbase.base.writing import Claimbase, Records

__all__ = [
    "Claimbase", "ConstraintInput", "Records", "check", "demo", "import_folder", "migrate", "open", "recover",
    "restore", "shipped_packs",
]  # fmt: skip
