"""The drawing of valid time: columns are instants, solid is certain, light is possible."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import pytest
from kit import Ticking, base, claim, day, only_claim
from rows import Builder, basis, moment

from claimbase.analysis.history import history
from claimbase.analysis.knowledge import State
from claimbase.errors import InputError
from claimbase.present.clocks import CERTAIN, NOW, POSSIBLE, draw, draw_knowledge


def segment(value: str, certain: Any, possible: Any, **other: Any) -> dict[str, Any]:
    """Lay out one segment as a history gives it."""
    stretches = [one and dict(zip(("from", "until"), one, strict=True)) for one in (certain, possible)]
    return {
        "subject": "Lark 2", "predicate": "price", "scope": {}, "value": value, "polarity": "stated",
        "status": "current", "doubt": None, "certain": stretches[0], "possible": stretches[1],
    } | other  # fmt: skip


def drawn(*segments: dict[str, Any], at: str = "2026-01-01T00:00:00Z", width: int = 50) -> list[str]:
    """Draw some segments and cut the label off each line."""
    lines = draw({"segments": list(segments), "basis": {"valid_at": at}}, width=width).splitlines()
    return [line[34:] for line in lines]


def test_certain_solid_possible_light_open_ends_run_on() -> None:
    """T2, T5, T8: before the first reading light, then solid, then the window of change; arrows where it goes on."""
    first = ("2024-01-01T00:00:00Z", "2025-01-01T00:00:00Z")
    ruler, bar, later = drawn(
        segment("$3", first, (None, "2025-07-01T00:00:00Z")),
        segment("$2", ("2025-07-01T00:00:00Z", None), ("2025-01-01T00:00:00Z", None)),
        at="2026-09-01T00:00:00Z",
    )
    assert ruler.split() == ["2024", "2025", "2026"]
    assert bar[0] == "←"
    assert "→" not in bar
    assert (later[0], later[-1]) == (" ", "→")
    assert bar.index(CERTAIN) == ruler.index("2024")
    assert later.index(POSSIBLE) == ruler.index("2025")
    assert bar.rindex(POSSIBLE) < later.index(CERTAIN)


def test_touching_segments_share_no_column() -> None:
    """B2: where one ends the next begins."""
    turn = "2025-07-01T00:00:00Z"
    one = ("2024-01-01T00:00:00Z", turn)
    other = (turn, "2026-12-01T00:00:00Z")
    _, first, second = drawn(segment("$3", one, one), segment("$2", other, other), at="2026-11-01T00:00:00Z")
    assert first.rindex(CERTAIN) + 1 == second.index(CERTAIN)


def test_the_basis_is_marked_in_every_bar() -> None:
    """A3: the stroke stands at valid_at, in the past of a bar, in it, or beyond it."""
    held = ("2024-01-01T00:00:00Z", "2025-01-01T00:00:00Z")
    for at in ("2023-06-01T00:00:00Z", "2024-06-01T00:00:00Z", "2026-06-01T00:00:00Z"):
        _, one, other = drawn(segment("$3", held, held), segment("$2", held, held), at=at)
        assert one.index(NOW) == other.index(NOW)


@pytest.mark.parametrize("width", [1, 16, 200])
def test_no_line_is_longer_than_asked(width: int) -> None:
    """Every line fits: label, two arrows, the bar; one instant and the ends of the calendar are drawn too."""
    always = ("0001-01-02T00:00:00Z", None)
    ends = ("9999-12-29T00:00:00Z", "9999-12-30T00:00:00Z")
    for stretch in (always, ends, ("2025-01-01T00:00:00Z", "2025-01-01T00:00:00.000001Z")):
        lines = drawn(segment("x" * 90, stretch, stretch), width=width)
        assert max(map(len, lines)) <= max(16, width) + 2
        assert CERTAIN in lines[1]


def test_texts_of_others_are_made_harmless() -> None:
    """M6: a value cannot command the terminal; slots and scopes are named, erased and absent claims too."""
    held = ("2024-01-01T00:00:00Z", None)
    text = draw({
        "segments": [
            segment("\x1b[31m$3\n", held, held, scope={"mode": "batch"}), segment("-", held, held, polarity="absent"),
            {**segment("", held, held), "value": None},
        ],
        "basis": {"valid_at": "2026-01-01T00:00:00Z"},
    })  # fmt: skip
    assert "\x1b" not in text
    assert text.startswith("Lark 2 price [mode=batch]")
    assert "absent" in text
    assert "erased" in text
    assert draw({"segments": [], "basis": {"valid_at": "2026-01-01T00:00:00Z"}}) == "nothing to draw"


# -- two clocks ------------------------------------------------------------------------------------------------------


def state(since: str, *beliefs: dict[str, Any], **other: Any) -> dict[str, Any]:
    """Lay out what was believed from an instant on, as a history gives it."""
    slot = {"provider": "Norden AI", "subject": "Lark 2", "predicate": "price", "scope": {}}
    return (
        slot | {"since": since, "beliefs": [{"value_key": one["value"], "unit": None} | one for one in beliefs]} | other
    )


def told(*states: dict[str, Any], at: str = "2027-06-01T00:00:00Z", width: int = 48) -> list[str]:
    """Draw some states and cut the label off each line that has bars."""
    data = {"by": "recorded", "states": list(states), "basis": {"valid_at": at}}
    return [line if " = " in line else line[34:] for line in draw_knowledge(data, width=width).splitlines()]


def test_one_line_for_each_state_of_knowledge() -> None:
    """A2, H1: valid time across, knowledge down; what was learned late is seen only from the line on that knew it."""
    year, later = ("2025-01-01T00:00:00Z", "2026-01-01T00:00:00Z"), ("2026-01-01T00:00:00Z", None)
    always = ("2025-01-01T00:00:00Z", None)
    ruler, first, second, legend = told(
        state("2025-02-01T00:00:00Z", segment("$3", always, always)),
        state("2026-03-01T00:00:00Z", segment("$3", year, year), segment("$2", later, later)),
    )
    assert ruler.split() == ["2025", "2026", "2027"]
    assert set(first) == {" ", "A", NOW, "→"}
    assert first.index("A") == second.index("A") == ruler.index("2025")
    assert second.index("B") == second.rindex("A") + 1 == ruler.index("2026")
    assert legend == "  A = $3, B = $2"


def test_small_letters_and_marks_say_what_is_open() -> None:
    """T2, K1: small where a value may hold, ? where several may, ! where several certainly do; certain goes first."""
    one = segment(
        "$3", ("2025-01-01T00:00:00Z", "2025-07-01T00:00:00Z"), ("2025-01-01T00:00:00Z", "2026-01-01T00:00:00Z")
    )
    other = segment("$2", ("2026-01-01T00:00:00Z", None), ("2025-07-01T00:00:00Z", None))
    third = segment("$9", None, ("2026-06-01T00:00:00Z", None))
    clash = segment("$4", ("2026-09-01T00:00:00Z", None), ("2026-09-01T00:00:00Z", None))
    _, line, _, legend = told(
        state("2026-02-01T00:00:00Z", one, other, third, clash), state("2026-03-01T00:00:00Z", third)
    )
    assert [mark for mark, _ in groupby(line) if mark not in " →│"][:4] == ["A", "?", "B", "!"]
    assert legend == "  A = $3, B = $2, C = $9, D = $4"


def test_withdrawn_knowledge_leaves_an_empty_line() -> None:
    """A3: from the instant on at which all was withdrawn nothing is believed; texts of others are harmless (M6)."""
    held = ("2025-01-01T00:00:00Z", None)
    _, first, second, legend = told(
        state("2025-02-01T00:00:00Z", segment("\x1b[2J", held, held)), state("2026-03-01T00:00:00Z")
    )
    assert "A" in first
    assert second.strip() == NOW
    assert "\x1b" not in legend
    assert draw_knowledge({"by": "recorded", "states": [], "basis": {"valid_at": "2026-01-01T00:00:00Z"}}) == (
        "nothing to draw"
    )


def test_more_values_than_letters() -> None:
    """Every value is drawn; those beyond the alphabet share one mark."""
    ones = [
        segment(str(n), *[(f"20{n:02}-01-01T00:00:00Z", f"20{n + 1:02}-01-01T00:00:00Z")] * 2) for n in range(10, 40)
    ]
    _, line, legend = told(state("2041-01-01T00:00:00Z", *ones), at="2041-01-01T00:00:00Z", width=120)
    assert "Z" in line
    assert line.index("#") > line.index("Z")
    assert "# = 39" in legend


def believed(states: tuple[State, ...]) -> list[tuple[str, list[tuple[str | None, Any]]]]:
    """Give each state as its day and its values with the day from which each is certain."""
    return [
        (
            f"{one.since:%m-%d}",
            [(b.value, b.certain and b.certain.start and f"{b.certain.start:%m-%d}") for b in one.beliefs],
        )
        for one in states
    ]


@pytest.mark.slow
def test_states_of_knowledge_are_the_histories_of_their_bases() -> None:
    """A1, H1: a state is what a history at its instant gives, withdrawn claims left out; equal neighbours are one."""
    builder = Builder()
    builder.declare("price", unit="usd_per_mtok")
    early: dict[str, Any] = {"start": "2026-01-01", "observed": "2026-01-05"}
    builder.claim("$3", **early, retracted="2026-03-22", kind="replaced")
    builder.claim("$3", **early, observed_until="2026-03-22", recorded="2026-03-22")
    builder.claim("$3", **early, cut="2026-03-01", observed_from="2026-03-22", recorded="2026-03-22")
    builder.claim("$2", start="2026-03-01", observed="2026-03-22", retracted="2026-04-20")
    builder.claim("3.00", start="2026-01-01", end="2026-02-01", observed="2026-05-05", source="b")
    db = builder.build()
    for by, field in (("observed", "observed_by"), ("recorded", "recorded_by")):
        found = history(db, basis(), "Lark 2", "price", by=by)
        assert found.by == by
        for one in found.states:
            then = history(db, basis(**{field: one.since}), "Lark 2", "price")
            assert [(b.value_key, b.certain, b.possible) for b in one.beliefs] == [
                (s.value_key, s.certain, s.possible) for s in then.segments if s.status != "retracted"
            ]
    assert believed(found.states) == [
        ("01-05", [("$3", "01-01")]), ("03-22", [("$3", "01-01"), ("$2", "03-01")]), ("04-20", [("$3", "01-01")]),
    ]  # fmt: skip
    assert history(db, basis(), "Lark 2", "price").states == ()
    assert moment("2026-05-05") not in [one.since for one in found.states]  # the same value again says nothing new
    with pytest.raises(InputError) as caught:
        history(db, basis(), "Lark 2", by="valid")
    assert caught.value.code == "bad_axis"


@pytest.mark.slow
def test_a_history_draws_itself_on_one_clock_or_two() -> None:
    """H1: without a second axis the segments are drawn; with one, every write that changed the slot has its line."""
    kb = base(Ticking())
    kb.add(claim("$3", day(1), effective_from=day(1)))
    first = only_claim(kb)
    kb.retract(first, reason="the page was a draft")
    found = kb.history("Lark 2", "price")
    assert found.draw() == draw(found.to_json())
    assert "states" not in found.to_json()
    (gone,) = found.segments
    assert (gone.status, gone.became) == ("retracted", ("retracted",))
    lines = kb.history("Lark 2", "price", by="recorded").draw(width=40).splitlines()
    assert [line[2:10] for line in lines[1:3]] == ["recorded", "recorded"]
    assert ("A" in lines[1][34:], "A" in lines[2][34:]) == (True, False)
