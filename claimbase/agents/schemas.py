"""The arguments of each tool, and their JSON schemas in the subset that every vendor's strict mode takes (M1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from claimbase.errors import InputError, LimitError, shown

TEXT_LIMIT = 2_000
"""The longest text of an argument, in characters."""
LIST_LIMIT = 50
"""The most members of a list in an argument."""
DEPTH_LIMIT = 8
"""How deep an argument may nest; a legal one needs six levels."""

# Limits stand in the models only: the strict subset has no keywords for them.
_KEPT = ("type", "description", "enum", "const", "anyOf", "items", "properties", "required", "additionalProperties")

Text = Annotated[str, Field(max_length=TEXT_LIMIT)]
Scalar = bool | int | float | Text
Operator = Literal[
    "gte", "gt", "lte", "lt", "eq", "ne", "between", "in", "contains", "starts_with", "before", "after", "exists",
    "absent", "is_true", "is_false",
]  # fmt: skip


class _Arguments(BaseModel):
    """Closed and exact; a nullable argument that is left out is null."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


def _said(description: str) -> Any:
    return Field(default=None, description=description)


def _must(description: str) -> Any:
    return Field(description=description)


def _names(description: str) -> Any:
    return Field(default=None, description=description, max_length=LIST_LIMIT)


class _Basis(_Arguments):
    as_of: Text | None = _said(
        "The instant it must hold, 2026-03-01 or 2026-03-01T08:00:00Z; may lie in the future. Null: now."
    )
    observed_by: Text | None = _said("Only what could have been read at the sources by this instant. Null: now.")
    recorded_by: Text | None = _said("Only what this base held at this instant. Null: now.")


class Qualifier(_Arguments):
    """One qualifier of a scope."""

    name: Text = _must("For example mode, tier or region.")
    value: Text = _must("For example batch.")


class ConstraintArgument(_Arguments):
    """One test of one predicate."""

    predicate: Text = _must("A predicate's name, as describe lists it.")
    operator: Operator = _must("How to compare; describe lists the operators of each predicate.")
    value: Scalar | Annotated[list[Scalar], Field(max_length=LIST_LIMIT)] | None = _said(
        "A number, text or truth value; a list for in and between (the lower first). Null: the operator takes none."
    )
    unit: Text | None = _said("The value's unit, for example usd_per_mtok or token. Null: the predicate's own.")
    scope: Annotated[list[Qualifier], Field(max_length=LIST_LIMIT)] | Literal["any"] | None = _said(
        'Exactly these qualifiers, or "any" for the best of any scope. Null: claims without scope.'
    )
    value_of: Text | None = _said(
        "A subject whose value of this predicate is compared with, instead of value. Null: none."
    )
    at: Text | None = _said("An instant for this constraint alone. Null: as_of.")


class AnyOfArgument(_Arguments):
    """At least one of these must hold."""

    any_of: Annotated[list[ConstraintArgument], Field(max_length=LIST_LIMIT)] = _must("At least one must hold.")


class NoneOfArgument(_Arguments):
    """None of these may hold."""

    none_of: Annotated[list[ConstraintArgument], Field(max_length=LIST_LIMIT)] = _must("None may hold.")


class OrderArgument(_Arguments):
    """What subjects are ranked by."""

    predicate: Text = _must("A predicate with numbers or dates.")
    direction: Literal["asc", "desc"] | None = _said("asc: least first. Null: the predicate's better end first.")


class WindowArgument(_Arguments):
    """A half-open window of time."""

    from_: Text | None = Field(default=None, alias="from", description="Its first instant. Null: no bound.")
    until: Text | None = _said("The first instant after it. Null: no bound.")


class DescribeArguments(_Basis):
    """Tell what can be asked: predicates with kind, unit and operators, and how many claims the base holds."""

    search: Text | None = _said("Only predicates whose name, words or description contain this. Null: all.")


class AnswerArguments(_Basis):
    """Find the subjects that satisfy all constraints by evidence; every value with its quote, address and dates."""

    constraints: Annotated[list[ConstraintArgument | AnyOfArgument | NoneOfArgument], Field(max_length=LIST_LIMIT)] = (
        _must("All must hold.")
    )
    policy: Literal["certain", "any"] | None = _said(
        "any: a subject counts where some claim satisfies though others contradict. Null: certain."
    )
    providers: list[Text] | None = _names("Only subjects of these providers. Null: all.")
    subjects: list[Text] | None = _names("Only these subjects, whatever their verdicts. Null: all.")
    source_types: list[Text] | None = _names("Only claims of such sources, for example official_docs. Null: all.")
    authorities: list[Text] | None = _names(
        "Only claims of such sources: subject_authored, third_party or aggregator. Null: all."
    )
    show: list[Text] | None = _names("Further predicates to cite. Null: none.")
    order_by: OrderArgument | None = _said("Rank the subjects. Null: by provider and name.")
    limit: int | None = _said("How many subjects, 1 to 100. Null: 20.")
    then: bool | None = _said("As it was known then: observed_by and recorded_by are as_of. Null: false.")


class AskArguments(_Basis):
    """Answer a question in words, such as "128K+ context, under $2/M input". What was not understood is told."""

    question: Text = _must("The question, in English.")
    go_on: bool | None = _said("Answer the part that was understood. Null: false.")


class ExplainArguments(_Basis):
    """Tell why one subject satisfies the constraints or not: who says yes, no, maybe, or why nobody says anything."""

    subject: Text = _must("The subject's name.")
    provider: Text | None = _said("The subject's provider, where several have the name. Null: any.")
    constraints: Annotated[list[ConstraintArgument | AnyOfArgument | NoneOfArgument], Field(max_length=LIST_LIMIT)] = (
        _must("What to explain, one by one.")
    )
    policy: Literal["certain", "any"] | None = _said(
        "any: a subject counts where some claim satisfies though others contradict. Null: certain."
    )
    source_types: list[Text] | None = _names("Only claims of such sources, for example official_docs. Null: all.")
    authorities: list[Text] | None = _names(
        "Only claims of such sources: subject_authored, third_party or aggregator. Null: all."
    )
    then: bool | None = _said("As it was known then: observed_by and recorded_by are as_of. Null: false.")


class WhenArguments(_Basis):
    """Find when all constraints hold at the same time: each subject's longest intervals, and the claims behind them."""

    constraints: Annotated[list[ConstraintArgument | AnyOfArgument | NoneOfArgument], Field(max_length=LIST_LIMIT)] = (
        _must("All must hold at once.")
    )
    during: WindowArgument | None = _said("Only intervals that meet this window. Null: all of time.")
    extent: Literal["throughout", "some"] | None = _said(
        "Whether a subject must hold throughout the window or at some instant of it. Null: throughout."
    )
    providers: list[Text] | None = _names("Only subjects of these providers. Null: all.")
    subjects: list[Text] | None = _names("Only these subjects. Null: all.")
    source_types: list[Text] | None = _names("Only claims of such sources, for example official_docs. Null: all.")
    authorities: list[Text] | None = _names(
        "Only claims of such sources: subject_authored, third_party or aggregator. Null: all."
    )
    limit: int | None = _said("How many subjects, 1 to 100. Null: 20.")
    then: bool | None = _said("As it was known then: observed_by and recorded_by are as_of. Null: false.")


class HistoryArguments(_Basis):
    """Tell how a subject's values went: current, upcoming, historical and retracted segments, with gaps."""

    subject: Text = _must("The subject's name.")
    predicate: Text | None = _said("One predicate. Null: all.")
    provider: Text | None = _said("The subject's provider. Null: any.")


class ContradictionsArguments(_Basis):
    """Find where claims cannot both hold, with every side's evidence."""

    subjects: list[Text] | None = _names("Only these subjects. Null: all.")
    predicates: list[Text] | None = _names("Only these predicates. Null: all.")
    providers: list[Text] | None = _names("Only subjects of these providers. Null: all.")
    during: WindowArgument | None = _said("A window instead of as_of. Null: at as_of.")
    all_time: bool | None = _said("All of the past and future instead of as_of. Null: false.")


class FreshnessArguments(_Basis):
    """Tell how long ago the active claims were last seen at their sources, and how many are stale."""

    subjects: list[Text] | None = _names("Only these subjects. Null: all.")
    predicates: list[Text] | None = _names("Only these predicates. Null: all.")
    providers: list[Text] | None = _names("Only subjects of these providers. Null: all.")


class DiffArguments(_Basis):
    """Tell what differs between two instants, from which value to which, and why: learned, corrected, retracted, ..."""

    from_: Text | None = Field(default=None, alias="from", description="The first instant. Null: now.")
    to: Text | None = _said("The second instant. Null: now.")
    axis: Literal["valid", "observed", "recorded", "all"] | None = _said(
        "Which time from and to are of; leave its own argument (as_of, observed_by, recorded_by) null. Null: valid."
    )
    subjects: list[Text] | None = _names("Only these subjects. Null: all.")
    predicates: list[Text] | None = _names("Only these predicates. Null: all.")
    providers: list[Text] | None = _names("Only subjects of these providers. Null: all.")


class WatchEventsArguments(_Basis):
    """Tell what changed in the answers of saved watches: who entered, left, is disputed, because of which claims."""

    watch: Text | None = _said("One watch's name. Null: all.")
    since: Annotated[int, Field(ge=0)] | None = _said("Only events after this number. Null: from the first.")


class CiteArguments(_Basis):
    """Give one claim whole: quote, source, every version and every reading of it."""

    claim_id: Text = _must("A claim id: c_ and 16 hexadecimal digits.")


class VerifyQuoteArguments(_Basis):
    """Tell how a quote stands in a stored text: verified, altered, not-found, ambiguous, unverifiable."""

    source_id: Text = _must("A source id (s_...) for its newest text, or a snapshot id. Never a web address.")
    quote: Text = _must("The words, exactly as they are meant to stand there.")


class GetReceiptArguments(_Basis):
    """Give a kept receipt: what was checked, what passed, what is open, and the state of each claim and quote."""

    receipt_id: Text = _must("A receipt id: r_ and 16 hexadecimal digits.")


class ListSourcesArguments(_Basis):
    """List the sources that speak of a subject, with their ids, and whether a text of theirs is held."""

    subject: Text | None = _said("The subject's name. Null: all subjects.")


class RunSqlArguments(_Arguments):
    """Run one SELECT of your own over schema cb, where no other tool answers; at most 1,000 rows.

    Tables hold every version ever recorded, also those that ended, were corrected or retracted. What holds at an
    instant is cb.active_claims(valid_at, observed_by, recorded_by); all three default to now. The other public macros
    are cb.history(subject), cb.contradictions(), cb.freshness() and cb.watch_events(). A day as text means its start
    in UTC.
    """

    sql: str = _must("One SELECT in DuckDB's dialect. Tables and macros as cb.name; no other function than listed.")


ARGUMENTS: Mapping[str, type[_Arguments]] = {
    "describe": DescribeArguments, "answer": AnswerArguments, "ask": AskArguments,
    "explain": ExplainArguments, "when": WhenArguments, "history": HistoryArguments,
    "contradictions": ContradictionsArguments, "freshness": FreshnessArguments, "diff": DiffArguments,
    "watch_events": WatchEventsArguments, "cite": CiteArguments,
    "verify_quote": VerifyQuoteArguments, "get_receipt": GetReceiptArguments, "list_sources": ListSourcesArguments,
}  # fmt: skip
"""The tools by name, each with the model of its arguments."""
ON_DEMAND: Mapping[str, type[_Arguments]] = {"run_sql": RunSqlArguments}
"""The tools that are offered only where somebody says so."""


# -- schemas ---------------------------------------------------------------------------------------------------------


def strict_schema(model: type[BaseModel]) -> dict[str, Any]:
    """Give a model's JSON schema in the strict subset: closed objects, all required, no limits, no references.

    Args:
        model: one without recursion.
    """
    whole = model.model_json_schema(by_alias=True)
    return _strict({name: value for name, value in whole.items() if name != "description"}, whole.get("$defs", {}))


def _strict(node: Mapping[str, Any], shared: Mapping[str, Any]) -> dict[str, Any]:
    if "$ref" in node:
        beside = {"description": node["description"]} if "description" in node else {}
        return _strict(shared[node["$ref"].rpartition("/")[2]], shared) | beside
    kept = {name: value for name, value in node.items() if name in _KEPT}
    if "const" in kept:
        kept["enum"] = [kept.pop("const")]
    if "anyOf" in kept:
        kept["anyOf"] = [_strict(arm, shared) for arm in kept["anyOf"]]
    if isinstance(kept.get("items"), Mapping):
        kept["items"] = _strict(kept["items"], shared)
    if "properties" in kept:
        kept["properties"] = {name: _strict(value, shared) for name, value in kept["properties"].items()}
        kept |= {"required": list(kept["properties"]), "additionalProperties": False}
    return kept


def _tool(name: str, model: type[BaseModel]) -> dict[str, Any]:
    doc = " ".join((model.__doc__ or "").split())
    return {"type": "function", "name": name, "description": doc, "strict": True, "parameters": strict_schema(model)}


TOOLS: list[dict[str, Any]] = [_tool(name, model) for name, model in ARGUMENTS.items()]
"""The tools as function-call schemas: the same bytes on every machine and for every base."""
SQL_TOOL: dict[str, Any] = _tool("run_sql", RunSqlArguments)
"""The schema of the tool that runs SQL; in no list of its own accord (M4)."""


# -- arguments -------------------------------------------------------------------------------------------------------


def arguments_of(name: str, given: object, offered: Mapping[str, type[_Arguments]] = ARGUMENTS) -> Any:
    """Check the arguments of a call against the tool's model.

    Args:
        name: the tool's name.
        given: its arguments, as parsed from JSON.
        offered: the tools there are.

    Raises:
        InputError: [unknown_tool], [extra_field] an argument the tool has not, [bad_argument] anything else.
        LimitError: [too_large], [too_deep].
    """
    model = offered.get(name)
    if model is None:
        raise InputError(f"no tool is called {shown(name)}", code="unknown_tool", hint=f"one of {', '.join(offered)}")
    if not isinstance(given, Mapping):
        raise InputError(f"the arguments of {name} are no object", code="bad_argument", hint="a JSON object")
    if max(_depths(given), default=0) > DEPTH_LIMIT:
        raise LimitError(
            f"the arguments of {name} are nested too deep", code="too_deep", hint=f"{DEPTH_LIMIT} levels at most"
        )
    try:
        return model.model_validate(dict(given))
    except ValidationError as error:
        raise _own_error(name, model, error) from error


def _depths(given: object, level: int = 1) -> Iterator[int]:
    yield level
    if level <= DEPTH_LIMIT and isinstance(given, Mapping | list | tuple):
        for member in given.values() if isinstance(given, Mapping) else given:
            yield from _depths(member, level + 1)


def _own_error(name: str, model: type[BaseModel], error: ValidationError) -> InputError | LimitError:
    first = _meant(error.errors(include_url=False, include_context=False))
    where = ".".join(str(part) for part in first["loc"] if not _internal(part))
    if first["type"] == "extra_forbidden" and len(first["loc"]) == 1:
        known = ", ".join(field.alias or field_name for field_name, field in model.model_fields.items())
        return InputError(f"{name} has no argument {shown(where)}", code="extra_field", hint=known)
    if first["type"] in ("string_too_long", "too_long"):
        return LimitError(f"{name}: {shown(where)} is too long", code="too_large", hint=str(first["msg"]))
    code = "extra_field" if first["type"] == "extra_forbidden" else "bad_argument"
    return InputError(f"{name}: {shown(where)}: {first['msg']}", code=code, hint="see the tool's schema")


def _meant(found: list[Any]) -> Any:
    """Choose the error to tell: of several forms a value may take, that of the form it resembles."""
    strange = {one["loc"][:-1] for one in found if one["type"] == "missing"}
    fitting = [one for one in found if one["loc"][:-1] not in strange] or found
    return next((one for one in fitting if one["type"] == "extra_forbidden"), fitting[0])


def _internal(part: int | str) -> bool:
    """Tell whether a part of a place is the name of a model or type rather than of a field."""
    return isinstance(part, str) and (not part.islower() or "[" in part or part in ("str", "int", "float", "bool"))
