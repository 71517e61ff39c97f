"""Analyses of the claims visible at a basis: one question, one file."""
