-- Number the predicates that are declared before they are used.
INSERT INTO cb.predicate
SELECT (SELECT coalesce(max(predicate_id), 0) FROM cb.predicate) + row_number() OVER (ORDER BY place), name, $recorded_at
FROM (SELECT unnest($names::VARCHAR[]) AS name, generate_subscripts($names::VARCHAR[], 1) AS place) AS n
WHERE name IS NOT NULL AND NOT EXISTS (FROM cb.predicate AS p WHERE p.name = n.name)
