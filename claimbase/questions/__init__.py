"""Questions in words: read by a closed grammar over the vocabulary, or given back piece by piece. No model is asked.

`read_question` turns words into a `Reading`, `say` turns a reading or conditions into words it reads back.
"""

from __future__ import annotations

import unicodedata
from datetime import datetime

from claimbase.errors import LimitError, QuestionError, shown
from claimbase.questions.clauses import Clauses
from claimbase.questions.finish import Finish
from claimbase.questions.grammar import Grammar
from claimbase.questions.reading import Names, Piece, Ranking, Reading
from claimbase.questions.say import say
from claimbase.questions.words import cut, names_first
from claimbase.temporal import utc
from claimbase.vocabulary import Vocabulary

__all__ = ["Names", "Piece", "Ranking", "Reading", "read_question", "say"]

LONGEST = 2_000
"""The longest question read, in characters."""


def read_question(text: str, vocabulary: Vocabulary, names: Names, *, now: datetime) -> Reading:
    """Read a question in words; what no rule takes is in `not_understood`, and then nothing may be answered.

    Args:
        text: the question, at most 2,000 characters.
        vocabulary: the predicates and their noun phrases.
        names: the subjects and providers the base knows.
        now: the one instant that "yesterday" and "since" refer to.

    Raises:
        QuestionError: [no_question] for an empty text, [bad_char] for one that is not valid Unicode.
        LimitError: [too_large].
    """
    if len(text) > LONGEST:
        raise LimitError(f"a question of {len(text)} characters", hint=f"at most {LONGEST}")
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise QuestionError(f"{shown(text)} is not valid text", code="bad_char")
    question = unicodedata.normalize("NFC", text).strip()
    if not question:
        raise QuestionError("an empty question", code="no_question", hint="128K+ context, under $2/M input")
    moment = utc(now)
    atoms = [atom for atom in cut(question, vocabulary, names, moment) if atom.kind != "filler"]
    draft = Grammar(Clauses(question, names_first(atoms), vocabulary), moment).run()
    return Finish(question, draft, vocabulary, moment).run()
