-- Some sources, as they described themselves last within the basis.
SELECT r.source_id AS source_no, r.uri AS url, r.source_key AS source_id, d.title, d.publisher, d.published_at,
  d.source_type, d.authority, d.derived_from
FROM cb.source AS r
LEFT JOIN cb.source_described($observed_by, $recorded_by) AS d ON d.source_id = r.source_id
WHERE list_contains($sources, r.source_id)
