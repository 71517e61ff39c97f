-- The distinct value texts, in the reader's order.
SELECT value_ref, predicate, value, normalized_value, unit, polarity, keep_unread FROM value_text ORDER BY value_ref
