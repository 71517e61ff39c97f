-- Speak of the copy's tables from here on.
USE kept
