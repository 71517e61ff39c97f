"""From what the grammar took to a reading: each kind of question settles what its noun phrases and dates mean."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from claimbase.constraints import Constraint
from claimbase.questions.draft import Dated, Draft, Note
from claimbase.questions.hints import nearest
from claimbase.questions.looking import COMMON_PRICES, Spoken, condition_atoms, happening, in_family
from claimbase.questions.reading import Piece, Ranking, Reading
from claimbase.temporal import AsOf, iso
from claimbase.vocabulary import Scope, Vocabulary

_SUGGESTIONS = 5


@dataclass(slots=True)
class Finish:
    """Turns one draft into a reading."""

    text: str
    draft: Draft
    vocabulary: Vocabulary
    now: datetime

    def run(self) -> Reading:
        """Settle everything and say what is left."""
        self.rank()
        fields: dict[str, Any] = {
            "question": self.text,
            "providers": self.draft.providers,
            "providers_not": self.draft.providers_not,
            "subjects": self.draft.subjects,
            "policy": self.draft.policy,
            "source_types": self.draft.source_types,
            "show": self.draft.show,
            "then": self.draft.then,
            **self.draft.basis,
        }
        settle: Callable[[], dict[str, Any]] = {
            "diff": self.diff, "when": self.when, "answer": self.answer,
        }.get(self.draft.op, self.about)  # fmt: skip
        fields |= settle()
        self.tenses(fields)
        if self.draft.now_said is not None and self.draft.basis:
            self.leave(self.draft.now_said.start, self.draft.now_said.end)
        fields["conditions"] = fields.get("conditions", ())
        reading = Reading(**fields)
        return self.reported(reading)

    def leave(self, start: int, end: int, *suggestions: str) -> None:
        """Give a stretch back."""
        self.draft.left.append((start, end))
        self.draft.notes = [n for n in self.draft.notes if not (start <= n.start and n.end <= end)]
        self.draft.suggestions.extend(suggestions)

    def note(self, start: int, end: int, reading: str) -> None:
        """Note a stretch as read."""
        self.draft.notes.append(Note(start, end, reading))

    # Ranking ------------------------------------------------------------------------------------------------------

    def rank(self) -> None:
        """Settle what a superlative goes by: "newest" by release; "cheapest" must name a price."""
        draft = self.draft
        start, end = draft.rank_span
        if not end:
            return
        family = draft.rank.data[1] if draft.rank is not None and draft.rank.kind == "rank" else "any"
        if draft.rank_predicate is None and draft.rank_direction is not None and len(draft.bare) == 1:
            self.rank_by_mention(family)
        if draft.rank_predicate is None and family == "date":
            draft.rank_predicate = self.vocabulary.find("release_date")
        if draft.rank_predicate is None or draft.rank_direction is None:
            draft.limit, draft.offset = None, 0
            names = [name for name in COMMON_PRICES if family == "money" and name in self.vocabulary]
            self.leave(start, end, *names)
            draft.rank_predicate = None
            return
        words = {"asc": "least first", "desc": "greatest first"}[draft.rank_direction]
        extent = f", {draft.limit} from place {draft.offset + 1}" if draft.limit else ""
        self.note(start, end, f"ordered by {draft.rank_predicate.name}, {words}{extent}")

    def rank_by_mention(self, family: str) -> None:
        """Take the one noun phrase without a value as what a superlative goes by: "cheapest OpenAI input"."""
        spoken, start, end = self.draft.bare[0]
        if len(spoken.predicates) == 1 and spoken.scope is None and in_family(spoken.predicates[0], family):
            self.draft.rank_predicate = spoken.predicates[0]
            self.note(start, end, f"by {spoken.predicates[0].name}")
            self.draft.bare.clear()

    # Kinds of questions -------------------------------------------------------------------------------------------

    def answer(self) -> dict[str, Any]:
        """Conditions make an answer; noun phrases beside named subjects alone make a lookup, in a window a history."""
        draft = self.draft
        conditions = tuple(condition for item in draft.items for condition in item.conditions)
        fields: dict[str, Any] = {"op": "answer", "limit": draft.limit, "offset": draft.offset}
        if draft.rank_predicate is not None and draft.rank_direction is not None:
            fields["order_by"] = Ranking(draft.rank_predicate.name, draft.rank_direction)
        ranked = "order_by" in fields
        if draft.bare and draft.subjects and not conditions and not ranked:
            return self.looked_up()
        if draft.bare and not conditions and not ranked and not draft.limit and not draft.subjects:
            return self.listed_values()
        for spoken, start, end in draft.bare:
            names = " or ".join(predicate.name for predicate in spoken.predicates)
            self.leave(start, end, f"say what {names} should be")
        fields["conditions"] = conditions
        self.windows(fields, ("during",))
        if not conditions and not ranked and not draft.left:
            self.leave(0, len(self.text), "name a condition: context window at least 128K")
        return fields

    def looked_up(self) -> dict[str, Any]:
        """Read the values of named subjects; a window asks for their history."""
        fields = self.predicates()
        fields["op"] = "lookup"
        words = ["during", "since", "between", "from"]
        if not any(p.kind == "date" for spoken, _, _ in self.draft.bare for p in spoken.predicates):
            words.append("in")  # "the EOL of X in 2028" asks whether, not what was said in 2028
        if any(dated.word in words for dated in self.draft.dates):
            fields["op"] = "history"
        self.windows(fields, tuple(words))
        return fields

    def listed_values(self) -> dict[str, Any]:
        """Read "Anthropic input prices": everyone who has a value, the value shown."""
        for spoken, start, end in self.draft.bare:
            if happening(spoken):
                self.leave(start, end, "before, after or in which period?")
        fields = self.predicates()
        names = fields.pop("predicates")
        scope = fields.pop("scope")
        within = dict(scope) if scope else None
        made = tuple(Constraint(predicate=name, operator="exists", scope=within) for name in names)
        self.windows(fields, ())
        if self.draft.left:
            return {"op": "lookup", "predicates": names, "scope": scope}
        return fields | {"op": "answer", "conditions": made, "show": (*self.draft.show, *names)}

    def when(self) -> dict[str, Any]:
        """Settle "when": of a date predicate its value, of conditions their intervals, else the history."""
        draft = self.draft
        conditions = tuple(condition for item in draft.items for condition in item.conditions)
        self.no_ranking()
        if conditions:
            for _, start, end in draft.bare:
                self.leave(start, end)
            fields: dict[str, Any] = {"op": "when", "conditions": conditions}
            self.windows(fields, ("in", "during", "since", "between", "from"))
            return fields
        dates = [spoken for spoken, _, _ in draft.bare if spoken.predicates[0].kind == "date"]
        if draft.bare and len(dates) == len(draft.bare) and draft.subjects:
            draft.tenses.clear()
            return self.looked_up()
        for _, start, end in draft.bare:
            self.leave(start, end, "say what it should be: when was the input price under $1/M?")
        if not draft.left:
            self.leave(0, len(self.text))
        return {"op": "when"}

    def about(self) -> dict[str, Any]:
        """Settle history, contradictions, freshness and gaps: predicates, names, and a window or an instant."""
        fields: dict[str, Any] = self.predicates()
        fields["op"] = self.draft.op
        self.no_ranking()
        self.draft.tenses.clear()
        windows = ("in", "during", "since", "between", "from") if self.draft.op in ("history", "contradictions") else ()
        self.windows(fields, windows)
        if self.draft.op == "contradictions" and "as_of" in self.draft.basis and not self.draft.then and self.said_on():
            fields["at"] = self.draft.basis["as_of"]
            fields["as_of"] = None
        if self.draft.op == "history" and not (self.draft.subjects or fields["predicates"]) and not self.draft.left:
            self.leave(0, len(self.text), "name a subject")
        return fields

    def said_on(self) -> bool:
        """Tell "contradictions on D" from "as of D"."""
        return any(
            note.reading.startswith("as of") and re.match(r"(?:on|at)\b", self.text[note.start :], re.IGNORECASE)
            for note in self.draft.notes
        )

    def diff(self) -> dict[str, Any]:
        """Settle a change: of a dated statement on the observed axis, of any other value on the valid one (H2)."""
        draft = self.draft
        directions = {atom.data[0] for atom in draft.changes}
        fields: dict[str, Any] = self.predicates()
        self.no_ranking()
        draft.tenses.clear()
        predicates = [predicate for spoken, _, _ in draft.bare for predicate in spoken.predicates]
        if len(directions) > 1 or len(draft.dates) > 1 or (directions != {None} and not predicates):
            self.changes_left("say which predicate")
        for _, start, end in draft.bare[1:]:
            self.leave(start, end, "one noun phrase per change")
        if not draft.dates:
            return self.undated_change(fields, directions)
        dated = draft.dates[0]
        low = dated.first.start
        high = self.change_end(dated)
        axis = "observed_by" if predicates and all(p.kind == "date" for p in predicates) else "valid_at"
        direction = next(iter(directions), None)
        if axis == "observed_by" and direction is not None:
            self.changes_left()
        bases = (_basis(axis, low), _basis(axis, high))
        self.note(dated.start, dated.end, f"from {iso(low)} to {'now' if high is None else iso(high)}")
        kind = direction or "change"
        for atom in draft.changes:
            self.note(atom.start, atom.end, f"{kind} on the {_AXIS[axis]} axis")
        return fields | {"op": "diff", "a": bases[0], "b": bases[1], "direction": direction}

    def change_end(self, dated: Dated) -> datetime | None:
        """Return the second basis of a change; None is now."""
        if dated.word == "since":
            return None
        if dated.second is not None:
            return dated.second.start if dated.second.instant else dated.second.end
        return dated.first.end if dated.first.end != dated.first.start else None

    def undated_change(self, fields: dict[str, Any], directions: set[Any]) -> dict[str, Any]:
        """Without dates a change of named subjects asks for their history; a direction needs its dates."""
        if directions == {None} and self.draft.subjects and fields["predicates"]:
            for atom in self.draft.changes:
                self.note(atom.start, atom.end, "history")
            return fields | {"op": "history"}
        self.changes_left("say since when: since 2026-01-01")
        return fields | {"op": "diff"}

    def changes_left(self, *suggestions: str) -> None:
        """Give the words of change back."""
        for atom in self.draft.changes:
            self.leave(atom.start, atom.end, *suggestions)
        self.draft.changes.clear()

    def no_ranking(self) -> None:
        """A ranking or a limit has no place in these questions."""
        start, end = self.draft.rank_span
        if end and self.draft.rank_predicate is not None:
            self.leave(start, end)
        if self.draft.limit is not None and not end:
            self.leave(0, len(self.text))

    def predicates(self) -> dict[str, Any]:
        """Take the noun phrases as what the question is about."""
        names: list[str] = []
        for spoken, start, end in self.draft.bare:
            names.extend(predicate.name for predicate in spoken.predicates)
            self.note(start, end, _phrase_reading(spoken))
        spoken_all = [spoken for spoken, _, _ in self.draft.bare]
        scope = _scope_of(spoken_all)
        if len({spoken.scope for spoken in spoken_all}) > 1:
            for _, start, end in self.draft.bare:
                self.leave(start, end, "one scope per question")
        for item in self.draft.items:
            self.leave(item.start, item.end)
        return {"predicates": tuple(dict.fromkeys(names)), "scope": scope}

    def windows(self, fields: dict[str, Any], words: tuple[str, ...]) -> None:
        """Take one window; every other date is given back."""
        for place, dated in enumerate(self.draft.dates):
            window = self.window(dated) if dated.word in words and place == 0 else None
            if window is None:
                self.leave(dated.start, dated.end, "as of a day, or throughout a period")
                continue
            fields["during"] = window
            self.note(dated.start, dated.end, f"during {iso(window[0])} to {iso(window[1])}")

    def window(self, dated: Dated) -> tuple[datetime, datetime] | None:
        """Return a date's half-open window; "since" reaches to now."""
        if dated.word == "since":
            return (dated.first.start, self.now) if dated.first.start < self.now else None
        last = dated.second or dated.first
        end = last.end if dated.second is None or not last.instant else last.start
        return (dated.first.start, end) if dated.first.start < end else None

    def tenses(self, fields: dict[str, Any]) -> None:
        """Refuse a past tense without a past, and a future the base cannot know: no forecast, no silent today."""
        about_dates = any(p.kind == "date" for p in self.spoken_of(fields))
        timed = bool(self.draft.basis or fields.get("during"))
        for atom in self.draft.tenses:
            future = atom.kind == "key" and atom.data == "future"
            ahead = future and any(moment > self.now for moment in self.draft.basis.values())
            if about_dates or (timed and not future) or ahead or fields["op"] in ("when", "history", "diff"):
                continue
            self.leave(atom.start, atom.end, "as of which day?")

    def spoken_of(self, fields: dict[str, Any]) -> list[Any]:
        """Return every predicate the reading speaks of."""
        names = [c.predicate for c in condition_atoms(fields.get("conditions", ()))]
        return [self.vocabulary.get(name) for name in (*names, *fields.get("predicates", ()))]

    # Reporting ----------------------------------------------------------------------------------------------------

    def reported(self, reading: Reading) -> Reading:
        """Add what was understood, what was not, and what may have been meant."""
        left = self.merged()
        notes = sorted(self.draft.notes, key=lambda note: (note.start, note.end))
        notes = [n for n in notes if not any(start <= n.start and n.end <= end for start, end in left)]
        understood = tuple(Piece(self.text[note.start : note.end], note.reading) for note in notes)
        pieces = tuple(self.text[start:end].strip() for start, end in left)
        suggestions = [*self.draft.suggestions, *(name for piece in pieces for name in nearest(piece, self.vocabulary))]
        return replace(
            reading,
            understood=understood,
            not_understood=pieces,
            suggestions=tuple(dict.fromkeys(suggestions))[:_SUGGESTIONS] if pieces else (),
        )

    def merged(self) -> list[tuple[int, int]]:
        """Join left-over stretches that nothing understood stands between."""
        joined: list[tuple[int, int]] = []
        for start, end in sorted(self.draft.left):
            if joined and not any(joined[-1][1] <= n.start and n.end <= start for n in self.draft.notes):
                joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
            else:
                joined.append((start, end))
        return joined


_AXIS = {"observed_by": "observed", "valid_at": "valid"}


def _basis(axis: str, moment: datetime | None) -> AsOf:
    return AsOf() if moment is None else AsOf(**{axis: moment})


def _scope_of(spoken: list[Spoken]) -> Scope | None:
    """Return the one scope of mentioned phrases, or None."""
    scopes = {one.scope for one in spoken}
    only = scopes.pop() if len(scopes) == 1 else None
    return only if isinstance(only, tuple) else None


def _phrase_reading(spoken: Spoken) -> str:
    names = ", ".join(predicate.name for predicate in spoken.predicates)
    if isinstance(spoken.scope, tuple):
        return f"{names} [{', '.join(f'{key}={value}' for key, value in spoken.scope)}]"
    return names
