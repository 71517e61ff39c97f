"""The forms that a receipt can be written in, one module each."""
