-- Speak of the original's tables from here on.
USE original
