"""One call for all tools: arguments checked, the base asked, the result fenced, errors as data (C14, M2-M7)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from claimbase.agents.schemas import (
    AnswerArguments,
    AnyOfArgument,
    AskArguments,
    CiteArguments,
    ConstraintArgument,
    ContradictionsArguments,
    DescribeArguments,
    DiffArguments,
    ExplainArguments,
    FreshnessArguments,
    HistoryArguments,
    NoneOfArgument,
    WatchEventsArguments,
    WhenArguments,
    arguments_of,
)
from claimbase.agents.untrusted import Fence
from claimbase.analysis.diff import sides
from claimbase.analysis.result import plain
from claimbase.base import Claimbase
from claimbase.claims import claim_number
from claimbase.errors import ClaimbaseError, ClaimNotFoundError, InputError, QuestionError, StoreError
from claimbase.temporal import Basis

Result = dict[str, Any]
Data = Mapping[str, Any]

SUBJECTS_DEFAULT, SUBJECTS_MOST = 20, 100
LISTED = 50
NAMED_WORDS = 3

_BUCKETS = ("eligible", "disputed", "possible", "near_misses")
# Errors whose words may come from the engine or name a place on the machine: they say no more than this (C14).
_SILENT = {
    "store_locked": "another process is writing to the base", "timed_out": "the question took too long",
    "no_space": "the base is out of memory or disk",
}  # fmt: skip


def call(kb: Claimbase, name: str, arguments: object) -> Result:
    """Answer one call of a tool; a refusal is a result too.

    Args:
        kb: the base; it is only read.
        name: the tool's name.
        arguments: its arguments, as parsed from JSON.

    Returns:
        The tool's result with what was cut from it, or error, code, message and hint.
    """
    try:
        checked = arguments_of(name, arguments)
        return _TOOLS[name](kb, checked)
    except ClaimbaseError as error:
        return _error(error)


def _error(error: ClaimbaseError) -> Result:
    told = error.to_json()
    engine = isinstance(error, StoreError) and not isinstance(error, ClaimNotFoundError)
    if engine or error.code in _SILENT:
        told |= {"message": _SILENT.get(error.code, "the base could not do it"), "hint": ""}
    reading = error.details.get("reading")
    if isinstance(error, QuestionError) and reading is not None:
        fence = Fence()
        return fence.fit(
            told | {"message": "the question was not understood whole", "reading": _reading(fence, reading)}
        )
    return told


def _basis(given: Any) -> dict[str, Any]:
    return {"as_of": given.as_of, "observed_by": given.observed_by, "recorded_by": given.recorded_by}


# -- describe --------------------------------------------------------------------------------------------------------


def _describe(kb: Claimbase, given: DescribeArguments) -> Result:
    fence, basis = Fence(), kb.basis(**_basis(given))
    known, data = kb.vocabulary(basis), kb.describe()
    search = (given.search or "").casefold()
    chosen = [one for one in data["predicates"] if one["name"] in known and search in _searched(one)]
    return fence.fit(
        {
            "totals": plain({name: value for name, value in data["totals"].items() if not isinstance(value, str)}),
            "basis": basis.to_json(),
            "predicates": [{**one, "words": one["words"][:NAMED_WORDS]} for one in chosen],
            "providers": fence.untrusted(names=fence.listed("providers", data["providers"], LISTED)),
        }
    )


def _searched(predicate: Data) -> str:
    return " ".join(
        [predicate["name"], predicate["description"], *predicate["words"], *predicate["aliases"]]
    ).casefold()


# -- answer and ask --------------------------------------------------------------------------------------------------


def _answer(kb: Claimbase, given: AnswerArguments) -> Result:
    limit, order = _limit(given.limit), given.order_by
    found = kb.answer(
        *map(_condition, given.constraints), **_basis(given), then=bool(given.then), policy=given.policy or "certain",
        providers=given.providers or (), subjects=given.subjects or (), source_types=given.source_types or (),
        authorities=given.authorities or (), show=given.show or (), limit=limit,
        order_by=None if order is None else {"predicate": order.predicate, "direction": order.direction},
    )  # fmt: skip
    fence = Fence()
    return fence.fit(_answered(fence, found.to_json()))


def _limit(given: int | None) -> int:
    limit = SUBJECTS_DEFAULT if given is None else given
    if not 1 <= limit <= SUBJECTS_MOST:
        raise InputError(f"limit {limit} is out of range", code="out_of_range", hint=f"1 to {SUBJECTS_MOST}")
    return limit


def _condition(given: ConstraintArgument | AnyOfArgument | NoneOfArgument) -> dict[str, Any]:
    """Give a constraint as the data that the base reads; what is null is left out."""
    if isinstance(given, AnyOfArgument):
        return {"any_of": [_condition(one) for one in given.any_of]}
    if isinstance(given, NoneOfArgument):
        return {"none_of": [_condition(one) for one in given.none_of]}
    test: dict[str, Any] = {"predicate": given.predicate, "operator": given.operator}
    test |= {name: value for name in ("value", "unit", "at") if (value := getattr(given, name)) is not None}
    if given.value_of is not None:
        test["value_of"] = {"subject": given.value_of}
    if given.scope is not None:
        test["scope"] = "any" if isinstance(given.scope, str) else {one.name: one.value for one in given.scope}
    return test


def _answered(fence: Fence, data: Data) -> Result:
    subjects = {
        name: fence.listed(name, data[name], SUBJECTS_MOST if name == "eligible" else LISTED) for name in _BUCKETS
    }
    return {
        **{name: data[name] for name in ("summary", "counts", "constraints", "basis", "policy")},
        "notes": fence.untrusted(texts=data["notes"]),
        **{name: [_subject(fence, one) for one in ones] for name, ones in subjects.items()},
        "claims": fence.claims([*_ranked([one for ones in subjects.values() for one in ones]), *data["operands"]]),
        "freshness": {name: data["freshness"][name] for name in ("at", "newest", "oldest", "stale", "by_predicate")},
        "plan": [{"name": one["name"], "title": one["title"], "rows": one["rows"]} for one in data["plan"]],
    }  # fmt: skip


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


def _ask(kb: Claimbase, given: AskArguments) -> Result:
    asked = kb.ask(given.question, go_on=bool(given.go_on), **_basis(given))
    fence, data = Fence(), asked.answer.to_json()
    shape = {
        "history": _history_of, "contradictions": _contradictions_of, "freshness": _freshness_of, "when": _when_of,
    }  # fmt: skip
    result = shape.get(asked.kind, _answered)(fence, data)
    return fence.fit({"op": asked.reading.op, "reading": _reading(fence, asked.reading)} | result)


def _reading(fence: Fence, reading: Any) -> Result:
    data = reading.to_json()
    names = ("understood", "not_understood", "suggestions", "constraints")
    return fence.untrusted(**{name: fence.listed("pieces", data[name], LISTED) for name in names if data.get(name)})


# -- explain ---------------------------------------------------------------------------------------------------------

_SAYS = ("yes", "no", "maybe", "absence", "nothing")


def _explain(kb: Claimbase, given: ExplainArguments) -> Result:
    found = kb.explain(
        given.subject, *map(_condition, given.constraints), **_basis(given), then=bool(given.then),
        provider=given.provider, policy=given.policy or "certain", source_types=given.source_types or (),
        authorities=given.authorities or (),
    )  # fmt: skip
    fence, data = Fence(), found.to_json()
    claims = [part[says] for part in _parts(data["constraints"]) for says in _SAYS]
    return fence.fit({
        "bucket": data["bucket"], "eligible": data["eligible"], "basis": data["basis"],
        "constraints": [_because(fence, one) for one in data["constraints"]], "claims": fence.claims(_in_turn(claims)),
        "source": fence.untrusted(**{name: data[name] for name in ("summary", "subject", "provider")}),
    })  # fmt: skip


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


# -- when ------------------------------------------------------------------------------------------------------------


def _when(kb: Claimbase, given: WhenArguments) -> Result:
    during = (given.during.from_, given.during.until) if given.during else None
    found = kb.when(
        *map(_condition, given.constraints), **_basis(given), then=bool(given.then), during=during,
        extent=given.extent or "throughout", limit=_limit(given.limit), providers=given.providers or (),
        subjects=given.subjects or (), source_types=given.source_types or (), authorities=given.authorities or (),
    )  # fmt: skip
    fence = Fence()
    return fence.fit(_when_of(fence, found.to_json()))


def _when_of(fence: Fence, data: Data) -> Result:
    subjects = fence.listed("subjects", data["subjects"], SUBJECTS_MOST)
    grounds = [segment["grounds"] for one in subjects for segment in one["segments"]]
    names = ("summary", "constraints", "basis", "window", "extent", "total", "next_change_at", "next_stale_at")
    return {
        **{name: data[name] for name in names},
        "notes": fence.untrusted(texts=data["notes"]),
        "subjects": [_segments(fence, one) for one in subjects],
        "claims": fence.claims([*_in_turn([sorted(ones, key=_weight) for ones in grounds]), *data["operands"]]),
        "plan": [{"name": one["name"], "title": one["title"], "rows": one["rows"]} for one in data["plan"]],
    }  # fmt: skip


def _segments(fence: Fence, data: Data) -> Result:
    segments = [
        {"certainty": one["certainty"], "interval": one["interval"], "claims": fence.ids(one["grounds"])}
        for one in fence.listed("segments", data["segments"], LISTED)
    ]
    holds = {"holds": data["holds"]} if "holds" in data else {}
    source = fence.untrusted(subject=data["subject"], provider=data["provider"])
    return holds | {"segments": segments, "gaps": list(fence.listed("gaps", data["gaps"], LISTED)), "source": source}


# -- history, contradictions, freshness ------------------------------------------------------------------------------


def _history(kb: Claimbase, given: HistoryArguments) -> Result:
    found = kb.history(given.subject, given.predicate, provider=given.provider, **_basis(given))
    fence = Fence()
    return fence.fit(_history_of(fence, found.to_json()))


def _history_of(fence: Fence, data: Data) -> Result:
    segments = fence.listed("segments", data["segments"], SUBJECTS_MOST)
    typed = (
        "predicate",
        "unit",
        "polarity",
        "status",
        "doubt",
        "unconfirmed_since",
        "certain",
        "possible",
        "open_end",
        "voices",
        "became",
    )
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
    }  # fmt: skip


def _said(fence: Fence, slot: Data, **more: Any) -> Result:
    """Give the names of a slot, which its sources chose."""
    return fence.untrusted(provider=slot["provider"], subject=slot["subject"], scope=slot["scope"] or None, **more)


def _in_turn(rows: Sequence[Sequence[Data]]) -> Iterator[Data]:
    for place in range(max(map(len, rows), default=0)):
        yield from (row[place] for row in rows if place < len(row))


def _contradictions(kb: Claimbase, given: ContradictionsArguments) -> Result:
    during = (given.during.from_, given.during.until) if given.during else None
    found = kb.contradictions(during=during, all_time=bool(given.all_time), **_basis(given), **_narrowed(given))
    fence = Fence()
    return fence.fit(_contradictions_of(fence, found.to_json()))


def _narrowed(given: ContradictionsArguments | DiffArguments | FreshnessArguments) -> dict[str, Any]:
    return {name: getattr(given, name) or () for name in ("subjects", "predicates", "providers")}


def _contradictions_of(fence: Fence, data: Data) -> Result:
    cards = fence.listed("slots", data["cards"], LISTED)
    return {
        "counts": data["counts"], "information": data["information"], "window": data["window"], "basis": data["basis"],
        "slots": [_card(fence, card) for card in cards],
        "claims": fence.claims(_in_turn([side["claims"] for card in cards for side in card["sides"]])),
    }  # fmt: skip


def _card(fence: Fence, card: Data) -> Result:
    sides = [
        {
            "unit": side["unit"], "polarity": side["polarity"], "claims": fence.ids(side["claims"]),
            "source": fence.untrusted(value=side["value"]),
        }
        for side in fence.listed("sides", card["sides"], LISTED)
    ]  # fmt: skip
    return {
        "predicate": card["predicate"], "disputed": list(fence.listed("disputed", card["disputed"], LISTED)),
        "counts": card["counts"], "sides": sides, "source": _said(fence, card),
    }  # fmt: skip


def _freshness(kb: Claimbase, given: FreshnessArguments) -> Result:
    found = kb.freshness(**_basis(given), **_narrowed(given))
    fence = Fence()
    return fence.fit(_freshness_of(fence, found.to_json()))


def _freshness_of(fence: Fence, data: Data) -> Result:
    typed = ("claim_id", "predicate", "last_seen", "stale_after")
    return {
        **{name: data[name] for name in ("summary", "newest", "oldest", "stale", "next_stale_at", "basis")},
        "claims_active": data["claims"], "predicates": data["predicates"],
        "stale_claims": [
            {name: one[name] for name in typed} | {"source": _said(fence, one, url=one["url"])}
            for one in fence.listed("stale_claims", data["stale_claims"], 20)
        ],
    }  # fmt: skip


# -- diff ------------------------------------------------------------------------------------------------------------


def _diff(kb: Claimbase, given: DiffArguments) -> Result:
    a, b = sides(given.axis, given.from_, given.to, _basis(given))
    fence, data = Fence(), kb.diff(a, b, axis=given.axis, **_narrowed(given)).to_json()
    changes = fence.listed("changes", data["changes"], LISTED)
    held = [one["claims"] for change in changes for side in ("after", "before") for one in change[side]]
    return fence.fit({
        **{name: data[name] for name in ("summary", "axis", "axes_moved", "counts", "a", "b")},
        "changes": [_change(fence, one) for one in changes], "claims": fence.claims(_in_turn(held)),
    })  # fmt: skip


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


def _watch_events(kb: Claimbase, given: WatchEventsArguments) -> Result:
    basis, fence = kb.basis(**_basis(given)), Fence()
    by = min(basis.valid_at, basis.observed_by)
    told = [
        one.to_json()
        for one in kb.watch_events(given.watch, since=given.since)
        if one.at <= by and one.recorded_at <= basis.recorded_by
    ]
    typed = ("number", "watch", "event", "at", "detail", "recorded_at")
    return fence.fit({
        "basis": basis.to_json(),
        "events": [
            {name: one[name] for name in typed}
            | {"claims": fence.ids({"claim_id": claim_id} for claim_id in one["because"])}
            | {"source": fence.untrusted(subject=one["subject"], provider=one["provider"])}
            for one in fence.listed("events", told, LISTED)
        ],
    })  # fmt: skip


# -- cite ------------------------------------------------------------------------------------------------------------


def _cite(kb: Claimbase, given: CiteArguments) -> Result:
    claim_number(given.claim_id)
    basis, data, fence = kb.basis(**_basis(given)), kb.get(given.claim_id), Fence()
    versions, readings = (_known(data[name], basis) for name in ("versions", "readings"))
    if not versions:
        raise ClaimNotFoundError(f"{given.claim_id} is not known at that basis", hint="ask a later one")
    said = {name: value for name, value in data.items() if name not in ("versions", "readings")}
    result = {
        "claim": fence.claim(plain(said | {"quote": versions[-1]["quote"]})), "basis": basis.to_json(),
        "versions": [_typed(one) for one in fence.listed("versions", versions, LISTED)],
        "readings": [_typed(one) for one in fence.listed("readings", readings, LISTED)],
    }  # fmt: skip
    return fence.fit(result)


def _known(rows: Sequence[Data], basis: Basis) -> list[Data]:
    """Keep what could have been read and was held at a basis (A1)."""
    return [one for one in rows if one["recorded_at"] <= basis.recorded_by and one["observed_at"] <= basis.observed_by]


def _typed(row: Data) -> Result:
    """Leave out the one column whose words are a source's."""
    return {name: plain(value) for name, value in row.items() if name != "quote"}


_TOOLS: Mapping[str, Callable[[Claimbase, Any], Result]] = {
    "describe": _describe, "answer": _answer, "ask": _ask,
    "explain": _explain, "when": _when, "history": _history, "contradictions": _contradictions,
    "freshness": _freshness, "diff": _diff, "watch_events": _watch_events, "cite": _cite,
}  # fmt: skip
