-- The current texts in which a DOI stands.
SELECT r.source_key AS source_id, t.text
FROM cb.snapshot_current($observed_by, $recorded_by) AS t JOIN cb.source AS r ON r.source_id = t.source_id
WHERE regexp_matches(t.text, '10\.[0-9]{4,9}') ORDER BY r.source_key
