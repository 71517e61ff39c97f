"""Rankings: superlatives, "top 3 by", "sorted by", "limit" (Q11)."""

from __future__ import annotations

import re
from typing import Literal

from claimbase.questions.draft import Note, Walk
from claimbase.questions.looking import Spoken, in_family
from claimbase.questions.words import Atom
from claimbase.vocabulary import Predicate


class Ranks(Walk):
    """The rules for the order of an answer."""

    __slots__ = ()

    def ranked(self) -> bool:
        """Read "the five cheapest models", "second cheapest output price", "top 3 by context"."""
        clauses, place = self.clauses, self.place
        ordinal = clauses.at(place).data if clauses.at(place).kind == "ord" else None
        place += ordinal is not None
        top = clauses.key(place, "top")
        place += top
        count, place = self.count(place)
        if count and not top and clauses.at(place).kind == "noun":
            behind = place + 1 + clauses.key(place + 1, "with")
            place = behind if clauses.at(behind).kind == "rank" else place
        rank = clauses.at(place) if clauses.at(place).kind == "rank" else None
        place += rank is not None
        if rank is None and not (top and count):
            return False
        if count is None:
            count, place = self.count(place)
        if self.draft.rank_span[1] or (ordinal and count):
            return False
        noun = clauses.words(clauses.at(place)) if clauses.at(place).kind == "noun" else ""
        self.draft.rank_span = (self.atom().start, clauses.at(place - 1).end)
        self.draft.rank = rank or self.atom()
        spoken = clauses.spoken(place + bool(noun))
        if rank and spoken and self.fits(rank, spoken):
            self.rank_by(rank.data[0], spoken.predicates[0])
            place = spoken.next
        elif rank:
            self.draft.rank_direction = rank.data[0]
        if count or ordinal or not noun.lower().endswith("s"):
            self.draft.limit, self.draft.offset = count or 1, (ordinal or 1) - 1
        end = clauses.at(place - 1).end
        self.draft.rank_span = (self.draft.rank_span[0], end)
        self.settle_or(False)
        self.place, self.link = place, ""
        return True

    def fits(self, rank: Atom, spoken: Spoken) -> bool:
        """Tell whether a superlative goes by the noun phrase beside it: one predicate, no scope, no value."""
        alone = not spoken.joined and spoken.scope is None and not self.clauses.operand_follows(spoken.next)
        return alone and in_family(spoken.predicates[0], rank.data[1])

    def count(self, place: int) -> tuple[int | None, int]:
        """Read how many: a number word or a plain whole number below 1000."""
        atom = self.clauses.at(place)
        if atom.kind == "count":
            return atom.data, place + 1
        if atom.kind == "amount" and re.fullmatch(r"[1-9]\d{0,2}", atom.data.text):
            return int(atom.data.text), place + 1
        return None, place

    def rank_by(self, direction: Literal["asc", "desc"], predicate: Predicate) -> None:
        """Settle what the ranking goes by."""
        self.draft.rank_direction, self.draft.rank_predicate = direction, predicate

    def ordered(self) -> bool:
        """Read "by output price" for a superlative said before, and "sorted by price descending"."""
        sorts = self.clauses.key(self.place, "ordered_by")
        if not sorts and not (self.clauses.key(self.place, "by") and self.draft.rank_span[1]):
            return False
        spoken = self.clauses.spoken(self.place + 1)
        if spoken is None or spoken.joined or spoken.scope or self.draft.rank_predicate is not None:
            return False
        predicate, rank, end = spoken.predicates[0], self.draft.rank, spoken.next
        if rank is not None and rank.kind == "rank" and not in_family(predicate, rank.data[1]):
            return False
        direction = self.draft.rank_direction
        end += self.clauses.key(end, "comma") and self.clauses.key(end + 1, "asc", "desc")
        if self.clauses.key(end, "asc", "desc"):
            direction, end = self.clauses.at(end).data, end + 1
        elif direction is None and predicate.direction is not None and (sorts or predicate.direction == "higher"):
            direction = "asc" if predicate.direction == "lower" else "desc"
        if direction is None:
            self.suggest(f"say ascending or descending by {predicate.name}")
            return False
        self.rank_by(direction, predicate)
        start = self.atom().start
        if not self.draft.rank_span[1]:
            self.draft.rank_span = (start, self.clauses.at(end - 1).end)
        else:
            self.draft.notes.append(Note(start, self.clauses.at(end - 1).end, f"by {predicate.name}"))
        self.settle_or(False)
        self.place, self.link = end, ""
        return True

    def limited(self) -> bool:
        """Read "limit 10"."""
        if not self.clauses.key(self.place, "limit") or self.draft.limit is not None:
            return False
        count, end = self.count(self.place + 1)
        if count is None:
            return False
        self.draft.limit = count
        self.note(end, f"at most {count}")
        return True
