"""From the log to the versions: compute F for the touched slots and apply the difference (B1)."""

from __future__ import annotations

from claimbase.store import Write
from claimbase.temporal import LOWEST


def derive(under_way: Write) -> tuple[int, int]:
    """Derive the versions of the slots in ``touched``, retract those that no longer follow, insert the new ones.

    Args:
        under_way: the batch; its transaction holds the temporary table ``touched``.

    Returns:
        How many versions were inserted and retracted.
    """
    transaction, at = under_way.transaction, {"recorded_at": under_way.recorded_at}
    if not transaction.number("derive/any_touched"):
        return 0, 0
    transaction.file("derive/derived", at | {"lowest": LOWEST})
    changed = transaction.number("derive/difference")
    added = transaction.number("derive/append", at) if changed else 0
    if added < changed:
        transaction.file("derive/retract", at)
        transaction.file("derive/retraction", at)
    return added, changed - added
