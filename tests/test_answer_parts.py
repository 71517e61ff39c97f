from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from builder import World, day

from claimbase.answers import Answer, answer
from claimbase.answers.words import Held, interval
from claimbase.temporal import Basis
from claimbase.vocabulary import Alias, Predicate

PRICE = Predicate("price", "quantity", unit="usd", direction="lower", stale_after=30)
WINDOW = Predicate("window", "quantity", unit="token", direction="higher", tolerance=Decimal("0.055"), stale_after=90)
SCORE = Predicate("score", "quantity", unit="percent", requires=("method",))
NAME = Predicate("license", "text")
SEEN = Predicate("vision", "bool")
EOL = Predicate("eol", "date")
BATCH = {"mode": "batch"}


def ask(world: World, *conditions: Any, at: Any = None, **options: Any) -> Answer:
    """Answer on day 100, as of now on the other axes."""
    db = world.build()
    try:
        return answer(db, world.vocabulary, list(conditions), world.basis(at or day(100)), **options)
    finally:
        db.close()


def priced(*prices: int, unit: str = "usd", **options: Any) -> World:
    """Return a world of subjects A, B, C .. with these prices."""
    world = World([PRICE, WINDOW, SCORE, NAME, SEEN, EOL])
    for name, price in zip("ABCDEFGH", prices, strict=False):
        world.claim(name, "price", price, unit=unit, **options)
    return world


# -- scopes, methods, names ----------------------------------------------------------------------------------------


def scoped() -> World:
    """A has a dear price and a cheap one in batch mode; B has the batch price only."""
    world = priced(30)
    world.claim("A", "price", 5, unit="usd", scope=BATCH)
    world.claim("B", "price", 8, unit="usd", scope=BATCH)
    return world


def test_without_a_scope_only_claims_without_one_decide() -> None:
    """Q6: scoped claims are mentioned and do not answer the unscoped question."""
    result = ask(scoped(), "price <= 10", everyone=True)
    assert result.verdicts() == {"A": ("failed",), "B": ("no_evidence",)}
    assert [one.verdicts[0].mentioned for one in result.others] == [(BATCH,), (BATCH,)]
    assert [one.verdicts[0].reason for one in result.others] == [None, "claims in other scopes only"]
    assert result.notes == ("claims in other scopes did not decide: mode=batch",)


def test_a_scope_means_exactly_that_scope() -> None:
    """Q6: scope={..} asks the slots of that scope and no other; an unknown scope has no evidence."""
    assert ask(scoped(), "price[mode=batch] <= 6", everyone=True).verdicts() == {"A": ("met",), "B": ("failed",)}
    assert ask(scoped(), "price[mode=flex] <= 6", everyone=True).verdicts() == {
        "A": ("no_evidence",),
        "B": ("no_evidence",),
    }


def test_any_scope_takes_the_best_slot_and_names_it() -> None:
    """Q6: scope="any" gives the best verdict of any slot, which is named."""
    result = ask(scoped(), "price[any] <= 10", everyone=True)
    assert {one.subject: (one.verdicts[0].verdict, one.verdicts[0].scopes) for one in result.subjects()} == {
        "A": ("met", (BATCH,)),
        "B": ("met", (BATCH,)),
    }
    assert [one.value for one in result.supporting] == ["5", "8"]


def test_a_score_without_its_method_says_nothing() -> None:
    """P3: a score whose scope lacks the required method is shown and never compared."""
    world = World([SCORE])
    world.claim("A", "score", 90, unit="percent", scope={"effort": "high"})
    world.claim("B", "score", 90, unit="percent", scope={"method": "pass@1"})
    result = ask(world, "score[any] >= 80", everyone=True)
    assert result.verdicts() == {"A": ("no_evidence",), "B": ("met",)}
    assert [(one.subject, one.role) for one in result.citations] == [("B", "yes"), ("A", "no_method")]
    assert result.others[0].verdicts[0].reason == "no method stated"
    assert result.counts["no_method"] == 1


def test_names_of_one_predicate_are_one_slot() -> None:
    """P2: claims under an alias decide with those under the predicate's own name."""
    world = World([Predicate("price", "quantity", unit="usd", aliases=(Alias("cost"),)), Predicate("other", "text")])
    world.claim("A", "price", 5, unit="usd", source="s1")
    world.claim("A", "cost", 50, unit="usd", source="s2")
    world.claim("B", "cost", 5, unit="usd")
    assert ask(world, "price <= 10", everyone=True).verdicts() == {"A": ("disputed",), "B": ("met",)}


def test_merged_predicates_are_one() -> None:
    """P2: a predicate that was given another name counts as the one it stands for."""
    world = World([PRICE, Predicate("cost", "quantity", unit="usd")])
    world.claim("A", "cost", 50, unit="usd")
    world.add("alias", "predicate", world.predicate("cost"), world.predicate("price"), False, day(10))
    assert ask(world, "price <= 10", everyone=True).verdicts() == {"A": ("failed",)}


@pytest.mark.slow
def test_merged_subjects_are_one_from_the_merge_on() -> None:
    """P2: answers stay split before a merge is recorded, both names are one after it, an undone merge splits."""
    world = World([PRICE], now=day(300))
    world.claim("A", "price", 5, unit="usd", source="s1")
    world.claim("A 2", "price", 50, unit="usd", source="s2")
    world.add("alias", "subject", world.subject("A 2"), world.subject("A"), False, day(120))
    world.add("alias", "subject", world.subject("A 2"), world.subject("A"), True, day(200))
    db = world.build()

    def verdicts(known: int) -> dict[str, tuple[str, ...]]:
        basis = world.basis(day(100), None, day(known))
        return answer(db, world.vocabulary, "price <= 10", basis, everyone=True).verdicts()

    split = {"A": ("met",), "A 2": ("failed",)}
    assert [verdicts(110), verdicts(150), verdicts(250)] == [split, {"A": ("disputed",)}, split]


def test_claims_in_another_unit_or_unread_are_counted_and_say_nothing() -> None:
    """V2: another unit is incomparable, an unread value unread; each is counted once however many tests hear it."""
    world = priced(5)
    world.claim("B", "price", 5, unit="eur")
    world.claim("C", "price", "dear", bounds=(None, None), unit="usd")
    result = ask(world, "price <= 10", "price >= 1", everyone=True)
    assert result.verdicts() == {"A": ("met", "met"), "B": ("no_evidence",) * 2, "C": ("no_evidence",) * 2}
    assert (result.counts["incomparable"], result.counts["unread"], result.counts["claims"]) == (1, 1, 3)
    assert [one.verdicts[0].reason for one in result.others] == [
        "values in another unit",
        "values that could not be read",
    ]


# -- operators on texts, sets and dates ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "met"),
    [
        ('license contains "50%"', "C"),
        ('license contains "_"', "D"),
        (r'license contains "\\"', "E"),
        ("license starts_with mit", "AB"),
        ("license = MIT", "A"),
        ("license != MIT", "BCDE"),
        ("license in MIT, mit-0", "AB"),
    ],
)
def test_text_operators_are_literal_and_folded(text: str, met: str) -> None:
    """V7, X41: texts compare folded; what is a wildcard elsewhere is a letter here."""
    world = World([NAME])
    for name, value in zip("ABCDE", ("MIT", "MIT-0", "50% off", "a_b", "a\\b"), strict=True):
        world.claim(name, "license", value, key=value.casefold(), bounds=(None, None))
    assert "".join(one.subject for one in ask(world, text).eligible) == met


def test_a_set_contains_whole_members_only() -> None:
    """V8: contains asks for a member of the list, not for a piece of its text."""
    world = World([Predicate("modes", "set")])
    world.claim("A", "modes", "audio, text", key='["audio", "text"]', bounds=(None, None))
    world.claim("B", "modes", "audiobook", key='["audiobook"]', bounds=(None, None))
    assert ask(world, "modes contains Audio", everyone=True).verdicts() == {"A": ("met",), "B": ("failed",)}


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        ("eol before 2026-03", "met met failed failed possible"),
        ("eol after 2026-03", "failed failed failed met possible"),
        ("eol >= 2026-03", "failed failed met met possible"),
        ("eol <= 2026-03", "met met met failed possible"),
        ("eol = 2026-03", "failed failed met failed possible"),
        ("eol between 2026-02-28 and 2026-03-31", "failed met met failed possible"),
        ("eol between 2026-02-27 and 2026-02-28", "failed failed failed failed possible"),
    ],
)
def test_dates_compare_with_whole_periods(text: str, verdicts: str) -> None:
    """Q14: before and after a period mean all of it; between is half-open for dates; a vague date is possible."""
    world = World([EOL])
    instants = (day(0), day(58), day(70), day(100))
    for name, moment in zip("ABCD", instants, strict=True):
        seconds = int(moment.timestamp())
        world.claim(name, "eol", moment.date().isoformat(), bounds=(seconds, seconds))
    year = tuple(int(moment.timestamp()) for moment in (day(0), day(365)))
    world.claim("E", "eol", "2026", bounds=year, opens=(False, True))
    found = ask(world, text, everyone=True).verdicts()
    assert [found[name][0] for name in "ABCDE"] == verdicts.split()


def test_truth_values() -> None:
    """Q7: is_true and is_false are decided by the value stated; a single predicate needs no complete list."""
    world = World([SEEN])
    world.claim("A", "vision", "yes", bounds=(1, 1), key="true")
    world.claim("B", "vision", "no", bounds=(0, 0), key="false")
    world.claim("C", "vision", "none", absent=True)
    result = ask(world, "vision is_true", "vision is_false", "vision = true", everyone=True).verdicts()
    assert result == {"A": ("met", "failed", "met"), "B": ("failed", "met", "failed"), "C": ("absent",) * 3}


# -- another subject's value, an own instant -----------------------------------------------------------------------


def test_an_operand_may_be_another_subjects_value() -> None:
    """Q14: the other value's worst bound for the wish decides, and its claim is cited."""
    world = priced(5, 10, 12)
    world.claim("D", "price", "10-20", bounds=(10, 20), unit="usd")
    cheaper, dearer = ask(world, "price < value_of(D)"), ask(world, "price > value_of(D)", everyone=True)
    assert [one.subject for one in cheaper.eligible] == ["A"]
    assert dearer.verdicts() == dict.fromkeys("ABCD", ("failed",))
    assert [(one.subject, one.role, one.value) for one in cheaper.operands] == [("D", "operand", "10-20")]
    assert cheaper.plan[0].name == "operand"


@pytest.mark.parametrize(
    ("other", "reason"),
    [("X", "price of 'X' is missing"), ("B", "price of 'B' is disputed or cannot be compared")],
)
def test_a_disputed_or_missing_operand_is_no_evidence(other: str, reason: str) -> None:
    """Q14: if the other value is disputed or missing the verdict is no_evidence with that reason."""
    world = priced(5, 10)
    world.claim("B", "price", 20, unit="usd", source="s2")
    result = ask(world, f"price < value_of({other})", everyone=True)
    assert result.verdicts() == {"A": ("no_evidence",), "B": ("no_evidence",)}
    assert result.others[0].verdicts[0].reason == reason
    assert result.notes == (reason,)


def test_roundings_of_one_operand_are_its_worst_bound() -> None:
    """Q14, V4: two roundings within the tolerance are one value; the worse one decides."""
    world = World([WINDOW])
    world.claim("A", "window", 1_000_000, unit="token", source="s1")
    world.claim("A", "window", 1_048_576, unit="token", source="s2")
    world.claim("B", "window", 1_020_000, unit="token")
    world.claim("C", "window", 1_050_000, unit="token")
    found = ask(world, "window > value_of(A)", subjects=["B", "C"]).verdicts()
    assert found == {"B": ("failed",), "C": ("met",)}


def test_a_constraint_may_carry_its_own_instant() -> None:
    """Q14: "still available on D" beside a price now; each constraint is asked at its own instant."""
    world = priced(5, 5)
    world.claim("A", "vision", "yes", bounds=(1, 1), key="true")
    world.claim("B", "vision", "yes", bounds=(1, 1), key="true", end=(day(150), day(150)))
    result = ask(world, "price <= 10", "vision is_true @ 2026-07-20", "vision is_true", everyone=True)
    assert result.verdicts() == {"A": ("met",) * 3, "B": ("met", "no_evidence", "met")}


# -- bounds in words -----------------------------------------------------------------------------------------------

A, B, C, D = day(1), day(2), day(200), day(201)
AT = Basis(day(100), day(100), day(100), day(100), None)


@pytest.mark.parametrize(
    ("bounds", "words"),
    [
        ((A, A, None, None), "since 2026-01-02, no end stated"),
        ((A, B, None, None), "since between 2026-01-02 and 2026-01-03, no end stated"),
        ((None, A, None, None), "since 2026-01-02 or earlier, no end stated"),
        ((A, None, None, None), "not before 2026-01-02, no end stated"),
        ((None, None, None, None), "since an unknown time, no end stated"),
        ((A, A, B, B), "since 2026-01-02, ended on 2026-01-03"),
        ((A, A, C, C), "since 2026-01-02, ends on 2026-07-20"),
        ((A, A, C, D), "since 2026-01-02, ends between 2026-07-20 and 2026-07-21"),
        ((A, A, B, None), "since 2026-01-02, end unknown, at least until 2026-01-03"),
    ],
)
def test_bounds_in_words(bounds: tuple[Any, ...], words: str) -> None:
    """A5, T1: a stated interval is told by its bounds; an end that is to come ends, one that has come ended."""
    assert interval(Held(*bounds, dated=True, bounded=True), AT) == words


def test_an_end_nobody_stated_is_unconfirmed() -> None:
    """T6: where no document names an end, what a source no longer says is not confirmed since."""
    held = Held(A, A, B, None, dated=False, bounded=False)
    assert interval(held, AT) == "since 2026-01-02, unconfirmed since 2026-01-03"
