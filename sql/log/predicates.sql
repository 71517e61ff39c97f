-- Number predicates seen for the first time.
INSERT INTO cb.predicate
SELECT (SELECT coalesce(max(predicate_id), 0) FROM cb.predicate) + row_number() OVER (ORDER BY predicate), predicate, $recorded_at
FROM (SELECT DISTINCT predicate FROM staged WHERE problem IS NULL) AS n
WHERE NOT EXISTS (FROM cb.predicate AS p WHERE p.name = n.predicate)
