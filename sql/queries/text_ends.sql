-- The beginning and the end of each source's current text.
SELECT r.source_key AS source_id, left(t.text, $head) AS head, right(t.text, $tail) AS tail
FROM cb.snapshot_current($observed_by, $recorded_by) AS t JOIN cb.source AS r ON r.source_id = t.source_id
WHERE t.text IS NOT NULL ORDER BY r.source_key
