"""The frame of a question: whom it speaks of, its basis, its sources, its dates, what kind it is."""

from __future__ import annotations

from typing import Any

from claimbase.questions.draft import Dated, Walk
from claimbase.questions.reading import Op
from claimbase.temporal import iso

_BEFORE_NAMES = ("by", "from", "in", "on", "at", "to", "about")


class Frame(Walk):
    """The rules for everything around the clauses."""

    __slots__ = ()

    def operation(self) -> Op:
        """Settle first what kind of question it is, since the same words mean different things in each."""
        kinds = {atom.data for atom in self.clauses.atoms if atom.kind == "op"}
        changed = any(atom.kind == "change" for atom in self.clauses.atoms)
        for kind in ("contradictions", "freshness", "gaps", "history"):
            if kind in kinds:
                return kind
        if changed:
            return "diff"
        return "when" if "when" in kinds else "answer"

    def named(self) -> bool:
        """Read names, wanted or not, with the preposition before them."""
        if self.clauses.key(self.place, "neither"):
            return self.unwanted(self.place + 1, ("nor", "or", "comma"))
        if self.clauses.key(self.place, "except", "leave_out", "not"):
            return self.unwanted(self.place + 1, ("and", "or", "comma", "nor"))
        led = self.clauses.key(self.place, *_BEFORE_NAMES) and self.clauses.at(self.place + 1).kind == "name"
        start = self.place + led
        found, end = self.list_of_names(start, ("and", "or", "comma", "versus"))
        if not found:
            return False
        return self.wanted(found, end)

    def list_of_names(self, place: int, joints: tuple[str, ...]) -> tuple[list[Any], int]:
        """Read names joined by any of these words."""
        found: list[Any] = []
        while (atom := self.clauses.at(place)).kind == "name" and len(atom.data) == 1:
            found.append(atom.data[0])
            place += 1
            skip = place
            while self.clauses.key(skip, *joints):
                skip += 1
            if skip == place or self.clauses.at(skip).kind != "name":
                break
            place = skip
        return found, place

    def wanted(self, found: list[Any], end: int) -> bool:
        """Keep names as providers or subjects; a second list of either would leave a doubt."""
        noun = self.clauses.at(end).kind == "noun"
        providers = [n.name for n in found if n.kind == "provider" or (n.kind == "both" and self.is_provider(noun))]
        subjects = [n.name for n in found if n.name not in providers]
        if (providers and self.draft.providers) or (subjects and self.draft.subjects):
            self.suggest("one list of names")
            return False
        self.settle_or(False)
        self.link = ""
        self.draft.providers += tuple(dict.fromkeys(providers))
        self.draft.subjects += tuple(dict.fromkeys(subjects))
        parts = [("provider", providers), ("subject", subjects)]
        self.note(end, ", ".join(f"{kind} {' or '.join(names)}" for kind, names in parts if names))
        return True

    def is_provider(self, noun: bool) -> bool:
        """Settle a name that is both: a provider beside a word for its subjects or in a ranking."""
        kinds = {atom.kind for atom in self.clauses.atoms}
        return noun or "rank" in kinds or "noun" in kinds

    def unwanted(self, place: int, joints: tuple[str, ...]) -> bool:
        """Read "neither A nor B", "except A", "no A models": providers only."""
        found, end = self.list_of_names(place, joints)
        if not found or any(name.kind == "subject" for name in found) or self.draft.providers_not:
            return False
        if self.clauses.key(self.place, "not") and self.clauses.at(end).kind == "pred":
            return False
        end += self.clauses.at(end).kind == "noun"
        self.draft.providers_not = tuple(dict.fromkeys(name.name for name in found))
        self.link = ""
        self.settle_or(False)
        self.note(end, f"no provider {' or '.join(self.draft.providers_not)}")
        return True

    def based(self) -> bool:
        """Read "as of D", "as we knew it on D", "what could we have known by D"."""
        axis, place = "", self.place
        if self.atom().kind == "basis":
            axis, place = self.atom().data, place + 1
        elif self.clauses.key(place, "on", "at") and self.clauses.span(place + 1):
            axis, place = "as_of", place + 1
        if not axis:
            return False
        if axis == "then" and self.clauses.span(place) is None and "as_of" in self.draft.basis:
            self.draft.then = True
            self.note(place, "observed and recorded by the same instant")
            return True
        if self.clauses.key(place, "now") and not self.draft.basis:
            self.draft.now_said = self.clauses.at(place)
            self.note(place + 1, "now")
            return True
        read = self.clauses.span(place)
        key = "as_of" if axis == "then" else axis
        if read is None or not read[0].instant or key in self.draft.basis:
            self.suggest("a day or an instant: as of 2026-03-01") if read and not read[0].instant else None
            self.leave(read[1] - self.place if read else place - self.place)
            return True
        self.draft.basis[key] = read[0].start
        self.draft.then = self.draft.then or axis == "then"
        self.link = "comma"
        known = ", observed and recorded by then" if axis == "then" else ""
        self.note(read[1], f"{key.replace('_', ' ')} {iso(read[0].start)}{known}")
        return True

    def sourced(self) -> bool:
        """Read a policy, or which kinds of sources may speak."""
        atom = self.atom()
        if atom.kind == "policy" and self.draft.policy is None:
            self.draft.policy = atom.data
            self.note(self.place + 1, f"policy {atom.data}")
        elif atom.kind == "source" and not self.draft.source_types:
            self.draft.source_types = (atom.data,)
            self.note(self.place + 1, f"sources of type {atom.data}")
        else:
            return False
        self.link = "comma"
        return True

    def when_dated(self) -> bool:
        """Take a date with its word; what it bounds depends on the kind of question and is settled at the end."""
        atom = self.atom()
        if atom.kind != "key" or atom.data not in ("since", "in", "during", "between", "from", "to"):
            return False
        first = self.clauses.span(self.place + 1)
        if first is None:
            return False
        second, end = None, first[1]
        if atom.data in ("between", "from", "during"):
            other = self.clauses.span(first[1] + 1) if self.clauses.key(first[1], "and", "to", "until") else None
            if other is None and atom.data != "during":
                return False
            second, end = other or (None, end)
        self.draft.dates.append(Dated(atom.data, first[0], second, atom.start, self.clauses.at(end - 1).end))
        self.settle_or(False)
        self.place, self.link = end, "comma"
        return True

    def operating(self) -> bool:
        """Take the word that says what kind of question it is."""
        atom = self.atom()
        if atom.kind != "op":
            return False
        if atom.data == self.draft.op:
            self.note(self.place + 1, atom.data)
        elif atom.data == "when" and self.draft.op in ("history", "diff", "freshness"):
            self.draft.tenses.append(atom)
            self.place += 1
        else:
            return False
        self.link = ""
        return True

    def changed(self) -> bool:
        """Take a word of change."""
        if self.atom().kind != "change" or self.draft.op != "diff":
            return False
        self.draft.changes.append(self.atom())
        self.place += 1
        self.link = ""
        return True
