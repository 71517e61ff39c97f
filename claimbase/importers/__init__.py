"""Importers turn a file of another shape into a feed of claim rows; each is pure: a file in, rows out, no engine."""
