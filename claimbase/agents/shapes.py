"""Results as a model reads them: typed fields outside, the words of sources inside a fence, long lists cut (M2, M3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from claimbase.agents.untrusted import Fence

Result = dict[str, Any]
Data = Mapping[str, Any]

LISTED = 50
"""The most members of a list in a result."""
SUBJECTS_MOST = 100
"""The most subjects of a result, and the most segments of a history."""

_BUCKETS = ("eligible", "disputed", "possible", "near_misses")
_SAYS = ("yes", "no", "maybe", "absence", "nothing")


def answered(fence: Fence, data: Data) -> Result:
    """Give an answer: its subjects by bucket, the claims behind them, freshness and plan."""
    subjects = {
        name: fence.listed(name, data[name], SUBJECTS_MOST if name == "eligible" else LISTED) for name in _BUCKETS
    }
    return {
        **{name: data[name] for name in ("summary", "counts", "constraints", "basis", "policy")},
        "notes": fence.untrusted(texts=data["notes"]),
        **{name: [_subject(fence, one) for one in ones] for name, ones in subjects.items()},
        "claims": fence.claims([*_ranked([one for ones in subjects.values() for one in ones]), *data["operands"]]),
        "freshness": {name: data["freshness"][name] for name in ("at", "newest", "oldest", "stale", "by_predicate")},
        "plan": _plan(data),
    }  # fmt: skip


def _plan(data: Data) -> list[Result]:
    return [{name: one[name] for name in ("name", "title", "rows")} for one in data["plan"]]


def _subject(fence: Fence, data: Data) -> Result:
    verdicts = [
        {
            "constraint": number, "verdict": one["verdict"], "reason": one["reason"],
            "claims": fence.ids(cited for cited in data["citations"] if cited["constraint"] == number),
            "source": fence.untrusted(**{name: one[name] or None for name in ("value", "scopes", "mentioned")}),
        }
        for number, one in enumerate(data["verdicts"])
    ]  # fmt: skip
    return {"verdicts": verdicts, "source": fence.untrusted(subject=data["subject"], provider=data["provider"])}


def _ranked(subjects: Sequence[Data]) -> Iterator[Data]:
    """Give first one claim for every verdict of every subject, then a second, and so on, in the order of the answer."""
    rows = [
        sorted((cited for cited in one["citations"] if cited["constraint"] == number), key=_weight)
        for one in subjects
        for number in range(len(one["verdicts"]))
    ]
    rows += [[cited for cited in one["citations"] if cited["constraint"] is None] for one in subjects]
    for place in range(max(map(len, rows), default=0)):
        yield from (row[place] for row in rows if place < len(row))


def _weight(cited: Data) -> tuple[bool, bool]:
    return cited["role"] not in ("yes", "no", "maybe", "absence"), not cited["certain"]


def reading(fence: Fence, data: Data) -> Result:
    """Give how a question in words was read; its words are the asker's, and names in them a source's."""
    names = ("understood", "not_understood", "suggestions", "constraints")
    return fence.untrusted(**{name: fence.listed("pieces", data[name], LISTED) for name in names if data.get(name)})


# -- explain ---------------------------------------------------------------------------------------------------------


def explained(fence: Fence, data: Data) -> Result:
    """Give why a subject is in an answer or not."""
    claims = [part[says] for part in _parts(data["constraints"]) for says in _SAYS]
    return {
        "bucket": data["bucket"], "eligible": data["eligible"], "basis": data["basis"],
        "constraints": [_because(fence, one) for one in data["constraints"]], "claims": fence.claims(_in_turn(claims)),
        "source": fence.untrusted(**{name: data[name] for name in ("summary", "subject", "provider")}),
    }  # fmt: skip


def _because(fence: Fence, data: Data) -> Result:
    """Give one verdict with its claims by what they say; the reason holds words of sources."""
    return {
        "verdict": data["verdict"], "nearest": data["nearest"],
        **{says: fence.ids(data[says]) for says in _SAYS if data[says]},
        "members": [_because(fence, one) for one in data["members"]],
        "source": fence.untrusted(constraint=data["constraint"], reason=data["reason"]),
    }  # fmt: skip


def _parts(constraints: Sequence[Data]) -> Iterator[Data]:
    for one in constraints:
        yield one
        yield from _parts(one["members"])


# -- over time -------------------------------------------------------------------------------------------------------


def when(fence: Fence, data: Data) -> Result:
    """Give when constraints hold, subject by subject."""
    subjects = fence.listed("subjects", data["subjects"], SUBJECTS_MOST)
    grounds = [segment["grounds"] for one in subjects for segment in one["segments"]]
    names = ("summary", "constraints", "basis", "window", "extent", "total", "next_change_at", "next_stale_at")
    return {
        **{name: data[name] for name in names},
        "notes": fence.untrusted(texts=data["notes"]),
        "subjects": [_segments(fence, one) for one in subjects],
        "claims": fence.claims([*_in_turn([sorted(ones, key=_weight) for ones in grounds]), *data["operands"]]),
        "plan": _plan(data),
    }  # fmt: skip


def _segments(fence: Fence, data: Data) -> Result:
    segments = [
        {"certainty": one["certainty"], "interval": one["interval"], "claims": fence.ids(one["grounds"])}
        for one in fence.listed("segments", data["segments"], LISTED)
    ]
    holds = {"holds": data["holds"]} if "holds" in data else {}
    source = fence.untrusted(subject=data["subject"], provider=data["provider"])
    return holds | {"segments": segments, "gaps": list(fence.listed("gaps", data["gaps"], LISTED)), "source": source}


def history(fence: Fence, data: Data) -> Result:
    """Give how values went, with gaps and what was erased; the nearest names where nothing is called so."""
    segments = fence.listed("segments", data["segments"], SUBJECTS_MOST)
    typed = (
        "predicate", "unit", "polarity", "status", "doubt", "unconfirmed_since", "certain", "possible", "open_end",
        "voices", "became",
    )  # fmt: skip
    return {
        "counts": data["counts"], "basis": data["basis"],
        "segments": [
            {name: one[name] for name in typed}
            | {"claims": fence.ids(one["claims"]), "source": _said(fence, one, value=one["value"])}
            for one in segments
        ],
        "gaps": [
            {"predicate": one["predicate"], "stretch": one["stretch"], "source": _said(fence, one)}
            for one in fence.listed("gaps", data["gaps"], LISTED)
        ],
        "erased": [
            {"claim_id": one["claim_id"], "predicate": one["predicate"], "erased_at": one["erased_at"],
             "source": _said(fence, one, reason=one["reason"])}
            for one in fence.listed("erased", data["tombstones"], LISTED)
        ],
        "claims": fence.claims(_in_turn([one["claims"] for one in segments])),
        "source": fence.untrusted(nearest=data["nearest"] or None),
    }  # fmt: skip


def _said(fence: Fence, slot: Data, **more: Any) -> Result:
    """Give the names of a slot, which its sources chose."""
    return fence.untrusted(provider=slot["provider"], subject=slot["subject"], scope=slot["scope"] or None, **more)


def _in_turn(rows: Sequence[Sequence[Data]]) -> Iterator[Data]:
    for place in range(max(map(len, rows), default=0)):
        yield from (row[place] for row in rows if place < len(row))


def contradictions(fence: Fence, data: Data) -> Result:
    """Give the disputed slots with every side."""
    cards = fence.listed("slots", data["cards"], LISTED)
    return {
        "counts": data["counts"], "information": data["information"], "window": data["window"], "basis": data["basis"],
        "slots": [_card(fence, card) for card in cards],
        "claims": fence.claims(_in_turn([side["claims"] for card in cards for side in card["sides"]])),
    }  # fmt: skip


def _card(fence: Fence, card: Data) -> Result:
    sides = [
        {
            "unit": side["unit"], "polarity": side["polarity"], "voices": side["voices"],
            "claims": fence.ids(side["claims"]),
            "source": fence.untrusted(value=side["value"]),
        }
        for side in fence.listed("sides", card["sides"], LISTED)
    ]  # fmt: skip
    return {
        "predicate": card["predicate"], "disputed": list(fence.listed("disputed", card["disputed"], LISTED)),
        "counts": card["counts"], "sides": sides, "source": _said(fence, card),
    }  # fmt: skip


def freshness(fence: Fence, data: Data) -> Result:
    """Give ages by predicate, and the claims that are stale."""
    typed = ("claim_id", "predicate", "last_seen", "stale_after")
    return {
        **{name: data[name] for name in ("summary", "newest", "oldest", "stale", "next_stale_at", "basis")},
        "claims_active": data["claims"], "predicates": data["predicates"],
        "stale_claims": [
            {name: one[name] for name in typed} | {"source": _said(fence, one, url=one["url"])}
            for one in fence.listed("stale_claims", data["stale_claims"], 20)
        ],
    }  # fmt: skip


def differences(fence: Fence, data: Data) -> Result:
    """Give what differs between two bases."""
    changes = fence.listed("changes", data["changes"], LISTED)
    held = [one["claims"] for change in changes for side in ("after", "before") for one in change[side]]
    return {
        **{name: data[name] for name in ("summary", "axis", "axes_moved", "counts", "a", "b")},
        "changes": [_change(fence, one) for one in changes], "claims": fence.claims(_in_turn(held)),
    }  # fmt: skip


def _change(fence: Fence, data: Data) -> Result:
    values = {
        side: [
            {"unit": one["unit"], "polarity": one["polarity"], "certainty": one["certainty"],
             "claims": fence.ids(one["claims"]), "source": fence.untrusted(value=one["value"])}
            for one in fence.listed("values", data[side], LISTED)
        ]
        for side in ("before", "after")
    }  # fmt: skip
    typed = {name: data[name] for name in ("axis", "label", "predicate", "became")}
    erased = [{"claim_id": one["claim_id"], "source": fence.untrusted(reason=one["reason"])}
              for one in fence.listed("erased", data["tombstones"], LISTED)]  # fmt: skip
    return typed | values | {"erased": erased, "source": _said(fence, data)}


# -- watches ---------------------------------------------------------------------------------------------------------


def events(fence: Fence, told: Sequence[Data]) -> list[Result]:
    """Give events of watches; their details are words of ours."""
    typed = ("number", "watch", "event", "at", "detail", "recorded_at")
    return [
        {name: one[name] for name in typed}
        | {"claims": fence.ids({"claim_id": claim_id} for claim_id in one["because"])}
        | {"source": fence.untrusted(subject=one["subject"], provider=one["provider"])}
        for one in fence.listed("events", told, LISTED)
    ]


# -- evidence --------------------------------------------------------------------------------------------------------


def match(fence: Fence, data: Data) -> Result:
    """Give how a quote stands in a text; the words of both are fenced, flags too, which hold some."""
    typed = ("status", "tier", "ratio", "start", "end", "occurrences", "edit_distance")
    kinds = [{"kind": one["kind"], "severity": one["severity"]} for one in data["changes"][:LISTED]]
    words = [{"quote": one["quote"], "source": one["source"]} for one in data["changes"][:LISTED]]
    source = fence.untrusted(closest=data["closest"], changed=words or None, flags=data["flags"] or None)
    return {name: data[name] for name in typed} | {"changes": kinds, "source": source}


def receipt(fence: Fence, data: Data) -> Result:
    """Give a receipt in short: the verdict, the checks, and how each claim and quote stands."""
    checks = ("name", "outcome", "severity", "counted", "failed")
    return {
        **{name: data[name] for name in ("id", "kind", "passed", "created_at", "as_of", "limits")},
        "checks": [{name: one[name] for name in checks} for one in data["checks"]],
        "claims": [_proof(fence, one) for one in fence.listed("claims", data["claims"]["rows"], LISTED)],
        "quotes": [_quoted(fence, one) for one in fence.listed("quotes", data["quotes"]["rows"], LISTED)],
        "unresolved": [
            {"claim_id": one["claim_id"], "source": fence.untrusted(question=one["question"])}
            for one in fence.listed("unresolved", data["unresolved"], LISTED)
        ],
    }  # fmt: skip


def _proof(fence: Fence, data: Data) -> Result:
    typed = ("claim_id", "predicate", "status", "reasons", "coverage", "evidence_ids", "observed_at")
    return {name: data[name] for name in typed} | {
        "source": fence.untrusted(subject=data["subject"], value=data["value"])
    }


def _quoted(fence: Fence, data: Data) -> Result:
    typed = ("evidence_id", "claim_id", "snapshot_id", "role", "status", "tier", "position")
    return {name: data[name] for name in typed} | {"source": fence.untrusted(quote=data["quote"])}


def source(fence: Fence, data: Data) -> Result:
    """Give a source: its id and kind outside, what it says of itself fenced."""
    typed = ("source_id", "snapshot_id", "source_type", "authority", "claims", "last_read_at")
    said = {name: data[name] for name in ("url", "title", "publisher")}
    return {name: data[name] for name in typed} | {"source": fence.untrusted(**said)}
