"""Fuzzing of every parser: anything gives a result or a ClaimbaseError, within a second (G16)."""
