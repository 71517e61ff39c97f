"""Keeping watches: their rows read back and appended; nothing of them is ever changed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from claimbase.claims import claim_id, claim_number
from claimbase.constraints import format_constraint
from claimbase.store import Db, Write
from claimbase.temporal import iso
from claimbase.watches.bundle import Bundle, Watch, read_bundle
from claimbase.watches.changes import Standing
from claimbase.watches.evaluating import Evaluation, Step
from claimbase.watches.outbox import Event


@dataclass(frozen=True, slots=True)
class Kept:
    """A watch as it is stored: its number, its bundle, and what is shown of it."""

    number: int
    bundle: Bundle
    watch: Watch

    @property
    def name(self) -> str:
        """What it is called."""
        return self.watch.name


def kept(db: Db) -> list[Kept]:
    """Read the watches that go on, by name."""
    return [_kept(row) for row in db.file("queries/watches").dicts()]


def _kept(row: dict[str, Any]) -> Kept:
    bundle = read_bundle(row["bundle"])
    shown = ("name", "made_at", "next_change_at", "next_stale_at", "eligible", "disputed", "stale")
    watch = Watch(
        words=" and ".join(map(format_constraint, bundle.constraints)),
        constraints=tuple(bundle.saved), options=bundle.options,
        evaluated_at=row["valid_at"], **{name: row[name] for name in shown},
    )  # fmt: skip
    return Kept(row["watch_id"], bundle, watch)


def last_evaluation(db: Db, one: Kept) -> Evaluation:
    """Read how the subjects of a watch stood when it was last answered."""
    standings = {
        (provider, subject): Standing(eligible, disputed, *map(_ids, claims))
        for provider, subject, eligible, disputed, *claims in db.file("queries/watch_state", {"watch_id": one.number})
    }
    return Evaluation(one.watch.evaluated_at, standings, one.watch.next_change_at, one.watch.next_stale_at)


def _ids(numbers: Sequence[int]) -> frozenset[str]:
    return frozenset(claim_id(number) for number in numbers)


def _numbers(ids: Iterable[str]) -> list[int]:
    return sorted(map(claim_number, ids))


def keep_watch(under_way: Write, name: str, bundle: Bundle, number: int | None = None) -> int:
    """Append a new watch, or with a number the end of one, and give its number."""
    if number is None:
        ((greatest, _, _),) = under_way.transaction.file("queries/watch_numbers").rows
    watch_id: int = greatest + 1 if number is None else number
    row = {
        "watch_id": watch_id, "name": name, "bundle": bundle.text(),
        "stopped": number is not None, "recorded_at": under_way.recorded_at,
    }  # fmt: skip
    under_way.transaction.file("log/watch", row)
    return watch_id


def keep_steps(under_way: Write, number: int, name: str, steps: Sequence[Step]) -> list[Event]:
    """Append evaluations with the standings and events they brought; give the events with their numbers."""
    ((_, evaluation_no, event_no),) = under_way.transaction.file("queries/watch_numbers").rows
    evaluations, states, events = [], [], []
    for evaluation_id, step in enumerate(steps, evaluation_no + 1):
        evaluations.append({"evaluation_id": evaluation_id} | _evaluation_row(step.evaluation))
        states += [{"evaluation_id": evaluation_id} | _state_row(*pair) for pair in step.moved.items()]
        for (provider, subject), change in step.events:
            event_no += 1
            events.append((evaluation_id, Event(
                event_no, name, change.event, step.evaluation.at, provider, subject, change.because, change.detail,
                under_way.recorded_at,
            )))  # fmt: skip
    about = {"watch_id": number, "recorded_at": under_way.recorded_at}
    rows = [{"evaluation_id": place} | _event_row(event) for place, event in events]
    for statement, several in (
        ("log/watch_evaluations", evaluations), ("log/watch_states", states), ("log/watch_events", rows)
    ):  # fmt: skip
        if several:
            under_way.transaction.file(statement, about | {"rows": json.dumps(several)})
    return [event for _, event in events]


def _evaluation_row(one: Evaluation) -> dict[str, Any]:
    standings = one.standings.values()
    return {
        **dict.fromkeys(("valid_at", "observed_by", "recorded_by"), iso(one.at)),
        "batch_id": one.batch, "vocabulary": one.vocabulary,
        "next_change_at": _text(one.next_change_at), "next_stale_at": _text(one.next_stale_at),
        "eligible": sum(standing.eligible for standing in standings),
        "disputed": sum(standing.disputed for standing in standings),
        "stale": sum(bool(standing.stale) for standing in standings),
    }  # fmt: skip


def _text(moment: datetime | None) -> str | None:
    return None if moment is None else iso(moment)


def _state_row(key: tuple[str, str], one: Standing) -> dict[str, Any]:
    return {
        "provider": key[0], "subject": key[1], "eligible": one.eligible, "disputed": one.disputed,
        "supporting": _numbers(one.supporting), "disputing": _numbers(one.disputing), "stale": _numbers(one.stale),
    }  # fmt: skip


def _event_row(one: Event) -> dict[str, Any]:
    return {
        "event_no": one.number, "event": one.event, "provider": one.provider, "subject": one.subject,
        "because": _numbers(one.because), "detail": one.detail,
    }  # fmt: skip
