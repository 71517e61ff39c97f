-- Canonical texts that reading again brought.
INSERT INTO cb.value
SELECT n.value_id, n.value_key, $recorded_at
FROM (SELECT value_id, min(value_key) AS value_key FROM understood GROUP BY value_id) AS n
WHERE NOT EXISTS (FROM cb.value AS v WHERE v.value_id = n.value_id)
