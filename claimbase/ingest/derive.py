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
    if not transaction.file("derive/any_touched").rows[0][0]:
        return 0, 0
    transaction.file("derive/derived", at | {"lowest": LOWEST})
    transaction.file("derive/versions")
    transaction.file("derive/obsolete")
    transaction.file("derive/retract", at)
    transaction.file("derive/retraction", at)
    added = transaction.file("derive/append", at).rows[0][0]
    retracted = transaction.file("derive/obsolete_count").rows[0][0]
    return int(added), int(retracted)
