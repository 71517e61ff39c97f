"""The drawing of valid time: columns are instants, solid is certain, light is possible."""

from __future__ import annotations

from typing import Any

import pytest

from claimbase.present.clocks import CERTAIN, NOW, POSSIBLE, draw


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
