-- Canonical texts of values met for the first time.
INSERT INTO cb.value
SELECT n.value_id, n.value_key, $recorded_at
FROM (SELECT g.value_id, min(g.value_key) AS value_key FROM new_claim JOIN staged AS g USING (row) GROUP BY g.value_id) AS n
WHERE NOT EXISTS (FROM cb.value AS v WHERE v.value_id = n.value_id)
