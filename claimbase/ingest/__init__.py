"""Ingest: records become log entries or rejections, set-wise, by one path for one claim and for a million."""

from claimbase.ingest.declare import declare, vocabulary_at
from claimbase.ingest.load import IngestReport, OnError, Progress, Rejection, Table, Whole, load
from claimbase.ingest.observe import Outcome, observe

__all__ = [
    "IngestReport", "OnError", "Outcome", "Progress", "Rejection", "Table", "Whole", "declare", "load", "observe",
    "vocabulary_at",
]  # fmt: skip
