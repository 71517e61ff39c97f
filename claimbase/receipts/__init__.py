"""Receipts: what was checked, on which words, and what is still open; readable without the base they came from."""
