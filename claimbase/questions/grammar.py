"""The question as a whole: which atoms belong to which rule, and what is left over.

One pass from left to right. At each place the first rule that fits takes its atoms and notes how it read them; an atom
that no rule takes is left over. Nothing is tried twice and nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from claimbase.constraints import AllOf, AnyOf, Condition, NoneOf, format_constraint
from claimbase.questions.draft import Draft, Item, Note
from claimbase.questions.framing import Frame
from claimbase.questions.looking import Found, condition_atoms
from claimbase.questions.ranking import Ranks
from claimbase.questions.words import Atom

_ASKED_FOR = re.compile(r"(?:(?:please|show|list|find|give|get|me|us|i|want|need|see)\s+)*", re.IGNORECASE)
_LINKS = ("and", "comma", "or")


class Grammar(Ranks, Frame):
    """All rules, in the order in which they are tried."""

    __slots__ = ()

    def run(self) -> Draft:
        """Read all atoms."""
        self.draft.op = self.operation()
        self.sequence()
        self.settle_or(False)
        self.draft.items = self.folded(self.draft.items)
        return self.draft

    def sequence(self, *, inside: bool = False) -> None:
        """Read atoms to the end, or to the closing parenthesis."""
        rules: tuple[Callable[[], bool], ...] = (
            self.based, self.sourced, self.named, self.ranked, self.ordered, self.shown, self.operating, self.changed,
            self.grouped, self.said, self.mentioned, self.when_dated, self.limited, self.linked, self.passed,
        )  # fmt: skip
        while self.atom().kind != "end" and not (inside and self.clauses.key(self.place, ")")):
            if not any(rule() for rule in rules):
                self.settle_or(False)
                self.link = ""
                self.leave()

    def linked(self) -> bool:
        """Pass over "and", commas; keep an "or" until it is known whether it joins two clauses."""
        atom = self.atom()
        if atom.kind != "key" or atom.data not in _LINKS:
            return False
        if atom.data == "or":
            self.settle_or(False)
            if not self.draft.items or self.draft.items[-1].end > atom.start or self.between_items(atom):
                return False
            self.pending_or = atom
        elif self.pending_or is None:
            self.link = atom.data if self.link != "comma" else "comma"
        self.place += 1
        return True

    def between_items(self, atom: Atom) -> bool:
        """Tell whether something else was read between the last clause and an "or"."""
        last = self.draft.items[-1].end
        return any(note.start >= last and note.end <= atom.start for note in self.draft.notes) or any(
            last <= start < atom.start for start, _ in self.draft.left
        )

    def passed(self) -> bool:
        """Pass over words that carry nothing by themselves here."""
        atom = self.atom()
        if atom.kind == "noun":
            self.place += 1
            return True
        if atom.kind != "key":
            return False
        if atom.data == "about" and self.clauses.at(self.place + 1).kind == "noun":
            self.place += 1
            return True
        if atom.data in ("in", "on", "about") and self.draft.op != "answer":
            if self.clauses.at(self.place + 1).kind not in ("pred", "scope"):
                return False
        elif atom.data in ("past", "future"):
            self.draft.tenses.append(atom)
        elif atom.data == "now":
            self.draft.now_said = atom
        elif not (
            (atom.data in ("be", "with", "either") and self.place + 1 < len(self.clauses.atoms))
            or (atom.data == "all" and _ASKED_FOR.fullmatch(self.clauses.text[: atom.start]))
            or (atom.data == "be")
        ):
            return False
        self.place += 1
        return True

    def said(self) -> bool:
        """Take a clause; what it could place but not accept goes back."""
        if self.draft.op in ("contradictions", "history", "diff", "freshness", "gaps"):
            return False
        found = self.clauses.clause(self.place)
        if found is None:
            return False
        first, last = self.atom(), self.clauses.at(found.next - 1)
        if found.problem or not all(self.clauses.sound(condition) for condition in found.conditions):
            self.settle_or(False)
            self.draft.left.append(found.problem or (first.start, last.end))
            self.suggest(*found.suggestions)
            self.place, self.link = found.next, ""
            return True
        if found.trailing is not None and self.reaches_back(found):
            self.draft.left.append(found.trailing)
            self.suggest("say the scope beside each price")
        if found.bare and self.link in ("and", "comma") and self.compared_before():
            self.settle_or(False)
            self.suggest("say over, under or exactly before each number")
            self.draft.left.append((first.start, last.end))
            self.place, self.link = found.next, ""
            return True
        self.add(found.conditions, first.start, last.end, found)
        self.place = found.next
        return True

    def compared_before(self) -> bool:
        """Tell whether the clause before compares: in "under $3/M input and $15/M output" the "under" may go on."""
        before = list(condition_atoms(self.draft.items[-1].conditions)) if self.draft.items else []
        return bool(before) and before[-1].operator in ("gt", "gte", "lt", "lte") and self.link == "and"

    def reaches_back(self, found: Found) -> bool:
        """Tell whether a scope said behind a clause may belong to an earlier clause of the same unit as well."""
        units = {c.unit for c in condition_atoms(found.conditions)}
        earlier = [c for item in self.draft.items for c in condition_atoms(item.conditions)]
        return found.trailing is not None and any(c.unit in units and c.scope is None for c in earlier)

    def add(self, conditions: tuple[Condition, ...], start: int, end: int, like: Found | None = None) -> None:
        """Keep a clause with the link to the one before."""
        waiting = self.pending_or
        link = self.settle_or(True)
        plain, negated = (like.plain_bool and not like.negated, like.negated) if like else (False, False)
        self.draft.items.append(Item(conditions, start, end, link, waiting, plain, negated))
        self.draft.notes.append(Note(start, end, " and ".join(map(format_constraint, conditions))))
        self.link = ""

    def grouped(self) -> bool:
        """Read a group in parentheses, or "not (...)"."""
        negated = self.clauses.key(self.place, "not") and self.clauses.key(self.place + 1, "(")
        if not (negated or self.clauses.key(self.place, "(")):
            return False
        start, opened = self.atom().start, self.place
        inner = Grammar(self.clauses, self.now, Draft(op=self.draft.op), self.place + 1 + negated)
        inner.sequence(inside=True)
        inner.settle_or(False)
        items = inner.folded(inner.draft.items)
        conditions = tuple(condition for item in items for condition in item.conditions)
        closed = self.clauses.key(inner.place, ")")
        if not closed or not conditions or inner.draft.left or inner.holds_more():
            self.place = opened
            return False
        end = self.clauses.at(inner.place).end
        if negated:
            members: tuple[Condition, ...] = conditions if len(conditions) == 1 else (AllOf(all_of=conditions),)
            if len(conditions) == 1 and isinstance(conditions[0], AnyOf):
                members = conditions[0].any_of
            conditions = (NoneOf(none_of=members),)
        self.add(conditions, start, end)
        self.place = inner.place + 1
        return True

    def holds_more(self) -> bool:
        """Tell whether a group holds anything but clauses, which a group cannot."""
        draft = self.draft
        lists = (draft.bare, draft.providers, draft.subjects, draft.providers_not, draft.dates, draft.show)
        others = (draft.basis, draft.rank, draft.policy, draft.source_types, draft.limit, draft.changes)
        return any(lists) or any(others)

    def folded(self, items: list[Item]) -> list[Item]:
        """Join clauses that an "or" links; "a and b or c" is given back, nobody can tell which comes first."""
        groups: list[list[Item]] = []
        for item in items:
            if groups and item.link in ("and", "or"):
                groups[-1].append(item)
            else:
                groups.append([item])
        folded: list[Item] = []
        for group in groups:
            links = {item.link for item in group[1:]}
            if "or" not in links:
                folded.extend(group)
            elif "and" in links or self.negation_open(folded, group):
                for item in group:
                    if item.or_at is not None and item.link == "or":
                        self.draft.left.append((item.or_at.start, item.or_at.end))
                        self.suggest("put the part with 'or' in parentheses")
            else:
                folded.append(self.either(self.listed(folded, group)))
        return folded

    def negation_open(self, before: list[Item], group: list[Item]) -> bool:
        """Tell whether nobody can say how far a "no" reaches: "no vision, tools or audio"."""
        if group[0].link == "comma" and before and before[-1].negated:
            return True
        pairs = pairwise(group)
        return any(a.negated and not b.negated and not self.with_word(b) for a, b in pairs)

    def with_word(self, item: Item) -> bool:
        """Tell whether a clause begins with a "with" of its own."""
        return any(a.start == item.start and a.kind == "key" and a.data == "with" for a in self.clauses.atoms)

    def listed(self, before: list[Item], group: list[Item]) -> list[Item]:
        """Read "vision, tools or audio" as one list: abilities before the "or", set apart by commas, belong to it."""
        while group[0].plain_bool and group[0].link == "comma" and before and before[-1].plain_bool:
            group = [before.pop(), *group]
        return group

    def either(self, group: list[Item]) -> Item:
        """Make one item of alternatives."""
        members = tuple(
            item.conditions[0] if len(item.conditions) == 1 else AllOf(all_of=item.conditions) for item in group
        )
        start, end = group[0].start, group[-1].end
        self.draft.notes = [n for n in self.draft.notes if not (start <= n.start and n.end <= end)]
        members = tuple(one for place, one in enumerate(members) if one not in members[:place])
        made = AnyOf(any_of=members) if len(members) > 1 else members[0]
        self.draft.notes.append(Note(start, end, format_constraint(made)))
        return Item((made,), start, end, group[0].link, None)

    def mentioned(self) -> bool:
        """Take a noun phrase without a value: what is asked about it is settled at the end."""
        spoken = self.clauses.spoken(self.place)
        if spoken is None or spoken.joined == "or":
            atom = self.atom()
            if atom.kind == "pred" and len(atom.data) > 1:
                self.suggest(*atom.data)
            return False
        if self.clauses.words(self.atom()).lower() in ("release", "releases") and self.draft.op == "answer":
            self.place = spoken.next
            return True
        self.settle_or(False)
        first, last = self.atom(), self.clauses.at(spoken.next - 1)
        self.draft.bare.append((spoken, first.start, last.end))
        self.place, self.link = spoken.next, ""
        return True

    def shown(self) -> bool:
        """Read "and their output price": a column to show, no condition."""
        place = self.place + (self.clauses.key(self.place, "and", "with") and self.clauses.key(self.place + 1, "show"))
        if not self.clauses.key(place, "show"):
            return False
        spoken = self.clauses.spoken(place + 1)
        if spoken is None or spoken.joined == "or" or spoken.scope or self.clauses.operand_follows(spoken.next):
            self.place += self.clauses.key(self.place, "show")
            return self.clauses.key(self.place - 1, "show")
        names = tuple(predicate.name for predicate in spoken.predicates)
        self.draft.show += names
        self.note(spoken.next, f"show {', '.join(names)}")
        return True
