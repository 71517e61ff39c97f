"""Writing a receipt in one of its forms; what a source wrote stays text in every one of them (P12, M6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from claimbase.errors import InputError, shown
from claimbase.present import json_text
from claimbase.receipts.forms.annotation import collection
from claimbase.receipts.forms.intoto import statement
from claimbase.receipts.forms.markdown import markdown
from claimbase.receipts.forms.prov import prov
from claimbase.receipts.forms.table import table
from claimbase.receipts.forms.web import web_page
from claimbase.receipts.model import Receipt
from claimbase.receipts.packet import packet

FORMS: Mapping[str, Callable[[Receipt], str]] = {
    "json": lambda receipt: json_text(receipt.to_json()) + "\n",
    "md": markdown,
    "html": web_page,
    "csv": table,
    "packet": lambda receipt: json_text(packet(receipt)) + "\n",
    "prov": lambda receipt: json_text(prov(receipt)) + "\n",
    "annotation": lambda receipt: json_text(collection(receipt)) + "\n",
    "intoto": lambda receipt: json_text(statement(receipt)) + "\n",
}
"""Each form and what writes it; the one called json can be loaded again."""


def export(receipt: Receipt, form: str = "json") -> str:
    """Write a receipt in a form.

    Args:
        receipt: the receipt; nothing else is needed.
        form: one of FORMS.

    Raises:
        InputError: [unknown_format].
    """
    if form not in FORMS:
        raise InputError(f"{shown(form)} is no form of a receipt", code="unknown_format", hint=", ".join(FORMS))
    return FORMS[form](receipt)
