-- The newest and the oldest reading of what is active, by predicate.
SELECT c.predicate_id, count(*), max(c.observed_at), min(c.observed_at) FROM __ACTIVE__ AS c GROUP BY c.predicate_id ORDER BY c.predicate_id
