-- Every distinct value text with all that decides how it is read.
SELECT DISTINCT predicate, value, normalized_value, unit, polarity, keep_unread FROM incoming
