"""One call for all tools: arguments checked, the base asked, the result fenced, errors as data (C14, M2-M7)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from claimbase.agents import shapes
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
    GetReceiptArguments,
    HistoryArguments,
    ListSourcesArguments,
    NoneOfArgument,
    VerifyQuoteArguments,
    WatchEventsArguments,
    WhenArguments,
    WindowArgument,
    arguments_of,
)
from claimbase.agents.shapes import LISTED, SUBJECTS_MOST, Data, Result
from claimbase.agents.untrusted import Fence
from claimbase.analysis.diff import sides
from claimbase.analysis.result import plain
from claimbase.base import Claimbase
from claimbase.claims import claim_number
from claimbase.errors import (
    ClaimbaseError,
    ClaimNotFoundError,
    InputError,
    QuestionError,
    ReceiptError,
    StoreError,
    UnknownSourceError,
)
from claimbase.evidence.model import match_json
from claimbase.temporal import Basis

SUBJECTS_DEFAULT = 20
NAMED_WORDS = 3

# Errors whose hints name subjects and providers as sources wrote them.
_NAMING = ("unknown_subject", "ambiguous_subject")
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
        return refusal(error)


def refusal(error: ClaimbaseError) -> Result:
    """Give an error as a result: error, code, message and hint, and nothing of the machine (C14)."""
    told = error.to_json()
    engine = isinstance(error, StoreError) and not isinstance(error, ClaimNotFoundError)
    if engine or error.code in _SILENT:
        told |= {"message": _SILENT.get(error.code, "the base could not do it"), "hint": ""}
    fence, reading = Fence(), error.details.get("reading")
    if isinstance(error, QuestionError) and reading is not None:
        told |= {"message": "the question was not understood whole"}
        return fence.fit(told | {"reading": shapes.reading(fence, reading.to_json())})
    if error.code == "erased":
        return told | {"message": "the claim was erased", "source": fence.untrusted(reason=error.details["reason"])}
    if error.code in _NAMING:
        return fence.fit(told | {"hint": "see source", "source": fence.untrusted(hint=error.hint)})
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


# -- answer, ask and explain ------------------------------------------------------------------------------------------


def _answer(kb: Claimbase, given: AnswerArguments) -> Result:
    limit, order = _limit(given.limit), given.order_by
    found = kb.answer(
        *map(_condition, given.constraints), **_basis(given), then=bool(given.then), policy=given.policy or "certain",
        providers=given.providers or (), subjects=given.subjects or (), source_types=given.source_types or (),
        authorities=given.authorities or (), show=given.show or (), limit=limit,
        order_by=None if order is None else {"predicate": order.predicate, "direction": order.direction},
    )  # fmt: skip
    return _fitted(shapes.answered, found)


def _fitted(shape: Callable[[Fence, Data], Result], found: Any) -> Result:
    """Give a result in its shape, small enough, with what was cut."""
    fence = Fence()
    return fence.fit(shape(fence, found.to_json()))


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


def _ask(kb: Claimbase, given: AskArguments) -> Result:
    asked, fence = kb.ask(given.question, go_on=bool(given.go_on), **_basis(given)), Fence()
    result = _SHAPES.get(asked.kind, shapes.answered)(fence, asked.answer.to_json())
    return fence.fit({"op": asked.reading.op, "reading": shapes.reading(fence, asked.reading.to_json())} | result)


# What the kinds of questions that are no plain answers come to.
_SHAPES: Mapping[str, Callable[[Fence, Data], Result]] = {
    "history": shapes.history, "contradictions": shapes.contradictions, "freshness": shapes.freshness,
    "when": shapes.when,
}  # fmt: skip


def _explain(kb: Claimbase, given: ExplainArguments) -> Result:
    found = kb.explain(
        given.subject, *map(_condition, given.constraints), **_basis(given), then=bool(given.then),
        provider=given.provider, policy=given.policy or "certain", source_types=given.source_types or (),
        authorities=given.authorities or (),
    )  # fmt: skip
    return _fitted(shapes.explained, found)


# -- over time -------------------------------------------------------------------------------------------------------


def _when(kb: Claimbase, given: WhenArguments) -> Result:
    found = kb.when(
        *map(_condition, given.constraints), **_basis(given), then=bool(given.then), during=_window(given.during),
        extent=given.extent or "throughout", limit=_limit(given.limit), providers=given.providers or (),
        subjects=given.subjects or (), source_types=given.source_types or (), authorities=given.authorities or (),
    )  # fmt: skip
    return _fitted(shapes.when, found)


def _window(given: WindowArgument | None) -> tuple[str | None, str | None] | None:
    return (given.from_, given.until) if given else None


def _history(kb: Claimbase, given: HistoryArguments) -> Result:
    found = kb.history(given.subject, given.predicate, provider=given.provider, **_basis(given))
    return _fitted(shapes.history, found)


def _contradictions(kb: Claimbase, given: ContradictionsArguments) -> Result:
    found = kb.contradictions(
        during=_window(given.during), all_time=bool(given.all_time), **_basis(given), **_narrowed(given)
    )
    return _fitted(shapes.contradictions, found)


def _narrowed(given: ContradictionsArguments | DiffArguments | FreshnessArguments) -> dict[str, Any]:
    return {name: getattr(given, name) or () for name in ("subjects", "predicates", "providers")}


def _freshness(kb: Claimbase, given: FreshnessArguments) -> Result:
    return _fitted(shapes.freshness, kb.freshness(**_basis(given), **_narrowed(given)))


def _diff(kb: Claimbase, given: DiffArguments) -> Result:
    a, b = sides(given.axis, given.from_, given.to, _basis(given))
    return _fitted(shapes.differences, kb.diff(a, b, axis=given.axis, **_narrowed(given)))


def _watch_events(kb: Claimbase, given: WatchEventsArguments) -> Result:
    basis, fence = kb.basis(**_basis(given)), Fence()
    by = min(basis.valid_at, basis.observed_by)
    told = [
        one.to_json()
        for one in kb.watch_events(given.watch, since=given.since)
        if one.at <= by and one.recorded_at <= basis.recorded_by
    ]
    return fence.fit({"basis": basis.to_json(), "events": shapes.events(fence, told)})


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


# -- evidence --------------------------------------------------------------------------------------------------------


def _verify_quote(kb: Claimbase, given: VerifyQuoteArguments) -> Result:
    if "://" in given.source_id:
        raise UnknownSourceError("an address stands where an id is due", code="free_url", hint="list_sources gives ids")
    basis, fence = kb.basis(**_basis(given)), Fence()
    ((snapshot_id, match),) = kb.find_quote(given.quote, given.source_id, **_basis(given))
    return fence.fit({"basis": basis.to_json(), "snapshot_id": snapshot_id} | shapes.match(fence, match_json(match)))


def _get_receipt(kb: Claimbase, given: GetReceiptArguments) -> Result:
    fence, receipt = Fence(), kb.receipt(given.receipt_id)
    if receipt.as_of.recorded_by > kb.basis(**_basis(given)).recorded_by:
        raise ReceiptError(f"{given.receipt_id} was not made by then", code="unknown_receipt", hint="ask a later basis")
    return fence.fit(shapes.receipt(fence, receipt.to_json()))


def _list_sources(kb: Claimbase, given: ListSourcesArguments) -> Result:
    fence, basis = Fence(), kb.basis(**_basis(given))
    rows = fence.listed("sources", kb.sources_about(given.subject, **_basis(given)), LISTED)
    return fence.fit({"basis": basis.to_json(), "sources": [shapes.source(fence, plain(one)) for one in rows]})


_TOOLS: Mapping[str, Callable[[Claimbase, Any], Result]] = {
    "describe": _describe, "answer": _answer, "ask": _ask,
    "explain": _explain, "when": _when, "history": _history, "contradictions": _contradictions,
    "freshness": _freshness, "diff": _diff, "watch_events": _watch_events, "cite": _cite,
    "verify_quote": _verify_quote, "get_receipt": _get_receipt, "list_sources": _list_sources,
}  # fmt: skip
