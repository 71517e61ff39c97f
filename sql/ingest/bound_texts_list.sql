-- The distinct stated intervals, in the reader's order.
SELECT bound_ref, effective_from, effective_until, effective_through, zone FROM bound_text ORDER BY bound_ref
