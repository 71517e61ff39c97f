"""Ingest: records become log entries or rejections, set-wise, by one path for one claim and for a million."""

from claimbase.ingest.append import Whole
from claimbase.ingest.decide import correct, retract, supersede
from claimbase.ingest.declare import declare, vocabulary_at
from claimbase.ingest.erase import erase
from claimbase.ingest.load import IngestReport, OnError, Progress, Rejection, Table, load
from claimbase.ingest.merge import merge, unmerge
from claimbase.ingest.observe import Outcome, observe
from claimbase.ingest.verbs import VerbReport
from claimbase.ingest.withdraw import withdraw

__all__ = [
    "IngestReport", "OnError", "Outcome", "Progress", "Rejection", "Table", "VerbReport", "Whole", "correct",
    "declare", "erase", "load", "merge", "observe", "retract", "supersede", "unmerge", "vocabulary_at", "withdraw",
]  # fmt: skip
