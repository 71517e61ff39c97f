"""Answers: verdicts, buckets, citations, freshness and one sentence, for constraints asked at a basis."""

from claimbase.answers.asking import answer
from claimbase.answers.model import Answer, Citation, Freshness, SubjectAnswer, Verdict

__all__ = ["Answer", "Citation", "Freshness", "SubjectAnswer", "Verdict", "answer"]
