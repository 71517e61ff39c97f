"""The folders that ship with the package: `sql` and `seeds`.

In a checkout they stand at the top, beside `claimbase/`; in an installed package they lie inside it.
"""

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path


def folder(name: str) -> Traversable:
    """Find a shipped folder by its name.

    Args:
        name: a folder at the top of the checkout, `"sql"` or `"seeds"`.

    Returns:
        The folder inside an installed package, zipped or not; the one beside the package in a checkout.
    """
    installed = files("claimbase") / name
    return installed if installed.is_dir() else Path(__file__).parents[1] / name
