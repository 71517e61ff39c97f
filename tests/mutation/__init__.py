"""Mutation testing: small mistakes are put into a copy of the package, and the tests must notice (G20)."""
