"""Questions in words: what is read is read exactly, what is not is given back (semantics section 8)."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit import few
from question_cases import matches

from claimbase.constraints import (
    OPERATORS,
    AnyOf,
    Condition,
    Constraint,
    NoneOf,
    ValueOf,
    allowed_operators,
    condition,
)
from claimbase.errors import LimitError, QuestionError
from claimbase.questions import Names, Reading, read_question, say
from claimbase.temporal import TICK
from claimbase.vocabulary import Predicate, Vocabulary, load_pack

HERE = Path(__file__).resolve().parent
NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
PACKS = sorted((HERE.parent / "seeds" / "predicates").glob("*.toml"))
VOCABULARY = Vocabulary.of(*(load_pack(path) for path in PACKS))
NAMES = Names(
    subjects=(
        "Gemini 2.5 Flash", "Claude Haiku 4.5", "GPT-5", "claude-3-opus", "Claude Sonnet 4.5", "Debian 12",
        "Python 3.9", "RHEL 7", "RHEL 8", "Germany",
    ),
    providers=("OpenAI", "Google", "Anthropic", "Python", "PostgreSQL", "Node", "Debian"),
)  # fmt: skip


def read(question: str, names: Names = NAMES) -> Reading:
    """Read a question at the tables' instant."""
    return read_question(question, VOCABULARY, names, now=NOW)


def lines(path: Path) -> list[dict[str, Any]]:
    """Load a table of cases, or nothing where it is not there."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.is_file() else []


OWN = lines(HERE / "fixtures" / "questions.jsonl")
SHARED = lines(HERE.parents[1] / "shared" / "cases" / "questions.jsonl")
COMPLETE = [case["question"] for case in OWN if "refuse" not in case["expect"]]


@pytest.mark.parametrize("case", OWN, ids=[case["question"] for case in OWN])
def test_own_questions(case: dict[str, Any]) -> None:
    """Each question of this checkout's table is read exactly, or gives back exactly the named pieces."""
    reading = read(case["question"])
    assert matches(reading, case["expect"]), reading.to_json()
    if "refuse" in case["expect"]:
        assert list(reading.not_understood) == case["expect"]["refuse"]


@pytest.mark.skipif(not SHARED, reason="no shared cases beside this checkout")
@pytest.mark.parametrize("case", SHARED, ids=[case["id"] for case in SHARED])
def test_shared_questions(case: dict[str, Any]) -> None:
    """The design's questions are read as expected there, alternatives included."""
    reading = read(case["question"])
    assert matches(reading, case["expect"]), reading.to_json()


def test_the_own_table_is_large_enough() -> None:
    """The table holds at least 80 questions, a third of them refused in part."""
    refused = [case for case in OWN if "refuse" in case["expect"]]
    assert len(OWN) >= 80
    assert len(refused) >= len(OWN) // 4


@pytest.mark.parametrize("question", few(COMPLETE, 3))
def test_every_word_counts(question: str) -> None:
    """A word nobody knows makes a complete question incomplete wherever it stands: nothing is skipped in silence."""
    assert read(question).complete
    if '"' in question or "`" in question:
        pytest.skip("quoted text is taken as it is")
    for gap in re.finditer(r"(?<=\s)|$", question):
        text = f"{question[: gap.start()]} zzqx {question[gap.start() :]}"
        reading = read(text)
        assert not reading.complete, text
        if not re.search(r"licen[cs]e|modalities", question):  # there it may be read as the text itself
            assert any("zzqx" in piece for piece in reading.not_understood), text


@pytest.mark.parametrize("word", ["not", "every", "approximately", "roughly", "nearly", "than", "unless", "if", "half"])
def test_meaning_is_not_filler(word: str) -> None:
    """Words that change a meaning are read by a rule or given back, never dropped."""
    plain = read("models with context over 200k and vision")
    changed = read(f"{word} models with context over 200k and vision")
    assert not changed.complete or changed.conditions != plain.conditions


@pytest.mark.parametrize("question", COMPLETE)
def test_case_does_not_matter(question: str) -> None:
    """Upper case reads as lower case, suffixes of numbers aside (a k may be written K)."""
    if re.search(r'"|`|mib|[0-9](?:m|b|k|ki)\b|licen[cs]e|modalities', question, re.IGNORECASE):
        pytest.skip("quoted text and multipliers keep their case")
    shouted = read(question.upper())
    assert shouted.conditions == read(question).conditions
    assert shouted.complete


# The round trip: constraints -> words -> constraints ------------------------------------------------------------------

INSTANTS = ("2026-03-01T00:00:00Z", "2026-05-01T12:30:00.000001Z")
EXTRAS: tuple[dict[str, Any], ...] = (
    {},
    {"scope": {"mode": "batch"}},
    {"scope": {"tier": ">200k", "region": "eu"}},
    {"scope": "any"},
    {"at": datetime(2026, 12, 1, tzinfo=UTC)},
)


def operands(predicate: Predicate) -> tuple[Any, Any]:
    """Two operands of the predicate's kind, the lower first."""
    by_kind: dict[str, tuple[Any, Any]] = {
        "quantity": (Decimal("2.5"), Decimal(100) if predicate.unit == "percent" else Decimal(1048576)),
        "date": INSTANTS,
        "bool": (False, True),
    }
    return by_kind.get(predicate.kind, ("Apache 2.0", "it's: a (test), 5% _ 128K or more"))


def constraints_of(predicate: Predicate, operator: str) -> list[Constraint]:
    """Constraints of one predicate and operator: every operand, another subject's value, scopes, an own instant."""
    low, high = operands(predicate)
    values: dict[str, list[dict[str, Any]]] = {
        "none": [{}],
        "one": [{"value": low}, {"value": high}],
        "two": [{"value": [low, high]}],
        "many": [{"value": [low, high]}],
    }
    given = values[OPERATORS[operator].arity]
    if predicate.kind == "quantity" and given != [{}]:
        given = [{**one, "unit": predicate.unit} for one in given]
    if OPERATORS[operator].arity == "one" and predicate.kind in ("quantity", "date"):
        given = [*given, {"value_of": ValueOf(subject="GPT-5", predicate=predicate.name)}]
    return [
        Constraint(**{"predicate": predicate.name, "operator": operator, **one, **extra})
        for one in given
        for extra in EXTRAS
    ]


def canonical(one: Constraint) -> Constraint:
    """A date that is over another is after it: the one pair of operators with one wording."""
    dated = VOCABULARY.get(one.predicate).kind == "date" and one.value_of is None
    operator = {"gt": "after", "lt": "before"}.get(one.operator, one.operator) if dated else one.operator
    return Constraint(**{**dict(one), "operator": operator})


@pytest.mark.parametrize(
    "predicate",
    [
        pytest.param(one, id=one.name, marks=[pytest.mark.slow] if place % 6 else [])
        for place, one in enumerate(VOCABULARY)
    ],
)
@pytest.mark.parametrize("vocabulary", [None, VOCABULARY], ids=["names", "phrases"])
def test_round_trip(predicate: Predicate, vocabulary: Vocabulary | None) -> None:
    """Every operator of every predicate, said in words, is read back: alone, denied, and as an alternative."""
    other = Constraint(predicate="lts" if predicate.name == "vision" else "vision", operator="is_true")
    plain = {"scope": None, "at": None}
    for operator in allowed_operators(predicate.kind):
        for one in constraints_of(predicate, operator):
            same = canonical(one)
            pairs: list[tuple[Condition, Condition]] = [(one, same)]
            if {"scope": one.scope, "at": one.at} == plain:
                pairs += [
                    (NoneOf(none_of=(one,)), NoneOf(none_of=(same,))),
                    (NoneOf(none_of=(one, other)), NoneOf(none_of=(same, other))),
                    (AnyOf(any_of=(one, other)), AnyOf(any_of=(same, other))),
                ]
            for given_, wanted in pairs:
                words = say(given_, vocabulary)
                assert read(words).conditions == (wanted,), words
                assert read(words).complete, words


SINGLE = st.sampled_from(
    [
        canonical(one)
        for predicate in VOCABULARY
        for operator in allowed_operators(predicate.kind)
        for one in constraints_of(predicate, operator)
    ]
)
TREES: st.SearchStrategy[Condition] = st.recursive(
    SINGLE,
    lambda inner: st.lists(inner, min_size=2, max_size=3).flatmap(
        lambda members: st.sampled_from(("any_of", "none_of", "all_of")).map(
            lambda kind: condition({kind: [m for p, m in enumerate(members) if m not in members[:p]]})
        )
    ),
    max_leaves=6,
)


def flat(given_: Condition) -> Condition:
    """The tree without groups of one, and without groups in groups that mean the same."""
    if isinstance(given_, Constraint):
        return given_
    kind = next(iter(type(given_).model_fields))
    members: list[Condition] = []
    for member in getattr(given_, kind):
        made = flat(member)
        inner = getattr(made, "any_of" if kind == "none_of" else kind, None)
        members.extend(inner or (made,))
    unique = [m for p, m in enumerate(members) if m not in members[:p]]
    return unique[0] if len(unique) == 1 and kind != "none_of" else condition({kind: unique})


@settings(max_examples=150)
@given(TREES)
def test_round_trip_of_groups(tree: Condition) -> None:
    """Any tree of groups keeps its meaning through words, parentheses included."""
    wanted = flat(tree)
    reading = read(say(wanted, VOCABULARY))
    assert reading.complete, (say(wanted), reading.not_understood)
    members = reading.conditions
    back = flat(members[0] if len(members) == 1 else condition({"all_of": list(members)}))
    assert back == wanted, say(wanted)


@pytest.mark.parametrize("question", COMPLETE)
def test_readings_round_trip(question: str) -> None:
    """A whole reading, said in words, is read back with everything it asks."""
    first = read(question)
    again = read(say(first, VOCABULARY))
    for name in Reading.__dataclass_fields__:
        if name not in ("question", "understood", "suggestions"):
            assert getattr(again, name) == getattr(first, name), (name, say(first, VOCABULARY))


# What must not happen -------------------------------------------------------------------------------------------------

SOUP = """context input output price over under at least most or and not no with without between from to in on by of the
    models vision tools EOL released after before since 2026 2026-03-01 Q2 GPT-5 OpenAI Germany VAT 5% $2/M 128K 1M+ ( )
    , ; " ' ` [ ] = >= < as of known cheapest newest three top free when changed history contradictions is than 's
    license MIT stated still available (at ) neither nor either show their sorted limit 7 -5 ٣ \u202e 😀 zzqx"""
WORDS = st.sampled_from(SOUP.split())


@settings(max_examples=400)
@given(st.lists(WORDS, min_size=1, max_size=14).map(" ".join))
def test_any_soup_is_read_or_given_back(text: str) -> None:
    """Whatever the words, the outcome is a reading whose pieces stand in the question, in its order."""
    reading = read(text)
    for piece in reading.not_understood:
        assert piece in reading.question
    starts = [reading.question.find(piece.text) for piece in reading.understood]
    assert all(start >= 0 for start in starts)
    if "zzqx" in text or "٣" in text or "😀" in text:
        assert '"' in text or "`" in text or "license" in text or "[" in text or not reading.complete


@settings(max_examples=150)
@given(st.text(min_size=1, max_size=60))
def test_any_text_ends_in_a_reading_or_a_typed_error(text: str) -> None:
    """Raw text raises nothing but the documented errors."""
    with suppress(QuestionError):
        assert isinstance(read(text), Reading)


def test_limits() -> None:
    """A question above the limit is refused before it is read; an empty one has nothing to read."""
    with pytest.raises(LimitError):
        read("x" * 2_001)
    with pytest.raises(QuestionError, match="empty"):
        read("  \n")


def test_deterministic() -> None:
    """The same question gives the same reading, and nothing but `now` enters it."""
    question = "200k+ context as of yesterday"
    assert read(question) == read(question)
    later = read_question(question, VOCABULARY, NAMES, now=NOW + 86_400_000_000 * TICK)
    assert later.as_of == datetime(2026, 11, 29, tzinfo=UTC)


# Names ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "subjects"),
    [
        ("gpt 5 input price", ("GPT-5",)),
        ("GPT_5's input price", ("GPT-5",)),
        ("CLAUDE-SONNET-4-5 input price", ("Claude Sonnet 4.5",)),
        ("GPT-5.1 input price", ()),
        ("GPT-50 input price", ()),
        ("xGPT-5 input price", ()),
        ("GPT-5-mini input price", ()),
    ],
)
def test_names_end_at_word_boundaries(question: str, subjects: tuple[str, ...]) -> None:
    """A name is recognised in any case and with any separator, but never inside a longer name."""
    reading = read(question)
    assert reading.subjects == subjects
    assert reading.complete == bool(subjects)


def test_longest_name_wins() -> None:
    """Where one name begins another, the longer one is meant."""
    names = Names(subjects=("GPT-5", "GPT-5 mini", "GPT-5 mini high"))
    assert read("GPT-5 mini input price", names).subjects == ("GPT-5 mini",)


def test_exact_spelling_settles_between_folded_names() -> None:
    """Two names that fold to one spelling are told apart by the exact one; any other spelling is given back."""
    names = Names(subjects=("opus-4.1", "opus 4-1"))
    assert read("opus-4.1 input price", names).subjects == ("opus-4.1",)
    assert read("opus 4.1 input price", names).not_understood == ("opus 4.1",)


def test_common_words_are_names_only_in_their_own_case() -> None:
    """A provider called Go or a subject called Vision does not swallow the words go and vision."""
    names = Names(subjects=("Vision", "Over"), providers=("With",))
    reading = read("models with vision, context over 1M", names)
    assert reading.complete
    assert (reading.subjects, reading.providers, len(reading.conditions)) == ((), (), 2)


def test_aliases_and_adjectives_of_countries() -> None:
    """Other spellings stand for the stored name; a country's adjective only where the base knows the country."""
    names = Names(subjects=("Germany",), providers=("Node.js",), aliases=(("Node", "Node.js"), ("Ghost", "Nobody")))
    assert read("newest LTS of Node", names).providers == ("Node.js",)
    assert read("German VAT", names).subjects == ("Germany",)
    assert not read("French VAT", names).complete
    assert not read("newest LTS of Ghost", names).complete


def test_many_names_are_indexed_once() -> None:
    """Ten thousand subjects cost one index, and the names among them are still found."""
    names = Names(subjects=tuple(f"model-{number}" for number in range(10_000)))
    for number in (7, 77, 9999):
        assert read(f"model-{number} input price", names).subjects == (f"model-{number}",)


# The vocabulary decides -----------------------------------------------------------------------------------------------


def test_words_of_two_predicates_are_refused_naming_both() -> None:
    """A phrase that names two predicates is given back with both names, never settled."""
    words = ("rate",)
    vocabulary = Vocabulary(
        [
            Predicate("standard_rate", "quantity", unit="percent", words=words),
            Predicate("reduced_rate", "quantity", unit="percent", words=words),
        ]
    )
    reading = read_question("rate over 5%", vocabulary, NAMES, now=NOW)
    assert not reading.complete
    assert set(reading.suggestions) >= {"standard_rate", "reduced_rate"}


def test_dated_aliases_are_no_words() -> None:
    """An alias that ended is a name of stored claims, no word of a question."""
    assert read("which models support vision").complete


def test_unknown_pack_words_are_not_assumed() -> None:
    """Without a price in the vocabulary neither "free" nor "input" means anything."""
    vocabulary = Vocabulary([Predicate("vision", "bool", words=("vision",))])
    reading = read_question("free models with vision", vocabulary, NAMES, now=NOW)
    assert reading.not_understood == ("free",)


def test_suggestions_name_the_nearest_predicate() -> None:
    """A typo is answered with the predicate it resembles, never with another one."""
    reading = read("contxt windwo >= 200k")
    assert reading.suggestions[0] == "context_window"
    assert reading.conditions == ()


def test_price_without_direction_names_both() -> None:
    """Input or output must be said; both are offered."""
    assert read("under $2/M").suggestions == ("input_price", "output_price")
