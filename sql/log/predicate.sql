-- Number a predicate when it is declared before it is used.
INSERT INTO cb.predicate
SELECT (SELECT coalesce(max(predicate_id), 0) + 1 FROM cb.predicate), $name, $recorded_at
WHERE NOT EXISTS (FROM cb.predicate AS p WHERE p.name = $name)
