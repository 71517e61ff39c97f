-- The last instant from which on some claim counts as not said any more; it can lie ahead.
SELECT max(observed_until) FROM cb.claim
