"""Constraints as data, as text and typed (semantics section 8; reliability X34, X39-X44)."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from claimbase.constraints import (
    OPERATORS,
    AllOf,
    AnyOf,
    Condition,
    Constraint,
    Group,
    NoneOf,
    ValueOf,
    all_typed,
    allowed_operators,
    condition,
    conditions,
    format_constraint,
    parse_constraint,
    to_json,
    typed,
)
from claimbase.constraints import Test as TypedTest
from claimbase.constraints.text import _parse
from claimbase.errors import ClaimbaseError, ConstraintError, InstantError, LimitError, VocabularyError
from claimbase.values import number_values, read_value
from claimbase.vocabulary import Alias, Predicate, Vocabulary

VOCABULARY = Vocabulary(
    [
        Predicate("context_window", "quantity", unit="token", aliases=(Alias("contextWindow"),)),
        Predicate("input_price", "quantity", unit="usd_per_mtok"),
        Predicate("euro_price", "quantity", unit="eur_per_mtok"),
        Predicate("eol", "date"),
        Predicate("vision", "bool"),
        Predicate("license", "text"),
        Predicate("replacement", "entity"),
        Predicate("modalities", "set", cardinality="many"),
    ]
)


def one_test(given_: Condition | str) -> TypedTest:
    """Type a single constraint."""
    made = typed(parse_constraint(given_) if isinstance(given_, str) else given_, VOCABULARY)
    assert isinstance(made, TypedTest)
    return made


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("context_window >= 128K", {"operator": "gte", "value": "128K"}),
        ("context_window≥128000", {"operator": "gte", "value": Decimal(128000)}),
        ("input_price <= $2/Mtok", {"operator": "lte", "value": "$2/Mtok"}),
        ("input_price <= 2 usd_per_mtok", {"operator": "lte", "value": Decimal(2), "unit": "usd_per_mtok"}),
        ("context_window = 1,048,576", {"operator": "eq", "value": "1,048,576"}),
        ("input_price between 1 and 2", {"operator": "between", "value": (Decimal(1), Decimal(2))}),
        ("input_price[mode=batch] <= 1", {"operator": "lte", "value": Decimal(1), "scope": {"mode": "batch"}}),
        ("input_price[any] <= 1", {"operator": "lte", "value": Decimal(1), "scope": "any"}),
        ('input_price[tier=">200k, x", region=eu] < 1',
         {"operator": "lt", "value": Decimal(1), "scope": {"tier": ">200k, x", "region": "eu"}}),
        ("vision is_true", {"operator": "is_true"}),
        ("vision = true", {"operator": "eq", "value": True}),
        ("license in MIT, Apache-2.0", {"operator": "in", "value": ("MIT", "Apache-2.0")}),
        ('license in "a, b", c', {"operator": "in", "value": ("a, b", "c")}),
        (r'license contains "50%_\\x"', {"operator": "contains", "value": "50%_\\x"}),
        ("eol before 2028-01-01 @ 2026-03-01",
         {"operator": "before", "value": "2028-01-01", "at": datetime(2026, 3, 1, tzinfo=UTC)}),
        ("input_price < value_of(Claude Haiku 4.5)",
         {"operator": "lt", "value_of": ValueOf(subject="Claude Haiku 4.5")}),
        ("license absent", {"operator": "absent"}),
    ],
)  # fmt: skip
def test_text_form(text: str, expected: dict[str, Any]) -> None:
    """The text form reads to exactly these fields, and is written back to the same constraint."""
    made = parse_constraint(text)
    assert isinstance(made, Constraint)
    plain = {"value": None, "value_of": None, "unit": None, "scope": None, "at": None}
    assert {**dict(made), "predicate": ""} == {"predicate": "", **plain, **expected}
    assert parse_constraint(format_constraint(made)) == made


@pytest.mark.parametrize("text", ["release_date between 2026-01 and 2026 usd_per_mtok", "tier in 5 token, x, 7"])
def test_a_unit_beside_words_is_written_behind_numbers(text: str) -> None:
    """Q8: words take no unit, the numbers beside them do; so it is read back as it was."""
    made = parse_constraint(text)
    assert isinstance(made, Constraint)
    assert made.unit in ("usd_per_mtok", "token")
    assert parse_constraint(format_constraint(made)) == made


def test_groups_in_text() -> None:
    """Groups nest, semicolons inside quotes and parentheses belong to the members."""
    text = 'any_of(vision is_true; none_of(license = "a; (b"; input_price > 2))'
    made = parse_constraint(text)
    assert made == AnyOf(
        any_of=(
            Constraint(predicate="vision", operator="is_true"),
            NoneOf(
                none_of=(
                    Constraint(predicate="license", operator="eq", value="a; (b"),
                    Constraint(predicate="input_price", operator="gt", value=Decimal(2)),
                )
            ),
        )
    )
    assert parse_constraint(format_constraint(made)) == made


def test_a_quoted_text_ends_behind_an_escaped_backslash() -> None:
    r"""Q8: in `"1\\"` the last mark closes the text; what follows is the group's next member."""
    made = AnyOf(
        any_of=(
            Constraint(predicate="tier", operator="eq", value="1\\"),
            Constraint(predicate="license", operator="eq", value='a\\"; b'),
            Constraint(predicate="vision", operator="is_true"),
        )
    )
    assert parse_constraint(format_constraint(made)) == made


SCALARS = st.one_of(
    st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=20),
    st.booleans(),
    st.decimals(allow_nan=False, allow_infinity=False, places=6, min_value=-(10**12), max_value=10**12),
    st.integers(min_value=-(10**20), max_value=10**20),
)
SCOPES = st.one_of(
    st.none(),
    st.just("any"),
    st.dictionaries(
        st.sampled_from(["mode", "tier", "region"]),
        st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=8).map(str.strip).filter(bool),
        min_size=1,
    ),
)
INSTANTS = st.one_of(
    st.none(),
    st.datetimes(datetime(1, 1, 3), datetime(9999, 12, 29), timezones=st.just(UTC)),  # noqa: DTZ001
)


@st.composite
def constraints(draw: st.DrawFn) -> Constraint:
    """Any constraint of any shape."""
    name = draw(st.sampled_from(list(OPERATORS)))
    data: dict[str, Any] = {"predicate": "p", "operator": name, "scope": draw(SCOPES), "at": draw(INSTANTS)}
    arity = OPERATORS[name].arity
    if arity == "one" and draw(st.booleans()):
        subject = draw(st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=12))
        data["value_of"] = ValueOf(subject=subject, predicate=draw(st.sampled_from([None, "q"])))
    elif arity == "one":
        data["value"] = draw(SCALARS)
    elif arity != "none":
        size = 2 if arity == "two" else draw(st.integers(1, 3))
        data["value"] = draw(st.lists(SCALARS, min_size=size, max_size=size))
    return Constraint(**data)


@settings(max_examples=300)
@given(constraints())
def test_text_round_trip(made: Constraint) -> None:
    """parse(format(c)) is c, whatever the operator, operand, scope and instant."""
    assert parse_constraint(format_constraint(made)) == made


@settings(max_examples=150)
@given(constraints())
def test_json_round_trip(made: Constraint) -> None:
    """JSON keeps the constraint; numbers come back as their text."""
    back = condition(to_json(made))
    assert isinstance(back, Constraint)
    assert format_constraint(back).replace('"', "") == format_constraint(made).replace('"', "")


@settings(max_examples=300)
@given(st.text(max_size=60))
def test_any_text_is_a_constraint_or_a_typed_error(text: str) -> None:
    """X40, X42: raw text ends in a condition or in one of the library's errors, never in another exception."""
    with suppress(ClaimbaseError):
        typed(parse_constraint(text), VOCABULARY)


@pytest.mark.parametrize(
    ("given_", "code"),
    [
        ([], "no_constraints"),
        ("  ", "no_constraints"),
        ({"all_of": []}, "no_constraints"),
        ({"predicate": "a", "operator": "GTE", "value": 1}, "unknown_operator"),
        ({"predicate": "a", "operator": "regex", "value": "(a|a)*b"}, "unknown_operator"),
        ("license matches (a|a)*b", "unknown_operator"),
        ("license ~ a", "unknown_operator"),
        ({"predicate": "a", "operator": "eq", "value": 1, "recorded_at": "2026-01-01"}, "extra_field"),
        ({"any_of": [{"predicate": "a", "operator": "exists"}], "x": 1}, "extra_field"),
        ({"predicate": "a", "operator": "eq"}, "bad_operands"),
        ({"predicate": "a", "operator": "exists", "value": 1}, "bad_operands"),
        ({"predicate": "a", "operator": "between", "value": [1]}, "bad_operands"),
        ({"predicate": "a", "operator": "gte", "value": [1, 2]}, "bad_operands"),
        ({"predicate": "a", "operator": "eq", "value": 1, "value_of": {"subject": "X"}}, "bad_operands"),
        ({"predicate": "a", "operator": "eq", "value": float("nan")}, "not_finite"),
        ({"predicate": "a", "operator": "eq", "value": "\ud800"}, "bad_char"),
        ({"operator": "exists"}, "bad_constraint"),
        ("context_window", "bad_constraint"),
        ("vision is_true 5", "bad_operands"),
        ("input_price[mode] < 1", "bad_scope"),
        ("input_price[] < 1", "bad_scope"),
    ],
)
def test_malformed_requests(given_: Any, code: str) -> None:
    """X34, X39, X40, X42: each malformed request has its class and code."""
    with pytest.raises(ConstraintError) as caught:
        conditions(given_)
    assert caught.value.code == code


def test_unknown_operator_lists_what_is_allowed() -> None:
    """X40: the message names every operator there is."""
    with pytest.raises(ConstraintError) as caught:
        parse_constraint("context_window GTE 5")
    assert all(name in str(caught.value) for name in OPERATORS)
    assert caught.value.details["allowed"] == tuple(OPERATORS)


@pytest.mark.parametrize("name", ["x; DROP TABLE cb.y", 'a"b', "a'b", "a--b", "", "1a", "a b"])
def test_names_are_identifiers(name: str) -> None:
    """X9: no name that could be more than a name."""
    with pytest.raises(VocabularyError) as caught:
        Constraint(predicate=name, operator="exists")
    assert caught.value.code == "bad_identifier"


@pytest.mark.parametrize("value", ["2026-13-01", "2026-03", "now", "1753000000", "2026-03-01T12:00:00"])
def test_own_instant_is_an_instant(value: str) -> None:
    """Q14, Q15, T7: `at` takes a day or an instant with an offset; no period, no epoch number."""
    with pytest.raises(InstantError):
        condition({"predicate": "a", "operator": "exists", "at": value})


def test_limits() -> None:
    """X35: too deep and too many are refused as limits, before anything is built."""
    deep: dict[str, Any] = {"predicate": "a", "operator": "exists"}
    for _ in range(20):
        deep = {"all_of": [deep]}
    with pytest.raises(LimitError) as caught:
        condition(deep)
    assert caught.value.code == "too_deep"
    with pytest.raises(LimitError):
        parse_constraint("all_of(" * 20 + "a exists" + ")" * 20)
    with pytest.raises(LimitError):
        Constraint(predicate="a", operator="in", value=list(range(1_001)))
    with pytest.raises(LimitError):
        Constraint(predicate="a", operator="eq", value="x" * 20_001)


def test_models_are_frozen_and_take_field_for_predicate() -> None:
    """Section 6 of the architecture: `field` is read for the predicate; nothing can be changed afterwards."""
    made = condition({"field": "context_window", "operator": ">=", "value": 0.3})
    assert made == Constraint(predicate="context_window", operator="gte", value=Decimal("0.3"))
    with pytest.raises(ValueError, match="frozen"):
        made.predicate = "b"  # type: ignore[misc,union-attr]


# Typed ----------------------------------------------------------------------------------------------------------------


def test_operands_are_read_in_the_predicates_unit() -> None:
    """V1, V4: the operand is exact, in the predicate's unit, whatever its spelling."""
    assert one_test("contextWindow >= 64Ki").operands[0].min == Decimal(65536)
    assert one_test("contextWindow >= 64Ki").predicate.name == "context_window"
    assert one_test("input_price <= $0.0003 / 1K tokens").operands[0].min == Decimal("0.3")
    in_tokens = Constraint(predicate="input_price", operator="lte", value=Decimal("0.000002"), unit="usd_per_token")
    assert one_test(in_tokens).operands[0].min == Decimal(2)


def test_other_dimensions_are_refused() -> None:
    """V2: euros against dollars and tokens against a price are no comparison."""
    for text in ("input_price <= €2/Mtok", "input_price <= 2 tokens", "context_window > $5"):
        with pytest.raises(ConstraintError) as caught:
            one_test(text)
        assert caught.value.code == "incomparable_units"
    with pytest.raises(ConstraintError):
        one_test("input_price < value_of(X, euro_price)")
    with pytest.raises(ConstraintError):
        one_test("input_price < value_of(X, license)")


@pytest.mark.parametrize("predicate", list(VOCABULARY), ids=lambda predicate: predicate.name)
def test_operators_fit_kinds(predicate: Predicate) -> None:
    """Section 8: an operator that does not fit is an error naming exactly those that do."""
    allowed = allowed_operators(predicate.kind)
    samples = {"none": None, "one": "x", "two": ["x", "y"], "many": ["x"]}
    for name in set(OPERATORS) - set(allowed):
        with pytest.raises(ConstraintError) as caught:
            one_test(Constraint(predicate=predicate.name, operator=name, value=samples[OPERATORS[name].arity]))
        assert caught.value.code == "operator_mismatch"
        assert caught.value.details["allowed"] == allowed
        assert all(word in str(caught.value) for word in allowed)


def test_table_of_operators_and_kinds() -> None:
    """Section 8: which operators a kind takes, written out."""
    shared = ("eq", "ne", "exists", "absent")
    expected = {
        "quantity": {*shared, "gte", "gt", "lte", "lt", "between", "in"},
        "date": {*shared, "gte", "gt", "lte", "lt", "between", "in", "before", "after"},
        "bool": {*shared, "is_true", "is_false"},
        "text": {*shared, "in", "contains", "starts_with"},
        "entity": {*shared, "in", "contains", "starts_with"},
        "set": {*shared, "contains"},
    }
    for kind, names in expected.items():
        assert set(allowed_operators(kind)) == names  # type: ignore[arg-type]


def test_date_operands_keep_their_period() -> None:
    """Q14: a month stays a half-open period for the comparison, a day is its start."""
    month, day = one_test("eol after 2026-04").operands[0], one_test("eol after 2026-04-01").operands[0]
    start, end = (Decimal(int(datetime(2026, m, 1, tzinfo=UTC).timestamp())) for m in (4, 5))
    assert (month.min, month.max, month.max_open) == (start, end, True)
    assert (day.min, day.max, day.max_open) == (start, start, False)


@pytest.mark.parametrize("text", ["context_window = ~5", "context_window = 5-10", "context_window = n/a", "eol = soon"])
def test_operands_are_exact(text: str) -> None:
    """V3, V5: an operand is one exact value; ranges are asked with between, placeholders with absent."""
    with pytest.raises(ConstraintError):
        one_test(text)


def test_between_wants_the_lower_value_first() -> None:
    """A range upside down is a mistake, not an empty answer; equal ends are a range."""
    with pytest.raises(ConstraintError):
        one_test("context_window between 5 and 1")
    assert len(one_test("context_window between 5 and 5").operands) == 2


def test_contradicting_constraints_are_no_error() -> None:
    """X44: a price at most 2 and at least 3 is a legal request; the answer is empty."""
    made = typed(AllOf(all_of=conditions(["input_price <= 2", "input_price >= 3"])), VOCABULARY)
    assert isinstance(made, Group)
    assert [member.operator for member in made.members if isinstance(member, TypedTest)] == ["lte", "gte"]


def test_unknown_predicates_offer_the_nearest() -> None:
    """Section 6: a misspelt predicate is an error with the nearest names."""
    with pytest.raises(VocabularyError) as caught:
        one_test("context_windo >= 5")
    assert caught.value.details["nearest"] == ("context_window",)


def test_scopes_are_sorted_and_kept() -> None:
    """Q6: no scope, exactly that scope, or any; a scope's order does not matter."""
    first, second = one_test("input_price[b=2, a=1] < 1"), one_test("input_price[a=1, b=2] < 1")
    assert first.scope == second.scope == (("a", "1"), ("b", "2"))
    assert one_test("input_price[any] < 1").scope == "any"
    assert one_test(Constraint(predicate="vision", operator="is_true", scope={})).scope is None


NUMBERS = (
    "5", "-5", "0", "-0", "007", "1.50", "0.000000000001", "0.0000000000001", "9" * 26, "9" * 27, "1" * 65, "5.", ".5",
    "1e5", "+5", "5 percent", "5%", "٥", "",
)  # fmt: skip
HEADS = (
    "input_price <=", "input_price<=", "input_price <= ", " input_price\t>=", "input_price gte", "input_price[any] <=",
    "input_price[mode=batch] <=", "input_price[mode] <=", "input_price [a=1, b=2] =", "input_price between",
    "vendor in",
    "input_price >>", "input_price", "input_price <= 5 @", "vendor = a,", "any_of(vendor =", "input_price exists",
    "1x <=",
    "input_price <=\u00a0", "vendor contains",
)  # fmt: skip


def told(read: Any, *given: Any, **named: Any) -> Any:
    """Give what a reader makes of its input, or how it refuses."""
    try:
        return read(*given, **named)
    except ClaimbaseError as error:
        return type(error), error.code, str(error)


@pytest.mark.parametrize("head", HEADS)
def test_a_number_is_read_as_the_grammar_reads_it(head: str) -> None:
    """V1, V6: the short way, which reads what stands before a number once, takes and refuses what the grammar does."""
    for number in NUMBERS:
        for blank in (" ", "", "  "):
            written = f"{head}{blank}{number}"
            assert told(parse_constraint, written) == told(_parse, written, 0), written


VALUES = (
    5, -5, 0, 10**30, 10**400, True, 5.25, 1e-7, 1e300, float("nan"), float("inf"), Decimal("1.50"), Decimal("1E+3"),
    Decimal("NaN"), Decimal("sNaN"), "5", None, [5, 6],
)  # fmt: skip
NAMED: tuple[dict[str, Any], ...] = (
    {"predicate": "input_price", "operator": "<="}, {"predicate": "input_price", "operator": "between"},
    {"predicate": "input_price", "operator": "exists"}, {"predicate": "input_price", "operator": "zz"},
    {"predicate": "input_price", "operator": []}, {"predicate": 5, "operator": "<="}, {"predicate": "input_price"},
    {"predicate": "1x", "operator": "<="}, {"predicate": "input_price", "operator": "<=", "unit": "usd_per_mtok"},
    {"predicate": "input_price", "operator": "<=", "unit": 5}, {"predicate": "input_price", "operator": "<=", "of": 1},
    {"field": "input_price", "operator": "<="}, {"predicate": "input_price", "operator": "<=", "scope": {"a": "1"}},
)  # fmt: skip


@pytest.mark.parametrize("named", NAMED, ids=range(len(NAMED)))
def test_a_mapping_of_a_number_is_read_as_the_model_reads_it(named: dict[str, Any]) -> None:
    """X34, X40: a mapping that differs in its number only is taken and refused as the model takes it."""
    for value in VALUES:
        given = named | {"value": value}
        made = told(condition, given)
        assert made == told(Constraint, **given), given
        if isinstance(made, Constraint):
            assert type(made.value) is type(Constraint(**given).value)
            assert made.model_fields_set >= {"predicate", "operator", "value"}


@given(st.decimals(allow_nan=False, allow_infinity=False) | st.integers(), st.sampled_from([None, "percent", "ratio"]))
@example(-1, None)  # a sentinel where something is counted or priced (V5)
@settings(max_examples=200, deadline=None)
def test_a_number_is_the_value_its_digits_are(number: Decimal | int, unit: str | None) -> None:
    """V1, V2: a number of a constraint becomes the value that its text becomes, bounds, key and refusals included."""
    for wanted in ("share", "usd", None):
        ours = told(lambda n, wanted=wanted: number_values(wanted, unit)(n), number)
        assert ours == told(read_value, number, kind="quantity", unit=wanted, stated_unit=unit)


def test_constraints_of_numbers_share_nothing_that_can_change() -> None:
    """A6: what is done to one constraint's scope is not done to the next one that is written alike."""
    first, second = (parse_constraint(f"input_price[mode=batch] <= {n}") for n in (1, 2))
    assert isinstance(first, Constraint)
    assert isinstance(second, Constraint)
    assert isinstance(first.scope, dict)
    first.scope["mode"] = "other"
    assert second.scope == parse_constraint("input_price[mode=batch] <= 3").model_dump()["scope"] == {"mode": "batch"}


@pytest.mark.parametrize("written", [
    "input_price <= 1.50", "input_price <= 5 usd_per_mtok", "vendor in a, b", "input_price <= value_of(X)",
    "input_price[mode=batch] <= 5 @ 2026-02-01",
])  # fmt: skip
def test_data_of_a_constraint_is_that_of_its_model(written: str) -> None:
    """A6: a constraint as plain data is what its model dumps, unset fields left out, in the same order."""
    made = parse_constraint(written)
    assert list(to_json(made).items()) == list(made.model_dump(mode="json", exclude_none=True).items())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("input_price <= 2", "euro_price <= 2"), ("input_price <= 2", "input_price < 2"),
        ("input_price <= 2", "input_price[mode=batch] <= 2"), ("input_price[any] <= 2", "input_price[mode=batch] <= 2"),
        ("input_price <= 2", "input_price <= 2 @ 2026-03-01"),
        ("input_price <= 2 @ 2026-03-02", "input_price <= 2 @ 2026-03-01"),
        ("input_price <= 2", "input_price <= value_of(Lark)"),
        ("input_price <= value_of(Wren)", "input_price <= value_of(Lark)"),
    ],
)  # fmt: skip
def test_what_is_typed_beside_others_is_typed_as_it_is_alone(one: str, other: str) -> None:
    """Q8: constraints that differ in one thing share nothing that says otherwise; those that do not share one form."""
    asked = conditions([one, other, one])
    together = list(all_typed(asked, VOCABULARY))
    assert together == [typed(alone, VOCABULARY) for alone in asked]
    first, second, third = (test.form for test in together if isinstance(test, TypedTest))
    assert first is third
    assert first != second
