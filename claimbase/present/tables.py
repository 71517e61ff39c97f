"""Results as text for people: each function takes the plain data of one result and gives a page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from claimbase.present.page import Page
from claimbase.present.words import Data, bounds, counted, interval, quantity, said, scope, slot_name

NEAR_SHOWN = 10
"""How many near misses a page shows; the others are counted."""
CLAIMS_SHOWN = 3
"""How many claims a page shows for one value; the others are counted."""

STYLES = {"met": "green", "failed": "red", "disputed": "yellow", "possible": "cyan"}
_BUCKETS = (
    ("eligible", "Eligible"),
    ("disputed", "Disputed"),
    ("possible", "Possible"),
    ("near_misses", "Near misses"),
)
_AGES = ("newest", "oldest", "last_seen", "next_stale_at")
_DECIDING = ("yes", "no", "maybe", "absence")
_LONGEST_QUOTE = 300


# -- answers ---------------------------------------------------------------------------------------------------------


def reading(page: Page, data: Data) -> None:
    """Show how a question in words was read, piece by piece, and what was not understood."""
    page.head("Understood")
    if data["understood"]:
        page.table(("words", "read as"), [(one["text"], one["reading"]) for one in data["understood"]])
    else:
        page.line("nothing", indent=2)
    if data["not_understood"]:
        page.head("Not understood")
        for piece in data["not_understood"]:
            page.line(piece, indent=2)
    if data.get("suggestions"):
        page.line(f"perhaps meant: {', '.join(data['suggestions'])}", indent=2)


def answer(page: Page, data: Data) -> None:
    """Show an answer: the sentence, the buckets with their evidence, freshness, plan and basis (Q3, Q4, Q8, Q9)."""
    page.head(data["summary"])
    page.line(" and ".join(data["constraints"]), indent=2, style="dim")
    for name, title in _BUCKETS:
        subjects = data[name]
        if subjects:
            number = data["counts"].get(name)
            page.head(
                f"{title} ({len(subjects)})"
                if number in (None, len(subjects))
                else f"{title} ({len(subjects)} of {number})"
            )
            shown = subjects[:NEAR_SHOWN] if name == "near_misses" else subjects
            for one in shown:
                _subject(page, one, near=name == "near_misses")
            more(page, len(subjects) - len(shown), "near miss", "near misses", indent=2)
    _operands(page, data["operands"])
    _notes(page, data["notes"])
    _answer_freshness(page, data["freshness"])
    page.head("Plan")
    page.table(("step", "rows", "what it does"), [(one["name"], one["rows"], one["title"]) for one in data["plan"]])
    basis(page, data["basis"])


def _subject(page: Page, data: Data, *, near: bool) -> None:
    page.line(f"{data['subject']} ({data['provider']})", indent=2, style="bold")
    for number, verdict in enumerate(data["verdicts"]):
        if near and verdict["verdict"] == "met":
            continue
        page.line(_verdict(verdict), indent=4, style=STYLES.get(verdict["verdict"], ""))
        cited = [one for one in data["citations"] if one["constraint"] == number]
        disputed = verdict["verdict"] == "disputed"  # both sides are shown, however many speak for one
        citations(page, cited, indent=6, most=len(cited) if disputed else CLAIMS_SHOWN)
    beside = [one for one in data["citations"] if one["constraint"] is None]
    if beside and not near:
        page.line("also", indent=4)
        citations(page, beside, indent=6)


def _verdict(data: Data) -> str:
    reason = f" ({data['reason']})" if data.get("reason") else ""
    scopes = [scope(one) for one in data.get("mentioned", ())]
    mentioned = f"; not counted: claims for {', '.join(scopes)}" if scopes else ""
    by = f" by {data['value']}" if data.get("value") and data["verdict"] in ("met", "failed") else ""
    return f"{data['constraint']}: {data['verdict']}{by}{reason}{mentioned}"


def _operands(page: Page, data: Sequence[Data]) -> None:
    if data:
        page.head("Compared with")
        citations(page, data, indent=2)


def _notes(page: Page, notes: Sequence[str]) -> None:
    if notes:
        page.head("Notes")
        for note in notes:
            page.line(note, indent=2)


def _answer_freshness(page: Page, data: Data) -> None:
    page.head("Freshness")
    if data["newest"] is None:
        page.line("no supporting claims", indent=2)
        return
    page.line(f"supporting claims were last seen between {data['oldest']} and {data['newest']}", indent=2)
    page.line(f"{data['stale']} stale at {data['at']}", indent=2)
    rows = [
        (name, one.get("stale"), one.get("stale_after"), _day(one.get("newest")), _day(one.get("oldest")))
        for name, one in data["by_predicate"].items()
    ]
    page.table(("predicate", "stale", "after days", "newest", "oldest"), rows)


def basis(page: Page, data: Data) -> None:
    """Show the instants an answer speaks of (A1-A6)."""
    page.head("Basis")
    ahead = " (not yet come: projected)" if data.get("projected") else ""
    page.line(f"as of {data['valid_at']}{ahead}", indent=2)
    page.line(f"observed by {data['observed_by']}, recorded by {data['recorded_by']}, batch {data['batch']}", indent=2)


# -- claims ----------------------------------------------------------------------------------------------------------


def citations(page: Page, cited: Sequence[Data], *, indent: int, most: int = CLAIMS_SHOWN) -> None:
    """Show the first claims, those that decide before those that only stand beside."""
    ranked = sorted(cited, key=_weight)
    for one in ranked[:most]:
        citation(page, one, indent=indent)
    more(page, len(ranked) - most, indent=indent)


def _weight(data: Data) -> tuple[bool, bool]:
    return data.get("role", "yes") not in _DECIDING, not data.get("certain", True)


def citation(page: Page, data: Data, *, indent: int = 2) -> None:
    """Show one claim with its value, quote, source and dates (Q4)."""
    page.line(_value(data), indent=indent)
    if data.get("quote"):
        proof = f"  [{data['evidence']}]" if data.get("evidence") else ""
        page.line(f"“{_cut(data['quote'])}”{proof}", indent=indent + 2)
    about = ", ".join(str(data[name]) for name in ("title", "publisher") if data.get(name))
    page.line(f"{data['url']}  ({about})" if about else data["url"], indent=indent + 2, style="dim")
    page.line(_dates(data), indent=indent + 2, style="dim")
    for flag in data.get("flags") or ():
        page.line(f"warning: {flag}", indent=indent + 2, style="red")


def _value(data: Data) -> str:
    if data.get("polarity") == "absent":
        value = "the page offers none"
    else:
        value = "erased" if data["value"] is None else str(data["value"])
        if meant := quantity(data):
            value += f" {data['unit']}" if meant == value else f" = {meant} {data['unit']}"
    role = data.get("role")
    aside = [] if role in (None, "yes") else [str(role).replace("_", " ")]
    if qualifiers := scope(data.get("scope")):
        aside.append(qualifiers)
    if data.get("reason"):
        aside.append(str(data["reason"]))
    beside = f"  [{', '.join(aside)}]" if aside else ""
    return f"{data['predicate']} {value}{beside}"


def _dates(data: Data) -> str:
    parts = [f"observed {data['observed_at']}"]
    if data.get("last_seen") not in (None, data["observed_at"]):
        parts.append(f"last seen {data['last_seen']}")
    if data.get("published_at"):
        parts.append(f"published {data['published_at']}")
    parts.append(f"holds {data.get('valid') or bounds(data)}")
    return ", ".join([*parts, str(data["claim_id"])])


def claims(page: Page, rows: Sequence[Data]) -> None:
    """Show a list of claims, one block each."""
    for row in rows:
        page.head(f"{row['subject']} ({row['provider']})")
        citation(page, row)
    if not rows:
        page.line("no claims")


def reviews(page: Page, rows: Sequence[Data]) -> None:
    """Show which pages somebody should look at (W2)."""
    for row in rows:
        page.head(f"{row['subject']} ({row['provider']}) · {row['predicate']}: {row['value']}")
        page.line(f"{row['url']} as read {row['observed_at']}: {row['reason']}", indent=2)
        page.line(f"{row['claim_id']}, task {row['task_id']}: {row['decision']}", indent=2, style="dim")
    if not rows:
        page.line("nothing to review")


def claim(page: Page, data: Data) -> None:
    """Show one claim whole: what it says, its versions and its readings (B1, B6)."""
    page.head(f"{data['claim_id']}: {data['subject']} ({data['provider']})")
    apart = ("claim_id", "subject", "provider", "versions", "readings")
    for name, value in data.items():
        if name not in apart and value not in (None, "", "{}", []):
            page.line(f"{name}: {', '.join(value) if isinstance(value, list) else value}", indent=2)
    for title, rows in (("Versions", data["versions"]), ("Readings", data["readings"])):
        page.head(f"{title} ({len(rows)})")
        if rows:
            columns = [name for name in rows[0] if name != "quote" and any(row[name] is not None for row in rows)]
            page.table(columns, [[row[name] for name in columns] for row in rows])


# -- analysis --------------------------------------------------------------------------------------------------------


def history(page: Page, data: Data) -> None:
    """Show the segments of a subject slot by slot, with gaps and the sentence on expired claims (H1)."""
    page.head(f"{data['subject']}: {data['sentence']}")
    slot: tuple[str, ...] = ()
    for one in data["segments"]:
        here = (one["provider"], one["subject"], one["predicate"], scope(one["scope"]))
        if here != slot:
            page.head(slot_name(one))
            slot = here
        page.line(f"{one['status']}: {_segment(one)}", indent=2, style="bold" if one["status"] == "current" else "")
        citations(page, one["claims"], indent=4)
    if data["gaps"]:
        page.head("Gaps")
        for gap in data["gaps"]:
            page.line(f"{slot_name(gap)}: nothing is stated {interval(gap['stretch'])}", indent=2)
    if data["tombstones"]:
        page.head("Erased")
        for one in data["tombstones"]:
            page.line(f"{one['erased_at']} {slot_name(one)}: {one['claim_id']} ({one['reason']})", indent=2)
    basis(page, data["basis"])


def _segment(data: Data) -> str:
    doubt = f", only possibly: {data['doubt']}" if data["doubt"] else ""
    became = f", {', '.join(data['became'])}" if data["became"] else ""
    when = interval(data["certain"] or data["possible"])
    support = f"{counted(len(data['claims']), 'claim')}, {counted(data['voices'], 'voice')}"
    return f"{said(data)} {when}{doubt}{became} ({support})"


def contradictions(page: Page, data: Data) -> None:
    """Show the disputed slots: when, which kinds, and every side with its evidence (K1-K10)."""
    page.head(data["summary"])
    for card in data["cards"]:
        page.head(slot_name(card))
        kinds = ", ".join(f"{number} {kind}" for kind, number in card["counts"].items())
        page.line(f"{kinds}; disputed {', '.join(map(interval, card['disputed']))}", indent=2)
        for side in card["sides"]:
            spoken = f", {counted(side['voices'], 'voice')}" if len(side["claims"]) > 1 else ""
            page.line(f"{said(side)} ({counted(len(side['claims']), 'claim')}{spoken})", indent=2, style="yellow")
            citations(page, side["claims"], indent=4)
        for pair in card["pairs"]:
            for claim_id, end in pair.get("suggested_end", {}).items():
                page.line(f"to close: {claim_id}, perhaps at {end}, where the other begins", indent=2)
    if data["outside_lifetime"]:
        page.head("Outside the lifetime of their subject")
        shown = data["outside_lifetime"][: 2 * NEAR_SHOWN]
        for one in shown:
            page.line(f"{one['claim_id']}: {slot_name(one)} {interval(one['outside'])}", indent=2)
        more(page, len(data["outside_lifetime"]) - len(shown), indent=2)
    noted = {kind: number for kind, number in data["information"].items() if number}
    if noted:
        page.head("No contradictions, but worth knowing")
        page.line(", ".join(f"{number} {kind}" for kind, number in noted.items()), indent=2)
        for one in data["remarks"]:
            page.line(
                f"{one['kind']}: {slot_name(one)} {interval(one['shared'])}: {' and '.join(one['claims'])}", indent=2
            )
    basis(page, data["basis"])


def freshness(page: Page, data: Data) -> None:
    """Show how old the active claims are, by predicate, and which are stale (Q9)."""
    page.head(data["summary"])
    columns = ("predicate", "claims", "stale", "stale_after", "newest", "oldest", "next_stale_at")
    _columns(page, columns, data["predicates"])
    if data["stale_claims"]:
        page.head("Stale, oldest first")
        shown = data["stale_claims"][: 2 * NEAR_SHOWN]
        _columns(page, ("last_seen", "subject", "predicate", "claim_id", "url"), shown)
        more(page, data["stale"] - len(shown), "stale claim", indent=2)
    basis(page, data["basis"])


def describe(page: Page, data: Data) -> None:
    """Show what can be asked: the predicates with kinds, units and operators, and how much there is."""
    page.head(
        ", ".join(
            f"{value:,} {name}" if isinstance(value, int) else f"{name} {value}"
            for name, value in data["totals"].items()
        )
    )
    page.line(f"providers: {', '.join(data['providers'])}", indent=2)
    page.head("Predicates")
    rows = [
        (one["name"], one["kind"], one["unit"], one["claims"], " ".join(one["operators"]), one["description"])
        for one in data["predicates"]
    ]
    page.table(("name", "kind", "unit", "claims", "operators", "meaning"), rows)


def rows(page: Page, data: Data) -> None:
    """Show fetched rows as a table."""
    page.table(data["columns"], data["rows"], indent=0)
    page.line(counted(len(data["rows"]), "row"), style="dim")


# -- words -----------------------------------------------------------------------------------------------------------


def _cut(quote: str) -> str:
    return quote if len(quote) <= _LONGEST_QUOTE else quote[: _LONGEST_QUOTE - 1] + "…"


def _columns(page: Page, names: Sequence[str], rows: Iterable[Data]) -> None:
    """Write some fields of rows as a table; instants by their day, which is enough for an age."""
    cells = [[_day(row[name]) if name in _AGES else row[name] for name in names] for row in rows]
    page.table([name.replace("_", " ") for name in names], cells)


def _day(instant: str | None) -> str | None:
    return instant and instant[:10]


def more(page: Page, left: int, noun: str = "claim", plural: str | None = None, *, indent: int) -> None:
    """Say how many were not shown; nothing if all were."""
    if left > 0:
        page.line(f"… and {counted(left, noun, plural)} more; --json has all", indent=indent, style="dim")


Show = Callable[[Page, Any], None]


def written(
    show: Show | Iterable[tuple[Show, Any]], data: Any = None, *, width: int | None = None, colour: bool = False
) -> str:
    """Write one or several results on one page.

    Args:
        show: a function of this module, or pairs of one and its data.
        data: for a single one.
        width: columns of the terminal; None = unbound.
        colour: whether colour may be used.
    """
    page = Page(width=width, colour=colour)
    for one, given in [(show, data)] if callable(show) else show:
        one(page, given)
    return page.text()
